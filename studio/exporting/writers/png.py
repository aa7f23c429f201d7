"""Paints a drawing in pixels, shapes by resvg and pictures by pillow, whose rims resvg paints, and writes it as PNG.

resvg holds the interpreter while it paints, so tiles are small: the window stays responsive, and a large picture takes
little memory. It returns PNG, which for photographs takes five times as long as pillow takes for all.

A PNG file has its resolution in it, and its lines on top of its artwork. Without artwork it has a palette: the ground,
and for each colour of the profile sixteen steps from faint to full, which makes the file small. The rows go into the
file band by band. The format states resolutions in whole pixels a metre: at 300 dpi a metre comes out 0.002 mm wrong.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.exporting.colour_profiles import profile
from studio.exporting.options import PngOptions
from studio.exporting.writers.path_segments import ready
from studio.exporting.writers.svg import SVG, clipped, path_data
from studio.geometry.art.artwork import Picture, Region, channels
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing

if TYPE_CHECKING:
    from PIL.Image import Image

Bytes = NDArray[np.uint8]

INCH = 25.4
TILE = 512
"""Pixels a side painted at once."""
# Pixels painted around a tile and left out: resvg spills a line that it cuts off into the next pixel.
_BESIDE = 4
# Pixels that are repeated around a picture.
_RIM = 3


@dataclass(frozen=True, eq=False)
class Paths:
    """Paths of one look, as attributes in SVG: for each its data, and its box in mm (n, 4): two corners."""

    look: str
    data: Sequence[str]
    boxes: Floats

    @classmethod
    def from_region(cls, region: Region) -> Paths:
        """Fill a region's rings by the even-odd rule; a ring whose box is far from a tile does not change it there."""
        boxes = [np.concatenate([ring.min(axis=0), ring.max(axis=0)]) for ring in region.rings]
        data = [f"{path_data(ring)}Z" for ring in region.rings]
        return cls(f'fill="{region.fill}" fill-rule="evenodd"', data, np.reshape(boxes, (-1, 4)))

    def shown(self, low: Floats, high: Floats) -> str:
        """Return the SVG of the paths that reach between two corners in mm."""
        near = np.flatnonzero((self.boxes[:, :2] < high).all(axis=1) & (self.boxes[:, 2:] > low).all(axis=1))
        return f'<path {self.look} d="{" ".join(self.data[at] for at in near.tolist())}"/>' if len(near) else ""


@dataclass(frozen=True, eq=False)
class _Placed:
    """A picture, painted at `scale` pixels a mm."""

    picture: Picture
    scale: float

    @cached_property
    def _image(self) -> Image:
        """The picture no finer than our pixels, its rim repeated around it for smooth interpolation."""
        from PIL import Image

        image = self.picture.decoded()
        if image.mode.startswith("I"):
            image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
        most = [max(1, ceil(self.scale * side)) for side in self.picture.box[2:]]
        size = [min(sides) for sides in zip(image.size, most, strict=True)]
        image = image.convert("RGBA").resize((size[0], size[1]), Image.Resampling.BICUBIC)
        image = Image.fromarray(np.pad(np.asarray(image), ((_RIM, _RIM), (_RIM, _RIM), (0, 0)), "edge"))
        # Premultiplied, as pillow interpolates.
        return image.convert("RGBa")

    def shown(self, begin: Ints, end: Ints) -> Image | None:
        """Return the pixels of a tile; None if the picture does not reach it."""
        from PIL import Image, ImageChops

        corner, right, _, down = corners = self.scale * self.picture.corners
        if (corners.min(axis=0) >= end).any() or (corners.max(axis=0) <= begin).any():
            return None
        # From a place of ours to one in the image, within its rim.
        inside = np.array(self._image.size) - 2 * _RIM
        back = np.linalg.inv([right - corner, down - corner]) * inside
        ends = (np.array([begin, (end[0], begin[1]), end, (begin[0], end[1])]) - corner) @ back
        matrix = np.vstack([back, ends[0] + _RIM]).T.ravel().tolist()
        columns, rows = (end - begin).tolist()
        found = self._image.transform((columns, rows), Image.Transform.AFFINE, matrix, Image.Resampling.BICUBIC)
        found = found.convert("RGBA")
        if self.picture.clip is not None or (ends < 0).any() or (ends > inside).any():
            shape = f'<path d="{path_data(self.picture.corners)}Z"/>'
            shape = shape if self.picture.clip is None else clipped(shape, self.picture.clip)
            covered = _painted(shape, begin, end, self.scale)
            found.putalpha(ImageChops.multiply(found.getchannel("A"), covered.getchannel("A")))
        return found


def _painted(shapes: str, begin: Ints, end: Ints, scale: float) -> Image:
    """Paint SVG in mm on a transparent tile."""
    from PIL import Image
    from resvg_py import svg_to_bytes

    (left, top), (columns, rows) = begin - _BESIDE, end - begin + 2 * _BESIDE
    svg = (
        f'<svg {SVG} width="{columns}" height="{rows}" viewBox="{left} {top} {columns} {rows}">'
        f'<g transform="scale({scale!r})">{shapes}</g></svg>'
    )
    image = Image.open(io.BytesIO(bytes(svg_to_bytes(svg_string=svg, skip_system_fonts=True))), formats=["PNG"])
    return image.crop((_BESIDE, _BESIDE, int(columns) - _BESIDE, int(rows) - _BESIDE))


def painted(
    things: Iterable[Region | Picture | Paths], dpi: float, size: tuple[int, int], ground: str = "#00000000"
) -> Iterator[Bytes]:
    """Paint things on a ground, `size` pixels in all, the first lowest.

    Yields red, green, blue and opacity (rows, columns, 4), some rows at a time. Raises StudioError if a picture is
    broken.
    """
    from PIL import Image

    (width, height), scale = size, dpi / INCH
    layers: list[_Placed | list[Paths]] = []
    for each in things:
        last = layers[-1] if layers else None
        paths = Paths.from_region(each) if isinstance(each, Region) else each
        if isinstance(paths, Picture):
            layers.append(_Placed(paths, scale))
        elif isinstance(last, list):
            last.append(paths)
        else:
            layers.append([paths])
    for top in range(0, height, TILE):
        tiles = []
        for left in range(0, width, TILE):
            begin = np.array([left, top])
            end = np.minimum(begin + TILE, size)
            tile = Image.new("RGBA", tuple((end - begin).tolist()), ground)
            for layer in layers:
                if isinstance(layer, _Placed):
                    shown = layer.shown(begin, end)
                else:
                    shapes = "".join(paths.shown(begin / scale, end / scale) for paths in layer)
                    shown = _painted(shapes, begin, end, scale) if shapes else None
                if shown is not None:
                    tile = Image.alpha_composite(tile, shown)
            tiles.append(np.asarray(tile))
        yield np.concatenate(tiles, axis=1)


# The file.

LARGEST_SIDE = 20_000
LARGEST_COUNT = 200_000_000
_SHADES = 16
# PNG colour types.
_PALETTE, _COLOURS, _COLOURS_AND_OPACITY = 3, 2, 6
# The filter of a row: every byte is the difference from the previous pixel's.
_FROM_BEFORE = 1
# Levels of zlib: over artwork a higher one takes twice as long and gains nothing.
_THOROUGH, _THOROUGH_OVER_ARTWORK = 6, 4


def png(drawing: Drawing, options: PngOptions) -> bytes:
    """Write the drawing as PNG; raises StudioError for an empty drawing, or for a broken or too large picture."""
    drawing = ready(drawing)
    size, clear = _pixels(drawing, options), options.ground == "transparent"
    lines = _lines(drawing, options)
    kind = (_COLOURS_AND_OPACITY if clear else _COLOURS) if drawing.artwork else _PALETTE
    file = io.BytesIO()
    file.write(b"\x89PNG\r\n\x1a\n")
    _put(file, b"IHDR", struct.pack(">IIBBBBB", *size, 8, kind, 0, 0, 0))
    per_metre = round(1000 * options.dpi / INCH)
    _put(file, b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    if kind == _PALETTE:
        _put_palette(file, list(lines), clear=clear)
    packer = zlib.compressobj(_THOROUGH if kind == _PALETTE else _THOROUGH_OVER_ARTWORK)
    ground = "#00000000" if clear or kind == _PALETTE else "#ffffff"
    for band in painted((*drawing.artwork, *lines.values()), options.dpi, size, ground):
        if kind == _PALETTE:
            rows = np.zeros((len(band), size[0] + 1), np.uint8)
            # Entry of the palette nearest to each pixel.
            colours = list(lines)
            shades: Bytes = np.rint(np.arange(256) * (_SHADES / 255)).astype(np.uint8)[band[..., 3]]
            inked = np.nonzero(shades)
            seen = band[inked][:, :3].astype(int)
            apart = [np.abs(seen - channels(colour)).sum(axis=1) for colour in colours]
            shades[inked] += (_SHADES * np.argmin(apart, axis=0)).astype(np.uint8)
            rows[:, 1:] = shades
        else:
            pixels = band[..., : 4 if clear else 3].reshape(len(band), -1)
            step = 4 if clear else 3
            rows = np.full((len(band), pixels.shape[1] + 1), _FROM_BEFORE, np.uint8)
            rows[:, 1 : step + 1] = pixels[:, :step]
            rows[:, step + 1 :] = pixels[:, step:] - pixels[:, :-step]
        _put(file, b"IDAT", packer.compress(rows.tobytes()))
    _put(file, b"IDAT", packer.flush())
    _put(file, b"IEND", b"")
    return file.getvalue()


def _pixels(drawing: Drawing, options: PngOptions) -> tuple[int, int]:
    """Return the width and height of the picture: enough pixels that no line is cut off."""
    sides = drawing.width, drawing.height
    width, height = (max(1, ceil(side * options.dpi / INCH - 1e-6)) for side in sides)
    if max(width, height) > LARGEST_SIDE or width * height > LARGEST_COUNT:
        least = min(LARGEST_SIDE / max(sides), (LARGEST_COUNT / (sides[0] * sides[1])) ** 0.5)
        would = int(least * INCH * 0.999)
        too_large = tr(
            "A picture of {width} × {height} pixels is too large (maximum {side} per side, "
            "{millions} million in total).",
            width=width,
            height=height,
            side=LARGEST_SIDE,
            millions=LARGEST_COUNT // 1000000,
        )
        advice = tr("{dpi} dpi would fit.", dpi=would) if would >= 10 else tr("No resolution fits.")
        raise StudioError(f"{too_large} {advice}")
    return width, height


def _put(file: io.BytesIO, kind: bytes, data: bytes) -> None:
    file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def _put_palette(file: io.BytesIO, colours: list[str], *, clear: bool) -> None:
    """Write background and shades: mixed with white, or, on a transparent background, of rising opacity."""
    entries, opacities = [(255, 255, 255)], [0]
    for colour in colours:
        for shade in range(1, _SHADES + 1):
            share = shade / _SHADES
            mixed = [round(255 + (part - 255) * (1 if clear else share)) for part in channels(colour)]
            entries.append((mixed[0], mixed[1], mixed[2]))
            opacities.append(round(255 * share))
    _put(file, b"PLTE", bytes(part for entry in entries for part in entry))
    if clear:
        _put(file, b"tRNS", bytes(opacities))


def _lines(drawing: Drawing, options: PngOptions) -> dict[str, Paths]:
    """Return the lines of each colour, in the order of first use."""
    known = profile(options.profile)
    width = max(options.line_width, INCH / options.dpi)
    strokes: dict[str, set[int]] = {}
    for chain in drawing.chains:
        strokes.setdefault(known.layer(chain.operation).colour, set()).update((chain.strokes >> 1).tolist())
    found = {}
    for colour, used in strokes.items():
        curves = drawing.strokes.chosen(np.array(sorted(used)))
        low = np.minimum.reduceat(curves.points, curves.starts[:-1]) - width
        high = np.maximum.reduceat(curves.points, curves.starts[:-1]) + width
        look = f'fill="none" stroke="{colour}" stroke-width="{width!r}" stroke-linecap="round" stroke-linejoin="round"'
        data = [path_data(curves[at], curved=True) for at in range(len(curves))]
        found[colour] = Paths(look, data, np.hstack([low, high]))
    return found
