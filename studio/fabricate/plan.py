"""Cut plan: order and direction in which a drawing's lines are cut, its figures, and the sheet at any moment.

pen-up: the beam goes off, the head travels, the beam goes on. loose cut: a cut whose wood on both sides is already
free of the frame. frame: the rest of the sheet around the board; it falls away last. reach: the longest overhang of
wood not yet cut off, as a number of pieces counted from the frame.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property

import numpy as np

from studio.base.amounts import listed
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress, threads
from studio.base.texts import tr
from studio.fabricate.cut_network import OPERATIONS, Network, boards
from studio.fabricate.cutting_orders import (
    Run,
    begun_with,
    entries_of,
    families,
    from_within,
    linked,
    low_sag,
    nearest_next,
    shortened,
    snake,
    travel,
)
from studio.fabricate.cutting_time import Timeline, seconds_of, timeline
from studio.fabricate.lead_ins import LeadRule, start_points, with_lead_ins
from studio.fabricate.order_by_overhang import release, release_aware
from studio.fabricate.tabs import TabRule, Tabs, tabs_for, with_tabs
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import CUTS, Chain, Drawing, Operation
from studio.solving.point_matching import least_matching

STRAY = 0.001
"""Gap in mm between two chains below which the head stays in place."""
STANDING_STILL = 1e-6
"""Distance in mm below which a head with the beam off waits and does not travel."""
MOST_PLANNED = 2_000
"""Most strokes of a drawing that is planned, within a fraction of a second, only to estimate its time."""


class Strategy(Enum):
    """Strategies of ordering; the value is the name in files and on the command line."""

    SNAKE = "snake"
    LOW_SAG = "low-sag"
    RELEASE_AWARE = "release-aware"
    SINGLY = "singly"
    AS_DRAWN = "as-drawn"

    @property
    def title(self) -> str:
        """Name on the screen."""
        return _TITLES[self]


@dataclass(frozen=True, eq=False)
class Plan:
    """A drawing with its chains in cutting order and direction, and the figures of this order.

    Lengths in mm. `lower_bound` is the least possible travel for this drawing's lines, `least_chains` the least number
    of chains. `freed_by` holds the index in the plan of the cut that frees each piece, counted over all strokes of all
    chains, or -1. `without_lead_in` closed cuts have no room for a lead-in, `shorter_lead_ins` have a shorter one.
    `notes` are for the maker.
    """

    strategy: Strategy
    drawing: Drawing
    travel: float
    cut: float
    pen_ups: int
    lower_bound: float
    least_chains: int
    loose_cuts: int
    largest_freed: int
    reach: int
    freed_by: Ints
    timeline: Timeline
    notes: tuple[str, ...] = ()
    without_lead_in: int = 0
    shorter_lead_ins: int = 0

    @property
    def tab_count(self) -> int:
        """Number of holding tabs."""
        return len(self.drawing.tabs)

    @property
    def held(self) -> int:
        """Number of pieces that the cuts do not free."""
        return int((self.freed_by < 0).sum())

    @property
    def ratio(self) -> float:
        """Travel divided by the lower bound; 1 if both are 0, infinite if only the bound is 0."""
        if self.lower_bound > 0:
            return self.travel / self.lower_bound
        return 1.0 if self.travel == 0 else float("inf")

    @property
    def seconds(self) -> float:
        """Seconds that the machine takes."""
        return self.timeline.seconds


def possible(drawing: Drawing) -> tuple[Strategy, ...]:
    """Strategies that apply to a drawing, the default first."""
    return _Bench(drawing).possible


def seconds_for(drawing: Drawing, machine: Machine, progress: Progress = SILENT) -> float:
    """Seconds that a machine takes for a drawing: by its default plan, or in its own order if planning is slow."""
    if len(drawing.strokes) > MOST_PLANNED or not drawing.chains:
        return seconds_of(drawing, machine)
    return plan(drawing, machine, progress=progress).seconds


def plan(
    drawing: Drawing,
    machine: Machine,
    strategy: Strategy | None = None,
    progress: Progress = SILENT,
    tabs: TabRule | None = None,
    leads: LeadRule | None = None,
) -> Plan:
    """Plan a drawing by a strategy, or by its default; cuts are ordered as if they had no tabs and overcuts.

    Closed cuts begin where it shows least; with tabs they have neither lead-ins nor overcuts.

    Raise StudioError if the strategy does not apply to the drawing or a tab does not fit, and Cancelled.
    """
    progress.step(0.0, tr("Reading the cuts"))
    return _Bench(drawing, tabs, leads).plan(strategy, machine, progress)


def plans(
    drawing: Drawing, machine: Machine, progress: Progress = SILENT, tabs: TabRule | None = None
) -> tuple[Plan, ...]:
    """Plan by all strategies that apply, default first. Raise StudioError for tabs that do not fit, and Cancelled."""
    progress.step(0.0, tr("Reading the cuts"))
    bench = _Bench(drawing, tabs)
    bench.measure(progress.part(0.0, 0.5))
    shares = np.linspace(0.5, 1.0, len(bench.possible) + 1).tolist()
    return tuple(
        bench.plan(strategy, machine, progress.part(shares[at], shares[at + 1]))
        for at, strategy in enumerate(bench.possible)
    )


class _Bench:
    """A drawing with the results that all strategies share, each computed once."""

    def __init__(self, drawing: Drawing, rule: TabRule | None = None, leads: LeadRule | None = None) -> None:
        if any(chain.is_on_back for chain in drawing.chains):
            # The back is engraved before the sheet is turned over.
            drawing = replace(drawing, chains=tuple(chain for chain in drawing.chains if not chain.is_on_back))
        self._starts = start_points(drawing, leads if rule is None else None)
        self._drawing, self._rule, self._leads = self._starts.drawing, rule, leads
        self._bounds: dict[Operation, float] = {}
        self._held_bound: float | None = None

    @cached_property
    def network(self) -> Network:
        """Lines and the regions beside them."""
        return Network.from_drawing(self._drawing, self._starts.codes)

    @cached_property
    def _tabs(self) -> Tabs | None:
        return None if self._rule is None else tabs_for(self.network, self._rule)

    @cached_property
    def _grid(self) -> list[list[Run]] | None:
        return families(self.network)

    @cached_property
    def _apart(self) -> bool:
        """True if no line separates two pieces."""
        sides = self.network.sides[self.network.cuts]
        parting = (sides < self.network.frame).all(axis=1) & (sides[:, 0] != sides[:, 1])
        return not bool(parting.any())

    @cached_property
    def _boards(self) -> list[_Bench]:
        """Boards of the sheet with inner cuts, each on a separate bench, without cuts that end inside a piece."""
        if self._details:
            details = {*map(id, self._details)}
            chains = tuple(chain for chain in self._drawing.chains if id(chain) not in details)
            return _Bench(replace(self._drawing, chains=chains))._boards
        drawings = boards(self.network)
        return [self] if len(drawings) == 1 else [_Bench(drawing) for drawing in drawings]

    @cached_property
    def _details(self) -> list[Chain]:
        """Inner cuts that bound no piece."""
        return [chain for chain in self._drawing.on_pieces() if chain.operation is Operation.INNER]

    @cached_property
    def possible(self) -> tuple[Strategy, ...]:
        """Strategies that apply, the default first."""
        if self._apart:
            return Strategy.SINGLY, Strategy.AS_DRAWN
        if all(board._grid is not None for board in self._boards):
            return Strategy.SNAKE, Strategy.LOW_SAG, Strategy.RELEASE_AWARE, Strategy.AS_DRAWN
        return Strategy.RELEASE_AWARE, Strategy.AS_DRAWN

    def measure(self, progress: Progress) -> float:
        """Compute the lower bound of travel in mm: operations run one after another, each free in its order.

        Joining chains by straight moves leaves at most two nodes at which an odd number of strokes and moves end. So
        the moves of an operation contain a path from each other odd node to another, and are no shorter in total than
        the least-weight matching of its odd nodes that leaves two of them free.
        """
        for at, operation in enumerate(OPERATIONS):
            if operation not in self._bounds:
                part = progress.part(at / len(OPERATIONS), (at + 1) / len(OPERATIONS))
                part.step(0.0, tr("Computing the minimum travel"))
                odd = self.network.odd(self.network.strokes_of(operation))
                self._bounds[operation] = least_matching(self.network.nodes[odd], 2, part).bound if len(odd) else 0.0
        return sum(self._bounds.values())

    def plan(self, strategy: Strategy | None, machine: Machine, progress: Progress) -> Plan:
        """Plan by a strategy, or by the default. Raise StudioError if it does not apply."""
        strategy = strategy or self.possible[0]
        if strategy not in self.possible:
            names = listed(one.title for one in self.possible)
            raise StudioError(tr("{reason}. Possible here: {strategies}.", reason=_REASONS[strategy], strategies=names))
        tabs = self._tabs
        bound = self.measure(progress.part(0.0, 0.4)) if tabs is None else 0.0
        chains = self._chains(strategy, progress.part(0.4, 0.8))
        if tabs is None:
            if self._leads is None:
                return self._judged(strategy, chains, bound, machine, progress)
            # The bound stays one: it is that of the loops alone.
            led = with_lead_ins(replace(self._drawing, chains=tuple(chains)), self._starts.leads, self._leads.overcut)
            bench = _Bench(led)
            found = bench._judged(strategy, list(bench.network.chains), bound, machine, progress)
            return replace(found, without_lead_in=self._starts.without, shorter_lead_ins=self._starts.shorter)
        held = _Bench(with_tabs(replace(self._drawing, chains=tuple(chains)), tabs))
        if self._held_bound is None:
            # The bound depends on the lines alone, not on their order.
            self._held_bound = held.measure(progress.part(0.8, 0.9))
        found = held._judged(strategy, list(held.network.chains), self._held_bound, machine, progress)
        return replace(found, notes=tabs.notes)

    def _judged(
        self, strategy: Strategy, chains: list[Chain], bound: float, machine: Machine, progress: Progress
    ) -> Plan:
        """Measure chains in their order."""
        progress.step(0.9, tr("Estimating the time"))
        network = self.network
        cuts = [chain.strokes >> 1 for chain in chains if chain.operation in CUTS]
        inner = sum(len(chain.strokes) for chain in chains if chain.operation is Operation.INNER)
        before = sum(len(chain.strokes) for chain in chains if chain.operation not in CUTS)
        with threads(1) as pool:
            # numpy releases the interpreter, so the head is followed while loose cuts are counted.
            way = pool.submit(timeline, network, chains, machine)
            every = np.concatenate(cuts) if cuts else np.empty(0, np.int64)
            # An overcut frees nothing.
            first = np.sort(np.unique(every, return_index=True)[1])
            let_go = release(network, every[first], int((first < inner).sum()))
        freed_by = np.where(let_go.freed_by >= 0, np.append(first, -1)[let_go.freed_by] + before, -1)
        # Distance in mm from each chain's end to the beginning of the next.
        tips = self._drawing.strokes.ends
        firsts = np.array([chain.strokes[0] for chain in chains], np.int64)
        lasts = np.array([chain.strokes[-1] for chain in chains], np.int64)
        begins = tips[firsts >> 1, firsts & 1]
        ends = tips[lasts >> 1, 1 - (lasts & 1)]
        gaps = np.asarray(np.hypot(*(begins[1:] - ends[:-1]).T))
        planned = replace(self._drawing, chains=tuple(chains))
        return Plan(
            strategy=strategy,
            drawing=planned,
            travel=float(gaps.sum()),
            cut=planned.cut_length if chains else 0.0,
            pen_ups=int((gaps > STRAY).sum()),
            lower_bound=bound,
            least_chains=sum(network.least_chains(network.strokes_of(operation)) for operation in OPERATIONS),
            loose_cuts=len(let_go.loose),
            largest_freed=let_go.largest,
            reach=let_go.reach,
            freed_by=freed_by,
            timeline=way.result().freeing(freed_by),
        )

    def _chains(self, strategy: Strategy, progress: Progress) -> list[Chain]:
        if strategy is Strategy.AS_DRAWN:
            return [
                begun_with(one, int(entries_of(self.network, one)[0])) if one.closed else one
                for one in self.network.chains
            ]
        network = self.network
        ordered: list[Chain] = []
        for operation in (Operation.ENGRAVE, Operation.SCORE):
            ordered += nearest_next(network, network.chains_of(operation), self._head(ordered))
        if strategy is Strategy.SINGLY:
            for at, operation in enumerate(CUTS):
                part = progress.part(0.5 * at, 0.5 * (at + 1))
                chains = network.chains_of(operation)
                for some in from_within(network, chains) if operation is Operation.INNER else [chains]:
                    ordered += shortened(network, some, self._head(ordered), part)
            return ordered
        # Cuts that end inside a piece come before all that may free it.
        ordered += nearest_next(network, self._details, self._head(ordered))
        ordered += [network.run(np.array(run), Operation.INNER) for run in self._inner(strategy, progress)]
        return ordered + nearest_next(network, network.chains_of(Operation.BORDER), self._head(ordered))

    def _head(self, chains: list[Chain]) -> Floats | None:
        return self.network.nodes[self.network.end(chains[-1].strokes[-1:])[0]] if chains else None

    def _inner(self, strategy: Strategy, progress: Progress) -> list[Run]:
        """Order the inner cuts in runs, board after board, always on to the nearest board."""
        count = len(self._boards)
        found = [
            board._own_inner(strategy, progress.part(at / count, (at + 1) / count))
            for at, board in enumerate(self._boards)
        ]
        ordered = found.pop(0)
        while found:
            gaps = [travel(self.network, [ordered[-1], runs[0]]) for runs in found]
            ordered += found.pop(gaps.index(min(gaps)))
        return ordered

    def _own_inner(self, strategy: Strategy, progress: Progress) -> list[Run]:
        """Order the inner cuts of a single board in runs."""
        network, grid = self.network, self._grid
        progress.step(0.0, tr("Ordering the cuts"))
        if grid is not None and strategy is Strategy.SNAKE:
            return linked(network, snake(network, grid))
        if grid is not None and strategy is Strategy.LOW_SAG:
            return linked(network, low_sag(network, grid))
        self.measure(progress.part(0.0, 0.1))
        return release_aware(network, grid, self._bounds[Operation.INNER], progress.part(0.1, 1.0))


_TITLES = {
    Strategy.SNAKE: tr("Zigzag"),
    Strategy.LOW_SAG: tr("Minimal sag"),
    Strategy.RELEASE_AWARE: tr("Safe release"),
    Strategy.SINGLY: tr("Piece by piece"),
    Strategy.AS_DRAWN: tr("Drawing order"),
}
_REASONS = {
    Strategy.SNAKE: tr("Zigzag needs rows and columns that run from frame to frame"),
    Strategy.LOW_SAG: tr("Minimal sag needs rows and columns that run from frame to frame"),
    Strategy.RELEASE_AWARE: tr("Safe release needs pieces that share lines"),
    Strategy.SINGLY: tr("Piece by piece needs pieces that share no lines"),
    Strategy.AS_DRAWN: "",
}


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
            x, y = line.points[0].tolist() if len(line.points) else (0.0, 0.0)
            return Snapshot(seconds, 0, 0, 0, (x, y), np.empty((0, 2)), False)
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
