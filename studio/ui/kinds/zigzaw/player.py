"""Plays the film of a search at any speed, and stops at every solution and at the end."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication

from studio.solving.film import Film

FRAME_MS = 16
LONGEST_FRAME = 0.25
"""After a longer pause, in s, the film goes on from where it was instead of leaping."""
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000)
"""Steps a second."""
USUAL_SPEED = 4
SLOW = 60
"""Up to so many steps a second the eye can follow the single step."""


class FilmPlayer(QObject):
    """Plays one film at a time; `at` is how many of its steps are made."""

    moved = Signal()
    """Another moment is shown, or another film."""
    switched = Signal(bool)
    """Whether it plays."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.film: Film | None = None
        self.at = 0
        self.speed = float(SPEEDS[USUAL_SPEED])
        self.is_playing = False
        self._debt = self._last_tick = 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    def load(self, film: Film | None) -> None:
        """Take another film, at its beginning, or none."""
        self.pause()
        self.film = film
        self.at = 0
        self.moved.emit()

    @property
    def is_slow(self) -> bool:
        """Whether the eye can follow the single step."""
        return not self.is_playing or self.speed <= SLOW

    @property
    def is_at_end(self) -> bool:
        """Whether the film is over."""
        return self.film is not None and self.at == len(self.film)

    def toggle(self) -> None:
        """Play or pause; a film that is over begins again."""
        if self.is_playing:
            self.pause()
        elif self.film is not None:
            if self.is_at_end:
                self.go_to(0)
            self.is_playing = True
            self._last_tick, self._debt = time.monotonic(), 1.0
            self._timer.start()
            self.switched.emit(True)

    def pause(self) -> None:
        """Stop."""
        self._timer.stop()
        if self.is_playing:
            self.is_playing = False
            self.switched.emit(False)
            self.moved.emit()

    def step(self, by: int) -> None:
        """Go some steps on, or back, and stop there."""
        self.pause()
        self.go_to(self.at + by)

    def run(self) -> None:
        """Go to the first solution; from there on to the end."""
        self.pause()
        if self.film is not None:
            first = self.film.stop_after(0)
            self.go_to(first if self.at < first else len(self.film))

    def go_to(self, at: int) -> None:
        """Show the moment after so many steps."""
        if self.film is not None:
            self.at = min(max(at, 0), len(self.film))
            self.moved.emit()

    def advance(self, seconds: float) -> None:
        """Play so many seconds of the maker's clock, up to the next stop at most."""
        if self.film is None:
            return
        self._debt += seconds * self.speed
        whole, self._debt = int(self._debt), self._debt % 1
        if whole:
            stop = self.film.stop_after(self.at)
            self.go_to(min(self.at + whole, stop))
            if self.at == stop:
                self.pause()

    def _tick(self) -> None:
        if QApplication.activeModalWidget() is not None:
            # Behind a dialog nobody can watch or stop it.
            self.pause()
            return
        now = time.monotonic()
        passed, self._last_tick = min(now - self._last_tick, LONGEST_FRAME), now
        self.advance(passed)
