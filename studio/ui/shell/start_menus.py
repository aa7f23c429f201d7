"""The commands of the start page, for its menus, keys and palette; loaded on first use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QMenu

from studio.base.texts import tr, visible
from studio.puzzles.registry import KINDS
from studio.ui.session.commands import plain
from studio.ui.shell.manual.window import sections, show_help
from studio.ui.shell.menus import THEME_WORDS, UNIT_WORDS, RecentMenu, fill_choice, show_about
from studio.ui.shell.palette import COMMANDS, Entry, Palette, also_called
from studio.ui.shell.palette import MENUS as SUBMENUS
from studio.ui.shell.start import KEYS, MENUS, StartPage, titled

FILE, VIEW, HELP = MENUS


@dataclass(frozen=True)
class PageCommand:
    """A command of the start page; `menu` is the title of its menu."""

    name: str
    title: str
    menu: str
    do: Callable[[], object]
    help: str = ""


def commands(page: StartPage) -> list[PageCommand]:
    """Return all commands, in the order of menus."""
    return [
        PageCommand("open", tr("Open…"), FILE, partial(page.file_chosen.emit, None), tr("Open a puzzle file")),
        PageCommand("import", tr("Import…"), FILE, page.import_wanted.emit,
                    tr("Import a puzzle from another file format, such as JSON")),
        PageCommand("paste", tr("Paste"), FILE, page.paste,
                    tr("Open a picture as a jigsaw, or a slitherlink as Loopy game ID, puzz.link address or clues")),
        PageCommand("quit", tr("Quit"), FILE, lambda: page.window().close()),
        PageCommand("palette", tr("Command palette…"), HELP, partial(show_palette, page),
                    tr("Find a command, sample or page of the manual by name")),
        PageCommand("manual", tr("Manual"), HELP, partial(show_help, page.preferences), tr("Open the manual")),
        PageCommand("about", tr("About Puzzle Studio"), HELP, partial(show_about, page)),
    ]  # fmt: skip


def do(page: StartPage, name: str) -> None:
    """Carry a command out."""
    next(command for command in commands(page) if command.name == name).do()


def fill(page: StartPage, menu: QMenu, title: str) -> None:
    """Fill a menu that is about to be shown."""
    menu.clear()
    if title == FILE:
        fresh = menu.addMenu(tr("New"))
        for key, listed in KINDS.items():
            fresh.addAction(tr("New {kind}", kind=listed.noun), partial(page.kind_chosen.emit, key))
    for command in commands(page):
        if command.menu != title:
            continue
        if command.name == "quit":
            menu.addSeparator()
        # The key is the page's own; a second one on the action would be in its way.
        menu.addAction(f"{command.title}\t{_key(page, command)}".rstrip(), command.do)
        if command.name == "open":
            recent = RecentMenu(menu, page.preferences, page.file_chosen.emit)
            recent.fill()
            menu.addMenu(recent)
    if title == VIEW:
        theme, unit = page.preferences.theme_choice(), page.preferences.unit()
        fill_choice(menu.addMenu(tr("Theme")), THEME_WORDS, theme, page.theme_chosen.emit)
        fill_choice(menu.addMenu(tr("Units")), UNIT_WORDS, unit, page.unit_chosen.emit)


def show_palette(page: StartPage) -> None:
    """Open the palette with all commands and files of the page."""
    new = [Entry(tr("New {kind}", kind=listed.noun), tr("New"), "", partial(page.kind_chosen.emit, key), listed.summary,
                 also_called(COMMANDS, f"new_{key}"))
           for key, listed in KINDS.items()]  # fmt: skip
    known = [Entry(each.title, plain(each.menu), _key(page, each), each.do, each.help, also_called(COMMANDS, each.name))
             for each in commands(page) if each.name != "palette"]  # fmt: skip
    themes = [_choice(tr("Theme"), words, page.theme_chosen, choice) for choice, words in THEME_WORDS.items()]
    units = [_choice(tr("Units"), words, page.unit_chosen, unit) for unit, words in UNIT_WORDS.items()]
    recent = [Entry(visible(path.name), tr("Recent files"), "", partial(page.file_chosen.emit, path))
              for path in page.recent]  # fmt: skip
    samples = [Entry(titled(path), tr("Sample"), "", partial(page.sample_chosen.emit, path), KINDS[kind].title)
               for path, kind in page.samples.items()]  # fmt: skip
    manual = [Entry(title, tr("Manual: {page}", page=name), "", show)
              for title, name, show in sections(page.preferences)]  # fmt: skip
    entries = [*new, *known, *themes, *units, *recent, *samples, *manual]
    Palette(entries, page, tr("Find a command, sample or page of the manual")).open()


def _choice(menu: str, words: str, chosen: SignalInstance, value: object) -> Entry:
    return Entry(f"{menu}: {words}", plain(VIEW), "", partial(chosen.emit, value), "", also_called(SUBMENUS, menu))


def _key(page: StartPage, command: PageCommand) -> str:
    keys = page.preferences.shortcuts().get(command.name, KEYS.get(command.name, ()))
    return keys[0] if keys else ""
