"""Drawings as LightBurn projects."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.lightburn.reader import prove_lightburn, read_lightburn
from studio.export.formats.lightburn.writer import lightburn
from studio.export.options import LightburnOptions

LIGHTBURN = Format(
    ".lbrn2",
    tr("LightBurn project"),
    tr("LightBurn project with layers in cutting order; set power and speed there"),
    LightburnOptions,
    0.0005,
    lightburn,
    read_lightburn,
    prove_lightburn,
)
