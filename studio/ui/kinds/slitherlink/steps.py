"""Steps: the puzzle solved as people do, one step after another, each with its rule and its reason."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QPainterPath, QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QLabel, QWidget

from studio.base.amounts import many
from studio.base.progress import Progress
from studio.base.texts import plural, tr
from studio.puzzles.slitherlink.grade import described
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.puzzles.slitherlink.steps import TITLES, RuleStep, Work, solved_by_rules, work
from studio.ui.canvas.view import CanvasView, Tool
from studio.ui.kinds.slitherlink.scene import CROSSED, DRAWN, GREY, HUE, PLAIN, TRIED, Look, TableScene
from studio.ui.session.actions import Command
from studio.ui.session.derived import Derived
from studio.ui.session.extension import View
from studio.ui.session.session import Session
from studio.ui.widgets.controls import Strip, control_height, wrapping
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.player import StepBar, StepPlayer, TimeLine
from studio.ui.widgets.tables import CalmTable, CellLook, Column, ElementModel
from studio.ui.widgets.theme import GAP, MARGIN

SPEEDS = (1, 2, 4, 8, 16, 32)
"""Steps a second."""
USUAL_SPEED = 1
WORDS = tr("First step (Home)"), tr("Previous step (Left)"), tr("Next step (Right)"), tr("Last step (End)")


class SolutionBar(StepBar):
    """The controls of a player of solutions."""

    def __init__(self, player: StepPlayer) -> None:
        speed = tr("Playback speed"), tr("Playback speed of the steps"), SPEEDS, USUAL_SPEED
        super().__init__(player, WORDS, TimeLine(tr("Drag to move through the steps of the solution.")), speed)
        self.place = QLabel()
        """Number of steps made; the page has it above the board."""
        column(self.line, row(*self.buttons, self.speed, self.speed.label, REST, gap=GAP // 2), of=self, gap=4)
        self.follow()

    def follow(self) -> None:
        """Show the step that the player is at."""
        super().follow()
        at, count = self.player.at, self.player.count
        self.place.setText(tr("Step {number} of {count}", number=at, count=count) if count else "")


MENU = "&Steps"
SOLVING = "solving by rules"
PAUSE_MS, PATIENCE_MS = 300, 200
LIST_WIDTHS = (172, 360)
"""Width of the list of steps in pixels: at least, and with enough room."""
WIDTHS = (40, 128, 66)
STUCK = tr("The rules get no further. Add clues to let them finish.")


@dataclass(frozen=True, eq=False)
class Solution:
    """The steps of a design, and their total effort."""

    steps: tuple[RuleStep, ...]
    work: Work


def solution(design: SlitherlinkDesign, progress: Progress) -> Solution:
    """The solution of a design by rules, as far as they get."""
    p = design.parameters
    steps = solved_by_rules(p.net, p.form.names, design.clues, progress=progress.part(0.0, 0.7))
    return Solution(tuple(steps), work(p.net, design.clues, progress=progress.part(0.7, 1.0)))


def steps_key(design: SlitherlinkDesign) -> Hashable:
    """Inputs of a design's steps, as a key."""
    return design.parameters.layout, tuple(design.clues.items())


class StepsPage(QWidget):
    """The board after some steps, the list of all of them, and the controls."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._design: SlitherlinkDesign = session.document.design
        self._shown: Hashable = steps_key(self._design)
        """Key of the board in sight."""
        self.scene = TableScene(self._design)
        self.view = CanvasView(self.scene)
        self.view.tool = Tool(self)
        self.view.setAccessibleName(tr("Steps"))
        self.player = StepPlayer(parent=self)
        self.bar = SolutionBar(self.player)
        self.grade, self.words = wrapping(), wrapping()
        self.words.setMinimumHeight(2 * control_height() - 16)
        self.solutions = Derived(
            session.jobs, SOLVING, solution, key=steps_key, pause=PAUSE_MS, patience=PATIENCE_MS, watched=False,
            parent=self,
        )  # fmt: skip
        self.solutions.watch_in(self)
        self._model = ElementModel[int]([
            Column(tr("Step"), lambda at: str(at + 1), CellLook.NUMBER),
            Column(tr("Rule"), lambda at: TITLES[self._steps[at].rule], tip=self._why),
            Column(tr("Where"), self._where, tip=self._why),
            Column(tr("Found"), self._found, tip=self._why),
        ])  # fmt: skip
        self.list = CalmTable(self._model, tr("All steps"), WIDTHS)
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setFocusProxy(self.view)
        self.list.setMinimumWidth(LIST_WIDTHS[0])
        self.list.setMaximumWidth(LIST_WIDTHS[1])
        below = Strip()
        column(self.words, self.bar, of=below, gap=4, margins=(MARGIN, 6, MARGIN, 4))
        above = row((self.grade, 1), self.bar.place, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        board = column((self.view, 1), below, gap=0)
        column(above, (row((board, 1), (self.list, 1), gap=0), 1), of=self, gap=0)
        self.grade.setMinimumHeight(control_height())
        self.commands = self._commands()
        self._is_following = False
        self._loaded: Solution | None = None
        """Solution in the list and the player."""
        self.list.selectionModel().currentRowChanged.connect(self._choose)
        self.solutions.changed.connect(self._take)
        self.player.moved.connect(self._show)
        self._show_new()

    def _commands(self) -> list[Command]:
        player = self.player
        return [
            Command("steps_play", tr("Play the steps"), MENU, player.toggle, ("P",), "play",
                    tr("Play or pause the solution"), on_canvas=True),
            Command("steps_on", tr("Next step"), MENU, player.step, ("Right",), "step",
                    tr("Show the next step of the solution"), on_canvas=True),
            Command("steps_back", tr("Previous step"), MENU, partial(player.step, -1), ("Left",), "previous",
                    tr("Go back one step"), on_canvas=True),
            Command("steps_start", tr("First step"), MENU, partial(player.seek, 0), ("Home",), "to-start",
                    tr("Go back to the empty board"), on_canvas=True),
            Command("steps_end", tr("Last step"), MENU, player.go_to_end, ("End",), "to-end",
                    tr("Go to the end of the solution"), on_canvas=True),
        ]  # fmt: skip

    # Called by the window

    def entry(self, choose: Callable[[], object]) -> View:
        """The page as a view of the window, which calls `choose` when it comes in sight."""
        view = self.view
        return View(
            "steps", tr("Steps"), self, choose, view.fit, view.zoom_by, self.solutions.finish, self.player.seek_share
        )

    def show_design(self, design: SlitherlinkDesign, *, settled: bool) -> None:
        """Follow the design; new clues have new steps. The board is made when it comes in sight."""
        self._design = design
        # The steps of the design before have no place on the new board.
        self.solutions.ask(design, settled=settled)
        self._take()
        if self.isVisible():
            self._make()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._make()

    # Display

    def _make(self) -> None:
        """Make the board of the design, unless it is there."""
        if steps_key(self._design) != self._shown:
            self._shown = steps_key(self._design)
            self.scene.show_design(self._design)
            self._show_new()

    def _show_new(self) -> None:
        board = self.scene.board.boundingRect()
        self.view.show_board(board.width(), board.height(), board.left(), board.top())
        self._show()

    @property
    def _steps(self) -> tuple[RuleStep, ...]:
        return self.solutions.answer.steps if self.solutions.answer is not None else ()

    def _take(self) -> None:
        """Show new steps once they are known."""
        found = self.solutions.answer
        if found is not self._loaded:
            self._loaded = found
            self._model.show_elements(list(range(len(self._steps))))
            self.player.load(len(self._steps))
        waiting = tr("Solving…") if self.solutions.is_waiting else self.solutions.problem
        self.grade.setText(f"{described(found.work)}." if found is not None else waiting)
        self._show()

    def _choose(self, here: QModelIndex, _before: QModelIndex) -> None:
        if here.isValid() and not self._is_following:
            self.player.seek(here.row() + 1)

    def _show(self) -> None:
        """Show the board after the steps made, with the last one marked."""
        steps = self._steps
        at = min(self.player.at, len(steps))
        if steps_key(self._design) != self._shown:
            return
        edges = np.full(len(self.scene.net.ends), GREY)
        for number, step in enumerate(steps[:at], 1):
            is_last = number == at
            edges[[*step.on]] = DRAWN + HUE if is_last else DRAWN
            edges[[*step.off]] = CROSSED | TRIED if is_last else CROSSED
        board, design = self.scene.board, self._design
        board.show_look(
            Look(edges, np.zeros(design.parameters.net.outside, np.int64), np.full(len(design.clues), PLAIN))
        )
        last = steps[at - 1] if at else None
        place = QPainterPath()
        if last is not None:
            form = design.parameters.form
            names = [form.names[cell] for cell in last.cells] + [form.dot_names[dot] for dot in last.dots]
            place = self.scene.marks(names)
        self.scene.hint.show_path(place)
        found = self.solutions.answer
        words = last.words if last is not None else tr("Play the steps, or press Left and Right to go through them.")
        if found is not None and not found.work.is_solved and self.player.at == self.player.count:
            words = f"{last.words} {STUCK}" if last is not None else STUCK
        self.words.setText(words if found is not None else "")
        self.view.setAccessibleDescription(words)
        self._is_following = True
        if at:
            self.list.selectRow(at - 1)
            self.list.scrollTo(self._model.index(at - 1, 0))
        else:
            self.list.clearSelection()
            self.list.scrollToTop()
        self._is_following = False

    def _why(self, at: int) -> str:
        return self._steps[at].words

    def _where(self, at: int) -> str:
        step, form = self._steps[at], self._design.parameters.form
        cells, dots = (form.names[cell] for cell in step.cells), (form.dot_names[dot] for dot in step.dots)
        return ", ".join(cells) if step.cells else " – ".join(dots)

    def _found(self, at: int) -> str:
        step = self._steps[at]
        crosses = f"{len(step.off)} {plural(len(step.off), 'cross', 'crosses')}" if step.off else ""
        return ", ".join(filter(None, (many(len(step.on), "line") if step.on else "", crosses)))
