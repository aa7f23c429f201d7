"""Puzzles of other forms come in through the File menu, and go out by it."""

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox
from pytestqt.qtbot import QtBot

from studio.base.progress import SILENT
from studio.files.store import Saved, import_files
from studio.puzzles.registry import kind
from studio.ui.panels.making_choice import OptionsDialog
from tests.ui.stage import KindStage, staged

ZIGZAW = kind("zigzaw")
PARAMETERS = ZIGZAW.parameters(columns=4, rows=4, seed=6)
stage = staged(lambda folder: KindStage(folder, ZIGZAW, ZIGZAW.generate(PARAMETERS, None, SILENT).design))


def exported(stage: KindStage, path: Path) -> Path:
    stage.answers.save = path
    stage.window.actions_["export_json"].trigger()
    assert stage.wait_for(path.exists) and stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    return path


def test_a_design_goes_out_as_json_and_comes_in_unsaved(stage: KindStage, tmp_path: Path) -> None:
    before = stage.document.design
    path = exported(stage, tmp_path / "frogs.json")
    assert import_files([path], None, SILENT).design.cubes == before.cubes
    stage.answers.imports = [path]
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: stage.document.design is not before)
    assert stage.document.design.cubes == before.cubes
    assert stage.document.is_modified and stage.document.path is None
    assert stage.preferences.folder("import", Path.home()) == tmp_path


def test_an_export_does_not_replace_a_design(stage: KindStage, tmp_path: Path) -> None:
    path = tmp_path / "frogs.puzzle"
    path.write_bytes(stage.bytes)
    stage.answers.save = path
    stage.window.actions_["export_json"].trigger()
    assert stage.posted() == "frogs.puzzle is a design or a saved game. Choose another name."
    assert not stage.window.session.writing.is_writing and path.read_bytes() == stage.bytes


def test_what_is_written_is_asked_for(stage: KindStage, tmp_path: Path) -> None:
    path = tmp_path / "solved.json"

    def ticked(dialog: OptionsDialog) -> Any:
        box = dialog.form.field("solution")
        assert isinstance(box, QCheckBox)
        dialog.show()
        QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
        dialog.hide()
        return dialog.request()

    stage.answers.on_options = ticked
    assert "solution" in json.loads(exported(stage, path).read_text(encoding="utf-8"))
    stage.answers.on_options = lambda dialog: None
    stage.answers.save = tmp_path / "none.json"
    stage.window.actions_["export_json"].trigger()
    assert not stage.window.session.writing.is_writing


def test_what_cannot_be_read_is_told_and_changes_nothing(stage: KindStage, tmp_path: Path) -> None:
    before = stage.document.design
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    stage.answers.imports = [broken]
    stage.window.actions_["import"].trigger()

    def is_told() -> bool:
        notice = stage.window.notices.notice()
        return notice is not None and notice.sentence.startswith("Cannot import broken.json: the file is incomplete")

    assert stage.wait_for(is_told) and stage.document.design is before
    stage.answers.imports = []
    stage.window.actions_["import"].trigger()
    assert stage.document.design is before


def test_a_window_of_another_kind_hands_the_import_on(qtbot: QtBot, tmp_path: Path, stage: KindStage) -> None:
    path = exported(stage, tmp_path / "frogs.json")
    other = KindStage(tmp_path, kind("jigsaw"))
    try:
        brought: list[Saved] = []
        window = other.window
        other.window.filing.opened.connect(lambda found, _path, _is_saved: brought.append(found.saved))
        other.answers.imports = [path]
        other.window.actions_["import"].trigger()
        assert other.wait_for(lambda: bool(brought)) and brought[0].kind is ZIGZAW
        assert "export_json" not in window.actions_
    finally:
        other.close()


def test_a_text_that_was_copied_is_pasted_into_the_window(qtbot: QtBot, tmp_path: Path) -> None:
    stage = KindStage(tmp_path, kind("slitherlink"))
    try:
        before = stage.document.design
        QGuiApplication.clipboard().setText("some frogs")
        QTest.keyClick(stage.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        notice = stage.window.notices.notice()
        assert notice is not None and notice.sentence.startswith("There is no puzzle on the clipboard.")
        QGuiApplication.clipboard().setText("5x5t0:30g2o\n")
        QTest.keyClick(stage.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)

        def is_told() -> bool:
            notice = stage.window.notices.notice()
            return notice is not None and "no loop satisfies its clues 3 in A1" in notice.sentence

        assert stage.wait_for(is_told) and stage.document.design is before
        QGuiApplication.clipboard().setText("https://puzz.link/p?slither/3/3/j4j")
        QTest.keyClick(stage.window, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        assert stage.wait_for(lambda: stage.document.design is not before)
        assert stage.document.design.inside == ("...", ".#.", "...") and stage.document.path is None
    finally:
        stage.close()


def test_a_format_without_options_asks_for_a_file_alone(qtbot: QtBot, tmp_path: Path) -> None:
    cube = KindStage(tmp_path, kind("cube"))
    try:
        cube.answers.on_options = lambda dialog: pytest.fail("there is nothing to choose")
        cube.answers.save = path = tmp_path / "cube.xmpuzzle"
        action = cube.window.actions_["export_xmpuzzle"]
        assert action.text() == "Export BurrTools puzzle…"
        action.trigger()
        assert cube.wait_for(path.exists) and cube.wait_for(lambda: not cube.window.session.writing.is_writing)
        assert import_files([path], None, SILENT).kind is kind("cube")
    finally:
        cube.close()
