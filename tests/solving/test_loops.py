"""The search for loops: held against an enumeration of all that there are."""

import random
import signal
import subprocess
import sys
from functools import cache

import pytest

from studio.base.progress import SILENT, Cancelled, Progress
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE
from studio.solving.loops import LoopSearch, solutions
from tests.depth import examples
from tests.solving.test_net import every_inside, is_one_loop, of_grid


@cache
def every_loop(form: str, columns: int, rows: int) -> list[tuple[int, ...]]:
    board = of_grid(form, columns, rows)
    return [tuple(board.line(inside)) for inside in every_inside(board) if is_one_loop(board, inside)]


@pytest.mark.parametrize(("form", "columns", "rows"), [(SQUARE, 4, 4), (HEXAGON, 4, 3), (TRIANGLE, 5, 3)])
def test_solutions_are_those_of_an_enumeration(form: str, columns: int, rows: int) -> None:
    board = of_grid(form, columns, rows)
    loops = every_loop(form, columns, rows)
    counts = [board.counts(loop) for loop in loops]
    chance = random.Random(3)
    kinds = [0, 0, 0]
    for _ in range(examples(40, 150)):
        known = chance.choice(counts)
        cells = chance.sample(range(board.outside), chance.randint(board.outside // 4, board.outside))
        clues = {cell: known[cell] for cell in cells}
        if chance.random() < 0.3:
            clues[cells[0]] = chance.randint(0, len(board.edges[cells[0]]) - 1)
        true = [
            loop for loop, count in zip(loops, counts, strict=True) if all(count[at] == n for at, n in clues.items())
        ]
        found, count = solutions(board, clues, SILENT, most=2)
        kinds[min(len(true), 2)] += 1
        assert count.solutions == len(found) == min(len(true), 2) and {*found} <= {*true}
        assert count.complete == (len(true) < 2)
        if len(true) < 30:
            found, count = solutions(board, clues, SILENT, most=40)
            assert sorted(found) == sorted(true) and count.complete
    assert all(kinds), "none, one and several solutions were met"


def test_what_is_needed_rules_out_all_other_loops() -> None:
    board = of_grid(SQUARE, 4, 4)
    loops = every_loop(SQUARE, 4, 4)
    counts = [board.counts(loop) for loop in loops]
    search = LoopSearch(board)
    for loop, known in zip(loops[::400], counts[::400], strict=True):
        clues = dict(enumerate(known))
        answer = search.find(clues, barred=[loop])
        if answer.line is None:
            assert answer.is_known
            needed = {cell: clues[cell] for cell in answer.needed}
            same = [
                other
                for other, count in zip(loops, counts, strict=True)
                if all(count[at] == n for at, n in needed.items())
            ]
            assert same == [loop]
    search.close()


def test_edges_can_be_asked_to_be_on_or_off() -> None:
    board = of_grid(SQUARE, 3, 3)
    loops = every_loop(SQUARE, 3, 3)
    search = LoopSearch(board)
    for edge in range(len(board.ends)):
        on = search.find({}, on=[edge]).line
        off = search.find({}, off=[edge]).line
        assert on in loops and edge in on
        assert off in loops and edge not in off
    assert search.find({4: 4}, on=[0]).line is None, "a loop round the middle cell has no other edge"
    search.close()


def test_clues_that_are_settled_hold_from_then_on() -> None:
    board = of_grid(SQUARE, 4, 4)
    loop = every_loop(SQUARE, 4, 4)[4000]
    counts = board.counts(loop)
    search = LoopSearch(board)
    search.settle({0: counts[0], 5: counts[5]})
    found = search.find({}).line
    assert found is not None and board.counts(found)[0] == counts[0] and board.counts(found)[5] == counts[5]
    search.close()


def test_a_search_ends_when_its_budget_is_spent_or_nobody_waits() -> None:
    board = of_grid(SQUARE, 30, 30)
    search = LoopSearch(board)
    clues = {cell: 1 + cell % 2 for cell in range(0, 900, 2)}
    answer = search.find(clues, budget=3)
    assert answer.line is None and not answer.is_known
    assert search.conflicts <= 10
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        search.find(clues, progress=stopped)
    search.close()


LONG_SEARCH = """
import random
from studio.geometry.board.grids import SQUARE
from studio.solving.loops import LoopSearch
from tests.solving.test_net import of_grid
chance, search = random.Random(5), LoopSearch(of_grid(SQUARE, 30, 30))
clues = {cell: 2 for cell in range(900) if chance.random() < 0.5}
print("ready", flush=True)
while True:
    search.find(clues, steps=100_000)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no other process can press Ctrl+C there")
def test_a_search_is_interrupted_like_everything_else() -> None:
    for delay in (0.4, 0.3, 0.5, 0.6)[: examples(1, 4)]:
        words = [sys.executable, "-c", LONG_SEARCH]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            try:
                assert process.stdout is not None and process.stdout.readline() == "ready\n"
                with pytest.raises(subprocess.TimeoutExpired):
                    process.wait(delay)
                process.send_signal(signal.SIGINT)
                told = process.communicate(timeout=30)[1]
            finally:
                process.kill()
        assert told.endswith("\nKeyboardInterrupt\n") and process.returncode == -signal.SIGINT
