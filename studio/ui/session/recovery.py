"""Copies of unsaved work, so that a crash or a power cut costs a maker two seconds and not an evening.

Each open design has one copy, beside a lock that shows whether its studio still runs, a note of the work's file, and
the unsaved games.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from PySide6.QtCore import QLockFile, QObject, QSysInfo, QTimer, QUuid, Signal

from studio.base.atomic import tidy, write_bytes
from studio.base.errors import StudioError
from studio.base.json_files import read
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.files import SUFFIX
from studio.files.store import dumps
from studio.puzzles.abilities.playable import Log
from studio.puzzles.kind import AnyKind
from studio.ui.session.document import Document
from studio.ui.session.games import Games
from studio.ui.session.jobs import Jobs

DELAY_MS = 2000
LANE = "copy of unsaved work"
LARGEST_NOTE = 2**16
"""Bytes of a note; the longest path takes a sixteenth."""
NOTE, GAMES, LOCK = ".json", ".games", ".lock"
LARGEST_GAMES = 64 * 2**20
"""Bytes of all unsaved games of a design."""
_BYTES_A_SECOND = 2**25
"""Bytes of games parsed in a second, before their moves are replayed."""


@dataclass(frozen=True)
class Copy:
    """A copy of unsaved work, left behind by a studio that has ended."""

    path: Path
    file: Path | None
    """The work's file; None for work without one."""
    digest: str
    """Hash of that file when it was last read or written, as `digest_of` gives it."""
    kind: str
    """The key of its kind; empty if its note is lost."""
    seconds: float
    """Time of writing in seconds since the epoch."""
    facts: str = ""
    """Size and pieces, in words."""
    edits: int = 0
    """Steps of its history since the last save; 0 if only its games are unsaved, or its note is lost."""
    last: str = ""
    """Name of the last step, as for undo."""
    moves: int = 0
    """Moves of all its unsaved games."""
    is_modified: bool = True
    """False if only its games are unsaved."""

    def games(self, kind: AnyKind, design: Any, progress: Progress = SILENT) -> list[Log[Any]]:
        """Replay the unsaved games of the copy's design, the one in sight last; raises StudioError."""
        path = self.path.with_suffix(GAMES)
        if not os.path.isfile(path):
            return []
        from studio.files.store import loads_game

        progress.ahead(path.stat().st_size / _BYTES_A_SECOND)
        texts = read(path, LARGEST_GAMES)
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            raise StudioError(tr("it is not a saved game."))
        return [
            loads_game(text.encode(), kind, design, progress.part(number / len(texts), (number + 1) / len(texts)))
            for number, text in enumerate(texts)
        ]

    def content(self) -> dict[Path, bytes]:
        """Return its files and their bytes, to restore it; raises OSError if they cannot be read."""
        beside = (self.path.with_suffix(suffix) for suffix in (NOTE, GAMES))
        return {path: path.read_bytes() for path in (*beside, self.path) if path == self.path or os.path.isfile(path)}

    def discard(self) -> None:
        """Delete it with all its files, an interrupted save included; raises OSError if that fails."""
        self.path.unlink(missing_ok=True)
        if self.file is not None:
            tidy(self.file.parent)
        for suffix in (NOTE, GAMES, LOCK):
            with suppress(OSError):
                self.path.with_suffix(suffix).unlink()


class Recovery(QObject):
    """Keeps a copy of a document while it, or a game of it, is unsaved."""

    failed = Signal(str)
    """Writing a copy failed for the first time: brings the sentence."""

    def __init__(
        self,
        document: Document,
        folder: Path | None,
        parent: QObject | None = None,
        games: Games | None = None,
        facts: Callable[[], str] = str,
        jobs: Jobs | None = None,
    ) -> None:
        """`facts` returns size and pieces in words; `jobs` write the copy off the GUI thread."""
        super().__init__(parent)
        self._jobs, self._writing = jobs, Lock()
        self._turn = self._last_forgotten = 0
        self._document, self._games, self._facts = document, games, facts
        self.edits_before = 0
        """Edits of restored work from before its history."""
        self._folder = folder or Path()
        self._has_place = folder is not None
        self._path = self._folder / f"{QUuid.createUuid().toString(QUuid.StringFormat.Id128)}{SUFFIX}"
        self._lock: QLockFile | None = None
        self._noted = b""
        self._has_failed = False
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._write_beside)
        document.history.indexChanged.connect(self._changed)
        document.history.cleanChanged.connect(self._changed)
        if games is not None:
            games.moved.connect(self._changed)
            games.saved.connect(self._changed)

    @property
    def is_wanted(self) -> bool:
        """True if work would be lost without a copy."""
        return self._document.is_modified or (self._games is not None and bool(self._games.unsaved))

    def _changed(self, _what: object = None) -> None:
        if self.is_wanted:
            # Not restarted with every edit, so that uninterrupted work has a copy, too.
            if not self._timer.isActive():
                self._timer.start()
        elif self._lock is not None or self._timer.isActive():
            self.forget()

    def write(self) -> Path | None:
        """Write the copy now; return its path, or None if that fails."""
        try:
            self._copying()()
        except (OSError, StudioError) as problem:
            self._fail(problem)
            return None
        return self._path

    def _write_beside(self) -> None:
        """Write the copy in a job: a picture makes it large, and a disk may be slow."""
        if self._jobs is None:
            self.write()
            return
        try:
            work = self._copying()
        except (OSError, StudioError) as problem:
            self._fail(problem)
            return
        self._jobs.start(LANE, lambda _progress: work(), failed=self._fail)

    def _copying(self) -> Callable[[], None]:
        """Return a function that writes the present work, in any thread; it is void once a newer copy is begun."""
        self._timer.stop()
        if not self._has_place:
            raise StudioError("the system names no home folder.")
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = QLockFile(str(self._path.with_suffix(LOCK)))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)
        games = self._unsaved_games()
        note, kind, design = self._note(), self._document.kind, self._document.design
        self._turn += 1
        turn = self._turn

        def copy() -> None:
            data = dumps(kind, design)
            with self._writing:
                if turn != self._turn:
                    return
                if games:
                    write_bytes(self._path.with_suffix(GAMES), games)
                if note != self._noted:
                    write_bytes(self._path.with_suffix(NOTE), note)
                    self._noted = note
                write_bytes(self._path, data)
                if turn <= self._last_forgotten:
                    self._delete()

        return copy

    def _fail(self, problem: Exception) -> None:
        """Report once that there is no copy; the next change tries again."""
        if not self._has_failed:
            self._has_failed = True
            self.failed.emit(self._why_not(problem))

    def forget(self) -> None:
        """Delete the copy: everything is saved or given up."""
        self._timer.stop()
        self._last_forgotten = self._turn
        self._turn += 1
        self._delete()
        self.edits_before = 0
        self.let_go()

    def _delete(self) -> None:
        for path in (self._path, self._path.with_suffix(NOTE), self._path.with_suffix(GAMES)):
            with suppress(OSError):
                path.unlink()
        self._noted = b""

    def let_go(self) -> None:
        """Leave the copy, if any, for the next start to offer."""
        self._timer.stop()
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None

    def _unsaved_games(self) -> bytes:
        """Return the unsaved games, to be written beside the copy; empty if there are none."""
        logs = [] if self._games is None else self._games.unsaved_logs
        if self._games is None or not logs:
            self._path.with_suffix(GAMES).unlink(missing_ok=True)
            return b""
        from studio.files.store import dumps_game

        texts = [dumps_game(self._document.kind, self._games.design, log).decode() for log in reversed(logs)]
        return json.dumps(texts).encode()

    def _note(self) -> bytes:
        document, history = self._document, self._document.history
        clean = history.cleanIndex()
        edits = abs(history.index() - clean) if clean >= 0 else history.index() + self.edits_before
        logs = [] if self._games is None else self._games.unsaved_logs
        file = "" if document.path is None else str(document.path.absolute())
        note = {
            "kind": document.kind.key, "file": file, "digest": document.digest, "facts": self._facts(),
            "edits": edits, "last": history.undoText() if edits else "", "moves": sum(log.at for log in logs),
            "modified": document.is_modified,
        }  # fmt: skip
        return json.dumps(note).encode()

    def _why_not(self, problem: Exception) -> str:
        if not self._has_place:
            return tr("Unsaved work is not backed up: there is no home folder for the backup. Save often.")
        cause = problem.__cause__ or problem
        if isinstance(cause, OSError) and cause.errno in (errno.ENOSPC, errno.EDQUOT):
            return tr("Unsaved work is not backed up: no room is left in {folder}. Save often.", folder=self._folder)
        return tr("Unsaved work is not backed up: {folder} cannot be written to. Save often.", folder=self._folder)


def left_behind(folder: Path | None) -> list[Copy]:
    """List copies whose studio no longer runs, newest first."""
    found = []
    with suppress(OSError):
        for path in sorted(folder.iterdir()) if folder is not None else ():
            if path.suffix != SUFFIX or path.name.startswith("."):
                continue
            with suppress(OSError):
                about = path.lstat()
                if stat.S_ISREG(about.st_mode) and about.st_size and _is_orphan(path.with_suffix(LOCK)):
                    found.append(_copy(path, about.st_mtime))
    return sorted(found, key=lambda copy: copy.seconds, reverse=True)


def _is_orphan(lock: Path) -> bool:
    """True if the studio that holds a lock no longer runs, as far as can be known."""
    with suppress(FileNotFoundError):
        if not stat.S_ISREG(lock.lstat().st_mode):
            return True
    held = QLockFile(str(lock))
    held.setStaleLockTime(0)
    if held.tryLock(0):
        held.unlock()
        return True
    # The holder is unknown: the lock is unreadable, or names another computer.
    answer: Any = held.getLockInfo()  # declared otherwise than it is: process, computer and program
    process, host, _name = answer
    return not process or host != QSysInfo.machineHostName()


def _copy(path: Path, seconds: float) -> Copy:
    """Return a copy with the usable facts of its note."""
    try:
        note = read(path.with_suffix(NOTE), LARGEST_NOTE)
    except StudioError:
        note = None
    values = note if isinstance(note, dict) else {}
    named = ("kind", "file", "digest", "facts", "last")
    kind, file, digest, facts, last = (value if isinstance(value := values.get(name), str) else "" for name in named)
    edits, moves = (value if type(value := values.get(name)) is int else 0 for name in ("edits", "moves"))
    is_path = bool(file) and "\0" not in file and Path(file).is_absolute()
    is_modified = values.get("modified") is not False
    return Copy(path, Path(file) if is_path else None, digest, kind, seconds, facts, edits, last, moves, is_modified)
