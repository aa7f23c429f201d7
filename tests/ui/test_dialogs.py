"""The desktop's own dialogs, asked in the maker's name; Qt's file dialog is answered in its stead."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from studio.ui.session.dialogs import Dialogs, Unsaved

YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No


@pytest.mark.parametrize(
    ("written", "meant"),
    [("sea", "sea.puzzle"), ("sea.puzzle", "sea.puzzle"), ("sea.PUZZLE", "sea.PUZZLE"), ("v1.2", "v1.2.puzzle")],
)
def test_a_puzzle_is_saved_with_its_suffix(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, written: str, meant: str
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / written), ""))
    window = QWidget()
    qtbot.addWidget(window)
    assert Dialogs(window).save_path(tmp_path) == tmp_path / meant


@pytest.mark.parametrize("answer", [YES, NO])
def test_a_file_that_only_the_suffix_leads_to_is_not_replaced_unasked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: QMessageBox.StandardButton
) -> None:
    (tmp_path / "sea.puzzle").write_text("somebody's evening")
    asked: list[str] = []

    def question(_parent: QWidget, _title: str, words: str) -> QMessageBox.StandardButton:
        asked.append(words)
        return answer

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "sea"), ""))
    monkeypatch.setattr(QMessageBox, "question", question)
    window = QWidget()
    qtbot.addWidget(window)
    path = Dialogs(window).save_path(tmp_path)
    assert asked == ["sea.puzzle already exists. Replace it?"]
    assert path == (tmp_path / "sea.puzzle" if answer is YES else None)


@pytest.mark.parametrize(
    ("button", "meant"), [("Save game", Unsaved.SAVE), ("Discard", Unsaved.DISCARD), ("Cancel", Unsaved.CANCEL)]
)
def test_a_game_that_is_not_saved_is_asked_about_in_one_sentence(qtbot: QtBot, button: str, meant: Unsaved) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    said: list[str] = []

    def answer() -> None:
        box = window.findChild(QMessageBox)
        assert box is not None
        said.append(box.text())
        buttons = {each.text().replace("&", ""): each for each in box.buttons()}
        assert len(buttons) == 3
        QTest.mouseClick(buttons[button], Qt.MouseButton.LeftButton)

    QTimer.singleShot(50, answer)
    assert Dialogs(window).unsaved_game("pond") is meant
    assert said == ["Save your game of “pond”?"]


def test_a_name_that_is_too_long_is_left_to_be_refused_when_it_is_saved(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / ("n" * 300)), ""))
    window = QWidget()
    qtbot.addWidget(window)
    assert Dialogs(window).save_path(tmp_path) == tmp_path / f"{'n' * 300}.puzzle"
