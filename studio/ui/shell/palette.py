"""The command palette: commands, parameters and problems found by a few letters or by words of other programs.

With it come the commands of the start page, which are loaded when they are first used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

from PySide6.QtCore import QEvent, QObject, Qt, SignalInstance
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QFrame, QHeaderView, QLineEdit, QMenu, QWidget
from shiboken6 import isValid

from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.texts import tr, visible
from studio.puzzles.presets import presets
from studio.puzzles.registry import KINDS
from studio.ui.session.actions import Command, plain
from studio.ui.shell import start
from studio.ui.shell.manual_window import sections, show_help
from studio.ui.shell.menus import THEME_WORDS, UNIT_WORDS, RecentMenu, begin, fill_choice, reveal, show_about
from studio.ui.shell.presets import choose
from studio.ui.shell.start import KEYS, StartPage, titled
from studio.ui.widgets.controls import invitation
from studio.ui.widgets.layout import column, stack
from studio.ui.widgets.tables import NOWHERE, CalmTable, Column, ElementModel, Index
from studio.ui.widgets.theme import GAP, MARGIN, current_theme

if TYPE_CHECKING:
    from studio.checks.finding import Finding
    from studio.ui.shell.window import Window

# Other words for commands

COMMANDS, MENUS, PARAMETERS, TABLES = "commands", "menus", "parameters", "tables"
LARGEST = 2**18
"""Bytes of the table."""
FILE, VIEW, HELP = start.MENUS


@cache
def table() -> Mapping[str, Mapping[str, list[str]]]:
    """Return all words by name in a group; a name in one kind alone is written `cube/edge`."""
    known: Mapping[str, Mapping[str, list[str]]] = read(shipped("synonyms.json"), LARGEST)
    return known


def also_called(group: str, name: str, kind: str = "") -> str:
    """Return the other words for a command, submenu, parameter or table; empty if there are none."""
    words = table()[group]
    return " ".join([*words.get(name, ()), *words.get(f"{kind}/{name}", ())])


MOST_OFFERED = 200
"""Limit for problems in the command palette."""
WIDTH, HEIGHT = 760, 380
"""Size of the palette in pixels, if its window has room for it."""
_MOVING = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)

_STAYING = (Qt.FocusReason.ActiveWindowFocusReason, Qt.FocusReason.PopupFocusReason)
"""Reasons for which the focus may leave the line for a while: another program, or the line's own menu."""


@dataclass(frozen=True)
class Entry:
    """A line of the palette: title, menu, key, action and help."""

    title: str
    place: str
    key: str
    do: Callable[[], object]
    help: str = ""
    also: str = ""
    """Other words for it, searched but not shown."""
    is_possible: bool = True
    """False for a disabled command."""
    reason: str = ""
    """Why it is disabled, shown in place of the menu."""

    @cached_property
    def folded(self) -> tuple[str, str, str, str]:
        """Texts to search, without capitals: title; with other words; with the place; with the help."""
        title = self.title.casefold()
        called = f"{title} {self.also.casefold()}"
        both = f"{called} {self.place.casefold()}"
        return title, called, both, f"{both} {self.help.casefold()}"


def matching(entries: Iterable[Entry], text: str) -> list[Entry]:
    """Return the entries that contain every word of a text, the best first.

    Best are titles that begin with the text, then titles with words that begin with its words, then titles that hold
    them anywhere, then other words; entries found by their place or by words of their help come last. Equals keep their
    order. Disabled commands come behind all others.
    """
    words = text.casefold().split()
    whole, sought = " ".join(words), [*dict.fromkeys(words)]
    ranked = [(_rank(entry, whole, sought), entry) for entry in entries]
    return [
        entry
        for is_possible in (True, False)
        for rank in range(_NOWHERE)
        for found, entry in ranked
        if found == rank and entry.is_possible is is_possible
    ]


_NOWHERE = 6


@lru_cache(maxsize=64)
def _begun(word: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(word)}")


def _rank(entry: Entry, whole: str, sought: Sequence[str]) -> int:
    title, called, both, words = entry.folded
    if title.startswith(whole):
        return 0
    for one in sought:
        if one not in words:
            return _NOWHERE
    if all(one in title for one in sought):
        return 1 if all(_begun(one).search(title) for one in sought) else 2
    if all(_begun(one).search(called) for one in sought):
        return 3
    if all(one in both for one in sought):
        return 4
    return 5 if all(_begun(one).search(words) for one in sought) else _NOWHERE


def _within(menu: QMenu, place: str, inner: str, known: Collection[QAction]) -> Iterator[Entry]:
    """Yield the enabled entries of a menu at a place but the known ones; `inner` is the title of a submenu."""
    for action in menu.actions():
        below, title = action.menu(), _said(action.text())
        if isinstance(below, QMenu):
            yield from _within(below, place, title, known)
        elif title and action.isEnabled() and action not in known:
            also = also_called(COMMANDS, action.objectName()) or also_called(MENUS, inner or place)
            yield Entry(f"{inner}: {title}" if inner else title, place, action.shortcut().toString(), action.trigger,
                        action.statusTip(), also)  # fmt: skip


def _said(title: str) -> str:
    """Return the title of an entry without its mnemonic."""
    return re.sub("&(.?)", r"\1", title)


class _Entries(ElementModel[Entry]):
    """Entries as rows, impossible ones disabled."""

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) if self.element(index.row()).is_possible else Qt.ItemFlag.NoItemFlags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.ForegroundRole and index.column() == 1 and self.element(index.row()).reason:
            # In the grey of disabled entries, a reason could hardly be read.
            return current_theme().quiet
        return super().data(index, role)


class Palette(QFrame):
    """A line to write in and the matching entries; arrows choose, Return runs and Escape closes.

    It lies over its window, and closes when it loses the focus. The prompt is shown in the empty line.
    """

    def __init__(self, entries: Sequence[Entry], window: QWidget, prompt: str) -> None:
        super().__init__(window)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        # Opaque, so that the window below is not repainted for each letter.
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        self.setAccessibleName(tr("Command palette"))
        self._window, self._before = window, QApplication.focusWidget()
        self._entries = entries
        self.line = QLineEdit()
        self.line.setPlaceholderText(prompt)
        self.line.setAccessibleName(prompt)
        self.line.installEventFilter(self)
        self.model = _Entries([
            Column(tr("Name"), lambda entry: entry.title),
            Column(tr("Location"), lambda entry: entry.reason or entry.place),
            Column(tr("Shortcut"), lambda entry: entry.key),
        ])  # fmt: skip
        self.table = CalmTable(self.model, tr("Matches"))
        self.table.setSelectionMode(CalmTable.SelectionMode.SingleSelection)
        self.table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        head = self.table.horizontalHeader()
        head.hide()
        head.setStretchLastSection(False)
        # As wide as for all entries, so that nothing moves or is measured while letters are typed.
        metrics = self.table.fontMetrics()
        for at, shown in enumerate(self.model.columns):
            widest = max((metrics.horizontalAdvance(shown.value(entry)) for entry in entries), default=0)
            head.resizeSection(at, widest + 2 * MARGIN)
        has_keys = any(entry.key for entry in entries)
        # Entries without keys have their description beside the name.
        head.setSectionResizeMode(0 if has_keys else 1, QHeaderView.ResizeMode.Stretch)
        self.table.setColumnHidden(2, not has_keys)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._found = stack(self.table, invitation(tr("Nothing found. Try fewer letters.")))
        column(self.line, (self._found, 1), of=self, gap=GAP, margins=(MARGIN, MARGIN, MARGIN, MARGIN))
        self.line.textChanged.connect(self._seek)
        self.line.returnPressed.connect(self._do)
        self.table.clicked.connect(lambda _index: self._do())
        self._seek("")

    def open(self) -> None:
        """Show it at the top centre of its window, as large as its entries and the window allow."""
        size, rows = self._window.size(), self.table.verticalHeader().defaultSectionSize() * len(self._entries)
        height = min(HEIGHT, self.line.sizeHint().height() + rows + GAP + 3 * MARGIN, size.height() - 2 * MARGIN)
        self.resize(min(WIDTH, size.width() - 2 * MARGIN), height)
        self.move((size.width() - self.width()) // 2, size.height() // 10)
        self.show()
        self.raise_()
        self.line.setFocus()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Fusion's own frame is hardly visible on dark backgrounds.
        painter, theme = QPainter(self), current_theme()
        painter.setPen(theme.quiet)
        painter.setBrush(theme.panel)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let keys that move in a list choose an entry while the letters go into the line."""
        if event.type() == QEvent.Type.FocusOut and cast(QFocusEvent, event).reason() not in _STAYING:
            self.close()
        elif event.type() == QEvent.Type.KeyPress:
            key = cast(QKeyEvent, event).key()
            if key == Qt.Key.Key_Escape:
                self._leave()
                return True
            if key in _MOVING:
                self.table.keyPressEvent(cast(QKeyEvent, event))
                return True
        return super().eventFilter(watched, event)

    def _leave(self) -> None:
        """Close, and give the focus back to its former widget."""
        self.line.removeEventFilter(self)
        # The editor of a cell is gone as soon as it loses the focus.
        if self._before is not None and isValid(self._before):
            self._before.setFocus()
        self.close()

    def _seek(self, text: str) -> None:
        self.model.follow_elements(matching(self._entries, text))
        found = self.model.elements
        self._found.setCurrentIndex(0 if found else 1)
        self.table.setCurrentIndex(self.model.index(0, 0) if found and found[0].is_possible else NOWHERE)
        self.table.scrollToTop()

    def _do(self) -> None:
        row = self.table.currentIndex().row()
        entry = self.model.elements[row] if 0 <= row < len(self.model.elements) else None
        if entry is not None and entry.is_possible:
            # Closed first: the action may open a dialog, or ask for the focused widget.
            self._leave()
            entry.do()


# The palettes of a window


def show_commands(window: Window) -> None:
    """Open the palette with all commands, parameters, tables, presets, problems and sections of the manual."""
    session, actions, form, drawer, findings = (
        window.session, window.actions_, window.form, window.drawer, window.findings
    )  # fmt: skip
    kind = session.kind.key

    def to_field(name: str) -> None:
        reveal(form)
        form.go_to(name)

    def to_problem(finding: Finding) -> None:
        drawer.show_table(findings)
        findings.go_to(finding)

    commands = [
        Entry(action.text(), plain(command.menu), ", ".join(command.keys[:1]), action.trigger,
              command.help, also_called(COMMANDS, command.name, kind), action.isEnabled(),
              "" if action.isEnabled() else window.middle.reason(command))
        for command, action in actions.in_menus if command.name != "palette"
    ]  # fmt: skip
    window.recent.fill()
    known = actions.of(lambda command: bool(command.menu))
    menus = [menu for action in window.menuBar().actions() if isinstance(menu := action.menu(), QMenu)]
    in_menus = [entry for menu in menus for entry in _within(menu, _said(menu.title()), "", known)]
    fields = [Entry(title, group, "", partial(to_field, name), help,
                    " ".join([also_called(PARAMETERS, name, kind), *form.choices_of(name)]))
              for name, title, group, help in form.asked()]  # fmt: skip
    resting = [Entry(title, group, "", partial(form.go_to, name), help,
                     also_called(PARAMETERS, name, kind), False, reason.rstrip("."))
               for name, title, group, help, reason in form.resting()]  # fmt: skip
    tables = [Entry(title, tr("Table"), "", partial(drawer.show_table, table), "", also_called(TABLES, title))
              for title, table in drawer.tables]  # fmt: skip
    own = [Entry(each.title, tr("Preset"), "", partial(choose, session, each), each.note)
           for each in presets(session.kind)]  # fmt: skip
    problems = [Entry(finding.message, tr("Problem"), "", partial(to_problem, finding))
                for finding in findings.model.elements[:MOST_OFFERED]]  # fmt: skip
    manual = [Entry(title, tr("Manual: {page}", page=page), "", show)
              for title, page, show in sections(session.preferences)]  # fmt: skip
    entries = [*commands, *in_menus, *fields, *resting, *tables, *own, *problems, *manual]
    Palette(entries, window, tr("Find a command, parameter, problem or page of the manual")).open()


def choose_kind(window: Window) -> None:
    """Ask for the kind of a new puzzle, the present one first."""
    ordered = sorted(KINDS.items(), key=lambda each: each[0] != window.document.kind.key)
    kinds = [Entry(listed.title, listed.summary, "", partial(begin, window, key)) for key, listed in ordered]
    Palette(kinds, window, tr("New puzzle")).open()


# The commands of the start page


def commands(page: StartPage) -> list[Command]:
    """Return the commands of the start page, in the order of menus."""
    own = page.preferences.shortcuts()

    listed: list[tuple[str, str, str, Callable[[], object], str]] = [
        ("open"
, tr("Open…"), FILE, partial(page.file_chosen.emit, None), tr("Open a puzzle file")),
        ("import", tr("Import…"), FILE, page.import_wanted.emit,
         tr("Import a puzzle from another file format, such as JSON")),
        ("paste", tr("Paste"), FILE, page.paste,
         tr("Open a picture as a jigsaw, or a slitherlink as Loopy game ID, puzz.link address or clues")),
        ("quit", tr("Quit"), FILE, page.window().close, ""),
        ("palette", tr("Command palette…"), HELP, partial(show_palette, page),
         tr("Find a command, sample or page of the manual by name")),
        ("manual", tr("Manual"), HELP, partial(show_help, page.preferences), tr("Open the manual")),
        ("about", tr("About Puzzle Studio"), HELP, partial(show_about, page), ""),
    ]  # fmt: skip
    return [
        Command(name, title, menu, do, own.get(name, KEYS.get(name, ())), help=help)
        for name, title, menu, do, help in listed
    ]


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
        menu.addAction(f"{command.title}\t{' '.join(command.keys[:1])}".rstrip(), command.do)
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
    known = [Entry(each.title, plain(each.menu), " ".join(each.keys[:1]), each.do, each.help,
                   also_called(COMMANDS, each.name))
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
    return Entry(f"{menu}: {words}", plain(VIEW), "", partial(chosen.emit, value), "", also_called(MENUS, menu))
