"""The player: advances the time of a cut plan and shows the sheet at that time on the canvas."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from studio.export.profiles import profiles
from studio.fabricate.playback import UNTOUCHED, Playback
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.cutting import SINK_SECONDS, CuttingScene

FRAME_MS = 16
WHOLE_SECONDS = 30.0
"""Duration of the whole plan if no speed is chosen."""
LONGEST_FRAME = 0.25
"""Pause in seconds after which playback resumes where it was instead of leaping."""


class Player(QObject):
    """Plays one plan at a time on a canvas; nothing is on the canvas before `show` nor after `hide`."""

    moved = Signal(float)
    """The seconds of machine time that are shown now."""
    appeared = Signal()
    """Asks to bring the sheet on the canvas in sight."""
    switched = Signal(bool)
    """True when playback starts, False when it stops."""

    def __init__(self, canvas: Canvas, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = canvas.view
        colours = {layer.operation: QColor(layer.colour) for layer in profiles()[0].layers}
        self.scene = CuttingScene(colours, self)
        self.playback: Playback | None = None
        self.snapshot = UNTOUCHED
        self.speed: float | None = None
        """Seconds of machine time per second; None plays the whole plan in WHOLE_SECONDS."""
        self.is_playing = False
        self.is_shown = False
        """True if the canvas shows the sheet being cut instead of the board."""
        self._sheet: QRectF | None = None
        self._last = 0.0
        self._timer = QTimer(self, interval=FRAME_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._tick)

    @property
    def is_busy(self) -> bool:
        """True while the head or a sinking piece moves."""
        return self._timer.isActive()

    def load(self, playback: Playback | None, *, is_elsewhere: bool = False) -> None:
        """Take another plan, at its beginning; None has nothing to show.

        A sheet elsewhere is no part of the board: it is fitted into view.
        """
        self.pause()
        sheet = None
        if playback is not None and is_elsewhere:
            sheet = QRectF(0, 0, playback.plan.drawing.width, playback.plan.drawing.height)
        if playback is None or sheet != self._sheet:
            self.hide()
        self._sheet = sheet
        self.playback = playback
        self.snapshot = UNTOUCHED
        if playback is not None:
            self.scene.show_plan(playback)
            self._go_to(playback, 0.0)

    def show(self) -> None:
        """Put the sheet on the canvas instead of the board."""
        if self.playback is None:
            return
        self.appeared.emit()
        if not self.is_shown:
            self.is_shown = True
            self._view.show_scene(self.scene, self._sheet)

    def hide(self) -> None:
        """Stop, and give the canvas back to the board."""
        self.pause()
        self._timer.stop()
        if self.is_shown:
            self.is_shown = False
            self._view.show_scene(None)
            self.scene.sheet.forget()

    def play(self) -> None:
        """Resume; at the end, start from the beginning."""
        if self.playback is None or self.is_playing:
            return
        self.show()
        if self.snapshot.seconds >= self.playback.seconds:
            self._go_to(self.playback, 0.0)
        self.is_playing = True
        self._run()
        self.switched.emit(True)

    def pause(self) -> None:
        """Pause; pieces that are falling go on falling."""
        if self.is_playing:
            self.is_playing = False
            self.switched.emit(False)

    def toggle(self) -> None:
        """Play or pause."""
        (self.pause if self.is_playing else self.play)()

    def seek(self, seconds: float) -> None:
        """Show the sheet at another time."""
        if self.playback is not None:
            self.show()
            self._go_to(self.playback, seconds)
            self._run()

    def rest(self) -> None:
        """Pause, with no piece falling; for pictures, which must not depend on the clock."""
        self.pause()
        self.scene.sheet.advance_sinking(time.monotonic() + SINK_SECONDS)
        self._timer.stop()

    def advance(self, passed: float) -> None:
        """Advance by some seconds of the maker's clock."""
        if self.is_playing and self.playback is not None:
            whole = self.playback.seconds
            speed = whole / WHOLE_SECONDS if self.speed is None else self.speed
            self._go_to(self.playback, self.snapshot.seconds + passed * speed)
            if self.snapshot.seconds >= whole:
                self.pause()
        if not self.scene.sheet.advance_sinking(time.monotonic()) and not self.is_playing:
            self._timer.stop()

    def _go_to(self, playback: Playback, seconds: float) -> None:
        self.snapshot = playback.at(seconds)
        self.scene.show_snapshot(self.snapshot, time.monotonic())
        self.moved.emit(self.snapshot.seconds)

    def _run(self) -> None:
        if not self._timer.isActive():
            self._last = time.monotonic()
            self._timer.start()

    def _tick(self) -> None:
        if self.is_playing and QApplication.activeModalWidget() is not None:
            # Behind a dialog nobody can watch or stop it, and the dialog's own work needs the time.
            self.pause()
        now = time.monotonic()
        passed, self._last = min(now - self._last, LONGEST_FRAME), now
        self.advance(passed)
