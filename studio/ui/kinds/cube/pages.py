"""A part of the cube's inspector: what is known of the selected edges."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QWidget

from studio.base.amounts import many
from studio.base.texts import tr
from studio.ui.kinds.cube.edges import CubeEdges
from studio.ui.widgets.controls import hint_label, push_button, wrapping
from studio.ui.widgets.layout import column, named, row, show_row

HINT_EDGES = tr(
    "R randomises these edges and keeps your options if possible. L locks them against seed changes. "
    "Ctrl+click adds or removes an edge; Esc deselects."
)


class EdgePage(QWidget):
    """The selected edges: whose their voxels are, and the buttons that change them."""

    def __init__(self, edges: CubeEdges) -> None:
        super().__init__()
        self._edges = edges
        self.values = {name: wrapping() for name in (tr("Voxels"), tr("Pieces"), tr("Randomised"), tr("Edited"))}
        self._form = named(self.values)
        self.locked = QCheckBox(tr("Locked"))
        self.locked.setToolTip(tr("Locked edges keep their voxels when the seed changes and are never randomised."))
        self.roll = push_button(tr("Randomise"), tr("Randomise the voxels of the selected edges (R)"))
        back = tr("Reset the selected edges to the seed, without locks and edits")
        self.reset = push_button(tr("Reset"), back)
        hint = hint_label(HINT_EDGES)
        column(self._form, self.locked, row((self.roll, 1), (self.reset, 1)), hint, of=self)
        self.roll.clicked.connect(edges.roll)
        self.locked.clicked.connect(edges.lock)
        self.reset.clicked.connect(edges.reset)

    def follow(self) -> None:
        """Speak of the edges that are selected now."""
        known = self._edges.facts
        one = len(known) == 1
        self.values[tr("Voxels")].setText(str(sum(each.voxels for each in known)))
        self.values[tr("Pieces")].setText(" ".join(known[0].letters) if one else "")
        show_row(self._form, self.values[tr("Pieces")], shown=one)
        self.values[tr("Randomised")].setText(f"{sum(each.rolls for each in known)} ×")
        self.values[tr("Edited")].setText(many(sum(each.edited for each in known), "voxel"))
        locked = sum(each.locked for each in known)
        self.locked.setTristate(0 < locked < len(known))
        state = Qt.CheckState
        some = state.Checked if locked == len(known) else state.PartiallyChecked
        self.locked.setCheckState(some if locked else state.Unchecked)
        self.reset.setEnabled(self._edges.is_edited)
