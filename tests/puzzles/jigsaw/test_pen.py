"""The pen: random strokes, erasures and conversions on any board leave a sound one; where it snaps, and handles."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.checks.finding import Finding
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.files import store
from studio.geometry.curves.strokes import Floats, through
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.drawn_boards import converted
from studio.puzzles.jigsaw.model.drawn_cuts import (
    cut_along,
    redrawn,
    smooth,
    with_cut,
    with_smooth_cut,
    with_straight_cut,
)
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.pen import (
    CORNER,
    CUT,
    FREE,
    MOST_HANDLES,
    SQUARE,
    TANGENT,
    Spot,
    drawn_by_hand,
    pulled,
    snapped,
    with_node,
    with_tongued_cut,
    without_node,
)
from tests.depth import THOROUGH
from tests.tilings import TILINGS

WAYS = ("cut", "cut", "curve", "erase", "redraw", "convert", "corner", "flip", "drop")
BOARDS = 300 if THOROUGH else 12


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def area(shapes: JigsawShapes) -> float:
    drawing = shapes.drawing
    return float(shapely.area(pieces_as_polygons(drawing, drawing.strokes.flattened(0.001))).sum())


def on_cuts(shapes: JigsawShapes, chance: random.Random) -> tuple[float, float]:
    """A place on a cut or the border."""
    line = shapes.drawing.strokes.flattened(0.01)[chance.randrange(len(shapes.drawing.strokes))]
    x, y = line[chance.randrange(len(line))].tolist()
    return x, y


def edited(shapes: JigsawShapes, way: str, chance: random.Random) -> JigsawDesign:
    """A design after a random edit; raises StudioError if it cannot be."""
    design, tiling = shapes.design, shapes.tiling
    strays = [chance.uniform(-8.0, 8.0) for _ in range(4)]
    edge = chance.choice(sorted(tiling.edge_indices))
    ends = shapes.drawing.strokes[tiling.edge_indices[edge]][[0, -1]].mean(axis=0)
    match way:
        case "cut" | "curve":
            begin, end = np.array([on_cuts(shapes, chance), on_cuts(shapes, chance)])
            between = [(begin + end) / 2 + strays[:2]] * chance.randint(0, 1)
            change = with_straight_cut if way == "cut" else with_smooth_cut
            return change(design, SILENT, [(x, y) for x, y in np.array([begin, *between, end]).tolist()]).design
        case "erase":
            return edits.with_pieces_merged(design, [edge], SILENT).design
        case "redraw":
            x, y = (ends + strays[:2]).tolist()
            return redrawn(design, SILENT, edge, [(x, y)])
        case "convert":
            return converted(design)
        case "corner":
            corner = chance.choice(tiling.movable.tolist())
            return edits.with_corners_at(shapes, {corner: (shapes.corners[corner] + strays[:2]).tolist()})
        case "flip":
            return edits.with_tongues_flipped(shapes, [tiling.edge_indices[edge]])
        case _:
            return edits.with_drop_outs(design, SILENT, [chance.choice(tiling.piece_names)])


@pytest.mark.parametrize("seed", range(BOARDS))
def test_random_strokes_and_edits_leave_a_sound_board(seed: int) -> None:
    chance = random.Random(seed)
    parameters = JigsawParameters(
        width=160.0, height=120.0, columns=chance.randint(2, 5), rows=chance.randint(2, 4), seed=seed,
        tiling=chance.choice([*TILINGS]), outline=chance.choice(("rectangle", "ellipse", "heart")),
    )  # fmt: skip
    shapes, done = shaped(JigsawDesign(parameters)), Counter[str]()
    history = [(shapes.design, store.dumps(JIGSAW, shapes.design))]
    for _ in range(chance.randint(2, 6)):
        if not shapes.tiling.edge_indices:
            break
        way = chance.choice(WAYS)
        before, checked = shapes, JIGSAW.check(shapes.design, shapes, None, SILENT)
        try:
            design = edited(shapes, way, chance)
        except StudioError as problem:
            assert str(problem).endswith(".")
            continue
        done[way] += 1
        shapes, whole = shape(design, before, SILENT), shaped(design)
        assert shapes.drawing.strokes.points == pytest.approx(whole.drawing.strokes.points, abs=1e-9)
        names = shapes.tiling.piece_names
        assert names == whole.tiling.piece_names and len({*names}) == len(names)
        if way in ("cut", "curve", "convert", "redraw") and not checked.errors:
            assert {*before.tiling.piece_names} <= {*names}, "names last"
            assert area(shapes) == pytest.approx(area(before), abs=0.05)
        found, wanted = (
            JIGSAW.check(design, each, known, SILENT) for each, known in ((shapes, checked), (whole, None))
        )
        # The whole board alone is counted.
        one, other = ([each.message for each in some.findings if each.kind != "count"] for some in (found, wanted))
        assert one == other
        if not wanted.errors and len(shapes.whole.pieces) > 2:
            assert plan(shapes.whole, Machine(), Strategy.RELEASE_AWARE).loose_cuts == 0
        data = store.dumps(JIGSAW, design)
        assert store.loads(data).design == design
        history.append((design, data))
    assert done
    assert all(store.dumps(JIGSAW, design) == data for design, data in history), "undo is to the byte"


def test_the_first_cut_is_drawn_on_a_board_of_one_piece() -> None:
    board = JigsawDesign(JigsawParameters(width=60.0, height=40.0, columns=1, rows=1))
    made = with_straight_cut(board, SILENT, [(0.0, 20.0), (60.0, 25.0)]).design
    shapes = shaped(made)
    assert {*shapes.tiling.piece_names} == {"A1", "A1.2"}
    assert sorted(shapes.drawing.piece_areas) == pytest.approx([1050.0, 1350.0], abs=0.1)


def test_only_straight_edges_of_a_new_cut_get_tongues() -> None:
    board = JigsawDesign(JigsawParameters(width=60.0, height=40.0, columns=1, rows=1))
    for line, count in ((through(np.array([(0.0, 20.0), (60.0, 22.0)])), 1),
                        (smooth(np.array([(0.0, 20.0), (30.0, 30.0), (60.0, 22.0)])), 0)):  # fmt: skip
        made = with_tongued_cut(board, SILENT, line).design
        assert len(made.tongues) == count and all(edit.plain is False for edit in made.tongues)
        (edge,) = shaped(made).tiling.graph.inner_edges.tolist()
        assert (len(shaped(made).drawing.strokes[edge]) > 7) == bool(count)


@pytest.mark.parametrize("line", [[(0, 33), (300, 141)], [(0, 75), (140, 75), (300, 60)], [(46, 0), (48, 200)]])
def test_tongues_of_a_new_cut_are_put_where_they_fit_alone(line: list[tuple[float, float]]) -> None:
    board = JigsawDesign(JigsawParameters(width=300.0, height=200.0, columns=6, rows=4, seed=5))
    curve = through(np.array(line, float))

    def problems(design: JigsawDesign) -> tuple[Finding, ...]:
        return JIGSAW.check(design, shaped(design), None, SILENT).findings

    def kinds(design: JigsawDesign) -> Counter[tuple[str, frozenset[int]]]:
        return Counter((one.kind, frozenset(one.strokes)) for one in problems(design))

    plain, made = with_cut(board, SILENT, curve).design, with_tongued_cut(board, SILENT, curve).design
    assert made.cuts == plain.cuts and kinds(made) <= kinds(plain)
    _, straight = cut_along(board, SILENT, curve)
    tongued = {edit.name for edit in made.tongues}
    assert tongued and tongued < {*straight}
    for name in {*straight} - tongued:
        also = problems(made.with_tongues([TongueEdit(name, plain=False)]))
        assert {one.message for one in also} - {one.message for one in problems(made)}, "it has no room"


BOARD = shaped(JigsawDesign(JigsawParameters(width=90.0, height=60.0, columns=3, rows=2, perturbation=0.0, seed=1)))


def test_the_pen_snaps_to_corners_cuts_right_angles_and_directions() -> None:
    middle = snapped(BOARD, 30.4, 29.7, 1.0)
    assert middle == Spot(30.0, 30.0, CORNER) and middle.is_on_cut
    rim = snapped(BOARD, 14.0, 0.3, 1.0)
    assert rim.place == pytest.approx([14.0, 0.0], abs=0.01) and rim.held == CUT
    square = snapped(BOARD, 15.3, 0.2, 1.0, Spot(14.8, 12.0))
    assert square.place == pytest.approx([14.8, 0.0], abs=0.01) and square.held == SQUARE
    up = snapped(BOARD, 14.3, 9.0, 1.0, rim)
    assert up.place == pytest.approx([14.0, 9.0], abs=0.01) and up.held == TANGENT and not up.is_on_cut
    free = snapped(BOARD, 10.0, 10.0, 1.0)
    assert free == Spot(10.0, 10.0, FREE)


def test_strokes_by_hand_are_smooth_and_end_on_their_spots() -> None:
    angles = np.linspace(0.0, np.pi, 60)
    trail = np.round(np.stack([15 - 10 * np.cos(angles), 8 * np.sin(angles)], 1) / 0.25) * 0.25
    curve = drawn_by_hand(trail, Spot(5.0, 0.0, CUT), Spot(25.0, 0.0, CUT), 0.25)
    assert curve[[0, -1]].tolist() == [[5.0, 0.0], [25.0, 0.0]] and len(curve) < 60
    line: Floats = np.stack([15 - 10 * np.cos(angles), 8 * np.sin(angles)], 1)
    flat = shapely.linestrings(curve[::3])
    assert shapely.hausdorff_distance(flat, shapely.linestrings(line), densify=0.05) < 1.0
    ways = np.diff(curve, axis=0)
    into, out = ways[2:-3:3], ways[3::3]
    turns = np.abs(np.arctan2(into[:, 0] * out[:, 1] - into[:, 1] * out[:, 0], (into * out).sum(axis=1)))
    assert turns.max() < 1e-6


def test_a_smooth_line_passes_its_places_and_handles_keep_it_smooth() -> None:
    places = np.array([(0.0, 0.0), (10.0, 6.0), (20.0, -3.0), (30.0, 0.0)])
    curve = smooth(places)
    assert curve[::3] == pytest.approx(places)
    knot = pulled(curve, 2, 1.0, 2.0)
    assert knot[2:5] == pytest.approx(curve[2:5] + [[1.0, 2.0]] * 3)
    handle = pulled(curve, 1, 0.0, 4.0)
    (x, y), (u, v) = handle[3] - handle[2], handle[4] - handle[3]
    assert abs(x * v - y * u) < 1e-9 and np.hypot(u, v) == pytest.approx(np.hypot(*(curve[4] - curve[3])))
    assert handle[[0, 1, 5, 6]] == pytest.approx(curve[[0, 1, 5, 6]])


def course(curve: Floats, count: int = 400) -> shapely.LineString:
    """A curve as a polyline of its own formula."""
    t = np.linspace(0, 1, count)[:, None]
    cubics = [curve[at : at + 4] for at in range(0, len(curve) - 1, 3)]
    return shapely.LineString(
        np.concatenate(
            [a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3 for a, b, c, d in cubics]
        )
    )


def test_an_added_node_leaves_the_curve_as_it_is_and_its_removal_gives_it_back() -> None:
    chance = np.random.default_rng(7)
    for _ in range(40):
        curve = np.cumsum(chance.uniform(-3.0, 9.0, (10, 2)), axis=0)
        place = np.array(course(curve).interpolate(chance.uniform(0.1, 0.9), normalized=True).coords[0])
        if np.hypot(*(curve[::3] - place).T).min() < 1.0:
            continue
        made = with_node(curve, place)
        assert len(made) == 13 and shapely.hausdorff_distance(course(made), course(curve)) < 0.02
        assert (made[[0, -1]] == curve[[0, -1]]).all()
        node = int(np.hypot(*(made[::3] - place).T).argmin())
        assert made[3 * node] == pytest.approx(place, abs=0.02)
        before, after = made[3 * node] - made[3 * node - 1], made[3 * node + 1] - made[3 * node]
        assert before[0] * after[1] - before[1] * after[0] == pytest.approx(0.0, abs=1e-9), "it is smooth"
        assert shapely.hausdorff_distance(course(without_node(made, node)), course(curve)) < 0.02


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.2])
def test_a_removed_node_leaves_a_cubic_with_the_end_directions_near_the_two(turn: float) -> None:
    first = np.array([(0.0, 0.0), (4.0, -6.0), (8.0, -8.0), (12.0, -8.0)])
    way = np.array([np.cos(turn), np.sin(turn)])
    second = np.array([12.0, -8.0] + 5.0 * way), np.array([24.0, -2.0]), np.array([26.0, 4.0])
    tail = np.array([(30.0, 4.0), (34.0, 0.0), (40.0, 0.0)])
    curve = np.concatenate([first, second, tail])
    made = without_node(curve, 1)
    assert len(made) == 7 and (made[3:] == curve[6:]).all() and (made[0] == curve[0]).all()
    for mine, its in ((made[1] - made[0], curve[1] - curve[0]), (made[3] - made[2], curve[6] - curve[5])):
        assert mine @ its == pytest.approx(np.hypot(*mine) * np.hypot(*its)), "it leaves in the same direction"
    gap = shapely.hausdorff_distance(course(made[:4]), course(curve[:7]))
    assert gap < (1.0 if turn < 1.0 else 2.0)
    for factor in (0.9, 1.1):
        other = made[:4].copy()
        other[1] = other[0] + factor * (made[1] - made[0])
        assert spread(other, curve[:7]) > spread(made[:4], curve[:7]), "no other handle is as near"


def spread(one: Floats, other: Floats) -> float:
    """Mean square of the distances of the places on a curve from another."""
    line = course(one, 4000)
    return float(np.mean(shapely.distance(line, shapely.points(np.array(course(other).coords))) ** 2))


def test_a_node_beside_another_or_too_many_are_refused() -> None:
    curve = through(np.array([(x, x % 2) for x in range(6)], float))
    with pytest.raises(StudioError, match=r"^There is a node or a corner already\.$"):
        with_node(curve, curve[3])
    with pytest.raises(StudioError, match=r"^There is a node or a corner already\.$"):
        with_node(curve, curve[0] - 5.0)
    full = through(np.array([(x, x % 2) for x in range(21)], float))
    assert len(full) - 2 == MOST_HANDLES - 1
    with pytest.raises(StudioError, match="too many nodes"):
        with_node(full, full[[0, 3]].mean(axis=0))


def test_nodes_are_edited_by_text_on_any_board() -> None:
    before = JIGSAW.edit("convert")(JigsawDesign(JigsawParameters(tongue_style="wave")), SILENT).design
    shapes = shaped(before)
    edge = shapes.tiling.edge_indices["B2-B3"]
    curve = shapes.drawing.strokes[edge]
    x, y = course(curve).interpolate(0.3, normalized=True).coords[0]
    added = JIGSAW.edit(f"node B2-B3 at {x:.3f},{y:.3f}")(before, SILENT).design
    after = shaped(added)
    assert len(after.drawing.strokes[edge]) == len(curve) + 3 and len(added.cuts) == len(before.cuts)
    assert shapely.hausdorff_distance(course(after.drawing.strokes[edge]), course(curve)) < 0.02
    assert area(after) == pytest.approx(area(shapes), abs=1e-3)
    removed = JIGSAW.edit(f"unnode B2-B3 at {x:.3f},{y:.3f}")(added, SILENT).design
    assert len(shaped(removed).drawing.strokes[edge]) == len(curve)
    assert shapely.hausdorff_distance(course(shaped(removed).drawing.strokes[edge]), course(curve)) < 0.02
    plain = JIGSAW.edit(f"node B2-B3 at {x:.3f},{y:.3f}")(JigsawDesign(JigsawParameters(tongue_style="wave")), SILENT)
    assert shaped(plain.design).drawing.strokes[edge] == pytest.approx(after.drawing.strokes[edge], abs=1e-5)
    with pytest.raises(StudioError, match="is not possible: The nearest place is "):
        JIGSAW.edit(f"node B2-B3 at {x + 30:.3f},{y:.3f}")(before, SILENT)
    straight = JIGSAW.edit("convert")(JigsawDesign(JigsawParameters(plain_share=1.0)), SILENT).design
    with pytest.raises(StudioError, match="is not possible: The edge B2-B3 has no node"):
        JIGSAW.edit("unnode B2-B3 at 10,10")(straight, SILENT)


@pytest.mark.parametrize(
    "text", ["cut 0,5 15,15 15,5 0,16", "curve 0,5 15,15 15,5 0,16", "redraw A1-A2 through 20,5 20,35 5,20"]
)
def test_a_line_that_crosses_itself_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(StudioError, match=r"is not possible: The cut crosses itself at \d+\.\d, \d+\.\d mm\.$"):
        JIGSAW.edit(text)(BOARD.design, SILENT)


def test_the_place_where_a_line_crosses_itself_is_right() -> None:
    with pytest.raises(StudioError, match=r"The cut crosses itself at 10\.0, 10\.0 mm\.$"):
        JIGSAW.edit("cut 0,0 20,20 20,10 0,10")(BOARD.design, SILENT)
