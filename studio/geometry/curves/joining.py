"""Joining strokes of any order into rings, and welding rings that overlap.

Lines drawn twice are left out, and closed gaps counted. shapely finds the union of rings, and its stretches are cut out
of the rings themselves. stroke, ring, chain: control points (3k + 1, 2) of cubics in mm; a ring ends exactly where it
begins. place: a place on a ring, counted in chords from its beginning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, offsets, paired

GAP = 0.05
"""Default of the largest gap in mm between two ends that are joined."""
WIDEST_GAP = 5.0
"""The largest gap in mm to choose."""
SHORTEST_RING = 4.0
"""The least extent in gaps of a stroke whose own ends are joined."""
ON_TOP = 0.01
"""The largest distance in mm of a line from other lines that cover it."""
MOST_COMPARED = 2_000
"""Most open strokes that are searched for covered lines."""
FLATTENING = 0.002
"""The largest deviation in mm of the polylines by which they are compared."""
ROUNDED = 1e-3
"""A gap in mm below which ends meet but for rounding."""
ENDS_A_STEP = 2**16
MOST_PAIRS = 2**21
"""Most pairs of ends within a gap."""
MOST_COVERING = 200_000
"""Most points of lines compared in the search for covered lines."""


@dataclass
class Joined:
    """Rings, chains that stay open, the widths in mm of closed gaps, and the number of repeated strokes."""

    rings: list[Floats]
    open: list[Floats]
    gaps: list[float] = field(default_factory=list)
    repeated: int = 0

    def notes(self, copies: int = 0) -> list[str]:
        """Sentences about repeated strokes, with `copies` of rings, and about the gaps."""
        notes = []
        if self.repeated + copies:
            notes.append(tr("Left out {rings}: drawn twice.", rings=many(self.repeated + copies, "path")))
        if self.gaps:
            gaps, largest = many(len(self.gaps), "gap"), max(self.gaps)
            notes.append(tr("Closed {gaps}, the largest {largest:.2f} mm wide.", gaps=gaps, largest=largest))
        return notes


def joined(strokes: Sequence[Floats], gap: float, progress: Progress) -> Joined:
    """Join strokes with ends no further apart than `gap` mm, the nearest first, into rings and open chains."""
    rings = [stroke for stroke in strokes if (stroke[0] == stroke[-1]).all()]
    # Without repeated strokes, also backwards.
    kept: dict[bytes, Floats] = {}
    for stroke in strokes:
        if (stroke[0] != stroke[-1]).any():
            rounded = np.round(stroke / ROUNDED)
            kept.setdefault(min(rounded.tobytes(), rounded[::-1].tobytes()), stroke)
    open_ones, repeated = list(kept.values()), len(strokes) - len(rings) - len(kept)
    found = _joined(open_ones, gap, progress)
    if found.open and len(open_ones) <= MOST_COMPARED:
        parting = _without_covered(open_ones, rings)
        if len(parting) < len(open_ones):
            repeated += len(open_ones) - len(parting)
            found = _joined(parting, gap, progress)
    return Joined(rings + found.rings, found.open, found.gaps, repeated)


def closed(strokes: Sequence[Floats], gap: float, progress: Progress) -> Joined:
    """Join strokes by `joined`; raises StudioError, to follow a file's name, if an end stays loose."""
    found = joined(strokes, gap, progress)
    if found.open:
        raise StudioError(_loose(found.open, gap))
    return found


def _joined(open_ones: list[Floats], gap: float, progress: Progress) -> Joined:
    found = Joined([], open_ones)
    for reach in (0.0, gap):
        chains, gaps = _chained(found.open, reach, progress)
        found.rings += [chain for chain in chains if (chain[0] == chain[-1]).all()]
        found.open = [chain for chain in chains if (chain[0] != chain[-1]).any()]
        found.gaps += [wide for wide in gaps if wide > ROUNDED]
    return found


def _without_covered(strokes: list[Floats], rings: list[Floats]) -> list[Floats]:
    """Remove strokes covered by other lines, the shortest first."""
    import shapely

    flat = Curves.from_strokes([*strokes, *rings]).flattened(FLATTENING)
    lines = shapely.linestrings(flat.points, indices=flat.owners)
    tree = shapely.STRtree(lines)
    kept, compared = np.ones(len(lines), bool), 0
    for at in np.argsort(shapely.length(lines[: len(strokes)]), kind="stable").tolist():
        near = tree.query(lines[at], predicate="dwithin", distance=ON_TOP)
        near = near[kept[near] & (near != at)]
        compared += int(shapely.get_num_coordinates(lines[near]).sum())
        if compared > MOST_COVERING:
            break
        if len(near):
            around = shapely.buffer(shapely.multilinestrings(lines[near]), ON_TOP)
            kept[at] = not shapely.covers(around, lines[at])
    return [stroke for stroke, keeps in zip(strokes, kept[: len(strokes)].tolist(), strict=True) if keeps]


def _chained(strokes: list[Floats], gap: float, progress: Progress) -> tuple[list[Floats], list[float]]:
    """Chain strokes with ends no further apart than `gap` mm; also return the gaps."""
    if not strokes:
        return [], []
    whole, starts = np.concatenate(strokes), offsets(np.array([len(stroke) for stroke in strokes]))[:-1]
    spans = (np.maximum.reduceat(whole, starts) - np.minimum.reduceat(whole, starts)).max(axis=1)
    partner, gaps = _partners(np.concatenate([stroke[[0, -1]] for stroke in strokes]), spans, gap)
    seen = np.zeros(len(strokes), bool)
    loose = np.flatnonzero(partner < 0).tolist()
    chains = []
    for number, end in enumerate([*loose, *range(0, 2 * len(strokes), 2)]):
        if number % ENDS_A_STEP == 0:
            progress.step(number / (len(loose) + len(strokes)))
        if seen[end >> 1]:
            continue
        parts, at = [], end
        while at >= 0 and not seen[at >> 1]:
            seen[at >> 1] = True
            stroke = strokes[at >> 1]
            parts.append(stroke if at % 2 == 0 else stroke[::-1])
            at = int(partner[at ^ 1])
        chains.append(_in_one(parts, is_ring=at >= 0))
    return chains, gaps


def _partners(ends: Floats, spans: Floats, gap: float) -> tuple[Ints, list[float]]:
    """The partner of each end (2n, 2), -1 for a loose end, and their distances; strokes measure `spans` mm.

    A stroke no larger than SHORTEST_RING gaps is not closed in itself.
    """
    one, other = _together(ends) if gap == 0 else _near(ends, gap)
    fit = (one < other) & ((one >> 1 != other >> 1) | (spans[one >> 1] > SHORTEST_RING * gap))
    one, other = one[fit], other[fit]
    apart = np.hypot(*(ends[one] - ends[other]).T)
    order = np.argsort(apart, kind="stable")
    # Lists, since single numbers of arrays are slow.
    partner = [-1] * len(ends)
    gaps = []
    for first, second, wide in zip(one[order].tolist(), other[order].tolist(), apart[order].tolist(), strict=True):
        if partner[first] < 0 and partner[second] < 0:
            partner[first], partner[second] = second, first
            gaps.append(wide)
    return np.array(partner, np.int64), gaps


def _together(ends: Floats) -> tuple[Ints, Ints]:
    """Pairs of ends at one place, each end in one pair at most."""
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    is_new = np.append(True, (np.diff(ends[order], axis=0) != 0).any(axis=1))
    firsts = np.flatnonzero(is_new)
    turn = np.arange(len(ends)) - firsts[np.cumsum(is_new) - 1]
    second = np.flatnonzero(turn % 2)
    pairs = np.sort(np.stack([order[second - 1], order[second]], 1), axis=1)
    return pairs[:, 0], pairs[:, 1]


def _near(ends: Floats, gap: float) -> tuple[Ints, Ints]:
    """Pairs of ends no further apart than `gap` mm; raises StudioError for more than MOST_PAIRS."""
    import shapely

    places = shapely.points(ends)
    tree = shapely.STRtree(places)
    step = max(1, MOST_PAIRS // len(ends))
    found, count = [], 0
    for at in range(0, len(ends), step):
        one, other = tree.query(places[at : at + step], predicate="dwithin", distance=gap)
        found.append(np.stack([one + at, other]))
        count += len(one)
        if count > MOST_PAIRS:
            raise StudioError(
                tr("too many of its lines end within {gap:g} mm of each other. Simplify the drawing.", gap=gap)
            )
    pairs = np.concatenate(found, axis=1)
    return pairs[0], pairs[1]


def _in_one(parts: list[Floats], *, is_ring: bool) -> Floats:
    """Join consecutive strokes into one, moving ends and handles to close gaps."""
    moved = [parts[0].copy()]
    for part in parts[1:]:
        begin = moved[-1][-1]
        following = part.copy()
        following[:2] += begin - part[0]
        moved.append(following)
    if is_ring:
        begin, last = moved[0][0].copy(), moved[-1]
        last[-2] += begin - last[-1]
        last[-1] = begin
    return np.concatenate([moved[0], *(part[1:] for part in moved[1:])])


def _loose(chains: list[Floats], gap: float) -> str:
    """Sentence on open strokes."""
    longest = max(chains, key=lambda chain: float(np.ptp(chain, axis=0).max()))
    (x, y), (end_x, end_y) = longest[0].tolist(), longest[-1].tolist()
    loose = np.concatenate([chain[[0, -1]] for chain in chains])
    nearest = np.sort(np.hypot(*(loose - longest[-1]).T))[1]
    words = tr(
        "{count} not closed: one starts at {x:.2f}, {y:.2f} mm and ends at {end_x:.2f}, {end_y:.2f} mm.",
        count=tr("{paths} are", paths=many(len(chains), "path")) if len(chains) > 1 else tr("1 path is"),
        x=x, y=y, end_x=end_x, end_y=end_y,
    )  # fmt: skip
    if gap < nearest <= WIDEST_GAP:
        words += " " + tr(
            "The next end is {nearest:.2f} mm away; gaps up to {gap:g} mm are closed.", nearest=nearest, gap=gap
        )
    return words


if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


CHORD = 0.002
"""The largest distance in mm of a chord from its cubic."""
LINES_AT_ONCE = 50
MOST_CHORDS = 64
"""Chords of one cubic."""
MOST_LINES, MOST_MEETINGS = 200_000, 600_000
"""Chords, and pairs of them whose boxes meet, beyond which shapely would fill the memory."""
SAME_PLACE = 1e-6
"""Length in chords below which a stretch is a rounding error."""
SLIVER = 1e-4
"""Area in mm² below which a gap between two paths is a rounding error."""


def welded(rings: Sequence[Floats]) -> list[Floats]:
    """Outlines of the area that rings enclose, and of its holes.

    A ring within another ring is its hole, a ring within that hole is solid again. A ring that crosses itself encloses
    every place that it goes round. Curves keep their stretches, which end at crossings within CHORD. Raises
    StudioError, to follow a file's name, for too many crossings.
    """
    import shapely

    flat = [_Flat(ring) for ring in rings]
    chords = np.concatenate([np.stack([one.points[:-1], one.points[1:]], 1) for one in flat])
    lines = shapely.linestrings(chords)
    tree = shapely.STRtree(lines)
    met = 0
    for begin in range(0, min(len(lines), MOST_LINES + 1), LINES_AT_ONCE):
        met += tree.query(lines[begin : begin + LINES_AT_ONCE]).shape[1]
        if met > MOST_MEETINGS or len(lines) > MOST_LINES:
            raise StudioError(tr("its paths have too many points or crossings to weld. Simplify the drawing."))
    united = _united([_enclosed(one.points) for one in flat])
    outlines = [
        np.asarray(ring.coords)
        for polygon in shapely.get_parts(united)
        for ring in (polygon.exterior, *polygon.interiors)
        if shapely.area(shapely.Polygon(ring)) > SLIVER
    ]
    starts = offsets(np.array([len(one.points) - 1 for one in flat]))
    made = []
    for outline in outlines:
        nearest = tree.nearest(shapely.points((outline[:-1] + outline[1:]) / 2))
        owners = np.searchsorted(starts, nearest, "right") - 1
        numbers = nearest - starts[owners]
        begins, ends = (numbers + _share(points, chords[nearest]) for points in (outline[:-1], outline[1:]))
        made.append(_traced(outline, flat, owners, begins, ends))
    return made


def _share(points: Floats, chords: Floats) -> Floats:
    """Share of its chord (2, 2) at each point, 0 to 1."""
    ways = chords[:, 1] - chords[:, 0]
    return np.asarray(np.clip(((points - chords[:, 0]) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0.0, 1.0))


class _Flat:
    """A ring and the chords of its cubics, `counts` for each."""

    def __init__(self, ring: Floats) -> None:
        self.cubics = ring[3 * np.arange(len(ring) // 3)[:, None] + np.arange(4)]
        bends = np.abs(np.diff(self.cubics, n=2, axis=1)).sum(axis=2).max(axis=1)
        self.counts = np.clip(np.ceil(np.sqrt(0.75 * bends / CHORD)), 1, MOST_CHORDS).astype(np.int64)
        self.starts = offsets(self.counts)
        owners = np.repeat(np.arange(len(self.counts)), self.counts)
        share = ((np.arange(self.starts[-1]) - self.starts[owners]) / self.counts[owners])[:, None]
        weights = np.concatenate(
            [(1 - share) ** 3, 3 * share * (1 - share) ** 2, 3 * share**2 * (1 - share), share**3], 1
        )
        self.points = np.append((weights[..., None] * self.cubics[owners]).sum(axis=1), ring[:1], axis=0)

    def between(self, begin: float, end: float) -> Floats:
        """Control points of the stretch from one place to a later one."""
        first = int(np.searchsorted(self.starts, begin, "right")) - 1
        last = int(np.searchsorted(self.starts, end, "left")) - 1
        parts = []
        for cubic in range(first, last + 1):
            low, high = (
                min(max((place - self.starts[cubic]) / self.counts[cubic], 0.0), 1.0) for place in (begin, end)
            )
            parts.append(_part(self.cubics[cubic], low, high))
        return np.concatenate([parts[0][:1], *(part[1:] for part in parts)])


def _part(cubic: Floats, low: float, high: float) -> Floats:
    """Control points (4, 2) of the part of a cubic between two shares of it, by its blossom."""

    def at(*shares: float) -> Floats:
        points: Floats = cubic
        for share in shares:
            points = points[:-1] * (1 - share) + points[1:] * share
        return np.asarray(points[0])

    if (low, high) == (0.0, 1.0):
        return cubic
    return np.stack([at(low, low, low), at(low, low, high), at(low, high, high), at(high, high, high)])


def _enclosed(points: Floats) -> BaseGeometry:
    """The area of all places that a closed line goes round."""
    import shapely

    polygon = shapely.Polygon(points)
    if shapely.is_valid(polygon):
        return polygon
    faces = shapely.get_parts(shapely.polygonize([shapely.node(shapely.LineString(points))]))
    places = shapely.get_coordinates(shapely.point_on_surface(faces))
    ways = paired(points) - paired(places)[:, None]
    turns = np.angle(ways[:, 1:] / ways[:, :-1]).sum(axis=1)
    return shapely.union_all(faces[np.abs(turns) > np.pi])


def _united(areas: list[BaseGeometry]) -> BaseGeometry:
    """Unite areas; an area within an odd number of others is a hole in the smallest of them."""
    import shapely

    outer, inner = shapely.STRtree(areas).query(areas, predicate="contains_properly")
    depths = np.bincount(inner, minlength=len(areas))
    sizes = shapely.area(areas)
    solids = {at: areas[at] for at in np.flatnonzero(depths % 2 == 0).tolist()}
    for at in np.flatnonzero(depths % 2).tolist():
        around = outer[inner == at]
        parent = int(around[sizes[around].argmin()])
        if parent in solids:
            solids[parent] = shapely.difference(solids[parent], areas[at])
    return shapely.union_all(list(solids.values()))


def _traced(outline: Floats, flat: list[_Flat], owners: Ints, begins: Floats, ends: Floats) -> Floats:
    """Trace an outline along the stretches of the rings under its chords, from `begins` to `ends` on their owners."""
    falls = ends < begins
    goes_on = (owners[1:] == owners[:-1]) & (falls[1:] == falls[:-1]) & (np.abs(begins[1:] - ends[:-1]) < SAME_PLACE)
    breaks = [0, *(np.flatnonzero(~goes_on) + 1).tolist(), len(owners)]
    parts: list[Floats] = []
    for first, after in pairwise(breaks):
        low, high = sorted((float(begins[first]), float(ends[after - 1])))
        if high - low < SAME_PLACE:
            continue
        part = flat[owners[first]].between(low, high)
        part = part[::-1].copy() if falls[first] else part
        begin = parts[-1][-1] if parts else outline[first]
        part[1] += begin - part[0]
        part[0] = begin
        part[-2] += outline[after] - part[-1]
        part[-1] = outline[after]
        parts.append(part)
    whole = np.concatenate([parts[0][:1], *(part[1:] for part in parts)])
    whole[-1] = whole[0]
    return whole
