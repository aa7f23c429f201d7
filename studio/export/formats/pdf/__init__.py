"""Drawings as PDF."""

from __future__ import annotations

from studio.base.texts import tr
from studio.export.format import Format
from studio.export.formats.pdf.reader import prove_book, read_pdf
from studio.export.formats.pdf.writer import pdf
from studio.export.options import PdfOptions

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
