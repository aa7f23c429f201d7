"""Gestures on a calendar puzzle at play: pieces are picked up, rotated, flipped and placed by mouse or keys.

Places are in cells of the board, x to the right and y down.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import NamedTuple

from studio.base.texts import tr
from studio.puzzles.abilities.playable import ARROWS, Gesture, Reply
from studio.puzzles.calendar.game import Game, Spot, flipped, in_place, off_text, placed_text, spot, turned
from studio.puzzles.calendar.model import CalendarDesign, Mask, lying

NO_FLIPPING = tr("Pieces cannot be flipped. Turn on “Flipped pieces” in the form to allow it.")


class Under(NamedTuple):
    """The piece at a place, with row and column of its corner, or else the cell, if there is one."""

    piece: int | None = None
    row: float = 0.0
    column: float = 0.0
    cell: str = ""


@dataclass(frozen=True, eq=False)
class HeldPiece:
    """A held piece: its squares, the point in them at which it is held, and row and column of its corner."""

    piece: int
    mask: Mask
    grip: tuple[float, float]
    row: float
    column: float
    spot: Spot | None = None
    by_keys: bool = False
    is_moving: bool = False

    def over(self, game: Game, **changes: object) -> HeldPiece:
        """The piece as it moves over the board, with the spot to which it snaps."""
        moved = replace(self, is_moving=True, **changes)  # type: ignore[arg-type]
        return replace(moved, spot=spot(game.board, moved.mask, moved.row, moved.column, game.taken(moved.piece)))


@dataclass(frozen=True, eq=False)
class Hand:
    """The held piece, the one under the mouse, and the selected piece or cell."""

    held: HeldPiece | None = None
    over: int | None = None
    selected: int | None = None
    cell: str | None = None

    @property
    def moving(self) -> int | None:
        """The piece that is being moved."""
        return self.held.piece if self.held is not None and self.held.is_moving else None

    @property
    def cursor(self) -> str:
        """Look of the mouse."""
        if self.held is not None and self.held.is_moving and not self.held.by_keys:
            return "closed"
        return "" if self.over is None else "open"


def interpret(design: CalendarDesign, game: Game, hand: Hand, gesture: Gesture) -> Reply[Hand]:
    """Answer a gesture; `over` is an Under."""
    under, held, free = gesture.over or Under(), hand.held, replace(hand, held=None)
    match gesture.what, gesture.key:
        case "hover", _:
            return Reply(replace(hand, over=under.piece))
        case "leave", _:
            return Reply(replace(hand, over=None))
        case "press", _:
            if under.piece is None:
                return Reply(replace(free, selected=None, cell=under.cell or None))
            piece, grip = under.piece, (gesture.y - under.row, gesture.x - under.column)
            held = HeldPiece(piece, game.masks[piece], grip, under.row, under.column)
            return Reply(replace(hand, held=held, selected=piece, cell=None))
        case "drag", _ if held is not None and not held.by_keys:
            row, column = gesture.y - held.grip[0], gesture.x - held.grip[1]
            return Reply(replace(hand, held=held.over(game, row=row, column=column)))
        case "release", _:
            if held is None or not held.is_moving:
                return Reply(free)
            if (reply := _placed(design, game, free, held)) is not None:
                return reply
            if held.piece in game.placed and held.spot is not None:
                return Reply(free)
            # The rotation of a held piece is not a move of its own: it would only be in the way of undo.
            after = game.without([held.piece]).with_mask(held.piece, held.mask)
            return replace(_removed(design, game, free, held.piece), game=after)
        case "double", _ if under.piece is None:
            return Reply(free, asks=("choose", under.cell))
        case "double", _:
            return _removed(design, game, free, under.piece)
        case "menu", _:
            hand = hand if under.piece is None else replace(hand, selected=under.piece, cell=None)
            return Reply(hand, asks=("menu",))
        case "cancel", _ if held is not None:
            return Reply(free)
        case "cancel", _:
            return Reply(replace(hand, selected=None, cell=None), is_used=hand.selected is not None)
        case "drop", _:
            return Reply(free)
        case "key", "remove":
            return _removed(design, game, hand, hand.selected)
        case "key", "rotate":
            return _changed(design, game, hand, flips=False)
        case "key", "flip":
            allowed = design.parameters.reflections
            return _changed(design, game, hand, flips=True) if allowed else Reply(hand, asks=("refuse", NO_FLIPPING))
        case "key", "enter" if held is not None:
            words = tr("{piece} does not fit there. Esc puts it back.", piece=_title(design, held.piece))
            return _placed(design, game, free, held) or Reply(hand, words=words)
        case "key", "enter" if hand.selected is not None and hand.selected < len(game.masks):
            return Reply(replace(hand, held=_picked_up(game, hand.selected)))
        case "key", arrow if arrow in ("enter", *ARROWS):
            down, right = ARROWS.get(arrow, (0, 1))
            count = len(game.masks)
            if held is not None:
                (rows, columns), (high, wide) = game.board.mask.shape, held.mask.shape
                row, column = (
                    min(max(held.row + down, 0), rows - high),
                    min(max(held.column + right, 0), columns - wide),
                )
                return Reply(replace(hand, held=held.over(game, row=row, column=column)))
            selected = 0 if hand.selected is None else (hand.selected + down + right) % max(count, 1)
            return Reply(replace(hand, selected=selected, cell=None) if count else hand)
    return Reply(hand, is_used=False)


def _placed(design: CalendarDesign, game: Game, free: Hand, held: HeldPiece) -> Reply[Hand] | None:
    """Place a piece on its spot; None if it does not fit there."""
    if held.spot is None or not held.spot.fits:
        return None
    is_there = game.placed.get(held.piece) == held.spot.cells
    return Reply(free, "" if is_there else placed_text(design, held.piece, held.spot.cells))


def _removed(design: CalendarDesign, game: Game, hand: Hand, piece: int | None) -> Reply[Hand]:
    return Reply(hand, off_text(design, piece) if piece is not None and piece in game.placed else "")


def _picked_up(game: Game, piece: int) -> HeldPiece:
    """A piece picked up with the keys: at its place, or at the first where it fits."""
    mask, row, column = game.masks[piece], 0, 0
    if piece in game.placed:
        _mask, row, column = lying(game.board, game.placed[piece])
    else:
        for down, right in product(*map(range, game.board.mask.shape)):
            found = spot(game.board, mask, down, right, game.taken(piece))
            if found is not None and found.fits and (found.row, found.column) == (down, right):
                row, column = down, right
                break
    return HeldPiece(piece, mask, (mask.shape[0] / 2, mask.shape[1] / 2), row, column, by_keys=True).over(game)


def _changed(design: CalendarDesign, game: Game, hand: Hand, *, flips: bool) -> Reply[Hand]:
    """Rotate the held piece, the one under the mouse or the selected one clockwise by a quarter, or flip it."""
    change, held = flipped if flips else turned, hand.held
    if held is not None:
        (high, wide), (down, right) = held.mask.shape, held.grip
        grip = (down, wide - right) if flips else (right, high - down)
        row, column = held.row, held.column
        if not held.by_keys:
            row, column = row + down - grip[0], column + right - grip[1]
        return Reply(replace(hand, held=held.over(game, mask=change(held.mask), grip=grip, row=row, column=column)))
    piece = hand.over if hand.over is not None else hand.selected
    if piece is None or piece >= len(game.masks):
        return Reply(hand, words=tr("Pick up or point at a piece."))
    hand, mask = replace(hand, selected=piece, cell=None), change(game.masks[piece])
    if piece not in game.placed:
        return Reply(hand, game=game.with_mask(piece, mask))
    cells = in_place(game.board, mask, game.placed[piece], game.taken(piece))
    if cells is None:
        verb = tr("flipped") if flips else tr("rotated")
        words = tr("{piece} does not fit there {turned}; drag it away first.", piece=_title(design, piece), turned=verb)
        return Reply(hand, words=words)
    return Reply(hand, placed_text(design, piece, cells) if cells != game.placed[piece] else "")


def _title(design: CalendarDesign, piece: int) -> str:
    return tr("Piece {name}", name=design.set[piece].name)
