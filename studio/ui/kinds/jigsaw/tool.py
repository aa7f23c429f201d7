"""The jigsaw's tool: drags corners, flips tongues, drags their handles, selects, nudges."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from studio.base.amounts import listed, many
from studio.base.texts import tr
from studio.geometry.planar.drawing import nearest_point
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import Handle
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.view import ARROWS, Pointer, Tool
from studio.ui.kinds.jigsaw.marks import JigsawMarks
from studio.ui.kinds.jigsaw.selection import Selection, counted
from studio.ui.session.document import Document

if TYPE_CHECKING:
    from studio.puzzles.jigsaw.figures.frames import Posed
    from studio.ui.kinds.jigsaw.engravings import Engraved
    from studio.ui.kinds.jigsaw.gestures import Band, Drag, FiguresDrag, FrameDrag, Nudges

CATCH = 10
"""Catch radius of corners and handles, in pixels."""
TONGUE_CATCH = 8
NUDGES = {"fine": 0.1, "plain": 1.0, "coarse": 10.0}
"""Distance in mm that an arrow key moves the selection: with Ctrl, alone, with Shift."""
TITLES = {
    Handle.PLACE: tr("Move 1 tongue"), Handle.SIZE: tr("Resize 1 tongue"), Handle.SLANT: tr("Slant 1 tongue"),
    Handle.HEAD: tr("Change head of 1 tongue"), Handle.NECK: tr("Change neck of 1 tongue"),
}  # fmt: skip


class JigsawTool(Tool):
    """The only tool of the jigsaw: its action depends on the element under the mouse."""

    refused = Signal(str)
    """Brings the reason why an action changes nothing."""
    figures_posed = Signal(str, object)
    """Selected figures were dropped elsewhere, scaled or rotated: brings the words and their poses by name."""
    figures_dragged = Signal(object)
    """Selected figures are held by the mouse: brings their poses by name."""
    figures_let_go = Signal()
    """They are where they were after all."""
    figures_nudged = Signal(float, float)
    """Asks to move the selected figures by some mm, right and down."""
    engraving_opened = Signal(str)
    """An engraving was double-clicked: brings its name."""

    def __init__(self, document: Document, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self.document = document
        self.selection = selection
        self.marks = JigsawMarks(canvas, selection)
        self._gesture: Drag | FiguresDrag | FrameDrag | Band | None = None
        self._nudges: Nudges | None = None
        document.replaced.connect(self._begin)
        document.settled.connect(self._let_go)

    @cached_property
    def engraved(self) -> Engraved:
        """Changes the selected engravings; loaded with the first one."""
        from studio.ui.kinds.jigsaw.engravings import Engraved

        return Engraved(self)

    @property
    def shapes(self) -> JigsawShapes:
        """The shapes in sight."""
        return self.selection.shapes

    def _begin(self) -> None:
        """Another design was opened: nothing is selected and no gesture is under way."""
        self._let_go()
        self.selection.select()

    def _let_go(self, _design: object = None) -> None:
        """Drop a gesture and its result, because the design has changed under it (undo, open)."""
        self._gesture = None
        self.marks.show_band(None)
        self.marks.show_ghost()

    def show_shapes(self, shapes: JigsawShapes, *, settled: bool = True) -> None:
        """Work on these shapes."""
        self.selection.show_shapes(shapes, settled=settled)
        self.marks.show_shapes(shapes)
        self.marks.hover(None, None)  # the element under the mouse may have moved

    def _under(self, pointer: Pointer) -> tuple[int | None, int | None]:
        """The movable corner that a click would take, or else the tongue, unless it is on a figure or an engraving."""
        shapes, movable = self.shapes, self.shapes.tiling.movable
        at = nearest_point(shapes.corners[movable], pointer.x, pointer.y, CATCH * pointer.pixel)
        if at is not None:
            return int(movable[at]), None
        of_figure = self._figure_tongue_at(pointer)
        if of_figure is not None:
            return None, of_figure
        if self._posed_at(pointer):
            return None, None
        stroke = shapes.picker.nearest_stroke(pointer.x, pointer.y, TONGUE_CATCH * pointer.pixel)
        return None, None if stroke is None or shapes.tiling.graph.is_rim(stroke) else stroke

    def _figure_tongue_at(self, pointer: Pointer) -> int | None:
        """The tongue of a figure under the mouse, nearer to the line the smaller the tongue is on the screen."""
        if not self.shapes.tiling.figure_tongues or self._engraving_at(pointer):
            return None
        from studio.puzzles.jigsaw.figures.tongues import tongue_at

        return tongue_at(self.shapes.tiling, self.shapes.drawing, pointer.x, pointer.y, TONGUE_CATCH * pointer.pixel)

    def _engraving_at(self, pointer: Pointer) -> str:
        """Name of the engraving under the mouse, or empty."""
        return self.engraved.at(pointer) if self.shapes.design.engravings else ""

    def _posed_at(self, pointer: Pointer) -> bool:
        """True if an engraving or a figure is under the mouse."""
        return bool(self._engraving_at(pointer) or self.selection.figure_at(pointer.x, pointer.y))

    def _handle_at(self, pointer: Pointer) -> Handle | None:
        """The nearest handle within reach of a click."""
        near = {}
        for handle, item in self.marks.handles.items():
            offset = item.pos() - pointer.place
            distance = math.hypot(offset.x(), offset.y())
            if item.isVisible() and distance <= CATCH * pointer.pixel:
                near[distance] = handle
        return near[min(near)] if near else None

    def _frame_handle_at(self, pointer: Pointer) -> int | None:
        """The handle of the selection's frame under the mouse."""
        return self.marks.frame.handle_at(pointer, CATCH * pointer.pixel) if self.selection.posed else None

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Highlight the target of a click."""
        held = self._frame_handle_at(pointer)
        if held is not None:
            self.marks.hover(None, None)
            return self.marks.frame.cursor(held)
        handle = self._handle_at(pointer)
        corner, tongue = self._under(pointer) if handle is None else (None, None)
        self.marks.hover(corner, tongue)
        if handle is not None or corner is not None:
            return Qt.CursorShape.SizeAllCursor
        if tongue is None and self._posed_at(pointer):
            return Qt.CursorShape.SizeAllCursor
        return Qt.CursorShape.PointingHandCursor if tongue is not None else Qt.CursorShape.ArrowCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self.marks.hover(None, None)

    def pressed(self, pointer: Pointer) -> None:
        """Take the element under the mouse: a handle before a corner, a corner before a tongue."""
        held = self._frame_handle_at(pointer)
        if held is not None:
            self._gesture = self._frame_drag(held, pointer)
            return
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
        elif engraving := self._engraving_at(pointer):
            self._gesture = self.engraved.pressed(engraving, pointer)
        elif figure := self.selection.figure_at(pointer.x, pointer.y):
            self._gesture = self._figure_drag(figure, pointer)
        else:
            from studio.ui.kinds.jigsaw.gestures import Band

            self._gesture = Band(self, pointer)

    def _figure_drag(self, name: str, pointer: Pointer) -> FiguresDrag | None:
        """Drag the selected figures; with Shift or Ctrl, a click adds a figure to the selection or removes it."""
        if pointer.shift or pointer.control:
            self.select_piece(pointer)
            return None
        if name not in (one.name for one in self.selection.figures):
            self.selection.select_figures([name])
        from studio.ui.kinds.jigsaw.gestures import FiguresDrag

        return FiguresDrag(self, pointer, name)

    def _frame_drag(self, handle: int, start: Pointer) -> FrameDrag | Drag | None:
        """Scale the selection by a corner of its frame, rotate it by the knob (Shift: in steps), or mirror it."""
        held = self.selection.posed
        if held is None:
            return None
        from studio.puzzles.jigsaw.figures.frames import posed_together, rotated, scaled
        from studio.ui.kinds.jigsaw.frame_handles import KNOB, MIRROR
        from studio.ui.kinds.jigsaw.gestures import FrameDrag

        if handle == MIRROR:
            return self._mirror_drag(held, start)

        def posed(pointer: Pointer) -> Pose:
            if handle == KNOB:
                return rotated(held.pose, (start.x, start.y), (pointer.x, pointer.y), snaps=pointer.shift)
            return scaled(held, handle, pointer.x - start.x, pointer.y - start.y)

        figures = self.selection.only_figures
        if not figures:
            words = tr("Rotate {engravings}") if handle == KNOB else tr("Scale {engravings}")
            return self.engraved.pulled(start, words, held, posed)

        def all_posed(pointer: Pointer) -> dict[str, Pose]:
            pose = posed(pointer)
            return posed_together(figures, pose) if len(figures) > 1 else {figures[0].name: pose}

        words = tr("Rotate {figures}") if handle == KNOB else tr("Scale {figures}")
        return FrameDrag(self, start, words.format(figures=counted(figures)), figures, all_posed)

    def _mirror_drag(self, held: Posed, start: Pointer) -> FrameDrag | Drag:
        """Mirror the selection by a click on the handle, or by pulling it across the frame's middle."""
        from studio.puzzles.jigsaw.figures.frames import is_across, mirrored
        from studio.ui.kinds.jigsaw.gestures import FrameDrag

        figures = self.selection.only_figures
        if not figures:
            return self.engraved.mirrored(start, held)
        still = {one.name: one.pose for one in figures}
        other = dict(zip(still, mirrored(figures), strict=True))
        words = tr("Mirror {figures}", figures=counted(figures))
        return FrameDrag(
            self,
            start,
            words,
            figures,
            lambda pointer: other if is_across(held, pointer.x, pointer.y) else still,
            lambda: self.figures_posed.emit(words, other),
        )

    def _take(self, pointer: Pointer, already: bool, corners: Iterable[int] = (), tongues: Iterable[int] = ()) -> None:
        if pointer.control or pointer.shift or not already:
            self.choose(pointer, corners, tongues)

    def choose(
        self, pointer: Pointer, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()
    ) -> None:
        """Select only these elements; with Shift add them to the selection, with Ctrl remove them."""
        chosen = self.selection
        change = chosen.remove if pointer.control else chosen.add if pointer.shift else chosen.select
        change(corners, tongues, pieces)

    def _corner_drag(self, corner: int, start: Pointer) -> Drag:
        """Drag the selected corners; Shift keeps them on one axis. A click selects the corner under the mouse."""
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

        from studio.ui.kinds.jigsaw.gestures import Drag

        return Drag(self, start, tr("Move {corners}", corners=many(len(corners), "corner")), dragged, clicked)

    def _handle_drag(self, handle: Handle, start: Pointer) -> Drag:
        """Move the only selected tongue along its edge, resize or slant it."""
        shapes, (tongue,) = self.shapes, self.selection.tongues
        from studio.puzzles.jigsaw.tongues.handles import grip

        held = grip(shapes, tongue)

        def pulled(pointer: Pointer) -> JigsawDesign:
            value = held.pulled(handle, (start.x, start.y), (pointer.x, pointer.y))
            return edits.with_tongues_shaped(shapes, {tongue: {handle.value: value}})

        from studio.ui.kinds.jigsaw.gestures import Drag

        return Drag(self, start, TITLES[handle], pulled)

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
        """Flip the tongue under the mouse, or the tongue whose handle the first click brought under it.

        Opens an engraving.
        """
        if self._handle_at(pointer) is None:
            _corner, tongue = self._under(pointer)
            if tongue is None and self._posed_at(pointer):
                if engraving := self._engraving_at(pointer):
                    self.engraving_opened.emit(engraving)
                return
            self.selection.select(tongues=[] if tongue is None else [tongue])
        self.flip()

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the element under the mouse, unless it is selected, and ask for the menu."""
        corner, tongue = self._under(pointer)
        if corner is not None and corner not in self.selection.corners:
            self.selection.select([corner])
        elif tongue is not None and tongue not in self.selection.tongues:
            self.selection.select(tongues=[tongue])
        elif corner is None and tongue is None and (engraving := self._engraving_at(pointer)):
            if engraving not in (one.name for one in self.selection.engravings):
                self.selection.select_engravings([engraving])
        elif corner is None and tongue is None:
            figure = self.selection.figure_at(pointer.x, pointer.y)
            if figure and figure not in (one.name for one in self.selection.only_figures):
                self.selection.select_figures([figure])
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
        """Nudge the selection by arrow keys."""
        arrow = ARROWS.get(Qt.Key(event.key()))
        chosen = self.selection
        figures = chosen.only_figures
        is_any = chosen.corners or chosen.tongues or figures or chosen.engravings
        if arrow is None or not is_any or self._gesture is not None:
            return False
        keys = event.modifiers()
        coarse, fine = keys & Qt.KeyboardModifier.ShiftModifier, keys & Qt.KeyboardModifier.ControlModifier
        step = NUDGES["coarse" if coarse else "fine" if fine else "plain"]
        if figures:
            self.figures_nudged.emit(arrow[1] * step, arrow[0] * step)
        elif chosen.engravings:
            self.engraved.nudge(arrow[1] * step, arrow[0] * step)
        else:
            self.nudge(right=arrow[1] * step, down=arrow[0] * step)
        return True

    def nudge(self, right: float, down: float) -> None:
        """Move the selection by some mm; nudges in quick succession are one step of the history."""
        corners, tongues = sorted(self.selection.corners), sorted(self.selection.tongues)
        if self._nudges is None or not self._nudges.goes_on(self.document.design, (corners, tongues)):
            from studio.ui.kinds.jigsaw.gestures import Nudges

            self._nudges = Nudges(self.shapes, (corners, tongues))
        if corners:
            moved = (self.shapes.corners[corners] + np.array([right, down])).tolist()
            design = edits.with_corners_at(self._nudges.origin, dict(zip(corners, moved, strict=True)))
        else:
            from studio.puzzles.jigsaw.tongues.handles import grip

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
        """Make the selected edges straight; if all are straight, give them tongues again."""
        plain = bool(self.shapes.plain[sorted(self.selection.tongues)].all())
        words = tr("Add a tongue to {tongues}") if plain else tr("Make {tongues} straight")
        self._on_tongues(words, lambda shapes, some: edits.with_tongues_plain(shapes, some, not plain), "edge")

    def roll(self) -> None:
        """Randomise the selected tongues except locked ones; report it if all are locked."""
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

    def select_all(self) -> None:
        """Select every tongue; or every figure or engraving if only such are selected."""
        if self.selection.engravings:
            self.selection.select_engravings(one.name for one in self.shapes.design.engravings)
            return
        if self.selection.only_figures:
            self.selection.select_figures(one.name for one in self.shapes.tiling.fillings)
            return
        self.selection.select(tongues=self.shapes.tiling.graph.inner_edges.tolist())

    def select_piece(self, pointer: Pointer) -> None:
        """Select the piece under the mouse, or nothing."""
        piece = self.shapes.picker.piece_at(pointer.x, pointer.y)
        self.choose(pointer, pieces=[] if piece is None else [piece])

    def select_within(self, pointer: Pointer, low: tuple[float, float], high: tuple[float, float]) -> None:
        """Select corners, tongues and figures within a rectangle; or engravings, if alone there or selected before."""
        engraved, before = self._engraved_within(low, high), {one.name for one in self.selection.engravings}
        if before and (pointer.shift or pointer.control):
            self.selection.select_engravings(before - engraved if pointer.control else before | engraved)
            return
        tiling = self.shapes.tiling
        corners = self.shapes.corners[tiling.movable]
        inside = ((corners >= low) & (corners <= high)).all(axis=1)
        strokes = self.shapes.picker.strokes_within(low, high)
        tongues = np.intersect1d(strokes, tiling.graph.inner_edges)
        graph, owners = tiling.graph, self.shapes.drawing.pieces
        figures = [
            piece
            for piece in range(graph.face_count, len(owners))
            if np.isin(owners.codes[owners.starts[piece] : owners.starts[piece + 1]] >> 1, strokes).all()
        ]
        if engraved and not (inside.any() or len(tongues) or figures):
            self.selection.select_engravings(engraved)
            return
        self.choose(pointer, tiling.movable[inside].tolist(), tongues.tolist(), figures)

    def _engraved_within(self, low: tuple[float, float], high: tuple[float, float]) -> set[str]:
        """The names of the engravings within a rectangle."""
        if not self.shapes.design.engravings:
            return set()
        from studio.puzzles.jigsaw.figures.frames import frame

        boxes = ((one.name, frame(one)) for one in self.shapes.design.engravings)
        return {name for name, box in boxes if ((box >= low) & (box <= high)).all()}
