"""The pieces in 3-D; below them a slider that explodes them, a film of the assembly, and the solutions to page through.

film: the assembly step by step, one piece in each. It is on from the first step until the last one is done, an edit or
the slider; while it is on, an arrow shows where the next piece goes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QWidget

from studio.base.amounts import at_least, extent, thousands
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera
from studio.ui.solid.renderer import Renderer
from studio.ui.solid.scene import Bed, SceneBody, Section, travels
from studio.ui.solid.view import SolidView
from studio.ui.widgets.controls import CalmSlider, Strip, large_button
from studio.ui.widgets.layout import column, row
from studio.ui.widgets.player import Player, play_button
from studio.ui.widgets.theme import GAP, MARGIN

# The strip that moves a section plane through the pieces: its axis, its place, and the side that is cut away.


AXES = ("X", "Y", "Z")
VALUE_WIDTH = 84
"""Room for the place of the plane, so that the slider does not change its length."""


class SectionBar(Strip):
    """Chooses a section; the view tells it the extent of the pieces."""

    changed = Signal()
    """Another section is chosen."""

    def __init__(self) -> None:
        super().__init__()
        self._keeps_low = [True, True, True]
        self._axis = 1
        self.axes = QButtonGroup(self)
        for number, name in enumerate(AXES):
            button = large_button(tr("Section across {axis}", axis=name))
            button.setText(name)
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.axes.addButton(button, number)
        buttons = self.axes.buttons()
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
        """The chosen section of bodies between two places (3,) in mm; the number shown counts from the first."""
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


TICKS = 1000
PIECE_SECONDS = 0.7
"""Duration of one piece's way in."""
LONGEST_SECONDS = 20.0
"""Longest duration of the whole assembly."""


ROOMY = 560
"""Width of the panel in pixels from which the slider has room for words at its ends."""


class SolidPanel(QWidget):
    """A view of bodies that can be exploded and assembled one by one in a given order."""

    turned = Signal(int)
    """Number of solutions to page by: 1 or -1."""

    def __init__(
        self, order: Sequence[int], makers: Sequence[Callable[[], Renderer]] | None = None, *, has_keys: bool = False
    ) -> None:
        """`has_keys`: all buttons have commands with keys, which their tool tips name."""
        super().__init__()
        self._has_keys = has_keys
        self.view = SolidView(makers)
        self._order: tuple[int, ...] = ()
        self._words: tuple[str, ...] = ()
        self.player = Player(parent=self)
        """Plays the film, a piece at 1, 2, and so on."""
        self._is_on = False
        """True while the film is on."""
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, TICKS)
        self.slider.setPageStep(TICKS // 10)
        self.slider.setSingleStep(TICKS // 50)
        self.slider.setAccessibleName(tr("Explode"))
        self.slider.setToolTip(tr("Distance between the pieces, from assembled to exploded."))
        self.play = play_button(self.player, self._tip(tr("Play assembly"), "P"), self._tip(tr("Pause"), "P"))
        self.back = large_button(self._tip(tr("Previous step"), "B"), "previous")
        self.step_on = large_button(self._tip(tr("Next step"), "S"), "step")
        self.former = large_button(self._tip(tr("Previous solution"), "Shift+N"), "previous")
        self.place = QLabel()
        self.next = large_button(self._tip(tr("Next solution"), "N"), "next")
        self.cut = large_button(self._tip(tr("Section"), "X"), "section")
        self.cut.setCheckable(True)
        self.measure = large_button(self._tip(tr("Dimensions"), "Shift+D"), "measure")
        self.measure.setCheckable(True)
        self.section = SectionBar()
        self.section.hide()
        for button in (self.measure, self.cut, self.play, self.back, self.step_on, self.former, self.next):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._lay_out()
        self.slider.valueChanged.connect(self._slide)
        self.slider.sliderPressed.connect(self.stop)
        self.back.clicked.connect(lambda: self.step(-1))
        self.step_on.clicked.connect(lambda: self.step(1))
        self.former.clicked.connect(lambda: self.turned.emit(-1))
        self.next.clicked.connect(lambda: self.turned.emit(1))
        self.player.moved.connect(self._follow)
        self.player.switched.connect(self._begin)
        self.cut.toggled.connect(self._cut)
        self.measure.toggled.connect(lambda is_on: setattr(self.view, "has_dimensions", is_on))
        self.section.changed.connect(self._move_section)
        self.setFocusProxy(self.view)
        self.set_order(order)
        self.show_place(0, 1)

    def _tip(self, words: str, keys: str) -> str:
        return f"{words} ({keys})" if self._has_keys else words

    def set_order(self, order: Sequence[int], words: Sequence[str] = ()) -> None:
        """Set the order of the assembly; `words` describe the steps."""
        if (tuple(order), tuple(words)) != (self._order, self._words):
            if self._is_on:
                self.stop()
                self.slider.setValue(0)
            self._order, self._words = tuple(order), tuple(words)
            self.player.count = len(self._order)
            self.player.whole_seconds = min(PIECE_SECONDS * len(self._order), LONGEST_SECONDS)

    def show_place(self, number: int, count: int, *, complete: bool = True) -> None:
        """Show the number of the solution in sight, counted from 0; hide it for a single solution."""
        for part in (self.former, self.place, self.next):
            part.setVisible(count > 1)
        known = at_least(thousands(count), exact=complete)
        self.place.setText(tr("Solution {number} of {count}", number=number + 1, count=known))

    def _lay_out(self) -> None:
        self.strip = Strip()
        film = (self.back, self.play, self.step_on)
        self._ends = QLabel(tr("Assembled")), QLabel(tr("Exploded"))
        self.film = QWidget()
        items = (*film, self._ends[0], (self.slider, 1), self._ends[1])
        row(*items, GAP, self.former, self.place, self.next, of=self.film)
        # On a plate there is no film; its neighbours keep their places.
        kept = self.film.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self.film.setSizePolicy(kept)
        row((self.film, 1), self.measure, self.cut, of=self.strip, margins=(MARGIN, 5, MARGIN, 4))
        column((self.view, 1), self.section, self.strip, of=self, gap=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        # In a narrow window the slider has the room of the words at its ends; its tool tip says the same.
        for label in self._ends:
            label.setVisible(self.width() >= ROOMY)
        super().resizeEvent(event)

    # Exploding and assembling

    def show_bodies(self, bodies: Sequence[SceneBody], *, bed: Bed | None = None, settled: bool) -> None:
        """Show bodies; bodies on a printer's bed cannot be moved apart."""
        self.film.setVisible(bed is None)
        if bed is not None:
            self.stop()
        self.view.show_bodies(bodies, bed=bed, settled=settled)
        self._move_section()
        if bed is not None:
            self.view.caption = bed.problem
        elif self._is_on:
            self._show()
        else:
            self._slide(self.slider.value(), moving=False)

    def _cut(self, is_on: bool) -> None:
        self.section.begin(self.view.camera)
        self.section.setVisible(is_on)
        self._move_section()

    def show_unit(self) -> None:
        """Show lengths in the unit in use."""
        self._move_section()
        self.view.update()

    def _move_section(self) -> None:
        self.view.show_section(self.section.section(*self.view.ends) if self.cut.isChecked() else None)

    def step(self, by: int) -> None:
        """Play the next step, or go back to the start of the previous one."""
        at = self.player.at
        if by < 0:
            self.player.seek(math.ceil((at if self._is_on else len(self._order)) - 1e-6) - 1)
        elif not self._is_on:
            self.player.seek(0)
        else:
            self.player.until = math.floor(at + 1e-6) + 1
            self.player.play()

    def stop(self) -> None:
        """Leave the film; the slider sets the distance of the pieces."""
        self.player.pause()
        if self._is_on:
            self._leave()
            self._slide(self.slider.value())

    def _slide(self, tick: int, *, moving: bool = True) -> None:
        self._leave()
        shares = np.full(len(self._order), tick / TICKS)
        if moving or shares.any():
            self.view.show_shares(shares)

    def _begin(self, playing: bool) -> None:
        if playing and not self._is_on:
            self.player.go_to(0)

    def _follow(self) -> None:
        """Show the film; at its end it is over."""
        if self._order:
            self._is_on = True
            self._show()
        if self.player.is_at_end:
            self._leave()

    def _show(self) -> None:
        at, count = self.player.at, len(self._order)
        shares = travels(at / count, self._order)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(float(shares.mean()) * TICKS))
        step = min(math.floor(at + 1e-6), count - 1)
        self.view.arrow = self._order[step]
        words = tr("Step {number} of {count}", number=step + 1, count=count)
        self.view.caption = f"{words}: {self._words[step]}" if step < len(self._words) else words
        self.view.show_shares(shares)

    def _leave(self) -> None:
        self._is_on = False
        self.view.arrow, self.view.caption = None, ""
