"""From the start page to the file of every kind in four clicks of a real mouse, on a real X server."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QSettings, QTimer
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QToolButton, QWidget

from studio.puzzles.registry import KINDS
from studio.ui.session.preferences import Preferences
from studio.ui.shell import app as shell
from tests.ui.test_on_x import PATIENCE, wait_for, xdotool

pytestmark = [
    pytest.mark.x11,
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="xdotool is not installed"),
    pytest.mark.skipif(os.environ.get("QT_QPA_PLATFORM") != "xcb", reason="the tests do not run on an X server"),
]
MOST_CLICKS = 4
RESTS = 4
"""How many looks a place must be the same before it is clicked."""
SKIPPED = QPoint(-1, -1)
"""What a step answers that needs no click."""


class Clicker:
    """Clicks what each step names as soon as it is there, also in dialogs that block; counts the clicks."""

    def __init__(self, steps: list[Callable[[], QWidget | QPoint | None]]) -> None:
        self.clicks = 0
        self._steps = steps
        self._place, self._rested, self._last = QPoint(), 0, time.monotonic()
        self._running: subprocess.Popen[bytes] | None = None
        self._timer = QTimer(interval=150)
        self._timer.timeout.connect(self._go_on)
        self._timer.start()

    @property
    def is_done(self) -> bool:
        """Whether every step has been clicked."""
        return not self._steps and (self._running is None or self._running.poll() is not None)

    def _go_on(self) -> None:
        front = QApplication.activeModalWidget()
        if isinstance(front, QDialog) and time.monotonic() - self._last > 2 * PATIENCE:
            # Nothing has come of it; a dialog that stays open would hold the test for ever.
            front.reject()
        if not self._steps or (self._running is not None and self._running.poll() is None):
            return
        found = self._steps[0]()
        if found is None:
            return
        if found is SKIPPED:
            self._steps.pop(0)
            return
        place = found if isinstance(found, QPoint) else found.mapToGlobal(found.rect().center())
        self._rested = self._rested + 1 if place == self._place else 0
        self._place = place
        if self._rested < RESTS:
            # A window that has just come up may still be moved, as a person sees.
            return
        self._steps.pop(0)
        self.clicks += 1
        self._last = time.monotonic()
        where = [str(place.x()), str(place.y())]
        self._running = subprocess.Popen(["xdotool", "mousemove", *where, "click", "1"])


def shown_button(words: str) -> Callable[[], QWidget | None]:
    """A button in sight whose words begin so, in the dialog that is open where there is one."""

    def find() -> QWidget | None:
        front = QApplication.activeModalWidget() or QApplication.activeWindow()
        buttons = [] if front is None else front.findChildren(QAbstractButton)
        ready = [one for one in buttons if one.isVisible() and one.isEnabled() and one.text().startswith(words)]
        return ready[0] if ready else None

    return find


def for_the_laser() -> QPoint | None:
    """The last entry of the open menu of exports; where there is but one export the dialog is open already."""
    if QApplication.activeModalWidget() is not None:
        return SKIPPED
    menu = QApplication.activePopupWidget()
    if not isinstance(menu, QMenu):
        return None
    return menu.mapToGlobal(menu.actionGeometry(menu.actions()[-1]).center())


def written(folder: Path) -> list[Path]:
    """The files for the laser in a folder, but for those that are still being written."""
    return [*folder.glob("[!.]*.dxf"), *folder.glob("[!.]*.svg")]


@pytest.mark.parametrize("key", KINDS)
def test_four_clicks_lead_from_the_start_page_to_the_file(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    hook = sys.excepthook
    house = shell._House(Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)))
    house.start()
    page = house.page
    assert page is not None
    xdotool("windowfocus", str(int(house.shell.winId())))
    assert wait_for(house.shell.isActiveWindow)

    def export() -> QWidget | None:
        window = None if house.desk is None else house.desk.window
        if window is None or not window.isVisible():
            return None
        if not window.isActiveWindow():
            window.activateWindow()
        tools = [one for one in window.findChildren(QToolButton) if one.text().startswith("Export") and one.isVisible()]
        return tools[0] if tools and tools[0].isEnabled() else None

    steps: list[Callable[[], QWidget | QPoint | None]] = [lambda: page.kinds[list(KINDS).index(key)], export]
    steps += [for_the_laser, shown_button("Export")]
    clicker = Clicker(steps)
    try:
        assert any(wait_for(lambda: clicker.is_done) for _ in range(4)), f"{clicker.clicks} clicks were done"
        assert house.desk is not None
        assert any(wait_for(lambda: bool(written(tmp_path))) for _ in range(4)), [*tmp_path.iterdir()]
        assert clicker.clicks <= MOST_CLICKS and written(tmp_path)[0].stat().st_size > 1000
    finally:
        sys.excepthook = hook
        if house.desk is not None:
            writing = house.desk.window.session.writing
            wait_for(lambda: not writing.is_writing)
            house.desk.window.give_up()
        assert house.shell.close()
        house.shell.deleteLater()
