"""Which extensions a kind of puzzle and its abilities bring to a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from studio.puzzles.registry import own_module
from studio.ui.session.extension import Extension
from studio.ui.session.games import Games
from studio.ui.session.session import Session
from studio.ui.shell.filing import GameFiling

if TYPE_CHECKING:
    from studio.puzzles.abilities.cut import Cut
    from studio.puzzles.abilities.formats import Formats
    from studio.puzzles.abilities.pages import Pages
    from studio.puzzles.abilities.played import Played
    from studio.puzzles.abilities.printed import Printed


def _cut(session: Session, able: Cut[Any]) -> Extension[Any]:
    from studio.ui.abilities.cut import CutExtension

    return CutExtension(session, able)


def _printed(session: Session, able: Printed[Any, Any]) -> Extension[Any]:
    from studio.ui.abilities.printed import PrintedExtension

    return PrintedExtension(session, able)


def _pages(session: Session, able: Pages[Any]) -> Extension[Any]:
    from studio.ui.abilities.pages import PagesExtension

    return PagesExtension(session, able)


def _formats(session: Session, able: Formats[Any]) -> Extension[Any]:
    from studio.ui.abilities.formats import FormatsExtension

    return FormatsExtension(session, able)


def _played(session: Session, _able: Played[Any, Any]) -> Extension[Any]:
    return GameFiling(session)


BROUGHT: dict[str, Callable[[Session, Any], Extension[Any]]] = {
    "Cut": _cut,
    "Printed": _printed,
    "Pages": _pages,
    "Formats": _formats,
    "Played": _played,
}
"""What each ability brings, by the name of its class, in the order of the File menu; neither is imported for a kind
that is not able."""


def of_abilities(session: Session) -> list[Extension[Any]]:
    """The extensions that the abilities of the session's kind bring."""
    able = {type(each).__name__: each for each in session.kind.abilities}
    return [make(session, able[name]) for name, make in BROUGHT.items() if name in able]


def of_kind(session: Session) -> Extension[Any]:
    """The extension of the session's kind: `EXTENSION` of its own module `extension`; without one moves are typed."""
    module = own_module(session.kind.key, "studio.ui.kinds", "extension")
    if module is None:
        return Extension(session) if session.games is None else _typed(session, session.games)
    own: Extension[Any] = module.EXTENSION(session)
    return own


def _typed(session: Session, games: Games) -> Extension[Any]:
    from studio.ui.play.game_page import TypedExtension

    return TypedExtension(session, games)
