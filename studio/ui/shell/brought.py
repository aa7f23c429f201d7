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
from studio.ui.abilities.cut import CutParts
from studio.ui.abilities.formats import FormatsParts
from studio.ui.abilities.pages import PagesParts
from studio.ui.abilities.played import PlayedParts, TypedParts
from studio.ui.abilities.printed import PrintedParts
from studio.ui.session.parts import Parts
from studio.ui.session.session import Session

BROUGHT: dict[type[Any], Callable[[Session, Any], Parts[Any]]] = {
    Cut: CutParts,
    Printed: PrintedParts,
    Pages: PagesParts,
    Formats: FormatsParts,
    Played: PlayedParts,
}
"""What each ability brings, in the order of the File menu."""


def of_abilities(session: Session) -> list[Parts[Any]]:
    """What the abilities of the session's kind bring."""
    found = ((make, session.kind.able(ability)) for ability, make in BROUGHT.items())
    return [make(session, able) for make, able in found if able is not None]


def of_kind(session: Session) -> Parts[Any]:
    """What the session's kind itself brings: `PARTS` of its own module `parts`; without one its moves are typed."""
    module = own_module(session.kind, "studio.ui.kinds", "parts")
    if module is None:
        return Parts(session) if session.games is None else TypedParts(session, session.games)
    own: Parts[Any] = module.PARTS(session)
    return own
