"""The colours of a zigzaw as artwork: stickers on a grey ground, those of a row and a paint in one region."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Floats, frozen
from studio.puzzles.zigzaw.bodies import FACES, STICKERS, Cube, grid, in_mm
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign

GROUND = "#A4A7AD"
"""Between the stickers."""
GAP = 0.06
"""The share of a sticker that the ground takes at each side."""
_HEXAGON = np.array([(6, 4), (9, 7), (9, 13), (6, 16), (3, 13), (3, 7)], float)


def artwork(
    design: ZigzawDesign, origin: Floats, before: tuple[ZigzawDesign, tuple[Region | Picture, ...]] | None
) -> tuple[Region | Picture, ...]:
    """The ground, and above it the stickers; rows of cubes that are as they were `before` keep their regions."""
    scale = in_mm(np.ones(2), design.parameters.edge)
    palette = design.palette
    known: dict[tuple[int, str], tuple[Region, ...]] = {}
    result: list[Region | Picture] = []
    if before is not None and before[0].palette == palette:
        known = _rows_of(*before)
        result.append(before[1][0])
    else:
        p = design.parameters
        result.append(Region((_outline(p.columns + 2, p.rows + 2) * scale + origin,), GROUND))
    for row, text in enumerate(design.cubes):
        result += known.get((row, text)) or _row(row, text, [paint.colour for paint in palette], scale, origin)
    return tuple(result)


def _rows_of(design: ZigzawDesign, regions: tuple[Region | Picture, ...]) -> dict[tuple[int, str], tuple[Region, ...]]:
    """The regions of every row, known by the row's colours."""
    found, at = {}, 1
    for row, text in enumerate(design.cubes):
        count = len(set(text) - {" ", UNPAINTED})
        found[row, text] = tuple(region for region in regions[at : at + count] if isinstance(region, Region))
        at += count
    return found


def _row(row: int, text: str, colours: list[str], scale: Floats, origin: Floats) -> tuple[Region, ...]:
    """The regions of a row of cubes, one for each of its paints."""
    shapes = _stickers() * scale
    rings: dict[str, list[Floats]] = {}
    for column, triple in enumerate(text.split(" ")):
        moved = np.array(Cube(row, column).origin) * scale + origin
        for face, letter in enumerate(triple):
            if letter != UNPAINTED:
                rings.setdefault(letter, []).extend(shapes[face] + moved)
    return tuple(
        Region(tuple(rings[letter]), colours[LETTERS.index(letter)], are_apart=True) for letter in sorted(rings)
    )


@lru_cache(8)
def _outline(columns: int, rows: int) -> Floats:
    """The outline (n, 2) of columns and rows of cubes in lattice units; one ring is painted faster than many."""
    import shapely

    cubes = shapely.polygons([_HEXAGON + cube.origin for cube in grid(columns, rows)])
    return frozen(shapely.get_coordinates(shapely.union_all(cubes).exterior)[:-1])


@lru_cache(1)
def _stickers() -> Floats:
    """The stickers (3, 9, 4, 2) of each face, in lattice units, a little smaller than they are."""
    faces = [[sticker.corners for sticker in STICKERS if sticker.face == face] for face in FACES]
    whole = np.array(faces, float)
    middle = whole.mean(axis=2, keepdims=True)
    return frozen(middle + (1 - 2 * GAP) * (whole - middle))
