"""The player: advances the time of a cut plan and shows the sheet at that time on the canvas."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QColor

from studio.export.profiles import profiles
from studio.fabricate.plan import UNTOUCHED, Playback
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.cutting import SINK_SECONDS, CuttingScene
from studio.ui.widgets.player import Player


class PlanPlayer(Player):
    """Plays one plan at a time, in seconds of machine time, on a canvas that has nothing of it before `show`."""

    appeared = Signal()
    """Asks to bring the sheet on the canvas in sight."""

    def __init__(self, canvas: Canvas, parent: QObject | None = None) -> None:
        super().__init__(None, parent)
        self._view = canvas.view
        colours = {layer.operation: QColor(layer.colour) for layer in profiles()[0].layers}
        self.scene = CuttingScene(colours, self)
        self.playback: Playback | None = None
        self.snapshot = UNTOUCHED
        self.is_shown = False
        """True if the canvas shows the sheet being cut instead of the board."""
        self._sheet: QRectF | None = None

    @property
    def is_busy(self) -> bool:
        """True while the head or a sinking piece moves."""
        return self._timer.isActive()

    def show_plan(self, playback: Playback | None, *, is_elsewhere: bool = False) -> None:
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
        self.count = playback.seconds if playback is not None else 0.0
        self.go_to(0.0)

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
        """Play the sheet on the canvas; from the end it begins again."""
        self.show()
        super().play()

    def pause(self) -> None:
        """Pause; pieces that are falling go on falling."""
        is_busy = self.is_busy
        super().pause()
        if is_busy:
            self._run()

    def seek(self, at: float) -> None:
        """Show the sheet at another time; what plays goes on from there."""
        if self.playback is not None:
            self.show()
            self.go_to(at)
            self._run()

    def rest(self) -> None:
        """Pause, with no piece falling; for pictures, which must not depend on the clock."""
        self.pause()
        self.scene.sheet.advance_sinking(time.monotonic() + SINK_SECONDS)
        self._timer.stop()

    def go_to(self, at: float) -> None:
        """Show the sheet at a time."""
        if self.playback is not None:
            self.snapshot = self.playback.at(at)
            self.scene.show_snapshot(self.snapshot, time.monotonic())
        super().go_to(at)

    def advance(self, seconds: float) -> None:
        """Play some seconds of real time, and let pieces sink."""
        if self.is_playing:
            super().advance(seconds)
        if not self.scene.sheet.advance_sinking(time.monotonic()) and not self.is_playing:
            self._timer.stop()
