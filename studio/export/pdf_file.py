"""PDF files put together by pydyf.

Numbers are millimetres, y downwards, and one matrix at the head of each page makes points of them. Contents are not
compressed, and nothing is dated or random: the same contents give the same bytes.
"""

from __future__ import annotations

import io
from typing import Any

from studio import PROGRAM
from studio.base.colours import channels

POINTS = 72 / 25.4
"""Points in a millimetre."""


def new_file(title: str = "") -> Any:
    """A PDF file without pages."""
    import pydyf

    file = pydyf.PDF()
    file.info["Producer"] = pydyf.String(PROGRAM)
    if title:
        file.info["Title"] = pydyf.String(title)
    return file


def file_bytes(file: Any) -> bytes:
    """The file as PDF 1.7."""
    stream = io.BytesIO()
    file.write(stream, version=b"1.7", identifier=False, compress=False)
    return stream.getvalue()


def add_page(file: Any, width: float, height: float, content: Any, resources: Any) -> None:
    """Add a page of a size in mm that shows a content."""
    import pydyf

    page = {
        "Type": "/Page",
        "Parent": file.pages.reference,
        "MediaBox": pydyf.Array([0, 0, decimal(width * POINTS), decimal(height * POINTS)]),
        "Contents": content.reference,
        "Resources": resources,
    }
    file.add_page(pydyf.Dictionary(page))


def in_millimetres(height: float) -> str:
    """The matrix that turns millimetres, y downwards, into points on a page so high."""
    return f"{POINTS:.10f} 0 0 {-POINTS:.10f} 0 {decimal(height * POINTS)} cm"


def decimal(value: float) -> str:
    """A number as it is written, with up to eight decimals."""
    return f"{value:.8f}".rstrip("0").rstrip(".")


def shares(colour: str) -> str:
    """A colour as it is written: red, green and blue from 0 to 1."""
    return " ".join(f"{channel / 255:.4g}" for channel in channels(colour))
