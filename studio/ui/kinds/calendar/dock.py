"""The places of pieces that are not on the board: rows beside or below it, whichever leaves everything larger."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from studio.ui.kinds.calendar.looks import SIDE
from studio.ui.kinds.calendar.scene import RIM

APART = 0.25
"""Room between two pieces, in cells."""
AWAY = 0.8
"""Room between board and pieces, in cells."""


@dataclass(frozen=True)
class Dock:
    """The middle of every piece's slot, and the visible area, in units of the scene."""

    middles: tuple[QPointF, ...]
    room: QRectF


def dock(shape: tuple[int, int], sides: Sequence[int], aspect: float) -> Dock:
    """A dock for pieces whose longer sides are `sides`, for a window `aspect` times as wide as high."""
    rows, columns = shape
    slots = [side + APART for side in sides]
    best: tuple[float, Dock] | None = None
    for beside in (True, False):
        for across in range(1, len(slots) + 1):
            made = _packed(slots, across, rows, columns, beside=beside)
            fit = min(aspect * 100 / made.room.width(), 100 / made.room.height())
            if best is None or fit > best[0] * 1.0001:
                best = fit, made
    return best[1] if best is not None else Dock((), _board(rows, columns))


def _board(rows: int, columns: int) -> QRectF:
    return QRectF(-RIM, -RIM, columns * SIDE + 2 * RIM, rows * SIDE + 2 * RIM)


def _packed(slots: Sequence[float], across: int, rows: int, columns: int, *, beside: bool) -> Dock:
    """Slots in lines of `across`, each as high as its largest; the lines are centred on the board's middle."""
    lines = [slots[first : first + across] for first in range(0, len(slots), across)]
    width, height = max(sum(line) for line in lines), sum(max(line) for line in lines)
    board = _board(rows, columns)
    if beside:
        left, top = columns + RIM / SIDE + AWAY, (rows - height) / 2
    else:
        left, top = (columns - width) / 2, rows + RIM / SIDE + AWAY
    middles = []
    for line in lines:
        high = max(line)
        gap = (width - sum(line)) / len(line)
        at = left
        for slot in line:
            middles.append(QPointF((at + (slot + gap) / 2) * SIDE, (top + high / 2) * SIDE))
            at += slot + gap
        top += high
    taken = QRectF(left * SIDE, (top - height) * SIDE, width * SIDE, height * SIDE)
    return Dock(tuple(middles), board.united(taken))
