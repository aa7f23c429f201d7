"""Parts of the cube's inspector: how hard it is, and what is known of the selected edges."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from studio.amounts import many, share
from studio.puzzles.abilities.graded import Grade
from studio.puzzles.cube.model import CubeDesign
from studio.ui.kinds.cube.edges import CubeEdges
from studio.ui.kinds.cube.grading import Grading
from studio.ui.layout import column, holding, named, row
from studio.ui.theme import hint_font
from studio.ui.widgets import heading, hint_label, push_button, wrapping

TRACK, MARKER = 4.0, 6.0
"""The height of the scale's line and the radius of its marker, in pixels."""
PARTS = 5
HINT_EDGES = (
    "R deals them anew so that they look otherwise and the cube keeps what is wished for, where that can be. "
    "L keeps them when the seed changes. Ctrl-click adds an edge or takes it away; Escape lets all go."
)


class Scale(QWidget):
    """A line from the easiest to the hardest, with a marker where the cube is."""

    def __init__(self) -> None:
        super().__init__()
        self._grade: Grade[CubeDesign] | None = None
        self._font = hint_font(self.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("How hard the cube is")

    def sizeHint(self) -> QSize:
        return QSize(160, round(2 * MARKER) + 4 + self.fontMetrics().height())

    def show_grade(self, graded: Grade[CubeDesign] | None) -> None:
        """Set the marker, or take it away; a cube with as many steps as others gets as wide a stretch."""
        self._grade = graded
        if graded is not None:
            self.setAccessibleDescription(f"{graded.level}. {graded.words}")
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self.palette()
        left, width, y = MARKER, self.width() - 2 * MARKER, MARKER + 1
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.color(QPalette.ColorRole.Mid))
        painter.drawRoundedRect(QRectF(left, y - TRACK / 2, width, TRACK), TRACK / 2, TRACK / 2)
        painter.setPen(QPen(colours.color(QPalette.ColorRole.Window), 1))
        for part in range(1, PARTS):
            x = left + width * part / PARTS
            painter.drawLine(QPointF(x, y - TRACK / 2), QPointF(x, y + TRACK / 2))
        if self._grade is not None:
            begin, end = self._grade.share, self._grade.share + self._grade.alike
            accent = colours.color(QPalette.ColorRole.Highlight)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            stretch = QRectF(left + width * begin, y - TRACK / 2, width * (end - begin), TRACK)
            painter.drawRoundedRect(stretch, TRACK / 2, TRACK / 2)
            painter.setPen(QPen(accent, 2))
            painter.setBrush(colours.color(QPalette.ColorRole.Base))
            painter.drawEllipse(QPointF(left + width * (begin + end) / 2, y), MARKER - 1, MARKER - 1)
        painter.setPen(colours.color(QPalette.ColorRole.PlaceholderText))
        painter.setFont(self._font)
        words = QRectF(0, 2 * MARKER + 3, self.width(), self.height() - 2 * MARKER - 3)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, "easiest")
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, "hardest")


class GradePage(QWidget):
    """How hard the cube is, what that means, and the way to a harder or an easier one."""

    def __init__(self, grading: Grading) -> None:
        super().__init__()
        self._grading = grading
        self.scale = Scale()
        self.level, self.words = wrapping(), hint_label(" ")
        tip = "Take another seed with which the cube is a step {}; undo brings this one back."
        self.easier, self.harder = (push_button(f"Find {way}", tip.format(way)) for way in ("easier", "harder"))
        self.under_way, self.cancel = QLabel(), push_button("Cancel")
        self._offer = holding(row((self.easier, 1), (self.harder, 1)))
        self._wait = holding(row((self.under_way, 1), self.cancel))
        column(heading("How hard"), self.scale, self.level, self.words, self._offer, self._wait, of=self)
        self.easier.clicked.connect(lambda: grading.find("easier"))
        self.harder.clicked.connect(lambda: grading.find("harder"))
        self.cancel.clicked.connect(grading.cancel)
        grading.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Say what is known now."""
        grading = self._grading
        graded, problem = grading.grade.answer, grading.grade.problem
        self.scale.show_grade(graded)
        self.scale.setVisible(not problem)
        self.level.setText(graded.level if graded is not None else "Comparing with others …")
        self.level.setVisible(not problem)
        self.words.setText(graded.words if graded is not None else problem)
        self.words.setVisible(bool(self.words.text()))
        searching = grading.done is not None
        self._offer.setVisible(not searching)
        self._wait.setVisible(searching)
        for button in (self.easier, self.harder):
            button.setEnabled(not problem)
        if grading.done is not None:
            self.under_way.setText(f"Looking … {share(grading.done)}")


class EdgePage(QWidget):
    """The selected edges: whose their voxels are, and the buttons that change them."""

    def __init__(self, edges: CubeEdges) -> None:
        super().__init__()
        self._edges = edges
        self.values = {name: wrapping() for name in ("Voxels", "Pieces", "Re-rolled", "By hand")}
        self._form = named(self.values)
        self.locked = QCheckBox("Locked against re-rolling")
        self.locked.setToolTip("A locked edge keeps its voxels when the seed changes, and is not re-rolled.")
        self.roll = push_button("Re-roll", "Deal the voxels of the selected edges anew (R).")
        back = "Give the selected edges back to chance: re-rolls, lock and voxels given by hand."
        self.reset = push_button("Reset", back)
        hint = hint_label(HINT_EDGES)
        column(self._form, self.locked, row((self.roll, 1), (self.reset, 1)), hint, of=self)
        self.roll.clicked.connect(edges.roll)
        self.locked.clicked.connect(edges.lock)
        self.reset.clicked.connect(edges.reset)

    def follow(self) -> None:
        """Speak of the edges that are selected now."""
        known = self._edges.facts
        one = len(known) == 1
        self.values["Voxels"].setText(str(sum(each.voxels for each in known)))
        self.values["Pieces"].setText(" ".join(known[0].letters) if one else "")
        self._form.setRowVisible(self.values["Pieces"], one)
        self.values["Re-rolled"].setText(f"{sum(each.rolls for each in known)} ×")
        self.values["By hand"].setText(many(sum(each.by_hand for each in known), "voxel"))
        locked = sum(each.locked for each in known)
        self.locked.setTristate(0 < locked < len(known))
        state = Qt.CheckState
        some = state.Checked if locked == len(known) else state.PartiallyChecked
        self.locked.setCheckState(some if locked else state.Unchecked)
        self.reset.setEnabled(self._edges.is_edited)
