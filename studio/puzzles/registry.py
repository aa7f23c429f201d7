"""The kinds of puzzle that the studio knows, each imported when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from studio.errors import StudioError
from studio.puzzles.kind import AnyKind
from studio.texts import tr


@dataclass(frozen=True)
class Listed:
    """What a menu says of a kind, and the kind itself when it is wanted."""

    title: str
    found: Callable[[], AnyKind]


def _jigsaw() -> AnyKind:
    from studio.puzzles.jigsaw.kind import JIGSAW

    return JIGSAW


def _cube() -> AnyKind:
    from studio.puzzles.cube.kind import CUBE

    return CUBE


def _calendar() -> AnyKind:
    from studio.puzzles.calendar.kind import CALENDAR

    return CALENDAR


def _zigzaw() -> AnyKind:
    from studio.puzzles.zigzaw.kind import ZIGZAW

    return ZIGZAW


def _slitherlink() -> AnyKind:
    from studio.puzzles.slitherlink.kind import SLITHERLINK

    return SLITHERLINK


KINDS: dict[str, Listed] = {
    "jigsaw": Listed(tr("Jigsaw"), _jigsaw),
    "cube": Listed(tr("Cube"), _cube),
    "calendar": Listed(tr("Calendar"), _calendar),
    "zigzaw": Listed(tr("Zigzaw"), _zigzaw),
    "slitherlink": Listed(tr("Slitherlink"), _slitherlink),
}
"""The kinds by key, in the order of menus; whoever opens one of them waits for no other."""
USUAL = "jigsaw"
"""What a new window shows."""


def kind(key: str) -> AnyKind:
    """The kind with a key; raises StudioError naming those there are."""
    if key in KINDS:
        return KINDS[key].found()
    raise StudioError(tr("Unknown kind of puzzle {key!r}; choose from {names}.", key=key[:40], names=", ".join(KINDS)))


def kinds() -> tuple[AnyKind, ...]:
    """Every kind, in the order of menus."""
    return tuple(listed.found() for listed in KINDS.values())


def own_module(key: str, room: str, name: str = "") -> ModuleType | None:
    """The module that a kind has for itself in a room, such as `studio.ui.kinds`; None for a kind that has none."""
    path = ".".join(filter(None, (room, key, name)))
    try:
        there = find_spec(path)
    except ModuleNotFoundError:  # a kind without a folder in the room
        return None
    return None if there is None else import_module(path)
