"""Drafts get coarser where they take longer than a frame, and finer again as soon as there is time for it."""

import pytest

from studio.ui.solid.progressive import FRAME_S, SHARES, Coarseness


def test_drafts_that_take_long_get_coarser_step_by_step_and_no_coarser_than_that() -> None:
    drafts, found = Coarseness(), list[float]()
    for _ in range(6):
        found.append(drafts.share)
        drafts.took(5 * FRAME_S)
    assert found == [*SHARES, SHARES[-1], SHARES[-1]]
    for _ in range(7):
        drafts.took(0.001)
    assert drafts.share == 1.0


@pytest.mark.parametrize("is_slow", [False, True])
@pytest.mark.parametrize("whole", [0.002, 0.02, 0.03, 0.05, 0.1, 0.3, 3.0])
def test_a_computer_that_is_equally_fast_gets_one_coarseness_that_lasts(whole: float, is_slow: bool) -> None:
    drafts = Coarseness(is_slow=is_slow)
    for _ in range(10):
        drafts.took(whole * drafts.share**2)
    settled = drafts.share
    for _ in range(10):
        drafts.took(whole * drafts.share**2)
        assert drafts.share == settled
    assert whole * settled**2 <= FRAME_S or settled == SHARES[-1]
    finer = [share for share in SHARES if share > settled]
    assert not finer or whole * finer[-1] ** 2 > 0.7 * FRAME_S, "as fine as there is time for"
