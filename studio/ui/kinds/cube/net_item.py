"""The unfolded box: pieces in their colours, folds dashed, selected and pointed cells outlined.

Marks do not rely on colour: a dot on an edited voxel, a padlock on a locked edge, a plus on a voxel that the selected
piece could take.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.base.colours import COLOURS, mixed
from studio.geometry.curves.strokes import Ints
from studio.geometry.planar.polyomino import outlines
from studio.puzzles.cube.assembly import Net, net
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY
from studio.ui.canvas.marks import padlock
from studio.ui.canvas.paths import polygon
from studio.ui.kinds.cube.selection import CubeSelection
from studio.ui.solid.overlay import ink_on, letter_path
from studio.ui.widgets.theme import Painted, current_theme

INK = QColor("#1D1F24")
DIMMED = 0.72
"""Share of the ground in the colour of a dimmed piece."""
RESTING = 0.4
"""Share of the ground in the colours of all pieces except the selected one."""
TAKEN = 0.72
"""Opacity of the new piece's colour on a cell that a click would give to it, as in the 3-D view."""
LETTER, LETTER_SHARE = 1.1, 0.28
"""Size of a letter: in voxels, and in large cores as a share of the core."""
NAME_PIXELS = 11
DOT_PIXELS, PLUS_PIXELS = 3.5, 4.0
FINE_BELOW = 20.0
"""Cells smaller than this many pixels have finer lines."""
FEW_PIXELS = 12.0
"""Cells smaller than this on the screen show no plus."""


class NetItem(QGraphicsItem):
    """The net of a box in mm, from the upper left corner."""

    pointed = Painted[int | None](None)
    """The cell under the mouse."""
    stop = Painted[int | None](None)
    """The cell of the keys; None while they are elsewhere."""
    gives = Painted(False)
    """True if a click would give the cell under the mouse to the selected piece."""

    def __init__(self, shapes: CubeShapes, selection: CubeSelection) -> None:
        super().__init__()
        self._selection = selection
        self.shapes = shapes
        """The box that is shown."""
        self.show_shapes(shapes)

    @property
    def net(self) -> Net:
        """The net that is shown."""
        return net(*self.shapes.partition.shell.size)

    @property
    def unit(self) -> float:
        """The side of a voxel in mm."""
        return self.shapes.design.parameters.unit

    @property
    def size(self) -> tuple[float, float]:
        """Width and height in mm."""
        columns, rows = self.net.size
        return columns * self.unit, rows * self.unit

    def show_shapes(self, shapes: CubeShapes) -> None:
        """Show another box."""
        self.prepareGeometryChange()
        if self.shapes.partition.shell is not shapes.partition.shell:
            self.pointed = self.stop = None
        self.shapes = shapes
        self._regions = [self._path(loops) for loops in self.net.regions(shapes.partition.owners)]
        self.update()

    def together(self, cell: int) -> Ints:
        """Cells that belong together: all of the same voxel, or the whole core."""
        flat = self.net
        voxel = int(flat.voxels[cell])
        if voxel != NOBODY:
            return flat.appearances(voxel)
        return np.flatnonzero((flat.voxels == NOBODY) & (flat.faces == flat.faces[cell]))

    def boundingRect(self) -> QRectF:
        width, height = self.size
        return QRectF(0, 0, width, height).adjusted(-self.unit, -self.unit, self.unit, self.unit)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        pixel = 1.0 / max(painter.worldTransform().m11(), 1e-9)
        for piece, region in enumerate(self._regions):
            painter.fillPath(region, QColor(self._colour(piece)))
        # Lines of full width would cover small cells.
        fine = min(pixel, self.unit / FINE_BELOW)
        self._paint_lines(painter, fine)
        self._paint_letters(painter)
        # Dots on edited voxels, and a plus on all that could belong to the selected piece.
        middles = (self.net.places + 0.5) * self.unit
        for cell in self.given():
            x, y = middles[cell].tolist()
            reach = min(DOT_PIXELS * pixel, 0.2 * self.unit)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._ink_of(cell))
            painter.drawEllipse(QPointF(x, y), reach, reach)
        if self.unit / pixel >= FEW_PIXELS:
            for cell in self.offered():
                x, y = middles[cell].tolist()
                reach = PLUS_PIXELS * pixel
                painter.setPen(_pen(self._ink_of(cell), 1.5 * pixel))
                painter.drawLine(QPointF(x - reach, y), QPointF(x + reach, y))
                painter.drawLine(QPointF(x, y - reach), QPointF(x, y + reach))
        if self._selection.piece is not None and self._selection.piece not in self._selection.hidden:
            self._paint_rim(painter, self._regions[self._selection.piece], fine, 2.5)
        # The selected edges, wherever they appear.
        path = self._outline(np.flatnonzero(np.isin(self._edges(), list(self._selection.edges))))
        self._paint_rim(painter, path, fine)
        self._paint_pointed(painter, fine)
        self._paint_locks(painter, pixel)

    def _colour(self, piece: int) -> str:
        """Colour of a piece: paler if dimmed or if another piece is selected; the board's colour if hidden."""
        chosen, ground = self._selection, current_theme().board.name()
        if piece in chosen.hidden:
            return ground
        if piece in chosen.dimmed:
            return mixed(COLOURS[piece], ground, DIMMED)
        rests = chosen.piece is not None and piece != chosen.piece
        return mixed(COLOURS[piece], ground, RESTING if rests else 0.0)

    def _path(self, loops: Iterable[Ints]) -> QPainterPath:
        path = QPainterPath()
        for loop in loops:
            path.addPolygon(polygon(np.asarray(loop * self.unit, np.float64)))
            path.closeSubpath()
        return path

    def _outline(self, cells: Ints) -> QPainterPath:
        return self._path(outlines(self.net.tiles(cells)))

    def _paint_lines(self, painter: QPainter, pixel: float) -> None:
        """Paint thin lines around voxels, dashed folds, and the outlines of pieces."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        faint = QColor(INK)
        faint.setAlphaF(0.2)
        painter.setPen(_pen(faint, pixel))
        painter.drawPath(self._cells())
        painter.setPen(_pen(INK, 1.2 * pixel, Qt.PenStyle.DashLine))
        for ends in (self.net.folds * self.unit).tolist():
            painter.drawLine(*(QPointF(*end) for end in ends))
        painter.setPen(_pen(INK, 1.6 * pixel))
        for region in self._regions:
            painter.drawPath(region)

    def _cells(self) -> QPainterPath:
        """The rims of all cells of open voxels."""
        path = QPainterPath()
        for column, row in self.net.places[self.net.voxels != NOBODY].tolist():
            path.addRect(QRectF(column * self.unit, row * self.unit, self.unit, self.unit))
        return path

    def _paint_letters(self, painter: QPainter) -> None:
        """Paint letters in the cores and, if there is room, the names of the faces below them."""
        font = QFont(painter.font())
        zoom = painter.worldTransform().m11()
        font.setPixelSize(NAME_PIXELS)
        for face, (x, y) in enumerate((self.net.middles * self.unit).tolist()):
            wide, high = (self.net.sides[face, 2:] - 2) * self.unit
            size = min(max(LETTER * self.unit, LETTER_SHARE * min(wide, high)), 0.8 * min(wide, high))
            ink, alpha = ink_on(QColor(self._colour(face)))
            ink.setAlphaF(alpha)
            named = (high - size) / 2 * zoom > NAME_PIXELS + 5 and wide * zoom > 5 * NAME_PIXELS
            lift = 0.5 * NAME_PIXELS / zoom if named else 0.0
            box = QRectF(x - size / 2, y - size / 2 - lift, size, size)
            painter.fillPath(letter_path(LETTERS[face], box.adjusted(0, 0.1 * size, 0, -0.1 * size)), ink)
            if named:
                painter.save()
                middle = painter.worldTransform().map(QPointF(x, box.bottom()))
                painter.resetTransform()
                painter.setFont(font)
                painter.setPen(ink)
                place = QRectF(middle.x() - 60, middle.y(), 120, NAME_PIXELS + 5)
                painter.drawText(place, Qt.AlignmentFlag.AlignCenter, FACES[face])
                painter.restore()

    def _paint_locks(self, painter: QPainter, pixel: float) -> None:
        for x, y in self.locks():
            painter.save()
            painter.translate(x, y)
            painter.scale(pixel, pixel)
            painter.setPen(QPen(current_theme().board_edge, 1))
            painter.setBrush(current_theme().board)
            painter.drawEllipse(QPointF(0, 0), 9, 9)
            padlock(painter, current_theme().text)
            painter.restore()

    def given(self) -> list[int]:
        """The cells of all edited voxels that are still in effect."""
        partition = self.shapes.partition
        names = [edit.name for edit in self.shapes.design.voxels if edit.name not in partition.ignored]
        voxels = [partition.shell.indices[name] for name in names if name in partition.shell.indices]
        return np.flatnonzero(np.isin(self.net.voxels, voxels)).tolist()

    def locks(self) -> list[tuple[float, float]]:
        """Middles in mm of all locked edges: of the fold, or of both rims if the cross is open there."""
        shell = self.shapes.partition.shell
        found: set[tuple[float, float]] = set()
        for edit in self.shapes.design.edges:
            if edit.locked_seed is None or edit.name not in shell.edge_names:
                continue
            voxels = np.flatnonzero(shell.edge_of == shell.edge_names.index(edit.name))
            for face in (FACES.index(name) for name in edit.name.split("-")):
                cells = np.flatnonzero(np.isin(self.net.voxels, voxels) & (self.net.faces == face))
                left, top, width, height = self.net.sides[face].tolist()
                x, y = (self.net.places[cells].mean(axis=0) + 0.5).tolist()
                # On to the nearest rim of the face, on which the edge lies: half a voxel away.
                rims = {(left, y): x - left, (left + width, y): left + width - x,
                        (x, top): y - top, (x, top + height): top + height - y}  # fmt: skip
                x, y = min(rims, key=lambda rim: rims[rim])
                found.add((x * self.unit, y * self.unit))
        return sorted(found)

    def offered(self) -> list[int]:
        """The cells on the selected piece's face that it could take."""
        chosen = self._selection.piece
        if chosen is None:
            return []
        open_ = (self.net.voxels != NOBODY) & (self.net.faces == chosen)
        return np.flatnonzero(open_ & (self.net.owners(self.shapes.partition.owners) != chosen)).tolist()

    def owner(self, cell: int) -> int:
        """The piece that a cell belongs to."""
        voxel = int(self.net.voxels[cell])
        return int(self.net.faces[cell] if voxel == NOBODY else self.shapes.partition.owners[voxel])

    def _ink_of(self, cell: int) -> QColor:
        return ink_on(QColor(self._colour(self.owner(cell))))[0]

    def _edges(self) -> Ints:
        """The edge (c,) in which each cell lies; NOBODY for corners and cores."""
        edges = self.shapes.partition.shell.edge_of[self.net.voxels]
        return np.where(self.net.voxels == NOBODY, NOBODY, edges)

    def edge_of(self, cell: int) -> int | None:
        """The edge in which a cell lies; None for corners and cores."""
        edge = int(self._edges()[cell])
        return None if edge == NOBODY else edge

    def _paint_pointed(self, painter: QPainter, pixel: float) -> None:
        """Outline the voxel under the mouse wherever it appears, and the cursor of the keys."""
        if self.pointed is not None:
            path = self._outline(self.together(self.pointed))
            if self.gives and self._selection.piece is not None:
                fill = QColor(COLOURS[self._selection.piece])
                fill.setAlphaF(TAKEN)
                painter.fillPath(path, fill)
            self._paint_rim(painter, path, pixel)
        if self.stop is not None:
            self._paint_rim(painter, self._outline(self.together(self.stop)), pixel, style=Qt.PenStyle.DashLine)

    def _paint_rim(
        self, painter: QPainter, path: QPainterPath, pixel: float, width: float = 2.0,
        style: Qt.PenStyle = Qt.PenStyle.SolidLine,
    ) -> None:  # fmt: skip
        """Stroke a path in the accent with the board's colour on both sides, so that it is seen on every piece."""
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_pen(current_theme().board, (width + 2.5) * pixel))
        painter.drawPath(path)
        painter.setPen(_pen(current_theme().accent, width * pixel, style))
        painter.drawPath(path)


def _pen(colour: QColor, width: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine) -> QPen:
    """A pen with a width in mm: unlike a cosmetic pen, equally wide on screens of any pixel density."""
    return QPen(colour, width, style, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)
