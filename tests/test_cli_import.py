"""The command `import`, and `export` for other programs."""

import json
from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import load


@pytest.fixture
def pond(tmp_path: Path) -> Path:
    path = tmp_path / "pond.puzzle"
    assert main(["new", "zigzaw", "--set", "columns=4", "--set", "rows=5", "-o", str(path)]) == 0
    return path


def test_a_puzzle_goes_out_as_json_and_comes_in_again(pond: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, again = pond.with_suffix(".json"), pond.with_name("again.puzzle")
    capsys.readouterr()
    assert main(["export", str(pond), "-o", str(out), "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"path": str(out), "bytes": out.stat().st_size}]
    assert "solution" not in json.loads(out.read_text(encoding="utf-8"))
    assert main(["import", str(out), "-o", str(again)]) == 0
    assert load(again).design.cubes == load(pond).design.cubes
    assert main(["solve", str(again), "--json"]) == 0
    assert '"solutions": 1' in capsys.readouterr().out


def test_a_solution_is_written_where_it_is_asked_for(pond: Path) -> None:
    folder = pond.with_name("out")
    words = ["export", str(pond), "-o", f"{folder}/", "--format", "json", "--set", "solution=true"]
    assert main(words) == 0
    assert len(json.loads((folder / "pond.json").read_text(encoding="utf-8"))["solution"]) == 5


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--kerf", "0.1"], "--kerf is for laser files only, not for .json files."),
        (["--set", "bleed=3"], "Unknown parameter 'bleed'"),
    ],
)
def test_words_for_the_laser_are_refused(
    pond: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    assert main(["export", str(pond), "-o", str(pond.with_suffix(".json")), *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not pond.with_suffix(".json").exists()


def test_a_kind_without_other_forms_and_several_designs_for_one_file_are_refused(
    pond: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jigsaw, out = tmp_path / "j.puzzle", tmp_path / "j.json"
    assert main(["new", "jigsaw", "-o", str(jigsaw)]) == 0
    assert main(["export", str(jigsaw), "-o", str(out)]) == 2
    assert "There are no other file formats for jigsaw puzzles, only .puzzle." in capsys.readouterr().err
    assert main(["export", str(pond), str(pond), "-o", str(out)]) == 2
    assert "2 designs can only be exported to a folder" in capsys.readouterr().err
    assert main(["import", str(pond), "-o", str(jigsaw), "--kind", "teapot"]) == 2
    assert "Unknown kind of puzzle 'teapot'" in capsys.readouterr().err
    assert main(["import", str(pond), "-o", str(jigsaw), "--force"]) == 2
    assert "Cannot import pond.puzzle: unknown file extension. Use .xmpuzzle, .json" in capsys.readouterr().err


def test_nothing_is_written_where_one_of_several_designs_has_no_such_form(
    pond: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    jigsaw, out = tmp_path / "j.puzzle", tmp_path / "out"
    assert main(["new", "jigsaw", "-o", str(jigsaw)]) == 0
    assert main(["export", str(pond), str(jigsaw), "-o", f"{out}/", "--format", "json"]) == 2
    assert "There are no other file formats for jigsaw puzzles" in capsys.readouterr().err and not out.exists()


SEVEN = "7x7t0:a22c1a22e33a123a1c2b22c3221a0c33a33a"


def test_a_text_is_imported_and_comes_out_in_every_form(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "x.puzzle", tmp_path / "x.txt"
    assert main(["import", SEVEN, "-o", str(path)]) == 0
    assert main(["solve", str(path), "--json"]) == 0
    assert '"solutions": 1' in capsys.readouterr().out
    for form in ("grid", "loopy", "link"):
        assert main(["export", str(path), "-o", str(out), "--set", f"form={form}"]) == 0
        text = out.read_text(encoding="utf-8")
        assert (text == SEVEN + "\n") == (form == "loopy")
        for given in (str(out), text):
            assert main(["import", given, "-o", str(tmp_path / "again.puzzle"), "--force"]) == 0
            assert (tmp_path / "again.puzzle").read_bytes() == path.read_bytes()
    assert capsys.readouterr().err == ""


def test_a_second_solution_is_told_and_a_text_without_a_loop_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.puzzle"
    assert main(["import", "3x3t0:2h", "-o", str(path)]) == 0
    assert capsys.readouterr().err == "The puzzle has a second solution, different in 3 cells around C1.\n"
    path.unlink()
    for words, sentence in (
        ([SEVEN.replace("a0", "a9")], "E6 cannot have the clue 9: the cell has 4 edges.\n"),
        (["5x5t0:30g2o"], "Cannot import 5x5t0:30g2o: no loop satisfies its clues 3 in A1 and 0 in B1.\n"),
        ([SEVEN, SEVEN], "Cannot import 2 files: "),
        ([SEVEN, "--kind", "zigzaw"], "it is not a puzzle in text form.\n"),
        (["\n".join(["333", "33"])], "Cannot import the text: row 2 has 2 cells, but row 1 has 3.\n"),
    ):
        assert main(["import", *words, "-o", str(path)]) == 2
        told = capsys.readouterr().err
        assert sentence in told and told.count("\n") == 1
    assert not path.exists()


def test_an_empty_word_is_nothing_to_import(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["import", "", "-o", str(tmp_path / "x.puzzle")]) != 0
    assert capsys.readouterr().err == "The file or text to import is empty.\n"
    assert not (tmp_path / "x.puzzle").exists()
