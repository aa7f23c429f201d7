"""The rules by which people solve slitherlinks, each used up before a harder one is tried.

plain: the ways of a group that the known edges leave. deep: the ways that corner pairs and sides leave, too. side:
inside or outside of the loop. tinted: a group whose deep ways rest on sides. full: a clue of all edges of its cell but
one, such as the 3 of a square.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from studio.base.progress import SILENT, Progress
from studio.puzzles.slitherlink.edge_groups import (
    ANY,
    EQUAL,
    OFF,
    ON,
    OPPOSITE,
    UNKNOWN,
    Contradiction,
    Joint,
    Loop,
    Sides,
    ground_of,
)
from studio.solving.loops import Net

CLUE, DOT, LOOP, RIM, BESIDE, DIAGONAL, REACHED, AROUND, PAIRS, SIDES, TRIAL = (
    "clue", "dot", "loop", "rim", "beside", "diagonal", "reached", "around", "pairs", "sides", "look-ahead",
)  # fmt: skip
LEVELS = {
    CLUE: 0, DOT: 0, LOOP: 0, RIM: 0, BESIDE: 0, DIAGONAL: 0, REACHED: 0, AROUND: 1, PAIRS: 2, SIDES: 3, TRIAL: 3,
}  # fmt: skip
"""Level of each rule."""
TRIALS = (6, 16, 48, 160)
"""Most edges that a look-ahead follows, in successive tries: the shortest look-aheads come first."""


@dataclass(frozen=True)
class Deduction:
    """Edges that a rule finds, the group that it looks at (or -1), and its further grounds.

    In a look-ahead, `group` is the place of failure (-1 for a closed loop), and `count` the edges that it follows.
    """

    rule: str
    on: tuple[int, ...]
    off: tuple[int, ...]
    group: int = -1
    others: tuple[int, ...] = ()
    count: int = 0


class Reasoner:
    """Solves a slitherlink step by step by rules up to a level; clues can be added on the way."""

    def __init__(
        self, net: Net, clues: Mapping[int, int], level: int, state: Sequence[int] = (), progress: Progress = SILENT
    ) -> None:
        self.ground = ground = ground_of(net)
        self.net = net
        self.level = level
        self.value = [UNKNOWN] * len(net.ends)
        self.unknown = len(net.ends)
        self.counts = dict.fromkeys(LEVELS, 0)
        """Number of drawn steps of each rule."""
        self.left: dict[int, int] = {}
        """For each level: the number of edges that the rules of all levels below it leave unknown."""
        self.clues: dict[int, int] = {}
        self.is_closed = False
        self.loop = Loop(ground, self.value, self.clues)
        self.plain, self.deep = [*ground.first], [*ground.first]
        self.because: dict[int, list[int]] = {}
        """For groups whose deep ways a corner cut down: the groups that said so."""
        self.is_live = [group < ground.dots for group in range(len(ground.edges))]
        # Groups to look at again, each at most once in a line: by their ways, at their dots, by clues, and by pairs.
        self._todo, self._near, self._wide, self._later = (deque[int]() for _ in range(4))
        self._is_todo, self._is_near, self._is_wide, self._is_later = ([False] * len(ground.edges) for _ in range(4))
        self._passed: list[tuple[int, ...]] = [
            ways.masks[left] for ways, left in zip(ground.ways, self.deep, strict=True)
        ]
        self._closing: deque[int] = deque()
        self._beside: deque[tuple[int, int]] = deque()
        self._diagonal: deque[tuple[int, int, int]] = deque()
        self._sides = Sides(net.outside + 1)
        self._news: list[int] = []
        self._tinted: set[int] = set()
        self._at, self._quiet = 0, 0
        self._ahead = LookAhead(self, progress)
        for cell, count in clues.items():
            self.give(cell, count)
        for edge, value in enumerate(state):
            if value != UNKNOWN:
                self._set(edge, value)
        for dot in range(ground.dots):
            self._touch(dot)

    def give(self, cell: int, count: int) -> None:
        """Give the clue of one more cell."""
        group = self.ground.dots + cell
        ways = self.ground.ways[group]
        self.clues[cell] = count
        self.is_live[group] = True
        self.plain[group] &= ways.sums[count]
        self.deep[group] &= self.plain[group]
        self._passed[group] = (ANY,) * ways.size
        self._touch(group)
        if self._is_full(cell):
            beside = [other for other in self.net.near[cell] if self._is_full(other)]
            self._beside += [(cell, other) for other in beside]
            self._diagonal += [
                (cell, other, dot) for dot in self.net.dots[cell] for other in self.net.wedges[dot]
                if other not in beside and other != cell and self._is_full(other)
            ]  # fmt: skip
        self._ahead.is_fresh = True
        self._quiet = 0

    def _is_full(self, cell: int) -> bool:
        return cell in self.clues and self.clues[cell] == len(self.net.edges[cell]) - 1

    def step(self) -> Deduction | None:
        """Find and draw the easiest deduction; None if no rule gives any. Raises Contradiction."""
        found = self.find()
        if found is not None:
            self.draw(found)
        return found

    def find(self) -> Deduction | None:
        """Find the easiest deduction, which the caller must draw next. Raises Contradiction."""
        if self.unknown == 0:
            return None
        found = self._easy()
        for rule, look in ((AROUND, self._around_clue), (PAIRS, self._pairs), (SIDES, self._by_sides)):
            if found is None:
                self.left.setdefault(LEVELS[rule], self.unknown)
                if self.level >= LEVELS[rule]:
                    found = look()
        if found is None and self.level >= LEVELS[TRIAL]:
            failed = self._ahead.find()
            if failed is not None:
                edge, value, group, count = failed
                on, off = ((), (edge,)) if value == ON else ((edge,), ())
                found = Deduction(TRIAL, on, off, group, (), count)
        return found

    def draw(self, found: Deduction) -> None:
        """Draw the lines and crosses that were found."""
        self.counts[found.rule] += 1
        for edge in found.on:
            self._set(edge, ON)
        for edge in found.off:
            self._set(edge, OFF)

    def apart(self, one: int, other: int) -> bool | None:
        """Return whether two cells are on opposite sides; None if unknown, as far as sides were looked at."""
        return self._sides.apart(one, other)

    # Known edges

    def _touch(self, group: int) -> None:
        if not self._is_todo[group]:
            self._is_todo[group] = True
            self._todo.append(group)
        if not self._is_near[group]:
            self._is_near[group] = True
            self._near.append(group)
        if not self._is_later[group]:
            self._is_later[group] = True
            self._later.append(group)

    def _set(self, edge: int, value: int) -> None:
        if self.value[edge] == value:
            return
        if self.value[edge] != UNKNOWN:
            raise Contradiction
        self.value[edge] = value
        self.unknown -= 1
        self._news.append(edge)
        plain, is_live = self.plain, self.is_live
        for group, ways in self.ground.touched[value][edge]:
            before = plain[group]
            left = before & ways
            if left != before:
                plain[group] = left
                if is_live[group]:
                    self._touch(group)
        if value == ON:
            joint = self.loop.join(edge)
            if joint is not None:
                if joint.closing is not None:
                    self._closing.append(joint.closing)
            elif self.loop.completes():
                self.is_closed = True
            else:
                raise Contradiction

    # Easy: one clue, one dot, the loop, the rim, two full clues that meet, and a line that reaches a clue

    def _easy(self) -> Deduction | None:
        if self.is_closed:
            left = tuple(edge for edge, value in enumerate(self.value) if value == UNKNOWN)
            return Deduction(LOOP, (), left)
        while self._beside:
            found = _side_by_side(self, *self._beside.popleft())
            if found is not None:
                return found
        while self._diagonal:
            found = _diagonally(self, *self._diagonal.popleft())
            if found is not None:
                return found
        todo = self._todo
        while todo or self._closing:
            if self._closing:
                found = self._closed(self._closing.popleft())
                if found is not None:
                    return found
                continue
            group = todo.popleft()
            self._is_todo[group] = False
            edges = self._found(group, self.plain[group])
            if self.ground.is_rim[group]:
                self._round_rim(group)
            if edges is not None:
                return Deduction(_plain_rule(self, group), *edges, group)
        return self._reached()

    def _found(self, group: int, left: int) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
        """The unknown edges of a group that are on, or off, in all ways that are left."""
        if not left:
            raise Contradiction
        on, off = self.ground.ways[group].fixed[left]
        edges, value = self.ground.edges[group], self.value
        lines = tuple([edges[at] for at in on if not value[edges[at]]])
        crosses = tuple([edges[at] for at in off if not value[edges[at]]])
        return (lines, crosses) if lines or crosses else None

    def _round_rim(self, group: int) -> None:
        """Restrict the ways of a rim cell's dots to the ways of the cell."""
        masks = self.ground.ways[group].masks[self.plain[group]]
        for here, dot, there in self.ground.corners[group]:
            left = self.plain[dot] & self.ground.ways[dot].allowed[there][masks[here]]
            if left != self.plain[dot]:
                self.plain[dot] = left
                self._touch(dot)

    def _closed(self, edge: int) -> Deduction | None:
        value, ends = self.value, self.net.ends[edge]
        # Since it was noted the piece may have grown.
        if value[edge] != UNKNOWN or any(sum(value[one] == ON for one in self.net.stars[dot]) > 1 for dot in ends):
            return None
        return Deduction(LOOP, (edge,), ()) if self.loop.completes(edge) else Deduction(LOOP, (), (edge,))

    def _reached(self) -> Deduction | None:
        """A cell that lacks one more edge, and a dot of it that a line reaches, or that no other edge leaves."""
        near, dots = self._near, self.ground.dots
        while near:
            group = near.popleft()
            self._is_near[group] = False
            cells = (group,) if group >= dots else [other for _, other, _ in self.ground.corners[group]]
            for cell in cells:
                if not self.is_live[cell] or self._is_settled(cell):
                    continue
                if not self._is_wide[cell]:
                    self._is_wide[cell] = True
                    self._wide.append(cell)
                states = [self.value[edge] for edge in self.ground.edges[cell]]
                lacking = len(states) - states.count(OFF) - self.clues[cell - dots]
                found = self.at_dots(cell, REACHED) if lacking == 1 else None
                if found is not None:
                    self._is_near[group] = True
                    near.appendleft(group)
                    return found
        return None

    def at_dots(self, group: int, rule: str, only: Sequence[int] | None = None) -> Deduction | None:
        """Edges of a cell that follow from its clue and the edges at its dots, or at some of them only."""
        ground, ways = self.ground, self.ground.ways[group]
        left, dots = self.plain[group], []
        for here, dot, there in ground.corners[group]:
            fewer = left & ways.allowed[here][ground.ways[dot].masks[self.plain[dot]][there]]
            if fewer != left and (only is None or dot in only):
                left = fewer
                dots.append(dot)
        found = self._found(group, left)
        return Deduction(rule, *found, group, tuple(dots)) if found is not None else None

    def new(self, rule: str, on: set[int], off: set[int], cell: int, other: int, *dots: int) -> Deduction | None:
        """Return a deduction about two cells, with the unknown ones of some edges; None if all are known."""
        lines, crosses = (tuple(edge for edge in sorted(edges) if not self.value[edge]) for edges in (on, off))
        if not lines and not crosses:
            return None
        return Deduction(rule, lines, crosses, self.ground.dots + cell, (self.ground.dots + other, *dots))

    # Normal: one clue and the edges at its dots

    def _around_clue(self) -> Deduction | None:
        wide = self._wide
        while wide:
            cell = wide.popleft()
            self._is_wide[cell] = False
            found = None if self._is_settled(cell) else self.at_dots(cell, AROUND)
            if found is not None:
                return found
        return None

    # Tricky: combinations of two edges that cells and dots leave each other: not both lines, or not both crossed

    def _pairs(self) -> Deduction | None:
        """Pass corners between cells and dots until an edge is found."""
        ground, deep, plain, later = self.ground, self.deep, self.plain, self._later
        while later:
            group = later.popleft()
            self._is_later[group] = False
            ways = ground.ways[group]
            left = deep[group] = deep[group] & plain[group]
            found = self._found(group, left)
            masks, passed = ways.masks[left], self._passed[group]
            if masks != passed:
                self._passed[group] = masks
                for here, other, there in ground.corners[group]:
                    mask = masks[here]
                    if mask != passed[here]:
                        before = deep[other]
                        fewer = before & ground.ways[other].allowed[there][mask | OPPOSITE]
                        if fewer == before:
                            continue
                        deep[other] = fewer
                        if plain[other] & ~fewer:
                            self.because.setdefault(other, []).append(group)
                            if group in self._tinted:
                                self._tinted.add(other)
                        if self.is_live[other] and not self._is_later[other]:
                            self._is_later[other] = True
                            later.append(other)
            if found is not None:
                return Deduction(SIDES if group in self._tinted else PAIRS, *found, group)
        return None

    # Hard: which cells are on the same side of the loop

    def _by_sides(self) -> Deduction | None:
        """Link cells by known edges and by pairs, until the sides of two cells give an edge, or a group fewer ways."""
        ground = self.ground
        count = len(ground.edges)
        while True:
            for edge in self._news:
                if self._sides.link(*self.net.sides[edge], self.value[edge] == ON):
                    self._quiet = 0
            self._news.clear()
            while self._quiet < count:
                group = self._at
                self._at = (group + 1) % count
                self._quiet += 1
                if self.is_live[group] and not self._is_settled(group):
                    if self._link_pairs(group):
                        self._quiet = 0
                    found = self._seen(group)
                    if found is not None:
                        self._quiet = 0
                        return found
                    if self._later:
                        self._quiet = 0
                        found = self._pairs()
                        if found is not None:
                            return found
            return None

    def _is_settled(self, group: int) -> bool:
        left = self.plain[group]
        return not left & (left - 1)

    def _link_pairs(self, group: int) -> bool:
        """Link the cells beside two edges that are equal, or opposite; return whether that is new."""
        is_new = False
        for one, other, parity in self.ground.ways[group].links[self.deep[group]]:
            cells = self.ground.beside(group, one, other)
            if cells is not None and self._sides.link(*cells, bool(parity)):
                is_new = True
        return is_new

    def _seen(self, group: int) -> Deduction | None:
        """An edge of a group between cells whose sides are known; or fewer ways, as two other cells' sides say."""
        ground, sides = self.ground, self._sides
        for edge in ground.edges[group]:
            if self.value[edge] == UNKNOWN:
                apart = sides.apart(*self.net.sides[edge])
                if apart is not None:
                    return Deduction(SIDES, (edge,) if apart else (), () if apart else (edge,), group)
        ways, left = ground.ways[group], self.deep[group]
        before = left
        for one in range(ways.size):
            for other in range(one + 1, ways.size):
                cells = ground.beside(group, one, other)
                apart = sides.apart(*cells) if cells is not None else None
                if apart is not None:
                    left &= ways.pair(one, other, OPPOSITE if apart else EQUAL)
        if left != before:
            self._tinted.add(group)
            self.deep[group] = left
            self._is_later[group] = True
            self._later.append(group)
        return None


def _plain_rule(reasoner: Reasoner, group: int) -> str:
    """Return the rule of a deduction: the count of a group's edges, or else its place at the rim."""
    edges, dots = reasoner.ground.edges[group], reasoner.ground.dots
    on = sum(reasoner.value[edge] == ON for edge in edges)
    unknown = sum(reasoner.value[edge] == UNKNOWN for edge in edges)
    if group < dots:
        return DOT if on == 2 or unknown == 1 else RIM
    return CLUE if reasoner.clues[group - dots] in (on, on + unknown) else RIM


def _side_by_side(reasoner: Reasoner, one: int, other: int) -> Deduction | None:
    """Two neighbours that each lack one line: the edge between them is a line, and their ends are like an S."""
    net = reasoner.net
    shared = next(edge for edge in net.edges[one] if other in net.sides[edge] and one in net.sides[edge])
    around = ({*net.edges[one]} | {*net.edges[other]}) - {shared}
    counts = net.counts(around)
    if all(counts[cell] == count for cell, count in reasoner.clues.items()):
        return None
    stars = {edge for dot in net.ends[shared] for edge in net.stars[dot]}
    return reasoner.new(BESIDE, {shared} | (around - stars), stars - around - {shared}, one, other)


def _diagonally(reasoner: Reasoner, one: int, other: int, dot: int) -> Deduction | None:
    """Two cells with full clues that only meet at a dot: each has one line there, and all its edges elsewhere."""
    star, edges = {*reasoner.net.stars[dot]}, {*reasoner.net.edges[one], *reasoner.net.edges[other]}
    return reasoner.new(DIAGONAL, edges - star, star - edges, one, other, dot)


# Look-ahead: a supposed edge and all that follows from it by easy rules and corner pairs; all of it can be undone.


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
