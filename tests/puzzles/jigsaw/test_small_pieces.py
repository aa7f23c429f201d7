"""Fresh boards of any tiling, outline and size have strong necks, limits that their pieces can meet, few problems."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.checks.finding import Finding
from studio.files.store import dumps, loads
from studio.geometry.board.board_spec import FROM_FILE, HAND_CUT, OUTLINES, RINGS, VORONOI
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies
from studio.puzzles.jigsaw.model.tiling import sized
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks
from studio.puzzles.jigsaw.tongues.tongues import NECK
from tests.tilings import TILINGS

BEFORE: dict[str, Any] = {"strong_necks": False, "scale_limits": False}
"""The parameters as files have them that were written before there were any."""


def fresh(**chosen: object) -> JigsawShapes:
    return shape(JigsawDesign(JigsawParameters(**sized(chosen))), None, Progress())


def findings(shapes: JigsawShapes) -> tuple[Finding, ...]:
    return JIGSAW.check(shapes.design, shapes, None, Progress()).findings


@pytest.mark.sampled(6)
@pytest.mark.parametrize("tiling", TILINGS)
@pytest.mark.parametrize("pieces", [6, 100])
def test_fresh_boards_open_with_hardly_a_problem(tiling: str, pieces: int) -> None:
    for outline in set(OUTLINES) - {FROM_FILE}:
        found = findings(fresh(tiling=tiling, outline=outline, pieces=pieces))
        # Short edges around the middle of rings leave some walls thin.
        assert len(found) <= (6 if tiling == RINGS else 2), (outline, [one.message for one in found])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tiling", [VORONOI, HAND_CUT, RINGS])
def test_small_pieces_have_limits_that_they_can_meet(tiling: str) -> None:
    parameters = JigsawParameters(tiling=tiling, pieces=300)
    shapes = shape(JigsawDesign(parameters), None, Progress())
    # Around the middle of rings two pieces are also all but cut in two.
    assert len(findings(shapes)) <= (14 if tiling == RINGS else 12)
    before = shape(JigsawDesign(replace(parameters, **BEFORE)), None, Progress())
    assert len(findings(before)) > 100
    assert (before.limits.least_neck, before.limits.least_bridge) == (1.5, 1.0)


def test_limits_follow_the_size_of_pieces_down_to_what_a_beam_leaves() -> None:
    usual, small, tiny = (fresh(width=12.0 * each, height=6.0 * each).limits for each in (25.0, 10.0, 4.0))
    assert (usual.least_neck, usual.least_bridge, usual.least_area, usual.least_radius) == (1.5, 1.0, 40.0, 0.2)
    assert (small.least_neck, small.least_bridge, small.least_area, small.least_radius) == (1.0, 0.6, 25.0, 0.12)
    assert (tiny.least_neck, tiny.least_bridge, tiny.least_area, tiny.least_radius) == (0.6, 0.4, 4.0, 0.05)


def test_a_limit_that_was_set_holds_as_it_is() -> None:
    small = fresh(width=120.0, height=60.0, least_neck=1.4, least_area=100.0).limits
    assert (small.least_neck, small.least_area, small.least_bridge) == (1.4, 100.0, 0.6)


def test_limits_change_no_cut() -> None:
    parameters = JigsawParameters(tiling="voronoi", pieces=300)
    one, other = (shape(JigsawDesign(replace(parameters, least_neck=least)), None, Progress()) for least in (0.0, 8.0))
    assert np.array_equal(one.drawing.strokes.points, other.drawing.strokes.points)


def test_necks_are_widened_and_only_short_edges_become_straight() -> None:
    strong, before = fresh(tiling="rings", pieces=300), fresh(tiling="rings", pieces=300, strong_necks=False)
    inner, least = strong.tiling.graph.inner_edges, strong.limits.least_neck
    straight = inner[strong.plain[inner] & ~before.plain[inner]]
    assert 0 < len(straight) < 0.05 * len(inner)
    assert (strong.tiling.lengths[straight] < np.sqrt(strong.tiling.scale.prod())).all()

    def narrow(shapes: JigsawShapes) -> int:
        knobbed = inner[~shapes.plain[inner]]
        return len(narrow_necks(shapes.drawing.strokes.chosen(knobbed), least)[0])

    assert narrow(before) > 50 and narrow(strong) < 5


def test_a_drag_and_an_edit_give_the_board_made_from_nothing() -> None:
    shapes = fresh(tiling="hand-cut", outline="heart", pieces=80)
    rng = np.random.default_rng(3)
    for _ in range(12):
        corner = shapes.tiling.corner_name(int(rng.integers(shapes.tiling.graph.corner_count)))
        edge = shapes.tiling.edge_name(int(rng.choice(shapes.tiling.graph.inner_edges)))
        moved = shapes.design.with_corners({corner: tuple(rng.uniform(-0.3, 0.3, 2).tolist())})
        moved = moved.with_tongues([TongueEdit(edge, side=1, size=float(rng.uniform(0.1, 0.3)))])
        shapes = shape(moved, shapes, Progress())
        whole = shape(moved, None, Progress())
        assert np.array_equal(shapes.tongues, whole.tongues)
        assert np.array_equal(shapes.drawing.strokes.points, whole.drawing.strokes.points)


def test_an_edited_neck_stays_as_it_was_decided() -> None:
    shapes = fresh(tiling="rings", pieces=120)
    edge = int(np.flatnonzero(shapes.tongues[: len(shapes.rooms), NECK] > 1.2)[0])
    name = shapes.tiling.edge_name(edge)
    after = shape(shapes.design.with_tongues([TongueEdit(name, neck=0.8)]), shapes, Progress())
    assert after.tongues[edge, NECK] == 0.8 and not after.plain[edge]


def test_files_from_before_keep_cuts_and_limits() -> None:
    before = JigsawDesign(JigsawParameters(tiling="voronoi", pieces=200, exact=False, **BEFORE))
    text = dumps(JIGSAW, before).decode()
    assert not any(name in text for name in ("exact", "strong_necks", "scale_limits"))
    assert loads(text.encode()).design == before


def test_small_pieces_have_a_chamfer_that_their_walls_bear() -> None:
    board = shape(JigsawDesign(JigsawParameters(tiling="bricks", pieces=300)), None, Progress())
    assert board.limits.chamfer == pytest.approx(0.2) and board.design.parameters.chamfer == 0.3
    assert findings(board) == () and len(bodies(board, Progress())) == len(board.drawing.pieces)
    assert fresh(pieces=100).limits.chamfer == 0.3
