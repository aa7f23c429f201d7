"""Necks are as wide as a dense search says, however a tongue lies."""

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.progress import SILENT
from studio.checks import cut_crossings, walls
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.tongues.necks_and_bends import narrow_necks
from studio.puzzles.jigsaw.tongues.tongues import PLAIN
from tests.depth import examples

TRIED = settings(max_examples=examples(60))


def knob(neck: float, unit: float, lean: float) -> Floats:
    """Return a classic tongue on an edge of 20 mm along x; `neck` and `unit` as in the jigsaw's geometry."""
    half, widen = neck * unit, (2 - neck) * unit
    return np.array(
        [
            (0, 0),
            (4, 0),
            (10 - half + widen + lean, -unit),
            (10 - half, unit),
            (10 - half - widen - lean, 3 * unit),
            (10 + half + widen - lean, 3 * unit),
            (10 + half, unit),
            (10 + half - widen + lean, -unit),
            (16, 0),
            (20, 0),
        ]
    )


def dense_neck(stroke: Floats) -> float:
    """Return the neck of a tongue lying along x: the distance of its sides up to where its head is widest."""
    points = Curves.from_strokes([stroke]).flattened(1e-4).points
    tip = int(points[:, 1].argmax())
    head = points[:, 1] > 0.3 * points[tip, 1]
    index = np.arange(len(points))
    left = int(np.where(head & (index <= tip), points[:, 0], np.inf).argmin())
    right = int(np.where(head & (index >= tip), points[:, 0], -np.inf).argmax())
    return float(shapely.distance(shapely.LineString(points[: left + 1]), shapely.LineString(points[right:])))


@TRIED
@given(st.floats(0.6, 1.3), st.floats(1.2, 2.4), st.floats(-0.8, 0.8), st.floats(0, 2 * np.pi))
def test_the_width_of_a_neck_is_that_of_a_dense_search_however_the_tongue_lies(
    neck: float, unit: float, lean: float, turn: float
) -> None:
    stroke = knob(neck, unit, lean)
    true = dense_neck(stroke)
    turned = stroke @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]) + [50, 70]
    found, widths, middles = narrow_necks(Curves.from_strokes([turned]), 1.02 * true)
    assert found.tolist() == [0]
    assert widths[0] == pytest.approx(true, rel=0.01)
    line = shapely.LineString(Curves.from_strokes([turned]).flattened(1e-3).points)
    assert line.distance(shapely.Point(middles[0])) < 0.51 * true
    assert len(narrow_necks(Curves.from_strokes([turned]), 0.98 * true)[0]) == 0


@pytest.mark.parametrize("layout", [2, 3])
@pytest.mark.parametrize(("tiling", "outline"), [("hexagons", "polygon"), ("rings", "heart"), ("voronoi", "heart")])
def test_necks_are_the_thin_places_within_cuts_also_of_small_tongues_on_bulging_cuts(
    tiling: str, outline: str, layout: int
) -> None:
    parameters = JigsawParameters(
        width=240.0, height=200.0, pieces=100, tiling=tiling, outline=outline, seed=5, tongue_style="mixed",
        layout_version=layout,
    )  # fmt: skip
    shapes = shape(JigsawDesign(parameters), None, SILENT)
    inner, least = shapes.tiling.inner_edges, shapes.limits.least_neck
    knobbed = inner[shapes.tongues[inner, PLAIN] <= 0.5]
    narrow = [
        knobbed[which][narrow_necks(shapes.drawing.strokes.chosen(knobbed[which]), least, style.knobs)[0]]
        for style, which in shapes.of_one_style(knobbed)
    ]
    thin, _gaps, _places = walls.thin_within(cut_crossings.cuts(shapes.drawing.strokes, knobbed), least)
    assert sorted(np.concatenate(narrow).tolist()) == sorted(thin.tolist())
    assert (len(thin) > 0) == (layout == 2), "the newest layout leaves none"


def test_no_strokes_have_no_necks() -> None:
    found, widths, middles = narrow_necks(Curves.from_strokes([]), 2.0)
    assert len(found) == len(widths) == len(middles) == 0
