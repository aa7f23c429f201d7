"""Plays what has a length, evenly or step by step, at any speed; and the bar that shows and controls it."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QLabel, QStyle, QStyleOptionSlider, QToolButton, QWidget

from studio.base.amounts import thousands
from studio.base.texts import tr
from studio.ui.widgets.controls import CalmSlider, large_button, relabel

FRAME_MS = 16
LONGEST_FRAME = 0.25
"""Longest time in s that a frame advances; after a longer pause it goes on from where it was."""


class Player(QObject):
    """Plays from 0 to `count`, evenly."""

    moved = Signal()
    """The position or the length has changed, or playing has stopped."""
    switched = Signal(bool)
    """Playing has started or stopped: brings whether it plays."""
    whole_seconds = 30.0
    """Duration of all of it if no speed is chosen."""

    def __init__(self, speed: float | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count: float = 0
        self.at: float = 0
        self.speed = speed
        """Distance played in a second; None plays all of it in `whole_seconds`."""
        self.until = math.inf
        """Position at which playing stops, this time."""
        self.is_playing = False
        self._last_tick = 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def is_at_end(self) -> bool:
        """True if there is something to play, and all of it was played."""
        return 0 < self.count == self.at

    def load(self, count: float) -> None:
        """Take another length, at its beginning."""
        self.pause()
        self.count, self.at = count, 0
        self.moved.emit()

    def toggle(self) -> None:
        """Play or pause."""
        (self.pause if self.is_playing else self.play)()

    def play(self) -> None:
        """Play; from the end it begins again."""
        if self.count and not self.is_playing:
            if self.is_at_end:
                self.go_to(0)
            self.is_playing = True
            self._run()
            self.switched.emit(True)

    def pause(self) -> None:
        """Stop."""
        self._timer.stop()
        self.until = math.inf
        if self.is_playing:
            self.is_playing = False
            self.switched.emit(False)
            self.moved.emit()

    def seek(self, at: float) -> None:
        """Stop at a position."""
        self.pause()
        self.go_to(at)

    def seek_share(self, share: float) -> None:
        """Stop after a share of the length, 0 to 1."""
        self.seek(self.count * share)

    def go_to_end(self) -> None:
        """Stop at the end."""
        self.seek(self.count)

    def go_to(self, at: float) -> None:
        """Show a position."""
        self.at = min(max(at, 0), self.count)
        self.moved.emit()

    def advance(self, seconds: float) -> None:
        """Play some seconds of real time."""
        speed, end = self.count / self.whole_seconds if self.speed is None else self.speed, min(self.until, self.count)
        self.go_to(min(self.at + seconds * speed, end))
        if self.at == end:
            self.pause()

    def _run(self) -> None:
        if not self._timer.isActive():
            self._last_tick = time.monotonic()
            self._timer.start()

    def _tick(self) -> None:
        if self.is_playing and QApplication.activeModalWidget() is not None:
            # Behind a dialog the maker can neither watch nor stop it, and the dialog's own work needs the time.
            self.pause()
            return
        now = time.monotonic()
        passed, self._last_tick = min(now - self._last_tick, LONGEST_FRAME), now
        self.advance(passed)


class StepPlayer(Player):
    """Plays `count` steps; `at` is the number of steps made, `speed` the steps made in a second, None for all."""

    count: int
    at: int
    slow = 60.0
    """Fastest speed at which the eye can follow single steps."""
    _debt = 0.0

    @property
    def is_slow(self) -> bool:
        """True if the eye can follow single steps."""
        return not self.is_playing or (self.speed is not None and self.speed <= self.slow)

    @property
    def stop(self) -> int:
        """Step after which playing stops by itself."""
        return self.count

    def play(self) -> None:
        """Play, the first step at once; from the end it begins again."""
        self._debt = 0.0 if self.is_at_end else 1.0
        super().play()

    def step(self, by: int = 1) -> None:
        """Stop some steps further on or back."""
        self.seek(self.at + by)

    def go_to(self, at: float) -> None:
        """Show the position after some steps."""
        super().go_to(round(at))

    def advance(self, seconds: float) -> None:
        """Play some seconds of real time, no further than the next stop."""
        stop = self.stop
        self._debt += stop if self.speed is None else seconds * self.speed
        whole, self._debt = int(self._debt), self._debt % 1
        if whole:
            self.go_to(min(self.at + whole, stop))
            if self.at in (stop, self.count):
                self.pause()


# A slider for the speed of a player, with a label

LEAST_WIDTH, MOST_WIDTH = 60, 140


class SpeedSlider(CalmSlider):
    """Chooses a player's speed in steps a second, the slowest at the left; None is the greatest possible."""

    def __init__(self, player: Player, name: str, tip: str, speeds: Sequence[float | None], usual: int) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._player, self._tip, self._speeds = player, tip, tuple(speeds)
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
        self._player.speed = speed
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


# The bar: play and pause, a time line to drag, single steps, and the speed

TICKS = 10_000
"""Steps of the time line: more than any screen has pixels."""
KEY_TICKS, PAGE_TICKS = TICKS // 200, TICKS // 20


class TimeLine(CalmSlider):
    """A slider that jumps to a click, and follows from there."""

    def __init__(self, tip: str) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, TICKS)
        self.setSingleStep(KEY_TICKS)
        self.setPageStep(PAGE_TICKS)
        self.setAccessibleName(tr("Timeline"))
        self.setToolTip(tip)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Jump to the click."""
        if event.button() != Qt.MouseButton.LeftButton:
            event.ignore()
            return
        self.setSliderDown(True)
        self.setSliderPosition(self._at(event.position().x()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Follow the mouse while its button is held."""
        if self.isSliderDown():
            self.setSliderPosition(self._at(event.position().x()))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Stay where the mouse was released."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(False)

    def _at(self, x: float) -> int:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        part = QStyle.SubControl.SC_SliderHandle
        handle = self.style().subControlRect(QStyle.ComplexControl.CC_Slider, option, part, self).width()
        room = self.width() - handle
        return QStyle.sliderValueFromPosition(0, TICKS, round(x - handle / 2), max(room, 1))


def play_button(player: Player, play: str, pause: str) -> QToolButton:
    """Make the button that plays and pauses, with its words for each."""
    button = large_button(play, "play")
    button.clicked.connect(player.toggle)
    player.switched.connect(lambda playing: relabel(button, *((pause, "pause") if playing else (play, "play"))))
    return button


class PlayerBar(QWidget):
    """The controls of one player, connected to it; their owner lays them out.

    `ends` label the buttons to the start and to the end.
    """

    def __init__(self, player: Player, key: str, ends: tuple[str, str], line: TimeLine) -> None:
        super().__init__()
        self.player, self.line = player, line
        self.start, self.end = large_button(ends[0], "to-start"), large_button(ends[1], "to-end")
        self.play = play_button(player, tr("Play ({key})", key=key), tr("Pause ({key})", key=key))
        self.start.clicked.connect(partial(player.seek, 0))
        self.end.clicked.connect(player.go_to_end)
        line.sliderPressed.connect(player.pause)
        line.valueChanged.connect(lambda tick: player.seek_share(tick / TICKS))
        player.moved.connect(self.follow)

    def follow(self) -> None:
        """Show the player's position."""
        at, count = self.player.at, self.player.count
        self.setEnabled(count > 0)
        if not self.line.isSliderDown():
            with QSignalBlocker(self.line):
                self.line.setValue(round(TICKS * at / count) if count else 0)


class StepBar(PlayerBar):
    """The controls of a player of steps, with buttons for single ones.

    `words` label the buttons to the start, one step back, one step on, and to the end.
    """

    def __init__(
        self, player: StepPlayer, words: Sequence[str], line: TimeLine, speed: tuple[str, str, Sequence[float], int]
    ) -> None:
        first, back, on, last = words
        super().__init__(player, "P", (first, last), line)
        self.back, self.on = large_button(back, "previous"), large_button(on, "step")
        self.speed = SpeedSlider(player, *speed)
        self.back.clicked.connect(partial(player.step, -1))
        self.on.clicked.connect(partial(player.step, 1))

    @property
    def buttons(self) -> tuple[QToolButton, ...]:
        """The buttons in their order."""
        return self.start, self.back, self.play, self.on, self.end

    def follow(self) -> None:
        """Show the player's step, and enable the buttons that lead to others."""
        super().follow()
        at, count = self.player.at, self.player.count
        for button in (self.start, self.back):
            button.setEnabled(at > 0)
        for button in (self.on, self.end):
            button.setEnabled(at < count)
