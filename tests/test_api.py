"""The functions for Python: in the words of the command line, with its values and refusals."""

import dataclasses
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import studio
from studio import check, export, grade, kinds, load, new, plan, repair, save, solve
from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.cli import main
from studio.files.store import dumps
from studio.puzzles.abilities.gradable_solvable import Solvable
from studio.puzzles.cube.shell import shell
from studio.puzzles.slitherlink.model import cells_of


def test_importing_the_package_loads_nothing_heavy() -> None:
    said = subprocess.run(
        [sys.executable, "-c", "import studio, sys; print(*{'numpy', 'PySide6', 'shapely'} & {*sys.modules})"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.strip() == ""
    assert all(callable(getattr(studio, name)) for name in studio.FOR_PYTHON)
    with pytest.raises(AttributeError, match="draw"):
        _ = studio.draw  # type: ignore[attr-defined]


def test_a_puzzle_is_the_one_that_the_command_line_makes(tmp_path: Path) -> None:
    file = tmp_path / "a.puzzle"
    assert main(["new", "jigsaw", "--set", "pieces=30", "--set", "seed=7", "-o", str(file)]) == 0
    puzzle = new("jigsaw", pieces=30, seed=7)
    assert load(file) == puzzle and file.read_bytes() == dumps(puzzle.kind, puzzle.design)
    save(tmp_path / "b.puzzle", puzzle)
    assert (tmp_path / "b.puzzle").read_bytes() == file.read_bytes()
    assert {kind.key for kind in kinds()} == {"jigsaw", "cube", "calendar", "zigzaw", "slitherlink"}


def test_a_loop_runs_once_round_the_cells_inside_and_keeps_its_clues() -> None:
    puzzle = new("slitherlink", columns=7, rows=5, seed=3)
    found = solve(puzzle)
    assert found.is_unique and (found.solutions, found.complete) == (1, True)
    dots = np.array(found.solution.dots)
    steps = np.abs(np.roll(dots, -1, axis=0) - dots)
    assert (steps.sum(axis=1) == 1).all() and len({*map(tuple, dots.tolist())}) == len(dots)
    (x, y), (u, v) = dots.T, np.roll(dots, -1, axis=0).T
    assert abs((x * v - y * u).sum()) / 2 == len(found.solution.inside) == sum(cells_of(puzzle.design.inside))


def test_pieces_of_a_date_cover_all_cells_but_its_own() -> None:
    puzzle = new("calendar")
    found, names = solve(puzzle, date="10-06"), puzzle.design.layout.names
    covered = [cell for cells in found.solution.cells.values() for cell in cells]
    assert found.complete and len(covered) == len({*covered}) and {*covered} < {*names}
    targets = puzzle.kind.need(Solvable).targets
    assert targets is not None and {*names} - {*covered} == {*targets.date(puzzle.design, "10-06")}
    sizes = {piece.name: int(piece.mask.sum()) for piece in puzzle.design.set}
    assert {name: len(cells) for name, cells in found.solution.cells.items()} == sizes


def test_a_cube_and_a_zigzaw_are_used_up_by_their_solutions() -> None:
    cube = new("cube", seed=5)
    voxels = [name for names in solve(cube).solution.voxels.values() for name in names]
    assert sorted(voxels) == sorted(shell(*cube.design.parameters.size).names)
    frogs = solve(new("zigzaw", columns=4, rows=3, seed=2), limit=2)
    assert sorted(frogs.solution.pieces.values()) == [*range(1, 13)] and "A1" in frogs.solution.pieces


def test_solve_prints_the_solution_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    puzzle, file = new("slitherlink", columns=5, rows=5, seed=3), tmp_path / "a.puzzle"
    save(file, puzzle)
    assert main(["solve", str(file), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    solution = json.loads(json.dumps(dataclasses.asdict(solve(puzzle).solution)))
    assert said["solution"] == solution and said["solutions"] == 1


def test_a_board_is_planned_and_written_for_a_machine(tmp_path: Path) -> None:
    board = new("jigsaw", pieces=24, width=200, height=150, seed=1)
    assert check(board).findings == () and repair(board).puzzle == board
    apart = plan(board, machine="diode-400x400", material="plywood-3", lines="separate", tabs="piece")
    assert len(apart.plans) == 1 and apart.plans[0].tab_count >= 24
    (file,) = export(board, tmp_path / "a.dxf", machine="diode-400x400", material="plywood-3")
    assert file.figures["pieces"] == 24 and file.figures["width"] == 400.0 and file.path.stat().st_size > 10_000
    export(board, tmp_path / "a.gcode", machine="diode-400x400", material="plywood-3")
    head = (tmp_path / "a.gcode").read_text(encoding="utf-8")
    said = ["export", str(tmp_path / "b.puzzle"), "-o", str(tmp_path / "b.gcode"), "--machine", "diode-400x400"]
    save(tmp_path / "b.puzzle", board)
    assert main([*said, "--material", "plywood-3"]) == 0 and "machine: not chosen" not in head
    assert (tmp_path / "b.gcode").read_text(encoding="utf-8") == head
    (text,) = export(new("slitherlink", columns=5, rows=5), tmp_path / "a.txt")
    assert text.figures["bytes"] == len((tmp_path / "a.txt").read_bytes())
    assert 0 <= grade(new("slitherlink", columns=5, rows=5, seed=3)).share <= 1


@pytest.mark.parametrize(("call", "words"), [
    (lambda _: new("jigsw"), "Unknown kind of puzzle"),
    (lambda _: new("jigsaw", colums=3), "Unknown parameter 'colums'"),
    (lambda _: new("jigsaw", columns=0), "columns must be"),
    (lambda _: new("jigsaw", preset="nobody's"), "Unknown preset"),
    (lambda _: solve(new("jigsaw")), "nothing to solve"),
    (lambda _: solve(new("slitherlink", columns=5, rows=5), date="10-06"), "has no dates"),
    (lambda _: plan(new("jigsaw"), machine="none-such"), "Unknown machine"),
    (lambda at: export(new("jigsaw"), at / "a.svg", colour="red"), "Unknown option 'colour'"),
    (lambda at: export(new("jigsaw"), at / "a.doc"), "no other file formats"),
    (lambda at: load(at / "none.puzzle"), "Cannot open none.puzzle"),
])  # fmt: skip
def test_refusals_are_sentences_and_write_nothing(call: Callable[[Path], Any], words: str, tmp_path: Path) -> None:
    with pytest.raises(StudioError, match=words):
        call(tmp_path)
    assert [*tmp_path.iterdir()] == []


def test_a_puzzle_with_errors_is_written_by_force_alone(tmp_path: Path) -> None:
    wild = new("jigsaw", perturbation=0.4, tongue_size=0.35, layout_version=1)
    with pytest.raises(StudioError, match="First error"):
        export(wild, tmp_path / "a.svg")
    (file,) = export(wild, tmp_path / "a.svg", force=True)
    assert file.path.exists() and repair(wild).puzzle != wild


def test_work_can_be_cancelled() -> None:
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        new("slitherlink", columns=6, rows=6, progress=progress)
