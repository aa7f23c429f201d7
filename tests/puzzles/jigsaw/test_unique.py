"""Tongues reshaped until every piece fits in one place only, and near-copies, the check as clean as before."""

from collections import Counter
from dataclasses import replace

import pytest

from studio.base.folders import shipped
from studio.base.progress import SILENT, Cancelled, Progress
from studio.checks.finding import Severity
from studio.files.store import load
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.fits.tongue_reshaping import made_devious, made_unique
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.picture.engravings import BACK
from studio.puzzles.jigsaw.repair_search import CheckedBoard

BOARD = JigsawParameters(columns=6, rows=4, width=150.0, height=100.0)
REGULAR = replace(BOARD, perturbation=0.0, vary_size=0.0, vary_place=0.0, vary_depth=0.0, vary_slant=0.0, vary_neck=0.0)
LARGE = replace(BOARD, columns=30, rows=20, width=750.0, height=500.0, tongue_style="article")


def pairs(design: JigsawDesign, clearance: float) -> int:
    return false_fits(shape(design, None, SILENT), clearance).pairs


def problems(design: JigsawDesign) -> Counter[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    findings = CheckedBoard.from_design(design, SILENT).checked.findings
    return Counter(
        (found.kind, tuple(found.strokes), tuple(found.pieces))
        for found in findings
        if found.severity is not Severity.HINT
    )


@pytest.mark.sampled(3)
@pytest.mark.parametrize("parameters", [REGULAR, LARGE, replace(REGULAR, tongue_style="classic")])
def test_every_piece_fits_in_one_place_only_and_no_problem_is_new(parameters: JigsawParameters) -> None:
    design = JigsawDesign(parameters)
    found = made_unique(design, 0.15, Progress())
    assert found.before.pairs == pairs(design, 0.15) > 0
    assert found.after.pairs == pairs(found.design, 0.15) == 0 and found.left == ()
    assert not problems(found.design) - problems(design)
    assert {*found.tongues} == {edit.name for edit in found.design.tongues}
    assert found.design.parameters == parameters and found.design.corners == ()
    assert all((edit.side, edit.plain, edit.style) == (None, None, None) for edit in found.design.tongues)


def test_the_sample_in_a_tray_fits_in_one_place_only() -> None:
    design = load(shipped("examples") / "keepsake-48.puzzle").design
    shapes = shape(design, None, SILENT)
    assert not problems(design) and false_fits(shapes, 0.15).pairs == 0
    assert len(shapes.drawing.pieces) == 48 and shapes.tray is not None and design.engravings[0].side == BACK


def test_only_ambiguous_tongues_are_reshaped() -> None:
    design = JigsawDesign(LARGE)
    before = false_fits(shape(design, None, SILENT), 0.15)
    names = before.known.shapes.tiling.edge_name
    ambiguous = {names(int(edge)) for edge in before.edges[before.others > 0]}
    found = made_unique(design, 0.15, Progress())
    assert {*found.tongues} <= ambiguous and 0 < len(found.tongues) < len(ambiguous)
    again = made_unique(found.design, 0.15, Progress())
    assert again.design == found.design and again.tongues == ()


def test_locked_tongues_and_straight_edges_stay_and_are_the_reason() -> None:
    names = [*shape(JigsawDesign(REGULAR), None, SILENT).tiling.edge_indices]
    locked = [name for name in names if "-" in name][:6]
    design = JigsawDesign(REGULAR).with_tongues(
        [
            *(TongueEdit(name, locked_seed=REGULAR.seed, size=0.25) for name in locked[:2]),
            *(TongueEdit(name, ruled=True) for name in locked[2:4]),
        ]
    )
    found = made_unique(design, 0.3, Progress())
    for name in locked[:4]:
        assert found.design.tongue(name) == design.tongue(name)
    left = pairs(found.design, 0.3)
    assert found.after.pairs == left > 0
    assert f"{left} false fit" in found.left[0] and "straight edge" in " ".join(found.left)


def test_devious_boards_have_more_false_fits_and_no_new_problems() -> None:
    design = JigsawDesign(BOARD).with_tongues([TongueEdit("C2-D2", locked_seed=BOARD.seed)])
    found = made_devious(design, 0.3, Progress())
    assert found.before.pairs == pairs(design, 0.3)
    assert found.after.pairs == pairs(found.design, 0.3) > found.before.pairs
    assert not problems(found.design) - problems(design)
    assert found.design.tongue("C2-D2") == design.tongue("C2-D2")


def test_only_chosen_tongues_become_devious() -> None:
    names = {"A1-A2", "B1-B2", "C1-C2", "D1-D2", "E1-E2", "F1-F2", "A2-A3", "B2-B3", "C2-C3", "D2-D3"}
    found = made_devious(JigsawDesign(replace(BOARD, perturbation=0.02)), 0.5, Progress(), names)
    assert found.tongues and {*found.tongues} <= names


def test_it_can_be_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        made_unique(JigsawDesign(REGULAR), 0.15, progress)
