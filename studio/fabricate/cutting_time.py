"""Time that cutting takes: the path of the head, its speed in bends, and the moment at which each piece falls free.

The head accelerates evenly, slows down in curves and stops at corners; speeds are the machine's settings, not measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from studio.base.units import MM_PER_INCH
from studio.fabricate.cut_network import FOLLOWED, Network
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Floats, Ints, Polylines, offsets, ranges
from studio.geometry.planar.drawing import Chain, Drawing, Operation, in_order

CORNER = np.radians(60.0)
"""Turn in radians above which the head stops."""


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


def _paced(
    drawing: Drawing, polylines: Polylines, chains: Sequence[Chain], machine: Machine
) -> tuple[Floats, Ints, Floats]:
    """Points that the head passes, the stroke of each step between them, and the seconds at each point."""
    points, cuts, steps, speeds, waits, passes = _way(drawing, polylines, chains, machine)
    bends = _bends(points, steps, cuts, machine.acceleration)
    wide = np.where(bends > 0, bends, np.inf)
    limits = np.minimum(speeds**2, np.maximum(wide[:-1], wide[1:]))
    # Square of the speed at every point: the highest that bends and the acceleration before and after allow.
    fastest = bends.copy()
    fastest[1:-1] = np.minimum(bends[1:-1], np.minimum(limits[1:], limits[:-1]))
    gained = 2 * machine.acceleration * np.concatenate([[0.0], np.cumsum(steps)])
    fastest = np.minimum.accumulate(fastest - gained) + gained
    squares = np.maximum(np.minimum.accumulate((fastest + gained)[::-1])[::-1] - gained, 0.0)
    times = np.zeros(len(points))
    # Seconds of every step: acceleration, even speed, deceleration, as far as its length allows.
    before, after = squares[:-1], squares[1:]
    peak = np.sqrt(np.minimum(limits, 0.5 * (before + after) + machine.acceleration * steps))
    changing = (2 * peak - np.sqrt(before) - np.sqrt(after)) / machine.acceleration
    even = np.maximum(steps - (2 * peak**2 - before - after) / (2 * machine.acceleration), 0.0)
    np.cumsum((changing + even / np.maximum(peak, 1e-12) + waits) * passes, out=times[1:])
    return points, cuts, times


def _way(
    drawing: Drawing, polylines: Polylines, chains: Sequence[Chain], machine: Machine
) -> tuple[Floats, Ints, Floats, Floats, Floats, Floats]:
    """Points that the head passes and, for each step between them, stroke, length, speed, added wait and passes.

    Every chain contributes all points of its strokes and its last point twice: the step between these two is the wait
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
    speed = np.array([known.get(chain.operation, machine.cut_speed) for chain in chains])
    speeds[cutting] = np.repeat(speed, chain_steps)
    waits = np.zeros(total)
    waits[begins + chain_steps] = machine.pen_up
    passes = np.repeat([float(machine.passes(chain.operation)) for chain in chains], chain_steps + 2)[:-1]
    return points, cuts, steps, speeds, waits, passes


def _bends(points: Floats, steps: Floats, cuts: Ints, acceleration: float) -> Floats:
    """Square of the highest speed in the bend at every point: infinite on straight lines, 0 at a stop.

    In a bend of radius r it is acceleration × r, so that the centripetal acceleration stays within the drives' limit.
    The head stops at corners and to switch the beam.
    """
    bends = np.zeros(len(points))
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
    bends[1:-1] = np.where(running, acceleration * radius, 0.0)
    return bends
