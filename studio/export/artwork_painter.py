"""Paints the artwork of a drawing in pixels, some rows at a time, so that a large picture takes little memory.

canvas (rows, columns, 4): red, green and blue premultiplied by the cover of the pixel, and the cover; each from 0 to
255. share: the part of a pixel that something covers, from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.colours import channels
from studio.geometry.art.artwork import Picture, Region, corners_of
from studio.geometry.curves.strokes import Floats, ranges

if TYPE_CHECKING:
    from PIL.Image import Image


Bytes = NDArray[np.uint8]
Canvas = NDArray[np.float32]

# Scan lines per row of pixels along which a region is measured, exactly along each of them.
_FINER = 4
# A picture with more than twice this number of pixels to one of ours, along a side, is first reduced to it.
_FINE_PICTURE = 2
# Pixels that are repeated around a picture that is turned.
_RIM = 3


def painted(
    artwork: Iterable[Region | Picture], scale: float, width: int, ground: tuple[int, ...], bands: Iterable[range]
) -> Iterator[Canvas]:
    """Paint the artwork on a background at `scale` pixels a mm, a canvas for each band of rows down the page.

    Raises StudioError if a picture is broken.
    """
    shapes = [_placed(thing, scale) for thing in artwork]
    for band in bands:
        # A picture above the band is dropped.
        shapes = [shape for shape in shapes if shape.box[3] > band.start]
        canvas = np.full((len(band), width, 4), ground, np.float32)
        for shape in shapes:
            left, top, right, bottom = shape.box
            rows = range(max(band.start, floor(top)), min(band.stop, ceil(bottom)))
            columns = range(max(0, floor(left)), min(width, ceil(right)))
            if len(rows) and len(columns):
                part = canvas[rows.start - band.start : rows.stop - band.start, columns.start : columns.stop]
                colours, shares = shape.seen(rows, columns)
                part[:] = colours if shares.min() == 1 else mixed(part, colours, shares)
        yield canvas


def mixed(canvas: Canvas, colours: Canvas, shares: Canvas) -> Canvas:
    """Blend opaque colours over a canvas, or pixels of it, by their shares."""
    result = colours - canvas
    result *= shares[..., None]
    result += canvas
    return result


def farthest(canvas: Canvas, other: Canvas) -> Canvas:
    """Return the largest difference among the four numbers of each pixel."""
    aside = np.abs(canvas - other)
    # numpy takes five times as long for the greatest along a side of four.
    most: Canvas = np.maximum(np.maximum(aside[..., 0], aside[..., 1]), np.maximum(aside[..., 2], aside[..., 3]))
    return most


def ink(colour: str) -> Canvas:
    """Red, green, blue and opacity of an opaque colour, from 0 to 255."""
    return np.array([*channels(colour), 255], np.float32)


def packed(canvas: Canvas, ground: tuple[int, ...]) -> Bytes:
    """Return the canvas in a picture's form: RGB on an opaque background, else RGBA."""
    if ground[3] == 255:
        return np.rint(canvas[..., :3]).astype(np.uint8)
    pixels = np.rint(canvas)
    opaque = canvas[..., 3:]
    pixels[..., :3] = np.rint(np.where(pixels[..., 3:] > 0, canvas[..., :3] * 255 / np.maximum(opaque, 0.5), 0))
    return np.clip(pixels, 0, 255).astype(np.uint8)


def unpacked(pixels: Bytes) -> Canvas:
    """Return a canvas of the pixels of a picture, RGB or RGBA."""
    canvas = np.full((*pixels.shape[:2], 4), 255, np.float32)
    canvas[..., : pixels.shape[2]] = pixels
    if pixels.shape[2] == 4:
        canvas[..., :3] *= canvas[..., 3:] / 255
    return canvas


def _placed(thing: Region | Picture, scale: float) -> _Filled | _Placed | _Turned | _Clipped:
    if isinstance(thing, Region):
        return _Filled(_scaled(thing.rings, scale), thing.fill)
    left, top, width, height = (scale * part for part in thing.box)
    placed = (_Turned if thing.turn else _Placed)(thing, (left, top, left + width, top + height))
    return placed if thing.clip is None else _Clipped(placed, _Filled(_scaled(thing.clip.rings, scale), "#000000"))


def _scaled(rings: Iterable[Floats], scale: float) -> tuple[Floats, ...]:
    return tuple(np.asarray(ring, float) * scale for ring in rings if len(ring))


@dataclass(frozen=True, eq=False)
class _Filled:
    """A region whose rings are in pixels."""

    rings: tuple[Floats, ...]
    fill: str

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        if not self.rings:
            return 0.0, 0.0, 0.0, 0.0
        points = np.concatenate(self.rings)
        (left, top), (right, bottom) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        return left, top, right, bottom

    @cached_property
    def _sides(self) -> Floats:
        """The sides (n, 4) of all rings: x and y of the upper end and of the lower one."""
        sides = np.concatenate([np.hstack([ring, np.roll(ring, -1, axis=0)]) for ring in self.rings])
        return np.where(sides[:, 1:2] <= sides[:, 3:4], sides, sides[:, [2, 3, 0, 1]])

    def seen(self, rows: range, columns: range) -> tuple[Canvas, Canvas]:
        """Return its colour, and its share of every pixel."""
        width = len(columns) + 2
        line, x = self._crossings(rows)
        x = np.clip(x - columns.start, 0, len(columns))
        order = np.lexsort((x, line))
        line, x = line[order], x[order]
        # By even-odd, crossings alternately enter and leave, and each line has equal numbers of both.
        sign = 1.0 - 2.0 * (np.arange(len(x)) & 1)
        column = np.floor(x).astype(np.int64)
        at = (line // _FINER - rows.start) * width + column
        beside = sign * (x - column)
        gained = np.bincount(at, sign - beside, len(rows) * width) + np.bincount(at + 1, beside, len(rows) * width)
        covered = gained.reshape(len(rows), width).cumsum(axis=1)[:, : len(columns)] / _FINER
        return ink(self.fill), covered.astype(np.float32)

    def _crossings(self, rows: range) -> tuple[NDArray[np.int64], Floats]:
        """Return the crossings of sides with the lines along which rows are measured: line number and x."""
        sides = self._sides
        reach = np.clip(np.ceil(sides[:, 1::2] * _FINER - 0.5), rows.start * _FINER, rows.stop * _FINER)
        first, last = reach.astype(np.int64).T
        side = np.repeat(np.arange(len(sides)), last - first)
        line = ranges(first, last - first)
        x0, y0, x1, y1 = sides[side].T
        return line, x0 + ((line + 0.5) / _FINER - y0) * (x1 - x0) / (y1 - y0)


@dataclass(frozen=True, eq=False)
class _Placed:
    """A picture and its box in pixels: left, top, right and bottom."""

    picture: Picture
    box: tuple[float, float, float, float]

    @cached_property
    def _image(self) -> Image:
        """The picture with its transparency, reduced if it is far too fine."""
        from PIL import Image

        image = _with_transparency(self.picture.decoded())
        sides = self.box[2] - self.box[0], self.box[3] - self.box[1]
        most = [max(1, ceil(_FINE_PICTURE * side)) for side in sides]
        size = [few if count > 2 * few else count for count, few in zip(image.size, most, strict=True)]
        return image.resize((size[0], size[1]), Image.Resampling.BOX)

    def seen(self, rows: range, columns: range) -> tuple[Canvas, Canvas]:
        """Return its colours, and its share of every pixel."""
        from PIL import Image

        image = self._image
        left, top, right, bottom = self.box
        across = _Stretch.from_pixels(columns, left, right, image.width)
        down = _Stretch.from_pixels(rows, top, bottom, image.height)
        pixels = np.asarray(image.crop((across.first, down.first, across.last, down.last)))
        source = Image.fromarray(np.pad(pixels, (down.beyond, across.beyond, (0, 0)), "edge"))
        box = (across.low, down.low, across.high, down.high)
        resized = source.resize((len(columns), len(rows)), Image.Resampling.BICUBIC, box)
        colours = np.asarray(resized, np.float32).copy()
        shares = colours[..., 3] / 255 * np.outer(_within(rows, top, bottom), _within(columns, left, right))
        colours[..., 3] = 255
        return colours, shares.astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Turned:
    """A picture, and its box in pixels before the turn about the middle of that box."""

    picture: Picture
    upright: tuple[float, float, float, float]

    @cached_property
    def _corners(self) -> Floats:
        left, top, right, bottom = self.upright
        return corners_of((left, top, right - left, bottom - top), self.picture.turn)

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of the turned picture."""
        (left, top), (right, bottom) = self._corners.min(axis=0).tolist(), self._corners.max(axis=0).tolist()
        return left, top, right, bottom

    @cached_property
    def _image(self) -> Image:
        """The picture no finer than our pixels, its rim repeated around it for smooth interpolation."""
        from PIL import Image

        image = _with_transparency(self.picture.decoded())
        left, top, right, bottom = self.upright
        most = ceil(right - left), ceil(bottom - top)
        size = [max(1, min(sides)) for sides in zip(image.size, most, strict=True)]
        pixels = np.asarray(image.resize((size[0], size[1]), Image.Resampling.BOX))
        return Image.fromarray(np.pad(pixels, ((_RIM, _RIM), (_RIM, _RIM), (0, 0)), "edge"))

    def seen(self, rows: range, columns: range) -> tuple[Canvas, Canvas]:
        """Return its colours, and its share of every pixel."""
        from PIL import Image

        image, (begin, right, _, down) = self._image, self._corners
        # From a place of ours to one in the image, within its rim.
        sides = np.array([right - begin, down - begin])
        back = np.linalg.inv(sides) * (image.width - 2 * _RIM, image.height - 2 * _RIM)
        start = (np.array([columns.start, rows.start]) - begin) @ back + _RIM
        numbers = (back[0, 0], back[1, 0], start[0], back[0, 1], back[1, 1], start[1])
        size = len(columns), len(rows)
        shown = image.transform(size, Image.Transform.AFFINE, numbers, Image.Resampling.BICUBIC)
        colours = np.asarray(shown, np.float32).copy()
        shares = colours[..., 3] / 255 * _Filled((self._corners,), "#000000").seen(rows, columns)[1]
        colours[..., 3] = 255
        return colours, shares.astype(np.float32)


@dataclass(frozen=True, eq=False)
class _Clipped:
    """A picture clipped to a region."""

    picture: _Placed | _Turned
    region: _Filled

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        one, two = self.picture.box, self.region.box
        return max(one[0], two[0]), max(one[1], two[1]), min(one[2], two[2]), min(one[3], two[3])

    def seen(self, rows: range, columns: range) -> tuple[Canvas, Canvas]:
        """Return its colours, and its share of every pixel."""
        colours, shares = self.picture.seen(rows, columns)
        return colours, shares * self.region.seen(rows, columns)[1]


@dataclass(frozen=True)
class _Stretch:
    """The pixels of a picture, along one of its sides, needed for some of ours.

    They go from `first` to `last` and are repeated `beyond` its ends; our pixels show `low` to `high` of these.
    """

    first: int
    last: int
    beyond: tuple[int, int]
    low: float
    high: float

    @classmethod
    def from_pixels(cls, pixels: range, start: float, end: float, count: int) -> _Stretch:
        """Return the stretch for a range of our pixels; a side of `count` pixels goes from `start` to `end`."""
        step = count / (end - start)
        low, high = ((edge - start) * step for edge in (pixels.start, pixels.stop))
        # Smooth interpolation reads two pixels around, of the larger size of pixel.
        margin = ceil(2 * max(1.0, step)) + 1
        first, last = floor(low) - margin, ceil(high) + margin
        beyond = max(0, -first), max(0, last - count)
        return cls(max(0, first), min(count, last), beyond, low - first, high - first)


def _within(pixels: range, start: float, end: float) -> Floats:
    """Return the fraction of each pixel between two ends."""
    at = np.arange(pixels.start, pixels.stop, dtype=float)
    covered: Floats = np.maximum(0.0, np.minimum(at + 1, end) - np.maximum(at, start))
    return covered


def _with_transparency(image: Image) -> Image:
    from PIL import Image

    if image.mode.startswith("I"):
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
    return image.convert("RGBA")


# Pictures in bands of rows, so that painting and reading a large one takes little memory

INCH = 25.4
TILE = 1024
"""Pixels a side drawn at once: 16 MB at four times the resolution."""
_CANVAS = 2**19


def rows_at_once(width: int) -> int:
    """Return the rows of artwork painted at once: few enough to take little memory."""
    return max(1, min(TILE, _CANVAS // width))


def bands(height: int, rows: int) -> list[range]:
    """Return all rows of a picture, band by band."""
    return [range(top, min(height, top + rows)) for top in range(0, height, rows)]
