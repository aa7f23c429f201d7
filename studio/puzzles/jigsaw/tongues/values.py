"""Values of tongues as makers set them: in percent, from the clipboard, and by pulls at handles.

In a file the sign of a slant follows the edge, its tongue's side and its style; a positive reading leans clockwise. The
sign of a balance follows the edge and the side; at a positive reading a tongue that points up is larger on the right.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import numpy as np

from studio.base.encode import decode, encode
from studio.base.errors import StudioError
from studio.base.json_files import parsed
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.jigsaw.model.design import TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.styles import Handle, Style
from studio.puzzles.jigsaw.tongues.tongues import BALANCES, COLUMNS, PLACE, SIDE, Frames


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


@dataclass(frozen=True, eq=False)
class SingleTongue:
    """A single tongue, alone in its frames, and its style."""

    frames: Frames
    style: Style

    def on_board(self, u: float, v: float) -> tuple[float, float]:
        """Map a point of the frame to the board."""
        x, y = self.frames.point(np.array([u]), np.array([v]))[0].tolist()
        return x, y

    def in_frame(self, x: float, y: float) -> tuple[float, float]:
        """Map a place on the board to the frame."""
        u, v = self.frames.coordinates(np.array([[x, y]]))
        return float(u[0]), float(v[0])

    def handle(self, handle: Handle) -> tuple[float, float]:
        """Place of a handle on the board."""
        u, v = self.style.handles[handle].at(self.frames)
        return self.on_board(float(u[0]), float(v[0]))

    def pulled(self, handle: Handle, start: tuple[float, float], end: tuple[float, float]) -> float:
        """New value of the handle's quantity after a pull between two places on the board."""
        (u0, v0), (u, v) = self.in_frame(*start), self.in_frame(*end)
        change = self.style.handles[handle].pulled(self.frames, u - u0, v - v0)
        return float(self.frames.numbers[0, COLUMNS[handle.value]] + change[0])

    def slid(self, right: float, down: float) -> float:
        """Offset of the tongue after a move by some mm, projected on its edge."""
        (x, y), length = self.frames.along[0].tolist(), float(self.frames.length[0])
        return float(self.frames.numbers[0, PLACE] + (right * x + down * y) / length)


def grip(shapes: JigsawShapes, tongue: int) -> SingleTongue:
    """Make the grip of a tongue."""
    return SingleTongue(shapes.frames(np.array([tongue])), shapes.style_of(tongue))


def tips(shapes: JigsawShapes, tongues: Ints) -> Floats:
    """Places in mm of the size handles of tongues, shape (k, 2)."""
    places = np.empty((len(tongues), 2))
    for style, which in shapes.of_one_style(tongues):
        frames = shapes.frames(tongues[which])
        places[which] = frames.point(*style.handles[Handle.SIZE].at(frames))
    return places
