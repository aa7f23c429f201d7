"""Real keys and a real mouse on a real X server, where focus and grabs are the server's and not Qt's own.

There is no window manager, so the window lies at the screen's corner and takes the focus when it is asked to.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QToolTip

from studio.files import store
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.shell.palette import Palette
from studio.ui.shell.shortcuts import LatinKeys
from tests.ui.stage import Stage
from tests.ui.test_cube_net import NetStage, can_be_had
from tests.ui.test_cube_view import FRONT, CubeStage, can_have

ROOT = Path(__file__).parents[2]
PATIENCE = 15.0
"""Seconds within which a loaded machine has shown a window, saved a file or ended a program."""

pytestmark = [
    pytest.mark.x11,
    pytest.mark.skipif(shutil.which("xdotool") is None, reason="xdotool is not installed"),
    pytest.mark.skipif(os.environ.get("QT_QPA_PLATFORM") != "xcb", reason="the tests do not run on an X server"),
]


def xdotool(*words: str) -> str:
    """What xdotool answers when it has done this; windows of this process answer it meanwhile."""
    process = subprocess.Popen(["xdotool", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        assert wait_for(lambda: process.poll() is not None), f"xdotool {' '.join(words)} does not come to an end"
    finally:
        process.kill()
    answer, _ = process.communicate()
    return answer


def window_named(pattern: str) -> str:
    """The number of a window, once it is seen; xdotool ends with an error where another goes while it looks."""
    found: list[str] = []

    def is_found() -> bool:
        words = [] if found else xdotool("search", "--onlyvisible", "--name", pattern).split()
        found.extend(words if all(word.isdigit() for word in words) else ())
        return bool(found)

    assert wait_for(is_found), f"no window is named {pattern}"
    return found[0]


def wait_for(what: Callable[[], bool]) -> bool:
    """Wait until a condition holds, and let this process's windows live; returns whether it came to hold."""
    until = time.monotonic() + PATIENCE
    while not what() and time.monotonic() < until:
        if QGuiApplication.instance() is not None:
            QApplication.processEvents()
        time.sleep(0.005)
    return what()


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path)
    xdotool("windowfocus", str(int(made.window.winId())))
    assert wait_for(made.window.isActiveWindow)
    yield made
    made.close()


def on_screen(stage: Stage, place: QPoint) -> list[str]:
    """A place of the canvas as xdotool wants it."""
    there = stage.window.canvas.view.viewport().mapToGlobal(place)
    return [str(there.x()), str(there.y())]


def pull(stage: Stage, start: QPoint, by: QPoint) -> None:
    """Press the button at a place of the canvas and move the mouse, in steps; the button stays down."""
    xdotool("mousemove", *on_screen(stage, start), "mousedown", "1")
    for step in range(1, 5):
        xdotool("mousemove", *on_screen(stage, start + by * step / 4))


def test_a_corner_follows_a_real_mouse_and_is_saved_by_a_real_key(stage: Stage, tmp_path: Path) -> None:
    stage.answers.save = tmp_path / "shaped.puzzle"
    start = stage.corner("5,3")
    pull(stage, start, QPoint(12, 8))
    try:
        assert wait_for(lambda: (stage.corner("5,3") - start - QPoint(12, 8)).manhattanLength() <= 2)
        assert not stage.design.corners, "nothing is decided before the button is let go"
    finally:
        xdotool("mouseup", "1")
    assert wait_for(lambda: [edit.name for edit in stage.design.corners] == ["5,3"])
    xdotool("key", "ctrl+s")
    assert wait_for(lambda: not stage.document.is_modified)
    assert (tmp_path / "shaped.puzzle").read_bytes() == stage.bytes


def test_escape_gives_a_real_drag_up_and_the_button_that_is_still_down_does_nothing(stage: Stage) -> None:
    start, beginning = stage.corner("5,3"), stage.bytes
    pull(stage, start, QPoint(40, 25))
    try:
        assert wait_for(lambda: stage.corner("5,3") != start)
        xdotool("key", "Escape")
        assert wait_for(lambda: stage.corner("5,3") == start)
        xdotool("mousemove", *on_screen(stage, start + QPoint(60, 60)))
    finally:
        xdotool("mouseup", "1")
    stage.settle()
    assert stage.bytes == beginning and stage.document.history.count() == 0
    assert stage.corner("5,3") == start


def test_the_studio_is_opened_worked_in_by_keys_saved_and_closed(tmp_path: Path) -> None:
    path = tmp_path / "by-keys.puzzle"
    store.save(path, JIGSAW, JigsawDesign(JigsawParameters(columns=4, rows=3)))
    settings = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    command = [sys.executable, "-m", "studio", str(path)]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stderr=subprocess.PIPE, text=True) as studio:
        try:
            xdotool("windowfocus", "--sync", window_named("^by-keys"))
            xdotool("key", "ctrl+a", "f", "ctrl+s")
            assert wait_for(lambda: len(read(path).tongues) == 4 * 2 + 3 * 3), "the canvas has the focus at first"
            xdotool("key", "ctrl+q")
            assert wait_for(lambda: studio.poll() is not None), "the program ends with its window"
        finally:
            studio.kill()
        assert studio.stderr is not None and studio.stderr.read() == ""
        assert studio.returncode == 0


def test_a_cube_is_turned_taken_apart_picked_and_edited_by_a_real_hand(qapp: QApplication, tmp_path: Path) -> None:
    cube = CubeStage(tmp_path)
    xdotool("windowfocus", str(int(cube.window.winId())))
    assert wait_for(cube.window.isActiveWindow)
    view = cube.view

    def there(place: QPoint) -> list[str]:
        at = view.mapToGlobal(place)
        return [str(at.x()), str(at.y())]

    yaw = view.camera.yaw
    xdotool("mousemove", *there(QPoint(30, 30)), "mousedown", "1")
    for step in range(1, 5):
        xdotool("mousemove", *there(QPoint(30 + 10 * step, 30)))
    xdotool("mouseup", "1")
    assert wait_for(lambda: not view.is_dragging) and view.camera.yaw == pytest.approx(yaw - 16)
    view.setFocus()
    xdotool("key", "1")
    assert wait_for(lambda: view.camera.yaw == -90)
    xdotool("mousemove", *there(cube.at(20, 0, 20)), "click", "1")
    assert wait_for(lambda: cube.extension.selection.piece == FRONT)
    box = cube.shapes.partition.shell
    edge = next(name for name in box.names[:24] if can_have(cube, FRONT, name))
    x, _, z = ((box.places[box.indices[edge]] + 0.5) * 10).tolist()
    xdotool("mousemove", *there(cube.at(x, 0, z)), "keydown", "shift", "click", "1", "keyup", "shift")
    assert wait_for(lambda: cube.owner(edge) == FRONT) and cube.document.history.count() == 1
    xdotool("key", "ctrl+z")
    assert wait_for(lambda: cube.owner(edge) != FRONT)
    cube.extension.panel.slider.setFocus()
    xdotool("key", "End")
    assert wait_for(lambda: all(abs(each.shift).max() > 14 for each in view.scene.placed))
    assert not view.grab().toImage().isNull()
    cube.close()


def test_a_voxel_is_given_in_the_net_by_a_real_mouse_and_by_real_keys(qapp: QApplication, tmp_path: Path) -> None:
    stage = NetStage(tmp_path)
    xdotool("windowfocus", str(int(stage.window.winId())))
    assert wait_for(stage.window.isActiveWindow)

    def there(place: QPoint) -> list[str]:
        at = stage.canvas.viewport().mapToGlobal(place)
        return [str(at.x()), str(at.y())]

    xdotool("mousemove", *there(stage.core(FRONT)), "click", "1")
    assert wait_for(lambda: stage.extension.selection.piece == FRONT)
    name = can_be_had(stage, FRONT)[0]
    xdotool("key", "m")
    xdotool("mousemove", *there(stage.voxel(name)))
    assert wait_for(lambda: stage.panel.item.toolTip() == f"Move {name} to C")
    assert wait_for(lambda: QToolTip.text() == f"Move {name} to C"), "a mouse that rests is told what a click does"
    xdotool("click", "1")
    assert wait_for(lambda: stage.owner(name) == FRONT) and stage.document.history.count() == 1
    xdotool("key", "ctrl+z")
    assert wait_for(lambda: stage.owner(name) != FRONT)
    owner = stage.owner(name)
    xdotool("mousemove", *there(QPoint(5, 5)), "click", "1")
    assert wait_for(lambda: stage.extension.selection.piece is None)
    xdotool("mousemove", *there(stage.voxel(name)), "click", "--repeat", "2", "--delay", "60", "1")
    assert wait_for(lambda: stage.owner(name) != owner) and stage.document.history.count() == 1
    xdotool("key", "Escape")
    xdotool("mousemove", *there(QPoint(5, 5)))
    xdotool("key", "Down")
    assert wait_for(lambda: stage.panel.item.stop is not None)
    xdotool("key", "Right")
    xdotool("key", "Return")
    assert wait_for(lambda: stage.window.notices.notice() is not None), "this one would cut a piece in two"
    xdotool("key", "Right")
    xdotool("key", "Return")
    assert wait_for(lambda: stage.document.history.count() == 2)
    stage.close()


def read(path: Path) -> JigsawDesign:
    """The jigsaw in a file."""
    design = store.load(path).design
    assert isinstance(design, JigsawDesign)
    return design


def set_layout(name: str) -> None:
    """Set up one keyboard layout alone."""
    subprocess.run(["setxkbmap", name], check=True, timeout=PATIENCE)


def press(*codes: int) -> None:
    """Press keys by their places, all but the last held meanwhile; 37 is Ctrl, 64 Alt and 50 Shift."""
    *held, last = map(str, codes)
    words = [word for code in held for word in ("keydown", code)]
    up = [word for code in reversed(held) for word in ("keyup", code)]
    xdotool(*words, "key", last, *up)


@pytest.fixture(params=["ru", "gr", "ara", "il"])
def layout(request: pytest.FixtureRequest) -> Iterator[str]:
    if shutil.which("setxkbmap") is None:
        pytest.skip("setxkbmap is not installed")
    set_layout(request.param)
    yield request.param
    set_layout("us")


def test_without_a_latin_layout_shortcuts_are_heard_by_their_places(layout: str, tmp_path: Path) -> None:
    path = tmp_path / "by-places.puzzle"
    store.save(path, JIGSAW, JigsawDesign(JigsawParameters(columns=4, rows=3)))
    settings = {name: str(tmp_path) for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_DATA_HOME")}
    command = [sys.executable, "-m", "studio", str(path)]
    with subprocess.Popen(command, cwd=ROOT, env=os.environ | settings, stderr=subprocess.PIPE, text=True) as studio:
        try:
            xdotool("windowfocus", "--sync", window_named("^by-places"))
            time.sleep(KEYS_AFTER)
            press(37, 38)  # Ctrl+A
            press(41)  # F: flip
            press(37, 39)  # Ctrl+S
            assert wait_for(lambda: len(read(path).tongues) == 4 * 2 + 3 * 3)
            press(37, 24)  # Ctrl+Q
            assert wait_for(lambda: studio.poll() is not None)
        finally:
            studio.kill()
        assert studio.stderr is not None and studio.stderr.read() == ""
        assert studio.returncode == 0


def test_text_fields_receive_the_layouts_own_letters_and_chords_edit_them(stage: Stage, layout: str) -> None:
    LatinKeys(QGuiApplication.instance())  # type: ignore[arg-type]  # the tests' application is made by pytest-qt
    stage.window.canvas.view.clearFocus()
    stage.window.canvas.view.setFocus()
    press(37, 45)  # Ctrl+K
    assert wait_for(lambda: stage.window.findChild(Palette) is not None)
    palette = stage.window.findChild(Palette)
    assert palette is not None and wait_for(palette.line.hasFocus)
    for code in (41, 40, 44):
        press(code)
    assert wait_for(lambda: len(palette.line.text()) == 3)
    written = palette.line.text()
    assert written.isalpha() and not written.isascii()
    press(37, 38)  # Ctrl+A
    assert wait_for(lambda: palette.line.selectedText() == written)
    press(37, 53)  # Ctrl+X
    assert wait_for(lambda: palette.line.text() == "")
    press(37, 55)  # Ctrl+V
    assert wait_for(lambda: palette.line.text() == written)


def test_a_menu_opens_by_its_letter_without_a_latin_layout(stage: Stage, layout: str) -> None:
    LatinKeys(QGuiApplication.instance())  # type: ignore[arg-type]
    stage.window.canvas.view.clearFocus()
    stage.window.canvas.view.setFocus()
    press(64, 55)  # Alt+V
    assert wait_for(lambda: isinstance(QApplication.activePopupWidget(), QMenu))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu) and menu.title() == "&View"
    menu.close()


KEYS_AFTER = 3.0
"""Seconds after which a window hears keys by their places: a start does not wait for that."""
