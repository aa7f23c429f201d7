"""Writes a drawing as DXF: R2000, which states millimetres, or R12, which every old program reads.

One chain is one polyline of arcs or lines, or one exact spline; y points up and the page's lower left corner is the
origin. Every end of a stroke is a vertex, so that lines which meet share their points to the last digit.
"""

from __future__ import annotations

import io
import re

import numpy as np

from studio import PROGRAM
from studio.exporting.colour_profiles import Profile, profile
from studio.exporting.options import DxfOptions
from studio.exporting.writers.path_segments import polylines, ready, rounded
from studio.geometry.curves.biarcs import biarcs
from studio.geometry.curves.strokes import Floats, Runs, offsets
from studio.geometry.planar.drawing import Chain, Drawing

# A tenth of a micrometre: rounding stays far below even the finest tolerance.
DECIMALS = 4
_ROUNDING = 10.0**-DECIMALS
# So fine that no arc on a sheet is off by more than its ends.
_BULGE_DECIMALS = 7
_ENTITIES = "  0\nSECTION\n  2\nENTITIES\n"


def dxf(drawing: Drawing, options: DxfOptions) -> bytes:
    """Write the drawing as DXF text; raises StudioError if it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    layers = [known.layer(chain.operation).name for chain in drawing.chains]
    starts = offsets(np.array([len(chain.strokes) for chain in drawing.chains], np.int64))
    codes = np.concatenate([chain.strokes for chain in drawing.chains])
    runs: Runs
    bulges = None
    if options.curves == "spline":
        runs = drawing.strokes.joined(codes, starts)
    elif options.curves == "arcs":
        closed = np.array([chain.closed for chain in drawing.chains])
        arcs = biarcs(drawing.strokes, codes, starts, closed, options.tolerance - _ROUNDING)
        runs, bulges = arcs.vertices, arcs.bulges
    else:
        # Only cut strokes are flattened, each once, even if cut twice.
        used, numbers = np.unique(codes >> 1, return_inverse=True)
        flat = polylines(drawing.strokes.chosen(used), options.tolerance - _ROUNDING)
        runs = flat.joined(2 * numbers + (codes & 1), starts)
    # Turned over by the height that is written: by the exact one, lines and page would be rounded apart.
    points = rounded(runs.points * (1, -1) + (0, round(drawing.height, DECIMALS)), DECIMALS)
    if bulges is not None:
        points = np.column_stack([points, rounded(-bulges, _BULGE_DECIMALS)])
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
    told = {**options.remarks, **known.notes(options.recipe, {chain.operation for chain in drawing.chains})}
    # Comments, in the notation of DXF for letters beyond ASCII.
    comments = "".join(f"999\n{name}: {_escaped(line)}\n" for name, line in told.items())
    return (comments + head + body + tail).encode("ascii")


def _escaped(line: str) -> str:
    units = line.encode("utf-16-be")
    codes = [256 * high + low for high, low in zip(units[::2], units[1::2], strict=True)]
    return "".join(chr(code) if code < 128 else f"\\U+{code:04X}" for code in codes)


def _lwpolyline(points: Floats, common: str, chain: Chain, close: bool) -> str:
    points = _vertices(points, chain, close)
    flags = 1 if chain.closed else 0
    head = f"  0\nLWPOLYLINE\n{common}100\nAcDbPolyline\n 90\n{len(points)}\n 70\n{flags}\n"
    return head + _filled(" 10\n%.10g\n 20\n%.10g\n" + _bulged(points), points)


def _polyline(points: Floats, layer: str, chain: Chain, close: bool) -> str:
    points = _vertices(points, chain, close)
    flags = 1 if chain.closed else 0
    head = f"  0\nPOLYLINE\n  8\n{layer}\n 66\n     1\n 10\n0.0\n 20\n0.0\n 30\n0.0\n 70\n{flags:6}\n"
    vertices = _filled(f"  0\nVERTEX\n  8\n{layer}\n 10\n%.10g\n 20\n%.10g\n 30\n0.0\n{_bulged(points)}", points)
    return f"{head}{vertices}  0\nSEQEND\n  8\n{layer}\n"


def _spline(points: Floats, common: str, _chain: Chain, _close: bool) -> str:
    """Write cubics joined end to end as a spline of degree 3 with threefold inner knots.

    Even closed chains go without the closed flag: programs take it to mean that control points wrap round.
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
    """Return the points of a polyline, none twice in a row; a closed one repeats its first only if `close` is set.

    A third column has the bulges after the points, and is dropped if there are none.
    """
    moving = np.ones(len(points), bool)
    moving[:-1] = (np.diff(points[:, :2], axis=0) != 0).any(axis=1)
    points = points[moving]
    points = points if points[:, 2:].any() else points[:, :2]
    return points if close or not chain.closed else points[:-1]


def _bulged(points: Floats) -> str:
    return " 42\n%.10g\n" if points.shape[1] == 3 else ""


def _filled(pattern: str, points: Floats) -> str:
    return (pattern * len(points)) % tuple(points.ravel().tolist())


def _used(drawing: Drawing, known: Profile) -> list[tuple[str, int]]:
    operations = {chain.operation for chain in drawing.chains}
    return [(layer.name, layer.aci) for layer in known.every if layer.operation in operations]


def _frame_r12(drawing: Drawing, known: Profile) -> tuple[str, str]:
    """Return the text before and after the entities of an R12 file, as short as the format allows."""
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
    """Return the text before and after the entities of an R2000 file, their owner's handle and their own.

    ezdxf writes the tables that the format demands; entities are not given to it, since it would hold each point as
    objects of its own.
    """
    import logging

    # On import ezdxf caches a list of fonts, which is not needed here, and warns if it cannot.
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
    # Remove the time, the random names and the version that ezdxf inserts: same drawing, same bytes.
    text = stream.getvalue()
    text = re.sub(r"(\$TDU?(?:CREATE|UPDATE)\n 40\n)[^\n]*", r"\g<1>2451544.5", text)
    text = re.sub(r"(\$(?:FINGERPRINT|VERSION)GUID\n  2\n)[^\n]*", r"\g<1>{00000000-0000-0000-0000-000000000000}", text)
    timeless = re.sub(r"\n[^\n]+ @ [0-9]{4}-[^\n]+", f"\n{PROGRAM}", text)
    head, tail = timeless.split(_ENTITIES)
    return head + _ENTITIES, tail, model.layout_key, handles
