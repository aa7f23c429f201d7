"""Covers are counted and listed right: numbers known from outside, and the limits of what fits."""

from itertools import product

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.solving.cover import HOLE, Cover, TooManyStates, counted, listed


def dominoes(rows: int, columns: int) -> tuple[int, ...]:
    """All places of a domino on a board whose cells are numbered along its rows."""
    flat = [3 << row * columns + column for row, column in product(range(rows), range(columns - 1))]
    upright = [(1 << columns | 1) << row * columns + column for row, column in product(range(rows - 1), range(columns))]
    return tuple(flat + upright)


def covered(rows: int, columns: int, holes: tuple[tuple[int, ...], ...] = ()) -> Cover:
    pieces = (rows * columns - len(holes)) // 2
    return Cover(rows * columns, (dominoes(rows, columns),) * pieces, holes)


@pytest.mark.parametrize(("rows", "columns", "tilings"), [(2, 2, 2), (2, 5, 8), (4, 4, 36), (6, 6, 6728), (4, 7, 781)])
def test_dominoes_cover_a_board_in_the_known_number_of_ways(rows: int, columns: int, tilings: int) -> None:
    assert counted(covered(rows, columns), Progress()).counts.tolist() == tilings


def test_a_chess_board_without_two_cells_of_one_colour_has_no_cover_and_of_two_colours_it_has() -> None:
    corners = tuple(range(16))
    counts = counted(covered(4, 4, (corners, corners)), Progress()).counts
    colour = np.add.outer(np.arange(4), np.arange(4)).ravel() % 2
    assert not counts[colour[:, None] == colour].any()
    # Of the 36 tilings of the whole, a corner lies along a row in one half and along a column in the other.
    assert counts[0, 1] == counts[1, 0] == counts[15, 14] == 18 and (counts == counts.T).all()


def test_what_is_listed_is_what_is_counted() -> None:
    cover = covered(3, 3, ((0, 2, 4, 5),))
    counts = counted(cover, Progress()).counts
    found = listed(cover, Progress(), most=1000)
    assert found.complete and counts.tolist() == [4, 4, 2, 0]
    assert len(np.unique(found.table, axis=0)) == len(found.table) == counts.sum()
    assert (np.sort(found.table, axis=1) == [HOLE, 0, 0, 1, 1, 2, 2, 3, 3]).all()


def test_of_many_covers_some_are_listed_and_it_is_said_that_there_are_more() -> None:
    some = listed(covered(6, 6), Progress(), most=100)
    assert len(some.table) == 100 and not some.complete
    assert len(np.unique(some.table, axis=0)) == 100
    assert listed(covered(6, 6), Progress(), most=6728).complete


def test_pieces_that_do_not_fill_the_cells_have_no_cover() -> None:
    cover = Cover(9, (dominoes(3, 3),) * 3, ((4,),))
    assert not cover.fits and counted(cover, Progress()).counts.tolist() == [0]
    assert listed(cover, Progress(), most=5).complete
    assert counted(Cover(2, ((3,), ()), ()), Progress()).counts.tolist() == 0
    assert counted(Cover(0, ()), Progress()).counts.tolist() == 1


def test_a_cover_that_is_too_large_is_refused() -> None:
    with pytest.raises(TooManyStates):
        counted(covered(6, 6), Progress(), most_states=100)
    wide = covered(2, 64)
    assert not wide.packs
    with pytest.raises(TooManyStates):
        counted(wide, Progress())


def test_a_board_of_more_than_64_cells_is_counted() -> None:
    triples = (tuple(7 << at for at in range(0, 90, 3)),)
    assert counted(Cover(90, triples * 30), Progress()).counts.tolist() == 1


def derangements(number: int) -> Cover:
    """Pieces of one cell, each of which may lie anywhere but in the place of its own number."""
    return Cover(number, tuple(tuple(1 << at for at in range(number) if at != own) for own in range(number)))


def test_counts_that_might_not_fit_into_64_bits_are_refused() -> None:
    assert counted(derangements(10), Progress()).counts.tolist() == 1334961
    with pytest.raises(TooManyStates):
        counted(derangements(16), Progress())


def test_a_count_ends_when_nobody_waits() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        counted(covered(6, 6), progress)
    with pytest.raises(Cancelled):
        listed(covered(6, 6), progress, most=10)
