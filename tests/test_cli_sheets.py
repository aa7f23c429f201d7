"""Jobs on offcuts, what they leave, and tables of copies, from the command line: files read back by others."""

from pathlib import Path

import numpy as np
import pypdfium2
import pytest
import shapely
from PIL import Image

from studio.exporting.options import SvgOptions
from studio.exporting.readers.svg import read_svg
from studio.files.store import save
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from tests.classic import classic
from tests.test_cli import Studio

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="200mm" height="200mm" viewBox="0 0 200 200">{drawn}</svg>'
OFFCUT = '<path d="M0,0 H200 V90 L120,130 V200 H0 Z"/><circle cx="60" cy="60" r="20"/>'
AREA = shapely.Polygon([(0, 0), (200, 0), (200, 90), (120, 130), (120, 200), (0, 200)]) - shapely.Point(60, 60).buffer(
    19.9
)


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    return Studio(capsys)


@pytest.fixture
def board(tmp_path: Path) -> Path:
    save(tmp_path / "small.puzzle", JIGSAW, JigsawDesign(classic(columns=4, rows=3, width=100, height=75)))
    return tmp_path / "small.puzzle"


@pytest.fixture
def offcut(tmp_path: Path) -> Path:
    path = tmp_path / "offcut.svg"
    path.write_text(SVG.format(drawn=OFFCUT))
    return path


def pieces_in(path: Path) -> list[shapely.Polygon]:
    """The closed lines of a file, as polygons."""
    lines = Curves.from_strokes(
        [line.points for line in read_svg(path.read_bytes(), SvgOptions()).lines if line.closed]
    ).flattened(0.01)
    return [shapely.Polygon(lines[at]) for at in range(len(lines))]


@pytest.mark.parametrize("way", ["--separate", "--set=page=bed"])
def test_a_job_is_cut_from_an_offcut_and_the_next_from_its_rest(
    studio: Studio, board: Path, offcut: Path, tmp_path: Path, way: str
) -> None:
    words = [way] if way.startswith("--sep") else ["--set", "page=bed"]
    said = studio("export", board, "-o", "one.svg", "--sheet", offcut, "--rest", *words)
    assert said.code == 0 and "Wrote one-rest.svg." in said.out
    first = shapely.union_all(pieces_in(tmp_path / "one.svg"))
    assert AREA.buffer(-4.9).contains(first)
    said = studio("export", board, "-o", "two.svg", "--sheet", "one-rest.svg", "--separate")
    if way == "--separate":
        assert said.code == 2 and "of 12 pieces fit one-rest.svg" in said.err
        return
    # The page is that of the whole sheet, so that both jobs have one origin.
    assert read_svg((tmp_path / "two.svg").read_bytes(), SvgOptions()).height == pytest.approx(200)
    second = shapely.union_all(pieces_in(tmp_path / "two.svg"))
    assert AREA.buffer(-4.9).contains(second) and second.distance(first) > 4.9


def test_two_small_jobs_share_an_offcut(studio: Studio, offcut: Path, tmp_path: Path) -> None:
    save(tmp_path / "tiny.puzzle", JIGSAW, JigsawDesign(classic(columns=2, rows=2, width=50, height=50)))
    whole = []
    for name, sheet in (("one", offcut.name), ("two", "one-rest.svg"), ("three", "two-rest.svg")):
        assert studio("export", "tiny.puzzle", "-o", f"{name}.svg", "--sheet", sheet, "--rest", "--separate").code == 0
        whole.append(shapely.union_all(pieces_in(tmp_path / f"{name}.svg")))
    for at, one in enumerate(whole):
        assert AREA.buffer(-4.9).contains(one)
        assert all(one.distance(two) > 4.9 for two in whole[:at])


def test_every_board_of_a_batch_is_cut_from_such_an_offcut(
    studio: Studio, board: Path, offcut: Path, tmp_path: Path
) -> None:
    words = ("batch", board, "--count", "2", "--formats", "svg", "--separate", "--workers", "1", "-o", "out")
    assert studio(*words, "--sheet", offcut).code == 0
    found = [pieces_in(tmp_path / "out" / f"small-{number:03}.svg") for number in (1, 2)]
    assert [len(each) for each in found] == [12, 12]
    assert all(AREA.buffer(-4.9).contains(shapely.union_all(each)) for each in found)
    studio("export", board, "-o", "one.svg", "--separate", "--sheet", offcut)
    same, other = (tmp_path / "out" / f"small-{number:03}.svg" for number in (1, 2))
    assert (tmp_path / "one.svg").read_bytes() == same.read_bytes() != other.read_bytes()
    (tmp_path / "small.svg").write_text(SVG.format(drawn='<path d="M0,0 H60 V60 H0 Z"/>'))
    said = studio(*words, "--sheet", "small.svg")
    assert said.code == 1 and "of 12 pieces fit small.svg" in said.err
    assert "there is no such file" in studio.refuses(*words, "--sheet", "none.svg")


def test_an_offcut_that_will_not_do_is_refused_in_a_sentence(studio: Studio, board: Path, tmp_path: Path) -> None:
    square = '<path d="M0,0 H60 V60 H0 Z"/>'
    (tmp_path / "small.svg").write_text(SVG.format(drawn=square))
    refused = studio.refuses("export", board, "-o", "x.svg", "--separate", "--sheet", "small.svg")
    assert "of 12 pieces fit small.svg" in refused
    refused = studio.refuses("export", board, "-o", "x.svg", "--sheet", "small.svg")
    assert "The board (100.0 × 75.0 mm) does not fit small.svg in any orientation." in refused
    assert "there is no such file" in studio.refuses("export", board, "-o", "x.svg", "--sheet", "none.svg")
    (tmp_path / "bad.svg").write_text("<svg")
    assert "bad.svg" in studio.refuses("export", board, "-o", "x.svg", "--sheet", "bad.svg")
    assert "trimmed to the board" in studio.refuses("export", board, "-o", "x.svg", "--rest")
    assert not (tmp_path / "x.svg").exists() and not (tmp_path / "x-rest.svg").exists()


def test_copies_of_a_table_share_sheets_and_print_their_pictures(studio: Studio, board: Path, tmp_path: Path) -> None:
    colours = {"red": (200, 30, 30), "blue": (30, 30, 200)}
    for name, colour in colours.items():
        Image.new("RGB", (120, 90), colour).save(tmp_path / f"{name}.png")
    assert studio("engrave", board, "--text", "For {name}", "--height", "6").code == 0
    (tmp_path / "orders.csv").write_text("picture,name,copies\nred.png,Ada,2\nblue.png,Bob,\n,Cy,0\n")
    said = studio("export", board, "-o", "all.svg", "--table", "orders.csv", "--set", "print_pdf=yes")
    assert said.code == 0 and "36 pieces" in said.out
    (page,) = pypdfium2.PdfDocument(tmp_path / "all-print.pdf")
    pixels = np.array(page.render(scale=25.4 / 72).to_pil().convert("RGB")).reshape(-1, 3)
    for colour, boards in ((colours["red"], 2), (colours["blue"], 1)):
        near = (np.abs(pixels.astype(int) - colour).max(axis=1) < 40).sum()
        assert near == pytest.approx(boards * 100 * 75, rel=0.05)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("picture,copies\nnone.png,1\n", "Cannot use orders.csv: line 2: Cannot use none.png: there is no such file."),
        ("picture,copies\n,x\n", "line 2: copies must be a whole number from 0 to 500, not 'x'."),
        ("copies\n0\n", "orders.csv lists 0 boards; one job has 1 to 500."),
        ("copies\n500\n1\n", "orders.csv lists 501 boards; one job has 1 to 500."),
        ("name\nAda\n", "column 'name' is neither a parameter nor used in a text."),
    ],
)
def test_a_table_that_cannot_be_used_is_refused_with_its_line(
    studio: Studio, board: Path, tmp_path: Path, text: str, said: str
) -> None:
    (tmp_path / "orders.csv").write_text(text)
    assert said in studio.refuses("export", board, "-o", "x.svg", "--table", "orders.csv")
    assert not (tmp_path / "x.svg").exists()
