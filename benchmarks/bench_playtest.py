"""What must fit into a frame in a game of a jigsaw of 500 pieces with a picture: dragging a piece, or half the board.

The floor is the same move over a table on which pieces are Qt's own pixmaps and nothing snaps. CPU time is what this
process and its threads used, which counts however busy the computer is.
"""

from __future__ import annotations

import io
import math
import os
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsPixmapItem

from benchmarks.report import Row, high, show
from studio.base.progress import SILENT
from studio.geometry.art.artwork import JPEG
from studio.puzzles.jigsaw.game import hint
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.ui.kinds.jigsaw.extension import JigsawExtension
from studio.ui.kinds.jigsaw.play import PlayPage
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font

FRAME, STEPS, WARM = 16.0, 150, 15
NONE, LEFT = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton


def picture() -> BoardPicture:
    """Shades of 3000 × 2000 pixels."""
    x, y = np.meshgrid(np.linspace(0, 9, 3000), np.linspace(0, 7, 2000))
    shades = [127 + 110 * wave for wave in (np.sin(x + y), np.cos(x - y), np.sin(x * y / 8))]
    file = io.BytesIO()
    Image.fromarray(np.dstack(shades).astype(np.uint8)).save(file, "JPEG", quality=90)
    return BoardPicture(file.getvalue(), JPEG)


def send(page: PlayPage, kind: QEvent.Type, place: QPoint, button: Qt.MouseButton, held: Qt.MouseButton) -> None:
    """A mouse event, until it is seen."""
    port = page.view.viewport()
    screen = QPointF(port.mapToGlobal(place))
    event = QMouseEvent(kind, QPointF(place), screen, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(port, event)
    QApplication.processEvents()


def around(middle: QPoint, step: int) -> QPoint:
    """A place on a way around and across most of the table."""
    angle = step / 23
    return middle + QPoint(round(240 * math.cos(angle) * math.cos(angle / 7)), round(130 * math.sin(angle)))


def dragged(page: PlayPage, piece: int) -> tuple[list[float], list[float]]:
    """How long each frame of a drag took, in ms, and the CPU time of each."""
    game = page.game
    table = game.table
    start = page.view.mapFromScene(QPointF(*game.cluster_of(piece).pose_of(piece).of(*table.middle(piece))))
    middle = page.view.viewport().rect().center()
    send(page, QEvent.Type.MouseMove, start, NONE, NONE)
    send(page, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
    times, cpu = [], []
    for step in range(WARM + STEPS):
        begin, used = time.perf_counter(), time.process_time()
        send(page, QEvent.Type.MouseMove, around(middle, step), NONE, LEFT)
        if step >= WARM:
            times.append(1000 * (time.perf_counter() - begin))
            cpu.append(1000 * (time.process_time() - used))
    assert page.hand.held is not None and page.hand.held.piece == piece
    page.view._give_up_drag()
    QApplication.processEvents()
    return times, cpu


def floor(page: PlayPage, piece: int) -> tuple[list[float], list[float]]:
    """The same for a pixmap that is moved, and nothing else."""
    scene, game = page.scene, page.game
    leader = game.cluster_of(piece).leader
    item: QGraphicsItem = scene.item_of(leader)
    assert isinstance(item, QGraphicsPixmapItem)
    first, times, cpu = item.pos(), [], []
    item.setZValue(1e6)
    middle = page.view.viewport().rect().center()
    for step in range(WARM + STEPS):
        place = page.view.mapToScene(around(middle, step))
        begin, used = time.perf_counter(), time.process_time()
        item.setPos(place - item.boundingRect().center() * item.scale())
        QApplication.processEvents()
        if step >= WARM:
            times.append(1000 * (time.perf_counter() - begin))
            cpu.append(1000 * (time.process_time() - used))
    item.setPos(first)
    scene.show_game(game)
    return times, cpu


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    design = JigsawDesign(JigsawParameters(width=500.0, height=400.0, columns=25, rows=20), picture=picture())
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = Window(Document(JIGSAW, design), Preferences(settings))
        window.resize(1440, 900)
        window.show()
        window.pipeline.finish()
        begin = time.process_time()
        window.show_view("play")
        QApplication.processEvents()
        assert isinstance(window.extension, JigsawExtension)
        page = window.extension.place.page
        page.scene.finish()
        shown = 1000 * (time.process_time() - begin)
        for words, joined in (("a piece among 500", 0), ("half of the board, 250 pieces", 250)):
            while page.game.largest.size <= joined:
                page.games.move(hint(design, page.game, SILENT).move)
            page.scene.finish()
            QApplication.processEvents()
            piece = page.game.largest.leader if joined else 77
            times, cpu = dragged(page, piece)
            least, least_cpu = floor(page, piece)
            rows += [
                Row(f"drag {words}, a frame (p95)", high(times), "ms", FRAME, "floor: a pixmap moved", high(least)),
                Row(f"drag {words}, CPU time (p95)", high(cpu), "ms", FRAME, "floor: a pixmap moved", high(least_cpu)),
            ]
        rows.append(Row("500 pieces scattered and painted, CPU time", round(shown, 1), "ms", 1000, "none", 0.0))
        window.session.need_games().mark_saved()
        window.close()
    show(rows)


if __name__ == "__main__":
    main()
