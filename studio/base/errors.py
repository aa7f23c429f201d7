"""Failures that are reported to the maker in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

from studio.base.texts import tr

T = TypeVar("T")


class StudioError(Exception):
    """An expected failure; its text is the sentence that the maker reads."""


def one_named(known: Mapping[str, T], key: str, unknown: str) -> T:
    """Look up a key; a missing one raises StudioError with the known keys after `unknown`, such as `Unknown board`."""
    if key not in known:
        if not known:
            raise StudioError(tr("{unknown} {key!r}; there are none.", unknown=unknown, key=key[:60]))
        names = ", ".join(known)
        raise StudioError(tr("{unknown} {key!r}; choose from {names}.", unknown=unknown, key=key[:60], names=names))
    return known[key]
