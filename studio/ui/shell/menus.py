"""What surrounds the middle of a window: menu bar, tool strip, context menu and panels; menus of choices."""

from __future__ import annotations

import platform
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import Enum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QByteArray, QPoint, QSize, Qt, qVersion
from PySide6.QtGui import QAction, QActionGroup, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDockWidget,
    QMainWindow,
    QMenu,
    QMenuBar,
    QMessageBox,
    QSizePolicy,
    QTabWidget,
    QToolButton,
    QWidget,
)

from studio import __version__
from studio.base import units
from studio.base.progress import lazy
from studio.base.texts import tr, visible
from studio.base.units import Unit
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.registry import KINDS, kind
from studio.ui.session.actions import EDIT, FILE, FINDINGS, HELP, VIEW, Actions, Command, within
from studio.ui.session.preferences import Preferences, ThemeChoice, theme_for
from studio.ui.shell.tabs import NEXT_KEYS, PREVIOUS_KEYS
from studio.ui.widgets.controls import with_mnemonics
from studio.ui.widgets.theme import TabStrip, ToolStrip, apply

if TYPE_CHECKING:
    from studio.ui.shell.window import Window

_show_keys = lazy("studio.ui.shell.shortcuts:show_keys")
_show_commands = lazy("studio.ui.shell.palette:show_commands")
_choose_kind = lazy("studio.ui.shell.palette:choose_kind")
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
MOUSE = tr("Wheel: zoom at the mouse. Middle-drag or Space+drag: pan.")


def fill_window(window: Window) -> dict[Enum, QAction]:
    """Give a window its commands, menus and tool strip; return the actions that choose its theme and its unit."""
    actions, extension, view, views = window.actions_, window.extension, window.canvas.view, window.middle.views
    flat = next((each.name for each in views if each.widget is window.canvas), "")
    added = [command for each in window.added for command in within(flat, each.commands)]
    actions.add(_commands(window, added))
    view.addActions([actions[command.name] for command in added if command.on_canvas])
    # Keys go to the canvas: views of abilities, such as solids, have none of its keys.
    known = extension.views if extension.views and extension.is_on_canvas else views
    elsewhere = {each.widget for each in known if each.widget is not window.canvas}
    own = [each for each in extension.commands if each.on_canvas]
    for widget in elsewhere if extension.views and elsewhere else {view}:
        widget.addActions([actions[each.name] for each in own])
    view.addActions([actions[each.name] for each in own if each.menu in extension.canvas_menus])
    for table in (table for each in window.extensions for _title, table in each.tables if table is not each.player):
        table.addActions([actions[each.name] for each in extension.commands if each.menu not in (EDIT, VIEW)])
    if "fix_all" in actions:
        window.findings.offer(actions["fix_all"])
    menu = _fill_menu_bar(window.menuBar(), actions, window.recent)
    switch = QActionGroup(window)
    for action in actions.of(lambda command: command.name in {f"view_{each.name}" for each in views}):
        switch.addAction(action)
    if switch.actions():
        menu.insertSeparator(switch.actions()[0])
    menu.addSeparator()
    preferences = window.preferences
    themes = fill_choice(menu.addMenu(tr("Theme")), THEME_WORDS, preferences.theme_choice(), window.choose_theme)
    units = fill_choice(menu.addMenu(tr("Units")), UNIT_WORDS, preferences.unit(), window.choose_unit)
    menu.addSeparator()
    menu.addActions([dock.toggleViewAction() for dock in window.docks])
    menu.addActions(actions.add([Command("reset_layout", tr("Reset layout"), "", window.dock_layout.reset)]))
    zooms = [actions[name] for name in ("zoom_out", "zoom_in", "fit")]
    window.addToolBar(tool_strip(window, actions, zooms, switch.actions()))
    return {value: action for value, action in (*themes.items(), *units.items())}


def _commands(window: Window, added: Sequence[Command]) -> list[Command]:
    """Return all commands in the order of menus; `added` are those of abilities."""
    filing, middle, extension, history = window.filing, window.middle, window.extension, window.document.history
    views = middle.views if len(middle.views) > 1 else ()
    return [
        Command("new", tr("New…"), FILE, partial(_choose_kind, window), ("Ctrl+N",), "new",
                tr("Start a puzzle of any kind"), strip="file"),
        *(Command(f"new_{key}", tr("New {kind}", kind=listed.noun), NEW, partial(begin, window, key))
          for key, listed in KINDS.items()),
        Command("open", tr("Open…"), FILE, lambda: filing.open(), ("Ctrl+O",), "open", strip="file"),
        Command("import", tr("Import…"), FILE, filing.import_files, (), "",
                tr("Import a puzzle from another file format, such as JSON")),
        Command("paste", tr("Paste"), FILE, window.paste, ("Ctrl+V",), "",
                tr("Paste a picture onto a jigsaw, or a slitherlink as Loopy game ID, puzz.link address or clues")),
        Command("save", tr("Save"), FILE, filing.save, ("Ctrl+S",), "save", strip="file"),
        Command("save_as", tr("Save as…"), FILE, filing.save_as, ("Ctrl+Shift+S",)),
        Command("compare", tr("Compare with…"), FILE, lambda: window.comparing.choose(), (), "",
                tr("Show what changed since another file")),
        *(command for command in (*added, *extension.commands) if command.menu == FILE),
        Command("start_page", tr("Start page"), FILE, window.home_wanted.emit, ("Alt+Home",), "",
                tr("Go to the start page; this puzzle stays open")),
        Command("close", tr("Close"), FILE, window.closing.emit, ("Ctrl+W",), "", tr("Close this puzzle")),
        Command("quit", tr("Quit"), FILE, window.quit_wanted.emit, ("Ctrl+Q",)),
        Command("undo", tr("Undo"), EDIT, window.session.changing.undo, ("Ctrl+Z",), "undo", strip="edit",
                needs=tr("Nothing to undo")),
        Command("redo", tr("Redo"), EDIT, history.redo, ("Ctrl+Shift+Z", "Ctrl+Y"),
                "redo", strip="edit", needs=tr("Nothing to redo")),
        *(command for command in extension.commands if command.menu != FILE),
        *([Command("variants", tr("Variants…"), VIEW, lambda: window.comparing.vary(), (), "",
                   tr("Show this design with other values of one or two parameters"))]
          if window.document.kind.able(Cuttable) is not None else []),
        Command("fit", tr("Fit to window"), VIEW, lambda: middle.seen.fit(),
                ("Ctrl+0", "5") if extension.is_on_canvas or not extension.views else ("Ctrl+0",),
                "fit", in_context=True, begins=True),
        Command("zoom_in", tr("Zoom in"), VIEW, lambda: middle.seen.zoom_by(1.25), ("Ctrl+=", "Ctrl++"), "zoom-in"),
        Command("zoom_out", tr("Zoom out"), VIEW, lambda: middle.seen.zoom_by(0.8), ("Ctrl+-",), "zoom-out"),
        *(command for command in added if command.menu != FILE),
        Command("next_tab", tr("Next tab"), VIEW, lambda: window.stepped.emit(1), NEXT_KEYS, begins=True),
        Command("previous_tab", tr("Previous tab"), VIEW, lambda: window.stepped.emit(-1), PREVIOUS_KEYS),
        Command("next_finding", tr("Next problem"), FINDINGS, lambda: window.step_finding(1), ("F8",)),
        Command("previous_finding", tr("Previous problem"), FINDINGS, lambda: window.step_finding(-1),
                ("Shift+F8",)),
        Command("palette", tr("Command palette…"), HELP, partial(_show_commands, window),
                ("Ctrl+K", "Ctrl+Shift+P"), "",
                tr("Find a command, parameter, problem or page of the manual by name")),
        Command("manual", tr("Manual"), HELP, window.show_help, ("F1",), "",
                tr("Open the manual at the section for what you are working on")),
        Command("shortcuts", tr("Keyboard shortcuts…"), HELP,
                partial(_show_keys, window, extension.mouse or MOUSE), ("Ctrl+F1",), "",
                tr("See and change the shortcuts")),
        Command("about", tr("About Puzzle Studio"), HELP, partial(show_about, window)),
        *(Command(f"view_{view.name}", view.title, VIEW, partial(window.turn_to, view), (f"Ctrl+{number}",),
                  is_switch=True)
          for number, view in enumerate(views, 1)),
    ]  # fmt: skip


def begin(window: Window, key: str) -> None:
    """Begin a new design of a kind, which is loaded now."""
    window.filing.new(kind(key))


def _fill_menu_bar(bar: QMenuBar, actions: Actions, recent: QMenu) -> QMenu:
    """Fill a menu bar; returns its View menu, to which more is added."""
    first, last = FRAME
    between = (title for title in actions.menus if title not in (*first, *last, NEW))
    menus = {title: bar.addMenu(tr(title)) for title in (*first, *between, *last)}
    for title, menu in menus.items():
        _fill(menu, actions.parts(title))
        _mark_when_shown(menu)
    file, fresh = menus[FILE], QMenu(tr("New"), bar)
    fresh.addActions(actions.of_menu(NEW))
    file.insertMenu(actions["open"], fresh)
    file.insertMenu(actions["import"], recent)
    exports = actions.of(lambda command: command.is_export)
    of_games = actions.of(lambda command: command.name == "open_game")
    for action in (actions["save"], *exports[:1], *of_games, actions["quit"]):
        file.insertSeparator(action)
    return menus[VIEW]


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


def show_context_menu(
    parent: QWidget, place: QPoint, actions: Actions, titles: Iterable[str], here: Mapping[str, Callable[[], object]]
) -> None:
    """Show a context menu of actions for its place, by title, and the enabled ones of the menus and of the canvas."""
    menu = QMenu(parent)
    own = [menu.addAction(title, do) for title, do in here.items()]
    _fill(menu, [part for part in (own, *applicable(actions, titles)) if part])
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


class RecentMenu(QMenu):
    """The recent files."""

    def __init__(self, parent: QWidget, preferences: Preferences, choose: Callable[[Path], object]) -> None:
        super().__init__(tr("Open recently used"), parent)
        self._preferences, self._choose = preferences, choose
        self.aboutToShow.connect(self.fill)

    def fill(self) -> None:
        """Fill the menu with the recent files."""
        self.clear()
        for path in self._preferences.recent_files()[:MOST_LISTED]:
            name = visible(path.name).replace("&", "&&")
            self.addAction(name, partial(self._choose, path)).setStatusTip(visible(str(path)))
        if self.isEmpty():
            self.addAction(tr("No recent files")).setEnabled(False)


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
    title = tr("About Puzzle Studio")
    text = f"<p><b>Puzzle Studio {__version__}</b></p><p>{tr('Design, check, cut.')}</p><p>{lines}</p>"
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, QMessageBox.StandardButton.Close, parent)
    box.setTextFormat(Qt.TextFormat.RichText)
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
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


# The panels around the middle of a window: the drawer of tables, and the layout of all panels, beside each other if
# there is room, and tabs of one panel in a small window.


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
