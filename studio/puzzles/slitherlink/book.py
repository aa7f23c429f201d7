"""A book of slitherlinks: a title page, how to play, puzzles of rising difficulty, and their solutions at the back.

slot: what a page has for one puzzle and its heading. Pages with an odd number are on the right, bound at their left.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from studio.amounts import many
from studio.errors import StudioError
from studio.geometry.chance import uniform
from studio.geometry.division import BRICKS, RINGS
from studio.geometry.grids import HEXAGON, SQUARE, TRIANGLE
from studio.paper import fonts
from studio.paper.leaflet import Anchor, Leaflet, Mark, MarkGroup, Page, Words, capitals, width_of, wrapped
from studio.parameters import LARGEST_SEED, ParameterError, Validated, choice, integer, line, seed
from studio.progress import Progress
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.grade import LEVEL_EFFORT, effort
from studio.puzzles.slitherlink.model import EASY, GRADES, HARD, SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.paper import INK, LARGEST, QUIET, board_of, extent, figure, how, letters_of, loop_alone
from studio.texts import tr

MOST_PUZZLES, MOST_ON_A_PAGE = 500, 12
PAPERS = {"A4": "A4", "Letter": "Letter"}
INNER, OUTER, TOP, BOTTOM = 20.0, 15.0, 16.0, 20.0
"""The margins of a page in mm: where it is bound, opposite, above and below."""
APART, SOLVED_APART = 14.0, 7.0
"""Between two puzzles, and between two solutions, in mm at least."""
TITLE, HEADING, NUMBER, TEXT, SMALL = 15.0, 8.0, 5.2, 4.2, 3.4
"""The sizes of letters in mm: of the book's title, of a page's, of a puzzle's number, of text, of page numbers."""
LEADING = 1.5
HEAD = 9.0
"""The height in mm of a puzzle's number and grade."""
SOLVED_HEAD = 5.5
"""The height in mm of a solution's number."""
SOLVED_EDGE, SOLVED_RADIUS = 2.9, 1.4
"""A cell's edge in mm in solutions, as far as the circle in a cell has the radius in mm."""
SMALLEST = 1.1
"""The least height of a clue in mm."""
MOST_TRIED = 20
"""Seeds tried for a puzzle until it has the wanted grade."""
ORNAMENT = 90.0
"""The largest width and height in mm of the loop on the title page."""
EXAMPLES = {SQUARE: (5, 5), HEXAGON: (4, 4), TRIANGLE: (7, 4), BRICKS: (4, 5), RINGS: (5, 5)}
USUAL_EXAMPLE = (4, 4)
"""The columns and rows of the example in how to play, and those of other cells."""


@dataclass(frozen=True)
class BookOptions(Validated):
    """The options of a book of slitherlinks."""

    count: int = integer(24, title="Puzzles", minimum=1, maximum=MOST_PUZZLES, help="Number of puzzles in the book.")
    easiest: str = choice(EASY, GRADES, title="From", help="Difficulty of the first puzzle.")
    hardest: str = choice(HARD, GRADES, title="To", help="Difficulty of the last puzzle.")
    per_page: int = integer(4, title="Per page", minimum=1, maximum=MOST_ON_A_PAGE,
        help="Number of puzzles on a page.")  # fmt: skip
    title: str = line("Slitherlinks", title="Title", longest=60, help="Title on the title page.")
    seed: int = seed(1, help="Random seed. The same seed always gives the same book.")
    paper: str = choice("A4", PAPERS, title="Paper", help="Page size.")

    def __post_init__(self) -> None:
        """Refuse values that cannot be: raises ParameterError."""
        super().__post_init__()
        if self.easiest not in self.levels:
            raise ParameterError(
                "hardest",
                tr("The difficulty cannot fall from {first} to {last}.", first=self.easiest, last=self.hardest),
            )

    @property
    def levels(self) -> list[str]:
        """The difficulties of the book, the easiest first."""
        grades = list(GRADES)
        return grades[grades.index(self.easiest) : grades.index(self.hardest) + 1]

    def wanted(self) -> list[str]:
        """The difficulty of each puzzle: as many of each, or where there are too few puzzles the first and the last."""
        levels = self.levels
        if self.count < len(levels):
            steps, every = len(levels) - 1, max(self.count - 1, 1)
        else:
            steps, every = len(levels), self.count
        return [levels[number * steps // every] for number in range(self.count)]


def book_of(
    parameters: SlitherlinkParameters, options: BookOptions, size: tuple[float, float], progress: Progress
) -> Leaflet:
    """A new book on paper of a width and a height in mm; raises StudioError where it could not be read."""
    if problem := fonts.unset(options.title):
        raise StudioError(tr("This title cannot be printed: {problem}.", problem=problem))
    _ensure_readable(parameters, options, size)
    puzzles = puzzles_of(parameters, options, progress.part(0.0, 0.9))
    return book(puzzles, options, size, progress.part(0.9, 1.0))


def _ensure_readable(p: SlitherlinkParameters, options: BookOptions, size: tuple[float, float]) -> None:
    layout = _layout(p, options.per_page, _Sheet(*size), HEAD)
    if capitals(float(letters_of(p, layout.edge).min())) < SMALLEST:
        raise StudioError(
            tr(
                "With {count} puzzles per page the clues are too small to read: put fewer on a page.",
                count=options.per_page,
            )
            if options.per_page > 1
            else tr("The clues are too small to read: use larger paper or fewer cells.")
        )


@dataclass(frozen=True)
class BookPuzzle:
    """A puzzle of a book; `effort` is how hard it is, as a number and, as far as the rules go, in a word."""

    design: SlitherlinkDesign
    effort: int

    @property
    def level(self) -> int:
        """The place of its grade among all."""
        return self.effort // LEVEL_EFFORT

    @property
    def grade(self) -> str:
        """Its grade; empty where no rule solves it."""
        titles = [*GRADES.values()]
        return titles[self.level] if self.level < len(titles) else ""


def puzzles_of(parameters: SlitherlinkParameters, options: BookOptions, progress: Progress) -> list[BookPuzzle]:
    """The puzzles of a book, the easiest first, all with one solution; raises StudioError where none is found.

    Where no seed gives the wanted grade, the nearest is used.
    """
    levels = options.wanted()
    found = []
    for number in range(options.count):
        note = tr("Puzzle {number} of {count}", number=number + 1, count=options.count)
        part = progress.part(number / options.count, (number + 1) / options.count, note)
        part.step(0.0)
        found.append(_puzzle(replace(parameters, difficulty=levels[number]), options.seed, number, part))
    return sorted(found, key=lambda one: one.effort)


def _puzzle(p: SlitherlinkParameters, seed: int, number: int, progress: Progress) -> BookPuzzle:
    wanted = [*GRADES].index(p.difficulty)
    best: BookPuzzle | None = None
    for attempt in range(MOST_TRIED):
        chance = uniform(seed, np.array([number * MOST_TRIED + attempt]), "book")[0]
        design = generate(replace(p, seed=int(chance * LARGEST_SEED)), progress.part(0.0, 0.8))
        try:
            tried = BookPuzzle(design, effort(design, progress.part(0.8, 1.0)))
        except StudioError:
            continue
        if best is None or abs(tried.level - wanted) < abs(best.level - wanted):
            best = tried
        if best.level == wanted:
            return best
    if best is None:
        raise StudioError(
            tr(
                "Tried {count} seeds for puzzle {number}; none has a proven unique solution. Try another seed.",
                count=MOST_TRIED,
                number=number + 1,
            )
        )
    return best


def book(puzzles: Sequence[BookPuzzle], options: BookOptions, size: tuple[float, float], progress: Progress) -> Leaflet:
    """The pages of a book of puzzles of one size, on paper of a width and a height in mm."""
    progress.step(0.0, tr("Laying out the pages"))
    p = puzzles[0].design.parameters
    sheet = _Sheet(*size)
    pages = [_title_page(puzzles, options, sheet), _how_page(p, sheet.numbered(2))]
    layout = _layout(p, options.per_page, sheet, HEAD)
    for first in range(0, len(puzzles), layout.count):
        shown = [*enumerate(puzzles, 1)][first : first + layout.count]
        marks = [
            mark for at, one in enumerate(shown) for mark in _puzzle_marks(*one, layout, at, sheet, len(pages) + 1)
        ]
        pages.append(sheet.numbered(len(pages) + 1).page("puzzles", marks))
    layout = _solved_layout(p, sheet)
    for first in range(0, len(puzzles), layout.count):
        shown = [*enumerate(puzzles, 1)][first : first + layout.count]
        pages.append(_solution_page(shown, layout, sheet.numbered(len(pages) + 1)))
        progress.step(min(1.0, (first + layout.count) / len(puzzles)), tr("Laying out the solutions"))
    return Leaflet(options.title, tuple(pages))


@dataclass(frozen=True)
class _Sheet:
    """A page of paper, in mm, and its number; the title page has none."""

    width: float
    height: float
    number: int = 1

    def numbered(self, number: int) -> _Sheet:
        """The sheet as a page with a number."""
        return replace(self, number=number)

    @property
    def is_right(self) -> bool:
        """Whether the page is on the right of an open book."""
        return self.number % 2 == 1

    @property
    def left(self) -> float:
        """Where what is printed begins."""
        return INNER if self.is_right else OUTER

    @property
    def room(self) -> tuple[float, float]:
        """The width and height within the margins."""
        return self.width - INNER - OUTER, self.height - TOP - BOTTOM

    def page(self, name: str, marks: Sequence[Mark]) -> Page:
        """The page with marks and its number, at the outer edge."""
        outer = self.left + self.room[0] if self.is_right else self.left
        anchor = Anchor.END if self.is_right else Anchor.START
        foot = Words(str(self.number), (outer, self.height - BOTTOM / 2), SMALL, QUIET, anchor)
        return Page(self.width, self.height, (MarkGroup(name, tuple(marks)), MarkGroup("number", (foot,))))


@dataclass(frozen=True)
class _Layout:
    """Where `count` puzzles go on a page, in columns and rows of slots; a heading, a gap and a cell's edge in mm."""

    count: int
    columns: int
    rows: int
    head: float
    apart: float
    edge: float
    board: tuple[float, float]

    def place(self, at: int, left: float, top: float, room: tuple[float, float]) -> tuple[float, float]:
        """The upper left of a puzzle's heading in its slot, in the middle of it; spare height goes between rows."""
        row, column = divmod(at, self.columns)
        wide = (room[0] + self.apart) / self.columns
        tall = (room[1] + self.apart) / self.rows
        spare = tall - self.apart - self.head - self.board[1]
        return left + column * wide + (wide - self.apart - self.board[0]) / 2, top + row * tall + spare / 2


def _layout(p: SlitherlinkParameters, count: int, sheet: _Sheet, head: float) -> _Layout:
    """The slots for `count` puzzles on a page that leave the largest cells."""
    (wide, tall), (width, height) = extent(p), sheet.room

    def edge(columns: int) -> float:
        rows = ceil(count / columns)
        along = ((width + APART) / columns - APART) / wide
        return min(along, ((height + APART) / rows - APART - head) / tall, LARGEST / p.form.circle)

    columns = max(range(1, count + 1), key=lambda columns: (round(edge(columns), 3), -columns))
    size = edge(columns)
    rows = ceil(count / columns)
    return _Layout(count, columns, rows, head, APART, size, (size * wide, size * tall))


def _solved_layout(p: SlitherlinkParameters, sheet: _Sheet) -> _Layout:
    """The slots for solutions: as many as are easy to read, in rows that fill the width."""
    (wide, tall), (width, height) = extent(p), _solved_room(sheet)
    wanted = max(SOLVED_EDGE, SOLVED_RADIUS / p.form.circle)
    columns = max(1, int((width + SOLVED_APART) / (wanted * wide + SOLVED_APART)))
    edge = min(((width + SOLVED_APART) / columns - SOLVED_APART) / wide, 1.25 * wanted, (height - SOLVED_HEAD) / tall)
    rows = max(1, int((height + SOLVED_APART) / (edge * tall + SOLVED_HEAD + SOLVED_APART)))
    return _Layout(columns * rows, columns, rows, SOLVED_HEAD, SOLVED_APART, edge, (edge * wide, edge * tall))


def _solved_room(sheet: _Sheet) -> tuple[float, float]:
    """The room for solutions, below the heading of their page."""
    return sheet.room[0], sheet.room[1] - HEADING - SOLVED_APART


def _puzzle_marks(
    number: int, puzzle: BookPuzzle, layout: _Layout, at: int, sheet: _Sheet, page: int
) -> Iterator[Mark]:
    side = sheet.numbered(page)
    left, top = layout.place(at, side.left, TOP, side.room)
    foot = top + capitals(NUMBER)
    yield Words(str(number), (left, foot), NUMBER, INK, bold=True)
    if puzzle.grade:
        yield Words(puzzle.grade, (left + layout.board[0], foot), TEXT, QUIET, Anchor.END)
    yield from board_of(puzzle.design, (left, top + layout.head), layout.edge, is_solved=False)


def _solution_page(shown: Sequence[tuple[int, BookPuzzle]], layout: _Layout, sheet: _Sheet) -> Page:
    room = _solved_room(sheet)
    top = sheet.height - BOTTOM - room[1]
    marks: list[Mark] = [Words(tr("Solutions"), (sheet.left, TOP + capitals(HEADING)), HEADING, INK, bold=True)]
    tall = min(room[1], layout.rows * (layout.board[1] + SOLVED_HEAD + SOLVED_APART) - SOLVED_APART)
    for at, (number, puzzle) in enumerate(shown):
        left, above = layout.place(at, sheet.left, top, (room[0], tall))
        marks.append(Words(str(number), (left, above + capitals(SMALL)), SMALL, INK, bold=True))
        marks += board_of(puzzle.design, (left, above + SOLVED_HEAD), layout.edge, is_solved=True)
    return sheet.page("solutions", marks)


# Title page


def _title_page(puzzles: Sequence[BookPuzzle], options: BookOptions, sheet: _Sheet) -> Page:
    p = puzzles[0].design.parameters
    middle, width = sheet.left + sheet.room[0] / 2, sheet.room[0]
    foot = 0.2 * sheet.height
    marks: list[Mark] = []
    size = TITLE
    while size > NUMBER and any(width_of(word, size, bold=True) > width for word in options.title.split()):
        size *= 0.9
    for text in wrapped(options.title, size, width, bold=True):
        marks.append(Words(text, (middle, foot), size, INK, Anchor.MIDDLE, bold=True))
        foot += 1.3 * size
    for text in wrapped(_contents(puzzles), TEXT, width):
        marks.append(Words(text, (middle, foot), TEXT, QUIET, Anchor.MIDDLE))
        foot += LEADING * TEXT
    wide, tall = extent(p)
    edge = ORNAMENT / max(wide, tall)
    place = (middle - edge * wide / 2, 0.62 * sheet.height - edge * tall / 2)
    marks += loop_alone(puzzles[-1].design, place, edge)
    return Page(sheet.width, sheet.height, (MarkGroup("title", tuple(marks)),))


def _contents(puzzles: Sequence[BookPuzzle]) -> str:
    p = puzzles[0].design.parameters
    size = tr("{count} of {cells}", count=many(len(puzzles), "puzzle"), cells=p.about)
    grades = list(dict.fromkeys(one.grade.lower() for one in puzzles if one.grade))
    if not grades:
        return size
    if len(grades) == 1:
        return tr("{puzzles}, {grade}", puzzles=size, grade=grades[0])
    return tr("{puzzles}, from {easiest} to {hardest}", puzzles=size, easiest=grades[0], hardest=grades[-1])


# How to play

RULES = (tr("Each puzzle has exactly one solution."), tr("Put a small cross on sides that cannot belong to the loop."))


def _how_page(p: SlitherlinkParameters, sheet: _Sheet) -> Page:
    width = sheet.room[0]
    foot = TOP + capitals(HEADING)
    marks: list[Mark] = [Words(tr("How to play"), (sheet.left, foot), HEADING, INK, bold=True)]
    foot += HEADING + 2
    for text in (how(p.layout), *RULES):
        for each in wrapped(text, TEXT, width):
            marks.append(Words(each, (sheet.left, foot), TEXT, INK))
            foot += LEADING * TEXT
        foot += 0.5 * TEXT
    columns, rows = EXAMPLES.get(p.grid, USUAL_EXAMPLE)
    example = generate(
        SlitherlinkParameters(grid=p.grid, columns=columns, rows=rows, difficulty=EASY, seed=3), Progress()
    )
    wide, tall = extent(example.parameters)
    edge = (width / 2 - APART) / max(wide, tall)
    foot += 4
    for at, title in enumerate((tr("A puzzle"), tr("The solution"))):
        left = sheet.left + at * width / 2 + (width / 2 - edge * wide) / 2
        marks.append(Words(title, (left, foot + capitals(TEXT)), TEXT, QUIET))
        marks += board_of(example, (left, foot + HEAD), edge, is_solved=at == 1)
    foot += HEAD + edge * tall + 16
    if p.grid == SQUARE and p.layout.is_regular:
        marks += _first_lines(sheet, foot)
    return sheet.page("how", marks)


def _first_lines(sheet: _Sheet, top: float) -> Iterator[Mark]:
    """Places in which the first lines of a puzzle of squares are found."""
    width = sheet.room[0]
    yield Words(tr("Getting started"), (sheet.left, top), NUMBER, INK, bold=True)
    p = SlitherlinkParameters(columns=3, rows=3)
    edge = (width / len(HINTS) - APART) / 3
    numbers = {frozenset(pair): one for one, pair in enumerate(p.net.ends)}

    def edges(pairs: Sequence[tuple[int, int]]) -> list[int]:
        return [numbers[frozenset(pair)] for pair in pairs]

    for at, (clues, lines, crosses, text) in enumerate(HINTS):
        left = sheet.left + at * (width + APART / 2) / len(HINTS)
        yield from figure(p, clues, (left, top + 6), edge, lines=edges(lines), crosses=edges(crosses))
        for row, each in enumerate(wrapped(text, SMALL, 3 * edge + 4)):
            yield Words(each, (left, top + 6 + 3 * edge + 7 + LEADING * SMALL * row), SMALL, QUIET)


Hint = tuple[dict[int, int], Sequence[tuple[int, int]], Sequence[tuple[int, int]], str]
HINTS: tuple[Hint, ...] = (
    ({4: 0}, (), ((5, 6), (5, 9), (6, 10), (9, 10)), tr("A 0 has no lines.")),
    ({0: 3}, ((0, 1), (0, 4)), (), tr("A 3 in a corner has lines on both corner sides.")),
    ({3: 3, 4: 3}, ((4, 8), (5, 9), (6, 10)), ((1, 5), (9, 13)), tr("Adjacent 3s have three parallel lines.")),
    ({0: 3, 4: 3}, ((0, 1), (0, 4), (6, 10), (9, 10)), (), tr("Diagonal 3s have lines on their outer sides.")),
)
"""Clues by cell, lines and crosses between dots, on a grid of 3 × 3, and the words below."""
