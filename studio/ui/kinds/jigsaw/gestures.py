"""Everything on a jigsaw that the mouse can take, in one order, and the gestures that follow a press.

gesture: from button down to button up; it previews designs and ends as one step of the history, or in nothing.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, Qt

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import nearest_point
from studio.puzzles.jigsaw.figures.whimsies import (
    Pose,
    Whimsy,
    frame,
    is_across,
    mirrored,
    posed_together,
    rotated,
    scaled,
    snapped,
)
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import Handle
from studio.ui.canvas.view import Pointer, stirred
from studio.ui.kinds.jigsaw.selection import CATCH, KNOB, MIRROR, counted

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.tool import JigsawTool

NUDGE_PAUSE = 1.0
"""Seconds after which another nudge is another step of the history."""
TONGUE_CATCH = 8
TITLES = {
    Handle.PLACE: tr("Move 1 tongue"), Handle.SIZE: tr("Resize 1 tongue"), Handle.SLANT: tr("Slant 1 tongue"),
    Handle.HEAD: tr("Change head of 1 tongue"), Handle.NECK: tr("Change neck of 1 tongue"),
}  # fmt: skip
SNAP_PIXELS = 4
"""Distance in pixels within which a dragged figure snaps."""
TURN = 15.0
"""Degrees by which a key rotates a figure or an engraving."""


ASIDE = 10.0
"""Offset of a duplicate from its original, right and down, in mm."""


class Nudges:
    """A run of quick nudges of one selection, and the shapes before the first."""

    def __init__(self, origin: JigsawShapes, chosen: object) -> None:
        self.origin = origin
        self._chosen = chosen
        self._design = origin.design
        self._last = time.monotonic()

    def goes_on(self, design: JigsawDesign, chosen: object) -> bool:
        """True if a nudge belongs to the run: same selection, no other edit, at most NUDGE_PAUSE since the last."""
        return design is self._design and chosen == self._chosen and time.monotonic() - self._last <= NUDGE_PAUSE

    def took(self, design: JigsawDesign) -> None:
        """Note the design that a nudge has made."""
        self._design, self._last = design, time.monotonic()


class Gesture:
    """From button down to button up: a drag once the mouse has moved far enough, else a click."""

    def __init__(
        self, tool: JigsawTool, start: Pointer, clicked: Callable[[Pointer], None] = lambda pointer: None
    ) -> None:
        self._tool, self._start, self._clicked = tool, start, clicked
        self._is_drag = False

    def move(self, pointer: Pointer) -> None:
        """Go on with the drag, or begin it."""
        self._is_drag = self._is_drag or stirred(self._start.screen, pointer.screen)
        if self._is_drag:
            self._tool.marks.hover(None, None)
            self.drag(pointer)

    def end(self, pointer: Pointer) -> None:
        """End the drag; without one it is a click."""
        (self.drop if self._is_drag else self._clicked)(pointer)

    def drag(self, pointer: Pointer) -> None:
        """Show the outcome for the place of the mouse."""
        raise NotImplementedError

    def drop(self, pointer: Pointer) -> None:
        """Bring the outcome about."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Put everything back."""
        raise NotImplementedError


class Drag(Gesture):
    """Drag of selected elements: designs are previewed, and the last is one step of the history."""

    def __init__(
        self,
        tool: JigsawTool,
        start: Pointer,
        text: str,
        dragged: Callable[[Pointer], JigsawDesign],
        clicked: Callable[[Pointer], None] = lambda pointer: None,
    ) -> None:
        super().__init__(tool, start, clicked)
        self._text, self._dragged = text, dragged
        self._design: JigsawDesign | None = None

    def drag(self, pointer: Pointer) -> None:
        """Preview the design for the place of the mouse."""
        self._design = self._dragged(pointer)
        self._tool.document.preview(self._design)

    def drop(self, pointer: Pointer) -> None:
        """Make the last design a step of the history."""
        if self._design is not None:
            self._tool.document.edit(self._text, self._design)

    def cancel(self) -> None:
        """Put everything back."""
        self._tool.document.abandon()


class FrameDrag(Gesture):
    """Drag of figures: their outlines follow the mouse, the cuts around them as fast as they can be computed."""

    def __init__(
        self,
        tool: JigsawTool,
        start: Pointer,
        words: str,
        figures: Sequence[Whimsy],
        posed: Callable[[Pointer], Mapping[str, Pose]],
        clicked: Callable[[Pointer], None] = lambda pointer: None,
    ) -> None:
        super().__init__(tool, start, clicked)
        self._words, self._figures, self._posed = words, figures, posed
        self._lines: list[tuple[int, float]] = []

    def drag(self, pointer: Pointer) -> None:
        """Show the figures as they would be."""
        poses = self._posed(pointer)
        self.show_outlines(pointer, poses)
        self._tool.marks.show_guides(self._lines)
        self._tool.figures_dragged.emit(poses)

    def show_outlines(self, pointer: Pointer, poses: Mapping[str, Pose]) -> None:
        """Show the outlines of the figures at other poses."""
        self._tool.marks.show_ghost([replace(one, pose=poses[one.name]) for one in self._figures])

    def drop(self, pointer: Pointer) -> None:
        """Pose the figures."""
        poses = self._posed(pointer)
        self._tool.marks.show_guides()
        if poses == {one.name: one.pose for one in self._figures}:
            self.cancel()
        else:
            self._tool.figures_posed.emit(self._words, poses)

    def cancel(self) -> None:
        """Put everything back."""
        self._tool.marks.show_guides()
        self._tool.marks.show_ghost()
        self._tool.figures_let_go.emit()


class FiguresDrag(FrameDrag):
    """The selected figures follow the mouse and snap, unless Ctrl is held; a click selects the one under it."""

    def __init__(self, tool: JigsawTool, start: Pointer, held: str) -> None:
        figures = tool.selection.figures
        words = tr("Move {figures}", figures=counted(figures))
        super().__init__(tool, start, words, figures, self._moved, lambda _: tool.selection.select_figures([held]))
        self._middle = next(one.pose for one in figures if one.name == held)
        boxes = np.array([box(one.on_board()[0]) for one in figures])
        self._box = np.stack([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])
        self._others = [box(one.on_board()[0]) for one in tool.shapes.design.whimsies if one not in figures]

    def show_outlines(self, pointer: Pointer, poses: Mapping[str, Pose]) -> None:
        """Shift the outlines, which keep their form."""
        self._tool.marks.show_ghost(self._figures, *self._snapped(pointer))

    def _moved(self, pointer: Pointer) -> dict[str, Pose]:
        right, down = self._snapped(pointer)
        return {one.name: replace(one.pose, x=one.pose.x + right, y=one.pose.y + down) for one in self._figures}

    def _snapped(self, pointer: Pointer) -> tuple[float, float]:
        """Offset of the drag in mm, onto the lines that the figures snap to."""
        right, down = self._by(pointer)
        size, reach = self._tool.shapes.design.size, -1.0 if pointer.control else SNAP_PIXELS * pointer.pixel
        (more, further), self._lines = snapped(self._box + np.array([right, down]), self._others, size, reach)
        return right + more, down + further

    def _by(self, pointer: Pointer) -> tuple[float, float]:
        """Offset of the drag in mm, with the held figure's middle kept on the board."""
        right, down = pointer.way_from(self._start)
        drawing, middle = self._tool.shapes.drawing, self._middle
        x = min(max(middle.x + right, 0.0), drawing.width)
        y = min(max(middle.y + down, 0.0), drawing.height)
        return x - middle.x, y - middle.y


class Band(Gesture):
    """A rubber band selects everything wholly inside it; a plain click selects the piece under it."""

    def __init__(self, tool: JigsawTool, start: Pointer) -> None:
        super().__init__(tool, start, tool.selection.choose_piece)

    def drag(self, pointer: Pointer) -> None:
        """Stretch the band to the mouse."""
        self._tool.marks.show_band(QRectF(self._start.place, pointer.place).normalized())

    def drop(self, pointer: Pointer) -> None:
        """Select corners, tongues and figures within the band; or engravings, if alone there or selected before."""
        self.cancel()
        low = min(self._start.x, pointer.x), min(self._start.y, pointer.y)
        high = max(self._start.x, pointer.x), max(self._start.y, pointer.y)
        selection, shapes = self._tool.selection, self._tool.shapes
        boxes = ((one.name, frame(one)) for one in shapes.design.engravings)
        engraved = {name for name, box in boxes if ((box >= low) & (box <= high)).all()}
        before = {one.name for one in selection.engravings}
        if before and (pointer.shift or pointer.control):
            selection.select_engravings(before - engraved if pointer.control else before | engraved)
            return
        graph, movable, pieces = shapes.tiling.graph, shapes.tiling.movable, shapes.drawing.pieces
        corners = shapes.corners[movable]
        inside = ((corners >= low) & (corners <= high)).all(axis=1)
        strokes = shapes.picker.strokes_within(low, high)
        tongues = np.intersect1d(strokes, shapes.tiling.inner_edges)
        figures = [
            piece
            for piece in range(graph.face_count, len(pieces))
            if np.isin(pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]] >> 1, strokes).all()
        ]
        if engraved and not (inside.any() or len(tongues) or figures):
            selection.select_engravings(engraved)
            return
        selection.choose(pointer, movable[inside].tolist(), tongues.tolist(), selection.whole(figures))

    def cancel(self) -> None:
        """Put the band away."""
        self._tool.marks.show_band(None)


@dataclass(frozen=True)
class Grabbable:
    """Something under the mouse, with its answers to a press, a double click and the request of a menu."""

    press: Callable[[Pointer], Gesture | None]
    double_click: Callable[[], object] = lambda: None
    select: Callable[[], object] = lambda: None
    is_selected: bool = False
    cursor: Qt.CursorShape = Qt.CursorShape.SizeAllCursor
    corner: int | None = None
    tongue: int | None = None
    """The corner or tongue to highlight."""


def _frame_handle(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A handle of the frame around the selected figures or engravings, which only a press takes."""
    number = tool.marks.frame.handle_at(pointer) if tool.selection.posed else None
    if number is None:
        return None
    return Grabbable(
        partial(_pull_frame, tool, number),
        lambda: grabbed(tool, pointer, ELEMENTS).double_click(),
        cursor=tool.marks.frame.cursor(number),
    )


def _pull_frame(tool: JigsawTool, number: int, start: Pointer) -> Gesture | None:
    """Scale the selection by a corner of its frame, rotate it by the knob (Shift: in steps), or mirror it by a click on
    the handle or a pull across the middle."""
    held, figures = tool.selection.posed, tool.selection.only_figures
    if held is None:
        return None
    if number == MIRROR:
        if not figures:
            return tool.engraved.mirrored(start, held)
        still = {one.name: one.pose for one in figures}
        other = dict(zip(still, mirrored(figures), strict=True))
        words = tr("Mirror {figures}", figures=counted(figures))
        return FrameDrag(
            tool, start, words, figures,
            lambda pointer: other if is_across(held, pointer.x, pointer.y) else still,
            lambda _pointer: tool.figures_posed.emit(words, other),
        )  # fmt: skip

    def posed(pointer: Pointer) -> Pose:
        if number == KNOB:
            return rotated(held.pose, (start.x, start.y), (pointer.x, pointer.y), snaps=pointer.shift)
        return scaled(held, number, pointer.x - start.x, pointer.y - start.y)

    if not figures:
        title = tr("Rotate {engravings}") if number == KNOB else tr("Scale {engravings}")
        return tool.engraved.pulled(start, title, held, posed)
    title = tr("Rotate {figures}") if number == KNOB else tr("Scale {figures}")
    title = title.format(figures=counted(figures))
    return FrameDrag(tool, start, title, figures, lambda pointer: posed_together(figures, posed(pointer)))


def _tongue_handle(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A handle of the only selected tongue; with Shift or Ctrl, a press takes the element beneath."""
    near = {}
    for handle, item in tool.marks.handles.items():
        offset = item.pos() - pointer.place
        distance = math.hypot(offset.x(), offset.y())
        if item.isVisible() and distance <= CATCH * pointer.pixel:
            near[distance] = handle
    if not near:
        return None

    handle = near[min(near)]

    def press(start: Pointer) -> Gesture | None:
        if start.shift or start.control:
            return grabbed(tool, pointer, ELEMENTS).press(start)
        from studio.puzzles.jigsaw.tongues.values import grip

        shapes, (tongue,) = tool.shapes, tool.selection.tongues
        held = grip(shapes, tongue)

        def pulled(pointer: Pointer) -> JigsawDesign:
            value = held.pulled(handle, (start.x, start.y), (pointer.x, pointer.y))
            return edits.with_tongues_shaped(shapes, {tongue: {handle.value: value}})

        return Drag(tool, start, TITLES[handle], pulled)

    return Grabbable(press, tool.flip)


class CurveDrag(Gesture):
    """A handle of a drawn edge follows the mouse; the board is divided anew when it is dropped."""

    def __init__(self, tool: JigsawTool, start: Pointer, edge: int, handle: int) -> None:
        super().__init__(tool, start)
        self._edge, self._handle = edge, handle
        self._curve = tool.shapes.drawing.strokes[edge]

    def drag(self, pointer: Pointer) -> None:
        """Show the curve for the place of the mouse."""
        self._tool.marks.show_curve(self._pulled(pointer))

    def drop(self, pointer: Pointer) -> None:
        """Give the edge the curve."""
        self._tool.cut_shaped.emit(tr("Shape edge"), self._edge, self._pulled(pointer))

    def cancel(self) -> None:
        """Put everything back."""
        self._tool.marks.show_curve(None)

    def _pulled(self, pointer: Pointer) -> Floats:
        from studio.puzzles.jigsaw.pen import pulled

        return pulled(self._curve, self._handle, *pointer.way_from(self._start))


def _curve_handle(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A handle of the only selected drawn edge; with Shift or Ctrl, a press takes the element beneath."""
    handle = nearest_point(tool.marks.curve_handles.places, pointer.x, pointer.y, CATCH * pointer.pixel)
    if handle is None:
        return None

    def press(start: Pointer) -> Gesture | None:
        if start.control:
            return grabbed(tool, pointer, ELEMENTS).press(start)
        (edge,) = tool.selection.tongues
        return CurveDrag(tool, start, edge, handle)

    return Grabbable(press, tool.flip)


@dataclass(frozen=True)
class NodePlace:
    """A place on the only selected drawn edge: a node, numbered from 0, or None for its curve."""

    tool: JigsawTool
    pointer: Pointer
    edge: int
    node: int | None

    def change(self, _pointer: Pointer | None = None) -> None:
        """Remove the node, or add one."""
        from studio.puzzles.jigsaw.pen import with_node, without_node

        curve, place = self.tool.shapes.drawing.strokes[self.edge], np.array([self.pointer.x, self.pointer.y])
        try:
            made = with_node(curve, place) if self.node is None else without_node(curve, self.node + 1)
        except StudioError as problem:
            self.tool.refused.emit(str(problem))
        else:
            words = tr("Add node") if self.node is None else tr("Remove node")
            self.tool.cut_shaped.emit(words, self.edge, made)


def node_place(tool: JigsawTool, pointer: Pointer) -> NodePlace | None:
    """Return the place under the mouse on the only selected drawn edge."""
    places = tool.marks.curve_handles.places
    if not len(places):
        return None
    (edge,) = tool.selection.tongues
    node = nearest_point(places[2::3], pointer.x, pointer.y, CATCH * pointer.pixel)
    if node is None and tool.shapes.picker.nearest_stroke(pointer.x, pointer.y, TONGUE_CATCH * pointer.pixel) != edge:
        return None
    return NodePlace(tool, pointer, edge, node)


def _node(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """With Alt, a node of the only selected drawn edge, which a press removes; or its curve, which gets a node."""
    found = node_place(tool, pointer) if pointer.alt else None
    return None if found is None else Grabbable(found.change, cursor=Qt.CursorShape.CrossCursor)


def _corner(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A movable corner; a double click is for the engraving or figure on which it lies."""
    selection, movable = tool.selection, tool.shapes.tiling.movable
    at = nearest_point(tool.shapes.corners[movable], pointer.x, pointer.y, CATCH * pointer.pixel)
    if at is None:
        return None
    corner = int(movable[at])
    return Grabbable(
        partial(_drag_corners, tool, corner),
        lambda: grabbed(tool, pointer, (_lettering, _figure, _ground)).double_click(),
        partial(selection.select, [corner]),
        corner in selection.corners,
        corner=corner,
    )


def _drag_corners(tool: JigsawTool, corner: int, start: Pointer) -> Gesture | None:
    """Drag the selected corners; Shift keeps them on one axis. A click selects the corner under the mouse."""
    shapes, selection = tool.shapes, tool.selection
    if start.control or start.shift or corner not in selection.corners:
        selection.choose(start, corners=[corner])
    if corner not in selection.corners:
        return None
    corners = sorted(selection.corners)
    places = shapes.corners[corners]

    def dragged(pointer: Pointer) -> JigsawDesign:
        moved = (places + np.array(pointer.way_from(start))).tolist()
        return edits.with_corners_at(shapes, dict(zip(corners, moved, strict=True)))

    def clicked(pointer: Pointer) -> None:
        if not (pointer.shift or pointer.control):
            selection.select([corner])

    return Drag(tool, start, tr("Move {corners}", corners=many(len(corners), "corner")), dragged, clicked)


def _lettering(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """An engraving; a double click opens it."""
    name = tool.engraved.at(pointer) if tool.shapes.design.engravings else ""
    return None if not name else Grabbable(
        partial(tool.engraved.pressed, name), partial(tool.engraving_opened.emit, name),
        partial(tool.selection.select_engravings, [name]),
        name in (one.name for one in tool.selection.engravings),
    )  # fmt: skip


def _figure_tongue(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A tongue of a figure, nearer to the line the smaller it is on the screen."""
    if not tool.shapes.tiling.figure_tongues:
        return None
    from studio.puzzles.jigsaw.figures.tongues import tongue_at

    reach = TONGUE_CATCH * pointer.pixel
    return _flippable(tool, tongue_at(tool.shapes.tiling, tool.shapes.drawing, pointer.x, pointer.y, reach))


def _figure(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A figure; with Shift or Ctrl, a press adds it to the selection or removes it."""
    selection = tool.selection
    name = selection.figure_at(pointer.x, pointer.y)
    if not name:
        return None

    def press(start: Pointer) -> Gesture | None:
        if start.shift or start.control:
            selection.choose_piece(start)
            return None
        if name not in (one.name for one in selection.figures):
            selection.select_figures([name])
        return FiguresDrag(tool, start, name)

    is_selected = name in (one.name for one in selection.only_figures)
    return Grabbable(press, select=partial(selection.select_figures, [name]), is_selected=is_selected)


def _tongue(tool: JigsawTool, pointer: Pointer) -> Grabbable | None:
    """A tongue, or a straight edge between two pieces."""
    stroke = tool.shapes.picker.nearest_stroke(pointer.x, pointer.y, TONGUE_CATCH * pointer.pixel)
    return _flippable(tool, None if stroke is None or tool.shapes.tiling.is_rim(stroke) else stroke)


def _flippable(tool: JigsawTool, tongue: int | None) -> Grabbable | None:
    """A tongue, which a click selects and a double click flips."""
    if tongue is None:
        return None
    selection = tool.selection

    def press(start: Pointer) -> None:
        if start.control or start.shift or tongue not in selection.tongues:
            selection.choose(start, tongues=[tongue])

    def flip() -> None:
        selection.select(tongues=[tongue])
        tool.flip()

    return Grabbable(
        press, flip, partial(selection.select, tongues=[tongue]), tongue in selection.tongues,
        cursor=Qt.CursorShape.PointingHandCursor, tongue=tongue,
    )  # fmt: skip


def _ground(tool: JigsawTool, _pointer: Pointer) -> Grabbable:
    """Everything else, pieces included: a press begins a rubber band."""
    return Grabbable(partial(Band, tool), tool.selection.select, cursor=Qt.CursorShape.ArrowCursor)


Kinds = tuple[Callable[["JigsawTool", Pointer], Grabbable | None], ...]
ELEMENTS: Kinds = (_corner, _lettering, _figure_tongue, _figure, _tongue, _ground)
GRABBABLES: Kinds = (_frame_handle, _tongue_handle, _node, _curve_handle, *ELEMENTS)
"""Everything that the mouse can take; what comes first is taken first."""


def grabbed(tool: JigsawTool, pointer: Pointer, kinds: Kinds) -> Grabbable:
    """Return the first thing of some kinds under the mouse; the ground is everywhere."""
    return next(found for kind in kinds if (found := kind(tool, pointer)) is not None)
