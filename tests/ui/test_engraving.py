"""Engraving in the window: texts and drawings are added, changed and removed in a dialog, as one step."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLineEdit

from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.ui.kinds.jigsaw.engravings import EngraveDialog
from tests.classic import classic
from tests.ui.stage import Stage, staged

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="30mm"><path d="M0 0L40 40L0 40"/></svg>'
stage = staged(lambda folder: Stage(folder, JigsawDesign(classic(columns=4, rows=3, width=100, height=75))))


def design(stage: Stage) -> JigsawDesign:
    found = stage.window.document.design
    assert isinstance(found, JigsawDesign)
    return found


def write(dialog: EngraveDialog, text: str) -> None:
    """Type the text of the chosen engraving."""
    field = dialog.form.field("text")
    assert isinstance(field, QLineEdit)
    field.selectAll()
    if text.isascii():
        QTest.keyClicks(field, text)
    else:
        field.insert(text)
    QTest.keyClick(field, Qt.Key.Key_Tab)


def test_a_text_is_added_shown_and_undone_as_one_step(stage: Stage) -> None:
    shown = []

    def add(dialog: EngraveDialog) -> JigsawDesign:
        QTest.mouseClick(dialog.add_text, Qt.MouseButton.LeftButton)
        write(dialog, "For Ada")
        shown.append(stage.window.session.pipeline.shapes.whole)
        return dialog.request()

    stage.answers.on_engrave = add
    stage.extension.engrave()
    (one,) = design(stage).engravings
    assert (one.text, one.pose.x, one.pose.y) == ("For Ada", 50, 37.5)
    assert len(shown[0].strokes) > len(stage.window.session.pipeline.shapes.drawing.strokes), "the board shows it"
    stage.window.document.history.undo()
    assert design(stage).engravings == ()


def test_an_engraving_is_changed_or_removed_and_cancel_leaves_it(stage: Stage) -> None:
    before = design(stage).with_engraving(Engraving("text1", Pose(x=50, y=30, height=8), "Ada"))
    stage.window.document.edit("Engrave", before)

    def cancel(dialog: EngraveDialog) -> None:
        write(dialog, "Bob")
        assert dialog.design.engravings[0].text == "Bob"

    stage.answers.on_engrave = cancel
    stage.extension.engrave()
    assert design(stage) == before and stage.window.session.pipeline.shapes.design == before

    def remove(dialog: EngraveDialog) -> JigsawDesign:
        QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
        assert not dialog.form.isEnabled()
        return dialog.request()

    stage.answers.on_engrave = remove
    stage.extension.engrave()
    assert design(stage).engravings == ()


def test_a_drawing_is_added_and_what_cannot_be_engraved_is_told(stage: Stage, tmp_path: Path) -> None:
    logo = tmp_path / "logo.svg"
    logo.write_text(LOGO)

    def add(dialog: EngraveDialog) -> JigsawDesign:
        stage.answers.open = tmp_path / "nothing.svg"
        QTest.mouseClick(dialog.add_drawing, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: "nothing.svg" in dialog.problem.sentence.text())
        assert not dialog.design.engravings
        stage.answers.open = logo
        QTest.mouseClick(dialog.add_drawing, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: len(dialog.design.engravings) == 1)
        assert dialog.form.field("text").isHidden() or not dialog.form.field("text").isVisibleTo(dialog)
        QTest.mouseClick(dialog.add_text, Qt.MouseButton.LeftButton)
        write(dialog, "x\u0310")
        assert "has no" in dialog.problem.sentence.text()
        return dialog.request()

    stage.answers.on_engrave = add
    stage.extension.engrave()
    assert [one.name for one in design(stage).engravings] == ["drawing1", "text1"]
    assert design(stage).engravings[1].text == "Text", "what cannot be engraved changes nothing"


def test_a_text_in_outlines_has_a_font_of_the_list(stage: Stage) -> None:
    def add(dialog: EngraveDialog) -> JigsawDesign:
        QTest.mouseClick(dialog.add_text, Qt.MouseButton.LeftButton)
        write(dialog, "Ada")
        assert dialog.chooser is not None and not dialog.chooser.isVisibleTo(dialog)
        fonts = dialog.form.field("font")
        assert isinstance(fonts, QComboBox)
        fonts.setCurrentIndex(1)
        fonts.activated.emit(1)
        assert dialog.chooser.isVisibleTo(dialog)
        dialog.chooser.choose("DejaVu Sans Bold")
        bold = dialog.request().engravings[0]
        dialog.chooser.choose("No Such Font")
        assert dialog.problem.sentence.text().startswith("The text cannot be engraved: There is no font 'No Such Font'")
        assert dialog.request().engravings == (bold,), "nothing is lost"
        dialog.chooser.choose("DejaVu Sans Bold")
        write(dialog, "Al")
        return dialog.request()

    stage.answers.on_engrave = add
    stage.extension.engrave()
    (one,) = design(stage).engravings
    assert (one.text, one.font, one.typeface) == ("Al", "outline", "DejaVu Sans Bold")
    assert len(one.paths) == 3, "A, its counter, and l"
