"""PDF files put together by pydyf and taken apart by pypdf.

Numbers are millimetres, y downwards, and one matrix at the head of each page makes points of them. Nothing is
compressed, dated or random: the same contents give the same bytes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from studio.colours import channels
from studio.export.format import Unreadable

POINTS = 72 / 25.4
"""Points in a millimetre."""


def printed(pages: Iterable[tuple[float, float, Iterable[str]]], title: str) -> bytes:
    """Pages for paper: of each its width and height in mm and its contents, in mm with y downwards.

    Contents may set words in `/F1`, Helvetica, and `/F2`, its bold; their bytes are those of Windows' western letters.
    """
    import pydyf

    file = new_file()
    file.info["Title"] = pydyf.String(title)
    fonts = {
        name: pydyf.Dictionary(
            {"Type": "/Font", "Subtype": "/Type1", "BaseFont": f"/{font}", "Encoding": "/WinAnsiEncoding"}
        )
        for name, font in (("F1", "Helvetica"), ("F2", "Helvetica-Bold"))
    }
    resources = pydyf.Dictionary({"Font": pydyf.Dictionary(fonts)})
    for width, height, contents in pages:
        content = pydyf.Stream(["q", in_millimetres(height), *contents, "Q"])
        file.add_object(content)
        add_page(file, width, height, content, resources)
    return file_bytes(file)


def new_file() -> Any:
    """A PDF file without pages."""
    import pydyf

    file = pydyf.PDF()
    file.info["Producer"] = pydyf.String("Puzzle Studio")
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
    """A number as it is written, with eight decimals at most."""
    return f"{value:.8f}".rstrip("0").rstrip(".")


def shares(colour: str) -> str:
    """A colour as it is written: red, green and blue from 0 to 1."""
    return " ".join(f"{channel / 255:.4g}" for channel in channels(colour))


@dataclass(frozen=True)
class PagePart:
    """A page or a form as pypdf takes it from a file: its box in the unit of the file, its content, what it names."""

    box: tuple[float, ...]
    content: bytes
    layers: dict[str, str]
    forms: dict[str, PagePart]


def parts(data: bytes) -> list[PagePart]:
    """The pages of a PDF file, taken apart by pypdf; raises Unreadable where it finds them broken."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # pypdf makes do with a file whose end is missing.
    if not data.rstrip().endswith(b"%%EOF"):
        raise Unreadable("it is broken off")
    try:
        reader = PdfReader(io.BytesIO(data), strict=True)
        return [_part(page, "/MediaBox") for page in reader.pages]
    except (PyPdfError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
        raise Unreadable(f"it is no PDF ({problem})") from problem


def _part(thing: Any, box: str) -> PagePart:
    content = thing.get("/Contents", thing).get_object().get_data()
    named = thing["/Resources"].get_object()
    layers = {name[1:]: str(group.get_object()["/Name"]) for name, group in named.get("/Properties", {}).items()}
    forms = {name[1:]: _part(form.get_object(), "/BBox") for name, form in named.get("/XObject", {}).items()}
    return PagePart(tuple(float(side) for side in thing[box]), content, layers, forms)
