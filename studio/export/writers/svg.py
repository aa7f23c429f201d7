"""Writes a drawing as SVG: one unit is one millimetre, one path is one stroke of the laser.

The file uses only what every importer reads: no transforms, absolute M, C, L and Z only, Z on closed paths only.
"""

from __future__ import annotations

from itertools import groupby

from studio import PROGRAM
from studio.export.options import LaserOptions
from studio.export.profiles import Profile, profile
from studio.export.writers.leaflet_svg import drawn_artwork
from studio.export.writers.machine_ready import ready
from studio.export.writers.path_segments import DECIMALS, Steps
from studio.geometry.planar.drawing import Drawing, Operation, Path
from studio.paper.leaflet import as_marks

_LINKS = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_ARTWORK = "artwork"


def svg(drawing: Drawing, options: LaserOptions) -> bytes:
    """Write the drawing as SVG 1.1; raises StudioError if it has nothing to cut."""
    drawing = ready(drawing)
    known = profile(options.profile)
    width, height = (f"{round(side, DECIMALS):.10g}" for side in (drawing.width, drawing.height))
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- {PROGRAM} -->",
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
        f'{_LINKS if drawing.artwork else ""} version="1.1" width="{width}mm" height="{height}mm"'
        f' viewBox="0 0 {width} {height}">',
    ]
    if drawing.artwork:
        lines.append(f'<g inkscape:groupmode="layer" inkscape:label="0 {_ARTWORK}" id="{_ARTWORK}">')
        lines += [*map(drawn_artwork, as_marks(drawing.artwork)), "</g>"]
    for operation, paths in groupby(drawing.paths(), key=lambda path: path.operation):
        lines += _layer(known, operation, list(paths))
    lines.append("</svg>\n")
    return "\n".join(lines).encode("ascii")


def _layer(known: Profile, operation: Operation, paths: list[Path]) -> list[str]:
    layer = known.layer(operation)
    label = f"{known.every.index(layer) + 1} {operation.value}"
    width = f"{known.stroke_width:.10g}"
    head = (
        f'<path fill="none" stroke="{layer.colour}" stroke-width="{width}"'
        f' style="fill:none;stroke:{layer.colour};stroke-width:{width}" d="'
    )
    lines = [f'<g inkscape:groupmode="layer" inkscape:label="{label}" id="{layer.name}">']
    lines += [f'{head}{_data(path)}"/>' for path in paths]
    return [*lines, "</g>"]


def _data(path: Path) -> str:
    steps = Steps.from_points(path.points)
    start = "M{:.10g} {:.10g}".format(*steps.start.tolist())
    drawn = steps.spelled("L{:.10g} {:.10g}", "C{:.10g} {:.10g} {:.10g} {:.10g} {:.10g} {:.10g}")
    return start + "".join(drawn) + ("Z" if path.closed else "")
