"""What a game of a slitherlink looks like, as a number for every edge, cell and clue."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from studio.geometry.curves.strokes import Ints
from studio.puzzles.slitherlink.game import (
    BLANK,
    CROSS,
    LINE,
    UNKNOWN,
    Game,
    clue_states,
    connected,
    known_sides,
    ruled_out,
)
from studio.puzzles.slitherlink.model import SlitherlinkDesign

NOTHING, GREY, CROSSED, DERIVED, DRAWN = range(5)
"""How an edge is painted: not at all, not decided yet, crossed out, crossed out by itself, with a line."""
FORM, TRIED, WRONG, HUE = 7, 8, 16, 32
"""The bits of an edge's number: its form, whether it is of a trial, whether it is wrong, the colour of its line."""
HUES = 6
PLAIN, SATISFIED, CONTRADICTED = range(3)
"""How a clue is painted."""
WON = 3
"""How a cell inside the finished loop is shaded, beside those of the game."""


@dataclass(frozen=True)
class Options:
    """What is shown beside lines and crosses."""

    marks_clues: bool = True
    """Satisfied clues are dimmed, contradicted ones marked."""
    greys: bool = True
    """Edges are grey until they are ruled out, and then gone; else crosses say which are ruled out."""
    derives: bool = False
    """Edges that clues and dots rule out are crossed out by themselves."""
    shades: bool = False
    """Cells are shaded by what the lines say."""
    colours: bool = False
    """Lines that hang together have a colour of their own."""


@dataclass(frozen=True, eq=False)
class Look:
    """A number for every edge, every cell, and every given clue."""

    edges: Ints
    cells: Ints
    clues: Ints


class Hues:
    """The colours of connected lines; a line that grows keeps its own, and of two that join the longer one's stays."""

    def __init__(self) -> None:
        self._known: dict[int, int] = {}

    def follow(self, groups: Sequence[Sequence[int]]) -> dict[int, int]:
        """The colour of every line, from 1."""
        found: dict[int, int] = {}
        used: Counter[int] = Counter()
        fresh = []
        for group in groups:
            known = Counter(self._known[edge] for edge in group if edge in self._known)
            if not known:
                fresh.append(group)
                continue
            hue = known.most_common(1)[0][0]
            used[hue] += 1
            found |= dict.fromkeys(group, hue)
        for group in fresh:
            hue = min(range(1, HUES + 1), key=lambda each: (used[each], each))
            used[hue] += 1
            found |= dict.fromkeys(group, hue)
        self._known = found
        return found


def look_of(
    design: SlitherlinkDesign, game: Game, options: Options, hues: Hues, wrong: Collection[int], *, is_won: bool
) -> Look:
    """What a position looks like, with some edges marked as wrong."""
    lines = game.states == LINE
    if is_won:
        edges, inside = np.where(lines, DRAWN, NOTHING), design.parameters.net.enclosed(game.lines)
        return Look(edges, np.where(inside, WON, BLANK), np.full(len(design.clues), PLAIN))
    edges = np.where(lines, DRAWN, GREY if options.greys else NOTHING)
    if options.derives:
        edges[ruled_out(design, game)] = NOTHING if options.greys else DERIVED
    edges[game.states == CROSS] = NOTHING if options.greys else CROSSED
    marked = np.zeros(len(edges), bool)
    marked[[*wrong]] = True
    edges[(marked | game.tried) & (game.states == CROSS)] = CROSSED
    edges[game.tried & (game.states != UNKNOWN)] |= TRIED
    edges[marked] |= WRONG
    if options.colours:
        for edge, hue in hues.follow(connected(design, game.lines)).items():
            edges[edge] += hue * HUE
    clues = np.zeros(len(design.clues), np.int64)
    if options.marks_clues:
        states = clue_states(design, game)
        clues[states.satisfied] = SATISFIED
        clues[states.contradicted] = CONTRADICTED
    return Look(edges, _shading(design, game, options), clues)


def _shading(design: SlitherlinkDesign, game: Game, options: Options) -> Ints:
    cells = np.frombuffer(game.shades, np.uint8).astype(np.int64)
    if options.shades:
        deduced = np.frombuffer(known_sides(design, game, ruled_out(design, game)), np.uint8)
        cells = np.where(cells == BLANK, deduced, cells)
    return cells
