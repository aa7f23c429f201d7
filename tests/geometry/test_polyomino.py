"""The outline of pieces made of squares."""

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.geometry.planar.polyomino import Mask, outline


def mask(picture: str) -> Mask:
    """Rows are counted along x, letters in them along y."""
    return np.array([[letter == "#" for letter in row] for row in picture.split("/")])


def area(points: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> float:
    x, y = points.T
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)


@pytest.mark.parametrize(
    ("picture", "corners", "convex"),
    [("#", 4, 4), ("##/##", 4, 4), ("##/#.", 6, 5), ("###/.#.", 8, 6), (".#./###/.#.", 12, 8), ("#.#/###", 8, 6)],
)
def test_an_outline_turns_left_four_times_more_often_than_right(picture: str, corners: int, convex: int) -> None:
    loop = outline(mask(picture))
    assert (len(loop.corners), int(loop.convex.sum())) == (corners, convex)
    assert convex - (corners - convex) == 4
    assert area(loop.inset(1.0, 0.0)) == picture.count("#")


def test_an_inset_outline_lies_a_margin_within_all_sides() -> None:
    cross = outline(mask(".#./###/.#.")).inset(10.0, 1.0)
    # Five squares of 100 mm², less a margin along twelve sides, each end of which is shared or missing.
    assert area(cross) == pytest.approx(28 * 8 + 2 * 8 * 10)
    assert cross.min() == 1.0 and cross.max() == 29.0


@pytest.mark.parametrize("picture", ["#.#", "###/#.#/###", "#./.#", "##./..#"])
def test_what_is_no_single_loop_is_refused(picture: str) -> None:
    with pytest.raises(StudioError, match="must be in one part and have no hole"):
        outline(mask(picture))


def test_nothing_is_refused() -> None:
    with pytest.raises(StudioError, match="without voxels"):
        outline(np.zeros((2, 2), bool))
