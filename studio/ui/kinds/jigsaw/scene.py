"""The table on which a jigsaw is put together: a picture for each cluster, moved and never painted while it is dragged.

A cluster is an item of Qt's own, with a pixmap as fine as the screen; so a frame of a drag copies pixels and runs no
Python for the pieces that lie there. Another zoom shows the pixmaps scaled at first and paints them again in slices.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPainterPath, QPen, QPixmap, QTransform
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsPathItem,
    QGraphicsPixmapItem,
    QGraphicsScene,
    QStyleOptionGraphicsItem,
    QWidget,
)

from studio.geometry.art.artwork import Picture
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.game import boxes
from studio.puzzles.jigsaw.game_positions import SAME, Cluster, Game, Part, PiecePose, Table
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.engravings import FACE, Engraving
from studio.ui.canvas import paths
from studio.ui.canvas.paths import cosmetic
from studio.ui.widgets.theme import current_theme, light_theme

MOST_PIXELS = 24e6
"""Most pixels of the whole board; a finer picture would fill gigabytes, and no screen shows it at once."""
SEAM = 90
"""Opacity of cuts between joined pieces, of 255."""
BURNT = 170
"""Opacity of engraved lines, of 255."""
NEAR = 0.1
"""Margin in mm around an engraving for its painted line."""
ROOM = 0.04
"""Margin around the board, as a fraction of its longer side: a wavy border reaches beyond it."""


class PieceArt:
    """Paints pieces and clusters at a scale; `is_plain` leaves the picture out."""

    def __init__(self, shapes: JigsawShapes, engravings: Sequence[Engraving] = ()) -> None:
        """Pieces with the engravings on their face."""
        self._drawing = shapes.drawing
        self._engraved = [paths.curved(one.on_board) for one in engravings if one.side == FACE]
        pieces = self._drawing.pieces
        self._rings = self._drawing.strokes.joined(pieces.codes, pieces.rings)
        self._ring_at = np.searchsorted(pieces.ring_owners, np.arange(len(pieces) + 1))
        self._picture = next((each for each in self._drawing.artwork if isinstance(each, Picture)), None)
        self.is_plain = False
        self.painted = 0
        """Number of pieces painted, for tests that count work."""
        room = ROOM * max(self._drawing.width, self._drawing.height)
        self._board = QRectF(0, 0, self._drawing.width, self._drawing.height).adjusted(-room, -room, room, room)
        self._ground: tuple[tuple[float, bool, str], QBrush] | None = None
        self.path = cache(self._path)
        self._marks = cache(self._engraved_on)

    @property
    def has_picture(self) -> bool:
        """True if there is a picture under the cuts."""
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
        """The outer cuts of a cluster, at its place on the table."""
        whole = QPainterPath()
        for part in cluster.parts:
            _inner, outer = self._cuts(np.array(part.members))
            whole.addPath(transform(part.pose).map(paths.curved(self._drawing.strokes.chosen(outer))))
        return whole

    def silhouette(self, cluster: Cluster) -> QPainterPath:
        """The pieces of a cluster as a path to fill, at its place on the table."""
        whole = QPainterPath()
        whole.setFillRule(Qt.FillRule.WindingFill)
        for part in cluster.parts:
            turned = transform(part.pose)
            for piece in part.members:
                whole.addPath(turned.map(self.path(piece)))
        return whole

    def pixmap(self, cluster: Cluster, scale: float, ratio: float, *, is_lit: bool) -> tuple[QPixmap, QPointF]:
        """A cluster painted at a scale in pixels a mm, and the place of its corner on the table."""
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
        """Paint a cluster at its place on the table."""
        theme = current_theme()
        brush = self._brush(scale)
        ink = QColor(light_theme().cut if self._shows_picture else theme.cut)
        # A light line around pieces on a dark table, or dark parts of a picture would merge with it.
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
        """Paint the engravings of a piece."""
        marks = self._marks(piece)
        if not marks:
            return
        painter.save()
        painter.setClipPath(self.path(piece), Qt.ClipOperation.IntersectClip)
        for each in marks:
            painter.strokePath(each, pen)
        painter.restore()

    def _cuts(self, members: Ints) -> tuple[Ints, Ints]:
        """Cuts between some pieces, and cuts around them."""
        pieces = self._drawing.pieces
        chosen = pieces.codes[np.concatenate([np.arange(*pieces.starts[each : each + 2]) for each in members])] >> 1
        cuts, times = np.unique(chosen, return_counts=True)
        return cuts[times > 1], cuts[times == 1]

    @property
    def _shows_picture(self) -> bool:
        return self._picture is not None and not self.is_plain

    def _brush(self, scale: float) -> QBrush:
        """Brush that fills pieces, in the coordinates of the board: its picture or its colour."""
        theme = current_theme()
        if not self._shows_picture:
            return QBrush(theme.board)
        key = (scale, self.is_plain, theme.name)
        if self._ground is not None and self._ground[0] == key:
            return self._ground[1]
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
        self._ground = key, brush
        return brush


def transform(pose: PiecePose) -> QTransform:
    """A pose as Qt knows it."""
    return QTransform.fromTranslate(pose.x, pose.y).rotate(pose.turn)


CALM_MS = 120
"""Time that the zoom must rest before pieces are painted at it."""
SLICE = 0.008
"""Seconds of painting pieces in one turn of the event loop."""
GROUND_Z, GHOST_Z, HELD_Z, MARK_Z = -1e6, 1e5, 1e6, 2e6
ONE_BY_ONE = 40
"""Pieces of a cluster up to which its ghost is filled."""


@dataclass(eq=False)
class Lying:
    """A cluster on the table: its item, its scale, and its mark."""

    cluster: Cluster
    item: QGraphicsPixmapItem
    corner: QPointF
    """The corner of its pixmap, for the pose with which it was painted."""
    painted: Cluster
    scale: float
    is_lit: bool = False


class GroundItem(QGraphicsItem):
    """The place of the board in the middle of the table."""

    def __init__(self, board: QRectF) -> None:
        super().__init__()
        self._board = board
        self.setZValue(GROUND_Z)

    def boundingRect(self) -> QRectF:
        return self._board.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setPen(cosmetic(current_theme().board_edge, style=Qt.PenStyle.DashLine))
        painter.drawRect(self._board)


class OutlineItem(QGraphicsPathItem):
    """An outline in a colour of the theme, perhaps filled faintly: a ghost, a selection, a wrong piece."""

    def __init__(self, z: float, role: str, width: float, fill: int = 0) -> None:
        super().__init__()
        self.setZValue(z)
        self._role, self._width, self._fill = role, width, fill
        self.dress()

    def dress(self) -> None:
        """Take the colours of the theme."""
        colour = QColor(getattr(current_theme(), self._role))
        self.setPen(cosmetic(colour, self._width))
        faint = QColor(colour)
        faint.setAlpha(self._fill)
        self.setBrush(faint if self._fill else QColor(Qt.GlobalColor.transparent))


class TableScene(QGraphicsScene):
    """Pieces and clusters of a game."""

    def __init__(self) -> None:
        super().__init__()
        self._lying: dict[int, Lying] = {}
        self._scale, self._ratio, self._stamp = 1.0, 1.0, 0
        self._game: Game | None = None
        self.art: PieceArt | None = None
        self.painted = 0
        """Number of clusters painted, for tests that count work."""
        self._marks: list[OutlineItem] = []
        self._slices = QTimer(self, interval=0)
        self._slices.timeout.connect(self._go_on)
        self._waiting = QTimer(self, singleShot=True, interval=CALM_MS)
        self._waiting.timeout.connect(lambda: self._slices.start())
        self.ghost = OutlineItem(GHOST_Z, "accent", 2.0, fill=50)
        self.hovered = OutlineItem(GHOST_Z, "accent", 1.5)
        self.band = OutlineItem(MARK_Z, "accent", 1.0, fill=30)
        for item in (self.ghost, self.hovered, self.band):
            self.addItem(item)
            item.hide()
        self._ground: GroundItem | None = None
        self._reaches: tuple[Table, Floats] | None = None
        """A game's table, and bounds (n,) on the reach of its pieces from their middles, in mm."""

    # Pieces on the table

    def show_table(self, art: PieceArt, game: Game) -> None:
        """Show another game, and remove the former one."""
        for lying in self._lying.values():
            self.removeItem(lying.item)
        self._lying = {}
        if self._ground is not None:
            self.removeItem(self._ground)
        drawing = game.table.halves.shapes.drawing
        self._ground = GroundItem(QRectF(0, 0, drawing.width, drawing.height))
        self.addItem(self._ground)
        self.art, self._game = art, game
        # Painted in slices: the view may not have its size yet, and hundreds of pieces take a while.
        for cluster in game.clusters:
            self._lying[cluster.leader] = self._unpainted(cluster)
        self._slices.start()

    def show_game(self, game: Game) -> None:
        """Show a position; only clusters that changed are painted again."""
        self._game = game
        now = {cluster.leader: cluster for cluster in game.clusters}
        for leader in [leader for leader in self._lying if leader not in now]:
            self.removeItem(self._lying.pop(leader).item)
        for leader, cluster in now.items():
            known = self._lying.get(leader)
            if known is None or known.cluster != cluster:
                self.lay(cluster)

    def lay(self, cluster: Cluster, *, is_held: bool = False) -> None:
        """Show a cluster at its place; it is repainted only if its pieces or its rotation have changed."""
        lying = self._lying.get(cluster.leader)
        if lying is None:
            lying = self._lying[cluster.leader] = self._unpainted(cluster)
        lying.cluster = cluster
        if not is_only_moved(lying.painted, cluster) or lying.scale <= 0.0:
            self._paint(lying)
        else:
            self._put(lying)
        self._stamp += 1
        lying.item.setZValue(HELD_Z if is_held else -cluster.size + self._stamp * 1e-7)

    def _unpainted(self, cluster: Cluster) -> Lying:
        item = QGraphicsPixmapItem()
        item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
        item.setZValue(-cluster.size)
        self.addItem(item)
        return Lying(cluster, item, QPointF(), cluster, 0.0)

    def _put(self, lying: Lying) -> None:
        here, there = lying.cluster.parts[0].pose, lying.painted.parts[0].pose
        lying.item.setPos(lying.corner + QPointF(here.x - there.x, here.y - there.y))

    def _paint(self, lying: Lying) -> None:
        assert self.art is not None
        scale = min(self._scale * self._ratio, self.art.finest)
        pixmap, lying.corner = self.art.pixmap(lying.cluster, scale, self._ratio, is_lit=lying.is_lit)
        lying.painted, lying.scale = lying.cluster, self._scale
        self.painted += 1
        lying.item.setPixmap(pixmap)
        lying.item.setScale(self._ratio / scale)
        self._put(lying)

    # The looks

    def show_scale(self, scale: float, ratio: float) -> None:
        """Take another zoom in pixels a mm, and the screen's pixel ratio; repaint once the zoom rests."""
        if (scale, ratio) != (self._scale, self._ratio):
            self._scale, self._ratio = scale, ratio
            self._waiting.start()

    def _go_on(self) -> None:
        begin = perf_counter()
        for lying in self._lying.values():
            if lying.scale != self._scale:
                self._paint(lying)
                if perf_counter() - begin > SLICE:
                    return
        self._slices.stop()

    def finish(self) -> None:
        """Paint all at the zoom, for pictures and tests."""
        self._waiting.stop()
        while self._slices.isActive() or any(each.scale != self._scale for each in self._lying.values()):
            self._go_on()

    def repaint(self) -> None:
        """Repaint everything, as after a change of theme."""
        for item in (self.ghost, self.hovered, self.band, *self._marks):
            item.dress()
        for lying in self._lying.values():
            self._paint(lying)

    def light(self, leaders: Collection[int]) -> None:
        """Show which clusters are selected."""
        for leader, lying in self._lying.items():
            if lying.is_lit != (leader in leaders):
                lying.is_lit = leader in leaders
                self._paint(lying)

    def show_hovered(self, cluster: Cluster | None) -> None:
        """Show which cluster a press would take."""
        self._show(self.hovered, None if cluster is None or self.art is None else self.art.outline(cluster))

    def show_ghost(self, cluster: Cluster | None) -> None:
        """Show where a cluster would snap."""
        if cluster is None or self.art is None:
            self.ghost.hide()
        else:
            is_small = cluster.size <= ONE_BY_ONE
            self._show(self.ghost, self.art.silhouette(cluster) if is_small else self.art.outline(cluster))

    def show_band(self, box: QRectF | None) -> None:
        """Show the selection box, or hide it."""
        path = QPainterPath()
        if box is not None:
            path.addRect(box)
        self._show(self.band, None if box is None else path)

    def mark(self, pieces: Iterable[int]) -> None:
        """Outline these pieces as wrong, and no others."""
        for mark in self._marks:
            self.removeItem(mark)
        self._marks = []
        for piece in pieces:
            assert self._game is not None and self.art is not None
            alone = Cluster((Part((piece,), self._game.cluster_of(piece).pose_of(piece)),))
            mark = OutlineItem(MARK_Z, "warning", 2.5)
            mark.setPath(self.art.outline(alone))
            self.addItem(mark)
            self._marks.append(mark)

    @staticmethod
    def _show(item: OutlineItem, path: QPainterPath | None) -> None:
        item.setVisible(path is not None)
        if path is not None:
            item.setPath(path)

    # Places

    def piece_at(self, place: QPointF) -> int | None:
        """The piece under a place of the table, the topmost of several."""
        game, art = self._game, self.art
        if game is None or art is None:
            return None
        table = game.table
        if self._reaches is None or self._reaches[0] is not table:
            low, high = boxes(table.halves.shapes.drawing)
            self._reaches = table, np.hypot(*(high - low).T) / 2
        places = table.places(game)
        middles = places.spots(np.arange(len(table.names)), table.middles)
        away = np.hypot(middles[:, 0] - place.x(), middles[:, 1] - place.y())
        found: list[tuple[float, int]] = []
        for piece in np.flatnonzero(away <= self._reaches[1]).tolist():
            lying = self._lying[int(places.leaders[piece])]
            x, y = lying.cluster.pose_of(piece).inverse.of(place.x(), place.y())
            if art.path(piece).contains(QPointF(x, y)):
                found.append((lying.item.zValue(), piece))
        return max(found)[1] if found else None

    def item_of(self, leader: int) -> QGraphicsPixmapItem:
        """Item that shows a cluster."""
        return self._lying[leader].item


def is_only_moved(before: Cluster, after: Cluster) -> bool:
    """True if a cluster has kept its pieces and their rotation, and has only moved."""
    if not before.parts or [part.members for part in before.parts] != [part.members for part in after.parts]:
        return False
    first, then = after.parts[0].pose, before.parts[0].pose
    moved = PiecePose(0.0, first.x - then.x, first.y - then.y)
    return all(
        one.pose.turn == other.pose.turn and moved.after(one.pose).is_near(other.pose, SAME)
        for one, other in zip(before.parts, after.parts, strict=True)
    )
