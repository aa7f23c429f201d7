"""Tongues of a figure: their places on its outline, and the outline's way round them.

foot: the stretch of the outline that a knob replaces. head: the circle round the rest of the knob. Lengths are in mm,
or in heights of a knob if so stated.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.geometry.board.outline import Bow
from studio.geometry.curves.strokes import Curves, Floats

if TYPE_CHECKING:
    import shapely

FOOT = 2.5
"""The width of a foot, in heights."""
MIDDLE, RADIUS = 0.5, 0.75
"""Height of the middle of a head above the foot, and its radius, in heights."""
HEIGHTS = (1.0, 0.85, 0.7, 0.55)
"""Heights to try in turn, as fractions of the usual height."""
STEP, LOOSE_STEP = 0.5, 1.0
"""The distance in mm between tried places, and the one if every piece gets a knob of its own."""
MOST_TURNED = np.radians(16.0)
"""The largest angle between the outline and the line between the ends of a foot."""
BESIDE = 0.5
"""Distance of a foot from the ends of cuts and from sharp bends, in heights."""
FAR = 0.45
"""Sufficient distance between knobs, as a fraction of the mean spacing along the outline."""
WITHIN = 0.5
"""The least wall of the figure itself beside a knob that points into it, in heights."""
ON_OUTLINE = 0.05
"""Largest distance of a foot from its outline."""
FLATTENING = 0.01
"""The largest deviation in mm of the polyline used to number knobs."""
APART = 0.6
"""Length of outline beside a foot, in heights, that does not obstruct its knob."""


@dataclass(frozen=True, eq=False)
class Knob:
    """A tongue of a figure: the ends (2, 2) of its foot, the unit direction (2,) it points in, and its height.

    `number` counts the tongues of the figure from 1, and `figure` names it among several. A foot runs clockwise on the
    screen.
    """

    foot: Floats
    way: Floats
    height: float
    points_out: bool
    number: int = 0
    figure: str = ""

    @property
    def middle(self) -> Floats:
        """The middle (2,) of its head."""
        return np.asarray(self.foot.mean(axis=0) + MIDDLE * self.height * self.way)

    @property
    def radius(self) -> float:
        """The radius of its head."""
        return RADIUS * self.height

    @property
    def head(self) -> shapely.Polygon:
        """Its head, a disc."""
        import shapely

        return shapely.buffer(shapely.points(self.middle), self.radius)

    def gaps(self, places: Floats) -> Floats:
        """Distances (k,) of places (k, 2) from its head."""
        return np.asarray(np.maximum(np.hypot(*(places - self.middle).T) - self.radius, 0.0))

    def beside(self, place: Floats) -> Floats | None:
        """The place (2,) beside the foot nearest to a place on or near it; None for a place elsewhere."""
        ends, rim = self.foot, BESIDE * self.height
        way = ends[1] - ends[0]
        width = float(np.hypot(*way))
        along, across = (place - ends[0]) @ way / width, (place - ends[0]) @ np.array([-way[1], way[0]]) / width
        if not -0.9 * rim < along < width + 0.9 * rim or abs(across) > self.height:
            return None
        return np.asarray(ends[0] - rim * way / width if along < width / 2 else ends[1] + rim * way / width)


@dataclass(frozen=True)
class Surroundings:
    """Obstacles of knobs: a figure's `area` with its holes, `lines` around it, and cuts `within` it, all kept off by a
    `wall`."""

    area: shapely.Polygon
    lines: NDArray[np.object_]
    wall: float
    within: NDArray[np.object_]


def knobs(
    runs: Sequence[tuple[int, Floats]], around: Surroundings, count: int, height: float, least: float,
    *, in_each: bool = False,
) -> tuple[Knob, ...]:  # fmt: skip
    """Place up to `count` knobs on a figure, far apart, into as many pieces as possible, out and in alternately.

    `runs` are the polylines (n, 2) of its outline between cuts and sharp bends, clockwise on the screen, each with the
    number of the piece beyond. Knobs are `height` high, or lower if that makes room for more, down to `least`. With
    `in_each` a piece without room gets a lower one by itself, and none gets two before all have one.
    """
    best: tuple[Knob, ...] = ()
    length = sum(float(np.hypot(*np.diff(run, axis=0).T).sum()) for _, run in runs)
    enough, counts = FAR * length / count, dict[int, int]()
    if in_each:
        most = max(1, count // len({piece for piece, _ in runs}))
        for each in sorted({max(share * height, least) for share in HEIGHTS}, reverse=True):
            done = {piece for piece, own in counts.items() if own >= most}
            if len(best) == count or len(done) == len({piece for piece, _ in runs}):
                break
            candidates = _candidates(runs, around, each, done, LOOSE_STEP)
            best = _apart(candidates, around.wall, count, enough, counts, most, best)
        return best
    for share in HEIGHTS:
        if share * height < least:
            break
        found = _apart(_candidates(runs, around, share * height), around.wall, count, enough, {}, count)
        if len(found) > len(best):
            best = found
        if len(best) == count:
            break
    return best


@dataclass(frozen=True, eq=False)
class _Candidate:
    """A knob between the figure and a piece, in the directions with room for it, and the room to spare."""

    piece: int
    knobs: tuple[Knob, ...]
    spare: float


@dataclass(frozen=True, eq=False)
class _Outline:
    """Points (n, 2) all round a figure, their distances along it (n,), and its whole length."""

    points: Floats
    at: Floats
    length: float

    def beyond(self, place: float, margin: float) -> Floats:
        """The points further than a margin from a place along the outline."""
        away = np.abs(self.at - place)
        return np.asarray(self.points[np.minimum(away, self.length - away) > margin])


def _candidates(
    runs: Sequence[tuple[int, Floats]], around: Surroundings, height: float, done: Collection[int] = (),
    step: float = STEP,
) -> list[_Candidate]:  # fmt: skip
    """Places for knobs, a `step` apart in mm, into pieces that are not `done`."""
    lines = [_stationed(run) for _, run in runs]
    begins = np.concatenate([[0.0], np.cumsum([at[-1] for _, at in lines])])
    stations = np.concatenate([at + begin for (_, at), begin in zip(lines, begins, strict=False)])
    outline = _Outline(np.concatenate([points for points, _ in lines]), stations, float(begins[-1]))
    found = []
    for (piece, _), (points, at), begin in zip(runs, lines, begins, strict=False):
        for place, foot in () if piece in done else _feet(points, at, height, step):
            x, y = (foot[1] - foot[0]) / np.hypot(*(foot[1] - foot[0]))
            out = np.array([y, -x])
            far = outline.beyond(begin + place, (FOOT / 2 + APART) * height)
            ways = (Knob(foot, out, height, True), Knob(foot, -out, height, False))
            spare = [_spare(knob, far, around) for knob in ways]
            able = tuple(knob for knob, room in zip(ways, spare, strict=True) if room >= 0)
            if able:
                found.append(_Candidate(piece, able, max(spare)))
    return found


def _stationed(run: Floats) -> tuple[Floats, Floats]:
    """Closely spaced points (n, 2) of a line, and their distances along it (n,)."""
    ways = np.diff(run, axis=0)
    at = np.concatenate([[0.0], np.cumsum(np.hypot(ways[:, 0], ways[:, 1]))])
    close = np.linspace(0.0, at[-1], max(2, int(np.ceil(at[-1] / STEP)) + 1))
    every = np.union1d(at, close)
    return np.stack([np.interp(every, at, run[:, axis]) for axis in (0, 1)], 1), every


def _feet(points: Floats, at: Floats, height: float, step: float) -> Iterator[tuple[float, Floats]]:
    """Yield the places at which a line hardly bends, and the ends (2, 2) of a foot there."""
    ways = np.diff(points, axis=0)
    half, rim = FOOT * height / 2, BESIDE * height
    for place in np.arange(half + rim, at[-1] - half - rim, step).tolist():
        foot = np.stack([np.interp([place - half, place + half], at, points[:, axis]) for axis in (0, 1)], 1)
        low, high = np.searchsorted(at, [place - half, place + half])
        between = ways[max(int(low) - 1, 0) : int(high)]
        chord = foot[1] - foot[0]
        turns = np.angle((between[:, 0] + 1j * between[:, 1]) * complex(*chord).conjugate())
        if np.abs(turns).max() < MOST_TURNED:
            yield place, foot


def _spare(knob: Knob, far: Floats, around: Surroundings) -> float:
    """Room to spare around a knob, negative if too little; `far` (n, 2) is the rest of the outline."""
    import shapely

    middle = shapely.points(knob.middle)
    gaps = float(np.hypot(*(far - knob.middle).T).min(initial=np.inf))
    if knob.points_out == bool(shapely.contains(around.area, middle)):
        return -1.0
    if knob.points_out:
        gaps = float(shapely.distance(around.lines, middle).min(initial=gaps))
    else:
        gaps = min(gaps, *(float(shapely.distance(hole, middle)) for hole in around.area.interiors), np.inf)
        gaps = float(shapely.distance(around.within, middle).min(initial=gaps))
    wall = around.wall if knob.points_out else max(around.wall, WITHIN * knob.height)
    return gaps - knob.radius - wall


def _apart(
    candidates: Sequence[_Candidate], wall: float, count: int, enough: float, counts: dict[int, int], most: int,
    before: Sequence[Knob] = (),
) -> tuple[Knob, ...]:  # fmt: skip
    """Choose knobs with walls between them, one by one, in addition to those of `before`.

    Pieces with fewer knobs, by `counts`, which are kept up, come first, then places far from the chosen ones, up to
    `enough`, then places with most room. No piece gets more than `most`.
    """
    chosen = [*before]
    places = np.array([one.knobs[0].foot.mean(axis=0) for one in candidates]).reshape(-1, 2)
    gaps = np.full(len(candidates), enough)
    left = set(range(len(candidates)))
    while left and len(chosen) < count:
        at = max(left, key=lambda at: (-counts.get(candidates[at].piece, 0), gaps[at], candidates[at].spare, -at))
        left.remove(at)
        one = candidates[at]
        if counts.get(one.piece, 0) >= most:
            continue
        outward = sum(knob.points_out for knob in chosen)
        wanted = sorted(one.knobs, key=lambda knob: knob.points_out != (2 * outward <= len(chosen)))
        fits = (knob for knob in wanted if all(_are_apart(knob, other, wall) for other in chosen))
        knob = next(fits, None)
        if knob is not None:
            chosen.append(knob)
            counts[one.piece] = counts.get(one.piece, 0) + 1
            gaps = np.minimum(gaps, np.hypot(*(places - places[at]).T))
    return tuple(chosen)


def _are_apart(one: Knob, other: Knob, wall: float) -> bool:
    """True if two knobs leave a wall between them, and a stretch of the outline between their feet."""
    feet = float(np.hypot(*(one.foot - other.foot).mean(axis=0))) - FOOT * (one.height + other.height) / 2
    heads = float(np.hypot(*(one.middle - other.middle))) - one.radius - other.radius
    return feet >= max(wall, one.height) and heads >= wall


def numbered(own: Sequence[Knob], ring: Floats, wanted: int) -> tuple[Knob, ...]:
    """Number the knobs on a ring (3k + 1, 2) up to `wanted`, in their order from the ring's beginning.

    A number belongs to a share of the ring, so that tongues keep their numbers if a figure has a little more or less
    room for them.
    """
    if not own:
        return ()
    import shapely

    line = shapely.linestrings(Curves.from_strokes([ring]).flattened(FLATTENING)[0])
    middles = shapely.points(np.array([knob.foot.mean(axis=0) for knob in own]))
    shares = shapely.line_locate_point(line, middles, normalized=True)
    order = np.argsort(shares, kind="stable")
    usual = (np.arange(wanted) + 0.5) / wanted
    best: tuple[float, list[int], list[int]] | None = None
    for chosen in combinations(range(wanted), len(own)):
        for turn in range(len(own)):
            turned = np.roll(order, turn)
            away = np.abs(shares[turned] - usual[[*chosen]])
            cost = round(float((np.minimum(away, 1 - away) ** 2).sum()), 9)
            if best is None or cost < best[0]:
                best = cost, turned.tolist(), [*chosen]
    assert best is not None
    found = [replace(own[at], number=number + 1) for at, number in zip(*best[1:], strict=True)]
    return tuple(sorted(found, key=lambda knob: knob.number))


def parts_between(stroke: Floats, own: Sequence[Knob]) -> tuple[list[Floats], list[Knob]]:
    """Split a stroke (3k + 1, 2) at the feet of the knobs on it; return the parts and these knobs, along the stroke.

    Every other part is a foot, and each knob's foot runs along the stroke.
    """
    bow = Bow(stroke)
    low, high = stroke.min(axis=0) - ON_OUTLINE, stroke.max(axis=0) + ON_OUTLINE
    count = (len(stroke) - 1) // 3
    found = []
    for knob in own:
        if ((knob.foot < low) | (knob.foot > high)).any():
            continue
        begin, end = bow.stations(knob.foot, np.zeros(2)).tolist()
        gaps = np.hypot(*(bow.at(np.array([begin, end])) - knob.foot).T)
        if gaps.max() < ON_OUTLINE and min(begin, end) > 0 and max(begin, end) < count:
            foot = knob.foot if begin < end else knob.foot[::-1]
            found.append((min(begin, end), max(begin, end), replace(knob, foot=foot)))
    found.sort(key=lambda one: one[0])
    stations = np.array([0.0, *(at for begin, end, _ in found for at in (begin, end)), float(count)])
    return list(bow.between(stations)), [knob for _, _, knob in found]
