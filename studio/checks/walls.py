"""Thin walls: what wood is left between two cuts, away from a corner at which they meet.

Near a shared corner two cuts are near each other because of the corner's own angle. A place on a cut is explained by a
corner where the other cut, seen from there, lies aside by half that angle, or by SHARPEST where that is more. How wide
a wall is depends on the cuts alone, never on the limit, so a larger limit finds as many walls at least. Cuts that meet
have a wall of no width.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.checks.flat import CHORD_TOLERANCE, PRECISE, Cuts, Pairs, each_once, trimmed
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, distinct, offsets, paired, ranges
from studio.geometry.planar.drawing import Pieces

Flags = NDArray[np.bool_]

SHARPEST = np.radians(30.0)
"""A corner with a smaller angle is a wall that runs out: its tip breaks off."""
BLUNTEST = np.radians(60.0)
"""The most that half a corner's angle is taken for: cuts that run on straight through it are no wall."""
TIP = 1.0
"""How far from a corner, in mm, wood is looked at: what is nearer burns away or is too small to matter."""
FAR = 3.0
"""Up to which width in mm walls are sought between cuts of different pieces, which must have crossed another cut."""
EXACT = 0.01
"""How far in mm the polylines on which walls are measured may lie from the curves."""
SPARE = 2 * CHORD_TOLERANCE
"""How much wider in mm walls may be on the polylines of the search."""
STEP = 0.5
"""How far apart in mm the places on a cut are that are held against a corner."""
LEAST = STEP / 2
"""The least width in mm that is worth asking for: places this near are on both sides of any at which cuts meet."""
HALVINGS = 8
"""How often the place at which a corner ends to explain is sought between two of these: to some hundredths of STEP."""
CHUNKS = 8
"""Number of parts, each with its own box, into which a line is split for the search."""
ROUNDING = 1e-9
"""By how much in mm a distance may be wrong."""
SAME_PLACE = 1e-6
"""Ends of cuts in mm that are as near as this meet."""
AT_ONCE = 200
"""Number of pairs measured in one batch; the points on their lines take some 50 MB."""
SEARCHED_AT_ONCE = 8000
"""Number of pairs searched in one batch; the distances of their boxes take some 20 MB."""
NO_PAIRS = np.empty((0, 2), np.int64)


def thin_walls(
    some: Cuts, width: float, neighbours: Ints = NO_PAIRS, first: int | None = None, apart_from: Ints = NO_PAIRS
) -> tuple[Pairs, Floats]:
    """Pairs among some cuts with a wall of less than `width` mm between them, and how wide each wall is in mm.

    `neighbours` are pairs (k, 2) of strokes that bound one piece; others are sought as far as FAR. Of each pair one at
    least is among the `first` cuts, where these are not all that is asked for. The pairs of strokes `apart_from` (k, 2)
    are left out.
    """
    if width <= 0 or not len(some.strokes):
        return Pairs(NO_PAIRS, np.empty((0, 2))), np.empty(0)
    near = min(width, FAR)
    known = _among(some.strokes, apart_from)
    found = [_thinner(some, _without(_near(some, near + SPARE, first), known), near)]
    if width > FAR:
        found.append(_thinner(some, _without(_with(_among(some.strokes, neighbours), first), known), width))
    numbers, widths, places = (np.concatenate(parts) for parts in zip(*found, strict=True))
    if len(numbers) > 1:
        kept = each_once(numbers)
        numbers, widths, places = numbers[kept], widths[kept], places[kept]
    return Pairs(numbers, places), widths


def _thinner(some: Cuts, pairs: Ints, width: float) -> tuple[Ints, Floats, Floats]:
    """Of pairs of places among some cuts those with a wall below `width` mm: their strokes, its width, its middle."""
    reach = width + SPARE
    corners = _Corners.of(some.curves, pairs)
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
    """Which pairs of strokes meet anywhere but at a shared corner."""
    used = distinct(pairs)
    lines = curves.chosen(used).flattened(PRECISE)
    whole, cores = shapely.linestrings(lines.points, indices=lines.owners), trimmed(lines)
    one, two = np.searchsorted(used, pairs).T
    return np.asarray(shapely.intersects(cores[one], whole[two]) | shapely.intersects(whole[one], cores[two]))


def beside(pieces: Pieces) -> Ints:
    """The pairs of strokes (k, 2) that bound one piece, each once, the lesser first."""
    sizes, strokes = np.diff(pieces.starts), pieces.codes >> 1
    pairs = [NO_PAIRS]
    for size in np.unique(sizes).tolist():
        around = strokes[pieces.starts[:-1][sizes == size][:, None] + np.arange(size)]
        one, two = np.triu_indices(size, 1)
        pairs.append(np.stack([around[:, one].ravel(), around[:, two].ravel()], 1))
    return np.unique(np.sort(np.concatenate(pairs), axis=1), axis=0)


def _near(some: Cuts, reach: float, first: int | None) -> Ints:
    """Pairs of places among some cuts whose boxes lie within `reach` mm, the lesser first: one of the `first` cuts."""
    left, top, right, bottom = shapely.bounds(some.lines[:first]).T
    pairs = some.tree.query(shapely.box(left - reach, top - reach, right + reach, bottom + reach))
    return np.asarray(pairs[:, pairs[0] < pairs[1]].T)


def _with(pairs: Ints, first: int | None) -> Ints:
    """The pairs of places, the lesser first, that have one of the `first` places."""
    return pairs if first is None else np.asarray(pairs[pairs[:, 0] < first])


def _without(pairs: Ints, others: Ints) -> Ints:
    """The pairs of places, the lesser first, that are not among some others."""
    if not len(others):
        return pairs
    scale = others.max() + 1
    keys = np.where(pairs.max(axis=1) < scale, pairs[:, 0] * scale + pairs[:, 1], -1)
    return np.asarray(pairs[~np.isin(keys, others[:, 0] * scale + others[:, 1])])


def _among(strokes: Ints, pairs: Ints) -> Ints:
    """The pairs of strokes that are both among some strokes, as places among these, the lesser first."""
    if not len(pairs):
        return NO_PAIRS
    place = np.full(max(strokes.max(), pairs.max(initial=0)) + 1, -1)
    place[strokes] = np.arange(len(strokes))
    pairs = np.sort(place[pairs], axis=1)
    return np.asarray(pairs[(pairs[:, 0] >= 0) & (pairs[:, 0] != pairs[:, 1])])


@dataclass(frozen=True, eq=False)
class _Corners:
    """Pairs of cuts (k, 2), and at which of both ends of the one and both of the other, (k, 2, 2), they meet."""

    pairs: Ints
    met: Flags
    angles: Floats
    """Half the angle there in radians, within SHARPEST and BLUNTEST."""

    @classmethod
    def of(cls, curves: Curves, pairs: Ints) -> _Corners:
        """The corners of pairs of strokes."""
        first, second = pairs.T
        ends, ways = curves.ends, _ways(curves)
        gaps = np.abs(ends.take(first, axis=0)[:, :, None] - ends.take(second, axis=0)[:, None]).max(axis=3)
        turns = ways.take(first, axis=0)[:, :, None] * ways.take(second, axis=0)[:, None].conj()
        angles = np.abs(_directions(turns)) / 2
        return cls(pairs, gaps <= SAME_PLACE, np.minimum(np.maximum(angles, SHARPEST), BLUNTEST))

    def chosen(self, which: Flags | slice) -> _Corners:
        """Those of some pairs."""
        return _Corners(self.pairs[which], self.met[which], self.angles[which])


def _directions(ways: NDArray[np.complex128]) -> Floats:
    """The angles of complex numbers in radians; as `np.angle`, at half its price for the few of a drag."""
    return np.arctan2(ways.imag, ways.real)


def _ways(curves: Curves) -> NDArray[np.complex128]:
    """The directions (n, 2) in which strokes leave both their ends, as complex numbers of any length."""
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
    """Which parts of both lines of some pairs, (k, 2, CHUNKS), have boxes nearer than `width` mm to one of the other
    line that no shared corner explains.
    """
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
    """Every line in CHUNKS parts: their boxes, and the points that each has, its last being the first of the next."""

    points: NDArray[np.complex128]
    firsts: Ints
    counts: Ints
    low: Floats
    high: Floats

    @classmethod
    def of_lines(cls, lines: Polylines) -> _Chunks:
        """The parts of some lines."""
        steps = (lines.counts - 1)[:, None] * np.arange(CHUNKS + 1) // CHUNKS
        firsts = (lines.starts[:-1, None] + steps[:, :-1]).ravel()
        counts = (steps[:, 1:] - steps[:, :-1]).ravel() + 1
        points, starts = lines.points.take(ranges(firsts, counts), axis=0), offsets(counts)[:-1]
        low, high = (best.reduceat(points, starts) for best in (np.minimum, np.maximum))
        return cls(paired(lines.points), firsts, counts, low, high)

    def are_near(self, lines: Ints, places: Floats, reach: float) -> Flags:
        """Which places may be nearer than `reach` mm to a line each, by the boxes of its parts."""
        low, high = (boxes.reshape(-1, CHUNKS, 2)[lines] for boxes in (self.low, self.high))
        apart = np.maximum(np.maximum(low - places[:, None], places[:, None] - high), 0.0)
        return np.asarray(((apart**2).sum(axis=2) < reach**2).any(axis=1))

    def seen(self, chunks: Ints, places: NDArray[np.complex128]) -> tuple[Floats, Floats]:
        """In which direction each of some parts is seen from a place, and how far to either side, in radians.

        That is -inf where the part is the place alone, which hides nothing.
        """
        counts = self.counts[chunks]
        ways = self.points[ranges(self.firsts[chunks], counts)] - places.repeat(counts)
        starts = offsets(counts)
        begins, lasts = starts[:-1], starts[1:] - 1
        hidden = np.abs(ways) <= SAME_PLACE
        # A point in the corner itself has no direction; it takes that of its neighbour.
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
    """For parts of both cuts of some pairs, whether a shared corner explains all distances between them."""
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
    """How wide the walls between pairs of cuts are in mm, infinite where there is none, and their middles (k, 2)."""

    widths: Floats
    places: Floats


def _measured(some: Cuts, corners: _Corners, width: float) -> _Found:
    """The walls of less than `width` mm between pairs of cuts, on polylines within EXACT mm."""
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
        # From the one cut to the other, and from the other one back.
        ways = np.concatenate([numbers[at], numbers[at, ::-1]])
        met, sines = corners.met[at], np.sin(corners.angles[at])
        met, sines = (np.concatenate([each, each.swapaxes(1, 2)]) for each in (met, sines))
        parts = np.concatenate([suspects[begin : begin + AT_ONCE, back] for back in (0, 1)])
        owners, which = _places(sampled, firsts, chunks, ways[:, 0], parts)
        # Beside a place that is further away than that there is none of a wall that is thin enough.
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
    """The lines with more points, so that no two are further apart than STEP; and the numbers of their own points."""
    way = np.zeros_like(lines.points)
    np.subtract(lines.points[1:], lines.points[:-1], out=way[:-1])
    way[lines.starts[1:] - 1] = 0.0
    counts = np.maximum(np.ceil(np.hypot(way[:, 0], way[:, 1]) / STEP), 1).astype(np.int64)
    at = np.repeat(np.arange(len(counts)), counts)
    share = ranges(np.zeros_like(counts), counts) / counts[at]
    numbers = offsets(counts)
    return Polylines(lines.points[at] + share[:, None] * way[at], numbers[lines.starts]), numbers[:-1]


def _places(sampled: Polylines, numbers: Ints, chunks: _Chunks, lines: Ints, parts: Flags) -> tuple[Ints, Ints]:
    """The places on some parts (k, CHUNKS) of lines (k,) and those beside them, each once: which of the lines each is
    on, and its number among the points of all sampled lines; `numbers` are those of the points that lines had.
    """
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
    """Points along some lines, the line and the number of each, the ends of all lines, and the others to compare with.

    Points whose numbers follow each other are beside each other. `met` and `sines` (k, 2, 2) say for both ends of each
    line whether the other's ends are there, and what share of the way from there a gap must be to be explained.
    """

    points: Floats
    owners: Ints
    numbers: Ints
    ends: Floats
    others: NDArray[np.object_]
    met: Flags
    sines: Floats

    def unexplained(self, width: float) -> tuple[Ints, Floats, Floats]:
        """The lines that come nearer than `width` mm to the other ones where no corner explains it, how near, and the
        middle between.
        """
        everywhere = _Beside.of(self, self.owners)
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
        """Between places that are explained and the next that are not, the last at which they are not: their lines,
        where they are, and how near. Those are left out at which a line is not nearer than the `least` of it.
        """
        for left in range(HALVINGS, -1, -1):
            # A place is at most as much nearer to the other line than the next as it is away from that one.
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
    """What some places on lines of a course are held against: the other line of each, and its own line's corners."""

    others: NDArray[np.object_]
    ends: Floats
    met: Flags
    sines: Floats

    @classmethod
    def of(cls, course: _Course, owners: Ints) -> _Beside:
        """For places on some lines."""
        return cls(course.others[owners], course.ends[owners], course.met[owners], course.sines[owners])

    def chosen(self, some: Ints) -> _Beside:
        """For some of the places."""
        return _Beside(self.others[some], self.ends[some], self.met[some], self.sines[some])

    def gaps(self, points: Floats) -> Floats:
        """How far in mm the places are from the other line."""
        return np.asarray(shapely.distance(shapely.points(points), self.others))

    def slack(self, points: Floats) -> tuple[Floats, Floats]:
        """How far in mm the places are from the other line, and how much of it a corner explains beyond need."""
        gaps = self.gaps(points)
        way = points[:, None] - self.ends
        away = np.hypot(way[..., 0], way[..., 1])[..., None]
        spare = np.maximum(gaps[:, None, None] - self.sines * away, TIP - away)
        return gaps, np.where(self.met, spare, -np.inf).max(axis=(1, 2))
