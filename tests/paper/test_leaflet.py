"""Pages as values: words that fit, and what cannot be written named with its place."""

import io
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from studio.base.errors import StudioError
from studio.geometry.art.artwork import PNG, Picture
from studio.paper.leaflet import (
    Leaflet,
    MarkGroup,
    Page,
    Words,
    capitals,
    centred,
    ensure_writable,
    shortened,
    width_of,
    wrapped,
)

SENTENCE = "Six pieces, 12 × 12 × 12 voxels, 120 × 120 × 120 mm, seed 7, edited"


def page(*marks: Words | Picture) -> Page:
    return Page(100, 120, (MarkGroup("all", marks),))


def line(text: str) -> Words:
    return Words(text, (10, 20), 4, "#22242A")


def test_words_are_as_wide_as_they_are_large() -> None:
    assert width_of("Harbour box", 8) == pytest.approx(2 * width_of("Harbour box", 4))
    assert width_of("Harbour box", 4, bold=True) > width_of("Harbour box", 4) > 0


def test_words_that_are_too_wide_lose_their_end() -> None:
    assert shortened("short", 4, 50) == "short"
    cut = shortened("a very long name of a box", 4, 30)
    assert cut.endswith("…") and width_of(cut, 4) <= 30 < width_of(f"{cut[:-1]}ab…", 4)


@given(st.floats(1, 20), st.floats(5, 300), st.booleans())
def test_wrapped_words_fit_and_none_is_lost(size: float, most: float, bold: bool) -> None:
    lines = wrapped(SENTENCE, size, most, bold=bold)
    assert all(width_of(each, size, bold=bold) <= most or each == "…" for each in lines)
    if "…" not in "".join(lines):
        assert " ".join(lines) == SENTENCE
        for before, after in itertools.pairwise(lines):
            assert width_of(f"{before} {after.split()[0]}", size, bold=bold) > most, "no line ends too early"


def test_nothing_is_wrapped_into_no_line() -> None:
    assert wrapped("", 4, 50) == wrapped("  ", 4, 50) == ()


def test_centred_capitals_stand_half_below_their_middle() -> None:
    words = centred("F", np.array([35.0, 25.0]), 6, "#FFFFFF", turn=np.array([[0.87, 0.5], [0, 1]]))
    assert words.place == pytest.approx((35.0, 25.0 + capitals(6) / 2))
    assert words.turn == (0.87, 0.5, 0.0, 1.0)
    assert capitals(6) == pytest.approx(0.73 * 6, rel=0.01)


def refused(leaflet: Leaflet) -> str:
    with pytest.raises(StudioError) as problem:
        ensure_writable(leaflet)
    return str(problem.value)


def test_the_first_letter_that_cannot_be_set_is_named_with_its_page_and_line() -> None:
    pages = (page(line("one"), line("dvě")), page(line("τρία"), line("四"), line("五")))
    assert refused(Leaflet("x", pages)) == "Page 2, line 2: no font has “四” (U+56DB cjk unified ideograph-56db)."
    assert refused(Leaflet("x", (page(line("שלום")),))).startswith("Page 1, line 1: “ש” (U+05E9 hebrew letter shin)")
    ensure_writable(Leaflet("四", (page(line("one")),)))


def test_a_broken_picture_is_named_with_its_page_and_place() -> None:
    file = io.BytesIO()
    Image.effect_noise((300, 300), 50).save(file, "PNG")
    whole, broken = (Picture(data, PNG, (5, 7, 10, 10)) for data in (file.getvalue(), file.getvalue()[:30_000]))
    ensure_writable(Leaflet("x", (page(whole),)))
    said = refused(Leaflet("x", (page(line("one")), page(line("two"), broken))))
    assert said == "Page 2: The picture at 5, 7 mm is damaged or truncated."


@pytest.mark.parametrize("size", [(float("nan"), 10.0), (0.0, 10.0), (10.0, -1.0), (float("inf"), 10.0)])
def test_a_page_without_a_size_is_refused(size: tuple[float, float]) -> None:
    assert "Page 1 needs a width and a height in mm" in refused(Leaflet("x", (Page(*size, ()),)))
