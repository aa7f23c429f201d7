"""A picture as tops of cubes: each a pixel in the paint that is nearest, or dithered so that areas come out right.

Colours are compared in OKLab; light is 0 to 1.
"""

from __future__ import annotations

import numpy as np

from studio.base.errors import StudioError
from studio.geometry.art.artwork import Picture, pixels_in
from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.bodies import ACROSS, DIVISION, DOWN, HALF, Cube
from studio.puzzles.zigzaw.colours import of_paints, oklab
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, Paint, Photo, ZigzawDesign, ZigzawParameters, is_place

_BOX = (0.0, 0.0, 1.0, 1.0)
MOST_PIXELS = 2_000
"""Most pixels along a side of a picture; larger ones are scaled down, as a cube is one pixel."""
_SHARES = (("E", 7 / 16), ("SW", 4 / 16), ("SE", 5 / 16))
"""Shares of a dithered cube's error: after Floyd and Steinberg, with two neighbours below in place of three."""


def pixels(photo: Photo, parameters: ZigzawParameters) -> dict[Cube, Floats]:
    """Wanted colour of every cube's top, in OKLab: the picture fills the places, its rim goes on in the border.

    The picture is cut to the form of the board, evenly at both sides, and averaged over each cube.
    """
    shades = _shades(photo)
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


def _shades(photo: Photo) -> Floats:
    """Red, green and blue (h, w, 3) of every pixel on white, from 0 to 1; raises StudioError for an invalid picture."""
    try:
        picture = Picture.from_bytes(photo.data, _BOX)
    except StudioError as problem:
        # It lies nowhere in mm yet.
        raise StudioError(str(problem).replace(" at 0, 0 mm", "")) from problem
    shades = pixels_in(picture.data, MOST_PIXELS) / 255
    opacity = shades[..., 3:]
    return np.asarray(opacity * shades[..., :3] + (1 - opacity))


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
