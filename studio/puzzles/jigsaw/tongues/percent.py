"""Values of tongues in percent, as makers enter them, and a tongue's shape on the clipboard.

In a file the sign of a slant follows the edge, its tongue's side and its style; a positive reading leans clockwise. The
sign of a balance follows the edge and the side; at a positive reading a tongue that points up is larger on the right.
"""

from __future__ import annotations

import json

import numpy as np

from studio.base.encode import decode, encode
from studio.base.errors import StudioError
from studio.base.json_files import parsed
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.design import TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.tongues import BALANCES, COLUMNS, SIDE


def readings(shapes: JigsawShapes, tongues: Ints, name: str) -> Floats:
    """Values of tongues in a named column, in percent, shape (k,)."""
    return np.asarray(100 * shapes.tongues[tongues, COLUMNS[name]] * signs(shapes, tongues, name))


def entered(shapes: JigsawShapes, tongues: Ints, name: str, percent: Floats | float) -> dict[int, dict[str, float]]:
    """Convert `percent`, a single value or shape (k,), to the values that `with_tongues_shaped` takes."""
    values = np.broadcast_to(percent, len(tongues)) / 100 * signs(shapes, tongues, name) + 0.0
    return {tongue: {name: value} for tongue, value in zip(tongues.tolist(), values.tolist(), strict=True)}


def signs(shapes: JigsawShapes, tongues: Ints, name: str) -> Floats:
    """Signs of readings against stored values of a column: 1, or -1 for some slants and balances. Shape (k,)."""
    if name in BALANCES:
        return np.asarray(-shapes.tongues[tongues, SIDE])
    if name != "slant":
        return np.ones(len(tongues))
    # A tongue of side 1 is on the right of its edge, where along the edge is anticlockwise.
    leans = np.empty(len(tongues))
    for style, which in shapes.of_one_style(tongues):
        leans[which] = style.leans
    return np.asarray(-leans * shapes.tongues[tongues, SIDE])


# The shape of a tongue on the clipboard

LARGEST = 2**12
"""Most bytes of a copied shape."""


def shape_of(shapes: JigsawShapes, tongue: int) -> TongueEdit:
    """Read the shape of a tongue for copying, its values with the signs of readings."""
    one = np.array([tongue])
    numbers = {
        name: float(shapes.tongues[tongue, column] * signs(shapes, one, name)[0]) + 0.0
        for name, column in COLUMNS.items()
    }
    style = shapes.style_of(tongue).key
    return TongueEdit(shapes.tiling.tongue_name(tongue), **numbers, style=style)  # type: ignore[arg-type]


def as_bytes(shape: TongueEdit) -> bytes:
    """Encode a copied shape as JSON."""
    return json.dumps(encode(shape, object)).encode()


def from_bytes(data: bytes) -> TongueEdit:
    """Decode a copied shape. Raise StudioError for invalid bytes."""
    try:
        if len(data) > LARGEST:
            raise StudioError(tr("it is too large."))
        return decode(TongueEdit, parsed(data), "tongue", object)
    except StudioError as problem:
        raise StudioError(
            tr("The copied tongue shape cannot be read ({problem}). Copy it again.", problem=str(problem).rstrip("."))
        ) from problem
