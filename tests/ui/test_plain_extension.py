"""A kind without an extension opens in the window: form, drawing, findings, undo, and the way there and back."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from studio.base.errors import StudioError
from studio.checks.finding import Problem, Repair, Severity
from studio.files import store
from studio.puzzles.cube.geometry import CubeShapes
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.abilities.gradable_solvable import GradedExtension
from studio.ui.session.document import Document
from studio.ui.session.extension import Extension
from studio.ui.session.preferences import Preferences
from studio.ui.shell import open_documents as shell
from studio.ui.shell.open_documents import OpenDocuments
from studio.ui.shell.window import Window
from tests.ui.stage import Answers

PLAIN = replace(CUBE, key="plain")
"""A kind that the window knows nothing of."""


@pytest.fixture
def answers() -> Answers:
    return Answers()


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path, answers: Answers) -> Iterator[Window]:
    preferences = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    design = CubeDesign(CubeParameters(unique=False, distinct=False, captured=False, seed=5))
    made = Window(Document(PLAIN, design), preferences, answers)
    made.show()
    QTest.qWaitForWindowExposed(made)
    made.pipeline.finish()
    made.canvas.view.fit()
    QApplication.processEvents()
    yield made
    made.document.history.setClean()
    made.close()


def test_a_plain_kind_shows_its_form_its_drawing_and_its_findings(window: Window) -> None:
    assert type(window.extension) is Extension and isinstance(window.pipeline.shapes, CubeShapes)
    assert "6 pieces" in window.status.numbers.text()
    assert window.findings.model.elements
    titles = [action.text() for action in window.menuBar().actions()]
    assert "&File" in titles and "&Tongue" not in titles
    assert window.actions_["new_cube"].text() == "New cube"


def test_a_changed_parameter_is_shown_checked_and_undone(window: Window) -> None:
    before = window.document.design
    window.form.edit("Change X", CubeParameters(x=6, seed=5), None)
    assert window.pipeline.shapes.drawing.width == pytest.approx(180)
    window.pipeline.finish()
    assert {found.severity for found in window.findings.model.elements} <= {Severity.HINT}
    window.document.history.undo()
    assert window.document.design == before


def test_a_repair_is_done_and_one_that_fails_is_told(window: Window) -> None:
    found = next(each for each in window.findings.model.elements if each.repair)
    window._repair(found)
    assert window.document.is_modified

    def fail(_design: object) -> object:
        raise StudioError("It cannot be mended.")

    before = window.document.design
    window._repair(
        Problem("x", Severity.HINT, "", "It is so.", "").finding((0, 0), repair=Repair.at_once("Mend", fail))
    )
    assert window.document.design == before
    notice = window.notices.notice()
    assert notice is not None and notice.sentence == "It cannot be mended."


def test_its_difficulty_is_in_the_inspector(window: Window) -> None:
    graded = window.find_extension(GradedExtension)
    assert graded.page.isVisible() and window.docks[1].isAncestorOf(graded.page) and graded.tab is None
    assert [action.text() for action in window.actions_.of_menu("&Cube")] == [
        "Find a harder cube",
        "Find an easier cube",
    ]
    window.finish()
    assert graded.page.level.text() == "Not rated" and "“Unique solution”" in graded.page.words.text()


def test_mouse_and_keys_on_the_canvas_change_nothing(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    before = window.document.design
    view = window.canvas.view
    place = view.mapFromScene(QPointF(30, 30))
    QTest.mouseMove(view.viewport(), place)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.mouseDClick(view.viewport(), Qt.MouseButton.LeftButton, pos=place)
    QTest.keyClick(view, Qt.Key.Key_F)
    shown: list[list[str]] = []
    monkeypatch.setattr(QMenu, "popup", lambda menu, _place: shown.append([each.text() for each in menu.actions()]))
    window.extension.menu_wanted.emit(QPoint(5, 5))
    assert shown and "Fill pieces" in shown[0] and "Select all" not in shown[0]
    for name in ("draft", "fill", "fit", "next_finding"):
        window.actions_[name].trigger()
    assert window.document.design == before


def test_a_file_of_another_kind_is_handed_on_and_not_shown_in_this_window(window: Window, tmp_path: Path) -> None:
    path = tmp_path / "flat.puzzle"
    store.save(path, JIGSAW, JigsawDesign(JigsawParameters(columns=3, rows=2)))
    handed: list[tuple[store.Saved, Path]] = []
    window.filing.opened.connect(lambda found, path, _is_saved: handed.append((found.saved, path)))
    assert window.filing.open(path)
    ((saved, at),) = handed
    assert saved.kind is JIGSAW and at == path and window.document.kind is PLAIN


def test_the_desk_puts_a_file_in_the_place_of_an_untouched_design(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    monkeypatch.setattr(shell, "state_folder", lambda: tmp_path / "state")
    monkeypatch.setattr(QApplication.instance(), "quitOnLastWindowClosed", lambda: False, raising=False)
    path = tmp_path / "cube.puzzle"
    store.save(path, CUBE, CubeDesign())
    desk = OpenDocuments(Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)))
    first = desk.show(Document(JIGSAW, JigsawDesign(JigsawParameters(columns=3, rows=2))))
    assert first.filing.open(path)
    second = desk.window
    assert second is not first and second.document.kind is CUBE and second.isVisible() and not first.isVisible()
    back = tmp_path / "flat.puzzle"
    store.save(back, JIGSAW, JigsawDesign())
    assert second.filing.open(back)
    assert desk.window.document.kind is JIGSAW
    assert desk.shell.close()
    desk.shell.deleteLater()


def test_a_kind_with_a_drawing_and_a_game_opens_on_its_drawing(qtbot: QtBot, tmp_path: Path, answers: Answers) -> None:
    preferences = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    made = Window(Document(replace(JIGSAW, key="plain"), JigsawDesign()), preferences, answers)
    views = made.middle.views
    assert [view.name for view in views][:2] == ["board", "play"] and views[0].widget is made.canvas
    made.close()
