"""Games on disk: they come back as they were, and whatever is no game of the design is refused in a sentence."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from studio.base.errors import StudioError
from studio.files import store
from studio.files.store import dumps
from studio.puzzles.abilities.playable import Log, Playable
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign

MOST_MOVES = 20_000

DESIGN = CalendarDesign()
PLAYED = CALENDAR.need(Playable)


def game() -> Log[Any]:
    """The third of three moves is taken back."""
    log = PLAYED.with_moves(DESIGN, PLAYED.begun(DESIGN, ("D2", "F3")), ["O 0 A4", "V 0 D4", "V off"])
    return replace(log, at=2, hints=1, seconds=61.04)


def changed(**members: Any) -> bytes:
    return json.dumps(json.loads(store.dumps_game(CALENDAR, DESIGN, game())) | members).encode()


def test_a_game_is_text_with_a_move_a_line(tmp_path: Path) -> None:
    path = tmp_path / "october.game"
    store.save_game(path, CALENDAR, DESIGN, game())
    assert '"moves": [\n    "O 0 A4",\n    "V 0 D4",\n    "V off"\n  ],' in path.read_text("utf-8")
    back = store.load_game(path, CALENDAR, DESIGN)
    assert (back.moves, back.at, back.hints, back.seconds) == (game().moves, 2, 1, 61.0)
    assert back.game == game().game and back.states[3] == game().states[3], "what was taken back can be made again"


def test_lengths_colours_and_texts_make_no_other_game() -> None:
    data = store.dumps_game(CALENDAR, DESIGN, game())
    board = DESIGN.layout
    labels = tuple(replace(label, text="Okt") if label.text == "Oct" else label for label in board.labels)
    pieces = tuple(replace(piece, colour=9) for piece in DESIGN.set)
    other = CalendarDesign(CalendarParameters(cell=30.0), replace(board, labels=labels), pieces)
    assert store.loads_game(data, CALENDAR, other).moves == game().moves


@pytest.mark.parametrize(
    "design",
    [
        CalendarDesign(CalendarParameters(board="heart")),
        CalendarDesign(CalendarParameters(reflections=False)),
        replace(DESIGN, pieces=DESIGN.set[1:]),
        replace(DESIGN, board=replace(DESIGN.layout, labels=DESIGN.layout.labels[1:])),
    ],
)
def test_a_game_of_another_design_is_refused(design: CalendarDesign) -> None:
    with pytest.raises(StudioError, match=r"^it is a game of another design\.$"):
        store.loads_game(store.dumps_game(CALENDAR, DESIGN, game()), CALENDAR, design)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "it is empty."),
        (b"{", "the file is incomplete (ends at line 1, column 2)."),
        (b"[]", "it is not a saved game."),
        (dumps(CALENDAR, DESIGN), "it is not a saved game."),
        (changed(version=2), "it was saved by a newer version of Puzzle Studio (file version 2)."),
        (changed(version=True), "version must be 1, not true."),
        (changed(kind="cube"), "it is a cube game, not a calendar game."),
        (changed(design="0"), "it is a game of another design."),
        (changed(mood="good"), "game.mood is unknown."),
        (changed(moves="O 0 A4"), "game.moves must be a list, not 'O 0 A4'."),
        (changed(moves=[7]), "game.moves[0] must be a text, not 7."),
        (changed(at=4), "game.at must be 0 to 3, not 4."),
        (changed(at=-1), "game.at must be 0 to 3, not -1."),
        (changed(hints=-1), "game.hints must be 0 to 20000, not -1."),
        (changed(seconds=-0.5), "game.seconds must be 0 to 1e+09, not -0.5."),
        (changed(target=["D2"]), "Leave exactly one label of each group uncovered, not D2."),
        (changed(moves=["O 0 A4", "V 0 A4"]), "Move 2 ('V 0 A4') is not possible: Piece V cannot go to A4: piece O is"),
        (changed(moves=["restart"] * (MOST_MOVES + 1)), "Move 20001 ('restart') is not possible: A game is limited"),
    ],
)
def test_what_is_no_game_is_refused_in_a_sentence(data: bytes, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.game"
    path.write_bytes(data)
    with pytest.raises(StudioError, match=f"^Cannot open broken.game: {re.escape(sentence)}") as problem:
        store.load_game(path, CALENDAR, DESIGN)
    assert str(problem.value).endswith(".") and "\n" not in str(problem.value)


def test_a_game_that_is_cut_off_anywhere_or_has_a_number_without_end_is_refused() -> None:
    data = store.dumps_game(CALENDAR, DESIGN, game())
    for length in range(len(data) - 1):
        with pytest.raises(
            StudioError, match=r"^(it is empty|the file is incomplete .*|it is not a Puzzle Studio file .*)\.$"
        ):
            store.loads_game(data[:length].rstrip(), CALENDAR, DESIGN)
    with pytest.raises(StudioError, match=r"^game.seconds must be a number, not NaN\.$"):
        store.loads_game(changed(seconds=float("nan")), CALENDAR, DESIGN)


def test_a_file_that_is_not_there_or_too_large_is_refused(tmp_path: Path) -> None:
    large = tmp_path / "large.game"
    large.write_bytes(b" " * (store.LARGEST_GAME + 1))
    for path, reason in ((tmp_path / "none.game", "there is no such file"), (large, "it is larger than 4 MB")):
        with pytest.raises(StudioError, match=rf"^Cannot open {path.name}: {reason}\.$"):
            store.load_game(path, CALENDAR, DESIGN)


def test_a_game_that_cannot_be_written_leaves_the_older_one(tmp_path: Path) -> None:
    path = tmp_path / "a.game"
    path.mkdir()
    with pytest.raises(StudioError, match=r"^Could not write a.game: it is a folder\.$"):
        store.save_game(path, CALENDAR, DESIGN, game())


def test_a_kind_that_is_not_played_has_no_games() -> None:
    with pytest.raises(StudioError, match=r"^There is no on-screen game for cube puzzles\.$"):
        store.loads_game(b"{}", CUBE, CubeDesign())
