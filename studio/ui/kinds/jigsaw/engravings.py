"""Engravings on the canvas: moved, scaled, rotated, mirrored, nudged, duplicated and removed, several at once.

Each gesture is one step of the history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from studio.base.texts import tr
from studio.puzzles.jigsaw.figures.whimsies import Pose, Posed, carried, frames, is_across, mirrored, shifted, together
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.engravings import Engraving, free_name
from studio.ui.canvas.view import Pointer
from studio.ui.kinds.jigsaw.gestures import Drag, Nudges
from studio.ui.kinds.jigsaw.selection import counted_engravings

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.tool import JigsawTool

CATCH = 5
"""Catch radius of an engraving's lines, in pixels; a selected engraving is caught anywhere in its frame."""
TURN = 15.0
"""Degrees by which a key rotates an engraving."""


ASIDE = 10.0
"""Offset of a duplicate from its original, right and down, in mm."""


class Engraved:
    """Changes the selected engravings."""

    def __init__(self, tool: JigsawTool) -> None:
        self._tool = tool
        self._nudges: Nudges | None = None

    def at(self, pointer: Pointer) -> str:
        """Name of the engraving that a click would take, or empty."""
        framed = (one.name for one in self._chosen if frames(one, pointer.x, pointer.y))
        if name := next(framed, ""):
            return name
        reach = CATCH * pointer.pixel
        there = (one.name for one in self._tool.shapes.design.engravings if one.reaches(pointer.x, pointer.y, reach))
        return next(there, "")

    def pressed(self, name: str, start: Pointer) -> Drag | None:
        """Drag the selected engravings; with Shift or Ctrl, add an engraving to the selection or remove it."""
        selection, names = self._tool.selection, {one.name for one in self._chosen}
        if start.shift or start.control:
            selection.select_engravings(names ^ {name})
            return None
        if name not in names:
            selection.select_engravings([name])
        return self._dragged(name, start)

    def _dragged(self, name: str, start: Pointer) -> Drag:
        """Drag the engravings, with the middle of the held one kept on the board; Shift keeps to an axis."""
        drawing, chosen = self._tool.shapes.drawing, self._chosen
        held = next(one.pose for one in chosen if one.name == name)

        def moved(pointer: Pointer) -> list[Pose]:
            right, down = pointer.way_from(start)
            right = min(max(held.x + right, min(held.x, 0.0)), max(held.x, drawing.width)) - held.x
            down = min(max(held.y + down, min(held.y, 0.0)), max(held.y, drawing.height)) - held.y
            return [shifted(one.pose, right, down) for one in chosen]

        def clicked(_pointer: Pointer) -> None:
            self._tool.selection.select_engravings([name])

        return self._drag(start, tr("Move {engravings}"), moved, clicked)

    def pulled(self, start: Pointer, words: str, held: Posed, posed: Callable[[Pointer], Pose]) -> Drag:
        """Drag a handle of the frame `held` around the engravings; `words` name the step."""
        poses = [one.pose for one in self._chosen]
        return self._drag(start, words, lambda pointer: carried(poses, held.pose, posed(pointer)))

    def mirrored(self, start: Pointer, held: Posed) -> Drag:
        """Mirror the engravings by a click on the handle of the frame `held`, or by pulling it across."""
        still, other = [one.pose for one in self._chosen], mirrored(self._chosen)
        return self._drag(
            start,
            tr("Mirror {engravings}"),
            lambda pointer: other if is_across(held, pointer.x, pointer.y) else still,
            lambda _pointer: self.mirror(),
        )

    def _drag(
        self,
        start: Pointer,
        words: str,
        posed: Callable[[Pointer], list[Pose]],
        clicked: Callable[[Pointer], None] = lambda _pointer: None,
    ) -> Drag:
        design, chosen = self._tool.shapes.design, self._chosen

        def changed(pointer: Pointer) -> JigsawDesign:
            return design.with_engravings(_posed(chosen, posed(pointer)))

        return Drag(self._tool, start, self._named(words), changed, clicked)

    def nudge(self, right: float, down: float) -> None:
        """Move the engravings by some mm; nudges in quick succession are one step of the history."""
        chosen = self._chosen
        if not chosen:
            return
        design, names = self._tool.document.design, [one.name for one in chosen]
        if self._nudges is None or not self._nudges.goes_on(design, names):
            self._nudges = Nudges(self._tool.shapes, names)
        poses = [shifted(one.pose, right, down) for one in chosen]
        self._pose(tr("Nudge {engravings}"), poses, self._nudges)
        self._nudges.took(self._tool.document.design)

    def turn(self, way: int) -> None:
        """Rotate the engravings clockwise about their middle, or with -1 the other way."""
        chosen, around = self._chosen, together(self._chosen)
        if around is not None:
            poses = carried([one.pose for one in chosen], around.pose, around.pose.turned(way * TURN))
            self._pose(tr("Rotate {engravings}"), poses)

    def mirror(self) -> None:
        """Mirror an engraving in its own frame, several about their middle."""
        if self._chosen:
            self._pose(tr("Mirror {engravings}"), mirrored(self._chosen))

    def remove(self) -> None:
        """Remove the engravings."""
        if self._chosen:
            document = self._tool.document
            design: JigsawDesign = document.design
            for one in self._chosen:
                design = design.without_engraving(one.name)
            document.edit(self._named(tr("Remove {engravings}")), design)

    def duplicate(self) -> None:
        """Add the same engravings a little aside, and select them."""
        document, chosen = self._tool.document, self._chosen
        if not chosen:
            return
        design: JigsawDesign = document.design
        names = []
        for one in chosen:
            names.append(free_name(design.engravings, "text" if one.text else "drawing"))
            pose = shifted(one.pose, ASIDE, ASIDE)
            design = design.with_engraving(replace(one, name=names[-1], pose=pose))
        document.edit(self._named(tr("Duplicate {engravings}")), design)
        self._tool.selection.select_engravings(names)

    @property
    def _chosen(self) -> tuple[Engraving, ...]:
        return self._tool.selection.engravings

    def _named(self, words: str) -> str:
        return words.format(engravings=counted_engravings(self._chosen))

    def _pose(self, words: str, poses: Sequence[Pose], token: object | None = None) -> None:
        document = self._tool.document
        design = document.design.with_engravings(_posed(self._chosen, poses))
        document.edit(self._named(words), design, gesture=token)


def _posed(engravings: Sequence[Engraving], poses: Sequence[Pose]) -> list[Engraving]:
    return [one.at(pose) for one, pose in zip(engravings, poses, strict=True)]
