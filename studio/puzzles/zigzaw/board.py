"""A zigzaw as an edge-matching puzzle: the places, the faces that their limbs show, and the border's colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from studio.base.chance import uniform
from studio.base.progress import Progress
from studio.geometry.curves.strokes import Ints
from studio.puzzles.zigzaw.bodies import FACES, STICKERS, Cube, Sticker, body
from studio.puzzles.zigzaw.model import LETTERS, UNPAINTED, ZigzawDesign, ZigzawParameters, places
from studio.solving.edges import UNKNOWN, Matching, proven
from studio.solving.solved import Count


@dataclass(frozen=True, eq=False)
class Layout:
    """The layout of a board, a function of columns, rows and body alone.

    side: a face of a cube, numbered row by row, in each cube as FACES are. `slots` has the sides that the limbs of each
    place show; `border` the sides with a part on the frame; `stickers` the place that each sticker of each cube belongs
    to, or UNKNOWN if it is on the frame.
    """

    places: tuple[Cube, ...]
    slots: tuple[tuple[int, ...], ...]
    border: tuple[int, ...]
    stickers: dict[Cube, dict[Sticker, int]]


def layout(parameters: ZigzawParameters) -> Layout:
    """The layout of some parameters."""
    return _layout(parameters.columns, parameters.rows, parameters.body)


@lru_cache(16)
def _layout(columns: int, rows: int, name: str) -> Layout:
    limbs, width = body(name).limbs, columns + 2
    cubes = [Cube(row, column) for row in range(rows + 2) for column in range(width)]
    stickers = {cube: dict.fromkeys(STICKERS, UNKNOWN) for cube in cubes}
    inner = [cube for cube in cubes if 1 <= cube.row <= rows and 1 <= cube.column <= columns]
    slots = []
    for place, cube in enumerate(inner):
        sides = []
        for limb in limbs:
            shown = cube.beside(limb.step)
            sides.append(side_of(width, shown, limb.face))
            for sticker in limb.stickers:
                stickers[shown][sticker] = place
        slots.append(tuple(sides))
    border = {
        side_of(width, cube, sticker.face)
        for cube, owners in stickers.items()
        for sticker, owner in owners.items()
        if owner == UNKNOWN
    }
    return Layout(tuple(inner), tuple(slots), tuple(sorted(border)), stickers)


def side_of(width: int, cube: Cube, face: str) -> int:
    """The number of a face on a grid `width` cubes wide."""
    return 3 * (width * cube.row + cube.column) + FACES.index(face)


def colours(design: ZigzawDesign) -> tuple[int, ...]:
    """The paint of every side, or UNKNOWN."""
    known = {letter: number for number, letter in enumerate(LETTERS)} | {UNPAINTED: UNKNOWN}
    return tuple(known[letter] for letter in "".join(design.triples.values()))


def matching(design: ZigzawDesign) -> Matching:
    """The puzzle: its pieces in the order of their places in the design."""
    known, shown = layout(design.parameters), colours(design)
    given = [UNKNOWN] * len(shown)
    for side in known.border:
        given[side] = shown[side]
    pieces = tuple(tuple([shown[side] for side in sides]) for sides in known.slots)
    return Matching(known.slots, tuple(given), pieces)


def numbers(design: ZigzawDesign) -> Ints:
    """The number of the piece of every place, from 1: shuffled, so that it says nothing of the place."""
    if design.numbers:
        return np.array(design.numbers, np.int64)
    p = design.parameters
    keys = np.array([key_of(cube) for cube in places(p)], np.int64)
    order = np.argsort(uniform(p.seed, keys, "number"), kind="stable")
    result = np.empty(len(keys), np.int64)
    result[order] = np.arange(1, len(keys) + 1)
    return result


def key_of(cube: Cube) -> int:
    """The element that chance knows a cube by; it stays the same on a larger board."""
    return 64 * cube.row + cube.column


# Counting the ways to place the pieces of a zigzaw

MOST_NODES = 1_000_000
"""Pieces placed before a count ends with `at least`; that takes half a minute."""


def count(design: ZigzawDesign, _target: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The number of solutions, the design itself included; swapping identical pieces makes no other solution."""
    return proven(matching(design), progress, most=most, nodes=MOST_NODES).count.of_solved
