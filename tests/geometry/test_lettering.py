import string

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.geometry.art.lettering import lettered, width_of
from studio.geometry.curves.strokes import Curves, Floats

KEYBOARD = string.ascii_letters + string.digits + string.punctuation
SIGNS = "\u00d7\u2013\u2014\u2212°±·ßÄÖÜäöüëïéèêñåÅšłŁøØđĐæÆœŒıąęńśźżčďěůőűçşțăāğıİấ"


def each(curves: Curves) -> list[Floats]:
    return [curves[number] for number in range(len(curves))]


def strokes_as_lines(curves: Curves) -> set[frozenset[tuple[float, float]]]:
    """Every straight line of some strokes as the two points between which it runs."""
    lines = [
        frozenset((tuple(np.round(stroke[at], 9)), tuple(np.round(stroke[at + 3], 9))))
        for stroke in each(curves)
        for at in range(0, len(stroke) - 1, 3)
    ]
    assert len(set(lines)) == len(lines), "a line is drawn twice"
    return set(lines)


@pytest.mark.parametrize("letter", "BDEFHIKLMNPRTXZ")
def test_capitals_are_as_tall_as_asked_and_stand_on_the_baseline(letter: str) -> None:
    heights = lettered(letter, 5.0).points[:, 1]
    assert heights.min() == pytest.approx(-5.0, abs=1e-12)
    assert heights.max() == pytest.approx(0.0, abs=1e-12)


def test_small_letters_hang_below_the_baseline_where_they_have_tails() -> None:
    assert lettered("g", 3.0).points[:, 1].max() == pytest.approx(1.0)
    assert lettered("x", 3.0).points[:, 1].max() == pytest.approx(0.0)
    assert lettered("x", 3.0).points[:, 1].min() == pytest.approx(-2.0)


@pytest.mark.parametrize(("letter", "strokes"), [("I", 1), ("L", 2), ("H", 3), ("E", 4), ("O", 1), ("[", 1), ("×", 2),
                                                 ("±", 3), ("ä", 4), ("i", 2), ("ï", 3), (" ", 0)])  # fmt: skip
def test_what_is_drawn_without_lifting_the_pen_is_one_stroke(letter: str, strokes: int) -> None:
    assert len(lettered(letter, 4.0)) == strokes


def test_every_sign_is_drawn_once_and_in_lines_that_have_a_length() -> None:
    for letter in KEYBOARD + SIGNS:
        curves = lettered(letter, 4.0)
        assert len(curves) > 0, letter
        assert ((curves.counts - 1) % 3 == 0).all(), letter
        ends = [np.hypot(*np.diff(stroke[::3], axis=0).T) for stroke in each(curves)]
        assert min(steps.min() for steps in ends) > 0.1, letter
        assert len(strokes_as_lines(curves)) == sum(len(steps) for steps in ends), letter
        for stroke in each(curves):
            thirds = (stroke[3::3] - stroke[:-1:3]) / 3
            assert np.allclose(stroke[1::3], stroke[:-1:3] + thirds), letter
            assert np.allclose(stroke[2::3], stroke[3::3] - thirds), letter


def test_a_letter_stays_within_its_advance() -> None:
    for letter in KEYBOARD + SIGNS:
        xs = lettered(letter, 4.0).points[:, 0]
        assert xs.min() >= -0.2 and xs.max() <= width_of(letter, 4.0) + 0.2, letter


def test_widths_add_up_and_letters_follow_each_other() -> None:
    assert width_of("Kerf 0.15 mm", 3.0) == pytest.approx(sum(width_of(letter, 3.0) for letter in "Kerf 0.15 mm"))
    assert width_of("Kerf", 6.0) == pytest.approx(2 * width_of("Kerf", 3.0))
    one, other, both = lettered("A", 3.0), lettered("B", 3.0), lettered("AB", 3.0)
    moved = other.points + np.array([width_of("A", 3.0), 0.0])
    assert np.allclose(both.points, np.concatenate([one.points, moved]))


def test_no_text_has_no_strokes_and_no_width() -> None:
    assert len(lettered("", 3.0)) == 0
    assert len(lettered("", 3.0).points) == 0
    assert width_of("", 3.0) == 0


@pytest.mark.parametrize(("text", "named"), [("Maß Ω", "Ω"), ("ж", "ж"), ("a\nb", r"U\+000A"), ("猫", "猫"),
                                             ("\x7f", r"U\+007F"), ("ả", "ả")])  # fmt: skip
def test_a_character_that_the_font_lacks_is_named(text: str, named: str) -> None:
    with pytest.raises(StudioError, match=f"^The single-line font has no {named}.$"):
        lettered(text, 3.0)
    with pytest.raises(StudioError, match=f"^The single-line font has no {named}.$"):
        width_of(text, 3.0)


def test_an_accent_is_the_same_written_in_one_character_or_two() -> None:
    assert np.array_equal(lettered("u\u0308", 3.0).points, lettered("ü", 3.0).points)


@pytest.mark.parametrize("pair", ["äa", "ÖO", "éE", "ñn"])
def test_an_accent_stands_above_its_letter_and_changes_no_width(pair: str) -> None:
    accented, plain = pair[0], pair[1] if pair[0] != "é" else "e"
    assert width_of(accented, 3.0) == width_of(plain, 3.0)
    bare = lettered(plain, 3.0)
    marked = lettered(accented, 3.0)
    assert np.array_equal(marked.points[: len(bare.points)], bare.points)
    assert marked.points[len(bare.points) :, 1].max() < bare.points[:, 1].min()


@pytest.mark.parametrize("pair", ["çc", "ąa", "șs", "Şs"])
def test_what_hangs_on_a_letter_is_below_it_and_changes_no_width(pair: str) -> None:
    marked, plain = pair[0], pair[1].upper() if pair[0].isupper() else pair[1]
    assert width_of(marked, 3.0) == width_of(plain, 3.0)
    bare = lettered(plain, 3.0)
    drawn = lettered(marked, 3.0)
    assert np.array_equal(drawn.points[: len(bare.points)], bare.points)
    assert drawn.points[len(bare.points) :, 1].min() >= 0 and drawn.points[:, 1].max() > 0.5


def test_a_letter_that_is_crossed_is_as_wide_as_the_plain_one() -> None:
    for crossed, plain in zip("łŁøØđĐ", "lLoOdD", strict=True):
        assert width_of(crossed, 3.0) == width_of(plain, 3.0)
        assert len(lettered(crossed, 3.0)) == len(lettered(plain, 3.0)) + 1


def test_i_without_a_dot_has_none_and_with_something_below_keeps_it() -> None:
    assert len(lettered("\u0131", 3.0)) == len(lettered("i", 3.0)) - 1
    assert len(lettered("į", 3.0)) == len(lettered("i", 3.0)) + 1
