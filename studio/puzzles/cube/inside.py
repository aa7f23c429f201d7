"""What is engraved inside a cube: which text on which piece, how tall it is, and where its strokes lie.

core: the part of a piece that the inside of the box shows. flat: the core less what edges, joints and a margin take.
Text stands upright for who looks from the middle of the box; on the bottom and the top its head points to the back.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.geometry.curves import Curves, Floats
from studio.geometry.engraving import Room, fitted, grooves, laid, longest
from studio.puzzles.cube.model import PART, CubeParameters
from studio.puzzles.cube.shell import AXES, FACES, LETTERS

TALLEST = 8.0
"""The height in mm up to which text grows with its room; a larger one can be asked for."""
LEAST_PEN = 0.5
"""How wide in mm a printed stroke is at least: what a nozzle of 0.4 mm leaves open."""
LEAST_HEIGHT = 5.0
"""How many widths of their strokes letters are tall at least; lower ones run together."""
ALONE = FACES.index("bottom")
"""The piece of a text in one part."""
DEEPEST = 0.9
"""What of a piece's solid thickness grooves take at most where they are drawn although they are too deep."""
_ACROSS = (1, 2, 5)
"""The faces in which text runs against the second axis and upwards along the first."""


@dataclass(frozen=True)
class Engraving:
    """The text of one piece and how it is drawn: `height` in mm is 0 where there is no room for it at all."""

    face: int
    text: str
    height: float
    room: Room
    pen: float
    depth: float

    @property
    def rims(self) -> tuple[Floats, ...]:
        """The rims (n, 2) of its grooves in mm, with the middle of the core at the origin."""
        return _rims(self)

    def strokes(self, pen: float) -> Curves | None:
        """Its strokes in mm where the piece lies flat, y upwards, the middle of the core at the origin."""
        drawn = laid(self.text, self.height, self.room, pen) if self.height > 0 else None
        if drawn is None:
            return None
        x, y = drawn.points.T
        turned = np.column_stack([-y, -x] if self.face in _ACROSS else [x, -y])
        return Curves(turned + 0.0, drawn.starts)


@lru_cache(maxsize=64)
def _rims(text: Engraving) -> tuple[Floats, ...]:
    """Kept, since another seed leaves them as they are."""
    strokes = text.strokes(text.pen)
    return () if strokes is None else grooves(strokes, text.pen)


def texts(parameters: CubeParameters) -> tuple[str, ...]:
    """What is engraved on each of the six pieces; empty for nothing."""
    if parameters.inside == "letters":
        return tuple(LETTERS)
    if parameters.inside == "nothing":
        return ("",) * len(FACES)
    parts = [" ".join(part.split()) for part in parameters.text.split(PART)]
    if len(parts) == 1:
        return tuple(parts[0] if face == ALONE else "" for face in range(len(FACES)))
    return tuple(parts + [""] * (len(FACES) - len(parts)))


def engravings(parameters: CubeParameters) -> tuple[Engraving | None, ...]:
    """What is engraved on each of the six pieces; where it is too tall, as tall as there is room for."""
    return tuple(_engraving(parameters, face, text) if text else None for face, text in enumerate(texts(parameters)))


def _engraving(parameters: CubeParameters, face: int, text: str) -> Engraving:
    room, stroke = _room(parameters, face), pen(parameters)
    height = fitted(text, room, stroke, parameters.text_height or TALLEST)
    return Engraving(face, text, height, room, stroke, depth(parameters))


def solid(parameters: CubeParameters) -> float:
    """How thick in mm a piece is everywhere: outside, rounded voxels have grooves of their own."""
    outside = min(parameters.radius, parameters.largest_radius) if parameters.style == "voxel" else 0.0
    return parameters.thickness - outside


def depth(parameters: CubeParameters) -> float:
    """How deep in mm grooves are drawn, which never reach the other side."""
    return min(parameters.text_depth, DEEPEST * solid(parameters))


def pen(parameters: CubeParameters) -> float:
    """How wide in mm a stroke is: a line of the printer, which is half of its least wall."""
    return max(LEAST_PEN, parameters.least_wall / 2)


def _room(parameters: CubeParameters, face: int) -> Room:
    """What the flat of a piece has along its lines of text and across them."""
    edge = parameters.gap / 2 + min(parameters.radius, parameters.largest_radius)
    margin = edge + max(parameters.least_wall, LEAST_PEN)
    along, up = ((parameters.size[axis] - 2) * parameters.unit - 2 * margin for axis in AXES[face])
    return Room(up, along) if face in _ACROSS else Room(along, up)


def letters_that_fit(parameters: CubeParameters, engraving: Engraving) -> int:
    """How many letters of a text fit when they are as small as they may be."""
    return longest(engraving.text, LEAST_HEIGHT * pen(parameters), engraving.room, engraving.pen)
