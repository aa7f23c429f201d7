"""The tightest bend of a cut is where, and as tight as, a dense search says."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape, shaped
from studio.puzzles.jigsaw.tongues.necks_and_bends import tight_bends
from studio.puzzles.jigsaw.tongues.styles import STYLES, Style
from tests.depth import examples

EACH = pytest.mark.parametrize("style", STYLES, ids=lambda style: style.key)
DENSE = np.linspace(0.0, 1.0, 4001)[:, None]


def made(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def dense_radii(stroke: Floats) -> tuple[Floats, Floats]:
    """Radii of curvature at many places of a stroke, and these places, from the derivatives of its cubics."""
    radii, places = [], []
    for at in range(0, len(stroke) - 1, 3):
        a, b, c, d = stroke[at : at + 4]
        rest = 1 - DENSE
        first = 3 * (rest**2 * (b - a) + 2 * rest * DENSE * (c - b) + DENSE**2 * (d - c))
        second = 6 * (rest * (c - 2 * b + a) + DENSE * (d - 2 * c + b))
        turn = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
        radii.append(np.hypot(*first.T) ** 3 / np.maximum(turn, 1e-300))
        places.append(rest**3 * a + 3 * rest**2 * DENSE * b + 3 * rest * DENSE**2 * c + DENSE**3 * d)
    return np.concatenate(radii), np.concatenate(places)


def speeds(stroke: Floats) -> Floats:
    """Lengths of the first derivatives of a stroke, at as many places."""
    steps = [3 * np.diff(stroke[at : at + 4], axis=0) for at in range(0, len(stroke) - 1, 3)]
    bases = np.concatenate([(1 - DENSE) ** 2, 2 * (1 - DENSE) * DENSE, DENSE**2], 1)
    return np.concatenate([np.hypot(*(bases @ step).T) for step in steps])


spots = st.tuples(st.integers(0, 200), st.integers(0, 200))


@settings(max_examples=examples(50, 2000))
@given(st.integers(1, 4).flatmap(lambda count: st.lists(spots, min_size=3 * count + 1, max_size=3 * count + 1)))
def test_the_least_radius_of_any_curve_is_that_of_a_dense_search(points: list[tuple[int, int]]) -> None:
    stroke = np.array(points) / 10
    assume(speeds(stroke).min() > 0.2)
    radii, places = dense_radii(stroke)
    true = float(radii.min())
    found, least, at = tight_bends(Curves.from_strokes([stroke]), 0.5)
    assert found.tolist() == ([0] if true < 0.5 else []) or abs(true - 0.5) < 0.005
    if len(found) and true < 0.5:
        assert least[0] == pytest.approx(true, rel=0.01, abs=0.005)
        near = np.hypot(*(places - at[0]).T) < 0.05
        assert radii[near].min() == pytest.approx(least[0], rel=0.02, abs=0.01)


@pytest.mark.sampled(9)
@EACH
@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_the_tongues_with_bends_tighter_than_a_limit_are_those_of_a_dense_search(share: float, style: Style) -> None:
    shapes = made(JigsawDesign(JigsawParameters(tongue_style=style.key, vary_neck=0.4, vary_slant=0.1, seed=3)))
    strokes = shapes.drawing.strokes.chosen(shapes.tiling.graph.inner_edges)
    true = np.array([dense_radii(stroke)[0].min() for stroke in map(strokes.__getitem__, range(len(strokes)))])
    least = float(np.quantile(true, share))
    found, radii, _places = tight_bends(strokes, least)
    assert found.tolist() == np.flatnonzero(true < least).tolist()
    assert radii == pytest.approx(true[found], rel=1e-3)


def test_a_straight_line_has_no_bend_and_no_strokes_have_none() -> None:
    straight = Curves.from_strokes([np.array([(0, 0), (1, 1), (2, 2), (3, 3)], float)])
    assert len(tight_bends(straight, 10.0)[0]) == len(tight_bends(Curves.from_strokes([]), 10.0)[0]) == 0
    bent = Curves.from_strokes([np.array([(0, 0), (1, 1), (2, 1), (3, 0)], float)])
    assert len(tight_bends(bent, 10.0)[0]) == 1 and len(tight_bends(bent, 0.0)[0]) == 0


@pytest.mark.sampled(9)
@EACH
def test_a_tight_bend_is_found_with_its_place_and_nearly_always_wider_once_it_is_repaired(style: Style) -> None:
    parameters = JigsawParameters(tongue_style=style.key, strong_necks=False)
    usual = made(JigsawDesign(parameters))
    true = [dense_radii(usual.drawing.strokes[edge])[0].min() for edge in usual.tiling.graph.inner_edges.tolist()]
    limit = float(np.quantile(true, 0.1))
    shapes = made(JigsawDesign(replace(parameters, least_radius=limit)))
    tight = [
        one for one in check(shapes.design, shapes, None, Progress()).findings if one.problem == check_problems.RADIUS
    ]
    assert len(tight) == 13
    better = 0
    for found in tight:
        (stroke,) = found.strokes
        radii, places = dense_radii(shapes.drawing.strokes[stroke])
        assert np.hypot(*(places - found.place).T).min() < 0.01
        assert f"only {np.floor(100 * radii.min()) / 100:.2f} mm" in found.message
        assert found.repair is not None
        after = made(found.repair.apply(shapes.design))
        better += bool(dense_radii(after.drawing.strokes[stroke])[0].min() > radii.min())
    # The shoulders of a classic tongue grow tighter with it.
    assert better >= (12 if style.key == "classic" else 13)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("seed", range(20))
def test_after_a_drag_the_same_tight_bends_are_found_as_from_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = made(JigsawDesign(JigsawParameters(seed=seed, least_radius=0.9, tongue_style=STYLES[seed % 9].key)))
    answer = check(shapes.design, shapes, None, Progress())
    for _ in range(4):
        edge = int(rng.choice(shapes.tiling.graph.inner_edges))
        edit = TongueEdit(shapes.tiling.edge_name(edge), size=float(rng.uniform(0.05, 0.5)))
        shapes = shape(shapes.design.with_tongues([edit]), shapes, Progress())
        answer = check(shapes.design, shapes, answer, Progress())
        whole = check(shapes.design, shaped(shapes.design, shapes.tiling), None, Progress())
        found, expected = (
            [one for one in each.findings if one.problem == check_problems.RADIUS] for each in (answer, whole)
        )
        assert found == expected


def test_a_straight_edge_and_the_border_have_no_bend_of_a_tongue() -> None:
    parameters = JigsawParameters(plain_share=1.0, corner_radius=0.5, border="wandering", least_radius=10.0)
    shapes = made(JigsawDesign(parameters))
    assert check_problems.RADIUS not in {one.problem for one in check(shapes.design, shapes, None, Progress()).findings}
