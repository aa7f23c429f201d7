"""Engravings inside a cube: the text of each piece, its height, and its strokes.

core: the part of a piece that the inside of the box shows. flat: the core less what edges, joints and a margin take.
Text is upright as seen from the middle of the box; on the bottom and the top its head points to the back.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from studio.base.parameters import declaration
from studio.geometry.art.lettering import PITCH, Room, fitted, grooves, laid, longest, width_of
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.cube.model import MOST_LETTERS, PART, CubeParameters
from studio.puzzles.cube.shell import AXES, FACES, LETTERS

TALLEST = 8.0
"""The height in mm up to which text grows with its room; a larger one can be asked for."""
LEAST_PEN = 0.5
"""Least width in mm of a printed stroke: a nozzle of 0.4 mm leaves it open."""
LEAST_HEIGHT = 5.0
"""Least height of letters, in widths of their strokes; lower ones run together."""
ALONE = FACES.index("bottom")
"""The piece of a text in one part."""
WITH_FEET = 1.5
"""Greatest extent of a line, descenders and ascenders included, in heights."""
STEPS = 8
"""Heights that are tried to spread a text over the pieces."""
DEEPEST = 0.9
"""Greatest share of a piece's solid thickness that grooves take when drawn, however deep they should be."""
_ACROSS = (1, 2, 5)
"""The faces in which text runs against the second axis and upwards along the first."""


@dataclass(frozen=True)
class Engraving:
    """The drawn text of one piece; `height` in mm is 0 if it has no room at all."""

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
        """Its strokes in mm on the flat piece, y upwards, the middle of the core at the origin."""
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
    """The text of each of the six pieces; empty for a blank piece."""
    if parameters.inside == "letters":
        return tuple(LETTERS)
    if parameters.inside == "nothing":
        return ("",) * len(FACES)
    parts = [" ".join(part.split()) for part in parameters.text.split(PART)]
    if len(parts) == 1:
        return tuple(parts[0] if face == ALONE else "" for face in range(len(FACES)))
    return tuple(parts + [""] * (len(FACES) - len(parts)))


def engravings(parameters: CubeParameters) -> tuple[Engraving | None, ...]:
    """The engraving of each of the six pieces; text that is too tall shrinks to the room."""
    found: list[Engraving | None] = []
    for face, text in enumerate(texts(parameters)):
        room, stroke = _room(parameters, face), pen(parameters)
        height = fitted(text, room, stroke, parameters.text_height or TALLEST) if text else 0.0
        found.append(Engraving(face, text, height, room, stroke, depth(parameters)) if text else None)
    return tuple(found)


def solid(parameters: CubeParameters) -> float:
    """Least thickness in mm of a piece: outside, rounded voxels have grooves of their own."""
    outside = min(parameters.radius, parameters.largest_radius) if parameters.style == "voxel" else 0.0
    return parameters.plate - parameters.gap - outside


def depth(parameters: CubeParameters) -> float:
    """Depth in mm of drawn grooves, which never reach the other side."""
    return min(parameters.text_depth, DEEPEST * solid(parameters))


def pen(parameters: CubeParameters) -> float:
    """Width in mm of a stroke: a line of the printer, which is half of its least wall."""
    return max(LEAST_PEN, parameters.least_wall / 2)


def _room(parameters: CubeParameters, face: int) -> Room:
    """Room on the flat of a piece, along its lines of text and across them."""
    edge = parameters.gap / 2 + min(parameters.radius, parameters.largest_radius)
    margin = edge + max(parameters.least_wall, LEAST_PEN)
    along, up = ((parameters.size[axis] - 2) * parameters.unit - 2 * margin for axis in AXES[face])
    return Room(up, along) if face in _ACROSS else Room(along, up)


def letters_that_fit(parameters: CubeParameters, engraving: Engraving) -> int:
    """Number of letters of a text that fit at the smallest size allowed."""
    return longest(engraving.text, LEAST_HEIGHT * pen(parameters), engraving.room, engraving.pen)


def least_height(parameters: CubeParameters) -> float:
    """The height in mm from which on letters can be read."""
    return LEAST_HEIGHT * pen(parameters)


def has_room(parameters: CubeParameters) -> bool:
    """True if every text fits its piece in legible letters and leaves the least wall."""
    height, wide = least_height(parameters), pen(parameters)
    return parameters.text_depth <= deepest(parameters) + 1e-9 and all(
        laid(text, height, _room(parameters, face), wide) is not None
        for face, text in enumerate(texts(parameters))
        if text
    )


def deepest(parameters: CubeParameters) -> float:
    """Greatest depth in mm of grooves; some material remains even without a least wall."""
    thick = solid(parameters)
    return min(thick - parameters.least_wall, DEEPEST * thick)


def spread(parameters: CubeParameters) -> str | None:
    """The text divided among the pieces, in letters as tall as that allows; None if it still does not fit."""
    words, least = parameters.text.replace(PART, " ").split(), least_height(parameters)
    heights = np.linspace(least, max(TALLEST, least), STEPS).tolist()
    tallest = bisect_left(heights, True, key=lambda height: _spread(words, parameters, height) is None)
    parts = _spread(words, parameters, heights[tallest - 1]) if tallest else None
    text = f" {PART} ".join(parts or ()).rstrip(f" {PART}")
    return text if parts and len(text) <= MOST_LETTERS and text != parameters.text else None


def _spread(words: Sequence[str], parameters: CubeParameters, height: float) -> list[str] | None:
    """Fill every piece with the words that surely fit there at a height; None if words are left over."""
    parts, at = list[str](), 0
    for face in range(len(FACES)):
        count = _fitting(words[at:], _room(parameters, face), pen(parameters), height)
        parts.append(" ".join(words[at : at + count]))
        at += count
    return parts if at == len(words) else None


def _fitting(words: Sequence[str], room: Room, pen: float, height: float) -> int:
    """Number of words that surely fit a room in lines, by the advance of the pen."""
    wide, blank = room.width - pen, width_of(" ", height)
    lines = int((room.height - pen - WITH_FEET * height) // (PITCH * height)) + 1
    left, count = wide, 0
    for word in words if lines > 0 else ():
        width = width_of(word, height)
        if left < wide and width + blank <= left:
            left -= width + blank
        elif lines > 0 and width <= wide:
            lines, left = lines - 1, wide - width
        else:
            break
        count += 1
    return count


def unit_with_room(parameters: CubeParameters) -> float | None:
    """A larger side of a voxel in mm, in steps of its field, that makes room for every engraving; None without one."""
    known = declaration(CubeParameters, "unit")
    step, most = known.step or 1.0, known.limits[1]
    parts = [(face, text.split()) for face, text in enumerate(texts(parameters)) if text]

    def is_large(unit: float) -> bool:
        p = replace(parameters, unit=unit)
        height = least_height(p)
        return p.text_depth <= deepest(p) and all(
            _fitting(words, _room(p, face), pen(p), height) == len(words) for face, words in parts
        )

    units = np.arange(np.floor(parameters.unit / step + 1) * step, most + step / 2, step).tolist()
    at = bisect_left(units, True, key=is_large)
    return float(units[at]) if at < len(units) else None
