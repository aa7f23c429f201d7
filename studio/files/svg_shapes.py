"""The strokes of each shape of SVG, in user units."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree.ElementTree import Element

import numpy as np

from studio.base.progress import Progress
from studio.files import path_data
from studio.files.foreign import too_many_points
from studio.files.svg_lengths import Scale
from studio.geometry.curves.strokes import Floats, closed_through, through

Drawn = tuple[list[Floats], str]
"""Strokes (3k + 1, 2), and a sentence about a fault, "" for none."""


def _path(element: Element, _scale: Scale, progress: Progress, most: int) -> Drawn:
    text = element.get("d", "")
    return ([], "") if text.strip() == "none" else path_data.strokes(text, progress, most)


def _rectangle(element: Element, scale: Scale, progress: Progress, most: int) -> Drawn:
    x, y = _length(element, "x", "x", scale), _length(element, "y", "y", scale)
    width, height = _length(element, "width", "x", scale), _length(element, "height", "y", scale)
    if not (width > 0 and height > 0):
        return [], ""
    across, down = _radii(element, scale, -1.0)
    across, down = across if across >= 0 else down, down if down >= 0 else across
    across, down = min(max(across, 0.0), width / 2), min(max(down, 0.0), height / 2)
    if not (across > 0 and down > 0):
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        return [closed_through(np.array(corners))], ""
    arc = f"a{across!r},{down!r} 0 0 1 "
    wide, high = width - 2 * across, height - 2 * down
    return path_data.strokes(
        f"M{x + across!r},{y!r}h{wide!r}{arc}{across!r},{down!r}v{high!r}{arc}{-across!r},{down!r}"
        f"h{-wide!r}{arc}{-across!r},{-down!r}v{-high!r}{arc}{across!r},{-down!r}z",
        progress,
        most,
    )


def _ellipse(element: Element, scale: Scale, progress: Progress, most: int) -> Drawn:
    x, y = _length(element, "cx", "x", scale), _length(element, "cy", "y", scale)
    if element.tag.endswith("circle"):
        across = down = _length(element, "r", "xy", scale)
    else:
        across, down = _radii(element, scale, -1.0)
        across, down = across if across >= 0 else down, down if down >= 0 else across
    if not (across > 0 and down > 0):
        return [], ""
    half = f"A{across!r},{down!r} 0 0 1 "
    text = f"M{x + across!r},{y!r}{half}{x - across!r},{y!r}{half}{x + across!r},{y!r}z"
    return path_data.strokes(text, progress, most)


def _polygon(element: Element, scale: Scale, progress: Progress, most: int) -> Drawn:
    strokes, fault = _polyline(element, scale, progress, most)
    return [closed_through(stroke[::3]) for stroke in strokes], fault


def _polyline(element: Element, _scale: Scale, _progress: Progress, most: int) -> Drawn:
    found, rest = path_data.numbers(element.get("points", ""), 2 * most + 4)
    points = np.array(found[: len(found) // 2 * 2]).reshape(-1, 2)
    if len(points) > most + 1:
        raise too_many_points()
    fault = path_data.wrong_numbers("", rest or element.get("points", "")) if rest or len(found) % 2 else ""
    return ([through(points)] if len(points) > 1 else []), fault


def _line(element: Element, scale: Scale, _progress: Progress, _most: int) -> Drawn:
    ends = [[_length(element, f"{axis}{end}", axis, scale) for axis in "xy"] for end in "12"]
    return [through(np.array(ends))], ""


def _radii(element: Element, scale: Scale, other: float) -> tuple[float, float]:
    """The radii of an ellipse or of rounded corners; `other` for one that is `auto`."""
    across, down = (
        other if element.get(key, "auto").strip() == "auto" else _length(element, key, axis, scale)
        for key, axis in (("rx", "x"), ("ry", "y"))
    )
    return across, down


def _length(element: Element, key: str, axis: str, scale: Scale) -> float:
    return scale.length(element.get(key, "0"), axis)


SHAPES: dict[str, Callable[[Element, Scale, Progress, int], Drawn]] = {
    "path": _path,
    "rect": _rectangle,
    "circle": _ellipse,
    "ellipse": _ellipse,
    "polygon": _polygon,
    "polyline": _polyline,
    "line": _line,
}
"""The strokes of each shape within some lengths, with at most so many curves."""
