"""Improve a good order by small moves that shorten travel, without loose cuts and without more overhang.

This is fast because looseness is known at once: no cut is loose if and only if no cut is the last of the pieces on both
its sides; a piece at the rim, held by the border, has no last cut. Until its last cut is made, a piece is held by the
piece behind that cut, whose own last cut comes later, and so on to the frame; if a cut is the last of both, the two
have come off before. So after a move only the pieces beside the moved cuts are checked.

gap: a place in the order at which a cut does not begin where the previous cut ends; the head travels.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from random import Random

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.fabricate.cut_network import Network
from studio.fabricate.cutting_orders import Run

CARRIED = 6
"""Most consecutive cuts that are moved elsewhere at once."""
TURNED = 12
"""Most consecutive cuts that are reversed at once; longer stretches would increase the overhang."""
SHAKEN = 8
"""Most gaps between the places at which the order is shaken."""
LEAST = 1e-6
"""Gain in mm below which it is a rounding error."""
SHAKES = 40
"""Number of shakes between two rankings by whole numbers."""
TOLD = 10_000
"""Number of tries between two reports of progress; about 15 ms."""

Record = tuple[int, int, int, float, int, int]


class Search:
    """Inner cuts in an order that is being improved.

    The order is a ring of strokes, `next` and `before`, through a sentinel, `rim`; `rank` ascends along it; `begin` and
    `end` are the nodes at which each cut begins and ends. `hangs_well` returns True for an order of codes without too
    much overhang.
    """

    def __init__(self, network: Network, runs: Iterable[Run], hangs_well: Callable[[Run], bool]) -> None:
        codes = [code for run in runs for code in run]
        self._hangs_well = hangs_well
        self._strokes = [code >> 1 for code in codes]
        self._rim = rim = len(network.ends)
        self._ends: list[list[int]] = network.ends.tolist()
        self._next, self._before = [rim] * (rim + 1), [rim] * (rim + 1)
        self._rank = [0.0] * (rim + 1)
        self._begin, self._end = [-1] * (rim + 1), [-1] * (rim + 1)
        at = rim
        for number, code in enumerate(codes):
            stroke = code >> 1
            self._begin[stroke], self._end[stroke] = self._ends[stroke][code & 1], self._ends[stroke][1 - (code & 1)]
            self._next[at], self._before[stroke], self._rank[stroke] = stroke, at, float(number + 1)
            at = stroke
        self._next[at], self._before[rim] = rim, at
        self._places: list[complex] = (network.nodes @ (1, 1j)).tolist()
        self._at: dict[int, list[int]] = {}
        for stroke in self._strokes:
            for node in self._ends[stroke]:
                self._at.setdefault(node, []).append(stroke)
        self._near = network.neighbours
        self._sides: list[list[int]] = network.sides.tolist()
        self._around: list[list[int]] = [[] for _ in range(network.region_count)]
        inner = set(self._strokes)
        held = {network.frame}
        for stroke, sides in enumerate(self._sides):
            if stroke not in inner and network.frame in sides:
                held.update(sides)
        for stroke in self._strokes:
            for region in self._sides[stroke]:
                if region not in held:
                    self._around[region].append(stroke)
        self._log: list[Record] = []
        self._progress, self._wanted, self._told = Progress(), 1, 0
        self._touched: set[int] = set()
        self.looks = 0

    def improve(self, looks: int, enough: float, progress: Progress) -> Run:
        """Improve the order with about `looks` tries of places for a cut; return the codes.

        The search stops once the travel is at most `enough` mm.
        """
        gaps = [stroke for stroke in self._strokes if self._gap(self._before[stroke], stroke) > LEAST]
        self._progress, self._wanted = progress, looks
        self._descend(gaps)
        travel = sum(self._gap(self._before[stroke], stroke) for stroke in self._strokes)
        chance = Random(1)
        while self.looks < looks and travel > enough and len(gaps) > 3:
            for _ in range(SHAKES):
                self._log.clear()
                gain = self._shake(chance)
                if gain is None:
                    self.looks += 10
                    continue
                gain += self._settle(self._touched)
                if gain < LEAST or not self._checked():
                    self._undo(0)
                else:
                    travel -= gain
                self.looks += 10
            for number, code in enumerate(self.codes()):
                self._rank[code >> 1] = float(number + 1)
        return self.codes()

    def without_loose_cuts(self, progress: Progress) -> Run:
        """Make every loose cut sooner, at the least cost of travel; return the codes. Some cuts may stay loose."""
        for number, stroke in enumerate(self._strokes):
            if number % 100 == 0:
                progress.step(number / len(self._strokes), tr("Moving loose cuts forward"))
            one, other = self._sides[stroke]
            is_loose = one != other and self._last(one) == stroke == self._last(other)
            if is_loose:
                self._log.clear()
                for _, target, turned in sorted(self._sooner(stroke)):
                    if self._carry([stroke], target, turned):
                        break
        return self.codes()

    def _sooner(self, stroke: int) -> list[tuple[float, int, bool]]:
        """Earlier places for a cut: the cost in mm, the cut before it, and True if it is reversed."""
        found = []
        ends = (self._begin[stroke], self._end[stroke])
        for near, far, turned in ((*ends, False), (*ends[::-1], True)):
            for node, away in self._near[near]:
                for other in self._at[node]:
                    if self._rank[other] >= self._rank[stroke]:
                        continue
                    if self._end[other] == node:
                        behind = self._next[other]
                        cost = away + self._way(far, self._begin[behind]) - self._gap(other, behind)
                        found.append((cost, other, turned))
                    else:
                        ahead = self._before[other]
                        cost = away + self._way(self._end[ahead], far) - self._gap(ahead, other)
                        found.append((cost, ahead, not turned))
        return [place for place in found if place[1] != stroke and self._next[place[1]] != stroke]

    def codes(self) -> Run:
        """Codes in their present order."""
        codes = []
        stroke = self._next[self._rim]
        while stroke != self._rim:
            codes.append(2 * stroke + (self._begin[stroke] != self._ends[stroke][0]))
            stroke = self._next[stroke]
        return codes

    def _checked(self) -> bool:
        self.looks += len(self._strokes)
        return self._hangs_well(self.codes())

    def _descend(self, gaps: list[int]) -> None:
        """Close gaps while that shortens the travel; if the overhang grows too far, try half the gaps at a time."""
        self._log.clear()
        if self._settle(gaps) > LEAST and not self._checked():
            self._undo(0)
            if len(gaps) > 8:
                self._descend(gaps[: len(gaps) // 2])
                self._descend(gaps[len(gaps) // 2 :])
        self._log.clear()

    def _shake(self, chance: Random) -> float | None:
        """Swap two consecutive stretches between gaps; return the gain in mm, or None if impossible."""
        first = self._gap_after(self._strokes[int(chance.random() * len(self._strokes))], 0)
        second = self._gap_after(first, 1 + int(chance.random() * SHAKEN))
        third = self._gap_after(second, 1 + int(chance.random() * SHAKEN))
        if self._rim in (first, second) or first == second or second == third:
            return None
        stretch = [first]
        while self._next[stretch[-1]] != second:
            stretch.append(self._next[stretch[-1]])
        before, last = self._before[first], self._before[third]
        gain = self._gap(before, first) + self._gap(stretch[-1], second) + self._gap(last, third)
        gain -= self._gap(before, second) + self._gap(last, first) + self._gap(stretch[-1], third)
        return gain if self._carry(stretch, last, False) else None

    def _gap_after(self, stroke: int, count: int) -> int:
        """Cut after the next `count` gaps, or the rim."""
        while stroke != self._rim:
            if self._gap(self._before[stroke], stroke) > LEAST:
                if count == 0:
                    return stroke
                count -= 1
            stroke = self._next[stroke]
        return stroke

    def _settle(self, strokes: Iterable[int]) -> float:
        """Close the gaps before these cuts, and gaps that this opens, while that gains; return the gain in mm."""
        queue = deque(dict.fromkeys(strokes))
        waiting = set(queue)
        gained = 0.0
        while queue:
            stroke = queue.popleft()
            waiting.discard(stroke)
            if stroke == self._rim or self._gap(self._before[stroke], stroke) <= LEAST:
                continue
            # Report progress every TOLD tries; may raise Cancelled.
            if self.looks >= self._told:
                self._told = self.looks + TOLD
                self._progress.step(min(self.looks / self._wanted, 1.0), tr("Shortening travel"))
            gain = self._closed(stroke)
            gained += gain
            if gain:
                for touched in sorted(self._touched):
                    for other in (touched, self._next[touched]):
                        if other not in waiting:
                            waiting.add(other)
                            queue.append(other)
        return gained

    def _closed(self, stroke: int) -> float:
        """Make the first move that shortens the travel at the gap before a cut; return the gain, or 0."""
        gain = self._turned(stroke)
        if gain:
            return gain
        for stretch in (self._stretches(stroke, self._next), self._stretches(self._before[stroke], self._before)):
            for cuts in stretch:
                gain = self._carried(cuts)
                if gain:
                    return gain
        return 0.0

    def _stretches(self, stroke: int, way: list[int]) -> Iterator[list[int]]:
        """Yield one cut, two cuts, … from a cut forwards or backwards, each in its order."""
        cuts: list[int] = []
        while stroke != self._rim and len(cuts) < CARRIED:
            cuts = [*cuts, stroke] if way is self._next else [stroke, *cuts]
            yield cuts
            stroke = way[stroke]

    def _turned(self, stroke: int) -> float:
        """Reverse the cuts from this cut to another, or from another to the cut before it; return the gain, or 0."""
        last = self._before[stroke]
        if last == self._rim:
            return 0.0
        begin, end, rank, after, before = self._begin, self._end, self._rank, self._next, self._before
        here, there = end[last], begin[stroke]
        gap = self._way(here, there)
        found = []
        for node, away in self._near[here]:
            if away >= gap:
                break
            for other in self._at[node]:
                if end[other] == node and rank[other] >= rank[stroke]:
                    gain = gap + self._gap(other, after[other]) - away - self._way(there, begin[after[other]])
                    if gain > LEAST:
                        found.append((-gain, stroke, other))
        for node, away in self._near[there]:
            if away >= gap:
                break
            for other in self._at[node]:
                if begin[other] == node and rank[other] <= rank[last]:
                    gain = gap + self._gap(before[other], other) - away - self._way(end[before[other]], here)
                    if gain > LEAST:
                        found.append((-gain, other, last))
        self.looks += 10
        for loss, first, final in sorted(found)[:4]:
            if self._turn(first, final):
                return -loss
        return 0.0

    def _carried(self, cuts: list[int]) -> float:
        """Move consecutive cuts to the safe place with the greatest gain; return the gain, or 0."""
        begin, end, after, before = self._begin, self._end, self._next, self._before
        first, last = cuts[0], cuts[-1]
        outer, inner = before[first], after[last]
        closed = self._gap(outer, first) + self._gap(last, inner) - self._way(end[outer], begin[inner])
        if closed <= LEAST:
            return 0.0
        found = []
        for near, far, turned in ((begin[first], end[last], False), (end[last], begin[first], True)):
            for node, away in self._near[near]:
                if away >= closed:
                    break
                for other in self._at[node]:
                    if other in cuts:
                        continue
                    if end[other] == node and after[other] != first:
                        behind = after[other]
                        gain = closed + self._gap(other, behind) - away - self._way(far, begin[behind])
                        if gain > LEAST:
                            found.append((-gain, other, turned))
                    if begin[other] == node and before[other] != last:
                        ahead = before[other]
                        gain = closed + self._gap(ahead, other) - away - self._way(end[ahead], far)
                        if gain > LEAST:
                            found.append((-gain, ahead, not turned))
        self.looks += 12
        for loss, target, turned in sorted(found)[:5]:
            if self._carry(cuts, target, turned):
                return -loss
        return 0.0

    def _turn(self, first: int, last: int) -> bool:
        """Reverse the cuts from `first` to `last`; return False if they are too many or a cut would be loose."""
        cuts = [first]
        while cuts[-1] != last:
            if len(cuts) == TURNED or cuts[-1] == self._rim:
                return False
            cuts.append(self._next[cuts[-1]])
        mark = len(self._log)
        self._lay(cuts[::-1], self._before[first], self._next[last], [self._rank[stroke] for stroke in cuts], True)
        return self._safe(cuts, mark)

    def _carry(self, cuts: list[int], target: int, turned: bool) -> bool:
        """Move consecutive cuts behind a target; return False if a cut would be loose."""
        mark = len(self._log)
        outer, inner = self._before[cuts[0]], self._next[cuts[-1]]
        self._record((outer, inner))
        self._next[outer], self._before[inner] = inner, outer
        behind = self._next[target]
        low = self._rank[target] if target != self._rim else self._rank[behind] - 1
        high = self._rank[behind] if behind != self._rim else low + 1
        step = (high - low) / (len(cuts) + 1)
        ranks = [low + step * (number + 1) for number in range(len(cuts))]
        self._lay(cuts[::-1] if turned else cuts, target, behind, ranks, turned)
        if step < 1e-9:
            self._undo(mark)
            return False
        self._touched |= {outer, inner}
        return self._safe(cuts, mark)

    def _lay(self, cuts: list[int], before: int, behind: int, ranks: list[float], turned: bool) -> None:
        self._record((before, behind, *cuts))
        for stroke, rank in zip(cuts, ranks, strict=True):
            if turned:
                self._begin[stroke], self._end[stroke] = self._end[stroke], self._begin[stroke]
            self._rank[stroke] = rank
            self._next[before], self._before[stroke] = stroke, before
            before = stroke
        self._next[before], self._before[behind] = behind, before
        self._touched = {cuts[0], cuts[-1], self._before[cuts[0]], behind}

    def _safe(self, moved: list[int], mark: int) -> bool:
        """Return True if no cut is the last on both its sides; otherwise undo all changes since the mark."""
        for region in {side for stroke in moved for side in self._sides[stroke]}:
            last = self._last(region)
            if last >= 0:
                one, other = self._sides[last]
                if one != other and self._last(other if one == region else one) == last:
                    self._undo(mark)
                    return False
        return True

    def _last(self, region: int) -> int:
        """Last cut of a region, -1 if the border holds it."""
        around = self._around[region]
        return max(around, key=self._rank.__getitem__) if around else -1

    def _record(self, strokes: Iterable[int]) -> None:
        after, before, rank, begin, end = self._next, self._before, self._rank, self._begin, self._end
        self._log += [(at, after[at], before[at], rank[at], begin[at], end[at]) for at in strokes]

    def _undo(self, mark: int) -> None:
        """Undo all changes recorded since the mark."""
        while len(self._log) > mark:
            stroke, behind, before, rank, begin, end = self._log.pop()
            self._next[stroke], self._before[stroke], self._rank[stroke] = behind, before, rank
            self._begin[stroke], self._end[stroke] = begin, end

    def _gap(self, stroke: int, other: int) -> float:
        node, there = self._end[stroke], self._begin[other]
        return abs(self._places[node] - self._places[there]) if node >= 0 and there >= 0 else 0.0

    def _way(self, node: int, other: int) -> float:
        """Distance in mm between nodes; 0 to and from the rim, before the first cut and after the last."""
        return abs(self._places[node] - self._places[other]) if node >= 0 and other >= 0 else 0.0
