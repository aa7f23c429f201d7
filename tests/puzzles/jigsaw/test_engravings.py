"""Texts and drawings on the face and the back of a jigsaw: where they are, what they disturb, how they are made."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.files.drawing_import import read_lines
from studio.files.store import dumps, loads
from studio.geometry.planar.drawing import Drawing, Operation
from studio.paper.fonts import FOLDER
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.engravings import (
    BACK,
    OUTLINE,
    Engraving,
    EngravingSetting,
    free_name,
    inscribed,
    of_drawing,
    of_text,
)
from tests.classic import classic

MOST_POINTS = 60_000

PLAIN = JigsawDesign(classic(columns=4, rows=3, width=100, height=75))
POSE = Pose(x=50, y=30, height=10)
NAMED = PLAIN.with_engraving(Engraving("text1", POSE, "Anna"))


def shapes_of(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def engraved(drawing: Drawing) -> list[shapely.LineString]:
    """The engraved lines of a drawing."""
    lines = drawing.strokes.flattened(0.01)
    return [
        shapely.LineString(lines[one.strokes[0] >> 1]) for one in drawing.chains if one.operation is Operation.ENGRAVE
    ]


def test_a_text_is_engraved_where_and_as_high_as_asked_and_before_all_cuts() -> None:
    whole = shapes_of(NAMED).whole
    left, top, right, bottom = shapely.union_all(engraved(whole)).bounds
    assert (left + right) / 2 == pytest.approx(50, abs=0.01)
    assert (top, bottom) == pytest.approx((25, 35), abs=0.3), "capitals are 10 mm high about the place"
    assert whole.chains[0].operation is Operation.ENGRAVE
    operations = [one.operation for one in made(whole, Making(), Machine(), Material()).plans[0].drawing.chains]
    assert operations[0] is Operation.ENGRAVE
    assert operations == sorted(operations, key=list(Operation).index)


def test_cuts_and_their_findings_stay_what_they_were() -> None:
    plain, named = shapes_of(PLAIN), shapes_of(NAMED)
    assert np.array_equal(named.drawing.strokes.points, plain.drawing.strokes.points)
    whole = named.whole
    assert np.array_equal(whole.strokes.points[: len(plain.drawing.strokes.points)], plain.drawing.strokes.points)
    assert whole.cut_length == plain.drawing.cut_length and whole.pieces is named.drawing.pieces
    assert check(NAMED, named, None, Progress()).findings == check(PLAIN, plain, None, Progress()).findings
    assert shapes_of(PLAIN).whole is not None and plain.whole is plain.drawing


def test_an_engraving_that_leaves_the_board_is_found_by_every_check() -> None:
    beyond = PLAIN.with_engraving(Engraving("text1", replace(POSE, x=2), "Anna"))
    shapes = shapes_of(beyond)
    fresh = check(beyond, shapes, None, Progress())
    assert [one.kind for one in fresh.findings if one.kind == "engraving"] == ["engraving"]
    within = check(NAMED, shape(NAMED, shapes, Progress()), fresh, Progress())
    assert not [one for one in within.findings if one.kind == "engraving"]
    again = check(beyond, shape(beyond, shape(NAMED, shapes, Progress()), Progress()), within, Progress())
    assert again.findings == fresh.findings


def test_what_is_on_the_back_is_a_file_that_reads_normally_and_fits_when_turned_over() -> None:
    design = NAMED.with_engraving(Engraving("text2", replace(POSE, x=20, y=60), "Li", side=BACK))
    whole = shapes_of(design).whole
    result = made(whole, Making(kerf=0), Machine(), Material())
    ((_, word, back),) = result.beside
    assert word == "back" and not any(one.is_on_back for one in result.plans[0].drawing.chains)
    marks = engraved(back)
    left, top, right, bottom = shapely.union_all(marks).bounds
    assert ((left + right) / 2, (top + bottom) / 2) == pytest.approx((80, 60), abs=0.3)
    face = engraved(shapes_of(PLAIN.with_engraving(Engraving("text1", replace(POSE, x=80, y=60), "Li"))).whole)
    assert shapely.hausdorff_distance(shapely.union_all(face), shapely.union_all(marks)) < 0.01, "it is not mirrored"
    assert len(engraved(result.plans[0].drawing)) == len(engraved(shapes_of(NAMED).whole))


def test_a_board_cut_from_its_back_takes_the_back_along_and_leaves_the_face_apart() -> None:
    design = NAMED.with_engraving(Engraving("text2", replace(POSE, x=20, y=60), "Li", side=BACK))
    result = made(shapes_of(design).whole, Making(mirror=True), Machine(), Material())
    ((_, word, face),) = result.beside
    assert word == "front" and result.notes == ()
    assert len(engraved(face)) == len(engraved(shapes_of(NAMED).whole))


@pytest.mark.parametrize("labels", [False, True], ids=["bare", "labelled"])
def test_an_engraving_in_a_file_of_its_own_is_that_of_the_layer_and_fits_the_outline(*, labels: bool) -> None:
    whole = shapes_of(NAMED).whole
    together = made(whole, Making(kerf=0, labels=labels), Machine(), Material()).plans[0].drawing
    result = made(whole, Making(kerf=0, labels=labels, engraving_file="file"), Machine(), Material())
    ((number, word, apart),) = result.beside
    assert (number, word) == (0, "engraving")
    left, sheet = engraved(apart), result.plans[0].drawing
    own = [one.wkt for one in engraved(whole)]
    assert sorted(one.wkt for one in left) == sorted(own), "the same lines at the same places"
    # Labels stay with the cuts, and keep off the engraving as they do in one file.
    assert sorted(one.wkt for one in engraved(sheet)) == sorted(
        one.wkt for one in engraved(together) if one.wkt not in own
    )
    scored = [one for one in apart.chains if one.operation is not Operation.ENGRAVE]
    assert {one.operation for one in scored} == {Operation.SCORE} and apart.width == sheet.width
    assert sheet.cut_length == together.cut_length and len(sheet.pieces) == 12


def test_separate_pieces_take_their_parts_of_an_engraving_along() -> None:
    design = NAMED.with_engraving(Engraving("text2", POSE, "Li", side=BACK))
    result = made(shapes_of(design).whole, Making(lines="separate", kerf=0), Machine(), Material())
    total = sum(one.length for one in engraved(shapes_of(NAMED).whole))
    assert sum(one.length for one in engraved(result.plans[0].drawing)) == pytest.approx(total, rel=0.01)
    assert [word for _, word, _ in result.beside] == ["back"]


def test_a_design_is_saved_with_its_engravings_and_one_without_as_before() -> None:
    strokes = [np.array([(0.0, 0), (1, 0), (2, 0), (3, 6)])]
    design = NAMED.with_engraving(of_drawing("drawing1", strokes, POSE, BACK))
    text = dumps(JIGSAW, design)
    assert loads(text).design == design and dumps(JIGSAW, loads(text).design) == text
    assert b"engraving" not in dumps(JIGSAW, PLAIN)
    assert design.without_engraving("text1").without_engraving("drawing1") == PLAIN
    with pytest.raises(StudioError, match="There is no engraving text9"):
        design.without_engraving("text9")


def test_outlines_enclose_what_a_letter_fills() -> None:
    whole = shapes_of(PLAIN.with_engraving(Engraving("text1", POSE, "O", OUTLINE))).whole
    chains = [one for one in whole.chains if one.operation is Operation.ENGRAVE]
    assert len(chains) == 2 and all(one.closed for one in chains)


@pytest.mark.parametrize(
    ("text", "font", "sentence"),
    [
        (" ", "line", "Enter a text"),
        ("שלום", "line", "has no ש"),
        ("न", OUTLINE, "^The text cannot be engraved: no font has “न” .U.0928 devanagari letter na..$"),
        ("x\u0310", "line", "has no"),
        ("漢", OUTLINE, "no font has"),
        ("two\nlines", "line", "one line"),
        ("x" * 201, "line", "201 letters"),
        ("x", "gothic", "line or outline"),
    ],
)
def test_a_text_that_cannot_be_engraved_is_refused_in_a_sentence(text: str, font: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        Engraving("text1", POSE, text, font)


def test_a_text_in_another_font_keeps_its_outlines_when_the_font_is_gone(tmp_path: Path) -> None:
    own = tmp_path / "own.ttf"
    own.write_bytes((FOLDER / "DejaVuSans-Bold.ttf").read_bytes())
    one = of_text("text1", "سلام", POSE, OUTLINE, "face", str(own))
    assert len(one.paths) == 3, "what is joined has one outline: two, and the hole of meem"
    design = PLAIN.with_engraving(one)
    own.unlink()
    assert loads(dumps(JIGSAW, design)).design == design
    setting = EngravingSetting.from_engraving(one)
    moved = replace(setting, x=11.0).applied(one)
    assert moved.paths == one.paths and moved.pose.x == 11.0
    with pytest.raises(StudioError, match=r"^The text cannot be engraved: The font own\.ttf cannot be used: "):
        replace(setting, text="Ada").applied(one)
    with pytest.raises(StudioError, match=r"^The text cannot be engraved: "):
        inscribed(design, lambda _text: "Ada")
    built_in = replace(setting, text="Ada", typeface="").applied(one)
    assert built_in == Engraving("text1", POSE, "Ada", OUTLINE)


def test_the_built_in_font_is_shaped_where_that_is_needed() -> None:
    joined = Engraving("text1", POSE, "سلام", OUTLINE).strokes
    assert len(joined) == 3 and len(Engraving("text1", POSE, "שלם", OUTLINE).strokes) > 2
    assert len(of_text("text1", "fix", POSE, OUTLINE, "face", "DejaVu Sans").paths) == 3, "fi is a ligature"


def test_mark_up_is_engraved_as_it_is_written() -> None:
    assert len(Engraving("text1", POSE, "<b>").strokes) > len(Engraving("text1", POSE, "b").strokes)


def test_names_and_paths_are_held_to_their_form() -> None:
    for name, paths in (("label", (((0.0, 0.0),) * 4,)), ("drawing1", (((0.0, 0.0),) * 3,))):
        with pytest.raises(ParameterError):
            Engraving(name, POSE, paths=paths)
    assert free_name([Engraving("text1", POSE, "A"), Engraving("text4", POSE, "A")], "text") == "text5"


SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="30mm" viewBox="0 0 40 30">{}</svg>'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (SVG.format(""), r"it contains no path\."),
        (SVG.format("<script>alert(1)</script><text>x</text>"), "it contains no path, only 1 × script and 1 × text."),
        (SVG.format('<use href="other.svg#logo"/>'), "it contains no path, only 1 × use."),
        ('<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + SVG.format("&a;"), "declares entities"),
        (SVG.format('<path d="' + "M0 0L1 1" * (MOST_POINTS // 4 + 1) + '"/>'), "60,004 points \\(maximum 60,000\\)"),
        ("", "it is empty"),
        ("<svg", "not a valid SVG file"),
    ],
)
def test_a_drawing_that_cannot_be_engraved_is_refused_in_a_sentence(
    tmp_path: Path, content: str, sentence: str
) -> None:
    path = tmp_path / "logo.svg"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StudioError, match=rf"^Cannot import logo\.svg: .*{sentence}"):
        read_lines(path, Progress(), MOST_POINTS)


def test_open_and_closed_lines_of_a_drawing_keep_their_form(tmp_path: Path) -> None:
    path = tmp_path / "logo.svg"
    path.write_text(SVG.format('<circle cx="20" cy="15" r="10"/><path d="M0 5L40 5"/><image href="x.png"/>'))
    strokes, notes = read_lines(path, Progress(), MOST_POINTS)
    assert len(strokes) == 2 and notes == ("Left out, not a path: 1 × image.",)
    design = PLAIN.with_engraving(of_drawing("drawing1", strokes, replace(POSE, height=20), "face"))
    lines = engraved(shapes_of(design).whole)
    assert [one.is_ring for one in lines] == [True, False]
    assert [one.length for one in lines] == pytest.approx([2 * np.pi * 10, 40], rel=1e-3)
