"""Tries out, in a thread, what comes of a drawing when it is made as the maker asks, and the other way beside it.

The other way: pieces apart where lines are shared, and shared where pieces are apart, so that both can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from studio.errors import StudioError
from studio.fabricate.making import Made, Making
from studio.fabricate.workshop import Machine, Material
from studio.geometry.drawing import Drawing
from studio.progress import Progress
from studio.ui.session.jobs import Jobs

Make = Callable[[Drawing, Making, Machine, Material, Progress], Made]

MAKING = "making"
PAUSE_MS = 200
"""How long nothing must change before it is tried."""
MOST_KEPT = 4


class Wish(NamedTuple):
    """All from which a drawing is made."""

    making: Making
    machine: Machine
    material: Material

    @property
    def other(self) -> Wish:
        """The same with lines shared instead of apart, or apart instead of shared."""
        making = self.making
        if making.lines == "shared":
            return self._replace(making=replace(making, lines="separate"))
        # Several copies can only lie on the bed, where separate pieces lie anyway.
        page = "bed" if making.copies > 1 else making.page
        return self._replace(making=replace(making, lines="shared", page=page))


@dataclass(frozen=True, eq=False)
class Outcome:
    """What came of a wish: what was made, or the sentence that says why it cannot be."""

    made: Made | None
    refusal: str = ""


class Trial(QObject):
    """Holds one wish and finds out what comes of it; `changed` tells of every news."""

    changed = Signal()

    def __init__(self, drawing: Drawing, make: Make, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing, self._make, self._jobs = drawing, make, jobs
        self._wish: Wish | None = None
        self._known: dict[Wish, Outcome] = {}
        self.progress = 0.0
        """How far the answer is, from 0 to 1."""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._go_on)

    @property
    def wish(self) -> Wish | None:
        """What was asked for last."""
        return self._wish

    @property
    def outcome(self) -> Outcome | None:
        """What comes of the wish; None while it is not known."""
        return self._of(self._wish)

    @property
    def other(self) -> Outcome | None:
        """What comes of the wish the other way; None while it is not known."""
        return self._of(self._wish.other if self._wish is not None else None)

    def ask(self, wish: Wish | None) -> None:
        """Find out what comes of a wish; an older one that is still being tried is given up. None asks for nothing."""
        if wish == self._wish:
            return
        self._wish = wish
        if wish is not None and wish in self._known:
            # What was asked for last is forgotten last.
            self._known[wish] = self._known.pop(wish)
        self._jobs.cancel(MAKING)
        self.progress = 0.0
        self._pause.start()
        self.changed.emit()

    def stop(self) -> None:
        """Find out nothing any more."""
        self._pause.stop()
        self._jobs.cancel(MAKING)

    def _of(self, wish: Wish | None) -> Outcome | None:
        return None if wish is None else self._known.get(wish)

    def _go_on(self) -> None:
        """Try what is wanted and not yet known: the wish first, then the other way."""
        if self._wish is None:
            return
        for wish in (self._wish, self._wish.other):
            if wish not in self._known:
                self._jobs.start(
                    MAKING,
                    partial(self._try, wish),
                    done=partial(self._done, wish),
                    failed=partial(self._failed, wish),
                    told=self._told,
                )
                return

    def _try(self, wish: Wish, progress: Progress) -> Made:
        return self._make(self._drawing, wish.making, wish.machine, wish.material, progress)

    def _told(self, fraction: float, _note: str) -> None:
        if self.outcome is None:
            self.progress = fraction
            self.changed.emit()

    def _done(self, wish: Wish, made: Made) -> None:
        self._learned(wish, Outcome(made))

    def _failed(self, wish: Wish, problem: StudioError) -> None:
        self._learned(wish, Outcome(None, str(problem)))

    def _learned(self, wish: Wish, outcome: Outcome) -> None:
        self._known[wish] = outcome
        while len(self._known) > MOST_KEPT:
            del self._known[next(iter(self._known))]
        self.changed.emit()
        self._go_on()
