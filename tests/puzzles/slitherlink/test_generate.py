"""Generated slitherlinks: one solution, symmetric as asked, and own cells and clues kept."""

from dataclasses import replace

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.geometry.board.grids import GRIDS, Layout
from studio.puzzles.slitherlink.clue_choice import orbits
from studio.puzzles.slitherlink.generate import carry, count, deciding, generate, with_one_solution
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.solving.loops import solutions


def generated(**parameters: object) -> SlitherlinkDesign:
    return generate(SlitherlinkParameters(**parameters), SILENT)  # type: ignore[arg-type]


@pytest.mark.sampled(7)
@pytest.mark.parametrize("form", GRIDS)
@pytest.mark.parametrize("loop", ["winding", "folded", "outline"])
def test_a_generated_design_has_one_solution(form: str, loop: str) -> None:
    for seed in range(5):
        design = generated(grid=form, columns=7, rows=6, loop=loop, seed=seed, ratio=0.9)
        found = count(design, (), SILENT)
        assert found.solutions == 1 and found.complete


@pytest.mark.parametrize("symmetry", ["half", "mirror", "quarter"])
def test_given_clues_are_as_symmetric_as_asked(symmetry: str) -> None:
    design = generated(symmetry=symmetry, columns=9, rows=9)
    given = cells_of(design.given)
    groups = orbits(Layout("square", 9, 9), symmetry)
    assert groups is not None and max(map(len, groups)) == (4 if symmetry == "quarter" else 2)
    assert all(len({given[cell] for cell in group}) == 1 for group in groups)
    assert sum(given) < 81


def test_cells_that_a_symmetry_would_map_beside_others_have_none() -> None:
    assert orbits(Layout("square", 9, 10), "quarter") is None
    assert orbits(Layout("hexagon", 6, 5), "half") is None
    assert orbits(Layout("hexagon", 6, 6), "half") is not None
    assert orbits(Layout("voronoi", 9, 9), "half") is None
    assert orbits(Layout("square", 9, 9, "ellipse"), "mirror") is not None


def test_without_symmetry_no_clue_of_the_fewest_can_be_taken_away() -> None:
    for seed in range(3):
        design = generated(columns=7, rows=7, difficulty="fewest", symmetry="none", seed=seed)
        for cell in design.clues:
            clues = {other: number for other, number in design.clues.items() if other != cell}
            assert solutions(design.parameters.net, clues, SILENT, most=2)[1].solutions == 2


def test_own_cells_and_clues_outlive_another_seed_and_are_named_where_they_cannot() -> None:
    design = generated()
    inside = [*cells_of(design.inside), False]
    cell = next(cell for cell in range(100) if design.parameters.net.can_flip(inside, cell))
    inside[cell] = not inside[cell]
    edited = design.with_inside(inside, [cell]).with_given({50: not cells_of(design.given)[50]})
    for seed in (2, 3, 4, 5, 6):
        other = carry(replace(design.parameters, seed=seed), edited, SILENT)
        assert other.dropped == ()
        assert cells_of(other.design.inside)[cell] == inside[cell]
        assert cells_of(other.design.given)[50] == cells_of(edited.given)[50]
        assert carry(design.parameters, other.design, SILENT).design == edited
    small = carry(replace(design.parameters, columns=4, rows=4), edited, SILENT)
    assert "A6" in small.dropped, "the clue of a cell that is gone"


def test_a_longer_edge_changes_nothing_else() -> None:
    design = generated()
    wider = carry(replace(design.parameters, edge=30.0), design, SILENT).design
    assert (wider.inside, wider.given) == (design.inside, design.given)


def test_a_shape_holds_the_loop() -> None:
    design = replace(generated(columns=6, rows=6), shape=("......", ".####.", ".####.", ".####.", ".####.", "......"))
    outlined = carry(replace(design.parameters, loop="outline"), design, SILENT).design
    assert outlined.inside == design.shape
    wound = carry(replace(design.parameters, seed=5), design, SILENT).design
    assert all(
        wound.shape[row][column] == "#" for row in range(6) for column in range(6) if wound.inside[row][column] == "#"
    )


def test_clues_that_decide_are_given_until_one_loop_is_left() -> None:
    design = generated()
    fewer = design.with_given({cell: False for cell in list(design.clues)[20:]})
    lines, found = solutions(design.parameters.net, fewer.clues, SILENT, most=2, known=design.line)
    assert found.solutions == 2
    decide = deciding(fewer, lines[1])
    assert decide and not {*decide} & fewer.clues.keys()
    mended = with_one_solution(fewer)
    assert count(mended, (), SILENT).complete and count(mended, (), SILENT).solutions == 1
    assert fewer.clues.items() <= mended.clues.items()


@pytest.mark.parametrize(
    "inside",
    [("#..", "...", "..#"), ("#..", ".#.", "..."), ("###", "#.#", "###"), ("...", "...", "...")],
    ids=["two loops", "touching", "a hole", "none"],
)
def test_what_is_not_one_loop_is_no_design(inside: tuple[str, ...]) -> None:
    with pytest.raises(StudioError, match="single loop"):
        SlitherlinkDesign(SlitherlinkParameters(columns=3, rows=3), inside, ("###",) * 3)
