"""The view of the design search: conditions on a set's pieces, and the sets that solve every date."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QHeaderView, QSizePolicy, QWidget

from studio.base.amounts import many, thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar.edits import with_pieces
from studio.puzzles.calendar.model import Board, CalendarDesign, noun_of
from studio.puzzles.calendar.set_search import RANKS, FoundSet, SetConditions, candidates, how_many, polyominoes, search
from studio.ui.kinds.calendar.gallery import Gallery, Section, SetDelegate
from studio.ui.kinds.calendar.views import BaseCalendarExtension, CalendarPage
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs
from studio.ui.widgets.controls import ROW_GAP, CalmComboBox, control_height, heading, invitation, push_button, wrapping
from studio.ui.widgets.layout import REST, column, grid, holding, labelled, row, stack
from studio.ui.widgets.tables import CellLook, Column, Index, SortedModel, sorted_table
from studio.ui.widgets.theme import GAP, MARGIN

SEARCHING = "calendar search"
COUNTING_SETS = "calendar sets"


class Hunt(QObject):
    """Conditions, the number of sets they allow, and the sets found to solve every date."""

    changed = Signal()
    """More sets were checked, or the conditions changed."""
    found_more = Signal()
    """Sets were found, or all of them dropped."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._sets = Derived(jobs, COUNTING_SETS, _counted, parent=self)
        self._sets.changed.connect(self.changed)
        self.tried = 0
        self.found: list[FoundSet] = []
        self._problem = ""

    @property
    def request(self) -> SetConditions | None:
        """The request of the search; None before the first."""
        return None if self._sets.question is None else self._sets.question[1]

    @property
    def count(self) -> int | None:
        """Number of sets to check; None while they are being counted."""
        return self._sets.answer

    @property
    def is_busy(self) -> bool:
        """True while it searches."""
        return self._jobs.is_busy(SEARCHING)

    @property
    def is_done(self) -> bool:
        """True if every set was checked."""
        return self.count is not None and 0 < self.count <= self.tried

    def ask(self, board: Board, request: SetConditions) -> None:
        """Use another board or other conditions; a running search ends, and its sets go."""
        if (board, request) == self._sets.question:
            return
        had = bool(self.found)
        self._jobs.cancel(SEARCHING)
        self.tried, self.found, self._problem = 0, [], ""
        self._sets.ask((board, request))
        if had:
            self.found_more.emit()

    def start(self) -> None:
        """Start the search, or resume it."""
        asked = self._sets.question
        if asked is None or self.is_busy or not self.count or self.is_done:
            return
        self._problem = ""
        fresh: deque[FoundSet] = deque()
        self._jobs.start(
            SEARCHING,
            partial(_search, *asked, self.tried, fresh),
            done=lambda _nothing: self._report(fresh, 1.0),
            failed=self._fail,
            progressed=lambda fraction, _note: self._report(fresh, fraction),
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop and keep the sets found so far."""
        self._jobs.cancel(SEARCHING)
        self.changed.emit()

    @property
    def progress_text(self) -> str:
        """Progress in words: `312 of 792 sets checked, 14 solve every date`."""
        if self._problem or self._sets.problem:
            return self._problem or self._sets.problem
        if self._sets.question is None or self.count is None:
            return tr("Counting sets…")
        board, request = self._sets.question
        area = len(board.names) - len(board.groups)
        if not self.count:
            return _impossible(board, request, area)
        values = {
            "sets": many(self.count, "set"), "tried": thousands(self.tried), "found": thousands(len(self.found)),
            "date": noun_of(board.groups).one,
        }  # fmt: skip
        if self.is_done:
            return (
                tr("{sets} checked; {found} can solve every {date}.", **values)
                if self.found
                else tr("{sets} checked; none can solve every {date}.", **values)
            )
        if not self.tried and not self.is_busy:
            return tr("{sets} to check, each of {area} squares.", area=thousands(area), **values)
        if self.is_busy:
            return tr("{tried} of {sets} checked; {found} can solve every {date}", **values)
        return tr("{tried} of {sets} checked; {found} can solve every {date}; stopped.", **values)

    def _report(self, fresh: deque[FoundSet], fraction: float) -> None:
        if self.count:
            # The share within a set does not count: a continued search checks that set again.
            self.tried = max(self.tried, int(fraction * self.count + 1e-6))
        had = len(self.found)
        while fresh:
            one = fresh.popleft()
            self.found.append(one)
            self.tried = max(self.tried, one.number)
        if len(self.found) > had:
            self.found_more.emit()
        self.changed.emit()

    def _fail(self, problem: StudioError) -> None:
        self._problem = str(problem)
        self.changed.emit()


def _counted(asked: tuple[Board, SetConditions], progress: Progress) -> int:
    progress.step(0.0)
    board, request = asked
    return how_many(board, request) if board.groups else 0


def _impossible(board: Board, request: SetConditions, area: int) -> str:
    """Reason why no set covers `area` squares, in a sentence."""
    if not board.groups:
        return tr("The board has no labels, so there is nothing to solve.")
    must = sum(piece.area for piece in request.must)
    if must > area:
        return tr(
            "The required pieces have {required} squares, more than the {area} to cover.",
            required=thousands(must),
            area=thousands(area),
        )
    if not request.candidates and must < area:
        return tr("Choose the allowed sizes: {squares} are left to cover.", squares=many(area - must, "square"))
    return tr(
        "No set of these pieces covers exactly {area} squares; allow more sizes, other pieces or more of each shape.",
        area=thousands(area),
    )


def _search(board: Board, request: SetConditions, begin: int, fresh: deque[FoundSet], progress: Progress) -> None:
    """Check set after set, and put solving sets into `fresh`, which two threads may use at once."""
    for one in search(board, request, progress, begin=begin):
        fresh.append(one)


SIZES = {3: tr("Trominoes"), 4: tr("Tetrominoes"), 5: tr("Pentominoes"), 6: tr("Hexominoes")}
MOST_COPIES = 4
SIDE_WIDTH = 276
ROW = 30
PIECES, LEAST, MOST, TOTAL, UNEVEN = range(5)
WIDTHS = (216, 54, 54, 66, 72)
ORDERS = {
    "scarcest": (LEAST, Qt.SortOrder.DescendingOrder),
    "even": (UNEVEN, Qt.SortOrder.AscendingOrder),
    "hard": (TOTAL, Qt.SortOrder.AscendingOrder),
}
"""The column by which each rank sorts."""
INVITATION = tr("Sets that always have a solution appear here as they are verified.")


COLUMNS: list[Column[FoundSet]] = [
    Column(tr("Pieces"), lambda found: found.name, tip=lambda found: found.name),
    Column(tr("Min"), lambda found: thousands(found.year.least), CellLook.NUMBER,
           help=tr("Fewest solutions.")),
    Column(tr("Max"), lambda found: thousands(found.year.most), CellLook.NUMBER,
           help=tr("Most solutions.")),
    Column(tr("Total"), lambda found: thousands(found.year.total), CellLook.NUMBER,
           help=tr("Total of all solutions.")),
    Column(tr("Spread"), lambda found: f"{found.unevenness:.2f}", CellLook.NUMBER,
           help=tr("Relative spread: standard deviation divided by the mean.")),
]  # fmt: skip
KEYS: list[Callable[[FoundSet], Any]] = [
    lambda found: found.name, lambda found: (found.year.least, found.mean), lambda found: found.year.most,
    lambda found: found.year.total, lambda found: (found.unevenness, -found.year.least),
]  # fmt: skip
"""The sort keys of the columns."""


class SetModel(SortedModel[FoundSet]):
    """Sets of pieces as rows; the first column has the pieces themselves under the UserRole, to be drawn."""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if index.column() == PIECES and role == Qt.ItemDataRole.UserRole:
            return self.element(index.row()).pieces
        return super().data(index, role)


class SearchPage(CalendarPage):
    """The conditions at the left, the sets found at the right."""

    name = "search"
    title = tr("Find pieces")
    hint = tr("Tick the allowed sizes and the required pieces. Double-click a set to use its pieces in the puzzle.")

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__(desk)
        self.hunt = Hunt(desk.session.jobs, self)
        self.sizes = {
            size: QCheckBox(tr("{size} squares ({count})", size=size, count=len(polyominoes(size)))) for size in SIZES
        }
        self.gallery = Gallery(tr("Required pieces"))
        self.copies = CalmComboBox(tr("Each shape"), tr("Limit how often a set may use a shape"))
        tip = tr("Sort the sets; clicking a column header does the same")
        self.rank = CalmComboBox(tr("Sort by"), tip)
        self.begin = push_button(tr("Start"))
        tip = tr("Replace the puzzle's pieces with the selected set (can be undone)")
        self.take = push_button(tr("Use these pieces"), tip)
        self.model = SetModel(COLUMNS, KEYS, by=LEAST)
        self.table = sorted_table(self.model, tr("Sets that always have a solution"), WIDTHS)
        self._design = desk.design
        self.table.verticalHeader().setDefaultSectionSize(ROW)
        head = self.table.horizontalHeader()
        head.setMinimumSectionSize(min(WIDTHS))
        head.setSectionResizeMode(PIECES, QHeaderView.ResizeMode.Stretch)
        self.table.setItemDelegateForColumn(PIECES, SetDelegate(self.table))
        self.setFocusProxy(self.begin)
        for copies in range(1, MOST_COPIES + 1):
            self.copies.addItem(tr("once") if copies == 1 else tr("up to {copies} times", copies=copies), copies)
        for key, (title, _order) in RANKS.items():
            self.rank.addItem(title, key)
        self.rank.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.rank.setMinimumContentsLength(10)
        self.rank.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._stack = stack(invitation(INVITATION), self.table)
        self.said = wrapping()
        self.said.setMinimumHeight(control_height())
        ranks = row(*_named(self.rank), margins=(0, 0, MARGIN, 0))
        foot = row(REST, self.take, margins=(0, 0, MARGIN, 0))
        results = holding(column(self.said, (self._stack, 1), ranks, foot, margins=(0, GAP, 0, GAP)))
        row(self._side(), (results, 1), of=self, gap=0)
        self._listen()

    def _side(self) -> QWidget:
        for size, box in self.sizes.items():
            box.setToolTip(tr("{name}: all pieces of {size} squares", name=SIZES[size], size=size))
        boxes = list(self.sizes.values())
        sizes = grid(*(boxes[number : number + 2] for number in range(0, len(boxes), 2)), down=ROW_GAP)
        times = row(*_named(self.copies), REST)
        above = (heading(tr("Allowed sizes")), sizes, heading(tr("Required pieces")), (self.gallery, 1))
        items = (*above, times, self.begin)
        side = holding(column(*items, margins=(MARGIN, GAP, MARGIN, GAP)))
        side.setFixedWidth(SIDE_WIDTH)
        return side

    def _listen(self) -> None:
        for box in self.sizes.values():
            box.toggled.connect(self._ask)
        self.gallery.changed.connect(self._ask)
        self.copies.activated.connect(self._ask)
        self.rank.activated.connect(self._sort)
        self.begin.clicked.connect(self._turn)
        self.take.clicked.connect(lambda: self._use(self.table.currentIndex().row()))
        self.table.activated_row.connect(self._use)
        self.table.doubleClicked.connect(lambda index: self._use(index.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._follow_hunt())
        self.hunt.changed.connect(self._follow_hunt)
        self.hunt.found_more.connect(self._list)
        self._sort()
        self._list_pieces()
        self._offer(self._design)

    # Called by the window

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design; another board is another search."""
        if not settled:
            return
        before = self._design
        self._design = design
        self._list_pieces()
        if before.layout != design.layout:
            self._offer(design)
        self._ask()

    # Conditions

    @property
    def request(self) -> SetConditions:
        """The conditions for sets."""
        sizes = [size for size, box in self.sizes.items() if box.isChecked()]
        return SetConditions(
            candidates(sizes), self.gallery.ticked, int(self.copies.currentData()),
            reflections=self._design.parameters.reflections, year=self._design.year,
        )  # fmt: skip

    def _list_pieces(self) -> None:
        own = Section(tr("Current pieces"), self._design.set)
        self.gallery.show_sections([own, *(Section(title, polyominoes(size)) for size, title in SIZES.items())])

    def _offer(self, design: CalendarDesign) -> None:
        """Start from the puzzle: allow the sizes of several pieces, require pieces that are alone in their size."""
        counts = {size: sum(piece.area == size for piece in design.set) for size in SIZES}
        several = {size for size, count in counts.items() if count > 1} or {5}
        for size, box in self.sizes.items():
            with QSignalBlocker(box):
                box.setChecked(size in several)
        with QSignalBlocker(self.gallery):
            self.gallery.tick([piece for piece in design.set if piece.area not in several])

    def _ask(self) -> None:
        if self.isVisible() or self.hunt.request is not None:
            self.hunt.ask(self._design.layout, self.request)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.hunt.ask(self._design.layout, self.request)

    def _turn(self) -> None:
        if self.hunt.is_busy:
            self.hunt.stop()
        else:
            self.hunt.start()

    # Display

    def _follow_hunt(self) -> None:
        hunt = self.hunt
        self.said.setText(hunt.progress_text)
        self.begin.setText(
            tr("Stop") if hunt.is_busy else tr("Continue") if hunt.tried > 0 and not hunt.is_done else tr("Start")
        )
        self.begin.setEnabled(hunt.is_busy or (bool(hunt.count) and not hunt.is_done))
        self.take.setEnabled(self._selected is not None)

    @property
    def _selected(self) -> FoundSet | None:
        row = self.table.currentIndex().row()
        return self.model.element(row) if 0 <= row < self.model.rowCount() else None

    def _list(self) -> None:
        """Show the sets found; the selected one stays selected."""
        selected = self._selected
        self.model.show_all(list(self.hunt.found))
        self._stack.setCurrentIndex(1 if self.hunt.found else 0)
        row = None if selected is None else self.model.row(selected)
        if row is not None:
            self.table.setCurrentIndex(self.model.index(row, 0))

    def _sort(self) -> None:
        self.table.sortByColumn(*ORDERS[self.rank.currentData()])

    def _use(self, row: int) -> None:
        if not 0 <= row < self.model.rowCount():
            return
        found = self.model.element(row)
        self.desk.edit(tr("Use pieces {name}", name=found.name), with_pieces, found.pieces)


def _named(box: CalmComboBox) -> tuple[QWidget, QWidget]:
    """A choice with its name before it."""
    box.setMinimumHeight(control_height())
    return labelled(box.accessibleName(), box)
