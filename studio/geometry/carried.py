"""Artwork that goes along with what it is under: moved, turned, mirrored, and cut into the parts of pieces.

A part of a picture is a picture again, of whole pixels of the first, transparent outside its piece. Pictures coarser
than RESOLUTION are made finer first, so that the rim of a part is smooth.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from studio.geometry.artwork import JPEG, MOST_PIXELS, PNG, Picture, Region
from studio.geometry.curves import Floats
from studio.progress import SILENT, Progress
from studio.texts import tr

if TYPE_CHECKING:
    import shapely
    from PIL.Image import Image, Transpose

    from studio.geometry.regions import Polygons

Artwork = tuple[Region | Picture, ...]

RESOLUTION = 12.0
"""Pixels a mm, some 300 dpi, that parts of a picture have at least."""
MOST_IN_PARTS = 2 * MOST_PIXELS
"""The most pixels that all parts of a picture have together; a finer picture is made coarser."""
_SMOOTHED = 4_000_000
"""The most pixels of a part whose rim is drawn in finer pixels."""
_FINER = 4
_QUALITY = 95
_FAST = 1
"""How hard pictures are packed: a photograph hardly gets smaller, and takes many times as long."""
_LEAST_AREA = 1e-6


def moved(artwork: Artwork, right: float, down: float) -> Artwork:
    """The artwork moved by mm to the right and down."""
    return tuple(_moved(each, right, down) for each in artwork)


def turned(artwork: Artwork, height: float) -> Artwork:
    """The artwork of a page `height` mm high, turned clockwise by a quarter with its page."""
    from PIL.Image import Transpose

    def corner(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        left, top, wide, high = box
        return height - top - high, left, high, wide

    return tuple(
        replace(each, rings=tuple(ring[:, ::-1] * (-1, 1) + (height, 0) for ring in each.rings))
        if isinstance(each, Region)
        else _transposed(each, Transpose.ROTATE_270, corner(each.box))
        for each in artwork
    )


def mirrored(artwork: Artwork, width: float) -> Artwork:
    """The artwork of a page `width` mm wide, seen from behind."""
    from PIL.Image import Transpose

    def corner(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
        left, top, wide, high = box
        return width - left - wide, top, wide, high

    return tuple(
        replace(each, rings=tuple(ring * (-1, 1) + (width, 0) for ring in each.rings))
        if isinstance(each, Region)
        else _transposed(each, Transpose.FLIP_LEFT_RIGHT, corner(each.box))
        for each in artwork
    )


def parts(artwork: Artwork, shapes: Polygons, progress: Progress = SILENT) -> tuple[Artwork, ...]:
    """The artwork inside each of some polygons, at its place; raises StudioError for a broken picture, Cancelled."""
    found: list[list[Region | Picture]] = [[] for _ in shapes]
    for number, each in enumerate(artwork):
        part = progress.part(number / len(artwork), (number + 1) / len(artwork))
        part.step(0.0, tr("Dividing the artwork"))
        cut = _of_region(each, shapes) if isinstance(each, Region) else _of_picture(each, shapes, part)
        for own, piece in zip(found, cut, strict=True):
            own += [piece] if piece is not None else []
    return tuple(map(tuple, found))


def _moved(each: Region | Picture, right: float, down: float) -> Region | Picture:
    if isinstance(each, Region):
        return replace(each, rings=tuple(ring + np.array([right, down]) for ring in each.rings))
    left, top, width, height = each.box
    return replace(each, box=(left + right, top + down, width, height))


def _transposed(picture: Picture, turn: Transpose, box: tuple[float, float, float, float]) -> Picture:
    image = picture.decoded().transpose(turn)
    stream = io.BytesIO()
    if picture.media == JPEG:
        image.save(stream, "JPEG", quality=_QUALITY)
    else:
        image.save(stream, "PNG", compress_level=_FAST)
    return Picture(stream.getvalue(), picture.media, box)


def _of_region(region: Region, shapes: Polygons) -> list[Region | None]:
    """A region's part inside each polygon, None where there is none."""
    import shapely

    rings = shapely.polygons([shapely.linearrings(ring) for ring in region.rings])
    if not region.are_apart and len(rings) > 1:
        rings = shapely.get_parts(reduce(shapely.symmetric_difference, shapely.make_valid(rings)))
    tree = shapely.STRtree(shapely.make_valid(rings))
    cut: list[Region | None] = []
    for shape in shapes:
        near = tree.geometries[tree.query(shape, predicate="intersects")]
        pieces = shapely.get_parts(shapely.get_parts(shapely.intersection(near, shape)))
        inside = [one for one in pieces if one.geom_type == "Polygon" and one.area > _LEAST_AREA]
        own = [_open(ring) for one in inside for ring in (one.exterior, *one.interiors)]
        cut.append(replace(region, rings=tuple(own), are_apart=False) if own else None)
    return cut


def _open(ring: shapely.LinearRing) -> Floats:
    import shapely

    return np.asarray(shapely.get_coordinates(ring)[:-1])


def _of_picture(picture: Picture, shapes: Polygons, progress: Progress) -> list[Picture | None]:
    """A picture's part inside each polygon, None where there is none."""
    import shapely

    left, top, width, height = picture.box
    frame = shapely.box(left, top, left + width, top + height)
    boxes = shapely.bounds(shapely.intersection(shapely.box(*shapely.bounds(shapes).T), frame))
    sizes = np.nan_to_num(boxes[:, 2:] - boxes[:, :2])
    pixels = _Pixels.of(picture, float(sizes.prod(axis=1).sum()))
    cut: list[Picture | None] = []
    for number, (shape, size) in enumerate(zip(shapes, sizes, strict=True)):
        progress.step(number / len(shapes))
        cut.append(pixels.part(shape) if size.min() > 0 else None)
    return cut


@dataclass(frozen=True, eq=False)
class _Pixels:
    """A picture decoded, RGBA, and its corner and its pixels a mm, across and down."""

    image: Image
    corner: tuple[float, float]
    scale: tuple[float, float]

    @classmethod
    def of(cls, picture: Picture, area: float) -> _Pixels:
        """The picture, made finer or coarser so that parts of `area` mm² in all are smooth and not too large."""
        from PIL import Image

        left, top, width, height = picture.box
        most = sqrt(min(MOST_IN_PARTS / max(area, 1.0), MOST_PIXELS / (width * height)))
        image = picture.decoded()
        if image.mode.startswith("I"):
            image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8))
        image = image.convert("RGBA")
        across, down = image.width / width, image.height / height
        wanted = [min(max(own, RESOLUTION), most) for own in (across, down)]
        if wanted != [across, down]:
            size = max(1, round(width * wanted[0])), max(1, round(height * wanted[1]))
            image = image.resize(size, Image.Resampling.BICUBIC, reducing_gap=2.0)
        return cls(image, (left, top), (image.width / width, image.height / height))

    def part(self, shape: shapely.Polygon) -> Picture | None:
        """What is seen of it inside a polygon in mm; None where that is nothing."""
        import shapely
        from PIL import Image, ImageChops, ImageDraw

        low, high = (np.array(shapely.bounds(shape)).reshape(2, 2) - self.corner) * self.scale
        first = np.maximum(np.floor(low), 0).astype(int).tolist()
        last = np.minimum(np.ceil(high), self.image.size).astype(int).tolist()
        columns, rows = last[0] - first[0], last[1] - first[1]
        if columns <= 0 or rows <= 0:
            return None
        finer = _FINER if columns * rows <= _SMOOTHED else 1
        mask = Image.new("L", (columns * finer, rows * finer))
        pen = ImageDraw.Draw(mask)
        for polygon in shapely.get_parts(shape):
            for number, ring in enumerate((polygon.exterior, *polygon.interiors)):
                points = (shapely.get_coordinates(ring) - self.corner) * self.scale - first
                pen.polygon((points * finer - 0.5).ravel().tolist(), fill=0 if number else 255)
        image = self.image.crop((first[0], first[1], last[0], last[1]))
        image.putalpha(ImageChops.multiply(image.getchannel("A"), mask.reduce(finer) if finer > 1 else mask))
        if image.getchannel("A").getextrema()[1] == 0:
            return None
        stream = io.BytesIO()
        image.save(stream, "PNG", compress_level=_FAST)
        (left, top), (across, down) = self.corner, self.scale
        box = (left + first[0] / across, top + first[1] / down, columns / across, rows / down)
        return Picture(stream.getvalue(), PNG, box)


def joined(found: Sequence[Artwork]) -> Artwork:
    """Some artwork one over the other."""
    return tuple(each for some in found for each in some)
