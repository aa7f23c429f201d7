"""Drags, turns, boxes and keys on a jigsaw, as gestures without a window."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest

from studio.puzzles.jigsaw.gestures import ROTATION_OFF, Hand, neighbour
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from tests.puzzles.player import Place, Player, ways

SMALL = JigsawDesign(JigsawParameters(width=100.0, height=75.0, columns=4, rows=3))
B2 = 5


class Joiner(Player):
    def __init__(self, *target: str) -> None:
        super().__init__(JIGSAW, SMALL, Hand(), target)
        self.home = self.game.table.middle

    def pose(self, piece: int) -> Any:
        return self.game.cluster_of(piece).pose_of(piece)

    def at(self, piece: int) -> Place:
        """The middle of a piece where it lies."""
        x, y = self.pose(piece).of(*self.home(piece))
        return x, y

    def on(self, what: str, piece: int, **more: bool) -> None:
        self.act(what, self.at(piece), over=piece, **more)  # type: ignore[arg-type]

    def pull(self, piece: int, *ends: Place, **more: bool) -> None:
        self.drag(self.at(piece), *ends, over=piece, **more)

    def walk(self, piece: int) -> None:
        """Press the fewest arrow keys until a piece is pointed at."""
        if self.hand.over is None:
            self.keys("up")
        table = self.game.table
        places = table.places(self.game).spots(np.arange(12), table.middles)
        self.keys(*ways(self.hand.over, partial(neighbour, places))[piece])
        assert self.hand.over == piece


@pytest.fixture
def player() -> Joiner:
    return Joiner()


def test_pieces_turn_by_key_right_button_and_wheel(player: Joiner) -> None:
    player.keys("take off")
    assert player.said == "Point at a joined piece to take it off."
    player.on("hover", B2)
    player.keys("rotate")
    assert player.hand.cursor == "open" and player.said == ROTATION_OFF and player.pose(B2).turn == 0.0
    player = Joiner("rotation=quarters")
    player.keys("rotate")
    assert player.said == "Hold a piece or point at one to rotate it."
    turns = [player.pose(B2).turn]
    for key in ("rotate", "rotate back"):
        player.on("hover", B2)
        player.keys(key)
        turns.append(player.pose(B2).turn)
    for shift in (False, False, True):
        player.on("menu", B2, shift=shift)
        turns.append(player.pose(B2).turn)
    assert [(turn - turns[0]) % 360 for turn in turns] == [0, 90, 0, 90, 180, 90] and not player.asked
    player.walk(B2)
    player.keys("enter", "rotate", "enter", "rotate back")
    assert player.pose(B2).turn == turns[-1], "the keys still point at it"
    player.act("menu")
    assert player.asked == ("menu",), "on the empty table"
    assert not player.act("wheel", notches=1.0), "which zooms while nothing is held"
    player.on("press", B2)
    assert player.act("wheel", notches=0.5) and player.hand.held.turn == turns[-1]
    assert player.act("wheel", notches=0.5)
    player.act("release")
    assert player.pose(B2).turn == (turns[0] + 180) % 360
    player = Joiner("rotation=any")
    first = player.pose(B2).turn
    player.on("menu", B2)
    assert player.pose(B2).turn == pytest.approx((first + 15) % 360)


def test_a_box_selects_several_that_move_together(player: Joiner) -> None:
    left, top, width, height = player.game.table.box
    player.drag((left - 3, top - 3), (left + width / 2, top + height * 0.6))
    chosen = player.hand.selected
    assert 1 < len(chosen) < 12
    before, one = {leader: player.at(leader) for leader in chosen}, min(chosen)
    player.pull(one, (before[one][0], before[one][1] + 10.0))
    assert all(player.at(leader) == pytest.approx((x, y + 10.0)) for leader, (x, y) in before.items())
    assert player.log.count == 1 and player.hand.selected == chosen
    player.pull(one, shift=True)
    player.drag((left, top), control=True)
    assert player.hand.selected == chosen - {one}, "a click on the table adds nothing"
    assert player.act("cancel") and not player.hand.selected
    player.keys("select loose")
    assert len(player.hand.selected) == 12


def test_a_board_is_solved_with_the_keys_alone(player: Joiner) -> None:
    for piece in range(12):
        player.walk(piece)
        player.keys("enter")
        assert player.hand.held.piece == piece and player.hand.cursor == ""
        for axis, goal in enumerate(player.home(piece)):
            for size in (25.0, 5.0, 1.0):
                while abs(way := goal - player.hand.held.place[axis]) >= size:
                    key = (("left", "right"), ("up", "down"))[axis][way > 0]
                    player.act("key", key=key, shift=size == 25.0, control=size == 1.0)
        player.keys("enter")
        assert player.hand.held is None and player.hand.over == piece
    assert player.is_solved and player.log.count == 12


def test_an_arrow_key_goes_to_the_nearest_piece_ahead_and_every_piece_is_reached() -> None:
    places = np.array([(x, y) for y, x in product(range(3), range(4))], float)
    assert [neighbour(places, 5, arrow) for arrow in ((0, 1), (0, -1), (1, 0), (-1, 0))] == [6, 4, 9, 1]
    assert neighbour(places, 0, (0, -1)) == 0
    scattered = np.random.default_rng(3).uniform(0, 100, (80, 2))
    assert len(ways(0, partial(neighbour, scattered))) == 80
