"""What must be fast without a window: a large jigsaw from nothing, and all its checks."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
import shapely
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QApplication, QGraphicsScene

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.checks import cut_crossings
from studio.geometry.board import tiling_construction
from studio.geometry.curves.strokes import Floats, Ints
from studio.geometry.planar.graph import trace
from studio.puzzles.jigsaw import checks
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.ui.canvas.drawing_tiles import DrawingLayer
from tests.classic import classic

DESIGN = JigsawDesign(classic(columns=100, rows=50, width=2500, height=1250))
RIBBON = JigsawDesign(JigsawParameters(columns=100, rows=50, width=2500, height=1250))


def shaped(design: JigsawDesign) -> JigsawShapes:
    """The 5,000 pieces of a design from nothing, topology and all."""
    tiling_construction._lattice.cache_clear()
    tiling_construction.rectangular.cache_clear()
    return shape(design, None, Progress())


def drawn(design: JigsawDesign) -> None:
    """The same, and on a scene."""
    scene = QGraphicsScene()
    DrawingLayer(scene).show(shaped(design).drawing, settled=True)


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
    lines = cut_crossings.cuts(shapes.drawing.strokes).lines
    shapely.STRtree(lines).query(lines, predicate="crosses")


def honeycomb(columns: int, rows: int) -> tuple[Floats, Ints]:
    """Corners and edges of hexagons, two rows of triangles' corners each, as a brick wall of their corners."""
    across, down = np.meshgrid(np.arange(2 * columns + 2), np.arange(rows + 1))
    corner = np.arange(across.size).reshape(rows + 1, -1)
    places = np.stack([across * 1.0, down * 1.7 + 0.5 * ((across + down) % 2)], -1)
    upright = (across[:-1] + down[:-1]) % 2 == 1
    along = np.stack([corner[:, :-1], corner[:, 1:]], -1).reshape(-1, 2)
    edges = np.concatenate([along, np.stack([corner[:-1][upright], corner[1:][upright]], 1)])
    # Corners at which a single edge ends part nothing.
    while len(loose := np.flatnonzero(np.bincount(edges.ravel(), minlength=across.size) == 1)):
        edges = edges[~np.isin(edges, loose).any(axis=1)]
    used, numbers = np.unique(edges, return_inverse=True)
    return places.reshape(-1, 2)[used], numbers.reshape(-1, 2)


def polygonized(corners: Floats, edges: Ints) -> None:
    """The faces alone, as shapely finds them; nothing says which edge is whose."""
    shapely.polygonize(shapely.linestrings(corners[edges]))


def main() -> None:
    """Measure and print."""
    app = QApplication([])
    shapes, ribbon = shaped(DESIGN), shaped(RIBBON)
    checked = checks.check(DESIGN, shapes, None, Progress())
    assert len(np.unique([finding.kind for finding in checked.findings])) == 0
    net = honeycomb(100, 200)
    assert trace(*net).face_count == 20_000
    checked_in = median(milliseconds(lambda: checks.check(DESIGN, shapes, None, Progress()), 7))
    crossed_in = median(milliseconds(lambda: all_crossings_plainly(shapes), 3))
    show([
        Row(
            "trace a tiling of 20,000 hexagons", median(milliseconds(lambda: trace(*net), 9)), "ms", 120,
            "peer: shapely's polygonize, faces alone", median(milliseconds(lambda: polygonized(*net), 3)),
        ),
        Row(
            "generate and draw 5,000 pieces from nothing", median(milliseconds(lambda: drawn(DESIGN), 9)), "ms", 150,
            "floor: the path alone, call by call", median(milliseconds(lambda: path_call_by_call(shapes), 3)),
        ),
        Row(
            "the same of ribbon cut", median(milliseconds(lambda: drawn(RIBBON), 9)), "ms", 150,
            "floor: the path alone, call by call", median(milliseconds(lambda: path_call_by_call(ribbon), 3)),
        ),
        Row(
            "all checks of 5,000 pieces from nothing", checked_in, "ms", 600,
            "peer: shapely's crosses for all cuts, nothing else", crossed_in,
        ),
        Row(
            "the same, over that peer", round(checked_in / crossed_in, 3), "×", 1.0,
            "peer: shapely's crosses, in ms", crossed_in,
        ),
    ])  # fmt: skip
    app.quit()


if __name__ == "__main__":
    main()
