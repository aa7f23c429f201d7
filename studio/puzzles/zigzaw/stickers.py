"""A zigzaw's stickers as areas: one for each limb, a little smaller than it, and the stickers of the frame.

All are in mm from the origin of a cube or of the grid, y downwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import shapely

from studio.geometry.curves.strokes import Curves
from studio.puzzles.zigzaw.board import layout
from studio.puzzles.zigzaw.bodies import FACE_TITLES, FACES, STEPS, Point, Sticker, body, in_mm
from studio.puzzles.zigzaw.colours import GAP
from studio.puzzles.zigzaw.geometry import outline_of
from studio.puzzles.zigzaw.model import UNPAINTED, ZigzawDesign, ZigzawParameters, cube_name
from studio.solving.edges import UNKNOWN

GRID = 1e-3
"""The grid in mm on which corners of areas are."""
FOLLOWED = 0.02
"""Greatest distance in mm of a piece's sides from the curves that are cut."""
LEAST = 0.2
"""The least area in mm² of a sticker that is drawn."""


@dataclass(frozen=True, eq=False)
class OnLimb:
    """A sticker of a limb: the limb's number and name, and its area from the origin of a piece's cube."""

    limb: int
    name: str
    area: shapely.Polygon


def outline(parameters: ZigzawParameters) -> shapely.Polygon:
    """A piece, from the origin of its cube."""
    return shapely.Polygon(Curves.from_strokes([outline_of(parameters)]).flattened(FOLLOWED).points)


def rhombus(sticker: Sticker, origin: Point, parameters: ZigzawParameters) -> shapely.Polygon:
    """A single sticker of a cube at a lattice point, as large as it can be."""
    return shapely.Polygon(in_mm(np.array(sticker.corners, float) + origin, parameters.edge))


def on_limbs(parameters: ZigzawParameters, play: float = 0.0) -> tuple[OnLimb, ...]:
    """The stickers of a piece from whose sides half of `play` mm is taken away."""
    p = parameters
    return _on_limbs(ZigzawParameters(columns=3, rows=3, body=p.body, edge=p.edge, radius=p.radius), play)


@lru_cache(8)
def _on_limbs(parameters: ZigzawParameters, play: float) -> tuple[OnLimb, ...]:
    piece = outline(parameters)
    found = []
    for number, limb in enumerate(body(parameters.body).limbs):
        whole = joined([rhombus(sticker, STEPS[limb.step], parameters) for sticker in limb.stickers])
        found += [
            OnLimb(number, name, area)
            for name, area in within(limb.name.replace("_", " "), whole, piece, parameters.edge, play)
        ]
    return tuple(found)


def on_frame(design: ZigzawDesign) -> Iterator[tuple[str, str, shapely.Polygon]]:
    """Faces on the frame, from the origin of the grid: a name, the letter of its paint and its area."""
    p = design.parameters
    for cube, owners in layout(p).stickers.items():
        for letter, face in zip(design.triples[cube], FACES, strict=True):
            own = [
                rhombus(sticker, cube.origin, p)
                for sticker, owner in owners.items()
                if owner == UNKNOWN and sticker.face == face
            ]
            if own and letter != UNPAINTED:
                yield f"{cube_name(p, cube)} {FACE_TITLES[face]}", letter, joined(own)


def joined(areas: Sequence[shapely.Polygon]) -> shapely.Geometry:
    """Join stickers side by side, without the slivers that rounding leaves between them."""
    return shapely.union_all(areas, grid_size=GRID)


def within(
    name: str, whole: shapely.Geometry, piece: shapely.Geometry, edge: float, play: float
) -> list[tuple[str, shapely.Polygon]]:
    """Clip stickers to a piece, a little smaller than it; number the parts if there are several."""
    shrunk = shapely.buffer(whole, -GAP * edge - play / 2, join_style="mitre")
    parts = shapely.get_parts(shrunk & shapely.buffer(piece, -GAP * edge - play / 2, join_style="mitre")).tolist()
    parts = [part for part in parts if part.area >= LEAST]
    return [(name if len(parts) == 1 else f"{name} {number}", part) for number, part in enumerate(parts, 1)]
