"""No text of the window or of a dialog is cut off, and each can be read in both themes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from studio.puzzles.registry import KINDS, kind
from studio.ui.kinds.cube.extension import CubeExtension
from studio.ui.panels import file_dialog, variants
from studio.ui.panels.export_dialog import ExportDialog
from studio.ui.panels.file_dialog import FileDialog
from studio.ui.panels.variants import VariantsDialog
from studio.ui.session.dialogs import Dialogs
from studio.ui.shell.screenshot import rest
from studio.ui.shell.shortcuts import ShortcutsDialog
from studio.ui.widgets import layout
from studio.ui.widgets.theme import apply, dark_theme, light_theme, picture_font, sized
from tests.ui.measuring import cut_off, faint, seen
from tests.ui.stage import KindStage

SMALL_SCREEN = QSize(1024, 700)
LARGEST_TYPE = 24
ASKED = (
    "export", "batch", "coupon", "workshop", "print", "gap_coupon", "export_json", "export_zip", "export_txt", "book",
    "shortcuts", "about", "profiles", "variants", "booklet", "edit_text",
    "send",
)  # fmt: skip
"""The commands that open a dialog of the studio's own."""

Open = Callable[..., KindStage]


@pytest.fixture
def opened(qtbot: QtBot, tmp_path: Path) -> Iterator[Open]:
    stages: list[KindStage] = []

    def open_kind(key: str, size: tuple[int, int] = (1280, 800)) -> KindStage:
        stages.append(KindStage(tmp_path, kind(key), size=size))
        return stages[-1]

    yield open_kind
    for stage in stages:
        stage.close()


def sights(stage: KindStage) -> Iterator[str]:
    """Every view and every tab of a window, one after the other."""
    window = stage.window
    for view in window.middle.views:
        window.show_view(view.name)
        rest(window, None)
        stage.settle()
        yield view.title
    for tab in range(window.drawer.count()):
        window.drawer.setCurrentIndex(tab)
        window.finish()
        stage.settle()
        yield window.drawer.tabText(tab)


def formats(dialog: QDialog) -> Iterator[int]:
    """Every format of a dialog that writes a file, one after the other; of others there is one sight."""
    for number in range(dialog.file.format.count() if isinstance(dialog, FileDialog) else 1):
        if isinstance(dialog, FileDialog):
            dialog.file.format.setCurrentIndex(number)
        yield number


@pytest.mark.thorough
@pytest.mark.parametrize("key", KINDS)
def test_no_text_of_a_window_is_cut_off_or_faint(qapp: QApplication, opened: Open, key: str) -> None:
    stage = opened(key)
    for group in stage.window.form.groups:
        stage.window.form.fold(group, False)
    flaws: dict[str, set[str]] = {}
    for sight in sights(stage):
        # Docks that need other room move to it by and by.
        stage.wait_for(lambda: not cut_off(stage.window), 1.0)
        flaws[sight] = cut_off(stage.window)
        for theme in (dark_theme(), light_theme()):
            apply(qapp, theme, picture_font())
            flaws[f"{sight}, {theme.name}"] = faint(stage.window)
    assert not {sight: found for sight, found in flaws.items() if found}


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_panels_are_as_wide_as_their_fields_in_large_type(qapp: QApplication, opened: Open, key: str) -> None:
    apply(qapp, light_theme(), sized(picture_font(), LARGEST_TYPE))
    stage = opened(key)
    form = stage.window.form
    assert not cut_off(form)
    boxes = [box for box in seen(form) if isinstance(box, QAbstractSpinBox | QComboBox)]
    assert boxes and all(box.height() >= box.minimumSizeHint().height() for box in boxes)


@pytest.mark.thorough
@pytest.mark.parametrize("points", [9, 10, 11, 12])
def test_a_fact_that_wraps_beside_a_wider_name_is_not_cut_off(qapp: QApplication, opened: Open, points: int) -> None:
    apply(qapp, light_theme(), sized(picture_font(), points))
    stage = opened("cube")
    cube = stage.window.extension
    assert isinstance(cube, CubeExtension)
    stage.window.finish()
    for pieces in ([piece] if chosen else [] for piece in range(6) for chosen in (False, True)):
        cube.selection.select(pieces)
        stage.settle()
        assert not cut_off(cube.page)


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_no_text_of_a_dialog_is_cut_off_and_each_fits_a_small_screen(
    opened: Open, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    stage = opened(key)
    flaws: dict[str, set[str]] = {}
    for room in (file_dialog, layout, variants):
        # The screen in tests is narrower and higher.
        monkeypatch.setattr(room, "room_on_screen", lambda _window: QRect(QPoint(0, 0), SMALL_SCREEN))

    def look(dialog: QDialog) -> None:
        dialog.show()
        if isinstance(dialog, ExportDialog):
            stage.wait_for(lambda: dialog.trial.outcome is not None)
            # Its own bound is the screen, which in tests is not as wide but higher.
            dialog.resize(dialog.whole_size().boundedTo(SMALL_SCREEN))
        found = set()
        for _format in formats(dialog):
            stage.wait_for(lambda: not cut_off(dialog), 1.0)
            found |= cut_off(dialog)
        if dialog.size().boundedTo(SMALL_SCREEN) != dialog.size() and not isinstance(dialog, ExportDialog):
            found.add(f"{dialog.width()} × {dialog.height()}")
        if not any(button.isDefault() for button in dialog.findChildren(QPushButton)):
            found.add("no default button")
        flaws[f"{dialog.windowTitle()} {len(flaws)}"] = found
        dialog.hide()

    def ask(dialog: Any) -> None:
        if isinstance(dialog, VariantsDialog):
            dialog.show()
            assert stage.wait_for(lambda: bool(dialog.cells))
        look(dialog)

    stage.answers.ask = ask  # type: ignore[method-assign]
    stage.answers.on_workshop = stage.answers.on_profiles = stage.answers.on_send = look
    monkeypatch.setattr(QMessageBox, "open", look)
    monkeypatch.setattr(ShortcutsDialog, "open", look)
    commands = [name for name in ASKED if name in stage.window.actions_]
    for name in commands:
        before = len(flaws)
        stage.window.actions_[name].trigger()
        assert stage.wait_for(lambda before=before: len(flaws) > before), name  # type: ignore[misc]
    assert len(flaws) >= len(commands)
    assert not {title: found for title, found in flaws.items() if found}


def test_no_text_of_a_question_is_cut_off(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    flaws = []

    def look(box: QMessageBox) -> int:
        box.show()
        QApplication.processEvents()
        flaws.append(cut_off(box))
        box.hide()
        return 0

    monkeypatch.setattr(QMessageBox, "exec", look)
    dialogs = Dialogs(None)
    name = "A design with a name that is as long as names of files are now and then"
    dialogs.unsaved(name)
    dialogs.unsaved_game(name)
    dialogs.changed(name)
    assert flaws == [set(), set(), set()]
