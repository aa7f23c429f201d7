"""Keeps what need not follow every move of the mouse to a pace that the eye can follow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

EYE_MS = 60
"""A number that changes more often than this can no longer be read."""
LIST_MS = 250
"""The same of a list of sentences, which takes a frame to paint."""
COUNT_MS = 1000
"""The same of a title that counts them."""


class Pace(QObject):
    """Runs an action with the newest of what it was asked, at most once in a pause of some ms."""

    def __init__(self, action: Callable[..., object], parent: QObject | None = None, *, pause: int = EYE_MS) -> None:
        super().__init__(parent)
        self._action = action
        self._newest: tuple[Any, ...] | None = None
        self._timer = QTimer(self, singleShot=True, interval=pause)
        self._timer.timeout.connect(self._do)

    def ask(self, *what: Any) -> None:
        """Call it soon; an older call that still waits is dropped."""
        self._newest = what
        if not self._timer.isActive():
            self._timer.start()

    def now(self, *what: Any) -> None:
        """Do it at once, and forget what waits."""
        self._timer.stop()
        self._newest = None
        self._action(*what)

    def follow(self, *what: Any, settled: bool) -> None:
        """Do it at once where what it follows has settled, else soon."""
        (self.now if settled else self.ask)(*what)

    def _do(self) -> None:
        if self._newest is not None:
            what, self._newest = self._newest, None
            self._action(*what)
