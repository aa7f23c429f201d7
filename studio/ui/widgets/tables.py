"""Tables of elements, findings or plans: keyboard access to everything that the mouse can do on the canvas."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
    SignalInstance,
)
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame, QHeaderView, QTableView

from studio.base.amounts import in_unit
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.ui.widgets.theme import GAP, icon

T = TypeVar("T")

Index = QModelIndex | QPersistentModelIndex
ANSWERED = frozenset({
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.CheckStateRole,
    Qt.ItemDataRole.TextAlignmentRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.DecorationRole,
    Qt.ItemDataRole.AccessibleTextRole,
})  # fmt: skip
"""Roles that cells answer; Qt also asks for fonts and colours with every cell that it paints."""
NOWHERE = QModelIndex()
ROW_HEIGHT = 24
LEAST_COLUMN, WIDEST_COLUMN = 64, 280
FIRST_ROWS = 32
"""Rows that decide the widths of columns; a board has thousands."""


class CellLook(Enum):
    """Display and editing of a column's values."""

    TEXT = auto()
    NUMBER = auto()
    TICK = auto()


@dataclass(frozen=True)
class Column(Generic[T]):
    """One column: its heading, the text of an element, and the effect of another value.

    `value` is the text of a cell, or for a TICK its state. `edit` takes the element and the text or tick entered, and
    carries it out; it raises StudioError or ValueError for a meaningless text. `sign` names the icon of a cell, `tip`
    is its tool tip, by default the help of the column, and `spoken` the text for a screen reader. `metric` is the unit
    of lengths and areas, mm or mm²; the heading names the unit shown.
    """

    title: str
    value: Callable[[T], Any]
    look: CellLook = CellLook.TEXT
    edit: Callable[[T, Any], None] | None = None
    help: str = ""
    sign: Callable[[T], str] = lambda _element: ""
    tip: Callable[[T], str] | None = None
    spoken: Callable[[T], str] = lambda _element: ""
    metric: str = ""

    @property
    def heading(self) -> str:
        """The title with the unit shown."""
        return in_unit(self.title, self.metric) if self.metric else self.title


class ElementModel(QAbstractTableModel, Generic[T]):
    """Elements as rows; cells are read from the shapes when they are shown, and never stored."""

    refused = Signal(str)

    def __init__(self, columns: Sequence[Column[T]]) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self._elements: list[T] = []
        self._rows: dict[T, int] = {}

    @property
    def elements(self) -> tuple[T, ...]:
        """The elements, in the order of their rows."""
        return tuple(self._elements)

    def rename(self, column: int, title: str) -> None:
        """Change the title of a column."""
        if self.columns[column].title != title:
            changed = replace(self.columns[column], title=title)
            self.columns = (*self.columns[:column], changed, *self.columns[column + 1 :])
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, column, column)

    def show_elements(self, elements: list[T]) -> None:
        """Show these elements, in this order."""
        if elements == self._elements:
            self._elements = elements
            if elements:
                self.dataChanged.emit(self.index(0, 0), self.index(len(elements) - 1, len(self.columns) - 1))
            return
        self.beginResetModel()
        self._elements = elements
        self._rows = {element: row for row, element in enumerate(elements)}
        self.endResetModel()

    def follow_elements(self, elements: list[T]) -> None:
        """Show these elements, in this order; equal rows stay, as cells depend on their element alone."""
        had = self._elements
        if not had or not elements:
            if had or elements:
                self.show_elements(elements)
            return
        shorter = min(len(had), len(elements))
        head = next((row for row in range(shorter) if had[row] != elements[row]), shorter)
        tail = next((row for row in range(shorter - head) if had[-1 - row] != elements[-1 - row]), shorter - head)
        changed, gone, come = shorter - tail, len(had) - tail, len(elements) - tail
        if gone > changed:
            self.beginRemoveRows(NOWHERE, changed, gone - 1)
            self._elements = [*had[:changed], *had[gone:]]
            self.endRemoveRows()
        elif come > changed:
            self.beginInsertRows(NOWHERE, changed, come - 1)
            self._elements = elements
            self.endInsertRows()
        self._elements = elements
        self._rows = {element: row for row, element in enumerate(elements)}
        if changed > head:
            self.dataChanged.emit(self.index(head, 0), self.index(changed - 1, len(self.columns) - 1))

    def element(self, row: int) -> T:
        """Return the element of a row."""
        return self._elements[row]

    def row(self, element: T) -> int | None:
        """Return the row of an element; None without one."""
        return self._rows.get(element)

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self._elements)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role not in ANSWERED:
            return None
        column = self.columns[index.column()]
        element = self._elements[index.row()]
        tick = column.look is CellLook.TICK
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole) and not tick:
            return column.value(element)
        if role == Qt.ItemDataRole.CheckStateRole and tick:
            return Qt.CheckState.Checked if column.value(element) else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.TextAlignmentRole and column.look is CellLook.NUMBER:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole:
            return (column.help if column.tip is None else column.tip(element)) or None
        if role == Qt.ItemDataRole.DecorationRole and (sign := column.sign(element)):
            return icon(sign)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return column.spoken(element) or None
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        column = self.columns[index.column()]
        if column.edit is None:
            return False
        if column.look is CellLook.TICK:
            value = Qt.CheckState(value) is Qt.CheckState.Checked
        elif value == column.value(self._elements[index.row()]):
            return True
        try:
            column.edit(self._elements[index.row()], value)
        except StudioError as problem:
            self.refused.emit(str(problem))
            return False
        except ValueError:
            self.refused.emit(
                tr("Enter a number for {title}.", title=column.title.removesuffix(" %").removesuffix(" mm"))
            )
            return False
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        column = self.columns[index.column()]
        result = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if column.edit is not None:
            tick = column.look is CellLook.TICK
            result |= Qt.ItemFlag.ItemIsUserCheckable if tick else Qt.ItemFlag.ItemIsEditable
        return result

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.columns[section].heading
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.columns[section].help or None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = self.columns[section].look is CellLook.NUMBER
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class CalmTable(QTableView):
    """A table in the studio's style: whole rows, no grid, columns as wide as their heads need."""

    activated_row = Signal(int)

    def __init__(self, model: QAbstractTableModel, name: str, widths: Sequence[int] = ()) -> None:
        """`widths` are the pixels of the first columns, instead of widths taken from the rows."""
        super().__init__()
        self.setModel(model)
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setAlternatingRowColors(True)
        self.setWordWrap(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(max(ROW_HEIGHT, self.fontMetrics().lineSpacing() + GAP // 2))
        head = self.horizontalHeader()
        head.setHighlightSections(False)
        # A number in a stretched column would be far from its row.
        side = model.headerData(
            model.columnCount() - 1, Qt.Orientation.Horizontal, Qt.ItemDataRole.TextAlignmentRole
        )  # fmt: skip
        head.setStretchLastSection(not side or not side & Qt.AlignmentFlag.AlignRight)
        head.setMinimumSectionSize(min((LEAST_COLUMN, *widths)))
        head.setResizeContentsPrecision(FIRST_ROWS)
        for column in range(model.columnCount()):
            wanted = head.sectionSizeHint(column)
            head.resizeSection(column, max(wanted, widths[column]) if column < len(widths) else wanted + 2 * GAP)
        self._is_fitted = bool(widths)
        model.modelReset.connect(self._fit_columns)

    def _fit_columns(self) -> None:
        """Widen columns for the first rows in sight; from then on their widths are the maker's."""
        if self._is_fitted or not self.isVisible() or not self.model().rowCount():
            return
        self._is_fitted = True
        head = self.horizontalHeader()
        for column in range(self.model().columnCount()):
            wanted = min(self.sizeHintForColumn(column) + GAP, WIDEST_COLUMN)
            head.resizeSection(column, max(wanted, head.sectionSize(column)))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit_columns()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            if self.currentIndex().flags() & Qt.ItemFlag.ItemIsEditable:
                self.edit(self.currentIndex())
            else:
                self.activated_row.emit(self.currentIndex().row())
            return
        super().keyPressEvent(event)


class TiedTable(CalmTable):
    """A table of elements, its selected rows in step with the selection elsewhere."""

    def __init__(
        self,
        name: str,
        columns: Sequence[Column[int]],
        selected: Callable[[], frozenset[int]],
        select: Callable[[frozenset[int]], None],
        changed: SignalInstance,
    ) -> None:
        """Takes functions that return and set the selection, and the signal of its change."""
        self.elements = ElementModel(columns)
        super().__init__(self.elements, name)
        self._selected, self._select = selected, select
        self._is_following = False
        self.selectionModel().selectionChanged.connect(self._lead)
        self.elements.modelReset.connect(self._follow)
        changed.connect(self._follow)

    def _follow(self) -> None:
        if self._is_following:
            return
        rows = sorted(row for row in map(self.elements.row, self._selected()) if row is not None)
        if rows == self._rows():
            return
        self._is_following = True
        last = self.elements.columnCount() - 1
        chosen = QItemSelection()
        for first, end in _spans(rows):
            chosen.select(self.elements.index(first, 0), self.elements.index(end, last))
        self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        if rows:
            here = self.elements.index(rows[0], 0)
            self.selectionModel().setCurrentIndex(here, QItemSelectionModel.SelectionFlag.NoUpdate)
            self.scrollTo(here)
        self._is_following = False

    def _rows(self) -> list[int]:
        return sorted(index.row() for index in self.selectionModel().selectedRows())

    def _lead(self) -> None:
        if self._is_following:
            return
        self._is_following = True
        self._select(frozenset(map(self.elements.element, self._rows())))
        self._is_following = False


def _spans(rows: list[int]) -> list[tuple[int, int]]:
    """Return runs of consecutive rows, as first and last."""
    spans: list[tuple[int, int]] = []
    for row in rows:
        if spans and spans[-1][1] == row - 1:
            spans[-1] = (spans[-1][0], row)
        else:
            spans.append((row, row))
    return spans


# A table sorted by a click on the head of a column


class SortedModel(ElementModel[T]):
    """Elements in the order of a column; `keys` are the sort keys of the columns."""

    def __init__(self, columns: Sequence[Column[T]], keys: Sequence[Callable[[T], Any]], by: int = 0) -> None:
        super().__init__(columns)
        self._keys = tuple(keys)
        self._by, self._order = by, Qt.SortOrder.AscendingOrder
        self._all: list[T] = []

    def show_all(self, elements: list[T]) -> None:
        """Show these elements in the chosen order."""
        self._all = elements
        self._arrange()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        """Sort by a column; equal elements keep their order."""
        self._by, self._order = column, order
        self._arrange()

    def _arrange(self) -> None:
        down = self._order is Qt.SortOrder.DescendingOrder
        self.show_elements(sorted(self._all, key=self._keys[self._by], reverse=down))


def sorted_table(model: SortedModel[T], name: str, widths: Sequence[int]) -> CalmTable:
    """Return a table with single selection, sorted by its first order until a head is clicked; widths in pixels."""
    table = CalmTable(model, name, widths)
    table.setSelectionMode(CalmTable.SelectionMode.SingleSelection)
    head = table.horizontalHeader()
    head.setSectionsClickable(True)
    head.setSortIndicatorShown(True)
    head.setSortIndicator(model._by, Qt.SortOrder.AscendingOrder)
    table.setSortingEnabled(True)
    head.setStretchLastSection(False)
    head.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
    return table
