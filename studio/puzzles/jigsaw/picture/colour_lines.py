"""Draw cuts towards lines of the picture: corners move onto strong lines, and edges along a line follow it.

strength: strength of the picture's nearest line at a place, from 0 to `STRONGEST`, falling with its distance.
Strengths and choices are whole numbers, so that every processor draws the same board.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, kept
from studio.geometry.art.artwork import pixels_in
from studio.geometry.board.outline import Stretch
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.masks import Placement

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
