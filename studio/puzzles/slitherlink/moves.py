"""The rules of a game of a slitherlink, whose moves are texts: `line 3,2-4,2`, `cross 4,2-4,3`, `inside C4`, `try`.

A move may have several words, each with the edges or cells that it is about: `line 3,2-4,2 4,2-4,3 cross 4,2-5,2`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.board.board_spec import BRICKS
from studio.geometry.board.grids import SQUARE
from studio.geometry.curves.strokes import Ints
from studio.puzzles.slitherlink.game import (
    BLANK,
    CROSS,
    INSIDE,
    LINE,
    OUTSIDE,
    UNKNOWN,
    Game,
    blank,
    clue_states,
    is_solved,
)
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters

TRY, KEEP, DISCARD = "try", "keep", "discard"
"""Begin a trial, take over what was drawn in it, and throw it away."""
EDGE_WORDS = {"line": LINE, "cross": CROSS, "clear": UNKNOWN}
CELL_WORDS = {"inside": INSIDE, "outside": OUTSIDE, "unshade": BLANK}
LONGEST_NAME = 14
"""Letters of a refused name that a sentence repeats."""
USAGE = tr("Enter a move like 'line 3,2-4,2' or 'inside C4', or try, keep or discard.")


def start(design: SlitherlinkDesign, target: Sequence[str]) -> Game:
    """The position in which nothing is drawn; raises StudioError for any target, since a slitherlink is one puzzle."""
    if target:
        raise StudioError(tr("A slitherlink is a single puzzle, with no target to choose."))
    return blank(design.parameters)


def moved(design: SlitherlinkDesign, game: Game, text: str) -> Game:
    """The position after a move; raises StudioError for a text that is none, or none here."""
    if text == TRY:
        if game.before is not None:
            raise StudioError(tr("A trial is running: keep or discard it first."))
        return replace(game, before=game)
    if text in (KEEP, DISCARD):
        if game.before is None:
            raise StudioError(tr("There is no trial to keep.") if text == KEEP else tr("There is no trial to discard."))
        return game.before if text == DISCARD else replace(game, before=None)
    edges, shades = _changes(design, text)
    after = game.with_changes(edges, shades)
    if after == game:
        raise StudioError(tr("The board already looks like that."))
    return after


def _changes(design: SlitherlinkDesign, text: str) -> tuple[dict[int, int], dict[int, int]]:
    """What a text wants edges and cells to be; raises StudioError for one that is no move."""
    form = design.parameters.form
    edges: dict[int, int] = {}
    shades: dict[int, int] = {}
    words = text.split(" ")
    if words[0] not in EDGE_WORDS and words[0] not in CELL_WORDS:
        raise StudioError(USAGE)
    wanted, names = "", 0
    for word in words:
        if word in EDGE_WORDS or word in CELL_WORDS:
            if wanted and not names:
                break
            wanted, names = word, 0
            continue
        known, changes = (form.line_numbers, edges) if wanted in EDGE_WORDS else (form.numbers, shades)
        number = known.get(word)
        if number is None:
            name = word[:LONGEST_NAME]
            raise StudioError(
                tr("The grid has no edge {name!r}.", name=name)
                if known is form.line_numbers
                else tr("The grid has no cell {name!r}.", name=name)
            )
        if number in changes:
            raise StudioError(tr("{name} appears twice.", name=word))
        changes[number] = (EDGE_WORDS | CELL_WORDS)[wanted]
        names += 1
    if not names:
        raise StudioError(
            tr("Name an edge after {command}, as in '{command} 3,2-4,2'.", command=wanted)
            if wanted in EDGE_WORDS
            else USAGE
        )
    return edges, shades


def text_of(design: SlitherlinkDesign, edges: Mapping[int, int], shades: Mapping[int, int] | None = None) -> str:
    """The move that makes edges and cells what is given for them; empty for none."""
    form = design.parameters.form
    parts = [*_part(form.line_names, EDGE_WORDS, edges), *_part(form.names, CELL_WORDS, shades or {})]
    return " ".join(parts)


def _part(names: Sequence[str], words: Mapping[str, int], changes: Mapping[int, int]) -> Iterator[str]:
    for word, value in words.items():
        found = [names[at] for at, wanted in changes.items() if wanted == value]
        if found:
            yield " ".join([word, *found])


def difference(design: SlitherlinkDesign, before: Game, after: Game) -> str:
    """The move from one position to another that has the same trial; empty where they are alike."""
    edges, shades = (
        {at: new for at, (old, new) in enumerate(zip(*pair, strict=True)) if old != new}
        for pair in ((before.edges, after.edges), (before.shades, after.shades))
    )
    return text_of(design, edges, shades)


def done(design: SlitherlinkDesign, game: Game) -> bool:
    """Whether the lines are one loop that satisfies all clues."""
    return is_solved(design, game)


def tally(design: SlitherlinkDesign, game: Game) -> str:
    """How many clues have all their lines and no more."""
    satisfied = int(clue_states(design, game).satisfied.sum())
    return tr("{satisfied} of {clues} satisfied", satisfied=satisfied, clues=many(len(design.clues), "clue"))


def essentials(design: SlitherlinkDesign) -> Any:
    """Grid, size and clues; the loop and the lengths make no other game."""
    p = design.parameters
    more = [] if p.layout.is_regular else [[p.layout.outline, p.layout.sides, p.layout.seed, *p.layout.path]]
    return [p.grid, p.columns, p.rows, *more, [[cell, count] for cell, count in design.clues.items()]]


LOOP_BY = ("layout", "seed", "loop", "ratio", "area")
"""What a loop depends on before it is edited."""


def carry(before: SlitherlinkDesign, game: Game, design: SlitherlinkDesign) -> Iterator[str]:
    """The moves that draw all that was drawn; none where another loop was asked for, to which it says nothing."""
    other = design.parameters
    if any(getattr(before.parameters, name) != getattr(other, name) for name in LOOP_BY):
        return
    kept = game if game.before is None else game.before
    yield from filter(None, [difference(design, blank(other), kept)])
    if game.before is not None:
        yield TRY
        yield from filter(None, [difference(design, kept, game)])


# A picture in letters

STEPS = {SQUARE: (4, 2), BRICKS: (4, 2)}
"""Letters and lines from a dot to the next of the lattice; of hexagons and triangles they are (2, 2)."""
FINE = np.array([8.0, 4.0])
"""Letters and lines in an edge where edges differ."""


def sketch(design: SlitherlinkDesign, game: Game) -> str:
    """Dots, lines, crosses (x) and clues; cells without a clue show # where they are shaded inside, and . outside."""
    p = design.parameters
    places = _spots(p)
    width, height = (places.max(axis=0) + 1).tolist()
    page = [[" "] * width for _ in range(height)]
    for edge, (one, other) in enumerate(p.form.edges.tolist()):
        _draw(page, places[one].tolist(), places[other].tolist(), game.edges[edge])
    for x, y in places.tolist():
        page[y][x] = "+"
    for cell, ring in enumerate(p.form.cells):
        x, y = _middle(p, places, cell, ring)
        page[y][x] = str(design.clues.get(cell, " #."[game.shades[cell]]))
    return "\n".join("".join(row).rstrip() for row in page)


def _spots(p: SlitherlinkParameters) -> Ints:
    """Where the dots are, in letters and lines."""
    if not p.layout.is_regular:
        return np.asarray(np.round(p.form.corners(1.0) * FINE).astype(np.int64))
    steps = np.array(STEPS.get(p.grid, (2, 2)), np.int64)
    return np.asarray((p.form.points - p.form.points.min(axis=0)) * steps)


def _middle(p: SlitherlinkParameters, places: Ints, cell: int, ring: Sequence[int]) -> tuple[int, int]:
    """Where the clue of a cell is, in letters and lines."""
    if not p.layout.is_regular:
        x, y = np.round(p.form.middles(1.0)[cell] * FINE).astype(np.int64).tolist()
    else:
        corners = places[[*ring]]
        x, y = ((corners.min(axis=0) + corners.max(axis=0)) // 2).tolist()
    return x, y


def _draw(page: list[list[str]], one: Sequence[int], other: Sequence[int], state: int) -> None:
    (x, y), (right, below) = one, other
    across, down = right - x, below - y
    steps = max(abs(across), abs(down))
    if state == CROSS:
        page[y + down // 2][x + across // 2] = "x"
    elif state == LINE:
        letter = "|" if 2 * abs(across) < down else "-" if abs(across) > 4 * abs(down) else "\\" if across > 0 else "/"
        for step in range(1, steps):
            page[y + down * step // steps][x + across * step // steps] = letter
