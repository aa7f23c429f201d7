"""The list in which a machine, a material, a printer or a filament is chosen."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QSizePolicy

from studio.base.texts import tr
from studio.fabricate.workshop import USUAL, Figures, Machine, Material, Named, Plastic, Printer, every
from studio.ui.session.preferences import Preferences
from studio.ui.widgets.controls import CalmComboBox, control_height

TITLES: dict[type[Figures], str] = {
    Machine: tr("Machine"), Material: tr("Material"), Printer: tr("Printer"), Plastic: tr("Filament"),
}  # fmt: skip
PLURALS: dict[type[Figures], str] = {
    Machine: tr("Machines"), Material: tr("Materials"), Printer: tr("Printers"), Plastic: tr("Filaments"),
}  # fmt: skip


class WorkshopBox(CalmComboBox):
    """A list of all of a kind in the workshop, which begins with the one used last; the maker's own are marked."""

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
        """Offer all there are now, with the one of a key chosen, or the usual one where there is none of it."""
        self._named = every(self._kind)
        with QSignalBlocker(self):
            self.clear()
            for one in self._named:
                self.addItem(tr("{title} (custom)", title=one.title) if one.own else one.title, one.key)
            there = (self.findData(wanted) for wanted in (key, USUAL[self._kind]))
            self.setCurrentIndex(next((row for row in there if row >= 0), 0))

    def chosen(self) -> Named[Any]:
        """What is chosen."""
        return self._named[self.currentIndex()]

    def prefer(self, suits: Callable[[Named[Any]], bool]) -> bool:
        """Choose one that suits if the chosen one does not, one of the maker's own before others; whether it did."""
        suited = [row for row, one in enumerate(self._named) if suits(one)]
        if not suited or self.currentIndex() in suited:
            return False
        with QSignalBlocker(self):
            self.setCurrentIndex(next((row for row in suited if self._named[row].own), suited[0]))
        return True

    def remember(self) -> None:
        """Begin with this one the next time."""
        self._preferences.set_workshop_key(self._kind.__name__.lower(), self.chosen().key)
