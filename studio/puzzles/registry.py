"""The kinds of puzzle that the studio knows: one line each."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from studio.errors import StudioError
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.kind import AnyKind
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.zigzaw.kind import ZIGZAW
from studio.texts import tr

KINDS: tuple[AnyKind, ...] = (JIGSAW, CUBE, CALENDAR, ZIGZAW, SLITHERLINK)
USUAL: AnyKind = JIGSAW
"""What a new window shows."""


def kind(key: str) -> AnyKind:
    """The kind with a key; raises StudioError naming those there are."""
    for known in KINDS:
        if known.key == key:
            return known
    names = ", ".join(known.key for known in KINDS)
    raise StudioError(tr("Unknown kind of puzzle {key!r}; choose from {names}.", key=key[:40], names=names))


def own_module(known: AnyKind, room: str, name: str = "") -> ModuleType | None:
    """The module that a kind has for itself in a room, such as `studio.ui.kinds`; None for a kind that has none."""
    path = ".".join(filter(None, (room, known.key, name)))
    try:
        there = find_spec(path)
    except ModuleNotFoundError:  # a kind without a folder in the room
        return None
    return None if there is None else import_module(path)
