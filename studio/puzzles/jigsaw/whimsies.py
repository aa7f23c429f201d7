"""Whimsies: figures placed on a board, each to become a piece of its own.

pose: where a figure is, how high before it is turned, and how far it is turned. A figure of the studio's is kept by its
key, a maker's own and a letter by their curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from studio.checks.finding import Finding, Problem, Severity
from studio.geometry.curves import Floats, frozen
from studio.geometry.outline import Outline
from studio.geometry.thinness import narrow_notch, region, thin_part
from studio.parameters import ParameterError, Validated, flag, number
from studio.puzzles.jigsaw.figures import Figure, Stored, figure, plain_figure
from studio.puzzles.jigsaw.letters import letters_as_figures
from studio.texts import tr

if TYPE_CHECKING:
    import shapely

MOST_POINTS = 20_000
"""Control points of one figure of a maker's own."""
FLATTENING = 0.01
"""The largest deviation in mm of the polygons by which figures are compared."""
LARGEST_SHARE = 0.6
"""The largest share of the board that one figure may cover."""
SPACING = 0.08
"""Room added between two letters, in heights of capitals, so that wood is left between them."""
NUDGES, ROUND = 40, 24
"""How many distances, and directions at each, are tried to find a place for a figure."""
STEP = 1.0
"""How far apart in mm they are."""

# fmt: off
COVERS = Problem("figure", Severity.ERROR, "A figure covers the board",
    "Figure {figure} covers {share:.0%} of the board (maximum {most:.0%}).",
    "Make it smaller")
BEYOND = Problem("figure", Severity.ERROR, "A figure reaches over the border",
    "Figure {figure} reaches over the border. Move it inwards or make it smaller.",
    "Move it inwards or make it smaller")
AT_BORDER = Problem("figure", Severity.ERROR, "A figure is closer to the border than the minimum wall",
    "Wall between figure {figure} and the border is only {gap:.2f} mm (minimum {least:g} mm).",
    "Move it inwards or make it smaller")
OVERLAPPING = Problem("figure", Severity.ERROR, "Two figures overlap",
    "Figures {figure} and {other} overlap. Move one of them.", "Move one of them")
TOO_CLOSE = Problem("figure", Severity.ERROR, "Two figures are closer than the minimum wall",
    "Wall between figures {figure} and {other} is only {gap:.2f} mm (minimum {least:g} mm).",
    "Move one of them")
THIN = Problem("figure", Severity.WARNING, "A figure is narrower than the minimum neck",
    "Figure {figure} is narrower than {least:g} mm here; it may snap. Make it larger.", "Make it larger")
NOTCH = Problem("figure", Severity.WARNING, "A notch of a figure is narrower than the minimum wall",
    "The wood in a notch of figure {figure} is narrower than {least:g} mm. Make the figure larger.", "Make it larger")
# fmt: on


@dataclass(frozen=True)
class Pose(Validated):
    """Where a figure is on the board; raises ParameterError for values out of bounds."""

    x: float = number(0.0, title="X", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the figure's centre from the left edge of the board.")  # fmt: skip
    y: float = number(0.0, title="Y", minimum=-1000.0, maximum=11000.0, step=1.0, unit="mm",
        help="Distance of the figure's centre from the top edge of the board.")  # fmt: skip
    height: float = number(40.0, title="Height", minimum=2.0, maximum=5000.0, step=1.0, unit="mm",
        help="Height of the figure before it is rotated.")  # fmt: skip
    turn: float = number(0.0, title="Rotation", minimum=-360.0, maximum=360.0, step=5.0, unit="°",
        help="Clockwise rotation of the figure.")  # fmt: skip
    is_mirrored: bool = flag(False, title="Mirror", help="Swaps left and right before the figure is rotated.")

    def placed(self, points: Floats) -> Floats:
        """Points (n, 2) of a figure 1 high, in mm on the board."""
        angle = np.radians(self.turn)
        across, down = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        sign = -1.0 if self.is_mirrored else 1.0
        return np.asarray(self.height * (sign * points[:, :1] * across + points[:, 1:] * down) + (self.x, self.y))


@dataclass(frozen=True)
class Whimsy:
    """A figure on the board: either `figure`, a key of the studio's, or `title` and `rings` of another, 1 high.

    Raises StudioError for a figure that there is not, and for rings that make none.
    """

    name: str
    figure: str = ""
    pose: Pose = Pose()
    title: str = ""
    rings: tuple[tuple[tuple[float, float], ...], ...] = ()

    def __post_init__(self) -> None:
        if bool(self.figure) == bool(self.rings):
            raise ParameterError("figure", tr("{name} must be a figure's key or have rings.", name=self.name[:40]))
        if sum(map(len, self.rings)) > MOST_POINTS:
            raise ParameterError("rings", tr("rings must have at most {most} points.", most=MOST_POINTS))
        _ = self.shape

    @property
    def shape(self) -> Figure:
        """Its figure."""
        return figure(self.figure) if self.figure else _own(self.title, self.rings)

    def on_board(self) -> tuple[Floats, ...]:
        """Its outline, clockwise on the screen, and its holes, the other way, as control points (3k + 1, 2) in mm."""
        return _on_board(self.shape, self.pose)

    def posed(self, **values: float | bool) -> Whimsy:
        """The figure elsewhere, or of another size, turned or mirrored."""
        return replace(self, pose=replace(self.pose, **values))  # type: ignore[arg-type]


@lru_cache(256)
def _own(title: str, rings: tuple[tuple[tuple[float, float], ...], ...]) -> Figure:
    return plain_figure(Stored(title, rings))


@lru_cache(256)
def _on_board(shape: Figure, pose: Pose) -> tuple[Floats, ...]:
    rings = (pose.placed(ring) for ring in shape.rings)
    return tuple(frozen(ring[::-1].copy() if pose.is_mirrored else ring) for ring in rings)


@lru_cache(256)
def _region(shape: Figure, pose: Pose) -> shapely.Polygon:
    """A figure on the board with its holes filled: what is in them is no piece of the board."""
    return region(_on_board(shape, pose)[:1], FLATTENING)


def of_figure(name: str, shape: Figure, pose: Pose) -> Whimsy:
    """A whimsy of any figure, such as one from a file, with its curves."""
    rings = tuple(tuple((float(x), float(y)) for x, y in ring) for ring in shape.rings)
    return Whimsy(name, "", pose, shape.title, rings)


def lettered(names: Sequence[str], text: str, pose: Pose) -> tuple[Whimsy, ...]:
    """A text as whimsies, a letter each, called by `names`; the pose is that of the whole line, its capitals' height.

    Raises StudioError for text that cannot be cut so, and ValueError where there are not as many names as letters.
    """
    letters = letters_as_figures(text)
    spread = SPACING * (np.arange(len(letters)) - (len(letters) - 1) / 2)
    middles = pose.placed(np.array([(one.x + more, one.y) for one, more in zip(letters, spread, strict=True)]))
    return tuple(
        of_figure(name, one.figure, replace(pose, x=float(x), y=float(y), height=pose.height * one.height))
        for name, one, (x, y) in zip(names, letters, middles.tolist(), strict=True)
    )


def misplaced(whimsies: Sequence[Whimsy], outline: Outline, wall: float, neck: float) -> list[Finding]:
    """All that keeps figures from becoming pieces, with its place; `wall` and `neck` are the least widths in mm."""
    import shapely

    board, border = outline.region, shapely.boundary(outline.region)
    regions = [_region(one.shape, one.pose) for one in whimsies]
    findings = []
    for one, covered in zip(whimsies, regions, strict=True):
        findings += _alone(one, covered, board, border, wall)
        findings += _too_thin(one, wall, neck)
    tree = shapely.STRtree(regions)
    pairs = tree.query(regions, predicate="dwithin", distance=wall).T if regions else []
    for first, second in sorted((int(a), int(b)) for a, b in pairs if a < b):
        findings += _together(whimsies[first], whimsies[second], regions[first], regions[second], wall)
    return findings


def fitting(moved: Whimsy, others: Sequence[Whimsy], outline: Outline, wall: float) -> Whimsy | None:
    """The figure at the nearest place where it leaves walls to the border and to others; None where none is found."""
    import shapely

    around = [shapely.buffer(_region(one.shape, one.pose), wall) for one in others]
    room = shapely.difference(shapely.buffer(outline.region, -wall), shapely.union_all(around))
    shapely.prepare(room)
    covered = _region(moved.shape, moved.pose)
    angles = 2 * np.pi * np.arange(ROUND) / ROUND
    ways = np.stack([np.cos(angles), np.sin(angles)], 1)
    reach = max(STEP, moved.pose.height / NUDGES)
    for away in reach * np.arange(NUDGES + 1):
        for right, down in (away * (ways if away else ways[:1])).tolist():
            if shapely.contains(room, shapely.transform(covered, lambda at, by=(right, down): at + by)):
                return moved.posed(x=moved.pose.x + right, y=moved.pose.y + down)
    return None


def _alone(
    one: Whimsy, covered: shapely.Polygon, board: shapely.Geometry, border: shapely.Geometry, wall: float
) -> list[Finding]:
    """What is wrong between a figure and the board."""
    import shapely

    share = float(shapely.area(shapely.intersection(covered, board)) / shapely.area(board))
    if share > LARGEST_SHARE:
        return [COVERS.finding((one.pose.x, one.pose.y), figure=one.name, share=share, most=LARGEST_SHARE)]
    if not shapely.contains_properly(board, covered):
        met = shapely.intersection(border, covered)
        place = met if not shapely.is_empty(met) else shapely.shortest_line(covered, board)
        return [BEYOND.finding(_middle(place), figure=one.name)]
    gap = float(shapely.distance(covered, border))
    if gap < wall:
        place = shapely.shortest_line(covered, border)
        return [AT_BORDER.finding(_middle(place), figure=one.name, gap=gap, least=wall)]
    return []


def _together(
    one: Whimsy, other: Whimsy, covered: shapely.Polygon, beside: shapely.Polygon, wall: float
) -> list[Finding]:
    """What is wrong between two figures."""
    import shapely

    if shapely.intersects(covered, beside):
        place = shapely.intersection(covered, beside)
        return [OVERLAPPING.finding(_middle(place), figure=one.name, other=other.name)]
    gap = float(shapely.distance(covered, beside))
    if gap >= wall:
        return []
    place = shapely.shortest_line(covered, beside)
    return [TOO_CLOSE.finding(_middle(place), figure=one.name, other=other.name, gap=gap, least=wall)]


def _too_thin(one: Whimsy, wall: float, neck: float) -> list[Finding]:
    thin, notch = _thin_places(one.shape, neck / one.pose.height, wall / one.pose.height)
    findings = []
    if thin is not None:
        findings.append(THIN.finding(one.pose.placed(thin[None])[0], figure=one.name, least=neck))
    if notch is not None:
        findings.append(NOTCH.finding(one.pose.placed(notch[None])[0], figure=one.name, least=wall))
    return findings


@lru_cache(256)
def _thin_places(shape: Figure, neck: float, wall: float) -> tuple[Floats | None, Floats | None]:
    """A place where a figure 1 high is thinner than a neck, and one where a notch is narrower than a wall."""
    return thin_part(shape.rings, neck) if neck else None, narrow_notch(shape.rings, wall) if wall else None


def _middle(place: shapely.Geometry) -> tuple[float, float]:
    import shapely

    x, y = shapely.get_coordinates(shapely.centroid(place))[0].tolist()
    return x, y
