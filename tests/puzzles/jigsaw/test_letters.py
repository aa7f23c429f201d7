"""Text becomes figures: one piece a letter, without a hole, in the places of a line of text."""

from itertools import pairwise

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.geometry.curves.offsetting import narrow_notch, region, thin_part
from studio.geometry.curves.strokes import Curves, Floats
from studio.paper.fonts import capitals, typeset
from studio.puzzles.jigsaw.figures.letters import Letter, contours, letters_as_figures

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
        ("سلام", "^The text cannot be cut: .* needs complex text shaping, which is not supported.$"),
        ("\U0001f9e9", "^The text cannot be cut: no font has “\U0001f9e9”"),
    ],
)
def test_what_cannot_be_letters_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        letters_as_figures(text)
