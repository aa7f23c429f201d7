"""The checks of flat boards find what plain geometry says is there, and where it is."""

import numpy as np
import pytest
import shapely
from hypothesis import settings

from studio.base.progress import Progress
from studio.checks.cut_crossings import CutIndex, crossings, cuts, piece_count, self_crossings
from studio.checks.finding import Checked, Finding, Problem, Severity
from studio.checks.walls import thin_walls
from studio.geometry.curves.strokes import Curves, straight
from studio.geometry.planar.drawing import Drawing, Pieces
from tests.depth import examples

CHORD_TOLERANCE = 0.05

TRIED = settings(max_examples=examples(60))


def lines(*ends: tuple[tuple[float, float], tuple[float, float]]) -> Curves:
    return straight(np.array(ends, float))


def crossed(strokes: Curves) -> list[tuple[list[int], list[float]]]:
    everything = cuts(strokes)
    pairs = crossings(everything)
    return list(zip(pairs.cuts.tolist(), pairs.places.tolist(), strict=True))


def test_two_cuts_that_cross_are_found_at_the_place_where_they_do() -> None:
    ((pair, place),) = crossed(lines(((0, 0), (10, 10)), ((0, 10), (10, 0)), ((20, 0), (20, 9))))
    assert pair == [0, 1] and place == pytest.approx([5, 5])


def test_cuts_that_meet_at_a_shared_corner_do_not_cross() -> None:
    assert crossed(lines(((0, 0), (10, 0)), ((10, 0), (10, 10)), ((10, 0), (20, 0)), ((10, 0), (10, -9)))) == []


def test_a_cut_that_ends_upon_the_middle_of_another_touches_it() -> None:
    ((pair, place),) = crossed(lines(((0, 0), (10, 0)), ((5, 0), (5, 8))))
    assert pair == [0, 1] and place == pytest.approx([5, 0], abs=0.1)


def test_cuts_laid_one_upon_another_are_found() -> None:
    found = crossed(lines(((0, 0), (10, 0)), ((2, 0), (8, 0))))
    assert [pair for pair, _ in found] == [[0, 1]]


def test_a_cut_that_bends_back_over_itself_is_found_at_the_place_where_it_does() -> None:
    loop = np.array([(0, 0), (30, 10), (-10, 10), (20, 0)], float)
    arch = np.array([(0, 0), (5, 8), (15, 8), (20, 0)], float)
    strokes, places = self_crossings(cuts(Curves.from_strokes([arch, loop])))
    assert strokes.tolist() == [1]
    # By symmetry it crosses itself on the axis x = 10.
    assert places[0, 0] == pytest.approx(10, abs=0.1)
    flat = Curves.from_strokes([loop]).flattened(1e-3).points
    assert shapely.LineString(flat).distance(shapely.Point(places[0])) < CHORD_TOLERANCE


def row_of_squares(count: int) -> Drawing:
    """Return squares of 9 mm side by side: their tops, their bottoms, the cuts between them."""
    across = [((9 * i, y), (9 * i + 9, y)) for y in (0, 9) for i in range(count)]
    down = [((9 * i, 0), (9 * i, 9)) for i in range(count + 1)]
    rings = [(2 * i, 2 * (2 * count + i + 1), 2 * (count + i) + 1, 2 * (2 * count + i) + 1) for i in range(count)]
    pieces = Pieces(np.array(rings).ravel(), np.arange(count + 1) * 4, tuple(str(i) for i in range(count)))
    return Drawing(9.0 * count, 9.0, lines(*across, *down), (), pieces)


@pytest.mark.parametrize("count", [1, 2, 7, 2500])
def test_squares_that_share_their_sides_are_counted_as_pieces(count: int) -> None:
    board = row_of_squares(count)
    assert piece_count(board, cuts(board.strokes), Progress()) == count


def test_pieces_of_the_same_extent_are_told_apart() -> None:
    strokes = lines(((0, 0), (9, 0)), ((9, 0), (9, 9)), ((9, 9), (0, 9)), ((0, 9), (0, 0)), ((0, 0), (9, 9)))
    halves = Pieces(np.array([0, 2, 9, 8, 4, 6]), np.array([0, 3, 6]), ("A1", "B1"))
    board = Drawing(9, 9, strokes, (), halves)
    assert piece_count(board, cuts(strokes), Progress()) == 2


@pytest.mark.parametrize(("stroke", "left"), [(1, 6), (14, 6), (17, 6), (21, 6)])
def test_a_gap_in_a_cut_costs_one_piece(stroke: int, left: int) -> None:
    board = row_of_squares(7)
    points = board.strokes.points.copy()
    points[4 * stroke + 3] = 0.9 * points[4 * stroke + 3] + 0.1 * points[4 * stroke]
    opened = Drawing(board.width, board.height, Curves(points, board.strokes.starts), (), board.pieces)
    assert piece_count(opened, cuts(opened.strokes), Progress()) == left


@pytest.mark.parametrize("seed", range(6))
def test_what_moved_is_checked_as_the_whole_board_would_be_step_after_step(seed: int) -> None:
    rng = np.random.default_rng(seed)
    ends = rng.uniform(0, 60, (40, 1, 2)) + rng.uniform(-9, 9, (40, 2, 2))
    strokes = straight(ends)
    board = CutIndex(cuts(strokes))
    for _ in range(6):
        moved = np.sort(rng.choice(40, 3, replace=False))
        ends[moved] += rng.uniform(-6, 6, (3, 1, 2))
        strokes = strokes.replaced(moved, straight(ends[moved]))
        some, everything = cuts(strokes, moved), cuts(strokes)
        board = board.moved_to(some)
        around = board.around(some, 2.0)
        whole, part = crossings(everything).cuts, crossings(around).cuts
        touched = [np.isin(pairs, moved).any(axis=1) for pairs in (whole, part)]
        assert set(map(tuple, part[touched[1]].tolist())) == set(map(tuple, whole[touched[0]].tolist()))
        walls = []
        for some_cuts in (everything, around):
            pairs, gaps = thin_walls(some_cuts, 2.0)
            touching = np.isin(pairs.cuts, moved).any(axis=1)
            walls.append((pairs.cuts[touching], gaps[touching]))
        assert np.array_equal(walls[1][0], walls[0][0])
        assert walls[1][1] == pytest.approx(walls[0][1])


def test_only_errors_keep_a_design_from_being_cut() -> None:
    def found(severity: Severity) -> Finding:
        return Problem("key", severity, "A title", "A sentence.", "What helps").finding((0.0, 0.0))

    assert (
        Checked((found(Severity.ERROR), found(Severity.WARNING), found(Severity.ERROR))).errors
        == [found(Severity.ERROR)] * 2
    )
    assert Checked((found(Severity.WARNING), found(Severity.HINT))).errors == []
    assert sorted([Severity.HINT, Severity.ERROR, Severity.WARNING])[0] is Severity.ERROR
