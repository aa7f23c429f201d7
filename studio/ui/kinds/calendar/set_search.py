"""The search for sets as the window runs it: in a thread, with each set as soon as it is verified."""

from __future__ import annotations

from collections import deque
from functools import partial

from PySide6.QtCore import QObject, Signal

from studio.base.amounts import many, thousands
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar.dates import noun_of
from studio.puzzles.calendar.model import Board
from studio.puzzles.calendar.sets import Found, Request, how_many, search
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs

SEARCHING = "calendar search"
COUNTING_SETS = "calendar sets"


class Hunt(QObject):
    """Conditions, the number of sets they allow, and the sets found to solve every date."""

    changed = Signal()
    """More sets were checked, or the conditions changed."""
    found_more = Signal()
    """There are more sets than before, or none again."""

    def __init__(self, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._sets = Derived(jobs, COUNTING_SETS, _counted, parent=self)
        self._sets.changed.connect(self.changed)
        self.tried = 0
        self.found: list[Found] = []
        self._problem = ""

    @property
    def request(self) -> Request | None:
        """What is asked for."""
        return None if self._sets.question is None else self._sets.question[1]

    @property
    def count(self) -> int | None:
        """How many sets there are to look at; None while that is being counted."""
        return self._sets.answer

    @property
    def is_busy(self) -> bool:
        """Whether it searches."""
        return self._jobs.is_busy(SEARCHING)

    @property
    def is_done(self) -> bool:
        """Whether every set was checked."""
        return self.count is not None and 0 < self.count <= self.tried

    def ask(self, board: Board, request: Request) -> None:
        """Use another board or other conditions; a running search ends, and its sets go."""
        if (board, request) == self._sets.question:
            return
        had = bool(self.found)
        self._jobs.cancel(SEARCHING)
        self.tried, self.found, self._problem = 0, [], ""
        self._sets.ask((board, request))
        if had:
            self.found_more.emit()

    def start(self) -> None:
        """Search, or go on where it was stopped."""
        asked = self._sets.question
        if asked is None or self.is_busy or not self.count or self.is_done:
            return
        self._problem = ""
        fresh: deque[Found] = deque()
        self._jobs.start(
            SEARCHING,
            partial(_search, *asked, self.tried, fresh),
            done=lambda _nothing: self._end(fresh),
            failed=self._fail,
            progressed=lambda fraction, _note: self._report(fresh, fraction),
        )
        self.changed.emit()

    def stop(self) -> None:
        """Stop and keep the sets found so far."""
        self._jobs.cancel(SEARCHING)
        self.changed.emit()

    @property
    def words(self) -> str:
        """How far it is: `312 of 792 sets checked, 14 solve every date`."""
        if self._problem or self._sets.problem:
            return self._problem or self._sets.problem
        if self._sets.question is None or self.count is None:
            return tr("Counting sets…")
        board, request = self._sets.question
        area = len(board.names) - len(board.groups)
        if not self.count:
            return _impossible(board, request, area)
        values = {
            "sets": many(self.count, "set"),
            "tried": thousands(self.tried),
            "found": thousands(len(self.found)),
            "date": noun_of(board.groups).one,
        }
        if self.is_done:
            return (
                tr("{sets} checked; {found} can solve every {date}.", **values)
                if self.found
                else tr("{sets} checked; none can solve every {date}.", **values)
            )
        if not self.tried and not self.is_busy:
            return tr("{sets} to check, each of {area} squares.", area=thousands(area), **values)
        if self.is_busy:
            return tr("{tried} of {sets} checked; {found} can solve every {date}", **values)
        return tr("{tried} of {sets} checked; {found} can solve every {date}; stopped.", **values)

    def _report(self, fresh: deque[Found], fraction: float) -> None:
        if self.count:
            # The share within a set does not count: a continued search checks that set again.
            self.tried = max(self.tried, int(fraction * self.count + 1e-6))
        self._drain(fresh)
        self.changed.emit()

    def _end(self, fresh: deque[Found]) -> None:
        self.tried = self.count or 0
        self._drain(fresh)
        self.changed.emit()

    def _drain(self, fresh: deque[Found]) -> None:
        had = len(self.found)
        while fresh:
            one = fresh.popleft()
            self.found.append(one)
            self.tried = max(self.tried, one.number)
        if len(self.found) > had:
            self.found_more.emit()

    def _fail(self, problem: StudioError) -> None:
        self._problem = str(problem)
        self.changed.emit()


def _counted(asked: tuple[Board, Request], progress: Progress) -> int:
    progress.step(0.0)
    board, request = asked
    return how_many(board, request) if board.groups else 0


def _impossible(board: Board, request: Request, area: int) -> str:
    """Why no set covers `area` squares, in a sentence."""
    if not board.groups:
        return tr("The board has no labels, so there is nothing to solve.")
    must = sum(piece.area for piece in request.must)
    if must > area:
        return tr(
            "The required pieces have {required} squares, more than the {area} to cover.",
            required=thousands(must),
            area=thousands(area),
        )
    if not request.candidates and must < area:
        return tr("Choose the allowed sizes: {squares} are left to cover.", squares=many(area - must, "square"))
    return tr(
        "No set of these pieces covers exactly {area} squares; allow more sizes, other pieces or more of each shape.",
        area=thousands(area),
    )


def _search(board: Board, request: Request, begin: int, fresh: deque[Found], progress: Progress) -> None:
    """Check set after set, and put those found into `fresh`, which two threads may use at once."""
    for one in search(board, request, progress, begin=begin):
        fresh.append(one)
