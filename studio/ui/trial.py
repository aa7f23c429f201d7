"""Tries out, in a thread, what comes of a drawing when it is made as the maker asks, and the other way beside it.

The other way: pieces apart where lines are shared, and shared where pieces are apart, so that both can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from studio.errors import StudioError
from studio.fabricate.making import Made, Making
from studio.fabricate.workshop import Machine, Material
from studio.geometry.drawing import Drawing
from studio.progress import Progress
from studio.ui.session.derived import Derived, Memory
from studio.ui.session.jobs import Jobs

Make = Callable[[Drawing, Making, Machine, Material, Progress], Made]

MAKING, COMPARING = "making", "making the other way"
PAUSE_MS = 200
"""How long nothing must change before it is tried."""
MOST_KEPT = 4


class MakingWish(NamedTuple):
    """All from which a drawing is made."""

    making: Making
    machine: Machine
    material: Material

    @property
    def other(self) -> MakingWish:
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
        self._drawing, self._make = drawing, make
        memory = Memory[Outcome](MOST_KEPT)
        self._wished = Derived(jobs, MAKING, self._try, pause=PAUSE_MS, remembered=memory, parent=self)
        self._other = Derived(jobs, COMPARING, self._try, remembered=memory, parent=self)
        self._wished.changed.connect(self._compare)
        self._other.changed.connect(self.changed)

    @property
    def wish(self) -> MakingWish | None:
        """What was asked for last."""
        return self._wished.question

    @property
    def outcome(self) -> Outcome | None:
        """What comes of the wish; None while it is not known."""
        return _outcome(self._wished)

    @property
    def other(self) -> Outcome | None:
        """What comes of the wish the other way; None while it is not known."""
        return _outcome(self._other)

    @property
    def progress(self) -> float:
        """How far the answer is, from 0 to 1."""
        return self._wished.share

    def ask(self, wish: MakingWish | None) -> None:
        """Find out what comes of a wish; an older one that is still being tried is given up. None asks for nothing."""
        self._wished.ask(wish)

    def stop(self) -> None:
        """Find out nothing any more."""
        self._wished.cancel()
        self._other.cancel()

    def _compare(self) -> None:
        """Try the other way as soon as it is known what comes of the wish."""
        self._other.ask(None if self.wish is None else self.wish.other, settled=self.outcome is not None)
        self.changed.emit()

    def _try(self, wish: MakingWish, progress: Progress) -> Outcome:
        try:
            return Outcome(self._make(self._drawing, wish.making, wish.machine, wish.material, progress))
        except StudioError as problem:
            return Outcome(None, str(problem))


def _outcome(derived: Derived[MakingWish, Outcome]) -> Outcome | None:
    return Outcome(None, derived.problem) if derived.problem else derived.answer
