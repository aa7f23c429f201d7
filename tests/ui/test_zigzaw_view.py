"""The zigzaw's window, moved by real mouse and key events: its views, and the film of the search."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.base.amounts import thousands
from studio.base.progress import SILENT
from studio.puzzles.registry import kind
from studio.puzzles.zigzaw import grade
from studio.puzzles.zigzaw.generate import generate, proof
from studio.puzzles.zigzaw.grade import STRATEGIES, graded
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, matching
from studio.solving import edges as films
from studio.solving.edges import UNKNOWN, Film, Strategy, record
from studio.ui.kinds.zigzaw.extension import ZigzawExtension
from studio.ui.kinds.zigzaw.scene import Ground, Pieces
from studio.ui.kinds.zigzaw.solver import SolverPage, outline_of
from tests.ui.stage import LEFT, NO_KEY, KindStage, staged

CONTROL = Qt.KeyboardModifier.ControlModifier


class ZigzawStage(KindStage):
    """A window on a small zigzaw."""

    def __init__(self, folder: Path, design: ZigzawDesign | None = None) -> None:
        small = generate(ZigzawParameters(columns=4, rows=4), SILENT)
        super().__init__(folder, kind("zigzaw"), small if design is None else design)

    @property
    def extension(self) -> ZigzawExtension:
        """What the window has of the kind."""
        assert isinstance(self.window.extension, ZigzawExtension)
        return self.window.extension

    @property
    def design(self) -> ZigzawDesign:
        assert isinstance(self.document.design, ZigzawDesign)
        return self.document.design

    @property
    def solver(self) -> SolverPage:
        return self.extension.solver

    @property
    def film(self) -> Film:
        """The film that is shown."""
        assert self.solver.player.film is not None
        return self.solver.player.film

    @property
    def pieces(self) -> Pieces:
        assert self.solver.pieces is not None
        return self.solver.pieces

    @property
    def at(self) -> int:
        """How many steps of the film are made."""
        return self.solver.player.at

    def show_solver(self) -> None:
        """Bring the solver in sight and wait for its film."""
        self.window.show_view("solver")
        assert self.wait_for(lambda: self.solver.player.film is not None)
        self.settle()

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Press a key on the board of the solver."""
        QTest.keyClick(self.solver.view, key, keys)
        self.settle()


stage = staged(ZigzawStage)


@pytest.fixture
def solving(stage: ZigzawStage) -> ZigzawStage:
    stage.show_solver()
    return stage


def test_the_board_is_seen_first_and_nothing_is_filmed_until_somebody_looks(stage: ZigzawStage) -> None:
    assert stage.window.middle.shown is stage.window.canvas
    assert stage.extension.views[0].name == "board"
    assert stage.solver.player.film is None and not stage.solver.films.is_under_way
    assert stage.solver.pieces is None
    assert not stage.window.actions_["film_play"].isEnabled()
    stage.show_solver()
    assert stage.window.actions_["film_play"].isEnabled()


def test_keys_step_on_and_back_and_go_to_the_solution_and_the_end(solving: ZigzawStage) -> None:
    assert solving.at == 0 and (solving.pieces.board == UNKNOWN).all()
    solving.key(Qt.Key.Key_S)
    solving.key(Qt.Key.Key_S)
    assert solving.at == 2 and solving.pieces.board.tolist() == solving.film.board(2).tolist()
    assert solving.pieces.last == solving.film.at(2).last is not None
    solving.key(Qt.Key.Key_B)
    assert solving.at == 1
    solving.key(Qt.Key.Key_End, CONTROL)
    (solution,) = proof(solving.design, SILENT).found
    assert tuple(solving.pieces.board.tolist()) == solution, "the film shows what the proof found"
    assert solving.solver.bar.verdict.text() == "Solution found. Play on to see the rest of the search."
    solving.key(Qt.Key.Key_End, CONTROL)
    assert solving.at == len(solving.film) and (solving.pieces.board == UNKNOWN).all()
    nodes = proof(solving.design, SILENT).count.nodes
    assert solving.solver.bar.verdict.text().startswith(f"Unique solution (exhaustive search: {nodes} pieces tried")
    solving.key(Qt.Key.Key_Home, CONTROL)
    assert solving.at == 0


def test_playing_stops_at_the_solution_and_goes_on_to_the_end(solving: ZigzawStage) -> None:
    player, bar = solving.solver.player, solving.solver.bar
    bar.speed.setFocus()
    QTest.keyClick(bar.speed, Qt.Key.Key_End)
    assert player.speed == 300_000
    QTest.mouseClick(bar.play, LEFT)
    assert player.is_playing and bar.play.accessibleName() == "Pause"
    assert solving.wait_for(lambda: not player.is_playing)
    assert [solving.at] == list(solving.film.ends)
    solving.key(Qt.Key.Key_P)
    assert solving.wait_for(lambda: not player.is_playing) and solving.at == len(solving.film)
    solving.key(Qt.Key.Key_P)
    assert player.is_playing and solving.at < len(solving.film), "a film that is over begins again"


def test_speed_is_in_steps_a_second_and_only_slow_steps_are_marked(solving: ZigzawStage) -> None:
    player = solving.solver.player
    player.toggle()
    player.speed = 20.0
    player._debt = 0.0
    player.advance(0.5)
    assert solving.at == 10 and solving.pieces.last is not None
    player.speed = 100.0
    player.advance(0.015)
    player.advance(0.005)
    assert solving.at == 12 and solving.pieces.last is None
    player.pause()
    assert solving.pieces.last is not None


def test_dragging_along_the_chart_shows_any_moment(solving: ZigzawStage) -> None:
    line = solving.solver.bar.line
    solving.solver.player.toggle()
    QTest.mousePress(line, LEFT, pos=QPoint(line.width() // 2, line.height() // 2))
    assert not solving.solver.player.is_playing
    assert solving.at == pytest.approx(len(solving.film) / 2, abs=1)
    QTest.mouseMove(line, QPoint(line.width() // 4, line.height() // 2))
    QTest.mouseRelease(line, LEFT, pos=QPoint(line.width() // 4, line.height() // 2))
    assert solving.at == pytest.approx(len(solving.film) / 4, abs=1)
    frame = solving.film.at(solving.at)
    assert solving.solver.bar.placed.text() == f"{frame.depth} of 16 pieces"
    assert f"Step {solving.at} of {len(solving.film)}" in solving.solver.bar.words.text()


def test_another_strategy_is_another_film_and_a_known_one_comes_at_once(solving: ZigzawStage) -> None:
    box, first = solving.solver.strategy, solving.film
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Down)
    assert solving.wait_for(lambda: solving.solver.player.film not in (None, first))
    assert solving.film.strategy is Strategy.ONE_BY_ONE and solving.at == 0
    assert solving.film.tests[-1] > first.tests[-1]
    assert "every remaining piece" in solving.solver.how.text()
    QTest.keyClick(box, Qt.Key.Key_Up)
    assert solving.solver.player.film is first


def test_another_puzzle_is_another_film_and_another_length_is_not(solving: ZigzawStage) -> None:
    first = solving.film
    window, parameters = solving.window, solving.design.parameters
    solving.key(Qt.Key.Key_S)
    for changes, same in (({"edge": 7.0}, True), ({"seed": 5}, False)):
        values = {name: getattr(parameters, name) for name in ("columns", "rows", "seed", "edge")} | changes
        solving.document.edit("Change", generate(ZigzawParameters(**values), SILENT))
        window.pipeline.finish()
        assert solving.wait_for(lambda: solving.solver.player.film is not None)
        assert (solving.film is first) == same and (solving.at == 1) == same


def test_a_puzzle_that_changes_out_of_sight_is_there_when_it_is_looked_at(solving: ZigzawStage) -> None:
    first = solving.film
    solving.window.show_view("board")
    solving.document.edit("Change", generate(ZigzawParameters(columns=5, rows=3, seed=2), SILENT))
    solving.window.pipeline.finish()
    assert solving.solver.player.film is None
    solving.document.history.undo()
    assert solving.film is first
    solving.document.history.redo()
    solving.show_solver()
    assert len(solving.pieces.board) == 15 == len(solving.film.matching.slots)


def test_only_pieces_that_are_new_are_painted(solving: ZigzawStage) -> None:
    solving.key(Qt.Key.Key_End, CONTROL)
    painted = solving.pieces.painted
    assert painted == len(matching(solving.design).sorts) == 16
    for share in np.linspace(0, 1, 20):
        solving.solver.player.seek_share(share)
        solving.settle()
    assert solving.pieces.painted == painted, "what was painted once is copied"
    solving.solver.view.zoom_by(1.5)
    solving.solver.player.seek_share(0.5)
    solving.settle()
    assert painted < solving.pieces.painted <= 2 * painted


def test_decoys_are_told_on_the_places(solving: ZigzawStage) -> None:
    ground = solving.solver.ground
    assert isinstance(ground, Ground) and ground.decoys == ()
    QTest.mouseClick(solving.solver.decoys, LEFT, pos=QPoint(8, solving.solver.decoys.height() // 2))
    assert ground.decoys == matching(solving.design).decoys
    QTest.keyClick(solving.solver.decoys, Qt.Key.Key_Space)
    assert ground.decoys == ()


def test_a_film_that_was_cut_short_never_says_one(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(films, "MOST_NODES", 10)
    stage = ZigzawStage(tmp_path)
    stage.show_solver()
    stage.key(Qt.Key.Key_End, CONTROL)
    stage.key(Qt.Key.Key_End, CONTROL)
    assert stage.solver.bar.verdict.text().startswith("No solution found; search stopped after 10 pieces")
    stage.close()


def test_the_outline_of_a_film_has_its_peaks() -> None:
    depths = np.array([0, 1, 2, 1, 2, 3, 2, 1, 0])
    assert outline_of(depths, 3).tolist() == [2, 3, 2]
    assert outline_of(depths, 50).tolist() == depths.tolist()


@pytest.mark.thorough
def test_the_grade_and_the_strategies_are_known_once_somebody_looks(stage: ZigzawStage) -> None:
    tab, grade = stage.techniques, stage.graded.grade
    assert grade.answer is None and tab.figures.answer is None and not grade.is_under_way
    stage.window.drawer.setCurrentWidget(tab)
    assert stage.wait_for(lambda: grade.answer is not None and tab.figures.answer is not None)
    assert stage.graded.page.words.text() == graded(stage.design, SILENT).explanation
    rows = [[tab.model.index(row, column).data() for column in range(3)] for row in range(3)]
    for (_title, tried, tests), strategy in zip(rows, STRATEGIES, strict=True):
        film = record(matching(stage.design), strategy, SILENT)
        assert (tried, tests) == (thousands(film.at(len(film)).tried), thousands(film.tests[-1]))
    assert [row[0] for row in rows] == ["Indexed", "One by one", "Fewest first"]


def test_a_strategy_that_was_given_up_says_at_least(stage: ZigzawStage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grade, "MOST_NODES", 5)
    stage.window.drawer.setCurrentWidget(stage.techniques)
    stage.window.finish()
    model = stage.techniques.model
    assert [model.index(row, 1).data() for row in range(3)] == ["≥ 5"] * 3


@pytest.mark.thorough
def test_a_harder_zigzaw_takes_the_place_of_this_one_as_one_step(stage: ZigzawStage) -> None:
    stage.window.drawer.setCurrentWidget(stage.techniques)
    stage.window.finish()
    before = stage.design
    QTest.mouseClick(stage.graded.page.harder, LEFT)
    assert stage.posted() == "Searching for a harder zigzaw…"
    assert stage.wait_for(lambda: stage.graded.done is None)
    assert proof(stage.design, SILENT).count.nodes > proof(before, SILENT).count.nodes
    assert (
        stage.document.history.undoText() == "Find a harder zigzaw" and "Found a harder zigzaw: seed " in stage.posted()
    )
    stage.document.history.undo()
    assert stage.design == before


def test_the_canvas_follows_another_finish_marks_and_the_back(stage: ZigzawStage) -> None:
    layer, p = stage.window.canvas.drawing, stage.design.parameters
    for changed in (replace(p, finish="hatch"), replace(p, marks="crosses"), replace(p, side="back")):
        stage.document.edit("Make", replace(stage.design, parameters=changed))
        stage.window.pipeline.finish()
        assert layer._tiled is stage.window.pipeline.shapes.drawing
        assert sum(len(tile.members) for tile in layer._tiles) == len(layer._tiled.strokes)
    stage.window.actions_["undo"].trigger()
    assert layer._tiled is stage.window.pipeline.shapes.drawing
