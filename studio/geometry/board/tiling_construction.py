"""Construction of tilings: lattices of equal cells, and polygons with their graph, names, joints and tracks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.board.outline import ARC_HALF, SHARPEST, Outline, Stretch, outline_of, rounded_rectangle
from studio.geometry.board.tiling import (
    DRAWN_TOLERANCE,
    FIXED,
    FREE,
    INCENTRE_TOLERANCE,
    NONE,
    ON_OUTLINE,
    REST_KEY,
    SLACK,
    Joints,
    Labels,
    Tiling,
    _incentres,
    distinguished,
    polygons_of,
)
from studio.geometry.curves.strokes import Curves, Floats, Ints, closed_through, frozen, totals
from studio.geometry.planar.graph import PlanarGraph, crossing, trace

ROUND_A_BEND = np.radians(75.0)
"""Largest turn of edges that continue into each other if cells have no grid: three edges at a corner bend."""
KEEPS_OFF = np.radians(20.0)
"""Least angle between the common direction of two joined edges and any other edge at the corner."""
ROUNDISH = 0.4
"""Least radius of the largest circle in a compact face, as a fraction of the root of its area."""
LEVEL_DECIMALS = 6
"""Decimals of a joint's direction when joints are sorted by how level they are."""
HANDLE = 1e-6
"""Length in mm below which a curve's handle gives no direction."""
MOST_CORNERS = 2**20
"""Bound of corners' ids, so that two make the id of an edge."""


def tiled(
    corners: Floats,
    edges: Ints,
    *,
    ids: Ints | None = None,
    scale: float | None = None,
    rings: Sequence[Floats] = (),
    voids: Sequence[tuple[float, float]] = (),
    names: Callable[[Floats], Sequence[str]] | None = None,
    joints: Sequence[tuple[int, int]] | None = None,
) -> Tiling:
    """Build a tiling from corners (n, 2) in mm and edges (m, 2) between them.

    `ids` (n,) name the corners, so that names and random values survive a change of the rest. `rings` are the outline's
    closed curves, by default through the border's corners; `voids` are places in faces that are holes of the board.
    `names` maps the faces' incentres (f, 3) to names, which may repeat; by default faces are named after their corners.
    `joints` are pairs of half-edges, one that reaches a corner and one that leaves it; by default the straightest.
    Raises StudioError, with the place, if edges cross, coincide or are loose, or if the border's corners are not on the
    outline.

    >>> corners = np.array([(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)])
    >>> halves = tiled(corners, np.array([(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)]), names=lambda centres: ["A", "B"])
    >>> halves.piece_names, halves.size, halves.edge_name(4)
    (('A', 'B'), (10.0, 10.0), 'A-B')
    """
    ids = np.arange(len(corners)) if ids is None else ids
    met = crossing(corners, edges)
    if met is not None:
        raise StudioError(tr("Two cuts cross at {x:.2f}, {y:.2f} mm.", x=met[0], y=met[1]))
    if len({*ids.tolist()}) < len(ids) or not ((ids >= 0) & (ids < MOST_CORNERS)).all():
        raise StudioError(tr("Every corner of a tiling needs a unique id."))
    whole = trace(corners, edges)
    graph, boards = _hollowed(whole, corners, voids), len(whole.rims)
    if scale is None:
        extent = np.ptp(corners, axis=0)
        scale = float(np.sqrt(extent[0] * extent[1] / max(graph.face_count, 1)))
    circles = _incentres(graph, corners, INCENTRE_TOLERANCE * scale)
    low, high = np.sort(ids[edges], axis=1).T
    edge_keys = low * MOST_CORNERS + high
    outline = outline_of([*rings] if rings else [closed_through(_ring(graph, corners, rim)) for rim in graph.rims])
    graph, tracks, stretches, _ = _tracks(graph, corners, outline)
    away = _away(graph, corners, None)
    pairs = _straightest(graph, away, 2 * SHARPEST) if joints is None else joints
    keyed = _joints(graph, away, ids, edge_keys, pairs, MOST_CORNERS)
    ways = _least_ways(graph, ids)
    faces = (
        distinguished(names(circles), ways.tolist()) if names else [f"{one}:{other}" for one, other in ways.tolist()]
    )
    radius = np.append(circles[:, 2], np.inf)
    return Tiling(
        graph=graph,
        outline=outline,
        size=(float(outline.box[1][0]), float(outline.box[1][1])),
        scale=frozen(np.full(2, scale)),
        homes=frozen(corners),
        tracks=frozen(tracks),
        corner_keys=frozen(ids),
        edge_keys=frozen(edge_keys),
        face_keys=frozen(ways @ np.array([MOST_CORNERS, 1])),
        across=frozen(2 * radius[graph.sides].min(axis=1)),
        stretches=frozen(stretches),
        joints=keyed,
        voids=inner_first(graph, corners, graph.rims[boards:]),
        rims=graph.rims[:boards],
        corner_name=lambda corner: str(ids[corner]),
        piece_name=faces.__getitem__,
    )


def labelled(
    corners: Floats,
    edges: Ints,
    labels: Labels,
    *,
    outline: Outline,
    size: tuple[float, float],
    scale: Floats,
    curves: Curves | None = None,
) -> Tiling:
    """Build a tiling with given keys and names from corners (n, 2) in mm and edges (m, 2) between them.

    Edges are straight without `curves` (m runs). A face without a piece on any half-edge is a hole of the board.
    Raises StudioError as `tiled` does.
    """
    lines = None if curves is None else curves.flattened(DRAWN_TOLERANCE)
    whole = trace(corners, edges, lines)
    owned = labels.pieces[whole.codes >> 1, whole.codes & 1]
    piece_of = np.maximum.reduceat(owned, whole.starts[:-1])
    holes = np.flatnonzero(piece_of < 0)
    graph = whole.without(holes) if len(holes) else whole
    pieces = piece_of[piece_of >= 0]
    if lines is None:
        radii = _radii(graph, corners, labels.piece_keys[pieces] != REST_KEY)
    else:
        radii = _incentres(graph, corners, INCENTRE_TOLERANCE * float(scale.min()), lines)[:, 2]
    graph, tracks, stretches, homes = _tracks(graph, corners, outline)
    tracks[labels.is_knot] = FIXED
    if curves is not None:
        turned = np.flatnonzero(graph.edges[:, 0] != edges[:, 0])
        curves = curves.joined(
            2 * np.arange(len(edges)) + np.isin(np.arange(len(edges)), turned), np.arange(len(edges) + 1)
        )
    away = _away(graph, corners, curves)
    pairs = _straightest(graph, away, ROUND_A_BEND)
    keyed = _joints(graph, away, labels.corner_keys, labels.edge_keys, pairs, 2)
    radius = np.append(radii, np.inf)
    free = tracks == FREE
    leeway = np.full(len(homes), np.inf)
    leeway[free] = outline.gaps(homes[free], SLACK * float(scale.min()))
    gaps = leeway.copy()
    for one, other in (graph.edges.T, graph.edges.T[::-1]):
        beside = ~free[one] & free[other]
        np.minimum.at(leeway, one[beside], gaps[other[beside]])
    return Tiling(
        graph=graph,
        outline=outline,
        size=size,
        scale=frozen(scale),
        homes=frozen(homes),
        tracks=frozen(tracks),
        corner_keys=frozen(labels.corner_keys),
        edge_keys=frozen(labels.edge_keys),
        face_keys=frozen(labels.piece_keys[pieces]),
        across=frozen(2 * radius[graph.sides].min(axis=1)),
        stretches=frozen(stretches),
        joints=keyed,
        voids=inner_first(graph, corners, graph.rims[len(whole.rims) :]),
        rims=graph.rims[: len(whole.rims)],
        corner_name=labels.corner_names.__getitem__,
        piece_name=[labels.piece_names[piece] for piece in pieces.tolist()].__getitem__,
        given_edge_names=labels.edge_names,
        leeway=frozen(leeway),
        drawn=curves,
    )


def inner_first(graph: PlanarGraph, corners: Floats, rings: Sequence[Ints]) -> tuple[Ints, ...]:
    """Sort the rings round holes, the smallest first."""
    return tuple(sorted(rings, key=lambda rim: float(np.ptp(_ring(graph, corners, rim), axis=0).prod())))


def _radii(graph: PlanarGraph, corners: Floats, matters: NDArray[np.bool_]) -> Floats:
    """Approximate radius (f,) in mm of the largest circle in every face.

    It is the distance from the face's middle to the nearest edge, or searched if that is short for the area, as in a
    concave face; only for faces that matter (f,).
    """
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    ends = corners[graph.edges[graph.codes >> 1, :]]
    backwards = graph.codes & 1 == 1
    ends[backwards] = ends[backwards, ::-1]
    begins, ways = ends[:, 0], ends[:, 1] - ends[:, 0]
    lengths = np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)
    total = totals(owners, lengths, graph.face_count)
    halves = ends.mean(axis=1) * lengths[:, None]
    middles = np.stack([totals(owners, halves[:, i], graph.face_count) for i in (0, 1)], 1) / total[:, None]
    away = middles[owners] - begins
    gaps = (ways[:, 0] * away[:, 1] - ways[:, 1] * away[:, 0]) / lengths
    radii: Floats = np.minimum.reduceat(gaps, graph.starts[:-1])
    cross = begins[:, 0] * ends[:, 1, 1] - begins[:, 1] * ends[:, 1, 0]
    areas = totals(owners, cross, graph.face_count) / 2
    doubtful = np.flatnonzero((radii < ROUNDISH * np.sqrt(areas)) & matters)
    if len(doubtful):
        import shapely

        polygons = polygons_of(graph, corners, doubtful)
        radii[doubtful] = shapely.length(
            shapely.maximum_inscribed_circle(polygons, np.sqrt(areas[matters].max()) / 100)
        )
    return radii


def _least_ways(graph: PlanarGraph, ids: Ints) -> Ints:
    """Ids (f, 2) at the ends of each face's least half-edge by ids, which no other face has."""
    ways = ids[graph.edges][graph.codes >> 1]
    ways[graph.codes & 1 == 1] = ways[graph.codes & 1 == 1, ::-1]
    owners = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    order = np.lexsort((ways[:, 1], ways[:, 0], owners))
    return np.asarray(ways[order][graph.starts[:-1]])


def _ring(graph: PlanarGraph, corners: Floats, rim: Ints) -> Floats:
    """The corners of a rim, with the board on the right."""
    ring: Floats = corners[graph.edges[rim >> 1, rim & 1]][::-1]
    return ring


def _hollowed(graph: PlanarGraph, corners: Floats, voids: Sequence[tuple[float, float]]) -> PlanarGraph:
    if not voids:
        return graph
    import shapely

    faces = polygons_of(graph, corners)
    at, around = shapely.STRtree(faces).query(shapely.points(np.array(voids)), predicate="within")
    for void in sorted({*range(len(voids))} - {*at.tolist()}):
        x, y = voids[void]
        raise StudioError(tr("There is no piece at {x:.2f}, {y:.2f} mm to turn into a hole.", x=x, y=y))
    return graph.without(np.unique(around))


def _tracks(graph: PlanarGraph, corners: Floats, outline: Outline) -> tuple[PlanarGraph, Ints, Ints, Floats]:
    """The graph along its border, the tracks of corners, the stretches of edges, and the homes of corners, moved onto
    their stretches; corners at the ends of stretches stay."""
    tracks = np.full(len(corners), FREE)
    stretches = np.full(len(graph.edges), NONE)
    rim = graph.rim >> 1
    ends = graph.edges[rim]
    border = np.unique(ends)
    places = np.stack([_reached(stretch, corners[border]) for stretch in outline.stretches])
    gaps = np.hypot(*np.moveaxis(places - corners[border], 2, 0))
    off = np.flatnonzero(gaps.min(axis=0) > ON_OUTLINE)
    if len(off):
        x, y = corners[border[off[0]]].tolist()
        raise StudioError(tr("The corner at {x:.2f}, {y:.2f} mm is not on the outline.", x=x, y=y))
    near = np.full((len(outline.stretches), len(corners)), False)
    near[:, border] = gaps <= ON_OUTLINE
    tracks[border] = gaps.argmin(axis=0)
    homes = corners.copy()
    homes[border] = places[tracks[border], np.arange(len(border))]
    for place in outline.bends:
        at = border[((corners[border] - place) ** 2).sum(axis=1).argmin()]
        if np.hypot(*(corners[at] - place)) > ON_OUTLINE:
            raise StudioError(
                tr("The outline's corner at {x:.2f}, {y:.2f} mm must be one of the tiling's.", x=place[0], y=place[1])
            )
        tracks[at], homes[at] = FIXED, corners[at]
    doubtful: list[tuple[int, Floats, Ints]] = []
    for edge, (first, second) in zip(rim.tolist(), ends.tolist(), strict=True):
        shared = np.flatnonzero(near[:, first] & near[:, second])
        if not len(shared):
            x, y = corners[[first, second]].mean(axis=0).tolist()
            raise StudioError(tr("The border at {x:.2f}, {y:.2f} mm does not follow the outline.", x=x, y=y))
        if len(shared) > 1:
            doubtful.append((edge, corners[[first, second]].mean(axis=0)[None], shared))
        else:
            stretches[edge] = shared[0]
    for edge, middle, shared in doubtful:
        # Between corners shared by two stretches, take a stretch without another edge, or else the nearest.
        able = np.setdiff1d(shared, stretches[rim])
        able = able if len(able) else shared
        away = [float(np.hypot(*(outline.stretches[at].nearest(middle) - middle)[0])) for at in able.tolist()]
        stretches[edge] = able[int(np.argmin(away))]
    return _along(graph), tracks, stretches, homes


def _reached(stretch: Stretch, places: Floats) -> Floats:
    """Nearest places on a stretch; infinite for places more than ON_OUTLINE outside its box."""
    low, high = stretch.box
    near = ((places >= low - ON_OUTLINE) & (places <= high + ON_OUTLINE)).all(axis=1)
    reached = np.full(places.shape, np.inf)
    reached[near] = _nearest(stretch, places[near].tobytes())
    return reached


@lru_cache(maxsize=64)
def _nearest(stretch: Stretch, places: bytes) -> Floats:
    """Nearest places on a stretch, cached, since dragging a figure asks for the border's again."""
    return frozen(stretch.nearest(np.frombuffer(places).reshape(-1, 2)))


def _along(graph: PlanarGraph) -> PlanarGraph:
    """Turn the edges of the border so that the board is on their right."""
    turned = graph.rim[graph.rim & 1 == 0] >> 1
    edges, sides = graph.edges.copy(), graph.sides.copy()
    edges[turned], sides[turned] = edges[turned, ::-1], sides[turned, ::-1]
    flips = np.zeros(len(edges), np.int64)
    flips[turned] = 1
    codes, rim = (codes ^ flips[codes >> 1] for codes in (graph.codes, graph.rim))
    return replace(graph, edges=frozen(edges), sides=frozen(sides), codes=frozen(codes), rim=frozen(rim))


def _joints(
    graph: PlanarGraph, away: Floats, ids: Ints, edge_keys: Ints, pairs: Sequence[tuple[int, int]], step: int
) -> Joints:
    """Make joints from pairs of half-edges, keyed by `step` times their corner's id plus their place among its joints,
    the most level first; half-edges leave in directions `away` (2m, 2)."""
    reaching, leaving = np.array(pairs, np.int64).reshape(-1, 2).T
    begins, finishes = graph.edges[leaving >> 1, leaving & 1], graph.edges[reaching >> 1, 1 - (reaching & 1)]
    at_rim = graph.sides.min(axis=1) < 0
    loose = np.flatnonzero((begins != finishes) | at_rim[reaching >> 1] | at_rim[leaving >> 1])
    if len(loose):
        raise StudioError(
            tr("A joint of corner {id} does not join two cuts that meet there.", id=ids[begins[loose[0]]])
        )
    at = np.full(graph.edges.shape, NONE)
    signs = np.ones(graph.edges.shape)
    for codes, ends in ((reaching, 1 - (reaching & 1)), (leaving, leaving & 1)):
        at[codes >> 1, ends] = np.arange(len(pairs))
        signs[codes >> 1, ends] = np.where(codes & 1, -1.0, 1.0)
    ways = away[leaving] - away[reaching ^ 1]
    ways /= np.maximum(np.hypot(ways[:, 0], ways[:, 1]), 1e-9)[:, None]
    levels = -np.round(np.abs(ways[:, 0]), LEVEL_DECIMALS)
    order = np.lexsort((np.minimum(edge_keys[reaching >> 1], edge_keys[leaving >> 1]), levels, ids[begins]))
    again = np.append(False, ids[begins][order][1:] == ids[begins][order][:-1])
    places = np.arange(len(order))
    keys = np.empty(len(order), np.int64)
    keys[order] = step * ids[begins][order] + places - np.maximum.accumulate(np.where(again, 0, places))
    return Joints(frozen(at), frozen(signs), frozen(keys), frozen(ways))


def _away(graph: PlanarGraph, corners: Floats, curves: Curves | None) -> Floats:
    """The unit directions (2m, 2) in which half-edges leave their corners."""
    if curves is None:
        ends = corners[graph.edges]
        ways = np.stack([ends[:, 1] - ends[:, 0], ends[:, 0] - ends[:, 1]], 1).reshape(-1, 2)
    else:
        first, last = curves.starts[:-1], curves.starts[1:] - 1
        ways = np.zeros((2 * len(curves), 2))
        for step in (1, 2, 3):
            flat = np.hypot(ways[:, 0], ways[:, 1]) < HANDLE
            beside = curves.points[np.stack([first + step, last - step], 1).ravel()] - curves.ends.reshape(-1, 2)
            ways[flat] = beside[flat]
        # A first cubic without extent says nothing; the chord does.
        flat = np.hypot(ways[:, 0], ways[:, 1]) < HANDLE
        chords = curves.ends[:, 1] - curves.ends[:, 0]
        ways[flat] = np.stack([chords, -chords], 1).reshape(-1, 2)[flat]
    return np.asarray(ways / np.hypot(ways[:, 0], ways[:, 1])[:, None])


def _straightest(graph: PlanarGraph, away: Floats, sharpest: float) -> list[tuple[int, int]]:
    """Pairs of inner edges at corners inside the board that turn by at most `sharpest`, the straightest first."""
    degrees = np.diff(graph.star_starts)
    inner = np.ones(graph.corner_count, bool)
    inner[graph.edges[graph.rim >> 1]] = False
    pairs: list[tuple[int, float, int, int]] = []
    for degree in sorted({*degrees[inner].tolist()} - {0, 1}):
        at = np.flatnonzero(inner & (degrees == degree))
        stars = graph.star_edges[graph.star_starts[at, None] + np.arange(degree)]
        codes = 2 * stars + (graph.edges[stars, 0] != at[:, None])
        ways = away[codes]
        first, second = _two_of(degree)
        turns = (ways[:, first] * ways[:, second]).sum(axis=2)
        # Mask (k, p) of pairs (p,) of directions (k, d, 2) at corners (k,) whose common line keeps off the other ones.
        lines = ways[:, first] - ways[:, second]
        lines /= np.maximum(np.hypot(lines[..., 0], lines[..., 1]), 1e-9)[..., None]
        near = lines @ ways.transpose(0, 2, 1)
        places = np.arange(ways.shape[1])
        others = (places != first[:, None]) & (places != second[:, None])
        free = np.asarray((~others | (np.abs(near) < np.cos(KEEPS_OFF))).all(axis=2))
        rows, which = np.nonzero((turns <= -np.cos(sharpest)) & free)
        one, other = codes[rows, first[which]], codes[rows, second[which]]
        low, high = np.minimum(one, other), np.maximum(one, other)
        pairs += zip(at[rows].tolist(), turns[rows, which].tolist(), low.tolist(), high.tolist(), strict=True)
    joined: set[int] = set()
    result = []
    for _corner, _turn, one, other in sorted(pairs):
        if joined.isdisjoint((one, other)):
            joined |= {one, other}
            result.append((one ^ 1, other))
    return result


@lru_cache
def _two_of(count: int) -> tuple[Ints, Ints]:
    """Indices of all pairs of `count` things, the lesser and the greater."""
    first, second = np.triu_indices(count, 1)
    return frozen(first), frozen(second)


# Tilings of equal cells, the only ones with columns and rows

TOP, BOTTOM, LEFT, RIGHT = range(4)
"""The sides of a rectangle, as its outline numbers them."""


@dataclass(frozen=True, eq=False)
class _Lattice:
    """The part of a rectangular tiling that is independent of its size in mm."""

    graph: PlanarGraph
    places: Ints
    horizontal: NDArray[np.bool_]
    stretches: Ints
    chains: tuple[Ints, ...]
    rim: Ints


@lru_cache(maxsize=4)
def _lattice(columns: int, rows: int) -> _Lattice:
    places = np.stack(np.meshgrid(np.arange(columns + 1), np.arange(rows + 1)), -1).reshape(-1, 2)
    corner = np.arange(len(places), dtype=np.int64).reshape(rows + 1, columns + 1)
    # Edge numbers of a lattice: `across[row, column]` (rows + 1, columns), `down[row, column]` (rows, columns + 1).
    count = (rows + 1) * columns
    across = np.arange(count, dtype=np.int64).reshape(rows + 1, columns)
    down = count + np.arange(rows * (columns + 1), dtype=np.int64).reshape(rows, columns + 1)
    edges = np.concatenate(
        [
            np.stack([corner[:, :-1], corner[:, 1:]], -1).reshape(-1, 2),
            np.stack([corner[:-1], corner[1:]], -1).reshape(-1, 2),
        ]
    )
    graph = trace(places.astype(np.float64), edges)

    chains = []
    back = False
    for row in range(1, rows):
        codes = 2 * across[row]
        chains.append(codes[::-1] + 1 if back else codes)
        back = not back
    # The columns begin at the end of the last row, and from below, where that row lies.
    up = rows > 1
    order = range(columns - 1, 0, -1) if back else range(1, columns)
    for column in order:
        codes = 2 * down[:, column]
        chains.append(codes[::-1] + 1 if up else codes)
        up = not up
    end = int(corner[0, 0])
    if chains:
        last = int(chains[-1][-1])
        end = int(edges[last >> 1, 1 - (last & 1)])
    begins = edges[graph.rim >> 1, graph.rim & 1]
    rim = np.roll(graph.rim, -int(np.flatnonzero(begins == end)[0]))
    stretches = np.full(len(edges), NONE)
    for side, outer in ((TOP, across[0]), (BOTTOM, across[-1]), (LEFT, down[:, 0]), (RIGHT, down[:, -1])):
        stretches[outer] = side
    horizontal = np.arange(len(edges)) < across.size
    return _Lattice(graph, places, horizontal, frozen(stretches), tuple(chains), rim)


@lru_cache(maxsize=8)
def rectangular(columns: int, rows: int, width: float, height: float, radius: float = 0.0) -> Tiling:
    """Build a board of columns × rows equal cells; width, height and the radius of its corners in mm.

    >>> rectangular(2, 2, 20.0, 20.0).piece_names
    ('A1', 'B1', 'A2', 'B2')
    """
    lattice = _lattice(columns, rows)
    graph, places = lattice.graph, lattice.places
    cell = np.array([width / columns, height / rows])
    homes = places * cell
    homes[places[:, 0] == columns, 0] = width
    homes[places[:, 1] == rows, 1] = height
    tracks = _lattice_tracks(places, columns, rows)
    fixed = tracks == FIXED
    homes[fixed] -= np.sign(homes[fixed] - np.array([width, height]) / 2) * radius * ARC_HALF
    keys = places[:, 1] * 4096 + places[:, 0]
    across = np.where(lattice.horizontal, cell[1], cell[0])
    edge_keys = keys[graph.edges[:, 0]] * 2 + ~lattice.horizontal
    for array in (cell, homes, tracks, keys, edge_keys, across):
        frozen(array)

    def corner_name(corner: int) -> str:
        column, row = places[corner].tolist()
        return f"{column},{row}"

    def piece_name(face: int) -> str:
        row, column = divmod(face, columns)
        return cell_name(column, row)

    return Tiling(
        graph=graph,
        outline=rounded_rectangle(width, height, radius),
        size=(width, height),
        scale=cell,
        homes=homes,
        tracks=tracks,
        corner_keys=keys,
        edge_keys=edge_keys,
        face_keys=np.arange(graph.face_count),
        across=across,
        stretches=lattice.stretches,
        joints=_lattice_joints(graph, lattice.horizontal, keys, tracks),
        known_chains=lattice.chains,
        voids=(),
        rims=(lattice.rim,),
        corner_name=corner_name,
        piece_name=piece_name,
    )


def _lattice_tracks(places: Ints, columns: int, rows: int) -> Ints:
    """Tracks of corners: the rim's slide on their sides, the board's own four stay."""
    sides = [places[:, 1] == 0, places[:, 1] == rows, places[:, 0] == 0, places[:, 0] == columns]
    tracks = np.select(sides, [TOP, BOTTOM, LEFT, RIGHT], FREE)
    tracks[sum(side.astype(np.int64) for side in sides) > 1] = FIXED
    return tracks


def _lattice_joints(graph: PlanarGraph, horizontal: NDArray[np.bool_], keys: Ints, tracks: Ints) -> Joints:
    """Joints of rows and columns at every corner inside the board: two for each corner, the row's first."""
    at = np.where(tracks[graph.edges] == FREE, 2 * graph.edges + ~horizontal[:, None], NONE)
    ways: Floats = np.tile(np.eye(2), (len(keys), 1))
    both = (2 * keys[:, None] + np.arange(2)).ravel()
    return Joints(frozen(at), frozen(np.ones(at.shape)), frozen(both), frozen(ways))
