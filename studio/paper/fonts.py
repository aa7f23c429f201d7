"""Fonts of the studio and the maker's own; each letter comes from the first font that has it.

em: the size of the letters. Advances, places and outlines are in thousandths of an em, from the start of a line and its
foot, to the right and down. Every letter is one glyph; text whose letters must be joined or stacked is refused, or
shaped by `shaping`.
"""

from __future__ import annotations

import io
import logging
import re
import struct
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import groupby
from pathlib import Path
from threading import Lock
from typing import Any

from studio.base.errors import StudioError
from studio.base.folders import own_folder, shipped
from studio.base.json_files import content
from studio.base.texts import tr

FOLDER = shipped("fonts")
EM = 1000.0
MISSING = ".notdef"
"""The glyph shown where a font lacks a letter."""
MOST_REMEMBERED = 4096
"""Letters whose font is cached."""
_BOLD_FROM = 600
_KEPT = {"head", "hhea", "maxp", "hmtx", "loca", "glyf"}
# Scripts whose letters are set as typed, and Zyyy, the characters common to all scripts.
_APART = frozenset({
    "Zyyy", "Latn", "Grek", "Cyrl", "Armn", "Geor", "Cher", "Cans", "Ogam", "Runr", "Tfng", "Goth", "Copt",
    "Hani", "Hira", "Kana", "Bopo", "Hang",
})  # fmt: skip
_LEFTWARDS = frozenset({"R", "AL", "AN"})
_JAMO = range(0x1100, 0x1200)
_UNSEEN = frozenset({"Cc", "Cf", "Cs"})
_VARIANTS = range(0xFE00, 0xFE10)
_READING = Lock()
_LARGEST = 64 * 2**20
"""Bytes of the largest font that is read."""

Command = tuple[str, tuple[float, ...]]
"""An SVG step of an outline: M, L, Q, C or Z with its coordinates."""


@dataclass(frozen=True, eq=False)
class Font:
    """A font: its PostScript name, its file's name, its glyphs by character, and their measures."""

    name: str
    file: str
    is_bold: bool
    data: bytes = field(repr=False)
    order: tuple[str, ...] = field(repr=False)
    """All its glyphs."""
    glyphs: Mapping[int, str] = field(repr=False)
    advances: Mapping[str, float] = field(repr=False)
    kerns: Mapping[tuple[str, str], float] = field(repr=False)
    box: tuple[float, float, float, float]
    """Left, bottom, right and top of all glyphs together, upwards."""
    ascent: float
    descent: float

    @cached_property
    def _outlines(self) -> dict[str, tuple[Command, ...]]:
        return {}

    @cached_property
    def _drawn(self) -> Any:
        font = _opened(self.data)
        return font, font.getGlyphSet(), EM / font["head"].unitsPerEm

    def outline(self, glyph: str) -> tuple[Command, ...]:
        """The outline of a glyph, y downwards."""
        # Previews and exports run in threads of their own, and fontTools reads glyphs lazily.
        with _READING, _usable(self.file):
            if glyph not in self._outlines:
                _font, glyphs, scale = self._drawn
                self._outlines[glyph] = _outline(glyphs, glyph, scale)
            return self._outlines[glyph]

    def subset(self, glyphs: Iterable[str]) -> tuple[bytes, list[str]]:
        """Write a TrueType file of glyphs and their components, without hints; return it and its glyphs in order."""
        from fontTools.subset import Options, Subsetter

        with _usable(self.file):
            font = _opened(self.data)
            # The table with the glyphs' names is left out.
            font.setGlyphOrder(list(self.order))
            for table in set(font.keys()) - _KEPT - {"GlyphOrder"}:
                del font[table]
            options = Options(hinting=False, notdef_outline=True, glyph_names=False, recalc_timestamp=False)
            subsetter = Subsetter(options)
            subsetter.populate(glyphs=sorted(glyphs))
            subsetter.subset(font)
            written = io.BytesIO()
            font.save(written)
            return written.getvalue(), font.getGlyphOrder()


@dataclass(frozen=True, eq=False)
class Run:
    """Consecutive letters in one font, with their glyphs and starts."""

    font: Font
    letters: str
    glyphs: tuple[str, ...]
    places: tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Setting:
    """A typeset line of words and its width."""

    runs: tuple[Run, ...]
    width: float


@lru_cache(16)
def outlines_in(data: bytes) -> tuple[tuple[Command, ...], ...]:
    """Read the outlines of the glyphs in a TrueType file, in its order; raises StudioError if it is damaged."""
    with _READING, _usable(tr("in the file")):
        font = _opened(data)
        glyphs, scale = font.getGlyphSet(), EM / font["head"].unitsPerEm
        return tuple(_outline(glyphs, glyph, scale) for glyph in font.getGlyphOrder())


@lru_cache(MOST_REMEMBERED)
def typeset(text: str, *, bold: bool = False) -> Setting:
    """Typeset words; a letter that no font has is a box."""
    at, runs = 0.0, []
    for font, group in groupby(spelled(text), key=lambda letter: studio_font(letter, bold) or _in_order(bold)[0]):
        letters = "".join(group)
        glyphs = tuple(font.glyphs.get(ord(letter), MISSING) for letter in letters)
        places = []
        before = ""
        for glyph in glyphs:
            at += font.kerns.get((before, glyph), 0.0)
            places.append(at)
            at += font.advances[glyph]
            before = glyph
        runs.append(Run(font, letters, glyphs, tuple(places)))
    return Setting(tuple(runs), at)


def spelled(text: str) -> str:
    """Normalize a text for setting: accents composed, every space plain, no invisible characters."""
    return "".join(map(shown_character, unicodedata.normalize("NFC", text)))


@lru_cache(MOST_REMEMBERED)
def shown_character(letter: str) -> str:
    """A character as it is set: a plain space for every space, and nothing for one that is invisible."""
    category = unicodedata.category(letter)
    if category[0] == "Z":
        return " "
    return "" if category in _UNSEEN or ord(letter) in _VARIANTS else letter


def unset(text: str) -> str:
    """Reason that words cannot be set, naming the first such letter; empty if all can."""
    for letter in spelled(text):
        if needs_shaping(letter):
            return tr("{letter} needs complex text shaping, which is not supported", letter=named_character(letter))
        if studio_font(letter, False) is None:
            return tr("no font has {letter}", letter=named_character(letter))
    return ""


@cache
def capitals() -> float:
    """Height of capitals in thousandths of an em."""
    font = _in_order(False)[0]
    return -min(numbers[-1] for letter, numbers in font.outline(font.glyphs[ord("H")]) if letter != "Z")


@cache
def fonts() -> tuple[Font, ...]:
    """All fonts, the studio's first; raises StudioError for a file that is not a font."""
    return tuple(_read(path) for folder in (FOLDER, own_fonts()) for path in sorted(folder.glob("*.[tT][tT][fF]")))


def own_fonts() -> Path:
    """Folder of makers' own fonts; raises StudioError if the system names no home folder."""
    return own_folder() / "fonts"


@cache
def _in_order(bold: bool) -> tuple[Font, ...]:
    """Fonts of a weight, then the others, which may have further letters."""
    return tuple(sorted(fonts(), key=lambda font: font.is_bold is not bold))


@lru_cache(MOST_REMEMBERED)
def studio_font(letter: str, bold: bool) -> Font | None:
    """First font that has a character, those of the weight first; None if none has it."""
    return next((font for font in _in_order(bold) if ord(letter) in font.glyphs), None)


@lru_cache(MOST_REMEMBERED)
def needs_shaping(letter: str) -> bool:
    """True if a character must be joined, stacked or set from right to left."""
    from fontTools.unicodedata import script

    if unicodedata.bidirectional(letter) in _LEFTWARDS or unicodedata.category(letter)[0] == "M":
        return True
    return ord(letter) in _JAMO or (unicodedata.category(letter)[0] == "L" and script(letter) not in _APART)


def named_character(letter: str) -> str:
    """A character with its code and name, for a sentence."""
    name = unicodedata.name(letter, "")
    code = f"U+{ord(letter):04X}"
    # A mark by itself would be drawn over the letter before it.
    shown = "" if unicodedata.category(letter)[0] in "MC" else f"“{letter}” "
    return f"{shown}({code} {name.lower()})" if name else f"{shown}({code})"


def _opened(data: bytes) -> Any:
    from fontTools.ttLib import TTFont

    return TTFont(io.BytesIO(data), recalcTimestamp=False, lazy=True)


def _read(path: Path) -> Font:
    """Read a font from a TrueType file; only its `kern` table is used for kerning."""
    try:
        data = content(path, _LARGEST)
    except StudioError as problem:
        raise StudioError(tr("The font {file} cannot be used: {problem}", file=path.name, problem=problem)) from problem
    with _usable(path.name):
        font = _opened(data)
        head, scale = font["head"], EM / font["head"].unitsPerEm
        tables = font["kern"].kernTables if "kern" in font else []
        advances = {glyph: scale * advance for glyph, (advance, _) in font["hmtx"].metrics.items()}
        pairs = {pair: kern for table in tables[:1] for pair, kern in getattr(table, "kernTable", {}).items()}
        known = Font(
            name=re.sub("[^A-Za-z0-9-]", "", font["name"].getDebugName(6) or path.stem),
            file=path.name,
            is_bold=font["OS/2"].usWeightClass >= _BOLD_FROM,
            data=data,
            order=tuple(font.getGlyphOrder()),
            glyphs={code: glyph for code, glyph in (font.getBestCmap() or {}).items() if glyph in advances},
            advances=advances,
            kerns={pair: scale * kern for pair, kern in pairs.items()},
            box=(scale * head.xMin, scale * head.yMin, scale * head.xMax, scale * head.yMax),
            ascent=scale * font["hhea"].ascent,
            descent=scale * font["hhea"].descent,
        )
        known.outline(MISSING)
    return known


@contextmanager
def _usable(name: str) -> Iterator[None]:
    """Turn fontTools' errors on a file into one sentence, and silence its log."""
    from fontTools.ttLib import TTLibError

    log = logging.getLogger("fontTools")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        yield
    except (
        TTLibError, OSError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError,
        struct.error, RecursionError,
    ) as problem:  # fmt: skip
        raise StudioError(
            tr("The font {file} cannot be used: it is damaged or not a TrueType font.", file=name)
        ) from problem
    finally:
        log.setLevel(before)


def _outline(glyphs: Any, glyph: str, scale: float) -> tuple[Command, ...]:
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    def pairs(points: Iterable[tuple[float, float]]) -> tuple[float, ...]:
        return tuple(number for x, y in points for number in (scale * x, -scale * y))

    pen = DecomposingRecordingPen(glyphs)
    glyphs[glyph].draw(pen)
    return tuple((letter, pairs(points)) for name, known in pen.value for letter, points in _steps(name, known))


def _steps(name: str, points: tuple[Any, ...]) -> list[tuple[str, tuple[Any, ...]]]:
    """Convert a pen's step to SVG steps: runs of quadratic curves become single curves."""
    from fontTools.pens.basePen import decomposeQuadraticSegment

    if name != "qCurveTo":
        return [(_STEPS[name], points)]
    if points[-1] is not None:
        return [("Q", part) for part in decomposeQuadraticSegment(points)]
    # A contour without an on-curve point begins between two off-curve points.
    (x0, y0), (x1, y1) = points[-2], points[0]
    start = ((x0 + x1) / 2, (y0 + y1) / 2)
    return [("M", (start,)), *(("Q", part) for part in decomposeQuadraticSegment((*points[:-1], start)))]


_STEPS = {"moveTo": "M", "lineTo": "L", "curveTo": "C", "closePath": "Z", "endPath": "Z"}
