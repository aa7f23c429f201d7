"""No command replaces a design or a saved game that it was not told to replace."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.cli import main
from studio.files import store
from studio.puzzles import registry
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.cube.model import CubeDesign
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kind

WORK = JigsawDesign(JigsawParameters(columns=3, rows=2)).with_corners({"2,1": (0.1, -0.1)})
"""What is to be lost nowhere: shaped by hand."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    store.save(Path("board.puzzle"), JIGSAW, JigsawDesign(JigsawParameters(columns=3, rows=2)))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """The exit code and what is on standard error."""
    code = main(words)
    return code, capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        "new jigsaw -o work.puzzle",
        "new jigsaw -o work.svg",
        "edit board.puzzle --set seed=2 -o work.puzzle",
        "export board.puzzle -o work.svg",
        "export work.svg -o work.svg",
        "export board.puzzle -o work.dxf --separate",
        "export work.puzzle board.puzzle -o . --format svg",
        "picture board.puzzle -o work.png",
        "picture work.png -o work.png",
        "coupon --material plywood-3 -o work.svg",
        "import board.json -o work.puzzle",
        "book --count 1 --set columns=5 --set rows=5 -o work.pdf",
        "play calendar.puzzle --date 10-06 --moves restart -o work.game",
        "grade cube.puzzle --harder -o work.puzzle",
        "leaflet cube.puzzle -o work.pdf",
        "export cube.puzzle -o work.stl",
        "export cube.puzzle -o . --set format=stl",
    ],
)
def test_a_design_is_replaced_with_force_alone(capsys: pytest.CaptureFixture[str], folder: Path, words: str) -> None:
    for name in ("work.puzzle", "work.svg", "work.dxf", "work.png", "work.pdf", "work.game", "work.stl", "cube-1.stl"):
        store.save(Path(name), JIGSAW, WORK)
    store.save(Path("calendar.puzzle"), kind("calendar"), CalendarDesign())
    store.save(Path("cube.puzzle"), kind("cube"), CubeDesign())
    Path("board.json").write_text("{}")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}
    code, told = said(capsys, *words.split())
    assert code == 2 and told.endswith("Add --force to replace it.\n"), told
    assert {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()} == before


@pytest.mark.parametrize(
    "words",
    [
        "new jigsaw -o a.puzzle --force",
        "edit board.puzzle --set seed=2 -o a.puzzle --force",
        "export board.puzzle -o a.puzzle.svg --force",
        "picture board.puzzle -o a.png --force",
    ],
)
def test_with_force_it_is_replaced(capsys: pytest.CaptureFixture[str], words: str) -> None:
    out = Path(words.split()[words.split().index("-o") + 1])
    store.save(out, JIGSAW, WORK)
    before = out.read_bytes()
    assert said(capsys, *words.split()) == (0, "")
    assert out.read_bytes() != before


@pytest.mark.parametrize("words", ["export board.puzzle -o a.svg", "picture board.puzzle -o a.png"])
def test_an_export_is_replaced_by_the_next_as_ever(capsys: pytest.CaptureFixture[str], words: str) -> None:
    for _ in range(2):
        assert said(capsys, *words.split()) == (0, "")
    Path(words.split()[-1]).write_text('{"some": "thing"}')
    assert said(capsys, *words.split()) == (0, "")


def test_a_sheet_of_several_replaces_no_design(capsys: pytest.CaptureFixture[str]) -> None:
    store.save(Path("out-2.svg"), JIGSAW, WORK)
    words = ["export", "board.puzzle", "-o", "out.svg", "--set", "page=bed", "--set", "copies=9"]
    code, told = said(capsys, *words)
    assert (code, told) == (2, "out-2.svg is a design or a saved game. Add --force to replace it.\n")
    assert not Path("out-1.svg").exists()


def test_edit_names_what_it_drops_and_drops_nothing_in_place_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    path = Path("work.puzzle")
    store.save(path, JIGSAW, WORK)
    before = path.read_bytes()
    os.symlink(path, "link.puzzle")
    for out in ([], ["-o", "work.puzzle"], ["-o", "link.puzzle"], ["-o", "./work.puzzle"]):
        code, told = said(capsys, "edit", "work.puzzle", "--set", "columns=1", *out)
        assert code == 2 and "2,1" in told and path.read_bytes() == before
    code, told = said(capsys, "edit", "work.puzzle", "--set", "columns=1", "-o", "other.puzzle")
    assert code == 0 and told == "Dropped edits that no longer fit: corner 2,1.\n"
    code, told = said(capsys, "edit", "work.puzzle", "--set", "columns=1", "--drop")
    assert code == 0 and "2,1" in told and path.read_bytes() != before


def test_what_another_program_writes_while_a_command_works_is_left_as_it_is(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path("board.puzzle")
    generate = type(JIGSAW).generate

    def interrupted(self: AnyKind, *known: object) -> object:
        store.save(path, JIGSAW, WORK)
        return generate(self, *known)  # type: ignore[arg-type]

    monkeypatch.setattr(type(JIGSAW), "generate", interrupted)
    code, told = said(capsys, "edit", "board.puzzle", "--set", "seed=2")
    assert code == 2 and "another program has just changed board.puzzle" in told
    assert store.load(path).design == WORK


def test_every_command_that_writes_a_file_can_be_told_to_replace_work(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    words = capsys.readouterr().out
    names = [line.split()[0] for line in words.splitlines() if line.startswith("    ") and line[4] != " "]
    assert {"new", "edit", "export", "picture", "sets", "outline"} <= set(names) and len(registry.KINDS) == 5
    for name in names:
        main([name, "--help"])
        words = capsys.readouterr().out
        # A sent puzzle is no file; there --force is despite errors.
        assert ("-o " in words) == ("--force" in words and name != "send"), name
