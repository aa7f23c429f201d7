"""Rows, columns and grids of widgets, each written as one expression; windows fitted to their screens.

item: a widget or a layout; in a tuple with a number, it takes that share of the remaining room. A number alone is a
space in pixels, and `REST` takes the remaining room.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QDialog,
    QFormLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QLayoutItem,
    QScrollArea,
    QStackedLayout,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from studio.ui.widgets.theme import GAP

Item = QWidget | QLayout | tuple[QWidget | QLayout | None, int] | int
Margins = int | tuple[int, int, int, int]

REST: Item = (None, 1)
UNBOUNDED = (1 << 24) - 1
"""The largest width and height that Qt gives a widget."""
FRAME = QSize(8, 36)
"""Pixels that a desktop's frame and title bar will add to a hidden window."""

B = TypeVar("B", bound=QBoxLayout)


def row(*items: Item, of: QWidget | None = None, gap: int = GAP, margins: Margins = 0) -> QHBoxLayout:
    """Lay out items side by side, `gap` pixels apart, in a widget if given."""
    return _filled(QHBoxLayout(), of, items, gap, margins)


def column(*items: Item, of: QWidget | None = None, gap: int = GAP, margins: Margins = 0) -> QVBoxLayout:
    """Lay out items one below the other, `gap` pixels apart, in a widget if given."""
    return _filled(QVBoxLayout(), of, items, gap, margins)


def grid(*lines: Sequence[QWidget], across: int = GAP, down: int = GAP) -> QGridLayout:
    """Lay out widgets in lines and columns, `across` and `down` pixels apart."""
    made = QGridLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(across)
    made.setVerticalSpacing(down)
    for line, widgets in enumerate(lines):
        for place, widget in enumerate(widgets):
            made.addWidget(widget, line, place)
    return made


def named(widgets: Mapping[str, QWidget], *, across: int = 2 * GAP, down: int = GAP // 2) -> QFormLayout:
    """Lay out widgets one below the other, each behind its name."""
    made = QFormLayout()
    made.setContentsMargins(0, 0, 0, 0)
    made.setHorizontalSpacing(across)
    made.setVerticalSpacing(down)
    for name, widget in widgets.items():
        made.addRow(name, widget)
    return made


def show_row(form: QFormLayout, widget: QWidget, *, shown: bool) -> None:
    """Show or hide a row; a value that wraps beside wider names would otherwise keep the height of one line."""
    form.setRowVisible(widget, shown)
    form.activate()


def stack(*widgets: QWidget) -> QStackedLayout:
    """Stack widgets, showing the first."""
    made = QStackedLayout()
    for widget in widgets:
        # Qt shows the first widget before it has a parent, which would flash up as a window.
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, True)
        made.addWidget(widget)
        widget.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)
    return made


def holding(layout: QLayout) -> QWidget:
    """Return a plain widget with a layout."""
    made = QWidget()
    made.setLayout(layout)
    return made


def scrolled(widget: QWidget, area: QScrollArea | None = None) -> QScrollArea:
    """Put a widget into a scroll area without a frame, as wide as its room; by default a new area."""
    area = QScrollArea() if area is None else area
    area.setWidget(widget)
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    return area


class Pages(QStackedWidget):
    """Stacked pages of a panel: as wide as the widest, but no taller than the one in sight."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        """Return the width of the widest page and the height of the one in sight."""
        page = self.currentWidget()
        return super().sizeHint() if page is None else QSize(super().sizeHint().width(), page.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest page and the height of the one in sight."""
        page, least = self.currentWidget(), super().minimumSizeHint()
        return least if page is None else QSize(least.width(), page.minimumSizeHint().height())

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of the page in sight."""
        page = self.currentWidget()
        if page is None or not page.hasHeightForWidth():
            return self.sizeHint().height()
        return page.heightForWidth(width)


class Views(QStackedWidget):
    """Stacked widgets, each scrolled if the window is too small for it.

    So the window's least size depends on none of them, in sight or not.
    """

    LEAST = QSize(240, 120)

    def add(self, widget: QWidget) -> None:
        """Add a widget, unless it is in already."""
        if self._index(widget) < 0:
            self.addWidget(_Scrolled(widget))

    def show_widget(self, widget: QWidget) -> None:
        """Show a widget."""
        self.setCurrentIndex(self._index(widget))

    @property
    def shown(self) -> QWidget | None:
        """The widget in sight, without its scroll area."""
        area = self.currentWidget()
        return area.widget() if isinstance(area, _Scrolled) else None

    def _index(self, widget: QWidget) -> int:
        areas = (self.widget(index) for index in range(self.count()))
        return next((at for at, area in enumerate(areas) if area is not None and area.isAncestorOf(widget)), -1)

    def minimumSizeHint(self) -> QSize:
        """Just enough to scroll in."""
        return self.LEAST


class _Scrolled(QScrollArea):
    """A widget that fills the area, and is scrolled only if that is below the widget's least size.

    Qt's own would give a widget whose height depends on its width all the height it prefers.
    """

    def __init__(self, widget: QWidget) -> None:
        super().__init__()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._content = widget
        self.setWidget(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the widget's size hints."""
        is_done = super().eventFilter(watched, event)
        if event.type() == QEvent.Type.LayoutRequest and watched is self._content:
            self._fit()
        return is_done

    def _fit(self) -> None:
        widget, room = self._content, self.maximumViewportSize()
        least = widget.minimumSizeHint().expandedTo(widget.minimumSize())
        layout = widget.layout()
        if layout is not None and layout.hasHeightForWidth():
            least.setHeight(layout.minimumHeightForWidth(max(room.width(), least.width())))
        bar = self.verticalScrollBar().sizeHint().width()
        if least.height() > room.height():
            room.setWidth(room.width() - bar)
        if least.width() > room.width():
            room.setHeight(room.height() - bar)
        widget.resize(room.expandedTo(least))


class Turning(QObject):
    """Turns a widget's row into a column while the widget is narrower than some pixels."""

    def __init__(self, widget: QWidget, items: QBoxLayout, narrow: int, least: int) -> None:
        """`least` is the widget's least width."""
        super().__init__(widget)
        self._items, self._narrow = items, narrow
        widget.setMinimumWidth(least)
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the widget's width."""
        if isinstance(event, QResizeEvent):
            down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
            self._items.setDirection(down if event.size().width() < self._narrow else across)
        return super().eventFilter(watched, event)


class Headed(QWidget):
    """Pages below a head, together as tall as the page in sight: a layout would take the height of the tallest."""

    def __init__(self, head: QWidget, pages: Pages) -> None:
        super().__init__()
        self._head, self._pages = head, pages
        column(head, (pages, 1), of=self)

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of the head, if it is shown, and of the page in sight."""
        head = 0 if self._head.isHidden() else self._head.sizeHint().height() + GAP
        return head + self._pages.heightForWidth(width)


class SidePanel(QScrollArea):
    """A panel at a side of the window that scrolls up and down; sideways only if its texts need half a screen."""

    WIDEST = 600

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the content, whether it scrolls or not."""
        least, content = super().minimumSizeHint(), self.widget()
        if content is None:
            return least
        wide = content.minimumSizeHint().width() + self.verticalScrollBar().sizeHint().width()
        return QSize(max(least.width(), min(wide, self.WIDEST)), least.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the content's size hints."""
        if event.type() == QEvent.Type.LayoutRequest and watched is self.widget():
            self.updateGeometry()
        return super().eventFilter(watched, event)


def labelled(words: str, field: QWidget) -> tuple[QLabel, QWidget]:
    """Return a label for a field, and the field."""
    label = QLabel(words)
    label.setBuddy(field)
    return label, field


def room_on_screen(window: QWidget) -> QRect:
    """Return the room for a window without its frame: the screen without task bars and panels."""
    free = window.screen().availableGeometry()
    return free.adjusted(FRAME.width() // 2, FRAME.height() - FRAME.width() // 2, -FRAME.width() // 2,
                         -FRAME.width() // 2)  # fmt: skip


def resize_on_screen(window: QWidget, size: QSize) -> None:
    """Give a window a size, as far as its screen allows."""
    window.resize(size.boundedTo(room_on_screen(window).size()))


def fit_on_screen(dialog: QDialog, room: QSize | None = None) -> None:
    """Give a dialog its preferred size, bounded by a room, its screen by default: Qt would stop at two thirds of that.

    Content without room scrolls above the buttons, the last item of its column.
    """
    was_sized = dialog.testAttribute(Qt.WidgetAttribute.WA_Resized)
    wanted = (dialog.size() if was_sized else dialog.sizeHint()).expandedTo(dialog.minimumSizeHint())
    room, layout = room_on_screen(dialog).size() if room is None else room, dialog.layout()
    if layout is not None and layout.hasHeightForWidth():
        wanted.setHeight(max(wanted.height(), layout.minimumHeightForWidth(wanted.width())))
    if wanted.boundedTo(room) == wanted or not isinstance(layout, QVBoxLayout):
        dialog.resize(wanted.boundedTo(room))
        return
    focused = dialog.focusWidget()
    layout.setSizeConstraint(QVBoxLayout.SizeConstraint.SetDefaultConstraint)
    dialog.setMinimumSize(0, 0)
    dialog.setMaximumSize(UNBOUNDED, UNBOUNDED)
    last = layout.takeAt(layout.count() - 1)
    margins, content = layout.contentsMargins(), QWidget()
    content.setLayout(layout)
    layout.setContentsMargins(margins.left(), margins.top(), margins.right(), 0)
    buttons = None if last is None else last.widget() or last.layout()
    # In a widget of their own, so that the Tab key reaches them last.
    below = holding(row((buttons, 1), margins=(margins.left(), 0, margins.right(), margins.bottom())))
    area = _Scrolled(content)
    column((area, 1), below, of=dialog)
    dialog.resize((wanted + QSize(area.verticalScrollBar().sizeHint().width(), 0)).boundedTo(room))
    if dialog.isVisible():
        area.show()
        below.show()
    if focused is not None:
        focused.setFocus()


def bring_on_screen(window: QWidget) -> None:
    """Fit a window restored from another screen to this one, and move all of it into sight."""
    if window.isMaximized() or window.isFullScreen():
        return
    room, now = room_on_screen(window), window.geometry()
    if room.contains(now):
        return
    size = now.size().boundedTo(room.size())
    left = min(max(now.left(), room.left()), room.right() + 1 - size.width())
    top = min(max(now.top(), room.top()), room.bottom() + 1 - size.height())
    window.setGeometry(QRect(left, top, size.width(), size.height()))


def _filled(layout: B, of: QWidget | None, items: Sequence[Item], gap: int, margins: Margins) -> B:
    left, top, right, bottom = (margins,) * 4 if isinstance(margins, int) else margins
    layout.setContentsMargins(left, top, right, bottom)
    layout.setSpacing(gap)
    if of is not None:
        of.setLayout(layout)
    for item in items:
        _add(layout, item)
    return layout


def _add(layout: QBoxLayout, item: Item) -> None:
    if isinstance(item, int):
        layout.addSpacing(item)
        return
    part, share = item if isinstance(item, tuple) else (item, 0)
    if part is None:
        layout.addStretch(share)
    elif isinstance(part, QWidget):
        layout.addWidget(part, share)
    else:
        layout.addLayout(part, share)


# A row of widgets that wraps into lines


class Flow(QLayout):
    """Widgets from left to right in lines, `across` and `down` pixels apart."""

    def __init__(self, widgets: Iterable[QWidget], across: int, down: int, margins: QMargins) -> None:
        super().__init__()
        self._items: list[QLayoutItem] = []
        self._across, self._down = across, down
        self.setContentsMargins(margins)
        for widget in widgets:
            self.addWidget(widget)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        """Return the number of widgets."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._placed(QRect(0, 0, width, 0), moves=False)

    def setGeometry(self, room: QRect) -> None:
        super().setGeometry(room)
        self._placed(room, moves=True)

    def sizeHint(self) -> QSize:
        return self.minimumSize()

    def minimumSize(self) -> QSize:
        """Return the size of the widest widget."""
        size = QSize()
        for item in self._items:
            size = size.expandedTo(item.minimumSize())
        return size.grownBy(self.contentsMargins())

    def _placed(self, room: QRect, *, moves: bool) -> int:
        """Return the height needed; move the widgets on request."""
        inner = room.marginsRemoved(self.contentsMargins())
        place, tallest = inner.topLeft(), 0
        for item in self._items:
            size = item.sizeHint()
            if tallest and place.x() + size.width() > inner.right() + 1:
                place, tallest = QPoint(inner.left(), place.y() + tallest + self._down), 0
            if moves:
                item.setGeometry(QRect(place, size))
            place += QPoint(size.width() + self._across, 0)
            tallest = max(tallest, size.height())
        return place.y() + tallest - room.top() + self.contentsMargins().bottom()
