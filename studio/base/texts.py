"""The words makers read: each passes through `tr`, so that a translation can follow.

A translation is a gettext catalogue `puzzle-studio.mo` where the system keeps them (share/locale), chosen by LANGUAGE
or LANG when the studio starts. Tables of parameters and problems pass theirs on as they are declared or reported.
"""

from __future__ import annotations

import gettext
from collections.abc import Iterable

from studio.base import units

_CATALOGUE = gettext.translation("puzzle-studio", fallback=True)


def tr(text: str, /, **values: object) -> str:
    """A text in the maker's language; with values, its `{names}` are filled in, lengths in the unit shown."""
    words = _CATALOGUE.gettext(text) if text else ""
    return units.filled(words, values) if values else words


def plural(count: int, one: str, several: str) -> str:
    """The noun that goes with a count in the maker's language."""
    return _CATALOGUE.ngettext(one, several, count)


def alternatives(words: Iterable[str]) -> str:
    """Words to choose from: A; A or B; A, B or C."""
    *most, last = words
    return tr("{most} or {last}", most=", ".join(most), last=last) if most else last


def within(title: str) -> str:
    """A title within a sentence: `Kerf` becomes `kerf`; `DXF curves` and `BurrTools puzzle` stay as they are."""
    first = title.partition(" ")[0]
    return title if first.isupper() or not first[1:].islower() else f"{title[:1].lower()}{title[1:]}"


def visible(text: str) -> str:
    """A text in which what no letter shows, such as a control character, stands as its escape: `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)
