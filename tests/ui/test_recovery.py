"""Unsaved work outlives a crash: a copy soon after a change, gone when it is saved, found when its studio is dead."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from studio.files import store
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.session.document import Document
from studio.ui.session.jobs import Jobs
from studio.ui.session.preferences import Preferences
from studio.ui.session.recovery import LANE, Recovery, left_behind
from studio.ui.shell.open_documents import OpenDocuments

CHANGED = JigsawDesign().with_corners({"3,2": (0.1, -0.1)})


def test_a_change_is_copied_by_itself_and_the_copy_goes_when_it_is_saved(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    document = Document(JIGSAW, JigsawDesign())
    recovery = Recovery(document, tmp_path / "state")
    assert not (tmp_path / "state").exists()
    document.edit("Move 1 corner", CHANGED)
    qtbot.waitUntil(lambda: len(list((tmp_path / "state").glob("*.puzzle"))) == 1, timeout=10_000)
    (copy,) = (tmp_path / "state").glob("*.puzzle")
    assert store.load(copy).design == CHANGED
    assert left_behind(tmp_path / "state") == [], "its studio still runs"
    document.saved_as(tmp_path / "saved.puzzle")
    assert not copy.exists()
    recovery.forget()


def test_hands_that_never_rest_have_a_copy_too(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> None:
    document = Document(JIGSAW, JigsawDesign())
    recovery = Recovery(document, tmp_path)
    moves = [step / 1000 for step in range(100)]
    hand = QTimer(interval=100)
    hand.timeout.connect(lambda: document.edit("Move 1 corner", CHANGED.with_corners({"2,2": (0.1, moves.pop())})))
    hand.start()
    qtbot.waitUntil(lambda: list(tmp_path.glob("*.puzzle")) != [], timeout=6000)
    hand.stop()
    recovery.forget()


def test_undone_to_the_start_nothing_is_kept(qapp: QApplication, tmp_path: Path) -> None:
    document = Document(JIGSAW, JigsawDesign())
    recovery = Recovery(document, tmp_path)
    document.edit("Move 1 corner", CHANGED)
    assert recovery.write() is not None
    document.history.undo()
    assert list(tmp_path.glob("*.puzzle")) == []


def test_a_copy_is_written_beside_the_window_and_the_newest_stays(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path
) -> None:
    document, jobs = Document(JIGSAW, JigsawDesign()), Jobs()
    recovery = Recovery(document, tmp_path, jobs=jobs)
    newer = CHANGED.with_corners({"2,2": (0.1, 0.1)})
    with recovery._writing:  # a slow disk
        for design in (CHANGED, newer):
            document.edit("Move 1 corner", design)
            recovery._timer.timeout.emit()
        assert jobs.is_busy(LANE) and not list(tmp_path.glob("*.puzzle"))
    qtbot.waitUntil(lambda: not jobs._alive)
    (copy,) = tmp_path.glob("*.puzzle")
    assert store.load(copy).design == newer
    with recovery._writing:
        document.edit("Move 1 corner", CHANGED)
        recovery._timer.timeout.emit()
        document.saved_as(tmp_path / "saved")
    qtbot.waitUntil(lambda: not jobs._alive)
    assert [path.suffix for path in tmp_path.iterdir()] == [], "what is saved has no copy, also not a late one"
    jobs.close()


def test_a_studio_that_was_killed_leaves_its_work_behind(
    qapp: QApplication, tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    program = """
import os, sys
from pathlib import Path
import pytest
from PySide6.QtWidgets import QApplication
app = QApplication([])
from tests.ui.test_recovery import CHANGED, JIGSAW, Document, JigsawDesign, Recovery
document = Document(JIGSAW, JigsawDesign())
recovery = Recovery(document, Path(sys.argv[1]))
document.edit("Move 1 corner", CHANGED)
assert recovery.write()
os.abort()
"""
    root = str(Path(__file__).parents[2])
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": root}
    command = [sys.executable, "-X", "faulthandler=0", "-c", program, str(tmp_path)]
    subprocess.run(command, env=environment, capture_output=True, timeout=60, cwd=root, check=False)
    (copy,) = left_behind(tmp_path)
    assert store.load(copy.path).design == CHANGED

    settings = QSettings(str(tmp_path_factory.mktemp("settings") / "settings.ini"), QSettings.Format.IniFormat)
    desk = OpenDocuments(Preferences(settings), tmp_path)
    desk.show(Document(JIGSAW, JigsawDesign()))
    desk.offer_copies()
    notice = desk.window.notices.notice()
    assert notice is not None and notice.action is not None
    notice.action.do()
    document = desk.window.document
    assert document.design == CHANGED and document.path is None
    assert desk.shell.isWindowModified(), "restored work is not saved work"
    document.history.setClean()
    assert desk.shell.close()
    desk.shell.deleteLater()
