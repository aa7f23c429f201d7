"""The panels around the middle of a window: the drawer of tables, and the layout of all panels.

Panels are beside each other if there is room, and tabs of one panel in a small window.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QComboBox, QDockWidget, QMainWindow, QTabWidget, QWidget

from studio.base.texts import tr
from studio.ui.session.preferences import Preferences
from studio.ui.widgets.theme import TabStrip

FORM_WIDTH, INSPECTOR_WIDTH, DRAWER_HEIGHT = 288, 228, 232
LEAST_DRAWER, CANVAS_FIRST = 176, 530
"""Height of the drawer in a low window, and the height that the rest takes before the drawer grows."""
LEAST_CHOICE = 96
"""The width of a choice in a narrow window, where its words may end in dots."""
NARROW, LOW = 760, 440
"""Size in pixels of a window below which the inspector and the drawer are tabs beside the form."""


def dock(window: QMainWindow, title: str, panel: QWidget, area: Qt.DockWidgetArea) -> QDockWidget:
    """Put a panel into a dock of a window."""
    made = QDockWidget(title, window)
    made.setObjectName(title)
    made.setWidget(panel)
    window.addDockWidget(area, made)
    return made


def reveal(panel: QWidget) -> None:
    """Show the dock of a panel, before others in its place."""
    holder = panel.parentWidget()
    assert isinstance(holder, QDockWidget)
    holder.show()
    holder.raise_()


class Drawer(QTabWidget):
    """Tables as tabs, with their titles."""

    def __init__(self, tables: Sequence[tuple[str, QWidget]]) -> None:
        super().__init__()
        self.tables = tables
        self.setTabBar(TabStrip())
        self.setDocumentMode(True)
        self.setAccessibleName(tr("Tables"))
        for title, table in tables:
            self.addTab(table, title)
            table.windowTitleChanged.connect(lambda text, table=table: self.setTabText(self.indexOf(table), text))

    def show_table(self, table: QWidget) -> None:
        """Bring a table in sight."""
        reveal(self)
        self.setCurrentWidget(table)


class DockLayout:
    """Places the form, the inspector and the drawer of a window."""

    def __init__(self, window: QMainWindow, docks: Sequence[QDockWidget], preferences: Preferences) -> None:
        self._window, self._docks, self._preferences = window, docks, preferences
        window.setCorner(Qt.Corner.BottomRightCorner, Qt.DockWidgetArea.BottomDockWidgetArea)
        window.setCorner(Qt.Corner.BottomLeftCorner, Qt.DockWidgetArea.LeftDockWidgetArea)
        window.setTabPosition(Qt.DockWidgetArea.AllDockWidgetAreas, QTabWidget.TabPosition.North)
        window.resizeDocks(docks[:2], [FORM_WIDTH, INSPECTOR_WIDTH], Qt.Orientation.Horizontal)
        window.resizeDocks(docks[2:], [DRAWER_HEIGHT], Qt.Orientation.Vertical)
        self._folded: tuple[QDockWidget, ...] = ()
        """Panels shown as tabs beside the form for want of room."""
        self._first: QByteArray | None = None
        self._unfolded = QByteArray()
        self._is_fitted = False

    def restore(self) -> None:
        """Restore the layout stored in the preferences."""
        self._first = self._window.saveState()
        layout = self._preferences.window_layout()
        self._is_fitted = layout is not None
        if layout is not None:
            self._window.restoreState(QByteArray(layout[1]))

    def reset(self) -> None:
        """Restore the initial layout."""
        assert self._first is not None
        self._preferences.forget_window_layout()
        self._window.restoreState(self._first)
        self._folded, self._is_fitted = (), False
        self.fit()

    def fit(self) -> None:
        """Adapt to the size of the window."""
        if not self._window.isVisible():
            return
        _form, inspector, drawer = self._docks
        folded = tuple(
            dock
            for dock, is_wanted in ((inspector, self._window.width() < NARROW), (drawer, self._window.height() < LOW))
            if is_wanted
        )
        if folded != self._folded:
            self._fold(folded)
        if not self._is_fitted and drawer not in folded:
            # A low window is left to the canvas.
            self._is_fitted = True
            height = min(max(self._window.height() - CANVAS_FIRST, LEAST_DRAWER), DRAWER_HEIGHT)
            self._window.resizeDocks([drawer], [height], Qt.Orientation.Vertical)

    def _fold(self, folded: tuple[QDockWidget, ...]) -> None:
        if self._folded:
            self._window.restoreState(self._unfolded)
        self._folded = folded
        self._unfolded = self._window.saveState()
        form, inspector, _drawer = self._docks
        for box in form.findChildren(QComboBox):
            box.setMinimumWidth(LEAST_CHOICE if inspector in folded else 0)
        for dock in folded:
            if all(one.isVisibleTo(self._window) and not one.isFloating() for one in (form, dock)):
                self._window.tabifyDockWidget(form, dock)
        form.raise_()
        self._window.resizeDocks([form], [FORM_WIDTH], Qt.Orientation.Horizontal)

    def state(self) -> QByteArray:
        """The layout to be stored: that of a window with room for all panels."""
        return self._unfolded if self._folded else self._window.saveState()
