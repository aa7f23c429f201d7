"""Morphological antialiasing: smooths the stairs of a picture with one sample per pixel.

Where pixels above each other differ, a run of such places along a row is a stretch of an edge. At an end of a run the
edge goes on in the row above or below, half a pixel up or down. The straight line from there to the middle of the run
is where the edge really is, so each pixel next to it takes as much of its neighbour's colour as the line cuts off.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints

STEP = 20
"""Least difference of a channel at an edge, of 255."""
Pixels = NDArray[np.uint8]
Mask = NDArray[np.bool_]


def smooth(pixels: Pixels) -> None:
    """Smooth the edges of a picture (height, width, 4) in place."""
    height, width = pixels.shape[:2]
    if height < 2 or width < 2:
        return
    across, down = _differs(pixels[:, :-1], pixels[:, 1:]), _differs(pixels[:-1], pixels[1:])
    flat = np.ascontiguousarray(pixels).reshape(-1, 4)
    both = _shares(down, across, width, 1), _shares(across.T, down.T, 1, width)
    in_rows, in_columns = (_greatest(shares, len(flat)) for shares in both)
    # Rows and columns find the same edge; the larger share counts. All changes start from the original picture.
    changes = []
    for shares, decides in zip(both, (in_rows >= in_columns, in_columns > in_rows), strict=True):
        for numbers, by, share in shares:
            at, part = numbers[decides[numbers]], share[decides[numbers]]
            changes.append((at, (flat[at + by].astype(np.float32) - flat[at]) * part[:, None]))
    for at, change in changes:
        flat[at] = np.clip(np.rint(flat[at] + change), 0, 255).astype(np.uint8)
    if flat.base is not pixels:
        pixels[:] = flat.reshape(pixels.shape)


def _differs(one: Pixels, other: Pixels) -> Mask:
    """Mask of the pixels at which two pictures (height, width, 4) differ in some channel."""
    apart = np.maximum(one, other) - np.minimum(one, other) >= STEP
    return np.asarray(apart.view(np.uint32)[..., 0] != 0)


def _shares(edges: Mask, crossing: Mask, below: int, beside: int) -> list[tuple[Ints, int, Floats]]:
    """Pixels that take a share of a neighbour's colour: their numbers, the offset to the neighbour's, and the shares.

    edges: (rows - 1, columns), edges below pixels. crossing: (rows, columns - 1), edges beside pixels. below, beside:
    offsets from the number of a pixel to the numbers of the next ones below and beside it.
    """
    rows, columns = edges.shape
    # With a column in between, no run goes on in the next row.
    padded = np.zeros((rows, columns + 1), np.bool_)
    padded[:, :-1] = edges
    places = np.flatnonzero(padded)
    if not len(places):
        return []
    is_first = np.diff(places, prepend=-2) != 1
    firsts = np.flatnonzero(is_first)
    lengths = np.diff(firsts, append=len(places))
    y, x = np.divmod(places[firsts], columns + 1)
    heights = [_height(crossing, y, x - 1), _height(crossing, y, x + lengths - 1)]
    bent = (heights[0] != 0) | (heights[1] != 0)
    run = np.repeat(np.arange(len(firsts)), lengths)
    kept = bent[run]
    run = run[kept]
    along = (np.arange(len(places)) - firsts[np.repeat(np.arange(len(firsts)), lengths)])[kept]
    length = lengths[run].astype(np.float64)
    left = heights[0][run] * _cut_off(along, length)
    right = heights[1][run] * _cut_off(length - 1 - along, length)
    numbers = y[run] * below + (x[run] + along) * beside
    up = np.maximum(left, 0.0) + np.maximum(right, 0.0)
    down = np.maximum(-left, 0.0) + np.maximum(-right, 0.0)
    higher, lower = up > 0, down > 0
    return [(numbers[higher], below, up[higher]), (numbers[lower] + below, -below, down[lower])]


def _greatest(shares: list[tuple[Ints, int, Floats]], count: int) -> Floats:
    """Greatest share that each of `count` pixels takes."""
    greatest = np.zeros(count)
    for numbers, _, share in shares:
        greatest[numbers] = np.maximum(greatest[numbers], share)
    return greatest


def _height(crossing: Mask, y: Ints, x: Ints) -> Ints:
    """Turn of an edge below row y at its end before column x + 1: 1 up, -1 down, 0 both, neither, or the rim."""
    within = (x >= 0) & (x < crossing.shape[1])
    column = np.clip(x, 0, crossing.shape[1] - 1)
    up, down = crossing[y, column], crossing[y + 1, column]
    return np.where(within, up.astype(np.int64) - down.astype(np.int64), 0)


def _cut_off(along: Floats | Ints, length: Floats) -> Floats:
    """Share of each pixel cut off by a line that falls from half a pixel at the end of a run to 0 in its middle."""
    begin, end = np.minimum(along, length / 2), np.minimum(along + 1, length / 2)
    return np.asarray(0.5 * ((end - end * end / length) - (begin - begin * begin / length)))
