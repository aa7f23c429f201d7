"""Boards that are no lattice: corners and edges, with the curves of their outlines."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import shapely

from studio.geometry.curves.strokes import Floats, Ints, closed_through

Net = tuple[Floats, Ints]

QUARTER = 4 / 3 * np.tan(np.pi / 8)
"""How long the handles of a cubic are that runs round a quarter of a circle of radius 1."""


def grid(columns: int, rows: int) -> Net:
    """Return unit squares."""
    corners = np.array([(x, y) for y in range(rows + 1) for x in range(columns + 1)], float)
    number = {(int(x), int(y)): i for i, (x, y) in enumerate(corners.tolist())}
    edges = [
        (i, number[after])
        for (x, y), i in number.items()
        for after in ((x + 1, y), (x, y + 1))
        if after in number
    ]  # fmt: skip
    return corners, np.array(edges, np.int64)


def net_of(polygons: list[shapely.Polygon]) -> Net:
    """Return corners and edges of polygons that share their sides."""
    places: dict[tuple[float, float], int] = {}
    edges: set[tuple[int, int]] = set()
    for polygon in polygons:
        ring = [places.setdefault((round(x, 6), round(y, 6)), len(places)) for x, y in polygon.exterior.coords]
        edges |= {(min(a, b), max(a, b)) for a, b in pairwise(ring) if a != b}
    return np.array(list(places), float), np.array(sorted(edges), np.int64)


def hexagons(columns: int, rows: int) -> Net:
    """Return a honeycomb."""
    turns = np.arange(6) * np.pi / 3 + np.pi / 6
    ring = np.stack([np.cos(turns), np.sin(turns)], 1)
    centres = [(np.sqrt(3) * (x + 0.5 * (y % 2)), 1.5 * y) for y in range(rows) for x in range(columns)]
    return net_of([shapely.Polygon(ring + centre) for centre in centres])


def voronoi(seed: int, count: int) -> Net:
    """Return the Voronoi cells of random points within a square, cut off at its sides."""
    points = np.random.default_rng(seed).uniform(0, 100, (count, 2))
    square = shapely.box(0, 0, 100, 100)
    cells = shapely.voronoi_polygons(shapely.MultiPoint(points), extend_to=square)
    return net_of([shapely.set_precision(cell.intersection(square), 1e-4) for cell in cells.geoms])


def delaunay(seed: int, count: int) -> Net:
    """Return the Delaunay triangles of random points."""
    points = np.random.default_rng(seed).uniform(0, 100, (count, 2))
    return net_of(list(shapely.delaunay_triangles(shapely.MultiPoint(points)).geoms))


def joined(*nets: Net) -> Net:
    """Return several nets as one."""
    starts = np.cumsum([0, *(len(corners) for corners, _ in nets)])
    edges = [edges + start for (_, edges), start in zip(nets, starts.tolist(), strict=False)]
    return np.concatenate([corners for corners, _ in nets]), np.concatenate(edges)


def scaled(net: Net, by: float, right: float, down: float) -> Net:
    """Return a net of another size, elsewhere."""
    return net[0] * by + [right, down], net[1]


def circle(radius: float, middle: tuple[float, float]) -> Floats:
    """Return four cubics round a middle, clockwise as one sees it."""
    handle = QUARTER * radius
    quarter = np.array([(radius, 0.0), (radius, handle), (handle, radius), (0.0, radius)])
    turn = np.array([[0.0, 1.0], [-1.0, 0.0]])
    quarters = [quarter, quarter @ turn, quarter @ turn @ turn, quarter @ turn @ turn @ turn]
    points: Floats = np.concatenate([quarter[:1], *(part[1:] for part in quarters)]) + middle
    points[-1] = points[0]
    return points


def disc(radius: float, rings: int, spokes: int) -> tuple[Net, list[Floats]]:
    """Return a round board of so many rings of sectors, and its outline."""
    turns = 2 * np.pi * np.arange(spokes) / spokes
    round_one = np.stack([np.cos(turns), np.sin(turns)], 1)
    corners = [np.zeros((1, 2)), *(radius * ring / rings * round_one for ring in range(1, rings + 1))]
    edges = []
    for ring in range(rings):
        own = 1 + ring * spokes + np.arange(spokes)
        edges += [np.stack([own, np.roll(own, -1)], 1)]
        edges += [np.stack([own - spokes if ring else np.zeros_like(own), own], 1)]
    net = np.concatenate(corners) + radius, np.concatenate(edges)
    return net, [circle(radius, (radius, radius))]


def polygon(radius: float, sides: int, middle: tuple[float, float]) -> Net:
    """Return the corners of a regular polygon and its sides."""
    turns = 2 * np.pi * np.arange(sides) / sides
    at = np.arange(sides)
    return radius * np.stack([np.cos(turns), np.sin(turns)], 1) + middle, np.stack([at, np.roll(at, -1)], 1)


def ring_of(places: list[tuple[float, float]]) -> Floats:
    """Return a closed ring of straight cubics."""
    return closed_through(np.array(places))
