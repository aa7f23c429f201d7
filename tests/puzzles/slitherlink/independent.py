"""A second solver of slitherlinks that shares nothing with the studio's own but the dots of the cells.

It tries edges, follows what that forces at dots and in clued cells, and takes back what does not work. A path
that closes must be the whole loop. Before it guesses, it tries every edge near a known one both ways.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

ON, OFF = 1, -1
DEAD, OPEN, CLOSED = 0, 1, 2
"""What came of following an edge: a contradiction, nothing yet, or a loop that meets all clues."""


def solutions(cells: Sequence[Sequence[int]], clues: Mapping[int, int], most: int = 2) -> int:
    """How many loops along the edges of cells, each a ring of dots, meet the clues; counted up to `most`."""
    return _Search(cells, clues).count(most)


class _Search:
    def __init__(self, cells: Sequence[Sequence[int]], clues: Mapping[int, int]) -> None:
        numbers: dict[frozenset[int], int] = {}
        rings = [[frozenset((dot, ring[at - 1])) for at, dot in enumerate(ring)] for ring in cells]
        for ring in rings:
            for pair in ring:
                numbers.setdefault(pair, len(numbers))
        self.ends = [tuple(edge) for edge in numbers]
        self.sides: list[list[int]] = [[] for _ in numbers]
        for cell, ring in enumerate(rings):
            for pair in ring:
                self.sides[numbers[pair]].append(cell)
        self.outside = len(cells)
        for sides in self.sides:
            sides += [self.outside] * (2 - len(sides))
        dots = 1 + max(dot for ends in self.ends for dot in ends)
        self.at_dot: list[list[int]] = [[] for _ in range(dots)]
        for edge, (one, other) in enumerate(self.ends):
            self.at_dot[one].append(edge)
            self.at_dot[other].append(edge)
        self.wanted = dict(clues)
        self.in_cell = {cell: [numbers[pair] for pair in rings[cell]] for cell in clues}
        self.cells_of: list[list[int]] = [[] for _ in self.ends]
        for cell, edges in self.in_cell.items():
            for edge in edges:
                self.cells_of[edge].append(cell)
        self.near = [
            {other for dot in ends for other in self.at_dot[dot]}
            | {e for c in self.cells_of[at] for e in self.in_cell[c]}
            for at, ends in enumerate(self.ends)
        ]
        self.known = [0] * len(self.ends)
        self.far = list(range(dots))
        """Of the dot at either end of a path, the dot at its other end."""
        self.score = [0] * len(self.ends)
        self.length = 0
        self.trail: list[tuple[int, tuple[int, ...]]] = []

    def count(self, most: int) -> int:
        state = self._follow([], [*range(len(self.at_dot))], [*self.wanted])
        return self._count(state, most, set(range(len(self.ends))))

    def _count(self, state: int, most: int, fresh: set[int]) -> int:
        while state == OPEN:
            state = self._probe(fresh)
            forced = self._coloured() if state == OPEN else []
            if not forced:
                break
            mark = len(self.trail)
            state = self._follow(forced)
            fresh = self._around(mark)
        if state != OPEN or self._is_apart():
            return int(state == CLOSED)
        edge = self._choose()
        if edge is None:
            return 0
        total = 0
        for value in (ON, OFF):
            mark = len(self.trail)
            state = self._follow([(edge, value)])
            total += self._count(state, most - total, self._around(mark))
            self._back(mark)
            if total >= most:
                break
        return total

    def _choose(self) -> int | None:
        """The unknown edge from which most followed both ways."""
        unknown = [edge for edge, value in enumerate(self.known) if not value]
        return max(unknown, key=self.score.__getitem__, default=None)

    def _is_apart(self) -> bool:
        """Whether parts of the loop can no longer meet."""
        above = list(range(len(self.at_dot)))

        def root(dot: int) -> int:
            while above[dot] != dot:
                above[dot] = above[above[dot]]
                dot = above[dot]
            return dot

        for edge, (one, other) in enumerate(self.ends):
            if self.known[edge] != OFF:
                above[root(one)] = root(other)
        return len({root(self.ends[edge][0]) for edge, value in enumerate(self.known) if value == ON}) > 1

    def _on(self, dot: int) -> int:
        return sum(self.known[edge] == ON for edge in self.at_dot[dot])

    def _around(self, mark: int) -> set[int]:
        return {other for edge, _ in self.trail[mark:] for other in self.near[edge]}

    def _probe(self, todo: set[int]) -> int:
        """Try edges both ways, and follow what only one way allows, until nothing more comes of it."""
        while todo:
            edge = todo.pop()
            if self.known[edge]:
                continue
            states, followed = {}, list[int]()
            for value in (ON, OFF):
                mark = len(self.trail)
                states[value] = self._follow([(edge, value)])
                followed.append(len(self.trail) - mark)
                self._back(mark)
            self.score[edge] = min(followed) * 1000 + max(followed)
            if DEAD in states.values():
                mark = len(self.trail)
                state = self._follow([(edge, ON if states[OFF] == DEAD else OFF)])
                if state != OPEN:
                    return state
                todo |= self._around(mark)
        return OPEN

    def _coloured(self) -> list[tuple[int, int]]:
        """What follows from the loop's having an inside: a line divides cells that differ, a cross joins like ones."""
        above = list(range(self.outside + 1))
        differs = [False] * len(above)

        def root(cell: int) -> tuple[int, bool]:
            odd = False
            while above[cell] != cell:
                odd ^= differs[cell]
                cell = above[cell]
            return cell, odd

        for edge, value in enumerate(self.known):
            (one, first), (other, second) = map(root, self.sides[edge])
            if value and one != other:
                above[one] = other
                differs[one] = first ^ second ^ (value == ON)
            elif value and (first ^ second) != (value == ON):
                return [(edge, -value)]
        forced = []
        for edge, value in enumerate(self.known):
            (one, first), (other, second) = map(root, self.sides[edge])
            if not value and one == other:
                forced.append((edge, ON if first ^ second else OFF))
        return forced

    def _back(self, mark: int) -> None:
        while len(self.trail) > mark:
            edge, joined = self.trail.pop()
            if self.known[edge] == ON:
                self.length -= 1
                if joined:
                    first, last, here, there = joined
                    self.far[first], self.far[last] = here, there
            self.known[edge] = 0

    def _follow(self, given: list[tuple[int, int]], dots: Sequence[int] = (), cells: Sequence[int] = ()) -> int:
        """Set edges and all that follows from them; DEAD leaves what was set to be taken back."""
        todo = list(given)
        for dot in dots:
            if not self._at_dot(dot, todo):
                return DEAD
        for cell in cells:
            if not self._in_cell(cell, todo):
                return DEAD
        while todo:
            edge, value = todo.pop()
            if self.known[edge]:
                if self.known[edge] != value:
                    return DEAD
                continue
            state = self._set(edge, value)
            if state != OPEN:
                return state
            if not all(self._at_dot(dot, todo) for dot in self.ends[edge]):
                return DEAD
            if not all(self._in_cell(cell, todo) for cell in self.cells_of[edge]):
                return DEAD
        return OPEN

    def _set(self, edge: int, value: int) -> int:
        self.known[edge] = value
        if value == OFF:
            self.trail.append((edge, ()))
            return OPEN
        self.length += 1
        one, other = self.ends[edge]
        first, last = self.far[one], self.far[other]
        if first == other and self._on(one) <= 2 and self._on(other) <= 2:
            self.trail.append((edge, ()))
            return CLOSED if self._is_all(edge) else DEAD
        self.trail.append((edge, (first, last, self.far[first], self.far[last])))
        self.far[first], self.far[last] = last, first
        return OPEN

    def _is_all(self, edge: int) -> bool:
        """Whether the loop that an edge closed is all there is, and meets the clues."""
        length, dot, at = 1, self.ends[edge][1], edge
        while dot != self.ends[edge][0]:
            at = next(other for other in self.at_dot[dot] if other != at and self.known[other] == ON)
            one, other = self.ends[at]
            dot = other if one == dot else one
            length += 1
        met = (sum(self.known[e] == ON for e in self.in_cell[cell]) == clue for cell, clue in self.wanted.items())
        return length == self.length and all(met)

    def _at_dot(self, dot: int, todo: list[tuple[int, int]]) -> bool:
        """What a dot forces, which has two edges of the loop or none; False for a contradiction."""
        edges = self.at_dot[dot]
        values = [self.known[edge] for edge in edges]
        on, unknown = values.count(ON), values.count(0)
        if on > 2 or (on == 1 and not unknown):
            return False
        if on == 2 or unknown == 1:
            value = ON if on == 1 else OFF
            todo += [(edge, value) for edge in edges if not self.known[edge]]
        return True

    def _in_cell(self, cell: int, todo: list[tuple[int, int]]) -> bool:
        edges, clue = self.in_cell[cell], self.wanted[cell]
        values = [self.known[edge] for edge in edges]
        on, unknown = values.count(ON), values.count(0)
        if on > clue or on + unknown < clue:
            return False
        if unknown and clue in (on, on + unknown):
            value = OFF if on == clue else ON
            todo += [(edge, value) for edge in edges if not self.known[edge]]
        return True
