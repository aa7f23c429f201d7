"""Print-then-cut: the print and the cut file agree, read by programs that are not ours."""

import io
import subprocess
from dataclasses import replace
from pathlib import Path
from shutil import which
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.exporting.formats import Options
from studio.exporting.laser_files import write_all
from studio.fabricate.making import IN_PLACE, Made, Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.art.artwork import PNG, Picture, Region
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.drawing import Drawing
from tests.fabricate.boards import jigsaw as board

Pixels = np.ndarray[tuple[int, ...], np.dtype[np.uint8]]
DPI = 600
OPTIONS = Options(print_pdf=True)


def photograph(width: float, height: float, step: int = 8) -> bytes:
    """A photograph of `step` pixels a mm, bright everywhere, no two places alike."""
    rows, columns = round(step * height), round(step * width)
    down, across = np.mgrid[0:rows, 0:columns] + 0.5
    pixels = np.stack([80 + 160 * across / columns, 80 + 160 * down / rows, 160 + 60 * np.sin(across / 9)], 2)
    file = io.BytesIO()
    Image.fromarray(np.rint(pixels).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def pictured(columns: int = 4, rows: int = 3) -> Drawing:
    """A jigsaw with a photograph that ends at its outline."""
    drawing = board(columns, rows)
    box = (0.0, 0.0, drawing.width, drawing.height)
    return replace(drawing, artwork=(Picture(photograph(drawing.width, drawing.height), PNG, box),))


def exported(folder: Path, suffix: str, making: Making, drawing: Drawing | None = None) -> Made:
    """A pictured jigsaw cut and printed."""
    result = made(drawing or pictured(), making, Machine(bed_width=100, bed_height=75), Material())
    sheets = [plan.drawing for plan in result.plans]
    write_all(sheets, folder / f"board{suffix}", OPTIONS, fronts=result.fronts)
    return result


def rendered(path: Path, dpi: int = DPI) -> Pixels:
    """The first page of a PDF as poppler draws it."""
    if which("pdftoppm") is None:
        pytest.skip("poppler is not installed")
    command = ["pdftoppm", "-r", str(dpi), "-f", "1", "-l", "1", "-png", "-singlefile", str(path)]
    return np.asarray(
        Image.open(io.BytesIO(subprocess.run(command, capture_output=True, check=True).stdout)).convert("RGB")
    )


def discs(pixels: Pixels, dpi: int = DPI) -> Floats:
    """The middles (4, 2) in mm of what is black in the quarters of a page."""
    dark = 255.0 - pixels.max(axis=2)
    dark[dark < 200] = 0.0
    high, wide = (side // 2 for side in dark.shape)
    found = []
    for down, across in ((0, 0), (0, 1), (1, 1), (1, 0)):
        part = dark[down * high :, across * wide :] if down or across else dark[:high, :wide]
        part = part[:high, :wide] if not (down and across) else part
        rows, columns = np.mgrid[0 : part.shape[0], 0 : part.shape[1]] + 0.5
        total = part.sum()
        found.append((across * wide + (part * columns).sum() / total, down * high + (part * rows).sum() / total))
    return np.array(found) * 25.4 / dpi


def marks_in_dxf(path: Path) -> Floats:
    """The middles of the marks of a cut file as ezdxf reads it, y downwards, clockwise from the upper left."""
    ezdxf = pytest.importorskip("ezdxf")
    document = ezdxf.readfile(path)
    height = document.header["$EXTMAX"][1]
    boxes = [
        np.array([point[:2] for point in line.get_points()])
        for line in document.modelspace().query("*[layer=='MARKS']")
    ]
    middles = np.array([((box.min(axis=0) + box.max(axis=0)) / 2) for box in boxes]) * (1, -1) + (0, height)
    return in_turn(middles)


def in_turn(middles: Floats) -> Floats:
    """Four places clockwise from the upper left one."""
    out = middles - middles.mean(axis=0)
    return np.asarray(middles[np.argsort(np.arctan2(out[:, 1], out[:, 0]))])


@pytest.mark.parametrize(
    "making",
    [
        Making(marks="circles", bleed=3.0),
        Making(marks="circles", mark_size=3.0, page="bed"),
        Making(marks="circles", bleed=1.0, lines="separate", layout=IN_PLACE, spacing=4.0),
    ],
)  # fmt: skip
def test_marks_of_print_and_cut_file_agree(tmp_path: Path, making: Making) -> None:
    exported(tmp_path, ".dxf", making, pictured(3, 2))
    seen = in_turn(discs(rendered(tmp_path / "board-print.pdf")))
    assert np.abs(seen - marks_in_dxf(tmp_path / "board.dxf")).max() <= 0.05


def test_marks_are_where_a_reader_of_pdf_finds_them(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    exported(tmp_path, ".dxf", Making(marks="circles", bleed=3.0))
    page = pypdf.PdfReader(tmp_path / "board-print.pdf").pages[0]
    points: list[list[tuple[float, float]]] = []

    def visit(operator: bytes, operands: list[float], matrix: list[float], _text: list[float]) -> None:
        if operator == b"m":
            points.append([])
        if operator in (b"m", b"l"):
            x, y = map(float, operands)
            a, b, c, d, e, f = matrix
            points[-1].append((a * x + c * y + e, b * x + d * y + f))

    page.extract_text(visitor_operand_before=visit)
    middles = np.array([(np.min(ring, axis=0) + np.max(ring, axis=0)) / 2 for ring in points[-4:]]) * 25.4 / 72
    middles = middles * (1, -1) + (0, float(page.mediabox.height) * 25.4 / 72)
    assert np.abs(in_turn(middles) - marks_in_dxf(tmp_path / "board.dxf")).max() <= 0.01


def test_the_print_bleeds_past_the_outline_and_shows_no_cuts(tmp_path: Path) -> None:
    exported(tmp_path, ".svg", Making(marks="circles", bleed=3.0))
    pixels = rendered(tmp_path / "board-print.pdf", 254)
    room = 3.0 + 2.0 + 5.0
    height, width = pixels.shape[:2]
    assert (width, height) == pytest.approx((10 * (100 + 2 * room), 10 * (75 + 2 * room)), abs=1)

    def at(x: float, y: float) -> Ints:
        return np.asarray(pixels[round(10 * (y + room)), round(10 * (x + room))].astype(np.int64))

    for y in (10, 40, 70):
        assert np.abs(at(-2.5, y) - at(0.2, y)).max() <= 25, "the edge goes on"
        assert (at(-3.4, y) == 255).all() and (at(103.4, y) == 255).all(), "and ends where it should"
    dark = pixels.max(axis=2) < 60
    inside = dark[round(10 * room) : -round(10 * room), round(10 * room) : -round(10 * room)]
    assert not inside.any(), "no line is printed over the picture"


def test_a_picture_larger_than_the_board_bleeds_with_its_own_pixels(tmp_path: Path) -> None:
    drawing = board(4, 3)
    larger = Picture(photograph(120, 95), PNG, (-10, -10, 120, 95))
    exported(tmp_path, ".svg", Making(bleed=3.0), replace(drawing, artwork=(larger,)))
    pixels = rendered(tmp_path / "board-print.pdf", 254)
    said = (pixels[500, 3].astype(float)[0] - 80) / 160 * 120 - 10
    assert said == pytest.approx(-2.7, abs=0.5)


def test_a_sheet_cut_from_the_back_is_printed_from_the_front(tmp_path: Path) -> None:
    exported(tmp_path, ".dxf", Making(marks="circles", mirror=True))
    pixels = rendered(tmp_path / "board-print.pdf", 254)
    assert int(pixels[400, 120, 0]) < int(pixels[400, -120, 0]), "bright on the right, as the photograph is"
    seen, cut = in_turn(discs(rendered(tmp_path / "board-print.pdf"))), marks_in_dxf(tmp_path / "board.dxf")
    assert np.abs(in_turn(seen * (-1, 1) + (100 + 2 * 7, 0)) - cut).max() <= 0.05


@pytest.mark.parametrize(("marks", "count"), [("crosses", 8), ("circles", 4)])
def test_marks_are_a_layer_of_their_own_that_lightburn_never_runs(tmp_path: Path, marks: str, count: int) -> None:
    exported(tmp_path, ".lbrn2", Making(marks=marks))
    root = ElementTree.parse(tmp_path / "board.lbrn2").getroot()
    tools = [each for each in root.iter("CutSetting") if each.get("type") == "Tool"]
    assert [each.find("index").get("Value") for each in tools] == ["30"]  # type: ignore[union-attr]
    assert sum(shape.get("CutIndex") == "30" for shape in root.iter("Shape")) == count
    exported(tmp_path, ".svg", Making(marks=marks))
    groups = ElementTree.parse(tmp_path / "board.svg").getroot().findall("{http://www.w3.org/2000/svg}g")
    assert groups[-1].get("id") == "MARKS" and len(groups[-1]) == count


def test_marks_cost_no_time_and_no_cut() -> None:
    drawing = pictured()
    plain, marked = (made(drawing, Making(marks=marks), Machine(), Material()) for marks in ("none", "circles"))
    assert marked.cut == pytest.approx(plain.cut) and marked.seconds == pytest.approx(plain.seconds, abs=0.2)
    assert marked.plans[0].travel == pytest.approx(plain.plans[0].travel)


def test_several_sheets_are_pages_of_one_print(tmp_path: Path) -> None:
    pypdf = pytest.importorskip("pypdf")
    machine = Machine(bed_width=140, bed_height=130)
    result = made(pictured(), Making(page="bed", copies=3, marks="crosses"), machine, Material())
    sheets = [plan.drawing for plan in result.plans]
    write_all(sheets, tmp_path / "board.svg", OPTIONS)
    pages = pypdf.PdfReader(tmp_path / "board-print.pdf").pages
    assert len(pages) == len(sheets) == 3
    assert [float(page.mediabox.width) for page in pages] == pytest.approx([140 * 72 / 25.4] * 3, abs=0.01)


def test_regions_bleed_too() -> None:
    drawing = board(2, 2)
    half = Region((np.array([(0.0, 0), (25, 0), (25, 50), (0, 50)]),), "#FF0000")
    (plan,) = made(replace(drawing, artwork=(half,)), Making(bleed=2.0), Machine(), Material()).plans
    (region,) = plan.drawing.artwork
    assert isinstance(region, Region)
    low, high = region.rings[0].min(axis=0), region.rings[0].max(axis=0)
    assert low == pytest.approx([0, 0], abs=0.01) and high[1] == pytest.approx(54, abs=0.01)


def test_what_cannot_be_printed_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match="no artwork to print or engrave"):
        exported(tmp_path, ".svg", Making(), board(2, 2))
    huge = replace(pictured(2, 2), artwork=(Picture(photograph(10, 10), PNG, (0, 0, 10, 10)),))
    with pytest.raises(StudioError, match="leaves no room"):
        made(huge, Making(page="bed", marks="circles", mark_size=50, bleed=20), Machine(bed_width=100), Material())
    assert list(tmp_path.iterdir()) == []
