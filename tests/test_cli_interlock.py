"""The command that lists how well the pieces of a jigsaw hold each other."""

import json
from pathlib import Path

import pytest

from studio.cli import main

SMALL = ["columns=3", "rows=2", "width=75", "height=50"]


@pytest.fixture
def board(tmp_path: Path) -> Path:
    out = tmp_path / "board.puzzle"
    assert main(["new", "jigsaw", "-o", str(out), *(part for text in SMALL for part in ("--set", text))]) == 0
    return out


def test_all_tongues_are_listed(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["interlock", str(board)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "A1-A2  Interlocks, even with 0.5 mm clearance" and len(lines) == 8
    assert lines[-1] == "All tongues interlock, even with 0.5 mm clearance"


def test_loose_tongues_are_an_exit_code(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["edit", str(board), "--set", "tongue_style=wave"]) == 0
    capsys.readouterr()
    assert main(["interlock", str(board), "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    assert found["most"] == 0.5 and len(found["tongues"]) == 7 and found["figures"] == {}
    assert max(found["tongues"].values()) < 0.02


def test_only_jigsaws_have_tongues(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "loop.puzzle"
    assert main(["new", "slitherlink", "-o", str(out)]) == 0
    assert main(["interlock", str(out)]) == 2
    assert "This command needs a jigsaw; this is a slitherlink puzzle." in capsys.readouterr().err
    assert main(["interlock", str(out), "--kerf", "9"]) == 2
    assert "--kerf must be 0 to 0.5 mm" in capsys.readouterr().err
