"""Colours in OKLab: as its author and the CSS Color 4 specification publish them, and back again."""

import numpy as np
import pytest

from studio.puzzles.zigzaw.colours import of_paints, oklab, to_hex
from studio.puzzles.zigzaw.model import Paint


def test_it_gives_the_values_that_its_author_published() -> None:
    assert oklab(np.array([1.0, 1.0, 1.0])) == pytest.approx([1.0, 0.0, 0.0], abs=1e-3)
    # Pure red, green and blue, from the CSS Color 4 specification's conversions.
    assert oklab(np.array([1.0, 0.0, 0.0])) == pytest.approx([0.628, 0.225, 0.126], abs=1e-3)
    assert oklab(np.array([0.0, 1.0, 0.0])) == pytest.approx([0.866, -0.234, 0.179], abs=1e-3)
    assert oklab(np.array([0.0, 0.0, 1.0])) == pytest.approx([0.452, -0.032, -0.312], abs=1e-3)


def test_greys_have_no_colour_and_black_is_nothing() -> None:
    grey, black = of_paints([Paint("Grey", "#777777"), Paint("Black", "#000000")])
    assert np.allclose(black, 0) and np.allclose(grey[1:], 0, atol=1e-3) and 0.5 < grey[0] < 0.6


@pytest.mark.parametrize("colour", ["#000000", "#FFFFFF", "#A4A7AD", "#0B6BD3", "#FF0000", "#00FF7F"])
def test_a_colour_comes_back_as_it_was(colour: str) -> None:
    assert to_hex(of_paints([Paint("One", colour)])[0]) == colour
