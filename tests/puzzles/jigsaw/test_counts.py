"""Boards of the newest layout have exactly the wished number of pieces; boards of before are cut as they were."""

from dataclasses import replace
from hashlib import sha256

import numpy as np
import pytest

from studio.base.progress import SILENT
from studio.geometry.board.board_spec import FROM_FILE, OUTLINES, path_of
from studio.geometry.board.tiling import Tiling, polygons_of
from studio.geometry.curves.strokes import closed_through
from studio.puzzles.jigsaw.figures.figure_edits import new_letters
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.tiling import tiling_of, verify
from tests.tilings import TILINGS

BOARDS = [("rectangle", "grid"), ("heart", "grid"), ("ellipse", "grid"), ("rectangle", "voronoi")]
COUNTS = (6, 7, 11, 12, 23, 30, 47, 60, 89, 97, 120, 127, 199, 251, 296, 500)
CAT = Whimsy("cat1", "cat", Pose(100.0, 82.0, 36.0, 20.0), tongues=3)
FISH = Whimsy("fish1", "fish", Pose(200.0, 82.0, 24.0, -15.0))


def board(count: int, *figures: Whimsy, **chosen: object) -> JigsawDesign:
    parameters = replace(JigsawParameters(pieces=count, width=300.0, height=200.0), **chosen)  # type: ignore[arg-type]
    return JigsawDesign(parameters, whimsies=tuple(sorted(figures, key=lambda one: one.name)))


def count_of(tiling: Tiling) -> int:
    return tiling.graph.face_count + len(tiling.fillings)


def named(design: JigsawDesign) -> JigsawDesign:
    """The design with a name of four letters below two figures."""
    letters = new_letters(design, "ANNE", Pose(x=150.0, y=122.0, height=22.0))
    return replace(design, whimsies=tuple(sorted((*design.whimsies, *letters), key=lambda one: one.name)))


@pytest.mark.parametrize(("outline", "tiling"), BOARDS)
def test_every_number_is_made_exactly_with_and_without_figures(outline: str, tiling: str) -> None:
    for count in COUNTS:
        plain = board(count, outline=outline, tiling=tiling)
        with_figures = board(count, CAT, FISH, outline=outline, tiling=tiling)
        made = [count_of(tiling_of(design)) for design in (plain, with_figures)]
        assert made == [count, count], (outline, tiling)
        if count > 20:
            assert count_of(tiling_of(named(with_figures))) == count


@pytest.mark.parametrize("tiling", TILINGS)
def test_other_tilings_outlines_and_tricky_borders_are_exact_too(tiling: str) -> None:
    for outline in {*OUTLINES} - {FROM_FILE}:
        tricky = board(61, CAT, FISH, outline=outline, tiling=tiling, tricky_border=True)
        assert count_of(tiling_of(tricky)) == 61, outline
        assert count_of(tiling_of(board(61, outline=outline, tiling=tiling))) == 61, outline
    house = path_of(
        [closed_through(np.array([(0.0, 60.0), (150.0, 0.0), (300.0, 60.0), (240.0, 200.0), (60.0, 200.0)]))]
    )
    parameters = replace(board(61).parameters, outline=FROM_FILE, tiling=tiling)
    assert count_of(tiling_of(JigsawDesign(parameters, path=house))) == 61


@pytest.mark.parametrize(("outline", "tiling"), BOARDS)
def test_pieces_that_are_merged_are_sound_and_not_long(outline: str, tiling: str) -> None:
    design = board(127, CAT, FISH, outline=outline, tiling=tiling)
    shapes = shape(design, None, SILENT)
    assert len(shapes.drawing.pieces) == 127 == len({*shapes.drawing.pieces.names})
    areas = shapes.drawing.piece_areas
    whole = JIGSAW.check(design, shapes, None, SILENT)
    assert not whole.errors
    assert float(areas.sum()) == pytest.approx(float(shapes.tiling.outline.region.area) + areas[-2:].sum(), rel=1e-3)
    assert float(areas[:-2].max() / np.median(areas)) < 2.6
    import shapely

    faces = polygons_of(shapes.tiling.graph, shapes.tiling.homes)
    assert shapely.is_valid(faces).all()


def test_a_figure_that_moves_leaves_almost_all_merges_where_they_are() -> None:
    for outline, tiling in BOARDS:
        before: set[str] | None = None
        for step in range(8):
            moved = CAT.posed(x=100.0 + 4.0 * step, y=82.0 + 2.0 * step)
            now = tiling_of(board(300, moved, outline=outline, tiling=tiling))
            far = {
                name for name, edge in now.edge_indices.items()
                if np.hypot(*(now.homes[now.graph.edges[edge]].mean(axis=0) - (115.0, 90.0))) > 70.0
            }  # fmt: skip
            assert before is None or len(far ^ before) <= 6, (outline, tiling, step)
            before = far


def test_a_drag_gives_the_board_made_from_nothing() -> None:
    shapes = shape(board(200, CAT, FISH, outline="heart"), None, SILENT)
    for step in range(4):
        design = board(200, CAT.posed(x=104.0 + 5.0 * step, y=84.0), FISH, outline="heart")
        shapes = shape(design, shapes, SILENT)
        whole = shape(design, None, SILENT)
        assert np.array_equal(shapes.tongues, whole.tongues)
        assert np.array_equal(shapes.drawing.strokes.points, whole.drawing.strokes.points)


def test_pieces_merged_by_hand_are_fewer_also_beside_those_merged_for_the_number() -> None:
    for outline, tiling in (("rectangle", "grid"), ("rectangle", "voronoi")):
        design = board(127, outline=outline, tiling=tiling)
        whole = tiling_of(design)
        # The piece with the most edges is one of two.
        largest = int(np.argmax(np.diff(whole.graph.starts)))
        sides = np.sort(whole.graph.sides, axis=1)
        for edge in np.flatnonzero((sides == largest).any(axis=1) & (sides >= 0).all(axis=1)).tolist():
            between = np.flatnonzero((sides == sides[edge]).all(axis=1)).tolist()
            merged = design.with_cuts([whole.edge_name(one) for one in between])
            verify(merged)
            made = tiling_of(merged)
            assert count_of(made) == 126
            lost = {*whole.edge_indices} - {*made.edge_indices}
            assert lost == {whole.edge_name(one) for one in between}


def test_two_pieces_that_are_each_one_of_two_are_merged_by_hand() -> None:
    design = board(127, outline="ellipse")
    whole = tiling_of(design)
    inner = whole.graph.inner_edges
    sides = np.sort(whole.graph.sides[inner], axis=1)
    pairs, counts = np.unique(sides, axis=0, return_counts=True)
    assert (counts > 1).any()
    for pair in pairs[counts > 1]:
        names = [whole.edge_name(edge) for edge in inner[(sides == pair).all(axis=1)].tolist()]
        assert count_of(tiling_of(design.with_cuts(names))) == 126


def test_the_nearest_number_is_made_where_figures_need_more_and_is_told() -> None:
    design = named(board(6, CAT, FISH))
    tiling = tiling_of(design)
    assert 6 < count_of(tiling) <= 9


BEFORE = [
    ("grid", "rectangle", 127, True, False, "a8aea300fcb91e20"),
    ("grid", "heart", 60, True, True, "087ec2a4fb91e57d"),
    ("voronoi", "ellipse", 90, True, False, "f6a71811acff6975"),
    ("hexagons", "rectangle", 120, True, True, "66631c661be19515"),
    ("hand-cut", "arch", 100, False, False, "07e7dcc5bd8f203c"),
    ("rings", "ellipse", 80, True, False, "8f1dd6c90d6451e1"),
    ("bricks", "polygon", 64, True, True, "0fffa088cd5c94bf"),
    ("triangles", "rectangle", 70, False, True, "7f9bb097ef6699b1"),
]


@pytest.mark.parametrize(("tiling", "outline", "count", "exact", "has_figure", "mark"), BEFORE)
def test_boards_of_the_first_layout_are_cut_as_before(
    tiling: str, outline: str, count: int, exact: bool, has_figure: bool, mark: str
) -> None:
    cat = Whimsy("cat1", "cat", Pose(130.0, 90.0, 40.0), tongues=3)
    figures = (cat,) if has_figure else ()
    design = board(count, *figures, tiling=tiling, outline=outline, exact=exact, layout_version=1)
    shapes = shape(design, None, SILENT)
    points = np.round(shapes.drawing.strokes.points, 6) + 0.0
    assert sha256(points.tobytes() + "|".join(shapes.tiling.piece_names).encode()).hexdigest()[:16] == mark
