"""Holds a file that was read back against the drawing it was made from: size, lines, lengths, ends, pieces.

face: a stretch of the board that the cuts enclose; every piece must be one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.export.format import Report, Unreadable
from studio.export.options import LaserOptions
from studio.export.paper import EXACT, is_alike
from studio.export.reading import FoundLine, Sheet
from studio.geometry.curves import Curves, Floats, Ints, Polylines, offsets, ranges
from studio.geometry.drawing import CUTS, Drawing, Operation, beyond
from studio.paper.leaflet import as_marks
from studio.texts import tr

Flags = NDArray[np.bool_]

# Points in the same step of this grid, in mm, are one point: the finest step that a writer of ours writes, so ends
# that meet in the drawing must fall together here, and whatever merges more coarsely joins them too.
SNAP = 1e-4
# How finely curves are followed to find faces, in mm: only their ends decide, but neighbours must not cross.
_FOLLOWED = 0.05
# What is left of the board along a line: two operations of the same effect on one line burn it twice.
_EFFECTS = {Operation.ENGRAVE: 0, Operation.SCORE: 1, Operation.INNER: 2, Operation.BORDER: 2, Operation.MARK: 3}


@dataclass(frozen=True, kw_only=True)
class SheetReport(Report):
    """What was found in a file with a drawing: true size and cut length in mm, and counts.

    `chains` is how many lines there are, engraved ones too; the cut length is that of the cuts. `faces` is how many
    parts the cuts enclose, `pieces` how many the drawing should have. `pages` is more than one for a PDF of printer
    pages, and a picture has `pixels`, width and height; its faces are those of the lines that were found in it. `tabs`
    is how many gaps in the cuts hold pieces; cuts that end at them count as if they went on.
    """

    width: float
    height: float
    chains: int
    cut_length: float
    faces: int
    pieces: int
    tabs: int = 0
    pages: int = 1
    pixels: tuple[int, int] | None = None

    @property
    def problem(self) -> str:
        """Why the puzzle would not come apart into its pieces; empty where it would."""
        if self.faces == self.pieces:
            return ""
        return tr(
            "its cuts enclose {faces} parts, not the {pieces} pieces of the puzzle",
            faces=self.faces,
            pieces=self.pieces,
        )


def prove_curves(sheet: Sheet, drawing: Drawing, _options: LaserOptions, rounding: float) -> SheetReport:
    """What a sheet with exact curves holds; raises Unreadable where that is not the drawing."""
    return prove(sheet, drawing, rounding)


def prove(sheet: Sheet, drawing: Drawing, rounding: float, tolerance: float = 0.0) -> SheetReport:
    """What the sheet holds; raises Unreadable where page, lines, lengths or ends are not those of the drawing.

    `drawing` has its chains in the order of the file; `rounding` in mm is how far each coordinate may be off, and
    `tolerance` how far a polyline may stray.
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
    alike = len(sheet.lines) == len(drawing.chains) and all(
        line.operation is chain.operation and line.closed >= chain.closed
        for line, chain in zip(sheet.lines, drawing.chains, strict=True)
    )
    if not alike:
        raise Unreadable(
            tr("it has {lines} lines, the drawing has {wanted}", lines=len(sheet.lines), wanted=len(drawing.chains))
        )
    _check_artwork(sheet, drawing)
    lengths = _checked_lengths(sheet, drawing, rounding, tolerance)
    _check_ends(sheet, drawing, rounding)
    steps = _Steps.of(sheet.lines)
    if steps.idle():
        raise Unreadable(tr("a line has no length"))
    if steps.repeated():
        raise Unreadable(tr("a line is duplicated"))
    stretches, owners = steps.split()
    excess = beyond(stretches.points, sheet.width, sheet.height)
    if excess > rounding * 1.001:
        raise Unreadable(tr("a line runs off the page by {excess:.3g} mm", excess=excess))
    cut = np.array([line.operation in CUTS for line in sheet.lines])
    is_cut, bridges = cut[owners], _bridges(sheet, drawing, rounding)
    if len(bridges):
        stretches = Polylines.gathered([stretches, bridges])
        is_cut = np.concatenate([is_cut, np.ones(len(bridges), bool)])
    return SheetReport(
        width=sheet.width,
        height=sheet.height,
        chains=len(sheet.lines),
        cut_length=float(lengths[cut].sum()),
        faces=_faces(stretches, is_cut, drawing),
        pieces=len(drawing.pieces),
        tabs=len(bridges),
    )


def _check_artwork(sheet: Sheet, drawing: Drawing) -> None:
    marks = as_marks(drawing.artwork)
    if sheet.artwork is None:
        return
    if len(sheet.artwork) != len(marks):
        raise Unreadable(
            tr("it has {count} areas and pictures, not {wanted}", count=len(sheet.artwork), wanted=len(marks))
        )
    for number, (found, mark) in enumerate(zip(sheet.artwork, marks, strict=True), 1):
        if not is_alike(found, mark, EXACT):
            raise Unreadable(tr("area or picture {number} differs from the drawing", number=number))


def _checked_lengths(sheet: Sheet, drawing: Drawing, rounding: float, tolerance: float) -> Floats:
    """The length of every line in mm; raises Unreadable where one is not as long as its chain.

    An arc that rises t over a chord c is longer than it by 8 t² / 3 c; where a curve changes sides there are two
    such arcs over c / 2, which makes 32 t² / 3 c. So the chords of a file say how much shorter than the curve they
    may be in all, and no chord is longer than its curve but for rounding.
    """
    strokes = drawing.strokes.lengths
    wanted = np.array([strokes[chain.strokes >> 1].sum() for chain in drawing.chains])
    found = np.empty(len(wanted))
    for number, (line, chain) in enumerate(zip(sheet.lines, drawing.chains, strict=True)):
        if line.curved:
            found[number] = Curves.of([line.points]).lengths[0]
            slack, shorter = 2 * rounding * len(line.points), 0.0
        else:
            chords = np.hypot(*np.diff(line.points, axis=0).T)
            found[number] = chords.sum()
            slack = 2 * rounding * len(chords)
            shorter = float((32 / 3 * tolerance**2 / np.maximum(chords, tolerance)).sum())
        is_alike = wanted[number] - shorter - slack <= found[number] <= wanted[number] + slack
        if not is_alike and not _is_followed(line, drawing.strokes.chosen(chain.strokes >> 1), rounding, tolerance):
            raise Unreadable(
                tr(
                    "line {number} is {length:.2f} mm long, not {wanted:.2f} mm",
                    number=number + 1,
                    length=found[number],
                    wanted=wanted[number],
                )
            )
    return found


def _is_followed(line: FoundLine, strokes: Curves, rounding: float, tolerance: float) -> bool:
    """Whether a line is nowhere farther from its strokes than it may be, nor they from it.

    What is said of lengths holds for arcs. A chord that cuts off a sharp bend is shorter by up to twice the tolerance,
    and the length of a curve whose speed all but vanishes somewhere is known only by following it finely.
    """
    import shapely

    fine = strokes.flattened(rounding)
    slack = 2 * rounding * len(line.points)
    found = line.points if not line.curved else Curves.of([line.points]).flattened(rounding).points
    length, wanted = float(np.hypot(*np.diff(found, axis=0).T).sum()), float(fine.lengths.sum())
    if not wanted - 2 * tolerance * len(found) - slack <= length <= wanted + slack:
        return False
    exact = shapely.multilinestrings([shapely.linestrings(fine[at]) for at in range(len(fine))])
    return bool(shapely.hausdorff_distance(shapely.linestrings(found), exact) <= tolerance + 3 * rounding)


def _check_ends(sheet: Sheet, drawing: Drawing, rounding: float) -> None:
    """Raise Unreadable where a line does not begin and end where its chain does; a mirrored file would not."""
    strokes = drawing.strokes
    for number, (line, chain) in enumerate(zip(sheet.lines, drawing.chains, strict=True), 1):
        first, last = int(chain.strokes[0]), int(chain.strokes[-1])
        begin, end = strokes[first >> 1][-1 if first & 1 else 0], strokes[last >> 1][0 if last & 1 else -1]
        aside = max(np.abs(line.points[0] - begin).max(), np.abs(line.points[-1] - end).max())
        if aside > 2 * rounding:
            raise Unreadable(tr("line {number} starts or ends {distance:.3g} mm off", number=number, distance=aside))


def _bridges(sheet: Sheet, drawing: Drawing, rounding: float) -> Polylines:
    """The tabs, from the end of one cut of the file to the end of another.

    Raises Unreadable where cuts do not end at a tab on both sides.
    """
    if not len(drawing.tabs):
        return Polylines(np.empty((0, 2)), np.zeros(1, np.int64))
    lines = drawing.strokes.chosen(drawing.tabs).flattened(_FOLLOWED)
    ends = np.array([line.points[[0, -1]] for line in sheet.lines if line.operation in CUTS and not line.closed])
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
    """For each place the nearest of some points, and how far away it is; infinitely far where there are none."""
    import shapely

    if not len(points):
        return np.zeros(len(wanted), np.int64), np.full(len(wanted), np.inf)
    nearest = shapely.STRtree(shapely.points(points)).query_nearest(shapely.points(wanted), all_matches=False)[1]
    return nearest, np.hypot(*(points[nearest] - wanted).T)


@dataclass(frozen=True, eq=False)
class _Steps:
    """All lines of a sheet as steps from vertex to vertex: chords of polylines, or cubics.

    `vertices` are indices into `points`; `names` gives vertices at the same place the same number; `first` and
    `last` mark the vertices at which a line begins and ends; a step leads from every other vertex to the next;
    `owners` and `effects` are the line of every vertex and its effect.
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
    def of(cls, lines: tuple[FoundLine, ...]) -> _Steps:
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
        effects = np.array([_EFFECTS[line.operation] for line in lines])[owners]
        return cls(points, stride, vertices, names, last, first, owners, effects)

    def idle(self) -> bool:
        """Whether a step stays where it is."""
        at = np.flatnonzero(~self.last)
        places = [_keys(self.points[self.vertices[at] + i]) for i in range(self.stride + 1)]
        return bool(np.logical_and.reduce([place == places[0] for place in places]).any())

    def repeated(self) -> bool:
        """Whether the laser would go the same step twice, there or back, with the same effect."""
        at = np.flatnonzero(~self.last)
        here, there = self.names[at], self.names[at + 1]
        between = np.array([_keys(self.points[self.vertices[at] + i]) for i in range(1, self.stride)])
        backwards = here > there
        if len(between):
            backwards |= (here == there) & (between[0] > between[-1])
            between[:, backwards] = between[::-1, backwards]
        columns = (*between, np.maximum(here, there), np.minimum(here, there), self.effects[at])
        rows = np.stack(columns, 1)[np.lexsort(columns)]
        return bool((rows[1:] == rows[:-1]).all(axis=1).any())

    def split(self) -> tuple[Polylines, Ints]:
        """The lines split wherever lines meet, followed as polylines, and which line each came from."""
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
    """One number for every place on the grid of SNAP."""
    steps = np.rint(points / SNAP).astype(np.int64)
    return (steps[:, 0] << 32) + steps[:, 1]


def _faces(stretches: Polylines, cut: Flags, drawing: Drawing) -> int:
    """The number of faces that the stretches named enclose, as the machine will cut them: a crossing parts both lines.

    What falls out of the board's and the pieces' holes is waste and does not count. Lines of a sound drawing only meet
    at their ends; where that does not give as many faces as there are pieces, all are cut at their crossings first.
    """
    import shapely

    from studio.geometry.faces import face_count
    from studio.geometry.regions import waste

    if not cut.any():
        return 0
    chosen = stretches.chosen(np.flatnonzero(cut))
    fallen = len(waste(drawing))
    whole = face_count(chosen) - fallen
    if whole == len(drawing.pieces):
        return whole
    lines = shapely.linestrings(chosen.points, indices=chosen.owners)
    parted = shapely.get_parts(shapely.union_all(lines))
    return int(shapely.get_num_geometries(shapely.polygonize(parted))) - fallen
