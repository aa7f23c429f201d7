"""The cells that are selected on the board of a slitherlink."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes


class CellSelection(QObject):
    """Cells of the shapes in sight, by number; canvas and inspector share it."""

    changed = Signal()

    def __init__(self, shapes: SlitherlinkShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.cells: frozenset[int] = frozenset()

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Bring other shapes in sight; on the same grid cells stay selected."""
        before, self.shapes = self.shapes.design.parameters.form, shapes
        self.select(self.cells if before is shapes.design.parameters.form else ())

    def select(self, cells: Iterable[int] = ()) -> None:
        """Select just these."""
        chosen = frozenset(cells)
        if chosen != self.cells:
            self.cells = chosen
            self.changed.emit()

    def select_all(self) -> None:
        """Select every cell."""
        self.select(range(self.shapes.design.parameters.net.outside))

    def toggle(self, cell: int) -> None:
        """Select a cell too, or no longer."""
        self.select(self.cells ^ {cell})

    @property
    def title(self) -> str:
        """What is selected, as a title."""
        if len(self.cells) == 1:
            return self.shapes.design.names_of(self.cells)[0]
        return many(len(self.cells), "cell")

    @property
    def words(self) -> str:
        """What is selected, for the status bar."""
        return tr("{selection} selected", selection=self.title) if self.cells else tr("Nothing selected")
