"""The view in space: the printed tray with the pieces of one solution in it, and what is on each plate of the printer.

What it shows is loaded when it is first in sight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent

from studio.base.texts import tr
from studio.puzzles.calendar.model import CalendarDesign
from studio.ui.kinds.calendar.dates import DateBar
from studio.ui.kinds.calendar.views import CalendarPage, Desk, is_same_puzzle
from studio.ui.session.session import Session
from studio.ui.widgets.elided_label import Saying
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.theme import GAP, MARGIN

if TYPE_CHECKING:
    from studio.puzzles.calendar.space import Sight
    from studio.ui.solid.page import SolidsPage


class SpacePage(CalendarPage):
    """Tray and pieces as they are printed, and the solutions of the date to page through."""

    name = "space"
    title = tr("3-D")
    hint = tr(
        "Select the date above; page through its solutions below. The slider raises the pieces out of the tray. Drag "
        "to turn the view, wheel to zoom."
    )

    def __init__(self, desk: Desk, session: Session) -> None:
        super().__init__(desk)
        self._session = session
        self.solids: SolidsPage | None = None
        self.number = 0
        """Which of the solutions is shown, from 0."""
        self.date_bar, self.result = DateBar(desk.date), Saying()
        self.result.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        above = row(self.date_bar, (self.result, 1), gap=2 * GAP, margins=(MARGIN, GAP // 2, MARGIN, GAP // 2))
        self._column = column(above, of=self, gap=0)
        desk.answers.changed.connect(self._follow_answer)
        desk.answers.reworded.connect(self._say)

    def showEvent(self, event: QShowEvent) -> None:
        """Make what shows solids."""
        super().showEvent(event)
        if self.solids is None:
            from studio.puzzles.calendar.space import seen
            from studio.ui.solid.page import SolidsPage

            self.solids = SolidsPage(self._session, seen, sight=self._sight)
            self.solids.panel.turned.connect(self.turn)
            self._column.addWidget(self.solids, 1)
            self.setFocusProxy(self.solids)
        self._follow_answer()

    # What the window asks

    @property
    def words(self) -> str:
        """The date, and how many solutions it has."""
        return self.desk.answers.words

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Show another design; the bodies from before stay until its own are made."""
        self._ask(settled=settled)

    def finish(self) -> None:
        """Wait for the solutions and the bodies; for pictures."""
        self.desk.answers.finish()
        if self.solids is not None:
            self._ask()
            self.solids.finish()

    def fit(self) -> None:
        """Show all of it."""
        if self.solids is not None:
            self.solids.panel.view.fit()

    def zoom_by(self, factor: float) -> None:
        """Zoom about the middle."""
        if self.solids is not None:
            self.solids.panel.view.zoom_by(factor)

    # What is shown

    def turn(self, by: int) -> None:
        """Show the next solution, or the one before; beyond the last comes the first."""
        answer = self.desk.answers.answer
        if answer is not None and len(answer):
            self.number = (self.number + by) % len(answer)
            self._ask()

    def _follow_answer(self) -> None:
        self.number = 0
        self._say()
        self._ask()

    def _say(self) -> None:
        self.result.setText(self.desk.answers.words)

    def _ask(self, *, settled: bool = True) -> None:
        """Ask for the bodies; while the date is being solved, those from before stay."""
        answers = self.desk.answers
        if self.solids is None or (answers.answer is None and not answers.problem and self.solids.is_showing):
            return
        self.solids.ask(settled=settled)
        answer = answers.answer
        complete = answer is None or answer.solutions.complete
        self.solids.panel.show_place(self.number, 0 if answer is None else len(answer), complete=complete)

    def _sight(self) -> Sight:
        """The shapes, with the pieces where the solution has them."""
        from studio.puzzles.calendar.space import Sight

        shapes, answers = self._session.shapes, self.desk.answers
        answer, asked = answers.answer, answers.question
        if answer is None or asked is None or not is_same_puzzle(asked.design, shapes.design) or not len(answer):
            return Sight(shapes)
        lying = answer.lying(min(self.number, len(answer) - 1))
        return Sight(shapes, tuple(lying[piece] for piece in range(len(lying))))
