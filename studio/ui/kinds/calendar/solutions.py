"""The view of the board: the date is chosen above it, its solutions are gone through below."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from studio.base.texts import tr
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.solve import Step, steps
from studio.ui.canvas.tool import Pointer, Tool
from studio.ui.canvas.view import CanvasView
from studio.ui.kinds.calendar.animation import SearchBar, SearchPlayer
from studio.ui.kinds.calendar.browser import BrowserBar
from studio.ui.kinds.calendar.dates import DateBar
from studio.ui.kinds.calendar.looks import SIDE
from studio.ui.kinds.calendar.scene import RIM, BoardScene
from studio.ui.kinds.calendar.views import CanvasPage, Desk, is_same_puzzle
from studio.ui.session.commands import Command
from studio.ui.session.throttle import Pace
from studio.ui.widgets.controls import Strip
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, MARGIN

MOST_SOUGHT = 3_000_000
"""Steps of a search of which a share can be asked for."""
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
        """Select a piece, or choose the label of a cell, also of one under a piece that is selected already."""
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
            self._page.player.reset()
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

    def __init__(self, desk: Desk) -> None:
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
        self._told = Pace(desk.selection.changed.emit, self)
        self.player = SearchPlayer(self)
        self.search_bar = SearchBar(self.player)
        self.result = Saying()
        self.setFocusProxy(self.view)
        self._lay_out()
        self.commands = [
            Command("next_solution", tr("Next solution"), "&Solutions", lambda: self.browser.step(1), ("N",), "next",
                    tr("Show the next solution"), on_canvas=True),
            Command("previous_solution", tr("Previous solution"), "&Solutions", lambda: self.browser.step(-1),
                    ("Shift+N",),
                    "previous", tr("Show the previous solution of the date"), on_canvas=True),
            Command("play_search", tr("Play search"), "&Solutions", self.player.toggle, ("P",), "play",
                    tr("Play or pause the search"), on_canvas=True),
            Command("step_search", tr("Step search"), "&Solutions", self.player.step, ("S",), "",
                    tr("Single-step the search"), on_canvas=True),
        ]  # fmt: skip
        desk.date.changed.connect(self._follow_date)
        desk.answers.changed.connect(self._follow_answer)
        desk.answers.reworded.connect(lambda: self.result.setText(desk.answers.words))
        desk.selection.changed.connect(self._follow_selection)
        self.browser.went.connect(self._go_to)
        self.player.moved.connect(self._show_search)
        self._follow_date()

    def _lay_out(self) -> None:
        below = Strip()
        above = row(self.date_bar, (self.result, 1), gap=2 * GAP, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        self.result.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.strip = column(self.browser, self.search_bar, of=below, gap=GAP // 2, margins=(MARGIN, 5, MARGIN, 4))
        column(above, (self.view, 1), below, of=self, gap=0)

    # What the window asks

    @property
    def words(self) -> str:
        """Which solution is shown, or how far the search is that is played."""
        answer = self.desk.answers.answer
        if self.player.is_begun:
            return tr("Search for {date}: {progress}", date=self.desk.date.words, progress=self.player.words)
        if answer is None or not len(answer):
            return self.desk.answers.words
        return tr(
            "Solution {number} of {count} for {date}",
            number=self.browser.number + 1,
            count=self.desk.answers.count,
            date=self.desk.date.words,
        )

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
            self.player.load(self._search)
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
        """Show the search when so large a share of its steps is made."""
        whole = sum(1 for _step in islice(self._search(), MOST_SOUGHT))
        self.player.reset()
        self.player.advance(max(round(share * whole), 1))
        self._told.now()

    # What is shown

    def mark(self, names: Sequence[str]) -> None:
        """Ring the cells of a finding until the next action."""
        self.scene.show_faults(names)

    def tip(self, piece: int | None, name: str) -> str:
        """The effect of a click on a cell whose label is covered."""
        label = self.scene.board.on.get(name)
        if label is None or piece is None:
            return ""
        return tr(
            "Piece {name} on {label}. Double-click to select {label}.",
            name=self.scene.pieces[piece].name,
            label=label.text,
        )

    def show_hovered(self, piece: int | None, cell: str) -> None:
        """Show the hovered element."""
        self.scene.tray.show_hovered(cell)
        if piece != self._over:
            self._over = piece
            self._follow_selection()

    def _follow_date(self) -> None:
        self.mark(())
        self.scene.tray.show_open(self.desk.date.open_cells)
        self.player.load(self._search)

    def _search(self) -> Iterator[Step]:
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
        self.result.setText(self.desk.answers.words)
        if not self.player.is_begun:
            self._show_solution(0)

    def _go_to(self, number: int) -> None:
        """A solution is wanted; a search that is played makes room for it."""
        if self.player.is_begun:
            self.player.reset()
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
