"""The check of single pieces: a sound outline, no wood too thin and no gap too narrow.

Exports move outlines, inwards for a beam or a clearance that takes wood away, outwards to make up for a kerf. Every
place at which that would destroy a piece (`offsetting.harms`) is found here before an export.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray

from studio.base.progress import threads
from studio.geometry.curves.offsetting import WIDER, buffered, harms, width_at
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, distinct, offsets, ranges, totals
from studio.geometry.planar.drawing import CUTS, Drawing, Pieces, is_one_ring
from studio.geometry.planar.regions import pieces_as_polygons

# A quick test for pieces without a neck below some width, for all at once from chunks of their outlines.
#
# An outline that moves inwards parts, closes or vanishes only at two places opposite each other, as near as twice the
# offset and running in opposite directions, or at a point that it passes twice. An outline without parts so near and so
# opposed has no neck, which is known without moving it.

Flags = NDArray[np.bool_]
Masks = NDArray[np.uint64]

CHUNKS = 12
"""Number of chunks into which every stroke is first split."""
FINER = 6
"""Number of chunks into which a suspicious chunk is split again."""
SECTORS = 64
"""Number of bits that hold the directions of a chunk; a quarter of them is a right angle."""
SPARE = 1.25
"""Factor by which the search exceeds a neck's width, since moved outlines have mitred corners."""
MORE = 0.1
"""Margin in mm added to the search, since outlines are searched as polylines."""
BLUNT = np.radians(45.0)
"""Inner corners that turn by more move further than round ones, and are examined themselves."""
PIECES_AT_ONCE = 400
"""Number of pieces compared with themselves in one batch; their pairs of parts take some 10 MB."""


def may_be_narrow(drawing: Drawing, width: float, among: Flags | None = None) -> Flags:
    """Mask of pieces, lying side by side, that may have a neck below `width` mm, or be nowhere that wide.

    Only pieces `among` are tested and reported: a piece that may be narrow may be so at any larger width.
    """
    pieces, lines = drawing.pieces, drawing.polylines
    reach = SPARE * width + MORE
    around = totals(pieces.owners, lines.lengths[pieces.codes >> 1], len(pieces))
    # No circle within a piece is smaller than its area by its length.
    unsure = drawing.piece_areas < SPARE * width / 2 * around
    unsure[pieces.owners[_inner_corners(pieces, lines)]] = True
    # Pieces with an outline that passes a point twice, in any directions.
    backwards = pieces.codes & 1
    begins = np.where(backwards, lines.starts[1:][pieces.codes >> 1] - 1, lines.starts[:-1][pieces.codes >> 1])
    x, y = lines.points[begins].T
    order = np.lexsort((y, x, pieces.owners))
    passed = np.stack([pieces.owners, x, y])[:, order]
    touching = np.asarray(pieces.owners[order[1:]][(passed[:, 1:] == passed[:, :-1]).all(axis=0)])
    unsure[touching] = True
    looked_at = np.ones(len(pieces), bool) if among is None else among
    unsure &= looked_at
    sizes = np.diff(pieces.starts)
    batches = []
    for size in np.unique(sizes).tolist():
        alike = np.flatnonzero((sizes == size) & looked_at & ~unsure)
        at_once = max(PIECES_AT_ONCE * 16 // size**2, 1)
        batches += [alike[begin : begin + at_once] for begin in range(0, len(alike), at_once)]

    def found(some: Ints) -> Flags:
        codes = pieces.codes[pieces.starts[some][:, None] + np.arange(sizes[some[0]])]
        return _near_opposite(lines, codes, reach)

    with threads(2) if len(pieces) > PIECES_AT_ONCE else nullcontext() as pool:
        for some, narrow in zip(batches, pool.map(found, batches) if pool else map(found, batches), strict=True):
            unsure[some] = narrow
    return unsure


def lie_side_by_side(drawing: Drawing) -> bool:
    """True if pieces exist, none has a hole, and one ring of lines goes round all of them."""
    pieces = drawing.pieces
    if not len(pieces):
        return False
    bounding = np.zeros(len(drawing.strokes), bool)
    bounding[pieces.codes >> 1] = True
    loose = any(chain.closed and not bounding[chain.strokes >> 1].any() for chain in drawing.chains
                if chain.operation in CUTS)  # fmt: skip
    if len(pieces.holes) or loose or not drawing.shares_lines:
        return False
    ends = drawing.strokes.ends[drawing.followed_once].reshape(-1, 2)
    _, corners = np.unique(ends, axis=0, return_inverse=True)
    return is_one_ring(corners.reshape(-1, 2))


def _inner_corners(pieces: Pieces, lines: Polylines) -> Ints:
    """Indices in `pieces.codes` after which an outline turns outwards by more than BLUNT."""
    points = lines.points.view(np.complex128)[:, 0]
    first, last = lines.starts[:-1], lines.starts[1:] - 1
    leaving = np.stack([points[first + 1] - points[first], points[last - 1] - points[last]], 1)
    backwards = pieces.codes & 1
    out = leaving[pieces.codes >> 1, backwards]
    into = -leaving[pieces.codes >> 1, 1 - backwards]
    after = np.arange(1, len(pieces.codes) + 1)
    after[pieces.starts[1:] - 1] = pieces.starts[:-1]
    return np.flatnonzero(np.angle(out[after] * into.conj()) < -BLUNT)


@dataclass(frozen=True, eq=False)
class _Chunks:
    """Chunks of lines: their boxes, and the directions in which each runs forwards, as bits.

    low, high: (2, k), by axis. ways: (k,).
    """

    low: Floats
    high: Floats
    ways: Masks

    @classmethod
    def from_lines(cls, lines: Polylines, strokes: Ints, numbers: Ints, chunks: int) -> _Chunks:
        """Chunks by stroke (k,) and number (k,), if each line has `chunks` of them."""
        spans = (lines.counts - 1)[strokes]
        begins = spans * numbers // chunks
        firsts = lines.starts[strokes] + begins
        counts = spans * (numbers + 1) // chunks - begins + 1
        at, starts = ranges(firsts, counts), offsets(counts)[:-1]
        low, high = (best.reduceat(lines.points[at], starts).T for best in (np.minimum, np.maximum))
        angles = _directions(lines)
        # The step before a chunk, too: between two chords the curve has all directions that lie between theirs.
        before = angles[np.maximum(firsts - 1, lines.starts[strokes])]
        least = np.minimum(np.minimum.reduceat(angles[at], starts), before)
        most = np.maximum(np.maximum.reduceat(angles[at], starts), before)
        sector = 2 * np.pi / SECTORS
        begin = np.floor(least / sector).astype(np.int64) - 1
        count = np.clip(np.floor(most / sector).astype(np.int64) + 2 - begin, 1, SECTORS).astype(np.uint64)
        bits = np.uint64(0xFFFFFFFFFFFFFFFF) >> (np.uint64(SECTORS) - count)
        return cls(low, high, _turned(bits, begin % SECTORS))

    def near(self, one: Ints, two: Ints, reach: float) -> Ints:
        """Indices of the pairs (one, two) of chunks within `reach` mm of each other."""
        found = np.arange(len(one))
        for low, high in zip(self.low, self.high, strict=True):
            at, to = one[found], two[found]
            found = found[np.maximum(low[at] - high[to], low[to] - high[at]) < reach]
        return found


def _directions(lines: Polylines) -> Floats:
    """Direction in radians of lines from each point on, unwrapped beyond a full turn."""
    points = lines.points.view(np.complex128)[:, 0]
    steps = np.zeros(len(points), np.complex128)
    steps[:-1] = points[1:] - points[:-1]
    last = lines.starts[1:] - 1
    steps[last] = steps[last - 1]
    bends = np.zeros(len(points))
    bends[1:] = np.angle(steps[1:] * steps[:-1].conj())
    whole, first = np.cumsum(bends), lines.starts[:-1]
    return np.asarray((np.angle(steps[first]) - whole[first])[lines.owners] + whole)


def _turned(masks: Masks, by: Ints) -> Masks:
    """Rotate masks of directions by a number of sectors."""
    up = by.astype(np.uint64)
    return np.asarray((masks << up) | (masks >> ((np.uint64(SECTORS) - up) % np.uint64(SECTORS))))


def _opposite(masks: Masks) -> Masks:
    return _turned(masks, np.full(1, SECTORS // 2))


def _near_opposite(lines: Polylines, codes: Ints, reach: float) -> Flags:
    """Mask (k,) of pieces, with codes (k, m), that have two chunks within `reach` mm running in opposite directions."""
    strokes, own = np.unique(codes >> 1, return_inverse=True)
    own, lines = own.reshape(codes.shape), lines.chosen(strokes)
    every = np.arange(len(lines) * CHUNKS)
    chunks = _Chunks.from_lines(lines, every // CHUNKS, every % CHUNKS, CHUNKS)
    # The chunks of each piece (k, n), and which of them are followed backwards.
    ring = (own[:, :, None] * CHUNKS + np.arange(CHUNKS)).reshape(len(codes), -1)
    turned = np.repeat(codes & 1, CHUNKS, axis=1)
    ways = np.where(turned == 1, _opposite(chunks.ways)[ring], chunks.ways[ring])
    one, two = np.triu_indices(ring.shape[1])
    piece, pair = np.nonzero(ways[:, one] & _opposite(ways)[:, two])
    near = chunks.near(ring[piece, one[pair]], ring[piece, two[pair]], reach)
    piece, pair = piece[near], pair[near]
    found = np.zeros(len(codes), bool)
    if not len(piece):
        return found
    # Only these are worth a finer look.
    looked_at = distinct(np.concatenate([ring[piece, one[pair]], ring[piece, two[pair]]]))
    finer = (looked_at % CHUNKS * FINER)[:, None] + np.arange(FINER)
    chunks = _Chunks.from_lines(lines, np.repeat(looked_at // CHUNKS, FINER), finer.ravel(), CHUNKS * FINER)
    first, second = (np.searchsorted(looked_at, ring[piece, ends[pair]]) * FINER for ends in (one, two))
    runs_alike = turned[piece, one[pair]] == turned[piece, two[pair]]
    here, there = np.broadcast_arrays(
        first[:, None, None] + np.arange(FINER)[:, None], second[:, None, None] + np.arange(FINER)
    )
    facing = np.where(runs_alike[:, None, None], _opposite(chunks.ways)[there], chunks.ways[there])
    at, left, right = np.nonzero(chunks.ways[here] & facing)
    near = chunks.near(here[at, left, right], there[at, left, right], reach)
    found[piece[at[near]]] = True
    return found


FOLLOWED = (0.03, 0.02, 0.002)
"""Tolerances in mm of the polylines on which outlines must be sound, as exports use them."""


@dataclass(frozen=True, eq=False)
class Flaw:
    """A piece by its number, the place (2,) of its flaw, its outline, and an offset in mm that harms it.

    The harm is 0 if the outline crosses or touches itself, negative for narrow wood, positive for a narrow gap.
    """

    piece: int
    place: Floats
    outline: shapely.Polygon
    harm: float = 0.0

    @cached_property
    def width(self) -> float:
        """Width of the wood or gap there in mm, which takes longer than finding the place."""
        return width_at(self.outline, self.harm) if self.harm else 0.0

    def is_harmed_by(self, offset: float) -> bool:
        """True if an offset in mm harms the outline; a tip that a smaller offset cuts off may be gone by then."""
        own = np.array([self.outline], object)
        return bool(harms(own, buffered(own, offset), offset)[0])


def flaws(drawing: Drawing, some: Ints, wood: float, gap: float) -> list[Flaw]:
    """Find where pieces touch themselves, are less than `wood` mm wide, or have gaps of less than `gap` mm."""
    if not len(some):
        return []
    part = _with_own_strokes(drawing, some)
    pieces = part.pieces
    doubtful = may_be_narrow(part, max(wood, gap))
    doubtful[np.searchsorted(pieces.starts, pieces.holes, side="right") - 1] = True
    numbers = some[doubtful]
    if not len(numbers):
        return []
    part = replace(part, pieces=pieces.chosen(np.flatnonzero(doubtful)))
    found: dict[int, Flaw] = {}
    for chord in FOLLOWED:
        polygons = pieces_as_polygons(part, part.strokes.flattened(chord))
        for at in np.flatnonzero(~shapely.is_valid(polygons)).tolist():
            found.setdefault(at, Flaw(int(numbers[at]), _crossing(polygons[at]), polygons[at]))
    sound = np.array([at for at in range(len(numbers)) if at not in found], np.int64)
    flawed = list(found.values())
    for offset in (-wood / 2, gap / 2):
        if not offset or not len(sound):
            continue
        own = polygons[sound]
        for at, harm in enumerate(harms(own, buffered(own, offset), offset).tolist()):
            if harm:
                flawed.append(Flaw(int(numbers[sound[at]]), _narrowest(own[at], harm), own[at], harm))
    return flawed


def _with_own_strokes(drawing: Drawing, some: Ints) -> Drawing:
    """Restrict a drawing to pieces and their strokes, so that no others are flattened."""
    if len(some) == len(drawing.pieces):
        return drawing
    pieces = drawing.pieces.chosen(some)
    used, number = np.unique(pieces.codes >> 1, return_inverse=True)
    codes = 2 * number + (pieces.codes & 1)
    return Drawing(
        drawing.width, drawing.height, drawing.strokes.chosen(used), (), replace(pieces, codes=codes)
    )  # fmt: skip


def _crossing(polygon: shapely.Polygon) -> Floats:
    """Parse the place that shapely names: `Ring Self-intersection[1 2]`."""
    inside = str(shapely.is_valid_reason(polygon)).partition("[")[2].rstrip("]")
    return np.array([float(number) for number in inside.split()[:2]])


def _narrowest(polygon: shapely.Polygon, harm: float) -> Floats:
    """Place at which an offset harms a polygon: between the remaining parts, or in the lost one."""
    after = buffered(np.array([polygon], object), harm)
    parts = shapely.get_parts(after[0])
    if len(parts) > 1 and harm < 0:
        link = shapely.shortest_line(*sorted(parts, key=shapely.area)[-2:])
        return np.asarray(shapely.get_coordinates(link).mean(axis=0))
    back = buffered(after, -harm)[0]
    gone = shapely.symmetric_difference(polygon, back)
    if gone.is_empty:
        # Sides that just meet come apart again without a trace.
        return _narrowest(polygon, WIDER * harm)
    largest = max(shapely.get_parts(gone), key=shapely.area)
    return np.asarray(shapely.get_coordinates(shapely.point_on_surface(largest))[0])


BESIDE = 5.0
"""Least depth in mm of the wood on either side of a single cut."""


def breaks(strokes: Curves, wood: float) -> Flags:
    """Mask of the strokes (k,) beside which wood is less than `wood` mm wide, as if each were alone on a board."""
    found = np.zeros(len(strokes), bool)
    lines = strokes.flattened(FOLLOWED[0])
    for at in range(len(strokes)):
        line = lines[at]
        way = (line[-1] - line[0]) / max(float(np.hypot(*(line[-1] - line[0]))), BESIDE / 10)
        out = np.array([-way[1], way[0]])
        depth = float(np.abs((line - line[0]) @ out).max()) + BESIDE
        sides = [
            shapely.Polygon([*line, line[-1] + side * depth * out, line[0] + side * depth * out]) for side in (-1, 1)
        ]
        own = np.array([side for side in sides if side.is_valid], object)
        found[at] = harms(own, buffered(own, -wood / 2), -wood / 2).any()
    return found
