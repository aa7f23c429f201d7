"""Reads the pages of a leaflet back from PDF: every path, every word with the places of its letters, every picture.

pypdf takes a file apart into pages, fonts and pictures; contents are read here, operator by operator, and any operator
that our own files do not use is refused.

matrix (3, 2): the images of the two axes and the origin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from studio.base.texts import tr
from studio.export.format import Unreadable
from studio.export.paper import (
    FoundMark,
    FoundPage,
    FoundPath,
    FoundPicture,
    FoundWords,
    LeafletOptions,
    Outline,
    Shade,
)
from studio.export.readers.pdf_contents import POINTS, PdfContent, PdfFont, read_pages
from studio.geometry.curves.strokes import Floats

_TOKEN = re.compile(r"<[0-9A-F]*>|[\[\]]|/[^\s\[\]<>/]+|[-+.\d]+|[A-Za-z]+\*?")
_STEPS = {"m": "M", "l": "L", "c": "C", "h": "Z"}
# Operators that paint a path: whether each fills it, and whether it strokes it.
_PAINTS = {"S": (False, True), "f*": (True, False), "B*": (True, True)}
_LOOKS = ("J", "j")
# The largest cosine of the angle between the sides of a picture, whose ends are rounded.
_SQUARE = 1e-4


def read_leaflet_pdf(data: bytes, _options: LeafletOptions) -> list[FoundPage]:
    """Read the pages of a PDF file; raises Unreadable for foreign pages."""
    return [_page(page) for page in read_pages(data)]


def read_artwork(page: PdfContent, content: bytes) -> tuple[FoundMark, ...]:
    """Read the areas and pictures painted by some of a page's content, in its unit."""
    reader = _Reader(page, _State(matrix=np.eye(3, 2)))
    reader.perform(b"/artwork BMC\n" + content + b"EMC\n")
    return reader.groups[0][1]


def _page(page: PdfContent) -> FoundPage:
    left, bottom, right, top = page.box
    reader = _Reader(page, _State(matrix=np.array([(1, 0), (0, -1), (-left, top)]) / POINTS))
    reader.perform(page.content)
    # Points are written with eight decimals.
    width, height = (round(side / POINTS, 6) for side in (right - left, top - bottom))
    return FoundPage(width, height, tuple(reader.groups))


def _performed(content: bytes) -> Iterator[tuple[str, list[str]]]:
    """Yield the operators of contents, each with its operands."""
    text = content.decode("latin-1")
    if _TOKEN.sub("", text).strip():
        raise Unreadable(tr("a page has unexpected content"))
    operands: list[str] = []
    for token in _TOKEN.findall(text):
        if token[0].isalpha():
            yield token, operands
            operands = []
        else:
            operands.append(token)
    if operands:
        raise Unreadable(tr("a page is truncated"))


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

    def __init__(self, page: PdfContent, state: _State) -> None:
        self.page, self.state = page, state
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
                raise Unreadable(tr("a page uses {operator} with invalid values", operator=operator)) from problem
        if self.saved or self.group is not None or self.text is not None:
            raise Unreadable(tr("a page is truncated"))

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
            self._marks.append(self._picture(operands[0][1:]))
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
            raise Unreadable(tr("a page uses the unexpected operator {operator}", operator=operator))

    def _paint(self, fills: bool, strokes: bool) -> None:
        state = self.state
        self._marks.append(FoundPath(
            self._steps, self._points(), state.fill if fills else (), state.line if strokes else (), state.width,
            state.dashes,
        ))  # fmt: skip
        self._steps, self._numbers = "", []

    def _points(self) -> Floats:
        return np.asarray(np.reshape(self._numbers, (-1, 2)) @ self.state.matrix[:2] + self.state.matrix[2])

    def _picture(self, name: str) -> FoundPicture:
        """Return a picture, upright in the unit square before it is turned."""
        picture, matrix = self.page.pictures[name], self.state.matrix
        width, height = (float(np.hypot(*axis)) for axis in matrix[:2])
        if abs(matrix[0] @ matrix[1]) > _SQUARE * width * height or np.linalg.det(matrix[:2]) > 0:
            raise Unreadable(tr("a picture is distorted"))
        x, y = (matrix.sum(axis=0) - 0.5 * (matrix[0] + matrix[1])).tolist()
        turn = float(np.degrees(np.arctan2(matrix[0, 1], matrix[0, 0])))
        box = (x - width / 2, y - height / 2, width, height)
        return FoundPicture(box, picture.data, picture.mask, picture.lines, turn, self.state.clip)

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
            text.font, text.size = self.page.fonts[operands[0][1:]], float(operands[1])
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
