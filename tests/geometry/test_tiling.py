"""Any division of a board: unique names that outlive a change, joints, tracks, incentres, and what is refused."""

from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.geometry.board.tiling import FIXED, FREE, Tiling, distinguished, polygons_of
from studio.geometry.board.tiling_construction import rectangular, tiled
from studio.geometry.curves.strokes import Floats, Ints
from tests.depth import examples
from tests.geometry.nets import (
    Net,
    circle,
    delaunay,
    disc,
    grid,
    hexagons,
    joined,
    polygon,
    ring_of,
    scaled,
    voronoi,
)  # fmt: skip

FIGURE = joined(scaled(grid(2, 1), 20, 0, 0), polygon(6, 8, (20, 10)))
"""Two squares, and an octagon whose corners lie on either side of the line between them."""


def crossed() -> Net:
    """Two squares with an octagon across the line between them, which ends where it meets the octagon."""
    corners, edges = FIGURE
    top, bottom, north, south = 1, 4, 6 + 6, 6 + 2
    middle = [at for at, ends in enumerate(edges.tolist()) if set(ends) == {top, bottom}]
    return corners, np.concatenate([np.delete(edges, middle, axis=0), [(top, north), (south, bottom)]])


def inner_names(tiling: Tiling) -> list[str]:
    return [tiling.edge_name(edge) for edge in tiling.graph.inner_edges.tolist()]


def test_a_figure_across_a_cut_gives_every_edge_a_name_of_its_own() -> None:
    tiling = tiled(
        *crossed(), names=lambda circles: ["F" if abs(x - 20) < 1 else "A" if x < 20 else "B" for x, *_ in circles]
    )
    assert sorted(tiling.piece_names) == ["A", "B", "F"]
    between = [f"{one}{number}" for one in ("A-F", "B-F") for number in ("", ".2", ".3", ".4")]
    assert sorted(inner_names(tiling)) == sorted(["A-B", "A-B.2", *between])
    assert all(tiling.edge_indices[tiling.edge_name(edge)] == edge for edge in tiling.graph.inner_edges.tolist())


def test_names_that_are_the_same_are_told_apart_in_the_order_of_their_keys() -> None:
    assert distinguished(["C4", "D4", "C4", "C4"], [[7], [1], [3], [5]]) == ["C4.3", "D4", "C4", "C4.2"]


def random_net(kind: str, seed: int) -> Net:
    """Return a board, with an island where the kind says so."""
    net = {"voronoi": voronoi, "delaunay": delaunay}[kind.split()[0]](seed, 20)
    if "island" not in kind:
        return net
    tiling = tiled(*net)
    x, y, radius = tiling.incentres[tiling.incentres[:, 2].argmax()].tolist()
    return joined(net, polygon(radius / 2, 5, (x, y)))


NETS = st.tuples(st.sampled_from(["voronoi", "delaunay", "voronoi island", "delaunay island"]), st.integers(0, 200))


@settings(max_examples=examples(15, 400))
@given(NETS)
def test_every_name_is_one_of_its_own_and_faces_fill_the_outline(drawn: tuple[str, int]) -> None:
    tiling = tiled(*random_net(*drawn))
    graph = tiling.graph
    assert len({*tiling.piece_names}) == graph.face_count
    assert len({*inner_names(tiling)}) == len(graph.inner_edges)
    assert [tiling.edge_indices[name] for name in inner_names(tiling)] == graph.inner_edges.tolist()
    assert len({*tiling.edge_keys.tolist()}) == len(graph.edges)
    faces = polygons_of(graph, tiling.homes)
    assert shapely.area(faces).sum() == pytest.approx(tiling.outline.region.area, rel=1e-6)
    some = np.random.default_rng(drawn[1]).permutation(graph.face_count)[: graph.face_count // 2 + 1]
    assert shapely.equals_exact(polygons_of(graph, tiling.homes, some), faces[some]).all()
    assert not len(polygons_of(graph, tiling.homes, some[:0]))
    middles = shapely.points(tiling.incentres[:, :2])
    assert shapely.contains(faces, middles).all()
    gaps = shapely.distance(middles, shapely.boundary(faces))
    assert np.allclose(gaps, tiling.incentres[:, 2], atol=2e-3 * tiling.scale.min())


@settings(max_examples=examples(15, 400))
@given(NETS)
def test_names_outlive_a_change_of_another_part(drawn: tuple[str, int]) -> None:
    corners, edges = random_net(*drawn)
    before = tiled(corners, edges)
    ids = np.arange(len(corners))
    graph = before.graph
    large = [face for face, count in enumerate(np.diff(graph.starts).tolist()) if 4 <= count <= 12]
    holes = {int(np.searchsorted(graph.starts, hole, side="right")) - 1 for hole in graph.holes.tolist()}
    split = next((face for face in large if face not in holes), None)
    if split is None:
        x, y, radius = before.incentres[0].tolist()
        changed = joined((corners, edges), polygon(radius / 3, 3, (x, y)))
        after, split = tiled(*changed), 0
    else:
        codes = graph.codes[graph.starts[split] : graph.starts[split + 1]]
        own = graph.edges[codes >> 1, codes & 1]
        after = tiled(corners, np.concatenate([edges, [[own[0], own[2]]]]), ids=ids)
    assert after.graph.face_count == graph.face_count + 1
    gone = {before.piece_name(split)}
    kept = {*before.piece_names} - gone
    assert kept <= {*after.piece_names}
    for name, edge in before.edge_indices.items():
        if split not in graph.sides[edge].tolist():
            now = after.edge_indices[name]
            assert after.homes[after.graph.edges[now]].tolist() == before.homes[graph.edges[edge]].tolist()
            assert after.edge_keys[now] == before.edge_keys[edge]


def test_ids_and_not_places_in_the_list_give_names_and_keys() -> None:
    corners, edges = voronoi(3, 20)
    order = np.random.default_rng(1).permutation(len(corners))
    fresh = np.empty_like(order)
    fresh[order] = np.arange(len(order))
    one, other = tiled(corners, edges), tiled(corners[order], fresh[edges], ids=order)
    assert sorted(one.piece_names) == sorted(other.piece_names) and {*inner_names(one)} == {*inner_names(other)}
    assert sorted(one.joints.keys.tolist()) == sorted(other.joints.keys.tolist())
    assert sorted(one.edge_keys.tolist()) == sorted(other.edge_keys.tolist())


def ends(tiling: Tiling, code: int) -> tuple[int, int]:
    begin, end = tiling.graph.edges[code >> 1].tolist()
    return (end, begin) if code & 1 else (begin, end)


@pytest.mark.parametrize("net", [grid(4, 3), hexagons(3, 3), delaunay(1, 30), disc(50, 3, 8)[0], crossed()])
def test_chains_hold_every_inner_edge_once_and_run_on_through_joints(net: Net) -> None:
    tiling = tiled(*net)
    codes = [chain.tolist() for chain in tiling.chains]
    assert sorted(code >> 1 for chain in codes for code in chain) == tiling.graph.inner_edges.tolist()
    for chain in codes:
        assert all(ends(tiling, one)[1] == ends(tiling, other)[0] for one, other in pairwise(chain))
    joined_up = sum(len(chain) - 1 for chain in codes) + sum(
        shut and tiling.joints.at[chain[0] >> 1, chain[0] & 1] >= 0
        for shut, chain in zip(tiling.are_closed(tiling.chains), tiling.chains, strict=True)
    )
    assert joined_up == len(tiling.joints.keys)


def test_three_cuts_may_run_on_through_one_corner() -> None:
    corners, edges = disc(30, 2, 6)[0]
    tiling = tiled(corners, edges)
    assert np.isin(tiling.joints.at[(tiling.graph.edges == 0).any(axis=1)], [-1], invert=True).any(axis=1).all()
    assert [*tiling.joints.keys.tolist()].count(0) == 1  # of the corner with the id 0, keys 0, 1 and 2
    assert {0, 1, 2} <= {*tiling.joints.keys.tolist()}
    given = tiled(corners, edges, joints=[])
    assert len(given.joints.keys) == 0 and len(given.chains) == len(given.graph.inner_edges)


def test_a_lattice_and_the_same_board_as_any_tiling_agree() -> None:
    known = rectangular(4, 3, 80.0, 60.0)
    tiling = tiled(*scaled(grid(4, 3), 20, 0, 0))
    assert np.allclose(np.sort(tiling.incentres, axis=0), np.sort(known.incentres, axis=0), atol=0.05)
    assert sorted(tiling.tracks.tolist()).count(FREE) == sorted(known.tracks.tolist()).count(FREE) == 6
    assert tiling.tracks.tolist().count(FIXED) == 4 and len(tiling.outline.stretches) == 4
    assert len(tiling.chains) == len(known.chains) == 5
    assert tiling.scale.tolist() == [20, 20] and np.allclose(tiling.across, 20, atol=0.05)


def test_corners_of_a_disc_slide_on_its_ring_and_keep_on_it() -> None:
    net, rings = disc(60, 3, 8)
    tiling = tiled(*net, rings=rings)
    rim = np.flatnonzero(tiling.tracks >= 0)
    assert len(rim) == 8 and (tiling.tracks != FIXED).all() and len(tiling.outline.stretches) == 1
    reached = tiling.reached(rim, np.random.default_rng(2).uniform(-40, 160, (8, 2)))
    assert np.allclose(np.hypot(*(reached - 60).T), 60, atol=0.05)
    middle = tiling.reached(np.array([0]), np.array([[200.0, 60.0]]))
    assert np.allclose(middle, [[120, 60]], atol=0.05)
    assert np.allclose(tiling.inward[rim], (60 - tiling.homes[rim]) / 60, atol=1e-3)


@pytest.mark.parametrize("voids", [[(15.0, 15.0)], [(15.0, 15.0), (35.0, 15.0)]])
def test_faces_may_be_holes_of_the_board(voids: list[tuple[float, float]]) -> None:
    tiling = tiled(*scaled(grid(5, 3), 10, 0, 0), voids=voids)
    assert tiling.graph.face_count == 15 - len(voids)
    assert tiling.outline.region.area == pytest.approx(1500 - 100 * len(voids))
    assert not tiling.outline.region.contains(shapely.Point(voids[0]))


SQUARES: Net = scaled(grid(2, 1), 20, 0, 0)


def with_edge(net: Net, first: int, second: int, place: tuple[float, float] = (33.0, 7.0)) -> Net:
    """Return a net with another corner and an edge."""
    return np.concatenate([net[0], [place]]), np.concatenate([net[1], [(first, second)]])


@pytest.mark.parametrize(
    ("net", "more", "said"),
    [
        (with_edge(SQUARES, 0, 6), {}, r"Two cuts cross at 20\.00, 4\.24 mm"),
        (with_edge(SQUARES, 5, 6), {}, "is loose: it does not separate two pieces"),
        (joined(SQUARES, SQUARES), {}, "Two cuts "),
        (SQUARES, {"voids": [(99.0, 5.0)]}, r"no piece at 99\.00, 5\.00 mm"),
        (SQUARES, {"voids": [(5.0, 5.0), (25.0, 5.0)]}, "cannot touch"),
        (SQUARES, {"ids": np.zeros(6, np.int64)}, "a unique id"),
        (SQUARES, {"rings": [circle(30, (20, 10))]}, "is not on the outline"),
        (SQUARES, {"rings": [ring_of([(0, 0), (30, 0), (40, 0), (40, 20), (0, 20), (0, 9)])]}, None),
        (SQUARES, {"joints": [(0, 0)]}, "does not join two cuts"),
        (disc(20, 1, 4)[0], {"rings": [ring_of([(40, 20), (40, 40), (20, 40), (0, 20), (20, 0)])]}, "must be one"),
    ],
)  # fmt: skip
def test_what_is_no_tiling_is_refused_with_its_place(net: Net, more: dict[str, object], said: str | None) -> None:
    if said is None:
        assert tiled(*net, **more).graph.face_count == 2  # type: ignore[arg-type]
        return
    with pytest.raises(StudioError, match=said):
        tiled(*net, **more)  # type: ignore[arg-type]


def test_a_border_that_cuts_off_a_bend_of_the_outline_is_refused() -> None:
    corners: Floats = np.array([(0.0, 0), (10, 0), (20, 10), (20, 20), (0, 20), (0, 10)])
    edges: Ints = np.array([(at, (at + 1) % 6) for at in range(6)] + [(5, 3)])
    tiling = tiled(corners, edges)
    assert tiling.graph.face_count == 2
    with pytest.raises(StudioError, match=r"20\.00, 0\.00 mm must be one of the tiling's"):
        tiled(corners, edges, rings=[ring_of([(0, 0), (20, 0), (20, 20), (0, 20)])])
