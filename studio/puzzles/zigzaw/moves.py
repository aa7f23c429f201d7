"""The rules of a game of a zigzaw, whose moves are texts: `17 C4` places a piece, `17 off` removes it.

A piece can be placed where it does not match. On an occupied place it swaps with the piece there, which
goes into the tray if the other came from it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from studio.base.amounts import abridged, many
from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Ints
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.zigzaw.board import numbers
from studio.puzzles.zigzaw.game import CLASH, NONE, Game, PieceSet, is_solved, matching_rows, pieces_of, shown, tray
from studio.puzzles.zigzaw.model import ZigzawDesign
from studio.solving.edges import UNKNOWN, Matching, solutions

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
    """The position after a move; raises StudioError for a text that is none, or none here."""
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
    return game.with_piece(piece, place)


def placed_text(design: ZigzawDesign, piece: int, place: int) -> str:
    """The move that places a piece."""
    return f"{piece} {pieces_of(design).names[place]}"


def off_text(piece: int) -> str:
    """The move that puts a piece back into the tray."""
    return f"{piece} {OFF}"


def done(design: ZigzawDesign, game: Game) -> bool:
    """Whether all pieces are placed and every side of every cube shows one colour, those that the frame shows too."""
    return is_solved(pieces_of(design), game)


def tally(_design: ZigzawDesign, game: Game) -> str:
    """How many pieces are on the board."""
    return tr("{count} of {pieces} placed", count=game.count, pieces=many(len(game.placed), "piece"))


def sketch(design: ZigzawDesign, game: Game) -> str:
    """The numbers of the pieces on their places, dots where there is none, every other row set off as on the board."""
    width, columns = len(str(len(game.placed))), design.parameters.columns
    cells = [f"{piece or '.':>{width}}" for piece in game.placed]
    rows = [" ".join(cells[at : at + columns]) for at in range(0, len(cells), columns)]
    return "\n".join(" " * ((width + 1) // 2 * (row % 2)) + line for row, line in enumerate(rows))


def essentials(design: ZigzawDesign) -> Any:
    """Size, body, colours and numbers of the pieces; palette and lengths make no other game."""
    p = design.parameters
    return [p.columns, p.rows, p.body, list(design.cubes), numbers(design).tolist()]


def carry(before: ZigzawDesign, game: Game, design: ZigzawDesign) -> Iterator[str]:
    """The moves that place all pieces as before, where nothing but colours of cubes changed."""
    one, other = before.parameters, design.parameters
    if (one.columns, one.rows, one.body) != (other.columns, other.rows, other.body):
        return
    if np.array_equal(numbers(before), numbers(design)):
        yield from (placed_text(design, piece, place) for place, piece in enumerate(game.placed) if piece != NONE)


def hint(design: ZigzawDesign, game: Game, progress: Progress) -> Hint:
    """Say which pieces are misplaced; where none is, place one where the fewest of those left fit."""
    pieces = pieces_of(design)
    wanted = _wanted(pieces, game, progress)
    placed = np.array(game.placed, np.int64)
    wrong = placed[(placed != NONE) & (pieces.sorts[placed] != wanted)].tolist()
    if wrong:
        return Hint("", tuple(map(str, wrong)), _wrong_words(pieces, game, wrong))
    if game.is_full:
        return Hint()
    place = _tightest(pieces, game)
    piece = next(piece for piece in tray(game) if pieces.sorts[piece] == wanted[place])
    return Hint(placed_text(design, piece, place), (str(piece),))


def _wrong_words(pieces: PieceSet, game: Game, wrong: Sequence[int]) -> str:
    named = [tr("{piece} on {place}", piece=piece, place=pieces.names[game.placed.index(piece)]) for piece in wrong]
    if len(wrong) == 1:
        return tr("Piece {piece} is in the wrong place.", piece=named[0])
    return tr("Pieces {pieces} are in the wrong place.", pieces=abridged(named, MOST_NAMED))


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
    """The sort on every place in a solution with all placed pieces; None where there is none, or the search is too
    long."""
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


def _tightest(pieces: PieceSet, game: Game) -> int:
    """The empty place that the fewest sorts of those left fit, the first of several."""
    left = np.array(pieces.matching.sorts, np.int64)[np.unique(pieces.sorts[list(tray(game))])]
    known = shown(pieces, game)[pieces.slots]
    empty = [place for place, piece in enumerate(game.placed) if piece == NONE]
    return min(empty, key=lambda place: int(matching_rows(left, known[place]).sum()))
