"""Figures moved a little: new ones to a spot without problems, others by repair, letters of a name together."""

from dataclasses import replace

import pytest

from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.figures.figure_edits import (
    middle,
    new_figure,
    new_letters,
    with_added,
    with_figures_at,
    with_figures_posed,
    with_text,
)
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.tiling import carry
from studio.puzzles.jigsaw.repair import new_problems, repaired
from studio.puzzles.jigsaw.repair_search import CheckedBoard
from tests.depth import THOROUGH


def board(seed: int, columns: int, rows: int, width: float, height: float, style: str, layout: int = 2) -> JigsawDesign:
    parameters = JigsawParameters(
        columns=columns, rows=rows, width=width, height=height, seed=seed, tongue_style=style, layout_version=layout
    )  # fmt: skip
    return carry(parameters, JigsawDesign(), SILENT).design


def walls(design: JigsawDesign) -> int:
    """Count the walls below the minimum."""
    return sum(
        each.problem is check_problems.BRIDGE for each in CheckedBoard.from_design(design, SILENT).checked.findings
    )


def test_a_new_figure_goes_to_a_spot_that_brings_no_thin_wall() -> None:
    design = with_text(board(2, 9, 7, 188.0, 146.0, "classic"), "Jón", 18.0, SILENT).design
    added = with_added(design, new_figure(design, "key", middle(design, 30.0), 3), SILENT).design
    (key,) = (one for one in added.whimsies if one.name == "key1")
    assert walls(design) == walls(added) == 0
    beside = [
        walls(with_figures_at(design, [key.posed(x=key.pose.x + right, y=key.pose.y + down)], SILENT).design)
        for right, down in ((-1.6, 0.0), (1.6, 0.0), (0.0, -1.6), (0.0, 1.6))
    ]
    assert max(beside) > 0, "there are worse spots near"
    assert added == with_added(design, new_figure(design, "key", middle(design, 30.0), 3), SILENT).design


def test_repair_moves_a_name_as_a_whole_where_walls_beside_it_are_thin() -> None:
    design = board(57, 9, 7, 213.0, 166.0, "mixed", layout=1)
    letters = new_letters(design, "WALKER", Pose(x=134.9, y=42.6, height=30.0))
    placed = with_added(design, letters, SILENT, is_near=True).design
    assert new_problems(design, placed) == walls(placed) == 2
    found = repaired(placed, SILENT)
    assert walls(found.design) == 0 and found.after.warnings == 0 and found.left == ()
    assert {*found.figures} == {one.name for one in letters}
    ways = {
        (round(now.pose.x - was.pose.x, 2), round(now.pose.y - was.pose.y, 2))
        for was, now in zip(placed.whimsies, found.design.whimsies, strict=True)
    }
    assert len(ways) == 1, "the line of the name stays straight"
    ((right, down),) = ways
    assert 0.0 < max(abs(right), abs(down)) < 0.2 * 23.7
    assert not THOROUGH or found == repaired(placed, SILENT)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["Åse & Jón", "Åse"])
def test_walls_beside_the_letters_of_a_name_are_mended_by_moving_it(name: str) -> None:
    design = board(0, 9, 7, 240.0, 180.0, "mixed")
    pose = replace(middle(design, 22.0), y=36.0) if "&" in name else replace(middle(design, 22.0), x=168.0, y=36.0)
    letters = new_letters(design, name, pose, 0 if "&" in name else 2)
    placed = with_added(design, letters, SILENT, is_near=True).design
    poses = {one.name: one.posed(x=one.pose.x + 1.5).pose for one in placed.whimsies}
    moved = with_figures_posed(placed, poses, SILENT, is_exact=True).design
    for each in (placed, moved):
        found = repaired(each, SILENT)
        left = CheckedBoard.from_design(found.design, SILENT).checked.findings
        assert [one.message for one in left if one.severity is not Severity.HINT] == []
