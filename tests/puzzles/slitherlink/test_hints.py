"""Hints and mistakes: only what no solution has is called wrong, and hints lead to the end."""

from __future__ import annotations

import pytest

from studio.base.progress import SILENT, Cancelled, Progress
from studio.puzzles.slitherlink.game import CROSS, LINE, Game, blank, fault_words, faults, hint, is_solved, moved, start
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters

SMALL = generate(SlitherlinkParameters(columns=7, rows=7, seed=2), SILENT)
LOOSE = SlitherlinkDesign(SlitherlinkParameters(columns=4, rows=3), ("....", ".#..", "...."), ("#...", "#...", "#..."))
"""A loop around B2 with the clues 0, 1 and 0 at the left, that many other loops satisfy."""


def game_of(design: SlitherlinkDesign, lines: str = "", crosses: str = "") -> Game:
    numbers = design.parameters.form.line_numbers
    changes = dict.fromkeys((numbers[name] for name in lines.split()), LINE)
    changes |= dict.fromkeys((numbers[name] for name in crosses.split()), CROSS)
    return blank(design.parameters).with_changes(changes, {})


def names(design: SlitherlinkDesign, edges: tuple[int, ...]) -> list[str]:
    return [design.parameters.form.line_names[edge] for edge in edges]


@pytest.mark.parametrize("grid", ["square", "hexagon", "triangle"])
def test_hints_lead_to_the_end_from_any_right_position(grid: str) -> None:
    design = generate(SlitherlinkParameters(grid=grid, columns=5, rows=5), SILENT)
    game = start(design, ())
    while not is_solved(design, game):
        found = hint(design, game, SILENT)
        assert found.move and found.words.endswith(".") and found.pieces and found.waits
        game = moved(design, game, found.move)
    assert not hint(design, game, SILENT).move


def test_of_a_puzzle_with_one_solution_all_that_differs_is_wrong() -> None:
    off = next(edge for edge in range(len(SMALL.parameters.net.ends)) if edge not in SMALL.line)
    on = SMALL.line[3]
    game = blank(SMALL.parameters).with_changes({off: LINE, on: CROSS, SMALL.line[0]: LINE}, {})
    found = faults(SMALL, game, SILENT)
    assert found.edges == tuple(sorted((off, on))) and not found.jointly and found.is_known
    told = hint(SMALL, game, SILENT)
    assert not told.move and list(told.pieces) == names(SMALL, found.edges)
    assert told.words == "1 line and 1 cross are wrong (marked)."


def test_of_a_puzzle_with_many_solutions_only_what_none_has_is_wrong() -> None:
    assert not faults(LOOSE, game_of(LOOSE, "3,1-4,1 3,1-3,2", "2,1-2,2"), SILENT).edges, "another loop may go there"
    found = faults(LOOSE, game_of(LOOSE, "3,1-4,1 0,0-1,0"), SILENT)
    assert names(LOOSE, found.edges) == ["0,0-1,0"] and not found.jointly


def test_lines_that_go_with_none_of_the_solutions_together_are_found() -> None:
    game = game_of(LOOSE, "2,1-3,1 3,1-4,1 3,1-3,2")
    found = faults(LOOSE, game, SILENT)
    assert found.jointly and len(found.edges) == 1
    assert fault_words(game, found) == "No solution has 1 line (marked) together with the rest."


def test_hints_of_a_puzzle_with_many_solutions_keep_what_is_drawn() -> None:
    game = game_of(LOOSE, "3,1-4,1")
    while not is_solved(LOOSE, game):
        game = moved(LOOSE, game, hint(LOOSE, game, SILENT).move)
    assert LOOSE.parameters.form.line_numbers["3,1-4,1"] in game.lines


def test_a_trial_that_cannot_be_right_is_said_to_be_so() -> None:
    off = next(edge for edge in range(len(SMALL.parameters.net.ends)) if edge not in SMALL.line)
    game = moved(SMALL, start(SMALL, ()), "try").with_changes({off: LINE}, {})
    assert hint(SMALL, game, SILENT).words == "This trial leads to a contradiction: discard it."
    assert fault_words(game, faults(SMALL, start(SMALL, ()), SILENT)) == "No mistakes found."


def test_a_search_that_nobody_waits_for_ends() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        hint(generate(SlitherlinkParameters(columns=9, rows=9, seed=77), SILENT), Game(bytes(180), bytes(81)), progress)
