"""Drawings as DXF."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.dxf.reader import prove_dxf, read_dxf
from studio.export.formats.dxf.writer import dxf
from studio.export.options import NO_UNIT, DxfOptions

DXF = Format(
    ".dxf",
    tr("DXF (CAD, older laser software)"),
    tr("CAD and older laser software; polylines within the tolerance, or exact splines"),
    DxfOptions,
    0.00005,
    dxf,
    read_dxf,
    prove_dxf,
    note=lambda options: NO_UNIT if options.version == "R12" else "",
    without=("raster",),
)
