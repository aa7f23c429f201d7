"""Plans cut every line once, cut nothing loose, travel little, and say of themselves what is true."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.boards import hexagons, voronoi
from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.fabricate.cut_network import Network
from studio.fabricate.cutting_orders import nearest_next
from studio.fabricate.plan import Plan, Strategy, plan, plans, possible
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Curves, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from tests.depth import examples
from tests.fabricate.boards import jigsaw, passed, ring, squares, travel, with_strokes

MACHINE = Machine()
NONE = Pieces(np.empty(0, np.int64), np.zeros(1, np.int64), ())
ENGRAVED = with_strokes(
    with_strokes(jigsaw(4, 3), ring(60, 60, 4), Operation.ENGRAVE, None, True),
    ring(5, 5, 4),
    Operation.SCORE,
    None,
    True,
)
WHIMSY = with_strokes(jigsaw(6, 5), ring(58, 58, 8), Operation.INNER, "whimsy", True)


def merged(drawing: Drawing, stroke: int) -> Drawing:
    """The drawing without one of its inner cuts, so that two pieces are one."""
    chains = []
    for chain in drawing.chains:
        for run in np.split(chain.strokes, np.flatnonzero(chain.strokes >> 1 == stroke)):
            kept = run[run >> 1 != stroke]
            if len(kept):
                chains.append(Chain(chain.operation, kept, chain.closed))
    owners = drawing.pieces.owners
    at = np.flatnonzero(drawing.pieces.codes >> 1 == stroke)
    codes = drawing.pieces.codes
    one, other = (codes[owners == owners[place]] for place in at)
    turned = np.concatenate([np.roll(run, -int(np.flatnonzero(run >> 1 == stroke)[0]))[1:] for run in (one, other)])
    kept_pieces = [piece for piece in range(len(drawing.pieces)) if piece not in owners[at]]
    runs = [*(codes[owners == piece] for piece in kept_pieces), turned]
    names = (*(drawing.pieces.names[piece] for piece in kept_pieces), "merged")
    starts = np.cumsum([0, *map(len, runs)])
    return replace(drawing, chains=tuple(chains), pieces=Pieces(np.concatenate(runs), starts, names))


def side_by_side() -> Drawing:
    """Two boards of hexagons that do not touch."""
    one, other = hexagons(4, 3, 10.0), voronoi(15, 80, 60, seed=2)
    count, codes = len(one.strokes), other.pieces.codes + 2 * len(one.strokes)
    points = np.concatenate([one.strokes.points, other.strokes.points + np.array([100, 20])])
    strokes = Curves(points, np.append(one.strokes.starts, other.strokes.starts[1:] + one.strokes.starts[-1]))
    names = (*one.pieces.names, *(f"second {name}" for name in other.pieces.names))
    starts = np.append(one.pieces.starts, other.pieces.starts[1:] + one.pieces.starts[-1])
    chains = (*one.chains, *(Chain(chain.operation, chain.strokes + 2 * count, chain.closed) for chain in other.chains))
    pieces = Pieces(np.concatenate([one.pieces.codes, codes]), starts, names)
    return Drawing(200.0, 100.0, strokes, chains, pieces)


DRAWINGS = {
    "jigsaw": jigsaw(7, 5),
    "one row": jigsaw(6, 1),
    "one column": jigsaw(1, 4),
    "two pieces": jigsaw(2, 1),
    "one piece": jigsaw(1, 1),
    "hexagons": hexagons(5, 4, 10.0),
    "voronoi": voronoi(40, 200, 150, seed=7),
    "engraved": ENGRAVED,
    "whimsy": WHIMSY,
    "merged": merged(jigsaw(6, 5), 14),
    "side by side": side_by_side(),
    "apart": squares([(0, 0), (50, 5), (20, 70), (90, 40)]),
    "engraved only": Drawing(
        50, 50, straight(ring(5, 5, 20)), (Chain(Operation.ENGRAVE, 2 * np.arange(4), True),), NONE
    ),
    "nothing": Drawing(50, 50, straight(np.empty((0, 2, 2))), (), NONE),
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_every_plan_cuts_every_line_once_and_tells_the_truth(name: str) -> None:
    drawing = DRAWINGS[name]
    made = plans(drawing, MACHINE)
    assert tuple(one.strategy for one in made) == possible(drawing)
    for one in made:
        order = [list(Operation).index(chain.operation) for chain in one.drawing.chains]
        assert order == sorted(order)
        for operation in Operation:
            before, after = ([c for c in d.chains if c.operation is operation] for d in (drawing, one.drawing))
            strokes = [sorted(code >> 1 for chain in chains for code in chain.strokes) for chains in (before, after)]
            assert strokes[0] == strokes[1]
        assert one.drawing.strokes is drawing.strokes
        assert one.drawing.pieces is drawing.pieces
        if drawing.chains:
            assert one.cut == pytest.approx(drawing.cut_length)
            assert one.travel == pytest.approx(travel(one.drawing))
        assert one.lower_bound <= one.travel + 1e-6
        assert one.least_chains <= len(one.drawing.chains)
        assert_joined(one.drawing)
        assert_timed(one)
        if one.strategy is not Strategy.AS_DRAWN:
            assert one.loose_cuts == 0
            assert one.largest_freed <= 1
            assert (one.freed_by >= 0).all()


def assert_joined(drawing: Drawing) -> None:
    """Strokes of a chain meet, and closed chains end where they begin."""
    points, starts = drawing.strokes.points, drawing.strokes.starts
    tips = np.stack([points[starts[:-1]], points[starts[1:] - 1]], 1)
    for chain in drawing.chains:
        begins = tips[chain.strokes >> 1, chain.strokes & 1]
        ends = tips[chain.strokes >> 1, 1 - (chain.strokes & 1)]
        assert np.allclose(begins[1:], ends[:-1], atol=1e-4)
        if chain.closed:
            assert np.allclose(begins[0], ends[-1], atol=1e-4)


def assert_timed(made: Plan) -> None:
    """The time line covers every cut in its order, and pieces fall when the cut that frees them ends."""
    line = made.timeline
    steps = np.diff(line.times)
    assert len(line.points) == len(line.times) == len(line.cuts) + 1
    assert (steps >= 0).all()
    assert made.seconds == line.times[-1]
    cutting = line.cuts >= 0
    assert (np.diff(line.cuts[cutting]) >= 0).all()
    order = passed(made.drawing) if made.drawing.chains else np.empty(0, np.int64)
    lengths = np.hypot(*np.diff(line.points, axis=0).T)
    followed = np.bincount(line.cuts[cutting], lengths[cutting], minlength=len(order))
    assert np.allclose(followed, made.drawing.strokes.lengths[order], rtol=0.02)
    assert lengths[~cutting].sum() == pytest.approx(made.travel)
    for piece, cut in enumerate(made.freed_by.tolist()):
        wanted = line.times[1:][line.cuts == cut].max() if cut >= 0 else np.inf
        assert line.freed[piece] == wanted


@pytest.mark.parametrize(("columns", "rows", "out", "half"), [(12, 6, 11, 6), (30, 20, 29, 15), (60, 40, 59, 30)])
def test_a_snake_cuts_no_loose_wood_and_hardly_travels(columns: int, rows: int, out: int, half: int) -> None:
    drawing = jigsaw(columns, rows)
    snake = plan(drawing, MACHINE)
    assert snake.strategy is Strategy.SNAKE
    assert (snake.loose_cuts, snake.largest_freed, snake.reach) == (0, 1, out)
    assert snake.lower_bound <= snake.travel <= (1.03 if columns == 12 else 1.02) * snake.lower_bound
    assert snake.pen_ups == columns + rows - 3
    assert snake.least_chains == len(snake.drawing.chains) == columns + rows - 1
    sagging = plan(drawing, MACHINE, Strategy.LOW_SAG)
    assert (sagging.loose_cuts, sagging.largest_freed, sagging.reach) == (0, 1, half)
    assert sagging.ratio < 1.7


@pytest.mark.parametrize("drawing", [hexagons(12, 10, 14.0), voronoi(120, 300, 200, seed=1)])
def test_boards_that_are_no_grids_are_cut_without_loose_wood_and_with_little_travel(drawing: Drawing) -> None:
    made = plan(drawing, MACHINE)
    assert made.strategy is Strategy.RELEASE_AWARE
    assert (made.loose_cuts, made.largest_freed) == (0, 1)
    assert made.ratio < 1.3
    drawn = plan(drawing, MACHINE, Strategy.AS_DRAWN)
    assert made.lower_bound == drawn.lower_bound
    assert made.reach <= drawn.reach


@pytest.mark.parametrize("name", ["whimsy", "merged"])
def test_a_board_that_is_nearly_a_grid_is_cut_nearly_like_one(name: str) -> None:
    made = plan(DRAWINGS[name], MACHINE)
    assert made.strategy is Strategy.RELEASE_AWARE
    assert made.loose_cuts == 0
    assert made.ratio < 1.5


def test_a_whimsy_stays_closed() -> None:
    for one in plans(WHIMSY, MACHINE):
        rings = [chain for chain in one.drawing.chains if len(WHIMSY.strokes) - 1 in chain.strokes >> 1]
        assert [(chain.closed, len(chain.strokes)) for chain in rings] == [(True, 4)]


@pytest.mark.parametrize("seed", range(4))
def test_corners_may_lie_where_they_will_and_it_is_still_a_grid(seed: int) -> None:
    parameters = JigsawParameters(columns=9, rows=7, width=225, height=175, perturbation=0.45, seed=seed)
    dragged = tuple(
        CornerEdit(f"{column},{row}", dx, dy)
        for column, row, dx, dy in ((2, 2, 30.0, 24.0), (3, 3, -20.0, 18.0), (5, 4, 11.0, -23.0))
    )
    drawing = shape(JigsawDesign(parameters, corners=dragged), None, Progress()).drawing
    made = plan(drawing, MACHINE)
    assert made.strategy is Strategy.SNAKE
    assert (made.loose_cuts, made.largest_freed) == (0, 1)


def matched(points: np.ndarray, free: int) -> float:
    """The least weight of a matching that leaves some points free, by trying all."""
    if len(points) == free:
        return 0.0
    least = np.inf
    if free:
        least = matched(points[1:], free - 1)
    for other in range(1, len(points)):
        rest = np.delete(points[1:], other - 1, axis=0)
        least = min(least, float(np.hypot(*(points[0] - points[other]))) + matched(rest, free))
    return least


@pytest.mark.parametrize("drawing", [jigsaw(3, 3), jigsaw(4, 2), hexagons(2, 2, 10.0), jigsaw(5, 1)])
def test_the_bound_is_the_least_matching_of_odd_ends(drawing: Drawing) -> None:
    made = plan(drawing, MACHINE)
    ends: dict[tuple[float, float], int] = {}
    for chain in drawing.chains:
        if chain.operation is Operation.INNER:
            for code in chain.strokes.tolist():
                for x, y in drawing.strokes[code >> 1][[0, -1]].round(4).tolist():
                    ends[x, y] = ends.get((x, y), 0) + 1
    odd = np.array([place for place, count in ends.items() if count % 2])
    assert made.lower_bound == pytest.approx(matched(odd, 2), abs=1e-3)


@settings(max_examples=examples(40))
@given(st.lists(st.tuples(*[st.integers(0, 6)] * 4), min_size=1, max_size=4, unique=True))
def test_no_order_at_all_travels_less_than_the_bound(lines: list[tuple[int, int, int, int]]) -> None:
    """All orders and directions of a few engraved lines, which may lie anywhere."""
    ends = np.array([line for line in lines if line[:2] != line[2:]], float).reshape(-1, 2, 2) * 10
    if not len(ends):
        return
    chains = tuple(Chain(Operation.ENGRAVE, np.array([2 * at])) for at in range(len(ends)))
    made = plan(Drawing(60, 60, straight(ends), chains, NONE), MACHINE)
    least = np.inf
    for order in permutations(range(len(ends))):
        for turned in product((0, 1), repeat=len(ends)):
            way = [ends[at][:: -1 if back else 1] for at, back in zip(order, turned, strict=True)]
            least = min(least, sum(float(np.hypot(*(b[0] - a[1]))) for a, b in pairwise(way)))
    assert made.lower_bound <= least + 1e-9
    assert least <= made.travel + 1e-9


def test_a_border_begins_where_the_head_is_and_costs_nothing() -> None:
    made = plan(jigsaw(8, 5), MACHINE)
    *_, last, border = made.drawing.paths()
    assert border.closed
    assert np.allclose(last.points[-1], border.points[0])


def test_a_line_that_is_drawn_twice_is_cut_once() -> None:
    drawing = jigsaw(4, 3)
    again = replace(drawing, chains=(*drawing.chains, Chain(Operation.INNER, drawing.chains[0].strokes[:2] ^ 1)))
    for one in plans(again, MACHINE):
        assert one.cut == pytest.approx(drawing.cut_length)
        assert len(np.unique(passed(one.drawing))) == len(passed(one.drawing))


def test_as_drawn_keeps_the_order_of_the_drawing() -> None:
    drawing = voronoi(20, 100, 80, seed=4)
    made = plan(drawing, MACHINE, Strategy.AS_DRAWN)
    assert passed(made.drawing).tolist() == passed(drawing).tolist()


def test_pieces_apart_are_cut_holes_first_and_the_nearest_next() -> None:
    places = [(300.0, 300.0), (0.0, 0.0), (20.0, 0.0), (40.0, 0.0), (60.0, 0.0), (320.0, 300.0)]
    drawing = squares(places)
    hole = with_strokes(drawing, ring(22, 2, 3)[::-1, ::-1], Operation.INNER, None, True)
    made = plan(hole, MACHINE)
    assert made.strategy is Strategy.SINGLY
    assert possible(hole) == (Strategy.SINGLY, Strategy.AS_DRAWN)
    assert [chain.operation for chain in made.drawing.chains] == [Operation.INNER] + [Operation.BORDER] * 6
    assert made.travel < 0.7 * travel(drawing)
    assert made.loose_cuts == 0


def test_many_pieces_apart_are_cut_with_less_travel_than_always_on_to_the_nearest() -> None:
    chance = np.random.default_rng(3)
    cells = chance.permutation(np.stack(np.meshgrid(np.arange(15), np.arange(12)), 2).reshape(-1, 2)) * 20.0
    drawing = squares([(float(x), float(y)) for x, y in cells + chance.uniform(0, 8, cells.shape)])
    network = Network.from_drawing(drawing)
    nearest = replace(drawing, chains=tuple(nearest_next(network, drawing.chains, None)))
    made = plan(drawing, MACHINE)
    assert made.travel < 0.95 * travel(nearest) < 0.2 * travel(drawing)
    assert (made.loose_cuts, made.largest_freed, made.reach) == (0, 1, 1)
    assert all(chain.closed for chain in made.drawing.chains)


def test_a_strategy_that_does_not_apply_says_why_in_a_sentence() -> None:
    with pytest.raises(
        StudioError, match=r"^Piece by piece needs pieces that share no lines\. Possible here: .* and Drawing order\.$"
    ):
        plan(jigsaw(4, 3), MACHINE, Strategy.SINGLY)
    for strategy in (Strategy.SNAKE, Strategy.LOW_SAG):
        with pytest.raises(StudioError, match=r"^[A-Z][a-z ]+ needs rows and columns .*\.$"):
            plan(hexagons(3, 3, 10.0), MACHINE, strategy)
    with pytest.raises(StudioError, match=r"^Safe release needs pieces that share lines\. .*\.$"):
        plan(squares([(0, 0), (20, 0)]), MACHINE, Strategy.RELEASE_AWARE)


def test_the_same_drawing_gets_the_same_plan() -> None:
    one, other = (plan(voronoi(60, 200, 150, seed=9), MACHINE) for _ in range(2))
    for chain, same in zip(one.drawing.chains, other.drawing.chains, strict=True):
        assert chain.strokes.tolist() == same.strokes.tolist()
    assert one.travel == other.travel


@pytest.mark.parametrize("steps", [0, 3, 40])
def test_a_plan_can_be_cancelled_at_any_step(steps: int) -> None:
    left = [steps]
    notes: set[str] = set()

    def report(fraction: float, note: str) -> None:
        assert 0 <= fraction <= 1
        notes.add(note)
        left[0] -= 1
        if left[0] <= 0:
            progress.cancel()

    progress = Progress(report)
    with pytest.raises(Cancelled):
        plans(voronoi(80, 200, 150, seed=9), MACHINE, progress)
    assert left[0] <= 0
    assert "Reading the cuts" in notes
