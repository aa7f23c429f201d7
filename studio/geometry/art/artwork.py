"""Artwork in mm, y downwards: regions filled with a colour, and pictures; drawings and pages carry the same values.

Colours are `#RRGGBB`: a distinguishable palette, mixtures, and a test for dark letters.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil, isfinite
from typing import TYPE_CHECKING
from warnings import catch_warnings

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats

if TYPE_CHECKING:
    from PIL.Image import Image, Transpose

Pixels = NDArray[np.uint8]
PNG, JPEG = "image/png", "image/jpeg"
MOST_BYTES = 32 * 2**20
MOST_PIXELS = 50_000_000
PIXEL_SECONDS = 2e-8
"""Approximate time to decode a pixel."""
_PNG_HEAD = b"\x89PNG\r\n\x1a\n"
_JPEG_HEAD = b"\xff\xd8\xff"
# The frames of JPEG that every program reads: baseline, extended and progressive.
_FRAMES = (0xC0, 0xC1, 0xC2)
_ORIENTATION = 0x0112
_QUALITY = 95
_QUARTERS = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}


@dataclass(frozen=True, eq=False)
class Region:
    """A shape between rings (n, 2), filled by the even-odd rule: a ring within another leaves a hole.

    Rings that `are_apart` do not overlap, so that each can be painted by itself, which is faster.
    Raises StudioError for a ring of fewer than three points, or with an invalid point.
    """

    rings: tuple[Floats, ...]
    fill: str
    are_apart: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        if self.rings and not (min(map(len, self.rings)) > 2 and np.isfinite(np.concatenate(self.rings)).all()):
            raise StudioError(tr("A region needs rings of at least three points in mm."))


@dataclass(frozen=True, eq=False)
class Clip:
    """A visible area between rings (n, 2) in mm, by the even-odd rule: a ring within another leaves a hole."""

    rings: tuple[Floats, ...]


@dataclass(frozen=True)
class Picture:
    """A picture in a box: left, top, width and height in mm.

    Box and picture are turned clockwise by `turn` degrees about the middle of the box; `clip` limits the visible part
    of the turned picture.
    Raises StudioError with the picture's place for an invalid one; only `decoded` notices damaged pixels.
    """

    data: bytes = field(repr=False)
    media: str
    box: tuple[float, float, float, float]
    turn: float = 0.0
    clip: Clip | None = None

    def __post_init__(self) -> None:
        width, height = self.box[2:]
        if not (all(map(isfinite, (*self.box, self.turn))) and width > 0 and height > 0):
            raise StudioError(tr("A picture needs a width and a height in mm, not the box {box}.", box=self.box))
        if self.media not in (PNG, JPEG):
            words = tr(
                "{where} is in an unsupported format ({format}); use PNG or JPEG.",
                where=self.where,
                format=self.media[:40] or tr("unknown"),
            )
            raise StudioError(words)
        if len(self.data) > MOST_BYTES:
            size = ceil(len(self.data) / 2**20)
            raise StudioError(
                tr("{where} has {size} MB (maximum {most} MB).", where=self.where, size=size, most=MOST_BYTES // 2**20)
            )
        columns, rows = self.size
        if columns * rows > MOST_PIXELS:
            words = tr(
                "{where} has {columns} × {rows} pixels (maximum {most} megapixels).",
                where=self.where,
                columns=columns,
                rows=rows,
                most=MOST_PIXELS // 10**6,
            )
            raise StudioError(words)

    @classmethod
    def from_bytes(cls, data: bytes, box: tuple[float, float, float, float]) -> Picture:
        """Read the picture in a PNG or JPEG file; a photograph is turned upright as its camera noted."""
        media = PNG if data.startswith(_PNG_HEAD) else JPEG if data.startswith(_JPEG_HEAD) else ""
        picture = cls(data, media, box)
        picture.ensure_whole()
        turn = _turn(data) if media == JPEG else None
        if turn is None:
            return picture
        upright = io.BytesIO()
        picture.decoded().transpose(turn).save(upright, "JPEG", quality=_QUALITY)
        return cls(upright.getvalue(), media, box)

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its box, the centre of its turn."""
        left, top, width, height = self.box
        return left + width / 2, top + height / 2

    @property
    def corners(self) -> Floats:
        """Its corners (4, 2), clockwise from the upper left one before it is turned."""
        return corners_of(self.box, self.turn)

    @property
    def where(self) -> str:
        """The picture's name in a sentence, by its upper left corner."""
        left, top, *_ = self.box
        return tr("The picture at {left:g}, {top:g} mm", left=left, top=top)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of its pixels."""
        return self._head[:2]

    @property
    def is_grey(self) -> bool:
        """True if each pixel has a single grey value."""
        return self._head[2]

    @cached_property
    def _head(self) -> tuple[int, int, bool]:
        try:
            if self.media != PNG:
                columns, rows, is_grey = _jpeg_head(self.data)
            elif not self.data.startswith(_PNG_HEAD) or self.data[12:16] != b"IHDR":
                raise ValueError(tr("it is not a PNG file"))
            else:
                columns, rows, colour = struct.unpack_from(">IIxB", self.data, 16)
                is_grey = colour in (0, 4)
        except (IndexError, struct.error) as problem:
            raise StudioError(tr("{where} is truncated.", where=self.where)) from problem
        except ValueError as problem:
            raise StudioError(tr("{where} is damaged: {problem}.", where=self.where, problem=problem)) from problem
        if columns * rows == 0:
            raise StudioError(tr("{where} has no pixels.", where=self.where))
        return columns, rows, is_grey

    @property
    def packed_lines(self) -> bytes | None:
        """The compressed lines of pixels of a plain PNG; None for any other picture.

        A plain PNG has no palette, no transparency, and its lines in order.
        """
        if self.media != PNG or self.data[25] not in (0, 2) or self.data[28]:
            return None
        chunks = list(_chunks(self.data))
        if any(kind == b"tRNS" for kind, _ in chunks):
            return None
        return b"".join(body for kind, body in chunks if kind == b"IDAT")

    def pixels(self) -> tuple[bytes, bytes]:
        """Red, green and blue of every pixel, and the opacity of each, or nothing if all are opaque."""
        image = self.decoded()
        if image.mode.startswith("I"):
            return np.repeat((np.asarray(image) >> 8).astype(np.uint8), 3).tobytes(), b""
        if not image.has_transparency_data:
            return image.convert("RGB").tobytes(), b""
        whole = image.convert("RGBA")
        return whole.convert("RGB").tobytes(), whole.getchannel("A").tobytes()

    def lightness(self, step: float) -> Floats:
        """Lightness of every pixel (rows, columns), 1 for white and transparent; pixels finer than a step in mm are
        averaged. Raises StudioError if the picture is broken."""
        from PIL import Image

        columns, rows = self.size
        colours, opacity = self.pixels()
        image = Image.fromarray(np.frombuffer(colours, np.uint8).reshape(rows, columns, 3)).convert("L")
        if opacity:
            solid = Image.fromarray(np.frombuffer(opacity, np.uint8).reshape(rows, columns))
            image = Image.composite(image, Image.new("L", image.size, 255), solid)
        several = max(1, int(step / (self.box[2] / columns)))
        smaller = image.resize((max(1, round(columns / several)), max(1, round(rows / several))), Image.Resampling.BOX)
        return np.asarray(smaller, np.float64) / 255

    def ensure_whole(self) -> None:
        """Raise StudioError if the picture is broken; a whole picture is decoded only once."""
        _ = self._decodes

    @cached_property
    def _decodes(self) -> bool:
        self.decoded()
        return True

    def decoded(self) -> Image:
        """Decode the picture with pillow; raises StudioError if it is broken."""
        from PIL import Image

        try:
            # pillow warns of wrong camera metadata, which does not affect the pixels.
            with catch_warnings(action="ignore"):
                image = Image.open(io.BytesIO(self.data), formats=["PNG" if self.media == PNG else "JPEG"])
                image.load()
        except (OSError, SyntaxError, ValueError, IndexError, struct.error, Image.DecompressionBombError) as problem:
            raise StudioError(tr("{where} is damaged or truncated.", where=self.where)) from problem
        return image


def corners_of(box: tuple[float, float, float, float], turn: float) -> Floats:
    """Corners (4, 2) of a box turned clockwise about its middle, clockwise from the original upper left one."""
    left, top, width, height = box
    out = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]) * (width, height)
    return np.asarray(turned(out, turn) + np.array([left + width / 2, top + height / 2]))


def size_of(data: bytes, media: str) -> tuple[int, int]:
    """Columns and rows of an unplaced picture; raises StudioError, without a place, if it is invalid."""
    try:
        return Picture(data, media, (0.0, 0.0, 1.0, 1.0)).size
    except StudioError as problem:
        raise StudioError(str(problem).replace(" at 0, 0 mm", "")) from problem


def turned(points: Floats | tuple[float, float], degrees: float) -> Floats:
    """Turn points, or a single point, clockwise about the origin; quarter turns are exact."""
    cos, sin = _QUARTERS.get(degrees % 360, (np.cos(np.radians(degrees)), np.sin(np.radians(degrees))))
    return np.asarray(np.asarray(points) @ np.array([(cos, sin), (-sin, cos)]))


def pixels_in(data: bytes, most: int | None = None, progress: Progress = SILENT) -> Pixels:
    """Red, green, blue and opacity (rows, columns, 4) of a PNG, JPEG or GIF, turned upright; raises StudioError.

    A picture with more than `most` pixels along a side is reduced by a whole factor.
    """
    from PIL import Image, ImageOps

    if len(data) > MOST_BYTES:
        raise StudioError(tr("it is larger than {most} MB.", most=MOST_BYTES // 2**20))
    try:
        with catch_warnings(action="ignore"):
            image = Image.open(io.BytesIO(data), formats=["PNG", "JPEG", "GIF"])
            if image.width * image.height > MOST_PIXELS:
                words = tr(
                    "it has {columns} × {rows} pixels (maximum {most} megapixels).",
                    columns=image.width,
                    rows=image.height,
                    most=MOST_PIXELS // 10**6,
                )
                raise StudioError(words)
            progress.ahead(PIXEL_SECONDS * image.width * image.height)
            image.load()
            upright = ImageOps.exif_transpose(image)
    except (OSError, SyntaxError, ValueError, IndexError, struct.error, Image.DecompressionBombError) as problem:
        raise StudioError(tr("it is not a PNG, JPEG or GIF picture, or it is truncated.")) from problem
    if upright.mode.startswith("I"):
        grey = (np.asarray(upright) >> 8).astype(np.uint8)
        return np.dstack([grey, grey, grey, np.full_like(grey, 255)])
    # Reducing opaque pixels before their conversion gives the same result, faster.
    whole = upright if upright.mode in ("RGB", "L") else upright.convert("RGBA")
    if most is not None and max(whole.size) > most:
        whole = whole.reduce(ceil(max(whole.size) / most))
    return np.asarray(whole.convert("RGBA"))


def resized(grey: Pixels, columns: int, rows: int, box: tuple[float, float, float, float] | None = None) -> Pixels:
    """A picture in grey, or the part in a box (left, top, right, bottom) in pixels, averaged to (rows, columns)."""
    from PIL import Image

    return np.asarray(Image.fromarray(grey).resize((columns, rows), Image.Resampling.BILINEAR, box=box))


def png_of(pixels: Pixels) -> bytes:
    """Encode pixels (rows, columns, 4) as a PNG."""
    from PIL import Image

    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "PNG")
    return packed.getvalue()


def _turn(data: bytes) -> Transpose | None:
    """Transposition that turns a photograph upright by its camera's note; None if upright or without a valid note."""
    from PIL import Image

    turns = {
        2: Image.Transpose.FLIP_LEFT_RIGHT, 3: Image.Transpose.ROTATE_180, 4: Image.Transpose.FLIP_TOP_BOTTOM,
        5: Image.Transpose.TRANSPOSE, 6: Image.Transpose.ROTATE_270, 7: Image.Transpose.TRANSVERSE,
        8: Image.Transpose.ROTATE_90,
    }  # fmt: skip
    with catch_warnings(action="ignore"):
        return turns.get(Image.open(io.BytesIO(data)).getexif().get(_ORIENTATION, 1))


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """The chunks of a PNG, each with its kind."""
    at = 8
    while at + 8 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        yield kind, data[at + 8 : at + 8 + length]
        at += 12 + length


def _jpeg_head(data: bytes) -> tuple[int, int, bool]:
    """Columns, rows, and whether it is grey."""
    if not data.startswith(_JPEG_HEAD):
        raise ValueError(tr("it is not a JPEG file"))
    at = 2
    while data[at] == 0xFF:
        marker, length = struct.unpack_from(">xBH", data, at)
        if marker in _FRAMES:
            rows, columns, parts = struct.unpack_from(">xHHB", data, at + 4)
            if parts not in (1, 3):
                raise ValueError(tr("its colours are neither grey nor RGB"))
            return columns, rows, parts == 1
        at += 2 + length
    raise ValueError(tr("its encoding is not widely supported"))


# Colours

COLOURS = ("#E69F00", "#56B4E9", "#009E73", "#F0E442", "#0072B2", "#D55E00")
"""Six colours that colour-blind people can distinguish (Okabe and Ito 2008)."""
BRIGHT = 0.26
"""Luminance above which dark letters are easier to read than white ones."""


def mixed(colour: str, other: str, share: float) -> str:
    """Mix a share (0 to 1) of another colour into a colour."""
    pairs = zip(channels(colour), channels(other), strict=True)
    return "#" + "".join(f"{round(one + (two - one) * share):02X}" for one, two in pairs)


def is_bright(colour: str) -> bool:
    """True if dark letters are easier to read on the colour than white ones."""
    red, green, blue = (float((channel / 255) ** 2.2) for channel in channels(colour))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue > BRIGHT


def channels(colour: str) -> tuple[int, int, int]:
    """Red, green and blue, each from 0 to 255."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
