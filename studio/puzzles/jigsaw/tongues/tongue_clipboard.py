"""The shape of a tongue on its way through the clipboard: an edit of no side, its slant as it leans on the screen."""

from __future__ import annotations

import json

import numpy as np

from studio.base.encode import decode, encode
from studio.base.errors import StudioError
from studio.base.json_files import parsed
from studio.base.texts import tr
from studio.puzzles.jigsaw.model.design import TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.tongues.percent import signs
from studio.puzzles.jigsaw.tongues.tongues import COLUMNS

LARGEST = 2**12
"""Bytes of a copied shape."""


def shape_of(shapes: JigsawShapes, tongue: int) -> TongueEdit:
    """The shape of a tongue, to be copied."""
    one = np.array([tongue])
    numbers = {
        name: float(shapes.tongues[tongue, column] * signs(shapes, one, name)[0]) + 0.0
        for name, column in COLUMNS.items()
    }
    style = shapes.style_of(tongue).key
    return TongueEdit(shapes.tiling.tongue_name(tongue), **numbers, style=style)  # type: ignore[arg-type]


def as_bytes(shape: TongueEdit) -> bytes:
    """A copied shape as JSON."""
    return json.dumps(encode(shape, object)).encode()


def from_bytes(data: bytes) -> TongueEdit:
    """The shape in some bytes; raises StudioError where they hold none."""
    try:
        if len(data) > LARGEST:
            raise StudioError(tr("it is too large."))
        return decode(TongueEdit, parsed(data), "tongue", object)
    except StudioError as problem:
        raise StudioError(
            tr("The copied tongue shape cannot be read ({problem}). Copy it again.", problem=str(problem).rstrip("."))
        ) from problem
