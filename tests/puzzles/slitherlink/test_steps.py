"""That every step is right, says why, and that each rule is found where it is the only one that helps."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from studio.base.progress import SILENT
from studio.geometry.board.board_spec import BRICKS
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE, Layout, grid
from studio.puzzles.slitherlink.edge_groups import OFF, ON, UNKNOWN
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import GRADES, SlitherlinkDesign, SlitherlinkParameters
from studio.puzzles.slitherlink.rules import (
    AROUND,
    BESIDE,
    CLUE,
    DIAGONAL,
    DOT,
    LEVELS,
    LOOP,
    PAIRS,
    REACHED,
    RIM,
    SIDES,
    TRIAL,
    Reasoner,
)
from studio.puzzles.slitherlink.steps import TITLES, RuleStep, next_step, solved_by_rules, work
from studio.solving.loops import LoopSearch, Net
from tests.depth import examples

SIZES = {SQUARE: 8, HEXAGON: 6, TRIANGLE: 9}
DOTS = grid(Layout(SQUARE, 5, 5)).dot_names


def puzzle(form: str, seed: int) -> SlitherlinkDesign:
    size, difficulty = SIZES[form], [*GRADES][seed % len(GRADES)]
    p = SlitherlinkParameters(form, size, size, seed=seed, difficulty=difficulty, symmetry="none")
    return generate(p, SILENT)


def board(form: str = SQUARE, columns: int = 5, rows: int = 5) -> tuple[Net, tuple[str, ...]]:
    p = SlitherlinkParameters(grid=form, columns=columns, rows=rows)
    return p.net, p.form.names


def first_step(clues: Mapping[str, int], lines: Sequence[str] = (), crosses: Sequence[str] = ()) -> RuleStep:
    """The first step on a board of 5 × 5 squares; edges are named by their two dots."""
    net, names = board()
    state = [UNKNOWN] * len(net.ends)
    for value, edges in ((ON, lines), (OFF, crosses)):
        for edge in edges:
            state[edge_of(edge)] = value
    step = next_step(net, names, {names.index(name): count for name, count in clues.items()}, state)
    assert step is not None
    return step


def edge_of(name: str) -> int:
    dots = grid(Layout(SQUARE, 5, 5)).dot_names
    ends = tuple(dots.index(dot) for dot in name.split("-"))
    return [tuple(pair) for pair in grid(Layout(SQUARE, 5, 5)).edges.tolist()].index(ends)


def edges_of(*names: str) -> set[int]:
    return {edge_of(name) for name in names}


@pytest.mark.sampled(20)
@pytest.mark.parametrize(("form", "seed"), [*product(SIZES, range(40))])
def test_no_step_contradicts_the_solution_and_the_last_one_completes_it(form: str, seed: int) -> None:
    design = puzzle(form, seed)
    net, line = design.parameters.net, {*design.line}
    known: dict[int, int] = {}
    steps = solved_by_rules(net, design.parameters.form.names, design.clues)
    for step in steps:
        assert step.on or step.off, "every step finds something"
        assert {*step.on} <= line and not {*step.off} & line
        assert not known.keys() & {*step.on, *step.off}, "and only what is new"
        known |= dict.fromkeys(step.on, ON) | dict.fromkeys(step.off, OFF)
        assert step.words.startswith(f"{TITLES[step.rule]}: ") and step.words.endswith(".")
        assert step.rule in LEVELS
    assert len(known) == len(net.ends), "all of these are within reach of the rules"


@cache
def every_loop(form: str, columns: int, rows: int) -> NDArray[np.bool_]:
    """All loops on a small board, by going through all insides, shape (n, edges)."""
    net, _ = board(form, columns, rows)
    lines = (net.line(inside) for inside in product([False, True], repeat=net.outside))
    loops = [line for line in lines if line and net.is_even(line) and len(net.loops(line)) == 1]
    found = np.zeros((len(loops), len(net.ends)), bool)
    for at, line in enumerate(loops):
        found[at, line] = True
    return found


@pytest.mark.sampled(8)
@pytest.mark.parametrize("level", range(4))
@pytest.mark.parametrize("form", [SQUARE, HEXAGON, TRIANGLE, BRICKS])
def test_every_step_holds_in_all_loops_that_fit_what_is_known(form: str, level: int) -> None:
    loops, (net, _) = every_loop(form, 4, 3), board(form, 4, 3)
    counts = np.array([loops[:, edges].sum(axis=1) for edges in net.edges]).T
    random, rules = np.random.default_rng(level), set[str]()
    for _ in range(examples(150, 400)):
        loop = random.integers(len(loops))
        cells = np.flatnonzero(random.random(net.outside) < random.random())
        edges = np.flatnonzero(random.random(len(net.ends)) < 0.5 * random.random())
        fitting = (counts[:, cells] == counts[loop, cells]).all(axis=1)
        fitting &= (loops[:, edges] == loops[loop, edges]).all(axis=1)
        clues = {cell: int(counts[loop, cell]) for cell in cells.tolist()}
        state = [UNKNOWN] * len(net.ends)
        for edge in edges.tolist():
            state[edge] = ON if loops[loop, edge] else OFF
        reasoner = Reasoner(net, clues, level, state)
        while (found := reasoner.step()) is not None:
            rules.add(found.rule)
            if found.rule == LOOP and found.on:
                break  # The last line of a loop rests on there being no other solution.
            assert loops[np.ix_(fitting, found.on)].all() and not loops[np.ix_(fitting, found.off)].any()
    assert {CLUE, DOT, LOOP, RIM, REACHED, BESIDE} <= rules, "all of these come up"


@pytest.mark.parametrize("form", SIZES)
def test_a_next_step_is_right_from_any_part_of_the_solution(form: str) -> None:
    design = puzzle(form, 3)
    net, line = design.parameters.net, {*design.line}
    for share in range(2, 7):
        state = [UNKNOWN if edge % share else ON if edge in line else OFF for edge in range(len(net.ends))]
        step = next_step(net, design.parameters.form.names, design.clues, state)
        assert step is not None and {*step.on} <= line and not {*step.off} & line
        assert all(state[edge] == UNKNOWN for edge in step.on + step.off)


def test_there_is_no_next_step_where_all_is_known_or_what_is_known_cannot_be() -> None:
    design = puzzle(SQUARE, 1)
    net, names = design.parameters.net, design.parameters.form.names
    solved = [ON if edge in design.line else OFF for edge in range(len(net.ends))]
    assert next_step(net, names, design.clues, solved) is None
    assert next_step(net, names, design.clues, [OFF] * len(net.ends)) is None
    assert next_step(net, names, {}, [UNKNOWN] * len(net.ends)) is None


def test_a_0_crosses_its_edges_and_the_3_beside_it_has_all_others() -> None:
    step = first_step({"C3": 0})
    assert step.rule == CLUE and {*step.off} == edges_of("2,2-3,2", "2,2-2,3", "3,2-3,3", "2,3-3,3")
    assert step.words == "Clue: C3 is a 0, so none of its edges is a line."
    step = first_step({"C3": 0, "D3": 3}, crosses=("2,2-3,2", "2,2-2,3", "3,2-3,3", "2,3-3,3"))
    assert step.rule == CLUE and {*step.on} == edges_of("3,2-4,2", "4,2-4,3", "3,3-4,3")
    assert step.words == "Clue: D3 is a 3 next to the 0 in C3, so its other edges are lines."


def test_a_clue_that_has_its_lines_crosses_the_rest() -> None:
    step = first_step({"C3": 2}, lines=("2,2-3,2", "2,2-2,3"), crosses=("3,2-3,3",))
    assert step.rule == CLUE and {*step.off} == edges_of("2,3-3,3") and step.on == ()
    assert step.words == "Clue: C3 has its 2 lines, so its last edge is crossed."


def test_a_clue_has_all_the_edges_that_are_left_for_it() -> None:
    step = first_step({"C3": 2}, crosses=("2,2-3,2", "2,2-2,3"))
    assert step.rule == CLUE and {*step.on} == edges_of("3,2-3,3", "2,3-3,3")
    assert step.words == "Clue: C3 needs 2 lines and only 2 edges are left, so both are lines."


def test_at_a_dot_two_lines_meet_or_none() -> None:
    step = first_step({}, lines=("2,2-3,2", "1,2-2,2"))
    assert step.rule == DOT and {*step.off} == edges_of("2,1-2,2", "2,2-2,3")
    step = first_step({}, lines=("2,2-3,2",), crosses=("2,1-2,2", "2,2-2,3"))
    assert step.rule == DOT and {*step.on} == edges_of("1,2-2,2")
    step = first_step({}, crosses=("2,1-2,2", "2,2-2,3", "1,2-2,2"))
    assert step.rule == DOT and {*step.off} == edges_of("2,2-3,2")


def test_a_loop_is_not_closed_before_every_clue_has_its_lines() -> None:
    three = ("2,2-3,2", "2,2-2,3", "2,3-3,3")
    step = first_step({"A1": 2}, lines=three)
    assert step.rule == LOOP and {*step.off} == edges_of("3,2-3,3")
    assert step.words == "Closed loop: a line here would close the loop too early."
    step = first_step({"C2": 1}, lines=three)
    assert step.rule == LOOP and {*step.on} == edges_of("3,2-3,3")
    step = first_step({"C2": 1}, lines=(*three, "3,2-3,3"))
    assert step.rule == LOOP and len(step.off) == 60 - 4
    assert step.words == "Closed loop: the loop is complete, so every other edge is crossed."


@pytest.mark.parametrize(
    ("clue", "on", "off"), [(3, ("0,0-1,0", "0,0-0,1"), ()), (1, (), ("0,0-1,0", "0,0-0,1")), (2, ("1,0-2,0",), ())]
)
def test_the_corner_of_the_board_has_both_its_edges_or_none(
    clue: int, on: tuple[str, ...], off: tuple[str, ...]
) -> None:
    step = first_step({"A1": clue})
    assert step.rule == RIM and {*step.on} == edges_of(*on) and {*step.off} == edges_of(*off)
    assert step.words.startswith("Corner: ") and "A1" in step.words


def test_3s_beside_each_other_have_the_edge_between_them_and_those_opposite_it() -> None:
    step = first_step({"B3": 3, "C3": 3, "E5": 2})
    assert step.rule == BESIDE
    assert {*step.on} == edges_of("1,2-1,3", "2,2-2,3", "3,2-3,3")
    assert {*step.off} == edges_of("2,1-2,2", "2,3-2,4")
    assert "B3 and C3 are adjacent 3s" in step.words or "C3 and B3" in step.words


def test_5s_of_hexagons_beside_each_other_have_all_edges_but_two_that_touch_the_one_between_them() -> None:
    net, names = board(HEXAGON, 5, 5)
    step = next_step(net, names, {6: 5, 7: 5, 24: 4}, [UNKNOWN] * len(net.ends))
    assert step is not None and step.rule == BESIDE and len(step.on) == 7 and len(step.off) == 0
    assert step.words == (
        "Neighbours: B2 and C2 are adjacent 5s, so the edge between them and all that do not touch it are lines."
    )


def test_3s_that_meet_at_a_dot_have_the_edges_away_from_it() -> None:
    step = first_step({"B2": 3, "C3": 3})
    assert step.rule == DIAGONAL and LEVELS[DIAGONAL] == 0
    assert {*step.on} == edges_of("1,1-2,1", "1,1-1,2", "3,2-3,3", "2,3-3,3") and step.off == ()
    assert step.words == "Diagonal: B2 and C3 are diagonal 3s, so their outer edges are lines."
    assert step.dots == (DOTS.index("2,2"),) and step.cells == (6, 12)


def test_2s_of_triangles_that_meet_at_a_dot_have_their_sides_opposite_it() -> None:
    net, names = board(TRIANGLE, 7, 4)
    one, dot = 9, net.dots[9][1]
    other = next(cell for cell in net.wedges[dot] if cell != net.outside and not {*net.edges[cell]} & {*net.edges[one]})
    step = next_step(net, names, {one: 2, other: 2}, [UNKNOWN] * len(net.ends))
    assert step is not None and step.rule == DIAGONAL and step.dots == (dot,)
    assert len(step.on) == 2 and not {*step.on} & {*net.stars[dot]}
    beside = {*net.stars[dot]} - {*net.edges[one]} - {*net.edges[other]}
    assert {*step.off} == beside and "only two can meet: these are lines and crosses" in step.words


def test_a_line_to_a_3_leaves_its_cross_at_that_dot() -> None:
    step = first_step({"C3": 3}, lines=("1,2-2,2",))
    assert step.rule == REACHED and {*step.on} == edges_of("3,2-3,3", "2,3-3,3") and step.off == ()
    assert step.words == (
        "Line to a clue: a line reaches the 3 in C3 at this dot, so its last cross belongs at this dot and "
        "these are lines."
    )
    assert step.cells == (12,) and step.dots == (DOTS.index("2,2"),)
    step = first_step({"C3": 2}, lines=("1,2-2,2",), crosses=("3,2-3,3",))
    assert step.rule == REACHED and {*step.on} == edges_of("2,3-3,3"), "a 2 with one cross lacks one more, too"


def test_a_3_at_a_dot_that_no_other_edge_leaves_has_both_edges_there() -> None:
    step = first_step({"C3": 3}, crosses=("1,2-2,2", "2,1-2,2"))
    assert step.rule == REACHED and {*step.on} == edges_of("2,2-3,2", "2,2-2,3")
    assert step.words.endswith("no other edge is left at this dot, so these are lines.")


def test_a_line_to_a_1_that_must_go_on_along_it_crosses_the_rest() -> None:
    step = first_step({"C3": 1}, lines=("1,2-2,2",), crosses=("2,1-2,2",))
    assert step.rule == AROUND and {*step.off} == edges_of("3,2-3,3", "2,3-3,3") and step.on == ()
    assert step.words == (
        "Clue and dots: the 1 in C3 and the edges at this dot leave only one option, so these edges are crossed."
    )
    assert step.cells == (12,) and step.dots == (DOTS.index("2,2"),)


def test_a_2_in_the_corner_leaves_one_way_on_along_the_border() -> None:
    step = first_step({"A1": 2})
    assert step.words == "Corner: however the 2 in A1 is satisfied, a line leaves this dot."
    assert step.cells == (0,) and len(step.dots) == 1


def test_cells_on_the_same_side_have_no_line_between_them() -> None:
    step = first_step({}, crosses=("0,1-0,2", "1,0-2,0", "1,1-2,1"))
    assert step.rule == SIDES and step.on == () and {*step.off} == edges_of("1,1-1,2")
    assert step.words == "Inside and outside: A2 and B2 are both outside, so there is no line between them."
    step = first_step({}, lines=("0,1-0,2",), crosses=("1,0-2,0", "1,1-2,1"))
    assert step.rule == SIDES and {*step.on} == edges_of("1,1-1,2")
    assert step.words == "Inside and outside: A2 is inside and B2 outside, so there is a line between them."


@pytest.mark.parametrize("form", SIZES)
def test_a_look_ahead_comes_last_and_says_what_fails(form: str) -> None:
    hard = (puzzle(form, seed) for seed in range(3, 40, 4))
    design = next(one for one in hard if TRIAL in dict(work(one.parameters.net, one.clues).steps))
    net, names = design.parameters.net, design.parameters.form.names
    state = [UNKNOWN] * len(net.ends)
    for step in solved_by_rules(net, names, design.clues):
        if step.rule == TRIAL:
            break
        for edges, value in ((step.on, ON), (step.off, OFF)):
            for edge in edges:
                state[edge] = value
    found = next_step(net, names, design.clues, state)
    assert found is not None and found.rule == TRIAL and len(found.on + found.off) == 1
    assert found.words.startswith(f"Look-ahead: {'without' if found.on else 'with'} a line here, ")
    after = [*state]
    after[(found.on + found.off)[0]] = OFF if found.on else ON
    search = LoopSearch(net)
    on, off = ([edge for edge, known in enumerate(after) if known == value] for value in (ON, OFF))
    assert search.find(design.clues, on=on, off=off).line is None
    search.close()


def test_3s_on_a_diagonal_reach_each_other_through_2s() -> None:
    step = first_step({"B2": 3, "C3": 2, "D4": 3})
    assert step.rule == PAIRS and step.cells == (6, 12, 18)
    assert step.words.startswith(
        "Corner pairs: the 3 in B2, the 2 in C3 and the 3 in D4 together leave only one option"
    )
