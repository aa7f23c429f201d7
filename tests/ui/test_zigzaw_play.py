"""The zigzaw played in the window to its end, by mouse events and by key events alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

from studio.base.progress import Progress
from studio.puzzles.zigzaw.game import NONE, placed_text
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.kind import ZIGZAW
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters
from studio.puzzles.zigzaw.piece_forms import Cube
from studio.ui.kinds.zigzaw.play import PlayPage
from studio.ui.session.preferences import ThemeChoice
from studio.ui.shell.screenshot import rest
from studio.ui.widgets.theme import current_theme
from tests.ui.stage import LEFT, NO_BUTTON, NO_KEY, GameStage, staged

SMALL = generate(ZigzawParameters(columns=4, rows=4, seed=3), Progress())


class PlayStage(GameStage):
    """One window on a zigzaw at play."""

    play: PlayPage

    def __init__(self, folder: Path, design: ZigzawDesign = SMALL, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(folder, ZIGZAW, design, size=size)

    @property
    def own(self) -> list[int]:
        """The piece of every place in the solution."""
        found: list[int] = self.play.scene.pieces.own.tolist()
        return found

    def at(self, place: int) -> QPoint:
        """The middle of a place on the screen."""
        scene, view = self.play.scene, self.play.view
        return self.target.mapToGlobal(view.mapFromScene(scene.origins[place] + scene.form.bounds.center()))

    def in_tray(self, piece: int) -> QPoint:
        """A piece in the tray on the screen, scrolled into sight."""
        tray = self.play.tray
        index = tray.pieces.index(tray.pieces.numbers.index(piece))
        tray.scrollTo(index)
        self.settle()
        return tray.viewport().mapToGlobal(tray.visualRect(index).center())

    def send(
        self, widget: QWidget, kind: QEvent.Type, place: QPoint, button: Qt.MouseButton, held: Qt.MouseButton
    ) -> None:
        """One mouse event at a place of the screen."""
        local = QPointF(widget.mapFromGlobal(place))
        QApplication.sendEvent(widget, QMouseEvent(kind, local, QPointF(place), button, held, NO_KEY))
        self.settle()

    def pull(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        """Drag from a place of the screen to another; the widget under the first has the mouse all the way."""
        self.send(widget, QEvent.Type.MouseMove, start, NO_BUTTON, NO_BUTTON)
        self.send(widget, QEvent.Type.MouseButtonPress, start, LEFT, LEFT)
        for step in (1, 2, 3):
            self.send(widget, QEvent.Type.MouseMove, start + (end - start) * step / 3, NO_BUTTON, LEFT)
        self.send(widget, QEvent.Type.MouseButtonRelease, end, LEFT, NO_BUTTON)

    def push(self, widget: QWidget, place: QPoint) -> None:
        """Click at a place of the screen."""
        self.send(widget, QEvent.Type.MouseButtonPress, place, LEFT, LEFT)
        self.send(widget, QEvent.Type.MouseButtonRelease, place, LEFT, NO_BUTTON)

    def pull_from_tray(self, piece: int, place: int) -> None:
        self.pull(self.play.tray.viewport(), self.in_tray(piece), self.at(place) + QPoint(7, -5))

    def walk(self, place: int) -> None:
        """Go to a place with the arrows."""
        columns = self.play._design.parameters.columns
        (row, column), (to_row, to_column) = divmod(self.play.hand.place, columns), divmod(place, columns)
        self.press_key(Qt.Key.Key_Down if to_row > row else Qt.Key.Key_Up, abs(to_row - row))
        self.press_key(Qt.Key.Key_Right if to_column > column else Qt.Key.Key_Left, abs(to_column - column))
        assert self.play.hand.place == place


stage = staged(PlayStage)


# The mouse


def test_a_puzzle_is_dragged_to_its_end_saved_and_opened_again(stage: PlayStage) -> None:
    over_tray = stage.play.tray.viewport().mapToGlobal(QPoint(20, 20))
    stage.pull_from_tray(7, 3)
    stage.pull(stage.target, stage.at(3), over_tray)
    assert stage.game.count == 0 and stage.play.tray.number == 7 and not stage.play.ghost.isVisible()
    stage.press_key(Qt.Key.Key_Z, 2)
    for place, piece in enumerate(stage.own):
        assert not stage.play.games.is_solved
        stage.pull_from_tray(piece, place)
        assert stage.game.placed[place] == piece
    assert stage.play.games.is_solved and stage.play.page.says.text() == "Solved."
    assert stage.play.scene.frame.is_done and not stage.play.scene.cursor.isVisible()
    assert stage.play.page.tally.text() == "16 of 16 pieces placed · 16 moves"
    assert stage.play.count.text() == "0 pieces" and not stage.play.tray.pieces.numbers
    stage.window.actions_["save_game"].trigger()
    assert stage.posted() == "Saved mine.game: 16 moves."
    stage.window.actions_["start_again"].trigger()
    assert stage.game.count == 0
    stage.window.show_view("board")
    stage.window.actions_["open_game"].trigger()
    stage.settle()
    assert stage.play.isVisible() and stage.play.games.is_solved
    assert [item.piece for item in stage.play.scene.places] == stage.own
    assert stage.document.history.count() == 0, "a game is no edit of the design"


def test_a_piece_in_the_hand_grows_with_the_board(stage: PlayStage) -> None:
    stage.push(stage.play.tray.viewport(), stage.in_tray(3))
    before = stage.play.ghost.width()
    stage.wheel(QPoint(200, 200), 2)
    assert stage.play.ghost.width() > 1.2 * before


def test_the_tray_scrolls_by_wheel_and_keys(qapp: QApplication, tmp_path: Path) -> None:
    stage = PlayStage(tmp_path, generate(ZigzawParameters(seed=1), Progress()))
    tray = stage.play.tray
    bar = tray.verticalScrollBar()
    assert bar.isVisible() and bar.value() == 0 and bar.maximum() > 500
    place = QPointF(40, 40)
    wheel = QWheelEvent(
        place, QPointF(tray.viewport().mapToGlobal(place.toPoint())), QPoint(), QPoint(0, -240), NO_BUTTON, NO_KEY,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(tray.viewport(), wheel)
    assert bar.value() > 0
    tray.setFocus()
    stage.press_key(Qt.Key.Key_End)
    assert tray.number == 81 and bar.value() == bar.maximum()
    stage.press_key(Qt.Key.Key_Home)
    assert tray.number == 1 and bar.value() == 0
    stage.close()


def test_a_moment_of_the_game_can_be_shown(stage: PlayStage) -> None:
    rest(stage.window, 0.5)
    stage.settle()
    assert stage.game.placed == (*stage.own[:8], *[NONE] * 8)
    assert stage.play.hand.piece == stage.own[8] and stage.play.ghost.isVisible()


# The keys


def test_keys_go_from_tray_to_board_and_back(stage: PlayStage) -> None:
    play = stage.play
    stage.press_key(Qt.Key.Key_Tab)
    stage.press_key(Qt.Key.Key_Right, 2)
    assert play.tray.hasFocus() and play.tray.number == 3
    stage.press_key(Qt.Key.Key_Return)
    assert play.view.hasFocus() and play.ghost.isVisible()
    stage.walk(5)
    assert play.scene.target.isVisible()
    stage.press_key(Qt.Key.Key_Return)
    assert stage.game.placed[5] == 3 and play.tray.hasFocus() and not play.ghost.isVisible()
    stage.press_key(Qt.Key.Key_Tab)
    assert play.status_text.endswith("B2: piece 3") and stage.window.status.selected.text() == play.status_text
    stage.press_key(Qt.Key.Key_Return)
    stage.walk(10)
    assert play.scene.places[5].is_lifted
    assert play.status_text.endswith("C3: empty · holding piece 3")
    stage.press_key(Qt.Key.Key_Return)
    assert stage.game.placed[10] == 3 and play.view.hasFocus()
    stage.press_key(Qt.Key.Key_Delete)
    assert stage.game.count == 0 and play.tray.number == 3
    stage.press_key(Qt.Key.Key_Backtab)
    assert not play.view.hasFocus() and not play.tray.hasFocus(), "the keys can leave board and tray"


# What helps


def test_mismatches_are_marked_only_if_wished_for(stage: PlayStage) -> None:
    play, wrong = stage.play, stage.own[0]
    stage.pull_from_tray(wrong, 15)
    assert not play.scene.marks.shown.any()
    stage.press_key(Qt.Key.Key_M)
    assert play.mismatches.isChecked() and play.scene.marks.shown.any()
    x, y = play.scene.marks._spots[play.scene.marks.shown][0].tolist()
    stage.settle()
    at = play.view.mapFromScene(QPointF(x, y) + QPointF(0.0, -0.6 * play.scene.marks.radius))
    seen = QColor(play.view.grab().toImage().pixel(at))
    theme = current_theme()
    assert abs(seen.hue() - theme.error.hue()) < 12
    play.games.move(placed_text(SMALL, wrong, 0))
    assert not play.scene.marks.shown.any()


def test_only_pieces_that_fit_the_outlined_place_are_listed_if_wished_for(stage: PlayStage) -> None:
    play = stage.play
    assert not play.fits.isChecked() and len(play.tray.pieces.numbers) == 16
    stage.push(stage.target, stage.at(5))
    stage.press_key(Qt.Key.Key_F)
    assert play.fits.isChecked() and len(play.tray.pieces.numbers) == 16, "in the middle anything fits yet"
    for place in (0, 1, 2, 4):
        play.games.move(placed_text(SMALL, stage.own[place], place))
    assert stage.own[5] in play.tray.pieces.numbers and len(play.tray.pieces.numbers) < 12
    assert play.count.text() == f"{len(play.tray.pieces.numbers)} of 12 pieces fit B2"
    play.games.move(placed_text(SMALL, stage.own[5], 5))
    assert play.hand.place == 6, "the filled place is left for the next empty one"
    assert play.count.text().endswith("of 11 pieces fit C2") and stage.own[6] in play.tray.pieces.numbers
    play.games.move(placed_text(SMALL, stage.own[3], 3))
    assert play.hand.place == 6, "which stays"


def test_the_tray_is_sorted_by_number_or_by_the_colour_of_a_limb(stage: PlayStage) -> None:
    play = stage.play
    assert play.tray.pieces.numbers == tuple(range(1, 17))
    stage.press_key(Qt.Key.Key_O)
    assert play.order.currentText() == "By body"
    bodies = [int(play.scene.pieces.colours[number, 0]) for number in play.tray.pieces.numbers]
    assert bodies == sorted(bodies) and sorted(play.tray.pieces.numbers) == list(range(1, 17))


def test_a_hint_lays_a_right_piece_and_names_a_wrong_one(stage: PlayStage) -> None:
    play = stage.play
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: stage.game.count == 1)
    place = next(place for place, piece in enumerate(stage.game.placed) if piece != NONE)
    assert stage.game.placed[place] == stage.own[place] and play.hand.place == place
    wrong = next(each for each in range(16) if each != place)
    play.games.move(placed_text(SMALL, stage.own[place], wrong))
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: "wrong place" in play.page.says.text())
    assert play.hand.place == wrong and len(play.scene._flags) == 1
    stage.press_key(Qt.Key.Key_Z)
    assert not play.scene._flags


def test_pieces_are_named_with_their_colours_for_those_who_cannot_see_them(stage: PlayStage) -> None:
    model = stage.play.tray.pieces
    words = model.data(model.index(2), Qt.ItemDataRole.AccessibleTextRole)
    assert isinstance(words, str) and words.startswith("Piece 3: body ") and ", left leg " in words
    assert stage.play.view.accessibleName() == "Board" and stage.play.tray.accessibleName() == "Tray"


# The design


def test_a_game_follows_the_design(stage: PlayStage) -> None:
    play = stage.play
    play.games.move("3 B2")
    stage.document.edit("Recolour", SMALL.with_triples({Cube(2, 2): "AEC"}, edited=True))
    stage.settle()
    assert stage.game.placed[5] == 3 and play.scene.places[5].piece == 3
    stage.document.edit("Larger", generate(ZigzawParameters(columns=6, rows=5, seed=3), Progress()))
    stage.settle()
    assert len(stage.game.placed) == len(play.scene.places) == 30 and stage.game.count == 0
    assert len(play.tray.pieces.numbers) == 30
    stage.document.history.undo()
    stage.document.history.undo()
    stage.settle()
    assert stage.game.placed[5] == 3 and len(play.scene.places) == 16


def test_a_board_out_of_sight_waits_until_somebody_looks(stage: PlayStage) -> None:
    stage.play.games.move("3 B2")
    stage.window.show_view("board")
    before = stage.play.scene.places[5]
    stage.document.edit("Recolour", SMALL.with_triples({Cube(2, 2): "AEC"}, edited=True))
    stage.settle()
    assert stage.game.placed[5] == 3 and stage.play.scene.places[5] is before
    stage.window.show_view("play")
    assert stage.play.scene.places[5] is not before and stage.play.scene.places[5].piece == 3


def test_commands_of_the_game_rest_in_other_views(stage: PlayStage) -> None:
    window = stage.window
    assert window.actions_["hint"].isEnabled() and not window.actions_["reset_cubes"].isEnabled()
    window.show_view("board")
    assert not window.actions_["hint"].isEnabled() and window.status.selected.text() == "Nothing selected"


@pytest.mark.thorough
@pytest.mark.sampled(2)
@pytest.mark.parametrize("choice", [ThemeChoice.LIGHT, ThemeChoice.DARK])
def test_both_themes_show_board_and_tray(stage: PlayStage, choice: ThemeChoice) -> None:
    stage.window.choose_theme(choice)
    stage.settle()
    image = stage.play.view.grab().toImage()
    assert QColor(image.pixel(1, 1)).rgb() == current_theme().canvas.rgb()
    stage.window.choose_theme(ThemeChoice.LIGHT)


def test_a_tall_window_has_the_tray_below_the_board(qapp: QApplication, tmp_path: Path) -> None:
    stage = PlayStage(tmp_path, size=(900, 1200))
    for dock in stage.window.docks[:2]:
        dock.hide()
    stage.window.docks[2].hide()
    stage.window.resize(780, 1300)
    stage.settle()
    assert stage.play.table.split.orientation() is Qt.Orientation.Vertical
    stage.pull_from_tray(stage.own[9], 9)
    assert stage.game.placed[9] == stage.own[9]
    stage.close()


@pytest.mark.thorough
def test_a_board_of_1600_pieces_is_played_without_delay(qapp: QApplication, tmp_path: Path) -> None:
    stage = PlayStage(tmp_path, generate(ZigzawParameters(columns=40, rows=40, seed=1), Progress()))
    stage.pull(stage.play.tray.viewport(), stage.in_tray(1600), stage.at(820))
    assert stage.game.placed[820] == 1600 and len(stage.play.tray.pieces.numbers) == 1599
    assert stage.play.scene.places[820].piece == 1600
    stage.close()
