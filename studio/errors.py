"""Failures that are told to the maker in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")


class StudioError(Exception):
    """An expected failure; its text is the sentence that the maker reads."""


def one_named(known: Mapping[str, T], key: str, what: str) -> T:
    """The one with a key; raises StudioError naming those there are, `what` being the word for one of them."""
    if key not in known:
        raise StudioError(f"There is no {what} {key[:60]!r}; there are {', '.join(known) or 'none'}.")
    return known[key]
