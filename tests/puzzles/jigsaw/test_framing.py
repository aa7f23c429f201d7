"""The frame around a figure, and what a pull at it makes of the pose."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.puzzles.jigsaw.figures.whimsies import (
    Pose,
    Whimsy,
    carried,
    frame,
    posed_together,
    rotated,
    scaled,
    together,
)
from tests.depth import examples

SMALLEST = 5.0

POSES = st.builds(
    Pose,
    x=st.floats(0, 300), y=st.floats(0, 200), height=st.floats(10, 200), turn=st.floats(-180, 180),
    is_mirrored=st.booleans(),
)  # fmt: skip


@given(POSES)
def test_a_frame_is_the_box_around_a_figure_that_is_not_turned(pose: Pose) -> None:
    upright = Whimsy("fish1", "fish", pose).posed(turn=0.0)
    points = upright.on_board()[0]
    corners = frame(upright)
    assert corners[0] == pytest.approx(corners.min(axis=0)) and corners[2] == pytest.approx(corners.max(axis=0))
    # Control points reach beyond their curves, never less far.
    assert (points.min(axis=0) <= corners[0] + 1e-6).all() and (points.max(axis=0) >= corners[2] - 1e-6).all()


@given(POSES, st.integers(0, 3), st.floats(-60, 60), st.floats(-60, 60))
def test_scaling_leaves_the_opposite_corner_where_it_is(pose: Pose, corner: int, right: float, down: float) -> None:
    figure = Whimsy("fish1", "fish", pose)
    after = scaled(figure, corner, right, down)
    assert after.height >= SMALLEST and (after.turn, after.is_mirrored) == (pose.turn, pose.is_mirrored)
    moved = frame(Whimsy("fish1", "fish", after))
    assert moved[corner - 2] == pytest.approx(frame(figure)[corner - 2])


@given(POSES, st.floats(-170, 170))
def test_rotation_follows_the_pull_and_snaps(pose: Pose, degrees: float) -> None:
    begin = np.array([0.0, -30.0])
    angle = np.radians(degrees)
    end = begin @ np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    places = [(float(pose.x + x), float(pose.y + y)) for x, y in (begin, end)]
    free = rotated(pose, places[0], places[1], snaps=False)
    assert (free.turn - pose.turn - degrees + 180) % 360 - 180 == pytest.approx(0.0, abs=0.06)
    held = rotated(pose, places[0], places[1], snaps=True).turn
    assert (held / 15) == pytest.approx(round(held / 15)) and -180 < held <= 180


def test_a_pull_beyond_everything_stays_within_bounds() -> None:
    figure = Whimsy("fish1", "fish", Pose(x=100.0, y=75.0, height=40.0))
    assert scaled(figure, 2, 1e6, 1e6).height == 5000.0
    assert scaled(figure, 2, -1e6, -1e6).height == SMALLEST
    small = figure.posed(height=3.0)
    assert scaled(small, 2, -100.0, -100.0).height == 3.0


@settings(max_examples=examples(30, 500))
@given(st.lists(POSES, min_size=2, max_size=4), st.floats(0.5, 3.0), st.floats(-170, 170))
def test_several_are_carried_as_one_rigid_figure(poses: list[Pose], share: float, turn: float) -> None:
    figures = [Whimsy(f"fish{at + 1}", "fish", pose) for at, pose in enumerate(poses)]
    around = together(figures)
    assert around is not None
    box = frame(around)
    corners = np.concatenate([frame(one) for one in figures])
    assert box.min(axis=0) == pytest.approx(corners.min(axis=0)) and box.max(axis=0) == pytest.approx(
        corners.max(axis=0)
    )
    before = around.pose
    after = Pose(x=before.x + 5, y=before.y - 3, height=share * before.height, turn=turn)
    found = carried(poses, before, after)
    places, moved = (np.array([(one.x, one.y) for one in some]) for some in (poses, found))
    spin = np.exp(1j * np.radians(turn)) * share
    expected = complex(after.x, after.y) + spin * (places @ [1, 1j] - complex(before.x, before.y))
    assert moved @ [1, 1j] == pytest.approx(expected, abs=1e-6)
    assert [one.height for one in found] == pytest.approx([share * one.height for one in poses])
    assert np.cos(np.radians([one.turn - was.turn for one, was in zip(found, poses, strict=True)])) == pytest.approx(
        np.cos(np.radians(turn)), abs=1e-6
    )


def test_none_becomes_smaller_or_larger_than_it_may_and_one_has_its_own_frame() -> None:
    poses = [Pose(x=10, y=10, height=4), Pose(x=50, y=10, height=40)]
    figures = [Whimsy(f"fish{at + 1}", "fish", pose) for at, pose in enumerate(poses)]
    around = together(figures)
    assert around is not None and together(figures[:1]) is figures[0] and together([]) is None
    tiny = Pose(x=around.pose.x, y=around.pose.y, height=around.pose.height / 10)
    assert [one.height for one in carried(poses, around.pose, tiny)] == [2.0, 20.0]


OAK = tuple(
    Whimsy(f"letter{at}", figure, Pose(x=40.0 + 35.0 * at, y=70.0 + 4.0 * at, height=28.0 + at, turn=10.0 * at))
    for at, figure in enumerate(("cat", "fish", "star"), 1)
)


@given(st.floats(-170, 170), st.floats(0.5, 2.0), st.booleans(), st.floats(-20, 20))
def test_figures_posed_together_are_one_drawing_mirrored_scaled_and_turned(
    turn: float, share: float, mirrored: bool, right: float
) -> None:
    around = together(OAK)
    assert around is not None
    pose = around.pose
    wanted = replace(pose, x=pose.x + right, height=share * pose.height, turn=turn, is_mirrored=mirrored)
    poses = posed_together(OAK, wanted)
    middle, growth = complex(pose.x, pose.y), share * np.exp(1j * np.radians(turn))
    for one in OAK:
        points = one.on_board()[0] @ [1, 1j] - middle
        expected = middle + right + growth * (-points.conjugate() if mirrored else points)
        moved = replace(one, pose=poses[one.name]).on_board()[0] @ [1, 1j]
        assert np.abs(moved - (expected[::-1] if mirrored else expected)).max() < 1e-3
