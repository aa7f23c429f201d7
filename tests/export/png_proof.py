"""Reads written PNG files back, and checks that every line is in the picture, on top of the artwork, and nothing else.

share: the part of a pixel that a line covers, from 0 to 1, by its colour.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.exporting.colour_profiles import profile
from studio.exporting.options import PngOptions, Unreadable
from studio.exporting.proof import SheetReport, report_picture
from studio.exporting.readers.found_lines import Naming
from studio.exporting.writers.png import Bytes, painted
from studio.geometry.art.artwork import channels
from studio.geometry.curves.strokes import Floats, Ints, ranges
from studio.geometry.planar.drawing import Drawing

INCH = 25.4

Canvas = NDArray[np.float32]

# Tolerance in pixels of the polylines along which lines are looked for.
_FOLLOWED = 0.1
# Pixels by which the middle of a pixel with ink may lie outside a line: half its diagonal, and a quarter for rounded
# points and widths.
_BEYOND = 0.5**0.5 + 0.3
# The last part of every PNG file.
_END = b"\0\0\0\0IEND\xaeB`\x82"
# Limit for the places checked along the lines.
_MOST_PLACES = 1_000_000
# Share of a pixel at or beside a place from which a line is seen there.
_SEEN = 0.4
# Tolerance of the numbers of a colour, from 0 to 255, all of which were rounded.
_ALIKE = 3
# Difference up to which a line is invisible on the artwork below it.
_HIDDEN = 12


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture opened by pillow: its bytes, its image, and its stated resolution in dpi."""

    data: bytes
    image: Any
    dpi: float

    @property
    def pixels(self) -> tuple[int, int]:
        """Width and height in pixels."""
        width, height = self.image.size
        return int(width), int(height)


def read_png(data: bytes, _options: PngOptions) -> Picture:
    """Read the picture in a PNG file; raises Unreadable if it is broken or states no resolution."""
    from PIL import PngImagePlugin

    try:
        # Opened as PNG, so that no limit meant for foreign pictures stands in the way. `verify` leaves an unusable
        # image, and ignores a missing end.
        PngImagePlugin.PngImageFile(io.BytesIO(data)).verify()
        if not data.endswith(_END):
            raise Unreadable("it is truncated")
        image = PngImagePlugin.PngImageFile(io.BytesIO(data))
        image.load()
    except (OSError, SyntaxError, ValueError, struct.error, zlib.error, EOFError) as problem:
        raise Unreadable(f"it is not a PNG picture ({problem})") from problem
    across, down = image.info.get("dpi", (0.0, 0.0))
    if across <= 0 or across != down:
        raise Unreadable("it has no resolution")
    return Picture(data, image, float(across))


def prove_picture(picture: Picture, drawing: Drawing, options: PngOptions, rounding: float) -> SheetReport:
    """Report on a picture; raises Unreadable if a line of the drawing left no ink, or something else did."""
    report = report_picture(picture.data, drawing, options, rounding)
    if abs(picture.dpi - options.dpi) > 0.02:
        raise Unreadable(f"its resolution is {picture.dpi:g} dpi, not {options.dpi}")
    width, height = (INCH * side / picture.dpi for side in picture.pixels)
    # Resolutions are stored in whole pixels per metre, and the last pixel may hold little of the drawing.
    slack = 0.5 / (1000 * options.dpi / INCH) * max(drawing.width, drawing.height) + 0.01
    beyond = (width - drawing.width, height - drawing.height)
    if min(beyond) < -slack or max(beyond) > INCH / options.dpi + slack:
        raise Unreadable(f"it is {width:g} × {height:g} mm, not {drawing.width:g} × {drawing.height:g} mm")
    places, names = _Places.from_drawing(drawing, options), Naming(drawing)
    shares, inked = (_looked_artwork if drawing.artwork else _looked_palette)(picture, places, drawing, options)
    seen = _seen(shares, places, picture.pixels)
    missed = np.flatnonzero(seen < _SEEN)
    if len(missed):
        place = places.points[missed[0]] * INCH / options.dpi
        raise Unreadable(names.told(int(places.lines[missed[0]]), place, "is not visible"))
    widest = places.thickness + 2
    if inked > widest * (places.length + widest * places.strokes):
        raise Unreadable("it shows more than the lines of the drawing")
    assert report.pixels == picture.pixels
    assert [report.width, report.height] == pytest.approx([width, height])
    return report


@dataclass(frozen=True, eq=False)
class _Places:
    """Points (n, 2) in pixels along all lines that must show ink, the line and the colour number of each.

    `length` is that of all lines in pixels, `strokes` their number; `corners` are the vertices of the polylines, and
    `thickness` is the line width in pixels.
    """

    points: Floats
    lines: Ints
    colours: Ints
    shown: list[str]
    length: float
    strokes: int
    corners: Floats
    thickness: float

    @classmethod
    def from_drawing(cls, drawing: Drawing, options: PngOptions) -> _Places:
        """Place a point every pixel, fewer if that would exceed the limit."""
        chains, dpi = drawing.chains, options.dpi
        layers = {layer.operation: layer.colour for layer in profile(options.profile).every}
        each = [layers[chain.operation] for chain in chains]
        shown = list(dict.fromkeys(each))
        colour_of = np.array([shown.index(colour) for colour in each])
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
            points,
            max(1.0, options.line_width * dpi / INCH),
        )


Shares = Callable[[Ints, Ints, Ints], Floats]
"""Takes rows of pixels, columns and colours; returns the share of each pixel that its colour or a later one covers.

A line may be hidden by one that is drawn later, so a later colour counts as well."""


def _seen(shares: Shares, places: _Places, pixels: tuple[int, int]) -> Floats:
    """Return the best share at or beside each place."""
    width, height = pixels
    column, row = np.clip(np.floor(places.points), 0, (width - 1, height - 1)).astype(np.int64).T
    seen, here = np.zeros(len(row)), np.arange(len(row))
    for down, aside in sorted(np.ndindex(3, 3), key=lambda way: way != (1, 1)):
        y, x = np.clip(row[here] + down - 1, 0, height - 1), np.clip(column[here] + aside - 1, 0, width - 1)
        seen[here] = np.maximum(seen[here], shares(y, x, places.colours[here]))
        here = here[seen[here] < _SEEN]
    return seen


def _looked_palette(picture: Picture, places: _Places, _drawing: Drawing, options: PngOptions) -> tuple[Shares, int]:
    """Look at a picture without artwork, whose palette gives the shares; raises Unreadable for ink off the lines."""
    covered, inked = _shares(picture, places.shown)
    entries = np.asarray(picture.image)
    _refuse_far(inked[entries], places, options, "there is ink near x {x:.1f}, y {y:.1f} mm, where no line is")
    later = np.maximum.accumulate(covered[::-1])[::-1]
    return _Entries(entries, later).shares, int(np.count_nonzero(inked[entries]))


def _looked_artwork(picture: Picture, places: _Places, drawing: Drawing, options: PngOptions) -> tuple[Shares, int]:
    """Look at a picture with artwork; raises Unreadable if it differs from the artwork far from every line."""
    is_clear = options.ground == "transparent"
    if picture.image.mode != ("RGBA" if is_clear else "RGB"):
        raise Unreadable("its pixels are not stored as colours")
    bands = painted(drawing.artwork, options.dpi, picture.pixels, "#00000000" if is_clear else "#ffffff")
    canvas, pixels = _canvas(np.concatenate(list(bands))), _canvas(np.asarray(picture.image))
    differs = np.abs(pixels - canvas).max(axis=2) > _ALIKE
    _refuse_far(differs, places, options, "it does not show the artwork near x {x:.1f}, y {y:.1f} mm")
    inks = np.array([(*channels(colour), 255) for colour in places.shown], np.float32)
    return _Over(pixels, canvas, inks).shares, int(np.count_nonzero(differs))


def _refuse_far(pixels: NDArray[np.bool_], places: _Places, options: PngOptions, words: str) -> None:
    """Raise Unreadable for the first of some pixels that no line may touch."""
    wrong = np.argwhere(pixels & ~_Near.from_places(places).at(*pixels.shape))
    if len(wrong):
        y, x = (wrong[0] + 0.5) * INCH / options.dpi
        raise Unreadable(words.format(x=x, y=y))


def _canvas(pixels: Bytes) -> Canvas:
    """Return pixels, RGB or RGBA, as red, green and blue premultiplied by the opacity, and the opacity."""
    canvas = np.full((*pixels.shape[:2], 4), 255, np.float32)
    canvas[..., : pixels.shape[2]] = pixels
    canvas[..., :3] *= canvas[..., 3:] / 255
    return canvas


@dataclass(frozen=True, eq=False)
class _Entries:
    """Pixels as entries of a palette; for each colour and entry the share of that colour or a later one."""

    pixels: Bytes
    covered: Floats

    def shares(self, rows: Ints, columns: Ints, colours: Ints) -> Floats:
        """Return the share of each pixel that its colour or a later one covers."""
        return self.covered[colours, self.pixels[rows, columns]]


@dataclass(frozen=True, eq=False)
class _Over:
    """Pixels of a picture, the artwork that is below its lines, and the colours (n, 4) of lines."""

    pixels: Canvas
    artwork: Canvas
    inks: Canvas

    def shares(self, rows: Ints, columns: Ints, colours: Ints) -> Floats:
        """Return the share of each pixel that its colour or a later one covers; 1 if that is unknown."""
        below = self.artwork[rows, columns]
        added = self.pixels[rows, columns] - below
        best = np.zeros(len(rows))
        for number, colour in enumerate(self.inks):
            full = colour - below
            share = (added * full).sum(axis=1) / np.maximum(1, (full * full).sum(axis=1))
            alike = np.abs(added - share[:, None] * full).max(axis=1) <= _ALIKE
            hidden = np.maximum(np.abs(full), np.abs(added)).max(axis=1) <= _HIDDEN
            found = np.where(hidden, 1.0, np.where(alike, share, 0.0))
            best = np.where(colours <= number, np.maximum(best, found), best)
        return best


@dataclass(frozen=True, eq=False)
class _Near:
    """Places (n, 2) in pixels that ink of lines may touch, and their reach."""

    places: Floats
    reach: float

    @classmethod
    def from_places(cls, places: _Places) -> _Near:
        """Collect all places that lines of the chosen thickness may touch."""
        points = np.concatenate([places.points, places.corners])
        reach = places.thickness / 2 + _BEYOND
        apart = max(1.0, places.length / _MOST_PLACES)
        return cls(points, float(np.hypot(reach, apart / 2)))

    def at(self, height: int, width: int) -> NDArray[np.bool_]:
        """True for every pixel whose middle is near a line."""
        x, y = self.places.T - 0.5
        wide, most = width + 1, int(self.reach) + 1
        gained = np.zeros(height * wide)
        for down in range(-most, most + 1):
            row = np.rint(y).astype(np.int64) + down
            half = np.sqrt(np.maximum(self.reach**2 - (row - y) ** 2, 0.0))
            here = (np.abs(row - y) < self.reach) & (row >= 0) & (row < height)
            begin = np.clip(np.ceil(x[here] - half[here]), 0, width).astype(np.int64)
            end = np.clip(np.floor(x[here] + half[here]) + 1, begin, width).astype(np.int64)
            for at, step in ((begin, 1), (end, -1)):
                gained += step * np.bincount(row[here] * wide + at, minlength=len(gained))
        return np.asarray(gained.reshape(height, wide).cumsum(axis=1)[:, :width] > 0)


def _shares(picture: Picture, colours: list[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the share (colours, entries) of each colour in each entry of the palette, and which entries are ink."""
    image = picture.image
    if image.mode != "P":
        raise Unreadable("it has no palette")
    palette = np.array(image.getpalette("RGB"), float).reshape(-1, 3)
    opacity = np.ones(len(palette))
    clear = image.info.get("transparency", b"")
    opacity[: len(clear)] = np.frombuffer(clear, np.uint8) / 255
    # The look on white paper, as subtracted from white.
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
