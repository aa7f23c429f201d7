"""Upright bodies of flat areas: chamfered slabs, reliefs, stepped solids such as a tray, and fit test blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import shapely

from studio.geometry.art.lettering import Room, fitted, grooves, laid
from studio.geometry.curves.offsetting import buffered
from studio.geometry.curves.strokes import Curves, Floats, Ints, frozen, offsets
from studio.geometry.solids.solid import Mesh, engraved, even_cap, on_grid, sleeve, stacked

if TYPE_CHECKING:
    from studio.geometry.planar.polyomino import Mask


# A height field over a flat area.
#
# block: the squares; each is at least about a step away from every outline. band: the area between block and outlines.

SPACING = 0.5
"""The largest distance between sampled places of an outline in the search for squares near it, in steps."""


@dataclass(frozen=True, eq=False)
class Relief:
    """A relief on the flat tops of slabs: heights (n,) in mm at places (n, 2) of their areas, every `step` mm."""

    step: float
    heights: Callable[[Floats], Floats]


def field(flat: shapely.Geometry, rings: Sequence[Floats], step: float) -> tuple[Floats, Ints]:
    """The nodes (n, 2) of the block within an area, and the triangles (m, 3) that cover all of the area.

    Rings (k, 2) are the outlines of the area, with points some steps apart, counter-clockwise and clockwise round
    holes. Triangles count the points of the rings first, then the nodes.
    """
    low = np.floor(np.concatenate(rings).min(axis=0) / step) - 1
    squares = _block(flat, rings, low, step)
    wide = squares.shape[1] + 1
    rows, columns = np.nonzero(squares)
    corners = (rows * wide + columns)[:, None] + (0, 1, wide + 1, wide)
    known, names = np.unique(corners, return_inverse=True)
    nodes = (np.stack([known % wide, known // wide], 1) + low) * step
    corners = names.reshape(-1, 4)
    # Squares are halved in turns, so that slopes lean neither way.
    crossed = ((rows + columns) % 2 == 1)[:, None]
    halves = [np.where(crossed, corners[:, one], corners[:, other]) for one, other in
              (((0, 1, 3), (0, 1, 2)), ((1, 2, 3), (0, 2, 3)))]  # fmt: skip
    rims = _rims(corners)
    band = even_cap(*rings, *(nodes[rim] for rim in rims))
    first = sum(map(len, rings))
    numbers = np.concatenate([np.arange(first), *(first + rim for rim in rims)])
    return nodes, np.concatenate([numbers[band], *(first + half for half in halves)])


def _block(flat: shapely.Geometry, rings: Sequence[Floats], low: Floats, step: float) -> Mask:
    """Mask (rows, columns) of squares from `low`, in steps, that are within an area and away from its outlines."""
    size = np.ceil(np.concatenate(rings).max(axis=0) / step) + 2 - low
    near = np.zeros((int(size[1]), int(size[0])), bool)
    outline = shapely.get_coordinates(shapely.segmentize(shapely.boundary(flat), SPACING * step))
    columns, rows = (np.floor(outline / step) - low).astype(np.int64).T
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            near[np.clip(rows + down, 0, None), np.clip(columns + right, 0, None)] = True
    free = np.argwhere(~near)
    middles = (free[:, ::-1] + low + 0.5) * step
    shapely.prepare(flat)
    found = np.zeros_like(near)
    found[tuple(free[shapely.contains_xy(flat, middles)].T)] = True
    return _without_touching(found)


def _without_touching(squares: Mask) -> Mask:
    """Leave out squares until no two touch at a corner alone."""
    while True:
        here, right, below, across = squares[:-1, :-1], squares[:-1, 1:], squares[1:, :-1], squares[1:, 1:]
        falling, rising = here & across & ~right & ~below, right & below & ~here & ~across
        if not (falling.any() or rising.any()):
            return squares
        squares = squares.copy()
        squares[1:, 1:] &= ~falling
        squares[1:, :-1] &= ~rising


def _rims(corners: Ints) -> list[Ints]:
    """The rims of a block, as nodes, with its squares, of corners (n, 4), to the right."""
    ways = np.concatenate([corners[:, [one, other]] for one, other in pairwise((0, 1, 2, 3, 0))])
    count = int(ways.max(initial=0)) + 1
    outer = ways[~np.isin(ways @ (count, 1), ways @ (1, count))]
    following = dict(outer[:, ::-1].tolist())
    found = []
    while following:
        one, at = following.popitem()
        rim = [one]
        while at != one:
            rim.append(at)
            at = following.pop(at)
        found.append(np.array(rim, np.int64))
    return found


FINE = 1e-3
"""The grid in mm for corners of outlines."""


def slab(area: shapely.Polygon, low: float, high: float, chamfer: float, relief: Relief | None = None) -> Mesh:
    """A body of an area between two heights in mm, its edges chamfered by mm; y grows upwards, as on the bed.

    The area is seen from above and lies on the FINE grid; where it is narrower than two chamfers its edges end at the
    chamfer's height. A relief rises from the flat on top.
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
    """Snap the corners of an area to the FINE grid, as a slab requires."""
    return shapely.set_precision(area, FINE)


def _divided(area: shapely.Geometry, step: float) -> shapely.Geometry:
    """Add a corner about every `step` mm of an area's outlines, on the FINE grid."""
    return snapped(shapely.segmentize(area, step))


def _bevel(rings: list[Floats], flats: list[Floats]) -> Ints:
    """Triangles between the outlines of an area and its flat's; corners count the area's first."""
    # The flats are holes of the bevel: their outlines are followed the other way round.
    found = even_cap(*rings, *(ring[::-1] for ring in flats))
    count, sizes = sum(map(len, rings)), [len(ring) for ring in flats]
    turned = np.concatenate([np.arange(count), *(
        count + first + np.arange(size)[::-1] for first, size in zip(_firsts(sizes), sizes, strict=True)
    )])  # fmt: skip
    return np.asarray(turned[found])


def _rings(area: shapely.Geometry) -> list[Floats]:
    """The outlines (n, 2) of an area, counter-clockwise, each followed by its holes, clockwise."""
    parts = shapely.orient_polygons(shapely.normalize(shapely.get_parts(area)))
    return [_without_needles(shapely.get_coordinates(ring)[:-1]) for ring in shapely.get_rings(parts)]


def _without_needles(ring: Floats) -> Floats:
    """Leave out corners of a ring (n, 2) where it turns back on itself, within the FINE grid: both an area and what is
    around it would be filled there."""
    while len(ring) > 3:
        one, other = np.roll(ring, 1, axis=0) - ring, np.roll(ring, -1, axis=0) - ring
        cross = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
        longest = np.maximum(np.hypot(one[:, 0], one[:, 1]), np.hypot(other[:, 0], other[:, 1]))
        needles = np.flatnonzero(((one * other).sum(axis=1) > 0) & (cross <= FINE * longest))
        if not len(needles):
            break
        ring = np.delete(ring, needles[0], axis=0)
    return ring


def _firsts(sizes: list[int]) -> list[int]:
    return [int(first) for first in offsets(np.array(sizes, np.int64))[:-1]]


def _wall(count: int, above: int) -> Ints:
    """Two triangles for each side of a ring of `count` corners, up to its corners numbered `above` higher."""
    here = np.arange(count)
    there = np.roll(here, -1)
    one, other = np.stack([here, there, there + above], 1), np.stack([here, there + above, here + above], 1)
    return np.concatenate([one, other])


# Bodies with a stepped top, such as a tray with its rim, its floor, and letters sunk into the floor.
#
# rim: a closed line between two flats, or a flat and the outside; no two rims touch. All heights are in mm.
# Such a body needs no Boolean operations on meshes: walls stand on the rims, and the areas between rims are flat.


@dataclass(frozen=True, eq=False)
class Rim:
    """A closed line (n, 2) in mm, y upwards, and the body's heights on its left and right; 0 is outside."""

    points: Floats
    left: float
    right: float

    def __post_init__(self) -> None:
        frozen(self.points)


def terraced(rims: Sequence[Rim]) -> Mesh:
    """The solid body between height 0 and its flats.

    Raises ValueError if a flat has no outline, because a rim runs the wrong way round.
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
    """Indices of each counter-clockwise ring, and of the clockwise rings directly inside it."""
    areas = shapely.polygons([shapely.linearrings(ring) for ring in rings])
    is_outline = shapely.is_ccw(shapely.get_exterior_ring(areas))
    outlines, holes = np.flatnonzero(is_outline), np.flatnonzero(~is_outline)
    # A hole belongs to the smallest outline around it.
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


# Blocks to test the fit of a part in an opening

UP = np.array([1.0, -1.0])
"""Factors from a drawing, in which y grows downwards, to the bed."""
SLICE = 2.0
"""Largest thickness of a slice in mm: enough to hold, and ten layers of 0.2 mm."""
WALL, LABEL, PEN, DEPTH = 3.0, 6.5, 0.8, 0.6
"""Width in mm of a block around its opening, height of the room for its label, width and depth of its letters."""

Space = tuple[float, float, float, float]
"""Left, top, right and bottom in mm of a rectangle of the drawing."""


def label(gap: float) -> str:
    """Write a gap for the blocks: with two decimals, or three if needed."""
    return f"{gap:.3f}".removesuffix("0")


def pair(part: shapely.Polygon, opening: shapely.Polygon, room: Space, thick: float, text: str) -> tuple[Mesh, Mesh]:
    """A block with the opening and a label below it, and the part with its label in a room; both begin at the origin.

    Inputs are in mm on a drawing; slices are at most as thick as the puzzle, `thick`.
    """
    height = min(thick, SLICE)
    # The block is as large for every clearance.
    low, high = ((shapely.bounds(part) + shapely.bounds(opening)) / 2).reshape(2, 2)
    block = shapely.box(*(low - WALL), *(high + WALL + np.array([0.0, LABEL])))
    below = (float(low[0]), float(high[1] + WALL / 2), float(high[0]), float(high[1] + WALL / 2 + LABEL))
    meshes = [
        _labelled(extruded(area, 0.0, height, FINE), text, space)
        for area, space in ((block - opening, below), (part, room))
    ]
    one, other = (mesh.moved(np.eye(3), -mesh.bounds[0]) for mesh in meshes)
    return one, other


def extruded(area: shapely.Geometry, low: float, high: float, grid: float) -> Mesh:
    """Extrude an area of a drawing with its holes to an upright body, y upwards, with corners on a grid in mm."""
    even = shapely.normalize(shapely.set_precision(area, grid))
    rings = [even.exterior.coords, *(ring.coords for ring in even.interiors)]
    loops = []
    for number, ring in enumerate(rings):
        points = np.array(ring)[:-1] * UP
        x, y = points.T
        is_left = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0
        loops.append(np.stack([points if is_left == (number == 0) else points[::-1]] * 2))
    return stacked(loops, np.array([low, high]))


def _labelled(mesh: Mesh, text: str, space: Space) -> Mesh:
    """Engrave a text into the top of a body, as tall as a space allows."""
    left, top, right, bottom = space
    whole = Room(right - left, bottom - top)
    height = fitted(text, whole, PEN, LABEL / 2)
    strokes = laid(text, height, whole, PEN) if height else None
    if strokes is None:
        return mesh
    middle = np.array([(left + right) / 2, (top + bottom) / 2]) * UP
    flipped = Curves(strokes.points * UP, strokes.starts)
    return engraved(mesh, [rim + middle for rim in grooves(flipped, PEN)], DEPTH)
