"""Writes a drawing as machine code that controllers run as it stands: G-code for GRBL, and HPGL.

The origin is the lower left corner of the sheet and y points up. Cuts come in the order of the drawing. Registration
marks are left out, since neither format has a layer that never runs.

G-code, as GRBL 1.1 reads it (https://github.com/gnea/grbl/wiki):

* `M4` scales the power with the speed of the head, `S` is the power, and `$30` its value at full power. In laser mode,
  `$32=1`, the beam is off during `G0`; each `G0` has `S0` all the same, for controllers in another mode.
* `G2` turns clockwise, `G3` the other way, about a centre that lies `I J` from the start of the arc.
* `?`, `!`, `~` and bytes above 126 are obeyed at once, even in a comment, so comments have none.

HPGL: 40 units are 1 mm, `PU` moves with the pen up, `PD` down, `SP` chooses the pen of an operation, and `IP` states
the corners of the sheet. HPGL/2 has decimals, comments (`CO`), and arcs: `AA` turns the pen about a centre by degrees.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise

import numpy as np

from studio import PROGRAM
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.exporting.colour_profiles import profile
from studio.exporting.options import GcodeOptions, HpglOptions, LaserOptions
from studio.exporting.writers.path_segments import DECIMALS, number, polylines, ready, rounded
from studio.geometry.curves.biarcs import biarcs
from studio.geometry.curves.strokes import Floats, offsets
from studio.geometry.planar.drawing import Drawing, Operation

TOLERANCE = 0.01
"""Largest deviation in mm of arcs and lines from the curves."""
_SPARED = 0.001
"""Share of it, in mm, for rounded numbers and for arcs that become lines."""
_FLAT = 0.0005
"""Rise in mm below which an arc is written as a line: controllers reckon poorly about far centres."""
_OFF_PAGE = 0.001
"""Excess in mm over the edge of a sheet that comes of rounding."""
UNITS = 40
"""HPGL units to a mm."""
_FINE = 0.001
"""Steps in mm of the ends of lines in HPGL/2."""
_KEPT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:()/%+-_$=")


def gcode(drawing: Drawing, options: GcodeOptions) -> bytes:
    """Write the drawing as G-code; raises StudioError if it has nothing to cut or the bed is too small."""
    if options.are_filled:
        raise StudioError(tr("Squares are filled with lines in LightBurn projects alone. Choose another work."))
    sheet = _runnable(drawing)
    height = round(sheet.height, DECIMALS)
    points, bulges = _arcs(sheet, height, 10.0**-DECIMALS)
    _refuse_beyond(sheet, points, options)
    known, run, travel = profile(options.profile), options.run, 0.0
    body: list[str] = []
    lengths = dict.fromkeys(Operation, 0.0)
    last = points[0][0]
    seconds = 0.0
    chains = zip(sheet.chains, points, bulges, options.worked(sheet.chains), strict=True)
    for (operation, worked), group in groupby(chains, key=lambda each: (each[0].operation, each[3])):
        speed, power, passes = worked
        told = f"{speed:g} mm/s, S{power}{'' if passes == 1 else f', {passes} passes'}"
        body.append(f"; layer {known.layer(operation).name}: {told}")
        for _, corners, bends, _ in group:
            moves, length = _moves(corners, bends)
            for _again in range(passes):
                travel += math.dist(last, corners[0])
                last = corners[-1]
                body.append(f"G0 {_place(corners[0])} S0")
                body += [f"{moves[0]} F{number(60 * speed)} S{power}", *moves[1:]]
            lengths[operation] += passes * length
            seconds += passes * length / speed
    seconds += travel / run.rapid_speed
    marks = len(drawing.chains) - len(sheet.chains)
    head = [
        PROGRAM,
        f"sheet: {number(sheet.width)} x {number(height)} mm, zero at its lower left corner",
        f"machine: {_plain(run.machine) or 'not chosen'}, laser mode ($32=1), $30={options.max_power}",
        f"material: {_plain(run.material) or 'not chosen'}",
        *map(_plain, options.remarks.values()),
        f"time: {seconds:.1f} s at these speeds, cuts {sum(lengths.values()):.1f} mm, travel {travel:.1f} mm",
        *([f"registration marks left out, as they are never run: {marks}"] if marks else []),
    ]
    begin = ["G21", "G90", "G17", "G94", "M4 S0", *(["M8"] if options.has_air else [])]
    end = ["M5", *(["M9"] if options.has_air else []), "M2\n"]
    return "\n".join([*(f"; {line}" for line in head), *begin, *body, *end]).encode("ascii")


def hpgl(drawing: Drawing, options: HpglOptions) -> bytes:
    """Write the drawing as HPGL; raises StudioError if it has nothing to cut or the bed is too small."""
    sheet = _runnable(drawing)
    is_whole = options.hpgl == "whole"
    # Rounded up, so that nothing is below zero.
    width, height = (math.ceil(round(side * UNITS, 6)) for side in (sheet.width, sheet.height))
    step = 1 / UNITS if is_whole else _FINE
    if options.hpgl == "arcs":
        points, bulges = _arcs(sheet, height / UNITS, step)
    else:
        points, bulges = _lines(sheet, height / UNITS, step)
    _refuse_beyond(sheet, points, options)
    pens = {layer.operation: pen for pen, layer in enumerate(profile(options.profile).layers, 1)}
    marks = len(drawing.chains) - len(sheet.chains)
    lines = ["IN;", f"IP0,0,{width},{height};"]
    if not is_whole:
        lines += [f'CO"{_plain(remark)}";' for remark in options.remarks.values()]
        lines.append(f'CO"{PROGRAM}. Registration marks left out, as they are never run: {marks}";')
    chains = zip(sheet.chains, points, bulges, strict=True)
    for operation, group in groupby(chains, key=lambda each: each[0].operation):
        lines += ["PU;", f"SP{pens[operation]};"]
        for _, corners, bends in group:
            lines.append(f"PU{_units(corners[:1])};")
            lines += _strokes(corners, bends)
    return "\n".join([*lines, "PU;", "SP0;\n"]).encode("ascii")


def _runnable(drawing: Drawing) -> Drawing:
    """Return the drawing ready to be written, without marks; raises StudioError if nothing is left."""
    return ready(replace(drawing, chains=tuple(one for one in drawing.chains if one.operation is not Operation.MARK)))


def _arcs(sheet: Drawing, height: float, step: float) -> tuple[list[Floats], list[Floats]]:
    """Return the corners of each chain in mm, on a grid of `step` mm and y upwards, and the bulges between them."""
    starts = offsets(np.array([len(chain.strokes) for chain in sheet.chains], np.int64))
    codes = np.concatenate([chain.strokes for chain in sheet.chains])
    closed = np.array([chain.closed for chain in sheet.chains])
    found = biarcs(sheet.strokes, codes, starts, closed, TOLERANCE - _SPARED)
    return _turned(found.vertices.points, -found.bulges, found.vertices.starts.tolist(), height, step)


def _lines(sheet: Drawing, height: float, step: float) -> tuple[list[Floats], list[Floats]]:
    """Return chains as `_arcs` does, of lines alone."""
    starts = offsets(np.array([len(chain.strokes) for chain in sheet.chains], np.int64))
    codes = np.concatenate([chain.strokes for chain in sheet.chains])
    used, numbers = np.unique(codes >> 1, return_inverse=True)
    flat = polylines(sheet.strokes.chosen(used), TOLERANCE - _SPARED)
    runs = flat.joined(2 * numbers + (codes & 1), starts)
    return _turned(runs.points, np.zeros(len(runs.points)), runs.starts.tolist(), height, step)


def _turned(
    points: Floats, bulges: Floats, starts: list[int], height: float, step: float
) -> tuple[list[Floats], list[Floats]]:
    points = points * (1, -1) + (0, height)
    points[(points < 0) & (points > -_OFF_PAGE)] = 0
    points = rounded(np.rint(points / step) * step, 9)
    corners, bends = [], []
    for begin, end in pairwise(starts):
        own = points[begin:end]
        moving = np.append((np.diff(own, axis=0) != 0).any(axis=1), True)
        corners.append(own[moving])
        bends.append(bulges[begin:end][moving][:-1])
    if any(len(own) < 2 for own in corners):
        raise StudioError(tr("A line is too short for this format."))
    return corners, bends


def _refuse_beyond(sheet: Drawing, points: Sequence[Floats], options: LaserOptions) -> None:
    """Raise StudioError if the cuts reach beyond the machine's bed."""
    bed = options.run.bed
    if bed is None or (np.max([own.max(axis=0) for own in points], axis=0) <= np.add(bed, TOLERANCE)).all():
        return
    raise StudioError(
        tr(
            "The sheet of {width:g} × {height:g} mm is larger than the bed of {machine} ({bed_width:g} × "
            "{bed_height:g} mm). Choose the machine bed as the sheet, or another machine.",
            width=round(sheet.width, 1),
            height=round(sheet.height, 1),
            machine=options.run.machine,
            bed_width=bed[0],
            bed_height=bed[1],
        )
    )


def _moves(corners: Floats, bulges: Floats) -> tuple[list[str], float]:
    """Return a line of G-code for each step along a chain, and the length of the chain in mm."""
    way = np.diff(corners, axis=0) @ np.array([1, 1j])
    chord = np.abs(way)
    bent = np.where(np.abs(bulges) * chord / 2 < _FLAT, 0.0, bulges)
    centres = rounded((way * _centre(bent)).view(np.float64).reshape(-1, 2), DECIMALS)
    moves = [
        f"G1 {_place(end)}" if bend == 0 else f"G{2 if bend < 0 else 3} {_place(end)} I{number(i)} J{number(j)}"
        for end, bend, (i, j) in zip(corners[1:], bent.tolist(), centres.tolist(), strict=True)
    ]
    half = 2 * np.arctan(bent)
    return moves, float((chord / np.sinc(half / np.pi)).sum())


def _centre(bulges: Floats) -> Floats:
    """Return the centres of arcs by their bulges, from 0 to 1; nonsense for lines."""
    bend = np.where(bulges == 0, 1.0, bulges)
    return np.asarray(0.5 + 0.25j * (1 - bend**2) / bend)


def _place(point: Floats) -> str:
    return f"X{number(float(point[0]))} Y{number(float(point[1]))}"


def _plain(title: str) -> str:
    """Return a title in letters that controllers take for a comment."""
    known = unicodedata.normalize("NFKD", title.replace("×", "x").replace("–", "-"))
    return "".join(letter if letter in _KEPT else "" if unicodedata.combining(letter) else "_" for letter in known)


def _strokes(corners: Floats, bulges: Floats) -> list[str]:
    """Return the commands along a chain, the pen being above its start."""
    if not bulges.any():
        return [f"PD{_units(corners[1:])};"]
    lines, at = ["PD;"], complex(*corners[0])
    for end, bulge in zip((corners[1:] @ np.array([1, 1j])).tolist(), bulges.tolist(), strict=True):
        if abs(bulge) * abs(end - at) / 2 < _FLAT:
            lines.append(f"PA{_units(np.array([[end.real, end.imag]]))};")
            at = end
            continue
        # From where the last arc really ends, so that rounding does not add up.
        centre = UNITS * (at + (end - at) * complex(_centre(np.array([bulge]))[0]))
        centre = complex(round(centre.real, 3), round(centre.imag, 3))
        from_centre, to_end = UNITS * at - centre, UNITS * end - centre
        turn = math.degrees(np.angle(to_end * from_centre.conjugate())) % 360
        turn = round(turn if bulge > 0 else turn - 360, 6)
        lines.append(f"AA{centre.real:.10g},{centre.imag:.10g},{turn:.10g};")
        at = (centre + from_centre * complex(np.exp(1j * math.radians(turn)))) / UNITS
    return lines


def _units(points: Floats) -> str:
    return ",".join(f"{value:.10g}" for value in rounded(points * UNITS, 3).ravel().tolist())
