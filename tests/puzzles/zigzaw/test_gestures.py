"""Drags, clicks and keys on a zigzaw, as gestures without a window."""

from __future__ import annotations

import pytest

from studio.base.progress import SILENT
from studio.puzzles.zigzaw.game import NONE, pieces_of
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.gestures import TRAY, Hand, places_of
from studio.puzzles.zigzaw.kind import ZIGZAW
from studio.puzzles.zigzaw.model import ZigzawParameters
from tests.puzzles.player import Player

SMALL = generate(ZigzawParameters(columns=4, rows=4, seed=3), SILENT)
AT = [(x, y) for x, y in places_of(SMALL).middles.tolist()]


class Layer(Player):
    """Plays the small zigzaw; `laid` has the pieces by their places."""

    @property
    def laid(self) -> dict[int, int]:
        return {place: piece for place, piece in enumerate(self.game.placed) if piece != NONE}

    def pull(self, start: int, end: int, *, piece: int = NONE, right: float = 6.0, is_off: bool = False) -> None:
        """Drag from a place, or a piece from the tray, to a place or nearly."""
        if piece == NONE:
            self.act("press", AT[start], over=start)
        else:
            self.act("press", (-99.0, 0.0), key=TRAY, over=piece, is_off=True)
        for what in ("drag", "release"):
            self.act(what, (AT[end][0] + right, AT[end][1] - 4.0), is_off=is_off)

    def click(self, place: int) -> None:
        self.drag(AT[place], over=place)

    def walk(self, place: int) -> None:
        (row, column), (to_row, to_column) = divmod(self.hand.place, 4), divmod(place, 4)
        self.keys(*["down" if to_row > row else "up"] * abs(to_row - row))
        self.keys(*["right" if to_column > column else "left"] * abs(to_column - column))
        assert self.hand.place == place


@pytest.fixture
def player() -> Layer:
    return Layer(ZIGZAW, SMALL, Hand())


def test_pieces_are_dragged_between_places_swapped_and_dragged_back(player: Layer) -> None:
    player.pull(0, 5, piece=3)
    player.pull(0, 6, piece=7)
    player.pull(5, 6)
    assert player.laid == {5: 7, 6: 3}
    player.pull(6, 0)
    player.pull(0, 0, piece=8)
    assert player.laid == {0: 8, 5: 7}
    player.pull(0, 3, is_off=True)
    assert player.laid == {5: 7} and player.asked == ("select", "8"), "it is put back into the tray"
    player.pull(5, 5)
    assert player.laid == {5: 7} and player.log.count == 6, "back where it was is no move"
    player.pull(5, 5, right=-999.0)
    assert not player.laid, "a drop off the board lays nothing"


def test_a_click_takes_a_piece_and_a_click_lays_it(player: Layer) -> None:
    player.drag((0.0, 0.0), over=3, key=TRAY)
    player.act("hover", AT[5])
    assert (player.hand.piece, player.hand.aim, player.hand.cursor) == (3, 5, "closed")
    player.act("leave")
    assert player.hand.aim is None
    player.click(5)
    assert player.laid == {5: 3} and player.hand.piece == NONE
    player.click(5)
    player.click(9)
    assert player.laid == {9: 3}
    player.click(9)
    for held in (4, NONE):
        player.drag((0.0, 0.0), over=4, key=TRAY)
        assert not player.laid and player.hand.piece == held, "a piece is put back before another is taken"


def test_escape_another_position_and_a_button_up_elsewhere_leave_no_piece_in_the_hand(player: Layer) -> None:
    for key in ("Escape", "undo"):
        player.drag((0.0, 0.0), over=3, key=TRAY)
        assert player.hand.piece == 3 and player.act("cancel" if key == "Escape" else "drop")
        assert player.hand.piece == NONE and not player.act("cancel")
    player.act("press", over=4, key=TRAY)
    player.act("hover", (9.0, 9.0))
    player.act("release", (9.0, 9.0))
    assert player.hand.piece == NONE


def test_a_puzzle_is_played_to_its_end_by_keys_alone(player: Layer) -> None:
    for place, piece in enumerate(pieces_of(SMALL).own.tolist()):
        assert not player.is_solved
        player.act("key", key="take", over=piece)
        assert player.asked == ("focus", "board") and player.hand.piece == piece
        player.walk(place)
        player.keys("enter")
        assert player.laid[place] == piece and player.asked == ("focus", TRAY)
    assert player.is_solved
    player.keys("enter", "left")
    assert player.hand.aim == 14
    player.keys("enter")
    assert player.log.count == 17 and not player.asked, "the keys stay on the board"
