"""Writes a drawing as SVG: one unit is one millimetre, one path is one stroke of the laser.

The file keeps to what every importer reads: no transforms, absolute M, C, L and Z only, Z on closed paths only. A
cubic that is exactly straight is written as a line, which importers keep as a line; as a curve they would trace it.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from studio.export.options import Options
from studio.export.profiles import Profile, profile
from studio.export.ready import ready, rounded
from studio.geometry.curves import Floats
from studio.geometry.drawing import Drawing, Operation, Path

# Micrometres: ten times finer than any laser's step.
DECIMALS = 3
# A control point this near to the chord, in mm, is on it: far below what is written.
_STRAIGHT = 1e-6


def svg(drawing: Drawing, options: Options) -> bytes:
    """The drawing as SVG 1.1; raises StudioError where it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    width, height = (f"{round(side, DECIMALS):.10g}" for side in (drawing.width, drawing.height))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f' version="1.1" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}">',
    ]
    for operation, paths in groupby(drawing.paths(), key=lambda path: path.operation):
        lines += _layer(known, operation, list(paths))
    lines.append("</svg>\n")
    return "\n".join(lines).encode("ascii")


def _layer(known: Profile, operation: Operation, paths: list[Path]) -> list[str]:
    layer = known.layer(operation)
    label = f"{known.layers.index(layer) + 1} {operation.value}"
    width = f"{known.stroke_width:.10g}"
    head = (
        f'<path fill="none" stroke="{layer.colour}" stroke-width="{width}"'
        f' style="fill:none;stroke:{layer.colour};stroke-width:{width}" d="'
    )
    lines = [f'<g inkscape:groupmode="layer" inkscape:label="{label}" id="{layer.name}">']
    lines += [f'{head}{_data(path)}"/>' for path in paths]
    return [*lines, "</g>"]


def _data(path: Path) -> str:
    points = rounded(path.points, DECIMALS)
    cubics = np.stack([points[0:-1:3], points[1::3], points[2::3], points[3::3]], 1)
    seen = (cubics != cubics[:, :1]).any(axis=(1, 2))
    lines = _straight(np.stack([path.points[i : len(path.points) - 3 + i : 3] for i in range(4)], 1))
    parts = ["M{:.10g} {:.10g}".format(*points[0].tolist())]
    parts += [
        f"L{x:.10g} {y:.10g}" if line else f"C{a:.10g} {b:.10g} {c:.10g} {d:.10g} {x:.10g} {y:.10g}"
        for line, (a, b, c, d, x, y) in zip(lines[seen].tolist(), cubics[seen, 1:].reshape(-1, 6).tolist(), strict=True)
    ]
    return "".join(parts) + ("Z" if path.closed else "")


def _straight(cubics: Floats) -> NDArray[np.bool_]:
    """Which cubics (n, 4, 2) run straight from end to end, control points in order along the chord."""
    chord = cubics[:, 3] - cubics[:, 0]
    length = np.hypot(chord[:, 0], chord[:, 1])
    along = chord / np.where(length > 0, length, 1)[:, None]
    arms = cubics[:, 1:3] - cubics[:, :1]
    aside = np.abs(arms[:, :, 0] * along[:, None, 1] - arms[:, :, 1] * along[:, None, 0]).max(axis=1)
    reach = (arms * along[:, None]).sum(axis=2)
    ordered = (reach[:, 0] >= -_STRAIGHT) & (reach[:, 1] >= reach[:, 0] - _STRAIGHT)
    ordered &= reach[:, 1] <= length + _STRAIGHT
    straight: NDArray[np.bool_] = (length > 0) & (aside <= _STRAIGHT) & ordered
    return straight
