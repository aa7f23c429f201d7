"""Opens and saves games: the moves as texts, one a line, for a design that is saved elsewhere."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from studio.base.atomic import write_bytes
from studio.base.encode import decode, encode, shown
from studio.base.errors import StudioError
from studio.base.json_files import content, parsed
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr, visible
from studio.files.store import laid_out, refuse_head
from studio.puzzles.abilities.playable import MOST_MOVES, Log, Playable
from studio.puzzles.kind import AnyKind

SUFFIX = ".game"
FORMAT = "puzzle-studio game"
VERSION = 1
LARGEST = 4 * 2**20
"""Bytes of the largest file that is opened; the longest game of pieces with long names takes a quarter."""


@dataclass(frozen=True)
class SavedGame:
    """Content of a game file."""

    format: str
    version: int
    kind: str
    design: str
    """Hash of everything in the design that affects a game."""
    target: tuple[str, ...]
    moves: tuple[str, ...]
    at: int
    """Number of moves in force; later ones were taken back."""
    hints: int
    seconds: float


def load(path: Path, kind: AnyKind, design: Any, progress: Progress = SILENT) -> Log[Any]:
    """Load a game of the design from a file; raises StudioError, a sentence with the file's name, if it holds none."""
    try:
        return loads(content(path, LARGEST), kind, design, progress)
    except StudioError as problem:
        raise StudioError(tr("Cannot open {file}: {problem}", file=path.name or path, problem=problem)) from problem


def loads(data: bytes, kind: AnyKind, design: Any, progress: Progress = SILENT) -> Log[Any]:
    """Read a game of the design from the bytes of a file; raises StudioError if they hold none."""
    played, value = kind.need(Playable), parsed(data)
    refuse_head(value, FORMAT, VERSION, tr("it is not a saved game."))
    saved = decode(SavedGame, value, "game", SavedGame)
    if saved.kind != kind.key:
        raise StudioError(tr("it is a {other} game, not a {kind} game.", other=visible(saved.kind[:40]), kind=kind.key))
    if saved.design != digest(played, design):
        raise StudioError(tr("it is a game of another design."))
    for name, most in (("at", len(saved.moves)), ("hints", MOST_MOVES), ("seconds", 10.0**9)):
        if not 0 <= getattr(saved, name) <= most:
            words = tr(
                "game.{name} must be 0 to {most:g}, not {value}.",
                name=name,
                most=most,
                value=shown(getattr(saved, name)),
            )
            raise StudioError(words)
    log = played.with_moves(design, played.begun(design, saved.target), saved.moves, progress)
    return Log(log.target, log.states, log.moves, saved.at, saved.hints, saved.seconds)


def dumps(kind: AnyKind, design: Any, log: Log[Any]) -> bytes:
    """Return a game of a design as the bytes of a file."""
    hashed, seconds = digest(kind.need(Playable), design), round(log.seconds, 1)
    saved = SavedGame(FORMAT, VERSION, kind.key, hashed, log.target, log.moves, log.at, log.hints, seconds)
    return laid_out(encode(saved, SavedGame))


def save(path: Path, kind: AnyKind, design: Any, log: Log[Any]) -> None:
    """Write a game to a file; raises StudioError, leaving the file untouched, if it cannot be written whole."""
    write_bytes(path, dumps(kind, design, log))


def digest(played: Playable[Any, Any], design: Any) -> str:
    """Return a hash of everything in a design that affects a game."""
    return sha256(json.dumps(played.essentials(design), sort_keys=True).encode()).hexdigest()
