"""The inspector of a kind: facts that the kind yields in words, on a page for each sort of selection."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QWidget

from studio.ui.widgets.controls import heading, hint_label, wrapping
from studio.ui.widgets.layout import REST, Headed, Item, Pages, SidePanel, column, named, row, scrolled
from studio.ui.widgets.theme import GAP, MARGIN, Painted, Theme, current_theme

CHIP = 14
EVEN = (GAP, GAP, GAP)

P = TypeVar("P", bound="FactsPage")
Colour = Callable[[Theme], QColor]


class Chip(QWidget):
    """A square in the colour of the selected thing."""

    colour = Painted[Colour | None](None)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(CHIP, CHIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.colour is not None:
            QPainter(self).fillRect(self.rect(), self.colour(current_theme()))


class FactsPage(QWidget):
    """A title, values behind their names, controls, a hint and more controls, one below the other.

    `spaces` in pixels lie between these parts, and across and down between the values.
    """

    def __init__(
        self, *controls: Item, hint: str = " ", below: Sequence[Item] = (),
        spaces: tuple[int, int, int] = (MARGIN, 2 * GAP, GAP // 2),
    ) -> None:  # fmt: skip
        super().__init__()
        gap, across, down = spaces
        self._chip, self.title, self.hint = Chip(), heading(), hint_label(hint)
        self.title.setWordWrap(True)
        self.hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self.facts: Mapping[str, str] = {}
        """The values shown, by name."""
        self._values: dict[str, QLabel] = {}
        self._form = named({}, across=across, down=down)
        head = row(self._chip, (self.title, 1))
        parts = head, self._form, *controls, self.hint, *below, REST
        self._parts = column(*parts, of=self, gap=gap, margins=MARGIN)

    def insert(self, part: QWidget) -> None:
        """Add a part before the hint."""
        self._parts.insertWidget(self._parts.indexOf(self.hint), part)

    def show_facts(self, title: str, facts: Mapping[str, str], colour: Colour | None = None) -> None:
        """Show values by name, below a title with a capital and a square of a colour."""
        self.title.setText(title[:1].upper() + title[1:])
        self._chip.colour = colour
        self._chip.setVisible(colour is not None)
        if [*facts] != [*self.facts]:
            while self._form.rowCount():
                self._form.removeRow(0)
            self._values = {name: wrapping() for name in facts}
            for name, value in self._values.items():
                self._form.addRow(name, value)
        self.facts = facts
        for name, words in facts.items():
            self._values[name].setText(words)


class FactsPanel(SidePanel):
    """Pages of facts for each sort of selection, perhaps below a head, and a page of help for views without facts."""

    def __init__(self, head: QWidget | None = None) -> None:
        super().__init__()
        self._pages, self._added = Pages(), list[FactsPage]()
        scrolled(self._pages if head is None else Headed(head, self._pages), self)
        self._help = FactsPage(spaces=EVEN)
        self._pages.addWidget(self._help)
        self.shown = self._help
        """The page in sight."""

    def add(self, page: P) -> P:
        """Add a page, for `describe` to choose."""
        self._pages.addWidget(page)
        self._added.append(page)
        return page

    def insert(self, part: QWidget) -> None:
        """Add a part that an ability brings, before the hint of the first page."""
        self._added[0].insert(part)

    def describe(self) -> FactsPage:
        """Show the facts of the selection on one of the pages, and return it."""
        raise NotImplementedError

    def show_help(self, title: str, hint: str) -> None:
        """Show title and help of a view in place of the facts, until the title is empty."""
        self._help.show_facts(title, {})
        self._help.hint.setText(hint)
        self.follow()

    def follow(self) -> None:
        """Show the facts of the selection, or the help of the view."""
        self.shown = self._help if self._help.title.text() else self.describe()
        self._pages.setCurrentWidget(self.shown)

    def connect_to(self, **actions: Callable[[], object]) -> None:
        """Connect buttons, by the names of their attributes, to actions."""
        for name, action in actions.items():
            getattr(self, name).clicked.connect(lambda _on=False, action=action: action())
