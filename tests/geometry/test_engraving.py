"""Text is laid in lines that fit their room, and its grooves leave a body that can be printed."""

from math import pi

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.geometry.art.lettering import Room, fitted, grooves, laid, lettered, lines_of, longest, width_of
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.solid import Mesh, body, engraved, flaw, plate
from tests.solids import overlap

ROOM = Room(30.0, 20.0)
PEN = 0.5


def slab() -> Mesh:
    """A plate of 40 × 40 × 9.8 mm whose flat is 38.2 mm wide."""
    return plate(np.ones((4, 4), bool), 10.0, 0.2, 0.8, 16, rounded=False)


def area(rims: tuple[Floats, ...]) -> float:
    return float(
        sum((rim[:, 0] * np.roll(rim[:, 1], -1) - np.roll(rim[:, 0], -1) * rim[:, 1]).sum() / 2 for rim in rims)
    )


def cut(text: str, height: float, depth: float) -> tuple[Mesh, tuple[Floats, ...]]:
    strokes = laid(text, height, ROOM, PEN)
    assert strokes is not None
    rims = tuple(rim * (1, -1) for rim in grooves(strokes, PEN))
    rims = tuple(rim[::-1] + 20.0 for rim in rims)
    return engraved(slab(), rims, depth), rims


def test_words_fill_lines_and_a_long_one_has_its_own() -> None:
    assert lines_of("a b c", 1.0, 100.0) == ("a b c",)
    assert lines_of("one  two   three", 1.0, width_of("one two", 1.0)) == ("one two", "three")
    assert lines_of("a Donaudampfschiff b", 1.0, 4.0) == ("a", "Donaudampfschiff", "b")
    assert lines_of("  ", 1.0, 4.0) == ()


def test_a_text_stands_in_the_middle_of_its_room_and_the_pen_stays_within() -> None:
    strokes = laid("HAPPY BIRTHDAY ANNA", 3.0, ROOM, PEN)
    assert strokes is not None
    low, high = strokes.points.min(axis=0), strokes.points.max(axis=0)
    assert low + high == pytest.approx(np.zeros(2), abs=1e-9)
    assert (high - low + PEN <= (ROOM.width, ROOM.height)).all()
    assert laid("HAPPY BIRTHDAY ANNA", 30.0, ROOM, PEN) is None
    assert laid("   ", 3.0, ROOM, PEN) is None


def test_the_largest_height_fits_and_a_tenth_more_does_not() -> None:
    for text in ("A", "HAPPY BIRTHDAY ANNA", "gypsum", "a long sentence that goes over some lines at last"):
        height = fitted(text, ROOM, PEN, 50.0)
        assert height > 1 and round(10 * height) == pytest.approx(10 * height)
        assert laid(text, height, ROOM, PEN) is not None and laid(text, height + 0.101, ROOM, PEN) is None
    assert fitted("A", ROOM, PEN, 4.0) == 4.0
    assert fitted("A", Room(0.4, 0.4), PEN, 4.0) == 0.0


def test_how_much_of_a_text_fits_is_counted_in_letters() -> None:
    count = longest("iiiiiiiiiiiiiiiiiiiiiiiiiiiiii", 10.0, Room(20.0, 12.0), PEN)
    assert 0 < count < 30
    assert laid("i" * count, 10.0, Room(20.0, 12.0), PEN) is not None
    assert longest("A", 10.0, Room(1.0, 1.0), PEN) == 0


def test_a_letter_that_the_font_lacks_is_refused() -> None:
    with pytest.raises(StudioError, match="The single-line font has no ☺"):
        laid("☺", 3.0, ROOM, PEN)


def test_a_stroke_becomes_as_wide_as_the_pen_with_round_ends() -> None:
    (rim,) = grooves(lettered("l", 21.0), PEN)
    assert area((rim,)) == pytest.approx(21 * PEN + pi * PEN**2 / 4, rel=0.01)
    assert np.ptp(rim[:, 0]) == pytest.approx(PEN, abs=0.01)


def test_an_o_keeps_its_land_and_a_tiny_one_has_none() -> None:
    outer, inner = grooves(lettered("O", 10.0), PEN)
    assert area((outer,)) > 0 > area((inner,))
    assert len(grooves(lettered("O", 1.0), PEN)) == 1


@pytest.mark.parametrize("text", ["A", "OO88", "HAPPY BIRTHDAY", "@&%ß äöü #*", "i. : ° ·"])
def test_engraving_takes_away_just_the_grooves_and_leaves_a_sound_body(text: str) -> None:
    plain = slab()
    deep, rims = cut(text, 4.0, 0.6)
    assert flaw(deep) == ""
    assert plain.volume - deep.volume == pytest.approx(0.6 * area(rims), rel=1e-6)
    assert deep.bounds[0] == pytest.approx(plain.bounds[0]) and deep.bounds[1] == pytest.approx(plain.bounds[1])
    # Nothing was added anywhere: what it shares with the plain body is all of it.
    assert overlap(plain, deep) == pytest.approx(deep.volume, rel=1e-9)


def test_grooves_are_those_that_a_boolean_of_bodies_would_cut() -> None:
    import manifold3d

    deep, rims = cut("Rag", 6.0, 0.8)
    outlines = manifold3d.CrossSection([rim.tolist() for rim in rims], manifold3d.FillRule.Positive)
    tool = outlines.extrude(5.0).translate((0.0, 0.0, 9.9 - 0.8))
    wanted = body(slab()) - tool
    assert wanted.volume() == pytest.approx(deep.volume, rel=1e-9)
    assert (wanted ^ body(deep)).volume() == pytest.approx(deep.volume, rel=1e-9)


def test_the_true_directions_of_what_was_there_are_kept() -> None:
    deep, _ = cut("B", 5.0, 0.6)
    assert deep.normals is not None and len(deep.normals) == len(deep.triangles)
    flat = deep.facets / np.linalg.norm(deep.facets, axis=1)[:, None]
    assert ((deep.normals * flat[:, None, :]).sum(axis=2) > 0.9).all()


def test_no_rims_leave_the_mesh_as_it_is() -> None:
    plain = slab()
    assert engraved(plain, (), 0.6) is plain
