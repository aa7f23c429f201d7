"""How hard a slitherlink is beside others like it, and how often its solution takes each rule."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtWidgets import QWidget

from studio.puzzles.slitherlink.deal import DEALT_BY
from studio.puzzles.slitherlink.grade import taken
from studio.puzzles.slitherlink.model import GRADES, SlitherlinkDesign
from studio.puzzles.slitherlink.rules import LEVELS
from studio.puzzles.slitherlink.steps import TITLES
from studio.ui.layout import column, row, scrolled
from studio.ui.panels.grade import GradePage
from studio.ui.panels.tables import CalmTable, CellLook, Column, ElementModel
from studio.ui.session.grading import Grading
from studio.ui.theme import GAP, MARGIN
from studio.ui.widgets import heading

GRADE_WIDTH = 340
WIDTHS = (170, 110, 80)


def grade_key(design: SlitherlinkDesign) -> Hashable:
    """What the grade of a design depends on."""
    values = (getattr(design.parameters, name) for name in DEALT_BY)
    return design.inside, design.given, design.own_cells, design.own_clues, design.shape, *values


class Difficulty(QWidget):
    """The tab with the grade at the left and the rules at the right, worked out while it is in sight."""

    def __init__(self, grading: Grading[SlitherlinkDesign]) -> None:
        super().__init__()
        self._grading = grading
        grading.grade.watch_in(self)
        self.model = ElementModel[str]([
            Column("Rule", TITLES.__getitem__),
            Column("Difficulty", lambda rule: [*GRADES.values()][LEVELS[rule]]),
            Column("Steps", self._steps, CellLook.NUMBER, help="How many steps of the solution take this rule."),
        ])  # fmt: skip
        self.table = CalmTable(self.model, "Rules")
        head = self.table.horizontalHeader()
        head.setStretchLastSection(False)
        for number, width in enumerate(WIDTHS):
            head.resizeSection(number, width)
        self.page = GradePage(grading)
        area = scrolled(self.page)
        area.setFixedWidth(GRADE_WIDTH)
        row(area, (column(heading("Rules"), (self.table, 1)), 1), of=self, gap=2 * MARGIN,
            margins=(MARGIN, GAP, MARGIN, GAP))  # fmt: skip
        self.setFocusProxy(self.table)
        grading.grade.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.model.show_elements(list(LEVELS))

    def _steps(self, rule: str) -> str:
        known = self._grading.grade.answer
        return "…" if known is None else str(dict(taken(known.design).steps).get(rule, 0))
