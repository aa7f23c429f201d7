"""The colours of a zigzaw as artwork, and their distances in OKLab."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from studio.base.colours import channels
from studio.geometry.art.artwork import Picture, Region
from studio.geometry.curves.strokes import Floats, frozen
from studio.puzzles.zigzaw.bodies import FACES, STICKERS, Cube, grid, in_mm
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, Paint, ZigzawDesign

GROUND = "#A4A7AD"
"""Colour between the stickers."""
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


# Colours in OKLab (Ottosson 2020), where equal distances look about equal; light is 0 to 1

_TO_CONES = np.array([
    [0.4122214708, 0.5363325363, 0.0514459929],
    [0.2119034982, 0.6806995451, 0.1073969566],
    [0.0883024619, 0.2817188376, 0.6299787005],
])  # fmt: skip
_TO_LAB = np.array([
    [0.2104542553, 0.7936177850, -0.0040720468],
    [1.9779984951, -2.4285922050, 0.4505937099],
    [0.0259040371, 0.7827717662, -0.8086757660],
])  # fmt: skip


def oklab(colours: Floats) -> Floats:
    """sRGB colours (…, 3), from 0 to 1, in OKLab."""
    linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
    return np.asarray(np.cbrt(linear @ _TO_CONES.T) @ _TO_LAB.T)


def of_hex(*colours: str) -> Floats:
    """Colours written `#RRGGBB` (n, 3) in OKLab."""
    return oklab(np.array([channels(colour) for colour in colours]) / 255)


def of_paints(paints: tuple[Paint, ...]) -> Floats:
    """The paints (n, 3) in OKLab."""
    return of_hex(*(paint.colour for paint in paints))


def to_hex(colour: Floats) -> str:
    """A colour of OKLab as `#RRGGBB`."""
    linear = (np.linalg.solve(_TO_LAB, colour) ** 3) @ np.linalg.inv(_TO_CONES).T
    share = np.clip(linear, 0, 1)
    encoded = np.where(share <= 0.0031308, 12.92 * share, 1.055 * share ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * one):02X}" for one in encoded.tolist())
