"""Windows around figures that another process divides: the board is the same as if all had been done here."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.batch.companion import Companion
from studio.puzzles.jigsaw.figures.posing import with_figures_posed, with_text
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.divided_boards import Ahead, all_around, around_figures, remember, windows_ahead
from studio.puzzles.jigsaw.model.edits import with_pieces_merged
from studio.puzzles.jigsaw.model.geometry import shape

CAT = Whimsy("cat1", "cat", Pose(x=300.0, y=200.0, height=60.0))
FISH = Whimsy("fish1", "fish", Pose(x=120.0, y=90.0, height=40.0))
VORONOI = JigsawParameters(tiling="voronoi", pieces=300, width=600.0, height=400.0)
GRID = JigsawParameters(columns=20, rows=14, width=600.0, height=420.0)
HEART = replace(VORONOI, outline="heart")
DESIGNS: dict[str, Callable[[], JigsawDesign]] = {
    "grid": lambda: JigsawDesign(GRID, whimsies=(CAT,)),
    "two figures": lambda: JigsawDesign(VORONOI, whimsies=(CAT, FISH)),
    "tongues": lambda: JigsawDesign(VORONOI, whimsies=(replace(CAT, tongues=3),)),
    "heart": lambda: JigsawDesign(HEART, whimsies=(replace(CAT, pose=Pose(x=300.0, y=180.0, height=50.0)),)),
    "merged": lambda: with_pieces_merged(JigsawDesign(GRID, whimsies=(CAT,)), ["B2-C2"], SILENT).design,
    "few pieces": lambda: JigsawDesign(whimsies=(replace(CAT, pose=Pose(x=120.0, y=90.0, height=50.0)),)),
    "letters with holes": lambda: with_text(JigsawDesign(VORONOI), "Bo", 40.0, SILENT).design,
}


@pytest.fixture(scope="module")
def companion() -> Iterator[Companion]:
    companion = Companion()
    yield companion
    companion.close()


def moved(design: JigsawDesign, right: float) -> dict[str, Pose]:
    return {one.name: replace(one.pose, x=one.pose.x + right) for one in design.whimsies}


def board_with(question: tuple[JigsawDesign, dict[str, Pose]]) -> list[object]:
    """All that is seen of a board whose figures were moved."""
    made = with_figures_posed(*question, SILENT, is_exact=True).design
    shapes = shape(made, None, SILENT)
    tiling, drawing = shapes.tiling, shapes.drawing
    return [
        *(array.tobytes() for array in (drawing.strokes.points, drawing.strokes.starts, drawing.pieces.codes)),
        *(array.tobytes() for array in (shapes.corners, shapes.tongues, shapes.rooms)),
        [chain.strokes.tolist() for chain in drawing.chains],
        [tiling.corner_name(corner) for corner in range(len(tiling.homes))],
        tiling.edge_indices,
        drawing.pieces.names,
    ]


@pytest.mark.parametrize("name", DESIGNS)
def test_what_another_process_divided_makes_the_same_board(name: str, companion: Companion) -> None:
    design = DESIGNS[name]()
    poses = moved(design, 5.5)
    shape(design, None, SILENT)
    before = around_figures.worked_out, all_around.worked_out
    for near, patch in companion.ask(windows_ahead, Ahead.from_design(design, poses)).result():
        remember(near, patch)
    here = board_with((design, poses))
    assert (around_figures.worked_out, all_around.worked_out) == before, "all that takes long was done there"
    assert here == companion.ask(board_with, (design, poses)).result()
    assert {*poses} <= {*here[-1]}  # type: ignore[misc]


def test_of_several_figures_only_what_is_around_those_that_move_is_sent(companion: Companion) -> None:
    design = DESIGNS["two figures"]()
    windows = companion.ask(
        windows_ahead, Ahead.from_design(design, {"cat1": replace(CAT.pose, x=470.25, y=290.0)})
    ).result()
    assert {one.name for near, _patch in windows for one in near.figures} == {"cat1"}


def test_where_figures_fit_nowhere_nothing_is_divided_and_the_board_says_why(companion: Companion) -> None:
    poses = {"cat1": replace(CAT.pose, x=-500.0)}
    assert companion.ask(windows_ahead, Ahead.from_design(DESIGNS["grid"](), poses)).result() == []
    with pytest.raises(StudioError, match="cat1"):
        with_figures_posed(DESIGNS["grid"](), poses, SILENT, is_exact=True)
