"""`Variants…`: a grid of the design with two parameters apart, of which one is taken."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.panels.variants import VariantsDialog
from tests.ui.stage import Stage

BOARD = JigsawDesign(JigsawParameters(columns=4, rows=3, width=100.0, height=75.0))


def test_a_variant_is_chosen_and_taken_as_one_step(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, BOARD)
    stage.answers.save = tmp_path / "grid.png"
    seen: list[str] = []

    def choose(dialog: VariantsDialog) -> Any:
        dialog.show()
        assert stage.wait_for(lambda: len(dialog.cells) == 9)
        assert dialog.chosen is dialog.cells[4] and not dialog.use.isEnabled()
        dialog.save.click()
        dialog.across.values.setText("0.2, 0.25, 0.3, 0.35, 0.4")
        dialog.down.choice.setCurrentIndex(0)
        assert stage.wait_for(lambda: len(dialog.cells) == 5)
        QTest.mouseClick(dialog.cells[3], Qt.MouseButton.LeftButton)
        assert dialog.chosen is dialog.cells[3] and dialog.use.isEnabled()
        seen.append(dialog.cells[3].accessibleName())
        found = dialog.request()
        dialog.hide()
        return found

    stage.answers.on_variants = choose
    stage.window.actions_["variants"].trigger()
    assert stage.design.parameters.tongue_size == 0.35 and seen[0].startswith("Size: 0.35, ")
    assert stage.document.history.undoText() == "Use variant Size: 0.35" and stage.document.history.count() == 1
    stage.document.history.undo()
    assert stage.design == BOARD
    with Image.open(tmp_path / "grid.png") as image:
        assert image.size[0] == 4000
    stage.close()


def test_values_that_cannot_be_are_told_and_the_last_grid_stays(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, BOARD)

    def spoil(dialog: VariantsDialog) -> Any:
        dialog.show()
        assert stage.wait_for(lambda: len(dialog.cells) == 9)
        for words in ("0.2, x", "9", "", ",", "1,2,3,4,5,6"):
            dialog.across.values.setText(words)
            assert stage.wait_for(lambda: bool(dialog.remark.sentence.text()))
            assert len(dialog.cells) == 9
        dialog.across.values.setText("0.2")
        assert stage.wait_for(lambda: len(dialog.cells) == 3)
        assert not dialog.remark.sentence.text()
        dialog.reject()
        return None

    stage.answers.on_variants = spoil
    stage.window.actions_["variants"].trigger()
    assert stage.design == BOARD and stage.document.history.count() == 0
    stage.close()
