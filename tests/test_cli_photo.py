"""The command `photo`: a picture under the cuts of a jigsaw, placed, placed anew and removed."""

import io
from pathlib import Path

import pytest
from PIL import Image

from studio.cli import main
from studio.files.store import load
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture


@pytest.fixture
def board(tmp_path: Path) -> Path:
    chosen = [f"--set={one}" for one in ("columns=4", "rows=3", "width=300", "height=150")]
    assert main(["new", "jigsaw", *chosen, "-o", str(tmp_path / "board.puzzle")]) == 0
    for name, size in (("cat.png", (40, 20)), ("cat.webp", (40, 20))):
        file = io.BytesIO()
        Image.new("RGB", size, "orange").save(file, name[-3:].replace("ebp", "WEBP"))
        (tmp_path / name).write_bytes(file.getvalue())
    return tmp_path / "board.puzzle"


def picture(path: Path) -> BoardPicture | None:
    design = load(path).design
    assert isinstance(design, JigsawDesign)
    return design.picture


def test_a_picture_is_put_placed_and_removed(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cat = board.with_name("cat.png")
    assert main(["photo", str(board), str(cat)]) == 0
    assert picture(board) == BoardPicture(cat.read_bytes(), "image/png")
    places = ["--place", "fit", "--scale", "150", "--right", "-30", "--down", "15", "--turn", "-90", "--crop", "10"]
    assert main(["photo", str(board), *places]) == 0
    assert picture(board) == BoardPicture(
        cat.read_bytes(), "image/png", "fit", 1.5, -0.1, 0.1, -90.0, (0.1, 0.1, 0.1, 0.1)
    )
    assert main(["photo", str(board), "--crop", "0,5,0,10"]) == 0
    placed = picture(board)
    assert placed is not None and placed.crop == (0.0, 0.05, 0.0, 0.1) and placed.scale == 1.5
    capsys.readouterr()
    assert main(["export", str(board), "-o", str(board.with_suffix(".svg"))]) == 0
    assert "<image" in board.with_suffix(".svg").read_text()
    assert main(["photo", str(board), "--remove"]) == 0
    assert picture(board) is None


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["missing.png"], "Cannot use missing.png: there is no such file."),
        ([], "This jigsaw has no picture yet; name a file with one."),
        (["--remove"], "There is no picture to remove."),
        (["cat.png", "--scale", "1"], "--scale must be 5 to 2000 %, not 1."),
        (["cat.png", "--crop", "1,2"], "--crop must be one percentage, or four: left,top,right,bottom."),
        (["cat.png", "--crop", "60"], "crop must leave at least 5 % of the picture."),
        (["cat.png", "--place", "tile"], "--place must be fill or fit, not 'tile'."),
        (["cat.png", "--page", "0"], "--page must be a whole number"),
        (["cat.png", "--turn", "half"], "--turn must be -360 to 360 °, not 'half'."),
    ],
)
def test_what_cannot_be_done_is_refused_and_changes_nothing(
    board: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = board.read_bytes()
    words = [str(board.with_name(word)) if word.endswith(".png") else word for word in words]
    assert main(["photo", str(board), *words]) == 2
    assert sentence in capsys.readouterr().err
    assert board.read_bytes() == before
