"""Controls of a player: play and pause, a time line to drag, single steps, and the speed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QLabel, QStyle, QStyleOptionSlider, QToolButton, QWidget

from studio.base.texts import tr
from studio.ui.canvas.plan_player import WHOLE_SECONDS, Player
from studio.ui.widgets.controls import ROW_GAP, CalmComboBox, CalmSlider, control_height, large_button, relabel
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.step_timer import SpeedSlider, StepPlayer
from studio.ui.widgets.theme import GAP

SPEEDS = (1, 5, 20, 100, 500)
TICKS = 10_000
"""Steps of the time line: more than any screen has pixels."""
KEY_TICKS, PAGE_TICKS = TICKS // 200, TICKS // 20


def clock(seconds: float) -> str:
    """Format a time as 4:07, or 1:04:07 from an hour on."""
    whole = int(seconds)
    minutes = f"{whole % 3600 // 60}" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02}"
    return f"{minutes}:{whole % 60:02}"


class TimeLine(CalmSlider):
    """A slider that jumps to a click, and follows from there."""

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self.setRange(0, TICKS)
        self.setSingleStep(KEY_TICKS)
        self.setPageStep(PAGE_TICKS)
        self.setAccessibleName(tr("Timeline"))
        self.setToolTip(tr("Progress of the machine. Drag, or use the arrow keys."))

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


class PlayerBar(QWidget):
    """The controls of one player, and the widgets beside its clock."""

    def __init__(self, player: Player, beside: QWidget) -> None:
        super().__init__()
        self._player, self._beside = player, beside
        self.start, self.end = large_button(tr("Go to start"), "to-start"), large_button(tr("Go to end"), "to-end")
        self.play = large_button(tr("Play (Space)"))
        self.line = TimeLine()
        self.clock = QLabel()
        self.clock.setToolTip(tr("Elapsed and total machine time."))
        self.speed = CalmComboBox(tr("Playback speed"), tr("Playback speed relative to the machine."))
        self.speed.setFixedHeight(control_height())
        self.speed.addItem(tr("Fit to {seconds:.0f} s", seconds=WHOLE_SECONDS), None)
        for speed in SPEEDS:
            self.speed.addItem(f"\N{MULTIPLICATION SIGN} {speed}", float(speed))
        self._lay_out()
        self.start.clicked.connect(lambda: player.seek(0.0))
        self.play.clicked.connect(player.toggle)
        self.end.clicked.connect(self._go_to_end)
        self.line.sliderPressed.connect(player.pause)
        self.line.valueChanged.connect(self._scrub)
        self.speed.currentIndexChanged.connect(self._choose_speed)
        player.moved.connect(self._follow)
        player.switched.connect(self._name_play)
        self._name_play(False)
        self.show_plan()

    def _lay_out(self) -> None:
        buttons = row(self.start, self.play, self.end, GAP, (self.speed, 1), gap=2)
        column(buttons, self.line, row((self.clock, 1), self._beside), of=self, gap=ROW_GAP)

    def _name_play(self, playing: bool) -> None:
        relabel(self.play, *((tr("Pause (Space)"), "pause") if playing else (tr("Play (Space)"), "play")))

    def show_plan(self) -> None:
        """Show that the player has another plan, or none."""
        self.setEnabled(self._player.playback is not None)
        self._follow(self._player.snapshot.seconds)

    def _whole(self) -> float:
        return self._player.playback.seconds if self._player.playback is not None else 0.0

    def _follow(self, seconds: float) -> None:
        whole = self._whole()
        self.clock.setText(
            tr("{elapsed} of {total}", elapsed=clock(seconds), total=clock(whole))
            if self._player.playback is not None
            else ""
        )
        if not self.line.isSliderDown():
            with QSignalBlocker(self.line):
                self.line.setValue(round(TICKS * seconds / whole) if whole else 0)

    def _scrub(self, tick: int) -> None:
        self._player.seek(self._whole() * tick / TICKS)

    def _go_to_end(self) -> None:
        self._player.pause()
        self._player.seek(self._whole())

    def _choose_speed(self) -> None:
        self._player.speed = self.speed.currentData()


# The controls of played steps: buttons, a time line to drag, and the speed


class StepBar(QWidget):
    """The controls of one player, connected to it; their owner lays them out.

    `words` label the buttons to the start, one step back, one step on, and to the end.
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
        """Show the player's step."""
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
