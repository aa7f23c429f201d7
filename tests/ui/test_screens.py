"""Windows and dialogs fit the screens that makers have: nothing of a first window lies beside the screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QRect, QSettings, QSize
from PySide6.QtWidgets import QApplication, QDialog, QScrollArea, QWidget

from studio.puzzles.registry import KINDS, kind
from studio.ui.kinds.calendar.extension import CalendarExtension
from studio.ui.kinds.calendar.solutions import SolutionsPage
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.preferences import Preferences
from studio.ui.shell.manual_window import NAME, ManualWindow
from studio.ui.shell.tabs import FIRST_SIZE, Shell
from studio.ui.widgets.layout import room_on_screen
from tests.ui.stage import KindStage, destroy

ROOT = Path(__file__).resolve().parents[2]


def preferences(folder: Path) -> Preferences:
    return Preferences(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))


def geometry(size: QSize, left: int, top: int) -> QByteArray:
    """The geometry of a window as it was kept on a screen that is not here."""
    window = QDialog()
    window.setGeometry(left, top, size.width(), size.height())
    kept = window.saveGeometry()
    destroy(window)
    return kept


def test_the_first_window_is_no_larger_than_its_screen(qapp: QApplication, tmp_path: Path) -> None:
    shell = Shell(preferences(tmp_path))
    room = room_on_screen(shell).size()
    assert shell.size() == FIRST_SIZE.boundedTo(room) and room.width() < shell.screen().size().width()
    destroy(shell)


@pytest.mark.parametrize(("left", "top"), [(0, 0), (2600, 40), (-1900, 900)])
def test_a_window_restored_from_a_larger_screen_lies_on_this_one(
    qapp: QApplication, tmp_path: Path, left: int, top: int
) -> None:
    kept = preferences(tmp_path)
    kept.set_window_layout(geometry(QSize(2400, 1300), left, top), QByteArray())
    kept.set_geometry(NAME, geometry(QSize(1900, 1200), left, top))
    for window in (Shell(kept), ManualWindow(ROOT / "docs" / "manual", kept)):
        assert room_on_screen(window).contains(window.geometry())
        destroy(window)


def test_a_window_that_fits_comes_back_where_it_was(qapp: QApplication, tmp_path: Path) -> None:
    kept = preferences(tmp_path)
    kept.set_window_layout(geometry(QSize(760, 520), 11, 60), QByteArray())
    shell = Shell(kept)
    assert shell.geometry() == QRect(11, 60, 760, 520)
    destroy(shell)


def test_a_dialog_is_no_larger_than_its_screen(qapp: QApplication) -> None:
    dialog = QDialog()
    dialog.resize(1900, 1200)
    Dialogs(None)._prepare(dialog)
    assert dialog.size() == room_on_screen(dialog).size()
    dialog.resize(300, 200)
    Dialogs(None)._prepare(dialog)
    assert dialog.size() == QSize(300, 200)
    destroy(dialog)


SHOWN = """
import sys
from functools import partial
from pathlib import Path
from PySide6.QtCore import QPoint, QRect, QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolBar
from studio.puzzles.registry import kind
from studio.ui.widgets.layout import room_on_screen
from studio.ui.session.document import Document
from studio.ui.shell.app import make_application
from studio.ui.shell.open_documents import OpenDocuments
from studio.ui.session.preferences import Preferences
app = make_application()
preferences = Preferences(QSettings(sys.argv[1], QSettings.Format.IniFormat))
desk = OpenDocuments(preferences, Path(sys.argv[2]))
for key in sys.argv[3:]:
    window = desk.show(Document(kind(key), kind(key).example()))
    for view in window.middle.views:
        window.show_view(view.name)
        QTest.qWait(20)
        shell = desk.shell
        assert room_on_screen(shell).size().expandedTo(shell.size()) == room_on_screen(shell).size(), (key, view.name)
        # Qt keeps a panel whose tab is not the current one visible, beside the window.
        docks = [dock for dock in window.docks if not window.tabifiedDockWidgets(dock) or dock.x() >= 0]
        assert docks, (key, view.name)
        parts = [window.statusBar(), window.menuBar(), *docks, *window.findChildren(QToolBar)]
        for part in parts:
            place = QRect(part.mapTo(shell, QPoint()), part.size())
            assert part.isVisible() and shell.rect().contains(place), (key, view.name, part, place)
print(app.primaryScreen().size().toTuple())
import os
os._exit(0)
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("size", "scale", "seen", "keys"),
    [
        ((1366, 768), "1", "(1366, 768)", ["jigsaw"]),
        ((1920, 1080), "1.5", "(1280, 720)", ["calendar"]),
        ((1024, 700), "1", "(1024, 700)", list(KINDS)),
        ((1280, 800), "2", "(640, 400)", ["jigsaw", "slitherlink"]),
    ],
)
def test_status_bar_export_and_inspector_of_every_view_are_on_small_screens(
    tmp_path: Path, size: tuple[int, int], scale: str, seen: str, keys: list[str]
) -> None:
    screen = {"name": "one", "x": 0, "y": 0, "width": size[0], "height": size[1], "logicalDpi": 96,
              "logicalBaseDpi": 96, "dpr": 1}  # fmt: skip
    (tmp_path / "screens.json").write_text(json.dumps({"screens": [screen]}))
    environment = os.environ | {
        "QT_QPA_PLATFORM": f"offscreen:configfile={tmp_path / 'screens.json'}", "QT_SCALE_FACTOR": scale,
        "PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(tmp_path),
    }  # fmt: skip
    command = [sys.executable, "-c", SHOWN, str(tmp_path / "s.ini"), str(tmp_path / "state"), *keys]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout == f"{seen}\n", done.stderr


def has_room(widget: QWidget) -> bool:
    """Whether a widget is as large as it must be; what it shows may need more when it comes."""
    least = widget.minimumSizeHint()
    return widget.width() >= least.width() and widget.height() >= least.height()


@pytest.mark.sampled(5)
@pytest.mark.parametrize("key", KINDS)
def test_a_view_fills_its_room_and_is_scrolled_only_where_it_must_be(
    qapp: QApplication, tmp_path: Path, key: str
) -> None:
    stage = KindStage(tmp_path, kind(key), size=(1280, 800))
    for width, height in ((1280, 800), (1016, 630), (760, 520)):
        stage.window.resize(width, height)
        for view in stage.window.middle.views:
            stage.window.show_view(view.name)
            QApplication.processEvents()
            area = stage.window.middle.currentWidget()
            assert isinstance(area, QScrollArea) and area.isAncestorOf(view.widget)
            room = area.maximumViewportSize()
            if (width, height) == (1280, 800):
                assert view.widget.size() == room, view.name
            assert stage.wait_for(partial(has_room, view.widget)), view.name
            if view.widget.minimumSizeHint().width() <= room.width():
                assert not area.horizontalScrollBar().isVisible() or view.widget.height() > room.height()
    stage.document.history.setClean()
    stage.close()


def test_a_small_screen_shows_the_texts_beside_a_calendar_whole(qapp: QApplication, tmp_path: Path) -> None:
    stage = KindStage(tmp_path, kind("calendar"), size=(1016, 626))
    extension = stage.window.extension
    assert isinstance(extension, CalendarExtension)
    page = extension.pages[0]
    assert isinstance(page, SolutionsPage)
    assert stage.wait_for(lambda: "search nodes" in page.result.text())
    page.grab()
    assert (page.result.toolTip(), page.search_bar.words.toolTip()) == ("", ""), "a text cut short has a tool tip"
    stage.document.history.setClean()
    stage.close()
