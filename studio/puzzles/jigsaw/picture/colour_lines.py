"""Lines of the picture: contours that cuts follow, and the strengths to which boards of layout version 1 are drawn.

There, corners move onto strong lines, and edges along a line follow it. The strongest lines inside a cut-out, such as
an eye or the edge of a roof, become detail cuts of its figure.

contour: a smooth traced line. station: distance in mm along it. strength: strength of the picture's nearest line at a
place, from 0 to `STRONGEST`, falling with its distance. Strengths and choices are whole or rounded numbers, so that
every processor draws the same board.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, kept
from studio.geometry.art.artwork import pixels_in
from studio.geometry.board.outline import Stretch
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.picture.cutout import Singles, blurred, reduced, superpixels_of
from studio.puzzles.jigsaw.picture.masks import Placement

if TYPE_CHECKING:
    import shapely

    from studio.geometry.board.tiling import Tiling
    from studio.puzzles.jigsaw.model.design import JigsawDesign

MOST_CELLS = 384
"""Cells along the longer side of the picture, in which lines are sought."""
STRONGEST = 255
PERCENTILE = 97
"""Percentile of the picture at which a line counts as full strength."""
LEAST = 12
"""Steepness, of 255, below which a line never counts as full strength."""
FALLING = 40
"""Loss of strength per cell of distance."""
REACH = 0.36
"""Largest move of a corner, in widths of a usual piece."""
INSIDE = 0.05
"""Distance from the border at which lines are sought for its corners, as a fraction of their largest move."""
PLACES = 10
"""Places tried between a corner and its largest move, in each direction."""
STATIONS, LEVELS = 16, 9
"""Stations of an edge, and number of offsets at each to either side."""
BAND = 0.24
"""Largest offset of an edge from its straight line, in its lengths."""
TAPER = 0.6
"""Largest offset as a fraction of the distance to the nearer corner."""
BENDING = 3
"""Cost of a step between offsets, times the step squared."""
MOST_STEPS = 2
AT_ONCE = 1000
"""Edges or corners computed together, so that large boards take no more memory."""
BEYOND = -(10**6)
"""Strength beside the band, low enough that no edge is led there."""
ROUNDING = 1e-9
LEAST_SHARE = 0.5
"""Strength above which an edge follows a line if cuts follow colours fully, as a fraction of the strongest."""
INNER_PIXELS = 300
"""Most pixels of a cut-out's longer side, in which its inner lines are sought."""
SOFT = 2
"""Reach in these pixels of each of three blurs, so that fur and leaves are calm."""
TEXTURE, AROUND = 1.0, 12
"""Share of the mean change of colour nearby that is texture, and how many of these pixels nearby reaches."""
LEAST_STEP, OF_STRONGEST, WEAKENS = 1.0, 0.16, 0.4
"""Difference of colours in CIELAB, a pixel apart, below which no inner line begins; the same as a fraction of the
strongest; and the fraction of it down to which a line goes on."""
CALM, CALM_PIXELS = 1.2, 1.5
"""Least deviation of the places along an inner line that are averaged, in mm and in pixels."""
AHEAD = 0.5
"""Cosine of the sharpest turn from one pixel of a line to the next."""
NEXT = [(a, b, math.hypot(a, b)) for a in range(-2, 3) for b in range(-2, 3) if a or b]
"""Steps down and right, and their lengths in pixels, to the next pixel of a line."""
CALM_CONTOUR = 1.0
"""Least deviation in mm of the average along a contour."""
TO_BORDER = 4.0
"""Largest distance in these pixels, and in mm, at which a contour is extended to the border."""
SHORTEST_CONTOUR = 0.9
"""Length of the shortest contour that is followed, in usual pieces."""
WEAKEST, WEAKER = 1.0, 0.7
"""Least strength of a contour if cuts hardly follow colours, and how much less if they follow fully."""
DRAWN_CALM = 2.0
"""Deviation in mm of the average along a line that a maker drew."""
SNAP, SNAPPED = 0.25, 0.6
"""Distance of a traced contour in usual pieces at which a drawn line is on it, and the least share of it that is."""
TRACED_PIXELS = 640
"""Most pixels of the picture's longer side, in which contours are traced."""
LEAST_FULL = 1200
"""Least steepness, of 81 times 255 a pixel on either side, at which a contour has full strength."""
TRACE_BEGINS, TRACE_ENDS = 0.3, 0.12
"""Fractions of full strength at which a contour begins, and down to which it goes on."""
EXACT = 6
"""Decimals of what decides about contours, so that every processor traces the same."""
FIT = 0.05
"""Largest distance in mm of a cut from its smoothed contour."""
MOST_PARTS = 64
"""Most cubics of one edge."""


@dataclass(frozen=True, eq=False)
class Lines:
    """Strengths of the lines of a picture, shape (rows, columns)."""

    strengths: Ints

    def at(self, placed: Placement, points: Floats) -> Ints:
        """Strengths at points in mm on the board, shape (…, 2); 0 beside the picture."""
        rows, columns = self.strengths.shape
        own = np.floor(placed.from_board(points.reshape(-1, 2)) * columns).astype(np.int64)
        x, y = own[:, 0], own[:, 1]
        inside = (x >= 0) & (y >= 0) & (x < columns) & (y < rows)
        found = np.where(inside, self.strengths[np.where(inside, y, 0), np.where(inside, x, 0)], 0)
        return found.reshape(points.shape[:-1])


@kept(2)
def lines_of(data: bytes, progress: Progress) -> Lines:
    """Find the lines of a picture, given its bytes; a broken picture has no lines."""
    try:
        pixels = pixels_in(data, MOST_CELLS, progress).astype(np.int64)
    except StudioError:
        return Lines(np.zeros((1, 1), np.int64))
    shades = pixels[..., :3] * pixels[..., 3:] // STRONGEST + (STRONGEST - pixels[..., 3:])
    padded = np.pad(shades, ((1, 1), (1, 1), (0, 0)), mode="edge")
    across = padded[:, 2:] - padded[:, :-2]
    down = padded[2:] - padded[:-2]
    right = across[:-2] + 2 * across[1:-1] + across[2:]
    below = down[:, :-2] + 2 * down[:, 1:-1] + down[:, 2:]
    steepness = (np.abs(right) + np.abs(below)).max(axis=2) // 8
    limit = max(LEAST, int(np.sort(steepness, axis=None)[steepness.size * PERCENTILE // 100]))
    strengths = np.minimum(STRONGEST, steepness * STRONGEST // limit)
    for _ in range(STRONGEST // FALLING):
        grown = np.pad(strengths, 1) - FALLING
        for rows in (grown[:-2, 1:-1], grown[2:, 1:-1], grown[1:-1, :-2], grown[1:-1, 2:]):
            strengths = np.maximum(strengths, rows)
    return Lines(strengths)


def drawn_towards(design: JigsawDesign, places: Floats, scale: Floats) -> Floats:
    """Move corners in mm onto the strongest lines nearby, shape (n, 2); corners without a line nearby stay."""
    picture = design.picture
    if picture is None:
        return places
    reach = REACH * design.parameters.follow_colours * float(scale.min())
    steps = np.arange(-PLACES, PLACES + 1)
    x, y = (each.ravel() for each in np.meshgrid(steps, steps))
    squares = x * x + y * y
    near = np.argsort(squares, kind="stable")[: int((squares <= PLACES * PLACES).sum())]
    offsets = np.stack([x, y], 1)[near] * (reach / PLACES)
    lines, placed = lines_of(picture.data, SILENT), Placement.from_picture(picture, design.size)
    found = places.copy()
    for begin in range(0, len(places), AT_ONCE):
        some = places[begin : begin + AT_ONCE]
        tried = some[:, None] + offsets
        # Prefer nearer places.
        strengths = lines.at(placed, tried) - squares[near] // 4
        best = tried[np.arange(len(some)), strengths.argmax(axis=1)]
        found[begin : begin + AT_ONCE] = np.where((strengths.max(axis=1) > FALLING)[:, None], best, some)
    return found


def slid_towards(design: JigsawDesign, stretch: Stretch, places: Floats, room: Floats) -> Floats:
    """Slide corners on a stretch of the border onto the strongest lines nearby, in mm, shape (n, 2), by at most `room`
    mm each, shape (n,); corners without a line nearby stay."""
    picture = design.picture
    if picture is None or not len(places):
        return places
    steps = np.arange(-PLACES, PLACES + 1)
    steps = steps[np.argsort(np.abs(steps), kind="stable")]
    inward = stretch.inward(places)
    along = np.stack([inward[:, 1], -inward[:, 0]], 1)
    tried = places[:, None] + (steps * room[:, None] / PLACES)[..., None] * along[:, None]
    tried = stretch.nearest(tried.reshape(-1, 2)).reshape(tried.shape)
    placed = Placement.from_picture(picture, design.size)
    # The picture may end exactly at the border.
    seen = tried + (INSIDE * float(room.max()) * inward)[:, None]
    strengths = lines_of(picture.data, SILENT).at(placed, seen) - steps * steps // 4
    best = tried[np.arange(len(places)), strengths.argmax(axis=1)]
    return np.where((strengths.max(axis=1) > FALLING)[:, None], best, places)


def followed(design: JigsawDesign, ends: Floats) -> tuple[NDArray[np.bool_], Floats]:
    """Mask of the edges, ends in mm of shape (k, 2, 2), that follow lines, and paths, shape (k, STATIONS + 1, 2)."""
    assert design.picture is not None
    lines, placed = lines_of(design.picture.data, SILENT), Placement.from_picture(design.picture, design.size)
    follow = design.parameters.follow_colours
    parts = [_led(lines, placed, follow, ends[at : at + AT_ONCE]) for at in range(0, len(ends), AT_ONCE)]
    return np.concatenate([one for one, _ in parts]), np.concatenate([way for _, way in parts])


def _led(lines: Lines, placed: Placement, follow: float, ends: Floats) -> tuple[NDArray[np.bool_], Floats]:
    way = ends[:, 1] - ends[:, 0]
    normal = np.stack([-way[:, 1], way[:, 0]], 1)
    shares, levels, step = np.arange(STATIONS + 1) / STATIONS, np.arange(-LEVELS, LEVELS + 1), BAND * follow / LEVELS
    straight = ends[:, None, 0] + shares[:, None] * way[:, None]
    strengths = lines.at(placed, straight[:, :, None] + (levels * step)[:, None] * normal[:, None, None])
    limits = TAPER * np.minimum(shares, 1 - shares)
    strengths = np.where(np.abs(levels) * step <= limits[:, None] + ROUNDING, strengths, BEYOND)
    # An edge near a line does not yet run along it.
    clear = np.maximum(2 * strengths - STRONGEST, 0)
    least = (STATIONS + 1) * STRONGEST * (1 - (1 - LEAST_SHARE) * follow)
    follows = clear.max(axis=2).sum(axis=1) >= least
    may = np.flatnonzero(follows)
    path = _best(strengths[may])
    follows[may] = clear[may[:, None], np.arange(STATIONS + 1), path].sum(axis=1) >= least
    offsets = levels[path].astype(float)
    for _ in range(2):
        offsets[:, 1:-1] = (offsets[:, :-2] + 2 * offsets[:, 1:-1] + offsets[:, 2:]) / 4
    straight[may] += (offsets * step)[..., None] * normal[may, None]
    # A start plus the way to an end may differ from the end by rounding, and cuts that do not meet separate no pieces.
    straight[:, -1] = ends[:, 1]
    return follows, straight


def _best(strengths: Ints) -> Ints:
    """Levels of the strongest, straightest paths, shape (k, s), given strengths of shape (k, s, levels)."""
    count, stations, levels = strengths.shape
    steps = range(-MOST_STEPS, MOST_STEPS + 1)
    best, came = strengths[:, 0], []
    for station in range(1, stations):
        padded = np.pad(best, ((0, 0), (MOST_STEPS, MOST_STEPS)), constant_values=BEYOND * stations)
        best, chosen = np.full_like(best, BEYOND * stations), np.zeros_like(best)
        for step in steps:
            tried = padded[:, MOST_STEPS + step : MOST_STEPS + step + levels] - BENDING * step * step
            better = tried > best
            best, chosen = np.where(better, tried, best), np.where(better, step, chosen)
        came.append(chosen)
        best = best + strengths[:, station]
    path = np.empty((count, stations), np.int64)
    path[:, -1] = best.argmax(axis=1)
    rows = np.arange(count)
    for station in range(stations - 2, -1, -1):
        after = path[:, station + 1]
        path[:, station] = after + came[station][rows, after]
    return path


def led(points: Floats) -> Floats:
    """Draw smooth cubics, shape (k, 3n + 1, 2), through every second point, shape (k, 2n + 1, 2)."""
    knots = points[:, ::2]
    before, after = knots[:, :-1], knots[:, 1:]
    tangents = np.empty_like(knots)
    tangents[:, 1:-1] = (knots[:, 2:] - knots[:, :-2]) / 2
    tangents[:, 0], tangents[:, -1] = knots[:, 1] - knots[:, 0], knots[:, -1] - knots[:, -2]
    parts = np.stack([before, before + tangents[:, :-1] / 3, after - tangents[:, 1:] / 3], 2)
    return np.concatenate([parts.reshape(len(knots), -1, 2), knots[:, -1:]], 1)


def calmed(path: Floats, deviation: float, *, closed: bool = False) -> Floats:
    """Even steps along a path in mm, shape (n, 2), averaged with those nearby; its ends stay unless it is closed."""
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(path, axis=0).T))])
    places = np.linspace(0.0, walked[-1], max(2, math.ceil(3 * walked[-1] / deviation)) + 1)
    points = np.stack([np.interp(places, walked, each) for each in path.T], 1)
    reach = min(9, len(points) - 1)
    weights = np.exp(-((np.arange(-reach, reach + 1) / 3) ** 2) / 2)
    before, after = 2 * points[0] - points[reach:0:-1], 2 * points[-1] - points[-2 : -reach - 2 : -1]
    if closed:
        before, after = points[-reach - 1 : -1], points[1 : reach + 1]
    around = np.concatenate([before, points, after])
    return np.stack([np.convolve(each, weights / weights.sum(), "valid") for each in around.T], 1)


def ways(design: JigsawDesign, area: shapely.Geometry, progress: Progress) -> Iterator[tuple[Floats, float]]:
    """Paths in mm, shape (n, 2), along the steepest pixels in an area, the strongest first.

    With each comes its mean steepness as a fraction of the steepest pixel's.
    """
    import shapely

    assert design.picture is not None
    placed = Placement.from_picture(design.picture, design.size)
    fine = superpixels_of(design.picture.data, progress).fine
    columns = fine.shape[1]
    area = shapely.transform(area, lambda points: placed.from_board(points) * columns)
    left, top, right, bottom = (max(round(each), 0) for each in area.bounds)
    crop = fine[top : bottom + 1, left : right + 1]
    if min(crop.shape[:2]) < 3:
        return
    factor = -(-max(crop.shape[:2]) // INNER_PIXELS)
    image, pixel = reduced(crop, factor), placed.scale * factor / columns
    for _ in range(3):
        image = blurred(image, SOFT)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    shapely.prepare(area)
    within = shapely.contains_xy(area, (x + 0.5) * factor + left, (y + 0.5) * factor + top)
    steepness, across = _steepness(image)
    steepness = np.maximum(steepness - np.float32(TEXTURE) * blurred(steepness, AROUND), 0.0)
    strongest = float(steepness[within].max(initial=0.0))
    limit = max(LEAST_STEP, OF_STRONGEST * strongest)
    is_crest = within & (steepness > WEAKENS * limit) & crests(steepness, across)
    found = [(way, steepness[way[:, 0], way[:, 1]]) for way in linked(steepness, across, is_crest, limit)]
    for way, steep in sorted(found, key=lambda each: -float((each[1] ** 2).sum())):
        if len(way) > 2:
            path = placed.on_board(((way[:, ::-1] + 0.5) * factor + (left, top)) / columns)
            yield calmed(path, max(CALM, CALM_PIXELS * pixel)), float(steep.mean()) / strongest


def _steepness(image: Singles) -> tuple[Singles, Singles]:
    """Largest change of colour a pixel, and the angle in which it changes (Di Zenzo, 1986)."""
    down, right = (np.gradient(image, axis=axis) for axis in (0, 1))
    one, other, both = (right**2).sum(axis=2), (down**2).sum(axis=2), (right * down).sum(axis=2)
    squares = (one + other + np.hypot(one - other, 2 * both)) / 2
    return np.sqrt(squares), np.arctan2(2 * both, one - other) / 2


def crests(steepness: Singles, across: Singles | Floats) -> NDArray[np.bool_]:
    """True where a picture is steeper than at both pixels across the line."""
    high, wide = steepness.shape
    padded = np.pad(steepness, 1)
    y, x = np.mgrid[1 : high + 1, 1 : wide + 1]
    right, down = np.rint(np.cos(across)).astype(int), np.rint(np.sin(across)).astype(int)
    return np.asarray((steepness >= padded[y + down, x + right]) & (steepness > padded[y - down, x - right]))


def linked(steepness: Singles, across: Singles | Floats, crests: NDArray[np.bool_], limit: float) -> list[Ints]:
    """Paths of pixels, rows and columns of shape (n, 2), along crests; each begins where one is steeper than a limit.

    A path goes on to the steepest pixel ahead, over a gap of one pixel, and takes those beside it away.
    """
    places = map(tuple, np.argwhere(crests).tolist())
    steep = dict(zip(places, steepness[crests].tolist(), strict=True))
    found = []
    for start in sorted(steep, key=lambda place: -steep[place]):
        if steep.get(start, 0.0) < limit:
            continue
        angle, ways = float(across[start]), list[list[tuple[int, ...]]]()
        for sign in (1, -1):
            place, way = start, [start]
            down, right = sign * math.cos(angle), -sign * math.sin(angle)
            while True:
                steep.pop(place, None)
                ahead = [
                    (round(steep[to] * (a * down + b * right) / far**2, EXACT), to, a / far, b / far)
                    for a, b, far in NEXT
                    if a * down + b * right > AHEAD * far and (to := (place[0] + a, place[1] + b)) in steep
                ]
                if not ahead:
                    break
                _, place, a, b = max(ahead)
                way.append(place)
                down, right = down + a, right + b
                size = math.hypot(down, right)
                down, right = down / size, right / size
            ways.append(way)
        found.append(np.array(ways[1][:0:-1] + ways[0]))
        for y, x in ways[0] + ways[1]:
            for a, b, _ in NEXT:
                steep.pop((y + a, x + b), None)
    return found


@kept(2)
def traced(data: bytes, progress: Progress) -> tuple[tuple[Floats, float, bool], ...]:
    """Trace the contours of a picture, given its bytes: paths in its widths (n, 2), their strengths, and if closed."""
    try:
        pixels = pixels_in(data, TRACED_PIXELS, progress).astype(np.int64)
    except StudioError:
        return ()
    shades = pixels[..., :3] * pixels[..., 3:] // 255 + (255 - pixels[..., 3:])
    if min(shades.shape[:2]) < 3:
        return ()
    for _ in range(2):
        shades = _summed(shades, 1)
    padded = np.pad(shades, ((1, 1), (1, 1), (0, 0)), mode="edge").astype(np.float64)
    right, down = padded[1:-1, 2:] - padded[1:-1, :-2], padded[2:, 1:-1] - padded[:-2, 1:-1]
    one, other, both = (each.sum(axis=2) for each in (right * right, down * down, right * down))
    squares = (one + other + np.sqrt((one - other) ** 2 + 4 * both * both)) / 2
    steepness = np.floor(np.sqrt(squares)).astype(np.int64)
    area = (2 * AROUND + 1) ** 2
    steepness = np.maximum(steepness - _summed(steepness[..., None], AROUND)[..., 0] // area, 0)
    full = max(LEAST_FULL, int(np.sort(steepness, axis=None)[steepness.size * PERCENTILE // 100]))
    across = np.round(np.arctan2(2 * both, one - other) / 2, EXACT)
    strong = (steepness > TRACE_ENDS * full) & crests(steepness, across)
    found = []
    for way in linked(steepness, across, strong, TRACE_BEGINS * full):
        if len(way) < 6:
            continue
        strength = float(np.minimum(steepness[way[:, 0], way[:, 1]], full).sum()) / (full * len(way))
        gap = way[0] - way[-1]
        closed = len(way) > 12 and int((gap * gap).sum()) <= 18
        path = _finer(way, steepness, across)
        path = np.concatenate([path, path[:1]]) if closed else path
        found.append((path / shades.shape[1], round(strength, EXACT), closed))
    return tuple(found)


def _summed(image: Ints, reach: int) -> Ints:
    """Sums over squares around each pixel of an image (rows, columns, channels); pixels at the rim repeat."""
    for axis in (0, 1):
        pads = [(0, 0)] * 3
        pads[axis] = (reach + 1, reach)
        sums = np.cumsum(np.pad(image, pads, mode="edge"), axis=axis)
        count = image.shape[axis]
        wide = 2 * reach + 1
        image = np.take(sums, range(wide, wide + count), axis) - np.take(sums, range(count), axis)
    return image


def _finer(way: Ints, steepness: Ints, across: Floats) -> Floats:
    """Places x and y in pixels, shape (n, 2), of the crest beside the middles of pixels, rows and columns (n, 2)."""
    y, x = way.T
    right, down = np.rint(np.cos(across[y, x])).astype(int), np.rint(np.sin(across[y, x])).astype(int)
    padded = np.pad(steepness, 1, mode="edge")
    here, before, after = (padded[1 + y + k * down, 1 + x + k * right] for k in (0, -1, 1))
    bend = np.minimum(before - 2 * here + after, -1)
    off = np.clip((before - after) / (2 * bend), -0.5, 0.5)
    return np.stack([x + 0.5 + off * right, y + 0.5 + off * down], 1)


@dataclass(frozen=True, eq=False)
class Contour:
    """A contour on the board: `points` (n, 2) in mm, evenly spaced, first and last the same if closed; `strength` up
    to 1; `at_border` says of its two ends if they are on the border."""

    points: Floats
    strength: float
    at_border: tuple[bool, bool] = (False, False)

    @cached_property
    def is_closed(self) -> bool:
        """True if it ends where it begins."""
        return bool((self.points[0] == self.points[-1]).all())

    @cached_property
    def stations(self) -> Floats:
        """Stations (n,) of the points."""
        steps = np.diff(self.points, axis=0)
        return np.concatenate([[0.0], np.cumsum(np.sqrt(steps[:, 0] ** 2 + steps[:, 1] ** 2))])

    @property
    def length(self) -> float:
        """Length in mm."""
        return float(self.stations[-1])

    @cached_property
    def line(self) -> shapely.LineString:
        """The contour as a line."""
        import shapely

        line = shapely.LineString(self.points)
        shapely.prepare(line)
        return line

    def at(self, stations: Floats) -> Floats:
        """Points in mm at stations, shape (k, 2); a closed contour goes on beyond its end."""
        own = np.mod(stations, self.length) if self.is_closed else stations
        return np.stack([np.interp(own, self.stations, each) for each in self.points.T], 1)

    def ways(self, stations: Floats) -> Floats:
        """Unit directions at stations, shape (k, 2)."""
        step = self.length / len(self.points)
        begin, end = stations - step, stations + step
        if not self.is_closed:
            begin, end = np.maximum(begin, 0.0), np.minimum(end, self.length)
        way = self.at(end) - self.at(begin)
        return np.asarray(way / np.maximum(np.sqrt((way**2).sum(axis=1, keepdims=True)), 1e-12))

    def nearest(self, places: Floats) -> tuple[Floats, Floats]:
        """Stations of the nearest points to places, shape (k,), and their distances in mm, shape (k,)."""
        import shapely

        points = shapely.points(places)
        stations, distances = shapely.line_locate_point(self.line, points), shapely.distance(self.line, points)
        return np.round(stations, EXACT), np.round(distances, EXACT)

    def cut(self, begin: float, end: float) -> Floats:
        """Smooth cubics, shape (3k + 1, 2), along the contour from one station to another, which may be smaller."""
        span, count = end - begin, 1
        while True:
            stations = begin + span * np.arange(count + 1) / count
            points = self.at(stations)
            handles = self.ways(stations) * (span / count / 3)
            if count >= MOST_PARTS:
                break
            quarters = []
            for t in (0.25, 0.5, 0.75):
                s = 1 - t
                middle = s**3 * points[:-1] + 3 * s * s * t * (points[:-1] + handles[:-1])
                middle += 3 * s * t * t * (points[1:] - handles[1:]) + t**3 * points[1:]
                quarters.append(middle - self.at(stations[:-1] + t * span / count))
            off = np.concatenate(quarters)
            if (off**2).sum(axis=1).max() <= FIT**2:
                break
            count *= 2
        parts = np.stack([points[:-1], points[:-1] + handles[:-1], points[1:] - handles[1:]], 1)
        return np.concatenate([parts.reshape(-1, 2), points[-1:]])


def contours_of(design: JigsawDesign, tiling: Tiling, progress: Progress) -> list[Contour]:
    """Contours on the board that are strong and long enough to be followed, the most important first."""
    import shapely

    follow, usual = design.parameters.follow_colours, float(tiling.scale.min())
    picture = design.picture
    if picture is None or not follow:
        return []
    placed = Placement.from_picture(picture, design.size)
    board = tiling.outline.region
    shapely.prepare(board)
    found = list[Contour]()
    pixel = placed.scale / TRACED_PIXELS
    for path, strength, closed in traced(picture.data, progress):
        if strength < WEAKEST - WEAKER * follow:
            continue
        line = placed.on_board(path)
        steps = np.diff(line, axis=0)
        if np.sqrt((steps**2).sum(axis=1)).sum() < SHORTEST_CONTOUR * usual:
            continue
        line = np.round(calmed(line, max(CALM_CONTOUR, CALM_PIXELS * pixel), closed=closed), EXACT)
        if closed:
            line[-1] = line[0]
        found += _on_board(line, strength, board, max(TO_BORDER * pixel, 1.0))
    found = [one for one in found if one.length >= SHORTEST_CONTOUR * usual]
    return sorted(found, key=lambda one: -round(one.strength * one.length, 3))


def drawn_contours(design: JigsawDesign, tiling: Tiling, progress: Progress) -> list[Contour]:
    """Contours along the maker's lines: each on the traced contour beside it, or else on the line itself."""
    import shapely

    board, usual, found = tiling.outline.region, float(tiling.scale.min()), list[Contour]()
    shapely.prepare(board)
    fully = replace(design, parameters=replace(design.parameters, follow_colours=1.0)) if design.lines else design
    known = contours_of(fully, tiling, progress) if design.lines else []
    for line in design.lines:
        way = calmed(line.on_board(design.picture, design.size), DRAWN_CALM)
        points, best = shapely.points(way), 0
        path = way
        for contour in known:
            near = shapely.dwithin(contour.line, points, SNAP * usual)
            if near.sum() > max(best, SNAPPED * len(way)):
                best = int(near.sum())
                stations = np.unwrap(
                    contour.nearest(way[near])[0], period=contour.length if contour.is_closed else 1e12
                )
                begin, end = float(stations[0]), float(stations[-1])
                whole = contour.is_closed and abs(end - begin) > contour.length - usual / 2
                steps = np.linspace(0.0, 1.0, max(len(contour.points), 8))
                path = contour.points if whole else contour.at(begin + steps * (end - begin))
        found += _on_board(np.round(path, EXACT), line.strength, board, TO_BORDER)
    return found


def _on_board(line: Floats, strength: float, board: shapely.Geometry, beyond: float) -> Iterator[Contour]:
    """Parts of a line (n, 2) on the board, extended to a border less than `beyond` mm ahead."""
    import shapely

    if not (line[0] == line[-1]).all():
        for _ in range(2):
            line = line[::-1]
            way = line[-1] - line[max(len(line) - 4, 0)]
            size = float(np.sqrt((way**2).sum()))
            ahead = line[-1] + (beyond / max(size, 1e-9)) * way
            if not shapely.intersects_xy(board, *ahead):
                line = np.concatenate([line, ahead[None]])
    whole = shapely.LineString(line)
    if shapely.contains_properly(board, whole):
        yield Contour(line, strength)
        return
    parts = shapely.get_parts(shapely.line_merge(shapely.intersection(whole, board)))
    for part in parts:
        points = np.round(shapely.get_coordinates(part), EXACT)
        if len(points) < 3:
            continue
        ends = shapely.distance(shapely.boundary(board), shapely.points(points[[0, -1]])) < 0.01
        yield Contour(points, strength, (bool(ends[0]), bool(ends[1])))
