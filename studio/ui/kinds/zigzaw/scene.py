"""Painting of a zigzaw's pieces, and the board while it is solved: frame, places, placed pieces.

A piece is painted once for a zoom and kept as a picture; large ones, few of which are in sight, are painted each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPixmap, QPolygonF, QTransform
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.zigzaw.board import layout
from studio.puzzles.zigzaw.bodies import DIVISION, FACES, HALF, STEPS, Body, Cube, Sticker
from studio.puzzles.zigzaw.colours import GAP, GROUND
from studio.puzzles.zigzaw.gestures import EDGE, HEXAGON
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign
from studio.solving.edges import UNKNOWN, Step
from studio.ui.canvas.cutting import blended
from studio.ui.canvas.paths import cosmetic
from studio.ui.widgets.theme import Painted, Theme, current_theme

# Painting of zigzaw pieces: a dark body with coloured stickers, each sort of path made once.
#
# All lengths are in units of the scene: the edge of a sticker is EDGE long, however large it is cut.


def place_of(cube: Cube) -> QPointF:
    """Origin of a cube and of its piece."""
    return spot(*cube.origin)


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
RIM = EDGE
LARGEST = 320
"""Most pixels across of pieces that are kept as pictures."""
MOST_BYTES = 64_000_000
MANY = 12
"""If more pieces than this change at once, all are painted: Qt is slower at a board in many patches."""
MARK = 2.5
"""The width of a mark in pixels."""
LEAST_TEXT = 7
"""Smaller figures, in pixels, are left out."""
HOTTEST = 4
"""Number of decoys from which the colour is strongest."""


class Ground(QGraphicsItem):
    """The frame and the empty places, which may show how many decoys fit them."""

    def __init__(self, design: ZigzawDesign) -> None:
        super().__init__()
        self.setZValue(GROUND_Z)
        self.setCacheMode(QGraphicsItem.CacheMode.DeviceCoordinateCache)
        self._frame, self._form = frame_of(design), form_of(design.body)
        self._paints = [QColor(paint.colour) for paint in design.palette]
        self._places = [place_of(cube) for cube in layout(design.parameters).places]
        self._decoys: tuple[int, ...] = ()

    def show_decoys(self, decoys: tuple[int, ...]) -> None:
        """Show for each place how many decoys fit it, or nothing."""
        if decoys != self._decoys:
            self._decoys = decoys
            self.update()

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
            decoys = self._decoys[number] if self._decoys else 0
            painter.setBrush(blended(empty, theme.warning, 0.75 * min(decoys, HOTTEST) / HOTTEST))
            painter.drawPath(self._form.outline.translated(place))
        if self._decoys:
            self._write(painter, theme)

    def _write(self, painter: QPainter, theme: Theme) -> None:
        world = painter.worldTransform()
        pixels = round(1.6 * EDGE * world.m11())
        if pixels < LEAST_TEXT:
            return
        font = QFont(QApplication.font())
        font.setPixelSize(pixels)
        painter.save()
        painter.setPen(theme.text)
        painter.setFont(font)
        painter.resetTransform()
        box = world.mapRect(self._form.outline.boundingRect())
        for place, decoys in zip(self._places, self._decoys, strict=True):
            if decoys:
                shift = world.map(place) - world.map(QPointF())
                painter.drawText(box.translated(shift), Qt.AlignmentFlag.AlignCenter, str(decoys))
        painter.restore()


class Pieces(QGraphicsItem):
    """The pieces on the board; `painted` counts the pieces painted, not those copied."""

    last: Painted[Step | None] = Painted(None)
    """The marked step: the piece that it laid, or the place that it emptied."""

    def __init__(self, design: ZigzawDesign, sorts: Sequence[Sequence[int]]) -> None:
        super().__init__()
        self.setZValue(PIECES_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.painted = 0
        self._form: Form = form_of(design.body)
        self._paints = [QColor(paint.colour) for paint in design.palette]
        self._places = [place_of(cube) for cube in layout(design.parameters).places]
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
            self._paint_anew(painter, seen)
        else:
            self._copy(painter, world, ratio, seen)
        self._mark(painter)

    def _paint_anew(self, painter: QPainter, places: Sequence[int]) -> None:
        for place in places:
            painter.translate(self._places[place])
            self._paint(painter, int(self.board[place]))
            painter.translate(-self._places[place])

    def _paint(self, painter: QPainter, sort: int) -> None:
        self.painted += 1
        paint_piece(painter, self._form, self._sorts[sort], self._paints)

    def _copy(self, painter: QPainter, world: QTransform, ratio: float, places: Sequence[int]) -> None:
        """Copy the pieces' pictures to whole pixels, so that they stay sharp."""
        if self._scale != (world.m11(), ratio):
            self._scale = world.m11(), ratio
            self._kept.clear()
        corner = self._box.topLeft()
        painter.save()
        painter.resetTransform()
        for place in places:
            at = world.map(self._places[place] + corner) * ratio
            picture = self._picture(int(self.board[place]))
            painter.drawPixmap(QPointF(round(at.x()) / ratio, round(at.y()) / ratio), picture)
        painter.restore()

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

    def _mark(self, painter: QPainter) -> None:
        """Frame the piece just laid, or the place just emptied."""
        if self.last is None:
            return
        theme = current_theme()
        painter.setPen(cosmetic(theme.accent if self.last.is_placed else theme.error, MARK))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(self._form.outline.translated(self._places[self.last.place]))


class SolverScene(QGraphicsScene):
    """The board of one design at a time."""

    def __init__(self) -> None:
        super().__init__()
        self.ground: Ground | None = None
        self.pieces: Pieces | None = None

    def show_design(self, design: ZigzawDesign, sorts: Sequence[Sequence[int]]) -> QRectF:
        """Show the empty board of a design; `sorts` are the colours of its sorts of pieces. Returns its bounds."""
        self.clear()
        self.ground, self.pieces = Ground(design), Pieces(design, sorts)
        self.addItem(self.ground)
        self.addItem(self.pieces)
        return self.ground.boundingRect()
