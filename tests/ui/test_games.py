"""Games in a window: the clock, games on disk, and a kind without a board of its own, by real mouse and key events."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton

from studio.files import store
from studio.puzzles import registry
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.calendar.edits import with_colour
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.questions import date_cells
from studio.puzzles.registry import Listed
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.ui.panels.game_page import TypedExtension
from studio.ui.session.dialogs import Unsaved
from studio.ui.session.games import Games
from studio.ui.session.jobs import Jobs
from tests.puzzles.latin import LATIN, LatinDesign, LatinParameters
from tests.ui.stage import KindStage
from tests.ui.test_calendar_view import CONTROL, LEFT, CalendarStage, game_of_october

DESIGN = CalendarDesign()
SIXTH, SEVENTH = (tuple(date_cells(DESIGN, date)) for date in ("10-06", "10-07"))


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[CalendarStage]:
    """The game of 6 October in sight."""
    made = game_of_october(tmp_path)
    made.answers.save = made.answers.open = tmp_path / "mine.game"
    yield made
    made.close()


# The clock


class Watch:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def games(qapp: QApplication, watch: Watch) -> Iterator[Games]:
    """The game of 6 October, in sight."""
    jobs = Jobs()
    made = Games(CALENDAR.need(Playable), DESIGN, jobs, now=watch)
    made.choose(SIXTH)
    made.watch(watches=True)
    yield made
    made.watch(watches=False)
    jobs.close()


def test_the_clock_runs_from_the_first_move_while_the_game_is_in_sight(games: Games, watch: Watch) -> None:
    watch.time += 50
    assert games.seconds == 0
    games.move("O 0 A4")
    watch.time += 7
    assert games.seconds == 7
    games.watch(watches=False)
    watch.time += 1000
    assert games.seconds == 7
    games.watch(watches=True)
    watch.time += 3
    games.go_back(1)
    watch.time += 1
    assert games.seconds == games.record.seconds == 11, "it runs on when moves are taken back"
    games.move("V 0 A3")
    games.restart()
    watch.time += 20
    assert games.seconds == 0, "who starts again is timed again"
    games.move("V 0 A3")
    watch.time += 2
    assert games.seconds == 2


def test_every_target_has_its_own_time_and_a_saved_game_brings_it_along(games: Games, watch: Watch) -> None:
    games.move("O 0 A4")
    watch.time += 5
    games.choose(SEVENTH)
    watch.time += 60
    assert games.seconds == 0
    games.choose(SIXTH)
    watch.time += 1
    kept = games.record
    assert kept.seconds == 6
    games.open(games.played.begun(DESIGN, SIXTH))
    assert games.seconds == 0
    games.open(kept)
    watch.time += 4
    assert games.seconds == 10


def test_the_clock_stops_when_the_puzzle_is_solved_and_never_runs_backwards(games: Games, watch: Watch) -> None:
    while not games.is_solved:
        watch.time += 1
        games.ask_hint()
        games._hints.finish()
    assert games.log.hints == 8 and games.seconds == 7
    watch.time += 99
    assert games.seconds == 7
    games.go_back(1)
    watch.time += 1
    assert games.seconds == 8


@pytest.mark.thorough
def test_the_page_shows_the_time_calmly_and_rests_in_another_view(stage: CalendarStage) -> None:
    clock = stage.play.page.clock
    assert not clock.isVisible()
    stage.drag(stage.square(stage.piece("O"), 0, 0), stage.at(4.5, 0.5))
    assert clock.isVisible() and clock.text() in ("0:00", "0:01")
    assert stage.wait_for(lambda: clock.text() == "0:01", 5.0)
    games = stage.play.games
    ways: list[tuple[Callable[[], object], Callable[[], object]]] = [
        (partial(stage.window.show_view, "board"), partial(stage.window.show_view, "play")),
        (partial(stage.window.setVisible, False), partial(stage.window.setVisible, True)),
    ]
    for hide, show in ways:
        hide()
        stage.settle()
        before = games.seconds
        QTest.qWait(300)
        assert games.seconds == before
        show()
        stage.settle()
        QTest.qWait(50)
        assert games.seconds > before


# Games on disk


def test_a_game_is_saved_and_opened_with_its_date_and_all_its_moves(stage: CalendarStage) -> None:
    o, v = stage.piece("O"), stage.piece("V")
    stage.drag(stage.square(o, 0, 0), stage.at(3.5, 0.5))
    stage.drag(stage.square(v, 2, 0), stage.at(5.5, 4.5))
    stage.key(Qt.Key.Key_Z, CONTROL)
    stage.window.actions_["save_game"].trigger()
    assert stage.posted() == "Saved mine.game: 1 move."
    lay, path = dict(stage.play.game.placed), stage.answers.save
    assert path is not None and len(json.loads(path.read_text("utf-8"))["moves"]) == 2
    stage.key(Qt.Key.Key_Backspace, CONTROL)
    stage.choose("day", "7", stage.play.date_bar.boxes["day"])
    stage.window.show_view("board")
    stage.window.actions_["open_game"].trigger()
    stage.settle()
    assert stage.play.isVisible() and stage.extension.date.date_text == "6 Oct"
    assert dict(stage.play.game.placed) == lay and stage.play.page.tally.text() == "1 of 8 pieces placed · 1 move"
    stage.key(Qt.Key.Key_Y, CONTROL)
    assert set(stage.play.game.placed) == {o, v}, "what was taken back can be made again"
    assert stage.document.history.count() == 0


def test_a_game_does_not_replace_a_design(stage: CalendarStage, tmp_path: Path) -> None:
    stage.drag(stage.square(stage.piece("O"), 0, 0), stage.at(3.5, 0.5))
    stage.answers.save = path = tmp_path / "mine.puzzle"
    path.write_bytes(stage.bytes)
    stage.window.actions_["save_game"].trigger()
    assert stage.posted() == "mine.puzzle is a design or a saved game. Choose another name."
    assert path.read_bytes() == stage.bytes


def test_the_game_before_comes_back_after_another_was_opened(stage: CalendarStage) -> None:
    o, v = stage.piece("O"), stage.piece("V")
    stage.drag(stage.square(o, 0, 0), stage.at(3.5, 0.5))
    stage.window.actions_["save_game"].trigger()
    stage.drag(stage.square(v, 2, 0), stage.at(5.5, 4.5))
    stage.window.actions_["open_game"].trigger()
    stage.settle()
    assert set(stage.play.game.placed) == {o} and stage.posted() == "Opened mine.game: 1 move."
    buttons = {button.text(): button for button in stage.window.notices.findChildren(QPushButton)}
    QTest.mouseClick(buttons["Return to the previous game"], LEFT)
    stage.settle()
    assert set(stage.play.game.placed) == {o, v}


def test_a_file_that_is_no_game_of_this_puzzle_is_refused_and_nothing_lost(stage: CalendarStage) -> None:
    o, path = stage.piece("O"), stage.answers.save
    assert path is not None
    stage.drag(stage.square(o, 0, 0), stage.at(3.5, 0.5))
    stage.window.actions_["save_game"].trigger()
    good = json.loads(path.read_text("utf-8"))
    for member, value, sentence in (
        ("design", "0", "it is a game of another design."),
        ("moves", ["O 0 A4", "O 0 A4"], "Move 2 ('O 0 A4') is not possible: Piece O is already there."),
        ("at", 2, "game.at must be 0 to 1, not 2."),
    ):
        path.write_text(json.dumps(good | {member: value}), encoding="utf-8")
        before = stage.play.games.record
        stage.window.actions_["open_game"].trigger()
        assert stage.posted() == f"Cannot open mine.game: {sentence}"
        after = stage.play.games.record
        assert after.states is before.states and after.moves is before.moves and after.target == before.target
    path.unlink()
    path.mkdir()
    stage.window.actions_["save_game"].trigger()
    assert stage.posted() == "Could not write mine.game: it is a folder."


def test_a_game_outlives_other_colours_and_is_carried_into_another_design(stage: CalendarStage) -> None:
    o, v = stage.piece("O"), stage.piece("V")
    stage.drag(stage.square(o, 0, 0), stage.at(3.5, 0.5))
    stage.drag(stage.square(v, 2, 0), stage.at(5.5, 4.5))
    moves = stage.play.games.log.moves
    stage.document.edit("Colour", with_colour(stage.document.design, "O", 11))
    stage.settle()
    assert stage.play.games.log.moves == moves and set(stage.play.game.placed) == {o, v}
    pieces = tuple(piece for piece in DESIGN.set if piece.name != "V")
    stage.document.edit("Without V", CalendarDesign(pieces=pieces))
    stage.settle()
    assert stage.play.games.log.moves == (next(text for text in moves if text.startswith("O ")),)
    stage.key(Qt.Key.Key_Z)
    assert not stage.play.game.placed
    stage.document.history.undo()
    stage.settle()
    assert stage.play.games.log.moves == moves and set(stage.play.game.placed) == {o, v}, "nothing is lost by an edit"


# Before a game is lost


def lay_one(stage: CalendarStage) -> int:
    o = stage.piece("O")
    stage.drag(stage.square(o, 0, 0), stage.at(3.5, 0.5))
    return o


def test_a_window_with_moves_that_are_not_saved_asks_before_it_closes(stage: CalendarStage) -> None:
    o = lay_one(stage)
    assert not stage.window.close() and stage.answers.asked_of_games == 1
    assert stage.window.isVisible() and set(stage.play.game.placed) == {o} and stage.answers.asked == 0
    stage.answers.on_unsaved_game = Unsaved.SAVE
    assert stage.window.close()
    path = stage.answers.save
    assert path is not None and json.loads(path.read_text("utf-8"))["moves"] == ["O 0 A4"]


def test_a_game_whose_file_is_not_chosen_or_cannot_be_written_keeps_the_window_open(stage: CalendarStage) -> None:
    lay_one(stage)
    path = stage.answers.save
    assert path is not None
    stage.answers.on_unsaved_game = Unsaved.SAVE
    stage.answers.save = None
    assert not stage.window.close() and stage.window.isVisible()
    path.mkdir()
    stage.answers.save = path
    assert not stage.window.close() and stage.posted() == "Could not write mine.game: it is a folder."
    stage.answers.on_unsaved_game = Unsaved.DISCARD
    assert stage.window.close() and stage.answers.asked_of_games == 3


def test_nothing_is_asked_of_a_game_that_is_saved_or_has_no_moves(stage: CalendarStage) -> None:
    games, asked = stage.play.games, stage.answers
    assert games.unsaved == []
    lay_one(stage)
    stage.window.actions_["save_game"].trigger()
    assert games.unsaved == []
    games.move("O 0 B4")
    assert games.unsaved == [games.target]
    stage.window.actions_["open_game"].trigger()
    assert games.unsaved == [], "what was opened is saved"
    games.go_back(1)
    assert games.unsaved == [], "an empty board can be had again"
    games.go_back(-1)
    games.restart()
    assert games.unsaved == [] and stage.window.close() and asked.asked_of_games == 0


def test_the_game_before_is_asked_about_when_it_is_back(stage: CalendarStage) -> None:
    lay_one(stage)
    stage.window.actions_["save_game"].trigger()
    stage.play.games.move("O 0 B4")
    stage.window.actions_["open_game"].trigger()
    stage.play.games.reopen()
    assert stage.play.games.unsaved == [stage.play.games.target]


def test_every_date_with_moves_is_asked_about_and_shown(stage: CalendarStage) -> None:
    games = stage.play.games
    lay_one(stage)
    stage.choose("day", "7", stage.play.date_bar.boxes["day"])
    games.move("O 0 B4")
    seen: list[str] = []

    def answer() -> Unsaved:
        seen.append(stage.extension.date.date_text)
        return Unsaved.DISCARD

    stage.answers.at_unsaved_game = answer
    assert stage.window.close() and seen == ["7 Oct", "6 Oct"]


def test_another_design_does_not_take_the_place_of_a_game(stage: CalendarStage, tmp_path: Path) -> None:
    opened: list[Path] = []
    stage.window.filing.opened.connect(lambda found, path, is_saved: opened.append(path))
    path = tmp_path / "other.puzzle"
    store.save(path, stage.document.kind, stage.document.design)
    assert stage.window.filing.is_untouched
    lay_one(stage)
    assert not stage.window.filing.is_untouched and stage.window.filing.open(path)
    assert opened == [path] and stage.document.path is None and stage.answers.asked_of_games == 0


def test_a_design_is_asked_about_before_its_game(stage: CalendarStage) -> None:
    lay_one(stage)
    stage.document.edit("Colour", with_colour(stage.document.design, "O", 11))
    assert not stage.window.close()
    assert (stage.answers.asked, stage.answers.asked_of_games) == (1, 0), "who cancels is asked nothing more"
    stage.answers.on_unsaved = Unsaved.DISCARD
    assert not stage.window.close()
    assert (stage.answers.asked, stage.answers.asked_of_games) == (2, 1)


# A kind without a board of its own


@pytest.fixture
def square(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[KindStage]:
    """A square of three rows with six empty cells."""
    monkeypatch.setitem(registry.KINDS, "latin", Listed(LATIN.title, "tests.puzzles.latin:LATIN", LATIN.summary))
    made = KindStage(tmp_path, LATIN, LatinDesign(LatinParameters(size=3, clues=3)))
    yield made
    made.close()


def typed(stage: KindStage) -> Any:
    """The page on which moves are typed."""
    extension = stage.window.extension
    assert isinstance(extension, TypedExtension)
    return extension.page


def test_moves_are_typed_taken_back_and_refused_in_a_sentence(square: KindStage) -> None:
    page = typed(square)
    games, line = square.window.session.games, page.focusProxy().line
    assert games is not None
    cell = next(name for name, letter in games.game.cells if not letter)
    QTest.mouseClick(line, LEFT)
    QTest.keyClicks(line, f"{cell} A")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert games.log.moves == (f"{cell} A",) and line.text() == "" and page.says.text() == ""
    assert page.tally.text() == "4 of 9 cells filled · 1 move" == square.window.status.selected.text()
    QTest.keyClicks(line, f"{cell} Q")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert page.says.text() == "A cell takes a letter of the square or -, not 'Q'." and line.text() == f"{cell} Q"
    line.clear()
    QTest.keyClick(line, Qt.Key.Key_Z, CONTROL)
    assert games.log.at == 0 and square.document.history.count() == 0
    QTest.keyClick(line, Qt.Key.Key_Z, CONTROL)
    assert page.says.text() == "Nothing to undo."
    QTest.keyClick(line, Qt.Key.Key_Y, CONTROL)
    assert games.log.at == 1


def test_hints_and_buttons_play_it_to_its_end(square: KindStage) -> None:
    page = typed(square)
    games = square.window.session.games
    assert games is not None
    buttons = {button.toolTip(): button for button in page.findChildren(QToolButton)}
    assert list(buttons) == ["Hint (H)", "Undo move (Z)", "Start over (Ctrl+Backspace)"]
    for count in range(1, 7):
        QTest.mouseClick(buttons["Hint (H)"], LEFT)
        assert square.wait_for(lambda count=count: games.log.at == count)  # type: ignore[misc]
    assert page.says.text() == "Solved." and page.tally.text() == "9 of 9 cells filled · 6 moves · 6 hints"
    QTest.mouseClick(buttons["Start over (Ctrl+Backspace)"], LEFT)
    assert games.log.count == 0 and page.says.text() == ""
    QTest.mouseClick(buttons["Undo move (Z)"], LEFT)
    assert games.is_solved and page.focusProxy().sketch.text() == LATIN.need(Playable).sketch(games.design, games.game)
    for name in ("hint", "take_back", "start_again", "open_game", "save_game"):
        assert square.window.actions_[name].isEnabled()


def test_another_square_is_another_game(square: KindStage) -> None:
    games = square.window.session.games
    assert games is not None
    games.ask_hint()
    assert square.wait_for(lambda: games.log.at == 1)
    square.document.edit("Seed", LatinDesign(LatinParameters(size=3, clues=3, seed=9)))
    square.settle()
    assert games.log.moves == () and typed(square).tally.text() == "3 of 9 cells filled · 0 moves"


def test_a_hint_that_waits_is_made_when_it_is_asked_for_again(qapp: QApplication) -> None:
    design = SLITHERLINK.example()
    jobs = Jobs()
    games = Games(SLITHERLINK.need(Playable), design, jobs)
    games.ask_hint()
    games._hints.finish()
    offered = games.offered
    assert offered is not None and games.said == offered.words and games.log.count == 0
    assert games.log.hints == 1
    games.ask_hint()
    assert games.log.moves == (offered.move,) and games.offered is None and games.log.hints == 1
    games.ask_hint()
    games._hints.finish()
    games.go_back(1)
    assert games.offered is None, "it was about another position"
    jobs.close()
