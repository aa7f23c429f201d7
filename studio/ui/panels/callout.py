"""A sentence beside a field: it lies over the page, moves nothing, and lets the mouse through."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QWidget

from studio.ui.widgets.layout import SidePanel
from studio.ui.widgets.theme import GAP, current_theme, hint_font

STRIPE = 3
RIM = 6
LEAST, WIDEST = 120, 280
"""Width in pixels below which it goes below its field, and width of a sentence that fills a line."""
FOLLOWED = {QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show, QEvent.Type.Hide, QEvent.Type.ParentChange}


class Callout(QLabel):
    """Says why a value was refused; `leave` is called on Escape and when the mouse is pressed outside its panel."""

    def __init__(self, field: QWidget, leave: Callable[[], object]) -> None:
        super().__init__(_host(field))
        self._field, self._leave = field, leave
        self._followed: list[QWidget] = []
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setFont(hint_font(QApplication.font()))
        self.setForegroundRole(QPalette.ColorRole.BrightText)
        self.setContentsMargins(STRIPE + RIM, RIM, RIM, RIM)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def say(self, sentence: str) -> None:
        """Show another sentence, or none."""
        self.setText(sentence)
        for each in self._followed:
            each.removeEventFilter(self)
        self._followed = [self._field, *_up_to_host(self._field)] if sentence else []
        for each in self._followed:
            each.installEventFilter(self)
        self._hear_presses(False)
        if sentence:
            self._place()
            # Deferred: the press that took the focus from the field is yet to be handled.
            QTimer.singleShot(0, self, lambda: self._hear_presses(bool(self.text())))
        else:
            self.hide()

    def _hear_presses(self, on: bool) -> None:
        app = QApplication.instance()
        assert app is not None
        if on:
            app.installEventFilter(self)
        else:
            app.removeEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay beside the field; close on Escape, and when the mouse is pressed elsewhere."""
        if event.type() in FOLLOWED and watched in self._followed:
            self._place()
        elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Escape:
                self._leave()
        elif event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            panel = _panel(self._field)
            if not panel.rect().contains(panel.mapFromGlobal(event.globalPosition().toPoint())):
                self._leave()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a panel with a thin rim and a red stripe, as notices do."""
        painter = QPainter(self)
        painter.setPen(current_theme().line)
        painter.setBrush(current_theme().panel)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.fillRect(QRect(0, 0, STRIPE, self.height()), current_theme().error)
        painter.end()
        super().paintEvent(event)

    def _place(self) -> None:
        """Move beside the field's panel, or below the field without room there; hide with the field."""
        field = self._field
        host = _host(field)
        if self.parentWidget() is not host:
            self.setParent(host)
        if not field.isVisible() or field.visibleRegion().isEmpty():
            self.hide()
            return
        panel = _panel(field)
        edge = panel.mapTo(host, QPoint(panel.width(), 0)).x() + GAP
        room = min(host.width() - edge - GAP, WIDEST)
        corner, centre = field.mapTo(host, QPoint(0, field.height())), field.mapTo(host, field.rect().center()).y()
        if room >= LEAST:
            size = self._size_within(room)
            place = QPoint(edge, centre - size.height() // 2)
        else:
            size = self._size_within(max(field.width(), LEAST))
            place = QPoint(min(corner.x(), host.width() - size.width()), corner.y() + 1)
        lowest = max(0, host.height() - size.height())
        self.setGeometry(QRect(QPoint(max(0, place.x()), min(max(0, place.y()), lowest)), size))
        self.show()
        self.raise_()

    def _size_within(self, room: int) -> QSize:
        self.ensurePolished()
        words = self.fontMetrics().horizontalAdvance(self.text()) + STRIPE + 2 * RIM + 2
        width = min(room, words)
        return QSize(width, self.heightForWidth(width))


def _up_to_host(field: QWidget) -> Iterator[QWidget]:
    host, part = _host(field), field
    while part is not host:
        parent = part.parentWidget()
        if parent is None:
            return
        part = parent
        yield part


def _host(field: QWidget) -> QWidget:
    """Return the page of a design, or the dialog, that a callout lies over."""
    part = field
    while not (isinstance(part, QMainWindow) or part.isWindow()):
        parent = part.parentWidget()
        if parent is None:
            break
        part = parent
    return part


def _panel(field: QWidget) -> QWidget:
    """Return the scrolling panel of a field; its parent elsewhere."""
    part = field.parentWidget()
    while part is not None and not isinstance(part, SidePanel):
        part = part.parentWidget()
    return part or field.parentWidget() or field
