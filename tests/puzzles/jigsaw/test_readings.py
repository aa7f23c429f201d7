"""The numbers of tongues as makers read and enter them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.tongues.styles import STYLES
from studio.puzzles.jigsaw.tongues.tongues import BALANCES, COLUMNS, STYLE, Frames
from studio.puzzles.jigsaw.tongues.values import entered, readings

STILL: dict[str, Any] = dict.fromkeys(["vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck"], 0.0)
TONGUES = ("C3-D3", "C3-C4")


def board(style: str, side: int) -> JigsawShapes:
    edited = tuple(TongueEdit(name, side=side) for name in sorted(TONGUES))
    return shape(JigsawDesign(JigsawParameters(tongue_style=style, **STILL), tongues=edited), None, Progress())


def head(shapes: JigsawShapes, tongue: int, least: float) -> tuple[Floats, Frames]:
    """The points of a tongue's first knob that are higher than a share of its height, and the tongue's frame."""
    points = Curves.from_strokes([shapes.drawing.strokes[tongue]]).flattened(0.001).points
    frames = shapes.frames(np.full(len(points), tongue))
    along, across = frames.coordinates(points)
    knobs = STYLES[int(shapes.tongues[tongue, STYLE])].knobs
    return points[(across > least * across.max()) & (along < frames.length / knobs)], frames


def top(shapes: JigsawShapes, tongue: int) -> tuple[Floats, Floats]:
    """The middle of the part of a knob that is furthest from its edge, and the direction in which it points."""
    points, frames = head(shapes, tongue, 0.98)
    highest = (points - frames.ends[0, 0]) @ frames.along[0]
    middle = frames.ends[0, 0] + (highest.min() + highest.max()) / 2 * frames.along[0]
    return middle, frames.across[0]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", TONGUES)
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("style", [style.key for style in STYLES])
def test_a_positive_slant_leans_clockwise_on_the_screen(style: str, side: int, name: str) -> None:
    shapes = board(style, side)
    tongue = shapes.tiling.edge_indices[name]
    before, ahead = top(shapes, tongue)
    values = entered(shapes, np.array([tongue]), "slant", 12.0)
    leaning = shape(edits.with_tongues_shaped(shapes, values), shapes, Progress())
    moved = top(leaning, tongue)[0] - before
    # The screen's y grows downwards, so a turn from `ahead` to the right hand is a positive cross product.
    assert ahead[0] * moved[1] - ahead[1] * moved[0] > 0.5
    assert readings(leaning, np.array([tongue]), "slant") == pytest.approx([12.0])


@pytest.mark.parametrize("name", TONGUES)
@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("style", [style.key for style in STYLES if "head" in style.shape])
def test_a_positive_balance_is_larger_on_the_right_of_a_tongue_that_points_up(style: str, side: int, name: str) -> None:
    shapes = board(style, side)
    tongue = shapes.tiling.edge_indices[name]
    before, ahead = top(shapes, tongue)
    values = entered(shapes, np.array([tongue]), "head_balance", 30.0)
    balanced = shape(edits.with_tongues_shaped(shapes, values), shapes, Progress())
    aside = [
        ahead[0] * (points - before)[:, 1] - ahead[1] * (points - before)[:, 0]
        for points in (head(each, tongue, 0.5)[0] for each in (shapes, balanced))
    ]
    assert aside[1].max() > 1.1 * aside[0].max() > 0
    assert aside[1].min() > 0.9 * aside[0].min()
    assert readings(balanced, np.array([tongue]), "head_balance") == pytest.approx([30.0])


@pytest.mark.parametrize("name", [name for name in COLUMNS if name not in {"slant", *BALANCES}])
def test_other_numbers_are_read_as_they_are(name: str) -> None:
    shapes = board("ribbon", 1)
    tongues = shapes.tiling.graph.inner_edges[:5]
    assert readings(shapes, tongues, name) == pytest.approx(100 * shapes.tongues[tongues, COLUMNS[name]])
    values = entered(shapes, tongues, name, 21.0)
    assert values == {tongue: {name: pytest.approx(0.21)} for tongue in tongues.tolist()}


def test_an_edit_of_no_slant_has_no_negative_zero() -> None:
    shapes = board("ribbon", 1)
    ((_tongue, values),) = entered(shapes, shapes.tiling.graph.inner_edges[:1], "slant", 0.0).items()
    assert str(values["slant"]) == "0.0"
