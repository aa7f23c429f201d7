"""Unsaved work on the start page: every row can be told from the others, and games come back with their designs."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FrameType

import pytest
from PySide6.QtCore import QDateTime, QLocale
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.files import store
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.registry import kind
from studio.ui.session.document import Document
from studio.ui.session.recovery import Recovery, left_behind
from studio.ui.shell import app as shell
from studio.ui.shell.start import StartPage
from studio.ui.shell.unsaved_work import ago, changes, date_and_time, details, title
from studio.ui.shell.window import Window
from tests.ui.test_open_tabs import Studio, jigsaw, small, wait_for


@pytest.fixture
def studio(qapp: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr("studio.ui.shell.start.LATER_MS", 10_000_000)
    monkeypatch.setattr(shell, "SOON_MS", 10_000_000)
    made = Studio(tmp_path)
    yield made
    made.close()


def page_of(studio: Studio) -> StartPage:
    studio.shell.show_start()
    QTest.qWait(1)
    assert studio.house.page is not None
    return studio.house.page


def press(page: StartPage, words: str, which: int = 0) -> None:
    buttons = [one for one in page.recovered.findChildren(QPushButton) if one.text() == words and one.isVisible()]
    buttons[which].click()
    QTest.qWait(1)


def play(window: Window, moves: int) -> tuple[str, ...]:
    """Play as hints say."""
    games, design = window.session.need_games(), window.document.design
    played = window.document.kind.need(Playable)
    made: list[str] = []
    while len(made) < moves:
        made.append(played.hint(design, games.game, SILENT).move)
        games.move(made[-1])
    return tuple(made)


def crash(studio: Studio) -> None:
    """End without saving, as a power cut would: the copies are left behind."""
    for window in list(studio.desk.windows):
        recovery = studio.desk._kept[window][1]
        if recovery._timer.isActive():
            recovery.write()
        recovery.let_go()
        recovery._path = recovery._path.with_name("closed")
        window.document.history.setClean()
        if window.session.games is not None:
            window.session.games._logs.clear()
        assert studio.desk.close(window)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("key", ["slitherlink", "calendar"])
def test_a_game_in_an_untouched_design_comes_back_after_a_crash(studio: Studio, key: str) -> None:
    one = kind(key)
    window = studio.add(one, small(one))
    window.document.history.clear()
    moves = play(window, 3)
    assert not window.document.is_modified
    crash(studio)
    (copy,) = left_behind(studio.copies)
    assert (copy.moves, copy.edits, copy.is_modified) == (3, 0, False) and changes(copy) == "A game of 3 moves"
    press(page_of(studio), "Restore")
    window = studio.desk.window
    assert window.session.need_games().log.moves == moves
    assert not window.document.is_modified and window.filing.would_lose, "a game that is not saved is asked about"
    assert window.middle.seen.name == "play"
    assert [other.path for other in left_behind(studio.copies)] == [] and len(list(studio.copies.glob("*.games"))) == 1
    window.session.need_games().go_back(3)
    assert list(studio.copies.iterdir()) == [], "without a move nothing is kept"


@pytest.mark.thorough
def test_a_game_of_many_moves_comes_back_off_the_gui_thread(studio: Studio) -> None:
    """Every move is made again, which takes seconds for a long game of a large board."""
    window = studio.add(JIGSAW, jigsaw(1))
    window.document.history.clear()
    games, moves = window.session.need_games(), [f"A1 {20 + at % 50} 20" for at in range(3_000)]
    games.catch_up()
    games.restore([games.played.with_moves(games.design, games.log, moves)])
    games.moved.emit()
    crash(studio)
    made_here = 0

    def count(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal made_here
        made_here += event == "call" and frame.f_code is Playable._after.__code__

    page = page_of(studio)
    sys.setprofile(count)
    try:
        press(page, "Restore")
        assert wait_for(lambda: bool(studio.desk.windows))
    finally:
        sys.setprofile(None)
    games = studio.desk.window.session.need_games()
    assert games.log.moves == tuple(moves) and made_here < 1_500
    assert left_behind(studio.copies) == []
    games.go_back(len(moves))


def test_rows_of_two_copies_tell_size_edits_and_time_and_all_are_restored_at_once(studio: Studio) -> None:
    first = studio.add(JIGSAW, jigsaw(1))
    first.document.history.clear()
    first.document.saved_as(studio.folder / "boat.puzzle")
    for seed in (2, 3, 4):
        first.document.edit("Change seed", jigsaw(seed))
    second = studio.add(JIGSAW, replace(jigsaw(1), parameters=replace(jigsaw(1).parameters, columns=5)))
    second.document.edit("Change columns", jigsaw(9))
    crash(studio)
    found = {copy.file is None: copy for copy in left_behind(studio.copies)}
    os.utime(found[True].path, (time.time() - 7200,) * 2)
    assert title(found[False]) == "boat.puzzle" and title(found[True]) == "Untitled jigsaw"
    assert details(found[False]) == "Jigsaw · 60.0 × 40.0 mm, 6 pieces"
    assert changes(found[False]) == "3 edits since the last save, the last: Change seed"
    page = page_of(studio)
    rows = [" ".join(label.text() for label in row.findChildren(QLabel)) for row in page.copies.values()]
    assert len({*rows}) == 2 and "just now" in rows[0] and "2 hours ago" in rows[1]
    killed = studio.folder / ".boat.puzzle-studio-0123abcd.puzzle"
    killed.write_bytes(b"half")
    press(page, "Restore all")
    assert not killed.exists(), "a save that was killed is swept away"
    assert [window.document.title for window in studio.desk.windows] == ["boat", "Untitled jigsaw"]
    assert [window.document.design.parameters.seed for window in studio.desk.windows] == [4, 9]
    assert all(window.document.is_modified for window in studio.desk.windows) and left_behind(studio.copies) == []
    restored = studio.desk.windows[0]
    restored.document.edit("Change seed", jigsaw(5))
    crash(studio)
    edits = {copy.edits for copy in left_behind(studio.copies) if copy.file is not None}
    assert edits == {4}, "edits before the crash count on"


def test_a_discarded_game_is_brought_back_whole(studio: Studio) -> None:
    one = kind("slitherlink")
    window = studio.add(one, small(one))
    window.document.history.clear()
    moves = play(window, 2)
    crash(studio)
    page = page_of(studio)
    press(page, "Discard")
    assert list(studio.copies.iterdir()) == [] and not page.copies
    notice = page.notices.notice()
    assert notice is not None and notice.action is not None
    notice.action.do()
    (copy,) = left_behind(studio.copies)
    saved = store.load(copy.path)
    assert [log.moves for log in copy.games(one, saved.design)] == [moves]


def test_a_damaged_game_is_told_and_neither_its_design_nor_its_copy_is_lost(studio: Studio) -> None:
    one = kind("slitherlink")
    window = studio.add(one, small(one))
    play(window, 2)
    crash(studio)
    (copy,) = left_behind(studio.copies)
    copy.path.with_suffix(".games").write_text("[1]")
    press(page_of(studio), "Restore")
    notice = studio.desk.window.notices.notice()
    assert notice is not None and notice.sentence.startswith("The unsaved game could not be restored: ")
    assert studio.desk.window.document.design == store.load(copy.path).design
    assert [other.path for other in left_behind(studio.copies)] == [copy.path]


def test_a_copy_without_a_note_is_still_work(qapp: object, tmp_path: Path) -> None:
    document = Document(JIGSAW, jigsaw(1))
    recovery = Recovery(document, tmp_path)
    document.edit("Seed", jigsaw(2))
    path = recovery.write()
    assert path is not None
    recovery.let_go()
    path.with_suffix(".json").unlink()
    (copy,) = left_behind(tmp_path)
    assert copy.is_modified and (title(copy), details(copy), changes(copy)) == ("Untitled puzzle", "", "")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("C", "2026-11-28 23:34"), ("en_GB", "28/11/2026 23:34"), ("de_DE", "28.11.2026 23:34"),
        ("ja_JP", "2026/11/28 23:34"), ("en_US", "11/28/2026 11:34\u202fPM"),
    ],
)  # fmt: skip
def test_dates_are_written_as_the_system_writes_them_and_else_as_iso_does(language: str, words: str) -> None:
    moment = QDateTime.fromString("2026-11-28 23:34", "yyyy-MM-dd HH:mm").toSecsSinceEpoch()
    locale = QLocale.c() if language == "C" else QLocale(language)
    assert date_and_time(moment, locale).replace(" PM", "\u202fPM") == words


def test_how_long_ago_is_said_in_the_largest_whole_unit_for_two_weeks() -> None:
    told = [ago(0.0, seconds) for seconds in (0, 59, 60, 3599, 3600, 86_399, 86_400, 13 * 86_400, 14 * 86_400, -5)]
    assert told == ["just now", "just now", "1 minute ago", "59 minutes ago", "1 hour ago", "23 hours ago",
                    "1 day ago", "13 days ago", "", ""]  # fmt: skip


def test_why_there_is_no_copy_is_said(qapp: object, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    document, told = Document(JIGSAW, jigsaw(1)), list[str]()
    recovery = Recovery(document, tmp_path / "file" / "state")
    recovery.failed.connect(told.append)
    document.edit("Seed", jigsaw(2))
    assert recovery.write() is None and recovery.write() is None
    assert len(told) == 1 and told[0].endswith("state cannot be written to. Save often.")
    full = StudioError("Could not write it: the disk is full.")
    full.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    assert "no room is left in" in recovery._why_not(full)
