"""The controls of steps that are played: the ways through them, a time line to drag, and the speed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QToolButton, QWidget

from studio.base.texts import tr
from studio.ui.panels.player_bar import TICKS, TimeLine
from studio.ui.widgets.controls import large_button, relabel
from studio.ui.widgets.speed_slider import SpeedSlider
from studio.ui.widgets.step_timer import StepPlayer


class StepBar(QWidget):
    """The controls of one player, connected to it; their owner lays them out.

    `words` are those of the buttons to the start, one step back, one step on, and to the end.
    """

    def __init__(
        self, player: StepPlayer, words: Sequence[str], line: TimeLine, speed: tuple[str, str, Sequence[float], int]
    ) -> None:
        super().__init__()
        self._player, self.line = player, line
        self.start, self.back, self.on, self.end = (
            large_button(each, sign)
            for each, sign in zip(words, ("to-start", "previous", "step", "to-end"), strict=True)
        )
        self.play = large_button(tr("Play (P)"))
        self.speed = SpeedSlider(*speed, self._choose_speed)
        self.start.clicked.connect(partial(player.seek, 0))
        self.back.clicked.connect(partial(player.step, -1))
        self.play.clicked.connect(player.toggle)
        self.on.clicked.connect(partial(player.step, 1))
        self.end.clicked.connect(player.go_to_end)
        self.line.sliderPressed.connect(player.pause)
        self.line.valueChanged.connect(self._scrub)
        player.moved.connect(self.follow)
        player.switched.connect(self._name_play)
        self._name_play(False)

    @property
    def buttons(self) -> tuple[QToolButton, ...]:
        """The buttons in their order."""
        return self.start, self.back, self.play, self.on, self.end

    def follow(self) -> None:
        """Show the step that the player is at."""
        at, count = self._player.at, self._player.count
        self.setEnabled(count > 0)
        for button in (self.start, self.back):
            button.setEnabled(at > 0)
        for button in (self.on, self.end):
            button.setEnabled(at < count)
        if not self.line.isSliderDown():
            with QSignalBlocker(self.line):
                self.line.setValue(round(TICKS * at / max(count, 1)))

    def _name_play(self, playing: bool) -> None:
        relabel(self.play, *((tr("Pause (P)"), "pause") if playing else (tr("Play (P)"), "play")))

    def _scrub(self, tick: int) -> None:
        self._player.seek(round(self._player.count * tick / TICKS))

    def _choose_speed(self, speed: float | None) -> None:
        assert speed is not None, "steps are never played at full speed"
        self._player.speed = speed
