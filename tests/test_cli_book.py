"""The command `book`, and the page of a slitherlink by `leaflet`."""

import json
import time
from pathlib import Path

import pytest
from pypdf import PdfReader

from studio.cli import main

FEW = ["--count", "3", "--set", "columns=5", "--set", "rows=5"]


def test_a_book_is_one_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "book.pdf"
    words = ["--from", "easy", "--to", "hard", "--per-page", "2", "--title", "For Ada", "--seed", "7"]
    assert main(["book", *FEW, *words, "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"Wrote {out}: 3 puzzles on 5 pages of A4.\n"
    texts = [page.extract_text() for page in PdfReader(out).pages]
    assert "For Ada" in texts[0] and "3 puzzles of 5 × 5 squares, from easy to hard" in texts[0]
    before = out.read_bytes()
    assert main(["book", *FEW, *words, "-o", str(out), "--json"]) == 0
    assert out.read_bytes() == before
    (report,) = json.loads(capsys.readouterr().out)
    assert (report["pages"], report["width"]) == (5, 210)


def test_a_booklet_of_mixed_cells_has_pages_in_fours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "book.pdf"
    words = ["--cells", "regular", "--booklet", "--imprint", "Ada, 2026", "--paper", "a5"]
    assert main(["book", *FEW, *words, "-o", str(out)]) == 0
    assert capsys.readouterr().out == f"Wrote {out}: 3 puzzles on 4 pages of A5.\n"
    assert main(["book", *FEW, *words, "--per-page", "1", "-o", str(out)]) == 0
    pages = PdfReader(out).pages
    texts = [page.extract_text() for page in pages]
    assert len(texts) == 8 and texts[6:] == ["", ""]
    assert "3 puzzles of squares, hexagons and triangles" in texts[0] and texts[0].rstrip().endswith("Ada, 2026")
    assert [round(float(side) / 72 * 25.4) for side in pages[0].mediabox[2:]] == [148, 210]


def test_a_book_is_a_folder_of_svg(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "out"
    assert main(["book", *FEW, "--paper", "letter", "-o", f"{folder}/"]) == 0
    assert sorted(path.name for path in folder.iterdir()) == [f"book-{page}.svg" for page in range(1, 5)]
    assert "book-4.svg, one page each: 3 puzzles." in capsys.readouterr().out
    assert 'width="215.9mm" height="279.4mm"' in (folder / "book-3.svg").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--count", "0"], "--count must be a whole number from 1 to 500, not 0."),
        (["--count", "many"], "--count must be a whole number from 1 to 500, not 'many'."),
        (["--from", "hard", "--to", "easy"], "The difficulty cannot fall from hard to easy."),
        (["--from", "mild"], "--from must be easy, normal, tricky or hard, not 'mild'."),
        (["--per-page", "13"], "--per-page must be a whole number from 1 to 12, not 13."),
        (["--paper", "A3"], "--paper must be A4, A5 or Letter, not 'A3'."),
        (["--cells", "round"], "--cells must be own, regular or every, not 'round'."),
        (["--imprint", "☃ \U0001f40c"], "This imprint cannot be printed: no font has "),
        (["--set", "seed=3"], "Use --seed instead of --set seed."),
        (["--set", "difficulty=easy"], "Use --from and --to instead of --set difficulty."),
        (["--set", "columns=60", "--set", "rows=60", "--per-page", "12"], "the clues are too small to read"),
        (["--title", "☃ \U0001f40c"], "This title cannot be printed: no font has "),
    ],
)
def test_a_book_that_cannot_be_is_refused_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], sentence: str
) -> None:
    out = tmp_path / "book.pdf"
    assert main(["book", "--count", "2", *words, "-o", str(out)]) == 2
    told = capsys.readouterr().err
    assert sentence in told and told.count("\n") == 1
    assert not out.exists()


@pytest.mark.parametrize("name", ["book.doc", "nowhere/book.pdf", "nowhere/book.svg"])
def test_a_place_for_no_book_is_refused_before_the_puzzles_are_made(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    began = time.monotonic()
    assert main(["book", "--count", "500", "-o", str(tmp_path / name)]) == 2
    assert capsys.readouterr().err.count("\n") == 1 and not list(tmp_path.iterdir())
    assert time.monotonic() - began < 10, "500 puzzles take a minute"


def test_a_book_goes_into_pdf_or_svg_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", *FEW, "-o", str(tmp_path / "book.doc")]) == 2
    assert ".doc" in capsys.readouterr().err and not list(tmp_path.iterdir())


def test_a_puzzle_has_its_page_and_its_solution(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, out = tmp_path / "brook.puzzle", tmp_path / "brook.pdf"
    assert main(["new", "slitherlink", "--set", "columns=5", "-o", str(path)]) == 0
    assert main(["leaflet", str(path), "-o", str(out)]) == 0
    assert f"Wrote {out}: 2 pages of 210 × 297 mm." in capsys.readouterr().out
    assert "brook: solution" in PdfReader(out).pages[1].extract_text()
