"""A table whose rows are sorted by a click on the head of a column."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView

from studio.ui.panels.tables import CalmTable, Column, ElementModel

T = TypeVar("T")


class SortedModel(ElementModel[T]):
    """Elements in the order of a column; `keys` are the sort keys of the columns."""

    def __init__(self, columns: Sequence[Column[T]], keys: Sequence[Callable[[T], Any]], by: int = 0) -> None:
        super().__init__(columns)
        self._keys = tuple(keys)
        self._by, self._order = by, Qt.SortOrder.AscendingOrder
        self._all: list[T] = []

    def show_all(self, elements: list[T]) -> None:
        """Show these elements in the order that was chosen."""
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
    """A table of one selected row that is sorted by its first order until a head is clicked; widths in pixels."""
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
