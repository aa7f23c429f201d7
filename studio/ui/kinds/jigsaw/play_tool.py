"""The tool that plays a jigsaw: pieces are dragged, turned, selected in a box, and taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.puzzles.jigsaw.play.game import FREE, UPRIGHT, Cluster, Game, Part, Pose, placed
from studio.puzzles.jigsaw.play.moves import by_text, off_text, position_text
from studio.puzzles.jigsaw.play.snapping import landing
from studio.ui.canvas.view import ARROWS, CanvasView, Pointer, Tool
from studio.ui.kinds.jigsaw.table import TableScene
from studio.ui.session.games import Games

# A jigsaw played with the keys alone: arrow keys go from piece to piece, and carry a picked-up piece.


ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
STEPS = {"fine": 1.0, "plain": 5.0, "coarse": 25.0}
"""Distance in mm that an arrow key carries a piece: with Ctrl, alone, with Shift."""
ASIDE = 2.0
"""Extra distance that counts for each mm a piece is aside of an arrow key's direction."""


class Walk:
    """Turns keys into actions of the hand."""

    def __init__(self, hand: HandTool, view: CanvasView) -> None:
        self._hand, self._view = hand, view
        self.piece: int | None = None
        """The piece that the keys are at."""

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys choose or carry, Enter picks up and puts down."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        if arrow is not None and self._hand.held is None:
            self._step(arrow)
        elif arrow is not None:
            keys = event.modifiers()
            coarse, fine = keys & Qt.KeyboardModifier.ShiftModifier, keys & Qt.KeyboardModifier.ControlModifier
            by = STEPS["coarse" if coarse else "fine" if fine else "plain"]
            self._look(self._hand.carry(arrow[1] * by, arrow[0] * by))
        elif event.key() in ENTER and (self._hand.held is not None or self._hand.over is not None):
            self._enter()
        else:
            return False
        return True

    def _step(self, arrow: tuple[int, int]) -> None:
        game = self._hand.game
        table = game.table
        places = table.places(game).spots(np.arange(len(table.names)), table.middles)
        if self._hand.over is not None:
            self.piece = self._hand.over
        elif self.piece is None or self.piece >= len(places):
            left, top, width, height = table.box
            self.piece = int(np.hypot(*(places - (left + width / 2, top + height / 2)).T).argmin())
            self._look(self._hand.point_at(self.piece))
            return
        self.piece = neighbour(places, self.piece, arrow)
        self._look(self._hand.point_at(self.piece))

    def _enter(self) -> None:
        held = self._hand.held
        if held is None:
            self.piece = self._hand.over
            self._hand.pick_up()
            return
        self._hand.put_down()
        self.piece = held.piece
        self._look(self._hand.point_at(held.piece))

    def _look(self, place: QPointF) -> None:
        self._view.show_place(place, self._view.zoom)


def neighbour(places: Floats, piece: int, arrow: tuple[int, int]) -> int:
    """Index of the nearest of the places (n, 2) in the direction of an arrow key; `piece` itself if there is none."""
    away = places - places[piece]
    ahead, aside = away @ [arrow[1], arrow[0]], np.abs(away @ [arrow[0], arrow[1]])
    cost = np.where((ahead > 0) & (aside <= 2 * ahead), ahead + ASIDE * aside, np.inf)
    return int(cost.argmin()) if np.isfinite(cost).any() else piece


STIR = 3
"""Pixels that the mouse must move before a click becomes a drag."""
STEP, FINE_STEP = 15.0, 5.0
"""Degrees by which R and the wheel turn a piece in a game with any angles."""
ROTATION_OFF = tr("Pieces are not rotated in this game. Choose a rotation above to start a new game.")


@dataclass
class HeldPiece:
    """A piece and its cluster held by the mouse, with the place of the press on the screen and on the piece."""

    piece: int
    screen: QPoint
    grip: tuple[float, float]
    """Point of the piece under the mouse, in coordinates of the board."""
    turn: float
    place: QPointF
    before: Cluster
    alone: bool = False
    """True if the piece is taken out of its cluster."""
    is_moving: bool = False

    @property
    def pose(self) -> Pose:
        """Pose of the piece at the mouse."""
        return placed(self.turn, self.grip, self.place.x(), self.place.y())

    @property
    def cluster(self) -> Cluster:
        """The cluster at the mouse."""
        if self.alone:
            return Cluster((Part((self.piece,), self.pose),))
        return self.before.taken(self.piece, self.pose)


@dataclass
class Band:
    """A selection box, or the drag of selected clusters."""

    start: Pointer
    leaders: frozenset[int] = frozenset()
    """The dragged clusters; empty for a selection box."""
    is_moving: bool = False


class HandTool(Tool):
    """Takes pieces and turns their new places into moves."""

    looked = Signal()
    """The piece under the mouse or the selection has changed."""
    refused = Signal(str)

    def __init__(self, games: Games, scene: TableScene, view: CanvasView) -> None:
        super().__init__(view)
        self._games, self._scene, self._view = games, scene, view
        self.held: HeldPiece | None = None
        self.selected: frozenset[int] = frozenset()
        """The leaders of the selected clusters."""
        self.over: int | None = None
        """The piece under the mouse."""
        self._place = QPointF()
        self._band: Band | None = None
        self._rolled = 0.0
        self._walk = Walk(self, view)

    @property
    def game(self) -> Game:
        """The position."""
        game: Game = self._games.game
        return game

    # The mouse

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show which cluster a press would take."""
        self._place = pointer.place
        self._look_at(self._scene.piece_at(pointer.place))
        return Qt.CursorShape.ArrowCursor if self.over is None else Qt.CursorShape.OpenHandCursor

    def _look_at(self, piece: int | None) -> None:
        if piece != self.over:
            self.over = piece
            self._scene.show_hovered(None if piece is None else self.game.cluster_of(piece))
            self.looked.emit()

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._look_at(None)

    def pressed(self, pointer: Pointer) -> None:
        """Take the piece under the mouse or the selection, or begin a box on the empty table."""
        if self.held is not None:
            self.cancelled()  # the keys had one
        self._place = pointer.place
        piece = self._scene.piece_at(pointer.place)
        self._look_at(None)
        if piece is None:
            self._band = Band(pointer)
            return
        leader = self.game.cluster_of(piece).leader
        if pointer.shift or pointer.control:
            self.select(self.selected ^ {leader})
            return
        if leader in self.selected and len(self.selected) > 1:
            self._band = Band(pointer, self.selected)
            return
        self.select(())
        self._take(piece, pointer, alone=False)

    def _take(self, piece: int, pointer: Pointer, *, alone: bool) -> None:
        cluster = self.game.cluster_of(piece)
        pose = cluster.pose_of(piece)
        grip = pose.inverse.of(pointer.x, pointer.y)
        self.held = HeldPiece(piece, pointer.screen, grip, pose.turn, pointer.place, cluster, alone)

    def dragged(self, pointer: Pointer) -> None:
        """Drag the selection band or the held piece."""
        self._place = pointer.place
        if self._band is not None:
            self._drag_band(self._band, pointer)
        elif self.held is not None:
            held = self.held
            if not held.is_moving and (pointer.screen - held.screen).manhattanLength() < STIR:
                return
            if not held.is_moving:
                self._view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)
            held.is_moving, held.place = True, self._on_table(pointer.place)
            self._show_held(held)

    def _on_table(self, place: QPointF) -> QPointF:
        """Point of the table nearest to a place."""
        left, top, width, height = self.game.table.box
        return QPointF(min(max(place.x(), left), left + width), min(max(place.y(), top), top + height))

    def _show_held(self, held: HeldPiece) -> None:
        cluster = held.cluster
        if held.alone:
            return
        self._scene.lay(cluster, is_held=True)
        snap = landing(self.game, cluster)
        there = None
        if snap is not None:
            there = cluster.taken(int(self.game.table.halves.pieces[snap.half]), snap.pose)
        self._scene.show_ghost(there)

    def _drag_band(self, band: Band, pointer: Pointer) -> None:
        if not band.is_moving and (pointer.screen - band.start.screen).manhattanLength() < STIR:
            return
        band.is_moving = True
        if not band.leaders:
            self._scene.show_band(QRectF(band.start.place, pointer.place).normalized())
            return
        by = pointer.place - band.start.place
        for leader in band.leaders:
            self._scene.lay(self.game.at(leader).moved(Pose(0.0, by.x(), by.y())), is_held=True)

    def released(self, pointer: Pointer) -> None:
        """Put down the held pieces."""
        held, band = self.held, self._band
        self.held = self._band = None
        self._scene.show_ghost(None)
        self._scene.show_band(None)
        self._view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        if held is not None and held.is_moving:
            self._put(held)
        elif band is not None and band.leaders and band.is_moving:
            self._put_several(band, pointer)
        elif band is not None:
            box = QRectF(band.start.place, pointer.place).normalized()
            keeps = self.selected if band.start.shift or band.start.control else frozenset[int]()
            self.select(keeps | {*self._scene.within(box)} if band.is_moving else keeps)

    def _put(self, held: HeldPiece) -> None:
        table = self.game.table
        name, middle = table.names[held.piece], table.middle(held.piece)
        x, y = held.pose.of(*middle)
        turn = None if held.turn == held.before.pose_of(held.piece).turn else held.turn
        self._make(position_text(name, x, y, turn))

    def _put_several(self, band: Band, pointer: Pointer) -> None:
        by = pointer.place - band.start.place
        names = self.game.table.names
        leaders = sorted(band.leaders)
        self._make(by_text([names[leader] for leader in leaders], by.x(), by.y()))
        self.select(band.leaders)

    def _make(self, text: str) -> None:
        """Make a move; after a refused move, pieces go back to their places."""
        before = self.game
        self._games.move(text)
        if self.game is before:
            self._scene.show_game(before)

    def double_clicked(self, pointer: Pointer) -> None:
        """Take the piece under the mouse out of its cluster, and put it down next to it."""
        piece = self._scene.piece_at(pointer.place)
        if piece is not None:
            self.take_off(piece)

    def take_off(self, piece: int | None = None) -> None:
        """Take a piece, or the one under the mouse, out of its cluster."""
        piece = self.over if piece is None else piece
        if piece is None:
            self.refused.emit(tr("Point at a joined piece to take it off."))
            return
        table, cluster = self.game.table, self.game.cluster_of(piece)
        x, y = cluster.pose_of(piece).of(*table.middle(piece))
        place = self._on_table(QPointF(x, y) + self._aside(cluster, QPointF(x, y)))
        self._make(off_text(table.names[piece], place.x(), place.y()))

    def _aside(self, cluster: Cluster, place: QPointF) -> QPointF:
        """The shorter way from a place past the edge of a cluster, downwards or to the right."""
        box = self._scene.bounds_of(cluster.leader)
        room = 4 * self.game.table.reach
        right, down = box.right() - place.x() + room, box.bottom() - place.y() + room
        return QPointF(right, 0.0) if right < down else QPointF(0.0, down)

    def menu_asked(self, pointer: Pointer) -> None:
        """The right button turns the piece under the mouse; on the empty table it asks for the menu."""
        self._place = pointer.place
        piece = self._scene.piece_at(pointer.place)
        if piece is None:
            self.menu_wanted.emit(pointer.screen)
        else:
            self._turn_lying(piece, -1 if pointer.shift else 1)

    def wheeled(self, notches: float, pointer: Pointer) -> bool:
        """Turn the held pieces by the wheel; returns False if none are held or the game has no rotation."""
        held = self.held
        if held is None or self.game.table.terms.rotation == UPRIGHT:
            return False
        self._rolled += notches
        steps, self._rolled = int(self._rolled), self._rolled - int(self._rolled)
        if steps:
            self._turn_held(held, steps, FINE_STEP)
        return True

    # The keys

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys choose a piece or carry the held one, Enter picks up and puts down."""
        return self._walk.key_pressed(event)

    def point_at(self, piece: int) -> QPointF:
        """Point at a piece as the mouse does; returns its place."""
        place = self._middle_of(piece)
        self._place = place
        self._look_at(piece)
        return place

    def _middle_of(self, piece: int) -> QPointF:
        return QPointF(*self.game.cluster_of(piece).pose_of(piece).of(*self.game.table.middle(piece)))

    def pick_up(self) -> None:
        """Hold the pointed piece and its cluster."""
        piece = self.over
        if piece is None:
            return
        self.select(())
        self._look_at(None)
        cluster = self.game.cluster_of(piece)
        grip, place = self.game.table.middle(piece), self._middle_of(piece)
        self.held = HeldPiece(piece, QPoint(), grip, cluster.pose_of(piece).turn, place, cluster, is_moving=True)
        self._show_held(self.held)

    def carry(self, right: float, down: float) -> QPointF:
        """Move the held pieces by some mm; returns their place."""
        held = self.held
        if held is None:
            return self._place
        held.is_moving, held.place = True, self._on_table(held.place + QPointF(right, down))
        self._place = held.place
        self._show_held(held)
        return held.place

    def put_down(self) -> None:
        """Put the held pieces down in place, as a release of the mouse does."""
        held, self.held = self.held, None
        self._scene.show_ghost(None)
        if held is not None:
            self._put(held)

    # Turning

    def turn(self, way: int = 1) -> None:
        """Turn the held pieces, or the piece under the mouse, clockwise or the other way."""
        if self.held is not None:
            self._turn_held(self.held, way, STEP)
        elif self.over is not None:
            self._turn_lying(self.over, way)
        else:
            self.refused.emit(tr("Hold a piece or point at one to rotate it."))

    def _by(self, steps: int, fine: float) -> float:
        return steps * (fine if self.game.table.terms.rotation == FREE else 90.0)

    def _turn_held(self, held: HeldPiece, steps: int, fine: float) -> None:
        if self.game.table.terms.rotation == UPRIGHT:
            self.refused.emit(ROTATION_OFF)
            return
        held.turn = (held.turn + self._by(steps, fine)) % 360.0
        held.is_moving = True
        self._show_held(held)

    def _turn_lying(self, piece: int, way: int) -> None:
        if self.game.table.terms.rotation == UPRIGHT:
            self.refused.emit(ROTATION_OFF)
            return
        table, cluster = self.game.table, self.game.cluster_of(piece)
        pose = cluster.pose_of(piece)
        grip = pose.inverse.of(self._place.x(), self._place.y())
        turned = placed(pose.turn + self._by(way, STEP), grip, self._place.x(), self._place.y())
        self._make(position_text(table.names[piece], *turned.of(*table.middle(piece)), turned.turn))

    # Selecting

    def select(self, leaders: Sequence[int] | frozenset[int] | tuple[()]) -> None:
        """Select clusters by their leaders."""
        self.selected = frozenset(leaders)
        self._scene.light(self.selected)
        self.looked.emit()

    def select_all(self) -> None:
        """Select all loose pieces and clusters but the largest."""
        largest = self.game.largest
        self.select([each.leader for each in self.game.clusters if each.size == 1 or each is not largest])

    def drop(self) -> None:
        """Drop held and selected pieces, as another game is shown."""
        self.held = self._band = None
        self._scene.show_ghost(None)
        self._scene.show_band(None)
        self._scene.show_hovered(None)
        self.over = None
        self.select(())

    def cancelled(self) -> bool:
        """Escape: put back the held pieces, or clear the selection; returns whether there were any."""
        was = self.held is not None or self._band is not None or bool(self.selected)
        self.drop()
        self._scene.show_game(self.game)
        self._view.viewport().setCursor(Qt.CursorShape.ArrowCursor)
        return was
