"""Failures that are reported to the maker in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import TypeVar

from studio.base.texts import tr

T = TypeVar("T")
MOST_LISTED, MOST_NEAR = 60, 8
"""Limit for keys that are all listed, and number of those listed of more, the most similar ones."""


class StudioError(Exception):
    """An expected failure; its text is the sentence that the maker reads."""


def one_named(known: Mapping[str, T], key: str, unknown: str) -> T:
    """Look up a key; a missing one raises StudioError with known keys after `unknown`, such as `Unknown board`."""
    if key not in known:
        if not known:
            raise StudioError(tr("{unknown} {key!r}; there are none.", unknown=unknown, key=key[:60]))
        if len(known) > MOST_LISTED:
            near = get_close_matches(key[:60], known, MOST_NEAR, 0.0)
            raise StudioError(tr(
                "{unknown} {key!r}; choose from {names} and {count} more.", unknown=unknown, key=key[:60],
                names=", ".join(near), count=len(known) - len(near),
            ))  # fmt: skip
        names = ", ".join(known)
        raise StudioError(tr("{unknown} {key!r}; choose from {names}.", unknown=unknown, key=key[:60], names=names))
    return known[key]
