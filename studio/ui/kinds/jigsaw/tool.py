"""The jigsaw's tool: drags corners, flips tongues, drags their handles, selects, nudges."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from studio.base.amounts import listed, many
from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.view import ARROWS, Pointer, Tool
from studio.ui.kinds.jigsaw.selection import CATCH, JigsawMarks, Selection
from studio.ui.session.actions import Command
from studio.ui.session.document import Document

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.engravings import Engraved
    from studio.ui.kinds.jigsaw.gestures import Gesture, Grabbable, NodePlace, Nudges


ARRANGE = "&Arrange"
ALIGNED = {
    "left": tr("Align left"), "centre": tr("Align centres"), "right": tr("Align right"), "top": tr("Align top"),
    "middle": tr("Align middles"), "bottom": tr("Align bottom"),
}  # fmt: skip
DISTRIBUTED = {
    "across": tr("Distribute centres across"), "down": tr("Distribute centres down"),
    "gaps-across": tr("Equal gaps across"), "gaps-down": tr("Equal gaps down"),
}  # fmt: skip
ORDERED = {
    "front": (tr("Bring to front"), "Ctrl+Shift+]"), "forwards": (tr("Bring forward"), "Ctrl+]"),
    "backwards": (tr("Send backward"), "Ctrl+["), "back": (tr("Send to back"), "Ctrl+Shift+["),
}  # fmt: skip
ALIGN_HELP = tr("Line up the selected figures, or a single one with the board")
DISTRIBUTE_HELP = tr("Space out three or more selected figures evenly")
ORDER_HELP = tr("Where figures overlap, the one in front stays whole")


def arrange_commands(arrange: Callable[[str, str, str], object]) -> list[Command]:
    """Commands that align, distribute and reorder figures; `arrange` gets the words, the way and the kind of each."""
    needs, needs_three = tr("Select a figure"), tr("Select three figures")
    found = [
        Command(f"align_{way}", words, ARRANGE, partial(arrange, words, way, "align"), (), "", ALIGN_HELP, needs=needs)
        for way, words in ALIGNED.items()
    ]
    found += [
        Command(f"distribute_{way}", words, ARRANGE, partial(arrange, words, way, "distribute"), (), "",
                DISTRIBUTE_HELP, begins=way == "across", needs=needs_three)
        for way, words in DISTRIBUTED.items()
    ]  # fmt: skip
    return found + [
        Command(f"order_{way}", words, ARRANGE, partial(arrange, words, way, "order"), (key,), "", ORDER_HELP,
                on_canvas=True, begins=way == "front", needs=needs)
        for way, (words, key) in ORDERED.items()
    ]  # fmt: skip


def arrangeable(figures: int) -> dict[str, bool]:
    """Which of these commands are possible with a number of selected figures."""
    able = {f"align_{way}": figures > 0 for way in ALIGNED} | {f"order_{way}": figures > 0 for way in ORDERED}
    return able | {f"distribute_{way}": figures > 2 for way in DISTRIBUTED}


def nudge_of(event: QKeyEvent) -> tuple[float, float] | None:
    """Way in mm, right and down, that an arrow key moves the selection; longer with Shift, shorter with Ctrl."""
    arrow, keys = ARROWS.get(Qt.Key(event.key())), event.modifiers()
    if arrow is None:
        return None
    fine = 0.1 if keys & Qt.KeyboardModifier.ControlModifier else 1.0
    step = 10.0 if keys & Qt.KeyboardModifier.ShiftModifier else fine
    return arrow[1] * step, arrow[0] * step


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
    cut_shaped = Signal(str, int, object)
    """A handle of a drawn edge was dropped, or a node changed: brings the words, the edge and its new curve."""
    engraving_opened = Signal(str)
    """An engraving was double-clicked: brings its name."""

    def __init__(self, document: Document, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self.document = document
        self.selection = selection
        self.marks = JigsawMarks(canvas, selection)
        self._gesture: Gesture | None = None
        self._nudges: Nudges | None = None
        self._pointer: Pointer | None = None
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

    def _under(self, pointer: Pointer, *, beneath: bool = False) -> Grabbable:
        """The first thing under the mouse, or the first beneath the handles; loaded with the mouse's first move."""
        from studio.ui.kinds.jigsaw.gestures import ELEMENTS, GRABBABLES, grabbed

        return grabbed(self, pointer, ELEMENTS if beneath else GRABBABLES)

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Highlight the target of a click."""
        self._pointer = pointer
        found = self._under(pointer)
        self.marks.hover(found.corner, found.tongue)
        return found.cursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._pointer = None
        self.marks.hover(None, None)

    def pressed(self, pointer: Pointer) -> None:
        """Take what is under the mouse."""
        self.marks.show_found(None)
        self._gesture = self._under(pointer).press(pointer)

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
        """Flip the tongue, or open the engraving, under the mouse."""
        self._under(pointer).double_click()

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the element under the mouse, unless it is selected, and ask for the menu."""
        self._pointer = None
        found = self._under(pointer, beneath=True)
        if not found.is_selected and self._node_place(pointer) is None:
            found.select()
        self.menu_wanted.emit(pointer.screen)

    def _node_place(self, pointer: Pointer) -> NodePlace | None:
        """The place under the mouse on the selected drawn edge."""
        from studio.ui.kinds.jigsaw.gestures import node_place

        return node_place(self, pointer)

    def offers_at(self, pointer: Pointer) -> dict[str, Callable[[], object]]:
        """Offer to add a node to the selected drawn edge, or to remove the one under the mouse."""
        found = self._node_place(pointer)
        if found is None:
            return {}
        # Qt would let go of a bound method's object.
        return {tr("Add a node here") if found.node is None else tr("Remove the node"): partial(found.change)}

    def finding_at(self, pointer: Pointer, findings: Sequence[Finding]) -> Finding | None:
        """Return the finding of the loose line under the mouse."""
        if not self.shapes.design.loose:
            return None
        from studio.puzzles.jigsaw.model.drawn_cuts import loose_at

        name = loose_at(self.shapes, pointer.x, pointer.y, CATCH * pointer.pixel)
        return next((one for one in findings if name and one.kind == "loose-line" and one.cells == (name,)), None)

    def cancelled(self) -> bool:
        """Give up the gesture, or else the selection."""
        gesture, self._gesture = self._gesture, None
        if gesture is not None:
            gesture.cancel()
            return True
        self.marks.show_found(None)
        had = bool(self.selection)
        self.selection.select()
        return had

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Nudge the selection by arrow keys."""
        nudge, chosen = nudge_of(event), self.selection
        figures = chosen.only_figures
        is_any = chosen.corners or chosen.tongues or figures or chosen.engravings
        if nudge is None or not is_any or self._gesture is not None:
            return False
        if figures:
            self.figures_nudged.emit(*nudge)
        elif chosen.engravings:
            self.engraved.nudge(*nudge)
        else:
            self.nudge(*nudge)
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
            from studio.puzzles.jigsaw.tongues.values import grip

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
        """Remove the node under the mouse, or else reset the selected corners and tongues."""
        found = None if self._pointer is None else self._node_place(self._pointer)
        if found is not None and found.node is not None:
            found.change()
            return
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
        self.selection.select(tongues=self.shapes.tiling.inner_edges.tolist())
