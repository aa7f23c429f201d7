"""The problems of cutting a board: wood that is too thin, clues too small or too large."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import ceil

import numpy as np

from studio.checks.finding import Finding, Repair
from studio.figures import rounded_down
from studio.geometry.curves import Floats
from studio.geometry.rounded import SHARE
from studio.puzzles.slitherlink import problems
from studio.puzzles.slitherlink.board import clue_height, fitted_clue, hole_of, setback, slot_of, slots, tallest_clue
from studio.puzzles.slitherlink.geometry import SPACING, SlitherlinkShapes, laid_out
from studio.puzzles.slitherlink.model import PEGS, PLAIN, STICKS, SlitherlinkParameters
from studio.texts import tr

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
    left = p.edge - hole_of(p)
    if left < LEAST_WALL - TOLERANCE:
        problem = problems.HOLES_CLOSE if left > 0 else problems.HOLES_MEET
        repair = _edge(hole_of(p) + LEAST_WALL)
        yield problem.finding(shapes.dots[0], repair=repair, left=left, hole=hole_of(p), edge=p.edge)


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
    from_rim = _from_rim(p, points)
    nearest = int(from_rim.argmin())
    left = float(from_rim[nearest]) - (half if p.board == PEGS else 0.0)
    if left < LEAST_RIM - TOLERANCE:
        # The place where a dot can be nearest to the rim is the corner.
        wanted = LEAST_RIM + half
        border = max(wanted, p.corner - (p.corner - wanted) / 2**0.5)
        repair = Repair.setting(tr("Set border to {border:.1f} mm"), border=ceil(10 * border - TOLERANCE) / 10)
        problem = problems.RIM_THIN if left > 0 else problems.RIM_OPEN
        openings = tr("holes") if p.board == PEGS else tr("slots")
        yield problem.finding(points[nearest].clip(0), repair=repair, left=left, openings=openings, least=LEAST_RIM)


def _of_clues(p: SlitherlinkParameters, shapes: SlitherlinkShapes) -> Iterator[Finding]:
    if not shapes.design.clues:
        return
    height, place = clue_height(p), shapes.middles[next(iter(shapes.design.clues))]
    if height < LEAST_CLUE - TOLERANCE:
        yield problems.SMALL_CLUES.finding(place, repair=_readable(p), height=height, least=LEAST_CLUE)
    elif height > 2 * p.form.circle * p.edge:
        repair = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        problem = problems.CLUES_MEET
        yield problem.finding(place, repair=repair, height=height, most=2 * p.form.circle * p.edge)
    elif height > tallest_clue(p) + TOLERANCE:
        repair = Repair.setting(tr("Fit clues to cells"), clue=0.0)
        limit = {PEGS: tr("the holes"), STICKS: tr("the slots")}.get(p.board) or tr("the edges of their cells")
        yield problems.LARGE_CLUES.finding(
            place, repair=repair, height=height, limit=limit, most=rounded_down(tallest_clue(p), 1)
        )


def _from_rim(p: SlitherlinkParameters, points: Floats) -> Floats:
    """How far points (n, 2) are from the rim of the board, in mm; negative outside."""
    size = np.array(laid_out(p)[0])
    half = size / 2 - SPACING
    radius = min(p.corner, SHARE * 2 * float(half.min()))
    beyond = np.abs(points - size / 2) - (half - radius)
    return np.asarray(radius - np.hypot(*np.maximum(beyond, 0).T) - np.minimum(beyond.max(axis=1), 0))


def _edge(least: float) -> Repair:
    """A larger edge, to a tenth of a mm."""
    return Repair.setting(tr("Set cell edge to {edge:.1f} mm"), edge=ceil(10 * least - TOLERANCE) / 10)


def _readable(p: SlitherlinkParameters) -> Repair | None:
    """Clues fitted to their cells, which are made larger where need be."""
    if fitted_clue(p) >= LEAST_CLUE:
        return Repair.setting(tr("Fit clues to cells"), clue=0.0)
    edges = np.arange(p.edge, LARGEST_EDGE, STEP).tolist()
    edge = next((edge for edge in edges if fitted_clue(replace(p, edge=edge)) >= LEAST_CLUE), None)
    return None if edge is None else Repair.setting(tr("Set cell edge to {edge:.1f} mm"), edge=edge, clue=0.0)
