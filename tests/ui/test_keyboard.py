"""The way through the window by the keyboard alone."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from tests.ui.stage import Stage

CONTROL = Qt.KeyboardModifier.ControlModifier
MOST_STOPS = 80


def test_the_tab_key_goes_through_every_panel_and_comes_back(qtbot: QtBot, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    window = stage.window
    window.activateWindow()
    first = window.form.field("columns")
    first.setFocus()
    stops: list[QWidget] = []
    while len(stops) < MOST_STOPS and (not stops or stops[-1] is not first):
        at = QApplication.focusWidget()
        assert at is not None
        QTest.keyClick(at, Qt.Key.Key_Tab)
        here = QApplication.focusWidget()
        assert here is not None
        stops.append(here)
    stage.close()
    assert stops[-1] is first
    assert window.canvas.view in stops
    assert any(isinstance(stop, QTabBar) for stop in stops), "the lists can be reached"
    assert len(set(stops)) == len(stops)


def test_undo_takes_back_a_number_that_was_just_written(qtbot: QtBot, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    beginning = stage.bytes
    stage.window.activateWindow()
    for name, text in (("columns", "25"), ("width", "12 in")):
        field = stage.window.form.field(name)
        field.setFocus()
        assert isinstance(field, QAbstractSpinBox)
        field.selectAll()
        QTest.keyClicks(field, text)
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert stage.document.history.index() == 1
        QTest.keyClick(field, Qt.Key.Key_Z, CONTROL)
        stage.window.canvas.view.setFocus()
        assert (stage.bytes, stage.document.history.index()) == (beginning, 0)
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_Z, CONTROL | Qt.KeyboardModifier.ShiftModifier)
        assert stage.document.history.index() == 1
        stage.document.history.undo()
    stage.close()


def test_every_menu_opens_by_a_letter_of_its_own(qtbot: QtBot, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    titles = [action.text() for action in stage.window.menuBar().actions()]
    stage.close()
    letters = [title[title.index("&") + 1].upper() for title in titles]
    assert len(set(letters)) == len(letters) == 7
