"""The formats that the studio writes, a line for each: those for the laser, for the 3-D printer, and for paper."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import AnyFormat, Formats
from studio.export.formats.dxf import DXF
from studio.export.formats.leaflet_pdf import LEAFLET_PDF
from studio.export.formats.leaflet_svg import LEAFLET_SVG
from studio.export.formats.lightburn import LIGHTBURN
from studio.export.formats.pdf import PDF
from studio.export.formats.png import PNG
from studio.export.formats.stl import STL
from studio.export.formats.svg import SVG
from studio.export.formats.threemf import THREEMF

LASER = Formats("laser", tr("unknown file extension for the laser"), "export", (SVG, DXF, PDF, PNG, LIGHTBURN))
PRINTER = Formats("printer", tr("unknown file extension for 3-D printing"), "print", (THREEMF, STL))
PAPER = Formats("paper", tr("unknown file extension for paper"), "leaflet", (LEAFLET_PDF, LEAFLET_SVG))
FORMATS: tuple[AnyFormat, ...] = (*LASER.members, *PRINTER.members, *PAPER.members)
Options = LASER.options
"""The options of a file for the laser, of any format."""
