"""Which files a machine has a use for: a machine that takes only lines gets no picture."""

from __future__ import annotations

from studio.errors import StudioError

PICTURES = frozenset({".png"})
"""Formats of pixels; all others hold lines."""


def refuse_pictures(suffix: str, machine: str, *, takes_pictures: bool) -> None:
    """Raise StudioError, naming the machine, where a file of this suffix would be a picture and it takes none."""
    if suffix.lower() in PICTURES and not takes_pictures:
        name = suffix.lstrip(".").upper()
        raise StudioError(f"A {name} is a picture, and {machine} takes only lines; choose SVG or another format.")
