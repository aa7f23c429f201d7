"""A drawing's pieces have the areas, outlines, paths and tints that its strokes enclose."""

import numpy as np
import pytest
import shapely

from studio.geometry.curves.strokes import Curves, closed_through, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation, Pieces, nearest_point
from studio.geometry.planar.regions import Picker, tints

# Two squares of 10 mm side by side: the strokes are top, top, bottom, bottom, left, middle, right.
ENDS = [((0, 0), (10, 0)), ((10, 0), (20, 0)), ((0, 10), (10, 10)), ((10, 10), (20, 10)),
        ((0, 0), (0, 10)), ((10, 0), (10, 10)), ((20, 0), (20, 10))]  # fmt: skip


def drawing(*, bulge: float = 0.0) -> Drawing:
    """Return the two squares; the cut between them may bulge to the right."""
    strokes = straight(np.array(ENDS, float))
    points = strokes.points.copy()
    points[5 * 4 + 1 : 5 * 4 + 3, 0] += bulge
    pieces = Pieces(np.array([0, 10, 5, 9, 2, 12, 7, 11]), np.array([0, 4, 8]), ("A1", "B1"))
    border = Chain(Operation.BORDER, np.array([2, 12, 7, 5, 9, 0]), closed=True)
    chains = (Chain(Operation.INNER, np.array([10])), border)
    return Drawing(20.0, 10.0, Curves(points, strokes.starts), chains, pieces)


def test_areas_are_those_of_the_squares_with_the_bulge_moved_from_one_to_the_other() -> None:
    board = drawing(bulge=4.0)
    # A cubic with both handles moved sideways by b encloses ½ · b · length.
    areas = board.areas(board.strokes.flattened(1e-4).sweeps)
    assert areas == pytest.approx([100 + 20, 100 - 20], rel=1e-4)


def test_outlines_are_closed_and_enclose_the_areas() -> None:
    board = drawing(bulge=4.0)
    lines = board.strokes.flattened(0.01)
    outlines = board.outlines(lines)
    for piece, area in enumerate(board.areas(lines.sweeps).tolist()):
        assert np.array_equal(outlines[piece][0], outlines[piece][-1])
        assert shapely.Polygon(outlines[piece]).area == pytest.approx(area)


def test_paths_follow_the_chains_in_order_and_closed_ones_end_where_they_start() -> None:
    inner, border = drawing().paths()
    assert (inner.operation, inner.closed) == (Operation.INNER, False)
    assert (border.operation, border.closed) == (Operation.BORDER, True)
    assert inner.points[[0, -1]].tolist() == [[10, 0], [10, 10]]
    assert border.points[0].tolist() == border.points[-1].tolist() == [10, 0]
    assert all(len(path.points) % 3 == 1 for path in (inner, border))


def test_the_cut_length_is_that_of_all_strokes_once() -> None:
    assert drawing().cut_length == pytest.approx(70.0)


def test_the_nearest_stroke_is_found_within_reach_and_none_beyond() -> None:
    picker = Picker(drawing(bulge=4.0))
    assert picker.nearest_stroke(13.0, 5.0, 0.5) == 5
    assert picker.nearest_stroke(10.0, 5.0, 0.5) is None
    assert picker.nearest_stroke(5.0, 0.4, 0.5) == 0
    assert picker.nearest_stroke(5.0, -0.6, 0.5) is None
    assert picker.nearest_stroke(19.0, 6.0, 5.0) == 6


def test_the_piece_around_a_place_follows_the_curve_and_not_the_corners() -> None:
    picker = Picker(drawing(bulge=4.0))
    assert picker.piece_at(12.5, 5.0) == 0
    assert picker.piece_at(13.5, 5.0) == 1
    assert picker.piece_at(10.5, 0.2) == 1
    assert picker.piece_at(21.0, 5.0) is None
    assert picker.piece_at(5.0, -1.0) is None


def test_a_rubber_band_takes_the_strokes_wholly_within_it() -> None:
    picker = Picker(drawing())
    assert picker.strokes_within((-1, -1), (21, 11)).tolist() == list(range(7))
    assert picker.strokes_within((-1, -1), (10, 11)).tolist() == [0, 2, 4, 5]
    assert picker.strokes_within((1, 1), (9, 9)).tolist() == []


@pytest.mark.parametrize("seed", range(3))
def test_the_nearest_point_is_the_one_a_plain_loop_finds(seed: int) -> None:
    points = np.random.default_rng(seed).uniform(0, 10, (50, 2))
    best = min(range(50), key=lambda i: float(np.hypot(*(points[i] - [5, 5]))))
    assert nearest_point(points, 5, 5, 10) == best
    assert nearest_point(points, 50, 50, 10) is None
    assert nearest_point(np.empty((0, 2)), 5, 5, 10) is None


def grid_pieces(columns: int, rows: int) -> Pieces:
    """Return the pieces of a grid: stroke numbers only, laid out by hand."""

    def across(x: int, y: int) -> int:
        return y * columns + x

    def down(x: int, y: int) -> int:
        return (rows + 1) * columns + y * (columns + 1) + x

    codes = [
        [2 * across(x, y), 2 * down(x + 1, y), 2 * across(x, y + 1) + 1, 2 * down(x, y) + 1]
        for y in range(rows)
        for x in range(columns)
    ]
    names = tuple(str(i) for i in range(columns * rows))
    return Pieces(np.array(codes).ravel(), np.arange(len(codes) + 1) * 4, names)


@pytest.mark.parametrize("size", [(1, 1), (1, 7), (12, 6), (37, 23)])
def test_neighbours_have_different_tints_and_no_tint_is_forgotten(size: tuple[int, int]) -> None:
    columns, rows = size
    colours = tints(grid_pieces(columns, rows), 6).reshape(rows, columns)
    assert colours.min() >= 0 and colours.max() < 6
    assert (colours[1:] != colours[:-1]).all() and (colours[:, 1:] != colours[:, :-1]).all()
    assert len(np.unique(colours)) == 6 or columns * rows < 12


@pytest.mark.parametrize("is_filled", [False, True])
def test_a_hole_is_open_where_no_piece_lies_in_it(is_filled: bool) -> None:
    outer, inner = (closed_through(np.array([(a, a), (b, a), (b, b), (a, b)], float)) for a, b in ((0, 9), (3, 6)))
    rings = [0, 3, 2] if is_filled else [0, 3]
    starts = np.array([0, 2, 3] if is_filled else [0, 2])
    pieces = Pieces(np.array(rings), starts, ("Frame", "Middle")[: len(starts) - 1], np.array([1]))
    drawn = Drawing(9.0, 9.0, Curves.from_strokes([outer, inner]), (Chain(Operation.BORDER, np.array([0])),), pieces)
    assert len(drawn.open_holes) == (0 if is_filled else 1)
