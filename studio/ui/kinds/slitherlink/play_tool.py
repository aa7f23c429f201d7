"""The tool that plays a slitherlink: clicks, strokes along the dots and keys become moves."""

from __future__ import annotations

from math import ceil

import numpy as np
from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QKeyEvent, QMouseEvent, QPainterPath

from studio.puzzles.slitherlink.game import BLANK, CROSS, INSIDE, LINE, OUTSIDE, UNKNOWN, Game, text_of
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.ui.canvas.view import ARROWS, CanvasView, Pointer, Tool
from studio.ui.kinds.slitherlink.table import EDGE, TableScene
from studio.ui.session.games import Games

STEP = 0.2 * EDGE
STILL = 4
"""Pixels within which the middle button shades a cell; beyond, it pans."""
DRAWING_KEYS = Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter
NEXT_SHADE = {BLANK: INSIDE, INSIDE: OUTSIDE, OUTSIDE: BLANK}


class Stroke:
    """A way along the dots; going back shortens it."""

    def __init__(self, scene: TableScene, start: QPointF, value: int) -> None:
        self._scene, self._here = scene, start
        self.value = value
        """State that the stroke gives its edges: LINE or CROSS."""
        self.edge = scene.edge_at(start)
        """The edge on which it began."""
        self.edges: list[int] = []
        dot = scene.dot_at(start)
        self._dots = [] if dot is None else [dot]

    def go_to(self, point: QPointF) -> None:
        """Go on to a place, through all dots between."""
        way = point - self._here
        steps = max(1, ceil(np.hypot(way.x(), way.y()) / STEP))
        start = self._here
        for step in range(1, steps + 1):
            self._here = start + way * (step / steps)
            dot = self._scene.dot_at(self._here)
            if dot is not None:
                self._reach(dot)

    def _reach(self, dot: int) -> None:
        ends = self._scene.net.ends
        if not self._dots:
            if self.edge is not None and dot in ends[self.edge]:
                self._dots = [sum(ends[self.edge]) - dot]
            else:
                self._dots = [dot]
        if dot == self._dots[-1]:
            return
        if len(self._dots) > 1 and dot == self._dots[-2]:
            self._dots.pop()
            self.edges.pop()
            return
        edge = self._between(self._dots[-1], dot)
        if edge is not None:
            self._dots.append(dot)
            self.edges.append(edge)
            return
        # Straight across a cell: through the dot nearest to the way.
        corners = self._scene.board.corners
        middle = (corners[dot] + corners[self._dots[-1]]) / 2
        near = [each for each in self._beside(dot) if each in self._beside(self._dots[-1])]
        for through in sorted(near, key=lambda each: float(np.hypot(*(corners[each] - middle))))[:1]:
            self._reach(through)
            self._reach(dot)

    def _between(self, one: int, other: int) -> int | None:
        net = self._scene.net
        return next((edge for edge in net.stars[one] if other in net.ends[edge]), None)

    def _beside(self, dot: int) -> list[int]:
        net = self._scene.net
        return [sum(net.ends[edge]) - dot for edge in net.stars[dot]]


class BoardView(CanvasView):
    """The board at play: the right button crosses out, the middle one shades unless it pans."""

    _crossing = False
    _middle: QPoint | None = None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        tool = self.tool
        if event.button() == Qt.MouseButton.RightButton and isinstance(tool, HandTool):
            self._crossing = True
            tool.cross_pressed(self._pointer(event))
            event.accept()
            return
        if event.button() == Qt.MouseButton.MiddleButton:
            self._middle = event.position().toPoint()
        super().mousePressEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._crossing and self.tool is not None:
            if event.buttons() & Qt.MouseButton.RightButton:
                self.tool.dragged(self._pointer(event))
                return
            self._crossing = False  # the button went up elsewhere
            self.tool.cancelled()
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        tool = self.tool
        if self._crossing and event.button() == Qt.MouseButton.RightButton and tool is not None:
            self._crossing = False
            tool.released(self._pointer(event))
            return
        began, self._middle = self._middle, None
        super().mouseReleaseEvent(event)
        if event.button() != Qt.MouseButton.MiddleButton or began is None or not isinstance(tool, HandTool):
            return
        if (event.position().toPoint() - began).manhattanLength() < STILL:
            tool.shade_at(self._pointer(event).place)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        # The right button crosses out; the menu comes by its key.
        if event.reason() is not QContextMenuEvent.Reason.Mouse:
            super().contextMenuEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.tool is not None:
            self.tool.key_pressed(event)
            return
        super().keyPressEvent(event)


class HandTool(Tool):
    """Turns mouse and key events on the board into moves."""

    looked = Signal()
    """The keys are somewhere else."""

    def __init__(self, games: Games, scene: TableScene, view: CanvasView) -> None:
        super().__init__(view)
        self._games, self._scene = games, scene
        self.stroke: Stroke | None = None
        self.spot = 0
        """Spot of the keys: an edge, or a cell, numbered after the edges."""
        self._shading: int | None = None
        """Shade that a drag with Shift gives cells."""
        self._shaded: dict[int, int] = {}

    @property
    def _design(self) -> SlitherlinkDesign:
        design: SlitherlinkDesign = self._games.design
        return design

    @property
    def game(self) -> Game:
        """The position."""
        game: Game = self._games.game
        return game

    @property
    def edge(self) -> int | None:
        """The edge that the keys are on."""
        return self.spot if self.spot < self._scene.spots.edges else None

    @property
    def cell(self) -> int | None:
        """The cell that the keys are on."""
        return None if self.spot < self._scene.spots.edges else self.spot - self._scene.spots.edges

    # Moves

    def toggle(self, edge: int, value: int) -> None:
        """Make an edge a line or a cross, or clear it if it is that already."""
        self._play({edge: UNKNOWN if self.game.edges[edge] == value else value}, {})

    def shade(self, cell: int, value: int) -> None:
        """Shade a cell, or clear it if it has that shade already."""
        self._play({}, {cell: BLANK if self.game.shades[cell] == value else value})

    def _play(self, edges: dict[int, int], shades: dict[int, int]) -> None:
        edges = {edge: value for edge, value in edges.items() if self.game.edges[edge] != value}
        shades = {cell: value for cell, value in shades.items() if self.game.shades[cell] != value}
        if edges or shades:
            self._games.move(text_of(self._design, edges, shades))

    # The mouse

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Light the edge that a click would take."""
        self.show_cursor(False)
        edge = None if pointer.shift else self._scene.edge_at(pointer.place)
        cell = self._scene.cell_at(pointer.place) if pointer.shift else None
        self._light(self._scene.along([edge]) if edge is not None else self._outlined(cell))
        return Qt.CursorShape.ArrowCursor if edge is None and cell is None else Qt.CursorShape.PointingHandCursor

    def _outlined(self, cell: int | None) -> QPainterPath:
        return QPainterPath() if cell is None else self._scene.outline(cell, 0.8)

    def _light(self, path: QPainterPath) -> None:
        if path != self._scene.hover.path:
            self._scene.hover.show_path(path)

    def pressed(self, pointer: Pointer) -> None:
        """Begin a line; with Shift, shade a cell."""
        self.show_cursor(False)
        if not pointer.shift:
            self.stroke = Stroke(self._scene, pointer.place, LINE)
            return
        cell = self._scene.cell_at(pointer.place)
        if cell is not None:
            self._shading = NEXT_SHADE[self.game.shades[cell]]
            self._shaded = {cell: self._shading}

    def cross_pressed(self, pointer: Pointer) -> None:
        """The right button went down: begin to cross out."""
        self.show_cursor(False)
        self.stroke = Stroke(self._scene, pointer.place, CROSS)

    def dragged(self, pointer: Pointer) -> None:
        """Go on along the dots, or shade more cells."""
        if self.stroke is not None:
            self.stroke.go_to(pointer.place)
            self._light(self._scene.along(self.stroke.edges))
        elif self._shading is not None and (cell := self._scene.cell_at(pointer.place)) is not None:
            self._shaded[cell] = self._shading
            path = QPainterPath()
            for each in self._shaded:
                path.addPath(self._scene.outline(each, 0.8))
            self._light(path)

    def released(self, pointer: Pointer) -> None:
        """Draw the edges of the stroke, or clear them if all are drawn already. A click takes the nearest edge."""
        stroke, shaded = self.stroke, self._shaded
        self.cancelled()
        if stroke is None:
            self._play({}, shaded)
        elif stroke.edges:
            clears = all(self.game.edges[edge] == stroke.value for edge in stroke.edges)
            self._play(dict.fromkeys(stroke.edges, UNKNOWN if clears else stroke.value), {})
        elif stroke.edge is not None:
            self.toggle(stroke.edge, stroke.value)

    def shade_at(self, place: QPointF) -> None:
        """Give the cell at a place the next shade: inside, outside, none."""
        cell = self._scene.cell_at(place)
        if cell is not None:
            self._play({}, {cell: NEXT_SHADE[self.game.shades[cell]]})

    def menu_asked(self, pointer: Pointer) -> None:
        """Show no menu: the right button crosses edges out here."""

    def left(self) -> None:
        """The mouse left the board."""
        self._light(QPainterPath())

    def cancelled(self) -> bool:
        """Escape: give up the stroke; returns whether there was one."""
        was = self.stroke is not None or self._shading is not None
        self.stroke, self._shading, self._shaded = None, None, {}
        self._light(QPainterPath())
        return was

    # The keys

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows go to the next edge or cell; Space and Enter draw a line."""
        step = ARROWS.get(Qt.Key(event.key()))
        if step is not None:
            self.look_at(self._scene.spots.beside(self.spot, *step))
            return True
        if event.key() in DRAWING_KEYS:
            self.draw()
            return True
        return False

    def look_at(self, spot: int, *, shows: bool = True) -> None:
        """Put the keys on an edge or a cell."""
        self.spot = spot
        cell, edge, scene = self.cell, self.edge, self._scene
        scene.cursor.show_path(scene.around_edge(edge) if edge is not None else scene.outline(cell or 0, 0.6))
        self.show_cursor(shows)
        self._light(QPainterPath())
        self.looked.emit()

    def show_cursor(self, shows: bool) -> None:
        """Show the cursor of the keys, or hide it while the mouse is used."""
        self._scene.cursor.setVisible(shows)

    def draw(self) -> None:
        """Draw or clear a line at the keys' cursor; on a cell, give it the next shade."""
        if self.edge is not None:
            self.toggle(self.edge, LINE)
        elif self.cell is not None:
            self._play({}, {self.cell: NEXT_SHADE[self.game.shades[self.cell]]})

    def cross(self) -> None:
        """Cross out the edge at the keys' cursor, or remove its cross."""
        if self.edge is not None:
            self.toggle(self.edge, CROSS)

    def clear(self) -> None:
        """Remove line, cross or shading at the keys' cursor."""
        if self.edge is not None:
            self._play({self.edge: UNKNOWN}, {})
        elif self.cell is not None:
            self._play({}, {self.cell: BLANK})

    def shade_here(self, value: int) -> None:
        """Shade the cell at the keys' cursor, or clear it if it has that shade."""
        if self.cell is not None:
            self.shade(self.cell, value)
