"""Boards of drawn cuts: taken from other boards and from drawings of other programs, edited like all others."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.exporting.laser_files import write
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.files import store
from studio.files.drawing_import import read_cuts, read_drawing
from studio.files.imported_paths import Reading
from studio.geometry.art.artwork import PNG
from studio.geometry.curves.rings import Closing
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.abilities.ability import Editable
from studio.puzzles.jigsaw.figures.whimsies import CUT_OFF, STICKS_OUT, Pose, Whimsy
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import CornerEdit, JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.drawn_boards import converted, with_drawn_cuts
from studio.puzzles.jigsaw.model.drawn_cuts import (
    smooth,
    with_crossings_split,
    with_cut,
    with_edge_redrawn,
    with_straight_cut,
)
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.puzzles.jigsaw.picture.masks import area_on_board, of_area
from studio.puzzles.jigsaw.repair import repaired
from tests.depth import examples
from tests.puzzles.jigsaw.patterns import generated, knob, line, page
from tests.puzzles.jigsaw.test_boardpicture import photograph
from tests.tilings import TILINGS

PULLS = st.floats(-4.0, 4.0)
FORMS = ("rectangle", "ellipse", "heart")
SMALL = JigsawDesign(JigsawParameters(width=160.0, height=120.0, columns=5, rows=4, seed=3))


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def areas(drawing: Drawing) -> Floats:
    return np.sort(shapely.area(pieces_as_polygons(drawing, drawing.strokes.flattened(0.001))))


def said(design: JigsawDesign, shapes: JigsawShapes) -> list[str]:
    return sorted(finding.problem.key for finding in JIGSAW.check(design, shapes, None, SILENT).findings)


@pytest.mark.parametrize(("tiling", "outline"), [*product(TILINGS, FORMS)])
def test_a_board_of_any_tiling_is_converted_into_drawn_cuts_that_are_cut_alike(tiling: str, outline: str) -> None:
    design = replace(SMALL, parameters=replace(SMALL.parameters, tiling=tiling, outline=outline))
    before = shaped(design)
    drawn = converted(design)
    after = shaped(drawn)
    assert areas(after.drawing) == pytest.approx(areas(before.drawing), abs=0.01)
    assert sum(after.drawing.strokes.lengths) == pytest.approx(sum(before.drawing.strokes.lengths), abs=0.01)
    assert said(drawn, after) == said(design, before)
    assert len(after.tiling.chains) <= 1.2 * len(before.tiling.chains)
    data = store.dumps(JIGSAW, drawn)
    assert store.loads(data).design == drawn and store.dumps(JIGSAW, store.loads(data).design) == data
    again = shaped(converted(drawn))
    assert areas(again.drawing) == pytest.approx(areas(before.drawing), abs=0.01)


@pytest.mark.parametrize(("tiling", "suffix"), [*product(TILINGS, ("svg", "dxf"))])
def test_what_the_studio_writes_is_read_as_the_same_cuts(tiling: str, suffix: str, tmp_path: Path) -> None:
    before = shaped(replace(SMALL, parameters=replace(SMALL.parameters, tiling=tiling))).drawing
    path = tmp_path / f"board.{suffix}"
    write(plan(before, Machine(), Strategy.RELEASE_AWARE).drawing, path)
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT)
    after = shaped(drawn).drawing
    # DXF holds lines for curves.
    assert not notes and areas(after) == pytest.approx(areas(before), abs=0.01 if suffix == "svg" else 0.5)
    assert apart(before, after) < (0.001 if suffix == "svg" else 0.02)


def apart(one: Drawing, other: Drawing) -> float:
    """The largest distance of a cut of one drawing from the other's, in mm."""
    flats = [each.strokes.flattened(0.0005) for each in (one, other)]
    lines = [shapely.union_all(shapely.linestrings(flat.points, indices=flat.owners)) for flat in flats]
    return float(shapely.hausdorff_distance(*lines))


@pytest.mark.parametrize(("columns", "rows", "by_row"), [(6, 4, True), (6, 4, False), (15, 10, True), (3, 1, True)])
def test_boards_of_browser_generators_are_read_counted_and_cut(
    columns: int, rows: int, by_row: bool, tmp_path: Path
) -> None:
    path = tmp_path / "generated.svg"
    path.write_text(page(generated(columns, rows, by_row=by_row), 20.0 * columns, 20.0 * rows))
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT)
    shapes = shaped(drawn)
    assert not notes and len(shapes.drawing.pieces) == columns * rows
    assert areas(shapes.drawing).sum() == pytest.approx(400.0 * columns * rows, abs=0.1)
    assert sorted(shapes.tiling.piece_names)[0] == "A1" and "crossing" not in said(drawn, shapes)
    planned = plan(shapes.drawing, Machine(), Strategy.RELEASE_AWARE)
    assert planned.loose_cuts == 0
    assert write(planned.drawing, tmp_path / "board.svg").pieces == columns * rows


def test_paths_that_run_along_the_border_and_turn_into_a_row_are_read(tmp_path: Path) -> None:
    """One way of writing a board: every row and column begins and ends in a corner of the board."""
    path, width, height = tmp_path / "along.svg", 80.0, 60.0
    lines = [line((0, 0), (width, 0), (width, height), (0, height), (0, 0))]
    for row in (1, 2):
        edges = [
            np.array(knob(10 * row + at, (20.0 * at, 20.0 * row), (20.0 * at + 20, 20.0 * row))) for at in range(4)
        ]
        there, back = line((0, 0), (0, 20.0 * row)), line((width, 20.0 * row), (width, height))
        lines.append(np.concatenate([there, *(edge[1:] for edge in edges), back[1:]]))
    for column in (1, 2, 3):
        edges = [
            np.array(knob(7 * column + at, (20.0 * column, 20.0 * at), (20.0 * column, 20.0 * at + 20)))
            for at in range(3)
        ]
        there, back = line((0, 0), (20.0 * column, 0)), line((20.0 * column, height), (width, height))
        lines.append(np.concatenate([there, *(edge[1:] for edge in edges), back[1:]]))
    path.write_text(page(lines, width, height))
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT)
    assert len(shaped(drawn).drawing.pieces) == 12 and drawn.size == (width, height)
    (said,) = notes
    assert said.startswith("Left out ") and "drawn twice" in said


def test_a_page_drawn_by_hand_is_mended_and_what_is_left_out_has_its_place(tmp_path: Path) -> None:
    path = tmp_path / "hand.svg"
    path.write_text(page([
        line((10, 10), (110, 10)), line((110.04, 10.02), (110, 80)), line((110, 80), (10, 80)),
        line((10, 80), (10, 10)), line((40, 9.6), (40, 80.3)), line((10, 45), (110.0, 45)), line((70, 45), (70, 45)),
        line((40, 20), (40, 30)), line((80, 45), (80, 60)), line((90, 20), (95, 25)),
    ]))  # fmt: skip
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT)
    assert len(shaped(drawn).drawing.pieces) == 4 and drawn.size == pytest.approx((100, 70), abs=0.1)
    words = " ".join(notes)
    assert "Closed 4 gaps, the largest 0.04 mm wide." in words
    assert "Left out 1 line drawn twice: 30.0, 15.0 mm." in words
    assert "Left uncut, parting no piece: 4 lines, listed with the problems." in words and len(drawn.loose) == 4
    wider, _ = read_cuts(path, JigsawDesign(), SILENT, Reading(closing=Closing(gap=1.0)))
    assert len(shaped(wider).drawing.pieces) == 4


@pytest.mark.parametrize(("lines", "sentence"), [
    ([line((0, 0), (100, 0), (100, 50), (0, 50), (0, 0))], "its lines make a single piece; import it as an outline."),
    ([line((0, 0), (100, 50)), line((0, 50), (100, 0))],
     "its lines enclose no piece. If lines end apart, raise Close gaps (--gap)."),
    ([line(*((x + 60 * at, y) for x, y in [(0, 0), (50, 0), (50, 50), (0, 50), (0, 0)])) for at in (0, 1)],
     "it holds 2 boards apart from each other; a file is one board. If lines end apart, raise Close gaps (--gap)."),
    ([line((0, 0), (3, 0), (3, 2), (0, 2), (0, 0)), line((1, 0), (1, 2))], "it is 3.0 × 2.0 mm (minimum 5 mm)."),
])  # fmt: skip
def test_drawings_that_are_no_board_are_refused_in_a_sentence(
    lines: list[Floats], sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "odd.svg"
    path.write_text(page(lines))
    with pytest.raises(StudioError) as refused:
        read_cuts(path, JigsawDesign(), SILENT)
    assert str(refused.value) == f"Cannot import odd.svg: {sentence}"


def test_three_nested_borders_are_pieces_within_each_other() -> None:
    rings = [line((at, at), (100 - at, at), (100 - at, 100 - at), (at, 100 - at), (at, at)) for at in (0.0, 20.0, 40.0)]
    drawn, notes = with_drawn_cuts(JigsawDesign(), rings, 0.05)
    shapes = shaped(drawn)
    assert not notes and areas(shapes.drawing) == pytest.approx([400, 3200, 6400], abs=0.01)
    assert said(drawn, shapes) == []


@pytest.fixture(scope="module")
def drawn() -> JigsawDesign:
    return converted(SMALL)


def test_edits_of_drawn_cuts_are_kept_and_taken_back(drawn: JigsawDesign) -> None:
    before = shaped(drawn)
    edge = int(np.flatnonzero(before.tiling.bows)[7])
    name = before.tiling.edge_name(edge)
    flipped = edits.with_tongues_flipped(before, [edge])
    turned = shape(flipped, before, SILENT)
    first, last = before.drawing.strokes[edge][[0, -1]]
    way = (last - first) / np.hypot(*(last - first))
    mirror = 2 * np.outer(way, way) - np.eye(2)
    assert turned.drawing.strokes[edge] - first == pytest.approx((before.drawing.strokes[edge] - first) @ mirror)
    assert turned.piece_beside(edge, turned.tongues[edge, 0]) != before.piece_beside(edge, before.tongues[edge, 0])
    back = shape(edits.with_tongues_flipped(turned, [edge]), turned, SILENT)
    assert back.drawing.strokes[edge] == pytest.approx(before.drawing.strokes[edge])
    styled = shape(edits.with_tongues_styled(before, [edge], "ball"), before, SILENT)
    assert styled.style_of(edge).key == "ball" and not styled.drawn[edge]
    assert (styled.drawing.strokes[edge][[0, -1]] == before.drawing.strokes[edge][[0, -1]]).all()
    straight = shape(edits.with_tongues_plain(before, [edge], True), before, SILENT)
    assert straight.plain[edge] and straight.drawing.strokes.lengths[edge] < before.drawing.strokes.lengths[edge]
    assert edits.with_tongues_shaped(before, {edge: {"size": 0.5}}) == drawn
    rolled = shape(edits.with_tongues_rolled(before, [edge]), before, SILENT)
    assert not rolled.drawn[edge] and not rolled.plain[edge]
    twice = shape(edits.with_tongues_rolled(rolled, [edge]), rolled, SILENT)
    assert not twice.drawn[edge] and twice.drawing.strokes[edge] != pytest.approx(rolled.drawing.strokes[edge])
    corner = before.tiling.corner_indices[before.tiling.corner_name(int(before.tiling.movable[9]))]
    moved = edits.with_corners_at(before, {corner: (before.corners[corner] + 2.0).tolist()})
    after = shape(moved, before, SILENT)
    assert {edit.name for edit in moved.corners} == {before.tiling.corner_name(corner)}
    touched = before.tiling.graph.edges_at(np.array([corner]))
    assert set(after.drawing.strokes.changed_since(before.drawing.strokes).tolist()) == set(touched.tolist())
    assert store.loads(store.dumps(JIGSAW, flipped)).design == flipped
    assert name in {edit.name for edit in flipped.tongues}


CHANGES = ("flip", "straighten", "style", "randomise", "drag", "reset", "merge")


@settings(max_examples=examples(12))
@given(st.lists(st.tuples(st.sampled_from(CHANGES), st.integers(0, 200), PULLS, PULLS), min_size=1, max_size=8))
def test_any_edits_give_what_is_made_from_nothing_and_are_saved(
    drawn: JigsawDesign, changes: list[tuple[str, int, float, float]]
) -> None:
    design, shapes = drawn, shaped(drawn)
    checked = JIGSAW.check(design, shapes, None, SILENT)
    for change, which, right, down in changes:
        inner = shapes.tiling.graph.inner_edges
        edge = int(inner[which % len(inner)])
        corner = int(shapes.tiling.movable[which % len(shapes.tiling.movable)])
        match change:
            case "flip":
                design = edits.with_tongues_flipped(shapes, [edge])
            case "straighten":
                design = edits.with_tongues_plain(shapes, [edge], True)
            case "style":
                design = edits.with_tongues_styled(shapes, [edge], ("ball", "classic", None)[which % 3])
            case "randomise":
                design = edits.with_tongues_rolled(shapes, [edge])
            case "drag":
                design = edits.with_corners_at(shapes, {corner: (shapes.corners[corner] + (right, down)).tolist()})
            case "reset":
                design = edits.with_reset(shapes, [corner], [edge])
            case _:
                design = edits.with_pieces_merged(design, [shapes.tiling.edge_name(edge)], SILENT).design
        shapes = shape(design, shapes, SILENT)
        checked = JIGSAW.check(design, shapes, checked, SILENT)
    whole = shaped(design)
    assert (whole.drawing.strokes.points == shapes.drawing.strokes.points).all()
    assert whole.tiling.piece_names == shapes.tiling.piece_names
    found, wanted = checked.findings, JIGSAW.check(design, whole, None, SILENT).findings
    assert sorted(map(str, found)) == sorted(map(str, wanted))
    assert store.loads(store.dumps(JIGSAW, design)).design == design
    assert shape(drawn, shapes, SILENT).drawing.strokes.points == pytest.approx(shaped(drawn).drawing.strokes.points)


def test_a_cut_is_drawn_by_text_and_what_it_does_not_touch_keeps_its_name(drawn: JigsawDesign) -> None:
    before = shaped(drawn)
    kept = [name for name in before.tiling.edge_indices if not name.startswith("A")]
    edited = drawn.with_tongues([TongueEdit("A1-A2", side=1), TongueEdit(kept[-1], plain=True)])
    (edit,) = JIGSAW.need(Editable).read("cut 16,0 16,15 0,15")
    made = edit(edited, SILENT)
    after = shaped(made.design)
    assert made.dropped == () and set(after.tiling.piece_names) == {*before.tiling.piece_names, "A1.2"}
    assert areas(after.drawing).sum() == pytest.approx(areas(before.drawing).sum(), abs=0.01)
    assert after.tiling.edge_indices.keys() == {*before.tiling.edge_indices, "A1-A1.2"}
    assert made.design.tongues == edited.tongues and made.design.corners == ()
    assert after.drawing.strokes.lengths[after.tiling.edge_indices["A1-A1.2"]] == pytest.approx(31.0, abs=0.01)
    for name in kept:
        one, other = (each.drawing.strokes[each.tiling.edge_indices[name]] for each in (shaped(edited), after))
        assert one == pytest.approx(other, abs=1e-5)
    (again,) = JIGSAW.need(Editable).read("cut 5,0 5,15")
    parted = shaped(again(made.design, SILENT).design)
    assert set(parted.tiling.piece_names) - set(after.tiling.piece_names) == {"A1.3"}
    (across,) = JIGSAW.need(Editable).read("cut 0,70 160,66")
    many = shaped(across(drawn, SILENT).design)
    assert len(many.drawing.pieces) >= len(before.drawing.pieces) + 5
    assert areas(many.drawing).sum() == pytest.approx(areas(before.drawing).sum(), abs=0.01)


@pytest.mark.parametrize(("text", "sentence"), [
    ("cut 40,10 45,15", r"The cut must end on another one; 40\.0, 10\.0 mm is [0-9.]+ mm away from any\."),
    ("cut 0,10 -30,10 -30,30 0,30", r"The cut leaves the board at -[0-9.]+, [0-9.]+ mm\."),
    ("cut 10,10", "A cut needs two places or more"), ("cut 0,0 160,0", "The cut divides no piece"),
    ("cut ten", "must have the form `cut PLACES`"),
])  # fmt: skip
def test_a_cut_that_cannot_be_is_refused(drawn: JigsawDesign, text: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        JIGSAW.need(Editable).read(text)[0](drawn, SILENT)


@pytest.mark.parametrize(("paths", "pieces"), [
    ("M60 60L100 60L20 70 M60 20L60 80L30 10 M0 50H100M50 0V100", 0), ("M10 20H60V40H40V10M0 20H10M40 10V0", 0),
    ("M0 80C150 20 -50 20 100 80", 3), ("M0 50H60V30H40V100", 3), ("M0 50H100M0 49.5L100 50.5", 4),
    ("M0 50H100M0 49.5C30 50.3 70 50.6 100 49.5", 0), ("M0 50H100M50 0V100", 4),
])  # fmt: skip
@pytest.mark.parametrize("gap", [0.0, 0.05])
def test_lassos_flat_crossings_and_any_gap_are_read(paths: str, pieces: int, gap: float, tmp_path: Path) -> None:
    path = tmp_path / "odd.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="100mm" viewBox="0 0 100 100" fill="none" '
        f'stroke="#000"><path d="M0 0H100V100H0Z{paths}"/></svg>'
    )
    drawn, _ = read_cuts(path, JigsawDesign(), SILENT, Reading(closing=Closing(gap=gap)))
    found = shaped(drawn).drawing
    assert areas(found).sum() == pytest.approx(10_000.0, abs=0.1)
    assert pieces in (0, len(found.pieces))
    assert store.loads(store.dumps(JIGSAW, drawn)).design == drawn


@pytest.mark.parametrize(("radius", "count"), [(1.0, 200), (8.0, 60), (20.0, 3000)])
def test_a_ring_of_short_lines_stays_a_ring(radius: float, count: int) -> None:
    turns = np.linspace(0, 2 * np.pi, count + 1)
    ring = np.round(50 + radius * np.stack([np.cos(turns), np.sin(turns)], 1), 4)
    lines = [line(*pair) for pair in zip(ring[:-1].tolist(), ring[1:].tolist(), strict=True)]
    drawn, notes = with_drawn_cuts(JigsawDesign(), [line((0, 0), (100, 0), (100, 100), (0, 100), (0, 0)), *lines], 0.05)
    assert not notes and areas(shaped(drawn).drawing) == pytest.approx(
        sorted([np.pi * radius**2, 10_000 - np.pi * radius**2]), rel=0.003
    )


def test_a_comb_of_a_thousand_teeth_is_read_at_once() -> None:
    teeth = [line((at, 50), (at, 50 + side * 40)) for at in np.arange(1, 500).tolist() for side in (-1, 1)]
    border = line((0, 0), (500, 0), (500, 100), (0, 100), (0, 0))
    rows = [line((0, at), (500, at)) for at in (10, 50, 90)]
    drawn, notes = with_drawn_cuts(JigsawDesign(), [border, *rows, *teeth], 0.05)
    assert not notes and len(shaped(drawn).drawing.pieces) == 1002


def test_merging_and_cutting_leave_moved_corners_where_they_are(drawn: JigsawDesign) -> None:
    before = shaped(drawn)
    corner = int(before.tiling.movable[9])
    moved = edits.with_corners_at(before, {corner: (before.corners[corner] + 3.0).tolist()})
    name, place = before.tiling.corner_name(corner), shaped(moved).corners[corner]
    far = next(each for each in reversed(before.tiling.edge_indices) if corner not in before.tiling.graph.edges[
        before.tiling.edge_indices[each]])  # fmt: skip
    flipped = edits.with_tongues_flipped(shaped(moved), [before.tiling.edge_indices[far]])
    merged = shaped(edits.with_pieces_merged(moved, [far], SILENT).design)
    assert merged.corners[merged.tiling.corner_indices[name]] == pytest.approx(place, abs=1e-6)
    cut = shaped(with_straight_cut(flipped, SILENT, [(16.0, 0.0), (16.0, 15.0), (0.0, 15.0)]).design)
    assert cut.corners[cut.tiling.corner_indices[name]] == pytest.approx(place, abs=1e-5)
    kept, curve = cut.drawing.strokes[cut.tiling.edge_indices[far]], shaped(flipped).drawing.strokes
    assert kept == pytest.approx(curve[before.tiling.edge_indices[far]], abs=1e-5)


def test_merged_pieces_keep_the_names_of_all_others_and_split_again(drawn: JigsawDesign) -> None:
    before = shaped(drawn)
    name = before.tiling.edge_name(int(before.tiling.graph.inner_edges[5]))
    merged = edits.with_pieces_merged(drawn, [name], SILENT).design
    after = shaped(merged)
    assert len(after.tiling.piece_names) == len(before.tiling.piece_names) - 1
    assert set(after.tiling.piece_names) < set(before.tiling.piece_names)
    assert set(after.tiling.edge_indices) == set(before.tiling.edge_indices) - {name}
    assert areas(after.drawing).sum() == pytest.approx(areas(before.drawing).sum())
    assert edits.with_pieces_parted(merged, [name], SILENT).design == drawn


def test_drawn_cuts_are_stretched_with_their_board_and_an_edit_stays_on_its_corner(drawn: JigsawDesign) -> None:
    named = shaped(drawn).tiling.corner_name(int(shaped(drawn).tiling.movable[9]))
    edited = replace(drawn, corners=(CornerEdit(named, 0.1, 0.05),))
    wider = JIGSAW.generate(replace(edited.parameters, width=320.0, height=240.0), edited, SILENT)
    assert not wider.dropped and wider.design.corners == edited.corners
    before, after = shaped(edited), shaped(wider.design)
    assert after.drawing.strokes.lengths.sum() == pytest.approx(2 * before.drawing.strokes.lengths.sum(), rel=1e-6)
    assert after.corners == pytest.approx(2 * before.corners, abs=1e-6)


def test_what_drawn_cuts_cannot_have_is_said(drawn: JigsawDesign) -> None:
    with pytest.raises(StudioError, match=r"^The board is a single piece"):
        converted(JigsawDesign(JigsawParameters(columns=1, rows=1, width=50.0, height=50.0)))
    with pytest.raises(StudioError, match=r"^Drawn cuts keep their outline\."):
        edits.with_outline(drawn, [line((0, 0), (50, 0), (50, 50), (0, 0))], (50.0, 50.0), SILENT)
    with pytest.raises(StudioError, match=r"Drawn cuts keep their outline\."):
        replace(drawn, parameters=replace(drawn.parameters, outline="heart"))
    with pytest.raises(StudioError, match=r"Import cuts from an SVG or DXF file first\."):
        JigsawDesign(JigsawParameters(tiling="drawn", outline="file"), path=drawn.path)
    grid = JIGSAW.generate(replace(drawn.parameters, tiling="grid"), drawn, SILENT).design
    assert len(shaped(grid).drawing.pieces) == 20 and grid.cuts == drawn.cuts
    again = JIGSAW.generate(replace(grid.parameters, tiling="drawn"), grid, SILENT).design
    assert again == drawn


def test_a_file_with_a_cut_that_is_none_is_refused(drawn: JigsawDesign) -> None:
    text = store.dumps(JIGSAW, drawn).decode()
    first = drawn.cuts[0]
    for old, new, sentence in (
        (f'"name": "{first.name}"', '"name": ""', "names of a drawn cut must have 1 to 40 letters."),
        (f'"ends": ["{first.ends[0]}", "{first.ends[1]}"]', '"ends": ["1", "1"]', "from one corner to another"),
    ):
        assert old in text
        with pytest.raises(StudioError, match=sentence):
            store.loads(text.replace(old, new, 1).encode())


def test_a_converted_board_keeps_the_names_of_its_pieces_and_a_cut_is_drawn_on_any_board() -> None:
    for tiling in TILINGS:
        design = replace(SMALL, parameters=replace(SMALL.parameters, tiling=tiling))
        names = set(shaped(design).tiling.piece_names)
        assert set(shaped(converted(design)).tiling.piece_names) == names
    (edit,) = JIGSAW.need(Editable).read("cut 0,7 20,9 24,0")
    made = edit(SMALL, SILENT)
    after = shaped(made.design)
    assert made.dropped == () and set(after.tiling.piece_names) == {*shaped(SMALL).tiling.piece_names, "A1.2"}
    assert areas(after.drawing).sum() == pytest.approx(160 * 120, abs=0.01)


def test_edits_stay_unless_a_new_cut_meets_their_element(drawn: JigsawDesign) -> None:
    before = shaped(drawn)
    inner, near = (
        min(before.tiling.movable.tolist(), key=lambda corner: np.hypot(*(before.corners[corner] - place)))
        for place in ((128.0, 90.0), (32.0, 30.0))
    )
    moved = edits.with_corners_at(before, {
        inner: (before.corners[inner] + 2.5).tolist(), near: (before.corners[near] + 2.0).tolist(),
    })  # fmt: skip
    shapes = shaped(moved)
    far = max(shapes.tiling.edge_indices, key=lambda name: shapes.corners[
        shapes.tiling.graph.edges[shapes.tiling.edge_indices[name]]].sum())  # fmt: skip
    edited = edits.with_tongues_plain(shapes, [shapes.tiling.edge_indices[far]], False)
    shapes = shaped(edited)
    x, y = shapes.corners[near].tolist()
    made = with_straight_cut(edited, SILENT, [(0.0, 4.0), (x, y)])
    after = shaped(made.design)
    name, lost = before.tiling.corner_name(inner), before.tiling.corner_name(near)
    assert [edit.name for edit in made.design.corners] == [name] and made.dropped == (f"corner {lost}",)
    assert after.corners[after.tiling.corner_indices[name]] == pytest.approx(shapes.corners[inner], abs=1e-6)
    assert [edit.name for edit in made.design.tongues] == [far]
    untouched = [each for each in shapes.tiling.edge_indices if each in after.tiling.edge_indices]
    assert len(untouched) >= len(shapes.tiling.edge_indices) - 1
    for each in untouched:
        one, other = (board.drawing.strokes[board.tiling.edge_indices[each]] for board in (shapes, after))
        if each not in made.dropped:
            assert one == pytest.approx(other, abs=1e-5), each
    back = shaped(edits.with_reset(after, corners=[after.tiling.corner_indices[name]]))
    assert back.corners[back.tiling.corner_indices[name]] == pytest.approx(before.corners[inner], abs=1e-6)


def test_loose_lines_are_kept_found_and_extended_or_removed(tmp_path: Path) -> None:
    path = tmp_path / "gaps.svg"
    path.write_text(page([
        line((10, 10), (75, 10)), line((77, 10), (110, 10), (110, 80), (10, 80), (10, 10)), line((60, 10), (60, 80)),
        line((10, 45), (110, 45)), line((30, 10), (30, 28)), line((30.5, 31), (30, 45)), line((20, 45), (20, 76)),
        line((90, 52), (95, 60)),
    ]))  # fmt: skip
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT)
    assert notes == ("Left uncut, parting no piece: 6 lines, listed with the problems.",)
    # Beyond the gap in the border no piece is closed.
    assert len(shaped(drawn).drawing.pieces) == 3 and store.loads(store.dumps(JIGSAW, drawn)).design == drawn
    mended = repaired(drawn, SILENT)
    assert [one.is_detail for one in mended.design.loose] == [True]
    assert len(shaped(mended.design).drawing.pieces) == 6
    for _ in range(9):
        shapes = shaped(drawn)
        found = [each for each in JIGSAW.check(drawn, shapes, None, SILENT).findings if each.kind == "loose-line"]
        if not found:
            break
        repair = found[0].repair
        assert repair is not None and len(found) == sum(not one.is_detail for one in drawn.loose)
        drawn = repair.apply(drawn)
    shapes = shaped(drawn)
    assert (
        drawn.loose == mended.design.loose
        and drawn.size == pytest.approx((100, 70))
        and len(shapes.drawing.pieces) == 6
    )
    assert areas(shapes.drawing).sum() == pytest.approx(7000, abs=0.1)
    assert not JIGSAW.check(drawn, shapes, None, SILENT).errors


def test_loose_lines_are_edited_by_text(tmp_path: Path) -> None:
    path = tmp_path / "loose.svg"
    path.write_text(page([
        line((10, 10), (110, 10), (110, 80), (10, 80), (10, 10)), line((10, 45), (110, 45)), line((60, 45), (60, 76)),
        line((80, 45), (80, 60)),
    ]))  # fmt: skip
    drawn, _ = read_cuts(path, JigsawDesign(), SILENT)
    names = {one.name: one.curve[-1] for one in drawn.loose}
    near, far = sorted(names, key=lambda name: names[name][0])
    (longer, gone) = JIGSAW.need(Editable).read(f"extend {near}; trim {far}")
    made = longer(drawn, SILENT)
    assert [one.name for one in made.design.loose] == [far] and len(shaped(made.design).drawing.pieces) == 3
    assert gone(made.design, SILENT).loose == ()
    for text, sentence in ((f"extend {far}x", "There is no"), ("trim A1", "There is no A1 on the board")):
        with pytest.raises(StudioError, match=sentence):
            JIGSAW.need(Editable).read(text)[0](drawn, SILENT)


def test_an_edge_is_redrawn_through_places_and_between_its_corners(drawn: JigsawDesign) -> None:
    for design in (drawn, SMALL):
        before = shaped(design)
        name = before.tiling.edge_name(int(before.tiling.graph.inner_edges[7]))
        ends = before.drawing.strokes[before.tiling.edge_indices[name]][[0, -1]]
        middle = np.array([1.5, 2.5]) + ends.mean(axis=0)
        (edit,) = JIGSAW.need(Editable).read(f"redraw {name} through {middle[0]:.4f},{middle[1]:.4f}")
        after = shaped(edit(design, SILENT))
        curve = after.drawing.strokes[after.tiling.edge_indices[name]]
        assert curve[[0, -1]] == pytest.approx(ends, abs=1e-5) and curve[3] == pytest.approx(middle, abs=1e-3)
        assert set(after.tiling.piece_names) == set(before.tiling.piece_names)
        assert areas(after.drawing).sum() == pytest.approx(160 * 120, abs=0.01)
        pulled = edits.with_corners_at(after, {int(after.tiling.movable[9]): (60.0, 40.0)})
        assert len(shaped(pulled).drawing.pieces) == len(before.drawing.pieces)


def test_layers_of_a_pattern_are_cut_engraved_or_left_out(tmp_path: Path) -> None:
    path = tmp_path / "layers.svg"
    path.write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="60mm" viewBox="0 0 100 60" fill="none">'
        '<path stroke="#f00" d="M10 10H90V50H10Z M50 10V50"/><path stroke="#00f" d="M20 20H40 M20 26H30V38"/>'
        '<path stroke="#0f0" d="M0 0L100 60"/></svg>'
    )  # fmt: skip
    cut, marks, green = dict.fromkeys(read_drawing(path, None, SILENT).layers)
    drawn, notes = read_cuts(path, JigsawDesign(), SILENT, Reading(layers=(cut,), engraved=(marks,)))
    shapes = shaped(drawn)
    assert not notes and len(shapes.drawing.pieces) == 2 and drawn.size == (80.0, 40.0)
    (engraving,) = drawn.engravings
    places = engraving.on_board.points
    assert places.min(axis=0) == pytest.approx([10.0, 10.0], abs=1e-4)
    assert places.max(axis=0) == pytest.approx([30.0, 28.0], abs=1e-4)
    report = write(plan(shapes.whole, Machine(), Strategy.RELEASE_AWARE).drawing, tmp_path / "board.svg")
    assert report.pieces == 2
    rest, _ = read_cuts(path, JigsawDesign(), SILENT, Reading(engraved=(marks, green)))
    assert len(shaped(rest).drawing.pieces) == 2 and len(rest.engravings[0].paths) == 3
    with pytest.raises(StudioError, match="no layer is left to cut"):
        read_cuts(path, JigsawDesign(), SILENT, Reading(layers=(cut,), engraved=(cut,)))
    with pytest.raises(StudioError, match="it draws nothing on a layer 'gold'"):
        read_cuts(path, JigsawDesign(), SILENT, Reading(engraved=("gold",)))


HEART = Whimsy("heart1", "heart", Pose(x=75.0, y=4.0, height=36.0), border=STICKS_OUT)


@pytest.mark.parametrize("border", [STICKS_OUT, CUT_OFF])
@pytest.mark.parametrize("tiling", ["grid", "voronoi", "triangles"])
def test_a_board_with_a_figure_at_its_border_is_converted_and_all_on_it_stays_where_it_is(
    tiling: str, border: str
) -> None:
    engraving = Engraving("text1", Pose(x=40.0, y=60.0, height=8.0), "Anna")
    design = JigsawDesign(
        replace(SMALL.parameters, tiling=tiling),
        whimsies=(replace(HEART, border=border),),
        picture=BoardPicture(
            photograph(), PNG, scale=0.8, right=0.1, down=-0.05, turn=10.0, crop=(0.1, 0.0, 0.05, 0.2)
        ),
        engravings=(engraving,),
    )
    drawn = converted(design)
    was, now = shaped(design), shaped(drawn)
    assert areas(now.drawing) == pytest.approx(areas(was.drawing), abs=0.01)
    assert said(drawn, now) == said(design, was)
    low = [each.drawing.strokes.points.min(axis=0) for each in (was, now)]
    shift = low[1] - low[0]
    assert shift[0] == pytest.approx(0, abs=1e-6) and (shift[1] > 5) == (border == STICKS_OUT)
    (there,) = drawn.engravings
    assert (there.pose.x, there.pose.y) == pytest.approx((40.0, 60.0 + shift[1]))
    assert design.picture is not None and drawn.picture is not None
    left, top, width, height = design.picture.on_board(*design.size).box
    assert drawn.picture.on_board(*drawn.size).box == pytest.approx((left, top + shift[1], width, height), abs=1e-6)
    plain, bare = replace(design, picture=None), converted(replace(design, picture=None))
    area = shapely.box(10, 20, 60, 50)
    masked = converted(replace(plain, mask=of_area(area, None, plain.size)))
    moved = area_on_board(masked.mask, None, masked.size)
    assert moved.symmetric_difference(shapely.box(10, 20 + shift[1], 60, 50 + shift[1])).area < 1e-3
    assert replace(masked, mask=None) == bare


@pytest.mark.parametrize("border", [STICKS_OUT, CUT_OFF])
def test_a_cut_is_drawn_where_it_is_asked_for_on_a_board_that_a_figure_enlarges(border: str) -> None:
    design = JigsawDesign(SMALL.parameters, whimsies=(replace(HEART, border=border),))
    was = shaped(design)
    x, y = was.drawing.strokes[was.tiling.edge_indices["A3-A4"]][3].tolist()
    now = shaped(with_straight_cut(design, SILENT, [(x, 120.0), (x, y)]).design)
    assert len(now.drawing.pieces) == len(was.drawing.pieces) + 1
    shift = now.drawing.strokes.points.min(axis=0) - was.drawing.strokes.points.min(axis=0)
    assert np.abs(now.drawing.strokes.points - shift - np.array([x, y])).max(axis=1).min() < 0.01
    edge = was.tiling.edge_indices["B3-C3"]
    first, last = was.corners[was.tiling.graph.edges[edge]]
    curve = np.stack([first, (2 * first + last) / 3 + [4.0, 0.0], (first + 2 * last) / 3 - [4.0, 0.0], last])
    again = shaped(with_edge_redrawn(design, SILENT, name="B3-C3", curve=curve))
    assert again.drawing.strokes[again.tiling.edge_indices["B3-C3"]] == pytest.approx(curve + shift, abs=1e-4)


def test_a_cut_is_drawn_on_a_board_with_a_hole() -> None:
    """The rings of border and hole have different numbers of points."""
    lines = [line((0, 0), (100, 0), (100, 60), (0, 60), (0, 0)), line((50, 0), (50, 60))]
    board, _ = with_drawn_cuts(JigsawDesign(), lines, 0.05)
    key = Whimsy("key1", "key", Pose(x=26.0, y=30.0, height=24.0))
    before = shaped(replace(board, whimsies=(key,)))
    after = shaped(with_straight_cut(before.design, SILENT, [(50.0, 20.0), (100.0, 20.0)]).design)
    assert len(after.tiling.voids) == 1
    assert len(after.drawing.pieces) == len(before.drawing.pieces) + 1
    assert areas(after.drawing).sum() == pytest.approx(areas(before.drawing).sum(), abs=0.01)


def test_a_smooth_cut_that_meets_a_corner_at_a_node_has_no_wiggle_there() -> None:
    """A cubic of less than a micrometre beside the corner is left out; turned round, it crossed the other cuts."""
    lines = [
        line((0, 0), (100, 0), (100, 60), (0, 60), (0, 0)),
        line((0, 30), (50, 30), (100, 30)),
        line((50, 0), (50, 60)),
    ]
    near = np.array([50.0003, 30.0002])
    stroke = smooth(np.array([[20.0, 0.0], near, [80.0, 60.0]]))
    board = with_cut(with_drawn_cuts(JigsawDesign(), lines, 0.05)[0], SILENT, stroke).design
    assert len(shaped(board).drawing.pieces) == 6 and not said(board, shaped(board)).count("crossing")
    assert all(np.ptp(np.array(cut.curve)[at : at + 4], axis=0).max() > 0.001
               for cut in board.cuts for at in range(0, len(cut.curve) - 1, 3))  # fmt: skip


def test_splitting_at_the_crossing_mends_a_wiggle_that_a_file_holds() -> None:
    lines = [line((0, 0), (100, 0), (100, 60), (0, 60), (0, 0)), line((0, 30), (100, 30)), line((50, 0), (50, 60))]
    board, _ = with_drawn_cuts(JigsawDesign(), lines, 0.05)
    cut = next(one for one in board.cuts if one.curve[0] == (50.0, 30.0) or one.curve[-1] == (50.0, 30.0))
    begins = cut.curve[0] == (50.0, 30.0)
    curve = cut.curve if begins else cut.curve[::-1]
    wiggly = (curve[0], (50.0003, 30.0004), (49.9997, 29.9996), (50.0, 30.0003), *curve[1:])
    changed = replace(cut, curve=wiggly if begins else wiggly[::-1])
    design = replace(board, cuts=tuple(changed if one is cut else one for one in board.cuts))
    assert JIGSAW.check(design, shaped(design), None, SILENT).errors
    split = with_crossings_split(design, SILENT).design
    assert not JIGSAW.check(split, shaped(split), None, SILENT).errors and len(shaped(split).drawing.pieces) == 4
