"""The studio's one window: a tab for the start page, which is always the first, and one for each open design.

It knows nothing of designs; the content of a tab is a page, named and closed from outside.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QByteArray, QEvent, QPointF, QSize, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QGuiApplication,
    QIcon,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QShortcut,
)
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QStackedWidget, QTabBar, QToolButton, QVBoxLayout, QWidget

from studio.base.texts import tr, visible
from studio.ui.session.preferences import Preferences
from studio.ui.widgets.layout import bring_on_screen, resize_on_screen
from studio.ui.widgets.length_spin import take_what_is_written
from studio.ui.widgets.theme import TabStrip, current_theme, icon

FIRST_SIZE = QSize(1280, 800)
WIDEST_TAB = 220
"""Pixels; longer names are elided in the middle."""
LEAST_TAB = 150
"""Pixels to which tabs shrink if there are many; arrows at the end reach the others."""
ICON, CROSS = QSize(16, 16), QSize(18, 18)
START = 0
"""The index of the start page's tab."""
NEXT_KEYS, PREVIOUS_KEYS = ("Ctrl+Tab", "Ctrl+PgDown"), ("Ctrl+Shift+Tab", "Ctrl+PgUp")
DIGITS = 9
"""Tabs with a key of their own, `Alt+1` to `Alt+9`."""


class TabBar(TabStrip):
    """Tabs that can be dragged, all but the first, and closed with the middle button."""

    def __init__(self) -> None:
        super().__init__()
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideMiddle)
        self.setIconSize(ICON)
        # Keys go to the page, whose shortcuts lead from tab to tab.
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAccessibleName(tr("Open puzzles"))
        self._grip = 0.0
        self._pressed = -1

    def tabSizeHint(self, index: int) -> QSize:
        """Make a tab as wide as its name, up to a limit."""
        return super().tabSizeHint(index).boundedTo(QSize(WIDEST_TAB, 10_000))

    def minimumTabSizeHint(self, index: int) -> QSize:
        """Keep a tab wide enough to tell names apart; the start page's is never elided."""
        size = self.tabSizeHint(index)
        return size if index == START else size.boundedTo(QSize(LEAST_TAB, size.height()))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Grab a tab, unless it is the start page's, which stays in its place."""
        self._pressed = self.tabAt(event.position().toPoint())
        self._grip = event.position().x() - self.tabRect(self._pressed).x()
        self.setMovable(self._pressed > START)
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag a tab as far as the start page's at most."""
        least = self.tabRect(START).right() + 1 + self._grip
        place = event.position()
        if self.isMovable() and place.x() < least:
            moved = QPointF(least, place.y())
            event = QMouseEvent(
                event.type(), moved, event.globalPosition(), event.button(), event.buttons(), event.modifiers()
            )
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Release a tab; the middle button closes the tab it was pressed on."""
        super().mouseReleaseEvent(event)
        pressed, self._pressed = self._pressed, -1
        is_same = pressed == self.tabAt(event.position().toPoint())
        if event.button() is Qt.MouseButton.MiddleButton and pressed > START and is_same:
            self.tabCloseRequested.emit(pressed)


class Cross(QAbstractButton):
    """The button that closes a tab: a cross, on a soft background while hovered."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setFixedSize(CROSS)
        self.setToolTip(tr("Close (Ctrl+W)"))
        self.setAccessibleName(tr("Close"))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self.underMouse():
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(current_theme().selection if self.isDown() else current_theme().line)
            painter.drawRoundedRect(self.rect(), 3, 3)
        icon("close").paint(painter, self.rect().adjusted(3, 3, -3, -3))


class Shell(QWidget):
    """The window itself: tabs above, the page of the current one below."""

    turned = Signal()
    """Another page is in sight."""
    returned = Signal()
    """The window is active again: files may have changed meanwhile."""
    closing = Signal(object)
    """A tab is to be closed: brings its page."""

    def __init__(
        self, preferences: Preferences, start: Callable[[QWidget | None], QWidget] = lambda page: page or QWidget()
    ) -> None:
        """`start` returns an up-to-date start page; it receives the previous one, if any."""
        super().__init__()
        self._preferences, self._start = preferences, start
        self.leave: Callable[[], bool] = lambda: True
        """Asks whether everything may be closed, and then closes the pages."""
        self.start_page: QWidget | None = None
        self._order: list[QWidget] = []
        """The pages of designs, in the order of their tabs."""
        self.bar, self._stack = TabBar(), QStackedWidget()
        self.bar.addTab(tr("Start"))
        self.bar.setTabIcon(START, icon("home"))
        self.bar.setTabToolTip(START, tr("Start page (Alt+Home)"))
        self.bar.currentChanged.connect(self._turn)
        self.bar.tabMoved.connect(self._reorder)
        self.bar.tabCloseRequested.connect(lambda index: self.closing.emit(self._order[index - 1]))
        across, down = QHBoxLayout(), QVBoxLayout(self)
        for layout in (across, down):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(0)
        across.addWidget(self.bar)
        across.addWidget(self._plus())
        across.addStretch(1)
        down.addLayout(across)
        down.addWidget(self._stack, 1)
        for digit in range(1, DIGITS + 1):
            keys = QShortcut(QKeySequence(f"Alt+{digit}"), self)
            keys.activated.connect(partial(self._show_numbered, digit))
        resize_on_screen(self, FIRST_SIZE)
        layout_ = preferences.window_layout()
        if layout_ is not None:
            self.restoreGeometry(layout_[0])
            bring_on_screen(self)

    def _plus(self) -> QToolButton:
        plus = self._adding = QToolButton()
        plus.setAutoRaise(True)
        plus.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        plus.setIcon(icon("add"))
        plus.setIconSize(ICON)
        plus.setToolTip(tr("New puzzle, on the start page"))
        plus.setAccessibleName(tr("New puzzle"))
        plus.clicked.connect(self.show_start)
        plus.hide()
        return plus

    # Pages

    @property
    def pages(self) -> list[QWidget]:
        """The pages of designs, in the order of their tabs."""
        return [*self._order]

    @property
    def page(self) -> QWidget | None:
        """The page of the design in sight; None if that is the start page."""
        index = self.bar.currentIndex()
        return self._order[index - 1] if index > START else None

    def add(self, page: QWidget, picture: QIcon, place: int | None = None, *, is_shown: bool = True) -> None:
        """Show a page in a new tab, behind the one in sight or at a place among the designs."""
        at = self.bar.currentIndex() if self.page is not None else len(self._order)
        at = at if place is None else place
        self._order.insert(at, page)
        self._stack.addWidget(page)
        cross = Cross(self.bar)
        cross.clicked.connect(lambda: self.closing.emit(page))
        # A tab that is put before the current one is no turn, though the index of that one changes.
        self.bar.blockSignals(True)
        self.bar.insertTab(at + 1, picture, "")
        self.bar.setTabButton(at + 1, QTabBar.ButtonPosition.RightSide, cross)
        self.bar.blockSignals(False)
        self._adding.show()
        if is_shown:
            self.show_page(page)

    def rename(self, page: QWidget, title: str, tip: str) -> None:
        """Name a tab, and the window if it is in sight; unsaved changes are marked."""
        index = self._order.index(page) + 1
        mark = "*" if page.isWindowModified() else ""
        # A sign that Qt would take for a mnemonic is doubled.
        self.bar.setTabText(index, f"{visible(title)}{mark}".replace("&", "&&"))
        self.bar.setTabToolTip(index, visible(tip))
        # At once: a bar that is as narrow as before would scroll.
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self._entitle()

    def remove(self, page: QWidget) -> None:
        """Remove a page and its tab; the next design comes in sight, or the start page after the last."""
        index = self._order.index(page) + 1
        if self.page is page:
            self.bar.setCurrentIndex(index + 1 if index < len(self._order) else index - 1)
        self._order.remove(page)
        self.bar.blockSignals(True)
        self.bar.removeTab(index)
        self.bar.blockSignals(False)
        self._stack.removeWidget(page)
        page.setParent(None)
        self._adding.setVisible(bool(self._order))

    def show_page(self, page: QWidget) -> None:
        """Bring the page of a design in sight."""
        self.bar.setCurrentIndex(self._order.index(page) + 1)

    def show_start(self) -> None:
        """Bring the start page in sight."""
        if self.bar.currentIndex() == START:
            self._turn(START)
        self.bar.setCurrentIndex(START)

    def step(self, by: int) -> None:
        """Go some tabs on, round and round; not while a mouse button is held, which would leave a drag behind."""
        if not QGuiApplication.mouseButtons():
            self.bar.setCurrentIndex((self.bar.currentIndex() + by) % self.bar.count())

    def _show_numbered(self, digit: int) -> None:
        """Show a tab by its key; the last one's shows the last tab."""
        if not QGuiApplication.mouseButtons():
            self.bar.setCurrentIndex(self.bar.count() - 1 if digit == DIGITS else digit - 1)

    def _reorder(self, start: int, end: int) -> None:
        self._order.insert(end - 1, self._order.pop(start - 1))

    def _turn(self, index: int) -> None:
        """Show the page of a tab, after accepting the text in a field of the previous page."""
        take_what_is_written()
        self._stack.setCurrentWidget(self._order[index - 1] if index > START else self._made_start())
        self._entitle()
        self.turned.emit()

    def _made_start(self) -> QWidget:
        old, page = self.start_page, self._start(self.start_page)
        if page is not old:
            self.start_page = page
            self._stack.addWidget(page)
            for all_keys, by in ((NEXT_KEYS, 1), (PREVIOUS_KEYS, -1)):
                for keys in all_keys:
                    QShortcut(QKeySequence(keys), page).activated.connect(partial(self.step, by))
            if old is not None:
                self._stack.setCurrentWidget(page)
                self._stack.removeWidget(old)
                old.close()
                old.deleteLater()
        return page

    def _entitle(self) -> None:
        page = self.page or self.start_page
        if page is not None:
            self.setWindowFilePath(page.windowFilePath())
            self.setWindowTitle(page.windowTitle())
            self.setWindowModified(page.isWindowModified())

    # The window

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ActivationChange and self.isActiveWindow():
            self.returned.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        if not self.leave():
            event.ignore()
            return
        # The stored layout of panels stays as it is.
        layout = self._preferences.window_layout()
        self._preferences.set_window_layout(self.saveGeometry(), layout[1] if layout else QByteArray())
        self._preferences.save()
        if self.start_page is not None:
            self.start_page.close()
        event.accept()
