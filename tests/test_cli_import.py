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
        (["--kerf", "0.1"], "--kerf is for laser cutters; a .json file has none."),
        (["--set", "bleed=3"], "There is no parameter 'bleed'"),
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
    assert "Designs of the kind jigsaw are kept in .puzzle files alone." in capsys.readouterr().err
    assert main(["export", str(pond), str(pond), "-o", str(out)]) == 2
    assert "2 designs need a folder to go to" in capsys.readouterr().err
    assert main(["import", str(pond), "-o", str(jigsaw), "--kind", "teapot"]) == 2
    assert "'teapot' is no kind of puzzle" in capsys.readouterr().err
    assert main(["import", str(pond), "-o", str(jigsaw)]) == 2
    assert "pond.puzzle cannot be imported: its extension is none of .json" in capsys.readouterr().err
