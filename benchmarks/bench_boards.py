"""What must be fast on boards that are no grid: cells from nothing, clipped to an outline, and a dragged corner.

The peer of Voronoi cells is shapely's own diagram of as many points, not relaxed; that of clipping the intersection of
the same cells with the same outline, which leaves polygons without names, slivers included.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np
import shapely

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.geometry.board import board_outline, board_spec
from studio.geometry.board.board_outline import voronoi
from studio.geometry.board.clipping import clipped
from studio.geometry.board.outline import Outline, outline_of
from studio.geometry.curves.strokes import Floats, closed_through
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape

SIZE = (1000.0, 800.0)
POINTS = 2000


def rugged() -> Floats:
    """An outline of 2,000 straight sides, with three lobes."""
    angles = 2 * np.pi * np.arange(POINTS) / POINTS
    reach = 0.86 + 0.12 * np.cos(3 * angles) + 0.01 * np.sin(40 * angles)
    return closed_through(np.array(SIZE) / 2 * (1 + reach[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)))


def clipped_by_shapely(cells: Floats, outline: Outline) -> None:
    """The same cells as polygons, those at the outline cut off."""
    polygons = shapely.box(cells[:, 0], cells[:, 1], cells[:, 2], cells[:, 3])
    inside = shapely.contains_properly(outline.region, polygons)
    shapely.intersection(polygons[~inside], outline.region)


def drags(*, checks: bool = True) -> Iterator[float]:
    """Milliseconds of moves of several corners of a Voronoi board of 2,000 pieces: the cuts and their checks."""
    parameters = JigsawParameters(tiling="voronoi", pieces=2000, width=1400.0, height=900.0)
    design = JigsawDesign(parameters)
    shapes = shape(design, None, Progress())
    checked = check(design, shapes, None, Progress())

    def move(corner: int, by: float) -> None:
        moved = edits.with_corners_at(shapes, {corner: shapes.corners[corner] + by})
        after = shape(moved, shapes, Progress())
        if checks:
            check(moved, after, checked, Progress())

    for corner in shapes.tiling.movable[::331].tolist():
        for step in range(1, 9):
            yield from milliseconds(partial(move, corner, 0.2 * step), 1)


def main() -> None:
    """Measure and print."""
    outline = outline_of([board_outline.ellipse(*SIZE)])
    cells = median(milliseconds(lambda: voronoi(39, 33, *SIZE, 7, outline), 5))
    points = shapely.multipoints(np.random.default_rng(1).uniform(0, 1, (1000, 2)) * SIZE)
    diagram = median(milliseconds(lambda: shapely.voronoi_polygons(points), 5))
    grid, lobed = board_spec.grid(50, 40, *SIZE), outline_of([rugged()])
    width, height = grid.scale.tolist()
    across, down = (each.ravel() for each in np.meshgrid(np.arange(50) * width, np.arange(40) * height))
    boxes = np.stack([across, down, across + width, down + height], 1)
    clipping = median(milliseconds(lambda: clipped(grid, lobed, SIZE), 5))
    bare = median(milliseconds(lambda: clipped_by_shapely(boxes, lobed), 5))
    floor, moves = float(np.percentile([*drags(checks=False)], 95)), float(np.percentile([*drags()], 95))
    show(
        [
            Row(
                "1,000 Voronoi cells, relaxed, from nothing", cells, "ms", 250.0, "peer: shapely, not relaxed", diagram
            ),
            Row("2,000 cells clipped to 2,000 points", clipping, "ms", 300.0, "peer: shapely.intersection", bare),
            Row("corner of a Voronoi board dragged, p95", moves, "ms", 8.0, "floor: cut without checks", floor),
        ]
    )


if __name__ == "__main__":
    main()
