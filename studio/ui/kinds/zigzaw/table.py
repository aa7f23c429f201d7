"""The board of a game as a scene: the frame, places, the pieces on them, and marks at mismatches."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.bodies import DIVISION, HALF
from studio.puzzles.zigzaw.game import NONE, Bools, Contacts, Game, PieceSet, contacts_of, mismatches, pieces_of
from studio.puzzles.zigzaw.gestures import EDGE, RIM, places_of
from studio.puzzles.zigzaw.model import ZigzawDesign, layout
from studio.ui.canvas.cutting import blended
from studio.ui.kinds.zigzaw.scene import Form, FramePaths, form_of, frame_of, paint_piece, place_of
from studio.ui.widgets.theme import Painted, current_theme

FRAME_Z, PLACE_Z, LIT_Z, MARK_Z = 0.0, 1.0, 2.0, 3.0
ROUNDING = 4.0
LEVELS = (0.25, 0.5, 1.0)
"""Sizes of pictures, in pixels a unit of the scene; larger pieces are painted, since fewer of them are in view."""
MARK, LEAST_MARK = 0.42, 4.0
"""The radius of a mark as a share of a sticker's edge, and the least one in pixels."""


def colours_of(design: ZigzawDesign) -> tuple[QColor, ...]:
    """The paints of a design as Qt colours."""
    return tuple(QColor(paint.colour) for paint in design.palette)


def fine(painter: QPainter, colour: QColor, pixels: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen with a width in pixels at any zoom."""
    width = pixels / painter.worldTransform().m11()
    return QPen(colour, width, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


class FrameItem(QGraphicsItem):
    """The frame around the places; its rim shows that the puzzle is solved."""

    is_done = Painted(False)

    def __init__(self, frame: FramePaths, paints: Sequence[QColor]) -> None:
        super().__init__()
        self.setZValue(FRAME_Z)
        # The stickers of a large frame take longer than the repainted pieces after a move.
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._frame, self._paints = frame, paints

    def boundingRect(self) -> QRectF:
        return self._frame.bounds.adjusted(-RIM, -RIM, RIM, RIM)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        painter.setPen(fine(painter, theme.done, 3.0) if self.is_done else fine(painter, theme.board_edge, 1.0))
        painter.setBrush(theme.board)
        painter.drawRoundedRect(self.boundingRect().adjusted(2, 2, -2, -2), ROUNDING, ROUNDING)
        self._frame.paint(painter, self._paints)


class PiecePainter:
    """Paints pieces, small ones from pictures: a large board shows many of them, and another zoom paints them all."""

    def __init__(self, form: Form, pieces: PieceSet, paints: Sequence[QColor]) -> None:
        self.form = form
        self._colours, self._paints = pieces.colours.tolist(), paints
        self._pictures: dict[tuple[int, float], QPixmap] = {}

    def paint(self, painter: QPainter, piece: int) -> None:
        """Paint a piece at the painter's origin."""
        scale = painter.deviceTransform().m11()
        level = next((each for each in LEVELS if scale <= each), None)
        if level is None:
            paint_piece(painter, self.form, self._colours[piece], self._paints)
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        bounds = self.form.bounds
        picture = self._pictures.get((piece, level)) or self._pictured(piece, level)
        painter.drawPixmap(QRectF(bounds.topLeft(), picture.size().toSizeF() / level), picture, QRectF(picture.rect()))

    def _pictured(self, piece: int, level: float) -> QPixmap:
        bounds = self.form.bounds
        picture = QPixmap(ceil(bounds.width() * level), ceil(bounds.height() * level))
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(level, level)
        painter.translate(-bounds.topLeft())
        paint_piece(painter, self.form, self._colours[piece], self._paints)
        painter.end()
        self._pictures[piece, level] = picture
        return picture


class PlaceItem(QGraphicsItem):
    """A place, and its piece."""

    piece = Painted(NONE)
    is_lifted = Painted(False)
    """True while the piece is held, so that only its shadow is left here."""

    def __init__(self, pieces: PiecePainter) -> None:
        super().__init__()
        self.setZValue(PLACE_Z)
        self._form, self._pieces = pieces.form, pieces
        self._bounds = self._form.bounds.adjusted(-0.5, -0.5, 0.5, 0.5)

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        if self.piece == NONE or self.is_lifted:
            painter.setPen(fine(painter, theme.board_edge, 1.0))
            painter.setBrush(blended(theme.board, theme.canvas, 0.6))
            painter.drawPath(self._form.outline)
        if self.piece != NONE:
            painter.setOpacity(0.35 if self.is_lifted else 1.0)
            self._pieces.paint(painter, self.piece)


class LitItem(QGraphicsItem):
    """An outline around a place: the cursor, the target of a drop, or the subject of a hint."""

    def __init__(self, form: Form, pixels: float, style: Qt.PenStyle, role: str) -> None:
        super().__init__()
        self.setZValue(LIT_Z)
        self._form, self._pixels, self._style, self._role = form, pixels, style, role
        self._bounds = form.bounds.adjusted(-EDGE, -EDGE, EDGE, EDGE)
        self.hide()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        painter.setPen(fine(painter, theme.board, self._pixels + 2.0))
        painter.drawPath(self._form.outline)
        painter.setPen(fine(painter, getattr(theme, self._role), self._pixels, self._style))
        painter.drawPath(self._form.outline)


class MarksItem(QGraphicsItem):
    """Crosses in red discs where two neighbours show the same side in different colours."""

    def __init__(self, spots: Floats, bounds: QRectF) -> None:
        super().__init__()
        self.setZValue(MARK_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._spots, self._bounds = spots, bounds
        self.shown = np.zeros(len(spots), bool)
        self.radius = MARK * EDGE

    def boundingRect(self) -> QRectF:
        return self._bounds

    def show_marks(self, shown: Bools, pixel: float) -> None:
        """Show some of the marks; `pixel` is the size of a pixel in units of the scene."""
        radius = max(MARK * EDGE, LEAST_MARK * pixel)
        changed = np.flatnonzero(shown != self.shown) if radius == self.radius else np.flatnonzero(shown | self.shown)
        reach = 1.2 * max(radius, self.radius)
        self.shown, self.radius = shown, radius
        for x, y in self._spots[changed].tolist():
            self.update(QRectF(x - reach, y - reach, 2 * reach, 2 * reach))

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        reach, exposed = self.radius, option.exposedRect
        spots = self._spots[self.shown]
        low = np.array([exposed.left() - reach, exposed.top() - reach])
        high = np.array([exposed.right() + reach, exposed.bottom() + reach])
        picture = self._pictured(painter.deviceTransform().m11())
        for x, y in spots[((spots >= low) & (spots <= high)).all(axis=1)].tolist():
            painter.drawPixmap(QRectF(x - reach, y - reach, 2 * reach, 2 * reach), picture, QRectF(picture.rect()))

    def _pictured(self, scale: float) -> QPixmap:
        """A mark as a picture; thousands of them are painted in one go."""
        theme, size = current_theme(), ceil(2 * self.radius * scale)
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(size / 2, size / 2)
        painter.translate(1, 1)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.error)
        painter.drawEllipse(QPointF(), 1.0, 1.0)
        painter.setPen(QPen(theme.on_accent, 0.28, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for down in (-0.38, 0.38):
            painter.drawLine(QPointF(-0.38, down), QPointF(0.38, -down))
        painter.end()
        return picture


class TableScene(QGraphicsScene):
    """The board, its pieces and marks."""

    def __init__(self, design: ZigzawDesign) -> None:
        super().__init__()
        self.show_design(design)

    def show_design(self, design: ZigzawDesign) -> None:
        """Show the empty board of a design."""
        self.clear()
        self.pieces, self.paints = pieces_of(design), colours_of(design)
        self.form = form = form_of(design.body)
        self._contacts: Contacts = contacts_of(design.parameters)
        cubes = layout(design.parameters).places
        self.origins = [place_of(cube) for cube in cubes]
        self.middles = places_of(design).middles
        painter = PiecePainter(form, self.pieces, self.paints)
        self.places = [PlaceItem(painter) for _ in cubes]
        self._placed: tuple[int, ...] = (NONE,) * len(cubes)
        self._lifted: int | None = None
        self.frame = frame = FrameItem(frame_of(design), self.paints)
        self.board = frame.boundingRect()
        self.marks = MarksItem(self._contacts.spots * (DIVISION * EDGE, HALF * EDGE), self.board)
        self.cursor = LitItem(form, 2.0, Qt.PenStyle.SolidLine, "accent")
        self.target = LitItem(form, 3.0, Qt.PenStyle.SolidLine, "accent")
        self._flags: list[LitItem] = []
        for item in (frame, *self.places, self.cursor, self.target, self.marks):
            self.addItem(item)
        for place, at in zip(self.places, self.origins, strict=True):
            place.setPos(at)

    def show_game(self, game: Game, *, is_done: bool) -> None:
        """Show the placed pieces; only places that changed are painted again."""
        self.frame.is_done = is_done
        before, self._placed = self._placed, game.placed
        for place, (was, piece) in enumerate(zip(before, game.placed, strict=True)):
            if was != piece:
                self.places[place].piece = piece

    def lift(self, place: int | None) -> None:
        """Show only the piece of this place as held."""
        if self._lifted is not None:
            self.places[self._lifted].is_lifted = False
        if place is not None:
            self.places[place].is_lifted = True
        self._lifted = place

    def show_marks(self, game: Game, *, shows: bool, pixel: float) -> None:
        """Mark the mismatches, or nothing; `pixel` is the size of a pixel in units of the scene."""
        shown = mismatches(self._contacts, self.pieces, game) if shows else np.zeros(len(self._contacts.sides), bool)
        self.marks.show_marks(shown, pixel)

    def show_at(self, item: LitItem, place: int | None) -> None:
        """Light a place with one of the lines, or none."""
        if place is not None:
            item.setPos(self.origins[place])
        item.setVisible(place is not None)

    def flag(self, places: Iterable[int]) -> None:
        """Put dashed lines around these places only."""
        for item in self._flags:
            self.removeItem(item)
        self._flags = []
        for place in places:
            item = LitItem(self.form, 2.5, Qt.PenStyle.DashLine, "warning")
            self.addItem(item)
            self._flags.append(item)
            self.show_at(item, place)

    def place_at(self, point: QPointF) -> int | None:
        """The place with a point inside its outline."""
        distances = np.hypot(*(self.middles - (point.x(), point.y())).T)
        for place in np.argsort(distances, kind="stable")[:7].tolist():
            if self.form.outline.contains(point - self.origins[place]):
                return int(place)
        return None
