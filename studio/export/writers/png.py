"""Writes a drawing as a picture, PNG at a stated resolution, its lines on top of its artwork.

Without artwork the picture has a palette: the ground, and for each colour of the profile sixteen steps from faint to
full, which makes the file small. The rows go into the file band by band, so writing takes little memory however large
the picture is. The format states resolutions in whole pixels a metre: at 300 dpi a metre comes out 0.002 mm wrong.
"""

from __future__ import annotations

import io
import struct
import zlib
from math import ceil

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.export.colour_profiles import profile
from studio.export.options import PngOptions
from studio.export.writers.artwork_painter import INCH, Bytes, Paths, painted
from studio.export.writers.path_segments import ready
from studio.export.writers.svg import path_data
from studio.geometry.art.artwork import channels
from studio.geometry.planar.drawing import Drawing

LARGEST_SIDE = 20_000
LARGEST_COUNT = 200_000_000
_SHADES = 16
# PNG colour types.
_PALETTE, _COLOURS, _COLOURS_AND_OPACITY = 3, 2, 6
# The filter of a row: every byte is the difference from the previous pixel's.
_FROM_BEFORE = 1
# Levels of zlib: over artwork a higher one takes twice as long and gains nothing.
_THOROUGH, _THOROUGH_OVER_ARTWORK = 6, 4


def png(drawing: Drawing, options: PngOptions) -> bytes:
    """Write the drawing as PNG; raises StudioError for an empty drawing, or for a broken or too large picture."""
    drawing = ready(drawing)
    size, clear = _pixels(drawing, options), options.ground == "transparent"
    lines = _lines(drawing, options)
    kind = (_COLOURS_AND_OPACITY if clear else _COLOURS) if drawing.artwork else _PALETTE
    file = io.BytesIO()
    file.write(b"\x89PNG\r\n\x1a\n")
    _put(file, b"IHDR", struct.pack(">IIBBBBB", *size, 8, kind, 0, 0, 0))
    per_metre = round(1000 * options.dpi / INCH)
    _put(file, b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    if kind == _PALETTE:
        _put_palette(file, list(lines), clear=clear)
    packer = zlib.compressobj(_THOROUGH if kind == _PALETTE else _THOROUGH_OVER_ARTWORK)
    ground = "#00000000" if clear or kind == _PALETTE else "#ffffff"
    for band in painted((*drawing.artwork, *lines.values()), options.dpi, size, ground):
        if kind == _PALETTE:
            rows = np.zeros((len(band), size[0] + 1), np.uint8)
            # Entry of the palette nearest to each pixel.
            colours = list(lines)
            shades: Bytes = np.rint(np.arange(256) * (_SHADES / 255)).astype(np.uint8)[band[..., 3]]
            inked = np.nonzero(shades)
            seen = band[inked][:, :3].astype(int)
            apart = [np.abs(seen - channels(colour)).sum(axis=1) for colour in colours]
            shades[inked] += (_SHADES * np.argmin(apart, axis=0)).astype(np.uint8)
            rows[:, 1:] = shades
        else:
            pixels = band[..., : 4 if clear else 3].reshape(len(band), -1)
            step = 4 if clear else 3
            rows = np.full((len(band), pixels.shape[1] + 1), _FROM_BEFORE, np.uint8)
            rows[:, 1 : step + 1] = pixels[:, :step]
            rows[:, step + 1 :] = pixels[:, step:] - pixels[:, :-step]
        _put(file, b"IDAT", packer.compress(rows.tobytes()))
    _put(file, b"IDAT", packer.flush())
    _put(file, b"IEND", b"")
    return file.getvalue()


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


def _put_palette(file: io.BytesIO, colours: list[str], *, clear: bool) -> None:
    """Write background and shades: mixed with white, or, on a transparent background, of rising opacity."""
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


def _lines(drawing: Drawing, options: PngOptions) -> dict[str, Paths]:
    """Return the lines of each colour, in the order of first use."""
    known = profile(options.profile)
    width = max(options.line_width, INCH / options.dpi)
    strokes: dict[str, set[int]] = {}
    for chain in drawing.chains:
        strokes.setdefault(known.layer(chain.operation).colour, set()).update((chain.strokes >> 1).tolist())
    found = {}
    for colour, used in strokes.items():
        curves = drawing.strokes.chosen(np.array(sorted(used)))
        low = np.minimum.reduceat(curves.points, curves.starts[:-1]) - width
        high = np.maximum.reduceat(curves.points, curves.starts[:-1]) + width
        look = f'fill="none" stroke="{colour}" stroke-width="{width!r}" stroke-linecap="round" stroke-linejoin="round"'
        data = [path_data(curves[at], curved=True) for at in range(len(curves))]
        found[colour] = Paths(look, data, np.hstack([low, high]))
    return found
