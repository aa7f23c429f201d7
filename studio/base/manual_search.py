"""The pages of the manual as text: sections, passages, and a search for words.

passage: a paragraph, a line of a list, a row of a table, a heading or a line of code; the unit of a search.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from studio.base.errors import StudioError
from studio.base.parameters import Declaration
from studio.base.texts import tr

INDEX = "index.md"
MAKING = ("laser.md", "printer.md")
"""Pages on all kinds that have rows of parameters."""
_LINK = re.compile(r"\]\((\w[\w-]*\.md)\)")
_CELLS = re.compile(r"(?<!\\)\|")
_RULE = re.compile(r"\|[ |:-]+\|")
_ITEM = re.compile(r"(- |\d+\. )")


@dataclass(frozen=True)
class Section:
    """A heading: its text, its level from 1, and its anchor in an address."""

    title: str
    level: int
    anchor: str


@dataclass(frozen=True)
class Passage:
    """A passage of a section as plain text: the cells of a table's row, or one cell for any other passage."""

    section: Section
    cells: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole passage."""
        return " · ".join(filter(None, self.cells))


@dataclass(frozen=True)
class Page:
    """A page by the name of its file; `markdown` is without comments."""

    name: str
    markdown: str
    sections: tuple[Section, ...]
    passages: tuple[Passage, ...]

    @property
    def title(self) -> str:
        """The first heading."""
        return self.sections[0].title if self.sections else self.name

    def has(self, anchor: str) -> bool:
        """True if a section has the anchor; every page has the empty anchor, its top."""
        return not anchor or any(section.anchor == anchor for section in self.sections)


@dataclass(frozen=True)
class Hit:
    """A passage with the sought words, and its page."""

    page: Page
    passage: Passage


@dataclass(frozen=True)
class Manual:
    """All pages, the index first."""

    folder: Path
    pages: tuple[Page, ...]

    def page(self, name: str) -> Page:
        """A page by the name of its file; raises StudioError if it is missing."""
        for page in self.pages:
            if page.name == name:
                return page
        raise StudioError(tr("The manual has no page “{name}”.", name=name))

    def has(self, place: str) -> bool:
        """True if a place such as `laser.md#sheets` exists."""
        name, _, anchor = place.partition("#")
        return any(page.name == name and page.has(anchor) for page in self.pages)

    def parameter(self, page: str, known: Declaration) -> tuple[str, str] | None:
        """Place and text of a parameter's row: on the page of its kind, or else on a page for all kinds."""
        row = {known.title, known.name, known.help}
        for here in sorted(self.pages, key=lambda one: one.name != page):
            for passage in here.passages if here.name in (page, *MAKING) else ():
                if row <= {*passage.cells}:
                    return f"{here.name}#{passage.section.anchor}", passage.text
        return None


def found(manual: Manual, text: str) -> list[Hit]:
    """Find the passages with every word of a text, headings first; an empty text finds none."""
    sought = words(text)
    if not sought:
        return []
    hits = [
        Hit(page, passage)
        for page in manual.pages
        for passage in page.passages
        if all(word in passage.text.casefold() for word in sought)
    ]
    return sorted(hits, key=lambda hit: hit.passage.cells != (hit.passage.section.title,))


def words(text: str) -> list[str]:
    """Split a search into case-folded words."""
    return text.casefold().split()


def around(text: str, sought: Sequence[str], room: int = 90) -> str:
    """Excerpt of a text around the first sought word, at most `room` letters, with dots for omissions."""
    if len(text) <= room:
        return text
    first = min((place for word in sought if (place := text.casefold().find(word)) >= 0), default=0)
    start = max(0, min(first - room // 3, len(text) - room))
    start = text.rfind(" ", 0, start + 1) + 1
    end = len(text) if start + room >= len(text) else text.rfind(" ", start, start + room)
    end = end if end > start else start + room
    return f"{'… ' if start else ''}{text[start:end]}{' …' if end < len(text) else ''}"


def anchor_of(heading: str) -> str:
    """Anchor of a heading in an address."""
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


@cache
def read(folder: Path) -> Manual:
    """Read the manual in a folder; raises StudioError if it is missing or unreadable."""
    try:
        index = (folder / INDEX).read_text(encoding="utf-8")
        names = [INDEX, *dict.fromkeys(_LINK.findall(index))]
        files = [path for name in names if os.path.isfile(path := folder / name)]
        return Manual(folder, tuple(_page(path) for path in files))
    except (OSError, UnicodeDecodeError):
        raise StudioError(tr("The manual is missing. Reinstall Puzzle Studio to restore it.")) from None


def _page(path: Path) -> Page:
    text = re.sub(r"<!--.*?-->\n*", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
    passages = tuple(_passages(text))
    sections = tuple(dict.fromkeys(passage.section for passage in passages))
    return Page(path.name, text, sections, passages)


def _passages(text: str) -> Iterator[Passage]:
    section = Section("", 1, "")
    for kind, line in _parts(text.split("\n")):
        if kind == "heading":
            marks, _, title = line.partition(" ")
            section = Section(plain(title), len(marks), anchor_of(title))
            yield Passage(section, (section.title,))
        elif kind == "row":
            cells = _CELLS.split(line.strip().strip("|"))
            yield Passage(section, tuple(plain(cell.replace("\\|", "|").strip()) for cell in cells))
        elif words := line.strip() if kind == "code" else plain(line):
            yield Passage(section, (words,))


def _parts(lines: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield the parts of a page, each with its kind; the lines of a paragraph or an item are joined."""
    joined: list[str] = []
    is_code = False
    for line in [*lines, ""]:
        kind = _kind(line, is_code)
        if kind == "fence":
            is_code = not is_code
        if kind != "text" and joined:
            yield "text", " ".join(joined)
            joined = []
        if kind in ("item", "text"):
            joined.append(_ITEM.sub("", line, count=1) if kind == "item" else line.strip())
        elif kind in ("heading", "row", "code"):
            yield kind, line


def _kind(line: str, is_code: bool) -> str:
    if line.startswith("```"):
        return "fence"
    if not line.strip():
        return "blank"
    if is_code:
        return "code"
    if line.startswith("#"):
        return "heading"
    if line.startswith("|"):
        return "rule" if _RULE.fullmatch(line) else "row"
    return "item" if _ITEM.match(line) else "text"


def plain(markdown: str) -> str:
    """Plain text of a line of Markdown: the words of links, no marks, no pictures.

    >>> plain("a **board**, `C4`, see [there](laser.md#sheets)")
    'a board, C4, see there'
    """
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", markdown)
    text = re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", text)
    return re.sub(r"`([^`]*)`", r"\1", re.sub(r"\*\*(.*?)\*\*", r"\1", text)).strip()
