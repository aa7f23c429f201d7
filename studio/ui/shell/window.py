"""The window: the puzzle in the middle, the form at its left, the inspector at its right, tables in a drawer below."""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QMimeData, QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAction,
    QActionGroup,
    QCloseEvent,
    QCursor,
    QDragEnterEvent,
    QDropEvent,
    QGuiApplication,
    QHideEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QMenu, QTableView, QTabWidget, QUndoView, QWidget

from studio.base.amounts import extent, share
from studio.base.lazy import lazy
from studio.base.texts import tr, visible
from studio.base.units import Unit
from studio.checks.finding import Finding, Severity
from studio.files import SUFFIX
from studio.puzzles import registry
from studio.puzzles.abilities.cuttable import Cuttable, parts_in_words
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.kind import Generated
from studio.ui.canvas.canvas import Canvas
from studio.ui.panels.findings import FindingsPanel
from studio.ui.panels.form import ParameterForm
from studio.ui.session.changing import Changing
from studio.ui.session.commands import EDIT, FILE, FINDINGS, HELP, VIEW, Actions, Command, plain, within
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.document import Document
from studio.ui.session.extension import Extension, View
from studio.ui.session.games import Games
from studio.ui.session.jobs import COUNT_MS, LIST_MS, Jobs, Pace
from studio.ui.session.notices import NoticeBar
from studio.ui.session.pipeline import CHECKING, InSight, Pipeline
from studio.ui.session.preferences import Preferences, ThemeChoice
from studio.ui.session.session import Session
from studio.ui.session.writing import Writing
from studio.ui.shell import extensions as brought
from studio.ui.shell.dock_layout import DockLayout
from studio.ui.shell.filing import Filing
from studio.ui.shell.menus import (
    NEW,
    THEME_WORDS,
    UNIT_WORDS,
    fill_choice,
    fill_menu_bar,
    fill_recent,
    show_context_menu,
    take_theme,
    take_unit,
    tool_strip,
)
from studio.ui.shell.tabs import FIRST_SIZE, NEXT_KEYS, PREVIOUS_KEYS
from studio.ui.widgets.controls import Saying, menu_button, quiet_button, wrapping
from studio.ui.widgets.layout import Views, column, holding
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import MARGIN, Painted, TabStrip

if TYPE_CHECKING:
    from studio.ui.session.programs import OpenWith
    from studio.ui.shell.comparing import Comparing

P = TypeVar("P", bound=Extension[Any])
_fill_presets = lazy("studio.ui.shell.presets:fill")
_show_about = lazy("studio.ui.shell.menus:show_about")
_show_keys = lazy("studio.ui.shell.shortcuts:show_keys")
LEAST_SIZE = QSize(600, 320)
"""Least size of a window, with room on a screen of 1280 × 800 pixels at 200 %."""
MOUSE = tr("Wheel: zoom at the mouse. Middle-drag or Space+drag: pan.")
MOST_OFFERED = 200
"""Limit for problems in the command palette."""


class Reading(QWidget):
    """A label of fixed width for a text that changes with every move of the mouse: it triggers no new layout."""

    WIDEST = "x 10000.0  y 10000.0 mm"
    text = Painted("")

    def __init__(self) -> None:
        super().__init__()
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(self.WIDEST))
        self.setAutoFillBackground(True)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text)


class Window(QMainWindow):
    """One document, seen and worked on; the page of a tab."""

    opened = Signal(object, object, bool)
    """A design was opened for a tab of its own: brings an Opened, its path or None, and whether it is saved."""
    begun = Signal(object)
    """A new design is wanted: brings its kind."""
    files_dropped = Signal(object)
    """Files are to be opened, each in a tab of its own: brings their paths."""
    renamed = Signal()
    """The title or the mark of unsaved changes has changed."""
    chosen = Signal()
    """Another theme or unit was chosen, for all tabs."""
    home_wanted = Signal()
    """The start page is to be shown."""
    stepped = Signal(int)
    """The tab some places further on is to be shown: brings their number."""
    closing = Signal()
    """The design is to be closed."""
    quit_wanted = Signal()
    """Everything is to be closed."""

    def __init__(
        self, document: Document, preferences: Preferences, dialogs: Dialogs | None = None, sight: InSight | None = None
    ) -> None:
        """`sight` is the known result for the document's design."""
        super().__init__()
        self.document = document
        self.preferences = preferences
        self.jobs = Jobs(self)
        self.notices = NoticeBar()
        self.canvas = Canvas()
        self.pipeline = Pipeline(document, self.jobs, sight, self)
        played = document.kind.able(Playable)
        games = None if played is None else Games(played, document.design, self.jobs, self)
        self.session = Session(
            document, preferences, self.jobs, self.pipeline, self.canvas, self.notices,
            dialogs or Dialogs(self, self.show_help),
            Writing(self.pipeline, self.jobs, self.notices, self),
            Changing(document, self.jobs, self.notices, self.pipeline, self), games,
        )  # fmt: skip
        self.session.writing.open_with = lambda path: self.opening_with.offer(path)
        # The canvas follows the shapes before the marks that a kind's tool puts upon it.
        self.added = brought.of_abilities(self.session)
        self.extension = brought.of_kind(self.session)
        self.filing = Filing(self.session, self.extension.review, self)
        self.form = ParameterForm(
            document.design.parameters, describe=self.extension.describe, idle=self.extension.idle,
            hidden=self.extension.hidden,
            linked=self.extension.linked, offers=self.extension.offers,
        )  # fmt: skip
        fill = partial(_fill_presets, self.session)
        self.form.add_to_title(menu_button(tr("Presets"), tr("Start from usual sizes, or from your own"), fill))
        self._offer_seeds()
        self.findings = FindingsPanel(self.extension.place_of)
        self._placed = Pace(self._show_place, self)
        self._listed = Pace(self.findings.show_findings, self, pause=LIST_MS)
        # Changing the title of a tab lays out and repaints everything below it.
        self._counted = Pace(lambda words: self.drawer.setTabText(0, words), self, pause=COUNT_MS)
        self.actions_ = Actions(self, preferences.shortcuts())
        self.switch = QActionGroup(self)
        self._is_given_up = False
        self._floating: list[QDockWidget] = []
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self._lay_out()
        self._act()
        self._listen()
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        self.dock_layout.restore()
        self._rename()
        self.pipeline.start()

    @property
    def extensions(self) -> list[Extension[Any]]:
        """The kind's extension, then those of its abilities."""
        return [self.extension, *self.added]

    def find_extension(self, kind: type[P]) -> P:
        """Return the extension of a class; raises LookupError if no ability brings it."""
        for each in self.added:
            if isinstance(each, kind):
                return each
        raise LookupError(kind)

    @property
    def plays(self) -> bool:
        """True if something can be played, in the view in sight or below it."""
        return self._seen.seek is not None or any(each.player is not None for each in self.added)

    def facts(self) -> str:
        """Size and pieces of the design, in words."""
        cut = self.document.kind.able(Cuttable)
        if cut is None:
            return " · ".join(filter(None, (each.numbers for each in self.extensions)))
        drawing, pieces = cut.drawing(self.pipeline.shapes), cut.piece_count(self.pipeline.shapes)
        size = extent(drawing.width, drawing.height)
        return f"{size}, {parts_in_words(len(drawing.pieces), pieces)}" if pieces else size

    # Structure

    def _lay_out(self) -> None:
        self.middle = Views()
        self.views = list(self.extension.views)
        for view in (view for each in self.added for view in each.views):
            if view.widget not in [known.widget for known in self.views]:
                self.views.append(view)
        self.views = self.views or [self._summary()]
        self._seen = self.views[0]
        for view in self.views:
            self.middle.add(view.widget)
        page = holding(column((self.middle, 1), gap=0))
        self.setCentralWidget(page)
        self.notices.lie_over(page)
        inspector = self.extension.inspector or self._summary().widget
        self.docks = [
            self._dock(tr("Design"), self.form, Qt.DockWidgetArea.LeftDockWidgetArea),
            self._dock(tr("Inspector"), inspector, Qt.DockWidgetArea.RightDockWidgetArea),
        ]
        self.drawer = QTabWidget()
        self.drawer.setTabBar(TabStrip())
        self.drawer.setDocumentMode(True)
        self.drawer.setAccessibleName(tr("Tables"))
        self.history = QUndoView(self.document.history)
        self.history.setEmptyLabel(tr("Original"))
        self.history.setAccessibleName(tr("History"))
        brought_ones = [table for each in self.extensions for table in each.tables]
        self._tables = [(tr("Problems"), self.findings), *brought_ones, (tr("History"), self.history)]
        for title, table in self._tables:
            self.drawer.addTab(table, title)
        for _title, table in brought_ones:
            table.windowTitleChanged.connect(partial(self._retitle, table))
        self.docks.append(self._dock(tr("Tables"), self.drawer, Qt.DockWidgetArea.BottomDockWidgetArea))
        self.dock_layout = DockLayout(self, self.docks, self.preferences)
        self._place, self._selected, self._numbers, self._zoom = Reading(), Saying(), Saying(grows=False), QLabel()
        self._zoom.setMinimumWidth(56)
        self._zoom.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bar = self.statusBar()
        bar.setContentsMargins(MARGIN, 0, MARGIN, 0)
        bar.setSizeGripEnabled(False)
        bar.addWidget(self._place)
        bar.addWidget(self._selected, 1)
        bar.addPermanentWidget(self._numbers)
        bar.addPermanentWidget(self._zoom)

    def _summary(self) -> View:
        """Return a view for a kind without one of its own: a sentence."""
        label = wrapping(self.document.kind.summary)
        label.setMargin(MARGIN)
        label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        return View("summary", self.document.kind.title, label, lambda: None, lambda: None, lambda _factor: None)

    def _dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(title)
        dock.setWidget(widget)
        self.addDockWidget(area, dock)
        return dock

    @cached_property
    def opening_with(self) -> OpenWith:
        """Opens written files in a program; loaded on first use."""
        from studio.ui.session.programs import OpenWith

        return OpenWith(self.preferences, self.session.dialogs, self.notices, self.session.writing.open)

    @cached_property
    def comparing(self) -> Comparing:
        """Compares with another file; loaded on first use."""
        from studio.ui.shell.comparing import Comparing

        return Comparing(self.session, self)

    # Commands

    def _act(self) -> None:
        filing, several = self.filing, len(self.views) > 1
        flat = next((view.name for view in self.views if view.widget is self.canvas), "")
        added = [command for each in self.added for command in within(flat, each.commands)]
        self.actions_.add([
            Command("new", tr("New…"), FILE, self._choose_kind, ("Ctrl+N",), "new", tr("Start a puzzle of any kind"),
                    strip="file"),
            *(Command(f"new_{key}", tr("New {kind}", kind=listed.noun), NEW, partial(self._begin, key))
              for key, listed in registry.KINDS.items()),
            Command("open", tr("Open…"), FILE, lambda: filing.open(), ("Ctrl+O",), "open", strip="file"),
            Command("import", tr("Import…"), FILE, filing.import_files, (), "",
                    tr("Import a puzzle from another file format, such as JSON")),
            Command("paste", tr("Paste"), FILE, self._paste, ("Ctrl+V",), "",
                    tr("Paste a picture onto a jigsaw, or a slitherlink as Loopy game ID, puzz.link address or clues")),
            Command("save", tr("Save"), FILE, filing.save, ("Ctrl+S",), "save", strip="file"),
            Command("save_as", tr("Save as…"), FILE, filing.save_as, ("Ctrl+Shift+S",)),
            Command("compare", tr("Compare with…"), FILE, lambda: self.comparing.choose(), (), "",
                    tr("Show what changed since another file")),
            *(command for command in (*added, *self.extension.commands) if command.menu == FILE),
            Command("start_page", tr("Start page"), FILE, self.home_wanted.emit, ("Alt+Home",), "",
                    tr("Go to the start page; this puzzle stays open")),
            Command("close", tr("Close"), FILE, self.closing.emit, ("Ctrl+W",), "", tr("Close this puzzle")),
            Command("quit", tr("Quit"), FILE, self.quit_wanted.emit, ("Ctrl+Q",)),
            Command("undo", tr("Undo"), EDIT, self.document.history.undo, ("Ctrl+Z",), "undo", strip="edit",
                    needs=tr("Nothing to undo")),
            Command("redo", tr("Redo"), EDIT, self.document.history.redo, ("Ctrl+Shift+Z", "Ctrl+Y"),
                    "redo", strip="edit", needs=tr("Nothing to redo")),
            *(command for command in self.extension.commands if command.menu != FILE),
            *([Command("variants", tr("Variants…"), VIEW, lambda: self.comparing.vary(), (), "",
                       tr("Show this design with other values of one or two parameters"))]
              if self.document.kind.able(Cuttable) is not None else []),
            Command("fit", tr("Fit to window"), VIEW, lambda: self._seen.fit(),
                    ("Ctrl+0", "5") if self.extension.is_on_canvas or not self.extension.views else ("Ctrl+0",),
                    "fit", in_context=True, begins=True),
            Command("zoom_in", tr("Zoom in"), VIEW, lambda: self._seen.zoom_by(1.25), ("Ctrl+=", "Ctrl++"), "zoom-in"),
            Command("zoom_out", tr("Zoom out"), VIEW, lambda: self._seen.zoom_by(0.8), ("Ctrl+-",), "zoom-out"),
            *(command for command in added if command.menu != FILE),
            Command("next_tab", tr("Next tab"), VIEW, lambda: self.stepped.emit(1), NEXT_KEYS, begins=True),
            Command("previous_tab", tr("Previous tab"), VIEW, lambda: self.stepped.emit(-1), PREVIOUS_KEYS),
            Command("next_finding", tr("Next problem"), FINDINGS, lambda: self._step_finding(1), ("F8",)),
            Command("previous_finding", tr("Previous problem"), FINDINGS, lambda: self._step_finding(-1),
                    ("Shift+F8",)),
            *self._help(),
        ])  # fmt: skip
        self.canvas.view.addActions([self.actions_[command.name] for command in added if command.on_canvas])
        own = [self.actions_[command.name] for command in self.extension.commands if command.on_canvas]
        views = self.views
        if self.extension.views and self.extension.is_on_canvas:
            # Keys go to the canvas: views of abilities, such as solids, have none of its keys.
            views = self.extension.views
        elsewhere = {view.widget for view in views if view.widget is not self.canvas}
        for widget in elsewhere if self.extension.views and elsewhere else {self.canvas.view}:
            widget.addActions(own)
        known = self.extension.commands
        also = [each.name for each in known if each.on_canvas and each.menu in self.extension.canvas_menus]
        self.canvas.view.addActions([self.actions_[name] for name in also])
        on_tables = [self.actions_[each.name] for each in self.extension.commands if each.menu not in (EDIT, VIEW)]
        for _title, table in self.extension.tables:
            table.addActions(on_tables)
        if several:
            self._make_switch()
        if "fix_all" in self.actions_:
            self.findings.offer(self.actions_["fix_all"])
        menus = fill_menu_bar(self.menuBar(), self.actions_)
        self._fill_file_menu(menus[FILE])
        self._fill_view_menu(menus[VIEW])
        zooms = [self.actions_[name] for name in ("zoom_out", "zoom_in", "fit")]
        self.addToolBar(tool_strip(self, self.actions_, zooms, self.switch.actions()))

    def _help(self) -> list[Command]:
        return [
            Command("palette", tr("Command palette…"), HELP, self.show_palette, ("Ctrl+K", "Ctrl+Shift+P"), "",
                    tr("Find a command, parameter, problem or page of the manual by name")),
            Command("manual", tr("Manual"), HELP, self.show_help, ("F1",), "",
                    tr("Open the manual at the section for what you are working on")),
            Command("shortcuts", tr("Keyboard shortcuts…"), HELP,
                    partial(_show_keys, self, self.extension.mouse or MOUSE), ("Ctrl+F1",), "",
                    tr("See and change the shortcuts")),
            Command("about", tr("About Puzzle Studio"), HELP, partial(_show_about, self)),
        ]  # fmt: skip

    def _offer_seeds(self) -> None:
        """Put a button beside the seed that keeps it; the strip is loaded once there are kept seeds."""
        self.seeds: Any = None
        row = self.form.row_of("seed")
        if row is None:
            return
        button = quiet_button(tr("Keep this seed"), "keep")
        button.setCheckable(True)
        row.field.add_button(button)

        def strip() -> Any:
            from studio.ui.shell.seeds import KeptSeeds

            self.seeds = self.seeds or KeptSeeds(self.session, row, button)
            return self.seeds

        def look() -> None:
            if self.preferences.kept_seeds(self.document.kind.key, self.document.path):
                strip()

        button.clicked.connect(lambda: strip().toggle())
        self.document.replaced.connect(look)
        look()

    def _choose_kind(self) -> None:
        """Ask for the kind of a new puzzle, the present one first."""
        from studio.ui.shell.palette import Entry, Palette

        ordered = sorted(registry.KINDS.items(), key=lambda each: each[0] != self.document.kind.key)
        kinds = [Entry(listed.title, listed.summary, "", partial(self._begin, key)) for key, listed in ordered]
        Palette(kinds, self, tr("New puzzle")).open()

    def _begin(self, key: str) -> None:
        """Begin a new design of a kind, which is loaded now."""
        self.filing.new(registry.kind(key))

    def _fill_file_menu(self, menu: QMenu) -> None:
        actions = self.actions_
        fresh, recent = QMenu(tr("New"), self), QMenu(tr("Open recent"), self)
        self._recent = recent
        fresh.addActions(actions.of_menu(NEW))
        recent.aboutToShow.connect(partial(self._list_recent, recent))
        menu.insertMenu(actions["open"], fresh)
        menu.insertMenu(actions["import"], recent)
        exports = actions.of(lambda command: command.is_export)
        of_games = actions.of(lambda command: command.name == "open_game")
        for action in (actions["save"], *exports[:1], *of_games, actions["quit"]):
            menu.insertSeparator(action)

    def _list_recent(self, menu: QMenu) -> None:
        fill_recent(menu, self.preferences, self.filing.open)

    def _fill_view_menu(self, menu: QMenu) -> None:
        if self.switch.actions():
            menu.insertSeparator(self.switch.actions()[0])
        menu.addSeparator()
        theme, self._unit = self.preferences.theme_choice(), self.preferences.unit()
        themes = fill_choice(menu.addMenu(tr("Theme")), THEME_WORDS, theme, self.choose_theme)
        units = fill_choice(menu.addMenu(tr("Units")), UNIT_WORDS, self._unit, self.choose_unit)
        made = (*themes.items(), *units.items())
        self._ticks: dict[Enum, QAction] = {value: action for value, action in made}
        menu.addSeparator()
        for dock in self.docks:
            menu.addAction(dock.toggleViewAction())
        menu.addActions(self.actions_.add([Command("reset_layout", tr("Reset layout"), "", self.dock_layout.reset)]))

    def _make_switch(self) -> None:
        """Make actions that show another view in the middle, for a kind with several."""
        for number, view in enumerate(self.views, 1):
            (action,) = self.actions_.add([
                Command(f"view_{view.name}", view.title, VIEW, partial(self._switched, view), (f"Ctrl+{number}",),
                        is_switch=True)
            ])  # fmt: skip
            self.switch.addAction(action)

    def show_view(self, name: str) -> None:
        """Show one of several views in the middle."""
        if self.switch.actions():
            self.actions_[f"view_{name}"].setChecked(True)

    def _show_canvas(self) -> None:
        """Bring the canvas in sight, for a kind with other views too: there the sheet is cut."""
        for view in self.views:
            if view.widget is self.canvas:
                self.show_view(view.name)

    def _switched(self, view: View, on: bool) -> None:
        if not on:
            return
        self.form.forget_refusals()
        self._seen = view
        self.middle.show_widget(view.widget)
        view.choose()
        if view not in self.extension.views:
            self.extension.put_away()
        flat = view.widget is self.canvas
        self._zoom.setVisible(flat)
        for command in (command for each in self.added for command in each.commands if command.on_canvas):
            self.actions_[command.name].setEnabled(flat)

    # Connections

    def _listen(self) -> None:
        document, view = self.document, self.canvas.view
        self.pipeline.findings_changed.connect(self._show_findings)
        self.pipeline.progressed.connect(self.findings.show_progress)
        # Methods, not lambdas: Qt lets go of a method when its window is gone, and the document outlives the window.
        document.previewed.connect(self._describe_parameters)
        document.settled.connect(self._show_parameters)
        document.replaced.connect(self._show_parameters)
        document.renamed.connect(self._rename)
        self.session.changing.given_up.connect(self._show_parameters)
        history = document.history
        history.cleanChanged.connect(self._rename)
        for changed in (
            history.canUndoChanged, history.canRedoChanged, history.undoTextChanged, history.redoTextChanged
        ):  # fmt: skip
            changed.connect(self._name_history)
        self._name_history()
        history.indexChanged.connect(self.notices.go_on)
        if self.session.games is not None:
            self.session.games.played_on.connect(self.notices.go_on)
        self.form.previewed.connect(self._preview_parameters)
        self.form.edited.connect(self._edit_parameters)
        self.findings.repaired.connect(self._repair)
        self.findings.counted.connect(
            lambda words: self._counted.follow(words, settled=not self.canvas.view.is_dragging)
        )
        view.pointed.connect(lambda place: self._placed.follow(place, settled=place is None))
        view.zoomed.connect(lambda zoom: self._zoom.setText(share(zoom / view.true_zoom)))
        for each in self.extensions:
            self.findings.chosen.connect(each.show_finding)
            each.changed.connect(self._show_state)
            each.refused.connect(self._warn)
            each.view_wanted.connect(self.show_view)
            each.canvas_wanted.connect(self._show_canvas)
            each.design_wanted.connect(self.filing.bring)
            each.menu_wanted.connect(self._show_menu)
        self.filing.opened.connect(self.opened)
        self.filing.begun.connect(self.begun)
        self._show_state()
        self._show_place(None)
        self.show_view(self.views[0].name)
        self._zoom.setVisible(self._seen.widget is self.canvas)

    def _show_parameters(self, _design: object = None) -> None:
        self.form.set_parameters(self.document.design.parameters)

    def _describe_parameters(self, _design: object) -> None:
        self.form.describe()

    def _show_menu(self, place: QPoint) -> None:
        show_context_menu(self, place, self.actions_, self.extension.context_menus)

    def _show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        self.findings.verdict = self.pipeline.verdict
        self._listed.follow(findings, settled=not self.canvas.view.is_dragging)

    def _show_place(self, place: QPointF | None) -> None:
        self._place.text = "" if place is None else tr("x {x:.1f}  y {y:.1f} mm", x=place.x(), y=place.y())

    def _show_state(self) -> None:
        """Show selection and size in the status bar, and enable the possible actions."""
        self._selected.setText(self.extension.status_text)
        self._numbers.setText(" · ".join(filter(None, (each.numbers for each in self.extensions))))
        for each in self.extensions:
            for name, can in each.possible().items():
                self.actions_[name].setEnabled(can)

    def _rename(self, _clean: bool = False) -> None:
        self.setWindowFilePath(str(self.document.path or ""))
        self.setWindowTitle(tr("{title}[*] — Puzzle Studio", title=visible(self.document.title)))
        self.setWindowModified(self.document.is_modified)
        self.renamed.emit()

    def _name_history(self, _what: object = None) -> None:
        history = self.document.history
        for name, text, can in (
            ("undo", history.undoText(), history.canUndo()),
            ("redo", history.redoText(), history.canRedo()),
        ):
            self.actions_[name].setText(f"{name.capitalize()} {text}".strip())
            self.actions_[name].setEnabled(can)

    # Actions

    def _preview_parameters(self, parameters: object) -> None:
        kind = self.document.kind
        # Slow changes, such as of a large board, are shown once the value is settled.
        self.session.changing.preview(lambda design, progress: kind.generate(parameters, design, progress))

    def _edit_parameters(self, words: str, parameters: object, gesture: object) -> None:
        kind = self.document.kind
        self.session.changing.make(
            words, lambda design, progress: kind.generate(parameters, design, progress), gesture=gesture
        )

    def _repair(self, finding: Finding) -> None:
        repair = finding.repair
        if repair is not None:
            work = lambda design, progress: Generated(*repair.fixed(design, progress))  # noqa: E731
            subject = self.extension.subject_of(finding)
            self.session.changing.make(f"{repair.title}: {subject}" if subject else repair.title, work)

    def _retitle(self, table: QWidget, title: str) -> None:
        self.drawer.setTabText(self.drawer.indexOf(table), title)

    def _step_finding(self, by: int) -> None:
        self.docks[2].show()
        self.docks[2].raise_()
        self.drawer.setCurrentWidget(self.findings)
        self.findings.step(by)

    def _warn(self, sentence: str) -> None:
        self.notices.refuse(sentence)

    def show_help(self) -> None:
        """Show the manual's place for the focused widget."""
        from studio.ui.shell.manual.window import show_help

        show_help(self.preferences, self.document.kind.key, self._seen.name, self.extension.topic)

    def show_palette(self) -> None:
        """Open the palette with all commands, parameters and problems."""
        from studio.ui.shell import presets
        from studio.ui.shell.manual.window import sections
        from studio.ui.shell.palette import Entry, Palette, also_called, menu_entries

        kind = self.document.kind.key
        commands = [
            Entry(action.text(), plain(command.menu), ", ".join(command.keys[:1]), action.trigger,
                   command.help, also_called("commands", command.name, kind), action.isEnabled(),
                   "" if action.isEnabled() else self._reason(command))
            for command, action in self.actions_.in_menus if command.name != "palette"
        ]  # fmt: skip
        self._list_recent(self._recent)
        in_menus = menu_entries(self.menuBar(), self.actions_.of(lambda command: bool(command.menu)))
        fields = [Entry(title, group, "", partial(self._go_to, self.docks[0], self.form.go_to, name), help,
                         " ".join([also_called("parameters", name, kind), *self.form.choices_of(name)]))
                  for name, title, group, help in self.form.asked()]  # fmt: skip
        to_problem = partial(self._go_to, self.docks[2], self._show_problem)
        resting = [Entry(title, group, "", partial(self.form.go_to, name), help,
                          also_called("parameters", name, kind), False, reason.rstrip("."))
                   for name, title, group, help, reason in self.form.resting()]  # fmt: skip
        to_table = partial(self._go_to, self.docks[2], self.drawer.setCurrentWidget)
        tables = [
            Entry(title, tr("Table"), "", partial(to_table, table), "", also_called("tables", title))
            for title, table in self._tables
        ]
        problems = [Entry(finding.message, tr("Problem"), "", partial(to_problem, finding))
                    for finding in self.findings.model.elements[:MOST_OFFERED]]  # fmt: skip
        manual = [Entry(title, tr("Manual: {page}", page=page), "", show)
                  for title, page, show in sections(self.preferences)]  # fmt: skip
        entries = [*commands, *in_menus, *fields, *resting, *tables, *presets.entries(self.session), *problems, *manual]
        Palette(entries, self, tr("Find a command, parameter, problem or page of the manual")).open()

    def _reason(self, command: Command) -> str:
        """Return why a disabled command is disabled, in a few words; empty if unknown."""
        home = next((view for view in self.views if view.name == command.view), None)
        if home is not None and home.widget is not self._seen.widget:
            return tr("Only in {view}", view=home.title)
        return command.needs

    def _go_to(self, dock: QDockWidget, go: Callable[[Any], None], what: object) -> None:
        dock.show()
        dock.raise_()
        go(what)

    def _show_problem(self, finding: Finding) -> None:
        self.drawer.setCurrentWidget(self.findings)
        self.findings.go_to(finding)

    # Appearance

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Apply a theme."""
        take_theme(self.preferences, choice)
        self.follow_choices()
        self.chosen.emit()

    def choose_unit(self, unit: Unit) -> None:
        """Show lengths in a unit, everywhere at once."""
        take_unit(self.preferences, unit)
        self.follow_choices()
        self.chosen.emit()

    def follow_choices(self) -> None:
        """Apply the theme and the unit chosen here or in another tab."""
        self._ticks[self.preferences.theme_choice()].setChecked(True)
        unit = self.preferences.unit()
        self._ticks[unit].setChecked(True)
        if unit is self._unit:
            return
        self._unit = unit
        for box in self.findChildren(NumberSpinBox):
            box.show_unit()
        self.form.show_unit()
        for table in self.findChildren(QTableView):
            table.horizontalHeader().viewport().update()
        self.canvas.show_unit()
        self.pipeline.renew()
        self._show_state()

    def finish(self) -> None:
        """Wait for all checks and views; for pictures."""
        self.pipeline.finish()
        for each in self.extensions:
            each.finish()

    def rest(self, share: float | None) -> None:
        """Finish the work of the view in sight, and show its animation after a share of it; for pictures.

        Without an animation, the cut plan is shown.
        """
        if self._seen.finish is not None:
            self._seen.finish()
        if share is None:
            return
        if self._seen.seek is not None:
            self._seen.seek(share)
        for each in self.added if self._seen.seek is None else ():
            if each.player is not None:
                self.drawer.setCurrentWidget(each.player)
                each.seek(share)

    def keep_layout(self) -> None:
        """Store the window's geometry and the layout of its panels."""
        self.preferences.set_window_layout(self.window().saveGeometry(), self.dock_layout.state())

    # Drops and pastes

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        data = event.mimeData()
        if _dropped(data, {SUFFIX, *self.extension.droppable}) or (self.extension.takes_images and data.hasImage()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        puzzles = _dropped(event.mimeData(), {SUFFIX})
        if puzzles:
            event.acceptProposedAction()
            self.filing.open(puzzles[0])
            if puzzles[1:]:
                self.files_dropped.emit(puzzles[1:])
        elif self._take(event.mimeData(), self.mapToGlobal(event.position().toPoint())):
            event.acceptProposedAction()

    def _paste(self) -> None:
        if not self._take(QGuiApplication.clipboard().mimeData(), QCursor.pos()):
            self.filing.paste()

    def _take(self, data: QMimeData | None, place: QPoint) -> bool:
        """Have the kind take a file or a picture at a place on the screen; return whether it does."""
        if data is None:
            return False
        files = _dropped(data, self.extension.droppable)
        if files:
            self.extension.drop(files[0], place)
        elif self.extension.takes_images and data.hasImage():
            self.extension.take_image(data)
        else:
            return False
        return True

    def give_up(self) -> None:
        """Close without a question: unsaved changes are lost, or kept elsewhere."""
        self._is_given_up = True
        self.close()

    def look_at_file(self) -> None:
        """Check the file for changes by another program: networks and some disks report none."""
        self.filing.watch.look_soon()

    @property
    def would_ask(self) -> bool:
        """True if closing the design asks a question, or has to wait."""
        return self.session.writing.is_writing or self.filing.would_lose

    def may_close(self) -> bool:
        """Return whether the design may close: nothing is being written, and unsaved changes are dealt with."""
        if self.session.writing.is_writing:
            self.notices.post(tr("Export in progress; please wait."), Severity.WARNING)
            return False
        return self._is_given_up or self.filing.may_close()

    def showEvent(self, event: QShowEvent) -> None:
        """Show the floating panels again."""
        super().showEvent(event)
        self.dock_layout.fit()
        while self._floating:
            self._floating.pop().show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.dock_layout.fit()

    def hideEvent(self, event: QHideEvent) -> None:
        """Pause animations, and hide the floating panels, which Qt would leave in place."""
        super().hideEvent(event)
        if not event.spontaneous() and not self.isWindow():
            for each in self.extensions:
                each.pause()
            self._floating = [dock for dock in self.docks if dock.isFloating() and dock.isVisible()]
            for dock in self._floating:
                dock.hide()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.may_close():
            event.ignore()
            return
        if self.seeds is not None:
            self.seeds.close_down()
        if self.isVisible():
            self.keep_layout()
            self.preferences.save()
        self.jobs.cancel(CHECKING)
        self.jobs.close()
        # Clearing a history emits signals, and the window may be gone by then.
        self.document.history.blockSignals(True)
        event.accept()


def _dropped(data: QMimeData, suffixes: Collection[str]) -> list[Path]:
    """Return the dropped files with certain extensions, in any case."""
    paths = [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]
    return [path for path in paths if path.suffix.lower() in suffixes]
