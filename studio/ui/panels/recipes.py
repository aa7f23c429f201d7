"""The table of a recipe: a row for each value, a column for each kind of work, for a machine and a material.

own: a value that the maker set, for this material or for all materials of the machine; it is shown in bold. Others are
inherited, and the line below the table says from where. Nothing is kept before the dialog's OK.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import QAbstractTableModel, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent, QPalette
from PySide6.QtWidgets import QAbstractItemView, QCheckBox, QHeaderView, QSizePolicy, QWidget

from studio.base.amounts import many
from studio.base.atomic import write_bytes
from studio.base.errors import StudioError
from studio.base.json_files import content
from studio.base.parameters import Declaration, ParameterError, declaration, parsed
from studio.base.texts import tr, within
from studio.base.units import MM_PER_INCH
from studio.exporting.readers.lightburn import MOST_BYTES, read_library
from studio.exporting.writers.lightburn import library
from studio.fabricate import recipes
from studio.fabricate.recipes import EVERY, Resolved, Values
from studio.fabricate.workshop import Machine, Material, Named
from studio.geometry.planar.drawing import CUT, FIELDS, RASTER, TITLES, WORKS, Setting
from studio.ui.widgets.controls import Remark, heading, hint_label, push_button
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.tables import NOWHERE, CalmTable, Index
from studio.ui.widgets.theme import GAP

DPI = "dpi"
ROWS = tuple(name for field in FIELDS for name in ((field, DPI) if field == "interval" else (field,)))
"""Names of the rows: the values of a setting, and the resolution beside the interval of lines."""
ONLY = {"kerf": CUT, "interval": RASTER, DPI: RASTER}
"""Values that count for one kind of work alone."""
TITLE_WIDTH, VALUE_WIDTH = 128, 68
NOTHING = "–"
Draft = dict[str, dict[str, dict[str, Any]]]
"""The maker's own values for a machine while they are edited: material, work, name."""
ChooseFile = Callable[[QWidget], Path | None]


def _known(name: str) -> Declaration:
    return declaration(Setting, "interval" if name == DPI else name)


def _title(name: str) -> str:
    known = _known(name)
    return tr("Resolution, dpi") if name == DPI else f"{known.title}, {known.unit}" if known.unit else known.title


class RecipeModel(QAbstractTableModel):
    """The values of a recipe; `entered` reports a work, a name and the entered value, None to inherit it."""

    entered = Signal(str, str, object)
    refused = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._found = recipes.resolve(())
        self._own: Values = {}
        self.can_change = True

    def show(self, found: Resolved, own: Values) -> None:
        """Show a recipe; `own` are the values that are set on the level being edited."""
        self._found, self._own = found, own
        self.dataChanged.emit(self.index(0, 0), self.index(len(ROWS) - 1, len(WORKS)))

    def place(self, index: Index) -> tuple[str, str]:
        """Return the work and the name of a cell behind the titles of rows."""
        return WORKS[index.column() - 1], ROWS[index.row()]

    def is_own(self, index: Index) -> bool:
        """True if the value of a cell is set on the level being edited."""
        if not index.column():
            return False
        work, name = self.place(index)
        return ("interval" if name == DPI else name) in self._own.get(work, {})

    def source(self, index: Index) -> str:
        """Say in a sentence where the value of a cell comes from."""
        if not index.column():
            return _known(ROWS[index.row()]).help
        work, name = self.place(index)
        what = tr("{value} for {work}", value=_known(name).title, work=within(TITLES[work]))
        if ONLY.get(name, work) != work:
            return tr("Only for {work}.", work=within(TITLES[ONLY[name]]))
        source = self._found.sources.get((work, "interval" if name == DPI else name))
        if self.is_own(index):
            return tr("{what}: set here. Delete inherits it again.", what=what)
        if source is None:
            return tr("{what}: not set.", what=what) if self._usual(index) is None else tr("{what}: usual.", what=what)
        return tr("{what}: from {source}.", what=what, source=source)

    def _usual(self, index: Index) -> Any:
        """The value that a recipe has where no level has one; None for work without a recipe."""
        work, name = self.place(index)
        return None if self._found.recipe.setting(work) is None else _known(name).default

    def rowCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else len(ROWS)

    def columnCount(self, parent: Index = NOWHERE) -> int:
        return 0 if parent.isValid() else 1 + len(WORKS)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.column():
            title, help = _title(ROWS[index.row()]), _known(ROWS[index.row()]).help
            return {Qt.ItemDataRole.DisplayRole: title, Qt.ItemDataRole.ToolTipRole: help}.get(Qt.ItemDataRole(role))
        work, name = self.place(index)
        if ONLY.get(name, work) != work:
            return None
        value = self._found.values.get((work, "interval" if name == DPI else name))
        if value is None and role == Qt.ItemDataRole.DisplayRole:
            value = self._usual(index)
        is_flag = _known(name).type == "flag"
        match role:
            case Qt.ItemDataRole.CheckStateRole if is_flag:
                return Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole if not is_flag:
                if value is None:
                    return NOTHING if role == Qt.ItemDataRole.DisplayRole else ""
                if not value and _known(name).zero and role == Qt.ItemDataRole.DisplayRole:
                    return _known(name).zero
                shown = MM_PER_INCH / value if name == DPI else value
                return f"{shown:.4g}" if isinstance(shown, float) else str(shown)
            case Qt.ItemDataRole.TextAlignmentRole if name != "note":
                return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
            case Qt.ItemDataRole.FontRole if self.is_own(index):
                font = QFont()
                font.setBold(True)
                return font
            case Qt.ItemDataRole.ToolTipRole:
                help = _known(name).help
                note = str(value) if name == "note" and value else ""
                return "\n".join(filter(None, (note, help, self.source(index))))
            case Qt.ItemDataRole.AccessibleTextRole:
                words = {True: tr("on"), False: tr("off"), None: tr("not set")}
                return words[value] if is_flag else None
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        work, name = self.place(index)
        known = _known(name)
        if role == Qt.ItemDataRole.CheckStateRole:
            self.entered.emit(work, name, Qt.CheckState(value) is Qt.CheckState.Checked)
            return True
        text = str(value).strip()
        if text == self.data(index, Qt.ItemDataRole.EditRole):
            return True
        try:
            found: Any = None
            if text and name == DPI:
                found = parsed(known, f"{MM_PER_INCH / float(text.replace(',', '.')):.6f}")
            elif text:
                found = parsed(known, text)
        except ParameterError as problem:
            self.refused.emit(str(problem).replace(known.name, known.title, 1))
            return False
        except (ValueError, ZeroDivisionError):
            self.refused.emit(tr("Enter a number for {title}.", title=_title(name)))
            return False
        self.entered.emit(work, known.name, found)
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.column():
            return Qt.ItemFlag.ItemIsEnabled
        work, name = self.place(index)
        if ONLY.get(name, work) != work:
            return Qt.ItemFlag.ItemIsSelectable
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if not self.can_change:
            return flags
        is_flag = _known(name).type == "flag"
        return flags | (Qt.ItemFlag.ItemIsUserCheckable if is_flag else Qt.ItemFlag.ItemIsEditable)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return TITLES[WORKS[section - 1]] if section else tr("Value")
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        return None


class RecipeTable(CalmTable):
    """The table of a recipe: cells are selected one by one; Delete inherits the selected ones."""

    inherited = Signal()

    def __init__(self, model: RecipeModel) -> None:
        super().__init__(model, tr("Recipe"), [TITLE_WIDTH, *[VALUE_WIDTH] * len(WORKS)])
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectItems)
        trigger = QAbstractItemView.EditTrigger
        self.setEditTriggers(trigger.DoubleClicked | trigger.EditKeyPressed | trigger.AnyKeyPressed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.horizontalHeader().setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.inherited.emit()
            return
        if self.state() == QAbstractItemView.State.EditingState:
            # The Return key that ends an entry comes here, too.
            return
        super().keyPressEvent(event)


class RecipePage(QWidget):
    """The recipe of a machine for a material, or of a machine for all materials, to be changed and exchanged.

    `materials` gives the materials of the dialog as they are edited, `add` adds new ones to them.
    """

    def __init__(
        self,
        materials: Callable[[], Sequence[Named[Material]]],
        add: Callable[[Iterable[Named[Material]]], object],
        choose: tuple[ChooseFile, ChooseFile],
    ) -> None:
        """`choose` asks for a library to read, and for one to write."""
        super().__init__()
        self._materials, self._add, self._choose = materials, add, choose
        self._drafts: dict[str, Draft] = {}
        self._pair: tuple[Named[Machine], Named[Material]] | None = None
        self.heading = heading()
        self.heading.setWordWrap(True)
        self.for_all = QCheckBox(tr("For all materials of this machine"))
        self.model = RecipeModel()
        self.table = RecipeTable(self.model)
        self.source = hint_label(tr("Bold values are set here."))
        self.refusal = hint_label()
        self.refusal.setForegroundRole(QPalette.ColorRole.BrightText)
        self.told = Remark("hint")
        self.inherit = push_button(tr("Inherit"), tr("Remove the selected values set here, so that they are inherited"))
        self.read = push_button(tr("Import…"), tr("Read a LightBurn library (.clb) as recipes of this machine"))
        self.write = push_button(tr("Export…"), tr("Write the recipes of this machine as a LightBurn library (.clb)"))
        buttons = row(self.inherit, REST, self.read, self.write)
        column(self.heading, self.for_all, (self.table, 1), self.source, self.refusal, self.told, buttons, of=self,
               margins=(0, GAP, 0, 0))  # fmt: skip
        self.refusal.hide()
        self.for_all.toggled.connect(lambda _on: self._show())
        self.model.entered.connect(self._enter)
        self.model.refused.connect(self._refuse)
        self.table.selectionModel().selectionChanged.connect(lambda *_: self._tell())
        self.table.inherited.connect(self._inherit)
        self.inherit.clicked.connect(self._inherit)
        self.read.clicked.connect(self._read)
        self.write.clicked.connect(self._write)

    def show_pair(self, machine: Named[Machine], material: Named[Material]) -> None:
        """Show the recipe of a machine for a material."""
        self._pair = machine, material
        self.told.say("")
        self._show()

    def keep(self, machines: Collection[str], materials: Collection[str]) -> None:
        """Save changed recipes, without those of deleted machines and materials. Raise StudioError if that fails."""
        for machine in {*self._drafts, *(recipes.own_machines() if machines or materials else ())}:
            before = recipes.own_recipes(machine)
            draft = {} if machine in machines else self._draft(machine)
            kept = {material: values for material, values in draft.items() if material not in materials}
            if kept != before:
                recipes.keep(machine, kept)

    @property
    def _machine(self) -> Named[Machine]:
        assert self._pair is not None
        return self._pair[0]

    @property
    def _key(self) -> str:
        assert self._pair is not None
        return EVERY if self.for_all.isChecked() else self._pair[1].key

    def _draft(self, machine: str) -> Draft:
        """The own values of a machine as they are edited."""
        found = self._drafts.get(machine)
        return {key: {work: dict(values) for work, values in each.items()}
                for key, each in recipes.own_recipes(machine).items()} if found is None else found  # fmt: skip

    def _show(self) -> None:
        if self._pair is None:
            return
        machine, material = self._pair
        draft = self._draft(machine.key)
        whole = tr("all materials") if self._key == EVERY else material.title
        self.heading.setText(tr("{material} on {machine}", material=whole, machine=machine.title))
        self.model.can_change = machine.key not in recipes.broken()
        self.model.show(recipes.resolve(recipes.levels(machine, self._key, draft)), draft.get(self._key, {}))
        self.read.setEnabled(self.model.can_change)
        self._refuse("")
        self._tell()

    def _enter(self, work: str, name: str, value: Any) -> None:
        """Set a value, or inherit it if it is None."""
        draft = self._draft(self._machine.key)
        values = draft.setdefault(self._key, {}).setdefault(work, {})
        values.pop(name, None)
        if value is not None:
            values[name] = value
        self._drafts[self._machine.key] = draft
        self._show()

    def _inherit(self) -> None:
        """Remove the own values of the selected cells."""
        for index in self.table.selectedIndexes():
            if self.model.is_own(index) and self.model.can_change:
                work, name = self.model.place(index)
                self._enter(work, "interval" if name == DPI else name, None)

    def _refuse(self, sentence: str) -> None:
        self.refusal.setText(sentence)
        self.refusal.setVisible(bool(sentence))

    def _tell(self) -> None:
        chosen = self.table.selectedIndexes()
        self.source.setText(self.model.source(chosen[0]) if chosen else tr("Bold values are set here."))
        self.inherit.setEnabled(self.model.can_change and any(map(self.model.is_own, chosen)))

    def _read(self) -> None:
        path = self._choose[0](self)
        if path is None:
            return
        try:
            entries, problems = read_library(content(path, MOST_BYTES))
        except StudioError as problem:
            self.told.say(tr("{path} cannot be read: {problem}", path=path.name, problem=problem))
            return
        found = recipes.from_library(entries, self._materials(), ())
        self._add(found.materials)
        draft = self._draft(self._machine.key)
        shelf = {key: {work: dict(some) for work, some in values.items()} for key, values in found.shelf.items()}
        self._drafts[self._machine.key] = {**draft, **shelf}
        self._show()
        count = sum(map(len, found.shelf.values()))
        words = tr("Read {settings} for {materials}, {fresh} new.", settings=many(count, "setting"),
                   materials=many(len(found.shelf), "material"), fresh=len(found.materials))  # fmt: skip
        left_out = [*problems, *found.notes]
        more = [tr("{count} left out, such as: {first}", count=many(len(left_out), "setting"),
                   first=left_out[0])] if left_out else []  # fmt: skip
        self.told.say(" ".join([words, *more]))

    def _write(self) -> None:
        machine = self._machine
        entries = recipes.to_library(machine, self._materials(), self._draft(machine.key))
        if not entries:
            self.told.say(tr("{machine} has no recipes to write.", machine=machine.title))
            return
        path = self._choose[1](self)
        if path is None:
            return
        try:
            write_bytes(path, library(machine.title, entries))
        except StudioError as problem:
            self.told.say(str(problem))
            return
        self.told.say(tr("Wrote {path}: {settings}.", path=path.name, settings=many(len(entries), "setting")))
