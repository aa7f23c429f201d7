"""The problems of a slitherlink: whether its loop is the only one, and which options were not met."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.base.amounts import many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Checked, Finding, Repair
from studio.puzzles.slitherlink import boardchecks, problems
from studio.puzzles.slitherlink.edits import reset
from studio.puzzles.slitherlink.generate import deciding, with_one_solution
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import FEWEST, FOLDED, GRADES, OUTLINE, SYMMETRIES, SlitherlinkDesign, cells_of
from studio.puzzles.slitherlink.solving_effort import OPEN, Work, work, work_in_time
from studio.puzzles.slitherlink.symmetry import orbits
from studio.solving.loops import LoopEdges, solutions

MOST_STEPS = 100_000
"""Steps of the search that a proof may take."""
RATIO_MET = 0.98
"""The share of a ratio from which it counts as reached."""


@dataclass(frozen=True, eq=False)
class SlitherlinkChecked(Checked):
    """The findings, and what is known of the puzzle: another loop with the same clues, or that there is none.

    `key` has all that the answer depends on. `work` is what solving takes with the rules of the grade that is asked, or
    with harder ones where none is asked or next to nothing is left for them; None if one solution is not proven.
    """

    key: object = None
    second: LoopEdges | None = None
    is_proven: bool = False
    work: Work | None = None


def check(
    design: SlitherlinkDesign, shapes: SlitherlinkShapes, before: Checked | None, progress: Progress
) -> SlitherlinkChecked:
    """The findings; the proof is made again only where the loop or a clue changed."""
    progress.step(0.0)
    p = design.parameters
    key = p.layout, p.difficulty, design.inside, design.given
    taken: Work | None = None
    if isinstance(before, SlitherlinkChecked) and before.key == key:
        second, is_proven, taken = before.second, before.is_proven, before.work
    else:
        lines, count = solutions(p.net, design.clues, progress, most=2, steps=MOST_STEPS, known=design.line)
        second = lines[1] if len(lines) > 1 else None
        is_proven = count.complete
        if is_proven and second is None:
            taken = _taken(design, progress)
    findings = sorted(_found(design, shapes, second, is_proven, taken), key=lambda finding: finding.rank)
    verdict = tr("{clues}, one solution.", clues=many(len(design.clues), "clue"))
    return SlitherlinkChecked(tuple(findings), verdict, key, second, is_proven, taken)


def _taken(design: SlitherlinkDesign, progress: Progress) -> Work:
    p = design.parameters
    if p.difficulty == FEWEST:
        return work_in_time(p.net, design.clues, progress)
    level = [*GRADES].index(p.difficulty)
    taken = work(p.net, design.clues, level, progress)
    return taken if taken.is_solved or taken.open[level] >= OPEN else work(p.net, design.clues, progress=progress)


def _found(
    design: SlitherlinkDesign, shapes: SlitherlinkShapes, second: LoopEdges | None, is_proven: bool, taken: Work | None
) -> Iterator[Finding]:
    yield from boardchecks.findings(shapes)
    if second is not None:
        yield _of_second(design, shapes, second)
    elif not is_proven:
        yield problems.UNPROVEN.finding(shapes.drawing.middle, steps=thousands(MOST_STEPS))
    yield from _of_clues(design, shapes, taken)
    yield from _of_loop(design, shapes)


def _of_second(design: SlitherlinkDesign, shapes: SlitherlinkShapes, second: LoopEdges) -> Finding:
    """That there is a second solution, and whether clues can decide."""
    apart = design.apart(second)
    place, where, marked = shapes.middle_of(apart[0]), design.place_of(apart), design.names_of(apart)
    if not deciding(design, second):
        return problems.UNDECIDABLE.finding(place, cells=marked, where=where)
    repair = Repair(tr("Add clues until unique"), with_one_solution)
    return problems.AMBIGUOUS.finding(place, cells=marked, repair=repair, where=where)


def _of_clues(design: SlitherlinkDesign, shapes: SlitherlinkShapes, taken: Work | None) -> Iterator[Finding]:
    """Options for the clues that were not met."""
    p = design.parameters
    if taken is not None and p.difficulty != FEWEST and taken.level != [*GRADES].index(p.difficulty):
        found = GRADES[[*GRADES][taken.level]].lower() if taken.is_solved else ""
        yield problems.UNLIKE.finding(shapes.drawing.middle, found=found, wanted=GRADES[p.difficulty].lower())
    if orbits(p.layout, p.symmetry) is None:
        yield problems.ASYMMETRIC.finding(
            shapes.drawing.middle,
            repair=Repair.setting(tr("Turn symmetry off"), symmetry="none"),
            board=p.words,
            symmetry=SYMMETRIES[p.symmetry].lower(),
        )


def _of_loop(design: SlitherlinkDesign, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    """Options for the loop that were not met."""
    p, inside = design.parameters, cells_of(design.inside)
    ratio = len(design.line) / sum(inside)
    if p.loop == FOLDED and not design.own_cells and ratio < RATIO_MET * p.ratio:
        reached = int(ratio * 100) / 100
        repair = Repair.setting(tr("Set perimeter ratio to {ratio:g}"), ratio=max(reached, 0.2))
        yield problems.STRAIGHT.finding(shapes.drawing.middle, repair=repair, ratio=ratio, wanted=p.ratio)
    allowed = {*design.allowed}
    beyond = [cell for cell, is_in in enumerate(inside) if is_in and cell not in allowed]
    if beyond and allowed:
        yield problems.OUTSIDE.finding(
            shapes.middle_of(beyond[0]),
            cells=design.names_of(beyond),
            repair=Repair(tr("Reset these cells"), lambda design, progress: reset(design, beyond, progress).design),
            where=design.place_of(beyond),
        )
    left = [cell for cell in design.allowed if not inside[cell]] if p.loop == OUTLINE else []
    left = [cell for cell in left if p.form.names[cell] not in {*design.own_cells}]
    if left:
        yield problems.SPLIT.finding(
            shapes.middle_of(left[0]), cells=design.names_of(left), where=design.place_of(left)
        )
