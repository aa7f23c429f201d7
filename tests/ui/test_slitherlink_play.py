"""The slitherlink played in the window to its end, by mouse events and by key events alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.base.progress import SILENT
from studio.puzzles.slitherlink.game import INSIDE, LINE, OUTSIDE, UNKNOWN, ruled_out, text_of
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.gestures import places_of
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.slitherlink.model import SlitherlinkDesign, SlitherlinkParameters, cells_of
from studio.ui.kinds.slitherlink import scene
from studio.ui.kinds.slitherlink.play import PlayPage
from studio.ui.session.preferences import ThemeChoice
from studio.ui.shell.screenshot import rest
from studio.ui.widgets.theme import dark_theme, light_theme
from tests.puzzles.player import ways
from tests.ui.stage import LEFT, MIDDLE, GameStage, staged

SMALL = generate(SlitherlinkParameters(columns=7, rows=7, seed=2), SILENT)
RIGHT = Qt.MouseButton.RightButton
SHIFT = Qt.KeyboardModifier.ShiftModifier


class PlayStage(GameStage):
    """One window on a slitherlink at play."""

    play: PlayPage

    def __init__(self, folder: Path, design: SlitherlinkDesign = SMALL, size: tuple[int, int] = (1280, 800)) -> None:
        super().__init__(folder, SLITHERLINK, design, size=size)

    @property
    def scene(self) -> scene.TableScene:
        return self.play.scene

    @property
    def loop(self) -> list[int]:
        """The edges of the solution, in turn."""
        design: SlitherlinkDesign = self.document.design
        return design.parameters.net.loops(design.line)[0]

    def spot(self, x: float, y: float) -> QPoint:
        """A place of the scene on the board's view."""
        return self.play.view.mapFromScene(QPointF(x, y))

    def on_edge(self, edge: int) -> QPoint:
        return self.spot(*self.scene.board.ends[edge].mean(axis=0).tolist())

    def on_cell(self, cell: int) -> QPoint:
        return self.spot(*self.scene.board.middles[cell].tolist())

    def on_dot(self, dot: int) -> QPoint:
        return self.spot(*self.scene.board.corners[dot].tolist())

    def click_edge(self, edge: int, button: Qt.MouseButton = LEFT) -> None:
        self.press(self.on_edge(edge), button=button)
        self.release(self.on_edge(edge), button=button)

    def stroke(self, dots: list[int], button: Qt.MouseButton = LEFT) -> None:
        """Drag through dots."""
        self.press(self.on_dot(dots[0]), button=button)
        for dot in dots[1:]:
            self.move(self.on_dot(dot), button=button)
        self.release(self.on_dot(dots[-1]), button=button)

    def walk(self, spot: int) -> None:
        """Go to an edge or a cell with the arrows."""
        beside = places_of(self.document.design.parameters).spots.beside
        keys = {"left": Qt.Key.Key_Left, "right": Qt.Key.Key_Right, "up": Qt.Key.Key_Up, "down": Qt.Key.Key_Down}
        for key in ways(self.play.hand.spot, lambda one, arrow: beside(one, *arrow))[spot]:
            self.press_key(keys[key])
        assert self.play.hand.spot == spot


stage = staged(PlayStage)


# The mouse


def test_a_puzzle_is_clicked_and_dragged_to_its_end_with_a_hint_and_an_undo(stage: PlayStage) -> None:
    play, loop = stage.play, stage.loop
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: play.games.offered is not None)
    assert stage.scene.hint.isVisible() and play.page.says.text().endswith(".") and play.games.log.count == 0
    stage.press_key(Qt.Key.Key_H)
    assert play.games.log.count == 1 and not stage.scene.hint.isVisible()
    off = next(edge for edge in range(len(stage.game.edges)) if edge not in loop and not stage.game.edges[edge])
    stage.hover(stage.on_edge(off))
    assert stage.scene.hover.path == stage.scene.along([off])
    stage.click_edge(off)
    assert stage.game.edges[off] == LINE and not stage.scene.hover.isVisible()
    stage.double_click(stage.on_edge(off))
    assert stage.game.edges[off] == LINE, "clicks in quick succession count one by one"
    stage.press_key(Qt.Key.Key_Z, 2)
    stage.press_key(Qt.Key.Key_Z, keys=Qt.KeyboardModifier.ControlModifier)
    assert stage.game.edges[off] == UNKNOWN
    third = len(loop) // 3
    ends = SMALL.parameters.net.ends
    dots = [next(dot for dot in ends[loop[0]] if dot not in ends[loop[1]])]
    for edge in loop[:third]:
        dots.append(sum(ends[edge]) - dots[-1])
    stage.stroke(dots)
    assert set(loop[:third]) <= set(stage.game.lines)
    for edge in loop[third:]:
        if stage.game.edges[edge] != LINE:
            assert not play.games.is_solved
            stage.click_edge(edge)
    assert play.games.is_solved and play.page.says.text() == "Solved: a single loop that satisfies every clue."
    assert stage.scene.board.is_done
    assert (stage.scene.board.look.cells == scene.WON).tolist() == cells_of(SMALL.inside), "the loop is filled"
    assert "1 hint" in play.page.tally.text() and play.page.tally.text().startswith(f"{len(SMALL.clues)} of ")
    assert stage.document.history.count() == 0, "a game is no edit of the design"


def test_a_button_that_went_up_elsewhere_leaves_no_stroke_behind(stage: PlayStage) -> None:
    stage.press(stage.on_dot(0), button=RIGHT)
    stage.move(stage.on_dot(1), button=RIGHT)
    stage.hover(stage.on_dot(2))
    assert stage.play.hand.stroke is None
    stage.release(stage.on_dot(2), button=RIGHT)
    assert stage.play.games.log.count == 0


def test_the_middle_button_shades_a_cell_or_pans_and_shift_shades_several(stage: PlayStage) -> None:
    stage.press(stage.on_cell(24), button=MIDDLE)
    stage.release(stage.on_cell(24), button=MIDDLE)
    stage.drag(stage.on_cell(7), stage.on_cell(10), SHIFT, steps=12)
    assert [stage.game.shades[cell] for cell in (7, 8, 9, 10, 24)] == [INSIDE] * 5
    before = stage.on_cell(0)
    stage.press(stage.on_cell(24), button=MIDDLE)
    stage.move(stage.on_cell(24) + QPoint(40, 0), button=MIDDLE)
    stage.release(stage.on_cell(24), button=MIDDLE)
    assert stage.on_cell(0).x() > before.x() and stage.play.games.log.count == 2, "a drag pans"


# The keys


def test_keys_of_the_window_reach_the_board_and_the_status_says_so(stage: PlayStage) -> None:
    assert stage.play.view.hasFocus() and stage.scene.cursor.isVisible()
    stage.walk(20)
    for key, said in ((Qt.Key.Key_Space, "line"), (Qt.Key.Key_X, "cross"), (Qt.Key.Key_Backspace, "open")):
        stage.press_key(key)
        assert stage.play.status_text.endswith(said)
    stage.walk(len(stage.scene.board.ends) + 16)
    for key, said in ((Qt.Key.Key_I, "shaded inside"), (Qt.Key.Key_O, "shaded outside")):
        stage.press_key(key)
        assert stage.play.status_text.endswith(said)


# Trials, mistakes, saved games


def test_a_trial_looks_different_and_is_kept_or_thrown_away(stage: PlayStage) -> None:
    stage.click_edge(20)
    stage.press_key(Qt.Key.Key_T)
    assert "trial" in stage.play.status_text and not stage.window.actions_["try"].isEnabled()
    stage.click_edge(21)
    stage.click_edge(22, RIGHT)
    look = stage.scene.board.look.edges
    assert look[21] & scene.TRIED and look[22] & scene.TRIED and not look[20] & scene.TRIED
    stage.press_key(Qt.Key.Key_D)
    assert stage.game.lines == (20,) and not stage.game.crosses and stage.game.before is None
    stage.press_key(Qt.Key.Key_T)
    stage.click_edge(21)
    stage.press_key(Qt.Key.Key_K)
    assert [*stage.game.lines] == [20, 21] and not stage.scene.board.look.edges[21] & scene.TRIED
    assert not stage.window.actions_["keep_trial"].isEnabled()
    stage.press_key(Qt.Key.Key_Z, 2)
    log, played = stage.play.games.log, stage.play.games.played
    assert played.with_moves(SMALL, played.begun(SMALL), log.moves[: log.at]).game == stage.game, "as a file has it"
    assert stage.game.before is not None, "moves in a trial are taken back one by one, the trial too"


def test_only_what_is_provably_wrong_is_marked_and_only_on_request(stage: PlayStage) -> None:
    play = stage.play
    off = next(edge for edge in range(len(stage.game.edges)) if edge not in stage.loop)
    stage.click_edge(off)
    stage.click_edge(stage.loop[0])
    assert not (stage.scene.board.look.edges & scene.WRONG).any()
    stage.press_key(Qt.Key.Key_C)
    assert stage.wait_for(lambda: play.page.says.text() == "1 line is wrong (marked).")
    assert np.flatnonzero(stage.scene.board.look.edges & scene.WRONG).tolist() == [off]
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: play.page.says.text() == "1 line is wrong (marked).")
    assert play.hand.spot == off
    stage.press_key(Qt.Key.Key_Space)
    assert not (stage.scene.board.look.edges & scene.WRONG).any()
    stage.press_key(Qt.Key.Key_C)
    assert stage.wait_for(lambda: play.page.says.text() == "No mistakes found.")


def test_a_moment_of_the_game_can_be_shown(stage: PlayStage) -> None:
    rest(stage.window, 0.5)
    stage.settle()
    assert 0 < len(stage.game.lines) < len(stage.loop) and set(stage.game.lines) < set(stage.loop)
    assert stage.scene.hint.isVisible() and stage.play.page.says.text().endswith(".")
    rest(stage.window, 1.0)
    stage.settle()
    assert stage.play.games.is_solved and not stage.scene.hint.isVisible()


# What is shown


def test_options_are_shown_at_once_and_kept_as_preferences(stage: PlayStage) -> None:
    play, boxes = stage.play, stage.play.boxes
    play.games.move(text_of(SMALL, dict.fromkeys(stage.loop[:12], LINE)))
    look = stage.scene.board.look
    assert scene.SATISFIED in look.clues and not (look.edges // scene.HUE).any()
    boxes["colours"].click()
    assert len(set(stage.scene.board.look.edges[stage.loop[:12]] // scene.HUE)) == 1
    boxes["greys"].click()
    assert scene.NOTHING in stage.scene.board.look.edges
    boxes["derives"].click()
    assert scene.DERIVED in stage.scene.board.look.edges and not stage.game.crosses, "they are no moves"
    boxes["shades"].click()
    assert {INSIDE, OUTSIDE} & set(stage.scene.board.look.cells.tolist()) and not any(stage.game.shades)
    boxes["marks_clues"].click()
    assert not stage.scene.board.look.clues.any()
    kept = {name: stage.preferences.switch(f"slitherlink/{name}", not box.isChecked()) for name, box in boxes.items()}
    assert kept == {name: box.isChecked() for name, box in boxes.items()}


def test_hints_go_on_from_crosses_that_are_shown_by_themselves(stage: PlayStage) -> None:
    play, net = stage.play, SMALL.parameters.net
    QTest.mouseClick(play.boxes["derives"], LEFT)
    assert play.boxes["derives"].isChecked() and play.view.hasFocus(), "the keys still act on the board"
    play.games.move(text_of(SMALL, dict.fromkeys(stage.loop[:6], LINE)))
    seen = np.flatnonzero(ruled_out(SMALL, stage.game)).tolist()
    assert seen
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: play.games.offered is not None)
    stage.press_key(Qt.Key.Key_H)
    assert not set(stage.game.crosses) & set(seen)
    one, other, dot = next(
        (one, other, dot)
        for one, other in pairwise(stage.loop[6:])
        for dot in net.ends[one]
        if dot in net.ends[other] and len(net.stars[dot]) > 2 and not stage.game.edges[other]
    )
    off = next(edge for edge in net.stars[dot] if edge not in (one, other))
    play.games.move(text_of(SMALL, {one: LINE, off: LINE}))
    assert ruled_out(SMALL, stage.game)[other]
    stage.press_key(Qt.Key.Key_H)
    assert stage.wait_for(lambda: play.page.says.text() == "1 line is wrong (marked)."), "and no cross that follows"


def test_a_clue_that_cannot_be_satisfied_any_more_is_marked(stage: PlayStage) -> None:
    cell, count = next((cell, count) for cell, count in SMALL.clues.items() if count in (1, 2))
    stage.play.games.move(text_of(SMALL, dict.fromkeys(SMALL.parameters.net.edges[cell][: count + 1], LINE)))
    assert stage.scene.board.look.clues[[*SMALL.clues].index(cell)] == scene.CONTRADICTED


def test_lines_keep_their_colour_when_they_grow_and_the_longer_one_gives_it_when_two_join() -> None:
    hues = scene.Hues()
    first = hues.follow([[1, 2], [7]])
    assert first[1] == first[2] != first[7]
    assert hues.follow([[0, 1, 2], [7]]) == first | {0: first[1]}
    assert set(hues.follow([[0, 1, 2, 5, 7]]).values()) == {first[1]}


def test_two_shades_are_told_apart_by_anybody(qapp: QApplication) -> None:
    for theme in (light_theme(), dark_theme()):
        inside, outside = theme.pieces[:2]
        assert inside.red() - inside.blue() > 25 and outside.blue() - outside.red() > 25, "amber and blue"


@pytest.mark.thorough
@pytest.mark.parametrize(("grid", "size"), [("square", 60), ("hexagon", 40), ("square", 3), ("triangle", 12)])
def test_a_move_paints_only_what_is_around_it(qapp: QApplication, tmp_path: Path, grid: str, size: int) -> None:
    design = SlitherlinkDesign(
        SlitherlinkParameters(grid=grid, columns=size, rows=size, difficulty="fewest"),
        tuple("." * size if row else "#" + "." * (size - 1) for row in range(size)),
        ("#" * size,) * size,
    )
    stage = PlayStage(tmp_path, design)
    board = stage.scene.board
    assert board.painted >= len(board.ends), "all is painted at first"
    stage.play.tool.take(replace(stage.play.hand, by_keys=False))
    stage.settle()
    edge = len(board.ends) // 2
    before = board.painted
    stage.play.games.move(text_of(design, {edge: LINE}))
    stage.settle()
    assert 0 < board.painted - before < 120
    before = board.painted
    stage.hover(stage.on_edge(edge - 1))
    assert board.painted - before < 120
    stage.close()


def test_another_design_goes_on_with_what_was_drawn(stage: PlayStage) -> None:
    stage.stroke([0, 1, 2])
    stage.document.edit("Give a clue", SMALL.with_given({24: True, 23: True, 25: True}))
    stage.window.pipeline.finish()
    stage.settle()
    assert len(stage.game.lines) == 2 and (stage.scene.board.look.edges & scene.FORM == scene.DRAWN).sum() == 2
    assert stage.scene.design == stage.document.design


def test_lines_stand_out_in_both_themes(stage: PlayStage) -> None:
    stage.play.games.move(text_of(SMALL, dict.fromkeys(stage.loop[:9], LINE)))
    stage.play.tool.take(replace(stage.play.hand, by_keys=False))
    seen = []
    for choice in (ThemeChoice.LIGHT, ThemeChoice.DARK):
        stage.window.choose_theme(choice)
        stage.settle()
        seen.append(stage.play.view.grab().toImage().pixelColor(stage.on_edge(stage.loop[3])).lightness())
    assert seen[0] < 60 and seen[1] > 200
