"""Shaped text: ligatures, marks and joined scripts of any OpenType font, set by HarfBuzz, and the installed fonts.

Lengths are in thousandths of an em, from the start of a line and its foot, to the right and down. A variable font is
used at its default instance.
"""

from __future__ import annotations

import os
import sys
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property, lru_cache
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr, visible
from studio.paper.fonts import EM, FOLDER, Command, named_character, own_fonts, shown_character, studio_font

LARGEST = 256 * 2**20
"""Bytes of the largest font file; fonts of Chinese have tens of megabytes."""
MOST_STEPS = 40_000
"""Most lines and curves of a line of text: sixty letters of rough brushes have half as many."""
CAPITALS = 0.7
"""Height of capitals, in em, in a font that does not state it and has no H."""
OUTLINES = frozenset({"glyf", "CFF ", "CFF2"})
"""Tables with outlines; a font of pictures alone has none of them."""
_JOINERS = "\u200c\u200d"
_COMMON = frozenset({"Zyyy", "Zinh", "Zzzz"})
# Scripts whose letters are joined, so that room between letters would tear them apart.
_JOINED = frozenset({
    "Arab", "Syrc", "Nkoo", "Mong", "Mand", "Phag", "Rohg", "Adlm", "Deva", "Beng", "Guru", "Tibt",
})  # fmt: skip


@dataclass(frozen=True, eq=False)
class Face:
    """A font of a file; `data` holds one or several, this is the one with the index."""

    name: str
    data: bytes
    index: int = 0

    @cached_property
    def _font(self) -> Any:
        import uharfbuzz

        return uharfbuzz.Font(uharfbuzz.Face(self.data, self.index))

    @cached_property
    def _scale(self) -> float:
        return EM / float(self._font.face.upem)

    @cached_property
    def _outlines(self) -> dict[int, tuple[Command, ...]]:
        return {}

    @cached_property
    def capitals(self) -> float:
        """Height of capitals."""
        import uharfbuzz

        stated = self._font.get_metric_position(uharfbuzz.OTMetricsTag.CAP_HEIGHT) or 0
        if stated <= 0:
            extents = self._font.get_glyph_extents(self._font.get_nominal_glyph(ord("H")) or 0)
            stated = extents.y_bearing if extents is not None and self.has("H") else 0
        return self._scale * stated if stated > 0 else CAPITALS * EM

    def has(self, letter: str) -> bool:
        """True if the font has a glyph for a character."""
        return bool(self._font.get_nominal_glyph(ord(letter)))

    def outline(self, glyph: int) -> tuple[Command, ...]:
        """Outline of a glyph, y downwards."""
        if glyph not in self._outlines:
            pen = _Pen(self._scale)
            self._font.draw_glyph_with_pen(glyph, pen)
            self._outlines[glyph] = tuple(pen.steps)
        return self._outlines[glyph]

    def shaped(self, text: str, start: int, end: int, script: str, is_leftwards: bool) -> Iterator[_Placed]:
        """Shape a part of a line in one script, whose neighbours decide how its ends join; from left to right."""
        import uharfbuzz

        buffer = uharfbuzz.Buffer()
        buffer.add_str(text, start, end - start)
        buffer.direction = "rtl" if is_leftwards else "ltr"
        buffer.script = script
        # Without a language HarfBuzz would take that of the system.
        buffer.language = "und"
        uharfbuzz.shape(self._font, buffer)
        for info, place in zip(buffer.glyph_infos, buffer.glyph_positions, strict=True):
            yield _Placed(
                info.cluster, info.codepoint, self._scale * place.x_advance,
                self._scale * place.x_offset, -self._scale * place.y_offset,
            )  # fmt: skip


@dataclass(frozen=True)
class _Placed:
    """A glyph of a shaped part: the place of its first character, its advance and its shift."""

    at: int
    glyph: int
    advance: float
    right: float
    down: float


class _Pen:
    """Records the outline of a glyph as steps of SVG, y downwards."""

    def __init__(self, scale: float) -> None:
        self.steps: list[Command] = []
        self._scale = scale

    def _step(self, letter: str, *points: tuple[float, float]) -> None:
        self.steps.append((letter, tuple(number for x, y in points for number in (self._scale * x, -self._scale * y))))

    def moveTo(self, point: tuple[float, float]) -> None:  # noqa: N802  # called so by HarfBuzz, as all here
        self._step("M", point)

    def lineTo(self, point: tuple[float, float]) -> None:  # noqa: N802
        self._step("L", point)

    def qCurveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._step("Q", *points)

    def curveTo(self, *points: tuple[float, float]) -> None:  # noqa: N802
        self._step("C", *points)

    def closePath(self) -> None:  # noqa: N802
        self._step("Z")


@dataclass(frozen=True, eq=False)
class Cluster:
    """Characters that are drawn together, such as a letter with its marks or a ligature; `outline` is at `place`."""

    text: str
    at: int
    """Place of its first character in the line."""
    outline: tuple[Command, ...]
    place: float
    advance: float
    is_joined: bool
    """True in a script of joined letters."""


@dataclass(frozen=True, eq=False)
class ShapedLine:
    """A shaped line, its clusters from left to right, and its width."""

    clusters: tuple[Cluster, ...]
    width: float


def written(text: str) -> str:
    """Normalize a line of text: accents composed, spaces plain, no invisible characters but joiners."""
    return "".join(
        each if each in _JOINERS else shown_character(each) for each in unicodedata.normalize("NFC", text)
    ).strip()


@lru_cache(64)
def shaped(text: str, face: Face | None, bold: bool = True) -> ShapedLine:
    """Shape a line of text in a font, or in the studio's own fonts; raises StudioError for a character without glyph.

    Runs of one direction and one script are put in the order in which they are read.
    """
    words = written(text)
    choose = (lambda _letter: face) if face is not None else _studio_face_for(bold)
    levels, scripts, faces = _levels(words), _scripts(words), _faces(words, choose)
    parts = [
        (level, [at for at, _ in group])
        for (level, _, _), group in groupby(
            enumerate(zip(levels, scripts, map(id, faces), strict=True)), key=lambda one: one[1]
        )
    ]
    clusters: list[Cluster] = []
    pen, steps = 0.0, 0
    for at in _in_reading_order([level for level, _ in parts]):
        level, places = parts[at]
        start, end, font = places[0], places[-1] + 1, faces[places[0]]
        placed = font.shaped(words, start, end, scripts[start], level % 2 == 1)
        found = [(first, [*group]) for first, group in groupby(placed, key=lambda one: one.at)]
        ends = dict(zip(known := sorted(first for first, _ in found), [*known[1:], end], strict=True))
        for first, glyphs in found:
            letters = words[first : ends[first]]
            if any(one.glyph == 0 for one in glyphs):
                raise StudioError(_lacking(font, letters))
            outline: list[Command] = []
            begin = pen
            for one in glyphs:
                outline += _moved(font.outline(one.glyph), pen - begin + one.right, one.down)
                pen += one.advance
            steps += len(outline)
            if steps > MOST_STEPS:
                raise StudioError(tr("{font} draws these letters in too many curves", font=font.name))
            is_joined = scripts[first] in _JOINED
            clusters.append(Cluster(letters, first, tuple(outline), begin, pen - begin, is_joined))
    return ShapedLine(tuple(clusters), pen)


def _moved(outline: Sequence[Command], right: float, down: float) -> Iterator[Command]:
    for letter, numbers in outline:
        yield letter, tuple(number + (down if at % 2 else right) for at, number in enumerate(numbers))


def _lacking(face: Face, letters: str) -> str:
    letter = next((one for one in letters if not face.has(one)), letters[0])
    return tr("{font} has no {letter}", font=face.name, letter=named_character(letter))


def face_in(path: Path, index: int = 0) -> Face:
    """Read a font from a file; raises StudioError if it is not a TrueType or OpenType font with outlines."""
    try:
        changed = path.stat().st_mtime_ns
    except (OSError, ValueError):
        changed = 0
    return _face_in(path, index, changed)


@lru_cache(16)
def _face_in(path: Path, index: int, _changed: int) -> Face:
    import uharfbuzz

    try:
        data = content(path, LARGEST)
    except StudioError as problem:
        raise StudioError(tr("The font {file} cannot be used: {problem}", file=path.name, problem=problem)) from problem
    found = uharfbuzz.Face(data, index)
    if not found.glyph_count or index >= found.count or not OUTLINES.intersection(found.table_tags):
        raise StudioError(
            tr("The font {file} cannot be used: it is damaged or not a TrueType or OpenType font.", file=path.name)
        )
    return Face(face_name(found) or path.stem, data, index)


def face_name(face: Any) -> str:
    """Name of HarfBuzz's face in menus: its family, then its style unless that is Regular."""
    family = (face.get_name(16) or face.get_name(1) or "").strip()
    style = (face.get_name(17) or face.get_name(2) or "").strip()
    words = family if style in ("", "Regular", "Book", "Normal", "Roman") else f"{family} {style}"
    return "".join(letter for letter in words if letter.isprintable())[:80]


def _studio_face_for(bold: bool) -> Callable[[str], Face]:
    def choose(letter: str) -> Face:
        font = studio_font(letter, bold)
        if font is None:
            raise StudioError(tr("no font has {letter}", letter=named_character(letter)))
        return _studio_face(font)

    return choose


@lru_cache(64)
def _studio_face(font: Any) -> Face:
    return Face(font.name, font.data)


def _faces(text: str, choose: Callable[[str], Face]) -> list[Face]:
    """Font of each character; marks and spaces are set in the font of the letter before them if it has them."""
    faces: list[Face] = []
    for letter in text:
        if faces and (letter in _JOINERS or (unicodedata.category(letter)[0] in "MZ" and faces[-1].has(letter))):
            faces.append(faces[-1])
        else:
            faces.append(choose(" " if letter in _JOINERS else letter))
    return faces


def _scripts(text: str) -> list[str]:
    """Script of each character; signs of all scripts take that of the letter before them, else of the first letter."""
    from fontTools.unicodedata import script

    found = [script(letter) for letter in text]
    before = next((one for one in found if one not in _COMMON), "Latn")
    for at, one in enumerate(found):
        before = found[at] = before if one in _COMMON else one
    return found


def _levels(text: str) -> list[int]:
    """Levels of a line's characters in Unicode's bidirectional algorithm, which are odd from right to left.

    Invisible marks of direction and pairs of brackets are not looked at.
    """
    kinds = [unicodedata.bidirectional(letter) or "L" for letter in text]
    base = int(next((kind for kind in kinds if kind in ("L", "R", "AL")), "L") != "L")
    strong = "R" if base else "L"
    for at, kind in enumerate(kinds):
        if kind == "NSM":
            kinds[at] = kinds[at - 1] if at else strong
        elif kind == "EN":
            kinds[at] = {"AL": "AN", "L": "L"}.get(strong, "EN")
        elif kind in ("ES", "CS") and 0 < at < len(kinds) - 1 and kinds[at - 1] in ("EN", "AN"):
            kinds[at] = kinds[at - 1] if unicodedata.bidirectional(text[at + 1]) == "EN" else "ON"
        if kind in ("L", "R", "AL"):
            strong = kind
    sides = [{"L": "L", "R": "R", "AL": "R", "EN": "R", "AN": "R"}.get(kind, "") for kind in kinds]
    own = "R" if base else "L"
    at = 0
    for side, group in groupby(sides):
        count = len([*group])
        if not side:
            before = sides[at - 1] if at else own
            after = sides[at + count] if at + count < len(sides) else own
            sides[at : at + count] = [before if before == after else own] * count
        at += count
    return [
        2 if kind in ("EN", "AN") else 1 if side == "R" else 2 * base for kind, side in zip(kinds, sides, strict=True)
    ]


def _in_reading_order(levels: Sequence[int]) -> list[int]:
    """Indices of runs from left to right: from the highest level down, runs of at least that level are reversed."""
    order = [*range(len(levels))]
    for level in range(max(levels, default=0), 0, -1):
        turned: list[int] = []
        for is_high, group in groupby(order, key=lambda at: levels[at] >= level):
            together = [*group]
            turned += together[::-1] if is_high else together
        order = turned
    return order


# Fonts of the system and of the maker, by name: found in the usual folders, without the system's own services


SUFFIXES = frozenset({".ttf", ".otf", ".ttc", ".otc"})
MOST_FILES, DEEPEST, MOST_IN_FILE = 6000, 8, 64
"""Most files that are read, levels of folders, and fonts in one file."""
MOST_ALIKE = 6
"""Most names offered in place of one that is not known."""


@dataclass(frozen=True)
class InstalledFont:
    """A font in a file; its name is its family, with its style unless that is Regular."""

    name: str
    path: Path
    index: int = 0

    def face(self) -> Face:
        """Read the font; raises StudioError if its file has changed."""
        return face_in(self.path, self.index)


def folders() -> tuple[Path, ...]:
    """Folders of fonts: the maker's, the studio's, then the system's."""
    home = Path(os.path.expanduser("~"))
    if sys.platform == "darwin":
        usual = [home / "Library/Fonts", Path("/Library/Fonts"), Path("/System/Library/Fonts")]
    elif sys.platform == "win32":
        local, windows = os.environ.get("LOCALAPPDATA", ""), os.environ.get("WINDIR", r"C:\Windows")
        usual = [Path(local) / "Microsoft/Windows/Fonts"] if local else []
        usual.append(Path(windows) / "Fonts")
    else:
        own = os.environ.get("XDG_DATA_HOME") or home / ".local/share"
        shared = os.environ.get("XDG_DATA_DIRS") or "/usr/local/share:/usr/share"
        usual = [Path(own) / "fonts", home / ".fonts"]
        usual += [Path(each) / "fonts" for each in shared.split(":") if os.path.isabs(each)]
    usual.insert(0, FOLDER)
    with suppress(StudioError):  # the system names no home folder
        usual.insert(0, own_fonts())
    return tuple(usual)


@cache
def installed() -> tuple[InstalledFont, ...]:
    """All fonts with outlines, sorted by name; of several with one name the first. They are looked for once."""
    return found_in(folders())


def found_in(places: tuple[Path, ...], progress: Progress = SILENT) -> tuple[InstalledFont, ...]:
    """Find the fonts with outlines in folders; files that are no fonts are passed over."""
    known: dict[str, InstalledFont] = {}
    files = [*islice((path for place in places for path in _files(place)), MOST_FILES)]
    for at, path in enumerate(files):
        progress.step(at / len(files))
        for one in _fonts_of(path):
            known.setdefault(one.name.casefold(), one)
    return tuple(known[name] for name in sorted(known))


def _files(place: Path) -> Iterator[Path]:
    """Files of fonts in a folder and the folders in it, each folder once even if links lead to it."""
    seen: set[str] = set()
    for folder, inner, names in os.walk(place, followlinks=True):
        real = os.path.realpath(folder)
        if real in seen or len(Path(folder).relative_to(place).parts) >= DEEPEST:
            inner.clear()
        if real not in seen:
            seen.add(real)
            inner.sort()
            yield from (Path(folder, name) for name in sorted(names) if Path(name).suffix.lower() in SUFFIXES)


def _fonts_of(path: Path) -> Iterator[InstalledFont]:
    import uharfbuzz

    try:
        if not os.path.isfile(path) or path.stat().st_size > LARGEST:
            return
        # The file is not read but mapped: only its table of names is looked at.
        blob = uharfbuzz.Blob.from_file_path(os.fspath(path))
    except (OSError, ValueError, uharfbuzz.HarfBuzzError):
        return
    face = uharfbuzz.Face(blob, 0)
    for index in range(min(face.count, MOST_IN_FILE)):
        face = face if index == 0 else uharfbuzz.Face(blob, index)
        name = face_name(face)
        # Fonts whose names begin with a dot are for the system alone.
        if name and not name.startswith(".") and OUTLINES.intersection(face.table_tags):
            yield InstalledFont(name, path, index)


def face_of(name: str) -> Face:
    """Read a font by its name, or by the path of its file; raises StudioError if there is none."""
    path = Path(name).expanduser()
    if path.suffix.lower() in SUFFIXES:
        return face_in(path.resolve())
    wanted = name.strip().casefold()
    fonts = installed()
    for one in fonts:
        if one.name.casefold() == wanted:
            return one.face()
    near = get_close_matches(wanted, [one.name.casefold() for one in fonts], MOST_ALIKE, 0.5)
    near += [one.name.casefold() for one in fonts if wanted and wanted in one.name.casefold()]
    alike = [one.name for one in fonts if one.name.casefold() in near][:MOST_ALIKE]
    shown = visible(name[:60])
    if alike:
        raise StudioError(tr("There is no font {name!r}. Similar: {fonts}.", name=shown, fonts=", ".join(alike)))
    raise StudioError(tr("There is no font {name!r} on this computer.", name=shown))
