"""The window: the puzzle in the middle, the form at its left, the inspector at its right, tables in a drawer below."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, assert_never

from PySide6.QtCore import QByteArray, QPoint, QPointF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QCloseEvent, QDragEnterEvent, QDropEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QApplication,
    QDockWidget,
    QLabel,
    QMainWindow,
    QMenu,
    QMessageBox,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QToolButton,
    QUndoView,
    QWidget,
)

from studio import __version__
from studio.amounts import duration, many
from studio.checks.finding import Finding, Severity
from studio.errors import StudioError
from studio.files.store import SUFFIX
from studio.geometry.curves import Ints
from studio.geometry.shapes import Shapes
from studio.progress import Progress
from studio.puzzles.registry import KINDS
from studio.ui.canvas.canvas import Canvas
from studio.ui.kinds.parts import View, parts_for
from studio.ui.layout import column, holding
from studio.ui.panels.findings import FindingsPanel
from studio.ui.panels.form import ParameterForm
from studio.ui.planning import Planning
from studio.ui.session.document import Document
from studio.ui.session.jobs import Jobs
from studio.ui.session.pace import Pace
from studio.ui.session.pipeline import CHECKING, Pipeline
from studio.ui.shell.actions import Actions, Command
from studio.ui.shell.filing import DesktopDialogs, Dialogs, Filing
from studio.ui.shell.notices import NoticeBar
from studio.ui.shell.preferences import Preferences, ThemeChoice
from studio.ui.theme import MARGIN, Theme, ToolStrip, apply, current_theme, dark_theme, light_theme, system_theme

if TYPE_CHECKING:
    from studio.fabricate.workshop import Machine, Named

FIRST_SIZE = QSize(1280, 800)
WORKSHOP_MS = 200
"""When, after the window has come up, its machine is looked up."""
USUAL_SPEED = 15.0
"""What a hobby laser cuts 3 mm plywood with, in mm/s, until the machine is known."""
LEAST_SIZE = QSize(760, 520)
"""In a smaller window neither the board nor the cut plan can be read."""
FORM_WIDTH, INSPECTOR_WIDTH, DRAWER_HEIGHT = 288, 228, 176
MENUS = (
    "&File", "&Edit", "&Board", "&Tongue", "&Piece", "E&dge", "&Cube", "&Solutions", "&View", "Fi&ndings", "&Help",
)  # fmt: skip


def theme_for(choice: ThemeChoice) -> Theme:
    """The theme that a choice stands for now."""
    match choice:
        case ThemeChoice.LIGHT:
            return light_theme()
        case ThemeChoice.DARK:
            return dark_theme()
        case ThemeChoice.SYSTEM:
            return system_theme()
        case _:
            assert_never(choice)


class Reading(QWidget):
    """A label of a fixed width for a text that changes with every move of the mouse: it asks for no new layout."""

    WIDEST = "x 10000.0  y 10000.0 mm"

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setFixedWidth(self.fontMetrics().horizontalAdvance(self.WIDEST))
        self.setAutoFillBackground(True)

    def setText(self, text: str) -> None:
        """Show another text."""
        self._text = text
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).drawText(self.rect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self._text)


class Window(QMainWindow):
    """One document, seen and worked on."""

    outgrown = Signal(object, object)
    """A design of another kind is to be opened, for which this window is not made: brings a Saved and its path."""
    begun = Signal(object)
    """A new design of another kind is wanted: brings the kind."""

    def __init__(
        self,
        document: Document,
        preferences: Preferences,
        dialogs: Dialogs | None = None,
    ) -> None:
        super().__init__()
        self.document = document
        self.preferences = preferences
        self.jobs = Jobs(self)
        self.notices = NoticeBar()
        self.canvas = Canvas()
        self.pipeline = Pipeline(document, self.jobs, self)
        self.parts = parts_for(document.kind, document, self.canvas, self.jobs, self.notices)
        self.filing = Filing(document, preferences, self.notices, self.jobs, dialogs or DesktopDialogs(self))
        self.form = ParameterForm(
            document.design.parameters, describe=self.parts.describe, linked=self.parts.linked, offers=self.parts.offers
        )  # fmt: skip
        self.findings = FindingsPanel()
        self.planning = Planning(self.canvas, self.jobs)
        self._listed = Pace(self.findings.show_findings, self)
        self.actions_ = Actions(self)
        self._machine: Named[Machine] | None = None
        self._tinted: tuple[Ints, Ints] | None = None
        self._waiting: Callable[[Shapes, tuple[Finding, ...], QWidget], None] | None = None
        self.setAcceptDrops(True)
        self.setDockOptions(QMainWindow.DockOption.AnimatedDocks | QMainWindow.DockOption.AllowTabbedDocks)
        self._lay_out()
        self._act()
        self._listen()
        self.setMinimumSize(LEAST_SIZE)
        self.resize(FIRST_SIZE)
        self._first_layout = self.saveState()
        self._restore_layout()
        self._rename()
        self.pipeline.start()

    # What is where

    def _lay_out(self) -> None:
        self.middle = QStackedWidget()
        canvas = View("board", "Board", self.canvas, lambda: None, self.canvas.view.fit, self.canvas.view.zoom_by)
        self._views = self.parts.views or [canvas]
        self._seen = self._views[0]
        for each in self._views:
            if self.middle.indexOf(each.widget) < 0:
                self.middle.addWidget(each.widget)
        self.setCentralWidget(holding(column(self.notices, (self.middle, 1), gap=0)))
        self._docks = [
            self._dock("Design", self.form, Qt.DockWidgetArea.LeftDockWidgetArea),
            self._dock("Inspector", self.parts.inspector, Qt.DockWidgetArea.RightDockWidgetArea),
        ]
        self.drawer = QTabWidget()
        self.drawer.setDocumentMode(True)
        self.drawer.setAccessibleName("Lists")
        self.drawer.addTab(self.findings, "Findings")
        for title, table in self.parts.tables:
            self.drawer.addTab(table, title)
        self.drawer.addTab(self.planning, "Cut plan")
        self.history = QUndoView(self.document.history)
        self.history.setEmptyLabel("As it was opened")
        self.history.setAccessibleName("History")
        self.drawer.addTab(self.history, "History")
        self._docks.append(self._dock("Lists", self.drawer, Qt.DockWidgetArea.BottomDockWidgetArea))
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        self.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        self.resizeDocks(self._docks[:2], [FORM_WIDTH, INSPECTOR_WIDTH], Qt.Orientation.Horizontal)
        self.resizeDocks(self._docks[2:], [DRAWER_HEIGHT], Qt.Orientation.Vertical)
        self._place, self._selected, self._numbers, self._zoom = Reading(), QLabel(), QLabel(), QLabel()
        self._zoom.setMinimumWidth(56)
        self._zoom.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        bar = self.statusBar()
        bar.setContentsMargins(MARGIN, 0, MARGIN, 0)
        bar.setSizeGripEnabled(False)
        bar.addWidget(self._place)
        bar.addWidget(self._selected, 1)
        bar.addPermanentWidget(self._numbers)
        bar.addPermanentWidget(self._zoom)

    def _dock(self, title: str, widget: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
        dock = QDockWidget(title, self)
        dock.setObjectName(title)
        dock.setWidget(widget)
        self.addDockWidget(area, dock)
        return dock

    # What can be done

    def _act(self) -> None:
        add = self.actions_.add
        kind = self.document.kind
        view = self.canvas.view
        others = [each for each in KINDS if each is not kind]
        several, is_printed = bool(self.parts.views), self.pipeline.shapes.is_printed
        add([
            Command("new", f"New {kind.title.lower()}", "File", lambda: self.filing.new(kind), ("Ctrl+N",), "new"),
            *(Command(f"new_{each.key}", f"New {each.title.lower()}", "New", partial(self.filing.new, each))
              for each in others),
            Command("open", "Open…", "File", lambda: self.filing.open(), ("Ctrl+O",), "open"),
            Command("save", "Save", "File", lambda: self.filing.save(), ("Ctrl+S",), "save"),
            Command("save_as", "Save as…", "File", lambda: self.filing.save_as(), ("Ctrl+Shift+S",)),
            Command("export", "Export for the laser…" if is_printed else "Export…", "File", self._export,
                  ("Ctrl+Shift+E",), "export",
                  "Write a file for the laser cutter"),
            Command("export_again", "Export again", "File", self._export_again, ("Ctrl+E",), "",
                  "Write the last file again with the same options"),
            *([Command("print", "Export for the printer…", "File", self._export_solids, (), "",
                       "Write the pieces as solids, in 3MF or STL")] if is_printed else []),
            *([Command("gap_coupon", "Fit coupon for the printer…", "File", self._gap_coupon, (), "",
                       "Find out by one small plate which gap your printer needs")] if kind.joints else []),
            *([Command("leaflet", f"{kind.leaflet.title}…", "File", self._leaflet, (), "",
                       "Write the paper that goes with the puzzle, as PDF or SVG")] if kind.leaflet else []),
            *([Command("coupon", "Fit coupon for the laser…" if is_printed else "Fit coupon…", "File",
                       lambda: self.filing.coupon(self.pipeline.shapes, self), (), "",
                       "Find out by one small sheet how wide a line your machine burns")] if kind.joint else []),
            Command("workshop", "Machines and materials…", "File", lambda: self.filing.workshop(self), (), "",
                  "Say what your machine can do and what you cut"),
            Command("quit", "Quit", "File", self.close, ("Ctrl+Q",)),
            Command("undo", "Undo", "Edit", self.document.history.undo, ("Ctrl+Z",), "undo"),
            Command("redo", "Redo", "Edit", self.document.history.redo, ("Ctrl+Shift+Z", "Ctrl+Y"), "redo"),
            *self.parts.commands,
            Command("fit", "Show all of it" if several else "Whole board", "View", lambda: self._seen.fit(),
                    ("Ctrl+0",) if several else ("Ctrl+0", "5"), "fit"),
            Command("zoom_in", "Zoom in", "View", lambda: self._seen.zoom_by(1.25), ("Ctrl+=", "Ctrl++"), "zoom-in"),
            Command("zoom_out", "Zoom out", "View", lambda: self._seen.zoom_by(0.8), ("Ctrl+-",), "zoom-out"),
            Command("true_size", "True size", "View", self._true_size, ("1",), "", "One mm on the screen is one mm"),
            Command("draft", "Draft", "View", self._show_draft, ("D",), "draft",
                  "Show corners and straight edges over the curves", is_switch=True),
            Command("fill", "Fill pieces", "View", self._show_fill, ("C",), "fill",
                  "Fill the pieces with quiet colours, so that the eye can check their shapes", is_switch=True),
            Command("next_finding", "Next finding", "Findings", lambda: self._step_finding(1), ("F8",)),
            Command("previous_finding", "Previous finding", "Findings", lambda: self._step_finding(-1), ("Shift+F8",)),
            Command("shortcuts", "Keys", "Help", self._show_keys, ("F1",)),
            Command("about", "About Puzzle Studio", "Help", self._show_about),
        ])  # fmt: skip
        for name in ("fit", "true_size", "draft", "fill"):
            self.actions_[name].setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.actions_["fit"].setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        view.addActions([self.actions_[name] for name in ("true_size", "draft", "fill")])
        own = [self.actions_[command.name] for command in self.parts.commands if command.on_canvas]
        for widget in {each.widget for each in self._views if each.widget is not self.canvas} or {view}:
            widget.addActions(own)
        self._make_switch()
        on_tables = [self.actions_[each.name] for each in self.parts.commands if each.menu not in ("Edit", "View")]
        for _title, table in self.parts.tables:
            table.addActions(on_tables)
        self._make_menus()
        self._make_strip()

    def _make_switch(self) -> None:
        """Actions by which the middle shows another view, for a kind that has several."""
        self._switch = QActionGroup(self)
        for number, view in enumerate(self.parts.views, 1):
            (action,) = self.actions_.add([
                Command(f"view_{view.name}", view.title, "View", partial(self._switched, view), (f"Ctrl+{number}",),
                        is_switch=True)
            ])  # fmt: skip
            self._switch.addAction(action)

    def show_view(self, name: str) -> None:
        """Show one of the kind's views in the middle."""
        self.actions_[f"view_{name}"].setChecked(True)

    def _show_canvas(self) -> None:
        """Bring the canvas in sight, for a kind that is also seen otherwise: there the sheet is cut."""
        for view in self.parts.views:
            if view.widget is self.canvas:
                self.show_view(view.name)

    def _switched(self, view: View, on: bool) -> None:
        if on:
            self._seen = view
            self.middle.setCurrentWidget(view.widget)
            view.choose()
            flat = view.widget is self.canvas
            self._zoom.setVisible(flat)
            for name in ("true_size", "draft", "fill"):
                self.actions_[name].setEnabled(flat)

    def _make_menus(self) -> None:
        bar = self.menuBar()
        fresh = QMenu("New", self)
        fresh.addActions([self.actions_["new"], *self.actions_.of_menu("New")])
        self._recent = QMenu("Open recent", self)
        self._recent.aboutToShow.connect(self._list_recent)
        for marked in MENUS:
            title = marked.replace("&", "")
            if not self.actions_.of_menu(title):
                continue
            menu = bar.addMenu(marked)
            menu.addActions(self.actions_.of_menu(title))
            if title == "File":
                menu.insertMenu(self.actions_["open"], fresh)
                menu.removeAction(self.actions_["new"])
                menu.insertMenu(self.actions_["save"], self._recent)
                for name in ("save", "export", "quit"):
                    menu.insertSeparator(self.actions_[name])
            if title == "View":
                if self._switch.actions():
                    menu.insertSeparator(self._switch.actions()[0])
                menu.addSeparator()
                menu.addMenu(self._theme_menu())
                menu.addSeparator()
                for dock in self._docks:
                    menu.addAction(dock.toggleViewAction())
                reset = self.actions_.add([Command("reset_layout", "Reset layout", "", self.reset_layout)])
                menu.addActions(reset)

    def _theme_menu(self) -> QMenu:
        menu = QMenu("Theme", self)
        group = QActionGroup(menu)
        words = {ThemeChoice.SYSTEM: "As the desktop", ThemeChoice.LIGHT: "Light", ThemeChoice.DARK: "Dark"}
        for choice, title in words.items():
            action = menu.addAction(title, partial(self.choose_theme, choice))
            action.setCheckable(True)
            action.setChecked(choice is self.preferences.theme_choice())
            group.addAction(action)
        return menu

    def _make_strip(self) -> None:
        strip = ToolStrip("Tools", self)
        strip.setObjectName("Tools")
        strip.setMovable(False)
        strip.setIconSize(QSize(20, 20))
        groups = (("new", "open", "save"), ("undo", "redo"), ("flip", "plain", "roll", "lock", "reset"),
                  ("draft", "fill"), ("zoom_out", "zoom_in", "fit"))  # fmt: skip
        for number, group in enumerate(groups):
            there = [self.actions_[name] for name in group if name in self.actions_]
            if number and there:
                strip.addSeparator()
            strip.addActions(there)
        if self._switch.actions():
            strip.addSeparator()
            strip.addActions(self._switch.actions())
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        strip.addWidget(room)
        button = QToolButton()
        if self.pipeline.shapes.is_printed:
            # One press must not decide between laser and printer: whoever prints would get lines to cut.
            export = self.actions_["export"]
            button.setIcon(export.icon())
            button.setText("Export")
            button.setToolTip("Write files for the laser cutter or for the printer")
            button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
            choices = QMenu(button)
            choices.addActions([self.actions_["print"], self.actions_["export"]])
            button.setMenu(choices)
        else:
            button.setDefaultAction(self.actions_["export"])
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        strip.addWidget(button)
        self.addToolBar(strip)

    # Who hears whom

    def _listen(self) -> None:
        document, pipeline, view = self.document, self.pipeline, self.canvas.view
        pipeline.reshaped.connect(self._show_shapes)
        pipeline.reshaped.connect(self.planning.show_shapes)
        pipeline.checked.connect(self._show_findings)
        pipeline.told.connect(self.findings.show_progress)
        self.planning.prefer(self.preferences.making_values().get("strategy", ""))
        self.planning.chosen.connect(self._use_strategy)
        self.filing.machine_used.connect(self._use_machine)
        # The first sight of the window need not wait for the workshop's files.
        QTimer.singleShot(WORKSHOP_MS, self, self._use_machine)
        self.planning.opened.connect(self._use_machine)
        self.planning.appeared.connect(self._show_canvas)
        document.settled.connect(lambda design: self.form.set_parameters(design.parameters))
        document.replaced.connect(lambda: self.form.set_parameters(document.design.parameters))
        document.replaced.connect(view.fit)
        document.renamed.connect(self._rename)
        # Methods, not lambdas: Qt lets go of a method when its window is gone, and the history outlives the window.
        document.history.cleanChanged.connect(self._rename)
        document.history.canUndoChanged.connect(self._name_history)
        document.history.canRedoChanged.connect(self._name_history)
        document.history.undoTextChanged.connect(self._name_history)
        document.history.redoTextChanged.connect(self._name_history)
        self._name_history()
        self.form.previewed.connect(self._preview_parameters)
        self.form.edited.connect(self._edit_parameters)
        self.findings.chosen.connect(self.canvas.show_finding)
        self.findings.chosen.connect(self.parts.show_finding)
        self.findings.repaired.connect(self._repair)
        self.findings.counted.connect(lambda words: self.drawer.setTabText(0, words))
        view.pointed.connect(self._show_place)
        view.zoomed.connect(lambda zoom: self._zoom.setText(f"{zoom / self._true_zoom():.0%}"))
        self.parts.selection.changed.connect(self._show_selection)
        self.parts.tool.menu_wanted.connect(self._show_menu)
        self.parts.refused.connect(self._warn)
        self.parts.view_wanted.connect(self.show_view)
        self.filing.other_kind.connect(self.outgrown)
        self.filing.begun.connect(self.begun)
        self._show_selection()
        self._show_place(None)
        if self.parts.views:
            self.show_view(self.parts.views[0].name)

    def _show_shapes(self, shapes: Shapes, settled: bool) -> None:
        self.canvas.show_shapes(shapes, settled)
        if self.canvas.drawing.is_filled:
            self._tint(shapes)
        self.parts.show_shapes(shapes, settled)
        if settled:
            self._summarise()

    def _show_findings(self, findings: tuple[Finding, ...] | None) -> None:
        if findings is not None and self._waiting is not None and not self.canvas.view.is_dragging:
            QTimer.singleShot(0, self, self._go_on)
        self.canvas.show_findings(findings)
        self.findings.verdict = self.pipeline.verdict
        if self.canvas.view.is_dragging:
            self._listed.ask(findings)
        else:
            self._listed.now(findings)
            self.planning.show_findings(findings)

    def _show_place(self, place: QPointF | None) -> None:
        self._place.setText("" if place is None else f"x {place.x():.1f}  y {place.y():.1f} mm")

    def _show_selection(self) -> None:
        self._selected.setText(self.parts.words)
        for name, can in self.parts.possible().items():
            self.actions_[name].setEnabled(can)

    def _rename(self, _clean: bool = False) -> None:
        self.setWindowFilePath(str(self.document.path or ""))
        self.setWindowTitle(f"{self.document.title}[*] — Puzzle Studio")
        self.setWindowModified(self.document.is_modified)

    def _name_history(self, _what: object = None) -> None:
        history = self.document.history
        for name, text, can in (
            ("undo", history.undoText(), history.canUndo()),
            ("redo", history.redoText(), history.canRedo()),
        ):
            self.actions_[name].setText(f"{name.capitalize()} {text}".strip())
            self.actions_[name].setEnabled(can)

    # What is done

    def _preview_parameters(self, parameters: object) -> None:
        kind = self.document.kind
        self.document.preview(kind.generate(parameters, self.document.design, Progress()))

    def _edit_parameters(self, words: str, parameters: object, gesture: object) -> None:
        kind = self.document.kind
        design = kind.generate(parameters, self.document.design, Progress())
        self.document.edit(words, design, gesture=gesture)

    def _repair(self, finding: Finding) -> None:
        if finding.repair is not None:
            try:
                design = finding.repair.apply(self.document.design)
            except StudioError as problem:
                self._warn(str(problem))
            else:
                self.document.edit(finding.repair.title, design)

    def _step_finding(self, by: int) -> None:
        self.drawer.setCurrentWidget(self.findings)
        self.findings.step(by)

    def _export(self) -> None:
        self._when_checked(self.filing.export)

    def _export_solids(self) -> None:
        self._when_checked(self.filing.export_solids)

    def _leaflet(self) -> None:
        self._when_checked(self.filing.leaflet)

    def _gap_coupon(self) -> None:
        self.filing.gap_coupon(self)

    def _export_again(self) -> None:
        self._when_checked(self.filing.export_again)

    def _go_on(self) -> None:
        """Do what waited for the findings, once however often they came meanwhile."""
        if self._waiting is not None:
            self._when_checked(self._waiting)

    def _when_checked(self, deed: Callable[[Shapes, tuple[Finding, ...], QWidget], None]) -> None:
        """Do something with what is shown and its findings, as soon as these are known."""
        if self.pipeline.findings is not None:
            self._waiting = None
            deed(self.pipeline.shapes, self.pipeline.findings, self)
        else:
            self._waiting = deed
            self.notices.tell("The puzzle is being checked before it is exported.")

    def _use_machine(self) -> None:
        """Tell times of the machine that was chosen last, or of the usual one; while it is there."""
        from studio.fabricate.workshop import machine
        from studio.ui.panels.making_choice import USUAL_MACHINE

        with suppress(StudioError):
            named = machine(self.preferences.workshop_key("machine") or USUAL_MACHINE)
            if named != self._machine:
                self._machine = named
                self.planning.set_machine(named.title, named.value)
                self._summarise()

    def _summarise(self) -> None:
        """Say how many pieces there are, how much is cut, and how long about that takes."""
        drawing = self.pipeline.shapes.drawing
        speed = USUAL_SPEED if self._machine is None else self._machine.value.cut_speed
        minutes = drawing.cut_length / speed / 60
        time = duration(60 * round(minutes)) if minutes >= 1 else "less than a minute"
        self._numbers.setText(
            f"{many(len(drawing.pieces), 'piece')} · {drawing.cut_length / 1000:.2f} m of cut · about {time} at "
            f"{speed:g} mm/s"
        )

    def _use_strategy(self, _strategy: object) -> None:
        """Export in the order that was chosen in the cut plan, unless the dialog says otherwise."""
        plan = self.planning.plan
        if plan is None:
            return
        values = self.preferences.making_values()
        strategy = "usual" if self.planning.suits_best else plan.strategy.value
        if values.get("strategy", "usual") != strategy:
            self.preferences.set_making_values(values | {"strategy": strategy})

    def _show_draft(self, draft: bool) -> None:
        self.canvas.drawing.show_draft(draft)
        self.parts.show_draft(draft)
        self.preferences.set_switch("canvas/draft", draft)

    def _show_fill(self, filled: bool) -> None:
        self.canvas.drawing.is_filled = filled
        self._tint(self.pipeline.shapes, anew=True)
        self.preferences.set_switch("canvas/fill", filled)

    def _tint(self, shapes: Shapes, anew: bool = False) -> None:
        from studio.geometry.tints import tints

        codes = shapes.drawing.pieces.codes
        if self._tinted is None or self._tinted[0] is not codes:
            self._tinted = (codes, tints(shapes.drawing.pieces, len(current_theme().pieces)))
            anew = True
        if anew:
            self.canvas.drawing.show_fill(self.canvas.drawing.is_filled, self._tinted[1])

    def _true_zoom(self) -> float:
        """Pixels a mm at which the board is as large on the screen as on the bench."""
        return self.screen().physicalDotsPerInch() / 25.4

    def _true_size(self) -> None:
        self.canvas.view.zoom_to(self._true_zoom())

    def _warn(self, sentence: str) -> None:
        self.notices.tell(sentence, Severity.WARNING, passes=True)

    def _show_menu(self, place: QPoint) -> None:
        menu = QMenu(self)
        for each in ("Tongue", "Edge", "Piece"):
            menu.addActions(self.actions_.of_menu(each))
        menu.addSeparator()
        names = ("select_all", "fit", "draft", "fill")
        menu.addActions([self.actions_[name] for name in names if name in self.actions_])
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(place)

    def _list_recent(self) -> None:
        self._recent.clear()
        for path in self.preferences.recent_files():
            self._recent.addAction(path.name, partial(self.filing.open, path)).setStatusTip(str(path))
        self._recent.setEnabled(True)
        if self._recent.isEmpty():
            self._recent.addAction("No file yet").setEnabled(False)

    def _show_keys(self) -> None:
        cells = [f"<td>{words}&nbsp;&nbsp;</td><td>{keys}</td>" for _menu, words, keys in self.actions_.with_keys()]
        # Side by side, because a low screen has no room for all of them below each other.
        half = (len(cells) + 1) // 2
        gap = f"<td>{'&nbsp;' * 6}</td>"
        rows = (f"<tr>{left}{gap}{right}</tr>" for left, right in zip_longest(cells[:half], cells[half:], fillvalue=""))
        self._tell("Keys", f"<table>{''.join(rows)}</table><p>{self.parts.mouse}</p>")

    def _show_about(self) -> None:
        self._tell("About Puzzle Studio", f"<p><b>Puzzle Studio {__version__}</b></p><p>Design, check, cut.</p>")

    def _tell(self, title: str, text: str) -> None:
        box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, self)
        box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box.open()

    # How it looks

    def choose_theme(self, choice: ThemeChoice) -> None:
        """Apply a theme from now on."""
        self.preferences.set_theme_choice(choice)
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply(app, theme_for(choice), app.font())

    def show_switches(self) -> None:
        """Set the canvas's switches as they were left."""
        draft = self.preferences.switch("canvas/draft", True)
        self.actions_["draft"].setChecked(draft)
        if not draft:
            # The switch was made off and tells nobody that it stays so; the canvas begins with the draft.
            self._show_draft(False)
        self.actions_["fill"].setChecked(self.preferences.switch("canvas/fill", False))

    def finish(self) -> None:
        """Check and know everything here and now; for pictures."""
        self.pipeline.finish()
        self.parts.finish()

    def rest(self, share: float | None) -> None:
        """Work out what the view in sight still waits for, and show what it plays after a share of it; for pictures.

        A view that plays nothing shows the cut plan then.
        """
        if self._seen.finish is not None:
            self._seen.finish()
        if share is not None:
            (self._seen.seek or self.show_plan_at)(share)

    def show_plan_at(self, share: float) -> None:
        """Show the cut plan, and the sheet when so large a share of the cutting time has passed; for pictures."""
        self.drawer.setCurrentWidget(self.planning)
        self.planning.finish()
        player = self.planning.player
        if player is not None and player.playback is not None:
            player.seek(share * player.playback.seconds)
            player.rest()

    def reset_layout(self) -> None:
        """Put every panel back where it was at first sight."""
        self.preferences.forget_window_layout()
        self.restoreState(self._first_layout)

    def _restore_layout(self) -> None:
        layout = self.preferences.window_layout()
        if layout is not None:
            geometry, state = layout
            self.restoreGeometry(geometry)
            self.restoreState(QByteArray(state))

    # What comes from outside

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() and url.toLocalFile().endswith(SUFFIX) for url in event.mimeData().urls()):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.filing.open(paths[0])

    def closeEvent(self, event: QCloseEvent) -> None:
        if self.filing.is_writing:
            self.notices.tell("A file is still being written; close the window when it is done.", Severity.WARNING)
            event.ignore()
            return
        if not self.filing.may_close():
            event.ignore()
            return
        self.preferences.set_window_layout(self.saveGeometry(), self.saveState())
        self.preferences.save()
        self.jobs.cancel(CHECKING)
        self.jobs.close()
        # A history that is cleared away still tells of it, and the window may be gone by then.
        self.document.history.blockSignals(True)
        event.accept()
