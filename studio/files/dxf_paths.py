"""The lines drawn in a DXF file, as strokes in mm whose y grows upwards; of ASCII files of every version.

tag: a pair of lines, a number (the group code) and a value. entity: a line, arc or the like, as the tags from one 0 to
the next.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from studio.errors import StudioError
from studio.files.foreign import Found, millimetres
from studio.files.path_data import arc_points
from studio.geometry.curves import Floats, Ints, through
from studio.progress import Progress
from studio.texts import tr

UNITS = {
    1: 25.4, 2: 304.8, 4: 1.0, 5: 10.0, 6: 1000.0, 8: 2.54e-5, 9: 0.0254, 10: 914.4, 13: 0.001, 14: 100.0, 21: 304.8,
}  # fmt: skip
"""The mm in each unit of $INSUNITS."""
ENTITIES_A_STEP = 4096
PARTS = 16
"""Cubics for each part of a spline that cubics alone cannot follow exactly."""
_BINARY = b"AutoCAD Binary DXF"
_FULL = 1e-9
_CLOSED, _MESH, _FRAME = 1, 16 | 64, 16


@dataclass(frozen=True, eq=False)
class _Tags:
    """Some tags: their codes (n,) and values."""

    codes: Ints
    values: list[bytes]

    def part(self, begin: int, end: int) -> _Tags:
        """Those from one to another."""
        return _Tags(self.codes[begin:end], self.values[begin:end])

    def all(self, code: int) -> Floats:
        """All numbers of a code."""
        return np.array([float(self.values[at]) for at in np.flatnonzero(self.codes == code).tolist()])

    def one(self, code: int, other: float = 0.0) -> float:
        """The first number of a code."""
        at = np.flatnonzero(self.codes == code)
        return float(self.values[int(at[0])]) if len(at) else other

    def points(self, code: int) -> Floats:
        """The points (n, 2) whose x has a code."""
        x, y = self.all(code), self.all(code + 10)
        if len(x) != len(y):
            raise ValueError("a point has only one coordinate")
        return np.stack([x, y], 1)


def read(data: bytes, unit: str | None, progress: Progress) -> Found:
    """The strokes of a DXF file; `unit` is that of a file that states none.

    Raises UnitMissing where there is none, and StudioError, to follow the file's name, for what is no DXF file.
    """
    if data.startswith(_BINARY):
        raise StudioError(tr("it is a binary DXF file; save it as ASCII (text) DXF."))
    found = Found()
    try:
        tags = _tags(data, progress.part(0.0, 0.5))
        scale = UNITS.get(int(_variable(tags, b"$INSUNITS"))) or millimetres(unit)
        with np.errstate(all="ignore"):
            _read_all(_section(tags, b"ENTITIES"), found, progress.part(0.5, 1.0))
    except (ValueError, IndexError, OverflowError) as problem:
        raise StudioError(tr("it is not a valid DXF file, or it is truncated.")) from problem
    found.strokes = [stroke * scale for stroke in found.strokes]
    return found


def _tags(data: bytes, progress: Progress) -> _Tags:
    lines = data.split(b"\n")
    progress.step(0.2)
    values = [line.strip() for line in lines[1::2]]
    progress.step(0.5)
    codes = np.array([int(line) for line in lines[: 2 * len(values) : 2]], np.int64)
    progress.step(0.9)
    # What comes after the end of the file is no tag.
    if b"EOF" not in values[-3:]:
        raise ValueError("no end")
    return _Tags(codes, values)


def _variable(tags: _Tags, name: bytes) -> float:
    """A number in the header; 0 where it is missing."""
    return float(tags.values[tags.values.index(name) + 1]) if name in tags.values else 0.0


def _section(tags: _Tags, name: bytes) -> _Tags:
    begins = [
        at
        for at in np.flatnonzero(tags.codes == 2).tolist()
        if tags.values[at] == name and at and tags.values[at - 1] == b"SECTION"
    ]
    begin = begins[0] + 1
    end = tags.values.index(b"ENDSEC", begin)
    return tags.part(begin, end)


def _read_all(tags: _Tags, found: Found, progress: Progress) -> None:
    starts = [*np.flatnonzero(tags.codes == 0).tolist(), len(tags.codes)]
    number = 0
    while number < len(starts) - 1:
        if number % ENTITIES_A_STEP == 0:
            progress.step(number / len(starts))
        begin, end = starts[number], starts[number + 1]
        kind = tags.values[begin].decode("ascii", "replace").upper()
        number += 1
        vertices: list[_Tags] = []
        while kind == "POLYLINE" and tags.values[starts[number]] != b"SEQEND":
            vertices.append(tags.part(starts[number], starts[number + 1]))
            number += 1
        entity = tags.part(begin, end)
        if kind in ("SEQEND", "VIEWPORT") or entity.one(60) or entity.one(67):
            continue
        stroke = _polyline(entity, vertices) if kind == "POLYLINE" else _DRAWN.get(kind, _nothing)(entity)
        if stroke is None:
            found.left_out[kind] += 1
        elif len(stroke) > 1:
            found.strokes.append(stroke)
            found.layers.append("")


def _nothing(_entity: _Tags) -> None:
    return None


def _upright(entity: _Tags, stroke: Floats) -> Floats:
    """A stroke in the plane of the page; an entity drawn from behind is mirrored. Others raise StudioError."""
    normal = entity.one(210), entity.one(220), entity.one(230, 1.0)
    if abs(normal[0]) > _FULL or abs(normal[1]) > _FULL:
        raise StudioError(tr("it contains lines that do not lie in the plane of the page."))
    return stroke * (-1, 1) if normal[2] < 0 else stroke


def _line(entity: _Tags) -> Floats:
    return through(np.concatenate([entity.points(10)[:1], entity.points(11)[:1]]))


def _lightweight(entity: _Tags) -> Floats:
    at = np.flatnonzero(entity.codes == 10)
    bulges = np.zeros(len(at))
    # A bulge follows the vertex that it begins at.
    bulges[np.searchsorted(at, np.flatnonzero(entity.codes == 42)) - 1] = entity.all(42)
    return _upright(entity, _bulged(entity.points(10), bulges, is_closed=int(entity.one(70)) & _CLOSED == 1))


def _polyline(entity: _Tags, vertices: list[_Tags]) -> Floats | None:
    flags = int(entity.one(70))
    if flags & _MESH:
        return None
    drawn = [one for one in vertices if not int(one.one(70)) & _FRAME]
    points = np.array([(one.one(10), one.one(20)) for one in drawn]).reshape(-1, 2)
    bulges = np.array([one.one(42) for one in drawn])
    return _upright(entity, _bulged(points, bulges, is_closed=flags & _CLOSED == 1))


def _bulged(points: Floats, bulges: Floats, *, is_closed: bool) -> Floats:
    """A polyline whose parts are arcs where they have a bulge: the tangent of a quarter of their angle."""
    if is_closed and len(points) and (points[0] != points[-1]).any():
        points = np.concatenate([points, points[:1]])
    if len(points) < 2:
        return points
    bulges = bulges[: len(points) - 1]
    if not bulges.any():
        return through(points)
    parts = [points[:1]]
    for begin, end, bulge in zip(points[:-1], points[1:], bulges.tolist(), strict=True):
        part = through(np.stack([begin, end])) if bulge == 0 or (begin == end).all() else _bow(begin, end, bulge)
        parts.append(part[1:])
    return np.concatenate(parts)


def _bow(begin: Floats, end: Floats, bulge: float) -> Floats:
    """The arc from one point to another."""
    sweep = 4 * np.arctan(bulge)
    unit = arc_points(-np.pi / 2 - sweep / 2, sweep).view(np.complex128)[:, 0]
    way = complex(*(end - begin))
    placed = (unit - unit[0]) * (way / (unit[-1] - unit[0])) + complex(*begin)
    points = np.stack([placed.real, placed.imag], 1)
    points[0], points[-1] = begin, end
    return points


def _circle(entity: _Tags) -> Floats:
    return _upright(entity, _ring(arc_points(0.0, 2 * np.pi) * entity.one(40) + entity.points(10)[0]))


def _arc(entity: _Tags) -> Floats:
    start, end = np.radians(entity.one(50)), np.radians(entity.one(51))
    sweep = (end - start) % (2 * np.pi) or 2 * np.pi
    points = arc_points(start, sweep) * entity.one(40) + entity.points(10)[0]
    return _upright(entity, points)


def _ellipse(entity: _Tags) -> Floats:
    start, end = entity.one(41), entity.one(42, 2 * np.pi)
    sweep = end - start if abs(end - start - 2 * np.pi) < _FULL else (end - start) % (2 * np.pi) or 2 * np.pi
    major = entity.points(11)[0]
    minor = np.array([-major[1], major[0]]) * entity.one(40, 1.0) * (-1 if entity.one(230, 1.0) < 0 else 1)
    points = arc_points(start, sweep) @ np.stack([major, minor]) + entity.points(10)[0]
    return _ring(points) if abs(sweep - 2 * np.pi) < 1e-6 else points


def _ring(points: Floats) -> Floats:
    points[-1] = points[0]
    return points


def _spline(entity: _Tags) -> Floats | None:
    """A B-spline, also a rational one: exact where cubics can be."""
    control, knots, degree = entity.points(10), entity.all(40), int(entity.one(71))
    if len(control) < 2 or len(knots) != len(control) + degree + 1 or not 0 < degree < len(control):
        return None
    weights = entity.all(41) if (entity.codes == 41).any() else np.ones(len(control))
    spans = np.arange(degree, len(control))
    spans = spans[knots[spans + 1] > knots[spans]]
    parts = 1 if degree <= 3 and np.ptp(weights) == 0 else PARTS
    lows, highs = (
        np.concatenate([knots[spans] + (knots[spans + 1] - knots[spans]) * share / parts for share in shares])
        for shares in (range(parts), range(1, parts + 1))
    )
    spans = np.tile(spans, parts)
    order = np.argsort(lows, kind="stable")
    spans, lows, highs = spans[order], lows[order], highs[order]
    weighted = np.concatenate([control * weights[:, None], weights[:, None]], 1)
    begins, leaving = _on_spline(weighted, knots, degree, spans, lows)
    ends, reaching = _on_spline(weighted, knots, degree, spans, highs)
    third = ((highs - lows) / 3)[:, None]
    points = np.stack([begins + leaving * third, ends - reaching * third, ends], 1).reshape(-1, 2)
    stroke = np.concatenate([begins[:1], points])
    if np.abs(stroke[0] - stroke[-1]).max() < 1e-6 * max(1.0, float(np.ptp(stroke, axis=0).max())):
        stroke[-1] = stroke[0]
    return stroke


def _on_spline(weighted: Floats, knots: Floats, degree: int, spans: Ints, at: Floats) -> tuple[Floats, Floats]:
    """The points (k, 2) and derivatives (k, 2) of a spline at places of some spans, by de Boor's algorithm."""
    reached = weighted[spans[:, None] - degree + np.arange(degree + 1)]
    slope = np.zeros_like(reached[:, 0])
    for level in range(1, degree + 1):
        if level == degree:
            slope = degree * (reached[:, -1] - reached[:, -2]) / (knots[spans + 1] - knots[spans])[:, None]
        for place in range(degree, level - 1, -1):
            low = knots[spans - degree + place]
            share = ((at - low) / (knots[spans + place - level + 1] - low))[:, None]
            reached[:, place] = (1 - share) * reached[:, place - 1] + share * reached[:, place]
    point, weight = reached[:, -1, :2], reached[:, -1, 2:]
    return point / weight, (slope[:, :2] - slope[:, 2:] * point / weight) / weight


_DRAWN: dict[str, Callable[[_Tags], Floats | None]] = {
    "LINE": _line,
    "LWPOLYLINE": _lightweight,
    "CIRCLE": _circle,
    "ARC": _arc,
    "ELLIPSE": _ellipse,
    "SPLINE": _spline,
}
