"""The tool that plays a zigzaw: pieces are picked up and placed by dragging, clicks or keys."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QPoint, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from studio.puzzles.zigzaw.game import NONE, Game, off_text, placed_text
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.ui.canvas.view import ARROWS, CanvasView, Pointer, Tool, stirred
from studio.ui.kinds.zigzaw.scene import paint_piece
from studio.ui.kinds.zigzaw.table import TableScene, fine
from studio.ui.kinds.zigzaw.tray import ENTER, TrayView
from studio.ui.session.games import Games
from studio.ui.widgets.theme import current_theme

LEAST_ZOOM = 0.5
"""Least scale of a held piece, in pixels a unit of the scene."""
NOWHERE = QPointF()


@dataclass
class Grip:
    """A piece that a drag would take: the place of the press, and the offset of the piece's middle."""

    piece: int
    screen: QPoint
    offset: QPointF


class Ghost(QWidget):
    """The held piece, above board and tray."""

    def __init__(self, scene: TableScene, parent: QWidget) -> None:
        super().__init__(parent)
        self._scene, self._zoom, self._piece = scene, 1.0, NONE
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_piece(self, piece: int, zoom: float, middle: QPoint) -> None:
        """Show a piece about a place of the parent."""
        self._piece, self._zoom = piece, max(zoom, LEAST_ZOOM)
        size = (self._scene.form.bounds.size() * self._zoom).toSize()
        self.resize(size.width() + 8, size.height() + 8)
        self.move(middle - self.rect().center())
        self.raise_()
        self.show()
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        scene = self._scene
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.translate(self.width() / 2, self.height() / 2)
        painter.scale(self._zoom, self._zoom)
        painter.translate(-scene.form.bounds.center())
        paint_piece(painter, scene.form, scene.pieces.colours[self._piece].tolist(), scene.paints)
        painter.setPen(fine(painter, current_theme().accent, 2.0))
        painter.drawPath(scene.form.outline)


class HandTool(Tool):
    """Picks up pieces and turns drags, clicks and keys into moves."""

    looked = Signal()
    """The keys' place or the held piece has changed."""

    def __init__(self, games: Games, scene: TableScene, view: CanvasView, tray: TrayView, over: QWidget) -> None:
        super().__init__(view)
        self._games, self._scene, self._view, self._tray, self._over = games, scene, view, tray, over
        self.ghost = Ghost(scene, over)
        self.piece = NONE
        """The held piece."""
        self.place = 0
        """The place that the keys are on."""
        self._grip: Grip | None = None
        self._offset, self._screen = NOWHERE, QPoint()
        self._is_moving = self._by_keys = False
        tray.pressed_on.connect(self._press_in_tray)
        tray.pulled.connect(self.pull)
        tray.let_go.connect(self.let_go)
        tray.chosen.connect(self._take_by_keys)
        tray.given_up.connect(self.cancelled)
        view.looked_at.connect(self._follow_view)

    @property
    def _design(self) -> ZigzawDesign:
        design: ZigzawDesign = self._games.design
        return design

    @property
    def game(self) -> Game:
        """The position: the piece on each place."""
        game: Game = self._games.game
        return game

    # Picking up and placing

    def take(self, piece: int) -> None:
        """Pick up a piece."""
        self.piece = piece
        self._tray.lift(piece)
        self._show_lifted()
        self.looked.emit()

    def drop(self) -> None:
        """Drop the held piece, which returns to its former place."""
        self._grip, self._is_moving, self._by_keys, self._offset = None, False, False, NOWHERE
        self.piece = NONE
        self.ghost.hide()
        self._scene.show_at(self._scene.target, None)
        self._tray.lift(NONE)
        self._show_lifted()
        self._view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        self.looked.emit()

    def _show_lifted(self) -> None:
        self._scene.lift(self.game.place_of(self.piece) if self.piece != NONE else None)
        self._scene.cursor.setVisible(self.piece == NONE)

    def put(self, place: int) -> None:
        """Place the held piece."""
        piece = self.piece
        self.drop()
        self.look_at(place)
        if self.game.placed[place] != piece:
            self._games.move(placed_text(self._design, piece, place))

    def put_back(self, piece: int) -> None:
        """Put a piece from the board back into the tray."""
        self.drop()
        if self.game.place_of(piece) is not None:
            self._games.move(off_text(piece))
            self._tray.select(piece)

    def look_at(self, place: int) -> None:
        """Put the keys on a place."""
        self.place = place
        self._scene.show_at(self._scene.cursor, place)
        self._scene.cursor.setVisible(self.piece == NONE)
        self.looked.emit()

    # The mouse

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Move a held piece with the mouse; otherwise let the cursor show whether a piece can be picked up."""
        if self.piece != NONE:
            self.pull(pointer.screen, is_down=False)
            return Qt.CursorShape.ClosedHandCursor
        place = self._scene.place_at(pointer.place)
        is_piece = place is not None and self.game.placed[place] != NONE
        return Qt.CursorShape.OpenHandCursor if is_piece else Qt.CursorShape.ArrowCursor

    def pressed(self, pointer: Pointer) -> None:
        """Pick up the piece under the mouse; place a held one here."""
        if self.piece != NONE:
            self._drop_at(pointer.screen)
            return
        place = self._scene.place_at(pointer.place)
        if place is None:
            return
        self.look_at(place)
        piece = self.game.placed[place]
        if piece != NONE:
            offset = self._scene.origins[place] + self._scene.form.bounds.center() - pointer.place
            self._grip = Grip(piece, pointer.screen, offset)

    def _press_in_tray(self, piece: int, screen: QPoint) -> None:
        if self.piece != NONE:
            held = self.piece
            self.put_back(held)
            if piece in (NONE, held):
                return
        if piece != NONE:
            self._grip = Grip(piece, screen, NOWHERE)

    def dragged(self, pointer: Pointer) -> None:
        """The held piece follows the mouse."""
        self.pull(pointer.screen, is_down=True)

    def pull(self, screen: QPoint, is_down: bool) -> None:
        """The mouse moved to a place of the screen, with the left button down or not."""
        if not is_down:
            self._grip = None
        if self._grip is not None and not self._is_moving:
            if not stirred(self._grip.screen, screen):
                return
            self._is_moving, self._offset = True, self._grip.offset
            self.take(self._grip.piece)
            self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
        if self.piece != NONE:
            self._by_keys = False
            self._show_ghost(screen)

    def released(self, pointer: Pointer) -> None:
        """Place the piece that was dragged."""
        self.let_go(pointer.screen)

    def let_go(self, screen: QPoint) -> None:
        """Place the dragged piece as the button goes up; after a click the held piece follows the mouse."""
        grip, self._grip = self._grip, None
        if self._is_moving:
            self._drop_at(screen)
        elif grip is not None:
            self.take(grip.piece)
            self._show_ghost(screen)

    def left(self) -> None:
        """The mouse left the board."""
        if not self._by_keys:
            self._scene.show_at(self._scene.target, None)

    def _aimed(self, screen: QPoint) -> int | None:
        """The place nearest to the held piece; None while the mouse is off the board."""
        port = self._view.viewport()
        at = port.mapFromGlobal(screen)
        if not port.rect().contains(at) or not self._scene.board.contains(self._view.mapToScene(at)):
            return None
        return self._scene.nearest(self._view.mapToScene(at) + self._offset)

    def _drop_at(self, screen: QPoint) -> None:
        place, piece = self._aimed(screen), self.piece
        if place is None:
            self.put_back(piece)
        else:
            self.put(place)

    def _show_ghost(self, screen: QPoint) -> None:
        self._screen = screen
        zoom = self._view.zoom
        middle = self._over.mapFromGlobal(screen) + (self._offset * zoom).toPoint()
        self.ghost.show_piece(self.piece, zoom, middle)
        self._scene.show_at(self._scene.target, self._aimed(screen))

    # The keys

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys go from place to place, Enter picks up and places."""
        if event.key() in ARROWS and not self._is_moving:
            self._step(*ARROWS[Qt.Key(event.key())])
        elif event.key() in ENTER and not self._is_moving:
            self._enter()
        else:
            return False
        return True

    def _step(self, down: int, right: int) -> None:
        columns, rows = self._design.parameters.columns, self._design.parameters.rows
        row, column = divmod(self.place, columns)
        row, column = min(max(row + down, 0), rows - 1), min(max(column + right, 0), columns - 1)
        self.look_at(row * columns + column)
        self._view.show_place(self._scene.origins[self.place] + self._scene.form.bounds.center(), self._view.zoom)
        if self.piece != NONE:
            self._by_keys = True
            self._follow_view()

    def _enter(self) -> None:
        if self.piece == NONE:
            if self.game.placed[self.place] != NONE:
                self._take_by_keys(self.game.placed[self.place])
            return
        from_tray = self.game.place_of(self.piece) is None
        self.put(self.place)
        if from_tray and self._tray.number != NONE:
            self._tray.setFocus(Qt.FocusReason.TabFocusReason)

    def _take_by_keys(self, piece: int) -> None:
        """Pick up a piece; the arrow keys then carry it over the board."""
        self.drop()
        self._by_keys = True
        self.take(piece)
        self._view.setFocus(Qt.FocusReason.OtherFocusReason)
        self._follow_view()

    def _follow_view(self) -> None:
        """Show the held piece at the board's zoom; a piece carried by the keys at their place."""
        if self.piece == NONE:
            return
        if not self._by_keys:
            self._show_ghost(self._screen)
            return
        middle = self._scene.origins[self.place] + self._scene.form.bounds.center()
        at = self._view.mapFromScene(middle) - QPoint(6, 6)
        self.ghost.show_piece(self.piece, self._view.zoom, self._view.viewport().mapTo(self._over, at))
        self._scene.show_at(self._scene.target, self.place)

    def delete(self) -> None:
        """Return the held piece, or the piece at the keys, to the tray."""
        piece = self.piece if self.piece != NONE else self.game.placed[self.place]
        if piece != NONE:
            self.put_back(piece)

    def cancelled(self) -> bool:
        """Escape: drop the held piece at its former place; returns whether there was one."""
        was = self.piece != NONE or self._grip is not None
        self.drop()
        return was
