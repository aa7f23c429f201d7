"""What every benchmark shares: rows of figures, printed as JSON or as a table."""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Row:
    """One figure, the most it may be, and beside it a peer or a floor measured in the same run."""

    name: str
    value: float
    unit: str
    goal: float
    peer: str
    peer_value: float


def milliseconds(work: Callable[[], object], runs: int) -> list[float]:
    """How long each of several runs took, in ms, after one that does not count."""
    work()
    result = []
    for _ in range(runs):
        begin = time.perf_counter()
        work()
        result.append(1000 * (time.perf_counter() - begin))
    return result


def median(times: Sequence[float]) -> float:
    """The median, to three digits after the point."""
    return round(statistics.median(times), 3)


def high(times: Sequence[float]) -> float:
    """The 95th percentile, to three digits after the point."""
    return round(sorted(times)[max(0, -(-95 * len(times) // 100) - 1)], 3)


def show(rows: Sequence[Row]) -> None:
    """Print the rows: one JSON list with `--json`, a table without."""
    if "--json" in sys.argv[1:]:
        print(json.dumps([asdict(row) for row in rows]))
        return
    for row in rows:
        ratio = f"{row.value / row.peer_value:.2f} × " if row.peer_value else ""
        goal = f"{row.value:9.2f} {row.unit:3} goal {row.goal:8.6g}"
        print(f"{row.name:58} {goal}   {ratio}{row.peer}: {row.peer_value:.2f}")
