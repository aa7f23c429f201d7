"""The least matching of points: compared with trying all, proven against all pairs, and known beforehand."""

from collections.abc import Callable

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import Cancelled, Progress
from studio.geometry.curves.strokes import Floats
from studio.solving import point_matching
from studio.solving.point_matching import Matching, Proof, least_matching
from tests.depth import examples


def distances(points: Floats) -> Floats:
    """Return the distances (n, n) of all points from each other."""
    apart: Floats = np.hypot(*(points[:, None] - points[None]).transpose(2, 0, 1))
    return apart


def lightest(points: Floats, free: int) -> float:
    """Return what the lightest matching weighs, by trying all: the best for every set of points, small sets first."""
    apart = distances(points).tolist()
    best = [[0.0] * 3] + [[float("inf")] * 3 for _ in range(1, 1 << len(points))]
    best[0] = [0.0, float("inf"), float("inf")]
    for chosen in range(1, len(best)):
        last = chosen.bit_length() - 1
        rest = chosen ^ (1 << last)
        for left in range(3):
            ways = [apart[last][i] + best[rest ^ (1 << i)][left] for i in range(last) if rest >> i & 1]
            ways += [best[rest][left - 1]] if left else []
            best[chosen][left] = min(ways, default=float("inf"))
    return best[-1][free]


def rim(columns: int, rows: int, jitter: float) -> Floats:
    """Return where the lines of a board of cells of 25 mm meet its rim, each line a little off its place."""
    rng = np.random.default_rng(7)
    inner = [np.arange(1, n) + rng.uniform(-jitter, jitter, n - 1) for n in (columns, columns, rows, rows)]
    sides = [
        np.stack([inner[0], np.zeros(columns - 1)], 1),
        np.stack([inner[1], np.full(columns - 1, rows)], 1),
        np.stack([np.zeros(rows - 1), inner[2]], 1),
        np.stack([np.full(rows - 1, columns), inner[3]], 1),
    ]
    return 25.0 * np.concatenate(sides)


def honeycomb(columns: int, rows: int, jitter: float) -> Floats:
    """Return the corners of hexagons whose sides are 20 mm, each a little off its place."""
    turns = np.arange(6) * np.pi / 3 + np.pi / 6
    ring = np.stack([np.cos(turns), np.sin(turns)], 1)
    cells = [ring + np.array([np.sqrt(3) * (x + 0.5 * (y % 2)), 1.5 * y]) for y in range(rows) for x in range(columns)]
    corners = 20 * np.unique(np.concatenate(cells).round(6), axis=0)
    off = np.random.default_rng(7).uniform(-20 * jitter, 20 * jitter, corners.shape)
    shaken: Floats = corners + off
    return shaken


def voronoi(seed: int, cells: int) -> Floats:
    """Return corners of the Voronoi cells of random points, an even number of them."""
    points = np.random.default_rng(seed).uniform(0, 600, (cells, 2))
    corners = shapely.get_coordinates(shapely.voronoi_polygons(shapely.MultiPoint(points)))
    corners = np.unique(corners[((corners > 0) & (corners < 600)).all(1)].round(6), axis=0)
    return corners[: len(corners) // 2 * 2]


def heaps(seed: int, count: int, size: int, spread: float) -> Floats:
    """Return heaps of points far from each other."""
    rng = np.random.default_rng(seed)
    return (rng.uniform(0, 1000, (count, 1, 2)) + rng.normal(0, spread, (count, size, 2))).reshape(-1, 2)


def circle(count: int) -> Floats:
    turns = np.arange(count) * 2 * np.pi / count
    return 300 * np.stack([np.cos(turns), np.sin(turns)], 1)


POINTS = {
    "the rim of a board": rim(60, 40, 0.12),
    "the rim of a regular board": rim(60, 40, 0),
    "a honeycomb": honeycomb(12, 10, 0),
    "a shaken honeycomb": honeycomb(12, 10, 0.1),
    "a hardly shaken honeycomb": honeycomb(12, 10, 1e-9),
    "corners of Voronoi cells": voronoi(1, 200),
    "squares": rim(2, 2, 0)[0] * np.stack(np.meshgrid(np.arange(21), np.arange(20)), -1).reshape(-1, 2),
    "points anywhere": np.random.default_rng(1).uniform(0, 1000, (500, 2)),
    "a circle": circle(200),
    "a line": np.stack([np.random.default_rng(2).uniform(0, 1000, 300), np.zeros(300)], 1),
    "a line ever farther": np.stack([1.05 ** np.arange(200), np.zeros(200)], 1),
    "odd heaps": heaps(3, 6, 51, 1.0),
    "threes": heaps(4, 100, 3, 1.0),
    "odd heaps on one spot each": heaps(5, 20, 21, 0.0),
    "all on one spot": np.full((40, 2), 3.0),
}


def overpaid(points: Floats, free: int, proof: Proof) -> float:
    """Return by how much, at most, two points or dummies pay more than their distance."""
    count = len(points) + free
    pays = proof.duals[:, None] + proof.duals
    for members, price in zip(proof.blossoms, proof.prices.tolist(), strict=True):
        pays[np.ix_(members, members)] -= price
    allowed = np.zeros((count, count))
    allowed[: len(points), : len(points)] = distances(points)
    allowed[len(points) :, len(points) :] = np.inf
    np.fill_diagonal(allowed, np.inf)
    return float((pays - allowed).max())


def assert_proven(points: Floats, free: int, found: Matching) -> None:
    """Hold a matching against its own pairs and against what its proof says of all pairs there are."""
    rounding = 1e-14 * (1 + float(np.ptp(points))) * len(points)
    used = found.pairs.ravel().tolist()
    assert len(set(used)) == len(used) == len(points) - free
    assert found.weight == pytest.approx(distances(points)[tuple(found.pairs.T)].sum(), abs=rounding)
    assert overpaid(points, free, found.proof) <= rounding
    assert all(price > 0 for price in found.proof.prices.tolist())
    assert all(len(set(members.tolist())) == len(members) for members in found.proof.blossoms)
    assert all(len(members) % 2 for members in found.proof.blossoms)
    halves = [len(members) // 2 for members in found.proof.blossoms]
    assert found.bound == pytest.approx(found.proof.duals.sum() - found.proof.prices @ halves, abs=rounding)
    assert found.bound == pytest.approx(found.weight, abs=rounding)


@st.composite
def few_points(draw: st.DrawFn) -> Floats:
    """Draw up to twelve points, an even number: anywhere, or where many distances are equal or nothing."""
    count = 2 * draw(st.integers(0, 6))
    near, far = st.integers(0, 3).map(float), st.floats(-1000, 1000, allow_subnormal=False)
    places = draw(
        st.sampled_from(
            [st.tuples(near, near), st.tuples(far, far), st.tuples(far, st.just(5.0)), st.tuples(near | far, near)]
        )
    )
    return np.array(draw(st.lists(places, min_size=count, max_size=count)), float).reshape(-1, 2)


@settings(max_examples=examples(60, 1500))
@given(few_points(), st.sampled_from([0, 2]))
def test_the_matching_weighs_what_the_lightest_of_all_weighs(points: Floats, free: int) -> None:
    points = points if len(points) >= free else np.zeros((free, 2))
    found = least_matching(points, free)
    assert found.weight == pytest.approx(lightest(points, free), abs=1e-9)
    assert found.bound == pytest.approx(found.weight, abs=1e-9)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("free", [0, 2])
def test_fourteen_points_weigh_what_the_lightest_of_all_matchings_weighs(free: int) -> None:
    for points in (rim(5, 4, 0.1), rim(5, 4, 0), honeycomb(2, 2, 0)[:14], circle(14), heaps(1, 2, 7, 1.0)):
        assert least_matching(points, free).weight == pytest.approx(lightest(points, free))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("free", [0, 2])
@pytest.mark.parametrize("name", POINTS)
def test_no_two_of_all_points_pay_more_than_their_distance(name: str, free: int) -> None:
    assert_proven(POINTS[name], free, least_matching(POINTS[name], free))


def test_a_proof_that_asks_too_much_would_be_seen() -> None:
    points = POINTS["points anywhere"]
    proof = least_matching(points, 2).proof
    assert overpaid(points, 2, proof) <= 1e-9
    for changed in (0, 77, 501):
        duals = proof.duals.copy()
        duals[changed] += 1e-3
        assert overpaid(points, 2, Proof(duals, proof.blossoms, proof.prices)) > 0.9e-3
    assert overpaid(points, 2, Proof(proof.duals, proof.blossoms[:-1], proof.prices[:-1])) > 1e-3


@pytest.mark.sampled(4)
@pytest.mark.parametrize("neighbours", [1, 2, 5, 40])
def test_whom_the_search_asks_first_changes_no_weight(neighbours: int, monkeypatch: pytest.MonkeyPatch) -> None:
    several = [*POINTS.values()][:: examples(3, 1)]
    expected = [least_matching(points, 2).weight for points in several]
    monkeypatch.setattr(point_matching, "NEIGHBOURS", neighbours)
    monkeypatch.setattr(point_matching, "JOINING", 1)
    for points, weight in zip(several, expected, strict=True):
        found = least_matching(points, 2)
        assert_proven(points, 2, found)
        assert found.weight == pytest.approx(weight, rel=1e-12)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "change", [lambda p: p[::-1], lambda p: 1e-4 * p, lambda p: p @ [[0.6, 0.8], [-0.8, 0.6]], lambda p: p + 1e4]
)
def test_order_size_and_place_change_no_weight(change: Callable[[Floats], Floats]) -> None:
    points = POINTS["odd heaps"]
    changed = change(points)
    scale = distances(changed)[0, -1] / distances(points)[0, -1]
    found = least_matching(changed, 2)
    assert found.weight == pytest.approx(scale * least_matching(points, 2).weight, rel=1e-6)


def test_twins_far_from_all_others_are_matched() -> None:
    rng = np.random.default_rng(3)
    ones = 25.0 * rng.permutation(np.stack(np.meshgrid(np.arange(20), np.arange(20)), -1).reshape(-1, 2))
    turns = rng.uniform(0, 2 * np.pi, 400)
    twins = ones + np.stack([np.cos(turns), np.sin(turns)], 1)
    found = least_matching(np.concatenate([ones, twins]))
    assert found.pairs.tolist() == [[i, i + 400] for i in range(400)]
    assert found.weight == pytest.approx(400)
    assert least_matching(np.concatenate([ones, twins]), 2).weight == pytest.approx(399)


def test_corners_of_a_honeycomb_are_matched_along_its_sides() -> None:
    corners = honeycomb(12, 10, 0)
    assert least_matching(corners).weight == pytest.approx(20 * len(corners) / 2, rel=1e-6)
    assert least_matching(corners, 2).weight == pytest.approx(20 * (len(corners) / 2 - 1), rel=1e-6)


@pytest.mark.parametrize("count", [2, 8, 300])
def test_points_evenly_round_a_circle_are_matched_with_their_neighbours(count: int) -> None:
    chord = 600 * np.sin(np.pi / count)
    assert least_matching(circle(count)).weight == pytest.approx(count / 2 * chord)
    assert least_matching(circle(count), 2).weight == pytest.approx((count / 2 - 1) * chord)


def test_points_on_a_line_are_matched_in_their_order() -> None:
    x = np.sort(POINTS["a line"][:, 0])
    assert least_matching(POINTS["a line"]).weight == pytest.approx((x[1::2] - x[::2]).sum())
    # If the two at places i < j stay free, all before, between and behind them are matched in order: j - i is odd.
    gaps = np.diff(x)
    outer = np.concatenate([[0], np.cumsum(gaps[::2])])
    inner = np.concatenate([[0], np.cumsum(gaps[1::2])])
    ways = [outer[i] + inner[j] - inner[i] + outer[-1] - outer[j + 1] for i in range(150) for j in range(i, 150)]
    assert least_matching(POINTS["a line"], 2).weight == pytest.approx(min(ways))


def test_no_points_and_points_that_all_stay_free_travel_nothing() -> None:
    for points, free in ((np.zeros((0, 2)), 0), (np.array([[1.0, 2], [30, 4]]), 2)):
        found = least_matching(points, free)
        assert found.pairs.shape == (0, 2)
        assert (found.weight, found.bound) == (0, 0)


@pytest.mark.parametrize(("count", "free"), [(3, 0), (5, 2), (0, 2), (1, 2), (4, 1), (4, -2), (6, 4)])
def test_points_that_cannot_be_matched_are_a_mistake_of_the_caller(count: int, free: int) -> None:
    with pytest.raises(ValueError, match="cannot be matched"):
        least_matching(np.arange(2.0 * count).reshape(-1, 2), free)


@pytest.mark.parametrize("wrong", [np.nan, np.inf])
def test_points_that_lie_nowhere_are_a_mistake_of_the_caller(wrong: float) -> None:
    with pytest.raises(ValueError, match="finite"):
        least_matching(np.array([[0, 0], [1, wrong]]))


def test_the_work_grows_hardly_faster_than_the_points() -> None:
    # A rim is nearly matched by greed; nothing near all pairs is looked at anywhere.
    board, cells = least_matching(POINTS["the rim of a board"], 2), least_matching(voronoi(1, 600), 2)
    assert board.trees < 40 and board.looks < 100 * 196
    assert cells.trees < 400 and cells.looks < 1000 * 1000


def steps_until_stopped(points: Floats, stop: int) -> int:
    """Return how many steps a search tells that is cancelled when it tells one of them."""
    steps: list[float] = []

    def report(fraction: float, _note: str) -> None:
        steps.append(fraction)
        if len(steps) == stop:
            progress.cancel()

    progress = Progress(report)
    with pytest.raises(Cancelled):
        least_matching(points, 2, progress)
    return len(steps)


def test_the_search_tells_how_far_it_is_and_can_be_stopped_at_every_step() -> None:
    points = POINTS["a shaken honeycomb"]
    told: list[float] = []
    least_matching(points, 2, Progress(lambda fraction, _note: told.append(fraction)))
    assert told == sorted(told) and told[0] == 0 and told[-1] < 1
    assert len(told) > 20
    for stop in (1, 2, len(told) // 2, len(told) - 1):
        assert steps_until_stopped(points, stop) == stop


def test_the_same_points_give_the_same_pairs() -> None:
    once, again = (least_matching(POINTS["squares"], 2).pairs for _ in range(2))
    assert np.array_equal(once, again)
