"""Tries out, in a thread, what comes of a drawing when it is made as the maker asks, and the other way beside it.

The other way: pieces apart where lines are shared, and shared where pieces are apart, so that both can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from PySide6.QtCore import QObject, Signal

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.fabricate.making import Made, Making
from studio.fabricate.workshop import Machine, Material
from studio.geometry.planar.drawing import Drawing
from studio.ui.session.derived import Derived, Memory
from studio.ui.session.jobs import Jobs

Make = Callable[[Drawing, Making, Machine, Material, Progress], Made]

MAKING, COMPARING = "making", "making the other way"
PAUSE_MS = 200
"""How long nothing must change before it is tried."""
MOST_KEPT = 4


class MakingRequest(NamedTuple):
    """All from which a drawing is made."""

    making: Making
    machine: Machine
    material: Material

    @property
    def other(self) -> MakingRequest:
        """The same with lines shared instead of apart, or apart instead of shared."""
        making = self.making
        if making.lines == "shared":
            return self._replace(making=replace(making, lines="separate"))
        # Several copies can only lie on the bed, where separate pieces lie anyway.
        page = "bed" if making.copies > 1 else making.page
        return self._replace(making=replace(making, lines="shared", page=page))


@dataclass(frozen=True, eq=False)
class Outcome:
    """The result of a request: what was made, or the sentence that says why it cannot be."""

    made: Made | None
    refusal: str = ""


class Trial(QObject):
    """Tries one request; `changed` reports every new state."""

    changed = Signal()

    def __init__(self, drawing: Drawing, make: Make, jobs: Jobs, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._drawing, self._make = drawing, make
        memory = Memory[Outcome](MOST_KEPT)
        self._requested = Derived(jobs, MAKING, self._try, pause=PAUSE_MS, remembered=memory, parent=self)
        self._other = Derived(jobs, COMPARING, self._try, remembered=memory, parent=self)
        self._requested.changed.connect(self._compare)
        self._other.changed.connect(self.changed)

    @property
    def request(self) -> MakingRequest | None:
        """What was asked for last."""
        return self._requested.question

    @property
    def outcome(self) -> Outcome | None:
        """The result of the request; None while it is not known."""
        return _outcome(self._requested)

    @property
    def other(self) -> Outcome | None:
        """The result of the request made the other way; None while it is not known."""
        return _outcome(self._other)

    @property
    def progress(self) -> float:
        """How far the answer is, from 0 to 1."""
        return self._requested.share

    def ask(self, request: MakingRequest | None) -> None:
        """Try a request; an older one that is still being tried is cancelled. None tries nothing."""
        self._requested.ask(request)

    def stop(self) -> None:
        """Find out nothing any more."""
        self._requested.cancel()
        self._other.cancel()

    def _compare(self) -> None:
        """Try the other way as soon as the result of the request is known."""
        self._other.ask(None if self.request is None else self.request.other, settled=self.outcome is not None)
        self.changed.emit()

    def _try(self, request: MakingRequest, progress: Progress) -> Outcome:
        try:
            return Outcome(self._make(self._drawing, request.making, request.machine, request.material, progress))
        except StudioError as problem:
            return Outcome(None, str(problem))


def _outcome(derived: Derived[MakingRequest, Outcome]) -> Outcome | None:
    return Outcome(None, derived.problem) if derived.problem else derived.answer
