"""Reads PDF files back: the lines of a page, and the division of the drawing among printer pages.

pypdf takes a file apart into pages and their contents; contents are read here, operator by operator, and any operator
that our own files do not use is refused.

matrix (3, 2): the images of the two axes and the origin. box (2, 2): its low corner and its high one.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.exporting.options import LaserOptions, PdfOptions, Unreadable
from studio.exporting.proof import SheetReport, prove
from studio.exporting.readers.found_lines import FoundArea, FoundLayer, FoundLine, FoundPicture, Sheet, unbroken
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing

POINTS = 72 / 25.4
"""Points in a millimetre: user space has 72 units to the inch (ISO 32000-1, 8.3.2.3)."""
# The predictor of lines packed as in a PNG (ISO 32000-1, table 8).
_PNG_LINES = 15
# Bytes of a row of a cross-reference table (ISO 32000-1, 7.5.4).
_ROW = 20
# Paper upright in mm (ISO 216, ANSI Y14.1), and the required length of rulers on it.
_PAPERS = {"A4": (210, 297), "A3": (297, 420), "A5": (148, 210), "Letter": (8.5 * 25.4, 11 * 25.4)}
_RULER = 100
# Tolerance in mm of sizes and rulers: the rounding of a page's points, and far below anything measurable.
_EXACT = 0.002
_SIZES = {"m": 2, "l": 2, "c": 6, "h": 0}
_LETTERS = {"m": "M", "l": "L", "c": "C", "h": "Z"}
# Number of operands of the operators that only affect the look of a line.
_LOOKS = {"w": 1, "J": 1, "j": 1}
_NUMBER = r"-?[\d.]+ "
_RINGS = rf"(?:{_NUMBER}{_NUMBER}[ml] (?:h )?)+"
_AREA = re.compile(rf"({_NUMBER}{_NUMBER}{_NUMBER})rg\n({_RINGS})f\*\n")
_PICTURE = re.compile(rf"q (?:({_RINGS})W\* n )?((?:{_NUMBER}){{6}})cm /(\w+) Do Q\n")
# The largest cosine of the angle between the sides of a picture, whose ends are rounded.
_SQUARE = 1e-4


@dataclass(frozen=True, eq=False)
class Tile:
    """A printer page in mm: its size, the box of its window, the drawing's origin on the page, and its ruler."""

    size: Floats
    window: Floats
    origin: Floats
    ruler: float


@dataclass(frozen=True, eq=False)
class Book:
    """Content of a PDF file: the drawing, and its printer pages; none if it is a page itself."""

    sheet: Sheet
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, eq=False)
class _Stroke:
    """A drawn line: points in the unit of the page, its marked content, and its colour."""

    points: Floats
    closed: bool
    mark: str
    colour: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class _Shown:
    """A drawn form: its name, the matrix, and its clipping box, in the unit of the page."""

    form: str
    matrix: Floats
    clip: Floats


def read_pdf(data: bytes, _options: LaserOptions) -> Book:
    """Read the book in a PDF file; raises Unreadable for a foreign file."""
    pages = read_pages(data)
    if not pages:
        raise Unreadable(tr("it has no page"))
    if not pages[0].forms:
        if len(pages) > 1:
            raise Unreadable(tr("it has {pages} pages instead of one", pages=len(pages)))
        left, bottom, right, top = pages[0].box
        drawn, artwork = _parted(pages[0])
        lines = _lines(drawn, (1 / POINTS, -1 / POINTS), (-left / POINTS, top / POINTS))
        # Points are written with eight decimals.
        width, height = (round(side / POINTS, 6) for side in (right - left, top - bottom))
        return Book(Sheet(width, height, lines, artwork), ())
    forms = [page.forms.get("Drawing") for page in pages]
    form = forms[0]
    if form is None or any(each is None or each.content != form.content for each in forms):
        raise Unreadable(tr("its pages show different drawings"))
    # A form is in millimetres, y downwards; its box has an equal margin on all sides.
    left, top, right, bottom = form.box
    drawn, artwork = _parted(form)
    sheet = Sheet(right + left, bottom + top, _lines(drawn, (1, 1), (0, 0)), artwork)
    return Book(sheet, tuple(map(_tile, pages)))


def prove_book(book: Book, drawing: Drawing, options: PdfOptions, rounding: float) -> SheetReport:
    """Report on a book; raises Unreadable if it is not the drawing, whole and at true size."""
    report = prove(book.sheet, drawing, options, rounding)
    if (options.pages == "tiled") != bool(book.tiles):
        raise Unreadable(tr("it is not tiled as requested"))
    for number, tile in enumerate(book.tiles, 1):
        width, height = tile.size
        if np.abs(np.sort(tile.size) - np.sort(_PAPERS[options.paper])).max() > _EXACT:
            raise Unreadable(
                tr(
                    "page {number} is {width:g} × {height:g} mm, not {paper}",
                    number=number,
                    width=width,
                    height=height,
                    paper=options.paper,
                )
            )
        if abs(tile.ruler - _RULER) > _EXACT:
            raise Unreadable(tr("the ruler on page {number} is {ruler:g} mm long", number=number, ruler=tile.ruler))
        margin = min(*tile.window[0], *(tile.size - tile.window[1]))
        if margin < options.paper_margin - _EXACT:
            raise Unreadable(tr("page {number} has a margin of only {margin:g} mm", number=number, margin=margin))
    if book.tiles and not _cover(book, options.overlap):
        raise Unreadable(tr("its pages do not cover the whole drawing"))
    return replace(report, pages=max(1, len(book.tiles)))


def _cover(book: Book, overlap: float) -> bool:
    """True if the windows cover the drawing, and neighbours show `overlap` mm of each other.

    That is so if the windows cover the drawing when windows and drawing are all made smaller by half the overlap.
    """
    import shapely

    inset = overlap / 2 - _EXACT
    smaller = np.array([(inset,), (-inset,)])
    windows = np.array([tile.window - tile.origin + smaller for tile in book.tiles])
    shown = shapely.union_all(shapely.box(*windows.reshape(-1, 4).T))
    width, height = (max(side - overlap, _EXACT) for side in (book.sheet.width, book.sheet.height))
    whole = shapely.box(overlap / 2, overlap / 2, overlap / 2 + width, overlap / 2 + height)
    return bool(shapely.covers(shown, whole))


def _parted(page: PdfContent) -> tuple[PdfContent, tuple[FoundArea | FoundPicture, ...]]:
    """Return a page or form without its artwork, and the artwork, which is drawn in the same mm as the lines."""
    before, begin, rest = page.content.partition(b"/OC /artwork BDC\n")
    if not begin:
        return page, ()
    painted, _, after = rest.partition(b"EMC\n")
    # Read the areas and pictures in a part of a page's content, in its unit.
    text = painted.decode("latin-1")
    found: list[FoundArea | FoundPicture] = []
    at = 0
    while at < len(text):
        match = _AREA.match(text, at) or _PICTURE.match(text, at)
        if match is None:
            raise Unreadable(tr("its artwork has unexpected content"))
        try:
            if match.re is _AREA:
                found.append(FoundArea(*_rings(match[2]), tuple(map(float, match[1].split()))))
            else:
                axes = np.reshape([float(one) for one in match[2].split()], (3, 2))
                found.append(placed(page.pictures[match[3]], axes, _rings(match[1]) if match[1] else None))
        except (LookupError, ValueError) as problem:
            raise Unreadable(tr("its artwork is not valid ({problem})", problem=problem)) from problem
        at = match.end()
    return replace(page, content=before + after), tuple(found)


def _lines(page: PdfContent, scale: tuple[float, float], shift: tuple[float, float]) -> tuple[FoundLine, ...]:
    lines = []
    for stroke in _performed(page.content):
        if isinstance(stroke, _Shown):
            raise Unreadable(tr("it has unexpected content inside the drawing"))
        if stroke.mark not in page.layers:
            raise Unreadable(tr("it has content outside the layers"))
        layer = FoundLayer(page.layers[stroke.mark], stroke.colour)
        lines.append(FoundLine(layer, stroke.points * scale + shift, stroke.closed, curved=True))
    return tuple(lines)


def _tile(page: PdfContent) -> Tile:
    left, bottom, right, top = page.box
    things = list(_performed(page.content))
    shown = [thing for thing in things if isinstance(thing, _Shown)]
    rulers = [thing.points for thing in things if isinstance(thing, _Stroke) and thing.mark == "Ruler"]
    if len(shown) != 1 or len(rulers) != 1 or len(rulers[0]) != 4:
        raise Unreadable(tr("a page lacks the drawing or the ruler"))
    if not np.abs(shown[0].matrix[:2] / POINTS - ((1, 0), (0, -1))).max() <= 1e-6:
        raise Unreadable(tr("a page does not show the drawing at 1:1"))
    corners = np.array([*shown[0].clip, shown[0].matrix[2], (right, bottom)])
    near, far, origin, size = (corners - (left, top)) * (1, -1) / POINTS
    ruler = float(np.hypot(*(rulers[0][-1] - rulers[0][0]))) / POINTS
    return Tile(size, np.sort((near, far), axis=0), origin, ruler)


def _performed(content: bytes) -> Iterator[_Stroke | _Shown]:
    """Yield what contents draw, in order; raises Unreadable for an operator that is not ours."""
    try:
        words = content.decode("ascii").split()
    except ValueError as problem:
        raise Unreadable(tr("a page contains something other than lines")) from problem
    state = _State()
    operands: list[str] = []
    for word in words:
        if word[0] in "-.0123456789/":
            operands.append(word)
            continue
        try:
            thing = state.take(word, operands)
        except (IndexError, ValueError, OverflowError) as problem:
            raise Unreadable(tr("a page uses {operator} with invalid values", operator=word)) from problem
        if thing is not None:
            yield thing
        operands.clear()
    if state.saved or state.marks or state.numbers or operands:
        raise Unreadable(tr("a page is truncated"))


class _State:
    """Graphics state set by the operators so far: matrix, clip, colour, marks and path."""

    def __init__(self) -> None:
        self.matrix: Floats = np.eye(3, 2)
        self.clip: Floats = np.array([(-np.inf, -np.inf), (np.inf, np.inf)])
        self.colour: tuple[float, ...] = (0.0, 0.0, 0.0)
        self.saved: list[tuple[Floats, Floats, tuple[float, ...]]] = []
        self.marks: list[str] = []
        self.commands: list[str] = []
        self.numbers: list[float] = []
        self.box: Floats | None = None

    def take(self, word: str, operands: list[str]) -> _Stroke | _Shown | None:
        """Perform an operator; return the thing it draws, if any."""
        if word in _SIZES:
            if len(operands) != _SIZES[word]:
                raise ValueError(operands)
            self.commands.append(_LETTERS[word])
            self.numbers += map(float, operands)
            return None
        if word == "S":
            points, closed = unbroken(self.commands, np.array(self.numbers))
            self.commands, self.numbers = [], []
            return _Stroke(self._placed(points), closed, self.marks[-1] if self.marks else "", self.colour)
        if word == "Do":
            return _Shown(operands[0][1:], self.matrix, self.clip)
        if word == "q":
            self.saved.append((self.matrix, self.clip, self.colour))
        elif word == "Q":
            self.matrix, self.clip, self.colour = self.saved.pop()
        elif word == "cm":
            axes, origin = np.split(np.reshape([float(one) for one in operands], (3, 2)), [2])
            self.matrix = np.concatenate([axes @ self.matrix[:2], self._placed(origin)])
        elif word == "RG":
            red, green, blue = map(float, operands)
            self.colour = (red, green, blue)
        elif word == "BDC" and operands[0] == "/OC":
            self.marks.append(operands[1][1:])
        elif word == "BMC":
            self.marks.append(operands[0][1:])
        elif word == "EMC":
            self.marks.pop()
        elif word == "re":
            x, y, width, height = map(float, operands)
            self.box = np.array([(x, y), (x + width, y + height)])
        elif word == "n" and self.box is not None:
            self.box = None
        elif word == "W" and self.box is not None:
            low, high = np.sort(self._placed(self.box), axis=0)
            self.clip = np.stack([np.maximum(self.clip[0], low), np.minimum(self.clip[1], high)])
        elif word not in _LOOKS or len(operands) != _LOOKS[word]:
            raise Unreadable(tr("a page uses the unexpected operator {operator}", operator=word))
        return None

    def _placed(self, points: Floats) -> Floats:
        return np.asarray(points @ self.matrix[:2] + self.matrix[2])


# The artwork below the lines


def _rings(text: str) -> tuple[str, Floats]:
    """Return the steps of rings as M, L and Z, and their points."""
    steps = "".join(re.findall("[mlh]", text)).upper().replace("H", "Z")
    return steps, np.reshape([float(one) for one in re.findall(_NUMBER, text)], (-1, 2))


def placed(picture: PdfPicture, matrix: Floats, clip: tuple[str, Floats] | None) -> FoundPicture:
    """Return a picture in the unit square, placed by a matrix; raises Unreadable if it is no rectangle."""
    width, height = (float(np.hypot(*axis)) for axis in matrix[:2])
    if abs(matrix[0] @ matrix[1]) > _SQUARE * width * height or np.linalg.det(matrix[:2]) > 0:
        raise Unreadable(tr("a picture is distorted"))
    x, y = (matrix.sum(axis=0) - 0.5 * (matrix[0] + matrix[1])).tolist()
    turn = float(np.degrees(np.arctan2(matrix[0, 1], matrix[0, 0])))
    box = (x - width / 2, y - height / 2, width, height)
    return FoundPicture(box, picture.data, picture.mask, picture.lines, turn, clip)


# Pages as pypdf takes them apart


@dataclass(frozen=True)
class PdfPicture:
    """A picture embedded in a file: its bytes, and its mask's.

    `lines` are columns, rows, bits of a number and numbers of a pixel if the bytes are packed lines of a PNG.
    """

    data: bytes
    mask: bytes = b""
    lines: tuple[int, ...] = ()


@dataclass(frozen=True)
class PdfContent:
    """A page or a form from pypdf: its box in the unit of the file, its content, and its resources."""

    box: tuple[float, ...]
    content: bytes
    layers: dict[str, str]
    forms: dict[str, PdfContent]
    pictures: dict[str, PdfPicture]


def read_pages(data: bytes) -> list[PdfContent]:
    """Read the pages of a PDF file with pypdf; raises Unreadable if they are broken."""
    from pypdf import PdfReader
    from pypdf.errors import PyPdfError

    # pypdf accepts a file without its end.
    if not data.rstrip().endswith(b"%%EOF"):
        raise Unreadable(tr("it is truncated"))
    try:
        _refuse_wrong_table(data)
        reader = PdfReader(io.BytesIO(data), strict=True)
        _refuse_unseen_layers(reader)
        return [_content(page, "/MediaBox") for page in reader.pages]
    except (
        StudioError,
        PyPdfError,
        ArithmeticError,
        AttributeError,
        LookupError,
        TypeError,
        ValueError,
        zlib.error,
    ) as problem:
        raise Unreadable(tr("it is not a valid PDF ({problem})", problem=problem)) from problem


def _refuse_wrong_table(data: bytes) -> None:
    """Raise ValueError if the cross-reference table misplaces an object, which pypdf then searches for."""
    start = re.compile(rb"startxref\s+(\d+)").match(data, data.rindex(b"startxref"))
    table = start and re.compile(rb"xref\s+0 (\d+)\s+").match(data, int(start[1]))
    if not table:
        raise ValueError(tr("its cross-reference table is missing"))
    for number in range(int(table[1])):
        at = table.end() + number * _ROW
        offset, generation, kind = data[at : at + _ROW].split()
        if kind == b"n" and not data.startswith(b"%d %d obj" % (number, int(generation)), int(offset)):
            raise ValueError(tr("its cross-reference table misplaces object {number}", number=number))


def _refuse_unseen_layers(reader: Any) -> None:
    """Raise ValueError for a layer of a page that programs do not list, or hide at first."""
    known = reader.root_object.get("/OCProperties")
    listed: set[int] = set()
    if known is not None:
        shown = known.get_object()["/D"].get_object()
        if shown.get("/BaseState", "/ON") == "/ON":
            listed = {each.idnum for each in known.get_object()["/OCGs"]} - {
                each.idnum for each in shown.get("/OFF", [])
            }
    for page in reader.pages:
        if {group.idnum for group in page["/Resources"].get_object().get("/Properties", {}).values()} - listed:
            raise ValueError(tr("a layer is off or not listed"))


def _content(thing: Any, box: str) -> PdfContent:
    content = thing.get("/Contents", thing).get_object().get_data()
    named = thing["/Resources"].get_object()
    layers = {name[1:]: str(group.get_object()["/Name"]) for name, group in named.get("/Properties", {}).items()}
    shown = {name[1:]: each.get_object() for name, each in named.get("/XObject", {}).items()}
    forms = {name: _content(each, "/BBox") for name, each in shown.items() if each["/Subtype"] == "/Form"}
    pictures = {name: _picture(each) for name, each in shown.items() if each["/Subtype"] == "/Image"}
    return PdfContent(tuple(float(side) for side in thing[box]), content, layers, forms, pictures)


def _picture(image: Any) -> PdfPicture:
    """Read a picture as it is packed; a packing that only PDF knows is unpacked."""
    columns, rows, depth = (int(image[name]) for name in ("/Width", "/Height", "/BitsPerComponent"))
    mask = image["/SMask"].get_object().get_data() if "/SMask" in image else b""
    if image["/Filter"] != "/FlateDecode":
        return PdfPicture(image._data, mask)
    numbers = 3 if image["/ColorSpace"] == "/DeviceRGB" else 1
    if "/DecodeParms" in image:
        stated = [
            int(image["/DecodeParms"][name]) for name in ("/Columns", "/BitsPerComponent", "/Colors", "/Predictor")
        ]
        if stated != [columns, depth, numbers, _PNG_LINES]:
            raise ValueError(tr("a picture is encoded differently than declared"))
        return PdfPicture(image._data, mask, (columns, rows, depth, numbers))
    data = zlib.decompress(image._data)
    if len(data) != rows * columns * numbers or len(mask) not in (0, columns * rows):
        raise ValueError(tr("a picture is truncated"))
    return PdfPicture(data, mask)
