"""Slitherlinks on every tiling and outline: unique by a second solver, solved by rules, saved, cut and read back."""

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import SILENT
from studio.exporting.laser_files import write
from studio.files.store import dumps, loads
from studio.geometry.board.board_spec import FROM_FILE, OUTLINES
from studio.geometry.board.grids import GRIDS
from studio.geometry.planar.regions import pieces_as_polygons
from studio.paper.leaflet import Words
from studio.puzzles.slitherlink import check_problems
from studio.puzzles.slitherlink.checks import check
from studio.puzzles.slitherlink.clue_choice import orbits
from studio.puzzles.slitherlink.game import moved, sketch, start, text_of
from studio.puzzles.slitherlink.generate import carry, generate
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes, from_rim, rim_of, shape
from studio.puzzles.slitherlink.kind import FORMS, SLITHERLINK, TextOptions
from studio.puzzles.slitherlink.model import (
    DIFFICULTIES,
    GRADES,
    LOOPS,
    SYMMETRIES,
    SlitherlinkDesign,
    SlitherlinkParameters,
    cells_of,
)
from studio.puzzles.slitherlink.notation import write as write_text
from studio.puzzles.slitherlink.paper import pages
from studio.puzzles.slitherlink.steps import work
from tests.depth import examples
from tests.puzzles.slitherlink import independent

every_board = pytest.mark.parametrize(("form", "outline"), [*product(GRIDS, OUTLINES)])
DROP = ((60.0, 0.0), (95.0, 25.0), (110.0, 50.0), (100.0, 80.0), (90.0, 105.0), (25.0, 110.0), (10.0, 80.0),
        (0.0, 50.0), (30.0, 30.0), (60.0, 0.0))  # fmt: skip
"""A drop that is not symmetric, as an outline from a file."""


def generated(form: str, outline: str, **parameters: object) -> SlitherlinkDesign:
    path = (DROP,) if outline == FROM_FILE else ()
    values: dict[str, object] = {"columns": 6, "rows": 6, "path": path, **parameters}
    return generate(SlitherlinkParameters(grid=form, outline=outline, **values), SILENT)  # type: ignore[arg-type]


def drawn(design: SlitherlinkDesign) -> SlitherlinkShapes:
    return shape(design, None, SILENT)


def is_sound(design: SlitherlinkDesign) -> None:
    """Assert that a design has one loop, that a second solver finds no other, and that its file comes back as it is."""
    p = design.parameters
    assert p.net.is_even(design.line) and len(p.net.loops(design.line)) == 1
    assert independent.solutions(p.form.cells, design.clues) == 1
    text = dumps(SLITHERLINK, design)
    again = loads(text)
    assert again.design == design and dumps(again.kind, again.design) == text


@pytest.mark.sampled(9)
@every_board
def test_a_puzzle_has_one_solution_that_its_rules_find_and_its_file_comes_back(form: str, outline: str) -> None:
    for seed in (1, 2):
        design = generated(form, outline, seed=seed)
        is_sound(design)
        p = design.parameters
        assert work(p.net, design.clues, [*GRADES].index(p.difficulty)).is_solved
        found = check(design, drawn(design), None, SILENT)
        assert found.is_proven and found.second is None
        has_symmetry = orbits(p.layout, p.symmetry) is not None
        usual = {check_problems.UNLIKE, check_problems.ASYMMETRIC}
        if form == "triangle":
            usual.add(check_problems.SMALL_CLUES)
        assert {finding.problem for finding in found.findings} <= usual
        assert has_symmetry != (check_problems.ASYMMETRIC in {finding.problem for finding in found.findings})


@settings(max_examples=examples(15, 600))
@given(
    form=st.sampled_from([*GRIDS]), outline=st.sampled_from([*OUTLINES]), columns=st.integers(3, 8),
    rows=st.integers(3, 8), sides=st.integers(3, 12), seed=st.integers(0, 2**31 - 1), loop=st.sampled_from([*LOOPS]),
    difficulty=st.sampled_from([*DIFFICULTIES]), symmetry=st.sampled_from([*SYMMETRIES]),
)  # fmt: skip
def test_any_puzzle_has_one_solution(form: str, outline: str, **parameters: object) -> None:
    try:
        design = generated(form, outline, **parameters)
    except StudioError as problem:
        assert "outline" in str(problem)
        return
    found = check(design, drawn(design), None, SILENT)
    if {finding.problem for finding in found.findings} & {check_problems.UNDECIDABLE, check_problems.AMBIGUOUS}:
        # A loop round all cells, or on a board of a few, may have a twin with the same clues.
        assert independent.solutions(design.parameters.form.cells, design.clues) == 2
        return
    is_sound(design)


@pytest.mark.sampled(14)
@every_board
@pytest.mark.parametrize("board", ["plain", "pegs"])
def test_a_board_is_cut_with_room_around_holes_and_clues_and_read_back(
    form: str, outline: str, board: str, tmp_path: Path
) -> None:
    design = generated(form, outline, board=board)
    p, shapes = design.parameters, drawn(design)
    for suffix in ("svg", "dxf", "pdf"):
        report = write(shapes.drawing, tmp_path / f"board.{suffix}")
        assert report.pieces == 1
    (whole,) = pieces_as_polygons(shapes.drawing, shapes.drawing.polylines)
    assert len(whole.interiors) == (len(p.form.points) if board == "pegs" else 0)
    assert from_rim(p, shapes.dots).min() > 0.9 * p.border
    if outline != "rectangle":
        gaps = from_rim(p, shapes.dots[list(p.form.rim)])
        assert np.median(gaps) == pytest.approx(p.border, abs=0.1), "only in the cleft of a heart is there more"
    box = shapely.box(0, 0, shapes.drawing.width, shapes.drawing.height)
    assert box.contains(whole)
    low, high = rim_of(p).min(axis=0), rim_of(p).max(axis=0)
    assert np.allclose(high - low, p.edge * np.array(p.form.size) + 2 * p.border, atol=0.1)


@pytest.mark.sampled(5)
@every_board
def test_a_page_has_the_clues_and_the_loop(form: str, outline: str) -> None:
    design = generated(form, outline)
    leaflet = pages(drawn(design), "Odd", (210.0, 297.0), SILENT)
    groups = {group.name: group.marks for page in leaflet.pages for group in page.groups}
    for name in ("puzzle", "solution"):
        assert [int(mark.text) for mark in groups[name] if isinstance(mark, Words)] == [*design.clues.values()]
    assert sum(getattr(mark, "closed", False) for mark in groups["solution"]) == 1


@pytest.mark.sampled(5)
@every_board
def test_a_game_is_played_by_names_and_shown_in_letters(form: str, outline: str) -> None:
    design = generated(form, outline)
    game = start(design, ())
    blank = sketch(design, game)
    bare = next(cell for cell in range(len(design.counts)) if cell not in design.clues)
    game = moved(design, game, text_of(design, dict.fromkeys(design.line, 1), {bare: 1}))
    assert game.lines == design.line
    assert sketch(design, game) != blank and "#" in sketch(design, game)
    assert sum(letter.isdigit() for letter in blank) >= 0.9 * len(design.clues)


def test_edits_outlive_another_outline_and_seed_by_their_cells_names() -> None:
    design = generated("voronoi", "rectangle", columns=9, rows=9)
    p = design.parameters
    inside = [*cells_of(design.inside), False]
    cell = next(cell for cell in range(p.form.numbers["D4"], len(inside)) if p.net.can_flip(inside, cell))
    inside[cell] = not inside[cell]
    (name,) = design.names_of([cell])
    edited = design.with_inside(inside[:-1], [cell])
    for other in (replace(p, outline="heart"), replace(p, columns=10), replace(p, seed=9)):
        made = carry(other, edited, SILENT)
        kept = made.design.own_cells == (name,)
        assert kept != bool(made.dropped)
        if kept:
            side = cells_of(made.design.inside)[made.design.parameters.form.numbers[name]]
            assert side == inside[cell]


def test_sticks_need_edges_of_one_length() -> None:
    for form, outline in (("voronoi", "rectangle"), ("square", "heart")):
        with pytest.raises(ParameterError, match="Sticks need edges of equal length"):
            SlitherlinkParameters(grid=form, outline=outline, board="sticks")
    design = generated("bricks", "rectangle", board="sticks", edge=20.0)
    assert check(design, drawn(design), None, SILENT).findings == ()


@pytest.mark.parametrize("form", FORMS)
def test_texts_of_other_programs_are_refused_in_a_sentence(form: str) -> None:
    for made in (generated("voronoi", "rectangle"), generated("square", "arch"), generated("bricks", "rectangle")):
        with pytest.raises(StudioError, match="Only a rectangle of squares, hexagons or triangles"):
            write_text(made, TextOptions(form=form), SILENT)
