"""Engravings on the canvas: moved, scaled, rotated, mirrored, nudged and removed, each as one step of the history."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from studio.puzzles.jigsaw.engravings import Engraving
from studio.puzzles.jigsaw.framing import frames, shifted
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.jigsaw.whimsies import Pose
from studio.texts import tr
from studio.ui.canvas.tool import Pointer
from studio.ui.kinds.jigsaw.gestures import Drag, Nudges
from studio.ui.kinds.jigsaw.tool import JigsawTool

CATCH = 5
"""How near, in pixels, the mouse takes a line of an engraving; the selected one is taken anywhere in its frame."""
TURN = 15.0
"""Degrees that an engraving is rotated by with one key."""


class Engraved:
    """Changes the selected engraving."""

    def __init__(self, tool: JigsawTool) -> None:
        self._tool = tool
        self._nudges: Nudges | None = None

    def at(self, pointer: Pointer) -> str:
        """The name of the engraving that a click would take; empty where there is none."""
        chosen = self._tool.selection.engraving
        if chosen is not None and frames(chosen, pointer.x, pointer.y):
            return chosen.name
        reach = CATCH * pointer.pixel
        there = (one.name for one in self._tool.shapes.design.engravings if one.reaches(pointer.x, pointer.y, reach))
        return next(there, "")

    def dragged(self, name: str, start: Pointer) -> Drag:
        """The engraving follows the mouse, its middle at most to the border; Shift keeps it on one axis."""
        self._tool.selection.select_engraving(name)
        drawing = self._tool.shapes.drawing

        def posed(pose: Pose, pointer: Pointer) -> Pose:
            right, down = pointer.x - start.x, pointer.y - start.y
            if pointer.shift:
                right, down = (right, 0.0) if abs(right) >= abs(down) else (0.0, down)
            x = min(max(pose.x + right, min(pose.x, 0.0)), max(pose.x, drawing.width))
            y = min(max(pose.y + down, min(pose.y, 0.0)), max(pose.y, drawing.height))
            return replace(pose, x=x, y=y)

        return self._drag(start, tr("Move engraving"), posed)

    def pulled(self, start: Pointer, words: str, posed: Callable[[Pointer], Pose]) -> Drag:
        """A handle of the engraving's frame follows the mouse."""
        return self._drag(start, words, lambda _pose, pointer: posed(pointer))

    def _drag(self, start: Pointer, words: str, posed: Callable[[Pose, Pointer], Pose]) -> Drag:
        design, one = self._tool.shapes.design, self._tool.selection.engraving

        def changed(pointer: Pointer) -> JigsawDesign:
            return design if one is None else design.with_engraving(one.at(posed(one.pose, pointer)))

        return Drag(self._tool, start, words, changed)

    def nudge(self, right: float, down: float) -> None:
        """Move the engraving by some mm; nudges in quick succession are one step of the history."""
        chosen = self._chosen
        if chosen is None:
            return
        design = self._tool.document.design
        if self._nudges is None or not self._nudges.goes_on(design, ([], [])):
            self._nudges = Nudges(self._tool.shapes, ([], []))
        self._pose(tr("Nudge engraving"), shifted(chosen.pose, right, down), self._nudges)
        self._nudges.took(self._tool.document.design)

    def turn(self, way: int) -> None:
        """Rotate the engraving clockwise, or with -1 the other way."""
        if self._chosen is not None:
            self._pose(tr("Rotate engraving"), self._chosen.pose.turned(way * TURN))

    def mirror(self) -> None:
        """Mirror the engraving."""
        if self._chosen is not None:
            pose = self._chosen.pose
            self._pose(tr("Mirror engraving"), replace(pose, is_mirrored=not pose.is_mirrored))

    def remove(self) -> None:
        """Remove the engraving."""
        if self._chosen is not None:
            document = self._tool.document
            document.edit(tr("Remove engraving"), document.design.without_engraving(self._chosen.name))

    @property
    def _chosen(self) -> Engraving | None:
        return self._tool.selection.engraving

    def _pose(self, words: str, pose: Pose, token: object | None = None) -> None:
        document, chosen = self._tool.document, self._chosen
        if chosen is not None:
            document.edit(words, document.design.with_engraving(chosen.at(pose)), gesture=token)
