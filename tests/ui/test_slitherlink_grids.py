"""Slitherlinks whose cells differ, in the window: played with real mouse and keys, edited, their fields."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from studio.progress import SILENT
from studio.puzzles.slitherlink.game import CROSS, INSIDE, LINE
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.ui.canvas.tool import ARROWS
from studio.ui.kinds.slitherlink.looks import WON
from tests.ui.stage import MIDDLE
from tests.ui.test_slitherlink_play import RIGHT, PlayStage, dots_of


def made(grid: str, outline: str) -> SlitherlinkDesign:
    p = SlitherlinkParameters(grid=grid, outline=outline, columns=7, rows=7, seed=4, symmetry="none")
    return generate(p, SILENT)


DESIGNS = {
    "voronoi heart": made("voronoi", "heart"),
    "rings": made("rings", "ellipse"),
    "bricks": made("bricks", "rectangle"),
    "hand-cut arch": made("hand-cut", "arch"),
}


@pytest.fixture(params=DESIGNS)
def stage(request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path) -> Iterator[PlayStage]:
    opened = PlayStage(tmp_path, DESIGNS[request.param])
    yield opened
    opened.close()


def test_a_board_of_odd_cells_is_played_to_its_end_with_the_mouse(stage: PlayStage) -> None:
    play, loop = stage.play, stage.loop
    design: SlitherlinkDesign = stage.document.design
    half = len(loop) // 2
    stage.stroke(dots_of(design, loop[:half]))
    assert stage.game.lines == tuple(sorted(loop[:half])), "a stroke goes through no dot beside it"
    off = next(edge for edge in range(len(stage.game.edges)) if edge not in loop)
    stage.click_edge(off, RIGHT)
    assert stage.game.edges[off] == CROSS
    stage.press(stage.on_cell(0), button=MIDDLE)
    stage.release(stage.on_cell(0), button=MIDDLE)
    assert stage.game.shades[0] == INSIDE
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: play.games.offered is not None)
    for edge in loop[half:]:
        if stage.game.edges[edge] != LINE:
            stage.click_edge(edge)
    assert play.games.is_solved and play.page.says.text() == "Solved: a single loop that satisfies every clue."
    assert (stage.scene.board.look.cells == WON).tolist() == cells_of(design.inside)


def test_every_edge_is_taken_by_a_click_at_its_middle_and_every_cell_by_one_at_its(stage: PlayStage) -> None:
    scene = stage.scene
    for edge in range(len(scene.board.ends)):
        assert scene.edge_at(stage.play.view.mapToScene(stage.on_edge(edge))) == edge
    for cell in range(len(scene.board.middles)):
        assert scene.cell_at(stage.play.view.mapToScene(stage.on_cell(cell))) == cell


def test_arrows_reach_every_edge_and_every_cell(stage: PlayStage) -> None:
    spots = stage.scene.spots
    reached, todo = {0}, [0]
    while todo:
        here = todo.pop()
        for step in ARROWS.values():
            there = spots.beside(here, *step)
            if there not in reached:
                reached.add(there)
                todo.append(there)
    assert len(reached) == len(spots.places)
    stage.walk(stage.loop[3])
    stage.press_key(Qt.Key.Key_Space)
    assert stage.game.edges[stage.loop[3]] == LINE
