"""Drawings as PNG."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.png.reader import prove_picture, read_png
from studio.export.formats.png.writer import png
from studio.export.options import PngOptions

PNG = Format(
    ".png",
    tr("PNG (picture at 1:1)"),
    tr("picture at a set resolution, for raster engraving"),
    PngOptions,
    0.0005,
    png,
    read_png,
    prove_picture,
    is_picture=True,
)
