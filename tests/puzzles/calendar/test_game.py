"""What a hint does in a game of a calendar puzzle."""

import pytest

from studio.progress import Progress
from studio.puzzles.calendar.game import Hint, hint
from studio.puzzles.calendar.model import Board, CalendarDesign, Piece

DESIGN = CalendarDesign(
    board=Board(("....", "....")), pieces=(Piece("I4", ("####",)), Piece("I2", ("##",)), Piece("I2 2", ("##",)))
)
"""Two rows of four cells: a long piece fills one of them, two short ones the other."""


@pytest.mark.parametrize(
    ("laid", "taken"),
    [
        ({0: 0b0000_1111, 1: 0b1100_0000}, None),
        ({0: 0b0000_1111, 1: 0b0110_0000}, (1,)),
        ({2: 0b1100_0000, 1: 0b0001_0001}, (1,)),
        ({1: 0b0001_0001, 2: 0b0010_0010}, (2, 1)),
    ],
)  # fmt: skip
def test_a_hint_takes_up_the_fewest_pieces_the_last_laid_first(laid: dict[int, int], taken: tuple[int, ...]) -> None:
    helps = hint(DESIGN, (), laid, Progress())
    assert helps == Hint(2, 0b0011_0000) if taken is None else helps == Hint(taken=taken)


def test_a_full_board_needs_no_hint() -> None:
    assert hint(DESIGN, (), {0: 0b0000_1111, 1: 0b1100_0000, 2: 0b0011_0000}, Progress()) == Hint()
