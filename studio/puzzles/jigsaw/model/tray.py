"""Tray of a jigsaw: a base, a frame around its border as drawn, and a lid; and the tray's problems."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from studio.base.parameters import declaration
from studio.base.texts import tr
from studio.checks.finding import Finding, Repair
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.trays import FOLLOWED, LEAST_WOOD, Tray, TrayForm, region_of
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.model.design import BOX, NO_LID, RECESSED, JigsawParameters


def tray(parameters: JigsawParameters, drawing: Drawing) -> Tray | None:
    """Build the tray around a board; None if the border crosses itself and encloses nothing."""
    rims = [
        chain
        for chain in drawing.chains
        if chain.operation is Operation.BORDER
        or (chain.bounds_void and drawing.followed_once[chain.strokes >> 1].all())
    ]
    outlines = Curves.from_strokes([path.points for path in replace(drawing, chains=tuple(rims)).paths()])
    return _tray(outlines.points.tobytes(), outlines.starts.tobytes(), form(parameters))


def form(parameters: JigsawParameters) -> TrayForm:
    """Form of the tray."""
    p = parameters
    return TrayForm(
        p.tray_clearance, p.tray_rim, p.tray_corner, p.tray_notches, p.tray_notch,
        is_box=p.tray_form == BOX, has_lid=p.tray_lid != NO_LID, has_recess=p.tray_lid == RECESSED,
    )  # fmt: skip


@lru_cache(maxsize=8)
def _tray(points: bytes, starts: bytes, form: TrayForm) -> Tray | None:
    """Build a tray around closed outlines; cached, because a board's outlines stay while inner cuts are dragged."""
    outlines = Curves(np.frombuffer(points, np.float64).reshape(-1, 2), np.frombuffer(starts, np.int64))
    board = region_of(outlines.flattened(FOLLOWED))
    return None if board.is_empty else Tray(board, form)


@lru_cache(maxsize=8)
def findings(found: Tray, least_bridge: float) -> tuple[Finding, ...]:
    """Find the problems of a tray, given the least distance in mm between cuts."""
    least, findings = max(LEAST_WOOD, least_bridge), list[Finding]()
    if found.bare_wood < least:
        problem = check_problems.TRAY_OPEN if found.bare_wood <= 0 else check_problems.TRAY_THIN
        place, repair = _on_board(found, found.narrowest), _sturdier(found, least)
        findings.append(problem.finding(place, repair=repair, wood=found.bare_wood, least=least))
    elif found.form.notches:
        place, left = _on_board(found, found.notch_places[0]), found.room_behind - found.form.notch
        if left < least:
            problem = check_problems.NOTCH_OPEN if left <= 0 else check_problems.NOTCH_THIN
            smaller = _smaller_notches(found, least)
            findings.append(problem.finding(place, repair=smaller, radius=found.form.notch, wood=left, least=least))
        if found.apart < least:
            fewer = range(found.form.notches - 1, -1, -1)
            repair = _setting(
                tr("Use {tray_notches} finger notches"), "tray_notches", fewer,
                lambda count: Tray(found.board, replace(found.form, notches=count)).apart >= least,
            )  # fmt: skip
            findings.append(check_problems.NOTCHES_MEET.finding(place, repair=repair, count=found.form.notches))
    return (*findings, *map(check_problems.HOLE_OPEN.finding, found.lost_holes))


def _on_board(found: Tray, place: Sequence[float] | Floats) -> Floats:
    """Place on the board nearest to a place on its tray."""
    bounds = found.board.bounds
    return np.clip(np.asarray(place, np.float64), bounds[:2], bounds[2:])


def _sturdier(found: Tray, least: float) -> Repair | None:
    """Repair that reduces the outer radius, or widens the rim, until enough wood is left around the opening."""

    def is_sturdy(form: TrayForm) -> bool:
        return Tray(found.board, form).bare_wood >= least

    smaller = [half / 2 for half in range(math.ceil(2 * found.form.corner) - 1, -1, -1)]
    most = declaration(JigsawParameters, "tray_rim").limits[1]
    wider = [half / 2 for half in range(math.floor(2 * found.form.rim) + 1, int(2 * most) + 1)]
    rounder = _setting(
        tr("Set outer radius to {tray_corner:g} mm"), "tray_corner", smaller,
        lambda corner: is_sturdy(replace(found.form, corner=corner)),
    )  # fmt: skip
    return rounder or _setting(
        tr("Set rim width to {tray_rim:g} mm"), "tray_rim", wider,
        lambda rim: is_sturdy(replace(found.form, rim=rim)),
    )  # fmt: skip


def _smaller_notches(found: Tray, least: float) -> Repair:
    """Repair that sets the largest notches with enough wood behind them, or removes them."""
    most = math.floor(2 * (found.room_behind - least)) / 2
    if most >= declaration(JigsawParameters, "tray_notch").limits[0]:
        return Repair.setting(tr("Set notch radius to {tray_notch:g} mm"), tray_notch=most)
    return Repair.setting(tr("Remove the finger notches"), tray_notches=0)


def _setting(title: str, name: str, values: Sequence[float], is_good: Callable[[Any], bool]) -> Repair | None:
    """Repair that sets a parameter to the first good value, by bisection; None if no value is good."""
    at = bisect_left(values, True, key=is_good)
    return None if at == len(values) else Repair.setting(title, **{name: values[at]})
