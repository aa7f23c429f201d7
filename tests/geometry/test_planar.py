"""Tracing finds every face once: counts by Euler's formula, areas that fill the board, half-edges used once."""

from itertools import pairwise

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from studio.errors import StudioError
from studio.geometry.curves import Floats, Ints
from studio.geometry.planar import PlanarGraph, trace

Net = tuple[Floats, Ints]


def grid(columns: int, rows: int) -> Net:
    """Return unit squares."""
    corners = np.array([(x, y) for y in range(rows + 1) for x in range(columns + 1)], float)
    number = {(int(x), int(y)): i for i, (x, y) in enumerate(corners.tolist())}
    edges = [
        (i, number[after])
        for (x, y), i in number.items()
        for after in ((x + 1, y), (x, y + 1))
        if after in number
    ]  # fmt: skip
    return corners, np.array(edges, np.int64)


def net_of(polygons: list[shapely.Polygon]) -> Net:
    """Return corners and edges of polygons that share their sides."""
    places: dict[tuple[float, float], int] = {}
    edges: set[tuple[int, int]] = set()
    for polygon in polygons:
        ring = [places.setdefault((round(x, 6), round(y, 6)), len(places)) for x, y in polygon.exterior.coords]
        edges |= {(min(a, b), max(a, b)) for a, b in pairwise(ring) if a != b}
    return np.array(list(places), float), np.array(sorted(edges), np.int64)


def hexagons(columns: int, rows: int) -> Net:
    """Return a honeycomb."""
    turns = np.arange(6) * np.pi / 3 + np.pi / 6
    ring = np.stack([np.cos(turns), np.sin(turns)], 1)
    centres = [(np.sqrt(3) * (x + 0.5 * (y % 2)), 1.5 * y) for y in range(rows) for x in range(columns)]
    return net_of([shapely.Polygon(ring + centre) for centre in centres])


def voronoi(seed: int, count: int) -> Net:
    """Return the Voronoi cells of random points within a square, cut off at its sides."""
    points = np.random.default_rng(seed).uniform(0, 100, (count, 2))
    square = shapely.box(0, 0, 100, 100)
    cells = shapely.voronoi_polygons(shapely.MultiPoint(points), extend_to=square)
    return net_of([shapely.set_precision(cell.intersection(square), 1e-4) for cell in cells.geoms])


def delaunay(seed: int, count: int) -> Net:
    """Return the Delaunay triangles of random points."""
    points = np.random.default_rng(seed).uniform(0, 100, (count, 2))
    return net_of(list(shapely.delaunay_triangles(shapely.MultiPoint(points)).geoms))


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


def test_cuts_that_do_not_hang_together_are_refused_in_a_sentence() -> None:
    corners, edges = grid(1, 1)
    apart = np.concatenate([corners, corners + 5]), np.concatenate([edges, edges + 4])
    with pytest.raises(StudioError, match="must hang together"):
        trace(*apart)


def test_cuts_that_enclose_nothing_are_refused_in_a_sentence() -> None:
    with pytest.raises(StudioError, match="must hang together"):
        trace(np.array([[0.0, 0], [1, 0], [2, 1]]), np.array([[0, 1], [1, 2]]))
