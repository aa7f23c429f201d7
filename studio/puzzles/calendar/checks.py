"""Checks a calendar puzzle: labels, pieces, areas, and dates without a solution."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from operator import getitem
from typing import Any

import numpy as np
import shapely

from studio.base.amounts import abridged, at_least, many, thousands
from studio.base.errors import StudioError
from studio.base.parameters import declaration
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.base.units import rounded_down
from studio.checks.finding import Checked, Finding, Repair
from studio.geometry.art.lettering import width_of
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.polyomino import outline
from studio.geometry.planar.trays import LEAST_WOOD, wood
from studio.puzzles.calendar import check_problems, edits
from studio.puzzles.calendar.edits import spoken, texts
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import (
    DAY,
    MONTH,
    PLURALS,
    WEEKDAY,
    Board,
    CalendarDesign,
    CalendarParameters,
    Date,
    Label,
    Mask,
    Piece,
    noun_of,
    orientations,
    placements,
    said,
)
from studio.puzzles.calendar.questions import year_of
from studio.puzzles.calendar.tray import TrayPart, largest_chamfer, largest_radius, text_of, tray
from studio.puzzles.calendar.year import NO_DATE, Year, chart, easiest_of, used
from studio.solving.cover import TooManyStates

# Checks of a tray before it is cut or printed.


LEAST_TEXT = 2.0
"""Smaller capitals, in mm, are hard to read, engraved or printed."""
LOOSE = 0.1
"""Clearance, as a share of a cell, above which pieces shift and cover labels."""
USUAL_PLAY = 0.2
"""The clearance in mm that joins the openings of two cells that touch at a corner."""


def findings(design: CalendarDesign, shapes: CalendarShapes) -> Iterator[Finding]:
    """The problems of the tray; letters that the font lacks are left to `check`."""
    p, text = design.parameters, text_of(design)
    words = {label.name: label.text for label in design.layout.labels}
    first = len(shapes.tray.parts) - len(shapes.tray.pieces) if shapes.tray.pieces else 0
    base, frame, piece = (shapes.middle_of(part) for part in (0, 1, first))
    if text.strokes and text.height < LEAST_TEXT:
        longest = max(text.strokes, key=lambda name: float(np.ptp(text.strokes[name].points[:, 0])))
        problem = check_problems.LONG if text.height >= text.fitting else check_problems.HARD_TO_READ
        place = shapes.place_of(longest)
        repair = _readable(p, text.fitting)
        yield problem.finding(
            place, repair=repair, height=text.height, text=words[longest], cell=longest, least=LEAST_TEXT
        )
    elif p.text > text.fitting:
        repair = Repair.setting(tr("Fit labels to cells"), text=0.0)
        yield check_problems.SHORTER.finding(base, repair=repair, height=text.height, asked=p.text)
    if p.radius > largest_radius(p):
        most = rounded_down(largest_radius(p), 1)
        repair = Repair.setting(tr("Set corner radius to {radius:.1f} mm"), radius=most)
        yield check_problems.RADIUS.finding(piece, repair=repair, radius=p.radius, most=most)
    if p.play > LOOSE * p.cell:
        repair = _clearance(LOOSE * p.cell)
        yield check_problems.PLAY.finding(piece, repair=repair, play=p.play)
    if p.chamfer > largest_chamfer(p):
        most = rounded_down(largest_chamfer(p), 1)
        repair = Repair.setting(tr("Set chamfer to {chamfer:.1f} mm"), chamfer=most)
        yield check_problems.CHAMFER.finding(piece, repair=repair, chamfer=p.chamfer, most=most)
    outside, between = _least_wood(shapes.tray.frame)
    if outside <= 0:
        yield check_problems.FRAME_OPEN.finding(frame, repair=_sturdier(design))
    elif between <= 0:
        yield check_problems.FRAME_APART.finding(frame, repair=_clearance(USUAL_PLAY))
    elif outside < LEAST_WOOD:
        yield check_problems.FRAME_THIN.finding(frame, repair=_sturdier(design), wood=outside)
    elif between < LEAST_WOOD:
        # The wood between two openings is a place without a cell, less the clearance on both its sides.
        repair = _clearance(p.play - (LEAST_WOOD - between) / 2)
        yield check_problems.FRAME_THIN.finding(frame, repair=repair, wood=between)


def _readable(p: CalendarParameters, fitting: float) -> Repair | None:
    """Fits labels to their cells, enlarged if needed; None if even the largest cell is too small."""
    if fitting >= LEAST_TEXT:
        return Repair.setting(tr("Fit labels to cells"), text=0.0)
    # The text that fits a cell grows with the cell.
    cell = float(math.ceil(p.cell * LEAST_TEXT / fitting))
    most = declaration(CalendarParameters, "cell").limits[1]
    return Repair.setting(tr("Set cell size to {cell:g} mm"), cell=cell, text=0.0) if cell <= most else None


def _clearance(most: float) -> Repair | None:
    """Sets the largest clearance up to `most`, in steps of 0.05 mm; None if `most` is negative."""
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
    """Least width of the frame in mm, to its outside and between two openings; 0 if they meet."""
    lines = Curves.from_strokes([ring.stroke for ring in frame.rings]).flattened(0.05)
    outline = shapely.Polygon(lines[0])
    rims = [shapely.LinearRing(lines[ring]) for ring in range(1, len(lines))]
    gaps = [one.distance(other) for number, one in enumerate(rims) for other in rims[:number]]
    return wood(outline, rims), min(gaps, default=np.inf)


SHOWN = 8
"""Most dates or other items that a sentence lists."""
MOST_STATES = 60_000_000
"""Most steps for counting the year in a check, about half a minute; a board that needs more is too large."""


@dataclass(frozen=True, eq=False, kw_only=True)
class CalendarChecked(Checked):
    """The findings and the year; no year if the pieces cannot fill the board or counting takes too many steps."""

    year: Year | None = None


def check(
    design: CalendarDesign, shapes: CalendarShapes, before: Checked | None, progress: Progress
) -> CalendarChecked:
    """All findings of a design; the year of a board and pieces that were checked before is known."""
    progress.step(0.0, tr("Checking the pieces"))
    board, middle = design.layout, shapes.drawing.middle
    found = list(_of_labels(board, middle))
    if design.area != board.covered:
        cells, groups = len(board.names), len(board.groups)
        found.append(
            check_problems.AREA.finding(middle, area=design.area, covered=board.covered, places=cells, groups=groups)
        )
    found += _of_pieces(design, shapes, middle)
    counts = None
    if board.groups and design.area == board.covered:
        try:
            last = before.year if isinstance(before, CalendarChecked) else None
            counts = year_of(design, progress.part(0.05, 1.0), last, most_states=MOST_STATES)
            found += _of_year(board, counts, middle)
        except TooManyStates:
            found.append(check_problems.TOO_LARGE.finding(middle, steps=thousands(MOST_STATES)))
        except StudioError as problem:
            found.append(check_problems.CROWD.finding(middle, reason=problem))
    found += findings(design, shapes)
    progress.step(1.0)
    verdict = tr("No problems found. {summary}", summary=summary(board, counts) if counts is not None else "")
    return CalendarChecked(tuple(sorted(found, key=lambda one: one.severity)), verdict, year=counts)


# Status an editor shows at once, without the year


def balance(design: CalendarDesign) -> str:
    """Compare the areas in a sentence: `41 squares in 8 pieces; 41 needed (43 cells minus one month …`."""
    board, lacking = design.layout, design.layout.covered - design.area
    cells = many(len(board.names), "cell")
    if board.groups:
        cells = tr(
            "{cells} minus {labels}",
            cells=cells,
            labels=_listed([tr("one {group}", group=group) for group in board.groups]),
        )
    values = {
        "squares": many(design.area, "square"),
        "pieces": many(len(design.set), "piece"),
        "needed": thousands(board.covered),
        "cells": cells,
        "count": thousands(abs(lacking)),
    }
    if lacking > 0:
        return tr("{squares} in {pieces}; {needed} needed ({cells}): {count} short.", **values)
    if lacking < 0:
        return tr("{squares} in {pieces}; {needed} needed ({cells}): {count} over.", **values)
    return tr("{squares} in {pieces}; {needed} needed ({cells}).", **values)


def label_troubles(board: Board) -> tuple[str, ...]:
    """The problems of the labels, a sentence each; empty without problems."""
    return tuple(found.message for found in _of_labels(board))


def troubled_cells(board: Board) -> frozenset[str]:
    """The cells whose labels are duplicates, share a text, or cannot be engraved."""
    return frozenset(name for found in _of_labels(board) if found.problem != check_problems.GAP for name in found.cells)


def piece_trouble(piece: Piece) -> str:
    """The reason why a piece cannot be cut as one outline, in a sentence; empty if it can."""
    trouble = _trouble(piece)
    return trouble.message if trouble is not None else ""


# Labels


def _of_labels(board: Board, place: tuple[float, float] = (0.0, 0.0)) -> Iterator[Finding]:
    if not board.groups:
        fill = _filling(tr("Fill in months and days"), MONTH, DAY) if len(board.names) >= 43 else None
        yield check_problems.NO_LABELS.finding(place, repair=fill)
    for group, labels in board.groups.items():
        yield from _of_gaps(board, group, labels, place)
        yield from _of_doubles(group, labels, place)
    for label in board.labels:
        try:
            width_of(label.text, 1.0)
        except StudioError as problem:
            yield check_problems.LETTER.finding(
                place, cells=[label.name], text=label.text, cell=label.name, reason=problem
            )


def _of_gaps(board: Board, group: str, labels: Sequence[Label], place: tuple[float, float]) -> Iterator[Finding]:
    """Find missing values: all months, weekdays, and days (31 if there are months) belong; no number is skipped."""
    values = {label.value for label in labels}
    whole = {MONTH: 12, WEEKDAY: 7, DAY: 31 if MONTH in board.groups else 0}.get(group, 0)
    lacking = [value for value in range(1, max(whole, *values) + 1) if value not in values]
    if not lacking:
        return
    known = texts(group, spoken(board)) if group in PLURALS else ()
    names = [known[value - 1] if group in (MONTH, WEEKDAY) else str(value) for value in lacking]
    free = len(board.names) - len(board.labels)
    yield check_problems.GAP.finding(
        place,
        cells=(label.name for label in labels),
        repair=_filling(tr("Fill in the {labels}", labels=plural(group)), group) if free >= len(lacking) else None,
        labels=plural(group),
        lacking=_listed(names),
    )


def _of_doubles(group: str, labels: Sequence[Label], place: tuple[float, float]) -> Iterator[Finding]:
    for value, same in _groups(labels, lambda label: label.value):
        cells = [label.name for label in same]
        yield check_problems.DOUBLE.finding(
            place,
            cells=cells,
            repair=Repair.at_once(
                tr("Keep the first label") if len(same) > 2 else tr("Remove the label on {cell}", cell=cells[1]),
                partial(edits.without_labels, names=cells[1:]),
            ),
            group=group,
            value=value,
            count=len(same),
            places=_listed(cells),
        )
    for text, same in _groups(labels, lambda label: label.text):
        cells = [label.name for label in same]
        if len({label.value for label in same}) > 1:
            yield check_problems.ALIKE.finding(
                place, cells=cells, count=len(same), labels=plural(group), text=text, places=_listed(cells)
            )


def plural(group: str) -> str:
    """The noun for the labels of a group."""
    known = {MONTH: tr("months"), DAY: tr("days"), WEEKDAY: tr("weekdays")}
    return known.get(group) or tr("labels of the group {group}", group=group)


def _groups(labels: Sequence[Label], key: Callable[[Label], object]) -> list[tuple[object, list[Label]]]:
    """Group the labels that share a key with another label."""
    counts = Counter(map(key, labels))
    return [(each, [label for label in labels if key(label) == each]) for each, count in counts.items() if count > 1]


def _filling(title: str, *groups: str) -> Repair:
    """Fills in all labels of some groups, in the language of the present labels."""

    def apply(design: CalendarDesign) -> CalendarDesign:
        for group in groups:
            design = edits.with_labels_filled(design, group, spoken(design.layout))
        return design

    return Repair.at_once(title, apply)


# Pieces


def _of_pieces(design: CalendarDesign, shapes: CalendarShapes, middle: tuple[float, float]) -> Iterator[Finding]:
    flipped = design.parameters.reflections
    kinds: dict[tuple[tuple[int, ...], bytes], list[Piece]] = {}
    drawn = shapes.drawing.pieces.names

    def about(piece: Piece) -> dict[str, Any]:
        """Return the place of a piece; the middle of the drawing if it is not drawn."""
        number = drawn.index(piece.name) if piece.name in drawn else None
        return {"place": middle} if number is None else {"place": shapes.middle_of(number), "pieces": (number,)}

    for piece, is_used in zip(design.set, used(design), strict=True):
        trouble = _trouble(piece)
        if trouble is not None:
            yield replace(trouble, **about(piece))
        elif not placements(design.layout, piece, flipped):
            yield check_problems.FITS_NOWHERE.finding(**about(piece), piece=piece.name)
        elif not is_used:
            yield check_problems.UNUSABLE.finding(**about(piece), piece=piece.name)
        first = min((way.shape, way.tobytes()) for way in orientations(piece.mask, reflections=flipped))
        kinds.setdefault(first, []).append(piece)
    for same in kinds.values():
        if len(same) > 1:
            names = [piece.name for piece in same]
            repair = Repair.at_once(tr("Remove {name}", name=names[-1]), partial(edits.without_piece, name=names[-1]))
            yield check_problems.TWINS.finding(**about(same[-1]), repair=repair, names=_listed(names))


@lru_cache(maxsize=256)
def _trouble(piece: Piece) -> Finding | None:
    """Why a piece cannot be cut as one outline; without a place."""
    count = _components(piece.mask, corners=False)
    if count > 1:
        problem = check_problems.CORNERS if _components(piece.mask, corners=True) == 1 else check_problems.PARTS
    elif _components(np.pad(~piece.mask, 1, constant_values=True), corners=True) > 1:
        problem = check_problems.HOLE
    else:
        try:
            outline(piece.mask)
        except StudioError:
            # Remaining case: two squares meet at a corner, and a hole behind it opens at that corner only.
            problem = check_problems.PINCHED
        else:
            return None
    return problem.finding((0.0, 0.0), piece=piece.name, count=count)


def _components(mask: Mask, *, corners: bool) -> int:
    """The number of connected components of some squares, which join at edges, or at corners too."""
    # All squares are the bits of one number, row after row; an empty column keeps the rows apart.
    height, width = mask.shape[0], mask.shape[1] + 1
    bits = np.zeros((height, width), bool)
    bits[:, :-1] = mask
    left = int.from_bytes(np.packbits(bits).tobytes(), "big")
    components = 0
    while left:
        components += 1
        reached, before = left & -left, 0
        while reached != before:
            before = reached
            row = reached | reached << 1 | reached >> 1
            around = row if corners else reached
            reached = (row | around << width | around >> width) & left
        left ^= reached
    return components


# The year


def _of_year(board: Board, known: Year, place: tuple[float, float]) -> Iterator[Finding]:
    every = _counts(board, known)
    noun = noun_of(board.groups)
    if not every:
        yield check_problems.NO_DATE.finding(place)
    elif not known.complete:
        some = sum(count != 0 for _, count in every)
        yield check_problems.UNPROVEN.finding(
            place,
            solutions=many(known.total, "solution"),
            counted=thousands(some),
            total=thousands(len(every)),
            dates=noun.several,
        )
    elif known.total == 0:
        problem = check_problems.NONE_SOLVED if len(every) > 1 else check_problems.ONE_UNSOLVED
        cells = [label.name for label in every[0][0]]
        yield problem.finding(place, cells=cells, dates=noun.many(len(every)), date=noun.one)
    else:
        for amount, problem in ((0, check_problems.UNSOLVED), (1, check_problems.SINGLE)):
            dates = [date for date, count in every if count == amount]
            if dates:
                yield problem.finding(
                    place,
                    cells=[label.name for label in dates[0]],
                    count=thousands(len(dates)),
                    all_dates=noun.many(len(every)),
                    dates=_listed([said(date) for date in dates]),
                )


def summary(board: Board, known: Year) -> str:
    """The year in a sentence: dates that can be solved, the total of solutions, the hardest and the easiest date."""
    every = _counts(board, known)
    if not every:
        return tr("The board has no labels, so there is nothing to solve.")
    solved = [one for one in every if one[1] > 0]
    values = {
        "dates": noun_of(board.groups).many(len(every)),
        "solutions": at_least(many(known.total, "solution"), exact=known.complete),
    }
    message = (
        tr("All {dates} can be solved, with {solutions} in total.", **values)
        if len(solved) == len(every)
        else tr("{count} of {dates} can be solved, with {solutions} in total.", count=thousands(len(solved)), **values)
    )
    if not solved or not known.complete:
        return message
    seen = chart(board, known.counts, {})
    hardest, easiest = min(solved, key=lambda one: one[1]), seen.cells[seen.dates[-1]]
    free = [label for label in easiest if label.group not in seen.whatever]
    return tr(
        "{summary} Hardest: {hardest} ({least}). {head}: {easiest} ({most}).",
        summary=message,
        hardest=said(hardest[0]),
        least=thousands(hardest[1]),
        head=easiest_of(seen.whatever),
        easiest=said(tuple(free)),
        most=thousands(seen.most),
    )


def _counts(board: Board, known: Year) -> list[tuple[Date, int]]:
    """Every date with the number of its solutions."""
    groups = tuple(board.groups.values())
    there = [tuple(place) for place in np.argwhere(known.counts != NO_DATE).tolist()] if groups else []
    return [(tuple(map(getitem, groups, place)), int(known.counts[place])) for place in there]


# Shared helpers


def _listed(words: Sequence[str]) -> str:
    """Words in a row: `A`, `A, B and C`; of many the first and a count of the rest; runs of numbers as `4 to 9`."""
    if not all(word.isdigit() for word in words):
        return abridged(words, SHOWN - 1)
    runs: list[list[str]] = []
    for word in words:
        if runs and int(word) == int(runs[-1][-1]) + 1:
            runs[-1].append(word)
        else:
            runs.append([word])
    shown = [run if len(run) < 3 else [tr("{first} to {last}", first=run[0], last=run[-1])] for run in runs]
    return abridged([part for run in shown for part in run], SHOWN - 1)
