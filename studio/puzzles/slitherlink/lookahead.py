"""A supposed edge and all that follows from it by easy rules and corner pairs; all of it can be undone."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from studio.base.progress import Progress
from studio.puzzles.slitherlink.edge_groups import ANY, OFF, ON, UNKNOWN, Joint

if TYPE_CHECKING:
    from studio.puzzles.slitherlink.rules import Reasoner


TRIALS = (6, 16, 48, 160)
"""Most edges that a look-ahead follows, in successive tries: the shortest look-aheads come first."""


class LookAhead:
    """Looks for a supposition that fails; suppositions without harm are remembered while no clue is given."""

    def __init__(self, reasoner: Reasoner, progress: Progress) -> None:
        self._of, self._progress = reasoner, progress
        self._harmless: set[tuple[int, int]] = set()
        self.is_fresh = True
        """True if nothing was found since the last clue was given."""

    def find(self) -> tuple[int, int, int, int] | None:
        """Return edge and value of the supposition of the shortest look-ahead that fails, and what `_suppose` says."""
        values = self._of.value
        if self.is_fresh:
            self._harmless.clear()
        while True:
            for most in TRIALS:
                for edge, known in enumerate(values):
                    if known != UNKNOWN:
                        continue
                    self._progress.step(1 - self._of.unknown / len(values))
                    for value in (ON, OFF):
                        if (edge, value) in self._harmless:
                            continue
                        fails = self._suppose(edge, value, most)
                        if fails is not None:
                            self.is_fresh = False
                            return edge, value, *fails
            if self.is_fresh or not self._harmless:
                return None
            self.is_fresh = True
            self._harmless.clear()

    def _suppose(self, first: int, value: int, most: int) -> tuple[int, int] | None:
        """The group in which an edge supposed on or off leaves no way, -1 for a closed loop, and the edges followed."""
        trial = Trial(self._of, self._of.deep, most)
        try:
            trial.follow(first, value)
        except Fails as fails:
            return fails.group, len(trial.drawn)
        finally:
            trial.undo()
        if trial.is_whole:
            self._harmless.update(trial.drawn)
        return None


class Fails(Exception):
    """The group that is left no way; -1 for a loop that closes too early."""

    def __init__(self, group: int) -> None:
        super().__init__()
        self.group = group


class Trial:
    """Consequences of one supposed edge by easy and normal rules, with undo."""

    def __init__(self, reasoner: Reasoner, deep: list[int], most: int) -> None:
        self._of, self._deep, self._most = reasoner, deep, most
        self.drawn: list[tuple[int, int]] = []
        self.is_whole = True
        """True if every consequence was followed to its end."""
        self._before: list[tuple[int, int]] = []
        self._joints: list[Joint] = []

    def undo(self) -> None:
        """Put everything back."""
        reasoner = self._of
        for edge, _ in self.drawn:
            reasoner.value[edge] = UNKNOWN
        for group, left in reversed(self._before):
            self._deep[group] = left
        for joint in reversed(self._joints):
            reasoner.loop.take_back(joint)

    def follow(self, first: int, value: int) -> None:
        """Suppose an edge; raise Fails if that is impossible."""
        reasoner, deep = self._of, self._deep
        ground, known, is_live = reasoner.ground, reasoner.value, reasoner.is_live
        pending, todo = [(first, value)], deque[int]()
        while True:
            while pending:
                edge, value = pending.pop()
                if known[edge] == value:
                    continue
                if len(self.drawn) >= self._most:
                    self.is_whole = False
                    return
                known[edge] = value
                self.drawn.append((edge, value))
                for group, ways in ground.touched[value][edge]:
                    before = deep[group]
                    left = before & ways
                    if left != before and is_live[group]:
                        self._before.append((group, before))
                        deep[group] = left
                        if not left:
                            raise Fails(group)
                        todo.append(group)
                if value == ON and self._joined(edge, pending):
                    return
            if not todo:
                return
            group = todo.popleft()
            ways_here = ground.ways[group]
            left = deep[group]
            masks = ways_here.masks[left]
            for here, other, there in ground.corners[group]:
                mask = masks[here]
                if mask != ANY and is_live[other]:
                    before = deep[other]
                    fewer = before & ground.ways[other].allowed[there][mask]
                    if fewer != before:
                        self._before.append((other, before))
                        deep[other] = fewer
                        if not fewer:
                            raise Fails(other)
                        todo.append(other)
            on, off = ways_here.fixed[left]
            edges = ground.edges[group]
            pending += [(edges[at], ON) for at in on if not known[edges[at]]]
            pending += [(edges[at], OFF) for at in off if not known[edges[at]]]

    def _joined(self, edge: int, pending: list[tuple[int, int]]) -> bool:
        """Join a line to the pieces; return whether it completes the loop; raise Fails if it closes one too early."""
        loop = self._of.loop
        joint = loop.join(edge)
        if joint is None:
            if not loop.completes():
                raise Fails(-1)
            return True
        self._joints.append(joint)
        if joint.closing is not None and not loop.completes(joint.closing):
            pending.append((joint.closing, OFF))
        return False
