"""All polyominoes up to seven squares, each with a name: the pieces that sets are chosen from.

free: turned and mirrored ones are the same polyomino.

The pentominoes have the letters that Golomb gave them, smaller ones a letter and their number of squares, larger ones
their number of squares and a number: `6-1` is the hexomino that fills two rows of three.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.calendar.model import COLOURS, EMPTY, FILLED, Mask, Piece, orientations

LARGEST = 7
"""Squares of the largest polyominoes; there are 108 of seven."""
_LETTERS = {
    "I1": "#", "I2": "##", "I3": "###", "V3": "#. ##",
    "I4": "####", "L4": "#.. ###", "O4": "## ##", "S4": "##. .##", "T4": "### .#.",
    "F": ".## ##. .#.", "I": "#####", "L": "#... ####", "N": "##.. .###", "P": "##. ###", "T": "### .#. .#.",
    "U": "#.# ###", "V": "#.. #.. ###", "W": "#.. ##. .##", "X": ".#. ### .#.", "Y": ".#.. ####", "Z": "##. .#. .##",
}  # fmt: skip

Form = bytes
"""A key that all rotations and reflections of a polyomino share."""


@cache
def polyominoes(size: int) -> tuple[Piece, ...]:
    """All free polyominoes of `size` squares, 1 to LARGEST, the most compact first; their colours are their numbers."""
    if not 1 <= size <= LARGEST:
        raise StudioError(tr("Sizes must be 1 to {largest} squares, not {size}.", largest=LARGEST, size=size))
    found = sorted((_first(mask) for mask in _grown(size)), key=_order)
    names = {form(Piece(name, tuple(rows.split())).mask): name for name, rows in _LETTERS.items()}
    pieces = [
        Piece(names.get(form(mask), f"{size}-{number}"), rows_of(mask), number % COLOURS)
        for number, mask in enumerate(found, 1)
    ]
    return tuple(sorted(pieces, key=lambda piece: piece.name) if size <= 5 else pieces)


def form(mask: Mask) -> Form:
    """A key that two pieces share only if one is the other, turned or mirrored."""
    first = _first(mask)
    return bytes(first.shape) + first.tobytes()


def named(name: str) -> Piece:
    """Return the polyomino of a name, such as `L`, `T4` or `6-1`; raise StudioError for an unknown name."""
    for size in range(1, LARGEST + 1):
        for piece in polyominoes(size):
            if piece.name == name:
                return piece
    words = tr(
        "Unknown polyomino {name!r}; choose from {letters} and 6-1 to 7-108.",
        name=name[:20],
        letters=", ".join(_LETTERS),
    )
    raise StudioError(words)


def name_of(mask: Mask) -> str | None:
    """Name of the polyomino with this form; None if the piece is larger than LARGEST or in parts."""
    size = int(mask.sum())
    if not 1 <= size <= LARGEST:
        return None
    return next((piece.name for piece in polyominoes(size) if form(piece.mask) == form(mask)), None)


def rows_of(mask: Mask) -> tuple[str, ...]:
    """The rows of a piece with some squares."""
    return tuple("".join(FILLED if square else EMPTY for square in row) for row in mask.tolist())


def _first(mask: Mask) -> Mask:
    """The standard orientation of a polyomino: wide rather than tall."""
    ways = orientations(mask, reflections=True)
    return min(ways, key=lambda way: (way.shape, (~way).tobytes()))


def _order(mask: Mask) -> tuple[int, int, bytes]:
    return max(mask.shape), mask.size, (~mask).tobytes()


@cache
def _grown(size: int) -> tuple[Mask, ...]:
    """One of every form of `size` squares, each grown by a square from one of the size before."""
    if size == 1:
        return (np.ones((1, 1), bool),)
    found: dict[Form, Mask] = {}
    for smaller in _grown(size - 1):
        wide = np.pad(smaller, 1)
        beside = np.zeros_like(wide)
        for axis in (0, 1):
            for step in (1, -1):
                beside |= np.roll(wide, step, axis)
        for row, column in np.argwhere(beside & ~wide).tolist():
            larger = wide.copy()
            larger[row, column] = True
            squares = np.argwhere(larger)
            (top, left), (bottom, right) = squares.min(0), squares.max(0) + 1
            cut = np.ascontiguousarray(larger[top:bottom, left:right])
            found.setdefault(form(cut), cut)
    return tuple(found.values())
