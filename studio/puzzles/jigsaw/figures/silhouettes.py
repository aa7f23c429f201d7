"""Figures: silhouettes that become pieces, from resources/figures/ and from makers' files.

A file has a `title` and `rings`: the outline, then its holes, each as the control points [x, y] of closed cubics, y
downwards. A figure is 1 high, its middle at 0, 0; no part or notch is thinner than LEAST_PART.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from studio.base.encode import decode
from studio.base.errors import StudioError, one_named
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.geometry.curves.offsetting import narrow_notch, thin_part
from studio.geometry.curves.rings import Outlined, box, outlined
from studio.geometry.curves.strokes import Curves, Floats, frozen

FOLDER = shipped("figures")
LARGEST_FILE = 2**18
LEAST_PART = 0.08
"""Least width of any part or notch of a figure, as a fraction of its height."""
BAR = 1.5 * LEAST_PART
"""Width of a bar between parts of a figure, as a fraction of its height."""
TALL = 100.0
"""Height in mm at which the rings of a file are compared."""
FLATTENING = 1e-4
"""Largest deviation of the polygon that measures an area, as a fraction of the figure's height."""


@dataclass(frozen=True)
class Stored:
    """A figure in a file."""

    title: str
    rings: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True, eq=False)
class Figure:
    """A silhouette 1 high round 0, 0, cut as one piece; the contents of its holes fall out.

    Rings: the outline, clockwise on the screen, then the holes. Control points, shape (3k + 1, 2).
    """

    title: str
    rings: tuple[Floats, ...]

    @cached_property
    def width(self) -> float:
        """Width at a height of 1."""
        low, high = box(self.rings[0])
        return float(high[0] - low[0])

    @cached_property
    def area(self) -> float:
        """Area without holes at a height of 1."""
        return float(Curves.from_strokes(list(self.rings)).flattened(FLATTENING).sweeps.sum())


def keys() -> tuple[str, ...]:
    """Keys of the shipped figures, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def figure(key: str) -> Figure:
    """Read a figure from resources/figures/. Raise StudioError if it is unknown or cannot be cut."""
    name = one_named({known: known for known in keys()}, key, tr("Unknown figure"))
    return figure_of(decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", object))


def figure_of(stored: Stored) -> Figure:
    """Make a figure of a file's contents. Raise StudioError if it is not a silhouette or too thin to cut in wood."""
    made = plain_figure(stored)
    for place, problem in (
        (thin_part(made.rings, LEAST_PART), tr("it is thinner than {least:.0%} of its height", least=LEAST_PART)),
        (
            narrow_notch(made.rings, LEAST_PART),
            tr("a notch is narrower than {least:.0%} of its height", least=LEAST_PART),
        ),
    ):
        if place is not None:
            raise StudioError(
                tr(
                    "The figure {title}: {problem} at {x:.2f}, {y:.2f}.",
                    title=stored.title, problem=problem, x=place[0], y=place[1],
                )
            )  # fmt: skip
    return made


def plain_figure(stored: Stored) -> Figure:
    """Make a figure of any thinness. Raise StudioError if the rings are not a silhouette."""
    rings = [np.array(ring, float).reshape(-1, 2) for ring in stored.rings]
    try:
        for ring in rings:
            if len(ring) < 4 or len(ring) % 3 != 1:
                raise StudioError(tr("a ring needs 3 n + 1 points for n curves."))
            if (ring[0] != ring[-1]).any():
                raise StudioError(tr("a ring is not closed."))
        tall = max((float(np.ptp(ring[:, 1])) for ring in rings), default=0.0) or 1.0
        return silhouette(stored.title, outlined([ring * (TALL / tall) for ring in rings], 0.0, SILENT))
    except StudioError as problem:
        raise StudioError(tr("The figure {title}: {problem}", title=stored.title, problem=problem)) from problem


def silhouette(title: str, drawn: Outlined) -> Figure:
    """Scale an outline with holes, in mm, to a figure."""
    low, high = box(drawn.rings[0])
    rings = [(ring - (low + high) / 2) / (high - low)[1] for ring in drawn.rings]
    return Figure(title, tuple(map(frozen, rings)))
