"""The formats that the studio writes: those for the laser, for the 3-D printer, and for paper."""

from __future__ import annotations

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.exporting.options import (
    NO_UNIT,
    AnyFormat,
    DxfOptions,
    Format,
    Formats,
    GcodeOptions,
    HpglOptions,
    LeafletOptions,
    LightburnOptions,
    NoOptions,
    PdfOptions,
    PngOptions,
    SvgOptions,
    unread,
)
from studio.exporting.proof import EXACT, prove, report_pages, report_picture
from studio.exporting.readers.dxf import prove_dxf, read_dxf
from studio.exporting.readers.lightburn import prove_lightburn, read_lightburn
from studio.exporting.readers.machine_code import prove_gcode, prove_hpgl, read_gcode, read_hpgl
from studio.exporting.readers.pdf import prove_book, read_pdf
from studio.exporting.readers.stl_3mf import prove_3mf, prove_stl, read_3mf, read_stl
from studio.exporting.readers.svg import read_svg
from studio.exporting.writers.dxf import dxf
from studio.exporting.writers.lightburn import lightburn
from studio.exporting.writers.machine_code import gcode, hpgl
from studio.exporting.writers.pdf import pdf
from studio.exporting.writers.pdf_file import leaflet_pdf
from studio.exporting.writers.png import png
from studio.exporting.writers.stl_3mf import stl, threemf
from studio.exporting.writers.svg import leaflet_svg, svg
from studio.geometry.solids.solid import GRID

DXF = Format(
    ".dxf",
    tr("DXF (CAD, older laser software)"),
    tr("CAD and older laser software; arcs or lines within the tolerance, or exact splines"),
    DxfOptions,
    0.00005,
    dxf,
    read_dxf,
    prove_dxf,
    note=lambda options: NO_UNIT if options.version == "R12" else "",
    without=("raster",),
)
SVG = Format(
    ".svg",
    tr("SVG (laser and drawing software)"),
    tr("laser and drawing software; exact curves"),
    SvgOptions,
    0.0005,
    svg,
    read_svg,
    prove,
)
PDF = Format(
    ".pdf",
    tr("PDF (cutting services, paper print)"),
    tr("one page at 1:1, or tiled pages with crop marks and a 100 mm ruler"),
    PdfOptions,
    0.0005,
    pdf,
    read_pdf,
    prove_book,
)
PNG = Format(
    ".png",
    tr("PNG (picture at 1:1)"),
    tr("picture at a set resolution, for raster engraving"),
    PngOptions,
    0.0005,
    png,
    unread,
    report_picture,
    is_picture=True,
)
LIGHTBURN = Format(
    ".lbrn2",
    tr("LightBurn project"),
    tr("LightBurn project with layers in cutting order, with the power and speed of the recipe"),
    LightburnOptions,
    0.0005,
    lightburn,
    read_lightburn,
    prove_lightburn,
)
GCODE = Format(
    ".gcode",
    tr("G-code (GRBL controllers)"),
    tr("G-code for GRBL, with power and speed; arcs within 0.01 mm"),
    GcodeOptions,
    0.00005,
    gcode,
    read_gcode,
    prove_gcode,
    note=lambda _options: tr("Test powers on scrap. GRBL needs laser mode ($32=1), and its zero at the lower left."),
    without=("raster",),
)
HPGL = Format(
    ".plt",
    tr("HPGL (vinyl cutters, older lasers)"),
    tr("HPGL for vinyl cutters and older lasers; a pen for each operation, set power and speed there"),
    HpglOptions,
    0.0125,
    hpgl,
    read_hpgl,
    prove_hpgl,
    without=("raster",),
)
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
LEAFLET_PDF = Format(
    ".pdf", "PDF", tr("all pages in one file"), LeafletOptions, EXACT, leaflet_pdf, unread, report_pages, is_book=True
)
LEAFLET_SVG = Format(".svg", "SVG", tr("one file per page"), LeafletOptions, EXACT, leaflet_svg, unread, report_pages)

LASER = Formats(
    "laser", tr("unknown file extension for the laser"), "export", (SVG, DXF, PDF, PNG, LIGHTBURN, GCODE, HPGL)
)
CARDS = Formats("laser", tr("a test card must be a LightBurn project or G-code"), "card", (LIGHTBURN, GCODE))
"""Formats of test cards, with settings for each square."""
PRINTER = Formats("printer", tr("unknown file extension for 3-D printing"), "print", (THREEMF, STL))
PAPER = Formats("paper", tr("unknown file extension for paper"), "leaflet", (LEAFLET_PDF, LEAFLET_SVG))
FORMATS: tuple[AnyFormat, ...] = (*LASER.members, *PRINTER.members, *PAPER.members)
Options = LASER.options
"""Options of a file for the laser, of any format."""


def refuse_pictures(suffix: str, machine: str, *, takes_pictures: bool) -> None:
    """Raise StudioError, naming the machine, if files of this suffix are pictures and it takes none."""
    for known in LASER.members:
        if known.suffix == suffix.lower() and known.is_picture and not takes_pictures:
            raise StudioError(
                tr(
                    "{machine} cannot engrave pictures ({format}). Choose SVG or another format.",
                    format=known.name,
                    machine=machine,
                )
            )
