"""Finds what is wider than its room, and what can hardly be read, in any window or dialog that is shown."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QPushButton,
    QScrollArea,
    QStyle,
    QStyleOptionComboBox,
    QStyleOptionTab,
    QTabBar,
    QTableView,
    QToolButton,
    QWidget,
)

from studio.ui.kinds.calendar.heat_map import HeatMap
from studio.ui.widgets.controls import ElidedLabel
from studio.ui.widgets.theme import contrast

WRITTEN_MARGIN = 4
"""What a line to write in keeps free at both sides of its text, in pixels."""
READABLE = 4.5
"""The least contrast of text, after WCAG 2.2."""


def seen(root: QWidget) -> Iterator[QWidget]:
    """Every widget in sight in a window, and the window itself."""
    for widget in (root, *root.findChildren(QWidget)):
        if widget.isVisible() and widget.window() is root.window() and not widget.visibleRegion().isEmpty():
            yield widget


def cut_off(root: QWidget) -> set[str]:
    """The texts of a window that need more room than they have; those that say themselves that they end in dots may."""
    return {
        f"{type(widget).__name__}: {words}"
        for widget in seen(root)
        if not isinstance(widget, ElidedLabel | HeatMap)
        for words in _cut_off(widget)
    }


def _cut_off(widget: QWidget) -> Iterator[str]:
    match widget:
        case QLabel():
            yield from _label(widget)
        case QPushButton() | QToolButton():
            if widget.text() and _exceeds(widget):
                yield widget.text()
        case QAbstractSpinBox():
            line = widget.lineEdit()
            if widget.fontMetrics().horizontalAdvance(line.text()) + WRITTEN_MARGIN > line.width():
                yield line.text()
        case QComboBox():
            if widget.fontMetrics().horizontalAdvance(widget.currentText()) > _room_of(widget):
                yield widget.currentText()
        case QTabBar():
            if widget.count() and widget.tabRect(widget.count() - 1).right() > widget.width():
                yield widget.tabText(widget.count() - 1)
            yield from _low(widget)
        case QTableView():
            yield from _heads(widget)
        case QAbstractButton():
            if _exceeds(widget):
                yield widget.text()
        case QScrollArea():
            inside = widget.widget()
            if inside is not None and inside.width() > widget.viewport().width():
                yield "scrolls sideways"


def _low(tabs: QTabBar) -> Iterator[str]:
    """The names of tabs that need more height than they have."""
    for number in range(tabs.count()):
        option = QStyleOptionTab()
        tabs.initStyleOption(option, number)
        room = tabs.style().subElementRect(QStyle.SubElement.SE_TabBarTabText, option, tabs)
        if tabs.tabText(number) and room.height() < tabs.fontMetrics().height():
            yield tabs.tabText(number)


def _label(label: QLabel) -> Iterator[str]:
    if not label.text():
        return
    is_plain = label.textFormat() is not Qt.TextFormat.RichText
    words = label.text().split() if is_plain else []
    wide = label.fontMetrics().horizontalAdvance(max(words, key=len, default=""))
    if label.wordWrap() and (label.heightForWidth(label.width()) > label.height() or wide > label.width()):
        yield label.text()
    if not label.wordWrap() and _exceeds(label):
        yield label.text()


def _exceeds(widget: QWidget) -> bool:
    wanted = widget.sizeHint()
    return wanted.width() > widget.width() or wanted.height() > widget.height()


def _room_of(box: QComboBox) -> int:
    option = QStyleOptionComboBox()
    box.initStyleOption(option)
    part = QStyle.SubControl.SC_ComboBoxEditField
    return box.style().subControlRect(QStyle.ComplexControl.CC_ComboBox, option, part, box).width() - 2


def _heads(table: QTableView) -> Iterator[str]:
    head, model = table.horizontalHeader(), table.model()
    for column in range(model.columnCount() if head.isVisible() else 0):
        if head.sectionSizeHint(column) > head.sectionSize(column):
            yield str(model.headerData(column, head.orientation()))


def faint(root: QWidget) -> set[str]:
    """The texts of a window that hardly stand out from their ground; those that are switched off may not."""
    return {
        widget.text()
        for widget in seen(root)
        if isinstance(widget, QLabel | QAbstractButton) and widget.text() and widget.isEnabled()
        if contrast(_ink(widget), _ground(widget)) < READABLE
    }


def _ink(widget: QWidget) -> QColor:
    return widget.palette().color(widget.foregroundRole())


def _ground(widget: QWidget) -> QColor:
    """What is painted behind a widget: its own button, or the ground of the nearest that fills one."""
    if isinstance(widget, QPushButton):
        return widget.palette().color(widget.backgroundRole())
    while not widget.isWindow() and not widget.autoFillBackground():
        parent = widget.parentWidget()
        assert parent is not None
        widget = parent
    return widget.palette().color(widget.backgroundRole())
