"""Which parts a kind of puzzle and its abilities bring to a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studio.puzzles.abilities.cut import Cut
from studio.puzzles.abilities.formats import Formats
from studio.puzzles.abilities.pages import Pages
from studio.puzzles.abilities.played import Played
from studio.puzzles.abilities.printed import Printed
from studio.puzzles.registry import own_module
from studio.ui.session.games import Games
from studio.ui.session.parts import Parts
from studio.ui.session.session import Session


def _cut(session: Session, able: Cut[Any]) -> Parts[Any]:
    from studio.ui.abilities.cut import CutParts

    return CutParts(session, able)


def _printed(session: Session, able: Printed[Any, Any]) -> Parts[Any]:
    from studio.ui.abilities.printed import PrintedParts

    return PrintedParts(session, able)


def _pages(session: Session, able: Pages[Any]) -> Parts[Any]:
    from studio.ui.abilities.pages import PagesParts

    return PagesParts(session, able)


def _formats(session: Session, able: Formats[Any]) -> Parts[Any]:
    from studio.ui.abilities.formats import FormatsParts

    return FormatsParts(session, able)


def _played(session: Session, able: Played[Any, Any]) -> Parts[Any]:
    from studio.ui.abilities.played import PlayedParts

    return PlayedParts(session, able)


BROUGHT: dict[type[Any], Callable[[Session, Any], Parts[Any]]] = {
    Cut: _cut,
    Printed: _printed,
    Pages: _pages,
    Formats: _formats,
    Played: _played,
}
"""What each ability brings, in the order of the File menu; it is imported for a kind that is able."""


def of_abilities(session: Session) -> list[Parts[Any]]:
    """What the abilities of the session's kind bring."""
    found = ((make, session.kind.able(ability)) for ability, make in BROUGHT.items())
    return [make(session, able) for make, able in found if able is not None]


def of_kind(session: Session) -> Parts[Any]:
    """What the session's kind itself brings: `PARTS` of its own module `parts`; without one its moves are typed."""
    module = own_module(session.kind.key, "studio.ui.kinds", "parts")
    if module is None:
        return Parts(session) if session.games is None else _typed(session, session.games)
    own: Parts[Any] = module.PARTS(session)
    return own


def _typed(session: Session, games: Games) -> Parts[Any]:
    from studio.ui.abilities.played import TypedParts

    return TypedParts(session, games)
