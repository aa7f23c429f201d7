"""The menu bar, the tool strip and the context menu, made of the commands that there are; menus of choices."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QPoint, QSize, Qt, qVersion
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QMenuBar, QMessageBox, QSizePolicy, QToolButton, QWidget

from studio import __version__
from studio.base import units
from studio.base.texts import tr, visible
from studio.base.units import Unit
from studio.ui.session.commands import EDIT, FILE, FINDINGS, HELP, VIEW, Actions
from studio.ui.session.preferences import Preferences, ThemeChoice, theme_for
from studio.ui.widgets.controls import with_mnemonics
from studio.ui.widgets.theme import ToolStrip, apply

E = TypeVar("E", bound=Enum)

FRAME = (FILE, EDIT), (VIEW, FINDINGS, HELP)
"""The menus of every window; kinds' own are between them."""
MARKED = "has mnemonics"
"""The property of a menu whose entries have mnemonics when it opens."""
THEME_WORDS = {ThemeChoice.SYSTEM: tr("System"), ThemeChoice.LIGHT: tr("Light"), ThemeChoice.DARK: tr("Dark")}
UNIT_WORDS = {Unit.MILLIMETRES: tr("Millimetres"), Unit.INCHES: tr("Inches")}
MOST_LISTED = 10
"""Recent files in the menu; the start page lists more."""
NEW = tr("New")
"""The submenu of the kinds for a new design."""


def fill_menu_bar(bar: QMenuBar, actions: Actions) -> dict[str, QMenu]:
    """Fill a menu bar; returns its menus by title."""
    first, last = FRAME
    between = (title for title in actions.menus if title not in (*first, *last, NEW))
    menus = {title: bar.addMenu(tr(title)) for title in (*first, *between, *last)}
    for title, menu in menus.items():
        _fill(menu, actions.parts(title))
        _mark_when_shown(menu)
    return menus


def _fill(menu: QMenu, parts: Iterable[Sequence[QAction]]) -> None:
    """Add the parts of a menu with lines between them."""
    for number, part in enumerate(parts):
        if number:
            menu.addSeparator()
        menu.addActions(part)


def _unmarked(title: str) -> str:
    """Return a title without its mnemonic; `&&` stands for the sign itself."""
    return re.sub("&(?!&)", "", title.replace("&&", "\0")).replace("\0", "&&")


def _mark_when_shown(menu: QMenu) -> None:
    """Give the entries of a menu and its submenus mnemonics while it is open; buttons share their titles."""

    def mark() -> None:
        entries = [action for action in menu.actions() if not action.isSeparator()]
        for action, title in zip(entries, with_mnemonics(_unmarked(one.text()) for one in entries), strict=True):
            action.setText(title)
            inner = action.menu()
            if isinstance(inner, QMenu) and not inner.property(MARKED):
                inner.setProperty(MARKED, True)
                _mark_when_shown(inner)

    def unmark() -> None:
        for action in menu.actions():
            action.setText(_unmarked(action.text()))

    menu.aboutToShow.connect(mark)
    menu.aboutToHide.connect(unmark)


def tool_strip(parent: QWidget, actions: Actions, *groups: Sequence[QAction]) -> ToolStrip:
    """Make the tool strip: commands by their groups, then other groups, and at its end the button for exports."""
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
    # A single button must not choose between laser and printer: a printer's user would get lines to cut.
    button.setIcon(exports[0].icon())
    button.setText(tr("Export"))
    button.setToolTip(tr("Write files for the laser cutter or the 3-D printer"))
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    choices = QMenu(button)
    choices.addActions(exports[::-1])
    button.setMenu(choices)
    return button


def applicable(actions: Actions, titles: Iterable[str]) -> list[list[QAction]]:
    """Return the enabled actions of the menus and of the canvas, in groups."""
    own = [part for title in titles for part in actions.parts(title)]
    also = [part for title in actions.menus for part in actions.parts(title, lambda command: command.in_context)]
    able = ([action for action in part if action.isEnabled()] for part in (*own, *also))
    return [part for part in able if part]


def show_context_menu(parent: QWidget, place: QPoint, actions: Actions, titles: Iterable[str]) -> None:
    """Show a context menu of the enabled actions of the menus and of the canvas."""
    menu = QMenu(parent)
    _fill(menu, applicable(actions, titles))
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(place)


def fill_choice(menu: QMenu, words: Mapping[E, str], chosen: E, choose: Callable[[E], None]) -> dict[E, QAction]:
    """Fill a menu with values, the chosen one ticked; return its actions by value."""
    group, made = QActionGroup(menu), {}
    for value, title in words.items():
        action = menu.addAction(title, partial(choose, value))
        action.setCheckable(True)
        action.setChecked(value is chosen)
        made[value] = group.addAction(action)
    return made


def fill_recent(menu: QMenu, preferences: Preferences, choose: Callable[[Path], object]) -> None:
    """Fill a menu with the recent files."""
    menu.clear()
    for path in preferences.recent_files()[:MOST_LISTED]:
        name = visible(path.name).replace("&", "&&")
        menu.addAction(name, partial(choose, path)).setStatusTip(visible(str(path)))
    if menu.isEmpty():
        menu.addAction(tr("No recent files")).setEnabled(False)


def take_theme(preferences: Preferences, choice: ThemeChoice) -> None:
    """Apply and remember a theme."""
    preferences.set_theme_choice(choice)
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    apply(app, theme_for(choice), app.font())


def take_unit(preferences: Preferences, unit: Unit) -> None:
    """Apply and remember a unit of length, and have all lengths shown in it."""
    preferences.set_unit(unit)
    units.show_in(unit)


# Versions shown by the Help menu

LIBRARIES = ("PySide6-Essentials", "numpy", "shapely", "ezdxf", "numpy-stl")


def show_about(parent: QWidget) -> None:
    """Show the versions, to be selected or copied."""
    found = versions()
    lines = "<br>".join(found.splitlines()[1:])
    box = _box(
        parent,
        tr("About Puzzle Studio"),
        f"<p><b>Puzzle Studio {__version__}</b></p><p>{tr('Design, check, cut.')}</p><p>{lines}</p>",
    )
    box.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    copy = box.addButton(tr("Copy versions"), QMessageBox.ButtonRole.ActionRole)
    copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(found))
    box.open()


def versions() -> str:
    """Return the versions for a bug report, one a line."""
    return "\n".join([
        f"Puzzle Studio {__version__}",
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}",
        f"Qt {qVersion()}",
        *(f"{name} {found}" for name in LIBRARIES if (found := _installed(name))),
    ])  # fmt: skip


def _installed(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""


def _box(parent: QWidget, title: str, text: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, parent)
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    return box
