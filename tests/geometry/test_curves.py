"""Strokes have the length, the area and the polylines that plain arithmetic gives them."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, Runs, offsets, ranges, straight, totals
from tests.depth import examples

TRIED = settings(max_examples=examples(25, 600))
places = st.tuples(st.floats(-200, 200), st.floats(-200, 200))
strokes = st.integers(1, 3).flatmap(lambda k: st.lists(places, min_size=3 * k + 1, max_size=3 * k + 1)).map(np.array)
several = st.lists(strokes, min_size=1, max_size=5)


def circle(radius: float) -> Floats:
    """Return a circle of four cubics, within 0.03 % of the true one."""
    k = 4 / 3 * np.tan(np.pi / 8)
    points: list[tuple[float, float]] = [(1.0, 0.0)]
    for quarter in range(4):
        c, s = [(1, 0), (0, 1), (-1, 0), (0, -1)][quarter]
        points += [(c - s * k, s + c * k), (c * k - s, s * k + c), (-s, c)]
    return radius * np.array(points, float)


def on_curve(stroke: Floats, samples: int) -> Floats:
    """Return points (k, samples, 2) on the cubics of a stroke, by de Casteljau's construction."""
    t = np.linspace(0, 1, samples)[:, None]
    found = []
    for first in range(0, len(stroke) - 1, 3):
        points: list[Any] = [point[None] for point in stroke[first : first + 4]]
        while len(points) > 1:
            points = [(1 - t) * a + t * b for a, b in pairwise(points)]
        found.append(points[0])
    return np.array(found)


def from_polyline(points: Floats, line: Floats) -> Floats:
    """Return the distance of every point from a polyline."""
    a, b = line[:-1], line[1:]
    way = b - a
    square = np.maximum((way**2).sum(1), 1e-30)
    share = np.clip(((points[:, None] - a) * way).sum(2) / square, 0, 1)
    gaps = points[:, None] - (a + share[..., None] * way)
    return np.asarray(np.sqrt((gaps**2).sum(2)).min(1))


def laid_out(parts: list[Floats], codes: list[int]) -> Floats:
    """Lay strokes end to end, one point at a time."""
    result: list[Any] = []
    for code in codes:
        part = parts[code // 2]
        points = list(part[::-1] if code % 2 else part)
        result += points[1:] if result else points
    return np.array(result)


def test_a_circle_is_two_pi_r_long_and_pi_r_squared_large() -> None:
    strokes = Curves.from_strokes([circle(10.0), circle(2.5)])
    assert strokes.lengths == pytest.approx([20 * np.pi, 5 * np.pi], rel=3e-4)
    assert strokes.flattened(1e-4).sweeps == pytest.approx([100 * np.pi, 6.25 * np.pi], rel=4e-4)
    assert strokes.flattened(1e-4).lengths == pytest.approx([20 * np.pi, 5 * np.pi], rel=3e-4)


def test_a_straight_stroke_is_as_long_as_its_ends_are_apart_and_keeps_them_exactly() -> None:
    ends = np.array([[[0, 0], [3, 4]], [[0.1, 0.2], [0.3, 0.7]], [[5, 5], [5, 5]]], float)
    lines = straight(ends)
    assert lines.lengths == pytest.approx(np.hypot(*(ends[:, 1] - ends[:, 0]).T))
    flat = lines.flattened(0.01)
    assert flat.counts.tolist() == [2, 2, 2]
    assert np.array_equal(flat.points.reshape(-1, 2, 2), ends)


@TRIED
@given(several)
def test_lengths_agree_with_very_many_small_steps(parts: list[Floats]) -> None:
    lengths = Curves.from_strokes(parts).lengths
    for part, length in zip(parts, lengths, strict=True):
        steps = np.diff(on_curve(part, 3001), axis=1)
        # Where a curve turns back on itself, its length is known to a share of its control polygon's.
        polygon = float(np.hypot(*np.diff(part, axis=0).T).sum())
        assert length == pytest.approx(float(np.hypot(steps[..., 0], steps[..., 1]).sum()), abs=3e-3 * polygon + 1e-6)


def test_the_length_of_a_tongue_is_right_to_a_thousandth_of_a_percent() -> None:
    knob = np.array([(0, 0), (4, 0), (11, -2), (9, 2), (7, 6), (15, 6), (13, 2), (11, -2), (16, 0), (20, 0)], float)
    steps = np.diff(on_curve(knob, 200_001), axis=1)
    assert Curves.from_strokes([knob]).lengths[0] == pytest.approx(
        float(np.hypot(*steps.reshape(-1, 2).T).sum()), rel=1e-5
    )


@TRIED
@given(several, st.sampled_from([0.5, 0.05, 0.01]))
def test_no_point_of_a_curve_is_further_from_its_polyline_than_the_tolerance(
    parts: list[Floats], tolerance: float
) -> None:
    lines = Curves.from_strokes(parts).flattened(tolerance)
    for number, part in enumerate(parts):
        assert from_polyline(on_curve(part, 57).reshape(-1, 2), lines[number]).max() <= tolerance * (1 + 1e-9)
        assert np.array_equal(lines[number][[0, -1]], part[[0, -1]])


def test_a_coarser_tolerance_takes_fewer_chords() -> None:
    counts = [
        len(Curves.from_strokes([circle(10.0)]).flattened(tolerance).points) for tolerance in (0.001, 0.01, 0.1, 1.0)
    ]
    assert counts == sorted(counts, reverse=True) and counts[0] > 2 * counts[1] > 4 * counts[2]


def linked(count: int, rng: np.random.Generator) -> list[Floats]:
    """Return strokes of unequal size that all begin and end at the same two places, so that any order links."""
    parts = []
    for size in rng.choice([4, 7, 10], count):
        part = rng.uniform(-9, 9, (size, 2))
        part[0], part[-1] = (0, 0), (0, 0)
        parts.append(part)
    return parts


@pytest.mark.parametrize("seed", range(8))
def test_strokes_laid_end_to_end_are_what_a_plain_loop_lays(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = linked(6, rng)
    chains = [rng.integers(0, 12, rng.integers(1, 6)).tolist() for _ in range(4)]
    codes = np.array([code for chain in chains for code in chain])
    starts = offsets(np.array([len(chain) for chain in chains]))
    for joined in (Curves.from_strokes(parts).joined(codes, starts), Polylines(*_runs(parts)).joined(codes, starts)):
        assert len(joined) == len(chains)
        for number, chain in enumerate(chains):
            assert np.array_equal(joined[number], laid_out(parts, chain))


def _runs(parts: list[Floats]) -> tuple[Floats, NDArray[np.int64]]:
    return np.concatenate(parts), offsets(np.array([len(part) for part in parts]))


@pytest.mark.parametrize("seed", range(8))
def test_chosen_and_replaced_strokes_are_what_a_plain_loop_gives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts, others = linked(9, rng), linked(3, rng)
    at = rng.choice(9, 3, replace=False)
    if seed % 2:
        others = [rng.uniform(-9, 9, parts[one].shape) for one in at]
    whole = Curves.from_strokes(parts)
    chosen, replaced = whole.chosen(at), whole.replaced(at, Curves.from_strokes(others))
    expected = [others[at.tolist().index(number)] if number in at else part for number, part in enumerate(parts)]
    assert all(np.array_equal(chosen[i], parts[one]) for i, one in enumerate(at))
    assert [len(run) for run in expected] == replaced.counts.tolist()
    assert all(np.array_equal(replaced[i], run) for i, run in enumerate(expected))
    assert np.array_equal(replaced.changed_since(whole), np.sort(at))
    assert np.array_equal(whole.changed_since(replaced), np.sort(at))
    assert len(whole.changed_since(Curves.from_strokes(parts))) == 0
    assert all(np.array_equal(whole[i], part) for i, part in enumerate(parts))


@pytest.mark.parametrize("seed", range(8))
def test_strokes_replaced_again_and_again_are_compared_as_if_made_from_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    made = [Curves.from_strokes(linked(40, rng))]
    for _ in range(12):
        before = made[int(rng.integers(len(made)))]
        at = rng.choice(40, int(rng.integers(1, 5)), replace=False)
        others = linked(len(at), rng)
        if rng.random() < 0.3:
            # Some become again what they were at first.
            others = [made[0][one] for one in at.tolist()]
        made.append(before.replaced(at, Curves.from_strokes(others)))
    for one in made:
        for other in made:
            expected = [run for run in range(40) if not np.array_equal(one[run], other[run])]
            assert one.changed_since(other).tolist() == expected


class _Counting(Curves):
    """Curves that count the runs whose points are compared."""

    compared = 0

    def _differing_from(self, before: Runs) -> Ints:
        _Counting.compared += len(self)
        return super()._differing_from(before)


def test_strokes_that_were_replaced_are_compared_and_no_others() -> None:
    rng = np.random.default_rng(0)
    first = _Counting.from_strokes(linked(500, rng))
    moved = first
    for _ in range(9):
        before, moved = moved, moved.replaced(np.array([3, 44, 45]), _Counting.from_strokes(linked(3, rng)))
        _Counting.compared = 0
        assert moved.changed_since(before).tolist() == moved.changed_since(first).tolist() == [3, 44, 45]
        assert _Counting.compared <= 6


@pytest.mark.parametrize("seed", range(8))
def test_strokes_moved_again_and_again_are_put_together_when_all_are_wanted(seed: int) -> None:
    rng = np.random.default_rng(seed)
    parts = linked(30, rng)
    first = moved = Curves.from_strokes(parts)
    for _ in range(9):
        at = rng.choice(30, 3, replace=False) if rng.random() < 0.3 else np.array([4, 9, 2])
        others = [rng.uniform(-9, 9, parts[one].shape) for one in at]
        moved = moved.replaced(at, Curves.from_strokes(others))
        for one, run in zip(at.tolist(), others, strict=True):
            parts[one] = run
        assert all(np.array_equal(moved.chosen(at)[i], run) for i, run in enumerate(others))
        assert "points" not in vars(moved), "what moved is known without all the rest"
        some = rng.choice(30, 5, replace=False)
        if rng.random() < 0.5:
            assert all(np.array_equal(moved.chosen(some)[i], parts[one]) for i, one in enumerate(some.tolist()))
    assert np.array_equal(moved.points, np.concatenate(parts)) and not moved.points.flags.writeable
    assert np.array_equal(first.points, Curves.from_strokes(linked(30, np.random.default_rng(seed))).points)
    with pytest.raises(AttributeError, match="point"):
        _ = moved.point  # type: ignore[attr-defined]


def test_strokes_cannot_be_written_to() -> None:
    strokes = Curves.from_strokes([circle(1.0)])
    with pytest.raises(ValueError, match="read-only"):
        strokes.points[0] = 0.0


def test_no_strokes_have_no_lengths_and_no_polylines() -> None:
    nothing = Curves.from_strokes([])
    assert len(nothing) == 0 and nothing.lengths.shape == (0,) and nothing.counts.shape == (0,)


@TRIED
@given(st.lists(st.tuples(st.integers(-50, 50), st.integers(0, 6)), max_size=8))
def test_ranges_offsets_and_totals_are_what_plain_loops_give(pairs: list[tuple[int, int]]) -> None:
    starts = np.array([start for start, _ in pairs], np.int64)
    counts = np.array([count for _, count in pairs], np.int64)
    assert ranges(starts, counts).tolist() == [start + i for start, count in pairs for i in range(count)]
    assert offsets(counts).tolist() == [int(counts[:i].sum()) for i in range(len(pairs) + 1)]
    amounts = starts.astype(float)
    assert totals(counts, amounts, 9).tolist() == [float(amounts[counts == owner].sum()) for owner in range(9)]


def test_runs_taken_from_others_are_found_as_if_they_were_sought() -> None:
    chance = np.random.default_rng(5)
    known = straight(chance.random((40, 2, 2)))
    before = known
    for _step in range(6):
        numbers = chance.permutation(len(before))[: len(before) - 2]
        numbers[chance.integers(0, len(numbers), 5)] = -1
        # One of those that are gone comes back as it was at first.
        numbers[before.found_in(known)[numbers] == 7] = -1
        numbers[0] = -1
        came = Curves.gathered([straight(chance.random(((numbers < 0).sum() - 1, 2, 2))), known.chosen(np.array([7]))])
        after = before.taken(numbers, came)
        for old in (before, known):
            sought = Curves(after.points.copy(), after.starts.copy()).found_in(old)
            assert after.found_in(old).tolist() == sought.tolist()
            found = np.flatnonzero(sought >= 0)
            assert (after.chosen(found).points == old.chosen(sought[found]).points).all()
        assert after.found_in(before)[numbers >= 0].tolist() == numbers[numbers >= 0].tolist()
        before = after
