"""Kerf and fit: pieces with outlines of their own, moved outwards by what the beam burns away.

kerf: the width of the line that the beam burns. play: the gap wanted between two pieces that lie together. offset:
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
from numpy.typing import NDArray

from studio.errors import StudioError
from studio.geometry.curves import Curves, Floats, Ints, Polylines, frozen, offsets, ranges, totals
from studio.geometry.drawing import AREA_TOLERANCE, CUTS, Drawing, Path
from studio.geometry.fitting import fitted
from studio.geometry.regions import Polygons, as_polygons, pieces_as_polygons
from studio.progress import Progress

TOLERANCE = 0.01
"""How far in mm an outline that was moved may lie from where it should: a fifteenth of a laser's kerf."""
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
"""A corner's tip moves by at most so many offsets: all above 39° stay sharp, sharper ones are cut off bluntly."""
SMOOTH = np.radians(30.0)
"""A polyline that turns by less stands for a curve."""
SAME_PLACE = 1e-6
"""Ends of strokes in mm that are as near as this meet."""
POINTS_SEEN = 64
"""So many points of a piece are looked at; each head of a jigsaw has about ten of them."""
PIECES_AT_ONCE = 650
"""So many pieces take two cores some 200 ms; with fewer, what is done once for each part shows."""
WIDTH_STEPS = 9
"""How often the search for a neck's width halves what is left of the offset."""
SHRUNK = 0.9
"""An offset wide enough to swallow a whole head leaves no trace of its neck; so smaller ones are tried, each this share
of the one before. Heads are wider than their necks by more."""
SHRUNK_TIMES = 25
"""How many offsets are tried: the last is a thirteenth of what was asked."""
KEPT = 0.45
"""A piece whose outline moves there and back kept its heads where no point comes out further away than this share of
the offset. Curves tighter than the offset come back as corners, no further away than 0.41 of it at a right angle."""

Flags = NDArray[np.bool_]
Result = TypeVar("Result")


@dataclass(frozen=True, eq=False)
class Cutouts:
    """Pieces with outlines of their own, still where they lay on the board.

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
        """How wide the neck is in mm; sought when it is asked for, since of a thousand necks few are told."""
        return _width(self.polygon, self.harm)


def cutouts(drawing: Drawing, offset: float, progress: Progress | None = None) -> Cutouts:
    """The pieces with outlines that lie `offset` mm further out than drawn, or further in where it is negative.

    Holes move the other way: the pieces' own, and where a piece lies within another, or a closed cut that bounds no
    piece. With an offset of 0 the rings are the drawing's own curves. What is engraved or scored stays on the piece on
    which it begins; any other line that bounds no piece is left out. Raises StudioError that names the first piece
    whose outline is open, inside out or crosses itself, and the first that would vanish, fall apart, close upon itself
    or lose a hole.
    """
    progress = progress or Progress()
    chord = _chord_tolerance(offset)
    board = _checked(drawing, chord, progress.part(0.0, 0.3))
    owners, names = board.rings.owners, drawing.pieces.names
    engraved = _engraved(drawing, board.polygons)
    if offset == 0:
        return Cutouts(drawing.strokes.joined(board.rings.codes, board.rings.starts), frozen(owners), names, engraved)
    shares = _shares(len(names))

    def moved(share: tuple[int, int]) -> Curves:
        return _moved(board.part(*share), names[share[0] : share[1]], offset, chord)

    parts = _by_two(moved, shares, progress.part(0.3, 1.0), "Moving the outlines")
    return Cutouts(Curves.gathered(parts), frozen(owners), names, engraved)


def _engraved(drawing: Drawing, polygons: Polygons) -> tuple[tuple[Path, ...], ...]:
    """The lines that do not go through the wood, with the piece on which each begins; those beside all are left out."""
    chains = tuple(chain for chain in drawing.chains if chain.operation not in CUTS)
    if not chains:
        return ()
    lines = list(replace(drawing, chains=chains).paths())
    begins = shapely.points(np.array([line.points[0] for line in lines]))
    which, bearer = shapely.STRtree(polygons).query(begins, predicate="within")
    found: list[list[Path]] = [[] for _ in polygons]
    for line, piece in sorted(zip(which.tolist(), bearer.tolist(), strict=True)):
        found[piece].append(lines[line])
    return tuple(map(tuple, found))


def too_narrow(drawing: Drawing, kerf: float, progress: Progress | None = None) -> tuple[Neck, ...]:
    """The pieces that a beam as wide as `kerf` mm burns through or away where each line is cut once.

    Raises StudioError as `cutouts` does for outlines that enclose nothing.
    """
    progress = progress or Progress()
    if kerf <= 0:
        return ()
    inwards = -kerf / 2
    board = _checked(drawing, _chord_tolerance(inwards), progress.part(0.0, 0.5))
    names = drawing.pieces.names

    def necks(share: tuple[int, int]) -> list[Neck]:
        polygons = board.polygons[slice(*share)]
        harm = _harms(polygons, _buffered(polygons, inwards), inwards)
        return [Neck(names[share[0] + at], polygons[at], float(harm[at])) for at in np.flatnonzero(harm).tolist()]

    found = _by_two(necks, _shares(len(names)), progress.part(0.5, 1.0), "Looking for narrow necks")
    return tuple(neck for some in found for neck in some)


def covered(drawing: Drawing) -> float:
    """The area in mm² of the wood in all pieces: where one lies within another, only once."""
    lines = drawing.strokes.flattened(AREA_TOLERANCE)
    areas = drawing.areas(lines.sweeps)
    holes = _holes(drawing, areas, pieces_as_polygons(drawing, lines))
    area = float(areas.sum())
    if len(holes.owners):
        area += float(drawing.strokes.joined(holes.codes, holes.starts).flattened(AREA_TOLERANCE).sweeps.sum())
    return area


@dataclass(frozen=True, eq=False)
class Rings:
    """Closed contours as codes of strokes (code 2i is stroke i forwards, 2i + 1 backwards), and their pieces."""

    codes: Ints
    starts: Ints
    owners: Ints


@dataclass(frozen=True, eq=False)
class _Board:
    """The contours of all pieces as polylines, which of their points are ends of cubics, and their polygons."""

    rings: Rings
    lines: Polylines
    knots: Flags
    polygons: Polygons

    def part(self, first: int, last: int) -> _Board:
        """The pieces from `first` up to `last`, without their codes."""
        begin, end = np.searchsorted(self.rings.owners, [first, last])
        low, high = self.lines.starts[[begin, end]]
        lines = Polylines(self.lines.points[low:high], self.lines.starts[begin : end + 1] - low)
        none = np.empty(0, np.int64)
        rings = Rings(none, none, self.rings.owners[begin:end] - first)
        return _Board(rings, lines, self.knots[low:high], self.polygons[first:last])


def _chord_tolerance(offset: float) -> float:
    """How far in mm chords may lie from the curves where outlines move by an offset."""
    return float(np.clip(CORNER / max(abs(offset), CORNER), LEAST_CHORD_TOLERANCE, MOST_CHORD_TOLERANCE))


def _checked(drawing: Drawing, chord: float, progress: Progress) -> _Board:
    """The pieces' contours, once they are known to enclose something."""
    pieces, names = drawing.pieces, drawing.pieces.names
    progress.step(0.0, "Following the outlines")
    if not len(pieces):
        raise StudioError("The drawing has no pieces that could be cut apart.")
    _refuse_open(drawing)
    cubics = _Cubics.of(drawing.strokes, chord)
    rings = Rings(pieces.codes, pieces.rings, pieces.ring_owners)
    lines, knots = cubics.outlines(rings)
    is_hole = np.diff(rings.owners, prepend=-1) == 0
    for at in np.flatnonzero((lines.sweeps <= 0) != is_hole)[:1].tolist():
        raise StudioError(f"Piece {names[rings.owners[at]]} is turned inside out.")
    progress.step(0.4)
    polygons = as_polygons(lines, rings.owners)
    _refuse_crossed(polygons, names)
    progress.step(0.7)
    holes = _holes(drawing, totals(rings.owners, lines.sweeps, len(pieces)), polygons)
    if len(holes.owners):
        rings = _with_holes(rings, holes)
        lines, knots = cubics.outlines(rings)
        polygons = as_polygons(lines, rings.owners)
        _refuse_crossed(polygons, names)
    return _Board(rings, lines, knots, polygons)


def _refuse_open(drawing: Drawing) -> None:
    """Raise StudioError for a piece whose strokes do not meet end to end."""
    pieces, strokes = drawing.pieces, drawing.strokes
    codes = pieces.codes
    ends = np.stack([strokes.points[strokes.starts[:-1]], strokes.points[strokes.starts[1:] - 1]], 1)
    here = ends[codes >> 1, 1 - (codes & 1)]
    following = np.arange(1, len(codes) + 1)
    following[pieces.rings[1:] - 1] = pieces.rings[:-1]
    gaps = np.hypot(*(ends[codes >> 1, codes & 1][following] - here).T)
    for at in np.flatnonzero(gaps > SAME_PLACE)[:1].tolist():
        name = pieces.names[pieces.owners[at]]
        raise StudioError(f"The outline of piece {name} is open: it has a gap of {max(gaps[at], 0.01):.2f} mm.")


def _refuse_crossed(polygons: Polygons, names: tuple[str, ...]) -> None:
    for at in np.flatnonzero(~shapely.is_valid(polygons))[:1].tolist():
        raise StudioError(f"The outline of piece {names[at]} crosses or touches itself.")


@dataclass(frozen=True, eq=False)
class _Cubics:
    """Every cubic of some strokes as a polyline of its own; those of stroke i are `starts[i]` to `starts[i + 1]`."""

    lines: Polylines
    starts: Ints

    @classmethod
    def of(cls, strokes: Curves, chord: float) -> _Cubics:
        """The cubics of strokes within `chord` mm."""
        counts = (strokes.counts - 1) // 3
        starts = offsets(counts)
        firsts = np.repeat(strokes.starts[:-1], counts) + 3 * (
            np.arange(int(starts[-1])) - np.repeat(starts[:-1], counts)
        )
        points = strokes.points[firsts[:, None] + np.arange(4)].reshape(-1, 2)
        return cls(Curves(points, 4 * np.arange(len(firsts) + 1)).flattened(chord), starts)

    def outlines(self, rings: Rings) -> tuple[Polylines, Flags]:
        """Contours as closed polylines, and which of their points are ends of cubics."""
        strokes, backwards = rings.codes >> 1, rings.codes & 1
        counts = np.diff(self.starts)[strokes]
        at = offsets(counts)
        forwards = ranges(self.starts[strokes], counts)
        mirrored = np.repeat(self.starts[strokes] + self.starts[strokes + 1] - 1, counts) - forwards
        turned = np.repeat(backwards, counts)
        codes = 2 * np.where(turned == 1, mirrored, forwards) + turned
        starts = at[rings.starts]
        lines = self.lines.joined(codes, starts)
        knots = np.zeros(len(lines.points), bool)
        way = offsets(self.lines.counts[codes >> 1] - 1)
        owner = np.repeat(np.arange(len(lines)), np.diff(starts))
        knots[way[:-1] + owner] = True
        knots[lines.starts[1:] - 1] = True
        return lines, knots


def _holes(drawing: Drawing, areas: Floats, polygons: Polygons) -> Rings:
    """More holes than the pieces' own: closed contours of strokes within a piece and that no two pieces share."""
    pieces, strokes = drawing.pieces, drawing.strokes
    sided = np.bincount(pieces.codes >> 1, minlength=len(strokes))
    # Seen from the wood around it a hole is followed against the piece that lies in it.
    outer = pieces.outer
    single = sided[outer.codes >> 1] == 1
    around, groups = outer.codes[single] ^ 1, outer.owners[single]
    cuts = [chain for chain in drawing.chains if chain.closed and chain.operation in CUTS]
    for number, chain in enumerate(cuts):
        if not sided[chain.strokes >> 1].any():
            codes = _anticlockwise(strokes, chain.strokes)
            around = np.concatenate([around, codes])
            groups = np.concatenate([groups, np.full(len(codes), len(pieces) + number)])
    nothing = np.empty(0, np.int64)
    if not len(around):
        return Rings(nothing, np.zeros(1, np.int64), nothing)
    ends = strokes.points[strokes.starts[:-1]][around >> 1]
    which, holder = shapely.STRtree(polygons).query(shapely.points(ends), predicate="within")
    owners = np.full(len(around), -1)
    # The least that holds it comes last, and stays.
    order = np.argsort(-areas[holder], kind="stable")
    owners[which[order]] = holder[order]
    inside = owners >= 0
    return loops(strokes, around[inside], groups[inside], owners[inside])


def _anticlockwise(strokes: Curves, codes: Ints) -> Ints:
    """A closed chain the way a hole is followed."""
    ring = strokes.joined(codes, np.array([0, len(codes)])).flattened(AREA_TOLERANCE)
    return codes if ring.sweeps[0] < 0 else codes[::-1] ^ 1


def loops(strokes: Curves, codes: Ints, groups: Ints, owners: Ints) -> Rings:
    """Strokes of holes laid end to end; where holes touch, each keeps to the strokes of its own group."""
    beginnings: dict[tuple[int, float, float], list[int]] = {}
    first, last = strokes.points[strokes.starts[:-1]], strokes.points[strokes.starts[1:] - 1]

    def place(at: int, end: int) -> tuple[int, float, float]:
        points = last if (int(codes[at]) & 1) ^ end else first
        x, y = points[codes[at] >> 1].tolist()
        return int(owners[at]), round(x, 5), round(y, 5)

    for at in range(len(codes)):
        beginnings.setdefault(place(at, 0), []).append(at)
    loops: list[list[int]] = []
    used = np.zeros(len(codes), bool)
    for start in range(len(codes)):
        if used[start]:
            continue
        loop: list[int] = []
        following = [start]
        while following:
            same = [other for other in following if loop and groups[other] == groups[loop[-1]]]
            loop.append((same or following)[0])
            used[loop[-1]] = True
            following = [other for other in beginnings.get(place(loop[-1], 1), []) if not used[other]]
        if place(loop[-1], 1) == place(loop[0], 0):
            loops.append(loop)
    order = sorted(range(len(loops)), key=lambda number: int(owners[loops[number][0]]))
    ordered = [loops[number] for number in order]
    along = np.array([at for loop in ordered for at in loop], np.int64)
    starts = offsets(np.array([len(loop) for loop in ordered], np.int64))
    return Rings(codes[along], starts, owners[along[starts[:-1]]] if ordered else np.empty(0, np.int64))


def _with_holes(outlines: Rings, holes: Rings) -> Rings:
    """Outlines and holes together, piece by piece."""
    codes = np.concatenate([outlines.codes, holes.codes])
    begins = np.concatenate([outlines.starts[:-1], holes.starts[:-1] + len(outlines.codes)])
    counts = np.concatenate([np.diff(outlines.starts), np.diff(holes.starts)])
    owners = np.concatenate([outlines.owners, holes.owners])
    order = np.argsort(owners, kind="stable")
    return Rings(codes[ranges(begins[order], counts[order])], offsets(counts[order]), owners[order])


def _buffered(polygons: Polygons, offset: float) -> Polygons:
    moved = shapely.buffer(polygons, offset, join_style="mitre", mitre_limit=MITRE_LIMIT)
    return np.asarray(moved)


def _harmed(before: Polygons, after: Polygons) -> Flags:
    """Which polygons are no longer one, or have other holes in number."""
    whole = (shapely.get_type_id(after) == 3) & ~shapely.is_empty(after)
    return np.asarray(~whole | (shapely.get_num_interior_rings(after) != shapely.get_num_interior_rings(before)))


def _harms(before: Polygons, after: Polygons, offset: float) -> Floats:
    """For each polygon the offset that harms it, up to the one by which it was moved; 0 where none does.

    A beam wider than a tongue's head burns neck and head away and leaves a polygon that is sound; that wood was lost
    is told by a smaller offset, at which the head falls off.
    """
    harm = np.zeros(len(before))
    left, moved, tried = np.arange(len(before)), after, offset
    for _ in range(SHRUNK_TIMES):
        broken = _harmed(before[left], moved)
        harm[left[broken]] = tried
        left, moved = left[~broken], moved[~broken]
        left = left[_strayed(before[left], _buffered(moved, -tried)) > KEPT * abs(tried)]
        if not len(left):
            break
        tried *= SHRUNK
        moved = _buffered(before[left], tried)
    return harm


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
    sound, harmful = 0.0, 1.0
    for _ in range(WIDTH_STEPS):
        middle = (sound + harmful) / 2
        if _harmed(one, _buffered(one, middle * offset))[0]:
            harmful = middle
        else:
            sound = middle
    return abs(2 * harmful * offset)


def _refusal(name: str, before: shapely.Polygon, harm: float, offset: float) -> StudioError:
    """What befalls a piece whose outline moves by an offset that it does not bear; `harm` is one that shows it."""
    after = _buffered(np.array([before], object), harm)[0]
    way = f"when its outline moves {'out' if offset > 0 else 'in'} by {abs(offset):.2f} mm"
    wide = f"only {_width(before, harm):.2f} mm wide"
    holes = shapely.get_num_interior_rings(before)
    if after.is_empty:
        return StudioError(f"Piece {name} vanishes {way}: it is {wide}.")
    if after.geom_type != "Polygon":
        return StudioError(f"Piece {name} falls apart {way}: its neck is {wide}.")
    if shapely.get_num_interior_rings(after) > holes:
        return StudioError(f"Piece {name} closes upon itself {way}: its bay is {wide}.")
    if offset > 0:
        return StudioError(f"Piece {name} loses a hole {way}: the hole is {wide}.")
    return StudioError(f"Piece {name} breaks open {way}: the wood beside its hole is {wide}.")


def _moved(board: _Board, names: tuple[str, ...], offset: float, chord: float) -> Curves:
    """The contours of some pieces, moved; raises StudioError for a piece that does not bear it."""
    after = _buffered(board.polygons, offset)
    harm = _harms(board.polygons, after, offset)
    for at in np.flatnonzero(harm)[:1].tolist():
        raise _refusal(names[at], board.polygons[at], float(harm[at]), offset)
    rings = shapely.get_rings(shapely.orient_polygons(after))
    points, owners = shapely.get_coordinates(rings, return_index=True)
    lines = Polylines(points, offsets(np.bincount(owners, minlength=len(rings))))
    knots = _found_again(board, lines, offset)
    return fitted(_unmitred(lines, offset), FIT_TOLERANCE, STRETCHED * chord, knots)


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


def _found_again(board: _Board, moved: Polylines, offset: float) -> Flags:
    """Which points of the moved contours are those of the ends of cubics.

    Where a contour has as many points as before, they are the same, begun elsewhere: a point in the middle of a
    curve tells where. Other contours have none.
    """
    lines = board.lines
    knots = np.zeros(len(moved.points), bool)
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
    marked = np.flatnonzero(board.knots & same[lines.owners])
    owner = lines.owners[marked]
    within = (marked - first[owner] + place[owner] - 1) % sizes[owner]
    knots[moved.starts[owner] + within] = True
    return knots


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
