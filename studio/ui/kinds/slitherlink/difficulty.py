"""How hard a slitherlink is beside others like it, and the way to a harder or an easier one."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtWidgets import QWidget

from studio.puzzles.slitherlink.deal import DEALT_BY
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.ui.layout import REST, row, scrolled
from studio.ui.panels.grade import GradePage
from studio.ui.session.grading import Grading
from studio.ui.theme import GAP, MARGIN

WIDTH = 420


def grade_key(design: SlitherlinkDesign) -> Hashable:
    """What the grade of a design depends on."""
    values = (getattr(design.parameters, name) for name in DEALT_BY)
    return design.inside, design.given, design.own_cells, design.own_clues, design.shape, *values


class Difficulty(QWidget):
    """The tab with the grade, which is worked out while it is in sight."""

    def __init__(self, grading: Grading[SlitherlinkDesign]) -> None:
        super().__init__()
        grading.grade.watch_in(self)
        self.page = GradePage(grading)
        area = scrolled(self.page)
        area.setFixedWidth(WIDTH)
        row(area, REST, of=self, margins=(MARGIN, GAP, MARGIN, GAP))
        self.setFocusProxy(self.page.harder)
