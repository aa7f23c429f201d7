"""The kinds of puzzle that the studio knows, each imported when it is first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import TYPE_CHECKING

from studio.base.errors import StudioError
from studio.base.progress import named
from studio.base.texts import tr, within

if TYPE_CHECKING:
    from studio.puzzles.kind import AnyKind


@dataclass(frozen=True)
class Listed:
    """A kind's entry in menus, and the name from which the kind itself is imported on demand."""

    title: str
    name: str
    summary: str
    """The kind in one sentence."""

    @property
    def noun(self) -> str:
        """The kind within a sentence: `jigsaw`."""
        return within(self.title)

    def found(self) -> AnyKind:
        """The kind."""
        kind: AnyKind = named(self.name)
        return kind


KINDS: dict[str, Listed] = {
    "jigsaw": Listed(
        tr("Jigsaw"),
        "studio.puzzles.jigsaw.kind:JIGSAW",
        tr("A classic or irregular jigsaw: shape every tongue, check it, then cut it."),
    ),
    "cube": Listed(
        tr("Cube"),
        "studio.puzzles.cube.kind:CUBE",
        tr("Six flat toothed pieces that assemble into a box in exactly one way, verified before you print or cut."),
    ),
    "calendar": Listed(
        tr("Calendar"),
        "studio.puzzles.calendar.kind:CALENDAR",
        tr("Cover everything but today's date; verified for every day of the year."),
    ),
    "zigzaw": Listed(
        tr("Zigzaw"),
        "studio.puzzles.zigzaw.kind:ZIGZAW",
        tr("Identical shapes that form pictures of cubes, with one proven solution."),
    ),
    "slitherlink": Listed(
        tr("Slitherlink"),
        "studio.puzzles.slitherlink.kind:SLITHERLINK",
        tr("One loop, one proven solution, as hard as you like."),
    ),
}
"""The kinds by key, in the order of menus; opening one of them loads no other."""
USUAL = "jigsaw"
"""The kind in a new window."""


def kind(key: str) -> AnyKind:
    """The kind with a key; raises StudioError with the known keys."""
    if key in KINDS:
        return KINDS[key].found()
    raise StudioError(tr("Unknown kind of puzzle {key!r}; choose from {names}.", key=key[:40], names=", ".join(KINDS)))


def kinds() -> tuple[AnyKind, ...]:
    """Every kind, in the order of menus."""
    return tuple(listed.found() for listed in KINDS.values())


def own_module(key: str, room: str, name: str = "") -> ModuleType | None:
    """Import the module of a kind in a room, such as `studio.ui.kinds`; None if the kind has none there."""
    path = f"{room}.{key}"
    if find_spec(path) is None or (name and find_spec(f"{path}.{name}") is None):
        return None
    return import_module(f"{path}.{name}" if name else path)
