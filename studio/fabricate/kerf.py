"""Kerf and fit: pieces with outlines of their own, moved outwards by what the beam burns away.

kerf: the width of the line that the beam burns. play: the clearance between two assembled pieces. offset:
how far an outline moves outwards; by (kerf - play) / 2 the piece that is cut is the drawn one less half the play.
neck: where a piece is narrowest. Corners stay sharp (mitred): the beam passes a corner's tip at half a kerf either
way, but a round join would be an arc of 0.1 mm, which laser programs destroy.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np
import shapely

from studio.errors import StudioError
from studio.fabricate.contours import Contours, Flags, Flattened
from studio.fabricate.parallels import beside
from studio.fabricate.sound import lie_side_by_side
from studio.figures import Against
from studio.geometry.curves import Curves, Floats, Ints, Polylines, frozen, offsets, through
from studio.geometry.drawing import CUTS, Drawing, Path
from studio.geometry.fitting import fitted
from studio.geometry.regions import Polygons
from studio.progress import SILENT, Progress
from studio.texts import tr
from studio.units import filled

TOLERANCE = 0.01
"""The largest error in mm of an offset outline: a fifteenth of a laser's kerf."""
FIT_TOLERANCE = 0.6 * TOLERANCE
"""What of it the curves may take that are laid through the points of the moved polylines."""
CORNER = 0.001
"""The product in mm² of the offset and how far these polylines' chords may lie from the curves. Their points are exact;
only at inner corners, where two chords are cut, is what lies between points seen, and the more so the larger the
offset: with this product it stays below TOLERANCE there."""
LEAST_CHORD_TOLERANCE, MOST_CHORD_TOLERANCE = 0.002, 0.012
"""Between which lengths in mm the chords' tolerance stays."""
STRETCHED = 3.0
"""How many times further from its curve a chord may lie after it has moved, where that made a tight curve wider."""
MITRE_LIMIT = 3.0
"""The mitre limit, in offsets: corners above 39° stay sharp, sharper ones are blunted."""
SMOOTH = np.radians(30.0)
"""A polyline that turns by less is taken for a curve."""
SHORTEST = 0.1
"""Parts of an engraved line on a piece that are shorter, in mm, are left out."""
POINTS_SEEN = 64
"""Number of points of a piece that are looked at; each head of a jigsaw has about ten."""
PIECES_AT_ONCE = 650
"""Number of pieces in one batch: some 200 ms on two cores; with fewer, the overhead of each batch shows."""
LOST = 1.0
"""What comes out further away than this share of the offset is lost, if at a slightly smaller one it is all there:
corners come out further away little by little."""
WIDTH_STEPS = 9
"""How often the search for a neck's width halves what is left of the offset."""
KEPT = 0.45
"""A piece whose outline moves there and back kept its heads where no point comes out further away than this share of
the offset. Curves tighter than the offset come back as corners, no further away than 0.41 of it at a right angle."""
KEPT_AT_MOST = 0.2
"""The same bound in mm, for large offsets: a head that is swallowed leaves more."""
NARROWEST, WIDER = 0.02, 1.05
"""The least offset in mm of those tried in search of necks, and how much wider each is than the one before: the same
whatever is asked. An offset that swallows a whole head leaves no trace of its neck; most heads are wider by more."""
MEASURED_AT_ONCE = 2600
"""Number of pieces whose outlines are kept at a time while their necks are sought."""

Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Cutouts:
    """Pieces with separate outlines, still at their places on the board.

    `rings` has one closed stroke a ring, which ends where it starts: outlines run clockwise on the screen as pieces
    do, holes the other way. `owners` is the piece of every ring, ascending; its outline comes before its holes.
    `engraved` are the lines on each piece that do not go through the wood; empty where there are none at all.
    """

    rings: Curves
    owners: Ints
    names: tuple[str, ...]
    engraved: tuple[tuple[Path, ...], ...] = ()

    def __len__(self) -> int:
        return len(self.names)


@dataclass(frozen=True, eq=False)
class Neck:
    """A piece that has a neck which the kerf burns through; `harm` is an offset in mm that shows it."""

    piece: str
    polygon: shapely.Polygon
    harm: float

    @cached_property
    def width(self) -> float:
        """The width of the neck in mm, computed on demand since few of a thousand necks are reported."""
        return _width(self.polygon, self.harm)


def cutouts(contours: Contours, offset: float, progress: Progress = SILENT) -> Cutouts:
    """The pieces with outlines offset by `offset` mm, outwards where it is positive.

    Holes move the other way: the pieces' own, and where a piece lies within another, or a closed cut that bounds no
    piece. With an offset of 0 the rings are the drawing's own curves. What is engraved or scored stays on the piece on
    which it lies, in parts where those are several; any other line that bounds no piece is left out. Raises StudioError
    that names the first piece whose outline is open, inside out or crosses itself, and the first that would vanish,
    fall apart, close upon itself or lose a hole.

    >>> from studio.geometry.closed import closed_parts
    >>> from studio.geometry.curves import closed_through
    >>> square = closed_through(np.array([[1.0, 1.0], [11.0, 1.0], [11.0, 11.0], [1.0, 11.0]]))
    >>> contours = Contours(closed_parts((12.0, 12.0), ["A"], [[square]]))
    >>> cutouts(contours, 0.1).rings.points.max(axis=0).round(3).tolist()
    [11.1, 11.1]
    """
    drawing, chord = contours.drawing, _chord_tolerance(offset)
    if offset > 0 and lie_side_by_side(drawing):
        return _side_by_side(contours, offset, progress)
    board = contours.flattened(chord, progress.part(0.0, 0.3))
    owners, names = board.rings.owners, drawing.pieces.names
    engraved = _engraved(drawing, board.polygons, chord)
    if offset == 0:
        return Cutouts(drawing.strokes.joined(board.rings.codes, board.rings.starts), frozen(owners), names, engraved)
    shares = _shares(len(names))

    def moved(share: tuple[int, int]) -> Curves:
        return _moved(board.part(*share), names[share[0] : share[1]], offset, chord)

    parts = _by_two(moved, shares, progress.part(0.3, 1.0), tr("Offsetting outlines"))
    return Cutouts(Curves.gathered(parts), frozen(owners), names, engraved)


def _side_by_side(contours: Contours, offset: float, progress: Progress) -> Cutouts:
    """The pieces with outlines further out; only those that cannot be moved curve by curve are moved as polylines."""
    drawing, chord = contours.drawing, _chord_tolerance(offset)
    names = drawing.pieces.names
    progress.step(0.0, tr("Following outlines"))
    contours.refuse_broken()
    progress.step(0.3, tr("Moving outlines"))
    rings, found = beside(drawing, offset, FIT_TOLERANCE, chord)
    others = np.flatnonzero(~found)
    if len(others):
        rest = replace(drawing, pieces=drawing.pieces.chosen(others), chains=())
        flat = Contours(rest).flattened(chord, progress.part(0.5, 0.6))
        moved = [_moved(flat.part(*share), rest.pieces.names[slice(*share)], offset, chord)
                 for share in _shares(len(others))]  # fmt: skip
        order = np.argsort(np.concatenate([np.flatnonzero(found), others]))
        rings = Curves.gathered([rings, *moved]).chosen(order)
    engraves = any(chain.operation not in CUTS for chain in drawing.chains)
    engraved = _engraved(drawing, contours.polygons, chord) if engraves else ()
    progress.step(1.0)
    return Cutouts(rings, frozen(np.arange(len(names))), names, engraved)


def _engraved(drawing: Drawing, polygons: Polygons, chord: float) -> tuple[tuple[Path, ...], ...]:
    """The lines that are not cuts, with the pieces they are on; lines on no piece are left out."""
    chains = tuple(chain for chain in drawing.chains if chain.operation not in CUTS)
    if not chains:
        return ()
    lines = list(replace(drawing, chains=chains).paths())
    seen = Curves.of([line.points for line in lines]).flattened(chord)
    strings = [shapely.linestrings(seen[number]) for number in range(len(lines))]
    which, bearers = shapely.STRtree(polygons).query(strings, predicate="intersects")
    found: list[list[Path]] = [[] for _ in polygons]
    for number, piece in sorted(zip(which.tolist(), bearers.tolist(), strict=True)):
        found[piece] += _within(lines[number], strings[number], polygons[piece])
    return tuple(map(tuple, found))


def _within(line: Path, string: shapely.LineString, piece: shapely.Polygon) -> list[Path]:
    """The part of a line on a piece: the line itself, or polylines where it runs beyond the piece."""
    if piece.contains(string):
        return [line]
    parts = shapely.get_parts(shapely.line_merge(shapely.intersection(string, piece))).tolist()
    return [
        Path(line.operation, through(shapely.get_coordinates(part)), closed=False)
        for part in parts
        if part.length >= SHORTEST
    ]


def too_narrow(contours: Contours, kerf: float, progress: Progress = SILENT) -> tuple[Neck, ...]:
    """The pieces that a beam as wide as `kerf` mm burns through or away where each line is cut once.

    Raises StudioError as `cutouts` does for outlines that enclose nothing.
    """
    if kerf <= 0:
        return ()
    drawing = contours.drawing
    if not lie_side_by_side(drawing):
        return _burnt(contours, kerf, progress)
    contours.refuse_broken()
    unsure = np.flatnonzero(contours.may_be_narrow(kerf))
    found: list[Neck] = []
    # The outlines of a few pieces at a time: those of a large board, as finely as necks ask for, fill gigabytes.
    groups = np.array_split(unsure, -(-len(unsure) // MEASURED_AT_ONCE)) if len(unsure) else []
    for number, group in enumerate(groups):
        part = Contours(replace(drawing, pieces=drawing.pieces.chosen(group)))
        found += _burnt(part, kerf, progress.part(number / len(groups), (number + 1) / len(groups)))
    return tuple(found)


def _burnt(contours: Contours, kerf: float, progress: Progress) -> tuple[Neck, ...]:
    """The pieces with a neck below `kerf` mm, by moving the outlines of all."""
    inwards = -kerf / 2
    # The same outlines whatever the kerf, so that a wider one burns through what a narrow one does.
    board = contours.flattened(LEAST_CHORD_TOLERANCE, progress.part(0.0, 0.5))
    names = contours.drawing.pieces.names

    def necks(share: tuple[int, int]) -> list[Neck]:
        polygons = board.polygons[slice(*share)]
        harm = _harms(polygons, _buffered(polygons, inwards), inwards)
        return [Neck(names[share[0] + at], polygons[at], float(harm[at])) for at in np.flatnonzero(harm).tolist()]

    found = _by_two(necks, _shares(len(names)), progress.part(0.5, 1.0), tr("Checking for narrow necks"))
    return tuple(neck for some in found for neck in some)


def _chord_tolerance(offset: float) -> float:
    """The largest deviation in mm of chords from the curves where outlines are offset."""
    return float(np.clip(CORNER / max(abs(offset), CORNER), LEAST_CHORD_TOLERANCE, MOST_CHORD_TOLERANCE))


def _buffered(polygons: Polygons, offset: float) -> Polygons:
    moved = shapely.buffer(polygons, offset, join_style="mitre", mitre_limit=MITRE_LIMIT)
    return np.asarray(moved)


def _harmed(before: Polygons, after: Polygons) -> Flags:
    """Which polygons are no longer one, or have other holes in number."""
    whole = (shapely.get_type_id(after) == 3) & ~shapely.is_empty(after)
    return np.asarray(~whole | (shapely.get_num_interior_rings(after) != shapely.get_num_interior_rings(before)))


def _harms(before: Polygons, after: Polygons, offset: float) -> Floats:
    """For each polygon the offset that harms it, up to the one by which it was moved; 0 where none does.

    A beam wider than a tongue's head burns neck and head away and leaves a polygon that is sound; the lost wood is
    detected by a smaller offset, at which the head falls off. Where the head is hardly wider than its neck, no offset
    tried lies between them: there it is lost at one offset and whole at the next smaller one.
    """
    harm = np.zeros(len(before))
    left, moved, lost, last = np.arange(len(before)), after, np.zeros(len(before), bool), 0.0
    for tried in _tried(offset):
        if tried != offset:
            moved = _buffered(before[left], tried)
        broken = _harmed(before[left], moved)
        harm[left[broken]] = tried
        left, moved, lost = left[~broken], moved[~broken], lost[~broken]
        gaps = _strayed(before[left], _buffered(moved, -tried))
        whole = gaps <= min(KEPT * abs(tried), KEPT_AT_MOST)
        harm[left[whole & lost]] = last
        left, lost, last = left[~whole], (gaps > LOST * abs(tried))[~whole], tried
        if not len(left):
            break
    return harm


def _tried(offset: float) -> list[float]:
    """An offset and the smaller ones in whose wake heads fall off, the largest first."""
    steps = int(np.ceil(np.log(max(abs(offset) / NARROWEST, 1.0)) / np.log(WIDER)))
    ladder = [float(np.copysign(NARROWEST * WIDER**step, offset)) for step in reversed(range(steps))]
    return [offset, *ladder]


def _strayed(before: Polygons, back: Polygons) -> Floats:
    """How far in mm from their outlines polygons come out that moved there and back, seen at some of their points."""
    strayed = np.zeros(len(before))
    # Where all points are there again, all of the outline is.
    unsure = np.flatnonzero(shapely.get_num_coordinates(before) != shapely.get_num_coordinates(back))
    points, owners = shapely.get_coordinates(before[unsure], return_index=True)
    counts = np.bincount(owners, minlength=len(unsure))
    chosen = (np.arange(len(points)) - offsets(counts)[owners]) % np.ceil(counts / POINTS_SEEN)[owners] == 0
    gaps = shapely.distance(shapely.points(points[chosen]), shapely.boundary(back[unsure])[owners[chosen]])
    np.maximum.at(strayed, unsure[owners[chosen]], gaps)
    return strayed


def _width(polygon: shapely.Polygon, offset: float) -> float:
    """How wide in mm it is where moving the outline by `offset` harms it: twice the least offset that does."""
    one = np.array([polygon], object)
    limit = abs(offset)
    sound, harmful = 0.0, min(NARROWEST, limit)

    def harms(tried: float) -> bool:
        return bool(_harmed(one, _buffered(one, np.copysign(tried, offset)))[0])

    while harmful < limit and not harms(harmful):
        sound, harmful = harmful, min(WIDER * harmful, limit)
    for _ in range(WIDTH_STEPS):
        middle = (sound + harmful) / 2
        if harms(middle):
            harmful = middle
        else:
            sound = middle
    return 2 * harmful


def _refusal(name: str, before: shapely.Polygon, harm: float, offset: float) -> StudioError:
    """What happens to a piece that an offset in mm destroys; `harm` is an offset that shows it."""
    after = _buffered(np.array([before], object), harm)[0]
    if offset > 0:
        when = tr("when offset outwards by {offset:.2f} mm", offset=offset)
    else:
        when = tr("when offset inwards by {offset:.2f} mm", offset=-offset)
    width = Against(_width(before, harm), 2 * abs(offset))
    more_holes = int(shapely.get_num_interior_rings(after) - shapely.get_num_interior_rings(before))
    if after.is_empty:
        words = tr("Piece {name} vanishes {when}: it is only {width:.2f} mm wide.")
    elif after.geom_type != "Polygon":
        words = tr("Piece {name} falls apart {when}: its neck is only {width:.2f} mm wide.")
    elif more_holes > 0:
        words = tr("A socket of piece {name} closes up {when}: it is only {width:.2f} mm wide.")
    elif more_holes == 0:
        words = tr("Part of piece {name} vanishes {when}: it is only {width:.2f} mm wide.")
    elif offset > 0:
        words = tr("A hole in piece {name} closes up {when}: it is only {width:.2f} mm wide.")
    else:
        words = tr("The wall beside a hole in piece {name} breaks through {when}: it is only {width:.2f} mm wide.")
    return StudioError(filled(words, {"name": name, "when": when, "width": width}))


def _moved(board: Flattened, names: tuple[str, ...], offset: float, chord: float) -> Curves:
    """The offset contours of some pieces; raises StudioError for a piece that the offset destroys."""
    after = _buffered(board.polygons, offset)
    if _harmed(board.polygons, after).any():
        _refuse_harmed(board.polygons, after, names, offset)
    rings = shapely.get_rings(shapely.orient_polygons(after))
    points, owners = shapely.get_coordinates(rings, return_index=True)
    lines = Polylines(points, offsets(np.bincount(owners, minlength=len(rings))))
    marked, there = _found_again(board, lines, offset)
    apart = np.hypot(*(board.lines.points[marked] - points[there]).T)
    kept = board.lines.counts == lines.counts
    kept[board.lines.owners[marked[apart > MITRE_LIMIT * abs(offset) + TOLERANCE]]] = False
    # Where every point of the outlines is there again, no head has been swallowed.
    unsure = np.unique(board.rings.owners[~kept])
    _refuse_harmed(board.polygons[unsure], after[unsure], tuple(names[at] for at in unsure.tolist()), offset)
    knots = np.zeros(len(points), bool)
    knots[there[board.knots[marked]]] = True
    return fitted(_unmitred(lines, offset), FIT_TOLERANCE, STRETCHED * chord, knots)


def _refuse_harmed(before: Polygons, after: Polygons, names: tuple[str, ...], offset: float) -> None:
    """Raise StudioError for the first piece that does not bear the offset."""
    harm = _harms(before, after, offset)
    for at in np.flatnonzero(harm)[:1].tolist():
        raise _refusal(names[at], before[at], float(harm[at]), offset)


def _unmitred(rings: Polylines, offset: float) -> Polylines:
    """Moved contours whose points lie `offset` mm from the curve's and not, as mitred corners of a polyline, further.

    A corner that turns by θ lies offset / cos(θ / 2) away. True corners stay: they turn by more than SMOOTH.
    """
    points, first, last = rings.points, rings.starts[:-1], rings.starts[1:] - 1
    out = np.zeros_like(points)
    out[:-1] = points[1:] - points[:-1]
    out[last] = out[first]
    out /= np.maximum(np.hypot(out[:, 0], out[:, 1]), 1e-300)[:, None]
    both = np.roll(out, 1, axis=0)
    both[first] = out[last - 1]
    both += out
    cosine = np.hypot(both[:, 0], both[:, 1]) / 2
    back = np.where(cosine > np.cos(SMOOTH / 2), offset * (1 - cosine) / np.maximum(cosine, 0.5) ** 2 / 2, 0.0)
    moved = points + back[:, None] * np.stack([-both[:, 1], both[:, 0]], 1)
    moved[last] = moved[first]
    return Polylines(moved, rings.starts)


def _found_again(board: Flattened, moved: Polylines, offset: float) -> tuple[Ints, Ints]:
    """Points of the contours, and those of the moved contours that they have become.

    Where a contour has as many points as before, they are the same, begun elsewhere: a point in the middle of a curve
    shows where. Of other contours no point is found.
    """
    lines = board.lines
    same = lines.counts == moved.counts
    first, sizes = lines.starts[:-1], lines.counts - 1
    # The point after the first is hardly ever a corner.
    way = lines.points[first + 2] - lines.points[first]
    outwards = np.stack([way[:, 1], -way[:, 0]], 1) / np.maximum(np.hypot(*way.T), 1e-300)[:, None]
    goal = lines.points[first + 1] + offset * outwards
    gaps = ((moved.points - goal[moved.owners]) ** 2).sum(axis=1)
    nearest = np.minimum.reduceat(gaps, moved.starts[:-1])
    hits = np.flatnonzero(gaps == nearest[moved.owners])[::-1]
    place = np.empty(len(moved), np.int64)
    place[moved.owners[hits]] = hits - moved.starts[moved.owners[hits]]
    marked = np.flatnonzero(same[lines.owners])
    owner = lines.owners[marked]
    within = (marked - first[owner] + place[owner] - 1) % sizes[owner]
    return marked, moved.starts[owner] + within


def _shares(count: int) -> list[tuple[int, int]]:
    """Pieces in portions, from one up to another."""
    return [(first, min(first + PIECES_AT_ONCE, count)) for first in range(0, count, PIECES_AT_ONCE)]


def _by_two(
    work: Callable[[tuple[int, int]], Result], shares: list[tuple[int, int]], progress: Progress, note: str
) -> list[Result]:
    """The work on all shares, in order, by two threads: shapely and numpy leave the interpreter free."""
    results = []
    with ThreadPoolExecutor(2) as pool:
        try:
            for number, result in enumerate(pool.map(work, shares)):
                progress.step((number + 1) / len(shares), note)
                results.append(result)
        finally:
            pool.shutdown(cancel_futures=True)
    return results
