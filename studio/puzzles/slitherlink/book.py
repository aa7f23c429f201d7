"""A book of slitherlinks: a title page, how to play, puzzles of rising difficulty, and their solutions at the back.

slot: the place of one puzzle and its heading on a page. box: the part of a slot that a board has, which boards of mixed
cells fill as far as they can. Pages with an odd number are on the right, bound at their left.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

import numpy as np

from studio.base.amounts import listed, many
from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.parameters import LARGEST_SEED, ParameterError, Validated, choice, flag, integer, line, seed
from studio.base.progress import SILENT, Progress
from studio.base.texts import tr
from studio.geometry.board.board_spec import BRICKS, RINGS
from studio.geometry.board.grids import GRIDS, HEXAGON, SQUARE, TRIANGLE
from studio.paper import fonts
from studio.paper.leaflet import Anchor, Leaflet, Mark, MarkGroup, Page, Words, capitals, width_of, wrapped
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.grade import LEVEL_EFFORT, effort
from studio.puzzles.slitherlink.model import CELLS, EASY, GRADES, HARD, PLAIN, SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.paper import INK, LARGEST, QUIET, board_of, figure, how, letters_of, loop_alone

MOST_PUZZLES, MOST_ON_A_PAGE = 500, 12
PAPERS = {"A4": "A4", "A5": "A5", "Letter": "Letter"}
OWN_CELLS, REGULAR_CELLS, EVERY_CELL = "own", "regular", "every"
MIXES = {
    OWN_CELLS: tr("As designed"), REGULAR_CELLS: tr("Squares, hexagons, triangles"), EVERY_CELL: tr("All kinds mixed"),
}  # fmt: skip
MIXED = {REGULAR_CELLS: (SQUARE, HEXAGON, TRIANGLE), EVERY_CELL: tuple(GRIDS)}
"""The cells of mixed books, in turn."""
LEAF = 4
"""Pages of a folded sheet."""
INNER, OUTER, TOP, BOTTOM = 20.0, 15.0, 16.0, 20.0
"""The margins of a page in mm: at the binding, opposite, above and below."""
APART, SOLVED_APART = 14.0, 7.0
"""Least gaps between two puzzles, and between two solutions, in mm."""
TITLE, HEADING, NUMBER, TEXT, SMALL = 15.0, 8.0, 5.2, 4.2, 3.4
"""The sizes of letters in mm: of the book's title, of a page's, of a puzzle's number, of text, of page numbers."""
LEADING = 1.5
STACKED = 6.0
"""Gap between an example and its solution below it, in mm."""
HINTS_APART = 16.0
"""Gap in mm between the examples of the rules and the first lines below them."""
HEAD = 9.0
"""The height in mm of a puzzle's number and grade."""
EXAMPLE_HEAD = 7.0
"""The height in mm of the name of an example's cells."""
SOLVED_HEAD = 5.5
"""The height in mm of a solution's number."""
SOLVED_RADIUS = 1.7
"""The radius in mm of the circle in a cell in solutions, at least, if a page can hold one as large."""
SMALLEST = 1.1
"""The least height of a clue in mm."""
MOST_TRIED = 20
"""Seeds tried for a puzzle until it has the wanted grade."""
ORNAMENT = 90.0
"""The largest width and height in mm of the loop on the title page."""
EXAMPLES = {SQUARE: (5, 5), HEXAGON: (4, 4), TRIANGLE: (7, 4), BRICKS: (3, 6), RINGS: (5, 5)}
USUAL_EXAMPLE = (4, 4)
"""Columns and rows of the example in the rules, by form of cells; the second for all other forms."""


@dataclass(frozen=True)
class BookOptions(Validated):
    """The options of a book of slitherlinks."""

    count: int = integer(24, title="Puzzles", minimum=1, maximum=MOST_PUZZLES, help="Number of puzzles in the book.")
    easiest: str = choice(EASY, GRADES, title="From", help="Difficulty of the first puzzle.")
    hardest: str = choice(HARD, GRADES, title="To", help="Difficulty of the last puzzle.")
    per_page: int = integer(4, title="Per page", minimum=1, maximum=MOST_ON_A_PAGE,
        help="Number of puzzles on a page.")  # fmt: skip
    cells: str = choice(OWN_CELLS, MIXES, title="Cells",
        help="Cells of the puzzles: all as designed, or several kinds in turn.")  # fmt: skip
    title: str = line("Slitherlinks", title="Title", longest=60, help="Title on the title page.")
    imprint: str = line("", title="Imprint", longest=120,
        help="Line at the foot of the title page, such as author, publisher and year.")  # fmt: skip
    seed: int = seed(1, help="Random seed. The same seed always gives the same book.")
    paper: str = choice("A4", PAPERS, title="Paper", help="Page size.")
    booklet: bool = flag(False, title="Pages in fours",
        help="Add blank pages until their number is a multiple of 4, as folded sheets have.")  # fmt: skip

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
        """The difficulty of each puzzle: evenly spread, or the first and the last if there are too few puzzles."""
        levels = self.levels
        if self.count < len(levels):
            steps, every = len(levels) - 1, max(self.count - 1, 1)
        else:
            steps, every = len(levels), self.count
        return [levels[number * steps // every] for number in range(self.count)]

    def kinds(self, p: SlitherlinkParameters) -> list[SlitherlinkParameters]:
        """The parameters of the puzzles, one after the other in turn."""
        if self.cells == OWN_CELLS:
            return [p]
        return [replace(p, grid=grid, board=PLAIN) for grid in MIXED[self.cells]]


def book_of(
    parameters: SlitherlinkParameters, options: BookOptions, size: tuple[float, float], progress: Progress
) -> Leaflet:
    """A new book on paper of a width and a height in mm; raises StudioError if it would be illegible."""
    if problem := fonts.unset(options.title):
        raise StudioError(tr("This title cannot be printed: {problem}.", problem=problem))
    if problem := fonts.unset(options.imprint):
        raise StudioError(tr("This imprint cannot be printed: {problem}.", problem=problem))
    kinds, sheet = options.kinds(parameters), _Sheet(*size)
    layout = _layout(kinds, options.per_page, sheet.room, HEAD, APART)
    if min(capitals(float(letters_of(kind, layout.edge(kind)).min())) for kind in kinds) < SMALLEST:
        raise StudioError(
            tr(
                "With {count} puzzles per page the clues are too small to read: put fewer on a page.",
                count=options.per_page,
            )
            if options.per_page > 1
            else tr("The clues are too small to read: use larger paper or fewer cells.")
        )
    puzzles = puzzles_of(parameters, options, progress.part(0.0, 0.9))
    return book(puzzles, options, size, progress.part(0.9, 1.0))


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
        """Its grade; empty if no rule solves it."""
        titles = [*GRADES.values()]
        return titles[self.level] if self.level < len(titles) else ""


def puzzles_of(parameters: SlitherlinkParameters, options: BookOptions, progress: Progress) -> list[BookPuzzle]:
    """The puzzles of a book, the easiest first, all with one solution; raises StudioError if a search fails.

    If no seed gives the wanted grade, the nearest is used.
    """
    levels, kinds = options.wanted(), options.kinds(parameters)
    found = []
    for number in range(options.count):
        note = tr("Puzzle {number} of {count}", number=number + 1, count=options.count)
        part = progress.part(number / options.count, (number + 1) / options.count, note)
        part.step(0.0)
        kind = kinds[number % len(kinds)]
        found.append(_puzzle(replace(kind, difficulty=levels[number]), options.seed, number, part))
    # Within a level the kinds of cells alternate, the easier ones of a kind first.
    grids, places, order = [kind.grid for kind in kinds], Counter[tuple[int, str]](), []
    for one in sorted(found, key=lambda one: one.effort):
        grid = one.design.parameters.grid
        order.append(((one.level, places[one.level, grid], grids.index(grid)), one))
        places[one.level, grid] += 1
    return [one for _, one in sorted(order, key=lambda pair: pair[0])]


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
        words = tr(
            "Tried {count} seeds for puzzle {number}; none has a proven unique solution. Try another seed.",
            count=MOST_TRIED,
            number=number + 1,
        )
        raise StudioError(words)
    return best


def book(puzzles: Sequence[BookPuzzle], options: BookOptions, size: tuple[float, float], progress: Progress) -> Leaflet:
    """The pages of a book of puzzles of one size, on paper of a width and a height in mm."""
    progress.step(0.0, tr("Laying out the pages"))
    designs = [one.design.parameters for one in puzzles]
    sheet = _Sheet(*size)
    pages = [_title_page(puzzles, options, sheet), _how_page(designs, sheet.numbered(2))]
    layout = _layout(designs, options.per_page, sheet.room, HEAD, APART)
    for first in range(0, len(puzzles), layout.count):
        side, marks = sheet.numbered(len(pages) + 1), list[Mark]()
        across, down = layout.middle_of(side.room)
        for at, puzzle in enumerate(puzzles[first : first + layout.count]):
            p = puzzle.design.parameters
            left, top = layout.place(at, p, side.left + across, TOP + down)
            foot, edge = top + capitals(NUMBER), layout.edge(p)
            marks.append(Words(str(first + at + 1), (left, foot), NUMBER, INK, bold=True))
            if puzzle.grade:
                marks.append(Words(puzzle.grade, (left + edge * p.form.size[0], foot), TEXT, QUIET, Anchor.END))
            marks += board_of(puzzle.design, (left, top + layout.head), edge, is_solved=False)
        pages.append(side.page("puzzles", marks))
    layout = _solved_layout(designs, sheet)
    for first in range(0, len(puzzles), layout.count):
        shown = [*enumerate(puzzles, 1)][first : first + layout.count]
        pages.append(_solution_page(shown, layout, sheet.numbered(len(pages) + 1)))
        progress.step(min(1.0, (first + layout.count) / len(puzzles)), tr("Laying out the solutions"))
    if options.booklet:
        pages += [Page(*size, ()) for _ in range(-len(pages) % LEAF)]
    return Leaflet(options.title, tuple(pages))


@dataclass(frozen=True)
class _Sheet:
    """A page of paper, in mm, and its number, which the title page does not show."""

    width: float
    height: float
    number: int = 1

    def numbered(self, number: int) -> _Sheet:
        """The sheet as a page with a number."""
        return replace(self, number=number)

    @property
    def is_right(self) -> bool:
        """True if the page is on the right of an open book."""
        return self.number % 2 == 1

    @property
    def left(self) -> float:
        """Left margin of the page."""
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
    """Layout of `count` puzzles on a page, in columns and rows of slots with equal gaps, in mm, across and down.

    A slot has a heading of the height `head` above its box, in which `boards` of one size are stacked.
    """

    count: int
    columns: int
    rows: int
    head: float
    apart: float
    box: tuple[float, float]
    boards: int = 1

    def edge(self, p: SlitherlinkParameters) -> float:
        """The length in mm of a cell's edge of a puzzle that fills its box."""
        (wide, tall), (width, height) = p.form.size, self.box
        height = (height + STACKED) / self.boards - STACKED
        return min(width / wide, height / tall, LARGEST / p.form.circle)

    def place(self, at: int, p: SlitherlinkParameters, left: float, top: float) -> tuple[float, float]:
        """The upper left of a puzzle's heading; that of the first slot is at `left` and `top`."""
        row, column = divmod(at, self.columns)
        spare = self.box[0] - self.edge(p) * p.form.size[0]
        return left + column * (self.box[0] + self.apart) + spare / 2, top + row * self._down

    @property
    def _down(self) -> float:
        return self.head + self.box[1] + self.apart

    @property
    def size(self) -> tuple[float, float]:
        """The width and height in mm of all slots together."""
        return self.columns * (self.box[0] + self.apart) - self.apart, self.rows * self._down - self.apart

    def middle_of(self, room: tuple[float, float]) -> tuple[float, float]:
        """Offset of the first slot from the upper left of a room that centres all slots."""
        return (room[0] - self.size[0]) / 2, (room[1] - self.size[1]) / 2


def _layout(
    puzzles: Sequence[SlitherlinkParameters],
    count: int,
    room: tuple[float, float],
    head: float,
    apart: float,
    boards: int = 1,
) -> _Layout:
    """The slots for `count` puzzles in a room that leave the largest cells, at least `apart` from each other."""
    kinds = [*{p.layout: p for p in puzzles}.values()]

    def filled(columns: int) -> _Layout:
        rows = ceil(count / columns)
        box = (room[0] + apart) / columns - apart, (room[1] + apart) / rows - apart - head
        layout = _Layout(count, columns, rows, head, apart, box, boards)
        sizes = [np.array(p.form.size) * layout.edge(p) * (1, boards) + (0, (boards - 1) * STACKED) for p in kinds]
        box = tuple(np.max(sizes, axis=0).tolist())
        spare = (room[0] - columns * box[0]) / columns, (room[1] - rows * (box[1] + head)) / rows
        return replace(layout, box=box, apart=max(apart, min(spare)))

    def smallest(layout: _Layout) -> float:
        return round(min(layout.edge(p) * p.form.circle for p in kinds), 3)

    return max(map(filled, range(1, count + 1)), key=lambda layout: (smallest(layout), -layout.columns))


def _solved_layout(puzzles: Sequence[SlitherlinkParameters], sheet: _Sheet) -> _Layout:
    """The slots for solutions: as large as they can be on no more pages than easy reading takes."""
    room, most = _solved_room(sheet), len(puzzles)

    def layout(count: int) -> _Layout:
        return _layout(puzzles, count, room, SOLVED_HEAD, SOLVED_APART)

    def is_readable(count: int) -> bool:
        return all(layout(count).edge(p) * p.form.circle >= SOLVED_RADIUS for p in puzzles)

    # Fewer solutions on a page are never smaller.
    fitting = bisect_left(range(1, most + 1), x=True, key=lambda count: not is_readable(count))
    pages = ceil(most / max(fitting, 1))
    return layout(ceil(most / pages))


def _solved_room(sheet: _Sheet) -> tuple[float, float]:
    """The room for solutions, below the heading of their page."""
    return sheet.room[0], sheet.room[1] - HEADING - SOLVED_APART


def _solution_page(shown: Sequence[tuple[int, BookPuzzle]], layout: _Layout, sheet: _Sheet) -> Page:
    room = _solved_room(sheet)
    across, _ = layout.middle_of(room)
    top = sheet.height - BOTTOM - room[1]
    marks: list[Mark] = [Words(tr("Solutions"), (sheet.left, TOP + capitals(HEADING)), HEADING, INK, bold=True)]
    for at, (number, puzzle) in enumerate(shown):
        p = puzzle.design.parameters
        left, above = layout.place(at, p, sheet.left + across, top)
        marks.append(Words(str(number), (left, above + capitals(SMALL)), SMALL, INK, bold=True))
        marks += board_of(puzzle.design, (left, above + SOLVED_HEAD), layout.edge(p), is_solved=True)
    return sheet.page("solutions", marks)


# Title page


def _title_page(puzzles: Sequence[BookPuzzle], options: BookOptions, sheet: _Sheet) -> Page:
    p = puzzles[-1].design.parameters
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
    wide, tall = p.form.size
    edge = ORNAMENT / max(wide, tall)
    place = (middle - edge * wide / 2, 0.62 * sheet.height - edge * tall / 2)
    marks += loop_alone(puzzles[-1].design, place, edge)
    foot = sheet.height - BOTTOM
    for text in reversed(wrapped(options.imprint, SMALL, width)):
        marks.append(Words(text, (middle, foot), SMALL, QUIET, Anchor.MIDDLE))
        foot -= LEADING * SMALL
    return Page(sheet.width, sheet.height, (MarkGroup("title", tuple(marks)),))


def _contents(puzzles: Sequence[BookPuzzle]) -> str:
    designs = {one.design.parameters.grid: one.design.parameters for one in puzzles}
    cells = [p.about for p in designs.values()] if len(designs) == 1 else [CELLS[grid] for grid in designs]
    size = tr("{count} of {cells}", count=many(len(puzzles), "puzzle"), cells=listed(cells))
    grades = list(dict.fromkeys(one.grade.lower() for one in puzzles if one.grade))
    if not grades:
        return size
    if len(grades) == 1:
        return tr("{puzzles}, {grade}", puzzles=size, grade=grades[0])
    return tr("{puzzles}, from {easiest} to {hardest}", puzzles=size, easiest=grades[0], hardest=grades[-1])


# The rules

RULES = (tr("Each puzzle has exactly one solution."), tr("Put a small cross on sides that cannot belong to the loop."))


def _how_page(designs: Sequence[SlitherlinkParameters], sheet: _Sheet) -> Page:
    """The rules, an example of each kind of cells in the book, and advice on beginning with squares."""
    kinds = [*{each.grid: each for each in designs}.values()]
    is_mixed, width = len(kinds) > 1, sheet.room[0]
    foot = TOP + capitals(HEADING)
    marks: list[Mark] = [Words(tr("How to play"), (sheet.left, foot), HEADING, INK, bold=True)]
    foot += HEADING + 2
    for text in (how(None if is_mixed else kinds[0].layout), *RULES):
        for each in wrapped(text, TEXT, width):
            marks.append(Words(each, (sheet.left, foot), TEXT, INK))
            foot += LEADING * TEXT
        foot += 0.5 * TEXT
    foot += 4
    examples = []
    for kind in kinds:
        columns, rows = EXAMPLES.get(kind.grid, USUAL_EXAMPLE)
        p = SlitherlinkParameters(grid=kind.grid, columns=columns, rows=rows, difficulty=EASY, seed=3)
        examples.append(generate(p, SILENT))
    room = width, sheet.height - BOTTOM - foot
    has_hints = any(kind.grid == SQUARE and kind.layout.is_regular for kind in kinds)
    layout = _examples_layout(examples, (width, room[1] - _hints_height(sheet) * has_hints))
    if not all(layout.edge(one.parameters) * one.parameters.form.circle >= SOLVED_RADIUS for one in examples):
        has_hints, layout = False, _examples_layout(examples, room)
    marks += _example_marks(examples, layout, (sheet.left + layout.middle_of(room)[0], foot))
    if has_hints:
        title = tr("Getting started with squares") if is_mixed else tr("Getting started")
        marks += _first_lines(title, sheet, foot + layout.size[1] + HINTS_APART)
    return sheet.page("how", marks)


def _examples_layout(examples: Sequence[SlitherlinkDesign], room: tuple[float, float]) -> _Layout:
    """The slots for an example and its solution, or for examples of several cells, each above its solution."""
    kinds = [one.parameters for one in examples]
    if len(kinds) == 1:
        return _layout(kinds, 2, room, HEAD, APART)
    return _layout(kinds, len(kinds), room, EXAMPLE_HEAD, SOLVED_APART, boards=2)


def _example_marks(
    examples: Sequence[SlitherlinkDesign], layout: _Layout, place: tuple[float, float]
) -> Iterator[Mark]:
    """The examples and their solutions; the first slot is at a place."""
    titles = [GRIDS[one.parameters.grid] for one in examples]
    if len(examples) == 1:
        titles = [tr("A puzzle"), tr("The solution")]
    for at, title in enumerate(titles):
        example = examples[at % len(examples)]
        left, top = layout.place(at, example.parameters, *place)
        yield Words(title, (left, top + capitals(TEXT)), TEXT, QUIET)
        for board in range(layout.boards):
            above = top + layout.head + board * (layout.box[1] + STACKED) / layout.boards
            is_solved = at >= len(examples) or board > 0
            yield from board_of(example, (left, above), layout.edge(example.parameters), is_solved=is_solved)


def _hints_edge(sheet: _Sheet) -> float:
    return (sheet.room[0] / len(HINTS) - APART) / 3


def _hints_height(sheet: _Sheet) -> float:
    """The height in mm of the first lines, with the space above them."""
    edge = _hints_edge(sheet)
    most = max(len(wrapped(text, SMALL, 3 * edge + 4)) for *_, text in HINTS)
    return HINTS_APART + 6 + 3 * edge + 7 + LEADING * SMALL * most


def _first_lines(title: str, sheet: _Sheet, top: float) -> Iterator[Mark]:
    """Places in which the first lines of a puzzle of squares are found."""
    width = sheet.room[0]
    yield Words(title, (sheet.left, top), NUMBER, INK, bold=True)
    p = SlitherlinkParameters(columns=3, rows=3)
    edge = _hints_edge(sheet)
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
