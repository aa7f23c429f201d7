"""All solutions of the moment, worked out off the GUI thread; those of the last moments are remembered."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QTimer, Signal

from studio.amounts import many, thousands
from studio.errors import StudioError
from studio.geometry.curves import Ints
from studio.progress import Progress
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.solve import Solutions, solutions, twins
from studio.ui.kinds.calendar.moment import ChosenMoment
from studio.ui.session.jobs import Jobs

SOLVING, TWINNING = "calendar solutions", "calendar twins"
PATIENCE_MS = 200
"""An answer that takes longer than this is waited for with words."""
MOST_REMEMBERED = 24
MOST_SOLUTIONS = 100_000
"""More than anybody would look through; the count is then told as `at least`."""


@dataclass(frozen=True, eq=False)
class Answer:
    """The solutions of a moment, and for each the first that it is a twin of, or itself; None while not known.

    `rows` are those of the board that they lie on.
    """

    rows: tuple[str, ...]
    solutions: Solutions
    twins: Ints | None = None

    def __len__(self) -> int:
        return len(self.solutions.found)

    def lying(self, number: int) -> dict[int, int]:
        """One solution as a placement for every piece that lies, by the piece's number."""
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


def work(design: CalendarDesign, open_cells: tuple[str, ...], progress: Progress) -> Answer:
    """Find all solutions; their twins are looked for later, as that can take longer."""
    return Answer(design.layout.rows, solutions(design, open_cells, progress, most=MOST_SOLUTIONS))


class Answers(QObject):
    """Keeps the answer in step with the design and the moment."""

    changed = Signal()
    """Another answer, or it is waited for, or it will not come."""
    reworded = Signal()
    """The answer is the same, but a label of the moment has another text."""
    twinned = Signal()
    """The twins among the solutions are known."""

    def __init__(self, jobs: Jobs, moment: ChosenMoment, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs, self._moment = jobs, moment
        self._design: CalendarDesign | None = None
        self._known: OrderedDict[Any, Answer] = OrderedDict()
        self._key: Any = None
        self.answer: Answer | None = None
        self.is_waiting = False
        """Whether it takes so long that it should be told."""
        self.problem = ""
        self.note, self.share = "", 0.0
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self._wait)
        moment.changed.connect(self.ask)

    def show_design(self, design: CalendarDesign) -> None:
        """Take another design."""
        self._design = design
        self.ask()

    def ask(self) -> None:
        """Have the moment solved, unless it is known."""
        design, open_cells = self._design, self._moment.open_cells
        if design is None or self._moment.board != design.layout:
            return
        key = design.layout.rows, tuple(piece.rows for piece in design.set), design.parameters.reflections, open_cells
        if key == self._key and not self.problem:
            if self.answer is not None:
                self.reworded.emit()
            return
        self._key, self.problem = key, ""
        self._jobs.cancel(TWINNING)
        if key in self._known:
            self._jobs.cancel(SOLVING)
            self._learn(key, self._known[key])
            return
        self.note, self.share, self.answer = "", 0.0, None
        if not self.is_waiting:
            self._patience.start()
        self._jobs.start(
            SOLVING,
            lambda progress: work(design, open_cells, progress),
            done=lambda answer: self._learn(key, answer),
            failed=self._fail,
            told=self._tell,
        )

    def cancel(self) -> None:
        """Give up; the moment stays without an answer until it is asked for again."""
        self._jobs.cancel(SOLVING)
        self._end("The search was given up.")

    def finish(self) -> None:
        """Solve here and now; for pictures."""
        if self._design is not None and self._jobs.is_busy(SOLVING):
            self._jobs.cancel(SOLVING)
            self._learn(self._key, work(self._design, self._moment.open_cells, Progress()))

    @property
    def words(self) -> str:
        """What is known, in words."""
        when = self._moment.words
        if self.problem:
            return self.problem
        if not self._moment.is_date:
            return f"{when} is no date."
        if self.answer is None:
            return f"Solving {when} … {self.note}".rstrip() if self.is_waiting else ""
        count, steps = len(self.answer), f"{many(self.answer.solutions.nodes, 'step')} of search"
        if not self.answer.solutions.complete:
            return f"At least {many(count, 'solution')} for {when}; the search stopped after {steps}."
        if not count and (words := self._misfit()):
            return f"No solution for {when}: {words}"
        if not count:
            return f"No solution for {when}: all ways were tried, in {steps}."
        return f"{many(count, 'solution')} for {when}, found in {steps}."

    @property
    def count(self) -> str:
        """How many solutions there are, `at least` where more may be."""
        if self.answer is None:
            return ""
        return ("" if self.answer.solutions.complete else "at least ") + thousands(len(self.answer))

    def _misfit(self) -> str:
        """Why there can be no solution, where that is plain to see."""
        assert self._design is not None
        area = sum(piece.area for piece in self._design.set)
        room = len(self._design.layout.names) - len(self._moment.open_cells)
        if area == room:
            return ""
        return f"the pieces have {many(area, 'square')} for {many(room, 'cell')}."

    def _wait(self) -> None:
        self.is_waiting, self.answer = True, None
        self.changed.emit()

    def _tell(self, fraction: float, note: str) -> None:
        self.share, self.note = fraction, note
        if self.is_waiting:
            self.changed.emit()

    def _learn(self, key: Any, answer: Answer) -> None:
        self._known[key] = answer
        self._known.move_to_end(key)
        if len(self._known) > MOST_REMEMBERED:
            self._known.popitem(last=False)
        self.answer = answer
        self._patience.stop()
        self.is_waiting = False
        self.changed.emit()
        board, found = self._moment.board, answer.solutions.found
        if answer.twins is None and board is not None and len(found) > 1:
            self._jobs.start(
                TWINNING,
                lambda progress: twins(board, found, progress),
                done=lambda known: self._twin(key, answer, known),
                failed=_unheard,
            )

    def _twin(self, key: Any, answer: Answer, known: Ints) -> None:
        self._known[key] = self.answer = replace(answer, twins=known)
        self.twinned.emit()

    def _fail(self, problem: StudioError) -> None:
        self._end(str(problem))

    def _end(self, words: str) -> None:
        self._patience.stop()
        self.is_waiting, self.answer, self.problem = False, None, words
        self.changed.emit()


def _unheard(_problem: StudioError) -> None:
    """Looking for twins refuses nothing."""
