"""What must be fast without a window: a large jigsaw from nothing, and all its checks."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import shapely
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QApplication, QGraphicsScene

from benchmarks.report import Row, median, milliseconds, show
from studio.checks import flat
from studio.geometry import lattice
from studio.progress import Progress
from studio.puzzles.jigsaw import checks
from studio.puzzles.jigsaw.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.ui.canvas.layers import DrawingLayer

DESIGN = JigsawDesign(JigsawParameters(columns=100, rows=50, width=2500, height=1250))


def shaped() -> JigsawShapes:
    """The 5,000 pieces from nothing, topology and all."""
    lattice._lattice.cache_clear()
    lattice.rectangular.cache_clear()
    return shape(DESIGN, None, Progress())


def drawn() -> None:
    """The same, and on a scene."""
    scene = QGraphicsScene()
    DrawingLayer(scene).show(shaped().drawing, settled=True)


def path_call_by_call(shapes: JigsawShapes) -> None:
    """The strokes as one path built the usual way; nothing is computed."""
    strokes = shapes.drawing.strokes
    path = QPainterPath()
    for at in range(len(strokes)):
        points = strokes[at].tolist()
        path.moveTo(*points[0])
        for one in range(1, len(points), 3):
            path.cubicTo(*points[one], *points[one + 1], *points[one + 2])


def all_crossings_plainly(shapes: JigsawShapes) -> None:
    """Crossings alone, as one asks shapely for them at first: `crosses` over a tree."""
    lines = flat.cuts(shapes.drawing.strokes).lines
    shapely.STRtree(lines).query(lines, predicate="crosses")


def main() -> None:
    """Measure and print."""
    app = QApplication([])
    shapes = shaped()
    checked = checks.check(DESIGN, shapes, None, Progress())
    assert len(np.unique([finding.kind for finding in checked.findings])) == 0
    show([
        Row(
            "generate and draw 5,000 pieces from nothing", median(milliseconds(drawn, 9)), "ms", 150,
            "floor: the path alone, call by call", median(milliseconds(lambda: path_call_by_call(shapes), 3)),
        ),
        Row(
            "all checks of 5,000 pieces from nothing",
            median(milliseconds(lambda: checks.check(DESIGN, shapes, None, Progress()), 7)), "ms", 600,
            "peer: shapely's crosses for all cuts, nothing else",
            median(milliseconds(lambda: all_crossings_plainly(shapes), 3)),
        ),
    ])  # fmt: skip
    app.quit()


if __name__ == "__main__":
    main()
