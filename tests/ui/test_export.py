"""The export dialog says how large the puzzle is, offers what the format has, and remembers what was chosen."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QDialog, QLabel, QWidget
from pytestqt.qtbot import QtBot

from studio.export.options import Options
from studio.ui.panels.export import NO_UNIT_HINT, ORDER_HINT, ExportDialog, Facts, FolderChooser, Request
from studio.ui.preferences import Preferences

FACTS = Facts(width=300.0, height=150.0, pieces=72, cuts=104, cut_length=4213.4)
Open = Callable[..., ExportDialog]


@pytest.fixture
def preferences(tmp_path: Path) -> Preferences:
    return Preferences(QSettings(str(tmp_path / "studio.ini"), QSettings.Format.IniFormat))


@pytest.fixture
def show(qtbot: QtBot, tmp_path: Path, preferences: Preferences) -> Open:
    def shown(facts: Facts = FACTS, name: str = "Forest.puzzle", chooser: FolderChooser | None = None) -> ExportDialog:
        asked = chooser or (lambda parent, start: None)
        dialog = ExportDialog(facts, name, tmp_path, preferences, chooser=asked)
        qtbot.addWidget(dialog)
        dialog.show()
        return dialog

    return shown


def texts(dialog: QDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if label.isVisible())


def choose(dialog: ExportDialog, name: str, value: str) -> None:
    (box,) = [one for one in dialog.findChildren(QComboBox) if one.accessibleName() == name]
    box.setCurrentIndex(box.findData(value))
    box.activated.emit(box.currentIndex())


def test_the_dialog_says_how_large_the_puzzle_is_and_what_is_cut(show: Open) -> None:
    words = texts(show())
    assert "300.0 × 150.0 mm" in words
    assert "True size, in 72 pieces from 104 cuts, 4.21 m of line." in words
    assert ORDER_HINT in words


def test_a_single_cut_is_told_in_the_singular(show: Open) -> None:
    assert "in 1 piece from 1 cut, 80 mm of line" in texts(show(Facts(20, 20, 1, 1, 80)))


def test_the_request_is_the_file_next_to_the_others(show: Open, tmp_path: Path) -> None:
    assert show().request() == Request(tmp_path / "Forest.svg", Options(), False)


def test_a_name_with_an_ending_gets_no_second_one(show: Open, tmp_path: Path) -> None:
    dialog = show()
    dialog.name.setText("Sea.svg")
    assert dialog.request().path == tmp_path / "Sea.svg"
    choose(dialog, "Format", ".dxf")
    assert dialog.request().path == tmp_path / "Sea.dxf"


def test_dxf_options_are_shown_for_dxf_only(show: Open) -> None:
    dialog = show()
    assert "DXF version" not in texts(dialog)
    small = dialog.sizeHint().height()
    choose(dialog, "Format", ".dxf")
    assert "DXF version" in texts(dialog)
    assert dialog.sizeHint().height() > small


def test_no_part_of_the_dialog_is_a_window_of_its_own(show: Open) -> None:
    """Such a window would outlive the dialog, and the studio would not end with its last window."""
    dialog = show()
    choose(dialog, "Format", ".dxf")
    assert [window for window in QApplication.topLevelWidgets() if window.isVisible()] == [dialog]


def test_dxf_without_a_unit_says_so(show: Open) -> None:
    dialog = show()
    choose(dialog, "Format", ".dxf")
    assert NO_UNIT_HINT not in texts(dialog)
    choose(dialog, "DXF version", "R12")
    assert NO_UNIT_HINT in texts(dialog)
    assert dialog.request().options == Options(version="R12")


def test_options_that_do_not_go_together_are_refused_where_they_are(show: Open) -> None:
    dialog = show()
    choose(dialog, "Format", ".dxf")
    choose(dialog, "DXF version", "R12")
    choose(dialog, "DXF curves", "spline")
    assert "DXF R12 has no splines; choose polylines or DXF R2000." in texts(dialog)
    assert dialog.request().options == Options(version="R12")
    choose(dialog, "DXF version", "R2000")
    assert "no splines" not in texts(dialog)


def test_with_errors_the_dialog_warns_and_the_button_says_anyway(show: Open) -> None:
    assert show().export.text() == "Export"
    dialog = show(Facts(300, 150, 72, 104, 4000, errors=2))
    assert "2 errors stand in the findings" in texts(dialog)
    assert dialog.export.text() == "Export anyway"
    assert dialog.request().force


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "The file needs a name."),
        ("  ", "The file needs a name."),
        ("a/b", "A file name cannot have a slash in it"),
        ("..", "A file name cannot have a slash in it"),
        ("x" * 4000, "The system cannot use this name."),
    ],
)
def test_a_name_that_cannot_be_is_told_and_not_exported(show: Open, name: str, sentence: str) -> None:
    dialog = show()
    dialog.name.setText(name)
    assert sentence in texts(dialog)
    assert not dialog.export.isEnabled()
    dialog.accept()
    assert dialog.isVisible()


def test_a_folder_that_is_not_there_is_told(show: Open, tmp_path: Path) -> None:
    dialog = show()
    dialog.folder.setText(str(tmp_path / "nowhere"))
    assert "There is no such folder." in texts(dialog)
    assert not dialog.export.isEnabled()


def test_a_file_that_will_be_replaced_is_told(show: Open, tmp_path: Path) -> None:
    (tmp_path / "Forest.svg").touch()
    dialog = show()
    assert "it will be replaced" in texts(dialog)
    dialog.name.setText("Sea")
    assert "it will be replaced" not in texts(dialog)


def test_browsing_takes_the_folder_or_leaves_it(qtbot: QtBot, show: Open, tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    answers: list[Path | None] = [None, inner]
    asked: list[Path] = []

    def chooser(parent: QWidget, start: Path) -> Path | None:
        asked.append(start)
        return answers.pop(0)

    dialog = show(chooser=chooser)
    for expected in (tmp_path, inner):
        QTest.mouseClick(dialog.browse, Qt.MouseButton.LeftButton)
        assert dialog.request().path.parent == expected
    assert asked == [tmp_path, tmp_path]


def test_folder_format_and_options_are_remembered(
    qtbot: QtBot, show: Open, preferences: Preferences, tmp_path: Path
) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    first = show()
    choose(first, "Format", ".dxf")
    choose(first, "DXF curves", "spline")
    choose(first, "Profile", "workshop")
    first.folder.setText(str(inner))
    with qtbot.waitSignal(first.accepted):
        QTest.mouseClick(first.export, Qt.MouseButton.LeftButton)
    again = show()
    assert again.request() == Request(inner / "Forest.dxf", Options(profile="workshop", curves="spline"), False)


def test_cancelling_remembers_nothing(show: Open, preferences: Preferences) -> None:
    dialog = show()
    choose(dialog, "Format", ".dxf")
    dialog.reject()
    assert preferences.export_suffix() == ""


def test_remembered_options_that_no_longer_can_be_are_passed_over(show: Open, preferences: Preferences) -> None:
    preferences.set_export_suffix(".dxf")
    preferences.set_export_values(
        ".dxf", {"version": "R12", "curves": "spline", "tolerance": 1e9, "profile": [], "close": True, "x": 1}
    )
    assert show().request().options == Options(version="R12", close=True)
