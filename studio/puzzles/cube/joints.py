"""The fit coupon of a cube: a joint of its own plates at several gaps, to be printed once and tried by hand.

Every pair is a block with two fingers and one with the finger between them, made as the pieces of the cube are: the
same unit, edges and style, with the gap that is sunk into both. In the hand they go together at any angle.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from studio.colours import COLOURS
from studio.errors import StudioError
from studio.geometry.engraving import Room, fitted, grooves, laid
from studio.geometry.solid import Mesh, Solid
from studio.progress import Progress
from studio.puzzles.cube.geometry import Form, lettered
from studio.puzzles.cube.inside import LEAST_HEIGHT, depth, pen
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.texts import tr

FINGERS = {"a": (True, False, True), "b": (False, True, False)}
"""The last row of voxels of both blocks of a pair."""
TALLEST = 5.0
"""How tall a label is at most, in mm."""
MOST_ROWS = 6
"""How many rows of voxels a block has behind its fingers at most, so that its label finds room."""


def joints(design: CubeDesign, gaps: Sequence[float], progress: Progress) -> tuple[Solid, ...]:
    """Two blocks for each gap in mm, each lying flat at the origin.

    Raises StudioError where a gap cannot be, and Cancelled where nobody waits any more.
    """
    plain = replace(design.parameters, snap=0.0, inside="nothing", text="")
    blocks = []
    for number, gap in enumerate(gaps):
        progress.step(number / len(gaps), tr("Making the pair of {label} mm", label=label(gap)))
        for side, fingers in FINGERS.items():
            mesh = _block(replace(plain, gap=gap), fingers, label(gap))
            blocks.append(Solid(f"{label(gap)} {side}", COLOURS[number % len(COLOURS)], mesh))
    progress.step(1.0)
    return tuple(blocks)


def label(gap: float) -> str:
    """A gap as it is sunk into the blocks: two places, or three where it needs them."""
    return f"{gap:.3f}".removesuffix("0")


def _block(parameters: CubeParameters, fingers: tuple[bool, ...], text: str) -> Mesh:
    form, stroke = Form.of(parameters), pen(parameters)
    margin = form.gap / 2 + form.radius + max(parameters.least_wall, stroke)
    for rows in range(1, MOST_ROWS + 1):
        room = Room(len(fingers) * form.unit - 2 * margin, rows * form.unit - 2 * margin)
        height = fitted(text, room, stroke, TALLEST)
        if height >= LEAST_HEIGHT * stroke:
            break
    else:
        raise StudioError(
            tr(
                "Voxels of {unit:g} mm have no room for the numbers of a fit coupon; make the unit larger for it.",
                unit=form.unit,
            )
        )
    mask = np.ones((len(fingers), rows + 1), bool)
    mask[:, rows] = fingers
    strokes = laid(text, height, room, stroke)
    rims = () if strokes is None else grooves(strokes, stroke)
    # In a drawing y grows downwards, on the bed it grows away from us.
    rims = tuple((rim * (1.0, -1.0))[::-1] for rim in rims)
    core = (0, 0, len(fingers), rows)
    return lettered(mask, form, rims, core, depth(parameters))
