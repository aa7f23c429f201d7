"""Flat areas with holes as upright bodies, whose edges at top and bottom are chamfered at 45°.

flat: what of a top or a bottom is level; its outline lies a chamfer within that of the area. bevel: what lies between
the two outlines. Seen from above it is an area like any other, so its triangles never cross, however the outlines run.
A relief takes the place of the flat on top; the bevel there reaches up to it.
"""

from __future__ import annotations

import numpy as np
import shapely

from studio.geometry.curves.offsetting import buffered
from studio.geometry.curves.strokes import Floats, Ints, offsets
from studio.geometry.solids.relief import Relief, field
from studio.geometry.solids.solid import Mesh, even_cap, on_grid

FINE = 1e-3
"""The grid in mm on which the corners of outlines lie."""


def slab(area: shapely.Polygon, low: float, high: float, chamfer: float, relief: Relief | None = None) -> Mesh:
    """An area from one height in mm to another, its edges chamfered by some mm; y grows upwards, as on the bed.

    The area is seen from above and lies on the FINE grid; where it is narrower than two chamfers its edges end at the
    chamfer's height. Above the flat on top comes the relief, if there is one.
    """
    flat = snapped(buffered(np.array([area], object), -chamfer)[0]) if chamfer > 0 else area
    if relief is not None:
        area, flat = _divided(area, relief.step), _divided(flat, relief.step)
    rings = _rings(area)
    flats = _rings(flat) if chamfer > 0 else []
    count = sum(map(len, rings))
    first = count if chamfer > 0 else 0
    bevel = _bevel(rings, flats) if chamfer > 0 else np.empty((0, 3), np.int64)
    around, within = np.concatenate(rings), np.concatenate([np.empty((0, 2)), *flats])
    above = count + len(within)
    rise = min(chamfer, (high - low) / 2)
    nodes, raised = np.empty((0, 2)), np.zeros(above)
    level = first + even_cap(*(flats or rings)) if flats or not first else np.empty((0, 3), np.int64)
    top = level
    if relief is not None and not flat.is_empty:
        nodes, over = field(flat, flats or rings, relief.step)
        top = first + over
        raised[first:] = relief.heights(within if flats else around)
    layers = [
        (around, np.full(count, low + rise)), (within, np.full(len(within), low)),
        (around, high - rise + raised[:count]), (within, high + raised[count:]),
        (nodes, high + relief.heights(nodes) if relief is not None and len(nodes) else np.empty(0)),
    ]  # fmt: skip
    vertices = np.concatenate([np.column_stack(layer) for layer in layers])
    walls = np.concatenate([begin + _wall(len(ring), above) for begin, ring in zip(
        _firsts([len(ring) for ring in rings]), rings, strict=True)])  # fmt: skip
    below = np.concatenate([bevel, level])
    return Mesh(on_grid(vertices), np.concatenate([below[:, ::-1], above + bevel, above + top, walls]))


def snapped(area: shapely.Geometry) -> shapely.Geometry:
    """An area with its corners on the FINE grid, on which a slab's must lie."""
    return shapely.set_precision(area, FINE)


def _divided(area: shapely.Geometry, step: float) -> shapely.Geometry:
    """An area with a corner about every `step` mm of its outlines, on the FINE grid."""
    return snapped(shapely.segmentize(area, step))


def _bevel(rings: list[Floats], flats: list[Floats]) -> Ints:
    """The triangles between the outlines of an area and those of its flat; corners count the former first."""
    # Round the flats the bevel is open: their outlines are followed the other way round.
    found = even_cap(*rings, *(ring[::-1] for ring in flats))
    count, sizes = sum(map(len, rings)), [len(ring) for ring in flats]
    turned = np.concatenate([np.arange(count), *(
        count + first + np.arange(size)[::-1] for first, size in zip(_firsts(sizes), sizes, strict=True)
    )])  # fmt: skip
    return np.asarray(turned[found])


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
