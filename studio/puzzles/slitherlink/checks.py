"""The problems of a slitherlink: whether its loop is the only one, and which options were not met."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from studio.base.amounts import many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import rounded_down
from studio.checks.finding import Checked, Finding, Repair
from studio.geometry.board.board_spec import RECTANGLE
from studio.puzzles.slitherlink import check_problems
from studio.puzzles.slitherlink.clue_choice import EASY_CLUES, orbits
from studio.puzzles.slitherlink.edits import reset
from studio.puzzles.slitherlink.generate import deciding, with_one_solution
from studio.puzzles.slitherlink.geometry import (
    REACH,
    SHORTEST,
    SlitherlinkShapes,
    clue_heights,
    fitted_clues,
    free,
    from_rim,
    hole_of,
    setback,
    slot_of,
    slots,
)
from studio.puzzles.slitherlink.model import (
    EASY,
    FEWEST,
    FOLDED,
    GRADES,
    OUTLINE,
    PEGS,
    PLAIN,
    STICKS,
    SYMMETRIES,
    SlitherlinkDesign,
    SlitherlinkParameters,
    cells_of,
)
from studio.puzzles.slitherlink.steps import OPEN, Work, work, work_in_time
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
    yield from findings(shapes)
    if second is not None:
        apart = design.apart(second)
        place, where, marked = shapes.middle_of(apart[0]), design.place_of(apart), design.names_of(apart)
        if deciding(design, second):
            repair = Repair(tr("Add clues until unique"), with_one_solution)
            yield check_problems.AMBIGUOUS.finding(place, cells=marked, repair=repair, where=where)
        else:
            yield check_problems.UNDECIDABLE.finding(place, cells=marked, where=where)
    elif not is_proven:
        yield check_problems.UNPROVEN.finding(shapes.drawing.middle, steps=thousands(MOST_STEPS))
    yield from _of_clues(design, shapes, taken)
    yield from _of_loop(design, shapes)


def _of_clues(design: SlitherlinkDesign, shapes: SlitherlinkShapes, taken: Work | None) -> Iterator[Finding]:
    """Options for the clues that were not met."""
    p = design.parameters
    if taken is not None and p.difficulty != FEWEST and taken.level != [*GRADES].index(p.difficulty):
        found = GRADES[[*GRADES][taken.level]].lower() if taken.is_solved else ""
        yield check_problems.UNLIKE.finding(shapes.drawing.middle, found=found, wanted=GRADES[p.difficulty].lower())
    if p.difficulty == EASY and not design.own_clues and len(design.clues) > EASY_CLUES * p.net.outside:
        yield check_problems.CROWDED.finding(shapes.drawing.middle, given=len(design.clues), total=p.net.outside)
    if orbits(p.layout, p.symmetry) is None:
        yield check_problems.ASYMMETRIC.finding(
            shapes.drawing.middle,
            repair=Repair.setting(tr("Turn symmetry off"), symmetry="none"),
            board=p.description,
            symmetry=SYMMETRIES[p.symmetry].lower(),
        )


def _of_loop(design: SlitherlinkDesign, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    """Options for the loop that were not met."""
    p, inside = design.parameters, cells_of(design.inside)
    ratio = len(design.line) / sum(inside)
    if p.loop == FOLDED and not design.own_cells and ratio < RATIO_MET * p.ratio:
        reached = int(ratio * 100) / 100
        repair = Repair.setting(tr("Set perimeter ratio to {ratio:g}"), ratio=max(reached, 0.2))
        yield check_problems.STRAIGHT.finding(shapes.drawing.middle, repair=repair, ratio=ratio, wanted=p.ratio)
    allowed = {*design.allowed}
    beyond = [cell for cell, is_in in enumerate(inside) if is_in and cell not in allowed]
    if beyond and allowed:
        yield check_problems.OUTSIDE.finding(
            shapes.middle_of(beyond[0]),
            cells=design.names_of(beyond),
            repair=Repair(tr("Reset these cells"), lambda design, progress: reset(design, beyond, progress).design),
            where=design.place_of(beyond),
        )
    left = [cell for cell in design.allowed if not inside[cell]] if p.loop == OUTLINE else []
    left = [cell for cell in left if p.form.names[cell] not in {*design.own_cells}]
    if left:
        yield check_problems.SPLIT.finding(
            shapes.middle_of(left[0]), cells=design.names_of(left), where=design.place_of(left)
        )


# The problems of cutting a board: wood that is too thin, clues too small or too large.


LEAST_WALL = 1.5
"""The least wood in mm between two holes or slots."""
LEAST_RIM = 2.0
"""The least wood in mm between holes or slots and the rim."""
LEAST_SLOT = 3.0
"""The least length in mm of a slot that holds a stick upright."""
LEAST_CLUE = 2.0
"""The least height in mm of a readable engraved clue."""
STEP = 0.5
"""The steps in mm in which a larger edge is sought."""
LARGEST_EDGE = 100.0
TOLERANCE = 1e-9


def findings(shapes: SlitherlinkShapes) -> Iterator[Finding]:
    """Parts too thin, too small or too large to be made well."""
    p = shapes.design.parameters
    if p.board == PEGS:
        ends = shapes.dots[p.form.edges]
        lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        shortest = int(lengths.argmin())
        # Where all edges are alike, none is shorter for the noise of the sums behind it.
        length = p.edge if p.layout.is_regular else float(lengths[shortest])
        left = length - hole_of(p)
        if left < LEAST_WALL - TOLERANCE:
            problem = check_problems.HOLES_CLOSE if left > 0 else check_problems.HOLES_MEET
            repair = _edge((hole_of(p) + LEAST_WALL) * p.edge / length)
            place = shapes.dots[0] if p.layout.is_regular else ends[shortest, 0]
            yield problem.finding(place, repair=repair, left=left, hole=hole_of(p), edge=length)
    if p.board == STICKS:
        if slot_of(p)[0] < LEAST_SLOT - TOLERANCE:
            place = shapes.dots[p.form.edges[0]].mean(axis=0)
            left = max(p.edge - 2 * setback(p), 0.0)
            yield check_problems.SLOT.finding(
                place, repair=_edge(LEAST_SLOT + 2 * setback(p)), left=left, least=LEAST_SLOT
            )
        if p.wall < LEAST_WALL:
            repair = Repair.setting(tr("Set minimum wall to {wall:g} mm"), wall=LEAST_WALL)
            yield check_problems.WALL.finding(shapes.dots[0], repair=repair, wall=p.wall, least=LEAST_WALL)
    if p.board != PLAIN:
        yield from _of_rim(p, shapes)
    yield from _of_engraved_clues(p, shapes)


def _of_rim(p: SlitherlinkParameters, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    half = (hole_of(p) if p.board == PEGS else slot_of(p)[1]) / 2
    points = shapes.dots if p.board == PEGS else slots(p, shapes.dots).reshape(-1, 2)
    gaps = from_rim(p, points)
    nearest = int(gaps.argmin())
    left = float(gaps[nearest]) - (half if p.board == PEGS else 0.0)
    if left < LEAST_RIM - TOLERANCE:
        # The place where a dot can be nearest to the rim is the corner.
        wanted = LEAST_RIM + half
        border = max(wanted, p.corner - (p.corner - wanted) / 2**0.5)
        if p.outline != RECTANGLE:
            border = p.border + LEAST_RIM - left
        repair = Repair.setting(tr("Set border to {border:.1f} mm"), border=ceil(10 * border - TOLERANCE) / 10)
        problem = check_problems.RIM_THIN if left > 0 else check_problems.RIM_OPEN
        openings = tr("holes") if p.board == PEGS else tr("slots")
        yield problem.finding(points[nearest].clip(0), repair=repair, left=left, openings=openings, least=LEAST_RIM)


def _of_engraved_clues(p: SlitherlinkParameters, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    if not shapes.design.clues:
        return
    cells = np.array([*shapes.design.clues])
    # The greatest heights that keep off holes, slots and the edges of the cells.
    tallest = np.maximum(free(p) / REACH, SHORTEST)[cells]
    heights, widths = clue_heights(p)[cells], 2 * p.form.circles[cells] * p.edge
    smallest, largest = int(heights.argmin()), int((tallest - heights).argmin())
    height, place = float(heights[largest]), shapes.middles[cells[largest]]
    if heights[smallest] < LEAST_CLUE - TOLERANCE:
        place, height = shapes.middles[cells[smallest]], float(heights[smallest])
        repair: Repair | None = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        if fitted_clues(p)[cells].min() < LEAST_CLUE:
            # The cells are made larger, too.
            edges = np.arange(p.edge, LARGEST_EDGE, STEP).tolist()
            wide = (edge for edge in edges if fitted_clues(replace(p, edge=edge))[cells].min() >= LEAST_CLUE)
            edge = next(wide, None)
            repair = edge and Repair.setting(tr("Set cell edge to {edge:.1f} mm"), edge=edge, clue=0.0)
        yield check_problems.SMALL_CLUES.finding(place, repair=repair, height=height, least=LEAST_CLUE)
    elif height > widths[largest]:
        repair = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        problem = check_problems.CLUES_MEET
        yield problem.finding(place, repair=repair, height=height, most=float(widths[largest]))
    elif height > tallest[largest] + TOLERANCE:
        repair = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        limit = {PEGS: tr("the holes"), STICKS: tr("the slots")}.get(p.board) or tr("the edges of their cells")
        yield check_problems.LARGE_CLUES.finding(
            place, repair=repair, height=height, limit=limit, most=rounded_down(float(tallest[largest]), 1)
        )


def _edge(least: float) -> Repair:
    """A larger edge, to a tenth of a mm."""
    return Repair.setting(tr("Set cell edge to {edge:.1f} mm"), edge=ceil(10 * least - TOLERANCE) / 10)
