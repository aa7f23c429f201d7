"""Words as they are set: measured against the font files themselves, and refused where no font can set them."""

import io
import itertools
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.paper import fonts
from studio.paper.fonts import EM, FOLDER, MISSING, spelled, typeset, unset
from tests.depth import examples

LANGUAGES = {
    "Czech": "Příliš žluťoučký kůň úpěl ďábelské ódy. PŘÍLIŠ ŽLUŤOUČKÝ KŮŇ ÚPĚL ĎÁBELSKÉ ÓDY",
    "Greek": "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία. Ὁ ἄνθρωπος Ἀθῆναι",
    "Russian": "Съешь ещё этих мягких французских булок, да выпей же чаю",
    "Serbian": "Ђурађ Љиљана Његош Ћирило Џепови",
    "Vietnamese": "Tiếng Việt đẹp lắm, ưỡn ẹo",
    "Icelandic": "Kæmi ný öxi hér, ykist þjófum nú bæði víl og ádrepa",
    "Georgian": "საქართველო",
    "Armenian": "Հայաստան",
    "figures and signs": "0123456789 × ÷ ± − ½ ² ° µ € £ § † • … “ ” „ « » – — ← → ↑ ↓ ✓ ✂ ★ ♠ ♣ ♥ ♦ ≤ ≥ ≠ ∞ √ ∑",
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of fonts that has those of the studio and takes more."""
    for path in FOLDER.glob("*.ttf"):
        (tmp_path / path.name).symlink_to(path)
    monkeypatch.setattr(fonts, "FOLDER", tmp_path)
    forget()
    yield tmp_path
    forget()


def forget() -> None:
    for known in (fonts.fonts, fonts._in_order, fonts.studio_font, fonts.capitals, fonts.typeset):
        known.cache_clear()


def file_of(bold: bool) -> TTFont:
    return TTFont(FOLDER / f"DejaVuSans{'-Bold' if bold else ''}.ttf")


def new_font(path: Path, letters: str, units: int = 500, advance: int = 400) -> None:
    """Write a font in which each letter is a square, half as wide as it goes on."""
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0))
    for corner in ((0, advance // 2), (advance // 2, advance // 2), (advance // 2, 0)):
        pen.lineTo(corner)
    pen.closePath()
    names = [MISSING, *(f"u{ord(letter):X}" for letter in letters)]
    builder = FontBuilder(units, isTTF=True)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(letter): name for letter, name in zip(letters, names[1:], strict=True)})
    builder.setupGlyf(dict.fromkeys(names, pen.glyph()))
    builder.setupHorizontalMetrics(dict.fromkeys(names, (advance, 0)))
    builder.setupHorizontalHeader(ascent=400, descent=-100)
    builder.setupNameTable({"familyName": "Squares", "styleName": "Regular", "psName": "Squares"})
    builder.setupOS2()
    builder.setupPost()
    builder.save(path)


@pytest.mark.parametrize("bold", [False, True])
@pytest.mark.parametrize("text", ["Harbour box", "AVATAR To Ty. LT", "Žluťoučký", "Κουτί", "", " "])
def test_words_are_as_wide_as_the_font_says_pairs_kerned(text: str, bold: bool) -> None:
    font = file_of(bold)
    glyphs = [font.getBestCmap()[ord(letter)] for letter in text]
    pairs = font["kern"].kernTables[0].kernTable
    units = sum(font["hmtx"][glyph][0] for glyph in glyphs)
    units += sum(pairs.get(pair, 0) for pair in itertools.pairwise(glyphs))
    assert typeset(text, bold=bold).width * font["head"].unitsPerEm / EM == pytest.approx(units)


def test_some_pairs_stand_nearer_together() -> None:
    assert typeset("AV").width < typeset("A").width + typeset("V").width - 50


def test_capitals_are_as_tall_as_the_letter_h() -> None:
    font = file_of(False)
    assert fonts.capitals() == pytest.approx(font["glyf"]["H"].yMax * EM / font["head"].unitsPerEm)


@pytest.mark.parametrize("letter", "HgÅQ8ů")
@pytest.mark.parametrize("bold", [False, True])
def test_an_outline_fills_the_box_that_the_font_says(letter: str, bold: bool) -> None:
    (run,) = typeset(letter, bold=bold).runs
    steps = run.font.outline(run.glyphs[0])
    on_curve = np.array([numbers[-2:] for step, numbers in steps if step != "Z"])
    glyph = file_of(bold)["glyf"][run.glyphs[0]]
    box = np.array([[glyph.xMin, -glyph.yMax], [glyph.xMax, -glyph.yMin]]) * EM / 2048
    np.testing.assert_allclose([on_curve.min(axis=0), on_curve.max(axis=0)], box, atol=1.0)
    assert {step for step, _ in steps} <= set("MLQZ") and steps[0][0] == "M" and steps[-1][0] == "Z"


def test_every_font_has_its_licence_beside_it() -> None:
    licences = " ".join(path.read_text(encoding="utf-8") for path in FOLDER.glob("*LICENSE.txt"))
    for path in FOLDER.glob("*.ttf"):
        names = TTFont(path)["name"]
        assert names.getDebugName(1) in licences and " ".join(names.getDebugName(0).splitlines()[0].split()) in licences


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_many_languages_can_be_set(language: str) -> None:
    assert unset(LANGUAGES[language]) == ""
    assert MISSING not in {glyph for run in typeset(LANGUAGES[language]).runs for glyph in run.glyphs}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("box 漢字", "no font has “漢” (U+6F22 cjk unified ideograph-6f22)"),
        ("\U000a1234", "no font has (U+A1234)"),
        ("a ش b", "“ش” (U+0634 arabic letter sheen) needs complex text shaping, which is not supported"),
        ("שלום", "“ש” (U+05E9 hebrew letter shin) needs complex text shaping, which is not supported"),
        ("नमस्ते", "“न” (U+0928 devanagari letter na) needs complex text shaping, which is not supported"),
        ("ไทย", "“ไ” (U+0E44 thai character sara ai maimalai) needs complex text shaping, which is not supported"),
        ("x\u030c", "(U+030C combining caron) needs complex text shaping, which is not supported"),
    ],
)  # fmt: skip
def test_what_cannot_be_set_is_named(text: str, problem: str) -> None:
    assert unset(text) == problem


def test_text_is_spelled_in_whole_letters_plain_spaces_and_without_what_is_unseen() -> None:
    assert spelled("e\u0301\u00a0a\u2009b") == "é a b"
    assert spelled("a\x07b\n\udcff\u200b\ufe0f\u202ec") == "abc"


def test_a_letter_that_bold_lacks_is_set_in_the_other_font() -> None:
    regular, bold = fonts._in_order(False)
    lacking = next(chr(code) for code in sorted(set(regular.glyphs) - set(bold.glyphs)) if not unset(chr(code)))
    runs = typeset(f"A{lacking}B", bold=True).runs
    assert [run.font.name for run in runs] == ["DejaVuSans-Bold", "DejaVuSans", "DejaVuSans-Bold"]
    assert [run.letters for run in runs] == ["A", lacking, "B"]


def test_another_font_in_the_folder_sets_the_letters_that_the_first_ones_lack(folder: Path) -> None:
    assert "no font has" in unset("漢")
    new_font(folder / "Squares.ttf", "漢字A")
    forget()
    assert unset("box 漢字") == ""
    latin, han = typeset("A漢字").runs
    assert (latin.font.name, latin.letters, han.font.name, han.letters) == ("DejaVuSans", "A", "Squares", "漢字")
    start = typeset("A").width
    assert han.places == pytest.approx((start, start + 800.0)), "400 of 500 units each"
    assert typeset("A漢字").width == pytest.approx(start + 1600.0)
    corners = {numbers for step, numbers in han.font.outline(han.glyphs[0]) if step != "Z"}
    assert corners == {(0.0, 0.0), (0.0, -400.0), (400.0, -400.0), (400.0, 0.0)}


@pytest.fixture
def own() -> Iterator[Path]:
    """The folder of makers' own fonts."""
    folder = fonts.own_fonts()
    folder.mkdir(parents=True)
    yield folder
    forget()


def test_makers_fonts_set_what_those_of_the_studio_lack(own: Path) -> None:
    new_font(own / "squares.TTF", "漢字")
    forget()
    assert [font.name for font in fonts.fonts()] == ["DejaVuSans-Bold", "DejaVuSans", "Squares"]
    assert unset("box 漢字") == "" and "no font has" in unset("かな")


@pytest.mark.parametrize("data", [b"", b"not a font", (FOLDER / "DejaVuSans.ttf").read_bytes()[:5000]])
def test_a_file_that_is_no_font_is_named(own: Path, data: bytes) -> None:
    (own / "mine.ttf").write_bytes(data)
    forget()
    with pytest.raises(StudioError, match=r"The font mine.ttf cannot be used: it is damaged or not a TrueType font."):
        typeset("box")


@given(places=st.lists(st.tuples(st.integers(0, 2**16), st.integers(0, 255)), min_size=1, max_size=6))
@settings(max_examples=examples(80, 2000))
def test_a_broken_font_sets_words_or_is_named(
    tmp_path_factory: pytest.TempPathFactory, places: list[tuple[int, int]]
) -> None:
    path = tmp_path_factory.mktemp("font") / "mine.ttf"
    new_font(path, "漢字A")
    data = bytearray(path.read_bytes())
    for place, value in places:
        data[place % len(data)] = value
    path.write_bytes(data)
    try:
        font = fonts._read(path)
        for glyph in set(font.glyphs.values()):
            font.outline(glyph)
        font.subset(font.glyphs.values())
    except StudioError as problem:
        assert str(problem) == "The font mine.ttf cannot be used: it is damaged or not a TrueType font."


def test_a_subset_holds_the_glyphs_that_are_asked_for_and_their_parts_alone() -> None:
    regular = next(each for each in fonts.fonts() if not each.is_bold)
    program, order = regular.subset([MISSING, regular.glyphs[ord("H")], regular.glyphs[ord("ů")]])
    whole = TTFont(io.BytesIO(program))
    assert order[0] == MISSING and {"H", "uring", "u"} <= set(order) and len(order) <= 5
    assert len(whole.getGlyphOrder()) == len(order)
    assert set(whole.keys()) - {"GlyphOrder"} == {"head", "hhea", "maxp", "hmtx", "loca", "glyf"}
    assert len(program) < 3000 and regular.subset([MISSING, "H"]) == regular.subset(["H", MISSING])


@given(st.text())
def test_any_text_is_set_or_named(text: str) -> None:
    setting = typeset(text)
    assert "".join(run.letters for run in setting.runs) == spelled(text)
    missing = any(MISSING in run.glyphs for run in setting.runs)
    assert not missing or unset(text)
    places = [place for run in setting.runs for place in run.places]
    assert np.isfinite([*places, setting.width]).all()
