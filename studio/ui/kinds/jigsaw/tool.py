"""The hand on a jigsaw: drags corners, flips tongues, pulls their handles, selects, nudges.

gesture: from button down to button up; it previews designs and ends as one step of the history, or in nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable
from typing import Protocol

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent

from studio.geometry.pick import Picker, nearest_point
from studio.puzzles.jigsaw import edits
from studio.puzzles.jigsaw.geometry import JigsawShapes
from studio.puzzles.jigsaw.handles import Grip, grip
from studio.puzzles.jigsaw.model import JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.styles import Handle
from studio.puzzles.jigsaw.tongues import PLAIN
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.tool import Pointer, Tool
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
ARROWS = {
    Qt.Key.Key_Left: (-1, 0),
    Qt.Key.Key_Right: (1, 0),
    Qt.Key.Key_Up: (0, -1),
    Qt.Key.Key_Down: (0, 1),
}


def counted(number: int, word: str) -> str:
    """`1 tongue`, `3 tongues`."""
    return f"{number} {word}{'' if number == 1 else 's'}"


class _Gesture(Protocol):
    """What happens between button down and button up."""

    def move(self, pointer: Pointer) -> None:
        """Follow the mouse."""

    def end(self, pointer: Pointer) -> None:
        """The button went up."""

    def cancel(self) -> None:
        """As if it had never begun."""


class JigsawTool(Tool):
    """The one tool of the jigsaw: what it does follows from what is under the mouse."""

    refused = Signal(str)
    """Brings the sentence for a wish that changes nothing."""

    def __init__(self, document: Document, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self.document = document
        self.canvas = canvas
        self.selection = selection
        self.marks = JigsawMarks(canvas, selection)
        self.shapes: JigsawShapes | None = None
        self._picker: Picker | None = None
        self._movable = np.empty(0, np.int64)
        self._gesture: _Gesture | None = None
        self._nudges: _Nudges | None = None
        document.replaced.connect(self._begin)
        document.settled.connect(self._let_go)

    def _begin(self) -> None:
        """Another design was opened: nothing of it is selected yet, and no hand is at work on it."""
        self._let_go()
        self.selection.select()

    def _let_go(self, _design: object = None) -> None:
        """The design has changed under a gesture (undo, open): what it would have made of the old one is forgotten."""
        self._gesture = None
        self.marks.show_band(None)

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Work on these shapes from now on."""
        if self.shapes is not None and self.shapes.tiling is shapes.tiling:
            self._take_shapes(shapes)
            return
        # Elements get other numbers: nothing is selected until everybody looks them up in the new shapes.
        corners, tongues = self._selected_in(shapes)
        self.selection.select()
        self._movable = np.flatnonzero(shapes.tiling.freedom.any(axis=1))
        self._take_shapes(shapes)
        self.selection.select(corners, tongues)

    def _take_shapes(self, shapes: JigsawShapes) -> None:
        if self._picker is None or self._picker.drawing is not shapes.drawing:
            self._picker = Picker(shapes.drawing)
        self.shapes = shapes
        self.marks.show_shapes(shapes)
        self.marks.hover(None, None)  # what was under the mouse may be elsewhere now

    def _selected_in(self, shapes: JigsawShapes) -> tuple[list[int], list[int]]:
        """The numbers in other shapes of the corners and tongues that are selected: their names are the same."""
        if self.shapes is None:
            return [], []
        new, old = shapes.tiling, self.shapes.tiling
        corners = (new.corner_indices.get(old.corner_name(corner)) for corner in self.selection.corners)
        tongues = (new.edge_indices.get(old.edge_name(tongue)) for tongue in self.selection.tongues)
        return [one for one in corners if one is not None], [one for one in tongues if one is not None]

    def corner_at(self, pointer: Pointer) -> int | None:
        """The movable corner that a click would take."""
        assert self.shapes is not None
        at = nearest_point(self.shapes.corners[self._movable], pointer.x, pointer.y, CATCH * pointer.pixel)
        return None if at is None else int(self._movable[at])

    def tongue_at(self, pointer: Pointer) -> int | None:
        """The tongue that a click would take; the border is none."""
        assert self.shapes is not None and self._picker is not None
        stroke = self._picker.nearest_stroke(pointer.x, pointer.y, TONGUE_CATCH * pointer.pixel)
        return None if stroke is None or (self.shapes.tiling.graph.sides[stroke] < 0).any() else stroke

    def handle_at(self, pointer: Pointer) -> Handle | None:
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
        if self.handle_at(pointer) is not None:
            self.marks.hover(None, None)
            return Qt.CursorShape.SizeAllCursor
        corner = self.corner_at(pointer)
        tongue = self.tongue_at(pointer) if corner is None else None
        self.marks.hover(corner, tongue)
        if corner is not None:
            return Qt.CursorShape.SizeAllCursor
        return Qt.CursorShape.PointingHandCursor if tongue is not None else Qt.CursorShape.ArrowCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        if self.shapes is not None:
            self.marks.hover(None, None)

    def pressed(self, pointer: Pointer) -> None:
        """Take what is under the mouse: a handle before a corner, a corner before a tongue."""
        assert self.shapes is not None
        handle = self.handle_at(pointer)
        if handle is not None and not (pointer.shift or pointer.control):
            self._gesture = _HandlePull(self, handle, next(iter(self.selection.tongues)), pointer)
            return
        corner = self.corner_at(pointer)
        tongue = self.tongue_at(pointer) if corner is None else None
        if corner is not None:
            self._take(pointer, corner in self.selection.corners, corners=[corner])
            if corner in self.selection.corners:
                self._gesture = _CornerDrag(self, corner, pointer)
        elif tongue is not None:
            self._take(pointer, tongue in self.selection.tongues, tongues=[tongue])
        else:
            self._gesture = _Band(self, pointer)

    def _take(self, pointer: Pointer, already: bool, corners: Iterable[int] = (), tongues: Iterable[int] = ()) -> None:
        if pointer.control:
            self.selection.remove(corners, tongues)
        elif pointer.shift:
            self.selection.add(corners, tongues)
        elif not already:
            self.selection.select(corners, tongues)

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
        if self.handle_at(pointer) is None:
            tongue = self.tongue_at(pointer) if self.corner_at(pointer) is None else None
            self.selection.select(tongues=[] if tongue is None else [tongue])
        self.flip()

    def menu_asked(self, pointer: Pointer) -> None:
        """Select what is under the mouse, unless it is, and ask for the menu."""
        corner = self.corner_at(pointer)
        tongue = self.tongue_at(pointer) if corner is None else None
        if corner is not None and corner not in self.selection.corners:
            self.selection.select([corner])
        elif tongue is not None and tongue not in self.selection.tongues:
            self.selection.select(tongues=[tongue])
        self.menu_wanted.emit(pointer.screen)

    def cancelled(self) -> bool:
        """Give up the gesture, or else the selection."""
        if self._gesture is not None:
            gesture, self._gesture = self._gesture, None
            gesture.cancel()
            return True
        had = bool(self.selection)
        self.selection.select()
        return had

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrow keys nudge what is selected."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        if arrow is None or not (self.selection.corners or self.selection.tongues) or self._gesture is not None:
            return False
        held = event.modifiers()
        size = "plain"
        if held & Qt.KeyboardModifier.ShiftModifier:
            size = "coarse"
        elif held & Qt.KeyboardModifier.ControlModifier:
            size = "fine"
        step = NUDGES[size]
        self.nudge(arrow[0] * step, arrow[1] * step)
        return True

    def nudge(self, right: float, down: float) -> None:
        """Move what is selected by some mm; one selection's nudges in quick succession are one step of the history."""
        assert self.shapes is not None
        corners, tongues = sorted(self.selection.corners), sorted(self.selection.tongues)
        if self._nudges is None or not self._nudges.goes_on(self.document.design, (corners, tongues)):
            self._nudges = _Nudges(self.shapes, (corners, tongues))
        origin = self._nudges.origin
        if corners:
            moved = (self.shapes.corners[corners] + (right, down)).tolist()
            design = edits.with_corners_at(
                origin, {corner: (x, y) for corner, (x, y) in zip(corners, moved, strict=True)}
            )
            self._edit(f"Nudge {counted(len(corners), 'corner')}", design, self._nudges)
        else:
            slid = {tongue: {"place": grip(self.shapes, tongue).slid(right, down)} for tongue in tongues}
            design = edits.with_tongues_shaped(origin, slid)
            self._edit(f"Nudge {counted(len(tongues), 'tongue')}", design, self._nudges)
        self._nudges.took(self.document.design)

    def _edit(self, text: str, design: JigsawDesign, gesture: object | None = None) -> None:
        self.document.edit(text, design, gesture=gesture)

    def _on_tongues(
        self, verb: str, change: Callable[[JigsawShapes, list[int]], JigsawDesign], word: str = "tongue"
    ) -> None:
        assert self.shapes is not None
        tongues = sorted(self.selection.tongues)
        if tongues:
            self._edit(f"{verb} {counted(len(tongues), word)}", change(self.shapes, tongues))

    def flip(self) -> None:
        """Turn the selected tongues to their other side."""
        self._on_tongues("Flip", edits.with_tongues_flipped)

    def make_plain(self) -> None:
        """Make the selected tongues plain; if all are, make them tongues again."""
        assert self.shapes is not None
        plain = bool((self.shapes.tongues[sorted(self.selection.tongues), PLAIN] > 0.5).all())
        verb, word = ("Put a knob on", "edge") if plain else ("Make plain", "tongue")
        self._on_tongues(verb, lambda shapes, some: edits.with_tongues_plain(shapes, some, not plain), word)

    def roll(self) -> None:
        """Deal the selected tongues anew; locked ones stay, and where all are, that is told."""
        if self.selection.tongues and self._all_locked():
            self.refused.emit("A locked tongue keeps its shape. Unlock it with L to re-roll it.")
            return
        self._on_tongues("Re-roll", edits.with_tongues_rolled)

    def lock(self) -> None:
        """Lock the selected tongues; if all are locked, unlock them."""
        locked = self._all_locked()
        self._on_tongues(
            "Unlock" if locked else "Lock", lambda shapes, some: edits.with_tongues_locked(shapes, some, not locked)
        )

    def _all_locked(self) -> bool:
        assert self.shapes is not None
        names = [self.shapes.tiling.edge_name(tongue) for tongue in self.selection.tongues]
        return all(self.shapes.design.tongue(name).locked_seed is not None for name in names)

    def reset(self) -> None:
        """Take the hand's edits of what is selected away."""
        assert self.shapes is not None
        corners, tongues = sorted(self.selection.corners), sorted(self.selection.tongues)
        if not corners and not tongues:
            return
        parts = [counted(len(corners), "corner")] * bool(corners) + [counted(len(tongues), "tongue")] * bool(tongues)
        design = edits.with_corners_reset(self.shapes, corners)
        names = [self.shapes.tiling.edge_name(tongue) for tongue in tongues]
        design = design.with_tongues(TongueEdit(name) for name in names)
        self._edit(f"Reset {' and '.join(parts)}", design)

    def select_all(self) -> None:
        """Select every tongue."""
        assert self.shapes is not None
        self.selection.select(tongues=self.shapes.tiling.graph.inner_edges.tolist())

    def select_within(self, low: tuple[float, float], high: tuple[float, float]) -> tuple[list[int], list[int]]:
        """The corners and tongues within a rectangle."""
        assert self.shapes is not None and self._picker is not None
        corners = self.shapes.corners[self._movable]
        inside = ((corners >= low) & (corners <= high)).all(axis=1)
        strokes = self._picker.strokes_within(low, high)
        inner = (self.shapes.tiling.graph.sides[strokes] >= 0).all(axis=1)
        return self._movable[inside].tolist(), strokes[inner].tolist()

    def select_piece(self, pointer: Pointer) -> None:
        """Select the piece under the mouse, or nothing where there is none."""
        assert self._picker is not None
        piece = self._picker.piece_at(pointer.x, pointer.y)
        pieces = [] if piece is None else [piece]
        if pointer.control:
            self.selection.remove(pieces=pieces)
        elif pointer.shift:
            self.selection.add(pieces=pieces)
        else:
            self.selection.select(pieces=pieces)


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


class _CornerDrag:
    """Selected corners follow the mouse; Shift keeps them on one axis."""

    def __init__(self, tool: JigsawTool, corner: int, start: Pointer) -> None:
        assert tool.shapes is not None
        self._tool, self._start = tool, start
        self._shapes = tool.shapes
        self._from = {one: tuple(tool.shapes.corners[one].tolist()) for one in sorted(tool.selection.corners)}
        self._corner = corner
        self._design: JigsawDesign | None = None

    def move(self, pointer: Pointer) -> None:
        if self._design is None and not _stirred(self._start, pointer):
            return
        right, down = pointer.x - self._start.x, pointer.y - self._start.y
        if pointer.shift:
            right, down = (right, 0.0) if abs(right) >= abs(down) else (0.0, down)
        places = {one: (x + right, y + down) for one, (x, y) in self._from.items()}
        self._design = edits.with_corners_at(self._shapes, places)
        self._tool.marks.hover(None, None)
        self._tool.document.preview(self._design)

    def end(self, pointer: Pointer) -> None:
        if self._design is not None:
            self._tool.document.edit(f"Move {counted(len(self._from), 'corner')}", self._design)
        elif not (pointer.shift or pointer.control):
            self._tool.selection.select([self._corner])

    def cancel(self) -> None:
        self._tool.document.abandon()


class _HandlePull:
    """A tongue is moved along its edge, resized or slanted by one of its handles."""

    VERBS = {Handle.PLACE: "Move", Handle.SIZE: "Resize", Handle.SLANT: "Slant"}  # noqa: RUF012

    def __init__(self, tool: JigsawTool, handle: Handle, tongue: int, start: Pointer) -> None:
        assert tool.shapes is not None
        self._tool, self._handle, self._tongue, self._start = tool, handle, tongue, start
        self._shapes = tool.shapes
        self._grip: Grip = grip(tool.shapes, tongue)
        self._design: JigsawDesign | None = None

    def move(self, pointer: Pointer) -> None:
        if self._design is None and not _stirred(self._start, pointer):
            return
        value = self._grip.pulled(self._handle, (self._start.x, self._start.y), (pointer.x, pointer.y))
        self._design = edits.with_tongues_shaped(self._shapes, {self._tongue: {self._handle.value: value}})
        self._tool.document.preview(self._design)

    def end(self, pointer: Pointer) -> None:
        if self._design is not None:
            self._tool.document.edit(f"{self.VERBS[self._handle]} 1 tongue", self._design)

    def cancel(self) -> None:
        self._tool.document.abandon()


class _Band:
    """A rubber band selects what lies wholly within it; a click without one selects the piece under it."""

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
        corners, tongues = self._tool.select_within(low, high)
        if pointer.control:
            self._tool.selection.remove(corners, tongues)
        elif pointer.shift:
            self._tool.selection.add(corners, tongues)
        else:
            self._tool.selection.select(corners, tongues)

    def cancel(self) -> None:
        self._tool.marks.show_band(None)
