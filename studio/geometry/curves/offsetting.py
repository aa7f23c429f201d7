"""Offset outlines, parts that an offset removes or closes, their width, and thin parts of flat shapes.

offset: the distance in mm by which outlines move outwards, and holes inwards; the reverse if negative. Also distances
between closed lines, and a bound on the crossings of lines.
"""

from __future__ import annotations

import numpy as np
import shapely

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.base.units import Against, filled
from studio.geometry.curves.fitting import Flags
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, frozen, offsets
from studio.geometry.planar.regions import Polygons

LEAST_OFFSET = 1e-9
"""Smaller offsets, in mm, count as 0; GEOS loses polygons if the square of an offset underflows."""
MITRE_LIMIT = 3.0
"""The mitre limit, in offsets: corners above 39° stay sharp, sharper ones are blunted."""
POINTS_SEEN = 64
"""Sampled points of a piece; each head of a jigsaw has about ten."""
LOST = 1.0
"""A part that comes back further away than this share of the offset is lost, if it is whole at a slightly smaller one:
corners come back further away only gradually."""
WIDTH_STEPS = 9
"""Bisections in the search for a neck's width."""
KEPT = 0.45
"""A piece whose outline moves there and back kept its heads if no point comes back further away than this share of the
offset. Curves tighter than the offset come back as corners, no further away than 0.41 of it at a right angle."""
KEPT_AT_MOST = 0.2
"""The same bound in mm, for large offsets: a swallowed head leaves more."""
HEAD = 0.7
"""A head lost to an offset holds a disc with more than this share of the offset as its radius: it is lost at an offset
about as wide as itself, and the next smaller offset tried is 5 % smaller."""
AGAIN = 1e-6
"""Points that moved there and back by less than this, in mm, are the same."""
NARROWEST, WIDER = 0.02, 1.05
"""The least offset in mm tried in the search for necks, and the factor from each to the next: the same for every
query. An offset that swallows a whole head leaves no trace of its neck; most heads are wider by more."""


def buffered(polygons: Polygons, offset: float) -> Polygons:
    """Offset polygons by mm, with mitred outlines."""
    offset = offset if abs(offset) >= LEAST_OFFSET else 0.0
    moved = shapely.buffer(polygons, offset, join_style="mitre", mitre_limit=MITRE_LIMIT)
    return np.asarray(moved)


def refuse_crossed(polygons: Polygons, names: tuple[str, ...]) -> None:
    """Raise StudioError for the first invalid polygon."""
    for at in np.flatnonzero(~shapely.is_valid(polygons))[:1].tolist():
        raise StudioError(tr("The outline of piece {name} crosses or touches itself.", name=names[at]))


def harmed(before: Polygons, after: Polygons) -> Flags:
    """Mask of polygons that are empty, fell apart, or changed their number of holes."""
    whole = (shapely.get_type_id(after) == 3) & ~shapely.is_empty(after)
    return np.asarray(~whole | (shapely.get_num_interior_rings(after) != shapely.get_num_interior_rings(before)))


def harms(before: Polygons, after: Polygons, offset: float) -> Floats:
    """The offset that harms each polygon, up to the offset by which it was moved; 0 if none does.

    A beam wider than a tongue's head burns neck and head away and leaves a sound polygon; the lost wood is detected by
    a smaller offset, at which the head falls off. If the head is hardly wider than its neck, no offset tried lies
    between them: then it is lost at one offset and whole at the next smaller one.
    """
    harm = np.zeros(len(before))
    left, moved, lost, last = np.arange(len(before)), after, np.zeros(len(before), bool), 0.0
    # An offset, followed by the smaller ones at which heads may fall off, the largest first.
    steps = int(np.ceil(np.log(max(abs(offset) / NARROWEST, 1.0)) / np.log(WIDER)))
    ladder = [float(np.copysign(NARROWEST * WIDER**step, offset)) for step in reversed(range(steps))]
    for tried in [offset, *ladder]:
        if tried != offset:
            moved = buffered(before[left], tried)
        broken = harmed(before[left], moved)
        harm[left[broken]] = tried
        left, moved, lost = left[~broken], moved[~broken], lost[~broken]
        gaps = _strayed(before[left], buffered(moved, -tried))
        whole = gaps <= min(KEPT * abs(tried), KEPT_AT_MOST)
        heads = np.flatnonzero(whole & lost)
        harm[left[heads]] = np.where(_took_a_head(before[left[heads]], last), last, 0.0)
        left, lost, last = left[~whole], (gaps > LOST * abs(tried))[~whole], tried
        if not len(left):
            break
    return harm


def _took_a_head(before: Polygons, offset: float) -> Flags:
    """Mask of polygons that lose a place about as wide as the offset; a tip that vanishes at once is narrower."""
    back = buffered(buffered(before, offset), -offset)
    parts, owners = shapely.get_parts(shapely.symmetric_difference(before, back), return_index=True)
    areas = shapely.get_type_id(parts) == 3
    parts, owners = parts[areas], owners[areas]
    wide = shapely.length(shapely.maximum_inscribed_circle(parts, abs(offset) / 20)) > HEAD * abs(offset)
    return np.bincount(owners[wide], minlength=len(before)) > 0


def _strayed(before: Polygons, back: Polygons) -> Floats:
    """Largest distance in mm of sampled points of polygons from their outlines moved there and back."""
    strayed = np.zeros(len(before))
    # If all points come back, the whole outline does. Their number alone proves nothing: a blunted tip adds as many
    # points as two lost tips remove.
    unsure = shapely.get_num_coordinates(before) != shapely.get_num_coordinates(back)
    alike = np.flatnonzero(~unsure)
    unsure[alike] = ~shapely.equals_exact(
        shapely.normalize(before[alike]), shapely.normalize(back[alike]), tolerance=AGAIN
    )
    unsure = np.flatnonzero(unsure)
    points, owners = shapely.get_coordinates(before[unsure], return_index=True)
    counts = np.bincount(owners, minlength=len(unsure))
    chosen = (np.arange(len(points)) - offsets(counts)[owners]) % np.ceil(counts / POINTS_SEEN)[owners] == 0
    gaps = shapely.distance(shapely.points(points[chosen]), shapely.boundary(back[unsure])[owners[chosen]])
    np.maximum.at(strayed, unsure[owners[chosen]], gaps)
    return strayed


def width_at(polygon: shapely.Polygon, offset: float) -> float:
    """Width in mm of the place where an offset harms a polygon: twice the least harmful offset."""
    one = np.array([polygon], object)
    limit = abs(offset)
    sound, harmful = 0.0, min(NARROWEST, limit)

    def is_harmful(tried: float) -> bool:
        return bool(harmed(one, buffered(one, np.copysign(tried, offset)))[0])

    while harmful < limit and not is_harmful(harmful):
        sound, harmful = harmful, min(WIDER * harmful, limit)
    for _ in range(WIDTH_STEPS):
        middle = (sound + harmful) / 2
        if is_harmful(middle):
            harmful = middle
        else:
            sound = middle
    return 2 * harmful


def refuse_harmed(before: Polygons, after: Polygons, names: tuple[str, ...], offset: float) -> None:
    """Raise StudioError for the first piece that the offset harms."""
    harm = harms(before, after, offset)
    for at in np.flatnonzero(harm)[:1].tolist():
        raise _refusal(names[at], before[at], float(harm[at]), offset)


def _refusal(name: str, before: shapely.Polygon, harm: float, offset: float) -> StudioError:
    """Sentence on a piece that an offset in mm destroys; `harm` is an offset that shows it."""
    after = buffered(np.array([before], object), harm)[0]
    if offset > 0:
        when = tr("when offset outwards by {offset:.2f} mm", offset=offset)
    else:
        when = tr("when offset inwards by {offset:.2f} mm", offset=-offset)
    width = Against(width_at(before, harm), 2 * abs(offset))
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


# Thin parts and narrow notches of flat shapes, and distances from areas

FLATTENING = 1e-3
"""The largest deviation of the polygon that is measured, as a fraction of the width."""
SLACK = 0.99
"""The fraction of the width that must fit, so that a part of exactly that width does."""
TIP = 0.6
"""The greatest length of a tip that is not thin, in widths."""
QUARTER = 16
"""Chords per quarter circle."""


def region(rings: tuple[Floats, ...], tolerance: float) -> shapely.Polygon:
    """The polygon of an outline and its holes, control points (3k + 1, 2), within `tolerance` of the curves."""
    lines = Curves.from_strokes(list(rings)).flattened(tolerance)
    return shapely.Polygon(lines[0], [lines[at] for at in range(1, len(lines))])


def thin_part(rings: tuple[Floats, ...], width: float) -> Floats | None:
    """A place (2,) at which the shape is thinner than a width, or None."""
    return thin_place(region(rings, FLATTENING * width), width)


def narrow_notch(rings: tuple[Floats, ...], width: float) -> Floats | None:
    """A place (2,) at which the space around the shape, or in a hole, is narrower than a width, or None."""
    shape = region(rings, FLATTENING * width)
    return thin_place(shapely.difference(shapely.envelope(shapely.buffer(shape, 4 * width)), shape), width)


def thin_place(shape: shapely.Geometry, width: float) -> Floats | None:
    """A place of the shape beyond the reach of a disc of a width, or between two parts that such a disc cannot join."""
    radius = SLACK * width / 2
    middles = shapely.buffer(shape, -radius, quad_segs=QUARTER)
    covered = shapely.buffer(middles, radius + TIP * width, quad_segs=QUARTER)
    left = shapely.difference(shape, covered)
    if not shapely.is_empty(left):
        return np.asarray(shapely.get_coordinates(shapely.point_on_surface(left))[0])
    parts = shapely.get_parts(middles)
    if len(parts) <= shapely.get_num_geometries(shape):
        return None
    # A neck keeps two parts of the middles apart, where they are nearest.
    first, others = parts[0], shapely.union_all(parts[1:])
    return np.asarray(shapely.get_coordinates(shapely.shortest_line(first, others)).mean(axis=0))


# Distances of places from an area, measured only to nearby parts of its outline

PART = 24
"""Straight lines of the outline measured together."""
NEARLY = 1 + 1e-9
"""Tolerance factor for comparisons of squared distances."""


class Distances:
    """Distances from an area, equal to the bit to shapely's, which measures to the whole outline each time."""

    def __init__(self, area: shapely.Polygon) -> None:
        self.area = area
        shapely.prepare(area)
        lines, owners = shapely.get_coordinates(shapely.get_parts(shapely.boundary(area)), return_index=True)
        firsts, counts = _parts(np.bincount(owners))
        at = np.repeat(firsts - np.append(0, np.cumsum(counts)[:-1]), counts) + np.arange(counts.sum())
        points = frozen(lines[at])
        self._lines = shapely.linestrings(points, indices=np.repeat(np.arange(len(counts)), counts))
        starts = np.append(0, np.cumsum(counts)[:-1])
        self._firsts = points[starts]
        self._low, self._high = np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)

    def of(self, places: Floats, most: float = np.inf) -> Floats:
        """Distances (k,) of places (k, 2) from the area, 0 within; beyond `most`, any larger value or infinity."""
        gaps = np.where(shapely.intersects_xy(self.area, places), 0.0, np.inf)
        outside = np.flatnonzero(gaps)
        off, way = np.zeros((2, len(outside), len(self._lines)))
        # Each axis by itself: numpy's inner loops are slow over two numbers.
        for here, low, high, first in zip(places[outside].T, self._low.T, self._high.T, self._firsts.T, strict=True):
            spots = here[:, None]
            off += np.maximum(np.maximum(low - spots, spots - high), 0.0) ** 2
            way += (first - spots) ** 2
        # A part with a box further away than a place of the outline is not the nearest.
        near = np.minimum(way.min(axis=1), most * most)
        which, part = np.nonzero(off <= NEARLY * near[:, None])
        if len(which):
            found = shapely.distance(self._lines[part], shapely.points(places[outside])[which])
            firsts = np.flatnonzero(np.append(True, which[1:] != which[:-1]))
            gaps[outside[which[firsts]]] = np.minimum.reduceat(found, firsts)
        return gaps


def _parts(sizes: Ints) -> tuple[Ints, Ints]:
    """Starts and numbers of points of parts of lines with these sizes; a part's last point is the next one's first."""
    firsts, counts, start = [], [], 0
    for size in sizes.tolist():
        for first in range(0, size - 1, PART):
            firsts.append(start + first)
            counts.append(min(PART, size - 1 - first) + 1)
        start += size
    return np.array(firsts, np.int64), np.array(counts, np.int64)


def apart(rings: Polylines, others: Polylines) -> tuple[Floats, Floats]:
    """Largest gap in mm between each closed line (n,) and its counterpart, and its place (n, 2).

    Both must run the same way round. The gap is an upper bound, close to the truth for similar lines.

    >>> square = np.array([(0, 0), (4, 0), (4, 4), (0, 4), (0, 0)], float)
    >>> dented = np.array([(4, 4), (0, 4), (0, 0), (2, 0.5), (4, 0), (4, 4)], float)
    >>> gaps, places = apart(Polylines(square, np.array([0, 5])), Polylines(dented, np.array([0, 6])))
    >>> gaps.tolist(), places.tolist()
    ([0.5], [[2.0, 0.5]])
    """
    if not len(rings):
        return np.empty(0), np.empty((0, 2))
    others = _from_nearest(others, rings.points[rings.starts[:-1]])
    first, last = others.starts[:-1][rings.owners], others.starts[1:][rings.owners] - 1
    at = np.clip(np.searchsorted(_shares(others), _shares(rings), side="right") - 1, first, last - 1)
    share, gaps = _nearest(others.points, at, rings.points)
    walked = at + share
    # If the nearest place is an end of its segment, the next segment may be nearer.
    ends = np.flatnonzero((share <= 0) | (share >= 1))
    beside = np.clip(at[ends] + np.where(share[ends] <= 0, -1, 1), first[ends], last[ends] - 1)
    share, gaps_beside = _nearest(others.points, beside, rings.points[ends])
    nearer = gaps_beside < gaps[ends]
    walked[ends[nearer]] = (beside + share)[nearer]
    walked[rings.starts[:-1]], walked[rings.starts[1:] - 1] = others.starts[:-1], others.starts[1:] - 1
    walked = np.maximum.accumulate(walked)
    corners = np.arange(len(others.points))
    behind = np.searchsorted(walked, corners, side="right") - 1
    behind = np.minimum(behind, (rings.starts[1:] - 2)[others.owners])
    back = np.maximum.accumulate(behind + _nearest(rings.points, behind, others.points)[0])
    worst, here = _worst(rings, _gaps(others, walked, rings.points))
    backwards, there = _worst(others, _gaps(rings, back, others.points))
    is_there = backwards > worst
    places = np.where(is_there[:, None], others.points[there], rings.points[here])
    return np.sqrt(np.where(is_there, backwards, worst)), places


def _worst(rings: Polylines, gaps: Floats) -> tuple[Floats, Ints]:
    """The largest of the gaps at the points of each line, and the first point with it."""
    worst = np.maximum.reduceat(gaps, rings.starts[:-1])
    hits = np.flatnonzero(gaps == worst[rings.owners])[::-1]
    at = np.empty(len(rings), np.int64)
    at[rings.owners[hits]] = hits
    return worst, at


def _from_nearest(rings: Polylines, places: Floats) -> Polylines:
    """Begin closed lines at their place nearest to a given place each."""
    counts = rings.counts - 1
    off = rings.points - places[rings.owners]
    _, corners = _worst(rings, -(off[:, 0] ** 2 + off[:, 1] ** 2))
    corners = np.minimum(corners, rings.starts[1:] - 2)
    before = np.where(corners > rings.starts[:-1], corners, rings.starts[1:] - 1) - 1
    (share, gaps), (share_before, gaps_before) = (_nearest(rings.points, at, places) for at in (corners, before))
    is_before = gaps_before < gaps
    segments, shares = np.where(is_before, before, corners), np.where(is_before, share_before, share)
    points = rings.points
    here = points[segments] + shares[:, None] * (points[segments + 1] - points[segments])
    starts = offsets(counts + 2)
    owners = np.repeat(np.arange(len(rings)), counts + 2)
    within = np.arange(len(owners)) - starts[owners]
    began = segments - rings.starts[:-1]
    around = points[rings.starts[owners] + (began[owners] + within) % counts[owners]]
    around[starts[:-1]] = around[starts[1:] - 1] = here
    return Polylines(around, starts)


def _shares(rings: Polylines) -> Floats:
    """Share of the way round at each point, plus twice the number of its ring."""
    steps = np.hypot(*np.diff(rings.points, axis=0, prepend=rings.points[:1]).T)
    steps[rings.starts[:-1]] = 0.0
    along = np.cumsum(steps)
    along -= along[rings.starts[:-1]][rings.owners]
    return np.asarray(2 * rings.owners + along / np.maximum(along[rings.starts[1:] - 1], 1e-300)[rings.owners])


def _nearest(points: Floats, segments: Ints, places: Floats) -> tuple[Floats, Floats]:
    """Share of each segment, from its point to the next, nearest to a place, and the squared gap."""
    x, y = points[:, 0], points[:, 1]
    begin_x, begin_y = x[segments], y[segments]
    way_x, way_y = x[segments + 1] - begin_x, y[segments + 1] - begin_y
    off_x, off_y = places[:, 0] - begin_x, places[:, 1] - begin_y
    share = (off_x * way_x + off_y * way_y) / np.maximum(way_x**2 + way_y**2, 1e-300)
    np.clip(share, 0.0, 1.0, out=share)
    return share, (off_x - share * way_x) ** 2 + (off_y - share * way_y) ** 2


def _gaps(rings: Polylines, walked: Floats, places: Floats) -> Floats:
    """Squared gaps between places and the points at fractional indices `walked` along all lines."""
    x, y = rings.points[:, 0], rings.points[:, 1]
    at = np.minimum(walked.astype(np.int64), len(x) - 2)
    share = walked - at
    off_x = x[at] + share * (x[at + 1] - x[at]) - places[:, 0]
    off_y = y[at] + share * (y[at + 1] - y[at]) - places[:, 1]
    return np.asarray(off_x**2 + off_y**2)


# A bound on the crossings of lines, since noding takes memory and time for each crossing

MOST_CROSSINGS = 50_000
"""Most pairs of segments in a drawing that cross, neighbours not counted."""
SEGMENTS_A_STEP = 32


def segments(lines: Polylines) -> tuple[Floats, Floats]:
    """Starts and ends of the segments of lines."""
    is_last = np.zeros(len(lines.points), bool)
    is_last[lines.starts[1:] - 1] = True
    is_first = np.zeros(len(lines.points), bool)
    is_first[lines.starts[:-1]] = True
    return lines.points[~is_last], lines.points[~is_first]


def ensure_few_crossings(starts: Floats, ends: Floats) -> None:
    """Raise StudioError, to follow the file's name, if segments (n, 2) to (n, 2) cross each other too often."""
    import shapely

    lines = shapely.linestrings(np.stack([starts, ends], 1))
    tree, count = shapely.STRtree(lines), 0
    for at in range(0, len(lines), SEGMENTS_A_STEP):
        some = lines[at : at + SEGMENTS_A_STEP]
        # Each segment meets itself and its two neighbours; every other pair is found twice.
        count += len(tree.query(some, predicate="intersects")[0]) - 3 * len(some)
        if count > 2 * MOST_CROSSINGS:
            raise StudioError(
                tr("its lines cross in more than {most:,} places. Simplify the drawing.", most=MOST_CROSSINGS)
            )
