"""What must be fast over a photograph of 24 megapixels: reading it, opening its board without a pause, panning over it,
dragging a corner on it, and outlining what it shows for a figure.

Beside reading stands the least that must be done: the photograph decoded, to know that it is whole. Beside a save
stands the same design without its picture.
"""

from __future__ import annotations

import io
import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PIL import Image
from PySide6.QtCore import QEvent, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.bench_canvas import circle, dragged, grid, send, window_on
from benchmarks.report import Row, high, median, milliseconds, show
from studio.base.progress import SILENT
from studio.files.pictures import read_picture
from studio.files.store import dumps
from studio.geometry.art.artwork import JPEG
from studio.puzzles.jigsaw.figures.figure_edits import cutout_ring, marks_on_board
from studio.puzzles.jigsaw.figures.placing import inner_lines
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.ui.abilities.cuttable import DECODING
from studio.ui.canvas.ink import Sizes
from studio.ui.shell.app import make_application
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font

SIZE = 6000, 4000
FRAME = 16.0
RUNS = 5
STEPS = 60


def photograph() -> bytes:
    """Shades with a little noise, which pack as a photograph does."""
    columns, rows = SIZE
    x, y = np.meshgrid(np.linspace(0, 9, columns, dtype=np.float32), np.linspace(0, 7, rows, dtype=np.float32))
    noise = np.random.default_rng(4).normal(0, 4, (rows, columns, 1)).astype(np.float32)
    file = io.BytesIO()
    shades = [127 + 110 * wave + noise[..., 0] for wave in (np.sin(x + y), np.cos(x - y), np.sin(x * y / 8))]
    Image.fromarray(np.dstack([each.clip(0, 255).astype(np.uint8) for each in shades])).save(file, "JPEG", quality=90)
    return file.getvalue()


def opened(path: Path) -> None:
    """Read a photograph, and make all sizes in which the canvas shows it."""
    Sizes(read_picture(path, 1, SILENT).data).at_least(1.0)


def paused(window: Window, design: JigsawDesign) -> float:
    """The longest time in ms for which a window hears nothing while it comes to show a design, its picture too."""
    begin, longest = time.perf_counter(), 0.0
    window.document.edit("Open", design)
    while window.pipeline.findings is None or window.jobs.is_busy(DECODING) or longest == 0.0:
        QApplication.processEvents()
        now = time.perf_counter()
        longest = max(longest, now - begin)
        time.sleep(0.002)
        begin = time.perf_counter()
    return round(1000 * longest, 3)


def panned(window: Window) -> list[float]:
    """How long each step of the scroll bars took, in ms, with the paint that follows."""
    view = window.canvas.view
    view.zoom_by(3.0)
    QTest.qWait(50)
    bars = view.horizontalScrollBar(), view.verticalScrollBar()

    def step() -> None:
        for bar in bars:
            bar.setValue(bar.value() + 9)
        QApplication.processEvents()

    times = milliseconds(step, STEPS)
    view.fit()
    QTest.qWait(50)
    return times


def moved(window: Window) -> list[float]:
    """How long each move of the whole picture took, in ms."""
    window.actions_["adjust_picture"].trigger()
    QTest.qWait(50)
    start = window.canvas.view.mapFromScene(QPointF(*window.pipeline.shapes.drawing.middle))
    none, left = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
    send(window, QEvent.Type.MouseButtonPress, start, left, left)
    steps = iter(range(10 + 2 * STEPS))
    milliseconds(lambda: send(window, QEvent.Type.MouseMove, start + circle(next(steps)) * 2, none, left), 10)
    times = milliseconds(
        lambda: send(window, QEvent.Type.MouseMove, start + circle(next(steps)) * 2, none, left), STEPS
    )
    send(window, QEvent.Type.MouseButtonRelease, start, left, none)
    return times


def outlined(design: JigsawDesign) -> tuple[float, float]:
    """How long the outline and its inner lines take after the first click, with the photograph's decoding, and after a
    stroke more, in ms."""
    strokes, times = [([(60.0, 40.0)], True)], []
    for stroke in (([(120.0, 40.0), (130.0, 60.0)], False), ([(70.0, 30.0), (80.0, 40.0)], True)):
        begin = time.perf_counter()
        inner_lines(design, cutout_ring(design, marks_on_board(design, strokes), SILENT), SILENT)
        times.append(round(1000 * (time.perf_counter() - begin), 3))
        strokes.append(stroke)
    return times[0], times[1]


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme())
    app.setFont(picture_font())
    data, rows = photograph(), []
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "photograph.jpg"
        file.write_bytes(data)
        least = median(milliseconds(lambda: Image.open(io.BytesIO(data)).load(), RUNS))
        read = median(milliseconds(lambda: opened(file), RUNS))
        rows.append(Row("a photograph of 24 megapixels read, for the canvas too", read, "ms", 1000.0,
                        "floor: decoded once", least))  # fmt: skip
        # Other bytes of the same picture, which nobody has decoded yet.
        clicks = [
            outlined(JigsawDesign(grid(12, 6), picture=BoardPicture(data + bytes([run]), JPEG))) for run in (1, 2, 3)
        ]
        click, stroke = (median(list(each)) for each in zip(*clicks, strict=True))
        rows.append(Row("a figure from the picture, outlined after a click", click, "ms", 1000.0,
                        "floor: decoded once", least))  # fmt: skip
        rows.append(Row("the same, after a stroke more", stroke, "ms", 200.0, "the click", click))
        for columns, down in ((12, 6), (30, 20)):
            bare = JigsawDesign(grid(columns, down))
            design = JigsawDesign(grid(columns, down), picture=BoardPicture(data, JPEG))
            folder = Path(name) / f"{columns}"
            window = window_on(bare, folder)
            corner = window.pipeline.shapes.tiling.corner_indices[f"{columns // 2},{down // 2}"]
            without, bare_pan = high(dragged(window, corner)[0]), high(panned(window))
            other = replace(bare, parameters=replace(bare.parameters, seed=8))
            busy = paused(window, other)
            board = f"{columns} × {down} over the photograph"
            # Other bytes of the same picture, which nobody has decoded yet.
            fresh = replace(design, picture=BoardPicture(data + bytes([columns]), JPEG))
            rows.append(Row(f"the longest pause while it opens, {board}", paused(window, fresh), "ms", 100.0,
                            "the same without it", busy))  # fmt: skip
            window.document.edit("Add picture", design)
            QTest.qWait(50)
            window.pipeline.finish()
            window.finish()
            rows.append(Row(f"panning, {board}", high(panned(window)), "ms", FRAME, "the same without it", bare_pan))
            rows.append(Row(f"dragging a corner, {board}", high(dragged(window, corner)[0]), "ms", FRAME,
                            "the same without it", without))  # fmt: skip
            rows.append(
                Row(
                    f"dragging the picture, {board}",
                    high(moved(window)),
                    "ms",
                    2 * FRAME,
                    "a corner without it",
                    without,
                )
            )
            window.give_up()
            dumps(JIGSAW, design)
            plain = median(milliseconds(lambda: dumps(JIGSAW, bare), RUNS))  # noqa: B023
            again = median(milliseconds(lambda: dumps(JIGSAW, design), RUNS))  # noqa: B023
            rows.append(Row(f"a save or a backup, {board}", again, "ms", 100.0, "the same without it", plain))
    show(rows)


if __name__ == "__main__":
    main()
