"""The paths drawn in an SVG file, as strokes in mm; nothing outside the file is read, and nothing in it is run.

user unit: the unit of the coordinates in the file. Shapes such as circles become path data first.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import numpy as np

from studio.errors import StudioError
from studio.files import path_data
from studio.files.foreign import UNITS, Found, millimetres
from studio.progress import Progress
from studio.texts import tr

PIXEL = "px"
DEEPEST = 200
"""Groups within groups."""
MOST_SHAPES = 200_000
"""Shapes that copies (`use`) may make of a small file."""
CHUNK = 2**20
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(_NUMBER)
_LENGTH = re.compile(rf"\s*({_NUMBER})\s*([a-zA-Z%]*)\s*")
_TRANSFORM = re.compile(r"[\s,]*([A-Za-z]+)\s*\(([^()]*)\)[\s,]*")
_HIDDEN = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))\s*(?:;|$)")
_GROUPS = frozenset({"a", "g", "svg", "switch"})
_SILENT = frozenset({
    "clipPath", "defs", "desc", "filter", "linearGradient", "marker", "mask", "metadata", "namedview", "pattern",
    "radialGradient", "style", "symbol", "title", "view",
})  # fmt: skip
"""Elements that draw nothing by themselves."""

Matrix = tuple[float, float, float, float, float, float]
_SAME: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def read(data: bytes, unit: str | None, progress: Progress) -> Found:
    """The strokes of an SVG file; `unit` is that of a file that states none.

    Raises UnitMissing where there is none, and StudioError, to follow the file's name, for what is no SVG file.
    """
    root = parsed(data, progress.part(0.0, 0.3))
    if _name(root) != "svg":
        raise StudioError(tr("it is not an SVG file."))
    found = Found()
    reader = _Reader(found, {one.get("id", ""): one for one in root.iter() if one.get("id")}, progress)
    reader.group(root, _page(root, unit), 0)
    return found


def parsed(data: bytes, progress: Progress) -> Element:
    """The root element of an SVG file; raises StudioError for entities, which a drawing does not need."""
    if data.startswith(b"\x1f\x8b"):
        raise StudioError(tr("it is compressed; save it as plain SVG."))
    builder = TreeBuilder()
    parser = expat.ParserCreate(namespace_separator="}")

    def refuse(*_declared: object) -> None:
        raise StudioError(tr("it declares entities, which could read other files; save it as plain SVG."))

    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.CharacterDataHandler = builder.data
    parser.EntityDeclHandler = refuse
    try:
        for at in range(0, len(data), CHUNK):
            progress.step(at / len(data))
            parser.Parse(data[at : at + CHUNK], False)
        parser.Parse(b"", True)
    except (expat.ExpatError, LookupError, ValueError) as problem:
        raise StudioError(tr("it is not a valid SVG file ({problem}).", problem=problem)) from problem
    return builder.close()


@dataclass
class _Reader:
    """Walks through the elements of a file."""

    found: Found
    named: dict[str, Element]
    progress: Progress
    shapes: int = 0

    def group(self, group: Element, matrix: Matrix, depth: int) -> None:
        """All that a group draws."""
        if depth > DEEPEST:
            raise StudioError(tr("it is nested too deeply."))
        for element in group:
            self._element(element, matrix, depth)

    def _element(self, element: Element, matrix: Matrix, depth: int) -> None:
        name = _name(element)
        if name in _SILENT or _is_hidden(element) or not name:
            return
        matrix = _product(matrix, _transform(element.get("transform", "")))
        if name in _GROUPS:
            inner = _product(matrix, _viewport(element)) if name == "svg" else matrix
            self.group(element, inner, depth + 1)
        elif name == "use":
            self._copy(element, matrix, depth)
        elif name in _SHAPES:
            self._shape(element, matrix)
        else:
            self.found.left_out[name] += 1

    def _copy(self, element: Element, matrix: Matrix, depth: int) -> None:
        """What another element of the file draws; those of other files are left out."""
        link = next((value for key, value in element.items() if key.rpartition("}")[2] == "href"), "")
        target = self.named.get(link[1:]) if link.startswith("#") else None
        if target is None:
            self.found.left_out["use"] += 1
            return
        if depth > DEEPEST:
            raise StudioError(tr("it is nested too deeply."))
        moved = _product(matrix, (1.0, 0.0, 0.0, 1.0, _length(element, "x"), _length(element, "y")))
        if _name(target) == "symbol":
            self.group(target, _product(moved, _viewport(target)), depth + 1)
        else:
            self._element(target, moved, depth + 1)

    def _shape(self, element: Element, matrix: Matrix) -> None:
        self.shapes += 1
        if self.shapes > MOST_SHAPES:
            raise StudioError(tr("it has more than {most:,} shapes.", most=MOST_SHAPES))
        a, b, c, d, right, down = matrix
        for stroke in path_data.strokes(_SHAPES[_name(element)](element), self.progress):
            with np.errstate(all="ignore"):
                placed = stroke @ np.array([[a, b], [c, d]]) + (right, down)
            placed[-1] = placed[0] if (stroke[-1] == stroke[0]).all() else placed[-1]
            self.found.strokes.append(placed)
            self.found.layers.append("")


def _name(element: Element) -> str:
    """The name of an element without its namespace; empty for those of editors."""
    space, _, name = str(element.tag).rpartition("}")
    return name if space in ("", "http://www.w3.org/2000/svg") else ""


def _is_hidden(element: Element) -> bool:
    return (
        element.get("display") == "none"
        or element.get("visibility") in ("hidden", "collapse")
        or _HIDDEN.search(element.get("style", "")) is not None
    )


def _page(root: Element, unit: str | None) -> Matrix:
    """The matrix that turns user units into mm."""
    found = [_LENGTH.fullmatch(root.get(name, "")) for name in ("width", "height")]
    stated = [one[2].lower() for one in found if one and one[2].lower() in UNITS]
    scale = UNITS[stated[0]] if stated else millimetres(unit)
    box = _box(root)
    if box is None:
        # User units are pixels where the size of the page has a unit.
        scale = UNITS[PIXEL] if stated else scale
        return (scale, 0.0, 0.0, scale, 0.0, 0.0)
    scales = [
        float(one[1]) * UNITS.get(one[2].lower(), scale) / side if one and one[2] != "%" else 0.0
        for one, side in zip(found, box[2:], strict=True)
    ]
    across, down = scales[0] or scales[1] or scale, scales[1] or scales[0] or scale
    return _fitted(root, box, (across, down))


def _viewport(element: Element) -> Matrix:
    """What an inner drawing, or a symbol, is moved and scaled by."""
    moved: Matrix = (1.0, 0.0, 0.0, 1.0, _length(element, "x"), _length(element, "y"))
    box = _box(element)
    sides = _length(element, "width"), _length(element, "height")
    if box is None or not all(sides):
        return moved
    return _product(moved, _fitted(element, box, (sides[0] / box[2], sides[1] / box[3])))


def _fitted(element: Element, box: tuple[float, float, float, float], scales: tuple[float, float]) -> Matrix:
    """A box of user units brought into its frame, with both scales the same unless the file says otherwise."""
    across, down = scales
    how = element.get("preserveAspectRatio", "")
    if not how.strip().startswith("none"):
        across = down = max(scales) if "slice" in how else min(scales)
    return (across, 0.0, 0.0, down, -across * box[0], -down * box[1])


def _box(element: Element) -> tuple[float, float, float, float] | None:
    numbers = [float(number) for number in _NUMBERS.findall(element.get("viewBox", ""))]
    if len(numbers) != 4:
        return None
    left, top, width, height = numbers
    if not (width > 0 and height > 0):
        raise StudioError(tr("its page has no size."))
    return left, top, width, height


def _length(element: Element, name: str, other: float = 0.0) -> float:
    """A length in user units; raises StudioError for shares of the page."""
    text = element.get(name)
    if text is None:
        return other
    found = _LENGTH.fullmatch(text)
    if found is None or (found[2] and found[2].lower() not in UNITS):
        raise StudioError(tr("the {name} of a shape is not a length: {text!r}.", name=name, text=text[:20]))
    return float(found[1]) * (UNITS[found[2].lower()] / UNITS[PIXEL] if found[2] else 1.0)


def _transform(text: str) -> Matrix:
    """The matrix of an attribute `transform`."""
    matrix, at = _SAME, 0
    while at < len(text.rstrip()):
        found = _TRANSFORM.match(text, at)
        numbers = [float(number) for number in _NUMBERS.findall(found[2])] if found else []
        step = _step(found[1], numbers) if found else None
        if found is None or step is None:
            raise StudioError(tr("it has an unknown transform: {text!r}.", text=text[at : at + 30]))
        matrix, at = _product(matrix, step), found.end()
    return matrix


def _step(name: str, numbers: list[float]) -> Matrix | None:
    """The matrix of one step of a transform; None for one that there is not."""
    match name, numbers:
        case "matrix", [a, b, c, d, right, down]:
            return (a, b, c, d, right, down)
        case "translate", [right, *down] if len(down) < 2:
            return (1.0, 0.0, 0.0, 1.0, right, down[0] if down else 0.0)
        case "scale", [across, *down] if len(down) < 2:
            return (across, 0.0, 0.0, down[0] if down else across, 0.0, 0.0)
        case "rotate", [angle, *middle] if len(middle) in (0, 2):
            x, y = middle or (0.0, 0.0)
            cos, sin = float(np.cos(np.radians(angle))), float(np.sin(np.radians(angle)))
            return (cos, sin, -sin, cos, x - cos * x + sin * y, y - sin * x - cos * y)
        case "skewX", [angle]:
            return (1.0, 0.0, float(np.tan(np.radians(angle))), 1.0, 0.0, 0.0)
        case "skewY", [angle]:
            return (1.0, float(np.tan(np.radians(angle))), 0.0, 1.0, 0.0, 0.0)
    return None


def _product(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix of the inner transform followed by the outer one."""
    a, b, c, d, right, down = outer
    e, f, g, h, x, y = inner
    return (a * e + c * f, b * e + d * f, a * g + c * h, b * g + d * h, a * x + c * y + right, b * x + d * y + down)


def _path(element: Element) -> str:
    return element.get("d", "")


def _rectangle(element: Element) -> str:
    x, y, width, height = (_length(element, name) for name in ("x", "y", "width", "height"))
    if not (width > 0 and height > 0):
        return ""
    across, down = (_length(element, name, -1.0) for name in ("rx", "ry"))
    across, down = across if across >= 0 else down, down if down >= 0 else across
    across, down = min(max(across, 0.0), width / 2), min(max(down, 0.0), height / 2)
    if not (across > 0 and down > 0):
        return f"M{x!r},{y!r}h{width!r}v{height!r}h{-width!r}z"
    arc = f"a{across!r},{down!r} 0 0 1 "
    wide, high = width - 2 * across, height - 2 * down
    return (
        f"M{x + across!r},{y!r}h{wide!r}{arc}{across!r},{down!r}v{high!r}{arc}{-across!r},{down!r}"
        f"h{-wide!r}{arc}{-across!r},{-down!r}v{-high!r}{arc}{across!r},{-down!r}z"
    )


def _ellipse(element: Element) -> str:
    x, y = _length(element, "cx"), _length(element, "cy")
    radius = _length(element, "r")
    across, down = _length(element, "rx", radius), _length(element, "ry", radius)
    if not (across > 0 and down > 0):
        return ""
    half = f"A{across!r},{down!r} 0 0 1 "
    return f"M{x + across!r},{y!r}{half}{x - across!r},{y!r}{half}{x + across!r},{y!r}z"


def _polygon(element: Element) -> str:
    return f"M{points}z" if (points := element.get("points", "").strip()) else ""


def _polyline(element: Element) -> str:
    return f"M{points}" if (points := element.get("points", "").strip()) else ""


def _line(element: Element) -> str:
    x, y, to_x, to_y = (_length(element, name) for name in ("x1", "y1", "x2", "y2"))
    return f"M{x!r},{y!r}L{to_x!r},{to_y!r}"


_SHAPES = {
    "path": _path,
    "rect": _rectangle,
    "circle": _ellipse,
    "ellipse": _ellipse,
    "polygon": _polygon,
    "polyline": _polyline,
    "line": _line,
}
"""The path data of each sort of shape."""
