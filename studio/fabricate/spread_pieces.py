"""Separate pieces spread apart in their places, with all that is on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import shapely

from studio.base.progress import SILENT, Progress
from studio.fabricate.kerf import Cutouts
from studio.geometry.art.artwork_transform import Artwork, extended, joined, moved, parts
from studio.geometry.planar.closed_parts import closed_parts
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.explode import shifted, spread
from studio.geometry.planar.regions import as_polygons

FOLLOWED = 0.001
"""How near in mm the outlines are followed that are measured."""


def spread_pieces(
    cutouts: Cutouts, artwork: Artwork, distance: float, bleed: float = 0.0, progress: Progress = SILENT
) -> Drawing:
    """Separate pieces in their places but for a distance in mm between any two, on a sheet as large as all of them.

    Each takes along what is engraved on it and its part of the artwork, which reaches up to `bleed` mm past the
    piece, and no farther than half the way to the next.
    """
    starts = np.searchsorted(cutouts.owners, np.arange(len(cutouts) + 1)).tolist()
    pieces = as_polygons(cutouts.rings.flattened(FOLLOWED), cutouts.owners)
    shifts = spread(pieces, distance, progress.part(0.0, 0.7))
    shifts -= shapely.bounds(shifted(pieces, shifts))[:, :2].min(axis=0)
    width, height = shapely.bounds(shifted(pieces, shifts))[:, 2:].max(axis=0).tolist()
    rings = [
        [cutouts.rings[ring] + shift for ring in range(first, last)]
        for first, last, shift in zip(starts[:-1], starts[1:], shifts, strict=True)
    ]
    marks = [
        replace(line, points=line.points + shift)
        for lines, shift in zip(cutouts.engraved, shifts, strict=False)
        for line in lines
    ]
    sheet = closed_parts((width, height), cutouts.names, rings, marks, cutouts.inner)
    if not artwork:
        return sheet
    shapes = pieces
    if bleed > 0:
        artwork = extended(artwork, shapely.union_all(pieces), bleed)
        shapes = shapely.buffer(pieces, min(bleed, distance / 2))
    own = parts(artwork, shapes, progress.part(0.7, 1.0))
    carried = tuple(moved(part, *shift) for part, shift in zip(own, shifts.tolist(), strict=True))
    return replace(sheet, artwork=joined(carried))
