"""The outline of a board of any form, and the cells that cover it, straight or with a flow, before they are clipped."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import cell_name
from studio.base.chance import symmetric, uniform
from studio.base.progress import SILENT, Progress, kept
from studio.geometry.board import tessellations
from studio.geometry.board.board_spec import ELLIPSE, FAN, FLOW_LINES, HAND_CUT, SWIRL, VORONOI, Division, Flow, Form
from studio.geometry.board.outline import Outline, outline_of
from studio.geometry.board.tessellations import ROW_KEY, Tessellation, tessellated
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats, Ints, closed_through, frozen, offsets, totals
from studio.geometry.planar.graph import crossing
from studio.geometry.planar.polyomino import HANDLE, disc, rounded

if TYPE_CHECKING:
    import shapely


# Forms of boards as outlines: each fills a box of width × height mm from the origin.
#
# ring: a closed curve (3k + 1, 2) of cubics in mm with the board at the right hand, that is, clockwise on the screen.

HEART_HALF = np.array([
    (0.5, 0.24), (0.5, 0.09), (0.385, 0.0), (0.262, 0.0), (0.115, 0.0), (0.0, 0.115), (0.0, 0.29),
    (0.0, 0.56), (0.27, 0.76), (0.5, 1.0),
])  # fmt: skip
"""The left half of a heart from its cleft to its tip, in shares of its box."""
OPEN_CLEFT = (0.44, 0.11)
"""The first handle of such a half if the cleft is open, so that a cut can end in it and no sliver burns away."""
SPRING = 0.5
"""The height of an arch's curve, as a fraction of its width; less on a low board."""


def rectangle(width: float, height: float, radius: float) -> Floats:
    """A rectangle with corners of a radius."""
    corners = np.array([(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)])
    return rounded(corners, radius)


def ellipse(width: float, height: float) -> Floats:
    """An ellipse."""
    return disc(1.0) * [width / 2, height / 2] + [width / 2, height / 2]


def polygon(width: float, height: float, sides: int) -> Floats:
    """A polygon with equal sides and one of them at the bottom, stretched to fill the box."""
    turns = 2 * np.pi * (np.arange(sides) + 0.5) / sides + np.pi / 2
    corners = np.stack([np.cos(turns), np.sin(turns)], 1)
    corners -= corners.min(axis=0)
    return closed_through(corners / corners.max(axis=0) * [width, height])


def heart(width: float, height: float, *, is_open: bool = False) -> Floats:
    """A heart whose cleft is a cusp, or open."""
    half = HEART_HALF.copy()
    if is_open:
        half[1] = OPEN_CLEFT
    right = half * [-1, 1] + [1, 0]
    ring: Floats = np.concatenate([right, half[-2::-1]]) * [width, height]
    ring[-1] = ring[0]
    return ring


def arch(width: float, height: float) -> Floats:
    """An arch: straight sides and a floor under half an ellipse."""
    rise = min(SPRING * width, height * 0.75)
    half, reach = width / 2, HANDLE
    crown = np.array([
        (0.0, rise), (0.0, rise * (1 - reach)), (half * (1 - reach), 0.0), (half, 0.0),
        (half * (1 + reach), 0.0), (width, rise * (1 - reach)), (width, rise),
    ])  # fmt: skip
    walls = closed_through(np.array([(width, rise), (width, height), (0.0, height), (0.0, rise)]))
    return np.concatenate([crown, walls[1:10]])


# Voronoi cells of points, relaxed so that none is tiny (Lloyd 1982), within an outline of any form.
# site: the point of a cell. ghost: a point outside the outline, so that cells end about where the board does.


JITTER = 0.5
"""Largest offset of sites from a regular lattice before they are relaxed, as a fraction of a cell."""
ROUNDS = 5
"""Rounds of relaxation; sites further from a change than this many cells keep their places."""
GHOSTS_AWAY, GHOSTS_APART = 0.5, 0.6
"""Distance of ghosts from the outline, and from each other, in cells."""
SHORTEST_EDGE = 0.24
"""Fraction of a cell below which an edge has no room for a tongue: its corners are merged."""
BOXES_AROUND = 3.0
"""Distance of the outermost sites, which close the ghosts' cells, in boxes of the ghosts."""


@dataclass(frozen=True, eq=False)
class _Dual:
    """Delaunay triangles (t, 3) of sites, their middles (t, 2), and their circumcentres (t, 2), corners of cells."""

    sites: Floats
    triangles: Ints
    middles: Floats
    corners: Floats


def voronoi(
    columns: int, rows: int, width: float, height: float, seed: int, outline: Outline, progress: Progress = SILENT
) -> Tessellation:
    """Cells of about equal area, one for each place of a jittered lattice within the outline.

    A cell is named after its place in the lattice, a corner after the cells that meet there.
    """
    import shapely

    cell = np.array([width / columns, height / rows])
    # In units of cells, so that flat cells are relaxed, too.
    board = shapely.transform(outline.region, lambda places: places / cell)
    shapely.prepare(board)
    sites, keys, names = _lattice(columns, rows, seed, board)
    # Ghosts round the board, half a cell outside it, that keep the sites' cells from spreading beyond it.
    rings = shapely.get_rings(shapely.buffer(board, GHOSTS_AWAY, quad_segs=4))
    steps = [np.arange(0.0, length, GHOSTS_APART) for length in shapely.length(rings).tolist()]
    found = [shapely.line_interpolate_point(ring, step) for ring, step in zip(rings, steps, strict=True)]
    ghosts = np.asarray(shapely.get_coordinates(np.concatenate(found)))
    for done in range(ROUNDS):
        progress.step(done / ROUNDS)
        # Centroids of the cells, which end half-way to the ghosts.
        dual = _dual(sites, ghosts)
        owners, around = _spokes(dual, len(sites))
        following = _next_of(owners)
        begin, end = dual.corners[around], dual.corners[around[following]]
        cross = begin[:, 0] * end[:, 1] - begin[:, 1] * end[:, 0]
        area = totals(owners, cross, len(sites))
        middle = np.stack([totals(owners, cross * (begin[:, i] + end[:, i]), len(sites)) for i in (0, 1)], 1)
        sites = np.asarray(middle / (3 * area[:, None]))
    return _tessellation(_dual(sites, ghosts), len(sites), keys, names, cell)


def _lattice(columns: int, rows: int, seed: int, board: shapely.Geometry) -> tuple[Floats, Ints, list[str]]:
    """The unrelaxed sites within the outline, with their keys and names."""
    import shapely

    row, column = (each.ravel() for each in np.mgrid[0:rows, 0:columns])
    keys = row * ROW_KEY + column
    u = column + 0.25 + 0.5 * (row % 2) + JITTER * symmetric(seed, keys, "site right")
    v = row + 0.5 + JITTER * symmetric(seed, keys, "site down")
    sites = np.stack([np.clip(u, 0.1, columns - 0.1), np.clip(v, 0.1, rows - 0.1)], 1)
    inside = shapely.contains_xy(board, sites[:, 0], sites[:, 1])
    if not inside.any():
        inside[0] = True
        sites[0] = shapely.get_coordinates(shapely.point_on_surface(board))[0]
    names = [cell_name(*place) for place in zip(column[inside].tolist(), row[inside].tolist(), strict=True)]
    return sites[inside], keys[inside], names


def _dual(own: Floats, ghosts: Floats) -> _Dual:
    """The triangles of sites and ghosts."""
    import shapely

    sites = np.concatenate([own, ghosts])
    low, high = sites.min(axis=0), sites.max(axis=0)
    reach = BOXES_AROUND * (high - low).max()
    far = (low + high) / 2 + reach * np.array(
        [(-1.0, -0.9), (0.1, -1.1), (1.0, -0.8), (1.1, 0.9), (-0.2, 1.2), (-1.2, 0.8)]
    )
    points = np.concatenate([sites, far])
    found = shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(points)))
    places = shapely.get_coordinates(found).reshape(-1, 4, 2)[:, :3]
    order = np.lexsort(points.T)
    wanted = places.reshape(-1, 2)
    ordered = points[order]
    as_numbers = ordered[:, 1] + 1j * ordered[:, 0]
    ranks = np.searchsorted(as_numbers, wanted[:, 1] + 1j * wanted[:, 0])
    triangles = order[ranks].reshape(-1, 3)
    # Ghosts in one line make triangles without an area.
    triangles = triangles[(triangles < len(own)).any(axis=1)]
    one, two, three = (points[triangles[:, at]] for at in range(3))
    right, left = two - one, three - one
    doubled = 2 * (right[:, 0] * left[:, 1] - right[:, 1] * left[:, 0])
    squares = np.stack([(right**2).sum(axis=1), (left**2).sum(axis=1)], 1)
    x = (left[:, 1] * squares[:, 0] - right[:, 1] * squares[:, 1]) / doubled
    y = (right[:, 0] * squares[:, 1] - left[:, 0] * squares[:, 0]) / doubled
    return _Dual(points, triangles, (one + two + three) / 3, one + np.stack([x, y], 1))


def _spokes(dual: _Dual, count: int) -> tuple[Ints, Ints]:
    """The corners round each of the first `count` sites, clockwise on the screen: owners (s,) and triangles (s,)."""
    owners = dual.triangles.ravel()
    around = np.repeat(np.arange(len(dual.triangles)), 3)
    own = owners < count
    owners, around = owners[own], around[own]
    # The middles of the triangles give the order even if circumcentres coincide.
    ways = dual.middles[around] - dual.sites[owners]
    order = np.lexsort((np.arctan2(ways[:, 1], ways[:, 0]), owners))
    return owners[order], around[order]


def _next_of(owners: Ints) -> Ints:
    """Index of the next entry in each run of the same owner, cyclically."""
    following = np.arange(1, len(owners) + 1)
    starts = np.flatnonzero(np.diff(owners, prepend=-1))
    following[np.append(starts[1:], len(owners)) - 1] = starts
    return following


def _tessellation(dual: _Dual, count: int, keys: Ints, names: list[str], cell: Floats) -> Tessellation:
    """The cells of the first `count` sites, with their shortest edges contracted to a corner."""
    owners, around = _spokes(dual, count)
    following = _next_of(owners)
    ends = np.stack([around, around[following]], 1)
    lengths = np.hypot(*(dual.corners[ends[:, 1]] - dual.corners[ends[:, 0]]).T)
    corners, joined = dual.corners.copy(), np.arange(len(dual.corners))
    short = np.flatnonzero(lengths < SHORTEST_EDGE)
    taken: set[int] = set()
    for one, other in ends[short[np.argsort(lengths[short], kind="stable")]].tolist():
        if taken.isdisjoint((one, other)):
            taken |= {one, other}
            corners[one] = (corners[one] + corners[other]) / 2
            joined[other] = one
    ring = joined[around]
    kept = ring != ring[following]
    used, flat = np.unique(ring[kept], return_inverse=True)
    bounds = offsets(np.bincount(owners[kept], minlength=count).astype(np.int64)).tolist()
    places = flat.reshape(-1).tolist()
    rings = [places[low:high] for low, high in pairwise(bounds)]
    return tessellated(corners[used] * cell, rings, keys=keys, names=names, scale=cell)


BEYOND_ELLIPSE = 2**0.5 - 1
"""Distance of a box's corners outside its ellipse, as a fraction of the ellipse."""


@lru_cache(maxsize=8)
def bounded(form: Form) -> Outline:
    """The outline of a form; raises StudioError if it is invalid."""
    return outline_of(_rings(form))


def _rings(form: Form) -> list[Floats]:
    size = form.width, form.height
    match form.outline:
        case "ellipse":
            return [ellipse(*size)]
        case "polygon":
            return [polygon(*size, form.sides)]
        case "heart":
            return [heart(*size, is_open=form.has_open_cleft)]
        case "arch":
            return [arch(*size)]
        case "file":
            rings = [np.array(ring) for ring in form.path]
            low, high = box(rings[0])
            return [(ring - low) * (np.array(size) / (high - low)) for ring in rings]
        case _:
            return [rectangle(*size, form.radius)]


@kept(4)
def covered(division: Division, progress: Progress) -> Tessellation:
    """The cells that cover the box of a form's outline; raises StudioError if the outline is invalid.

    A flow is weakened until no edges cross: cells may be long beside its bends.
    """
    cells, form, flow = _straight(division, progress), division.form, division.flow
    if division.least_edge and division.tiling in (HAND_CUT, VORONOI):
        cells = tessellations.with_long_edges(cells, division.least_edge, division.least_across)
    while flow is not None and flow.strength > LEAST_STRENGTH:
        corners = flowed(cells.corners, flow, form.width, form.height)
        if crossing(corners, cells.edges) is None:
            return replace(cells, corners=frozen(corners))
        flow = replace(flow, strength=WEAKER * flow.strength)
    return cells


def _straight(division: Division, progress: Progress) -> Tessellation:
    form, layout = division.form, (division.columns, division.rows)
    size = form.width, form.height
    match division.tiling:
        case "bricks":
            return tessellations.bricks(*layout, *size)
        case "hexagons":
            return tessellations.hexagons(*layout, *size)
        case "triangles":
            return tessellations.triangles(*layout, *size)
        case "voronoi":
            return voronoi(*layout, *size, division.seed, bounded(form), progress)
        case "rings":
            return _concentric(division)
        case "hand-cut":
            return tessellations.hand_cut(*layout, *size, division.seed)
        case _:
            return tessellations.grid(*layout, *size)


def _concentric(division: Division) -> Tessellation:
    """Rings with pieces about as large as columns and rows would make them."""
    form, has_middle = division.form, division.has_middle
    cells = division.columns * division.rows
    rings = max(1 + has_middle, round(math.sqrt(cells) / 2))
    sectors = max(3, round(math.pi / 2 * cells * (rings - 0.5) / rings**2))
    counts = tessellations.ring_counts(rings, sectors, middle=has_middle)
    more = 0 if form.outline == ELLIPSE else math.ceil(BEYOND_ELLIPSE * rings) + 1
    return tessellations.concentric(counts, more, form.width, form.height, division.seed)


# Flows: maps of a board's box onto itself that bend a tessellation, so that its rows run in swirls, fans or waves.
#
# A map moves places by sums of sines and cosines, sin(kx) cos(ly) to the right and cos(kx) sin(ly) down. These vanish
# at the sides that they lead to or from, so the border keeps its place, and lines that end on it meet it squarely. It
# has no folds, because its Jacobian is positive everywhere.

MODES = 6
"""Half waves of the shortest sine along the box's shorter side, and most along the longer one as a multiple of it."""
LONGEST_SIDE = 3
LARGEST_AREA, LARGEST_STRETCH = 1.8, 2.4
"""Largest factor by which a flow changes areas, up and down, and largest ratio of the stretches of a place."""
AT_SIDES, LEAST_THERE, MOST_THERE = 1 / 12, 0.8, 1.4
"""Width of a strip along the sides, as a fraction of the shorter one, and the least factor for areas and the largest
ratio of stretches there, so that the half cells of offset rows are no slivers."""
STEEPEST = 1.1
"""Largest turn of a row, in radians."""
START, STIFFER, FITTINGS = 0.02, 1.7, 30
"""First stiffness of the box, its growth where a flow is too strong, and most rounds of the fit."""
ACROSS, SPREADING = 0.4, 0.5
"""Weights of lines across the rows, and of even areas, against rows and even lengths."""
WEAKER, LEAST_STRENGTH = 0.9, 0.01
"""Factor of a flow that is still too strong, and the strength below which rows are straight."""
SWELL, WAVELENGTH = 0.6, 0.75
"""Steepest slope of waves in radians, and their length as a multiple of the box's shorter side."""
TWIST, CORE = 0.65, 0.2
"""Turn of a swirl in radians for each doubling, about, of the way to its middle, and radius of its core in its own."""
BEYOND = 0.6
"""Distance of a fan's handle from the box, as a fraction of the box's height."""
ENDING = 0.15
"""Length of a flow line's ends that count less, as a fraction of the box's shorter side."""
ALONG_LINE = 60
"""Places of a flow line at which rows are led along it."""


def flowed(places: Floats, flow: Flow, width: float, height: float) -> Floats:
    """Move places (n, 2) in mm with a flow of a box; areas change by less than a factor of 2, up or down."""
    if flow.kind == SWIRL:
        return _swirled(places, flow, width, height)
    series = _led(replace(flow, strength=1.0), width, height)
    share = flow.strength
    while not series.scaled(share).is_calm.all():
        share *= WEAKER
    return places + series.scaled(share).moves(places)


def _swirled(places: Floats, flow: Flow, width: float, height: float) -> Floats:
    """Turn places about the middles of swirls, side by side along the box: a turn moves no area."""
    long, short = max(width, height), min(width, height)
    count = max(1, int(long / short))
    radius = min(long / count, short) / 2
    turn = np.sign(symmetric(flow.seed, np.zeros(1, np.int64), "swirl")[0]) * flow.strength * TWIST
    result = places.copy()
    for number in range(count):
        along, across = long * (number + 0.5) / count, short / 2
        middle = np.array([along, across] if width >= height else [across, along])
        way = places - middle
        share = np.minimum((way**2).sum(axis=1) / radius**2, 1.0)
        angle = turn * (-1) ** number * (np.log((1 + CORE**2) / (share + CORE**2)) - (1 - share) / (1 + CORE**2))
        cos, sin = np.cos(angle), np.sin(angle)
        result += np.stack([way[:, 0] * (cos - 1) - way[:, 1] * sin, way[:, 0] * sin + way[:, 1] * (cos - 1)], 1)
    return result


@dataclass(frozen=True, eq=False)
class _Series:
    """A map as a series: wave numbers (m, 2) per mm, and the heights (m, 2) in mm of waves to the right and down; with
    cosines and sines (g, m) of a net of places over the box, and the least factors for areas and largest ratios of
    stretches there, (g,)."""

    numbers: Floats
    heights: Floats
    net: tuple[Floats, Floats]
    least: Floats
    most: Floats

    def scaled(self, share: float) -> _Series:
        """Scale the moves."""
        return replace(self, heights=share * self.heights)

    def moves(self, places: Floats) -> Floats:
        """Moves (n, 2) in mm of places."""
        x, y = (places[:, i, None] * self.numbers[:, i] for i in (0, 1))
        return np.stack([np.sin(x) * np.cos(y) @ self.heights[:, 0], np.cos(x) * np.sin(y) @ self.heights[:, 1]], 1)

    def slopes(self, waves: tuple[Floats, Floats]) -> Floats:
        """Jacobian matrices (n, 2, 2) of the map at places with cosines and sines."""
        cosines, sines = waves
        (across, along), (right, down) = self.numbers.T, self.heights.T
        rows = [
            cosines @ (across * right),
            -sines @ (along * right),
            -sines @ (across * down),
            cosines @ (along * down),
        ]
        return np.stack(rows, 1).reshape(-1, 2, 2) + np.eye(2)

    @cached_property
    def is_calm(self) -> NDArray[np.bool_]:
        """Mask (g,) of the places of the net at which the map keeps to the limits of areas and stretches."""
        slopes = self.slopes(self.net)
        areas = np.linalg.det(slopes)
        mean = (slopes**2).sum(axis=(1, 2)) / 2
        ratios = (self.most + 1 / self.most) / 2
        return np.asarray((areas > self.least) & (areas < LARGEST_AREA) & (mean < ratios * areas))


def _waves(places: Floats, numbers: Floats) -> tuple[Floats, Floats]:
    """Products of cosines, and of sines, (n, m) of places in mm and wave numbers (m, 2)."""
    x, y = (places[:, i, None] * numbers[:, i] for i in (0, 1))
    return np.cos(x) * np.cos(y), np.sin(x) * np.sin(y)


@lru_cache(maxsize=8)
def _led(flow: Flow, width: float, height: float) -> _Series:
    """The map of the box that leads rows along the flow's directions as nearly as areas and stretches allow.

    Its energy is quadratic: the square of each row's component across the direction, and of each line's component
    along it, against the stiffness of the box, which grows where the map is too strong.
    """
    size = np.array([width, height])
    wanted, angles, weights = _directions(flow, size)
    most = np.minimum(MODES * size / size.min(), MODES * LONGEST_SIDE).astype(np.int64)
    steps = [(np.arange(4 * each) + 0.5) / (4 * each) for each in most.tolist()]
    net = np.stack(np.meshgrid(*steps, indexing="ij"), -1).reshape(-1, 2) * size
    is_at_side = (np.minimum(net, size - net) < AT_SIDES * size.min()).any(axis=1)
    modes = np.stack(np.meshgrid(*(np.arange(each + 1) for each in most.tolist()), indexing="ij"), -1).reshape(-1, 2)
    modes = modes[((modes / most) ** 2).sum(axis=1) <= 1]
    numbers = np.pi * modes / size
    right, down = numbers.T
    near, far = np.abs(modes[:, None] - modes).transpose(2, 0, 1), (modes[:, None] + modes).transpose(2, 0, 1)
    tables = [np.cos(np.pi * np.outer(step, np.arange(2 * each + 1))) for step, each in zip(steps, most, strict=True)]
    limits = np.where(is_at_side, [[LEAST_THERE], [MOST_THERE]], [[1 / LARGEST_AREA], [LARGEST_STRETCH]])
    series = _Series(numbers, np.zeros_like(numbers), _waves(net, numbers), *limits)
    cos, sin = np.cos(angles)[:, None], np.sin(angles)[:, None]
    stiffness, at, calm = np.full([len(step) for step in steps], START / len(net)), wanted, 0
    for _ in range(FITTINGS):
        # Sums over the net of products of two cosines, or of two sines, from cosines of sums and differences.
        sums = tables[0].T @ stiffness @ tables[1]
        alike, unlike = sums[near[0], near[1]] + sums[far[0], far[1]], sums[near[0], far[1]] + sums[far[0], near[1]]
        even, odd = (alike + unlike) / 4, (alike - unlike) / 4
        mixed = SPREADING * np.outer(right, down) * even
        matrix = np.block([
            [(1 + SPREADING) * np.outer(right, right) * even + np.outer(down, down) * odd, mixed],
            [mixed.T, (1 + SPREADING) * np.outer(down, down) * even + np.outer(right, right) * odd],
        ])  # fmt: skip
        cosines, sines = _waves(at, numbers)
        rows = np.hstack([-sin * cosines * right, -cos * sines * right]) * np.sqrt(weights)[:, None]
        lines = np.hstack([-cos * sines * down, sin * cosines * down]) * np.sqrt(ACROSS * weights)[:, None]
        off = np.sqrt(weights) * sin[:, 0]
        matrix += rows.T @ rows + lines.T @ lines + 1e-9 * np.eye(len(matrix))
        heights = np.linalg.solve(matrix, rows.T @ off - np.sqrt(ACROSS) * lines.T @ off)
        series = replace(series, heights=heights.reshape(2, -1).T)
        calm = calm + 1 if series.is_calm.all() else 0
        if calm > 2:
            break
        stiffness = np.where(series.is_calm.reshape(stiffness.shape), 1.0, STIFFER) * stiffness
        # A step of Newton's method to the places that the map takes to the wanted ones.
        slopes = series.slopes((cosines, sines))
        if np.linalg.det(slopes).min() > 1 / LARGEST_STRETCH:
            at = np.clip(at + np.linalg.solve(slopes, (wanted - at - series.moves(at))[..., None])[..., 0], 0, size)
    return series


def _directions(flow: Flow, size: Floats) -> tuple[Floats, Floats, Floats]:
    """Places (n, 2) in mm of a box, the angles (n,) of rows there, in radians, and their weights (n,), 1 in all."""
    chance = uniform(flow.seed, np.arange(2), f"flow {flow.kind}")
    if flow.kind == FLOW_LINES:
        found = [_along_line(np.array(way) * size, float(size.min())) for way in flow.lines]
        places, angles, weights = (np.concatenate(each) for each in zip(*found, strict=True))
    else:
        counts = np.maximum(4 * MODES * size / size.max(), MODES).astype(np.int64)
        steps = [(np.arange(count) + 0.5) / count for count in counts]
        places = np.stack(np.meshgrid(*steps), -1).reshape(-1, 2) * size
        weights = np.ones(len(places))
        if flow.kind == FAN:
            up = 1.0 if chance[0] < 0.5 else -1.0
            handle = size * [0.3 + 0.4 * chance[1], 0.5 + up * (0.5 + BEYOND)]
            angles = np.arctan2(up * (places[:, 0] - handle[0]), up * (handle[1] - places[:, 1]))
        else:
            count = max(1, round(float(size[0] / size.min()) / WAVELENGTH))
            angles = SWELL * np.cos(2 * np.pi * (count * places[:, 0] / size[0] + chance[0]))
    return places, np.clip(angles, -STEEPEST, STEEPEST), weights / weights.sum()


def _along_line(way: Floats, short: float) -> tuple[Floats, Floats, Floats]:
    """Places of a flow line (p, 2) in mm, the angles by which rows, or lines across them if it is steep, turn onto it,
    and weights, less towards its ends."""
    lengths = np.append(0.0, np.cumsum(np.hypot(*np.diff(way, axis=0).T)))
    steps = np.linspace(0.0, lengths[-1], ALONG_LINE)
    places = np.stack([np.interp(steps, lengths, way[:, i]) for i in (0, 1)], 1)
    # The mouse's tremor is no direction.
    smooth = np.stack([np.convolve(np.pad(places[:, i], 4, "edge"), np.ones(9) / 9, "valid") for i in (0, 1)], 1)
    right, down = np.gradient(smooth, axis=0).T
    if np.abs(down).sum() > np.abs(right).sum():
        right, down = down, -right
    angles = np.arctan(down / np.where(right == 0, 1e-9, right))
    weights = np.minimum(np.minimum(steps, steps[::-1]) / (ENDING * short) + 0.1, 1.0)
    return places, angles, weights * (lengths[-1] / short)
