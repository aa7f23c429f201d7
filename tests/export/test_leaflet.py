"""Leaflets as files: read back by hands that are not ours, the same bytes each time, whole or not at all."""

import base64
import io
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.exporting.formats import PAPER
from studio.exporting.options import PAPERS, LeafletOptions, Unreadable
from studio.exporting.writing import write_leaflet
from studio.geometry.art.artwork import PNG, Picture
from studio.paper.fonts import spelled, typeset, unset
from studio.paper.leaflet import Anchor, Area, Leaflet, Line, Mark, MarkGroup, Page, Words, box, centred, width_of
from studio.puzzles.abilities.printable import PaperPrintable
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign
from tests.depth import examples
from tests.export.proofs import proven

MM = 25.4 / 72
SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
GREEK, CZECH = "Κουτί του λιμανιού", "Žluťoučký kůň"


def picture(image: Image.Image, name: str = "PNG", at: tuple[float, float] = (60, 90), **options: object) -> Picture:
    file = io.BytesIO()
    image.save(file, name, **options)
    return Picture.from_bytes(file.getvalue(), (*at, 20, 10))


NOISE = Image.effect_noise((60, 30), 90)
PHOTO = picture(Image.merge("RGB", [NOISE, NOISE.rotate(180), Image.linear_gradient("L").resize((60, 30))]), "JPEG")
CURVE = Line(
    np.array([[10.0, 95], [20, 85], [30, 105], [40, 95], [50, 85], [55, 95], [60, 95]]), "#D55E00", 0.5, curved=True
)
SENTENCE = Words("A (first) & <last> × 2", (10, 70), 4, "#22242A")
MARKS: tuple[Mark, ...] = (
    Area((box(20, 20, 30, 30), box(30, 30, 10, 10)), "#E69F00", "#1D1F24", 0.3),
    Line(np.array([[10.0, 90.0], [60.0, 90.0]]), "#5C6068", 0.2, dashes=(2, 1)),
    SENTENCE,
    Words("to the right", (90, 80), 4, "#22242A", Anchor.END, bold=True),
    centred("F", np.array([35.0, 25.0]), 6, "#FFFFFF", bold=True, turn=np.array([[0.87, 0.5], [0, 1]])),
    CURVE,
    PHOTO,
)
PLAIN = Leaflet("A test", (Page(100, 120, (MarkGroup("all", MARKS),)),))


def leaflet(*marks: Mark) -> Leaflet:
    return Leaflet("A test", (Page(100, 120, (MarkGroup("all", marks),)),))


def assembly(name: str = "Harbour box") -> Leaflet:
    shapes = CUBE.shape(CubeDesign(), None, Progress())
    return CUBE.need(PaperPrintable).leaflet(shapes, name, PAPERS["A4"], Progress())


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
    for sentence in (
        "Harbour box",
        "seed 7",
        "Unique solution (exhaustive search, 19 nodes).",
        "Start with E, the bottom.",
    ):
        assert sentence in text
    assert sum(text.count(f"Push in {letter} from") for letter in "ABCDF") == 5
    assert reader.metadata is not None and reader.metadata.title == "Harbour box: assembly sheet"


def test_an_svg_has_six_steps_and_the_net_is_as_large_as_its_cells(tmp_path: Path) -> None:
    (report,) = write_leaflet(assembly(), tmp_path / "sheet.svg")
    root = ElementTree.parse(tmp_path / "sheet.svg").getroot()
    assert (root.attrib["width"], root.attrib["height"]) == ("210mm", "297mm") and report.width == 210
    groups = {group.attrib["id"]: group for group in root.iterfind(f"{SVG}g")}
    assert [name for name in groups if name.startswith("step")] == [f"step-{number}" for number in range(1, 7)]
    net = groups["net"]
    assert sorted(group.attrib["aria-label"] for group in net.iter(f"{SVG}g") if group is not net) == list("ABCDEF")
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


@pytest.mark.parametrize("name", [GREEK, CZECH, "Čtverec 12×12 “Ω” … ж"])
def test_words_of_any_language_can_be_found_in_a_pdf(tmp_path: Path, name: str) -> None:
    write_leaflet(assembly(name), tmp_path / "sheet.pdf")
    reader = PdfReader(tmp_path / "sheet.pdf", strict=True)
    assert name in reader.pages[0].extract_text().replace("\n", "")
    assert reader.metadata is not None and reader.metadata.title == f"{name}: assembly sheet"
    root = write_and_parse(assembly(name), tmp_path / "sheet.svg")
    assert name in [group.get("aria-label") for group in root.iter(f"{SVG}g")]


def fonts_in(path: Path) -> dict[str, Any]:
    """The descendant fonts of the first page by their names, as pypdf finds them."""
    resources: Any = PdfReader(path, strict=True).pages[0]["/Resources"]
    found = (font.get_object()["/DescendantFonts"][0].get_object() for font in resources["/Font"].values())
    return {str(font["/BaseFont"]): font for font in found}


def test_the_fonts_in_a_pdf_hold_the_letters_that_are_used_and_no_others(tmp_path: Path) -> None:
    write_leaflet(leaflet(Words("Žába AVA", (10, 20), 4, "#22242A")), tmp_path / "words.pdf")
    ((name, font),) = fonts_in(tmp_path / "words.pdf").items()
    assert re.fullmatch(r"/[A-Z]{6}\+DejaVuSans", name)
    program = TTFont(io.BytesIO(font["/FontDescriptor"]["/FontFile2"].get_data()))
    drawn = [glyph for glyph in program.getGlyphOrder() if program["glyf"][glyph].numberOfContours]
    # Box, Ž á b a A V, and what Ž and á are made of.
    assert 7 <= len(drawn) <= 11 and (tmp_path / "words.pdf").stat().st_size < 9000
    order = np.frombuffer(font["/CIDToGIDMap"].get_data(), ">u2").tolist()
    first, widths = font["/W"]
    assert first == 0 and len(order) == len(widths) == 1 + len(set("Žába AVA"))
    advances = [program["hmtx"][program.getGlyphName(glyph)][0] * 1000 / 2048 for glyph in order]
    assert [float(width) for width in widths] == pytest.approx(advances, abs=1e-3)


@pytest.mark.skipif(shutil.which("pdffonts") is None, reason="poppler is not installed")
@pytest.mark.parametrize("name", [GREEK, CZECH])
def test_poppler_finds_every_font_embedded_and_the_words(tmp_path: Path, name: str) -> None:
    write_leaflet(assembly(name), tmp_path / "sheet.pdf")
    rows = said_by("pdffonts", tmp_path / "sheet.pdf").splitlines()[2:]
    assert sorted(re.sub(r"^\w+\+", "", row).split()[0] for row in rows) == ["DejaVuSans", "DejaVuSans-Bold"]
    assert all(row.split()[-5:-2] == ["yes", "yes", "yes"] for row in rows), "embedded, a subset, with its letters"
    told = said_by("pdftotext", tmp_path / "sheet.pdf", "-")
    assert name in told and "Unique solution (exhaustive search, 19 nodes)." in told and "Push in F from above." in told


def said_by(*command: str | Path) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout


def write_and_parse(thing: Leaflet, path: Path) -> ElementTree.Element:
    write_leaflet(thing, path)
    return ElementTree.parse(path).getroot()


def test_an_svg_says_the_same_words_and_draws_their_outlines(tmp_path: Path) -> None:
    root = write_and_parse(PLAIN, tmp_path / "plain.svg")
    words = [group for group in root.iter(f"{SVG}g") if "aria-label" in group.attrib]
    assert [group.attrib["aria-label"] for group in words] == ["A (first) & <last> × 2", "to the right", "F"]
    assert words[2].attrib["transform"].startswith("matrix(0.00522 0.003 0 0.006 ")
    assert not list(root.iter(f"{SVG}text"))
    drawn = {path.attrib["id"]: path.attrib["d"] for path in root.iterfind(f"{SVG}defs/{SVG}path")}
    assert [len(group) for group in words] == [len(group.attrib["aria-label"].replace(" ", "")) for group in words]
    for group in words:
        assert all(drawn[use.attrib[LINK].removeprefix("#")].startswith("M") for use in group)
    starts = [float(use.attrib["x"]) for use in words[1]]
    (run,) = typeset("to the right", bold=True).runs
    places = [place for letter, place in zip(run.letters, run.places, strict=True) if letter != " "]
    shift = typeset("to the right", bold=True).width
    assert starts == pytest.approx([place - shift for place in places], abs=0.06)


KINDS = {
    "photograph": PHOTO,
    "grey photograph": picture(NOISE, "JPEG"),
    "colours": picture(Image.merge("RGB", [NOISE] * 3)),
    "grey": picture(NOISE),
    "palette": picture(Image.merge("RGB", [NOISE] * 3).convert("P")),
    "black and white": picture(NOISE.convert("1")),
    "glass": picture(Image.merge("RGBA", [NOISE] * 3 + [NOISE.rotate(180)])),
    "one colour clear": picture(Image.merge("RGB", [NOISE] * 3), transparency=(0, 0, 0)),
}


@pytest.mark.parametrize("name", KINDS)
def test_a_picture_is_in_an_svg_byte_by_byte(tmp_path: Path, name: str) -> None:
    root = write_and_parse(leaflet(KINDS[name]), tmp_path / "picture.svg")
    (image,) = root.iter(f"{SVG}image")
    assert base64.b64decode(image.attrib[LINK].partition(",")[2]) == KINDS[name].data
    assert [float(image.attrib[side]) for side in ("x", "y", "width", "height")] == [60, 90, 20, 10]


@pytest.mark.parametrize("name", ["colours", "grey", "palette", "glass", "one colour clear"])
def test_a_picture_is_in_a_pdf_pixel_by_pixel(tmp_path: Path, name: str) -> None:
    write_leaflet(leaflet(KINDS[name]), tmp_path / "picture.pdf")
    (found,) = PdfReader(tmp_path / "picture.pdf", strict=True).pages[0].images
    assert found.image is not None
    np.testing.assert_array_equal(found.image.convert("RGBA"), KINDS[name].decoded().convert("RGBA"))


@pytest.mark.skipif(shutil.which("pdfimages") is None, reason="poppler is not installed")
@pytest.mark.parametrize("name", KINDS)
def test_a_picture_is_in_a_pdf_as_poppler_unpacks_it(tmp_path: Path, name: str) -> None:
    write_leaflet(leaflet(KINDS[name]), tmp_path / "picture.pdf")
    said_by("pdfimages", "-png", tmp_path / "picture.pdf", tmp_path / "found")
    colours, *masks = (Image.open(path) for path in sorted(tmp_path.glob("found-*")))
    wanted = KINDS[name].decoded()
    np.testing.assert_array_equal(colours.convert("RGB"), wanted.convert("RGB"))
    assert len(masks) == wanted.has_transparency_data
    for mask in masks:
        np.testing.assert_array_equal(mask, wanted.convert("RGBA").getchannel("A"))


def test_a_picture_on_two_pages_is_in_the_file_once(tmp_path: Path) -> None:
    one = leaflet(PHOTO).pages
    write_leaflet(Leaflet("x", one), tmp_path / "one.pdf")
    write_leaflet(Leaflet("x", one * 3), tmp_path / "three.pdf")
    sizes = [(tmp_path / name).stat().st_size for name in ("one.pdf", "three.pdf")]
    assert sizes[1] - sizes[0] < 1500


CHANGED: dict[str, Mark] = {
    "letters": replace(SENTENCE, text="A (first) & <lost> × 2"),
    "place of words": replace(SENTENCE, place=(10.1, 70)),
    "size of words": replace(SENTENCE, size=4.1),
    "weight of words": replace(SENTENCE, bold=True),
    "colour of words": replace(SENTENCE, colour="#22242F"),
    "point of a line": Line(np.array([[10.0, 90.0], [60.0, 90.5]]), "#5C6068", 0.2, dashes=(2, 1)),
    "dashes": Line(np.array([[10.0, 90.0], [60.0, 90.0]]), "#5C6068", 0.2, dashes=(2, 2)),
    "width of a line": Line(np.array([[10.0, 90.0], [60.0, 90.0]]), "#5C6068", 0.4, dashes=(2, 1)),
    "hole": Area((box(20, 20, 30, 30),), "#E69F00", "#1D1F24", 0.3),
    "rim": Area((box(20, 20, 30, 30), box(30, 30, 10, 10)), "#E69F00"),
    "straight line": Line(CURVE.points, "#D55E00", 0.5),
    "place of a picture": replace(PHOTO, box=(60, 91, 20, 10)),
    "picture": picture(Image.merge("RGB", [NOISE.rotate(180)] * 3), "JPEG"),
}
KEPT = {"words": 2, "letters": 2, "line": 1, "dashes": 1, "hole": 0, "rim": 0, "straight line": 5, "picture": 6}


@pytest.mark.parametrize("known", PAPER.members, ids=lambda known: known.name)
@pytest.mark.parametrize("change", CHANGED)
def test_a_file_in_which_a_mark_is_not_as_it_was_drawn_does_not_pass(known: Any, change: str) -> None:
    kept = MARKS[KEPT.get(change, KEPT[change.split()[-1]])]
    data = known.write(leaflet(CHANGED[change]), LeafletOptions())
    assert proven(known, data, leaflet(CHANGED[change]), LeafletOptions()).pages == 1
    with pytest.raises(Unreadable, match="something in all differs from the drawing"):
        proven(known, data, leaflet(kept), LeafletOptions())


@pytest.mark.parametrize("known", PAPER.members, ids=lambda known: known.name)
def test_what_we_do_not_write_is_not_read(known: Any) -> None:
    data = known.write(PLAIN, LeafletOptions())
    swaps = {
        ".pdf": [(b"1 J 1 j", b"1 J 1 i"), (b" TJ", b" Tj"), (b"EMC", b"EMx"), (b"/F1 4 Tf", b"/F9 4 Tf")],
        ".svg": [(b"<image", b"<embed"), (b"#glyph-1", b"#glyph-0"), (b'viewBox="0 0 100', b'viewBox="0 0 101')],
    }
    for old, new in swaps[known.suffix]:
        assert old in data
        with pytest.raises(Unreadable):
            proven(known, data.replace(old, new), PLAIN, LeafletOptions())


def test_words_that_look_like_a_picture_are_words(tmp_path: Path) -> None:
    text = """<image xlink:href="data:image/png;base64,AAAA" it's"""
    root = write_and_parse(leaflet(PHOTO, Words(text, (10, 20), 4, "#22242A"), PHOTO), tmp_path / "words.svg")
    assert [group.attrib["aria-label"] for group in root.iter(f"{SVG}g") if "aria-label" in group.attrib] == [text]


@given(st.text(max_size=40))
@settings(max_examples=examples(20, 400))
def test_any_text_is_written_and_read_back_or_refused(text: str) -> None:
    thing = leaflet(Words(text, (10, 20), 4, "#22242A"))
    for known in PAPER.members:
        if not unset(text):
            data = known.write(thing, LeafletOptions())
            assert proven(known, data, thing, LeafletOptions()).pages == 1
            assert True


@given(st.text(min_size=1, max_size=12))
@settings(max_examples=examples(30))
def test_any_name_is_written_or_refused_before_a_file_is_begun(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    folder = tmp_path_factory.mktemp("any")
    try:
        write_leaflet(leaflet(Words(text, (10, 20), 4, "#22242A")), folder / "a.pdf")
    except StudioError as problem:
        assert str(problem).startswith("Page 1, line 1: ") and list(folder.iterdir()) == []
    else:
        found = PdfReader(folder / "a.pdf").pages[0].extract_text()
        assert "".join(found.split()) == "".join(spelled(text).split())


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


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet.svg"])
def test_a_name_that_no_font_has_is_refused_before_a_file_is_begun(tmp_path: Path, name: str) -> None:
    sentence = refused(lambda: write_leaflet(assembly("box 箱"), tmp_path / name))
    assert sentence == "Page 1, line 1: no font has “箱” (U+7BB1 cjk unified ideograph-7bb1)."
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["sheet.pdf", "sheet.svg"])
def test_a_broken_picture_is_refused_before_a_file_is_begun(tmp_path: Path, name: str) -> None:
    broken = Picture(KINDS["colours"].data[:700], PNG, (5, 7, 10, 10))
    sentence = refused(lambda: write_leaflet(leaflet(*MARKS, broken), tmp_path / name))
    assert sentence == "Page 1: The picture at 5, 7 mm is damaged or truncated."
    assert list(tmp_path.iterdir()) == []


def test_control_characters_of_a_name_are_left_out(tmp_path: Path) -> None:
    # The last is what Python makes of a byte in the name of a file that is no letter.
    for name in ("sheet.pdf", "sheet.svg"):
        write_leaflet(assembly("a\x07b\n\udcff"), tmp_path / name)
    known = PdfReader(tmp_path / "sheet.pdf").metadata
    assert known is not None and known.title == "ab: assembly sheet"
    assert "ab" in PdfReader(tmp_path / "sheet.pdf").pages[0].extract_text()


def test_another_ending_and_another_paper_are_refused(tmp_path: Path) -> None:
    assert "Use .pdf or .svg" in refused(lambda: write_leaflet(PLAIN, tmp_path / "sheet.txt"))
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
