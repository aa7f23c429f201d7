"""Lining up with a print in the window: offsets are typed or found in a picture, and the export follows them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit

from studio.fabricate.alignment import Alignment
from studio.fabricate.making import Making
from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.ui.panels.alignment_dialog import DOWN, RIGHT, AlignmentDialog
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.panels.send_dialog import SendDialog
from tests.export.test_print import photograph
from tests.fabricate.photographs import Shot, photographed, printed
from tests.ui.stage import KindStage

MAKING = Making(marks="targets", mark_size=8.0, bleed=2.0)


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[KindStage]:
    parameters = JigsawParameters(columns=4, rows=3, width=100.0, height=75.0, perturbation=0.05)
    design = JigsawDesign(parameters, picture=BoardPicture(photograph(40.0, 30.0), PNG))
    made = KindStage(tmp_path, JIGSAW, design)
    made.window.session.preferences.set_making_values(asdict(MAKING))
    yield made
    made.close()


def line_up(stage: KindStage, act: Any) -> list[ExportRequest]:
    """Choose the menu entry, act in the dialog, and return what the export then asks for."""
    exports: list[ExportRequest] = []
    acted: list[bool] = []

    def on_line_up(dialog: AlignmentDialog) -> tuple[Alignment, ...] | None:
        dialog.show()
        assert stage.wait_for(lambda: dialog.sheets.answer is not None)
        found: tuple[Alignment, ...] | None = act(dialog)
        dialog.close()
        acted.append(True)
        return found

    def at_export(dialog: ExportDialog) -> None:
        dialog.show()
        assert stage.wait_for(lambda: dialog.trial.outcome is not None)
        exports.append(dialog.request())
        assert dialog.outcome.alignment.text().startswith("Aligned with the print")
        assert not any(remark.isVisible() for remark in dialog.outcome.notes)
        dialog.reject()

    stage.answers.on_line_up = on_line_up
    stage.answers.at_export = at_export
    stage.window.actions_["line_up"].trigger()
    assert stage.wait_for(lambda: bool(acted))
    return exports


def enter(dialog: AlignmentDialog, row: int, column: int, text: str) -> None:
    """Type into a cell of the table, as a maker does."""
    spot = dialog.table.visualRect(dialog.model.index(row, column)).center()
    QTest.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    QTest.mouseDClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=spot)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    editor.selectAll()
    QTest.keyClicks(editor, text)
    QTest.keyClick(editor, Qt.Key.Key_Return)
    # Qt carries the entry out afterwards.
    QApplication.processEvents()


def test_typed_offsets_are_judged_at_once_and_go_to_the_export(stage: KindStage) -> None:
    def act(dialog: AlignmentDialog) -> tuple[Alignment, ...]:
        assert dialog.model.rowCount() == 8 and not dialog.go.isEnabled()
        enter(dialog, 0, RIGHT, "0.5")
        enter(dialog, 0, DOWN, "much")
        assert "Enter an offset" in dialog.refusal.sentence.text()
        for row in range(4):
            enter(dialog, 2 * row, RIGHT, "0.5")
            enter(dialog, 2 * row, DOWN, "-0,2")
        assert dialog.go.isEnabled() and "residue 0.00 mm" in dialog.outcome.sentence.text()
        enter(dialog, 2, RIGHT, "9")
        assert not dialog.go.isEnabled() and dialog.refusal.sentence.text()
        QTest.mouseClick(dialog.clear, Qt.MouseButton.LeftButton)
        assert dialog.model.known == {} and not dialog.go.isEnabled()
        for row in range(8):
            enter(dialog, row, RIGHT, "0.5")
            enter(dialog, row, DOWN, "-0.2")
        return dialog.request()

    (request,) = line_up(stage, act)
    assert request.made is not None and request.made.alignment.startswith("Aligned with the print by 8 marks")
    assert [each.source for each in request.alignments] == ["typed"]


def test_the_alignment_is_a_fact_of_the_export_and_is_sent_on_wish(stage: KindStage, tmp_path: Path) -> None:
    """The dialog lists it among the figures, and Send moves the cuts by it and says so in the project."""

    def act(dialog: AlignmentDialog) -> tuple[Alignment, ...]:
        for row in range(8):
            enter(dialog, row, RIGHT, "0.5")
            enter(dialog, row, DOWN, "-0.2")
        return dialog.request()

    (request,) = line_up(stage, act)
    (found,) = request.alignments
    assert request.made is not None and request.made.notes == ()
    (tmp_path / "print.json").write_text(found.text())
    (tmp_path / "other.json").write_text("{}")
    stage.answers.on_line_up = lambda dialog: None
    acted: list[Any] = []

    def on_send(dialog: SendDialog) -> None:
        dialog.show()
        box = dialog.line_up
        made = []
        for choice, file in (("none", ""), ("measured", ""), ("ask", "other.json"), ("ask", "print.json")):
            stage.answers.open = tmp_path / file
            box.setCurrentIndex(box.findData(choice))
            box.activated.emit(box.currentIndex())
            assert stage.wait_for(lambda: dialog.sheets.answer is not None)
            assert dialog.go.isEnabled() != bool(box.problem)
            if not box.problem:
                made.append(dialog.request())
        stage.answers.open, kept = None, box.alignments
        box.setCurrentIndex(box.findData("ask"))
        box.activated.emit(box.currentIndex())
        assert kept and box.alignments is kept, "a cancelled choice keeps the one before"
        assert "With the print in print.json" in box.currentText() and box.itemData(0) == "none"
        assert dialog.alignment.sentence.text().startswith("Aligned with the print by 8 marks")
        acted.append(made)
        dialog.reject()

    stage.answers.on_send = on_send
    stage.window.actions_["send"].trigger()
    assert stage.wait_for(lambda: bool(acted))
    plain, measured, filed = acted[0]
    moved = [each.made.sheets[0].strokes.points - plain.made.sheets[0].strokes.points for each in (measured, filed)]
    assert all(np.abs(each - (0.5, -0.2)).max() < 0.01 for each in moved)
    assert plain.options.run.note == "" and filed.options.run.note.startswith("Aligned with the print by 8 marks")


def test_a_photograph_fills_the_table_and_a_wrong_one_is_refused(stage: KindStage, tmp_path: Path) -> None:
    sheet = printed(tmp_path, 4, 3, 8.0)
    shot = Shot(pixels=(1500, 1125), tilt=12, roll=180)
    Image.fromarray(photographed(sheet, np.eye(2), np.array([0.5, -0.25]), shot)).save(tmp_path / "photo.png")
    Image.new("L", (300, 200), 180).save(tmp_path / "grey.png")

    def act(dialog: AlignmentDialog) -> tuple[Alignment, ...]:
        stage.answers.open = tmp_path / "grey.png"
        QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: not dialog.is_working)
        assert "printed marks" in dialog.problem.sentence.text() and not dialog.go.isEnabled()
        stage.answers.open = tmp_path / "photo.png"
        QTest.mouseClick(dialog.read, Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: not dialog.is_working)
        assert len(dialog.model.known) >= 5 and dialog.go.isEnabled()
        for right, down in dialog.model.known.values():
            assert (right, down) == pytest.approx((0.5, -0.25), abs=0.03)
        return dialog.request()

    (request,) = line_up(stage, act)
    assert [each.source for each in request.alignments] == ["photo"] and request.made is not None


def test_without_marks_the_dialog_says_what_to_choose(stage: KindStage) -> None:
    stage.window.session.preferences.set_making_values(asdict(Making()))

    def act(dialog: AlignmentDialog) -> None:
        assert "no registration marks" in dialog.refusal.sentence.text()
        assert not dialog.read.isEnabled() and not dialog.go.isEnabled()

    assert line_up(stage, act) == []
