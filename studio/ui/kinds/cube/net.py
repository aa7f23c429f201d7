"""The net in the window: the unfolded box, on which a click gives voxels to pieces.

A click works as in 3-D: it selects a piece; with Shift, or while voxels are moved, it gives the selected piece a
voxel that it can have; with Ctrl it selects an edge. A double click gives a voxel to the next piece that can
have it. The arrow keys move a cursor over open voxels and cores, Enter gives the voxel there to the selected piece or
the next one, or selects.

Marks do not rely on colour: a dot on an edited voxel, a padlock on a locked edge, a plus on a voxel that the selected
piece could take.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleEvent,
    QColor,
    QFont,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QLabel, QSizePolicy, QStyleOptionGraphicsItem, QWidget

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.artwork import COLOURS, mixed
from studio.geometry.curves.strokes import Ints
from studio.geometry.planar.polyomino import outlines
from studio.puzzles.cube.assembly_sheet import Net, net
from studio.puzzles.cube.edits import with_voxel, with_voxel_turned
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY
from studio.ui.canvas.marks import padlock
from studio.ui.canvas.paths import polygon
from studio.ui.canvas.view import ARROWS, CanvasView, Pointer, Tool
from studio.ui.kinds.cube.selection import CubeSelection, title_of
from studio.ui.solid.overlay import ink_on, letter_path
from studio.ui.widgets.controls import Strip, hint_label
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, MARGIN, Painted, current_theme

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
HINT = tr(
    "Click selects a piece, Ctrl+click an edge. Shift+click moves a voxel to the selected piece; double-click passes "
    "it to the next one."
)
STRIP_HEIGHT = 42
"""Room for two lines, so that nothing moves when a sentence is long."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


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
        for x, y in self.locks():
            painter.save()
            painter.translate(x, y)
            painter.scale(pixel, pixel)
            painter.setPen(QPen(current_theme().board_edge, 1))
            painter.setBrush(current_theme().board)
            painter.drawEllipse(QPointF(0, 0), 9, 9)
            padlock(painter, current_theme().text)
            painter.restore()

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
        rims = QPainterPath()
        for x, y in (self.net.places[self.net.voxels != NOBODY] * self.unit).tolist():
            rims.addRect(QRectF(x, y, self.unit, self.unit))
        painter.drawPath(rims)
        painter.setPen(_pen(INK, 1.2 * pixel, Qt.PenStyle.DashLine))
        for ends in (self.net.folds * self.unit).tolist():
            painter.drawLine(*(QPointF(*end) for end in ends))
        painter.setPen(_pen(INK, 1.6 * pixel))
        for region in self._regions:
            painter.drawPath(region)

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


@dataclass(frozen=True)
class Offer:
    """Effect of a click on a cell: move a voxel to the selected piece, or select a piece.

    `words` describe a click, `keys` Enter; if the voxel is `refused`, both say why.
    """

    words: str
    keys: str
    piece: int
    gives: bool = False
    refused: bool = False


def offer(shapes: CubeShapes, chosen: int | None, face: int, voxel: int, *, moves: bool = True) -> Offer:
    """Effect of a click on a cell of a face, for a chosen piece or None; with `moves`, it moves voxels if it can."""
    if voxel == NOBODY:
        words = tr("Select {piece}", piece=title_of(face))
        return Offer(words, words, face)
    name, owner = shapes.partition.shell.names[voxel], int(shapes.partition.owners[voxel])
    if chosen is None or chosen == owner or chosen not in shapes.partition.shell.choices(voxel):
        known = {"voxel": name, "piece": LETTERS[owner], "select": tr("Select {piece}", piece=title_of(owner))}
        try:
            to = LETTERS[int(partitioned(with_voxel_turned(shapes.design, name)).owners[voxel])]
        except StudioError as problem:
            stays = (
                tr("{voxel} belongs to {piece} and cannot belong to any other piece", **known)
                if chosen == owner
                else tr("{select}; {voxel} cannot belong to any other piece", **known)
            )
            return Offer(stays, str(problem), owner)
        goes = (
            tr("{voxel} belongs to {piece}; double-click to move it to {other}", other=to, **known)
            if chosen == owner
            else tr("{select}; double-click to move {voxel} to {other}", other=to, **known)
        )
        return Offer(goes, tr("{voxel} belongs to {piece}; Enter moves it to {other}", other=to, **known), owner)
    try:
        with_voxel(shapes.design, name, FACES[chosen])
    except StudioError as problem:
        if moves:
            return Offer(str(problem), str(problem), chosen, gives=True, refused=True)
        return Offer(tr("Select {piece}", piece=title_of(owner)), str(problem), owner)
    words = tr("Move {voxel} to {piece}", voxel=name, piece=LETTERS[chosen])
    if moves:
        return Offer(words, words, chosen, gives=True)
    known = {"select": tr("Select {piece}", piece=title_of(owner)), "voxel": name, "piece": LETTERS[chosen]}
    return Offer(tr("{select}; Shift+click to move {voxel} to {piece}", **known), words, owner)


class NetTool(Tool):
    """Turns mouse and key events on the net into selections and edits."""

    announced = Signal(str)
    """Effect of a click at the mouse or the cursor, in words; empty off the net."""

    def __init__(
        self, item: NetItem, selection: CubeSelection, give: Callable[[int], object], turn: Callable[[int], object]
    ) -> None:
        super().__init__()
        self._item, self._selection = item, selection
        self._give, self._turn = give, turn
        self._at: Pointer | None = None
        self._pressed: int | None = None
        self._given: int | None = None

    def follow(self) -> None:
        """Update the effect of a click after a change of selection or design."""
        if self._at is not None:
            self._point(self._cell(self._at), self._moves(self._at))
        if self._item.stop is not None:
            self.announced.emit(self._offer(self._item.stop).keys)

    def _cell(self, pointer: Pointer) -> int | None:
        unit = self._item.unit
        return self._item.net.at(int(pointer.x // unit), int(pointer.y // unit))

    def _moves(self, pointer: Pointer) -> bool:
        return pointer.shift or self._selection.moves_voxels

    def _offer(self, cell: int, *, moves: bool = True) -> Offer:
        flat, chosen = self._item.net, self._selection.piece
        return offer(self._item.shapes, chosen, int(flat.faces[cell]), int(flat.voxels[cell]), moves=moves)

    def _point(self, cell: int | None, moves: bool = False) -> Offer | None:
        found = None if cell is None else self._offer(cell, moves=moves)
        self._item.pointed = cell
        self._item.gives = found is not None and found.gives and not found.refused
        words = "" if found is None else found.words
        self._item.setToolTip(words)
        self.announced.emit(words)
        return found

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show every appearance of the voxel under the mouse, and announce the effect of a click."""
        self._at = pointer
        found = self._point(self._cell(pointer), self._moves(pointer))
        if found is None:
            return Qt.CursorShape.ArrowCursor
        if found.refused:
            return Qt.CursorShape.ForbiddenCursor
        return Qt.CursorShape.CrossCursor if found.gives else Qt.CursorShape.PointingHandCursor

    def pressed(self, pointer: Pointer) -> None:
        """A click begins."""
        self._at, self._pressed = pointer, self._cell(pointer)
        self._show_cursor(None)

    def released(self, pointer: Pointer) -> None:
        """Click, if the button goes up on the cell where it went down."""
        cell, self._given = self._cell(pointer), None
        if cell == self._pressed:
            edge = None if cell is None else self._item.edge_of(cell)
            if not pointer.control:
                self._do(cell, moves=self._moves(pointer))
            elif edge is not None:
                self._selection.turn_edge(edge)
        self._pressed = None
        self.follow()

    def _do(self, cell: int | None, *, moves: bool) -> None:
        """Perform a click on a cell; None deselects."""
        if cell is None:
            self._selection.select()
            return
        found = self._offer(cell, moves=moves)
        if found.gives:
            self._given = int(self._item.net.voxels[cell])
            self._give(self._given)
        else:
            self._selection.select((found.piece,))

    def double_clicked(self, pointer: Pointer) -> None:
        """Give a voxel to the next piece, unless the first of the two clicks has just given it."""
        cell = None if pointer.control else self._cell(pointer)
        voxel = NOBODY if cell is None else int(self._item.net.voxels[cell])
        if voxel not in (NOBODY, self._given):
            self._turn(voxel)
        self.follow()

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the edge under the mouse, or else the piece, and ask for its menu."""
        cell = self._cell(pointer)
        if cell is not None:
            edge = self._item.edge_of(cell)
            if edge is None:
                self._selection.select((int(self._item.owner(cell)),))
            elif edge not in self._selection.edges:
                self._selection.select_edges([edge])
        self.menu_wanted.emit(pointer.screen)

    def left(self) -> None:
        """Nothing is under the mouse."""
        self._at = None
        self._point(None)

    def cancelled(self) -> bool:
        """Give up a press; Escape then arrives as a key."""
        self._pressed = None
        return False

    # The keys

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows move the cursor, Enter acts like a click there, Escape deselects everything."""
        key = event.key()
        if key in ARROWS:
            self._show_cursor(self._next(*ARROWS[Qt.Key(key)]))
            return True
        if key in ENTER and self._item.stop is not None:
            cell = self._item.stop
            voxel = int(self._item.net.voxels[cell])
            if voxel == NOBODY or self._offer(cell).gives:
                self._do(cell, moves=True)
            else:
                self._turn(voxel)
            self._show_cursor(cell)
            return True
        chosen = self._selection.piece is not None or self._selection.edges
        if key == Qt.Key.Key_Escape and (chosen or self._item.stop is not None):
            self._selection.select()
            self._show_cursor(None)
            return True
        return False

    def _next(self, down: int, right: int) -> int | None:
        """Next cell in a direction: a core is one stop, and gaps of the cross are leapt."""
        flat, start = self._item.net, self._item.stop
        if start is None:
            pointed = self._item.pointed
            return int(np.lexsort(flat.places.T)[0]) if pointed is None else pointed
        column, row = flat.places[start].tolist()
        columns, rows = flat.size
        while 0 <= (column := column + right) < columns and 0 <= (row := row + down) < rows:
            cell = flat.at(column, row)
            in_core = cell is not None and flat.voxels[cell] == NOBODY and flat.voxels[start] == NOBODY
            if cell is not None and not (in_core and flat.faces[cell] == flat.faces[start]):
                return cell
        return start

    def _show_cursor(self, cell: int | None) -> None:
        if cell == self._item.stop is None:
            return
        self._item.stop = cell
        self.announced.emit("" if cell is None else self._offer(cell).keys)


class NetPanel(QWidget):
    """The net, and below it a line with the effect of a click and the key to the marks."""

    def __init__(
        self, shapes: CubeShapes, selection: CubeSelection, give: Callable[[int], object], turn: Callable[[int], object]
    ) -> None:
        super().__init__()
        self._scene = QGraphicsScene(self)
        self.view = CanvasView(self._scene)
        self.view.setAccessibleName(tr("Net"))
        self.view.setAccessibleDescription(
            tr("Unfolded box. Arrow keys go from voxel to voxel, Enter moves one to a piece.")
        )
        self.item = NetItem(shapes, selection)
        self._scene.addItem(self.item)
        self.tool = NetTool(self.item, selection, give, turn)
        self.tool.setParent(self)
        self.view.tool = self.tool
        self.view.installEventFilter(self)
        self.reading = hint_label(HINT)
        self.reading.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._legend = [Meaning(is_lock=False), QLabel(tr("edited")), Meaning(is_lock=True), QLabel(tr("locked"))]
        strip = Strip()
        row((self.reading, 1), *self._legend, of=strip, gap=GAP // 2, margins=(MARGIN, 5, MARGIN, 4))
        strip.setFixedHeight(STRIP_HEIGHT)
        column((self.view, 1), strip, of=self, gap=0)
        self.tool.announced.connect(self._announce)
        selection.changed.connect(self._follow)
        self.setFocusProxy(self.view)

    def show_shapes(self, shapes: CubeShapes) -> None:
        """Show another box."""
        self.item.show_shapes(shapes)
        self.view.show_board(*self.item.size)
        self.tool.follow()
        for widgets, there in ((self._legend[:2], self.item.given()), (self._legend[2:], self.item.locks())):
            for widget in widgets:
                widget.setVisible(bool(there))

    def _follow(self) -> None:
        self.tool.follow()
        self.item.update()

    def _announce(self, words: str) -> None:
        self.reading.setText(words or HINT)
        if words and self.item.stop is not None:
            self.view.setAccessibleDescription(words)
            QAccessible.updateAccessibility(QAccessibleEvent(self.view, QAccessible.Event.DescriptionChanged))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the cursor while the net has the focus."""
        if event.type() is QEvent.Type.FocusOut:
            self.item.stop = None
        return super().eventFilter(watched, event)


class Meaning(QWidget):
    """A mark of the net next to its meaning."""

    def __init__(self, *, is_lock: bool) -> None:
        super().__init__()
        self._is_lock = is_lock
        self.setFixedSize(QSize(18, 18))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.width() / 2, self.height() / 2)
        colour = current_theme().text
        if self._is_lock:
            padlock(painter, colour)
        else:
            painter.setPen(QPen(Qt.PenStyle.NoPen))
            painter.setBrush(colour)
            painter.drawEllipse(-3, -3, 6, 6)
