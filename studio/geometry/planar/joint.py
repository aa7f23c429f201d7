"""How two flat parts fit together: along a seam, or one of them within a hole of the other."""

from __future__ import annotations

from dataclasses import dataclass

from studio.geometry.curves.strokes import Floats


@dataclass(frozen=True, eq=False)
class Seam:
    """A joint along one line: control points (3k + 1, 2) in mm from (0, 0) to (length, 0), most of it below y = 0."""

    line: Floats


@dataclass(frozen=True, eq=False)
class Inlay:
    """A part within the hole of another: closed curves (3k + 1, 2) in mm, both where they lie when it is in place.

    The outline runs clockwise on the screen, the hole the other way. `room` is a
    rectangle within the part: left, top, right and bottom in mm.
    """

    outline: Floats
    hole: Floats
    room: tuple[float, float, float, float]


Joint = Seam | Inlay
"""What a fit coupon can try."""
