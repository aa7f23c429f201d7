"""The picture on a jigsaw's board: its bytes, and where it is, relative to the board so that it follows its size."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.texts import tr
from studio.geometry.art.artwork import Picture, size_of, turned

FILL, FIT = "fill", "fit"
PLACES = {FILL: tr("Fill the board"), FIT: tr("Fit on the board")}
"""How large a picture is before it is scaled: it covers the board, or all of it is on the board."""
SCALES = (0.05, 20.0)
FARTHEST = 5.0
"""How far its middle may be from the board's, in widths and heights of the board."""
MOST_CROPPED = 0.95
"""How much of it may be cut off at two opposite sides together."""

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class BoardPicture:
    """A picture: the bytes of a PNG or a JPEG with their media type, and its place.

    `scale` is a multiple of the size that `place` gives it; `right` and `down` move its middle from the board's, in
    widths and heights of the board; `turn` is in degrees clockwise. `crop` is what is cut off at its left, top, right
    and bottom before all that, as shares of its width and height.
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
        """Refuse what is no picture, or has no place: raises StudioError."""
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
        """Whether all of its pixels can be read; they are decoded once, wherever it is placed."""
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

    def _pixel(self, columns: float, rows: float, width: float, height: float) -> float:
        """The size in mm of a pixel of its remaining part, turned, before it is scaled."""
        cos, sin = (abs(float(one)) for one in turned((1.0, 0.0), self.turn))
        if self.place == FIT:
            return min(width / (columns * cos + rows * sin), height / (columns * sin + rows * cos))
        return max((width * cos + height * sin) / columns, (width * sin + height * cos) / rows)

    def on_board(self, width: float, height: float) -> Picture:
        """The whole picture in its place on a board, nothing of it cut off."""
        return Picture(self.data, self.media, self.box(width, height), self.turn)

    def kept(self, width: float, height: float) -> Picture:
        """The box of what is left of the picture when it is cropped: its bytes are still those of the whole."""
        whole = self.on_board(width, height)
        left, top, right, bottom = self.crop
        across, down = whole.box[2:]
        wide, high = across * (1 - left - right), down * (1 - top - bottom)
        middle = width * (0.5 + self.right), height * (0.5 + self.down)
        return Picture(self.data, self.media, (middle[0] - wide / 2, middle[1] - high / 2, wide, high), self.turn)

    def dpi(self, width: float, height: float) -> float:
        """How many of its pixels are on an inch of a board."""
        return 25.4 * self.size[0] / self.box(width, height)[2]


@lru_cache(maxsize=4)
def _decodes(data: bytes, media: str) -> bool:
    try:
        Picture(data, media, (0.0, 0.0, 1.0, 1.0)).ensure_whole()
    except StudioError:
        return False
    return True


def nearest_angle(degrees: float) -> float:
    """An angle from -180 to 180 degrees."""
    return math.remainder(degrees, 360.0)
