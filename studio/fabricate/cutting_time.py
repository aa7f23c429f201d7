"""Time that cutting takes: the path of the head, its speed in bends, and the moment at which each piece falls free.

The head accelerates evenly, slows down in curves and stops at corners; speeds are the machine's settings. workload: all
that the time of a job depends on besides the machine, so that the job can be timed again for other settings.

The head stops wherever the beam goes on or off, so each kind of motion is timed by its own speed v and the acceleration
a alone. In units of the braking distance u = v²/a, no other quantity remains: the motion takes as long as its effective
length, a function of u, does at the speed v. A workload keeps this function as a table; it is the same model, not a
fit to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.base.units import MM_PER_INCH
from studio.fabricate.cut_network import FOLLOWED, Network
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Floats, Ints, Polylines, offsets, ranges
from studio.geometry.planar.drawing import CUTS, Chain, Drawing, Operation, in_order

CORNER = np.radians(60.0)
"""Turn in radians above which the head stops."""
CUTTING, SCORING, ENGRAVING, TRAVELLING = MOTIONS = ("cut", "score", "engrave", "travel")
"""Kinds of motion, each with its own speed."""
MOST = 1e9
"""Longest motion of a job in mm."""
BRAKING = np.logspace(-3, 4, 29)
"""Braking distances in mm at which a workload has effective lengths."""


@dataclass(frozen=True, eq=False)
class Timeline:
    """Position of the head at any moment of a plan, and the time at which each piece falls free.

    The head is at `points[i]`, in mm, shape (n, 2), after `times[i]` seconds, ascending, and moves evenly between.
    `cuts[i]` is the index in the plan, counted over all strokes of all chains, of the stroke cut between points i and
    i + 1, or -1 if the head travels or waits with the beam off, shape (n - 1,). `freed` holds the seconds after which
    each piece is free of the frame, infinite if it never is.
    """

    points: Floats
    times: Floats
    cuts: Ints
    freed: Floats

    @property
    def seconds(self) -> float:
        """Total duration in seconds."""
        return float(self.times[-1])

    def freeing(self, freed_by: Ints) -> Timeline:
        """Add the times at which pieces fall free, given the index of the stroke in the plan that frees each, or -1."""
        on = self.cuts >= 0
        done = np.zeros(int(self.cuts.max(initial=0)) + 1)
        np.maximum.at(done, self.cuts[on], self.times[1:][on])
        return replace(self, freed=np.where(freed_by >= 0, done[freed_by], np.inf))


def timeline(network: Network, chains: Sequence[Chain], machine: Machine) -> Timeline:
    """Time the head's path along the chains, from the first start to the last end; no piece is freed yet."""
    freed = np.full(network.frame, np.inf)
    if not chains:
        return Timeline(np.zeros((1, 2)), np.zeros(1), np.empty(0, np.int64), freed)
    points, cuts, times = _paced(network.drawing, network.polylines, chains, machine)
    return Timeline(points, times, cuts, freed)


def raster_seconds(width: float, height: float, dpi: float, machine: Machine) -> float:
    """Seconds to engrave a picture of `width` by `height` mm line by line, with the head turning beside it."""
    lines = np.ceil(height * dpi / MM_PER_INCH - 1e-6)
    return float(lines * (width / machine.raster_speed + 2 * machine.raster_speed / machine.acceleration))


def seconds_of(drawing: Drawing, machine: Machine) -> float:
    """Seconds that a machine takes for a drawing in its own order, as in the timeline of a plan."""
    if not drawing.chains:
        return 0.0
    polylines = drawing.strokes.flattened(FOLLOWED)
    return float(_paced(drawing, polylines, in_order(drawing.chains), machine)[2][-1])


@dataclass(frozen=True)
class Workload:
    """Everything that the time of a job depends on besides the machine. Raises StudioError for values of no job.

    `cut`, `score`, `engrave` and `travel` are effective lengths in mm at the distances BRAKING, passes included; empty
    if there is no such motion. `starts` counts how often the beam goes off. `raster` is the length in mm and the number
    of the lines of engraved pictures.
    """

    cut: tuple[float, ...] = ()
    score: tuple[float, ...] = ()
    engrave: tuple[float, ...] = ()
    travel: tuple[float, ...] = ()
    starts: float = 0.0
    raster: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        for name in MOTIONS:
            if len(lengths := getattr(self, name)) not in (0, len(BRAKING)):
                raise StudioError(tr("{name} must have {count} lengths.", name=name, count=len(BRAKING)))
            if not all(0 < length <= MOST for length in lengths):
                raise StudioError(tr("{name} must have positive lengths.", name=name))
        if not all(0 <= each <= MOST for each in (self.starts, *self.raster)):
            raise StudioError(tr("starts and raster cannot be negative."))

    def __add__(self, other: Workload) -> Workload:
        """The workload of both jobs, one after the other."""
        lengths = {}
        for name in MOTIONS:
            both = [each for each in (getattr(self, name), getattr(other, name)) if each]
            lengths[name] = tuple(np.sum(both, axis=0).tolist()) if both else ()
        raster = self.raster[0] + other.raster[0], self.raster[1] + other.raster[1]
        return Workload(**lengths, starts=self.starts + other.starts, raster=raster)

    def seconds(self, machine: Machine, raster_speed: float | None = None) -> float:
        """Seconds that a machine without a recipe takes; `raster_speed` replaces its speed for pictures, in mm/s."""
        speeds = machine.cut_speed, machine.score_speed, machine.engrave_speed, machine.rapid_speed
        found = self.starts * machine.pen_up
        for name, speed in zip(MOTIONS, speeds, strict=True):
            if lengths := getattr(self, name):
                found += float(effective_length(np.array(lengths), speed**2 / machine.acceleration)) / speed
        length, lines = self.raster
        pace = machine.raster_speed if raster_speed is None else raster_speed
        return float(found + length / pace + lines * 2 * pace / machine.acceleration)


def effective_length(table: Floats, braking: Floats | float) -> Floats:
    """Effective lengths in mm at braking distances in mm, shape (…, n), from a table, shape (n, BRAKING).

    A single distance has a table of shape (BRAKING,). Below the table the length tends to that of the lines, evenly;
    above it, only the acceleration counts.
    """
    last, away = len(BRAKING) - 1, np.asarray(np.maximum(braking, 1e-12))
    at = np.log(away / BRAKING[0]) / np.log(BRAKING[1] / BRAKING[0])
    low = np.clip(np.floor(at), 0, last - 1).astype(np.int64)
    share = np.clip(at - low, 0.0, 1.0)
    # A cubic in logarithms, whose slopes are those of the neighbours.
    places = np.clip(np.add.outer(np.arange(-1, 3), low), 0, last)
    shape = np.broadcast_shapes(low.shape, table.shape[:-1])
    rows = np.broadcast_to(table, (*shape, last + 1))
    places = np.broadcast_to(np.moveaxis(places, 0, -1), (*shape, 4))
    before, begin, end, after = np.moveaxis(np.log(np.maximum(np.take_along_axis(rows, places, -1), 1e-9)), -1, 0)
    leaving = (end - before) / np.where(low > 0, 2, 1)
    reaching = (after - begin) / np.where(low + 1 < last, 2, 1)
    found = np.exp(
        (1 + 2 * share) * (1 - share) ** 2 * begin + share * (1 - share) ** 2 * leaving
        + share**2 * (3 - 2 * share) * end - share**2 * (1 - share) * reaching
    )  # fmt: skip
    slope = (table[..., 1] - table[..., 0]) / (BRAKING[1] - BRAKING[0])
    found = np.where(at < 0, table[..., 0] - slope * (BRAKING[0] - away), found)
    return np.asarray(np.where(at > last, table[..., last] * np.sqrt(away / BRAKING[last]), found))


def workload(drawing: Drawing, machine: Machine) -> Workload:
    """Workload of a drawing in its own order; of the machine, only its passes count. Registration marks are not run."""
    run = {**dict.fromkeys(CUTS, CUTTING), Operation.SCORE: SCORING, Operation.ENGRAVE: ENGRAVING}
    chains = [chain for chain in drawing.chains if chain.operation in run and not chain.is_on_back]
    if not chains:
        return Workload()
    way = _way(drawing, drawing.strokes.flattened(FOLLOWED), chains, machine)
    kinds = np.array([MOTIONS.index(run[chain.operation]) for chain in chains for _ in chain.strokes])
    kind = np.where(way.cuts >= 0, kinds[way.cuts], MOTIONS.index(TRAVELLING))
    even = replace(way, speeds=np.ones_like(way.speeds))
    rows = [np.bincount(kind, _durations(even, 1 / braking) * way.passes, len(MOTIONS)) for braking in BRAKING.tolist()]
    table = np.round(np.transpose(rows), 3)
    lengths = {name: tuple(row.tolist()) for name, row in zip(MOTIONS, table, strict=True) if row.all()}
    return Workload(**lengths, starts=float((way.waits * way.passes).sum()))


def raster_workload(width: float, height: float, dpi: float) -> Workload:
    """Workload of engraving a picture of `width` by `height` mm, as `raster_seconds` times it."""
    lines = float(np.ceil(height * dpi / MM_PER_INCH - 1e-6))
    return Workload(raster=(lines * width, lines))


@dataclass(frozen=True, eq=False)
class _Way:
    """Points that the head passes, shape (n, 2), and for each of the n - 1 steps between them: the stroke, or -1; the
    length in mm; the speed in mm/s; the waits with the beam off; the passes; and the radius in mm of each point's bend.
    """

    points: Floats
    cuts: Ints
    steps: Floats
    speeds: Floats
    waits: Floats
    passes: Floats
    radii: Floats


def _paced(
    drawing: Drawing, polylines: Polylines, chains: Sequence[Chain], machine: Machine
) -> tuple[Floats, Ints, Floats]:
    """Points that the head passes, the stroke of each step between them, and the seconds at each point."""
    way = _way(drawing, polylines, chains, machine)
    times = np.zeros(len(way.points))
    np.cumsum((_durations(way, machine.acceleration) + machine.pen_up * way.waits) * way.passes, out=times[1:])
    return way.points, way.cuts, times


def _durations(way: _Way, acceleration: float) -> Floats:
    """Seconds of the motion of every step: acceleration, even speed, deceleration, as far as its length allows."""
    steps = way.steps
    # Square of the highest speed in the bend at every point, so that the centripetal acceleration stays in the limit.
    bends = acceleration * way.radii
    wide = np.where(bends > 0, bends, np.inf)
    limits = np.minimum(way.speeds**2, np.maximum(wide[:-1], wide[1:]))
    # Square of the speed at every point: the highest that bends and the acceleration before and after allow.
    fastest = bends.copy()
    fastest[1:-1] = np.minimum(bends[1:-1], np.minimum(limits[1:], limits[:-1]))
    gained = 2 * acceleration * np.concatenate([[0.0], np.cumsum(steps)])
    fastest = np.minimum.accumulate(fastest - gained) + gained
    squares = np.maximum(np.minimum.accumulate((fastest + gained)[::-1])[::-1] - gained, 0.0)
    before, after = squares[:-1], squares[1:]
    peak = np.sqrt(np.minimum(limits, 0.5 * (before + after) + acceleration * steps))
    changing = (2 * peak - np.sqrt(before) - np.sqrt(after)) / acceleration
    even = np.maximum(steps - (2 * peak**2 - before - after) / (2 * acceleration), 0.0)
    return np.asarray(changing + even / np.maximum(peak, 1e-12))


def _way(drawing: Drawing, polylines: Polylines, chains: Sequence[Chain], machine: Machine) -> _Way:
    """Follow the head along the chains.

    A chain contributes all points of its strokes and its last point twice: the step between these two is the wait
    with the beam off, the step after it the travel. Strokes share their ends. Each further pass takes as long as the
    first, with the travel to the next chain.
    """
    codes = np.concatenate([chain.strokes for chain in chains])
    sizes = np.array([len(chain.strokes) for chain in chains], np.int64)
    starts = offsets(sizes)
    joined = polylines.joined(codes, starts)
    counts = polylines.counts[codes >> 1] - 1
    # Per chain: the steps of its strokes, then the wait, then the travel.
    chain_steps = np.add.reduceat(counts, starts[:-1])
    begins = offsets(chain_steps + 2)[:-1]
    total = int((chain_steps + 2).sum()) - 1
    cuts = np.full(total, -1, np.int64)
    cutting = ranges(begins, chain_steps)
    cuts[cutting] = np.repeat(np.arange(len(codes)), counts)
    points = np.empty((total + 1, 2))
    points[ranges(begins, chain_steps + 1)] = joined.points
    points[begins + chain_steps + 1] = joined.points[joined.starts[1:] - 1]
    steps = np.hypot(*np.diff(points, axis=0).T)
    # Chords are slightly shorter than the curve, which the head follows.
    curve = drawing.strokes.lengths / np.maximum(polylines.lengths, 1e-12)
    steps[cutting] *= curve[codes >> 1][cuts[cutting]]
    speeds = np.full(total, machine.rapid_speed)
    known = {Operation.ENGRAVE: machine.engrave_speed, Operation.SCORE: machine.score_speed}
    speed = np.array([
        known.get(chain.operation, machine.cut_speed) * machine.pace(chain.operation) for chain in chains
    ])  # fmt: skip
    speeds[cutting] = np.repeat(speed, chain_steps)
    waits = np.zeros(total)
    waits[begins + chain_steps] = 1.0
    passes = np.repeat([float(machine.passes(chain.operation)) for chain in chains], chain_steps + 2)[:-1]
    return _Way(points, cuts, steps, speeds, waits, passes, _radii(points, steps, cuts))


def _radii(points: Floats, steps: Floats, cuts: Ints) -> Floats:
    """Radius in mm of the bend at every point, very large on straight lines, 0 at a stop.

    The head stops at corners and to switch the beam.
    """
    radii = np.zeros(len(points))
    way = np.diff(points, axis=0)
    # Computed in place, because a large board has millions of points.
    turn = np.diff(np.arctan2(way[:, 1], way[:, 0]))
    turn += np.pi
    turn %= 2 * np.pi
    turn -= np.pi
    np.abs(turn, out=turn)
    radius = steps[1:] + steps[:-1]
    radius *= 0.5
    radius /= np.maximum(turn, 1e-12)
    running = (cuts[1:] >= 0) & (cuts[:-1] >= 0) & (turn < CORNER)
    radii[1:-1] = np.where(running, radius, 0.0)
    return radii
