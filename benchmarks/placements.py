"""Many random placements of every figure on three tilings: each is one whole piece without slivers around it, or a
problem says where it is not.

python benchmarks/placements.py [COUNT [FIGURE…]]; COUNT are the placements of a figure on each tiling, 50 unless it is
given, every second with four tongues. All of them take some twenty minutes. The exit code is 1 where anything is wrong
and no problem has its place.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

import shapely

from studio.base.progress import SILENT
from studio.checks.finding import errors_of
from studio.geometry.planar.regions import waste
from studio.puzzles.jigsaw.check_problems import COUNT
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures.silhouettes import figure, keys
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape

CELL, COLUMNS, ROWS = 22.0, 7, 6
TILINGS = ("grid", "voronoi", "hexagons")
TONGUES = 4
LARGEST_ERROR = 0.2
"""In mm², between the area of the board and that of its pieces."""
CLEAN, KNOWN = "clean", "problem"
"""Boards without errors, and those of which each error has its place."""


def placements(key: str, tiling: str, count: int) -> Iterator[JigsawDesign]:
    """Boards with a figure anywhere on them, of any size and however turned; the same in every run."""
    random = Random(f"{key} {tiling}")
    for number in range(count):
        pose = Pose(
            x=random.uniform(40, 114), y=random.uniform(40, 92), turn=random.uniform(-180, 180),
            height=random.uniform(1.1, 2.2) * CELL / max(1.0, figure(key).width**0.5),
            is_mirrored=random.random() < 0.5,
        )  # fmt: skip
        parameters = JigsawParameters(
            columns=COLUMNS, rows=ROWS, width=COLUMNS * CELL, height=ROWS * CELL, tiling=tiling, tongue_size=0.26,
            perturbation=0.14, seed=random.randrange(10**6),
        )  # fmt: skip
        yield JigsawDesign(parameters, whimsies=(Whimsy("figure1", key, pose, tongues=TONGUES * (number % 2)),))


def verdict(design: JigsawDesign) -> str:
    """CLEAN or KNOWN, or what is wrong that no problem says with its place."""
    shapes = shape(design, None, SILENT)
    errors = errors_of(check(design, shapes, None, SILENT).findings)
    placed = [error for error in errors if error.problem != COUNT]
    if errors:
        return KNOWN if placed else errors[0].message
    if shapes.drawing.pieces.names[-1] != "figure1":
        return "the figure is no piece"
    return _measured(shapes)


def _measured(shapes: JigsawShapes) -> str:
    drawing, p = shapes.drawing, shapes.design.parameters
    least = float(drawing.piece_areas[:-1].min())
    if least < p.least_area:
        return f"a sliver of {least:.1f} mm²"
    lost = sum(float(shapely.area(one)) for one in waste(drawing))
    gap = float(drawing.piece_areas.sum()) + lost - p.width * p.height
    return CLEAN if abs(gap) < LARGEST_ERROR else f"areas are {gap:.2f} mm² off"


def main(arguments: Sequence[str]) -> int:
    """Print a line for every figure, and what no problem says."""
    count = int(arguments[0]) if arguments else 50
    unsaid = 0
    print(f"{'figure':12} {CLEAN:>7} {KNOWN:>8} {'unsaid':>7}")
    for key in arguments[1:] or keys():
        found = Counter((verdict(design), tiling) for tiling in TILINGS for design in placements(key, tiling, count))
        clean, known = (sum(n for (says, _), n in found.items() if says == which) for which in (CLEAN, KNOWN))
        rest = {at: n for at, n in found.items() if at[0] not in (CLEAN, KNOWN)}
        unsaid += sum(rest.values())
        print(f"{key:12} {clean:7} {known:8} {sum(rest.values()):7}", flush=True)
        for (says, tiling), n in rest.items():
            print(f"  {tiling}, {n} times: {says}", flush=True)
    return 1 if unsaid else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
