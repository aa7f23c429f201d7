"""The names of months and weekdays in makers' languages, read from resources/languages/.

A file has `title`, the language's own name for itself, and the texts of `month` and `weekday` in the order of their
values, short enough for a cell.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from studio.base.errors import StudioError, one_named
from studio.base.folders import shipped
from studio.base.texts import tr
from studio.puzzles.calendar.model import DAY, LARGEST_VALUE, LONGEST_SIDE, MONTH, WEEKDAY, Board

FOLDER = shipped("languages")
ENGLISH = "en"


@dataclass(frozen=True)
class Language:
    """A language: its key, its name for itself, and the texts of the groups that it has words for."""

    key: str
    title: str
    words: Mapping[str, tuple[str, ...]]


@cache
def languages() -> dict[str, Language]:
    """The languages there are, by their keys."""
    return {file.stem: _read(file) for file in sorted(FOLDER.glob("*.json"))}


def language(key: str) -> Language:
    """A language by its key; raises StudioError with those there are."""
    return one_named(languages(), key, tr("Unknown language"))


def texts(group: str, key: str = ENGLISH, count: int | None = None) -> tuple[str, ...]:
    """The labels of a group, in the order of the values: words, or numbers where there are no words.

    A group of the maker's own has `count` numbers.
    """
    words = language(key).words.get(group)
    if words is not None:
        return words
    most = LARGEST_VALUE.get(group, LONGEST_SIDE**2)
    if count is None and group != DAY:
        raise StudioError(tr("Enter the number of labels in the group {group}.", group=group))
    count = most if count is None else count
    if not 1 <= count <= most:
        raise StudioError(
            tr("The group {group} can have 1 to {most} labels, not {count}.", group=group, most=most, count=count)
        )
    return tuple(map(str, range(1, count + 1)))


def value_of(group: str, text: str) -> int | None:
    """The number that a text means in a group, in most languages that know it: `Okt` is 10, `31` is 31.

    None where it means none.
    """
    word = text.strip().casefold()
    if word.isascii() and word.isdigit():
        return int(word) if 1 <= int(word[:6]) <= LARGEST_VALUE.get(group, LONGEST_SIDE**2) else None
    found = Counter(
        number
        for known in languages().values()
        for number, name in enumerate(known.words.get(group, ()), 1)
        if name.casefold() == word
    ).most_common(2)
    return found[0][0] if found and (len(found) == 1 or found[0][1] > found[1][1]) else None


def spoken(board: Board) -> str:
    """The key of the language of most words on a board; English where there are none."""
    counts = {
        key: sum(
            label.text == known.words[label.group][label.value - 1]
            for label in board.labels
            if label.group in known.words
        )
        for key, known in languages().items()
    }
    return max(languages(), key=lambda key: (counts[key], key == ENGLISH))


def _read(file: Path) -> Language:
    known = json.loads(file.read_text("utf-8"))
    return Language(file.stem, known["title"], {group: tuple(known[group]) for group in (MONTH, WEEKDAY)})
