"""Figures: silhouettes that become pieces, from resources/figures/, from makers' files and their library.

A file has a `title` and `rings`: the outline, then its holes, each as the control points [x, y] of closed cubics, y
downwards, and perhaps `lines`, cuts within it. A line from cut to cut divides the figure into pieces; one that ends
inside a piece is a detail of it. A figure is 1 high, its middle at 0, 0; no part or notch is thinner than LEAST_PART.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from studio.base.encode import Library, decode
from studio.base.errors import StudioError, one_named
from studio.base.folders import shipped
from studio.base.json_files import read
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.geometry.board.outline import divided_at_bends
from studio.geometry.board.tiling import polygons_of
from studio.geometry.curves.offsetting import region
from studio.geometry.curves.rings import Outlined, box, outlined
from studio.geometry.curves.strokes import Curves, Floats, frozen, split_at_knots
from studio.geometry.planar.arrangement import arranged, knots_near
from studio.geometry.planar.graph import trace

if TYPE_CHECKING:
    import shapely

FOLDER = shipped("figures")
LARGEST_FILE = 2**18
LEAST_PART = 0.08
"""Least width of any part or notch of a figure, as a fraction of its height."""
BAR = 1.5 * LEAST_PART
"""Width of a bar between parts of a figure, as a fraction of its height."""
TALL = 100.0
"""Height in mm at which the rings of a file are compared."""
MEET, ON_OUTLINE = 1.0, 0.3
"""Distances in mm, at that height, over which ends of lines are joined, and within which a line is on the outline."""
MOST_PARTS = 26
"""Most pieces of a figure."""
THEMES = {
    tr("Animals"): (
        "bear", "bird", "butterfly", "cat", "cow", "dinosaur", "dog", "duck", "elephant", "fox", "giraffe", "hare",
        "hedgehog", "horse", "mouse", "owl", "penguin", "pig", "rooster", "sheep", "snail", "squirrel",
    ),
    tr("Sea"): (
        "anchor", "boat", "crab", "dolphin", "fish", "lighthouse", "octopus", "seahorse", "shell", "ship",
        "starfish", "turtle", "whale",
    ),
    tr("Garden"): (
        "acorn", "apple", "butterfly", "dragonfly", "flower", "leaf", "mushroom", "pear", "snail", "sun", "tree",
        "tulip", "wateringcan", "wheelbarrow",
    ),
    tr("Home"): ("candle", "chair", "cup", "cupcake", "guitar", "house", "key", "lamp", "teapot", "umbrella"),
    tr("Travel"): (
        "aeroplane", "balloon", "camera", "campervan", "car", "locomotive", "palm", "rocket", "ship", "suitcase",
        "tent", "tractor", "train",
    ),
    tr("Wedding"): ("bell", "bow", "cake", "dove", "glass", "heart", "hearts", "pair", "ring"),
    tr("Birth"): ("bottle", "pram", "rockinghorse", "stork", "teddy"),
    tr("Winter"): (
        "candle", "gift", "gingerbread", "mitten", "penguin", "skate", "snowflake", "snowman", "stocking", "tree",
    ),
    tr("Ornaments"): (
        "ampersand", "bow", "clover", "crown", "fleurdelis", "heart", "key", "moon", "scroll", "star", "sun",
    ),
}  # fmt: skip
"""Keys of the shipped figures by theme; a figure may be in several."""
DECIMALS = 5
"""Decimals of a figure in the library, in its height."""
FLATTENING = 1e-4
"""Largest deviation of the polygon that measures an area, as a fraction of the figure's height."""


@dataclass(frozen=True)
class Stored:
    """A figure in a file."""

    title: str
    rings: tuple[tuple[tuple[float, float], ...], ...]
    lines: tuple[tuple[tuple[float, float], ...], ...] = ()


@dataclass(frozen=True, eq=False)
class Figure:
    """A silhouette 1 high round 0, 0; the contents of its holes fall out.

    Rings: the outline, clockwise on the screen, then the holes. Control points, shape (3k + 1, 2). `lines` within it
    likewise, which divide it into several pieces, or end inside one.
    """

    title: str
    rings: tuple[Floats, ...]
    lines: tuple[Floats, ...] = ()

    @cached_property
    def width(self) -> float:
        """Width at a height of 1."""
        low, high = box(self.rings[0])
        return float(high[0] - low[0])

    @cached_property
    def area(self) -> float:
        """Area without holes at a height of 1."""
        return float(Curves.from_strokes(list(self.rings)).flattened(FLATTENING).sweeps.sum())

    @cached_property
    def parts(self) -> tuple[shapely.Polygon, ...]:
        """Regions of its pieces, from left to right and then downwards."""
        import shapely

        whole = region(self.rings, FLATTENING)
        if not self.lines:
            return (whole,)
        found = arranged([*_sides(self.rings), *(TALL * line for line in self.lines)], MEET)
        flat = found.curves.flattened(TALL * FLATTENING)
        faces = polygons_of(trace(found.nodes, found.ends, flat), found.nodes, lines=flat)
        faces = shapely.transform(faces, lambda points: points / TALL)
        parts = faces[shapely.intersects(whole, shapely.point_on_surface(faces))]
        middles = np.round(shapely.get_coordinates(shapely.centroid(parts)), 3)
        return tuple(parts[np.lexsort((middles[:, 1], middles[:, 0]))])

    @cached_property
    def is_divided(self) -> bool:
        """True if it has several pieces, or a line that begins on its outline."""
        if not self.lines:
            return False
        ends = np.concatenate([line[[0, -1]] for line in self.lines])
        gaps = [knots_near(TALL * ring, TALL * ends)[1].min() for ring in self.rings]
        return bool(min(gaps) <= ON_OUTLINE) or len(self.parts) > 1


@cache
def keys() -> tuple[str, ...]:
    """Keys of the shipped figures, sorted."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.json")))


@cache
def figure(key: str) -> Figure:
    """Read a figure from resources/figures/ and translate its title. Raise StudioError if it is unknown.

    Its thinnest part is measured by tests only: measuring all figures would delay their dialog by half a second.
    """
    name = one_named({known: known for known in keys()}, key, tr("Unknown figure"))
    stored = decode(Stored, read(FOLDER / f"{name}.json", LARGEST_FILE), f"{name}.json", object)
    return plain_figure(replace(stored, title=tr(stored.title)))


def plain_figure(stored: Stored) -> Figure:
    """Make a figure of any thinness. Raise StudioError if the rings are not a silhouette."""
    rings = [np.array(ring, float).reshape(-1, 2) for ring in stored.rings]
    try:
        for ring in rings:
            if len(ring) < 4 or len(ring) % 3 != 1:
                raise StudioError(tr("a ring needs 3 n + 1 points for n curves."))
            if (ring[0] != ring[-1]).any():
                raise StudioError(tr("a ring is not closed."))
        tall = max((float(np.ptp(ring[:, 1])) for ring in rings), default=0.0) or 1.0
        made = silhouette(stored.title, outlined([ring * (TALL / tall) for ring in rings], 0.0, SILENT))
        if not stored.lines:
            return made
        low, high = box(max(rings, key=lambda ring: float(np.ptp(ring[:, 1]))))
        lines = [np.array(line, float).reshape(-1, 2) for line in stored.lines]
        if any(len(line) < 4 or len(line) % 3 != 1 for line in lines):
            raise StudioError(tr("a line needs 3 n + 1 points for n curves."))
        return with_lines(made, [(line - (low + high) / 2) / (high - low)[1] for line in lines])
    except StudioError as problem:
        raise StudioError(tr("The figure {title}: {problem}", title=stored.title, problem=problem)) from problem


def _sides(rings: Sequence[Floats]) -> list[Floats]:
    """Outlines of a figure between their bends, TALL high."""
    return [TALL * side for ring in rings for side in divided_at_bends(ring)]


def with_lines(figure: Figure, lines: Sequence[Floats]) -> Figure:
    """Cut a figure along lines (3k + 1, 2) within it; ends near its outline or another line are led there.

    Raise StudioError if there are too many pieces.
    """
    import shapely

    found = arranged([*_sides(figure.rings), *(TALL * line for line in lines)], MEET)
    outline = shapely.boundary(region(tuple(TALL * ring for ring in figure.rings), TALL * FLATTENING))
    inside = region((TALL * figure.rings[0],), TALL * FLATTENING)
    every = [*(found.curves[at] for at in range(len(found.curves))), *found.loose]
    flat = Curves.from_strokes(every).flattened(TALL * FLATTENING)
    middles = shapely.line_interpolate_point(
        shapely.linestrings(flat.points, indices=flat.owners), 0.5, normalized=True
    )
    within = (shapely.distance(outline, middles) > ON_OUTLINE) & shapely.intersects(inside, middles)
    kept = [_led(line, figure.rings) for line, is_within in zip(every, within.tolist(), strict=True) if is_within]
    made = Figure(figure.title, figure.rings, tuple(kept))
    if len(made.parts) > MOST_PARTS:
        raise StudioError(tr("it has {count} pieces (maximum {most}).", count=len(made.parts), most=MOST_PARTS))
    return made


def _led(line: Floats, rings: Sequence[Floats]) -> Floats:
    """Lead the ends of a line, TALL high, exactly onto rings that are near; the line is 1 high."""
    led = line / TALL
    for end, beside in ((0, 1), (-1, -2)):
        for ring in rings:
            (knot,), (gap,) = knots_near(TALL * ring, line[[end]])
            if gap <= MEET:
                stop = split_at_knots(ring, [knot])[0][-1] if 0 < knot < len(ring) // 3 else ring[0]
                led[beside] += stop - led[end]
                led[end] = stop
    return frozen(led)


def silhouette(title: str, drawn: Outlined) -> Figure:
    """Scale an outline with holes and lines, in mm, to a figure. Raise StudioError for too many pieces."""
    low, high = box(drawn.rings[0])
    rings, lines = (
        [(each - (low + high) / 2) / (high - low)[1] for each in some] for some in (drawn.rings, drawn.lines)
    )
    made = Figure(title, tuple(map(frozen, rings)))
    return with_lines(made, lines) if lines else made


# The library: figures of a maker's own, kept across puzzles


def _loaded(content: Any, name: str) -> Figure:
    return plain_figure(decode(Stored, content, name, object))


def _content(figure: Figure) -> dict[str, Any]:
    rings, lines = ([np.round(each, DECIMALS).tolist() for each in some] for some in (figure.rings, figure.lines))
    return {"title": figure.title, "rings": rings, "lines": lines}


def _is_same(one: Figure, other: Figure) -> bool:
    pairs = [*zip(one.rings, other.rings, strict=False), *zip(one.lines, other.lines, strict=False)]
    counts = [(len(each.rings), len(each.lines)) for each in (one, other)]
    near = 10.0**-DECIMALS
    return counts[0] == counts[1] and all(len(a) == len(b) and np.abs(a - b).max() <= near for a, b in pairs)


OWN_FIGURES = Library("figure", LARGEST_FILE, _loaded, _content, _is_same)
"""A maker's library of figures."""
