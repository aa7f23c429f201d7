"""The command `engrave`: texts and drawings on a jigsaw's face and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import load
from studio.paper.fonts import FOLDER
from studio.puzzles.jigsaw.model.design import JigsawDesign

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="30mm"><path d="M0 0L40 40L0 40"/></svg>'


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.puzzle"
    sizes = [word for one in ("columns=4", "rows=3", "width=100", "height=80") for word in ("--set", one)]
    assert main(["new", "jigsaw", "-o", str(path), *sizes]) == 0
    return path


def design(board: Path) -> JigsawDesign:
    found = load(board).design
    assert isinstance(found, JigsawDesign)
    return found


def test_a_text_goes_where_it_is_asked_for_in_mm_or_percent(board: Path) -> None:
    assert (
        main(["engrave", str(board), "--text", "Ada", "--x", "25%", "--y", "1 cm", "--height", "8", "--turn", "-5"])
        == 0
    )
    (one,) = design(board).engravings
    assert (one.name, one.text, one.side, one.font) == ("text1", "Ada", "face", "line")
    assert (one.pose.x, one.pose.y, one.pose.height, one.pose.turn) == (25, 10, 8, -5)


def test_a_text_may_have_any_font_whose_outlines_are_kept(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own = tmp_path / "own.ttf"
    own.write_bytes((FOLDER / "DejaVuSans.ttf").read_bytes())
    assert main(["engrave", str(board), "--text", "سلام", "--typeface", str(own)]) == 0
    own.unlink()
    (one,) = design(board).engravings
    assert (one.text, one.font, one.typeface) == ("سلام", "outline", str(own)) and len(one.paths) > 1
    assert main(["check", str(board)]) == 0
    for words in (["--text", "A", "--font", "line", "--typeface", "X"], ["--remove", "text1", "--typeface", "X"]):
        assert main(["engrave", str(board), *words]) == 2
        assert "--typeface is for a --text in outlines." in capsys.readouterr().err
    assert main(["engrave", str(board), "--text", "A", "--typeface", "Nowhere"]) == 2
    assert "The text cannot be engraved: There is no font 'Nowhere'" in capsys.readouterr().err


def test_a_drawing_is_as_large_as_it_is_drawn_unless_a_height_is_given(board: Path, tmp_path: Path) -> None:
    logo = tmp_path / "logo.svg"
    logo.write_text(LOGO)
    assert main(["engrave", str(board), str(logo), "--side", "back"]) == 0
    assert main(["engrave", str(board), str(logo), "--height", "20"]) == 0
    first, second = design(board).engravings
    assert first.pose.height == pytest.approx(40 * 25.4 / 96, abs=0.01) and first.side == "back"
    assert second.pose.height == 20 and second.name == "drawing2"
    assert (first.pose.x, first.pose.y) == (50, 40)
    assert main(["engrave", str(board), "--remove", "drawing1"]) == 0
    assert [one.name for one in design(board).engravings] == ["drawing2"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Use one of --text, --remove or a drawing."),
        (["--text", "A", "--remove", "text1"], "Use one of --text, --remove or a drawing."),
        (["--text", ""], "Enter a text to engrave."),
        (["--text", "A", "--side", "rim"], "--side must be face or back, not 'rim'."),
        (["--text", "A", "--x", "left"], "--x must be -1000 to 11000 mm, not 'left'."),
        (["--text", "A", "--height", "0.5"], "--height must be 2 to 5000 mm, not 0.5."),
        (["--remove", "text7"], "There is no engraving text7 on the board."),
        (["nowhere.svg"], "nowhere.svg"),
    ],
)
def test_what_cannot_be_engraved_is_refused_in_a_sentence_and_changes_nothing(
    board: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    before = board.read_bytes()
    assert main(["engrave", str(board), *words]) == 2
    assert sentence in capsys.readouterr().err
    assert board.read_bytes() == before


def test_only_a_jigsaw_is_engraved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "cube.puzzle")
    assert main(["new", "cube", "-o", path]) == 0
    assert main(["engrave", path, "--text", "A"]) == 2
    assert "cube" in capsys.readouterr().err


def test_the_back_is_exported_to_a_file_of_its_own(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["engrave", str(board), "--text", "Ada", "--side", "back"])
    assert main(["export", str(board), "-o", str(board.with_suffix(".dxf"))]) == 0
    assert board.with_name("board-back.dxf").exists() and "board-back.dxf" in capsys.readouterr().out
