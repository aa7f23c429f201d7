"""Boards from drawn cuts: the division of a board into pieces by curves of any form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from itertools import count
from zlib import crc32

import numpy as np

from studio.base.cells import cell_name
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.board.board_spec import DrawnCut, Ring, path_of
from studio.geometry.board.outline import Outline
from studio.geometry.board.tiling import Labels, Tiling, distinguished, polygons_of
from studio.geometry.board.tiling_construction import MOST_CORNERS, labelled
from studio.geometry.curves.strokes import Curves, Floats, Polylines, split_at_knots
from studio.geometry.planar.arrangement import FLATNESS, Arrangement, arranged, knots_near, without_points
from studio.geometry.planar.graph import PlanarGraph, trace

SNAP, REACH = 0.005, 1.0
"""Distances in mm within which the ends of an added cut meet others, and to which they are led first."""
ON_RIM = 1e-3
"""Distance in mm from the outline below which the end of a cut is on it: files hold six decimals."""


@dataclass(frozen=True, eq=False)
class Recognised:
    """A board found in a drawing: the rings of its outline, the board on their right, its cuts, the number of its
    pieces, and what was mended."""

    path: tuple[Ring, ...]
    cuts: tuple[DrawnCut, ...]
    count: int
    arrangement: Arrangement


def recognised(
    lines: Sequence[Floats], tolerance: float, holes: Sequence[tuple[float, float]] = (), progress: Progress = SILENT
) -> Recognised:
    """Find a board in the lines (3k + 1, 2) of a drawing: its border is their outer rim, all others are cuts.

    Ends are joined within `tolerance` mm; `holes` are places in mm in faces that are no pieces. Raise StudioError
    without a closed border, or with several boards.
    """
    found = arranged(lines, tolerance, progress.part(0.0, 0.8))
    if not len(found.curves):
        raise StudioError(tr("its lines enclose no piece."))
    flat = found.curves.flattened(FLATNESS)
    graph = trace(found.nodes, found.ends, flat)
    boards = len(graph.rims)
    if boards > 1:
        raise StudioError(tr("it holds {count} boards apart from each other; a file is one board.", count=boards))
    graph = _opened(graph, found.nodes, flat, holes)
    rings = [found.curves.joined(rim, np.array([0, len(rim)]))[0][::-1] for rim in graph.rims]
    progress.step(0.9)
    names = _named(graph, found.nodes, flat)
    inner = graph.inner_edges
    corners = _numbered(found.nodes)
    pairs = [(names[one], names[other]) for one, other in graph.sides[inner].tolist()]
    taken = set[str]()
    called = [_cut_name(pair, taken) for pair in pairs]
    cuts = [
        DrawnCut(name, (corners[first], corners[second]), pair, path_of([found.curves[edge]])[0])
        for name, pair, edge, (first, second) in zip(
            called, pairs, inner.tolist(), graph.edges[inner].tolist(), strict=True
        )
    ]
    return Recognised(path_of(rings), tuple(sorted(cuts, key=lambda cut: cut.name)), graph.face_count, found)


def _cut_name(pieces: Sequence[str], taken: set[str]) -> str:
    """A name for a cut between two pieces that is not taken yet: A1-B1, A1-B1.2; it is taken now."""
    pair = "-".join(sorted(pieces, key=_place))
    name = next(name for number in count(1) if (name := pair if number == 1 else f"{pair}.{number}") not in taken)
    taken.add(name)
    return name


def _opened(graph: PlanarGraph, nodes: Floats, flat: Polylines, holes: Sequence[tuple[float, float]]) -> PlanarGraph:
    """Take the faces around places out of the board."""
    import shapely

    if not holes:
        return graph
    polygons = polygons_of(graph, nodes, lines=flat)
    at, around = shapely.STRtree(polygons).query(shapely.points(np.array(holes)), predicate="within")
    for hole in sorted({*range(len(holes))} - {*at.tolist()}):
        x, y = holes[hole]
        raise StudioError(tr("There is no piece at {x:.2f}, {y:.2f} mm to turn into a hole.", x=x, y=y))
    return graph.without(np.unique(around))


def _named(graph: PlanarGraph, nodes: Floats, flat: Polylines) -> list[str]:
    """Name faces after the cells of a grid in which their centres lie, about as large as they are."""
    import shapely

    polygons = polygons_of(graph, nodes, lines=flat)
    centres = shapely.get_coordinates(shapely.centroid(polygons))
    low = flat.points.min(axis=0)
    cell = float(np.sqrt(shapely.area(polygons).mean()))
    columns, rows = np.floor((centres - low) / cell).astype(np.int64).T
    names = [cell_name(column, row) for column, row in zip(columns.tolist(), rows.tolist(), strict=True)]
    return distinguished(names, np.round(centres[:, ::-1] * 1000).astype(np.int64).tolist())


def _numbered(nodes: Floats) -> list[str]:
    """Number nodes in reading order."""
    order = np.lexsort((nodes[:, 0], np.round(nodes[:, 1], 3)))
    number = np.empty(len(nodes), np.int64)
    number[order] = np.arange(1, len(nodes) + 1)
    return [str(each) for each in number.tolist()]


def _place(name: str) -> tuple[int, str, list[int]]:
    """A key that sorts names of pieces by column and row: B2 before AA1, A2 before A10."""
    letters = name.rstrip("0123456789.")
    return len(letters), letters, [int(part) for part in name[len(letters) :].split(".") if part]


def drawn(
    cuts: Sequence[DrawnCut], outline: Outline, size: tuple[float, float], low: Floats, factors: Floats,
    merged: Collection[str] = (),
) -> Tiling:  # fmt: skip
    """Build the tiling of a board from cuts within its outline; they are moved by `-low` and stretched by `factors`.

    `merged` names cuts to leave out, which merges the pieces on either side; unknown names are ignored. Raise
    StudioError, with the place, for cuts that cross, coincide or are loose.
    """
    count_before = len({piece for cut in cuts for piece in cut.pieces})
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
    low, high = np.sort(keys[edges], axis=1).T
    labels = Labels(
        corner_keys=keys,
        corner_names=[*names, *(f"rim {at + 1}" for at in range(len(nodes) - len(names)))],
        is_knot=np.arange(len(nodes)) >= len(names),
        edge_keys=np.where(np.arange(len(edges)) < len(cuts), low * MOST_CORNERS + high, 0),
        edge_names=[*(cut.name for cut in cuts), *[""] * (len(edges) - len(cuts))],
        pieces=np.where(is_piece[graph.sides], graph.sides, -1),
        piece_keys=np.argsort([*map(faces.index, sorted(faces, key=_place))]),
        piece_names=faces,
    )
    # Corners move in units of the usual piece, which merged pieces do not change.
    usual = np.sqrt(float(outline.region.area) / count_before)
    return labelled(corners, edges, labels, outline=outline, size=size, scale=np.full(2, usual), curves=lines)


def with_line(
    cuts: Sequence[DrawnCut], path: Sequence[Ring], line: Floats, piece_at: Callable[[Floats], Sequence[str]]
) -> tuple[DrawnCut, ...]:
    """Add a line (3k + 1, 2) to a board, from a cut or the border to another, and divide the pieces it crosses.

    `piece_at` names the pieces at places (k, 2) before. The largest part of a piece keeps its name, and so do cuts
    beside it. Raise StudioError, with the place, if an end is far from every cut, or the line leaves the board, and if
    it divides no piece.
    """
    import shapely

    rings = [np.array(ring) for ring in path]
    others = [*(np.array(cut.curve) for cut in cuts), *rings]
    found = arranged([*others, _led(line, others)], SNAP)
    flat = found.curves.flattened(FLATNESS)
    graph = trace(found.nodes, found.ends, flat)
    polygons = polygons_of(graph, found.nodes, lines=flat)
    outer, *holes = shapely.polygons([Curves.from_strokes([ring]).flattened(FLATNESS).points for ring in rings])
    board = shapely.difference(outer, shapely.union_all(holes))
    string = shapely.linestrings(Curves.from_strokes([line]).flattened(FLATNESS).points)
    off = shapely.difference(string, shapely.buffer(board, REACH))
    if not shapely.is_empty(off):
        x, y = shapely.get_coordinates(shapely.point_on_surface(off))[0]
        raise StudioError(tr("The cut leaves the board at {x:.1f}, {y:.1f} mm.", x=x, y=y))
    before = piece_at(shapely.get_coordinates(shapely.point_on_surface(polygons)))
    if found.loose or len({*filter(None, before)}) == len([*filter(None, before)]):
        raise StudioError(tr("The cut divides no piece."))
    names, taken = [*before], {*before, *(piece for cut in cuts for piece in cut.pieces)}
    seen = {""}
    for at in np.argsort(-shapely.area(polygons), kind="stable").tolist():
        if before[at] in seen - {""}:
            stem = before[at].partition(".")[0]
            names[at] = next(name for number in count(2) if (name := f"{stem}.{number}") not in taken)
            taken.add(names[at])
        seen.add(before[at])
    voids = np.array([at for at, name in enumerate(before) if not name], np.int64)
    return _called(cuts, found, graph.without(voids) if len(voids) else graph, [name for name in names if name])


def _led(line: Floats, others: Sequence[Floats]) -> Floats:
    """Lead the ends of a line to the nearest of other lines. Raise StudioError if none is within REACH."""
    import shapely

    flat = Curves.from_strokes([*others]).flattened(FLATNESS)
    lines = shapely.linestrings(flat.points, indices=flat.owners)
    led = line.copy()
    for end, beside in ((0, 1), (-1, -2)):
        place = shapely.Point(line[end])
        gaps = shapely.distance(lines, place)
        nearest = int(gaps.argmin())
        if gaps[nearest] > REACH:
            x, y = line[end].tolist()
            raise StudioError(tr("The cut must end on another one; {x:.1f}, {y:.1f} mm is {gap:.1f} mm away from any.",
                                 x=x, y=y, gap=float(gaps[nearest])))  # fmt: skip
        (met, _) = shapely.get_coordinates(shapely.shortest_line(lines[nearest], place))
        led[beside] += met - led[end]
        led[end] = met
    return led


def _called(
    cuts: Sequence[DrawnCut], found: Arrangement, graph: PlanarGraph, names: Sequence[str]
) -> tuple[DrawnCut, ...]:
    """Make a cut of each inner edge of a graph; unchanged cuts keep their names."""
    known = {cut.curve: cut for cut in cuts}
    corners = {place: name for cut in cuts for place, name in zip((cut.curve[0], cut.curve[-1]), cut.ends, strict=True)}
    numbers = count(max((int(name) for name in corners.values() if name.isdecimal()), default=0) + 1)
    made, taken = list[DrawnCut](), set[str]()
    rest: list[tuple[Ring, tuple[str, str]]] = []
    for edge in graph.inner_edges.tolist():
        (curve,) = path_of([found.curves[edge]])
        right, left = (names[face] for face in graph.sides[edge].tolist())
        if curve not in known and curve[::-1] in known:
            curve, right, left = curve[::-1], left, right
        old = known.get(curve)
        if old is not None and old.pieces == (right, left):
            made.append(old)
            taken.add(old.name)
        else:
            rest.append((curve, (right, left)))
    for curve, pieces in rest:
        name = _cut_name(pieces, taken)
        for place in sorted({curve[0], curve[-1]} - corners.keys()):
            corners[place] = str(next(numbers))
        made.append(DrawnCut(name, (corners[curve[0]], corners[curve[-1]]), pieces, curve))
    return tuple(sorted(made, key=lambda cut: cut.name))


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
