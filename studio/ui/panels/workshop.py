"""The workshop dialog: machines, materials, printers and plastics; and the list to choose one from.

preset: an entry that comes with the studio. A changed preset becomes the maker's own; a reset restores it. Nothing is
kept before OK.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QLineEdit,
    QListWidget,
    QSizePolicy,
    QStackedWidget,
    QTabWidget,
    QWidget,
)

from studio.base.errors import StudioError
from studio.base.folders import fresh, key_of
from studio.base.texts import tr
from studio.checks.finding import Severity
from studio.connect import rayforge
from studio.fabricate import costs, gaps_and_plates, recipes, workshop
from studio.fabricate.workshop import USUAL, Figures, Machine, Material, Named, Plastic, Printer, every
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.recipes import ChooseFile, RecipePage
from studio.ui.session.dialogs import Dialogs
from studio.ui.session.preferences import Preferences
from studio.ui.session.session import Session
from studio.ui.widgets.controls import (
    CalmComboBox,
    Remark,
    control_height,
    heading,
    hint_label,
    push_button,
    without_icons,
)
from studio.ui.widgets.layout import REST, column, holding, labelled, row
from studio.ui.widgets.theme import GAP, TabStrip

# The list for choosing a machine, a material, a printer or a filament

TITLES: dict[type[Figures], str] = {
    Machine: tr("Machine"), Material: tr("Material"), Printer: tr("Printer"), Plastic: tr("Filament"),
}  # fmt: skip
PLURALS: dict[type[Figures], str] = {
    Machine: tr("Machines"), Material: tr("Materials"), Printer: tr("Printers"), Plastic: tr("Filaments"),
}  # fmt: skip


class WorkshopBox(CalmComboBox):
    """A list of all entries of a kind, beginning with the last one used; the maker's own are marked."""

    def __init__(self, kind: type[Figures], preferences: Preferences) -> None:
        self.title = TITLES[kind]
        super().__init__(self.title)
        self._kind, self._preferences = kind, preferences
        self._named: tuple[Named[Any], ...] = ()
        self.setMinimumHeight(control_height())
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.offer(preferences.workshop_key(kind.__name__.lower()))

    def offer(self, key: str) -> None:
        """Offer the present entries, with the one of a key chosen, or the usual one if the key is gone."""
        self._named = every(self._kind)
        with QSignalBlocker(self):
            self.clear()
            for one in self._named:
                self.addItem(tr("{title} (custom)", title=one.title) if one.own else one.title, one.key)
            there = (self.findData(wanted) for wanted in (key, USUAL[self._kind]))
            self.setCurrentIndex(next((row for row in there if row >= 0), 0))

    def chosen(self) -> Named[Any]:
        """Return the chosen entry."""
        return self._named[self.currentIndex()]

    def prefer(self, suits: Callable[[Named[Any]], bool]) -> bool:
        """Choose a suitable entry if the chosen one is not, the maker's own first; return whether it changed."""
        suited = [row for row, one in enumerate(self._named) if suits(one)]
        if not suited or self.currentIndex() in suited:
            return False
        with QSignalBlocker(self):
            self.setCurrentIndex(next((row for row in suited if self._named[row].own), suited[0]))
        return True

    def remember(self) -> None:
        """Store this choice for the next time."""
        self._preferences.set_workshop_key(self._kind.__name__.lower(), self.chosen().key)


LIST_WIDTH = 312
RIM = 20
TAB_MARGIN = 9
SIZE = QSize(880, 640)
LIBRARIES = tr("LightBurn libraries ({suffix})", suffix="*.clb")


def library_to_read(parent: QWidget) -> Path | None:
    """Ask for a LightBurn library to read; None if cancelled."""
    return Dialogs(parent).open_path(Path.home(), tr("Import library"), LIBRARIES)


def library_to_write(parent: QWidget) -> Path | None:
    """Ask for a LightBurn library to write; None if cancelled."""
    return Dialogs(parent).file_path(tr("Export library"), Path.home() / "recipes.clb", [LIBRARIES])


@dataclass(frozen=True)
class Draft:
    """An entry while it is edited in the dialog; its name may be empty."""

    key: str
    title: str
    value: Any
    note: str
    own: bool

    @classmethod
    def from_named(cls, named: Named[Any]) -> Draft:
        """Return the draft of a stored entry."""
        return cls(named.key, named.title, named.value, named.note, named.own)

    def named(self) -> Named[Any]:
        """Return the entry to store; raises StudioError for an impossible title."""
        return Named(self.key, self.title, self.value, self.note, self.own)

    def __str__(self) -> str:
        return tr("{title} (custom)", title=self.title) if self.own else self.title


class WorkshopList(QWidget):
    """A list of one kind as it will be saved; `chosen` reports another current entry."""

    chosen = Signal()

    def __init__(self, kind: type[Figures], named: Sequence[Named[Any]]) -> None:
        super().__init__()
        self.kind = kind
        self._before = {one.key: Draft.from_named(one) for one in named}
        self._presets = {one.key: Draft.from_named(one) for one in workshop.presets(kind)}
        self._drafts = list(self._before.values())
        title = heading(PLURALS[kind])
        self.list = QListWidget()
        self.list.setAccessibleName(title.text())
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        title.setBuddy(self.list)
        column(title, (self.list, 1), of=self, gap=GAP // 2)
        self._show(0)
        self.list.currentRowChanged.connect(lambda row: self.chosen.emit() if row >= 0 else None)

    @property
    def current(self) -> Draft:
        """The entry in the current row."""
        return self._drafts[self.list.currentRow()]

    @property
    def preset(self) -> Draft | None:
        """The studio's version of the current entry; None if the maker made it."""
        return self._presets.get(self.current.key)

    @property
    def drafts(self) -> tuple[Draft, ...]:
        """All entries as they are edited."""
        return tuple(self._drafts)

    @property
    def deleted(self) -> frozenset[str]:
        """Keys of entries that were there and no longer are."""
        return frozenset(self._before) - {one.key for one in self._drafts}

    def add(self, named: Iterable[Named[Any]]) -> None:
        """Append entries that are the maker's own; the current one stays current."""
        row = self.list.currentRow()
        self._drafts += [Draft.from_named(one) for one in named]
        self._show(row)

    def choose(self, key: str) -> None:
        """Make the entry of a key current, if there is one."""
        keys = [one.key for one in self._drafts]
        if key in keys:
            self.list.setCurrentRow(keys.index(key))

    def change(self, title: str, value: Any) -> None:
        """Change the title or figures of the current entry; it is a preset as long as it equals one."""
        row, preset = self.list.currentRow(), self.preset
        own = preset is None or (title, value) != (preset.title, preset.value)
        self._drafts[row] = replace(self.current, title=title, value=value, own=own)
        self.list.item(row).setText(str(self._drafts[row]))

    def copy(self) -> None:
        """Insert a copy behind the current entry, and make it current."""
        like, row = self.current, self.list.currentRow()
        title = fresh(tr("{name} (copy)", name=like.title), {one.title for one in self._drafts}, " ")
        # An unreadable file has a key too, and must not be overwritten.
        keys = {one.key for one in self._drafts} | set(self._before) | workshop.own_keys(self.kind)
        key = key_of(title, keys, self.kind.__name__.lower())
        self._drafts.insert(row + 1, replace(like, key=key, title=title, own=True))
        self._show(row + 1)

    def take_back(self) -> None:
        """Reset the current entry to its preset, or delete it if it has none."""
        row, preset = self.list.currentRow(), self.preset
        if preset is not None:
            self._drafts[row] = preset
        else:
            del self._drafts[row]
        self._show(min(row, len(self._drafts) - 1))

    def problem(self) -> str:
        """Return why these entries cannot be kept, in a sentence; empty if they can."""
        titles = [one.title for one in self._drafts]
        for title in titles:
            if not title:
                return tr("{list}: every entry needs a name.", list=PLURALS[self.kind])
            if titles.count(title) > 1:
                return tr("{list}: two entries are named {name}. Rename one.", list=PLURALS[self.kind], name=title)
        return ""

    def keep(self) -> None:
        """Store changed entries and delete removed ones; raises StudioError if that fails."""
        own = {one.key for one in self._drafts if one.own}
        for one in self._before.values():
            if one.own and one.key not in own:
                workshop.forget(one.key, self.kind)
        for one in self._drafts:
            if one.own and one != self._before.get(one.key):
                workshop.keep(one.named())

    def _show(self, row: int) -> None:
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addItems([str(one) for one in self._drafts])
            for number in range(self.list.count()):
                self.list.item(number).setSizeHint(QSize(0, control_height()))
        self.list.setCurrentRow(row)


class WorkshopDialog(QDialog):
    """Machines, materials, printers and plastics to look at, change, copy and delete; kept when it is accepted.

    It opens on the entries of the keys, at the printers if `printer` is given.
    """

    def __init__(
        self,
        machine: str = "",
        material: str = "",
        parent: QWidget | None = None,
        *,
        printer: str = "",
        plastic: str = "",
        choose: tuple[ChooseFile, ChooseFile] = (library_to_read, library_to_write),
    ) -> None:
        """`choose` asks for a library to read, and for one to write."""
        super().__init__(parent)
        self.setWindowTitle(tr("Machines and materials"))
        self.machines = WorkshopList(Machine, workshop.every(Machine))
        self.materials = WorkshopList(Material, workshop.every(Material))
        self.printers = WorkshopList(Printer, workshop.every(Printer))
        self.plastics = WorkshopList(Plastic, workshop.every(Plastic))
        self.shelves = (self.machines, self.materials, self.printers, self.plastics)
        for shelf, key in zip(self.shelves, (machine, material, printer, plastic), strict=True):
            shelf.choose(key)
        self.shelf = self.printers if printer else self.machines
        self._forms = {shelf: ParameterForm(shelf.current.value) for shelf in self.shelves}
        self.pricing = ParameterForm(costs.pricing(), Manner.PLAIN)
        self.recipe = RecipePage(self._materials, self.materials.add, choose)
        self.title = QLineEdit()
        self.title.setAccessibleName(tr("Name"))
        self.title.setMinimumHeight(control_height())
        self.note = hint_label()
        self.refusal = hint_label()
        self.refusal.setForegroundRole(QPalette.ColorRole.BrightText)
        self.copy, self.remove = (push_button(tr("Duplicate"), tr("Create a copy to edit")), push_button(""))
        self.failure = Remark("error")
        troubles = (*workshop.troubles(), *recipes.troubles(), gaps_and_plates.trouble(), costs.trouble())
        self.unreadable = Remark("warning", " ".join(filter(None, troubles)))
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        without_icons(self.buttons)
        self._lay_out()
        self._listen()
        self._show()
        self.shelf.list.setFocus()

    @property
    def form(self) -> ParameterForm:
        """The form of the current entry."""
        return self._forms[self.shelf]

    def accept(self) -> None:
        """Keep the changes and close; stay and say so if that fails."""
        if self._problem():
            return
        try:
            for shelf in self.shelves:
                shelf.keep()
            self.recipe.keep(self.machines.deleted, self.materials.deleted)
            if self.pricing.parameters() != costs.pricing():
                costs.keep(self.pricing.parameters())
        except StudioError as problem:
            self.failure.say(str(problem))
            return
        super().accept()

    def _lay_out(self) -> None:
        self.tabs = QTabWidget()
        self.tabs.setTabBar(TabStrip())
        self.tabs.setDocumentMode(True)
        self.tabs.setFixedWidth(LIST_WIDTH)
        self.tabs.tabBar().setAccessibleName(tr("Machine type"))
        for name, shelves in ((tr("Laser"), self.shelves[:2]), (tr("3-D printer"), self.shelves[2:])):
            prices = (self.pricing,) if self.machines in shelves else ()
            page = column(*((shelf, 1) for shelf in shelves), *prices, margins=TAB_MARGIN)
            self.tabs.addTab(holding(page), name)
        self.tabs.setCurrentIndex(self.shelves.index(self.shelf) // 2)
        words, title = labelled(tr("Name"), self.title)
        self._stack = QStackedWidget()
        for form in self._forms.values():
            self._stack.addWidget(form)
        head, below = row(words, (title, 1)), row(self.copy, self.remove, REST)
        figures = holding(column(head, self.note, (self._stack, 1), self.refusal, below, margins=(0, GAP, 0, 0)))
        self.sides = QTabWidget()
        self.sides.setTabBar(TabStrip())
        self.sides.setDocumentMode(True)
        self.sides.tabBar().setAccessibleName(tr("Settings or recipe"))
        self.sides.addTab(figures, tr("Settings"))
        self.sides.addTab(self.recipe, tr("Recipe"))
        both = row(self.tabs, (self.sides, 1), gap=RIM)
        column(self.unreadable, (both, 1), self.failure, self.buttons, of=self, margins=RIM)
        self.resize(SIZE)

    def _listen(self) -> None:
        for shelf, form in self._forms.items():
            shelf.chosen.connect(lambda shelf=shelf: self._choose(shelf))
            shelf.list.itemClicked.connect(lambda _item, shelf=shelf: self._choose(shelf))
            form.edited.connect(lambda _words, value, _token: self._change(value))
        self.tabs.currentChanged.connect(self._turn)
        self.sides.currentChanged.connect(lambda _page: self._show())
        self.title.textEdited.connect(self._rename)
        self.copy.clicked.connect(self._copy)
        self.remove.clicked.connect(self._take_back)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)

    def _choose(self, shelf: WorkshopList) -> None:
        self.shelf = shelf
        self._show()

    def _turn(self, tab: int) -> None:
        """Show the first shelf of another tab, unless one of its shelves is shown."""
        if self.shelves.index(self.shelf) // 2 != tab:
            self._choose(self.shelves[2 * tab])

    def _rename(self, title: str) -> None:
        self.shelf.change(title.strip(), self.shelf.current.value)
        self._judge()

    def _change(self, value: Any) -> None:
        self.shelf.change(self.shelf.current.title, value)
        self._judge()

    def _copy(self) -> None:
        self.shelf.copy()
        self.title.setFocus()
        self.title.selectAll()

    def _take_back(self) -> None:
        self.shelf.take_back()
        self._show()

    def _show(self) -> None:
        current, preset = self.shelf.current, self.shelf.preset
        is_laser = self.shelf in (self.machines, self.materials)
        self.sides.setTabVisible(1, is_laser)
        is_recipe = is_laser and self.sides.currentWidget() is self.recipe
        for other in self.shelves:
            # A recipe is for the chosen machine and the chosen material.
            if is_recipe and other in (self.machines, self.materials):
                other.list.setCurrentRow(other.list.currentRow())
                other.list.item(other.list.currentRow()).setSelected(True)
            elif other is not self.shelf:
                other.list.clearSelection()
        if is_recipe and not self._problem():
            self.recipe.show_pair(self.machines.current.named(), self.materials.current.named())
        self.shelf.list.setCurrentRow(self.shelf.list.currentRow())
        self.title.setText(current.title)
        self.note.setText(current.note)
        self.note.setVisible(bool(current.note))
        self._stack.setCurrentWidget(self.form)
        self.form.set_parameters(current.value, current.value if preset is None else preset.value)
        self._judge()

    def _materials(self) -> tuple[Named[Any], ...]:
        return tuple(one.named() for one in self.materials.drafts)

    def _judge(self) -> None:
        preset = self.shelf.preset
        self.remove.setText(tr("Delete") if preset is None else tr("Restore default"))
        self.remove.setEnabled(self.shelf.current.own)
        self.remove.setToolTip("" if self.shelf.current.own else tr("Built-in, unchanged"))
        problem = self._problem()
        self.refusal.setText(problem)
        self.refusal.setVisible(bool(problem))
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problem)

    def _problem(self) -> str:
        return next(filter(None, (shelf.problem() for shelf in self.shelves)), "")


def edit_workshop(session: Session) -> None:
    """Show machines and materials, at those used last, to be changed."""
    known, dialogs = session.preferences, session.dialogs
    keys = (known.workshop_key("machine") or USUAL[Machine], known.workshop_key("material") or USUAL[Material])
    dialog = WorkshopDialog(*keys, dialogs.parent)
    dialogs.show(dialog)
    dialog.deleteLater()


def install_in_rayforge(session: Session) -> None:
    """Install the add-on for Rayforge, with the recipe of the machine and material used last; show where it is."""
    key = session.preferences.workshop_key
    try:
        session.notices.post(rayforge.install(key("machine"), key("material")).sentence)
    except StudioError as problem:
        session.notices.post(str(problem), Severity.ERROR)
