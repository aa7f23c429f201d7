"""A kind of puzzle for the tests, on paper only: a square to be filled so that every row and column has each letter.

It is played, too: `B2 C` writes the letter C on the cell B2, and `B2 -` takes it away.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from time import perf_counter

import numpy as np

from studio.base.amounts import cell_name
from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.parameters import integer, seed, validate
from studio.base.progress import Progress
from studio.checks.finding import Checked, Problem, Severity
from studio.paper.leaflet import Leaflet, Line, MarkGroup, Page, Words
from studio.puzzles.abilities.gradable_solvable import Solvable
from studio.puzzles.abilities.playable import Hint, Playable
from studio.puzzles.abilities.printable import PaperPrintable
from studio.puzzles.kind import Kind
from studio.solving.assembly import Count

INK = "#22242A"
LETTERS = "ABCDE"
CELL = 20.0
AMBIGUOUS = Problem(
    "ambiguous", Severity.WARNING, "More than one solution", "There is more than one solution.", "More clues"
)


@dataclass(frozen=True)
class LatinParameters:
    """How large the square is, and how many of its letters are given."""

    size: int = integer(4, title="Size", minimum=2, maximum=5, group="Square", help="Rows and columns of the square.")
    clues: int = integer(8, title="Clues", minimum=0, maximum=25, group="Square", help="Letters that are given.")
    seed: int = seed(3, help="The same seed gives the same square.")

    def __post_init__(self) -> None:
        validate(self)


@dataclass(frozen=True)
class LatinDesign:
    """A square."""

    parameters: LatinParameters = LatinParameters()


@dataclass(frozen=True, eq=False)
class LatinShapes:
    """The letter given at each place (n, n), or -1."""

    design: LatinDesign
    letters: np.ndarray[tuple[int, ...], np.dtype[np.int64]]


def shape(design: LatinDesign, _before: LatinShapes | None, progress: Progress) -> LatinShapes:
    """A cyclic square whose rows are shuffled, with all but some letters taken out."""
    progress.step(0.0)
    p = design.parameters
    order = np.argsort(uniform(p.seed, np.arange(p.size), "row"))
    letters = (order[:, None] + np.arange(p.size)) % p.size
    hidden = np.argsort(uniform(p.seed, np.arange(p.size**2), "clue"))[p.clues :]
    letters.flat[hidden] = -1
    return LatinShapes(design, letters)


def check(_design: LatinDesign, shapes: LatinShapes, _before: Checked | None, progress: Progress) -> Checked:
    """Whether there is one way to fill the square."""
    known = count(shapes.design, (), progress, most=1)
    if known.complete:
        return Checked(())
    return Checked((AMBIGUOUS.finding((CELL, CELL)),))


def count(design: LatinDesign, _target: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The ways to fill the square, row by row."""
    begin = perf_counter()
    found = nodes = 0
    complete = True
    for step in _filled(shape(design, None, progress).letters.copy()):
        progress.step(0.0)
        nodes += 1
        found += step
        if most is not None and found > most:
            found, complete = most, False
            break
    return Count(found, complete, nodes, perf_counter() - begin)


def _filled(letters: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> Iterator[bool]:
    """Fill the first empty place in all ways, telling for every step whether the square is full."""
    empty = np.argwhere(letters < 0)
    yield not len(empty)
    if not len(empty):
        return
    row, column = empty[0].tolist()
    for letter in range(len(letters)):
        if letter not in letters[row] and letter not in letters[:, column]:
            letters[row, column] = letter
            yield from _filled(letters)
            letters[row, column] = -1


def lay_out(shapes: LatinShapes, name: str, size: tuple[float, float], progress: Progress) -> Leaflet:
    """The square on a page, under its name."""
    progress.step(0.0)
    side = shapes.design.parameters.size
    lines = [
        Line(np.array(ends, float) * CELL + 2 * CELL, INK, 0.3)
        for at in range(side + 1)
        for ends in (((0, at), (side, at)), ((at, 0), (at, side)))
    ]
    letters = [
        Words(LETTERS[shapes.letters[row, column]], ((column + 2.3) * CELL, (row + 2.7) * CELL), 10, INK)
        for row, column in np.argwhere(shapes.letters >= 0).tolist()
    ]
    title = Words(name, (2 * CELL, CELL), 6, INK, bold=True)
    return Leaflet(
        f"{name}: square", (Page(*size, (MarkGroup("title", (title,)), MarkGroup("square", (*lines, *letters)))),)
    )


@dataclass(frozen=True)
class LatinGame:
    """The letter on each cell by the cell's name, in reading order; an empty text where there is none."""

    cells: tuple[tuple[str, str], ...]


@cache
def start(design: LatinDesign, target: Sequence[str]) -> LatinGame:
    """The letters that are given."""
    if target:
        raise StudioError("A square has no target.")
    letters = shape(design, None, Progress()).letters
    named = ((cell_name(column, row), letters[row, column]) for row, column in np.ndindex(letters.shape))
    return LatinGame(tuple((name, LETTERS[letter] if letter >= 0 else "") for name, letter in named))


def moved(design: LatinDesign, game: LatinGame, text: str) -> LatinGame:
    """The letters after a move."""
    name, _, letter = text.partition(" ")
    now, given = dict(game.cells), dict(start(design, ()).cells)
    if name not in now:
        raise StudioError(f"There is no cell {name[:9]!r}.")
    if letter not in [*LETTERS[: design.parameters.size], "-"]:
        raise StudioError(f"A cell takes a letter of the square or -, not {letter[:9]!r}.")
    if given[name] or now[name] == letter.replace("-", ""):
        raise StudioError(f"{name} is given." if given[name] else f"{name} is like that already.")
    return LatinGame(tuple((now | {name: letter.replace("-", "")}).items()))


def done(design: LatinDesign, game: LatinGame) -> bool:
    """Whether every row and column has each letter."""
    size, letters = design.parameters.size, [letter for _, letter in game.cells]
    lines = [letters[at * size :][:size] for at in range(size)] + [letters[at::size] for at in range(size)]
    return all(set(line) == set(LETTERS[:size]) for line in lines)


def hint(design: LatinDesign, game: LatinGame, progress: Progress) -> Hint:
    """The first empty cell's letter, or the cells that are not as in the first solution."""
    letters = shape(design, None, progress).letters.copy()
    next(full for full in _filled(letters) if full)
    right = dict(zip(dict(game.cells), (LETTERS[letter] for letter in letters.flat), strict=True))
    wrong = tuple(name for name, letter in game.cells if letter not in ("", right[name]))
    if wrong:
        return Hint(pieces=wrong, words=f"Take the letters of {', '.join(wrong)} away.")
    empty = next(name for name, letter in game.cells if not letter)
    return Hint(f"{empty} {right[empty]}", (empty,))


def tally(_design: LatinDesign, game: LatinGame) -> str:
    """How many cells have a letter."""
    return f"{sum(1 for _, letter in game.cells if letter)} of {len(game.cells)} cells filled"


def sketch(design: LatinDesign, game: LatinGame) -> str:
    """The square in letters."""
    size, letters = design.parameters.size, [letter or "." for _, letter in game.cells]
    return "\n".join(" ".join(letters[at * size :][:size]) for at in range(size))


def essentials(design: LatinDesign) -> list[int]:
    """All of it."""
    return [design.parameters.size, design.parameters.clues, design.parameters.seed]


LATIN: Kind[LatinParameters, LatinDesign, LatinShapes] = Kind(
    key="latin",
    title="Latin square",
    summary="A square to be filled so that every row and column has each letter once.",
    parameters=LatinParameters,
    design=LatinDesign,
    shape=shape,
    check=check,
    problems=(AMBIGUOUS,),
    abilities=(
        PaperPrintable("Puzzle sheet", lay_out),
        Solvable[LatinDesign](count),
        Playable[LatinDesign, LatinGame](start, moved, done, hint, tally, sketch, essentials),
    ),
)
