"""That a puzzle is as hard as asked, by the rules that it needs, and that its grade says so."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from studio.base.chance import uniform
from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.checks.finding import Problem
from studio.geometry.board.grids import GRIDS, Layout
from studio.puzzles.slitherlink.check_problems import CROWDED, UNLIKE
from studio.puzzles.slitherlink.clue_choice import orbits
from studio.puzzles.slitherlink.generate import carry, count, generate
from studio.puzzles.slitherlink.grade import described, easier, effort, graded, harder
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.slitherlink.model import GRADES, SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.puzzles.slitherlink.rule_clauses import Thinning, implied
from studio.puzzles.slitherlink.rules import PAIRS, TRIAL
from studio.puzzles.slitherlink.steps import BEYOND, HARDEST, Work, work
from studio.solving.loops import LoopSearch
from tests.depth import examples

LEVEL_EFFORT = 1_000_000

SIZES = {"square": 8, "hexagon": 6, "triangle": 10, "bricks": 6, "voronoi": 7, "rings": 8, "hand-cut": 7}


def generated(**parameters: object) -> SlitherlinkDesign:
    return generate(SlitherlinkParameters(**parameters), SILENT)  # type: ignore[arg-type]


def taken(design: SlitherlinkDesign, level: int = HARDEST) -> Work:
    return work(design.parameters.net, design.clues, level)


def messages(design: SlitherlinkDesign, problem: Problem = UNLIKE) -> list[str]:
    shapes = SLITHERLINK.shape(design, None, SILENT)
    return [one.message for one in SLITHERLINK.check(design, shapes, None, SILENT).findings if one.problem == problem]


def crowded(design: SlitherlinkDesign) -> list[str]:
    return messages(design, CROWDED)


def is_symmetric(design: SlitherlinkDesign) -> bool:
    given, p = cells_of(design.given), design.parameters
    return all(len({given[cell] for cell in orbit}) == 1 for orbit in orbits(p.layout, p.symmetry) or ())


@pytest.mark.sampled(5)
@pytest.mark.parametrize("form", GRIDS)
@pytest.mark.parametrize("symmetry", ["none", "half"])
@pytest.mark.parametrize("difficulty", GRADES)
def test_a_puzzle_is_solved_by_the_rules_of_its_difficulty_and_not_by_easier_ones(
    form: str, symmetry: str, difficulty: str
) -> None:
    level, size = [*GRADES].index(difficulty), SIZES[form]
    for seed in range(examples(1, 4)):
        design = generated(grid=form, columns=size, rows=size, difficulty=difficulty, symmetry=symmetry, seed=seed)
        assert taken(design, level).is_solved and taken(design).level == level
        if level:
            assert not taken(design, level - 1).is_solved and taken(design, level - 1).level == BEYOND
        found = count(design, (), SILENT)
        assert found.complete and found.solutions == 1
        assert messages(design) == []


@pytest.mark.sampled(7)
@pytest.mark.parametrize("form", GRIDS)
@pytest.mark.parametrize("symmetry", ["none", "half"])
@pytest.mark.parametrize(("size", "seeds"), [(5, 12), (7, 8), (10, 6), (15, 3), (20, 2)])
def test_an_easy_puzzle_has_clues_in_at_most_half_its_cells(size: int, seeds: int, symmetry: str, form: str) -> None:
    for seed in range(examples(1 + seeds // 5, seeds)):
        design = generated(grid=form, difficulty="easy", columns=size, rows=size, seed=seed, symmetry=symmetry)
        assert len(design.clues) <= design.parameters.net.outside / 2 and taken(design, 0).is_solved


@pytest.mark.sampled(7)
@pytest.mark.parametrize("form", GRIDS)
@pytest.mark.parametrize("outline", ["ellipse", "polygon", "heart", "arch"])
def test_an_easy_puzzle_on_a_small_board_has_clues_in_at_most_half_its_cells(form: str, outline: str) -> None:
    for size in (3, 4, 5):
        for symmetry in ("half", "quarter", "mirror"):
            board = {"grid": form, "outline": outline, "columns": size, "rows": size, "symmetry": symmetry}
            design = generated(**board, difficulty="easy", seed=size)
            assert len(design.clues) <= design.parameters.net.outside / 2 and taken(design, 0).is_solved
            assert is_symmetric(design) and not crowded(design)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("form", "outline", "size", "symmetry"),
    [("square", "rectangle", 8, "quarter"), ("square", "rectangle", 15, "quarter"),
     ("square", "ellipse", 15, "quarter"), ("square", "rectangle", 20, "quarter"),
     ("hexagon", "rectangle", examples(12, 30), "half")],
)  # fmt: skip
def test_an_easy_puzzle_with_symmetric_clues_has_few_of_them_and_a_long_loop(
    form: str, outline: str, size: int, symmetry: str
) -> None:
    board = {"grid": form, "outline": outline, "columns": size, "rows": size, "symmetry": symmetry}
    design = generated(**board, difficulty="easy", seed=0)
    assert len(design.clues) <= design.parameters.net.outside / 2 and taken(design, 0).is_solved
    assert is_symmetric(design) and len(design.line) > 0.7 * len(design.parameters.form.points), "most dots are on it"


@pytest.mark.parametrize(
    ("form", "outline", "symmetry", "given", "total"),
    [("square", "ellipse", "quarter", 12, 21), ("triangle", "rectangle", "mirror", 14, 25)],
)
def test_an_easy_puzzle_whose_loop_needs_more_clues_than_half_its_cells_says_so(
    form: str, outline: str, symmetry: str, given: int, total: int
) -> None:
    board = {"grid": form, "outline": outline, "columns": 5, "rows": 5, "symmetry": symmetry}
    design = generated(**board, loop="outline", difficulty="easy")
    assert is_symmetric(design) and taken(design, 0).is_solved
    assert crowded(design) == [f"{given} of {total} cells have a clue; easy puzzles should have at most half."]
    assert not crowded(generated(**board, loop="outline"))
    edited = generated(difficulty="easy").with_given(dict.fromkeys(range(100), True))
    assert not crowded(edited), "clues that the maker gave"


def test_a_closed_loop_decides_all_other_edges() -> None:
    net = SlitherlinkParameters(columns=3, rows=3).net
    thinning = Thinning(net, net.counts(net.edges[4]), 0)
    assert thinning.solves({4}) and not thinning.solves({0, 2, 6, 8})
    thinning.close()


@pytest.mark.parametrize("size", range(1, 5))
def test_implied_clauses_are_the_shortest_that_hold(size: int) -> None:
    literals = [(at, sign) for at in range(size) for sign in (1, -1)]
    clauses = [clause for count in range(1, size + 1) for clause in combinations(literals, count)
               if len({at for at, _ in clause}) == count]  # fmt: skip
    for seed in range(20):
        states = np.flatnonzero(uniform(seed, np.arange(1 << size), "states") < 0.5).tolist() or [0]
        held = [
            {*clause} for clause in clauses
            if all(any((state >> at & 1) == (sign > 0) for at, sign in clause) for state in states)
        ]  # fmt: skip
        shortest = [clause for clause in held if not any(other < clause for other in held)]
        found = implied(size, sum(1 << state for state in states))
        assert sorted(map(sorted, found)) == sorted(map(sorted, shortest))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("form", GRIDS)
@pytest.mark.parametrize("difficulty", ["easy", "normal", "tricky"])
def test_clauses_decide_one_solution_only_and_if_easy_or_of_squares_what_the_rules_do(
    form: str, difficulty: str
) -> None:
    level, size = [*GRADES].index(difficulty), SIZES[form]
    missed = 0
    for seed in range(examples(1, 3)):
        design = generated(grid=form, columns=size, rows=size, loop="winding", symmetry="none", seed=seed)
        counts, cells = design.counts, range(design.parameters.net.outside)
        thinning = Thinning(design.parameters.net, counts, level)
        for share in (0.5, 0.6, 0.7):
            some = {cell for cell in cells if uniform(seed, np.array([cell]), "some")[0] < share}
            by_rules = work(design.parameters.net, {cell: counts[cell] for cell in some}, level).is_solved
            by_clauses = thinning.solves(some)
            search = LoopSearch(design.parameters.net)
            answer = search.find({cell: counts[cell] for cell in some}, barred=[design.line])
            search.close()
            assert not by_clauses or answer.line is None, "what is decided is the only solution"
            missed += by_clauses != by_rules
        thinning.close()
    assert missed <= 1 or (form != "square" and difficulty != "easy")


def test_clues_that_are_given_back_are_as_symmetric_as_the_others() -> None:
    design = generated(difficulty="easy", symmetry="quarter", columns=9, rows=9)
    given, groups = cells_of(design.given), orbits(Layout("square", 9, 9), "quarter")
    assert groups is not None and all(len({given[cell] for cell in group}) == 1 for group in groups)


def test_own_clues_stay_hidden_and_given_at_every_difficulty() -> None:
    design = generated()
    hidden, given = list(design.clues)[:3], [cell for cell in range(100) if cell not in design.clues][:3]
    edited = design.with_given(dict.fromkeys(hidden, False) | dict.fromkeys(given, True))
    for difficulty in GRADES:
        other = carry(replace(design.parameters, difficulty=difficulty, seed=5), edited, SILENT).design
        assert not {*hidden} & other.clues.keys() and {*given} <= other.clues.keys()


def test_a_puzzle_that_cannot_be_as_hard_as_asked_says_so() -> None:
    tiny = generated(columns=3, rows=3, loop="outline", difficulty="hard", grid="triangle")
    level = taken(tiny).level
    assert level < 3
    assert messages(tiny) == [f"The puzzle is {[*GRADES][level]}, not hard."]


def test_a_puzzle_that_an_edit_made_harder_says_so() -> None:
    design = generated(difficulty="easy", symmetry="none")
    for cell in design.clues:
        edited = design.with_given({cell: False})
        if count(edited, (), SILENT).solutions == 1 and taken(edited).level > 0:
            break
    assert messages(edited) == ["The puzzle is harder than easy: the rules of that level do not solve it."]
    assert messages(replace(edited, parameters=replace(edited.parameters, difficulty="fewest"))) == []


def test_generating_that_nobody_waits_for_ends() -> None:
    stopped = Progress()
    stopped.cancel()
    design = generated()
    with pytest.raises(Cancelled):
        work(design.parameters.net, {}, progress=stopped)
    with pytest.raises(Cancelled):
        graded(design, stopped)


def test_a_grade_names_the_steps_by_every_rule() -> None:
    design = generated(difficulty="tricky", symmetry="none", columns=8, rows=8)
    done = taken(design)
    steps = dict(done.steps)
    assert done.title == "Tricky" and TRIAL not in steps
    assert described(done).startswith("Tricky: ")
    assert described(done).endswith(f"and {steps[PAIRS]} by corner pairs")
    assert effort(design, SILENT) // LEVEL_EFFORT == 2
    bare = design.with_given(dict.fromkeys(design.clues, False))
    assert described(taken(bare)) == "Beyond the rules: no steps, then the rules get stuck"


def test_grade_and_comparison_are_two_sentences() -> None:
    design = generated(difficulty="tricky", columns=7, rows=7)
    grade = graded(design, SILENT)
    assert grade.level == "Tricky"
    steps, compared = grade.explanation.removesuffix(".").split(". ")
    assert f"Tricky: {steps}" == described(taken(design))
    assert compared.startswith("Compared with 30 similar puzzles: ") and compared.endswith(f"{grade.easier} are easier")


def test_a_grade_needs_a_share_of_the_board() -> None:
    steps = (("clue", 20), ("dot", 60), ("look-ahead", 1))
    assert Work(steps, is_solved=True, open=(0.05, 0.04, 0.03, 0.0)).title == "Easy", "all but a few edges are easy"
    assert Work(steps, is_solved=True, open=(0.5, 0.07, 0.07, 0.0)).title == "Normal"
    assert Work(steps, is_solved=True, open=(0.5, 0.5, 0.5, 0.0)).title == "Hard", "half the board rests on one step"
    assert Work(steps, is_solved=False, open=(0.5, 0.5, 0.5, 0.02)).title == "Beyond the rules"


def test_a_harder_and_an_easier_puzzle_may_have_another_difficulty() -> None:
    hardest = generated(difficulty="hard", columns=6, rows=5)
    assert harder(hardest, SILENT).effort > effort(hardest, SILENT)
    easy, usual = generated(difficulty="easy", columns=6, rows=5), generated(columns=6, rows=5)
    assert easier(usual, SILENT).effort < effort(usual, SILENT)
    above = harder(easy, SILENT)
    assert above.effort > effort(easy, SILENT) and above.design.parameters.difficulty in ("easy", "normal")


def test_a_puzzle_with_two_solutions_is_not_graded() -> None:
    design = generated()
    fewer = design.with_given({cell: False for cell in list(design.clues)[20:]})
    with pytest.raises(StudioError, match="several solutions"):
        graded(fewer, SILENT)
