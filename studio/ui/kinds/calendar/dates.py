"""The date of the window: one label of every group, at first today's; and the bar in which it is chosen."""

from __future__ import annotations

import datetime
from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from studio.base.texts import tr
from studio.puzzles.calendar.model import (
    ANY_YEAR,
    DAY,
    MONTH,
    SPOKEN,
    WEEKDAY,
    Board,
    CalendarDesign,
    Date,
    Label,
    exists,
    refusal,
    said,
)
from studio.ui.widgets.controls import CalmComboBox, control_height
from studio.ui.widgets.layout import row


class ChosenDate(QObject):
    """The uncovered label of every group."""

    changed = Signal()
    """Another date, or another board."""

    def __init__(
        self,
        board: Board,
        parent: QObject | None = None,
        today: Callable[[], datetime.date] = datetime.date.today,
        year: int = ANY_YEAR,
    ) -> None:
        super().__init__(parent)
        self._today = today
        self.board, self.year = board, year
        self.labels: dict[str, Label] = {}
        self._adopt()

    @property
    def date(self) -> Date:
        """The labels in the order of the board's groups."""
        return tuple(self.labels.values())

    @property
    def open_cells(self) -> tuple[str, ...]:
        """The names of the uncovered cells."""
        return tuple(label.name for label in self.date)

    @property
    def exists(self) -> bool:
        """True if the month has the day and the year puts it on the weekday."""
        return exists(self.date, self.year)

    def is_of(self, design: CalendarDesign) -> bool:
        """True if board and year are the design's."""
        return self.board == design.layout and self.year == design.year

    @property
    def date_text(self) -> str:
        """The date in words: `Tue 6 Oct`."""
        return said(self.date) or tr("the whole board")

    def show_board(self, board: Board, year: int = ANY_YEAR) -> None:
        """Use another board or year; selected labels stay if the board has them."""
        if (board, year) != (self.board, self.year):
            self.board, self.year = board, year
            self._adopt()
            self.changed.emit()

    def _adopt(self) -> None:
        before, self.labels, now = self.labels, {}, self._now()
        for group, labels in self.board.groups.items():
            value = before[group].value if group in before else now.get(group)
            self.labels[group] = next((label for label in labels if label.value == value), labels[0])
        self._agree()

    def choose_today(self) -> None:
        """Choose the labels of today that the board has."""
        now = self._now()
        self._take([label for label in self.board.labels if now.get(label.group) == label.value])

    def choose(self, *labels: Label) -> None:
        """Choose labels; a day that the month does not have gives way to its last, a weekday to that of the year.

        Labels from before an edit of the board stand for the present labels of the same meaning.
        """
        wanted = {(label.group, label.value) for label in labels if label not in self.board.labels}
        same = [label for label in self.board.labels if (label.group, label.value) in wanted]
        self._take([*same, *(label for label in labels if label in self.board.labels)])

    def choices(self, group: str) -> tuple[Label, ...]:
        """The labels of a group that can be chosen now: every month, the days of the month, the weekday of the year."""
        labels = self.board.groups[group]
        if group == MONTH:
            return labels
        known = self.labels if group != DAY else {each: label for each, label in self.labels.items() if each != WEEKDAY}
        return tuple(one for one in labels if exists(tuple((known | {group: one}).values()), self.year)) or labels

    def refusal(self, label: Label) -> str:
        """Reason why a label cannot be chosen, in a sentence; empty if it can."""
        if label in self.choices(label.group):
            return ""
        return refusal(self.board, tuple((self.labels | {label.group: label}).values()), self.year)

    def _take(self, labels: tuple[Label, ...] | list[Label]) -> None:
        before = dict(self.labels)
        for label in labels:
            self.labels[label.group] = label
        self._agree()
        if self.labels != before:
            self.changed.emit()

    def _agree(self) -> None:
        for group in (DAY, WEEKDAY):
            if group in self.labels and self.labels[group] not in (choices := self.choices(group)):
                self.labels[group] = choices[-1]

    def _now(self) -> dict[str, int]:
        today = self._today()
        return {MONTH: today.month, DAY: today.day, WEEKDAY: today.isoweekday()}


class LabelBox(CalmComboBox):
    """A choice among labels, in which letters and figures find a label instead of acting on the board."""

    def event(self, event: QEvent) -> bool:
        """Keep keys that write something from being taken as a command."""
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.text().isalnum():
            event.accept()
            return True
        return super().event(event)


class DateBar(QWidget):
    """A choice for each group, and the way back to today."""

    def __init__(self, chosen: ChosenDate) -> None:
        super().__init__()
        self._chosen = chosen
        self.boxes: dict[str, LabelBox] = {}
        self.today = QToolButton()
        self.today.setText(tr("Today"))
        self.today.setToolTip(tr("Select today's date (T)"))
        self.today.setFixedHeight(control_height())
        self.today.clicked.connect(chosen.choose_today)
        self._empty = QLabel(tr("This board has no labels; every cell is covered."))
        self._row = row(self.today, self._empty, of=self)
        chosen.changed.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Show the selected labels and the choices."""
        groups = sorted(
            self._chosen.board.groups, key=lambda group: SPOKEN.index(group) if group in SPOKEN else len(SPOKEN)
        )
        if groups != list(self.boxes):
            self._build(groups)
        for group, box in self.boxes.items():
            labels = self._chosen.choices(group)
            if [box.itemData(row) for row in range(box.count())] != list(labels):
                box.clear()
                for label in labels:
                    box.addItem(label.text, label)
            box.setCurrentIndex(labels.index(self._chosen.labels[group]))
        self.today.setVisible(any(group in SPOKEN for group in groups))
        self._empty.setVisible(not groups)

    def _build(self, groups: list[str]) -> None:
        for box in self.boxes.values():
            self._row.removeWidget(box)
            box.deleteLater()
        self.boxes = {}
        for place, group in enumerate(groups):
            box = self.boxes[group] = LabelBox()
            box.setAccessibleName(group.capitalize())
            box.setToolTip(tr("Leave this {group} uncovered; clicking its cell does the same.", group=group))
            box.setFixedHeight(control_height())
            box.setMaxVisibleItems(16)
            box.activated.connect(lambda row, box=box: self._chosen.choose(box.itemData(row)))
            self._row.insertWidget(place, box)
