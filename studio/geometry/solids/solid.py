"""Solid pieces: closed meshes of triangles, and smooth plates made from flat pieces of voxels.

plate: one smooth body, its edges chamfered or rounded, its upright corners rounded. snap: a small bump on one piece
and a socket for it in the next. engraving: grooves sunk into the flat on top. profile: the rings, from bed to top,
that a plate's outline is drawn through. flaw: what keeps a mesh from being printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.geometry.planar.polyomino import Mask, outline

if TYPE_CHECKING:
    from manifold3d import Manifold

UPRIGHT = 1.5
"""The radius of upright corners in radii of the edges; less would leave arcs without length at the rims."""
WIDEST = 0.48
"""The largest radius of an upright corner as a share of the thickness, so that the end of a prong stays flat."""
FLAT = 1e-4
"""The height in mm up to which a triangle of a lettered flat counts as a line."""
MOST_HALVED = 1000
"""Most splits of such triangles."""
LEAST_STEP = 1e-3
"""Least length in mm of a step of a rounding, far above the grid of its corners."""
GRID = 1e-5
"""The grid in mm for corners of meshes: exact in files, far below what a printer can do."""
LEAST_DOUBLE_AREA = 1e-9
"""Twice the area in mm² below which a triangle has no direction; the grid of meshes is 0.01 µm."""


@dataclass(frozen=True, eq=False)
class Mesh:
    """A surface of triangles (m, 3), counter-clockwise as seen from outside, over vertices (n, 3) in mm.

    `normals` (m, 3, 3), if known, are the true directions of the surface at the corners of each triangle, rather than
    the directions of its flat triangles.
    """

    vertices: Floats
    triangles: Ints
    normals: Floats | None = None

    def __post_init__(self) -> None:
        frozen(self.vertices)
        frozen(self.triangles)
        if self.normals is not None:
            frozen(self.normals)

    @cached_property
    def facets(self) -> Floats:
        """Half the area of each triangle in its direction: cross products (m, 3) of its sides, in mm²."""
        a, b, c = self.vertices[self.triangles].transpose(1, 0, 2)
        return np.cross(b - a, c - a)

    @cached_property
    def volume(self) -> float:
        """Volume inside the surface in mm³; negative if turned inside out."""
        return float((self.vertices[self.triangles[:, 0]] * self.facets).sum() / 6)

    @cached_property
    def bounds(self) -> tuple[Floats, Floats]:
        """Least and greatest coordinates (3,) in mm."""
        return self.vertices.min(axis=0), self.vertices.max(axis=0)

    def work_out(self) -> None:
        """Compute and cache volume and bounds ahead of their use."""
        _ = self.volume, self.bounds

    def moved(self, turn: Floats, shift: Floats) -> Mesh:
        """Turn the mesh by a rotation (3, 3), then shift it by (3,) mm."""
        normals = None if self.normals is None else self.normals @ turn.T
        return Mesh(self.vertices @ turn.T + shift, self.triangles, normals)


@dataclass(frozen=True, eq=False)
class Solid:
    """A named part: its mesh, and its colour as #RRGGBB.

    `on` names the solid before it that it is printed onto, in another plastic; it is empty otherwise.
    """

    name: str
    colour: str
    mesh: Mesh
    on: str = ""


def steps_of(radius: float, segments: int) -> int:
    """Number of steps in a quarter circle of a radius in mm, limited by LEAST_STEP; may be 0."""
    return min(segments // 4, int(np.pi / 2 * radius / LEAST_STEP))


def plate(
    mask: Mask,
    unit: float,
    gap: float,
    radius: float,
    segments: int,
    *,
    rounded: bool,
    lines: tuple[Floats, Floats] | None = None,
    top: float | None = None,
) -> Mesh:
    """A flat piece of voxels as one smooth body, as thick as a voxel, with half the gap taken off all around.

    `mask` (a, b) marks its voxels; voxel (i, j) lies from (i, j, 0) to (i + 1, j + 1, 1) units. Its edges are rounded,
    or else chamfered at 45°, by `radius` mm. All surfaces that face a neighbour lie exactly half a gap within their
    voxels. For unequal voxels, `lines` are the places in mm between them along both axes; a slice ends at the height
    `top` in mm.
    """
    loop = outline(mask)
    steps = steps_of(radius, segments)
    if not steps:
        radius = 0.0
    profile = _profile(unit if top is None else top + gap / 2, gap, radius, steps, rounded)
    places = (
        loop.corners * unit if lines is None else np.stack([lines[axis][loop.corners[:, axis]] for axis in (0, 1)], 1)
    )
    upright = min(UPRIGHT * radius, WIDEST * (unit - gap))
    corners = np.repeat(np.arange(len(loop.corners)), np.where(loop.convex, steps + 1, 1))
    first = np.concatenate([[True], corners[1:] != corners[:-1]])
    place = np.arange(len(corners)) - np.maximum.accumulate(np.where(first, np.arange(len(corners)), 0))
    angles = place * (np.pi / 2 / max(steps, 1))
    arc = np.cos(angles)[:, None] * loop.before[corners] + np.sin(angles)[:, None] * loop.after[corners]
    rounding = np.where(loop.convex[corners] & (steps > 0), 1.0, 0.0)[:, None]
    both = (loop.before + loop.after)[corners]
    rings = (
        places[corners][None]
        - (gap / 2 + profile.insets)[:, None, None] * both
        + (upright - profile.insets)[:, None, None] * (rounding * (arc - both))
    )
    count = len(corners)
    heights = np.repeat(profile.heights, count)
    vertices = on_grid(np.column_stack([rings.reshape(-1, 2), heights]))
    walls = sleeve(len(profile.heights), count)
    cap = _cap(vertices[:count, :2])
    last = len(vertices) - count
    triangles = np.concatenate([walls, cap[:, ::-1], cap + last])
    outward = np.where(rounding > 0, arc, 0.0)
    here = np.where(rounding > 0, outward, loop.after[corners])
    there = np.where(rounding > 0, outward, loop.before[corners])
    normals = np.concatenate([
        _side_normals(profile, here, np.roll(there, -1, axis=0)),
        np.broadcast_to(np.array([0.0, 0.0, -1.0]), (len(cap), 3, 3)),
        np.broadcast_to(np.array([0.0, 0.0, 1.0]), (len(cap), 3, 3)),
    ])  # fmt: skip
    return Mesh(vertices, triangles, normals)


def plate_facets(mask: Mask, steps: int, *, rounded: bool) -> int:
    """Number of triangles of a plate; `steps` as in `steps_of`."""
    loop = outline(mask)
    around = len(loop.corners) + steps * int(loop.convex.sum())
    strips = 1 if not steps else 2 * (steps if rounded else 1) + 1
    return 2 * around * strips + 2 * (around - 2)


@dataclass(frozen=True, eq=False)
class _Profile:
    """Rings of a plate: heights (r,) and insets (r,) in mm; directions (r - 1, 2), outwards and up, at the lower and
    the upper end of each strip between two rings."""

    heights: Floats
    insets: Floats
    lower: Floats
    upper: Floats


def _profile(unit: float, gap: float, radius: float, steps: int, rounded: bool) -> _Profile:
    low, high = gap / 2, unit - gap / 2
    wall = np.array([[1.0, 0.0]])
    if radius <= 0:
        return _Profile(np.array([low, high]), np.zeros(2), wall, wall)
    angles = np.linspace(0.0, np.pi / 2, steps + 1) if rounded else np.array([0.0, np.pi / 2])
    rise, insets = radius * (1 - np.cos(angles)), radius * (1 - np.sin(angles))
    rise[-1], insets[-1] = radius, 0.0
    bend = np.stack([np.sin(angles), -np.cos(angles)], 1)
    lower, upper = (bend[:-1], bend[1:]) if rounded else (np.array([[1.0, -1.0]]) / 2**0.5,) * 2
    mirror = np.array([1.0, -1.0])
    return _Profile(
        np.concatenate([low + rise, high - rise[::-1]]),
        np.concatenate([insets, insets[::-1]]),
        np.concatenate([lower, wall, upper[::-1] * mirror]),
        np.concatenate([upper, wall, lower[::-1] * mirror]),
    )


def sleeve(rings: int, count: int) -> Ints:
    """Two triangles for each stretch of each strip between rings of `count` points, counter-clockwise and upwards."""
    here = np.arange(count)
    there = np.roll(here, -1)
    one = np.stack([here, there, there + count], 1)
    other = np.stack([here, there + count, here + count], 1)
    strip = np.stack([one, other], 1).reshape(-1, 3)
    return np.asarray((strip[None] + count * np.arange(rings - 1)[:, None, None]).reshape(-1, 3))


def _side_normals(profile: _Profile, here: Floats, there: Floats) -> Floats:
    """Directions at the corners of the triangles of `sleeve`; (n, 2) at the beginning and the end of each stretch."""

    def at(profiles: Floats, flat: Floats) -> Floats:
        across = profiles[:, None, :1] * flat[None]
        up = np.broadcast_to(profiles[:, None, 1:], (len(profiles), len(flat), 1))
        return np.concatenate([across, up], 2)

    a, b = at(profile.lower, here), at(profile.lower, there)
    c, d = at(profile.upper, there), at(profile.upper, here)
    one, other = np.stack([a, b, c], 2), np.stack([a, c, d], 2)
    return np.stack([one, other], 2).reshape(-1, 3, 3)


def _cap(*rings: Floats) -> Ints:
    """Triangles that fill counter-clockwise polygons (n, 2) and leave clockwise ones open.

    With a tolerance of 0 manifold3d 3.5 turns some triangles over, up to several mm² of them.
    """
    import manifold3d

    return np.asarray(manifold3d.triangulate([np.ascontiguousarray(ring) for ring in rings], GRID, False), np.int64)


def even_cap(*rings: Floats) -> Ints:
    """Fill polygons like `_cap`, but without triangles of three corners in a line, as in letters and squares.

    Such a triangle and its neighbour along its longest side form a quadrilateral, which is halved the other way.
    """
    triangles, points = _cap(*rings), np.concatenate(rings)
    for _ in range(MOST_HALVED):
        corners = points[triangles]
        sides = np.roll(corners, -1, axis=1) - corners
        lengths = np.hypot(*np.moveaxis(sides, 2, 0))
        areas = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])
        flat = np.flatnonzero(areas < FLAT * lengths.max(axis=1))
        # If several lie along each other, the longest is split first.
        longest = flat[np.argsort(-lengths[flat].max(axis=1), kind="stable")]
        if not any(_parted(triangles, one, int(lengths[one].argmax())) for one in longest.tolist()):
            break
    return triangles


def _parted(triangles: Ints, one: int, side: int) -> bool:
    """Flip the diagonal between a triangle and its neighbour at a side; return whether it has a neighbour there."""
    a, c, b = np.roll(triangles[one], -side).tolist()
    beside = ((triangles == c) & (np.roll(triangles, -1, axis=1) == a)).any(axis=1)
    for other in np.flatnonzero(beside).tolist():
        (d,) = set(triangles[other].tolist()) - {a, c}
        triangles[one], triangles[other] = (a, d, b), (d, c, b)
    return bool(beside.any())


def on_grid(points: Floats) -> Floats:
    """Round points to the grid of meshes."""
    return np.round(points / GRID) * GRID + 0.0


def engraved(mesh: Mesh, rims: Sequence[Floats], depth: float) -> Mesh:
    """Cut grooves `depth` mm deep into the flat top of a mesh, with upright walls and a flat floor.

    Rims (n, 2) in mm lie within the flat; they run counter-clockwise, and clockwise round land within a groove. All
    other triangles stay unchanged, so that the fit cannot change.
    """
    if not rims:
        return mesh
    top = float(mesh.bounds[1][2])
    flat: Mask = np.all(mesh.vertices[mesh.triangles][:, :, 2] >= top - GRID / 2, axis=1)
    around = _rings(mesh.triangles[flat])
    known = np.concatenate(around)
    rims = [on_grid(rim) for rim in rims]
    count, first = sum(map(len, rims)), len(mesh.vertices)
    # The rims turned round are holes in the flat, and land within them is flat again.
    opened = even_cap(*(mesh.vertices[ring, :2] for ring in around), *(rim[::-1] for rim in rims))
    turned = np.concatenate([np.arange(len(rim))[::-1] + start for rim, start in zip(rims, _starts(rims), strict=True)])
    names = np.concatenate([known, first + turned])
    floor = even_cap(*rims)
    walls = np.concatenate([
        first + start + _walls(len(rim), count) for rim, start in zip(rims, _starts(rims), strict=True)
    ])  # fmt: skip
    flatly = np.concatenate(rims)
    vertices = np.concatenate([
        mesh.vertices, *(np.column_stack([flatly, np.full(count, z)]) for z in (top, top - depth))
    ])  # fmt: skip
    added = (names[opened], floor + first + count, walls)
    triangles = np.concatenate([mesh.triangles[~flat], *added])
    return Mesh(vertices, triangles, _with_normals(mesh, ~flat, vertices, added))


def _walls(count: int, down: int) -> Ints:
    """Two triangles for each side of a groove, seen from within, from its rim to its floor, numbered `down` higher."""
    here = np.arange(count)
    there = np.roll(here, -1)
    one = np.stack([here, there + down, here + down], 1)
    other = np.stack([here, there, there + down], 1)
    return np.concatenate([one, other])


def _starts(rims: Sequence[Floats]) -> list[int]:
    return [0, *np.cumsum([len(rim) for rim in rims[:-1]]).tolist()]


def _rings(triangles: Ints) -> list[Ints]:
    """The rims of a surface: its vertices along each, counter-clockwise, and clockwise round a hole."""
    ways = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]).tolist()
    there = {(one, other) for one, other in ways}
    following = {one: other for one, other in ways if (other, one) not in there}
    rings = []
    while following:
        one, at = following.popitem()
        ring = [one]
        while at != one:
            ring.append(at)
            at = following.pop(at)
        rings.append(np.array(ring, np.int64))
    return rings


def _with_normals(mesh: Mesh, kept: Mask, vertices: Floats, added: tuple[Ints, Ints, Ints]) -> Floats | None:
    """The true directions of a mesh's kept triangles and of the added flat, floor and walls."""
    if mesh.normals is None:
        return None
    opened, floor, walls = added
    a, b, c = vertices[walls].transpose(1, 0, 2)
    across = np.cross(b - a, c - a)
    sideways = across / np.maximum(np.linalg.norm(across, axis=1), 1e-30)[:, None]
    upwards = np.broadcast_to(np.array([0.0, 0.0, 1.0]), (len(opened) + len(floor), 3, 3))
    return np.concatenate([mesh.normals[kept], upwards, np.broadcast_to(sideways[:, None, :], (len(walls), 3, 3))])


@dataclass(frozen=True)
class Snap:
    """A bump or a socket: the middle of the joint with the next piece in mm, and the direction across the joint."""

    place: tuple[float, float, float]
    across: tuple[float, float, float]
    is_bump: bool

    def wall(self, gap: float) -> float:
        """Position in mm of its own wall along `across`, half a gap before the joint."""
        return round((float(np.dot(self.place, self.across)) - gap / 2) / GRID) * GRID


def with_snaps(mesh: Mesh, snaps: Sequence[Snap], reach: float, gap: float, segments: int) -> Mesh:
    """Add half a ball to a wall of a mesh for each bump, and a hollow a gap larger for each socket.

    A bump reaches `reach` mm into the next piece and keeps the gap to its socket all around. All triangles outside
    these walls stay unchanged.
    """
    if not snaps or reach <= 0:
        return mesh
    walls: dict[tuple[tuple[float, ...], float], list[Snap]] = {}
    for snap in snaps:
        walls.setdefault((snap.across, snap.wall(gap)), []).append(snap)
    for (across, wall), some in walls.items():
        domes = [_dome(snap, reach, gap, segments) for snap in some]
        mesh = _with_domes(mesh, np.array(across), wall, domes)
    return mesh


def socket(radius: float, gap: float, segments: int) -> float:
    """The radius in mm of a hollow that keeps a gap to a bump of a radius.

    A ball of flat facets is too small between its corners; the hollow is enlarged to make up for it.
    """
    return float((radius + gap) / np.cos(np.pi / segments) ** 2)


@dataclass(frozen=True, eq=False)
class _Dome:
    """A bump or a socket on a wall: rings (r, n, 3) of points from its rim on, counter-clockwise as seen from outside,
    its last point (3,), and the surface normals (r, n, 3) and (3,) there."""

    rings: Floats
    pole: Floats
    facing: Floats
    last: Floats


def _dome(snap: Snap, reach: float, gap: float, segments: int) -> _Dome:
    across = np.array(snap.across)
    right, up = np.array([-across[1], across[0], 0.0]), np.array([0.0, 0.0, 1.0])
    radius = gap + reach
    if snap.is_bump:
        middle, out, first = np.array(snap.place) - gap / 2 * across, 1.0, 0.0
    else:
        radius = socket(radius, gap, segments)
        middle, out, first = np.array(snap.place) + gap / 2 * across, -1.0, float(np.arcsin(gap / radius))
    around = np.linspace(0.0, 2 * np.pi, segments, endpoint=False)
    heights = np.linspace(first, np.pi / 2, segments // 4, endpoint=False)
    flat = np.cos(around)[:, None] * right + np.sin(around)[:, None] * up
    ways = np.cos(heights)[:, None, None] * flat + out * np.sin(heights)[:, None, None] * across
    rings = middle + radius * ways
    # Rounding must not move the rim out of the wall.
    rings[0] += (snap.wall(gap) - rings[0] @ across)[:, None] * across
    return _Dome(on_grid(rings), on_grid(middle + out * radius * across), out * ways, across)


def _with_domes(mesh: Mesh, across: Floats, wall: float, domes: Sequence[_Dome]) -> Mesh:
    """Put domes on the wall of a mesh that faces `across`, `wall` mm along it."""
    right = np.array([-across[1], across[0], 0.0])
    corners = mesh.vertices[mesh.triangles]
    seen = np.stack([corners @ right, corners[:, :, 2]], 2)
    is_wall = (np.abs(corners @ across - wall) < GRID / 2).all(axis=1) & (mesh.facets @ across > 0)
    middles = np.array([[dome.pole @ right, dome.pole[2]] for dome in domes])
    holds = (seen.min(axis=1)[:, None] < middles) & (middles < seen.max(axis=1)[:, None])
    opened = is_wall & holds.all(axis=2).any(axis=1)
    around = _rings(mesh.triangles[opened])
    count = len(mesh.vertices)
    rims = [dome.rings[0] for dome in domes]
    cap = even_cap(
        *(np.column_stack([mesh.vertices[ring] @ right, mesh.vertices[ring, 2]]) for ring in around),
        *(np.column_stack([rim @ right, rim[:, 2]])[::-1] for rim in rims),
    )
    names, vertices, triangles, facing = [*around], [mesh.vertices], [mesh.triangles[~opened]], list[Floats]()
    for dome in domes:
        rings, number = dome.rings.shape[:2]
        names.append(count + np.arange(number)[::-1])
        walls = sleeve(rings, number)
        last = np.arange(number) + (rings - 1) * number
        tip = np.stack([last, np.roll(last, -1), np.full(number, rings * number)], 1)
        of_dome = np.concatenate([walls, tip])
        triangles.append(of_dome + count)
        vertices += [dome.rings.reshape(-1, 3), dome.pole[None]]
        facing.append(np.concatenate([dome.facing.reshape(-1, 3), dome.last[None]])[of_dome])
        count += rings * number + 1
    triangles.insert(1, np.concatenate(names)[cap])
    normals = None
    if mesh.normals is not None:
        normals = np.concatenate([mesh.normals[~opened], np.broadcast_to(across, (*cap.shape, 3)), *facing])
    return Mesh(np.concatenate(vertices), np.concatenate(triangles), normals)


def stacked(loops: Sequence[Floats], heights: Floats) -> Mesh:
    """A body drawn from bed to top through loops (r, n, 2) in mm, one for each ring of a flat region.

    The points of all levels correspond. Outlines run counter-clockwise, each followed by its holes, which run
    clockwise; `heights` (r,) ascend.
    """
    firsts = _starts([loop.reshape(-1, 2) for loop in loops])
    triangles = []
    for level, way in ((0, -1), (-1, 1)):
        # Outlines with their holes one by one: together they would take time with the square of their number.
        rings = [loop[level] for loop in loops]
        groups: list[list[int]] = []
        for number, ring in enumerate(rings):
            x, y = (ring - ring[0]).T
            if not groups or float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum()) > 0:
                groups.append([])
            groups[-1].append(number)
        for some in groups:
            names = np.concatenate([
                np.arange(loops[at].shape[1]) + firsts[at] + (level % len(heights)) * loops[at].shape[1] for at in some
            ])  # fmt: skip
            triangles.append(names[even_cap(*(loops[at][level] for at in some))[:, ::way]])
    triangles += [sleeve(len(heights), loop.shape[1]) + first for loop, first in zip(loops, firsts, strict=True)]
    vertices = [np.column_stack([loop.reshape(-1, 2), np.repeat(heights, loop.shape[1])]) for loop in loops]
    return Mesh(on_grid(np.concatenate(vertices)), np.concatenate(triangles))


def body(mesh: Mesh) -> Manifold:
    """The mesh as a body of manifold3d, for intersections and distances of solids."""
    import manifold3d

    # Copies, because it takes no read-only arrays.
    vertices, triangles = np.array(mesh.vertices, order="C"), np.array(mesh.triangles, np.uint64, order="C")
    return manifold3d.Manifold(manifold3d.Mesh64(vertices, triangles))


def section(mesh: Mesh, height: float) -> tuple[Floats, ...]:
    """The rims (n, 2) in mm of a mesh's section at a height, counter-clockwise round material."""
    return tuple(np.asarray(rim, np.float64) for rim in body(mesh).slice(height).to_polygons())


def laid_out(solids: Sequence[Solid], columns: int, spacing: float) -> tuple[Solid, ...]:
    """Lay solids side by side on a plate, `columns` in a row, `spacing` mm apart, their bottoms at height 0."""
    widths, depths = _columns_and_rows(solids, columns)
    placed = []
    for number, solid in enumerate(solids):
        row, column = divmod(number, columns)
        corner = np.array([
            sum(widths[:column]) + spacing * column, sum(depths[:row]) + spacing * row, 0.0
        ])  # fmt: skip
        mesh = solid.mesh.moved(np.eye(3), corner - solid.mesh.bounds[0])
        placed.append(Solid(solid.name, solid.colour, Mesh(on_grid(mesh.vertices), mesh.triangles, mesh.normals)))
    return tuple(placed)


def size_laid_out(solids: Sequence[Solid], columns: int, spacing: float) -> tuple[float, float]:
    """Width and depth in mm of the plate of `laid_out`."""
    widths, depths = _columns_and_rows(solids, columns)
    return sum(widths) + spacing * (len(widths) - 1), sum(depths) + spacing * (len(depths) - 1)


def _columns_and_rows(solids: Sequence[Solid], columns: int) -> tuple[list[float], list[float]]:
    """Width of each column and depth of each row of a plate, in mm."""
    sizes = [(solid.mesh.bounds[1] - solid.mesh.bounds[0]).tolist() for solid in solids]
    widths = [max(size[0] for size in sizes[column::columns]) for column in range(min(columns, len(sizes)))]
    depths = [max(size[1] for size in sizes[at : at + columns]) for at in range(0, len(sizes), columns)]
    return widths, depths


def flaw(mesh: Mesh) -> str:
    """Name the first flaw of a mesh, to follow "it"; empty for a sound mesh."""
    if not len(mesh.triangles):
        return tr("is empty")
    if not np.isfinite(mesh.vertices).all():
        return tr("has a vertex with invalid coordinates")
    if (np.linalg.norm(mesh.facets, axis=1) < LEAST_DOUBLE_AREA).any():
        return tr("has a zero-area triangle")
    # Each side of a triangle is shared with exactly one other triangle, in the opposite direction.
    ways = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]], mesh.triangles[:, [2, 0]]])
    count = len(mesh.vertices)
    there, back = np.sort(ways @ (count, 1)), np.sort(ways @ (1, count))
    is_closed = bool((there == back).all() and (there[1:] != there[:-1]).all())
    if not is_closed:
        return tr("is not watertight")
    if mesh.volume <= 0:
        return tr("is inside out")
    components = _components(mesh)
    return "" if components == 1 else tr("is split into {count} parts", count=components)


def _components(mesh: Mesh) -> int:
    """Count the connected surfaces: each vertex takes the least label among its neighbours until none changes."""
    one, other = np.concatenate([mesh.triangles[:, [0, 1]], mesh.triangles[:, [1, 2]]]).T
    known = np.arange(len(mesh.vertices))
    while True:
        least = np.minimum(known[one], known[other])
        after = known.copy()
        for numbers in (known[one], known[other]):
            np.minimum.at(after, numbers, least)
        after = after[after]
        if (after == known).all():
            return len(np.unique(known[mesh.triangles]))
        known = after
