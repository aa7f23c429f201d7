"""The booklet of a calendar puzzle: the rules, a hint for each date, and one solution of each date or all of some.

slot: the part of a page for one date, a line of words and a small board below it. A hint is a piece of the solution
that the booklet shows for the date.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
import shapely

from studio.base.amounts import listed, many, thousands
from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, flag, line
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Floats
from studio.paper.leaflet import (
    Anchor,
    Area,
    Leaflet,
    Line,
    Mark,
    MarkGroup,
    Page,
    Words,
    box,
    capitals,
    centred,
    shortened,
    width_of,
    wrapped,
)
from studio.puzzles.calendar.checks import summary
from studio.puzzles.calendar.geometry import CalendarShapes
from studio.puzzles.calendar.model import (
    ANY_YEAR,
    CalendarDesign,
    Date,
    Mask,
    colour_of,
    dates,
    lying,
    noun_of,
    refuse_crowd,
    said,
)
from studio.puzzles.calendar.questions import date_cells, label_cells, year_of
from studio.puzzles.calendar.solve import first_found, solutions
from studio.puzzles.calendar.tray import squares_of
from studio.puzzles.calendar.year import Year, places

EACH, CHOSEN, NONE = "each", "chosen", "none"
"""The solutions that a booklet has."""
PAPERS = {"A4": "A4", "Letter": "Letter"}
MOST_DATES = 400
"""Most dates of a booklet; a board with weekdays has more, unless it has a real year."""
MOST_SOLUTIONS = 2000
"""Most solutions of the chosen dates together."""
INK, QUIET, EMPTY = "#1D1F24", "#5C6068", "#ECECE8"
MARGIN, FOOT = 16.0, 12.0
"""Margin of a page, and distance of its number from its lower edge, in mm."""
TITLE, HEADING, TEXT, SMALL = 11.0, 7.0, 4.0, 2.7
"""The sizes of letters in mm: of the title, of a page's heading, of text, and over the boards of dates."""
LEADING = 1.45
HINTED, SOLVED = 15.0, 25.0
"""Greatest width and height in mm of the boards of hints and of solutions."""
ACROSS, DOWN = 5.0, 4.0
"""Least gap between two slots, in mm."""
HEAD = 4.2
"""The height of a slot's words, in mm."""
SHOWN = 92.0
"""Greatest width and height in mm of the board on the first page."""
SQUARE, BETWEEN = 6.0, 6.0
"""The side of a piece's square on the first page, and the gap between pieces, in mm."""
LEAST_LETTER = 1.0
"""Smaller capitals, in mm, are left out."""
FINE, BOLD = 0.12, 0.3
"""The widths of lines in mm."""


@dataclass(frozen=True)
class BookletOptions(Validated):
    """Contents and paper of a booklet."""

    hints: bool = flag(True, title="Hints", help="Show one piece of a solution for each date.")
    solutions: str = choice(EACH, {EACH: "One for each date", CHOSEN: "All of chosen dates", NONE: "None"},
        title="Solutions", help="Solutions at the back of the booklet.")  # fmt: skip
    dates: str = line("", title="Dates", longest=400,
        help="Dates whose solutions are all shown, such as 10-06, 12-24.")  # fmt: skip
    paper: str = choice("A4", PAPERS, title="Paper", help="Page size.")


def pages(shapes: CalendarShapes, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
    """The usual booklet, on paper of a width and a height in mm; raises as `booklet` does."""
    return booklet(shapes.design, name, size, BookletOptions(), progress)


def booklet(
    design: CalendarDesign, name: str, size: tuple[float, float], options: BookletOptions, progress: Progress
) -> Leaflet:
    """A booklet under a name; raises StudioError for too many dates or solutions, unknown dates, and Cancelled."""
    board = design.layout
    refuse_crowd(board)
    every = list(dates(board, design.year))
    if len(every) > MOST_DATES:
        advice = tr(" Set a year to have one weekday for each date.") if design.year == ANY_YEAR else ""
        words = tr(
            "The board has {dates}, more than the {most} of a booklet.{advice}",
            dates=noun_of(board.groups).many(len(every)),
            most=MOST_DATES,
            advice=advice,
        )
        raise StudioError(words)
    chosen = _chosen(design, options, progress.part(0.0, 0.2))
    known = year_of(design, progress.part(0.2, 0.5)) if board.groups and design.area == board.covered else None
    solved = _solved(design, known, progress.part(0.5, 0.9)) if options.hints or options.solutions == EACH else []
    progress.step(0.9, tr("Laying out the pages"))
    sheet = _Sheet(design, *size)
    made: list[tuple[str, Sequence[Mark]]] = [("rules", list(sheet.rules(name, known, options)))]
    if options.hints and solved:
        hints = []
        for number, one in enumerate(solved):
            # The piece varies so that a page shows all pieces and no column repeats one.
            pieces = sorted((one.placed or {}).items())
            hints.append(one.slot(dict([pieces[(number + number // len(pieces)) % len(pieces)]]) if pieces else None))
        made += sheet.boards(tr("Hints"), hints, HINTED)
    if options.solutions == EACH and solved:
        made += sheet.boards(tr("Solutions"), [one.slot(one.placed) for one in solved], SOLVED)
    for date, found in chosen:
        heading = tr("{date}: {solutions}", date=said(date), solutions=many(len(found), "solution"))
        open_cells = tuple(label.name for label in date)
        slots = [_Slot(thousands(number), "", placed, open_cells) for number, placed in enumerate(found, 1)]
        made += sheet.boards(heading, slots, SOLVED)
    return Leaflet(name, tuple(sheet.page(number, *one) for number, one in enumerate(made, 1)))


def _chosen(
    design: CalendarDesign, options: BookletOptions, progress: Progress
) -> list[tuple[Date, list[dict[int, int]]]]:
    """The chosen dates with all their solutions."""
    if options.solutions != CHOSEN:
        return []
    words = [word.strip() for word in options.dates.split(";" if ";" in options.dates else ",") if word.strip()]
    if not words:
        raise StudioError(tr("Enter the dates whose solutions are to be shown, such as 10-06, 12-24."))
    found, total = [], 0
    for number, word in enumerate(words):
        part = progress.part(number / len(words), (number + 1) / len(words))
        cells = date_cells(design, word) if word[0].isdigit() else label_cells(design, word)
        known = solutions(design, cells, part, most=MOST_SOLUTIONS - total + 1)
        total += len(known.found)
        if total > MOST_SOLUTIONS:
            sentence = tr(
                "These dates have more than {most}, too many for a booklet; choose fewer dates.",
                most=many(MOST_SOLUTIONS, "solution"),
            )
            raise StudioError(sentence)
        arrangements = []
        for row in known.found:
            placed: dict[int, int] = {}
            for cell, piece in enumerate(row.tolist()):
                if piece >= 0:
                    placed[piece] = placed.get(piece, 0) | 1 << cell
            arrangements.append(placed)
        found.append((tuple(design.layout.on[name] for name in cells), arrangements))
    return found


def _solved(design: CalendarDesign, known: Year | None, progress: Progress) -> list[_Solved]:
    """Every date with one of its solutions."""
    every = list(places(design.layout, design.year))
    found = []
    for number, (place, date) in enumerate(every):
        progress.step(number / len(every), tr("Solving {date}", date=said(date)))
        count = 0 if known is None else int(known.counts[place])
        cells = [label.name for label in date]
        found.append(_Solved(date, count, first_found(design, cells, progress.unreported()) if count else None))
    return found


@dataclass(frozen=True, eq=False)
class _Solved:
    """A date, the number of its solutions, and one of them."""

    date: Date
    count: int
    placed: dict[int, int] | None

    def slot(self, placed: Mapping[int, int] | None) -> _Slot:
        """Return its slot with these pieces placed."""
        note = thousands(self.count) if self.count else tr("none")
        return _Slot(said(self.date), note, placed, tuple(label.name for label in self.date))


@dataclass(frozen=True, eq=False)
class _Slot:
    """A date on a page: its words, a quiet note at their right, placed pieces, and the cells left open."""

    words: str
    note: str
    placed: Mapping[int, int] | None
    open: tuple[str, ...]


@dataclass(frozen=True)
class _Sheet:
    """Pages for a design, of a width and a height in mm."""

    design: CalendarDesign
    width: float
    height: float

    @property
    def room(self) -> tuple[float, float]:
        """The width and the height within the margins."""
        return self.width - 2 * MARGIN, self.height - 2 * MARGIN

    def page(self, number: int, name: str, marks: Sequence[Mark]) -> Page:
        """A page with its number."""
        foot = Words(str(number), (self.width / 2, self.height - FOOT / 2), SMALL, QUIET, Anchor.MIDDLE)
        return Page(self.width, self.height, (MarkGroup(name, tuple(marks)), MarkGroup("number", (foot,))))

    @cached_property
    def rings(self) -> tuple[Floats, ...]:
        """The rims of the board, in cells."""
        return _rings(self.design.layout.mask)

    # The first page

    def rules(self, name: str, known: Year | None, options: BookletOptions) -> Iterator[Mark]:
        """Draw the first page: the rules, the board, and the pieces."""
        foot = MARGIN + capitals(TITLE)
        yield Words(shortened(name, TITLE, self.room[0], bold=True), (MARGIN, foot), TITLE, INK, bold=True)
        foot += 0.6 * TITLE
        for sentence in self._sentences(known, options):
            for text in wrapped(sentence, TEXT, self.room[0]):
                foot += LEADING * TEXT
                yield Words(text, (MARGIN, foot), TEXT, INK)
            foot += 0.4 * TEXT
        rows, columns = self.design.layout.mask.shape
        pieces = self._pieces()
        tall = sum(height for _, height in pieces) + BETWEEN * len(pieces)
        left = self.height - MARGIN - foot - 2 * BETWEEN - tall
        cell = max(min(SHOWN / columns, SHOWN / rows, left / rows), 2.0)
        top = foot + 2 * BETWEEN
        yield from self._board(((self.width - cell * columns) / 2, top), cell)
        top += cell * rows + 1.5 * BETWEEN
        for draw, height in pieces:
            yield from draw(top)
            top += height + BETWEEN

    def _sentences(self, known: Year | None, options: BookletOptions) -> Iterator[str]:
        board, design = self.design.layout, self.design
        pieces = many(len(design.set), "piece")
        if board.groups:
            labels = listed([tr("one {group}", group=group) for group in board.groups])
            yield tr("Cover the board with the {pieces} and leave {labels} uncovered.", pieces=pieces, labels=labels)
        else:
            yield tr("Cover the whole board with the {pieces}.", pieces=pieces)
        if design.parameters.reflections:
            yield tr("Pieces may be rotated and flipped; all of them are used.")
        else:
            yield tr("Pieces may be rotated, but not flipped; all of them are used.")
        if design.year:
            yield tr("The dates and weekdays are those of {year}.", year=design.year)
        if known is not None:
            yield summary(board, known)
        if options.hints and known is not None:
            yield tr(
                "Each hint shows where one piece goes, beside the number of solutions. Other solutions may not "
                "have that piece there."
            )

    def _board(self, corner: tuple[float, float], cell: float) -> Iterator[Mark]:
        rims = _shifted(self.rings, corner, cell)
        yield Area(rims, EMPTY)
        board = self.design.layout
        size = 0.42 * cell
        size *= min([0.8 * cell / max(width_of(one.text, size), 1e-6) for one in board.labels] + [1.0])
        for name, (row, column) in board.places.items():
            left, top = corner[0] + column * cell, corner[1] + row * cell
            yield Line(box(left, top, cell, cell), QUIET, FINE, closed=True)
            if name in board.on:
                middle = np.array([left + cell / 2, top + cell / 2])
                yield centred(board.on[name].text, middle, size, INK)
        for rim in rims:
            yield Line(rim, INK, BOLD, closed=True)

    def _pieces(self) -> list[tuple[Callable[[float], Iterator[Mark]], float]]:
        """Rows of pieces, each as a function that draws it at a height, and its own height in mm."""
        rows: list[list[int]] = [[]]
        right = 0.0
        for number, piece in enumerate(self.design.set):
            wide = piece.mask.shape[1] * SQUARE
            if right and right + wide > self.room[0]:
                rows.append([])
                right = 0.0
            rows[-1].append(number)
            right += wide + BETWEEN

        def draw(numbers: Sequence[int], top: float) -> Iterator[Mark]:
            masks = [self.design.set[number].mask for number in numbers]
            total = sum(mask.shape[1] * SQUARE for mask in masks) + BETWEEN * (len(masks) - 1)
            left = (self.width - total) / 2
            for number, mask in zip(numbers, masks, strict=True):
                yield from self._piece(number, mask, (left, top), SQUARE)
                left += mask.shape[1] * SQUARE + BETWEEN

        masks = [[self.design.set[number].mask for number in numbers] for numbers in rows if numbers]
        heights = [SQUARE * max(mask.shape[0] for mask in some) for some in masks]
        return [(partial(draw, numbers), height) for numbers, height in zip(rows, heights, strict=False)]

    def _piece(self, number: int, mask: Mask, corner: tuple[float, float], cell: float) -> Iterator[Mark]:
        """A piece as it lies, with its name on its first square in the middle row."""
        piece = self.design.set[number]
        yield Area(
            _shifted(_rings(mask), corner, cell), colour_of(piece.colour), line=INK, width=BOLD if cell > 4 else FINE
        )
        size = 0.6 * cell
        if capitals(size) < LEAST_LETTER or width_of(piece.name, size) > 0.9 * cell:
            return
        squares = np.argwhere(mask)
        row, column = squares[((squares - squares.mean(axis=0)) ** 2).sum(axis=1).argmin()]
        middle = np.array(corner) + (np.array([column, row]) + 0.5) * cell
        yield centred(piece.name, middle, size, INK)

    # Pages of small boards

    def boards(self, heading: str, slots: Sequence[_Slot], most: float) -> Iterator[tuple[str, Sequence[Mark]]]:
        """Pages of dates under a heading, each on a board up to some mm wide and high."""
        rows, columns = self.design.layout.mask.shape
        cell = most / max(rows, columns)
        words = max((width_of(f"{slot.words}  {slot.note}", SMALL) for slot in slots), default=0.0)
        wide, tall = max(cell * columns, min(words, 2 * most)), cell * rows + HEAD
        head = 1.6 * HEADING
        across = max(1, int((self.room[0] + ACROSS) / (wide + ACROSS)))
        down = max(1, int((self.room[1] - head + DOWN) / (tall + DOWN)))
        pitch = (self.room[0] - wide) / max(across - 1, 1)
        for first in range(0, len(slots), across * down):
            some = slots[first : first + across * down]
            foot = MARGIN + capitals(HEADING)
            marks: list[Mark] = [
                Words(shortened(heading, HEADING, self.room[0], bold=True), (MARGIN, foot), HEADING, INK, bold=True)
            ]
            for at, slot in enumerate(some):
                row, column = divmod(at, across)
                left, top = MARGIN + column * pitch, MARGIN + head + row * (tall + DOWN)
                marks += self._slot(slot, (left, top), cell, wide)
            yield heading.partition(":")[0].replace(" ", "-").lower(), marks

    def _slot(self, slot: _Slot, corner: tuple[float, float], cell: float, wide: float) -> Iterator[Mark]:
        left, top = corner
        board = self.design.layout
        right = left + max(
            cell * board.mask.shape[1], width_of(f"{slot.words}  {slot.note}", SMALL) if slot.note else 0
        )
        foot = top + capitals(SMALL)
        note = width_of(f"  {slot.note}", SMALL) if slot.note else 0.0
        yield Words(shortened(slot.words, SMALL, max(wide - note, 1.0)), (left, foot), SMALL, INK)
        if slot.note:
            yield Words(slot.note, (right, foot), SMALL, QUIET, Anchor.END)
        at = left, top + HEAD
        yield Area(_shifted(self.rings, at, cell), EMPTY, line=INK, width=FINE)
        for name in slot.open:
            row, column = board.places[name]
            yield Area((box(at[0] + column * cell, at[1] + row * cell, cell, cell),), INK)
        for piece, cells in (slot.placed or {}).items():
            mask, row, column = lying(board, cells)
            yield from self._piece(piece, mask, (at[0] + column * cell, at[1] + row * cell), cell)


def _rings(mask: Mask) -> tuple[Floats, ...]:
    """Outlines of the area where a mask is true, in cells from its corner."""
    return tuple(shapely.get_coordinates(ring)[:-1] for ring in shapely.get_rings(squares_of(mask, 1.0)))


def _shifted(rings: Sequence[Floats], corner: tuple[float, float], cell: float) -> tuple[Floats, ...]:
    return tuple(np.asarray(ring * cell + np.array(corner)) for ring in rings)
