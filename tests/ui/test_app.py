"""What happens when the studio meets a fault of its own, and when work was left behind."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QMessageBox
from pytestqt.qtbot import QtBot

from studio.files import store
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.registry import KINDS
from studio.ui import app
from studio.ui.recovery import Recovery
from tests.ui.stage import Stage

CHANGED = JigsawDesign().with_corners({"3,2": (0.1, -0.1)})


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    yield made
    made.close()


def test_a_fault_that_comes_again_and_again_is_told_once(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    recovery = Recovery(stage.document, tmp_path / "state")
    app._report_crashes(stage.window, recovery)
    stage.document.edit("Move 1 corner", CHANGED)
    for _ in range(3):
        stage.window.crashed.emit(ZeroDivisionError("by nought"))
    (box,) = stage.window.findChildren(QMessageBox)
    assert "by nought" in box.detailedText() and "recovery copy" in box.text()
    assert capsys.readouterr().err.count("by nought") == 3
    (copy,) = (tmp_path / "state").glob("*.puzzle")
    assert store.load(copy).design == CHANGED
    box.close()
    recovery.forget()


def test_work_that_was_left_behind_stays_until_it_has_a_copy_again(stage: Stage, tmp_path: Path) -> None:
    left = tmp_path / "left.puzzle"
    store.save(left, KINDS[0], CHANGED)
    blocked = tmp_path / "blocked"
    blocked.write_text("no folder")
    app._restore(stage.window, Recovery(stage.document, blocked), left)
    assert stage.design == CHANGED and left.exists()
    stage.document.saved_as(tmp_path / "kept.puzzle")
    recovery = Recovery(stage.document, tmp_path / "state")
    app._restore(stage.window, recovery, left)
    (copy,) = (tmp_path / "state").glob("*.puzzle")
    assert store.load(copy).design == CHANGED and not left.exists()
    recovery.forget()
