"""The desktop's own dialogs, asked in the maker's name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QSize, Qt, QTimer
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QFileDialog, QLineEdit, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from studio.ui.session.dialogs import Dialogs, Unsaved
from studio.ui.widgets import layout


def name_file(window: QWidget, name: str) -> None:
    """Write a name into the file dialog that comes up next, and accept it."""

    def answer() -> None:
        dialog = window.findChild(QFileDialog)
        assert dialog is not None
        line = dialog.findChild(QLineEdit, "fileNameEdit")
        assert isinstance(line, QLineEdit)
        line.setText(name)
        QTest.keyClick(line, Qt.Key.Key_Return)

    QTimer.singleShot(50, answer)


YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No


@pytest.mark.parametrize(
    ("written", "meant"),
    [("sea", "sea.puzzle"), ("sea.puzzle", "sea.puzzle"), ("sea.PUZZLE", "sea.PUZZLE"), ("v1.2", "v1.2.puzzle")],
)
def test_a_puzzle_is_saved_with_its_suffix(qtbot: QtBot, tmp_path: Path, written: str, meant: str) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    name_file(window, written)
    assert Dialogs(window).save_path(tmp_path / "pond.puzzle") == tmp_path / meant


@pytest.mark.parametrize("answer", [YES, NO])
def test_a_file_that_only_the_suffix_leads_to_is_not_replaced_unasked(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: QMessageBox.StandardButton
) -> None:
    (tmp_path / "sea.puzzle").write_text("somebody's evening")
    asked: list[str] = []

    def question(_parent: QWidget, _title: str, words: str) -> QMessageBox.StandardButton:
        asked.append(words)
        return answer

    monkeypatch.setattr(QMessageBox, "question", question)
    window = QWidget()
    qtbot.addWidget(window)
    name_file(window, "sea")
    path = Dialogs(window).save_path(tmp_path / "pond.puzzle")
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
    monkeypatch.setattr(QFileDialog, "exec", lambda _dialog: 1)
    monkeypatch.setattr(QFileDialog, "selectedFiles", lambda _dialog: [str(tmp_path / ("n" * 300))])
    window = QWidget()
    qtbot.addWidget(window)
    assert Dialogs(window).save_path(tmp_path / "pond.puzzle") == tmp_path / f"{'n' * 300}.puzzle"


@pytest.mark.parametrize(
    ("ask", "answer"),
    [
        (lambda dialogs, folder: dialogs.open_path(folder), None),
        (lambda dialogs, folder: dialogs.save_path(folder / "pond.puzzle"), "pond.puzzle"),
        (lambda dialogs, folder: dialogs.file_path("Save", folder / "pond.pdf", ["PDF (*.pdf)"]), "pond.pdf"),
        (lambda dialogs, folder: dialogs.folder_path("Folder", folder), ""),
        (lambda dialogs, _folder: dialogs.colour("Colour", QColor("teal")), "teal"),
    ],
)
def test_dialogs_of_qt_fit_a_small_screen_and_begin_with_what_is_suggested(
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    ask: Callable[[Dialogs, Path], object],
    answer: str | None,
) -> None:
    room = QRect(0, 0, 632, 360)
    monkeypatch.setattr(layout, "room_on_screen", lambda _window: room)
    window = QWidget()
    qtbot.addWidget(window)
    sizes: list[QSize] = []

    def look() -> None:
        dialog = window.findChild(QDialog)
        assert dialog is not None
        sizes.append(dialog.size())
        dialog.accept() if answer is not None else dialog.reject()

    QTimer.singleShot(50, look)
    chosen = ask(Dialogs(window), tmp_path)
    assert sizes[0].boundedTo(room.size()) == sizes[0]
    if answer is not None:
        assert chosen == (QColor(answer) if answer == "teal" else tmp_path / answer)
