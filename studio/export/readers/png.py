"""Reads PNG files back, and checks that every line is in the picture, on top of the artwork, and nothing else.

share: the part of a pixel that a line covers, from 0 to 1, by its colour.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.base.colours import channels
from studio.base.texts import tr
from studio.export.artwork_painter import Bytes, Canvas, bands, farthest, ink, painted, rows_at_once, unpacked
from studio.export.format import Unreadable
from studio.export.options import PngOptions
from studio.export.profiles import profile
from studio.export.proof import SheetReport, prove_lines
from studio.export.readers.line_comparison import Naming
from studio.export.readers.reading import FoundLayer, FoundLine
from studio.geometry.curves.strokes import Floats, Ints, ranges
from studio.geometry.planar.drawing import Drawing

_INCH = 25.4
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
_NO_LAYER = FoundLayer("")
# Difference up to which a line is invisible on the artwork below it.
_HIDDEN = 12


@dataclass(frozen=True, eq=False)
class Picture:
    """A picture opened by pillow: its image, still packed, and its stated resolution in dpi."""

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
            raise Unreadable(tr("it is truncated"))
        image = PngImagePlugin.PngImageFile(io.BytesIO(data))
        image.load()
    except (OSError, SyntaxError, ValueError, struct.error, zlib.error, EOFError) as problem:
        raise Unreadable(tr("it is not a PNG picture ({problem})", problem=problem)) from problem
    across, down = image.info.get("dpi", (0.0, 0.0))
    if across <= 0 or across != down:
        raise Unreadable(tr("it has no resolution"))
    return Picture(image, float(across))


def prove_picture(picture: Picture, drawing: Drawing, options: PngOptions, rounding: float) -> SheetReport:
    """Report on a picture; raises Unreadable if a line of the drawing left no ink, or something else did.

    The lines of the drawing pass the same proof as the lines of every file.
    """
    lines = [FoundLine(_NO_LAYER, path.points, path.closed, curved=True) for path in drawing.paths()]
    report = prove_lines(lines, drawing, rounding)
    if abs(picture.dpi - options.dpi) > 0.02:
        raise Unreadable(tr("its resolution is {dpi:g} dpi, not {wanted}", dpi=picture.dpi, wanted=options.dpi))
    width, height = (_INCH * side / picture.dpi for side in picture.pixels)
    # Resolutions are stored in whole pixels per metre, and the last pixel may hold little of the drawing.
    slack = 0.5 / (1000 * options.dpi / _INCH) * max(drawing.width, drawing.height) + 0.01
    beyond = (width - drawing.width, height - drawing.height)
    if min(beyond) < -slack or max(beyond) > _INCH / options.dpi + slack:
        raise Unreadable(
            tr(
                "it is {width:g} × {height:g} mm, not {wanted_width:g} × {wanted_height:g} mm",
                width=width,
                height=height,
                wanted_width=drawing.width,
                wanted_height=drawing.height,
            )
        )
    places, names = _Places.from_drawing(drawing, options), Naming(drawing)
    looked = _looked_artwork if drawing.artwork else _looked_palette
    seen, inked = _seen(looked(picture, places, drawing, options), places, picture.pixels)
    missed = np.flatnonzero(seen < _SEEN)
    if len(missed):
        place = places.points[missed[0]] * _INCH / options.dpi
        raise Unreadable(names.told(int(places.lines[missed[0]]), place, tr("is not visible")))
    widest = places.thickness + 2
    if inked > widest * (places.length + widest * places.strokes):
        raise Unreadable(tr("it shows more than the lines of the drawing"))
    return replace(report, width=width, height=height, pixels=picture.pixels)


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
        lines = drawing.strokes.chosen(strokes).flattened(_FOLLOWED * _INCH / dpi)
        points = lines.points * (dpi / _INCH)
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
            max(1.0, options.line_width * dpi / _INCH),
        )


@dataclass(frozen=True, eq=False)
class _Looked:
    """Rows of a picture with those around them, from `top` on; `inked` counts the pixels of `rows` with ink.

    `shares` takes rows of pixels, counted from `top`, columns and colours, and returns the share of each pixel that its
    colour covers. A line may be hidden by one that is drawn later, so a later colour counts as well.
    """

    rows: range
    top: int
    inked: int
    shares: Callable[[Ints, Ints, Ints], Floats]


def _seen(looked: Iterator[_Looked], places: _Places, pixels: tuple[int, int]) -> tuple[Floats, int]:
    """Return the best share at or beside each place, and the number of pixels of the picture with ink."""
    width, height = pixels
    column = np.clip(np.floor(places.points[:, 0]).astype(np.int64), 0, width - 1)
    row = np.clip(np.floor(places.points[:, 1]).astype(np.int64), 0, height - 1)
    order = np.argsort(row, kind="stable")
    seen, inked = np.zeros(len(order)), 0
    for part in looked:
        inked += part.inked
        first, last = np.searchsorted(row[order], [part.rows.start, part.rows.stop]).tolist()
        here = order[first:last]
        for down, aside in sorted(np.ndindex(3, 3), key=lambda way: way != (1, 1)):
            y = np.clip(row[here] + down - 1, 0, height - 1) - part.top
            x = np.clip(column[here] + aside - 1, 0, width - 1)
            seen[here] = np.maximum(seen[here], part.shares(y, x, places.colours[here]))
            here = here[seen[here] < _SEEN]
    return seen, inked


def _looked_palette(picture: Picture, places: _Places, _drawing: Drawing, options: PngOptions) -> Iterator[_Looked]:
    """Look at a picture without artwork, whose palette gives the shares; raises Unreadable for ink off the lines."""
    covered, inked = _shares(picture, places.shown)
    later = np.maximum.accumulate(covered[::-1])[::-1]
    near, (width, height) = _Near.from_places(places), picture.pixels
    for rows in bands(height, rows_at_once(width)):
        top, shown = _beside(picture, rows)
        has_ink = inked[shown[rows.start - top : rows.stop - top]]
        stray = np.argwhere(has_ink & ~near.at(rows, width))
        if len(stray):
            y, x = (stray[0] + (rows.start + 0.5, 0.5)) * _INCH / options.dpi
            raise Unreadable(tr("there is ink near x {x:.1f}, y {y:.1f} mm, where no line is", x=x, y=y))
        count = int(np.count_nonzero(has_ink))
        yield _Looked(rows, top, count, _Entries(shown, later).shares)


def _looked_artwork(picture: Picture, places: _Places, drawing: Drawing, options: PngOptions) -> Iterator[_Looked]:
    """Look at a picture with artwork; raises Unreadable if it differs from the artwork far from every line."""
    (width, height), is_clear = picture.pixels, options.ground == "transparent"
    ground = (0, 0, 0, 0) if is_clear else (255, 255, 255, 255)
    if picture.image.mode != ("RGB" if ground[3] else "RGBA"):
        raise Unreadable(tr("its pixels are not stored as colours"))
    inks = np.stack([ink(colour) for colour in places.shown])
    near = _Near.from_places(places)
    looked = bands(height, rows_at_once(width))
    around = [range(max(0, rows.start - 1), min(height, rows.stop + 1)) for rows in looked]
    canvases = painted(drawing.artwork, options.dpi / _INCH, width, ground, around)
    for rows, wider, canvas in zip(looked, around, canvases, strict=True):
        top, shown = _beside(picture, rows)
        pixels = unpacked(shown)
        differs = farthest(pixels, canvas) > _ALIKE
        wrong = np.argwhere(differs & ~near.at(wider, width))
        if len(wrong):
            y, x = (wrong[0] + (top + 0.5, 0.5)) * _INCH / options.dpi
            raise Unreadable(tr("it does not show the artwork near x {x:.1f}, y {y:.1f} mm", x=x, y=y))
        count = int(np.count_nonzero(differs[rows.start - top : rows.stop - top]))
        yield _Looked(rows, top, count, _Over(pixels, canvas, inks).shares)


def _beside(picture: Picture, rows: range) -> tuple[int, Bytes]:
    """Return the number of the first row read, and rows of a picture with the one above and the one below."""
    width, height = picture.pixels
    top = max(0, rows.start - 1)
    return top, np.asarray(picture.image.crop((0, top, width, min(height, rows.stop + 1))))


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
    """Places (n, 2) in pixels from top to bottom that ink of lines may touch, and their reach."""

    places: Floats
    reach: float

    @classmethod
    def from_places(cls, places: _Places) -> _Near:
        """Collect all places that lines of the chosen thickness may touch."""
        points = np.concatenate([places.points, places.corners])
        reach = places.thickness / 2 + _BEYOND
        apart = max(1.0, places.length / _MOST_PLACES)
        return cls(points[np.argsort(points[:, 1], kind="stable")], float(np.hypot(reach, apart / 2)))

    def at(self, rows: range, width: int) -> NDArray[np.bool_]:
        """True for every pixel of some rows whose middle is near a line."""
        first, last = np.searchsorted(self.places[:, 1], (rows.start - self.reach, rows.stop + self.reach))
        x, y = self.places[first:last].T - 0.5
        wide, most = width + 1, int(self.reach) + 1
        gained = np.zeros(len(rows) * wide)
        for down in range(-most, most + 1):
            row = np.rint(y).astype(np.int64) + down
            half = np.sqrt(np.maximum(self.reach**2 - (row - y) ** 2, 0.0))
            here = (np.abs(row - y) < self.reach) & (row >= rows.start) & (row < rows.stop)
            base = (row[here] - rows.start) * wide
            begin = np.clip(np.ceil(x[here] - half[here]), 0, width).astype(np.int64)
            end = np.clip(np.floor(x[here] + half[here]) + 1, begin, width).astype(np.int64)
            gained += np.bincount(base + begin, minlength=len(gained)) - np.bincount(base + end, minlength=len(gained))
        return np.asarray(gained.reshape(len(rows), wide).cumsum(axis=1)[:, :width] > 0)


def _shares(picture: Picture, colours: list[str]) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the share (colours, entries) of each colour in each entry of the palette, and which entries are ink."""
    image = picture.image
    if image.mode != "P":
        raise Unreadable(tr("it has no palette"))
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
