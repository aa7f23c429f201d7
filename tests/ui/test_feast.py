"""A light passes over the board when a move solves it, in every kind; hints that are asked for quickly all count."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyle

from studio.base.progress import SILENT
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.registry import KINDS, kind
from studio.ui.session.games import VIEW
from studio.ui.widgets.theme import StudioStyle
from tests.ui.stage import GameStage
from tests.ui.test_jigsaw_play import SMALL as JIGSAW_SMALL
from tests.ui.test_slitherlink_play import SMALL as SLITHERLINK_SMALL
from tests.ui.test_zigzaw_play import SMALL as ZIGZAW_SMALL

SMALL: dict[str, Any] = {
    "jigsaw": JIGSAW_SMALL, "slitherlink": SLITHERLINK_SMALL, "zigzaw": ZIGZAW_SMALL, "calendar": None,
}  # fmt: skip
PLAYED = sorted(SMALL)


def solve(stage: GameStage, *, but: int = 0) -> str:
    """Play hints until `but` moves remain; returns the next move, or none."""
    games, moves = stage.play.games, list[str]()
    game = games.game
    while (move := games.played.hint(games.design, game, SILENT).move) and not games.played.done(games.design, game):
        moves.append(move)
        game = games.played.move(games.design, game, move)
    for move in moves[: len(moves) - but]:
        games.move(move)
    return moves[-but] if but else ""


@pytest.fixture(params=PLAYED)
def stage(request: pytest.FixtureRequest, qapp: QApplication, tmp_path: Path) -> Iterator[GameStage]:
    made = GameStage(tmp_path, kind(request.param), SMALL[request.param])
    yield made
    made.close()


def test_every_kind_that_is_played_is_here() -> None:
    assert sorted(name for name in KINDS if any(isinstance(one, Playable) for one in kind(name).abilities)) == PLAYED


@pytest.mark.sampled(4)
def test_the_light_passes_when_a_move_solves_it_and_at_no_other_time(stage: GameStage) -> None:
    games, feast = stage.play.games, stage.play.feast
    last = solve(stage, but=1)
    assert not games.is_solved and feast.held == 0
    games.move(last)
    assert games.is_solved and feast.held == 1 and feast.is_passing
    games.go_back(1)
    assert not feast.is_passing, "the light ends with the next move, which is made at once"
    games.go_back(-1)
    assert games.is_solved and feast.held == 1, "a redone move is no feat"
    games.open(games.record)
    assert games.is_solved and feast.held == 1, "nor is opening a solved game"
    stage.window.show_view(stage.window.extension.views[0].name)
    stage.window.show_view(VIEW)
    stage.settle()
    assert feast.held == 1 and not feast.is_passing


@pytest.mark.sampled(4)
def test_without_motion_nothing_moves_and_the_board_says_it_is_solved(stage: GameStage, qapp: QApplication) -> None:
    class Still(StudioStyle):
        def styleHint(self, hint: QStyle.StyleHint, *others: Any) -> int:
            return 0 if hint is QStyle.StyleHint.SH_Widget_Animation_Duration else super().styleHint(hint, *others)

    qapp.setStyle(Still("Fusion"))
    try:
        solve(stage)
        assert stage.play.games.is_solved and stage.play.feast.held == 0 and not stage.play.feast.is_passing
        assert "Solved" in stage.play.page.says.text()
    finally:
        qapp.setStyle(StudioStyle("Fusion"))


@pytest.mark.sampled(4)
def test_hints_that_are_asked_for_quickly_all_count(stage: GameStage) -> None:
    games = stage.play.games
    focus = QApplication.focusWidget()
    assert focus is not None
    for _ in range(4):
        QTest.keyClick(focus, Qt.Key.Key_H)
    # A hint of a slitherlink is shown first, and made when it is asked for again.
    first = games.played.hint(games.design, games.log.states[0], SILENT)
    asked = 2 if first.waits else 4
    assert stage.wait_for(lambda: games.log.hints == asked and games.log.count == asked)
    assert games._hints.question is None
