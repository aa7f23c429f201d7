"""Tongues by their numbers, in the frames of their edges.

frame: the coordinates of a tongue, along its edge from first to second corner and at right angles to it towards
the knob; the true frame of the edge, so that dragging a corner turns and stretches a tongue but never flips or
shears it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.geometry.curves import Floats

SIDE, PLAIN, SIZE, PLACE, DEPTH, SLANT, NECK, FIRST_BEND, SECOND_BEND, HEAD, SHOULDER, FULLNESS = range(12)
"""The columns of the table of tongues."""
NUMBERS = 12
"""How many columns there are."""
SHAPE = {"head": HEAD, "neck": NECK, "shoulder": SHOULDER, "fullness": FULLNESS}
"""The columns that scale a part of a tongue's outline, 1 as the style has it, by their names in an edit."""
COLUMNS = {"size": SIZE, "place": PLACE, "slant": SLANT} | SHAPE
"""The columns that can be edited, by their names in an edit."""
SHORTEST = 1e-9
"""In mm: an edge of no length counts as one of this, so that nothing divides by zero."""


@dataclass(frozen=True, eq=False)
class Frames:
    """Several tongues in their frames: ends (k, 2, 2) in mm and numbers (k, 12), and what follows from them.

    `along` and `across` (k, 2) are unit vectors, `length` and `room` (k,) in mm; a tongue's size follows its room.
    """

    ends: Floats
    numbers: Floats
    along: Floats
    across: Floats
    length: Floats
    room: Floats

    @property
    def middle(self) -> Floats:
        """The positions of the tongues along their edges, (k,) in mm."""
        return np.asarray((0.5 + self.numbers[:, PLACE]) * self.length)

    @property
    def tip(self) -> Floats:
        """The heights of the tongues above their edges, (k,) in mm."""
        return np.asarray((self.numbers[:, SIZE] + self.numbers[:, DEPTH]) * self.room)

    def point(self, u: Floats, v: Floats) -> Floats:
        """Points (k, 2) on the board from distances in mm along the edges and across them."""
        return self.ends[:, 0] + u[:, None] * self.along + v[:, None] * self.across

    def coordinates(self, points: Floats) -> tuple[Floats, Floats]:
        """The distances in mm along the edges and across them of points (k, 2) on the board."""
        way = points - self.ends[:, 0]
        u, v = (way[:, 0] * axis[:, 0] + way[:, 1] * axis[:, 1] for axis in (self.along, self.across))
        return u, v


def framed(ends: Floats, numbers: Floats, rooms: Floats) -> Frames:
    """Tongues with ends (k, 2, 2) and numbers (k, 12) in their frames; the room is the lesser of length and `rooms`."""
    way = ends[:, 1] - ends[:, 0]
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), SHORTEST)
    along = way / length[:, None]
    normal = np.stack([-along[:, 1], along[:, 0]], 1) * numbers[:, SIDE, None]
    return Frames(ends, numbers, along, normal, length, np.minimum(length, rooms))
