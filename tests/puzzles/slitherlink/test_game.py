"""What follows from a position: clues that are met, edges that are ruled out, sides of the loop, joined lines."""

from __future__ import annotations

import numpy as np
import pytest

from studio.base.progress import SILENT
from studio.puzzles.slitherlink.game import (
    CROSS,
    INSIDE,
    LINE,
    OUTSIDE,
    Game,
    blank,
    clue_states,
    connected,
    known_sides,
    ruled_out,
)
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of

RING = SlitherlinkDesign(SlitherlinkParameters(columns=3, rows=3), ("...", ".#.", "..."), ("#..", "##.", "..."))
"""A loop around the middle, with the clues 0, 1 and 4."""
GENERATED = [
    SlitherlinkParameters(grid=grid, columns=7, rows=6, seed=seed)
    for grid in ("square", "hexagon", "triangle")
    for seed in (1, 2)
]


def game_of(design: SlitherlinkDesign, lines: str = "", crosses: str = "") -> Game:
    numbers = design.parameters.form.line_numbers
    changes = dict.fromkeys((numbers[name] for name in lines.split()), LINE)
    changes |= dict.fromkeys((numbers[name] for name in crosses.split()), CROSS)
    return blank(design.parameters).with_changes(changes, {})


def partly(design: SlitherlinkDesign, seed: int) -> Game:
    """A position with about half of the loop drawn and half of the rest crossed out, all of it right."""
    on, chance = {*design.line}, np.random.default_rng(seed)
    edges = range(len(design.parameters.net.ends))
    changes = {edge: LINE if edge in on else CROSS for edge in edges if chance.random() < 0.5}
    return blank(design.parameters).with_changes(changes, {})


def test_clues_are_satisfied_or_contradicted() -> None:
    states = clue_states(RING, game_of(RING, "0,0-1,0 1,1-1,2", "1,1-2,1"))
    assert states.cells.tolist() == [0, 3, 4]
    assert states.satisfied.tolist() == [False, True, False]
    assert states.contradicted.tolist() == [True, False, True], "too many lines, and too few edges left"


def test_edges_are_ruled_out_by_full_clues_full_dots_and_dead_ends() -> None:
    names = RING.parameters.form.line_names
    out = {names[edge] for edge in np.flatnonzero(ruled_out(RING, blank(RING.parameters)))}
    assert out == {"0,0-1,0", "0,0-0,1", "1,0-1,1", "0,1-1,1", "1,0-2,0", "0,1-0,2"}, "round the 0, and on at its dots"


@pytest.mark.parametrize("parameters", GENERATED)
@pytest.mark.parametrize("seed", range(3))
def test_what_follows_from_a_right_position_agrees_with_the_loop(parameters: SlitherlinkParameters, seed: int) -> None:
    design = generate(parameters, SILENT)
    game = partly(design, seed)
    out = ruled_out(design, game)
    assert set(game.crosses) <= set(np.flatnonzero(out).tolist()) and not out[list(design.line)].any()
    inside = cells_of(design.inside)
    told = known_sides(design, game, out)
    assert any(told) and all(not side or (side == INSIDE) == inside[cell] for cell, side in enumerate(told))


@pytest.mark.parametrize("parameters", GENERATED)
def test_the_whole_loop_tells_all_sides_and_hangs_together(parameters: SlitherlinkParameters) -> None:
    design = generate(parameters, SILENT)
    game = blank(design.parameters).with_changes(dict.fromkeys(design.line, LINE), {})
    told = known_sides(design, game, game.states != LINE)
    assert told == bytes(INSIDE if is_in else OUTSIDE for is_in in cells_of(design.inside))
    assert connected(design, game.lines) == [list(design.line)]


def test_lines_that_do_not_meet_are_groups_of_their_own() -> None:
    game = game_of(RING, "0,0-1,0 1,0-2,0 2,2-3,2 0,2-0,3 0,3-1,3")
    names = RING.parameters.form.line_names
    groups = [[names[edge] for edge in group] for group in connected(RING, game.lines)]
    assert groups == [["0,0-1,0", "1,0-2,0"], ["0,2-0,3", "0,3-1,3"], ["2,2-3,2"]]


def test_sides_of_lines_that_contradict_each_other_end() -> None:
    game = game_of(RING, "1,1-2,1", "1,0-2,0 1,1-1,2 0,1-0,2 0,0-0,1 0,1-1,1 1,0-1,1")
    assert len(known_sides(RING, game, ruled_out(RING, game))) == 9
