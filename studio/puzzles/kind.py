"""Kinds of puzzles, each a table of pure functions from which window, command line and files follow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import within
from studio.checks.finding import Checked, Problem
from studio.puzzles.abilities.ability import Ability, Editable

P = TypeVar("P")
D = TypeVar("D")
S = TypeVar("S")
A = TypeVar("A", bound=Ability)


@dataclass(frozen=True)
class Generated(Generic[D]):
    """A design for some parameters, and the edits of the design before that found no place in it, in words."""

    design: D
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True)
class Kind(Generic[P, D, S]):
    """A kind of puzzle.

    A design is a frozen dataclass: `parameters`, a frozen dataclass too, the edits, whose fields have defaults, and
    random content, if a `generator` makes it. `shape` and `check` may be given their answer for a similar design,
    and keep all that did not change, which makes a drag cheap.
    """

    key: str
    title: str
    summary: str
    parameters: type[P]
    design: type[D]
    shape: Callable[[D, S | None, Progress], S]
    check: Callable[[D, S, Checked | None, Progress], Checked]
    generator: Callable[[P, Progress], D] | None = None
    """A new design, for a kind whose designs have random content; without it the parameters alone make one."""
    carry: Callable[[P, D, Progress], Generated[D]] | None = None
    """A design for new parameters with the edits of another one; without it all of them are kept."""
    verify: Callable[[D], None] = lambda _design: None
    """Raises StudioError for a design, read from a file, whose edits name no element."""
    is_small_step: Callable[[S, S], bool] = lambda _now, _then: False
    """True if new shapes differ so little from old ones that updating the check fits in a frame."""
    problems: tuple[Problem, ...] = ()
    """All that its check can find."""
    abilities: tuple[Ability, ...] = ()

    @property
    def noun(self) -> str:
        """The kind within a sentence: `jigsaw`."""
        return within(self.title)

    def generate(self, parameters: P, previous: D | None, progress: Progress) -> Generated[D]:
        """The design for some parameters, with all edits of the previous design that have a place in it."""
        progress.step(0.0)
        if previous is None:
            make: Any = self.design
            return Generated(make(parameters) if self.generator is None else self.generator(parameters, progress))
        if self.carry is not None:
            return self.carry(parameters, previous, progress)
        return Generated(replace(previous, parameters=parameters))  # type: ignore[type-var]  # it is a dataclass

    def edit(self, texts: str) -> Callable[[D, Progress], Generated[D]]:
        """Return a function that makes edits, texts such as `flip A1-A2; pin 1,1`, one after the other.

        Raises StudioError for a text that is no edit of the kind; the function for an edit that is not possible.
        """
        edits = self.need(Editable).read(texts)

        def edited(design: D, progress: Progress) -> Generated[D]:
            dropped: list[str] = []
            for at, edit in enumerate(edits):
                found = edit(design, progress.part(at / len(edits), (at + 1) / len(edits)))
                made = found if isinstance(found, Generated) else Generated(found)
                design, dropped = made.design, [*dropped, *made.dropped]
            return Generated(design, tuple(dropped))

        return edited

    def example(self) -> D:
        """The design that a new window shows."""
        return self.generate(self.parameters(), None, SILENT).design

    def able(self, ability: type[A]) -> A | None:
        """An ability of the kind, or None."""
        return next((each for each in self.abilities if isinstance(each, ability)), None)

    def need(self, ability: type[A]) -> A:
        """An ability of the kind; raises StudioError for a kind that lacks it."""
        found = self.able(ability)
        if found is None:
            raise StudioError(ability.lacking.format(key=self.key))
        return found


AnyKind = Kind[Any, Any, Any]
"""The kinds of puzzle that the studio knows."""
