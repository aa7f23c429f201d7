"""What must be fast when all problems of a jigsaw are fixed, beside one check of the same board as a floor."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.report import Row, median, milliseconds, show
from studio.progress import Progress
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.repair import Board, repaired

LARGE = JigsawParameters(columns=30, rows=20, width=750.0, height=500.0, perturbation=0.4, tongue_size=0.35)
WILD = JigsawParameters(perturbation=0.45, tongue_size=0.5)


def main() -> None:
    """Measure and print."""
    rows = []
    for title, parameters, goal in (("30 × 20 pieces", LARGE, 3000.0), ("12 × 6 pieces, wild", WILD, 500.0)):
        design = JigsawDesign(parameters)
        whole = median(milliseconds(lambda design=design: repaired(design, Progress()), 3))  # type: ignore[misc]
        once = median(milliseconds(lambda design=design: Board.of(design, Progress()), 3))  # type: ignore[misc]
        rows.append(Row(f"all problems of {title} fixed", whole, "ms", goal, "floor: checked once", once))
    show(rows)


if __name__ == "__main__":
    main()
