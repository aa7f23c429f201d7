import io
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from PIL import Image
from pypdf import PdfReader
from pypdf.generic import ContentStream

from studio.base.errors import StudioError
from studio.exporting.formats import PDF, Options
from studio.exporting.options import PdfOptions, Unreadable
from studio.exporting.proof import SheetReport
from studio.exporting.readers.pdf import prove_book, read_pdf
from studio.exporting.writers.pdf import layout, pdf
from studio.geometry.art.artwork import PNG, Picture
from studio.geometry.curves.strokes import Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from tests.export import proofs

Grid = Callable[..., Drawing]
TILED = Options(pages="tiled")
MM = 25.4 / 72
NONE = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())


def opened(drawing: Drawing, options: PdfOptions, folder: Path) -> PdfReader:
    path = folder / "puzzle.pdf"
    path.write_bytes(pdf(drawing, options))
    return PdfReader(path, strict=True)


def strokes_in(operations: list[tuple[list[object], bytes]], matrix: Floats) -> list[Floats]:
    """The lines that contents stroke, sampled, after a matrix; read by pypdf and none of our own code."""
    strokes: list[Floats] = []
    path: list[Floats] = []
    saved: list[Floats] = []
    t = np.linspace(0, 1, 60)[1:, None]
    for operands, operator in operations:
        if operator in (b"m", b"l", b"c", b"cm"):
            numbers = np.array([float(str(operand)) for operand in operands])
            pairs = numbers.reshape(-1, 2)
        if operator == b"q":
            saved.append(matrix)
        elif operator == b"Q":
            matrix = saved.pop()
        elif operator == b"cm":
            matrix = np.vstack([np.hstack([pairs, [[0], [0], [1]]])]) @ matrix
        elif operator == b"c":
            a = path[-1][-1]
            b, c, d = pairs
            path.append((1 - t) ** 3 * a + 3 * t * (1 - t) ** 2 * b + 3 * t**2 * (1 - t) * c + t**3 * d)
        elif operator in (b"m", b"l"):
            path.append(pairs)
        elif operator == b"S":
            points = np.concatenate(path)
            strokes.append((np.hstack([points, np.ones((len(points), 1))]) @ matrix)[:, :2])
            path = []
    assert saved == [] and path == []
    return strokes


def faces(lines: list[Floats]) -> int:
    noded = shapely.unary_union([shapely.linestrings(np.round(line, 6)) for line in lines])
    return len(shapely.get_parts(shapely.polygonize(shapely.get_parts(noded))))


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 2), (5, 3)])
def test_one_page_is_as_large_as_the_drawing_and_its_paths_enclose_the_pieces(
    grid: Grid, columns: int, rows: int, tmp_path: Path
) -> None:
    drawing = grid(columns, rows)
    (page,) = opened(drawing, Options(), tmp_path).pages
    assert float(page.mediabox.width) * MM == pytest.approx(drawing.width, abs=1e-6)
    assert float(page.mediabox.height) * MM == pytest.approx(drawing.height, abs=1e-6)
    contents = page.get_contents()
    assert contents is not None
    lines = [line * MM for line in strokes_in(contents.operations, np.eye(3))]
    assert faces(lines) == columns * rows
    assert len(lines) == len(drawing.chains)
    for line, path in zip(lines, drawing.paths(), strict=True):
        upwards = path.points * (1, -1) + (0, drawing.height)
        np.testing.assert_allclose(line[[0, -1]], upwards[[0, -1]], atol=0.0006)
    length = sum(float(shapely.length(shapely.linestrings(line))) for line in lines)
    assert length == pytest.approx(drawing.cut_length, rel=1e-3)


def test_layers_have_the_colours_of_the_profile_and_may_be_hidden_one_by_one(grid: Grid, tmp_path: Path) -> None:
    reader = opened(grid(3, 2), Options(profile="workshop"), tmp_path)
    root: Any = reader.trailer["/Root"]
    assert [group.get_object()["/Name"] for group in root["/OCProperties"]["/OCGs"]] == ["CUT_INNER", "CUT_BORDER"]
    contents = reader.pages[0].get_contents()
    assert contents is not None
    said = [
        (operator, [str(operand) for operand in operands])
        for operands, operator in contents.operations
        if operator in (b"BDC", b"RG", b"S", b"EMC", b"w")
    ]
    stroke: tuple[bytes, list[str]] = (b"S", [])
    layer = [(b"RG", ["1", "0", "0"])]
    assert said == [
        (b"w", ["0.05"]),
        (b"BDC", ["/OC", "/CUT_INNER"]), *layer, stroke, stroke, stroke, (b"EMC", []),
        (b"BDC", ["/OC", "/CUT_BORDER"]), *layer, stroke, (b"EMC", []),
    ]  # fmt: skip


def test_a_file_tells_no_date_and_no_chance(grid: Grid) -> None:
    for options in (Options(), TILED):
        data = pdf(grid(3, 2), options)
        assert data == pdf(grid(3, 2), options)
        assert b"Date" not in data and b"/ID" not in data


def test_a_page_larger_than_pdf_takes_is_refused(grid: Grid) -> None:
    large = replace(grid(2, 2), width=5081.0)
    with pytest.raises(StudioError, match=r"5081 × 40 mm exceeds the PDF limit of 5080 mm per side. Use tiled pages"):
        pdf(large, Options())


# Printer pages


@pytest.mark.parametrize(
    ("width", "height", "options", "pages", "upright"),
    [
        # A window on A4 is 180 × 253 mm upright and 267 × 166 mm across.
        (180, 253, {}, (1, 1), True),
        (180.1, 253, {}, (2, 1), True),
        (267, 166, {}, (1, 1), False),
        (350, 253, {}, (2, 1), True),
        (350.1, 253, {}, (3, 1), True),
        (780, 166, {}, (3, 1), False),
        (360, 253, {"overlap": 0}, (2, 1), True),
        (200, 273, {"paper_margin": 0}, (1, 1), True),
        (267, 376, {"paper": "A3"}, (1, 1), True),
        (185.9, 235.4, {"paper": "Letter"}, (1, 1), True),
        (1, 1, {}, (1, 1), True),
    ],
)
def test_the_paper_lies_so_that_it_needs_the_fewest_pages(
    width: float, height: float, options: dict[str, Any], pages: tuple[int, int], upright: bool
) -> None:
    chosen = Options(pages="tiled", **options)
    found = layout(width, height, chosen)
    assert (found.columns, found.rows) == pages
    assert (found.width < found.height) == upright
    assert len(list(found.pages())) == pages[0] * pages[1]


def test_pages_are_named_by_column_and_row() -> None:
    names = [page.name for page in layout(5000, 320, Options(pages="tiled", paper="A4")).pages()]
    assert names[:2] == ["A1 of 20 × 2", "B1 of 20 × 2"] and names[-1] == "T2 of 20 × 2"
    wide = [page.name for page in layout(8000, 100, Options(pages="tiled")).pages()]
    assert wide[25:28] == ["Z1 of 32 × 1", "AA1 of 32 × 1", "AB1 of 32 × 1"]


def test_more_pages_than_anyone_would_glue_are_refused() -> None:
    with pytest.raises(StudioError, match=r"needs \d+ A4 pages \(maximum 500\)\. Choose larger paper"):
        layout(10_000, 10_000, TILED)


@pytest.mark.parametrize("overlap", [0.0, 10.0, 37.5])
def test_windows_laid_together_show_every_line_once(grid: Grid, overlap: float, tmp_path: Path) -> None:
    drawing = grid(20, 14)
    options = Options(pages="tiled", overlap=overlap)
    reader = opened(drawing, options, tmp_path)
    found = layout(drawing.width, drawing.height, options)
    assert len(reader.pages) == found.columns * found.rows == 4
    resources: Any = reader.pages[0]["/Resources"]
    form = resources["/XObject"]["/Drawing"].get_object()
    lines = [shapely.linestrings(line) for line in strokes_in(ContentStream(form, reader).operations, np.eye(3))]
    whole = sum(float(shapely.length(line)) for line in lines)
    seen = []
    for page in reader.pages:
        contents = page.get_contents()
        assert contents is not None
        numbers = [[float(str(part)) for part in operands] for operands, word in contents.operations if word == b"re"]
        moves = [[float(str(part)) for part in operands] for operands, word in contents.operations if word == b"cm"]
        ((x, y, width, height),) = numbers
        (scale, (*_, left, top)) = moves
        assert scale[0] * MM == pytest.approx(1, rel=1e-8) and scale[3] == -scale[0]
        seen.append(shapely.box(x - left, y - top, x - left + width, y - top + height))
    shown = 0.0
    before = shapely.Polygon()
    for window in seen:
        shown += sum(float(shapely.length(shapely.intersection(line, window.difference(before)))) for line in lines)
        before = before.union(window)
    assert shown == pytest.approx(whole, rel=1e-9)
    across = seen[0].intersection(seen[1]).bounds
    assert across[2] - across[0] == pytest.approx(overlap, abs=2 * 0.5 + 1e-6)


def marks_on(reader: PdfReader, number: int) -> tuple[set[float], set[float]]:
    """Where the crop marks of a page point, x and y, in mm on the drawing."""
    contents = reader.pages[number].get_contents()
    assert contents is not None
    moves = [[float(str(part)) for part in operands] for operands, word in contents.operations if word == b"cm"]
    left, top = moves[1][4:]
    words = [(operands, word) for operands, word in contents.operations]
    begin = words.index((["/Marks"], b"BMC"))
    end = begin + [word for _, word in words[begin:]].index(b"EMC")
    ends = [[float(str(part)) for part in operands] for operands, word in words[begin:end] if word in (b"m", b"l")]
    across, down = set(), set()
    for (x, y), (x2, y2) in zip(ends[::2], ends[1::2], strict=True):
        assert (x == x2) != (y == y2)
        if x == x2:
            across.add(round(x - left, 6))
        else:
            down.add(round(y - top, 6))
    return across, down


def test_crop_marks_point_to_the_windows_and_to_where_the_next_page_begins(grid: Grid, tmp_path: Path) -> None:
    # Windows on A4 across are 267 × 166 mm.
    reader = opened(grid(20, 14), Options(pages="tiled", overlap=20), tmp_path)
    assert marks_on(reader, 0) == ({0, 247, 267}, {0, 146, 166})
    assert marks_on(reader, 1) == ({247, 514}, {0, 146, 166})
    assert marks_on(reader, 2) == ({0, 247, 267}, {146, 312})
    assert marks_on(reader, 3) == ({247, 514}, {146, 312})
    reader = opened(grid(20, 14), Options(pages="tiled", overlap=0), tmp_path)
    assert marks_on(reader, 0) == ({0, 267}, {0, 166}) and marks_on(reader, 3) == ({267, 534}, {166, 332})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"paper_margin": 0},
        {"paper_margin": 30, "overlap": 50},
        {"paper": "Letter", "paper_margin": 30},
        {"paper": "A3"},
    ],
    ids=repr,
)
def test_nothing_is_printed_where_the_printer_cannot(grid: Grid, options: dict[str, Any], tmp_path: Path) -> None:
    chosen = Options(pages="tiled", **options)
    for page in opened(grid(20, 14), chosen, tmp_path).pages:
        contents = page.get_contents()
        assert contents is not None
        # Marks, name and ruler; the drawing itself is cut off at the window.
        points = np.concatenate(strokes_in(contents.operations, np.eye(3))) * MM
        assert points.min() > chosen.paper_margin - 0.01
        assert (float(page.mediabox.width) * MM - points[:, 0]).min() > chosen.paper_margin - 0.01
        assert (float(page.mediabox.height) * MM - points[:, 1]).min() > chosen.paper_margin - 0.01


def proven(drawing: Drawing, options: PdfOptions, old: bytes = b"", new: bytes = b"") -> SheetReport:
    data = pdf(drawing, options)
    assert old in data
    # pypdf finds parts by their place in the file: what stands for a part must be as long.
    assert len(new) == len(old)
    return proofs.proven(PDF, data.replace(old, new, 1), drawing, options)


def test_the_proof_tells_size_lines_and_pages(grid: Grid) -> None:
    drawing = grid(20, 14)
    found = proven(drawing, TILED)
    assert (found.width, found.height, found.chains, found.pages, found.faces) == (400, 280, 33, 4, 280)
    assert found.cut_length == pytest.approx(drawing.cut_length, rel=1e-5)
    assert proven(drawing, Options()).pages == 1


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"/Ruler BMC\n15 193.5 m 115", b"/Ruler BMC\n15 193.5 m 116", "ruler on page 1 is 101"),
        (b"/Ruler BMC", b"/Rulxx BMC", "lacks the drawing or the ruler"),
        (b"/Drawing Do", b"/Drawing S ", "not one continuous line"),
        (b"2.8346456693 0", b"2.9346456693 0", "not show the drawing at 1:1"),
        (b"14.5 14.5 268", b"14.5 14.5 258", "do not cover the whole drawing"),
        (b"14.5 14.5 268", b" 4.5 14.5 268", "margin of only 4.5"),
        (b"1 0 0 1 15 15 cm", b"1 0 0 1 25 15 cm", "do not cover the whole drawing"),
        (b"/MediaBox [0 0 841", b"/MediaBox [0 0 741", "page 1 is .* not A4"),
        (b"/OC /CUT_INNER BDC", b"/OC /CUT_INNXX BDC", "outside the layers"),
        (b"1 0 0 RG", b"1 1 0 RG", "not have the colour"),
        (b"h S", b"h f", "operator f"),
        (b"%%EOF", b"     ", "truncated"),
        (b"startxref", b"stortxref", "not a valid PDF"),
    ],
)
def test_printer_pages_that_do_not_show_the_drawing_are_refused(grid: Grid, old: bytes, new: bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        proven(grid(20, 8), TILED, old, new)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b"2.8346456693 0", b"2.9346456693 0", "line of piece .* is moved by"),
        (b"-2.8346456693 0 ", b"2.83464566930 0 ", "line of piece .* is moved by"),
        (b"/MediaBox [0 0 170", b"/MediaBox [0 0 180", "page is 63"),
        (b"/OC /CUT_BORDER BDC", b"/OC /CUT_INNER  BDC", "on layer CUT_INNER and should be on CUT_BORDER"),
        (b" h S", b"   S", "is not closed"),
        (b"EMC\nQ", b"EMC\n ", "truncated"),
        (b" m ", b" l ", "not one continuous line"),
        (b"0.05 w", b"0 05 w", "operator w"),
        (b"q\n2", b"Q\n2", "invalid values"),
        (b"0000000015 00000 n", b"0000000016 00000 n", "cross-reference table misplaces object 1"),
        (b"\nxref\n0 ", b"\nxref\n1 ", "cross-reference table is missing"),
    ],
)
def test_a_page_that_is_not_the_drawing_is_refused(grid: Grid, old: bytes, new: bytes, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        proven(grid(3, 3), Options(), old, new)


def test_pages_of_the_wrong_kind_are_refused(grid: Grid) -> None:
    drawing = grid(3, 3)
    one, tiles = (read_pdf(pdf(drawing, options), options) for options in (Options(), TILED))
    for book, options in ((one, TILED), (tiles, Options())):
        with pytest.raises(Unreadable, match="not tiled as requested"):
            prove_book(book, drawing, options, PDF.rounding)


# Seen by other programs


@pytest.mark.skipif(shutil.which("pdfinfo") is None, reason="poppler is not installed")
def test_poppler_finds_the_pages_and_their_size(grid: Grid, tmp_path: Path) -> None:
    (tmp_path / "one.pdf").write_bytes(pdf(replace(grid(7, 5), width=140.5), Options()))
    (tmp_path / "tiled.pdf").write_bytes(pdf(grid(20, 14), TILED))
    told = {}
    for name in ("one", "tiled"):
        done = subprocess.run(
            ["pdfinfo", tmp_path / f"{name}.pdf"], capture_output=True, text=True, check=True, timeout=60
        )
        size = re.search(r"Page size: +([0-9.]+) x ([0-9.]+) pts", done.stdout)
        pages = re.search(r"Pages: +([0-9]+)", done.stdout)
        assert size and pages and done.stderr == ""
        told[name] = (int(pages[1]), float(size[1]) * MM, float(size[2]) * MM)
    assert told["one"] == pytest.approx((1, 140.5, 100), abs=0.005)
    assert told["tiled"] == pytest.approx((4, 297, 210), abs=0.005)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
def test_the_ruler_as_poppler_draws_it_is_a_hundred_millimetres_long(grid: Grid, tmp_path: Path) -> None:
    (tmp_path / "tiled.pdf").write_bytes(pdf(grid(3, 2), TILED))
    dpi = 1200
    subprocess.run(
        ["pdftoppm", "-r", str(dpi), "-gray", "-singlefile", "-x", "0", "-y", str(int(255 / 25.4 * dpi)),
         "-W", "9000", "-H", "1600", tmp_path / "tiled.pdf", tmp_path / "page"],
        check=True, timeout=60,
    )  # fmt: skip
    dark = np.asarray(Image.open(tmp_path / "page.pgm")) < 128
    # The longest run in the row with most ink is the ruler; round ends make it longer by its own width of 0.15 mm.
    columns = np.flatnonzero(dark[dark.sum(axis=1).argmax()])
    runs = np.split(columns, np.flatnonzero(np.diff(columns) > 1) + 1)
    length = max(map(len, runs)) / dpi * 25.4
    assert length - 0.15 == pytest.approx(100.0, abs=0.05)


@pytest.mark.sampled(2)
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
@pytest.mark.parametrize("dpi", [50, 72, 100, 300])
def test_lines_on_the_edge_of_the_drawing_are_on_the_paper(tmp_path: Path, dpi: int) -> None:
    rim = np.array([(0, 0), (150, 0), (150, 120), (0, 120), (0, 0)], float)
    strokes = straight(np.stack([rim[:-1], rim[1:]], 1))
    board = Drawing(150, 120, strokes, (Chain(Operation.BORDER, np.arange(0, 8, 2), closed=True),), NONE)
    (tmp_path / "tiled.pdf").write_bytes(pdf(board, TILED))
    subprocess.run(
        ["pdftoppm", "-r", str(dpi), "-singlefile", tmp_path / "tiled.pdf", tmp_path / "page"], check=True, timeout=60
    )
    pixels = np.asarray(Image.open(tmp_path / "page.ppm"), int)
    blue = pixels[:, :, 2] - pixels[:, :, 0] > 8
    rows, columns = (
        np.flatnonzero(blue.sum(axis=1) > 140 / 25.4 * dpi),
        np.flatnonzero(blue.sum(axis=0) > 110 / 25.4 * dpi),
    )
    sides = [rows[0], rows[-1], columns[0], columns[-1]]
    assert [side * 25.4 / dpi for side in sides] == pytest.approx([15, 135, 15, 165], abs=1.1 * 25.4 / dpi)


@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
def test_a_square_as_poppler_draws_it_stands_where_it_should(tmp_path: Path) -> None:
    rim = np.array([(10, 5), (30, 5), (30, 25), (10, 25), (10, 5)], float)
    strokes = straight(np.stack([rim[:-1], rim[1:]], 1))
    square = Drawing(50, 40, strokes, (Chain(Operation.BORDER, np.arange(0, 8, 2), closed=True),), NONE)
    (tmp_path / "one.pdf").write_bytes(pdf(square, Options()))
    subprocess.run(
        ["pdftoppm", "-r", "254", "-gray", "-singlefile", tmp_path / "one.pdf", tmp_path / "page"],
        check=True, timeout=60,
    )  # fmt: skip
    dark = np.asarray(Image.open(tmp_path / "page.pgm")) < 200
    assert dark.shape == (400, 500)
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    assert [rows[0], rows[-1], columns[0], columns[-1]] == pytest.approx([50, 250, 100, 300], abs=1)


def see_through() -> bytes:
    """A PNG of 6 by 4 pixels that fades out to the right, which a PDF holds as colours and a mask."""
    pixels = np.full((4, 6, 4), 200, np.uint8)
    pixels[..., 3] = np.linspace(255, 0, 6).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize(("old", "new"), [(b"/Width 6", b"/Width 5"), (b"/Height 4", b"/Height 5")])
def test_a_picture_with_a_mask_is_written_and_one_that_is_cut_short_is_found(
    grid: Grid, old: bytes, new: bytes
) -> None:
    drawing = replace(grid(2, 1), artwork=(Picture(see_through(), PNG, (2.0, 2.0, 6.0, 4.0)),))
    assert proven(drawing, Options()).pieces == 2
    data = pdf(drawing, Options())
    assert data.count(old) == 2
    with pytest.raises(Unreadable, match="truncated"):
        proofs.proven(PDF, data.replace(old, new), drawing, Options())
