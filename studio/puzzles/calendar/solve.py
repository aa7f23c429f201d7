"""All arrangements of the pieces that cover all but the open cells of a date.

Every piece is used, so the areas must add up: a set that is too large or too small has no solution. Pieces that are
alike (twins) count as one sort: swapping two of them makes no other solution. Turned or mirrored boards do count, as
the labels distinguish them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product
from time import perf_counter

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.calendar.model import Board, CalendarDesign, Piece, placements
from studio.solving.assembly import Count
from studio.solving.cover import HOLE, Cover, TooManyStates, counted, listed, lowest, members

OPEN = HOLE
"""The entry of a cell that no piece covers."""
MOST_FOUND = 250_000
"""Arrangements that are listed at most."""
MOST_NODES = 10_000_000
"""Steps after which the plain search, used if a board is too large for layers, gives up: some minutes."""
MOST_GLANCED = 20_000
"""Steps after which the plain search for a first solution gives way to the one by layers, a fiftieth of a second."""
NODES_A_STEP = 4096
LARGEST_BLOCK = 4
"""Most pieces of a block that is searched for variants."""
SYMMETRIES = tuple(
    (swapped, np.array(signs))
    for swapped in (False, True)
    for signs in product((1, -1), repeat=2)
    if swapped or signs != (1, 1)
)
"""The symmetries of a square but the identity: True if rows become columns, and the signs of both axes."""
MOST_STATES_A_DATE = 12_000_000

Arrangement = NDArray[np.int8]
"""The number of the piece on every cell of the board, in the order of `Board.names`; OPEN on a cell left open."""


@dataclass(frozen=True, eq=False)
class Solutions:
    """Arrangements found (s, cells), `complete` if there are no more, and the number of steps tried, `nodes`.

    They are sorted, so that neighbours differ as late on the board as possible.
    """

    found: NDArray[np.int8]
    complete: bool
    nodes: int
    seconds: float


@dataclass(frozen=True)
class SearchStep:
    """A step of the search: a piece is placed on some cells (bit i is cell i of the board), or removed.

    `solution` is True if it fills the board.
    """

    piece: int
    cells: int
    placed: bool
    solution: bool = False


def solutions(
    design: CalendarDesign, open_cells: Sequence[str], progress: Progress, *, most: int | None = None
) -> Solutions:
    """All arrangements that leave exactly these cells (their names) open; raises Cancelled."""
    begin = perf_counter()
    board = design.layout
    most = MOST_FOUND if most is None else min(most, MOST_FOUND)
    cells, cover = _cover(design, open_cells)
    try:
        known = listed(cover, progress, most=most, most_states=MOST_STATES_A_DATE)
    except TooManyStates:
        return _searched(design, open_cells, progress, most, begin)
    table = np.full((len(known.table), len(board.names)), OPEN, np.int8)
    table[:, cells] = known.table
    return Solutions(_sorted(design, table), known.complete, known.states, perf_counter() - begin)


@dataclass(frozen=True)
class Placements:
    """Where the pieces of a calendar lie: the names of the cells that each covers, by its name."""

    cells: Mapping[str, tuple[str, ...]]


def one_solution(design: CalendarDesign, open_cells: Sequence[str], progress: Progress) -> Placements | None:
    """An arrangement that leaves exactly these cells open, or None. Raises Cancelled."""
    found, names = solutions(design, open_cells, progress, most=1).found, design.layout.names
    if not len(found):
        return None
    cells = {piece.name: np.flatnonzero(found[0] == number).tolist() for number, piece in enumerate(design.set)}
    return Placements({name: tuple(names[cell] for cell in covered) for name, covered in cells.items()})


def count(design: CalendarDesign, open_cells: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The number of arrangements that leave exactly these cells open; beyond `most` a lower bound."""
    try:
        known = count_by_layers(design, open_cells, progress)
    except TooManyStates:
        known = count_plainly(design, open_cells, progress, most=most)
    if most is None or known.solutions <= most:
        return known
    return replace(known, solutions=most, complete=False)


def count_by_layers(design: CalendarDesign, open_cells: Sequence[str], progress: Progress) -> Count:
    """Count with states by layers, like `count`; raise TooManyStates if the board is too large."""
    begin = perf_counter()
    known = counted(_cover(design, open_cells)[1], progress, most_states=MOST_STATES_A_DATE)
    return Count(int(known.counts.sum()), True, known.states, perf_counter() - begin)


def count_plainly(
    design: CalendarDesign,
    open_cells: Sequence[str],
    progress: Progress,
    *,
    most: int | None = None,
    most_nodes: int = MOST_NODES,
) -> Count:
    """Count by plain search on a board of any size; end incomplete after `most_nodes` steps."""
    begin = perf_counter()
    nodes = found = 0
    complete = True
    for step in steps(design, open_cells):
        nodes += step.placed
        found += step.solution
        if nodes % NODES_A_STEP == 0:
            progress.step(0.5, tr("{found} found, {nodes} nodes", found=found, nodes=nodes))
        if nodes >= most_nodes or (most is not None and found > most):
            complete = False
            break
    return Count(found, complete, nodes, perf_counter() - begin)


def steps(design: CalendarDesign, open_cells: Sequence[str]) -> Iterator[SearchStep]:
    """A plain search, step by step, to watch: the first empty cell, row by row, is filled with each piece that fits.

    It ends after all solutions; each is the step that fills the board. `solutions` finds the same faster.
    """
    starts, empty, elder = _starts(design, open_cells)
    if sum(piece.area for piece in design.set) != empty.bit_count() or not empty:
        return
    used = 0
    placed: list[tuple[int, int]] = []
    waiting = [iter(starts[lowest(empty)])]
    while waiting:
        for number, cells in waiting[-1]:
            if used >> number & 1 or cells & ~empty or elder[number] & ~used:
                continue
            placed.append((number, cells))
            used, empty = used | 1 << number, empty ^ cells
            yield SearchStep(number, cells, True, not empty)
            # A full board has no choices: its last piece is removed again next.
            waiting.append(iter(starts[lowest(empty)] if empty else ()))
            break
        else:
            waiting.pop()
            if placed:
                number, cells = placed.pop()
                used, empty = used ^ 1 << number, empty ^ cells
                yield SearchStep(number, cells, False)


def first_found(design: CalendarDesign, open_cells: Sequence[str], progress: Progress) -> dict[int, int] | None:
    """The placement of every piece, by its number, in some solution; None without. Mostly faster than `completed`.

    Raises StudioError as that does, and Cancelled.
    """
    board = design.layout
    cells = order(board)
    place = {board.names[cell]: at for at, cell in enumerate(cells.tolist())}
    taken = sum(1 << place[name] for name in open_cells)
    starts: list[list[tuple[int, int]]] = [[] for _ in cells]
    for number, piece in enumerate(design.set):
        for way in ordered_placements(board, piece, design.parameters.reflections):
            if not way & taken:
                starts[lowest(way)].append((number, way))
    whole, glanced = (1 << len(cells)) - 1, 0
    placed: dict[int, int] = {}

    def fill(taken: int) -> bool:
        nonlocal glanced
        if taken == whole:
            return len(placed) == len(design.set)
        glanced += 1
        for number, way in starts[lowest(whole & ~taken)]:
            if not way & taken and number not in placed and glanced < MOST_GLANCED:
                placed[number] = way
                if fill(taken | way):
                    return True
                del placed[number]
        return False

    if fill(taken):
        return {number: sum(1 << int(cells[at]) for at in members(way)) for number, way in placed.items()}
    return completed(design, open_cells, {}, progress)


def completed(
    design: CalendarDesign, open_cells: Sequence[str], lying: Mapping[int, int], progress: Progress
) -> dict[int, int] | None:
    """The placement of every piece, by its number, in a solution that fits the placed pieces; None without.

    `lying` has placements, too. Raises StudioError if the search stops early without a solution.
    """
    board = design.layout
    rest = [number for number in range(len(design.set)) if number not in lying]
    closed = list(open_cells)
    taken = 0
    for cells in lying.values():
        if cells & taken or any(board.names[cell] in open_cells for cell in members(cells)):
            return None
        taken |= cells
    closed += [board.names[cell] for cell in members(taken)]
    smaller = CalendarDesign(design.parameters, board, tuple(design.set[number] for number in rest))
    known = solutions(smaller, closed, progress, most=1)
    if not len(known.found):
        if not known.complete:
            raise StudioError(tr("The hint timed out; place more pieces and try again."))
        return None
    arrangement = known.found[0].tolist()
    whole = dict(lying)
    for place, number in enumerate(rest):
        whole[number] = sum(1 << cell for cell, piece in enumerate(arrangement) if piece == place)
    return whole


def order(board: Board) -> Ints:
    """Numbers of the board's cells in the order that fills them fastest.

    Along the narrower side, so that placements span few cells; from the end with the shorter line, which has fewer
    ways to begin.
    """
    numbers: Ints = np.full(board.mask.shape, -1)
    numbers[board.mask] = np.arange(len(board.names))
    if numbers.shape[1] > numbers.shape[0]:
        numbers = numbers.T
    lines = [line[line >= 0] for line in numbers]
    lines = [line for line in lines if len(line)]
    if lines and len(lines[-1]) < len(lines[0]):
        return np.concatenate(lines)[::-1]
    return np.concatenate(lines) if lines else np.zeros(0, np.int64)


@lru_cache(maxsize=512)
def ordered_placements(board: Board, piece: Piece, reflections: bool) -> tuple[int, ...]:
    """All placements of a piece whose bit i is the i-th cell of `order`, ascending."""
    ways = placements(board, piece, reflections)
    cells = len(board.names)
    width = -(-cells // 8)
    packed = np.frombuffer(b"".join(way.to_bytes(width, "little") for way in ways), np.uint8).reshape(-1, width)
    bits = np.unpackbits(packed, axis=1, bitorder="little", count=cells)[:, order(board)]
    lines = np.packbits(bits, axis=1, bitorder="little")
    return tuple(sorted(int.from_bytes(line.tobytes(), "little") for line in lines))


def _cover(design: CalendarDesign, open_cells: Sequence[str]) -> tuple[Ints, Cover]:
    """The question for exactly these open cells: the numbers of the cells to cover, in order, and the cover."""
    board = design.layout
    cells = order(board)
    place = {number: at for at, number in enumerate(cells.tolist())}
    closed = sorted({place[board.indices[name]] for name in open_cells}, reverse=True)
    barred = sum(1 << at for at in closed)
    pieces = []
    for piece in design.set:
        ways = [way for way in ordered_placements(board, piece, design.parameters.reflections) if not way & barred]
        for at in closed:
            before = (1 << at) - 1
            ways = [way & before | way >> 1 & ~before for way in ways]
        pieces.append(tuple(ways))
    return np.delete(cells, closed), Cover(len(cells) - len(closed), tuple(pieces))


def twins(board: Board, found: NDArray[np.int8], progress: Progress = SILENT) -> Ints:
    """Return for each arrangement (s, cells) the number (s,) of its first twin, or its own if it has no twin.

    Two are twins when one becomes the other by mirroring or turning a block of some pieces, of a symmetric outline, in
    its own place. Blocks of more than LARGEST_BLOCK pieces are not looked for.
    """
    first = np.arange(len(found))
    known = {row.tobytes(): number for number, row in enumerate(found)}
    numbers = np.full(board.mask.shape, -1)
    numbers[board.mask] = np.arange(len(board.names))
    squares = np.argwhere(board.mask)
    pieces = range(int(found.max(initial=OPEN)) + 1)
    # One number for the place of a piece; arrangements that differ in a block alone agree in the sum over the rest.
    marks = np.random.default_rng(0).integers(1 << 40, size=len(squares))
    where = [(found == piece) @ marks for piece in pieces]
    for size in range(2, min(len(pieces), LARGEST_BLOCK) + 1):
        for block in combinations(pieces, size):
            progress.step(size / (LARGEST_BLOCK + 1), tr("Looking for variants"))
            others = [where[piece] for piece in pieces if piece not in block]
            rows = np.arange(len(found))
            if others:
                _, same, times = np.unique(np.sum(others, axis=0), return_inverse=True, return_counts=True)
                rows = np.flatnonzero(times[same] > 1)
            for row, image in _images(found, rows, block, squares, numbers):
                first[row] = min(first[row], known.get(image.tobytes(), row))
    return first


def _images(
    found: NDArray[np.int8], rows: Ints, block: tuple[int, ...], squares: Ints, numbers: Ints
) -> Iterator[tuple[int, Arrangement]]:
    """Some arrangements with a block rotated or mirrored in place, in each way that the block's outline allows."""
    within = np.isin(found[rows], block)
    if not len(rows) or np.ptp(within.sum(axis=1)):
        return
    cells = np.nonzero(within)[1].reshape(len(rows), -1)
    places = squares[cells]
    middles = places.min(axis=1) + places.max(axis=1)
    offsets = 2 * places - middles[:, None]
    gravity = offsets.sum(axis=1)
    for swapped, signs in SYMMETRIES:
        # A symmetry of an outline keeps its centre of gravity; most outlines fail by this.
        able = np.flatnonzero(np.all(gravity == signs * (gravity[:, ::-1] if swapped else gravity), axis=1))
        if not len(able):
            continue
        turned = (signs * (offsets[able][..., ::-1] if swapped else offsets[able]) + middles[able, None]) // 2
        inside = np.all((turned >= 0) & (turned < numbers.shape), axis=2)
        turned[~inside] = 0
        moved = numbers[turned[..., 0], turned[..., 1]]
        same = np.all(inside & np.take_along_axis(within[able], moved, axis=1), axis=1)
        images = found[rows[able[same]]]
        np.put_along_axis(images, moved[same], np.take_along_axis(images, cells[able[same]], axis=1), axis=1)
        yield from zip(rows[able[same]].tolist(), images, strict=True)


def _sorted(design: CalendarDesign, table: NDArray[np.int8]) -> NDArray[np.int8]:
    """The same arrangements, sorted; of twins the first on the board has the lower number."""
    alike: dict[tuple[int, ...], list[int]] = {}
    for number, piece in enumerate(design.set):
        alike.setdefault(placements(design.layout, piece, design.parameters.reflections), []).append(number)
    for twins in alike.values():
        if len(twins) > 1 and len(table):
            lying = np.stack([table == number for number in twins], axis=1)
            ranks = np.argsort(np.argsort(lying.argmax(axis=2), axis=1), axis=1)
            for place in range(len(twins)):
                row, cell = np.nonzero(lying[:, place])
                table[row, cell] = np.array(twins, np.int8)[ranks[row, place]]
    table = table[np.lexsort(table.T[::-1])] if table.shape[1] else table
    table.setflags(write=False)
    return table


def _starts(design: CalendarDesign, open_cells: Sequence[str]) -> tuple[list[list[tuple[int, int]]], int, list[int]]:
    """For the plain search: the placements that fill each first empty cell, the empty cells, and elder twins' bits."""
    board = design.layout
    empty = (1 << len(board.names)) - 1
    for name in open_cells:
        empty &= ~(1 << board.indices[name])
    starts: list[list[tuple[int, int]]] = [[] for _ in board.names]
    elder: list[int] = []
    last: dict[tuple[int, ...], int] = {}
    for number, piece in enumerate(design.set):
        ways = placements(board, piece, design.parameters.reflections)
        elder.append(last.get(ways, 0))
        last[ways] = 1 << number
        for cells in ways:
            if cells & ~empty == 0:
                starts[lowest(cells)].append((number, cells))
    return starts, empty, elder


def _searched(
    design: CalendarDesign, open_cells: Sequence[str], progress: Progress, most: int, begin: float
) -> Solutions:
    """Find solutions by plain search on a board too large for layers."""
    found: list[list[tuple[int, int]]] = []
    placed: list[tuple[int, int]] = []
    nodes, complete = 0, True
    for step in steps(design, open_cells):
        if not step.placed:
            placed.pop()
            continue
        nodes += 1
        if nodes % NODES_A_STEP == 0:
            progress.step(0.5, tr("{found} found, {nodes} nodes", found=len(found), nodes=nodes))
        placed.append((step.piece, step.cells))
        if step.solution:
            found.append(placed.copy())
        if nodes >= MOST_NODES or len(found) > most:
            complete = False
            break
    table = np.full((len(found), len(design.layout.names)), OPEN, np.int8)
    for row, each in zip(table, found, strict=True):
        for number, cells in each:
            row[list(members(cells))] = number
    return Solutions(_sorted(design, table[:most]), complete, nodes, perf_counter() - begin)
