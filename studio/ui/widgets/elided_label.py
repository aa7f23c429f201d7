"""Words that take the room there is, in a second line where one is allowed, and end in dots where it is not enough."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QWidget

from studio.ui.widgets.theme import hint_font

LEAST_WIDTH = 24
LONG_WORD = 10
"""Letters of a word that goes into the next line."""


class Saying(QLabel):
    """One line, or two smaller ones where one is too short; the whole text is the tool tip where it is cut short."""

    def __init__(self, words: str = "", parent: QWidget | None = None, *, wraps: bool = False) -> None:
        super().__init__(words, parent)
        self._wraps = wraps
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)

    def minimumSizeHint(self) -> QSize:
        """It asks for no room."""
        return QSize(LEAST_WIDTH, super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter, flags = QPainter(self), self.alignment() | Qt.AlignmentFlag.AlignVCenter
        room, full = self.width(), self.text()
        if self._wraps and self.fontMetrics().horizontalAdvance(full) > room:
            small = hint_font(QApplication.font())
            small.setWeight(QFont.Weight.Normal)  # which a painter else takes from the label's own font
            painter.setFont(small)
            # A line ends with a word, so that two of them have less room than twice one.
            room, flags = (
                2 * room - painter.fontMetrics().averageCharWidth() * LONG_WORD,
                flags | Qt.TextFlag.TextWordWrap,
            )
        words = painter.fontMetrics().elidedText(full, Qt.TextElideMode.ElideRight, room)
        self.setToolTip(full if words != full else "")
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.rect(), flags, words)
