"""The choice of a style for the selected tongues, in the inspector."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QSizePolicy

from studio.base.amounts import many
from studio.base.texts import tr
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import OWN, TITLES
from studio.ui.session.document import Document
from studio.ui.widgets.controls import CalmComboBox

BOARD = ""
"""Stands for the style that the parameters and the seed give a tongue."""
SEVERAL = -1


class StyleBox(CalmComboBox):
    """The styles, and before them that of the board; empty where the selected tongues have several."""

    chosen = Signal(object)
    """The selected tongues are to have a style: brings its key, or None for that of the board."""

    def __init__(self) -> None:
        super().__init__(tr("Style"), tr("Style of the selected tongues"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setPlaceholderText(tr("Several"))
        self.addItem(tr("Same as board"), BOARD)
        for key, title in TITLES.items():
            self.addItem(title, key)
        self.activated.connect(lambda _row: self.chosen.emit(self.currentData() or None))

    def show_tongues(self, shapes: JigsawShapes, tongues: list[int]) -> None:
        """Show the style of some tongues."""
        found = {shapes.decided(tongue).style or BOARD for tongue in tongues}
        of_figures = all(shapes.is_of_figure(tongue) for tongue in tongues)
        self.setItemText(0, tr("Same as figure") if of_figures else tr("Same as board"))
        model = self.model()
        assert isinstance(model, QStandardItemModel)
        model.item(self.findData(OWN)).setEnabled(shapes.design.profile is not None)
        with QSignalBlocker(self):
            self.setCurrentIndex(self.findData(found.pop()) if len(found) == 1 else SEVERAL)


def restyle(document: Document, shapes: JigsawShapes, tongues: list[int], style: str | None) -> None:
    """Give some tongues a style by its key, or that of the board, as one step that can be undone."""
    words = tr("Change style of {tongues}", tongues=many(len(tongues), "tongue"))
    document.edit(words, edits.with_tongues_styled(shapes, tongues, style))
