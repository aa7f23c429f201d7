"""What must feel instant with several designs open: from one large jigsaw's tab to another's, until it is painted."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from benchmarks.report import Row, high, median, milliseconds, show
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.ui.session.document import Document
from studio.ui.shell.app import make_application
from studio.ui.shell.desk import Desk
from studio.ui.shell.preferences import Preferences
from studio.ui.theme import apply, light_theme, picture_font

GOAL, RUNS, SIZE = 50, 60, (1280, 800)


def jigsaw(seed: int) -> JigsawDesign:
    """A jigsaw of 2,000 pieces."""
    return JigsawDesign(JigsawParameters(columns=50, rows=40, width=1000.0, height=800.0, seed=seed))


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    with tempfile.TemporaryDirectory() as home:
        settings = QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat)
        desk = Desk(Preferences(settings), Path(home))
        desk.shell.resize(*SIZE)
        for seed in (1, 2):
            desk.show(Document(JIGSAW, jigsaw(seed))).finish()
        for window in desk.windows:
            desk.shell.show_page(window)
            desk.window.jobs.finish()
            while not window.canvas.drawing.is_whole:
                app.processEvents()

        def switched() -> None:
            desk.shell.step(1 if desk.window is desk.windows[0] else -1)
            QApplication.processEvents()

        def painted() -> None:
            desk.shell.repaint()
            for view in (desk.window.canvas.view.viewport(), desk.window.form, desk.window.drawer):
                view.repaint()

        times, floors = milliseconds(switched, RUNS), milliseconds(painted, RUNS)
        desk.shell.close()
    words, floor = "from one tab to another, jigsaws of 2,000 pieces", median(floors)
    show([
        Row(words, median(times), "ms", GOAL, "floor: painting the same page", floor),
        Row("the same, 95th percentile", high(times), "ms", GOAL, "floor: painting the same page", floor),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
