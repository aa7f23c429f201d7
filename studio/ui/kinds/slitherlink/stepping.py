"""Plays the steps of a solution one by one, and the controls for it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from studio.ui.layout import REST, column, row
from studio.ui.panels.player import TICKS, TimeLine
from studio.ui.speed import SpeedSlider
from studio.ui.theme import GAP
from studio.ui.widgets import large_button, relabel

SPEEDS = (1, 2, 4, 8, 16, 32)
"""Steps a second."""
USUAL_SPEED = 1


class StepPlayer(QObject):
    """Plays `count` steps; `at` is how many of them are made."""

    moved = Signal()
    """Another moment is shown, or there are other steps."""
    switched = Signal(bool)
    """Whether it plays."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.count = self.at = 0
        self._timer = QTimer(self, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)
        self.set_speed(SPEEDS[USUAL_SPEED])

    @property
    def is_playing(self) -> bool:
        """Whether it goes on by itself."""
        return self._timer.isActive()

    def set_speed(self, speed: float | None) -> None:
        """Play some steps a second."""
        self._timer.setInterval(round(1000 / (speed or SPEEDS[-1])))

    def load(self, count: int) -> None:
        """Take other steps, at their beginning."""
        self.pause()
        self.count, self.at = count, 0
        self.moved.emit()

    def toggle(self) -> None:
        """Play or pause; at the end it begins again."""
        if self.is_playing:
            self.pause()
        elif self.count:
            self.go_to(0 if self.at == self.count else self.at + 1)
            self._timer.start()
            self.switched.emit(True)

    def pause(self) -> None:
        """Stop."""
        if self.is_playing:
            self._timer.stop()
            self.switched.emit(False)

    def step(self, by: int) -> None:
        """Go some steps on, or back, and stop there."""
        self.seek(self.at + by)

    def seek(self, at: int) -> None:
        """Stop at the moment after some steps."""
        self.pause()
        self.go_to(at)

    def go_to(self, at: int) -> None:
        """Show the moment after some steps."""
        self.at = min(max(at, 0), self.count)
        self.moved.emit()

    def _tick(self) -> None:
        if QApplication.activeModalWidget() is not None or self.at >= self.count:
            # Behind a dialog nobody can watch or stop it.
            self.pause()
        else:
            self.go_to(self.at + 1)
            if self.at == self.count:
                self.pause()


class StepBar(QWidget):
    """The controls of one player."""

    def __init__(self, player: StepPlayer) -> None:
        super().__init__()
        self._player = player
        self.start, self.end = (
            large_button("To the start (Home)", "to-start"),
            large_button("To the end (End)", "to-end"),
        )
        self.back = large_button("One step back (Left)", "previous")
        self.on = large_button("One step (Right)", "step")
        self.play = large_button("Play (P)")
        self.line = TimeLine()
        self.line.setToolTip("The steps of the solution. Drag along them.")
        self.place = QLabel()
        """How many steps are made; the page has it above the board."""
        self.speed = SpeedSlider(
            "Speed of the steps", "How fast the steps are played", SPEEDS, USUAL_SPEED, player.set_speed
        )
        buttons = (self.start, self.back, self.play, self.on, self.end)
        column(self.line, row(*buttons, GAP, self.speed, self.speed.label, REST), of=self, gap=4)
        self.start.clicked.connect(partial(player.seek, 0))
        self.back.clicked.connect(partial(player.step, -1))
        self.play.clicked.connect(player.toggle)
        self.on.clicked.connect(partial(player.step, 1))
        self.end.clicked.connect(lambda: player.seek(player.count))
        self.line.sliderPressed.connect(player.pause)
        self.line.valueChanged.connect(self._scrub)
        player.moved.connect(self.follow)
        player.switched.connect(self._name_play)
        self._name_play(False)
        self.follow()

    def _name_play(self, playing: bool) -> None:
        relabel(self.play, *(("Pause (P)", "pause") if playing else ("Play (P)", "play")))

    def follow(self) -> None:
        """Show the moment of the player."""
        at, count = self._player.at, self._player.count
        self.setEnabled(count > 0)
        for button in (self.start, self.back):
            button.setEnabled(at > 0)
        for button in (self.on, self.end):
            button.setEnabled(at < count)
        self.place.setText(f"Step {at} of {count}" if count else "")
        if not self.line.isSliderDown():
            with QSignalBlocker(self.line):
                self.line.setValue(round(TICKS * at / max(count, 1)))

    def _scrub(self, tick: int) -> None:
        self._player.seek(round(self._player.count * tick / TICKS))
