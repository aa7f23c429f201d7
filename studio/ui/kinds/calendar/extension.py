"""The calendar's views, table, inspector and actions, put together for one window."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import RECTANGLE, CalendarDesign
from studio.puzzles.calendar.questions import date_cells
from studio.ui.kinds.calendar.answers import Answers
from studio.ui.kinds.calendar.booklet import Booking
from studio.ui.kinds.calendar.dates import ChosenDate
from studio.ui.kinds.calendar.edit_view import EditPage
from studio.ui.kinds.calendar.inspector import CalendarInspector, piece_facts
from studio.ui.kinds.calendar.play import PlayPage
from studio.ui.kinds.calendar.selection import CalendarSelection
from studio.ui.kinds.calendar.set_search_view import SearchPage
from studio.ui.kinds.calendar.solutions import SolutionsPage
from studio.ui.kinds.calendar.space import SpacePage
from studio.ui.kinds.calendar.views import CalendarPage, CanvasPage, Desk
from studio.ui.kinds.calendar.year import YearPage
from studio.ui.kinds.calendar.year_counts import Counting
from studio.ui.panels.tables import CellLook, Column, TiedTable
from studio.ui.session.commands import Command
from studio.ui.session.extension import Extension, View
from studio.ui.session.session import Session
from studio.ui.session.throttle import Pace

PAGES: tuple[type[CalendarPage], ...] = (SolutionsPage, PlayPage, YearPage, SearchPage, EditPage)
"""The views in the order of the tool strip; the laser drawing and the view in space follow them."""
MENUS = ("&Board", "&Piece", "&Solutions")
"""The menus in their order in the menu bar, whichever view they belong to."""


class CalendarExtension(Extension[CalendarShapes]):
    """All that the window has of the calendar puzzle."""

    context_menus = ("&Piece",)
    mouse = tr(
        "Wheel: zoom at the mouse. Middle-drag or Space+drag: pan. Click selects a label or a piece. In Play, drag "
        "pieces; arrow keys select or move one, Enter picks it up or places it, Esc puts it back."
    )

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        document, canvas, jobs = session.document, session.canvas, session.jobs
        self._document = document
        self.selection = CalendarSelection(self)
        self.date = ChosenDate(self._design.layout, self, year=self._design.year)
        self.answers = Answers(jobs, self._design, self.date, self)
        self.counting = Counting(jobs, self)
        self.desk = Desk(
            document, jobs, self.date, self.answers, self.counting, self.selection, session.need_games(),
            self.refused.emit, self.view_wanted.emit,
        )  # fmt: skip
        self.pages: list[CalendarPage] = [make(self.desk) for make in PAGES]
        self.space = SpacePage(self.desk, session)
        self.pages.append(self.space)
        self._seen: CalendarPage | None = self.pages[0]
        flat = canvas.view
        self.views = [
            View(
                page.name,
                page.title,
                page,
                partial(self._choose, page),
                page.fit,
                page.zoom_by,
                page.finish,
                page.seek if page.plays else None,
            )
            for page in self.pages
        ]
        drawing = View("drawing", tr("Drawing"), canvas, partial(self._choose, None), flat.fit, flat.zoom_by)
        self.views.insert(len(PAGES), drawing)
        chosen = self.selection
        self.table = TiedTable(tr("Pieces"), self._columns(), lambda: chosen.pieces, chosen.select, chosen.changed)
        self.tables = [(tr("Pieces"), self.table)]
        self.tables += [table for page in self.pages for table in page.tables]
        self.inspector = self.panel = CalendarInspector(self.selection, self._design)
        self._read = Pace(self._report_all, self)
        today = Command("today", tr("Today"), "&Solutions", self.date.choose_today, ("T",), "",
                        tr("Select today's date"), on_canvas=True)  # fmt: skip
        commands = [command for page in self.pages for command in page.commands] + [today]
        self._booking = Booking(session)
        self.commands = sorted(commands, key=lambda command: MENUS.index(command.menu)) + self._booking.commands
        self.selection.changed.connect(self.changed)
        session.pipeline.reshaped.connect(self.show_shapes)
        for page in self.pages:
            page.reworded.connect(self.changed)
            if isinstance(page, CanvasPage):
                page.tool.menu_wanted.connect(self.menu_wanted)

    # What the window asks

    @property
    def words(self) -> str:
        """The state of the view and the selection."""
        said = self._seen.words if self._seen is not None else ""
        piece, design = self.selection.piece, self._design
        if piece is not None and piece < len(design.set):
            return " · ".join(filter(None, (tr("Piece {name} selected", name=design.set[piece].name), said)))
        return said

    def possible(self) -> dict[str, bool]:
        """The enabled commands of the current page; those of others are disabled."""
        found = {"today": self._seen is not None}
        for page in self.pages:
            said = page.possible()
            found |= {each.name: page is self._seen and said.get(each.name, True) for each in page.commands}
        return found

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
        labels = [self._design.layout.on[name] for name in finding.cells if name in self._design.layout.on]
        if [label.group for label in labels] == list(self._design.layout.groups):
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
        design = self._design
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
        """Pause what the pages play."""
        for page in self.pages:
            page.pause()

    def show_date(self, text: str) -> None:
        """Show a date, written `10-06` or `10-06-tue`; raises StudioError for one that the board does not have."""
        names = date_cells(self._design, text)
        self.date.choose(*(label for label in self._design.layout.labels if label.name in names))

    # What is shown

    @property
    def _design(self) -> CalendarDesign:
        design = self._document.design
        assert isinstance(design, CalendarDesign)
        return design

    def _choose(self, page: CalendarPage | None) -> None:
        self._seen = page
        hints = (page.hint, page.piece_hint, page.cell_hint) if page is not None else ("", "", "")
        self.panel.hint, self.panel.piece_hint, self.panel.cell_hint = hints
        self.panel.follow()
        if page is not None:
            page.chosen()
            page.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selection.changed.emit()

    def _report_all(self) -> None:
        self.panel.show_design(self._design)
        self.table.elements.show_elements(list(range(len(self._design.set))))
        if self.selection.piece is not None and self.selection.piece >= len(self._design.set):
            self.selection.select()
        self.selection.changed.emit()

    def _columns(self) -> list[Column[int]]:
        def known(name: str, piece: int) -> str:
            return piece_facts(self._design, piece)[name]

        return [
            Column(tr("Piece"), lambda piece: self._design.set[piece].name),
            Column(tr("Colour"), partial(known, tr("Colour"))),
            Column(tr("Squares"), partial(known, tr("Squares")), CellLook.NUMBER),
            Column(tr("Orientations"), partial(known, tr("Orientations")), CellLook.NUMBER,
                   help=tr("Rotations and, if allowed, reflections; identical ones count once.")),
            Column(tr("Placements"), partial(known, tr("Placements")), CellLook.NUMBER,
                   help=tr("Number of ways to place it on the empty board.")),
        ]  # fmt: skip


EXTENSION = CalendarExtension
