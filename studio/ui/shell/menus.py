"""The menu bar, the tool strip and the context menu, made of the commands that there are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from studio.ui.shell.actions import Command
from studio.ui.shell.preferences import ThemeChoice
from studio.ui.theme import ToolStrip

if TYPE_CHECKING:
    from studio.ui.shell.window import Window

FILE, EDIT, VIEW, FINDINGS, HELP = "&File", "&Edit", "&View", "Fi&ndings", "&Help"
FRAME = (FILE, EDIT), (VIEW, FINDINGS, HELP)
"""The menus that every window has; those of kinds stand between them."""
THEMES = {ThemeChoice.SYSTEM: "As the desktop", ThemeChoice.LIGHT: "Light", ThemeChoice.DARK: "Dark"}


def make_menus(window: Window) -> None:
    """Fill the menu bar of a window."""
    actions, (first, last) = window.actions_, FRAME
    between = (menu for menu in actions.menus if menu not in (*first, *last, "New"))
    for title in (*first, *between, *last):
        menu = window.menuBar().addMenu(title)
        menu.addActions(actions.of_menu(title))
        if title == FILE:
            _fill_file(window, menu)
        if title == VIEW:
            _fill_view(window, menu)


def _fill_file(window: Window, menu: QMenu) -> None:
    actions = window.actions_
    fresh, recent = QMenu("New", window), QMenu("Open recent", window)
    fresh.addActions([actions["new"], *actions.of_menu("New")])
    recent.aboutToShow.connect(partial(_list_recent, window, recent))
    menu.insertMenu(actions["open"], fresh)
    menu.removeAction(actions["new"])
    menu.insertMenu(actions["save"], recent)
    exports = actions.of(lambda command: command.is_export)
    for action in (actions["save"], *exports[:1], actions["quit"]):
        menu.insertSeparator(action)


def _list_recent(window: Window, menu: QMenu) -> None:
    menu.clear()
    for path in window.preferences.recent_files():
        menu.addAction(path.name, partial(window.filing.open, path)).setStatusTip(str(path))
    if menu.isEmpty():
        menu.addAction("No file yet").setEnabled(False)


def _fill_view(window: Window, menu: QMenu) -> None:
    if window.switch.actions():
        menu.insertSeparator(window.switch.actions()[0])
    menu.addSeparator()
    themes = menu.addMenu("Theme")
    group = QActionGroup(themes)
    for choice, title in THEMES.items():
        action = themes.addAction(title, partial(window.choose_theme, choice))
        action.setCheckable(True)
        action.setChecked(choice is window.preferences.theme_choice())
        group.addAction(action)
    menu.addSeparator()
    for dock in window.docks:
        menu.addAction(dock.toggleViewAction())
    menu.addActions(window.actions_.add([Command("reset_layout", "Reset layout", "", window.reset_layout)]))


def make_strip(window: Window) -> None:
    """Lay out the tool strip of a window; at its end the button for exports."""
    strip = ToolStrip("Tools", window)
    strip.setObjectName("Tools")
    strip.setMovable(False)
    strip.setIconSize(QSize(20, 20))
    groups = window.actions_.groups(lambda command: command.strip)
    for number, group in enumerate([*groups, window.switch.actions()]):
        if number and group:
            strip.addSeparator()
        strip.addActions(group)
    exports = window.actions_.of(lambda command: command.is_export)
    if exports:
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        strip.addWidget(room)
        strip.addWidget(_export_button(exports))
    window.addToolBar(strip)


def _export_button(exports: list[QAction]) -> QToolButton:
    button = QToolButton()
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    if len(exports) == 1:
        button.setDefaultAction(exports[0])
        return button
    # One press must not decide between laser and printer: whoever prints would get lines to cut.
    button.setIcon(exports[0].icon())
    button.setText("Export")
    button.setToolTip("Write files for the laser cutter or for the printer")
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    choices = QMenu(button)
    choices.addActions(exports[::-1])
    button.setMenu(choices)
    return button


def show_context_menu(window: Window, place: QPoint) -> None:
    """Show what can be done with what is selected, at a place of the screen."""
    menu = QMenu(window)
    for title in window.parts.context_menus:
        menu.addActions(window.actions_.of_menu(title))
    menu.addSeparator()
    menu.addActions(window.actions_.of(lambda command: command.in_context))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)
