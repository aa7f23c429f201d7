"""Edits of figures: each leaves every figure a piece, or is refused and changes nothing."""

from dataclasses import replace

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.puzzles.jigsaw.figures.figure_edits import (
    usual_height,
    whimsy_named,
    with_figure,
    with_figures_copied,
    with_figures_posed,
    with_text,
    without_figures,
)
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign, TongueEdit
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.tiling import tiling_of

BOARD = JigsawDesign()


def pieces(design: JigsawDesign) -> tuple[str, ...]:
    return shape(design, None, SILENT).drawing.pieces.names


def test_figures_are_added_side_by_side_from_the_middle_outwards() -> None:
    design = BOARD
    for _ in range(4):
        design = with_figure(design, SILENT, "cat", h=40.0).design
    assert pieces(design)[-4:] == ("cat1", "cat2", "cat3", "cat4")
    assert (design.whimsies[0].pose.x, design.whimsies[0].pose.y) == (150.0, 75.0)


def test_a_text_is_a_line_of_letters() -> None:
    design = with_text(with_figure(BOARD, SILENT, "fish", h=30.0).design, "Oak", 30.0, SILENT).design
    assert pieces(design)[-4:] == ("O", "a", "fish1", "k")
    with pytest.raises(StudioError, match="Enter a name or word"):
        with_text(design, " ", 30.0, SILENT)


def test_a_figure_moved_onto_another_goes_beside_it() -> None:
    design = with_figure(with_figure(BOARD, SILENT, "star", h=40.0).design, SILENT, "moon", h=40.0).design
    star, moon = whimsy_named(design, "star1"), whimsy_named(design, "moon1")
    onto = replace(moon.pose, x=star.pose.x + 10.0, y=star.pose.y)
    moved = with_figures_posed(design, {"moon1": onto}, SILENT).design
    assert pieces(moved)[-2:] == ("moon1", "star1") and whimsy_named(moved, "moon1").pose != onto
    with pytest.raises(StudioError, match="Figures star1 and moon1 overlap"):
        with_figures_posed(design, {"moon1": onto}, SILENT, is_exact=True)


def test_copies_of_figures_are_beside_them_together_with_the_edits_of_their_tongues() -> None:
    first = with_figure(BOARD, SILENT, "star", h=36.0, tongues=2).design
    first = with_figures_posed(first, {"star1": Pose(x=90.0, y=75.0, height=36.0, is_mirrored=True)}, SILENT).design
    first = with_figure(first, SILENT, "moon", h=36.0).design.with_tongues([TongueEdit("star1.2", size=0.4)])
    made = with_figures_copied(first, ["star1", "moon1"], SILENT)
    assert made.dropped == () and pieces(made.design)[-4:] == ("moon1", "moon2", "star1", "star2")
    assert made.design.tongues == (TongueEdit("star1.2", size=0.4), TongueEdit("star2.2", size=0.4))
    poses = {one.name: one.pose for one in made.design.whimsies}
    (star, moon) = ((poses[f"{key}2"].x - poses[f"{key}1"].x, poses[f"{key}2"].y - poses[f"{key}1"].y)
                    for key in ("star", "moon"))  # fmt: skip
    assert star == pytest.approx(moon) and poses["star2"].is_mirrored
    with pytest.raises(StudioError, match="There is no room"):
        with_figures_copied(with_figure(BOARD, SILENT, "whale", h=80.0).design, ["whale1"], SILENT)


def test_an_impossible_figure_is_refused() -> None:
    with pytest.raises(StudioError, match="There is no room for this figure on the board"):
        with_figure(BOARD, SILENT, "cat", h=400.0)
    design = with_figure(BOARD, SILENT, "cat", h=40.0).design
    with pytest.raises(StudioError, match="There is no room for figure cat1 nearby"):
        with_figures_posed(design, {"cat1": replace(design.whimsies[0].pose, height=160.0)}, SILENT)
    with pytest.raises(StudioError, match="There is no figure cat2"):
        without_figures(design, ["cat2"], SILENT)
    assert without_figures(design, ["cat1"], SILENT).design == BOARD


def test_a_rotation_stays_within_half_a_turn() -> None:
    pose = Pose()
    for _ in range(13):
        pose = pose.turned(15.0)
    assert pose.turn == -165.0 and Pose(turn=170.0).turned(10.0).turn == 180.0


def test_the_usual_height_fits_small_boards() -> None:
    p = BOARD.parameters
    assert usual_height(BOARD) == 50.0
    assert usual_height(replace(BOARD, parameters=replace(p, width=20.0, height=10.0, columns=1, rows=1))) == 5.0


def test_edits_that_a_figure_covers_are_named() -> None:
    tiling = tiling_of(BOARD)
    middle = np.array([150.0, 75.0])
    corner = int(((tiling.homes - middle) ** 2).sum(axis=1).argmin())
    edited = BOARD.with_corners({tiling.corner_name(corner): (0.05, 0.0)})
    made = with_figure(edited, SILENT, "cat", h=60.0)
    assert made.dropped == (f"corner {tiling.corner_name(corner)}",) and made.design.corners == ()
