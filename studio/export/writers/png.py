"""Writes a drawing as a picture, PNG at a stated resolution, its lines on top of its artwork.

pillow draws the lines, tile by tile at four times the resolution; reducing the tiles smooths them, and they go into
the file band by band. Without artwork the picture has a palette: the ground, and for each colour of the
profile sixteen steps from faint to full. So writing takes little memory however large the picture is, and reading it
back one byte a pixel. Over artwork the same steps are blended. The format states resolutions in whole pixels a metre:
at 300 dpi a metre comes out 0.002 mm wrong.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from math import ceil

import numpy as np
from numpy.typing import NDArray

from studio.base.colours import channels
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.artwork_painter import INCH, TILE, Bytes, bands, ink, mixed, packed, painted, rows_at_once
from studio.export.options import PngOptions
from studio.export.profiles import profile
from studio.export.writers.machine_ready import ready
from studio.geometry.curves.strokes import Ints, Polylines
from studio.geometry.planar.drawing import Drawing

LARGEST_SIDE = 20_000
LARGEST_COUNT = 200_000_000
FINER = 4
"""Fine pixels a side of each pixel; their number in a pixel is the number of shades."""
FOLLOWED = 0.1
"""Tolerance in pixels of the polylines drawn for curves."""
_SHADES = FINER**2
# PNG colour types.
_PALETTE, _COLOURS, _COLOURS_AND_OPACITY = 3, 2, 6
# The filter of a row: every byte is the difference from the previous pixel's.
_FROM_BEFORE = 1
# Levels of zlib: over artwork a higher one takes twice as long and gains nothing.
_THOROUGH, _THOROUGH_OVER_ARTWORK = 6, 4


def png(drawing: Drawing, options: PngOptions) -> bytes:
    """Write the drawing as PNG; raises StudioError for an empty drawing, or for a broken or too large picture."""
    drawing = ready(drawing)
    width, height = _pixels(drawing, options)
    colours, _ = _coloured(drawing, options)
    file = io.BytesIO()
    file.write(b"\x89PNG\r\n\x1a\n")
    _put(file, b"IHDR", struct.pack(">IIBBBBB", width, height, 8, _meaning(drawing, options), 0, 0, 0))
    per_metre = round(1000 * options.dpi / INCH)
    _put(file, b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    if not drawing.artwork:
        _put_palette(file, colours, options)
    packer = zlib.compressobj(_THOROUGH_OVER_ARTWORK if drawing.artwork else _THOROUGH)
    for rows in _rows(drawing, options, width, height):
        _put(file, b"IDAT", packer.compress(rows.tobytes()))
    _put(file, b"IDAT", packer.flush())
    _put(file, b"IEND", b"")
    return file.getvalue()


def _meaning(drawing: Drawing, options: PngOptions) -> int:
    if not drawing.artwork:
        return _PALETTE
    return _COLOURS if _ground_of(options)[3] else _COLOURS_AND_OPACITY


def _rows(drawing: Drawing, options: PngOptions, width: int, height: int) -> Iterator[Bytes]:
    """Yield the rows of the picture as in the file, each after the number of its filter."""
    if drawing.artwork:
        yield from _rows_over_artwork(drawing, options, width, height)
        return
    for band in _shades(drawing, options, width, bands(height, TILE)):
        rows = np.zeros((len(band), width + 1), np.uint8)
        rows[:, 1:] = band
        yield rows


def _rows_over_artwork(drawing: Drawing, options: PngOptions, width: int, height: int) -> Iterator[Bytes]:
    at_once, ground = bands(height, rows_at_once(width)), _ground_of(options)
    colours, _ = _coloured(drawing, options)
    inks = np.concatenate([np.zeros((1, 4), np.float32), *(np.tile(ink(colour), (_SHADES, 1)) for colour in colours)])
    shares = np.concatenate([[0], np.tile(np.arange(1, _SHADES + 1) / _SHADES, len(colours))]).astype(np.float32)
    canvases = painted(drawing.artwork, options.dpi / INCH, width, ground, at_once)
    for canvas, lines in zip(canvases, _shades(drawing, options, width, at_once), strict=True):
        inked = np.nonzero(lines)
        canvas[inked] = mixed(canvas[inked], inks[lines[inked]], shares[lines[inked]])
        pixels = packed(canvas, ground)
        rows = np.full((len(pixels), width + 1, pixels.shape[2]), _FROM_BEFORE, np.uint8)
        rows[:, 1] = pixels[:, 0]
        rows[:, 2:] = pixels[:, 1:] - pixels[:, :-1]
        yield rows.reshape(len(rows), -1)[:, pixels.shape[2] - 1 :]


def _pixels(drawing: Drawing, options: PngOptions) -> tuple[int, int]:
    """Return the width and height of the picture: enough pixels that no line is cut off."""
    sides = drawing.width, drawing.height
    width, height = (max(1, ceil(side * options.dpi / INCH - 1e-6)) for side in sides)
    if max(width, height) > LARGEST_SIDE or width * height > LARGEST_COUNT:
        least = min(LARGEST_SIDE / max(sides), (LARGEST_COUNT / (sides[0] * sides[1])) ** 0.5)
        would = int(least * INCH * 0.999)
        too_large = tr(
            "A picture of {width} × {height} pixels is too large (maximum {side} per side, "
            "{millions} million in total).",
            width=width,
            height=height,
            side=LARGEST_SIDE,
            millions=LARGEST_COUNT // 1000000,
        )
        advice = tr("{dpi} dpi would fit.", dpi=would) if would >= 10 else tr("No resolution fits.")
        raise StudioError(f"{too_large} {advice}")
    return width, height


def _put(file: io.BytesIO, kind: bytes, data: bytes) -> None:
    file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


def _put_palette(file: io.BytesIO, colours: list[str], options: PngOptions) -> None:
    """Write background and shades: mixed with white, or, on a transparent background, of rising opacity."""
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


def _shades(drawing: Drawing, options: PngOptions, width: int, at_once: list[range]) -> Iterator[Bytes]:
    """Yield the lines from top to bottom, some rows at a time, as indices into the palette."""
    _, colour_of = _coloured(drawing, options)
    # A stroke of two operations is drawn twice.
    codes = np.concatenate([chain.strokes for chain in drawing.chains]) >> 1
    owners = colour_of.repeat([len(chain.strokes) for chain in drawing.chains])
    used, colour_of = np.unique(np.stack([codes, owners], 1), axis=0).T
    curves = drawing.strokes.chosen(used).flattened(FOLLOWED * INCH / options.dpi)
    # Whole fine pixels, so that points are alike in all tiles.
    lines = Polylines(np.floor(curves.points * (FINER * options.dpi / INCH)), curves.starts)
    thickness = _line_width(options)
    dotted = _dotted(lines, thickness)
    low = np.minimum.reduceat(lines.points, lines.starts[:-1]) - thickness
    high = np.maximum.reduceat(lines.points, lines.starts[:-1]) + thickness
    for top, rows in ((band.start, len(band)) for band in at_once):
        band = np.zeros((rows, width), np.uint8)
        inside = (low[:, 1] < FINER * (top + rows)) & (high[:, 1] > FINER * top)
        for left in range(0, width, TILE):
            columns = min(TILE, width - left)
            here = inside & (low[:, 0] < FINER * (left + columns)) & (high[:, 0] > FINER * left)
            tile = band[:, left : left + columns]
            for colour in np.unique(colour_of[here]).tolist():
                chosen = np.flatnonzero(here & (colour_of == colour))
                _lay(tile, _shaded(lines, dotted, chosen, (left, top), (columns, rows), thickness), colour)
        yield band


def _dotted(lines: Polylines, thickness: int) -> NDArray[np.bool_]:
    """True for points where a line needs a dot to be whole: its ends, and turns so sharp that a slit would gape."""
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
    """Return the cover of every pixel of a tile by the chosen lines, in shades."""
    from PIL import Image, ImageDraw

    mask = Image.new("L", (size[0] * FINER, size[1] * FINER))
    pen = ImageDraw.Draw(mask)
    half = thickness // 2
    for line in chosen.tolist():
        points = lines[line] - (FINER * corner[0], FINER * corner[1])
        pen.line(points.ravel().tolist(), fill=255, width=thickness)
        for x, y in points[dotted[lines.starts[line] : lines.starts[line + 1]]].tolist():
            pen.ellipse((x - half, y - half, x + half, y + half), fill=255)
    return np.asarray(np.rint(np.arange(256) * (_SHADES / 255)).astype(np.uint8)[np.asarray(mask.reduce(FINER))])


def _lay(tile: Bytes, shades: Bytes, colour: int) -> None:
    """Paint a colour on a tile, on pixels that it covers by half or at least as much as the colour there."""
    row, column = np.divmod(np.flatnonzero(shades), shades.shape[1])
    fresh, before = shades[row, column], tile[row, column]
    # The background is 0, the shades of the first colour are 1 to 16, and the next colours follow.
    over = (before == 0) | (2 * fresh >= _SHADES) | (fresh > (before - 1) % _SHADES)
    tile[row[over], column[over]] = colour * _SHADES + fresh[over]


def _ground_of(options: PngOptions) -> tuple[int, int, int, int]:
    """Return the background as red, green, blue and opacity."""
    return (0, 0, 0, 0) if options.ground == "transparent" else (255, 255, 255, 255)


def _coloured(drawing: Drawing, options: PngOptions) -> tuple[list[str], Ints]:
    """Return the colours of a picture in the order of first use, and the index of every chain's colour."""
    known = profile(options.profile)
    each = [known.layer(chain.operation).colour for chain in drawing.chains]
    colours = list(dict.fromkeys(each))
    return colours, np.array([colours.index(colour) for colour in each])


def _line_width(options: PngOptions) -> int:
    """Return the width of lines in fine pixels: an odd number, so that they are centred."""
    return max(FINER, round(FINER * options.line_width * options.dpi / INCH)) // 2 * 2 + 1
