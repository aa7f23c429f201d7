"""The short animation of the README, filmed from the real window.

A corner is dragged until tongues cross, and back; the cut plan plays; the file is written. `python3 go.py pictures`
makes it. A frame is a picture of the window with the mouse pointer drawn over it.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

from PIL import Image
from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QTabBar, QToolButton, QWidget

from studio.files.store import load
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.kinds.jigsaw.extension import JigsawExtension
from studio.ui.panels.export_dialog import UNKNOWN, ExportDialog
from studio.ui.session.dialogs import Dialogs, Unsaved, WorkDialog
from studio.ui.session.document import Document
from studio.ui.session.jobs import Client
from studio.ui.session.preferences import Preferences
from studio.ui.shell.screenshot import in_tabs, rest
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font

SIZE = 1280, 800
DIALOG = QSize(1236, 740)
CORNER = "4,3"
"""The corner that is dragged, and how far in mm."""
DRAGGED = (17.0, -9.0)
STEPS = 10
"""How many frames the mouse takes from one place to another."""
QUICK, PLAYED, READ = 50, 90, 1400
"""How many ms a frame of a movement and one of the cut plan is seen, and how long what is to be read stays."""
SETTLED = 300
"""How many ms numbers and lists need to follow the mouse, so that the film is the same each time."""
MOMENTS = 26
"""How many moments of the cut plan are shown."""
LONGEST = 60.0
"""How many seconds to wait for what is worked out."""
POINTER = [(0, 0), (0, 17), (4, 13), (7, 19), (10, 18), (7, 12), (12, 12)]


class Asked(Dialogs):
    """Shows the export dialog to the camera, and agrees."""

    film: Film

    def carry_out(self, dialog: WorkDialog, start: Callable[[Any, Client], object]) -> None:
        """Start what a dialog proposes, once it was in sight."""
        assert isinstance(dialog, ExportDialog)
        window = self.parent
        assert window is not None
        dialog.show()
        # The screen that nobody sees is smaller than any real one, and so would the dialog be.
        dialog.resize(DIALOG)
        dialog.move(window.rect().center() - dialog.rect().center())
        wait_for(lambda: all(label.text() != UNKNOWN for label in dialog.findChildren(QLabel)))
        self.film.over = dialog
        self.film.hold(READ)
        export = next(each for each in dialog.findChildren(QPushButton) if each.isDefault())
        self.film.go(QPointF(dialog.pos() + export.mapTo(dialog, export.rect().center())))
        self.film.hold(READ // 4)
        dialog.start = start
        dialog.accept()
        wait_for(lambda: not dialog.is_working)
        self.film.over = None

    def unsaved(self, title: str) -> Unsaved:
        """Leave changes unsaved."""
        return Unsaved.DISCARD


class Film:
    """A window, the place of the mouse on it, and the frames that were taken so far, with their times in ms."""

    def __init__(self, window: QWidget) -> None:
        self.window, self.mouse = window, QPointF(600, 560)
        self.over: QWidget | None = None
        self.finish: Callable[[], object] = lambda: None
        """Waits for what is worked out."""
        self.frames: list[Image.Image] = []
        self.times: list[int] = []

    def hold(self, ms: int) -> None:
        """Take a frame that is seen for some ms."""
        QApplication.processEvents()
        image = self.window.grab().toImage()
        painter = QPainter(image)
        if self.over is not None:
            painter.drawPixmap(self.over.pos(), self.over.grab())
            painter.setPen(QPen(QColor("#9a9a96"), 1))
            painter.drawRect(self.over.geometry().adjusted(-1, -1, 0, 0))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor("white"), 1.2))
        painter.setBrush(QColor("black"))
        painter.drawPolygon(QPolygonF([self.mouse + QPointF(*corner) for corner in POINTER]))
        painter.end()
        self.frames.append(_pixels(image))
        self.times.append(ms)

    def go(self, target: QPointF, on: QWidget | None = None) -> None:
        """Move the mouse to a place of the window, over a widget that hears of it, if there is one."""
        begin = self.mouse
        for step in range(1, STEPS + 1):
            # It sets out and arrives slowly.
            share = step / STEPS
            self.mouse = begin + (target - begin) * (share * share * (3 - 2 * share))
            if on is not None:
                QTest.mouseMove(on, on.mapFrom(self.window, self.mouse.toPoint()))
                QTest.qWait(SETTLED)
                self.finish()
                QTest.qWait(SETTLED)
            self.hold(QUICK)

    def click(self, target: QWidget, place: QPoint | None = None) -> None:
        """Go to a widget and click it."""
        place = target.rect().center() if place is None else place
        self.go(QPointF(target.mapTo(self.window, place)))
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=place)

    def save(self, path: Path) -> None:
        """Write all frames as an animation that begins again and again."""
        first, *others = self.frames
        first.save(path, save_all=True, append_images=others, duration=self.times, loop=0, lossless=True,
                   method=6, minimize_size=True)  # fmt: skip


def wait_for(is_done: Callable[[], bool]) -> None:
    """Let the window work until something is done, and what follows from it seen."""
    end = monotonic() + LONGEST
    while not is_done() and monotonic() < end:
        QTest.qWait(20)
    QTest.qWait(300)


def _pixels(image: QImage) -> Image.Image:
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    size = (plain.width(), plain.height())
    return Image.frombuffer("RGB", size, bytes(plain.constBits()), "raw", "RGB", plain.bytesPerLine(), 1)


def film(sample: Path, target: Path) -> Path:
    """Make the animation from a sample and return its file."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, light_theme(), picture_font())
    app.setCursorFlashTime(0)
    # Not in its home, so that the folder in the dialog has the same name each time.
    folder = Path(tempfile.gettempdir()) / "puzzles"
    folder.mkdir()
    with tempfile.TemporaryDirectory() as home:
        path = Path(shutil.copy(sample, folder))
        saved = load(path)
        preferences = Preferences(QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat))
        answers = Asked(None)
        window = Window(Document(saved.kind, saved.design, path, saved.digest), preferences, answers)
        shell = in_tabs([window], preferences)
        answers.parent, answers.film = shell, Film(shell)
        shell.resize(*SIZE)
        shell.show()
        window.finish()
        window.canvas.view.fit()
        QTest.qWait(300)
        answers.film.finish = window.pipeline.finish
        _act(answers.film, window)
        shell.close()
        window.give_up()
        for each in (window, shell):
            each.deleteLater()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        answers.film.save(target)
    shutil.rmtree(folder)
    return target


def _act(film: Film, window: Window) -> None:
    extension = window.extension
    assert isinstance(extension, JigsawExtension)
    film.hold(READ // 2)
    _drag(film, window, extension)
    tabs = next(bar for bar in window.findChildren(QTabBar) if bar.isVisible() and bar.count() > 3)
    plan = next(at for at in range(tabs.count()) if tabs.tabText(at) == "Cut plan")
    QTest.qWait(SETTLED)
    film.click(tabs, tabs.tabRect(plan).center())
    window.find_extension(CutExtension).planning.finish()
    QTest.qWait(300)
    film.hold(READ // 2)
    for moment in range(MOMENTS + 1):
        rest(window, moment / MOMENTS)
        film.hold(PLAYED)
    film.hold(READ // 2)
    _choose_export(film, window)
    wait_for(lambda: not window.session.writing.is_writing)
    film.hold(2 * READ)


def _choose_export(film: Film, window: Window) -> None:
    """Choose the export for the laser from the menu of the button."""
    export = window.actions_["export"]
    buttons = [each for each in window.findChildren(QToolButton) if each.menu()]
    button = next(each for each in buttons if export in each.menu().actions())
    menu = button.menu()
    menu.resize(menu.sizeHint())
    below = button.mapTo(film.window, button.rect().bottomRight()) - QPoint(menu.width(), 0)
    film.go(QPointF(button.mapTo(film.window, button.rect().center())))
    menu.move(below)
    film.over = menu
    film.go(QPointF(below + menu.actionGeometry(export).center()))
    menu.setActiveAction(export)
    film.hold(READ // 2)
    film.over = None
    window.statusBar().clearMessage()
    export.trigger()


def _drag(film: Film, window: Window, extension: JigsawExtension) -> None:
    """Drag a corner until tongues cross, and back."""
    view = window.canvas.view
    shapes = extension.shapes
    x, y = shapes.corners[shapes.tiling.corner_indices[CORNER]].tolist()

    def seen(x: float, y: float) -> QPointF:
        return QPointF(view.viewport().mapTo(film.window, view.mapFromScene(QPointF(x, y))))

    port = view.viewport()
    film.go(seen(x, y), port)
    QTest.mousePress(port, Qt.MouseButton.LeftButton, pos=port.mapFrom(film.window, film.mouse.toPoint()))
    film.go(seen(x + DRAGGED[0], y + DRAGGED[1]), port)
    QTest.qWait(300)
    film.hold(READ)
    film.go(seen(x + 2.0, y + 1.0), port)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, pos=port.mapFrom(film.window, film.mouse.toPoint()))
    QTest.qWait(300)
    film.hold(READ)
