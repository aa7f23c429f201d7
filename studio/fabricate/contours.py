"""Contours of a drawing's pieces: followed, checked and flattened once, for all callers, and their offsets.

ring: a closed walk along strokes: a piece's outline or the rim of a hole in it. In addition to the holes that a drawing
knows, a piece has a hole around every piece inside it, and along every closed cut inside it that bounds no piece.

Offsets are computed cubic by cubic, each line once, for both pieces that it separates. A cubic C moves by an offset d
to C + d·N, where the cubic N is nearly its unit normal everywhere; the other side of the line is C - d·N. If two cubics
meet at an angle, both are extended or shortened to the tip of the mitre. A result that is simple and never runs
backwards is correct: no part fell off, closed or was swallowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.pieces import may_be_narrow
from studio.geometry.curves.offsetting import refuse_crossed
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, offsets, ranges, totals
from studio.geometry.planar.drawing import AREA_TOLERANCE, CUTS, Drawing
from studio.geometry.planar.regions import Polygons, as_polygons, pieces_as_polygons

Flags = NDArray[np.bool_]

REFUSED_AT_ONCE = 4000
"""Number of pieces checked for crossings at once, to limit memory."""
SAME_PLACE = 1e-6
"""Distance in mm within which ends of strokes meet."""
LEADING, LED = 0.02, 0.25
"""Distance in mm from the ends of a cubic within which it has a point, and the share of it that this may take: the tip
of a sharp corner depends on the directions of its sides."""
SMOOTH = 0.01
"""Tangent of the largest angle at which a cubic continues into the next without a corner."""
BENT = 1e-6
"""Deviation of control points from even spacing, in mm, up to which a cubic is a straight line."""
SAMPLES = np.arange(1, 8)[:, None] / 8
"""Places along a cubic at which its normals are compared."""
HALVINGS = 5
"""Most times a cubic is halved until a cubic fits its normals."""
FREE = 1e-4
"""Weight that keeps handles without effect at the curve's own turning, in squares of the normals' length."""
SLOWEST = 0.05
"""Least share of its speed that an offset cubic keeps: with less, its bend is as tight as the offset."""
LEAST_CUT, MOST_RUN = -0.25, 0.5
"""Largest shortening and extension of a cubic, as a share of it, to reach the tip of a mitre."""
APPROACHES = 2
"""Number of approaches to the tip, because tangents of bent curves meet beside it."""
OFF_TIP = 0.002
"""Distance in mm by which an extended cubic may miss the tip."""
OFF_MITRE = 0.005
"""Largest distance in mm of a tip from the exact mitre's, whose sides run on straight although the curves may bend."""
STRAIGHT_ON = 1e-4
"""Angle in radians between two cubics below which they need no extension."""
BLUNTED = -7 / 9
"""Cosine of the sharpest turn of an outline: a sharper tip would lie more than three offsets away."""


@dataclass(frozen=True, eq=False)
class Rings:
    """Closed walks as codes of strokes (code 2i is stroke i forwards, 2i + 1 backwards), and their pieces."""

    codes: Ints
    starts: Ints
    owners: Ints


@dataclass(frozen=True, eq=False)
class Flattened:
    """Rings of pieces as polylines, a mask of the points that are ends of cubics, and the pieces' polygons."""

    rings: Rings
    lines: Polylines
    knots: Flags
    polygons: Polygons

    @property
    def leading(self) -> Flags:
        """Mask of the points that lead up to a corner: near an end of a cubic, but not ends themselves."""
        points, knots = self.lines.points, self.knots
        near = np.hypot(*np.diff(points, axis=0).T) <= LEADING
        beside = np.append(knots[1:] & near, False) | np.append(False, knots[:-1] & near)
        return np.asarray(~knots & beside)

    def part(self, first: int, last: int) -> Flattened:
        """Pieces from `first` up to `last`, without their codes."""
        begin, end = np.searchsorted(self.rings.owners, [first, last])
        low, high = self.lines.starts[[begin, end]]
        lines = Polylines(self.lines.points[low:high], self.lines.starts[begin : end + 1] - low)
        none = np.empty(0, np.int64)
        rings = Rings(none, none, self.rings.owners[begin:end] - first)
        return Flattened(rings, lines, self.knots[low:high], self.polygons[first:last])


class Contours:
    """Contours of a drawing's pieces; results are cached."""

    def __init__(self, drawing: Drawing) -> None:
        self.drawing = drawing
        self._flattened: dict[float, Flattened] = {}
        self._more: Rings | None = None
        self._cleared = (np.inf, np.ones(len(drawing.pieces), bool))
        self._is_sound = False

    def flattened(self, chord: float, progress: Progress) -> Flattened:
        """Flatten all rings to polylines within `chord` mm.

        Raise StudioError, naming the first piece, if an outline is open, inside out or crosses itself.
        """
        if chord in self._flattened:
            return self._flattened[chord]
        drawing, names = self.drawing, self.drawing.pieces.names
        progress.step(0.0, tr("Tracing outlines"))
        if not self._flattened:
            _refuse_open(drawing)
        rings = Rings(drawing.pieces.codes, drawing.pieces.rings, drawing.pieces.ring_owners)
        flat = _Cubics.from_strokes(drawing.strokes, rings.codes, chord).flattened(rings)
        is_hole = np.diff(rings.owners, prepend=-1) == 0
        for at in np.flatnonzero((flat.lines.sweeps <= 0) != is_hole)[:1].tolist():
            raise StudioError(tr("Piece {name} is inside out.", name=names[rings.owners[at]]))
        refuse_crossed(flat.polygons, names)
        progress.step(0.7)
        holes = self._holes(totals(rings.owners, flat.lines.sweeps, len(names)), flat.polygons)
        if len(holes.owners):
            codes = np.concatenate([rings.codes, holes.codes])
            begins = np.concatenate([rings.starts[:-1], holes.starts[:-1] + len(rings.codes)])
            counts = np.concatenate([np.diff(rings.starts), np.diff(holes.starts)])
            owners = np.concatenate([rings.owners, holes.owners])
            order = np.argsort(owners, kind="stable")
            rings = Rings(codes[ranges(begins[order], counts[order])], offsets(counts[order]), owners[order])
            flat = _Cubics.from_strokes(drawing.strokes, rings.codes, chord).flattened(rings)
            refuse_crossed(flat.polygons, names)
        self._flattened[chord] = flat
        return flat

    @cached_property
    def polygons(self) -> Polygons:
        """Pieces with their own holes, as exact as areas are measured; unchecked."""
        return pieces_as_polygons(self.drawing, self.drawing.polylines)

    @cached_property
    def covered(self) -> float:
        """Area in mm² that all pieces cover; a piece inside another counts once."""
        areas = self.drawing.piece_areas
        holes = self._holes(areas, self.polygons)
        area = float(areas.sum())
        if len(holes.owners):
            rims = self.drawing.strokes.joined(holes.codes, holes.starts)
            area += float(rims.flattened(AREA_TOLERANCE).sweeps.sum())
        return area

    def refuse_broken(self) -> None:
        """Raise StudioError, naming the first piece, if an outline is open, inside out or crosses itself."""
        if self._is_sound:
            return
        drawing, pieces = self.drawing, self.drawing.pieces
        _refuse_open(drawing)
        for at in np.flatnonzero(drawing.piece_areas <= 0)[:1].tolist():
            raise StudioError(tr("Piece {name} is inside out.", name=pieces.names[at]))
        for begin in range(0, len(pieces), REFUSED_AT_ONCE):
            some = pieces.chosen(np.arange(begin, min(begin + REFUSED_AT_ONCE, len(pieces))))
            rings = drawing.polylines.joined(some.codes, some.rings)
            refuse_crossed(as_polygons(rings, some.ring_owners), some.names)
        self._is_sound = True

    def may_be_narrow(self, width: float) -> Flags:
        """Mask of the pieces, which lie side by side, that may have a neck below `width` mm.

        Pieces cleared for a wider `width` are not checked again, so ask for the widest first.
        """
        wider, unsure = self._cleared
        if width < wider:
            self._cleared = (width, may_be_narrow(self.drawing, width, unsure))
        return self._cleared[1] if width <= wider else may_be_narrow(self.drawing, width)

    def _holes(self, areas: Floats, polygons: Polygons) -> Rings:
        """Holes that the drawing does not know; areas and polygons decide the nesting of pieces."""
        if self._more is None:
            self._more = _holes(self.drawing, areas, polygons)
        return self._more


def _refuse_open(drawing: Drawing) -> None:
    """Raise StudioError for a drawing without pieces, and for a piece whose strokes do not meet end to end."""
    if not len(drawing.pieces):
        raise StudioError(tr("The drawing has no separate pieces to cut."))
    pieces, ends = drawing.pieces, drawing.strokes.ends
    here, there = pieces.codes, pieces.following
    gaps = np.hypot(*(ends[there >> 1, there & 1] - ends[here >> 1, 1 - (here & 1)]).T)
    for at in np.flatnonzero(gaps > SAME_PLACE)[:1].tolist():
        name = pieces.names[pieces.owners[at]]
        raise StudioError(
            tr("The outline of piece {name} is open: it has a gap of {gap:.2f} mm.", name=name, gap=max(gaps[at], 0.01))
        )


@dataclass(frozen=True, eq=False)
class _Cubics:
    """Cubics of strokes as separate polylines; stroke i has the cubics `starts[i]` to `starts[i + 1]`."""

    lines: Polylines
    starts: Ints

    @classmethod
    def from_strokes(cls, strokes: Curves, codes: Ints, chord: float) -> _Cubics:
        """Flatten the cubics of the strokes that the codes follow, within `chord` mm; other strokes have none."""
        is_used = np.zeros(len(strokes), bool)
        is_used[codes >> 1] = True
        starts = offsets(np.where(is_used, (strokes.counts - 1) // 3, 0))
        followed = strokes if is_used.all() else strokes.chosen(np.flatnonzero(is_used))
        apart = Curves(followed.cubics.reshape(-1, 2), 4 * np.arange(int(starts[-1]) + 1))
        # Mask of the cubics that continue smoothly into the next of the same stroke.
        cubics = apart.cubics
        arriving, leaving = cubics[:-1, 3] - cubics[:-1, 2], cubics[1:, 1] - cubics[1:, 0]
        cross = arriving[:, 0] * leaving[:, 1] - arriving[:, 1] * leaving[:, 0]
        runs_on = np.append(np.abs(cross) < SMOOTH * np.maximum((arriving * leaving).sum(axis=1), 0.0), False)
        runs_on[starts[1:] - 1] = False
        return cls(_led(apart, apart.flattened(chord), np.asarray(runs_on)), starts)

    def flattened(self, rings: Rings) -> Flattened:
        """Assemble rings to closed polylines, and the polygons between them."""
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
        return Flattened(rings, lines, knots, as_polygons(lines, rings.owners))


def _led(cubics: Curves, lines: Polylines, followed: Flags) -> Polylines:
    """Add a point near each end of the lines of bent cubics.

    Skip joins at which a cubic is `followed` smoothly by the next, shape (k,).
    """
    control = cubics.cubics
    bent = np.abs(np.diff(control, n=2, axis=1)).max(axis=(1, 2)) > BENT
    begins, ends = np.flatnonzero(bent & ~np.append(False, followed[:-1])), np.flatnonzero(bent & ~followed)
    control = np.concatenate([control[begins], control[ends][:, ::-1]])
    which = np.concatenate([begins, ends])
    leaving = control[:, 1] - control[:, 0]
    place = np.minimum(LEADING / np.maximum(3 * np.hypot(*leaving.T), LEADING), LED / (lines.counts[which] - 1))
    for _ in range(3):
        control = control[:, :-1] + place[:, None, None] * np.diff(control, axis=1)
    at = np.concatenate([lines.starts[begins] + 1, lines.starts[ends + 1] - 1])
    order = np.argsort(2 * at + (np.arange(len(at)) >= len(begins)), kind="stable")
    points = np.insert(lines.points, at[order], control[order, 0], axis=0)
    return Polylines(points, offsets(lines.counts + np.bincount(which, minlength=len(lines))))


def _holes(drawing: Drawing, areas: Floats, polygons: Polygons) -> Rings:
    """Find holes besides the pieces' own: closed contours of strokes, inside a piece, that no two pieces share."""
    pieces, strokes = drawing.pieces, drawing.strokes
    sided = np.bincount(pieces.codes >> 1, minlength=len(strokes))
    # Seen from outside, a hole is followed in the opposite direction to the piece inside it.
    outer = pieces.outer
    single = sided[outer.codes >> 1] == 1
    around, groups = outer.codes[single] ^ 1, outer.owners[single]
    cuts = [chain for chain in drawing.chains if chain.closed and chain.operation in CUTS]
    for number, chain in enumerate(cuts):
        if not sided[chain.strokes >> 1].any():
            closed = chain.strokes
            ring = strokes.joined(closed, np.array([0, len(closed)])).flattened(AREA_TOLERANCE)
            codes = closed if ring.sweeps[0] < 0 else closed[::-1] ^ 1
            around = np.concatenate([around, codes])
            groups = np.concatenate([groups, np.full(len(codes), len(pieces) + number)])
    nothing = np.empty(0, np.int64)
    if not len(around):
        return Rings(nothing, np.zeros(1, np.int64), nothing)
    begins = strokes.ends[around >> 1, 0]
    which, holder = shapely.STRtree(polygons).query(shapely.points(begins), predicate="within")
    owners = np.full(len(around), -1)
    # The smallest piece around it comes last, and stays.
    order = np.argsort(-areas[holder], kind="stable")
    owners[which[order]] = holder[order]
    inside = owners >= 0
    return loops(strokes, around[inside], groups[inside], owners[inside])


def loops(strokes: Curves, codes: Ints, groups: Ints, owners: Ints) -> Rings:
    """Join strokes of holes end to end; if holes touch, each keeps to the strokes of its own group."""
    beginnings: dict[tuple[int, float, float], list[int]] = {}
    ends = strokes.ends

    def place(at: int, end: int) -> tuple[int, float, float]:
        x, y = ends[codes[at] >> 1, (codes[at] & 1) ^ end].tolist()
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
    ordered = sorted(loops, key=lambda loop: int(owners[loop[0]]))
    along = np.array([at for loop in ordered for at in loop], np.int64)
    starts = offsets(np.array([len(loop) for loop in ordered], np.int64))
    return Rings(codes[along], starts, owners[along[starts[:-1]]] if ordered else np.empty(0, np.int64))


@dataclass(frozen=True, eq=False)
class _Segments:
    """Segments of the strokes' cubics in order, shape (k, 4, 2); stroke i has segments `starts[i]` to `starts[i + 1]`.

    Each has its cubic of normals, the unit tangents at its ends, shape (k, 2, 2), and `bears`, True if it survives the
    offset to the left and to the right, shape (k, 2).
    """

    control: Floats
    normals: Floats
    tangents: Floats
    bears: Flags
    starts: Ints

    @classmethod
    def from_strokes(cls, strokes: Curves, offset: float, tolerance: float) -> _Segments:
        """Split cubics into segments so short that normals, times the offset, are within `tolerance` mm of a cubic."""
        control = strokes.cubics
        place = np.arange(len(control), dtype=np.float64)
        done: list[tuple[Floats, Floats, Floats, Flags, Floats]] = []
        for left in reversed(range(HALVINGS + 1)):
            normals, tangents, bears, stray = _normals(control, offset)
            good = stray * offset <= tolerance
            if not left:
                bears &= good[:, None]
                good[:] = True
            done.append((control[good], normals[good], tangents[good], bears[good], place[good]))
            control, place = control[~good], place[~good]
            if not len(control):
                break
            half = np.full(len(control), 0.5)
            control = np.concatenate([_led_on(control, half), _led_on(control[:, ::-1], half)[:, ::-1]])
            place = np.concatenate([place, place + 0.5 ** (HALVINGS + 1 - left)])
        control, normals, tangents = (np.concatenate([part[at] for part in done]) for at in range(3))
        bears, place = np.concatenate([part[3] for part in done]), np.concatenate([part[4] for part in done])
        order = np.argsort(place)
        of_stroke = np.repeat(np.arange(len(strokes)), (strokes.counts - 1) // 3)
        starts = offsets(np.bincount(of_stroke[place.astype(np.int64)], minlength=len(strokes)))
        return cls(control[order], normals[order], tangents[order], bears[order], starts)


def beside(drawing: Drawing, offset: float, tolerance: float, chord: float) -> tuple[Curves, Flags]:
    """Offset outlines outwards by `offset` mm (> 0), for the pieces for which that succeeds; also return their mask.

    The pieces have no holes and do not contain each other. `chord` is the tolerance in mm of the polylines that are
    checked for crossings.
    """
    pieces = drawing.pieces
    segments = _Segments.from_strokes(drawing.strokes, offset, tolerance)
    strokes, backwards = pieces.codes >> 1, pieces.codes & 1
    counts = np.diff(segments.starts)[strokes]
    forwards = ranges(segments.starts[strokes], counts)
    mirrored = np.repeat(segments.starts[strokes] + segments.starts[strokes + 1] - 1, counts) - forwards
    turned = np.repeat(backwards, counts) == 1
    at = np.where(turned, mirrored, forwards)
    starts = offsets(counts)[pieces.starts]
    owners = np.repeat(np.arange(len(pieces)), np.diff(starts))
    moved, bears = _joined(segments, at, turned, starts, offset)
    found = totals(owners, (~bears).astype(np.float64), len(pieces)) == 0
    kept = found[owners]
    rings = _rings(moved[kept], np.diff(starts)[found])
    lines = rings.flattened(chord)
    simple = (lines.sweeps > 0) & shapely.is_valid(as_polygons(lines, np.arange(len(lines))))
    found[found] = simple
    return (rings if simple.all() else rings.chosen(np.flatnonzero(simple))), found


def _joined(segments: _Segments, at: Ints, turned: Flags, starts: Ints, offset: float) -> tuple[Floats, Flags]:
    """Offset segments `at`, turned or not, and join them at tips; return cubics, shape (m, 4, 2), and success flags."""
    moved = segments.control[at] + np.where(turned, -offset, offset)[:, None, None] * segments.normals[at]
    moved[turned] = moved[turned][:, ::-1]
    tangents = segments.tangents[at]
    tangents[turned] = -tangents[turned][:, ::-1]
    bears = segments.bears[at, turned.astype(np.int64)]
    after = np.arange(1, len(at) + 1)
    after[starts[1:] - 1] = starts[:-1]
    into, out = tangents[:, 1], tangents[after, 0]
    cosine = (into * out).sum(axis=1)
    bears &= cosine > BLUNTED
    run = offset * (into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0]) / np.maximum(1 + cosine, 1 + BLUNTED)
    mitres = moved[:, 3] + run[:, None] * into
    for _ in range(APPROACHES):
        bears &= _approached(moved, after)
    tips = 0.5 * (moved[:, 3] + moved[after, 0])
    missed = tips - moved[:, 3]
    bears &= (np.hypot(*missed.T) < OFF_TIP) & (np.hypot(*(tips - mitres).T) < OFF_MITRE)
    moved[:, 2:] += missed[:, None]
    moved[after, :2] += (tips - moved[after, 0])[:, None]
    moved[after, 0] = tips
    moved[:, 3] = tips
    return moved, bears


def _approached(moved: Floats, after: Ints) -> Flags:
    """Extend cubics in place, shape (m, 4, 2), to where the tangents at their ends meet; return a mask of success."""
    into, out = moved[:, 3] - moved[:, 2], moved[after, 1] - moved[after, 0]
    fast, slow = np.maximum(np.hypot(*into.T), 1e-12), np.maximum(np.hypot(*out.T), 1e-12)
    into, out = into / fast[:, None], out / slow[:, None]
    gap = moved[after, 0] - moved[:, 3]
    cross = into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0]
    meets = np.abs(cross) > STRAIGHT_ON
    divisor = np.where(meets, cross, 1.0)
    run = np.where(meets, (gap[:, 0] * out[:, 1] - gap[:, 1] * out[:, 0]) / divisor, 0.0) / (3 * fast)
    back = np.where(meets, (into[:, 0] * gap[:, 1] - into[:, 1] * gap[:, 0]) / divisor, 0.0) / (3 * slow)
    far = np.flatnonzero(meets)
    moved[far] = _led_on(moved[far], 1 + run[far])
    # A cubic extended at its end passes its beginning faster.
    stretched = 1 + run[after]
    moved[after[far]] = _led_on(moved[after[far]][:, ::-1], 1 + (back / stretched)[far])[:, ::-1]
    return np.asarray((np.minimum(run, back) > LEAST_CUT) & (np.maximum(run, back) < MOST_RUN))


def _led_on(control: Floats, end: Floats) -> Floats:
    """Cut or extend cubics to the places `end` along them, beyond 1 to extend (de Casteljau)."""
    share = end[:, None]
    points = [control[:, number] for number in range(4)]
    result = [points[0]]
    while len(points) > 1:
        points = [one + share * (two - one) for one, two in pairwise(points)]
        result.append(points[0])
    return np.stack(result, 1)


def _normals(control: Floats, offset: float) -> tuple[Floats, Floats, Flags, Floats]:
    """Cubics of the unit normals of cubics, shape (k, 4, 2), unit tangents at their ends, shape (k, 2, 2), masks of the
    sides that survive the offset, shape (k, 2), and the largest errors of the normals, shape (k,)."""
    places = np.concatenate([[[0.0]], SAMPLES, [[1.0]]])
    rest = 1 - places
    first, second = 3 * np.diff(control, axis=1), 6 * np.diff(control, n=2, axis=1)
    speed = np.concatenate([rest**2, 2 * places * rest, places**2], 1) @ first
    change = np.concatenate([rest, places], 1) @ second
    square = (speed**2).sum(axis=2)
    sound = square.min(axis=1) > 1e-12
    square = np.maximum(square, 1e-300)
    tangents = speed / np.sqrt(square)[:, :, None]
    true = np.stack([tangents[:, :, 1], -tangents[:, :, 0]], 2)
    turning = (speed[:, :, 0] * change[:, :, 1] - speed[:, :, 1] * change[:, :, 0]) / square
    basis = np.concatenate([rest**3, 3 * places * rest**2, 3 * places**2 * rest, places**3], 1)
    handles = _handles(basis, true, tangents, turning)[:, :, None] * tangents[:, [0, -1]]
    normals = np.stack([true[:, 0], true[:, 0] + handles[:, 0], true[:, -1] - handles[:, 1], true[:, -1]], 1)
    slowed = offset * turning / np.sqrt(square)
    off = basis @ normals - true
    # An error along the offset curve leaves the curve only in a bend.
    bends = np.abs(slowed) / np.maximum(1 - np.abs(slowed), SLOWEST)
    along = (off * tangents).sum(axis=2)
    stray = (np.abs((off * true).sum(axis=2)) + 0.5 * along**2 * bends).max(axis=1)
    bears = np.stack([slowed.min(axis=1) > SLOWEST - 1, slowed.max(axis=1) < 1 - SLOWEST], 1) & sound[:, None]
    return normals, tangents[:, [0, -1]], bears, np.where(sound, stray, 0.0)


def _handles(basis: Floats, true: Floats, tangents: Floats, turning: Floats) -> Floats:
    """Lengths of the handles of the normals' cubics that keep normals at length 1, shape (k, 2); if these are free, as
    on straight lines, handles that turn with the curve."""
    one = basis[:, 1] * (tangents[:, :1] * true).sum(axis=2)
    two = -basis[:, 2] * (tangents[:, -1:] * true).sum(axis=2)
    ends = (basis[:, 0] + basis[:, 1]) * (true[:, :1] * true).sum(axis=2)
    ends += (basis[:, 2] + basis[:, 3]) * (true[:, -1:] * true).sum(axis=2)
    first, last = turning[:, 0] / 3, turning[:, -1] / 3
    lacking = 1 - ends - one * first[:, None] - two * last[:, None]
    ones, both, twos = (one**2).sum(axis=1) + FREE, (one * two).sum(axis=1), (two**2).sum(axis=1) + FREE
    goal_one, goal_two = (one * lacking).sum(axis=1), (two * lacking).sum(axis=1)
    divisor = ones * twos - both**2
    more = np.stack([twos * goal_one - both * goal_two, ones * goal_two - both * goal_one], 1) / divisor[:, None]
    return np.asarray(np.stack([first, last], 1) + more)


def _rings(cubics: Floats, counts: Ints) -> Curves:
    """Assemble closed strokes; `counts` holds the number of cubics of each."""
    starts = offsets(3 * counts + 1)
    points = np.empty((int(starts[-1]), 2))
    firsts = offsets(counts)[:-1]
    points[starts[:-1]] = cubics[firsts, 0]
    within = 3 * np.arange(len(cubics)) + np.repeat(np.arange(len(counts)), counts) + 1
    points[within[:, None] + np.arange(3)] = cubics[:, 1:]
    return Curves(points, starts)
