"""What is seen in every kind when a game is solved: a light that passes once over the board."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEasingCurve, QObject, Qt, QVariantAnimation
from PySide6.QtGui import QBrush, QColor, QLinearGradient, QPainterPath
from PySide6.QtWidgets import QApplication, QGraphicsPathItem, QGraphicsScene, QStyle

from studio.ui.canvas.layers import cosmetic
from studio.ui.session.games import Games
from studio.ui.widgets.theme import current_theme

LASTS_MS = 1400
BAND = 0.22
"""The width of the light, as a fraction of its way."""
STRENGTH_ON_BRIGHT, STRENGTH_ON_DARK = 110, 150
"""The opacity of the light at its middle, of 255: green on bright boards, where white would not be seen, else white."""
ABOVE_ALL = 3e6

Area = Callable[[], QPainterPath]


class Feast(QObject):
    """A band of light over the solved board, which takes no input away and ends with the next move.

    It passes when a move solves the puzzle, and at no other time: not when a solved game is opened, redone or brought
    in sight. Where the desktop wants no motion, there is none.
    """

    def __init__(self, games: Games, scene: QGraphicsScene, area: Area, rim: Area | None = None) -> None:
        """`area` is what the light passes over, and `rim` what is framed as long as the puzzle is solved."""
        super().__init__(scene)
        self._games, self._scene, self._area, self._rimmed = games, scene, area, rim
        self._light, self._rim = QGraphicsPathItem(), QGraphicsPathItem()
        for item in (self._light, self._rim):
            item.setZValue(ABOVE_ALL)
            item.setAcceptedMouseButtons(Qt.MouseButton.NoButton)
            item.hide()
        self._way = QVariantAnimation(self)
        self._way.setDuration(LASTS_MS)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.setEasingCurve(QEasingCurve.Type.InOutSine)
        self._way.valueChanged.connect(self._show)
        self._way.finished.connect(self._light.hide)
        self.held = 0
        """The number of times that the light passed."""
        games.solved.connect(self._start)

    @property
    def is_on(self) -> bool:
        """Whether the solved board is marked as such."""
        return self._rim.isVisible()

    @property
    def is_passing(self) -> bool:
        """Whether the light is on its way."""
        return self._light.isVisible()

    def follow(self) -> None:
        """Follow the game: another position ends the light, and one that is not solved has no rim."""
        self.stop()
        if self._rimmed is None or not self._games.is_solved:
            return
        self._add(self._rim)
        self._rim.setPath(self._rimmed())
        self._rim.setPen(cosmetic(current_theme().done, 3.0))
        self._rim.show()

    def stop(self) -> None:
        """Show neither light nor rim, and leave the scene, which may be cleared then."""
        self._way.stop()
        for item in (self._light, self._rim):
            item.hide()
            if item.scene() is self._scene:
                self._scene.removeItem(item)

    def seek(self, share: float) -> None:
        """Show the light after a share (0 to 1) of its way, for pictures."""
        self._way.stop()
        self._lay()
        self._show(share)

    def _start(self) -> None:
        if _wants_motion():
            self.held += 1
            self._lay()
            self._show(0.0)
            self._way.start()

    def _lay(self) -> None:
        self._add(self._light)
        self._light.setPath(self._area())
        self._light.setPen(QColor(0, 0, 0, 0))
        self._light.show()

    def _add(self, item: QGraphicsPathItem) -> None:
        if item.scene() is not self._scene:
            self._scene.addItem(item)

    def _show(self, share: object) -> None:
        assert isinstance(share, float)
        box = self._light.path().controlPointRect()
        light = QLinearGradient(box.topLeft(), box.bottomRight())
        middle = -BAND + share * (1 + 2 * BAND)
        theme = current_theme()
        colour = QColor(Qt.GlobalColor.white) if theme.is_dark else theme.done.lighter(150)
        most = STRENGTH_ON_DARK if theme.is_dark else STRENGTH_ON_BRIGHT
        for at, strength in ((middle - BAND, 0), (middle, most), (middle + BAND, 0)):
            colour.setAlpha(strength)
            light.setColorAt(min(max(at, 0.0), 1.0), colour)
        self._light.setBrush(QBrush(light))


def _wants_motion() -> bool:
    """Whether the desktop lets things move by themselves."""
    return QApplication.style().styleHint(QStyle.StyleHint.SH_Widget_Animation_Duration) > 0
