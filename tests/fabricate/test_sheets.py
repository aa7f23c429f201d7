"""Pieces and boards lie on their sheets: all of them, within the margins, apart, and named where they cannot."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.sheets import SheetLayout, mirrored, nested_boards, nested_pieces
from studio.fabricate.workshop import Bed
from studio.geometry.curves.strokes import Curves, Floats, straight
from studio.geometry.planar.drawing import Chain, Drawing, Operation
from studio.geometry.planar.regions import pieces_as_polygons

Contour = Callable[..., Floats]
Lying = Callable[..., Drawing]
Jigsaw = Callable[..., Drawing]
FINE = 0.001


def ring(sheet: Drawing, chain: Chain) -> shapely.Polygon:
    """What a closed chain encloses."""
    curve = sheet.strokes.joined(chain.strokes, np.array([0, len(chain.strokes)]))
    return shapely.Polygon(curve.flattened(FINE)[0])


def polygons(sheet: Drawing) -> list[shapely.Polygon]:
    """The pieces of a sheet with their holes cut out."""
    return list(pieces_as_polygons(sheet, sheet.strokes.flattened(FINE)))


def assert_kept_apart(layout: SheetLayout, bed: Bed) -> None:
    """Every piece lies within the margins and as far from every other as the spacing."""
    for sheet in layout.sheets:
        assert (sheet.width, sheet.height) == (bed.width, bed.height)
        lines = sheet.outlines(sheet.strokes.flattened(FINE))
        low, high = lines.points.min(axis=0), lines.points.max(axis=0)
        assert (low >= bed.margin - 2 * FINE).all()
        assert (high <= np.array([bed.width, bed.height]) - bed.margin + 2 * FINE).all()
        outlines = shapely.polygons(shapely.linearrings(lines.points, indices=lines.owners))
        tree = shapely.STRtree(outlines)
        at, other = tree.query(outlines, predicate="dwithin", distance=max(bed.spacing - 2 * FINE, 0.0))
        assert (at == other).all()


@pytest.mark.parametrize("spacing", [0.0, 1.0, 4.0])
def test_pieces_keep_their_spacing_and_the_margins_and_none_is_lost(jigsaw: Jigsaw, spacing: float) -> None:
    bed = Bed(210, 150, margin=7, spacing=spacing)
    cut = cutouts(Contours(jigsaw(9, 6)), 0.075)
    layout = nested_pieces(cut, bed)
    assert_kept_apart(layout, bed)
    names = [name for sheet in layout.sheets for name in sheet.pieces.names]
    assert sorted(names) == sorted(cut.names)
    area = sum(float(sheet.piece_areas.sum()) for sheet in layout.sheets)
    assert area == pytest.approx(cut.rings.flattened(FINE).sweeps.sum(), rel=1e-4)
    assert sum(layout.use) * 210 * 150 == pytest.approx(area, rel=1e-4)
    assert layout.notes == ()


def test_every_piece_keeps_its_shape_and_is_cut_clockwise(jigsaw: Jigsaw) -> None:
    cut = cutouts(Contours(jigsaw(6, 5)), 0.075)
    areas = dict(zip(cut.names, cut.rings.flattened(FINE).sweeps.tolist(), strict=True))
    lengths = dict(zip(cut.names, cut.rings.lengths.tolist(), strict=True))
    for sheet in nested_pieces(cut, Bed(160, 120)).sheets:
        lines = sheet.outlines(sheet.strokes.flattened(FINE))
        for piece, name in enumerate(sheet.pieces.names):
            assert lines.sweeps[piece] == pytest.approx(areas[name], rel=1e-5)
            assert lines.lengths[piece] == pytest.approx(lengths[name], rel=1e-4)


def test_nesting_takes_less_of_a_sheet_than_rows_of_boxes_would(jigsaw: Jigsaw) -> None:
    bed = Bed(600, 400, margin=5, spacing=1)
    cut = cutouts(Contours(jigsaw(12, 6)), 0.075)
    (sheet,) = nested_pieces(cut, bed).sheets
    lines = sheet.outlines(sheet.strokes.flattened(0.01))
    outlines = cut.rings.flattened(0.01)
    boxes = shapely.bounds(shapely.linestrings(outlines.points, indices=outlines.owners))
    sizes = np.sort(boxes[:, 2:] - boxes[:, :2], axis=1)[:, ::-1]
    depth, right, row = 5.0, 5.0, 0.0
    for width, height in sizes[np.argsort(-sizes[:, 1])].tolist():
        if right + width > 595:
            depth, right, row = depth + row + 1, 5.0, 0.0
        right, row = right + width + 1, max(row, height)
    assert lines.points[:, 1].max() < 0.95 * (depth + row)


def test_copies_are_all_laid_and_told_apart_by_a_number(jigsaw: Jigsaw) -> None:
    bed = Bed(200, 200)
    cut = cutouts(Contours(jigsaw(3, 2)), 0.075)
    layout = nested_pieces(cut, bed, copies=3)
    assert_kept_apart(layout, bed)
    names = sorted(name for sheet in layout.sheets for name in sheet.pieces.names)
    assert names == sorted(name + number for name in cut.names for number in ("", " (2)", " (3)"))


def test_holes_go_with_their_piece_and_are_cut_before_outlines(
    contour: Contour, round_contour: Contour, lying: Lying
) -> None:
    bed = Bed(120, 60, spacing=2)
    cut = cutouts(Contours(lying([contour([(10, 10), (50, 10), (50, 30), (10, 30)]), round_contour(30, 20, 5)])), 0.1)
    layout = nested_pieces(cut, bed, copies=2)
    (sheet,) = layout.sheets
    kinds = [chain.operation for chain in sheet.chains]
    # The round piece lies within the other one, away from the border.
    assert kinds == [Operation.INNER] * 4 + [Operation.BORDER] * 2
    assert all(chain.closed for chain in sheet.chains)
    ring = 40.2 * 20.2 - np.pi * 4.9**2
    disc = np.pi * 5.1**2
    assert sorted(piece.area for piece in polygons(sheet)) == pytest.approx([disc, disc, ring, ring], rel=1e-3)
    assert layout.use[0] == pytest.approx(2 * (ring + disc) / (120 * 60), rel=1e-3)
    assert_kept_apart(layout, bed)


def test_a_piece_is_turned_where_only_that_fits(contour: Contour, lying: Lying) -> None:
    bed = Bed(30, 100, margin=5, spacing=0)
    (sheet,) = nested_pieces(cutouts(Contours(lying([contour([(0, 0), (90, 0), (90, 20), (0, 20)])])), 0.0), bed).sheets
    low, high = sheet.strokes.points.min(axis=0), sheet.strokes.points.max(axis=0)
    assert low == pytest.approx([5, 5]) and high == pytest.approx([25, 95])


def test_a_piece_larger_than_the_sheet_is_named_with_both_sizes(contour: Contour, lying: Lying) -> None:
    drawing = lying([contour([(0, 0), (5, 0), (5, 5), (0, 5)]), contour([(10, 0), (100, 0), (100, 20), (10, 20)])])
    said = r"Piece P2 \(90\.0 × 20\.0 mm\) is larger than the usable bed \(20 × 89\.9 mm\)\. Choose a larger machine"
    with pytest.raises(StudioError, match=said):
        nested_pieces(cutouts(Contours(drawing), 0.0), Bed(30, 99.9, margin=5))
    with pytest.raises(StudioError, match=said):
        nested_boards(drawing, Bed(30, 99.9, margin=5))


@pytest.mark.parametrize("values", [(0, 100, 0, 0), (100, -5, 0, 0), (100, 100, 50, 0), (100, 100, 0, -1)])
def test_a_bed_that_takes_nothing_is_refused(values: tuple[float, float, float, float]) -> None:
    with pytest.raises(StudioError):
        Bed(*values)


def test_fewer_copies_than_one_are_refused(jigsaw: Jigsaw) -> None:
    with pytest.raises(StudioError, match="The number of copies must be at least 1"):
        nested_boards(jigsaw(2, 2), Bed(200, 200), copies=0)
    with pytest.raises(StudioError, match="The number of copies must be at least 1"):
        nested_pieces(cutouts(Contours(jigsaw(2, 2)), 0.0), Bed(200, 200), copies=0)


def test_the_layout_is_the_same_every_time_and_can_be_cancelled(jigsaw: Jigsaw) -> None:
    cut = cutouts(Contours(jigsaw(8, 5)), 0.075)
    told: list[float] = []
    one = nested_pieces(cut, Bed(200, 150), progress=Progress(lambda share, _: told.append(share)))
    two = nested_pieces(cut, Bed(200, 150))
    for a, b in zip(one.sheets, two.sheets, strict=True):
        assert (a.strokes.points == b.strokes.points).all() and a.pieces.names == b.pieces.names
    assert told[-1] == 1.0 and all(a <= b for a, b in pairwise(told))
    progress = Progress()
    progress.cancel()
    with pytest.raises(Cancelled):
        nested_pieces(cut, Bed(200, 150), progress=progress)


def test_boards_lie_beside_each_other_in_several_copies(jigsaw: Jigsaw) -> None:
    board = jigsaw(4, 2)
    bed = Bed(230, 170, margin=5, spacing=3)
    layout = nested_boards(board, bed, copies=9)
    # 100 × 50 mm: two abreast and three deep.
    assert [len(sheet.pieces) for sheet in layout.sheets] == [48, 24]
    assert layout.use[0] == pytest.approx(6 * 5000 / (230 * 170), rel=1e-3)
    assert layout.notes == ()
    names = [name for sheet in layout.sheets for name in sheet.pieces.names]
    assert len(set(names)) == 72 and names.count("A1") == 1 and names.count("A1 (9)") == 1
    first = layout.sheets[0]
    assert first.cut_length == pytest.approx(6 * board.cut_length)
    order = [chain.operation for chain in first.chains]
    assert order == sorted(order, key=list(Operation).index) and order.count(Operation.BORDER) == 6
    borders = [ring(first, chain) for chain in first.chains if chain.operation is Operation.BORDER]
    for at, one in enumerate(borders):
        assert all(one.distance(other) > 3 - 1e-6 for other in borders[:at])
    low, high = first.strokes.points.min(axis=0), first.strokes.points.max(axis=0)
    assert (low > 5 - 1e-6).all() and (high < np.array([225, 165]) + 1e-6).all()


def test_a_board_is_turned_where_more_fit_so(jigsaw: Jigsaw) -> None:
    # 100 × 50 mm on 110 × 210: lying, four fit; standing, 2 × 2 too; on 60 × 210 only standing ones do.
    assert [len(sheet.pieces) for sheet in nested_boards(jigsaw(4, 2), Bed(60, 210, 0, 0), copies=3).sheets] == [16, 8]
    areas = nested_boards(jigsaw(4, 2), Bed(60, 210, 0, 0)).sheets[0].piece_areas
    assert (areas > 0).all() and areas.sum() == pytest.approx(5000, rel=1e-4)


def engraved_on(board: Drawing, curves: Curves, *, is_on_back: bool = False) -> Drawing:
    """A board with lines engraved on it."""
    first = len(board.strokes)
    chains = [
        Chain(Operation.ENGRAVE, np.array([2 * (first + at)]), closed=False, is_on_back=is_on_back)
        for at in range(len(curves))
    ]
    return replace(board, strokes=Curves.gathered([board.strokes, curves]), chains=(*chains, *board.chains))


def test_lines_engraved_across_a_split_are_on_both_of_its_sides(jigsaw: Jigsaw) -> None:
    board, bed = jigsaw(12, 6), Bed(170, 120, margin=5, spacing=1)
    ends = np.array([[(5.0, 70.0), (295.0, 80.0)], [(40.0, 5.0), (40.0, 145.0)], [(12.0, 10.0), (14.0, 12.0)]])
    beside = np.array([[(-30.0, 70.0), (-20.0, 75.0)]])
    marked = engraved_on(board, straight(np.concatenate([ends, beside])), is_on_back=True)
    plain, layout = nested_boards(board, bed), nested_boards(marked, bed)
    assert len(layout.sheets) == len(plain.sheets) > 1
    lengths = []
    for sheet, other in zip(layout.sheets, plain.sheets, strict=True):
        assert sheet.pieces.names == other.pieces.names and sheet.cut_length == pytest.approx(other.cut_length)
        wood = shapely.union_all(polygons(sheet)).buffer(0.01)
        for chain in sheet.chains:
            if chain.operation is Operation.ENGRAVE:
                assert chain.is_on_back
                line = shapely.LineString(sheet.strokes.joined(chain.strokes, np.array([0, 1])).flattened(FINE)[0])
                assert wood.contains(line), "nothing is engraved where its part has no wood"
                lengths.append(line.length)
    assert len(lengths) > 4
    whole = float(np.hypot(*(ends[:, 1] - ends[:, 0]).T).sum())
    assert sum(lengths) == pytest.approx(whole, abs=0.05), "all of every line, and none of it twice"


@pytest.mark.parametrize("bed", [Bed(200, 150), Bed(120, 400), Bed(90, 90), Bed(320, 100)])
def test_a_board_too_large_is_split_along_its_cuts_into_parts_that_fit(jigsaw: Jigsaw, bed: Bed) -> None:
    board = jigsaw(12, 6)
    layout = nested_boards(board, bed)
    names = [name for sheet in layout.sheets for name in sheet.pieces.names]
    assert sorted(names) == sorted(board.pieces.names)
    assert sum(float(sheet.piece_areas.sum()) for sheet in layout.sheets) == pytest.approx(300 * 150, rel=1e-4)
    parts = 0
    outer = 0.0
    for sheet in layout.sheets:
        flat = sheet.strokes.flattened(FINE).points
        assert (flat >= bed.margin - 2 * FINE).all()
        assert (flat <= np.array([bed.width, bed.height]) - bed.margin + 2 * FINE).all()
        for chain in sheet.chains:
            if chain.operation is Operation.BORDER:
                border = ring(sheet, chain)
                assert chain.closed and border.is_valid
                outer += border.area
                parts += 1
    # What the borders enclose is the board: parts hang together and leave nothing out.
    assert outer == pytest.approx(300 * 150, rel=1e-4)
    (note,) = layout.notes
    assert f"split along cut lines into {parts} parts" in note and "300 × 150 mm" in note
    assert parts >= np.ceil(300 * 150 / (bed.inside[0] * bed.inside[1]))


def test_cuts_between_two_parts_are_cut_on_both(jigsaw: Jigsaw) -> None:
    board = jigsaw(8, 4)
    layout = nested_boards(board, Bed(140, 130))
    assert len(layout.sheets) == 2
    shared = board.pieces.codes >> 1
    left = {name for name in layout.sheets[0].pieces.names}
    owner = np.array([name in left for name in board.pieces.names])[board.pieces.owners]
    seam = [stroke for stroke in np.unique(shared).tolist() if len(set(owner[shared == stroke].tolist())) == 2]
    twice = float(board.strokes.lengths[seam].sum())
    assert sum(sheet.cut_length for sheet in layout.sheets) == pytest.approx(board.cut_length + twice)


def test_engraved_lines_go_with_the_part_on_which_they_lie(jigsaw: Jigsaw) -> None:
    board = jigsaw(8, 4)
    # A line of 2 mm in the middle of every piece.
    outlines = board.outlines(board.strokes.flattened(0.01))
    middles = np.array([outlines[piece].mean(axis=0) for piece in range(32)])
    lines = straight(np.stack([middles, middles + np.array([2.0, 0.0])], 1))
    strokes = Curves(
        np.concatenate([board.strokes.points, lines.points]),
        np.concatenate([board.strokes.starts, board.strokes.starts[-1] + lines.starts[1:]]),
    )
    codes = 2 * (len(board.strokes) + np.arange(32))
    engraved = Chain(Operation.ENGRAVE, codes)
    layout = nested_boards(replace(board, strokes=strokes, chains=(engraved, *board.chains)), Bed(140, 130))
    assert len(layout.sheets) == 2
    for sheet in layout.sheets:
        marks = np.concatenate([c.strokes for c in sheet.chains if c.operation is Operation.ENGRAVE]) >> 1
        assert sheet.strokes.lengths[marks] == pytest.approx(np.full(16, 2.0))
        places = shapely.points(sheet.strokes.points[sheet.strokes.starts[marks]])
        inside = shapely.STRtree(polygons(sheet)).query(places, predicate="within")
        assert sorted(inside[1].tolist()) == list(range(16))


def test_a_mirrored_drawing_runs_clockwise_and_mirrored_again_is_the_same(jigsaw: Jigsaw) -> None:
    board = jigsaw(5, 3)
    flipped = mirrored(board)
    assert flipped.piece_areas == pytest.approx(board.piece_areas)
    assert flipped.strokes.points[:, 0] == pytest.approx(board.width - board.strokes.points[:, 0])
    lines = flipped.outlines(flipped.strokes.flattened(0.01))
    assert (lines.points[lines.starts[:-1]] == lines.points[lines.starts[1:] - 1]).all()
    again = mirrored(flipped)
    assert again.strokes.points == pytest.approx(board.strokes.points, abs=1e-9)
    assert (again.pieces.codes == board.pieces.codes).all() and again.pieces.names == board.pieces.names
