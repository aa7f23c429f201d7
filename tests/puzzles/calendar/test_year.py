"""The whole year is what its dates are: counts known from outside, and random boards counted date by date."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.puzzles.calendar import solve
from studio.puzzles.calendar import year as year_
from studio.puzzles.calendar.model import CELL, FILLED, Board, CalendarDesign, CalendarParameters, Label, Piece, dates
from studio.puzzles.calendar.questions import year_of
from studio.puzzles.calendar.year import NO_DATE, places, used, year
from studio.solving.cover import Cover, counted
from tests.depth import examples
from tests.puzzles.calendar.slow_cover import arrangements, squares

ARTICLE = CalendarDesign()
SHAPES = [("#",), ("##",), ("###",), ("##", "#."), ("##.", ".##"), ("#..", "###"), ("##", "##")]


def test_the_articles_year_has_the_counts_that_others_found() -> None:
    known = year(ARTICLE, Progress())
    assert known.groups == ("month", "day") and known.counts.shape == (12, 31) and known.complete
    assert (known.total, known.least, known.most) == (24405, 7, 216)
    assert [known.having(amount) for amount in (known.least, known.most, 0)] == [((9, 5),), ((0, 24),), ()]
    assert int((known.counts == NO_DATE).sum()) == 6 and known.counts[1, 29] == NO_DATE
    dates = np.sort(known.counts[known.counts != NO_DATE])
    assert len(dates) == 366 and dates[:4].tolist() == [7, 8, 12, 13] and np.median(dates) == 59
    assert int((dates >= 100).sum()) == 60
    assert (known.counts[9, 4], known.counts[3, 5], known.counts[6, 5], known.counts[0, 19]) == (13, 8, 12, 195)


def test_the_year_is_counted_in_few_steps() -> None:
    """Half a million partial boards stand for the 8.1 million that are tried one by one."""
    assert year(ARTICLE, Progress()).nodes < 600_000


def test_any_two_open_cells_are_counted_together() -> None:
    board = ARTICLE.layout
    pieces = tuple(solve.ordered_placements(board, piece, True) for piece in ARTICLE.set)
    anywhere = tuple(range(len(board.names)))
    counts = counted(Cover(len(anywhere), pieces, (anywhere, anywhere)), Progress()).counts
    assert (counts == counts.T).all() and not counts.diagonal().any()
    assert counts.sum() == 2 * 59787 and (counts[np.triu_indices(43, 1)] == 0).sum() == 7


@st.composite
def designs(draw: st.DrawFn) -> CalendarDesign:
    """Small boards whose areas add up, with one to three groups and with pieces that may be alike."""
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(2, 5))
    mask = np.array(draw(st.lists(st.booleans(), min_size=rows * columns, max_size=rows * columns))).reshape(rows, -1)
    grid = tuple(
        "".join("#" if gone and i * j % 3 == 1 else "." for j, gone in enumerate(row)) for i, row in enumerate(mask)
    )
    names = [cell_name(j, i) for i, row in enumerate(grid) for j, each in enumerate(row) if each == CELL]
    groups = draw(st.lists(st.sampled_from(["month", "day", "moon", "shift"]), min_size=1, max_size=3, unique=True))
    # A group has no 13th month.
    most = min(len(names), 12 * len(groups))
    labelled = draw(st.lists(st.sampled_from(names), unique=True, min_size=min(len(groups), most), max_size=most))
    labels = [
        Label(name, groups[at % len(groups)], 1 + at // len(groups), name) for at, name in enumerate(labelled)
    ]  # fmt: skip
    left = len(names) - len({label.group for label in labels})
    pieces: list[Piece] = []
    while left:
        able = [shape for shape in SHAPES if Piece("x", shape).area <= left]
        shape = draw(st.sampled_from(able))
        pieces.append(Piece(f"p{len(pieces)}", shape))
        left -= pieces[-1].area
    board = Board(grid, tuple(sorted(labels, key=lambda label: label.name)))
    return CalendarDesign(CalendarParameters(reflections=draw(st.booleans())), board, tuple(pieces))


@given(designs())
@settings(max_examples=examples(50, 1200))
def test_the_year_is_what_each_of_its_dates_is(design: CalendarDesign) -> None:
    known = year(design, Progress())
    assert known.complete
    pieces = [squares(piece.rows, FILLED) for piece in design.set]
    where = dict(zip(design.layout.names, map(tuple, np.argwhere(design.layout.mask).tolist()), strict=True))
    dates = list(places(design.layout))
    assert int((known.counts != NO_DATE).sum()) == len(dates)
    for place, date in dates:
        cells = [label.name for label in date]
        amount = known.counts[place]
        found = solve.solutions(design, cells, Progress())
        assert amount == len(found.found) == solve.count(design, cells, Progress()).solutions
        if design.set:
            assert amount == solve.count_plainly(design, cells, Progress()).solutions
        if len(design.set) <= 5:
            board = squares(design.layout.rows, CELL) - {where[name] for name in cells}
            assert amount == len(arrangements(board, pieces, design.parameters.reflections))


def test_the_year_after_an_edit_is_the_year_from_nothing_and_it_is_kept_where_nothing_counts() -> None:
    before = year(ARTICLE, Progress())
    painted = tuple(replace(piece, colour=3, name=f"my {piece.name}") for piece in ARTICLE.set)
    assert year_of(replace(ARTICLE, pieces=painted), Progress(), before) is before
    thick = replace(ARTICLE, parameters=CalendarParameters(cell=30.0))
    assert year_of(thick, Progress(), before) is before
    edited = (*ARTICLE.set[:-1], Piece("W", ("#..", "##.", ".##")))
    after = year_of(replace(ARTICLE, pieces=edited), Progress(), before)
    assert after.counts.tolist() == year(replace(ARTICLE, pieces=edited), Progress()).counts.tolist()
    assert after.total != before.total
    one_side = replace(ARTICLE, parameters=CalendarParameters(reflections=False))
    assert year_of(one_side, Progress(), before).total < before.total


def test_a_board_without_labels_has_no_dates() -> None:
    known = year(CalendarDesign(board=Board(("..", "..")), pieces=(Piece("O", ("##", "##")),)), Progress())
    assert (known.groups, known.total, known.least, known.most) == ((), 0, 0, 0)
    assert known.having(known.least) == known.having(0) == () and known.complete


def test_pieces_that_do_not_fill_the_board_leave_every_date_without_a_solution() -> None:
    known = year(replace(ARTICLE, pieces=ARTICLE.set[1:]), Progress())
    assert known.total == 0 and len(known.having(0)) == 366


def test_a_piece_that_fits_nowhere_is_told() -> None:
    long = Piece("long", ("########",))
    assert used(replace(ARTICLE, pieces=(*ARTICLE.set, long))) == (True,) * 8 + (False,)


def test_a_year_too_large_for_one_count_is_counted_date_by_date(monkeypatch: pytest.MonkeyPatch) -> None:
    small = CalendarDesign(
        board=Board(("....", "...."), (Label("A1", "a", 1, "p"), Label("B1", "a", 2, "q"), Label("C2", "b", 1, "r"))),
        pieces=(Piece("D", ("##",)), Piece("L", ("##", "#.")), Piece("I", ("#",))),
    )
    whole = year(small, Progress())
    monkeypatch.setattr(year_, "MOST_STATES_AT_ONCE", 3)
    one_by_one = year(small, Progress())
    assert one_by_one.complete and one_by_one.counts.tolist() == whole.counts.tolist()
    monkeypatch.setattr(solve, "MOST_STATES_A_DATE", 3)
    assert year(small, Progress()).counts.tolist() == whole.counts.tolist()
    monkeypatch.setattr(year_, "MOST_NODES", 8)
    early = year(small, Progress())
    assert not early.complete and (early.counts <= whole.counts).all()


def test_a_year_tells_how_far_it_is_and_ends_when_nobody_waits() -> None:
    told: list[float] = []
    year(ARTICLE, Progress(lambda fraction, _note: told.append(fraction)))
    assert len(told) > 80 and told == sorted(told) and told[0] >= 0 and told[-1] <= 1
    waits = 40

    def report(_fraction: float, _note: str) -> None:
        nonlocal waits
        waits -= 1
        if not waits:
            progress.cancel()

    progress = Progress(report)
    with pytest.raises(Cancelled):
        year(ARTICLE, progress)
    assert waits == 0


def test_every_date_has_its_place_on_the_axes() -> None:
    found = list(places(ARTICLE.layout))
    assert [date for _, date in found] == list(dates(ARTICLE.layout))
    assert found[0][0] == (0, 0) and found[-1][0] == (11, 30)


@pytest.mark.parametrize(
    ("groups", "each", "words"),
    [
        (70, 1, "The labels form 70 groups; a year can be counted for at most 16."),
        (8, 20, "allow 25,600,000,000 combinations; a year can be counted for at most 100,000."),
    ],
)
def test_a_board_of_far_too_many_dates_is_refused_in_a_sentence(groups: int, each: int, words: str) -> None:
    names = [cell_name(column, row) for row in range(24) for column in range(24)]
    labels = [
        Label(names[group * each + value], f"group {group}", value + 1, str(value + 1))
        for group in range(groups)
        for value in range(each)
    ]
    board = Board((CELL * 24,) * 24, tuple(sorted(labels, key=lambda label: label.name)))
    with pytest.raises(StudioError) as refused:
        year(CalendarDesign(board=board, pieces=(Piece("dot", (FILLED,)),)), Progress())
    assert words in str(refused.value)
