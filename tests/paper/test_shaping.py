"""Text is shaped in any OpenType font: joined, stacked, ligated and in the order in which it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from fontTools.ttLib.ttCollection import TTCollection

from studio.base.errors import StudioError
from studio.paper import shaping
from studio.paper.fonts import FOLDER
from studio.paper.shaping import Face, face_in, face_of, found_in, shaped

BOLD = face_in(FOLDER / "DejaVuSans-Bold.ttf")
REGULAR = face_in(FOLDER / "DejaVuSans.ttf")


def order(text: str, face: Face | None = None) -> str:
    return "|".join(one.text for one in shaped(text, face).clusters)


def box_of(face: Face, text: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of all points of a line."""
    points = np.concatenate(
        [
            np.array(numbers).reshape(-1, 2) + np.array((one.place, 0.0))
            for one in shaped(text, face).clusters
            for _, numbers in one.outline
            if numbers
        ]
    )
    low, high = points.min(0), points.max(0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def squares(pen: Any, *sides: tuple[int, int, int, int]) -> Any:
    """Draw boxes, given as left, bottom, right and top."""
    for left, bottom, right, top in sides:
        pen.moveTo((left, bottom))
        for point in ((left, top), (right, top), (right, bottom)):
            pen.lineTo(point)
        pen.closePath()
    return pen


def build(
    path: Path, family: str, letters: str, *, cff: bool = False, varies: bool = False, features: str = ""
) -> Path:
    """Write a font whose letters are boxes: the first 100 wide, each 100 wider than the one before, and 700 high."""
    names = [".notdef", *(f"uni{ord(letter):04X}" for letter in letters)]
    font = FontBuilder(1000, isTTF=not cff)
    font.setupGlyphOrder(names)
    font.setupCharacterMap({ord(letter): name for letter, name in zip(letters, names[1:], strict=True)})
    sides = {name: (0, 0, 100 * at, 700) for at, name in enumerate(names)}
    if cff:
        pens = {name: squares(T2CharStringPen(600, None), box) for name, box in sides.items()}
        font.setupCFF(family, {}, {name: pen.getCharString() for name, pen in pens.items()}, {})
    else:
        font.setupGlyf({name: squares(TTGlyphPen(None), box).glyph() for name, box in sides.items()})
    font.setupHorizontalMetrics({name: (box[2] + 50, 0) for name, box in sides.items()})
    font.setupHorizontalHeader(ascent=800, descent=-200)
    font.setupNameTable({"familyName": family, "styleName": "Regular"})
    font.setupOS2(sCapHeight=700)
    font.setupPost()
    if varies:
        font.setupFvar([("wght", 100, 400, 900, "Weight")], [])
        font.setupGvar({})
    if features:
        addOpenTypeFeaturesFromString(font.font, features)
    font.save(path)
    return path


def test_arabic_is_joined_and_read_from_right_to_left() -> None:
    line = shaped("سلام", BOLD)
    assert [one.text for one in line.clusters] == ["م", "لا", "س"], "lam and alef are a ligature"
    joined, alone = line.clusters[-1], shaped("س", BOLD).clusters[0]
    assert joined.advance < 0.8 * alone.advance, "the first letter has no tail"
    assert all(one.is_joined for one in line.clusters)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("שלם", "ם|ל|ש"),
        ("abc", "a|b|c"),
        ("ab שלם 12 c", "a|b| |1|2| |ם|ל|ש| |c"),
        ("של 12-34 ab", "a|b| |1|2|-|3|4| |ל|ש"),
        ("ש (ב)", ")|ב|(| |ש"),
        ("a، ب", "a|،| |ب"),
        ("a\u200bb\u00a0c", "a|b| |c"),
        ("e\u0301n\u0308", "é|n\u0308"),
    ],
)
def test_runs_stand_in_the_order_in_which_they_are_read(text: str, read: str) -> None:
    assert order(text, REGULAR) == read


def test_brackets_are_mirrored_from_right_to_left() -> None:
    hebrew, latin = shaped("(ב", REGULAR), shaped("b)", REGULAR)
    assert hebrew.clusters[-1].outline == latin.clusters[-1].outline


def test_ligatures_and_kerning_come_from_the_font() -> None:
    assert order("fix", REGULAR) == "fi|x"
    apart = shaped("A", BOLD).width + shaped("V", BOLD).width
    assert shaped("AV", BOLD).width < apart


def test_marks_stand_over_their_letter() -> None:
    bare, marked = box_of(REGULAR, "n"), box_of(REGULAR, "n\u0308")
    assert marked[1] < bare[1] - 100 and marked[3] == pytest.approx(bare[3])
    assert bare[0] <= marked[0] and marked[2] <= bare[2] + 1


def test_devanagari_puts_a_vowel_before_the_letter_that_it_follows(tmp_path: Path) -> None:
    features = "languagesystem dev2 dflt; feature akhn { sub uni0915 uni094D by uni0937; } akhn;"
    face = face_in(build(tmp_path / "deva.ttf", "Deva", "कि्ष", features=features))
    (cluster,) = shaped("कि", face).clusters
    assert cluster.text == "कि"
    # The letter is 100 wide, the vowel 200: the first box is the vowel's.
    widths = [max(numbers[::2]) - cluster.outline[0][1][0] for _, numbers in cluster.outline if numbers]
    assert max(widths[:4]) == 200


@pytest.mark.parametrize(("cff", "varies"), [(False, False), (True, False), (False, True)])
def test_every_sort_of_outline_is_read(tmp_path: Path, cff: bool, varies: bool) -> None:
    face = face_in(build(tmp_path / "own.otf", "Own", "HI", cff=cff, varies=varies))
    assert face.name == "Own" and face.capitals == pytest.approx(700)
    assert box_of(face, "HI") == pytest.approx((0, -700, 350, 0))


def test_fonts_are_found_by_name_in_folders_and_collections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    collection = TTCollection()
    collection.fonts = [
        TTFont(build(tmp_path / f"{at}.otf", name, "HI")) for at, name in enumerate(["Big Box", "Small Box"])
    ]
    collection.save(inner / "boxes.ttc")
    (tmp_path / "bad.ttf").write_bytes(b"no font")
    (tmp_path / "cut.ttf").write_bytes((FOLDER / "DejaVuSans.ttf").read_bytes()[:900])
    (inner / "loop").symlink_to(tmp_path)
    found = found_in((tmp_path, tmp_path / "nowhere"))
    assert [one.name for one in found] == ["Big Box", "Small Box"]
    assert [one.name for one in found_in((inner,))] == ["Big Box", "Small Box"]
    monkeypatch.setattr(shaping, "installed", lambda: found)
    assert face_of("small box").name == "Small Box"
    assert face_of(str(inner / "boxes.ttc")).name == "Big Box"
    with pytest.raises(StudioError, match=r"^There is no font 'Smal Box'\. Similar: Big Box, Small Box\.$"):
        face_of("Smal Box")
    with pytest.raises(StudioError, match=r"^There is no font 'Xyzzy' on this computer\.$"):
        face_of("Xyzzy")


def test_the_studio_s_own_fonts_are_always_there() -> None:
    assert face_of("dejavu sans bold").capitals == pytest.approx(729, abs=1)


@pytest.mark.parametrize("data", [b"", b"no font at all", b"\0\1\0\0" + b"\xff" * 400, b"ttcf" + b"\xff" * 99])
def test_what_is_no_font_is_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.ttf"
    path.write_bytes(data)
    with pytest.raises(StudioError, match=r"^The font x\.ttf cannot be used: it is damaged or not a TrueType or "):
        face_of(str(path))
    with pytest.raises(StudioError, match=r"^The font gone\.otf cannot be used: "):
        face_of(str(tmp_path / "gone.otf"))


def test_a_character_without_glyph_is_named(tmp_path: Path) -> None:
    with pytest.raises(StudioError, match=r"^DejaVu Sans Bold has no “न” \(U\+0928 devanagari letter na\)$"):
        shaped("aन", BOLD)
    with pytest.raises(StudioError, match=r"^no font has “न” \(U\+0928 devanagari letter na\)$"):
        shaped("aन", None)


def test_letters_of_endless_curves_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    face = face_in(build(tmp_path / "own.ttf", "Own", "HI"))
    steps = sum(len(one.outline) for one in shaped("HI", face).clusters)
    monkeypatch.setattr(shaping, "MOST_STEPS", steps)
    assert len(shaped("IH", face).clusters) == 2
    with pytest.raises(StudioError, match=r"^Own draws these letters in too many curves$"):
        shaped("HIH", face)
