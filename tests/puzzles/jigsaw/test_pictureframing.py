"""Pictures placed by numbers and by pulls: what is left alone stays exact, and what is held still stays."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.picture.board_picture import (
    FILL,
    FIT,
    BoardPicture,
    PictureSetting,
    moved,
    quartered,
    rotated,
    scaled,
    setting_of,
    with_setting,
)
from tests.puzzles.jigsaw.test_boardpicture import photograph

FARTHEST = 5.0

DATA = photograph()
sizes = st.tuples(st.floats(5, 10_000), st.floats(5, 10_000))
pictures = st.builds(
    BoardPicture, st.just(DATA), st.just(PNG), st.sampled_from([FILL, FIT]), st.floats(0.05, 20), st.floats(-1, 1),
    st.floats(-1, 1), st.floats(-360, 360), st.tuples(*[st.floats(0, 0.47)] * 4),
)  # fmt: skip


@given(pictures, sizes)
def test_numbers_that_nobody_changes_leave_the_place_as_exact_as_it_is(
    picture: BoardPicture, size: tuple[float, float]
) -> None:
    again = with_setting(picture, setting_of(picture, size), size)
    assert (again.right, again.down, again.place, again.turn) == (
        picture.right, picture.down, picture.place, picture.turn
    )  # fmt: skip
    assert math.isclose(again.scale, picture.scale, abs_tol=1e-6)
    assert np.allclose(again.crop, picture.crop, atol=1e-6)


def test_numbers_are_millimetres_from_the_middle_and_percent() -> None:
    picture = BoardPicture(DATA, PNG)
    setting = PictureSetting(FIT, 150.0, 30.0, -15.0, 45.0, 10.0, 0.0, 20.0, 5.0)
    placed = with_setting(picture, setting, (300.0, 150.0))
    assert placed == BoardPicture(DATA, PNG, FIT, 1.5, 0.1, -0.1, 45.0, (0.1, 0.0, 0.2, 0.05))
    assert setting_of(placed, (300.0, 150.0)) == setting
    with pytest.raises(StudioError, match="crop must leave at least 5 %"):
        with_setting(picture, replace(setting, left_crop=80.0), (300.0, 150.0))


@given(pictures, sizes, st.floats(-0.5, 0.5), st.floats(-0.5, 0.5))
def test_a_pull_moves_the_middle_as_far(
    picture: BoardPicture, size: tuple[float, float], across: float, down: float
) -> None:
    right, low = across * size[0], down * size[1]
    before, after = picture.kept(*size), moved(picture, size, right, low).kept(*size)
    assert np.allclose(after.corners - before.corners, (right, low), atol=1e-6 * max(size))
    far = moved(picture, size, 100 * size[0], -100 * size[1])
    assert (far.right, far.down) == (FARTHEST, -FARTHEST)


@given(pictures, sizes, st.integers(0, 3), st.floats(-0.8, 2), st.floats(-0.8, 2))
def test_a_pull_at_a_corner_keeps_the_opposite_one_and_the_proportions(
    picture: BoardPicture, size: tuple[float, float], corner: int, along: float, aside: float
) -> None:
    before = picture.kept(*size)
    way = before.corners[corner] - before.corners[corner - 2]
    across = np.array([-way[1], way[0]])
    pulled = scaled(picture, size, corner, *(along * way + aside * across).tolist())
    after = pulled.kept(*size)
    assert 0.05 <= pulled.scale <= 20
    if abs(pulled.right) < FARTHEST and abs(pulled.down) < FARTHEST:
        slack = 1e-6 * max(*size, *before.box[2:], *after.box[2:])
        assert np.allclose(after.corners[corner - 2], before.corners[corner - 2], atol=slack)
    if 0.06 < pulled.scale < 19:
        assert math.isclose(pulled.scale / picture.scale, 1 + along, rel_tol=1e-6, abs_tol=1e-6)


@given(pictures, sizes, st.floats(-170, 170), st.booleans())
def test_a_pull_at_the_knob_turns_the_picture_about_its_middle_as_large_as_before(
    picture: BoardPicture, size: tuple[float, float], degrees: float, snaps: bool
) -> None:
    before = picture.kept(*size)
    middle, angle = np.array(before.middle), math.radians(degrees)
    begin = (middle + np.array([50.0, 0.0])).tolist()
    end = (middle + 50 * np.array([math.cos(angle), math.sin(angle)])).tolist()
    pulled = rotated(picture, size, tuple(begin), tuple(end), snaps=snaps)
    apart = math.remainder(pulled.turn - picture.turn - degrees, 360)
    assert abs(apart) <= (7.5 if snaps else 0.05) + 1e-6 and -180 <= pulled.turn <= 180
    assert not snaps or pulled.turn % 15 == 0
    after = pulled.kept(*size)
    assert np.allclose(after.middle, before.middle, atol=1e-6 * max(size))
    if 0.05 < pulled.scale < 20:
        assert np.allclose(after.box[2:], before.box[2:], rtol=1e-6, atol=1e-6)


def test_quarters_come_round_and_keep_filling_the_board() -> None:
    picture = BoardPicture(DATA, PNG, turn=30.0)
    once = quartered(picture, 1)
    assert (once.turn, once.scale) == (120.0, 1.0)
    assert [quartered(once, way).turn for way in (-1, 1)] == [30.0, -150.0]
    assert quartered(quartered(quartered(once, 1), 1), 1) == picture
