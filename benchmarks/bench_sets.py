"""What must be fast in the design search of calendar puzzles: the first set of pieces, and all sets there are.

Of the 792 sets of seven pentominoes and the hexomino of two by three, 37 solve all 366 dates of the article's board.
The floor of the whole search is to count the years of those 37 alone.
"""

from __future__ import annotations

import time

from benchmarks.report import Row, milliseconds, show
from studio.base.progress import Progress
from studio.puzzles.calendar.model import CalendarDesign, built_in
from studio.puzzles.calendar.set_search import FoundSet, SetConditions, candidates, named, search
from studio.puzzles.calendar.year import year


def main() -> None:
    """Print all figures."""
    board = built_in("article").board
    found: list[FoundSet] = []
    first = 0.0
    begin = time.perf_counter()
    for one in search(board, SetConditions(candidates([5]), (named("6-1"),)), Progress()):
        found.append(one)
        first = first or time.perf_counter() - begin
    whole = time.perf_counter() - begin
    assert len(found) == 37 and "6-1 L N P U V Y Z" in {one.name for one in found}
    designs = [CalendarDesign(board=board, pieces=one.pieces) for one in found]
    (alone,) = milliseconds(lambda: year(designs[0], Progress()), 1)
    begin = time.perf_counter()
    assert all(year(design, Progress()).least >= 1 for design in designs)
    years = time.perf_counter() - begin
    show([
        Row("first set of pieces that solves all dates", 1000 * first, "ms", 5000, "floor: its year", alone),
        Row("all 792 sets, 37 of which solve all dates", whole, "s", 120, "floor: the years of 37", years),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
