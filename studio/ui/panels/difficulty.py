"""The difficulty of a design: a scale, the techniques to solve it, and a way to harder or easier ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from studio.base.amounts import share
from studio.base.texts import tr
from studio.puzzles.abilities.gradable import Grade
from studio.ui.panels.tables import CalmTable, Column, ElementModel
from studio.ui.session.grading import Grading
from studio.ui.widgets.controls import heading, hint_label, push_button, wrapping
from studio.ui.widgets.layout import Turning, column, holding, row, scrolled
from studio.ui.widgets.theme import GAP, MARGIN, hint_font

# The difficulty of a design: a scale, its meaning, and the way to a harder or an easier one

TRACK, MARKER = 4.0, 6.0
"""Height of the scale's line and radius of its marker, in pixels."""
TICKS = 5


class Scale(QWidget):
    """A line from the easiest to the hardest, with a marker for the design."""

    def __init__(self, noun: str) -> None:
        super().__init__()
        self._grade: Grade[Any] | None = None
        self._font = hint_font(self.font())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Difficulty of the {kind}", kind=noun))

    def sizeHint(self) -> QSize:
        return QSize(160, round(2 * MARKER) + 4 + self.fontMetrics().height())

    def show_grade(self, graded: Grade[Any] | None) -> None:
        """Set the marker, or remove it; it spans the share of designs with the same number of steps."""
        self._grade = graded
        self.setAccessibleDescription("" if graded is None else f"{graded.level}. {graded.explanation}")
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
        for tick in range(1, TICKS):
            x = left + width * tick / TICKS
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
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, tr("easiest"))
        painter.drawText(words, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, tr("hardest"))


class GradePage(QWidget):
    """The difficulty of the design, its meaning, and the way to a harder or an easier one."""

    def __init__(self, grading: Grading[Any]) -> None:
        super().__init__()
        self._grading = grading
        self.scale = Scale(grading.noun)
        self.level, self.words = wrapping(), hint_label(" ")
        self.easier = push_button(tr("Find easier"), tr("Switch to a seed one step easier; undo switches back"))
        self.harder = push_button(tr("Find harder"), tr("Switch to a seed one step harder; undo switches back"))
        self.under_way, self.cancel = QLabel(), push_button(tr("Cancel"))
        self._offer = holding(row((self.easier, 1), (self.harder, 1)))
        self._wait = holding(row((self.under_way, 1), self.cancel))
        # The sentence comes last, so that it moves no button.
        column(heading(tr("Difficulty")), self.scale, self.level, self._offer, self._wait, self.words, of=self)
        self.easier.clicked.connect(lambda: grading.find("easier"))
        self.harder.clicked.connect(lambda: grading.find("harder"))
        self.cancel.clicked.connect(grading.cancel)
        grading.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show the present grade or search."""
        grading = self._grading
        graded, problem = grading.grade.answer, grading.grade.problem
        self.scale.show_grade(graded)
        unknown = tr("Not rated") if problem else tr("Rating difficulty…")
        self.level.setText(graded.level if graded is not None else unknown)
        self.words.setText(graded.explanation if graded is not None else problem)
        searching = grading.done is not None
        self._offer.setVisible(not searching)
        self._wait.setVisible(searching)
        for button in (self.easier, self.harder):
            button.setEnabled(not problem)
        if grading.done is not None:
            self.under_way.setText(tr("Searching… {done}", done=share(grading.done)))


T = TypeVar("T")

GRADE_WIDTH, NARROW = 340, 510


class DifficultyPage(QWidget, Generic[T]):
    """The tab with the grade at the left, computed while visible, and a kind's table at the right."""

    model: ElementModel[T]
    table: CalmTable

    def __init__(self, grading: Grading[Any]) -> None:
        super().__init__()
        grading.grade.watch_in(self)
        self.page = GradePage(grading)
        self._rows: list[T] = []

    def show_table(self, title: str, name: str, rows: Iterable[T], columns: Sequence[tuple[int, Column[T]]]) -> None:
        """Show a table, once, with columns and their widths in pixels; screen readers read its name."""
        self._rows = list(rows)
        self.model = ElementModel([one for _width, one in columns])
        self.table = CalmTable(self.model, name, [width for width, _one in columns])
        self.table.horizontalHeader().setStretchLastSection(False)
        area = scrolled(self.page)
        area.setMaximumWidth(GRADE_WIDTH)
        beside = column(heading(title), (self.table, 1))
        parts = row((area, 1), (beside, 1), of=self, gap=2 * MARGIN, margins=(MARGIN, GAP, MARGIN, GAP))
        Turning(self, parts, narrow=NARROW, least=self.page.minimumSizeHint().width() + 2 * MARGIN)
        self.setFocusProxy(self.table)
        self.follow()

    def follow(self) -> None:
        """Show the present grade in the table."""
        self.model.show_elements(self._rows)
