"""The command `play`: whether moves solve a puzzle, games on disk, and what is no move."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from studio.base.progress import Progress
from studio.cli import main
from studio.files import store
from studio.puzzles import registry
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, Piece
from studio.puzzles.registry import Listed
from studio.puzzles.slitherlink.game import LINE, text_of
from studio.puzzles.slitherlink.model import SlitherlinkDesign
from tests.puzzles.latin import LATIN, LatinDesign


@pytest.fixture(autouse=True)
def puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry.KINDS, "latin", Listed(LATIN.title, "tests.puzzles.latin:LATIN", LATIN.summary))
    monkeypatch.chdir(tmp_path)
    assert main(["new", "calendar", "-o", "c.puzzle"]) == 0
    assert main(["new", "cube", "-o", "cube.puzzle"]) == 0
    assert main(["new", "latin", "--set", "size=3", "--set", "clues=3", "-o", "l.puzzle"]) == 0


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a refused command says."""
    capsys.readouterr()
    assert main(["play", *words]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    return said.err.strip()


def solution(date: str) -> list[str]:
    """Moves that solve a date of the calendar, found by hints."""
    played, design = CALENDAR.need(Playable), CalendarDesign()
    assert played.targets is not None
    log = played.begun(design, played.targets.date(design, date))
    while not played.done(design, log.game):
        log = played.with_move(design, log, played.hint(design, log.game, Progress()).move)
    return list(log.moves)


def test_moves_that_solve_a_date_are_told_so_and_fewer_are_not(capsys: pytest.CaptureFixture[str]) -> None:
    moves = solution("10-06")
    capsys.readouterr()
    assert main(["play", "c.puzzle", "--date", "10-06", "--moves", "; ".join(moves)]) == 0
    said = capsys.readouterr().out
    assert said.endswith("Solved after 8 moves: 8 of 8 pieces placed.\n") and len(said.splitlines()) == 8
    assert main(["play", "c.puzzle", "--open", "Oct,6", "--moves", ";".join(moves[:-1]), "--json"]) == 1
    value = json.loads(capsys.readouterr().out)
    assert value.pop("moves") == moves[:-1]
    target = ["D2", "F3"]
    assert value == {"solved": False, "tally": "7 of 8 pieces placed", "target": target, "hints": 0, "seconds": 0.0}


def test_a_game_is_saved_continued_and_saved_again(capsys: pytest.CaptureFixture[str]) -> None:
    moves = solution("10-06")
    assert main(["play", "c.puzzle", "--date", "10-06", "--moves", ";".join(moves[:3]), "-o", "a.game"]) == 1
    assert main(["play", "c.puzzle", "--game", "a.game", "--moves", ";".join(moves[3:]), "-o", "b.game"]) == 0
    capsys.readouterr()
    assert main(["play", "c.puzzle", "--game", "b.game", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == moves
    saved = json.loads(Path("b.game").read_text("utf-8"))
    saved["at"] = 2
    Path("b.game").write_text(json.dumps(saved), encoding="utf-8")
    assert main(["play", "c.puzzle", "--game", "b.game", "--moves", "restart", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["moves"] == [*moves[:2], "restart"], "what was taken back is dropped"


def test_a_move_that_is_none_is_named_and_no_file_written(capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "c.puzzle", "--date", "10-06", "--moves", "O 0 A4; V 0 A4; L off", "-o", "a.game")
    assert said == "Move 2 ('V 0 A4') is not possible: Piece V cannot go to A4: piece O is in the way."
    assert not Path("a.game").exists()
    assert main(["play", "c.puzzle", "--date", "10-06", "--moves", "O 0 A4", "-o", "a.game"]) == 1
    before = Path("a.game").read_bytes()
    said = refused(capsys, "c.puzzle", "--game", "a.game", "--moves", "O 0 A4", "-o", "a.game")
    assert said == "Move 2 ('O 0 A4') is not possible: Piece O is already there."
    assert Path("a.game").read_bytes() == before


def test_what_is_to_be_solved_must_be_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert refused(capsys, "c.puzzle").startswith("Choose a date: --date 10-06, or --open")
    assert "02-30 does not exist" in refused(capsys, "c.puzzle", "--date", "02-30")
    assert "not allowed with" in refused(capsys, "c.puzzle", "--date", "10-06", "--open", "Oct,6")
    assert refused(capsys, "l.puzzle", "--date", "10-06") == "A latin has no dates: omit --date and --open."
    main(["play", "c.puzzle", "--date", "10-06", "-o", "a.game"])
    said = refused(capsys, "c.puzzle", "--game", "a.game", "--date", "10-07")
    assert said == "A saved game already has its date: omit --date and --open."


def test_a_game_of_another_puzzle_and_a_kind_that_is_not_played_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    main(["play", "c.puzzle", "--date", "10-06", "-o", "a.game"])
    assert main(["edit", "c.puzzle", "--set", "reflections=no"]) == 0
    assert refused(capsys, "c.puzzle", "--game", "a.game") == "Cannot open a.game: it is a game of another design."
    assert refused(capsys, "l.puzzle", "--game", "a.game").endswith("it is a calendar game, not a latin game.")
    assert refused(capsys, "cube.puzzle") == "There is no on-screen game for cube puzzles."
    assert "there is no such file" in refused(capsys, "c.puzzle", "--game", "none.game")


def test_a_kind_without_dates_is_played_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    played, design = LATIN.need(Playable), store.load(Path("l.puzzle")).design
    assert isinstance(design, LatinDesign)
    log = played.begun(design)
    while not played.done(design, log.game):
        log = played.with_move(design, log, played.hint(design, log.game, Progress()).move)
    assert main(["play", "l.puzzle", "--moves", ";".join(log.moves)]) == 0
    assert capsys.readouterr().out.endswith("Solved after 6 moves: 9 of 9 cells filled.\n")


def test_a_semicolon_of_a_move_is_written_twice(capsys: pytest.CaptureFixture[str]) -> None:
    design = CalendarDesign()
    pieces = tuple(Piece("a;b;", each.rows) if each.name == "O" else each for each in design.set)
    store.save(Path("s.puzzle"), CALENDAR, CalendarDesign(pieces=pieces))
    assert main(["play", "s.puzzle", "--date", "10-06", "--moves", " a;;b;; 0 A4;; a;;b;; off ;", "--json"]) == 2
    assert main(["play", "s.puzzle", "--date", "10-06", "--moves", " a;;b;; 0 A4; a;;b;; off ;", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["moves"] == ["a;b; 0 A4", "a;b; off"]


def test_a_zigzaw_is_played_by_numbers_and_places(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "zigzaw", "--set", "columns=4", "--set", "rows=4", "-o", "z.puzzle"]) == 0
    capsys.readouterr()
    assert main(["play", "z.puzzle", "--moves", "7 C4; 3 D4; 7 D4; 12 C4"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[3].split() == [".", ".", "12", "7"], "7 and 3 changed places, then 12 sent 3 back to the tray"
    assert said[-1] == "Not solved after 4 moves: 2 of 16 pieces placed."
    assert refused(capsys, "z.puzzle", "--date", "10-06").endswith("omit --date and --open.")


def test_a_slitherlink_is_played_by_lines_crosses_and_trials(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "slitherlink", "--set", "columns=5", "--set", "rows=4", "-o", "s.puzzle"]) == 0
    capsys.readouterr()
    assert main(["play", "s.puzzle", "--moves", "line 0,0-1,0 1,0-2,0; cross 0,0-0,1; try; inside A2; keep"]) == 1
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith("+---+---+   +") and said[1].startswith("x")
    assert said[-1].startswith("Not solved after 5 moves: ") and said[-1].endswith("clues satisfied.")
    assert refused(capsys, "s.puzzle", "--moves", "line 0,0-1,1").endswith("The grid has no edge '0,0-1,1'.")
    design = store.load(Path("s.puzzle")).design
    assert isinstance(design, SlitherlinkDesign)
    whole = text_of(design, dict.fromkeys(design.line, LINE))
    assert main(["play", "s.puzzle", "--moves", whole, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["moves"] == [whole]
