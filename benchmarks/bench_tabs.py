"""What must be fast around a design: from one of 2,000 pieces to another, and a keystroke in the palette, painted."""

from __future__ import annotations

import os
import tempfile
import time
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QStackedWidget

from benchmarks import yardstick
from benchmarks.report import Row, high, median, milliseconds, show
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.open_documents import OpenDocuments
from studio.ui.shell.palette import Palette
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font

SIZE = 1600, 1000
TURNS = 40
GOAL = 50.0
ENTRIES = 500


def turned(desk: OpenDocuments) -> list[float]:
    """How long each of several turns from tab to tab took, in ms, until all of it was painted."""

    def turn() -> None:
        desk.shell.step(1)
        if desk.shell.page is None:
            # Past the start page, which is a tab as well.
            desk.shell.step(1)
        QApplication.processEvents()

    return milliseconds(turn, TURNS)


def floor() -> list[float]:
    """The same between two windows with nothing in them."""
    pages = QStackedWidget()
    for number in range(2):
        window = QMainWindow()
        window.menuBar().addMenu("File")
        window.setCentralWidget(QLabel(str(number)))
        pages.addWidget(window)
    pages.resize(*SIZE)
    pages.show()
    QApplication.processEvents()

    def turn() -> None:
        pages.setCurrentIndex(1 - pages.currentIndex())
        QApplication.processEvents()

    found = milliseconds(turn, TURNS)
    pages.close()
    return found


def typed(window: Window) -> list[float]:
    """How long each keystroke in a palette of 500 entries took, in ms, until what it found was painted."""
    window.actions_["palette"].trigger()
    (own,) = window.findChildren(Palette)
    known = own.model.elements
    own.close()
    own.deleteLater()
    entries = [replace(known[at % len(known)], place=f"{known[at % len(known)].place} {at}") for at in range(ENTRIES)]
    palette = Palette(entries, window, "Type a name")
    palette.open()
    QApplication.processEvents()
    times = []
    for letters in ("draft", "cut plan", "tongue", "export"):
        for letter in letters:
            began = time.perf_counter()
            QTest.keyClicks(palette.line, letter)
            QApplication.processEvents()
            times.append(1000 * (time.perf_counter() - began))
        palette.line.clear()
    palette.close()
    return times


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    rows = [yardstick.row()]
    least = median(floor())
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        desk = OpenDocuments(Preferences(settings), Path(folder))
        desk.shell.resize(*SIZE)
        for seed in (1, 2):
            design = JigsawDesign(JigsawParameters(columns=50, rows=40, width=1250.0, height=1000.0, seed=seed))
            window = desk.show(Document(JIGSAW, design))
            QTest.qWait(200)
            window.pipeline.finish()
            QTest.qWait(200)
        times = turned(desk)
        words, note = "from one design of 2,000 pieces to another", "floor: two empty windows"
        rows.append(Row(f"{words}, median", median(times), "ms", GOAL, note, least))
        rows.append(Row(f"{words}, 95th percentile", high(times), "ms", GOAL, note, least))
        strokes = typed(desk.windows[0])
        rows.append(
            Row(f"a keystroke in a palette of {ENTRIES} entries, 95th percentile", high(strokes), "ms", 8, "", 0.0)
        )
        for window in list(desk.windows):
            window.document.history.setClean()
            desk.close(window)
        desk.shell.close()
    show(rows)


if __name__ == "__main__":
    main()
