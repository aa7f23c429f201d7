"""Everything that can be done in the window, once: words, key, icon and deed; menus and tool strip choose from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from studio.ui.icons import icon
from studio.ui.length_spin import take_what_is_written


@dataclass(frozen=True)
class Command:
    """One thing that can be done. `menu` is where it stands; `keys` are written as Qt reads them, `Ctrl+S`."""

    name: str
    title: str
    menu: str
    do: Callable[..., object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    help: str = ""
    is_switch: bool = False
    """A switch has a tick, and its deed is told whether it is on."""
    on_canvas: bool = False
    """Its key holds only where the canvas has the focus, so that letters can still be written elsewhere."""


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
                action.toggled.connect(command.do)
            else:
                action.triggered.connect(lambda _checked=False, do=command.do: _done(do))
            self._actions[command.name] = action
            self._entries[command.name] = command
            made.append(action)
        return made

    def of_menu(self, menu: str) -> list[QAction]:
        """The actions of one menu, in the order in which they were added."""
        return [self._actions[name] for name, command in self._entries.items() if command.menu == menu]

    def with_keys(self) -> list[tuple[str, str, str]]:
        """Menu, words and key of everything that has one."""
        return [
            (command.menu, command.title.rstrip("…"), ", ".join(command.keys))
            for command in self._entries.values()
            if command.keys
        ]


def _done(do: Callable[..., object]) -> None:
    """A key such as Ctrl+S leaves the focus in the field, so what is written there is taken first."""
    take_what_is_written()
    do()
