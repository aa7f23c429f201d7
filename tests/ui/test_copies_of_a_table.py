"""Copies of a table exported from the window: it is asked for once, and read anew when the export is repeated."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from tests.export.test_print import photograph
from tests.ui.stage import KindStage


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[KindStage]:
    parameters = JigsawParameters(columns=4, rows=3, width=100.0, height=75.0, perturbation=0.05)
    made = KindStage(tmp_path, JIGSAW, JigsawDesign(parameters, picture=BoardPicture(photograph(40.0, 30.0), PNG)))
    yield made
    made.close()


def table(folder: Path, *lines: str) -> Path:
    (folder / "copies.csv").write_text("\n".join(["picture,copies", *lines, ""]), encoding="utf-8")
    return folder / "copies.csv"


def pictures(path: Path) -> list[int]:
    """How often each picture is on a sheet, the most frequent first."""
    found = Counter(re.findall(r'<image[^>]*xlink:href="([^"]*)"', path.read_text(encoding="ascii")))
    return [count for _, count in found.most_common()]


def at_export(stage: KindStage, name: str) -> None:
    """Answer the dialog with its own choices and a name, once its sheets are there."""

    def answer(dialog: ExportDialog) -> ExportRequest:
        dialog.show()
        dialog.file.name.setText(name)
        QTest.keyClick(dialog.file.name, Qt.Key.Key_End)
        assert stage.wait_for(lambda: dialog.trial.outcome is not None and dialog.export.isEnabled())
        request = dialog.request()
        dialog.close()
        return request

    stage.answers.at_export = answer


def run(stage: KindStage, command: str, path: Path) -> None:
    path.unlink(missing_ok=True)
    stage.window.actions_[command].trigger()
    assert stage.wait_for(lambda: path.exists() and not stage.window.session.writing.is_writing)


def test_an_export_of_a_table_is_repeated_with_the_table_as_it_is_then(stage: KindStage, tmp_path: Path) -> None:
    Image.new("RGB", (40, 30), (200, 40, 40)).save(tmp_path / "red.png")
    stage.answers.open = table(tmp_path, "red.png,1", ",2")
    at_export(stage, "copies.svg")
    path = stage.window.session.folder / "copies.svg"
    run(stage, "export_table", path)
    assert pictures(path) == [2, 1] and "36 pieces" in stage.posted()
    before = path.read_bytes()
    stage.answers.open = None
    run(stage, "export_again", path)
    assert path.read_bytes() == before
    table(tmp_path, "red.png,3", ",1")
    run(stage, "export_again", path)
    assert pictures(path) == [3, 1] and "48 pieces" in stage.posted()
    assert stage.answers.export_dialogs == 1
    table(tmp_path, "blue.png,1")
    kept = path.read_bytes()
    stage.window.actions_["export_again"].trigger()
    assert stage.wait_for(lambda: "blue.png" in stage.posted())
    assert path.read_bytes() == kept


def test_the_design_alone_is_repeated_after_an_export_without_a_table(stage: KindStage, tmp_path: Path) -> None:
    stage.answers.open = table(tmp_path, ",2")
    at_export(stage, "copies.svg")
    run(stage, "export_table", stage.window.session.folder / "copies.svg")
    at_export(stage, "alone.svg")
    path = stage.window.session.folder / "alone.svg"
    run(stage, "export", path)
    run(stage, "export_again", path)
    assert pictures(path) == [1] and "12 pieces" in stage.posted()


def test_without_a_table_nothing_is_asked(stage: KindStage) -> None:
    stage.answers.open = None
    stage.window.actions_["export_table"].trigger()
    assert stage.answers.export_dialogs == 0
