"""The view of the year: the solutions of every date, the hardest and the easiest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from studio.base.amounts import at_least, many, share, thousands
from studio.base.texts import tr
from studio.puzzles.calendar.dates import noun_of
from studio.puzzles.calendar.model import Board
from studio.puzzles.calendar.year import NO_CHART, Chart, Place, as_text, chart, extremes, free_groups, in_words
from studio.ui.kinds.calendar.heat_map import HeatMap
from studio.ui.kinds.calendar.legend import Legend
from studio.ui.kinds.calendar.views import BaseCalendarExtension, CalendarPage, Counting, Known
from studio.ui.panels.tables import CellLook, Column, SortedModel, sorted_table
from studio.ui.widgets.controls import CalmComboBox, control_height, hint_label, invitation, push_button
from studio.ui.widgets.layout import column, row, stack
from studio.ui.widgets.theme import GAP, MARGIN, heading_font

LEAST = -1
"""The data of the choice for all labels."""
INVITATION = tr("Solution counts appear here, hardest first.")


class Dates(QWidget):
    """The list of dates: its rows are the cells of the chart, to be sorted by date, solutions or rank."""

    chosen = Signal(object)
    """The Place of the date to show on the board."""
    pointed = Signal(object)
    """The Place of the current row."""

    def __init__(self, counting: Counting) -> None:
        super().__init__()
        counting.watch_in(self)
        self._chart = NO_CHART
        self.model = SortedModel[Place](
            [
                Column(tr("Date"), lambda place: in_words(self._chart.cells[place])),
                Column(tr("Solutions"), self._amount, CellLook.NUMBER,
                       help=tr("≥ means at least: the search ended early.")),
                Column(tr("Rank"), lambda place: str(self._chart.ranks[place]), CellLook.NUMBER,
                       help=tr("1 has the fewest solutions; equal counts share a rank.")),
            ],
            [lambda place: place, lambda place: int(self._chart.counts[place]), lambda place: self._chart.ranks[place]],
            by=2,
        )  # fmt: skip
        self.table = sorted_table(self.model, tr("Dates"), (220, 110, 80))
        self.table.setToolTip("")
        self._empty = invitation(INVITATION)
        self._stack = stack(self._empty, self.table)
        self.setLayout(self._stack)
        self.setFocusProxy(self.table)
        self.table.activated_row.connect(self._choose)
        self.table.doubleClicked.connect(lambda index: self._choose(index.row()))
        self.table.selectionModel().currentRowChanged.connect(lambda index, _before: self._point(index.row()))

    def show_chart(self, chart: Chart) -> None:
        """List the dates of a chart."""
        self._chart = chart
        self.model.rename(0, chart.noun.one.capitalize())
        self.table.setAccessibleName(chart.noun.several.capitalize())
        self.setWindowTitle(self.table.accessibleName())
        self.model.show_all(sorted(chart.dates))
        self._stack.setCurrentIndex(1 if chart.dates else 0)

    def _amount(self, place: Place) -> str:
        count = thousands(int(self._chart.counts[place]))
        return count if self._chart.is_complete else f"≥ {count}"

    def _choose(self, row: int) -> None:
        self.chosen.emit(self.model.element(row))

    def _point(self, row: int) -> None:
        if row >= 0:
            self.pointed.emit(self.model.element(row))


class YearPage(CalendarPage):
    """The heat map of the year, its legend, and a summary."""

    name = "year"
    title = tr("Heat map")
    hint = tr(
        "Click a cell to select it, double-click to show its solutions on the board. Keyboard: arrow keys move, Space "
        "selects, Enter opens. The table below lists all of them."
    )

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__(desk)
        self.counting = desk.counting
        self.heading, self.extremes, self.reading = QLabel(), hint_label(), hint_label()
        self.map = HeatMap()
        self.legend = Legend()
        self.dates = Dates(self.counting)
        self.tables = [(tr("Dates"), self.dates)]
        self.boxes: dict[str, CalmComboBox] = {}
        self.copy = push_button(tr("Copy table"), tr("Copy solutions and ranks for a spreadsheet"))
        self.stop = push_button(tr("Cancel"), tr("Stop counting and keep the current numbers"))
        self.again = push_button(tr("Count"), tr("Count all solutions"))
        self._chart = NO_CHART
        self._known: Known | None = None
        self.heading.setFont(heading_font(QApplication.font()))
        self.setFocusProxy(self.map)
        self._choices = row()
        for button in (self.stop, self.again, self.copy):
            button.setFixedHeight(control_height())
        for label in (self.extremes, self.reading):
            label.setFont(QApplication.font())
            label.setMinimumHeight(control_height() - 4)
        head = row((self.heading, 1), self.stop, self.again, self._choices, self.copy)
        items = (head, self.extremes, (self.map, 1), self.reading, self.legend)
        column(*items, of=self, gap=GAP // 2, margins=(MARGIN + GAP // 2, GAP, MARGIN + GAP // 2, GAP))
        self.extremes.show()
        self.reading.show()
        self.counting.changed.connect(self._follow)
        self.counting.watch_in(self)
        self.map.pointed.connect(self._point)
        self.map.chosen.connect(self._choose)
        self.map.opened.connect(self._open)
        self.dates.chosen.connect(self._open)
        self.dates.pointed.connect(self.map.point_at)
        self.copy.clicked.connect(self._copy)
        self.stop.clicked.connect(self.counting.stop)
        self.again.clicked.connect(self.counting.again)
        self.desk.date.changed.connect(self._mark)
        self._follow()

    # Called by the window

    @property
    def status_text(self) -> str:
        """The selected date."""
        return tr("{date} selected", date=self.desk.date.date_text)

    # Display

    def _follow(self) -> None:
        """Show the counts, and whether they are current."""
        counting = self.counting
        known, board = counting.known, self.design.layout
        if known is not None and list(known.board.groups) != list(board.groups):
            # Counts of a board with other groups no longer mean anything.
            known = None
        if known != self._known:
            self._known = known
            if known is None:
                self._offer(board, tuple(board.groups)[2:])
            else:
                self._offer(known.board, free_groups(known.board, known.year.counts))
            if known is None:
                self._show(replace(NO_CHART, noun=noun_of(board.groups)))
            else:
                self._show_chart(known)
        faded = counting.answer is None
        self.map.fade(faded)
        self.legend.is_faded = faded
        self.heading.setText(self._heading())
        self.extremes.setText(self._extremes())
        self.stop.setVisible(counting.is_busy)
        self.again.setVisible(bool(counting.problem) and not counting.is_busy)
        self.copy.setEnabled(not faded)

    def _heading(self) -> str:
        counting, year = self.counting, self.counting.answer
        if counting.problem:
            return counting.problem
        if year is None:
            return tr("Counting… {share}", share=share(counting.share))
        dates = int((year.counts >= 0).sum())
        return tr(
            "{dates}, {solutions} in total",
            dates=noun_of(year.groups).many(dates),
            solutions=at_least(many(year.total, "solution"), exact=year.complete),
        )

    def _extremes(self) -> str:
        year = self.counting.answer
        if self._known is None:
            return ""
        if year is None:
            return tr("The pale numbers are from before your last change.")
        return " ".join(filter(None, (extremes(self._chart), self._area())))

    def _area(self) -> str:
        """A mismatch of areas, in a sentence; empty without one."""
        area, room = self.design.area, self.design.layout.covered
        if area == room:
            return ""
        return tr(
            "The pieces cover {squares}, but {needed} are needed.", squares=many(area, "square"), needed=thousands(room)
        )

    def _show_chart(self, known: Known) -> None:
        year, board = known
        chosen = {group: box.currentData() for group, box in self.boxes.items() if box.currentData() != LEAST}
        self._show(chart(board, year.counts, chosen, complete=year.complete))

    def _show(self, seen: Chart) -> None:
        self._chart = seen
        for shown in (self.map, self.legend, self.dates):
            shown.show_chart(self._chart)
        self._mark()
        self._point(self.map.place)

    def _offer(self, board: Board, further: Sequence[str]) -> None:
        """A choice for every further group, beyond the two that have rows and columns."""
        if list(further) != list(self.boxes):
            for box in self.boxes.values():
                self._choices.removeWidget(box)
                box.deleteLater()
            self.boxes = {group: self._box(group) for group in further}
        for group, box in self.boxes.items():
            texts = [tr("Hardest {group}", group=group), *(label.text for label in board.groups[group])]
            if texts != [box.itemText(row) for row in range(box.count())]:
                box.clear()
                for at, text in enumerate(texts, LEAST):
                    box.addItem(text, at)

    def _box(self, group: str) -> CalmComboBox:
        tip = tr("Show one {group}, or for each cell the {group} with the fewest solutions", group=group)
        box = CalmComboBox(group.capitalize(), tip)
        box.setFixedHeight(control_height())
        box.activated.connect(lambda _row: self._chose())
        self._choices.addWidget(box)
        return box

    def _chose(self) -> None:
        if self._known is not None:
            self._show_chart(self._known)
        self.extremes.setText(self._extremes())

    def _mark(self) -> None:
        """Frame the date that the board shows."""
        self.map.mark(self._chart.place_of(self.desk.date.date))

    # Actions

    def _point(self, place: Place | None) -> None:
        if place in self._chart.cells:
            self.reading.setText(f"{self.map.counts.date_text(place)}.")
            self.legend.pointed = int(self._chart.counts[place])
        else:
            self.reading.setText("" if self._known is None else self._invitation())
            self.legend.pointed = None

    def _invitation(self) -> str:
        return tr(
            "Point at a {date}. Click to select it, double-click to show its solutions on the board.",
            date=self._chart.noun.one,
        )

    def _choose(self, place: Place) -> None:
        if place in self._chart.cells:
            self.desk.date.choose(*self._chart.cells[place])

    def _open(self, place: Place) -> None:
        self._choose(place)
        self.desk.view_wanted.emit("board")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._chart))
        self.reading.setText(tr("Copied {dates}.", dates=self._chart.noun.many(len(self._chart.dates))))
