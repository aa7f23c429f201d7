"""Boards with flows, noodles, disguises and special knobs are repaired, made unique, planned and given a tray.

`HYPOTHESIS_PROFILE=thorough` tries 500 boards.
"""

from dataclasses import replace
from typing import Any

import pytest
import shapely
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.fabricate.plan import plan
from studio.fabricate.workshop import Machine
from studio.geometry.board.board_spec import FLOW_LINES, FLOWS, OUTLINES
from studio.puzzles.jigsaw.figures.figure_edits import with_figure, with_text
from studio.puzzles.jigsaw.fits.tongue_reshaping import made_unique
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.repair import repaired
from tests.depth import examples
from tests.tilings import TILINGS

CLEARANCE = 0.1
SHARES = ("noodles", "false_corners", "hidden_border", "figural_share", "double_share", "earlet_share")


@st.composite
def designs(draw: st.DrawFn) -> JigsawDesign:
    """Draw boards with some of the ideas, half of them with a name or a figure."""
    columns, rows = draw(st.integers(4, 7)), draw(st.integers(3, 5))
    shares: dict[str, Any] = {name: draw(st.sampled_from([0.0, 0.0, 0.1, 0.25])) for name in SHARES}
    design = JigsawDesign(
        JigsawParameters(
            columns=columns, rows=rows, width=25.0 * columns, height=25.0 * rows, seed=draw(st.integers(0, 99_999)),
            tiling=draw(st.sampled_from([*TILINGS])),
            outline=draw(st.sampled_from([one for one in OUTLINES if one != "file"])),
            flow=draw(st.sampled_from([one for one in FLOWS if one != FLOW_LINES])),
            flow_strength=draw(st.sampled_from([0.3, 0.7])), tricky_border=draw(st.booleans()), tray=True, **shares,
        )
    )  # fmt: skip
    extra = draw(st.sampled_from(["", "", "name", "figure"]))
    width, height = design.size
    if extra == "name":
        return with_text(design, "ADA", 16.0, Progress()).design
    if extra == "figure":
        return with_figure(design, Progress(), "heart", width / 2, height / 2, h=0.35 * height).design
    return design


@settings(max_examples=examples(4, 500), suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(designs())
def test_boards_with_ideas_are_repaired_made_unique_planned_and_given_a_tray(design: JigsawDesign) -> None:
    answer = repaired(design, Progress())
    assert answer.after.errors == 0, (answer.before, answer.after)
    assert answer.after.warnings <= answer.before.warnings or answer.before.errors
    shapes = shape(answer.design, None, Progress())
    drawing = shapes.drawing
    whole = shapely.Polygon(shapes.tiling.outline.region.exterior)
    assert drawing.piece_areas.sum() == pytest.approx(whole.area, rel=1e-3)
    cut = plan(drawing, Machine(), progress=Progress())
    assert cut.cut == pytest.approx(drawing.strokes.lengths.sum(), rel=1e-6) and cut.loose_cuts == cut.held == 0
    assert shapes.tray is not None
    reshaped = made_unique(answer.design, CLEARANCE, Progress())
    assert reshaped.after.pairs <= reshaped.before.pairs
    assert reshaped.problems_after.errors == 0
    other = replace(reshaped.design, parameters=replace(reshaped.design.parameters, tray=False))
    assert len(shape(other, None, Progress()).drawing.pieces) == len(drawing.pieces)
