"""Edits of figures: each leaves every figure a piece, or is refused and changes nothing."""

from dataclasses import replace

import pytest

from studio.errors import StudioError
from studio.progress import SILENT
from studio.puzzles.jigsaw.geometry import shape
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.jigsaw.posing import (
    turned,
    usual_height,
    whimsy_named,
    with_figure,
    with_figure_posed,
    with_text,
    without_figure,
)
from studio.puzzles.jigsaw.whimsies import Pose

BOARD = JigsawDesign()


def pieces(design: JigsawDesign) -> tuple[str, ...]:
    return shape(design, None, SILENT).drawing.pieces.names


def test_figures_are_added_side_by_side_from_the_middle_outwards() -> None:
    design = BOARD
    for _ in range(4):
        design = with_figure(design, "cat", 40.0, SILENT)
    assert pieces(design)[-4:] == ("cat1", "cat2", "cat3", "cat4")
    assert (design.whimsies[0].pose.x, design.whimsies[0].pose.y) == (150.0, 75.0)


def test_a_text_is_a_line_of_letters() -> None:
    design = with_text(with_figure(BOARD, "fish", 30.0, SILENT), "Oak", 30.0, SILENT)
    assert pieces(design)[-4:] == ("fish1", "letter1", "letter2", "letter3")
    with pytest.raises(StudioError, match="Enter a name or word"):
        with_text(design, " ", 30.0, SILENT)


def test_a_figure_moved_onto_another_goes_beside_it() -> None:
    design = with_figure(with_figure(BOARD, "star", 40.0, SILENT), "moon", 40.0, SILENT)
    star, moon = whimsy_named(design, "star1"), whimsy_named(design, "moon1")
    onto = replace(moon.pose, x=star.pose.x + 10.0, y=star.pose.y)
    moved = with_figure_posed(design, "moon1", onto, SILENT)
    assert pieces(moved)[-2:] == ("moon1", "star1") and whimsy_named(moved, "moon1").pose != onto
    with pytest.raises(StudioError, match="Figures star1 and moon1 overlap"):
        with_figure_posed(design, "moon1", onto, SILENT, is_exact=True)


def test_an_impossible_figure_is_refused() -> None:
    with pytest.raises(StudioError, match="There is no room for this figure on the board"):
        with_figure(BOARD, "cat", 400.0, SILENT)
    design = with_figure(BOARD, "cat", 40.0, SILENT)
    with pytest.raises(StudioError, match="There is no room for figure cat1 nearby"):
        with_figure_posed(design, "cat1", replace(design.whimsies[0].pose, height=160.0), SILENT)
    with pytest.raises(StudioError, match="There is no figure cat2"):
        without_figure(design, "cat2", SILENT)
    assert without_figure(design, "cat1", SILENT) == BOARD


def test_a_rotation_stays_within_half_a_turn() -> None:
    pose = Pose()
    for _ in range(13):
        pose = turned(pose, 15.0)
    assert pose.turn == -165.0 and turned(Pose(turn=170.0), 10.0).turn == 180.0


def test_the_usual_height_fits_small_boards() -> None:
    p = BOARD.parameters
    assert usual_height(BOARD) == 50.0
    assert usual_height(replace(BOARD, parameters=replace(p, width=20.0, height=10.0, columns=1, rows=1))) == 5.0
