"""Reads the pages of a leaflet back from PDF: every path, every word with the places of its letters, every picture.

pypdf takes a file apart into pages, fonts and pictures; contents are read here, operator by operator, and any operator
that our own files do not use is refused.

matrix (3, 2): the images of the two axes and the origin.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
from pypdf import PdfReader

from studio.exporting.options import LeafletOptions, Unreadable
from studio.exporting.readers.pdf import PdfContent, placed, read_pages
from studio.geometry.curves.strokes import Floats
from studio.paper.fonts import Command, outlines_in
from tests.export.leaflet_proof import FoundMark, FoundPage, FoundPath, FoundWords, Outline, Shade

POINTS = 72 / 25.4

_TOKEN = re.compile(r"<[0-9A-F]*>|[\[\]]|/[^\s\[\]<>/]+|[-+.\d]+|[A-Za-z]+\*?")
_STEPS = {"m": "M", "l": "L", "c": "C", "h": "Z"}
# Operators that paint a path: whether each fills it, and whether it strokes it.
_PAINTS = {"S": (False, True), "f*": (True, False), "B*": (True, True)}
_LOOKS = ("J", "j")


def read_leaflet_pdf(data: bytes, _options: LeafletOptions) -> list[FoundPage]:
    """Read the pages of a PDF file; raises Unreadable for foreign pages."""
    contents = read_pages(data)
    pages = PdfReader(io.BytesIO(data), strict=True).pages
    return [_page(content, page) for content, page in zip(contents, pages, strict=True)]


def _page(page: PdfContent, found: Any) -> FoundPage:
    fonts = found["/Resources"].get_object().get("/Font", {})
    left, bottom, right, top = page.box
    reader = _Reader(
        page,
        {name[1:]: _font(font.get_object()) for name, font in fonts.items()},
        _State(matrix=np.array([(1, 0), (0, -1), (-left, top)]) / POINTS),
    )
    reader.perform(page.content)
    # Points are written with eight decimals.
    width, height = (round(side / POINTS, 6) for side in (right - left, top - bottom))
    return FoundPage(width, height, tuple(reader.groups))


def _performed(content: bytes) -> Iterator[tuple[str, list[str]]]:
    """Yield the operators of contents, each with its operands."""
    text = content.decode("latin-1")
    if _TOKEN.sub("", text).strip():
        raise Unreadable("a page has unexpected content")
    operands: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0].isalpha():
            yield token, operands
            operands = []
        else:
            operands.append(token)
    if operands:
        raise Unreadable("a page is truncated")


@dataclass(frozen=True)
class PdfFont:
    """A font embedded in a file: by code the letter, its advance in thousandths of the size, and its outline."""

    letters: dict[int, str]
    widths: dict[int, float]
    outlines: dict[int, Outline]


@dataclass(eq=False)
class _State:
    """Graphics state set by the operators so far."""

    matrix: Floats
    fill: Shade = (0.0, 0.0, 0.0)
    line: Shade = (0.0, 0.0, 0.0)
    width: float = 1.0
    dashes: tuple[float, ...] = ()
    clip: tuple[str, Floats] | None = None


@dataclass(eq=False)
class _Text:
    """Words being set: the matrix (3, 2) of their letters, the font and its size, and the letters set so far."""

    matrix: Floats | None = None
    font: PdfFont | None = None
    size: float = 0.0
    at: float = 0.0
    letters: list[str] = field(default_factory=list)
    outlines: list[Outline] = field(default_factory=list)
    places: list[float] = field(default_factory=list)


class _Reader:
    """Performs the operators of a page and keeps the marks that they make."""

    def __init__(self, page: PdfContent, fonts: dict[str, PdfFont], state: _State) -> None:
        self.page, self.fonts, self.state = page, fonts, state
        self.saved: list[_State] = []
        self.groups: list[tuple[str, tuple[FoundMark, ...]]] = []
        self.group: str | None = None
        self.text: _Text | None = None
        self._marks: list[FoundMark] = []
        self._steps, self._numbers = "", list[float]()

    def perform(self, content: bytes) -> None:
        """Perform all operators; raises Unreadable for foreign ones."""
        for operator, operands in _performed(content):
            try:
                self.take(operator, operands)
            except (LookupError, ValueError) as problem:
                raise Unreadable(f"a page uses {operator} with invalid values") from problem
        if self.saved or self.group is not None or self.text is not None:
            raise Unreadable("a page is truncated")

    def take(self, operator: str, operands: list[str]) -> None:
        """Perform an operator; raises Unreadable for a foreign one, LookupError or ValueError for wrong values."""
        if operator in _STEPS:
            self._steps += _STEPS[operator]
            self._numbers += map(float, operands)
        elif operator in _PAINTS:
            self._paint(*_PAINTS[operator])
        elif operator == "W*":
            self.state.clip = self._steps, self._points()
        elif operator == "n":
            self._steps, self._numbers = "", []
        elif operator in ("BT", "ET", "Tm", "Tf", "TJ"):
            self._set(operator, operands)
        elif operator == "Do":
            self._marks.append(placed(self.page.pictures[operands[0][1:]], self.state.matrix, self.state.clip))
        elif operator == "BMC":
            self.group = operands[0][1:]
        elif operator == "EMC":
            self.groups.append((self.group or "", tuple(self._marks)))
            self.group, self._marks = None, []
        elif operator not in _LOOKS:
            self._change(operator, operands)

    def _change(self, operator: str, operands: list[str]) -> None:
        """Perform an operator that changes the paint of the next marks."""
        state = self.state
        if operator == "q":
            self.saved.append(state)
            self.state = replace(state)
        elif operator == "Q":
            self.state = self.saved.pop()
        elif operator == "cm":
            axes = np.reshape([float(one) for one in operands], (3, 2))
            state.matrix = axes @ state.matrix[:2] + np.array([(0, 0), (0, 0), state.matrix[2]])
        elif operator == "rg":
            state.fill = tuple(map(float, operands))
        elif operator == "RG":
            state.line = tuple(map(float, operands))
        elif operator == "w":
            state.width = float(operands[0])
        elif operator == "d":
            state.dashes = tuple(map(float, operands[1 : operands.index("]")]))
        else:
            raise Unreadable(f"a page uses the unexpected operator {operator}")

    def _paint(self, fills: bool, strokes: bool) -> None:
        state = self.state
        self._marks.append(FoundPath(
            self._steps, self._points(), state.fill if fills else (), state.line if strokes else (), state.width,
            state.dashes,
        ))  # fmt: skip
        self._steps, self._numbers = "", []

    def _points(self) -> Floats:
        return np.asarray(np.reshape(self._numbers, (-1, 2)) @ self.state.matrix[:2] + self.state.matrix[2])

    def _set(self, operator: str, operands: list[str]) -> None:
        """Perform an operator for text."""
        if operator == "BT":
            self.text = _Text()
            return
        text = self.text
        if text is None:
            raise ValueError(operator)
        if operator == "Tm":
            axes = np.reshape([float(one) for one in operands], (3, 2))
            text.matrix = axes @ self.state.matrix[:2] + np.array([(0, 0), (0, 0), self.state.matrix[2]])
        elif operator == "Tf":
            text.font, text.size = self.fonts[operands[0][1:]], float(operands[1])
        elif operator == "TJ":
            _show(text, operands[1:-1])
        else:
            self._marks.append(_words(text, self.state.fill))
            self.text = None


def _show(text: _Text, shown: list[str]) -> None:
    """Set letters one after the other, moved back by the numbers between them."""
    font = text.font
    if font is None:
        raise ValueError(shown)
    for each in shown:
        if each[0] != "<":
            text.at -= float(each) / 1000 * text.size
            continue
        for at in range(1, len(each) - 1, 4):
            code = int(each[at : at + 4], 16)
            text.letters.append(font.letters[code])
            text.outlines.append(font.outlines[code])
            text.places.append(text.at)
            text.at += font.widths[code] / 1000 * text.size


def _words(text: _Text, fill: Shade) -> FoundWords:
    if text.matrix is None:
        raise ValueError("ET")
    shown = [place for letter, place in zip(text.letters, text.places, strict=True) if letter != " "]
    feet = text.matrix[2] + np.array(shown)[:, None] * text.matrix[0]
    outlines = tuple(one for letter, one in zip(text.letters, text.outlines, strict=True) if letter != " ")
    return FoundWords("".join(text.letters), feet, text.size * text.matrix[:2] * ((1,), (-1,)), fill, outlines)


def _font(font: Any) -> PdfFont:
    """Read a font whose letters are embedded in the file."""
    table = font["/ToUnicode"].get_object().get_data().partition(b"endcodespacerange")[2]
    letters = {
        int(code, 16): bytes.fromhex(letter.decode("ascii")).decode("utf-16-be")
        for code, letter in re.findall(rb"<([0-9A-F]{4})> <([0-9A-F]+)>", table)
    }
    (descendant,) = (each.get_object() for each in font["/DescendantFonts"])
    drawn = outlines_in(descendant["/FontDescriptor"].get_object()["/FontFile2"].get_object().get_data())
    table = descendant["/CIDToGIDMap"].get_object().get_data()
    numbers = [int.from_bytes(table[at : at + 2]) for at in range(0, len(table), 2)]
    outlines = {code: _outline(drawn[numbers[code]]) for code in letters}
    first, widths = descendant["/W"]
    return PdfFont(letters, {code: float(width) for code, width in enumerate(widths, int(first))}, outlines)


def _outline(steps: Sequence[Command]) -> Outline:
    return "".join(step for step, _numbers in steps), tuple(chain(*(numbers for _step, numbers in steps)))
