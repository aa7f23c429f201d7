"""False fits of jigsaws, as a comparison of areas has them: each curve inside a band around the other."""

from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Cancelled, Progress
from studio.geometry.curves.strokes import Curves, Floats, Ints
from studio.puzzles.jigsaw.fits.false_fits import Fits, false_fits, fits_words
from studio.puzzles.jigsaw.fits.likeness import Bounds, Likeness
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from tests.depth import examples

KEPT = 64

BAND = 0.012
"""In mm: the bands are polygons of lines, and the distances are exact within 0.01."""
EVERY = 10**6
BOARD = JigsawParameters(columns=6, rows=6, width=150.0, height=150.0)
REGULAR = replace(
    BOARD, perturbation=0.0, vary_size=0.0, vary_place=0.0, vary_depth=0.0, vary_slant=0.0, vary_neck=0.0,
    smooth_joints=False, tongue_style="article",
)  # fmt: skip
CALM: dict[str, Any] = {
    "perturbation": 0.02,
    "vary_size": 0.03,
    "vary_place": 0.01,
    "vary_depth": 0.0,
    "vary_slant": 0.01,
}


def shaped(parameters: JigsawParameters, *edits: TongueEdit) -> JigsawShapes:
    return shape(JigsawDesign(parameters).with_tongues(edits), None, SILENT)


def laid(shapes: JigsawShapes) -> dict[str, list[shapely.LineString]]:
    """Every inner edge by name with the middle of its ends at the origin, its knob up; a straight edge both ways."""
    lines = {}
    for edge in shapes.tiling.graph.inner_edges.tolist():
        points = shapes.drawing.strokes.chosen(np.array([edge])).flattened(0.001)[0] @ [1, 1j]
        points = (points - (points[0] + points[-1]) / 2) * abs(points[-1] - points[0]) / (points[-1] - points[0])
        ways = [points, -points]
        if not shapes.plain[edge]:
            ways.sort(key=lambda way: float(np.trapezoid(way.imag, way.real) * np.sign(way.real[-1] - way.real[0])))
            ways = ways[1:]
        name = shapes.tiling.edge_name(edge)
        lines[name] = [shapely.LineString(np.stack([way.real, way.imag], 1)) for way in ways]
    return lines


def in_bands(ones: list[shapely.LineString], others: list[shapely.LineString], width: float) -> bool:
    """Whether curves are in the bands of a width around each other, in any way round."""
    return any(
        one.buffer(width, quad_segs=32).covers(other) and other.buffer(width, quad_segs=32).covers(one)
        for one in ones
        for other in others
        if np.abs(np.subtract(one.bounds, other.bounds)).max() <= width + 1e-6
    )


def compared(shapes: JigsawShapes, clearance: float) -> Fits:
    """The false fits, each of which was compared with those by areas."""
    found = false_fits(shapes, clearance, most=EVERY)
    pairs = {frozenset((fit.one, fit.other)) for fit in found.worst}
    assert len(pairs) == len(found.worst) == found.pairs
    others = dict.fromkeys(map(shapes.tiling.edge_name, found.edges.tolist()), 0)
    for one, other in (sorted(pair) for pair in pairs):
        others[one] += 1
        others[other] += 1
    assert found.others.tolist() == [*others.values()]
    lines = laid(shapes)
    for one, other in combinations(lines, 2):
        ways = lines[one], lines[other]
        if {one, other} in pairs:
            assert in_bands(*ways, clearance + BAND), (one, other)
        else:
            assert not in_bands(*ways, max(clearance - BAND, 1e-6)), (one, other)
    for fit in found.worst[:: max(1, len(found.worst) // 20)]:
        assert in_bands(lines[fit.one], lines[fit.other], fit.distance + BAND)
        assert not in_bands(lines[fit.one], lines[fit.other], fit.distance - BAND)
    return found


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("parameters", "clearance", "least"),
    [
        (replace(BOARD, **CALM), 0.5, 5),
        (replace(BOARD, **CALM, tongue_style="ribbon", vary_flanks=0.05), 0.8, 5),
        (replace(BOARD, tongue_style="article", vary_size=0.05, perturbation=0.05), 0.8, 5),
        (replace(BOARD, plain_share=0.5, perturbation=0.05), 0.6, 5),
        (replace(BOARD, **CALM, tiling="hexagons"), 0.6, 5),
        (replace(BOARD, tongue_style="mixed"), 1.0, 0),
        (replace(BOARD, tongue_style="wave", tongue_size=0.1), 1.0, 5),
    ],
)
def test_false_fits_are_those_of_a_comparison_of_areas(
    parameters: JigsawParameters, clearance: float, least: int
) -> None:
    assert compared(shaped(parameters), clearance).pairs >= least


def test_all_edges_of_a_regular_board_of_straight_cuts_are_false_fits() -> None:
    names = [shaped(REGULAR).tiling.edge_name(edge) for edge in shaped(REGULAR).tiling.graph.inner_edges.tolist()]
    found = false_fits(shaped(REGULAR, *(TongueEdit(name, ruled=True) for name in names)), 0.01)
    assert (found.pairs, found.ambiguous, found.share) == (60 * 59 // 2, 60, 1.0)
    assert len(found.worst) == 20 and max(fit.distance for fit in found.worst) < 1e-5


def different() -> list[TongueEdit]:
    """Edits that make the tongues of a regular board differ."""
    columns = [f"{column}{row}-{column}{row + 1}" for column in "ABCDEF" for row in range(1, 6)]
    rows = [f"{one}{row}-{other}{row}" for one, other in zip("ABCDE", "BCDEF", strict=True) for row in range(1, 7)]
    edits = [TongueEdit(name, size=0.2 + 0.006 * at, side=1) for at, name in enumerate(columns)]
    return edits + [TongueEdit(name, size=0.2 + 0.006 * at, slant=0.12, side=1) for at, name in enumerate(rows)]


def with_copy(side: int, *, mirrored: bool) -> JigsawShapes:
    """A board whose cut D4-E4 is that of B2-B3, turned or mirrored, with its knob on a side."""
    edits = [replace(edit, side=side) if edit.name == "D4-E4" else edit for edit in different()]
    shapes = shaped(REGULAR, *edits)
    source, target = (shapes.tiling.edge_indices[name] for name in ("B2-B3", "D4-E4"))
    frame, place = (shapes.frames(np.array([edge])) for edge in (source, target))
    stroke = shapes.drawing.strokes[source]
    u, v = frame.coordinates(stroke)
    if (side == -1) != mirrored:
        u, v = frame.length - u[::-1], v[::-1]
    strokes = shapes.drawing.strokes.replaced(np.array([target]), Curves.from_strokes([place.point(u, v)]))
    return replace(shapes, drawing=replace(shapes.drawing, strokes=strokes))


@pytest.mark.parametrize("side", [1, -1])
def test_two_edges_of_the_same_shape_are_found_among_others(side: int) -> None:
    found = compared(with_copy(side, mirrored=False), 0.03)
    assert [(fit.one, fit.other) for fit in found.worst] == [("B2-B3", "D4-E4")]
    assert found.worst[0].distance < 1e-9 and found.ambiguous == 2


@pytest.mark.parametrize("side", [1, -1])
def test_a_mirrored_shape_is_no_false_fit(side: int) -> None:
    assert compared(with_copy(side, mirrored=True), 0.03).pairs == 0


def test_straight_edges_fit_one_another_both_ways_round() -> None:
    edits = [TongueEdit("B2-B3", ruled=True), TongueEdit("D4-E4", ruled=True), TongueEdit("D1-E1", ruled=True)]
    found = compared(shaped(REGULAR, *different(), *edits), 0.05)
    assert found.pairs == 3 and found.ambiguous == 3

    bent = replace(REGULAR, tongue_style="classic", plain_share=1.0)
    assert compared(shaped(bent), 0.1).pairs > 20


@pytest.mark.parametrize("clearance", [-0.1, float("nan"), float("inf"), 2.1])
def test_an_impossible_clearance_is_refused(clearance: float) -> None:
    with pytest.raises(StudioError, match="The clearance must be from 0 to 2 mm, not"):
        false_fits(shaped(BOARD), clearance)


def test_a_clearance_larger_than_a_neck_is_refused() -> None:
    small = replace(BOARD, width=30.0, height=30.0)
    with pytest.raises(StudioError, match=r"The clearance of 1.50 mm is larger than the neck of tongue \w\d-\w\d, \d"):
        false_fits(shaped(small), 1.5)


def test_one_piece_has_no_edges_to_compare() -> None:
    found = false_fits(shaped(replace(BOARD, columns=1, rows=1)), 0.15)
    assert (len(found.edges), found.pairs, found.ambiguous, found.share, found.worst) == (0, 0, 0, 0.0, ())
    assert fits_words(found) == "No inner edges"


def test_words() -> None:
    assert fits_words(false_fits(shaped(replace(BOARD, seed=3)), 0.0)) == "No false fits at 0.00 mm clearance"
    assert fits_words(false_fits(shaped(REGULAR), 1.0)) == (
        "1,770 false fits at 1.00 mm clearance: 60 of 60 inner edges (100 %) could be mistaken for another"
    )


def test_it_reports_progress_and_can_be_cancelled() -> None:
    shares: list[float] = []
    progress = Progress(lambda fraction, note: shares.append(fraction))
    false_fits(shaped(BOARD), 0.15, progress)
    assert shares == sorted(shares) and 0.0 <= shares[0] <= shares[-1] <= 1.0
    progress.cancel()
    with pytest.raises(Cancelled):
        false_fits(shaped(BOARD), 0.15, progress)


def assert_same(found: Fits, afresh: Fits) -> None:
    for name in ("edges", "others", "partners", "distances"):
        assert np.array_equal(getattr(found, name), getattr(afresh, name)), name
    assert found.worst == afresh.worst and found.clearance == afresh.clearance


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    ("parameters", "clearance"),
    [
        (replace(BOARD, tongue_style="article", perturbation=0.05), 0.8),
        (replace(BOARD, plain_share=0.5, perturbation=0.05), 0.6),
        (REGULAR, 0.3),
        (replace(BOARD, tongue_style="mixed", plain_share=0.1), 0.6),
    ],
)
def test_after_edits_the_answer_is_the_one_from_nothing(parameters: JigsawParameters, clearance: float) -> None:
    design = JigsawDesign(parameters)
    shapes = shape(design, None, SILENT)
    found = false_fits(shapes, clearance)
    names = [shapes.tiling.edge_name(edge) for edge in shapes.tiling.graph.inner_edges.tolist()]
    edits: list[dict[str, Any]] = [
        {"tongues": [TongueEdit(names[3], size=0.33)]},
        {"tongues": [TongueEdit(names[3], size=0.33), TongueEdit(names[40], size=0.33)]},
        {"tongues": [TongueEdit(names[3]), TongueEdit(names[7], plain=True)]},
        {"tongues": [TongueEdit(names[7], ruled=True), TongueEdit(names[8], ruled=True)]},
        {"corners": {"3,2": (0.2, 0.1)}},
        {"tongues": [TongueEdit(names[7]), TongueEdit(names[8], side=1), TongueEdit(names[9], side=-1)]},
        {"corners": {"3,2": (0.0, 0.0)}, "tongues": [TongueEdit(names[20], style="classic")]},
    ]
    for edit in edits:
        design = design.with_tongues(edit.get("tongues", ()))
        design = design.with_corners(edit["corners"]) if "corners" in edit else design
        shapes = shape(design, shapes, SILENT)
        found = false_fits(shapes, clearance, before=found)
        assert_same(found, false_fits(shape(design, None, SILENT), clearance))


@pytest.mark.thorough
def test_the_closest_are_known_again_when_all_of_them_are_gone() -> None:
    design = JigsawDesign(replace(BOARD, columns=10, rows=10, width=250.0, height=250.0, **CALM))
    shapes = shape(design, None, SILENT)
    found = false_fits(shapes, 0.4)
    for _ in range(examples(2, 4)):
        gone = {name for fit in found.worst for name in (fit.one, fit.other)}
        design = design.with_tongues(TongueEdit(name, size=0.15) for name in sorted(gone)[:6])
        shapes = shape(design, shapes, SILENT)
        found = false_fits(shapes, 0.4, before=found)
        assert_same(found, false_fits(shapes, 0.4))


def test_partners_are_the_closest_of_all() -> None:
    shapes = shaped(replace(BOARD, **CALM))
    found = false_fits(shapes, 0.5, most=EVERY)
    closest: dict[str, tuple[float, str]] = {}
    for fit in found.worst:
        for one, other in ((fit.one, fit.other), (fit.other, fit.one)):
            closest[one] = min(closest.get(one, (np.inf, "")), (fit.distance, other))
    for edge, partner, distance in zip(found.edges, found.partners, found.distances, strict=True):
        name = shapes.tiling.edge_name(int(edge))
        if name in closest:
            assert (distance, shapes.tiling.edge_name(int(partner))) == closest[name]
        else:
            assert partner == -1 and distance == np.inf


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "known",
    [
        {"perturbation": 0.0},
        {"perturbation": 0.02, "tongue_style": "article"},
        {"perturbation": 0.0, "plain_share": 0.3},
        {"perturbation": 0.01, "tongue_style": "mixed"},
    ],
)
def test_where_most_edges_resemble_few_are_measured_and_the_answer_is_the_same(
    monkeypatch: pytest.MonkeyPatch, known: dict[str, Any]
) -> None:
    alike: dict[str, Any] = {name: 0.0 for name in ("vary_size", "vary_place", "vary_depth", "vary_slant", "vary_neck")}
    shapes = shaped(replace(BOARD, columns=9, rows=7, width=225.0, height=175.0, **alike, **known))
    measured = []
    distances = Likeness._distances

    def counted(self: Likeness, here: Ints, there: Ints, is_turned: bool) -> Floats:
        measured.append(len(here))
        return distances(self, here, there, is_turned)

    monkeypatch.setattr(Likeness, "_distances", counted)
    found = [false_fits(shapes, 0.15, most=2 * KEPT)]
    monkeypatch.setattr("studio.puzzles.jigsaw.fits.likeness.MANY_ALIKE", 10**9)
    few = sum(measured)
    found.append(false_fits(shapes, 0.15, most=2 * KEPT))
    assert found[0].pairs > 50 and few < 0.7 * (sum(measured) - few)
    for name in ("others", "partners", "distances", "worst"):
        assert np.array_equal(getattr(found[0], name), getattr(found[1], name)), name


@given(seed=st.integers(0, 999), style=st.sampled_from(["ribbon", "classic", "heart", "wave"]))
@settings(max_examples=examples(3))
def test_bounds_hold_the_distances_of_dense_lines(seed: int, style: str) -> None:
    shapes = shaped(replace(BOARD, columns=3, rows=3, seed=seed, tongue_style=style, perturbation=0.02))
    strokes = false_fits(shapes, 0.1).known.kinds.likeness.strokes
    bounds, lines = Bounds.from_strokes(strokes), strokes.flattened(0.002)
    drawn = shapely.segmentize(shapely.linestrings(lines.points, indices=lines.owners), 0.3)
    one, other = np.triu_indices(len(strokes), 1)
    apart = shapely.hausdorff_distance(drawn[one], drawn[other])
    assert (bounds.below(one, other) <= apart + 0.01).all()
    assert (bounds.above(one, other) >= apart - 0.01).all()
