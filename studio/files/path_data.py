"""Path data of SVG, the text of an attribute `d`, as strokes of cubics, and shapes cut off at a clip path.

Lines are straight cubics, quadratic curves are raised, and arcs are divided so that none of their cubics turns by more
than a sixteenth of a circle. A shape is strokes (3k + 1, 2) in mm. Cut shapes are made of short straight lines; shapes
within a clip path keep their curves.
"""

from __future__ import annotations

import cmath
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

import numpy as np

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.imported_paths import too_many_points
from studio.files.svg_values import Scale
from studio.geometry.curves.offsetting import ensure_few_crossings
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, closed_through, through

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

FINEST_TURN = np.pi / 8
"""The most that one cubic of an arc turns: its area is then right to a few parts in 10⁸."""
SEGMENTS_A_STEP = 4096
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_NUMBERS = re.compile(_NUMBER)
_BETWEEN = re.compile(r"[\s,]*")
_PART = re.compile(r"([A-DF-Za-df-z])([^A-DF-Za-df-z]*)")
_ARC = re.compile(r"[\s,]*".join(["", *(f"({_NUMBER})",) * 3, "([01])", "([01])", *(f"({_NUMBER})",) * 2, ""]))
_COUNTS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7, "Z": 0}
"""The numbers that follow each command."""
FLATNESS = 1e-4
"""Deviation of polygons from curves, as a fraction of the larger side of the shape."""
MOST_COMPARED = 2**24
"""Pairs of points and segments compared at a time."""


def strokes(text: str, progress: Progress, most: int) -> tuple[list[Floats], str]:
    """Return the strokes (3k + 1, 2) of path data up to its first fault, and a sentence about that, "" without one.

    A stroke that `Z` closes ends exactly where it begins. Raises StudioError, to follow the file's name, for more than
    `most` curves, the rest of MOST_POINTS.
    """
    pen = _Pen(progress, most)
    at = len(text) - len(text.lstrip())
    try:
        for part in _PART.finditer(text):
            if part.start() != at or part[1].upper() not in _COUNTS:
                break
            at = part.end()
            pen.draw(part[1], part[2])
        if text[at:].strip():
            raise _Fault(tr("unknown command near {text!r}", text=text[at : at + 20]))
    except _Fault as fault:
        return pen.finished(), str(fault)
    return pen.finished(), ""


def numbers(text: str, count: int | None = None) -> tuple[list[float], str]:
    """Return the numbers of a text as far as only separators part them, and the rest of the text.

    At most `count` numbers are taken, if given.
    """
    found, at = list[float](), 0
    for number in islice(_NUMBERS.finditer(text), count):
        if number.start() != at and _BETWEEN.fullmatch(text, at, number.start()) is None:
            break
        at = number.end()
        found.append(float(number[0]))
    rest = _BETWEEN.match(text, at)
    return found, text[rest.end() if rest else at :]


class _Fault(Exception):
    """Path data is drawn only up to here."""


def arc_points(start: float, sweep: float) -> Floats:
    """Return the control points (3k + 1, 2) of an arc of the unit circle from one angle on, in radians."""
    count = max(1, int(np.ceil(abs(sweep) / FINEST_TURN - 1e-9)))
    angles = start + sweep * np.arange(count + 1) / count
    knots = np.stack([np.cos(angles), np.sin(angles)], 1)
    handles = 4 / 3 * np.tan(sweep / count / 4) * np.stack([-knots[:, 1], knots[:, 0]], 1)
    points = np.empty((3 * count + 1, 2))
    points[::3], points[1::3], points[2::3] = knots, (knots + handles)[:-1], (knots - handles)[1:]
    return points


@dataclass
class _Pen:
    """Follows path data; points are complex numbers."""

    progress: Progress
    most: int
    done: list[Floats] = field(default_factory=list)
    points: list[complex] = field(default_factory=list)
    begin: complex = 0j
    here: complex = 0j
    handle: complex = 0j
    """The last handle of the curve before, which S and T mirror."""
    before: str = ""
    drawn: int = 0

    def draw(self, command: str, text: str) -> None:
        """Draw one command, repeated while it has numbers."""
        kind, count = command.upper(), _COUNTS[command.upper()]
        if not self.before and kind != "M":
            raise _Fault(tr("it does not begin with a move"))
        if count == 0:
            if text.strip():
                raise _wrong(command, text)
            if self.points:
                if self.here != self.begin:
                    self._line(self.begin)
                self._end()
            self.here = self.begin
            self.before = kind
            return
        found, rest = _arc_numbers(text) if kind == "A" else numbers(text, count * (self.most + 1))
        whole = len(found) - len(found) % count
        for at in range(0, whole, count):
            # More numbers behind a move are lines.
            self._step("L" if kind == "M" and at else kind, found[at : at + count], relative=command.islower())
        if rest or not found or whole < len(found):
            raise _wrong(command, text)

    def finished(self) -> list[Floats]:
        """Return all strokes."""
        self._end()
        return self.done

    def _step(self, kind: str, numbers: list[float], *, relative: bool) -> None:
        self.drawn += 1
        if self.drawn > self.most:
            raise too_many_points()
        if self.drawn % SEGMENTS_A_STEP == 0:
            self.progress.step(0.0)
        origin = self.here if relative else 0j
        if kind == "M":
            self._end()
            self.begin = self.here = complex(*numbers) + origin
        else:
            if not self.points:
                self.points = [self.here]
            _DRAWN[kind](self, numbers, origin)
        self.before = kind

    def _line(self, to: complex) -> None:
        way = to - self.here
        self.points += (self.here + way / 3, self.here + 2 * way / 3, to)
        self.here = to

    def _mirrored(self, after: str) -> complex:
        """Return the handle that continues a preceding curve of the same sort."""
        return 2 * self.here - self.handle if self.before in after else self.here

    def _cubic(self, numbers: list[float], origin: complex) -> None:
        *handles, to = _pairs(numbers, origin)
        first, second = (self._mirrored("CS"), *handles)[-2:] if len(handles) == 1 else handles
        self.points += (first, second, to)
        self.here, self.handle = to, second

    def _quadratic(self, numbers: list[float], origin: complex) -> None:
        *handles, to = _pairs(numbers, origin)
        handle = handles[0] if handles else self._mirrored("QT")
        self.points += ((self.here + 2 * handle) / 3, (to + 2 * handle) / 3, to)
        self.here, self.handle = to, handle

    def _arc(self, numbers: list[float], origin: complex) -> None:
        across, down, turn, is_large, is_clockwise = numbers[:5]
        to = complex(*numbers[5:]) + origin
        if across == 0 or down == 0:
            self._line(to)
        elif to != self.here:
            try:
                points = _elliptical(self.here, to, (abs(across), abs(down)), turn, bool(is_large), bool(is_clockwise))
            except (ArithmeticError, ValueError):
                # Numbers that no float holds.
                raise _wrong("A", " ".join(map(str, numbers))) from None
            self.points += points[1:-1]
            self.points.append(to)
            self.here = to

    def _end(self) -> None:
        if self.points:
            self.done.append(np.array(self.points).view(np.float64).reshape(-1, 2))
            self.points = []


_DRAWN: dict[str, Callable[[_Pen, list[float], complex], None]] = {
    "L": lambda pen, numbers, origin: pen._line(complex(*numbers) + origin),
    "H": lambda pen, numbers, origin: pen._line(complex(numbers[0] + origin.real, pen.here.imag)),
    "V": lambda pen, numbers, origin: pen._line(complex(pen.here.real, numbers[0] + origin.imag)),
    "C": _Pen._cubic,
    "S": _Pen._cubic,
    "Q": _Pen._quadratic,
    "T": _Pen._quadratic,
    "A": _Pen._arc,
}


def _arc_numbers(text: str) -> tuple[list[float], str]:
    """Return the numbers of arcs, whose two flags need no separator behind them, and the text of a fault."""
    found, at = list[float](), 0
    while at < len(text):
        one = _ARC.match(text, at)
        if one is None:
            return found, text[at:]
        found += map(float, one.groups())
        at = one.end()
    return found, ""


def wrong_numbers(command: str, text: str) -> str:
    """Return the fault of missing or invalid numbers."""
    return tr("wrong numbers: {text!r}", text=f"{command}{text[:30]}"[:30])


def _wrong(command: str, text: str) -> _Fault:
    return _Fault(wrong_numbers(command, text))


def _pairs(numbers: list[float], origin: complex) -> list[complex]:
    return [complex(x, y) + origin for x, y in zip(numbers[::2], numbers[1::2], strict=True)]


def _elliptical(
    begin: complex, end: complex, radii: tuple[float, float], turn: float, is_large: bool, is_clockwise: bool
) -> list[complex]:
    """Return the control points of an elliptical arc given by its ends (SVG specification, F.6.5)."""
    across, down = radii
    upright = cmath.exp(-1j * math.radians(turn))
    half = (begin - end) / 2 * upright
    # Everything in units of the radii, so that the ellipse is a circle.
    half = complex(half.real / across, half.imag / down)
    grown = max(1.0, abs(half))
    half /= grown
    middle = half * 1j * math.sqrt(max(0.0, 1 / abs(half) ** 2 - 1)) * (-1 if is_large != is_clockwise else 1)
    first, last = cmath.phase(half - middle), cmath.phase(-half - middle)
    sweep = (last - first) % (2 * math.pi) if is_clockwise else -((first - last) % (2 * math.pi))
    count = max(1, math.ceil(abs(sweep) / FINEST_TURN - 1e-9))
    reach = 4j / 3 * math.tan(sweep / count / 4)
    knots = [cmath.rect(1.0, first + sweep * at / count) for at in range(count + 1)]
    circle = [knots[0]]
    for one, other in pairwise(knots):
        circle += (one + reach * one, other - reach * other, other)
    centre = (begin + end) / 2
    circle = [point + middle for point in circle]
    return [complex(across * one.real, down * one.imag) * grown / upright + centre for one in circle]


# The strokes of each shape of SVG, in user units

Drawn = tuple[list[Floats], str]
"""Strokes (3k + 1, 2), and a sentence about a fault, "" without one."""


def _path(element: Element, _scale: Scale, progress: Progress, most: int) -> Drawn:
    text = element.get("d", "")
    return ([], "") if text.strip() == "none" else strokes(text, progress, most)


def _rectangle(element: Element, scale: Scale, progress: Progress, most: int) -> Drawn:
    x, y = _length(element, "x", "x", scale), _length(element, "y", "y", scale)
    width, height = _length(element, "width", "x", scale), _length(element, "height", "y", scale)
    if not (width > 0 and height > 0):
        return [], ""
    across, down = _radii(element, scale)
    across, down = min(max(across, 0.0), width / 2), min(max(down, 0.0), height / 2)
    if not (across > 0 and down > 0):
        corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
        return [closed_through(np.array(corners))], ""
    arc = f"a{across!r},{down!r} 0 0 1 "
    wide, high = width - 2 * across, height - 2 * down
    return strokes(
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
        across, down = _radii(element, scale)
    if not (across > 0 and down > 0):
        return [], ""
    half = f"A{across!r},{down!r} 0 0 1 "
    text = f"M{x + across!r},{y!r}{half}{x - across!r},{y!r}{half}{x + across!r},{y!r}z"
    return strokes(text, progress, most)


def _polygon(element: Element, scale: Scale, progress: Progress, most: int) -> Drawn:
    strokes, fault = _polyline(element, scale, progress, most)
    return [closed_through(stroke[::3]) for stroke in strokes], fault


def _polyline(element: Element, _scale: Scale, _progress: Progress, most: int) -> Drawn:
    found, rest = numbers(element.get("points", ""), 2 * most + 4)
    points = np.array(found[: len(found) // 2 * 2]).reshape(-1, 2)
    if len(points) > most + 1:
        raise too_many_points()
    fault = wrong_numbers("", rest or element.get("points", "")) if rest or len(found) % 2 else ""
    return ([through(points)] if len(points) > 1 else []), fault


def _line(element: Element, scale: Scale, _progress: Progress, _most: int) -> Drawn:
    ends = [[_length(element, f"{axis}{end}", axis, scale) for axis in "xy"] for end in "12"]
    return [through(np.array(ends))], ""


def _radii(element: Element, scale: Scale) -> tuple[float, float]:
    """Return the radii of an ellipse or of rounded corners; one that is `auto` takes the other's value."""
    across, down = (
        -1.0 if element.get(key, "auto").strip() == "auto" else _length(element, key, axis, scale)
        for key, axis in (("rx", "x"), ("ry", "y"))
    )
    return across if across >= 0 else down, down if down >= 0 else across


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


def area(strokes: Sequence[Floats], rule: str) -> BaseGeometry:
    """Return the area that a shape fills by the rule `evenodd` or `nonzero`; open strokes count as closed."""
    import shapely

    lines = _flattened(strokes)
    rings = [lines[at] for at in range(len(lines)) if len(lines[at]) > 2]
    polygons = [polygon for polygon in map(shapely.Polygon, rings) if polygon.area]
    if len(polygons) < 2 and all(polygon.is_valid for polygon in polygons):
        return polygons[0] if polygons else shapely.Polygon()
    closed = [np.concatenate([ring, ring[:1]]) for ring in rings]
    starts, ends = (np.concatenate([ring[part] for ring in closed]) for part in (slice(None, -1), slice(1, None)))
    ensure_few_crossings(starts, ends)
    noded = shapely.union_all([shapely.LineString(one) for one in closed])
    faces = shapely.get_parts(shapely.polygonize(shapely.get_parts(noded)))
    turns = _windings(shapely.get_coordinates(shapely.point_on_surface(faces)), starts, ends)
    is_inside = turns % 2 == 1 if rule == "evenodd" else turns != 0
    return shapely.union_all(faces[is_inside])


def cut(strokes: Sequence[Floats], region: BaseGeometry, rule: str, *, is_filled: bool) -> list[Floats]:
    """Return the part of a shape within a region: the border of its area if it is filled, else its lines."""
    import shapely

    if shapely.is_empty(region):
        return []
    points = np.concatenate(strokes)
    hull = shapely.box(*points.min(axis=0), *points.max(axis=0))
    if not shapely.intersects(region, hull):
        return []
    if shapely.covers(region, hull):
        return list(strokes)
    filled = area(strokes, rule) if is_filled else shapely.Point()
    if not filled.area:
        lines = _flattened(strokes)
        drawn = shapely.linestrings(lines.points, indices=lines.owners)
        if shapely.covers(region, drawn).all():
            return list(strokes)
        parts = shapely.get_parts(shapely.intersection(drawn, region))
        parts = shapely.get_parts(parts)
        lines_left = parts[(shapely.get_type_id(parts) == 1) & ~shapely.is_empty(parts)]
        return [through(shapely.get_coordinates(one)) for one in lines_left]
    if shapely.covers(region, filled):
        return list(strokes)
    parts = shapely.get_parts(shapely.intersection(filled, region))
    rings = shapely.get_rings(parts[shapely.get_type_id(parts) == 3])
    return [through(shapely.get_coordinates(ring)) for ring in rings]


def _flattened(strokes: Sequence[Floats]) -> Polylines:
    points = np.concatenate(strokes)
    return Curves.from_strokes(list(strokes)).flattened(max(FLATNESS * float(np.ptp(points, axis=0).max()), 1e-12))


def _windings(places: Floats, starts: Floats, ends: Floats) -> Ints:
    """Return the winding number of closed lines around each of n places, from their segments."""
    rise = ends[:, 1] - starts[:, 1]
    turns = np.zeros(len(places), np.int64)
    step = max(1, MOST_COMPARED // max(len(starts), 1))
    for at in range(0, len(places), step):
        x, y = places[at : at + step, :1], places[at : at + step, 1:]
        is_above, is_below = (starts[:, 1] <= y) & (y < ends[:, 1]), (ends[:, 1] <= y) & (y < starts[:, 1])
        with np.errstate(all="ignore"):
            is_right = starts[:, 0] + (y - starts[:, 1]) / rise * (ends[:, 0] - starts[:, 0]) > x
        turns[at : at + step] = (is_above & is_right).sum(axis=1) - (is_below & is_right).sum(axis=1)
    return turns
