"""The rules of a game of a calendar puzzle: moves as texts, what stays in another design, and what a hint does."""

from dataclasses import replace

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.calendar.game import TURNS, Game, carry, hint, moved, off_text, placed_text, sketch, start, tally
from studio.puzzles.calendar.model import Board, CalendarDesign, CalendarParameters, Label, Piece, placements

DESIGN = CalendarDesign(
    board=Board(("....", "....")), pieces=(Piece("I4", ("####",)), Piece("I2", ("##",)), Piece("I2 2", ("##",)))
)
"""Two rows of four cells: a long piece fills one of them, two short ones the other."""


@pytest.mark.parametrize(
    ("placed", "taken"),
    [
        ({0: 0b0000_1111, 1: 0b1100_0000}, None),
        ({0: 0b0000_1111, 1: 0b0110_0000}, (1,)),
        ({2: 0b1100_0000, 1: 0b0001_0001}, (1,)),
        ({1: 0b0001_0001, 2: 0b0010_0010}, (2, 1)),
    ],
)  # fmt: skip
def test_a_hint_takes_up_the_fewest_pieces_the_last_laid_first(placed: dict[int, int], taken: tuple[int, ...]) -> None:
    helps = hint(DESIGN, replace(start(DESIGN, ()), placed=placed), Progress())
    if taken is None:
        assert helps == Hint("I2 2 0 A2", ("I2 2",))
        return
    names = [DESIGN.set[piece].name for piece in taken]
    words = " and ".join(f"piece {name}" for name in names)
    assert helps == Hint("", tuple(names), f"No solution fits the placed pieces. Remove {words}.")


def test_a_full_board_needs_no_hint() -> None:
    full = replace(start(DESIGN, ()), placed={0: 0b0000_1111, 1: 0b1100_0000, 2: 0b0011_0000})
    assert hint(DESIGN, full, Progress()) == Hint()


def test_where_there_is_no_solution_a_hint_says_so() -> None:
    lacking = replace(DESIGN, pieces=DESIGN.set[:2])
    assert hint(lacking, start(lacking, ()), Progress()) == Hint(words="the whole board has no solution.")


ARTICLE = CalendarDesign()
DATE = ("D2", "F3")
"""October and the 6th on the article's board."""


def game_after(*texts: str, design: CalendarDesign = ARTICLE) -> Game:
    game = start(design, tuple(label.name for label in design.layout.labels if label.text in ("Oct", "6")))
    for text in texts:
        game = moved(design, game, text)
    return game


@pytest.mark.parametrize("piece", range(8))
def test_every_placement_has_a_text_that_makes_it(piece: int) -> None:
    empty = replace(game_after(), open_cells=())
    for cells in placements(ARTICLE.layout, ARTICLE.set[piece], True):
        text = placed_text(ARTICLE, piece, cells)
        assert moved(ARTICLE, empty, text).placed == {piece: cells}
        name, turn, cell = text.rsplit(" ", 2)
        assert (name, turn in TURNS, cell in ARTICLE.layout.indices) == (ARTICLE.set[piece].name, True, True)


def test_a_turn_is_clockwise_and_a_flip_comes_before_it() -> None:
    design = replace(ARTICLE, pieces=(Piece("J", ("#.", "#.", "##")),))
    drawn = {turn: game_after(f"J {turn} B4", design=design).masks[0] for turn in ("0", "90", "f0", "f90")}
    own = design.set[0].mask
    assert np.array_equal(drawn["0"], own) and np.array_equal(drawn["90"], np.rot90(own, -1))
    assert np.array_equal(drawn["f0"], own[:, ::-1]) and np.array_equal(drawn["f90"], np.rot90(own[:, ::-1], -1))
    assert sketch(design, game_after("J f90 B4", design=design)).splitlines()[3:5] == [". J . . . . .", ". J J J . . ."]


def test_a_piece_is_placed_moved_and_taken_up_and_the_game_before_stays_as_it_was() -> None:
    first = game_after("O 0 A4")
    second = moved(ARTICLE, first, "O 0 B4")
    third = moved(ARTICLE, second, "O off")
    assert len(first.placed) == len(second.placed) == 1 and first.placed != second.placed and third == game_after()
    assert [tally(ARTICLE, game) for game in (first, third)] == ["1 of 8 pieces placed", "0 of 8 pieces placed"]
    assert off_text(ARTICLE, next(iter(first.placed))) == "O off"


def test_a_name_with_spaces_that_looks_like_a_turn_is_still_a_name() -> None:
    design = replace(DESIGN, pieces=(Piece("I4 90", ("####",)), Piece("off", ("##",))))
    game = start(design, ())
    for text in ("I4 90 0 A1", "off 0 A2", "off off", "I4 90 off"):
        game = moved(design, game, text)
    assert not game.placed


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Enter a move as piece, rotation and cell, such as 'L 90 C3', or as piece and 'off'."),
        ("O A4", "Enter a move as piece, rotation and cell, such as 'L 90 C3', or as piece and 'off'."),
        ("O 45 A4", "Enter a move as piece, rotation and cell, such as 'L 90 C3', or as piece and 'off'."),
        ("Q 0 A4", "There is no piece 'Q'."),
        ("V 0 Z9", "The board has no cell 'Z9'."),
        ("V 0 G1", "The board has no cell 'G1'."),
        ("V 0 E6", "Piece V does not fit on the board at E6."),
        ("O 0 A4", "Piece O is already there."),
        ("V 0 A3", "Piece V cannot go to A3: piece O is in the way."),
        ("V 90 D2", "Piece V cannot go to D2: it would cover D2."),
        ("V off", "Piece V is not on the board."),
    ],
)
def test_a_move_that_is_none_is_refused_in_a_sentence_that_says_why(text: str, sentence: str) -> None:
    with pytest.raises(StudioError) as problem:
        moved(ARTICLE, game_after("O 0 A4"), text)
    assert str(problem.value) == sentence


def test_pieces_that_stay_face_up_are_not_flipped() -> None:
    design = CalendarDesign(CalendarParameters(reflections=False))
    with pytest.raises(StudioError, match=r"^Piece L cannot be flipped: this puzzle does not allow it\.$"):
        game_after("L f0 A4", design=design)


def test_only_one_label_of_each_group_is_a_target() -> None:
    for target in ((), ("D2",), ("D2", "D2"), ("A1", "B1"), ("D2", "Z9"), (*DATE, "A3")):
        with pytest.raises(StudioError, match=r"^Leave exactly one label of each group uncovered, not .*\.$"):
            start(ARTICLE, target)
    cells = {label.text: label.name for label in ARTICLE.layout.labels}
    with pytest.raises(StudioError, match=r"^30 Feb does not exist\.$"):
        start(ARTICLE, (cells["Feb"], cells["30"]))
    odd = Board(("...",), (Label("A1", "month", 2, "Feb"), Label("B1", "day", 30, "30")))
    assert start(replace(ARTICLE, board=odd), ("A1", "B1")).open_cells == ("A1", "B1"), "it has no other date"


def test_in_another_design_unchanged_pieces_stay_where_they_still_fit() -> None:
    game = game_after("O 0 A4", "V 0 D4")
    pieces = {piece.name: piece for piece in ARTICLE.set}
    assert list(carry(ARTICLE, game, replace(ARTICLE, pieces=(pieces["V"], pieces["O"])))) == ["O 0 A4", "V 0 D4"]
    other = replace(pieces["V"], rows=("##", "##"))
    assert list(carry(ARTICLE, game, replace(ARTICLE, pieces=(other, pieces["O"])))) == ["O 0 A4"]
    renamed = tuple(replace(piece, name="Five") if piece.name == "V" else piece for piece in ARTICLE.set)
    assert list(carry(ARTICLE, game, replace(ARTICLE, pieces=renamed))) == ["O 0 A4", "Five 0 D4"]
    assert list(carry(ARTICLE, game, CalendarDesign(CalendarParameters(board="weekday")))) == []
