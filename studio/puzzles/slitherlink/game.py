"""A position of a game of a slitherlink: lines, crosses, shaded cells and an open trial, and what follows from them.

line: an edge that is drawn. cross: an edge that is ruled out. trial: what was drawn since a position that is kept, to
be taken over or thrown away as a whole.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Ints, frozen
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from studio.solving.net import Net

Bools = NDArray[np.bool_]
UNKNOWN, LINE, CROSS = range(3)
"""What an edge can be."""
BLANK, INSIDE, OUTSIDE = range(3)
"""How a cell can be shaded."""


@dataclass(frozen=True)
class Game:
    """A position: a byte for every edge, one for every cell, and the position in which an open trial began."""

    edges: bytes
    shades: bytes
    before: Game | None = None

    @cached_property
    def states(self) -> Ints:
        """What every edge is."""
        return frozen(np.frombuffer(self.edges, np.uint8).astype(np.int64))

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The edges that are drawn, ascending."""
        return tuple(np.flatnonzero(self.states == LINE).tolist())

    @cached_property
    def crosses(self) -> tuple[int, ...]:
        """The edges that are crossed out, ascending."""
        return tuple(np.flatnonzero(self.states == CROSS).tolist())

    @cached_property
    def tried(self) -> Bools:
        """Which edges changed during the open trial."""
        before = self if self.before is None else self.before
        changed: Bools = self.states != before.states
        return changed

    def with_changes(self, edges: Mapping[int, int], shades: Mapping[int, int]) -> Game:
        """The position with some edges and some cells as given."""
        return replace(self, edges=_changed(self.edges, edges), shades=_changed(self.shades, shades))


def _changed(values: bytes, changes: Mapping[int, int]) -> bytes:
    if not changes:
        return values
    made = bytearray(values)
    for at, value in changes.items():
        made[at] = value
    return bytes(made)


class Wiring(NamedTuple):
    """The two dots (m, 2) of every edge, and the two cells (m, 2) at its sides, the outside being the last one."""

    ends: Ints
    sides: Ints
    dots: int
    cells: int


def wiring(p: SlitherlinkParameters) -> Wiring:
    """The grid of a slitherlink as arrays."""
    return _wiring(p.net)


@lru_cache(maxsize=16)
def _wiring(net: Net) -> Wiring:
    ends, sides = (frozen(np.array(pairs, np.int64)) for pairs in (net.ends, net.sides))
    return Wiring(ends, sides, len(net.stars), net.outside)


def blank(p: SlitherlinkParameters) -> Game:
    """The position in which nothing is drawn."""
    return Game(bytes(len(p.net.ends)), bytes(p.net.outside))


def around_cells(wires: Wiring, edges: Bools) -> Ints:
    """How many of some edges every cell has."""
    return frozen(np.bincount(wires.sides[edges].ravel(), minlength=wires.cells + 1)[:-1])


def at_dots(wires: Wiring, edges: Bools) -> Ints:
    """How many of some edges meet at every dot."""
    return frozen(np.bincount(wires.ends[edges].ravel(), minlength=wires.dots))


class ClueStates(NamedTuple):
    """The cells of the clues, and which of them are satisfied or contradicted, with too many lines or too few left."""

    cells: Ints
    satisfied: Bools
    contradicted: Bools


def clue_states(design: SlitherlinkDesign, game: Game) -> ClueStates:
    """How the clues are met."""
    wires = wiring(design.parameters)
    cells = np.array([*design.clues], np.int64)
    wanted = np.array([*design.clues.values()], np.int64)
    lines = around_cells(wires, game.states == LINE)[cells]
    open_ = around_cells(wires, game.states != CROSS)[cells]
    return ClueStates(cells, lines == wanted, (lines > wanted) | (open_ < wanted))


def is_solved(design: SlitherlinkDesign, game: Game) -> bool:
    """Whether the lines are one loop that satisfies all clues, whatever is crossed out."""
    if not game.lines or not clue_states(design, game).satisfied.all():
        return False
    met = at_dots(wiring(design.parameters), game.states == LINE)
    return bool(((met == 0) | (met == 2)).all()) and len(design.parameters.net.loops(game.lines)) == 1


def ruled_out(design: SlitherlinkDesign, game: Game) -> Bools:
    """The edges without a line that cannot have one, as clues and dots have all their lines, or lead nowhere.

    Crosses are among them.
    """
    p = design.parameters
    wires, lines = wiring(p), game.states == LINE
    wanted = np.full(wires.cells + 1, -1)
    wanted[[*design.clues]] = [*design.clues.values()]
    full_cells = np.append(around_cells(wires, lines), 0) == wanted
    full_dots = at_dots(wires, lines) >= 2
    out: Bools = (game.states == CROSS) | full_cells[wires.sides].any(axis=1) | full_dots[wires.ends].any(axis=1)
    out &= ~lines
    while True:
        dead = at_dots(wires, ~out) < 2
        more = dead[wires.ends].any(axis=1) & ~out & ~lines
        if not more.any():
            return out
        out |= more


def known_sides(design: SlitherlinkDesign, game: Game, out: Bools) -> bytes:
    """Which cells must be inside or outside by the lines, and the edges that are ruled `out`, between them and the rim.

    Where the lines contradict each other, the cells are shaded by some of them.
    """
    net, wires = design.parameters.net, wiring(design.parameters)
    known = np.where(game.states == LINE, LINE, np.where(out, CROSS, UNKNOWN)).astype(np.uint8).tobytes()
    found = bytearray(net.outside + 1)
    found[net.outside] = OUTSIDE
    todo = []
    for edge in np.flatnonzero((wires.sides == net.outside).any(axis=1)).tolist():
        cell = min(net.sides[edge])
        if known[edge] and not found[cell]:
            found[cell] = INSIDE if known[edge] == LINE else OUTSIDE
            todo.append(cell)
    while todo:
        cell = todo.pop()
        here = found[cell]
        for edge, other in zip(net.edges[cell], net.near[cell], strict=True):
            if known[edge] and not found[other]:
                found[other] = here if known[edge] == CROSS else INSIDE + OUTSIDE - here
                todo.append(other)
    return bytes(found[:-1])


def connected(design: SlitherlinkDesign, lines: Iterable[int]) -> list[list[int]]:
    """The lines in groups that hang together, each ascending, by their first."""
    net, left = design.parameters.net, {*lines}
    groups = []
    for first in sorted(left):
        if first not in left:
            continue
        left.discard(first)
        group, todo = [first], [first]
        while todo:
            for dot in net.ends[todo.pop()]:
                for edge in net.stars[dot]:
                    if edge in left:
                        left.discard(edge)
                        group.append(edge)
                        todo.append(edge)
        groups.append(sorted(group))
    return groups
