"""What must be fast when all problems of a jigsaw are fixed, and when the places where pieces fit are counted.

Beside them a floor: one check of the same board, or its shapes.
"""

from __future__ import annotations

from dataclasses import replace
from time import perf_counter

from benchmarks import yardstick
from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.fits.tongue_reshaping import made_unique
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.repair import repaired
from studio.puzzles.jigsaw.repair_search import CheckedBoard

LARGE = JigsawParameters(
    columns=30, rows=20, width=750.0, height=500.0, perturbation=0.4, tongue_size=0.35, layout_version=1
)
BROAD = JigsawParameters(columns=60, rows=40, width=1500.0, height=1000.0)
CLEARANCE = 0.15
WILD = JigsawParameters(perturbation=0.45, tongue_size=0.5, layout_version=1)


def main() -> None:
    """Measure and print."""
    rows = [yardstick.row()]
    for title, parameters, goal in (("30 × 20 pieces", LARGE, 3000.0), ("12 × 6 pieces, wild", WILD, 500.0)):
        design = JigsawDesign(parameters)
        whole = median(milliseconds(lambda design=design: repaired(design, Progress()), 3))  # type: ignore[misc]
        once = median(milliseconds(lambda design=design: CheckedBoard.from_design(design, Progress()), 3))  # type: ignore[misc]
        rows.append(Row(f"all problems of {title} fixed", whole, "ms", goal, "floor: checked once", once))
    show([*rows, *_fits()])


def _fits() -> list[Row]:
    """False fits of a large board, from nothing and after a corner was moved."""
    design = JigsawDesign(BROAD)
    shapes = shape(design, None, Progress())
    floor = median(milliseconds(lambda: shape(design, None, Progress()), 3))
    rows = [Row("false fits of 60 × 40 pieces", median(milliseconds(lambda: false_fits(shapes, CLEARANCE), 3)), "ms",
                1500.0, "floor: shapes", floor)]  # fmt: skip
    known, times, small = false_fits(shapes, CLEARANCE), [], []
    for step in range(9):
        begin = perf_counter()
        design = design.with_corners({"20,20": (0.02 * step, 0.1)})
        shapes = shape(design, shapes, Progress())
        middle = perf_counter()
        known = false_fits(shapes, CLEARANCE, before=known)
        times.append(1000 * (perf_counter() - middle))
        small.append(1000 * (middle - begin))
    rows.append(Row("… after a corner was moved", median(times), "ms", 20.0, "floor: shapes", median(small)))
    return [*rows, _unique()]


def _unique() -> Row:
    """False fits of a board of few variations solved."""
    design = JigsawDesign(replace(LARGE, perturbation=0.16, tongue_size=0.27, tongue_style="article"))
    whole = median(milliseconds(lambda: made_unique(design, CLEARANCE, Progress()), 3))
    once = median(milliseconds(lambda: false_fits(shape(design, None, Progress()), CLEARANCE), 3))
    return Row("30 × 20 flat-top pieces made unique", whole, "ms", 5000.0, "floor: false fits", once)


if __name__ == "__main__":
    main()
