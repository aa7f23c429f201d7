"""What a cut plan is worth: travel over the least there can be, loose cuts, and how long planning takes.

The peer is vpype (linemerge linesort --two-opt), fed the same inner cuts one by one in the drawing's own order. It is
installed on demand into `.venv-peers`, an environment of its own; where that cannot be had, its figures are missing
and the row says so. Its loose cuts are counted by our own rule from the order in which it passes the cuts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from benchmarks.boards import hexagons, voronoi
from benchmarks.peers import answer, peer_python
from benchmarks.report import Row, milliseconds, show
from studio.base.progress import Progress
from studio.fabricate.cut_network import Network
from studio.fabricate.order_by_overhang import release
from studio.fabricate.plan import Plan, Strategy, plan
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Curves, Floats
from studio.geometry.planar.drawing import Drawing, Operation
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from tests.classic import classic

VPYPE = "vpype==1.15.0"
COMMANDS = "linemerge linesort --two-opt"
MISSING = "vpype could not be installed, so nothing is beside it"


@dataclass(frozen=True)
class Peer:
    """What vpype makes of the inner cuts: travel in mm, cuts into loose wood."""

    travel: float
    loose: int


def jigsaw(columns: int, rows: int) -> Drawing:
    """A classic jigsaw, 25 mm a piece."""
    parameters = classic(columns=columns, rows=rows, width=25 * columns, height=25 * rows)
    return shape(JigsawDesign(parameters), None, Progress()).drawing


def fresh(drawing: Drawing) -> Drawing:
    """The same drawing, of which nothing has been computed yet."""
    strokes = Curves(drawing.strokes.points, drawing.strokes.starts)
    return Drawing(drawing.width, drawing.height, strokes, drawing.chains, drawing.pieces)


def planning(drawing: Drawing, runs: int) -> float:
    """The least milliseconds of some runs from a fresh drawing to its default plan with all numbers."""
    return min(milliseconds(lambda: plan(fresh(drawing), Machine()), runs))


def beside(drawing: Drawing, python: Path | None) -> Peer | None:
    """What vpype makes of a drawing of straight inner cuts; None where there is no vpype or it fails."""
    network = Network.from_drawing(drawing)
    inner = network.inner
    tips = network.nodes[network.ends[inner]]
    middles = tips.mean(axis=1)
    # By its middle, which vpype leaves alone, a cut is known again when lines have been merged.
    lines = [[one, middle, other] for (one, other), middle in zip(tips.tolist(), middles.tolist(), strict=True)]
    told = answer(python, "vpype_peer.py", [COMMANDS], json.dumps(lines))
    if told is None:
        return None
    ordered = [np.array(line) for line in json.loads(told)]
    travel = sum(float(np.hypot(*(there[0] - here[-1]))) for here, there in pairwise(ordered))
    passed = np.concatenate(ordered)
    away = np.hypot(passed[:, None, 0] - middles[:, 0], passed[:, None, 1] - middles[:, 1])
    known = away.min(axis=1) < 1e-6
    cuts = inner[away[known].argmin(axis=1)]
    assert np.array_equal(np.sort(cuts), np.sort(inner))
    let_go = release(network, np.concatenate([cuts, network.strokes_of(Operation.BORDER)]), len(cuts))
    return Peer(travel, len(let_go.loose))


def inner_travel(made: Plan) -> float:
    """The travel in mm among the inner cuts alone, which is what vpype is given."""
    points = made.drawing.strokes.points
    starts = made.drawing.strokes.starts
    chains = [chain.strokes for chain in made.drawing.chains if chain.operation is Operation.INNER]

    def tip(code: int, last: bool) -> Floats:
        at: Floats = points[starts[(code >> 1) + 1] - 1] if (code & 1) != last else points[starts[code >> 1]]
        return at

    ways = [tip(int(there[0]), False) - tip(int(here[-1]), True) for here, there in pairwise(chains)]
    return float(np.hypot(*np.array(ways).T).sum())


def main() -> None:
    """Measure and print."""
    rows = []
    for columns, rows_of_pieces in ((30, 20), (60, 40)):
        drawing = jigsaw(columns, rows_of_pieces)
        made, drawn = plan(drawing, Machine()), plan(drawing, Machine(), Strategy.AS_DRAWN)
        assert made.strategy is Strategy.SNAKE
        name = f"{columns}×{rows_of_pieces} snake"
        rows += [
            Row(f"{name}: travel over the least there can be", made.ratio, "x", 1.02, "as drawn", drawn.ratio),
            Row(f"{name}: loose cuts", made.loose_cuts, "", 0, "as drawn", drawn.loose_cuts),
        ]
        if columns == 60:
            rows.append(
                Row(
                    f"{columns}×{rows_of_pieces}: default plan with all numbers", planning(drawing, 3), "ms", 1500,
                    "floor: the polylines alone",
                    min(milliseconds(lambda: fresh(drawing).strokes.flattened(0.05), 3)),  # noqa: B023
                )
            )  # fmt: skip
    python = peer_python(VPYPE, "vpype_cli")
    for name, drawing in (("hexagons", hexagons(25, 24, 14.0)), ("Voronoi cells", voronoi(600, 750, 500, seed=1))):
        made = plan(drawing, Machine())
        assert made.strategy is Strategy.RELEASE_AWARE
        name = f"{len(drawing.pieces)} {name}"
        peer = beside(drawing, python)
        label = f"vpype {COMMANDS}" if peer else MISSING
        travel, loose = (peer.travel, peer.loose) if peer else (float("nan"), float("nan"))
        least = made.lower_bound
        own = inner_travel(made)
        rows += [
            Row(f"{name}: travel over the least there can be", made.ratio, "x", 1.5, label, travel / least),
            Row(f"{name}: travel of the inner cuts", own, "mm", travel if peer else 1.5 * least, label, travel),
            Row(f"{name}: loose cuts", made.loose_cuts, "", 0, label, loose),
            Row(f"{name}: plan with all numbers", planning(drawing, 2), "ms", 2000, "as drawn",
                min(milliseconds(lambda: plan(fresh(drawing), Machine(), Strategy.AS_DRAWN), 2))),  # noqa: B023
        ]  # fmt: skip
    show(rows)


if __name__ == "__main__":
    main()
