"""Profiles of tongues are read from files, whole and smooth, or refused with what is wrong with them."""

import re
from dataclasses import replace

import numpy as np
import pytest

from studio.errors import StudioError
from studio.geometry.curves import Curves
from studio.puzzles.jigsaw.profiles import FOLDER, Stored, profile, profile_of
from studio.puzzles.jigsaw.styles import STYLES, Style

SHIPPED = sorted(path.stem for path in FOLDER.glob("*.json"))
HUMP = Stored("Hump", ((0.0, 0.0), (0.2, 0.0), (0.3, 0.2), (0.5, 0.2)))


def style_of(key: str) -> Style:
    return next(style for style in STYLES if style.key == key)


def with_points(*points: tuple[float, float]) -> Stored:
    return replace(HUMP, half=points)


def test_every_shipped_profile_is_a_style() -> None:
    keys = {style.key for style in STYLES}
    assert len(SHIPPED) >= 7 and set(SHIPPED) <= keys
    assert {profile(name).title for name in SHIPPED} == {style.title for style in STYLES if style.key in SHIPPED}


@pytest.mark.parametrize("name", SHIPPED)
def test_a_profile_is_its_half_and_the_mirror_image_of_it(name: str) -> None:
    points = profile(name).points
    assert points[0].tolist() == [0, 0] and points[-1].tolist() == [1, 0]
    assert points[::-1] == pytest.approx(points * [-1, 1] + [1, 0])
    assert profile(name).height == points[::3, 1].max()


@pytest.mark.parametrize("name", SHIPPED)
def test_a_neck_is_where_a_profile_is_narrowest_between_edge_and_head(name: str) -> None:
    shown = profile(name)
    line = Curves.of([shown.points]).flattened(1e-4).points
    left = line[: len(line) // 2]
    above = left[(left[:, 1] > 0) & (left[:, 1] < shown.height / 2)]
    if not shown.necks:
        assert (np.diff(line[:, 0]) > 0).all(), "without a neck nothing locks"
        assert not style_of(name).size_widens_neck
        return
    assert style_of(name).size_widens_neck
    neck = shown.points[3 * shown.necks[0]]
    assert above[:, 0].max() <= neck[0] + 0.012
    assert 1 / 3 < (0.5 - neck[0]) / shown.half_head < 0.75, "the head is wider than the neck, and the neck not thin"


@pytest.mark.parametrize(
    ("stored", "sentence"),
    [
        (with_points((0, 0), (0.2, 0), (0.5, 0.2)), "The tongue Hump needs 3 n + 1 points for n curves."),
        (with_points(), "The tongue Hump needs 3 n + 1 points for n curves."),
        (with_points((0.1, 0), (0.2, 0), (0.3, 0.2), (0.5, 0.2)), "must run from 0, 0 to the middle of its edge"),
        (with_points((0, 0), (0.2, 0), (0.3, 0.2), (0.4, 0.2)), "must run from 0, 0 to the middle of its edge"),
        (with_points((0, 0), (0.2, 0), (0.3, -0.2), (0.5, -0.2)), "must run from 0, 0 to the middle of its edge"),
        (with_points((0, 0), (0.2, 0), (0.3, 0.1), (0.5, 0.2)), "The tongue Hump has a kink at point 3."),
        (with_points((0, 0), (0.2, 0), (0.5, 0.2), (0.5, 0.2)), "The tongue Hump has a kink at point 3."),
        (with_points((0, 0), (2.0, 0), (0.1, 0.2), (0.5, 0.2)), "The tongue Hump crosses itself."),
        (replace(HUMP, neck=1), "The tongue Hump has no point 1 for its neck."),
        (replace(HUMP, neck=-1), "The tongue Hump has no point -1 for its neck."),
    ],
)
def test_what_is_no_tongue_is_refused(stored: Stored, sentence: str) -> None:
    with pytest.raises(StudioError, match=re.escape(sentence)):
        profile_of(stored)
