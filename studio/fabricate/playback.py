"""State of the sheet at any moment of a cut plan: cuts made, position of the head, fallen pieces."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from studio.fabricate.plan import Plan
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Operation

STANDING_STILL = 1e-6
"""Distance in mm below which a head with the beam off waits and does not travel."""


@dataclass(frozen=True, eq=False)
class Snapshot:
    """The sheet after `seconds` of machine time.

    The first `cut` cuts of the plan are made, the first `travels` travels have begun and the first `fallen` pieces of
    `Playback.falls` are free. `under_way` is the finished part of the current cut in mm, shape (k, 2); it ends at the
    head and is empty while the beam is off.
    """

    seconds: float
    cut: int
    travels: int
    fallen: int
    head: tuple[float, float]
    under_way: Floats
    is_travelling: bool

    @property
    def is_cutting(self) -> bool:
        """True if the beam is on."""
        return len(self.under_way) > 0


UNTOUCHED = Snapshot(0.0, 0, 0, 0, (0.0, 0.0), np.empty((0, 2)), is_travelling=False)
"""Sheet before the first cut."""


@dataclass(frozen=True, eq=False)
class Playback:
    """Playback of a plan: any moment, forwards and backwards, in the time of a few binary searches."""

    plan: Plan

    @property
    def seconds(self) -> float:
        """Total duration in seconds."""
        return self.plan.seconds

    @cached_property
    def codes(self) -> Ints:
        """Cuts in the order of the plan: code 2i is stroke i forwards, 2i + 1 backwards."""
        chains = [chain.strokes for chain in self.plan.drawing.chains]
        return np.concatenate(chains) if chains else np.empty(0, np.int64)

    @cached_property
    def operations(self) -> tuple[Operation, ...]:
        """Operation of the machine along each cut."""
        return tuple(chain.operation for chain in self.plan.drawing.chains for _ in chain.strokes)

    @cached_property
    def falls(self) -> Ints:
        """Pieces in the order in which they fall; pieces that never fall come last."""
        return np.argsort(self.plan.timeline.freed, kind="stable")

    @cached_property
    def travels(self) -> Floats:
        """Travels in order, beginning and end in mm, shape (n, 2, 2)."""
        first, last = self._waits
        points = self.plan.timeline.points
        return np.stack([points[first], points[last]], 1)

    def at(self, seconds: float) -> Snapshot:
        """State of the sheet at a time in seconds, clamped to the length of the plan."""
        line = self.plan.timeline
        seconds = min(max(seconds, 0.0), self.seconds)
        if not len(self._steps[0]):
            return self._rest(seconds)
        step = min(int(np.searchsorted(line.times, seconds, side="right")) - 1, len(line.times) - 2)
        begin, end = line.times[step : step + 2].tolist()
        share = min((seconds - begin) / (end - begin), 1.0) if end > begin else 1.0
        head = line.points[step] + share * (line.points[step + 1] - line.points[step])
        cut = int(np.searchsorted(self._cut_ends, seconds, side="right"))
        under_way: Floats = np.empty((0, 2))
        if line.cuts[step] == cut:
            under_way = np.concatenate([line.points[self._cut_begins[cut] : step + 1], head[None]])
        first, last = self._waits
        travels = int(np.searchsorted(line.times[first], seconds, side="left"))
        is_travelling = travels > 0 and seconds < line.times[last[travels - 1]]
        fallen = int(np.searchsorted(self._fall_times, seconds, side="right"))
        x, y = head.tolist()
        return Snapshot(seconds, cut, travels, fallen, (x, y), under_way, bool(is_travelling))

    def _rest(self, seconds: float) -> Snapshot:
        """State of the sheet of a plan without cuts."""
        points = self.plan.timeline.points
        x, y = points[0].tolist() if len(points) else (0.0, 0.0)
        return Snapshot(seconds, 0, 0, 0, (x, y), np.empty((0, 2)), False)

    @cached_property
    def _cut_begins(self) -> Ints:
        """Point of the timeline at which each cut begins."""
        steps, places = self._steps
        first = np.searchsorted(places, np.arange(len(self.codes)), side="left")
        return np.asarray(steps[first.clip(0, len(steps) - 1)])

    @cached_property
    def _cut_ends(self) -> Floats:
        """Seconds at which each cut is finished; a cut that takes no time finishes with the cut before it."""
        steps, places = self._steps
        last = np.searchsorted(places, np.arange(len(self.codes)), side="right") - 1
        return np.asarray(self.plan.timeline.times[steps[last.clip(0, None)] + 1])

    @cached_property
    def _steps(self) -> tuple[Ints, Ints]:
        """Steps of the head with the beam on, and the cut of each, ascending."""
        steps = np.flatnonzero(self.plan.timeline.cuts >= 0)
        return steps, self.plan.timeline.cuts[steps]

    @cached_property
    def _fall_times(self) -> Floats:
        freed = self.plan.timeline.freed[self.falls]
        return freed[np.isfinite(freed)]

    @cached_property
    def _waits(self) -> tuple[Ints, Ints]:
        """First and last point of every travel; consecutive steps with the beam off are one travel."""
        line = self.plan.timeline
        off = np.concatenate([[False], line.cuts < 0, [False]])
        turns = np.flatnonzero(off[1:] != off[:-1])
        first, last = turns[::2], turns[1::2]
        moved = np.hypot(*(line.points[last] - line.points[first]).T) > STANDING_STILL
        return first[moved], last[moved]
