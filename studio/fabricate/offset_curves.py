"""Offset outlines, computed cubic by cubic: each line once, for both pieces that it separates.

A cubic C moves by an offset d to C + d·N, where the cubic N is nearly its unit normal everywhere; the other side of
the line is C - d·N. If two cubics meet at an angle, both are extended or shortened to the tip of the mitre. A result
that is simple and never runs backwards is correct: no part fell off, closed or was swallowed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from studio.fabricate.contours import Flags
from studio.geometry.curves.strokes import Curves, Floats, Ints, offsets, ranges, totals
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import as_polygons

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
SMOOTH = 1e-4
"""Angle in radians between two cubics below which they need no extension."""
BLUNTED = -7 / 9
"""Cosine of the sharpest turn of an outline: a sharper tip would lie more than three offsets away."""


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
            control, place = (
                _halved(control[~good]),
                np.concatenate([place[~good], place[~good] + 0.5 ** (HALVINGS + 1 - left)]),
            )
            if not len(control):
                break
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
    meets = np.abs(cross) > SMOOTH
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


def _halved(control: Floats) -> Floats:
    """First halves of cubics, then the second halves."""
    half = np.full(len(control), 0.5)
    return np.concatenate([_led_on(control, half), _led_on(control[:, ::-1], half)[:, ::-1]])


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
