"""Tongues of figures: their values, editable as of any tongue, and the outlines around them.

A figure's tongue has the frame of its foot, clockwise along the outline, and belongs to the cut that it is on.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import numpy as np

from studio.base.chance import symmetric, uniform
from studio.geometry.board.figure_knobs import Knob, parts_between
from studio.geometry.board.tiling import Tiling
from studio.geometry.curves.strokes import Curves, Floats, Ints
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.tongues.styles import STYLE_NUMBERS, Style
from studio.puzzles.jigsaw.tongues.tongues import (
    COLUMNS,
    FULLNESS,
    HEAD,
    NECK,
    NUMBERS,
    PLAIN,
    SHOULDER,
    SIDE,
    SIZE,
    STYLE,
    framed,
)

USUAL_STYLE = "ribbon"
"""Style of figures' tongues, independent of the board's style."""
USUAL_SHOULDER = 0.4, 0.0
"""Depth of the dips beside their necks, as a multiple of the profile's, by version of the layout: without dips the
figure's outline is smooth on both sides."""
CATCH = 0.4
"""Distance from its line within which a tongue is caught, in its usual heights."""
AROUND = 3.0
"""Greatest reach of a tongue from the middle of its usual head, in its usual heights."""
ON_OUTLINE = 0.1
"""Tolerance in mm between the ends of a foot and the knots of its outline."""


def numbers(design: JigsawDesign, tiling: Tiling) -> Floats:
    """Values of figures' tongues: the figure's own, then randomised, then edited. Shape (k, 17)."""
    table = np.zeros((len(tiling.figure_tongues), NUMBERS))
    table[:, [NECK, HEAD, FULLNESS]] = 1.0
    table[:, SHOULDER] = USUAL_SHOULDER[design.parameters.layout_version > 1]
    table[:, STYLE] = STYLE_NUMBERS[USUAL_STYLE]
    first = len(tiling.edge_keys)
    for at, (_figure, knob) in enumerate(tiling.figure_tongues):
        row, name = table[at], tiling.tongue_name(first + at)
        row[SIZE] = knob.height / float(np.hypot(*(knob.foot[1] - knob.foot[0])))
        row[SIDE] = -1.0 if knob.points_out else 1.0
        edit = design.tongue(name)
        if edit.rolls:
            seed = design.parameters.seed if edit.locked_seed is None else edit.locked_seed
            _roll(design, row, seed, f"{name} {edit.rolls}")
        for field, column in {"side": SIDE, "plain": PLAIN, **COLUMNS}.items():
            value = getattr(edit, field)
            if value is not None:
                row[column] = value
        if edit.style is not None:
            row[STYLE] = STYLE_NUMBERS[edit.style]
        if edit.ruled:
            row[PLAIN] = 1.0
    return table


def _roll(design: JigsawDesign, row: Floats, seed: int, name: str) -> None:
    """Randomise the values of a tongue, with the variation of the board's tongues."""
    p, key = design.parameters, np.array([crc32(name.encode())], np.int64)
    seeds = np.array([seed], np.int64)
    row[SIDE] = -1.0 if float(uniform(seeds, key, "side")[0]) < 0.5 else 1.0
    for name, vary in (("size", p.vary_size), ("neck", p.vary_neck)):
        row[COLUMNS[name]] *= 1 + vary * float(symmetric(seeds, key, name)[0])
    for name, vary in (("place", p.vary_place), ("slant", p.vary_slant)):
        row[COLUMNS[name]] = vary * float(symmetric(seeds, key, name)[0])


def feet(tiling: Tiling) -> Floats:
    """Ends of the feet of all figures' tongues, shape (k, 2, 2)."""
    return np.array([knob.foot for _figure, knob in tiling.figure_tongues]).reshape(-1, 2, 2)


def cuts_of(tiling: Tiling, figures: Sequence[str]) -> Ints:
    """Edges along the outlines of figures."""
    rings = [one.codes >> 1 for one in tiling.fillings if one.name in figures]
    return np.unique(np.concatenate(rings)) if rings else np.empty(0, np.int64)


def knobbed(stroke: Floats, tiling: Tiling, figure: str, table: Floats, styles: Sequence[Style]) -> Floats:
    """Add tongues to a stroke of a figure's outline, shape (3k + 1, 2); `table` holds their values, shape (k, 17)."""
    known = zip(tiling.figure_tongues, table, strict=True)
    own = {knob.number: (knob, row) for (owner, knob), row in known if owner == figure}
    parts, found = parts_between(stroke, [knob for knob, _row in own.values()])
    if not found:
        return stroke
    for at, knob in enumerate(found):
        as_made, row = own[knob.number]
        if row[PLAIN] < 0.5:
            is_along = bool((knob.foot == as_made.foot).all())
            before, after = parts[2 * at], parts[2 * at + 2]
            if is_along:
                parts[2 * at + 1] = _drawn(row, knob, before, after, styles)
            else:
                parts[2 * at + 1] = _drawn(row, knob, after[::-1], before[::-1], styles)[::-1]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def _drawn(row: Floats, knob: Knob, before: Floats, after: Floats, styles: Sequence[Style]) -> Floats:
    """Control points of a tongue between two parts of an outline, smooth with both, shape (3n + 1, 2)."""
    ends = np.array([[before[-1], after[0]]])
    frames = framed(ends, row[None], np.hypot(*(knob.foot[1] - knob.foot[0]))[None], 1.0)
    leaving, reaching = before[-1] - before[-2], after[1] - after[0]
    directions = (each[None] / max(float(np.hypot(*each)), 1e-9) for each in (leaving, reaching))
    return np.asarray(styles[int(row[STYLE])].curve(frames, *directions)[0])


def found_on(tiling: Tiling, drawing: Drawing, tongue: int) -> tuple[int, Floats] | None:
    """Cut that a figure's tongue is on, and the tongue's control points from the beginning of its foot, shape
    (3n + 1, 2); None if a corner was dragged onto the tongue, which omits it."""
    figure, knob = tiling.figure_tongues[tongue - len(tiling.edge_keys)]
    for cut in cuts_of(tiling, [figure]).tolist():
        points = drawing.strokes[cut]
        gaps = np.hypot(*np.moveaxis(points[::3, None] - knob.foot, 2, 0))
        begin, end = gaps.argmin(axis=0).tolist()
        if gaps[begin, 0] < ON_OUTLINE and gaps[end, 1] < ON_OUTLINE and begin != end:
            return cut, points[3 * begin : 3 * end + 1] if begin < end else points[3 * end : 3 * begin + 1][::-1]
    return None


def on_cuts(tiling: Tiling, drawing: Drawing, cuts: Ints) -> list[tuple[int, int, Floats]]:
    """Figures' tongues on some cuts: number, cut and control points of each."""
    figures = {tiling.figure_of[cut] for cut in cuts.tolist() if cut in tiling.figure_of}
    wanted = set(cuts.tolist())
    result = []
    for at, (figure, _knob) in enumerate(tiling.figure_tongues):
        tongue = len(tiling.edge_keys) + at
        found = found_on(tiling, drawing, tongue) if figure in figures else None
        if found is not None and found[0] in wanted:
            result.append((tongue, *found))
    return result


def nearest(tiling: Tiling, drawing: Drawing, figure: str, place: Sequence[float]) -> int | None:
    """Tongue of a figure nearest to a place; None if its distance exceeds its height."""
    gaps = []
    for at, (owner, knob) in enumerate(tiling.figure_tongues):
        tongue = len(tiling.edge_keys) + at
        found = found_on(tiling, drawing, tongue) if owner == figure else None
        if found is not None:
            line = Curves.from_strokes([found[1]]).flattened(ON_OUTLINE)[0]
            gaps.append((float(np.hypot(*(line - np.asarray(place)).T).min()) / knob.height, tongue))
    gap, tongue = min(gaps, default=(np.inf, 0))
    return tongue if gap <= 1.0 else None


def tongue_at(tiling: Tiling, drawing: Drawing, x: float, y: float, reach: float) -> int | None:
    """Figure's tongue nearest to a place, within `reach` mm and CATCH of its height; None if too far."""
    best: tuple[float, int] | None = None
    for at, (_figure, knob) in enumerate(tiling.figure_tongues):
        near = min(reach, CATCH * knob.height)
        if np.hypot(*(knob.middle - (x, y))) > AROUND * knob.height + near:
            continue
        tongue = len(tiling.edge_keys) + at
        found = found_on(tiling, drawing, tongue)
        if found is not None:
            line = Curves.from_strokes([found[1]]).flattened(knob.height / 20)[0]
            ways, offs = np.diff(line, axis=0), (x, y) - line[:-1]
            shares = np.clip((ways * offs).sum(axis=1) / np.maximum((ways**2).sum(axis=1), 1e-18), 0.0, 1.0)
            gap = float(np.hypot(*(offs - shares[:, None] * ways).T).min())
            if gap <= near and (best is None or gap < best[0]):
                best = gap, tongue
    return None if best is None else best[1]


def beside(tiling: Tiling, drawing: Drawing, tongue: int, side: float) -> str:
    """Name of the figure's piece at one of its tongues, or with side -1 of the other piece; "" if it is omitted."""
    found = found_on(tiling, drawing, tongue)
    if found is None:
        return figure_of(tiling, tongue) if side > 0 else ""
    beyond = 1 if tiling.graph.sides[found[0], 0] < 0 else 0
    return tiling.piece_at(2 * found[0] + (1 - beyond if side > 0 else beyond))


def figure_of(tiling: Tiling, tongue: int) -> str:
    """Name of the figure that a tongue belongs to."""
    return tiling.figure_tongues[tongue - len(tiling.edge_keys)][0]


def knob_of(tiling: Tiling, tongue: int) -> Knob:
    """Place of a figure's tongue."""
    return tiling.figure_tongues[tongue - len(tiling.edge_keys)][1]
