"""Several engravings at once, their page in the inspector, and their dialog at a double click."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from studio.puzzles.jigsaw.figures.whimsies import together
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.engravings import BACK, FACE
from studio.ui.kinds.jigsaw.engravings import EngraveDialog, EngravingPage
from tests.classic import classic
from tests.ui.stage import staged
from tests.ui.test_engraving_drags import BOX, TEXT, EngravingStage

SHIFT = Qt.KeyboardModifier.ShiftModifier
stage = staged(
    lambda folder: EngravingStage(
        folder, JigsawDesign(classic(columns=4, rows=2, width=200, height=120), engravings=(BOX, TEXT))
    )
)


def page(stage: EngravingStage) -> EngravingPage:
    """The page that the inspector shows."""
    stage.settle()
    shown = stage.window.findChild(EngravingPage)
    assert shown is not None and shown.isVisibleTo(stage.window)
    return shown


def enter(stage: EngravingStage, name: str, value: str) -> None:
    field = page(stage).form.field(name)
    line = field.findChild(QLineEdit) or field
    line.setFocus()
    QTest.keySequence(line, "Ctrl+A")
    QTest.keyClicks(line, value)
    QTest.keyClick(line, Qt.Key.Key_Return)
    stage.settle()


def select_both(stage: EngravingStage) -> None:
    stage.click(stage.line())
    stage.click(stage.line("drawing1"), SHIFT)
    assert {one.name for one in stage.extension.selection.engravings} == {"text1", "drawing1"}


def distances(stage: EngravingStage) -> float:
    one, other = stage.pose("text1"), stage.pose("drawing1")
    return math.dist((one.x, one.y), (other.x, other.y))


def test_the_page_shows_the_numbers_of_one_and_changes_them(stage: EngravingStage) -> None:
    stage.click(stage.line())
    shown = page(stage)
    assert shown.title.text() == "Engraving “HELLO”"
    enter(stage, "x", "80")
    enter(stage, "turn", "30")
    enter(stage, "height", "20")
    assert (stage.pose().x, stage.pose().turn, stage.pose().height) == (80.0, 30.0, 20.0)
    enter(stage, "text", "BYE")
    assert stage.design.engravings[1].text == "BYE" and shown.title.text() == "Engraving “BYE”"
    side = shown.form.field("side")
    box = side if isinstance(side, QComboBox) else side.findChild(QComboBox)
    assert box is not None
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    assert stage.design.engravings[1].side == BACK and len(stage.steps) == 5
    stage.document.history.undo()
    assert stage.design.engravings[1].side == FACE and box.currentText() == "Face"


def test_a_text_that_cannot_be_engraved_is_refused_and_the_field_shows_the_old_one(stage: EngravingStage) -> None:
    before = stage.bytes
    stage.click(stage.line())
    enter(stage, "text", " ")
    assert stage.bytes == before and "Enter a text" in stage.posted()
    line = page(stage).form.field("text")
    assert isinstance(line, QLineEdit) and line.text() == "HELLO"


def test_a_drawing_has_no_text_and_no_selection_shows_the_board(stage: EngravingStage) -> None:
    stage.click(stage.line("drawing1"))
    form = page(stage).form
    assert not form.field("text").isVisibleTo(form) and form.field("height").isVisibleTo(form)
    stage.click(stage.at(20.0, 100.0))
    stage.settle()
    assert not form.isVisibleTo(stage.window)


def test_several_move_scale_and_rotate_together_as_one_step_each(stage: EngravingStage) -> None:
    select_both(stage)
    apart, heights = distances(stage), (stage.pose("text1").height, stage.pose("drawing1").height)
    start = stage.at(60.0, 60.0)
    stage.drag(start, start + QPoint(30, 20))
    assert distances(stage) == pytest.approx(apart) and stage.pose("drawing1").x > 150.0
    corner = stage.handle(2)
    stage.drag(corner, corner + QPoint(60, 40))
    share = stage.pose("text1").height / heights[0]
    assert share > 1.05 and stage.pose("drawing1").height / heights[1] == pytest.approx(share)
    assert distances(stage) == pytest.approx(share * apart, rel=1e-3)
    around = together(stage.extension.selection.engravings)
    assert around is not None
    middle, knob = stage.at(around.pose.x, around.pose.y), stage.handle(4)
    stage.drag(knob, QPoint(middle.x() + 100, middle.y()), SHIFT)
    assert (stage.pose("text1").turn, stage.pose("drawing1").turn) == (90.0, 90.0)
    assert distances(stage) == pytest.approx(share * apart, rel=1e-3)
    assert stage.steps == ["Move 2 engravings", "Scale 2 engravings", "Rotate 2 engravings"]
    for _ in range(3):
        stage.document.history.undo()
    assert stage.design.engravings == (BOX, TEXT)


def test_values_of_several_are_those_of_all_and_keys_work_on_all(stage: EngravingStage) -> None:
    select_both(stage)
    shown, before = page(stage), stage.pose("text1")
    assert shown.title.text() == "2 engravings selected"
    assert not shown.form.field("height").isVisibleTo(shown.form) and shown.form.field("side").isVisibleTo(shown.form)
    around = together(stage.extension.selection.engravings)
    assert around is not None
    enter(stage, "y", f"{around.pose.y + 7:.1f}")
    assert stage.pose("text1").y - before.y == pytest.approx(7.0, abs=0.06)
    assert [one.side for one in stage.design.engravings] == [BACK, FACE], "only what was entered is changed"
    actions, view = stage.window.actions_, stage.window.canvas.view
    view.setFocus()
    QTest.keySequence(view, "Ctrl+D")
    assert [one.name for one in stage.design.engravings] == ["drawing1", "drawing2", "text1", "text2"]
    assert {one.name for one in stage.extension.selection.engravings} == {"drawing2", "text2"}
    assert stage.pose("text2").x == stage.pose("text1").x + 10.0
    actions["mirror_figure"].trigger()
    actions["mirror_figure"].trigger()
    assert stage.pose("text2").x == pytest.approx(stage.pose("text1").x + 10.0)
    QTest.keyClick(view, Qt.Key.Key_Delete)
    assert [one.name for one in stage.design.engravings] == ["drawing1", "text1"]
    stage.click(stage.line())
    QTest.keySequence(view, "Ctrl+A")
    assert len(stage.extension.selection.engravings) == 2
    stage.click(stage.line(), Qt.KeyboardModifier.ControlModifier)
    assert stage.selected == "drawing1"


def test_two_sides_are_shown_as_several_until_one_is_chosen(stage: EngravingStage) -> None:
    select_both(stage)
    side = page(stage).form.field("side")
    assert isinstance(side, QComboBox) and side.currentIndex() == -1 and side.placeholderText() == "Several"
    for _ in range(2):
        side.setFocus()
        QTest.keyClick(side, Qt.Key.Key_Down)
        stage.settle()
        assert len({one.side for one in stage.design.engravings}) == 1 and side.currentIndex() >= 0
    for _ in range(2):
        stage.document.history.undo()
    assert side.currentIndex() == -1


def test_a_double_click_opens_the_dialog_at_that_engraving(stage: EngravingStage) -> None:
    opened = []

    def look(dialog: EngraveDialog) -> JigsawDesign:
        opened.append(dialog.chosen)
        return dialog.request()

    stage.answers.on_engrave = look
    stage.double_click(stage.line())
    stage.double_click(stage.line("drawing1"))
    assert opened == [TEXT, BOX]
    QTest.mouseClick(page(stage).edit, Qt.MouseButton.LeftButton)
    assert opened[2:] == [BOX]


def test_a_problem_of_an_engraving_selects_it_and_is_marked(stage: EngravingStage) -> None:
    stage.document.edit("Away", stage.design.with_engraving(TEXT.at(TEXT.pose.__class__(x=5.0, y=60.0, height=14.0))))
    stage.window.pipeline.finish()
    (finding,) = [one for one in stage.window.findings.model.elements if one.kind == "engraving"]
    assert finding.is_marked
    stage.extension.show_finding(finding)
    assert stage.selected == "text1"
