"""All solutions of a date are found: counts known from outside, and a slow exact cover of another make."""

import random
from dataclasses import replace

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.puzzles.calendar import solve
from studio.puzzles.calendar.model import (
    CELL,
    FILLED,
    Board,
    CalendarDesign,
    CalendarParameters,
    Piece,
    dates,
    placements,
)
from studio.puzzles.calendar.questions import date_cells, label_cells
from tests.depth import THOROUGH, examples
from tests.puzzles.calendar.slow_cover import arrangements, squares

ARTICLE = CalendarDesign()
WEEKDAY = CalendarDesign(CalendarParameters(board="weekday"))
DOMINO = Piece("D", ("##",))


def slow_covers(design: CalendarDesign, cells: tuple[str, ...]) -> set[object]:
    """What the slow cover finds for a design with some cells open."""
    places = dict(zip(design.layout.names, map(tuple, np.argwhere(design.layout.mask).tolist()), strict=True))
    board = squares(design.layout.rows, CELL) - {places[name] for name in cells}
    return set(
        arrangements(board, [squares(piece.rows, FILLED) for piece in design.set], design.parameters.reflections)
    )


def board(*rows: str) -> CalendarDesign:
    return CalendarDesign(board=Board(rows), pieces=())


@pytest.mark.parametrize(
    ("labels", "solutions"),
    [
        ("Nov,5", 178), ("Oct,6", 7), ("Apr,6", 8), ("Jul,6", 12), ("Oct,5", 13), ("Jan,25", 216), ("Jan,20", 195),
        ("Feb,30", 34), ("Feb,31", 77), ("Apr,31", 183), ("Jun,31", 139), ("Sep,31", 104), ("Nov,31", 119),
    ],
)  # fmt: skip
def test_the_articles_board_has_the_counts_that_others_found(labels: str, solutions: int) -> None:
    cells = label_cells(ARTICLE, labels)
    found = solve.solutions(ARTICLE, cells, Progress())
    assert (len(found.found), found.complete) == (solutions, True)
    known = solve.count(ARTICLE, cells, Progress())
    assert (known.solutions, known.complete, known.nodes) == (solutions, True, found.nodes)


def test_random_dates_are_those_of_a_slow_exact_cover() -> None:
    for date in random.Random(6).sample(list(dates(ARTICLE.layout)), examples(4, 20)):
        cells = tuple(label.name for label in date)
        assert len(solve.solutions(ARTICLE, cells, Progress()).found) == len(slow_covers(ARTICLE, cells)), cells


def test_the_hardest_date_of_the_weekday_board_has_97_solutions() -> None:
    cells = date_cells(WEEKDAY, "04-06-mon")
    assert len(solve.solutions(WEEKDAY, cells, Progress()).found) == 97


def test_every_arrangement_lays_every_piece_once_and_leaves_the_date_open() -> None:
    cells = date_cells(ARTICLE, "11-05")
    found = solve.solutions(ARTICLE, cells, Progress()).found
    assert len(np.unique(found, axis=0)) == len(found) == 178
    assert (found[:, [ARTICLE.layout.indices[name] for name in cells]] == solve.OPEN).all()
    for number, piece in enumerate(ARTICLE.set):
        assert ((found == number).sum(axis=1) == piece.area).all()
    assert found.tolist() == sorted(found.tolist())


def test_pieces_that_may_not_be_flipped_have_the_solutions_of_a_slow_cover_that_does_not_flip() -> None:
    design = replace(ARTICLE, parameters=CalendarParameters(reflections=False))
    cells = date_cells(design, "01-25")
    assert solve.count(design, cells, Progress()).solutions == len(slow_covers(design, cells))


def test_of_many_solutions_some_are_listed_and_counted_as_at_least_so_many() -> None:
    cells = date_cells(ARTICLE, "11-05")
    some = solve.solutions(ARTICLE, cells, Progress(), most=5)
    assert (len(some.found), some.complete) == (5, False)
    known = solve.count(ARTICLE, cells, Progress(), most=5)
    assert (known.solutions, known.complete) == (5, False)
    assert solve.count(ARTICLE, cells, Progress(), most=178).complete


def test_all_pieces_must_be_used_so_too_much_or_too_little_area_has_no_solution() -> None:
    for pieces in ((DOMINO,), tuple(replace(DOMINO, name=name) for name in "DEF"), ()):
        design = replace(board("..", ".."), pieces=pieces)
        assert solve.count(design, (), Progress()).solutions == 0
        assert len(solve.solutions(design, (), Progress()).found) == 0
        assert list(solve.steps(design, ())) == []


def test_swapped_twins_are_not_another_solution_and_the_first_on_the_board_has_the_lower_number() -> None:
    design = replace(
        board("....", "...."),
        pieces=(DOMINO, replace(DOMINO, name="E"), Piece("F", ("#", "#")), replace(DOMINO, name="G")),
    )
    found = solve.solutions(design, (), Progress())
    assert len(found.found) == len(slow_covers(design, ())) == 5
    firsts = [[row.tolist().index(number) for number in range(4)] for row in found.found]
    assert all(first == sorted(first) for first in firsts)
    assert sum(step.solution for step in solve.steps(design, ())) == 5


@pytest.mark.sampled(3)
@pytest.mark.parametrize("text", ["10-06", "02-29", "11-05"])
def test_the_search_that_is_looked_at_finds_the_same_solutions_step_by_step(text: str) -> None:
    cells = date_cells(ARTICLE, text)
    lying: dict[int, int] = {}
    found = set()
    for step in solve.steps(ARTICLE, cells):
        if step.placed:
            assert step.piece not in lying and not any(step.cells & other for other in lying.values())
            lying[step.piece] = step.cells
        else:
            assert lying.pop(step.piece) == step.cells
        if step.solution:
            found.add(frozenset(lying.items()))
    assert not lying
    fast = solve.solutions(ARTICLE, cells, Progress()).found
    assert found == {frozenset((n, bits(row == n)) for n in range(8)) for row in fast}


def bits(cells: np.ndarray) -> int:
    return sum(1 << int(cell) for cell in np.flatnonzero(cells))


def test_a_board_too_large_for_layers_is_searched_plainly_and_says_so_when_it_gives_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    cells = date_cells(ARTICLE, "10-06")
    listed = solve.solutions(ARTICLE, cells, Progress()).found
    monkeypatch.setattr(solve, "MOST_STATES_A_DATE", 1000)
    plainly = solve.solutions(ARTICLE, cells, Progress())
    assert plainly.complete and plainly.found.tolist() == listed.tolist()
    assert solve.count(ARTICLE, cells, Progress()).solutions == 7
    monkeypatch.setattr(solve, "MOST_NODES", 5000)
    early = solve.solutions(ARTICLE, cells, Progress())
    assert not early.complete and early.nodes == 5000 and len(early.found) < 7
    monkeypatch.setattr(solve, "MOST_NODES", 10)
    with pytest.raises(StudioError, match="The hint timed out"):
        solve.completed(ARTICLE, cells, {}, Progress())
    assert not solve.count_plainly(ARTICLE, cells, Progress(), most_nodes=5000).complete


def test_the_twelve_pentominoes_fill_a_board_in_as_many_ways_as_known() -> None:
    """The known ways count turned and mirrored boards as one; here they are told apart."""
    height, width, ways = (6, 10, 2339) if THOROUGH else (4, 15, 368)
    rows = [
        ".##/##./.#.", "#####", "#.../####", "##../.###", "##./###", "###/.#./.#.",
        "#.#/###", "#../#../###", "#../##./.##", ".#./###/.#.", ".#../####", "##./.#./.##",
    ]  # fmt: skip
    pieces = tuple(Piece(f"p{at}", tuple(each.split("/"))) for at, each in enumerate(rows))
    known = solve.count(replace(board(*["." * width] * height), pieces=pieces), (), Progress())
    assert (known.solutions, known.complete) == (4 * ways, True)


def test_a_board_of_576_cells_with_wide_pieces_ends() -> None:
    design = replace(board(*["." * 24] * 24), pieces=tuple(Piece(f"p{at}", ("#" * 24,)) for at in range(24)))
    found = solve.solutions(design, (), Progress())
    assert len(found.found) == 2 and found.complete


def test_a_search_ends_when_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    progress = Progress()
    progress.cancel()
    cells = date_cells(ARTICLE, "11-05")
    with pytest.raises(Cancelled):
        solve.solutions(ARTICLE, cells, progress)
    with pytest.raises(Cancelled):
        solve.count_plainly(ARTICLE, cells, progress)


def test_a_hint_agrees_with_what_lies_and_there_is_none_where_nothing_agrees() -> None:
    cells = date_cells(ARTICLE, "10-06")
    found = solve.solutions(ARTICLE, cells, Progress()).found
    for row in found:
        whole = {number: bits(row == number) for number in range(8)}
        assert solve.completed(ARTICLE, cells, whole, Progress()) == whole
        most = {number: whole[number] for number in (1, 4, 6)}
        answer = solve.completed(ARTICLE, cells, most, Progress())
        assert answer is not None and most.items() <= answer.items()
        assert sum(answer.values()) == bits(row != solve.OPEN)
    corner = next(way for way in placements(ARTICLE.layout, ARTICLE.set[0], True) if way & 1)
    lonely = sum(1 << ARTICLE.layout.indices[name] for name in ("A1", "B1", "C1", "A2", "C2"))
    assert solve.completed(ARTICLE, cells, {4: lonely}, Progress()) is None
    assert solve.completed(ARTICLE, cells, {0: corner, 4: corner}, Progress()) is None
    first = solve.completed(ARTICLE, cells, {}, Progress())
    assert first is not None and sorted(first) == list(range(8))


def test_twins_lie_mirrored_or_turned_in_their_own_place() -> None:
    """An L of four squares and a domino fill two by three in four ways, turned or mirrored into each other."""
    design = replace(board("...", "..."), pieces=(Piece("L", ("#..", "###")), DOMINO))
    found = solve.solutions(design, (), Progress()).found
    assert len(found) == 4
    assert solve.twins(design.layout, found).tolist() == [0, 0, 0, 0]


def test_no_arrangement_is_the_twin_of_one_that_differs_otherwise() -> None:
    found = solve.solutions(ARTICLE, date_cells(ARTICLE, "11-05"), Progress()).found
    first = solve.twins(ARTICLE.layout, found)
    for row, other in enumerate(first.tolist()):
        assert other <= row
        block = np.unique(found[row][found[row] != found[other]])
        assert (np.isin(found[row], block) == np.isin(found[other], block)).all()
    assert (first != np.arange(len(found))).sum() == 75
