"""Thin walls: the wood left between two cuts, away from a corner at which they meet, or between two parts of one.

Near a shared corner two cuts are near each other because of the corner's own angle. A corner explains a place on a cut
if the other cut, seen from the corner, lies aside by half that angle, or by SHARPEST if that is more. A wall's width
depends on the cuts alone, never on the limit, so a larger limit finds at least as many walls. Cuts that meet have a
wall of width 0.

A bend of a cut explains what a corner of SHARPEST would: a gap of at least BENT of the way along the cut.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.checks.cut_crossings import CHORD_TOLERANCE, PRECISE, Cuts, Pairs, each_once, trimmed
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, distinct, offsets, paired, ranges
from studio.geometry.planar.drawing import Pieces

Flags = NDArray[np.bool_]

SHARPEST = np.radians(30.0)
"""Corners with a smaller angle are walls that taper off: their tips break."""
BLUNTEST = np.radians(60.0)
"""Upper bound for half a corner's angle: cuts that run straight through a corner are no wall."""
TIP = 1.0
"""Distance from a corner in mm within which wood is ignored: it burns away or is too small to matter."""
FAR = 3.0
"""Widest wall in mm sought between cuts of different pieces, as such walls cross another cut."""
EXACT = 0.01
"""Tolerance in mm of the polylines on which walls are measured."""
SPARE = 2 * CHORD_TOLERANCE
"""Excess width in mm that walls may have on the polylines of the search."""
BENT = np.sin(SHARPEST / 2)
"""Gap between the legs of a bend of SHARPEST, as a share of the way along both."""
FOLDED = np.pi - SHARPEST - 0.1
"""Turn in radians below which no two parts of a line are nearer than BENT of the way between them."""
FOLDS = (16, 24)
"""Numbers of parts of a line whose boxes tell if two of them may be near each other: first and for doubtful lines."""
STEP = 0.5
"""Spacing in mm of the places on a cut that are tested against a corner."""
LEAST = STEP / 2
"""Width in mm below which cuts are tested for meeting: on both sides of a meeting, places are this near."""
HALVINGS = 8
"""Bisections for the place between two samples at which a corner stops explaining: to some hundredths of STEP."""
CHUNKS = 8
"""Number of parts, each with its own box, into which a line is split for the search."""
ROUNDING = 1e-9
"""Error of a distance in mm."""
SAME_PLACE = 1e-6
"""Ends of cuts within this distance in mm meet."""
AT_ONCE = 200
"""Number of pairs measured in one batch; the points on their lines take some 50 MB."""
SEARCHED_AT_ONCE = 8000
"""Number of pairs searched in one batch; the distances of their boxes take some 20 MB."""
NO_PAIRS = np.empty((0, 2), np.int64)


def thin_walls(
    some: Cuts, width: float, neighbours: Ints = NO_PAIRS, first: int | None = None, apart_from: Ints = NO_PAIRS
) -> tuple[Pairs, Floats]:
    """Find pairs of cuts with a wall of less than `width` mm between them, and each wall's width in mm.

    `neighbours` are pairs (k, 2) of strokes that bound one piece; others are sought up to FAR. With `first`, at least
    one cut of each pair is among the `first` cuts. The pairs of strokes `apart_from` (k, 2) are left out.
    """
    if width <= 0 or not len(some.strokes):
        return Pairs(NO_PAIRS, np.empty((0, 2))), np.empty(0)
    near = min(width, FAR)
    known = _among(some.strokes, apart_from)
    # Index pairs of cuts with boxes within `reach` mm, the lesser first and among the `first` cuts.
    reach = near + SPARE
    left, top, right, bottom = shapely.bounds(some.lines[:first]).T
    pairs = some.tree.query(shapely.box(left - reach, top - reach, right + reach, bottom + reach))
    found = [thinner(some, _without(np.asarray(pairs[:, pairs[0] < pairs[1]].T), known), near)]
    if width > FAR:
        beside = _among(some.strokes, neighbours)
        beside = beside if first is None else beside[beside[:, 0] < first]
        found.append(thinner(some, _without(beside, known), width))
    numbers, widths, places = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if len(numbers) > 1:
        kept = each_once(numbers)
        numbers, widths, places = numbers[kept], widths[kept], places[kept]
    return Pairs(numbers, places), widths


def thin_within(some: Cuts, width: float) -> tuple[Ints, Floats, Floats]:
    """Find the strokes with a wall of less than `width` mm between two of their own parts; also each wall's width and
    middle (k, 2) in mm."""
    folded = _folded(some.polylines, width, FOLDS[0])
    if len(folded):
        folded = folded[_folded(some.curves.chosen(folded).flattened(EXACT), width, FOLDS[1])]
    found = [(at, *wall) for at in folded.tolist() if (wall := _fold(some.curves, at, width))]
    return (
        np.array([some.strokes[at] for at, _, _ in found], np.int64),
        np.array([gap for _, gap, _ in found]),
        np.array([place for _, _, place in found]).reshape(-1, 2),
    )


def _folded(lines: Polylines, width: float, parts: int) -> Ints:
    """Choose the lines that may have a wall of less than `width` mm within, by the boxes of their parts; as indices."""
    ways = np.diff(paired(lines.points), append=0)
    ways[lines.starts[1:] - 1] = 0.0
    turns = np.zeros(len(ways))
    turns[1:] = np.abs(_directions(ways[1:] * ways[:-1].conj()))
    turned, along = np.cumsum(turns), np.append(0.0, np.cumsum(np.abs(ways))[:-1])
    bent = np.flatnonzero(turned[lines.starts[1:] - 1] - turned[lines.starts[:-1]] > FOLDED)
    if not len(bent):
        return bent
    chunks = _Chunks.of_lines(lines.chosen(bent), parts)
    low, high = (np.ascontiguousarray(side.reshape(-1, parts, 2).T) for side in (chunks.low, chunks.high))
    ends = (lines.counts[bent] - 1) * np.arange(parts + 1)[:, None] // parts + lines.starts[bent]
    # A curve makes half the turn of its polyline at a vertex before, and half after it.
    along, turned = along[ends], (turned - turns / 2)[ends]
    found = np.zeros(len(bent), bool)
    for apart in range(parts):
        # All pairs of parts with so many parts between their beginnings.
        first, last = slice(parts - apart), slice(apart, parts)
        way = along[apart + 1 :] - along[first]
        off = np.maximum(low[:, last] - high[:, first], low[:, first] - high[:, last]).clip(0.0)
        near = off[0] ** 2 + off[1] ** 2 < (np.minimum(width, BENT * way) + SPARE) ** 2
        found |= (near & (way > 2 * TIP - SPARE) & (turned[apart + 1 :] - turned[first] > FOLDED)).any(axis=0)
    return np.asarray(bent[found])


def _fold(curves: Curves, stroke: int, width: float) -> tuple[float, Floats] | None:
    """Width and middle of the thinnest wall below `width` mm between two parts of a stroke; None if there is none."""
    sampled = _sampled(curves.chosen(np.array([stroke])).flattened(EXACT))[0].points
    spans = shapely.linestrings(np.stack([sampled[:-1], sampled[1:]], 1))
    along = np.append(0.0, np.cumsum(np.hypot(*np.diff(sampled, axis=0).T)))
    one, two = shapely.STRtree(spans).query(spans, predicate="dwithin", distance=width)
    apart = (one < two) & (along[np.minimum(two + 1, len(along) - 1)] - along[one] > 2 * TIP)
    one, two = one[apart], two[apart]
    links = shapely.shortest_line(spans[one], spans[two])
    ends = shapely.get_coordinates(links).reshape(-1, 2, 2)
    way = np.abs(
        along[two] - along[one] + np.hypot(*(ends[:, 1] - sampled[two]).T) - np.hypot(*(ends[:, 0] - sampled[one]).T)
    )
    if (sampled[0] == sampled[-1]).all():
        way = np.minimum(way, along[-1] - way)
    gaps = shapely.length(links)
    thin = np.flatnonzero((gaps < np.minimum(width, BENT * way)) & (way > 2 * TIP))
    if not len(thin):
        return None
    best = thin[gaps[thin].argmin()]
    return float(gaps[best]), ends[best].mean(axis=0)


def thinner(some: Cuts, pairs: Ints, width: float) -> tuple[Ints, Floats, Floats]:
    """Strokes, width and middle of each wall below `width` mm between pairs of cuts, given by index, shape (k, 2)."""
    reach = width + SPARE
    corners = _Corners.from_curves(some.curves, pairs)
    suspects = np.asarray(_suspects(_Chunks.of_lines(some.polylines), corners, reach).any(axis=(1, 2)))
    if not suspects.any():
        return NO_PAIRS, np.empty(0), np.empty((0, 2))
    doubtful = corners.chosen(suspects)
    found = _measured(some, doubtful, width)
    close = np.flatnonzero(found.widths < min(width, LEAST))
    found.widths[close[_meet(some.curves, doubtful.pairs[close])]] = 0.0
    thin = found.widths < width
    return np.sort(some.strokes[doubtful.pairs[thin]], axis=1), found.widths[thin], found.places[thin]


def _meet(curves: Curves, pairs: Ints) -> Flags:
    """Mask of the pairs of strokes that meet anywhere but at a shared corner."""
    used = distinct(pairs)
    lines = curves.chosen(used).flattened(PRECISE)
    whole, cores = shapely.linestrings(lines.points, indices=lines.owners), trimmed(lines)
    one, two = np.searchsorted(used, pairs).T
    return np.asarray(shapely.intersects(cores[one], whole[two]) | shapely.intersects(whole[one], cores[two]))


def beside(pieces: Pieces) -> Ints:
    """Distinct pairs (k, 2) of strokes that bound one piece, the lesser first."""
    sizes, strokes = np.diff(pieces.starts), pieces.codes >> 1
    pairs = [NO_PAIRS]
    for size in np.unique(sizes).tolist():
        around = strokes[pieces.starts[:-1][sizes == size][:, None] + np.arange(size)]
        one, two = np.triu_indices(size, 1)
        pairs.append(np.stack([around[:, one].ravel(), around[:, two].ravel()], 1))
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def _without(pairs: Ints, others: Ints) -> Ints:
    """Index pairs, the lesser first, without the others."""
    if not len(others):
        return pairs
    scale = others.max() + 1
    keys = np.where(pairs.max(axis=1) < scale, pairs[:, 0] * scale + pairs[:, 1], -1)
    return np.asarray(pairs[~np.isin(keys, others[:, 0] * scale + others[:, 1])])


def _among(strokes: Ints, pairs: Ints) -> Ints:
    """Index pairs, the lesser first, of the pairs of strokes that are both among `strokes`."""
    if not len(pairs):
        return NO_PAIRS
    place = np.full(max(strokes.max(), pairs.max(initial=0)) + 1, -1)
    place[strokes] = np.arange(len(strokes))
    pairs = np.sort(place[pairs], axis=1)
    return np.asarray(pairs[(pairs[:, 0] >= 0) & (pairs[:, 0] != pairs[:, 1])])


@dataclass(frozen=True, eq=False)
class _Corners:
    """Pairs of cuts (k, 2), and the mask (k, 2, 2), by end of the one and of the other, of ends that meet."""

    pairs: Ints
    met: Flags
    angles: Floats
    """Half the angle there in radians, clamped to SHARPEST and BLUNTEST."""

    @classmethod
    def from_curves(cls, curves: Curves, pairs: Ints) -> _Corners:
        """Corners shared by pairs of strokes."""
        first, second = pairs.T
        ends, ways = curves.ends, _ways(curves)
        gaps = np.abs(ends.take(first, axis=0)[:, :, None] - ends.take(second, axis=0)[:, None]).max(axis=3)
        turns = ways.take(first, axis=0)[:, :, None] * ways.take(second, axis=0)[:, None].conj()
        angles = np.abs(_directions(turns)) / 2
        return cls(pairs, gaps <= SAME_PLACE, np.minimum(np.maximum(angles, SHARPEST), BLUNTEST))

    def chosen(self, which: Flags | slice) -> _Corners:
        """Select pairs."""
        return _Corners(self.pairs[which], self.met[which], self.angles[which])


def _directions(ways: NDArray[np.complex128]) -> Floats:
    """Angles of complex numbers in radians: `np.angle` at half the cost, for the few of a drag."""
    return np.arctan2(ways.imag, ways.real)


def _ways(curves: Curves) -> NDArray[np.complex128]:
    """Directions (n, 2) in which strokes leave both ends, as complex numbers of any length."""
    points = paired(curves.points)
    ends = np.array([curves.starts[:-1], curves.starts[1:] - 1]).T
    inwards = np.array([1, -1])
    result = points[ends + inwards] - points[ends]
    for step in (2, 3):
        still = np.abs(result) <= SAME_PLACE
        if not still.any():
            break
        way = points[ends + step * inwards] - points[ends]
        result[still] = way[still]
    result[np.abs(result) <= SAME_PLACE] = 0.0
    return np.asarray(result)


def _suspects(chunks: _Chunks, corners: _Corners, width: float) -> Flags:
    """Mask (k, 2, CHUNKS) of the parts of both lines of pairs with a box nearer than `width` mm to a part of the other
    line, unless a shared corner explains it."""
    pairs, parts = corners.pairs, np.arange(CHUNKS)
    found = np.zeros((len(pairs), 2, CHUNKS), bool)
    for begin in range(0, len(pairs), SEARCHED_AT_ONCE):
        part = slice(begin, begin + SEARCHED_AT_ONCE)
        one = CHUNKS * pairs[part, 0, None, None] + parts[:, None]
        two = CHUNKS * pairs[part, 1, None, None] + parts
        low, high = ((side.take(one, axis=0), side.take(two, axis=0)) for side in (chunks.low, chunks.high))
        apart = np.maximum(np.maximum(low[0] - high[1], low[1] - high[0]), 0.0) ** 2
        at, here, there = (apart[..., 0] + apart[..., 1] < width**2).nonzero()
        left = ~_explained(chunks, corners, at + begin, here, there)
        found[begin + at[left], 0, here[left]] = True
        found[begin + at[left], 1, there[left]] = True
    return found


@dataclass(frozen=True, eq=False)
class _Chunks:
    """Every line in CHUNKS parts: their boxes and points; a part's last point is the first of the next."""

    points: NDArray[np.complex128]
    firsts: Ints
    counts: Ints
    low: Floats
    high: Floats

    @classmethod
    def of_lines(cls, lines: Polylines, parts: int = CHUNKS) -> _Chunks:
        """Split lines into parts."""
        steps = (lines.counts - 1)[:, None] * np.arange(parts + 1) // parts
        firsts = (lines.starts[:-1, None] + steps[:, :-1]).ravel()
        counts = (steps[:, 1:] - steps[:, :-1]).ravel() + 1
        points, starts = lines.points.take(ranges(firsts, counts), axis=0), offsets(counts)[:-1]
        low, high = (best.reduceat(points, starts) for best in (np.minimum, np.maximum))
        return cls(paired(lines.points), firsts, counts, low, high)

    def are_near(self, lines: Ints, places: Floats, reach: float) -> Flags:
        """Mask of places that may be nearer than `reach` mm to a line each, by the boxes of its parts."""
        low, high = (boxes.reshape(-1, CHUNKS, 2)[lines] for boxes in (self.low, self.high))
        apart = np.maximum(np.maximum(low - places[:, None], places[:, None] - high), 0.0)
        return np.asarray(((apart**2).sum(axis=2) < reach**2).any(axis=1))

    def seen(self, chunks: Ints, places: NDArray[np.complex128]) -> tuple[Floats, Floats]:
        """Direction of each part as seen from a place, and its half-width, in radians.

        The half-width is -inf if the part is just the place itself, which hides nothing.
        """
        counts = self.counts[chunks]
        ways = self.points[ranges(self.firsts[chunks], counts)] - places.repeat(counts)
        starts = offsets(counts)
        begins, lasts = starts[:-1], starts[1:] - 1
        hidden = np.abs(ways) <= SAME_PLACE
        # A point in the corner itself has no direction and takes its neighbour's.
        inner = ways.copy()
        inner[:-1][hidden[:-1]] = ways[1:][hidden[:-1]]
        inner[lasts] = np.where(hidden[lasts], ways[lasts - 1], ways[lasts])
        turns = np.zeros(len(ways))
        turns[1:] = _directions(inner[1:] * inner[:-1].conj())
        turns[begins] = 0.0
        sums = turns.cumsum()
        low, high = (best.reduceat(sums, begins) for best in (np.minimum, np.maximum))
        middle = _directions(inner[begins]) + (low + high) / 2 - sums[begins]
        return middle, np.where((counts == 1) & hidden[begins], -np.inf, (high - low) / 2)


def _explained(chunks: _Chunks, corners: _Corners, at: Ints, here: Ints, there: Ints) -> Flags:
    """True for parts of both cuts of pairs if a shared corner explains all distances between them."""
    result = np.zeros(len(at), bool)
    which, end, other = corners.met[at].nonzero()
    if not len(which):
        return result
    first, second = corners.pairs[at[which]].T
    ends = CHUNKS * first + CHUNKS - 1
    lasts = chunks.firsts[ends] + chunks.counts[ends] - 1
    place = chunks.points[np.where(end == 0, chunks.firsts[CHUNKS * first], lasts)]
    parts = np.concatenate([CHUNKS * first + here[which], CHUNKS * second + there[which]])
    ways, halves = chunks.seen(parts, np.concatenate([place, place]))
    count = len(which)
    apart = np.abs(_directions(np.exp(1j * (ways[:count] - ways[count:])))) - halves[:count] - halves[count:]
    result[which[apart >= corners.angles[at[which], end, other]]] = True
    return result


@dataclass(frozen=True, eq=False)
class _Found:
    """Widths in mm of the walls between pairs of cuts, infinite without a wall, and their middles (k, 2)."""

    widths: Floats
    places: Floats


def _measured(some: Cuts, corners: _Corners, width: float) -> _Found:
    """Measure the walls of less than `width` mm between pairs of cuts, on polylines within EXACT mm."""
    count = len(corners.pairs)
    found = _Found(np.full(count, np.inf), np.full((count, 2), np.nan))
    if not count:
        return found
    used = distinct(corners.pairs)
    numbers = np.searchsorted(used, corners.pairs)
    flattened = some.curves.chosen(used).flattened(EXACT)
    lines = shapely.linestrings(flattened.points, indices=flattened.owners)
    meets = corners.met.any(axis=(1, 2))
    apart, joined = np.flatnonzero(~meets), np.flatnonzero(meets)
    if len(apart):
        links = shapely.shortest_line(lines[numbers[apart, 0]], lines[numbers[apart, 1]])
        found.widths[apart], found.places[apart] = shapely.length(links), _middles(links)
    if not len(joined):
        return found
    chunks = _Chunks.of_lines(flattened)
    sampled, firsts = _sampled(flattened)
    suspects = _suspects(chunks, _Corners(numbers[joined], corners.met[joined], corners.angles[joined]), width)
    for begin in range(0, len(joined), AT_ONCE):
        at = joined[begin : begin + AT_ONCE]
        # From the one cut to the other, and back.
        ways = np.concatenate([numbers[at], numbers[at, ::-1]])
        met, sines = corners.met[at], np.sin(corners.angles[at])
        met, sines = (np.concatenate([each, each.swapaxes(1, 2)]) for each in (met, sines))
        parts = np.concatenate([suspects[begin : begin + AT_ONCE, back] for back in (0, 1)])
        owners, which = _places(sampled, firsts, chunks, ways[:, 0], parts)
        # A place further away than that has no thin wall beside it.
        near = chunks.are_near(ways[owners, 1], sampled.points[which], width + STEP)
        owners, which = owners[near], which[near]
        course = _Course(sampled.points[which], owners, which, sampled.ends[ways[:, 0]], lines[ways[:, 1]], met, sines)
        owners, widths, places = course.unexplained(width)
        for back in (0, 1):
            own = np.flatnonzero(owners // len(at) == back)
            pairs = at[owners[own] - back * len(at)]
            better = widths[own] < found.widths[pairs]
            found.widths[pairs[better]] = widths[own[better]]
            found.places[pairs[better]] = places[own[better]]
    return found


def _sampled(lines: Polylines) -> tuple[Polylines, Ints]:
    """Add points to lines until none are further apart than STEP; also return the indices of the original points."""
    way = np.zeros_like(lines.points)
    np.subtract(lines.points[1:], lines.points[:-1], out=way[:-1])
    way[lines.starts[1:] - 1] = 0.0
    counts = np.maximum(np.ceil(np.hypot(way[:, 0], way[:, 1]) / STEP), 1).astype(np.int64)
    at = np.repeat(np.arange(len(counts)), counts)
    share = ranges(np.zeros_like(counts), counts) / counts[at]
    numbers = offsets(counts)
    return Polylines(lines.points[at] + share[:, None] * way[at], numbers[lines.starts]), numbers[:-1]


def _places(sampled: Polylines, numbers: Ints, chunks: _Chunks, lines: Ints, parts: Flags) -> tuple[Ints, Ints]:
    """Distinct sampled places on parts (k, CHUNKS) of lines (k,) and next to them: the index of each place's line, and
    its index among all sampled points; `numbers` are the indices of the original points."""
    owners, part = np.nonzero(parts)
    on = CHUNKS * lines[owners] + part
    first = np.maximum(numbers[chunks.firsts[on]] - 1, sampled.starts[lines[owners]])
    last = np.minimum(numbers[chunks.firsts[on] + chunks.counts[on] - 1] + 1, sampled.starts[lines[owners] + 1] - 1)
    counts = last - first + 1
    total = len(sampled.points)
    keys = distinct(total * np.repeat(owners, counts) + ranges(first, counts))
    return np.asarray(keys // total), np.asarray(keys % total)


def _middles(links: NDArray[np.object_]) -> Floats:
    return np.asarray(shapely.get_coordinates(shapely.line_interpolate_point(links, 0.5, normalized=True)))


@dataclass(frozen=True, eq=False)
class _Course:
    """Points along lines, the line and number of each, the ends of all lines, and the `others` to compare with.

    Points with consecutive numbers are neighbours. For both ends of each line, `met` (k, 2, 2) says which ends of the
    other line are there, and `sines` (k, 2, 2) the gap that is explained, as a share of the distance from there.
    """

    points: Floats
    owners: Ints
    numbers: Ints
    ends: Floats
    others: NDArray[np.object_]
    met: Flags
    sines: Floats

    def unexplained(self, width: float) -> tuple[Ints, Floats, Floats]:
        """Lines that come nearer than `width` mm to their other line without a corner that explains it, the gap in mm,
        and the middle of it."""
        everywhere = _Beside.from_course(self, self.owners)
        gaps, slack = everywhere.slack(self.points)
        is_bare = slack < 0
        thin = np.flatnonzero(is_bare & (gaps < width))
        least = np.full(len(self.others), width)
        np.minimum.at(least, self.owners[thin], gaps[thin])
        beside = (self.owners[1:] == self.owners[:-1]) & (self.numbers[1:] == self.numbers[:-1] + 1)
        at = np.flatnonzero(beside & (is_bare[1:] != is_bare[:-1]))
        outside = np.where(is_bare[at], at, at + 1)
        owners, points, nearer = self._sought(
            everywhere.chosen(at), self.owners[at], self.points[outside], self.points[2 * at + 1 - outside],
            gaps[outside], least,
        )  # fmt: skip
        points = np.concatenate([self.points[thin], points])
        owners, gaps = np.concatenate([self.owners[thin], owners]), np.concatenate([gaps[thin], nearer])
        if not len(owners):
            return owners, gaps, points
        order = np.lexsort((gaps, owners))
        ordered = owners[order]
        best = order[np.append(True, ordered[1:] != ordered[:-1])]
        links = shapely.shortest_line(shapely.points(points[best]), self.others[owners[best]])
        return owners[best], gaps[best], _middles(links)

    def _sought(
        self, between: _Beside, owners: Ints, bare: Floats, plain: Floats, gaps: Floats, least: Floats
    ) -> tuple[Ints, Floats, Floats]:
        """Bisect between unexplained (`bare`) and explained (`plain`) neighbours for the last unexplained place: lines,
        places and gaps. Places that cannot come below a line's `least` gap are left out."""
        for left in range(HALVINGS, -1, -1):
            # Between two places the distance to the other line changes by no more than the way between them.
            may = gaps - (np.hypot(*(bare - plain).T) + ROUNDING if left else 0.0) < least[owners]
            if not may.all():
                between, owners = between.chosen(np.flatnonzero(may)), owners[may]
                bare, plain, gaps = bare[may], plain[may], gaps[may]
            if not len(owners) or not left:
                break
            middle = (bare + plain) / 2
            nearer, slack = between.slack(middle)
            explained = slack >= 0
            bare = np.where(explained[:, None], bare, middle)
            plain = np.where(explained[:, None], middle, plain)
            gaps = np.where(explained, gaps, nearer)
        return owners, bare, gaps


@dataclass(frozen=True, eq=False)
class _Beside:
    """The other line of each of several places on a course, and the corners of its own line."""

    others: NDArray[np.object_]
    ends: Floats
    met: Flags
    sines: Floats

    @classmethod
    def from_course(cls, course: _Course, owners: Ints) -> _Beside:
        """Gather the references of places by their lines."""
        return cls(course.others[owners], course.ends[owners], course.met[owners], course.sines[owners])

    def chosen(self, some: Ints) -> _Beside:
        """Select places."""
        return _Beside(self.others[some], self.ends[some], self.met[some], self.sines[some])

    def gaps(self, points: Floats) -> Floats:
        """Distances in mm of the places from the other line."""
        return np.asarray(shapely.distance(shapely.points(points), self.others))

    def slack(self, points: Floats) -> tuple[Floats, Floats]:
        """Distances in mm of the places from the other line, and their excess over the distance a corner explains."""
        gaps = self.gaps(points)
        way = points[:, None] - self.ends
        away = np.hypot(way[..., 0], way[..., 1])[..., None]
        spare = np.maximum(gaps[:, None, None] - self.sines * away, TIP - away)
        return gaps, np.where(self.met, spare, -np.inf).max(axis=(1, 2))
