"""What must feel instant in a long game: a move and its undo, by the rules, in the window, and until it is seen."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable
from functools import partial
from itertools import cycle, islice
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from benchmarks.report import Row, median, milliseconds, show
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign
from studio.puzzles.calendar.questions import date_cells
from studio.ui.kinds.calendar.extension import CalendarExtension
from studio.ui.session.document import Document
from studio.ui.session.games import Games
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.screenshot import rest
from studio.ui.shell.window import Window
from studio.ui.widgets.theme import apply, light_theme, picture_font

DESIGN = CalendarDesign()
TARGET = date_cells(DESIGN, "10-06")
MOVES = 1000
TEXTS = tuple(islice(cycle(("O 0 A4", "O 90 A4", "V 0 D4", "V off")), MOVES))
MOVE = "L 90 C1"
GOAL, FRAME, RUNS = 5, 16, 200


def by_rules(texts: tuple[str, ...]) -> Callable[[], None]:
    """A move after others, and the one that takes it back."""
    played = CALENDAR.need(Playable)
    log = played.with_moves(DESIGN, played.begun(DESIGN, TARGET), texts)

    def work() -> None:
        after = played.with_move(DESIGN, log, MOVE)
        assert after.states[after.at - 1] is log.game is not after.game

    return work


def in_window(games: Games) -> None:
    """The same, with all that follows in the window but for the painting."""
    games.move(MOVE)
    games.go_back(1)


def painted(games: Games) -> None:
    """A move, or the one that takes it back, until it is seen."""
    if games.log.at > MOVES:
        games.go_back(1)
    else:
        games.move(MOVE)
    QApplication.processEvents()


def main() -> None:
    """Measure and print."""
    app = make_application()
    apply(app, light_theme(), picture_font())
    with tempfile.TemporaryDirectory() as folder:
        settings = QSettings(str(Path(folder) / "settings.ini"), QSettings.Format.IniFormat)
        window = Window(Document(CALENDAR, DESIGN), Preferences(settings))
        window.resize(1440, 900)
        window.show()
        window.pipeline.finish()
        window.show_view("play")
        assert isinstance(window.extension, CalendarExtension) and window.session.games is not None
        window.extension.show_date("10-06")
        rest(window, None)
        games = window.session.games
        fresh = median(milliseconds(by_rules(()), RUNS))
        games.open(games.played.with_moves(DESIGN, games.played.begun(DESIGN, TARGET), TEXTS))
        QApplication.processEvents()
        alone = milliseconds(by_rules(TEXTS), RUNS)
        shown = milliseconds(partial(in_window, games), RUNS)
        seen = milliseconds(partial(painted, games), RUNS)
        games.mark_saved()
        window.close()
    floor = "floor: the first move"
    show([
        Row(f"a move in a game of {MOVES} and its undo, rules", median(alone), "ms", GOAL, floor, fresh),
        Row(f"a move in a game of {MOVES} and its undo, in the window", median(shown), "ms", GOAL, floor, fresh),
        Row(f"a move in a game of {MOVES} until it is seen", median(seen), "ms", FRAME, floor, fresh),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
