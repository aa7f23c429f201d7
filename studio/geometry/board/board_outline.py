"""The outline of a board of any form, and the cells that cover it before it cuts them to size."""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from studio.base.progress import Progress, kept
from studio.geometry.board import forms, tessellations
from studio.geometry.board.board_spec import ELLIPSE, Division, Form
from studio.geometry.board.outline import Outline, outline_of
from studio.geometry.board.tessellations import Tessellation
from studio.geometry.board.voronoi import voronoi
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats

BEYOND_ELLIPSE = 2**0.5 - 1
"""How far the corners of a box are outside its ellipse, as a fraction of the ellipse."""


@lru_cache(maxsize=8)
def bounded(form: Form) -> Outline:
    """The outline of a form; raises StudioError where it is none."""
    return outline_of(_rings(form))


def _rings(form: Form) -> list[Floats]:
    """The outline's closed curves."""
    size = form.width, form.height
    match form.outline:
        case "ellipse":
            return [forms.ellipse(*size)]
        case "polygon":
            return [forms.polygon(*size, form.sides)]
        case "heart":
            return [forms.heart(*size)]
        case "arch":
            return [forms.arch(*size)]
        case "file":
            rings = [np.array(ring) for ring in form.path]
            low, high = box(rings[0])
            return [(ring - low) * (np.array(size) / (high - low)) for ring in rings]
        case _:
            return [forms.rectangle(*size, form.radius)]


@kept(4)
def covered(division: Division, progress: Progress) -> Tessellation:
    """The cells that cover the box of a form's outline; raises StudioError where it has none."""
    form, layout = division.form, (division.columns, division.rows)
    size = form.width, form.height
    match division.tiling:
        case "bricks":
            return tessellations.bricks(*layout, *size)
        case "hexagons":
            return tessellations.hexagons(*layout, *size)
        case "triangles":
            return tessellations.triangles(*layout, *size)
        case "voronoi":
            return voronoi(*layout, *size, division.seed, bounded(form), progress)
        case "rings":
            return _concentric(division)
        case "hand-cut":
            return tessellations.hand_cut(*layout, *size, division.seed)
        case _:
            return tessellations.grid(*layout, *size)


def _concentric(division: Division) -> Tessellation:
    """Rings whose pieces are about as large as those of columns and rows."""
    form, has_middle = division.form, division.has_middle
    cells = division.columns * division.rows
    rings = max(1 + has_middle, round(math.sqrt(cells) / 2))
    sectors = max(3, round(math.pi / 2 * cells * (rings - 0.5) / rings**2))
    counts = tessellations.ring_counts(rings, sectors, middle=has_middle)
    more = 0 if form.outline == ELLIPSE else math.ceil(BEYOND_ELLIPSE * rings) + 1
    return tessellations.concentric(counts, more, form.width, form.height, division.seed)
