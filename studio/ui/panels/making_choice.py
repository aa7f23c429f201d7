"""The column that asks how a drawing is made: on which machine, of what, how it shall fit, on which sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QApplication, QGridLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from studio.fabricate.making import Making
from studio.fabricate.workshop import Machine, Material, Named
from studio.parameters import ParameterError, declarations
from studio.ui.icons import icon
from studio.ui.length_spin import Entry, shown
from studio.ui.panels.form import Row, taken
from studio.ui.shell.preferences import Preferences
from studio.ui.theme import heading_font
from studio.ui.trial import Wish
from studio.ui.widgets import CONTROL_HEIGHT, GROUP_GAP, ROW_GAP, SIDE_BUTTON, SIDE_GAP, CalmComboBox, hint_label

OF_MATERIAL = ("kerf", "play")
"""What the material says, until it is set by hand for this time."""
OF_THIS_TIME = (*OF_MATERIAL, "copies")
"""What is not taken over from the last time: it would be believed, and cost wood."""
USUAL_MACHINE, USUAL_MATERIAL = "co2-600x400", "plywood-3"
"""What is offered before anything was ever chosen."""
AS_DRAWN = "What lies side by side is cut as large as it is drawn; separate pieces may have more play."
NO_PLAY = "Shared lines are cut where they are drawn; the gap between two pieces is the kerf."
ALWAYS_BED = "Separate pieces are always laid on the machine's bed."
NO_BED = "The sheet is as large as the board, so nothing lies beside it."


class WorkshopBox(CalmComboBox):
    """A list of machines or of materials; the maker's own are marked."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.setAccessibleName(words)
        self.setMinimumHeight(CONTROL_HEIGHT)
        self.setMinimumContentsLength(4)
        self.setSizeAdjustPolicy(CalmComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._named: tuple[Named[Any], ...] = ()

    def offer(self, named: Sequence[Named[Any]], chosen: str, usual: str) -> None:
        """Offer these, with the one of a key chosen, or the usual where there is none of it."""
        blocked = self.blockSignals(True)
        self._named = tuple(named)
        self.clear()
        for one in self._named:
            self.addItem(f"{one.title} (own)" if one.own else one.title, one.key)
        there = (self.findData(key) for key in (chosen, usual))
        self.setCurrentIndex(next((row for row in there if row >= 0), 0))
        self.blockSignals(blocked)

    def chosen(self) -> Named[Any]:
        """What is chosen."""
        return self._named[self.currentIndex()]


class MakingChoice(QWidget):
    """Machine, material and every choice of a making; `changed` tells of every change."""

    changed = Signal()

    def __init__(
        self,
        preferences: Preferences,
        machines: Sequence[Named[Machine]],
        materials: Sequence[Named[Material]],
        *,
        shares_lines: bool = True,
    ) -> None:
        super().__init__()
        self._shares_lines = shares_lines
        self._preferences = preferences
        self.machine, self.material = WorkshopBox("Machine"), WorkshopBox("Material")
        self._rows = {known.name: Row(known, known.title) for known in declarations(Making)}
        self.fit_words = hint_label()
        self._lay_out()
        self._making = _remembered(preferences.making_values())
        self.offer(machines, materials, preferences.workshop_key("machine"), preferences.workshop_key("material"))
        self._listen()

    def wish(self) -> Wish:
        """All that was chosen."""
        return Wish(self._making, self.machine.chosen().value, self.material.chosen().value)

    def editor(self, name: str) -> QWidget:
        """The editor of a choice of the making."""
        return self._rows[name].field.editor()

    def offer(
        self, machines: Sequence[Named[Machine]], materials: Sequence[Named[Material]], machine: str, material: str
    ) -> None:
        """Offer these machines and materials, with those of two keys chosen."""
        self.machine.offer(machines, machine, USUAL_MACHINE)
        self.material.offer(materials, material, USUAL_MATERIAL)
        self._use_material()

    def remember(self) -> None:
        """Begin with these choices the next time."""
        self._preferences.set_workshop_key("machine", self.machine.chosen().key)
        self._preferences.set_workshop_key("material", self.material.chosen().key)
        self._preferences.set_making_values({
            known.name: getattr(self._making, known.name)
            for known in declarations(Making) if known.name not in OF_THIS_TIME
        })  # fmt: skip

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_making"):
            self._dress()

    def _lay_out(self) -> None:
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(GROUP_GAP)
        labels = [QLabel("Machine"), QLabel("Material")]
        widest = max(label.sizeHint().width() for label in (*labels, *(row.label for row in self._rows.values())))
        grid = self._grid(whole, widest)
        for line, (label, box) in enumerate(zip(labels, (self.machine, self.material), strict=True)):
            label.setBuddy(box)
            grid.addWidget(label, line, 0)
            grid.addWidget(box, line, 1)
        groups: dict[str, list[Row]] = {}
        for row in self._rows.values():
            groups.setdefault(row.known.group, []).append(row)
        for title, rows in groups.items():
            grid = self._grid(whole, widest)
            if len(rows) > 1:
                heading = QLabel(title)
                heading.setFont(heading_font(QApplication.font()))
                grid.addWidget(heading, 0, 0, 1, 3)
            for row in rows:
                row.lay(grid, words_column=1)
            if title == self._rows["play"].known.group:
                grid.addWidget(self.fit_words, grid.rowCount(), 1, 1, 2)
        whole.addStretch(1)

    def _grid(self, whole: QVBoxLayout, label_width: int) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SIDE_GAP)
        grid.setVerticalSpacing(ROW_GAP)
        grid.setColumnStretch(1, 1)
        grid.setColumnMinimumWidth(0, label_width + SIDE_GAP)
        grid.setColumnMinimumWidth(2, SIDE_BUTTON)
        whole.addLayout(grid)
        return grid

    def _listen(self) -> None:
        self.machine.activated.connect(self._show)
        self.material.activated.connect(self._use_material)
        for name, row in self._rows.items():
            row.field.settled.connect(lambda value, entry, name=name: self._set(name, value, entry))
            row.field.refused.connect(row.refuse)
            row.reset.clicked.connect(lambda _=False, row=row: self._reset(row))

    def _use_material(self) -> None:
        """Take kerf and play from the material."""
        material = self.material.chosen().value
        said = {name: getattr(material, name) for name in OF_MATERIAL}
        for name, value in said.items():
            self._rows[name].set_default(value)
            self._rows[name].refuse("")
        self._making = replace(self._making, **said)
        self._show()

    def _set(self, name: str, value: Any, entry: Entry) -> None:
        del entry
        making = taken(self._rows, self._making, name, value)
        if name in ("copies", "lines") and making.lines == "shared" and making.copies > 1:
            # Several copies need a sheet to lie on.
            making = replace(making, page="bed")
        self._making = making
        self._show()

    def _reset(self, row: Row) -> None:
        self._set(row.known.name, row.known.default, Entry.WRITTEN)

    def _show(self) -> None:
        making = self._making
        apart = making.lines == "separate"
        reasons = {
            "play": "" if apart else NO_PLAY if self._shares_lines else AS_DRAWN,
            "page": ALWAYS_BED if apart else "",
            "margin": "" if apart or making.page == "bed" else NO_BED,
            "spacing": "" if apart or making.page == "bed" else NO_BED,
        }
        for name, reason in reasons.items():
            self._rows[name].rest(reason)
        for name, row in self._rows.items():
            row.show_value(getattr(making, name))
        if apart:
            self._rows["page"].field.show_value("bed")
        self.fit_words.setText(_fit(making, shares_lines=self._shares_lines))
        self.fit_words.setVisible(True)
        self._dress()
        self.changed.emit()

    def _dress(self) -> None:
        for row in self._rows.values():
            row.reset.setIcon(icon("reset"))


def _fit(making: Making, *, shares_lines: bool) -> str:
    """How pieces will lie beside each other, in a sentence."""
    if not shares_lines and (making.lines == "shared" or making.play == 0):
        return "Pieces will be as large as they are drawn: the kerf is made up for."
    if making.lines == "shared":
        return f"Pieces will lie {shown(making.kerf, 'mm', 2)} apart: the kerf."
    if making.play > 0:
        return f"Pieces will lie {shown(making.play, 'mm', 2)} apart."
    if making.play < 0:
        return f"Pieces will press by {shown(-making.play, 'mm', 2)}."
    return "Pieces will just touch."


def _remembered(values: dict[str, Any]) -> Making:
    """The making that stored values still make; each that cannot be is its default."""
    making = Making()
    for known in declarations(Making):
        if known.name in values and known.name not in OF_THIS_TIME:
            try:
                making = replace(making, **{known.name: values[known.name]})
            except ParameterError:
                continue
    return making
