"""The menu bar, the tool strip and the context menu, made of the commands that there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar, QSizePolicy, QToolButton, QWidget

from studio.texts import tr
from studio.ui.shell.actions import Actions
from studio.ui.theme import ToolStrip

FILE, EDIT, VIEW, FINDINGS, HELP = "&File", "&Edit", "&View", "P&roblems", "&Help"
FRAME = (FILE, EDIT), (VIEW, FINDINGS, HELP)
"""The menus that every window has; those of kinds are between them. A menu is known by its untranslated title."""
NEW = tr("New")
"""The submenu of the kinds that a new design can be of."""


def fill_menu_bar(bar: QMenuBar, actions: Actions) -> dict[str, QMenu]:
    """Fill a menu bar; returns its menus by title."""
    first, last = FRAME
    between = (title for title in actions.menus if title not in (*first, *last, NEW))
    menus = {title: bar.addMenu(tr(title)) for title in (*first, *between, *last)}
    for title, menu in menus.items():
        menu.addActions(actions.of_menu(title))
    return menus


def tool_strip(parent: QWidget, actions: Actions, *groups: Sequence[QAction]) -> ToolStrip:
    """The tool strip: commands by their groups, then other groups, and at its end the button for exports."""
    strip = ToolStrip("Tools", parent)
    strip.setObjectName("Tools")
    strip.setMovable(False)
    strip.setIconSize(QSize(20, 20))
    for number, group in enumerate([*actions.groups(lambda command: command.strip), *groups]):
        if number and group:
            strip.addSeparator()
        strip.addActions(group)
    exports = actions.of(lambda command: command.is_export)
    if exports:
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        strip.addWidget(room)
        strip.addWidget(_export_button(exports))
    return strip


def _export_button(exports: Sequence[QAction]) -> QToolButton:
    button = QToolButton()
    button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    if len(exports) == 1:
        button.setDefaultAction(exports[0])
        return button
    # One press must not decide between laser and printer: a printer's user would get lines to cut.
    button.setIcon(exports[0].icon())
    button.setText(tr("Export"))
    button.setToolTip(tr("Write files for the laser cutter or the 3-D printer"))
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    choices = QMenu(button)
    choices.addActions(exports[::-1])
    button.setMenu(choices)
    return button


def show_context_menu(parent: QWidget, place: QPoint, actions: Actions, titles: Iterable[str]) -> None:
    """Show the commands of some menus, and those of the canvas, at a place of the screen."""
    menu = QMenu(parent)
    for title in titles:
        menu.addActions(actions.of_menu(title))
    menu.addSeparator()
    menu.addActions(actions.of(lambda command: command.in_context))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)
