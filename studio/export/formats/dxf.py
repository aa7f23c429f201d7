"""Writes a drawing as DXF: R2000, which says that it is in millimetres, or R12, which every old program reads.

One chain is one polyline, or one exact spline; y points up and the page's lower left corner is the origin. Strokes
are flattened once each, so that lines which meet share their points to the last digit. The reader
is our own, because ezdxf takes longer to load a large file than all the rest of an export.
"""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from studio import PROGRAM
from studio.export.format import Format, Unreadable
from studio.export.options import LaserOptions
from studio.export.profiles import Profile, profile
from studio.export.proof import SheetReport, prove
from studio.export.reading import FoundLine, Sheet
from studio.export.ready import ready, rounded
from studio.export.simplify import polylines
from studio.geometry.curves import Floats, Ints, Runs, offsets
from studio.geometry.drawing import Chain, Drawing, Operation
from studio.parameters import ParameterError, choice, flag, number
from studio.texts import tr

# A tenth of a micrometre: rounding then takes nothing from even the finest tolerance.
DECIMALS = 4
_ROUNDING = 10.0**-DECIMALS
NO_UNIT = tr("DXF R12 has no units: import it as millimetres.")
EXACT = tr("Splines are exact.")
_ENTITIES = "  0\nSECTION\n  2\nENTITIES\n"


@dataclass(frozen=True)
class DxfOptions(LaserOptions):
    """What a maker chooses about a DXF; raises ParameterError for what cannot be."""

    version: str = choice("R2000",
        {"R2000": "R2000 (with units)", "R12": "R12 (no units, import as mm)"},
        title="DXF version",
        help="R2000 stores the unit (mm); R12 has no units, but every program reads it.")  # fmt: skip
    curves: str = choice(
        "polyline", {"polyline": "Polylines", "spline": "Splines (exact)"}, title="DXF curves",
        help="Polylines work everywhere; splines are exact and compact, but some laser software distorts them.",
    )  # fmt: skip
    tolerance: float = number(0.02, title="Tolerance", minimum=0.001, maximum=1.0, step=0.01, unit="mm",
        help="Maximum deviation of a polyline from the curve; a laser line is 0.1 to 0.3 mm wide.")  # fmt: skip
    close: bool = flag(False, title="Close polylines explicitly",
        help="Repeats the first point, for programs that lose the last edge of a closed polyline.")  # fmt: skip

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.version == "R12" and self.curves == "spline":
            raise ParameterError("curves", tr("DXF R12 has no splines; choose polylines or DXF R2000."))

    def idle(self) -> Mapping[str, str]:
        """The options that the others leave without a meaning, each with the reason."""
        exact = {"tolerance": EXACT} if self.curves == "spline" else {}
        return {**super().idle(), **exact}


def dxf(drawing: Drawing, options: DxfOptions) -> bytes:
    """The drawing as DXF text; raises StudioError where it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    layers = [known.layer(chain.operation).name for chain in drawing.chains]
    runs = _runs(drawing, options)
    points = rounded(runs.points * (1, -1) + (0, drawing.height), DECIMALS)
    lines = [points[start:end] for start, end in zip(runs.starts[:-1], runs.starts[1:], strict=True)]
    if options.version == "R12":
        head, tail = _frame_r12(drawing, known)
        body = "".join(map(_polyline, lines, layers, drawing.chains, [options.close] * len(lines)))
    else:
        head, tail, owner, handles = _frame_r2000(drawing, known)
        write = _spline if options.curves == "spline" else _lwpolyline
        common = [
            f"  5\n{handle}\n330\n{owner}\n100\nAcDbEntity\n  8\n{layer}\n"
            for handle, layer in zip(handles, layers, strict=True)
        ]
        body = "".join(map(write, lines, common, drawing.chains, [options.close] * len(lines)))
    return (head + body + tail).encode("ascii")


def _runs(drawing: Drawing, options: DxfOptions) -> Runs:
    starts = offsets(np.array([len(chain.strokes) for chain in drawing.chains], np.int64))
    codes = np.concatenate([chain.strokes for chain in drawing.chains])
    if options.curves == "spline":
        return drawing.strokes.joined(codes, starts)
    # Only what is cut is flattened; a stroke cut twice is flattened once all the same.
    used, numbers = np.unique(codes >> 1, return_inverse=True)
    flat = polylines(drawing.strokes.chosen(used), options.tolerance - _ROUNDING)
    return flat.joined(2 * numbers + (codes & 1), starts)


def _lwpolyline(points: Floats, common: str, chain: Chain, close: bool) -> str:
    points = _vertices(points, chain, close)
    flags = 1 if chain.closed else 0
    head = f"  0\nLWPOLYLINE\n{common}100\nAcDbPolyline\n 90\n{len(points)}\n 70\n{flags}\n"
    return head + _filled(" 10\n%.10g\n 20\n%.10g\n", points)


def _polyline(points: Floats, layer: str, chain: Chain, close: bool) -> str:
    points = _vertices(points, chain, close)
    flags = 1 if chain.closed else 0
    head = f"  0\nPOLYLINE\n  8\n{layer}\n 66\n     1\n 10\n0.0\n 20\n0.0\n 30\n0.0\n 70\n{flags:6}\n"
    vertices = _filled(f"  0\nVERTEX\n  8\n{layer}\n 10\n%.10g\n 20\n%.10g\n 30\n0.0\n", points)
    return f"{head}{vertices}  0\nSEQEND\n  8\n{layer}\n"


def _spline(points: Floats, common: str, _chain: Chain, _close: bool) -> str:
    """Cubics joined end to end are a spline of degree 3 whose inner knots are threefold.

    The closed flag stays away even from closed chains: programs take it to mean that control points wrap round.
    """
    steps = points[np.arange(0, len(points) - 1, 3)[:, None] + np.arange(4)]
    moving = (steps != steps[:, :1]).any(axis=(1, 2))
    points = np.concatenate([points[:1], steps[moving, 1:].reshape(-1, 2)])
    cubics = len(steps[moving])
    knots = [0, *np.repeat(np.arange(cubics + 1), 3).tolist(), cubics]
    head = (
        f"  0\nSPLINE\n{common}100\nAcDbSpline\n210\n0.0\n220\n0.0\n230\n1.0\n"
        f" 70\n8\n 71\n3\n 72\n{len(knots)}\n 73\n{len(points)}\n 74\n0\n"
    )
    return head + "".join(f" 40\n{knot}.0\n" for knot in knots) + _filled(" 10\n%.10g\n 20\n%.10g\n 30\n0.0\n", points)


def _vertices(points: Floats, chain: Chain, close: bool) -> Floats:
    """The points of a polyline, none twice in a row; a closed one repeats its first only where `close` says so."""
    fresh = np.ones(len(points), bool)
    fresh[1:] = (np.diff(points, axis=0) != 0).any(axis=1)
    points = points[fresh]
    return points if close or not chain.closed else points[:-1]


def _filled(pattern: str, points: Floats) -> str:
    return (pattern * len(points)) % tuple(points.ravel().tolist())


def _used(drawing: Drawing, known: Profile) -> list[tuple[str, int]]:
    operations = {chain.operation for chain in drawing.chains}
    return [(layer.name, layer.aci) for layer in known.every if layer.operation in operations]


def _frame_r12(drawing: Drawing, known: Profile) -> tuple[str, str]:
    """What comes before and after the entities of an R12 file: no more than the format asks for."""
    width, height = (f"{side:.10g}" for side in rounded(np.array([drawing.width, drawing.height]), DECIMALS))
    layers = [("0", 7), *_used(drawing, known)]
    table = "".join(
        f"  0\nLAYER\n  2\n{name}\n 70\n     0\n 62\n{colour:6}\n  6\nCONTINUOUS\n" for name, colour in layers
    )
    head = (
        "  0\nSECTION\n  2\nHEADER\n  9\n$ACADVER\n  1\nAC1009\n"
        f"  9\n$EXTMIN\n 10\n0.0\n 20\n0.0\n 30\n0.0\n  9\n$EXTMAX\n 10\n{width}\n 20\n{height}\n 30\n0.0\n"
        f"  9\n$LIMMIN\n 10\n0.0\n 20\n0.0\n  9\n$LIMMAX\n 10\n{width}\n 20\n{height}\n"
        "  0\nENDSEC\n  0\nSECTION\n  2\nTABLES\n"
        "  0\nTABLE\n  2\nLTYPE\n 70\n     1\n  0\nLTYPE\n  2\nCONTINUOUS\n 70\n     0\n"
        "  3\nSolid line\n 72\n    65\n 73\n     0\n 40\n0.0\n  0\nENDTAB\n"
        f"  0\nTABLE\n  2\nLAYER\n 70\n{len(layers):6}\n{table}  0\nENDTAB\n  0\nENDSEC\n"
    )
    return head + _ENTITIES, "  0\nENDSEC\n  0\nEOF\n"


def _frame_r2000(drawing: Drawing, known: Profile) -> tuple[str, str, str, list[str]]:
    """What comes before and after the entities of an R2000 file, their owner's handle, and one handle each.

    ezdxf knows the tables that the format demands; entities are not given to it, since it would hold each point as
    objects of its own.
    """
    import logging

    # With its first import it writes a list of fonts, which nobody here needs, and complains where that cannot be.
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)
    from ezdxf.filemanagement import new

    width, height = rounded(np.array([drawing.width, drawing.height]), DECIMALS).tolist()
    document = new("R2000", units=4)
    document.header["$MEASUREMENT"] = 1
    # Programs that print the file use this as its scale, and print nothing at the default of 0.
    document.header["$PSVPSCALE"] = 1.0
    for name, aci in _used(drawing, known):
        document.layers.add(name, color=aci)
    model = document.modelspace()
    document.header["$EXTMIN"], document.header["$EXTMAX"] = (0, 0, 0), (width, height, 0)
    model.reset_extents((0, 0, 0), (width, height, 0))
    model.reset_limits((0, 0), (width, height))
    document.set_modelspace_vport(height, (width / 2, height / 2))
    handles = [document.entitydb.next_handle() for _ in drawing.chains]
    stream = io.StringIO()
    document.write(stream)
    head, tail = _timeless(stream.getvalue()).split(_ENTITIES)
    return head + _ENTITIES, tail, model.layout_key, handles


def _timeless(text: str) -> str:
    """DXF text without the moment, the random names and the version that ezdxf puts in: same drawing, same bytes."""
    text = re.sub(r"(\$TDU?(?:CREATE|UPDATE)\n 40\n)[^\n]*", r"\g<1>2451544.5", text)
    text = re.sub(r"(\$(?:FINGERPRINT|VERSION)GUID\n  2\n)[^\n]*", r"\g<1>{00000000-0000-0000-0000-000000000000}", text)
    return re.sub(r"\n[^\n]+ @ [0-9]{4}-[^\n]+", f"\n{PROGRAM}", text)


def read_dxf(data: bytes, options: DxfOptions) -> Sheet:
    """The sheet in an R12 or R2000 file, y turned downwards; raises Unreadable where it is not one of ours."""
    try:
        texts = data.decode("ascii").split("\n")
        values = texts[1::2]
        codes = np.array(list(map(int, texts[: 2 * len(values) : 2])))
        if values[-1:] != ["EOF"]:
            raise Unreadable(tr("it is truncated"))
        begin = values.index("ENTITIES")
        width, height = _page(values[:begin])
        end = begin + values[begin:].index("ENDSEC")
        lines = _entities(codes[begin + 1 : end], values[begin + 1 : end], profile(options.profile), height)
    except (ValueError, IndexError) as problem:
        raise Unreadable(tr("it is not a DXF file")) from problem
    return Sheet(width, height, lines)


def _page(values: list[str]) -> tuple[float, float]:
    def variable(name: str, size: int) -> list[str]:
        at = values.index(name) + 1
        return values[at : at + size]

    # R12 has no way to say it.
    if variable("$ACADVER", 1) != ["AC1009"] and (
        int(variable("$INSUNITS", 1)[0]) != 4 or int(variable("$MEASUREMENT", 1)[0]) != 1
    ):
        raise Unreadable(tr("its unit is not millimetres"))
    if [float(n) for n in variable("$EXTMIN", 2)] != [0, 0]:
        raise Unreadable(tr("its page does not start at zero"))
    width, height = map(float, variable("$EXTMAX", 2))
    return width, height


def _entities(codes: Ints, values: list[str], known: Profile, height: float) -> tuple[FoundLine, ...]:
    operations = {layer.name: layer.operation for layer in known.every}
    starts = np.flatnonzero(codes == 0)
    kinds = [values[start] for start in starts.tolist()]
    owners = np.cumsum(codes == 0) - 1
    across, up = np.flatnonzero(codes == 10), np.flatnonzero(codes == 20)
    if len(across) != len(up) or (across + 1 != up).any():
        raise Unreadable(tr("a point has only one coordinate"))
    points = np.array([list(map(float, map(values.__getitem__, at.tolist()))) for at in (across, up)]).T
    points[:, 1] = height - points[:, 1]
    bounds = np.searchsorted(owners[across], np.arange(len(kinds) + 1))
    flags = [int(word or 0) for word in _words(codes, values, owners, 70, len(kinds))]
    layers = _words(codes, values, owners, 8, len(kinds))
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
        if layers[first] not in operations:
            raise Unreadable(tr("it has unexpected content on layer {layer}", layer=layers[first]))
        lines.append(_line(operations[layers[first]], points[begin:end], kind == "SPLINE", flags[first] & 1 == 1))
    return tuple(lines)


def _line(operation: Operation, points: Floats, curved: bool, closed: bool) -> FoundLine:
    if len(points) < 2 or (curved and len(points) % 3 != 1):
        raise Unreadable(tr("a line has too few points"))
    if closed and (points[0] != points[-1]).any():
        points = np.concatenate([points, points[:1]])
    return FoundLine(operation, points, closed or bool((points[0] == points[-1]).all()), curved)


def _words(codes: Ints, values: list[str], owners: Ints, code: int, count: int) -> list[str]:
    words = [""] * count
    for at in np.flatnonzero(codes == code).tolist():
        words[owners[at]] = values[at]
    return words


def prove_dxf(sheet: Sheet, drawing: Drawing, options: DxfOptions, rounding: float) -> SheetReport:
    """What the sheet holds; raises Unreadable where that is not the drawing within the tolerance."""
    return prove(sheet, drawing, rounding, options.tolerance)


DXF = Format(
    ".dxf",
    tr("DXF (CAD, older laser software)"),
    tr("CAD and older laser software; polylines within the tolerance, or exact splines"),
    DxfOptions,
    _ROUNDING / 2,
    dxf,
    read_dxf,
    prove_dxf,
    note=lambda options: NO_UNIT if options.version == "R12" else "",
    without=("raster",),
)
