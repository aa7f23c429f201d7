"""Compares a file read back with its drawing (size, lines, ends, pieces), and meshes with their solids.

face: an area of the board enclosed by cuts; every piece must be one.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.base.units import MM_PER_INCH
from studio.exporting.colour_profiles import profile
from studio.exporting.options import LaserOptions, LeafletOptions, Report, Unreadable
from studio.exporting.readers.found_lines import (
    Courses,
    FoundArea,
    FoundLayer,
    FoundLine,
    FoundPicture,
    Naming,
    Sheet,
    refuse_other_lines,
)
from studio.geometry.art.artwork import Picture, Region, channels, corners_of
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, ranges
from studio.geometry.planar.drawing import CUTS, RASTER, Drawing, Operation, summary
from studio.geometry.solids.solid import Mesh, Solid
from studio.paper.leaflet import Leaflet

Flags = NDArray[np.bool_]

# Points in the same step of this grid, in mm, are one point: the finest step of our writers, so ends that meet in the
# drawing must coincide here, and any coarser merging joins them too.
SNAP = 1e-4
EXACT = 0.01
"""Tolerance in mm of areas and pictures that are read back."""
_SHADE = 0.002
# Tolerance in mm of curves for finding faces: only their ends decide, but neighbours must not cross.
_FOLLOWED = 0.05
# The same for arcs: where cuts cross, the faces between them count, however small.
_FOLLOWED_ARCS = 0.01
# Length of a line that counts if it is repeated, in the rounding of a file.
_LEAST_REPEATED = 200.0
# Effect of an operation on the board: two operations of the same effect on one line burn it twice.
_EFFECTS = {Operation.ENGRAVE: 0, Operation.SCORE: 1, Operation.INNER: 2, Operation.BORDER: 2, Operation.MARK: 3}


@dataclass(frozen=True, kw_only=True)
class SheetReport(Report):
    """Findings from a file with a drawing: true size and cut length in mm, and counts.

    `chains` counts all lines, engraved ones too; the cut length is that of the cuts. `faces` counts the parts that the
    cuts enclose, `pieces` the pieces of the drawing. `pages` is more than 1 for a PDF of printer pages. A picture has
    `pixels`, width and height; its faces come from its lines. `where` names the first piece that is no face.
    `tabs` counts the gaps in the cuts that hold pieces; cuts that end at tabs count as if they went on.
    """

    width: float
    height: float
    chains: int
    cut_length: float
    faces: int
    pieces: int
    where: str = ""
    tabs: int = 0
    pages: int = 1
    pixels: tuple[int, int] | None = None

    @property
    def problem(self) -> str:
        """Why the puzzle would not come apart into its pieces; empty if it would."""
        if self.faces == self.pieces:
            return ""
        told = tr(
            "its cuts enclose {faces} parts, not the {pieces} pieces of the puzzle",
            faces=self.faces,
            pieces=self.pieces,
        )
        return f"{told}: {self.where}" if self.where else told


def prove(
    sheet: Sheet, drawing: Drawing, options: LaserOptions, rounding: float, tolerance: float = 0.0
) -> SheetReport:
    """Report on a sheet; raises Unreadable if its page, layers or lines differ from the drawing's.

    `drawing` has its chains in the order of the file; `rounding` is the error in mm of each coordinate, `tolerance`
    the deviation in mm of arcs and polylines, 0 for exact curves.
    """
    if max(abs(sheet.width - drawing.width), abs(sheet.height - drawing.height)) > rounding * 1.001:
        raise Unreadable(
            tr(
                "its page is {width:g} × {height:g} mm, not {wanted_width:g} × {wanted_height:g} mm",
                width=sheet.width,
                height=sheet.height,
                wanted_width=drawing.width,
                wanted_height=drawing.height,
            )
        )
    refuse_other_lines(sheet.lines, drawing, profile(options.profile), Courses(drawing.strokes, rounding, tolerance))
    _check_artwork(sheet, drawing)
    _check_notes(sheet, drawing, options)
    return prove_lines(sheet.lines, drawing, rounding, tolerance)


def _check_notes(sheet: Sheet, drawing: Drawing, options: LaserOptions) -> None:
    """Raise Unreadable unless the file tells its alignment and the recipe of every layer, if its format has a place
    for that.
    """
    if sheet.notes is None:
        return
    used = {chain.operation for chain in drawing.chains}
    if getattr(options, "cells", ()):
        # The squares of a test card have layers of their own.
        used &= {Operation.ENGRAVE, Operation.MARK}
    wanted = {**options.remarks, **profile(options.profile).notes(options.recipe, used)}
    if options.recipe.raster is not None and sheet.artwork and "IMAGE" in sheet.notes:
        interval = MM_PER_INCH / options.raster_dpi
        wanted["IMAGE"] = summary(replace(options.recipe.raster, interval=interval), RASTER)
    if dict(sheet.notes) != wanted:
        raise Unreadable(tr("its notes do not state the settings of its layers"))


def prove_lines(found: Sequence[FoundLine], drawing: Drawing, rounding: float, tolerance: float = 0.0) -> SheetReport:
    """Report on the lines found of a drawing, one for each chain; raises Unreadable for useless ones.

    They may run off the page by as much as they may deviate from the drawing.
    """
    names = Naming(drawing)
    operations = [chain.operation for chain in drawing.chains]
    length = sum(line.length for line, operation in zip(found, operations, strict=True) if operation in CUTS)
    found = _without_overcuts(found, drawing, rounding)
    steps = _Steps.from_lines([line.chords(_FOLLOWED_ARCS) for line in found], operations)
    repeated = steps.repeated(_LEAST_REPEATED * rounding)
    for at, what in ((steps.idle(), tr("has no length")), (repeated, tr("is duplicated"))):
        if at is not None:
            line = int(steps.owners[at])
            raise Unreadable(names.told(line, steps.points[steps.vertices[at]], what))
    stretches, owners = steps.split()
    beyond = np.maximum(-stretches.points, stretches.points - (drawing.width, drawing.height)).max(axis=1)
    farthest = int(beyond.argmax())
    if beyond[farthest] > rounding * 1.001 + tolerance:
        line, excess = int(owners[stretches.owners[farthest]]), float(beyond[farthest])
        raise Unreadable(
            names.told(line, stretches.points[farthest], tr("runs off the page by {excess:.3g} mm", excess=excess))
        )
    cut = np.array([operation in CUTS for operation in operations])
    is_cut, bridges = cut[owners], _bridges(found, operations, drawing, rounding)
    if len(bridges):
        stretches = Polylines.gathered([stretches, bridges])
        is_cut = np.concatenate([is_cut, np.ones(len(bridges), bool)])
    faces, where = _faces(stretches, is_cut, drawing)
    return SheetReport(
        width=drawing.width,
        height=drawing.height,
        chains=len(found),
        cut_length=length,
        faces=faces,
        pieces=len(drawing.pieces),
        where=where,
        tabs=len(bridges),
    )


def _without_overcuts(found: Sequence[FoundLine], drawing: Drawing, rounding: float) -> list[FoundLine]:
    """Cut off overcuts, which repeat a part of their own line on purpose, where their loops close."""
    whole = []
    for line, chain in zip(found, drawing.chains, strict=True):
        if chain.overcut:
            first = int(chain.strokes[len(chain.strokes) - chain.overcut])
            stride = 3 if line.curved else 1
            vertices = line.points[::stride]
            apart = np.abs(vertices - drawing.strokes.ends[first >> 1, first & 1]).max(axis=1)
            last = int(np.flatnonzero(apart <= 2 * rounding)[-1]) if (apart <= 2 * rounding).any() else len(vertices)
            bulges = None if line.bulges is None else line.bulges[:last]
            line = replace(line, points=line.points[: stride * last + 1], bulges=bulges)
        whole.append(line)
    return whole


def report_picture(data: bytes, drawing: Drawing, _options: LaserOptions, rounding: float) -> SheetReport:
    """Report on a PNG of a drawing, whose lines pass the same proof as the lines of every file."""
    lines = [FoundLine(FoundLayer(""), path.points, path.closed, curved=True) for path in drawing.paths()]
    columns, rows, per_metre = struct.unpack_from(">II17xI", data, 16)
    width, height = (1000 * side / per_metre for side in (columns, rows))
    return replace(prove_lines(lines, drawing, rounding), width=width, height=height, pixels=(columns, rows))


def _check_artwork(sheet: Sheet, drawing: Drawing) -> None:
    if sheet.artwork is None:
        return
    if len(sheet.artwork) != len(drawing.artwork):
        raise Unreadable(
            tr("it has {count} areas and pictures, not {wanted}", count=len(sheet.artwork), wanted=len(drawing.artwork))
        )
    for number, (found, wanted) in enumerate(zip(sheet.artwork, drawing.artwork, strict=True), 1):
        if not is_alike(found, wanted):
            raise Unreadable(tr("area or picture {number} differs from the drawing", number=number))


def is_alike(found: FoundArea | FoundPicture, wanted: Region | Picture) -> bool:
    """True if an area or picture found in a file equals one of the drawing to within EXACT mm."""
    if isinstance(wanted, Region):
        fill = [channel / 255 for channel in channels(wanted.fill)]
        return (
            isinstance(found, FoundArea)
            and _are_rings(found.steps, found.points, wanted.rings)
            and is_near(found.fill, fill, _SHADE)
        )
    if not (isinstance(found, FoundPicture) and is_near(corners_of(found.box, found.turn), wanted.corners, EXACT)):
        return False
    if found.clip is None or wanted.clip is None:
        is_clipped = (found.clip is None) == (wanted.clip is None)
    else:
        is_clipped = _are_rings(*found.clip, wanted.clip.rings)
    if not is_clipped:
        return False
    if found.lines:
        make = (*wanted.size, wanted.data[24], 1 if wanted.is_grey else 3)
        return found.lines == make and found.data == wanted.packed_lines
    return found.data == wanted.data or (found.data, found.mask) == wanted.pixels()


def _are_rings(steps: str, points: Floats, rings: Sequence[Floats]) -> bool:
    """True if a path is these closed rings."""
    wanted = "".join(f"M{'L' * (len(ring) - 1)}Z" for ring in rings)
    return steps == wanted and is_near(points, np.concatenate(rings), EXACT)


def is_near(one: Sequence[float] | Floats, other: Sequence[float] | Floats, most: float) -> bool:
    """True if numbers are as many as others, and differ by no more than `most`."""
    here, there = np.asarray(one, float), np.asarray(other, float)
    return here.shape == there.shape and bool((np.abs(here - there) <= most).all())


def _bridges(found: Sequence[FoundLine], operations: list[Operation], drawing: Drawing, rounding: float) -> Polylines:
    """Return the tabs, from the end of one cut of the file to the end of another.

    Raises Unreadable if cuts do not end at a tab on both sides.
    """
    if not len(drawing.tabs):
        return Polylines(np.empty((0, 2)), np.zeros(1, np.int64))
    lines = drawing.strokes.chosen(drawing.tabs).flattened(_FOLLOWED)
    open_cuts = [line for line, each in zip(found, operations, strict=True) if each in CUTS and not line.closed]
    ends = np.array([line.points[[0, -1]] for line in open_cuts])
    ends = ends.reshape(-1, 2)
    wanted = lines.ends.reshape(-1, 2)
    nearest, apart = _nearest(wanted, ends)
    if (apart > 2 * rounding).any():
        x, y = wanted[np.flatnonzero(apart > 2 * rounding)[0]].tolist()
        raise Unreadable(tr("the holding tab at {x:.1f}, {y:.1f} mm is cut through", x=x, y=y))
    points = lines.points.copy()
    points[lines.starts[:-1]], points[lines.starts[1:] - 1] = ends[nearest[::2]], ends[nearest[1::2]]
    return Polylines(points, lines.starts)


def _nearest(wanted: Floats, points: Floats) -> tuple[Ints, Floats]:
    """Return the nearest point to each place, and its distance; infinite if there are no points."""
    import shapely

    if not len(points):
        return np.zeros(len(wanted), np.int64), np.full(len(wanted), np.inf)
    nearest = shapely.STRtree(shapely.points(points)).query_nearest(shapely.points(wanted), all_matches=False)[1]
    return nearest, np.hypot(*(points[nearest] - wanted).T)


@dataclass(frozen=True, eq=False)
class _Steps:
    """All lines of a sheet as steps from vertex to vertex: chords of polylines, or cubics.

    `vertices` are indices into `points`; `names` gives vertices at the same place the same number; `first` and
    `last` mark the vertices at which a line begins and ends; a step leads from every vertex but a last one to the
    next; `owners` and `effects` are the line of every vertex and its effect.
    """

    points: Floats
    stride: int
    vertices: Ints
    names: Ints
    last: Flags
    first: Flags
    owners: Ints
    effects: Ints

    @classmethod
    def from_lines(cls, lines: Sequence[FoundLine], operations: list[Operation]) -> _Steps:
        stride = 3 if lines[0].curved else 1
        counts = np.array([len(line.points) for line in lines], np.int64)
        starts = offsets(counts)
        points = np.concatenate([line.points for line in lines])
        sizes = (counts - 1) // stride + 1
        owners = np.repeat(np.arange(len(lines)), sizes)
        bounds = offsets(sizes)
        vertices = starts[owners] + stride * (np.arange(len(owners)) - bounds[owners])
        _, names = np.unique(_keys(points[vertices]), return_inverse=True)
        last, first = np.zeros(len(owners), bool), np.zeros(len(owners), bool)
        last[bounds[1:] - 1] = True
        first[bounds[:-1]] = True
        effects = np.array([_EFFECTS[operation] for operation in operations])[owners]
        return cls(points, stride, vertices, names, last, first, owners, effects)

    def idle(self) -> int | None:
        """Return the vertex of the first step without length; None if all steps move."""
        at = np.flatnonzero(~self.last)
        places = [_keys(self.points[self.vertices[at] + i]) for i in range(self.stride + 1)]
        still = at[np.logical_and.reduce([place == places[0] for place in places])]
        return int(still[0]) if len(still) else None

    def repeated(self, least: float) -> int | None:
        """Return the vertex of the first step that repeats another, either way, with the same effect; None without one.

        Engraved lines are exempt: they are the maker's own drawing and may lie on each other. So are parts of a line
        that are repeated over less than `least` mm, since cuts that meet may coincide when they are rounded.
        """
        at = np.flatnonzero(~self.last & (self.effects != _EFFECTS[Operation.ENGRAVE]))
        here, there = self.names[at], self.names[at + 1]
        between = np.array([_keys(self.points[self.vertices[at] + i]) for i in range(1, self.stride)])
        backwards = here > there
        if len(between):
            backwards |= (here == there) & (between[0] > between[-1])
            between[:, backwards] = between[::-1, backwards]
        columns = (*between, np.maximum(here, there), np.minimum(here, there), self.effects[at])
        order = np.lexsort(columns)
        rows = np.stack(columns, 1)[order]
        again = np.sort(at[order[1:][(rows[1:] == rows[:-1]).all(axis=1)]])
        ways = self.points[self.vertices[again] + self.stride] - self.points[self.vertices[again]]
        long = np.bincount(self.owners[again], np.hypot(ways[:, 0], ways[:, 1]))
        again = again[long[self.owners[again]] >= least]
        return int(again[0]) if len(again) else None

    def split(self) -> tuple[Polylines, Ints]:
        """Return the lines split wherever lines meet, as polylines, and the line that each came from."""
        degrees = 2 * np.bincount(self.names) - np.bincount(
            self.names[self.first | self.last], minlength=int(self.names.max()) + 1
        )
        inside = (degrees[self.names] != 2) & ~self.first & ~self.last
        begins, ends = np.flatnonzero(inside | self.first), np.flatnonzero(inside | self.last)
        counts = self.vertices[ends] - self.vertices[begins] + 1
        points, starts = self.points[ranges(self.vertices[begins], counts)], offsets(counts)
        stretches = Curves(points, starts).flattened(_FOLLOWED) if self.stride == 3 else Polylines(points, starts)
        return stretches, self.owners[begins]


def _keys(points: Floats) -> Ints:
    """Return one number for every place on the grid of SNAP."""
    steps = np.rint(points / SNAP).astype(np.int64)
    return (steps[:, 0] << 32) + steps[:, 1]


def _faces(stretches: Polylines, cut: Flags, drawing: Drawing) -> tuple[int, str]:
    """Count the faces enclosed by the cut stretches, as the machine will cut them: a crossing parts both lines.

    Parts that fall out of the board's and the pieces' holes are waste and do not count. Lines of a sound drawing meet
    only at their ends; if that does not give as many faces as pieces, all are first cut at their crossings. If the
    numbers still differ, the text says at which piece.
    """
    import shapely

    from studio.geometry.planar.graph import face_count
    from studio.geometry.planar.regions import waste

    if not cut.any():
        return 0, ""
    chosen = stretches.chosen(np.flatnonzero(cut))
    fallen = len(waste(drawing))
    whole = face_count(chosen) - fallen
    if whole == len(drawing.pieces):
        return whole, ""
    lines = shapely.linestrings(chosen.points, indices=chosen.owners)
    parted = shapely.get_parts(shapely.union_all(lines))
    faces = shapely.get_parts(shapely.polygonize(parted))
    count = len(faces) - fallen
    return count, "" if count == len(drawing.pieces) else _unlike(faces, drawing)


def _unlike(faces: Any, drawing: Drawing) -> str:
    """Return a sentence on the first piece without a face to itself, or on the smallest face that is no piece."""
    import shapely

    outlines = drawing.outlines(drawing.polylines)
    rings = [outlines[number] for number in range(len(outlines))]
    places = shapely.point_on_surface(
        shapely.buffer(shapely.polygons([shapely.linearrings(ring) for ring in rings]), 0)
    )
    within, face = shapely.STRtree(faces).query(places, predicate="within")
    for number in range(len(rings)):
        own = face[within == number]
        others = within[np.isin(face, own)]
        if len(own) == 1 and len(others) == 1:
            continue
        name, (x, y) = drawing.pieces.names[number], shapely.get_coordinates(places[number])[0].tolist()
        if len(others) > 1:
            other = drawing.pieces.names[int(others[others != number][0])]
            return tr(
                "{name} is not cut apart from {other} near x {x:.1f}, y {y:.1f} mm", name=name, other=other, x=x, y=y
            )
        return tr("{name} is not cut out near x {x:.1f}, y {y:.1f} mm", name=name, x=x, y=y)
    area = shapely.area(faces)
    x, y = shapely.get_coordinates(shapely.point_on_surface(faces[int(area.argmin())]))[0].tolist()
    return tr("there is a part that is no piece near x {x:.1f}, y {y:.1f} mm", x=x, y=y)


@dataclass(frozen=True, kw_only=True)
class LeafletReport(Report):
    """Findings from a file of pages: their number, and the size of the first in mm."""

    pages: int
    width: float
    height: float


def report_pages(_data: bytes, leaflet: Leaflet, _options: LeafletOptions, _rounding: float) -> LeafletReport:
    """Report on a written leaflet."""
    first = leaflet.pages[0]
    return LeafletReport(pages=len(leaflet.pages), width=first.width, height=first.height)


# Meshes read back


@dataclass(frozen=True, kw_only=True)
class SolidReport(Report):
    """Findings from a file with solids: parts, triangles, volume in mm³, size in mm."""

    parts: int
    triangles: int
    volume: float
    width: float
    depth: float
    height: float


def report(solids: Sequence[Solid], meshes: Sequence[Mesh]) -> SolidReport:
    """Report on the meshes of a file; raises StudioError if the mesh of a solid cannot be printed."""
    for solid, mesh in zip(solids, meshes, strict=True):
        refuse_flawed(solid.name, mesh)
    low, high = zip(*(mesh.bounds for mesh in meshes), strict=True)
    width, depth, height = (np.max(high, axis=0) - np.min(low, axis=0)).tolist()
    return SolidReport(
        parts=len(meshes),
        triangles=sum(len(mesh.triangles) for mesh in meshes),
        volume=sum(mesh.volume for mesh in meshes),
        width=width,
        depth=depth,
        height=height,
    )


def refuse_flawed(name: str, mesh: Mesh) -> None:
    """Raise StudioError if a mesh cannot be printed."""
    from studio.geometry.solids.solid import flaw

    found = flaw(mesh)
    if found:
        raise StudioError(tr("{name} cannot be printed: its mesh {flaw}.", name=name, flaw=found))


def refuse_moved(name: str, corners: Floats, wanted: Floats, most: float) -> None:
    """Raise Unreadable if corners (n, 3) of a solid are more than `most` mm per axis from their places."""
    wrong = np.flatnonzero((np.abs(corners - wanted) > most).any(axis=1))
    if len(wrong):
        apart = np.sqrt(((corners - wanted)[wrong] ** 2).sum(axis=1))
        at = int(wrong[apart.argmax()])
        x, y, z = wanted[at].tolist()
        raise Unreadable(
            tr(
                "{name} is moved by {distance:.2g} mm near x {x:.1f}, y {y:.1f}, z {z:.1f} mm",
                name=name,
                distance=float(apart.max()),
                x=x,
                y=y,
                z=z,
            )
        )
