"""A slitherlink from elsewhere gets its loop, keeps all its clues, and is refused where no loop fits them."""

import dataclasses
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE
from studio.puzzles.abilities.ability import Source
from studio.puzzles.registry import kind
from studio.puzzles.slitherlink.grade import effort, scale
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.puzzles.slitherlink.notation import MOST_CLUES, Given, given_in, read, remark, with_loop
from tests.depth import examples

LEVEL_EFFORT = 1_000_000

SLITHERLINK = kind("slitherlink")
EASY_ID = "7x7t0:b2b3a12a211a3h010a2a3a0233c2a1c22b3"
HARD_ID = "7x7t0:13c3a12a22b2a22c3121d2a3e1202b2d3"
ONE = "7x7t0:a22c1a22e33a123a1c2b22c3221a0c33a33a"


def read_text(text: str) -> SlitherlinkDesign:
    return read([Source("a.txt", text.encode())], SILENT)


def test_the_loop_is_found_and_another_seed_does_not_lose_it() -> None:
    design = read_text(ONE)
    shapes = SLITHERLINK.shape(design, None, SILENT)
    assert SLITHERLINK.check(design, shapes, None, SILENT).findings == ()
    again = SLITHERLINK.generate(dataclasses.replace(design.parameters, seed=77), design, SILENT)
    assert (again.design.inside, again.design.given, again.dropped) == (design.inside, design.given, ())


def test_a_second_solution_is_remarked_and_found_by_the_check() -> None:
    design = read_text("3x3t0:2h")
    assert remark(design, SILENT) == "The puzzle has a second solution, different in 3 cells around C1."
    shapes = SLITHERLINK.shape(design, None, SILENT)
    assert "ambiguous" in {finding.kind for finding in SLITHERLINK.check(design, shapes, None, SILENT).findings}


def test_where_a_second_solution_differs_is_named() -> None:
    design = read_text("2..2\n....\n....\n2..2")
    assert remark(design, SILENT) == "The puzzle has a second solution, different in A1."
    shapes = SLITHERLINK.shape(design, None, SILENT)
    found = SLITHERLINK.check(design, shapes, None, SILENT).findings
    assert [one.message for one in found] == ["Another loop also satisfies the clues; it differs in A1."]
    assert [one.place for one in found] == [tuple(shapes.middle_of(0))]


def test_a_four_is_the_whole_loop() -> None:
    design = read_text("3x3t0:d4d")
    assert design.inside == ("...", ".#.", "...") and remark(design, SILENT) == ""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("3x3t0:0h", "it has no clue above 0, so there is no loop to find."),
        ("...\n...\n...", "it has no clue above 0, so there is no loop to find."),
        ("5x5t0:30g2o", "no loop satisfies its clues 3 in A1 and 0 in B1."),
        ("5x5t0:4w4", "no loop satisfies its clues 4 in A1 and 4 in E5."),
    ],
)
def test_what_has_no_loop_is_refused_with_the_clues_that_contradict(text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=f"^{re.escape(sentence)}$"):
        read_text(text)


def test_a_search_that_takes_too_long_proves_nothing() -> None:
    with pytest.raises(StudioError, match=r"^undecided after 0 search steps: there may be no loop\.$"):
        with_loop(given_in(ONE), SILENT, steps=0)


@pytest.mark.parametrize("data", [b"\xff\xfe3", b"333\n\x80"])
def test_what_is_no_text_is_refused(data: bytes) -> None:
    with pytest.raises(StudioError, match=r"^it is not UTF-8 text\.$"):
        read([Source("a.txt", data)], SILENT)


def test_several_texts_are_refused() -> None:
    with pytest.raises(StudioError, match=r"^import one text at a time\.$"):
        read([Source("a.txt", b"3"), Source("b.txt", b"3")], SILENT)


@given(
    form=st.sampled_from([SQUARE, HEXAGON, TRIANGLE]),
    columns=st.integers(3, 5),
    rows=st.integers(3, 5),
    clues=st.dictionaries(st.integers(0, 24), st.integers(0, 4), max_size=12),
)
@settings(max_examples=examples(150))
def test_any_clues_have_their_loop_or_a_contradiction_is_named(
    form: str, columns: int, rows: int, clues: dict[int, int]
) -> None:
    known = {cell: min(clue, MOST_CLUES[form]) for cell, clue in clues.items() if cell < columns * rows}
    try:
        design = with_loop(Given(form, columns, rows, known), SILENT)
    except StudioError as problem:
        assert re.match(r"(no loop (satisfies|has)|it has no clue above 0).*\.$", str(problem))
    else:
        assert design.clues == known


def test_an_imported_puzzle_has_the_difficulty_that_it_has_and_is_compared_with_its_like() -> None:
    wanted = {"easy": EASY_ID, "hard": HARD_ID}
    for difficulty, text in wanted.items():
        design = read_text(text)
        assert design.parameters.difficulty == difficulty
        shapes = SLITHERLINK.shape(design, None, SILENT)
        assert SLITHERLINK.check(design, shapes, None, SILENT).findings == ()
        efforts = scale(design, SILENT)
        assert {each // LEVEL_EFFORT for each in efforts} == {effort(design, SILENT) // LEVEL_EFFORT}
    several = read_text(".2.\n...\n.2.\n")
    assert several.parameters.difficulty == "fewest", "what has several solutions has no grade"
