"""The controls for the steps of a solution."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel

from studio.base.texts import tr
from studio.ui.panels.player_bar import TimeLine
from studio.ui.panels.step_bar import StepBar
from studio.ui.widgets.layout import REST, column, row
from studio.ui.widgets.step_timer import StepPlayer
from studio.ui.widgets.theme import GAP

SPEEDS = (1, 2, 4, 8, 16, 32)
"""Steps a second."""
USUAL_SPEED = 1
WORDS = tr("First step (Home)"), tr("Previous step (Left)"), tr("Next step (Right)"), tr("Last step (End)")


class SolutionBar(StepBar):
    """The controls of a player of solutions."""

    def __init__(self, player: StepPlayer) -> None:
        speed = tr("Playback speed"), tr("Playback speed of the steps"), SPEEDS, USUAL_SPEED
        super().__init__(player, WORDS, TimeLine(), speed)
        self.line.setToolTip(tr("Drag to move through the steps of the solution."))
        self.place = QLabel()
        """How many steps are made; the page has it above the board."""
        column(self.line, row(*self.buttons, self.speed, self.speed.label, REST, gap=GAP // 2), of=self, gap=4)
        self.follow()

    def follow(self) -> None:
        """Show the step that the player is at."""
        super().follow()
        at, count = self._player.at, self._player.count
        self.place.setText(tr("Step {number} of {count}", number=at, count=count) if count else "")
