"""Reads a DXF file back: R12 and R2000, with polylines, arcs in them, and splines in model space, y pointing up.

ezdxf would take longer to load a large file than all the rest of an export.
"""

from __future__ import annotations

import re

import numpy as np

from studio.base.texts import tr
from studio.exporting.options import DxfOptions, Unreadable
from studio.exporting.proof import SheetReport, prove
from studio.exporting.readers.found_lines import FoundLayer, FoundLine, Sheet
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing

_COMMON = {0, 5, 330, 100, 8}
_CODES = {
    "LWPOLYLINE": {*_COMMON, 90, 70, 10, 20, 42},
    "SPLINE": {*_COMMON, 210, 220, 230, 70, 71, 72, 73, 74, 40, 10, 20, 30},
    "POLYLINE": {0, 8, 66, 10, 20, 30, 70},
    "VERTEX": {0, 8, 10, 20, 30, 42},
    "SEQEND": {0, 8},
}
"""Group codes of each kind of line; others widen, hide, dash or colour it."""
_COUNTS = {"LWPOLYLINE": 90, "SPLINE": 73}
"""Group codes of the number of points."""
_FIXED = {30: 0.0, 66: 1.0, 71: 3.0, 210: 0.0, 220: 0.0, 230: 1.0}
"""Values by group code: height above the plane, degree, and the normal of the plane."""


def read_dxf(data: bytes, _options: DxfOptions) -> Sheet:
    """Read the sheet in an R12 or R2000 file, y turned downwards; raises Unreadable for a foreign file."""
    try:
        texts = data.decode("ascii").split("\n")
        values = texts[1::2]
        codes = np.array(list(map(int, texts[: 2 * len(values) : 2])))
        if values[-1:] != ["EOF"]:
            raise Unreadable(tr("it is truncated"))
        begin = values.index("ENTITIES")
        width, height = _page(values[:begin])
        end = begin + values[begin:].index("ENDSEC")
        layers = _layers(codes[:begin].tolist(), values[:begin])
        lines = _entities(codes[begin + 1 : end], values[begin + 1 : end], layers, height)
        notes = _notes(codes[:begin].tolist(), values[:begin])
    except (LookupError, ValueError) as problem:
        raise Unreadable(tr("it is not a DXF file")) from problem
    return Sheet(width, height, lines, notes=notes)


def _notes(codes: list[int], values: list[str]) -> dict[str, str]:
    """Return the comments before the first section, each about a layer; ezdxf's own comments come later."""
    found = {}
    for code, value in zip(codes, values, strict=True):
        if code != 999:
            break
        name, _, words = value.partition(": ")
        units = re.sub(r"\\U\+([0-9A-F]{4})", lambda match: chr(int(match[1], 16)), words)
        found[name] = units.encode("utf-16", "surrogatepass").decode("utf-16")
    return found


def _page(values: list[str]) -> tuple[float, float]:
    def variable(name: str, size: int) -> list[str]:
        at = values.index(name) + 1
        return values[at : at + size]

    # R12 cannot state it.
    if variable("$ACADVER", 1) != ["AC1009"] and (
        int(variable("$INSUNITS", 1)[0]) != 4 or int(variable("$MEASUREMENT", 1)[0]) != 1
    ):
        raise Unreadable(tr("its unit is not millimetres"))
    if [float(n) for n in variable("$EXTMIN", 2)] != [0, 0]:
        raise Unreadable(tr("its page does not start at zero"))
    width, height = map(float, variable("$EXTMAX", 2))
    return width, height


def _layers(codes: list[int], values: list[str]) -> dict[str, FoundLayer]:
    """Return the layers of a file that are cut as they are drawn, by name.

    A layer that is off has a negative colour, flag 1 freezes a layer, and code 290 keeps it from being plotted.
    """
    found: dict[str, FoundLayer] = {}
    begins = [at for at, (code, value) in enumerate(zip(codes, values, strict=True)) if (code, value) == (0, "LAYER")]
    for begin in begins:
        end = codes.index(0, begin + 1)
        known = dict(zip(codes[begin + 1 : end], values[begin + 1 : end], strict=True))
        name, colour = known[2], int(known[62])
        is_seen = colour > 0 and not int(known.get(70, "0")) & 1 and known.get(290, "1") != "0"
        if is_seen and known[6].upper() == "CONTINUOUS":
            found[name] = FoundLayer(name, aci=colour)
    return found


def _entities(codes: Ints, values: list[str], known: dict[str, FoundLayer], height: float) -> tuple[FoundLine, ...]:
    starts = np.flatnonzero(codes == 0)
    kinds = [values[start] for start in starts.tolist()]
    owners = np.cumsum(codes == 0) - 1
    _refuse_other_properties(codes, values, owners, kinds)
    across, up = np.flatnonzero(codes == 10), np.flatnonzero(codes == 20)
    if len(across) != len(up) or (across + 1 != up).any():
        raise Unreadable(tr("a point has only one coordinate"))
    points = np.array([list(map(float, map(values.__getitem__, at.tolist()))) for at in (across, up)]).T
    points[:, 1] = height - points[:, 1]
    # A bulge follows its point, and turns the other way when y does.
    at_bulges = np.flatnonzero(codes == 42)
    bent = np.searchsorted(across, at_bulges) - 1
    if len(bent) and (bent[0] < 0 or (owners[across[bent]] != owners[at_bulges]).any() or (np.diff(bent) == 0).any()):
        raise Unreadable(tr("a bulge belongs to no point"))
    bulges = np.zeros(len(points))
    bulges[bent] = [-float(values[at]) for at in at_bulges.tolist()]
    bounds = np.searchsorted(owners[across], np.arange(len(kinds) + 1))
    flags = [int(word or 0) for word in _words(codes, values, owners, 70, len(kinds))]
    layers = _words(codes, values, owners, 8, len(kinds))
    at_knots = np.flatnonzero(codes == 40)
    knots = np.array([float(values[at]) for at in at_knots.tolist()])
    knot_bounds = np.searchsorted(owners[at_knots], np.arange(len(kinds) + 1))
    counts = {code: _words(codes, values, owners, code, len(kinds)) for code in _COUNTS.values()}
    lines = []
    number = 0
    while number < len(kinds):
        kind, first = kinds[number], number
        begin, end = bounds[number], bounds[number + 1]
        number += 1
        if kind == "POLYLINE":
            number = kinds.index("SEQEND", number)
            if set(kinds[first + 1 : number]) != {"VERTEX"} or set(layers[first:number]) != {layers[first]}:
                raise Unreadable(tr("a polyline is truncated"))
            begin, end = bounds[first + 1], bounds[number]
            number += 1
        elif kind not in ("LWPOLYLINE", "SPLINE"):
            raise Unreadable(tr("it contains an unexpected {kind}", kind=kind))
        if layers[first] not in known:
            raise Unreadable(
                tr("it has content on layer {layer}, which is off, dashed or not declared", layer=layers[first])
            )
        lines.append(
            _line(known[layers[first]], points[begin:end], bulges[begin:end], kind == "SPLINE", flags[first] & 1 == 1)
        )
        if kind in _COUNTS and int(counts[_COUNTS[kind]][first]) != end - begin:
            raise Unreadable(tr("a line has another number of points than it states"))
        if kind == "SPLINE":
            _refuse_other_knots(knots[knot_bounds[first] : knot_bounds[first + 1]], end - begin)
    return tuple(lines)


def _refuse_other_properties(codes: Ints, values: list[str], owners: Ints, kinds: list[str]) -> None:
    """Raise Unreadable for a property that no line of ours has, such as a width."""
    numbers = {kind: number for number, kind in enumerate(set(kinds))}
    each = np.array([numbers[kind] for kind in kinds], dtype=np.int64)[owners]
    for kind, number in numbers.items():
        other = set(np.unique(codes[each == number]).tolist()) - _CODES.get(kind, set())
        if other and kind in _CODES:
            raise Unreadable(tr("a {kind} has an unexpected property (code {code})", kind=kind, code=min(other)))
    for code, wanted in _FIXED.items():
        found = set(map(values.__getitem__, np.flatnonzero(codes == code).tolist()))
        if {float(value) for value in found} - {wanted}:
            raise Unreadable(tr("a line has an unexpected value (code {code})", code=code))


def _refuse_other_knots(knots: Floats, count: int) -> None:
    """Raise Unreadable for a spline whose knots are not those of cubics joined end to end."""
    cubics = (count - 1) // 3
    wanted = [0, *np.repeat(np.arange(cubics + 1), 3).tolist(), cubics]
    if not np.array_equal(knots, wanted):
        raise Unreadable(tr("a spline has other knots than its curves"))


def _line(layer: FoundLayer, points: Floats, bulges: Floats, curved: bool, closed: bool) -> FoundLine:
    if len(points) < 2 or (curved and len(points) % 3 != 1):
        raise Unreadable(tr("a line has too few points"))
    if closed and (points[0] != points[-1]).any():
        points, bulges = np.concatenate([points, points[:1]]), np.append(bulges, 0.0)
    if bulges[-1] != 0 or not np.isfinite(bulges).all():
        raise Unreadable(tr("a line has a bulge behind its end"))
    is_closed = closed or bool((points[0] == points[-1]).all())
    return FoundLine(layer, points, is_closed, curved, bulges[:-1] if bulges.any() else None)


def _words(codes: Ints, values: list[str], owners: Ints, code: int, count: int) -> list[str]:
    words = [""] * count
    for at in np.flatnonzero(codes == code).tolist():
        words[owners[at]] = values[at]
    return words


def prove_dxf(sheet: Sheet, drawing: Drawing, options: DxfOptions, rounding: float) -> SheetReport:
    """Report on a sheet; raises Unreadable if it is not the drawing within the tolerance."""
    return prove(sheet, drawing, options, rounding, options.tolerance)
