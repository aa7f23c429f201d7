"""Drop-outs in the window: pieces left open by a key, seen as holes, and cut again."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.widgets.theme import current_theme
from tests.ui.stage import Stage, staged

SMALL = JigsawDesign(JigsawParameters(width=120.0, height=90.0, columns=4, rows=3, seed=3))
stage = staged(lambda folder: Stage(folder, SMALL))


def test_a_piece_is_left_open_and_cut_again_by_a_key(stage: Stage) -> None:
    before, place = stage.bytes, stage.at(45.0, 45.0)
    stage.click(place)
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_O)
    assert stage.wait_for(lambda: stage.design.dropped == ("B2",))
    assert stage.document.history.undoText() == "Drop out 1 piece"
    assert "11 pieces" in stage.extension.describe(stage.design.parameters)["Pieces"]
    stage.extension.selection.select()
    stage.settle()
    image = stage.window.canvas.view.viewport().grab().toImage()
    ratio = image.devicePixelRatio()
    shown = image.pixelColor(int(place.x() * ratio), int(place.y() * ratio))
    assert shown.rgb() == current_theme().canvas.rgb()
    stage.click(place)
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_O)
    assert stage.wait_for(lambda: not stage.design.dropped)
    assert stage.document.history.undoText() == "Cut 1 piece again" and stage.bytes == before
