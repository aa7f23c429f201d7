"""What is seen when a jigsaw is solved: a light that passes once over the board."""

from __future__ import annotations

from PySide6.QtCore import QEasingCurve, QObject, QVariantAnimation
from PySide6.QtGui import QBrush, QColor, QLinearGradient
from PySide6.QtWidgets import QGraphicsPathItem, QGraphicsScene

from studio.puzzles.jigsaw.game import Game
from studio.ui.canvas.layers import cosmetic
from studio.ui.kinds.jigsaw.pieceart import PieceArt
from studio.ui.theme import current_theme

LASTS_MS = 1400
BAND = 0.22
"""The width of the light, as a fraction of its way."""
ABOVE_ALL = 3e6


class Feast(QObject):
    """A band of light over the solved board, whose outline then has the colour of what is done."""

    def __init__(self, scene: QGraphicsScene) -> None:
        super().__init__(scene)
        self._light, self._rim = QGraphicsPathItem(), QGraphicsPathItem()
        for item in (self._light, self._rim):
            item.setZValue(ABOVE_ALL)
            item.hide()
            scene.addItem(item)
        self._way = QVariantAnimation(self)
        self._way.setDuration(LASTS_MS)
        self._way.setStartValue(0.0)
        self._way.setEndValue(1.0)
        self._way.setEasingCurve(QEasingCurve.Type.InOutSine)
        self._way.valueChanged.connect(self._show)
        self._way.finished.connect(self._light.hide)

    @property
    def is_on(self) -> bool:
        """Whether the solved board is marked as such."""
        return self._rim.isVisible()

    def start(self, game: Game) -> None:
        """Light up the solved board."""
        art = PieceArt(game.table.halves.shapes)
        outline = art.outline(game.largest)
        self._rim.setPath(outline)
        self._rim.setPen(cosmetic(current_theme().done, 3.0))
        self._rim.show()
        self._light.setPath(art.silhouette(game.largest))
        self._light.setPen(QColor(0, 0, 0, 0))
        self._show(0.0)
        self._light.show()
        self._way.start()

    def stop(self) -> None:
        """The board is no longer solved."""
        self._way.stop()
        self._light.hide()
        self._rim.hide()

    def _show(self, share: object) -> None:
        assert isinstance(share, float)
        box = self._light.path().controlPointRect()
        light = QLinearGradient(box.topLeft(), box.bottomRight())
        middle = -BAND + share * (1 + 2 * BAND)
        for at, strength in ((middle - BAND, 0), (middle, 150), (middle + BAND, 0)):
            light.setColorAt(min(max(at, 0.0), 1.0), QColor(255, 255, 255, strength))
        self._light.setBrush(QBrush(light))
