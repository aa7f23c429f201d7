"""What must be fast with calendar puzzles: all solutions of a date, and the whole year while a maker edits.

The peer of a date is the plain search that is shown as an animation, one step after the other in Python. The peer of a
year is to count its dates one by one. The year of the weekday board took a compiled search of all partial boards, each
met as often as there are ways to it, 32 s.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.puzzles.calendar import questions
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters, Piece, dates
from studio.puzzles.calendar.questions import date_cells
from studio.puzzles.calendar.solve import count_by_layers, solutions, steps, twins
from studio.puzzles.calendar.year import year

DESIGN = CalendarDesign()
WEEKDAY = CalendarDesign(CalendarParameters(board="weekday"))
DATES = [tuple(label.name for label in date) for date in dates(DESIGN.layout)]
EDITS = (("#..", "##.", ".##"), ("#####",), ("###", ".#.", ".#."), (".##", "##.", ".#."), (".#.", "###", ".#."))
"""Other pentominoes for the last piece: W, I, T, F and X."""
COMPILED = 32_000.0


def solved_dates(every: int = 1) -> Callable[[], None]:
    """All solutions of one date after the other."""
    at = count(step=every)

    def work() -> None:
        assert solutions(DESIGN, DATES[next(at) % len(DATES)], Progress()).complete

    return work


def dates_plainly(every: int) -> Callable[[], None]:
    """The same, one step after the other."""
    at = count(step=every)

    def work() -> None:
        assert sum(step.solution for step in steps(DESIGN, DATES[next(at) % len(DATES)]))

    return work


def one_by_one() -> None:
    """A year as its dates."""
    assert sum(count_by_layers(DESIGN, cells, Progress()).solutions for cells in DATES) == 24405


def edited() -> Callable[[], None]:
    """The year with another last piece each time."""
    year(DESIGN, Progress())
    at = count()

    def work() -> None:
        piece = Piece("edited", EDITS[next(at) % len(EDITS)])
        assert year(replace(DESIGN, pieces=(*DESIGN.set[:-1], piece)), Progress()).complete

    return work


def longest_pause() -> float:
    """How long another thread, such as the window's, had to wait at most while a year was counted, in ms."""
    worker = threading.Thread(target=year, args=(DESIGN, Progress()))
    worker.start()
    longest, last = 0.0, time.perf_counter()
    while worker.is_alive():
        time.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
    return 1000 * longest


def main() -> None:
    """Measure and print."""
    # What a benchmark remembers must not stand in for what a maker has counted.
    with tempfile.TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        counted = year(DESIGN, Progress())
        assert (counted.total, counted.least, counted.most) == (24405, 7, 216)
        questions.remember(DESIGN, counted)
        (file,) = Path(folder).rglob("*.json")
        weekdays = date_cells(WEEKDAY, "01-25-tue")
        november = solutions(DESIGN, date_cells(DESIGN, "11-05"), Progress()).found
        whole = median(milliseconds(lambda: year(DESIGN, Progress()), 9))
        begin = time.perf_counter()
        assert year(WEEKDAY, Progress()).total == 4_864_096
        weekday_year = round(1000 * (time.perf_counter() - begin), 1)
        rows = [
            Row(
                "all solutions of a date, median", median(milliseconds(solved_dates(), len(DATES))), "ms", 20,
                "peer: plain search", median(milliseconds(dates_plainly(61), 6)),
            ),
            Row("all 366 dates, from nothing", whole, "ms", 1500, "peer: by date", median(milliseconds(one_by_one, 1))),
            Row(
                "all 366 dates after an edited piece", median(milliseconds(edited(), 10)), "ms", 600,
                "floor: an unedited year", whole,
            ),
            Row(
                "longest pause of another thread meanwhile", median([longest_pause() for _ in range(9)]), "ms", 50,
                "floor: what it asks for", 1.0,
            ),
            Row(
                "weekday board: all solutions of a date",
                median(milliseconds(lambda: solutions(WEEKDAY, weekdays, Progress()), 5)), "ms", 1500,
                "floor: counted only",
                median(milliseconds(lambda: count_by_layers(WEEKDAY, weekdays, Progress()), 5)),
            ),
            Row("weekday board: all 2562 dates", weekday_year, "ms", COMPILED, "peer: compiled, in one pass", COMPILED),
            Row(
                "a year from the disk", median(milliseconds(lambda: questions.remembered(DESIGN), 30)), "ms", 100,
                "floor: its bytes", median(milliseconds(file.read_bytes, 30)),
            ),
            Row(
                "twins among the solutions of a date",
                median(milliseconds(lambda: twins(DESIGN.layout, november), 9)), "ms", 300,
                "floor: finding the solutions", median(milliseconds(solved_dates(), 30)),
            ),
        ]  # fmt: skip
    show(rows)


if __name__ == "__main__":
    main()
