"""Plays the film of a search at any speed, and stops at every solution and at the end."""

from __future__ import annotations

from PySide6.QtCore import QObject

from studio.solving.film import Film
from studio.ui.widgets.step_timer import StepPlayer

SPEEDS = (1, 2, 5, 10, 20, 50, 100, 300, 1000, 3000, 10_000, 30_000, 100_000, 300_000)
"""Steps a second."""
USUAL_SPEED = 4
SLOW = 60
"""The fastest speed in steps a second at which the eye can follow a single step."""


class FilmPlayer(StepPlayer):
    """Plays one film at a time."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(SPEEDS[USUAL_SPEED], parent)
        self.film: Film | None = None

    @property
    def is_slow(self) -> bool:
        """Whether the eye can follow the single step."""
        return not self.is_playing or self.speed <= SLOW

    def show_film(self, film: Film | None) -> None:
        """Take another film, at its beginning, or none."""
        self.pause()
        self.film = film
        self.load(0 if film is None else len(film))

    def stop_after(self, at: int) -> int:
        """The next solution from a moment on, or the end."""
        return self.count if self.film is None else self.film.stop_after(at)

    def go_to_end(self) -> None:
        """Go to the first solution; from there on to the end."""
        first = self.stop_after(0)
        self.seek(first if self.at < first else self.count)
