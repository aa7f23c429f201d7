"""Boards for the tests of plans, and what a plan costs, reckoned slowly and plainly."""

from __future__ import annotations

import numpy as np

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves, Floats, Ints, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape


def jigsaw(columns: int, rows: int, perturbation: float = 0.12) -> Drawing:
    """A jigsaw with pieces of 25 mm."""
    parameters = JigsawParameters(
        columns=columns, rows=rows, width=25 * columns, height=25 * rows, perturbation=perturbation, layout_version=1
    )
    return shape(JigsawDesign(parameters), None, Progress()).drawing


def ring(left: float, top: float, size: float) -> Floats:
    """The four sides of a square, clockwise on the screen, (4, 2, 2) mm."""
    corners = size * np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) + np.array([left, top])
    return np.stack([corners, np.roll(corners, -1, axis=0)], 1)


def with_strokes(drawing: Drawing, lines: Floats, operation: Operation, piece: str | None, closed: bool) -> Drawing:
    """The drawing with a chain of straight strokes more, which may be the outline of a piece of that name."""
    first = len(drawing.strokes)
    more = straight(lines)
    points = np.concatenate([drawing.strokes.points, more.points])
    starts = np.concatenate([drawing.strokes.starts, more.starts[1:] + drawing.strokes.starts[-1]])
    codes = 2 * np.arange(first, first + len(lines))
    pieces = drawing.pieces
    if piece is not None:
        ends = np.append(pieces.starts, pieces.starts[-1] + len(codes))
        pieces = Pieces(np.concatenate([pieces.codes, codes]), ends, (*pieces.names, piece))
    chains = (*drawing.chains, Chain(operation, codes, closed))
    return Drawing(drawing.width, drawing.height, Curves(points, starts), chains, pieces)


def squares(places: list[tuple[float, float]], size: float = 10.0) -> Drawing:
    """Square pieces laid apart, each with its own border."""
    count = len(places)
    strokes = straight(np.concatenate([ring(x, y, size) for x, y in places]))
    codes = 2 * np.arange(4 * count)
    chains = tuple(Chain(Operation.BORDER, codes[4 * at : 4 * at + 4], closed=True) for at in range(count))
    names = tuple(str(at) for at in range(count))
    return Drawing(400.0, 400.0, strokes, chains, Pieces(codes, 4 * np.arange(count + 1), names))


def flooded(regions: int, frame: int, links: list[list[int]]) -> set[int]:
    """The regions that hang on the frame by some links."""
    held = {frame}
    while True:
        more = {side for link in links if held & set(link) for side in link} - held
        if not more:
            return held
        held |= more


def walked(regions: int, frame: int, links: list[list[int]]) -> dict[int, int]:
    """How many links each region that hangs on the frame lies from it."""
    away = {frame: 0}
    step = 0
    while True:
        step += 1
        more = {side for link in links for side in link if set(link) & set(away)} - set(away)
        if not more:
            return away
        away |= dict.fromkeys(more, step)


def travel(drawing: Drawing) -> float:
    """The straight ways from the end of each chain to the begin of the next."""
    length = 0.0
    at: Floats | None = None
    for path in drawing.paths():
        if at is not None:
            length += float(np.hypot(*(path.points[0] - at)))
        at = path.points[-1]
    return length


def passed(drawing: Drawing) -> Ints:
    """All strokes in the order of cutting."""
    return np.concatenate([chain.strokes for chain in drawing.chains]) >> 1
