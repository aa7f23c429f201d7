"""The silhouette in a picture, as cells of a grid.

ground: the colour at the rim of the picture. contrast: how far a pixel's colour is from the ground.
"""

from __future__ import annotations

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.artwork import pixels_in
from studio.geometry.curves.strokes import Floats

MOST_PIXELS = 1_000
"""Along a side; larger pictures are made smaller."""
LEAST_CONTRAST = 0.1
"""The least contrast of a silhouette, where 1 is that of black and white."""
BINS = 64
SAMPLES = 3
"""Along a side of the square in a cell in which the picture is looked at."""


def silhouette(data: bytes, places: Floats, size: Floats) -> list[bool]:
    """Which cells a picture covers whose middles are at some places (f, 2) on a page of a size (2,).

    The whole picture is fitted into the page. Raises StudioError for what is no picture, and where no silhouette is
    found.
    """
    contrast = _contrast(pixels_in(data, MOST_PIXELS) / 255.0)
    height, width = contrast.shape
    scale = min(size[0] / width, size[1] / height)
    origin = (size - scale * np.array([width, height])) / 2
    step = 0.5 / SAMPLES
    moves = np.array([(x, y) for y in range(SAMPLES) for x in range(SAMPLES)]) * step - step * (SAMPLES - 1) / 2
    spots = np.floor((places[:, None] + moves - origin) / scale).astype(int)
    inside = ((spots >= 0) & (spots < [width, height])).all(axis=2)
    x, y = np.moveaxis(np.clip(spots, 0, [width - 1, height - 1]), 2, 0)
    levels = np.where(inside, contrast[y, x], 0.0).mean(axis=1)
    covered = levels > _threshold(contrast)
    if not covered.any() or covered.all():
        raise StudioError(tr("nothing in it stands out from the background, so it has no outline."))
    return [bool(is_in) for is_in in covered]


def _contrast(pixels: Floats) -> Floats:
    """How far every pixel (rows, columns) is from the ground, on white where the picture is clear."""
    colours = pixels[..., :3] * pixels[..., 3:] + 1 - pixels[..., 3:]
    rim = np.concatenate([colours[0], colours[-1], colours[:, 0], colours[:, -1]])
    ground = np.median(rim, axis=0)
    if (pixels[..., 3] < 1).any():
        # What is clear is the ground, whatever colour the rest has.
        return np.asarray(pixels[..., 3])
    return np.asarray(np.linalg.norm(colours - ground, axis=2) / np.sqrt(3))


def _threshold(contrast: Floats) -> float:
    """The contrast that best separates the silhouette from the background (Otsu 1979)."""
    counts, edges = np.histogram(contrast, BINS, (0.0, 1.0))
    middles = (edges[1:] + edges[:-1]) / 2
    below, above = counts.cumsum()[:-1], counts[::-1].cumsum()[::-1][1:]
    sums = (counts * middles).cumsum()
    low = sums[:-1] / np.maximum(below, 1)
    high = (sums[-1] - sums[:-1]) / np.maximum(above, 1)
    best = int(np.argmax(below * above * (high - low) ** 2))
    return max(float(low[best] + high[best]) / 2, LEAST_CONTRAST)
