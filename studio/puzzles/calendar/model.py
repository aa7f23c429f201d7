"""The design of a calendar puzzle: board, pieces and their making.

cell: a square of the board, named like on a chess board turned over: `C4` is the third column and the fourth row, from
the top left. label: the text on a cell. group: labels of which exactly one stays uncovered, such as the months.
date: one label of every group, the cells left uncovered; of a board without months and days any combination.
"""

from __future__ import annotations

import datetime
import json
from calendar import isleap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import prod
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import cell_name, many, thousands
from studio.base.errors import StudioError
from studio.base.folders import shipped
from studio.base.parameters import ParameterError, Validated, choice, flag, integer, later, number
from studio.base.texts import tr
from studio.puzzles.named_edits import refuse_disorder

Mask = NDArray[np.bool_]

FOLDER = shipped("boards")
LONGEST_SIDE = 24
"""Cells along a side of a board or of a piece; no search would end on a larger one."""
CELL, NOTHING = ".", "#"
"""In the rows of a board: a cell, and a place without one."""
FILLED, EMPTY = "#", "."
"""In the rows of a piece."""
MONTH, DAY, WEEKDAY = "month", "day", "weekday"
"""The built-in groups; all others are custom."""
LARGEST_VALUE = {MONTH: 12, DAY: 31, WEEKDAY: 7}
PLURALS = {MONTH: "months", DAY: "days", WEEKDAY: "weekdays"}
ANY_YEAR = 0
"""The year whose weekdays and leap day are left open."""
FIRST_YEAR, LAST_YEAR = 1583, 9999
"""The years of the Gregorian calendar that dates can be of."""
RECTANGLE, ROUND, HEART = "rectangle", "round", "heart"
OUTLINES = {RECTANGLE: tr("Rectangle"), ROUND: tr("Round"), HEART: tr("Heart")}
"""The outlines of a frame and their titles."""
LONGEST_TEXT = 24
COLOURS = 24
"""Number of piece colours; a theme repeats its tints."""
MOST_PIECES = 64
"""Most pieces: more than a search can verify on any board of this size."""
BOARDS = {"article": tr("Classic"), "weekday": tr("With weekdays"), "heart": tr("Heart"), "dice": tr("Two dice")}
"""The boards in resources/boards/ and their titles."""
PALETTE = (
    "#78A4EC", "#E28752", "#FFE2A4", "#FF9FA8", "#7FDBFF", "#33B57C", "#DCEB6B", "#CFA42C", "#BC8FBE", "#D5D6D9",
)  # fmt: skip
"""Light colours for dark letters, distinct from each other for colour-blind people too."""
TITLES = ("blue", "orange", "yellow", "pink", "cyan", "green", "pear", "ochre", "violet", "grey")


@dataclass(frozen=True)
class CalendarParameters(Validated):
    """The inputs of a calendar puzzle; lengths in mm."""

    board: str = choice("article", BOARDS, title="Board", group="Board",
        help="Built-in board with its pieces. Choosing another replaces your own board and pieces.")  # fmt: skip
    reflections: bool = flag(True, title="Flipped pieces", group="Board",
        help="Allow pieces to be flipped.")  # fmt: skip
    year: int = later(integer(ANY_YEAR, title="Year", minimum=ANY_YEAR, least=FIRST_YEAR, maximum=LAST_YEAR,
        zero="Any year", group="Board",
        help="Year of dates and their weekdays; 0 allows all weekdays and 29 February."))  # fmt: skip
    cell: float = number(20.0, title="Cell size", minimum=5.0, maximum=100.0, step=1.0, unit="mm", group="Board",
        help="Side length of a cell.")  # fmt: skip
    outline: str = later(choice(RECTANGLE, OUTLINES, title="Outline", group="Tray",
        help="Outer shape of base and frame, as small as the frame width allows."))  # fmt: skip
    frame: float = number(12.0, title="Frame width", minimum=3.0, maximum=100.0, step=1.0, unit="mm", group="Tray",
        help="Distance from the board to the outer edge; the frame is narrower by the clearance.")  # fmt: skip
    play: float = number(
        0.2, title="Clearance", minimum=0.0, maximum=2.0, step=0.05, unit="mm", group="Tray",
        help="Clearance between pieces, half as much again at the frame; the export adds its own.",
    )  # fmt: skip
    radius: float = number(1.0, title="Corner radius", minimum=0.0, maximum=50.0, step=0.5, unit="mm", group="Tray",
        help="Rounds the corners of the pieces and of the opening in the frame.")  # fmt: skip
    corner: float = number(5.0, title="Outer radius", minimum=0.0, maximum=100.0, step=1.0, unit="mm", group="Tray",
        help="Rounds the outer corners of a rectangular base and frame.")  # fmt: skip
    text: float = number(0.0, title="Label height", minimum=0.0, maximum=80.0, least=0.1, step=0.5, unit="mm",
        zero="Automatic", group="Tray",
        help="Cap height of the labels; 0 makes them as large as the longest one allows.")  # fmt: skip
    grid: bool = flag(True, title="Cell lines", group="Tray",
        help="Scores the cells on the base.")  # fmt: skip
    notch: bool = flag(True, title="Finger notch", group="Tray",
        help="Cuts a notch into the frame to lift pieces out.")  # fmt: skip
    thickness: float = number(4.0, title="Piece thickness", minimum=1.0, maximum=30.0, step=0.5, unit="mm",
        group="Printing", help="Thickness of printed pieces, flush with the frame.")  # fmt: skip
    base: float = number(2.0, title="Base thickness", minimum=0.8, maximum=20.0, step=0.2, unit="mm", group="Printing",
        help="Floor thickness of a printed tray.")  # fmt: skip
    chamfer: float = number(0.4, title="Chamfer", minimum=0.0, maximum=5.0, step=0.1, unit="mm", group="Printing",
        help="Chamfers the top and bottom edges of printed pieces.")  # fmt: skip
    relief: str = choice("sunk", {"sunk": "Engraved", "raised": "Embossed", "plain": "None"}, title="Printed labels",
        group="Printing",
        help="Engraves or embosses labels and lines on the tray floor; pieces rest on embossed ones.")  # fmt: skip


@dataclass(frozen=True)
class Label:
    """The label of the cell `name`: its `group`, its number in the group, and the engraved text.

    Months count from 1 for January, days from 1, weekdays from 1 for Monday.
    """

    name: str
    group: str
    value: int
    text: str

    def __post_init__(self) -> None:
        """Refuse invalid values: raises ParameterError."""
        _refuse_text("group", self.group)
        most = LARGEST_VALUE.get(self.group, LONGEST_SIDE**2)
        if not 1 <= self.value <= most:
            raise ParameterError(
                "value",
                tr(
                    "value must be 1 to {most} in the group {group}, not {value}.",
                    most=most,
                    group=self.group,
                    value=self.value,
                ),
            )
        _refuse_text("text", self.text)


@dataclass(frozen=True)
class Board:
    """Cells and labels: `rows` from the top, of CELL and NOTHING; labels sorted by the names of their cells."""

    rows: tuple[str, ...]
    labels: tuple[Label, ...] = ()
    BY_NAME: ClassVar = ("labels",)
    """Labels, which a file may have in any order."""

    def __post_init__(self) -> None:
        """Refuse an invalid grid, labels outside it and two on a cell: raises ParameterError.

        Labels that are missing from a group, or twice in it, are findings: a board may be unfinished.
        """
        _refuse_rows(self.rows, CELL + NOTHING, tr("The board"))
        if not self.mask.any():
            raise ParameterError("board", tr("The board must have at least one cell."))
        for before, after in pairwise(label.name for label in self.labels):
            if before == after:
                raise ParameterError("board", tr("Cell {cell} has two labels.", cell=after[:20]))
        refuse_disorder(self.labels)
        for label in self.labels:
            if label.name not in self.indices:
                raise ParameterError(
                    "board",
                    tr("Label {text!r} is on {cell!r}, which is not a cell.", text=label.text, cell=label.name[:20]),
                )

    @cached_property
    def mask(self) -> Mask:
        """True at each place (rows, columns) that is a cell."""
        return _mask(self.rows, CELL)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the cells, row by row."""
        return tuple(self.places)

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """The row and the column of every cell by its name."""
        return {cell_name(column, row): (row, column) for row, column in np.argwhere(self.mask).tolist()}

    @cached_property
    def indices(self) -> dict[str, int]:
        """The number of every cell by its name."""
        return {name: number for number, name in enumerate(self.names)}

    @cached_property
    def on(self) -> dict[str, Label]:
        """The label on every cell that has one."""
        return {label.name: label for label in self.labels}

    @property
    def covered(self) -> int:
        """Number of cells that the pieces cover: all but one of every group."""
        return len(self.names) - len({label.group for label in self.labels})

    @cached_property
    def groups(self) -> dict[str, tuple[Label, ...]]:
        """The labels of every group, sorted by value: month, day and weekday first, then the maker's own."""
        found: dict[str, list[Label]] = {}
        for label in self.labels:
            found.setdefault(label.group, []).append(label)
        order = [group for group in LARGEST_VALUE if group in found]
        order += sorted(set(found) - set(order))
        return {group: tuple(sorted(found[group], key=lambda label: label.value)) for group in order}


@dataclass(frozen=True)
class Piece:
    """A piece: its name, its squares as rows of FILLED and EMPTY without an empty rim, and the number of its colour."""

    name: str
    rows: tuple[str, ...]
    colour: int = 0

    def __post_init__(self) -> None:
        """Refuse an invalid grid or an empty rim: raises ParameterError. Parts and holes are findings."""
        _refuse_text("name", self.name)
        _refuse_rows(self.rows, FILLED + EMPTY, tr("Piece {name}", name=self.name))
        mask = self.mask
        if not (mask[[0, -1]].any(axis=1).all() and mask[:, [0, -1]].any(axis=0).all()):
            raise ParameterError("piece", tr("Piece {name} must not have empty outer rows or columns.", name=self.name))
        if not 0 <= self.colour < COLOURS:
            raise ParameterError(
                "colour", tr("colour must be 0 to {most}, not {colour}.", most=COLOURS - 1, colour=self.colour)
            )

    @cached_property
    def mask(self) -> Mask:
        """True at each of its squares, shape (rows, columns)."""
        return _mask(self.rows, FILLED)

    @cached_property
    def squares(self) -> frozenset[tuple[int, int]]:
        """Its squares as rows and columns."""
        return frozenset((row, column) for row, column in np.argwhere(self.mask).tolist())

    @property
    def area(self) -> int:
        """Number of its squares."""
        return int(self.mask.sum())


@dataclass(frozen=True)
class CalendarDesign:
    """A calendar puzzle as saved and undone; `board` and `pieces` are None while they are built in."""

    parameters: CalendarParameters = CalendarParameters()
    board: Board | None = None
    pieces: tuple[Piece, ...] | None = None

    def __post_init__(self) -> None:
        """Refuse two pieces of one name, and more than a search can place: raises ParameterError."""
        if self.pieces is None:
            return
        if len(self.pieces) > MOST_PIECES:
            raise ParameterError(
                "pieces", tr("pieces must be at most {most}, not {count}.", most=MOST_PIECES, count=len(self.pieces))
            )
        for name, count in Counter(piece.name for piece in self.pieces).items():
            if count > 1:
                raise ParameterError("piece", tr("{count} pieces are named {name}.", count=count, name=name))

    @property
    def layout(self) -> Board:
        """The board, custom or built-in."""
        return self.board or built_in(self.parameters.board).board

    @property
    def set(self) -> tuple[Piece, ...]:
        """The pieces, custom or built-in."""
        return self.pieces if self.pieces is not None else built_in(self.parameters.board).pieces

    @property
    def year(self) -> int:
        """The year whose dates count; ANY_YEAR on a board without months and days, which no year concerns."""
        return self.parameters.year if {MONTH, DAY} <= set(self.layout.groups) else ANY_YEAR

    @property
    def in_any_year(self) -> CalendarDesign:
        """The design with any weekday on any date."""
        return replace(self, parameters=replace(self.parameters, year=ANY_YEAR))

    @property
    def area(self) -> int:
        """Number of squares of all pieces together; it should equal `layout.covered`."""
        return sum(piece.area for piece in self.set)


@dataclass(frozen=True)
class BuiltIn:
    """A board that comes with the studio, and the pieces for it."""

    board: Board
    pieces: tuple[Piece, ...]


@cache
def built_in(name: str) -> BuiltIn:
    """A board with its pieces from resources/boards/.

    Its file has `cells`, rows of words: a label, `.` for a cell without a label, `#` for no cell; `groups`, the
    labels of each in the order of their values; and `pieces`, the rows of each by its name.
    """
    known = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    values = {text: (group, value) for group, texts in known["groups"].items() for value, text in enumerate(texts, 1)}
    words = [row.split() for row in known["cells"]]
    rows = tuple("".join(NOTHING if word == NOTHING else CELL for word in row) for row in words)
    labels = [
        Label(cell_name(column, row), *values[word], word)
        for row, line in enumerate(words)
        for column, word in enumerate(line)
        if word not in (CELL, NOTHING)
    ]
    pieces = (Piece(piece, tuple(lines), colour) for colour, (piece, lines) in enumerate(known["pieces"].items()))
    return BuiltIn(Board(rows, tuple(sorted(labels, key=lambda label: label.name))), tuple(pieces))


def _mask(rows: tuple[str, ...], letter: str) -> Mask:
    return np.array([[each == letter for each in row] for row in rows], bool)


def _refuse_text(what: str, text: str) -> None:
    """Raise ParameterError for an unreadable text: empty, with white space around it, or with line breaks."""
    if not 1 <= len(text) <= LONGEST_TEXT:
        raise ParameterError(
            what,
            tr(
                "{field} must have 1 to {most} characters, not {count}.", field=what, most=LONGEST_TEXT, count=len(text)
            ),
        )
    if not text.isprintable() or text.strip() != text:
        raise ParameterError(
            what, tr("{field} must be printable, without spaces at either end, not {text!r}.", field=what, text=text)
        )


def _refuse_rows(rows: tuple[str, ...], letters: str, whose: str) -> None:
    if not rows or not rows[0]:
        raise ParameterError("grid", tr("{subject} has no squares.", subject=whose))
    if len(rows) > LONGEST_SIDE or max(map(len, rows)) > LONGEST_SIDE:
        size = f"{len(rows)} × {max(map(len, rows))}"
        most = f"{LONGEST_SIDE} × {LONGEST_SIDE}"
        raise ParameterError(
            "grid", tr("{subject} can have at most {most} squares, not {size}.", subject=whose, most=most, size=size)
        )
    if any(len(row) != len(rows[0]) for row in rows):
        raise ParameterError("grid", tr("{subject} must have rows of equal length.", subject=whose))
    if set().union(*rows) - set(letters):
        raise ParameterError(
            "grid",
            tr(
                "{subject} may contain only {filled!r} and {empty!r}.",
                subject=whose,
                filled=letters[0],
                empty=letters[1],
            ),
        )


# The placements of pieces on a board: every distinct orientation, at every place.
# placement: a piece laid on the board in one way, as a whole number whose bit i is the i-th cell of the board.


def orientations(mask: Mask, *, reflections: bool) -> tuple[Mask, ...]:
    """The ways (rows, columns) to turn a piece, and to flip it, that look different; the piece as it is first."""
    return _orientations(mask.shape, mask.tobytes(), reflections)


@lru_cache(maxsize=1024)
def _orientations(shape: tuple[int, ...], squares: bytes, reflections: bool) -> tuple[Mask, ...]:
    mask = np.frombuffer(squares, bool).reshape(shape)
    found: dict[tuple[tuple[int, ...], bytes], Mask] = {}
    for flipped in (mask, mask[:, ::-1]) if reflections else (mask,):
        for quarter in range(4):
            turned = np.ascontiguousarray(np.rot90(flipped, quarter))
            turned.setflags(write=False)
            found.setdefault((turned.shape, turned.tobytes()), turned)
    return tuple(found.values())


@lru_cache(maxsize=256)
def placements(board: Board, piece: Piece, reflections: bool) -> tuple[int, ...]:
    """All placements of a piece on a board, without regard to other pieces, ascending."""
    numbers = _numbers(board)
    rows, columns = board.mask.shape
    found = set()
    for way in orientations(piece.mask, reflections=reflections):
        squares = np.argwhere(way).tolist()
        for top in range(rows - way.shape[0] + 1):
            for left in range(columns - way.shape[1] + 1):
                cells = [numbers.get((top + row, left + column), -1) for row, column in squares]
                if min(cells) >= 0:
                    found.add(sum(1 << cell for cell in cells))
    return tuple(sorted(found))


@lru_cache(maxsize=4096)
def lying(board: Board, cells: int) -> tuple[Mask, int, int]:
    """A placement as squares without an empty rim, and the row and column of the first of them."""
    places = np.argwhere(board.mask)[[cell for cell in range(len(board.names)) if cells >> cell & 1]]
    top, left = places.min(axis=0).tolist()
    mask = np.zeros(tuple((places.max(axis=0) - (top, left) + 1).tolist()), bool)
    mask[tuple((places - (top, left)).T)] = True
    return mask, top, left


def bits(board: Board, mask: Mask, top: int, left: int) -> int:
    """The placement of squares with their first row and column at these of the board; 0 if they do not fit."""
    cells = 0
    known = _numbers(board)
    for row, column in np.argwhere(mask).tolist():
        number = known.get((top + row, left + column))
        if number is None:
            return 0
        cells |= 1 << number
    return cells


@lru_cache(maxsize=64)
def _numbers(board: Board) -> dict[tuple[int, int], int]:
    return {place: number for number, place in enumerate(board.places.values())}


def colour_of(number: int) -> str:
    """A colour as #RRGGBB by its number; beyond the last they begin again."""
    return PALETTE[number % len(PALETTE)]


def title_of(number: int) -> str:
    """A colour's name by its number."""
    return TITLES[number % len(TITLES)]


DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
"""The days of the months of a leap year."""

WEEKDAYS = tr("Monday Tuesday Wednesday Thursday Friday Saturday Sunday").split()
"""The weekdays from Monday on."""

SPOKEN = (WEEKDAY, DAY, MONTH)
"""Order of the groups in a spoken date; other groups follow."""

Date = tuple[Label, ...]
"""One label of every group, in the order of `Board.groups`."""

MOST_DATES = 100_000
"""Most dates of a year; a weekday board has 2604."""
MOST_GROUPS = 16
"""Most groups of a year: each is an axis of its table."""


def refuse_crowd(board: Board) -> None:
    """Raise StudioError for a board with too many dates to count."""
    groups, ways = len(board.groups), prod(map(len, board.groups.values()))
    if groups > MOST_GROUPS:
        words = tr(
            "The labels form {groups}; a year can be counted for at most {most}.",
            groups=many(groups, "group"),
            most=MOST_GROUPS,
        )
        raise StudioError(words)
    if ways > MOST_DATES:
        words = tr(
            "The labels allow {combinations}; a year can be counted for at most {most}.",
            combinations=many(ways, "combination"),
            most=thousands(MOST_DATES),
        )
        raise StudioError(words)


def dates(board: Board, year: int = ANY_YEAR) -> Iterator[Date]:
    """All dates of a board, by value: the first group changes slowest. None for a board without labels."""
    if board.groups:
        for date in product(*board.groups.values()):
            if exists(date, year):
                yield date


def exists(date: Date, year: int = ANY_YEAR) -> bool:
    """True if its month has its day and the year its weekday; a date without month or day always exists."""
    known = {label.group: label.value for label in date}
    if not is_day(known, year):
        return False
    weekday = weekday_of(known, year)
    return weekday is None or known.get(WEEKDAY, weekday) == weekday


def is_day(values: Mapping[str, int], year: int = ANY_YEAR) -> bool:
    """True if the month has the day, by the values of their groups, or if either is missing."""
    month, day = values.get(MONTH), values.get(DAY)
    if month is None or day is None:
        return True
    return day <= DAYS[month - 1] and (year == ANY_YEAR or (month, day) != (2, 29) or isleap(year))


def weekday_of(values: Mapping[str, int], year: int) -> int | None:
    """The weekday of a day in a year, 1 for Monday; None in any year, and without a month or a day."""
    if year == ANY_YEAR or MONTH not in values or DAY not in values or not is_day(values, year):
        return None
    return datetime.date(year, values[MONTH], values[DAY]).isoweekday()


def refusal(board: Board, date: Date, year: int = ANY_YEAR) -> str:
    """The reason why labels are no date, in a sentence; empty if they are a date."""
    if exists(date, year):
        return ""
    known = {label.group: label.value for label in date}
    day = tuple(label for label in date if label.group in (MONTH, DAY))
    if not is_day(known):
        return tr("{date} does not exist.", date=said(day))
    weekday = weekday_of(known, year)
    if weekday is None:
        return tr("{date} {year} does not exist.", date=said(day), year=year)
    # An English word, or the text of its label unless that abbreviates the word.
    text = next((label.text for label in board.groups.get(WEEKDAY, ()) if label.value == weekday), "")
    word = WEEKDAYS[weekday - 1]
    name = word if word.casefold().startswith(text.casefold()) else text
    return tr("{date} {year} is a {weekday}.", date=said(day), year=year, weekday=name)


class Noun(Enum):
    """The noun for the dates of a board."""

    DATE = "date"
    COMBINATION = "combination"

    @property
    def one(self) -> str:
        """The word for a single one."""
        return tr("date") if self is Noun.DATE else tr("combination")

    @property
    def several(self) -> str:
        """The word for several."""
        return tr("dates") if self is Noun.DATE else tr("combinations")

    def many(self, count: int) -> str:
        """A number of them: 366 dates."""
        return many(count, "date") if self is Noun.DATE else many(count, "combination")


def noun_of(groups: Iterable[str]) -> Noun:
    """Return the noun for dates of these groups: "date" if they include months or days."""
    return Noun.DATE if {DAY, MONTH} & set(groups) else Noun.COMBINATION


def said(date: Date) -> str:
    """A date as it is written: `Tue 6 Oct`, and then the labels of a maker's own groups."""
    known = {label.group: label.text for label in date}
    words = [known.pop(group) for group in SPOKEN if group in known]
    return " ".join([*words, *known.values()])
