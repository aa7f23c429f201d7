"""How coarse drafts are, so that one takes about a frame on a computer that is slow, or busy with something else."""

from __future__ import annotations

SHARES = (1.0, 0.85, 0.7, 0.5)
"""The sides of a draft as shares of the widget's, finest first: few, since each has pictures of its own on the card."""
FIRST_IF_SLOW = 2
"""At which of them a library begins that draws without a graphics card."""
FRAME_S = 0.033
"""What takes longer than this many seconds is drawn coarser the next time."""
SPARE = 0.8
"""The share of a frame up to which the next finer draft, with its pixels, would take; only then it is drawn finer."""


class Coarseness:
    """The share at which the next draft is drawn, from how long the last one took."""

    def __init__(self, *, is_slow: bool = False) -> None:
        self._at = FIRST_IF_SLOW if is_slow else 0

    @property
    def share(self) -> float:
        """The sides of the next draft as a share of those of the widget."""
        return SHARES[self._at]

    def took(self, seconds: float) -> None:
        """Note how long a draft at this share took."""
        if seconds > FRAME_S:
            self._at = min(self._at + 1, len(SHARES) - 1)
        elif self._at and seconds * (SHARES[self._at - 1] / self.share) ** 2 < SPARE * FRAME_S:
            self._at -= 1
