"""Reads the lines visible in the model space of a DXF file, as strokes in mm with y upwards.

ezdxf loads the file, of any version, binary or damaged; every curve but a rational or high spline becomes exact cubics.
Block references are drawn by matrices: the content of a block is an array of points.
"""

from __future__ import annotations

import io
import logging
import struct
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.dxf_tags import INVALID, MOST_TAGS, Cleaned, cleaned
from studio.files.imported_paths import (
    MOST_ELEMENTS,
    MOST_POINTS,
    Found,
    counted,
    millimetres,
    too_many_elements,
    too_many_points,
)  # fmt: skip
from studio.files.path_data import FINEST_TURN, arc_points
from studio.geometry.curves.strokes import Floats, Ints, offsets, paired, through

if TYPE_CHECKING:
    from ezdxf.document import Drawing

MOST_DRAWN_OUT = 3
"""Limit for the copies of elements and points by nested blocks, on average."""
MOST_FIT_POINTS, MOST_FITTED = 1_000, 20_000
"""Limits for the fit points of a spline, and of all: ezdxf's time grows with the square of their number."""
DEEPEST = 100
"""Blocks within blocks."""
PARTS = 16
"""Cubics for each part of a spline that cubics alone cannot follow exactly."""
FLAT = 1e-6
"""The largest height of a flat curve, as a share of its width."""
_BINARY = b"AutoCAD Binary DXF"
_FULL = 1e-9
_FRAME = 16
_SILENT = frozenset({"ATTDEF", "SEQEND", "VIEWPORT"})
"""Entities that draw no line."""


def read(data: bytes, unit: str | None, progress: Progress) -> Found:
    """Read the strokes of a DXF file; `unit`, if given, overrides the unit stated in the file.

    Raises UnitMissing without either, and StudioError, to follow the file's name, for another file.
    """
    text = cleaned(_in_text(data) if data.startswith(_BINARY) else data)
    progress.step(0.2)
    scale = UNITS[text.units][1] if unit is None and text.units in UNITS else millimetres(unit)
    document = _document(text.text)
    progress.step(0.8)
    layers = _Layers(document)
    blocks = _Blocks(document, layers)
    content = blocks.content(document.blocks.get("*Model_Space") or ())
    blocks.ensure_bounded(content)
    progress.step(0.95)
    found = _found(content, layers, text, scale)
    if unit is None and text.units not in USUAL_UNITS:
        found.stated = tr(
            "The file states its lengths in {unit}; choose another unit if they are not.", unit=UNITS[text.units][0]
        )
    return found


def _in_text(data: bytes) -> bytes:
    """Return a binary DXF file as ASCII."""
    from ezdxf.lldxf.const import DXFError
    from ezdxf.lldxf.tagger import binary_tags_loader
    from ezdxf.lldxf.types import DXFBinaryTag

    lines: list[bytes] = []
    try:
        for tag in binary_tags_loader(data):
            value = tag.value.hex() if isinstance(tag, DXFBinaryTag) else tag.value
            words = repr(value) if isinstance(value, float) else str(value)
            text = "".join(each if each.isascii() else f"\\U+{ord(each):04X}" for each in words)
            lines += (b"%d" % tag.code, text.encode("ascii"))
            if len(lines) > 2 * MOST_TAGS:
                break
    except (DXFError, struct.error, IndexError, ValueError, LookupError) as problem:
        raise StudioError(INVALID) from problem
    return b"\n".join((*lines, b""))


def _document(text: bytes) -> Drawing:
    """Load the file like `recover.read`, but without its audit.

    The audit follows nested blocks in exponential time, and silently deletes content.
    """
    from ezdxf.document import Drawing
    from ezdxf.lldxf.const import DXFError
    from ezdxf.recover import Recover

    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)
    document = Drawing()
    try:
        sections = Recover.run(io.BytesIO(text)).section_dict
        if "ENTITIES" not in sections:
            raise StudioError(INVALID)
        document._load_section_dict(sections)
    except (DXFError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError) as problem:
        raise StudioError(INVALID) from problem
    return document


_SURVEY_FOOT = 1_200_000 / 3937
UNITS = {
    1: (tr("inches"), 25.4), 2: (tr("feet"), 304.8), 3: (tr("miles"), 1_609_344.0), 4: (tr("mm"), 1.0),
    5: (tr("cm"), 10.0), 6: (tr("metres"), 1e3), 7: (tr("kilometres"), 1e6), 8: (tr("microinches"), 25.4e-6),
    9: (tr("mils"), 0.0254), 10: (tr("yards"), 914.4), 11: (tr("ångströms"), 1e-7), 12: (tr("nanometres"), 1e-6),
    13: (tr("microns"), 1e-3), 14: (tr("decimetres"), 100.0), 15: (tr("decametres"), 1e4), 16: (tr("hectometres"), 1e5),
    17: (tr("gigametres"), 1e12), 18: (tr("astronomical units"), 1.495978707e14),
    19: (tr("light years"), 9.4607304725808e18), 20: (tr("parsecs"), 3.0856775814913673e19),
    21: (tr("US survey feet"), _SURVEY_FOOT), 22: (tr("US survey inches"), _SURVEY_FOOT / 12),
    23: (tr("US survey yards"), _SURVEY_FOOT * 3), 24: (tr("US survey miles"), _SURVEY_FOOT * 5280),
}  # fmt: skip
"""Name and mm of the units that $INSUNITS numbers; ezdxf converts some of them only roughly."""
USUAL_UNITS = (1, 4, 5)


def _found(content: _Content, layers: _Layers, text: Cleaned, scale: float) -> Found:
    """Collect the visible content of the model space."""
    found, hidden = Found(), content.hidden.copy()
    is_flat = content.flat()
    for stroke, layer, flat in zip(content.strokes(), content.layers, is_flat, strict=True):
        if layers.state(layer):
            hidden[layers.described(layer)] += 1
        elif not flat:
            found.left_out[tr("line out of the plane")] += 1
        else:
            found.strokes.append(stroke * scale)
            found.layers.append(layer)
    for (kind, layer), count in content.left_out.items():
        if layers.state(layer):
            hidden[layers.described(layer)] += count
        else:
            found.left_out[kind] += count
    for words, counts in (
        (tr("Left out, not shown in the drawing:"), hidden),
        (tr("Left out, damaged:"), text.damaged + content.damaged),
    ):
        if counts:
            found.notes.append(f"{words} {counted(counts)}.")
    if text.is_cut_off:
        found.notes.append(tr("The file ends early; check that nothing is missing."))
    return found


@dataclass
class _Layers:
    """The reasons why layers are invisible."""

    document: Drawing
    known: dict[str, str] = field(default_factory=dict)

    def state(self, name: str) -> str:
        """Return the reason in a word; empty for a visible layer."""
        if name in self.known:
            return self.known[name]
        layer = self.document.layers.get(name) if name in self.document.layers else None
        if name.casefold() == "defpoints":
            state = tr("not plotted")
        elif layer is None:
            state = ""
        elif layer.is_frozen():
            state = tr("frozen")
        elif layer.is_off():
            state = tr("off")
        else:
            state = "" if layer.dxf.get("plot", 1) else tr("not plotted")
        self.known[name] = state
        return state

    def described(self, name: str) -> str:
        """Name an invisible layer with the reason."""
        return tr("layer {layer} ({state})", layer=name[:40], state=self.state(name))

    def is_frozen(self, name: str) -> bool:
        """True if a layer also hides what its blocks draw on other layers."""
        return name in self.document.layers and self.document.layers.get(name).is_frozen()


@dataclass
class _Content:
    """Everything that a block draws: points (n, 3) of strokes of `sizes`, the layer of each, and entities left out.

    `left_out` counts sorts of entities by their layers.
    """

    points: list[Floats] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    left_out: Counter[tuple[str, str]] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    damaged: Counter[str] = field(default_factory=Counter)
    elements: int = 0
    curves: int = 0

    def add(self, stroke: Floats, layer: str) -> None:
        """Add a stroke (n, 3)."""
        self.points.append(stroke)
        self.sizes.append(len(stroke))
        self.layers.append(layer)

    def strokes(self) -> list[Floats]:
        """Return the strokes (n, 2) seen from above."""
        whole = np.concatenate([*self.points, np.zeros((0, 3))])[:, :2]
        return np.split(whole, np.cumsum(self.sizes)[:-1]) if self.sizes else []

    def flat(self) -> list[bool]:
        """True for each stroke that lies in the plane of the page, or parallel to it."""
        if not self.sizes:
            return []
        starts = np.cumsum([0, *self.sizes[:-1]])
        whole = np.concatenate(self.points)
        extents = np.maximum.reduceat(whole, starts) - np.minimum.reduceat(whole, starts)
        return list((extents[:, 2] <= FLAT * extents[:, :2].max(axis=1)).tolist())


@dataclass
class _Blocks:
    """Draws out the blocks of a document, each once."""

    document: Drawing
    layers: _Layers
    drawn: dict[str, _Content] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)
    fitted: int = 0
    elements: int = 0
    curves: int = 0
    is_full: bool = False

    def content(self, entities: Iterable[Any]) -> _Content:
        """Collect everything that some entities draw."""
        from ezdxf.lldxf.const import DXFError

        content = _Content()
        for entity in entities:
            kind, layer = entity.dxftype(), _value(entity, "layer", "0")
            if _value(entity, "invisible", 0):
                content.hidden[tr("invisible element")] += 1
                continue
            try:
                with np.errstate(all="ignore"):
                    if kind == "INSERT":
                        self._refer(entity, layer, content)
                    elif kind in _DRAWN:
                        self._draw(entity, kind, layer, content)
                    elif kind not in _SILENT:
                        content.left_out[kind, layer] += 1
            except (DXFError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
                content.damaged[kind] += 1
        return content

    def _draw(self, entity: Any, kind: str, layer: str, content: _Content) -> None:
        if kind == "SPLINE" and not entity.control_point_count():
            self.fitted += entity.fit_point_count()
            if entity.fit_point_count() > MOST_FIT_POINTS or self.fitted > MOST_FITTED:
                content.left_out[tr("spline through too many points"), layer] += 1
                return
        stroke = _DRAWN[kind](entity)
        if stroke is None:
            content.left_out[kind, layer] += 1
        elif len(stroke) > 1:
            self._spend(content, 1, len(stroke) // 3)
            if not self.is_full:
                content.add(stroke, layer)

    def _spend(self, content: _Content, elements: int, curves: int) -> None:
        """Count elements and curves of a block, and of all; beyond the bounds, the rest is only counted."""
        for drawn, times in ((content, 1), (self, MOST_DRAWN_OUT)):
            drawn.elements += elements
            drawn.curves += curves
            self.is_full |= drawn.curves > times * MOST_POINTS or drawn.elements > times * MOST_ELEMENTS

    def ensure_bounded(self, content: _Content) -> None:
        """Raise StudioError if the model space, or the drawing of all blocks, is beyond the bounds."""
        for drawn, times in ((content, 1), (self, MOST_DRAWN_OUT)):
            if drawn.curves > times * MOST_POINTS:
                raise too_many_points(drawn.curves)
            if drawn.elements > times * MOST_ELEMENTS:
                raise too_many_elements(drawn.elements)

    def _refer(self, entity: Any, layer: str, content: _Content) -> None:
        from ezdxf.xclip import XClip

        for _ in entity.attribs:
            content.left_out["ATTRIB", layer] += 1
        name = str(entity.dxf.get("name", "")).casefold()
        block = self.document.blocks.get(name)
        if block is None or block.block is None or block.block.is_xref:
            content.left_out[tr("block of another file") if block else tr("missing block"), layer] += 1
            return
        if XClip(entity).has_clipping_path:
            content.left_out[tr("clipped block"), layer] += 1
            return
        if name in self.open:
            raise StudioError(tr("its block {name} contains itself.", name=block.name))
        if len(self.open) >= DEEPEST:
            raise StudioError(tr("its blocks are nested more than {most} deep.", most=DEEPEST))
        if name not in self.drawn:
            self.open.append(name)
            self.drawn[name] = self.content(block)
            self.open.pop()
        inner = self.drawn[name]
        count = entity.mcount
        # Each sort of entity left out in a block is counted at each reference.
        told = len(inner.left_out) + len(inner.hidden) + len(inner.damaged)
        strokes = inner.elements if self.is_full else len(inner.sizes)
        self._spend(content, count * (strokes or 1) + told, count * inner.curves)
        if self.is_full:
            return
        if self.layers.is_frozen(layer):
            content.hidden[self.layers.described(layer)] += count
            return
        if inner.sizes:
            turned = np.array([entity.matrix44().get_row(row)[:3] for row in range(3)])
            points = np.concatenate(inner.points) @ turned
            content.points.append((points + _places(entity)[:, None]).reshape(-1, 3))
        content.sizes += inner.sizes * count
        # Layer 0 of a block stands for the layer of its reference.
        content.layers += [layer if one == "0" else one for one in inner.layers] * count
        for (kind, one), number in inner.left_out.items():
            content.left_out[kind, layer if one == "0" else one] += number * count
        for mine, others in ((content.hidden, inner.hidden), (content.damaged, inner.damaged)):
            mine.update({kind: number * count for kind, number in others.items()})


def _value(entity: Any, name: str, other: Any) -> Any:
    """Return an attribute that some entities lack."""
    return entity.dxf.get(name, other) if entity.dxf.is_supported(name) else other


def _places(entity: Any) -> Floats:
    """Return the shifts (k, 3) of a reference's copies of a block, one for each of its rows and columns."""
    dxf = entity.dxf
    rows, columns = np.meshgrid(
        np.arange(dxf.row_count if dxf.row_spacing else 1), np.arange(dxf.column_count if dxf.column_spacing else 1)
    )
    along = (columns * dxf.column_spacing + 1j * rows * dxf.row_spacing).ravel() * np.exp(1j * np.radians(dxf.rotation))
    begin: Floats = np.array(entity.matrix44().get_row(3)[:3])
    return begin + _raised(entity, np.stack([along.real, along.imag], 1), 0.0)


def _raised(entity: Any, points: Floats, height: float) -> Floats:
    """Lift points (n, 2) in the plane of an entity to points (n, 3) in space."""
    ocs = entity.ocs()
    axes: Floats = np.array([ocs.ux.xyz, ocs.uy.xyz, ocs.uz.xyz])
    return np.asarray(np.column_stack([points, np.full(len(points), height)]) @ axes)


def _through(points: Iterable[Any]) -> Floats:
    return through(np.array([point.xyz for point in points]).reshape(-1, 3))


def _lightweight(entity: Any) -> Floats:
    points = np.array(entity.get_points("xyb")).reshape(-1, 3)
    return _raised(entity, _bulged(points[:, :2], points[:, 2], is_closed=entity.closed), entity.dxf.elevation)


def _polyline(entity: Any) -> Floats | None:
    """Return a polyline, in its plane or in space; None for a mesh."""
    if not (entity.is_2d_polyline or entity.is_3d_polyline):
        return None
    drawn = [one.dxf for one in entity.vertices if not one.dxf.get("flags", 0) & _FRAME]
    if entity.is_3d_polyline:
        return _through([one.location for one in (*drawn, *(drawn[:1] if entity.is_closed else ()))])
    points = np.array([one.location.xyz for one in drawn]).reshape(-1, 3)
    bulges = np.array([one.get("bulge", 0.0) for one in drawn])
    height = entity.dxf.elevation.z if entity.dxf.hasattr("elevation") else float(points[0, 2])
    return _raised(entity, _bulged(points[:, :2], bulges, is_closed=entity.is_closed), height)


def _bulged(points: Floats, bulges: Floats, *, is_closed: bool) -> Floats:
    """Return a polyline with an arc for each bulge: the tangent of a quarter of the arc's angle."""
    if is_closed and len(points) and (points[0] != points[-1]).any():
        points, bulges = np.concatenate([points, points[:1]]), np.append(bulges, 0.0)
    if len(points) < 2:
        return points
    bulges = bulges[: len(points) - 1]
    if not bulges.any():
        return through(points)
    sweeps = 4 * np.arctan(bulges)
    counts = np.maximum(np.ceil(np.abs(sweeps) / FINEST_TURN - 1e-9), 1).astype(np.int64)
    starts = offsets(counts)
    if starts[-1] > MOST_POINTS:
        raise too_many_points()
    corners = paired(points)
    ways = np.diff(corners)
    made = np.empty((starts[-1], 3), np.complex128)
    for count in np.unique(counts).tolist():
        some = np.flatnonzero(counts == count)
        sweep = sweeps[some, None]
        unit = np.exp(1j * sweep * (np.arange(count + 1) / count - 0.5))
        handles = 4 / 3 * np.tan(sweep / count / 4) * 1j * unit
        arcs = np.stack([(unit + handles)[:, :-1], (unit - handles)[:, 1:], unit[:, 1:]], 2)
        span = np.where(sweep, unit[:, -1:] - unit[:, :1], 1.0)
        along = np.where(sweep[..., None], (arcs - unit[:, :1, None]) / span[..., None], np.arange(1, 4) / 3)
        made[starts[some][:, None] + np.arange(count)] = along * ways[some, None, None] + corners[some, None, None]
    made[starts[1:] - 1, 2] = corners[1:]
    whole = np.concatenate([corners[:1], made.ravel()])
    return np.stack([whole.real, whole.imag], 1)


def _arc(entity: Any) -> Floats:
    start, end = np.radians(entity.dxf.start_angle), np.radians(entity.dxf.end_angle)
    return _round(entity, arc_points(start, _sweep(start, end)))


def _round(entity: Any, unit: Floats) -> Floats:
    """Return an arc of the unit circle with the centre and radius of an entity."""
    centre = entity.dxf.center
    return _raised(entity, unit * abs(entity.dxf.radius) + (centre.x, centre.y), centre.z)


def _sweep(start: float, end: float) -> float:
    """Return the anticlockwise angle between two directions, a full circle if they are equal."""
    return 2 * np.pi if abs(end - start - 2 * np.pi) < _FULL else (end - start) % (2 * np.pi) or 2 * np.pi


def _ellipse(entity: Any) -> Floats:
    dxf = entity.dxf
    sweep = _sweep(dxf.start_param, dxf.end_param)
    across = dxf.extrusion.normalize().cross(dxf.major_axis) * dxf.ratio
    points = arc_points(dxf.start_param, sweep) @ np.array([dxf.major_axis.xyz, across.xyz]) + dxf.center.xyz
    return _ring(points) if abs(sweep - 2 * np.pi) < 1e-6 else points


def _ring(points: Floats) -> Floats:
    points[-1] = points[0]
    return points


def _spline(entity: Any) -> Floats:
    """Return a B-spline, also a rational one or one through points, exactly if cubics can follow it."""
    if not entity.control_point_count():
        points = np.array(list(entity.fit_points)).reshape(-1, 3)
        if entity.closed:
            points = np.concatenate([points, points[:1]])
        # ezdxf cannot pass through a point twice in a row.
        entity.fit_points = points[np.append(True, (points[1:] != points[:-1]).any(axis=1))]
    curve = entity.construction_tool()
    control, knots, degree = np.array([one.xyz for one in curve.control_points]), np.array(curve.knots()), curve.degree
    weights = np.array(curve.weights()) if curve.is_rational else np.ones(len(control))
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
    points = np.stack([begins + leaving * third, ends - reaching * third, ends], 1).reshape(-1, 3)
    stroke = np.concatenate([begins[:1], points])
    if np.abs(stroke[0] - stroke[-1]).max() < 1e-6 * max(1.0, float(np.ptp(stroke, axis=0).max())):
        stroke[-1] = stroke[0]
    return stroke


def _on_spline(weighted: Floats, knots: Floats, degree: int, spans: Ints, at: Floats) -> tuple[Floats, Floats]:
    """Return the points (k, 3) and derivatives (k, 3) of a spline in some spans, by de Boor's algorithm."""
    reached = weighted[spans[:, None] - degree + np.arange(degree + 1)]
    slope = np.zeros_like(reached[:, 0])
    for level in range(1, degree + 1):
        if level == degree:
            slope = degree * (reached[:, -1] - reached[:, -2]) / (knots[spans + 1] - knots[spans])[:, None]
        for place in range(degree, level - 1, -1):
            low = knots[spans - degree + place]
            share = ((at - low) / (knots[spans + place - level + 1] - low))[:, None]
            reached[:, place] = (1 - share) * reached[:, place - 1] + share * reached[:, place]
    point, weight = reached[:, -1, :3], reached[:, -1, 3:]
    return point / weight, (slope[:, :3] - slope[:, 3:] * point / weight) / weight


_DRAWN: dict[str, Callable[[Any], Floats | None]] = {
    "LINE": lambda entity: _through([entity.dxf.start, entity.dxf.end]),
    "LWPOLYLINE": _lightweight,
    "POLYLINE": _polyline,
    "CIRCLE": lambda entity: _round(entity, _ring(arc_points(0.0, 2 * np.pi))),
    "ARC": _arc,
    "ELLIPSE": _ellipse,
    "SPLINE": _spline,
    "HELIX": _spline,
}
