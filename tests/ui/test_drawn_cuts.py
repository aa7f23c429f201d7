"""Drawn cuts in the window: imported, converted, clicked, flipped and given a style, by real events."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QDeadlineTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from tests.ui.stage import Stage, staged
from tests.ui.test_open_tabs import Studio

SMALL = JigsawDesign(JigsawParameters(width=120.0, height=90.0, columns=4, rows=3, seed=3))
PAGE = 'xmlns="http://www.w3.org/2000/svg" width="100mm" height="60mm" viewBox="0 0 100 60"'
stage = staged(lambda folder: Stage(folder, SMALL))
house = staged(Studio)


def press(stage: Stage, key: Qt.Key) -> None:
    QTest.keyClick(stage.window.canvas.view, key)
    stage.settle()


def test_a_pattern_is_imported_as_a_board_and_what_was_mended_is_said(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "pattern.svg"
    lines = "M0 0H100V60H0Z M50 0.02C60 20 40 40 50 60 M0 30H99.98 M20 5L30 12"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="{lines}"/></svg>')
    stage.answers.imports = [file]
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert stage.window.pipeline.shapes.drawing.pieces.names == ("A1", "B1", "A2", "B2")
    assert stage.document.path is None and stage.design.size == (100.0, 60.0)
    tiling = stage.window.form.field("tiling")
    assert isinstance(tiling, QComboBox) and tiling.currentText() == "Drawn cuts"
    assert not stage.window.form.field("columns").isVisible() and stage.window.form.field("width").isVisible()


def test_what_was_mended_in_an_imported_pattern_is_said_in_its_tab(house: Studio, tmp_path: Path) -> None:
    file = tmp_path / "pattern.svg"
    lines = "M0 0H100V60H0Z M50 0.03L50 60 M20 5L30 12"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="{lines}"/></svg>')
    house.house._read([file])
    deadline = QDeadlineTimer(30_000)
    while len(house.titles) < 2 and not deadline.hasExpired():
        QTest.qWait(5)
    notice = house.desk.window.notices.notice()
    assert notice is not None and notice.sentence == (
        "Closed 1 gap, the largest 0.03 mm wide. Left out 1 line with a loose end: 20.0, 5.0 mm. The nearest other "
        "line is 5.00 mm away; gaps up to 0.05 mm are closed."
    )


def test_a_board_is_converted_and_one_undo_brings_it_back(stage: Stage) -> None:
    before, lengths = stage.bytes, stage.shapes.drawing.strokes.lengths.sum()
    stage.window.actions_["convert"].trigger()
    stage.settle()
    assert stage.design.parameters.tiling == "drawn" and stage.document.history.undoText() == "Convert to drawn cuts"
    assert stage.shapes.drawing.strokes.lengths.sum() == pytest.approx(lengths, abs=1e-3)
    stage.window.actions_["undo"].trigger()
    assert stage.bytes == before


def test_a_drawn_cut_is_selected_mirrored_given_a_style_and_reset(stage: Stage) -> None:
    stage.window.actions_["convert"].trigger()
    stage.settle()
    converted = stage.design
    edge = int(np.flatnonzero(stage.shapes.tiling.bows)[4])
    curve = stage.shapes.drawing.strokes[edge]
    stage.click(stage.at(*curve[len(curve) // 2].tolist()))
    assert stage.extension.selection.tongues == {edge}
    assert not any(item.isVisible() for item in stage.extension.tool.marks.handles.values())
    inspector = stage.extension.inspector
    assert inspector is not None
    assert "As drawn; a style replaces it." in [each.text() for each in inspector.findChildren(QLabel)]
    press(stage, Qt.Key.Key_F)
    assert stage.shapes.drawing.strokes[edge] != pytest.approx(curve) and stage.shapes.drawn[edge]
    press(stage, Qt.Key.Key_P)
    assert stage.shapes.plain[edge]
    press(stage, Qt.Key.Key_Backspace)
    assert stage.design == converted and stage.shapes.drawing.strokes[edge] == pytest.approx(curve)
