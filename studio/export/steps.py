"""Spells a chain in lines and cubics, as the files with exact curves write it: SVG, PDF and LightBurn.

A cubic that is exactly straight becomes a line, which importers keep as a line; as a curve they would trace it. A step
that vanishes in rounding is left out.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.export.machine_ready import rounded
from studio.geometry.curves.strokes import Floats

# Micrometres: ten times finer than any laser's step.
DECIMALS = 3
ROUNDING = 0.5 * 10**-DECIMALS
"""How far in mm a number that is written may be from the one it was."""
# A control point this near to the chord, in mm, is on it: far below what is written.
_STRAIGHT = 1e-6


@dataclass(frozen=True, eq=False)
class Steps:
    """Where a chain begins, and its n steps: two control points and the end of each (n, 3, 2), and which are lines."""

    start: Floats
    steps: Floats
    lines: NDArray[np.bool_]

    @classmethod
    def of(cls, points: Floats) -> Steps:
        """The steps of a curve of 3k + 1 control points, rounded to DECIMALS."""
        written = rounded(points, DECIMALS)
        cubics = np.stack([written[0:-1:3], written[1::3], written[2::3], written[3::3]], 1)
        seen = (cubics != cubics[:, :1]).any(axis=(1, 2))
        lines = _straight(np.stack([points[i : len(points) - 3 + i : 3] for i in range(4)], 1))
        return cls(written[0], cubics[seen, 1:], lines[seen])

    def spelled(self, line: str, curve: str) -> list[str]:
        """One text a step: `line` filled with x and y, `curve` with the six coordinates of a cubic."""
        return [
            line.format(x, y) if straight else curve.format(a, b, c, d, x, y)
            for straight, (a, b, c, d, x, y) in zip(
                self.lines.tolist(), self.steps.reshape(-1, 6).tolist(), strict=True
            )
        ]


def _straight(cubics: Floats) -> NDArray[np.bool_]:
    """Which cubics (n, 4, 2) run straight from end to end, control points in order along the chord."""
    chord = cubics[:, 3] - cubics[:, 0]
    length = np.hypot(chord[:, 0], chord[:, 1])
    along = chord / np.where(length > 0, length, 1)[:, None]
    arms = cubics[:, 1:3] - cubics[:, :1]
    aside = np.abs(arms[:, :, 0] * along[:, None, 1] - arms[:, :, 1] * along[:, None, 0]).max(axis=1)
    reach = (arms * along[:, None]).sum(axis=2)
    ordered = (reach[:, 0] >= -_STRAIGHT) & (reach[:, 1] >= reach[:, 0] - _STRAIGHT)
    ordered &= reach[:, 1] <= length + _STRAIGHT
    return np.asarray((length > 0) & (aside <= _STRAIGHT) & ordered)


def pairs(points: Floats) -> list[str]:
    """The coordinates of points as they are written, `x,y`."""
    return [f"{x:.10g},{y:.10g}" for x, y in rounded(points, DECIMALS).tolist()]


def number(value: float) -> str:
    """A number as it is written, with up to four decimals."""
    return f"{round(value, 4) + 0.0:.10g}"
