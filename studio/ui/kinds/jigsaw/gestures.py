"""The gestures of the jigsaw's tool.

gesture: from button down to button up; it previews designs and ends as one step of the history, or in nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF

from studio.base.texts import tr
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.ui.canvas.view import Pointer
from studio.ui.kinds.jigsaw.selection import counted

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.tool import JigsawTool

STIR = 3
"""Pixels that the mouse must move with the button down before it drags."""
NUDGE_PAUSE = 1.0
"""Seconds after which another nudge is another step of the history."""


def _stirred(start: Pointer, now: Pointer) -> bool:
    offset = now.screen - start.screen
    return max(abs(offset.x()), abs(offset.y())) >= STIR


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


class Drag:
    """Drag of selected elements: designs are previewed, and the last is one step of the history."""

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
        """Preview the design for the place of the mouse."""
        if self._design is not None or _stirred(self._start, pointer):
            self._design = self._dragged(pointer)
            self._tool.marks.hover(None, None)
            self._tool.document.preview(self._design)

    def end(self, pointer: Pointer) -> None:
        """Make the last design a step of the history; without a drag it is a click."""
        if self._design is not None:
            self._tool.document.edit(self._text, self._design)
        else:
            self._clicked(pointer)

    def cancel(self) -> None:
        """Put everything back."""
        self._tool.document.abandon()


class _Posing:
    """Drag of figures: their outlines follow the mouse, the cuts around them as fast as they can be computed."""

    def __init__(self, tool: JigsawTool, start: Pointer) -> None:
        self._tool, self._start = tool, start
        self._is_drawn = False

    def end(self, pointer: Pointer) -> None:
        """Let the figures go there."""
        raise NotImplementedError

    def cancel(self) -> None:
        """Put everything back."""
        self._tool.marks.show_ghost()
        self._tool.figures_let_go.emit()

    def _stirs(self, pointer: Pointer) -> bool:
        self._is_drawn = self._is_drawn or _stirred(self._start, pointer)
        if self._is_drawn:
            self._tool.marks.hover(None, None)
        return self._is_drawn


class FiguresDrag(_Posing):
    """The selected figures follow the mouse."""

    def __init__(self, tool: JigsawTool, start: Pointer, held: str) -> None:
        super().__init__(tool, start)
        self._held = held
        self._figures = tool.selection.figures

    def move(self, pointer: Pointer) -> None:
        """Show where they would go."""
        if self._stirs(pointer):
            self._tool.marks.show_ghost(self._figures, *self._by(pointer))
            self._tool.figures_dragged.emit(self._poses(pointer))

    def end(self, pointer: Pointer) -> None:
        """Move the figures; without a drag, select the one under the mouse."""
        if not self._is_drawn:
            self._tool.selection.select_figures([self._held])
            return
        self._tool.figures_posed.emit(tr("Move {figures}", figures=counted(self._figures)), self._poses(pointer))

    def _poses(self, pointer: Pointer) -> dict[str, Pose]:
        right, down = self._by(pointer)
        return {one.name: replace(one.pose, x=one.pose.x + right, y=one.pose.y + down) for one in self._figures}

    def _by(self, pointer: Pointer) -> tuple[float, float]:
        """Offset of the drag in mm, with the held figure's middle kept on the board; Shift keeps to an axis."""
        right, down = pointer.x - self._start.x, pointer.y - self._start.y
        if pointer.shift:
            right, down = (right, 0.0) if abs(right) >= abs(down) else (0.0, down)
        drawing = self._tool.shapes.drawing
        pose = next(one.pose for one in self._figures if one.name == self._held)
        x = min(max(pose.x + right, 0.0), drawing.width)
        y = min(max(pose.y + down, 0.0), drawing.height)
        return x - pose.x, y - pose.y


class FrameDrag(_Posing):
    """Drag that scales, rotates or mirrors figures, several together."""

    def __init__(
        self,
        tool: JigsawTool,
        start: Pointer,
        words: str,
        figures: Sequence[Whimsy],
        posed: Callable[[Pointer], Mapping[str, Pose]],
        clicked: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(tool, start)
        self._words, self._figures, self._posed, self._clicked = words, figures, posed, clicked

    def move(self, pointer: Pointer) -> None:
        """Show the figures as they would be."""
        if self._stirs(pointer):
            poses = self._posed(pointer)
            self._tool.marks.show_ghost([replace(one, pose=poses[one.name]) for one in self._figures])
            self._tool.figures_dragged.emit(poses)

    def end(self, pointer: Pointer) -> None:
        """Pose the figures; without a drag it is a click."""
        if not self._is_drawn:
            self._clicked()
            return
        poses = self._posed(pointer)
        if poses == {one.name: one.pose for one in self._figures}:
            self.cancel()
        else:
            self._tool.figures_posed.emit(self._words, poses)


class Band:
    """A rubber band selects everything wholly inside it; a plain click selects the piece under it."""

    def __init__(self, tool: JigsawTool, start: Pointer) -> None:
        self._tool, self._start = tool, start
        self._is_drawn = False

    def move(self, pointer: Pointer) -> None:
        """Stretch the band to the mouse."""
        self._is_drawn = self._is_drawn or _stirred(self._start, pointer)
        if self._is_drawn:
            self._tool.marks.show_band(QRectF(self._start.place, pointer.place).normalized())

    def end(self, pointer: Pointer) -> None:
        """Select the content of the band; without a drag, the piece under the mouse."""
        self._tool.marks.show_band(None)
        if not self._is_drawn:
            self._tool.select_piece(pointer)
            return
        low = min(self._start.x, pointer.x), min(self._start.y, pointer.y)
        high = max(self._start.x, pointer.x), max(self._start.y, pointer.y)
        self._tool.select_within(pointer, low, high)

    def cancel(self) -> None:
        """Put the band away."""
        self._tool.marks.show_band(None)
