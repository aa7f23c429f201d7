"""Previews of sheets as they will be cut, one at a time with every line in its operation's colour, and of pages as they
will be printed, with their words as outlines of the same fonts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QLocale, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QLabel, QSizePolicy, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import extent, many
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.planar.drawing import Drawing, Operation
from studio.paper.fonts import spelled
from studio.paper.leaflet import Leaflet, Page, Words
from studio.ui.canvas.ink import Painting, boxed, painted
from studio.ui.canvas.paths import curved
from studio.ui.canvas.view import CanvasView
from studio.ui.session.session import Session
from studio.ui.widgets.controls import hint_label, invitation, quiet_button
from studio.ui.widgets.layout import REST, column, row, stack
from studio.ui.widgets.theme import GAP, MARGIN, Painted, current_theme, light_theme

if TYPE_CHECKING:
    from studio.export.colour_profiles import Profile
    from studio.export.options import LeafletOptions

LEAST, WANTED = QSize(240, 150), QSize(340, 250)
RIM = 8
FADED = 0.35
"""Opacity of outdated sheets."""
MARK_WIDTH = 2
PAPER = QColor("#FFFFFF")


class SheetPicture(QWidget):
    """One drawing, as large as there is room."""

    is_faded = Painted(False)
    """True if its lines are pale, as the sheet is outdated."""
    marked = Painted[QRectF | None](None)
    """A part of the sheet in mm with a frame around it."""
    clicked = Signal(float, float)
    """Reports a click on the sheet by its place in mm."""

    def __init__(self) -> None:
        super().__init__()
        self._drawing: Drawing | None = None
        self._profile: Profile | None = None
        self._paths: list[tuple[Operation, QPainterPath]] = []
        self._artwork: list[Painting] = []
        self._painted: QPixmap | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def sizeHint(self) -> QSize:
        return WANTED

    def minimumSizeHint(self) -> QSize:
        return LEAST

    def show_drawing(self, drawing: Drawing | None) -> None:
        """Show another drawing, or an empty background."""
        if drawing is not self._drawing:
            self._drawing = drawing
            self._paths = [] if drawing is None else _paths(drawing)
            self._artwork = [] if drawing is None else [boxed(each)[0] for each in drawing.artwork]
            self._forget()

    def show_profile(self, profile: Profile) -> None:
        """Draw in the colours of another profile."""
        if profile is not self._profile:
            self._profile = profile
            self._forget()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange:
            self._forget()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), current_theme().canvas)
        if self._drawing is None or self._profile is None:
            return
        ratio = self.devicePixelRatioF()
        if self._painted is None or self._painted.size() != self.size() * ratio:
            self._painted = self._paint(self._drawing, self._profile, ratio)
        painter.setOpacity(FADED if self.is_faded else 1.0)
        painter.drawPixmap(0, 0, self._painted)
        if self.marked is not None:
            corner, scale = self._placed(self._drawing)
            frame = QRectF(corner + self.marked.topLeft() * scale, self.marked.size() * scale)
            painter.setPen(QPen(current_theme().accent, MARK_WIDTH))
            painter.drawRect(frame)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._drawing is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        corner, scale = self._placed(self._drawing)
        place = (event.position() - corner) / scale
        self.clicked.emit(place.x(), place.y())

    def shown_at(self, x: float, y: float) -> QPointF:
        """The place of a point of the sheet in mm on the widget in pixels."""
        if self._drawing is None:
            return QPointF()
        corner, scale = self._placed(self._drawing)
        return corner + QPointF(x, y) * scale

    def _placed(self, drawing: Drawing) -> tuple[QPointF, float]:
        """The upper left corner of the sheet in pixels, and the pixels of a mm."""
        room = QRectF(self.rect()).adjusted(RIM, RIM, -RIM, -RIM)
        scale = min(room.width() / drawing.width, room.height() / drawing.height)
        return room.center() - QPointF(drawing.width, drawing.height) * scale / 2, scale

    def _forget(self) -> None:
        self._painted = None
        self.update()

    def _paint(self, drawing: Drawing, profile: Profile, ratio: float) -> QPixmap:
        """Paint the sheet and its lines into a picture, because a large sheet takes longer than a frame."""
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        corner, scale = self._placed(drawing)
        sheet = QRectF(corner, QSizeF(drawing.width, drawing.height) * scale)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Profiles have colours for white, so the sheet is bright under a dark theme too.
        painter.setPen(QPen(current_theme().board_edge, 1))
        painter.setBrush(light_theme().canvas if current_theme().is_dark else light_theme().board)
        painter.drawRect(sheet)
        painter.translate(sheet.topLeft())
        painter.scale(scale, scale)
        if self._artwork:
            painter.save()
            whole = QRectF(0, 0, drawing.width, drawing.height)
            painter.setClipRect(whole)
            for mark in self._artwork:
                mark.paint(painter, whole)
            painter.restore()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for operation, path in self._paths:
            pen = QPen(QColor(profile.layer(operation).colour), 1)
            pen.setCosmetic(True)
            painter.setPen(pen)
            painter.drawPath(path)
        painter.end()
        return picture


class SheetPages(QWidget):
    """Sheets to page through, with the number and size of the one in sight."""

    def __init__(self, noun: str = tr("Sheet")) -> None:
        super().__init__()
        self._noun = noun
        self._drawings: tuple[Drawing, ...] = ()
        self.page = 0
        """The number of the sheet in sight, counted from 0."""
        self.picture = SheetPicture()
        self.words = hint_label()
        self.words.setWordWrap(False)
        self.back, self.on = quiet_button(tr("Previous sheet"), "previous"), quiet_button(tr("Next sheet"), "next")
        self.setAccessibleName(tr("Sheets"))
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column((self.picture, 1), row((self.words, 1), self.back, self.on), of=self, gap=GAP // 2)
        self.back.clicked.connect(lambda: self.turn(-1))
        self.on.clicked.connect(lambda: self.turn(1))
        self.show_sheets(())

    def show_sheets(self, drawings: Sequence[Drawing]) -> None:
        """Show other sheets; the page number stays if it still exists."""
        self._drawings = tuple(drawings)
        self.page = max(0, min(self.page, len(self._drawings) - 1))
        self._show()

    def turn(self, by: int) -> None:
        """Go to the next (1) or the previous (-1) sheet."""
        self.page = max(0, min(self.page + by, len(self._drawings) - 1))
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Page with the usual keys."""
        steps = {Qt.Key.Key_PageDown: 1, Qt.Key.Key_PageUp: -1}
        if event.key() in steps:
            self.turn(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        count = len(self._drawings)
        drawing = self._drawings[self.page] if count else None
        self.picture.show_drawing(drawing)
        said = ""
        if drawing is not None:
            size = extent(drawing.width, drawing.height)
            said = (
                tr("{noun} {page} of {count}, {size}", noun=self._noun, page=self.page + 1, count=count, size=size)
                if count > 1
                else tr("{noun} of {size}", noun=self._noun, size=size)
            )
        self.words.setText(said)
        self.words.show()
        self.picture.setAccessibleName(said or tr("No sheet"))
        for button, can in ((self.back, self.page > 0), (self.on, self.page < count - 1)):
            button.setVisible(count > 1)
            button.setEnabled(can)


def _paths(drawing: Drawing) -> list[tuple[Operation, QPainterPath]]:
    """Return the lines of each operation as one path."""
    paths = []
    for operation in Operation:
        codes = [chain.strokes for chain in drawing.chains if chain.operation is operation]
        if codes:
            paths.append((operation, curved(drawing.strokes.chosen(np.concatenate(codes) >> 1))))
    return paths


class PageItem(QGraphicsItem):
    """A page on the scene, in mm; paper is white in every theme."""

    def __init__(self, page: Page) -> None:
        super().__init__()
        self._size = QRectF(0, 0, page.width, page.height)
        self._marks = [painted(mark) for group in page.groups for mark in group.marks]

    def boundingRect(self) -> QRectF:
        return self._size.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        rim = QPen(current_theme().board_edge)
        rim.setCosmetic(True)
        painter.setPen(rim)
        painter.setBrush(PAPER)
        painter.drawRect(self._size)
        painter.setClipRect(self._size)
        for mark in self._marks:
            mark.paint(painter)


class PagesPanel(QWidget):
    """The pages of a leaflet, one at a time; below them its number, if there are several."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._leaflet: Leaflet | None = None
        self.page = 0
        """The page in sight, counted from 0."""
        self._scene = QGraphicsScene(self)
        self.view = CanvasView(self._scene)
        self.view.setAccessibleName(title)
        self._message = invitation()
        self._before = quiet_button(tr("Previous page"), "previous")
        self._after = quiet_button(tr("Next page"), "next")
        self._reading = QLabel()
        self._strip = QWidget()
        row(REST, self._before, self._reading, self._after, REST, of=self._strip, gap=GAP, margins=MARGIN // 2)
        self._middle = stack(self.view, self._message)
        column((self._middle, 1), self._strip, of=self, gap=0)
        self._before.clicked.connect(lambda: self.turn(-1))
        self._after.clicked.connect(lambda: self.turn(1))
        self.setFocusProxy(self.view)
        self.show_message("")

    @property
    def message(self) -> str:
        """The message in place of pages; empty while they are in sight."""
        return "" if self._leaflet is not None else self._message.text()

    def show_leaflet(self, leaflet: Leaflet) -> None:
        """Show pages, from the page that was in sight."""
        self._leaflet = leaflet
        self._middle.setCurrentWidget(self.view)
        self.turn(0)

    def show_message(self, sentence: str) -> None:
        """Show a sentence in place of the pages."""
        self._leaflet = None
        self._scene.clear()
        self._message.setText(sentence)
        self._middle.setCurrentWidget(self._message)
        self._strip.hide()

    def turn(self, by: int) -> None:
        """Turn some pages on or back, no further than the first or last."""
        if self._leaflet is None:
            return
        pages = self._leaflet.pages
        self.page = min(max(self.page + by, 0), len(pages) - 1)
        page = pages[self.page]
        self._scene.clear()
        self._scene.addItem(PageItem(page))
        self.view.show_board(page.width, page.height)
        self._strip.setVisible(len(pages) > 1)
        self._reading.setText(tr("Page {page} of {pages}", page=self.page + 1, pages=len(pages)))
        self._before.setEnabled(self.page > 0)
        self._after.setEnabled(self.page < len(pages) - 1)
        lines = (mark.text for group in page.groups for mark in group.marks if isinstance(mark, Words))
        self.view.setAccessibleDescription("\n".join([self._reading.text(), *map(spelled, lines)]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn the pages with the usual keys."""
        steps = {Qt.Key.Key_PageUp: -1, Qt.Key.Key_PageDown: 1}
        if event.key() in steps:
            self.turn(steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)


def usual_paper() -> LeafletOptions:
    """Return the usual paper of the desktop's region."""
    from studio.export.options import LeafletOptions

    american = QLocale.system().measurementSystem() is QLocale.MeasurementSystem.ImperialUSSystem
    return LeafletOptions(paper="Letter" if american else "A4")


def save_leaflet(
    session: Session,
    title: str,
    name: str,
    lay_out: Callable[[tuple[float, float], Progress], Leaflet],
    paper: str,
    contents: str = "",
) -> None:
    """Ask for a file, and write a leaflet to it in the background; a notice tells its contents, if given, and pages."""
    from studio.export.formats import PAPER

    filters = [f"{known.title} (*{known.suffix})" for known in PAPER.members]
    path = session.dialogs.file_path(title, session.folder / f"{name}.pdf", filters)
    if path is not None:
        session.writing.write(path, partial(_written, lay_out, paper, contents, path))


def _written(
    lay_out: Callable[[tuple[float, float], Progress], Leaflet],
    paper: str,
    contents: str,
    path: Path,
    progress: Progress,
) -> str:
    from studio.export.options import LeafletOptions
    from studio.export.writing import ensure_target, write_leaflet

    ensure_target(path)
    leaflet = lay_out(LeafletOptions(paper=paper).size, progress.part(0.0, 0.7))
    reports = write_leaflet(leaflet, path, progress.part(0.7, 1.0))
    pages = many(sum(report.pages for report in reports), "page")
    if contents:
        pages = tr("{contents} on {pages}", contents=contents, pages=pages)
    return tr("Saved: {file}, {pages} of {paper}.", file=reports[0].path.name, pages=pages, paper=paper)
