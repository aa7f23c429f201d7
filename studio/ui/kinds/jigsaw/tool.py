"""The jigsaw's tool: drags corners, flips tongues, drags their handles, selects, nudges.

gesture: from button down to button up; it previews designs and ends as one step of the history, or in nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from studio.amounts import listed, many
from studio.geometry.pick import nearest_point
from studio.puzzles.jigsaw import edits
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.jigsaw.styles import Handle
from studio.puzzles.jigsaw.whimsies import Whimsy
from studio.texts import tr
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.tool import ARROWS, Pointer, Tool
from studio.ui.kinds.jigsaw.marks import JigsawMarks
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.session.document import Document

CATCH = 10
"""How near, in pixels, the mouse takes a corner or a handle."""
TONGUE_CATCH = 8
STIR = 3
"""How many pixels the mouse must move with the button down before it drags."""
NUDGES = {"fine": 0.1, "plain": 1.0, "coarse": 10.0}
"""How far an arrow key moves what is selected, in mm: with Ctrl, alone, with Shift."""
NUDGE_PAUSE = 1.0
"""Seconds after which another nudge is another step of the history."""
TITLES = {Handle.PLACE: tr("Move 1 tongue"), Handle.SIZE: tr("Resize 1 tongue"), Handle.SLANT: tr("Slant 1 tongue")}


class JigsawTool(Tool):
    """The one tool of the jigsaw: what it does follows from what is under the mouse."""

    refused = Signal(str)
    """Carries a sentence where an action changes nothing."""
    figure_moved = Signal(object)
    """The selected figure was dropped elsewhere: brings its Pose."""
    figure_nudged = Signal(float, float)
    """The selected figure is to be moved by some mm, right and down."""

    def __init__(self, document: Document, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self.document = document
        self.selection = selection
        self.marks = JigsawMarks(canvas, selection)
        self._gesture: _Drag | _FigureDrag | _Band | None = None
        self._nudges: _Nudges | None = None
        document.replaced.connect(self._begin)
        document.settled.connect(self._let_go)

    @property
    def shapes(self) -> JigsawShapes:
        """The shapes in sight."""
        return self.selection.shapes

    def _begin(self) -> None:
        """Another design was opened: nothing is selected and no gesture is under way."""
        self._let_go()
        self.selection.select()

    def _let_go(self, _design: object = None) -> None:
        """The design has changed under a gesture (undo, open): what it would have made of the old one is forgotten."""
        self._gesture = None
        self.marks.show_band(None)
        self.marks.show_ghost(None)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Work on these shapes."""
        self.selection.show_shapes(shapes)
        self.marks.show_shapes(shapes)
        self.marks.hover(None, None)  # what was under the mouse may be elsewhere now

    def _under(self, pointer: Pointer) -> tuple[int | None, int | None]:
        """The movable corner that a click would take, or else the tongue, unless it is on a figure."""
        shapes, movable = self.shapes, self.shapes.tiling.movable
        at = nearest_point(shapes.corners[movable], pointer.x, pointer.y, CATCH * pointer.pixel)
        if at is not None:
            return int(movable[at]), None
        if self.selection.figure_at(pointer.x, pointer.y):
            return None, None
        stroke = shapes.picker.nearest_stroke(pointer.x, pointer.y, TONGUE_CATCH * pointer.pixel)
        return None, None if stroke is None or shapes.tiling.graph.is_rim(stroke) else stroke

    def _handle_at(self, pointer: Pointer) -> Handle | None:
        """The handle that a click would take: the nearest."""
        near = {}
        for handle, item in self.marks.handles.items():
            offset = item.pos() - pointer.place
            distance = math.hypot(offset.x(), offset.y())
            if item.isVisible() and distance <= CATCH * pointer.pixel:
                near[distance] = handle
        return near[min(near)] if near else None

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show what a click would take."""
        handle = self._handle_at(pointer)
        corner, tongue = self._under(pointer) if handle is None else (None, None)
        self.marks.hover(corner, tongue)
        if handle is not None or corner is not None:
            return Qt.CursorShape.SizeAllCursor
        if tongue is None and self.selection.figure_at(pointer.x, pointer.y):
            return Qt.CursorShape.SizeAllCursor
        return Qt.CursorShape.PointingHandCursor if tongue is not None else Qt.CursorShape.ArrowCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self.marks.hover(None, None)

    def pressed(self, pointer: Pointer) -> None:
        """Take what is under the mouse: a handle before a corner, a corner before a tongue."""
        handle = self._handle_at(pointer)
        if handle is not None and not (pointer.shift or pointer.control):
            self._gesture = self._handle_drag(handle, pointer)
            return
        corner, tongue = self._under(pointer)
        if corner is not None:
            self._take(pointer, corner in self.selection.corners, corners=[corner])
            if corner in self.selection.corners:
                self._gesture = self._corner_drag(corner, pointer)
        elif tongue is not None:
            self._take(pointer, tongue in self.selection.tongues, tongues=[tongue])
        elif figure := self.selection.figure_at(pointer.x, pointer.y):
            self._gesture = self._figure_drag(figure, pointer)
        else:
            self._gesture = _Band(self, pointer)

    def _figure_drag(self, name: str, pointer: Pointer) -> _FigureDrag | None:
        """A figure follows the mouse; with Shift or Ctrl a click selects it beside others, or no longer."""
        if pointer.shift or pointer.control:
            self.select_piece(pointer)
            return None
        self.selection.select_figure(name)
        figure = self.selection.figure
        return None if figure is None else _FigureDrag(self, pointer, figure)

    def _take(self, pointer: Pointer, already: bool, corners: Iterable[int] = (), tongues: Iterable[int] = ()) -> None:
        if pointer.control or pointer.shift or not already:
            self.choose(pointer, corners, tongues)

    def choose(
        self, pointer: Pointer, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()
    ) -> None:
        """Select some elements: beside what is selected with Shift, no longer with Ctrl, alone without."""
        chosen = self.selection
        change = chosen.remove if pointer.control else chosen.add if pointer.shift else chosen.select
        change(corners, tongues, pieces)

    def _corner_drag(self, corner: int, start: Pointer) -> _Drag:
        """Selected corners follow the mouse; Shift keeps them on one axis. A click selects the one under it."""
        shapes, corners = self.shapes, sorted(self.selection.corners)
        places = shapes.corners[corners]

        def dragged(pointer: Pointer) -> JigsawDesign:
            right, down = pointer.x - start.x, pointer.y - start.y
            if pointer.shift:
                right, down = (right, 0.0) if abs(right) >= abs(down) else (0.0, down)
            moved = (places + np.array([right, down])).tolist()
            return edits.with_corners_at(shapes, dict(zip(corners, moved, strict=True)))

        def clicked(pointer: Pointer) -> None:
            if not (pointer.shift or pointer.control):
                self.selection.select([corner])

        return _Drag(self, start, tr("Move {corners}", corners=many(len(corners), "corner")), dragged, clicked)

    def _handle_drag(self, handle: Handle, start: Pointer) -> _Drag:
        """The one selected tongue is moved along its edge, resized or slanted."""
        shapes, (tongue,) = self.shapes, self.selection.tongues
        from studio.puzzles.jigsaw.handles import grip

        held = grip(shapes, tongue)

        def pulled(pointer: Pointer) -> JigsawDesign:
            value = held.pulled(handle, (start.x, start.y), (pointer.x, pointer.y))
            return edits.with_tongues_shaped(shapes, {tongue: {handle.value: value}})

        return _Drag(self, start, TITLES[handle], pulled)

    def dragged(self, pointer: Pointer) -> None:
        """Go on with the gesture."""
        if self._gesture is not None:
            self._gesture.move(pointer)

    def released(self, pointer: Pointer) -> None:
        """End the gesture."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.end(pointer)

    def double_clicked(self, pointer: Pointer) -> None:
        """Flip the tongue under the mouse, or the one whose handle the first click brought under it."""
        if self._handle_at(pointer) is None:
            _corner, tongue = self._under(pointer)
            if tongue is None and self.selection.figure_at(pointer.x, pointer.y):
                return
            self.selection.select(tongues=[] if tongue is None else [tongue])
        self.flip()

    def menu_asked(self, pointer: Pointer) -> None:
        """Select what is under the mouse, unless it is, and ask for the menu."""
        corner, tongue = self._under(pointer)
        if corner is not None and corner not in self.selection.corners:
            self.selection.select([corner])
        elif tongue is not None and tongue not in self.selection.tongues:
            self.selection.select(tongues=[tongue])
        elif figure := self.selection.figure_at(pointer.x, pointer.y):
            self.selection.select_figure(figure)
        self.menu_wanted.emit(pointer.screen)

    def cancelled(self) -> bool:
        """Give up the gesture, or else the selection."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
            return True
        had = bool(self.selection)
        self.selection.select()
        return had

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys nudge what is selected."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        chosen = self.selection
        is_any = chosen.corners or chosen.tongues or chosen.figure is not None
        if arrow is None or not is_any or self._gesture is not None:
            return False
        keys = event.modifiers()
        coarse, fine = keys & Qt.KeyboardModifier.ShiftModifier, keys & Qt.KeyboardModifier.ControlModifier
        step = NUDGES["coarse" if coarse else "fine" if fine else "plain"]
        if chosen.figure is not None:
            self.figure_nudged.emit(arrow[1] * step, arrow[0] * step)
        else:
            self.nudge(right=arrow[1] * step, down=arrow[0] * step)
        return True

    def nudge(self, right: float, down: float) -> None:
        """Move what is selected by some mm; one selection's nudges in quick succession are one step of the history."""
        corners, tongues = sorted(self.selection.corners), sorted(self.selection.tongues)
        if self._nudges is None or not self._nudges.goes_on(self.document.design, (corners, tongues)):
            self._nudges = _Nudges(self.shapes, (corners, tongues))
        if corners:
            moved = (self.shapes.corners[corners] + np.array([right, down])).tolist()
            design = edits.with_corners_at(self._nudges.origin, dict(zip(corners, moved, strict=True)))
        else:
            from studio.puzzles.jigsaw.handles import grip

            slid = {tongue: {"place": grip(self.shapes, tongue).slid(right, down)} for tongue in tongues}
            design = edits.with_tongues_shaped(self._nudges.origin, slid)
        words = many(len(corners), "corner") if corners else many(len(tongues), "tongue")
        self.document.edit(tr("Nudge {elements}", elements=words), design, gesture=self._nudges)
        self._nudges.took(self.document.design)

    def _on_tongues(
        self, words: str, change: Callable[[JigsawShapes, list[int]], JigsawDesign], word: str = "tongue"
    ) -> None:
        tongues = sorted(self.selection.tongues)
        if tongues:
            self.document.edit(words.format(tongues=many(len(tongues), word)), change(self.shapes, tongues))

    def flip(self) -> None:
        """Flip the selected tongues."""
        self._on_tongues(tr("Flip {tongues}"), edits.with_tongues_flipped)

    def make_plain(self) -> None:
        """Make the selected edges straight; if all are, give them tongues again."""
        plain = bool(self.shapes.plain[sorted(self.selection.tongues)].all())
        words = tr("Add a tongue to {tongues}") if plain else tr("Make {tongues} straight")
        self._on_tongues(words, lambda shapes, some: edits.with_tongues_plain(shapes, some, not plain), "edge")

    def roll(self) -> None:
        """Randomise the selected tongues except locked ones; where all are locked, say so."""
        if self.selection.tongues and self._all_locked():
            self.refused.emit(tr("Locked tongues are not randomised. Press L to unlock."))
            return
        self._on_tongues(tr("Randomise {tongues}"), edits.with_tongues_rolled)

    def lock(self) -> None:
        """Lock the selected tongues; if all are locked, unlock them."""
        locked = self._all_locked()
        self._on_tongues(
            tr("Unlock {tongues}") if locked else tr("Lock {tongues}"),
            lambda shapes, some: edits.with_tongues_locked(shapes, some, not locked),
        )

    def _all_locked(self) -> bool:
        return self.selection.tongues.issubset(self.shapes.locked.tolist())

    def reset(self) -> None:
        """Reset the selected corners and tongues."""
        corners, tongues = self.selection.corners, self.selection.tongues
        named = ((corners, "corner"), (tongues, "tongue"))
        words = [many(len(some), word) for some, word in named if some]
        if words:
            title = tr("Reset {elements}", elements=listed(words))
            self.document.edit(title, edits.with_reset(self.shapes, corners, tongues))

    def merge(self) -> None:
        """Make the selected pieces that are neighbours one, and those on either side of the selected tongues."""
        chosen = self.selection
        cuts = sorted({*edits.cuts_between(self.shapes, chosen.faces), *chosen.tongues})
        if not cuts:
            self.refused.emit(tr("Select two neighbouring pieces, or the tongue between them, to merge them."))
            return
        beside = self.shapes.tiling.graph.sides[cuts].ravel()
        names = {self.shapes.tiling.piece_name(piece) for piece in beside.tolist()}
        self.document.edit(
            tr("Merge {pieces}", pieces=many(len(names), "piece")), edits.with_pieces_merged(self.shapes, cuts)
        )

    def split(self) -> None:
        """Part the selected pieces that were merged."""
        chosen = self.selection.faces
        if not edits.merged_cuts(self.shapes, chosen):
            self.refused.emit(tr("Select a merged piece to split it."))
            return
        self.document.edit(
            tr("Split {pieces}", pieces=many(len(chosen), "piece")), edits.with_pieces_parted(self.shapes, chosen)
        )

    def select_all(self) -> None:
        """Select every tongue."""
        self.selection.select(tongues=self.shapes.tiling.graph.inner_edges.tolist())

    def select_piece(self, pointer: Pointer) -> None:
        """Select the piece under the mouse, or nothing where there is none."""
        piece = self.shapes.picker.piece_at(pointer.x, pointer.y)
        self.choose(pointer, pieces=[] if piece is None else [piece])

    def select_within(self, pointer: Pointer, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Select the corners and tongues within a rectangle."""
        tiling = self.shapes.tiling
        corners = self.shapes.corners[tiling.movable]
        inside = ((corners >= low) & (corners <= high)).all(axis=1)
        strokes = self.shapes.picker.strokes_within(low, high)
        tongues = np.intersect1d(strokes, tiling.graph.inner_edges)
        self.choose(pointer, tiling.movable[inside].tolist(), tongues.tolist())


def _stirred(start: Pointer, now: Pointer) -> bool:
    offset = now.screen - start.screen
    return max(abs(offset.x()), abs(offset.y())) >= STIR


class _Nudges:
    """A run of nudges of one selection, each soon after the one before, and the shapes that it set out from."""

    def __init__(self, origin: JigsawShapes, chosen: tuple[list[int], list[int]]) -> None:
        self.origin = origin
        self._chosen = chosen
        self._design = origin.design
        self._last = time.monotonic()

    def goes_on(self, design: JigsawDesign, chosen: tuple[list[int], list[int]]) -> bool:
        """Whether a nudge belongs to the run: nothing else was selected or edited, and no time has passed."""
        return design is self._design and chosen == self._chosen and time.monotonic() - self._last <= NUDGE_PAUSE

    def took(self, design: JigsawDesign) -> None:
        """Note the design that a nudge has made."""
        self._design, self._last = design, time.monotonic()


class _Drag:
    """Something selected follows the mouse: designs are previewed, and the last is one step of the history."""

    def __init__(
        self,
        tool: JigsawTool,
        start: Pointer,
        text: str,
        dragged: Callable[[Pointer], JigsawDesign],
        clicked: Callable[[Pointer], None] = lambda pointer: None,
    ) -> None:
        self._tool, self._start, self._text = tool, start, text
        self._dragged, self._clicked = dragged, clicked
        self._design: JigsawDesign | None = None

    def move(self, pointer: Pointer) -> None:
        if self._design is not None or _stirred(self._start, pointer):
            self._design = self._dragged(pointer)
            self._tool.marks.hover(None, None)
            self._tool.document.preview(self._design)

    def end(self, pointer: Pointer) -> None:
        if self._design is not None:
            self._tool.document.edit(self._text, self._design)
        else:
            self._clicked(pointer)

    def cancel(self) -> None:
        self._tool.document.abandon()


class _FigureDrag:
    """The outline of a figure follows the mouse, and the figure itself once it is dropped."""

    def __init__(self, tool: JigsawTool, start: Pointer, figure: Whimsy) -> None:
        self._tool, self._start, self._figure = tool, start, figure
        self._is_drawn = False

    def move(self, pointer: Pointer) -> None:
        self._is_drawn = self._is_drawn or _stirred(self._start, pointer)
        if self._is_drawn:
            self._tool.marks.show_ghost(self._figure, *self._by(pointer))

    def end(self, pointer: Pointer) -> None:
        if self._is_drawn:
            (right, down), pose = self._by(pointer), self._figure.pose
            drawing = self._tool.shapes.drawing
            x = min(max(pose.x + right, 0.0), drawing.width)
            y = min(max(pose.y + down, 0.0), drawing.height)
            self._tool.figure_moved.emit(replace(pose, x=x, y=y))

    def cancel(self) -> None:
        self._tool.marks.show_ghost(None)

    def _by(self, pointer: Pointer) -> tuple[float, float]:
        """How far it is dragged, in mm; Shift keeps it on one axis."""
        right, down = pointer.x - self._start.x, pointer.y - self._start.y
        if pointer.shift:
            return (right, 0.0) if abs(right) >= abs(down) else (0.0, down)
        return right, down


class _Band:
    """A rubber band selects everything wholly inside it; a plain click selects the piece under it."""

    def __init__(self, tool: JigsawTool, start: Pointer) -> None:
        self._tool, self._start = tool, start
        self._is_drawn = False

    def move(self, pointer: Pointer) -> None:
        self._is_drawn = self._is_drawn or _stirred(self._start, pointer)
        if self._is_drawn:
            self._tool.marks.show_band(QRectF(self._start.place, pointer.place).normalized())

    def end(self, pointer: Pointer) -> None:
        self._tool.marks.show_band(None)
        if not self._is_drawn:
            self._tool.select_piece(pointer)
            return
        low = min(self._start.x, pointer.x), min(self._start.y, pointer.y)
        high = max(self._start.x, pointer.x), max(self._start.y, pointer.y)
        self._tool.select_within(pointer, low, high)

    def cancel(self) -> None:
        self._tool.marks.show_band(None)
