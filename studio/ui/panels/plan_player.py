"""The player of the cut plan: the machine's time on the canvas, with its controls."""

from __future__ import annotations

import time

from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QLabel, QWidget

from studio.base.texts import tr
from studio.export.colour_profiles import profiles
from studio.fabricate.plan import UNTOUCHED, Playback
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.cutting import SINK_SECONDS, CuttingScene
from studio.ui.widgets.controls import ROW_GAP, CalmComboBox, control_height
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.player import Player, PlayerBar, TimeLine
from studio.ui.widgets.theme import GAP

SPEEDS = (1, 5, 20, 100, 500)


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


def clock(seconds: float) -> str:
    """Format a time as 4:07, or 1:04:07 from an hour on."""
    whole = int(seconds)
    minutes = f"{whole % 3600 // 60}" if whole < 3600 else f"{whole // 3600}:{whole % 3600 // 60:02}"
    return f"{minutes}:{whole % 60:02}"


class PlanBar(PlayerBar):
    """The controls of a player of plans, with a widget beside its clock."""

    def __init__(self, player: PlanPlayer, beside: QWidget) -> None:
        line = TimeLine(tr("Progress of the machine. Drag, or use the arrow keys."))
        super().__init__(player, tr("Space"), (tr("Go to start"), tr("Go to end")), line)
        self.clock = QLabel()
        self.clock.setToolTip(tr("Elapsed and total machine time."))
        self.speed = CalmComboBox(tr("Playback speed"), tr("Playback speed relative to the machine."))
        self.speed.setFixedHeight(control_height())
        self.speed.addItem(tr("Fit to {seconds:.0f} s", seconds=player.whole_seconds), None)
        for speed in SPEEDS:
            self.speed.addItem(f"\N{MULTIPLICATION SIGN} {speed}", float(speed))
        self.speed.currentIndexChanged.connect(lambda _row: setattr(player, "speed", self.speed.currentData()))
        buttons = row(self.start, self.play, self.end, GAP, (self.speed, 1), gap=2)
        column(buttons, line, row((self.clock, 1), beside), of=self, gap=ROW_GAP)
        self.follow()

    def follow(self) -> None:
        """Show the player's time."""
        super().follow()
        elapsed, total = clock(self.player.at), clock(self.player.count)
        self.clock.setText(tr("{elapsed} of {total}", elapsed=elapsed, total=total) if self.player.count else "")
