"""Tongues are as large as their edge and its neighbours leave room for."""

from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import tiled
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape, shaped
from studio.puzzles.jigsaw.tongues.tongues import LEANING, PLACE, SIDE, SLANT, rooms_of
from tests.geometry.nets import disc, hexagons, joined, polygon, scaled

STRETCH = 1.25
BESIDE_EDGE = 2.5
BESIDE_TONGUE = 2**0.5

RIBBON: dict[str, Any] = {"tongue_style": "ribbon", "tongue_size": 0.28, "perturbation": 0.16}
CENTRED: dict[str, Any] = {"vary_place": 0.0, "vary_slant": 0.0}


def board(**parameters: Any) -> JigsawShapes:
    return shape(JigsawDesign(JigsawParameters(**RIBBON | parameters)), None, Progress())


def slowly(shapes: JigsawShapes) -> list[float]:
    """The rooms as they are stated, one tongue after another."""
    graph, table = shapes.tiling.graph, shapes.tongues
    lines = shapely.linestrings(shapes.corners[graph.edges])
    shares = (0.5 + table[:, PLACE] + LEANING * table[:, SLANT]).tolist()
    feet = shapely.line_interpolate_point(lines, shares, normalized=True)
    rooms = [np.inf] * len(lines)
    for face in range(graph.face_count):
        around = {*(graph.codes[graph.starts[face] : graph.starts[face + 1]] >> 1).tolist()}
        for edge in around:
            for other in around - {edge}:
                rooms[edge] = min(rooms[edge], BESIDE_EDGE * feet[edge].distance(lines[other]))
                if not graph.is_rim(other):
                    rooms[edge] = min(rooms[edge], BESIDE_TONGUE * feet[edge].distance(feet[other]))
    return rooms


@pytest.mark.parametrize(
    "tiling",
    [
        None,
        tiled(*disc(60, 3, 8)[0], rings=disc(60, 3, 8)[1]),
        tiled(*scaled(hexagons(4, 3), 14, 0, 0)),
        tiled(*joined(scaled(hexagons(3, 2), 20, 0, 0), polygon(7, 6, (17.3, 20)))),
    ],
    ids=["squares", "a disc", "hexagons", "an island"],
)
def test_the_room_of_a_tongue_is_what_the_nearest_edge_and_tongue_leave_it(tiling: Tiling | None) -> None:
    # A tongue made smaller beside others keeps the room that it had.
    shapes = board(seed=5, strong_necks=False)
    if tiling is not None:
        shapes = shaped(shapes.design, tiling)
    rooms = rooms_of(shapes.tiling.graph, shapes.corners, shapes.tongues, np.ones(len(shapes.tongues)))
    assert rooms == pytest.approx(slowly(shapes))
    assert np.array_equal(shapes.rooms, rooms)
    frames = shapes.frames(shapes.tiling.graph.inner_edges)
    assert (frames.room <= STRETCH * frames.length).all()


def test_on_a_regular_board_of_squares_a_tongue_has_the_room_of_its_edge() -> None:
    shapes = board(perturbation=0.0, **CENTRED)
    inner = shapes.tiling.graph.inner_edges
    assert shapes.frames(inner).room == pytest.approx(25.0)


def test_a_long_edge_between_short_ones_gets_no_giant() -> None:
    regular = board(columns=4, rows=4, width=160.0, height=40.0, perturbation=0.0, **CENTRED)
    frames = regular.frames(regular.tiling.graph.inner_edges)
    assert {10.0, 40.0} == {*frames.length.round(6).tolist()}
    assert frames.room[frames.length > 20] == pytest.approx(10.0 * 2**0.5)
    assert frames.room[frames.length < 20] == pytest.approx(10.0 * STRETCH)


def test_edits_leave_the_room_of_every_tongue_as_it_is() -> None:
    shapes = board()
    inner = shapes.tiling.graph.inner_edges.tolist()
    design = edits.with_tongues_flipped(shapes, inner[:9])
    design = design.with_tongues(edits.with_tongues_rolled(shapes, inner[9:30]).tongues)
    design = design.with_corners({"3,2": (0.4, -0.4), "5,4": (0.1, 0.2)})
    after = shape(design, shapes, Progress())
    assert np.array_equal(after.rooms, shapes.rooms)
    assert np.array_equal(shape(design, None, Progress()).rooms, shapes.rooms)
    assert (after.tongues[:, SIDE] != shapes.tongues[:, SIDE]).sum() >= 9


@pytest.mark.parametrize("style", ["classic", "article"])
def test_tongues_without_a_profile_keep_the_room_they_had(style: str) -> None:
    shapes = board(tongue_style=style)
    assert np.array_equal(shapes.rooms, shapes.tiling.across)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("style", ["ribbon", "heirloom", "earlet", "ball"])
@pytest.mark.parametrize("seed", range(30))
def test_large_tongues_of_an_irregular_board_do_not_meet(seed: int, style: str) -> None:
    shapes = board(seed=seed, tongue_style=style)
    assert check(shapes.design, shapes, None, Progress()).findings == ()
