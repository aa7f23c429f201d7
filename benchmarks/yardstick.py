"""How fast a machine is: a plain view paints a board of 5,041 pieces, and nothing of the studio takes part.

The goals of the other benchmarks are of a machine on which this takes `THERE` ms. Where it takes three times as long,
so may everything else.
"""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QApplication, QGraphicsPathItem, QGraphicsScene, QGraphicsView

from benchmarks.report import Row, median, milliseconds, show

THERE = 12.9
"""What the repaint takes in ms on the machine of the goals (Python 3.12, Qt 6.12, offscreen)."""
SLOWEST = 1000.0
"""A machine that takes longer measures nothing that is of use."""
SIDE, TILE, CELL = 71, 8, 20.0
"""Pieces on each side of the board, tongues on each side of what is painted at once, the length of an edge in mm."""
TONGUE = np.array([
    (0, 0), (0.2, 0.04), (0.46, 0.1), (0.42, 0), (0.38, -0.1), (0.3, -0.14), (0.31, -0.22), (0.33, -0.3), (0.42, -0.33),
    (0.5, -0.33), (0.58, -0.33), (0.67, -0.3), (0.69, -0.22), (0.7, -0.14), (0.62, -0.1), (0.58, 0), (0.54, 0.1),
    (0.8, 0.04), (1, 0),
])  # fmt: skip
"""Six cubics on an edge from (0, 0) to (1, 0)."""


def painted(runs: int = 15) -> float:
    """The median in ms in which 9,940 tongues are painted, antialiased, in a view of 1600 × 1000 pixels."""
    scene = QGraphicsScene()
    for item in _tiles():
        scene.addItem(item)
    view = QGraphicsView(scene)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    view.resize(1600, 1000)
    view.show()
    view.fitInView(QRectF(-CELL, -CELL, (SIDE + 2) * CELL, (SIDE + 2) * CELL), Qt.AspectRatioMode.KeepAspectRatio)
    QApplication.processEvents()
    times = milliseconds(view.viewport().repaint, runs)
    view.close()
    return median(times)


def row() -> Row:
    """The machine beside that of the goals; it may be slow."""
    app = QApplication.instance() or QApplication([])
    found = Row("this machine: a plain view of 5,041 pieces", painted(), "ms", SLOWEST, "machine of the goals", THERE)
    del app
    return found


def _tiles() -> list[QGraphicsPathItem]:
    """The tongues as paths of those that lie together."""
    chance = np.random.default_rng(3)
    corners = np.stack(np.meshgrid(np.arange(SIDE + 1) * CELL, np.arange(SIDE + 1) * CELL), -1)
    corners[1:-1, 1:-1] += chance.uniform(-2, 2, (SIDE - 1, SIDE - 1, 2))
    pen = QPen(Qt.GlobalColor.black, 1.0)
    pen.setCosmetic(True)
    items = []
    for top in range(0, SIDE + 1, TILE):
        for left in range(0, SIDE + 1, TILE):
            path = QPainterPath()
            for y in range(top, min(top + TILE, SIDE + 1)):
                for x in range(left, min(left + TILE, SIDE + 1)):
                    if 0 < y < SIDE and x < SIDE:
                        _add(path, corners[y, x], corners[y, x + 1], float(chance.choice([-1.0, 1.0])))
                    if 0 < x < SIDE and y < SIDE:
                        _add(path, corners[y, x], corners[y + 1, x], float(chance.choice([-1.0, 1.0])))
            item = QGraphicsPathItem(path)
            item.setPen(pen)
            items.append(item)
    return items


def _add(path: QPainterPath, begin: np.ndarray, end: np.ndarray, side: float) -> None:
    along = end - begin
    across = side * np.array([-along[1], along[0]])
    points = (begin + TONGUE[:, :1] * along + TONGUE[:, 1:] * across).tolist()
    path.moveTo(*points[0])
    for at in range(1, len(points), 3):
        path.cubicTo(*points[at], *points[at + 1], *points[at + 2])


def main() -> None:
    """Measure and print."""
    show([row()])


if __name__ == "__main__":
    main()
