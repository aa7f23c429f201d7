"""A jigsaw played with the keys alone: arrow keys go from piece to piece, and carry the one that was picked up."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeyEvent

from studio.geometry.curves.strokes import Floats
from studio.ui.canvas.tool import ARROWS
from studio.ui.canvas.view import CanvasView

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.play_tool import HandTool

ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
STEPS = {"fine": 1.0, "plain": 5.0, "coarse": 25.0}
"""How far an arrow key carries a piece in mm: with Ctrl, alone, with Shift."""
ASIDE = 2.0
"""How much farther a piece counts that is aside of the way of an arrow key, for each mm aside."""


class Walk:
    """Turns keys into what the hand does."""

    def __init__(self, hand: HandTool, view: CanvasView) -> None:
        self._hand, self._view = hand, view
        self.piece: int | None = None
        """The piece that the keys are at."""

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys choose or carry, Enter picks up and puts down."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        if arrow is not None and self._hand.held is None:
            self._step(arrow)
        elif arrow is not None:
            keys = event.modifiers()
            coarse, fine = keys & Qt.KeyboardModifier.ShiftModifier, keys & Qt.KeyboardModifier.ControlModifier
            by = STEPS["coarse" if coarse else "fine" if fine else "plain"]
            self._look(self._hand.carry(arrow[1] * by, arrow[0] * by))
        elif event.key() in ENTER and (self._hand.held is not None or self._hand.over is not None):
            self._enter()
        else:
            return False
        return True

    def _step(self, arrow: tuple[int, int]) -> None:
        game = self._hand.game
        table = game.table
        places = table.places(game).spots(np.arange(len(table.names)), table.middles)
        if self._hand.over is not None:
            self.piece = self._hand.over
        elif self.piece is None or self.piece >= len(places):
            left, top, width, height = table.box
            self.piece = int(np.hypot(*(places - (left + width / 2, top + height / 2)).T).argmin())
            self._look(self._hand.point_at(self.piece))
            return
        self.piece = neighbour(places, self.piece, arrow)
        self._look(self._hand.point_at(self.piece))

    def _enter(self) -> None:
        held = self._hand.held
        if held is None:
            self.piece = self._hand.over
            self._hand.pick_up()
            return
        self._hand.put_down()
        self.piece = held.piece
        self._look(self._hand.point_at(held.piece))

    def _look(self, place: QPointF) -> None:
        self._view.show_place(place, self._view.zoom)


def neighbour(places: Floats, piece: int, arrow: tuple[int, int]) -> int:
    """The next of some places (n, 2) from one of them, where an arrow key points; itself where there is none."""
    away = places - places[piece]
    ahead, aside = away @ [arrow[1], arrow[0]], np.abs(away @ [arrow[0], arrow[1]])
    cost = np.where((ahead > 0) & (aside <= 2 * ahead), ahead + ASIDE * aside, np.inf)
    return int(cost.argmin()) if np.isfinite(cost).any() else piece
