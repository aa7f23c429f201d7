"""Text becomes figures: a piece a letter, or all of it one piece, in the places of a text."""

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import shapely
import shapely.affinity

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files.store import load, save
from studio.geometry.curves.offsetting import narrow_notch, region, thin_part
from studio.geometry.curves.strokes import Curves, Floats
from studio.paper.fonts import FOLDER, capitals, typeset
from studio.puzzles.jigsaw.figures.figure_edits import new_letters, with_text
from studio.puzzles.jigsaw.figures.letters import Letter, Lettering, contours, letters_as_figures
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.registry import kind

LEAST_WIDTH = 0.04
MOST_LETTERS = 60


def placed(letter: Letter) -> tuple[Floats, ...]:
    return tuple(ring * letter.height + (letter.x, letter.y) for ring in letter.figure.rings)


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "text", ["ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz", "0123456789", "ÄÖÜßäéñçøÅ&!?:;%=“©®@i"]
)
def test_every_letter_is_one_piece_thick_enough_for_wood(text: str) -> None:
    letters = letters_as_figures(text)
    assert "".join(one.figure.title for one in letters) == text
    for letter in letters:
        rings = placed(letter)
        assert len(rings) == 1
        whole = region(rings, 1e-4)
        assert whole.is_valid and whole.geom_type == "Polygon" and whole.area > 0.02
        assert thin_part(rings, LEAST_WIDTH) is None, letter.figure.title
        assert narrow_notch(rings, LEAST_WIDTH) is None, letter.figure.title


@pytest.mark.parametrize(("text", "inside"), [("©", "c"), ("®", "R"), ("@", "a")])
def test_what_lies_inside_the_hole_of_a_letter_is_kept(text: str, inside: str) -> None:
    (letter,) = letters_as_figures(text)
    setting = typeset(text, bold=True)
    glyph = setting.runs[0].font.outline(setting.runs[0].glyphs[0])
    areas = Curves.from_strokes([contour / capitals() for contour in contours(glyph)]).flattened(1e-4).sweeps
    # The font's own area, in which all but holes is filled; slots and bars take and add a few hundredths.
    assert letter.figure.area * letter.height**2 == pytest.approx(areas.sum(), abs=0.08), inside


def test_letters_lie_beside_each_other_in_the_middle_of_their_line() -> None:
    letters = letters_as_figures("Hi no")
    regions = [region(placed(one), 1e-4) for one in letters]
    assert [one.figure.title for one in letters] == list("Hino")
    ends = [each.bounds for each in regions]
    assert ends[0][1] == pytest.approx(-0.5, abs=0.01) and ends[0][3] == pytest.approx(0.5, abs=0.01)
    assert -ends[0][0] == pytest.approx(ends[-1][2], abs=0.1)
    gaps = np.array([after[0] - before[2] for before, after in pairwise(ends)])
    assert (gaps > 0.02).all() and gaps.argmax() == 1, "the space is widest"


def test_a_letter_is_the_same_wherever_it_is() -> None:
    first, second = letters_as_figures("AA")
    assert first.figure.rings[0] == pytest.approx(second.figure.rings[0]) and first.y == second.y


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "Enter a name or word for the figures."),
        (" \n ", "Enter a name or word for the figures."),
        ("x" * (MOST_LETTERS + 1), f"The text has {MOST_LETTERS + 1} letters .maximum {MOST_LETTERS}.."),
        ("नम", "^The text cannot be cut: no font has “न” .U.0928 devanagari letter na..$"),
        ("\n".join("abcdefghi"), "^The text has 9 lines .maximum 8..$"),
        ("\U0001f9e9", "^The text cannot be cut: no font has “\U0001f9e9”"),
    ],
)
def test_what_cannot_be_letters_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        letters_as_figures(text)


# Other fonts, one piece, counters, lines and arcs

BAR_HEIGHT = 0.12


def regions(text: str, **how: object) -> list[shapely.Polygon]:
    made = letters_as_figures(text, Lettering(**how))  # type: ignore[arg-type]
    return [shapely.affinity.rotate(region(placed(one), 1e-4), one.turn, (one.x, one.y)) for one in made]


def test_letters_that_touch_are_one_piece() -> None:
    letters = letters_as_figures("سلام")
    assert [one.figure.title for one in letters] == ["م", "سلا"]
    last, first = (region(placed(one), 1e-4) for one in letters)
    assert last.bounds[2] < first.bounds[0], "it is read from right to left"
    assert [one.figure.title for one in letters_as_figures("Anna", Lettering(spacing=-22))] == ["Anna"]


def test_other_fonts_leave_wood_between_letters() -> None:
    shapes = regions("AVATAR fix", font="DejaVu Sans")
    assert len(shapes) == 8, "fi is a ligature"
    assert min(one.distance(other) for one, other in pairwise(shapes)) > 0.07


@pytest.mark.parametrize("mode", ["joined", "bar"])
def test_block_letters_in_one_piece_stand_on_a_bar(mode: str) -> None:
    (whole,) = regions("TiT", mode=mode)
    apart = regions("TiT")
    left, _, right, foot = whole.bounds
    assert foot == pytest.approx(0.5 + BAR_HEIGHT, abs=0.01)
    bar = shapely.box(left + 0.03, 0.5, right - 0.03, foot - 0.03)
    assert whole.contains(bar) and whole.area > 0.9 * sum(one.area for one in apart)


def test_a_joined_script_in_one_piece_has_links_and_no_bar() -> None:
    (whole,) = regions("سلام", mode="joined")
    apart = regions("سلام")
    assert whole.area < sum(one.area for one in apart) + 0.2 and whole.bounds[3] < 1.0
    assert len(regions("سلام", mode="bar")) == 1


def test_lines_in_one_piece_are_linked() -> None:
    (whole,), (opened,) = (regions("EdL\nAlT", mode="joined", counters=one) for one in ("slot", "open"))
    for one in (whole, opened):
        assert one.is_valid and one.geom_type == "Polygon" and one.bounds[3] - one.bounds[1] > 2.4
    middle, width = (opened.bounds[1] + opened.bounds[3]) / 2, BAR_HEIGHT + 0.02
    for one, links in ((whole, 1), (opened, 3)):
        # Between the bar of the first line and the letters of the second.
        across = shapely.box(one.bounds[0], middle - 0.1, one.bounds[2], middle - 0.05)
        cut = shapely.get_parts(one.intersection(across))
        assert len(cut) == links and all(
            each.bounds[2] - each.bounds[0] == pytest.approx(width, abs=0.03) for each in cut
        )


def test_slots_spare_the_bar_of_block_letters() -> None:
    (whole,) = regions("WALKER", mode="joined")
    left, _, right, foot = whole.bounds
    assert len(whole.interiors) == 0
    assert whole.contains(shapely.box(left + 0.03, 0.5 + 0.01, right - 0.03, foot - 0.03)), "it is not cut"


@pytest.mark.parametrize("counters", ["slot", "filled"])
def test_no_counter_falls_out_of_letters_that_touch(counters: str) -> None:
    (whole,) = regions("bode", font="DejaVu Sans", mode="joined", spacing=-24.0, counters=counters, weight=3.0)
    assert not whole.interiors


@pytest.mark.parametrize(
    ("counters", "holes"), [("slot", [0, 0, 0]), ("open", [1, 2, 1]), ("bridge", [1, 2, 1]), ("filled", [0, 0, 0])]
)
def test_counters_are_slotted_cut_out_bridged_or_filled(counters: str, holes: list[int]) -> None:
    made = regions("OBD", counters=counters)
    assert [len(one.interiors) for one in made] == holes
    filled = [shapely.Polygon(one.exterior).area for one in regions("OBD", counters="open")]
    share = [one.area / whole for one, whole in zip(made, filled, strict=True)]
    low, high = {"slot": (0.6, 0.83), "open": (0.65, 0.87), "bridge": (0.83, 0.97), "filled": (0.99, 1.01)}[counters]
    assert all(low < each < high for each in share)


def test_lines_lie_below_each_other_and_are_aligned() -> None:
    spread = {side: regions("Iii\nI", align=side, line_spacing=120.0) for side in ("left", "middle", "right")}
    first, *_, last = spread["left"]
    assert last.centroid.y - first.centroid.y == pytest.approx(1.5 * 1.2, abs=0.01)
    assert last.bounds[0] == pytest.approx(first.bounds[0], abs=0.01)
    xs = [each[-1].centroid.x for each in spread.values()]
    assert xs[1] - xs[0] == pytest.approx(xs[2] - xs[1]) and xs[1] > xs[0] + 0.1
    crowded = regions("gjy\nÅÖÉ", line_spacing=50.0)
    assert min(one.distance(other) for one in crowded[:3] for other in crowded[3:]) > 0.07


@pytest.mark.parametrize("arc", [90.0, -90.0, 300.0])
def test_letters_on_an_arc_are_turned_along_a_circle(arc: float) -> None:
    letters = letters_as_figures("HHHHHHHHH", Lettering(arc=arc))
    middles = np.array([(one.x, one.y) for one in letters])
    x, y, constant = np.linalg.lstsq(np.c_[2 * middles, np.ones(9)], (middles**2).sum(1), rcond=None)[0]
    radius = float(np.sqrt(constant + x * x + y * y))
    assert np.hypot(*(middles - (x, y)).T) == pytest.approx(radius, abs=1e-6)
    assert (y > middles[4][1]) == (arc > 0), "it bends up, or down"
    turns = np.array([one.turn for one in letters])
    assert turns == pytest.approx(-turns[::-1], abs=1e-6) and np.ptp(turns) == pytest.approx(abs(arc) * 8 / 9, rel=0.05)
    (joined,) = regions("HHHHHHHHH", arc=arc, mode="joined")
    assert joined.is_valid and joined.geom_type == "Polygon"


def test_a_lone_mark_on_an_arc_is_refused_in_a_sentence() -> None:
    with pytest.raises(StudioError, match="on so tight an arc"):
        letters_as_figures("\u0301", Lettering(arc=200.0))


def test_thickened_letters_gain_a_rim() -> None:
    (plain,), (thick,) = regions("I", font="DejaVu Sans"), regions("I", font="DejaVu Sans", weight=5.0)
    width, height = np.subtract(plain.bounds[2:], plain.bounds[:2])
    assert np.subtract(thick.bounds[2:], thick.bounds[:2]) == pytest.approx((width + 0.1, height + 0.1), abs=0.01)


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"font": "Nowhere"}, "^The text cannot be cut: There is no font 'Nowhere'"),
        ({"font": "gone.ttf"}, "^The text cannot be cut: The font gone.ttf cannot be used: "),
        ({"arc": 330.0}, "^The text does not fit on so tight an arc. Use a smaller angle.$"),
        ({"arc": 999.0}, "^arc must be -330 to 330 °, not 999.$"),
    ],
)
def test_what_cannot_be_lettered_is_refused(how: dict[str, object], sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        letters_as_figures("Il", Lettering(**how))  # type: ignore[arg-type]


def test_a_font_that_is_gone_changes_nothing(tmp_path: Path) -> None:
    own, file = tmp_path / "own.ttf", tmp_path / "name.puzzle"
    own.write_bytes((FOLDER / "DejaVuSans.ttf").read_bytes())
    how = Lettering(font=str(own), mode="joined")
    made = with_text(JigsawDesign(JigsawParameters()), "Anna", 20.0, SILENT, how=how).design
    save(file, kind("jigsaw"), made)
    own.unlink()
    letters_as_figures.cache_clear()
    read = load(file).design
    assert isinstance(read, JigsawDesign) and read == made and [one.name for one in read.whimsies] == ["anna1"]
    shapes = shape(read, None, SILENT)
    assert "anna1" in [one.name for one in shapes.tiling.fillings]


def test_pieces_of_a_text_are_named_after_their_first_letters() -> None:
    def names(text: str, mode: str) -> list[str]:
        design = JigsawDesign(JigsawParameters())
        return [one.name for one in new_letters(design, text, Pose(), 0, Lettering(mode=mode))]

    assert names("سلام", "pieces") == ["م", "س"]
    assert names("سلام", "joined") == names("Al", "joined") == ["word1"]
    assert names("Ann & Jo", "bar") == ["annjo1"]
