"""Slitherlinks whose cells differ, in the window: played with real mouse and keys, edited, their fields."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from studio.base.progress import SILENT
from studio.puzzles.slitherlink.game import CROSS, INSIDE, LINE
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.ui.canvas.view import ARROWS
from studio.ui.kinds.slitherlink.table import WON
from tests.puzzles.slitherlink.test_any_grid import DROP
from tests.ui.stage import MIDDLE
from tests.ui.test_slitherlink_play import RIGHT, PlayStage, dots_of


def made(grid: str, outline: str) -> SlitherlinkDesign:
    path = (DROP,) if outline == "file" else ()
    p = SlitherlinkParameters(grid=grid, outline=outline, columns=7, rows=7, seed=4, symmetry="none", path=path)
    return generate(p, SILENT)


DESIGNS = {
    "voronoi heart": ("voronoi", "heart"),
    "rings": ("rings", "ellipse"),
    "bricks": ("bricks", "rectangle"),
    "hand-cut arch": ("hand-cut", "arch"),
    "imported squares": ("square", "file"),
}


@pytest.fixture(params=DESIGNS)
def stage(request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path) -> Iterator[PlayStage]:
    opened = PlayStage(tmp_path, made(*DESIGNS[request.param]))
    yield opened
    opened.close()


@pytest.mark.sampled(2)
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


@pytest.mark.sampled(2)
def test_every_edge_is_taken_by_a_click_at_its_middle_and_every_cell_by_one_at_its(stage: PlayStage) -> None:
    scene = stage.scene
    for edge in range(len(scene.board.ends)):
        assert scene.edge_at(stage.play.view.mapToScene(stage.on_edge(edge))) == edge
    for cell in range(len(scene.board.middles)):
        assert scene.cell_at(stage.play.view.mapToScene(stage.on_cell(cell))) == cell


@pytest.mark.sampled(2)
def test_steps_of_the_arrow_keys_are_ready_before_the_first_key(stage: PlayStage) -> None:
    assert stage.wait_for(lambda: stage.scene.spots.is_ready), "worked out off the GUI thread"
    assert stage.wait_for(lambda: stage.play.steps.answer is True)


@pytest.mark.sampled(2)
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


def test_an_outline_is_imported_as_the_board_of_the_cells(qapp: QApplication, tmp_path: Path) -> None:
    stage = PlayStage(tmp_path, made(*DESIGNS["bricks"]))
    path = tmp_path / "drop.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="110mm" viewBox="0 0 110 110"><path d="M60,0 C95,25 110,50 '
        '100,80 C90,105 25,110 10,80 C0,50 30,30 60,0 Z"/></svg>'
    )
    try:
        dialogs = stage.window.session.dialogs
        dialogs.open_path = lambda *_: path  # type: ignore[method-assign]
        stage.window.actions_["outline"].trigger()
        assert stage.wait_for(lambda: stage.document.design.parameters.outline == "file")
        assert stage.document.history.undoText() == "Import outline"
        assert stage.document.design.parameters.form.layout.path
        before = stage.document.design
        path.write_text(
            path.read_text().replace(' Z"', ' Z M50,50 H70 V70 H50 Z"').replace("<path", '<path fill-rule="evenodd"')
        )
        stage.window.actions_["outline"].trigger()
        refusal = "The outline has 1 hole. A slitherlink needs one without holes."
        assert stage.wait_for(lambda: stage.posted() == refusal)
        assert stage.document.design == before
    finally:
        stage.close()
