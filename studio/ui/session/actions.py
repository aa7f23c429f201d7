"""All menu commands of the window, once, with their QActions, keys and icons; menus and tool strip choose from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from studio.base.texts import tr
from studio.ui.widgets.length_spin import take_what_is_written
from studio.ui.widgets.theme import icon

WORKSHOP = "&Workshop"
"""The menu of machines and materials, and of what is measured with them."""


@dataclass(frozen=True)
class Command:
    """A command of the window.

    `menu` is the title of its menu, mnemonic and all; `keys` are in Qt's notation, `Ctrl+S`.
    """

    name: str
    title: str
    menu: str
    do: Callable[..., object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    help: str = ""
    is_switch: bool = False
    """True for a command with a tick, whose action is called with its state."""
    is_on: bool = False
    """Initial state of a switch."""
    on_canvas: bool = False
    """True if its key works only while the canvas has the focus, so that letters can be typed elsewhere."""
    strip: str = ""
    """Its group in the tool strip; empty if it is in its menu alone."""
    in_context: bool = False
    """True if the context menu of the canvas has it."""
    is_export: bool = False
    """True if the button `Export` offers it."""
    begins: bool = False
    """True if a line separates it from the commands before it in its menu."""
    view: str = ""
    """Name of the only view in which it is enabled."""
    needs: str = ""
    """Reason shown beside it while it is disabled, such as `Select a tongue`."""


def within(view: str, commands: Iterable[Command]) -> list[Command]:
    """Bind commands with keys on a canvas to the view of a name."""
    return [replace(command, view=view) if command.on_canvas else command for command in commands]


@dataclass(frozen=True)
class Shortcut:
    """The keys of a command in a menu, and whether they are the studio's own."""

    name: str
    menu: str
    title: str
    keys: tuple[str, ...]
    is_default: bool


OwnKeys = Mapping[str, Sequence[str]]
"""The maker's own keys by command; an empty list removes a command's keys."""


class Actions:
    """The window's QActions by name, with the maker's own keys.

    An own key takes precedence over the studio's: a command that had it loses it.
    """

    def __init__(self, parent: QObject, own: OwnKeys | None = None) -> None:
        self._parent = parent
        self._own: OwnKeys = own or {}
        self._actions: dict[str, QAction] = {}
        self._entries: dict[str, Command] = {}
        self._defaults: dict[str, tuple[str, ...]] = {}

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    def __contains__(self, name: str) -> bool:
        return name in self._actions

    def add(self, commands: Iterable[Command]) -> list[QAction]:
        """Make actions of commands."""
        made = []
        for command in commands:
            action = QAction(command.title, self._parent)
            action.setObjectName(command.name)
            action.setShortcuts([QKeySequence(keys) for keys in command.keys])
            self._defaults[command.name] = command.keys
            if command.on_canvas:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            if command.icon:
                action.setIcon(icon(command.icon))
            if command.help:
                action.setStatusTip(command.help)
            action.setToolTip(_tip(command))
            if command.is_switch:
                action.setCheckable(True)
                action.setChecked(command.is_on)
                action.toggled.connect(command.do)
            else:
                action.triggered.connect(lambda _checked=False, do=command.do: _done(do))
            self._actions[command.name] = action
            self._entries[command.name] = command
            made.append(action)
        if self._own:
            self._apply()
        return made

    def enable(self, able: Mapping[str, bool], home: Callable[[Command], str]) -> None:
        """Enable what is possible: commands by their names, those of a view only if it is not elsewhere."""
        for name, command in self._entries.items():
            if command.view or name in able:
                self._actions[name].setEnabled(able.get(name, True) and not home(command))

    def follow(self, own: OwnKeys) -> None:
        """Apply other keys of the maker's own, in menus and tool tips at once."""
        self._own = own
        self._apply()

    def shortcuts(self) -> list[Shortcut]:
        """Return the keys of every command in a menu, in the order of menus."""
        listed = [
            Shortcut(name, plain(command.menu), command.title.rstrip("…"), command.keys,
                     command.keys == self._defaults[name])
            for name, command in self._entries.items() if command.menu
        ]  # fmt: skip
        places = {plain(menu): place for place, menu in enumerate(self.menus)}

        return sorted(listed, key=lambda one: places[one.menu])

    def holder(self, name: str, key: str) -> Shortcut | None:
        """Return the command other than `name` that uses the key and would conflict with it."""
        sought = _canonical(key)
        for one in self.shortcuts():
            if one.name != name and sought in map(_canonical, one.keys) and self._meet(name, one.name, key):
                return one
        return None

    def _meet(self, name: str, other: str, key: str) -> bool:
        """True if two commands conflict over a key: a game's and the board's never do on the canvas."""
        one, two = self._entries[name], self._entries[other]
        sought = _canonical(key)
        if all(sought in map(_canonical, self._defaults[each]) for each in (name, other)):
            return False
        return not (one.on_canvas and two.on_canvas and (plain(one.menu) == GAME) != (plain(two.menu) == GAME))

    def _apply(self) -> None:
        """Give every command its own keys, or those of the studio's that no own key takes."""
        given: dict[str, tuple[str, ...]] = {}
        for name in self._own:
            if name in self._entries:
                wanted = dict.fromkeys(_canonical(key) for key in self._own[name])
                given[name] = tuple(key for key in wanted if key and not self._is_taken(name, key, given))
        for name, command in self._entries.items():
            keys = given.get(name)
            if keys is None:
                keys = tuple(key for key in self._defaults[name] if not self._is_taken(name, key, given))
            elif [*map(_canonical, self._defaults[name])] == [*keys]:
                keys = self._defaults[name]
            if keys != command.keys:
                changed = self._entries[name] = replace(command, keys=keys)
                self._actions[name].setShortcuts([QKeySequence(key) for key in keys])
                self._actions[name].setToolTip(_tip(changed))

    def _is_taken(self, name: str, key: str, given: Mapping[str, tuple[str, ...]]) -> bool:
        return any(
            other != name and _canonical(key) in keys and self._meet(name, other, key) for other, keys in given.items()
        )

    @property
    def menus(self) -> list[str]:
        """The titles of the menus, in the order of their first commands."""
        return list(dict.fromkeys(command.menu for command in self._entries.values() if command.menu))

    def of(self, chosen: Callable[[Command], bool]) -> list[QAction]:
        """Return the actions of chosen commands, in the order in which they were added."""
        return [self._actions[name] for name, command in self._entries.items() if chosen(command)]

    def of_menu(self, menu: str) -> list[QAction]:
        """Return the actions of one menu, by its title with or without the mnemonic."""
        return self.of(lambda command: plain(command.menu) == plain(menu))

    def parts(self, menu: str, chosen: Callable[[Command], bool] = lambda _command: True) -> list[list[QAction]]:
        """Return the actions of one menu, or chosen ones, in the parts between its lines."""
        found: list[list[QAction]] = [[]]
        for name, command in self._entries.items():
            if plain(command.menu) == plain(menu):
                if command.begins:
                    found.append([])
                found[-1] += [self._actions[name]] if chosen(command) else []
        return [part for part in found if part]

    def groups(self, group: Callable[[Command], str]) -> list[list[QAction]]:
        """Return the actions with a group, group by group, in the order in which they were added."""
        found: dict[str, list[QAction]] = {}
        for name, command in self._entries.items():
            found.setdefault(group(command), []).append(self._actions[name])
        found.pop("", None)
        return list(found.values())

    @property
    def in_menus(self) -> list[tuple[Command, QAction]]:
        """Return the commands in menus, with their actions."""
        return [(command, self._actions[name]) for name, command in self._entries.items() if command.menu]

    def with_keys(self) -> list[tuple[str, str, str]]:
        """Return menu, words and key of every command with a key."""
        return [
            (plain(tr(command.menu)), command.title.rstrip("…"), ", ".join(command.keys))
            for command in self._entries.values()
            if command.keys
        ]


FILE, EDIT, VIEW, FINDINGS, HELP = "&File", "&Edit", "&View", "P&roblems", "&Help"
"""Menus of every window. A menu is known by its untranslated title."""
GAME = "Game"
"""The menu of commands whose keys work at play alone."""


def usable_key(text: str) -> str:
    """Return one key combination in Qt's notation, `Ctrl+S`; empty if it is invalid or a key for moving about."""
    key = _canonical(text)
    sequence = QKeySequence(key)
    if sequence.count() != 1 or "," in key.removesuffix(","):
        return ""
    return "" if key in _MOVING else key


_MOVING = {
    "Esc", "Tab", "Shift+Tab", "Backtab", "Shift+Backtab", "Return", "Enter", "Space", "Left", "Right", "Up", "Down",
    "PgUp", "PgDown", "Home", "End",
}  # fmt: skip
"""Keys that walk through panels, tables and boards, cancel and pan, wherever the focus is."""


def _canonical(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def _tip(command: Command) -> str:
    keys = f" ({command.keys[0]})" if command.keys else ""
    return f"{command.help or command.title.rstrip('…')}{keys}"


def plain(title: str) -> str:
    """Return a title without its mnemonic."""
    return title.replace("&", "")


def _done(do: Callable[..., object]) -> None:
    """Run an action after accepting the text in a field: a key such as Ctrl+S leaves the focus there."""
    take_what_is_written()
    do()
