"""Arrangements: lines of any drawing made into curves that meet only at their ends, held against shapely's polygons."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.geometry.board.drawn import recognised
from studio.geometry.curves.strokes import Floats, through
from studio.geometry.planar.arrangement import FLATNESS, Arrangement, arranged
from studio.geometry.planar.graph import trace

GAP = 0.05
PLACES = st.tuples(st.integers(-8, 8), st.integers(-8, 8))


def line(*places: tuple[float, float]) -> Floats:
    return through(np.array(places, float))


SQUARE = line((0, 0), (30, 0), (30, 20), (0, 20), (0, 0))


def circle(x: float, y: float, radius: float) -> Floats:
    handle = radius * 4 / 3 * np.tan(np.pi / 8)
    right, down = np.array([1.0, 0.0]), np.array([0.0, 1.0])
    points = [right * radius]
    for one, other in ((right, down), (down, -right), (-right, -down), (-down, right)):
        points += [one * radius + other * handle, other * radius + one * handle, other * radius]
    moved: Floats = np.array(points) + np.array([x, y])
    return moved


def areas(found: Arrangement) -> Floats:
    flat = found.curves.flattened(FLATNESS)
    graph = trace(found.nodes, found.ends, flat)
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    return np.sort(np.bincount(owners, flat.sweeps[graph.codes >> 1] * np.where(graph.codes & 1, -1, 1)))


def test_lines_are_split_where_they_cross_and_meet() -> None:
    found = arranged([SQUARE, line((10, 0), (10, 20)), line((0, 10), (30, 10))], GAP)
    assert areas(found) == pytest.approx([100, 100, 200, 200])
    assert len(found.curves) == 8
    assert not found.loose and not len(found.doubled) and not len(found.gaps)


def test_ends_that_nearly_meet_are_joined_and_their_gaps_are_told() -> None:
    found = arranged([SQUARE, line((10, 0.03), (10, 19.96)), line((20, -0.02), (20, 20.04))], GAP)
    assert areas(found) == pytest.approx([200, 200, 200], abs=1.0)
    assert sorted(found.gaps.tolist()) == pytest.approx([0.03, 0.04])
    apart = arranged([SQUARE, line((10, 0.2), (10, 20))], GAP)
    assert areas(apart) == pytest.approx([600])
    (loose,) = apart.loose
    assert loose[[0, -1]] == pytest.approx(np.array([[10, 0.2], [10, 20]]))


@pytest.mark.parametrize("short", [1.8, -1.8])
@pytest.mark.parametrize("is_ring", [False, True])
def test_an_end_is_moved_to_a_line_that_goes_on_and_never_bends_it(short: float, *, is_ring: bool) -> None:
    corners = [(0, 0), (120, 0), (120, 80), (0, 80), (0, 0)]
    sides = [line(one, other) for one, other in pairwise(corners)]
    found = arranged([*([line(*corners)] if is_ring else sides), line((60, short), (60, 80))], 2.0)
    assert areas(found) == pytest.approx([4800, 4800])
    x, y = found.curves.points.T.round(9)
    assert (np.isin(x, [0, 60, 120]) | np.isin(y, [0, 80])).all() and y.min() == 0
    assert found.gaps == pytest.approx([1.8] if short > 0 else [])


def test_ends_that_overshoot_within_the_rounding_of_a_file_meet_on_the_line() -> None:
    # Three lines of the isometric grid that Inkscape draws end 0.3 µm beyond its border.
    x, y, place = 132 + 7 / 24, 152.75733, (132.292, 8.40165)
    border = line((0, 0), (x, 0), (x, y), (0, y), (0, 0))
    found = arranged([border, line((0, 84.7803), place), line(place, (117.74, 0))], GAP)
    wanted = [(x - 117.74) * place[1] / 2, x * (y - 84.7803) + x * (84.7803 - place[1]) / 2]
    assert not found.loose and sorted(found.curves.counts.tolist()) == [4, 4, 7, 7, 10]
    assert areas(found) == pytest.approx(sorted([*wanted, x * y - sum(wanted)]), abs=0.05)


def test_what_is_drawn_twice_is_kept_once_also_in_part_and_backwards() -> None:
    cut = line((10, 0), (10, 20))
    for again in (cut, cut[::-1], line((10, 0), (10, 7)), line((10, 4), (10, 11)), line((10, -0.0), (10.01, 20))):
        found = arranged([SQUARE, cut, again], GAP)
        assert areas(found) == pytest.approx([200, 400], abs=0.2)
        assert len(found.doubled) == 1 and not found.loose and len(found.curves) == 3


def test_stumps_and_bridges_are_left_out_with_their_places() -> None:
    ring = circle(15, 10, 4)
    found = arranged([SQUARE, ring, line((0, 10), (11, 10)), line((3, 3), (6, 7)), line((25, 20), (25, 14))], GAP)
    assert areas(found) == pytest.approx([np.pi * 16, 600 - np.pi * 16], abs=0.1)
    ends = sorted(np.round(curve[[0, -1]]).tolist() for curve in found.loose)
    assert ends == [[[0, 10], [11, 10]], [[3, 3], [6, 7]], [[25, 20], [25, 14]]]


@pytest.mark.parametrize(("kind", "words"), [("apart", "boards apart"), ("same", "too many"), ("fan", "no piece")])
def test_many_lines_are_read_or_refused_without_a_hang(kind: str, words: str) -> None:
    random = np.random.default_rng(1)
    begins = random.uniform(0, 400, (12_000, 2)) if kind == "apart" else np.full((12_000, 2), 200.0)
    steps = random.uniform(-2, 2, begins.shape) if kind == "apart" else np.full(begins.shape, 90.0)
    if kind == "fan":
        turns = np.linspace(0, np.pi, len(begins), endpoint=False)
        steps = 150 * np.stack([np.cos(turns), np.sin(turns)], 1)
    lines = [line(tuple(begin), tuple(begin + step)) for begin, step in zip(begins, steps, strict=True)]
    with pytest.raises(StudioError, match=words):
        recognised(lines, GAP)


def test_curves_are_split_exactly_and_touching_ones_stay_in_order() -> None:
    one, other = circle(10, 10, 8), circle(18, 10, 8)
    found = arranged([one, other], GAP)
    lens = 2 * 64 * np.arccos(0.5) - 4 * np.sqrt(4 * 64 - 64)
    assert areas(found) == pytest.approx([lens, np.pi * 64 - lens, np.pi * 64 - lens], rel=2e-3)
    for stroke in (found.curves[at] for at in range(len(found.curves))):
        points = shapely.points(stroke[::3])
        rings = shapely.linestrings(np.array([*arranged([one], GAP).curves.flattened(1e-4).points]))
        away = shapely.linestrings(arranged([other], GAP).curves.flattened(1e-4).points)
        assert (np.minimum(shapely.distance(points, rings), shapely.distance(points, away)) < 1e-3).all()
    # Two arcs that leave a corner in the same direction.
    base = line((0, 0), (10, 0))
    arcs = [np.array([(0, 0), (3, 0), (7, high), (10, high)], float) for high in (1.0, 3.0)]
    closing = line((10, 0), (10, 3))
    touching = arranged([base, *arcs, closing], GAP)
    assert areas(touching) == pytest.approx([5, 10], abs=0.01)


def test_a_dot_a_ring_alone_and_nothing_at_all() -> None:
    assert not len(arranged([], GAP).curves)
    assert not len(arranged([line((1, 1), (1, 1))], GAP).curves)
    ring = arranged([circle(0, 0, 5)], GAP)
    assert len(ring.curves) == 2 and areas(ring) == pytest.approx([np.pi * 25], rel=1e-3)


def test_a_scribble_that_crosses_itself_thousands_of_times_is_refused() -> None:
    places = np.random.default_rng(3).uniform(0, 1000, (6000, 2))
    with pytest.raises(StudioError, match="too many of its lines cross"):
        arranged([through(places)], GAP)


@given(st.lists(st.tuples(PLACES, PLACES).filter(lambda pair: pair[0] != pair[1]), min_size=1, max_size=9))
def test_any_lines_enclose_what_shapely_finds(pairs: list[tuple[tuple[int, int], tuple[int, int]]]) -> None:
    lines = [line(*pair) for pair in pairs]
    noded = shapely.node(shapely.multilinestrings([[*pair] for pair in pairs]))
    polygons = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
    # Crossings closer than the gap, or at a flat angle, are one place for a laser.
    nodes = shapely.points(np.unique(np.round(shapely.get_coordinates(noded), 6), axis=0))
    tree = shapely.STRtree(nodes)
    near = tree.query(nodes, predicate="dwithin", distance=4 * GAP)
    touching = tree.query(shapely.get_parts(noded), predicate="dwithin", distance=4 * GAP)
    if near.shape[1] > len(nodes) or touching.shape[1] > 2 * len(shapely.get_parts(noded)):
        return
    found = arranged(lines, GAP)
    assert areas(found) == pytest.approx(np.sort(shapely.area(polygons)), abs=1e-6)
