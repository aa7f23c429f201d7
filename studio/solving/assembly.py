"""Counts of solutions, and assemblies of pieces that fill a form; turned and mirrored assemblies count once.

placement: a piece put into one place in one way. type: identical pieces, which can be swapped without change.
orbit: all images of a placement under the form's symmetries.

This is an exact cover (Knuth, "Dancing Links", 2000) searched with sets of placements as whole numbers: a step takes
the cell that the fewest placements can still fill and tries each of these. One piece is laid in a single place of
each of its orbits only, because a symmetry brings every solution there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints

MOST_NODES = 20_000_000
"""Steps after which a search gives up: some minutes."""
NODES_A_STEP = 1024
"""Nodes between two checks whether the search was cancelled."""


@dataclass(frozen=True)
class Count:
    """Number of solutions found, symmetric ones counted once; `complete` if no others exist.

    `nodes` is the number of search nodes: the same for the same puzzle on every computer.
    """

    solutions: int
    complete: bool
    nodes: int
    seconds: float

    @property
    def of_solved(self) -> Count:
        """At least one solution, for a puzzle whose own is known, even if the search ended before it."""
        return self if self.complete or self.solutions else replace(self, solutions=1)


def set_bits(number: int) -> Iterator[int]:
    """The places of the bits of a number that are 1, the lowest first."""
    while number:
        lowest = number & -number
        yield lowest.bit_length() - 1
        number ^= lowest


@dataclass(frozen=True)
class Tally:
    """Solutions of a puzzle for each of its dates, by the dates' names; `lines` are the same as text.

    Unless `complete`, every count is a lower bound.
    """

    counts: dict[str, int]
    lines: tuple[str, ...]
    complete: bool
    nodes: int
    seconds: float


@dataclass(frozen=True, eq=False)
class Assembly:
    """A form and all placements of its pieces.

    `cells` (p, c) marks the cells that a placement fills, `types` (p,) gives its type; `copies` is the number of pieces
    of each type. `symmetries` (g, c) are the form's own, as permutations of its cells, the identity first; they map
    placements onto placements. The pieces' cells must add up to the form's.
    """

    cells: NDArray[np.bool_]
    types: Ints
    copies: tuple[int, ...]
    symmetries: Ints


def count(assembly: Assembly, progress: Progress, *, most: int | None = None, most_nodes: int = MOST_NODES) -> Count:
    """Count the assemblies up to symmetry; ends early, not complete, after `most` or `most_nodes`.

    Raises Cancelled.
    """
    return listed(assembly, progress, most=most, most_nodes=most_nodes).count


@dataclass(frozen=True, eq=False)
class Listed:
    """One image of every assembly found, each as its placements in rising order, and their count."""

    ways: tuple[tuple[int, ...], ...]
    count: Count


def listed(assembly: Assembly, progress: Progress, *, most: int | None = None, most_nodes: int = MOST_NODES) -> Listed:
    """List the assemblies up to symmetry; ends early, not complete, after `most` or `most_nodes`. Raises Cancelled."""
    begin = perf_counter()
    progress.step(0.0, tr("Preparing the search"))
    search = _Search(assembly, most, most_nodes, progress)
    complete = search.run()
    progress.step(1.0)
    found = Count(len(search.found), complete, search.nodes, perf_counter() - begin)
    return Listed(tuple(search.found.values()), found)


def _sets(rows: NDArray[np.bool_]) -> list[int]:
    """Each row as a whole number whose bit i is entry i."""
    packed = np.packbits(rows, axis=1, bitorder="little")
    width, whole = packed.shape[1], packed.tobytes()
    return [int.from_bytes(whole[at : at + width], "little") for at in range(0, len(whole), width)]


class _Search:
    def __init__(self, assembly: Assembly, most: int | None, most_nodes: int, progress: Progress) -> None:
        self.assembly, self.most, self.most_nodes, self.progress = assembly, most, most_nodes, progress
        cells = assembly.cells
        self.filling = _sets(cells.T)
        # Written out, not as a product of matrices: numpy's wakes all cores, which takes longer than the whole search.
        self.meeting = [0] * len(cells)
        placements, filled = np.nonzero(cells)
        for placement, cell in zip(placements.tolist(), filled.tolist(), strict=True):
            self.meeting[placement] |= self.filling[cell]
        self.within = _sets(cells)
        self.of_type = _sets(np.arange(len(assembly.copies))[:, None] == assembly.types)
        self.types = assembly.types.tolist()
        self.found: dict[object, tuple[int, ...]] = {}
        self.nodes = 0
        self.placed: list[int] = []
        self.orbit = 0
        self.movers: Ints = assembly.symmetries[:1]

    def run(self) -> bool:
        """Search everything; True if the search was complete."""
        assembly = self.assembly
        everything = (1 << len(self.types)) - 1
        counts = np.bincount(assembly.types, minlength=len(assembly.copies))
        # The type with most placements is the least symmetric; a single piece leaves no solution to be found twice.
        first = max(range(len(counts)), key=lambda each: (assembly.copies[each] == 1, counts[each]))
        if counts[first] == 0:
            return True
        cells = range(assembly.cells.shape[1])
        alone = assembly.copies[first] == 1
        for orbit, (placement, keeping) in enumerate(self._orbits(first)):
            self.orbit = orbit if alone else 0
            self.movers = keeping if alone else assembly.symmetries
            left = list(assembly.copies)
            if not self._lay(placement, everything, cells, left):
                return False
        return True

    def _orbits(self, type_: int) -> Iterator[tuple[int, Ints]]:
        """One placement of every orbit of a type, with the symmetries that map it onto itself."""
        assembly = self.assembly
        chosen = np.flatnonzero(assembly.types == type_)
        rows = np.packbits(assembly.cells[chosen], axis=1)
        numbers = {row.tobytes(): number for number, row in enumerate(rows)}
        seen: set[int] = set()
        for number, placement in enumerate(chosen.tolist()):
            if number in seen:
                continue
            moved = np.packbits(assembly.cells[placement][assembly.symmetries], axis=1)
            images = [numbers[row.tobytes()] for row in moved]
            seen.update(images)
            yield placement, assembly.symmetries[[image == number for image in images]]

    def _lay(self, placement: int, alive: int, cells: Sequence[int], left: list[int]) -> bool:
        """Add a placement and go on; False if the search must end."""
        self.nodes += 1
        if self.nodes % NODES_A_STEP == 0:
            self.progress.step(0.5, tr("{found} found, {nodes} nodes", found=len(self.found), nodes=self.nodes))
        if self.nodes > self.most_nodes:
            return False
        type_ = self.types[placement]
        alive &= ~self.meeting[placement]
        left[type_] -= 1
        if not left[type_]:
            alive &= ~self.of_type[type_]
        self.placed.append(placement)
        within = self.within[placement]
        goes_on = self._fill(alive, [cell for cell in cells if not within >> cell & 1], left)
        self.placed.pop()
        left[type_] += 1
        return goes_on

    def _fill(self, alive: int, cells: Sequence[int], left: list[int]) -> bool:
        if not cells:
            self.found.setdefault(self._name(), tuple(sorted(self.placed)))
            return self.most is None or len(self.found) < self.most
        fewest, choices = 1 << 62, 0
        for cell in cells:
            able = alive & self.filling[cell]
            ways = able.bit_count()
            if ways < fewest:
                if not ways:
                    return True
                fewest, choices = ways, able
                if ways == 1:
                    break
        return all(self._lay(placement, alive, cells, left) for placement in set_bits(choices))

    def _name(self) -> object:
        """Key of a solution, equal for its symmetric images."""
        placed = sorted(self.placed)
        if len(self.movers) == 1:
            return self.orbit, tuple(placed)
        moved = np.packbits(self.assembly.cells[placed][:, self.movers], axis=2)
        types = [self.types[placement] for placement in placed]
        ways = (sorted(zip(types, (row.tobytes() for row in way), strict=True)) for way in moved.transpose(1, 0, 2))
        return self.orbit, tuple(min(ways))
