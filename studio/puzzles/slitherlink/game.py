"""Positions in a game of a slitherlink: lines, crosses, shaded cells and an open trial, and their consequences.

line: a drawn edge. cross: an edge that is ruled out. trial: the moves since a stored position, to be kept or discarded
as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studio.base.amounts import listed, many
from studio.base.errors import StudioError
from studio.base.progress import Progress, kept
from studio.base.texts import plural, tr
from studio.geometry.board.board_spec import BRICKS
from studio.geometry.board.grids import SQUARE
from studio.geometry.curves.strokes import Ints, frozen
from studio.puzzles.abilities.playable import Hint
from studio.puzzles.slitherlink.generate import proof
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.steps import RuleStep, next_step
from studio.solving.loops import Answer, LoopSearch, Net

Bools = NDArray[np.bool_]
UNKNOWN, LINE, CROSS = range(3)
"""States of an edge."""
BLANK, INSIDE, OUTSIDE = range(3)
"""Shades of a cell."""


@dataclass(frozen=True)
class Game:
    """A position: a byte for every edge, one for every cell, and the position in which an open trial began."""

    edges: bytes
    shades: bytes
    before: Game | None = None

    @cached_property
    def states(self) -> Ints:
        """The state of every edge."""
        return frozen(np.frombuffer(self.edges, np.uint8).astype(np.int64))

    @cached_property
    def lines(self) -> tuple[int, ...]:
        """The edges that are drawn, ascending."""
        return tuple(np.flatnonzero(self.states == LINE).tolist())

    @cached_property
    def crosses(self) -> tuple[int, ...]:
        """The edges that are crossed out, ascending."""
        return tuple(np.flatnonzero(self.states == CROSS).tolist())

    @cached_property
    def tried(self) -> Bools:
        """Mask of the edges that changed during the open trial."""
        before = self if self.before is None else self.before
        changed: Bools = self.states != before.states
        return changed

    def with_changes(self, edges: Mapping[int, int], shades: Mapping[int, int]) -> Game:
        """The position with some edges and some cells as given."""
        return replace(self, edges=_changed(self.edges, edges), shades=_changed(self.shades, shades))


def _changed(values: bytes, changes: Mapping[int, int]) -> bytes:
    if not changes:
        return values
    made = bytearray(values)
    for at, value in changes.items():
        made[at] = value
    return bytes(made)


class Wiring(NamedTuple):
    """The two dots (m, 2) of every edge, and the two cells (m, 2) at its sides; the outside is the last cell."""

    ends: Ints
    sides: Ints
    dots: int
    cells: int


@lru_cache(maxsize=16)
def wiring(net: Net) -> Wiring:
    """The grid of a slitherlink as arrays."""
    ends, sides = (frozen(np.array(pairs, np.int64)) for pairs in (net.ends, net.sides))
    return Wiring(ends, sides, len(net.stars), net.outside)


def blank(p: SlitherlinkParameters) -> Game:
    """The position in which nothing is drawn."""
    return Game(bytes(len(p.net.ends)), bytes(p.net.outside))


def around_cells(wires: Wiring, edges: Bools) -> Ints:
    """Number of the given edges around every cell."""
    return frozen(np.bincount(wires.sides[edges].ravel(), minlength=wires.cells + 1)[:-1])


def at_dots(wires: Wiring, edges: Bools) -> Ints:
    """Number of the given edges at every dot."""
    return frozen(np.bincount(wires.ends[edges].ravel(), minlength=wires.dots))


class ClueStates(NamedTuple):
    """The cells of the clues, and which of them are satisfied or contradicted, with too many lines or too few left."""

    cells: Ints
    satisfied: Bools
    contradicted: Bools


def clue_states(design: SlitherlinkDesign, game: Game) -> ClueStates:
    """The clues that are satisfied, and the clues that can no longer be."""
    wires = wiring(design.parameters.net)
    cells = np.array([*design.clues], np.int64)
    wanted = np.array([*design.clues.values()], np.int64)
    lines = around_cells(wires, game.states == LINE)[cells]
    open_ = around_cells(wires, game.states != CROSS)[cells]
    return ClueStates(cells, lines == wanted, (lines > wanted) | (open_ < wanted))


def is_solved(design: SlitherlinkDesign, game: Game) -> bool:
    """True if the lines are one loop that satisfies all clues, whatever is crossed out."""
    if not game.lines or not clue_states(design, game).satisfied.all():
        return False
    met = at_dots(wiring(design.parameters.net), game.states == LINE)
    return bool(((met == 0) | (met == 2)).all()) and len(design.parameters.net.loops(game.lines)) == 1


def ruled_out(design: SlitherlinkDesign, game: Game) -> Bools:
    """Mask of undrawn edges that cannot be lines, as clues and dots have all their lines, or as they lead nowhere.

    Crosses are included.
    """
    p = design.parameters
    wires, lines = wiring(p.net), game.states == LINE
    wanted = np.full(wires.cells + 1, -1)
    wanted[[*design.clues]] = [*design.clues.values()]
    full_cells = np.append(around_cells(wires, lines), 0) == wanted
    full_dots = at_dots(wires, lines) >= 2
    out: Bools = (game.states == CROSS) | full_cells[wires.sides].any(axis=1) | full_dots[wires.ends].any(axis=1)
    out &= ~lines
    while True:
        dead = at_dots(wires, ~out) < 2
        more = dead[wires.ends].any(axis=1) & ~out & ~lines
        if not more.any():
            return out
        out |= more


def known_sides(design: SlitherlinkDesign, game: Game, out: Bools) -> bytes:
    """Sides of the cells, as far as the lines and the edges ruled `out`, from the rim on, decide them.

    If the lines contradict each other, some of them decide.
    """
    net, wires = design.parameters.net, wiring(design.parameters.net)
    known = np.where(game.states == LINE, LINE, np.where(out, CROSS, UNKNOWN)).astype(np.uint8).tobytes()
    found = bytearray(net.outside + 1)
    found[net.outside] = OUTSIDE
    todo = []
    for edge in np.flatnonzero((wires.sides == net.outside).any(axis=1)).tolist():
        cell = min(net.sides[edge])
        if known[edge] and not found[cell]:
            found[cell] = INSIDE if known[edge] == LINE else OUTSIDE
            todo.append(cell)
    while todo:
        cell = todo.pop()
        here = found[cell]
        for edge, other in zip(net.edges[cell], net.near[cell], strict=True):
            if known[edge] and not found[other]:
                found[other] = here if known[edge] == CROSS else INSIDE + OUTSIDE - here
                todo.append(other)
    return bytes(found[:-1])


def connected(design: SlitherlinkDesign, lines: Iterable[int]) -> list[list[int]]:
    """The lines in groups that hang together, each ascending, by their first."""
    net, left = design.parameters.net, {*lines}
    groups = []
    for first in sorted(left):
        if first not in left:
            continue
        left.discard(first)
        group, todo = [first], [first]
        while todo:
            for dot in net.ends[todo.pop()]:
                for edge in net.stars[dot]:
                    if edge in left:
                        left.discard(edge)
                        group.append(edge)
                        todo.append(edge)
        groups.append(sorted(group))
    return groups


# The rules of a game of a slitherlink, whose moves are texts: `line 3,2-4,2`, `cross 4,2-4,3`, `inside C4`, `try`.
# A move may have several words, each with the edges or cells that it is about: `line 3,2-4,2 4,2-4,3 cross 4,2-5,2`.


TRY, KEEP, DISCARD = "try", "keep", "discard"
"""Begin a trial, keep its moves, and discard them."""
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
    """The position after a move; raises StudioError for an invalid text, or a move that is impossible here."""
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
    """Parse a move into states of edges and shades of cells; raise StudioError if it is no move."""
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
    """The move that sets edges and cells to the given states and shades; empty without any."""
    form, parts = design.parameters.form, list[str]()
    for names, words, states in ((form.line_names, EDGE_WORDS, edges), (form.names, CELL_WORDS, shades or {})):
        for word, value in words.items():
            found = [names[at] for at, wanted in states.items() if wanted == value]
            parts += [word, *found] if found else []
    return " ".join(parts)


def difference(design: SlitherlinkDesign, before: Game, after: Game) -> str:
    """The move from one position to another with the same trial; empty if they are equal."""
    edges, shades = (
        {at: new for at, (old, new) in enumerate(zip(*pair, strict=True)) if old != new}
        for pair in ((before.edges, after.edges), (before.shades, after.shades))
    )
    return text_of(design, edges, shades)


def tally(design: SlitherlinkDesign, game: Game) -> str:
    """Number of satisfied clues, in a sentence."""
    satisfied = int(clue_states(design, game).satisfied.sum())
    return tr("{satisfied} of {clues} satisfied", satisfied=satisfied, clues=many(len(design.clues), "clue"))


def essentials(design: SlitherlinkDesign) -> Any:
    """Grid, size and clues; the loop and the lengths make no other game."""
    p = design.parameters
    more = [] if p.layout.is_regular else [[p.layout.outline, p.layout.sides, p.layout.seed, *p.layout.path]]
    return [p.grid, p.columns, p.rows, *more, [[cell, count] for cell, count in design.clues.items()]]


LOOP_BY = ("layout", "seed", "loop", "ratio", "area")
"""The parameters that decide a loop before edits."""


def carry(before: SlitherlinkDesign, game: Game, design: SlitherlinkDesign) -> Iterator[str]:
    """The moves that redraw the game; none if the new parameters give another loop, for which it means nothing."""
    other = design.parameters
    if any(getattr(before.parameters, name) != getattr(other, name) for name in LOOP_BY):
        return
    kept = game if game.before is None else game.before
    yield from filter(None, [difference(design, blank(other), kept)])
    if game.before is not None:
        yield TRY
        yield from filter(None, [difference(design, kept, game)])


STEPS = {SQUARE: (4, 2), BRICKS: (4, 2)}
"""Letters and lines from a dot to the next of the lattice; of hexagons and triangles they are (2, 2)."""
FINE = np.array([8.0, 4.0])
"""Letters and lines in an edge of a grid with different edges."""


def sketch(design: SlitherlinkDesign, game: Game) -> str:
    """Dots, lines, crosses (x) and clues; cells without a clue show # if shaded inside, and . if outside."""
    p = design.parameters
    # The places of dots and clues, in letters and lines.
    if p.layout.is_regular:
        steps = np.array(STEPS.get(p.grid, (2, 2)), np.int64)
        places = (p.form.points - p.form.points.min(axis=0)) * steps
        rings = [places[[*ring]] for ring in p.form.cells]
        middles = np.array([(ring.min(axis=0) + ring.max(axis=0)) // 2 for ring in rings])
    else:
        places = np.round(p.form.corners(1.0) * FINE).astype(np.int64)
        middles = np.round(p.form.middles(1.0) * FINE).astype(np.int64)
    width, height = (places.max(axis=0) + 1).tolist()
    page = [[" "] * width for _ in range(height)]
    for edge, (one, other) in enumerate(p.form.edges.tolist()):
        _draw(page, places[one].tolist(), places[other].tolist(), game.edges[edge])
    for x, y in places.tolist():
        page[y][x] = "+"
    for cell, (x, y) in enumerate(middles.tolist()):
        page[y][x] = str(design.clues.get(cell, " #."[game.shades[cell]]))
    return "\n".join("".join(row).rstrip() for row in page)


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


# Help in a game of a slitherlink: lines and crosses that no solution has, or the next line and its reason

MOST_STEPS = 20_000
"""Most steps of one search here; lines and crosses still undecided then count as right."""


class Faults(NamedTuple):
    """Edges with a line or cross that is provably wrong; `jointly` if each is in a solution but no solution has all.

    `is_known` is False if the search stopped before it could tell.
    """

    edges: tuple[int, ...] = ()
    jointly: bool = False
    is_known: bool = True


@kept(8)
def _is_proven(design: SlitherlinkDesign, progress: Progress) -> bool:
    """True if the design's own loop is provably the only solution."""
    count = proof(design, progress, MOST_STEPS)
    return count.complete and count.solutions == 1


def faults(design: SlitherlinkDesign, game: Game, progress: Progress) -> Faults:
    """The lines and crosses that no solution has, or that no solution has together."""
    if _is_proven(design, progress):
        return Faults(_apart(game, design.line))
    with closing(LoopSearch(design.parameters.net)) as search:

        def find(edges: Collection[int]) -> Answer:
            on = [edge for edge in edges if game.edges[edge] == LINE]
            off = [edge for edge in edges if game.edges[edge] == CROSS]
            return search.find(design.clues, on=on, off=off, steps=MOST_STEPS, progress=progress)

        answer = find([*game.lines, *game.crosses])
        if answer.line is not None or not answer.is_known:
            return Faults(is_known=answer.is_known)
        open_ = _apart(game, design.line)
        wrong, left = [], [*open_]
        while left:
            answer = find(left[:1])
            if answer.line is None and answer.is_known:
                wrong.append(left[0])
            apart = {*left[1:]} if answer.line is None else {*_apart(game, answer.line)}
            left = [edge for edge in left[1:] if edge in apart]
        if wrong:
            return Faults(tuple(wrong))
        # Each is in a solution: find those that contradict the rest, the first ones kept.
        held = {*game.lines, *game.crosses}.difference(open_)
        for edge in open_:
            answer = find([*held, edge])
            if answer.line is not None:
                held.add(edge)
            elif answer.is_known:
                wrong.append(edge)
        return Faults(tuple(wrong), jointly=True)


def _apart(game: Game, line: Iterable[int]) -> tuple[int, ...]:
    """The lines and crosses of a position that are otherwise in a loop."""
    on = {*line}
    return tuple(sorted([*(edge for edge in game.lines if edge not in on), *on.intersection(game.crosses)]))


def hint(design: SlitherlinkDesign, game: Game, progress: Progress) -> Hint:
    """Name the wrong lines and crosses; if there are none, the easiest next step, or a line that a search finds."""
    names = design.parameters.form.line_names
    found = faults(design, game, progress)
    if found.edges:
        return Hint("", tuple(names[edge] for edge in found.edges), fault_words(game, found))
    if is_solved(design, game):
        return Hint()
    step = next_step(design.parameters.net, design.parameters.form.names, design.clues, game.edges)
    if step is not None:
        return explained(design, step)
    edge, words = _searched(design, game, progress)
    return Hint(text_of(design, {edge: LINE}), (names[edge],), words, waits=True)


def changes(step: RuleStep) -> dict[int, int]:
    """The edges that a step makes lines and crosses."""
    return dict.fromkeys(step.on, LINE) | dict.fromkeys(step.off, CROSS)


def explained(design: SlitherlinkDesign, step: RuleStep) -> Hint:
    """A step as a hint."""
    form, drawn = design.parameters.form, changes(step)
    named = *(form.names[cell] for cell in step.cells), *(form.dot_names[dot] for dot in step.dots)
    return Hint(text_of(design, drawn), (*named, *(form.line_names[edge] for edge in drawn)), step.words, waits=True)


def fault_words(game: Game, found: Faults) -> str:
    """Describe the faults in a sentence."""
    if not found.edges:
        return tr("No mistakes found.") if found.is_known else tr("No mistakes found, but the search stopped early.")
    if all(game.tried[edge] for edge in found.edges):
        return tr("This trial leads to a contradiction: discard it.")
    crosses = sum(game.edges[edge] == CROSS for edge in found.edges)
    lines = len(found.edges) - crosses
    parts = [many(lines, "line")] * bool(lines) + [f"{crosses} {plural(crosses, 'cross', 'crosses')}"] * bool(crosses)
    if found.jointly:
        return tr("No solution has {marked} (marked) together with the rest.", marked=listed(parts))
    return (
        tr("{marked} is wrong (marked).", marked=listed(parts))
        if len(found.edges) == 1
        else tr("{marked} are wrong (marked).", marked=listed(parts))
    )


def _searched(design: SlitherlinkDesign, game: Game, progress: Progress) -> tuple[int, str]:
    """A line of a solution, if possible at the end of another line, and the reason for it in a sentence."""
    line, words = design.line, tr("No simple rule applies here, but the search proves this line.")
    if not _is_proven(design, progress):
        words = tr("This puzzle has several solutions; one of them has this line.")
        # A solution with all lines and crosses; the design's own if the search finds none.
        with closing(LoopSearch(design.parameters.net)) as search:
            search.prefer(design.line)
            answer = search.find(design.clues, on=game.lines, off=game.crosses, steps=MOST_STEPS, progress=progress)
        line = design.line if answer.line is None else answer.line
    ends = np.flatnonzero(at_dots(wiring(design.parameters.net), game.states == LINE) == 1).tolist()
    left = [edge for edge in line if game.edges[edge] == UNKNOWN]
    ended = {*ends}
    return next((edge for edge in left if ended.intersection(design.parameters.net.ends[edge])), left[0]), words
