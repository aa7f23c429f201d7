"""How many loops satisfy the clues of a slitherlink."""

from __future__ import annotations

from collections.abc import Sequence

from studio.base.progress import Progress
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from studio.solving.loops import solutions
from studio.solving.solved import Count

ENOUGH = 2
"""Solutions after which a count ends if no limit is named: beyond the second, more do not matter."""
PROOF_STEPS = 100_000
"""Steps of the search that a proof of one solution may take."""
MOST_STEPS = 1_000_000
"""Steps of the search after which a count ends with `at least`."""


def count(design: SlitherlinkDesign, _target: Sequence[str], progress: Progress, *, most: int | None = None) -> Count:
    """The number of loops, up to the second or as many as asked."""
    net, line = design.parameters.net, design.line
    return solutions(net, design.clues, progress, most=most or ENOUGH, steps=MOST_STEPS, known=line)[1]


def proof(design: SlitherlinkDesign, progress: Progress, steps: int = PROOF_STEPS) -> Count:
    """The number of loops up to the second, as far as `steps` of the search show."""
    net, line = design.parameters.net, design.line
    return solutions(net, design.clues, progress, most=2, steps=steps, known=line)[1]
