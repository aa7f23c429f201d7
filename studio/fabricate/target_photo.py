"""Find printed targets and the dots burned into them in a photograph or scan of a sheet.

target: a printed ring, open at its top. dot: burned by the machine where it takes the middle of the target to be.
camera: the map from the sheet to pixels. patch: the surroundings of a target, looked at in mm through the camera.

A photograph alone cannot tell a stretched print from a slanted camera: both move the four corners. The burned dots can,
as the machine has put them where the file says. So the camera is fitted to the dots, and the print is measured against
them: the distance from a dot to the middle of the ring around it, a few mm, in which an error of the camera hardly
counts. A scan has no slant, and needs no dots if its resolution is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.fabricate.alignment import PHOTO, SCAN, Alignment, Marks
from studio.fabricate.making import Making
from studio.fabricate.tabs import APART, DOT, GAP, HOLE, TARGET_MARKS, TARGETS
from studio.geometry.curves.strokes import Floats, Ints, ranges

Grey = NDArray[np.float32]
"""Brightness of pixels, shape (rows, columns)."""
SEARCHED = 1600
"""Pixels of the longer side of the picture in which rings are searched, twice as many if they are small."""
DARK = 0.75
"""Share of the brightness around it up to which a pixel is dark."""
RINGS = (0.2, 0.7)
"""Area of a dark ring over that of an ellipse with the same moments: 0.45 as printed, more or less in a blur."""
FEWEST = 5
"""Least number of targets that are needed: with four, nothing is left over to judge them by."""
MOST_CANDIDATES = 12
NEAR = 0.6
"""Distance in diameters within which a ring counts as the target that is expected there."""
OPEN = GAP / (2 * np.pi - GAP) * 2 / 3 * (1 - HOLE**3) / (1 - HOLE**2) * np.sin(GAP / 2) / (GAP / 2)
"""Distance by which the gap moves the middle of a ring's ink downwards, as a share of its radius."""
RAYS = 96
"""Directions in which the rim of a ring is looked for."""
LEAST_RAYS = 0.55
"""Least share of the directions that must show a rim; a covered mark shows fewer."""
RAGGED = 0.05
"""Largest deviation of a rim from a circle, as a share of its radius, and of a target's light, of its contrast."""
EVEN = 0.03
"""Difference of a target's light from the expected that is no fault, as a share of its contrast."""
MOST_BLUR = 0.5
"""Largest blur, as a standard deviation, in radii of the dot: a wider one lets ring and dot run together."""
MOST_ODD = 0.2
"""Largest share of a target's surroundings that may look otherwise."""
MOST_SHRUNK = 0.12
"""Largest difference between a printed radius and the expected one, as a share of it."""
ROUNDS, FINE_ROUNDS = 4, 2
"""Rounds in which the camera is fitted to the dots that it shows, and the last of them, which measure exactly."""


@dataclass(frozen=True, eq=False)
class Camera:
    """A view of the sheet: a homography (3, 3) from mm to pixels about `middle`, and how much the lens bulges.

    `bulge` is the shift of a pixel as a share of its distance from the middle, at the distance `reach`.
    """

    homography: Floats
    middle: Floats
    reach: float
    bulge: float = 0.0

    def pixels(self, places: Floats) -> Floats:
        """Pixels (n, 2), x and y, of places (n, 2) in mm."""
        seen = places @ self.homography[:, :2].T + self.homography[:, 2]
        flat = seen[:, :2] / seen[:, 2:]
        away = (flat**2).sum(axis=1, keepdims=True)
        return np.asarray(self.middle + self.reach * flat * (1 + self.bulge * away))

    @classmethod
    def through(cls, places: Floats, pixels: Floats, middle: Floats, reach: float) -> Camera:
        """The camera that sees places (n, 2) in mm at pixels (n, 2), n at least 4; a bulge from 6 places on."""
        flat = (pixels - middle) / reach
        about, size = places.mean(axis=0), float(np.ptp(places))
        unit = (places - about) / size
        back = np.array([[1 / size, 0, -about[0] / size], [0, 1 / size, -about[1] / size], [0, 0, 1.0]])
        values = np.append(_homographies(unit[None], flat[None])[0].ravel()[:8], 0.0)
        freedom = 9 if len(places) >= 6 else 8
        for _ in range(6):
            start = _residues(values, unit, flat)
            steps = [_residues(values + 1e-6 * np.eye(9)[at], unit, flat) - start for at in range(freedom)]
            slopes = np.stack(steps, 1) / 1e-6
            values[:freedom] -= np.linalg.lstsq(slopes, start, rcond=None)[0]
        return cls(np.append(values[:8], 1.0).reshape(3, 3) @ back, middle, reach, float(values[8]))


def _residues(values: Floats, unit: Floats, flat: Floats) -> Floats:
    camera = Camera(np.append(values[:8], 1.0).reshape(3, 3), np.zeros(2), 1.0, float(values[8]))
    return (camera.pixels(unit) - flat).ravel()


def _homographies(places: Floats, pixels: Floats) -> Floats:
    """Homographies (m, 3, 3) of m sets of places to pixels (m, n, 2), least squares from 4 places on."""
    (x, y), (u, v) = np.moveaxis(places, 2, 0), np.moveaxis(pixels, 2, 0)
    one, none = np.ones_like(x), np.zeros_like(x)
    rows = np.concatenate([
        np.stack([x, y, one, none, none, none, -u * x, -u * y], 2),
        np.stack([none, none, none, x, y, one, -v * x, -v * y], 2),
    ], 1)  # fmt: skip
    right = np.concatenate([u, v], 1)[..., None]
    square = np.moveaxis(rows, 1, 2) @ rows + 1e-12 * np.eye(8)
    solved = np.linalg.solve(square, np.moveaxis(rows, 1, 2) @ right)[..., 0]
    return np.concatenate([solved, np.ones((len(solved), 1))], 1).reshape(-1, 3, 3)


@dataclass(frozen=True, eq=False)
class _Rim:
    """A circle fitted to a rim in a patch: middle in mm on the sheet, radius in mm, and its directions without rim."""

    middle: Floats
    radius: float
    lacking: NDArray[np.bool_]


def in_picture(
    grey: Grey, marks: Marks, making: Making, dpi: float | None, sheet: int, progress: Progress = SILENT
) -> Alignment:
    """Find a sheet's marks in a picture, as `found_targets`; raise StudioError if the sheet has other marks."""
    if making.marks != TARGETS:
        raise StudioError(tr("Only targets can be found in a picture. Print the sheet with targets as its marks."))
    return found_targets(grey, marks, making.mark_size, dpi, sheet, progress)


def found_targets(
    grey: Grey, nominal: Marks, size: float, dpi: float | None = None, sheet: int = 1, progress: Progress = SILENT
) -> Alignment:
    """Find a sheet's targets, `size` mm wide, in a picture, and measure them against the burned dots.

    Without dots, a picture of `dpi` pixels per inch is a scan. Raise StudioError if too few targets are found.
    """
    progress.step(0.0, tr("Looking for marks"))
    rings = _rings(grey, SEARCHED)
    if len(rings.middles) <= FEWEST:
        rings = _rings(grey, 2 * SEARCHED)
    names = [name for name in TARGET_MARKS if name in nominal]
    places = np.array([nominal[name] for name in names])
    if len(names) < FEWEST:
        raise StudioError(tr("The sheet has only {count} marks, too few for a picture. Measure their offsets.",
                             count=len(names)))  # fmt: skip
    middle = np.array(grey.shape[::-1]) / 2
    progress.step(0.3)
    camera = _placed(grey, rings, places + np.array([0.0, OPEN * size / 2]), size, middle)
    progress.step(0.6)
    printed: dict[str, Floats] = {}
    burned: dict[str, Floats] = {}
    expected = dict(nominal)
    for turn in range(ROUNDS):
        printed, burned = {}, {}
        for name in names:
            ring = _ring(grey, camera, expected[name], size)
            if ring is None:
                continue
            dot = _dot(grey, camera, ring.middle, size)
            if dot is None:
                printed[name] = ring.middle
            elif turn < ROUNDS - FINE_ROUNDS:
                printed[name], burned[name] = ring.middle, dot.middle
            elif (pair := _pair(grey, camera, ring, dot, size)) is not None:
                printed[name], burned[name] = pair
        seen = burned if dpi is None or len(burned) >= FEWEST else printed
        if len(seen) < FEWEST:
            _refuse_few(len(printed), len(burned))
        if turn < ROUNDS - 1:
            at = camera.pixels(np.array([*seen.values()]))
            camera = Camera.through(np.array([nominal[name] for name in seen]), at, middle, camera.reach)
            expected |= {name: nominal[name] + printed[name] - place for name, place in seen.items()}
        progress.step(0.6 + 0.1 * turn)
    if seen is printed:
        assert dpi is not None
        spots = camera.pixels(np.array([*printed.values()])) * 25.4 / dpi
        return Alignment(nominal, dict(zip(printed, spots, strict=True)), SCAN, sheet)
    # What the camera gets wrong at a dot, it gets wrong in the same way at the ring around it.
    away = {name: printed[name] - dot for name, dot in burned.items()}
    return Alignment(nominal, {name: nominal[name] + each for name, each in away.items()}, PHOTO, sheet)


def _refuse_few(printed: int, burned: int) -> None:
    if printed < FEWEST:
        raise StudioError(tr("Only {count} printed marks are found in the picture; {least} are needed. Take it sharp, "
                             "in even light, with the whole sheet in sight.", count=printed, least=FEWEST))  # fmt: skip
    raise StudioError(tr("Only {count} marks have a burned dot in their ring; {least} are needed. Burn the marks file "
                         "first, or give the resolution of a scan.", count=burned, least=FEWEST))  # fmt: skip


# Rings in a smaller picture


@dataclass(frozen=True, eq=False)
class _Rings:
    """Candidates for rings, best first: middles (n, 2) in pixels, and the axes (n, 2, 2) of their ellipses."""

    middles: Floats
    axes: Floats


def _rings(grey: Grey, across: int) -> _Rings:
    """Find dark rings of any size in a picture, reduced to about `across` pixels."""
    step = max(1, round(max(grey.shape) / across))
    small = _shrunk(grey, step)
    found: list[tuple[float, Floats, Floats]] = []
    for window in (24, 60, 140):
        for middle, axes in _ellipses(small < DARK * _blurred(small, window), max(small.shape)):
            score, spot = _ringness(small, middle, axes), (middle + 0.5) * step - 0.5
            if score > LEAST_RAYS and all(np.hypot(*(spot - other)) > 2 * step for _, other, _ in found):
                found.append((score, spot, axes * step))
    found.sort(key=lambda each: -each[0])
    found = found[:MOST_CANDIDATES]
    middles = np.array([middle for _, middle, _ in found]).reshape(-1, 2)
    return _Rings(middles, np.array([axes for *_, axes in found]).reshape(-1, 2, 2))


def _shrunk(grey: Grey, step: int) -> Grey:
    rows, columns = (side // step * step for side in grey.shape)
    blocks = grey[:rows, :columns].reshape(rows // step, step, columns // step, step)
    return np.asarray(blocks.mean(axis=(1, 3), dtype=np.float32))


def _blurred(grey: Grey, reach: int) -> Grey:
    """Mean of the pixels up to `reach` away in both directions."""
    padded = np.pad(grey.astype(np.float64), ((reach + 1, reach), (reach + 1, reach)), mode="edge")
    total = padded.cumsum(axis=0).cumsum(axis=1)
    side = 2 * reach + 1
    summed = total[side:, side:] - total[:-side, side:] - total[side:, :-side] + total[:-side, :-side]
    return np.asarray(summed / side**2, np.float32)


def _ringness(grey: Grey, middle: Floats, axes: Floats) -> float:
    """Share of directions in which an ellipse is clearly darker than what is inside and outside it, and evenly so."""
    turns = np.linspace(0, 2 * np.pi, 36, endpoint=False)
    aim = np.stack([np.cos(turns), np.sin(turns)], 1) @ axes.T
    inside, ring, outside = (_sampled(grey, middle + share * aim) for share in (0.4, (1 + HOLE) / 2, 1.25))
    return float(((ring < DARK * np.minimum(inside, outside)) & (outside > 0.6 * np.median(outside))).mean())


def _ellipses(dark: NDArray[np.bool_], across: int) -> list[tuple[Floats, Floats]]:
    """Find parts of a mask with the moments of a ring: middle and axes of each, in pixels."""
    rows, begins, ends, owners, count = _parts(dark)
    lengths = (ends - begins).astype(np.float64)
    x = (begins + ends - 1) / 2

    def summed(values: Floats) -> Floats:
        return np.asarray(np.bincount(owners, values, minlength=count), np.float64)

    area = summed(lengths)
    mx, my = summed(lengths * x) / area, summed(lengths * rows) / area
    xx = summed(lengths * (x**2 + (lengths**2 - 1) / 12)) / area - mx**2
    yy = summed(lengths * rows**2) / area - my**2
    xy = summed(lengths * x * rows) / area - mx * my
    root = np.sqrt(np.maximum(xx * yy - xy**2, 1e-12))
    share = area / (4 * np.pi * root)
    least = (across / 500) ** 2
    is_ring = (area > 24) & (root > least) & (root < (across / 10) ** 2) & (share > RINGS[0]) & (share < RINGS[1])
    is_ring &= np.maximum(xx, yy) < 8 * np.minimum(xx, yy)
    found = []
    for at in np.flatnonzero(is_ring).tolist():
        values, axes = np.linalg.eigh(np.array([[xx[at], xy[at]], [xy[at], yy[at]]]))
        # A ring's second moments are a quarter of the sum of both squared radii.
        outer = 2 * np.sqrt(values / (1 + HOLE**2))
        found.append((np.array([mx[at], my[at]]), axes * outer))
    return found


def _parts(dark: NDArray[np.bool_]) -> tuple[Ints, Ints, Ints, Ints, int]:
    """Runs of a mask's rows, row, begin and end of each, the number of the connected part it belongs to, and theirs."""
    padded = np.pad(dark, ((0, 0), (1, 1))).astype(np.int8)
    change = np.diff(padded, axis=1)
    rows, begins = np.nonzero(change == 1)
    ends = np.nonzero(change == -1)[1]
    wide = dark.shape[1] + 2
    # Runs of the next row that touch each run, also at a corner.
    first = np.searchsorted(rows * wide + ends, (rows + 1) * wide + begins)
    last = np.searchsorted(rows * wide + begins, (rows + 1) * wide + ends, side="right")
    counts = np.maximum(last - first, 0)
    one, other = np.repeat(np.arange(len(rows)), counts), ranges(first, counts)
    labels = np.arange(len(rows))
    while True:
        low = np.minimum(labels[one], labels[other])
        before = labels.copy()
        np.minimum.at(labels, labels[one], low)
        np.minimum.at(labels, labels[other], low)
        labels = labels[labels]
        if np.array_equal(labels, before):
            break
    names, owners = np.unique(labels, return_inverse=True)
    return rows, begins, ends, owners, len(names)


# The sheet among the rings


def _placed(grey: Grey, rings: _Rings, places: Floats, size: float, middle: Floats) -> Camera:
    """Find the view in which most targets are at rings, as large as these, and open at the top."""
    count, reach = len(rings.middles), float(np.hypot(*middle))
    best: tuple[float, Camera | None] = (0.0, None)
    if count < FEWEST:
        _refuse_few(count, count)
    flat = (rings.middles - middle) / reach
    about, extent = places.mean(axis=0), float(np.ptp(places))
    unit = (places - about) / extent
    back = np.array([[1 / extent, 0, -about[0] / extent], [0, 1 / extent, -about[1] / extent], [0, 0, 1.0]])
    # Rings in the order round their middle, as seen from any side; each four may be any four targets in this order.
    marks = np.array([
        np.roll(four, turn) for four in combinations(range(len(places)), 4) for turn in range(4)
        if abs(_area(unit[list(four)])) > 0.1
    ])  # fmt: skip
    for four in combinations(range(count), 4):
        spots = flat[list(four)]
        out = spots - spots.mean(axis=0)
        spots = spots[np.argsort(np.arctan2(out[:, 1], out[:, 0]))]
        if abs(_area(spots)) < 1e-3:
            continue
        maps = _homographies(unit[marks], np.broadcast_to(spots, (len(marks), 4, 2)))
        seen = np.concatenate([unit, np.ones((len(unit), 1))], 1) @ np.moveaxis(maps, 1, 2)
        is_ahead = np.asarray((seen[..., 2] > 0.2).all(axis=1))
        at = seen[..., :2] / np.where(is_ahead[:, None], seen[..., 2], 1.0)[..., None]
        gaps = np.hypot(*np.moveaxis(at[:, :, None] - flat, 3, 0))
        nearest = gaps.argmin(axis=2)
        radius = np.sqrt(np.abs(np.linalg.det(rings.axes)))[nearest] / reach
        hits = gaps.min(axis=2) < 2 * NEAR * radius
        scores = np.where(is_ahead, hits.sum(axis=1), 0)
        for which in np.flatnonzero(scores >= max(FEWEST, best[0])).tolist():
            kept = hits[which]
            spots_of = rings.middles[nearest[which][kept]]
            if len(np.unique(nearest[which][kept])) < kept.sum():
                continue
            camera = Camera(maps[which] @ back, middle, reach)
            score = float(scores[which]) + _likeness(grey, camera, places[kept], rings.axes[nearest[which][kept]], size)
            if score > best[0]:
                good = Camera.through(places[kept], spots_of, middle, reach)
                best = score, good
    if best[1] is None:
        raise StudioError(tr("The rings in the picture are not where this sheet has its marks. Use the puzzle and the "
                             "options of the print, and show at least {least} marks.", least=FEWEST))  # fmt: skip
    return best[1]


def _area(ring: Floats) -> float:
    x, y = ring.T
    return float(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2


def _likeness(grey: Grey, camera: Camera, places: Floats, axes: Floats, size: float) -> float:
    """Judge a view from -2 to 1: whether rings are as round and large as targets, and open at the top."""
    turns = np.linspace(0, 2 * np.pi, 24, endpoint=False) - np.pi / 2
    circle = np.stack([np.cos(turns), np.sin(turns)], 1)
    wrong, open_at = [], []
    for place, own in zip(places, axes, strict=True):
        rim = camera.pixels(place + size / 2 * circle) - camera.pixels(place[None])
        wrong.append(float(np.abs(np.hypot(*np.linalg.solve(own, rim.T)) - 1).mean()))
        shades = _sampled(grey, camera.pixels(place + (1 + HOLE) * size / 4 * circle))
        top = (shades[0] - np.delete(shades, [0, 1, -1]).mean()) / (np.ptp(shades) + 1e-6)
        open_at.append(float(top))
    return float(np.clip(np.median(open_at), -1, 1) - min(np.median(wrong), 1.0))


# Rims in a patch


def _sampled(grey: Grey, pixels: Floats) -> Floats:
    """Brightness between pixels (..., 2), x and y."""
    rows, columns = grey.shape
    x, y = np.clip(pixels[..., 0], 0, columns - 1.001), np.clip(pixels[..., 1], 0, rows - 1.001)
    left, top = x.astype(np.int64), y.astype(np.int64)
    right, down = x - left, y - top
    upper = grey[top, left] * (1 - right) + grey[top, left + 1] * right
    lower = grey[top + 1, left] * (1 - right) + grey[top + 1, left + 1] * right
    return np.asarray(upper * (1 - down) + lower * down, np.float64)


def _ring(grey: Grey, camera: Camera, place: Floats, size: float) -> _Rim | None:
    """Measure the target near a place; None if there is none, or it is covered."""
    radius, middle, outer = size / 2, place, None
    for _ in range(3):
        outer = _rim(grey, camera, middle, (1 + HOLE) / 2 * radius, 1.35 * radius, radius)
        inner = _rim(grey, camera, middle, (1 + HOLE) / 2 * radius, 0.3 * radius, HOLE * radius)
        if outer is None or inner is None:
            return None
        # A blur moves both rims alike; the outer one is longer.
        middle = (outer.middle + HOLE * inner.middle) / (1 + HOLE)
    assert outer is not None
    gap = np.flatnonzero(np.abs(_angles() + np.pi / 2) < GAP / 4)
    is_open = outer.lacking[gap].mean() >= 0.5
    return _Rim(middle, outer.radius, outer.lacking) if is_open and np.hypot(*(middle - place)) < size else None


def _dot(grey: Grey, camera: Camera, place: Floats, size: float) -> _Rim | None:
    """Measure the dot in a target; None if there is none, or it touches the ring."""
    room = HOLE * size / 2
    axis = np.arange(-room, room, 0.1)
    grid = np.stack(np.meshgrid(axis, axis), 2)
    grid = grid[np.hypot(*np.moveaxis(grid, 2, 0)) < 0.8 * room]
    shades = _sampled(grey, camera.pixels(place + grid))
    low, high = np.percentile(shades, (1, 80))
    dark = np.clip((low + high) / 2 - shades, 0, None)
    if dark.sum() <= 0:
        return None
    middle, radius = place + (grid * dark[:, None]).sum(axis=0) / dark.sum(), DOT * size / 2
    found = None
    for _ in range(3):
        far = min(2.2 * radius, room - float(np.hypot(*(middle - place))))
        if far < 1.3 * radius:
            return None
        found = _rim(grey, camera, middle, 0.2 * radius, far, None)
        if found is None or not 0.5 * radius < found.radius < 1.9 * radius:
            return None
        middle = found.middle
    return found


def _pair(grey: Grey, camera: Camera, ring: _Rim, dot: _Rim, size: float) -> tuple[Floats, Floats] | None:
    """Fit ring and dot together, as a blur makes each push the other's rim away: the middles of both in mm.

    None if the patch does not look like a target, as under a hard shadow's edge.
    """
    radius = size / 2
    # The printed picture begins APART from the ring; a blur brings it nearer.
    reach = radius + 0.6 * APART
    axis = np.linspace(-reach, reach, 60)
    grid = np.stack(np.meshgrid(axis, axis), 2).reshape(-1, 2)
    away = np.hypot(*grid.T)
    is_gap = (np.abs(np.arctan2(grid[:, 0], -grid[:, 1])) < 0.9 * GAP) & (away > 0.55 * HOLE * radius)
    grid = grid[(away < reach) & ~is_gap]
    light = (_sampled(grey, camera.pixels(ring.middle + grid)) / 255) ** 2
    low, high = np.percentile(light, (3, 90))
    values = np.array([0.0, 0.0, *(dot.middle - ring.middle), np.log(0.15), 0.0, dot.radius, high, 0.0, 0.0,
                       high - low, 0.6 * (high - low)])  # fmt: skip
    weights = np.ones(len(grid))
    for _ in range(7):
        base = _painted(values, grid, radius)
        slopes = np.stack([(_painted(values + 1e-4 * one, grid, radius) - base) / 1e-4 for one in np.eye(12)], 1)
        off = light - base
        scale = max(1.48 * float(np.median(np.abs(off))), EVEN * float(abs(values[10])))
        # Tukey's weights: dust, scorch and shadows count for nothing.
        weights = np.clip(1 - (off / (5 * scale)) ** 2, 0, None)
        damping = np.diag([1e-4] * 12)
        square = (slopes * weights[:, None]).T @ slopes
        values += np.clip(np.linalg.solve(square + damping, (slopes * weights[:, None]).T @ off), -0.3, 0.3)
        values[4] = np.clip(values[4], np.log(0.03), np.log(0.35 * radius))
    contrast = float(values[10])
    if np.exp(values[4]) > MOST_BLUR * DOT * radius:
        return None
    if contrast <= 0 or scale > RAGGED * contrast or (weights > 0).mean() < 1 - MOST_ODD:
        return None
    return ring.middle + values[:2], ring.middle + values[2:4]


def _painted(values: Floats, grid: Floats, radius: float) -> Floats:
    """Light of a blurred target at places (n, 2), of both middles, log of blur, spread of ink, dot's radius, lights."""
    blur, spread, dot = np.exp(values[4]), values[5], values[6]
    ring, away = (np.hypot(*(grid - values[at : at + 2]).T) for at in (0, 2))
    ink = _step((radius + spread - ring) / blur) - _step((HOLE * radius - spread - ring) / blur)
    paper = values[7] + grid @ values[8:10] / radius
    return np.asarray(paper - values[10] * ink - values[11] * _step((dot - away) / blur))


def _step(at: Floats) -> Floats:
    """The normal distribution's share below, within 0.0003."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.7978846 * (at + 0.044715 * at**3)))


def _angles() -> Floats:
    return np.linspace(-np.pi, np.pi, RAYS, endpoint=False)


def _rim(grey: Grey, camera: Camera, middle: Floats, dark: float, bright: float, expected: float | None) -> _Rim | None:
    """Fit a circle to the rim between a dark radius and a bright one, in mm; None without a whole one."""
    turns, steps = _angles(), np.linspace(0.0, 1.0, 48)
    radii = dark + (bright - dark) * steps
    aim = np.stack([np.cos(turns), np.sin(turns)], 1)
    shades = _sampled(grey, camera.pixels((middle + aim[:, None] * radii[:, None]).reshape(-1, 2)).reshape(RAYS, 48, 2))
    low, high = shades[:, :8].min(axis=1), shades.max(axis=1)
    contrast = high - low
    is_lacking = contrast < 0.5 * np.median(contrast)
    is_above = shades > ((low + high) / 2)[:, None]
    after = np.maximum(is_above.argmax(axis=1), 1)
    rows = np.arange(RAYS)
    below, above = shades[rows, after - 1], shades[rows, after]
    share = np.clip(((low + high) / 2 - below) / np.maximum(above - below, 1e-6), 0, 1)
    is_lacking |= is_above[:, 0]
    at = dark + (bright - dark) * (steps[after - 1] + share / 47)
    points = middle + aim * at[:, None]
    kept = ~is_lacking
    # Rays that hit a shadow's edge or another line are left out.
    for _ in range(4):
        if kept.mean() < LEAST_RAYS:
            return None
        design = np.concatenate([2 * (points[kept] - middle), np.ones((kept.sum(), 1))], 1)
        *shift, square = np.linalg.lstsq(design, ((points[kept] - middle) ** 2).sum(axis=1), rcond=None)[0]
        centre = middle + np.array(shift)
        radius = float(np.sqrt(max(square + np.dot(shift, shift), 1e-12)))
        off = np.hypot(*(points - centre).T) - radius
        scatter = float(np.median(np.abs(off[kept]))) * 1.48
        kept = ~is_lacking & (np.abs(off) < max(3 * scatter, 0.01))
    if scatter > RAGGED * radius + 0.03 or (expected and abs(radius / expected - 1) > MOST_SHRUNK):
        return None
    return _Rim(np.asarray(centre), radius, is_lacking)
