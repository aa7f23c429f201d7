"""A jigsaw played with the keys alone, with its engravings on the pieces, and the inspector while it is played."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel

from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.engravings import BACK, Engraving
from studio.ui.kinds.jigsaw.play_tool import neighbour
from tests.ui.stage import staged
from tests.ui.test_jigsaw_play import PlayStage

SMALL = JigsawParameters(width=100.0, height=75.0, columns=4, rows=3)
BAR = ((-0.5, 0.0), (0.0, 0.0), (0.0, 0.0), (0.5, 0.0))
KEYS = Qt.Key
ARROWS = {(1, 0): KEYS.Key_Right, (-1, 0): KEYS.Key_Left, (0, 1): KEYS.Key_Down, (0, -1): KEYS.Key_Up}
stage = staged(PlayStage)


def walk_to(stage: PlayStage, name: str) -> None:
    """Press arrow keys until a piece is pointed at."""
    hand, table = stage.play.hand, stage.game.table
    wanted = table.numbers[name]
    stage.press_key(KEYS.Key_Up)
    assert hand.over is not None
    for key in route(stage, hand.over, wanted):
        stage.press_key(key)
    assert hand.over == wanted


def route(stage: PlayStage, piece: int, wanted: int) -> list[Qt.Key]:
    """The fewest arrow keys from a piece to another."""
    table = stage.game.table
    places = table.places(stage.game).spots(np.arange(len(table.names)), table.middles)
    ways: dict[int, list[Qt.Key]] = {piece: []}
    for here in (queue := [piece]):
        for (right, down), key in ARROWS.items():
            there = neighbour(places, here, (down, right))
            if there not in ways:
                ways[there] = [*ways[here], key]
                queue.append(there)
    return ways[wanted]


def carry_home(stage: PlayStage, name: str) -> None:
    """Carry what is held to where it belongs, as near as the keys do."""
    held = stage.play.hand.held
    assert held is not None
    x, y = stage.game.table.middle(stage.game.table.numbers[name])
    for axis, goal in ((0, x), (1, y)):
        way = goal - (held.place.x() if axis == 0 else held.place.y())
        sign = int(np.sign(way))
        key = ARROWS[(sign, 0) if axis == 0 else (0, sign)] if sign else KEYS.Key_Up
        coarse, rest = divmod(abs(way), 25.0)
        stage.press_key(key, int(coarse), Qt.KeyboardModifier.ShiftModifier)
        stage.press_key(key, int(rest // 5))
        stage.press_key(key, round(rest % 5), Qt.KeyboardModifier.ControlModifier)


def test_a_board_is_solved_with_the_keys_alone(stage: PlayStage) -> None:
    stage.play.focus()
    for name in stage.game.table.names:
        walk_to(stage, name)
        stage.press_key(KEYS.Key_Return)
        assert stage.play.hand.held is not None and stage.play.hand.held.piece == stage.game.table.numbers[name]
        carry_home(stage, name)
        stage.press_key(KEYS.Key_Return)
        assert stage.play.hand.held is None and stage.play.hand.over == stage.game.table.numbers[name]
    assert stage.play.games.is_solved and stage.play.games.log.count == 12


def test_escape_puts_back_what_the_keys_hold_and_so_does_the_mouse(stage: PlayStage) -> None:
    stage.play.focus()
    stage.press_key(KEYS.Key_Right)
    name = stage.game.table.names[stage.play.hand.over or 0]
    assert f"piece {name}" in stage.play.status_text
    before = stage.piece(name)
    for by_key in (True, False):
        walk_to(stage, name)
        stage.press_key(KEYS.Key_Return)
        stage.press_key(KEYS.Key_Right, 3)
        item = stage.play.scene.item_of(stage.game.cluster_of(stage.game.table.numbers[name]).leader)
        held = item.pos()
        if by_key:
            stage.press_key(KEYS.Key_Escape)
        else:
            stage.click(stage.at(50.0, 37.0))
        assert stage.play.hand.held is None and item.pos().x() == pytest.approx(held.x() - 15.0)
    assert stage.piece(name) == before and stage.play.games.log.count == 0


def test_a_held_piece_turns_and_one_that_is_pointed_at_too(stage: PlayStage) -> None:
    stage.choose_rotation("quarters")
    stage.play.focus()
    stage.press_key(KEYS.Key_Right)
    name = stage.game.table.names[stage.play.hand.over or 0]
    turn = stage.turned(name)
    stage.press_key(KEYS.Key_R)
    assert stage.turned(name) == pytest.approx((turn + 90) % 360)
    walk_to(stage, name)
    stage.press_key(KEYS.Key_Return)
    stage.press_key(KEYS.Key_R)
    stage.press_key(KEYS.Key_Return)
    assert stage.turned(name) == pytest.approx((turn + 180) % 360)


def test_an_arrow_key_goes_to_the_nearest_piece_ahead_and_every_piece_is_reached() -> None:
    places = np.array([[x, y] for y in range(3) for x in range(4)], float)
    assert [neighbour(places, 5, arrow) for arrow in ((0, 1), (0, -1), (1, 0), (-1, 0))] == [6, 4, 9, 1]
    assert neighbour(places, 0, (0, -1)) == 0
    scattered = np.random.default_rng(3).uniform(0, 100, (80, 2))
    reached, edge = {0}, [0]
    while edge:
        edge = [neighbour(scattered, one, arrow) for one in edge for arrow in ((0, 1), (0, -1), (1, 0), (-1, 0))]
        edge = [one for one in dict.fromkeys(edge) if one not in reached]
        reached |= {*edge}
    assert len(reached) == 80


def inked(stage: PlayStage, name: str) -> int:
    """How many pixels of a row through the middle of a piece differ from its wood."""
    lying = stage.play.scene.item_of(stage.game.cluster_of(stage.game.table.numbers[name]).leader)
    image = lying.pixmap().toImage()
    colours = [image.pixelColor(image.width() // 2, y).name() for y in range(image.height())]
    return sum(one != colours[image.height() // 2 + 4] for one in colours)


def test_engravings_of_the_face_are_on_the_pieces_and_follow_the_design(qapp: QApplication, tmp_path: Path) -> None:
    def design(side: str) -> JigsawDesign:
        return JigsawDesign(SMALL, engravings=(Engraving("drawing1", Pose(x=37.0, y=37.5, height=90.0),
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
