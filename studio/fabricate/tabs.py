"""Additions to a sheet: holding tabs, labels of pieces in single strokes, and registration marks.

tab: a short stretch of a cut that stays uncut, so that no piece falls before it is pressed out, as wide as the gap in
its path. calm: far from corners and tight curves, so that a tab breaks off cleanly. place: a point of a stroke, by its
arc length from the stroke's first end in mm. overlay: a separate drawing of the engraving on the other side of a sheet,
or at another time: the lines, and the outline of the board for alignment.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import heappop, heappush

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.amounts import abridged
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.fabricate.contours import Contours
from studio.fabricate.cut_network import Network
from studio.fabricate.lead_ins import expanded
from studio.geometry.art import artwork_transform
from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats, Ints, distinct, frozen, offsets, split_at, through
from studio.geometry.planar.drawing import CUTS, NO_TABS, Chain, Drawing, Operation, Pieces
from studio.geometry.planar.regions import pieces_as_polygons

STEP = 0.5
"""Distance in mm between considered places."""
MOST_PLACES = 4000
"""Most places on a stroke."""
LEAST_CUT = 0.3
"""Least length in mm that is cut between two tabs, and between a tab and a corner, at a stroke's end or within it."""
CORNER = np.radians(30.0)
"""Least abrupt turn of a cut at a corner, in radians."""
CLEAR = 1.0
"""Distance in mm of a calm tab from corners and tight curves."""
CALM = np.radians(20.0)
"""Largest turn of a cut, in radians, along a calm tab and the clear stretches beside it."""
MOST_TURNED = np.radians(60.0)
"""Largest turn of a cut, in radians, along any tab: tabs do not go around corners or knobs."""
WIDEST = 1000.0
"""Largest width in mm of a tab that is tried."""
RESTLESS = 4.0
"""Number of calm tabs in a row that are as good as a single tab that is not calm."""
ROUNDING = 1e-6
"""Length in mm up to which it is a rounding error."""
FOLLOWED = 0.01
"""Largest deviation in mm of the polylines that show the turns of curves."""
LARGEST_LETTERS, SMALLEST_LETTERS = 4.0, 1.0
"""Usual and least height of labels in mm; pieces too small for the least get no label."""
ROOM = 0.8
"""Fraction of the largest circle in a piece that its label may fill."""
NO_PIECES = Pieces(frozen(np.empty(0, np.int64)), frozen(np.zeros(1, np.int64)), ())


@dataclass(frozen=True)
class TabRule:
    """Tabs of a width in mm: at least `count` for each piece, or a tab every `spacing` mm along each cut."""

    width: float
    count: int = 1
    spacing: float = 0.0


@dataclass(frozen=True, eq=False)
class Tabs:
    """Tabs: their strokes, ascending, and the places of their middles; `notes` are for the maker."""

    width: float
    strokes: Ints
    places: Floats
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.strokes)


def tabs_for(network: Network, rule: TabRule) -> Tabs:
    """Place the tabs of a drawing: every piece hangs on the frame by tabs, directly or through its neighbours.

    Raise StudioError for a piece without an edge that a tab fits.
    """
    placing = _Placing(network, rule.width)
    if rule.spacing > 0:
        placing.space(rule.spacing)
    placing.hold()
    short = placing.add(rule.count) if rule.spacing <= 0 else []
    strokes = [stroke for stroke, places in sorted(placing.taken.items()) for _ in places]
    places = [place for _, places in sorted(placing.taken.items()) for place in sorted(places)]
    notes: tuple[str, ...] = ()
    if short:
        note = tr("There is room for fewer than {count} tabs on {pieces}.", count=rule.count, pieces=abridged(short, 3))
        notes = (note,)
    return Tabs(rule.width, np.array(strokes, np.int64), np.array(places, np.float64), notes)


@dataclass(frozen=True, eq=False)
class _Places:
    """Places on strokes where a tab fits: stroke, arc length and cost of each; the cost of a calm place is 0."""

    strokes: Ints
    at: Floats
    cost: Floats

    @classmethod
    def on(cls, curves: Curves, chosen: Ints, width: float) -> _Places:
        """Find the places of strokes, sorted by stroke and place."""
        lengths = curves.lengths[chosen]
        room = lengths - width - 2 * LEAST_CUT
        chosen, lengths, room = chosen[room >= 0], lengths[room >= 0], room[room >= 0]
        counts = np.clip(np.ceil(room / STEP), 1, MOST_PLACES).astype(np.int64)
        owners = np.repeat(np.arange(len(chosen)), counts)
        within = np.arange(int(counts.sum())) - np.repeat(offsets(counts)[:-1], counts)
        share = np.where(counts[owners] > 1, within / np.maximum(counts[owners] - 1, 1), 0.5)
        at = width / 2 + LEAST_CUT + share * room[owners]
        turned, around = _turned(curves.chosen(chosen), lengths, owners, at, (width / 2, width / 2 + CLEAR))
        # The first and last places are exactly this far from the ends, so less by ROUNDING.
        (corners,) = _turned(curves.chosen(chosen), lengths, owners, at, (width / 2 + LEAST_CUT - ROUNDING,), CORNER)
        fits = (turned <= MOST_TURNED) & (corners == 0)
        cost = np.where(around <= CALM, 0.0, around)
        return cls(chosen[owners][fits], at[fits], cost[fits])

    @cached_property
    def starts(self) -> dict[int, slice]:
        """Slice of the places of each stroke."""
        strokes = distinct(self.strokes)
        ends = [*np.searchsorted(self.strokes, strokes).tolist(), len(self.strokes)]
        return {stroke: slice(*ends[at : at + 2]) for at, stroke in enumerate(strokes.tolist())}


def _turned(
    curves: Curves, lengths: Floats, owners: Ints, at: Floats, reaches: Sequence[float], least: float = 0.0
) -> list[Floats]:
    """Total turn of strokes within each reach of places on them; ends count as corners.

    Abrupt turns of less than `least` do not count.
    """
    if not len(lengths):
        return [np.empty(0) for _ in reaches]
    lines = curves.flattened(FOLLOWED)
    way = np.diff(lines.points, axis=0)
    steps = np.hypot(way[:, 0], way[:, 1])
    heading = np.arctan2(way[:, 1], way[:, 0])
    turn = np.zeros(len(lines.points))
    turn[1:-1] = np.abs((np.diff(heading) + np.pi) % (2 * np.pi) - np.pi)
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    turn[first] = turn[last] = np.pi
    turn[turn < least] = 0.0
    along = np.concatenate([[0.0], np.cumsum(steps)])
    along -= along[first][lines.owners]
    # Chords are slightly shorter than their curve. Strokes are set apart, so that a single search finds all.
    along *= (lengths / np.maximum(along[last], 1e-12))[lines.owners]
    # Beginnings of lengths on a common line, each set apart from the previous.
    begins = np.zeros(len(lengths))
    np.cumsum(lengths[:-1] + (4 * max(reaches)), out=begins[1:])
    total = np.concatenate([[0.0], np.cumsum(turn)])
    where = along + begins[lines.owners]
    middles = begins[owners] + at
    return [
        total[np.searchsorted(where, middles + reach, side="right")]
        - total[np.searchsorted(where, middles - reach, side="left")]
        for reach in reaches
    ]


class _Placing:
    """Tabs while they are placed: `taken` holds the places of tabs on each stroke."""

    def __init__(self, network: Network, width: float) -> None:
        self._network, self._width = network, width
        self._curves = network.drawing.strokes
        cuts = distinct(network.cuts)
        # A cut with the same piece on both sides holds nothing.
        cuts = cuts[network.sides[cuts, 0] != network.sides[cuts, 1]]
        self._places = _Places.on(self._curves, cuts, width)
        self.taken: dict[int, list[float]] = {}

    def _take(self, place: int) -> None:
        self.taken.setdefault(int(self._places.strokes[place]), []).append(float(self._places.at[place]))

    def _open(self, places: Ints) -> Ints:
        """Choose the places far enough from all tabs."""
        least = self._width + LEAST_CUT
        free = np.ones(len(places), bool)
        strokes, at = self._places.strokes[places], self._places.at[places]
        for stroke in distinct(strokes).tolist():
            for tab in self.taken.get(stroke, ()):
                free &= (strokes != stroke) | (np.abs(at - tab) >= least)
        return places[free]

    def space(self, spacing: float) -> None:
        """Place a tab every `spacing` mm along each cut, if there is room nearby."""
        sides, frame = self._network.sides, self._network.frame
        for chain in self._network.chains:
            if chain.operation not in CUTS:
                continue
            strokes = chain.strokes >> 1
            # The contents of a hole are waste, and may fall.
            useful = (sides[strokes] <= frame).all(axis=1)
            way = _Way.from_places(self._places, self._curves, chain.strokes[useful])
            count = max(1, round(way.length / spacing))
            targets = (np.arange(count) + 0.5) * way.length / count
            self._near(way, targets, way.length / count, is_ring=False)

    def _near(self, way: _Way, targets: Floats, pitch: float, *, is_ring: bool) -> int:
        """Take a calm place near each target, within half a pitch; return the number of places taken."""
        found = 0
        for target in targets.tolist():
            places = way.places
            apart = np.abs(way.at - target)
            if is_ring:
                apart = np.minimum(apart, way.length - apart)
            near = apart <= pitch / 2 + 1e-9
            if not near.any():
                continue
            places, apart = places[near], apart[near]
            free = np.isin(places, self._open(places))
            places, apart = places[free], apart[free]
            if len(places):
                cost = self._places.cost[places]
                self._take(int(places[np.argmin(apart / pitch + cost + (cost > 0))]))
                found += 1
        return found

    def hold(self) -> None:
        """Hang every piece on the frame by tabs, along the shortest path; existing tabs cost nothing."""
        network, frame = self._network, self._network.frame
        links: list[list[tuple[int, int, float]]] = [[] for _ in range(network.region_count)]
        for stroke, which in self._places.starts.items():
            worst = float(self._places.cost[which].min())
            weight = 0.0 if stroke in self.taken else 1.0 if worst == 0 else RESTLESS + worst
            one, other = network.sides[stroke].tolist()
            links[one].append((other, stroke, weight))
            links[other].append((one, stroke, weight))
        towards = _shortest(links, frame)
        needed: set[int] = set()
        for piece in range(frame):
            if piece not in towards:
                self._refuse(piece)
            here = piece
            while here != frame:
                here, stroke = towards[here]
                needed.add(stroke)
        for stroke in sorted(needed - self.taken.keys()):
            which = self._places.starts[stroke]
            aside = np.abs(self._places.at[which] - self._curves.lengths[stroke] / 2)
            best = np.lexsort((aside, self._places.cost[which]))[0]
            self._take(which.start + int(best))

    def _refuse(self, piece: int) -> None:
        pieces = self._network.drawing.pieces
        own = distinct(pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]] >> 1)
        widest, wider = 0.0, min(self._width, WIDEST)
        while wider - widest > 0.05:
            middle = (widest + wider) / 2
            if len(_Places.on(self._curves, own, middle).at):
                widest = middle
            else:
                wider = middle
        raise StudioError(
            tr(
                "A {width:g} mm tab does not fit any edge of piece {piece}; the widest that does is {widest:.1f} mm.",
                width=self._width,
                piece=pieces.names[piece],
                widest=np.floor(10 * widest) / 10,
            )
        )

    def add(self, count: int) -> list[str]:
        """Add tabs, evenly spread, to pieces with fewer than `count`; return the names of pieces without room."""
        pieces, short = self._network.drawing.pieces, []
        for piece, name in enumerate(pieces.names):
            way = _Way.from_places(
                self._places, self._curves, pieces.codes[pieces.starts[piece] : pieces.starts[piece + 1]]
            )
            if self._spread(way, count) < count:
                short.append(name)
        return short

    def _spread(self, way: _Way, count: int) -> int:
        """Add tabs along a ring up to `count`; return the number of tabs on it."""
        have = way.where(self.taken)
        if len(have) < count and len(have):
            pitch = way.length / count
            targets = (have[0] + pitch * np.arange(1, count)) % way.length
            apart = np.abs(targets[:, None] - have)
            apart = np.minimum(apart, way.length - apart).min(axis=1)
            order = np.argsort(-apart, kind="stable")[: count - len(have)]
            self._near(way, targets[np.sort(order)], pitch, is_ring=True)
            have = way.where(self.taken)
        while 0 < len(have) < count:
            free = self._open(way.places)
            if not len(free):
                break
            apart = np.abs(way.of_places(free)[:, None] - have)
            apart = np.minimum(apart, way.length - apart).min(axis=1)
            self._take(int(free[np.argmax(apart - way.length * (self._places.cost[free] > 0))]))
            have = way.where(self.taken)
        return len(have)


@dataclass(frozen=True, eq=False)
class _Way:
    """Places along a run of codes: their numbers and distances along it in mm; `begins` are the codes' distances."""

    codes: Ints
    begins: Floats
    lengths: Floats
    places: Ints
    at: Floats

    @classmethod
    def from_places(cls, places: _Places, curves: Curves, codes: Ints) -> _Way:
        lengths = curves.lengths[codes >> 1]
        begins = np.concatenate([[0.0], np.cumsum(lengths)])
        numbers, at = [np.empty(0, np.int64)], [np.empty(0)]
        for code, begin, length in zip(codes.tolist(), begins.tolist(), lengths.tolist(), strict=False):
            which = places.starts.get(code >> 1)
            if which is not None:
                numbers.append(np.arange(which.start, which.stop))
                within = places.at[which]
                at.append(begin + (length - within if code & 1 else within))
        return cls(codes, begins, lengths, np.concatenate(numbers), np.concatenate(at))

    @property
    def length(self) -> float:
        """Length in mm."""
        return float(self.begins[-1])

    def of_places(self, places: Ints) -> Floats:
        """Distances in mm along the run of some of its places."""
        order = np.argsort(self.places, kind="stable")
        return np.asarray(self.at[order[np.searchsorted(self.places[order], places)]])

    def where(self, taken: dict[int, list[float]]) -> Floats:
        """Distances in mm of the tabs along the run, ascending."""
        found = [
            begin + (length - tab if code & 1 else tab)
            for code, begin, length in zip(
                self.codes.tolist(), self.begins.tolist(), self.lengths.tolist(), strict=False
            )
            for tab in taken.get(code >> 1, ())
        ]
        return np.sort(np.array(found, np.float64))


def _shortest(links: list[list[tuple[int, int, float]]], frame: int) -> dict[int, tuple[int, int]]:
    """Next region on the shortest path to the frame, and the stroke between, for each region with such a path."""
    towards: dict[int, tuple[int, int]] = {}
    waiting: list[tuple[float, int, int, int]] = [(0.0, frame, -1, -1)]
    while waiting:
        far, here, before, stroke = heappop(waiting)
        if here in towards:
            continue
        towards[here] = before, stroke
        for other, between, weight in links[here]:
            if other not in towards:
                heappush(waiting, (far + weight, other, here, between))
    return towards


def with_tabs(drawing: Drawing, tabs: Tabs) -> Drawing:
    """Split the cuts of a drawing at tabs, which remain as strokes that no chain follows."""
    if not len(tabs):
        return drawing
    parts: list[Floats] = []
    counts = np.ones(len(drawing.strokes), np.int64)
    half = tabs.width / 2
    places = {stroke: tabs.places[tabs.strokes == stroke] for stroke in distinct(tabs.strokes).tolist()}
    for stroke in range(len(drawing.strokes)):
        points = drawing.strokes[stroke]
        if stroke in places:
            split = split_at(points, (places[stroke][:, None] + (-half, half)).ravel())
            counts[stroke] = len(split)
            parts += split
        else:
            parts.append(points)
    first = offsets(counts)
    is_tab = np.zeros(int(first[-1]), bool)
    for stroke, at in places.items():
        is_tab[first[stroke] + 1 + 2 * np.arange(len(at))] = True
    pieces = drawing.pieces
    codes, starts = expanded(pieces.codes, first)
    return replace(
        drawing,
        strokes=Curves.from_strokes(parts),
        chains=tuple(part for chain in drawing.chains for part in _parted(chain, first, is_tab)),
        pieces=Pieces(codes, starts[pieces.starts], pieces.names, starts[pieces.holes]),
        tabs=np.flatnonzero(is_tab),
    )


def _parted(chain: Chain, first: Ints, is_tab: NDArray[np.bool_]) -> Sequence[Chain]:
    """Remove the tabs from a chain; a closed chain with tabs begins after the first of them."""
    codes, _ = expanded(chain.strokes, first)
    gaps = np.flatnonzero(is_tab[codes >> 1])
    if chain.operation not in CUTS or not len(gaps):
        return (replace(chain, strokes=codes),)
    if chain.closed:
        codes = np.roll(codes, -int(gaps[0]) - 1)
        gaps = np.flatnonzero(is_tab[codes >> 1])
    runs = np.split(codes, gaps)
    runs = [runs[0], *(run[1:] for run in runs[1:])]
    return [replace(chain, strokes=run, closed=False) for run in runs if len(run)]


def numbers_of(drawing: Drawing) -> dict[str, str]:
    """Number the pieces in the order of the drawing, which is reading order."""
    return {name: str(number) for number, name in enumerate(drawing.pieces.names, 1)}


def labelled(
    drawing: Drawing, titles: Mapping[str, str] | None = None, most: float = LARGEST_LETTERS
) -> tuple[Drawing, list[str]]:
    """Engrave every piece's name at its widest place; also return the names that do not fit.

    `titles` replaces names, also of copies: "C4 (2)" becomes "27 (2)". Capitals are up to `most` mm tall. A piece with
    other engraving, such as the labels of a board, gets no label.
    """
    shapes = Contours(drawing).polygons
    begins = [path.points[0] for path in drawing.paths() if path.operation not in CUTS]
    bearing = set(shapely.STRtree(shapes).query(shapely.points(begins), predicate="intersects")[1]) if begins else set()
    circles = shapely.maximum_inscribed_circle(shapes, tolerance=0.5)
    middles = shapely.get_coordinates(shapely.get_point(circles, 0))
    radii = shapely.length(circles)
    strokes, left_out = [], []
    for piece, (name, middle, radius) in enumerate(zip(drawing.pieces.names, middles, radii.tolist(), strict=True)):
        if piece in bearing:
            continue
        base, _, copy = name.partition(" (")
        title = (titles or {}).get(base, base) + (f" ({copy}" if copy else "")
        width = width_of(title, 1.0)
        height = min(most, 2 * ROOM * radius / float(np.hypot(width, 1.0)))
        if height < min(SMALLEST_LETTERS, most):
            left_out.append(name)
            continue
        letters = lettered(title, height)
        strokes.append(Curves(letters.points + middle + (-0.5 * width * height, 0.5 * height), letters.starts))
    return with_engraving(drawing, strokes), left_out


def with_engraving(drawing: Drawing, engravings: list[Curves]) -> Drawing:
    """Add strokes to a drawing, engraved before all else; its own strokes keep their numbers."""
    if not engravings:
        return drawing
    strokes = Curves.gathered([drawing.strokes, *engravings])
    codes = 2 * np.arange(len(drawing.strokes), len(strokes))
    chains = tuple(Chain(Operation.ENGRAVE, np.array([code])) for code in codes.tolist())
    return replace(drawing, strokes=strokes, chains=(*chains, *drawing.chains))


def without_engraving(drawing: Drawing) -> Drawing:
    """Keep only the cuts of a drawing."""
    return replace(drawing, chains=tuple(chain for chain in drawing.chains if chain.operation in CUTS))


def overlay(drawing: Drawing) -> Drawing | None:
    """Engraving of a sheet, with the outline of the board scored for reference; None without engraving.

    Separate pieces have all their outlines.
    """
    engraved = tuple(chain for chain in drawing.chains if chain.operation not in CUTS)
    if not engraved:
        return None
    border = [chain for chain in drawing.chains if chain.operation is Operation.BORDER]
    cuts = border if drawing.shares_lines else [chain for chain in drawing.chains if chain.operation in CUTS]
    outline = tuple(replace(chain, operation=Operation.SCORE) for chain in cuts)
    return replace(drawing, chains=(*engraved, *outline), pieces=NO_PIECES, artwork=())


# Print-then-cut.
#
# bleed: margin in mm by which artwork passes an outline, so that a cut slightly off shows no bare edge. room: space
# that bleed and marks take on every side of the cuts.

NO_MARKS = "none"
TARGETS = "targets"
MARKS = {NO_MARKS: tr("None"), "crosses": tr("Crosses"), "circles": tr("Circles"), TARGETS: tr("Targets")}
"""Shapes of marks, with their titles."""
CORNER_MARKS = ("top-left", "top-right", "bottom-right", "bottom-left")
TARGET_MARKS = ("top-left", "top", "top-right", "right", "bottom-right", "bottom", "bottom-left", "left")
"""Names of marks, clockwise."""
HOLE, GAP, DOT = 0.72, np.radians(40.0), 0.18
"""Hole of a target and burned dot in it, as shares of the target's radius, and the angle of the gap at its top."""
TARGET_RIM = 4.0
"""Room in mm outside targets, so that corrected marks stay on the sheet."""
BURNED = 0.2
"""Distance in mm between the circles that burn a dot."""
APART = 2.0
"""Distance in mm between the printed artwork and a mark."""
_FOLLOWED = 0.001


def room(marks: str, size: float, bleed: float) -> float:
    """Space in mm that bleed and marks take on every side of the cuts."""
    return bleed if marks == NO_MARKS else bleed + APART + size + (TARGET_RIM if marks == TARGETS else 0.0)


def bled(drawing: Drawing, bleed: float) -> Drawing:
    """Extend or clip the artwork to `bleed` mm past the outline of all pieces together."""
    if bleed <= 0 or not drawing.artwork:
        return drawing
    board = shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.polylines)))
    shape = np.array([shapely.buffer(board, bleed)], object)
    return replace(
        drawing, artwork=artwork_transform.parts(artwork_transform.extended(drawing.artwork, board, bleed), shape)[0]
    )


def framed(drawing: Drawing, width: float) -> Drawing:
    """Enlarge the page of a drawing by `width` mm on every side."""
    strokes = Curves(drawing.strokes.points + width, drawing.strokes.starts)
    artwork = artwork_transform.moved(drawing.artwork, width, width)
    wide, high = drawing.width + 2 * width, drawing.height + 2 * width
    return replace(drawing, width=wide, height=high, strokes=strokes, artwork=artwork)


def marked(drawing: Drawing, marks: str, size: float, bleed: float) -> Drawing:
    """Add marks around the pieces of a drawing, after all cuts."""
    if marks == NO_MARKS:
        return drawing
    curves = [curve for middle in places(drawing, marks, size, bleed).values() for curve in _mark(marks, size, middle)]
    return _with_lines(drawing, curves, Operation.MARK, closed=marks != "crosses")


def burned(drawing: Drawing, marks: str, size: float, bleed: float) -> Drawing:
    """Score the middles of a sheet's marks, and nothing else: a dot in each target, a cross in each other mark."""
    bare = replace(drawing, strokes=Curves.from_strokes([]), chains=(), pieces=NO_PIECES, artwork=(), tabs=NO_TABS)
    middles = places(drawing, marks, size, bleed).values()
    if marks != TARGETS:
        crosses = [curve for middle in middles for curve in _mark("crosses", size, middle)]
        return _with_lines(bare, crosses, Operation.SCORE, closed=False)
    radii = np.linspace(0.0, DOT * size / 2, max(2, round(DOT * size / 2 / BURNED)) + 1)[1:]
    circles = [curve for middle in middles for radius in radii for curve in _mark("circles", 2 * radius, middle)]
    return _with_lines(bare, circles, Operation.SCORE, closed=True)


def _with_lines(drawing: Drawing, curves: list[Floats], operation: Operation, *, closed: bool) -> Drawing:
    first = len(drawing.strokes)
    strokes = Curves.gathered([drawing.strokes, Curves.from_strokes(curves)])
    chains = [Chain(operation, np.array([2 * (first + at)]), closed) for at in range(len(curves))]
    return replace(drawing, strokes=strokes, chains=(*drawing.chains, *chains))


def places(drawing: Drawing, marks: str, size: float, bleed: float) -> dict[str, Floats]:
    """Middles of a drawing's marks in mm, by name: at its corners, for targets also halfway along sides with room."""
    lines = drawing.outlines(drawing.strokes.flattened(_FOLLOWED)).points
    out = bleed + APART + size / 2
    low, high = lines.min(axis=0) - out, lines.max(axis=0) + out
    wide, tall = (high - low > 2 * (size + APART)) & (marks == TARGETS)
    shares = ((0, 0), (0.5, 0), (1, 0), (1, 0.5), (1, 1), (0.5, 1), (0, 1), (0, 0.5))
    kept = {**dict.fromkeys(CORNER_MARKS, True), "top": wide, "bottom": wide, "left": tall, "right": tall}
    found = zip(TARGET_MARKS, low + np.array(shares) * (high - low), strict=True)
    return {name: middle for name, middle in found if kept[name]}


def _mark(marks: str, size: float, middle: Floats) -> list[Floats]:
    half = size / 2
    if marks == "crosses":
        return [through(middle + half * np.array(ends)) for ends in (((-1, 0), (1, 0)), ((0, -1), (0, 1)))]
    if marks == TARGETS:
        # A ring open at its top, as one closed line: forwards along its rim, back along its hole.
        turns = np.linspace(GAP / 2, 2 * np.pi - GAP / 2, 9) - np.pi / 2
        rim, hole = _arc(turns), HOLE * _arc(turns)[::-1]
        walls = [through(np.array(ends))[1:] for ends in ((rim[-1], hole[0]), (hole[-1], rim[0]))]
        return [middle + half * np.concatenate([rim, walls[0], hole[1:], walls[1]])]
    return [middle + half * _arc(np.linspace(0, 2 * np.pi, 5))]


def _arc(turns: Floats) -> Floats:
    """Cubics (3k + 1, 2) along the unit circle through places at angles in radians."""
    arm = 4 / 3 * np.tan(np.diff(turns) / 4)[:, None]
    here = np.stack([np.cos(turns), np.sin(turns)], 1)
    along = np.stack([-here[:, 1], here[:, 0]], 1)
    pulled = np.stack([here[:-1] + arm * along[:-1], here[1:] - arm * along[1:], here[1:]], 1)
    return np.concatenate([here[:1], pulled.reshape(-1, 2)])
