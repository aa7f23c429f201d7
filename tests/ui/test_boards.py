"""Boards of other tilings and outlines in the window: pieces merged and split, corners slid, outlines imported."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.ui.panels.drawing_import import DrawingDialog, Looked
from tests.ui.stage import NO_KEY, Stage, staged

SHIFT = Qt.KeyboardModifier.ShiftModifier
HEXAGONS = JigsawDesign(JigsawParameters(tiling="hexagons", outline="ellipse", columns=8, rows=6))
stage = staged(lambda folder: Stage(folder, HEXAGONS))


def middle_of(stage: Stage, piece: int) -> tuple[float, float]:
    x, y, _radius = stage.shapes.tiling.incentres[piece].tolist()
    return x, y


def press(stage: Stage, key: Qt.Key, shift: bool = False) -> None:
    stage.window.canvas.view.setFocus()
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key, Qt.KeyboardModifier.ShiftModifier if shift else Qt.KeyboardModifier.NoModifier)
    stage.settle()


def test_two_neighbouring_pieces_are_merged_and_split_again(stage: Stage) -> None:
    tiling = stage.shapes.tiling
    cut = int(tiling.graph.inner_edges[len(tiling.graph.inner_edges) // 2])
    one, other = tiling.graph.sides[cut].tolist()
    stage.click(stage.at(*middle_of(stage, one)))
    stage.click(stage.at(*middle_of(stage, other)), Qt.KeyboardModifier.ShiftModifier)
    assert stage.extension.selection.pieces == {one, other}
    press(stage, Qt.Key.Key_M)
    assert stage.design.merged == (tiling.edge_name(cut),)
    assert stage.shapes.tiling.graph.face_count == tiling.graph.face_count - 1
    assert stage.document.history.undoText() == "Merge 2 pieces"
    assert len(stage.extension.selection.pieces) == 1
    press(stage, Qt.Key.Key_M, shift=True)
    assert stage.design == HEXAGONS
    press(stage, Qt.Key.Key_Escape)
    press(stage, Qt.Key.Key_M)
    assert stage.design == HEXAGONS


def test_edits_that_a_merge_or_fewer_rows_drop_are_named_and_come_back(stage: Stage) -> None:
    tiling = stage.shapes.tiling
    cut = int(tiling.graph.inner_edges[len(tiling.graph.inner_edges) // 2])
    name = tiling.edge_name(cut)
    edited = HEXAGONS.with_tongues([TongueEdit(name, side=1)])
    stage.document.edit("Flip", edited)
    stage.settle()
    for place, keys in zip(tiling.graph.sides[cut].tolist(), (NO_KEY, SHIFT), strict=True):
        stage.click(stage.at(*middle_of(stage, place)), keys)
    press(stage, Qt.Key.Key_M)
    assert stage.design.merged == (name,) and stage.design.tongues == ()
    sentence = f"Edits that no longer fit were dropped: tongue {name}. Undo restores them."
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == sentence and notice.action is not None
    notice.action.do()
    assert stage.design == edited
    stage.window.form.edited.emit("Change rows", replace(edited.parameters, rows=2), None)
    stage.settle()
    assert stage.design.tongues == () and stage.posted() == sentence


def test_a_corner_slides_round_an_ellipse(stage: Stage) -> None:
    tiling = stage.shapes.tiling
    corner = int(np.flatnonzero(tiling.tracks >= 0)[0])
    begin = stage.shapes.corners[corner]
    centre = np.array([150.0, 75.0])
    away = begin - centre
    turned = centre + np.array([away[0] * 0.995 - away[1] * 0.2, away[1] * 0.995 + away[0] * 0.05])
    stage.drag(stage.at(*begin.tolist()), stage.at(*turned.tolist()))
    reached = stage.shapes.corners[corner]
    assert np.hypot(*(reached - begin)) > 2.0
    assert ((reached - centre) / centre) @ ((reached - centre) / centre) == pytest.approx(1.0, abs=1e-3)


def test_an_outline_is_imported_and_its_unit_is_asked_for(stage: Stage, tmp_path: Path) -> None:
    path = tmp_path / "plate.svg"
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg"><rect width="12" height="9" rx="2"/></svg>')
    asked: list[str] = []

    def choose(dialog: DrawingDialog) -> Looked:
        asked.append(dialog.unit.currentData())
        dialog.unit.setCurrentIndex(dialog.unit.findData("cm"))
        assert stage.wait_for(lambda: dialog.use.isEnabled() and "120" in dialog.size_label.text())
        return dialog.request()

    stage.answers.on_drawing = choose
    stage.extension.outlining.read(path)
    assert stage.wait_for(lambda: stage.design.parameters.outline == "file")
    assert asked == ["mm"] and stage.preferences.drawing_unit() == "cm", "the next one is asked with the same unit"
    assert (stage.design.parameters.width, stage.design.parameters.height) == (120.0, 90.0)
    assert stage.document.history.undoText() == "Import outline"
    path.write_text("<svg>")
    before = stage.bytes
    stage.extension.outlining.read(path)
    assert stage.wait_for(lambda: not stage.window.session.jobs.is_busy("outline"))
    stage.settle()
    assert stage.bytes == before
    notice = stage.window.session.notices.notice()
    assert notice is not None and "Cannot import plate.svg" in notice.sentence
