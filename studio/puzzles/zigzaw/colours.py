"""The colours of a zigzaw as artwork, their distances, and a picture as tops of cubes.

Each top is a pixel in the paint that is nearest, or dithered so that areas come out right.
Colours are compared in OKLab; light is 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from studio.base.errors import StudioError
from studio.geometry.art.artwork import Picture, Region, channels, pixels_in
from studio.geometry.curves.strokes import Floats, frozen
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, Paint, Photo, ZigzawDesign, ZigzawParameters, is_place
from studio.puzzles.zigzaw.piece_forms import ACROSS, DIVISION, DOWN, FACES, HALF, HEXAGON, STICKERS, Cube, grid, in_mm

GROUND = "#A4A7AD"
"""Colour between the stickers."""
GAP = 0.06
"""The share of a sticker that the ground takes at each side."""
_BOX = (0.0, 0.0, 1.0, 1.0)
MOST_PIXELS = 2_000
"""Most pixels along a side of a picture; larger ones are scaled down, as a cube is one pixel."""
_SHARES = (("E", 7 / 16), ("SW", 4 / 16), ("SE", 5 / 16))
"""Shares of a dithered cube's error: after Floyd and Steinberg, with two neighbours below in place of three."""


def artwork(
    design: ZigzawDesign, origin: Floats, before: tuple[ZigzawDesign, tuple[Region | Picture, ...]] | None
) -> tuple[Region | Picture, ...]:
    """The ground, and above it the stickers; rows of cubes that are as they were `before` keep their regions."""
    scale = in_mm(np.ones(2), design.parameters.edge)
    palette = design.palette
    known: dict[tuple[int, str], tuple[Region | Picture, ...]] = {}
    result: list[Region | Picture] = []
    if before is not None and before[0].palette == palette:
        # The regions of every row, known by the row's colours.
        design_before, regions = before
        result.append(regions[0])
        at = 1
        for row, text in enumerate(design_before.cubes):
            end = at + len(set(text) - {" ", UNPAINTED})
            known[row, text] = regions[at:end]
            at = end
    else:
        p = design.parameters
        result.append(Region((_outline(p.columns + 2, p.rows + 2) * scale + origin,), GROUND))
    for row, text in enumerate(design.cubes):
        result += known.get((row, text)) or _row(row, text, [paint.colour for paint in palette], scale, origin)
    return tuple(result)


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

    cubes = shapely.polygons([np.array(HEXAGON, float) + cube.origin for cube in grid(columns, rows)])
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


def of_paints(paints: Iterable[Paint]) -> Floats:
    """The paints (n, 3) in OKLab."""
    return oklab(np.array([channels(paint.colour) for paint in paints]) / 255)


def to_hex(colour: Floats) -> str:
    """A colour of OKLab as `#RRGGBB`."""
    linear = (np.linalg.solve(_TO_LAB, colour) ** 3) @ np.linalg.inv(_TO_CONES).T
    share = np.clip(linear, 0, 1)
    encoded = np.where(share <= 0.0031308, 12.92 * share, 1.055 * share ** (1 / 2.4) - 0.055)
    return "#" + "".join(f"{round(255 * one):02X}" for one in encoded.tolist())


def pixels(photo: Photo, parameters: ZigzawParameters) -> dict[Cube, Floats]:
    """Wanted colour of every cube's top, in OKLab: the picture fills the places, its rim goes on in the border.

    The picture is cut to the form of the board, evenly at both sides, and averaged over each cube. Raises StudioError
    for an invalid picture.
    """
    try:
        picture = Picture.from_bytes(photo.data, _BOX)
    except StudioError as problem:
        # It lies nowhere in mm yet.
        raise StudioError(str(problem).replace(" at 0, 0 mm", "")) from problem
    coloured = pixels_in(picture.data, MOST_PIXELS) / 255
    opacity = coloured[..., 3:]
    # Red, green and blue (h, w, 3) of every pixel on white, from 0 to 1.
    shades = opacity * coloured[..., :3] + (1 - opacity)
    p = parameters
    left, right = ACROSS - ACROSS // 2, ACROSS * (p.columns + 1)
    across = (right - left) * DIVISION
    down = DOWN * p.rows * HALF
    height, width = shades.shape[:2]
    scale = min(width / across, height / down)
    begin_x, begin_y = (width - across * scale) / 2, (height - down * scale) / 2
    sums = np.zeros((height + 1, width + 1, 3))
    sums[1:, 1:] = shades.cumsum(axis=0).cumsum(axis=1)
    found = {}
    for row in range(p.rows + 2):
        for column in range(p.columns + 2):
            cube = Cube(row, column)
            x = (cube.origin[0] - left) * DIVISION * scale + begin_x
            y = (cube.origin[1] - DOWN) * HALF * scale + begin_y
            low_x, high_x = _span(x, x + ACROSS * DIVISION * scale, width)
            low_y, high_y = _span(y, y + DOWN * HALF * scale, height)
            whole = sums[high_y, high_x] - sums[low_y, high_x] - sums[high_y, low_x] + sums[low_y, low_x]
            found[cube] = oklab(whole / ((high_x - low_x) * (high_y - low_y)))
    return found


def _span(low: float, high: float, most: int) -> tuple[int, int]:
    """The range of pixels between two places; beyond the picture the pixels at its rim."""
    first = min(max(round(low), 0), most - 1)
    return first, max(min(round(high), most), first + 1)


def tops(photo: Photo, parameters: ZigzawParameters, paints: tuple[Paint, ...], letters: str) -> dict[Cube, str]:
    """The paint of every top, one of some letters."""
    known = of_paints(paints)[[LETTERS.index(letter) for letter in letters]]
    wanted = pixels(photo, parameters)
    result = {}
    for cube, shade in wanted.items():
        nearest = int(((known - shade) ** 2).sum(axis=1).argmin())
        result[cube] = letters[nearest]
        if parameters.dither:
            for step, part in _SHARES:
                if (other := cube.beside(step)) in wanted:
                    wanted[other] = wanted[other] + part * (shade - known[nearest])
    return result


def distance(design: ZigzawDesign) -> float:
    """Mean distance of the cubes from the picture in OKLab, sides included, each with its six neighbours."""
    if design.picture is None:
        return 0.0
    known = of_paints(design.palette)
    wanted = pixels(design.picture, design.parameters)
    shown = {
        cube: known[[LETTERS.index(letter) for letter in triple]].mean(axis=0)
        for cube, triple in design.triples.items()
        if UNPAINTED not in triple
    }
    apart = []
    for cube in wanted:
        if is_place(design.parameters, cube):
            near = [cube.beside(step) for step in ("", "E", "SE", "SW", "W", "NW", "NE")]
            apart.append(np.linalg.norm(np.mean([shown[one] - wanted[one] for one in near if one in shown], axis=0)))
    return float(np.mean(apart))
