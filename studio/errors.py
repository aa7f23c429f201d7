"""Failures that are told to the maker in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from studio.texts import tr

T = TypeVar("T")


class StudioError(Exception):
    """An expected failure; its text is the sentence that the maker reads."""


def one_named(known: Mapping[str, T], key: str, what: str) -> T:
    """The one with a key; raises StudioError naming those there are, `what` being the word for one of them."""
    if key not in known:
        if not known:
            raise StudioError(tr("Unknown {what} {key!r}; there are none.", what=what, key=key[:60]))
        names = ", ".join(known)
        raise StudioError(tr("Unknown {what} {key!r}; choose from {names}.", what=what, key=key[:60], names=names))
    return known[key]
