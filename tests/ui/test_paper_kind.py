"""The window of a kind on paper only: it has what its abilities bring, and nothing of a laser or a printer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolButton
from pytestqt.qtbot import QtBot

from studio.cli import main
from studio.files import store
from studio.puzzles import registry
from studio.puzzles.registry import Listed
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.session.dialogs import Unsaved
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.window import Window
from tests.puzzles.latin import LATIN, LatinDesign, LatinParameters
from tests.ui.stage import Answers, destroy


@pytest.fixture(autouse=True)
def registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "latin", Listed(LATIN.title, "tests.puzzles.latin:LATIN", LATIN.summary))


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, answers: Answers) -> Iterator[Window]:
    preferences = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    made = Window(Document(LATIN, LatinDesign()), preferences, answers)
    made.show()
    QTest.qWaitForWindowExposed(made)
    made.pipeline.finish()
    QApplication.processEvents()
    yield made
    answers.on_unsaved = answers.on_unsaved_game = Unsaved.DISCARD
    destroy(made)


def test_it_has_no_cut_plan_no_laser_export_and_no_figures_of_cutting(window: Window) -> None:
    with pytest.raises(LookupError):
        window.find_extension(CutExtension)
    tabs = [window.drawer.tabText(at) for at in range(window.drawer.count())]
    assert tabs == ["Problems", "History"]
    for name in ("export", "export_again", "print", "coupon", "workshop", "draft", "fill", "true_size"):
        assert name not in window.actions_
    texts = [button.text() for button in window.findChildren(QToolButton)]
    assert "Export" not in texts and "Export…" not in texts
    assert "leaflet" in window.actions_
    assert [plain.text() for plain in window.menuBar().actions()] == [
        "&File",
        "&Edit",
        "&Game",
        "&View",
        "P&roblems",
        "&Help",
    ]


def test_the_status_bar_has_the_number_of_solutions(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.status.numbers.text() == "1 solution")
    window.form.edit("Change clues", LatinParameters(clues=0), None)
    qtbot.waitUntil(lambda: window.status.numbers.text() == "576 solutions")


def test_every_action_does_something_or_says_that_it_cannot(
    window: Window, answers: Answers, tmp_path: Path, qtbot: QtBot
) -> None:
    answers.save = tmp_path / "square.pdf"
    named = [menu.text() for menu in window.menuBar().actions()]
    actions = [action for title in named for action in window.actions_.of_menu(title)]
    assert len(actions) > 10
    for action in actions:
        if action.objectName() not in ("quit", "save", "save_as", "save_game"):
            action.trigger()
            QApplication.processEvents()
    qtbot.waitUntil(lambda: answers.save.exists() and not window.session.writing.is_writing)  # type: ignore[union-attr]
    assert answers.save.read_bytes().startswith(b"%PDF-")
    told = window.findChildren(QDialog)
    assert {box.windowTitle() for box in told} == {"Keyboard shortcuts", "About Puzzle Studio"}
    for box in told:
        box.close()


def test_a_parameter_is_changed_checked_undone_saved_and_opened(window: Window, tmp_path: Path) -> None:
    window.form.edit("Change clues", LatinParameters(clues=0), None)
    window.pipeline.finish()
    assert [found.kind for found in window.findings.model.elements] == ["ambiguous"]
    window.document.history.undo()
    window.pipeline.finish()
    assert window.findings.model.elements == ()
    assert window.filing._save(tmp_path / "square.puzzle")
    assert store.load(tmp_path / "square.puzzle").kind is LATIN
    assert window.filing.open(tmp_path / "square.puzzle")


def test_the_command_line_makes_solves_and_lays_it_out_and_refuses_what_is_cut(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "latin", "--set", "clues=8", "-o", "a.puzzle"]) == 0
    assert main(["check", "a.puzzle"]) == 0
    assert main(["solve", "a.puzzle"]) == 0
    assert "solution" in capsys.readouterr().out
    assert main(["leaflet", "a.puzzle", "-o", "a.svg"]) == 0
    for words in (["export", "a.puzzle", "-o", "a.dxf"], ["export", "a.puzzle", "-o", "a.stl"], ["plan", "a.puzzle"]):
        assert main(words) == 2
        said = capsys.readouterr().err
        assert "latin" in said and said.count("\n") == 1
    assert not Path("a.dxf").exists() and not Path("a.stl").exists()
    for more in ([], ["--window", "--moment", "0.5"], ["--window", "--date", "10-06"]):
        assert main(["picture", "a.puzzle", "-o", "a.png", *more]) == 2, more
        said = capsys.readouterr().err
        assert "latin" in said and said.count("\n") == 1 and not Path("a.png").exists()
    assert main(["picture", "a.puzzle", "-o", "a.png", "--window", "--view", "board"]) == 2
    assert capsys.readouterr().err == "Unknown view 'board'; choose from play, pages.\n" and not Path("a.png").exists()
    assert main(["picture", "a.puzzle", "-o", "a.png", "--window"]) == 0
    assert Path("a.png").stat().st_size > 10_000
