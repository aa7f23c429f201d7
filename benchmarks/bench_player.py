"""What must stay within a frame while a cut plan is watched: playing it, and dragging its time line anywhere."""

from __future__ import annotations

import gc
import math
import os
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QSettings, QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks.report import Row, high, show
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.canvas.cutting import ROOMY_PIECES
from studio.ui.panels.plan_panel import PlanPlayer
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font
from tests.classic import classic

COLUMNS, ROWS, CELL = 60, 40, 25.0
CANVAS = QSize(1440, 900)
FRAME = 1 / 60
FRAMES = 300
GOAL = 16


def window_planned(folder: Path) -> Window:
    """The window on a large board whose cut plan is shown, its canvas of the size CANVAS."""
    parameters = classic(columns=COLUMNS, rows=ROWS, width=CELL * COLUMNS, height=CELL * ROWS)
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = Window(Document(JIGSAW, JigsawDesign(parameters)), Preferences(settings))
    window.resize(CANVAS)
    window.show()
    window.pipeline.finish()
    window.drawer.setCurrentWidget(window.find_extension(CutExtension).planning)
    QTest.qWait(50)
    window.find_extension(CutExtension).planning.finish()
    window.resize(window.size() + CANVAS - window.canvas.view.viewport().size())
    QTest.qWait(50)
    assert window.canvas.view.viewport().size() == CANVAS
    window.canvas.view.fit()
    QApplication.processEvents()
    return window


def frames(work: Callable[[float], object], values: Iterable[float]) -> list[float]:
    """How long each frame took in ms, from the change to the last pixel."""
    times = []
    gc.collect()
    for value in values:
        begin = time.perf_counter()
        work(value)
        # The scene collects what changed in a first event, and the view paints it in a second. The player's own
        # timer is left out, or a frame would now and then be two.
        QApplication.sendPostedEvents()
        QApplication.sendPostedEvents()
        times.append(1000 * (time.perf_counter() - begin))
    return times


def played(player: PlanPlayer, speed: float | None) -> list[float]:
    """The frames of a plan that plays on from several places, so that all its stages count."""
    assert player.playback is not None
    player.speed = speed
    times = []
    for share in (0.05, 0.35, 0.65, 0.9):
        player.pause()
        player.seek(share * player.playback.seconds)
        player.play()
        times += frames(player.advance, [FRAME] * (FRAMES // 4))
    player.pause()
    return times


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        window = window_planned(Path(folder))
        panel, view = window.find_extension(CutExtension).planning.panel, window.canvas.view
        assert panel is not None and panel.player.playback is not None
        player, whole = panel.player, panel.player.playback.seconds
        places = np.random.default_rng(1).uniform(0, whole, FRAMES)
        player.hide()
        floor = high(frames(lambda _: view.viewport().update(), [0.0] * 30))
        player.show()

        def add(what: str, times: list[float]) -> None:
            name = f"{what}, {COLUMNS * ROWS:,} pieces, 95th percentile"
            rows.append(Row(name, high(times), "ms", GOAL, "floor: the board painted once", floor))

        add("a frame, whole plan in 30 s", played(player, None))
        add("a frame at 500 times the machine", played(player, 500.0))
        add("a leap of the time line", frames(player.seek, places))
        add("a step of a dragged time line", frames(player.seek, np.linspace(0, whole, FRAMES)))
        view.zoom_to(math.sqrt(CANVAS.width() * CANVAS.height() / ROOMY_PIECES) / CELL * 1.01)
        add("a leap where lines are widest", frames(player.seek, places))
        window.document.history.setClean()
        window.close()
    show(rows)


if __name__ == "__main__":
    main()
