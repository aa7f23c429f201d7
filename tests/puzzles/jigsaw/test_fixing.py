"""One problem fixed without making another worse, and the next seed that needs no repair."""

from dataclasses import replace

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.checks.finding import Severity
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.repair_search import CheckedBoard, Counts, rerolled
from tests.depth import examples

BOARD = JigsawParameters(columns=5, rows=4, width=125.0, height=100.0)
WILD = replace(BOARD, perturbation=0.4, tongue_size=0.4, layout_version=1)
SMALL = replace(BOARD, width=40.0, height=32.0, perturbation=0.25, strong_necks=False, scale_limits=False)


def known(board: CheckedBoard) -> dict[tuple[str, tuple[int, ...], tuple[int, ...]], float]:
    return {
        (one.kind, one.strokes, one.pieces): one.shortfall
        for one in board.checked.findings
        if one.severity is not Severity.HINT and one.kind != "count"
    }


@pytest.mark.sampled(3)
@pytest.mark.parametrize("parameters", [WILD, replace(WILD, tongue_style="classic"), SMALL])
def test_a_fix_makes_no_other_problem_worse(parameters: JigsawParameters) -> None:
    design = JigsawDesign(parameters)
    before = CheckedBoard.from_design(design, SILENT)
    was = known(before)
    helped = 0
    for finding in [one for one in before.checked.findings if one.repair is not None][: examples(12, 25)]:
        assert finding.repair is not None
        try:
            now = known(CheckedBoard.from_design(finding.repair.apply(design), SILENT))
        except StudioError as problem:
            assert "Fix all" in str(problem)
            continue
        helped += 1
        spots = {key[1:] for key in was}
        assert all(key in was or key[1:] in spots for key in now), finding.message
        assert all(now[key] <= was[key] + 1e-6 for key in now.keys() & was.keys()), finding.message
    assert helped > 0


def test_a_small_piece_is_merged_with_the_neighbour_that_it_shares_most_with() -> None:
    small = (CornerEdit("2,1", 0.42, 0.0), CornerEdit("2,2", 0.42, 0.0))
    design = JigsawDesign(replace(BOARD, tongue_size=0.15, perturbation=0.0, least_area=420.0), corners=small)
    before = CheckedBoard.from_design(design, SILENT)
    (finding,) = [one for one in before.checked.findings if one.problem is check_problems.SMALL_PIECE]
    (piece,) = finding.pieces
    assert "polylines" not in vars(before.shapes.drawing), "only what is around the piece is measured"
    names, areas = before.shapes.drawing.pieces.names, before.shapes.drawing.piece_areas
    assert names[piece] == "C2" and finding.repair is not None and finding.repair.title == "Merge with neighbour"
    fixed = finding.repair.apply(design, SILENT)
    assert fixed.merged in (("C1-C2",), ("C2-C3",), ("B2-C2",), ("C2-D2",)) and fixed.corners == small
    after = CheckedBoard.from_design(fixed, SILENT)
    assert (
        Counts.from_board(after).warnings < Counts.from_board(before).warnings and Counts.from_board(after).errors == 0
    )
    assert after.shapes.drawing.piece_areas.sum() == pytest.approx(areas.sum())
    assert len(after.shapes.drawing.pieces) == len(areas) - 1


def test_the_next_seed_without_problems_is_taken() -> None:
    design = JigsawDesign(replace(BOARD, perturbation=0.25, tongue_size=0.3, seed=3))
    found = rerolled(design, Progress()).design
    assert replace(found.parameters, seed=3) == design.parameters and found.parameters.seed > 3
    counts = [
        Counts.from_board(CheckedBoard.from_design(JigsawDesign(replace(design.parameters, seed=seed)), SILENT))
        for seed in range(4, found.parameters.seed + 1)
    ]
    assert counts[-1] == Counts(0, 0) and Counts(0, 0) not in counts[:-1]


def test_where_no_seed_is_free_of_problems_the_best_is_named() -> None:
    design = JigsawDesign(replace(BOARD, perturbation=0.45, tongue_size=0.5, layout_version=1))
    with pytest.raises(StudioError, match=r"None of the next 3 seeds is free of problems; the best is \d+, with \d+ e"):
        rerolled(design, Progress(), 3)
