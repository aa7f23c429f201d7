"""Registration marks: in the corners of the rim, printed and scored at the same places."""

from dataclasses import replace

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.geometry.art.artwork import Region
from studio.geometry.planar.drawing import Drawing, Operation
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import INK, shape
from studio.puzzles.zigzaw.model import ZigzawParameters


def drawn(marks: str, border: float = 8.0) -> Drawing:
    design = generate(ZigzawParameters(columns=4, rows=3), Progress())
    changed = replace(design, parameters=replace(design.parameters, marks=marks, border=border))
    return shape(changed, None, Progress()).drawing


def printed(drawing: Drawing) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.float64]], ...]:
    (region,) = [each for each in drawing.artwork if isinstance(each, Region) and each.fill == INK]
    return region.rings


@pytest.mark.parametrize("border", [2.0, 8.0, 30.0])
@pytest.mark.parametrize("marks", ["crosses", "dots"])
def test_marks_are_printed_where_they_are_scored_within_the_rim(marks: str, border: float) -> None:
    drawing = drawn(marks, border)
    middles = sorted(tuple(np.round(ring.mean(axis=0), 6)) for ring in printed(drawing))
    strokes = [drawing.strokes[chain.strokes[0] >> 1] for chain in drawing.chains if chain.operation is Operation.SCORE]
    assert len(strokes) == (8 if marks == "crosses" else 4)
    scored = {tuple(np.round((stroke.min(axis=0) + stroke.max(axis=0)) / 2, 6)) for stroke in strokes}
    assert sorted(scored) == middles and len(middles) == 4
    for stroke in strokes:
        away = np.minimum(stroke, (drawing.width, drawing.height) - stroke)
        assert away.min() > 0 and away.max() < border


def test_without_marks_nothing_is_scored() -> None:
    assert all(chain.operation is not Operation.SCORE for chain in drawn("none").chains)
