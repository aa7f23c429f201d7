"""Paints artwork and lines in pixels: shapes by resvg, pictures by pillow, whose rims resvg paints.

resvg holds the interpreter while it paints, so tiles are small: the window stays responsive, and a large picture takes
little memory. It returns PNG, which for photographs takes five times as long as pillow takes for all.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.export.writers.svg import SVG, clipped, path_data
from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Floats, Ints

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
