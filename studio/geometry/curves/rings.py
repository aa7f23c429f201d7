"""Outlines from closed rings: strokes of any order become one outline with its holes, simplified, in one piece.

stroke, ring: control points (3k + 1, 2) of cubics in mm; a ring ends exactly where it begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.joining import GAP, closed, welded
from studio.geometry.curves.strokes import Curves, Floats, Polylines, through

if TYPE_CHECKING:
    import shapely


SAME = 0.05
"""The largest distance in mm between a ring and its copy."""
TOLERANCE = 0.05
"""The largest deviation in mm of a simplified ring from its points."""
THINNED, FITTED, BULGED = 0.1 * TOLERANCE, 0.2 * TOLERANCE, 0.7 * TOLERANCE
"""Its parts in mm for leaving out points, for curves missing points, and for curves bulging from lines."""
MANY_POINTS = 32
"""Straight lines from which on a ring counts as a sampled curve."""
MANY_CURVES = 800
"""Cubics above which a ring is simplified."""
SPECK = 0.05
"""Area in mm² below which a ring is dust of a drawing."""
FLATTENING = 0.01
"""The largest deviation in mm of the polygons used to compare rings."""
MOST_RINGS = 500
NEAR = 0.35
"""The greatest distance of parts joined by a bar, as a fraction of the height."""
MOST_POINTS = 500_000
"""Most points of the polygons of an outline and its holes, before simplification."""
MOST_THIN = 60_000
"""Most points of a ring left for curves to follow."""
MOST_ALIKE = 8
"""Most rings of the same box and area that a ring is compared with."""
_STRAIGHT = 1e-6
"""Distance in mm of handles from their chord below which a cubic is straight."""
_NUMBERS_WITHIN = 1e7
"""The largest coordinate in mm."""


@dataclass(frozen=True, eq=False)
class Outlined:
    """An outline, clockwise on the screen, and its holes, the other way; the box begins at 0, 0.

    `notes` are sentences about changes and omissions, `lines` are open curves within it.
    """

    rings: tuple[Floats, ...]
    notes: tuple[str, ...] = ()
    lines: tuple[Floats, ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the outline in mm."""
        width, height = box(self.rings[0])[1].tolist()
        return width, height


@dataclass(frozen=True)
class Closing:
    """Options for making rings of strokes: the widest gap in mm to close, welding of overlaps, keeping a frame."""

    gap: float = GAP
    welds: bool = False
    keeps_frame: bool = True


AS_DRAWN = Closing()


def outlined(
    strokes: Sequence[Floats],
    least: float,
    progress: Progress,
    closing: Closing = Closing(),
    *,
    is_upwards: bool = False,
    bar: float = 0.0,
) -> Outlined:
    """Make one outline with its holes from strokes in any order; `is_upwards` says that their y grows upwards.

    Raises StudioError, to follow a file's name, if a stroke is open, rings cross, or the strokes make no outline,
    several, or one less than `least` mm wide or high. With a `bar`, a width as a fraction of the height, parts in holes
    and near parts beside each other are joined by bars instead.
    """
    drawn = [stroke for stroke in strokes if (stroke != stroke[0]).any()]
    if not drawn:
        raise StudioError(tr("it contains no path."))
    # Infinite numbers and NaN fail this too.
    if not (np.abs(np.concatenate(drawn)) < _NUMBERS_WITHIN).all():
        raise StudioError(tr("its coordinates are too large."))
    bends = np.abs(np.diff(Curves.from_strokes(drawn).cubics, n=2, axis=1)).sum(axis=2).max(axis=1)
    ensure_few_points(int(np.maximum(np.sqrt(0.75 * bends / FLATTENING), 1.0).sum()), MOST_POINTS)
    found = closed(drawn, closing.gap, progress.part(0.0, 0.5))
    rings, notes = _without_specks(found.rings)
    if not closing.keeps_frame:
        rings, left_out = without_frame(rings)
        notes += left_out
    if closing.welds:
        notes.append(tr("Welded {paths}.", paths=many(len(rings), "path")))
        rings = welded(rings)
    small = []
    for at, ring in enumerate(rings):
        progress.step(0.5 + 0.4 * at / len(rings))
        small.append(simplified(ring))
    before, after = sum(len(ring) // 3 for ring in rings), sum(len(ring) // 3 for ring in small)
    if after < before:
        notes.append(
            tr(
                "Simplified {before} to {after}, within {tolerance:g} mm.",
                before=many(before, "point"), after=many(after, "curve"), tolerance=TOLERANCE,
            )
        )  # fmt: skip
    progress.step(0.9)
    nested, copies, joints = _nested(small, bar)
    if joints:
        notes.append(tr("Joined by bars: {parts}.", parts=many(joints, "separate part")))
    notes += found.notes(copies)
    placed = [ring * (1, -1) for ring in nested] if is_upwards else nested
    low, high = box(placed[0])
    if min(high - low) < least:
        raise StudioError(
            tr(
                "the outline is {width:.2f} × {height:.2f} mm (minimum {least:g} mm).",
                width=high[0] - low[0], height=high[1] - low[1], least=least,
            )
        )  # fmt: skip
    turned = [_turned(ring - low, clockwise=not at) for at, ring in enumerate(placed)]
    return Outlined(tuple(turned), tuple(notes))


def is_framed(rings: Sequence[Floats]) -> bool:
    """True if the first of several rings is an upright rectangle, which may be just the page around the others."""
    return len(rings) > 1 and _is_box(rings[0])


def ensure_few_points(count: int, most: int) -> None:
    """Raise StudioError, to follow a file's name, for more than `most` points."""
    if count > most:
        words = tr("its lines have {count:,} points (maximum {most:,}). Simplify the drawing.", count=count, most=most)
        raise StudioError(words)


def without_frame(rings: list[Floats]) -> tuple[list[Floats], list[str]]:
    """Remove the upright rectangle around all other rings, such as the edge of a page; also return a note about it."""
    boxes = [box(ring) for ring in rings]
    lows, highs = (np.array(corners) for corners in zip(*boxes, strict=True)) if boxes else (np.zeros((0, 2)),) * 2
    around = [
        at
        for at, ring in enumerate(rings)
        if (lows >= lows[at] - SAME).all() and (highs <= highs[at] + SAME).all() and _is_box(ring)
    ]
    kept = [ring for at, ring in enumerate(rings) if at not in around]
    if not around or not kept:
        return rings, [tr("There is no frame to leave out.")]
    width, height = (highs - lows)[around[0]].tolist()
    return kept, [tr("Left out the frame of {width:.1f} × {height:.1f} mm.", width=width, height=height)]


def _is_box(ring: Floats) -> bool:
    """True for an upright rectangle."""
    width, height = np.subtract(*box(ring)[::-1]).tolist()
    area = abs(float(Curves.from_strokes([ring]).flattened(FLATTENING).sweeps[0]))
    return bool(width * height - area <= SAME * (width + height))


def box(*strokes: Floats) -> tuple[Floats, Floats]:
    """Least and greatest x and y of strokes, exactly."""
    cubics = Curves.from_strokes(list(strokes)).cubics
    way = np.diff(cubics, axis=1)
    a, b, c = way[:, 0] - 2 * way[:, 1] + way[:, 2], 2 * (way[:, 1] - way[:, 0]), way[:, 0]
    root = np.sqrt(np.maximum(b**2 - 4 * a * c, 0.0))
    stable = -0.5 * (b + np.where(b < 0, -root, root))
    places = [cubics[:, 0], cubics[:, 3]]
    with np.errstate(divide="ignore", invalid="ignore"):
        for t in (stable / a, c / stable):
            t = np.where(np.isfinite(t), np.clip(t, 0.0, 1.0), 0.0)
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
            places.append(sum((weight * cubics[:, at] for at, weight in enumerate(weights)), np.zeros_like(t)))
    found = np.concatenate(places)
    return found.min(axis=0), found.max(axis=0)


def simplified(ring: Floats) -> Floats:
    """Reduce a ring of sampled points, or of very many cubics, to few cubics within TOLERANCE.

    A turn too sharp for a sampled curve stays a corner.
    """
    import shapely

    cubics = len(ring) // 3
    is_points = cubics >= MANY_POINTS and bool(np.abs(through(ring[::3]) - ring).max() < _STRAIGHT)
    if not is_points and cubics <= MANY_CURVES:
        return ring
    points = ring[::3] if is_points else Curves.from_strokes([ring]).flattened(THINNED).points
    thin = shapely.get_coordinates(shapely.simplify(shapely.LineString(points), THINNED, preserve_topology=False))
    if len(thin) < 4:
        return ring
    ensure_few_points(len(thin), MOST_THIN)
    few = fitted(Polylines(thin, np.array([0, len(thin)])), FITTED, BULGED).points.copy()
    few[-1] = few[0]
    return few if len(few) < len(ring) else ring


def _without_specks(rings: list[Floats]) -> tuple[list[Floats], list[str]]:
    import shapely

    # A box of control points is cheap, and encloses its ring.
    large = [ring for ring in rings if np.prod(np.ptp(ring, axis=0)) >= SPECK]
    if len(large) > MOST_RINGS:
        raise StudioError(
            tr("it contains {count:,} closed paths (maximum {most:,}).", count=len(large), most=MOST_RINGS)
        )
    kept: list[Floats] = []
    if large:
        lines = Curves.from_strokes(large).flattened(FLATTENING)
        # A ring that crosses itself may enclose as much on its left as on its right.
        areas = shapely.area(shapely.convex_hull(shapely.linestrings(lines.points, indices=lines.owners)))
        kept = [ring for ring, area in zip(large, areas.tolist(), strict=True) if area >= SPECK]
    if not kept:
        raise StudioError(tr("its paths enclose no area."))
    lost = len(rings) - len(kept)
    return kept, [tr("Left out {paths}: too small.", paths=many(lost, "path"))] if lost else []


def _nested(rings: list[Floats], bar: float) -> tuple[list[Floats], int, int]:
    """The outline and its holes, the number of repeated rings, and the number of parts joined by bars.

    Raises StudioError for anything else.
    """
    import shapely

    lines = Curves.from_strokes(rings).flattened(FLATTENING)
    areas = shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners))
    for area in areas[~shapely.is_valid(areas)].tolist():
        x, y, *_ = map(float, shapely.is_valid_reason(area).partition("[")[2].rstrip("]").split())
        raise StudioError(tr("a path crosses itself at {x:.2f}, {y:.2f} mm.", x=x, y=y))
    kept = _different(areas)
    if bar:
        found, joints = _joined_by_bars([rings[at] for at in kept], areas[kept], bar)
        return found, len(rings) - len(kept), joints
    outline, holes = kept[0], kept[1:]
    shapely.prepare(areas[outline])
    if beside := int(shapely.disjoint(areas[outline], areas[holes]).sum()):
        count = many(beside + 1, "outline")
        raise StudioError(tr("it contains {count} side by side; keep one of them.", count=count))
    for at in np.array(holes, np.int64)[~shapely.contains_properly(areas[outline], areas[holes])].tolist():
        _refuse_crossing(areas[outline], areas[at])
    tree = shapely.STRtree(areas[holes])
    for one, other in tree.query(areas[holes], predicate="intersects").T.tolist():
        if one != other:
            _refuse_crossing(areas[holes[one]], areas[holes[other]])
    return [rings[at] for at in kept], len(rings) - len(kept), 0


def _joined_by_bars(rings: list[Floats], areas: Sequence[Any], bar: float) -> tuple[list[Floats], int]:
    """Join nested rings, the largest first, into an outline and its holes; also return the number of joined parts.

    Raises StudioError if rings cross, or if parts beside each other are farther apart than `NEAR`.
    """
    import shapely

    known = shapely.boundary(areas)
    for one, other in shapely.STRtree(known).query(known, predicate="intersects").T.tolist():
        if one != other:
            _refuse_crossing(areas[one], areas[other])
    inner, outer = shapely.STRtree(areas).query(areas, predicate="within")
    depths = np.bincount(inner, minlength=len(areas)) - 1  # each is within itself
    holes = [inner[(outer == at) & (depths[inner] == depths[at] + 1)] for at in range(len(areas))]
    shells = np.flatnonzero(depths % 2 == 0)
    if len(shells) == 1:
        return rings, 0
    lines = shapely.get_exterior_ring(areas)
    region = shapely.multipolygons([shapely.polygons(lines[at], holes=lines[holes[at]]) for at in shells])
    _left, top, _right, bottom = shapely.bounds(region)
    height = float(bottom - top)
    whole = in_one_piece(region, bar * height, NEAR * height)
    apart = shapely.get_num_geometries(whole)
    if apart > 1:
        count = many(apart, "outline")
        raise StudioError(tr("it contains {count} side by side; keep one of them.", count=count))
    lines = [shapely.get_exterior_ring(whole), *whole.interiors]
    same = [np.flatnonzero(shapely.hausdorff_distance(known, line) < FLATTENING) for line in lines]
    found = [rings[at[0]] if len(at) else ring_of(line, height) for line, at in zip(lines, same, strict=True)]
    return found, len(shells) - 1


def _refuse_crossing(one: object, other: object) -> None:
    """Raise StudioError, with the place, for two rings that meet or lie within each other."""
    import shapely

    met = shapely.intersection(shapely.boundary(one), shapely.boundary(other))
    x, y = shapely.get_coordinates(shapely.point_on_surface(other if shapely.is_empty(met) else met))[0].tolist()
    if shapely.is_empty(met):
        raise StudioError(tr("a path lies inside a hole at {x:.2f}, {y:.2f} mm.", x=x, y=y))
    raise StudioError(tr("two paths cross or touch at {x:.2f}, {y:.2f} mm. Weld them or move them apart.", x=x, y=y))


def _different(areas: NDArray[np.object_]) -> list[int]:
    """Indices of distinct polygons, the largest first."""
    import shapely

    sizes, lengths, boxes = shapely.area(areas), shapely.length(areas), shapely.bounds(areas)
    kept: list[int] = []
    for at in np.argsort(-sizes, kind="stable").tolist():
        others = np.array(kept, np.int64)
        alike = (np.abs(boxes[others] - boxes[at]) <= SAME).all(axis=1)
        alike &= np.abs(sizes[others] - sizes[at]) <= SAME * lengths[at]
        if not any(_is_same(areas[at], areas[one]) for one in others[alike][:MOST_ALIKE].tolist()):
            kept.append(at)
    return kept


def _is_same(one: object, other: object) -> bool:
    """True if no corner of two rings is further than SAME from the other ring."""
    import shapely

    rings = [shapely.boundary(one), shapely.boundary(other)]
    shapely.prepare(rings)
    return all(
        bool(shapely.dwithin(ring, shapely.points(shapely.get_coordinates(corners)), SAME).all())
        for ring, corners in (rings, rings[::-1])
    )


def _turned(ring: Floats, *, clockwise: bool) -> Floats:
    """Turn a ring clockwise on the screen, or the other way."""
    sweep = float(Curves.from_strokes([ring]).flattened(FLATTENING).sweeps[0])
    return ring if (sweep > 0) is clockwise else ring[::-1].copy()


# Shapes of several parts made one piece by bars, as in a stencil; lengths are in units of the shape

CENTRED = 2.5
"""Factor by which a bar in the middle may be longer than the shortest."""
ALMOST = 2.0
"""A part is joined to the largest one unless another is nearer by this factor."""
FAR = 10.0
"""A length beyond any part, in sizes of the shape."""
STEP = 0.02
"""The longest step between the points that curves are fitted to, as a fraction of the height."""
BAR_FLATTENING, BAR_FITTED = 1e-4, 5e-4
"""The largest deviation of a polygon, and then of its curves, as fractions of the height."""


def in_one_piece(shape: shapely.Geometry, width: float, reach: float = np.inf) -> shapely.Geometry:
    """Join the parts of a shape by bars of a width, the nearest parts first.

    Parts farther than `reach` from all others stay apart.
    """
    import shapely

    parts = shapely.get_parts(shape)
    if len(parts) < 2:
        return shape
    left, apart = [*parts], []
    whole = largest = left.pop(int(shapely.area(parts).argmax()))
    while left:
        part = left.pop(int(shapely.distance(left, whole).argmin()))
        near = float(shapely.distance(part, whole))
        if near > reach:
            apart.append(part)
            continue
        # Two dots stand on their letter, not on each other.
        onto = largest if shapely.distance(part, largest) <= ALMOST * near else whole
        whole = shapely.union_all([whole, part, bar(onto, part, width)])
    return shapely.union_all([whole, *apart])


def bar(one: shapely.Geometry, other: shapely.Geometry, width: float, centred: float = CENTRED) -> shapely.Polygon:
    """A bar between two shapes that reaches a little into both: upright or level in their middle, or the shortest.

    A bar in the middle may be longer than the shortest by a factor `centred`.
    """
    import shapely

    low, high = (shapely.bounds(one), shapely.bounds(other))
    left, top = np.maximum(low[:2], high[:2]).tolist()
    right, bottom = np.minimum(low[2:], high[2:]).tolist()
    x, y = (left + right) / 2, (top + bottom) / 2
    far = FAR * float(np.abs([*low, *high]).max())
    ways = [shapely.shortest_line(one, other)]
    for line in (shapely.LineString([(x, -far), (x, far)]), shapely.LineString([(-far, y), (far, y)])):
        ways.append(shapely.shortest_line(shapely.intersection(line, one), shapely.intersection(line, other)))
    lengths = np.array([np.inf if way is None else float(shapely.length(way)) for way in ways])
    lengths[0] *= centred
    begin, end = shapely.get_coordinates(ways[int(lengths.argmin())])
    into = (end - begin) / max(float(np.hypot(*(end - begin))), 1e-9) * width / 2
    return shapely.buffer(shapely.LineString([begin - into, end + into]), width / 2, cap_style="flat")


def ring_of(outline: shapely.Geometry, height: float) -> Floats:
    """Fit curves to a closed line, keeping its direction and corners; `height` is the whole shape's."""
    import shapely

    thin = shapely.simplify(outline, BAR_FLATTENING * height)
    line = shapely.get_coordinates(shapely.segmentize(thin, STEP * height))
    points = fitted(Polylines(line, np.array([0, len(line)])), BAR_FITTED * height, BAR_FITTED * height).points.copy()
    points[-1] = points[0]
    return points
