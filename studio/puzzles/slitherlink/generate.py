"""From parameters to a slitherlink: a random loop, and clues removed as long as the solution is unique.

own: cells and clues that were changed or locked; they keep their side of the loop, and whether they are given, whatever
is generated around them. base: what is generated without them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from heapq import heappop, heappush

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import SILENT, Progress, kept
from studio.base.texts import tr
from studio.puzzles.kind import Generated
from studio.puzzles.slitherlink.clue_choice import OTHER_SEED, attempted, attempts, orbits_of, reduced
from studio.puzzles.slitherlink.model import (
    EASY,
    FOLDED,
    OUTLINE,
    SlitherlinkDesign,
    SlitherlinkParameters,
    cells_of,
    rows_of,
)
from studio.solving.assembly import Count
from studio.solving.loops import LoopEdges, LoopSearch, Net, solutions

# Random loops: grown so that they wind through all cells, or folded in from the rim.
# inside: of every cell whether the loop encloses it, and at last False for the outside. gain: how many edges longer
# the loop becomes when a cell changes sides. ratio: the edges of the loop for each cell that it encloses.


AHEAD = 0.6
"""How often a fold goes on where the last one ended, so that folds reach the middle of a large board."""
STEPS_TOLD = 64


def filled(net: Net, allowed: Collection[int]) -> list[bool]:
    """The inside of a loop round as many of some cells as it can enclose; of several parts the largest."""
    left, best = {*allowed}, [False] * (net.outside + 1)
    while left:
        inside = [False] * (net.outside + 1)
        first = min(left)
        inside[first] = True
        todo = [first]
        for cell in todo:
            for other in net.rings[cell]:
                if other in left and not inside[other] and net.can_flip(inside, other):
                    inside[other] = True
                    todo.append(other)
        left -= {*todo}
        if len(todo) > sum(best):
            best = inside
    return best


def wound(net: Net, allowed: Collection[int], seed: int, progress: Progress) -> list[bool]:
    """The inside of a long loop through some cells: grown cell by cell, those first that make the loop the longest."""
    inside = [False] * (net.outside + 1)
    cells = np.array(sorted(allowed), np.int64)
    if not len(cells):
        return inside
    ranks = dict(zip(cells.tolist(), uniform(seed, cells, "wind").tolist(), strict=True))
    first = min(ranks, key=ranks.__getitem__)
    inside[first] = True
    waiting: list[tuple[int, float, int]] = []
    _queue(net, inside, ranks, net.rings[first], waiting)
    for step in range(len(cells) * net.outside):
        if step % STEPS_TOLD == 0:
            progress.step(min(step / (4 * len(cells)), 1.0))
        if not waiting:
            break
        loss, _, cell = heappop(waiting)
        gain = _gain(net, inside, cell)
        if inside[cell] or gain < 0 or not net.can_flip(inside, cell):
            continue
        if gain < -loss:
            _queue(net, inside, ranks, [cell], waiting)
            continue
        inside[cell] = True
        _queue(net, inside, ranks, net.rings[cell], waiting)
    return inside


def _queue(
    net: Net,
    inside: Sequence[bool],
    ranks: dict[int, float],
    cells: Collection[int],
    waiting: list[tuple[int, float, int]],
) -> None:
    for cell in cells:
        if cell in ranks and not inside[cell]:
            heappush(waiting, (-_gain(net, inside, cell), ranks[cell], cell))


def folded(net: Net, allowed: Collection[int], seed: int, ratio: float, least: float, progress: Progress) -> list[bool]:
    """The inside of a loop round some cells, folded in until it has a ratio or encloses only a share of these cells.

    Cells that make the loop the longest are folded in first, and a fold mostly goes on where it is.
    """
    inside = filled(net, allowed)
    area, length = sum(inside), len(net.line(inside[:-1]))
    floor = max(least * area, 1.0)
    rim = [cell for cell in range(net.outside) if inside[cell] and not all(inside[other] for other in net.near[cell])]
    last: list[int] = []
    step = 0
    while length < ratio * area and area - 1 >= floor:
        numbers = uniform(seed, np.array([2 * step, 2 * step + 1]), "fold")
        step += 1
        if step % STEPS_TOLD == 0:
            progress.step(min((length / area) / ratio, 1.0))
        choices = _best(net, inside, last, 1) if numbers[0] < AHEAD else []
        if not choices:
            rim = [cell for cell in rim if inside[cell]]
            choices = _best(net, inside, rim, 0)
        if not choices:
            break
        cell = choices[int(numbers[1] * len(choices))]
        length += _gain(net, inside, cell)
        area -= 1
        inside[cell] = False
        last = [other for other in net.near[cell] if inside[other]]
        rim += [other for other in last if other not in rim]
    return inside


def _best(net: Net, inside: Sequence[bool], cells: Collection[int], least: int) -> list[int]:
    """The cells that make the loop longest when they are folded in, of those with a least gain."""
    best = least
    found: list[int] = []
    for cell in cells:
        gain = _gain(net, inside, cell)
        if gain >= best and net.can_flip(inside, cell):
            if gain > best:
                best, found = gain, []
            found.append(cell)
    return found


def _gain(net: Net, inside: Sequence[bool], cell: int) -> int:
    here = inside[cell]
    near = net.near[cell]
    return 2 * sum(inside[other] == here for other in near) - len(near)


GENERATED_BY = (
    "layout", "seed", "loop", "ratio", "area", "difficulty", "symmetry",
)  # fmt: skip
"""What loop and clues depend on."""
MOST_LOOPS = 20
"""How many loops are tried until one has no twin with the same clues."""
EASY_LOOPS, EASY_CELLS = 60, 12_000
"""Most loops tried until an easy puzzle has clues in half its cells, and the most cells that they have together."""
GAPS = (0.03, 0.06, 0.1, 0.15)
"""Shares of the board's cells around which an easy loop leaves a gap, from the second attempt on: 0s replace clues."""
LENGTH_KEPT = 0.9
"""Least length of a loop with gaps, as a share of the longest; less and less with each attempt in vain."""
MENDING_STEPS = 20_000
"""Search steps of a repair for each other loop."""
MOST_NAMED = 6


@dataclass(frozen=True)
class Request:
    """All that generating depends on: parameters, the shape, and what is own by cell."""

    parameters: SlitherlinkParameters
    shape: tuple[str, ...] = ()
    sides: tuple[tuple[int, bool], ...] = ()
    clues: tuple[tuple[int, bool], ...] = ()


def generate(parameters: SlitherlinkParameters, progress: Progress) -> SlitherlinkDesign:
    """A new slitherlink."""
    return generated(Request(parameters), progress)[0]


def carry(
    parameters: SlitherlinkParameters, previous: SlitherlinkDesign, progress: Progress
) -> Generated[SlitherlinkDesign]:
    """The design for other parameters, with own cells and clues as they were."""
    before = previous.parameters
    if all(getattr(before, name) == getattr(parameters, name) for name in GENERATED_BY):
        return Generated(replace(previous, parameters=parameters))
    request = request_of(previous)
    if before.grid != parameters.grid:
        lost = (
            (tr("cells, clues and shape edited on the other grid"),)
            if request.sides or request.clues or request.shape
            else ()
        )
        return Generated(generated(Request(parameters), progress)[0], lost)
    numbers, names = parameters.form.numbers, before.form.names
    sides, clues = (
        tuple((numbers[names[cell]], value) for cell, value in known if names[cell] in numbers)
        for known in (request.sides, request.clues)
    )
    # The cells of a painted shape with the same names.
    painted = {name for name, is_in in zip(names, cells_of(request.shape), strict=False) if is_in}
    shape = rows_of(parameters, [name in painted for name in parameters.form.names]) if request.shape else ()
    design, refused = generated(
        replace(request, parameters=parameters, shape=shape, sides=sides, clues=clues), progress
    )
    gone = [names[cell] for cell, _ in (*request.sides, *request.clues) if names[cell] not in numbers]
    return named(design, refused, gone)


def request_of(design: SlitherlinkDesign) -> Request:
    """The request that a design was generated from."""
    numbers, inside, given = design.parameters.form.numbers, cells_of(design.inside), cells_of(design.given)
    sides = tuple((numbers[name], inside[numbers[name]]) for name in design.own_cells)
    clues = tuple((numbers[name], given[numbers[name]]) for name in design.own_clues)
    return Request(design.parameters, design.shape, sides, clues)


def generated(request: Request, progress: Progress) -> tuple[SlitherlinkDesign, list[int]]:
    """The design for a request, and the own cells that could not keep their side."""
    p = request.parameters
    # What makes no difference to loop and clues is as usual.
    plain = replace(
        SlitherlinkParameters(), grid=p.grid, columns=p.columns, rows=p.rows, outline=p.outline,
        sides=p.layout.sides, seed=p.seed, loop=p.loop, ratio=p.ratio, area=p.area, difficulty=p.difficulty,
        symmetry=p.symmetry, path=p.layout.path,
    )  # fmt: skip
    base = _base((plain, request.shape), progress)
    inside, refused = _with_sides(p.net, [*base.inside], dict(request.sides))
    changed = [cell for cell in range(p.net.outside) if inside[cell] != base.inside[cell]]
    if {*changed} <= {cell for cell, _ in request.sides}:
        given = [*base.given]
    else:
        line = tuple(p.net.line(inside))
        given = [*reduced(p, line, dict(request.clues), progress)]
    for cell, is_given in request.clues:
        given[cell] = is_given
    names = p.form.names
    kept = [names[cell] for cell, _ in request.sides if cell not in refused]
    design = SlitherlinkDesign(
        p,
        rows_of(p, inside),
        rows_of(p, given),
        tuple(sorted(kept)),
        tuple(sorted(names[cell] for cell, _ in request.clues)),
        request.shape,
    )
    return design, refused


def named(design: SlitherlinkDesign, refused: Sequence[int], gone: Sequence[str] = ()) -> Generated[SlitherlinkDesign]:
    """A design with the names of edited cells that are gone or could not keep their side."""
    names = [*gone, *design.names_of(refused)]
    if len(names) > MOST_NAMED + 1:
        names[MOST_NAMED:] = [tr("{count} more", count=len(names) - MOST_NAMED)]
    return Generated(design, tuple(names))


@dataclass(frozen=True)
class _Base:
    inside: tuple[bool, ...]
    given: tuple[bool, ...]


@kept(32)
def _base(kin: tuple[SlitherlinkParameters, tuple[str, ...]], progress: Progress) -> _Base:
    p, shape = kin
    best: tuple[float, _Base] | None = None
    count, is_easy = p.net.outside, p.difficulty == EASY
    loops, most = (EASY_LOOPS, max(1, EASY_CELLS // count)) if is_easy else (MOST_LOOPS, attempts(p))
    least = p.area * (sum(cells_of(shape)) or count) if p.loop == FOLDED else 0.0
    longest = tried = 0
    for attempt in range(loops):
        inside = _loop(p, shape, attempt, progress.part(0.0, 0.0))
        line = tuple(p.net.line(inside))
        longest = max(longest, len(line))
        is_short = len(line) < LENGTH_KEPT * longest * (1 - attempt / loops) or sum(inside) < least
        if is_easy and attempt and is_short:
            continue
        found = attempted(p, line, {}, attempt, progress)
        if found is None:
            if p.loop == OUTLINE:
                break
            continue
        tried += 1
        if best is None or found.misses < best[0]:
            best = found.misses, _Base(tuple(inside[:-1]), tuple(found.given))
        if best[0] == 0 or tried >= most:
            break
    return best[1] if best is not None else _Base(tuple(inside[:-1]), (True,) * p.net.outside)


def _loop(p: SlitherlinkParameters, shape: tuple[str, ...], attempt: int, progress: Progress) -> list[bool]:
    """The inside of a loop of the chosen sort; all of a board where the shape leaves no cell."""
    allowed = [cell for cell, is_in in enumerate(cells_of(shape)) if is_in] or [*range(p.net.outside)]
    seed = p.seed + attempt * OTHER_SEED
    if p.loop == OUTLINE:
        return filled(p.net, allowed)
    if p.difficulty == EASY and attempt:
        share = GAPS[(attempt - 1) % len(GAPS)] if attempt < EASY_LOOPS - 1 else 1.0
        # Leave out a share of the orbits and the neighbours of their cells; one cell remains if that leaves none.
        chances = uniform(seed, np.arange(p.net.outside), "gap").tolist()
        some = (cell for orbit in orbits_of(p) if chances[orbit[0]] < share for cell in orbit)
        gaps = {near for cell in some for near in (cell, *p.net.near[cell])}
        ranks = {cell: (len(orbit), chances[cell]) for orbit in orbits_of(p) for cell in orbit}
        allowed = [cell for cell in allowed if cell not in gaps] or [min(allowed, key=ranks.__getitem__)]
    if p.loop == FOLDED:
        return folded(p.net, allowed, seed, p.ratio, p.area, progress)
    return wound(p.net, allowed, seed, progress)


def _with_sides(net: Net, inside: list[bool], sides: Mapping[int, bool]) -> tuple[list[bool], list[int]]:
    """An inside with some cells on a given side, as few others changed as it takes, and the cells that found no way."""
    wanted = [sides.get(cell, value) for cell, value in enumerate(inside)]
    line = net.line(wanted)
    if net.is_even(line) and len(net.loops(line)) == 1:
        return wanted, []
    known = [*inside, False]
    left = [cell for cell, value in sides.items() if known[cell] != value]
    while True:
        again = [cell for cell in left if known[cell] != sides[cell] and not _brought(net, known, cell, sides)]
        if len(again) in (0, len(left)):
            return known[:-1], again
        left = again


def _brought(net: Net, inside: list[bool], cell: int, sides: Mapping[int, bool]) -> bool:
    """Flip a cell, after one or two of those around it if need be that are not settled; whether there was a way."""
    if net.can_flip(inside, cell):
        inside[cell] = not inside[cell]
        return True
    near = {other for one in net.rings[cell] if one != net.outside for other in (one, *net.rings[one])}
    free = sorted(other for other in near - {net.outside, cell} if sides.get(other) in (None, not inside[other]))
    for first in free:
        if not net.can_flip(inside, first):
            continue
        inside[first] = not inside[first]
        for second in (None, *free):
            if second is not None:
                if second == first or not net.can_flip(inside, second):
                    continue
                inside[second] = not inside[second]
            if net.can_flip(inside, cell):
                inside[cell] = not inside[cell]
                return True
            if second is not None:
                inside[second] = not inside[second]
        inside[first] = not inside[first]
    return False


def deciding(design: SlitherlinkDesign, other: LoopEdges) -> list[int]:
    """The cells whose hidden clues would rule another loop out, those first that the two disagree about most."""
    theirs = design.parameters.net.counts(other)
    apart = [(abs(ours - their), cell) for cell, (ours, their) in enumerate(zip(design.counts, theirs, strict=True))]
    return [cell for gap, cell in sorted(apart, key=lambda pair: (-pair[0], pair[1])) if gap]


def with_one_solution(design: SlitherlinkDesign, progress: Progress = SILENT) -> SlitherlinkDesign:
    """The design with more clues, until its loop is the only one or no clue decides."""
    with closing(LoopSearch(design.parameters.net)) as search:
        search.prefer(design.line)
        while True:
            other = search.find(design.clues, barred=[design.line], steps=MENDING_STEPS, progress=progress).line
            decide = deciding(design, other) if other is not None else []
            if not decide:
                return design
            design = design.with_given({decide[0]: True})


# How many loops satisfy the clues of a slitherlink

ENOUGH = 2
"""Solutions after which a count ends if no limit is named: beyond the second, more do not matter."""
PROOF_STEPS = 100_000
"""Steps of the search that a proof of one solution may take."""
MOST_STEPS = 1_000_000
"""Steps of the search after which a count ends with `at least`."""


def count(design: SlitherlinkDesign, _target: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The number of loops, up to the second or as many as asked."""
    net, line = design.parameters.net, design.line
    return solutions(net, design.clues, progress, most=most or ENOUGH, steps=MOST_STEPS, known=line)[1]


def proof(design: SlitherlinkDesign, progress: Progress, steps: int = PROOF_STEPS) -> Count:
    """The number of loops up to the second, as far as `steps` of the search show."""
    net, line = design.parameters.net, design.line
    return solutions(net, design.clues, progress, most=2, steps=steps, known=line)[1]
