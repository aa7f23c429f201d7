"""Positions in a game of a zigzaw: the places of pieces, the mismatches among them, and fitting pieces.

Pieces are known by their numbers, from 1; places by their index in `Layout.places`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import abridged, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats, Ints, frozen
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, cube_name, layout, matching, numbers
from studio.puzzles.zigzaw.piece_forms import FACES, STICKERS, Sticker
from studio.solving.edges import UNKNOWN, Matching, solutions

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
        """True if every place has a piece."""
        return NONE not in self.placed

    def place_of(self, piece: int) -> int | None:
        """The place of a piece; None for one in the tray."""
        return self.placed.index(piece) if piece in self.placed else None

    def without(self, piece: int) -> Game:
        """A piece put back into the tray."""
        return Game(tuple(NONE if each == piece else each for each in self.placed))


@dataclass(frozen=True, eq=False)
class Contacts:
    """Contacts of two owners that show the same side.

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

    colours: (pieces + 1, slots), the first row is NONE's, all UNKNOWN. sorts: (pieces + 1,), the piece's sort in the
    matching, UNKNOWN for NONE. own: (places,), the number on each place in the design's own solution.
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
        """Number of pieces."""
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
    """The colour of every side as frame and pieces show it, CLASH for two colours; `apart` is left out."""
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
    """True if every place is filled and every side shows one colour."""
    return game.is_full and not (shown(pieces, game) == CLASH).any()


def fitting(pieces: PieceSet, game: Game, place: int) -> Bools:
    """Mask of the numbers that match the pieces around a place, wherever they are now; the first, NONE, is False."""
    result = matching_rows(pieces.colours, shown(pieces, game, place)[pieces.slots[place]])
    result[NONE] = False
    return result


def matching_rows(colours: Ints, known: Ints) -> Bools:
    """Mask of the rows of colours (n, slots) that match the known sides of a place (slots,)."""
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
    """Two stickers of a face, by their numbers; if they do not touch, `middle` (n, 2) is the middle of the face."""

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
    """Mask of the contacts that show two colours."""
    placed = np.array([*game.placed, NONE], np.int64)  # UNKNOWN is the index of the last, which is the frame
    colours = pieces.colours[placed[contacts.places], contacts.slots]
    of_frame = pieces.given[contacts.sides][:, None]
    colours = np.where(contacts.places == UNKNOWN, of_frame, colours)
    result: Bools = (colours != UNKNOWN).all(axis=1) & (colours[:, 0] != colours[:, 1])
    return result


# The rules of a game of a zigzaw, whose moves are texts: `17 C4` places a piece, `17 off` removes it.
# A piece can be placed where it does not match. On an occupied place it swaps with the piece there, which goes into
# the tray if the other came from it.


OFF = "off"
MOST_NODES = 20_000
"""Pieces that the search for a hint places; after that only the design's own solution counts."""
MOST_FOUND = 16
"""Solutions that are compared with the pieces on the board."""
MOST_NAMED = 4
"""Pieces that are named in one hint."""


def start(design: ZigzawDesign, target: Sequence[str]) -> Game:
    """The empty board; raises StudioError for any target, since a zigzaw is one puzzle."""
    if target:
        raise StudioError(tr("A zigzaw is a single puzzle, with no target to choose."))
    return Game((NONE,) * pieces_of(design).count)


def moved(design: ZigzawDesign, game: Game, text: str) -> Game:
    """The position after a move; raises StudioError for an invalid text, or a move that is impossible here."""
    pieces = pieces_of(design)
    head, _, last = text.partition(" ")
    if not last:
        raise StudioError(tr("Enter a move as piece and place, like '17 C4', or as '17 off'."))
    if not re.fullmatch("[1-9][0-9]{0,3}", head) or int(head) > pieces.count:
        raise StudioError(
            tr("There is no piece {name!r}: pieces are numbered from 1 to {count}.", count=pieces.count, name=head[:12])
        )
    piece = int(head)
    if last == OFF:
        if game.place_of(piece) is None:
            raise StudioError(tr("Piece {piece} is not on the board.", piece=piece))
        return game.without(piece)
    if last not in pieces.places:
        raise StudioError(tr("The board has no place {name!r}.", name=last[:12]))
    place = pieces.places[last]
    if game.placed[place] == piece:
        raise StudioError(tr("Piece {piece} is already there.", piece=piece))
    # A piece already there swaps with this one, into the tray or to its place.
    placed, before = list(game.placed), game.place_of(piece)
    if before is not None:
        placed[before] = placed[place]
    placed[place] = piece
    return Game(tuple(placed))


def placed_text(design: ZigzawDesign, piece: int, place: int) -> str:
    """The move that places a piece."""
    return f"{piece} {pieces_of(design).names[place]}"


def off_text(piece: int) -> str:
    """The move that puts a piece back into the tray."""
    return f"{piece} {OFF}"


def done(design: ZigzawDesign, game: Game) -> bool:
    """True if all pieces are placed and every side of every cube, also on the frame, shows one colour."""
    return is_solved(pieces_of(design), game)


def tally(_design: ZigzawDesign, game: Game) -> str:
    """The number of pieces on the board, in a sentence."""
    return tr("{count} of {pieces} placed", count=game.count, pieces=many(len(game.placed), "piece"))


def sketch(design: ZigzawDesign, game: Game) -> str:
    """The numbers of the pieces on their places, dots on empty ones, every other row set off as on the board."""
    width, columns = len(str(len(game.placed))), design.parameters.columns
    cells = [f"{piece or '.':>{width}}" for piece in game.placed]
    rows = [" ".join(cells[at : at + columns]) for at in range(0, len(cells), columns)]
    return "\n".join(" " * ((width + 1) // 2 * (row % 2)) + line for row, line in enumerate(rows))


def essentials(design: ZigzawDesign) -> Any:
    """Size, body, colours and numbers of the pieces; palette and lengths make no other game."""
    p = design.parameters
    return [p.columns, p.rows, p.body, list(design.cubes), numbers(design).tolist()]


def carry(before: ZigzawDesign, game: Game, design: ZigzawDesign) -> Iterator[str]:
    """The moves that place all pieces as before, if only colours of cubes changed."""
    one, other = before.parameters, design.parameters
    if (one.columns, one.rows, one.body) != (other.columns, other.rows, other.body):
        return
    if np.array_equal(numbers(before), numbers(design)):
        yield from (placed_text(design, piece, place) for place, piece in enumerate(game.placed) if piece != NONE)


def hint(design: ZigzawDesign, game: Game, progress: Progress) -> Hint:
    """Name the misplaced pieces; if there are none, fill the place that the fewest remaining pieces fit."""
    pieces = pieces_of(design)
    wanted = _wanted(pieces, game, progress)
    placed = np.array(game.placed, np.int64)
    wrong = placed[(placed != NONE) & (pieces.sorts[placed] != wanted)].tolist()
    if wrong:
        named = [tr("{piece} on {place}", piece=piece, place=pieces.names[game.placed.index(piece)]) for piece in wrong]
        words = (
            tr("Piece {piece} is in the wrong place.", piece=named[0])
            if len(wrong) == 1
            else tr("Pieces {pieces} are in the wrong place.", pieces=abridged(named, MOST_NAMED))
        )
        return Hint("", tuple(map(str, wrong)), words)
    if game.is_full:
        return Hint()
    # The empty place that the fewest remaining sorts fit, the first of several.
    left = np.array(pieces.matching.sorts, np.int64)[np.unique(pieces.sorts[list(tray(game))])]
    known = shown(pieces, game)[pieces.slots]
    empty = [place for place, piece in enumerate(game.placed) if piece == NONE]
    place = min(empty, key=lambda place: int(matching_rows(left, known[place]).sum()))
    piece = next(piece for piece in tray(game) if pieces.sorts[piece] == wanted[place])
    return Hint(placed_text(design, piece, place), (str(piece),))


def _wanted(pieces: PieceSet, game: Game, progress: Progress) -> Ints:
    """The sort on every place in the solution that keeps the most placed pieces."""
    own = pieces.sorts[pieces.own]
    placed = pieces.sorts[list(game.placed)]
    if np.all((placed == UNKNOWN) | (placed == own)):
        return own
    completed = _completed(pieces, game, progress)
    if completed is not None:
        return completed
    found = solutions(pieces.matching, progress, most=MOST_FOUND, nodes=MOST_NODES).found
    return max([own, *(np.array(each, np.int64) for each in found)], key=lambda each: int((each == placed).sum()))


def _completed(pieces: PieceSet, game: Game, progress: Progress) -> Ints | None:
    """The sort on every place in a solution with all placed pieces; None without one or after too long a search."""
    known = shown(pieces, game)
    if (known == CLASH).any():
        return None
    wanted = pieces.sorts[list(game.placed)]
    empty = np.flatnonzero(wanted == UNKNOWN)
    if not len(empty):
        return wanted
    free = [tuple(pieces.colours[piece].tolist()) for piece in tray(game)]
    rest = Matching(tuple(pieces.matching.slots[place] for place in empty), tuple(known.tolist()), tuple(free))
    found = solutions(rest, progress, most=1, nodes=MOST_NODES).found
    if not found:
        return None
    sorts = {colours: sort for sort, colours in enumerate(pieces.matching.sorts)}
    wanted[empty] = [sorts[rest.sorts[sort]] for sort in found[0]]
    return wanted
