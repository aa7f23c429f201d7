"""Pages on paper as PDF."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.leaflet_pdf.reader import read_leaflet
from studio.export.formats.leaflet_pdf.writer import leaflet_pdf
from studio.export.paper import EXACT, LeafletOptions, prove_pages

LEAFLET_PDF = Format(
    ".pdf",
    "PDF",
    tr("all pages in one file"),
    LeafletOptions,
    EXACT,
    leaflet_pdf,
    read_leaflet,
    prove_pages,
    is_book=True,
)
