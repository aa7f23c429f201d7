"""Artwork moved, turned and mirrored with its page, and cut into the parts of pieces.

A part of a picture is again a picture: the pixels around its piece, clipped to the piece.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np

from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import JPEG, MOST_PIXELS, Clip, Picture, Region
from studio.geometry.art.artwork import turned as turned_points
from studio.geometry.curves.strokes import Floats

if TYPE_CHECKING:
    import shapely
    from PIL.Image import Image

    from studio.geometry.planar.regions import Polygons

Artwork = tuple[Region | Picture, ...]

MOST_IN_PARTS = 2 * MOST_PIXELS
"""Most pixels in all parts of a picture together; a finer picture is made coarser."""
_QUALITY = 95
_FAST = 1
"""PNG compression level: higher ones hardly shrink a photograph and take many times as long."""
_LEAST_AREA = 1e-6
_LAST_SIMPLE = 3
"""Highest of shapely's type ids for geometries without parts."""
_AT_RIM = 0.05
"""Gap in mm between a picture and a board's outline below which the picture counts as reaching it."""


def moved(artwork: Artwork, right: float, down: float) -> Artwork:
    """Move artwork by mm to the right and down."""
    shift = np.array([right, down])
    return tuple(_placed(each, lambda points: np.asarray(points + shift)) for each in artwork)


def scaled(artwork: Artwork, factor: float) -> Artwork:
    """Scale artwork about the upper left corner of its page."""

    def larger(points: Floats) -> Floats:
        return np.asarray(factor * points)

    placed = (_placed(each, larger) for each in artwork)
    return tuple(each if isinstance(each, Region) else _sized(each, factor) for each in placed)


def _sized(picture: Picture, factor: float) -> Picture:
    """Scale a picture about its middle, without its clip."""
    (x, y), (width, height) = picture.middle, picture.box[2:]
    return replace(picture, box=(x - factor * width / 2, y - factor * height / 2, factor * width, factor * height))


def turned(artwork: Artwork, height: float) -> Artwork:
    """Turn the artwork of a page `height` mm high clockwise by a quarter with its page."""

    def quarter(points: Floats) -> Floats:
        return np.asarray(points[:, ::-1] * (-1, 1) + (height, 0))

    return tuple(_placed(each, quarter, 90.0) for each in artwork)


def mirrored(artwork: Artwork, width: float) -> Artwork:
    """Mirror the artwork of a page `width` mm wide, as seen from behind."""

    def behind(points: Floats) -> Floats:
        return np.asarray(points * (-1, 1) + (width, 0))

    return tuple(_placed(each if isinstance(each, Region) else _flipped(each), behind) for each in artwork)


def _placed(each: Region | Picture, place: Callable[[Floats], Floats], turn: float = 0.0) -> Region | Picture:
    """Map a region's or a picture's points with `place`, and turn a picture by `turn` more degrees."""
    if isinstance(each, Region):
        return replace(each, rings=tuple(map(place, each.rings)))
    ((x, y),) = place(np.array([each.middle])).tolist()
    width, height = each.box[2:]
    clip = None if each.clip is None else Clip(tuple(map(place, each.clip.rings)))
    return replace(each, box=(x - width / 2, y - height / 2, width, height), turn=(each.turn + turn) % 360, clip=clip)


def _flipped(picture: Picture) -> Picture:
    """Reverse a picture's columns and its turn, in place."""
    from PIL.Image import Transpose

    image = picture.decoded().transpose(Transpose.FLIP_LEFT_RIGHT)
    return replace(picture, data=_packed(image, picture.media), turn=-picture.turn % 360)


def _packed(image: Image, media: str) -> bytes:
    stream = io.BytesIO()
    if media == JPEG:
        image.save(stream, "JPEG", quality=_QUALITY)
    else:
        image.save(stream, "PNG", compress_level=_FAST)
    return stream.getvalue()


def parts(artwork: Artwork, shapes: Polygons, progress: Progress = SILENT) -> tuple[Artwork, ...]:
    """Cut artwork by polygons, each part in place; raises StudioError for a broken picture, and Cancelled."""
    import shapely

    found: list[list[Region | Picture]] = [[] for _ in shapes]
    tree = shapely.STRtree(shapes)
    for number, each in enumerate(artwork):
        part = progress.part(number / len(artwork), (number + 1) / len(artwork))
        part.step(0.0, tr("Dividing the artwork"))
        points = np.concatenate(each.rings) if isinstance(each, Region) else each.corners
        reach = (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())
        near = np.sort(tree.query(shapely.box(*reach)))
        cut = _of_region(each, shapes[near]) if isinstance(each, Region) else _of_picture(each, shapes[near], part)
        for at, piece in zip(near.tolist(), cut, strict=True):
            found[at] += [piece] if piece is not None else []
    return tuple(map(tuple, found))


def _of_region(region: Region, shapes: Polygons) -> list[Region | None]:
    """The part of a region inside each polygon, or None."""
    import shapely

    if region.are_apart:
        rings = shapely.make_valid(shapely.polygons([shapely.linearrings(ring) for ring in region.rings]))
    else:
        rings = shapely.get_parts(_shape(region))
    tree = shapely.STRtree(rings)
    cut: list[Region | None] = []
    for shape in shapes:
        near = tree.geometries[tree.query(shape, predicate="intersects")]
        own = _rings(shapely.geometrycollections(shapely.intersection(near, shape)))
        cut.append(replace(region, rings=own, are_apart=False) if own else None)
    return cut


def _rings(shape: shapely.Geometry) -> tuple[Floats, ...]:
    """Rings (n, 2) of all areas in a geometry, outlines and holes."""
    import shapely

    parts = shapely.get_parts(shape)
    while (shapely.get_num_geometries(parts) > 1).any() or (shapely.get_type_id(parts) > _LAST_SIMPLE).any():
        parts = shapely.get_parts(parts)
    polygons = [one for one in parts if one.geom_type == "Polygon" and one.area > _LEAST_AREA]
    rings = [ring for one in polygons for ring in (one.exterior, *one.interiors)]
    return tuple(np.asarray(shapely.get_coordinates(ring)[:-1]) for ring in rings)


def _even_odd(rings: Sequence[Floats]) -> shapely.Geometry:
    import shapely

    polygons = shapely.make_valid(shapely.polygons([shapely.linearrings(ring) for ring in rings]))
    return reduce(shapely.symmetric_difference, polygons)


def _of_picture(picture: Picture, shapes: Polygons, progress: Progress) -> list[Picture | None]:
    """The part of a picture inside each polygon, or None."""
    import shapely

    seen = shapely.Polygon(picture.corners)
    if picture.clip is not None:
        seen = shapely.intersection(seen, _even_odd(picture.clip.rings))
    seen_parts = shapely.intersection(shapes, seen)
    pixels = _Pixels.from_picture(picture, seen_parts)
    cut: list[Picture | None] = []
    for number, part in enumerate(seen_parts):
        progress.step(number / len(shapes))
        cut.append(pixels.part(part) if part.area > _LEAST_AREA else None)
    return cut


@dataclass(frozen=True, eq=False)
class _Pixels:
    """A picture decoded once, to be cut into parts."""

    picture: Picture
    image: Image

    @classmethod
    def from_picture(cls, picture: Picture, shapes: Polygons) -> _Pixels:
        """Decode a picture, coarser if the boxes of the shapes hold more than MOST_IN_PARTS pixels."""
        import shapely

        image = picture.decoded()
        low, high = np.hsplit(np.nan_to_num(shapely.bounds(shapes)), 2)
        share = float((high - low).prod(axis=1).sum()) / (picture.box[2] * picture.box[3])
        coarser = ceil(sqrt(share * image.width * image.height / MOST_IN_PARTS))
        return cls(picture, image.reduce(coarser) if coarser > 1 else image)

    def part(self, shape: shapely.Geometry) -> Picture | None:
        """The pixels around a shape in mm, clipped to it; None if there are no pixels."""
        left, top, width, height = self.picture.box
        rings = _rings(shape)
        if not rings:
            return None
        middle = np.array(self.picture.middle)
        flat = turned_points(np.concatenate(rings) - middle, -self.picture.turn) + middle
        scale = np.array(self.image.size) / (width, height)
        first = np.clip(np.floor((flat.min(axis=0) - (left, top)) * scale) - 1, 0, self.image.size)
        last = np.clip(np.ceil((flat.max(axis=0) - (left, top)) * scale) + 1, 0, self.image.size)
        if (last <= first).any():
            return None
        size = (last - first) / scale
        own = turned_points(((first + last) / 2 / scale - (width / 2, height / 2))[None], self.picture.turn)[0] + middle
        x, y = (own - size / 2).tolist()
        image = self.image.crop((*first.astype(int).tolist(), *last.astype(int).tolist()))
        return replace(
            self.picture, data=_packed(image, self.picture.media), box=(x, y, *size.tolist()), clip=Clip(rings)
        )


def joined(found: Sequence[Artwork]) -> Artwork:
    """Stack artworks, the first lowest."""
    return tuple(each for some in found for each in some)


def extended(artwork: Artwork, board: shapely.Geometry, bleed: float) -> Artwork:
    """Continue artwork at the outline of a board for `bleed` mm past it.

    A picture repeats its outermost pixels on the sides that end at the outline; a picture that reaches farther stays
    as it is.
    """
    import shapely

    wide = shapely.buffer(board, bleed)
    found: list[Region | Picture] = []
    for each in artwork:
        if isinstance(each, Region):
            inside = _shape(each)
            past = shapely.intersection(shapely.difference(shapely.buffer(inside, bleed), board), wide)
            rings = _rings(shapely.union(inside, past))
            found.append(replace(each, rings=rings, are_apart=False) if rings else each)
        else:
            found.append(_padded(each, board, wide))
    return tuple(found)


def _shape(region: Region) -> shapely.Geometry:
    import shapely

    if not region.are_apart:
        return _even_odd(region.rings)
    return shapely.union_all(shapely.make_valid(shapely.polygons([shapely.linearrings(ring) for ring in region.rings])))


def _padded(picture: Picture, board: shapely.Geometry, wide: shapely.Geometry) -> Picture:
    """Remove a picture's clip, and repeat its outermost pixels as far as `wide` on sides that end at the board."""
    import shapely
    from PIL import Image

    middle = np.array(picture.middle)

    def flat(points: Floats) -> Floats:
        return np.asarray(turned_points(points - middle, -picture.turn) + middle)

    rims, fars = (shapely.transform(shape, flat).bounds for shape in (board, wide))
    left, top, width, height = picture.box
    more = [
        (far - end) * way if (end - rim) * way >= -_AT_RIM and (far - end) * way > 0 else 0.0
        for end, rim, far, way in zip((left, top, left + width, top + height), rims, fars, (-1, -1, 1, 1), strict=True)
    ]
    if not any(more):
        return replace(picture, clip=None)
    image = picture.decoded()
    if image.mode not in ("L", "RGB", "RGBA"):
        image = image.convert("RGBA" if image.has_transparency_data else "RGB")
    scale = (image.width / width, image.height / height)
    beside = [ceil(length * scale[at % 2]) for at, length in enumerate(more)]
    across, down = (beside[0], beside[2]), (beside[1], beside[3])
    pixels = np.asarray(image)
    padded = Image.fromarray(np.pad(pixels, (down, across, (0, 0))[: pixels.ndim], "edge"))
    coarser = ceil(sqrt(padded.width * padded.height / MOST_PIXELS))
    size = padded.width / scale[0], padded.height / scale[1]
    out = np.array([[across[1] - across[0], down[1] - down[0]]]) / scale / 2
    middle += turned_points(out, picture.turn)[0]
    corner = (middle - np.array(size) / 2).tolist()
    data = _packed(padded.reduce(coarser) if coarser > 1 else padded, picture.media)
    return Picture(data, picture.media, (corner[0], corner[1], *size), picture.turn)
