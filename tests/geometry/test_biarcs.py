"""Curves as arcs: within the tolerance both ways, without corners where the curves have none, and few."""

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.geometry.curves.biarcs import Arcs, biarcs
from studio.geometry.curves.strokes import Curves, Floats, closed_through, straight
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from tests.classic import classic
from tests.depth import examples

TOLERANCE = 0.01


def arcs_of(strokes: list[Floats], tolerance: float = TOLERANCE, closed: bool = False) -> Arcs:
    """One chain of some strokes as arcs."""
    curves, count = Curves.from_strokes(strokes), len(strokes)
    return biarcs(curves, 2 * np.arange(count), np.array([0, count]), np.array([closed]), tolerance)


def followed(points: Floats, count: int) -> Floats:
    """Places on a run of cubics, by Bernstein polynomials."""
    t = np.linspace(0, 1, count)[:, None]
    parts = [points[at : at + 4] for at in range(0, len(points) - 1, 3)]
    return np.concatenate(
        [(1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d for a, b, c, d in parts]
    )


def places_on(vertices: Floats, bulges: Floats, count: int) -> Floats:
    """Places on arcs, by the middle and the radius of each circle."""
    found = [vertices[:1]]
    for (x, y), (u, v), bulge in zip(vertices[:-1], vertices[1:], bulges, strict=False):
        if bulge:
            angle, rise = 4 * math.atan(bulge), (1 - bulge**2) / (4 * bulge)
            middle = np.array([(x + u) / 2 - (v - y) * rise, (y + v) / 2 + (u - x) * rise])
            radius, first = math.hypot(x - middle[0], y - middle[1]), math.atan2(y - middle[1], x - middle[0])
            turns = first + angle * np.arange(1, count) / count
            found.append(middle + radius * np.stack([np.cos(turns), np.sin(turns)], 1))
        found.append(np.array([[u, v]]))
    return np.concatenate(found)


def farthest(places: Floats, line: Floats) -> float:
    """Largest distance in mm of places from a polyline."""
    tree = shapely.STRtree(shapely.linestrings(np.stack([line[:-1], line[1:]], 1)))
    return float(tree.query_nearest(shapely.points(places), return_distance=True, all_matches=False)[1].max())


def worst(points: Floats, vertices: Floats, bulges: Floats, fine: int = 900) -> float:
    """Largest distance in mm of a run of cubics from arcs, or of these from it."""
    one, two = followed(points, fine), places_on(vertices, bulges, fine // 8)
    return max(farthest(one, two), farthest(two, one))


def kinks(vertices: Floats, bulges: Floats, *, closed: bool = False) -> Floats:
    """Turns in degrees between consecutive arcs."""
    ways = np.diff(vertices, axis=0) @ np.array([1, 1j])
    half = 2 * np.arctan(bulges[: len(ways)])
    leaving, reaching = np.angle(ways) - half, np.angle(ways) + half
    turns = leaving[1:] - reaching[:-1]
    turns = np.append(turns, leaving[0] - reaching[-1]) if closed else turns
    return np.degrees(np.abs((turns + np.pi) % (2 * np.pi) - np.pi))


coordinate = st.floats(-20, 20, allow_nan=False, width=32)
point = st.tuples(coordinate, coordinate)
run = st.integers(1, 3).flatmap(lambda count: st.lists(point, min_size=3 * count + 1, max_size=3 * count + 1))


@settings(max_examples=examples(25), deadline=None)
@given(run, st.sampled_from([0.005, 0.01, 0.2]))
def test_any_curve_is_followed_within_the_tolerance_from_end_to_end(
    points: list[tuple[float, float]], tolerance: float
) -> None:
    stroke = np.array(points, float)
    arcs = arcs_of([stroke], tolerance)
    assert worst(stroke, arcs.vertices.points, arcs.bulges) <= tolerance + 1e-9
    assert (arcs.vertices.points[[0, -1]] == stroke[[0, -1]]).all()
    assert len(arcs.bulges) == len(arcs.vertices.points) and arcs.bulges[-1] == 0
    assert np.isfinite(arcs.vertices.points).all() and np.isfinite(arcs.bulges).all()


@settings(max_examples=examples(15), deadline=None)
@given(st.lists(st.tuples(st.floats(3, 20), st.floats(0.1, 0.9)), min_size=3, max_size=8))
def test_a_smooth_curve_becomes_arcs_without_a_corner(sizes: list[tuple[float, float]]) -> None:
    # A closed curve about the origin, through places at growing angles, whose handles lie on common tangents.
    angles = 2 * np.pi * np.arange(len(sizes)) / len(sizes)
    knots = np.array([size for size, _ in sizes]) * np.exp(1j * angles)
    ways = np.roll(knots, -1) - np.roll(knots, 1)
    before, after = knots - ways * 0.2, knots + ways * 0.2
    run = np.stack([knots, after, np.roll(before, -1)], 1).ravel()
    run = np.append(run, run[0])
    stroke = np.stack([run.real, run.imag], 1)
    arcs = arcs_of([stroke], closed=True)
    vertices, bulges = arcs.vertices.points, arcs.bulges
    assert (vertices[0] == vertices[-1]).all()
    assert worst(stroke, vertices, bulges) <= TOLERANCE + 1e-9
    assert kinks(vertices, bulges, closed=True).max() < 0.5
    assert np.hypot(*np.diff(vertices, axis=0).T).min() > 0.02


@pytest.mark.parametrize(
    "points",
    [
        [(0, 0), (30, 20), (0, 20), (30, 0)],  # a cusp
        [(0, 0), (50, 30), (-20, 30), (30, 0)],  # a loop
        [(0, 0), (10, 0), (-5, 0), (3, 0)],  # there and back on a line
        [(4, 4), (9, 9), (-3, 1), (4, 4)],  # closed
        [(0, 0), (0, 0), (10, 5), (10, 5)],  # no handles, and yet straight
        [(0, 0), (0, 0), (10, 5), (20, 0)],  # one handle
        [(1, 1), (1, 1), (1, 1), (1, 1)],  # nothing
        [(0, 0), (0.001, 0.002), (0.003, 0.002), (0.004, 0)],  # hardly anything
    ],
)
def test_what_is_no_proper_curve_is_followed_too(points: list[tuple[float, float]]) -> None:
    stroke = np.array(points, float)
    arcs = arcs_of([stroke])
    assert worst(stroke, arcs.vertices.points, arcs.bulges) <= TOLERANCE + 1e-9
    assert len(arcs.bulges) < 100


def test_a_straight_stroke_is_one_line() -> None:
    ends = np.array([[(0, 0), (300, 10)]], float)
    arcs = arcs_of([straight(ends)[0]])
    assert arcs.vertices.points.tolist() == ends[0].tolist() and arcs.bulges.tolist() == [0, 0]


def test_a_quarter_circle_is_one_arc_of_its_angle() -> None:
    k = 0.5522847498
    arcs = arcs_of([10 * np.array([(1, 0), (1, k), (k, 1), (0, 1)])])
    assert len(arcs.bulges) == 2
    # From the x to the y axis: a quarter turn, whose quarter has this tangent.
    assert arcs.bulges[0] == pytest.approx(math.tan(math.pi / 8), abs=1e-9)


def test_corners_of_the_drawing_stay_and_ends_of_strokes_are_vertices() -> None:
    square = closed_through(np.array([(0, 0), (20, 0), (20, 20), (0, 20)], float))
    wave = np.array([(20, 0), (25, 8), (32, -8), (40, 0)], float)
    arcs = arcs_of([square[:4], wave])
    assert {(0.0, 0.0), (20.0, 0.0), (40.0, 0.0)} <= set(map(tuple, arcs.vertices.points.tolist()))
    turned = kinks(arcs.vertices.points, arcs.bulges)
    assert turned[0] == pytest.approx(np.degrees(math.atan2(8, 5)), abs=8) and turned[1:].max() < 0.5


def test_strokes_followed_backwards_are_the_same_curve() -> None:
    wave = Curves.from_strokes([np.array([(0, 0), (9, 8), (12, -8), (20, 0)], float)])
    arcs = biarcs(wave, np.array([1]), np.array([0, 1]), np.array([False]), TOLERANCE)
    assert arcs.vertices.points[0].tolist() == [20, 0]
    assert worst(wave[0], arcs.vertices.points, arcs.bulges) <= TOLERANCE


def test_tongues_take_a_quarter_of_the_points_of_a_flattening() -> None:
    drawing = shape(JigsawDesign(classic(columns=6, rows=5, width=150, height=125)), None, Progress()).drawing
    codes = np.concatenate([chain.strokes for chain in drawing.chains])
    starts = np.append(0, np.cumsum([len(chain.strokes) for chain in drawing.chains]))
    closed = np.array([chain.closed for chain in drawing.chains])
    arcs = biarcs(drawing.strokes, codes, starts, closed, TOLERANCE)
    lines = drawing.strokes.flattened(TOLERANCE)
    assert len(arcs.bulges) < 0.25 * len(lines.points)


def test_the_same_strokes_give_the_same_arcs() -> None:
    stroke = np.array([(0, 0), (9, 8), (12, -8), (20, 0)], float)
    one, two = arcs_of([stroke]), arcs_of([stroke])
    assert (one.vertices.points == two.vertices.points).all() and (one.bulges == two.bulges).all()
