"""Which extensions a kind of puzzle and its abilities bring to a window."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from studio.base.lazy import lazy
from studio.puzzles.registry import own_module
from studio.ui.session.extension import Extension
from studio.ui.session.session import Session
from studio.ui.shell.filing import GameFiling

FOR_ABILITIES: dict[str, Callable[[Session, Any], Extension[Any]]] = {
    "Cuttable": lazy("studio.ui.abilities.cuttable:CutExtension"),
    "Printable": lazy("studio.ui.abilities.printable:PrintedExtension"),
    "Paged": lazy("studio.ui.abilities.paged:PagesExtension"),
    "Exchangeable": lazy("studio.ui.abilities.exchangeable:FormatsExtension"),
    "Playable": lambda session, _able: GameFiling(session),
}
"""The extension of each ability, by the name of its class, in the order of the File menu."""
_typed = lazy("studio.ui.play.game_page:TypedExtension")


def of_abilities(session: Session) -> list[Extension[Any]]:
    """The extensions that the abilities of the session's kind bring."""
    able = {type(each).__name__: each for each in session.kind.abilities}
    return [make(session, able[name]) for name, make in FOR_ABILITIES.items() if name in able]


def of_kind(session: Session) -> Extension[Any]:
    """The extension of the session's kind: `EXTENSION` of its own module `extension`; without one moves are typed."""
    own: Extension[Any]
    module = own_module(session.kind.key, "studio.ui.kinds", "extension")
    if module is None:
        own = Extension(session) if session.games is None else _typed(session, session.games)
    else:
        own = module.EXTENSION(session)
    return own
