"""Widths: those of limbs as they are cut, of every body, and of the rim beside the cuts through a frame."""

from math import sqrt

import numpy as np
import pytest
import shapely

from studio.geometry.curves.strokes import Curves
from studio.puzzles.zigzaw.checks import limb, parting
from studio.puzzles.zigzaw.geometry import outline_of, plain
from studio.puzzles.zigzaw.model import ZigzawParameters
from studio.puzzles.zigzaw.piece_forms import BODIES

every_body = pytest.mark.parametrize("body", BODIES)


@every_body
def test_a_limb_one_sticker_wide_is_as_wide_as_that(body: str) -> None:
    for edge in (4.0, 8.9):
        found = limb(ZigzawParameters(body=body, edge=edge))
        assert found.width == pytest.approx(edge * sqrt(3) / 2, rel=1e-3)


@every_body
@pytest.mark.parametrize("radius", [0.5, 1.5, 20.0])
def test_a_disc_as_wide_finds_room_where_a_rounded_limb_is_narrowest(body: str, radius: float) -> None:
    parameters = ZigzawParameters(body=body, radius=radius)
    found = limb(parameters)
    piece = shapely.Polygon(Curves.from_strokes([outline_of(parameters)]).flattened(0.005).points)
    place = shapely.Point(found.place)
    assert 0.8 * 8.9 * sqrt(3) / 2 < found.width <= 8.9
    assert piece.contains(place)
    assert 2 * piece.exterior.distance(place) == pytest.approx(found.width, rel=0.1)


@every_body
def test_the_rim_beside_a_parting_grows_with_the_border(body: str) -> None:
    widths = []
    for border in (3.0, 10.0):
        parameters = ZigzawParameters(columns=5, rows=4, body=body, frame="four", border=border)
        drawing, origin = plain(parameters)
        found = parting(parameters, np.array([drawing.width, drawing.height]), origin)
        assert found is not None
        assert 0 < found.place[0] < drawing.width and 0 < found.place[1] < drawing.height
        widths.append(found.width)
    assert widths[1] - widths[0] == pytest.approx(7.0) and widths[0] >= 3.0 - 1e-9


def test_a_frame_in_one_piece_has_no_parting() -> None:
    assert parting(ZigzawParameters(), np.ones(2), np.zeros(2)) is None
