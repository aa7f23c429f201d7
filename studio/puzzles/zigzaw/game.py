"""A position of a game of a zigzaw: which pieces are placed where, which of them do not match, and which would fit.

Pieces are known by their numbers, from 1; places by their index in `Layout.places`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.puzzles.zigzaw.board import layout, matching, numbers
from studio.puzzles.zigzaw.lattice import FACES, STICKERS, Sticker
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, cube_name
from studio.solving.edges import UNKNOWN, Matching

Bools = NDArray[np.bool_]

NONE = 0
"""The number of no piece."""
CLASH = -2
"""The colour of a side that already shows two."""


@dataclass(frozen=True)
class Game:
    """A position: the number of the piece on every place, or NONE."""

    placed: tuple[int, ...]

    @property
    def count(self) -> int:
        """The number of pieces on the board."""
        return len(self.placed) - self.placed.count(NONE)

    @property
    def is_full(self) -> bool:
        """Whether no place is empty."""
        return NONE not in self.placed

    def place_of(self, piece: int) -> int | None:
        """The place of a piece; None for one in the tray."""
        return self.placed.index(piece) if piece in self.placed else None

    def with_piece(self, piece: int, place: int) -> Game:
        """A piece put on a place; one that was there goes where the other came from, the tray or another place."""
        placed, before = list(self.placed), self.place_of(piece)
        if before is not None:
            placed[before] = placed[place]
        placed[place] = piece
        return Game(tuple(placed))

    def without(self, piece: int) -> Game:
        """A piece put back into the tray."""
        return Game(tuple(NONE if each == piece else each for each in self.placed))


@dataclass(frozen=True, eq=False)
class Contacts:
    """Where two owners show the same side.

    `places` (n, 2) are the owners, UNKNOWN for the frame, `slots` (n, 2) the parts that they show it with (0 for the
    frame), `sides` (n,) the sides, and `spots` (n, 2) the middle of an edge along which they meet, else of
    the face, in lattice units.
    """

    places: Ints
    slots: Ints
    sides: Ints
    spots: Floats


@dataclass(frozen=True, eq=False)
class PieceSet:
    """The pieces of a design in the order of their numbers, and the places for them.

    colours: (pieces + 1, slots), the first row is NONE's, all UNKNOWN. sorts: (pieces + 1,), which sort of the matching
    a piece is, UNKNOWN for NONE. own: (places,), the number on each place in the design's own solution.
    """

    matching: Matching
    colours: Ints
    sorts: Ints
    own: Ints
    names: tuple[str, ...]

    @cached_property
    def places(self) -> dict[str, int]:
        """The places by their names."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def slots(self) -> Ints:
        """The sides that every place shows (places, slots)."""
        return frozen(np.array(self.matching.slots, np.int64))

    @cached_property
    def given(self) -> Ints:
        """The colours that the frame shows."""
        return frozen(np.array(self.matching.given, np.int64))

    @property
    def count(self) -> int:
        """How many pieces there are."""
        return len(self.names)


@lru_cache(8)
def pieces_of(design: ZigzawDesign) -> PieceSet:
    """The pieces of a design."""
    puzzle, own = matching(design), numbers(design)
    slots = len(puzzle.slots[0])
    colours = np.full((len(own) + 1, slots), UNKNOWN, np.int64)
    colours[own] = np.array(puzzle.pieces, np.int64)
    sorts = np.full(len(own) + 1, UNKNOWN, np.int64)
    for sort, members in enumerate(puzzle.members):
        sorts[own[list(members)]] = sort
    names = tuple(cube_name(design.parameters, cube) for cube in layout(design.parameters).places)
    return PieceSet(puzzle, frozen(colours), frozen(sorts), frozen(own), names)


def shown(pieces: PieceSet, game: Game, apart: int | None = None) -> Ints:
    """The colour of every side as frame and pieces show it, CLASH where there are two; `apart` is left out."""
    placed = np.array(game.placed, np.int64)
    if apart is not None:
        placed[apart] = NONE
    colours, sides = pieces.colours[placed].ravel(), pieces.slots.ravel()
    known = colours != UNKNOWN
    lowest = np.where(pieces.given == UNKNOWN, np.iinfo(np.int64).max, pieces.given)
    highest = pieces.given.copy()
    np.minimum.at(lowest, sides[known], colours[known])
    np.maximum.at(highest, sides[known], colours[known])
    result: Ints = np.where(highest == UNKNOWN, UNKNOWN, np.where(lowest == highest, highest, CLASH))
    return result


def is_solved(pieces: PieceSet, game: Game) -> bool:
    """Whether every place is filled and every side shows one colour."""
    return game.is_full and not (shown(pieces, game) == CLASH).any()


def fitting(pieces: PieceSet, game: Game, place: int) -> Bools:
    """Which numbers match the pieces around a place, wherever they are now; the first is NONE's and false."""
    result = matching_rows(pieces.colours, shown(pieces, game, place)[pieces.slots[place]])
    result[NONE] = False
    return result


def matching_rows(colours: Ints, known: Ints) -> Bools:
    """Which rows of colours (n, slots) match what is known of the sides of a place (slots,)."""
    result: Bools = ((known == UNKNOWN) | (colours == UNKNOWN) | (known == colours)).all(axis=1)
    return result


def tray(game: Game) -> tuple[int, ...]:
    """The pieces in the tray, in the order of their numbers."""
    placed = set(game.placed)
    return tuple(piece for piece in range(1, len(game.placed) + 1) if piece not in placed)


def contacts_of(parameters: ZigzawParameters) -> Contacts:
    """The contacts of a board, one for each side and two owners of it."""
    return _contacts(parameters.columns, parameters.rows, parameters.body)


@lru_cache(8)
def _contacts(columns: int, rows: int, name: str) -> Contacts:
    known = layout(ZigzawParameters(columns=columns, rows=rows, body=name))
    slots = np.array(known.slots, np.int64)
    owners = np.array([[by[sticker] for sticker in STICKERS] for by in known.stickers.values()], np.int64)
    origins = np.array([cube.origin for cube in known.stickers], float)
    pairs = _pairs()
    cubes, at = np.nonzero(owners[:, pairs.one] != owners[:, pairs.other])
    ends = np.sort([owners[cubes, pairs.other[at]], owners[cubes, pairs.one[at]]], axis=0)[::-1]
    sides = len(FACES) * cubes + pairs.face[at]
    is_touching = pairs.is_touching[at]
    order = np.lexsort([~is_touching, sides, *ends])
    ends, sides = ends[:, order], sides[order]
    is_first = np.ones(len(order), bool)
    is_first[1:] = (np.diff(ends) != 0).any(axis=0) | (np.diff(sides) != 0)
    first = np.flatnonzero(is_first)
    chosen = order[first + np.add.reduceat(is_touching[order], first, dtype=np.int64) // 2]
    places, shown = ends[:, first].T, sides[first]
    spots = origins[cubes[chosen]] + pairs.middle[at[chosen]]
    used = (slots[places] == shown[:, None, None]).argmax(axis=2)
    return Contacts(frozen(places.copy()), frozen(used), frozen(shown), frozen(spots))


class _Pairs(NamedTuple):
    """Two stickers of a face, by their numbers; where they do not touch, `middle` (n, 2) is that of the face."""

    one: Ints
    other: Ints
    face: Ints
    is_touching: Bools
    middle: Floats


@cache
def _pairs() -> _Pairs:
    """Every two stickers of every face."""
    found = []
    for (one, sticker), (other, beside) in combinations(enumerate(STICKERS), 2):
        if sticker.face == beside.face:
            edge = set(sticker.corners) & set(beside.corners)
            ends = edge if len(edge) == 2 else Sticker(sticker.face, 1, 1).corners
            middle = np.mean(list(ends), axis=0)
            found.append((one, other, FACES.index(sticker.face), len(edge) == 2, middle))
    one_, other_, face, is_touching, middles = zip(*found, strict=True)
    return _Pairs(np.array(one_), np.array(other_), np.array(face), np.array(is_touching), np.array(middles))


def mismatches(contacts: Contacts, pieces: PieceSet, game: Game) -> Bools:
    """Which contacts show two colours."""
    placed = np.array([*game.placed, NONE], np.int64)  # UNKNOWN is the index of the last, which is the frame
    colours = pieces.colours[placed[contacts.places], contacts.slots]
    of_frame = pieces.given[contacts.sides][:, None]
    colours = np.where(contacts.places == UNKNOWN, of_frame, colours)
    result: Bools = (colours != UNKNOWN).all(axis=1) & (colours[:, 0] != colours[:, 1])
    return result
