"""A card of the start page: a picture with a name, which opens what it shows."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetrics, QImage, QKeySequence, QPainter, QPaintEvent, QPalette, QPixmap
from PySide6.QtWidgets import QAbstractButton, QStyle

from studio.base.texts import tr
from studio.ui.widgets.theme import GAP, MARGIN, current_theme, heading_font, hint_font

RADIUS = 6.0


class Card(QAbstractButton):
    """A picture with a name below it, and a quiet sentence below that.

    What `read` gives is the picture until another is shown; it is asked when the card is first painted, since most of
    a long list is out of sight.
    """

    def __init__(
        self, room: QSize, title: str, words: str = "", tip: str = "", read: Callable[[], QImage | None] | None = None,
        *, is_large: bool = False,
    ) -> None:  # fmt: skip
        """`room` is that of the picture; a large card has its name in the size of a heading."""
        super().__init__()
        self._room, self._words, self._read, self._is_large = room, words, read, is_large
        self._picture: QPixmap | None = None
        self.is_gone = False
        self.setText(title)
        # A sign in a file's name that Qt would take for a mnemonic is none.
        self.setShortcut(QKeySequence())
        self.setAccessibleName(title)
        self.setAccessibleDescription(words)
        self.setToolTip(tip)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(self.sizeHint())

    def set_room(self, room: QSize) -> None:
        """Give the picture another size, and the card what it then needs."""
        self._room = room
        self.setFixedSize(self.sizeHint())
        self.update()

    def show_picture(self, image: QImage | None) -> None:
        """Show another picture, or none."""
        self._read = None
        self._picture = None if image is None else QPixmap.fromImage(image)
        self.update()

    @property
    def is_read(self) -> bool:
        """Whether its picture is known, if there is one."""
        return self._read is None

    def show_gone(self) -> None:
        """The file is not there any more."""
        self.is_gone = True
        self.setEnabled(False)
        self.update()

    def sizeHint(self) -> QSize:
        """The picture, the name, and room for the words."""
        inner = self._room.width()
        height = MARGIN + self._room.height() + GAP + self.fontMetrics().height() + MARGIN
        if self._words:
            height += 4 + self._words_box(inner).height()
        return QSize(inner + 2 * MARGIN, height)

    def _words_box(self, width: int) -> QRect:
        metrics = QFontMetrics(hint_font(self.font()))
        return metrics.boundingRect(0, 0, width, 10_000, Qt.TextFlag.TextWordWrap.value, self._words)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._read is not None:
            image, self._read = self._read(), None
            self._picture = None if image is None else QPixmap.fromImage(image)
        theme, painter = current_theme(), QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        area = self.rect().adjusted(1, 1, -1, -1)
        is_lit = self.isEnabled() and (self.underMouse() or self.hasFocus())
        painter.setPen(theme.accent if is_lit else theme.line)
        painter.setBrush(theme.panel)
        painter.drawRoundedRect(area, RADIUS, RADIUS)
        room = QRect(QPoint(MARGIN, MARGIN), self._room)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.canvas)
        painter.drawRoundedRect(room, RADIUS, RADIUS)
        if self._picture is not None:
            inner = room.adjusted(4, 4, -4, -4)
            size = self._picture.size().scaled(inner.size(), Qt.AspectRatioMode.KeepAspectRatio)
            painter.setOpacity(0.4 if self.is_gone else 1.0)
            where = QStyle.alignedRect(Qt.LayoutDirection.LeftToRight, Qt.AlignmentFlag.AlignCenter, size, inner)
            painter.drawPixmap(where, self._picture)
            painter.setOpacity(1.0)
        if self.is_gone:
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, tr("Not found"))
        self._write(painter, room)

    def _write(self, painter: QPainter, room: QRect) -> None:
        group = QPalette.ColorGroup.Normal if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(self.palette().color(group, QPalette.ColorRole.WindowText))
        if self._is_large:
            painter.setFont(heading_font(self.font()))
        height = painter.fontMetrics().height()
        line = QRect(MARGIN, room.bottom() + 1 + GAP, room.width(), height)
        text = painter.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideMiddle, line.width())
        painter.drawText(line, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, text)
        if self._words:
            painter.setFont(hint_font(self.font()))
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            below = self._words_box(room.width()).translated(MARGIN, line.bottom() + 4)
            painter.drawText(below, Qt.TextFlag.TextWordWrap.value, self._words)
