"""The problems of cutting a board: wood that is too thin, clues too small or too large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

import numpy as np

from studio.base.rounding import rounded_down
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.board.board_spec import RECTANGLE
from studio.geometry.curves.strokes import Ints
from studio.puzzles.slitherlink import problems
from studio.puzzles.slitherlink.board import clue_heights, fitted_clues, hole_of, setback, slot_of, slots, tallest_clues
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes
from studio.puzzles.slitherlink.model import PEGS, PLAIN, STICKS, SlitherlinkParameters
from studio.puzzles.slitherlink.rim import from_rim

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
    """What is too thin, too small or too large to be made well."""
    p = shapes.design.parameters
    if p.board == PEGS:
        yield from _of_holes(p, shapes)
    if p.board == STICKS:
        yield from _of_slots(p, shapes)
    if p.board != PLAIN:
        yield from _of_rim(p, shapes)
    yield from _of_clues(p, shapes)


def _of_holes(p: SlitherlinkParameters, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    ends = shapes.dots[p.form.edges]
    lengths = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    shortest = int(lengths.argmin())
    # Where all edges are alike, none is shorter for the noise of the sums behind it.
    length = p.edge if p.layout.is_regular else float(lengths[shortest])
    left = length - hole_of(p)
    if left < LEAST_WALL - TOLERANCE:
        problem = problems.HOLES_CLOSE if left > 0 else problems.HOLES_MEET
        repair = _edge((hole_of(p) + LEAST_WALL) * p.edge / length)
        place = shapes.dots[0] if p.layout.is_regular else ends[shortest, 0]
        yield problem.finding(place, repair=repair, left=left, hole=hole_of(p), edge=length)


def _of_slots(p: SlitherlinkParameters, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    length, _width = slot_of(p)
    place = shapes.dots[p.form.edges[0]].mean(axis=0)
    if length < LEAST_SLOT - TOLERANCE:
        left = max(p.edge - 2 * setback(p), 0.0)
        yield problems.SLOT.finding(place, repair=_edge(LEAST_SLOT + 2 * setback(p)), left=left, least=LEAST_SLOT)
    if p.wall < LEAST_WALL:
        repair = Repair.setting(tr("Set minimum wall to {wall:g} mm"), wall=LEAST_WALL)
        yield problems.WALL.finding(shapes.dots[0], repair=repair, wall=p.wall, least=LEAST_WALL)


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
        problem = problems.RIM_THIN if left > 0 else problems.RIM_OPEN
        openings = tr("holes") if p.board == PEGS else tr("slots")
        yield problem.finding(points[nearest].clip(0), repair=repair, left=left, openings=openings, least=LEAST_RIM)


def _of_clues(p: SlitherlinkParameters, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    if not shapes.design.clues:
        return
    cells = np.array([*shapes.design.clues])
    heights, tallest, widths = clue_heights(p)[cells], tallest_clues(p)[cells], 2 * p.form.circles[cells] * p.edge
    smallest, largest = int(heights.argmin()), int((tallest - heights).argmin())
    height, place = float(heights[largest]), shapes.middles[cells[largest]]
    if heights[smallest] < LEAST_CLUE - TOLERANCE:
        place, height = shapes.middles[cells[smallest]], float(heights[smallest])
        yield problems.SMALL_CLUES.finding(place, repair=_readable(p, cells), height=height, least=LEAST_CLUE)
    elif height > widths[largest]:
        repair = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        problem = problems.CLUES_MEET
        yield problem.finding(place, repair=repair, height=height, most=float(widths[largest]))
    elif height > tallest[largest] + TOLERANCE:
        repair = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        limit = {PEGS: tr("the holes"), STICKS: tr("the slots")}.get(p.board) or tr("the edges of their cells")
        yield problems.LARGE_CLUES.finding(
            place, repair=repair, height=height, limit=limit, most=rounded_down(float(tallest[largest]), 1)
        )


def _edge(least: float) -> Repair:
    """A larger edge, to a tenth of a mm."""
    return Repair.setting(tr("Set cell edge to {edge:.1f} mm"), edge=ceil(10 * least - TOLERANCE) / 10)


def _readable(p: SlitherlinkParameters, cells: Ints) -> Repair | None:
    """The clues of some cells fitted to them, which are made larger where need be."""
    if fitted_clues(p)[cells].min() >= LEAST_CLUE:
        return Repair.setting(tr("Fit clues to cells"), clue=0.0)
    edges = np.arange(p.edge, LARGEST_EDGE, STEP).tolist()
    edge = next((edge for edge in edges if fitted_clues(replace(p, edge=edge))[cells].min() >= LEAST_CLUE), None)
    return None if edge is None else Repair.setting(tr("Set cell edge to {edge:.1f} mm"), edge=edge, clue=0.0)
