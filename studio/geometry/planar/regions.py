"""Pieces of a drawing as polygons: tints, waste in their holes, areas spread apart, hit tests, and the rest of a sheet.

waste: the part of a hole without a piece; it falls out. free area: the part of a sheet that nothing was cut from.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.art import artwork_transform
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, through
from studio.geometry.planar.drawing import CUTS, Drawing, Pieces

Polygons = NDArray[np.object_]

EXACT = 6
"""Decimals of measured angles, which every processor agrees on."""
LEAST_WASTE = 1e-3
"""Area in mm² below which waste is a rounding error."""
SHORTEST = 0.1
"""The shortest part in mm of a clipped line."""
FOLLOWED = 0.005
"""The largest deviation in mm of the polylines used to clip lines to a board."""
OVERLAP = 0.02
"""Length in mm, and area in mm², up to which pieces do not count as overlapping."""
NARROWEST = 20.0
"""Width in mm below which a part of a sheet is no longer of use."""
ROUNDED = 0.05
"""The largest deviation in mm of a free area's outline from its curves."""


def as_polygons(rings: Polylines, owners: Ints) -> Polygons:
    """One polygon for each piece, from its outline and the holes after it; `owners` has the piece of every ring."""
    lines = shapely.linearrings(rings.points, indices=rings.owners)
    starts = np.searchsorted(owners, np.arange(int(owners.max(initial=-1)) + 2))
    result = shapely.polygons(lines[starts[:-1]])
    for at in np.flatnonzero(np.diff(starts) > 1).tolist():
        result[at] = shapely.Polygon(lines[starts[at]], lines[starts[at] + 1 : starts[at + 1]])
    return np.asarray(result)


def pieces_as_polygons(drawing: Drawing, polylines: Polylines) -> Polygons:
    """The pieces of a drawing, from the polylines of its strokes."""
    return as_polygons(drawing.rings(polylines), drawing.pieces.ring_owners)


def waste(drawing: Drawing) -> Polygons:
    """Waste from holes in a drawing's pieces and between them."""
    if not len(drawing.pieces.holes) and not _may_have_voids(drawing):
        return np.empty(0, object)
    # Pieces that cross themselves are invalid polygons, but their waste is wanted, too.
    together = shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.polylines)))
    # Pieces that touch at points alone enclose waste as well, without a hole of any of them.
    rims = shapely.union_all(shapely.get_parts(shapely.boundary(together)))
    enclosed = shapely.get_parts(shapely.polygonize(shapely.get_parts(rims)))
    parts = shapely.get_parts(shapely.difference(shapely.union_all(enclosed), together))
    return np.asarray(parts[shapely.area(parts) > LEAST_WASTE])


def _may_have_voids(drawing: Drawing) -> bool:
    """True if pieces that share lines leave more than one ring of unshared lines."""
    if not drawing.shares_lines:
        return False
    strokes = drawing.strokes
    alone = np.flatnonzero(drawing.followed_once)
    ends = strokes.points[np.stack([strokes.starts[alone], strokes.starts[alone + 1] - 1], 1)]
    return int(shapely.get_num_geometries(shapely.line_merge(shapely.multilinestrings(ends)))) > 1


def board_region(drawing: Drawing) -> shapely.Geometry:
    """The board inside its border and outside its holes; empty where border and holes enclose nothing."""
    rims = drawing.strokes.chosen(np.flatnonzero(drawing.followed_once)).flattened(FOLLOWED)
    return _enclosed(rims.points.tobytes(), rims.starts.tobytes())


@lru_cache(maxsize=8)
def _enclosed(points: bytes, starts: bytes) -> shapely.Geometry:
    """The area between closed lines, without holes; cached, since a drag asks for an unchanged board every frame."""
    rims = Polylines(np.frombuffer(points).reshape(-1, 2), np.frombuffer(starts, np.int64))
    lines = shapely.linestrings(rims.points, indices=rims.owners)
    region = shapely.build_area(shapely.geometrycollections(lines))
    shapely.prepare(region)
    return region


def within(curves: Curves, region: shapely.Geometry) -> Curves:
    """Clip curves to a region; clipped ones become polylines, and an empty region clips nothing."""
    lines = curves.flattened(FOLLOWED)
    strings = shapely.linestrings(lines.points, indices=lines.owners)
    inside = shapely.covers(region, strings)
    if inside.all() or shapely.is_empty(region):
        return curves
    found = []
    for number, is_inside in enumerate(inside.tolist()):
        found += [curves[number]] if is_inside else parts_within(strings[number], region)
    return Curves.from_strokes(found)


def parts_within(string: shapely.LineString, region: shapely.Geometry) -> list[Floats]:
    """The parts of a line in a region, as the control points of straight cubics, without slivers."""
    parts = shapely.get_parts(shapely.line_merge(shapely.intersection(string, region))).tolist()
    return [through(shapely.get_coordinates(part)) for part in parts if part.length >= SHORTEST]


# What is left of a sheet


@dataclass(frozen=True)
class FreeArea:
    """Free part of a sheet of a size in mm: `wkb` is its geometry, in mm from the sheet's upper left corner.

    `title` names it in sentences, such as the name of its file.
    """

    width: float
    height: float
    wkb: str
    title: str = ""

    @classmethod
    def from_shape(cls, shape: shapely.Geometry, size: tuple[float, float], title: str = "") -> FreeArea:
        """Take polygons that lie on a sheet of a size in mm."""
        return cls(*size, str(shapely.to_wkb(shape, hex=True)), title)

    @cached_property
    def shape(self) -> shapely.Geometry:
        """The area as polygons."""
        return shapely.from_wkb(self.wkb)

    @property
    def is_empty(self) -> bool:
        """True if nothing is free."""
        return bool(self.shape.is_empty)

    @property
    def mirrored(self) -> FreeArea:
        """The area of the sheet seen from the back: x becomes width - x."""
        shape = shapely.transform(self.shape, lambda points: points * (-1.0, 1.0) + (self.width, 0.0))
        return FreeArea.from_shape(shape, (self.width, self.height), self.title)

    def inside(self, margin: float) -> shapely.Geometry:
        """Return the area without a margin in mm along its outlines, around used parts too."""
        return shapely.buffer(self.shape, -margin) if margin > 0 else self.shape

    def without(self, sheet: Drawing, kerf: float) -> FreeArea:
        """Return the area that pieces of a sheet leave, once a beam as wide as the kerf has cut them.

        Strips narrower than NARROWEST are left out. It is empty if nothing of use is left.
        """
        outlines = sheet.outlines(sheet.strokes.flattened(FOLLOWED))
        used = shapely.union_all(shapely.make_valid(as_polygons(outlines, np.arange(len(outlines)))))
        bounds = np.bincount(sheet.pieces.codes >> 1, minlength=len(sheet.strokes)) > 0
        cut = [code >> 1 for chain in sheet.chains if chain.operation in CUTS for code in chain.strokes.tolist()]
        loose = sheet.strokes.chosen(np.array([at for at in cut if not bounds[at]], np.int64)).flattened(FOLLOWED)
        if len(loose):
            # Lead-ins run through the waste.
            used = shapely.union(used, shapely.union_all(shapely.linestrings(loose.points, indices=loose.owners)))
        left = shapely.difference(self.shape, shapely.buffer(used, kerf / 2 + ROUNDED))
        reach = NARROWEST / 2
        wide = shapely.buffer(shapely.buffer(left, -reach), reach - ROUNDED, join_style="mitre", mitre_limit=1.5)
        return FreeArea.from_shape(
            shapely.intersection(shapely.simplify(wide, ROUNDED), left), (self.width, self.height), self.title
        )

    @property
    def svg(self) -> bytes:
        """The area as an SVG file in mm, its used parts left open."""
        rings = [
            "M" + "L".join(f"{x:.3f},{y:.3f}" for x, y in shapely.get_coordinates(ring)[:-1].tolist()) + "Z"
            for part in shapely.get_parts(self.shape)
            for ring in (part.exterior, *part.interiors)
        ]
        size = f'width="{self.width:g}mm" height="{self.height:g}mm" viewBox="0 0 {self.width:g} {self.height:g}"'
        path = f'<path fill="#d9c7a3" fill-rule="evenodd" stroke="none" d="{" ".join(rings)}"/>'
        head = '<?xml version="1.0" encoding="UTF-8"?>'
        return f'{head}\n<svg xmlns="http://www.w3.org/2000/svg" {size}>\n{path}\n</svg>\n'.encode()


# Parts of a sheet that a maker moves by hand: whole boards, or separate pieces


@dataclass(frozen=True)
class Move:
    """A part's move on its sheet: quarter turns clockwise about the middle of its box, then a shift in mm.

    `name` is the part's: that of its first piece.
    """

    name: str
    quarters: int = 0
    right: float = 0.0
    down: float = 0.0


def parts_of(drawing: Drawing) -> Ints:
    """The first piece of every piece's part; pieces that share lines are one part."""
    pieces = drawing.pieces
    order = np.argsort(pieces.codes >> 1, kind="stable")
    strokes, owners = (pieces.codes >> 1)[order], pieces.owners[order]
    same = np.flatnonzero(strokes[1:] == strokes[:-1])
    label = np.arange(len(pieces))
    one, two = owners[same], owners[same + 1]
    while True:
        low = np.minimum(label[one], label[two])
        lower = label.copy()
        np.minimum.at(lower, label[one], low)
        np.minimum.at(lower, label[two], low)
        lower = lower[lower]
        if np.array_equal(lower, label):
            return label
        label = lower


def moved_parts(drawing: Drawing, moves: Sequence[Move], bleed: float = 0.0) -> Drawing:
    """Move parts of a sheet with their engraving and artwork; moves of parts on other sheets change nothing."""
    number = {name: at for at, name in enumerate(drawing.pieces.names)}
    own = [move for move in moves if move.name in number]
    if not own:
        return drawing
    parts, strokes = parts_of(drawing), drawing.strokes
    polygons = pieces_as_polygons(drawing, drawing.polylines)
    owners = np.full(len(strokes), -1)
    owners[drawing.pieces.codes >> 1] = parts[drawing.pieces.owners]
    loose = np.flatnonzero(owners < 0)
    if len(loose):
        nearest = shapely.STRtree(polygons).nearest(shapely.points(strokes.points[strokes.starts[loose]]))
        owners[loose] = parts[nearest]
    points, counts = strokes.points.copy(), np.diff(strokes.starts)
    shapes, placed = [], []
    for move in own:
        part = parts[number[move.name]]
        chosen = np.repeat(owners == part, counts)
        shape = shapely.union_all(polygons[parts == part])
        left, top, right, bottom = shape.bounds
        middle = np.array([left + right, top + bottom]) / 2
        shift = middle + np.array([move.right, move.down])
        points[chosen] = quartered(points[chosen] - middle, move.quarters) + shift
        shapes.append(shapely.buffer(shape, bleed))
        placed.append((middle, shift, move.quarters))
    artwork = drawing.artwork
    if artwork:
        stays = shapely.difference(shapely.box(0, 0, drawing.width, drawing.height), shapely.union_all(shapes))
        still, *taken = artwork_transform.parts(artwork, np.array([stays, *shapes], object))
        for each, (middle, shift, quarters) in zip(taken, placed, strict=True):
            each = artwork_transform.moved(each, *(-middle).tolist())
            for _ in range(quarters % 4):
                each = artwork_transform.turned(each, 0.0)
            still += artwork_transform.moved(each, *shift.tolist())
        artwork = still
    return replace(drawing, strokes=Curves(points, strokes.starts), artwork=artwork)


def quartered(points: Floats, quarters: int) -> Floats:
    """Rotate points about the origin by quarter turns, clockwise on the screen."""
    x, y = points[:, 0], points[:, 1]
    return np.stack([(x, y), (-y, x), (-x, -y), (y, -x)][quarters % 4], 1)


def misplaced(drawing: Drawing, room: shapely.Geometry) -> tuple[str, ...]:
    """Names of pieces that overlap pieces of other parts, or leave the room, in the order of the drawing."""
    polygons, parts = pieces_as_polygons(drawing, drawing.polylines), parts_of(drawing)
    wide = shapely.buffer(room, OVERLAP, join_style="mitre")
    shapely.prepare(wide)
    wrong = {*np.flatnonzero(~shapely.contains(wide, polygons)).tolist()}
    at, other = shapely.STRtree(polygons).query(polygons, predicate="intersects")
    apart = (parts[at] != parts[other]) & (at < other)
    one, two = at[apart], other[apart]
    over = shapely.area(shapely.intersection(polygons[one], polygons[two])) > OVERLAP
    wrong |= {*one[over].tolist(), *two[over].tolist()}
    return tuple(drawing.pieces.names[piece] for piece in sorted(wrong))


# Colouring pieces so that neighbours differ


def tints(pieces: Pieces, count: int) -> Ints:
    """A tint from 0 to `count` - 1 for every piece, different for pieces that share a stroke if possible.

    Greedy in the order of the pieces; searches begin at changing tints, so that all are used alike.
    """
    strokes = pieces.codes >> 1
    order = np.argsort(strokes, kind="stable")
    same = strokes[order][1:] == strokes[order][:-1]
    owners = pieces.owners[order]
    neighbours: list[list[int]] = [[] for _ in range(len(pieces))]
    for one, other in zip(owners[:-1][same].tolist(), owners[1:][same].tolist(), strict=True):
        neighbours[one].append(other)
        neighbours[other].append(one)
    result = [-1] * len(pieces)
    for piece in range(len(pieces)):
        taken = {result[other] for other in neighbours[piece]}
        first = piece * 5 // 3 % count
        free = (tint % count for tint in range(first, first + count) if tint % count not in taken)
        result[piece] = next(free, first)
    return np.array(result, np.int64)


# Areas spread apart: each moves straight away from the middle of the board until all keep a distance.
#
# level: pieces that can be spread together. A piece inside a hole of another, or so far round another that both would
# have to go too far, cannot; the smaller of the two comes to the next level, which is laid out beside the first.
# way (2,): the shift in mm of a piece if the board grows to twice its size. growth: the share of its way that every
# piece of a level moves.

TOLERANCE = 0.05
"""Largest deviation in mm of the compared outlines from the pieces."""
MOST = 3.0
"""The largest growth of a level; pieces that need more are spread apart on a level of their own."""
LEVELS = 64
"""Lines along their way on which two pieces are compared; a measurement finds the rest."""
FARTHER = 1.01
"""The factor by which growth rises while two pieces are too near."""
ROUNDING = 1e-6


def spread(pieces: Polygons, distance: float, progress: Progress = SILENT) -> Floats:
    """Shifts (n, 2) in mm that bring all pieces at least `distance` mm apart; raises Cancelled.

    >>> shift = spread(np.array([shapely.box(0, 0, 10, 10), shapely.box(10, 0, 20, 10)]), 2.0)
    >>> bool(np.ptp(shift[:, 0]) >= 2), bool(np.ptp(shift[:, 1]) == 0)
    (True, True)
    """
    shifts = np.zeros((len(pieces), 2))
    right = 0.0
    rest = np.arange(len(pieces))
    while len(rest):
        progress.step(1 - len(rest) / len(pieces), tr("Spreading pieces apart"))
        filled = shapely.polygons(shapely.get_exterior_ring(pieces[rest]))
        # The pieces outside all holes of others.
        inside, around = shapely.STRtree(filled).query(shapely.point_on_surface(filled), predicate="within")
        area = shapely.area(filled)
        outermost = np.setdiff1d(np.arange(len(filled)), inside[(inside != around) & (area[inside] < area[around])])
        level, growth = _level(filled, outermost, distance, progress)
        here = rest[level]
        shifts[here] = growth * _ways(filled[level])
        laid = shapely.bounds(shifted(filled[level], shifts[here]))
        if len(here) < len(pieces):
            shifts[here] += (right - laid[:, 0].min(), -laid[:, 1].min())
            right += float(np.ptp(laid[:, [0, 2]])) + distance
        rest = np.setdiff1d(rest, here)
    return shifts


def _level(filled: Polygons, level: Ints, distance: float, progress: Progress) -> tuple[Ints, float]:
    """The pieces of a level that can be spread together, and their growth."""
    while True:
        own = filled[level]
        ways = _ways(own)
        near = _near(own, distance)
        plain = shapely.simplify(own, TOLERANCE)
        grown = shapely.simplify(shapely.buffer(plain, distance + 2 * TOLERANCE), TOLERANCE / 2)
        growths = np.array([_parted(grown[one], plain[other], ways[other] - ways[one]) for one, other in near.tolist()])
        smaller = [one if own[one].area < own[other].area else other for one, other in near]
        far = sorted({at for at, growth in zip(smaller, growths, strict=True) if growth > MOST})
        if not far:
            break
        level = np.delete(level, far)
    growth = float(growths.max(initial=0.0))
    while len(_near(shifted(own, growth * ways), distance)):
        progress.step(0.5)
        growth = max(growth, 0.001) * FARTHER
        if growth > 100 * MOST:
            raise StudioError(tr("The pieces cannot be spread apart; nest them instead."))
    return level, growth


def _ways(filled: Polygons) -> Floats:
    middles = shapely.get_coordinates(shapely.centroid(filled))
    low, high = np.split(shapely.total_bounds(filled), 2)
    return np.asarray(middles - (low + high) / 2)


def shifted(polygons: Polygons, shifts: Floats) -> Polygons:
    """Move polygons by their shifts (n, 2) in mm."""
    counts = shapely.get_num_coordinates(polygons)
    points = shapely.get_coordinates(polygons) + np.repeat(shifts, counts, axis=0)
    return np.asarray(shapely.set_coordinates(polygons.copy(), points))


def _near(polygons: Polygons, distance: float) -> Ints:
    """Pairs (k, 2) of pieces that overlap or are nearer than the distance; touching pieces keep a distance of 0."""
    tree = shapely.STRtree(polygons)
    one, other = tree.query(polygons, predicate="dwithin", distance=max(distance - ROUNDING, 0.0))
    first = one < other
    one, other = one[first], other[first]
    if distance <= ROUNDING:
        overlap = shapely.area(shapely.intersection(polygons[one], polygons[other])) > ROUNDING
        one, other = one[overlap], other[overlap]
    return np.stack([one, other], 1)


def _parted(here: shapely.Polygon, there: shapely.Polygon, way: Floats) -> float:
    """The share of its way after which `there` has left `here` for good."""
    length = float(np.hypot(*way))
    if length < ROUNDING:
        return np.inf
    along = way / length
    frame = np.stack([along, (-along[1], along[0])], 1)
    front, back = (shapely.get_coordinates(one.exterior) @ frame for one in (here, there))
    low, high = max(front[:, 1].min(), back[:, 1].min()), min(front[:, 1].max(), back[:, 1].max())
    if high <= low:
        return 0.0
    levels = low + (high - low) * (np.arange(LEVELS) + 0.5) / LEVELS
    reach = _farthest(front, levels) + _farthest(back * (-1, 1), levels)
    return max(0.0, float(reach.max()) / length)


def _farthest(ring: Floats, levels: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rightmost x of a ring on each level that it crosses, -inf on others."""
    (x0, y0), (x1, y1) = ring[:-1].T, ring[1:].T
    crossed = (np.minimum(y0, y1) <= levels[:, None]) & (levels[:, None] <= np.maximum(y0, y1)) & (y0 != y1)
    share = (levels[:, None] - y0) / np.where(y0 == y1, 1.0, y1 - y0)
    return np.asarray(np.where(crossed, x0 + share * (x1 - x0), -np.inf).max(axis=1))


def measures(ring: Sequence[Floats]) -> tuple[float, float, float]:
    """Area in mm², least angle between two edges, and area over squared circumference, of a face; -1 if it crosses
    itself."""
    points = np.concatenate([*(each[:-1] for each in ring), ring[0][:1]])
    (x, y), (right, down) = points.T, np.diff(points, axis=0).T
    area = float((x[:-1] * down - right * y[:-1]).sum()) / 2
    if len(ring) < 3:
        return area, 0.0, 0.0
    if area <= 0 or not shapely.is_valid(shapely.polygons(points)):
        return -1.0, -1.0, -1.0
    least = math.pi
    for one, other in zip(ring, [*ring[1:], ring[0]], strict=True):
        (back_x, back_y), (on_x, on_y) = (one[-2] - one[-1]).tolist(), (other[1] - other[0]).tolist()
        turn = math.atan2(on_x * back_y - on_y * back_x, on_x * back_x + on_y * back_y)
        least = min(least, turn % (2 * math.pi))
    return area, round(least, EXACT), area / float(np.sqrt(right**2 + down**2).sum()) ** 2


# Picking: the nearest stroke, the piece around a place

PICK_TOLERANCE = 0.1
"""The largest deviation in mm of the polylines used for picking."""


@dataclass(frozen=True, eq=False)
class Picker:
    """Hit tests for the strokes and pieces of a drawing."""

    drawing: Drawing

    @cached_property
    def boxes(self) -> Floats:
        """The box (m, 4) of every stroke's control points: least x and y, greatest x and y."""
        strokes = self.drawing.strokes
        low = np.minimum.reduceat(strokes.points, strokes.starts[:-1], axis=0)
        high = np.maximum.reduceat(strokes.points, strokes.starts[:-1], axis=0)
        return np.concatenate([low, high], 1)

    @cached_property
    def piece_boxes(self) -> Floats:
        """The box (k, 4) of every piece."""
        pieces = self.drawing.pieces
        around = self.boxes[pieces.codes >> 1]
        low = np.minimum.reduceat(around[:, :2], pieces.starts[:-1], axis=0)
        high = np.maximum.reduceat(around[:, 2:], pieces.starts[:-1], axis=0)
        return np.concatenate([low, high], 1)

    def nearest_stroke(self, x: float, y: float, reach: float) -> int | None:
        """The stroke nearest to a place, within `reach` mm, or None."""
        boxes = self.boxes
        near = np.flatnonzero(
            (boxes[:, 0] <= x + reach)
            & (boxes[:, 1] <= y + reach)
            & (boxes[:, 2] >= x - reach)
            & (boxes[:, 3] >= y - reach)
        )
        if not len(near):
            return None
        lines = self.drawing.strokes.chosen(near).flattened(PICK_TOLERANCE)
        here = lines.points[:-1]
        way = lines.points[1:] - here
        offset = np.array([x, y]) - here
        length = np.maximum((way**2).sum(axis=1), 1e-18)
        share = np.clip((way * offset).sum(axis=1) / length, 0.0, 1.0)
        squares = ((offset - share[:, None] * way) ** 2).sum(axis=1)
        squares[lines.starts[1:-1] - 1] = np.inf
        best = int(squares.argmin())
        if squares[best] > reach * reach:
            return None
        return int(near[lines.owners[best]])

    def piece_at(self, x: float, y: float) -> int | None:
        """The piece around a place, or None."""
        boxes = self.piece_boxes
        around = (boxes[:, 0] <= x) & (boxes[:, 1] <= y) & (boxes[:, 2] >= x) & (boxes[:, 3] >= y)
        for piece in np.flatnonzero(around).tolist():
            if _encloses(self.piece_rings(piece), x, y):
                return int(piece)
        return None

    def piece_rings(self, piece: int) -> Polylines:
        """The outline of a piece and its holes within PICK_TOLERANCE."""
        pieces = self.drawing.pieces
        first, last = np.searchsorted(pieces.rings, pieces.starts[piece : piece + 2])
        rings = pieces.rings[first : last + 1]
        codes = pieces.codes[rings[0] : rings[-1]]
        used, places = np.unique(codes >> 1, return_inverse=True)
        lines = self.drawing.strokes.chosen(used).flattened(PICK_TOLERANCE)
        return lines.joined(2 * places + (codes & 1), rings - rings[0])

    def strokes_within(self, low: tuple[float, float], high: tuple[float, float]) -> Ints:
        """The strokes wholly inside a rectangle."""
        boxes = self.boxes
        return np.flatnonzero(
            (boxes[:, 0] >= low[0]) & (boxes[:, 1] >= low[1]) & (boxes[:, 2] <= high[0]) & (boxes[:, 3] <= high[1])
        )


def _encloses(rings: Polylines, x: float, y: float) -> bool:
    """True if closed rings go round a place (even-odd rule)."""
    here, following = rings.points[:-1], rings.points[1:]
    spans = (here[:, 1] > y) != (following[:, 1] > y)
    spans[rings.starts[1:-1] - 1] = False
    rise = np.where(spans, following[:, 1] - here[:, 1], 1.0)
    meets = here[:, 0] + (y - here[:, 1]) / rise * (following[:, 0] - here[:, 0])
    return bool((spans & (meets > x)).sum() % 2)
