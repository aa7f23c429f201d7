"""What of a picture can be set in numbers, and what a pull at it or at its frame makes of its place.

size: width and height of the board in mm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from studio.base.parameters import Validated, choice, number
from studio.puzzles.jigsaw.picture.board_picture import FARTHEST, FILL, PLACES, SCALES, BoardPicture, nearest_angle

Size = tuple[float, float]
SNAP = 15.0
"""Degrees of the steps that a rotation can be held to."""
QUARTER = 90.0
_SHARE = 9
"""Decimals of shares and scales, finer than a micrometre on any board."""
_ANGLE = 1
"""Decimals of angles that are pulled, in degrees."""


@dataclass(frozen=True)
class PictureSetting(Validated):
    """The place of a picture in numbers: its middle in mm from that of the board, crops in % of the picture."""

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
    """The place of a picture in numbers, as they are shown."""
    crops = (round(100 * part, 4) for part in picture.crop)
    right, down = (
        round(share * side, 4) + 0.0 for share, side in zip((picture.right, picture.down), size, strict=True)
    )
    return PictureSetting(picture.place, round(100 * picture.scale, 4), right, down, picture.turn, *crops)


def with_setting(picture: BoardPicture, setting: PictureSetting, size: Size) -> BoardPicture:
    """A picture placed by numbers; what they leave alone stays as exact as it is. Raises StudioError for bad crops."""
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
    """A picture moved by some mm."""
    return replace(picture, right=_within(picture.right + right / size[0]), down=_within(picture.down + down / size[1]))


def scaled(picture: BoardPicture, size: Size, corner: int, right: float, down: float) -> BoardPicture:
    """A picture of which one corner, clockwise from the upper left, is pulled by some mm; the opposite one stays."""
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
    """A picture turned as a pull from one place to another turns its middle, as large as before, perhaps in steps."""
    middle = size[0] * (0.5 + picture.right), size[1] * (0.5 + picture.down)
    first, last = (math.atan2(y - middle[1], x - middle[0]) for x, y in (begin, end))
    turn = picture.turn + math.degrees(last - first)
    turn = nearest_angle(SNAP * round(turn / SNAP) if snaps else round(turn, _ANGLE))
    turned = replace(picture, turn=round(turn, _ANGLE) + 0.0)
    low, high = SCALES
    scale = picture.scale * picture.box(*size)[2] / turned.box(*size)[2]
    return replace(turned, scale=min(max(round(scale, _SHARE), low), high))


def quartered(picture: BoardPicture, way: int) -> BoardPicture:
    """A picture turned by a quarter, clockwise or with -1 the other way, that fills or fits the board as before."""
    return replace(picture, turn=round(nearest_angle(picture.turn + way * QUARTER), 6) + 0.0)


def _within(share: float) -> float:
    return float(np.clip(round(share, _SHARE), -FARTHEST, FARTHEST)) + 0.0
