"""The strip that moves a section plane through the pieces: across which axis, how far, and which side is cut away."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QLabel, QToolButton

from studio.base.amounts import extent
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.camera import Camera
from studio.ui.solid.scene import Section
from studio.ui.widgets.controls import CalmSlider, Strip, large_button
from studio.ui.widgets.layout import row
from studio.ui.widgets.theme import MARGIN

TICKS = 1000
AXES = ("X", "Y", "Z")
VALUE_WIDTH = 84
"""Room for the place of the plane, so that the slider does not change its length."""


class SectionBar(Strip):
    """Chooses a section; what it cuts tells it how far the pieces reach."""

    changed = Signal()
    """Another section is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._keeps_low = [True, True, True]
        self._axis = 1
        self.axes = QButtonGroup(self)
        buttons = [_axis_button(name) for name in AXES]
        for number, button in enumerate(buttons):
            self.axes.addButton(button, number)
        buttons[self._axis].setChecked(True)
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, TICKS)
        self.slider.setPageStep(TICKS // 10)
        self.slider.setSingleStep(TICKS // 100)
        self.slider.setValue(TICKS // 2)
        self.slider.setAccessibleName(tr("Section"))
        self.slider.setToolTip(tr("Position of the section plane"))
        self.value = QLabel()
        self.value.setFixedWidth(VALUE_WIDTH)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.flip = large_button(tr("Cut away the other side"), "turn-over")
        row(*buttons, (self.slider, 1), self.value, self.flip, of=self, margins=(MARGIN, 5, MARGIN, 4))
        self.axes.idClicked.connect(self._choose)
        self.slider.valueChanged.connect(self.changed)
        self.flip.clicked.connect(self._turn_over)

    def begin(self, camera: Camera) -> None:
        """Start with the sides that face the eye cut away, so that the inside is seen."""
        self._keeps_low = [float(each) > 0 for each in camera.axes[2]]

    def section(self, low: Floats, high: Floats) -> Section:
        """The section that is chosen of something between two places (3,) in mm; its own number starts there."""
        reach = float(high[self._axis] - low[self._axis])
        there = self.slider.value() / TICKS * reach
        self.value.setText(extent(there))
        return Section(self._axis, float(low[self._axis]) + there, self._keeps_low[self._axis])

    def _choose(self, axis: int) -> None:
        self._axis = axis
        with QSignalBlocker(self.slider):
            self.slider.setValue(TICKS // 2)
        self.changed.emit()

    def _turn_over(self) -> None:
        self._keeps_low[self._axis] = not self._keeps_low[self._axis]
        self.changed.emit()


def _axis_button(name: str) -> QToolButton:
    button = large_button(tr("Section across {axis}", axis=name))
    button.setText(name)
    button.setCheckable(True)
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    return button
