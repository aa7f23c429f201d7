"""Reads the visible paths of an SVG file, as strokes in mm: shapes, copies, pages and clip paths.

user unit: the unit of the coordinates in the file. viewport: the area that percentages refer to, a page or symbol.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from xml.etree.ElementTree import Element

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.files.imported_paths import (
    MOST_ELEMENTS,
    MOST_POINTS,
    UNITS,
    Found,
    UnitMissing,
    millimetres,
    too_many_elements,
    too_many_points,
)  # fmt: skip
from studio.files.path_data import SHAPES, area, cut
from studio.files.svg_tree import DEEPEST, Tree, link, linked, name, resolved
from studio.files.svg_values import (  # fmt: skip
    CURRENT,
    NUMBER,
    PIXEL,
    SAME,
    Box,
    Matrix,
    Scale,
    Unreadable,
    fitted,
    is_invisible,
    is_zero,
    parsed_colour,
    product,
    shifted,
    transform,
    view_box,
)
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

MOST_CLIPPED = 2_000_000
"""Limit for points of shapes and clip paths compared with each other."""
POINTS_A_CLIP = 500
"""Points compared in the overhead of two shapes, however simple."""
MOST_NOTES = 5
FARTHEST = 1e7
"""The largest coordinate in mm."""
ELEMENTS_A_STEP = 256
_GROUPS = frozenset({"a", "g", "svg", "switch"})
_SILENT = frozenset({
    "clipPath", "defs", "desc", "filter", "linearGradient", "marker", "mask", "metadata", "namedview", "pattern",
    "radialGradient", "style", "symbol", "title", "view",
})  # fmt: skip
"""Elements that draw nothing by themselves."""
_PAINTED = frozenset({"marker", "mask", "pattern"})
"""Of these, elements whose shapes only the painter draws."""
_INHERITED = frozenset({
    "clip-rule", "color", "fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width", "visibility",
    "marker-start", "marker-mid", "marker-end",
})  # fmt: skip
_MARKERS = ("marker-start", "marker-mid", "marker-end")
_INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
_ABSOLUTE = re.compile(rf"\s*({NUMBER})\s*([a-zA-Z]*)\s*")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{2,4})_")


def read(data: bytes, unit: str | None, progress: Progress) -> Found:
    """Read the visible strokes of an SVG file; `unit`, if given, is the size of its user units.

    Raises UnitMissing if neither the file nor `unit` says a size, and StudioError, to follow the file's name, for a
    file that is no SVG or too large.
    """
    tree = resolved(data, progress.part(0.0, 0.4))
    drawing = _Drawing(tree, _top_groups(tree.root), list(tree.notes))
    reader = _Reader(tree, progress.part(0.4, 1.0), drawing.take, drawing)
    from shapely.errors import GEOSException

    try:
        with np.errstate(all="ignore"):
            page = _page(tree.root, unit)
            reader.draw(tree.root, page)
    except GEOSException as problem:
        raise StudioError(tr("its clip paths are too complicated. Simplify the drawing.")) from problem
    size = page.scale.viewport
    return replace(drawing.found(), page=None if size is None else (size[0] * page.matrix[0], size[1] * page.matrix[3]))


def painted(tree: Tree) -> tuple[Scale, dict[Element, Matrix]]:
    """Return the lengths of a page, and its transforms as matrices if any refers to a box, such as its element's."""
    try:
        page = _page(tree.root, None)
    except UnitMissing:
        page = _page(tree.root, "px")
    reader = _Reader(tree, SILENT, lambda *_drawn: None, _Drawing(tree, frozenset()))
    if any("transform-origin" in one.attrib or "%" in one.get("transform", "") for one in tree.root.iter()):
        # Whatever cannot be read here is left to the painter.
        with np.errstate(all="ignore"), suppress(StudioError):
            reader.draw(tree.root, page)
            for element in tree.root.iter():
                for child in element if name(element) in _PAINTED else ():
                    reader.draw(child, replace(page, matrix=SAME))
    return page.scale, reader.matrices


@dataclass(frozen=True)
class _Place:
    """The context of elements: inherited style, layer and transform, and the area in mm that cuts them off."""

    matrix: Matrix
    scale: Scale
    region: BaseGeometry | None = None
    style: Mapping[str, str] = field(default_factory=dict)
    layer: str = ""
    depth: int = 0

    def moved(self, matrix: Matrix) -> _Place:
        """Return the place within a transform."""
        return replace(self, matrix=product(self.matrix, matrix))

    def within(self, region: BaseGeometry) -> _Place:
        """Return the place cut off at one more area."""
        return replace(self, region=region if self.region is None else self.region.intersection(region))


@dataclass
class _Drawing:
    """Gathers the strokes of a file, and the elements left out."""

    tree: Tree
    top_groups: frozenset[Element]
    notes: list[str] = field(default_factory=list)
    strokes: list[Floats] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    colours: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    elements: int = 0
    points: int = 0
    clipped: int = 0
    hidden: int = 0
    unpainted: int = 0
    unseen: list[tuple[Floats, str]] = field(default_factory=list)
    """The strokes of shapes without fill and stroke, and their layers."""

    def take(self, element: Element, strokes: list[Floats], place: _Place) -> None:
        """Add the visible part of a shape."""
        fill, stroke = _paints(place.style)
        fill = "" if name(element) == "line" else fill
        for key in _MARKERS:
            if place.style.get(key, "none") != "none":
                self.left_out.append("marker")
                break
        for paint in (fill, stroke):
            target = self.tree.named.get(linked(paint) or "")
            if target is not None and name(target) == "pattern":
                self.left_out.append("pattern")
        if place.region is not None and _is_within_reach(strokes):
            self.spend_clipping(strokes, place.region)
            rule = place.style.get("fill-rule", "nonzero")
            strokes = cut(strokes, place.region, rule, is_filled=bool(fill))
        if not (fill or stroke):
            self.unpainted += 1
            self.unseen += [(stroke, place.layer) for stroke in strokes]
            return
        self.strokes += strokes
        self.layers += [place.layer] * len(strokes)
        self.colours += [_colour(stroke) if stroke else ""] * len(strokes)

    def spend_elements(self, count: int) -> None:
        """Count elements, or the further paths of one; raises StudioError beyond MOST_ELEMENTS."""
        self.elements += count
        if self.elements > MOST_ELEMENTS:
            raise too_many_elements()

    def spend_clipping(self, strokes: list[Floats], region: BaseGeometry) -> None:
        """Count the points compared with a clip path; raises StudioError beyond MOST_CLIPPED."""
        import shapely

        self.clipped += POINTS_A_CLIP + sum(map(len, strokes)) + int(shapely.get_num_coordinates(region))
        if self.clipped > MOST_CLIPPED:
            raise StudioError(tr("its clip paths are too complicated. Simplify the drawing."))

    def fault(self, element: Element, sentence: str) -> None:
        """Note that an element is not drawn, or only up to a fault in it."""
        if len(self.faults) < MOST_NOTES:
            called = element.get("id") or str(
                1 + next(at for at, one in enumerate(self.tree.root.iter(element.tag)) if one is element)
            )
            self.faults.append(f"{name(element)} {called} ({sentence})")
        else:
            self.faults.append("")

    def found(self) -> Found:
        """Return everything gathered; if nothing else is drawn, shapes without fill and stroke."""
        is_unseen = not self.strokes and bool(self.unseen)
        if is_unseen:
            self.strokes, self.layers = [one[0] for one in self.unseen], [one[1] for one in self.unseen]
            self.colours = self.layers
        found = Found(self.strokes, self.layers if len(set(self.layers)) > 1 else self.colours)
        if len(set(found.layers)) < 2:
            found.layers = self.layers
        found.left_out.update(self.left_out)
        found.notes += self.notes
        if self.faults:
            named = ", ".join(self.faults[:MOST_NOTES])
            rest = len(self.faults) - MOST_NOTES
            found.notes.append(
                tr("Not read, or only up to a fault: {named} and {count} more.", named=named, count=rest)
                if rest > 0
                else tr("Not read, or only up to a fault: {named}.", named=named)
            )
        if self.hidden:
            found.notes.append(tr("Left out, hidden: {elements}.", elements=many(self.hidden, "element")))
        if self.unpainted:
            paths = many(self.unpainted, "path")
            found.notes.append(
                tr("Nothing drawn has a fill or a stroke; read all the same: {paths}.", paths=paths)
                if is_unseen
                else tr("Left out, without fill and stroke: {paths}.", paths=paths)
            )
        return found


@dataclass
class _Reader:
    """Walks through the elements of a file and hands each shape, in mm, to `take`."""

    tree: Tree
    progress: Progress
    take: Callable[[Element, list[Floats], _Place], None]
    drawing: _Drawing
    is_clip: bool = False
    """True within a clip path, in which groups count for nothing and paint does not matter."""
    walking: set[Element] = field(default_factory=set)
    regions: dict[tuple[Element, Matrix], BaseGeometry] = field(default_factory=dict)
    boxes: dict[tuple[Element, Scale], Box] = field(default_factory=dict)
    matrices: dict[Element, Matrix] = field(default_factory=dict)

    def draw(self, element: Element, place: _Place) -> None:
        """Hand over all that an element draws."""
        drawing = self.drawing
        drawing.spend_elements(1)
        if drawing.elements % ELEMENTS_A_STEP == 0:
            self.progress.step(0.0)
        own = name(element)
        if own in _SILENT or not own or element in self.walking:
            return
        if _is_gone(element) and not (self.is_clip and element.get("display") != "none"):
            self._count_hidden(element)
            return
        self.walking.add(element)
        try:
            self.content(element, self._entered(element, place))
        except Unreadable as fault:
            drawing.fault(element, str(fault))
        finally:
            self.walking.discard(element)

    def content(self, element: Element, place: _Place) -> None:
        """Hand over all that an element draws at a place which has its own style and transform."""
        own = name(element)
        if own == "use":
            self._copy(element, place)
        elif own in SHAPES:
            self._shape(element, place)
        elif self.is_clip or own not in _GROUPS:
            if place.style.get("visibility", "visible") == "visible":
                self.drawing.left_out.append(own)
        elif own == "svg" and element is not self.tree.root:
            sides = (element.get("width", "100%"), element.get("height", "100%"))
            corner = (place.scale.length(element.get("x", "0"), "x"), place.scale.length(element.get("y", "0"), "y"))
            self._children(element, _viewport(element, place.moved(shifted(*corner)), sides))
        else:
            self._children(element, place)

    def _children(self, element: Element, place: _Place) -> None:
        for child in element:
            self.draw(child, place)

    def _count_hidden(self, element: Element) -> None:
        if not self.is_clip and (name(element) in SHAPES or name(element) in _GROUPS or name(element) == "use"):
            self.drawing.hidden += 1

    def _entered(self, element: Element, place: _Place) -> _Place:
        """Return the place of an element's content: with its style, transform, layer and clip path."""
        if place.depth > DEEPEST:
            raise StudioError(tr("it is nested too deeply."))
        attributes = element.attrib
        scale, style, layer = place.scale, place.style, place.layer
        if "font-size" in attributes:
            scale = scale.with_font(attributes["font-size"])
        if not _INHERITED.isdisjoint(attributes):
            own = {key: value.strip() for key, value in attributes.items() if key in _INHERITED}
            style = {**style, **{key: value for key, value in own.items() if value != "inherit"}}
        if attributes.get(f"{_INKSCAPE}groupmode") == "layer":
            layer = attributes.get(f"{_INKSCAPE}label", attributes.get("id", ""))
        elif element in self.drawing.top_groups and not layer:
            layer = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), attributes.get("id", ""))
        for key in ("mask", "filter"):
            if attributes.get(key, "none").strip() != "none" and not self.is_clip:
                self.drawing.left_out.append(key)
        entered = replace(place, scale=scale, style=style, layer=layer, depth=place.depth + 1)
        corner = (0.0, 0.0)
        if name(element) == "use":
            corner = (scale.length(attributes.get("x", "0"), "x"), scale.length(attributes.get("y", "0"), "y"))

        def around() -> tuple[float, float, float, float]:
            left, top, width, height = self._box(element, entered)
            return left + corner[0], top + corner[1], width, height

        if "transform" in attributes and element is not self.tree.root:
            try:
                matrix = self.matrices[element] = transform(element, scale, around)
                entered = entered.moved(matrix)
            except Unreadable as fault:
                self.drawing.fault(element, str(fault))
        # The corner of a copy is the last step of its transform, so its clip path goes along.
        entered = entered.moved(shifted(*corner)) if corner != (0.0, 0.0) else entered
        clip = attributes.get("clip-path", "none").strip()
        return entered if clip in ("none", "") else self._clipped(element, entered, clip)

    def _copy(self, element: Element, place: _Place) -> None:
        """Draw another element of the file; elements of other files are left out."""
        address = link(element)
        target = self.tree.named.get(address[1:]) if address.startswith("#") else None
        if target is None or target in self.walking:
            self.drawing.left_out.append("use")
            return
        if name(target) != "svg":
            self.draw(target, place)
            return
        if self.is_clip or _is_gone(target):
            self._count_hidden(element)
            return
        # A symbol takes the size of its copy, else of the viewport; an inner page may have a size of its own.
        width, height = (element.get(side, target.get(side, "100%")) for side in ("width", "height"))
        self.walking.add(target)
        inner = self._entered(target, place)
        self._children(target, _viewport(target, inner, (width, height)))
        self.walking.discard(target)

    def _shape(self, element: Element, place: _Place) -> None:
        if place.style.get("visibility", "visible") != "visible":
            self._count_hidden(element)
            return
        drawing = self.drawing
        strokes, fault = SHAPES[name(element)](element, place.scale, self.progress, MOST_POINTS - drawing.points)
        drawing.points += sum(len(stroke) // 3 for stroke in strokes)
        if drawing.points > MOST_POINTS:
            raise too_many_points()
        drawing.spend_elements(max(0, len(strokes) - 1))
        if fault:
            drawing.fault(element, fault)
        if strokes := [stroke for stroke in strokes if len(stroke) > 1]:
            self.take(element, [_placed(stroke, place.matrix) for stroke in strokes], place)

    def _clipped(self, element: Element, place: _Place, value: str) -> _Place:
        """Return the place cut off at a clip path; an unknown one is noted and cuts nothing off."""
        target = self.tree.named.get(linked(value) or "")
        if target is None or name(target) != "clipPath" or target in self.walking:
            if value.startswith("url("):
                self.drawing.fault(element, tr("clip path {value!r} not followed", value=value[:30]))
            return place
        if any(name(child) == "text" for child in target):
            self.drawing.fault(element, tr("text as clip path not followed"))
            return place
        unit = SAME
        if target.get("clipPathUnits") == "objectBoundingBox":
            left, top, width, height = self._box(element, place)
            unit = (width, 0.0, 0.0, height, left, top)
        key = target, product(place.matrix, unit)
        if key not in self.regions:
            scale = replace(place.scale, font=place.scale.root_font)
            self.regions[key] = self._region(target, replace(place, region=None, style={}, scale=scale), unit)
        region = self.regions[key]
        if place.region is not None:
            self.drawing.spend_clipping([], region)
            self.drawing.spend_clipping([], place.region)
        return place.within(region)

    def _region(self, target: Element, place: _Place, unit: Matrix) -> BaseGeometry:
        """Return the area in mm that a clip path shows, its lengths in some unit."""
        import shapely

        areas: list[BaseGeometry] = []

        def take(_element: Element, strokes: list[Floats], at: _Place) -> None:
            if _is_within_reach(strokes):
                self.drawing.spend_clipping(strokes, shapely.Point())
                filled = area(strokes, at.style.get("clip-rule", "nonzero"))
                areas.append(filled if at.region is None else filled.intersection(at.region))

        reader = replace(self, take=take, is_clip=True, walking={*self.walking, target})
        inner = reader._entered(target, place).moved(unit)
        for child in target:
            if name(child) in SHAPES or name(child) == "use":
                reader.draw(child, inner)
        return shapely.union_all(areas)

    def _box(self, element: Element, place: _Place) -> Box:
        """Return the box of an element in its own coordinates; raises Unreadable if it is empty."""
        if (element, place.scale) in self.boxes:
            return self.boxes[element, place.scale]
        drawn: list[Floats] = []

        def take(_element: Element, strokes: list[Floats], _place: _Place) -> None:
            drawn.extend(strokes)

        told = self.drawing.hidden, len(self.drawing.left_out), len(self.drawing.faults)
        reader = replace(self, take=take, walking={*self.walking}, is_clip=False)
        reader.content(element, replace(place, matrix=SAME, region=None))
        # Elements left out are noted when they are drawn.
        self.drawing.hidden = told[0]
        del self.drawing.left_out[told[1] :], self.drawing.faults[told[2] :]
        if not drawn or not _is_within_reach(drawn):
            raise Unreadable(tr("its box is empty or has no end"))
        (left, top), (right, bottom) = (corner.tolist() for corner in box(*drawn))
        self.boxes[element, place.scale] = left, top, right - left, bottom - top
        return self.boxes[element, place.scale]


def _is_within_reach(strokes: list[Floats]) -> bool:
    """True for points that can be compared; readers refuse the others."""
    return all(bool((np.abs(stroke) < FARTHEST).all()) for stroke in strokes)


def _placed(stroke: Floats, matrix: Matrix) -> Floats:
    a, b, c, d, right, down = matrix
    placed = stroke @ np.array([[a, b], [c, d]]) + (right, down)
    if stroke[-1].tolist() == stroke[0].tolist():
        placed[-1] = placed[0]
    return np.asarray(placed)


def _page(root: Element, unit: str | None) -> _Place:
    """Return the place of a page's content, in mm."""
    found = [_ABSOLUTE.fullmatch(root.get(side, "")) for side in ("width", "height")]
    sizes = [(float(one[1]), one[2].lower()) if one and one[2].lower() in ("", *UNITS) else None for one in found]
    stated = {size[1] for size in sizes if size} - {""}
    millimetre = PIXEL if unit is None and stated else millimetres(unit)
    shown = view_box(root)
    if unit is not None and stated - {"px"}:
        # The stated size of the page contradicts the unit chosen for its content.
        sizes = [None, None]
    sides = [size[0] * UNITS[size[1]] / PIXEL if size and size[1] else size[0] if size else 0.0 for size in sizes]
    matrix: Matrix = (millimetre, 0.0, 0.0, millimetre, 0.0, 0.0)
    viewport = (sides[0], sides[1]) if all(side > 0 for side in sides) else None
    page = Scale(viewport, viewport)
    if shown is not None:
        _left, _top, width, height = shown
        across = sides[0] / width if sides[0] > 0 else sides[1] / height if sides[1] > 0 else 1.0
        down = sides[1] / height if sides[1] > 0 else across
        matrix = product(matrix, fitted(root, shown, (across * width, down * height)))
        page = Scale((width, height), (width, height))
    matrix = product(matrix, transform(root, page, lambda: shown or (0.0, 0.0, *(viewport or (0.0, 0.0)))))
    font = page.with_font(root.get("font-size", "medium")).font
    return _Place(matrix, replace(page, root_font=font))


def _viewport(element: Element, place: _Place, sides: tuple[str, str]) -> _Place:
    """Return the place within an inner page or symbol of some width and height."""
    import shapely

    if place.scale.viewport is None and any("%" in side for side in sides):
        return place
    width, height = (
        place.scale.length("100%" if side == "auto" else side, axis) for side, axis in zip(sides, "xy", strict=True)
    )
    if width <= 0 or height <= 0:
        raise Unreadable(tr("it has no size"))
    if element.get("overflow", "hidden").strip() in ("hidden", "scroll"):
        corners = np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height], [0.0, 0.0]])
        place = place.within(shapely.Polygon(_placed(corners, place.matrix)))
    shown = view_box(element)
    if shown is None:
        return replace(place, scale=replace(place.scale, viewport=(width, height)))
    inner = replace(place, scale=replace(place.scale, viewport=shown[2:]))
    return inner.moved(fitted(element, shown, (width, height)))


def _is_gone(element: Element) -> bool:
    """Return whether an element is invisible, whatever its children say."""
    return element.get("display", "").strip() == "none" or is_zero(element.get("opacity", "1"))


def _paints(style: Mapping[str, str]) -> tuple[str, str]:
    """Return the fill and the stroke of a shape, "" for each that is invisible."""
    fill, stroke = (
        style.get("color", "black") if value == CURRENT else value
        for value in (style.get("fill", "black"), style.get("stroke", "none"))
    )
    has_fill = fill not in ("none", "") and not (is_invisible(fill) or is_zero(style.get("fill-opacity", "1")))
    has_stroke = stroke not in ("none", "") and not (is_invisible(stroke) or is_zero(style.get("stroke-opacity", "1")))
    has_stroke = has_stroke and not is_zero(style.get("stroke-width", "1"))
    return fill if has_fill else "", stroke if has_stroke else ""


def _colour(value: str) -> str:
    """Return a colour as #rrggbb; other paints as they are written."""
    colour = parsed_colour(value)
    if not isinstance(colour, tuple):
        return value
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])


def _top_groups(root: Element) -> frozenset[Element]:
    """Return the groups that make the layers of a drawing: the outermost that are not alone."""
    group = root
    while True:
        drawn = [child for child in group if name(child) and name(child) not in _SILENT]
        if len(drawn) != 1 or name(drawn[0]) != "g":
            return frozenset(child for child in drawn if name(child) == "g" and child.get("id"))
        group = drawn[0]
