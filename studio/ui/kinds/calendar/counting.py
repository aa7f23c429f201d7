"""Keeps the counts of all dates in step with the design while somebody looks at them, off the GUI thread.

The newest edit is counted; one that came before is given up. The counts before stay in sight until the new ones come,
and help to find them: what an edit left alone need not be counted again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from studio.errors import StudioError
from studio.progress import Progress
from studio.puzzles.calendar import known
from studio.puzzles.calendar.model import Board, CalendarDesign
from studio.puzzles.calendar.year import Year, question, year
from studio.ui.session.jobs import Jobs
from studio.ui.session.pace import Pace

Count = Callable[[CalendarDesign, Progress, Year | None], Year]

COUNTING = "calendar year"
KEEPING = "calendar year kept"
MOST_REMEMBERED = 16
"""Years kept in memory, so that undo and redo show theirs at once."""


class Counting(QObject):
    """The year of the design that was shown last, or the last one known."""

    changed = Signal()
    """Other counts, or they are under way, or they will not come."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._design: CalendarDesign | None = None
        self._key = ""
        self._known: OrderedDict[str, Year] = OrderedDict()
        self._kept: set[str] = set()
        self._has_settled = False
        self._watchers: set[object] = set()
        self._soon = Pace(self._begin, self)
        self.year: Year | None = None
        """The counts that were known last."""
        self.board: Board | None = None
        """The board that they are of."""
        self.is_current = False
        """Whether they are those of the design as it is."""
        self.nodes = 0
        """Steps of search since the window was opened."""
        self.share = 0.0
        self.problem = ""

    @property
    def is_busy(self) -> bool:
        """Whether counts are under way."""
        return self._jobs.is_busy(COUNTING)

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design; its counts are sought if they are not known and somebody watches."""
        key = question(design)
        alike, self._key, self._design, self._has_settled = key == self._key, key, design, settled
        if alike and (self.is_current or self.is_busy):
            # Names, colours and lengths may be others; the labels are to be shown with the words they have now.
            if self.is_current:
                self._learn(key, design, self._known[key])
            return
        self._jobs.cancel(COUNTING)
        self.is_current, self.problem, self.share = False, "", 0.0
        found = self._known.get(key)
        if found is None:
            found = known.remembered(design)
            if found is not None:
                self._kept.add(key)
        if found is not None:
            self._learn(key, design, found)
            return
        if self._watchers:
            (self._soon.now if settled else self._soon.ask)()
        self.changed.emit()

    def watch(self, who: object, *, watches: bool) -> None:
        """Note who looks at the counts; they are sought only while somebody does."""
        (self._watchers.add if watches else self._watchers.discard)(who)
        if watches and not self.is_current and not self.is_busy and not self.problem:
            self._begin()
            self.changed.emit()

    def cancel(self) -> None:
        """Give up counting until it is wanted again or the design changes."""
        self._jobs.cancel(COUNTING)
        self.problem = "Counting was stopped."
        self.changed.emit()

    def again(self) -> None:
        """Count after all."""
        self.problem = ""
        self._begin()
        self.changed.emit()

    def _begin(self) -> None:
        design, key = self._design, self._key
        if design is None or self.is_current or self.problem:
            return
        self._jobs.start(
            COUNTING,
            partial(_count, known.year_of if self._has_settled else year, design, self.year),
            done=partial(self._done, key, design, settled=self._has_settled),
            failed=self._fail,
            told=self._tell,
        )

    def _tell(self, fraction: float, _note: str) -> None:
        self.share = fraction
        self.changed.emit()

    def _done(self, key: str, design: CalendarDesign, found: Year, *, settled: bool) -> None:
        self.nodes += found.nodes
        if settled:
            self._kept.add(key)
        self._learn(key, design, found)

    def _learn(self, key: str, design: CalendarDesign, found: Year) -> None:
        self._known[key] = found
        self._known.move_to_end(key)
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        self.year, self.board, self.is_current = found, design.layout, True
        if self._has_settled and key not in self._kept:
            # What was only passed through under the hand is not worth a file.
            self._kept.add(key)
            self._jobs.start(
                KEEPING, lambda _progress: known.remember(design, found), done=lambda _: None, failed=self._fail
            )
        self.changed.emit()

    def _fail(self, problem: StudioError) -> None:
        self.problem = str(problem)
        self.changed.emit()


def _count(count: Count, design: CalendarDesign, before: Year | None, progress: Progress) -> Year:
    # One that was given up before a thread was free ends here.
    progress.step(0.0)
    return count(design, progress, before)
