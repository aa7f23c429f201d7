"""The way through the window by the keyboard alone."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QMenu, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from studio.ui.widgets.controls import with_mnemonics
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
    assert len(set(letters)) == len(letters) == 10


@given(st.lists(st.text(alphabet="abcdeÄ …1", min_size=1, max_size=12), max_size=12))
def test_every_entry_has_a_letter_of_its_own_as_far_as_there_are_letters(titles: list[str]) -> None:
    marked = with_mnemonics(titles)
    assert [one.replace("&", "") for one in marked] == titles
    letters = [one[one.index("&") + 1].casefold() for one in marked if "&" in one]
    assert len(set(letters)) == len(letters) and all(letter.isalnum() for letter in letters)
    for one in marked:
        if "&" not in one:
            assert {letter.casefold() for letter in one if letter.isalnum()} <= {*letters}


def test_an_open_menu_has_letters_and_buttons_keep_their_titles(qtbot: QtBot, tmp_path: Path) -> None:
    stage = Stage(tmp_path)
    for top in stage.window.menuBar().actions():
        menu = top.menu()
        assert isinstance(menu, QMenu)
        entries = [action for action in menu.actions() if not action.isSeparator()]
        before = [action.text() for action in entries]
        menu.aboutToShow.emit()
        marked = [action.text() for action in entries]
        assert [title.replace("&", "") for title in marked] == before
        assert all("&" in title for title in marked), marked
        menu.aboutToHide.emit()
        assert [action.text() for action in entries] == before
    stage.close()
