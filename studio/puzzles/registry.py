"""The kinds of puzzle that the studio knows."""

from __future__ import annotations

from studio.errors import StudioError
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.kind import AnyKind

KINDS: tuple[AnyKind, ...] = (JIGSAW, CUBE, CALENDAR)


def kind(key: str) -> AnyKind:
    """The kind with a key; raises StudioError naming those there are."""
    for known in KINDS:
        if known.key == key:
            return known
    names = ", ".join(known.key for known in KINDS)
    raise StudioError(f"{key[:40]!r} is no kind of puzzle; there are: {names}.")
