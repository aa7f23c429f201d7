"""Solids as 3MF."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.threemf.reader import prove_3mf, read_3mf
from studio.export.formats.threemf.writer import threemf
from studio.export.options import NoOptions
from studio.geometry.solids.solid import GRID

THREEMF = Format(
    ".3mf",
    tr("3MF (one file with names and colours)"),
    tr("all pieces in one file, with names and colours"),
    NoOptions,
    GRID,
    threemf,
    read_3mf,
    prove_3mf,
)
