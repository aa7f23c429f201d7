"""How long the window stops answering at most, while the heaviest designs are opened, turned, repaired, exported.

A timer beats in the GUI thread; a freeze is the longest time between two beats. Beside it is the most CPU time that the
GUI thread took between two beats, which counts however busy the computer is, and the floor: the longest gap in an empty
window while another thread computes with numpy. Each case runs in a process of its own, `RUNS` times, and the least of
its longest gaps counts. With names of cases only these run.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QEventLoop, QObject, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from benchmarks.report import Row, show
from studio.files.store import save
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import Board, CalendarDesign, Label, Piece
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.kind import AnyKind
from studio.ui.session.dialogs import Dialogs, Unsaved
from studio.ui.session.document import Document
from studio.ui.session.opening import Opened
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import _begin_to_collect, make_application
from studio.ui.shell.window import Window
from studio.ui.solid.view import SolidView
from studio.ui.widgets.theme import apply, light_theme, picture_font

RUNS = 3
GOAL = 100.0
BEAT_MS, AT_REST_MS = 1, 600
"""Every how many ms the heart beats, and how long nothing must be under way at the end of a step."""
LONGEST_S = 240
TURNS = 24


@dataclass
class Gaps:
    """The longest time between two beats of a step, and the most CPU time of the GUI thread in one, in ms."""

    wall: float = 0.0
    cpu: float = 0.0


class Heart(QObject):
    """Beats in the GUI thread."""

    def __init__(self) -> None:
        super().__init__()
        self.found: dict[str, Gaps] = {}
        self.step = ""
        self._last = (time.perf_counter(), time.thread_time())
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.beat)
        self._timer.start()

    def begin(self, step: str) -> None:
        """Begin to measure another step."""
        self.beat()
        self.step = step
        if step:
            self.found.setdefault(step, Gaps())

    def beat(self) -> None:
        """Note how long ago the last beat was."""
        now = time.perf_counter(), time.thread_time()
        wall, own = (1000 * (new - old) for new, old in zip(now, self._last, strict=True))
        if self.step:
            gaps = self.found[self.step]
            gaps.wall, gaps.cpu = max(gaps.wall, wall), max(gaps.cpu, own)
        self._last = now


class Yes(Dialogs):
    """Agrees to every export, to a file in a folder."""

    folder: Path = Path()

    def ask(self, dialog: Any) -> Any:
        """Accept what a dialog proposes, once it was in sight."""
        request = dialog.request()
        dialog.show()
        QApplication.processEvents()
        dialog.hide()
        field = "target" if hasattr(request, "target") else "path"
        return request._replace(**{field: self.folder / f"out{getattr(request, field).suffix}"})

    def unsaved(self, title: str) -> Unsaved:
        """Leave changes unsaved."""
        return Unsaved.DISCARD


class Case:
    """A window on a design, and what a maker does in it."""

    def __init__(self, heart: Heart, folder: Path) -> None:
        self.heart, self.folder = heart, folder
        self.window: Window

    def do(self, step: str, act: Callable[[], object]) -> None:
        """Have something done from the event loop, and wait until nothing is under way."""
        loop, deadline = QEventLoop(), time.perf_counter() + LONGEST_S
        calm = [0.0]

        def look() -> None:
            now = time.perf_counter()
            if self.is_busy or calm[0] == 0.0:
                calm[0] = now
            if now - calm[0] > AT_REST_MS / 1000 or now > deadline:
                loop.quit()

        watcher = QTimer(interval=20)
        watcher.timeout.connect(look)
        self.heart.begin(step)
        QTimer.singleShot(0, act)
        QTimer.singleShot(0, watcher.start)
        loop.exec()
        self.heart.begin("")

    @property
    def is_busy(self) -> bool:
        """Whether work is under way or something in space moves."""
        views = self.window.findChildren(SolidView)
        return bool(self.window.jobs._alive) or any(view.is_moving and view.isVisible() for view in views)

    def open(self, kind: AnyKind, design: object) -> None:
        """Open a file in a window that shows an example of its kind."""
        preferences = Preferences(QSettings(str(self.folder / "settings.ini"), QSettings.Format.IniFormat))
        answers = Yes(None)
        answers.folder = self.folder

        def begin() -> None:
            self.window = Window(Document(kind, kind.example()), preferences, answers)
            self.window.filing.opened.connect(opened)
            self.window.show()

        def opened(found: Opened, path: Path, _is_saved: bool) -> None:
            before = self.window
            document = Document(kind, found.saved.design, path, found.saved.digest)
            self.window = Window(document, preferences, answers, found.sight)
            self.window.show()
            before.give_up()
            before.deleteLater()

        path = self.folder / "design.puzzle"
        save(path, kind, design)
        self.do("", begin)
        self.do("opened", lambda: self.window.filing.open(path))

    def run(self, name: str) -> None:
        """A command of the menus."""
        self.window.actions_[name].trigger()

    def turned(self) -> None:
        """Turn what is in space by the mouse, a move in each turn of the loop, and let it come to rest."""
        view = next(view for view in self.window.findChildren(SolidView) if view.isVisible())
        middle = QPointF(view.rect().center())
        moves = iter([middle + QPointF(5.0 * step, 2.0 * step) for step in range(TURNS)])
        send(view, QEvent.Type.MouseButtonPress, middle, Qt.MouseButton.LeftButton)
        timer = QTimer(view, interval=15)

        def move() -> None:
            place = next(moves, None)
            if place is not None:
                send(view, QEvent.Type.MouseMove, place, Qt.MouseButton.LeftButton)
            else:
                timer.stop()
                send(view, QEvent.Type.MouseButtonRelease, middle, Qt.MouseButton.NoButton)

        timer.timeout.connect(move)
        timer.start()


def send(widget: QWidget, kind: QEvent.Type, place: QPointF, held: Qt.MouseButton) -> None:
    """A mouse event."""
    none = Qt.KeyboardModifier.NoModifier
    button = Qt.MouseButton.NoButton if kind is QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    event = QMouseEvent(kind, place, widget.mapToGlobal(place), button, held, none)
    QApplication.sendEvent(widget, event)


def cube(case: Case, parameters: CubeParameters) -> None:
    """A cube: on the plate and back, turned, repaired, written as 3MF."""
    case.open(CUBE, CubeDesign(parameters))
    window = case.window
    case.do("plate", lambda: window.show_view("plate"))
    case.do("model", lambda: window.show_view("model"))
    case.do("turned", case.turned)
    case.do("exploded", lambda: case.window.extension.panel.slider.setValue(500))  # type: ignore[attr-defined]
    case.do("written as 3MF", lambda: case.run("print"))
    case.do("another seed", lambda: window.form.edit("Seed", replace(parameters, seed=8), None))
    finding = next((one for one in window.pipeline.findings or () if one.repair is not None), None)
    if finding is not None:
        case.do("repaired", lambda: window._repair(finding))


def jigsaw(case: Case, parameters: JigsawParameters, *, printed: bool) -> None:
    """A jigsaw: opened, in space or exported, changed."""
    case.open(JIGSAW, JigsawDesign(parameters))
    if printed:
        case.do("3-D", lambda: case.window.show_view("space"))
        case.do("turned", case.turned)
        case.do("written as 3MF", lambda: case.run("print"))
        return
    case.do("zoomed", lambda: case.window.canvas.view.zoom_by(3.0))
    case.do("fitted", lambda: case.window.canvas.view.fit())
    edited = replace(parameters, seed=77)
    case.do("another seed", lambda: case.window.form.edit("Seed", edited, None))


def tray(case: Case) -> None:
    """The largest calendar board, whose tray is printed."""
    board = Board(("." * 24,) * 24, (Label("A1", "month", 1, "Jan"), Label("B2", "day", 31, "31")))
    pieces = tuple(Piece(f"p{at}", ("#" * 24,)) for at in range(23))
    case.open(CALENDAR, CalendarDesign(board=board, pieces=pieces))
    case.do("drawing", lambda: case.window.show_view("drawing"))
    case.do("written as 3MF", lambda: case.run("print"))


HEAVY = CubeParameters(x=12, y=12, z=12, style="voxel", segments=128)
LARGE = JigsawParameters(columns=200, rows=200, width=5000.0, height=5000.0)
BOARD = JigsawParameters(columns=25, rows=20, width=500.0, height=400.0)
CASES: dict[str, Callable[[Case], None]] = {
    "12 × 12 × 12 voxels, 128 segments": lambda case: cube(case, HEAVY),
    "4 × 4 × 4, 128 segments": lambda case: cube(case, CubeParameters(segments=128)),
    "a cube of three mistakes": lambda case: cube(case, CubeParameters(snap=1.5, radius=4.0, gap=0.6)),
    "a calendar of 24 × 24": tray,
    "a jigsaw of 200 × 200": lambda case: jigsaw(case, LARGE, printed=False),
    "a printed jigsaw of 500": lambda case: jigsaw(case, BOARD, printed=True),
}


def measured(name: str) -> dict[str, tuple[float, float]]:
    """The gaps of each step of a case."""
    apply(make_application(), light_theme(), picture_font())
    heart = Heart()
    _begin_to_collect()
    with tempfile.TemporaryDirectory() as folder:
        case = Case(heart, Path(folder))
        CASES[name](case)
        case.window.give_up()
    return {step: (gaps.wall, gaps.cpu) for step, gaps in heart.found.items()}


def floor() -> float:
    """The longest gap in an empty window while another thread sorts numbers, in ms."""
    make_application()
    window = QMainWindow()
    window.show()
    heart, ends = Heart(), threading.Event()

    def burn() -> None:
        numbers = np.random.default_rng(1).random(200_000)
        while not ends.is_set():
            np.unique(numbers)

    thread = threading.Thread(target=burn)
    thread.start()
    loop = QEventLoop()
    heart.begin("floor")
    QTimer.singleShot(2000, loop.quit)
    loop.exec()
    ends.set()
    thread.join()
    window.close()
    return heart.found["floor"].wall


def runs(name: str) -> Iterator[dict[str, tuple[float, float]]]:
    """The gaps of a case in several processes."""
    for _ in range(RUNS):
        ended = subprocess.run(
            [sys.executable, __file__, "--case", name], capture_output=True, text=True, check=True, timeout=1800
        )
        yield json.loads(ended.stdout.splitlines()[-1])


def main() -> None:
    """Measure and print."""
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--case" in sys.argv:
        print(json.dumps(measured(words[0])), flush=True)
        os._exit(0)
    least, peer = floor(), "floor: an empty window beside numpy"
    rows = []
    for name in words or CASES:
        found = list(runs(name))
        for step in found[0]:
            wall = min(one[step][0] for one in found)
            own = min(one[step][1] for one in found)
            rows.append(Row(f"{name}: {step}", round(wall, 1), "ms", GOAL, peer, round(least, 1)))
            rows.append(Row("   of which CPU time of the GUI thread", round(own, 1), "ms", GOAL, peer, round(least, 1)))
    show(rows)


if __name__ == "__main__":
    main()
