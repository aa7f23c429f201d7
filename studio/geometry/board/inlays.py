"""Inlays: figures that share cuts, reach the border or have several pieces, as pieces of one void of the board.

shore: a curve between a piece of an inlay and the rest of the board. seam: a curve between two of its pieces. waste:
the contents of a figure's hole. Of figures that overlap, the one further in front is whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import letters
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.board.outline import Bow, Outline, divided_at_bends
from studio.geometry.board.tiling import FIXED, NO_SEAMS, NONE, Filling, Seams, Tiling, distinguished, polygons_of
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen, offsets, split_at_knots
from studio.geometry.planar.arrangement import FLATNESS, arranged, dissolved, knots_near, parting
from studio.geometry.planar.graph import PlanarGraph, trace

if TYPE_CHECKING:
    import shapely

TOLERANCE = 0.05
"""Distance in mm within which ends of lines meet, and along which two outlines are one cut."""
SLIVER = 0.12
"""Faces thinner than this, in mm, belong to a neighbour."""
AT_NODE = 0.01
"""Largest distance in mm of a corner from its node."""
SPARE, LEAST_GAP = 1.5, 0.5
"""Factor for the wall at the end of a detail that would part a piece, and its least width in mm."""
BOARD, OUTSIDE, WASTE, POCKET = -1, -2, -3, -4
"""Labels of faces that are no part of a figure; a pocket is wood that figures enclose."""
Label = tuple[int, int]
"""Number of a figure and of its own piece, or one of these and 0."""


@dataclass(frozen=True, eq=False)
class Run(Bow):
    """A stretch with a single edge, from its beginning to its end."""

    def stroke(self, first: Floats, second: Floats, homes: Floats, *, waves: bool) -> Floats:
        """Return the whole stretch, since its corners stay."""
        return self.points


@dataclass(frozen=True, eq=False)
class Placed:
    """A figure by its name: its outline and holes (3k + 1, 2) in mm, its area with the holes filled, and the number of
    tongues it should have.

    The outline of a mirrored figure runs against the drawn direction, from the same place. `lines` (3k + 1, 2) divide
    it into `parts`; `sticks_out` if it may reach beyond the border.
    """

    name: str
    rings: Sequence[Floats]
    area: shapely.Polygon
    tongues: int = 0
    is_mirrored: bool = False
    lines: Sequence[Floats] = ()
    parts: Sequence[shapely.Polygon] = ()
    sticks_out: bool = False

    @property
    def as_drawn(self) -> Floats:
        """Its outline (3k + 1, 2) in the drawn direction."""
        return self.rings[0][::-1] if self.is_mirrored else self.rings[0]


@dataclass(frozen=True, eq=False)
class Inlay:
    """Figures that share cuts, the one in front first, or a part of them, as a planar graph of curves between nodes
    (n, 2).

    `area` is its region, holes filled. `labels` are those of the graph's faces, `pieces` the figure and the letters of
    the faces that are its pieces, and `board` the face of the rest of the board, -1 if it is outside the graph.
    `details` are cuts (3k + 1, 2) that end inside its pieces, by their faces.
    """

    figures: Sequence[Placed]
    nodes: Floats
    curves: Curves
    graph: PlanarGraph
    labels: Sequence[Label]
    polygons: NDArray[np.object_]
    area: shapely.Polygon
    pieces: dict[int, tuple[str, str]]
    board: int = NONE
    details: Sequence[tuple[int, Floats]] = ()

    @property
    def name(self) -> str:
        """The name of its first figure."""
        return self.figures[0].name

    @cached_property
    def rings(self) -> list[Floats]:
        """The closed curves (3k + 1, 2) that bound the rest of the board, which is on their right."""
        graph = self.graph
        if self.board < 0:
            ways = list(graph.rims)
        else:
            bounds = np.sort(np.concatenate([graph.starts, graph.holes]))
            low, high = graph.starts[self.board : self.board + 2]
            inside = bounds[(bounds >= low) & (bounds <= high)]
            ways = np.split(graph.codes[low:high], inside[1:-1] - low)
        if self.board < 0 and len(ways) > 1:
            raise StudioError(tr("Figure {figure} does not reach another.", figure=self.name))
        return [self.curves.joined(way, np.array([0, len(way)]))[0] for way in ways]

    @cached_property
    def stops(self) -> Floats:
        """The nodes (k, 2) on the shore."""
        return np.asarray(self.nodes[np.unique(self.graph.edges[self._is_shore])])

    @cached_property
    def _is_piece(self) -> NDArray[np.bool_]:
        """Mask (f + 1,) of the faces that are pieces; the last stands for the outside."""
        return np.isin(np.arange(len(self.labels) + 1), [*self.pieces])

    @cached_property
    def _is_shore(self) -> NDArray[np.bool_]:
        sides = self.graph.sides
        return np.asarray(self._is_piece[sides].any(axis=1) & (sides == self.board).any(axis=1))

    @cached_property
    def _edges_of_cubics(self) -> dict[bytes, int]:
        """The shore's curves by each of their cubics, either way."""
        found = {}
        for edge in np.flatnonzero(self._is_shore).tolist():
            curve = self.curves[edge]
            for at in range(0, len(curve) - 1, 3):
                cubic = curve[at : at + 4]
                found[cubic.tobytes()] = found[cubic[::-1].tobytes()] = edge
        return found

    def shore_of(self, tiling: Tiling) -> dict[int, int]:
        """The curve of the shore along each half-edge of a tiling's border, in the order of its rings."""
        known: dict[int, int | None] = {}
        found: dict[int, int] = {}
        for code in np.concatenate([*tiling.rims, *tiling.voids]).tolist():
            stretch = int(tiling.stretches[code >> 1])
            if stretch not in known:
                bow = tiling.outline.stretches[stretch]
                is_bow = isinstance(bow, Bow) and not isinstance(bow, Run)
                known[stretch] = self._edges_of_cubics.get(bow.points[:4].tobytes()) if is_bow else None  # type: ignore[attr-defined]
            edge = known[stretch]
            if edge is not None:
                found[code] = edge
        return found

    def figure_at(self, edge: int) -> str:
        """The figure beside a curve of the shore."""
        return next(self.pieces[face][0] for face in self.graph.sides[edge].tolist() if face in self.pieces)

    @cached_property
    def seams(self) -> Ints:
        """The curves between two pieces."""
        return np.flatnonzero(self._is_piece[self.graph.sides].all(axis=1))

    @cached_property
    def inner_lines(self) -> NDArray[np.object_]:
        """Its curves but the shore, and its details, as lines."""
        curves = [self.curves[edge] for edge in np.flatnonzero(~self._is_shore).tolist()]
        return as_lines([*curves, *(line for _, line in self.details)])

    def laid(self, tiling: Tiling) -> tuple[Tiling, list[Filling]]:
        """Add its seams, and its curves along holes and beyond the border, to a tiling; also return its pieces."""
        shore = self.shore_of(tiling)
        laid = _Laid(self, tiling, shore)
        return laid.tiling, laid.fillings


def as_lines(curves: Sequence[Floats]) -> NDArray[np.object_]:
    """Curves (3k + 1, 2) as lines."""
    import shapely

    flat = Curves.from_strokes([*curves]).flattened(FLATNESS)
    return np.array([shapely.LineString(flat[at]) for at in range(len(curves))], object)


def inlays_of(figures: Sequence[Placed], outline: Outline | None = None, wall: float = 0.0) -> list[Inlay]:
    """Arrange figures, the one in front first; with an outline they reach the border of that board, which may cut them
    into several parts.

    A detail that would part what is left of a piece stops short by a wall in mm. Raises StudioError if they cannot be
    divided into pieces.
    """
    import shapely

    lines = [side for one in figures for ring in one.rings for side in divided_at_bends(ring)]
    lines += [line for one in figures for line in one.lines]
    if outline is not None:
        lines += [side for at in range(len(outline.rings)) for side in divided_at_bends(outline.rings[at])]
    found = arranged(lines, TOLERANCE)
    labelled = _Labels(figures, outline)
    graph, polygons = _traced(found.nodes, found.ends, found.curves)
    labels = labelled.of(polygons)
    alike = ~_between_labels(labels, graph)
    _join_slivers(labels, graph, polygons, found.curves)
    is_cut = _between_labels(labels, graph)
    kept = np.flatnonzero(is_cut)
    # A detail and a hidden line that cross it may enclose a face.
    within = [*found.loose, *(found.curves[at] for at in np.flatnonzero(alike & ~is_cut).tolist())]
    strokes, ends = dissolved([found.curves[at] for at in kept.tolist()], graph.edges[kept], found.nodes)
    stops, shown = found.nodes[np.unique(graph.edges[kept])], graph.edges[kept]
    used, ends = np.unique(ends, return_inverse=True)
    nodes, curves = found.nodes[used], Curves.from_strokes(strokes)
    graph, polygons = _traced(nodes, ends.reshape(-1, 2), curves)
    labels = labelled.of(polygons)
    board = NONE
    if outline is not None:
        boards = [at for at, (label, _) in enumerate(labels) if label == BOARD]
        board = max(boards, key=lambda at: float(shapely.area(polygons[at])), default=NONE)
        if board < 0:
            raise StudioError(tr("Figure {figure} covers the board.", figure=figures[0].name))
    pockets = ((POCKET, at) if label == BOARD and at != board else (label, number)
               for at, (label, number) in enumerate(labels))  # fmt: skip
    labels = [*pockets]
    pieces = _named(figures, labels, polygons)
    covered = [at for at, (label, _) in enumerate(labels) if label in (WASTE, POCKET) or label >= 0]
    whole = shapely.union_all(polygons[covered], grid_size=AT_NODE / 100)
    parts = shapely.polygons(shapely.get_exterior_ring(shapely.get_parts(whole)))
    places = shapely.point_on_surface(polygons)
    details = _joined(_details(figures, labels, polygons, within), stops)
    details = _parting_nothing(details, found.nodes, shown, max(SPARE * wall, LEAST_GAP))
    return [
        Inlay(
            figures, frozen(nodes), curves, graph, labels, polygons, part,
            {face: name for face, name in pieces.items() if shapely.intersects(part, places[face])}, board, details,
        )
        for part in parts
    ]  # fmt: skip


def _between_labels(labels: Sequence[Label], graph: PlanarGraph) -> NDArray[np.bool_]:
    """Mask of the edges with different labels on both sides."""
    beyond = [*labels, (OUTSIDE, 0)]
    return np.array([beyond[one] != beyond[other] for one, other in graph.sides.tolist()], bool)


def _joined(details: Sequence[tuple[int, Floats]], stops: Floats) -> list[tuple[int, Floats]]:
    """Join details of a face that meet end to end, except at `stops` (k, 2)."""
    known, result = {*map(tuple, stops.tolist())}, list[tuple[int, Floats]]()
    for face in sorted({face for face, _ in details}):
        lines = [line for other, line in details if other == face]
        places = [tuple(place) for line in lines for place in line[[0, -1]].tolist()]
        keys = [(*place, at if place in known else -1) for at, place in enumerate(places)]
        nodes, ends = np.unique(np.array(keys), axis=0, return_inverse=True)
        result += [(face, line) for line in dissolved(lines, ends.reshape(-1, 2), nodes)[0]]
    return result


def _parting_nothing(
    details: Sequence[tuple[int, Floats]], nodes: Floats, ends: Ints, gap: float
) -> list[tuple[int, Floats]]:
    """Stop details short by a gap in mm that would part a piece; other curves have `ends` (m, 2) at nodes (n, 2)."""
    import shapely

    numbers = {place: at for at, place in enumerate(map(tuple, nodes.tolist()))}
    between, result = ends.tolist(), list[tuple[int, Floats]]()
    for (face, line), string in zip(details, as_lines([line for _, line in details]), strict=True):
        pair = [numbers.setdefault(tuple(place), len(numbers)) for place in line[[0, -1]].tolist()]
        every = np.array([*between, pair])
        if len(between) in parting([line] * len(every), every, np.empty((len(numbers), 2))):
            if string.length < 2 * gap:
                continue
            stop = shapely.get_coordinates(shapely.line_interpolate_point(string, string.length - gap))
            line = frozen(split_at_knots(line, knots_near(line, stop)[0].tolist())[0])
            pair = [pair[0], numbers.setdefault(tuple(line[-1].tolist()), len(numbers))]
        between.append(pair)
        result.append((face, line))
    return result


def _details(
    figures: Sequence[Placed], labels: Sequence[Label], polygons: NDArray[np.object_], lines: Sequence[Floats]
) -> list[tuple[int, Floats]]:
    """The lines that are on a part of their own figure which is not hidden, with the face there."""
    import shapely

    if not lines:
        return []
    strings = as_lines(lines)
    middles = shapely.line_interpolate_point(strings, 0.5, normalized=True)
    own = [shapely.buffer(shapely.MultiLineString([*as_lines(one.lines)]), 2 * TOLERANCE) for one in figures]
    at, faces = shapely.STRtree(polygons).query(middles, predicate="intersects")
    return [
        (face, lines[line])
        for line, face in sorted(zip(at.tolist(), faces.tolist(), strict=True))
        if labels[face][0] >= 0 and shapely.covers(own[labels[face][0]], strings[line])
    ]


def _named(
    figures: Sequence[Placed], labels: Sequence[Label], polygons: NDArray[np.object_]
) -> dict[int, tuple[str, str]]:
    """The figure and the letters of every face that is a piece; the largest part of a figure's piece comes before
    others, which have the letters after those of the figure's own pieces."""
    import shapely

    sizes = shapely.area(polygons)
    faces = [face for face, (label, _) in enumerate(labels) if label >= 0 or label == POCKET]
    seen, counts = set[Label](), {at: len(one.parts) for at, one in enumerate(figures)}
    found = dict[int, tuple[str, str]]()
    for face in sorted(faces, key=lambda face: (-sizes[face], face)):
        label = labels[face]
        figure = label[0] if label[0] >= 0 else len(figures) - 1
        if label[0] >= 0 and label not in seen:
            seen.add(label)
            own = letters(label[1]).lower() if len(figures[figure].parts) > 1 else ""
        else:
            own = letters(counts[figure]).lower()
            counts[figure] += 1
        found[face] = figures[figure].name, own
    return dict(sorted(found.items(), key=lambda each: (each[1][0], len(each[1][1]), each[1][1])))


def _traced(nodes: Floats, ends: Ints, curves: Curves) -> tuple[PlanarGraph, NDArray[np.object_]]:
    flat = curves.flattened(FLATNESS)
    graph = trace(nodes, ends, flat)
    return graph, polygons_of(graph, nodes, lines=flat)


class _Labels:
    """Labels of places among figures, the one in front first, on a board or far from its border."""

    def __init__(self, figures: Sequence[Placed], outline: Outline | None) -> None:

        self._figures = figures
        self._board = None if outline is None else outline.region
        self._parts = [one.parts for one in figures]

    def of(self, polygons: NDArray[np.object_]) -> list[Label]:
        """The labels of faces, by a place inside each."""
        import shapely

        return [*map(self._at, shapely.point_on_surface(polygons))]

    def _at(self, place: shapely.Point) -> Label:
        import shapely

        is_on_board = self._board is None or bool(shapely.intersects(self._board, place))
        is_in_hole = False
        for at, (one, parts) in enumerate(zip(self._figures, self._parts, strict=True)):
            if not is_on_board and not one.sticks_out:
                continue
            for number, part in enumerate(parts):
                if shapely.intersects(part, place):
                    return at, number
            is_in_hole = is_in_hole or bool(shapely.intersects(one.area, place))
        if is_in_hole:
            return WASTE, 0
        return (BOARD if is_on_board else OUTSIDE), 0


def _join_slivers(labels: list[Label], graph: PlanarGraph, polygons: NDArray[np.object_], curves: Curves) -> None:
    """Give faces that are too thin for wood the label of the neighbour along the most of their outline."""
    import shapely

    sizes = shapely.area(polygons)
    is_thin = 2 * sizes < SLIVER * shapely.length(polygons)
    lengths = curves.lengths
    for face in np.flatnonzero(is_thin)[np.argsort(sizes[is_thin], kind="stable")].tolist():
        beside: dict[Label, float] = {}
        for code in graph.codes[graph.starts[face] : graph.starts[face + 1]].tolist():
            other = int(graph.sides[code >> 1, 1 - (code & 1)])
            label = labels[other] if other >= 0 else (OUTSIDE, 0)
            beside[label] = beside.get(label, 0.0) + float(lengths[code >> 1])
        labels[face] = max(beside, key=lambda label: (label[0] >= 0, beside[label], label))


class _Laid:
    """The tiling with an inlay, whose shore is the curve along some half-edges."""

    def __init__(self, inlay: Inlay, tiling: Tiling, shore: dict[int, int]) -> None:
        self._inlay, self._before = inlay, tiling
        graph, count = inlay.graph, tiling.graph.corner_count
        self._ways: dict[int, dict[int, int]] = {}
        for code, edge in shore.items():
            self._ways.setdefault(edge, {})[int(tiling.graph.edges[code >> 1, code & 1])] = code
        sides = graph.sides
        is_piece = inlay._is_piece
        self._new = np.flatnonzero(is_piece[sides].any(axis=1) & ~inlay._is_shore)
        if missing := [*({*np.flatnonzero(inlay._is_shore).tolist()} - self._ways.keys())]:
            x, y = inlay.curves[missing[0]][0].tolist()
            raise StudioError(tr("No cuts end on the figure at {x:.1f}, {y:.1f} mm.", x=x, y=y))
        # Outside a piece, an edge runs with the piece on its side 0.
        self._turned = ~is_piece[sides[self._new, 0]]
        on_shore = np.unique(graph.edges[inlay._is_shore])
        known = np.unique([corner for way in self._ways.values() for corner in self._corners_of(way)])
        gaps = np.hypot(*np.moveaxis(tiling.homes[known, None] - inlay.nodes[on_shore], 2, 0))
        if gaps.min(axis=0).max() > AT_NODE:
            raise StudioError(tr("Figure {figure} leaves no piece around it.", figure=inlay.name))
        self._corners = np.full(len(inlay.nodes), NONE)
        self._corners[on_shore] = known[gaps.argmin(axis=0)]
        inner = np.setdiff1d(np.unique(graph.edges[self._new]), on_shore)
        self._corners[inner] = count + np.arange(len(inner))
        self._homes = inlay.nodes[inner]
        self._details = [(face, line) for face, line in inlay.details if face in inlay.pieces]

    def _corners_of(self, way: dict[int, int]) -> Iterator[int]:
        for code in way.values():
            yield from self._before.graph.edges[code >> 1].tolist()

    @cached_property
    def _numbers(self) -> dict[int, int]:
        """The tiling's edges for the inlay's new ones."""
        first = len(self._before.graph.edges)
        return {edge: first + at for at, edge in enumerate(self._new.tolist())}

    def _codes(self, code: int) -> list[int]:
        """The tiling's half-edges for one of the inlay's."""
        edge, graph = code >> 1, self._inlay.graph
        if edge in self._numbers:
            at = self._numbers[edge] - len(self._before.graph.edges)
            return [2 * self._numbers[edge] + ((code & 1) ^ int(self._turned[at]))]
        way, at = self._ways[edge], int(self._corners[graph.edges[edge, code & 1]])
        end = int(self._corners[graph.edges[edge, 1 - (code & 1)]])
        found = list[int]()
        while at in way and not (found and at == end):
            found.append(way[at])
            at = int(self._before.graph.edges[found[-1] >> 1, 1 - (found[-1] & 1)])
        if at != end or len(found) < len(way):
            raise StudioError(tr("Figure {figure} leaves no piece around it.", figure=self._inlay.name))
        return found

    def _rings(self, face: int) -> list[Ints]:
        """The rings of a face as the tiling's half-edges, the outer one first."""
        graph = self._inlay.graph
        low, high = int(graph.starts[face]), int(graph.starts[face + 1])
        holes = [int(at) for at in graph.holes if low < at < high]
        return [
            np.array([each for code in graph.codes[begin:end].tolist() for each in self._codes(code)], np.int64)
            for begin, end in zip([low, *holes], [*holes, high], strict=True)
        ]

    @property
    def fillings(self) -> list[Filling]:
        """The pieces."""
        blank = np.empty(0, np.int64)
        first = len(self._before.graph.edges) + len(self._new)
        faces = np.array([face for face, _ in self._details])
        found = list[Filling]()
        for face, (figure, part) in self._inlay.pieces.items():
            outer, *holes = self._rings(face)
            details = first + np.flatnonzero(faces == face)
            found.append(Filling(figure, outer, tuple(holes), blank, blank, part=part, details=details))
        return found

    @property
    def tiling(self) -> Tiling:
        """The tiling with the new corners and edges, which have no face on either side."""
        import shapely

        inlay, before, new = self._inlay, self._before, self._new
        strokes = [
            inlay.curves[edge][:: -1 if turned else 1] for edge, turned in zip(new.tolist(), self._turned, strict=True)
        ]
        ends = self._corners[inlay.graph.edges[new]]
        ends[self._turned] = ends[self._turned, ::-1]
        is_seam = np.isin(new, inlay.seams)
        pieces = {face: figure + part for face, (figure, part) in inlay.pieces.items()}
        sides = inlay.graph.sides[new][is_seam]
        names = distinguished(["-".join(sorted(pieces[face] for face in pair)) for pair in sides.tolist()])
        details = [line for _, line in self._details]
        homes = np.concatenate([self._homes, *(line[[0, -1]] for line in details)])
        loose = before.graph.corner_count + len(self._homes) + np.arange(2 * len(details)).reshape(-1, 2)
        runs = [None if seam else stroke for stroke, seam in zip(strokes, is_seam.tolist(), strict=True)]
        labels = np.array([label for label, _ in inlay.labels])[sides]
        # A hole of a figure that the border cuts open is outside.
        is_outside = np.array([label == OUTSIDE for label, _ in inlay.labels] + [True])
        opened = inlay.graph.sides[is_outside[inlay.graph.sides].any(axis=1)]
        wastes = [
            at for at, (label, _) in enumerate(inlay.labels)
            if label == WASTE and at not in opened
            and shapely.intersects(inlay.area, shapely.point_on_surface(inlay.polygons[at]))
        ]  # fmt: skip
        seams = Seams(
            frozen(len(before.graph.edges) + np.flatnonzero(is_seam)),
            Curves.from_strokes([stroke for stroke, seam in zip(strokes, is_seam.tolist(), strict=True) if seam]),
            frozen((labels[:, 0] == labels[:, 1]) & (labels[:, 0] >= 0)),
        )
        return replace(
            extended(before, homes, np.concatenate([ends, loose]), [*runs, *details], seams,
                     (names, self._rooms(np.flatnonzero(is_seam)))),
            voids=(*(ring for face in wastes for ring in self._rings(face)), *before.voids),
        )  # fmt: skip

    def _rooms(self, some: Ints) -> Floats:
        """The room (k,) in mm at right angles to some of the new edges, between everything around."""
        import shapely

        inlay = self._inlay
        flat = inlay.curves.flattened(FLATNESS)
        lines = shapely.linestrings(flat.points, indices=flat.owners)
        within = Curves.from_strokes([line for _, line in self._details]).flattened(FLATNESS)
        details = shapely.linestrings(within.points, indices=within.owners) if len(within) else lines[:0]
        radii = shapely.length(shapely.maximum_inscribed_circle(inlay.polygons, SLIVER))
        rooms = []
        for edge in self._new[some].tolist():
            middle = shapely.line_interpolate_point(lines[edge], 0.5, normalized=True)
            others = np.concatenate([np.delete(lines, edge), details])
            gap = float(shapely.distance(others, middle).min(initial=np.inf))
            rooms.append(2 * min(gap, float(radii[inlay.graph.sides[edge]].min())))
        return np.array(rooms)


def extended(
    before: Tiling,
    homes: Floats,
    ends: Ints,
    curves: Sequence[Floats | None],
    seams: Seams = NO_SEAMS,
    named: tuple[Sequence[str], Floats] = ((), np.empty(0)),
) -> Tiling:
    """Add corners with homes (n, 2) that stay, and edges between corners (m, 2) without a face on either side.

    Edges follow their curves (3k + 1, 2), but `seams` have none; `named` are the names of these, and the room (k,) in
    mm at right angles to each.
    """
    graph, joints, count = before.graph, before.joints, len(ends)
    corners, edges = graph.corner_count + len(homes), np.concatenate([graph.edges, ends])
    tips, blank = edges.ravel(), np.zeros(len(homes), np.int64)
    runs = [Run(frozen(np.ascontiguousarray(curve))) for curve in curves if curve is not None]
    stretches, keys, across = np.full(count, NONE), np.zeros(count, np.int64), np.full(count, np.inf)
    stretches[[curve is not None for curve in curves]] = len(before.outline.stretches) + np.arange(len(runs))
    names, added = [""] * count, seams.edges - len(graph.edges)
    for at, name in zip(added.tolist(), named[0], strict=True):
        names[at], keys[at] = name, crc32(name.encode())
    across[added] = named[1]
    drawn = None
    if before.drawn is not None:
        alike = iter(seams.curves[at] for at in range(len(seams.curves)))
        added_curves = [next(alike) if curve is None else curve for curve in curves]
        drawn = Curves.gathered([before.drawn, Curves.from_strokes(added_curves)])
    corner_names = [*map(before.corner_name, range(graph.corner_count)), *map(str, range(graph.corner_count, corners))]
    return replace(
        before,
        graph=replace(
            graph,
            corner_count=corners,
            edges=frozen(edges),
            sides=frozen(np.concatenate([graph.sides, np.full((count, 2), NONE)])),
            star_edges=frozen(np.argsort(tips, kind="stable") >> 1),
            star_starts=frozen(offsets(np.bincount(tips, minlength=corners).astype(np.int64))),
        ),
        outline=replace(before.outline, stretches=(*before.outline.stretches, *runs)),
        homes=frozen(np.concatenate([before.homes, homes])),
        tracks=frozen(np.concatenate([before.tracks, blank + FIXED])),
        corner_keys=frozen(np.concatenate([before.corner_keys, blank])),
        edge_keys=frozen(np.concatenate([before.edge_keys, keys])),
        across=frozen(np.concatenate([before.across, across])),
        stretches=frozen(np.concatenate([before.stretches, stretches])),
        joints=replace(
            joints,
            at=frozen(np.concatenate([joints.at, np.full((count, 2), NONE)])),
            signs=frozen(np.concatenate([joints.signs, np.ones((count, 2))])),
        ),
        leeway=None if before.leeway is None else frozen(np.concatenate([before.leeway, blank + np.inf])),
        corner_name=corner_names.__getitem__,
        given_edge_names=[*(before.given_edge_names or ()), *names],
        drawn=drawn,
        seams=before.seams.joined(seams),
    )
