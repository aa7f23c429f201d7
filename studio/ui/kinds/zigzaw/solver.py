"""The view of the solver: the search for all solutions as a film, by one of several strategies."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass

import numpy as np
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QCheckBox, QWidget

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.zigzaw.board import matching
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import UNKNOWN, Strategy
from studio.solving.film import Film, record
from studio.ui.canvas.tool import Tool
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.zigzaw.film_bar import FilmBar
from studio.ui.kinds.zigzaw.player import FilmPlayer
from studio.ui.kinds.zigzaw.scene import SolverScene
from studio.ui.session.commands import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import View
from studio.ui.session.session import Session
from studio.ui.widgets.controls import CalmComboBox, Strip, control_height
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, MARGIN

FILMING = "filming"
PAUSE_MS, PATIENCE_MS = 300, 200
REMEMBERED = 3
STRATEGIES: dict[Strategy, tuple[str, str]] = {
    Strategy.INDEXED: (tr("Indexed"), tr("Fills row by row; looks up the fitting pieces by colour.")),
    Strategy.ONE_BY_ONE: (tr("One by one"), tr("Fills row by row; tests every remaining piece in each place.")),
    Strategy.FEWEST_FIRST: (tr("Fewest first"), tr("Always fills the place that the fewest pieces fit.")),
}
"""Every strategy with its title and how it works."""


@dataclass(frozen=True, eq=False)
class Asked:
    """Which search is to be filmed."""

    design: ZigzawDesign
    strategy: Strategy

    @property
    def key(self) -> Hashable:
        """What the film depends on."""
        return *colours_key(self.design), self.strategy


def colours_key(design: ZigzawDesign) -> tuple[Hashable, ...]:
    """What every search of a design depends on."""
    return design.cubes, design.parameters.body


def _look(design: ZigzawDesign) -> Hashable:
    """What the board of a design looks like."""
    return *colours_key(design), design.palette


def _filmed(asked: Asked, progress: Progress) -> Film:
    return record(matching(asked.design), asked.strategy, progress)


class SolverPage(QWidget):
    """The board as the search leaves it at one moment, and the controls of the film."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.scene = SolverScene()
        self.view = CanvasView(self.scene)
        self.view.tool = Tool(self)
        self.view.setAccessibleName(tr("Solver"))
        self.view.setAccessibleDescription(tr("Search for all solutions; play it with the buttons below."))
        self.player = FilmPlayer(self)
        self.bar = FilmBar(self.player)
        self.strategy = CalmComboBox(tr("Strategy"), tr("Order in which places are filled, and how pieces are found"))
        self.strategy.setMinimumHeight(control_height())
        for strategy, (title, _how) in STRATEGIES.items():
            self.strategy.addItem(title, strategy)
        self.decoys = QCheckBox(tr("Decoys"))
        self.decoys.setToolTip(tr("Show how many wrong pieces fit each empty place if all before it are right"))
        self.how = Saying()
        self.films = Derived(
            session.jobs, FILMING, _filmed, key=lambda asked: asked.key, pause=PAUSE_MS, patience=PATIENCE_MS,
            remembered=REMEMBERED, watched=False, parent=self,
        )  # fmt: skip
        self.films.watch_in(self)
        self._design: ZigzawDesign | None = None
        self._shown: Hashable = None
        """What the board in sight looks like."""
        self.setFocusProxy(self.view)
        self._lay_out()
        self.strategy.currentIndexChanged.connect(lambda _row: self._ask(settled=True))
        self.decoys.toggled.connect(self._show_decoys)
        self.films.changed.connect(self._take)
        self.player.moved.connect(self._show)
        self.player.switched.connect(lambda _playing: self._show())
        player = self.player
        self.commands = [
            Command("film_play", tr("Play the search"), "&Solver", player.toggle, ("P",), "play",
                    tr("Play or pause the search"), on_canvas=True),
            Command("film_step", tr("Next step"), "&Solver", lambda: player.step(1), ("S",), "step",
                    tr("Place or remove one piece as the search does"), on_canvas=True),
            Command("film_back", tr("Previous step"), "&Solver", lambda: player.step(-1), ("B",), "previous",
                    tr("Go back one step"), on_canvas=True),
            Command("film_start", tr("Go to start"), "&Solver", lambda: player.go_to(0), ("Ctrl+Home",), "to-start",
                    tr("Go back to the empty board"), on_canvas=True),
            Command("film_end", tr("Go to solution"), "&Solver", player.go_to_end, ("Ctrl+End",), "to-end",
                    tr("Go to the solution, then to the end of the search"), on_canvas=True),
        ]  # fmt: skip

    def _lay_out(self) -> None:
        below = Strip()
        margins = (MARGIN, GAP // 2, MARGIN, GAP // 2)
        above = row(self.strategy, (self.how, 1), self.decoys, margins=margins)
        column(self.bar, of=below, margins=(MARGIN, 6, MARGIN, 4))
        column(above, (self.view, 1), below, of=self, gap=0)

    # What the window asks

    def entry(self, choose: Callable[[], object]) -> View:
        """The page as a view of the window, which calls `choose` when it comes in sight."""
        view = self.view
        return View("solver", tr("Solver"), self, choose, view.fit, view.zoom_by, self.films.finish, self.seek)

    def seek(self, share: float) -> None:
        """Show the film after a share (0 to 1) of its steps."""
        self.player.pause()
        if self.player.film is not None:
            self.player.go_to(round(share * len(self.player.film)))

    def show_design(self, design: ZigzawDesign, *, settled: bool) -> None:
        """Follow the design; another puzzle is another film. The board is made when it is looked at."""
        self._design = design
        if self.isVisible():
            self._show_board()
        self._ask(settled=settled)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show_board()

    # What is shown

    def _show_board(self) -> None:
        """Make the board of the design, unless it is there."""
        design = self._design
        if design is not None and _look(design) != self._shown:
            self._shown = _look(design)
            box = self.scene.show_design(design, matching(design).sorts)
            self.view.show_board(box.width(), box.height(), box.left(), box.top())
            self._show_decoys(self.decoys.isChecked())
            self._show()

    def _ask(self, *, settled: bool) -> None:
        strategy: Strategy = self.strategy.currentData()
        self.how.setText(STRATEGIES[strategy][1])
        if self._design is not None:
            self.films.ask(Asked(self._design, strategy), settled=settled)
            self._take()

    def _take(self) -> None:
        """Show another film once it is recorded; until then nothing is played."""
        if self.films.answer is not self.player.film:
            self.player.show_film(self.films.answer)
        else:
            self._say()

    @property
    def _board(self) -> Ints:
        film = self.player.film
        if film is not None:
            return film.board(self.player.at)
        return np.full(0 if self.scene.pieces is None else len(self.scene.pieces.board), UNKNOWN)

    def _show(self) -> None:
        pieces, film = self.scene.pieces, self.player.film
        if pieces is not None and self._design is not None and self._shown == _look(self._design):
            pieces.show_board(self._board)
            pieces.last = film.at(self.player.at).last if film is not None and self.player.is_slow else None
        self._say()

    def _say(self) -> None:
        film, at = self.player.film, self.player.at
        if film is None:
            words = tr("Recording the search…") if self.films.is_waiting else ""
        elif self.player.is_at_end:
            words = film.verdict
        elif at in film.ends:
            words = tr("Solution found. Play on to see the rest of the search.")
        else:
            words = tr("Searching…") if at else tr("Play the search, or drag along its chart.")
        self.bar.say(words)

    def _show_decoys(self, shown: bool) -> None:
        if self.scene.ground is not None and self._design is not None:
            self.scene.ground.show_decoys(matching(self._design).decoys if shown else ())
