"""Texts that makers read: each passes through `tr` for translation.

A translation is a gettext catalogue `puzzle-studio.mo` where the system keeps them (share/locale), chosen by LANGUAGE
or LANG when the studio starts. Tables of parameters and problems pass theirs on as they are declared or reported.
"""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterable

from studio.base import units

_CATALOGUE = gettext.translation("puzzle-studio", fallback=True)


def tr(text: str, /, **values: object) -> str:
    """Translate a text; values fill in its `{names}`, lengths in the unit shown."""
    words = _CATALOGUE.gettext(text) if text else ""
    return units.filled(words, values) if values else words


def plural(count: int, one: str, several: str) -> str:
    """Translate a noun in the number that its count takes."""
    return _CATALOGUE.ngettext(one, several, count)


def alternatives(words: Iterable[str]) -> str:
    """Join words into a choice: A; A or B; A, B or C."""
    *most, last = words
    return tr("{most} or {last}", most=", ".join(most), last=last) if most else last


def within(title: str) -> str:
    """A title within a sentence: `Kerf` becomes `kerf`; `DXF curves` and `BurrTools puzzle` stay as they are."""
    first = title.partition(" ")[0]
    return title if first.isupper() or not first[1:].islower() else f"{title[:1].lower()}{title[1:]}"


def separated(text: str) -> list[str]:
    """Split a text at semicolons; a semicolon within a part is doubled.

    >>> separated("flip A1; rename L to a;;b;;; pin 1,1;")
    ['flip A1', 'rename L to a;b;', 'pin 1,1']
    """
    parts = re.findall("(?:[^;]|;;)+", text)
    return [part.strip().replace(";;", ";") for part in parts if part.strip()]


def visible(text: str) -> str:
    """Replace unprintable characters, such as control characters, by their escapes: `\\x1b`."""
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else each.encode("unicode_escape").decode("ascii") for each in text)
