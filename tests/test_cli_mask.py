"""The command `mask`: areas from pictures and drawings that tongues and corners keep clear of, added to and cleared."""

import io
from pathlib import Path
from typing import Any

import pytest
import shapely
from PIL import Image, ImageDraw

from studio.base.progress import SILENT
from studio.cli import main
from studio.files.store import load
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.picture.masks import area_on_board
from tests.puzzles.jigsaw.test_found_faces import with_faces

HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="80mm" viewBox="0 0 100 80">'


@pytest.fixture
def board(tmp_path: Path) -> Path:
    """A board of 100 × 80 mm, beside pictures and drawings of areas."""
    size = ["--set", "columns=4", "--set", "rows=3", "--set", "width=100", "--set", "height=80"]
    assert main(["new", "jigsaw", *size, "-o", str(tmp_path / "board.puzzle")]) == 0
    dark = Image.new("RGB", (200, 160), "white")
    ImageDraw.Draw(dark).rectangle((20, 20, 59, 79), fill="#303040")
    dark.save(tmp_path / "dark.png")
    clear = Image.new("RGBA", (200, 160), (0, 0, 0, 0))
    ImageDraw.Draw(clear).rectangle((100, 80, 179, 119), fill="yellow")
    clear.save(tmp_path / "clear.png")
    Image.new("RGB", (200, 160), "white").save(tmp_path / "white.png")
    (tmp_path / "shapes.svg").write_text(
        f'{HEAD}<rect x="10" y="10" width="30" height="20" fill="none" stroke="red"/>'
        '<circle cx="25" cy="20" r="5"/><path d="M60 60 h10"/></svg>'
    )
    (tmp_path / "open.svg").write_text(f'{HEAD}<path d="M0 0 L10 0 L10 10"/></svg>')
    (tmp_path / "lines.svg").write_text(f'{HEAD}<path d="M0 27 L100 30"/><path d="M300 0 h10"/></svg>')
    (tmp_path / "beside.svg").write_text(f'{HEAD}<rect x="300" y="0" width="10" height="10"/></svg>')
    (tmp_path / "hostile.svg").write_text('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><svg>&b;</svg>')
    (tmp_path / "cut.png").write_bytes((tmp_path / "dark.png").read_bytes()[:-40])
    (tmp_path / "mask.txt").write_text("no picture")
    return tmp_path / "board.puzzle"


def design(path: Path) -> JigsawDesign:
    found = load(path).design
    assert isinstance(found, JigsawDesign)
    return found


def area(path: Path) -> Any:
    one = design(path)
    return area_on_board(one.mask, one.picture, one.size)


def masked(board: Path, *words: str) -> int:
    return main(["mask", str(board), *(str(board.with_name(word)) if "." in word else word for word in words)])


def test_what_is_dark_or_else_what_is_opaque_is_protected(board: Path) -> None:
    assert masked(board, "dark.png") == 0
    assert shapely.hausdorff_distance(area(board), shapely.box(10, 10, 30, 40)) < 0.5
    assert masked(board, "clear.png") == 0
    assert shapely.hausdorff_distance(area(board), shapely.box(50, 40, 90, 60)) < 0.5
    assert masked(board, "dark.png", "--add") == 0
    assert shapely.area(area(board)) == pytest.approx(20 * 30 + 40 * 20, rel=0.02)
    assert masked(board, "dark.png", "--invert") == 0
    assert shapely.area(area(board)) == pytest.approx(100 * 80 - 20 * 30, rel=0.02)
    assert masked(board, "--clear") == 0
    assert design(board).mask is None


def test_closed_paths_are_protected_where_they_are_on_the_board_and_open_ones_are_named(
    board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert masked(board, "shapes.svg") == 0
    assert shapely.area(area(board)) == pytest.approx(30 * 20 - 25 * 3.1416, rel=0.01)
    assert shapely.bounds(area(board)).tolist() == pytest.approx([10, 10, 40, 30], abs=0.02)
    assert "Left out, not closed: 1 path." in capsys.readouterr().err


def test_a_picture_of_an_area_is_laid_over_the_picture_of_the_board(board: Path) -> None:
    photograph = io.BytesIO()
    Image.new("RGB", (400, 320), "orange").save(photograph, "PNG")
    board.with_name("photo.png").write_bytes(photograph.getvalue())
    assert main(["photo", str(board), str(board.with_name("photo.png")), "--scale", "50", "--turn", "180"]) == 0
    assert masked(board, "dark.png") == 0
    assert shapely.hausdorff_distance(area(board), shapely.box(60, 40, 70, 55)) < 0.5
    assert main(["photo", str(board), "--right", "10"]) == 0
    assert shapely.hausdorff_distance(area(board), shapely.box(70, 40, 80, 55)) < 0.5


def test_repair_brings_tongues_and_corners_out_of_the_area(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board.with_name("face.svg").write_text(f'{HEAD}<circle cx="50" cy="27" r="7"/></svg>')
    assert masked(board, "face.svg") == 0
    assert main(["check", str(board)]) == 0
    assert "is in the protected area" in capsys.readouterr().out
    assert main(["repair", str(board)]) == 0
    capsys.readouterr()
    assert main(["check", str(board)]) == 0
    assert "protected area" not in capsys.readouterr().out


def test_cuts_keep_out_of_an_uncut_area_and_follow_lines(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board.with_name("eye.svg").write_text(f'{HEAD}<circle cx="50" cy="27" r="7"/></svg>')
    assert masked(board, "eye.svg", "--uncut") == 0
    found = design(board)
    assert found.mask is None and found.uncut is not None
    cuts = shape(found, None, SILENT).drawing.strokes.flattened(0.02)
    eye = area_on_board(found.uncut, None, found.size)
    assert shapely.area(eye) == pytest.approx(3.1416 * 49, rel=0.01)
    assert not any(shapely.LineString(cuts[at]).intersects(eye) for at in range(len(cuts)))
    assert main(["check", str(board)]) == 0
    assert "should not be cut" not in capsys.readouterr().out
    assert masked(board, "lines.svg", "--follow", "--strength", "80") == 0
    assert masked(board, "lines.svg", "--follow", "--add") == 0
    assert [line.strength for line in design(board).lines] == [0.8, 1.0]
    assert masked(board, "--clear", "--follow") == 0 and masked(board, "--clear", "--uncut") == 0
    assert not design(board).lines and design(board).uncut is None
    old = ["--set", "layout_version=1", "-o", str(board), "--force"]
    assert main(["new", "jigsaw", *old]) == 0
    capsys.readouterr()
    assert masked(board, "eye.svg", "--uncut") == 2
    assert "This board keeps an older layout. Use the newest layout first." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["missing.png"], "Cannot use missing.png: there is no such file."),
        (["missing.svg"], "missing.svg: there is no such file."),
        (["cut.png"], "Cannot use cut.png: it is damaged or truncated."),
        (["white.png"], "Cannot use white.png: it has nothing to protect on the board."),
        (["beside.svg"], "Cannot use beside.svg: it has nothing to protect on the board."),
        (["open.svg"], "Cannot use open.svg: it has no closed path."),
        (["hostile.svg"], "it declares entities of other files"),
        (["mask.txt"], "Cannot use mask.txt: unknown file extension. Use .png, "),
        ([], "Either name a file with the protected area or use --clear."),
        (["dark.png", "--clear"], "Either name a file with the protected area or use --clear."),
        (["--clear"], "There is no protected area to clear."),
        (["--clear", "--uncut"], "There is no uncut area to clear."),
        (["--clear", "--follow"], "There are no lines to clear."),
        (["dark.png", "--follow"], "Cannot use dark.png: lines need a drawing in SVG or DXF."),
        (["beside.svg", "--follow"], "Cannot use beside.svg: it has no line on the board."),
        (["lines.svg", "--follow", "--uncut"], "Use either --uncut or --follow."),
        (["lines.svg", "--follow", "--invert"], "--invert needs an area; --follow reads lines."),
        (["lines.svg", "--follow", "--strength", "0"], "strength must be above 0 and at most 1."),
        (["dark.png", "--strength", "50"], "--strength needs --follow."),
    ],
)
def test_what_cannot_be_used_is_refused_and_changes_nothing(
    board: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = board.read_bytes()
    assert masked(board, *words) == 2
    assert sentence in capsys.readouterr().err
    assert board.read_bytes() == before


def test_the_eyes_and_mouths_of_faces_are_found_and_kept_whole(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = board.read_bytes()
    assert masked(board, "--faces") == 2
    assert "Add a picture first." in capsys.readouterr().err and board.read_bytes() == before
    with_faces((600.0, 300.0, 150.0)).save(board.with_name("face.png"))
    assert main(["photo", str(board), str(board.with_name("face.png"))]) == 0
    for others in (["dark.png"], ["--clear"], ["--follow"], ["--invert"], ["--strength", "50"], ["--gap", "1"]):
        assert masked(board, "--faces", *others) == 2
    assert masked(board, "dark.png", "--uncut") == 0
    painted = area_on_board(design(board).uncut, design(board).picture, (100.0, 80.0))
    capsys.readouterr()
    assert masked(board, "--faces") == 0
    assert "Found 1 face; no cut should enter the eyes and mouths." in capsys.readouterr().out
    whole = area_on_board(design(board).uncut, design(board).picture, (100.0, 80.0))
    assert len(shapely.get_parts(whole)) == 4 and shapely.area(shapely.difference(painted, whole)) < 0.01
    assert design(board).mask is None
    found = board.read_bytes()
    assert masked(board, "--faces", "--uncut") == 0 and board.read_bytes() == found
    assert main(["photo", str(board), str(board.with_name("white.png"))]) == 0
    before = board.read_bytes()
    assert masked(board, "--faces") == 1 and board.read_bytes() == before
    assert "No faces found" in capsys.readouterr().err
