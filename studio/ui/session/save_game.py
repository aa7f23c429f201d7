"""Saves games, and asks before one is lost."""

from __future__ import annotations

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files import store as disk
from studio.ui.session.dialogs import Unsaved
from studio.ui.session.games import Games
from studio.ui.session.session import Session
from studio.ui.session.writing import unwritable

FILTER = tr("Games (*{suffix})", suffix=disk.GAME_SUFFIX)


def save_game(session: Session) -> bool:
    """Ask for a file and save the present game; return whether it is saved."""
    games = session.need_games()
    suggested = session.folder / f"{session.document.title}{disk.GAME_SUFFIX}"
    path = session.dialogs.file_path(tr("Save game"), suggested, [FILTER])
    if path is None:
        return False
    refusal = "" if path.suffix.lower() == disk.GAME_SUFFIX else unwritable([path])
    if refusal:
        session.notices.post(refusal, Severity.WARNING)
        return False
    try:
        disk.save_game(path, session.kind, games.design, games.record)
    except StudioError as problem:
        session.notices.post(str(problem), Severity.ERROR)
        return False
    games.mark_saved()
    session.notices.post(tr("Saved {file}: {moves}.", file=path.name, moves=many(games.log.at, "move")))
    return True


def may_leave_games(session: Session) -> bool:
    """Return whether the games may close, after asking about each with unsaved moves."""
    games = session.need_games()
    return all(_may_leave(session, games, target) for target in games.unsaved)


def _may_leave(session: Session, games: Games, target: tuple[str, ...]) -> bool:
    if target != games.target:
        games.turn_to(target)
    answer = session.dialogs.unsaved_game(session.document.title)
    return save_game(session) if answer is Unsaved.SAVE else answer is Unsaved.DISCARD
