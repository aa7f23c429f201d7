"""The pieces of a jigsaw as they are painted in a game: with the picture under the cuts, or plain."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPixmap, QTransform

from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Ints
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.engravings import FACE, Engraving
from studio.puzzles.jigsaw.play.game import Cluster, Pose
from studio.ui.canvas import paths
from studio.ui.canvas.layers import cosmetic
from studio.ui.widgets.theme import current_theme, light_theme

MOST_PIXELS = 24e6
"""Of the whole board; a finer one would fill gigabytes, and no screen shows it at once."""
SEAM = 90
"""How opaque cuts between joined pieces are, of 255."""
BURNT = 170
"""How opaque engraved lines are, of 255."""
NEAR = 0.1
"""How far in mm beside an engraving its line is painted."""
ROOM = 0.04
"""Beside the board, as a fraction of its longer side: a wavy border reaches beyond it."""


class PieceArt:
    """Paints pieces and clusters at a scale; `is_plain` leaves the picture out."""

    def __init__(self, shapes: JigsawShapes, engravings: Sequence[Engraving] = ()) -> None:
        """Pieces with what is engraved on their face."""
        self._drawing = shapes.drawing
        self._engraved = [paths.curved(one.on_board) for one in engravings if one.side == FACE]
        pieces = self._drawing.pieces
        self._rings = self._drawing.strokes.joined(pieces.codes, pieces.rings)
        self._ring_at = np.searchsorted(pieces.ring_owners, np.arange(len(pieces) + 1))
        self._picture = next((each for each in self._drawing.artwork if isinstance(each, Picture)), None)
        self.is_plain = False
        self.painted = 0
        """How many pieces were painted, for tests that count work."""
        room = ROOM * max(self._drawing.width, self._drawing.height)
        self._board = QRectF(0, 0, self._drawing.width, self._drawing.height).adjusted(-room, -room, room, room)
        self._ground: tuple[tuple[float, bool, str], QBrush] | None = None
        self.path = cache(self._path)
        self._marks = cache(self._engraved_on)

    @property
    def has_picture(self) -> bool:
        """Whether there is a picture under the cuts."""
        return self._picture is not None

    @property
    def finest(self) -> float:
        """The greatest scale in pixels a mm."""
        return math.sqrt(MOST_PIXELS / (self._board.width() * self._board.height()))

    def _path(self, piece: int) -> QPainterPath:
        """The outline of a piece on the board."""
        rings = np.arange(*self._ring_at[piece : piece + 2])
        return paths.curved(self._rings.chosen(rings))

    def _engraved_on(self, piece: int) -> list[QPainterPath]:
        """The engravings that are near a piece."""
        bounds = self.path(piece).controlPointRect()
        # A straight line has no area, and would meet nothing.
        boxes = (one.controlPointRect().adjusted(-NEAR, -NEAR, NEAR, NEAR) for one in self._engraved)
        return [one for one, box in zip(self._engraved, boxes, strict=True) if box.intersects(bounds)]

    def outline(self, cluster: Cluster) -> QPainterPath:
        """The outer cuts of a cluster, where it is on the table."""
        whole = QPainterPath()
        for part in cluster.parts:
            _inner, outer = self._cuts(np.array(part.members))
            whole.addPath(transform(part.pose).map(paths.curved(self._drawing.strokes.chosen(outer))))
        return whole

    def silhouette(self, cluster: Cluster) -> QPainterPath:
        """The pieces of a cluster, to be filled, where they are on the table."""
        whole = QPainterPath()
        whole.setFillRule(Qt.FillRule.WindingFill)
        for part in cluster.parts:
            turned = transform(part.pose)
            for piece in part.members:
                whole.addPath(turned.map(self.path(piece)))
        return whole

    def pixmap(self, cluster: Cluster, scale: float, ratio: float, *, is_lit: bool) -> tuple[QPixmap, QPointF]:
        """A cluster painted at a scale in pixels a mm, and where its corner is on the table."""
        bounds = QRectF()
        for part in cluster.parts:
            turned = transform(part.pose)
            for piece in part.members:
                bounds = bounds.united(turned.mapRect(self.path(piece).controlPointRect()))
        rim = 2.0 / scale
        bounds.adjust(-rim, -rim, rim, rim)
        pixmap = QPixmap(math.ceil(bounds.width() * scale), math.ceil(bounds.height() * scale))
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        painter.scale(scale, scale)
        painter.translate(-bounds.topLeft())
        self.paint(painter, cluster, scale, ratio, is_lit=is_lit)
        painter.end()
        pixmap.setDevicePixelRatio(ratio)
        return pixmap, bounds.topLeft()

    def paint(self, painter: QPainter, cluster: Cluster, scale: float, ratio: float, *, is_lit: bool) -> None:
        """Paint a cluster where it is on the table."""
        theme = current_theme()
        brush = self._brush(scale)
        ink = QColor(light_theme().cut if self._shows_picture else theme.cut)
        # Round a piece, a light line on a dark table: dark parts of a picture would not be told from it.
        rim, faint = QColor(theme.cut), QColor(ink)
        faint.setAlpha(SEAM)
        burnt = QColor(ink)
        burnt.setAlpha(BURNT)
        for part in cluster.parts:
            painter.save()
            painter.setTransform(transform(part.pose), True)
            for piece in part.members:
                painter.fillPath(self.path(piece), brush)
                self._engrave(painter, piece, cosmetic(burnt, ratio))
            self.painted += len(part.members)
            inner, outer = self._cuts(np.array(part.members))
            for cuts, colour in ((inner, faint), (outer, theme.accent if is_lit else rim)):
                if len(cuts):
                    painter.strokePath(
                        paths.curved(self._drawing.strokes.chosen(cuts)),
                        cosmetic(colour, ratio * (2.0 if is_lit and cuts is outer else 1.0)),
                    )
            painter.restore()

    def _engrave(self, painter: QPainter, piece: int, pen: QPen) -> None:
        """Paint what is engraved on a piece."""
        marks = self._marks(piece)
        if not marks:
            return
        painter.save()
        painter.setClipPath(self.path(piece), Qt.ClipOperation.IntersectClip)
        for each in marks:
            painter.strokePath(each, pen)
        painter.restore()

    def _cuts(self, members: Ints) -> tuple[Ints, Ints]:
        """The cuts between some pieces, and those round them."""
        pieces = self._drawing.pieces
        chosen = pieces.codes[np.concatenate([np.arange(*pieces.starts[each : each + 2]) for each in members])] >> 1
        cuts, times = np.unique(chosen, return_counts=True)
        return cuts[times > 1], cuts[times == 1]

    @property
    def _shows_picture(self) -> bool:
        return self._picture is not None and not self.is_plain

    def _brush(self, scale: float) -> QBrush:
        """What pieces are filled with, on the board."""
        theme = current_theme()
        if not self._shows_picture:
            return QBrush(theme.board)
        key = (scale, self.is_plain, theme.name)
        if self._ground is None or self._ground[0] != key:
            self._ground = key, self._pictured(scale)
        return self._ground[1]

    def _pictured(self, scale: float) -> QBrush:
        """The whole board with its picture, as large as it is needed."""
        from studio.ui.canvas.ink import PaintedPicture

        assert self._picture is not None
        size = self._board.size() * scale
        image = QImage(math.ceil(size.width()), math.ceil(size.height()), QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(light_theme().board)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(-self._board.topLeft())
        PaintedPicture(self._picture).paint(painter)
        painter.end()
        brush = QBrush(image)
        laid = QTransform.fromTranslate(self._board.left(), self._board.top())
        brush.setTransform(laid.scale(1 / scale, 1 / scale))
        return brush


def transform(pose: Pose) -> QTransform:
    """A pose as Qt knows it."""
    return QTransform.fromTranslate(pose.x, pose.y).rotate(pose.turn)


def dashed(colour: QColor) -> QPen:
    """A dashed pen of one pixel at any zoom."""
    return cosmetic(colour, style=Qt.PenStyle.DashLine)
