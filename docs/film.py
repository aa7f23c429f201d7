"""The short animation of the README, filmed from the real window.

A photograph is dropped on a board and its dog clicked, which becomes a figure; a corner is dragged until tongues cross,
and back; the cut plan plays; the file is written. `python3 go.py pictures` makes it. A frame is a picture of the window
with the mouse pointer drawn over it, in a ring while its button is down.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np
from PIL import Image
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, QSettings, QSize, Qt, QUrl
from PySide6.QtGui import QAction, QColor, QDragEnterEvent, QDropEvent, QImage, QPainter, QPen, QPixmap, QPolygonF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QMenu, QPushButton, QStatusBar, QTabBar, QToolButton, QWidget

from docs.cutouts import photograph
from docs.make import commonest_colours
from studio.files.store import load, save
from studio.puzzles.jigsaw.model.design import JigsawDesign
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
DIALOG = QSize(1236, 784)
NAME, PHOTOGRAPH, CARRIED = "sandy-9x6", "dog", 120
"""The name of the puzzle; the photograph that is dropped on it, and its width in pixels under the mouse."""
CLICKED = QPointF(90, 50)
"""The place in mm that is clicked, on the dog's head."""
CORNER = "5,1"
"""The corner that is dragged, and how far in mm."""
DRAGGED = (17.0, -9.0)
STEPS = 7
"""How many frames the mouse takes from one place to another."""
QUICK, PLAYED, PRESSED, READ = 50, 90, 200, 1200
"""How many ms frames of a movement, of the cut plan and of a click are seen, and how long what is to be read stays."""
SETTLED = 300
"""How many ms numbers and lists need to follow the mouse, so that the film is the same each time."""
MOMENTS = 17
"""How many moments of the cut plan are shown."""
LONGEST = 60.0
"""How many seconds to wait for what is worked out."""
RING = 12.0
"""Radius in pixels of the ring around the mouse."""
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
        self.carried: QPixmap | None = None
        """Hangs on the mouse while it is dragged."""
        self.is_pressed = False
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
        if self.carried is not None:
            painter.drawPixmap(self.mouse - QPointF(self.carried.rect().center()), self.carried)
        if self.is_pressed:
            painter.setPen(QPen(QColor("white"), 5))
            painter.drawEllipse(self.mouse, RING, RING)
            painter.setPen(QPen(QColor("#2f66c0"), 2.5))
            painter.drawEllipse(self.mouse, RING, RING)
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
        self.press()
        QTest.mouseClick(target, Qt.MouseButton.LeftButton, pos=place)

    def press(self) -> None:
        """Show that the button of the mouse is down."""
        self.is_pressed = True
        self.hold(PRESSED)
        self.is_pressed = False

    def choose(self, menu: QMenu, corner: QPoint, action: QAction) -> None:
        """Open a menu under the mouse, with its top left corner at a place of the window, and choose from it."""
        self.press()
        menu.resize(menu.sizeHint())
        menu.move(corner)
        self.over = menu
        self.go(QPointF(corner + menu.actionGeometry(action).center()))
        menu.setActiveAction(action)
        self.hold(READ // 2)
        self.over = None
        # A menu that nobody opened is never closed, which would clear the tip of its action.
        for bar in self.window.findChildren(QStatusBar):
            bar.clearMessage()
        action.trigger()

    def save(self, path: Path) -> None:
        """Write all frames as an animation that begins again and again."""
        # In one set of colours, as in pictures: what stays is the same in each frame, and photographs weigh half.
        held = [frame for frame, ms in zip(self.frames, self.times, strict=True) if ms >= PRESSED]
        weights = np.array([1 << 16, 1 << 8, 1], np.uint32)
        colours = commonest_colours(np.concatenate([np.asarray(frame) @ weights for frame in held]))
        palette = Image.new("P", (1, 1))
        palette.putpalette((colours[:, None] // weights % 256).astype(np.uint8).tobytes())
        first, *others = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in self.frames]
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
    """Make the animation on the board of a sample, without its edits, and return its file."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, light_theme(), picture_font())
    app.setCursorFlashTime(0)
    # Not in its home, so that the folder in the dialog has the same name each time.
    folder = Path(tempfile.gettempdir()) / "puzzles"
    folder.mkdir()
    with tempfile.TemporaryDirectory() as home:
        path, kind = folder / f"{NAME}.puzzle", load(sample).kind
        design = JigsawDesign(load(sample).design.parameters)
        digest = save(path, kind, design)
        preferences = Preferences(QSettings(str(Path(home) / "settings.ini"), QSettings.Format.IniFormat))
        answers = Asked(None)
        window = Window(Document(kind, design, path, digest), preferences, answers)
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
    _cut_out(film, window, extension)
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
    film.hold(3 * READ // 2)


def _cut_out(film: Film, window: Window, extension: JigsawExtension) -> None:
    """Drop a photograph on the board, click its subject, and make it a figure."""
    view, cutting_out = window.canvas.view, extension.cutting_out
    picture, data = Path(tempfile.gettempdir()) / "puzzles" / f"{PHOTOGRAPH}.jpg", QMimeData()
    picture.write_bytes(photograph(PHOTOGRAPH).data)
    data.setUrls([QUrl.fromLocalFile(str(picture))])
    smooth = Qt.TransformationMode.SmoothTransformation
    film.carried = QPixmap(str(picture)).scaledToWidth(CARRIED, smooth)
    middle = view.mapFromScene(view.sceneRect().center())
    film.go(QPointF(view.viewport().mapTo(film.window, middle)))
    film.carried = None
    place = window.mapFrom(film.window, film.mouse.toPoint())
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(place, *how))
    QApplication.sendEvent(window, QDropEvent(QPointF(place), *how))
    wait_for(lambda: extension.shapes.design.picture is not None)
    window.finish()
    film.hold(READ // 2)
    bar, cut_out = window.menuBar(), window.actions_["cut_out"]
    menu = next(each for each in bar.findChildren(QMenu) if cut_out in each.actions())
    title = bar.actionGeometry(menu.menuAction())
    film.go(QPointF(bar.mapTo(film.window, title.center())))
    film.choose(menu, bar.mapTo(film.window, title.bottomLeft()), cut_out)
    film.click(view.viewport(), view.mapFromScene(CLICKED))
    wait_for(lambda: cutting_out.ring is not None)
    film.hold(READ)
    assert cutting_out.panel is not None
    film.click(cutting_out.panel.buttons[1])
    wait_for(lambda: bool(extension.shapes.design.whimsies))
    window.finish()
    QTest.qWait(SETTLED)
    film.hold(READ)


def _choose_export(film: Film, window: Window) -> None:
    """Choose the export for the laser from the menu of the button."""
    export = window.actions_["export"]
    buttons = [each for each in window.findChildren(QToolButton) if each.menu()]
    button = next(each for each in buttons if export in each.menu().actions())
    menu = button.menu()
    below = button.mapTo(film.window, button.rect().bottomRight()) - QPoint(menu.sizeHint().width(), 0)
    film.go(QPointF(button.mapTo(film.window, button.rect().center())))
    film.choose(menu, below, export)


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
    film.hold(READ // 2)
