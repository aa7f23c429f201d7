"""What must be fast under a hand: a corner or a figure dragged in the window, and the memory of a large board."""

from __future__ import annotations

import gc
import math
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsPathItem, QGraphicsScene, QGraphicsView

from benchmarks import yardstick
from benchmarks.report import Row, high, median, show
from studio.base.progress import SILENT
from studio.puzzles.jigsaw.figures.figure_edits import with_figures_posed
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.ui.canvas.paths import cosmetic, curved
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font
from tests.classic import classic

MOVES = 200
SIZE = 1600, 1000
OPEN_ONLY = "--open-only"


def grid(columns: int, rows: int) -> JigsawParameters:
    """A board of square pieces."""
    return classic(columns=columns, rows=rows, width=25.0 * columns, height=25.0 * rows)


def window_on(design: JigsawDesign, folder: Path) -> Window:
    """The window on a board, checked, and at rest."""
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = Window(Document(JIGSAW, design), Preferences(settings))
    window.resize(*SIZE)
    window.show()
    QTest.qWait(50)
    window.pipeline.finish()
    QTest.qWait(50)
    return window


def send(window: Window, kind: QEvent.Type, place: QPoint, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    """One mouse event to the canvas, and all that follows from it, paint included."""
    viewport = window.canvas.view.viewport()
    screen = QPointF(viewport.mapToGlobal(place))
    event = QMouseEvent(kind, QPointF(place), screen, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, event)
    QApplication.processEvents()


def linger(seconds: float) -> None:
    """Leave the window alone for a while; QTest would do so, too, but would let no thread have its turn."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        QApplication.processEvents()
        time.sleep(0.001)


def circle(step: int) -> QPoint:
    """A small circle, so that each move differs from the last."""
    return QPoint(round(6 * math.sin(step * 0.5)), round(6 * math.cos(step * 0.5)))


def dragged(window: Window, corner: int) -> tuple[list[float], list[float]]:
    """How long each move of a corner took until it was checked and painted, and for how long of it the GUI thread had a
    core, in ms."""
    shapes = window.pipeline.shapes
    assert isinstance(shapes, JigsawShapes)
    x, y = shapes.corners[corner].tolist()
    start = window.canvas.view.mapFromScene(QPointF(x, y))
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    send(window, QEvent.Type.MouseMove, start, none, none)
    send(window, QEvent.Type.MouseButtonPress, start, left, left)
    for step in range(10):
        send(window, QEvent.Type.MouseMove, start + circle(step) + QPoint(4, 4), none, left)
    times, busy = [], []
    gc.collect()
    for step in range(MOVES):
        begin, began = time.perf_counter(), time.thread_time()
        send(window, QEvent.Type.MouseMove, start + circle(step), none, left)
        times.append(1000 * (time.perf_counter() - begin))
        busy.append(1000 * (time.thread_time() - began))
    assert window.pipeline.findings is not None, "the findings must have followed the hand"
    send(window, QEvent.Type.MouseButtonRelease, start, left, none)
    return times, busy


def wandering(step: int) -> QPoint:
    """A long way to and fro that ends where it began, so that each move of a figure differs from the last."""
    turn = 2 * math.pi * step / FIGURE_MOVES
    return QPoint(round(8 + 150 * math.sin(turn)), round(4 + 60 * math.sin(2 * turn)))


FIGURE = Whimsy("cat1", "cat", Pose(x=500.0, y=300.0, height=60.0))
FRAME = 1 / 60
FIGURE_MOVES, WARM_UP = 240, 3
"""Moves of the mouse, and those before, which load what a drag needs."""


def figure_dragged(window: Window) -> tuple[list[float], list[float]]:
    """Drag a figure at 60 moves a second; return the longest pause in ms of the window in each move, while a thread
    divides its cuts, and the ms from one set of cuts to the next."""
    view = window.canvas.view
    start = view.mapFromScene(QPointF(FIGURE.pose.x, FIGURE.pose.y))
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    send(window, QEvent.Type.MouseButtonPress, start, left, left)
    for step in range(WARM_UP):
        send(window, QEvent.Type.MouseMove, start + wandering(5 * step) + QPoint(2, 1), none, left)
        linger(0.3)
    frames: list[float] = []
    shown: list[float] = []
    window.pipeline.shapes_changed.connect(lambda *_: shown.append(1000 * time.perf_counter()))
    for step in range(FIGURE_MOVES):
        begin = time.perf_counter()
        send(window, QEvent.Type.MouseMove, start + wandering(step), none, left)
        frames.append(1000 * (time.perf_counter() - begin))
        while (rest := FRAME - (time.perf_counter() - begin)) > 0:
            time.sleep(min(rest, 0.001))
            now = time.perf_counter()
            QApplication.processEvents()
            frames[-1] = max(frames[-1], 1000 * (time.perf_counter() - now))
    between = np.diff(shown).tolist()
    send(window, QEvent.Type.MouseButtonRelease, start, left, none)
    QTest.qWait(600)
    return frames, between


def divided_again(design: JigsawDesign) -> list[float]:
    """Divide and shape a board after each move of its figure; return the CPU time of each in ms."""
    shapes, times = shape(design, None, SILENT), []
    for step in range(FIGURE_MOVES // 6):
        pose = replace(FIGURE.pose, x=500.0 + 2.1 * step, y=300.0 + 60.0 * math.sin(0.1 * step))
        began = time.thread_time()
        made = with_figures_posed(design, {FIGURE.name: pose}, SILENT, is_exact=True)
        shapes = shape(made.design, shapes, SILENT)
        times.append(1000 * (time.thread_time() - began))
    return times


def dragged_in_one_path(shapes: JigsawShapes) -> list[float]:
    """The peer: all strokes as one item's path, built anew at each move; no check at all."""
    scene = QGraphicsScene()
    item = QGraphicsPathItem(curved(shapes.drawing.strokes))
    item.setPen(cosmetic(light_theme().cut))
    scene.addItem(item)
    view = QGraphicsView(scene)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    view.resize(*SIZE)
    view.show()
    view.fitInView(item, Qt.AspectRatioMode.KeepAspectRatio)
    QApplication.processEvents()
    times = []
    for _ in range(20):
        begin = time.perf_counter()
        item.setPath(curved(shapes.drawing.strokes))
        QApplication.processEvents()
        times.append(1000 * (time.perf_counter() - begin))
    view.close()
    return times


PEAK = """
with open("/proc/self/status") as status:
    print(next(line.split()[1] for line in status if line.startswith("VmHWM")))
"""


def peak_memory(*arguments: str, program: str = "") -> float:
    """The peak memory in MB of another Python: of this file with some arguments, or of a program."""
    command = ["-c", program + PEAK] if program else [__file__, *arguments]
    ended = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=True, timeout=120)
    return round(int(ended.stdout.split()[-1]) / 1024, 1)


def open_only() -> None:
    """Open 5,000 pieces, check them, and print the peak memory in kB."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    with tempfile.TemporaryDirectory() as folder:
        window = window_on(JigsawDesign(grid(100, 50)), Path(folder))
        exec(PEAK)
        window.close()


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    rows = [yardstick.row()]
    with tempfile.TemporaryDirectory() as folder:
        for parameters, name, goal in (
            (grid(100, 50), "5,000 pieces", 8),
            (grid(200, 100), "20,000 pieces", 16),
            (JigsawParameters(tiling="voronoi", pieces=2000, width=1400.0, height=900.0), "Voronoi of 2,000", 8),
        ):
            window = window_on(JigsawDesign(parameters), Path(folder))
            shapes = window.pipeline.shapes
            assert isinstance(shapes, JigsawShapes)
            middle = int(np.hypot(*(shapes.corners - np.array(shapes.tiling.size) / 2).T).argmin())
            times, busy = dragged(window, middle)
            peer = high(dragged_in_one_path(shapes))
            words, note = f"one move of a dragged corner, {name}", "peer: one path for all, no check"
            rows.append(Row(f"{words}, 95th percentile", high(times), "ms", goal, note, peer))
            rows.append(Row(f"{words}, its thread's CPU time, median", median(busy), "ms", goal, note, peer))
            window.document.history.setClean()
            window.close()
        for parameters, name in (
            (JigsawParameters(columns=40, rows=25, width=1000.0, height=625.0), "a grid of 1,000"),
            (JigsawParameters(tiling="voronoi", pieces=1000, width=1000.0, height=625.0), "Voronoi of 1,000"),
        ):
            words, note = f"of a dragged figure, {name}", "peer: one path for all, nothing divided"
            window = window_on(JigsawDesign(parameters, whimsies=(FIGURE,)), Path(folder))
            shapes = window.pipeline.shapes
            assert isinstance(shapes, JigsawShapes)
            frames, between = figure_dragged(window)
            peer = high(dragged_in_one_path(shapes))
            pause, steps = f"longest pause in a move {words}", f"from one set of cuts of a thread to the next {words}"
            rows.append(Row(f"{pause}, 95th percentile", high(frames), "ms", 33, note, peer))
            rows.append(Row(f"{steps}, median", median(between), "ms", 66, note, peer))
            rows.append(Row(f"{steps}, 95th percentile", high(between), "ms", 132, note, peer))
            window.document.history.setClean()
            window.close()
            divided = median(divided_again(JigsawDesign(parameters, whimsies=(FIGURE,))))
            rows.append(Row(f"one set of cuts {words}, CPU time, median", divided, "ms", 33, note, peer))
    floor = peak_memory(program="import numpy, shapely\nfrom PySide6.QtWidgets import QApplication\nQApplication([])")
    rows.append(
        Row("peak memory, 5,000 pieces open", peak_memory(OPEN_ONLY), "MB", 350, "floor: the libraries alone", floor)
    )
    show(rows)


if __name__ == "__main__":
    if OPEN_ONLY in sys.argv:
        open_only()
    else:
        main()
