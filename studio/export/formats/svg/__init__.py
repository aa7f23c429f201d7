"""Drawings as SVG."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.svg.reader import read_svg
from studio.export.formats.svg.writer import svg
from studio.export.options import LaserOptions
from studio.export.proof import prove_curves

SVG = Format(
    ".svg",
    tr("SVG (laser and drawing software)"),
    tr("laser and drawing software; exact curves"),
    LaserOptions,
    0.0005,
    svg,
    read_svg,
    prove_curves,
)
