"""Engravings on the canvas by real mouse and key events: each gesture is one step of the history."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from studio.puzzles.jigsaw.figures.whimsies import Pose, frame, frames
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.engravings import BACK, Engraving
from tests.classic import classic
from tests.ui.stage import Stage, staged

TEXT = Engraving("text1", Pose(x=60.0, y=60.0, height=14.0), "HELLO")
BOX = Engraving(
    "drawing1", Pose(x=150.0, y=60.0, height=20.0), side=BACK,
    paths=(((-0.5, -0.5), (0.0, -0.5), (0.0, -0.5), (0.5, -0.5), (0.5, 0.0), (0.5, 0.0), (0.5, 0.5)),),
)  # fmt: skip


class EngravingStage(Stage):
    """A window on a jigsaw with two engravings."""

    def pose(self, name: str = "text1") -> Pose:
        return next(one.pose for one in self.design.engravings if one.name == name)

    def line(self, name: str = "text1") -> QPoint:
        """A place on a line of an engraving."""
        one = next(one for one in self.design.engravings if one.name == name)
        x, y = one.on_board.flattened(0.1).points[1].tolist()
        return self.at(x, y)

    @property
    def selected(self) -> str:
        chosen = self.extension.selection.engravings
        return chosen[0].name if len(chosen) == 1 else ""

    def handle(self, number: int) -> QPoint:
        """Where a handle of the frame is on the canvas."""
        item = self.extension.tool.marks.frame.handles[number]
        assert item.isVisible()
        return self.window.canvas.view.mapFromScene(item.pos())

    @property
    def steps(self) -> list[str]:
        history = self.document.history
        return [history.text(at) for at in range(history.count())]


stage = staged(
    lambda folder: EngravingStage(
        folder, JigsawDesign(classic(columns=4, rows=2, width=200, height=120), engravings=(BOX, TEXT))
    )
)


def test_a_low_text_has_handles_and_one_too_small_for_them_a_frame_still(stage: EngravingStage) -> None:
    view, marks = stage.window.canvas.view, stage.extension.tool.marks
    stage.click(stage.line())
    view.zoom_by(24 / 14 / view.zoom)
    stage.settle()
    low, high = stage.handle(0), stage.handle(3)
    assert high.y() - low.y() == pytest.approx(24, abs=2), "as low as a text of 12 mm on a board that fits the window"
    stage.drag(stage.handle(4), stage.handle(4) + QPoint(60, 10))
    assert stage.pose().turn > 0 and stage.steps[-1] == "Rotate engraving"
    view.zoom_by(8 / 14 / view.zoom)
    stage.settle()
    assert not any(one.isVisible() for one in marks.frame.handles)
    assert marks.frame.lines.isVisible() and marks.frame.lines.boundingRect().width() > 30
    stage.key(Qt.Key.Key_Escape)
    assert marks.frame.lines.boundingRect().isEmpty()


def test_a_drag_of_a_line_moves_the_engraving_as_one_step(stage: EngravingStage) -> None:
    start, before = stage.line(), stage.pose()
    stage.hover(start)
    assert stage.window.canvas.view.viewport().cursor().shape() is Qt.CursorShape.SizeAllCursor
    stage.press(start)
    for step in range(1, 5):
        stage.move(start + QPoint(20 * step, -8 * step))
        assert stage.shapes.design.engravings[1].pose.x > before.x
        assert stage.steps == [] and stage.design.engravings[1] is TEXT
    stage.release(start + QPoint(80, -32))
    pixel = 1 / stage.window.canvas.view.zoom
    assert stage.pose().x == pytest.approx(before.x + 80 * pixel, abs=0.01)
    assert stage.pose().y == pytest.approx(before.y - 32 * pixel, abs=0.01)
    assert (stage.selected, stage.steps) == ("text1", ["Move engraving"])
    stage.document.history.undo()
    assert stage.pose() == before and stage.selected == "text1"


def test_the_selected_engraving_is_taken_anywhere_in_its_frame_and_stays_on_the_board(stage: EngravingStage) -> None:
    stage.click(stage.line())
    assert stage.selected == "text1" and stage.steps == []
    inside = stage.at(60.0 - 0.35 * TEXT.width * 14.0 / 2 + 1.0, 60.0 + 5.0)
    stage.drag(inside, inside + QPoint(4000, 0))
    assert stage.pose().x == pytest.approx(200.0) and stage.pose().y == pytest.approx(60.0)
    stage.click(stage.at(20.0, 100.0))
    assert stage.selected == ""


def test_shift_keeps_to_an_axis_and_escape_puts_everything_back(stage: EngravingStage) -> None:
    start = stage.line()
    stage.press(start)
    stage.move(start + QPoint(40, 10), keys=Qt.KeyboardModifier.ShiftModifier)
    assert stage.shapes.design.engravings[1].pose.y == TEXT.pose.y != stage.shapes.design.engravings[1].pose.x
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_Escape)
    stage.release(start + QPoint(40, 10))
    assert stage.shapes.design.engravings[1].pose == TEXT.pose and stage.steps == []


def test_a_corner_of_the_frame_scales_and_the_opposite_one_stays(stage: EngravingStage) -> None:
    stage.click(stage.line("drawing1"))
    still = frame(stage.design.engravings[0])[0]
    corner = stage.handle(2)
    stage.drag(corner, corner + QPoint(60, 60))
    assert stage.pose("drawing1").height > 25.0 and stage.steps == ["Scale engraving"]
    assert frame(stage.design.engravings[0])[0] == pytest.approx(still, abs=0.01)
    assert stage.design.engravings[1] == TEXT


def test_the_knob_rotates_with_shift_in_steps(stage: EngravingStage) -> None:
    stage.click(stage.line())
    knob, middle = stage.handle(4), stage.at(60.0, 60.0)
    far = QPoint(middle.x() + 100, middle.y() - 8)
    stage.drag(knob, far)
    expected = math.degrees(math.atan2(far.y() - middle.y(), far.x() - middle.x())) + 90.0
    assert stage.pose().turn == pytest.approx(expected, abs=1.5)
    knob = stage.handle(4)
    stage.drag(knob, QPoint(middle.x() + 100, middle.y() + 20), Qt.KeyboardModifier.ShiftModifier)
    assert stage.pose().turn % 15.0 == 0 and stage.steps == ["Rotate engraving"] * 2


def test_arrow_keys_nudge_and_a_run_of_them_is_one_step(stage: EngravingStage) -> None:
    stage.click(stage.line())
    view = stage.window.canvas.view
    for _ in range(3):
        QTest.keyClick(view, Qt.Key.Key_Right)
    QTest.keyClick(view, Qt.Key.Key_Up, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClick(view, Qt.Key.Key_Down, Qt.KeyboardModifier.ControlModifier)
    assert [stage.pose().x, stage.pose().y] == pytest.approx([63.0, 50.1])
    assert stage.steps == ["Nudge engraving"]


def test_commands_rotate_mirror_and_remove_the_selected_engraving(stage: EngravingStage) -> None:
    actions = stage.window.actions_
    assert not actions["mirror_figure"].isEnabled() and not actions["remove_figure"].isEnabled()
    stage.click(stage.line())
    actions["turn_figure_right"].trigger()
    actions["mirror_figure"].trigger()
    assert (stage.pose().turn, stage.pose().is_mirrored) == (15.0, True)
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_Delete)
    assert [one.name for one in stage.design.engravings] == ["drawing1"] and stage.selected == ""
    assert stage.steps == ["Rotate engraving", "Mirror engraving", "Remove engraving"]
    stage.document.history.undo()
    assert stage.design.engravings[1].text == "HELLO"


def test_a_box_adds_engravings_to_selected_ones_and_takes_them_alone_where_there_is_nothing_else(
    stage: EngravingStage,
) -> None:
    chosen = stage.extension.selection
    stage.click(stage.line())
    stage.drag(stage.at(-8.0, -8.0), stage.at(208.0, 128.0), Qt.KeyboardModifier.ShiftModifier)
    assert [one.name for one in chosen.engravings] == ["drawing1", "text1"]
    stage.drag(stage.at(120.0, -8.0), stage.at(208.0, 128.0), Qt.KeyboardModifier.ControlModifier)
    assert stage.selected == "text1"
    # Without a key the cuts within it come first, and engravings where there are none.
    stage.drag(stage.at(-8.0, -8.0), stage.at(208.0, 128.0))
    assert chosen.tongues and not chosen.engravings
    small = replace(BOX, pose=Pose(x=25.0, y=30.0, height=8.0))
    stage.document.edit("Smaller", stage.design.with_engraving(small))
    stage.drag(stage.at(14.0, 22.0), stage.at(36.0, 40.0))
    assert stage.selected == "drawing1" and not chosen.tongues


def test_corners_come_before_engravings_and_a_double_click_flips_nothing(stage: EngravingStage) -> None:
    before = stage.bytes
    stage.double_click(stage.line())
    assert stage.bytes == before and stage.selected == "text1"
    corner = int(stage.shapes.tiling.movable[0])
    stage.click(stage.at(*stage.shapes.corners[corner].tolist()))
    assert stage.extension.selection.corners == {corner} and stage.selected == ""


def test_a_place_is_in_a_frame_as_it_is_turned() -> None:
    turned = TEXT.at(Pose(x=60.0, y=60.0, height=14.0, turn=90.0))
    half = TEXT.width * 14.0 / 2
    assert frames(TEXT, 60.0 + 0.9 * half, 60.0) and not frames(TEXT, 60.0, 60.0 + 0.9 * half)
    assert frames(turned, 60.0, 60.0 + 0.9 * half) and not frames(turned, 60.0 + 0.9 * half, 60.0)
    assert turned.strokes is TEXT.strokes and turned != TEXT and turned.reaches(60.0, 60.0 + half, 8.0)


def test_the_mirror_handle_of_an_engraving_mirrors_it_in_its_own_frame(stage: EngravingStage) -> None:
    before = stage.pose("drawing1")
    stage.click(stage.line("drawing1"))
    place = stage.handle(5)
    stage.click(place)
    assert stage.pose("drawing1") == replace(before, is_mirrored=not before.is_mirrored)
    stage.drag(stage.handle(5), stage.at(before.x, before.y) * 2 - place)
    assert stage.pose("drawing1") == before
    assert stage.steps == ["Mirror engraving", "Mirror engraving"]
