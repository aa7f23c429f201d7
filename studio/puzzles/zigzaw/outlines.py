"""The lines of a zigzaw, between two pieces or a piece and the frame, each of them once.

line: lattice points from one node to the next, between the same two owners. node: a lattice point where three owners
meet. code: line i forwards is 2i, backwards 2i + 1. run: codes cut in one go. parting: a line between two parts of the
frame, along the outlines that pieces would have there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from studio.puzzles.zigzaw.model import IN_PARTS, ZigzawParameters, is_place
from studio.puzzles.zigzaw.piece_forms import DIVISION, HALF, Body, Cube, Point, body, grid

Edge = tuple[Point, Point]
SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Outwards, clockwise from the top."""
CLEAR = 0.6
"""Distance in edges that a straight parting keeps from pieces, if it can."""
HOOK = 0.75
"""Distance in edges that a parting should run back on its way out, to hook the parts of the frame together."""
_UNIT = np.array([DIVISION, HALF])


@dataclass(frozen=True)
class Parting:
    """A parting: it leaves the rim at the first of its points, and runs straight on to a side from its last."""

    points: tuple[Point, ...]
    outwards: tuple[int, int]


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines between the pieces: `rings` has the codes round each place, clockwise, `rim` round all as a hole.

    `runs` has every line once. `sharp` are the points at which pieces meet wherever they lie, even at the rim: outlines
    are sharp there, so that all are alike. `partings` are clockwise from the top, if the frame has parts, and `begins`
    the places in `rim` of the lines that begin at the same points.
    """

    lines: tuple[tuple[Point, ...], ...]
    rings: tuple[tuple[int, ...], ...]
    rim: tuple[int, ...]
    runs: tuple[tuple[int, ...], ...]
    sharp: frozenset[Point]
    partings: tuple[Parting, ...] = ()
    begins: tuple[int, ...] = ()


def lines_of(parameters: ZigzawParameters) -> Lines:
    """The lines of a board with columns and rows of a body."""
    p = parameters
    return _lines(ZigzawParameters(columns=p.columns, rows=p.rows, body=p.body, frame=p.frame))


@lru_cache(16)
def _lines(parameters: ZigzawParameters) -> Lines:
    tiled = _Tiled.from_parameters(parameters)
    partings = _partings(tiled) if parameters.frame == IN_PARTS else ()
    nodes = tiled.nodes | {parting.points[0] for parting in partings}
    numbers: dict[tuple[Point, ...], int] = {}
    rings = []
    rim: dict[Point, tuple[int, Point]] = {}
    for cube in tiled.places:
        ring = []
        outline = tiled.outlines[cube]
        at = [number for number, point in enumerate(outline) if point in nodes]
        for begin, end in pairwise([*at, at[0] + len(outline)]):
            run = tuple((outline + outline)[begin : end + 1])
            if run[::-1] in numbers:
                ring.append(2 * numbers[run[::-1]] + 1)
                continue
            number = numbers.setdefault(run, len(numbers))
            ring.append(2 * number)
            if len(tiled.beside(run)) == 1:
                rim[run[-1]] = 2 * number + 1, run[0]
        rings.append(tuple(ring))
    lines = tuple(numbers)
    # The lines of the rim laid end to end.
    codes, ends = [], [min(rim)]
    while len(ends) == 1 or ends[-1] != ends[0]:
        code, point = rim[ends[-1]]
        codes.append(code)
        ends.append(point)
    begins = tuple(ends.index(parting.points[0]) for parting in partings)
    return Lines(lines, tuple(rings), tuple(codes), _in_runs(tiled, lines), tiled.sharp, partings, begins)


@dataclass(frozen=True, eq=False)
class _Tiled:
    """Clockwise outlines of the pieces and of a ring of imagined pieces around them, and the owners of every edge."""

    parameters: ZigzawParameters
    places: tuple[Cube, ...]
    outlines: dict[Cube, list[Point]]
    owners: dict[Edge, tuple[Cube, ...]]
    nodes: frozenset[Point]
    sharp: frozenset[Point]

    @classmethod
    def from_parameters(cls, parameters: ZigzawParameters) -> _Tiled:
        outline = clockwise(body(parameters.body))
        outlines: dict[Cube, list[Point]] = {}
        owners: dict[Edge, tuple[Cube, ...]] = {}
        for cube in grid(parameters.columns + 2, parameters.rows + 2):
            ox, oy = cube.origin
            outlines[cube] = [(x + ox, y + oy) for x, y in outline]
            for edge in _edges(outlines[cube]):
                owners[edge] = (*owners.get(edge, ()), cube)
        places = tuple(cube for cube in outlines if is_place(parameters, cube))
        of_board = set(places)
        met: dict[Point, set[tuple[Cube, ...]]] = {}
        every: dict[Point, set[Cube]] = {}
        for edge, cubes in owners.items():
            pieces = tuple(cube for cube in cubes if cube in of_board)
            for point in edge:
                every.setdefault(point, set()).update(cubes)
                if pieces:
                    met.setdefault(point, set()).add(pieces)
        nodes = frozenset(point for point, pairs in met.items() if len(pairs) > 1)
        sharp = frozenset(point for point, cubes in every.items() if len(cubes) > 2)
        return cls(parameters, places, outlines, owners, nodes, sharp)

    def beside(self, line: tuple[Point, ...]) -> tuple[Cube, ...]:
        """The pieces at a line; one alone at the rim."""
        return tuple(cube for cube in self.owners[_edge(line[0], line[1])] if is_place(self.parameters, cube))


def clockwise(some: Body) -> tuple[Point, ...]:
    """The outline of a body as a piece is followed: clockwise on the screen."""
    x, y = np.array(some.outline).T
    return some.outline if int((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0 else some.outline[::-1]


def _edge(one: Point, other: Point) -> Edge:
    return (one, other) if one < other else (other, one)


def _edges(points: list[Point]) -> list[Edge]:
    return [_edge(one, other) for one, other in zip(points, [*points[1:], points[0]], strict=True)]


# Runs


def _in_runs(tiled: _Tiled, lines: tuple[tuple[Point, ...], ...]) -> tuple[tuple[int, ...], ...]:
    """The lines in the fewest runs possible: first the lines between pieces of a row, which let nothing fall.

    The last run goes to and fro between the rows and lets one piece fall after another.
    """
    following = _following(tiled, lines)
    coming = set(following.values())
    runs: list[tuple[int, ...]] = []
    used: set[int] = set()
    every = [code for line in range(len(lines)) for code in (2 * line, 2 * line + 1)]
    # Runs with ends come first; the remaining ones are closed.
    for code in (*(code for code in every if code not in coming), *every):
        if code >> 1 in used:
            continue
        run = [code]
        while run[-1] in following and following[run[-1]] != code:
            run.append(following[run[-1]])
        used.update(code >> 1 for code in run)
        runs.append(tuple(run))
    upright: list[tuple[int, ...]] = [
        run for run in runs if len(run) == 1 and not _parts_rows(tiled.beside(lines[run[0] >> 1]))
    ]
    beside_rows = set(upright)
    across = [run for run in runs if run not in beside_rows]
    return (*_to_and_fro(tiled, lines, upright), *sorted(across, key=lambda run: lines[run[0] >> 1][0][::-1]))


def _parts_rows(cubes: tuple[Cube, ...]) -> bool:
    return len({cube.row for cube in cubes}) > 1


def _following(tiled: _Tiled, lines: tuple[tuple[Point, ...], ...]) -> dict[int, int]:
    """The code that a run goes on with after another."""
    leaving: dict[Point, list[int]] = {}
    for number, line in enumerate(lines):
        leaving.setdefault(line[0], []).append(2 * number)
        leaving.setdefault(line[-1], []).append(2 * number + 1)
    following: dict[int, int] = {}
    for codes in leaving.values():
        beside = {code: tiled.beside(lines[code >> 1]) for code in codes}
        pair = [code for code in codes if len(beside[code]) == 1]
        between = [code for code in codes if _parts_rows(beside[code])]
        if pair and len(between) == 1:
            upper, lower = sorted(beside[between[0]])
            is_right = upper.column > tiled.parameters.columns // 2
            own = lower if is_right == (upper.row % 2 == 0) else upper
            pair = [code for code in pair if beside[code] == (own,)] + between
        elif not pair:
            pair = between
        if len(pair) == 2:
            following[pair[0] ^ 1], following[pair[1] ^ 1] = pair[1], pair[0]
    return following


def _to_and_fro(
    tiled: _Tiled, lines: tuple[tuple[Point, ...], ...], runs: list[tuple[int, ...]]
) -> list[tuple[int, ...]]:
    """Runs of one line each, column by column, down and up in turn."""
    columns: dict[int, list[tuple[int, int]]] = {}
    for run in runs:
        line, cubes = lines[run[0] >> 1], tiled.beside(lines[run[0] >> 1])
        column = min(cube.column for cube in cubes) - (len(cubes) == 1 and cubes[0].column == 1)
        down = run[0] & ~1 | (line[0][1] > line[-1][1])
        columns.setdefault(column, []).append((min(line[0][1], line[-1][1]), down))
    ordered: list[tuple[int, ...]] = []
    for turn, column in enumerate(sorted(columns)):
        downwards = [down for _, down in sorted(columns[column])]
        ordered += [(code ^ 1,) for code in reversed(downwards)] if turn % 2 else [(code,) for code in downwards]
    return ordered


# Partings


def _partings(tiled: _Tiled) -> tuple[Parting, ...]:
    """A parting near the middle of each side, which hooks its parts together if possible."""
    import shapely

    pieces = shapely.union_all([shapely.Polygon(np.array(tiled.outlines[cube]) * _UNIT) for cube in tiled.places])
    cubes = np.array([cube.origin for cube in tiled.outlines])
    low, high = cubes.min(axis=0) + np.array([3, 4]), cubes.max(axis=0) + np.array([9, 16])
    lines = _border_lines(tiled)
    found = []
    for outwards in SIDES:
        way = np.array(outwards)
        most, centre = float(np.maximum(low * way, high * way).sum()), (low + high) / 2
        candidates = []
        for points in (line[:end] for line in lines for end in range(2, len(line) + 1)):
            far = (np.array(points) * way).sum(axis=1)
            if far[-1] < far.max() or far[-1] > most:
                continue
            ends = np.array([points[-1], points[-1]], float)
            ends[1][way != 0] = most * float(way.sum())
            is_near = float(shapely.distance(pieces, shapely.linestrings(ends * _UNIT))) < CLEAR
            aside = abs(float((np.array(points[0]) - centre)[way == 0].sum()))
            if far[0] > (centre * way).sum():
                back = far * float(np.abs(way * _UNIT).sum())
                hook = min(float((np.maximum.accumulate(back) - back).max()), HOOK)
                candidates.append((is_near, -hook, aside, len(points) * (1 if hook == HOOK else -1), points))
        found.append(Parting(min(candidates)[-1], outwards))
    return tuple(found)


def _border_lines(tiled: _Tiled) -> list[tuple[Point, ...]]:
    """The lines outwards from the rim between two imagined pieces around it, and on beside a third one."""
    rim = {point for edge, cubes in tiled.owners.items() if len(tiled.beside(edge)) == 1 for point in edge}
    outline = clockwise(body(tiled.parameters.body))
    around: dict[Edge, tuple[Cube, ...]] = {}
    p = tiled.parameters
    for cube in (Cube(row, column) for row in range(-1, p.rows + 3) for column in range(-1, p.columns + 3)):
        ox, oy = cube.origin
        for edge in () if is_place(p, cube) else _edges([(x + ox, y + oy) for x, y in outline]):
            around[edge] = (*around.get(edge, ()), cube)
    between: dict[tuple[Cube, ...], dict[Point, list[Point]]] = {}
    meeting: dict[Point, set[tuple[Cube, ...]]] = {}
    for (one, other), cubes in around.items():
        if len(cubes) == 2:
            steps = between.setdefault(cubes, {})
            steps.setdefault(one, []).append(other)
            steps.setdefault(other, []).append(one)
            for point in (one, other):
                meeting.setdefault(point, set()).add(cubes)
    found = []
    for cubes, steps in between.items():
        for begin in sorted(point for point, others in steps.items() if point in rim and len(others) == 1):
            line = _walked(steps, begin, rim)
            if line[-1] in rim:
                continue
            found.append(line)
            for onwards in sorted(meeting[line[-1]] - {cubes}):
                more = _walked(between[onwards], line[-1], rim)
                if more[-1] not in rim:
                    found.append((*line, *more[1:]))
    return found


def _walked(steps: dict[Point, list[Point]], begin: Point, rim: set[Point]) -> tuple[Point, ...]:
    """The points of a line from one of its ends on, up to the other or to the rim."""
    line = [begin, steps[begin][0]]
    while line[-1] not in rim and (onwards := [point for point in steps[line[-1]] if point != line[-2]]):
        line.append(onwards[0])
    return tuple(line)
