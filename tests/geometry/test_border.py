"""The border of a board: what is near it and what is on it, in cells that are no squares."""

import numpy as np
import pytest
import shapely

from studio.geometry.board.board_outline import bounded
from studio.geometry.board.board_spec import Form
from studio.geometry.board.border import Border

CHANCE = np.random.default_rng(5)
SCALE = np.array([20.0, 30.0])
BORDERS = ("rectangle", "ellipse", "polygon", "heart", "arch")


@pytest.mark.parametrize("outline", BORDERS)
def test_stations_are_nearest_to_places_and_none_is_sought_further_away_than_asked(outline: str) -> None:
    border = Border.from_outline(bounded(Form(outline, 200.0, 240.0)), SCALE)
    places = CHANCE.uniform((-1.0, -1.0), (11.0, 9.0), (600, 2))
    stations, gaps = border.nearest(places)
    whole = shapely.multilinestrings([border.lines[at] for at in range(len(border.lines))])
    assert np.allclose(gaps, shapely.distance(whole, shapely.points(places)), atol=1e-9)
    assert np.allclose(np.hypot(*(border.at(stations) - places).T), gaps, atol=1e-9)
    some, near = border.nearest(places, 0.5)
    within = gaps <= 0.5
    assert 50 < within.sum() < 550
    assert (some[within] == stations[within]).all() and (near[within] == gaps[within]).all()
    assert np.isinf(near[~within]).all() and not some[~within].any()


@pytest.mark.parametrize("outline", BORDERS)
def test_places_are_on_the_board_as_winding_round_them_says(outline: str) -> None:
    around = bounded(Form(outline, 200.0, 240.0))
    border = Border.from_outline(around, SCALE)
    places = CHANCE.uniform((-1.0, -1.0), (11.0, 9.0), (600, 2))
    ring = border.lines[0] - places[:, None]
    turns = np.angle(ring[:, 1:, 0] + 1j * ring[:, 1:, 1]) - np.angle(ring[:, :-1, 0] + 1j * ring[:, :-1, 1])
    turned = ((turns + np.pi) % (2 * np.pi) - np.pi).sum(axis=1)
    assert (border.holds(places) == (np.abs(turned) > np.pi)).all()
    assert 50 < border.holds(places).sum() < 550


def test_bends_are_at_the_stations_where_the_outline_turns() -> None:
    border = Border.from_outline(bounded(Form("rectangle", 200.0, 240.0)), SCALE)
    assert np.sort(border.at_bends).tolist() == pytest.approx([0.0, 10.0, 18.0, 28.0])
