"""The numbers of tongues as makers read and enter them: in percent, slants and balances as they are on the screen.

In a file the sign of a slant follows the edge, its tongue's side and its style; a positive reading leans clockwise. The
sign of a balance follows the edge and the side; of a tongue that points up a positive one is larger on the right.
"""

from __future__ import annotations

import numpy as np

from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.tongues import BALANCES, COLUMNS, SIDE


def readings(shapes: JigsawShapes, tongues: Ints, name: str) -> Floats:
    """The values (k,) of some tongues for a column by its name, in percent."""
    return np.asarray(100 * shapes.tongues[tongues, COLUMNS[name]] * signs(shapes, tongues, name))


def entered(shapes: JigsawShapes, tongues: Ints, name: str, percent: Floats | float) -> dict[int, dict[str, float]]:
    """What `with_tongues_shaped` takes for values read as `percent`, one for all or (k,)."""
    values = np.broadcast_to(percent, len(tongues)) / 100 * signs(shapes, tongues, name) + 0.0
    return {tongue: {name: value} for tongue, value in zip(tongues.tolist(), values.tolist(), strict=True)}


def signs(shapes: JigsawShapes, tongues: Ints, name: str) -> Floats:
    """By what (k,) the values of some tongues for a column are multiplied: 1, or -1 for some slants and balances."""
    if name in BALANCES:
        return np.asarray(-shapes.tongues[tongues, SIDE])
    if name != "slant":
        return np.ones(len(tongues))
    # A tongue of side 1 is on the right of its edge, where along the edge is anticlockwise.
    leans = np.empty(len(tongues))
    for style, which in shapes.of_one_style(tongues):
        leans[which] = style.leans
    return np.asarray(-leans * shapes.tongues[tongues, SIDE])
