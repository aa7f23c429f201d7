"""Checks of a tray before it is cut or printed."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import shapely

from studio.base.parameters import declaration
from studio.base.rounding import rounded_down
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.trays import LEAST_WOOD, wood
from studio.puzzles.calendar import problems
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.puzzles.calendar.tray import TrayPart, largest_chamfer, largest_radius, text_of, tray

LEAST_TEXT = 2.0
"""Smaller capitals, in mm, are hard to read, engraved or printed."""
LOOSE = 0.1
"""With more clearance, as a share of a cell, pieces shift and cover labels."""
USUAL_PLAY = 0.2
"""The clearance in mm that lets two cells open to each other where they touch at a corner."""


def findings(design: CalendarDesign, shapes: CalendarShapes) -> Iterator[Finding]:
    """The problems of the tray; letters that the font lacks are left to `check`."""
    p, text = design.parameters, text_of(design)
    words = {label.name: label.text for label in design.layout.labels}
    first = len(shapes.tray.parts) - len(shapes.tray.pieces) if shapes.tray.pieces else 0
    base, frame, piece = (shapes.middle_of(part) for part in (0, 1, first))
    if text.strokes and text.height < LEAST_TEXT:
        longest = max(text.strokes, key=lambda name: float(np.ptp(text.strokes[name].points[:, 0])))
        problem = problems.LONG if text.height >= text.fitting else problems.HARD_TO_READ
        place = shapes.place_of(longest)
        repair = _readable(p, text.fitting)
        yield problem.finding(
            place, repair=repair, height=text.height, text=words[longest], cell=longest, least=LEAST_TEXT
        )
    elif p.text > text.fitting:
        repair = Repair.setting(tr("Fit labels to cells"), text=0.0)
        yield problems.SHORTER.finding(base, repair=repair, height=text.height, asked=p.text)
    if p.radius > largest_radius(p):
        most = rounded_down(largest_radius(p), 1)
        repair = Repair.setting(tr("Set corner radius to {radius:.1f} mm"), radius=most)
        yield problems.RADIUS.finding(piece, repair=repair, radius=p.radius, most=most)
    if p.play > LOOSE * p.cell:
        repair = _clearance(LOOSE * p.cell)
        yield problems.PLAY.finding(piece, repair=repair, play=p.play)
    if p.chamfer > largest_chamfer(p):
        most = rounded_down(largest_chamfer(p), 1)
        repair = Repair.setting(tr("Set chamfer to {chamfer:.1f} mm"), chamfer=most)
        yield problems.CHAMFER.finding(piece, repair=repair, chamfer=p.chamfer, most=most)
    outside, between = _least_wood(shapes.tray.frame)
    if outside <= 0:
        yield problems.FRAME_OPEN.finding(frame, repair=_sturdier(design))
    elif between <= 0:
        yield problems.FRAME_APART.finding(frame, repair=_clearance(USUAL_PLAY))
    elif outside < LEAST_WOOD:
        yield problems.FRAME_THIN.finding(frame, repair=_sturdier(design), wood=outside)
    elif between < LEAST_WOOD:
        # The wood between two openings is a place without a cell, less the clearance on both its sides.
        repair = _clearance(p.play - (LEAST_WOOD - between) / 2)
        yield problems.FRAME_THIN.finding(frame, repair=repair, wood=between)


def _readable(p: CalendarParameters, fitting: float) -> Repair | None:
    """Fits labels to their cells, which are made larger where need be; None where none is large enough."""
    if fitting >= LEAST_TEXT:
        return Repair.setting(tr("Fit labels to cells"), text=0.0)
    # What fits a cell grows with it.
    cell = float(math.ceil(p.cell * LEAST_TEXT / fitting))
    most = declaration(CalendarParameters, "cell").limits[1]
    return Repair.setting(tr("Set cell size to {cell:g} mm"), cell=cell, text=0.0) if cell <= most else None


def _clearance(most: float) -> Repair | None:
    """The largest clearance up to some mm, in twentieths; None where there is none."""
    play = math.floor(20 * most + 1e-6) / 20
    return Repair.setting(tr("Set clearance to {play:g} mm"), play=play) if play >= 0 else None


def _sturdier(design: CalendarDesign) -> Repair | None:
    """Makes the outer corners smaller, or the frame wider, until enough wood is left at its outside."""
    p = design.parameters

    def is_sturdy(changed: CalendarParameters) -> bool:
        return _least_wood(tray(replace(design, parameters=changed)).frame)[0] >= LEAST_WOOD

    smaller = [half / 2 for half in range(math.ceil(2 * p.corner) - 1, -1, -1)]
    at = bisect_left(smaller, True, key=lambda corner: is_sturdy(replace(p, corner=corner)))
    if at < len(smaller):
        return Repair.setting(tr("Set outer radius to {corner:g} mm"), corner=smaller[at])
    most = declaration(CalendarParameters, "frame").limits[1]
    wider = [half / 2 for half in range(math.floor(2 * p.frame) + 1, int(2 * most) + 1)]
    at = bisect_left(wider, True, key=lambda frame: is_sturdy(replace(p, frame=frame)))
    return Repair.setting(tr("Set frame width to {frame:g} mm"), frame=wider[at]) if at < len(wider) else None


def _least_wood(frame: TrayPart) -> tuple[float, float]:
    """How wide the frame is in mm where it is narrowest, to its outside and between two openings; 0 where they meet."""
    lines = Curves.of([ring.stroke for ring in frame.rings]).flattened(0.05)
    outline = shapely.Polygon(lines[0])
    rims = [shapely.LinearRing(lines[ring]) for ring in range(1, len(lines))]
    gaps = [one.distance(other) for number, one in enumerate(rims) for other in rims[:number]]
    return wood(outline, rims), min(gaps, default=np.inf)
