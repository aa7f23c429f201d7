"""A supposed edge and all that follows from it by easy rules and corner pairs; all of it can be undone."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from studio.puzzles.slitherlink.groups import ANY, OFF, ON, UNKNOWN

if TYPE_CHECKING:
    from studio.puzzles.slitherlink.rules import Reasoner


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
        self._ends: list[tuple[int, int, int, int, int]] = []

    def undo(self) -> None:
        """Put everything back."""
        reasoner = self._of
        for edge, _ in self.drawn:
            reasoner.value[edge] = UNKNOWN
        for group, left in reversed(self._before):
            self._deep[group] = left
        for first, before, last, after, paths in reversed(self._ends):
            reasoner.far[first], reasoner.far[last], reasoner.paths = before, after, paths

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
        reasoner = self._of
        far = reasoner.far
        one, other = reasoner.net.ends[edge]
        first, last = far[one], far[other]
        if first == other:
            if not reasoner.completes(None):
                raise Fails(-1)
            return True
        self._ends.append((first, far[first], last, far[last], reasoner.paths))
        reasoner.paths += 1 - (first != one) - (last != other)
        far[first], far[last] = last, first
        closing = reasoner.ground.between.get(frozenset((first, last)))
        if closing is not None and reasoner.value[closing] == UNKNOWN and not reasoner.completes(closing):
            pending.append((closing, OFF))
        return False
