"""The artwork of a sheet as one greyscale picture, as a laser engraves it: black burns most, white not at all."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.format import Format, Report, unread
from studio.export.options import LaserOptions, NoOptions
from studio.export.writers.artwork_painter import INCH, Bytes, painted
from studio.geometry.art import artwork_transform
from studio.geometry.art.artwork import MOST_PIXELS, PNG, Picture, Region
from studio.geometry.planar.drawing import Drawing

# Luminance weights of red, green and blue (Rec. 601, as in pillow).
_BRIGHT = np.array([0.299, 0.587, 0.114], np.float32)
_PER_METRE = 1000 / INCH


@dataclass(frozen=True, eq=False)
class Raster:
    """Shades (rows, columns), from 0 for black to 255 for white, and their number per inch."""

    shades: Bytes
    dpi: int

    @property
    def png(self) -> bytes:
        """The shades as a PNG that states its resolution."""
        from PIL import Image

        packed = io.BytesIO()
        Image.fromarray(self.shades).save(packed, "PNG", dpi=(self.dpi, self.dpi))
        return packed.getvalue()


@dataclass(frozen=True, kw_only=True)
class RasterReport(Report):
    """Findings from a file with a raster: its columns and rows, and its size in mm."""

    pixels: tuple[int, int]
    width: float
    height: float


def engraved(drawing: Drawing, options: LaserOptions) -> Drawing:
    """Return the drawing with its artwork as a greyscale picture if requested; raises StudioError as `raster`."""
    if not (options.raster and drawing.artwork):
        return drawing
    left, top, right, bottom = _box(drawing)
    step = INCH / options.raster_dpi
    # Whole pixels of the sheet, so that the shades of this picture are those of the sheet's.
    first, last = (floor(left / step), floor(top / step)), (ceil(right / step), ceil(bottom / step))
    size = last[0] - first[0], last[1] - first[1]
    if min(size) <= 0:
        return replace(drawing, artwork=())
    shades = _shades(artwork_transform.moved(drawing.artwork, -first[0] * step, -first[1] * step), size, options)
    box = (first[0] * step, first[1] * step, size[0] * step, size[1] * step)
    return replace(drawing, artwork=(Picture(Raster(shades, options.raster_dpi).png, PNG, box),))


def raster(drawing: Drawing, options: LaserOptions) -> Raster:
    """Paint the artwork of a whole sheet; raises StudioError for more pixels than fit into a picture."""
    step = INCH / options.raster_dpi
    size = max(1, round(drawing.width / step)), max(1, round(drawing.height / step))
    return Raster(_shades(drawing.artwork, size, options), options.raster_dpi)


def engraved_size(drawing: Drawing) -> tuple[float, float]:
    """Return the width and height in mm of the artwork on a sheet."""
    if not drawing.artwork:
        return 0.0, 0.0
    left, top, right, bottom = _box(drawing)
    return max(0.0, right - left), max(0.0, bottom - top)


def _box(drawing: Drawing) -> tuple[float, float, float, float]:
    """Return left, top, right and bottom of the artwork's visible part on the sheet."""
    points = [
        each.corners if isinstance(each, Picture) else np.concatenate(each.rings)
        for each in drawing.artwork
        if isinstance(each, Picture) or each.rings
    ]
    low = np.min([each.min(axis=0) for each in points], axis=0, initial=np.inf)
    high = np.max([each.max(axis=0) for each in points], axis=0, initial=-np.inf)
    (left, top), (right, bottom) = np.maximum(low, 0.0), np.minimum(high, (drawing.width, drawing.height))
    return float(left), float(top), float(right), float(bottom)


def _shades(artwork: tuple[Region | Picture, ...], size: tuple[int, int], options: LaserOptions) -> Bytes:
    columns, rows = size
    if columns * rows > MOST_PIXELS:
        most = floor(options.raster_dpi * (MOST_PIXELS / (columns * rows)) ** 0.5)
        raise StudioError(
            tr(
                "At {dpi} dpi the raster has {columns} × {rows} pixels (maximum {most} megapixels). "
                "Lower it to {lower} dpi.",
                dpi=options.raster_dpi,
                columns=columns,
                rows=rows,
                most=MOST_PIXELS // 10**6,
                lower=most,
            )
        )
    return np.concatenate([_grey(band, options) for band in painted(artwork, options.raster_dpi, size)])


def _grey(pixels: Bytes, options: LaserOptions) -> Bytes:
    """Return the engraved shade of each pixel; transparent pixels stay white."""
    covered = pixels[..., 3] / np.float32(255)
    bright = np.clip(pixels[..., :3] @ _BRIGHT / 255, 0, 1)
    bright = (1 - bright if options.invert else bright) ** options.gamma
    return np.asarray(np.rint(255 * (1 - covered * (1 - bright))).astype(np.uint8))


def _reported(_data: bytes, found: Raster, _options: NoOptions, _rounding: float) -> RasterReport:
    rows, columns = found.shades.shape
    step = INCH / found.dpi
    return RasterReport(pixels=(columns, rows), width=columns * step, height=rows * step)


RASTER = Format(
    ".png", tr("PNG for engraving"), tr("the artwork in greyscale"), NoOptions, 0.0, lambda found, _options: found.png,
    unread, _reported, is_picture=True,
)  # fmt: skip
