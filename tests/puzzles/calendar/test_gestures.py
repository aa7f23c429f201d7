"""Drags and keys on a calendar puzzle, as gestures without a window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from studio.puzzles.calendar.gestures import Hand, Under
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, bits, lying
from tests.puzzles.player import Player

O, L, _N, P, _U, V = range(6)  # noqa: E741


class Layer(Player):
    """Plays 6 October; pieces that are not on the board lie at row and column 20."""

    def at(self, piece: int) -> tuple[float, float]:
        """Row and column of a piece."""
        return lying(self.game.board, self.game.placed[piece])[1:] if piece in self.game.placed else (20.0, 20.0)

    def on(self, what: str, piece: int, row: int = 0, column: int = 0) -> None:
        """Make a gesture on a square of a piece where it lies."""
        top, left = self.at(piece)
        self.act(what, (left + column + 0.5, top + row + 0.5), over=Under(piece, top, left))  # type: ignore[arg-type]

    def lay(self, piece: int, square: tuple[int, int], row: float, column: float) -> None:
        """Drag a piece, by one of its squares, to a place of the board."""
        self.on("press", piece, *square)
        self.act("drag", (column, row))
        self.act("release", (column, row))


@pytest.fixture
def player() -> Layer:
    return Layer(CALENDAR, CalendarDesign(), Hand(), ("D2", "F3"))


def test_a_piece_slips_into_the_nearest_place_but_on_no_other_and_not_on_the_date(player: Layer) -> None:
    player.lay(O, (0, 0), 0.7, 0.3)
    assert player.at(O) == (0, 0) and player.hand.moving is None and player.hand.selected == O
    player.on("press", P)
    assert player.hand.moving is None
    player.act("drag", (0.5, 0.5))
    assert not player.hand.held.spot.fits and player.hand.cursor == "closed"
    player.act("release", (0.5, 0.5))
    assert list(player.game.placed) == [O]
    player.lay(P, (0, 0), 1.5, 3.5)
    assert player.game.covered() & ~player.game.room == 0, "October stays open"


def test_r_turns_and_f_flips_the_piece_in_the_hand_which_is_held_where_it_was_taken(player: Layer) -> None:
    mask = np.rot90(player.game.masks[L], -1)
    player.on("press", L, 1, 0)
    player.keys("rotate")
    assert np.array_equal(player.hand.held.mask, mask)
    player.keys("flip")
    held = player.hand.held
    assert np.array_equal(held.mask, mask[:, ::-1]) and held.mask[int(21.5 - held.row), int(20.5 - held.column)]
    player.act("release")
    assert L not in player.game.placed and player.log.count == 0
    assert np.array_equal(player.game.masks[L], held.mask), "it stays as it was turned"


def test_a_piece_let_go_where_it_does_not_fit_is_back_and_beside_the_board_it_is_taken_up(player: Layer) -> None:
    player.lay(O, (0, 0), 3.5, 0.5)
    player.lay(V, (2, 0), 5.5, 4.5)
    player.lay(V, (2, 2), 3.5, 1.5)
    assert player.at(O) == (3, 0) and player.log.count == 2, "it is where it was"
    player.lay(O, (0, 0), 20.0, 20.0)
    assert set(player.game.placed) == {V}
    player.on("double", V, 2, 0)
    assert not player.game.placed
    player.act("double", (0.5, 0.5), over=Under(cell="A1"))
    assert player.asked == ("choose", "A1")


def test_r_turns_a_lying_piece_in_its_place_or_says_why_not(player: Layer) -> None:
    player.keys("rotate")
    assert player.said == "Pick up or point at a piece."
    mask = player.game.masks[V]
    player.on("hover", V, 2, 0)
    player.keys("rotate")
    assert player.hand.cursor == "open" and np.array_equal(player.game.masks[V], np.rot90(mask, -1))
    assert player.log.count == 0, "beside the board it is no move to be taken back"
    player.act("leave")
    player.lay(O, (0, 0), 3.5, 1.5)
    before = player.game.placed[O]
    player.keys("rotate")
    after = player.game.placed[O]
    assert after != before and after & before and player.log.count == 2
    player.log = player.log.with_state(replace(player.game, placed={O: after, V: player.game.room & ~after}))
    player.keys("rotate")
    assert player.said == "Piece O does not fit there rotated; drag it away first."


def test_the_whole_game_can_be_played_by_the_keys(player: Layer) -> None:
    player.keys("right", "right", "enter")
    assert player.hand.selected == 1 and player.hand.held.spot.fits
    player.keys("rotate", "down", "down", "down", "enter")
    assert player.game.placed == {1: bits(player.game.board, player.game.masks[1], 3, 0)}
    player.keys("left", "enter", "down", "down", "down", "enter")
    assert player.said == f"Piece {player.design.set[0].name} does not fit there. Esc puts it back."
    assert player.act("cancel") and player.hand.held is None and set(player.game.placed) == {1}
    player.keys("right", "remove")
    assert not player.game.placed
    assert player.act("cancel") and player.hand.selected is None and not player.act("cancel")
