"""What the largest board costs: 200 × 200 pieces checked and exported by the command line, in seconds and memory.

The floor is a process that only imports numpy and shapely and flattens the same cuts once.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import Row, median, show
from studio.files.store import save
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from tests.classic import classic

ROOT = Path(__file__).resolve().parents[1]
RUNS = 3
SIDE = 200
FLATTENED = f"""
from studio.checks.cut_crossings import cuts
from studio.base.progress import Progress
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.design import JigsawDesign
from tests.classic import classic
design = JigsawDesign(classic(columns={SIDE}, rows={SIDE}, width={25 * SIDE}, height={25 * SIDE}))
cuts(shape(design, None, Progress()).drawing.strokes)
"""


def run(*words: str) -> tuple[float, float]:
    """The seconds that a command of Python's takes, and the most memory in MB of any command until then."""
    begin = time.perf_counter()
    subprocess.run([sys.executable, *words], cwd=ROOT, check=True, capture_output=True, timeout=1800)
    return time.perf_counter() - begin, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        board = str(Path(folder) / "board.puzzle")
        save(Path(board), JIGSAW, JigsawDesign(classic(columns=SIDE, rows=SIDE, width=25 * SIDE, height=25 * SIDE)))
        # The most hungry comes last, since only the most memory of all until then is known.
        commands = {
            "floor": ("-c", FLATTENED),
            "check": ("-m", "studio", "check", board),
            "export": ("-m", "studio", "export", board, "-o", str(Path(folder) / "board.svg")),
        }
        figures = {name: [run(*words) for _ in range(RUNS)] for name, words in commands.items()}
    took = {name: median([seconds for seconds, _ in runs]) for name, runs in figures.items()}
    filled = {name: max(memory for _, memory in runs) for name, runs in figures.items()}
    floor = "floor: the cuts flattened once"
    show([
        Row("check of 200 × 200 pieces, the whole process", took["check"], "s", 6, floor, took["floor"]),
        Row("its memory at most", filled["check"], "MB", 1000, floor, filled["floor"]),
        Row("export of 200 × 200 pieces to SVG, the whole process", took["export"], "s", 15, floor, took["floor"]),
        Row("its memory at most", filled["export"], "MB", 1500, floor, filled["floor"]),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
