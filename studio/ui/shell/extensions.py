"""The extensions of a window, by kind of puzzle and by ability."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from studio.puzzles.registry import own_module
from studio.ui.session.extension import Extension
from studio.ui.session.games import Games
from studio.ui.session.session import Session
from studio.ui.shell.filing import GameFiling

if TYPE_CHECKING:
    from studio.puzzles.abilities.cuttable import Cuttable
    from studio.puzzles.abilities.exchangeable import Exchangeable
    from studio.puzzles.abilities.paged import Paged
    from studio.puzzles.abilities.playable import Playable
    from studio.puzzles.abilities.printable import Printable


def _cuttable(session: Session, able: Cuttable[Any]) -> Extension[Any]:
    from studio.ui.abilities.cuttable import CutExtension

    return CutExtension(session, able)


def _printable(session: Session, able: Printable[Any, Any]) -> Extension[Any]:
    from studio.ui.abilities.printable import PrintedExtension

    return PrintedExtension(session, able)


def _paged(session: Session, able: Paged[Any]) -> Extension[Any]:
    from studio.ui.abilities.paged import PagesExtension

    return PagesExtension(session, able)


def _exchangeable(session: Session, able: Exchangeable[Any]) -> Extension[Any]:
    from studio.ui.abilities.exchangeable import FormatsExtension

    return FormatsExtension(session, able)


def _playable(session: Session, _able: Playable[Any, Any]) -> Extension[Any]:
    return GameFiling(session)


FOR_ABILITIES: dict[str, Callable[[Session, Any], Extension[Any]]] = {
    "Cuttable": _cuttable,
    "Printable": _printable,
    "Paged": _paged,
    "Exchangeable": _exchangeable,
    "Playable": _playable,
}
"""The extension of each ability, by the name of its class, in the order of the File menu; neither is imported for a
kind without the ability."""


def of_abilities(session: Session) -> list[Extension[Any]]:
    """Return the extensions of the abilities of the session's kind."""
    able = {type(each).__name__: each for each in session.kind.abilities}
    return [make(session, able[name]) for name, make in FOR_ABILITIES.items() if name in able]


def of_kind(session: Session) -> Extension[Any]:
    """Return the extension of the session's kind, `EXTENSION` in its module `extension`; without it moves are typed."""
    own: Extension[Any]
    module = own_module(session.kind.key, "studio.ui.kinds", "extension")
    if module is None:
        own = Extension(session) if session.games is None else _typed(session, session.games)
    else:
        own = module.EXTENSION(session)
    return own


def _typed(session: Session, games: Games) -> Extension[Any]:
    from studio.ui.play.game_page import TypedExtension

    return TypedExtension(session, games)
