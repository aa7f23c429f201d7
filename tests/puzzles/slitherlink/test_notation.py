"""Slitherlinks in texts of other programs are read in any spelling, and refused with the place that is wrong."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import SlitherlinkParameters
from studio.puzzles.slitherlink.notation import (
    Given,
    given_in,
    is_text,
    link,
    loopy_id,
    remark,
    rows_of_digits,
    with_loop,
)
from tests.depth import examples

LOOPY_IDS = [
    "7x7t0:3a3c32a0a1c1a3b2f1223a2a3b2a0a13b33b",
    "7x7t0:2c33e1c2b3a3a2e1a203a32b2b2a2b23a",
    "7x7t0:a231b2b2e2b30a3d3c101122a11c3a1c3",
    "7x7t0:a22f23131a1b2c3d2a2a1b3a11c2a2b02a",
    "7x7t0:3a2h1a2a21b23222e2b3122b2c0a12a3a",
    "10x10t0:323a2b212a3b2121f1a1a2b32a21a2223e3d32b0a3b3b33b1212f23a2213h2a3a323a",
    "10x10t0:a111a3a2a3b0b2b2a3b22c33122a22f01111b3b2f23a2a3122c12d213b3b2d3a32b2b3",
    "10x10t0:3c11c1c3c1b312c3a323c3a121332d2e1b1a2e33c23a220a1c2c22a12113a2223c2",
    "10x10t0:a2b3e3b1a2a233d3d23e21b321a2a1b21d31b0a32a1a131a1b3b21c211a2c333d1a2a",
    "10x10t0:a223a3b23d22a2e3d21310312b32d1d3a11a3e1b2a1112a12c3b3b3b2a223c32b3b3",
    "5x8t0:11a3d1122b122e2a23a322b2133b22",
    "5x8t0:a2a33d22213b3a2b1a3a3c31c322c",
    "5x8t0:c332a12a3a1f231a13b3a3f20a3",
    "7x8t1:0_21b1a02a21a0c0g11a0122d1c12b0b0101121a1l22b12a12012b1q11a0122a0212a2a121a11",
    "7x8t1:0_a1a0b021b2a2d1a2b2e2b0c2a1b010a020a1c2b00c0a122b10d2a12a1002a1a1c1a1b1e21b102d21a11211",
    "7x8t1:0_220b122b1a22b0h02h1c0c1b11b02a1b0a0b2e20b210121d12d0f110a20b2b2b0a112a11c2",
    "7x8t1:0_221c1d1122a1b10a2f1a1a1201a1a2a2g12b2a11b2c1102000d21c1c1b2a0c1c11a1a1b20b2b2a2b12a",
    "7x8t1:0_2a1d2c2211b1b02a10c2b1a1210a1e1b1e02a11b210e011a10b0b0e1a20e211b11c12b1e22b20",
    "6x4t1:0_c1222b22b1h2e1a20a10d2111a212b2b",
    "6x4t1:0_220b0d121b00b111c2b1e1a2a12c12f1",
    "6x4t1:0_g122022a1d1e001b1a1121c1a01112b1a2a",
    "6x4t1:0_2b22a212b2b0a10a1a10a0b1a0c0a1a2b10a1b1d2",
    "6x4t1:0_21c12b12a1f2a0b0b0a2c2a220b1c2212c2",
    "3x6t1:0_a1a21d0a0a2c1c110a01c11b02a0d",
    "3x6t1:0_201c2a1a10a0c21a021e1a1b01b1b21",
    "3x6t1:0_1a10c102a10b1a1111c2e0a10b22222a",
    "3x6t1:0_2a22a2a1a0a0e2c120b2a2002b1b1a2a2",
    "7x7t2:5b55a5a533d33c3434a035c4333a4a4b3a4c5a",
    "7x7t2:0c03a2a4c44c35c5a3a5c4544a325d5b2b",
    "7x7t2:0a5a12a2a52d53a4d334d3a45g4a1a5a22",
    "7x7t2:c35b4e4a342a3433b14c03b4a4a32a44d2a",
    "7x7t2:a3a20a1a43533a44c5a42344a43b3a34a3b33a5c3b",
    "5x8t2:a3c35a53g53c33d435445a22c",
    "5x8t2:a55b334a5d4a14b3b33b4c3344a4a5a",
    "5x8t2:43d5b343a43e4324c14c1b51a53",
    "5x8t2:5b30e3c4a53b4a4b4a13b3b445b3",
    "5x8t2:2a535a5c4e35b45a5b4c4a5b45a5a",
    "8x3t2:c30b44a3a3a5d34a3a",
    "8x3t2:a303d3b432a433c0b",
    "8x3t2:a2a345b3a3b334b303a5a",
    "8x3t2:a4e2b44a2a4b3a203a",
]
"""Made by sgt-loopy 20230122: each has exactly one solution, which it would not have in another order of the cells."""
SMALL = Given(SQUARE, 4, 3, {0: 3, 2: 2, 5: 1, 9: 0, 11: 2})
ROWS = "3.2.\n.1..\n.0.2\n"


@pytest.mark.parametrize("text", LOOPY_IDS)
def test_games_of_loopy_have_one_solution_and_the_same_id_again(text: str) -> None:
    clues = given_in(text)
    assert remark(with_loop(clues, SILENT), SILENT) == ""
    assert loopy_id(clues) == text and is_text(text)


def test_triangles_of_older_ids_are_those_of_rows_of_even_length() -> None:
    clues = given_in("3x3t1:2q")
    assert (clues.form, clues.columns, clues.rows) == (TRIANGLE, 6, 3)
    assert clues.clues == {5: 2} and loopy_id(clues) == "3x3t1:2q"


@pytest.mark.parametrize("form", [SQUARE, HEXAGON, TRIANGLE])
@pytest.mark.parametrize("size", [(5, 4), (4, 5), (6, 4)])
def test_all_forms_give_the_clues_back(form: str, size: tuple[int, int]) -> None:
    p = SlitherlinkParameters(grid=form, columns=size[0], rows=size[1], seed=4)
    clues = Given(form, *size, dict(sorted(generate(p, SILENT).clues.items())))
    assert given_in(rows_of_digits(clues)) == clues and is_text(rows_of_digits(clues))
    assert given_in(loopy_id(clues)) == clues and is_text(loopy_id(clues))
    if form == SQUARE:
        assert given_in(link(clues)) == clues and is_text(link(clues))
    else:
        with pytest.raises(StudioError, match=r"^puzz.link only knows slitherlinks on squares"):
            link(clues)


@pytest.mark.parametrize(
    "text",
    [
        ROWS,
        "\n\n" + ROWS + "\n  \n",
        "3-2-\r\n-1--\r\n-0-2",
        "3_2_\n_1__\n_0_2\n",
        "3 . 2 .\n. 1 . .\n. 0 . 2\n",
        "  3.2.\n  .1..\n  .0.2\n",
        "3 2\n 1\n 0 2",
        "3   2\n  1\n  0   2\n",
        "slitherlink\n" + ROWS,
        "Slither: squares\n" + ROWS,
        "4x3t0:3a2b1c0a2",
        " 4x3t0dh:3a2b1c0a2\n",
        "https://puzz.link/p?slither/4/3/8cbg5c",
        "http://pzv.jp/p.html?slither/4/3/3g2h1i0g2",
        "https://pzprxs.vercel.app/p?slither_edit/4/3/3.2..1...0.2",
        "puzz.link/p?slither/4/3/8CBG52",
        "slither/4/3/8cbg57",
    ],
)
def test_a_puzzle_is_read_in_many_spellings(text: str) -> None:
    assert given_in(text) == SMALL and is_text(text)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("333\n33\n333", "row 2 has 2 cells, but row 1 has 3."),
        ("33x\n333\n333", "row 1, cell 3: 'x' is not a clue; use digits, and . for none."),
        ("...\n.5.\n...", "B2 cannot have the clue 5: the cell has 4 edges."),
        ("triangles\n...\n..4\n...", "C2 cannot have the clue 4: the cell has 3 edges."),
        ("hexagon\n...\n..7\n...", "C2 cannot have the clue 7: the cell has 6 edges."),
        ("3x3t0:dAd", "B2 cannot have the clue 10: the cell has 4 edges."),
        ("22\n22", "it has 2 columns; 3 to 60 are allowed."),
        ("61x9t0:3", "it has 61 columns; 3 to 60 are allowed."),
        ("30x9t1:0_3", "it has 61 columns; 3 to 60 are allowed."),
        ("9x70t0:3", "it has 70 rows; 3 to 60 are allowed."),
        ("9x9t0:3", "its clues fill 1 cell, but 9 × 9 makes 81."),
        ("3x3t0:3z", "its clues fill 27 cells, but 3 × 3 makes 9."),
        ("3x3t0:3d!", "character 3 of its clues is '!'; use digits and letters."),
        ("4x3t1:0_3", "Loopy trims two corners if the number of rows of triangles is odd; use an even number."),
        ("3x3t11:3", "Loopy's grid t11 is not supported, only squares (t0), triangles (t1) and hexagons (t2)."),
        ("10x10t0#1234", "it is a random seed; copy Loopy's game ID, which has a colon."),
        ("https://puzz.link/p?slither/3/3/3f", "character 2 of its clues is 'f'; use 0-9, a-e, g-z and dots."),
        ("https://puzz.link/p?slither/3/3", "its clues fill 0 cells, but 3 × 3 makes 9."),
        ("https://puzz.link/p?slither/3/3/dddgggggg", "its clues fill 15 cells, but 3 × 3 makes 9."),
        ("https://puzz.link/p?nurikabe/3/3/g", "it is not the address of a slitherlink on puzz.link or similar."),
        ("", "it has no rows of clues."),
        ("slitherlink\n", "it has no rows of clues."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=f"^{re.escape(sentence)}$"):
        given_in(text)


@pytest.mark.parametrize(
    "text", ["", "frogs", "a.txt", "pond.puzzle", "C:\\puzzles\\3x3.txt", "two\nlines", "/tmp/3x3t0"]
)
def test_names_and_other_texts_are_not_taken_for_puzzles(text: str) -> None:
    assert not is_text(text)


SNIPPETS = st.sampled_from(
    ["3x3t0:", "4x4t1:0_", "5x3t2:", "https://puzz.link/p?slither/", "3/", "\n", "hexagon\n", "0_"]
)
LETTERS = st.text("0123456789abcgz.-_ #:/\n\r\t!é²\u2028\x00", max_size=12)


@given(text=st.lists(SNIPPETS | LETTERS | st.text(max_size=4), max_size=5).map("".join))
@settings(max_examples=examples(300))
def test_any_text_is_read_or_refused_in_one_sentence(text: str) -> None:
    assert is_text(text) in (True, False)
    try:
        clues = given_in(text)
    except StudioError as problem:
        assert str(problem).endswith(".") and len(str(problem).splitlines()) == 1
    else:
        assert given_in(rows_of_digits(clues)) == clues


SAVED_GAME = """SAVEFILE:41:Simon Tatham's Portable Puzzle Collection
VERSION :1:1
GAME    :5:Loopy
PARAMS  :7:4x3t0dn
CPARAMS :7:4x3t0de
SEED    :1:a
DESC    :8:3a2b1c0a2
NSTATES :1:2
STATEPOS:1:2
MOVE    :2:3y
"""
PZPR_FILE = "pzprv3/slither/3/4/3 . 2 . /. 1 . . /. 0 . 2 /0 0 0 0 1 /0 0 0 0 0 /1 0 0 0 0 /0 0 0 0 /-1 0 0 0 /"
LOOPYS_PAGE = "https://www.chiark.greenend.org.uk/~sgtatham/puzzles/js/loopy.html#4x3t0"


@pytest.mark.parametrize(
    "text",
    [
        f"{LOOPYS_PAGE}:3a2b1c0a2",
        f"<{LOOPYS_PAGE}dn:3a2b1c0a2>\n",
        f"  <{LOOPYS_PAGE}%3A3a2b1c0a2>  ",
        '"4x3t0:3a2b1c0a2"',
        f"<{link(SMALL)}>",
        link(SMALL).replace("p?slither", "p?type=editor&slither"),
        link(SMALL).replace("p?slither", "p.html?type=player&slither"),
        link(SMALL).split("/", 3)[3].removeprefix("p").replace("?slither", "?type=editor&slither"),
        SAVED_GAME,
        SAVED_GAME.replace("\n", "\r\n"),
        f"\ufeff{SAVED_GAME}",
        link(SMALL).replace("p?slither", "p?type=editor&amp;slither"),
        PZPR_FILE,
        PZPR_FILE.replace("/", "\n"),
        PZPR_FILE.replace("/", "\r\n").replace("pzprv3", "pzprv3.1"),
    ],
)
def test_every_form_in_which_loopy_and_puzz_link_hand_a_puzzle_over_is_read(text: str) -> None:
    assert is_text(text)
    assert given_in(text) == SMALL


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (SAVED_GAME.replace("Loopy", "Mines"), "it is a saved game of 'Mines', not of Loopy."),
        (SAVED_GAME.partition("DESC")[0], "its saved game of Loopy is truncated."),
        ("pzprv3/mashu/3/4/", "it is a puzzle of the kind 'mashu', not a slitherlink."),
        ("pzprv3/slither/4/4/3 . 2 . /. 1 . . /. . 1 . /", "its clues fill 12 cells, but 4 × 4 makes 16."),
        ("pzprv3/slither/3/4", "it has no rows of clues."),
        ("pzprv3/slither/3/999999999/", "it has 999,999,999 columns"),
        (f"<{LOOPYS_PAGE}dn#1234>", "it is a random seed"),
        ("<https://example.org/puzzle>", "it is not the address of a slitherlink"),
    ],
)
def test_a_text_of_another_program_that_is_no_slitherlink_is_refused_by_what_it_is(text: str, sentence: str) -> None:
    assert is_text(text)
    with pytest.raises(StudioError, match=re.escape(sentence)):
        given_in(text)
