"""Picture on a jigsaw's board: its bytes, and its place relative to the board, so that it follows the board's size."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError, Validated, choice, number
from studio.base.texts import tr
from studio.geometry.art.artwork import Clip, Picture, size_of, turned
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import AREA_TOLERANCE, Drawing, Operation

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.model.design import JigsawDesign

FILL, FIT = "fill", "fit"
PLACES = {FILL: tr("Fill the board"), FIT: tr("Fit on the board")}
"""Sizes of a picture before it is scaled: it covers the board, or the whole picture is on the board."""
SCALES = (0.05, 20.0)
FARTHEST = 5.0
"""Largest offset of its middle from the board's, in widths and heights of the board."""
MOST_CROPPED = 0.95
"""Largest share cropped at two opposite sides together."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class BoardPicture:
    """A picture: the bytes of a PNG or a JPEG with their media type, and its place.

    `scale` is a multiple of the size that `place` gives it; `right` and `down` move its middle from the board's, in
    widths and heights of the board; `turn` is in degrees clockwise. `crop` comes first: the parts cropped at its left,
    top, right and bottom, as fractions of its width and height.
    """

    data: bytes = field(repr=False)
    media: str
    place: str = FILL
    scale: float = 1.0
    right: float = 0.0
    down: float = 0.0
    turn: float = 0.0
    crop: Box = (0.0, 0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        """Raise StudioError for data that are not a picture, and for values out of bounds."""
        if self.place not in PLACES:
            raise ParameterError("place", tr("place must be fill or fit, not {place}.", place=str(self.place)[:40]))
        for name, (low, high) in {
            "scale": SCALES, "right": (-FARTHEST, FARTHEST), "down": (-FARTHEST, FARTHEST), "turn": (-360.0, 360.0)
        }.items():  # fmt: skip
            value = getattr(self, name)
            if not low <= value <= high:
                raise ParameterError(
                    name, tr("{name} must be {low:g} to {high:g}, not {value:g}.", name=name, low=low, high=high,
                             value=value)
                )  # fmt: skip
        left, top, right, bottom = self.crop
        if min(self.crop) < 0 or max(left + right, top + bottom) > MOST_CROPPED:
            raise ParameterError(
                "crop", tr("crop must leave at least {least:g} % of the picture.", least=100 * (1 - MOST_CROPPED))
            )
        _ = self.size

    @cached_property
    def size(self) -> tuple[int, int]:
        """Columns and rows of its pixels."""
        return size_of(self.data, self.media)

    @property
    def is_whole(self) -> bool:
        """True if all its pixels can be read; they are decoded once, regardless of its place."""
        return _decodes(self.data, self.media)

    def box(self, width: float, height: float) -> Box:
        """Left, top, width and height in mm of the whole picture on a board, before it is turned about its middle."""
        columns, rows = self.size
        left, top, right, bottom = self.crop
        pixel = self.scale * self._pixel(columns * (1 - left - right), rows * (1 - top - bottom), width, height)
        aside = turned((pixel * columns * (left - right) / 2, pixel * rows * (top - bottom) / 2), self.turn)
        x = width * (0.5 + self.right) - float(aside[0])
        y = height * (0.5 + self.down) - float(aside[1])
        return x - pixel * columns / 2, y - pixel * rows / 2, pixel * columns, pixel * rows

    def on_other_board(self, before: Size, after: Size, by: Size) -> BoardPicture:
        """The picture where it was on a board of another size, moved `by` a step in mm: its `scale`, `right` and `down`
        are relative to the board."""
        left, top, right, bottom = self.crop
        kept = self.size[0] * (1 - left - right), self.size[1] * (1 - top - bottom)
        scale = self.scale * self._pixel(*kept, *before) / self._pixel(*kept, *after)
        right, down = (
            (width * (0.5 + share) + step) / other - 0.5
            for width, share, step, other in zip(before, (self.right, self.down), by, after, strict=True)
        )
        return replace(self, scale=scale, right=right, down=down)

    def _pixel(self, columns: float, rows: float, width: float, height: float) -> float:
        """Size in mm of a pixel of the cropped, turned picture, before it is scaled."""
        cos, sin = (abs(float(one)) for one in turned((1.0, 0.0), self.turn))
        if self.place == FIT:
            return min(width / (columns * cos + rows * sin), height / (columns * sin + rows * cos))
        return max((width * cos + height * sin) / columns, (width * sin + height * cos) / rows)

    def on_board(self, width: float, height: float) -> Picture:
        """Whole picture in its place on a board, not cropped."""
        return Picture(self.data, self.media, self.box(width, height), self.turn)

    def kept(self, width: float, height: float) -> Picture:
        """Picture with the box of its cropped part; its bytes are still the whole picture's."""
        whole = self.on_board(width, height)
        left, top, right, bottom = self.crop
        across, down = whole.box[2:]
        wide, high = across * (1 - left - right), down * (1 - top - bottom)
        middle = width * (0.5 + self.right), height * (0.5 + self.down)
        return Picture(self.data, self.media, (middle[0] - wide / 2, middle[1] - high / 2, wide, high), self.turn)

    def dpi(self, width: float, height: float) -> float:
        """Pixels per inch of the board."""
        return 25.4 * self.size[0] / self.box(width, height)[2]


@lru_cache(maxsize=4)
def _decodes(data: bytes, media: str) -> bool:
    try:
        Picture(data, media, (0.0, 0.0, 1.0, 1.0)).ensure_whole()
    except StudioError:
        return False
    return True


def nearest_angle(degrees: float) -> float:
    """Normalise an angle to -180 to 180 degrees."""
    return math.remainder(degrees, 360.0)


# Settings of a picture in numbers, and its place after a pull at it or at its frame.
# size: width and height of the board in mm.


Size = tuple[float, float]
SNAP = 15.0
"""Steps in degrees to which a rotation can snap."""
QUARTER = 90.0
_SHARE = 9
"""Decimals of shares and scales, finer than a micrometre on any board."""
_ANGLE = 1
"""Decimals of pulled angles in degrees."""


@dataclass(frozen=True)
class PictureSetting(Validated):
    """Place of a picture in numbers: its middle in mm from the board's, crops in % of the picture."""

    place: str = choice(FILL, PLACES, title="Size", help="Cover the whole board, or show the whole picture on it.")
    scale: float = number(100.0, title="Scale", minimum=100 * SCALES[0], maximum=100 * SCALES[1], step=5.0, unit="%",
        help="Scale of the picture; 100 % fills or fits the board.")  # fmt: skip
    right: float = number(0.0, title="X", minimum=-50000.0, maximum=50000.0, step=1.0, unit="mm",
        help="Offset of the picture to the right of the board's centre.")  # fmt: skip
    down: float = number(0.0, title="Y", minimum=-50000.0, maximum=50000.0, step=1.0, unit="mm",
        help="Offset of the picture below the board's centre.")  # fmt: skip
    turn: float = number(0.0, title="Rotation", minimum=-360.0, maximum=360.0, step=5.0, unit="°",
        help="Clockwise rotation of the picture.")  # fmt: skip
    left_crop: float = number(0.0, title="Crop left", minimum=0.0, maximum=95.0, step=1.0, unit="%",
        help="Part of the picture cut off at its left side.")  # fmt: skip
    top_crop: float = number(0.0, title="Crop top", minimum=0.0, maximum=95.0, step=1.0, unit="%",
        help="Part of the picture cut off at its top.")  # fmt: skip
    right_crop: float = number(0.0, title="Crop right", minimum=0.0, maximum=95.0, step=1.0, unit="%",
        help="Part of the picture cut off at its right side.")  # fmt: skip
    bottom_crop: float = number(0.0, title="Crop bottom", minimum=0.0, maximum=95.0, step=1.0, unit="%",
        help="Part of the picture cut off at its bottom.")  # fmt: skip


def setting_of(picture: BoardPicture, size: Size) -> PictureSetting:
    """Place of a picture in numbers, as shown."""
    crops = (round(100 * part, 4) for part in picture.crop)
    right, down = (
        round(share * side, 4) + 0.0 for share, side in zip((picture.right, picture.down), size, strict=True)
    )
    return PictureSetting(picture.place, round(100 * picture.scale, 4), right, down, picture.turn, *crops)


def with_setting(picture: BoardPicture, setting: PictureSetting, size: Size) -> BoardPicture:
    """Place a picture by numbers; unchanged values keep their precision. Raise StudioError for bad crops."""
    before = setting_of(picture, size)
    right = picture.right if setting.right == before.right else _within(setting.right / size[0])
    down = picture.down if setting.down == before.down else _within(setting.down / size[1])
    crops = [getattr(setting, f"{side}_crop") for side in ("left", "top", "right", "bottom")]
    left, top, right_crop, bottom = (round(part / 100, _SHARE) for part in crops)
    return replace(
        picture, place=setting.place, scale=round(setting.scale / 100, _SHARE), right=right, down=down,
        turn=setting.turn, crop=(left, top, right_crop, bottom),
    )  # fmt: skip


def moved(picture: BoardPicture, size: Size, right: float, down: float) -> BoardPicture:
    """Move a picture by some mm."""
    return replace(picture, right=_within(picture.right + right / size[0]), down=_within(picture.down + down / size[1]))


def scaled(picture: BoardPicture, size: Size, corner: int, right: float, down: float) -> BoardPicture:
    """Scale by pulling a corner, clockwise from the upper left, by some mm; the opposite corner stays."""
    corners = picture.kept(*size).corners
    still = corners[corner - 2]
    diagonal = corners[corner] - still
    share = 1.0 + float((right, down) @ diagonal) / float(diagonal @ diagonal)
    low, high = SCALES
    scale = min(max(round(picture.scale * share, _SHARE), low), high)
    middle = still + diagonal / 2 * (scale / picture.scale)
    x, y = ((float(at) / side) - 0.5 for at, side in zip(middle, size, strict=True))
    return replace(picture, scale=scale, right=_within(x), down=_within(y))


def rotated(picture: BoardPicture, size: Size, begin: Size, end: Size, *, snaps: bool) -> BoardPicture:
    """Rotate a picture about its middle by a pull between two places, at constant size; `snaps` rounds to steps."""
    middle = size[0] * (0.5 + picture.right), size[1] * (0.5 + picture.down)
    first, last = (math.atan2(y - middle[1], x - middle[0]) for x, y in (begin, end))
    turn = picture.turn + math.degrees(last - first)
    turn = nearest_angle(SNAP * round(turn / SNAP) if snaps else round(turn, _ANGLE))
    turned = replace(picture, turn=round(turn, _ANGLE) + 0.0)
    low, high = SCALES
    scale = picture.scale * picture.box(*size)[2] / turned.box(*size)[2]
    return replace(turned, scale=min(max(round(scale, _SHARE), low), high))


def quartered(picture: BoardPicture, way: int) -> BoardPicture:
    """Rotate a picture by a quarter, clockwise or with -1 anticlockwise; it fills or fits the board as before."""
    return replace(picture, turn=round(nearest_angle(picture.turn + way * QUARTER), 6) + 0.0)


def _within(share: float) -> float:
    return float(np.clip(round(share, _SHARE), -FARTHEST, FARTHEST)) + 0.0


# The picture of a jigsaw under its cuts, placed as in its design and clipped to the board


def pictured(design: JigsawDesign, data: bytes, media: str) -> JigsawDesign:
    """Put another picture in the place of a design's picture, or over the whole board. Raise StudioError if invalid."""
    before = design.picture
    new = BoardPicture(data, media) if before is None else replace(before, data=data, media=media)
    return design.with_picture(new)


def shown(picture: BoardPicture, drawing: Drawing) -> Picture:
    """Clip the picture under a drawing to its outline, outside its holes, and to the crop."""
    rings = board_rings(drawing)
    if any(picture.crop):
        rings = _clipped_to(rings, picture.kept(drawing.width, drawing.height).corners)
    return replace(picture.on_board(drawing.width, drawing.height), clip=Clip(rings))


def board_rings(drawing: Drawing) -> tuple[Floats, ...]:
    """Outlines of a board and its holes in mm, each of shape (n, 2); figures are not holes."""
    rings = []
    for chain in drawing.chains:
        is_hole = chain.bounds_void and drawing.followed_once[chain.strokes >> 1].all()
        if chain.closed and (chain.operation is Operation.BORDER or is_hole):
            ring = drawing.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)]))
            rings.append(ring.flattened(AREA_TOLERANCE).points[:-1])
    return tuple(rings)


def _clipped_to(rings: Iterable[Floats], corners: Floats) -> tuple[Floats, ...]:
    """Clip rings, filled by the even-odd rule, to a turned box."""
    import shapely

    board = shapely.Polygon()
    for ring in rings:
        board = board.symmetric_difference(shapely.Polygon(ring).buffer(0))
    left = board.intersection(shapely.Polygon(corners))
    parts = [part for part in shapely.get_parts(left) if isinstance(part, shapely.Polygon)]
    found = [ring for part in parts for ring in (part.exterior, *part.interiors)]
    # A picture cropped to nothing on the board is not shown.
    return tuple(shapely.get_coordinates(ring)[:-1] for ring in found) or (np.zeros((3, 2)),)
