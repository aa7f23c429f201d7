"""Slitherlinks whose cells differ, in the window: played with real mouse and keys, edited, their fields."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from studio.base.progress import SILENT
from studio.puzzles.slitherlink.game import LINE, text_of
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.gestures import places_of
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.ui.kinds.slitherlink.scene import WON
from tests.ui.stage import staged
from tests.ui.test_slitherlink_play import PlayStage


def made(grid: str, outline: str) -> SlitherlinkDesign:
    p = SlitherlinkParameters(grid=grid, outline=outline, columns=7, rows=7, seed=4, symmetry="none")
    return generate(p, SILENT)


stage = staged(lambda folder: PlayStage(folder, made("hand-cut", "arch")))


def test_a_board_of_odd_cells_is_played_by_keys_whose_steps_are_ready_before_the_first(stage: PlayStage) -> None:
    design: SlitherlinkDesign = stage.document.design
    spots = places_of(design.parameters).spots
    assert stage.wait_for(lambda: spots.is_ready), "worked out off the GUI thread"
    assert stage.wait_for(lambda: stage.play.steps.answer is True)
    stage.play.games.move(text_of(design, dict.fromkeys(stage.loop[1:], LINE)))
    stage.walk(stage.loop[0])
    stage.press_key(Qt.Key.Key_Space)
    assert stage.play.games.is_solved
    assert (stage.scene.board.look.cells == WON).tolist() == cells_of(design.inside)


def test_an_outline_is_imported_as_the_board_of_the_cells(qapp: QApplication, tmp_path: Path) -> None:
    stage = PlayStage(tmp_path, made("bricks", "rectangle"))
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
