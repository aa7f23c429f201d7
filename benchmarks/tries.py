"""How hard zigzaws of each difficulty are: the pieces that a solver tries for each place, over many seeds.

python -m benchmarks.tries [seeds] [columns rows]
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np

from studio.base.progress import Progress
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.grade import effort
from studio.puzzles.zigzaw.model import DIFFICULTIES, ZigzawDesign, ZigzawParameters

SEEDS, SIZE = 50, (9, 9)


def tries(parameters: ZigzawParameters) -> tuple[float, bool]:
    """Pieces tried for each place, and whether no two pieces are alike; raises StudioError if not proven unique."""
    design = generate(parameters, Progress())
    places = parameters.columns * parameters.rows
    return effort(design, Progress()) / places, not _twins(design)


def _twins(design: ZigzawDesign) -> bool:
    from studio.puzzles.zigzaw.check_problems import TWINS
    from studio.puzzles.zigzaw.checks import check
    from studio.puzzles.zigzaw.geometry import shape

    found = check(design, shape(design, None, Progress()), None, Progress())
    return any(one.problem is TWINS for one in found.findings)


def main(words: Sequence[str]) -> None:
    """Print a line for each difficulty: quartiles, the extremes, and how many puzzles have pieces alike."""
    seeds = int(words[0]) if words else SEEDS
    columns, rows = map(int, words[1:3]) if len(words) > 2 else SIZE
    print(f"{columns} × {rows}, {seeds} seeds: tries a place (1982: 8.1)")
    for difficulty in DIFFICULTIES:
        known = [
            tries(ZigzawParameters(columns=columns, rows=rows, difficulty=difficulty, seed=seed))
            for seed in range(seeds)
        ]
        least, low, middle, high, most = np.percentile([share for share, _ in known], [0, 25, 50, 75, 100])
        alike = sum(not distinct for _, distinct in known)
        extremes = f"extremes {least:6.1f} {most:6.1f}   with pieces alike {alike}"
        print(f"{difficulty:8} median {middle:6.1f}   quartiles {low:6.1f} {high:6.1f}   {extremes}")


if __name__ == "__main__":
    main(sys.argv[1:])
