"""The problems of a zigzaw: whether it has one solution, twins, or parts too small."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import ceil

import numpy as np
import shapely

from studio.base.amounts import abridged, listed, many, thousands
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.checks.finding import Checked, Finding, Repair
from studio.geometry.curves.strokes import Curves, Floats, frozen
from studio.puzzles.zigzaw import check_problems
from studio.puzzles.zigzaw.colours import of_paints
from studio.puzzles.zigzaw.generate import MANY_COLOURS, differing, proof, unique, with_any_three, with_paints
from studio.puzzles.zigzaw.geometry import ZigzawShapes, mark_places, mark_size, mirrored, number_height, outline_of
from studio.puzzles.zigzaw.model import (
    BACK,
    FIGURE,
    HATCH,
    IN_PARTS,
    NOTHING,
    NUMBER,
    REAL,
    ZigzawDesign,
    ZigzawParameters,
    cube_name,
    layout,
    matching,
)
from studio.puzzles.zigzaw.outlines import lines_of
from studio.puzzles.zigzaw.piece_forms import Cube, in_mm
from studio.solving.edges import Solutions

# Least widths of a zigzaw's parts: the limbs of a piece, and the rim beside cuts through the frame.
# Two points of an outline lie across a limb if the way between them along the outline is much longer than straight
# through the piece; round the tip of a corner of 60° it is twice as long.


AROUND = 2.2
"""Least ratio of the way round to the way through."""
UNIT = 10.0
"""The edge in mm of measured pieces; other widths are in proportion."""
ROUNDEST = 2.0
"""The largest radius in edges that makes a difference, as sides have no room for larger ones."""
STEP = 0.1
"""Distance of neighbouring points on the outline, in edges."""
FOLLOWED = 0.01
"""Greatest distance of the points from the curves, in mm."""
AT_ONCE = 256
"""Pairs of points between which the straight way is held against the piece at a time."""


@dataclass(frozen=True, eq=False)
class Narrowest:
    """The least width of a part in mm, and its middle (2,)."""

    width: float
    place: Floats


def limb(parameters: ZigzawParameters) -> Narrowest:
    """Find the narrowest place of a piece's limbs, from the origin of its cube."""
    p = parameters
    found = _limb(p.body, min(p.radius / p.edge, ROUNDEST))
    return Narrowest(p.edge / UNIT * found.width, p.edge / UNIT * found.place)


@lru_cache(32)
def _limb(body: str, radius: float) -> Narrowest:
    """The same for edges of UNIT mm; the radius is in edges."""
    parameters = ZigzawParameters(columns=3, rows=3, body=body, edge=UNIT, radius=radius * UNIT)
    # Points along the outline, its corners among them, and their distances along it from its beginning.
    corners = Curves.from_strokes([outline_of(parameters)]).flattened(FOLLOWED).points
    counts = np.ceil(np.hypot(*np.diff(corners, axis=0).T) / (STEP * UNIT)).astype(int)
    parts = [
        begin + np.arange(count)[:, None] / count * (end - begin)
        for (begin, end), count in zip(pairwise(corners), np.maximum(1, counts).tolist(), strict=True)
    ]
    points = np.concatenate([*parts, corners[-1:]])
    along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    piece = shapely.buffer(shapely.Polygon(points), 2 * FOLLOWED)
    whole = float(along[-1])
    points, along = points[:-1], along[:-1]
    here, there = np.triu_indices(len(points), 1)
    away = np.hypot(*(points[here] - points[there]).T)
    between = along[there] - along[here]
    is_across = np.minimum(between, whole - between) > AROUND * away
    here, there, away = here[is_across], there[is_across], away[is_across]
    order = np.argsort(away, kind="stable")
    for begin in range(0, len(order), AT_ONCE):
        some = order[begin : begin + AT_ONCE]
        ways = shapely.linestrings(np.stack([points[here[some]], points[there[some]]], 1))
        through = some[shapely.covers(piece, ways)]
        if len(through):
            first = through[0]
            return Narrowest(float(away[first]), frozen((points[here[first]] + points[there[first]]) / 2))
    low, high = points.min(axis=0), points.max(axis=0)
    return Narrowest(float((high - low).min()), frozen((low + high) / 2))


def parting(parameters: ZigzawParameters, size: Floats, origin: Floats) -> Narrowest | None:
    """Find the rim's narrowest place beside a cut through the frame, of `size` (2,) mm; None without such a cut."""
    if parameters.frame != IN_PARTS:
        return None
    found = []
    for one in lines_of(parameters).partings:
        way = np.array(one.outwards)
        points = in_mm(np.array(one.points[:-1], float), parameters.edge) + origin
        side = np.where(way > 0, size, 0.0)
        away = np.abs((side - points) @ np.abs(way))
        nearest = int(away.argmin())
        found.append(Narrowest(float(away[nearest]), points[nearest] + away[nearest] / 2 * way))
    return min(found, key=lambda one: one.width)


LEAST_LIMB = 4.3
"""The least safe width of a limb in mm: narrower ones break in plywood along the grain."""
LEAST_MARK = 1.5
"""The least size in mm of a registration mark that can be aligned."""
LEAST_NUMBER = 2.0
"""The least height in mm of readable numbers on the back."""
LEAST_APART = 0.03
"""The least distance in OKLab of two colours; the nearest ones of a built-in palette are 0.05 apart."""
MOST_NAMED = 6


@dataclass(frozen=True, eq=False)
class ZigzawChecked(Checked):
    """The findings and the proof, which holds for every design of the same colours."""

    key: object = None
    proof: Solutions | None = None


def check(design: ZigzawDesign, shapes: ZigzawShapes, before: Checked | None, progress: Progress) -> ZigzawChecked:
    """The findings; the proof is repeated only if colours or pieces changed."""
    progress.step(0.0)
    p = design.parameters
    key = p.columns, p.rows, p.body, design.cubes
    if isinstance(before, ZigzawChecked) and before.key == key and before.proof is not None:
        known = before.proof
    else:
        known = proof(design, progress)
    findings = sorted(_found(design, shapes, known), key=lambda finding: finding.rank)
    count = p.columns * p.rows
    verdict = tr("{pieces}, one solution. Ready to cut.", pieces=many(count, "piece"))
    return ZigzawChecked(tuple(findings), verdict, key, known)


def _found(design: ZigzawDesign, shapes: ZigzawShapes, known: Solutions) -> Iterator[Finding]:
    p, places = design.parameters, layout(design.parameters).places
    cubes = differing(design, known)
    if cubes:
        pieces = [place for place, cube in enumerate(places) if cube in set(cubes)]
        name = cube_name(p, cubes[0])
        repair = Repair(tr("Make solution unique"), unique)
        place = shapes.middle_of(cubes[0])
        yield check_problems.AMBIGUOUS.finding(place, pieces=pieces, repair=repair, count=len(cubes), name=name)
    elif not known.count.complete:
        freer = None
        if p.scheme == REAL or p.colours < MANY_COLOURS:
            freer = Repair(tr("Use any three of {count} colours", count=MANY_COLOURS), with_any_three)
        yield check_problems.UNPROVEN.finding(shapes.drawing.middle, repair=freer, nodes=thousands(known.count.nodes))
    # Different colours that look alike, which the proof does not know.
    paints = design.palette[: p.paint_count]
    seen = of_paints(paints)
    near = np.linalg.norm(seen[:, None] - seen, axis=2) < LEAST_APART
    for first, second in np.argwhere(np.triu(near, 1)).tolist() if p.finish != HATCH else ():
        repair = Repair(tr("Use built-in palette"), lambda design, progress: with_paints(design, None, progress))
        names = listed([paints[first].name, paints[second].name.lower()])
        yield check_problems.ALIKE.finding(shapes.drawing.middle, repair=repair, names=names)
    for alike in _twins(design, places):
        titles = [cube_name(p, cube) for cube in alike]
        pieces = [places.index(cube) for cube in alike]
        yield check_problems.TWINS.finding(
            shapes.middle_of(alike[0]), pieces=pieces, names=abridged(titles, MOST_NAMED - 1)
        )
    yield from _made(design, shapes)


def _made(design: ZigzawDesign, shapes: ZigzawShapes) -> Iterator[Finding]:
    """Find parts too thin or too small to be made."""
    p, drawing = design.parameters, shapes.drawing
    thin = limb(p)
    if thin.width < LEAST_LIMB:
        repair = Repair.setting(
            tr("Set sticker edge to {edge:.1f} mm"), edge=ceil(10 * p.edge * LEAST_LIMB / thin.width) / 10
        )
        place = _on_page(shapes, shapes.origin + thin.place + in_mm(np.array(layout(p).places[0].origin), p.edge))
        yield check_problems.THIN.finding(place, pieces=[0], repair=repair, width=thin.width, least=LEAST_LIMB)
    rim = parting(p, np.array([drawing.width, drawing.height]), shapes.origin)
    if rim is not None and rim.width < LEAST_LIMB:
        repair = Repair.setting(tr("Set border to {border:.1f} mm"), border=ceil(p.border + LEAST_LIMB - rim.width))
        yield check_problems.THIN_RIM.finding(
            _on_page(shapes, rim.place), repair=repair, width=rim.width, least=LEAST_LIMB
        )
    size = mark_size(p)
    if p.marks != NOTHING and size < LEAST_MARK:
        border = ceil(p.border * LEAST_MARK / size)
        repair = Repair.setting(tr("Set border to {border:.1f} mm"), border=float(border))
        x, y = mark_places(p, drawing.width, drawing.height)[0].tolist()
        yield check_problems.SMALL_MARKS.finding((x, y), repair=repair, size=size, border=p.border)
    height = number_height(design) if p.side == BACK and p.back == NUMBER else LEAST_NUMBER
    if height < LEAST_NUMBER:
        repair = Repair.setting(tr("Engrave a figure"), back=FIGURE)
        yield check_problems.SMALL_NUMBERS.finding(
            shapes.middle_of(layout(p).places[0]), pieces=[0], repair=repair, height=height, least=LEAST_NUMBER
        )


def _on_page(shapes: ZigzawShapes, place: Floats) -> tuple[float, float]:
    """Map a place of the front to the drawing."""
    seen = mirrored(place, shapes.drawing.width) if shapes.design.parameters.side == BACK else place
    return float(seen[0]), float(seen[1])


def _twins(design: ZigzawDesign, places: tuple[Cube, ...]) -> list[list[Cube]]:
    """The places of pieces that are alike."""
    alike: dict[tuple[int, ...], list[Cube]] = {}
    for cube, piece in zip(places, matching(design).pieces, strict=True):
        alike.setdefault(piece, []).append(cube)
    return [cubes for cubes in alike.values() if len(cubes) > 1]
