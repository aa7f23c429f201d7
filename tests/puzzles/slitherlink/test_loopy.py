"""Puzzles of another program, Loopy of Simon Tatham's collection, which has grades of its own, solved by our rules."""

import pytest

from studio.puzzles.slitherlink.model import SlitherlinkParameters
from studio.puzzles.slitherlink.notation import given_in
from studio.puzzles.slitherlink.steps import solved_by_rules
from studio.puzzles.slitherlink.work import Work, work

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


def taken(text: str, level: int) -> Work:
    given = given_in(text)
    p = SlitherlinkParameters(grid=given.form, columns=given.columns, rows=given.rows)
    return work(p.net, given.clues, level)


@pytest.mark.parametrize("text", NORMAL)
def test_its_tricky_puzzles_are_solved_by_corner_pairs(text: str) -> None:
    assert taken(text, 1).is_solved


@pytest.mark.parametrize("text", HARD)
def test_its_hard_puzzles_are_solved_by_inside_and_outside_without_look_ahead(text: str) -> None:
    assert taken(text, 2).is_solved


def test_some_of_its_hard_puzzles_are_tricky_here() -> None:
    assert sum(not taken(text, 1).is_solved for text in HARD) >= 5


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
