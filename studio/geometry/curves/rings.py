"""Closed rings from strokes of any order: joined at their ends, welded, simplified, one outline with the holes in it.

stroke, ring: control points (3k + 1, 2) of cubics in mm; a ring ends exactly where it begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.fitting import fitted
from studio.geometry.curves.joining import GAP, closed
from studio.geometry.curves.strokes import Curves, Floats, Polylines, through
from studio.geometry.curves.welding import welded

SAME = 0.05
"""The largest distance in mm of a ring from another one that is drawn again."""
TOLERANCE = 0.05
"""The largest deviation in mm of a simplified ring from its points."""
THINNED, FITTED, BULGED = 0.1 * TOLERANCE, 0.2 * TOLERANCE, 0.7 * TOLERANCE
"""The parts of it by which points are left out, by which curves then miss them, and leave the lines between them."""
MANY_POINTS = 32
"""A ring of as many straight lines is taken for a curve in points, if it is one."""
MANY_CURVES = 800
"""A ring of more curves is simplified."""
SPECK = 0.05
"""The area in mm² below which a ring is only dust of a drawing."""
FLATTENING = 0.01
"""The largest deviation in mm of the polygons by which rings are compared."""
MOST_RINGS = 500
NEAR = 0.35
"""The greatest distance of parts that are joined by a bar, as a fraction of the height."""
MOST_POINTS = 500_000
"""Points of the polygons that an outline and its holes become, before they are simplified."""
MOST_THIN = 60_000
"""Points of a ring that are left for curves to follow."""
MOST_ALIKE = 8
"""Rings of the same box and area that one is compared with."""
_STRAIGHT = 1e-6
"""The distance in mm of handles from their chord that is only a rounding error."""
_NUMBERS_WITHIN = 1e7
"""The largest coordinate in mm."""


@dataclass(frozen=True, eq=False)
class Outlined:
    """An outline, clockwise on the screen, and its holes, the other way; the box begins at 0, 0.

    `notes` are sentences that say what was changed or left out.
    """

    rings: tuple[Floats, ...]
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the outline in mm."""
        width, height = box(self.rings[0])[1].tolist()
        return width, height


@dataclass(frozen=True)
class Closing:
    """How strokes become rings: the widest gap in mm to close, and if overlaps are welded and a frame is kept."""

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
    """One outline with its holes from strokes in any order; `is_upwards` says that their y grows upwards.

    Raises StudioError, to follow a file's name, where a stroke is open, rings cross, or there is no outline, another
    one, or one that is less than `least` mm wide or high. With a `bar`, a width as a fraction of the height, parts in
    holes and near parts beside each other are joined by bars instead.
    """
    drawn = [stroke for stroke in strokes if (stroke != stroke[0]).any()]
    if not drawn:
        raise StudioError(tr("it contains no path."))
    # A number that is not finite fails this too.
    if not (np.abs(np.concatenate(drawn)) < _NUMBERS_WITHIN).all():
        raise StudioError(tr("its coordinates are too large."))
    bends = np.abs(np.diff(Curves.of(drawn).cubics, n=2, axis=1)).sum(axis=2).max(axis=1)
    if np.maximum(np.sqrt(0.75 * bends / FLATTENING), 1.0).sum() > MOST_POINTS:
        raise _too_many(MOST_POINTS)
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
    """True if the first of some rings is an upright rectangle, which may only be the page around the others."""
    return len(rings) > 1 and _is_box(rings[0])


def _too_many(most: int) -> StudioError:
    return StudioError(tr("its lines have more than {most:,} points. Simplify the drawing.", most=most))


def without_frame(rings: list[Floats]) -> tuple[list[Floats], list[str]]:
    """The rings without the upright rectangle that all others lie in, as the edge of a page, and a note about it."""
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
    area = abs(float(Curves.of([ring]).flattened(FLATTENING).sweeps[0]))
    return bool(width * height - area <= SAME * (width + height))


def box(*strokes: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest x and y of strokes, exactly."""
    cubics = Curves.of(list(strokes)).cubics
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
    """The ring with few cubics, within TOLERANCE: of points that lie on a curve, or of very many curves.

    A turn that the points of a curve would not make stays a corner.
    """
    import shapely

    cubics = len(ring) // 3
    is_points = cubics >= MANY_POINTS and _is_straight(ring)
    if not is_points and cubics <= MANY_CURVES:
        return ring
    points = ring[::3] if is_points else Curves.of([ring]).flattened(THINNED).points
    thin = shapely.get_coordinates(shapely.simplify(shapely.LineString(points), THINNED, preserve_topology=False))
    if len(thin) < 4:
        return ring
    if len(thin) > MOST_THIN:
        raise _too_many(MOST_THIN)
    few = fitted(Polylines(thin, np.array([0, len(thin)])), FITTED, BULGED).points.copy()
    few[-1] = few[0]
    return few if len(few) < len(ring) else ring


def _is_straight(ring: Floats) -> bool:
    """Whether a ring is made of straight lines alone."""
    return bool(np.abs(through(ring[::3]) - ring).max() < _STRAIGHT)


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
        lines = Curves.of(large).flattened(FLATTENING)
        # A ring that crosses itself may enclose as much on its left as on its right.
        areas = shapely.area(shapely.convex_hull(shapely.linestrings(lines.points, indices=lines.owners)))
        kept = [ring for ring, area in zip(large, areas.tolist(), strict=True) if area >= SPECK]
    if not kept:
        raise StudioError(tr("its paths enclose no area."))
    lost = len(rings) - len(kept)
    return kept, [tr("Left out {paths}: too small.", paths=many(lost, "path"))] if lost else []


def _nested(rings: list[Floats], bar: float) -> tuple[list[Floats], int, int]:
    """The outline, its holes, how many rings are another one again, and how many parts were joined by bars.

    Raises StudioError for anything else.
    """
    import shapely

    lines = Curves.of(rings).flattened(FLATTENING)
    areas = shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners))
    for area in areas[~shapely.is_valid(areas)].tolist():
        x, y = _place(shapely.is_valid_reason(area))
        raise StudioError(tr("a path crosses itself at {x:.2f}, {y:.2f} mm.", x=x, y=y))
    kept = _different(areas)
    if bar:
        found, joints = _joined_by_bars([rings[at] for at in kept], areas[kept], bar)
        return found, len(rings) - len(kept), joints
    outline, holes = kept[0], kept[1:]
    shapely.prepare(areas[outline])
    if beside := int(shapely.disjoint(areas[outline], areas[holes]).sum()):
        count = many(beside + 1, "outline")
        raise StudioError(tr("it contains {count} side by side; leave one.", count=count))
    for at in np.array(holes, np.int64)[~shapely.contains_properly(areas[outline], areas[holes])].tolist():
        _refuse_crossing(areas[outline], areas[at])
    tree = shapely.STRtree(areas[holes])
    for one, other in tree.query(areas[holes], predicate="intersects").T.tolist():
        if one != other:
            _refuse_crossing(areas[holes[one]], areas[holes[other]])
    return [rings[at] for at in kept], len(rings) - len(kept), 0


def _joined_by_bars(rings: list[Floats], areas: Sequence[Any], bar: float) -> tuple[list[Floats], int]:
    """Rings in any nesting, the largest first, as an outline and its holes, and how many parts were joined.

    Raises StudioError where rings cross, or where parts beside each other are farther apart than `NEAR`.
    """
    import shapely

    from studio.geometry.figures.bars import in_one_piece, ring_of

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
        raise StudioError(tr("it contains {count} side by side; leave one.", count=count))
    lines = [shapely.get_exterior_ring(whole), *whole.interiors]
    same = [np.flatnonzero(shapely.hausdorff_distance(known, line) < FLATTENING) for line in lines]
    found = [rings[at[0]] if len(at) else ring_of(line, height) for line, at in zip(lines, same, strict=True)]
    return found, len(shells) - 1


def _refuse_crossing(one: object, other: object) -> None:
    """Raise StudioError, with the place, for two rings that meet, or of which one lies in the other."""
    import shapely

    met = shapely.intersection(shapely.boundary(one), shapely.boundary(other))
    x, y = shapely.get_coordinates(shapely.point_on_surface(other if shapely.is_empty(met) else met))[0].tolist()
    if shapely.is_empty(met):
        raise StudioError(tr("a path lies inside a hole at {x:.2f}, {y:.2f} mm.", x=x, y=y))
    raise StudioError(tr("two paths cross or touch at {x:.2f}, {y:.2f} mm. Weld them or move them apart.", x=x, y=y))


def _different(areas: NDArray[np.object_]) -> list[int]:
    """The numbers of polygons that are not another one again, the largest first."""
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


def _place(reason: str) -> tuple[float, float]:
    """The place that shapely names: `Self-intersection[1 2]`."""
    x, y, *_ = map(float, reason.partition("[")[2].rstrip("]").split())
    return x, y


def _turned(ring: Floats, *, clockwise: bool) -> Floats:
    """The ring followed clockwise on the screen, or the other way."""
    sweep = float(Curves.of([ring]).flattened(FLATTENING).sweeps[0])
    return ring if (sweep > 0) is clockwise else ring[::-1].copy()
