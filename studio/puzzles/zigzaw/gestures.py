"""Gestures on a zigzaw at play: pieces are picked up and placed by dragging, clicks or keys.

Places are in units of the scene: the edge of a sticker is EDGE long.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from studio.geometry.curves.strokes import Floats
from studio.puzzles.abilities.playable import ARROWS, Gesture, Reply
from studio.puzzles.zigzaw.game import NONE, Game, off_text, placed_text
from studio.puzzles.zigzaw.model import ZigzawDesign, layout
from studio.puzzles.zigzaw.piece_forms import DIVISION, HALF, HEXAGON

EDGE = 10.0
"""The edge of a sticker."""
RIM = EDGE
"""The plain rim around the cubes of the frame."""
TRAY = "tray"
"""Key of a press on the tray; `over` is the piece there, or NONE."""


@dataclass(frozen=True, eq=False)
class BoardPlaces:
    """Middles (n, 2) of the places on a board, and the box (2, 2) of board and rim."""

    middles: Floats
    box: Floats

    def nearest(self, x: float, y: float) -> int | None:
        """The place whose middle is nearest; None for a point off the board."""
        return int(np.hypot(*(self.middles - (x, y)).T).argmin()) if self.has(x, y) else None

    def has(self, x: float, y: float) -> bool:
        """True if a point is on the board."""
        return bool((self.box[0] <= (x, y)).all() and ((x, y) <= self.box[1]).all())


@lru_cache(8)
def places_of(design: ZigzawDesign) -> BoardPlaces:
    """Return the places on the board of a design."""
    known, units = layout(design.parameters), np.array([DIVISION, HALF]) * EDGE
    outline, cubes = np.array(design.body.outline), np.array([cube.origin for cube in known.stickers])
    middle = (outline.min(axis=0) + outline.max(axis=0)) / 2
    low, high = cubes.min(axis=0) + np.min(HEXAGON, axis=0), cubes.max(axis=0) + np.max(HEXAGON, axis=0)
    middles = (np.array([cube.origin for cube in known.places]) + middle) * units
    return BoardPlaces(middles, np.array([low * units - RIM, high * units + RIM]))


@dataclass(frozen=True)
class Hand:
    """Place of the keys, the held piece, and the piece that a drag would take."""

    place: int = 0
    piece: int = NONE
    grip: int = NONE
    offset: tuple[float, float] = (0.0, 0.0)
    """Middle of the piece, from the mouse."""
    mouse: tuple[float, float] = (0.0, 0.0)
    aim: int | None = None
    """Place that a drop would fill."""
    is_moving: bool = False
    """True if the button is down."""
    by_keys: bool = False
    is_over: bool = False
    """True if a press would take a piece."""

    @property
    def cursor(self) -> str:
        """Look of the mouse."""
        if self.piece != NONE and not self.by_keys:
            return "closed"
        return "open" if self.is_over else ""


def interpret(design: ZigzawDesign, game: Game, hand: Hand, gesture: Gesture) -> Reply[Hand]:
    """Answer a gesture; `over` is the place under the mouse."""
    places, x, y = places_of(design), gesture.x, gesture.y

    def carried(hand: Hand) -> Hand:
        """The held piece at the mouse."""
        is_off = gesture.is_off or not places.has(x, y)
        aim = None if is_off else places.nearest(x + hand.offset[0], y + hand.offset[1])
        return replace(hand, mouse=(x, y), aim=aim, by_keys=False)

    def taken(piece: int) -> Reply[Hand]:
        """Pick up a piece with the keys."""
        return Reply(Hand(hand.place, piece, aim=hand.place, by_keys=True), asks=("focus", "board"))

    def put(place: int | None) -> Reply[Hand]:
        """Put the held piece on a place, or back into the tray."""
        if place is None:
            return put_back(hand.piece)
        return Reply(Hand(place), placed_text(design, hand.piece, place) if game.placed[place] != hand.piece else "")

    def put_back(piece: int) -> Reply[Hand]:
        if game.place_of(piece) is None:
            return Reply(Hand(hand.place))
        return Reply(Hand(hand.place), off_text(piece), asks=("select", str(piece)))

    match gesture.what, gesture.key:
        case "hover" | "drag", _:
            if gesture.what == "hover":
                is_over = gesture.over is not None and game.placed[gesture.over] != NONE
                hand = replace(hand, grip=NONE, is_over=is_over)
            elif hand.grip != NONE and not hand.is_moving:
                hand = replace(hand, piece=hand.grip, is_moving=True)
            return Reply(carried(hand) if hand.piece != NONE else hand)
        case "press", "tray":
            reply = Reply(hand) if hand.piece == NONE else put_back(hand.piece)
            return replace(reply, hand=replace(reply.hand, grip=gesture.over if gesture.over != hand.piece else NONE))
        case "press", _ if hand.piece != NONE:
            return put(carried(hand).aim)
        case "press", _ if gesture.over is not None:
            away = places.middles[gesture.over] - (x, y)
            return Reply(Hand(gesture.over, grip=game.placed[gesture.over], offset=(float(away[0]), float(away[1]))))
        case "release", _ if hand.is_moving:
            return put(carried(hand).aim)
        case "release", _ if hand.grip != NONE:
            return Reply(carried(Hand(hand.place, hand.grip)))
        case "leave", _ if not hand.by_keys:
            return Reply(replace(hand, aim=None, is_over=False))
        case "cancel", _:
            return Reply(Hand(hand.place), is_used=hand.piece != NONE or hand.grip != NONE)
        case "drop", cause:
            return Reply(Hand(hand.place, grip=hand.grip if cause == "move" else NONE))
        case "menu", _:
            return Reply(hand, asks=("menu",))
        case "key", "take":
            return taken(gesture.over)
        case "key", "remove":
            piece = hand.piece if hand.piece != NONE else game.placed[hand.place]
            return Reply(hand) if piece == NONE else put_back(piece)
        case "key", "enter" if not hand.is_moving and hand.piece == NONE:
            piece = game.placed[hand.place]
            return Reply(hand) if piece == NONE else taken(piece)
        case "key", "enter" if not hand.is_moving:
            return replace(put(hand.place), asks=("focus", TRAY) if game.place_of(hand.piece) is None else ())
        case "key", arrow if arrow in ARROWS and not hand.is_moving:
            columns, rows = design.parameters.columns, design.parameters.rows
            (row, column), (down, right) = divmod(hand.place, columns), ARROWS[arrow]
            place = min(max(row + down, 0), rows - 1) * columns + min(max(column + right, 0), columns - 1)
            hand = replace(hand, place=place)
            if hand.piece != NONE:
                hand = replace(hand, by_keys=True, aim=place)
            middle_x, middle_y = places.middles[place].tolist()
            return Reply(hand, place=(middle_x, middle_y))
    return Reply(hand, is_used=False)
