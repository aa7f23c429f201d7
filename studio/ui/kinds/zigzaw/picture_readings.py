"""The view in which a zigzaw is read from pictures: each piece next to the colours read from it, corrected and used."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QObject, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QIcon,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractScrollArea, QApplication, QFrame, QToolButton, QWidget

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.files.store import files_named, sources_of
from studio.geometry.art.artwork import is_bright
from studio.puzzles.zigzaw.colours import GAP, GROUND
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.kind import PICTURES
from studio.puzzles.zigzaw.model import Paint, ZigzawDesign, layout
from studio.puzzles.zigzaw.piece_forms import DIVISION, FACES, HALF, STEPS, Point, Sticker, body, extent
from studio.puzzles.zigzaw.reading import BORDER, Readings, Spot
from studio.solving.edges import UNKNOWN
from studio.ui.session.extension import Extension, View
from studio.ui.widgets.controls import ElidedLabel, invitation, push_button, quiet_button
from studio.ui.widgets.layout import column, row, stack
from studio.ui.widgets.theme import GAP as BETWEEN
from studio.ui.widgets.theme import MARGIN, Theme, current_theme, hint_font

if TYPE_CHECKING:
    from studio.puzzles.zigzaw.reading import Readings, Spot

Paths = dict[int, tuple[QPainterPath, QPainterPath]]
"""For each limb or side its whole shape, and its stickers, in mm of an edge of 1."""
PICTURE = 104.0
"""The width of a piece's picture, and of its reading, in pixels."""
TITLE = 20.0
TALLEST_BORDER = 300.0
INK, CHALK = QColor("#22242A"), QColor("#FFFFFF")
SWATCH = 22
OUTLINE = 150
"""Percent by which the rim of a colour is darkened, as in QColor.darker."""
KEYS = 9
"""Colours that have a key, 1 to 9."""
SIGN = 8.0
"""Half the size of the sign on a doubtful limb."""
VIEW = "import"
READING, PLACING = tr("reading pictures"), tr("placing pieces")
INVITATION = tr(
    "Choose one picture of each zigzaw piece, with the piece number in its file name, and border.png.\n"
    "Photos on a plain background, scans or a ZIP file all work."
)


@dataclass(frozen=True)
class Cell:
    """Places on the page of a piece or the border, its picture and its reading; and pixels to an edge."""

    area: QRectF
    picture: QRectF
    reading: QRectF
    scale: float
    low: QPointF
    """The lattice point at the reading's upper left corner, in edges."""


class PaletteBox(QFrame):
    """The colours to choose from, over their limb."""

    taken = Signal(int)
    """A colour was clicked: brings its number."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.buttons: list[QToolButton] = []
        self._row = row(of=self, gap=2, margins=4)
        self.hide()

    def offer(self, paints: Sequence[Paint], chosen: int) -> None:
        """Show paints to choose from; `chosen` is the number of the current paint."""
        for button in self.buttons:
            self._row.removeWidget(button)
            button.deleteLater()
        self.buttons = []
        for number, paint in enumerate(paints):
            swatch = QPixmap(SWATCH, SWATCH)
            swatch.fill(QColor(paint.colour).darker(OUTLINE))
            inner = QPainter(swatch)
            inner.fillRect(swatch.rect().adjusted(1, 1, -1, -1), QColor(paint.colour))
            inner.end()
            button = quiet_button(f"{paint.name} ({number + 1})" if number < KEYS else paint.name)
            button.setIcon(QIcon(swatch))
            button.setIconSize(QSize(SWATCH, SWATCH))
            button.setFixedSize(SWATCH + 10, SWATCH + 10)
            button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            button.setCheckable(True)
            button.setChecked(number == chosen)
            button.clicked.connect(lambda _on=False, number=number: self.taken.emit(number))
            self._row.addWidget(button)
            self.buttons.append(button)
        self._row.activate()


class ReadingsView(QAbstractScrollArea):
    """The border and all pieces, two pictures of each."""

    chosen = Signal(object, int)
    """A maker gave a spot a paint: brings both."""
    pointed = Signal(object)
    """The mouse or the keys went to another spot: brings it, or None."""

    def __init__(self) -> None:
        super().__init__()
        self.readings: Readings | None = None
        self._pixmaps: dict[int, QPixmap] = {}
        self._cells: dict[int, Cell] = {}
        self._of_piece: Paths = {}
        self._of_border: Paths = {}
        self.spot: Spot | None = None
        """The spot that the keys act on."""
        self._hovered: Spot | None = None
        self.palette_box = PaletteBox(self.viewport())
        self.palette_box.taken.connect(self._take)
        self.setFrameShape(QAbstractScrollArea.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Recognised colours"))

    # Display

    def show_readings(self, readings: Readings | None) -> None:
        """Show the readings of other pictures, or None."""
        self._pixmaps, self.spot, self._hovered = {}, None, None
        self.palette_box.hide()
        self.readings = readings
        if readings is not None:
            known = body(readings.body)
            self._of_piece = {
                number: _paths_of([(sticker, STEPS[limb.step]) for sticker in limb.stickers])
                for number, limb in enumerate(known.limbs)
            }
            sides: dict[int, list[tuple[Sticker, Point]]] = {}
            for number, (cube, owners) in enumerate(layout(readings.parameters).stickers.items()):
                for sticker, owner in owners.items():
                    side = 3 * number + FACES.index(sticker.face)
                    if owner == UNKNOWN and side in readings.border:
                        sides.setdefault(side, []).append((sticker, cube.origin))
            self._of_border = {side: _paths_of(stickers) for side, stickers in sides.items()}
        self._lay_out()
        self.verticalScrollBar().setValue(0)

    def follow(self, readings: Readings) -> None:
        """Show corrected readings of the same pictures."""
        self.readings = readings
        self.viewport().update()

    def go_to(self, spot: Spot) -> None:
        """Have the keys act on a spot, in sight."""
        self.spot = spot
        self.palette_box.hide()
        cell, bar = self._cells[spot.piece], self.verticalScrollBar()
        if cell.area.top() < bar.value():
            bar.setValue(int(cell.area.top()) - MARGIN)
        elif cell.area.bottom() > bar.value() + self.viewport().height():
            bar.setValue(int(cell.area.bottom()) + MARGIN - self.viewport().height())
        if self.readings is not None and self.spot is not None:
            self.setAccessibleDescription(self.readings.words_at(self.spot))
            self.pointed.emit(self.spot)
        self.viewport().update()

    def middle_of(self, spot: Spot) -> QPoint:
        """A point of the viewport on a spot's reading."""
        cell, (_whole, stickers) = self._cells[spot.piece], self._paths(spot.piece)[spot.part]
        (first, *_) = stickers.toSubpathPolygons()
        middle = first.boundingRect().center()
        return (cell.reading.topLeft() + (middle - cell.low) * cell.scale - QPointF(0, self._scrolled)).toPoint()

    def spot_at(self, place: QPoint) -> Spot | None:
        """The spot of a reading at a point of the viewport; None off the limbs."""
        point = QPointF(place) + QPointF(0, self._scrolled)
        for piece, cell in self._cells.items():
            if cell.area.contains(point):
                at = (point - cell.reading.topLeft()) / cell.scale + cell.low
                parts = (part for part, (whole, _) in self._paths(piece).items() if whole.contains(at))
                return next((Spot(piece, part) for part in parts), None)
        return None

    @property
    def _scrolled(self) -> int:
        return self.verticalScrollBar().value()

    def _paths(self, piece: int) -> Paths:
        return self._of_border if piece == BORDER else self._of_piece

    def _lay_out(self) -> None:
        """Put the border on top and the pieces in rows below it."""
        self._cells, bottom = {}, float(MARGIN)
        if self.readings is not None:
            width = self.viewport().width() - 2 * MARGIN
            low, high = extent(self.readings.columns, self.readings.rows)
            size = (high - low) * (DIVISION, HALF)
            scale = min((width - BETWEEN) / 2 / size[0], TALLEST_BORDER / size[1])
            cell = _cell(MARGIN, bottom, size * scale, scale, QPointF(*(low * (DIVISION, HALF))))
            self._cells[BORDER] = cell
            bottom = cell.area.bottom() + 2 * BETWEEN
            outline = np.array(body(self.readings.body).outline) * (DIVISION, HALF)
            low, size = outline.min(axis=0), np.ptp(outline, axis=0)
            scale = PICTURE / max(size)
            step = 2 * size[0] * scale + 4 * BETWEEN
            across, left, top = max(1, int((width + 2 * BETWEEN) // step)), float(MARGIN), bottom
            for number in range(len(self.readings.pieces)):
                row, column = divmod(number, across)
                height = size[1] * scale + TITLE + 2 * BETWEEN
                cell = _cell(left + column * step, top + row * height, size * scale, scale, QPointF(*low))
                self._cells[number] = cell
                bottom = cell.area.bottom() + MARGIN
        bar = self.verticalScrollBar()
        bar.setRange(0, max(0, int(bottom) - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setSingleStep(40)
        self.viewport().update()

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.SmoothPixmapTransform)
        theme = current_theme()
        painter.fillRect(self.viewport().rect(), theme.panel)
        painter.translate(0, -self._scrolled)
        seen = QRectF(event.rect()).translated(0, self._scrolled)
        for piece, cell in self._cells.items():
            if cell.area.intersects(seen):
                self._draw(painter, piece, cell, theme)

    def _draw(self, painter: QPainter, piece: int, cell: Cell, theme: Theme) -> None:
        readings = self.readings
        assert readings is not None
        painter.setFont(hint_font(QApplication.font()))
        is_doubtful = any(readings.at(spot).doubt for spot in readings.spots(piece))
        painter.setPen(theme.warning if is_doubtful else theme.quiet)
        words = tr("Border") if piece == BORDER else readings.pieces[piece].name.capitalize()
        painter.drawText(cell.area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, words)
        pixmap = self._pixmap(piece)
        size = pixmap.size().scaled(cell.picture.size().toSize(), Qt.AspectRatioMode.KeepAspectRatio)
        painter.drawPixmap(QRect(cell.picture.topLeft().toPoint(), size), pixmap)
        painter.save()
        painter.translate(cell.reading.topLeft())
        painter.scale(cell.scale, cell.scale)
        painter.translate(-cell.low)
        for spot in readings.spots(piece):
            self._draw_spot(painter, spot, cell.scale, theme)
        for marked, colour in ((self._hovered, theme.quiet), (self.spot if self.hasFocus() else None, theme.accent)):
            if marked is not None and marked.piece == piece:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(_cosmetic(colour, 2.5))
                painter.drawPath(self._paths(piece)[marked.part][0])
        painter.restore()

    def _draw_spot(self, painter: QPainter, spot: Spot, scale: float, theme: Theme) -> None:
        """A limb in its colour; in doubt with stripes and a sign."""
        readings = self.readings
        assert readings is not None
        reading, (whole, stickers) = readings.at(spot), self._paths(spot.piece)[spot.part]
        fill = theme.field if reading.paint == UNKNOWN else QColor(readings.paints[reading.paint].colour)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.fillPath(whole, QColor(GROUND))
        painter.fillPath(stickers, fill)
        if not reading.doubt:
            return
        ink = INK if is_bright(fill.name()) else CHALK
        stripes = QBrush(ink, Qt.BrushStyle.BDiagPattern)
        stripes.setTransform(painter.transform().inverted()[0])
        painter.fillPath(stickers, stripes)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(_cosmetic(theme.warning, 2.5))
        painter.drawPath(whole)
        (first, *_) = stickers.toSubpathPolygons()
        middle, half = first.boundingRect().center(), SIGN / scale
        sign = QPolygonF([middle + QPointF(0, -half), middle + QPointF(half, half), middle + QPointF(-half, half)])
        painter.setPen(_cosmetic(theme.warning, 2.0))
        painter.setBrush(theme.panel)
        painter.drawPolygon(sign)
        painter.setPen(_cosmetic(theme.text, 1.6))
        painter.drawLine(middle + QPointF(0, -half * 0.3), middle + QPointF(0, half * 0.35))
        painter.drawPoint(middle + QPointF(0, half * 0.72))

    def _pixmap(self, piece: int) -> QPixmap:
        if piece not in self._pixmaps:
            readings = self.readings
            assert readings is not None
            pixels, box = (readings.border_pixels, readings.border_box)
            if piece != BORDER:
                pixels, box = readings.pieces[piece].pixels, readings.pieces[piece].box
            left, top, right, bottom = box
            part = np.ascontiguousarray(pixels[top:bottom, left:right])
            rows, columns = part.shape[:2]
            image = QImage(part.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_RGBA8888)
            self._pixmaps[piece] = QPixmap.fromImage(image.copy())
        return self._pixmaps[piece]

    # Mouse and keys

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.palette_box.hide()
        self._lay_out()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        self.palette_box.hide()
        self.viewport().update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        spot = self.spot_at(event.position().toPoint())
        if spot != self._hovered:
            self._hovered = spot
            self.setCursor(Qt.CursorShape.ArrowCursor if spot is None else Qt.CursorShape.PointingHandCursor)
            self.pointed.emit(spot if spot is not None else self.spot)
            self.viewport().update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        spot = self.spot_at(event.position().toPoint())
        self.palette_box.hide()
        if spot is not None and event.button() in (Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton):
            self.setFocus()
            self.go_to(spot)
            self._ask()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        readings, keys = self.readings, Qt.Key
        if readings is None:
            super().keyPressEvent(event)
            return
        every = readings.every_spot
        at = every.index(self.spot) if self.spot is not None else -1
        number = event.key() - keys.Key_1
        if event.key() in (keys.Key_Left, keys.Key_Right):
            step = 1 if event.key() == keys.Key_Right else -1
            self.go_to(every[min(max(at + step, 0), len(every) - 1)])
        elif self.spot is not None and 0 <= number < min(len(readings.paints), KEYS):
            self._take(number)
        elif event.key() == keys.Key_Escape:
            self.palette_box.hide()
        elif self.spot is not None and event.key() in (keys.Key_Return, keys.Key_Enter, keys.Key_Space):
            self._ask()
        else:
            super().keyPressEvent(event)

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Leave and self._hovered is not None:
            self._hovered = None
            self.pointed.emit(self.spot)
            self.viewport().update()
        return super().viewportEvent(event)

    def _ask(self) -> None:
        """Offer the colours for the keys' spot, below it or, at the lower rim, above."""
        readings, spot = self.readings, self.spot
        assert readings is not None and spot is not None
        box, room = self.palette_box, self.viewport().rect()
        box.offer(readings.paints, readings.at(spot).paint)
        place, size = self.middle_of(spot), box.sizeHint()
        top = place.y() + SWATCH
        if top + size.height() > room.bottom():
            top = place.y() - SWATCH - size.height()
        left = min(max(place.x() - size.width() // 2, BETWEEN), room.right() - size.width() - BETWEEN)
        box.setGeometry(QRect(QPoint(left, top), size))
        box.show()
        box.raise_()

    def _take(self, paint: int) -> None:
        self.palette_box.hide()
        if self.spot is not None:
            self.chosen.emit(self.spot, paint)


def _cosmetic(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCosmetic(True)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    return pen


def _cell(left: float, top: float, size: np.ndarray[tuple[int, ...], np.dtype[np.float64]], scale: float,
          low: QPointF) -> Cell:  # fmt: skip
    width, height = map(float, size)
    picture = QRectF(left, top + TITLE, width, height)
    reading = picture.translated(width + BETWEEN, 0)
    return Cell(QRectF(left, top, 2 * width + BETWEEN, TITLE + height), picture, reading, scale, low)


def _paths_of(stickers: list[tuple[Sticker, Point]]) -> tuple[QPainterPath, QPainterPath]:
    """The whole shape of some stickers, and the stickers in it."""
    whole, parts = QPainterPath(), QPainterPath()
    for sticker, origin in stickers:
        corners = (np.array(sticker.corners, float) + origin) * (DIVISION, HALF)
        one = QPainterPath()
        one.addPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
        one.closeSubpath()
        whole = whole.united(one)
        middle = corners.mean(axis=0)
        small = middle + (1 - 2 * GAP) * (corners - middle)
        parts.addPolygon(QPolygonF([QPointF(*corner) for corner in small]))
        parts.closeSubpath()
    return whole.simplified(), parts


class ImportPage(QWidget):
    """Pictures next to their readings, above them the number of doubts, and buttons."""

    def __init__(self) -> None:
        super().__init__()
        self.open = push_button(tr("Open pictures…"), tr("Choose pictures of the pieces and the border"))
        self.next = push_button(tr("Next uncertain"), tr("Go to the next uncertain colour"))
        self.use = push_button(tr("Use these pieces"), tr("Place the pieces and open the puzzle"))
        self.tally, self.words, self.empty = ElidedLabel(), ElidedLabel(), invitation(INVITATION)
        self.view = ReadingsView()
        # An empty line is as high as a full one, so nothing moves under the mouse.
        self.words.setFixedHeight(ElidedLabel(INVITATION[:1]).sizeHint().height())
        self._stack = stack(self.empty, self.view)
        top = row((self.tally, 1), self.open, self.next, self.use, margins=(MARGIN, BETWEEN, MARGIN, BETWEEN))
        below = row((self.words, 1), margins=(MARGIN, BETWEEN, MARGIN, BETWEEN))
        column(top, (self._stack, 1), below, of=self, gap=0)
        self.view.pointed.connect(self.point)
        self.next.clicked.connect(self.go_on)
        self.show_readings(None)

    def show_readings(self, readings: Readings | None) -> None:
        """Show the readings of other pictures."""
        self.view.show_readings(readings)
        self._stack.setCurrentWidget(self.empty if readings is None else self.view)
        self.follow(readings)

    def follow(self, readings: Readings | None) -> None:
        """Show corrected readings of the same pictures."""
        doubts = 0
        if readings is not None:
            self.view.follow(readings)
            doubts = len(readings.doubtful)
            size = f"{readings.columns} × {readings.rows}"
            sure = many(doubts, "uncertain colour") if doubts else tr("all colours recognised")
            self.tally.setText(f"{many(len(readings.pieces), 'piece')}, {size}: {sure}")
        else:
            self.tally.setText("")
        self.next.setEnabled(doubts > 0)
        self.use.setEnabled(readings is not None and readings.is_whole)
        self.point(self.view.spot)

    def say(self, words: str) -> None:
        """Show the progress of the work instead of the readings."""
        self.show_readings(None)
        self.empty.setText(words)

    def point(self, spot: Spot | None) -> None:
        """Show the reading of a spot."""
        readings = self.view.readings
        words = "" if spot is None or readings is None else readings.words_at(spot)
        self.words.setText(words[:1].upper() + words[1:])

    def go_on(self) -> None:
        """Go to the next doubt after the keys' spot."""
        readings, here = self.view.readings, self.view.spot
        if readings is None or not readings.doubtful:
            return
        every = readings.every_spot
        after = -1 if here is None else every.index(here)
        doubts = [every.index(spot) for spot in readings.doubtful]
        self.view.go_to(every[min(doubts, key=lambda at: (at <= after, at))])
        self.view.setFocus()


class Importing(QObject):
    """Reads pictures, lets them be corrected, and brings the design."""

    def __init__(self, extension: Extension[ZigzawShapes]) -> None:
        super().__init__(extension)
        self._extension, self._session = extension, extension.session
        self.page = ImportPage()
        self.page.open.clicked.connect(self.choose)
        self.page.use.clicked.connect(self.use)
        self.page.view.chosen.connect(self._correct)

    def entry(self, choose: Callable[[], object]) -> View:
        """View of the page; `choose` is called when it comes in sight."""
        return View(VIEW, tr("Import"), self.page, choose, lambda: None, lambda _factor: None)

    def choose(self) -> None:
        """Ask for pictures, and read them."""
        preferences = self._session.preferences
        paths = self._session.dialogs.import_paths(preferences.folder("import", Path.home()))
        if paths:
            preferences.set_folder("import", paths[0].absolute().parent)
            self.read(paths)

    def review(self, paths: Sequence[Path]) -> bool:
        """Read the paths here if they are pictures; returns whether they are."""
        are_pictures = all(os.path.isdir(path) or path.suffix.lower() in PICTURES for path in paths)
        if are_pictures:
            self.read(paths)
        return are_pictures

    def read(self, paths: Sequence[Path]) -> None:
        """Read pictures, and show the readings."""
        self._extension.view_wanted.emit(VIEW)
        self.page.say(tr("Reading the pictures…"))
        name = files_named(paths)
        self._session.jobs.start(
            READING, partial(_read, list(paths)), done=self.page.show_readings, failed=partial(self._not_read, name)
        )

    def _not_read(self, name: str, problem: StudioError) -> None:
        self.page.say(INVITATION)
        self._session.notices.post(tr("Cannot import {name}: {problem}", name=name, problem=problem), Severity.ERROR)

    def _correct(self, spot: Spot, paint: int) -> None:
        readings = self.page.view.readings
        if readings is not None:
            self.page.follow(readings.with_paint(spot, paint))

    def use(self) -> None:
        """Place the pieces, and bring the design."""
        readings = self.page.view.readings
        if readings is not None:
            self._session.jobs.start(PLACING, partial(_placed, readings), done=self._open, failed=self._not_placed)

    def _open(self, design: ZigzawDesign) -> None:
        """Open the design; stay here if the maker keeps the present one."""
        self._extension.design_wanted.emit(design)
        if self._session.document.design is design:
            self._extension.canvas_wanted.emit()

    def _not_placed(self, problem: StudioError) -> None:
        sentence = str(problem)
        self._session.notices.post(f"{sentence[0].upper()}{sentence[1:]}", Severity.ERROR)


def _read(paths: Sequence[Path], progress: Progress) -> Readings:
    # Imported when pictures are read: the window opens without them.
    from studio.puzzles.zigzaw.photographs import readings

    return readings(sources_of(paths), progress)


def _placed(readings: Readings, progress: Progress) -> ZigzawDesign:
    from studio.puzzles.zigzaw.generate import assembled

    return assembled(readings.loose(), progress)
