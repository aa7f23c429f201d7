"""What must be fast with slitherlinks: proven puzzles, proofs, the answer after an edit, and large boards.

The peer of generating is Loopy of Simon Tatham's puzzles, where it is installed: a whole process for each puzzle,
nothing subtracted. That of a proof is the independent solver of the tests, which must agree on many puzzles, too.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from itertools import count, product

from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import SILENT
from studio.geometry.board.board_spec import ARCH, ELLIPSE, HAND_CUT, HEART, RECTANGLE, RINGS, VORONOI
from studio.geometry.board.grids import HEXAGON, SQUARE, TRIANGLE
from studio.puzzles.slitherlink.checks import check
from studio.puzzles.slitherlink.generate import generate
from studio.puzzles.slitherlink.geometry import shape
from studio.puzzles.slitherlink.model import (
    DIFFICULTIES,
    NO_SYMMETRY,
    PLAIN,
    STICKS,
    SYMMETRIES,
    SlitherlinkDesign,
    SlitherlinkParameters,
)
from studio.solving.loops import solutions
from tests.puzzles.slitherlink import independent

LOOPY = shutil.which("sgt-loopy", path="/usr/games:/usr/local/bin:/usr/bin") or ""
RUNS_BY_SIZE = {7: (20.0, 21), 10: (30.0, 21), 20: (300.0, 15), 30: (2000.0, 7)}
"""For each size of a square board, the most ms that generating may take, and how many are measured."""
PROOFS = {10: (5.0, 30), 30: (120.0, 5)}
ODD, ODD_RUNS = ((VORONOI, RECTANGLE), (VORONOI, HEART), (RINGS, ELLIPSE), (HAND_CUT, ARCH)), 11
EDITED = 15
AGREED = {SQUARE: 1000, HEXAGON: 200, TRIANGLE: 200}
SIZES = range(4, 10)
LARGE = 60


def generated(**parameters: object) -> SlitherlinkDesign:
    """A new puzzle."""
    return generate(SlitherlinkParameters(**parameters), SILENT)  # type: ignore[arg-type]


def by_loopy(size: int, runs: int) -> float:
    """The median of the ms that a process of Loopy takes for a puzzle of the same size and grade; 0 without it."""
    if not LOOPY:
        return 0.0
    seeds = count()

    def work() -> None:
        subprocess.run([LOOPY, "--generate", "1", f"{size}x{size}t0dn#{next(seeds)}"], check=True, capture_output=True)

    return median(milliseconds(work, runs))


def generation() -> Iterator[Row]:
    """New puzzles of medium grade, proven to have one solution, clues removed."""
    for size, (goal, runs) in RUNS_BY_SIZE.items():
        seeds = count(1000)

        def work(size: int = size, seeds: Iterator[int] = seeds, symmetry: str = NO_SYMMETRY) -> None:
            generated(columns=size, rows=size, seed=next(seeds), symmetry=symmetry)

        peer = "peer: a process of sgt-loopy" if LOOPY else "peer: sgt-loopy is not installed"
        loopy = by_loopy(size, runs)
        for symmetry, name in ((NO_SYMMETRY, ""), ("half", ", half-turn")):
            taken = median(milliseconds(partial(work, symmetry=symmetry), runs))
            yield Row(f"generate a proven {size}×{size}{name}, median of {runs} seeds", taken, "ms", goal, peer, loopy)


def odd() -> Iterator[Row]:
    """New puzzles of cells that differ, their grid made from nothing for each seed."""
    seeds = count(2000)

    def work(form: str, outline: str) -> None:
        generated(grid=form, outline=outline, seed=next(seeds), symmetry=NO_SYMMETRY)

    floor = median(milliseconds(partial(work, SQUARE, RECTANGLE), ODD_RUNS))
    for form, outline in ODD:
        taken = median(milliseconds(partial(work, form, outline), ODD_RUNS))
        yield Row(f"generate {form}, {outline} of 10×10, proven", taken, "ms", 300, "floor: 10×10 squares", floor)


def proofs() -> Iterator[Row]:
    """Whether a given puzzle has one solution, nothing known of it but its clues."""
    for size, (goal, runs) in PROOFS.items():
        puzzles = [generated(columns=size, rows=size, seed=seed, symmetry=NO_SYMMETRY) for seed in range(runs + 1)]
        ours, theirs = iter(puzzles), iter(puzzles)

        def work(ours: Iterator[SlitherlinkDesign] = ours) -> None:
            design = next(ours)
            found = solutions(design.parameters.net, design.clues, SILENT, most=2)[1]
            assert found.solutions == 1 and found.complete

        def peer(theirs: Iterator[SlitherlinkDesign] = theirs) -> None:
            design = next(theirs)
            assert independent.solutions(design.parameters.form.cells, design.clues) == 1

        taken = median(milliseconds(work, runs))
        slow = median(milliseconds(peer, min(runs, 5)))
        yield Row(f"unique? of a given {size}×{size}, median", taken, "ms", goal, "peer: independent solver", slow)


def edited() -> Iterator[Row]:
    """The findings after a clue was hidden or given, the proof among them."""
    design = generated(columns=EDITED, rows=EDITED)
    shapes = shape(design, None, SILENT)
    known = check(design, shapes, None, SILENT)
    whole, bare = [], []
    for cell in range(EDITED * EDITED):
        other = design.with_given({cell: cell not in design.clues})
        begin = time.perf_counter()
        check(other, shape(other, shapes, SILENT), known, SILENT)
        whole.append(1000 * (time.perf_counter() - begin))
        begin = time.perf_counter()
        solutions(other.parameters.net, other.clues, SILENT, most=2, known=other.line)
        bare.append(1000 * (time.perf_counter() - begin))
    name = f"“unique?” after one edited clue, {EDITED}×{EDITED}, median of {len(whole)}"
    yield Row(name, median(whole), "ms", 20, "floor: the search", median(bare))


def agreed() -> Iterator[Row]:
    """Generated puzzles that the independent solver finds to have one solution, too."""
    for grid, many in AGREED.items():
        taken = []
        for number in range(many):
            size, difficulty, symmetry = _varied(number)
            design = generated(
                grid=grid, columns=size, rows=size, difficulty=difficulty, symmetry=symmetry, seed=number
            )
            begin = time.perf_counter()
            found = independent.solutions(design.parameters.form.cells, design.clues)
            taken.append(1000 * (time.perf_counter() - begin))
            assert found == 1, f"{design.parameters}: {found} solutions"
        yield Row(f"one solution by both solvers: {many} of {grid}s, median", median(taken), "ms", 200, "agreed", many)


def _varied(number: int) -> tuple[int, str, str]:
    """A size, a difficulty and a symmetry, all of them in turn."""
    every = [*product(SIZES, DIFFICULTIES, SYMMETRIES)]
    return every[number % len(every)]


def drawn() -> Iterator[Row]:
    """The drawing of the largest board, with a slot at every edge and a stick for every edge of the loop."""
    design = generated(columns=LARGE, rows=LARGE, board=STICKS)
    plain = generated(columns=LARGE, rows=LARGE, board=PLAIN)
    drawing = shape(design, None, SILENT).drawing
    taken = median(milliseconds(lambda: shape(design, None, SILENT), 9))
    floor = median(milliseconds(lambda: shape(plain, None, SILENT), 9))
    name = f"draw a {LARGE}×{LARGE} with slots and sticks, {len(drawing.strokes):,} lines"
    yield Row(name, taken, "ms", 300, "floor: engraved", floor)


def main() -> None:
    """Measure and print."""
    show([row for part in (generation, odd, proofs, edited, drawn, agreed) for row in part()])


if __name__ == "__main__":
    main()
