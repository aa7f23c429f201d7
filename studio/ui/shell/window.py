"""The window: the puzzle in the middle, the form at its left, the inspector at its right, tables in a drawer below."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QPoint, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
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
from PySide6.QtWidgets import QDockWidget, QLabel, QMainWindow, QStatusBar, QTableView, QUndoView, QWidget

from studio.base.amounts import extent, share
from studio.base.progress import lazy
from studio.base.texts import tr, visible
from studio.base.units import Unit
from studio.checks.finding import Finding, Severity
from studio.files import SUFFIX
from studio.puzzles import registry
from studio.puzzles.abilities.cuttable import Cuttable, parts_in_words
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.kind import AnyKind, Generated
from studio.ui.canvas.canvas import Canvas
from studio.ui.panels.findings import FindingsPanel
from studio.ui.panels.form import ParameterForm
from studio.ui.panels.inspector_pages import FactsPanel
from studio.ui.session.actions import Actions, Command
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.document import Document
from studio.ui.session.extension import Extension, View, dropped
from studio.ui.session.games import Games
from studio.ui.session.jobs import COUNT_MS, LIST_MS, Jobs, Throttle
from studio.ui.session.notices import NoticeBar
from studio.ui.session.pipeline import CHECKING, InSight, Pipeline
from studio.ui.session.preferences import Preferences, ThemeChoice
from studio.ui.session.session import Changing, Session
from studio.ui.session.writing import Writing
from studio.ui.shell.filing import Filing, GameFiling
from studio.ui.shell.menus import (
    DockLayout,
    Drawer,
    RecentMenu,
    dock,
    fill_window,
    show_context_menu,
    take_theme,
    take_unit,
)
from studio.ui.shell.tabs import FIRST_SIZE
from studio.ui.widgets.controls import ElidedLabel, menu_button, quiet_button, wrapping
from studio.ui.widgets.layout import Views, column, holding
from studio.ui.widgets.length_spin import NumberSpinBox
from studio.ui.widgets.theme import MARGIN, Painted

if TYPE_CHECKING:
    from studio.ui.panels.variants import Comparing
    from studio.ui.session.writing import OpenWith
    from studio.ui.shell.presets import KeptSeeds

P = TypeVar("P", bound=Extension[Any])
_fill_presets = lazy("studio.ui.shell.presets:fill")
_typed_moves = lazy("studio.ui.panels.game_page:TypedExtension")
FOR_ABILITIES: dict[str, Callable[[Session, Any], Extension[Any]]] = {
    "Gradable": lazy("studio.ui.abilities.gradable_solvable:GradedExtension"),
    "Solvable": lazy("studio.ui.abilities.gradable_solvable:SolvedExtension"),
    "Cuttable": lazy("studio.ui.abilities.cuttable:CutExtension"),
    "Printable": lazy("studio.ui.abilities.printable:PrintedExtension"),
    "PaperPrintable": lazy("studio.ui.abilities.printable:PagesExtension"),
    "Convertible": lazy("studio.ui.abilities.editable:FormatsExtension"),
    "Editable": lazy("studio.ui.abilities.editable:EditsExtension"),
    "Playable": lambda session, _able: GameFiling(session),
}
"""The extension of each ability, by the name of its class, in the order of tables and of the File menu."""
LEAST_SIZE = QSize(600, 320)
"""Least size of a window, with room on a screen of 1280 × 800 pixels at 200 %."""


class Window(QMainWindow):
    """One document, seen and worked on; the page of a tab."""

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
        self.session = session = Session(
            document, preferences, self.jobs, self.pipeline, self.canvas, self.notices,
            dialogs or Dialogs(self, self.show_help),
            Writing(self.pipeline, self.jobs, self.notices, self),
            Changing(document, self.jobs, self.notices, self.pipeline, self), games,
        )  # fmt: skip
        session.writing.open_with = lambda path: self.opening_with.offer(path)
        # The canvas follows the shapes before the marks that a kind's tool puts upon it.
        able = {type(each).__name__: each for each in document.kind.abilities}
        self.added = [make(session, able[name]) for name, make in FOR_ABILITIES.items() if name in able]
        self.extension = _kind_extension(session)
        self.filing = Filing(session, self.extension.review, self)
        self.form = DesignForm(session, self.extension)
        self.findings = FindingsPanel(self.extension.place_of)
        self.history = QUndoView(document.history)
        self.history.setEmptyLabel(tr("Original"))
        self.history.setAccessibleName(tr("History"))
        self.middle = Middle(document.kind, self.extensions)
        page = holding(column((self.middle, 1), gap=0))
        self.setCentralWidget(page)
        self.notices.lie_over(page)
        own_tables = [table for each in self.extensions for table in each.tables]
        self.drawer = Drawer([(tr("Problems"), self.findings), *own_tables, (tr("History"), self.history)])
        areas = Qt.DockWidgetArea
        self.docks = [
            dock(self, tr("Design"), self.form, areas.LeftDockWidgetArea),
            dock(self, tr("Inspector"), _inspector(document.kind, self.extensions), areas.RightDockWidgetArea),
            dock(self, tr("Tables"), self.drawer, areas.BottomDockWidgetArea),
        ]
        self.dock_layout = DockLayout(self, self.docks, preferences)
        self.status = StatusBar()
        self.setStatusBar(self.status)
        self.actions_ = Actions(self, preferences.shortcuts())
        self.recent = RecentMenu(self, preferences, self.filing.open)
        self._is_given_up = False
        self._floating: list[QDockWidget] = []
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self._unit = preferences.unit()
        self._ticks = fill_window(self)
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

    def facts(self) -> str:
        """Size and pieces of the design, in words."""
        cut = self.document.kind.able(Cuttable)
        if cut is None:
            return self._numbers()
        drawing, pieces = cut.drawing(self.pipeline.shapes), cut.piece_count(self.pipeline.shapes)
        size = extent(drawing.width, drawing.height)
        return f"{size}, {parts_in_words(len(drawing.pieces), pieces)}" if pieces else size

    def _numbers(self) -> str:
        return " · ".join(filter(None, (each.numbers for each in self.extensions)))

    @cached_property
    def opening_with(self) -> OpenWith:
        """Opens written files in a program; loaded on first use."""
        from studio.ui.session.writing import OpenWith

        return OpenWith(self.preferences, self.session.dialogs, self.notices, self.session.writing.open)

    @cached_property
    def comparing(self) -> Comparing:
        """Compares with another file; loaded on first use."""
        from studio.ui.panels.variants import Comparing

        return Comparing(self.session, self)

    # Views and commands

    def show_help(self) -> None:
        """Show the manual's place for the focused widget."""
        from studio.ui.shell.manual_window import show_help

        show_help(self.preferences, self.document.kind.key, self.middle.seen.name, self.extension.topic)

    def show_view(self, name: str) -> None:
        """Show one of several views in the middle."""
        if f"view_{name}" in self.actions_:
            self.actions_[f"view_{name}"].setChecked(True)

    def _show_canvas(self) -> None:
        """Bring the canvas in sight, for a kind with other views too: there the sheet is cut."""
        for view in self.middle.views:
            if view.widget is self.canvas:
                self.show_view(view.name)

    def turn_to(self, view: View, is_on: bool) -> None:
        """Bring a view in sight, whose switch is on."""
        if not is_on:
            return
        self.form.forget_refusals()
        self.middle.show_view(view)
        if view not in self.extension.views:
            self.extension.put_away()
        self.status.zoom.setVisible(view.widget is self.canvas)
        self._show_state()

    # Connections

    def _listen(self) -> None:
        document, history, view = self.document, self.document.history, self.canvas.view
        self.pipeline.findings_changed.connect(self._show_findings)
        self.pipeline.progressed.connect(self.findings.show_progress)
        # Methods, not lambdas: Qt lets go of a method when its window is gone, and the document outlives the window.
        document.renamed.connect(self._rename)
        history.cleanChanged.connect(self._rename)
        for name in ("canUndo", "canRedo", "undoText", "redoText"):
            getattr(history, f"{name}Changed").connect(self._name_history)
        self._name_history()
        history.indexChanged.connect(self.notices.go_on)
        if self.session.games is not None:
            self.session.games.played_on.connect(self.notices.go_on)
        self.findings.repaired.connect(self._repair)
        # Changing the title of a tab lays out and repaints everything below it.
        counted = Throttle(lambda words: self.drawer.setTabText(0, words), self, pause=COUNT_MS)
        self.findings.counted.connect(lambda words: counted.follow(words, settled=not view.is_dragging))
        self._listed = Throttle(self.findings.show_findings, self, pause=LIST_MS)
        placed = Throttle(self.status.show_place, self)
        view.pointed.connect(lambda place: placed.follow(place, settled=place is None))
        view.zoomed.connect(lambda zoom: self.status.zoom.setText(share(zoom / view.true_zoom)))
        for each in self.extensions:
            self.findings.chosen.connect(each.show_finding)
            each.changed.connect(self._show_state)
            each.refused.connect(self.notices.refuse)
            each.view_wanted.connect(self.show_view)
            each.canvas_wanted.connect(self._show_canvas)
            each.design_wanted.connect(self.filing.bring)
            each.menu_wanted.connect(self._show_menu)
        self._show_state()
        self.show_view(self.middle.views[0].name)
        self.status.zoom.setVisible(self.middle.seen.widget is self.canvas)

    def _show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        self.findings.verdict = self.pipeline.verdict
        self._listed.follow(findings, settled=not self.canvas.view.is_dragging)

    def _show_state(self) -> None:
        """Show selection and size in the status bar, and enable the possible actions."""
        self.status.selected.setText(self.extension.status_text)
        self.status.numbers.setText(self._numbers())
        able = {name: can for each in self.extensions for name, can in each.possible().items()}
        self.actions_.enable(able, self.middle.home)

    def _show_menu(self, place: QPoint) -> None:
        here: dict[str, Callable[[], object]] = {}
        if self.canvas.isVisible():
            here = {**self.findings.fixes(self.canvas.finding_at(place)), **self.canvas.offers_at(place)}
        show_context_menu(self, place, self.actions_, self.extension.context_menus, here)

    def _rename(self, _clean: bool = False) -> None:
        self.setWindowFilePath(str(self.document.path or ""))
        self.setWindowTitle(tr("{title}[*] — Puzzle Studio", title=visible(self.document.title)))
        self.setWindowModified(self.document.is_modified)
        self.renamed.emit()

    def _name_history(self, _what: object = None) -> None:
        history = self.document.history
        undo, redo = ("undo", history.undoText(), history.canUndo()), ("redo", history.redoText(), history.canRedo())
        for name, text, can in (undo, redo):
            self.actions_[name].setText(f"{name.capitalize()} {text}".strip())
            self.actions_[name].setEnabled(can)

    def _repair(self, finding: Finding) -> None:
        repair = finding.repair
        if repair is not None:
            work = lambda design, progress: Generated(*repair.fixed(design, progress))  # noqa: E731
            subject = self.extension.subject_of(finding)
            self.session.changing.make(f"{repair.title}: {subject}" if subject else repair.title, work)

    def step_finding(self, by: int) -> None:
        """Show the problem some places further on."""
        self.drawer.show_table(self.findings)
        self.findings.step(by)

    # Appearance

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Apply a theme."""
        take_theme(self.preferences, choice)
        self._chosen()

    def choose_unit(self, unit: Unit) -> None:
        """Show lengths in a unit, everywhere at once."""
        take_unit(self.preferences, unit)
        self._chosen()

    def _chosen(self) -> None:
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

    def keep_layout(self) -> None:
        """Store the window's geometry and the layout of its panels."""
        self.preferences.set_window_layout(self.window().saveGeometry(), self.dock_layout.state())

    # Drops and pastes

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if dropped(event.mimeData(), {SUFFIX}) or self.extension.takes(event.mimeData()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        data, puzzles = event.mimeData(), dropped(event.mimeData(), {SUFFIX})
        if puzzles:
            self.filing.open(puzzles[0])
            if puzzles[1:]:
                self.files_dropped.emit(puzzles[1:])
        elif self.extension.takes(data):
            self.extension.take(data, self.mapToGlobal(event.position().toPoint()))
        else:
            return
        event.acceptProposedAction()

    def paste(self) -> None:
        """Take a file or a picture from the clipboard, or open the puzzle in its text."""
        data = QGuiApplication.clipboard().mimeData()
        if data is not None and self.extension.takes(data):
            self.extension.take(data, QCursor.pos())
        else:
            self.filing.paste()

    def give_up(self) -> None:
        """Close without a question: unsaved changes are lost, or kept elsewhere."""
        self._is_given_up = True
        self.close()

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
        if self.form.seeds is not None:
            self.form.seeds.close_down()
        if self.isVisible():
            self.keep_layout()
            self.preferences.save()
        self.jobs.cancel(CHECKING)
        self.jobs.close()
        # Clearing a history emits signals, and the window may be gone by then.
        self.document.history.blockSignals(True)
        event.accept()


class DesignForm(ParameterForm):
    """The form of a session's design, whose edits are steps of the history."""

    def __init__(self, session: Session, extension: Extension[Any]) -> None:
        super().__init__(
            session.document.design.parameters, describe=extension.describe, idle=extension.idle,
            hidden=extension.hidden, linked=extension.linked, offers=extension.offers,
        )  # fmt: skip
        self._session = session
        self.seeds: KeptSeeds | None = None
        """The strip of kept seeds; None until there are any."""
        self.add_to_title(
            menu_button(tr("Presets"), tr("Start from usual sizes, or from your own"), partial(_fill_presets, session))
        )
        self._offer_seeds()
        document = session.document
        # Methods, not lambdas: Qt lets go of a method when its form is gone, and the document outlives the form.
        document.previewed.connect(self._describe_preview)
        document.settled.connect(self._follow)
        document.replaced.connect(self._follow)
        session.changing.given_up.connect(self._follow)
        self.previewed.connect(self.preview)
        self.edited.connect(self.edit)

    def edit(self, words: str, parameters: Any, gesture: object = None) -> None:
        """Change the design to other parameters, as a step with a name; steps of a gesture are undone together."""
        generate = self._session.kind.generate
        self._session.changing.make(
            words, lambda design, progress: generate(parameters, design, progress), gesture=gesture
        )

    def preview(self, parameters: Any) -> None:
        """Show other parameters while a gesture runs."""
        generate = self._session.kind.generate
        # Slow changes, such as of a large board, are shown once the value is settled.
        self._session.changing.preview(lambda design, progress: generate(parameters, design, progress))

    def _describe_preview(self, _design: object) -> None:
        self.describe()

    def _follow(self, _design: object = None) -> None:
        self.set_parameters(self._session.document.design.parameters)

    def _offer_seeds(self) -> None:
        """Put a button beside the seed that keeps it; the strip is loaded once there are kept seeds."""
        session, row = self._session, self.row_of("seed")
        if row is None:
            return
        button = quiet_button(tr("Keep this seed"), "keep")
        button.setCheckable(True)
        row.field.add_button(button)

        def strip() -> KeptSeeds:
            from studio.ui.shell.presets import KeptSeeds

            self.seeds = self.seeds or KeptSeeds(session, row, button)
            return self.seeds

        def look() -> None:
            if session.preferences.kept_seeds(session.kind.key, session.document.path):
                strip()

        button.clicked.connect(lambda: strip().toggle())
        session.document.replaced.connect(look)
        look()


class Middle(Views):
    """The views of a puzzle; `seen` is the one in sight."""

    def __init__(self, kind: AnyKind, extensions: Iterable[Extension[Any]]) -> None:
        """The first extension, the kind's, may have several views of one widget."""
        super().__init__()
        own, *added = extensions
        self.views = list(own.views)
        for view in (view for each in added for view in each.views):
            if view.widget not in [known.widget for known in self.views]:
                self.views.append(view)
        self.views = self.views or [_summary(kind)]
        self.seen = self.views[0]
        """The view in sight."""
        for view in self.views:
            self.add(view.widget)

    def show_view(self, view: View) -> None:
        """Bring a view in sight."""
        self.seen = view
        self.show_widget(view.widget)
        view.choose()

    def home(self, command: Command) -> str:
        """Return the title of the only view with a command; empty if that is in sight, or there is none."""
        away = (view for view in self.views if view.widget is not self.seen.widget)
        return next((view.title for view in away if view.name == command.view), "")

    def reason(self, command: Command) -> str:
        """Return why a disabled command is disabled, in a few words; empty if unknown."""
        home = self.home(command)
        return tr("Only in {view}", view=home) if home else command.needs


def _inspector(kind: AnyKind, extensions: Iterable[Extension[Any]]) -> QWidget:
    """Return the inspector of the first extension, the kind's, with the parts that abilities bring."""
    found: QWidget | None = None
    for part in (each.inspector for each in extensions if each.inspector is not None):
        if isinstance(found, FactsPanel):
            found.insert(part)
        else:
            found = part
    return found or _summary(kind).widget


def _summary(kind: AnyKind) -> View:
    """Return a view for a kind without one of its own: a sentence."""
    label = wrapping(kind.summary)
    label.setMargin(MARGIN)
    label.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
    return View("summary", kind.title, label, lambda: None, lambda: None, lambda _factor: None)


class StatusBar(QStatusBar):
    """The place of the mouse, the selection, figures, and the zoom."""

    def __init__(self) -> None:
        super().__init__()
        self._place, self.zoom = Reading(), QLabel()
        self.selected, self.numbers = ElidedLabel(), ElidedLabel(grows=False)
        self.zoom.setMinimumWidth(56)
        self.zoom.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.setContentsMargins(MARGIN, 0, MARGIN, 0)
        self.setSizeGripEnabled(False)
        self.addWidget(self._place)
        self.addWidget(self.selected, 1)
        self.addPermanentWidget(self.numbers)
        self.addPermanentWidget(self.zoom)

    def show_place(self, place: QPointF | None) -> None:
        """Show a place on the drawing."""
        self._place.text = "" if place is None else tr("x {x:.1f}  y {y:.1f} mm", x=place.x(), y=place.y())


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


def _kind_extension(session: Session) -> Extension[Any]:
    """Return the extension of the session's kind, `EXTENSION` in its module `extension`; without it moves are typed."""
    module = registry.own_module(session.kind.key, "studio.ui.kinds", "extension")
    if module is not None:
        made: Extension[Any] = module.EXTENSION(session)
        return made
    return Extension(session) if session.games is None else _typed_moves(session, session.games)
