"""What is known of solutions when a search ends early."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.base.progress import SILENT
from studio.cli import main
from studio.cli.abilities.solving_and_playing import sentence
from studio.puzzles.abilities.gradable_solvable import Solvable
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.solve import solved
from studio.puzzles.registry import kind
from studio.puzzles.slitherlink import generate as slitherlink
from studio.puzzles.zigzaw import model as zigzaw
from studio.solving.assembly import Count


def test_a_solved_puzzle_has_its_own_solution_wherever_the_search_ended() -> None:
    assert Count(0, False, 9, 0.0).of_solved.solutions == 1
    for known in (Count(0, True, 9, 0.0), Count(3, False, 9, 0.0), Count(1, True, 9, 0.0)):
        assert known.of_solved is known


def test_a_cube_whose_search_is_cut_short_has_at_least_itself() -> None:
    partition = partitioned(CubeDesign(CubeParameters()))
    known = solved(partition.shell, partition.masks, SILENT, most_nodes=2)
    assert (known.solutions, known.complete) == (1, False)


@pytest.mark.parametrize(("key", "constant"), [("zigzaw", "MOST_NODES"), ("slitherlink", "MOST_STEPS")])
def test_a_count_that_is_cut_short_knows_the_design(
    key: str, constant: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr({"zigzaw": zigzaw, "slitherlink": slitherlink}[key], constant, 3)
    known = kind(key).need(Solvable).count(kind(key).example(), (), SILENT)
    assert known.solutions >= 1
    puzzle = tmp_path / "one.puzzle"
    assert main(["new", key, "-o", str(puzzle)]) == 0
    assert main(["solve", str(puzzle)]) in (0, 1)
    told = capsys.readouterr().out
    assert "0 solutions" not in told and "1 solution" in told


def test_a_count_of_nothing_that_is_cut_short_is_said_to_be_unknown() -> None:
    told = sentence(Count(0, False, 7, 0.0))
    assert told == "No solution found before the search stopped; there may be some (7 search nodes, 0.0 ms)."
    assert sentence(Count(0, True, 7, 0.0)) == "0 solutions (7 search nodes, 0.0 ms)."
