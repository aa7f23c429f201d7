"""The sheets as they will be cut, one at a time: the artwork, and every line in its operation's colour."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.base.amounts import extent
from studio.base.texts import tr
from studio.geometry.planar.drawing import Drawing, Operation
from studio.ui.canvas.artwork import Painting, boxed
from studio.ui.canvas.paths import curved
from studio.ui.widgets.controls import hint_label, quiet_button
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, Painted, current_theme, light_theme

if TYPE_CHECKING:
    from studio.export.colour_profiles import Profile


LEAST, WANTED = QSize(240, 150), QSize(340, 250)
RIM = 8
FADED = 0.35
"""Opacity of outdated sheets."""


class SheetPicture(QWidget):
    """One drawing, as large as there is room."""

    is_faded = Painted(False)
    """True if its lines are pale, as the sheet is outdated."""

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

    def _forget(self) -> None:
        self._painted = None
        self.update()

    def _paint(self, drawing: Drawing, profile: Profile, ratio: float) -> QPixmap:
        """Paint the sheet and its lines into a picture, because a large sheet takes longer than a frame."""
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(Qt.GlobalColor.transparent)
        room = QRectF(self.rect()).adjusted(RIM, RIM, -RIM, -RIM)
        scale = min(room.width() / drawing.width, room.height() / drawing.height)
        across, down = drawing.width * scale, drawing.height * scale
        sheet = QRectF(room.center() - QPointF(across / 2, down / 2), room.center() + QPointF(across / 2, down / 2))
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
