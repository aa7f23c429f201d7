"""What must be fast with many boards: on two cores a batch takes little more than half as long as on one."""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import Row, show
from studio.files.store import save
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.registry import kind
from tests.classic import classic

BOARDS = 100
PR_SET_CHILD_SUBREAPER = 36
DESIGN = JigsawDesign(classic(columns=12, rows=6, width=300, height=150))


def seconds(folder: Path, workers: int) -> tuple[float, float]:
    """How long a batch of 12 × 6 pieces takes as a command, from its start to its end, and all its processes' work.

    With one worker on one core: that one would use the other for a third of its work.
    """
    design = folder / "mine.puzzle"
    save(design, kind("jigsaw"), DESIGN)
    command = [sys.executable, "-m", "studio", "batch", str(design), "--count", str(BOARDS), "--formats", "svg"]
    begin, worked = time.perf_counter(), _work()
    done = subprocess.run(
        [*command, "--workers", str(workers), "-o", str(folder / f"{workers}")],
        capture_output=True,
        check=False,
        preexec_fn=_stay_on_one_core if workers == 1 else None,
    )
    assert done.returncode == 0, done.stderr
    taken = time.perf_counter() - begin
    _wait_for_orphans()
    return taken, _work() - worked


def _stay_on_one_core() -> None:
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def _work() -> float:
    """Seconds of processor time of all processes that have ended below this one."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _adopt() -> None:
    """Become the parent of processes below this one whose parent ends, so that their work is counted."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def _wait_for_orphans() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()


def main() -> None:
    """Measure and print."""
    _adopt()
    with tempfile.TemporaryDirectory() as name:
        (one, one_worked), (two, two_worked) = seconds(Path(name), 1), seconds(Path(name), 2)
    show([
        Row(f"{BOARDS} boards 12 × 6, SVG and figures, on two cores", round(two, 3), "s", round(one / 1.7, 3),
            "on one core", round(one, 3)),
        Row("processor time of that, all processes together", round(two_worked, 3), "s", round(2 * one_worked / 1.7, 3),
            "on one core", round(one_worked, 3)),
    ])  # fmt: skip


if __name__ == "__main__":
    main()
