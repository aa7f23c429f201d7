"""The command `figure`: figures of the studio's, from drawings and of letters, on a jigsaw."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli import main
from studio.files.store import load
from studio.paper.fonts import FOLDER
from studio.puzzles.jigsaw.model.design import JigsawDesign

HOUSE = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0,20 L15,0 L30,20 V45 H0 Z"/></svg>'


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "board.puzzle"
    sizes = [word for one in ("columns=6", "rows=4", "width=150", "height=100") for word in ("--set", one)]
    assert main(["new", "jigsaw", "-o", str(path), *sizes]) == 0
    return path


def design(board: Path) -> JigsawDesign:
    found = load(board).design
    assert isinstance(found, JigsawDesign)
    return found


def test_figures_go_where_they_are_asked_for_and_are_pieces_of_their_own(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "House.svg"
    house.write_text(HOUSE)
    place = ["--x", "30%", "--y", "5 cm", "--height", "40"]
    assert main(["figure", str(board), str(house), *place, "--turn", "-5", "--mirror", "--tongues", "2"]) == 0
    assert "Added house1 at 45.0, 50.0 mm." in capsys.readouterr().out
    assert main(["figure", str(board), "star", "--x", "110", "--height", "30"]) == 0
    house1, star1 = design(board).whimsies
    assert (house1.pose.height, house1.pose.turn, house1.pose.is_mirrored, house1.tongues) == (40, -5, True, 2)
    assert (star1.name, star1.figure, star1.pose.x, star1.pose.y) == ("star1", "star", 110, 50)
    assert main(["check", str(board)]) == 0
    assert main(["figure", str(board), "--remove", "house1"]) == 0
    assert [one.name for one in design(board).whimsies] == ["star1"]


def test_letters_and_figures_without_a_place_go_where_there_is_room(board: Path) -> None:
    assert main(["figure", str(board), "--text", "Jo", "--height", "25"]) == 0
    assert main(["figure", str(board), "heart", "--height", "25"]) == 0
    assert [one.name for one in design(board).whimsies] == ["J", "heart1", "o"]
    assert main(["check", str(board)]) == 0


def test_a_name_in_another_font_is_one_piece(board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    font = tmp_path / "own.ttf"
    font.write_bytes((FOLDER / "DejaVuSans-Bold.ttf").read_bytes())
    how = ["--font", str(font), "--joined", "--arc", "60", "--counters", "open", "--height", "20"]
    assert main(["figure", str(board), "--text", r"Bo\nAl", *how]) == 0
    font.unlink()
    assert "Added boal1 at 75.0, 50.0 mm." in capsys.readouterr().out
    (one,) = design(board).whimsies
    assert (one.name, one.title) == ("boal1", "Bo Al") and len(one.rings) > 4
    assert main(["check", str(board)]) == 0
    assert main(["figure", str(board), "--text", "سلام", "--height", "12", "--y", "85"]) == 0
    assert [one.name for one in design(board).whimsies] == ["boal1", "س", "م"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Use one of a figure, --text or --remove."),
        (["cat", "--text", "A"], "Use one of a figure, --text or --remove."),
        (["unicorn"], "Unknown figure 'unicorn'; choose from acorn,"),
        (["cat", "--tongues", "9"], "--tongues must be a whole number from 0 to 8, not 9."),
        (["cat", "--height", "0"], "--height must be 2 to 5000 mm, not 0."),
        (["cat", "--height", "400"], "There is no room for this figure on the board."),
        (["cat", "--x", "-900"], "There is no room for figure cat1 nearby."),
        (["--text", " "], "Enter a name or word"),
        (["cat", "--arc", "30"], "--arc is for letters; give a --text."),
        (["--text", "Al", "--font", "Nowhere"], "The text cannot be cut: There is no font 'Nowhere'"),
        (["--text", "Al", "--font", "none.otf"], "The text cannot be cut: The font none.otf cannot be used: "),
        (["--text", "Al", "--counters", "none"], "--counters must be slot, open, bridge or filled, not 'none'."),
        (["--remove", "cat7"], "There is no figure cat7 on the board."),
        (["nowhere.svg"], "nowhere.svg"),
    ],
)
def test_what_cannot_be_placed_is_refused_in_a_sentence_and_changes_nothing(
    board: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    before = board.read_bytes()
    assert main(["figure", str(board), *words]) == 2
    assert sentence in capsys.readouterr().err
    assert board.read_bytes() == before
