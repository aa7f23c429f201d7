"""How hard a slitherlink is compared with similar ones, and how often its solution uses each rule."""

from __future__ import annotations

from collections.abc import Hashable

from studio.base.texts import tr
from studio.puzzles.slitherlink.generate import GENERATED_BY
from studio.puzzles.slitherlink.grade import taken
from studio.puzzles.slitherlink.model import GRADES, SlitherlinkDesign
from studio.puzzles.slitherlink.rules import LEVELS
from studio.puzzles.slitherlink.steps import TITLES
from studio.ui.panels.difficulty import DifficultyPage
from studio.ui.panels.tables import CellLook, Column
from studio.ui.session.grading import Grading

NOTHING = "\N{EN DASH}"


def grade_key(design: SlitherlinkDesign) -> Hashable:
    """What the grade of a design depends on."""
    values = (getattr(design.parameters, name) for name in GENERATED_BY)
    return design.inside, design.given, design.own_cells, design.own_clues, design.shape, *values


class Difficulty(DifficultyPage[str]):
    """The tab with the grade and the rules."""

    def __init__(self, grading: Grading[SlitherlinkDesign]) -> None:
        super().__init__(grading)
        self._grading = grading
        self.show_table(tr("Rules"), tr("Rules"), LEVELS, [
            (170, Column(tr("Rule"), TITLES.__getitem__)),
            (110, Column(tr("Difficulty"), lambda rule: [*GRADES.values()][LEVELS[rule]])),
            (80, Column(tr("Steps"), self._steps, CellLook.NUMBER, help=tr("Number of steps that use this rule."))),
        ])  # fmt: skip
        grading.grade.changed.connect(self.follow)

    def _steps(self, rule: str) -> str:
        known = self._grading.grade.answer
        if known is None:
            return NOTHING if self._grading.grade.problem else "…"
        return str(dict(taken(known.design).steps).get(rule, 0))
