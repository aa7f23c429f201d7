"""What must be fast when pieces are cut apart: the outlines of 5,000 of them, moved out by half a kerf.

The peer moves the very same outlines with shapely alone, as polylines: nothing followed, checked or made a curve again.
"""

from __future__ import annotations

from dataclasses import replace

import shapely

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import TOLERANCE, cutouts, too_narrow
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from tests.classic import classic

DESIGN = JigsawDesign(classic(columns=100, rows=50, width=2500, height=1250))
KERF = 0.15


def fresh(drawing: Drawing) -> Drawing:
    """The drawing as after an edit: nothing has been computed from it yet."""
    return replace(drawing, strokes=Curves(drawing.strokes.points, drawing.strokes.starts))


def moved_apart(drawing: Drawing) -> None:
    """Every piece with an outline of its own, as curves."""
    assert len(cutouts(Contours(fresh(drawing)), KERF / 2).rings) == 5000


def moved_by_shapely(drawing: Drawing) -> None:
    """The outlines as polygons, buffered."""
    outlines = drawing.outlines(drawing.strokes.flattened(TOLERANCE))
    polygons = shapely.polygons(shapely.linearrings(outlines.points, indices=outlines.owners))
    assert len(shapely.buffer(polygons, KERF / 2, join_style="mitre")) == 5000


def main() -> None:
    """Measure and print."""
    drawing = shape(DESIGN, None, Progress()).drawing
    plain = median(milliseconds(lambda: moved_by_shapely(drawing), 3))
    apart = median(milliseconds(lambda: moved_apart(drawing), 3))
    narrow = median(milliseconds(lambda: too_narrow(Contours(fresh(drawing)), KERF), 3))
    peer = "peer: shapely.buffer alone"
    show(
        [
            Row("5,000 outlines moved by half a kerf, as curves", apart, "ms", 2000.0, peer, plain),
            Row("the same, over that peer", round(apart / plain, 3), "×", 2.0, "peer: shapely.buffer, in ms", plain),
            Row("5,000 pieces searched for necks below the kerf", narrow, "ms", 1500.0, peer, plain),
        ]
    )


if __name__ == "__main__":
    main()
