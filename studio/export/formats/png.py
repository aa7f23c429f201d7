"""Writes a drawing as a picture, PNG at a stated resolution, and looks whether every line is in it.

pillow draws the lines, tile by tile at four times the resolution; what it draws is made smaller and so smoothed, and
goes band by band into the file. The picture has a palette: the ground, and for each colour of the profile sixteen
steps from faint to full. So writing takes little memory however large the picture is, and reading it back one byte a
pixel. The format tells resolutions in whole pixels a metre: at 300 dpi a metre comes out 0.002 mm wrong.

coverage: how much of a pixel a line covers, from 0 to 1.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.colours import channels
from studio.errors import StudioError
from studio.export.format import Format, Unreadable
from studio.export.options import LaserOptions
from studio.export.profiles import profile
from studio.export.proof import SheetReport, prove
from studio.export.reading import FoundLine, Sheet
from studio.export.ready import ready
from studio.export.steps import ROUNDING
from studio.geometry.curves import Floats, Ints, Polylines, ranges
from studio.geometry.drawing import Drawing
from studio.parameters import choice, integer, number

Bytes = NDArray[np.uint8]

INCH = 25.4
LARGEST_SIDE = 20_000
LARGEST_COUNT = 200_000_000
# Each pixel is drawn as so many fine pixels by so many, which gives the square of it as shades.
_FINER = 4
_SHADES = _FINER**2
# A tile of so many pixels a side is drawn at once: 16 MB at four times the resolution.
_TILE = 1024
# How far the polylines that are drawn may stray from the curves, in pixels.
_FOLLOWED = 0.1
# The last part of every PNG file.
_END = b"\0\0\0\0IEND\xaeB`\x82"
# So many places along the lines are looked at, at most.
_MOST_PLACES = 1_000_000
# A line is seen at a place if a pixel there or beside it is covered by this much.
_SEEN = 0.4


@dataclass(frozen=True)
class PngOptions(LaserOptions):
    """What a maker chooses about a picture."""

    dpi: int = integer(300, title="Resolution", minimum=10, maximum=2400, unit="dpi",
        help="How many pixels an inch has; the file states it, so that the picture opens at true size.")  # fmt: skip
    ground: str = choice("white", {"white": "White", "transparent": "Transparent"}, title="Ground",
        help="What lies behind the lines.")  # fmt: skip
    line_width: float = number(0.2, title="Line width", minimum=0.01, maximum=5.0, step=0.05, unit="mm",
        help="How wide the lines of the picture are; never less than a pixel.")  # fmt: skip


def png(drawing: Drawing, options: PngOptions) -> bytes:
    """The drawing as PNG; raises StudioError where it has nothing to cut or the picture would be too large."""
    drawing = ready(drawing)
    width, height = _pixels(drawing, options)
    colours, colour_of = _coloured(drawing, options)
    file = io.BytesIO()
    file.write(b"\x89PNG\r\n\x1a\n")
    _put(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
    per_metre = round(1000 * options.dpi / INCH)
    _put(file, b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    _put_palette(file, colours, options)
    packer = zlib.compressobj(6)
    for band in _bands(drawing, colour_of, options, width, height):
        rows = np.zeros((len(band), width + 1), np.uint8)
        rows[:, 1:] = band
        _put(file, b"IDAT", packer.compress(rows.tobytes()))
    _put(file, b"IDAT", packer.flush())
    _put(file, b"IEND", b"")
    return file.getvalue()


def _coloured(drawing: Drawing, options: PngOptions) -> tuple[list[str], Ints]:
    """The colours of a picture in the order in which they are first used, and for every chain the place of its own."""
    known = profile(options.profile)
    each = [known.layer(chain.operation).colour for chain in drawing.chains]
    colours = list(dict.fromkeys(each))
    return colours, np.array([colours.index(colour) for colour in each])


def _pixels(drawing: Drawing, options: PngOptions) -> tuple[int, int]:
    """The width and height of the picture: enough pixels that no line is cut off."""
    sides = drawing.width, drawing.height
    width, height = (max(1, ceil(side * options.dpi / INCH - 1e-6)) for side in sides)
    if max(width, height) > LARGEST_SIDE or width * height > LARGEST_COUNT:
        least = min(LARGEST_SIDE / max(sides), (LARGEST_COUNT / (sides[0] * sides[1])) ** 0.5)
        would = int(least * INCH * 0.999)
        advice = f"{would} dpi would do" if would >= 10 else "no resolution would do"
        raise StudioError(
            f"A picture of {width} × {height} pixels is too large; it may have {LARGEST_SIDE} a side and "
            f"{LARGEST_COUNT // 1_000_000} million in all; {advice}."
        )
    return width, height


def _put(file: io.BytesIO, kind: bytes, data: bytes) -> None:
    file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def _put_palette(file: io.BytesIO, colours: list[str], options: PngOptions) -> None:
    """The ground and the shades: mixed with white, or, on a transparent ground, of one colour and ever less clear."""
    clear = options.ground == "transparent"
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


def _line_width(options: PngOptions) -> int:
    """How wide lines are drawn, in fine pixels: an odd number, so that they lie evenly about their middle."""
    return max(_FINER, round(_FINER * options.line_width * options.dpi / INCH)) // 2 * 2 + 1


def _bands(drawing: Drawing, colour_of: Ints, options: PngOptions, width: int, height: int) -> Iterator[Bytes]:
    """The picture from top to bottom, some rows at a time, as places in the palette."""
    # A stroke of two operations is drawn twice.
    codes = np.concatenate([chain.strokes for chain in drawing.chains]) >> 1
    owners = colour_of.repeat([len(chain.strokes) for chain in drawing.chains])
    used, colour_of = np.unique(np.stack([codes, owners], 1), axis=0).T
    curves = drawing.strokes.chosen(used).flattened(_FOLLOWED * INCH / options.dpi)
    # The fine pixel in which a point lies: whole numbers come out alike in all tiles.
    lines = Polylines(np.floor(curves.points * (_FINER * options.dpi / INCH)), curves.starts)
    thickness = _line_width(options)
    dotted = _dotted(lines, thickness)
    low = np.minimum.reduceat(lines.points, lines.starts[:-1]) - thickness
    high = np.maximum.reduceat(lines.points, lines.starts[:-1]) + thickness
    for top in range(0, height, _TILE):
        rows = min(_TILE, height - top)
        band = np.zeros((rows, width), np.uint8)
        inside = (low[:, 1] < _FINER * (top + rows)) & (high[:, 1] > _FINER * top)
        for left in range(0, width, _TILE):
            columns = min(_TILE, width - left)
            here = inside & (low[:, 0] < _FINER * (left + columns)) & (high[:, 0] > _FINER * left)
            tile = band[:, left : left + columns]
            for colour in np.unique(colour_of[here]).tolist():
                chosen = np.flatnonzero(here & (colour_of == colour))
                _lay(tile, _shaded(lines, dotted, chosen, (left, top), (columns, rows), thickness), colour)
        yield band


def _dotted(lines: Polylines, thickness: int) -> NDArray[np.bool_]:
    """At which points a line needs a dot to be whole: its ends, and where it turns so much that a slit would gape."""
    dotted = np.ones(len(lines.points), bool)
    ways = np.diff(lines.points, axis=0)
    angles = np.arctan2(ways[:, 1], ways[:, 0])
    turns = np.abs((np.diff(angles) + np.pi) % (2 * np.pi) - np.pi)
    inside = np.ones(len(lines.points), bool)
    inside[lines.starts[:-1]] = inside[lines.starts[1:] - 1] = False
    dotted[1:-1] = ~inside[1:-1] | (turns * thickness / 2 > 1)
    return dotted


def _shaded(
    lines: Polylines,
    dotted: NDArray[np.bool_],
    chosen: Ints,
    corner: tuple[int, int],
    size: tuple[int, int],
    thickness: int,
) -> Bytes:
    """How much the lines chosen cover of every pixel of a tile, in shades."""
    from PIL import Image, ImageDraw

    mask = Image.new("L", (size[0] * _FINER, size[1] * _FINER))
    pen = ImageDraw.Draw(mask)
    half = thickness // 2
    for line in chosen.tolist():
        points = lines[line] - (_FINER * corner[0], _FINER * corner[1])
        pen.line(points.ravel().tolist(), fill=255, width=thickness)
        for x, y in points[dotted[lines.starts[line] : lines.starts[line + 1]]].tolist():
            pen.ellipse((x - half, y - half, x + half, y + half), fill=255)
    return np.asarray(np.rint(np.arange(256) * (_SHADES / 255)).astype(np.uint8)[np.asarray(mask.reduce(_FINER))])


def _lay(tile: Bytes, shades: Bytes, colour: int) -> None:
    """Lay a colour on a tile, where it covers half of a pixel or no less than what is there."""
    row, column = np.divmod(np.flatnonzero(shades), shades.shape[1])
    fresh, before = shades[row, column], tile[row, column]
    # The ground is 0; the shades of the first colour are 1 to 16, those of the next follow.
    over = (before == 0) | (2 * fresh >= _SHADES) | (fresh > (before - 1) % _SHADES)
    tile[row[over], column[over]] = colour * _SHADES + fresh[over]


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture as pillow opens it: its image, still packed, and the resolution that it states, in dpi."""

    image: Any
    dpi: float

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self.image.size
        return int(width), int(height)


def read_png(data: bytes, _options: PngOptions) -> Picture:
    """The picture in a PNG file; raises Unreadable where it is broken or states no resolution."""
    from PIL import PngImagePlugin

    try:
        # Opened as what it must be, so that no limit meant for pictures of strangers stands in the way. The check of
        # all parts leaves an image that cannot be used, and passes over an end that is missing.
        PngImagePlugin.PngImageFile(io.BytesIO(data)).verify()
        if not data.endswith(_END):
            raise Unreadable("it is broken off")
        image = PngImagePlugin.PngImageFile(io.BytesIO(data))
        image.load()
    except (OSError, SyntaxError, ValueError, struct.error, zlib.error, EOFError) as problem:
        raise Unreadable(f"it is no PNG picture ({problem})") from problem
    across, down = image.info.get("dpi", (0.0, 0.0))
    if across <= 0 or across != down:
        raise Unreadable("it states no resolution")
    return Picture(image, float(across))


def prove_picture(picture: Picture, drawing: Drawing, options: PngOptions, rounding: float) -> SheetReport:
    """What the picture shows; raises Unreadable where a line of the drawing left no ink, or something else did.

    The lines that are drawn are held to what the lines of every file are held to.
    """
    lines = tuple(FoundLine(path.operation, path.points, path.closed, curved=True) for path in drawing.paths())
    report = prove(Sheet(drawing.width, drawing.height, lines), drawing, rounding)
    if abs(picture.dpi - options.dpi) > 0.02:
        raise Unreadable(f"it states {picture.dpi:g} dpi, not {options.dpi}")
    width, height = (INCH * side / picture.dpi for side in picture.pixels)
    # Resolutions are told in whole pixels a metre, and the last pixel may hold little of the drawing.
    slack = 0.5 / (1000 * options.dpi / INCH) * max(drawing.width, drawing.height) + 0.01
    beyond = (width - drawing.width, height - drawing.height)
    if min(beyond) < -slack or max(beyond) > INCH / options.dpi + slack:
        raise Unreadable(f"it is {width:g} × {height:g} mm, not {drawing.width:g} × {drawing.height:g} mm")
    places = _Places.of(drawing, options)
    seen, inked = _seen(picture, places)
    missed = np.flatnonzero(seen < _SEEN)
    if len(missed):
        x, y = places.points[missed[0]] * INCH / options.dpi
        raise Unreadable(f"its line {places.lines[missed[0]] + 1} is not seen at {x:.1f}, {y:.1f} mm")
    widest = _line_width(options) / _FINER + 2
    if inked > widest * (places.length + widest * places.strokes):
        raise Unreadable("it shows more than the lines of the drawing")
    return replace(report, width=width, height=height, pixels=picture.pixels)


@dataclass(frozen=True, eq=False)
class _Places:
    """Where ink must be: points (n, 2) in pixels along all lines, the line of each, and its place among the colours.

    `length` is that of all lines in pixels, `strokes` how many strokes they have.
    """

    points: Floats
    lines: Ints
    colours: Ints
    shown: list[str]
    length: float
    strokes: int

    @classmethod
    def of(cls, drawing: Drawing, options: PngOptions) -> _Places:
        """A place every pixel, fewer where that would be too many."""
        chains, dpi = drawing.chains, options.dpi
        shown, colour_of = _coloured(drawing, options)
        counts = np.array([len(chain.strokes) for chain in chains])
        strokes = np.concatenate([chain.strokes for chain in chains]) >> 1
        lines = drawing.strokes.chosen(strokes).flattened(_FOLLOWED * INCH / dpi)
        points = lines.points * (dpi / INCH)
        chords = np.flatnonzero(lines.owners[1:] == lines.owners[:-1])
        begin, way = points[chords], points[chords + 1] - points[chords]
        lengths = np.hypot(way[:, 0], way[:, 1])
        total = float(lengths.sum())
        needed = np.ceil(lengths / max(1.0, total / _MOST_PLACES)).astype(np.int64)
        at = ranges(np.zeros(len(needed), np.int64), needed)
        share = (at + 0.5) / np.repeat(needed, needed)
        chain_of = np.repeat(np.repeat(np.arange(len(chains)), counts)[lines.owners[chords]], needed)
        return cls(
            np.repeat(begin, needed, axis=0) + share[:, None] * np.repeat(way, needed, axis=0),
            chain_of,
            colour_of[chain_of],
            shown,
            total,
            len(strokes),
        )


def _seen(picture: Picture, places: _Places) -> tuple[Floats, int]:
    """How much of the best pixel at or beside each place is covered, and how many pixels of the picture have ink.

    A line may be hidden by one that is drawn later, so a later colour counts as well.
    """
    covered, inked = _shares(picture, places.shown)
    later = np.maximum.accumulate(covered[::-1])[::-1]
    width, height = picture.pixels
    column = np.clip(np.floor(places.points[:, 0]).astype(np.int64), 0, width - 1)
    row = np.clip(np.floor(places.points[:, 1]).astype(np.int64), 0, height - 1)
    seen = np.zeros(len(places.points))
    count = 0
    for top in range(0, height, _TILE):
        bottom = min(height, top + _TILE)
        above, below = max(0, top - 1), min(height, bottom + 1)
        band = np.asarray(picture.image.crop((0, above, width, below)))
        count += int(np.count_nonzero(inked[band[top - above : bottom - above]]))
        here = np.flatnonzero((row >= top) & (row < bottom))
        for down in (-1, 0, 1):
            for aside in (-1, 0, 1):
                y = np.clip(row[here] + down, above, below - 1) - above
                x = np.clip(column[here] + aside, 0, width - 1)
                seen[here] = np.maximum(seen[here], later[places.colours[here], band[y, x]])
    return seen, count


def _shares(picture: Picture, colours: list[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """For every colour and entry of the palette how much of that colour the entry is, and which entries are ink."""
    image = picture.image
    if image.mode != "P":
        raise Unreadable("it has no palette")
    palette = np.array(image.getpalette("RGB"), float).reshape(-1, 3)
    opacity = np.ones(len(palette))
    clear = image.info.get("transparency", b"")
    opacity[: len(clear)] = np.frombuffer(clear, np.uint8) / 255
    # What is seen on white paper, told by what it takes from white.
    taken = (255 - palette) * opacity[:, None]
    shares = np.zeros((len(colours), 256))
    for place, colour in enumerate(colours):
        full = 255.0 - np.array(channels(colour))
        share = taken @ full / max(1.0, float(full @ full))
        alike = np.abs(taken - share[:, None] * full).max(axis=1) <= 2
        shares[place, : len(palette)] = np.where(alike, share, 0)
    inked = np.zeros(256, bool)
    inked[: len(palette)] = taken.max(axis=1) > 0
    return shares, inked


PNG = Format(
    ".png",
    "PNG, a picture at true size",
    "a picture at a stated resolution, for machines that take pictures",
    PngOptions,
    ROUNDING,
    png,
    read_png,
    prove_picture,
    is_picture=True,
)
