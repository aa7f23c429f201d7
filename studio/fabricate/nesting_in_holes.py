"""Nest pieces inside the holes of other pieces, such as a frame's opening; they are cut before the waste falls out.

host: a piece with a hole. guest: a piece cut from such a hole. Places are tried on squares of a fine raster: a guest
takes all squares near it, so that the spacing holds between any two parts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats

FINEST, MOST_SQUARES = 0.5, 480
"""Least side of a square in mm, and most squares across a hole."""
HALF = 0.75
"""Distance of a square's corner from its middle, in sides, rounded up."""
BAND = 3
"""Width in squares of the band around a guest in which contact with taken squares counts."""
MOST_TRIED = 400
"""Most guests tried in a hole, largest first."""

FEW = 40
"""Number of pieces up to which several orders are tried."""
RANKS: tuple[Callable[[shapely.Polygon], float], ...] = (
    lambda outline: float(outline.area),
    lambda outline: float(outline.length),
    lambda outline: float(outline.envelope.area),
)
"""Keys of orders: area, length of the outline, or area of the box; largest first."""

Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Guest:
    """A piece in a hole: its host, its quarter turns about the origin, and its subsequent shift in mm on the board."""

    host: int
    quarters: int
    right: float
    down: float


@dataclass(eq=False)
class _Room:
    """Free room in a hole: squares of a side in mm from a corner, shape (2,); `taken` by guests or outside the hole."""

    host: int
    corner: Floats
    side: float
    taken: Mask
    spectrum: NDArray[np.complex128] = field(init=False)

    def __post_init__(self) -> None:
        self.refresh()

    def refresh(self) -> None:
        """Recompute the spectrum of taken squares."""
        self.spectrum = np.fft.rfft2(self.taken.astype(np.float64))

    def spot(self, squares: Mask, band: Mask) -> tuple[float, int, int] | None:
        """Find the free place whose band is taken most: the share taken, the row and the column; None if no place."""
        rows, columns = np.array(self.taken.shape) - squares.shape
        if rows < 0 or columns < 0:
            return None
        blocked, touched = (self._overlaps(mask)[: rows + 1, : columns + 1] for mask in (squares, band))
        touch = np.where(blocked < 0.5, np.round(touched), -1.0)
        row, column = np.unravel_index(int(touch.argmax()), touch.shape)
        return None if touch[row, column] < 0 else (float(touch[row, column] / band.sum()), int(row), int(column))

    def _overlaps(self, mask: Mask) -> Floats:
        """Number of taken squares under a mask at every place, by correlation."""
        held = np.fft.rfft2(mask.astype(np.float64), s=self.taken.shape)
        return np.asarray(np.fft.irfft2(self.spectrum * held.conj(), s=self.taken.shape))


def guests(
    outlines: Sequence[shapely.Polygon],
    holes: Sequence[tuple[int, shapely.Polygon]],
    spacing: float,
    progress: Progress = SILENT,
) -> dict[int, Guest]:
    """Place pieces in the holes of other pieces, each in the quarter turn with the most contact.

    `outlines` holds all pieces without their holes; `holes` holds pairs of a piece's number and a hole.
    """
    found: dict[int, Guest] = {}
    hosts = {host for host, _ in holes}
    for number, (host, hole) in enumerate(sorted(holes, key=lambda one: -one[1].area)):
        left = [each for each in range(len(outlines)) if each not in hosts and each not in found]
        best: dict[int, Guest] = {}
        for at, rank in enumerate(RANKS if len(left) <= FEW else RANKS[:1]):
            part = progress.part((number + at / len(RANKS)) / len(holes), (number + 1) / len(holes))
            order = sorted(left, key=lambda piece, rank=rank: (-rank(outlines[piece]), piece))  # type: ignore[misc]
            tried = _filled(_room(host, hole, spacing), outlines, order, spacing, part)
            best = max((best, tried), key=lambda some: sum(outlines[piece].area for piece in some))
        found |= best
    return found


def _filled(
    room: _Room | None, outlines: Sequence[shapely.Polygon], order: Sequence[int], spacing: float, progress: Progress
) -> dict[int, Guest]:
    """Fill a hole with guests in an order, each at its best place."""
    found: dict[int, Guest] = {}
    if room is None:
        return found
    free = float((~room.taken).sum()) * room.side**2
    for piece in order[:MOST_TRIED]:
        progress.step(0.0, tr("Nesting pieces"))
        if outlines[piece].area < free:
            guest = _placed(room, outlines[piece], spacing)
            if guest is not None:
                found[piece] = guest
                free -= float(outlines[piece].area)
    return found


def _room(host: int, hole: shapely.Polygon, spacing: float) -> _Room | None:
    left, top, right, bottom = hole.bounds
    side = max(FINEST, max(right - left, bottom - top) / MOST_SQUARES)
    inside = shapely.buffer(hole, -spacing / 2 - HALF * side)
    if inside.is_empty:
        return None
    corner = np.array([left, top]) - BAND * side
    rows, columns = (int(length / side) + 1 + 2 * BAND for length in (bottom - top, right - left))
    return _Room(host, corner, side, ~_within(inside, corner, side, (rows, columns)))


def _placed(room: _Room, outline: shapely.Polygon, spacing: float) -> Guest | None:
    """Place an outline in the quarter turn and place with the most contact, and take its squares; None if no place."""
    best: tuple[float, int, Floats, Mask, int, int] | None = None
    points = shapely.get_coordinates(outline)
    for quarters in range(4):
        area = shapely.buffer(shapely.Polygon(points), spacing / 2 + HALF * room.side)
        points = np.stack([-points[:, 1], points[:, 0]], 1)
        low, high = np.array(area.bounds[:2]) - BAND * room.side, np.array(area.bounds[2:])
        columns, rows = (np.ceil((high - low) / room.side).astype(int) + BAND).tolist()
        squares = _within(area, low, room.side, (rows, columns))
        band = _within(shapely.buffer(area, BAND * room.side), low, room.side, (rows, columns)) & ~squares
        spot = room.spot(squares, band)
        if spot is not None and (best is None or spot[0] > best[0]):
            best = spot[0], quarters, low, squares, spot[1], spot[2]
    if best is None:
        return None
    _, quarters, low, squares, row, column = best
    room.taken[row : row + squares.shape[0], column : column + squares.shape[1]] |= squares
    room.refresh()
    right, down = (room.corner + np.array([column, row]) * room.side - low).tolist()
    return Guest(room.host, quarters, right, down)


def _within(area: shapely.Geometry, low: Floats, side: float, shape: tuple[int, int]) -> Mask:
    """Mask of the raster's squares, shape (rows, columns), with their middle in an area."""
    shapely.prepare(area)
    x = low[0] + (np.arange(shape[1]) + 0.5) * side
    y = low[1] + (np.arange(shape[0]) + 0.5) * side
    return np.asarray(shapely.contains_xy(area, *np.meshgrid(x, y)))
