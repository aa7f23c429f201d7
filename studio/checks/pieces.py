"""The one measure of a piece: its outline is sound, and the piece neither too thin nor a gap in it too narrow.

Exports move outlines, inwards where a beam or a clearance takes wood away, outwards where a kerf is made up for. What
destroys a piece there (`offsetting.harms`) is what is found here, with its place, before anything is exported.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely

from studio.checks.narrow_necks import may_be_narrow
from studio.geometry.curves.offsetting import WIDER, buffered, harms, width_at
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import pieces_as_polygons

FOLLOWED = (0.03, 0.02, 0.002)
"""How far in mm polylines may be from the curves, on which outlines must be sound: as those are that exports move."""


@dataclass(frozen=True, eq=False)
class Flaw:
    """A piece by its number, the place (2,) of its flaw, its outline, and an offset in mm that harms it.

    The harm is 0 where the outline crosses or touches itself, negative where wood and positive where a gap is narrow.
    """

    piece: int
    place: Floats
    outline: shapely.Polygon
    harm: float = 0.0

    @cached_property
    def width(self) -> float:
        """How wide in mm wood or gap are there, which takes longer than to find the place."""
        return width_at(self.outline, self.harm) if self.harm else 0.0

    def is_harmed_by(self, offset: float) -> bool:
        """Whether the outline does not bear an offset in mm: a tip that falls off at a smaller one may be gone then."""
        own = np.array([self.outline], object)
        return bool(harms(own, buffered(own, offset), offset)[0])


def flaws(drawing: Drawing, some: Ints, wood: float, gap: float) -> list[Flaw]:
    """Where some pieces touch themselves, are less than `wood` mm wide, or have gaps of less than `gap` mm."""
    if not len(some):
        return []
    part = _with_own_strokes(drawing, some)
    pieces = part.pieces
    doubtful = may_be_narrow(part, max(wood, gap))
    doubtful[np.searchsorted(pieces.starts, pieces.holes, side="right") - 1] = True
    numbers = some[doubtful]
    if not len(numbers):
        return []
    part = replace(part, pieces=pieces.chosen(np.flatnonzero(doubtful)))
    found: dict[int, Flaw] = {}
    for chord in FOLLOWED:
        polygons = pieces_as_polygons(part, part.strokes.flattened(chord))
        for at in np.flatnonzero(~shapely.is_valid(polygons)).tolist():
            found.setdefault(at, Flaw(int(numbers[at]), _crossing(polygons[at]), polygons[at]))
    sound = np.array([at for at in range(len(numbers)) if at not in found], np.int64)
    flawed = list(found.values())
    for offset in (-wood / 2, gap / 2):
        if not offset or not len(sound):
            continue
        own = polygons[sound]
        for at, harm in enumerate(harms(own, buffered(own, offset), offset).tolist()):
            if harm:
                flawed.append(Flaw(int(numbers[sound[at]]), _narrowest(own[at], harm), own[at], harm))
    return flawed


def _with_own_strokes(drawing: Drawing, some: Ints) -> Drawing:
    """Some pieces and no strokes but theirs, so that no others are followed."""
    if len(some) == len(drawing.pieces):
        return drawing
    pieces = drawing.pieces.chosen(some)
    used, number = np.unique(pieces.codes >> 1, return_inverse=True)
    codes = 2 * number + (pieces.codes & 1)
    return Drawing(
        drawing.width, drawing.height, drawing.strokes.chosen(used), (), replace(pieces, codes=codes)
    )  # fmt: skip


def _crossing(polygon: shapely.Polygon) -> Floats:
    """The place that shapely names: `Ring Self-intersection[1 2]`."""
    inside = str(shapely.is_valid_reason(polygon)).partition("[")[2].rstrip("]")
    return np.array([float(number) for number in inside.split()[:2]])


def _narrowest(polygon: shapely.Polygon, harm: float) -> Floats:
    """The place at which a polygon is harmed by an offset: between the parts that are left, or in what is lost."""
    after = buffered(np.array([polygon], object), harm)
    parts = shapely.get_parts(after[0])
    if len(parts) > 1 and harm < 0:
        link = shapely.shortest_line(*sorted(parts, key=shapely.area)[-2:])
        return np.asarray(shapely.get_coordinates(link).mean(axis=0))
    back = buffered(after, -harm)[0]
    gone = shapely.symmetric_difference(polygon, back)
    if gone.is_empty:
        # Sides that just meet come apart again, and leave no trace of where they met.
        return _narrowest(polygon, WIDER * harm)
    largest = max(shapely.get_parts(gone), key=shapely.area)
    return np.asarray(shapely.get_coordinates(shapely.point_on_surface(largest))[0])
