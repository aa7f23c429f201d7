"""The shared part of a calendar puzzle's views: date, solutions, counts of the year, and interface to the window.

The date is one label of every group, at first today's, chosen in a bar. All solutions of the date are computed off the
GUI thread; those of the last dates are remembered.

A new view is a Page in a module of its own, and a line in PAGES of extension.py.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLabel, QToolButton, QWidget

from studio.base.amounts import at_least, many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar import questions
from studio.puzzles.calendar.geometry import CalendarShapes
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
from studio.puzzles.calendar.solve import Solutions, solutions, twins
from studio.puzzles.calendar.year import Year, question, year
from studio.ui.canvas.view import CanvasView, Tool
from studio.ui.kinds.calendar.scene import CalendarSelection
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension
from studio.ui.session.jobs import Jobs, Throttle
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, control_height
from studio.ui.widgets.layout import row

SOLVING, TWINNING = tr("calendar solutions"), tr("calendar twins")
PATIENCE_MS = 200
"""A search longer than this shows its progress."""
REMEMBERED_DATES = 24
MOST_SOLUTIONS = 100_000
"""Most solutions listed; beyond, the count is shown as `at least`."""
COUNTING = "calendar year"
KEEPING = "calendar year kept"
REMEMBERED_YEARS = 16
"""Years kept in memory, so that undo and redo show theirs at once."""


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
        for group, box in self.boxes.items():
            labels = self._chosen.choices(group)
            if [box.itemData(row) for row in range(box.count())] != list(labels):
                box.clear()
                for label in labels:
                    box.addItem(label.text, label)
            box.setCurrentIndex(labels.index(self._chosen.labels[group]))
        self.today.setVisible(any(group in SPOKEN for group in groups))
        self._empty.setVisible(not groups)


class OpenPuzzle(NamedTuple):
    """A puzzle and its uncovered cells."""

    design: CalendarDesign
    open_cells: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Answer:
    """The solutions of a date, and their board."""

    board: Board
    solutions: Solutions

    def __len__(self) -> int:
        return len(self.solutions.found)

    def lying(self, number: int) -> dict[int, int]:
        """One solution as the placement of every piece, by the piece's number."""
        row = self.solutions.found[number]
        placed: dict[int, int] = {}
        for cell, piece in enumerate(row.tolist()):
            if piece >= 0:
                placed[piece] = placed.get(piece, 0) | 1 << cell
        return placed

    def difference(self, number: int) -> int | None:
        """The first cell in reading order in which a solution differs from the one before it."""
        if not 0 < number < len(self):
            return None
        differs = np.flatnonzero(self.solutions.found[number] != self.solutions.found[number - 1])
        return int(differs[0]) if len(differs) else None


def solved(puzzle: OpenPuzzle, progress: Progress) -> Answer:
    """All solutions of a puzzle."""
    found = solutions(puzzle.design, puzzle.open_cells, progress, most=MOST_SOLUTIONS)
    return Answer(puzzle.design.layout, found)


def solutions_key(puzzle: OpenPuzzle) -> Hashable:
    """All that the solutions depend on."""
    design, open_cells = puzzle
    rows = tuple(piece.rows for piece in design.set)
    return design.layout.rows, rows, design.parameters.reflections, open_cells


class Answers(Derived[OpenPuzzle, Answer]):
    """Keeps the answer in step with the design and the date."""

    reworded = Signal()
    """The answer is the same, but a text of the date's labels has changed."""

    def __init__(self, jobs: Jobs, design: CalendarDesign, date: ChosenDate, parent: QObject | None = None) -> None:
        super().__init__(
            jobs, SOLVING, solved, key=solutions_key, patience=PATIENCE_MS, remembered=REMEMBERED_DATES,
            parent=parent,
        )  # fmt: skip
        self._design, self._date = design, date
        # For each solution its first twin, or itself; computed later, as it can take longer.
        self.twins = Derived[Answer, Ints](
            jobs, TWINNING, lambda answer, progress: twins(answer.board, answer.solutions.found, progress),
            patience=PATIENCE_MS, remembered=REMEMBERED_DATES, watched=False, parent=self,
        )  # fmt: skip
        self.changed.connect(self._pair)
        date.changed.connect(self.follow)

    def show_design(self, design: CalendarDesign) -> None:
        """Take another design."""
        self._design = design
        self.follow()

    def follow(self) -> None:
        """Solve the date, unless its solutions are known."""
        before, design = self.answer, self._design
        if self._date.is_of(design):
            self.ask(OpenPuzzle(design, self._date.open_cells))
            if before is not None and self.answer is before:
                self.reworded.emit()

    def twin(self, number: int) -> int:
        """Number of the first twin of a solution; its own number without an earlier twin, or until twins are known."""
        known = self.twins.answer
        return number if known is None or number >= len(known) else int(known[number])

    def give_up(self) -> None:
        """Cancel the search for the date."""
        self.cancel(tr("Search cancelled."))

    @property
    def progress_text(self) -> str:
        """Solutions found, search progress or problem, in words."""
        when = self._date.date_text
        if self.problem:
            return self.problem
        if not self._date.exists:
            return tr("{date} does not exist.", date=when)
        if self.answer is None:
            return tr("Solving {date}… {progress}", date=when, progress=self.note).rstrip() if self.is_waiting else ""
        count, found = len(self.answer), self.answer.solutions
        known = {"date": when, "nodes": many(found.nodes, "search node"), "solutions": many(count, "solution")}
        if not found.complete and not count:
            return tr(
                "No solution found for {date} before the search stopped after {nodes}; there may be some.", **known
            )
        if not found.complete:
            return tr("At least {solutions} for {date}; the search stopped after {nodes}.", **known)
        if not count and self.question is not None:
            design, open_cells = self.question
            room = len(design.layout.names) - len(open_cells)
            if design.area != room:
                squares, cells = many(design.area, "square"), many(room, "cell")
                words = tr("the pieces have {squares} for {cells}.", squares=squares, cells=cells)
                return tr("No solution for {date}: {reason}", date=when, reason=words)
        if not count:
            return tr("No solution for {date} (exhaustive search, {nodes}).", **known)
        return tr("{solutions} for {date} ({nodes}).", **known)

    @property
    def count(self) -> str:
        """Number of solutions, with `at least` if the search is incomplete."""
        if self.answer is None:
            return ""
        return at_least(thousands(len(self.answer)), exact=self.answer.solutions.complete)

    def _pair(self) -> None:
        answer = self.answer
        self.twins.ask(answer if answer is not None and len(answer) > 1 else None)


class YearRequest(NamedTuple):
    """A design whose year is to be counted; only counts of settled designs are saved."""

    design: CalendarDesign
    has_settled: bool


class Known(NamedTuple):
    """A year, and the board that it is of."""

    year: Year
    board: Board


class Counting(Derived[YearRequest, Year]):
    """The year of the last design shown, from memory, from disk, or counted off the GUI thread while it is in sight.

    The newest edit is counted; the counts before it stay in sight until its own are known.
    """

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(
            jobs, COUNTING, _counted, key=lambda asked: question(asked.design), remembered=REMEMBERED_YEARS,
            watched=False, parent=parent,
        )  # fmt: skip
        self._keeping = Derived(
            jobs, KEEPING, _kept, key=lambda each: each[1].question, remembered=REMEMBERED_YEARS, parent=self
        )
        self._soon = Throttle(lambda: self.ask(self.question), self)
        self.known: Known | None = None
        """The counts that were known last."""
        self.changed.connect(self._learn)

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design; it is counted if its counts are shown and not known."""
        before = self.answer
        self.ask(YearRequest(design, settled), settled=False)
        if before is not None and self.answer is before:
            # Names, colours and lengths may have changed; labels must be shown with their present words.
            self.changed.emit()
        else:
            self._soon.follow(settled=settled)

    def stop(self) -> None:
        """Stop counting until it is started again or the design changes."""
        self.cancel(tr("Counting stopped."))

    def _recall(self, asked: YearRequest) -> Year | None:
        return super()._recall(asked) or questions.remembered(asked.design)

    def _learn(self) -> None:
        if self.question is not None and self.answer is not None:
            self.known = Known(self.answer, self.question.design.layout)
            if self.question.has_settled:
                self._keeping.ask((self.question.design, self.answer))


def _counted(asked: YearRequest, progress: Progress) -> Year:
    # A count cancelled before a thread was free ends here.
    progress.step(0.0)
    count = questions.year_of if asked.has_settled else year
    return count(asked.design, progress)


def _kept(counted: tuple[CalendarDesign, Year], _progress: Progress) -> bool:
    """Keep a year on disk, unless it is there."""
    design, found = counted
    if questions.remembered(design) is None:
        questions.remember(design, found)
    return True


class BaseCalendarExtension(Extension[CalendarShapes]):
    """The calendar's extension as its views know it: the date, its solutions, the counts of all, and the selection."""

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.selection = CalendarSelection(self)
        self.date = ChosenDate(self.design.layout, self, year=self.design.year)
        self.answers = Answers(session.jobs, self.design, self.date, self)
        self.counting = Counting(session.jobs, self)
        self.games = session.need_games()
        self.refuse = self.refused.emit

    @property
    def design(self) -> CalendarDesign:
        """The design as it is."""
        design: CalendarDesign = self.session.document.design
        return design


def is_same_puzzle(one: CalendarDesign, other: CalendarDesign) -> bool:
    """True if two designs have the same solutions: texts, names, colours and lengths do not count."""
    flips = one.parameters.reflections == other.parameters.reflections
    rows = [piece.rows for piece in one.set] == [piece.rows for piece in other.set]
    return flips and rows and one.layout.rows == other.layout.rows


class CalendarPage(QWidget):
    """One view in the middle of the window; it follows designs also while another view is in sight."""

    reworded = Signal()
    """Its text for the status bar has changed."""
    name = ""
    title = ""
    hint = ""
    """Help for the view, shown in the inspector while nothing is selected."""
    piece_hint = tr("In Play, drag it onto the board; R rotates it, F flips it, double-click removes it.")
    cell_hint = tr("Click a labelled cell to leave it uncovered.")
    """Help for the selected piece or cell."""
    edits = False
    """True if the view edits designs; until they settle, it alone follows them."""
    plays = False
    """True if the page has something to play."""
    marks = False
    """True if it marks the cells of findings."""

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__()
        self.desk = desk
        self.commands: list[Command] = []
        self.tables: list[tuple[str, QWidget]] = []

    @property
    def design(self) -> CalendarDesign:
        """The design as it is."""
        return self.desk.design

    @property
    def status_text(self) -> str:
        """The text for the status bar while the page is visible; empty to show the selection."""
        return ""

    def possible(self) -> dict[str, bool]:
        """Availability of its commands by name; unnamed commands are available."""
        return {}

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design; an unsettled design is still being edited."""

    def mark(self, names: Sequence[str]) -> None:
        """Mark only the cells of a finding; only if `marks` is set."""

    def choose_cell(self, name: str) -> None:
        """Select the label of a cell, or show the reason why it cannot be selected."""
        label = self.desk.date.board.on.get(name)
        if label is not None and (refusal := self.desk.date.refusal(label)):
            self.desk.refuse(refusal)
        elif label is not None:
            self.desk.date.choose(label)

    def pause(self) -> None:
        """Pause the page's player."""

    def finish(self) -> None:
        """Wait for all work in the background; for pictures."""
        self.desk.session.jobs.finish()

    def seek(self, share: float) -> None:
        """Play up to a share of the whole, for pictures; only if `plays` is set."""

    def fit(self) -> None:
        """Show all of it."""

    def zoom_by(self, factor: float) -> None:
        """Come nearer or go away."""


class CanvasPage(CalendarPage):
    """A page with a zoomable board and a tool for the mouse."""

    view: CanvasView
    tool: Tool

    def fit(self) -> None:
        """Show the whole board."""
        self.view.fit()

    def zoom_by(self, factor: float) -> None:
        """Come nearer or go away."""
        self.view.zoom_by(factor)
