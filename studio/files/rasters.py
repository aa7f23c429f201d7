"""Draws SVG files and pages of PDF files as pixels.

Nothing outside a file is read and nothing in it runs.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
from base64 import b64decode
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from studio.base.atomic import ensure_place, write_bytes
from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.files import svg_painter
from studio.files.svg_paths import painted
from studio.files.svg_tree import SVG, resolved
from studio.files.svg_values import NUMBER, Matrix, Scale, Unreadable, steps
from studio.paper.leaflet import Leaflet, ensure_writable

ACROSS = 4000
"""Pixels of the longer side: 340 dpi on A4."""
_ONE_AT_A_TIME = Lock()
"""PDFium draws for one thread alone."""
LONGEST = 3
"""Seconds of a processor that an SVG file may take to be drawn."""
PATIENCE = 5 * LONGEST
"""Seconds until a drawing is stopped, on a machine that is otherwise busy."""
MOST_MEMORY = 450 * 2**20
"""Bytes that an SVG file may take to be drawn."""
FLATTEST = 40.0
"""Limit for the ratio of the longer side of a drawing or page to the shorter."""
_RUN = frozenset({"script", "foreignObject", "iframe", "audio", "video", "animate", "animateMotion",
                  "animateTransform", "set"})  # fmt: skip
_LENGTHS = frozenset({"cx", "cy", "font-size", "fr", "fx", "fy", "height", "markerHeight", "markerWidth", "r", "refX",
                      "refY", "rx", "ry", "stroke-dasharray", "stroke-dashoffset", "stroke-width", "width", "x", "x1",
                      "x2", "y", "y1", "y2"})  # fmt: skip
_NEWER = re.compile(rf"{NUMBER}(?:ch|q|rem|vh|vmax|vmin|vw)\b", re.IGNORECASE)
"""Lengths in units that resvg does not know."""
_PACKED = ("data:image/png", "data:image/jpeg", "data:image/jpg", "data:image/gif", "data:image/webp")
ENDINGS = (".png", ".svg", ".pdf")


@dataclass(frozen=True)
class Raster:
    """A drawing as PNG, sentences about what was left out, and the number of pages in its file."""

    png: bytes = field(repr=False)
    notes: tuple[str, ...] = ()
    pages: int = 1


def svg(data: bytes) -> Raster:
    """Draw an SVG file; raises StudioError if it is none, or takes too much time or memory."""
    tree = resolved(data, SILENT)
    copier = _Copier(*painted(tree))
    drawing = copier.copied(tree.root)
    png = _drawn(ElementTree.tostring(drawing, encoding="unicode"))
    named = ", ".join(f"{count} × {name}" for name, count in sorted(copier.left_out.items()))
    return Raster(png, (*tree.notes, *((tr("Left out: {named}.", named=named),) if named else ())))


def _drawn(text: str) -> bytes:
    command = [sys.executable, "-P", svg_painter.__file__, *map(str, (ACROSS, int(FLATTEST), LONGEST, MOST_MEMORY))]
    try:
        done = subprocess.run(command, input=text.encode(), capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        code, problem = svg_painter.DRAWN - 1, ""
    else:
        code, problem = done.returncode, done.stderr.decode(errors="replace")
    match code:
        case svg_painter.DRAWN:
            return done.stdout
        case svg_painter.LONG:
            raise StudioError(tr("it is more than {most:g} times as long as wide.", most=FLATTEST))
        case svg_painter.DAMAGED:
            raise StudioError(tr("it cannot be drawn ({problem}).", problem=problem[:120]))
    raise StudioError(tr("drawing it takes too long or too much memory. Simplify the drawing."))


@dataclass
class _Copier:
    """Copies elements in the painter's terms, without scripts and links to other files."""

    page: Scale
    matrices: Mapping[Element, Matrix]
    left_out: Counter[str] = field(default_factory=Counter)

    def copied(self, element: Element) -> Element:
        """Copy an element and all within it, its lengths in known units, its transform a matrix."""
        copy = Element(element.tag, {key: self._known(key, value) for key, value in element.items()})
        if "transform" in copy.attrib:
            # As a matrix, since resvg knows no transforms of CSS and no boxes.
            with suppress(Unreadable):
                matrix = self.matrices.get(element) or steps(copy.get("transform", ""), Scale())
                copy.set("transform", f"matrix({' '.join(map(repr, matrix))})")
            if element in self.matrices:
                copy.attrib.pop("transform-origin", None)
                copy.attrib.pop("transform-box", None)
        copy.text, copy.tail = element.text, element.tail
        for child in element:
            own = child.tag.rpartition("}")[2]
            link = next((value for key, value in child.items() if key.rpartition("}")[2] == "href"), "").strip()
            is_outside = bool(link) and own != "a" and not (link.startswith("#") or _is_packed(link))
            if own in _RUN or is_outside:
                self.left_out[own[:20]] += 1
            elif own != "style" and (len(child) or own not in ("a", "g")):
                # The rules of style sheets are attributes by now, and empty groups would count for boxes.
                inner = self.copied(child)
                if own == "svg":
                    # A page without a size would not clip its content.
                    inner.attrib = {"width": "100%", "height": "100%", **inner.attrib}
                    if "clip-path" in child.attrib and element.tag != f"{{{SVG}}}defs":
                        # A clip path on an inner page is about the page around it.
                        around = {key: inner.attrib.pop(key, "") for key in ("id", "clip-path", "transform")}
                        group = Element(f"{{{SVG}}}g", {key: value for key, value in around.items() if value})
                        group.append(inner)
                        inner = group
                copy.append(inner)
        return copy

    def _known(self, key: str, value: str) -> str:
        with suppress(Unreadable):
            if key in _LENGTHS:
                return _NEWER.sub(lambda found: repr(self.page.length(found[0], "x")), value)
        return value


def _is_packed(link: str) -> bool:
    """True if a link is a picture of bounded size, embedded in the file."""
    from studio.files.pictures import is_bounded

    head, _, text = link.partition(",")
    if not (head.startswith(_PACKED) and head.endswith(";base64")):
        return False
    try:
        return is_bounded(b64decode(text))
    except ValueError:
        return False


def pdf(data: bytes, page: int) -> Raster:
    """Draw a page of a PDF file by its number, on white; raises StudioError if the page does not exist."""
    import pypdfium2

    with _ONE_AT_A_TIME:
        try:
            document = pypdfium2.PdfDocument(data)
        except pypdfium2.PdfiumError as problem:
            if "password" in str(problem).lower():
                raise StudioError(tr("it is protected by a password; save a copy without one.")) from problem
            raise StudioError(tr("it is not a PDF file, or it is damaged.")) from problem
        try:
            count = len(document)
            if not 1 <= page <= count:
                raise StudioError(tr("it has no page {page}; its last is {count}.", page=page, count=count))
            notes = (tr("Page {page} of {count} is used.", page=page, count=count),) if count > 1 else ()
            return Raster(_page(document[page - 1]), notes, count)
        except pypdfium2.PdfiumError as problem:
            raise StudioError(tr("page {page} cannot be drawn.", page=page)) from problem
        finally:
            document.close()


def _page(page: Any) -> bytes:
    """Draw a page as PNG."""
    width, height = page.get_size()
    if not (min(width, height) > 0 and 1 / FLATTEST <= width / height <= FLATTEST):
        raise StudioError(tr("it is more than {most:g} times as long as wide.", most=FLATTEST))
    drawn = page.render(scale=ACROSS / max(width, height), fill_color=(255, 255, 255, 255))
    packed = io.BytesIO()
    drawn.to_pil().save(packed, "PNG", compress_level=1)
    return packed.getvalue()


# A page as a picture: PNG, SVG or PDF, by file extension


def ensure_picture(out: Path) -> None:
    """Raise StudioError if no picture can be written, before a long computation of one."""
    if out.suffix.lower() not in ENDINGS:
        raise StudioError(tr("{out} must end in .png, .svg or .pdf.", out=out))
    ensure_place(out)


def write_picture(leaflet: Leaflet, out: Path) -> None:
    """Write a leaflet of one page; raises StudioError, leaving an older file untouched, if that fails."""
    ensure_picture(out)
    if out.suffix.lower() != ".png":
        from studio.exporting.writing import write_leaflet

        write_leaflet(leaflet, out)
        return
    from studio.exporting.options import LeafletOptions
    from studio.exporting.writers.svg import leaflet_svg

    ensure_writable(leaflet)
    write_bytes(out, svg(leaflet_svg(leaflet, LeafletOptions())).png)
