"""The design search: sets of pieces with which every date of a board can be solved.

candidate: a piece of which a set may take up to `copies`. must: a piece that every set has. killer: a date for which
earlier sets had no solution. The worst killers are tried first, one by one, which ends most sets in an instant;
for surviving sets the year is counted.

The sets are walked in steps that are prime to their number, so that each comes once, all sizes of pieces come early,
and the same search gives the same sets in the same order, however long it may run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

import numpy as np

from studio.base.amounts import thousands
from studio.base.errors import StudioError, one_named
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.puzzles.calendar.model import (
    ANY_YEAR,
    COLOURS,
    EMPTY,
    FILLED,
    MOST_PIECES,
    Board,
    CalendarDesign,
    CalendarParameters,
    Mask,
    Piece,
    dates,
    orientations,
    placements,
    refuse_crowd,
)
from studio.puzzles.calendar.solve import order, ordered_placements
from studio.puzzles.calendar.year import Year, places, year
from studio.solving.cover import lowest

LARGEST = 7
"""Squares of the largest polyominoes; there are 108 of seven."""
_LETTERS = {
    "I1": "#", "I2": "##", "I3": "###", "V3": "#. ##",
    "I4": "####", "L4": "#.. ###", "O4": "## ##", "S4": "##. .##", "T4": "### .#.",
    "F": ".## ##. .#.", "I": "#####", "L": "#... ####", "N": "##.. .###", "P": "##. ###", "T": "### .#. .#.",
    "U": "#.# ###", "V": "#.. #.. ###", "W": "#.. ##. .##", "X": ".#. ### .#.", "Y": ".#.. ####", "Z": "##. .#. .##",
}  # fmt: skip

Form = bytes
"""A key that all rotations and reflections of a polyomino share."""
MOST_KILLERS = 12
"""Dates that are tried before the year is counted."""
NODES_A_KILLER = 30_000
"""Most steps of a killer; counting the year is no slower then."""
MOST_NODES = 2_000_000
"""Steps after which a date of a very large board counts as undecided; its set is passed over."""
NODES_A_STEP = 4096
GOLDEN = 0.6180339887498949


@cache
def polyominoes(size: int) -> tuple[Piece, ...]:
    """All free polyominoes of `size` squares, 1 to LARGEST, the most compact first; their colours are their numbers."""
    if not 1 <= size <= LARGEST:
        raise StudioError(tr("Sizes must be 1 to {largest} squares, not {size}.", largest=LARGEST, size=size))
    found = sorted(map(_first, _grown(size)), key=lambda mask: (max(mask.shape), mask.size, (~mask).tobytes()))
    names = {form(Piece(name, tuple(rows.split())).mask): name for name, rows in _LETTERS.items()}
    pieces = [
        Piece(names.get(form(mask), f"{size}-{number}"), rows_of(mask), number % COLOURS)
        for number, mask in enumerate(found, 1)
    ]
    return tuple(sorted(pieces, key=lambda piece: piece.name) if size <= 5 else pieces)


def form(mask: Mask) -> Form:
    """A key that two pieces share only if one is the other, turned or mirrored."""
    first = _first(mask)
    return bytes(first.shape) + first.tobytes()


def named(name: str) -> Piece:
    """Return the polyomino of a name, such as `L`, `T4` or `6-1`; raise StudioError for an unknown name."""
    for size in range(1, LARGEST + 1):
        for piece in polyominoes(size):
            if piece.name == name:
                return piece
    words = tr(
        "Unknown polyomino {name!r}; choose from {letters} and 6-1 to 7-108.",
        name=name[:20],
        letters=", ".join(_LETTERS),
    )
    raise StudioError(words)


def name_of(mask: Mask) -> str | None:
    """Name of the polyomino with this form; None if the piece is larger than LARGEST or in parts."""
    size = int(mask.sum())
    if not 1 <= size <= LARGEST:
        return None
    return next((piece.name for piece in polyominoes(size) if form(piece.mask) == form(mask)), None)


def rows_of(mask: Mask) -> tuple[str, ...]:
    """The rows of a piece with some squares."""
    return tuple("".join(FILLED if square else EMPTY for square in row) for row in mask.tolist())


def _first(mask: Mask) -> Mask:
    """The standard orientation of a polyomino: wide rather than tall."""
    ways = orientations(mask, reflections=True)
    return min(ways, key=lambda way: (way.shape, (~way).tobytes()))


@cache
def _grown(size: int) -> tuple[Mask, ...]:
    """One of every form of `size` squares, each grown by a square from one of the size before."""
    if size == 1:
        return (np.ones((1, 1), bool),)
    found: dict[Form, Mask] = {}
    for smaller in _grown(size - 1):
        wide = np.pad(smaller, 1)
        beside = np.zeros_like(wide)
        for axis in (0, 1):
            for step in (1, -1):
                beside |= np.roll(wide, step, axis)
        for row, column in np.argwhere(beside & ~wide).tolist():
            larger = wide.copy()
            larger[row, column] = True
            squares = np.argwhere(larger)
            (top, left), (bottom, right) = squares.min(0), squares.max(0) + 1
            cut = np.ascontiguousarray(larger[top:bottom, left:right])
            found.setdefault(form(cut), cut)
    return tuple(found.values())


@dataclass(frozen=True)
class SetConditions:
    """The conditions for sets: all of `must`, and at most `copies` of each candidate.

    `count` is the number of pieces of a set, None for any number. The dates of `year` are to be solved.
    """

    candidates: tuple[Piece, ...]
    must: tuple[Piece, ...] = ()
    copies: int = 1
    count: int | None = None
    reflections: bool = True
    year: int = ANY_YEAR


@dataclass(frozen=True, eq=False)
class FoundSet:
    """A set of pieces with which every date can be solved; `number` counts the sets that were tried until then."""

    pieces: tuple[Piece, ...]
    number: int
    year: Year

    @property
    def name(self) -> str:
        """Its pieces in words: `6-1 L N P U V Y Z`."""
        return " ".join(piece.name for piece in self.pieces)

    @property
    def mean(self) -> float:
        """Mean number of solutions of a date."""
        return float(self.year.dated.mean())

    @property
    def unevenness(self) -> float:
        """Relative spread of the counts: their coefficient of variation."""
        return float(self.year.dated.std() / self.mean)


RANKS: dict[str, tuple[str, Callable[[FoundSet], tuple[float, ...]]]] = {
    "scarcest": (tr("Most solutions on the hardest date"), lambda found: (-found.year.least, -found.mean)),
    "even": (tr("Smallest spread"), lambda found: (found.unevenness, -found.year.least)),
    "hard": (tr("Fewest solutions"), lambda found: (found.mean, found.year.least)),
}
"""The ranks of sets: title, and the key that sorts the best first."""


def ranked(found: Sequence[FoundSet], rank: str) -> list[FoundSet]:
    """Sets with the best first; raises StudioError for an unknown rank."""
    _, key = one_named(RANKS, rank, tr("Unknown ranking"))
    return sorted(found, key=lambda one: (*key(one), one.name))


def candidates(sizes: Sequence[int]) -> tuple[Piece, ...]:
    """All polyominoes of some sizes."""
    return tuple(piece for size in sorted(set(sizes)) for piece in polyominoes(size))


def how_many(board: Board, request: SetConditions) -> int:
    """Number of sets with exactly the area that a board needs."""
    return _Sets.from_board(board, request).count


def search(
    board: Board, request: SetConditions, progress: Progress, *, begin: int = 0, tries: int | None = None
) -> Iterator[FoundSet]:
    """The sets of pieces that solve every date of a board, each as soon as it is verified.

    `begin` is the number of sets tried before, so that a search can be continued; it ends after `tries` more. Raises
    StudioError for a board without dates, or if no set can have the right area, and Cancelled.
    """
    sets = _Sets.from_board(board, request)
    if not any(dates(board, request.year)):
        raise StudioError(tr("The board has no labels, so there is nothing to solve."))
    refuse_crowd(board)
    if not sets.count:
        raise StudioError(
            tr("No set of these pieces covers {area} squares; choose other sizes or pieces.", area=sets.area)
        )
    prover = _Prover(board, sets.pieces, request.reflections)
    parameters = CalendarParameters(reflections=request.reflections, year=request.year)
    found = 0
    end = sets.count if tries is None else min(begin + tries, sets.count)
    for number in range(begin, end):
        note = tr(
            "{number} of {count} sets tried, {found} found",
            number=thousands(number),
            count=thousands(sets.count),
            found=found,
        )
        share = progress.part(number / sets.count, number / sets.count, note)
        share.step(0.0)
        chosen = sets.at(number)
        if prover.dies(chosen, share):
            continue
        design = CalendarDesign(parameters, board, numbered([sets.pieces[each] for each in chosen]))
        known = year(design, share)
        if prover.proves(chosen, known, share):
            found += 1
            yield FoundSet(design.set, number + 1, known)
    progress.step(
        end / sets.count,
        tr(
            "{number} of {count} sets tried, {found} found",
            number=thousands(end),
            count=thousands(sets.count),
            found=found,
        ),
    )


def numbered(pieces: Sequence[Piece]) -> tuple[Piece, ...]:
    """Pieces as a set: copies numbered, every one with a colour of its own."""
    names: dict[str, int] = {}
    result = []
    for number, piece in enumerate(pieces[:MOST_PIECES]):
        names[piece.name] = copy = names.get(piece.name, 0) + 1
        name = piece.name if copy == 1 else f"{piece.name[:18]} {copy}"
        result.append(Piece(name, piece.rows, number % COLOURS))
    return tuple(result)


@dataclass(frozen=True, eq=False)
class _Sets:
    """All multisets of candidates of the right area, counted and each known by its number.

    `pieces` are the must-haves and then the candidates; `ways[i][area]` counts the sets of the candidates from i on
    with a given area and number of pieces.
    """

    pieces: tuple[Piece, ...]
    musts: int
    area: int
    copies: int
    ways: list[dict[tuple[int, int], int]]
    wanted: list[tuple[int, int]]

    @classmethod
    def from_board(cls, board: Board, request: SetConditions) -> _Sets:
        area = board.covered
        left = area - sum(piece.area for piece in request.must)
        most = min(MOST_PIECES, area) - len(request.must)
        musts = {form(piece.mask) for piece in request.must}
        # A must-have is one of the copies; a piece that fits nowhere can be in no set.
        others = [
            piece
            for piece in request.candidates
            if (request.copies > 1 or form(piece.mask) not in musts) and placements(board, piece, request.reflections)
        ]
        spent = [sum(form(piece.mask) == form(must.mask) for must in request.must) for piece in others]
        ways: list[dict[tuple[int, int], int]] = [{(0, 0): 1}]
        for piece, used in zip(reversed(others), reversed(spent), strict=True):
            after = ways[-1]
            now: dict[tuple[int, int], int] = {}
            for (size, count), number in after.items():
                for copies in range(request.copies - min(used, request.copies) + 1):
                    key = (size + copies * piece.area, count + copies)
                    if key[0] > left or key[1] > most:
                        break
                    now[key] = now.get(key, 0) + number
            ways.append(now)
        ways.reverse()
        ends = sorted(key for key in ways[0] if key[0] == left)
        if request.count is not None:
            ends = [key for key in ends if key[1] == request.count - len(request.must)]
        return cls((*request.must, *others), len(request.must), area, request.copies, ways, ends)

    @property
    def count(self) -> int:
        return sum(self.ways[0][key] for key in self.wanted)

    def at(self, number: int) -> tuple[int, ...]:
        """The numbers of the pieces in the set tried after `number` others."""
        count = self.count
        stride = max(1, round(count * GOLDEN))
        while gcd(stride, count) != 1:
            stride += 1
        rank = number * stride % count
        key = next(iter(self.wanted))
        for key in self.wanted:
            if rank < self.ways[0][key]:
                break
            rank -= self.ways[0][key]
        chosen = list(range(self.musts))
        size, pieces = key
        for each, after in enumerate(self.ways[1:], self.musts):
            area = self.pieces[each].area
            copies = 0
            while True:
                here = after.get((size - copies * area, pieces - copies), 0)
                if rank < here:
                    break
                rank -= here
                copies += 1
            chosen += [each] * copies
            size, pieces = size - copies * area, pieces - copies
        return tuple(chosen)


class _Prover:
    """Proves that a set solves every date: killers first, by the first solution of each."""

    def __init__(self, board: Board, pieces: Sequence[Piece], reflections: bool) -> None:
        cells = order(board).tolist()
        self.size = len(cells)
        self.everything = (1 << self.size) - 1
        at = {board.names[cell]: 1 << place for place, cell in enumerate(cells)}
        self.holes = {place: sum(at[label.name] for label in date) for place, date in places(board)}
        self.kills = Counter[tuple[int, ...]]()
        self.starts: list[list[list[int]]] = []
        for piece in pieces:
            starts: list[list[int]] = [[] for _ in cells]
            for way in ordered_placements(board, piece, reflections):
                starts[lowest(way)].append(way)
            self.starts.append(starts)

    def dies(self, chosen: Sequence[int], progress: Progress) -> bool:
        """True if one of the worst killers surely has no solution."""
        starts = self._starts(chosen)
        for killer, _ in self.kills.most_common(MOST_KILLERS):
            if self._solvable(starts, self.holes[killer], NODES_A_KILLER, progress) is False:
                self.kills[killer] += 1
                return True
        return False

    def proves(self, chosen: Sequence[int], known: Year, progress: Progress) -> bool:
        """True if every date has a solution; searches the dates that an incomplete year left without a solution."""
        lacking = known.having(0)
        if not known.complete:
            starts = self._starts(chosen)
            lacking = tuple(
                place for place in lacking if not self._solvable(starts, self.holes[place], MOST_NODES, progress)
            )
        self.kills.update(lacking)
        return not lacking

    def _starts(self, chosen: Sequence[int]) -> list[list[int]]:
        """The placements of a set that begin at each cell, each with the bit of its piece above the cells."""
        starts: list[list[int]] = [[] for _ in range(self.size)]
        for number, piece in enumerate(chosen):
            bit = 1 << (self.size + number)
            for at, ways in zip(starts, self.starts[piece], strict=True):
                at += [way | bit for way in ways]
        return starts

    def _solvable(self, starts: list[list[int]], holes: int, most_nodes: int, progress: Progress) -> bool | None:
        """True if all cells but the holes can be covered; None if `most_nodes` steps do not decide."""
        everything = self.everything
        fitting = [[way for way in at if not way & holes] for at in starts]
        nodes = 0

        def fill(taken: int) -> bool:
            nonlocal nodes
            empty = everything & ~taken
            if not empty:
                return True
            nodes += 1
            if nodes % NODES_A_STEP == 0:
                progress.step(0.0)
            for way in fitting[(empty & -empty).bit_length() - 1]:
                if not way & taken and nodes < most_nodes and fill(taken | way):
                    return True
            return False

        return fill(holes) or (False if nodes < most_nodes else None)
