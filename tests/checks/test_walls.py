"""Walls are as wide as a search over all places says, whatever the limit is."""

from itertools import combinations, permutations
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.checks.cut_crossings import crossings, cuts, self_crossings
from studio.checks.walls import BLUNTEST, NO_PAIRS, SHARPEST, beside, thin_walls, thin_within
from studio.geometry.curves.strokes import Curves, Floats, straight, through
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.drawn_cuts import smooth
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from tests.classic import classic

FAR = 3.0
TIP = 1.0


def lines(*ends: tuple[tuple[float, float], tuple[float, float]]) -> Curves:
    return straight(np.array(ends, float))


def near(strokes: Curves, width: float) -> list[tuple[list[int], float, list[float]]]:
    everything = cuts(strokes)
    pairs, gaps = thin_walls(everything, width)
    return list(zip(pairs.cuts.tolist(), gaps.tolist(), pairs.places.tolist(), strict=True))


@pytest.mark.parametrize("gap", [0.3, 0.9, 0.99])
def test_cuts_nearer_than_the_least_bridge_are_found_with_their_distance_and_place(gap: float) -> None:
    ((pair, width, place),) = near(lines(((0, 0), (20, 0)), ((0, gap), (20, gap))), 1.0)
    assert pair == [0, 1] and width == pytest.approx(gap)
    assert place[1] == pytest.approx(gap / 2) and 0 <= place[0] <= 20


@pytest.mark.parametrize("gap", [1.01, 2.0])
def test_cuts_further_apart_than_the_least_bridge_are_left_alone(gap: float) -> None:
    assert near(lines(((0, 0), (20, 0)), ((0, gap), (20, gap))), 1.0) == []


def test_a_least_bridge_of_nought_asks_for_none() -> None:
    assert near(lines(((0, 0), (20, 0)), ((0, 0.1), (20, 0.1))), 0.0) == []


@pytest.mark.parametrize(("angle", "thin"), [(90, False), (45, False), (31, False), (29, True), (15, True)])
def test_cuts_at_a_shared_corner_are_thin_only_where_their_angle_is_sharp(angle: float, thin: bool) -> None:
    way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * 40
    found = near(Curves.from_strokes([_fine(np.array([40.0, 0])), _fine(way)]), 2.0)
    assert bool(found) == thin


def _fine(end: Floats) -> Floats:
    """Return a straight stroke from the origin in 40 cubics, so that it has points all along."""
    return np.linspace(0, 1, 121)[:, None] * end


BOARDS: list[dict[str, Any]] = [
    {"perturbation": 0.12},
    {"perturbation": 0.4, "tongue_size": 0.3},
    {"perturbation": 0.45, "tongue_style": "article"},
    {"perturbation": 0.3, "border": "wandering", "plain_share": 0.4},
    {"perturbation": 0.2, "corner_radius": 8.0, "tongue_size": 0.35, "smooth_joints": False},
]


def board(number: int) -> JigsawShapes:
    parameters: dict[str, Any] = {"columns": 3, "rows": 3, "width": 36, "height": 30, "seed": number} | BOARDS[number]
    return shape(JigsawDesign(classic(**parameters)), None, Progress())


def walls_of(shapes: JigsawShapes, limit: float) -> dict[tuple[int, int], float]:
    neighbours = beside(shapes.drawing.pieces)
    pairs, widths = thin_walls(cuts(shapes.drawing.strokes), limit, neighbours)
    return {(one, two): width for (one, two), width in zip(pairs.cuts.tolist(), widths.tolist(), strict=True)}


def dense(shapes: JigsawShapes, stroke: int) -> tuple[Floats, Floats]:
    """Return places on a stroke, 0.03 mm apart, and its control points."""
    points = shapes.drawing.strokes.chosen(np.array([stroke])).flattened(1e-4).points
    way = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    at = np.linspace(0.0, way[-1], int(way[-1] / 0.03) + 2)
    places = np.stack([np.interp(at, way, points[:, 0]), np.interp(at, way, points[:, 1])], 1)
    return places, shapes.drawing.strokes[stroke]


def searched(first_cut: tuple[Floats, Floats], second_cut: tuple[Floats, Floats]) -> float:
    """Return the least distance of two cuts that their common corners do not explain, by looking at all places."""
    (one, control), (two, other_control) = first_cut, second_cut
    gaps = np.hypot(one[:, None, 0] - two[None, :, 0], one[:, None, 1] - two[None, :, 1])
    best = np.inf
    for line, nearest in ((one, gaps.min(axis=1)), (two, gaps.min(axis=0))):
        bare = np.ones(len(line), bool)
        for first in (control, control[::-1]):
            for second in (other_control, other_control[::-1]):
                if np.hypot(*(first[0] - second[0])) > 1e-9:
                    continue
                ways = first[1] - first[0], second[1] - second[0]
                cosine = ways[0] @ ways[1] / np.hypot(*ways[0]) / np.hypot(*ways[1])
                sine = np.sin(np.clip(np.arccos(np.clip(cosine, -1, 1)) / 2, SHARPEST, BLUNTEST))
                away = np.hypot(*(line - first[0]).T)
                bare &= (away >= TIP) & (nearest < sine * away)
        best = min(best, float(nearest[bare].min(initial=np.inf)))
    return best


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_walls_are_those_of_a_search_over_all_places_at_every_limit(number: int) -> None:
    shapes = board(number)
    places = [dense(shapes, stroke) for stroke in range(len(shapes.drawing.strokes))]
    expected = {pair: searched(places[pair[0]], places[pair[1]]) for pair in combinations(range(len(places)), 2)}
    within = {(one, two) for one, two in beside(shapes.drawing.pieces).tolist()}
    for limit in (0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 8.0, 12.0, 50.0):
        found = walls_of(shapes, limit)
        for sought, told in (-0.05, found.keys().__ge__), (0.05, found.keys().__le__):
            limits = {pair: limit if pair in within else min(limit, FAR) for pair in expected}
            assert told({pair for pair, width in expected.items() if width < limits[pair] + sought})
        assert all(width == pytest.approx(expected[pair], abs=0.05) for pair, width in found.items())
    assert len(found) > 15


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_a_larger_limit_finds_every_wall_of_a_smaller_one_just_as_wide(number: int) -> None:
    shapes = board(number)
    before: dict[tuple[int, int], float] = {}
    for limit in np.geomspace(0.05, 50.0, 60).tolist():
        found = walls_of(shapes, limit)
        assert before.items() <= found.items()
        before = found
    assert before


def test_a_corner_that_is_sharp_is_no_wall_where_it_is_only_its_tip() -> None:
    assert near(Curves.from_strokes([_fine(np.array([0.9, 0.0])), _fine(np.array([0.9, 0.2]))]), 5.0) == []


def test_cuts_that_run_straight_on_through_a_corner_are_no_wall() -> None:
    assert near(lines(((0, 0), (40, 0)), ((40, 0), (80, 1e-9))), 50.0) == []


def dipping(end: float, depth: float) -> Floats:
    """Return a curve from the origin to (40, end) that reaches a depth below 0 on its way, within some 0.001 mm."""
    share, low, high = np.linspace(0.1, 1, 9001), -60.0, 0.0
    while high - low > 1e-6:
        dip = (low + high) / 2
        height = 36 * share * (1 - share) ** 2 + 3 * dip * share**2 * (1 - share) + end * share**3
        low, high = (dip, high) if height.min() < -depth else (low, dip)
    return np.array([[0, 0], [10, 12], [20, low], [40, end]])


@pytest.mark.parametrize("is_joined", [True, False])
def test_cuts_that_cross_by_less_than_the_tolerance_of_the_search_have_no_wall(is_joined: bool) -> None:
    level = straight(np.array([[(0.0 if is_joined else 3.0, 0), (40, 0)]])).points
    only_here = 0
    for end in range(1, 16):
        for depth in (-0.02, 0.005, 0.01, 0.02):
            everything = cuts(Curves.from_strokes([level, dipping(end, depth)]))
            ((_, width, _),) = near(everything.curves, 1.0)
            assert width == pytest.approx(max(-depth, 0), abs=0.005)
            only_here += width == 0 and not len(crossings(everything).cuts)
    assert only_here >= 10


def test_cuts_of_one_piece_are_found_however_far_apart_and_others_only_near() -> None:
    strokes = lines(((0, 0), (20, 0)), ((0, 9), (20, 9)), ((0, 11), (20, 11)))
    pairs, widths = thin_walls(cuts(strokes), 20.0, np.array([[0, 1]]))
    assert pairs.cuts.tolist() == [[0, 1], [1, 2]] and widths.tolist() == pytest.approx([9.0, 2.0])
    assert len(thin_walls(cuts(strokes), 20.0)[1]) == 1


def test_the_pairs_beside_each_other_are_those_round_one_piece() -> None:
    shapes = board(0)
    pieces, expected = shapes.drawing.pieces, set()
    for piece in range(len(pieces)):
        around = pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]] >> 1
        expected |= set(combinations(sorted(around.tolist()), 2))
    assert sorted(expected) == list(map(tuple, beside(pieces).tolist()))
    assert len(beside(pieces.chosen(np.empty(0, np.int64)))) == len(NO_PAIRS)


@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_walls_and_crossings_of_the_first_cuts_are_those_that_all_have_with_them(number: int) -> None:
    shapes = board(number)
    everything, neighbours = cuts(shapes.drawing.strokes), beside(shapes.drawing.pieces)
    met, all_met = crossings(everything, 5), crossings(everything)
    assert met.cuts.tolist() == [pair for pair in all_met.cuts.tolist() if min(pair) < 5]
    for limit in (2.0, 6.0):
        pairs, widths = thin_walls(everything, limit, neighbours, 5)
        found = {(one, two): width for (one, two), width in zip(pairs.cuts.tolist(), widths.tolist(), strict=True)}
        assert found == {pair: width for pair, width in walls_of(shapes, limit).items() if min(pair) < 5}
    assert found, "the larger limit finds some"


def test_only_pairs_with_one_of_the_first_cuts_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    everything = cuts(lines(*(((0, 0.5 * row), (20, 0.5 * row)) for row in range(40))))
    measured: list[int] = []
    shortest = shapely.shortest_line

    def counted(one: Any, two: Any) -> Any:
        measured.append(len(one))
        return shortest(one, two)

    monkeypatch.setattr(shapely, "shortest_line", counted)
    pairs, _widths = thin_walls(everything, 0.9, first=2)
    assert pairs.cuts.tolist() == [[0, 1], [1, 2]]
    assert max(measured) <= 6


def test_a_wall_is_the_same_whatever_else_is_searched() -> None:
    # A tongue that leaves a straight border at about the sharpest angle that is no wall, and the border beyond.
    tongue = np.array([(0.0, 53.892), (0.316, 53.415), (0.452, 53.053), (0.647, 52.79), (0.756, 52.643),
                       (0.858, 52.676), (0.938, 52.74), (1.6, 53.3), (2.0, 51.5), (2.517, 50.494)])  # fmt: skip
    beyond = np.linspace((0.0, 80.0), (0.0, 53.892), 4)
    border = np.linspace((0.0, 53.892), (0.0, 27.682), 4)
    strokes = Curves.from_strokes([tongue, beyond, border])
    found = []
    for order in permutations(range(3)):
        pairs, widths = thin_walls(cuts(strokes, np.array(order)), 1.0)
        found.append(sorted(zip(pairs.cuts.tolist(), widths.tolist(), strict=True)))
    assert all(each == found[0] for each in found)
    alone, widths = thin_walls(cuts(strokes, np.array([0, 2])), 1.0)
    assert list(zip(alone.cuts.tolist(), widths.tolist(), strict=True)) == found[0]


def _folds(*strokes: Floats, width: float) -> list[tuple[int, float, list[float]]]:
    found, gaps, places = thin_within(cuts(Curves.from_strokes([*strokes])), width)
    return list(zip(found.tolist(), gaps.tolist(), places.tolist(), strict=True))


@pytest.mark.parametrize("gap", [0.2, 0.4, 0.9, 1.1])
def test_a_spike_within_one_cut_is_a_wall_as_wide_as_it_is(gap: float) -> None:
    spike = through(np.array([(0.0, 0), (0, 30), (30, 30), (30, 30 + gap), (0, 30 + gap), (0, 60)]))
    found = _folds(straight(np.array([[(-9.0, 0), (-9, 60)]]))[0], spike, width=1.0)
    assert bool(found) == (gap < 1)
    for stroke, width, (_, y) in found:
        assert stroke == 1 and width == pytest.approx(gap, abs=1e-6) and 30 < y < 30 + gap


@pytest.mark.parametrize(("angle", "thin"), [(90, False), (45, False), (31, False), (29, True), (15, True)])
def test_a_bend_within_a_cut_is_thin_only_where_two_cuts_at_that_angle_are(angle: float, thin: bool) -> None:
    way = np.array([np.cos(np.radians(angle)), np.sin(np.radians(angle))]) * 40
    assert bool(_folds(through(np.array([(40.0, 0), (0, 0), way])), width=2.0)) == thin


@pytest.mark.parametrize("seed", range(12))
def test_walls_within_a_cut_are_those_of_a_search_over_all_places(seed: int) -> None:
    rng, width, thin = np.random.default_rng(seed), 1.5, 0
    strokes = [smooth(np.cumsum(rng.normal(0.0, 2.5, (rng.integers(4, 14), 2)), axis=0)) for _ in range(40)]
    strokes = [one for one in strokes if len(self_crossings(cuts(Curves.from_strokes([one])))[0]) == 0]
    found = {at: gap for at, gap, _ in _folds(*strokes, width=width)}
    for at, stroke in enumerate(strokes):
        line = shapely.LineString(Curves.from_strokes([stroke]).flattened(0.002)[0])
        along = np.linspace(0.0, line.length, int(line.length / 0.05) + 2)
        x, y = shapely.get_coordinates(shapely.line_interpolate_point(line, along)).T
        gaps, ways = np.hypot(x[:, None] - x, y[:, None] - y), np.abs(along[:, None] - along)
        least = gaps[(gaps < np.sin(SHARPEST / 2) * ways) & (ways > 2 * TIP)].min(initial=np.inf)
        if least < width - 0.1:
            assert found[at] == pytest.approx(least, abs=0.1)
        elif least > width + 0.1:
            assert at not in found
        thin += least < width
    assert thin
    wider = {at: gap for at, gap, _ in _folds(*strokes, width=2 * width)}
    assert wider.keys() >= found.keys() and all(wider[at] == gap for at, gap in found.items())
    for at in found:
        assert [gap for _, gap, _ in _folds(strokes[at], width=width)] == [found[at]]


def test_the_ends_of_a_closed_cut_are_no_wall() -> None:
    turns = np.linspace(0.0, 2 * np.pi, 25)
    circle = 20 * np.stack([np.cos(turns), np.sin(turns)], 1)
    circle[-1] = circle[0]
    assert _folds(smooth(circle), width=3.0) == []
    assert len(_folds(smooth(circle[:-1]), width=6.0)) == 1


def test_nothing_is_searched_for_where_there_are_no_cuts() -> None:
    assert near(Curves.from_strokes([]), 5.0) == []
