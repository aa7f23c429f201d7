"""Small pictures of puzzle files, made by a process of its own and kept on disk.

The window neither reads the files nor asks whether they are there: one on a drive that has gone, or that takes minutes
to draw, holds up nothing. The process takes a line of JSON for each file and answers with one.
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
"""Milliseconds after which a picture that has not come is given up."""
STARTING_MS = 120_000
"""Milliseconds that the process has to start: it gives way to all others, which may keep every core busy."""
READY = "ready"
"""The state that the process is in before its first question, in a line of its own."""
MOST_KEPT = 300
"""Thumbnails on disk; those used longest ago go first."""
LONGEST_DRAWN = 86_400
"""Seconds after which a design that was written to be drawn belongs to a window that has gone."""
STAMP = "thumbnail-of"
GONE, FAILED = "gone", "failed"


class Seeded(NamedTuple):
    """The design in a file, as it is with another seed."""

    path: Path
    seed: int


Wanted = Path | Seeded
"""What a picture is made of."""


def folder() -> Path | None:
    """Where thumbnails are kept; None where there is no home folder."""
    state = state_folder()
    return None if state is None else state / "thumbnails"


def place(wanted: Wanted, theme: str) -> Path | None:
    """The picture of a file in a theme, whether it has been made or not."""
    kept = folder()
    said = f"{wanted.path}|{wanted.seed}" if isinstance(wanted, Seeded) else wanted
    text = f"{theme}|{said}".encode("utf-8", "surrogateescape")
    # Python's own would be loaded for nothing else at a start.
    name = QCryptographicHash.hash(text, QCryptographicHash.Algorithm.Sha256).toHex().toStdString()[:32]
    return None if kept is None else kept / f"{name}.png"


def is_known(wanted: Wanted, theme: str) -> bool:
    """Whether a picture of a file was made before."""
    at = place(wanted, theme)
    return at is not None and os.path.exists(at)


def known(wanted: Wanted, theme: str) -> QImage | None:
    """The picture of a file as it was made last."""
    at = place(wanted, theme)
    if at is None:
        return None
    image = QImageReader(str(at), b"png").read()
    return None if image.isNull() else image


class Thumbnails(QObject):
    """Has thumbnails made that are missing or out of date, one after another."""

    made = Signal(object, object)
    """What was asked for, and its picture as a QImage, or GONE or FAILED."""

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
        """Have the pictures of some files made, the first first."""
        self._waiting.extend(wanted)
        if self._now is None:
            self._next()

    def close(self) -> None:
        """Make no more."""
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
            self._begin()
        assert self._process is not None
        path, seed = self._now if isinstance(self._now, Seeded) else (self._now, None)
        question = json.dumps({"path": str(path), "seed": seed, "theme": self._theme})
        self._process.write(f"{question}\n".encode())
        self._patience.start(LONGEST_MS if self._is_ready else STARTING_MS)

    def _begin(self) -> None:
        self._is_ready = False
        process = self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert("QT_QPA_PLATFORM", "offscreen")
        environment.insert("QT_SCALE_FACTOR", str(DENSITY))
        process.setProcessEnvironment(environment)
        process.setStandardErrorFile(QProcess.nullDevice())
        process.readyReadStandardOutput.connect(self._hear)
        process.finished.connect(self._ended)
        process.start(sys.executable, ["-m", "studio.ui.shell.thumbnailer"])

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
        """The process has died over a file, or was not to be had: that one has no picture."""
        process, self._process = self._process, None
        if process is not None:
            process.deleteLater()
        if self._now is not None:
            self._tell(FAILED)

    def _give_up(self) -> None:
        if self._process is not None:
            self._process.kill()


def stamp(path: Path) -> str:
    """What a picture is a picture of: the file as it is now, drawn by this version; raises OSError."""
    about = path.stat()
    return f"{__version__} {about.st_mtime_ns} {about.st_size}"


def tidy() -> None:
    """Delete the pictures that were used longest ago, where there are too many, and designs that nobody draws."""
    kept = folder()
    with suppress(OSError):
        pictures = sorted(kept.glob("*.png"), key=lambda one: one.stat().st_mtime) if kept is not None else []
        for one in pictures[: max(0, len(pictures) - MOST_KEPT)]:
            os.unlink(one)
        for one in kept.glob("*.puzzle") if kept is not None else ():
            if time.time() - one.stat().st_ctime > LONGEST_DRAWN:
                os.unlink(one)
