"""Puzzles of another program, Loopy of Simon Tatham's collection, which has grades of its own, solved by our rules."""

from statistics import median

import pytest

from studio.puzzles.slitherlink.model import SlitherlinkParameters
from studio.puzzles.slitherlink.notation import given_in
from studio.puzzles.slitherlink.rules import LEVELS, PAIRS, TRIAL
from studio.puzzles.slitherlink.steps import HARDEST, Work, solved_by_rules, work

NORMAL = [
    "7x7t0:a23a3a2c1b11c01b322333a22a21a2a1a2a2b2a1b",
    "7x7t0:c333a20a20123b2b2c12223a3a1d12a3a21b23a",
    "7x7t0:a22a3a332g3c1222d0b13c2b3b1a3a32a",
    "10x10t0:b23b23a32j20220a1a32a23b3a3a3h3b2a2a2b2c3a0a2a2f1d3a3a3b2b20b022a3",
    "10x10t0:3a1b3a2a123a3c2233a221a1b1e3b213a1a2a2b12c2c3a2a0a232b13a2b2a2132b223c3d3b22a",
    "10x10t0:3a3a3b2a3a2c32b233a11b2c1b3c12c212b3322c0b2a3a2a112a3a3c3b01d121321a3b2c22a",
    "6x6t2:d153a454a324a22a5b234e35a5a5",
    "6x6t2:a3a45a5a43b4b4a3a333b3a5b452a2b",
    "6x6t1:0_d1a2120c2c2a21a10a2a1f202b2e2b11c10a1d0a0a21d2b2a2a",
    "6x6t1:0_a112a022a1c2c0e210b01c2b1b21b0a2e01a1a111b1a2c1a2a1a1d",
]
"""Game IDs of its grades Normal and Tricky, on squares, hexagons and triangles."""
HARD = [
    "7x7t0:a23d2c2a2112i3a2a010a3b2a2323a3d",
    "7x7t0:3c23222a2a1a3c3b2b12a33c32b3a02233a1d",
    "7x7t0:31213a1g32d1b22a2a2b1a1b2b32b1a2a13",
    "10x10t0:3a2223222b222b322a32b3d122c132a223b2222c1d2a2b2d212322b23b22a2a2g33c31b",
    "10x10t0:b2c222322a31a2b22a2211a2b3212a2b23d1b13a3a2a0d3a2a1a02a3b1a23a1b2a2a2a1b3a3b12a2b3",
    "10x10t0:a10d32b1a22222c1e32c1b3b3c2c10b22b3b32d212a1a33a2b1c2c32b12b3b21a33a",
    "6x6t2:5b3a2a55c3b3a22d3a54b4a531b",
    "6x6t2:4a52b3b44b5a5a333h42c520",
    "6x6t1:0_21a1a11c112a1a11010b0b21a1b1b2g1b2a00b2b211e21a01a0b1a0b0",
    "6x6t1:0_a2d2221k10a22e1d01b2b1c0100a111c21d11a2a2a2b11a2",
]
"""Game IDs of its hardest grade."""
GRADED = (
    (
        "7x7t0:b2b3a12a211a3h010a2a3a0233c2a1c22b3",
        "7x7t0:f1a3a12222a2b1222b2123e1c120033a2a0a",
        "7x7t0:b3b3a3g12c2a3a2203a2b3a33a2122c2b2a",
        "7x7t0:e1b31211a2c31c2032a31a2i13a111b",
        "7x7t0:a2a1e10a3a33c0b201a3e12e232b232b",
        "10x10t0:c22a2a2a2a3a0a1b32a1a1b22a3j222b3102222c2a3a23b2a2a2e121a1b22a2a223a3a211e",
        "10x10t0:3a332233a33b0a21g3d33a22a22122a2a2a02a2a22a2a1b122a3a0h3a3b2d1221c3b3c3a3",
        "10x10t0:3b3g3b2a20113b3d123d3b3b2d21a3a2223a302a3b0a22d2b1c3313a2a1d1b222a223",
        "10x10t0:2e21a31a12a2d2a1122a1b2b3c2a1a2b0a1a1a21212b32b1c2a2b3a3d2a3b0h33323221a",
        "10x10t0:a21b2d2a2b10b2b2d113a1a311a2i1113a21a2211b2a1c3b3a1a3a1d3b03a02a3a1a2b2a3",
    ),
    (
        "7x7t0:b33a3a1a0b12a33a222c12a2a3f1a1a23a223b3",
        "7x7t0:a23223g3a21b2d0a0331a23b32a21a3e3a",
        "7x7t0:a12b1a2c1b12a3b3b3b031b12a2a3a3b23b1a1a",
        "7x7t0:a2c1d3b2222c3a13a3b32a20f12a332d",
        "7x7t0:a2b2b212c2232a0a32b3a0332a1a23b1d3a2a12a",
        "10x10t0:a223a3a3a3a23d2b211113031c2c2g1d23a123c3d1b3a02c2b2e12223a3a2b3a222b",
        "10x10t0:33a3c3g2a21233b2b2a1a1a2a1b2b22121a2a3a1122131b3a23e3a3b201b31e10c3a1b23a3",
        "10x10t0:b3a12a1a322b102c2d32a3b3a1a1a3213a1a2a12c2a31a2a2a32a2a3c323b21j3c3b3a3a3a3",
        "10x10t0:3c1a221c123b1a12b1d0f2b2a33a221b0b1b2c3a32a123a2b21c12a3d2c1a1c12b3b",
        "10x10t0:a22b3e2211c13b33b1c220b3a11a2b331a2b212a1a1d2a1b322b1c1a2c3a223k32a",
    ),
    (
        "7x7t0:2223a31a1221b3a3b2c2a11a212b2d21a32f",
        "7x7t0:1a3c3a32a1b2d332a3a3a2e1a33b1b2a2a2a3",
        "7x7t0:32a2b3a2b3c3a1a32f21b3a1a2b23a2b3c3",
        "7x7t0:3a3a213a21a3a3g31b32a3a3e2b3a2a22312a",
        "7x7t0:c3a13211d3e132a0a2d332a3a0f23223",
        "10x10t0:3a2a2e2a222g3c32b21b2a31b1a3a321a3212a1c1b3a2a2d2a2a12a02c2b11a321a13233b2a",
        "10x10t0:a1b3b1a33a1b1b3b0c21a221a32a11a1a1a1e2b2023a1b3g22a2c31b13c22a32a13a232323b",
        "10x10t0:a1a2c2c33b2a213a21b322123c2a1c2a1b3a2b322e2d32a1a1322222a2c2b21c1b3a3b012a",
        "10x10t0:a33b33b22e12a3a12b3c2a11a2d3a22d12b3212022231a3f31a2c3e131c013d33b2",
        "10x10t0:a2c32b22b1113b11223111a3d21b3a210b2c1a12b2b21e2c2b2132a1a0322121a2b3g2b",
    ),
    (
        "7x7t0:13c3a12a22b2a22c3121d2a3e1202b2d3",
        "7x7t0:c3a3a31a1a1a3b2b131f2b0032a2a1a3a232c",
        "7x7t0:a32a32c13d3b22c2a2b3a3b3b01a0c22b3a",
        "7x7t0:3a1g3b2302b12b32c22a2122a3a21f1a3",
        "7x7t0:a2a23b21c133a2b3a3a32a123a2d2102b23c2a3",
        "10x10t0:b3b3d221a2a23a2a2c213230b3112b22e3b1a2c3c23d21b1b32h13a33a2a122c12a3",
        "10x10t0:3a2a2a3c2a312c11a221221a212a3b32c2c113222a3a222d1c11a1a3a32b1d12b123a33c1c1b",
        "10x10t0:b211a1b32a311a23a3a22a3a03d22f3f2a2a2a12b0b2c23b2a322f3a2222b1213a2a2213b",
        "10x10t0:3b2a3233a2221a12b22a2a3b2c2c13a223a1a3b2c2a213b1a2a1b21a213322a22a1a22a121a3a2b2e13",
        "10x10t0:a21e2a2223a21a3b1a21222a221b1a21b1a2101b23a1a22c2b12c2b23a1a2c131b2232a233c2c13",
    ),
)
"""Game IDs of its grades Easy, Normal, Tricky and Hard on squares, the first that it made, none chosen."""


def taken(text: str, level: int = HARDEST) -> Work:
    given = given_in(text)
    p = SlitherlinkParameters(grid=given.form, columns=given.columns, rows=given.rows)
    return work(p.net, given.clues, level)


@pytest.mark.parametrize("text", NORMAL)
def test_its_tricky_puzzles_are_solved_by_corner_pairs(text: str) -> None:
    assert taken(text, LEVELS[PAIRS]).is_solved


@pytest.mark.parametrize("text", HARD)
def test_its_hard_puzzles_are_solved_by_inside_and_outside_without_look_ahead(text: str) -> None:
    assert taken(text).is_solved and TRIAL not in dict(taken(text).steps)


def test_puzzles_of_its_four_grades_mostly_have_the_same_grades_here() -> None:
    levels = [sorted(taken(text).level for text in texts) for texts in GRADED]
    assert [found.count(level) for level, found in enumerate(levels)] == [10, 10, 7, 9]
    assert [median(found) for found in levels] == [0, 1, 2, 3]
    assert max(levels[0]) == 0, "none of the easy ones is harder"


@pytest.mark.parametrize("text", NORMAL + HARD)
def test_every_step_of_its_puzzles_finds_something_new_until_all_is_known(text: str) -> None:
    given = given_in(text)
    p = SlitherlinkParameters(grid=given.form, columns=given.columns, rows=given.rows)
    steps = solved_by_rules(p.net, p.form.names, given.clues)
    found = [edge for step in steps for edge in step.on + step.off]
    assert sorted(found) == list(range(len(p.net.ends)))
    line = [edge for step in steps for edge in step.on]
    assert p.net.is_even(line) and len(p.net.loops(line)) == 1
    counts = p.net.counts(line)
    assert all(counts[cell] == count for cell, count in given.clues.items())
