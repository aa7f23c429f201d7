"""The board of a zigzaw as a scene, for the solver and for a game: frame, places, pieces, and marks at mismatches.

A piece is painted once for a zoom and kept as a picture; large ones, few of which are in sight, are painted each time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen, QPixmap, QPolygonF
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.zigzaw.colours import GAP, GROUND
from studio.puzzles.zigzaw.game import NONE, Bools, Contacts, Game, PieceSet, contacts_of, mismatches, pieces_of
from studio.puzzles.zigzaw.gestures import EDGE, RIM, places_of
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign, layout
from studio.puzzles.zigzaw.piece_forms import DIVISION, FACES, HALF, HEXAGON, STEPS, Body, Sticker
from studio.solving.edges import UNKNOWN, Step
from studio.ui.canvas.cutting import blended
from studio.ui.canvas.paths import cosmetic
from studio.ui.widgets.theme import Painted, current_theme

FRAME_Z, PLACE_Z, LIT_Z, MARK_Z = 0.0, 1.0, 2.0, 3.0
ROUNDING = 4.0
LEVELS = (0.25, 0.5, 1.0)
"""Sizes of pictures, in pixels a unit of the scene; larger pieces are painted, since fewer of them are in view."""
MARK, LEAST_MARK = 0.42, 4.0
"""The radius of a mark as a share of a sticker's edge, and the least one in pixels."""


# Painting of zigzaw pieces: a dark body with coloured stickers, each sort of path made once.
#
# All lengths are in units of the scene: the edge of a sticker is EDGE long, however large it is cut.


def spot(x: float, y: float) -> QPointF:
    """A lattice point in units of the scene."""
    return QPointF(x * DIVISION * EDGE, y * HALF * EDGE)


def polygon(points: Sequence[tuple[float, float]]) -> QPolygonF:
    """Lattice points as a ring."""
    return QPolygonF([spot(x, y) for x, y in points])


@dataclass(frozen=True, eq=False)
class Form:
    """The paths of a body, from its cube's origin: its outline, and the stickers of each limb."""

    outline: QPainterPath
    limbs: tuple[QPainterPath, ...]

    @property
    def bounds(self) -> QRectF:
        """Area of the piece."""
        return self.outline.boundingRect()


@lru_cache(16)
def form_of(body: Body) -> Form:
    """The paths of a body."""
    outline = QPainterPath()
    outline.addPolygon(polygon(body.outline))
    outline.closeSubpath()
    limbs = []
    for limb in body.limbs:
        path = QPainterPath()
        for sticker in limb.stickers:
            _add(path, sticker, STEPS[limb.step])
        limbs.append(path)
    return Form(outline, tuple(limbs))


def _add(path: QPainterPath, sticker: Sticker, origin: tuple[int, int]) -> None:
    """Add a sticker."""
    path.addPolygon(_inset(sticker).translated(spot(*origin)))
    path.closeSubpath()


@cache
def _inset(sticker: Sticker) -> QPolygonF:
    """Path of a sticker, slightly shrunk so that the ground is seen between two."""
    corners: Floats = np.array(sticker.corners, float)
    middle = corners.mean(axis=0)
    return polygon([(x, y) for x, y in (middle + (1 - 2 * GAP) * (corners - middle)).tolist()])


def paint_piece(painter: QPainter, form: Form, colours: Sequence[int], paints: Sequence[QColor]) -> None:
    """Paint a piece at the painter's origin; `colours` are the numbers of its limbs' paints, UNKNOWN for bare ones."""
    painter.fillPath(form.outline, QColor(GROUND))
    for path, colour in zip(form.limbs, colours, strict=True):
        if colour != UNKNOWN:
            painter.fillPath(path, paints[colour])


@dataclass(frozen=True, eq=False)
class FramePaths:
    """Paths of the frame: the ground of its cubes, and its stickers by their letters; `bounds` encloses all cubes."""

    bounds: QRectF
    ground: QPainterPath
    stickers: tuple[tuple[str, QPainterPath], ...]

    def paint(self, painter: QPainter, paints: Sequence[QColor]) -> None:
        """Paint the frame at the painter's origin."""
        painter.fillPath(self.ground, QColor(GROUND))
        for letter, path in self.stickers:
            if letter != UNPAINTED:
                painter.fillPath(path, paints[LETTERS.index(letter)])


def frame_of(design: ZigzawDesign) -> FramePaths:
    """Make the frame of a design."""
    stickers: dict[str, QPainterPath] = {}
    ground, bounds = QPainterPath(), QRectF()
    for cube, owners in layout(design.parameters).stickers.items():
        x, y = cube.origin
        hexagon = polygon([(x + across, y + down) for across, down in HEXAGON])
        bounds = bounds.united(hexagon.boundingRect())
        own = [sticker for sticker, owner in owners.items() if owner == UNKNOWN]
        if own:
            ground.addPolygon(hexagon)
            ground.closeSubpath()
        for sticker in own:
            letter = design.triples[cube][FACES.index(sticker.face)]
            _add(stickers.setdefault(letter, QPainterPath()), sticker, cube.origin)
    return FramePaths(bounds, ground, tuple(stickers.items()))


GROUND_Z, PIECES_Z = 0.0, 1.0
LARGEST = 320
"""Most pixels across of pieces that are kept as pictures."""
MOST_BYTES = 64_000_000
MANY = 12
"""If more pieces than this change at once, all are painted: Qt is slower at a board in many patches."""
FRAME_PIXELS = 2.5
"""Width of the frame around the piece of a step."""
LEAST_TEXT = 7
"""Smaller figures, in pixels, are left out."""
HOTTEST = 4
"""Number of decoys from which the colour is strongest."""


class Ground(QGraphicsItem):
    """The frame and the empty places, which may show how many decoys fit them."""

    decoys = Painted[tuple[int, ...]](())
    """Number of decoys that fit each place; empty to show none."""

    def __init__(self, design: ZigzawDesign) -> None:
        super().__init__()
        self.setZValue(GROUND_Z)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._frame, self._form = frame_of(design), form_of(design.body)
        self._paints = [QColor(paint.colour) for paint in design.palette]
        self._places = [spot(*cube.origin) for cube in layout(design.parameters).places]

    def boundingRect(self) -> QRectF:
        return self._frame.bounds.adjusted(-RIM, -RIM, RIM, RIM)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        painter.setPen(cosmetic(theme.board_edge))
        painter.setBrush(theme.board)
        painter.drawRect(self.boundingRect().adjusted(1, 1, -1, -1))
        self._frame.paint(painter, self._paints)
        empty = blended(theme.board, theme.canvas, 0.6)
        painter.setPen(cosmetic(blended(theme.board_edge, theme.quiet, 0.4)))
        for number, place in enumerate(self._places):
            decoys = self.decoys[number] if self.decoys else 0
            painter.setBrush(blended(empty, theme.warning, 0.75 * min(decoys, HOTTEST) / HOTTEST))
            painter.drawPath(self._form.outline.translated(place))
        world = painter.worldTransform()
        pixels = round(1.6 * EDGE * world.m11())
        if not self.decoys or pixels < LEAST_TEXT:
            return
        font = QFont(QApplication.font())
        font.setPixelSize(pixels)
        painter.save()
        painter.setPen(theme.text)
        painter.setFont(font)
        painter.resetTransform()
        box = world.mapRect(self._form.outline.boundingRect())
        for place, decoys in zip(self._places, self.decoys, strict=True):
            if decoys:
                shift = world.map(place) - world.map(QPointF())
                painter.drawText(box.translated(shift), Qt.AlignmentFlag.AlignCenter, str(decoys))
        painter.restore()


class Pieces(QGraphicsItem):
    """The pieces on the board, by the colours of their sorts; `painted` counts those painted, not those copied."""

    last: Painted[Step | None] = Painted(None)
    """The marked step: the piece that it laid, or the place that it emptied."""

    def __init__(self, design: ZigzawDesign, sorts: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.setZValue(PIECES_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.painted = 0
        self._form: Form = form_of(design.body)
        self._paints = [QColor(paint.colour) for paint in design.palette]
        self._places = [spot(*cube.origin) for cube in layout(design.parameters).places]
        self._sorts = sorts
        self.board: Ints = np.full(len(self._places), UNKNOWN)
        self._box = self._form.bounds.adjusted(-1, -1, 1, 1)
        self._bounds = QRectF()
        for place in self._places:
            self._bounds = self._bounds.united(self._box.translated(place))
        self._kept: dict[int, QPixmap] = {}
        self._scale = 0.0, 1.0

    def show_board(self, board: Ints) -> None:
        """Show other pieces; a few changed ones are repainted alone."""
        changed = np.flatnonzero(board != self.board)
        self.board = board
        if len(changed) > MANY:
            self.update()
            return
        for place in changed.tolist():
            self.update(self._box.translated(self._places[place]))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        part, world = option.exposedRect, painter.worldTransform()
        seen = [
            place
            for place in np.flatnonzero(self.board != UNKNOWN).tolist()
            if self._box.translated(self._places[place]).intersects(part)
        ]
        ratio = painter.device().devicePixelRatioF()
        if self._box.width() * world.m11() * ratio > LARGEST:
            for place in seen:
                painter.translate(self._places[place])
                self._paint(painter, int(self.board[place]))
                painter.translate(-self._places[place])
        else:
            # Pictures are copied to whole pixels, so that they stay sharp.
            if self._scale != (world.m11(), ratio):
                self._scale = world.m11(), ratio
                self._kept.clear()
            painter.save()
            painter.resetTransform()
            for place in seen:
                at = world.map(self._places[place] + self._box.topLeft()) * ratio
                picture = self._picture(int(self.board[place]))
                painter.drawPixmap(QPointF(round(at.x()) / ratio, round(at.y()) / ratio), picture)
            painter.restore()
        if self.last is not None:
            # Frame the piece just laid, or the place just emptied.
            theme = current_theme()
            painter.setPen(cosmetic(theme.accent if self.last.is_placed else theme.error, FRAME_PIXELS))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawPath(self._form.outline.translated(self._places[self.last.place]))

    def _paint(self, painter: QPainter, sort: int) -> None:
        self.painted += 1
        paint_piece(painter, self._form, self._sorts[sort], self._paints)

    def _picture(self, sort: int) -> QPixmap:
        found = self._kept.get(sort)
        if found is not None:
            return found
        scale, ratio = self._scale
        width, height = (ceil(length * scale * ratio) for length in (self._box.width(), self._box.height()))
        if 4 * width * height * len(self._kept) > MOST_BYTES:
            self._kept.clear()
        found = QPixmap(width, height)
        found.setDevicePixelRatio(ratio)
        found.fill(Qt.GlobalColor.transparent)
        painter = QPainter(found)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.scale(scale, scale)
        painter.translate(-self._box.topLeft())
        self._paint(painter, sort)
        painter.end()
        self._kept[sort] = found
        return found


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
        picture = self._pictures.get((piece, level))
        if picture is None:
            picture = QPixmap(ceil(bounds.width() * level), ceil(bounds.height() * level))
            picture.fill(Qt.GlobalColor.transparent)
            inner = QPainter(picture)
            inner.setRenderHint(QPainter.RenderHint.Antialiasing)
            inner.scale(level, level)
            inner.translate(-bounds.topLeft())
            paint_piece(inner, self.form, self._colours[piece], self._paints)
            inner.end()
            self._pictures[piece, level] = picture
        painter.drawPixmap(QRectF(bounds.topLeft(), picture.size().toSizeF() / level), picture, QRectF(picture.rect()))


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
        # Thousands of marks are painted in one go, as copies of a picture.
        theme, size = current_theme(), ceil(2 * reach * painter.deviceTransform().m11())
        picture = QPixmap(size, size)
        picture.fill(Qt.GlobalColor.transparent)
        inner = QPainter(picture)
        inner.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner.scale(size / 2, size / 2)
        inner.translate(1, 1)
        inner.setPen(Qt.PenStyle.NoPen)
        inner.setBrush(theme.error)
        inner.drawEllipse(QPointF(), 1.0, 1.0)
        inner.setPen(QPen(theme.on_accent, 0.28, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
        for down in (-0.38, 0.38):
            inner.drawLine(QPointF(-0.38, down), QPointF(0.38, -down))
        inner.end()
        for x, y in spots[((spots >= low) & (spots <= high)).all(axis=1)].tolist():
            painter.drawPixmap(QRectF(x - reach, y - reach, 2 * reach, 2 * reach), picture, QRectF(picture.rect()))


class TableScene(QGraphicsScene):
    """The board, its pieces and marks."""

    def __init__(self, design: ZigzawDesign) -> None:
        super().__init__()
        self.show_design(design)

    def show_design(self, design: ZigzawDesign) -> None:
        """Show the empty board of a design."""
        self.clear()
        self.pieces, self.paints = pieces_of(design), [QColor(paint.colour) for paint in design.palette]
        self.form = form = form_of(design.body)
        self._contacts: Contacts = contacts_of(design.parameters)
        cubes = layout(design.parameters).places
        self.origins = [spot(*cube.origin) for cube in cubes]
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
