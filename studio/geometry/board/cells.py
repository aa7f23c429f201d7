"""Grids of cells that differ: a tessellation clipped to an outline, without edges and cells that are too small."""

from __future__ import annotations

from collections import Counter

import numpy as np

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.base.texts import tr
from studio.geometry.board.board_outline import bounded, covered
from studio.geometry.board.board_spec import BRICKS, GRID, HAND_CUT, HEXAGONS, RINGS, TRIANGLES, VORONOI, Division
from studio.geometry.board.cell_mesh import Mesh
from studio.geometry.board.clipping import clipped
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE, Grid, Layout
from studio.geometry.board.outline import Outline
from studio.geometry.board.tessellations import ROW_KEY
from studio.geometry.board.tiling import Tiling
from studio.geometry.curves.rings import box
from studio.geometry.curves.strokes import Floats, Ints, frozen

TILINGS = {
    SQUARE: (GRID, (1.0, 1.0)), HEXAGON: (HEXAGONS, (3**0.5, 1.5)), TRIANGLE: (TRIANGLES, (0.5, 3**0.5 / 2)),
    BRICKS: (BRICKS, (2.0, 1.0)), VORONOI: (VORONOI, (1.3, 1.3)), RINGS: (RINGS, (1.3, 1.3)),
    HAND_CUT: (HAND_CUT, (1.3, 1.3)),
}  # fmt: skip
"""The tiling of every form, and the width and height of a column and a row in edges, which on average are about 1."""
LONGEST = 2.0
"""The ratio of the sides of the box around rings at most: in a longer one they would be too narrow."""


def clipped_grid(layout: Layout) -> Grid:
    """The grid of a layout whose cells differ; raises StudioError where its outline is too fine for them."""
    width, height = size = size_of(layout)
    form = layout.board(width, height)
    division = Division(form, TILINGS[layout.form][0], layout.columns, layout.rows, layout.seed)
    outline = bounded(form)
    tiling = clipped(covered(division, SILENT), outline, size)
    mesh = _mesh(tiling, outline)
    mesh.tidy()
    if not mesh.rim:
        raise StudioError(tr("The board is too small for this outline; use more columns and rows."))
    return _grid(layout, tiling, mesh, size)


def size_of(layout: Layout) -> tuple[float, float]:
    """The width and height of the board of a layout whose cells differ, in edges."""
    across, down = TILINGS[layout.form][1]
    width, height = layout.columns * across, layout.rows * down
    if layout.path:
        low, high = box(np.array(layout.path[0]))
        if (high <= low).any():
            raise StudioError(tr("The outline encloses no area."))
        ratio = float((high[0] - low[0]) / (high[1] - low[1]))
    elif layout.form == RINGS:
        ratio = min(max(width / height, 1 / LONGEST), LONGEST)
    else:
        return width, height
    side, stretch = (width * height) ** 0.5, ratio**0.5
    return side * stretch, side / stretch


def _mesh(tiling: Tiling, outline: Outline) -> Mesh:
    """The faces of a tiling as a mesh."""
    graph = tiling.graph
    if len(graph.holes) > 0 or len(tiling.rims) != 1:
        raise StudioError(tr("The board is too small for this outline; use more columns and rows."))
    dots = graph.edges[graph.codes >> 1, graph.codes & 1]
    rings = [ring.tolist() for ring in np.split(dots, graph.starts[1:-1])]
    bends = [int(((tiling.homes - bend) ** 2).sum(axis=1).argmin()) for bend in outline.bends]
    return Mesh(tiling.homes, rings, bends)


def _grid(layout: Layout, tiling: Tiling, mesh: Mesh, size: tuple[float, float]) -> Grid:
    """The cells of a mesh in rows, its dots in reading order."""
    names, keys = tiling.piece_names, tiling.face_keys
    order = sorted(mesh.rings, key=lambda cell: (int(keys[cell]), len(names[cell]), names[cell]))
    used = np.unique(np.concatenate([mesh.rings[cell] for cell in order]))
    places = mesh.places[used]
    reading = _reading(places)
    numbers = dict(zip(used[reading].tolist(), range(len(used)), strict=True))
    counts = Counter(int(keys[cell]) // ROW_KEY for cell in order)
    return Grid(
        layout,
        frozen(places[reading]),
        tuple(tuple(numbers[dot] for dot in mesh.rings[cell]) for cell in order),
        tuple(names[cell] for cell in order),
        tuple(counts[row] for row in sorted(counts)),
        (1.0, 1.0),
        size,
        mesh.circles(order),
    )


def _reading(places: Floats) -> Ints:
    """The order of places from the top, and from the left where they are as high."""
    return np.lexsort((places[:, 0], np.round(places[:, 1], 6)))
