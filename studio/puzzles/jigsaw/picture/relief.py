"""The picture of a jigsaw as a relief on its printed pieces: light or dark parts are higher.

lightness: 0 for black to 1 for white, as the picture's grey levels have it; what is transparent is white.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.artwork import Picture, turned
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.polyomino import Mask
from studio.geometry.solids.relief import Relief
from studio.puzzles.jigsaw.model.design import DARK
from studio.puzzles.jigsaw.model.geometry import JigsawShapes

MOST_TRIANGLES = 1_500_000
"""About the most of all reliefs together, without walls and bottoms; the grid of a larger board is coarser."""
BANDS = 1.25
"""How many more triangles a relief has than its grid: those of the bands along outlines."""


def relief(shapes: JigsawShapes, area: float, most: int = MOST_TRIANGLES) -> Relief | None:
    """The relief of a board whose pieces have some mm² in all, y upwards; None where none is wished for.

    It is so coarse that it has about `most` triangles at most. Raises StudioError for a board without a picture.
    """
    p, picture = shapes.design.parameters, shapes.design.picture
    if not p.relief:
        return None
    if picture is None:
        raise StudioError(tr("The relief needs a picture: load one, or set its height to 0."))
    width, height = shapes.drawing.width, shapes.drawing.height
    step = grid(shapes, area, most)
    field = _Lightness.of(picture.on_board(width, height), picture.crop, step)

    def heights(places: Floats) -> Floats:
        light, shown = field.at(places * (1.0, -1.0))
        return np.where(shown, p.relief * (1.0 - light if p.relief_raised == DARK else light), 0.0)

    return Relief(step, heights)


def grid(shapes: JigsawShapes, area: float, most: int = MOST_TRIANGLES) -> float:
    """The distance in mm between the heights of a relief over some mm²: what is wished for, if that is not too fine."""
    return float(max(shapes.design.parameters.relief_grid, (2 * BANDS * area / most) ** 0.5))


@dataclass(frozen=True, eq=False)
class _Lightness:
    """The lightness (rows, columns) of a picture in a box in mm, about whose middle it is turned."""

    values: Floats
    picture: Picture
    crop: tuple[float, float, float, float]

    @classmethod
    def of(cls, picture: Picture, crop: tuple[float, float, float, float], step: float) -> _Lightness:
        """That of a picture, its pixels not much finer than a step in mm; raises StudioError for a broken one."""
        return cls(picture.lightness(step), picture, crop)

    def at(self, places: Floats) -> tuple[Floats, Mask]:
        """The lightness (n,) at places (n, 2) in mm, y downwards, and where there is any of the picture."""
        width, height = self.picture.box[2:]
        shares = turned(places - np.array(self.picture.middle), -self.picture.turn) / (width, height) + 0.5
        left, top, right, bottom = self.crop
        shown = np.all((shares >= (left, top)) & (shares <= (1 - right, 1 - bottom)), axis=1)
        rows, columns = self.values.shape
        spots = np.clip(shares * (columns, rows) - 0.5, 0.0, np.array([columns, rows]) - 1.0)
        across, down = np.minimum(spots.astype(np.int64), np.maximum(np.array([columns, rows]) - 2, 0)).T
        right_one, lower = np.minimum(across + 1, columns - 1), np.minimum(down + 1, rows - 1)
        right_share, low_share = (spots - np.stack([across, down], 1)).T
        upper = self.values[down, across] * (1 - right_share) + self.values[down, right_one] * right_share
        under = self.values[lower, across] * (1 - right_share) + self.values[lower, right_one] * right_share
        return upper * (1 - low_share) + under * low_share, np.asarray(shown)
