"""All solutions of the date, computed off the GUI thread; solutions of the last dates are remembered."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QObject, Signal

from studio.base.amounts import at_least, many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.model import Board, CalendarDesign
from studio.puzzles.calendar.solve import Solutions, solutions, twins
from studio.ui.kinds.calendar.dates import ChosenDate
from studio.ui.session.derived import Derived
from studio.ui.session.jobs import Jobs

SOLVING, TWINNING = tr("calendar solutions"), tr("calendar twins")
PATIENCE_MS = 200
"""A search longer than this shows its progress."""
MOST_REMEMBERED = 24
MOST_SOLUTIONS = 100_000
"""Most solutions listed; beyond, the count is shown as `at least`."""


class OpenPuzzle(NamedTuple):
    """A puzzle and its uncovered cells."""

    design: CalendarDesign
    open_cells: tuple[str, ...]

    @property
    def key(self) -> Hashable:
        """All that the solutions depend on."""
        design = self.design
        rows = tuple(piece.rows for piece in design.set)
        return design.layout.rows, rows, design.parameters.reflections, self.open_cells


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


def paired(answer: Answer, progress: Progress) -> Ints:
    """For each solution its first twin, or itself; computed later, as it can take longer."""
    return twins(answer.board, answer.solutions.found, progress)


class Answers(Derived[OpenPuzzle, Answer]):
    """Keeps the answer in step with the design and the date."""

    reworded = Signal()
    """The answer is the same, but a text of the date's labels has changed."""

    def __init__(self, jobs: Jobs, design: CalendarDesign, date: ChosenDate, parent: QObject | None = None) -> None:
        super().__init__(
            jobs, SOLVING, solved, key=lambda puzzle: puzzle.key, patience=PATIENCE_MS, remembered=MOST_REMEMBERED,
            parent=parent,
        )  # fmt: skip
        self._design, self._date = design, date
        self.twins = Derived(jobs, TWINNING, paired, patience=PATIENCE_MS, remembered=MOST_REMEMBERED, parent=self)
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
        count, steps = len(self.answer), many(self.answer.solutions.nodes, "search node")
        if not self.answer.solutions.complete and not count:
            return tr(
                "No solution found for {date} before the search stopped after {nodes}; there may be some.",
                date=when,
                nodes=steps,
            )
        if not self.answer.solutions.complete:
            return tr(
                "At least {solutions} for {date}; the search stopped after {nodes}.",
                solutions=many(count, "solution"),
                date=when,
                nodes=steps,
            )
        if not count and (words := self._misfit()):
            return tr("No solution for {date}: {reason}", date=when, reason=words)
        if not count:
            return tr("No solution for {date} (exhaustive search, {nodes}).", date=when, nodes=steps)
        return tr("{solutions} for {date} ({nodes}).", solutions=many(count, "solution"), date=when, nodes=steps)

    @property
    def count(self) -> str:
        """Number of solutions, with `at least` if the search is incomplete."""
        if self.answer is None:
            return ""
        return at_least(thousands(len(self.answer)), exact=self.answer.solutions.complete)

    def _misfit(self) -> str:
        """Reason why there cannot be a solution: the areas differ; empty if they match."""
        if self.question is None:
            return ""
        design, open_cells = self.question
        room = len(design.layout.names) - len(open_cells)
        return (
            tr("the pieces have {squares} for {cells}.", squares=many(design.area, "square"), cells=many(room, "cell"))
            if design.area != room
            else ""
        )

    def _pair(self) -> None:
        answer = self.answer
        self.twins.ask(answer if answer is not None and len(answer) > 1 else None)
