"""Boards from drawn cuts: the division of a board into pieces by curves of any form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import cell_name
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.board.board_spec import DrawnCut, LooseLine, Ring, path_of
from studio.geometry.board.outline import Outline
from studio.geometry.board.tiling import NONE, Labels, Tiling, distinguished, polygons_of
from studio.geometry.board.tiling_construction import MOST_CORNERS, labelled
from studio.geometry.curves.strokes import Curves, Floats, split_at_knots, through
from studio.geometry.planar.arrangement import (
    FLATNESS,
    Arrangement,
    arranged,
    knots_near,
    parting,
    places_at,
    without_points,
)
from studio.geometry.planar.graph import PlanarGraph, trace

if TYPE_CHECKING:
    from shapely import Geometry, LineString, Polygon

SNAP, REACH = 0.005, 1.0
"""Distances in mm within which the ends of an added cut meet others, and to which they are led first."""
AHEAD, SPREAD = 10.0, np.radians(60.0)
"""Distance in mm over which loose lines are extended, and the largest turn in radians at their ends."""
ASIDE = 2.0
"""Largest distance straight on, in distances to the nearest place ahead, at which a line is not led aside."""
ATTACHED = 0.05
"""Distance in mm within which the end of a loose line is on a cut."""
WIDER = tr("If lines end apart, raise Close gaps (--gap).")
SLIVER = 0.08
"""Share of the usual piece's area below which a piece that a figure cuts off is joined to the next."""
ON_RIM = 1e-3
"""Distance in mm from the outline below which the end of a cut is on it: files hold six decimals."""


@dataclass(frozen=True, eq=False)
class Recognised:
    """A board found in a drawing: the rings of its outline, the board on their right, its cuts, the number of its
    pieces, and what was mended or left out."""

    path: tuple[Ring, ...]
    cuts: tuple[DrawnCut, ...]
    count: int
    arrangement: Arrangement


@dataclass(frozen=True, eq=False)
class Earlier:
    """A board that is divided again: its cuts and outline, and a function that names the pieces at places (k, 2) in mm,
    "" beside the board and in its holes."""

    cuts: Sequence[DrawnCut]
    path: Sequence[Ring]
    piece_at: Callable[[Floats], Sequence[str]]

    @property
    def lines(self) -> list[Floats]:
        """The cuts and the outline as curves (3k + 1, 2)."""
        return [np.array(line) for line in (*(cut.curve for cut in self.cuts), *self.path)]

    def has_outline(self, path: Sequence[Ring]) -> bool:
        """True if closed curves run where the outline does."""
        import shapely

        if len(path) != len(self.path):
            return False
        one, other = (multilines([*map(np.array, each)]) for each in (path, self.path))
        return float(shapely.hausdorff_distance(one, other)) <= SNAP


def recognised(
    lines: Sequence[Floats], tolerance: float, earlier: Earlier | None = None, progress: Progress = SILENT
) -> Recognised:
    """Find a board in the lines (3k + 1, 2) of a drawing: its border is their outer rim, all others are cuts.

    Ends are joined within `tolerance` mm. The lines of an earlier board are added; its holes stay open, and what they
    do not change keeps its name: of a divided piece, the largest part. Raise StudioError without a closed border, or
    with several boards.
    """
    found = arranged(lines if earlier is None else [*earlier.lines, *lines], tolerance, progress.part(0.0, 0.8))
    graph, polygons = _traced(found)
    boards = len(graph.rims)
    if boards > 1:
        sentence = tr("it holds {count} boards apart from each other; a file is one board.", count=boards)
        raise StudioError(f"{sentence} {WIDER}")
    graph, names = (graph, _named(polygons)) if earlier is None else _renamed(graph, polygons, earlier)
    rings = [found.curves.joined(rim, np.array([0, len(rim)]))[0][::-1] for rim in graph.rims]
    progress.step(0.9)
    cuts = _called(() if earlier is None else earlier.cuts, found, graph, names, ())
    return Recognised(path_of(rings), cuts, graph.face_count, found)


def _traced(found: Arrangement) -> tuple[PlanarGraph, NDArray[np.object_]]:
    """Trace the faces of an arrangement, also as polygons. Raise StudioError if it has none."""
    if not len(found.curves):
        raise StudioError(tr("its lines enclose no piece.") + f" {WIDER}")
    flat = found.curves.flattened(FLATNESS)
    graph = trace(found.nodes, found.ends, flat)
    return graph, polygons_of(graph, found.nodes, lines=flat)


def _outside(
    found: Arrangement, voids: Sequence[Polygon], near: Sequence[Polygon], rings: Geometry
) -> tuple[Arrangement, PlanarGraph, NDArray[np.object_]]:
    """Leave out the curves in voids that rings bound, those beyond the pieces near them, and cuts that part a sliver
    from a piece; also trace all faces but the voids."""
    import shapely

    lines = _lines(found.curves)
    middles, area = shapely.line_interpolate_point(lines, 0.5, normalized=True), shapely.union_all([*voids])
    around = shapely.multipolygons([*near, *voids])
    is_ring, is_inside = shapely.distance(rings, middles) <= SNAP, shapely.distance(area, middles) <= SNAP
    kept = np.flatnonzero((is_ring | ~is_inside) & (shapely.distance(around, middles) <= SNAP))
    while True:
        # Of a cut that ends beside a ring, a rest may have stayed inside.
        kept = kept[parting([found.curves[at] for at in kept.tolist()], found.ends[kept], found.nodes)]
        used, ends = np.unique(found.ends[kept], return_inverse=True)
        rest = replace(
            found, nodes=found.nodes[used], curves=found.curves.chosen(kept), ends=ends.reshape(-1, 2), loose=()
        )
        graph, faces = _traced(rest)
        is_void = np.append(shapely.contains(area, shapely.point_on_surface(faces)), True)
        areas = shapely.area(faces)
        beside = np.unique(graph.sides[is_ring[kept]])
        small = beside[(areas[beside] < SLIVER * np.median(areas)) & ~is_void[beside] & (beside >= 0)]
        sides = np.where(is_void[graph.sides], NONE, graph.sides)
        # A sliver between a cut and the ring beside it may be taken for a part of the void.
        is_between = (sides < 0).all(axis=1)
        if is_between.any():
            kept = kept[~is_between]
            continue
        around = np.flatnonzero(np.isin(sides, small).any(axis=1) & (sides >= 0).all(axis=1))
        if not len(around):
            return rest, graph.without(np.flatnonzero(is_void[:-1])), faces[~is_void[:-1]]
        pair = sides[around[shapely.length(lines[kept[around]]).argmax()]]
        kept = kept[(np.sort(sides, axis=1) != np.sort(pair)).any(axis=1)]


def _lines(curves: Curves) -> NDArray[np.object_]:
    import shapely

    flat = curves.flattened(FLATNESS)
    return np.asarray(shapely.linestrings(flat.points, indices=flat.owners))


def _renamed(graph: PlanarGraph, polygons: NDArray[np.object_], earlier: Earlier) -> tuple[PlanarGraph, list[str]]:
    """Name the faces of a board that is divided again, and leave out those in its holes."""
    import shapely

    inside = shapely.point_on_surface(polygons)
    before, fresh = earlier.piece_at(shapely.get_coordinates(inside)), _named(polygons)
    outer = Curves.from_strokes([np.array(earlier.path[0])]).flattened(FLATNESS)
    was_inside = shapely.contains(shapely.polygons(outer.points), inside).tolist()
    names, taken = [""] * len(fresh), {*before, *(piece for cut in earlier.cuts for piece in cut.pieces)}
    seen = set[str]()
    for at in np.argsort(-shapely.area(polygons), kind="stable").tolist():
        name = before[at]
        if not name and was_inside[at]:
            continue
        if not name or name in seen:
            name = _free_name(name or fresh[at], taken, is_part=bool(name))
            taken.add(name)
        names[at] = name
        seen.add(name)
    holes = np.array([at for at, name in enumerate(names) if not name], np.int64)
    return graph.without(holes) if len(holes) else graph, [name for name in names if name]


def _free_name(name: str, taken: Collection[str], *, is_part: bool) -> str:
    """A name that is not taken, for a part of a piece or a new one: A1.2 beside A1."""
    if name not in taken and not is_part:
        return name
    stem = name.partition(".")[0]
    return next(free for number in count(2) if (free := f"{stem}.{number}") not in taken)


def _cut_name(pieces: Sequence[str], taken: Collection[str]) -> str:
    """A name for a cut between two pieces that is not taken: A1-B1, A1-B1.2."""
    pair = "-".join(sorted(pieces, key=_place))
    return next(name for number in count(1) if (name := pair if number == 1 else f"{pair}.{number}") not in taken)


def _named(polygons: NDArray[np.object_]) -> list[str]:
    """Name faces after the cells of a grid in which their centres lie, about as large as they are."""
    import shapely

    centres = shapely.get_coordinates(shapely.centroid(polygons))
    low = shapely.total_bounds(polygons)[:2]
    cell = float(np.sqrt(shapely.area(polygons).mean()))
    columns, rows = np.floor((centres - low) / cell).astype(np.int64).T
    names = [cell_name(column, row) for column, row in zip(columns.tolist(), rows.tolist(), strict=True)]
    return distinguished(names, np.round(centres[:, ::-1] * 1000).astype(np.int64).tolist())


def _place(name: str) -> tuple[int, str, list[int]]:
    """A key that sorts names of pieces by column and row: B2 before AA1, A2 before A10."""
    letters = name.rstrip("0123456789.")
    return len(letters), letters, [int(part) for part in name[len(letters) :].split(".") if part]


def drawn(
    cuts: Sequence[DrawnCut], outline: Outline, size: tuple[float, float], low: Floats, factors: Floats,
    merged: Collection[str] = (), details: Sequence[LooseLine] = (), usual: float = 0.0,
) -> Tiling:  # fmt: skip
    """Build the tiling of a board from cuts within its outline; they are moved by `-low` and stretched by `factors`.

    `merged` names cuts to leave out, which merges the pieces on either side; unknown names are ignored. `details` end
    inside pieces. Corners move in units of the `usual` size of a piece in mm; 0 takes that of these. Raise StudioError,
    with the place, for cuts that cross, coincide or are loose.
    """
    usual = usual or np.sqrt(float(outline.region.area) / len({piece for cut in cuts for piece in cut.pieces}))
    cuts = lasting(cuts, merged)
    places: dict[str, Floats] = {}
    curves = [(np.array(cut.curve) - low) * factors for cut in cuts]
    for cut, curve in zip(cuts, curves, strict=True):
        for end, name in zip((0, -1), cut.ends, strict=True):
            curve[end] = places.setdefault(name, curve[end].copy())
    names = [*places]
    number = {name: at for at, name in enumerate(names)}
    ends = [[number[name] for name in cut.ends] for cut in cuts]
    nodes = [*places.values()]
    for at in range(len(outline.rings)):
        ring = outline.rings[at]
        knots, on_ring = _stops(ring, nodes, outline.bends)
        parts = split_at_knots(ring, knots)
        # The first part begins where the ring does, which may be between two nodes.
        parts = [*parts[1:-1], np.concatenate([parts[-1], parts[0][1:]])]
        for part, first, second in zip(parts, on_ring, [*on_ring[1:], on_ring[0]], strict=True):
            part[0], part[-1] = nodes[first], nodes[second]
            curves.append(without_points(part))
            ends.append([first, second])
    corners, edges, lines = np.array(nodes), np.array(ends, np.int64), Curves.from_strokes(curves)
    graph = trace(corners, edges, lines.flattened(FLATNESS))
    beyond = graph.sides[len(cuts) :, 1]
    is_piece = np.ones(graph.face_count + 1, bool)
    is_piece[beyond[beyond >= 0]] = is_piece[-1] = False
    faces = _faces(graph, cuts)
    keys = np.array([crc32(name.encode()) % MOST_CORNERS for name in names] + [0] * (len(nodes) - len(names)))
    least, most = np.sort(keys[edges], axis=1).T
    labels = Labels(
        corner_keys=keys,
        corner_names=[*names, *(f"rim {at + 1}" for at in range(len(nodes) - len(names)))],
        is_knot=np.arange(len(nodes)) >= len(names),
        edge_keys=np.where(np.arange(len(edges)) < len(cuts), least * MOST_CORNERS + most, 0),
        edge_names=[*(cut.name for cut in cuts), *[""] * (len(edges) - len(cuts))],
        pieces=np.where(is_piece[graph.sides], graph.sides, -1),
        piece_keys=np.argsort([*map(faces.index, sorted(faces, key=_place))]),
        piece_names=faces,
    )
    tiling = labelled(corners, edges, labels, outline=outline, size=size, scale=np.full(2, usual), curves=lines)
    return _detailed(tiling, [(one.name, (np.array(one.curve) - low) * factors) for one in details])


def _detailed(tiling: Tiling, details: Sequence[tuple[str, Floats]]) -> Tiling:
    """Add details, with their names and curves (3k + 1, 2) in mm, to a tiling of drawn cuts."""
    if not details:
        return tiling
    from studio.geometry.board import inlays

    lines, count = [line for _, line in details], len(tiling.graph.edges)
    corners = tiling.graph.corner_count + np.arange(2 * len(lines)).reshape(-1, 2)
    made = inlays.extended(tiling, np.concatenate([line[[0, -1]] for line in lines]), corners, lines)
    names = [*(tiling.given_edge_names or ()), *(name for name, _ in details)]
    return replace(made, given_edge_names=names, drawn_details=count + np.arange(len(lines)))


def cut_off(tiling: Tiling, areas: Sequence[Polygon], rings: Sequence[Floats]) -> tuple[DrawnCut, ...]:
    """The cuts of a tiling of drawn cuts, in mm, outside areas that `rings`, with the rest of the outline, bound.

    Cuts that reach no area, and the largest parts of pieces, keep their names. The pieces that an area touches, and
    those beside them, are divided again. Raise StudioError if nothing is left.
    """
    import shapely

    graph, edges = tiling.graph, np.arange(len(tiling.graph.edges))
    curves = tiling.drawn_curves(edges)
    cuts = []
    for edge in graph.inner_edges.tolist():
        first, last = map(tiling.corner_name, graph.edges[edge].tolist())
        right, left = map(tiling.piece_name, graph.sides[edge].tolist())
        (curve,) = path_of([curves[edge]])
        cuts.append(DrawnCut(tiling.edge_name(edge), (first, last), (right, left), curve))
    polygons = polygons_of(graph, tiling.homes, lines=curves.flattened(FLATNESS))
    tree = shapely.STRtree(polygons)
    chosen = np.zeros(graph.face_count + 1, bool)
    chosen[tree.query(areas, predicate="dwithin", distance=2 * SNAP)[1]] = True
    chosen[graph.sides[chosen[graph.sides].any(axis=1)]] = True
    near = {tiling.piece_name(face): polygons[face] for face in np.flatnonzero(chosen[:-1]).tolist()}

    def piece_at(places: Floats) -> list[str]:
        names = [""] * len(places)
        for at, face in tree.query(shapely.points(places), predicate="within").T.tolist():
            names[at] = tiling.piece_name(face)
        return names

    earlier = Earlier(cuts, path_of([tiling.outline.rings[at] for at in range(len(tiling.outline.rings))]), piece_at)
    beside = [cut for cut in cuts if not near.keys().isdisjoint(cut.pieces)]
    kept = [cut for cut in cuts if not near.keys() >= {*cut.pieces}]
    found = arranged([*replace(earlier, cuts=beside).lines, *rings], SNAP)
    found, graph, faces = _outside(found, areas, [*near.values()], multilines(rings))
    made = _called(cuts, found, *_renamed(graph, faces, earlier), kept)
    known = {cut.name: cut for cut in cuts}
    return tuple(cut if known.get(cut.name) is cut else _ended(cut, rings) for cut in made)


def details_outside(tiling: Tiling, areas: Sequence[Polygon]) -> list[LooseLine]:
    """The details of a tiling of drawn cuts, in mm, that touch none of some areas."""
    import shapely

    edges = tiling.drawn_details
    curves = tiling.drawn_curves(edges)
    is_free = shapely.distance(_lines(curves), shapely.union_all([*areas])) > 0
    return [
        LooseLine(tiling.edge_name(edge), path_of([curves[at]])[0], is_detail=True)
        for at, edge in enumerate(edges.tolist()) if is_free[at]
    ]  # fmt: skip


def _ended(cut: DrawnCut, rings: Sequence[Floats]) -> DrawnCut:
    """Move the ends of a cut that are beside rings exactly onto them."""
    curve = np.array(cut.curve)
    for ring in rings:
        knots, gaps = knots_near(ring, curve[[0, -1]])
        for end, beside, gap, place in zip((0, -1), (1, -2), gaps.tolist(), places_at(ring, knots), strict=True):
            if gap <= SNAP:
                curve[beside] += place - curve[end]
                curve[end] = place
    return replace(cut, curve=path_of([curve])[0])


def with_line(earlier: Earlier, line: Floats, loose: Sequence[Floats] = (), progress: Progress = SILENT) -> Recognised:
    """Add a line (3k + 1, 2) to a board, from a cut or the border to another, and divide the pieces it crosses.

    The `loose` lines of the drawing may now part pieces, too. Raise StudioError, with the place, if an end is far from
    every cut, or the line leaves the board, and if it divides no piece.
    """
    import shapely

    rims = [Curves.from_strokes([np.array(ring)]).flattened(FLATNESS).points for ring in earlier.path]
    outer, *holes = map(shapely.Polygon, rims)
    board = shapely.difference(outer, shapely.union_all(holes))
    string = _string(line)
    off = shapely.difference(string, shapely.buffer(board, REACH))
    if not shapely.is_empty(off):
        x, y = shapely.get_coordinates(shapely.point_on_surface(off))[0]
        raise StudioError(tr("The cut leaves the board at {x:.1f}, {y:.1f} mm.", x=x, y=y))
    led = _led(line, earlier.lines)
    # A stretch that grazes the border from outside would add to the board.
    met = shapely.get_coordinates(shapely.intersection(_string(led), shapely.boundary(board)))
    knots = np.unique(knots_near(led, met)[0]) if len(met) else met[:, 0]
    parts = split_at_knots(led, [knot for knot in knots.tolist() if SNAP < knot < (len(led) - 1) // 3 - SNAP])
    inside = [
        part for part in parts if shapely.distance(board, _string(part).interpolate(0.5, normalized=True)) <= SNAP
    ]
    found = recognised([*inside, *loose], SNAP, earlier, progress)
    before = {piece for cut in earlier.cuts for piece in cut.pieces}
    left = [shapely.Point(*curve[len(curve) // 2]) for curve in found.arrangement.loose]
    if found.count <= max(len(before), 1) or (left and (shapely.distance(string, left) <= SNAP).any()):
        raise StudioError(tr("The cut divides no piece."))
    return found


def _string(line: Floats) -> LineString:
    import shapely

    return shapely.LineString(Curves.from_strokes([line]).flattened(FLATNESS).points)


def ahead(line: Floats, end: int, others: Geometry, reach: float = AHEAD) -> Floats | None:
    """The place on other lines that a line (3k + 1, 2) reaches if its end 0 or -1 is led on, within `reach` mm.

    It is straight on, unless another place ahead is much nearer; the end itself if it is on one of them.
    """
    import shapely

    place = line[end]
    if shapely.distance(others, shapely.Point(place)) <= ATTACHED:
        return np.asarray(place)
    before = line if end else line[::-1]
    far = np.flatnonzero(np.hypot(*(before - place).T) > SNAP)
    x, y = place - before[far[-1]]
    angles = np.arctan2(y, x) + np.linspace(-SPREAD, SPREAD, 25)
    # A cut exactly that far away is within reach, whatever the rounding, and between two points of the sector's rim.
    radius = (reach + SNAP) / np.cos((angles[1] - angles[0]) / 2)
    sector = shapely.polygons([place, *(place + radius * np.stack([np.cos(angles), np.sin(angles)], 1))])
    near = shapely.intersection(sector, others)
    if shapely.is_empty(near):
        return None
    nearest = np.asarray(shapely.get_coordinates(shapely.shortest_line(shapely.Point(place), near))[1])
    # Another free end that is the nearest closes a gap.
    if shapely.distance(shapely.boundary(others), shapely.Point(nearest)) <= SNAP:
        return nearest
    way = ASIDE * np.hypot(*(nearest - place)) * np.array([x, y]) / np.hypot(x, y)
    straight = shapely.get_coordinates(shapely.intersection(shapely.linestrings([place, place + way]), others))
    return straight[np.hypot(*(straight - place).T).argmin()] if len(straight) else nearest


def extended(line: Floats, others: Sequence[Floats], reach: float = AHEAD) -> Floats:
    """Lead the free ends of a line (3k + 1, 2) straight to the next of other lines within `reach` mm, and to an end of
    theirs nearby."""
    beside, ends = multilines(others), np.concatenate([other[[0, -1]] for other in others])
    parts = [line]
    for end in (0, -1):
        met = ahead(line, end, beside, reach)
        gap = 0.0 if met is None else float(np.hypot(*(met - line[end])))
        if met is None or gap <= ATTACHED:
            continue
        nearest = ends[np.hypot(*(ends - met).T).argmin()]
        to = nearest if np.hypot(*(nearest - met)) <= gap / 2 else met
        if end:
            parts.append(through(np.stack([line[-1], to]))[1:])
        else:
            parts = [through(np.stack([to, line[0]])), line[1:]]
    return np.concatenate(parts)


def multilines(lines: Sequence[Floats]) -> Geometry:
    """Flatten lines (3k + 1, 2)."""
    import shapely

    return shapely.multilinestrings(_lines(Curves.from_strokes([*lines])))


def _led(line: Floats, others: Sequence[Floats]) -> Floats:
    """Lead the ends of a line to the nearest of other lines. Raise StudioError if none is within REACH."""
    import shapely

    lines = multilines(others)
    led = line.copy()
    for end, beside in ((0, 1), (-1, -2)):
        met = shapely.get_coordinates(shapely.shortest_line(lines, shapely.Point(line[end])))[0]
        gap = float(np.hypot(*(met - line[end])))
        if gap > REACH:
            x, y = line[end].tolist()
            raise StudioError(tr("The cut must end on another one; {x:.1f}, {y:.1f} mm is {gap:.1f} mm away from any.",
                                 x=x, y=y, gap=gap))  # fmt: skip
        led[beside] += met - led[end]
        led[end] = met
    return led


def _called(
    cuts: Sequence[DrawnCut], found: Arrangement, graph: PlanarGraph, names: Sequence[str], kept: Sequence[DrawnCut]
) -> tuple[DrawnCut, ...]:
    """Cuts of the inner edges of a graph, and the `kept` ones; unchanged cuts keep their names.

    New corners are numbered in reading order.
    """
    known = {cut.curve: cut for cut in cuts}
    inner = graph.inner_edges
    curves = [path_of([found.curves[edge]])[0] for edge in inner.tolist()]
    corners = {place: name for cut in cuts for place, name in zip((cut.curve[0], cut.curve[-1]), cut.ends, strict=True)}
    numbers = count(max((int(name) for name in corners.values() if name.isdecimal()), default=0) + 1)
    places = {place for curve in curves for place in (curve[0], curve[-1])} - corners.keys()
    for place in sorted(places, key=lambda place: (round(place[1], 3), place[0])):
        corners[place] = str(next(numbers))
    made = {cut.name: cut for cut in kept}
    rest: list[tuple[Ring, tuple[str, str]]] = []
    for curve, (one, other) in zip(curves, graph.sides[inner].tolist(), strict=True):
        pieces = names[one], names[other]
        if curve not in known and curve[::-1] in known:
            curve, pieces = curve[::-1], pieces[::-1]
        old = known.get(curve)
        if old is not None and old.pieces == pieces:
            made[old.name] = old
        else:
            rest.append((curve, pieces))
    for curve, pieces in rest:
        name = _cut_name(pieces, made)
        made[name] = DrawnCut(name, (corners[curve[0]], corners[curve[-1]]), pieces, curve)
    return tuple(made[name] for name in sorted(made))


def lasting(cuts: Sequence[DrawnCut], merged: Collection[str]) -> list[DrawnCut]:
    """The cuts that still part two pieces, with the names of merged pieces."""
    root: dict[str, str] = {}

    def found(piece: str) -> str:
        while piece in root:
            piece = root[piece]
        return piece

    for cut in cuts:
        if cut.name in merged:
            one, other = sorted(map(found, cut.pieces), key=_place)
            if one != other:
                root[other] = one
    if not root:
        return [*cuts]
    pieces = [(found(cut.pieces[0]), found(cut.pieces[1])) for cut in cuts]
    return [replace(cut, pieces=pair) for cut, pair in zip(cuts, pieces, strict=True) if pair[0] != pair[1]]


def _stops(ring: Floats, nodes: list[Floats], bends: Floats) -> tuple[list[float], list[int]]:
    """Ascending knots of a ring's nodes, and their numbers; nodes are appended at bends, and to a ring with too few."""
    knots, gaps = knots_near(ring, np.array(nodes)) if nodes else (np.empty(0), np.empty(0))
    stops = {float(knots[at]): int(at) for at in np.flatnonzero(gaps <= ON_RIM).tolist()}
    size = (len(ring) - 1) // 3
    at_bends = (ring[:-1:3, None] == bends[None]).all(axis=2).any(axis=1)
    thirds = np.array([size // 3, 2 * size // 3]) if size > 2 else np.arange(size)
    wanted = np.flatnonzero(at_bends).tolist()
    for knot in wanted if len(stops) + len(wanted) > 1 else thirds.tolist():
        place = ring[3 * knot]
        if not any(np.hypot(*(nodes[at] - place)) <= ON_RIM for at in stops.values()):
            stops[float(knot)] = len(nodes)
            nodes.append(place.copy())
    return sorted(stops), [stops[knot] for knot in sorted(stops)]


def _faces(graph: PlanarGraph, cuts: Sequence[DrawnCut]) -> list[str]:
    """Name each face as the cuts around it name that side."""
    known: list[set[str]] = [set() for _ in range(graph.face_count)]
    for cut, sides in zip(cuts, graph.sides[: len(cuts)].tolist(), strict=True):
        for piece, face in zip(cut.pieces, sides, strict=True):
            if face >= 0:
                known[face].add(piece)
    return distinguished([min(names, key=_place, default="A1") for names in known])
