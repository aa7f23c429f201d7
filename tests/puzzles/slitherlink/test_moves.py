"""The rules of a game of a slitherlink: what a text does, what is refused, and when it is solved."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.puzzles.slitherlink.game import (
    CROSS,
    INSIDE,
    LINE,
    UNKNOWN,
    Game,
    blank,
    carry,
    difference,
    essentials,
    is_solved,
    moved,
    sketch,
    start,
    tally,
    text_of,
)
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters

RING = SlitherlinkDesign(SlitherlinkParameters(columns=3, rows=3), ("...", ".#.", "..."), ("...", "##.", "..."))
"""A loop around the middle, with the clues 1 and 4."""
LOOP = "line 1,1-2,1 1,1-1,2 2,1-2,2 1,2-2,2"
SMALL = generate(SlitherlinkParameters(columns=7, rows=7, seed=2), SILENT)


def after(design: SlitherlinkDesign, *texts: str) -> Game:
    """The position after some moves."""
    game = start(design, ())
    for text in texts:
        game = moved(design, game, text)
    return game


def refused(design: SlitherlinkDesign, game: Game, text: str) -> str:
    with pytest.raises(StudioError) as caught:
        moved(design, game, text)
    return str(caught.value)


def test_lines_crosses_and_shades_are_put_and_taken_away() -> None:
    game = after(RING, "line 0,0-1,0 1,0-2,0 cross 0,0-0,1", "inside B2 outside A1 C3")
    numbers = RING.parameters.form.line_numbers
    assert [game.edges[numbers[name]] for name in ("0,0-1,0", "1,0-2,0", "0,0-0,1")] == [LINE, LINE, CROSS]
    assert game.shades == bytes([2, 0, 0, 0, 1, 0, 0, 0, 2])
    game = moved(RING, game, "clear 0,0-1,0 0,0-0,1 unshade A1 B2 C3")
    assert game == after(RING, "line 1,0-2,0")
    assert after(RING, "cross 1,0-2,0", "line 1,0-2,0") == game, "a line takes the place of a cross"


def test_a_move_that_cannot_be_made_is_refused_in_a_sentence() -> None:
    game = after(RING, "line 0,0-1,0")
    assert refused(RING, game, "line 0,0-1,0") == "The board already looks like that."
    assert refused(RING, game, "line 0,0-2,0") == "The grid has no edge '0,0-2,0'."
    assert refused(RING, game, "line 1,0-0,0") == "The grid has no edge '1,0-0,0'."
    assert refused(RING, game, "inside D1") == "The grid has no cell 'D1'."
    assert refused(RING, game, "line C2") == "The grid has no edge 'C2'."
    assert refused(RING, game, "cross 0,0-1,0 clear 0,0-1,0") == "0,0-1,0 appears twice."
    assert refused(RING, game, "line") == "Name an edge after line, as in 'line 3,2-4,2'."
    assert refused(RING, game, "keep") == "There is no trial to keep."
    assert refused(RING, game, "discard") == "There is no trial to discard."
    for text in ("", "draw 0,0-1,0", "line  1,0-2,0", "try again", "LINE 1,0-2,0"):
        assert refused(RING, game, text).endswith(".")


def test_a_trial_is_kept_or_thrown_away_as_a_whole() -> None:
    before = after(RING, "line 0,0-1,0", "outside A1")
    game = moved(RING, before, "try")
    assert refused(RING, game, "try") == "A trial is running: keep or discard it first."
    for text in ("line 1,0-2,0", "clear 0,0-1,0", "inside B2"):
        game = moved(RING, game, text)
    names = RING.parameters.form.line_names
    assert {names[edge] for edge in game.tried.nonzero()[0]} == {"1,0-2,0", "0,0-1,0"}
    assert moved(RING, game, "discard") == before
    kept = moved(RING, game, "keep")
    assert kept == after(RING, "line 1,0-2,0", "inside B2 outside A1") and not kept.tried.any()


def test_it_is_solved_by_one_loop_that_satisfies_the_clues_whatever_is_crossed_out() -> None:
    game = after(RING, LOOP)
    assert (
        is_solved(RING, game)
        and is_solved(RING, moved(RING, game, "cross 0,0-1,0"))
        and is_solved(RING, moved(RING, game, "try"))
    )
    assert tally(RING, game) == "2 of 2 clues satisfied"
    assert not is_solved(RING, moved(RING, game, "clear 1,1-2,1")) and not is_solved(RING, start(RING, ()))
    assert not is_solved(RING, moved(RING, game, "line 0,0-1,0")), "a line that leads nowhere"


def test_two_loops_do_not_solve_it_and_another_loop_with_the_same_clues_does() -> None:
    plain = SlitherlinkDesign(SlitherlinkParameters(columns=5, rows=3), (".....", ".#...", "....."), (".....",) * 3)
    one = after(plain, LOOP)
    other = moved(plain, one, "line 3,1-4,1 3,1-3,2 4,1-4,2 3,2-4,2")
    assert is_solved(plain, one) and not is_solved(plain, other)
    assert is_solved(plain, after(plain, "line 3,1-4,1 3,1-3,2 4,1-4,2 3,2-4,2"))


def test_a_slitherlink_has_no_target() -> None:
    with pytest.raises(StudioError, match="single puzzle"):
        start(RING, ("C4",))


def test_the_text_between_two_positions_leads_from_one_to_the_other() -> None:
    one, other = after(RING, LOOP, "inside B2"), after(RING, "cross 1,1-2,1", "outside B2 A1")
    assert moved(RING, one, difference(RING, one, other)) == other
    assert difference(RING, one, one) == "" == text_of(RING, {})
    assert text_of(RING, {0: LINE, 1: UNKNOWN}, {4: INSIDE}) == "line 0,0-1,0 clear 0,0-0,1 inside B2"


def test_a_game_belongs_to_grid_and_clues_and_goes_on_when_only_clues_change() -> None:
    game = after(RING, LOOP, "try", "cross 0,0-1,0")
    more = RING.with_given({0: True})
    assert essentials(RING) == ["square", 3, 3, [[3, 1], [4, 4]]] != essentials(more)
    assert essentials(RING) == essentials(SlitherlinkDesign(SlitherlinkParameters(columns=3, rows=3, edge=30, seed=9),
                                                            RING.inside, RING.given))  # fmt: skip
    again = start(more, ())
    for text in carry(RING, game, more):
        again = moved(more, again, text)
    assert again == game
    assert not [*carry(RING, game, SMALL)]
    reseeded = replace(more, parameters=replace(more.parameters, seed=2))
    assert not [*carry(RING, game, reseeded)]
    assert not [*carry(RING, blank(RING.parameters), more)]


def test_a_sketch_shows_lines_crosses_clues_and_shades() -> None:
    game = after(RING, LOOP, "cross 0,0-1,0 1,0-1,1", "inside B1 outside C3")
    assert sketch(RING, game).splitlines() == [
        "+ x +   +   +",
        "    x #",
        "+   +---+   +",
        "  1 | 4 |",
        "+   +---+   +",
        "          .",
        "+   +   +   +",
    ]


@pytest.mark.parametrize("grid", ["hexagon", "triangle"])
def test_a_sketch_of_other_grids_shows_every_line_and_clue(grid: str) -> None:
    design = generate(SlitherlinkParameters(grid=grid, columns=4, rows=4, difficulty="easy"), SILENT)
    empty, text = sketch(design, start(design, ())), text_of(design, dict.fromkeys(design.line, LINE))
    drawn = sketch(design, moved(design, start(design, ()), text))
    for picture in (empty, drawn):
        assert sum(letter.isdigit() for letter in picture) == len(design.clues)
        assert picture.count("+") == len(design.parameters.form.points)
    assert set("\\/").isdisjoint(empty) and set("\\/") < set(drawn)


@pytest.mark.parametrize("grid", ["square", "hexagon", "triangle"])
def test_the_designs_loop_solves_it(grid: str) -> None:
    design = generate(SlitherlinkParameters(grid=grid, columns=6, rows=5), SILENT)
    assert is_solved(design, moved(design, start(design, ()), text_of(design, dict.fromkeys(design.line, LINE))))
