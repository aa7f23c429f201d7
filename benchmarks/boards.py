"""Boards that are no grids, for benchmarks and tests: hexagons and Voronoi cells on a rectangle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely

from studio.geometry.curves.strokes import Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from studio.geometry.planar.graph import trace


def hexagons(columns: int, rows: int, side: float) -> Drawing:
    """Rows of hexagons with sides of `side` mm, every other one shifted by half a hexagon; cut off at the rim."""
    step = np.sqrt(3.0) * side
    width, height = step * columns, 1.5 * side * (rows - 1) + side
    across, down = np.meshgrid(np.arange(-1, columns + 2), np.arange(rows))
    centres = np.stack([(across + 0.5 * (down % 2)) * step, 1.5 * side * down + side / 2], 2).reshape(-1, 1, 2)
    angles = np.pi / 6 + np.pi / 3 * np.arange(6)
    corners = centres + side * np.stack([np.cos(angles), np.sin(angles)], 1)
    return divided(shapely.polygons(corners).tolist(), width, height)


def voronoi(count: int, width: float, height: float, seed: int, rounds: int = 1) -> Drawing:
    """The cells of so many points, each moved to the middle of its cell in some rounds (Lloyd 1982)."""
    points = np.random.default_rng(seed).random((count, 2)) * (width, height)
    board = shapely.box(0, 0, width, height)
    for number in range(rounds + 1):
        cells = shapely.intersection(
            shapely.get_parts(shapely.voronoi_polygons(shapely.multipoints(points), extend_to=board)), board
        )
        if number < rounds:
            points = shapely.get_coordinates(shapely.centroid(cells))
    return divided(cells.tolist(), width, height)


def divided(cells: list[shapely.Polygon], width: float, height: float) -> Drawing:
    """A board that cells (those of no area are left out) divide; every line is a chain of its own, the border last."""
    board = shapely.box(0, 0, width, height)
    clipped = [shapely.intersection(cell, board) for cell in cells]
    numbers: dict[tuple[float, float], int] = {}
    edges: dict[tuple[int, int], None] = {}
    for cell in clipped:
        if cell.area < 1e-6:
            continue
        ring = [
            numbers.setdefault((x, y), len(numbers)) for x, y in np.round(shapely.get_coordinates(cell), 6).tolist()
        ]
        for here, there in pairwise(ring):
            if here != there:
                edges.setdefault((min(here, there), max(here, there)))
    corners: Floats = np.array(list(numbers))
    graph = trace(corners, np.array(list(edges), np.int64))
    names = tuple(str(face + 1) for face in range(graph.face_count))
    inner = tuple(Chain(Operation.INNER, np.array([2 * edge])) for edge in graph.inner_edges.tolist())
    border = Chain(Operation.BORDER, graph.rim, closed=True)
    return Drawing(
        width, height, straight(corners[graph.edges]), (*inner, border), Pieces(graph.codes, graph.starts, names)
    )
