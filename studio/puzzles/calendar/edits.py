"""Edits of a calendar puzzle: each takes a design and returns another, or raises with the reason.

Board and piece editors and the command line all edit through these. A half-done edit, such as a group with a gap, is a
design with a finding; only an impossible design is refused. A board or a set of pieces that equals the built-in one
again is no longer stored as the maker's own.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache

import numpy as np

from studio.base.amounts import cell_name
from studio.base.errors import StudioError, one_named
from studio.base.folders import shipped
from studio.base.texts import tr
from studio.puzzles.calendar.model import (
    BOARDS,
    CELL,
    COLOURS,
    DAY,
    LARGEST_VALUE,
    LONGEST_SIDE,
    MONTH,
    NOTHING,
    WEEKDAY,
    Board,
    CalendarDesign,
    Label,
    Mask,
    Piece,
    built_in,
)
from studio.puzzles.calendar.set_search import name_of, rows_of

# The names of months and weekdays in makers' languages, read from resources/languages/.
# A file has `title`, the language's own name for itself, and the texts of `month` and `weekday` in the order of their
# values, short enough for a cell.


FOLDER = shipped("languages")
ENGLISH = "en"


@dataclass(frozen=True)
class Language:
    """A language: its key, its name for itself, and the texts of the groups that it has words for."""

    key: str
    title: str
    words: Mapping[str, tuple[str, ...]]


@cache
def languages() -> dict[str, Language]:
    """The languages there are, by their keys."""
    found = {}
    for file in sorted(FOLDER.glob("*.json")):
        known = json.loads(file.read_text("utf-8"))
        words = {group: tuple(known[group]) for group in (MONTH, WEEKDAY)}
        found[file.stem] = Language(file.stem, known["title"], words)
    return found


def language(key: str) -> Language:
    """A language by its key; raises StudioError with the known keys."""
    return one_named(languages(), key, tr("Unknown language"))


def texts(group: str, key: str = ENGLISH, count: int | None = None) -> tuple[str, ...]:
    """The labels of a group, in the order of the values: words if the language has them, else numbers.

    A group of the maker's own has `count` numbers.
    """
    words = language(key).words.get(group)
    if words is not None:
        return words
    most = LARGEST_VALUE.get(group, LONGEST_SIDE**2)
    if count is None and group != DAY:
        raise StudioError(tr("Enter the number of labels in the group {group}.", group=group))
    count = most if count is None else count
    if not 1 <= count <= most:
        raise StudioError(
            tr("The group {group} can have 1 to {most} labels, not {count}.", group=group, most=most, count=count)
        )
    return tuple(map(str, range(1, count + 1)))


def value_of(group: str, text: str) -> int | None:
    """The number that a text means in a group, in most languages that know it: `Okt` is 10, `31` is 31.

    None if it means no number.
    """
    word = text.strip().casefold()
    if word.isascii() and word.isdigit():
        return int(word) if 1 <= int(word[:6]) <= LARGEST_VALUE.get(group, LONGEST_SIDE**2) else None
    found = Counter(
        number
        for known in languages().values()
        for number, name in enumerate(known.words.get(group, ()), 1)
        if name.casefold() == word
    ).most_common(2)
    return found[0][0] if found and (len(found) == 1 or found[0][1] > found[1][1]) else None


def spoken(board: Board) -> str:
    """Key of the language of most words on a board; English for a board without words."""
    counts = {
        key: sum(
            label.text == known.words[label.group][label.value - 1]
            for label in board.labels
            if label.group in known.words
        )
        for key, known in languages().items()
    }
    return max(languages(), key=lambda key: (counts[key], key == ENGLISH))


Square = tuple[int, int]
"""A square of a piece as it is drawn: row and column, which may be negative."""


class Side(Enum):
    """A side of the grid."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"

    @property
    def line(self) -> str:
        """The word for a line along it."""
        return "row" if self in (Side.TOP, Side.BOTTOM) else "column"


# The board


def straight(start: Square, end: Square) -> list[Square]:
    """The squares of a straight line, without its first."""
    down, right = end[0] - start[0], end[1] - start[1]
    steps = max(abs(down), abs(right))
    return [
        (start[0] + round(down * step / steps), start[1] + round(right * step / steps)) for step in range(1, steps + 1)
    ]


def with_board(design: CalendarDesign, name: str) -> CalendarDesign:
    """With a built-in board and its pieces instead of custom ones; raises StudioError for an unknown name."""
    one_named(BOARDS, name, tr("Unknown board"))
    return CalendarDesign(replace(design.parameters, board=name))


def with_empty_board(design: CalendarDesign, rows: int, columns: int) -> CalendarDesign:
    """With a rectangle of cells without labels; the pieces stay. Raises StudioError if it is too large."""
    _refuse_size("A board", rows, columns)
    mask = np.ones((rows, columns), bool)
    _refuse_nothing(mask)
    return _put(design, board=Board(tuple(CELL * columns for _ in range(rows))))


def with_places(design: CalendarDesign, places: Collection[Square], is_cell: bool) -> CalendarDesign:
    """With places of the grid, by row and column from 0, made cells or removed with their labels.

    The grid grows to all sides as cells need it, upwards and to the left for negative ones, and loses rows and columns
    at its end without cells. Raises StudioError if it gets too large, or if no cell is left.
    """
    board = design.layout
    rows, columns = board.mask.shape
    if not is_cell:
        places = [(row, column) for row, column in places if 0 <= row < rows and 0 <= column < columns]
    top, left = max([0, *(-row for row, _ in places)]), max([0, *(-column for _, column in places)])
    bottom = max([rows, *(row + 1 for row, _ in places)])
    right = max([columns, *(column + 1 for _, column in places)])
    _refuse_size("A board", top + bottom, left + right)
    mask = np.zeros((top + bottom, left + right), bool)
    mask[top : top + rows, left : left + columns] = board.mask
    for row, column in places:
        mask[top + row, left + column] = is_cell
    return _with_mask(design, mask, top, left)


def with_side(design: CalendarDesign, side: Side) -> CalendarDesign:
    """With one more row or column of cells at a side of the grid."""
    rows, columns = design.layout.mask.shape
    lines = {
        Side.TOP: [(-1, column) for column in range(columns)],
        Side.BOTTOM: [(rows, column) for column in range(columns)],
        Side.LEFT: [(row, -1) for row in range(rows)],
        Side.RIGHT: [(row, columns) for row in range(rows)],
    }
    return with_places(design, lines[side], True)


def without_side(design: CalendarDesign, side: Side) -> CalendarDesign:
    """Without the outermost row or column at a side, and its labels; raises StudioError if no cell is left."""
    rows, columns = design.layout.mask.shape
    top, left = int(side is Side.TOP), int(side is Side.LEFT)
    mask = design.layout.mask[top : rows - (side is Side.BOTTOM), left : columns - (side is Side.RIGHT)]
    return _with_mask(design, mask, -top, -left)


def with_board_cropped(design: CalendarDesign) -> CalendarDesign:
    """Without the rows and columns around the board that hold no cell; labels move with their cells."""
    places = np.argwhere(design.layout.mask)
    top, left = places.min(axis=0).tolist()
    return _with_mask(design, design.layout.mask[top:, left:], -top, -left)


# Labels


def with_label(design: CalendarDesign, name: str, group: str, text: str, value: int | None = None) -> CalendarDesign:
    """With a label on a cell, in place of its present label.

    The default value is the one that the text means, `Okt` or `31`; else the cell's former value in this group; else
    the least that the group lacks. Raises StudioError for an unknown cell or an invalid label.
    """
    board = design.layout
    _refuse_no_cell(board, name)
    if value is None:
        value = value_of(group, text)
        if value is None:
            there, most = board.groups.get(group, ()), LARGEST_VALUE.get(group, LONGEST_SIDE**2)
            taken = {label.value for label in there if label.name != name}
            own = [label.value for label in there if label.name == name]
            if len(there) >= most and not own:
                raise StudioError(
                    tr(
                        "The group {group} already has all {most} labels; erase one first, or use another group.",
                        group=group,
                        most=most,
                    )
                )
            value = own[0] if own else next(value for value in range(1, len(taken) + 2) if value not in taken)
    return _with_labels(design, [Label(name, group, value, text.strip())])


def without_labels(design: CalendarDesign, names: Iterable[str]) -> CalendarDesign:
    """Without the labels on some cells."""
    gone = set(names)
    kept = tuple(label for label in design.layout.labels if label.name not in gone)
    return _put(design, board=replace(design.layout, labels=kept))


def with_labels_filled(
    design: CalendarDesign, group: str, language: str = ENGLISH, cells: Collection[str] = (), count: int | None = None
) -> CalendarDesign:
    """Complete the labels of a group in a language: rename existing ones, put missing ones on free cells.

    Free cells have no label; they are taken in reading order, out of `cells` if any are named. Months and weekdays
    have words, days and a maker's own groups numbers; `count` is the size of an own group, by default the number of
    `cells` or of its present labels. Raises StudioError if cells lack.
    """
    board = design.layout
    for name in cells:
        _refuse_no_cell(board, name)
    there = board.groups.get(group, ())
    if count is None and group not in LARGEST_VALUE:
        count = max([len(cells), *(label.value for label in there)]) or None
    words = texts(group, language, count)
    lacking = [value for value in range(1, len(words) + 1) if value not in {label.value for label in there}]
    free = [name for name in board.names if name not in board.on and (not cells or name in cells)]
    if len(lacking) > len(free):
        raise StudioError(
            tr(
                "Too few free cells: the group {group} needs {needed} more, but the selection has only {free}.",
                group=group,
                needed=len(lacking),
                free=len(free),
            )
            if cells
            else tr(
                "Too few free cells: the group {group} needs {needed} more, but the board has only {free}.",
                group=group,
                needed=len(lacking),
                free=len(free),
            )
        )
    labels = [
        replace(label, text=words[label.value - 1]) if label.value <= len(words) else label for label in there
    ]  # fmt: skip
    labels += [Label(name, group, value, words[value - 1]) for name, value in zip(free, lacking, strict=False)]
    return _with_labels(design, labels)


# The pieces


def with_piece(
    design: CalendarDesign, squares: Collection[Square], name: str | None = None, colour: int | None = None
) -> CalendarDesign:
    """With one more piece, of some squares; without a name and a colour it gets free ones."""
    mask = mask_of(squares)
    fresh = Piece(
        name or _free_name(design.set, mask), rows_of(mask), free_colour(design) if colour is None else colour
    )
    return with_pieces(design, (*design.set, fresh))


def with_piece_drawn(
    design: CalendarDesign, name: str, squares: Collection[Square], *, renames: bool = False
) -> CalendarDesign:
    """With other squares for a piece; raises StudioError if no square is left.

    If `renames`, a piece named after its form is named after its new form; other names stay.
    """
    mask, piece = mask_of(squares), _piece(design, name)
    title = name
    if renames and re.sub(" [0-9]+$", "", name) == _form_name(piece.mask) != _form_name(mask):
        title = _free_name([each for each in design.set if each is not piece], mask)
    return _replaced(design, name, rows=rows_of(mask), name=title)


def with_piece_renamed(design: CalendarDesign, name: str, new: str) -> CalendarDesign:
    """With another name for a piece; raises StudioError for an invalid name and for another piece's name."""
    return _replaced(design, name, name=new.strip())


def with_colour(design: CalendarDesign, name: str, colour: int) -> CalendarDesign:
    """With another colour for a piece, by its number from 0; raises StudioError for an unknown colour."""
    return _replaced(design, name, colour=colour)


def with_piece_turned(design: CalendarDesign, name: str, quarters: int = 1) -> CalendarDesign:
    """With a piece rotated clockwise by quarters, in its drawing and beside the board."""
    return _replaced(design, name, rows=rows_of(np.rot90(_piece(design, name).mask, -quarters)))


def with_piece_flipped(design: CalendarDesign, name: str) -> CalendarDesign:
    """With a piece turned over, left to right; it becomes another piece unless pieces may be flipped."""
    return _replaced(design, name, rows=rows_of(_piece(design, name).mask[:, ::-1]))


def free_colour(design: CalendarDesign) -> int:
    """Return the colour for a new piece: the first among the least used."""
    counts = [sum(piece.colour == each for piece in design.set) for each in range(COLOURS)]
    return counts.index(min(counts))


def with_piece_duplicated(design: CalendarDesign, name: str) -> CalendarDesign:
    """With a second piece of the same form, right after the first, under a name and colour of its own."""
    piece = _piece(design, name)
    at = design.set.index(piece) + 1
    twin = Piece(_numbered(piece.name, {each.name for each in design.set}), piece.rows, free_colour(design))
    return with_pieces(design, (*design.set[:at], twin, *design.set[at:]))


def without_piece(design: CalendarDesign, name: str) -> CalendarDesign:
    """Without a piece; raises StudioError for an unknown name."""
    piece = _piece(design, name)
    return with_pieces(design, tuple(each for each in design.set if each is not piece))


def with_pieces(design: CalendarDesign, pieces: Sequence[Piece]) -> CalendarDesign:
    """With other pieces, such as a set from the design search."""
    return _put(design, pieces=tuple(pieces))


# Shared helpers


def _put(
    design: CalendarDesign, *, board: Board | None = None, pieces: tuple[Piece, ...] | None = None
) -> CalendarDesign:
    """The design with another board or other pieces; None is stored for built-in ones."""
    board = board or design.layout
    pieces = design.set if pieces is None else pieces
    plain = built_in(design.parameters.board)
    own_board = None if board == plain.board else board
    own_pieces = None if pieces == plain.pieces else pieces
    return CalendarDesign(design.parameters, own_board, own_pieces)


def _with_mask(design: CalendarDesign, mask: Mask, down: int, right: int) -> CalendarDesign:
    """The design with another grid (rows, columns), its labels moved, if they are on cells still."""
    _refuse_nothing(mask)
    bottom, end = (np.argwhere(mask).max(axis=0) + 1).tolist()
    bare = Board(tuple("".join(CELL if cell else NOTHING for cell in line[:end]) for line in mask[:bottom].tolist()))
    places = {label: design.layout.places[label.name] for label in design.layout.labels}
    moved = [replace(label, name=cell_name(column + right, row + down)) for label, (row, column) in places.items()]
    return _put(design, board=replace(bare, labels=_sorted(label for label in moved if label.name in bare.indices)))


def _with_labels(design: CalendarDesign, labels: Iterable[Label]) -> CalendarDesign:
    """The design with labels put on their cells, in place of present ones."""
    after = design.layout.on | {label.name: label for label in labels}
    return _put(design, board=replace(design.layout, labels=_sorted(after.values())))


def _sorted(labels: Iterable[Label]) -> tuple[Label, ...]:
    return tuple(sorted(labels, key=lambda label: label.name))


def mask_of(squares: Collection[Square]) -> Mask:
    """Squares without an empty rim; raises StudioError without squares and for too large a piece."""
    if not squares:
        raise StudioError(tr("A piece needs at least one square."))
    places = np.array(list(squares), np.int64)
    places -= places.min(axis=0)
    rows, columns = (places.max(axis=0) + 1).tolist()
    _refuse_size("A piece", rows, columns)
    mask = np.zeros((rows, columns), bool)
    mask[tuple(places.T)] = True
    return mask


def _piece(design: CalendarDesign, name: str) -> Piece:
    return one_named({piece.name: piece for piece in design.set}, name, tr("Unknown piece"))


def _replaced(design: CalendarDesign, whose: str, **values: object) -> CalendarDesign:
    piece = _piece(design, whose)
    changed = replace(piece, **values)  # type: ignore[arg-type]
    return with_pieces(design, tuple(changed if each is piece else each for each in design.set))


def _free_name(pieces: Sequence[Piece], mask: Mask) -> str:
    taken = {piece.name for piece in pieces}
    name = _form_name(mask)
    return name if name not in taken else _numbered(name, taken)


def _form_name(mask: Mask) -> str:
    """The name of a piece: as in the catalogue, or its number of squares."""
    return name_of(mask) or f"{int(mask.sum())}"


def _numbered(name: str, taken: Collection[str]) -> str:
    number = 2
    while (numbered := f"{name[:18]} {number}") in taken:
        number += 1
    return numbered


def _refuse_nothing(mask: Mask) -> None:
    if not mask.any():
        raise StudioError(tr("A board needs at least one cell."))


def _refuse_size(whose: str, rows: int, columns: int) -> None:
    if max(rows, columns) > LONGEST_SIDE:
        words = tr(
            "{subject} can have at most {most} × {most} squares, not {rows} × {columns}.",
            subject=whose,
            most=LONGEST_SIDE,
            rows=rows,
            columns=columns,
        )
        raise StudioError(words)


def _refuse_no_cell(board: Board, name: str) -> None:
    if name not in board.indices:
        raise StudioError(tr("The board has no cell {name!r}.", name=name[:20]))


EDITS: dict[str, Callable[..., CalendarDesign]] = {
    "rotate NAME": lambda design, _progress, name: with_piece_turned(design, name),
    "flip NAME": lambda design, _progress, name: with_piece_flipped(design, name),
    "duplicate NAME": lambda design, _progress, name: with_piece_duplicated(design, name),
    "rename NAME to NEW": lambda design, _progress, name, new: with_piece_renamed(design, name, new),
    "remove NAME": lambda design, _progress, name: without_piece(design, name),
}
"""A function for each form of an edit as text."""
