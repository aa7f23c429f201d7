"""Bodies whose top is flat in steps, such as a tray with its rim, its floor, and letters sunk into the floor.

rim: a closed line along which two flats meet, or a flat and the outside; none touches another. All heights are in mm.
Such a body needs no Boolean operations on meshes: walls stand on the rims, and what lies between rims is flat.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from studio.geometry.curves.strokes import Floats, Ints, frozen, offsets
from studio.geometry.solids.solid import Mesh, even_cap, on_grid, sleeve


@dataclass(frozen=True, eq=False)
class Rim:
    """A closed line (n, 2) in mm, y upwards, and how high the body is on its left and on its right; 0 is outside."""

    points: Floats
    left: float
    right: float

    def __post_init__(self) -> None:
        frozen(self.points)


def terraced(rims: Sequence[Rim]) -> Mesh:
    """The body that lies between height 0 and its flats; below them it is solid.

    Raises ValueError where a flat has no outline, because a rim was followed the wrong way round.
    """
    # The higher side is on the left, so that every wall faces to the right.
    rims = [rim if rim.left > rim.right else Rim(rim.points[::-1], rim.right, rim.left) for rim in rims]
    counts = [len(rim.points) for rim in rims]
    firsts = offsets(2 * np.array(counts, np.int64))[:-1].tolist()
    vertices = [
        np.column_stack([np.tile(rim.points, (2, 1)), np.repeat((rim.right, rim.left), count)])
        for rim, count in zip(rims, counts, strict=True)
    ]
    triangles = [first + sleeve(2, count) for first, count in zip(firsts, counts, strict=True)]
    around: dict[float, list[tuple[Floats, Ints]]] = {}
    for rim, first, count in zip(rims, firsts, counts, strict=True):
        below = first + np.arange(count)
        around.setdefault(rim.left, []).append((rim.points, below + count))
        around.setdefault(rim.right, []).append((rim.points[::-1], below[::-1]))
    for height, rings in around.items():
        flats = [(points[::-1], names[::-1]) for points, names in rings] if height == 0 else rings
        way = -1 if height == 0 else 1
        for some in _outlines_with_holes([points for points, _names in flats]):
            names = np.concatenate([flats[at][1] for at in some])
            triangles.append(names[even_cap(*(flats[at][0] for at in some))][:, ::way])
    return Mesh(on_grid(np.concatenate(vertices)), np.concatenate(triangles))


def _outlines_with_holes(rings: Sequence[Floats]) -> list[list[int]]:
    """The numbers of each ring that runs counter-clockwise, and of the clockwise ones right inside it."""
    areas = shapely.polygons([shapely.linearrings(ring) for ring in rings])
    is_outline = shapely.is_ccw(shapely.get_exterior_ring(areas))
    outlines, holes = np.flatnonzero(is_outline), np.flatnonzero(~is_outline)
    # The smallest outline around a hole is the one that it is in.
    outlines = outlines[np.argsort(shapely.area(areas[outlines]), kind="stable")]
    corners = shapely.points(np.array([rings[at][0] for at in holes.tolist()]).reshape(-1, 2))
    of_hole, around = shapely.STRtree(areas[outlines]).query(corners, "within")
    order = np.lexsort((around, of_hole))
    inside, at = np.unique(of_hole[order], return_index=True)
    if len(inside) < len(holes):
        raise ValueError("a hole lies in no outline")
    groups = {outline: [outline] for outline in outlines.tolist()}
    for hole, number in zip(holes[inside].tolist(), around[order][at].tolist(), strict=True):
        groups[int(outlines[number])].append(hole)
    return list(groups.values())
