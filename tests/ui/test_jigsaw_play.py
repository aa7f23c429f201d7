"""A jigsaw played in the window with real mouse and key events: scattered, dragged, snapped, turned, solved."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtWidgets import QApplication, QLabel

from studio.base.progress import SILENT
from studio.files.store import save_game
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.game import hint, position_text
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.picture.engravings import BACK, Engraving
from studio.ui.kinds.jigsaw.play import PlayPage
from studio.ui.session.preferences import ThemeChoice
from tests.ui.stage import LEFT, NO_BUTTON, GameStage, staged

BAR = ((-0.5, 0.0), (0.0, 0.0), (0.0, 0.0), (0.5, 0.0))
SMALL = JigsawDesign(JigsawParameters(width=100.0, height=75.0, columns=4, rows=3))


def squares() -> JigsawDesign:
    """Nine squares that fit anywhere."""
    board = JigsawDesign(JigsawParameters(width=90.0, height=90.0, columns=3, rows=3, perturbation=0.0))
    tiling = shape(board, None, SILENT).tiling
    edges = sorted(map(tiling.edge_name, tiling.graph.inner_edges.tolist()))
    return replace(board, tongues=tuple(TongueEdit(name, plain=True, ruled=True) for name in edges))


class PlayStage(GameStage):
    """One window on a jigsaw at play."""

    play: PlayPage

    def __init__(self, folder: Path, design: JigsawDesign = SMALL) -> None:
        super().__init__(folder, JIGSAW, design)
        self.play.scene.finish()

    def at(self, x: float, y: float) -> QPoint:
        """A place of the table on the screen."""
        return self.play.view.mapFromScene(QPointF(x, y))

    def piece(self, name: str) -> QPoint:
        """The middle of a piece where it lies."""
        number = self.game.table.numbers[name]
        return self.at(*self.game.cluster_of(number).pose_of(number).of(*self.game.table.middle(number)))

    def home(self, name: str) -> QPoint:
        """The middle of a piece where it belongs."""
        return self.at(*self.game.table.middle(self.game.table.numbers[name]))

    def names(self, name: str) -> set[str]:
        """The pieces that are joined to one, and itself."""
        cluster = self.game.cluster_of(self.game.table.numbers[name])
        return {self.game.table.names[piece] for piece in cluster.members}

    def turned(self, name: str) -> float:
        number = self.game.table.numbers[name]
        turn: float = self.game.cluster_of(number).pose_of(number).turn
        return turn

    def right_click(self, place: QPoint) -> None:
        screen = self.target.mapToGlobal(place)
        QApplication.sendEvent(self.target, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, screen))
        self.settle()

    def choose_rotation(self, value: str) -> None:
        box = self.play.rotation
        box.setCurrentIndex(box.findData(value))
        box.activated.emit(box.currentIndex())
        self.settle()
        self.play.scene.finish()


stage = staged(PlayStage)


def test_a_board_is_dragged_together_saved_and_opened_again(stage: PlayStage) -> None:
    for name in stage.game.table.names:
        assert not stage.play.games.is_solved
        stage.drag(stage.piece(name), stage.home(name) + QPoint(2, -1))
    assert stage.play.games.is_solved and stage.play.feast.is_on
    assert stage.play.page.says.text().startswith("Solved in 0:0")
    assert "12 moves and no false fit" in stage.play.page.says.text()
    stage.window.actions_["save_game"].trigger()
    before = stage.game
    stage.window.actions_["start_again"].trigger()
    assert stage.game.singles == 12 and not stage.play.feast.is_on
    stage.window.actions_["open_game"].trigger()
    assert stage.game == before and stage.play.games.is_solved


def test_a_ghost_shows_where_a_piece_lands_and_it_lands_there(stage: PlayStage) -> None:
    stage.drag(stage.piece("A1"), stage.home("A1"))
    start, end = stage.piece("B1"), stage.home("B1") + QPoint(4, 3)
    ghost = stage.play.scene.ghost
    stage.press(start)
    stage.move(start + QPoint(20, 0))
    assert not ghost.isVisible()
    stage.move(end)
    assert ghost.isVisible()
    middle = stage.at(ghost.path().boundingRect().center().x(), ghost.path().boundingRect().center().y())
    stage.release(end)
    assert not ghost.isVisible() and stage.names("B1") == {"A1", "B1"}
    assert (stage.piece("B1") - middle).manhattanLength() <= 2


def test_escape_puts_back_what_the_mouse_or_the_keys_hold(stage: PlayStage) -> None:
    before, place = stage.game, stage.piece("B2")
    item = stage.play.scene.item_of(stage.game.table.numbers["B2"])
    first = item.pos()
    stage.click(place)
    stage.hover(place)
    assert stage.play.scene.hovered.isVisible() and "piece B2" in stage.play.status_text
    stage.press_key(Qt.Key.Key_Return)
    stage.press_key(Qt.Key.Key_Right, 3)
    stage.press_key(Qt.Key.Key_Right, keys=Qt.KeyboardModifier.ShiftModifier)
    assert item.pos().x() == pytest.approx(first.x() + 40.0)
    stage.press_key(Qt.Key.Key_Escape)
    assert item.pos() == first
    stage.hover(place)
    stage.press_key(Qt.Key.Key_Return)
    stage.press_key(Qt.Key.Key_Right)
    stage.press(place)
    assert item.pos() == first, "the mouse puts back what the keys hold"
    stage.move(place + QPoint(40, 40))
    assert item.pos() != first
    stage.press_key(Qt.Key.Key_Escape)
    stage.release(place + QPoint(40, 40))
    assert item.pos() == first and stage.game is before


def test_pieces_turn_by_wheel_key_and_right_button_and_a_box_selects_them(stage: PlayStage) -> None:
    stage.choose_rotation("quarters")
    first, place, zoom = stage.turned("B2"), stage.piece("B2"), stage.play.view.zoom
    stage.press(place)
    stage.wheel(place, 1)
    stage.release(place)
    assert stage.turned("B2") == (first + 90) % 360 and stage.play.view.zoom == zoom
    stage.hover(stage.piece("B2"))
    stage.press_key(Qt.Key.Key_R)
    stage.right_click(stage.piece("B2"))
    assert stage.turned("B2") == (first + 270) % 360
    left, top, width, height = stage.game.table.box
    stage.press(stage.at(left - 3, top - 3))
    stage.move(stage.at(left + width / 2, top + height * 0.6))
    assert stage.play.scene.band.isVisible()
    stage.release(stage.at(left + width / 2, top + height * 0.6))
    assert "groups selected" in stage.play.status_text and not stage.play.scene.band.isVisible()


def test_wrong_pieces_are_told_at_the_end_and_taken_off(qapp: QApplication, tmp_path: Path) -> None:
    stage = PlayStage(tmp_path, squares())
    swap = {"B2": "C3", "C3": "B2"}
    for name in stage.game.table.names:
        stage.drag(stage.piece(name), stage.home(swap.get(name, name)))
    said = stage.play.page.says.text()
    assert stage.game.is_joined and not stage.play.games.is_solved and "B2 and C3" in said, said
    stage.press_key(Qt.Key.Key_H)
    stage.wait_for(lambda: "Thinking" not in stage.play.page.says.text())
    assert "B2 and C3 are in the wrong place" in stage.play.page.says.text()
    for name in ("B2", "C3"):
        stage.double_click(stage.piece(name))
        assert stage.names(name) == {name}
    for name in ("B2", "C3"):
        stage.drag(stage.piece(name), stage.home(name))
    assert stage.play.games.is_solved and "false fits on the way" in stage.play.page.says.text()
    stage.close()


def test_a_drag_paints_no_piece_and_a_drop_only_what_is_joined(stage: PlayStage) -> None:
    scene = stage.play.scene
    assert scene.art is not None
    stage.drag(stage.piece("A1"), stage.home("A1"))
    stage.drag(stage.piece("B1"), stage.home("B1"))
    scene.finish()
    painted, pieces = scene.painted, scene.art.painted
    start, end = stage.piece("C1"), stage.home("C1")
    stage.press(start)
    for step in range(1, 20):
        stage.move(start + (end - start) * step / 20)
    assert (scene.painted, scene.art.painted) == (painted, pieces), "a drag moves pixels"
    stage.release(end)
    assert stage.names("C1") == {"A1", "B1", "C1"}
    assert (scene.painted, scene.art.painted) == (painted + 1, pieces + 3), "the cluster is painted once"


def test_a_game_out_of_sight_costs_nothing_and_follows_when_it_is_looked_at(stage: PlayStage) -> None:
    stage.drag(stage.piece("A1"), stage.home("A1"))
    painted, states = stage.play.scene.painted, stage.play.games.log.states
    stage.window.show_view("board")
    stage.document.edit("Seed", replace(SMALL, parameters=replace(SMALL.parameters, seed=9)))
    stage.window.pipeline.finish()
    stage.settle()
    assert stage.play.scene.painted == painted and stage.play.games.log.states is states
    stage.window.show_view("play")
    stage.settle()
    assert stage.game.singles == 12 and stage.play.games.log.count == 0
    stage.window.show_view("board")
    stage.document.history.undo()
    stage.window.show_view("play")
    assert stage.play.games.log.count == 1, "the game of the board before is kept"


def test_a_board_that_is_never_played_begins_no_game(qapp: QApplication, tmp_path: Path) -> None:
    stage = GameStage.__new__(PlayStage)
    super(GameStage, stage).__init__(tmp_path, JIGSAW, SMALL)
    assert stage.window.session.need_games().unsaved == []
    assert "page" not in stage.window.extension.place.__dict__  # type: ignore[attr-defined]
    stage.close()


def test_keys_of_the_board_and_of_the_game_do_not_meet(stage: PlayStage) -> None:
    actions = stage.window.actions_
    assert actions["rotate_piece"].isEnabled() and not actions["roll"].isEnabled()
    stage.window.show_view("board")
    assert not actions["rotate_piece"].isEnabled() and not actions["hint"].isEnabled()
    assert actions["select_all"].isEnabled()


def test_another_game_keeps_the_one_before(stage: PlayStage) -> None:
    stage.drag(stage.piece("A1"), stage.home("A1"))
    before = stage.game
    stage.press_key(Qt.Key.Key_N)
    assert stage.play.games.target == ("seed=2",) and stage.game.singles == 12 and stage.game != before
    stage.play.games.choose(())
    assert stage.game is before


def test_a_themed_table_is_painted_again(stage: PlayStage) -> None:
    before = stage.play.scene.painted
    stage.window.choose_theme(ThemeChoice.DARK)
    stage.settle()
    assert stage.play.scene.painted >= before + 12
    stage.window.choose_theme(ThemeChoice.LIGHT)


def test_hints_solve_the_board_in_the_window(stage: PlayStage) -> None:
    while not stage.play.games.is_solved:
        stage.play.games.move(hint(SMALL, stage.game, SILENT).move)
    assert stage.play.feast.is_on and stage.play.status_text.startswith("12 of 12 pieces joined")
    x, y = stage.game.table.middle(0)
    stage.play.games.move(position_text("A1", x, y + 40))
    assert stage.play.feast.is_on, "the board may be moved as a whole"
    stage.mouse(QEvent.Type.MouseMove, stage.piece("B2"), NO_BUTTON, NO_BUTTON)
    stage.mouse(QEvent.Type.MouseButtonPress, stage.piece("B2"), LEFT, LEFT)
    stage.release(stage.piece("B2"))
    assert stage.play.games.is_solved


@pytest.mark.thorough
def test_a_game_of_many_moves_is_opened_off_the_gui_thread(stage: PlayStage) -> None:
    """Every move is made again, which takes seconds for a long game of a large board."""
    log = JIGSAW.need(Playable).begun(SMALL)
    moves = [f"A1 {20 + at % 50} 20" for at in range(6_000)]
    path = stage.answers.open
    assert path is not None
    save_game(path, JIGSAW, SMALL, JIGSAW.need(Playable).with_moves(SMALL, log, moves))
    made_here = 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal made_here
        made_here += event == "call" and frame.f_code is Playable._after.__code__

    sys.setprofile(count)
    try:
        stage.window.actions_["open_game"].trigger()
        assert stage.wait_for(lambda: bool(stage.posted()))
        assert stage.wait_for(lambda: "Opened" in stage.posted())
    finally:
        sys.setprofile(None)
    assert stage.posted() == "Opened mine.game: 6,000 moves." and made_here < 3_000


def inked(stage: PlayStage, name: str) -> int:
    """Count the pixels in a row through the middle of a piece that differ from its wood."""
    lying = stage.play.scene.item_of(stage.game.cluster_of(stage.game.table.numbers[name]).leader)
    image = lying.pixmap().toImage()
    colours = [image.pixelColor(image.width() // 2, y).name() for y in range(image.height())]
    return sum(one != colours[image.height() // 2 + 4] for one in colours)


def test_engravings_of_the_face_are_on_the_pieces_and_follow_the_design(qapp: QApplication, tmp_path: Path) -> None:
    def design(side: str) -> JigsawDesign:
        return replace(SMALL, engravings=(Engraving("drawing1", Pose(x=37.0, y=37.5, height=90.0),
                                                   paths=(BAR,), side=side),))  # fmt: skip

    stage = PlayStage(tmp_path, design(BACK))
    bare = inked(stage, "B2")
    stage.document.edit("Face", design("face"))
    stage.settle()
    stage.play.scene.finish()
    assert inked(stage, "B2") > bare, "the bar crosses the row B"
    moved = stage.play.scene.painted
    stage.drag(stage.piece("B2"), stage.piece("B2") + QPoint(9, 5))
    assert stage.play.scene.painted == moved
    stage.close()


def test_the_inspector_tells_how_to_play_while_the_game_is_in_sight(stage: PlayStage) -> None:
    def seen() -> str:
        return " ".join(one.text() for one in stage.window.findChildren(QLabel) if one.isVisibleTo(stage.window))

    assert "arrow keys choose a piece" in seen() and "Drag a corner to move it" not in seen()
    stage.window.show_view("board")
    stage.settle()
    assert "arrow keys choose a piece" not in seen() and "Drag a corner to move it" in seen()
    stage.window.show_view("space")
    stage.settle()
    assert "Drag a corner to move it" not in seen() and "Cut length" in seen()
