"""The net in the window: the unfolded box, on which a click gives voxels to pieces.

A click works as in 3-D: it selects a piece; with Shift, or while voxels are moved, it gives the selected piece a
voxel that it can have; with Ctrl it selects an edge. A double click gives a voxel to the next piece that can
have it. The arrow keys move a cursor over open voxels and cores, Enter gives the voxel there to the selected piece or
the next one, or selects.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QAccessible, QAccessibleEvent, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QGraphicsScene, QLabel, QSizePolicy, QWidget

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.cube.edits import with_voxel, with_voxel_turned
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import FACES, LETTERS, NOBODY
from studio.ui.canvas.marks import padlock
from studio.ui.canvas.view import ARROWS, CanvasView, Pointer, Tool
from studio.ui.kinds.cube.net_item import NetItem
from studio.ui.kinds.cube.selection import CubeSelection, title_of
from studio.ui.widgets.controls import Strip, hint_label
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, MARGIN, current_theme

HINT = tr(
    "Click selects a piece, Ctrl+click an edge. Shift+click moves a voxel to the selected piece; double-click passes "
    "it to the next one."
)
STRIP_HEIGHT = 42
"""Room for two lines, so that nothing moves when a sentence is long."""
ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


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
