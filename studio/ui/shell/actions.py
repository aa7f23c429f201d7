"""Everything that can be done in the window, once: words, key, icon and action; menus and tool strip choose from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from studio.texts import tr
from studio.ui.icons import icon
from studio.ui.length_spin import take_what_is_written


@dataclass(frozen=True)
class Command:
    """One thing that can be done.

    `menu` is the title of its menu, mnemonic and all; `keys` are written as Qt reads them, `Ctrl+S`.
    """

    name: str
    title: str
    menu: str
    do: Callable[..., object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    help: str = ""
    is_switch: bool = False
    """A switch has a tick, and its action is called with whether it is on."""
    is_on: bool = False
    """Whether a switch is on at first."""
    on_canvas: bool = False
    """Its key holds only where the canvas has the focus, so that letters can still be written elsewhere."""
    strip: str = ""
    """Its group in the tool strip; without one it is in its menu alone."""
    in_context: bool = False
    """Whether the context menu of the canvas has it."""
    is_export: bool = False
    """Whether the button `Export` offers it."""


class Actions:
    """The window's QActions by name."""

    def __init__(self, parent: QObject) -> None:
        self._parent = parent
        self._actions: dict[str, QAction] = {}
        self._entries: dict[str, Command] = {}

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
            if command.on_canvas:
                action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            if command.icon:
                action.setIcon(icon(command.icon))
            if command.help:
                action.setStatusTip(command.help)
            keys = f" ({command.keys[0]})" if command.keys else ""
            action.setToolTip(f"{command.help or command.title.rstrip('…')}{keys}")
            if command.is_switch:
                action.setCheckable(True)
                action.setChecked(command.is_on)
                action.toggled.connect(command.do)
            else:
                action.triggered.connect(lambda _checked=False, do=command.do: _done(do))
            self._actions[command.name] = action
            self._entries[command.name] = command
            made.append(action)
        return made

    @property
    def menus(self) -> list[str]:
        """The titles of the menus, in the order of their first commands."""
        return list(dict.fromkeys(command.menu for command in self._entries.values() if command.menu))

    def of(self, chosen: Callable[[Command], bool]) -> list[QAction]:
        """The actions of some commands, in the order in which they were added."""
        return [self._actions[name] for name, command in self._entries.items() if chosen(command)]

    def of_menu(self, menu: str) -> list[QAction]:
        """The actions of one menu, by its title with or without the mnemonic."""
        return self.of(lambda command: plain(command.menu) == plain(menu))

    def groups(self, group: Callable[[Command], str]) -> list[list[QAction]]:
        """The actions that belong to a group, group by group, in the order in which they were added."""
        found: dict[str, list[QAction]] = {}
        for name, command in self._entries.items():
            found.setdefault(group(command), []).append(self._actions[name])
        found.pop("", None)
        return list(found.values())

    @property
    def possible(self) -> list[tuple[Command, QAction]]:
        """The commands that a menu has and that can be carried out now, with their actions."""
        return [
            (command, self._actions[name])
            for name, command in self._entries.items()
            if command.menu and self._actions[name].isEnabled()
        ]

    def with_keys(self) -> list[tuple[str, str, str]]:
        """Menu, words and key of everything that has one."""
        return [
            (plain(tr(command.menu)), command.title.rstrip("…"), ", ".join(command.keys))
            for command in self._entries.values()
            if command.keys
        ]


def plain(title: str) -> str:
    """A title without the mark of its mnemonic."""
    return title.replace("&", "")


def _done(do: Callable[..., object]) -> None:
    """A key such as Ctrl+S leaves the focus in the field, so what is written there is taken first."""
    take_what_is_written()
    do()
