"""How hard a zigzaw is, and what each strategy takes to prove it."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from studio.amounts import thousands
from studio.progress import Progress
from studio.puzzles.zigzaw.board import matching
from studio.puzzles.zigzaw.deal import DEALT_BY
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import Strategy
from studio.solving.film import Film, record
from studio.ui.kinds.zigzaw.solver import PATIENCE_MS, PAUSE_MS, STRATEGIES, colours_key
from studio.ui.layout import column, row, scrolled
from studio.ui.panels.grade import GradePage
from studio.ui.panels.tables import CalmTable, CellLook, Column, ElementModel
from studio.ui.session.derived import Derived
from studio.ui.session.grading import Grading
from studio.ui.session.session import Session
from studio.ui.theme import GAP, MARGIN
from studio.ui.widgets import heading

COMPARING = "comparing strategies"
MOST_NODES, MOST_TESTS = 100_000, 5_000_000
"""Pieces tried and tests after which a strategy is given up."""
GRADE_WIDTH = 340
WIDTHS = (130, 110, 130, 90)


def grade_key(design: ZigzawDesign) -> tuple[object, ...]:
    """What the grade of a design depends on."""
    return design.cubes, design.own, *(getattr(design.parameters, name) for name in DEALT_BY)


def compared(design: ZigzawDesign, progress: Progress) -> Mapping[Strategy, Film]:
    """The search for all solutions by every strategy, given up where it takes too long."""
    puzzle, count = matching(design), len(Strategy)
    return {
        strategy: record(puzzle, strategy, progress.part(number / count, (number + 1) / count), MOST_NODES, MOST_TESTS)
        for number, strategy in enumerate(STRATEGIES)
    }


class Difficulty(QWidget):
    """The tab with the grade at the left and the strategies at the right; both are worked out while it is in sight."""

    def __init__(self, session: Session, grading: Grading[ZigzawDesign]) -> None:
        super().__init__()
        self.films = Derived(
            session.jobs, COMPARING, compared, key=colours_key, pause=PAUSE_MS, patience=PATIENCE_MS, watched=False,
            parent=self,
        )  # fmt: skip
        self.films.watch_in(self)
        grading.grade.watch_in(self)
        self.model = ElementModel[Strategy]([
            Column("Strategy", lambda strategy: STRATEGIES[strategy][0], tip=lambda strategy: STRATEGIES[strategy][1]),
            Column("Pieces tried", self._tried, CellLook.NUMBER, help="Pieces laid until every other way was tried."),
            Column("Tests", self._tests, CellLook.NUMBER, help="Pieces held against a place, or found in the index."),
            Column("Time", self._time, CellLook.NUMBER, help="How long the whole search takes on this computer."),
        ])  # fmt: skip
        self.table = CalmTable(self.model, "Strategies compared")
        head = self.table.horizontalHeader()
        head.setStretchLastSection(False)
        for number, width in enumerate(WIDTHS):
            head.resizeSection(number, width)
        self.page = GradePage(grading)
        area = scrolled(self.page)
        area.setFixedWidth(GRADE_WIDTH)
        row(area, (column(heading("Strategies"), (self.table, 1)), 1), of=self, gap=2 * MARGIN,
            margins=(MARGIN, GAP, MARGIN, GAP))  # fmt: skip
        self.setFocusProxy(self.table)
        self.films.changed.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        self.model.show_elements(list(STRATEGIES))

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
