"""Small pictures of puzzle files, made by a process of its own and kept on disk.

The window neither reads the files nor checks that they exist: a file on a disconnected drive, or a slow one to draw,
holds up nothing. The process takes a line of JSON for each file and answers with one.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QCryptographicHash, QObject, QProcess, QProcessEnvironment, QSize, QTimer, Signal
from PySide6.QtGui import QImage, QImageReader

from studio import __version__
from studio.base.folders import state_folder

SIZE = QSize(216, 144)
"""Logical pixels of a thumbnail; the file has twice as many along each side."""
DENSITY = 2
LONGEST_MS = 30_000
"""Milliseconds after which a missing picture is given up."""
STARTING_MS = 120_000
"""Milliseconds to start the process: its priority is low, and every core may be busy."""
READY = "ready"
"""The process's first line, before any question."""
MOST_KEPT = 300
"""Limit for thumbnails on disk; the least recently used are deleted first."""
LONGEST_DRAWN = 86_400
"""Seconds after which a design written for drawing must belong to a window that has gone."""
STAMP = "thumbnail-of"
GONE, FAILED = "gone", "failed"


class Seeded(NamedTuple):
    """The design in a file with another seed."""

    path: Path
    seed: int


Wanted = Path | Seeded
"""The source of a picture."""


def folder() -> Path | None:
    """Return the folder for thumbnails; None without a home folder."""
    state = state_folder()
    return None if state is None else state / "thumbnails"


def place(wanted: Wanted, theme: str) -> Path | None:
    """Return the path of a picture in a theme, whether it exists or not."""
    kept = folder()
    said = f"{wanted.path}|{wanted.seed}" if isinstance(wanted, Seeded) else wanted
    text = f"{theme}|{said}".encode("utf-8", "surrogateescape")
    # Python's hashlib would be loaded at a start for this alone.
    name = QCryptographicHash.hash(text, QCryptographicHash.Algorithm.Sha256).toHex().toStdString()[:32]
    return None if kept is None else kept / f"{name}.png"


def is_known(wanted: Wanted, theme: str) -> bool:
    """True if the picture exists."""
    at = place(wanted, theme)
    return at is not None and os.path.exists(at)


def known(wanted: Wanted, theme: str) -> QImage | None:
    """Return the last picture made of a file."""
    at = place(wanted, theme)
    if at is None:
        return None
    image = QImageReader(str(at), b"png").read()
    return None if image.isNull() else image


class Thumbnails(QObject):
    """Makes missing and outdated thumbnails, one after another."""

    made = Signal(object, object)
    """A picture is ready: brings its source, and a QImage, GONE or FAILED."""

    def __init__(self, theme: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._waiting: deque[Wanted] = deque()
        self._now: Wanted | None = None
        self._process: QProcess | None = None
        self._is_ready = False
        self._patience = QTimer(self, singleShot=True)
        self._patience.timeout.connect(self._give_up)

    def ask(self, wanted: Iterable[Wanted]) -> None:
        """Order the pictures of files, the first first."""
        self._waiting.extend(wanted)
        if self._now is None:
            self._next()

    def close(self) -> None:
        """Stop making pictures."""
        self._waiting.clear()
        self._now = None
        self._patience.stop()
        process, self._process = self._process, None
        if process is not None:
            process.readyReadStandardOutput.disconnect()
            process.finished.disconnect()
            process.kill()
            process.waitForFinished(1000)
            process.deleteLater()

    def _next(self) -> None:
        self._now = self._waiting.popleft() if self._waiting else None
        if self._now is None:
            if self._process is not None:
                self._process.closeWriteChannel()
            return
        if self._process is None:
            self._is_ready = False
            process = self._process = QProcess(self)
            environment = QProcessEnvironment.systemEnvironment()
            environment.insert("QT_QPA_PLATFORM", "offscreen")
            environment.insert("QT_SCALE_FACTOR", str(DENSITY))
            process.setProcessEnvironment(environment)
            process.setStandardErrorFile(QProcess.nullDevice())
            process.readyReadStandardOutput.connect(self._hear)
            process.finished.connect(self._ended)
            process.start(sys.executable, ["-m", "studio.ui.shell.screenshot"])
        assert self._process is not None
        path, seed = self._now if isinstance(self._now, Seeded) else (self._now, None)
        question = json.dumps({"path": str(path), "seed": seed, "theme": self._theme})
        self._process.write(f"{question}\n".encode())
        self._patience.start(LONGEST_MS if self._is_ready else STARTING_MS)

    def _hear(self) -> None:
        while self._process is not None and self._process.canReadLine():
            line = bytes(self._process.readLine().data())
            with suppress(ValueError, KeyError, TypeError):
                answer = json.loads(line)
                if answer["state"] == READY:
                    self._is_ready = True
                    self._patience.start(LONGEST_MS)
                    continue
                seed = answer["seed"]
                answered = Path(answer["path"]) if seed is None else Seeded(Path(answer["path"]), seed)
                if self._now is not None and answered == self._now:
                    self._tell(answer["state"])

    def _tell(self, state: str) -> None:
        self._patience.stop()
        wanted = self._now
        assert wanted is not None
        image = None if state in (GONE, FAILED) else known(wanted, self._theme)
        self.made.emit(wanted, state if state == GONE else image if image is not None else FAILED)
        self._next()

    def _ended(self) -> None:
        """Report a failed picture after the process died or failed to start."""
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        if self._now is not None:
            self._tell(FAILED)

    def _give_up(self) -> None:
        if self._process is not None:
            self._process.kill()


def stamp(path: Path) -> str:
    """Return the version of a picture: the file's date and size, and the studio's version; raises OSError."""
    about = path.stat()
    return f"{__version__} {about.st_mtime_ns} {about.st_size}"


def tidy() -> None:
    """Delete the least recently used pictures beyond the limit, and designs that nobody draws."""
    kept = folder()
    with suppress(OSError):
        pictures = sorted(kept.glob("*.png"), key=lambda one: one.stat().st_mtime) if kept is not None else []
        for one in pictures[: max(0, len(pictures) - MOST_KEPT)]:
            os.unlink(one)
        for one in kept.glob("*.puzzle") if kept is not None else ():
            if time.time() - one.stat().st_ctime > LONGEST_DRAWN:
                os.unlink(one)
