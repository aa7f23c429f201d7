"""Figures that move: only the cells around them are divided again, and the board is the one made from nothing."""

from __future__ import annotations

from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from studio.base.folders import shipped
from studio.base.progress import SILENT
from studio.checks.cut_crossings import cuts, piece_count
from studio.files.store import load
from studio.geometry.board.board_spec import OUTLINES
from studio.geometry.board.splicing import Shared, spliced
from studio.geometry.board.tiling import Tiling
from studio.geometry.curves.offsetting import Distances
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model import divided_boards
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape, shaped
from studio.puzzles.jigsaw.model.tiling import (
    Board,
    outline_without_figures,
    tiling_of,
    with_whimsies,
    without_lost_edits,
)
from tests.depth import examples
from tests.tilings import TILINGS

FORMS = [one for one in OUTLINES if one != "file"]
MANY = JigsawParameters(pieces=300, width=400.0, height=300.0)
"""A board with more pieces than a window has."""


def board(parameters: JigsawParameters, *figures: Whimsy) -> JigsawDesign:
    return JigsawDesign(parameters, whimsies=tuple(sorted(figures, key=lambda one: one.name)))


def cat(x: float, y: float, height: float = 40.0, turn: float = 0.0) -> Whimsy:
    return Whimsy("cat1", "cat", Pose(x, y, height, turn))


def fish(x: float, y: float, height: float = 30.0) -> Whimsy:
    return Whimsy("fish1", "fish", Pose(x, y, height), tongues=3)


def assert_same(one: JigsawShapes, other: JigsawShapes) -> None:
    """To the bit."""
    assert one.tiling.piece_names == other.tiling.piece_names
    assert one.tiling.edge_indices == other.tiling.edge_indices
    assert one.tiling.corner_indices == other.tiling.corner_indices
    for name in ("corners", "tongues", "rooms"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name
    assert np.array_equal(one.drawing.strokes.points, other.drawing.strokes.points)
    assert np.array_equal(one.drawing.strokes.starts, other.drawing.strokes.starts)
    assert np.array_equal(one.drawing.pieces.codes, other.drawing.pieces.codes)
    for first, second in zip(one.drawing.chains, other.drawing.chains, strict=True):
        assert np.array_equal(first.strokes, second.strokes) and first.closed == second.closed


places = st.tuples(st.floats(60.0, 340.0), st.floats(60.0, 240.0))


@settings(max_examples=examples(4, 100))
@given(
    st.sampled_from([*TILINGS]), st.sampled_from(FORMS), st.integers(0, 9), st.lists(places, min_size=2, max_size=3),
    places, st.booleans(), st.sampled_from(["ribbon", "mixed"]),
)  # fmt: skip
@example("grid", "ellipse", 0, [(60.0, 60.0), (60.0, 84.0)], (60.0, 60.0), False, "ribbon")
def test_a_moved_figure_makes_the_board_that_it_makes_from_nothing(
    tiling: str,
    outline: str,
    seed: int,
    ways: list[tuple[float, float]],
    other: tuple[float, float],
    wavy: bool,
    style: str,
) -> None:
    border = "wandering" if wavy else "straight"
    parameters = replace(MANY, tiling=tiling, outline=outline, seed=seed, border=border, tongue_style=style)
    shapes = shape(board(parameters, cat(200.0, 150.0)), None, SILENT)
    for x, y in ways:
        design = board(parameters, cat(x, y, turn=x), fish(*other))
        shapes = shape(design, shapes, SILENT)
        assert_same(shapes, shaped(design, tiling_of(design)))
        assert_sound(shapes)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("tiling", TILINGS)
def test_a_figure_moves_over_edited_and_merged_pieces_as_if_they_were_made_from_nothing(tiling: str) -> None:
    start = board(replace(MANY, tiling=tiling, tongue_style="mixed", seed=3), cat(130.0, 110.0), fish(300.0, 220.0))
    bare = shape(start, None, SILENT)
    away = np.hypot(*(bare.corners[bare.tiling.movable] - (130.0, 110.0)).T)
    edits = [CornerEdit(bare.tiling.corner_name(at), 0.05, -0.05) for at in bare.tiling.movable[np.argsort(away)[::9]]]
    inner = bare.tiling.graph.inner_edges
    names = [
        bare.tiling.edge_name(at) for at in inner[np.flatnonzero(bare.tiling.graph.sides[inner].min(axis=1) % 8 == 0)]
    ]
    styles = [TongueEdit(name, style=style) for name, style in zip(names[::2], cycle(("wave", "classic", "ball")))]
    design = replace(start, merged=tuple(sorted(names[1::6])), corners=(), tongues=())
    design = design.with_corners({one.name: (one.right, one.down) for one in edits}).with_tongues(styles)
    design = without_lost_edits(design, SILENT).design
    assert design.merged and len(design.corners) > 9 and len(design.tongues) > 9
    shapes = shape(design, None, SILENT)
    for x, y in ((134.0, 111.0), (230.0, 190.0)):
        design = with_whimsies(design, [cat(x, y), fish(300.0, 220.0)]).design
        shapes = shape(design, shapes, SILENT)
        assert_same(shapes, shaped(design, tiling_of(design)))


def assert_sound(shapes: JigsawShapes) -> None:
    """Every half-edge goes round one piece or the outside, and pieces and figures fill the board."""
    tiling, drawing = shapes.tiling, shapes.drawing
    graph = tiling.graph
    assert len({*tiling.piece_names}) == graph.face_count
    sides = np.full(2 * len(graph.edges), -1)
    sides[graph.codes] = np.repeat(np.arange(graph.face_count), np.diff(graph.starts))
    assert np.array_equal(sides.reshape(-1, 2), graph.sides)
    followed = np.bincount(drawing.pieces.codes, minlength=2 * len(graph.edges))
    assert followed.max() == 1
    areas = drawing.areas(drawing.strokes.flattened(0.05).sweeps)
    cut = {one.name for one in tiling.fillings}
    rings = [ring for one in shapes.design.whimsies if one.name in cut for ring in one.on_board()[1:]]
    holes = sum(abs(float(Curves.from_strokes([ring]).flattened(0.05).sweeps[0])) for ring in rings)
    whole = float(outline_without_figures(shapes.design).region.area)
    loss = 0.03 if shapes.design.parameters.border == "wandering" else 1e-3
    assert float(areas.sum()) == pytest.approx(whole - holes, rel=loss)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("tiling", TILINGS)
def test_a_window_is_divided_as_the_whole_board_would_be(tiling: str) -> None:
    for outline, figure in (("rectangle", cat(200.0, 150.0, turn=20.0)), ("ellipse", fish(150.0, 130.0))):
        design = board(replace(MANY, tiling=tiling, outline=outline, exact=False), figure)
        local, whole = tiling_of(design), at_once(design)
        assert local.origin is not None and (local.origin.edges < 0).sum() < 0.4 * len(local.edge_keys)
        assert {*local.piece_names} == {*whole.piece_names}
        assert local.edge_indices.keys() == whole.edge_indices.keys()
        assert local.corner_indices.keys() == whole.corner_indices.keys()
        here, there = (
            np.array([one.homes[one.corner_indices[name]] for name in sorted(whole.corner_indices)])
            for one in (local, whole)
        )
        assert here == pytest.approx(there, abs=1e-6)


def at_once(design: JigsawDesign) -> Tiling:
    """The tiling of a design with one figure, all of it divided at once."""
    of = Board.from_design(design)
    around = divided_boards.outline(of)
    return divided_boards._filled(of, divided_boards._cells(of, around, SILENT), around, design.whimsies, SILENT)[0]


def test_the_cuts_of_a_spliced_board_enclose_its_pieces() -> None:
    shapes = shape(board(MANY, cat(120.0, 150.0), fish(290.0, 160.0)), None, SILENT)
    assert piece_count(shapes.drawing, cuts(shapes.drawing.strokes), SILENT) == len(shapes.drawing.pieces)


def test_a_move_divides_few_cells_and_rebuilds_few_strokes_however_large_the_board() -> None:
    for tiling in ("voronoi", "grid")[: examples(1, 2)]:
        counts = []
        for pieces, size in ((400, 500.0), (1600, 1000.0)):
            parameters = replace(MANY, tiling=tiling, pieces=pieces, width=size, height=size)
            before = shape(board(parameters, cat(200.0, 200.0, 60.0)), None, SILENT)
            after = shape(board(parameters, cat(203.0, 201.0, 60.0)), before, SILENT)
            assert after.tiling.origin is not None
            divided_again = int((after.tiling.origin.edges < 0).sum())
            rebuilt = int((after.drawing.strokes.found_in(before.drawing.strokes) < 0).sum())
            alike = Shared.from_tiling(after.tiling, before.tiling)
            assert alike is not None
            measured = int(alike.other_faces(after.tiling.graph, before.tiling.graph).sum())
            counts.append((divided_again, rebuilt, measured))
            assert divided_again < 130 and rebuilt < 130 and measured < 60, counts
        assert max(counts[0]) > 20


@pytest.mark.sampled(7)
@pytest.mark.parametrize("tiling", TILINGS)
def test_all_cuts_that_end_on_a_figure_are_looked_at_together(tiling: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looks, measure = list[int](), Distances.of

    def counted(self: Distances, places: Floats, most: float = np.inf) -> Floats:
        looks.append(len(places))
        return measure(self, places, most)

    monkeypatch.setattr(Distances, "of", counted)
    parameters = replace(MANY, tiling=tiling, exact=False, layout_version=1)
    ends, shapes = [], shape(board(parameters, cat(200.0, 150.0, 60.0)), None, SILENT)
    looks.clear()
    for step in range(12):
        shapes = shape(board(parameters, cat(203.0 + 2.7 * step, 151.0 + step, 60.0)), shapes, SILENT)
        ends.append(len(shapes.tiling.fillings[0].codes))
    # Two looks at all of them, and seldom one more where a cut's other end moved too or all near spots are taken.
    assert sum(ends) > 60
    assert 2 * len(ends) <= len(looks) < 0.5 * sum(ends)
    # Five places along each of a hundred spots would be 500: one tells of most that they are not the best.
    assert sum(looks) < 200 * sum(ends)


def test_what_is_far_from_a_figure_does_not_depend_on_it() -> None:
    one, other = (tiling_of(board(MANY, cat(x, 150.0), fish(330.0, 150.0))) for x in (80.0, 110.0))
    far = [name for name, corner in one.corner_indices.items() if one.homes[corner, 0] > 220.0]
    assert len(far) > 100
    for name in far:
        assert (one.homes[one.corner_indices[name]] == other.homes[other.corner_indices[name]]).all()


def test_hand_edits_far_away_outlive_a_move() -> None:
    parameters = replace(MANY, tiling="voronoi")
    tiling = tiling_of(board(parameters, cat(120.0, 120.0)))
    far = max(tiling.corner_indices, key=lambda name: float(tiling.homes[tiling.corner_indices[name], 0]))
    design = replace(board(parameters, cat(120.0, 120.0)), corners=(CornerEdit(far, 0.05, 0.05),))
    made = with_whimsies(design, [cat(160.0, 140.0)])
    assert made.dropped == () and [edit.name for edit in made.design.corners] == [far]


@pytest.mark.parametrize("name", ["sweetheart-56", "bay-93"])
def test_samples_with_figures_keep_their_edits(name: str) -> None:
    design = load(shipped("examples") / f"{name}.puzzle").design
    assert design.whimsies and without_lost_edits(design, SILENT).dropped == ()
    assert {one.name for one in design.whimsies} == {one.name for one in tiling_of(design).fillings}


def test_a_patch_that_is_too_small_is_refused() -> None:
    design = board(MANY, cat(200.0, 150.0, 60.0))
    of = Board.from_design(design)
    bare = divided_boards._bare(of, SILENT)
    patch = divided_boards.around_figures(divided_boards.Near.from_board(of, design.whimsies, 0.3), SILENT)
    assert patch is not None
    assert spliced(bare, *patch, divided_boards.outline(of)) is None
