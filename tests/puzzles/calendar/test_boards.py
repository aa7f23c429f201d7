"""The boards that come with the studio, and their pieces."""

import re

import pytest

from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.geometry.planar.polyomino import outline
from studio.puzzles.calendar.model import (
    BOARDS,
    DAY,
    MONTH,
    WEEKDAY,
    Board,
    CalendarDesign,
    CalendarParameters,
    Label,
    Piece,
    built_in,
    dates,
    said,
)
from studio.puzzles.calendar.set_search import form
from studio.puzzles.calendar.solve import solutions
from studio.puzzles.calendar.year import year


def found(board: str, *open_cells: str) -> int:
    design = CalendarDesign(CalendarParameters(board=board))
    return len(solutions(design, open_cells, Progress()).found)


@pytest.mark.parametrize("name", BOARDS)
def test_a_board_and_its_pieces_are_whole(name: str) -> None:
    design = CalendarDesign(CalendarParameters(board=name))
    assert design.area == design.layout.covered
    for labels in design.layout.groups.values():
        assert [label.value for label in labels] == list(range(1, len(labels) + 1))
        assert len({label.text for label in labels}) == len(labels)
    assert len({form(piece.mask) for piece in design.set}) == len(design.set)
    assert all(len(outline(piece.mask).corners) >= 4 for piece in design.set)


def test_the_boards_have_the_cells_labels_and_dates_that_they_are_known_for() -> None:
    figures = {}
    for name in BOARDS:
        board = built_in(name).board
        groups = {group: len(labels) for group, labels in board.groups.items()}
        figures[name] = (len(board.names), groups, sum(1 for _ in dates(board)), len(built_in(name).pieces))
    assert figures == {
        "article": (43, {MONTH: 12, DAY: 31}, 366, 8),
        "weekday": (50, {MONTH: 12, DAY: 31, WEEKDAY: 7}, 2562, 10),
        "heart": (45, {MONTH: 12, DAY: 31}, 366, 9),
        "dice": (42, {"first die": 6, "second die": 6}, 36, 8),
    }


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", ["article", "heart", "dice"])
def test_every_date_of_a_board_has_a_solution(name: str) -> None:
    design = CalendarDesign(CalendarParameters(board=name))
    known = year(design, Progress())
    assert known.complete and known.having(0) == () and known.least >= 1
    for date in list(dates(design.layout))[::25]:
        open_cells = [label.name for label in date]
        rows = solutions(design, open_cells, Progress(), most=1).found
        placed = dict(zip(design.layout.names, rows[0].tolist(), strict=True))
        assert sorted(cell for cell, piece in placed.items() if piece < 0) == sorted(open_cells), said(date)


def test_the_hardest_of_the_heart_are_2_july_and_6_december() -> None:
    on = {label.text: label.name for label in built_in("heart").board.labels}
    assert found("heart", on["Jul"], on["2"]) == 2
    assert found("heart", on["Dec"], on["6"]) == 2


def test_the_dice_have_148_solutions_and_none_without_one() -> None:
    counts = [found("dice", *(label.name for label in date)) for date in dates(built_in("dice").board)]
    assert (len(counts), sum(counts), min(counts), max(counts)) == (36, 148, 1, 12)


def test_a_date_is_said_as_makers_say_it() -> None:
    assert said(next(dates(built_in("weekday").board))) == "Mon 1 Jan"
    assert said(next(dates(built_in("dice").board))) == "1 I"


def test_what_can_be_no_board_is_refused_in_a_sentence() -> None:
    jan = Label("A1", MONTH, 1, "Jan")
    for rows, labels, sentence in (
        ((), (), "The board has no squares."),
        (("",), (), "The board has no squares."),
        (("." * 100,) * 100, (), "The board can have at most 24 × 24 squares, not 100 × 100."),
        (("..", "."), (), "The board must have rows of equal length."),
        (("..", ".x"), (), "The board may contain only '.' and '#'."),
        (("##", "##"), (), "The board must have at least one cell."),
        (("#.",), (jan,), "Label 'Jan' is on 'A1', which is not a cell."),
        (("..",), (jan, jan), "Cell A1 has two labels."),
    ):
        with pytest.raises(ParameterError, match=f"^{re.escape(sentence)}$"):
            Board(rows, labels)


def test_what_can_be_no_label_or_piece_is_refused_in_a_sentence() -> None:
    for group, value, text, sentence in (
        ("month", 13, "Jan", "value must be 1 to 12 in the group month, not 13."),
        ("day", 0, "0", "value must be 1 to 31 in the group day, not 0."),
        ("dice", 577, "x", "value must be 1 to 576 in the group dice, not 577."),
        ("", 1, "x", "group must have 1 to 24 characters, not 0."),
        ("dice", 1, "x" * 25, "text must have 1 to 24 characters, not 25."),
        ("dice", 1, "a\nb", "text must be printable, without spaces at either end, not 'a\\nb'."),
    ):
        with pytest.raises(ParameterError, match=f"^{re.escape(sentence)}$"):
            Label("A1", group, value, text)
    for rows, sentence in (
        (("#" * 25,), "Piece Q can have at most 24 × 24 squares, not 1 × 25."),
        (("#.", "#."), "Piece Q must not have empty outer rows or columns."),
        (("..",), "Piece Q must not have empty outer rows or columns."),
        (("#?",), "Piece Q may contain only '#' and '.'."),
    ):
        with pytest.raises(ParameterError, match=f"^{re.escape(sentence)}$"):
            Piece("Q", rows)
    with pytest.raises(ParameterError, match="pieces must be at most 64, not 65"):
        CalendarDesign(pieces=tuple(Piece(f"I {number}", ("#",)) for number in range(65)))
    with pytest.raises(ParameterError, match="2 pieces are named Q"):
        CalendarDesign(pieces=(Piece("Q", ("#",)), Piece("Q", ("##",))))
