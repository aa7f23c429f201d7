"""What must be fast with many boards: on two cores a batch takes little more than half as long as on one."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.report import Row, show
from studio.files.store import save
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.puzzles.registry import kind
from tests.classic import classic

BOARDS = 100
DESIGN = JigsawDesign(classic(columns=12, rows=6, width=300, height=150))


def seconds(folder: Path, workers: int) -> float:
    """How long a batch of 12 × 6 pieces takes as a command, from its start to its end."""
    design = folder / "mine.puzzle"
    save(design, kind("jigsaw"), DESIGN)
    command = [sys.executable, "-m", "studio", "batch", str(design), "--count", str(BOARDS), "--formats", "svg"]
    begin = time.perf_counter()
    done = subprocess.run(
        [*command, "--workers", str(workers), "-o", str(folder / f"{workers}")], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return time.perf_counter() - begin


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as name:
        one, two = seconds(Path(name), 1), seconds(Path(name), 2)
    show([
        Row(f"{BOARDS} boards 12 × 6, SVG and figures, on two cores", round(two, 3), "s", round(one / 1.7, 3),
            "on one core", round(one, 3)),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
