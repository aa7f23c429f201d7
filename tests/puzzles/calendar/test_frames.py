"""Round and heart-shaped frames: nowhere narrower than asked, as small as that allows, and sound when made."""

from dataclasses import replace

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves
from studio.geometry.solids.solid import body
from studio.puzzles.calendar.checks import check
from studio.puzzles.calendar.geometry import shape, top_of
from studio.puzzles.calendar.model import BOARDS, HEART, ROUND, CalendarDesign, CalendarParameters, built_in
from studio.puzzles.calendar.tray import Ring, tray

STEP = 0.5


def area_of(ring: Ring) -> shapely.Polygon:
    return shapely.Polygon(Curves.from_strokes([ring.stroke]).flattened(0.002).points)


def cells_of(board: str, cell: float) -> shapely.Geometry:
    rows, columns = np.nonzero(built_in(board).board.mask)
    return shapely.union_all(shapely.box(columns * cell, rows * cell, (columns + 1) * cell, (rows + 1) * cell))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("outline", [ROUND, HEART])
def test_a_frame_is_nowhere_narrower_than_asked_and_as_small_as_that_allows(board: str, outline: str) -> None:
    parameters = CalendarParameters(board=board, outline=outline, frame=8.0, cell=15.0, notch=False)
    made = tray(CalendarDesign(parameters))
    outside, cells = area_of(made.base.rings[0]), cells_of(board, 15.0)
    assert made.frame.rings[0] is made.base.rings[0]
    assert outside.contains(cells) and outside.exterior.distance(cells) == pytest.approx(8.0, abs=0.15)
    low, high = np.array(made.low), np.array(made.high)
    assert outside.bounds == pytest.approx((*low, *high), abs=0.01)
    # A somewhat smaller one has no room for the board, wherever it is moved.
    width = high[0] - low[0]
    smaller = shapely.affinity.scale(outside, 1 - 1.5 * STEP / width, 1 - 1.5 * STEP / width)
    core = shapely.buffer(cells, 8.0 - 0.02, quad_segs=16)
    moves = np.arange(-3.0, 3.01, 0.25)
    assert not any(smaller.contains(shapely.affinity.translate(core, x, y)) for x in moves for y in moves)
    opening = shapely.buffer(cells, 0.2, join_style="mitre")
    holes = [area_of(ring) for part in (made.frame, *made.fillers) for ring in part.rings[1:]]
    fillers = [area_of(part.rings[0]) for part in made.fillers]
    assert shapely.area(holes).sum() - sum(map(shapely.area, fillers)) == pytest.approx(opening.area, rel=0.002)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("outline", [ROUND, HEART])
def test_a_frame_of_any_outline_is_cut_and_printed(outline: str) -> None:
    design = CalendarDesign(CalendarParameters(outline=outline, relief="plain", grid=False))
    shapes = shape(design, None, Progress())
    checked = check(design, shapes, None, Progress())
    assert not checked.findings, checked.findings
    solid = shapes.bed[0]
    base, opening = (area_of(ring).area for ring in shapes.tray.frame.rings)
    p = design.parameters
    assert body(solid.mesh).volume() == pytest.approx(base * top_of(p) - opening * p.thickness, rel=1e-3)
    narrow = replace(design, parameters=replace(p, frame=3.0, play=1.5))
    found = check(narrow, shape(narrow, None, Progress()), checked, Progress()).findings
    (thin,) = (one for one in found if one.problem.key == "frame")
    assert thin.repair is not None
    mended = thin.repair.apply(narrow)
    assert mended.parameters.frame > 3.0
    assert not [
        one for one in check(mended, shape(mended, None, Progress()), checked, Progress()).findings
        if one.problem.key == "frame"
    ]  # fmt: skip
