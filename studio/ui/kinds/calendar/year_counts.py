"""Keeps the counts of all dates in step with the design while they are shown, off the GUI thread.

The newest edit is counted; counting an earlier one is cancelled. The counts before stay in sight until the new ones
come.
"""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QObject

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar import known_years
from studio.puzzles.calendar.model import Board, CalendarDesign
from studio.puzzles.calendar.year import Year, question, year
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs
from studio.ui.session.throttle import Pace

COUNTING = "calendar year"
KEEPING = "calendar year kept"
MOST_REMEMBERED = 16
"""Years kept in memory, so that undo and redo show theirs at once."""


class Asked(NamedTuple):
    """The design whose year is wanted, and whether it has settled; only settled ones are saved."""

    design: CalendarDesign
    has_settled: bool


class Known(NamedTuple):
    """A year, and the board that it is of."""

    year: Year
    board: Board


class Counting(Derived[Asked, Year]):
    """The year of the design that was shown last, from memory, from disk, or counted while it is shown."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(
            jobs, COUNTING, _counted, key=lambda asked: question(asked.design), remembered=MOST_REMEMBERED,
            watched=False, parent=parent,
        )  # fmt: skip
        self._keeping = Derived(
            jobs, KEEPING, _kept, key=lambda each: each[1].question, remembered=MOST_REMEMBERED, parent=self
        )
        self._soon = Pace(self._go_on, self)
        self.known: Known | None = None
        """The counts that were known last."""
        self.changed.connect(self._learn)

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design; it is counted if its counts are shown and not known."""
        before = self.answer
        self.ask(Asked(design, settled), settled=False)
        if before is not None and self.answer is before:
            # Names, colours and lengths may be others; the labels are to be shown with the words they have now.
            self.changed.emit()
        else:
            self._soon.follow(settled=settled)

    def stop(self) -> None:
        """Stop counting until it is started again or the design changes."""
        self.cancel(tr("Counting stopped."))

    def _recall(self, asked: Asked) -> Year | None:
        return super()._recall(asked) or known_years.remembered(asked.design)

    def _go_on(self) -> None:
        self.ask(self.question)

    def _learn(self) -> None:
        if self.question is not None and self.answer is not None:
            self.known = Known(self.answer, self.question.design.layout)
            if self.question.has_settled:
                self._keeping.ask((self.question.design, self.answer))


def _counted(asked: Asked, progress: Progress) -> Year:
    # One that was given up before a thread was free ends here.
    progress.step(0.0)
    count = known_years.year_of if asked.has_settled else year
    return count(asked.design, progress)


def _kept(counted: tuple[CalendarDesign, Year], _progress: Progress) -> bool:
    """Keep a year on disk, unless it is there."""
    design, found = counted
    if known_years.remembered(design) is None:
        known_years.remember(design, found)
    return True
