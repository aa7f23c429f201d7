"""What happens when the studio meets a fault of its own, and when work was left behind."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QPushButton

from studio.files import store
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kind
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.session.recovery import Recovery
from studio.ui.shell.open_documents import OpenDocuments, report_crashes
from tests.ui.stage import Stage, staged

CHANGED = JigsawDesign().with_corners({"3,2": (0.1, -0.1)})
stage = staged(Stage)


def test_a_fault_that_comes_again_and_again_is_told_once(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    recovery = Recovery(stage.document, tmp_path / "state")
    report_crashes(stage.window, lambda: recovery.write() is not None)
    stage.document.edit("Move 1 corner", CHANGED)
    for _ in range(3):
        sys.excepthook(ZeroDivisionError, ZeroDivisionError("by nought"), None)
    (box,) = stage.window.findChildren(QMessageBox)
    assert "by nought" in box.detailedText() and "backed up" in box.text()
    assert capsys.readouterr().err.count("by nought") == 3
    (copy,) = (tmp_path / "state").glob("*.puzzle")
    assert store.load(copy).design == CHANGED
    box.close()
    recovery.forget()


@pytest.fixture
def desk(qapp: QApplication, tmp_path: Path) -> Iterator[OpenDocuments]:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made = OpenDocuments(Preferences(settings), tmp_path / "state")
    made.show(Document(JIGSAW, JigsawDesign()))
    made.window.pipeline.finish()
    yield made
    for window in made.windows:
        window.document.history.setClean()
    assert made.shell.close()
    made.shell.deleteLater()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def left(desk: OpenDocuments, name: str, kind: AnyKind, design: object, age: int) -> Path:
    """A copy that a studio left behind some seconds ago."""
    assert desk._copies is not None
    path = desk._copies / f"{name}.puzzle"
    path.parent.mkdir(exist_ok=True)
    store.save(path, kind, design)
    os.utime(path, (time.time() - age,) * 2)
    return path


def press(desk: OpenDocuments, words: str) -> None:
    """Click the button of the shown notice with these words."""
    (button,) = (
        each for each in desk.window.notices.findChildren(QPushButton) if each.text() == words and each.isVisible()
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def shown(desk: OpenDocuments) -> str:
    notice = desk.window.notices.notice()
    return notice.sentence if notice is not None else ""


def copies(desk: OpenDocuments) -> list[Path]:
    assert desk._copies is not None
    return sorted(desk._copies.glob("*.puzzle"))


def test_work_that_was_left_behind_is_restored_at_a_click_and_has_a_copy_again(desk: OpenDocuments) -> None:
    old = left(desk, "old", JIGSAW, CHANGED, 60)
    desk.offer_copies()
    assert "An unsaved " in shown(desk)
    press(desk, "Restore")
    assert desk.window.document.design == CHANGED and desk.window.document.is_modified
    (copy,) = copies(desk)
    assert copy != old and store.load(copy).design == CHANGED


def test_work_of_another_kind_is_restored_in_a_tab_of_its_kind(desk: OpenDocuments) -> None:
    cube = kind("cube")
    old = left(desk, "old", cube, CubeDesign(CubeParameters(seed=9)), 60)
    desk.offer_copies()
    press(desk, "Restore")
    assert desk.window.document.kind is cube and desk.window.document.design.parameters.seed == 9
    assert desk.window.document.is_modified and not old.exists()
    (copy,) = copies(desk)
    assert store.load(copy).design.parameters.seed == 9


def test_work_that_was_left_behind_stays_until_it_has_a_copy_again(desk: OpenDocuments, tmp_path: Path) -> None:
    old = left(desk, "old", JIGSAW, CHANGED, 60)
    desk.offer_copies()
    (tmp_path / "file").write_text("")
    desk._copies = tmp_path / "file" / "state"
    press(desk, "Restore")
    assert desk.window.document.design == CHANGED and old.exists()


def test_the_newest_copy_is_offered_first_and_a_discarded_one_makes_room_for_the_next(desk: OpenDocuments) -> None:
    newer = left(desk, "newer", JIGSAW, CHANGED, 60)
    older = left(desk, "older", JIGSAW, JigsawDesign(JigsawParameters(seed=3)), 600)
    desk.offer_copies()
    assert "1 more will be offered next" in shown(desk)
    press(desk, "Discard")
    assert copies(desk) == [older] and shown(desk) == "Unsaved changes discarded."
    press(desk, "Undo")
    assert copies(desk) == [newer, older] and store.load(newer).design == CHANGED
    press(desk, "Discard")
    desk.window.notices.close_notice()
    assert "An unsaved " in shown(desk) and "more" not in shown(desk)
    press(desk, "Restore")
    assert desk.window.document.design.parameters.seed == 3
