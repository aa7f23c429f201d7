"""The views of a calendar puzzle: their shared context, and their interface to the window.

A new view is a Page in a module of its own, and a line in PAGES of extension.py.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar import questions
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import Board, CalendarDesign
from studio.puzzles.calendar.year import Year, question, year
from studio.ui.canvas.view import CanvasView, Tool
from studio.ui.kinds.calendar.answers import Answers
from studio.ui.kinds.calendar.dates import ChosenDate
from studio.ui.kinds.calendar.scene import CalendarSelection
from studio.ui.session.commands import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import Extension
from studio.ui.session.jobs import Jobs, Throttle
from studio.ui.session.session import Session

# Keeps the counts of all dates in step with the design while they are shown, off the GUI thread.
# The newest edit is counted; counting an earlier one is cancelled. The counts before stay in sight until the new ones
# come.


COUNTING = "calendar year"
KEEPING = "calendar year kept"
MOST_REMEMBERED = 16
"""Years kept in memory, so that undo and redo show theirs at once."""


class YearRequest(NamedTuple):
    """A design whose year is to be counted; only counts of settled designs are saved."""

    design: CalendarDesign
    has_settled: bool


class Known(NamedTuple):
    """A year, and the board that it is of."""

    year: Year
    board: Board


class Counting(Derived[YearRequest, Year]):
    """The year of the last design shown, from memory, from disk, or counted while it is in sight."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(
            jobs, COUNTING, _counted, key=lambda asked: question(asked.design), remembered=MOST_REMEMBERED,
            watched=False, parent=parent,
        )  # fmt: skip
        self._keeping = Derived(
            jobs, KEEPING, _kept, key=lambda each: each[1].question, remembered=MOST_REMEMBERED, parent=self
        )
        self._soon = Throttle(self._go_on, self)
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

    def _go_on(self) -> None:
        self.ask(self.question)

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

    def chosen(self) -> None:
        """The page comes in sight."""

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
