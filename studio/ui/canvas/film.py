"""A picture of the first N of many things, as N grows: what is painted stays, and a few copies lead back.

Painting thousands of lines takes longer than a frame. On a film, going on costs only what is new; going back, or far
ahead, begins at the nearest of the copies that were kept on the way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QPainter, QPixmap, QTransform

from studio.ui.widgets.theme import Theme

Paint = Callable[[QPixmap, int, int], None]
"""Paints on a picture the things from the first number up to the second, without it."""


@dataclass(frozen=True)
class FilmView:
    """How a scene is looked at; while it stays the same, so do the films."""

    transform: QTransform
    size: QSize
    ratio: float
    is_roomy: bool
    theme: Theme

    @property
    def visible(self) -> QRectF:
        """The part of the scene in view, in mm, with room for the width of a line."""
        inverse, _ = self.transform.inverted()
        return inverse.mapRect(QRectF(QPointF(), QSizeF(self.size)).adjusted(-2, -2, 2, 2))

    @property
    def bytes(self) -> int:
        """What one picture of it takes."""
        return max(1, 4 * round(self.size.width() * self.size.height() * self.ratio**2))

    def blank(self) -> QPixmap:
        """A picture of nothing."""
        picture = QPixmap(self.size * self.ratio)
        picture.setDevicePixelRatio(self.ratio)
        picture.fill(Qt.GlobalColor.transparent)
        return picture

    def painter(self, picture: QPixmap) -> QPainter:
        """A painter that paints in mm."""
        painter = QPainter(picture)
        painter.setTransform(self.transform)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return painter


class Film:
    """Grows from a picture of nothing to one of `total` things; keeps up to `copies` on the way."""

    def __init__(self, blank: QPixmap, total: int, copies: int, paint: Paint) -> None:
        self._paint = paint
        self._stride = max(1, -(-total // (copies + 1)))
        self._kept = {0: blank}
        self._picture, self._count = blank.copy(), 0
        self.painted = 0
        """How many things were painted since the film began; what tests count."""

    def after(self, count: int) -> QPixmap:
        """The picture of the first `count` things; it may be painted on later, so show it at once."""
        nearest = max(kept for kept in self._kept if kept <= count)
        if count < self._count or nearest > self._count:
            self._go_to(nearest)
        while self._count < count:
            end = min(count, (self._count // self._stride + 1) * self._stride)
            self._paint(self._picture, self._count, end)
            self.painted += end - self._count
            self._count = end
            if end % self._stride == 0 and end not in self._kept:
                self._kept[end] = self._picture.copy()
        return self._picture

    def _go_to(self, count: int) -> None:
        """Take a copy's pixels into the picture itself: fresh memory of that size costs more than the copying."""
        painter = QPainter(self._picture)
        painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
        painter.drawPixmap(0, 0, self._kept[count])
        painter.end()
        self._count = count
