"""The view of the design search: which pieces a set may have, and the sets with which every date can be solved."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QHeaderView, QSizePolicy, QWidget

from studio.base.amounts import thousands
from studio.base.texts import tr
from studio.puzzles.calendar.catalogue import polyominoes
from studio.puzzles.calendar.edits import with_pieces
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.sets import RANKS, Found, Request, candidates
from studio.ui.kinds.calendar.gallery import Gallery, Section, SetDelegate
from studio.ui.kinds.calendar.set_search import Hunt
from studio.ui.kinds.calendar.sorted_table import SortedModel, sorted_table
from studio.ui.kinds.calendar.views import CalendarPage, Desk
from studio.ui.panels.tables import CellLook, Column, Index
from studio.ui.widgets.controls import ROW_GAP, CalmComboBox, control_height, heading, invitation, push_button, wrapping
from studio.ui.widgets.layout import REST, column, grid, holding, labelled, row, stack
from studio.ui.widgets.theme import GAP, MARGIN

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


COLUMNS: list[Column[Found]] = [
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
KEYS: list[Callable[[Found], Any]] = [
    lambda found: found.name, lambda found: (found.year.least, found.mean), lambda found: found.year.most,
    lambda found: found.year.total, lambda found: (found.unevenness, -found.year.least),
]  # fmt: skip
"""The sort keys of the columns."""


class SetModel(SortedModel[Found]):
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

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.hunt = Hunt(desk.jobs, self)
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
        self._lay_out()
        self._listen()

    def _lay_out(self) -> None:
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
        row(self._side(), (self._results(), 1), of=self, gap=0)

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

    def _results(self) -> QWidget:
        self._stack = stack(invitation(INVITATION), self.table)
        self.said = wrapping()
        self.said.setMinimumHeight(control_height())
        ranks = row(*_named(self.rank), margins=(0, 0, MARGIN, 0))
        foot = row(REST, self.take, margins=(0, 0, MARGIN, 0))
        return holding(column(self.said, (self._stack, 1), ranks, foot, margins=(0, GAP, 0, GAP)))

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

    # What the window asks

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
    def request(self) -> Request:
        """The conditions for sets."""
        sizes = [size for size, box in self.sizes.items() if box.isChecked()]
        return Request(
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

    # What is shown

    def _follow_hunt(self) -> None:
        hunt = self.hunt
        self.said.setText(hunt.words)
        self.begin.setText(
            tr("Stop") if hunt.is_busy else tr("Continue") if hunt.tried > 0 and not hunt.is_done else tr("Start")
        )
        self.begin.setEnabled(hunt.is_busy or (bool(hunt.count) and not hunt.is_done))
        self.take.setEnabled(self._selected is not None)

    @property
    def _selected(self) -> Found | None:
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
