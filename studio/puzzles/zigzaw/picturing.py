"""Pictures of a zigzaw's pieces and border, one file each, packed together."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.typing import NDArray

from studio.base.colours import channels
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.art.artwork import Pixels, png_of
from studio.geometry.curves.strokes import Floats
from studio.puzzles.zigzaw.board import layout, matching, numbers
from studio.puzzles.zigzaw.bodies import DIVISION, FACES, HALF, STEPS, Body
from studio.puzzles.zigzaw.colours import GAP, GROUND
from studio.puzzles.zigzaw.kind import PictureOptions
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign
from studio.solving.edges import UNKNOWN

Rhombus = tuple[Floats, str]
"""A sticker: its corners (4, 2) in lattice units, and the colour in its middle."""
_FINER = 3
"""Samples along each side of a pixel."""
_EARLIEST = (1980, 1, 1, 0, 0, 0)
"""A date that says nothing, so that the same design gives the same bytes."""


def write(design: ZigzawDesign, options: PictureOptions, progress: Progress) -> bytes:
    """A ZIP file with a PNG of every piece, `piece 1.png` and so on, and of the border."""
    packed = io.BytesIO()
    palette = [paint.colour for paint in design.palette]
    order = sorted(zip(numbers(design).tolist(), matching(design).pieces, strict=True))
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for done, (number, piece) in enumerate(order):
            progress.step(done / len(order), tr("Painting the pieces"))
            picture = piece_picture(design.body, [palette[paint] for paint in piece], options.edge)
            archive.writestr(ZipInfo(tr("piece {number}.png", number=number), _EARLIEST), png_of(picture))
        archive.writestr(ZipInfo("border.png", _EARLIEST), png_of(border_picture(design, options.edge)))
    return packed.getvalue()


def piece_picture(body: Body, colours: Sequence[str], edge: float) -> Pixels:
    """A piece with a colour on each of its limbs; `edge` is the edge of a sticker in pixels."""
    rhombi = [
        (np.array(sticker.corners, float) + STEPS[limb.step], colour)
        for limb, colour in zip(body.limbs, colours, strict=True)
        for sticker in limb.stickers
    ]
    outline = np.array(body.outline, float)
    return _painted(rhombi, outline.min(axis=0), outline.max(axis=0), edge)


def border_picture(design: ZigzawDesign, edge: float) -> Pixels:
    """The border: the stickers that belong to no piece, around an empty board."""
    palette = [paint.colour for paint in design.palette]
    low, high = extent(design.parameters.columns, design.parameters.rows)
    rhombi = []
    for cube, owners in layout(design.parameters).stickers.items():
        for sticker, owner in owners.items():
            letter = design.triples[cube][FACES.index(sticker.face)]
            if owner == UNKNOWN:
                colour = GROUND if letter == UNPAINTED else palette[LETTERS.index(letter)]
                rhombi.append((np.array(sticker.corners, float) + cube.origin, colour))
    return _painted(rhombi, low, high, edge)


def extent(columns: int, rows: int) -> tuple[Floats, Floats]:
    """The least and greatest lattice point of all cubes of a board with its border."""
    return np.array([0.0, 4.0]), np.array([6.0 * columns + 15, 9.0 * rows + 25])


def _painted(rhombi: Iterable[Rhombus], low: Floats, high: Floats, edge: float) -> Pixels:
    """Stickers on their ground, between two lattice points."""
    scale = edge * np.array([DIVISION, HALF])
    width, height = np.ceil((high - low) * scale).astype(int)
    fine = np.zeros((height * _FINER, width * _FINER, 4), np.uint8)
    for corners, colour in rhombi:
        whole = (corners - low) * scale * _FINER
        middle = whole.mean(axis=0)
        for ring, fill in ((whole, GROUND), (middle + (1 - 2 * GAP) * (whole - middle), colour)):
            left, top = np.maximum(np.floor(ring.min(axis=0)), 0).astype(int)
            right, bottom = np.ceil(ring.max(axis=0)).astype(int)
            part = fine[top:bottom, left:right]
            part[_inside(ring, left, top, part.shape)] = (*channels(fill), 255)
    parts = fine.reshape(height, _FINER, width, _FINER, 4).astype(float)
    opacity = parts[..., 3].mean(axis=(1, 3))
    share = np.maximum(opacity, 1e-9)[..., None] / 255
    mixed = (parts[..., :3] * parts[..., 3:] / 255).mean(axis=(1, 3)) / share
    return np.asarray(np.rint(np.dstack([mixed, opacity])), np.uint8)


def _inside(ring: Floats, left: int, top: int, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Mask of the pixels of a part of a picture whose middles are in a convex ring, turned either way."""
    x, y = np.meshgrid(left + np.arange(shape[1]) + 0.5, top + np.arange(shape[0]) + 0.5)
    sides = []
    for (ax, ay), (bx, by) in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        sides.append((bx - ax) * (y - ay) - (by - ay) * (x - ax))
    signs = np.array(sides)
    inside = np.all(signs >= -1e-9, axis=0) | np.all(signs <= 1e-9, axis=0)
    return np.asarray(inside)
