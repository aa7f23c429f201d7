"""Fresh boards of any tiling, outline and size have strong necks, limits that their pieces can meet, few problems."""

import hashlib
import random
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.checks.finding import Finding, errors_of
from studio.files.store import dumps, loads
from studio.geometry.board.board_spec import FROM_FILE, HAND_CUT, OUTLINES, RINGS, VORONOI
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.edits import with_newest_layout
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies
from studio.puzzles.jigsaw.model.tiling import sized
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks
from studio.puzzles.jigsaw.tongues.styles import MIXED, OWN, TITLES
from studio.puzzles.jigsaw.tongues.tongues import NECK, PLAIN, SIZE
from tests.tilings import TILINGS

BEFORE: dict[str, Any] = {"strong_necks": False, "scale_limits": False, "layout_version": 1}
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
        # Sharp corners where cuts meet the border, and the notch of a heart, are left of some boards.
        most = 1 + (tiling == RINGS) + (outline == "heart")
        assert len(found) <= most, (outline, [one.message for one in found])


def test_few_pieces_in_rings_reach_the_border_of_an_ellipse() -> None:
    for pieces, seed in product((5, 6, 7, 9), range(3)):
        shapes = fresh(tiling=RINGS, outline="ellipse", pieces=pieces, seed=seed)
        assert not findings(shapes) and len(shapes.drawing.pieces) == pieces
        assert len(shapes.tiling.border_faces) == pieces - 1, "one is in the middle"


def test_nine_of_ten_fresh_boards_of_any_kind_open_with_no_problem_and_none_with_an_error() -> None:
    chance, clean, knobbed = random.Random(46), 0, list[bool]()
    for _ in range(40):
        tiling, outline = chance.choice([*TILINGS]), chance.choice(sorted(set(OUTLINES) - {FROM_FILE}))
        style, pieces = chance.choice([*TITLES, MIXED]), chance.choice([6, 12, 24, 54, 120])
        style = style if style != OWN else MIXED
        shapes = fresh(tiling=tiling, outline=outline, tongue_style=style, pieces=pieces, seed=chance.randrange(1000))
        found = findings(shapes)
        assert not errors_of(found), (tiling, outline, style, pieces, [one.message for one in found])
        clean += not found
        knobbed += (shapes.tongues[shapes.tiling.inner_edges, PLAIN] < 1).tolist()
    assert clean >= 36 and np.mean(knobbed) > 0.8


def test_tongues_beside_others_become_smaller_before_they_become_straight() -> None:
    shapes = fresh(tiling=RINGS, pieces=300, seed=2)
    eased = shapes.eased
    assert eased is not None
    is_straight = eased.tongues[:, PLAIN] >= 1
    assert is_straight.sum() < 0.5 * len(is_straight)
    before = fresh(tiling=RINGS, pieces=300, seed=2, layout_version=1)
    rest = np.setdiff1d(shapes.tiling.inner_edges, eased.edges)
    for edges, largest in ((eased.edges[~is_straight], 0.9), (rest, 1.0)):
        names = [name for name in map(shapes.tiling.edge_name, edges.tolist()) if name in before.tiling.edge_indices]
        now, then = (
            each.tongues[[each.tiling.edge_indices[name] for name in names], SIZE] for each in (shapes, before)
        )
        assert len(names) > len(edges) / 2 and (now <= largest * then).all()


def test_edited_tongues_keep_what_was_edited_and_a_drag_does_not_ease_others() -> None:
    shapes = fresh(tiling=RINGS, pieces=120, seed=2)
    assert shapes.eased is not None
    edge = int(shapes.eased.edges[0])
    name = shapes.tiling.edge_name(edge)
    design = shapes.design.with_tongues([TongueEdit(name, size=0.3, plain=False)])
    edited = shape(design, shapes, Progress())
    assert edited.tongues[edge, SIZE] == 0.3
    assert not edited.plain[edge]
    others = np.delete(np.arange(len(edited.tongues)), edge)
    assert np.array_equal(edited.tongues[others], shapes.tongues[others])
    anew = shape(design, None, Progress())
    assert np.array_equal(anew.drawing.strokes.points, edited.drawing.strokes.points)
    rolled = shape(shapes.design.with_tongues([TongueEdit(name, rolls=1)]), shapes, Progress())
    bare = fresh(tiling=RINGS, pieces=120, seed=2, strong_necks=False)
    assert rolled.tongues[edge, SIZE] != shapes.tongues[edge, SIZE] != bare.tongues[edge, SIZE]


@pytest.mark.parametrize(
    ("chosen", "digest"),
    [
        ({"pieces": 120, "outline": "heart"}, "4f90ece85e1d"),
        ({"pieces": 60, "tiling": "rings", "outline": "polygon"}, "f340e46d8d23"),
        ({"pieces": 80, "tiling": "triangles", "tongue_style": "mixed"}, "c42cc66a94d9"),
        ({"pieces": 90, "tiling": "voronoi", "outline": "ellipse", "tongue_style": "ball"}, "dc1f18a20e1c"),
        ({"pieces": 100, "tiling": "hand-cut", "outline": "arch"}, "fd08685f4ee9"),
        ({"pieces": 500, "tiling": "bricks", "tongue_style": "heirloom"}, "8a87c4b664c7"),
    ],
)
def test_boards_of_the_first_layout_are_cut_as_before(chosen: dict[str, Any], digest: str) -> None:
    shapes = shape(JigsawDesign(JigsawParameters(layout_version=1, seed=3, **chosen)), None, Progress())
    text = str(np.round(shapes.drawing.strokes.points, 4).tolist())
    assert hashlib.sha256(text.encode()).hexdigest().startswith(digest)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("tiling", [VORONOI, HAND_CUT, RINGS])
def test_small_pieces_have_limits_that_they_can_meet(tiling: str) -> None:
    parameters = JigsawParameters(tiling=tiling, pieces=300)
    shapes = shape(JigsawDesign(parameters), None, Progress())
    assert len(findings(shapes)) <= 1
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
    assert not any(name in text for name in ("exact", *BEFORE))
    assert loads(text.encode()).design == before


def test_small_pieces_have_a_chamfer_that_their_walls_bear() -> None:
    board = shape(JigsawDesign(JigsawParameters(tiling="bricks", pieces=300, exact=False)), None, Progress())
    assert board.limits.chamfer == pytest.approx(0.2) and board.design.parameters.chamfer == 0.3
    assert findings(board) == () and len(bodies(board, Progress())) == len(board.drawing.pieces)
    assert fresh(pieces=100).limits.chamfer == 0.3


def test_a_file_of_before_gets_the_newest_layout_by_an_edit() -> None:
    old = replace(JigsawDesign(), parameters=JigsawParameters(layout_version=1)).with_corners({"1,1": (0.1, 0.0)})
    assert loads(dumps(JIGSAW, old)).design == old
    newest = with_newest_layout(old, Progress())
    assert newest.design == replace(old, parameters=JigsawParameters()) and not newest.dropped
