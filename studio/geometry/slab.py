"""Flat areas with holes as upright bodies, whose edges at top and bottom are chamfered at 45°.

flat: what of a top or a bottom is level; its outline lies a chamfer within that of the area. bevel: what lies between
the two outlines. Seen from above it is an area like any other, so its triangles never cross, however the outlines run.
"""

from __future__ import annotations

import numpy as np
import shapely

from studio.geometry.curves import Floats, Ints, offsets
from studio.geometry.offsetting import buffered
from studio.geometry.solid import Mesh, even_cap, on_grid

FINE = 1e-3
"""The grid in mm on which the corners of outlines lie."""


def slab(area: shapely.Polygon, low: float, high: float, chamfer: float) -> Mesh:
    """An area from one height in mm to another, its edges chamfered by some mm; y grows upwards, as on the bed.

    The area is seen from above and lies on the FINE grid; where it is narrower than two chamfers its edges end at the
    chamfer's height.
    """
    rings = _rings(area)
    count = sum(map(len, rings))
    flats = _rings(snapped(buffered(np.array([area], object), -chamfer)[0])) if chamfer > 0 else []
    if chamfer > 0:
        # Round the flats the bevel is open: their outlines are followed the other way round.
        bevel = even_cap(*rings, *(ring[::-1] for ring in flats))
        flat = even_cap(*flats) if flats else np.empty((0, 3), np.int64)
        sizes = [len(ring) for ring in flats]
        turned = np.concatenate([np.arange(count), *(
            count + first + np.arange(size)[::-1] for first, size in zip(_firsts(sizes), sizes, strict=True)
        )])  # fmt: skip
        cap = np.concatenate([turned[bevel], count + flat])
    else:
        cap = even_cap(*rings)
    around, within = np.concatenate(rings), np.concatenate([np.empty((0, 2)), *flats])
    rise = min(chamfer, (high - low) / 2)
    layers = [(around, low + rise), (within, low), (around, high - rise), (within, high)]
    vertices = np.concatenate([np.column_stack([points, np.full(len(points), z)]) for points, z in layers])
    above = count + len(within)
    walls = np.concatenate([first + _wall(len(ring), above) for first, ring in zip(
        _firsts([len(ring) for ring in rings]), rings, strict=True)])  # fmt: skip
    return Mesh(on_grid(vertices), np.concatenate([cap[:, ::-1], cap + above, walls]))


def snapped(area: shapely.Geometry) -> shapely.Geometry:
    """An area with its corners on the FINE grid, on which a slab's must lie."""
    return shapely.set_precision(area, FINE)


def _rings(area: shapely.Geometry) -> list[Floats]:
    """The outlines (n, 2) of an area, counter-clockwise, each followed by its holes, clockwise."""
    parts = shapely.orient_polygons(shapely.normalize(shapely.get_parts(area)))
    return [shapely.get_coordinates(ring)[:-1] for ring in shapely.get_rings(parts)]


def _firsts(sizes: list[int]) -> list[int]:
    return [int(first) for first in offsets(np.array(sizes, np.int64))[:-1]]


def _wall(count: int, above: int) -> Ints:
    """Two triangles for each side of a ring of `count` corners, up to the same corners `above` numbers on."""
    here = np.arange(count)
    there = np.roll(here, -1)
    one, other = np.stack([here, there, there + above], 1), np.stack([here, there + above, here + above], 1)
    return np.concatenate([one, other])
