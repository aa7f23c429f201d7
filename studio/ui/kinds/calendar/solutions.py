"""The board view: the date above, the solutions of it below, with a bar that steps through them."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice

from PySide6.QtCore import QObject, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPalette
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QWidget

from studio.base.amounts import many, thousands
from studio.base.texts import tr
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.solve import SearchStep, steps
from studio.ui.canvas.view import CanvasView, Pointer, Tool
from studio.ui.kinds.calendar.scene import RIM, SIDE, BoardScene
from studio.ui.kinds.calendar.views import Answers, BaseCalendarExtension, CanvasPage, DateBar, is_same_puzzle
from studio.ui.session.actions import Command
from studio.ui.session.jobs import Throttle
from studio.ui.widgets.controls import CalmSlider, ElidedLabel, Strip, large_button
from studio.ui.widgets.layout import Turning, column, row
from studio.ui.widgets.player import SpeedSlider, StepPlayer, play_button
from studio.ui.widgets.theme import GAP, MARGIN, hint_font

LEAST_SLIDER = 60
OFTEN = 100
"""Number of solutions whose digits always have room, so that the slider keeps its length."""


class BrowserBar(QWidget):
    """Chooses one of the solutions by its number from 0."""

    went = Signal(int)
    """Another solution is wanted."""

    def __init__(self, answers: Answers) -> None:
        super().__init__()
        self._answers = answers
        self.number = 0
        self._is_hushed = False
        self.previous = large_button(tr("Previous solution (Shift+N)"), "previous")
        self.next = large_button(tr("Next solution (N)"), "next")
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(tr("Solution"))
        self.slider.setToolTip(tr("Select a solution; arrow keys on the board do the same."))
        self.place, self.remark = QLabel(), quiet(ElidedLabel())
        self.slider.setMinimumWidth(LEAST_SLIDER)
        self.cancel = QPushButton(tr("Cancel"))
        # The button takes its room from the remark, not from the slider.
        words = row((self.remark, 1), self.cancel)
        row(self.previous, self.next, (self.slider, 2), self.place, (words, 3), of=self)
        self.previous.clicked.connect(lambda: self.step(-1))
        self.next.clicked.connect(lambda: self.step(1))
        self.slider.valueChanged.connect(self.go_to)
        self.cancel.clicked.connect(answers.give_up)
        answers.twins.watch_in(self)
        answers.twins.changed.connect(self._say)
        self.follow()

    @property
    def _count(self) -> int:
        return 0 if self._answers.answer is None else len(self._answers.answer)

    def follow(self) -> None:
        """Show another answer, at its first solution."""
        count = self._count
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, max(count - 1, 0))
            self.slider.setValue(0)
        self.slider.setPageStep(max(count // 10, 1))
        self.cancel.setVisible(self._answers.is_waiting)
        some = thousands(max(count, OFTEN))
        widest = (tr("{number} of {count}", number=some, count=words) for words in (some, self._answers.count))
        self.place.setMinimumWidth(max(map(QFontMetrics(self.place.font()).horizontalAdvance, widest)))
        self.number = 0
        self._say()

    def step(self, by: int) -> None:
        """Go forwards or backwards; beyond the last comes the first."""
        if self._count:
            self.go_to((self.number + by) % self._count)

    def go_to(self, number: int) -> None:
        """Show one solution."""
        if not 0 <= number < self._count:
            return
        self.number = number
        with QSignalBlocker(self.slider):
            self.slider.setValue(number)
        self._say()
        self.went.emit(number)

    def hush(self, hushed: bool) -> None:
        """Hide the remark while the board shows something else."""
        if hushed != self._is_hushed:
            self._is_hushed = hushed
            self._say()

    def _say(self) -> None:
        answer, count = self._answers.answer, self._count
        for widget in (self.previous, self.next, self.slider):
            widget.setEnabled(count > 1)
        self.place.setText(
            tr("{number} of {count}", number=thousands(self.number + 1), count=self._answers.count) if count else ""
        )
        words = []
        if answer is not None and count:
            twin = self._answers.twin(self.number)
            if twin != self.number:
                words.append(
                    tr(
                        "variant of solution {number}: one region rotated or mirrored in place",
                        number=thousands(twin + 1),
                    )
                )
            cell = answer.difference(self.number)
            if cell is not None:
                words.append(tr("ring: first cell that differs from the previous solution"))
        text = "" if self._is_hushed else "; ".join(words)
        self.remark.setText(text[:1].upper() + text[1:] + "." if text else "")


def quiet(label: ElidedLabel) -> ElidedLabel:
    """A line in the smaller size and the quieter colour of a hint."""
    label.setFont(hint_font(label.font()))
    label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
    return label


FRAME_BUDGET = 0.009
"""Seconds of a frame for the search; the rest paints."""
AT_ONCE = 256
"""Steps between two looks at the clock."""
ENDLESS = sys.maxsize
"""Number of steps of a search until its end is known."""
SPEEDS = (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000, None)
"""Steps a second; None for as many as frames allow."""
USUAL_SPEED = 3


class SearchPlayer(StepPlayer):
    """Plays one search; it pulls steps from it while a frame has time for them, so the window never waits."""

    slow = 20.0

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent=parent)
        self._begin: Callable[[], Iterator[SearchStep]] = lambda: iter(())
        self._steps: Iterator[SearchStep] | None = None
        self.placed: dict[int, int] = {}
        """The placement of every placed piece, by the piece's number."""
        self.tried = self.solutions = 0
        """The number of pieces placed, and of solutions."""
        self.last: int | None = None
        """The piece of the last step."""
        self.stops = False
        """True if it stops at every solution."""

    @property
    def is_begun(self) -> bool:
        """True while the search is shown."""
        return self._steps is not None

    def show_search(self, begin: Callable[[], Iterator[SearchStep]]) -> None:
        """Take another search; it begins when it is played."""
        self._begin = begin
        self.seek(0)

    def step(self, by: int = 1) -> None:
        """Stop a step further on; the first follows the end."""
        self.seek((0 if self.is_at_end else self.at) + by)

    def go_to(self, at: float) -> None:
        """Go on to a step, or less far at a solution to stop at or when a frame's time is up; go back by beginning."""
        if at < self.at or not at:
            self._steps, self.placed, self.last = None, {}, None
            self.count, self.at, self.tried, self.solutions = ENDLESS, 0, 0, 0
        if at and self._steps is None:
            self._steps = self._begin()
        until = time.monotonic() + FRAME_BUDGET if self.is_playing else math.inf
        for step in islice(self._steps or (), round(at) - self.at):
            self.at += 1
            self.last = step.piece
            if step.placed:
                self.placed[step.piece] = step.cells
                self.tried += 1
                self.solutions += step.solution
            else:
                del self.placed[step.piece]
            if step.solution and self.stops:
                self.pause()
                break
            if self.at % AT_ONCE == 0 and time.monotonic() >= until:
                break
        else:
            if self.at < at:
                self.count = self.at
        self.moved.emit()

    @property
    def shown(self) -> int | None:
        """The piece just placed, if the search is slow enough to follow."""
        return self.last if self.is_slow and self.last in self.placed else None

    @property
    def progress_text(self) -> str:
        """Progress of the search, in words."""
        if not self.is_begun:
            return ""
        said = tr(
            "{steps} · {solutions} found", steps=many(self.tried, "step"), solutions=many(self.solutions, "solution")
        )
        return tr("{progress} · search complete", progress=said) if self.is_at_end else said


NARROW = 420
"""Pixels of width below which the controls of a search take two lines."""


class SearchBar(QWidget):
    """The controls of a search: play, step, back to the solutions, the speed, and whether it stops at solutions."""

    def __init__(self, player: SearchPlayer) -> None:
        super().__init__()
        self._player = player
        self.play = play_button(player, tr("Play search (P)"), tr("Pause search (P)"))
        self.one = large_button(tr("Single step (S)"), "step")
        self.back = large_button(tr("Back to the solutions (Esc)"), "reset")
        tip = tr("Playback speed of the search")
        self.speed = SpeedSlider(player, tr("Search speed"), tip, SPEEDS, USUAL_SPEED)
        self.stops = QCheckBox(tr("Stop at solutions"))
        self.words = quiet(ElidedLabel(wraps=True))
        pace = row(self.play, self.one, self.back, (self.speed, 1), self.speed.label)
        parts = row((pace, 1), (row(self.stops, (self.words, 1)), 1), of=self)
        Turning(self, parts, narrow=NARROW, least=pace.minimumSize().width())
        self.one.clicked.connect(partial(player.step, 1))
        self.back.clicked.connect(partial(player.seek, 0))
        self.stops.toggled.connect(lambda stops: setattr(player, "stops", stops))
        player.moved.connect(self.follow)
        self.follow()

    def follow(self) -> None:
        """Say how far it is."""
        self.back.setEnabled(self._player.is_begun)
        if self._player.progress_text != self.words.text():
            self.words.setText(self._player.progress_text)


MOST_SOUGHT = 3_000_000
"""Most steps of a search that `seek` counts for its share."""
ARROWS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class SolutionsTool(Tool):
    """Clicks choose labels and select pieces; arrows go through the solutions."""

    def __init__(self, page: SolutionsPage) -> None:
        super().__init__(page)
        self._page = page

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Light the cell or the piece under the mouse."""
        page = self._page
        piece = page.scene.piece_at(pointer.x, pointer.y)
        name = page.scene.cell_at(pointer.x, pointer.y) if piece is None else ""
        page.show_hovered(piece, name if name in page.labelled else "")
        page.view.viewport().setToolTip(page.tip(piece, page.scene.cell_at(pointer.x, pointer.y)))
        return Qt.CursorShape.PointingHandCursor if name or piece is not None else Qt.CursorShape.ArrowCursor

    def pressed(self, pointer: Pointer) -> None:
        """Select a piece, or choose the label of a cell, also under a piece that is already selected."""
        page, selection = self._page, self._page.desk.selection
        page.mark(())
        piece = page.scene.piece_at(pointer.x, pointer.y)
        name = page.scene.cell_at(pointer.x, pointer.y)
        if piece is not None:
            selection.select([piece])
        elif name:
            selection.select_cell(name)
            page.choose_cell(name)
        else:
            selection.select()

    def double_clicked(self, pointer: Pointer) -> None:
        """The label under a piece is chosen, too."""
        self._page.choose_cell(self._page.scene.cell_at(pointer.x, pointer.y))

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows go through the solutions."""
        by = ARROWS.get(Qt.Key(event.key()))
        if by is None:
            return False
        self._page.browser.step(by)
        return True

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._page.show_hovered(None, "")

    def cancelled(self) -> bool:
        """Go back from the search to the solutions, or clear the selection."""
        if self._page.player.is_begun:
            self._page.player.seek(0)
            return True
        page, selection = self._page, self._page.desk.selection
        had = bool(page.scene.faults) or selection.piece is not None or selection.cell is not None
        page.mark(())
        selection.select()
        return had


class SolutionsPage(CanvasPage):
    """Every solution of the selected labels, and the search for them."""

    name = "board"
    title = tr("Board")
    hint = tr(
        "Select the labels to leave uncovered above the board, or click its cells. N and Shift+N, or the arrow keys, "
        "browse the solutions; P plays the search, S makes one step of it. Double-click a piece to select the label "
        "below it."
    )
    plays = True
    marks = True

    def __init__(self, desk: BaseCalendarExtension) -> None:
        super().__init__(desk)
        self.scene = BoardScene()
        self.view, self.tool = CanvasView(self.scene), SolutionsTool(self)
        self.view.tool = self.tool
        self.view.setAccessibleName(tr("Board"))
        self.view.setAccessibleDescription(
            tr("Arrow keys browse the solutions. The labels to leave uncovered are selected above.")
        )
        self.labelled: frozenset[str] = frozenset()
        self._over: int | None = None
        self._shown = desk.design
        self.date_bar = DateBar(desk.date)
        self.browser = BrowserBar(desk.answers)
        self._told = Throttle(desk.selection.changed.emit, self)
        self.player = SearchPlayer(self)
        self.search_bar = SearchBar(self.player)
        self.result = ElidedLabel(wraps=True)
        self.setFocusProxy(self.view)
        below = Strip()
        above = row(self.date_bar, (self.result, 1), gap=2 * GAP, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        self.result.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.strip = column(self.browser, self.search_bar, of=below, gap=GAP // 2, margins=(MARGIN, 5, MARGIN, 4))
        column(above, (self.view, 1), below, of=self, gap=0)
        self.commands = [
            Command("next_solution", tr("Next solution"), "&Solutions", lambda: self.browser.step(1), ("N",), "next",
                    tr("Show the next solution"), on_canvas=True, needs=tr("No other solution known")),
            Command("previous_solution", tr("Previous solution"), "&Solutions", lambda: self.browser.step(-1),
                    ("Shift+N",),
                    "previous", tr("Show the previous solution of the date"), on_canvas=True,
                    needs=tr("No other solution known")),
            Command("play_search", tr("Play search"), "&Solutions", self.player.toggle, ("P",), "play",
                    tr("Play or pause the search"), on_canvas=True),
            Command("step_search", tr("Step search"), "&Solutions", self.player.step, ("S",), "",
                    tr("Single-step the search"), on_canvas=True),
        ]  # fmt: skip
        desk.date.changed.connect(self._follow_date)
        desk.answers.changed.connect(self._follow_answer)
        desk.answers.reworded.connect(lambda: self.result.setText(desk.answers.progress_text))
        desk.selection.changed.connect(self._follow_selection)
        self.browser.went.connect(self._go_to)
        self.player.moved.connect(self._show_search)
        self._follow_date()

    # Called by the window

    @property
    def status_text(self) -> str:
        """The solution in sight, or the progress of the search being played."""
        answers, date = self.desk.answers, self.desk.date.date_text
        if self.player.is_begun:
            return tr("Search for {date}: {progress}", date=date, progress=self.player.progress_text)
        if answers.answer is None or not len(answers.answer):
            return answers.progress_text
        number = self.browser.number + 1
        return tr("Solution {number} of {count} for {date}", number=number, count=answers.count, date=date)

    def possible(self) -> dict[str, bool]:
        """There must be another solution to go to."""
        answer = self.desk.answers.answer
        several = answer is not None and len(answer) > 1
        return {"next_solution": several, "previous_solution": several}

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Show another board; the old pieces stay until its solutions are known."""
        board, before, self._shown = design.layout, self._shown, design
        self.scene.show_design(board, design.set)
        if not is_same_puzzle(before, design):
            self.player.show_search(self._search)
        self._show_search()
        self._follow_selection()
        self.labelled = frozenset(label.name for label in board.labels)
        rows, columns = board.mask.shape
        self.view.show_board(columns * SIDE + 2 * RIM, rows * SIDE + 2 * RIM, -RIM, -RIM)

    def pause(self) -> None:
        """Pause the search."""
        self.player.pause()

    def finish(self) -> None:
        """Solve the date at once, without a thread."""
        self.desk.answers.finish()

    def seek(self, share: float) -> None:
        """Show the search after this share of its steps."""
        whole = sum(1 for _step in islice(self._search(), MOST_SOUGHT))
        self.player.seek(max(round(share * whole), 1))
        self._told.now()

    # Display

    def mark(self, names: Sequence[str]) -> None:
        """Ring the cells of a finding until the next action."""
        self.scene.show_faults(names)

    def tip(self, piece: int | None, name: str) -> str:
        """The effect of a click on a cell whose label is covered."""
        label = self.scene.board.on.get(name)
        if label is None or piece is None:
            return ""
        own = self.scene.pieces[piece].name
        return tr("Piece {name} on {label}. Double-click to select {label}.", name=own, label=label.text)

    def show_hovered(self, piece: int | None, cell: str) -> None:
        """Show the hovered element."""
        self.scene.tray.show_hovered(cell)
        if piece != self._over:
            self._over = piece
            self._follow_selection()

    def _follow_date(self) -> None:
        self.mark(())
        self.scene.tray.show_open(self.desk.date.open_cells)
        self.player.show_search(self._search)

    def _search(self) -> Iterator[SearchStep]:
        return steps(self._shown, self.desk.date.open_cells)

    def _show_search(self) -> None:
        self.browser.hush(hushed=self.player.is_begun)
        if self.player.is_begun:
            self.scene.show_mark(None)
            self.scene.show_lying(self.player.placed)
            self._follow_selection()
            self._told.ask()
        else:
            self._show_solution(self.browser.number)

    def _follow_answer(self) -> None:
        self.browser.follow()
        self.result.setText(self.desk.answers.progress_text)
        if not self.player.is_begun:
            self._show_solution(0)

    def _go_to(self, number: int) -> None:
        """Show a solution, and end a search being played."""
        if self.player.is_begun:
            self.player.seek(0)
        else:
            self._show_solution(number)

    def _show_solution(self, number: int) -> None:
        answer = self.desk.answers.answer
        # Until another board is solved, the answer is that of the board before.
        there = answer is not None and answer.board.rows == self.scene.board.rows and number < len(answer)
        self.scene.show_lying(answer.lying(number) if answer is not None and there else {})
        self.scene.show_mark(answer.difference(number) if answer is not None and there else None)
        self.desk.selection.changed.emit()

    def _follow_selection(self) -> None:
        self.scene.show_selection(self.desk.selection, {self._over, self.player.shown})
