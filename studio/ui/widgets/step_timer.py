"""Plays steps one by one at any speed, with a slider for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLabel

from studio.base.amounts import thousands
from studio.base.texts import tr
from studio.ui.widgets.controls import CalmSlider

FRAME_MS = 16
LONGEST_FRAME = 0.25
"""Longest time in s that a frame advances; after a longer pause it goes on from where it was."""


class StepPlayer(QObject):
    """Plays `count` steps; `at` is the number of steps made, `speed` the steps made in a second."""

    moved = Signal()
    """The position or the steps have changed."""
    switched = Signal(bool)
    """Playing has started or stopped: brings whether it plays."""

    def __init__(self, speed: float, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count = self.at = 0
        self.speed = speed
        self.is_playing = False
        self._debt = self._last_tick = 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def is_at_end(self) -> bool:
        """True if there are steps, and all are made."""
        return 0 < self.count == self.at

    def stop_after(self, at: int) -> int:
        """Return the step after `at` at which playing stops by itself."""
        return self.count

    def load(self, count: int) -> None:
        """Take other steps, from their beginning."""
        self.pause()
        self.count, self.at = count, 0
        self.moved.emit()

    def toggle(self) -> None:
        """Play, the first step at once, or pause; at the end it begins again."""
        if self.is_playing:
            self.pause()
        elif self.count:
            self._last_tick, self._debt = time.monotonic(), 0.0 if self.is_at_end else 1.0
            if self.is_at_end:
                self.go_to(0)
            self.is_playing = True
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
        """Stop some steps further on or back."""
        self.seek(self.at + by)

    def seek(self, at: int) -> None:
        """Stop after some steps."""
        self.pause()
        self.go_to(at)

    def go_to(self, at: int) -> None:
        """Show the position after some steps."""
        self.at = min(max(at, 0), self.count)
        self.moved.emit()

    def go_to_end(self) -> None:
        """Stop at the end."""
        self.seek(self.count)

    def advance(self, seconds: float) -> None:
        """Play some seconds of real time, no further than the next stop."""
        self._debt += seconds * self.speed
        whole, self._debt = int(self._debt), self._debt % 1
        if whole:
            stop = self.stop_after(self.at)
            self.go_to(min(self.at + whole, stop))
            if self.at == stop:
                self.pause()

    def _tick(self) -> None:
        if QApplication.activeModalWidget() is not None:
            # Behind a dialog the maker can neither watch nor stop it.
            self.pause()
            return
        now = time.monotonic()
        passed, self._last_tick = min(now - self._last_tick, LONGEST_FRAME), now
        self.advance(passed)


# A slider for the speed of a player, with a label

LEAST_WIDTH, MOST_WIDTH = 60, 140


class SpeedSlider(CalmSlider):
    """Chooses one of some speeds in steps a second, the slowest at the left; None is the greatest possible.

    `choose` hears each choice, and the first one.
    """

    def __init__(
        self, name: str, tip: str, speeds: Sequence[float | None], usual: int, choose: Callable[[float | None], object]
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._tip, self._speeds, self._choose = tip, tuple(speeds), choose
        self.label = QLabel()
        widths = [self.label.fontMetrics().horizontalAdvance(rate(speed)) for speed in speeds]
        self.label.setMinimumWidth(max(widths))
        self.setRange(0, len(speeds) - 1)
        self.setPageStep(2)
        self.setAccessibleName(name)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self.setValue(usual)
        self.valueChanged.connect(self._follow)
        self._follow(usual)

    def _follow(self, number: int) -> None:
        speed = self._speeds[number]
        self._choose(speed)
        self.label.setText(rate(speed))
        self.setToolTip(f"{self._tip}: {rate(speed)}.")


def rate(speed: float | None) -> str:
    """Return a speed in words."""
    return (
        tr("Full speed")
        if speed is None
        else tr("{speed} steps/s", speed=thousands(speed))
        if speed != 1
        else "1 step/s"
    )
