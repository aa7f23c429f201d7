"""The steps by which people solve a slitherlink, each with its rule, its place and its reason in a sentence.

A step is a deduction of the rules in words. Well-known patterns have their usual names: a 3 in a corner, adjacent
and diagonal 3s, a line that reaches a 3, a 3 beside a 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from studio.base.amounts import listed
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.puzzles.slitherlink.edge_groups import ON, UNKNOWN, Contradiction, Ground
from studio.puzzles.slitherlink.model import GRADES
from studio.puzzles.slitherlink.rules import (
    AROUND,
    BESIDE,
    CLUE,
    DIAGONAL,
    DOT,
    LEVELS,
    LOOP,
    PAIRS,
    REACHED,
    RIM,
    SIDES,
    TRIAL,
    Deduction,
    Reasoner,
)
from studio.solving.loops import Net

TITLES = {
    CLUE: tr("Clue"),
    DOT: tr("Dot"),
    LOOP: tr("Closed loop"),
    RIM: tr("Corner"),
    BESIDE: tr("Neighbours"),
    DIAGONAL: tr("Diagonal"),
    REACHED: tr("Line to a clue"),
    AROUND: tr("Clue and dots"),
    PAIRS: tr("Corner pairs"),
    SIDES: tr("Inside and outside"),
    TRIAL: tr("Look-ahead"),
}
"""Titles of the rules."""
HARDEST = max(LEVELS.values())
MOST_ASKED = 12
"""Cells of a chain of corner pairs from which the few that are needed are picked."""
MOST_NAMED = 4


@dataclass(frozen=True)
class RuleStep:
    """Edges that one rule makes lines (`on`) or crosses (`off`), the cells and dots that it looks at, and why."""

    rule: str
    on: tuple[int, ...]
    off: tuple[int, ...]
    cells: tuple[int, ...]
    dots: tuple[int, ...]
    words: str


def next_step(net: Net, names: Sequence[str], clues: Mapping[int, int], state: Sequence[int]) -> RuleStep | None:
    """The easiest step from the states of the edges (UNKNOWN, ON or OFF); None if there is none.

    `names` are the cells' names. All known states must be right.
    """
    try:
        reasoner = Reasoner(net, clues, HARDEST, state)
        found = reasoner.find()
    except Contradiction:
        return None
    return None if found is None else _step(reasoner, names, found)


def solved_by_rules(
    net: Net, names: Sequence[str], clues: Mapping[int, int], level: int = HARDEST, progress: Progress = SILENT
) -> list[RuleStep]:
    """All steps that rules up to a level find; the last one completes the loop if they are enough."""
    reasoner = Reasoner(net, clues, level, progress=progress)
    steps: list[RuleStep] = []
    try:
        while (found := reasoner.find()) is not None:
            progress.step(1 - reasoner.unknown / len(reasoner.value))
            steps.append(_step(reasoner, names, found))
            reasoner.draw(found)
    except Contradiction:
        pass
    return steps


def _step(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> RuleStep:
    words, cells, dots = _SAID[found.rule](reasoner, names, found)
    return RuleStep(found.rule, found.on, found.off, tuple(cells), tuple(dots), f"{TITLES[found.rule]}: {words}")


Said = tuple[str, Iterable[int], Iterable[int]]
"""The words for a step, and the cells and dots that it looks at."""


def _place(ground: Ground, group: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cell or the dot of a group."""
    if group < 0:
        return (), ()
    return ((), (group,)) if group < ground.dots else ((group - ground.dots,), ())


def _clue(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    cell = found.group - reasoner.ground.dots
    count, edges = reasoner.clues[cell], reasoner.net.edges[cell]
    name = names[cell]
    if found.off:
        if count == 0:
            return tr("{cell} is a 0, so none of its edges is a line.", cell=name), (cell,), ()
        words = (
            tr("{cell} has its {lines}, so its last edge is crossed.", cell=name, lines=_of_its(count))
            if len(found.off) == 1
            else tr(
                "{cell} has its {lines}, so its other {count} edges are crossed.",
                cell=name,
                lines=_of_its(count),
                count=len(found.off),
            )
        )
        return words, (cell,), ()
    zeros = [other for other in reasoner.net.near[cell] if reasoner.clues.get(other) == 0]
    if count == len(edges) - 1 and len(found.on) == count and zeros:
        zero = zeros[0]
        return (
            tr(
                "{cell} is a {clue} next to the 0 in {other}, so its other edges are lines.",
                cell=name,
                clue=count,
                other=names[zero],
            ),
            (cell, zero),
            (),
        )
    needed = _amount(count)
    if len(found.on) < count:
        needed = tr("one more line") if len(found.on) == 1 else tr("{count} more lines", count=len(found.on))
    if len(found.on) == 1:
        words = tr("{cell} needs {lines} and only one edge is left, so it is a line.", cell=name, lines=needed)
    elif len(found.on) == 2:
        words = tr("{cell} needs {lines} and only 2 edges are left, so both are lines.", cell=name, lines=needed)
    else:
        words = tr(
            "{cell} needs {lines} and only {count} edges are left, so all are lines.",
            cell=name,
            lines=needed,
            count=len(found.on),
        )
    return words, (cell,), ()


def _of_its(count: int) -> str:
    return tr("line") if count == 1 else tr("{count} lines", count=count)


def _amount(count: int) -> str:
    return tr("a line") if count == 1 else tr("{count} lines", count=count)


def _dot(reasoner: Reasoner, _names: Sequence[str], found: Deduction) -> Said:
    dots = (found.group,)
    if found.on:
        return tr("a line reaches this dot and can continue in only one direction."), (), dots
    if any(reasoner.value[edge] == ON for edge in reasoner.net.stars[found.group]):
        words = (
            tr("two lines meet at this dot, so its other edge is crossed.")
            if len(found.off) == 1
            else tr("two lines meet at this dot, so its other edges are crossed.")
        )
        return words, (), dots
    return tr("only one edge is left at this dot and a line cannot end here, so it is crossed."), (), dots


def _loop(reasoner: Reasoner, _names: Sequence[str], found: Deduction) -> Said:
    if reasoner.is_closed:
        return tr("the loop is complete, so every other edge is crossed."), (), ()
    if found.on:
        return tr("every clue has its lines, so this line closes the loop."), (), reasoner.net.ends[found.on[0]]
    return tr("a line here would close the loop too early."), (), reasoner.net.ends[found.off[0]]


def _rim(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    ground = reasoner.ground
    cells, dots = _place(ground, found.group)
    if dots:
        beside = [
            cell for cell in reasoner.net.wedges[dots[0]]
            if cell in reasoner.clues and ground.is_rim[ground.dots + cell]
        ]  # fmt: skip
        clues = listed(tr("the {clue} in {cell}", clue=reasoner.clues[cell], cell=names[cell]) for cell in beside)
        how = (
            tr("a line leaves this dot")
            if found.on and not found.off
            else tr("the line can leave this dot in only one direction")
        )
        if not found.on:
            how = tr("no other line reaches this dot")
        words = (
            tr("however {clue} is satisfied, {result}.", clue=clues, result=how)
            if len(beside) == 1
            else tr("however {clues} are satisfied, {result}.", clues=clues, result=how)
        )
        return words, beside, dots
    cell = cells[0]
    count = reasoner.clues[cell]
    edges = {*found.on, *found.off}
    corners = [dot for dot in reasoner.net.dots[cell] if len(reasoner.net.stars[dot]) == 2]
    met = [dot for dot in corners if edges & {*reasoner.net.stars[dot]}]
    if met and len(edges) == 2 and len(corners) == 1:
        words = (
            tr("{cell} is a {clue}, so its two edges in the corner are both lines.", cell=names[cell], clue=count)
            if found.on
            else tr(
                "{cell} is a {clue}, so its two edges in the corner are both crossed.", cell=names[cell], clue=count
            )
        )
        return words, cells, met
    words = tr(
        "two edges that meet at the border are both lines or both crossed, so the {clue} in {cell} leaves only one "
        "option.",
        clue=count,
        cell=names[cell],
    )
    return words, cells, corners


def _beside(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    one, other = sorted(group - reasoner.ground.dots for group in (found.group, *found.others))
    clue, other_clue = reasoner.clues[one], reasoner.clues[other]
    both = (
        tr("{cell} and {other} are adjacent {clue}s", cell=names[one], other=names[other], clue=clue)
        if clue == other_clue
        else tr(
            "{cell} is a {clue} next to the {other_clue} in {other}",
            cell=names[one],
            other=names[other],
            clue=clue,
            other_clue=other_clue,
        )
    )
    if len(reasoner.net.edges[one]) == 4:
        words = tr("{clues}, so the edge between them and the ones opposite are lines.", clues=both)
    elif len(found.on) > 1:
        words = tr("{clues}, so the edge between them and all that do not touch it are lines.", clues=both)
    else:
        words = tr("{clues}, so the edge between them is a line.", clues=both)
    return words, (one, other), ()


def _diagonal(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    second, dot = found.others
    one, other = sorted(group - reasoner.ground.dots for group in (found.group, second))
    clue, other_clue = reasoner.clues[one], reasoner.clues[other]
    if len(reasoner.net.edges[one]) == len(reasoner.net.edges[other]) == 4:
        words = tr(
            "{cell} and {other} are diagonal {clue}s, so their outer edges are lines.",
            cell=names[one],
            other=names[other],
            clue=clue,
        )
        return words, (one, other), (dot,)
    words = tr(
        "the {clue} in {cell} and the {other_clue} in {other} each miss only one edge, so each has a line at this dot, "
        "where only two can meet: {result}.",
        result=_result(found),
        clue=clue,
        cell=names[one],
        other_clue=other_clue,
        other=names[other],
    )
    return words, (one, other), (dot,)


def _reached(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    cell, dots = found.group - reasoner.ground.dots, _needed_dots(reasoner, found)
    if len(dots) > 1 or found.off:
        return _around_clue(reasoner, names, found)
    values = {"clue": reasoner.clues[cell], "cell": names[cell], "result": _result(found)}
    words = (
        tr(
            "a line reaches the {clue} in {cell} at this dot, so its last cross belongs at this dot and {result}.",
            **values,
        )
        if any(reasoner.value[edge] == ON for edge in reasoner.net.stars[dots[0]])
        else tr(
            "the {clue} in {cell} takes one more cross, and no other edge is left at this dot, so {result}.", **values
        )
    )
    return words, (cell,), dots


def _around_clue(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    cell, dots = found.group - reasoner.ground.dots, _needed_dots(reasoner, found)
    values = {"clue": reasoner.clues[cell], "cell": names[cell], "result": _result(found)}
    words = (
        tr("the {clue} in {cell} and the edges at this dot leave only one option, so {result}.", **values)
        if len(dots) == 1
        else tr("the {clue} in {cell} and the edges at these dots leave only one option, so {result}.", **values)
    )
    return words, (cell,), dots


def _needed_dots(reasoner: Reasoner, found: Deduction) -> tuple[int, ...]:
    """A small set of a cell's dots from which the deduction follows."""
    dots = found.others
    for dot in found.others:
        fewer = tuple(other for other in dots if other != dot)
        without = reasoner.at_dots(found.group, found.rule, fewer)
        if without is not None and (without.on, without.off) == (found.on, found.off):
            dots = fewer
    return dots


def _pairs(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    ground = reasoner.ground
    cells = _needed(reasoner, found)
    _, dots = _place(ground, found.group)
    phrases = [tr("the {clue} in {cell}", clue=reasoner.clues[cell], cell=names[cell]) for cell in cells]
    result = _result(found)
    if not phrases:
        return tr("the lines around this dot leave only one option, so {result}.", result=result), (), dots
    if len(phrases) > MOST_NAMED:
        phrases = [*phrases[: MOST_NAMED - 1], tr("{count} more clues", count=len(phrases) - MOST_NAMED + 1)]
    if len(phrases) == 1:
        return (
            tr(
                "{clue} and the lines at its corners leave only one option, so {result}.",
                clue=phrases[0],
                result=result,
            ),
            cells,
            dots,
        )
    return tr("{clues} together leave only one option, so {result}.", clues=listed(phrases), result=result), cells, dots


def _result(found: Deduction) -> str:
    if found.on and found.off:
        return (
            tr("these are a line and a cross")
            if len(found.on) == len(found.off) == 1
            else tr("these are lines and crosses")
        )
    if found.on:
        return tr("this is a line") if len(found.on) == 1 else tr("these are lines")
    return tr("this edge is crossed") if len(found.off) == 1 else tr("these edges are crossed")


def _needed(reasoner: Reasoner, found: Deduction) -> list[int]:
    """A small set of cells whose clues, by corner pairs alone, imply the deduction."""
    ground = reasoner.ground
    reached, at = [found.group], 0
    while at < len(reached) and len(reached) < 2 * MOST_ASKED:
        reached += [one for one in dict.fromkeys(reasoner.because.get(reached[at], ())) if one not in reached]
        at += 1
    cells = [group - ground.dots for group in reached if group >= ground.dots]
    if not _follows(reasoner, found, cells):
        return cells
    for cell in reversed(cells):
        fewer = [other for other in cells if other != cell]
        if _follows(reasoner, found, fewer):
            cells = fewer
    return sorted(cells)


def _follows(reasoner: Reasoner, found: Deduction, cells: Sequence[int]) -> bool:
    """True if a deduction follows from the corner pairs of some cells and their dots."""
    ground, net = reasoner.ground, reasoner.net
    dots = {dot for cell in cells for dot in net.dots[cell]}
    groups = {*dots, found.group} | {ground.dots + cell for cell in cells}
    if found.group >= ground.dots and found.group - ground.dots not in cells:
        return False
    left: dict[int, int] = {}
    for group in groups:
        ways = ground.ways[group]
        left[group] = ground.first[group]
        if group >= ground.dots:
            left[group] &= ways.sums[reasoner.clues[group - ground.dots]]
        for at, edge in enumerate(ground.edges[group]):
            if reasoner.value[edge] != UNKNOWN:
                left[group] &= ways.on[at] if reasoner.value[edge] == ON else ways.off[at]
    todo = [*groups]
    while todo:
        group = todo.pop()
        masks = ground.ways[group].masks[left[group]]
        for here, other, there in ground.corners[group]:
            if other in left:
                fewer = left[other] & ground.ways[other].allowed[there][masks[here]]
                if fewer != left[other]:
                    left[other] = fewer
                    todo.append(other)
    on, off = ground.ways[found.group].fixed[left[found.group]]
    edges = ground.edges[found.group]
    return {*found.on} <= {edges[at] for at in on} and {*found.off} <= {edges[at] for at in off}


def _sides(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    net = reasoner.net
    edges = found.on + found.off
    cells = sorted(cell for cell in net.sides[edges[0]] if cell != net.outside)
    result = tr("there is a line between them") if found.on else tr("there is no line between them")
    if len(edges) > 1 or reasoner.apart(*net.sides[edges[0]]) is None:
        return _around(reasoner, names, found)
    known = [reasoner.apart(cell, reasoner.net.outside) for cell in cells]
    if len(cells) == 1:
        words = (
            tr("{cell} is inside, so its edge at the border is a line.", cell=names[cells[0]])
            if found.on
            else tr("{cell} is outside, so its edge at the border is crossed.", cell=names[cells[0]])
        )
        return words, cells, ()
    one, other = (names[cell] for cell in cells)
    if known[0] is None:
        return tr("{sides}, so {result}.", sides=_sides_of(one, other, apart=bool(found.on)), result=result), cells, ()
    if found.off:
        words = (
            tr("{cell} and {other} are both inside, so {result}.", cell=one, other=other, result=result)
            if known[0]
            else tr("{cell} and {other} are both outside, so {result}.", cell=one, other=other, result=result)
        )
        return words, cells, ()
    inner, outer = (one, other) if known[0] else (other, one)
    return tr("{inner} is inside and {outer} outside, so {result}.", inner=inner, outer=outer, result=result), cells, ()


def _sides_of(cell: str, other: str, *, apart: bool) -> str:
    if apart:
        return tr("{cell} and {other} are on opposite sides of the loop", cell=cell, other=other)
    return tr("{cell} and {other} are on the same side of the loop", cell=cell, other=other)


def _around(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    """Explain unknown edges of a cell, or around a dot, by the sides of two cells across them."""
    ground, net = reasoner.ground, reasoner.net
    own, dots = _place(ground, found.group)
    place = names[own[0]] if own else tr("this dot")
    edges = [edge for edge in ground.edges[found.group] if reasoner.value[edge] == UNKNOWN]
    near = {cell for edge in edges for cell in net.sides[edge] if cell not in own}
    for one, other in combinations(sorted(near), 2):
        apart = reasoner.apart(one, other)
        if apart is None:
            continue
        if other == net.outside:
            phrases = tr("{cell} is inside", cell=names[one]) if apart else tr("{cell} is outside", cell=names[one])
        else:
            phrases = _sides_of(names[one], names[other], apart=apart)
        cells = [*own, one] if other == net.outside else [*own, one, other]
        return (
            tr(
                "{sides}, which leaves only one option at {place}, so {result}.",
                sides=phrases,
                place=place,
                result=_result(found),
            ),
            cells,
            dots,
        )
    return (
        tr(
            "the cells known to be inside or outside leave only one option at {place}, so {result}.",
            place=place,
            result=_result(found),
        ),
        own,
        dots,
    )


def _trial(reasoner: Reasoner, names: Sequence[str], found: Deduction) -> Said:
    cells, dots = _place(reasoner.ground, found.group)
    trial = tr("without a line here") if found.on else tr("with a line here")
    if found.group < 0:
        return tr("{trial}, the loop would close too early.", trial=trial), cells, dots
    if dots:
        return tr("{trial}, a line could not continue at the marked dot.", trial=trial), cells, dots
    cell, count = names[cells[0]], reasoner.clues[cells[0]]
    if not count:
        return tr("{trial}, {cell} would get a line.", trial=trial, cell=cell), cells, dots
    return tr("{trial}, {cell} could not have {lines}.", trial=trial, cell=cell, lines=_amount(count)), cells, dots


_SAID = {
    CLUE: _clue, DOT: _dot, LOOP: _loop, RIM: _rim, BESIDE: _beside, DIAGONAL: _diagonal, REACHED: _reached,
    AROUND: _around_clue, PAIRS: _pairs, SIDES: _sides, TRIAL: _trial,
}  # fmt: skip


# The difficulty of a slitherlink for people: the rules that it needs, and the number of steps by each.
#
# level: the place of a grade among GRADES, easy to hard. A puzzle that no rule solves is beyond them.
# open: edges that the rules up to some level leave unknown.

BEYOND = HARDEST + 1
"""The level of a puzzle that no rule solves."""
OPEN = 0.08
"""Least share of its edges that a puzzle leaves open to easier rules to have the grade of a harder one.

Of 1,300 puzzles of Loopy on 7 × 7 squares, one in fifty leaves a smaller share than this to the rules of its grade.
"""
MOST_CELLS = 400
"""Cells up to which look-ahead takes a second or two at most; large puzzles with few clues need much of it."""
STEPS_TOLD = 64


@dataclass(frozen=True)
class Work:
    """The work of solving a puzzle by rules: `steps` by rule, easiest first, and whether they finish.

    `open` is the share of the edges that rules up to each level leave open.
    """

    steps: tuple[tuple[str, int], ...]
    is_solved: bool
    open: tuple[float, ...]

    @property
    def level(self) -> int:
        """The first level whose rules leave next to nothing open; BEYOND if no rules solve it."""
        return next(level for level, share in enumerate(self.open) if share < OPEN) if self.is_solved else BEYOND

    @property
    def title(self) -> str:
        """The grade in a word or two."""
        return tr("Beyond the rules") if self.level == BEYOND else [*GRADES.values()][self.level]


def work(net: Net, clues: Mapping[int, int], level: int = HARDEST, progress: Progress = SILENT) -> Work:
    """The work of solving with rules up to a level."""
    reasoner = Reasoner(net, clues, level, progress=progress)
    follow(reasoner, progress)
    return done(reasoner)


def work_in_time(net: Net, clues: Mapping[int, int], progress: Progress) -> Work:
    """The work of solving with all rules; on a large board, where that may take long, without the hardest level."""
    return work(net, clues, HARDEST if net.outside <= MOST_CELLS else HARDEST - 1, progress)


def follow(reasoner: Reasoner, progress: Progress) -> None:
    """Take all possible steps; end early at a contradiction."""
    edges = len(reasoner.value)
    try:
        while reasoner.step() is not None:
            if reasoner.unknown % STEPS_TOLD == 0:
                progress.step(1 - reasoner.unknown / edges)
    except Contradiction:
        return


def done(reasoner: Reasoner) -> Work:
    """The work of a reasoner so far."""
    steps = tuple((rule, reasoner.counts[rule]) for rule in LEVELS if reasoner.counts[rule])
    left = [reasoner.left.get(level + 1, 0) / len(reasoner.value) for level in range(HARDEST)]
    return Work(steps, not reasoner.unknown, (*left, reasoner.unknown / len(reasoner.value)))
