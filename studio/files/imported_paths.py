"""Strokes imported from other programs' drawings: their unit, layers and closing, and the elements left out."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace

from studio.base.amounts import abridged
from studio.base.errors import StudioError
from studio.base.texts import alternatives, tr
from studio.geometry.curves.rings import AS_DRAWN, Closing
from studio.geometry.curves.strokes import Floats

UNITS = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6, "px": 25.4 / 96, "q": 0.25}
"""The mm in each unit that files state."""
OFFERED = {
    "mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "px72": 25.4 / 72, "px90": 25.4 / 90, "px96": 25.4 / 96,
}  # fmt: skip
"""The mm in each unit to choose from; pixels are 1/72 inch in Illustrator, 1/90 in old Inkscape, 1/96 on the web."""
MOST_NAMED = 5
MOST_ELEMENTS = 40_000
"""Limit for the elements and paths of a file, copies (`use`, blocks) included: each takes some 80 µs in all."""
MOST_POINTS = 200_000
"""Curves and lines of all paths of a drawing."""
MOST_TOLD = 10**9
"""The largest figure in a refusal."""

REMEDIES = {
    tr("Convert text to paths in the program that drew it."): {
        "text", "mtext", "attrib", "attdef", "rtext", "arctext", "tspan", "flowroot",
    },
    tr("Explode dimensions, multilines and regions into lines."): {
        "dimension", "arc_dimension", "large_radial_dimension", "leader", "mleader", "multileader", "mline", "region",
        "acad_proxy_entity", "acad_table", "insert",
    },
    tr("Draw the outline of filled areas as a line."): {"hatch", "mpolygon", "solid", "trace", "3dface", "wipeout"},
    tr("Trace pictures in a drawing program first."): {"image", "ole2frame", "oleframe", "pdfunderlay"},
    tr("Draw everything in one plane, seen from above."): {
        "polyline", "mesh", "body", "3dsolid", "surface", tr("line out of the plane"),
    },
}  # fmt: skip
"""Sentences that say how elements of some kinds, in small letters, become paths."""


@dataclass(frozen=True)
class Reading:
    """Choices for reading a drawing: unit of length (overrides the file's own), layers, and closing of paths.

    None is the file's own unit; no layers means all of them. `engraved` layers of a pattern of cuts are not cut.
    """

    unit: str | None = None
    layers: tuple[str, ...] = ()
    closing: Closing = AS_DRAWN
    engraved: tuple[str, ...] = ()

    @property
    def of_engraved(self) -> Reading:
        """The same for the engraved layers alone."""
        return replace(self, layers=self.engraved, engraved=())

    def of_cuts(self, found: Found) -> Reading:
        """The same for the layers that are cut: the chosen ones, or all but those engraved."""
        engraved = {name.casefold() for name in self.engraved}
        rest = dict.fromkeys(name for name in self.layers or found.layers if name.casefold() not in engraved)
        if self.engraved and not rest:
            raise StudioError(tr("no layer is left to cut."))
        return replace(self, layers=tuple(rest) if self.engraved else self.layers, engraved=())

    def chosen(self, found: Found) -> Found:
        """Return the paths on the chosen layers; raises StudioError if the drawing lacks one."""
        if not self.layers:
            return found
        known = {layer.casefold(): layer for layer in found.layers}
        for name in self.layers:
            if name.casefold() not in known:
                named = abridged(sorted(filter(None, known.values())), MOST_NAMED)
                there = tr("choose from {layers}", layers=named) if named else tr("it has none to choose from")
                raise StudioError(tr("it draws nothing on a layer {name!r}; {there}.", name=name[:40], there=there))
        wanted = {name.casefold() for name in self.layers}
        kept = [
            (stroke, layer)
            for stroke, layer in zip(found.strokes, found.layers, strict=True)
            if layer.casefold() in wanted
        ]
        return replace(found, strokes=[stroke for stroke, _ in kept], layers=[layer for _, layer in kept])


@dataclass
class Found:
    """Strokes (3k + 1, 2) of a file in mm, the layer of each ("" for none), and counts of elements left out.

    `left_out` counts elements that are not paths, by sort; `stated` is a sentence about an unusual unit of the file,
    and `notes` are sentences about everything else. `page` is the size of an SVG's page in mm, if it has one.
    """

    strokes: list[Floats] = field(default_factory=list)
    layers: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    stated: str = ""
    page: tuple[float, float] | None = None


def counted(kinds: Counter[str]) -> str:
    """List kinds of elements with their number: 2 × TEXT and 1 × HATCH."""
    return abridged([f"{count:,} × {kind}" for kind, count in sorted(kinds.items())], MOST_NAMED)


def nothing_drawn(found: Found) -> StudioError:
    """Return the refusal of a file without a path: what it holds instead, and the remedy."""
    kinds = {kind.lower() for kind in found.left_out}
    remedies = [remedy for remedy, some in REMEDIES.items() if kinds & some]
    if not found.left_out:
        return StudioError(" ".join([tr("it contains no path."), *found.notes]))
    only = tr("it contains no path, only {kinds}.", kinds=counted(found.left_out))
    return StudioError(" ".join([only, *remedies, *found.notes]))


def too_many_elements(count: int = 0, *, has_copies: bool = True) -> StudioError:
    """Return the refusal of a file with more than MOST_ELEMENTS; `count` is their number, if known."""
    return _too_many(tr("elements, with all copies") if has_copies else tr("elements"), count, MOST_ELEMENTS)


def too_many_points(count: int = 0) -> StudioError:
    """Return the refusal of a drawing with more than MOST_POINTS; `count` includes all copies, 0 if unknown."""
    return _too_many(tr("points, with all copies") if count else tr("points"), count, MOST_POINTS)


def _too_many(kind: str, count: int, most: int) -> StudioError:
    is_known = 0 < count <= MOST_TOLD
    figure = f"{count:,}" if is_known else tr("more than {most:,}", most=MOST_TOLD if count else most)
    words = tr("it has {figure} {kind} (maximum {most:,}).", figure=figure, kind=kind, most=most)
    return StudioError(f"{words} {tr('Simplify the drawing.')}")


class UnitMissing(StudioError):
    """The file states no unit of length, and none was chosen."""


def millimetres(unit: str | None) -> float:
    """Return the mm in a unit chosen for a file; raises UnitMissing without one. "px" is short for "px96"."""
    if unit is None:
        raise UnitMissing(tr("it states no unit of length; choose {units}.", units=alternatives(OFFERED)))
    scale = OFFERED.get("px96" if unit == "px" else unit)
    if scale is None:
        raise StudioError(tr("{unit!r} is not a unit; choose {units}.", unit=unit, units=alternatives(OFFERED)))
    return scale
