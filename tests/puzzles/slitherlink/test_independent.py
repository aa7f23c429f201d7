"""The studio's proofs held against plain enumeration and against a second solver that shares nothing with it."""

import numpy as np
import pytest

from studio.base.progress import SILENT
from studio.geometry.board.grids import GRIDS, Layout, grid
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import DIFFICULTIES, SYMMETRIES, SlitherlinkDesign, SlitherlinkParameters
from studio.solving.loops import solutions
from tests.depth import examples
from tests.puzzles.slitherlink import independent
from tests.puzzles.slitherlink.enumerated import counts_of_loops


def generated(**parameters: object) -> SlitherlinkDesign:
    return generate(SlitherlinkParameters(**parameters), SILENT)  # type: ignore[arg-type]


def independently(design: SlitherlinkDesign, clues: dict[int, int] | None = None) -> int:
    return independent.solutions(design.parameters.form.cells, design.clues if clues is None else clues)


@pytest.mark.parametrize(
    ("size", "loops", "twins"),
    [(3, 213, 6), (4, 9_349, 56), pytest.param(5, 1_222_363, 186, marks=pytest.mark.thorough)],
)
def test_the_enumeration_finds_as_many_loops_as_are_known(size: int, loops: int, twins: int) -> None:
    counts = counts_of_loops(size)
    assert len(counts) == loops
    packed = np.sort(counts.astype(np.int64) @ (5 ** np.arange(size * size)))
    alike = packed[1:] == packed[:-1]
    assert np.sum(np.r_[False, alike] | np.r_[alike, False]) == twins


@pytest.mark.parametrize("size", [4, pytest.param(5, marks=pytest.mark.thorough)])
def test_uniqueness_agrees_with_the_enumeration_on_150_random_clue_sets(size: int) -> None:
    random = np.random.default_rng(size)
    every, form = counts_of_loops(size), grid(Layout("square", size, size))
    p = SlitherlinkParameters(columns=size, rows=size)
    seen = {0: 0, 1: 0, 2: 0}
    for number in range(150):
        counts = every[random.integers(len(every))].copy()
        if number % 3 == 0:
            counts[random.integers(size * size)] = random.integers(4)
        given = random.permutation(size * size)[: random.integers(size, 4 * size)].tolist()
        clues = {cell: int(counts[cell]) for cell in given}
        left = np.arange(len(every))
        for cell, clue in clues.items():
            left = left[every[left, cell] == clue]
        wanted = min(len(left), 2)
        seen[wanted] += 1
        known = solutions(p.net, clues, SILENT, most=2)[1]
        assert known.solutions == wanted and (known.complete or wanted == 2)
        assert independent.solutions(form.cells, clues) == wanted
    assert min(seen.values()) >= 10


@pytest.mark.sampled(4)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_generated_squares_have_one_solution(difficulty: str, symmetry: str) -> None:
    for size in (5, 7, 9):
        design = generated(columns=size, rows=size, difficulty=difficulty, symmetry=symmetry, seed=size)
        assert independently(design) == 1


@pytest.mark.sampled(2)
@pytest.mark.parametrize("form", [form for form in GRIDS if form != "square"])
def test_generated_hexagons_and_triangles_have_one_solution(form: str) -> None:
    for seed in range(examples(5, 20)):
        difficulty = [*DIFFICULTIES][seed % len(DIFFICULTIES)]
        design = generated(grid=form, columns=5 + seed % 3, rows=5, difficulty=difficulty, seed=seed)
        assert independently(design) == 1


@pytest.mark.sampled(3)
@pytest.mark.parametrize("form", GRIDS)
def test_any_clue_taken_from_the_fewest_leaves_several_loops(form: str) -> None:
    for seed in range(examples(1, 3)):
        design = generated(grid=form, columns=6, rows=6, difficulty="fewest", symmetry="none", seed=seed)
        assert independently(design) == 1
        for cell in design.clues:
            clues = {other: clue for other, clue in design.clues.items() if other != cell}
            assert independently(design, clues) == 2
