"""Leaflets as files: read back by hands that are not ours, the same bytes each time, whole or not at all."""

import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from pypdf import PdfReader
from pypdf._codecs.core_font_metrics import CORE_FONT_METRICS

from studio.errors import StudioError
from studio.export.leaflet import write_leaflet
from studio.export.pages import PAPERS
from studio.export.paper import LeafletOptions
from studio.paper.leaflet import Anchor, Area, Leaflet, Line, MarkGroup, Page, Words, box, centred, shortened, width_of
from studio.parameters import ParameterError
from studio.progress import Progress
from studio.puzzles.abilities.pages import Pages
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign

MM = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"

MARKS = (
    Area((box(20, 20, 30, 30), box(30, 30, 10, 10)), "#E69F00", "#1D1F24", 0.3),
    Line(np.array([[10.0, 90.0], [60.0, 90.0]]), "#5C6068", 0.2, dashes=(2, 1)),
    Words("A (first) & <last> × 2", (10, 70), 4, "#22242A"),
    Words("to the right", (90, 80), 4, "#22242A", Anchor.END, bold=True),
    centred("F", np.array([35.0, 25.0]), 6, "#FFFFFF", bold=True, turn=np.array([[0.87, 0.5], [0, 1]])),
)
PLAIN = Leaflet("A test", (Page(100, 120, (MarkGroup("all", MARKS),)),))


def assembly(name: str = "Harbour box") -> Leaflet:
    shapes = CUBE.shape(CubeDesign(), None, Progress())
    return CUBE.need(Pages).lay_out(shapes, name, PAPERS["A4"], Progress())


def area_of(data: str) -> float:
    """What the closed lines of a path enclose, one that goes the other way taken off."""
    whole = 0.0
    for loop in re.findall(r"M([^Z]*)Z", data):
        x, y = np.array([list(map(float, pair.split(","))) for pair in loop.replace("L", " ").split()]).T
        whole += float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum() / 2)
    return abs(whole)


def test_a_pdf_has_a_page_of_the_paper_and_the_words_can_be_found(tmp_path: Path) -> None:
    (report,) = write_leaflet(assembly(), tmp_path / "sheet.pdf")
    assert (report.pages, report.bytes) == (1, (tmp_path / "sheet.pdf").stat().st_size)
    reader = PdfReader(tmp_path / "sheet.pdf", strict=True)
    (page,) = reader.pages
    assert [float(side) * MM for side in (page.mediabox.width, page.mediabox.height)] == pytest.approx([210, 297])
    text = page.extract_text()
    for sentence in ("Harbour box", "seed 7", "One solution, proven: 19 steps.", "Lay down E, the bottom."):
        assert sentence in text
    assert sum(text.count(f"Push in {letter} from") for letter in "ABCDF") == 5
    assert reader.metadata is not None and reader.metadata.title == "Harbour box: assembly sheet"


def test_an_svg_has_six_steps_and_the_net_is_as_large_as_its_cells(tmp_path: Path) -> None:
    (report,) = write_leaflet(assembly(), tmp_path / "sheet.svg")
    root = ElementTree.parse(tmp_path / "sheet.svg").getroot()
    assert (root.attrib["width"], root.attrib["height"]) == ("210mm", "297mm") and report.width == 210
    groups = {group.attrib["id"]: group for group in root.iter(f"{SVG}g")}
    assert [name for name in groups if name.startswith("step")] == [f"step-{number}" for number in range(1, 7)]
    net = groups["net"]
    assert sorted(text.text or "" for text in net.iter(f"{SVG}text")) == list("ABCDEF")
    filled = [path.attrib["d"] for path in net.iter(f"{SVG}path") if path.attrib["fill"] != "none"]
    fold = next(path.attrib["d"] for path in net.iter(f"{SVG}path") if "stroke-dasharray" in path.attrib)
    ends = np.array([list(map(float, pair.split(","))) for pair in fold[1:].replace("L", "").split()])
    unit = float(np.linalg.norm(ends[1] - ends[0])) / 4
    assert len(filled) == 6
    assert sum(map(area_of, filled)) == pytest.approx(96 * unit**2, rel=1e-3)


@pytest.mark.parametrize("name", ["one.pdf", "one.svg"])
def test_the_same_leaflet_gives_the_same_bytes_without_a_date(tmp_path: Path, name: str) -> None:
    write_leaflet(assembly(), tmp_path / name)
    write_leaflet(assembly(), tmp_path / f"again-{name}")
    data = (tmp_path / name).read_bytes()
    assert data == (tmp_path / f"again-{name}").read_bytes()
    assert b"Date" not in data and b"/ID" not in data


def test_words_stand_where_they_should_in_a_pdf(tmp_path: Path) -> None:
    write_leaflet(PLAIN, tmp_path / "plain.pdf")
    content = PdfReader(tmp_path / "plain.pdf", strict=True).pages[0].get_contents()
    assert content is not None
    places = [
        np.array([float(str(each)) for each in operands])
        for operands, operator in content.operations
        if operator == b"Tm"
    ]
    assert places[0].tolist() == [1, 0, 0, -1, 10, 70]
    assert places[1][4] == pytest.approx(90 - width_of("to the right", 4, bold=True), abs=1e-3)
    assert places[2][:4].tolist() == [0.87, 0.5, 0, -1]
    assert "A (first) & <last> × 2" in PdfReader(tmp_path / "plain.pdf").pages[0].extract_text()


def test_an_svg_says_the_same_words(tmp_path: Path) -> None:
    write_leaflet(PLAIN, tmp_path / "plain.svg")
    texts = list(ElementTree.parse(tmp_path / "plain.svg").getroot().iter(f"{SVG}text"))
    assert [text.text for text in texts] == ["A (first) & <last> × 2", "to the right", "F"]
    assert texts[1].attrib["text-anchor"] == "end" and texts[2].attrib["transform"].startswith("matrix(0.87 0.5 0 1 ")


@pytest.mark.parametrize(("bold", "font"), [(False, "Helvetica"), (True, "Helvetica-Bold")])
def test_letters_are_as_wide_as_adobe_says(bold: bool, font: str) -> None:
    known = CORE_FONT_METRICS[font].character_widths
    for sign in map(chr, range(32, 127)):
        # ' and ` are straight in Windows' code and bent in Adobe's own.
        if sign in known and sign not in "'`":
            assert width_of(sign, 1000, bold=bold) == known[sign], sign


def test_words_that_are_too_wide_lose_their_end() -> None:
    assert shortened("short", 4, 50) == "short"
    cut = shortened("a very long name of a box", 4, 30)
    assert cut.endswith("…") and width_of(cut, 4) <= 30 < width_of(f"{cut[:-1]}ab…", 4)


def test_several_pages_are_one_pdf_and_several_svgs(tmp_path: Path) -> None:
    two = Leaflet("Two", (PLAIN.pages[0], Page(120, 100, PLAIN.pages[0].groups)))
    (report,) = write_leaflet(two, tmp_path / "two.pdf")
    assert report.pages == 2 and len(PdfReader(tmp_path / "two.pdf").pages) == 2
    reports = write_leaflet(two, tmp_path / "two.svg")
    assert [report.path.name for report in reports] == ["two-1.svg", "two-2.svg"]
    assert [report.width for report in reports] == [100, 120]


def refused(make: Callable[[], object]) -> str:
    with pytest.raises(StudioError) as problem:
        make()
    return str(problem.value)


def test_a_name_that_pdf_cannot_spell_is_refused_and_an_svg_takes_it(tmp_path: Path) -> None:
    sentence = refused(lambda: write_leaflet(assembly("куб"), tmp_path / "sheet.pdf"))
    assert sentence == "A PDF's own letters have no к; write an SVG, or give the file another name."
    assert list(tmp_path.iterdir()) == []
    write_leaflet(assembly("куб"), tmp_path / "sheet.svg")
    assert ElementTree.parse(tmp_path / "sheet.svg").getroot()[0].text == "куб: assembly sheet"


def test_control_characters_of_a_name_are_left_out(tmp_path: Path) -> None:
    # The last is what Python makes of a byte in the name of a file that is no letter.
    for name in ("sheet.pdf", "sheet.svg"):
        write_leaflet(assembly("a\x07b\n\udcff"), tmp_path / name)
    known = PdfReader(tmp_path / "sheet.pdf").metadata
    assert known is not None and known.title == "ab: assembly sheet"
    assert "ab" in PdfReader(tmp_path / "sheet.pdf").pages[0].extract_text()


def test_another_ending_and_another_paper_are_refused(tmp_path: Path) -> None:
    assert "there are .pdf and .svg" in refused(lambda: write_leaflet(PLAIN, tmp_path / "sheet.txt"))
    with pytest.raises(ParameterError, match="paper"):
        LeafletOptions(paper="papyrus")
    assert LeafletOptions(paper="Letter").size == (215.9, 279.4)


def test_a_file_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    old = tmp_path / "sheet.svg"
    old.write_text("old")
    broken = Leaflet("x", (PLAIN.pages[0], Page(float("nan"), 10, ())))
    (tmp_path / "sheet-1.svg").write_text("older")
    refused(lambda: write_leaflet(broken, old))
    assert (tmp_path / "sheet-1.svg").read_text() == "older" and old.read_text() == "old"
