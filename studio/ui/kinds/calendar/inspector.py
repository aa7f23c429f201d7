"""The inspector: facts of the selected piece or cell, or of the whole puzzle."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from studio.base.amounts import many, thousands
from studio.base.texts import tr
from studio.puzzles.calendar.colours import title_of
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.placing import orientations, placements
from studio.ui.kinds.calendar.looks import tint
from studio.ui.kinds.calendar.selection import CalendarSelection
from studio.ui.widgets.controls import heading, hint_label, wrapping
from studio.ui.widgets.layout import REST, SidePanel, column, holding, named, row, scrolled
from studio.ui.widgets.theme import MARGIN, Painted, current_theme

CHIP = 14


class Chip(QWidget):
    """A square in the colour of a piece, by the colour's number."""

    colour = Painted(0)

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(CHIP, CHIP)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), tint(self.colour, current_theme()))


class CalendarInspector(SidePanel):
    """One page for all; without a selection it speaks of the whole."""

    def __init__(self, selection: CalendarSelection, design: CalendarDesign) -> None:
        super().__init__()
        self._selection, self._design = selection, design
        self._chip, self._title, self._hint = Chip(), heading(), hint_label(" ")
        self._hint.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft)
        self._form = named({})
        items = (row(self._chip, (self._title, 1)), self._form, self._hint, REST)
        scrolled(holding(column(*items, gap=MARGIN, margins=MARGIN)), self)
        selection.changed.connect(self.follow)
        self.hint = ""
        """The help while nothing is selected."""
        self.piece_hint = self.cell_hint = ""
        """The help for a selected piece or cell."""
        self.rows: dict[str, str] = {}
        """The facts shown, by name; tests read them."""

    def show_design(self, design: CalendarDesign) -> None:
        """Show another design."""
        self._design = design
        self.rows = {}
        self.follow()

    def follow(self) -> None:
        """Show the facts of the selection."""
        design, piece, cell = self._design, self._selection.piece, self._selection.cell
        self._chip.setVisible(piece is not None)
        if piece is not None and piece < len(design.set):
            title, hint, rows = (
                tr("Piece {name}", name=design.set[piece].name),
                self.piece_hint,
                piece_facts(design, piece),
            )
            self._chip.colour = design.set[piece].colour
        elif cell is not None and cell in design.layout.indices:
            title, hint, rows = tr("Cell {cell}", cell=cell), self.cell_hint, cell_facts(design, cell)
        else:
            title, hint, rows = tr("Whole puzzle"), self.hint, puzzle_facts(design)
        self._title.setText(title)
        self._hint.setText(hint)
        if rows != self.rows:
            self.rows = rows
            while self._form.rowCount():
                self._form.removeRow(0)
            for name, words in rows.items():
                self._form.addRow(name, wrapping(words))


def piece_facts(design: CalendarDesign, number: int) -> dict[str, str]:
    """The facts of a piece."""
    piece, flips = design.set[number], design.parameters.reflections
    return {
        tr("Squares"): str(piece.area),
        tr("Colour"): title_of(piece.colour),
        tr("Orientations"): str(len(orientations(piece.mask, reflections=flips))),
        tr("Placements"): thousands(len(placements(design.layout, piece, flips))),
    }


def cell_facts(design: CalendarDesign, name: str) -> dict[str, str]:
    """The facts of a cell."""
    label = design.layout.on.get(name)
    if label is None:
        return {tr("Label"): tr("none (always covered)")}
    return {tr("Label"): label.text, tr("Group"): label.group, tr("Number"): str(label.value)}


def puzzle_facts(design: CalendarDesign) -> dict[str, str]:
    """The facts of board and pieces together."""
    cells, groups = len(design.layout.names), design.layout.groups
    left = cells - design.area
    facts = {
        tr("Cells"): str(cells),
        tr("Groups"): ", ".join(f"{group} ({len(labels)})" for group, labels in groups.items()) or tr("none"),
        tr("Pieces"): tr("{count} ({squares})", count=len(design.set), squares=many(design.area, "square")),
        tr("Uncovered cells"): tr("{count}, one per group", count=left)
        if left == len(groups)
        else tr("{count}, for {groups}", count=left, groups=many(len(groups), "group")),
        tr("Flipping"): tr("allowed") if design.parameters.reflections else tr("not allowed"),
    }
    if left < 0:
        facts[tr("Uncovered cells")] = tr("none: {squares} over", squares=many(-left, "square"))
    return facts
