"""Boards for the tests of what is cut: jigsaws as the studio makes them, and shapes known by hand."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape


def jigsaw(columns: int, rows: int, cell: float = 25.0) -> Drawing:
    """A jigsaw as the studio makes it."""
    design = JigsawDesign(
        JigsawParameters(columns=columns, rows=rows, width=cell * columns, height=cell * rows, layout_version=1)
    )
    return shape(design, None, Progress()).drawing


def contour(corners: Sequence[tuple[float, float]]) -> Floats:
    """The control points of a closed polygon."""
    points = np.array([*corners, corners[0]], float)
    lines = straight(np.stack([points[:-1], points[1:]], 1)).points.reshape(-1, 4, 2)
    return np.concatenate([lines[0, :1], lines[:, 1:].reshape(-1, 2)])


def round_contour(x: float, y: float, radius: float) -> Floats:
    """The control points of a circle in four cubics, clockwise on the screen."""
    k = 0.5522847498 * radius
    r = radius
    points = [(r, 0), (r, k), (k, r), (0, r), (-k, r), (-r, k), (-r, 0), (-r, -k), (-k, -r), (0, -r), (k, -r), (r, -k),
              (r, 0)]  # fmt: skip
    moved: Floats = np.array(points, float) + np.array([x, y])
    return moved


def lying(contours: Sequence[Floats], width: float = 200.0, height: float = 100.0) -> Drawing:
    """A board on which every contour is a piece: P1, P2 …"""
    count = len(contours)
    chains = tuple(Chain(Operation.INNER, np.array([2 * i]), closed=True) for i in range(count))
    pieces = Pieces(2 * np.arange(count), np.arange(count + 1), tuple(f"P{i + 1}" for i in range(count)))
    return Drawing(width, height, Curves.from_strokes(list(contours)), chains, pieces)


@pytest.fixture(name="jigsaw")
def _jigsaw() -> Callable[..., Drawing]:
    return jigsaw


@pytest.fixture(name="contour")
def _contour() -> Callable[..., Floats]:
    return contour


@pytest.fixture(name="round_contour")
def _round_contour() -> Callable[..., Floats]:
    return round_contour


@pytest.fixture(name="lying")
def _lying() -> Callable[..., Drawing]:
    return lying
