"""The lines of a zigzaw: where two pieces part, and where a piece parts from the frame, each of them once.

line: lattice points from one node to the next, between the same two owners. node: a lattice point where three owners
meet. code: line i forwards is 2i, backwards 2i + 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from studio.puzzles.zigzaw.board import layout
from studio.puzzles.zigzaw.bodies import body
from studio.puzzles.zigzaw.lattice import Point
from studio.puzzles.zigzaw.model import ZigzawParameters

Edge = tuple[Point, Point]


@dataclass(frozen=True, eq=False)
class Lines:
    """The lines between the pieces: `rings` has the codes round each place, `rim` those round all, as a hole."""

    lines: tuple[tuple[Point, ...], ...]
    rings: tuple[tuple[int, ...], ...]
    rim: tuple[int, ...]


def lines_of(parameters: ZigzawParameters) -> Lines:
    """The lines of a board of so many columns and rows of a body."""
    return _lines(parameters.columns, parameters.rows, parameters.body)


@lru_cache(16)
def _lines(columns: int, rows: int, name: str) -> Lines:
    outline = body(name).outline
    places = layout(ZigzawParameters(columns=columns, rows=rows, body=name)).places
    outlines = []
    for cube in places:
        ox, oy = cube.origin
        outlines.append([(x + ox, y + oy) for x, y in outline])
    owners: dict[Edge, list[int]] = {}
    for place, points in enumerate(outlines):
        for edge in _edges(points):
            owners.setdefault(edge, []).append(place)
    between = {edge: tuple(pair) for edge, pair in owners.items()}
    met: dict[Point, set[tuple[int, ...]]] = {}
    for edge, pair in between.items():
        for point in edge:
            met.setdefault(point, set()).add(pair)
    nodes = {point for point, pairs in met.items() if len(pairs) > 1}
    numbers: dict[tuple[Point, ...], int] = {}
    lines: list[tuple[Point, ...]] = []
    rings = []
    rim: dict[Point, tuple[int, Point]] = {}
    for points in outlines:
        ring = []
        for run in _runs(points, nodes):
            if run[::-1] in numbers:
                ring.append(2 * numbers[run[::-1]] + 1)
                continue
            numbers[run] = len(lines)
            ring.append(2 * len(lines))
            lines.append(run)
            if len(between[_edge(run[0], run[1])]) == 1:
                rim[run[-1]] = 2 * numbers[run] + 1, run[0]
        rings.append(tuple(ring))
    return Lines(tuple(lines), tuple(rings), _followed(rim))


def _edge(one: Point, other: Point) -> Edge:
    return (one, other) if one < other else (other, one)


def _edges(points: list[Point]) -> list[Edge]:
    return [_edge(one, other) for one, other in zip(points, [*points[1:], points[0]], strict=True)]


def _runs(points: list[Point], nodes: set[Point]) -> list[tuple[Point, ...]]:
    """The outline cut at its nodes."""
    at = [number for number, point in enumerate(points) if point in nodes]
    twice = points + points
    ends = [*at[1:], at[0] + len(points)]
    return [tuple(twice[begin : end + 1]) for begin, end in zip(at, ends, strict=True)]


def _followed(rim: dict[Point, tuple[int, Point]]) -> tuple[int, ...]:
    """The codes of lines laid end to end, each known by where it begins; with its end."""
    first = point = min(rim)
    codes = []
    while True:
        code, point = rim[point]
        codes.append(code)
        if point == first:
            return tuple(codes)
