"""The calendar's views, table, inspector and actions, put together for one window."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication

from studio.base.amounts import many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import in_millimetres
from studio.checks.finding import Finding, Severity, errors_of
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import RECTANGLE, CalendarDesign, orientations, placements, title_of
from studio.puzzles.calendar.questions import date_cells
from studio.ui.kinds.calendar.edit_view import EditPage
from studio.ui.kinds.calendar.play import PlayPage
from studio.ui.kinds.calendar.scene import tint
from studio.ui.kinds.calendar.set_search_view import SearchPage
from studio.ui.kinds.calendar.solutions import SolutionsPage
from studio.ui.kinds.calendar.views import BaseCalendarExtension, CalendarPage, CanvasPage, DateBar, is_same_puzzle
from studio.ui.kinds.calendar.year import YearPage
from studio.ui.panels.inspector_pages import FactsPage, FactsPanel
from studio.ui.session.actions import Command
from studio.ui.session.extension import View
from studio.ui.session.jobs import Throttle
from studio.ui.session.session import Session
from studio.ui.session.writing import save_leaflet, usual_paper
from studio.ui.widgets.controls import ElidedLabel
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.tables import CellLook, Column, TiedTable
from studio.ui.widgets.theme import GAP, MARGIN

if TYPE_CHECKING:
    from studio.paper.leaflet import Leaflet
    from studio.puzzles.calendar.geometry import Sight
    from studio.ui.solid.page import SolidsPage


class SpacePage(CalendarPage):
    """Tray and pieces as they are printed, and the solutions of the date to page through."""

    name = "space"
    title = tr("3-D")
    hint = tr(
        "Select the date above; page through its solutions below. The slider raises the pieces out of the tray. Drag "
        "to turn the view, wheel to zoom."
    )

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__(desk)
        self.solids: SolidsPage | None = None
        self.number = 0
        """Number of the solution in sight, from 0."""
        self.date_bar, self.result = DateBar(desk.date), ElidedLabel(wraps=True)
        self.result.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        above = row(self.date_bar, (self.result, 1), gap=2 * GAP, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        self._column = column(above, of=self, gap=0)
        desk.answers.changed.connect(self._follow_answer)
        desk.answers.reworded.connect(self._say)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the page of solids when first shown."""
        super().showEvent(event)
        if self.solids is None:
            from studio.puzzles.calendar.geometry import seen
            from studio.ui.solid.page import SolidsPage

            self.solids = SolidsPage(self.desk.session, seen, sight=self._sight)
            self.solids.panel.turned.connect(self.turn)
            self._column.addWidget(self.solids, 1)
            self.setFocusProxy(self.solids)
        self._follow_answer()

    # Called by the window

    @property
    def status_text(self) -> str:
        """The date, and how many solutions it has."""
        return self.desk.answers.progress_text

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Show another design; the bodies from before stay until its own are made."""
        self._ask(settled=settled)

    def finish(self) -> None:
        """Wait for the solutions and the bodies; for pictures."""
        self.desk.answers.finish()
        if self.solids is not None:
            self._ask()
            self.solids.finish()

    def fit(self) -> None:
        """Show all of it."""
        if self.solids is not None:
            self.solids.panel.view.fit()

    def zoom_by(self, factor: float) -> None:
        """Zoom about the middle."""
        if self.solids is not None:
            self.solids.panel.view.zoom_by(factor)

    # Display

    def turn(self, by: int) -> None:
        """Show the next solution, or the one before; beyond the last comes the first."""
        answer = self.desk.answers.answer
        if answer is not None and len(answer):
            self.number = (self.number + by) % len(answer)
            self._ask()

    def _follow_answer(self) -> None:
        self.number = 0
        self._say()
        self._ask()

    def _say(self) -> None:
        self.result.setText(self.desk.answers.progress_text)

    def _ask(self, *, settled: bool = True) -> None:
        """Ask for the bodies; while the date is being solved, the former bodies stay."""
        answers = self.desk.answers
        if self.solids is None or (answers.answer is None and not answers.problem and self.solids.is_showing):
            return
        self.solids.ask(settled=settled)
        answer = answers.answer
        complete = answer is None or answer.solutions.complete
        self.solids.panel.show_place(self.number, 0 if answer is None else len(answer), complete=complete)

    def _sight(self) -> Sight:
        """The shapes, with the pieces placed as in the solution."""
        from studio.puzzles.calendar.geometry import Sight

        shapes, answers = self.desk.shapes, self.desk.answers
        answer, asked = answers.answer, answers.question
        if answer is None or asked is None or not is_same_puzzle(asked.design, shapes.design) or not len(answer):
            return Sight(shapes)
        lying = answer.lying(min(self.number, len(answer) - 1))
        return Sight(shapes, tuple(lying[piece] for piece in range(len(lying))))


class CalendarInspector(FactsPanel):
    """One page for all; without a selection it describes the whole puzzle."""

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__()
        self._desk = desk
        self._facts = self.add(FactsPage())
        self.hints = "", "", ""
        """The help for a selected piece, for a selected cell, and without a selection."""
        desk.selection.changed.connect(self.follow)

    def describe(self) -> FactsPage:
        """Show the selected piece or cell, or the whole puzzle."""
        design, selection, page = self._desk.design, self._desk.selection, self._facts
        piece, cell = selection.piece, selection.cell
        of_piece, of_cell, hint = self.hints
        if piece is not None and piece < len(design.set):
            chosen, hint = design.set[piece], of_piece
            title = tr("Piece {name}", name=chosen.name)
            page.show_facts(title, piece_facts(design, piece), partial(tint, chosen.colour))
        elif cell is not None and cell in design.layout.indices:
            hint = of_cell
            page.show_facts(tr("Cell {cell}", cell=cell), cell_facts(design, cell))
        else:
            page.show_facts(tr("Whole puzzle"), puzzle_facts(design))
        page.hint.setText(hint)
        return page


def piece_facts(design: CalendarDesign, number: int) -> dict[str, str]:
    """The facts of a piece."""
    piece, flips = design.set[number], design.parameters.reflections
    return {
        tr("Squares"): str(piece.area),
        tr("Colour"): title_of(piece.colour),
        tr("Orientations"): str(len(orientations(piece.mask, reflections=flips))),
        tr("Placements"): thousands(len(placements(design.layout, piece, flips))),
    }


def cell_facts(design: CalendarDesign, name: str) -> dict[str, str]:
    """The facts of a cell."""
    label = design.layout.on.get(name)
    if label is None:
        return {tr("Label"): tr("none (always covered)")}
    return {tr("Label"): label.text, tr("Group"): label.group, tr("Number"): str(label.value)}


def puzzle_facts(design: CalendarDesign) -> dict[str, str]:
    """The facts of board and pieces together."""
    cells, groups = len(design.layout.names), design.layout.groups
    left = cells - design.area
    facts = {
        tr("Cells"): str(cells),
        tr("Groups"): ", ".join(f"{group} ({len(labels)})" for group, labels in groups.items()) or tr("none"),
        tr("Pieces"): tr("{count} ({squares})", count=len(design.set), squares=many(design.area, "square")),
        tr("Uncovered cells"): tr("{count}, one per group", count=left)
        if left == len(groups)
        else tr("{count}, for {groups}", count=left, groups=many(len(groups), "group")),
        tr("Flipping"): tr("allowed") if design.parameters.reflections else tr("not allowed"),
    }
    if left < 0:
        facts[tr("Uncovered cells")] = tr("none: {squares} over", squares=many(-left, "square"))
    return facts


TITLE = tr("Booklet with options")


def ask_for_booklet(session: Session, findings: tuple[Finding, ...] = ()) -> None:
    """Ask for options and a file name, and write the booklet in the background; not for a design with errors."""
    from studio.puzzles.calendar.booklet import BookletOptions, booklet
    from studio.ui.panels.making_choice import ask_for_options

    if errors := errors_of(findings):
        sentence = tr("Fix the errors before saving the booklet. First error: {message}", message=errors[0].message)
        session.notices.post(sentence, Severity.WARNING)
        return
    design: CalendarDesign = session.document.design
    options = ask_for_options(session, TITLE, BookletOptions(paper=usual_paper().paper), "booklet")
    if options is None:
        return
    title = session.document.title

    def lay_out(size: tuple[float, float], progress: Progress) -> Leaflet:
        with in_millimetres():
            return booklet(design, title, size, options, progress)

    save_leaflet(session, TITLE, tr("{puzzle}, booklet", puzzle=title), lay_out, options.paper)


PAGES: tuple[type[CalendarPage], ...] = (SolutionsPage, PlayPage, YearPage, SearchPage, EditPage, SpacePage)
"""The views in the order of the tool strip; the laser drawing comes before the last."""
MENUS = ("&Board", "&Piece", "&Solutions")
"""The menus in their order in the menu bar, whichever view they belong to."""


class CalendarExtension(BaseCalendarExtension):
    """The calendar puzzle in the window."""

    context_menus = ("&Piece",)
    mouse = tr(
        "Wheel: zoom at the mouse. Middle-drag or Space+drag: pan. Click selects a label or a piece. In Play, drag "
        "pieces; arrow keys select or move one, Enter picks it up or places it, Esc puts it back."
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        canvas, flat = session.canvas, session.canvas.view
        self.pages = [make(self) for make in PAGES]
        self._seen: CalendarPage | None = self.pages[0]
        self.views = [
            View(page.name, page.title, page, partial(self._choose, page), page.fit, page.zoom_by, page.finish,
                 page.seek if page.plays else None)
            for page in self.pages
        ]  # fmt: skip
        drawing = View("drawing", tr("Drawing"), canvas, partial(self._choose, None), flat.fit, flat.zoom_by)
        self.views.insert(-1, drawing)
        chosen = self.selection
        known = lambda name, piece: piece_facts(self.design, piece)[name]  # noqa: E731
        columns: list[Column[int]] = [
            Column(tr("Piece"), lambda piece: self.design.set[piece].name),
            Column(tr("Colour"), partial(known, tr("Colour"))),
            Column(tr("Squares"), partial(known, tr("Squares")), CellLook.NUMBER),
            Column(tr("Orientations"), partial(known, tr("Orientations")), CellLook.NUMBER,
                   help=tr("Rotations and, if allowed, reflections; identical ones count once.")),
            Column(tr("Placements"), partial(known, tr("Placements")), CellLook.NUMBER,
                   help=tr("Number of ways to place it on the empty board.")),
        ]  # fmt: skip
        self.table = TiedTable(tr("Pieces"), columns, lambda: chosen.pieces, chosen.select, chosen.changed)
        self.tables = [(tr("Pieces"), self.table)]
        self.tables += [table for page in self.pages for table in page.tables]
        self.inspector = self.panel = CalendarInspector(self)
        self._read = Throttle(self._report_all, self)
        today = Command("today", tr("Today"), "&Solutions", self.date.choose_today, ("T",), "",
                        tr("Select today's date"), on_canvas=True)  # fmt: skip
        commands = [replace(command, view=page.name) for page in self.pages for command in page.commands] + [today]
        write = partial(session.writing.when_checked, partial(ask_for_booklet, session))
        booklet = Command("booklet", f"{TITLE}…", "&File", write, (), "",
                          tr("Choose the hints and solutions of the booklet"))  # fmt: skip
        self.commands = [*sorted(commands, key=lambda command: MENUS.index(command.menu)), booklet]
        self.selection.changed.connect(self.changed)
        session.pipeline.shapes_changed.connect(self.show_shapes)
        for page in self.pages:
            page.reworded.connect(self.changed)
            if isinstance(page, CanvasPage):
                page.tool.menu_wanted.connect(self.menu_wanted)

    # Called by the window

    @property
    def status_text(self) -> str:
        """The state of the view and the selection."""
        said = self._seen.status_text if self._seen is not None else ""
        piece, design = self.selection.piece, self.design
        if piece is not None and piece < len(design.set):
            return " · ".join(filter(None, (tr("Piece {name} selected", name=design.set[piece].name), said)))
        return said

    def possible(self) -> dict[str, bool]:
        """The enabled commands of all pages."""
        able = {"today": self._seen is not None}
        for page in self.pages:
            able |= page.possible()
        return able

    def show_shapes(self, shapes: CalendarShapes, settled: bool) -> None:
        """Follow the shapes; tables and numbers at a pace that can be read."""
        design = shapes.design
        self.counting.show_design(design, settled=settled)
        if not settled and self._seen is not None and self._seen.edits:
            self._seen.show_design(design, settled=False)
        else:
            self.date.show_board(design.layout, design.year)
            for page in self.pages:
                page.show_design(design, settled=settled)
            self.answers.show_design(design)
        self._read.follow(settled=settled)

    def show_finding(self, finding: Finding) -> None:
        """Select the piece that a finding is about, or mark its cells on the board; its date is chosen there."""
        if finding.pieces:
            self.selection.select(finding.pieces)
        labels = [self.design.layout.on[name] for name in finding.cells if name in self.design.layout.on]
        if [label.group for label in labels] == list(self.design.layout.groups):
            self.date.choose(*labels)
        for page in self.pages:
            page.mark(finding.cells)
        if finding.cells and not (self._seen is not None and self._seen.marks):
            # The keyboard focus stays in the list of findings.
            focus = QApplication.focusWidget()
            self.view_wanted.emit(SolutionsPage.name)
            if focus is not None:
                focus.setFocus()

    def describe(self, parameters: object) -> dict[str, str]:
        """Notes below fields: whether board or pieces are custom, and a year that changes nothing."""
        design = self.design
        said = {}
        if design.board is not None and design.pieces is not None:
            said[tr("Board")] = tr("Custom board and pieces; choosing another board replaces them.")
        elif design.board is not None:
            said[tr("Board")] = tr("Custom board; choosing another one replaces it.")
        elif design.pieces is not None:
            said[tr("Board")] = tr("Custom pieces; choosing another board replaces them.")
        if design.parameters.outline != RECTANGLE:
            said[tr("Outer radius")] = tr("No effect: only a rectangular frame has outer corners.")
        if design.year != design.parameters.year:
            said[tr("Year")] = tr("No effect: this board has no months and days.")
        return said

    def pause(self) -> None:
        """Pause the players of all pages."""
        for page in self.pages:
            page.pause()

    def show_date(self, text: str) -> None:
        """Show a date, written `10-06` or `10-06-tue`; raises StudioError if the board does not have it."""
        names = date_cells(self.design, text)
        self.date.choose(*(label for label in self.design.layout.labels if label.name in names))

    # Display

    def _choose(self, page: CalendarPage | None) -> None:
        self._seen = page
        self.panel.hints = (page.piece_hint, page.cell_hint, page.hint) if page is not None else ("", "", "")
        self.panel.follow()
        if page is not None:
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selection.changed.emit()

    def _report_all(self) -> None:
        self.panel.follow()
        self.table.elements.show_elements(list(range(len(self.design.set))))
        if self.selection.piece is not None and self.selection.piece >= len(self.design.set):
            self.selection.select()
        self.selection.changed.emit()


EXTENSION = CalendarExtension
