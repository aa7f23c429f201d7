"""A slider for how fast something is played, with a label that says it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from studio.base.amounts import thousands
from studio.base.texts import tr
from studio.ui.widgets.controls import CalmSlider

LEAST_WIDTH, MOST_WIDTH = 60, 140


class SpeedSlider(CalmSlider):
    """Chooses one of some speeds in steps a second, the slowest at the left; None is as fast as it goes.

    `choose` hears of each choice, and of the first one.
    """

    def __init__(
        self, name: str, tip: str, speeds: Sequence[float | None], usual: int, choose: Callable[[float | None], object]
    ) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._tip, self._speeds, self._choose = tip, tuple(speeds), choose
        self.label = QLabel()
        widths = [self.label.fontMetrics().horizontalAdvance(rate(speed)) for speed in speeds]
        self.label.setMinimumWidth(max(widths))
        self.setRange(0, len(speeds) - 1)
        self.setPageStep(2)
        self.setAccessibleName(name)
        self.setMinimumWidth(LEAST_WIDTH)
        self.setMaximumWidth(MOST_WIDTH)
        self.setValue(usual)
        self.valueChanged.connect(self._follow)
        self._follow(usual)

    def _follow(self, number: int) -> None:
        speed = self._speeds[number]
        self._choose(speed)
        self.label.setText(rate(speed))
        self.setToolTip(f"{self._tip}: {rate(speed)}.")


def rate(speed: float | None) -> str:
    """A speed in words."""
    return (
        tr("Full speed")
        if speed is None
        else tr("{speed} steps/s", speed=thousands(speed))
        if speed != 1
        else "1 step/s"
    )
