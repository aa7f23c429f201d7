"""Outlines moved cubic by cubic are those that moving fine polylines finds, of fewer cubics, and simple."""

from collections.abc import Callable

import numpy as np
import pytest
import shapely

from studio.fabricate.contours import beside
from studio.geometry.planar.drawing import Drawing


def dense(drawing: Drawing, piece: int, offset: float) -> shapely.Geometry:
    """The outline that shapely finds for the finest of polylines."""
    outline = drawing.outlines(drawing.strokes.flattened(2e-4))[piece]
    return shapely.boundary(shapely.buffer(shapely.Polygon(outline), offset, join_style="mitre", mitre_limit=3.0))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("offset", [0.03, 0.075, 0.15, 0.3])
def test_every_outline_found_lies_within_a_hundredth_of_a_millimetre_of_the_true_one(
    jigsaw: Callable[..., Drawing], offset: float
) -> None:
    drawing = jigsaw(5, 4)
    rings, found = beside(drawing, offset, 0.006, 0.005)
    lines = rings.flattened(1e-3)
    assert len(rings) == found.sum() and (found.all() or offset > 0.1)
    for ring, piece in enumerate(np.flatnonzero(found).tolist()):
        assert shapely.hausdorff_distance(shapely.LinearRing(lines[ring]), dense(drawing, piece, offset)) <= 0.01


def test_each_line_is_worked_out_once_and_outlines_are_of_few_cubics(jigsaw: Callable[..., Drawing]) -> None:
    drawing = jigsaw(12, 6)
    rings, found = beside(drawing, 0.075, 0.006, 0.012)
    drawn = ((drawing.strokes.counts - 1) // 3)[drawing.pieces.codes >> 1].sum()
    assert found.all() and ((rings.counts - 1) // 3).sum() < 1.5 * drawn


def test_an_outline_that_would_close_upon_itself_is_not_found(jigsaw: Callable[..., Drawing]) -> None:
    _, found = beside(jigsaw(4, 3, cell=2.0), 0.25, 0.006, 0.004)
    assert not found.any()
