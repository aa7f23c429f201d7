"""From a zigzaw's design to its shapes: pieces that share their lines, the frame around them, and their colours."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from studio.geometry.curves import Curves, Floats, closed_through, frozen, offsets, through
from studio.geometry.drawing import Chain, Drawing, Operation, Pieces
from studio.progress import Progress
from studio.puzzles.zigzaw.board import layout
from studio.puzzles.zigzaw.colours import artwork
from studio.puzzles.zigzaw.lattice import ACROSS, DIVISION, DOWN, HALF, OUTLINES, Cube, Point, grid
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, cube_name
from studio.puzzles.zigzaw.outlines import lines_of

FRAME = "Frame"


@dataclass(frozen=True, eq=False)
class ZigzawShapes:
    """A zigzaw's shapes: beside the drawing, where the origin of the grid lies in it, in mm."""

    design: ZigzawDesign
    drawing: Drawing
    origin: Floats

    def at(self, points: Floats) -> Floats:
        """Lattice points (…, 2) in mm."""
        return at(self.design.parameters, self.origin, points)

    def face_outline(self, cube: Cube, face: str) -> Floats:
        """The corners (4, 2) of a face in the drawing, in mm."""
        return self.at(np.array(OUTLINES[face], float) + cube.origin)

    def face_at(self, x: float, y: float) -> tuple[Cube, str] | None:
        """The cube and the face of it at a place in mm; None beside all of them."""
        p = self.design.parameters
        u, v = (np.array([x, y]) - self.origin) / (p.edge * np.array([DIVISION, HALF]))
        for row in range(max(int((v - 16) // DOWN), 0), min(int(v // DOWN), p.rows + 1) + 1):
            column = int((u - Cube(row, 0).origin[0] - ACROSS // 2) // ACROSS)
            if 0 <= column < p.columns + 2:
                cube = Cube(row, column)
                a, b = u - cube.origin[0], v - cube.origin[1]
                face = "T" if abs(a - 6) + abs(b - 7) <= 3 else "L" if a < 6 else "R"
                slant = a - 3 if a < 6 else 9 - a
                if face == "T" or 7 + slant <= b <= 13 + slant:
                    return cube, face
        return None

    def middle_of(self, cube: Cube) -> tuple[float, float]:
        """The middle of a cube's picture in the drawing, in mm."""
        x, y = cube.origin
        middle = self.at(np.array([x + 6.0, y + 10.0]))
        return float(middle[0]), float(middle[1])


def at(parameters: ZigzawParameters, origin: Floats, points: Floats) -> Floats:
    """Lattice points (…, 2) in mm; `origin` (2,) is where 0, 0 lies."""
    return np.asarray(points * (parameters.edge * np.array([DIVISION, HALF])) + origin)


def shape(design: ZigzawDesign, before: ZigzawShapes | None, progress: Progress) -> ZigzawShapes:
    """The shapes of a design; the colours that did not change are those of `before`."""
    progress.step(0.0)
    plain, origin = _plain(size_of(design.parameters))
    known = None
    if before is not None and before.design.parameters == design.parameters:
        known = before.design, before.drawing.artwork
    painted = artwork(design, origin, known)
    return ZigzawShapes(design, replace(plain, artwork=painted), origin)


def size_of(parameters: ZigzawParameters) -> ZigzawParameters:
    """The parameters on which the lines depend."""
    p = parameters
    return ZigzawParameters(columns=p.columns, rows=p.rows, body=p.body, edge=p.edge, border=p.border)


@lru_cache(8)
def _plain(parameters: ZigzawParameters) -> tuple[Drawing, Floats]:
    """The drawing without colours, and where the origin of the grid lies."""
    corners = _extent(parameters)
    low, high = at(parameters, np.zeros(2), corners)
    width, height = (high - low + 2 * parameters.border).tolist()
    origin = frozen(parameters.border - low)
    known = lines_of(parameters)
    strokes = [through(at(parameters, origin, np.array(line, float))) for line in known.lines]
    rim = len(strokes)
    strokes.append(closed_through(np.array([(0, 0), (width, 0), (width, height), (0, height)], float)))
    chains = [Chain(Operation.INNER, np.array([2 * line])) for line in range(rim)]
    rings = [*known.rings, (2 * rim, *known.rim)]
    starts = offsets(np.array([len(ring) for ring in rings]))
    codes = np.concatenate([np.array(ring, np.int64) for ring in rings])
    names = [cube_name(parameters, cube) for cube in layout(parameters).places]
    pieces = Pieces(codes, starts, (*names, FRAME), np.array([starts[-2] + 1]))
    chains.append(Chain(Operation.BORDER, np.array([2 * rim]), closed=True))
    return Drawing(width, height, Curves.of(strokes), tuple(chains), pieces), origin


def _extent(parameters: ZigzawParameters) -> Floats:
    """The least and greatest lattice point (2, 2) of all stickers of the grid."""
    points: list[Point] = []
    for cube in grid(parameters.columns + 2, parameters.rows + 2):
        x, y = cube.origin
        points += [(x + 3, y + 4), (x + 9, y + 16)]
    every = np.array(points, float)
    return np.array([every.min(axis=0), every.max(axis=0)])
