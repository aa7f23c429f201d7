"""The search, step by step and at any speed: pieces are placed and removed as by the solver."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from itertools import islice

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QCheckBox, QWidget

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.calendar.solve import Step
from studio.ui.kinds.calendar.browser import quiet
from studio.ui.widgets.controls import large_button, relabel
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.layout import row
from studio.ui.widgets.speed_slider import SpeedSlider

FRAME_MS = 16
FRAME_BUDGET = 0.009
"""Seconds of a frame for the search; the rest paints."""
LONGEST_FRAME = 0.25
SLOW = 20
"""Steps per second up to which the eye can follow single pieces."""
AT_ONCE = 256
"""Steps between two looks at the clock."""
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000, None)
"""Steps a second; None for as many as frames allow."""
USUAL_SPEED = 3


class SearchPlayer(QObject):
    """Plays one search; it pulls steps from it while a frame has time for them, so the window never waits."""

    moved = Signal()
    """Pieces or numbers have changed."""
    switched = Signal(bool)
    """Whether it plays."""
    found = Signal()
    """It has reached a solution, and stopped there if asked to."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._begin: Callable[[], Iterator[Step]] | None = None
        self._steps: Iterator[Step] | None = None
        self.placed: dict[int, int] = {}
        """The placement of every placed piece, by the piece's number."""
        self.tried = self.solutions = 0
        """The number of pieces placed, and of solutions."""
        self.last: int | None = None
        """The piece of the last step."""
        self.speed: float | None = SPEEDS[USUAL_SPEED]
        self.stops = False
        """Whether it stops at every solution."""
        self.is_playing = self.is_over = False
        self._debt = 0.0
        self._last_tick = 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def is_begun(self) -> bool:
        """Whether the search is shown."""
        return self._steps is not None

    def load(self, begin: Callable[[], Iterator[Step]] | None) -> None:
        """Take another search, which is begun when it is played."""
        self._begin = begin
        self.reset()

    def reset(self) -> None:
        """Hide the search and go back to the empty board."""
        self.pause()
        self._rewind()

    def _rewind(self) -> None:
        self._steps, self.placed, self.last = None, {}, None
        self.tried = self.solutions = 0
        self.is_over, self._debt = False, 0.0
        self.moved.emit()

    def toggle(self) -> None:
        """Play or pause; a search that is over begins again."""
        if self.is_playing:
            self.pause()
        elif self._begin is not None:
            if self.is_over:
                self._rewind()
            self.is_playing = True
            self._last_tick, self._debt = time.monotonic(), 1.0
            self._timer.start()
            self.switched.emit(True)

    def pause(self) -> None:
        """Pause."""
        self._timer.stop()
        if self.is_playing:
            self.is_playing = False
            self.switched.emit(False)

    def step(self) -> None:
        """One step on, and pause."""
        self.pause()
        if self.is_over:
            self._rewind()
        self.advance(1)

    def advance(self, most: int, seconds: float = float("inf")) -> int:
        """Make a number of steps, or fewer if the time is up, it stops at a solution, or the search is over.

        Returns how many steps were made.
        """
        if self._begin is None or self.is_over:
            return 0
        steps = self._steps = self._begin() if self._steps is None else self._steps
        until = time.monotonic() + seconds
        made = 0
        while made < most and not self.is_over:
            wanted = min(AT_ONCE, most - made)
            done, is_found = self._pull(steps, wanted)
            made += done
            if done < wanted and not is_found:
                self.is_over = True
                self.pause()
            if (is_found and self.stops) or time.monotonic() >= until:
                break
        self.moved.emit()
        return made

    def _pull(self, steps: Iterator[Step], most: int) -> tuple[int, bool]:
        """Make some steps; stop at a solution if asked to. Returns their number, and whether it reached one."""
        made = 0
        for step in islice(steps, most):
            made += 1
            self.last = step.piece
            if not step.placed:
                del self.placed[step.piece]
                continue
            self.placed[step.piece] = step.cells
            self.tried += 1
            if step.solution:
                self.solutions += 1
                if self.stops:
                    self.pause()
                    self.found.emit()
                    return made, True
        return made, False

    def _tick(self) -> None:
        if QApplication.activeModalWidget() is not None:
            # Behind a dialog nobody can watch or stop it.
            self.pause()
            return
        now = time.monotonic()
        passed, self._last_tick = min(now - self._last_tick, LONGEST_FRAME), now
        if self.speed is None:
            self.advance(10**9, FRAME_BUDGET)
            return
        self._debt += passed * self.speed
        whole = int(self._debt)
        if whole:
            self._debt -= whole
            self.advance(whole, FRAME_BUDGET)

    @property
    def shown(self) -> int | None:
        """The piece just placed, if the search is slow enough to follow."""
        slow = not self.is_playing or (self.speed is not None and self.speed <= SLOW)
        return self.last if slow and self.last in self.placed else None

    @property
    def words(self) -> str:
        """How far the search is, in words."""
        if not self.is_begun:
            return ""
        said = tr(
            "{steps} · {solutions} found", steps=many(self.tried, "step"), solutions=many(self.solutions, "solution")
        )
        return tr("{progress} · search complete", progress=said) if self.is_over else said


class SearchBar(QWidget):
    """The controls of a search: play, step, back to the solutions, the speed, and whether it stops at solutions."""

    def __init__(self, player: SearchPlayer) -> None:
        super().__init__()
        self._player = player
        self.play, self.one = (large_button(tr("Play search (P)")), large_button(tr("Single step (S)"), "step"))
        self.back = large_button(tr("Back to the solutions (Esc)"), "reset")
        tip = tr("Playback speed of the search")
        self.speed = SpeedSlider(tr("Search speed"), tip, SPEEDS, USUAL_SPEED, self._choose_speed)
        self.stops = QCheckBox(tr("Stop at solutions"))
        self.words = quiet(Saying())
        row(self.play, self.one, self.back, (self.speed, 1), self.speed.label, self.stops, (self.words, 2), of=self)
        self.play.clicked.connect(player.toggle)
        self.one.clicked.connect(player.step)
        self.back.clicked.connect(player.reset)
        self.stops.toggled.connect(self._choose_stops)
        player.switched.connect(self._name_play)
        player.moved.connect(self.follow)
        self._name_play(False)
        self.follow()

    def _name_play(self, playing: bool) -> None:
        relabel(self.play, *((tr("Pause search (P)"), "pause") if playing else (tr("Play search (P)"), "play")))

    def follow(self) -> None:
        """Say how far it is."""
        self.back.setEnabled(self._player.is_begun)
        words = self._player.words or tr("Play or step through the search.")
        if words != self.words.text():
            self.words.setText(words)

    def _choose_speed(self, speed: float | None) -> None:
        self._player.speed = speed

    def _choose_stops(self, stops: bool) -> None:
        self._player.stops = stops
