"""How hard a zigzaw is, and what each strategy takes to prove it."""

from __future__ import annotations

from collections.abc import Mapping

from studio.base.amounts import thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.zigzaw.board import matching
from studio.puzzles.zigzaw.generate import GENERATED_BY
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import Strategy
from studio.solving.film import Film, record
from studio.ui.kinds.zigzaw.solver import PATIENCE_MS, PAUSE_MS, STRATEGIES, colours_key
from studio.ui.panels.difficulty import DifficultyPage
from studio.ui.panels.tables import CellLook, Column
from studio.ui.session.derived import Derived
from studio.ui.session.grading import Grading
from studio.ui.session.session import Session

COMPARING = "comparing strategies"
MOST_NODES, MOST_TESTS = 100_000, 5_000_000
"""Pieces tried and tests after which a strategy is given up."""


def grade_key(design: ZigzawDesign) -> tuple[object, ...]:
    """What the grade of a design depends on."""
    return design.cubes, design.own, *(getattr(design.parameters, name) for name in GENERATED_BY)


def compared(design: ZigzawDesign, progress: Progress) -> Mapping[Strategy, Film]:
    """The search for all solutions by every strategy, given up where it takes too long."""
    puzzle, count = matching(design), len(Strategy)
    return {
        strategy: record(puzzle, strategy, progress.part(number / count, (number + 1) / count), MOST_NODES, MOST_TESTS)
        for number, strategy in enumerate(STRATEGIES)
    }


class Difficulty(DifficultyPage[Strategy]):
    """The tab with the grade and the strategies; both are worked out while it is in sight."""

    def __init__(self, session: Session, grading: Grading[ZigzawDesign]) -> None:
        super().__init__(grading)
        self.films = Derived(
            session.jobs, COMPARING, compared, key=colours_key, pause=PAUSE_MS, patience=PATIENCE_MS, watched=False,
            parent=self,
        )  # fmt: skip
        self.films.watch_in(self)
        number = CellLook.NUMBER
        self.show_table(tr("Strategies"), tr("Strategy comparison"), STRATEGIES, [
            (130, Column(tr("Strategy"), lambda one: STRATEGIES[one][0], tip=lambda one: STRATEGIES[one][1])),
            (110, Column(tr("Pieces tried"), self._tried, number, help=tr("Pieces placed in the whole search."))),
            (130, Column(tr("Tests"), self._tests, number, help=tr("Pieces compared with a place, or looked up."))),
            (90, Column(tr("Time"), self._time, number, help=tr("Time for the whole search on this computer."))),
        ])  # fmt: skip
        self.films.changed.connect(self.follow)

    def _known(self, strategy: Strategy) -> Film | None:
        return self.films.answer[strategy] if self.films.answer is not None else None

    def _tried(self, strategy: Strategy) -> str:
        film = self._known(strategy)
        return "…" if film is None else _least(film, thousands(film.at(len(film)).tried))

    def _tests(self, strategy: Strategy) -> str:
        film = self._known(strategy)
        return "…" if film is None else _least(film, thousands(film.at(len(film)).tests))

    def _time(self, strategy: Strategy) -> str:
        film = self._known(strategy)
        return "…" if film is None else _least(film, f"{thousands(max(1, 1000 * film.seconds))} ms")


def _least(film: Film, words: str) -> str:
    return words if film.complete else f"≥ {words}"
