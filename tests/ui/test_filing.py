"""What is written in a field counts before a command runs; every export that was asked for is written."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QWidget
from pytestqt.qtbot import QtBot

from studio.export.options import Options
from studio.files import store
from studio.ui.filing import Unsaved
from studio.ui.panels.export import Request
from tests.ui.stage import Stage


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.close()


def write(stage: Stage, name: str, text: str) -> QWidget:
    """Write a text into a field of the form and stay there."""
    field = stage.window.form.field(name)
    stage.window.activateWindow()
    field.setFocus()
    assert field.hasFocus() and isinstance(field, QAbstractSpinBox)
    field.selectAll()
    QTest.keyClicks(field, text)
    return field


def test_a_number_that_is_being_written_is_saved(stage: Stage, tmp_path: Path) -> None:
    stage.answers.save = tmp_path / "kept.puzzle"
    field = write(stage, "width", "350")
    stage.window.actions_["save"].trigger()
    assert store.load(tmp_path / "kept.puzzle").design.parameters.width == 350.0
    assert field.hasFocus() and not stage.document.is_modified


def test_a_number_that_is_being_written_is_asked_for_before_closing(stage: Stage) -> None:
    write(stage, "width", "350")
    stage.answers.on_unsaved = Unsaved.CANCEL
    assert not stage.window.close()
    assert stage.answers.asked == 1 and stage.design.parameters.width == 350.0


def test_two_exports_in_quick_succession_are_both_written(stage: Stage, tmp_path: Path) -> None:
    paths = [tmp_path / "one.dxf", tmp_path / "two.svg"]
    for path in paths:
        stage.answers.on_export = Request(path, Options(), False)
        stage.window.actions_["export"].trigger()
    assert stage.wait_for(lambda: all(path.exists() for path in paths))
