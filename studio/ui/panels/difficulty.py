"""How hard a design is, and beside it a table of what it takes to solve it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtWidgets import QWidget

from studio.ui.panels.grade import GradePage
from studio.ui.panels.tables import CalmTable, Column, ElementModel
from studio.ui.session.grading import Grading
from studio.ui.widgets.controls import heading
from studio.ui.widgets.layout import column, row, scrolled
from studio.ui.widgets.theme import GAP, MARGIN

T = TypeVar("T")

GRADE_WIDTH = 340


class DifficultyPage(QWidget, Generic[T]):
    """The tab with the grade at the left, worked out while it is in sight, and a kind's table at the right."""

    model: ElementModel[T]
    table: CalmTable

    def __init__(self, grading: Grading[Any]) -> None:
        super().__init__()
        grading.grade.watch_in(self)
        self.page = GradePage(grading)
        self._rows: list[T] = []

    def show_table(self, title: str, name: str, rows: Iterable[T], columns: Sequence[tuple[int, Column[T]]]) -> None:
        """Show a table, once, of columns with their widths in pixels; a screen reader says its name."""
        self._rows = list(rows)
        self.model = ElementModel([one for _width, one in columns])
        self.table = CalmTable(self.model, name, [width for width, _one in columns])
        self.table.horizontalHeader().setStretchLastSection(False)
        area = scrolled(self.page)
        area.setFixedWidth(GRADE_WIDTH)
        row(area, (column(heading(title), (self.table, 1)), 1), of=self, gap=2 * MARGIN,
            margins=(MARGIN, GAP, MARGIN, GAP))  # fmt: skip
        self.setFocusProxy(self.table)
        self.follow()

    def follow(self) -> None:
        """Show what is known now in the table."""
        self.model.show_elements(self._rows)
