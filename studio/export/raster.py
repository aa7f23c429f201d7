"""The artwork of a sheet as one greyscale picture, as a laser engraves it: black burns most, white not at all."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.artwork_painter import INCH, Canvas, bands, painted, rows_at_once
from studio.export.format import Format, Report, Unreadable
from studio.export.options import LaserOptions, NoOptions
from studio.geometry.art import artwork_transform
from studio.geometry.art.artwork import MOST_PIXELS, PNG, Picture, Region
from studio.geometry.planar.drawing import Drawing

Grey = NDArray[np.uint8]
# Luminance weights of red, green and blue (Rec. 601, as in pillow).
_BRIGHT = np.array([0.299, 0.587, 0.114], np.float32)
_PER_METRE = 1000 / INCH


@dataclass(frozen=True, eq=False)
class Raster:
    """Shades (rows, columns), from 0 for black to 255 for white, and their number per inch."""

    shades: Grey
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


def _shades(artwork: tuple[Region | Picture, ...], size: tuple[int, int], options: LaserOptions) -> Grey:
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
    shades = np.empty((rows, columns), np.uint8)
    row = 0
    for canvas in painted(
        artwork, options.raster_dpi / INCH, columns, (0, 0, 0, 0), bands(rows, rows_at_once(columns))
    ):
        shades[row : row + len(canvas)] = _grey(canvas, options)
        row += len(canvas)
    return shades


def _grey(canvas: Canvas, options: LaserOptions) -> Grey:
    """Return the engraved shade of each pixel of a canvas; transparent pixels stay white."""
    covered = canvas[..., 3] / 255
    bright = np.clip(canvas[..., :3] @ _BRIGHT / np.maximum(canvas[..., 3], 1e-3), 0, 1)
    bright = (1 - bright if options.invert else bright) ** options.gamma
    return np.asarray(np.rint(255 * (1 - covered * (1 - bright))).astype(np.uint8))


def _written(found: Raster, _options: NoOptions) -> bytes:
    return found.png


def _read(data: bytes, _options: NoOptions) -> Raster:
    """Return the shades of a PNG, and the resolution in its header; raises Unreadable."""
    from PIL import Image

    try:
        image = Image.open(io.BytesIO(data), formats=["PNG"])
        dpi = image.info["dpi"]
        shades = np.asarray(image)
    except (OSError, SyntaxError, ValueError, KeyError, Image.DecompressionBombError) as problem:
        raise Unreadable(tr("it is not a valid PNG ({problem})", problem=problem)) from problem
    return Raster(shades, round(dpi[0]))


def _proven(found: Raster, wanted: Raster, _options: NoOptions, _rounding: float) -> RasterReport:
    if found.dpi != wanted.dpi or not np.array_equal(found.shades, wanted.shades):
        raise Unreadable(tr("its pixels differ from the artwork"))
    rows, columns = found.shades.shape
    step = INCH / found.dpi
    return RasterReport(pixels=(columns, rows), width=columns * step, height=rows * step)


RASTER = Format(
    ".png", tr("PNG for engraving"), tr("the artwork in greyscale"), NoOptions, 0.0, _written, _read, _proven,
    is_picture=True,
)  # fmt: skip
