"""A drawing of closed parts: pieces that share no line, each with its outline and holes as strokes of their own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Path, Pieces, in_order


def closed_parts(
    size: tuple[float, float],
    names: Sequence[str],
    rings: Sequence[Sequence[Floats]],
    marks: Sequence[Path] = (),
    inner: Collection[int] = (),
) -> Drawing:
    """The drawing, `size` mm wide and high, of parts by name, and of lines on them that are not cut through.

    `rings` has for every part its closed curves (3k + 1, 2) in mm: the outline, followed clockwise on the screen, and
    then its holes, the other way. Marks are engraved or scored before holes, and holes cut before outlines. The
    outlines of `inner` parts, by their numbers, are inner cuts as holes are, each after its own holes.
    """
    strokes: list[Floats] = []
    chains: list[Chain] = []
    begins: list[int] = []
    holes: list[int] = []
    for number, part in enumerate(rings):
        outline = _chain(Operation.INNER if number in inner else Operation.BORDER, len(strokes), closed=True)
        for at, ring in enumerate(part):
            (holes if at else begins).append(len(strokes))
            if at:
                chains.append(_chain(Operation.INNER, len(strokes), closed=True))
            strokes.append(ring)
        chains.append(outline)
    count = len(strokes)
    for mark in marks:
        chains.append(replace(_chain(mark.operation, len(strokes), closed=mark.closed), is_on_back=mark.is_on_back))
        strokes.append(mark.points)
    pieces = Pieces(2 * np.arange(count), np.array([*begins, count]), tuple(names), np.array(holes, np.int64))
    return Drawing(*size, Curves.of(strokes), in_order(chains), pieces)


def _chain(operation: Operation, stroke: int, *, closed: bool) -> Chain:
    return Chain(operation, np.array([2 * stroke]), closed)
