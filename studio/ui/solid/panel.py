"""The pieces in 3-D, and below them a slider that explodes them and a button that plays the assembly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QSignalBlocker, Qt, QVariantAnimation
from PySide6.QtWidgets import QLabel, QWidget

from studio.texts import tr
from studio.ui.layout import column, row
from studio.ui.solid.renderer import Renderer
from studio.ui.solid.scene import SceneBody, travels
from studio.ui.solid.view import SolidView
from studio.ui.theme import MARGIN
from studio.ui.widgets import CalmSlider, Strip, large_button, relabel

TICKS = 1000
PIECE_MS = 700
"""How long one piece takes to go in."""
LONGEST_MS = 20_000
"""How long all pieces take at most."""


class SolidPanel(QWidget):
    """A view of bodies that can be exploded and assembled one by one in a given order."""

    def __init__(self, order: Sequence[int], makers: Sequence[Callable[[], Renderer]] | None = None) -> None:
        super().__init__()
        self.view = SolidView(makers)
        self._order: tuple[int, ...] = ()
        self.slider = CalmSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, TICKS)
        self.slider.setPageStep(TICKS // 10)
        self.slider.setSingleStep(TICKS // 50)
        self.slider.setAccessibleName(tr("Explode"))
        self.slider.setToolTip(tr("Distance between the pieces, from assembled to exploded."))
        self.play = large_button(tr("Play assembly (P)"))
        self.play.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._animation = QVariantAnimation(self, startValue=0.0, endValue=1.0)
        self._lay_out()
        self.slider.valueChanged.connect(self._slide)
        self.slider.sliderPressed.connect(self.stop)
        self.play.clicked.connect(self.toggle)
        self._animation.valueChanged.connect(self.seek)
        self._animation.finished.connect(self._arrive)
        self.setFocusProxy(self.view)
        self._name_button()
        self.set_order(order)

    def set_order(self, order: Sequence[int]) -> None:
        """Assemble in another order from now on."""
        if tuple(order) != self._order:
            self.stop()
            self._order = tuple(order)
            self._animation.setDuration(min(PIECE_MS * len(self._order), LONGEST_MS))

    def _lay_out(self) -> None:
        self.strip = Strip()
        items = (self.play, QLabel(tr("Assembled")), (self.slider, 1), QLabel(tr("Exploded")))
        row(*items, of=self.strip, margins=(MARGIN, 5, MARGIN, 4))
        column((self.view, 1), self.strip, of=self, gap=0)

    # Exploding and assembling

    def show_bodies(self, bodies: Sequence[SceneBody], *, on_plate: bool, settled: bool) -> None:
        """Show bodies; those on a plate stay where they are."""
        self.strip.setVisible(not on_plate)
        if on_plate:
            self.stop()
        self.view.show_bodies(bodies, on_plate=on_plate, settled=settled)
        if not on_plate and not self.is_playing:
            self._slide(self.slider.value(), moving=False)

    @property
    def is_playing(self) -> bool:
        """Whether the assembly is playing."""
        return self._animation.state() is QVariantAnimation.State.Running

    def toggle(self) -> None:
        """Play the assembly from the start, or stop it."""
        if self.is_playing:
            self.stop()
        else:
            self._animation.start()
            self._name_button()

    def stop(self) -> None:
        """Stop; the slider says how far the pieces are apart."""
        if self.is_playing:
            self._animation.stop()
            self._arrive()

    def _slide(self, tick: int, *, moving: bool = True) -> None:
        shares = np.full(len(self._order), tick / TICKS)
        if moving or shares.any():
            self.view.show_shares(shares)

    def seek(self, share: float) -> None:
        """Show the assembly when a share of it has passed, from 0 to 1."""
        shares = travels(float(share), self._order)
        with QSignalBlocker(self.slider):
            self.slider.setValue(round(float(shares.mean()) * TICKS))
        self.view.show_shares(shares)

    def _arrive(self) -> None:
        self._name_button()
        self._slide(self.slider.value())

    def _name_button(self) -> None:
        if self.is_playing:
            relabel(self.play, tr("Stop (P)"), "pause")
        else:
            relabel(self.play, tr("Play assembly (P)"), "play")
