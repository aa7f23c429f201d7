"""The presets of the form are one step of undo, keep what still fits, and can be saved and deleted in the window."""

from __future__ import annotations

import json

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QToolButton

from studio.base.folders import own_folder
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.presets import presets
from tests.ui.stage import Stage, staged

stage = staged(Stage)


def menu(stage: Stage) -> QMenu:
    """The menu of presets as it opens."""
    button = next(one for one in stage.window.form.findChildren(QToolButton) if one.text() == "Presets")
    assert button.isVisible() and button.focusPolicy() & Qt.FocusPolicy.TabFocus
    found = button.menu()
    found.aboutToShow.emit()
    return found


def entry(found: QMenu, title: str) -> QAction:
    return next(action for action in found.actions() if action.text() == title)


def test_a_preset_is_one_step_that_keeps_edits_and_seed(stage: Stage) -> None:
    stage.document.edit("Move corner", JigsawDesign(corners=(CornerEdit("2,3", 0.1, 0.1),)))
    before = stage.bytes
    entry(menu(stage), "A4, 108 pieces").trigger()
    stage.wait_for(lambda: stage.document.history.count() == 2)
    assert stage.document.history.undoText() == "Preset A4, 108 pieces"
    assert (stage.design.parameters.width, stage.design.parameters.columns) == (297, 12)
    assert [edit.name for edit in stage.design.corners] == ["2,3"]
    assert stage.window.form.parameters() == stage.design.parameters
    assert [action.text() for action in menu(stage).actions() if action.isChecked()] == ["A4, 108 pieces"]
    stage.document.history.undo()
    assert stage.bytes == before


def test_a_preset_that_is_in_force_changes_nothing_and_says_so(stage: Stage) -> None:
    entry(menu(stage), "A5, 48 pieces").trigger()
    stage.wait_for(lambda: stage.document.history.count() == 1)
    entry(menu(stage), "A5, 48 pieces").trigger()
    assert stage.document.history.count() == 1 and "these values already" in stage.posted()


def test_edits_that_find_no_place_are_named(stage: Stage) -> None:
    stage.document.edit("Move corner", JigsawDesign(corners=(CornerEdit("9,3", 0.1, 0.1),)))
    entry(menu(stage), "A6 postcard, 24 pieces").trigger()
    stage.wait_for(lambda: stage.document.history.count() == 2)
    assert stage.posted().startswith("Edits that no longer fit were dropped")


def test_own_presets_are_saved_chosen_and_deleted(stage: Stage) -> None:
    stage.answers.on_name = "Zoë & <b>Max</b>"
    stage.document.edit("Columns", JigsawDesign(JigsawParameters(columns=7)))
    entry(menu(stage), "Save as preset…").trigger()
    assert stage.posted() == "Saved the preset Zoë & <b>Max</b>."
    assert entry(menu(stage), "Zoë && <b>Max</b>").isChecked()
    stage.document.history.undo()
    entry(menu(stage), "Zoë && <b>Max</b>").trigger()
    stage.wait_for(lambda: stage.design.parameters.columns == 7)
    delete = entry(menu(stage), "Delete preset").menu()
    assert isinstance(delete, QMenu)
    delete.actions()[0].trigger()
    assert [one for one in presets(JIGSAW) if one.own] == []
    assert "Delete preset" not in [action.text() for action in menu(stage).actions()]


def test_a_name_that_is_none_is_refused_and_cancel_saves_nothing(stage: Stage) -> None:
    for name, sentence in ((None, ""), ("   ", "The title must be one line"), ("x" * 61, "more than 60 characters")):
        stage.answers.on_name = name
        entry(menu(stage), "Save as preset…").trigger()
        assert sentence in stage.answers.said
        assert [one for one in presets(JIGSAW) if one.own] == []


def test_a_broken_preset_is_told_in_a_sentence_and_can_be_deleted(stage: Stage) -> None:
    folder = own_folder() / "presets" / "jigsaw"
    folder.mkdir(parents=True)
    (folder / "bad.json").write_text("{")
    (folder / "late.json").write_text(json.dumps({"title": "Late", "values": {"sparkle": 1}}))
    found = menu(stage)
    assert "late.json cannot be used" in stage.posted() and entry(found, "A4, 108 pieces").isEnabled()
    delete = entry(found, "Delete preset").menu()
    assert isinstance(delete, QMenu) and [action.text() for action in delete.actions()] == ["bad", "late"]
    delete.actions()[0].trigger()
    assert not (folder / "bad.json").exists() and (folder / "late.json").exists()


def test_the_palette_finds_presets(stage: Stage) -> None:
    stage.window.actions_["palette"].trigger()
    stage.settle()
    line = stage.window.focusWidget()
    assert line is not None
    QTest.keyClicks(line, "11 × 14 in")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert stage.wait_for(lambda: stage.design.parameters.columns == 14)
