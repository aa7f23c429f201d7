"""Tracing finds every face once: counts by Euler's formula, areas that fill the board, half-edges used once."""

import random
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.graph import PlanarGraph, crossing, trace
from tests.depth import examples
from tests.geometry.nets import Net, delaunay, grid, hexagons, joined, scaled, voronoi

NETS = {
    "one square": grid(1, 1),
    "a row": grid(9, 1),
    "a column": grid(1, 9),
    "squares": grid(7, 5),
    "hexagons": hexagons(6, 5),
    "one hexagon": hexagons(1, 1),
    **{f"voronoi {seed}": voronoi(seed, 60) for seed in range(3)},
    **{f"delaunay {seed}": delaunay(seed, 60) for seed in range(3)},
}


def rings(net: Net, graph: PlanarGraph) -> list[Floats]:
    corners, edges = net
    return [
        corners[edges[codes >> 1, codes & 1]]
        for codes in (graph.codes[a:b] for a, b in zip(graph.starts[:-1], graph.starts[1:], strict=True))
    ]


def area(ring: Floats) -> float:
    x, y = ring.T
    return 0.5 * float(x @ np.roll(y, -1) - np.roll(x, -1) @ y)


@pytest.fixture(params=NETS)
def net(request: pytest.FixtureRequest) -> Net:
    return NETS[request.param]


def test_the_number_of_faces_follows_eulers_formula(net: Net) -> None:
    corners, edges = net
    assert trace(corners, edges).face_count == len(edges) - len(corners) + 1


def test_every_half_edge_belongs_to_one_face_or_to_the_rim(net: Net) -> None:
    graph = trace(*net)
    assert sorted([*graph.codes.tolist(), *graph.rim.tolist()]) == list(range(2 * len(net[1])))
    faces = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    assert np.array_equal(graph.sides.ravel()[graph.codes], faces)
    assert (graph.sides.ravel()[graph.rim] == -1).all()


def test_half_edges_of_a_face_and_of_the_rim_follow_each_other(net: Net) -> None:
    graph = trace(*net)
    loops = [graph.codes[a:b] for a, b in zip(graph.starts[:-1], graph.starts[1:], strict=True)]
    for codes in [*loops, graph.rim]:
        begins, ends = net[1][codes >> 1, codes & 1], net[1][codes >> 1, 1 - (codes & 1)]
        assert np.array_equal(ends, np.roll(begins, -1))


def test_faces_are_those_that_polygonize_finds_and_fill_the_rim(net: Net) -> None:
    corners, edges = net
    graph = trace(corners, edges)
    areas = [area(ring) for ring in rings(net, graph)]
    found = shapely.polygonize(shapely.linestrings(corners[edges])).geoms
    assert sorted(areas) == pytest.approx(sorted(face.area for face in found))
    assert min(areas) > 0
    outside = corners[edges[graph.rim >> 1, graph.rim & 1]]
    assert -area(outside) == pytest.approx(sum(areas))


def test_faces_are_numbered_as_one_reads(net: Net) -> None:
    centres = [ring.mean(0).round(6).tolist() for ring in rings(net, trace(*net))]
    assert [(y, x) for x, y in centres] == sorted((y, x) for x, y in centres)


def test_edges_at_corners_and_faces_at_edges_are_what_plain_loops_find(net: Net) -> None:
    corners, edges = net
    graph = trace(corners, edges)
    for chosen in ([0], [len(corners) - 1, 0], list(range(len(corners)))):
        expected = [i for i, ends in enumerate(edges.tolist()) if set(ends) & set(chosen)]
        assert graph.edges_at(np.array(chosen)).tolist() == expected
        faces = {face for edge in expected for face in graph.sides[edge].tolist() if face >= 0}
        assert graph.faces_at(np.array(expected)).tolist() == sorted(faces)
    assert graph.inner_edges.tolist() == [i for i, (a, b) in enumerate(graph.sides.tolist()) if a >= 0 and b >= 0]


def test_forty_thousand_squares_are_traced_with_all_their_areas() -> None:
    net = grid(200, 200)
    graph = trace(*net)
    assert graph.face_count == 40_000
    assert (np.diff(graph.starts) == 4).all()
    assert len(graph.rim) == 800
    assert len(graph.inner_edges) == len(net[1]) - 800


@pytest.mark.parametrize("seed", range(3))
def test_the_numbering_of_corners_and_edges_changes_no_face(seed: int) -> None:
    rng = np.random.default_rng(seed)
    corners, edges = voronoi(4, 40)
    order = rng.permutation(len(corners))
    fresh = np.empty_like(order)
    fresh[order] = np.arange(len(order))
    turned: NDArray[np.int64] = fresh[edges][rng.permutation(len(edges))]
    turned = np.where(rng.random(len(edges))[:, None] < 0.5, turned, turned[:, ::-1]).copy()
    before = [area(ring) for ring in rings((corners, edges), trace(corners, edges))]
    after = [area(ring) for ring in rings((corners[order], turned), trace(corners[order], turned))]
    assert after == pytest.approx(before)


def polygons(net: Net, graph: PlanarGraph) -> list[shapely.Polygon]:
    """Return the faces with their holes."""
    corners, edges = net
    bounds = np.sort(np.concatenate([graph.starts, graph.holes])).tolist()
    found: list[list[Floats]] = []
    for low, high in pairwise(bounds):
        codes = graph.codes[low:high]
        ring = corners[edges[codes >> 1, codes & 1]]
        if low in graph.holes.tolist():
            found[-1].append(ring)
        else:
            found.append([ring])
    return [shapely.Polygon(rings[0], rings[1:]) for rings in found]


NESTED = joined(
    scaled(grid(3, 3), 10, 0, 0),
    scaled(grid(2, 1), 2, 13, 14),  # an island of two squares in the middle cell
    scaled(hexagons(1, 1), 1, 25, 25),  # another in the last
    scaled(grid(4, 2), 5, 40, 3),
    scaled(grid(1, 1), 2, 41, 4),  # and one in the second board
    scaled(grid(1, 1), 1, 41.5, 4.5),  # with one of its own
)


def test_boards_and_islands_are_found_and_an_island_is_a_hole_of_the_face_around_it() -> None:
    graph = trace(*NESTED)
    assert graph.face_count == 9 + 2 + 1 + 8 + 1 + 1
    faces = polygons(NESTED, graph)
    assert [len(face.interiors) for face in faces].count(1) == 4 and len(graph.holes) == 4
    assert sum(face.area for face in faces) == pytest.approx(30 * 30 + 20 * 10)
    outside = [NESTED[0][NESTED[1][codes >> 1, codes & 1]] for codes in graph.rims]
    assert sorted(-area(ring) for ring in outside) == pytest.approx([200, 900])
    drawn = shapely.polygonize(shapely.linestrings(NESTED[0][NESTED[1]])).geoms
    assert sorted(face.area for face in faces) == pytest.approx(sorted(face.area for face in drawn))


def test_islands_side_by_side_lie_in_the_same_face() -> None:
    net = joined(scaled(grid(1, 1), 100, 0, 0), *(scaled(grid(1, 1), 4, 5 + 7 * at, 20 + at) for at in range(9)))
    graph = trace(*net)
    whole = polygons(net, graph)[np.diff(graph.starts).argmax()]
    assert len(whole.interiors) == 9 and whole.area == pytest.approx(100**2 - 9 * 16)


@settings(max_examples=examples(40, 500))
@given(
    shapes=st.lists(
        st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), min_size=3, max_size=3, unique=True).filter(
            lambda three: area(np.array(three, float)) != 0
        ),
        min_size=2,
        max_size=5,
    ),
    order=st.randoms(use_true_random=False),
)
def test_islands_whose_corners_are_at_one_height_lie_beside_each_other(
    shapes: list[list[tuple[int, int]]], order: random.Random
) -> None:
    placed = [np.array(three, float) + np.array([8.0 * at, 0.0]) for at, three in enumerate(shapes)]
    order.shuffle(placed)
    triangle = np.array([(0, 1), (1, 2), (2, 0)])
    square = scaled(grid(1, 1), 60, -10, -10)
    graph = trace(*joined(*((corners, triangle) for corners in placed)))
    assert graph.face_count == len(graph.rims) == len(shapes) and not len(graph.holes)
    around = joined(square, *((corners, triangle) for corners in placed))
    held = polygons(around, trace(*around))
    assert sum(face.area for face in held) == pytest.approx(60**2)
    assert max(len(face.interiors) for face in held) == len(shapes)


def test_a_face_that_is_given_away_is_a_hole_of_the_board() -> None:
    net = scaled(grid(3, 3), 10, 0, 0)
    ring = trace(*net).without(np.array([4]))
    assert ring.face_count == 8 and len(ring.rims) == 2 and len(ring.inner_edges) == 8
    assert sum(face.area for face in polygons(net, ring)) == pytest.approx(800)
    graph = trace(*NESTED)
    middle = int(np.flatnonzero([len(face.interiors) and face.area > 90 for face in polygons(NESTED, graph)])[0])
    hollow = graph.without(np.array([middle]))
    assert hollow.face_count == graph.face_count - 1 and len(hollow.rims) == len(graph.rims) + 2
    assert sum(face.area for face in polygons(NESTED, hollow)) == pytest.approx(1100 - 92)
    with pytest.raises(StudioError, match="cannot touch"):
        trace(*net).without(np.array([3, 4]))


@pytest.mark.parametrize(
    ("corners", "edges", "said"),
    [
        ([(0, 0), (1, 0), (2, 1)], [(0, 1), (1, 2)], "The cut at 0.50, 0.00 mm is loose"),
        ([(0, 0), (9, 0), (9, 9), (4, 2)], [(0, 1), (1, 2), (2, 0), (0, 3)], "The cut at 2.00, 1.00 mm is loose"),
        ([(0, 0), (9, 0), (9, 9), (4, 2)], [(0, 1), (1, 2), (2, 0)], "The cut at 4.00, 2.00 mm is loose"),
        ([(0, 0), (9, 0), (9, 9)], [(0, 1), (1, 2), (2, 0), (1, 0)], "Two cuts coincide at "),
        ([(0, 0), (9, 0), (9, 9), (5, 0)], [(0, 1), (1, 2), (2, 0), (0, 3), (3, 2)], "coincide at 0.00, 0.00 mm"),
        ([(0, 0), (9, 0), (9, 9), (9, 9)], [(0, 1), (1, 2), (2, 3), (3, 0)], "coincide at 9.00, 9.00 mm"),
    ],
)  # fmt: skip
def test_edges_that_fall_together_or_are_loose_are_named_with_their_place(
    corners: list[tuple[float, float]], edges: list[tuple[int, int]], said: str
) -> None:
    with pytest.raises(StudioError, match=said):
        trace(np.array(corners, float), np.array(edges))


def test_the_place_of_a_crossing_is_found(net: Net) -> None:
    assert crossing(*net) is None
    across = joined(net, (np.array([(-50.0, -50.0), (150.0, 150.3)]), np.array([(0, 1)])))
    place = crossing(*across)
    assert place is not None
    lines = shapely.linestrings(across[0][across[1]])
    assert (shapely.distance(lines, shapely.Point(place)) < 1e-6).sum() >= 2
