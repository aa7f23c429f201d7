"""The bar that steps through the solutions of a date: slider, previous, next, and what differs."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPalette
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from studio.base.amounts import thousands
from studio.base.texts import tr
from studio.ui.kinds.calendar.answers import Answers
from studio.ui.widgets.controls import CalmSlider, large_button
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.layout import row
from studio.ui.widgets.theme import hint_font

LEAST_SLIDER = 60
OFTEN = 100
"""Solutions for whose numbers there is room at any time, so that the slider keeps its length."""


class BrowserBar(QWidget):
    """Chooses one of the solutions by its number from 0."""

    went = Signal(int)
    """Another solution is wanted."""

    def __init__(self, answers: Answers) -> None:
        super().__init__()
        self._answers = answers
        self.number = 0
        self._is_hushed = False
        self.previous = large_button(tr("Previous solution (Shift+N)"), "previous")
        self.next = large_button(tr("Next solution (N)"), "next")
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Solution"))
        self.slider.setToolTip(tr("Select a solution; arrow keys on the board do the same."))
        self.place, self.remark = QLabel(), quiet(Saying())
        self.slider.setMinimumWidth(LEAST_SLIDER)
        self.cancel = QPushButton(tr("Cancel"))
        # The button takes its room from the remark, not from the slider.
        words = row((self.remark, 1), self.cancel)
        row(self.previous, self.next, (self.slider, 2), self.place, (words, 3), of=self)
        self.previous.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self.slider.valueChanged.connect(self.go_to)
        self.cancel.clicked.connect(answers.give_up)
        answers.twins.changed.connect(self._say)
        self.follow()

    @property
    def _count(self) -> int:
        return 0 if self._answers.answer is None else len(self._answers.answer)

    def follow(self) -> None:
        """Show another answer, at its first solution."""
        count = self._count
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(count - 1, 0))
            self.slider.setValue(0)
        self.slider.setPageStep(max(count // 10, 1))
        self.cancel.setVisible(self._answers.is_waiting)
        some = thousands(max(count, OFTEN))
        widest = (tr("{number} of {count}", number=some, count=words) for words in (some, self._answers.count))
        self.place.setMinimumWidth(max(map(QFontMetrics(self.place.font()).horizontalAdvance, widest)))
        self.number = 0
        self._say()

    def step(self, by: int) -> None:
        """Go on or back; beyond the last comes the first."""
        if self._count:
            self.go_to((self.number + by) % self._count)

    def go_to(self, number: int) -> None:
        """Show one solution."""
        if not 0 <= number < self._count:
            return
        self.number = number
        with QSignalBlocker(self.slider):
            self.slider.setValue(number)
        self._say()
        self.went.emit(number)

    def hush(self, hushed: bool) -> None:
        """Hide the remark while the board shows something else."""
        if hushed != self._is_hushed:
            self._is_hushed = hushed
            self._say()

    def _say(self) -> None:
        answer, count = self._answers.answer, self._count
        for widget in (self.previous, self.next, self.slider):
            widget.setEnabled(count > 1)
        self.place.setText(
            tr("{number} of {count}", number=thousands(self.number + 1), count=self._answers.count) if count else ""
        )
        words = []
        if answer is not None and count:
            twin = self._answers.twin(self.number)
            if twin != self.number:
                words.append(
                    tr(
                        "variant of solution {number}: one region rotated or mirrored in place",
                        number=thousands(twin + 1),
                    )
                )
            cell = answer.difference(self.number)
            if cell is not None:
                words.append(tr("ring: first cell that differs from the previous solution"))
        text = "" if self._is_hushed else "; ".join(words)
        self.remark.setText(text[:1].upper() + text[1:] + "." if text else "")


def quiet(label: Saying) -> Saying:
    """A line in the smaller size and the quieter colour of a hint."""
    label.setFont(hint_font(label.font()))
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label
