"""Solids as STL."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.stl.reader import prove_stl, read_stl
from studio.export.formats.stl.writer import stl
from studio.export.options import NoOptions

STL = Format(
    ".stl",
    tr("STL (all pieces side by side)"),
    tr("triangles only, without names and colours"),
    NoOptions,
    0.0,
    stl,
    read_stl,
    prove_stl,
    apart=tr("STL (one file per piece)"),
)
