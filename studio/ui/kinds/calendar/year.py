"""The view of the year: a heat map of the solutions of all dates with its legend, and the hardest and easiest dates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QGuiApplication, QHelpEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget

from studio.base.amounts import at_least, many, share, thousands
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.model import Board, noun_of
from studio.puzzles.calendar.year import NO_CHART, Chart, Place, as_text, chart, extremes, free_groups, in_words
from studio.ui.kinds.calendar.heat_map import (
    FADED,
    HeatMap,
    colour,
    draw_easiest,
    draw_hardest,
    draw_nothing,
    ink,
    marks,
    scale_share,
)
from studio.ui.kinds.calendar.views import BaseCalendarExtension, CalendarPage, Counting, Known
from studio.ui.widgets.controls import CalmComboBox, control_height, hint_label, invitation, push_button
from studio.ui.widgets.layout import column, row, stack
from studio.ui.widgets.tables import CellLook, Column, SortedModel, sorted_table
from studio.ui.widgets.theme import GAP, MARGIN, Painted, current_theme, heading_font, hint_font

BARS = 28
BAR_HEIGHT, RAMP_HEIGHT, TEXT_HEIGHT = 40, 12, 18
TOP = 6
WIDEST = 520
SIGN = 14
SIGNS = ((tr("Hardest"), draw_hardest, 0.0), (tr("Easiest"), draw_easiest, 1.0))
NO_SOLUTION = {True: tr("No solution"), False: tr("None so far")}
"""The meaning of a cross in a complete year, and in an incomplete one."""
LEAST = -1
"""The data of the choice for all labels."""
INVITATION = tr("Solution counts appear here, hardest first.")


class Legend(QWidget):
    """Bars for the dates, the scale below them with round numbers, and the signs of the map."""

    pointed = Painted[int | None](None)
    """The pointed count on the scale."""
    is_faded = Painted(False)
    """True while the legend is pale."""

    def __init__(self) -> None:
        super().__init__()
        self._chart = NO_CHART
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Heat map legend"))

    def show_chart(self, chart: Chart) -> None:
        """Show the counts of a chart."""
        self._chart = chart
        if chart.dates:
            least, most = thousands(chart.least), many(chart.most, "solution")
            words = tr("Colours from {least} to {solutions}, on a logarithmic scale.", least=least, solutions=most)
            self.setAccessibleDescription(words)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(WIDEST, TOP + BAR_HEIGHT + RAMP_HEIGHT + TEXT_HEIGHT)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, self.sizeHint().height())

    @property
    def bounds(self) -> tuple[int, int]:
        """Fewest and most solutions among dates with any."""
        counts = self._chart.counts[self._chart.counts > 0]
        return (int(counts.min()), int(counts.max())) if len(counts) else (0, 0)

    def bars(self) -> Ints:
        """The number of dates (BARS,) in each part of the scale."""
        least, most = self.bounds
        counts = self._chart.counts[self._chart.counts > 0].tolist()
        places = [min(int(scale_share(count, least, most) * BARS), BARS - 1) for count in counts]
        return np.bincount(np.array(places, np.int64), minlength=BARS)

    # Painting

    def _ramp(self) -> QRectF:
        metrics = QFontMetricsF(hint_font(self.font()))
        key = (tr("Hardest"), tr("Easiest"), *NO_SOLUTION.values())
        width = self.width() - SIGN - 8 - max(map(metrics.horizontalAdvance, key)) - 2 * MARGIN
        return QRectF(0, TOP + BAR_HEIGHT, min(width, WIDEST), RAMP_HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._chart.dates:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(hint_font(self.font()))
        if self.bounds[1]:
            painter.setOpacity(FADED if self.is_faded else 1.0)
            self._draw_bars(painter)
            painter.setOpacity(1.0)
            ramp, (least, most) = self._ramp(), self.bounds
            taken: list[tuple[float, float]] = []
            metrics = QFontMetricsF(painter.font())
            for count in marks(least, most):
                x = ramp.left() + scale_share(count, least, most) * ramp.width()
                text = thousands(count)
                half = metrics.horizontalAdvance(text) / 2
                middle = min(max(x, ramp.left() + half), ramp.right() - half)
                if any(middle - half < right + 6 and left - 6 < middle + half for left, right in taken):
                    continue
                taken.append((middle - half, middle + half))
                painter.setPen(QPen(current_theme().quiet, 1))
                painter.drawLine(QPointF(x, ramp.bottom()), QPointF(x, ramp.bottom() + 3))
                area = QRectF(middle - half - 2, ramp.bottom() + 3, 2 * half + 4, TEXT_HEIGHT - 3)
                painter.drawText(area, Qt.AlignmentFlag.AlignCenter, text)
            if self.pointed:
                ramp, (least, most) = self._ramp(), self.bounds
                tip = QPointF(ramp.left() + scale_share(self.pointed, least, most) * ramp.width(), ramp.top() + 1)
                painter.setPen(QPen(current_theme().board, 1))
                painter.setBrush(current_theme().text)
                painter.drawPolygon(QPolygonF([tip, tip + QPointF(-5, -8), tip + QPointF(5, -8)]))
        self._draw_key(painter)

    def _draw_bars(self, painter: QPainter) -> None:
        ramp, bars = self._ramp(), self.bars()
        wide, tallest = ramp.width() / BARS, max(int(bars.max()), 1)
        for number, count in enumerate(bars.tolist()):
            ground = colour((number + 0.5) / BARS)
            left = ramp.left() + number * wide
            painter.fillRect(QRectF(left, ramp.top(), wide + 0.5, ramp.height()), ground)
            if count:
                height = max(2.0, (BAR_HEIGHT - 3) * count / tallest)
                bar = QRectF(left + 0.5, ramp.top() - 2 - height, wide - 1, height)
                painter.fillRect(bar, ground)
                painter.setPen(QPen(current_theme().board_edge, 0.7))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRect(bar)

    def _draw_key(self, painter: QPainter) -> None:
        left = self._ramp().right() + 2 * MARGIN
        top = float(TOP)
        for (words, draw, at), places in zip(SIGNS, (self._chart.hardest, self._chart.easiest), strict=True):
            if not places:
                continue
            area = QRectF(left, top + 2, SIGN, SIGN)
            ground = colour(at)
            painter.fillRect(area, ground)
            draw(painter, area, ink(ground))
            self._key_words(painter, area, words)
            top += SIGN + 8
        if (self._chart.counts == 0).any():
            area = QRectF(left, top + 2, SIGN, SIGN)
            draw_nothing(painter, area, any_solved=bool(self._chart.most))
            self._key_words(painter, area, NO_SOLUTION[self._chart.is_complete])

    def _key_words(self, painter: QPainter, sign: QRectF, words: str) -> None:
        painter.setPen(current_theme().quiet)
        side = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(QRectF(sign.right() + 8, sign.top() - 2, 160, SIGN + 4), side, words)

    # Tooltips

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            QToolTip.showText(event.globalPos(), self._words_at(QPointF(event.pos())), self)
            return True
        return super().event(event)

    def _words_at(self, place: QPointF) -> str:
        """Number of dates in the bar at a place; empty off the bars."""
        ramp = self._ramp()
        least, most = self.bounds
        if not most or not ramp.left() <= place.x() < ramp.right():
            return ""
        number = int((place.x() - ramp.left()) / ramp.width() * BARS)
        low, high = (least * (most / least) ** (at / BARS) for at in (number, number + 1))
        first, last = math.ceil(low - 1e-9), most if number == BARS - 1 else math.ceil(high - 1e-9) - 1
        dates = self._chart.noun.many(int(self.bars()[number]))
        if last < first:
            return ""
        between = (
            many(first, "solution")
            if first == last
            else tr("{least} to {solutions}", least=thousands(first), solutions=many(last, "solution"))
        )
        return tr("{dates} with {solutions}", dates=dates, solutions=between)


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
        dates = noun_of(year.groups).many(int((year.counts >= 0).sum()))
        solutions = at_least(many(year.total, "solution"), exact=year.complete)
        return tr("{dates}, {solutions} in total", dates=dates, solutions=solutions)

    def _extremes(self) -> str:
        year = self.counting.answer
        if self._known is None:
            return ""
        if year is None:
            return tr("The pale numbers are from before your last change.")
        words, area, room = extremes(self._chart), self.design.area, self.design.layout.covered
        if area == room:
            return words
        squares, needed = many(area, "square"), thousands(room)
        misfit = tr("The pieces cover {squares}, but {needed} are needed.", squares=squares, needed=needed)
        return " ".join(filter(None, (words, misfit)))

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
            self.boxes = {}
            for group in further:
                tip = tr("Show one {group}, or for each cell the {group} with the fewest solutions", group=group)
                box = self.boxes[group] = CalmComboBox(group.capitalize(), tip)
                box.setFixedHeight(control_height())
                box.activated.connect(lambda _row: self._chose())
                self._choices.addWidget(box)
        for group, box in self.boxes.items():
            texts = [tr("Hardest {group}", group=group), *(label.text for label in board.groups[group])]
            if texts != [box.itemText(row) for row in range(box.count())]:
                box.clear()
                for at, text in enumerate(texts, LEAST):
                    box.addItem(text, at)

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
            words = tr(
                "Point at a {date}. Click to select it, double-click to show its solutions on the board.",
                date=self._chart.noun.one,
            )
            self.reading.setText("" if self._known is None else words)
            self.legend.pointed = None

    def _choose(self, place: Place) -> None:
        if place in self._chart.cells:
            self.desk.date.choose(*self._chart.cells[place])

    def _open(self, place: Place) -> None:
        self._choose(place)
        self.desk.view_wanted.emit("board")

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(as_text(self._chart))
        self.reading.setText(tr("Copied {dates}.", dates=self._chart.noun.many(len(self._chart.dates))))
