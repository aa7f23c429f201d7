"""Drop-outs: pieces left open, in every file, in print and at play, and cut again."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.exporting.laser_files import write, write_all
from studio.exporting.writing import write_solids
from studio.fabricate.making import Making, made
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine, Material
from studio.files import store
from studio.geometry.board.board_spec import LooseLine
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.abilities.ability import Editable
from studio.puzzles.jigsaw.figures.figure_edits import with_figure, with_figures_copied
from studio.puzzles.jigsaw.figures.whimsies import INSIDE, STICKS_OUT, Pose, Whimsy
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.fits.interlock import holds
from studio.puzzles.jigsaw.game import start
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.puzzles.jigsaw.model.drawn_boards import converted
from studio.puzzles.jigsaw.model.drawn_cuts import with_lines_extended, with_straight_cut
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies
from studio.puzzles.jigsaw.model.tiling import carry, with_whimsies
from studio.puzzles.jigsaw.pen import handles_of
from studio.puzzles.jigsaw.repair import repaired
from tests.tilings import TILINGS

SMALL = JigsawDesign(JigsawParameters(width=160.0, height=120.0, columns=5, rows=4, seed=3))
OPEN = ("A1", "C2", "D3", "E2")


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def faces_of(drawing: Drawing) -> list[float]:
    """Areas in mm² of the faces between all cuts, by shapely."""
    used = np.unique(np.concatenate([chain.strokes >> 1 for chain in drawing.chains]))
    flat = drawing.strokes.chosen(used).flattened(0.01)
    lines = shapely.union_all(shapely.linestrings(flat.points, indices=flat.owners))
    return sorted(one.area for one in shapely.get_parts(shapely.polygonize(shapely.get_parts(lines))))


@pytest.mark.parametrize(("tiling", "names"), [*product(TILINGS, (1, 3))])
def test_drop_outs_are_cut_out_and_are_no_pieces(tiling: str, names: int, tmp_path: Path) -> None:
    design = replace(SMALL, parameters=replace(SMALL.parameters, tiling=tiling))
    whole = shaped(design)
    chosen = whole.tiling.piece_names[5 : 5 + names]
    dropped = edits.with_drop_outs(design, SILENT, chosen)
    shapes = shaped(dropped)
    assert len(shapes.whole.pieces) == len(whole.whole.pieces) - names and {*chosen}.isdisjoint(
        shapes.whole.pieces.names
    )
    planned = plan(shapes.whole, Machine(), Strategy.RELEASE_AWARE)
    assert planned.loose_cuts == 0
    report = write(planned.drawing, tmp_path / "board.svg")
    assert report.pieces == len(shapes.whole.pieces)
    faces, areas = faces_of(planned.drawing), np.sort(shapes.whole.piece_areas)
    assert all(min(abs(area - face) for face in faces) < 0.5 for area in areas) and sum(faces) <= 160 * 120 + 0.1
    data = store.dumps(JIGSAW, dropped)
    assert store.loads(data).design == dropped
    assert edits.without_drop_outs(dropped, SILENT, chosen) == design


def test_a_board_with_open_corners_and_neighbours_is_written_in_every_way(tmp_path: Path) -> None:
    shapes = shaped(SMALL.with_drop_outs([*OPEN, "D2"]))
    for lines, suffix in product(("shared", "separate"), (".svg", ".dxf", ".pdf", ".lbrn2")):
        sheets = made(shapes.whole, Making(lines=lines, kerf=0.15), Machine(), Material(), SILENT)
        reports = write_all(sheets.sheets, tmp_path / f"{lines}{suffix}")
        assert sum(each.pieces for each in reports) == 15
    # What bounds no piece is not cut: the border of A1 and the cut between D2 and D3.
    graph, used = shapes.tiling.graph, {code >> 1 for chain in shapes.whole.chains for code in chain.strokes.tolist()}
    names = shapes.tiling.edge_indices
    assert names["D2-D3"] not in used and names["A1-B1"] in used
    corner = [edge for edge in range(len(graph.edges)) if graph.is_rim(edge) and
              shapes.tiling.piece_name(int(graph.sides[edge].max())) == "A1"]  # fmt: skip
    assert corner and used.isdisjoint(corner)
    printed = bodies(shapes, SILENT)
    assert sum(each.parts for each in write_solids(printed, tmp_path / "board.3mf")) == 15
    assert {one.name for one in printed} == {*shapes.whole.pieces.names}


def test_drop_outs_are_left_out_of_fits_holds_and_play() -> None:
    dropped = SMALL.with_drop_outs(OPEN)
    shapes = shaped(dropped)
    beside = [name for name in shapes.tiling.edge_indices if {*name.split("-")} & {*OPEN}]
    edges = {shapes.tiling.edge_name(edge) for edge in false_fits(shapes, 0.15).edges.tolist()}
    assert edges == {*shapes.tiling.edge_indices} - {*beside} and beside
    assert {grip.name for grip in holds(shapes).tongues}.isdisjoint(beside)
    game = start(dropped, ())
    assert {*game.table.names} == {*shapes.whole.pieces.names} and len(game.table.names) == 16
    fewer = false_fits(shaped(SMALL), 0.15)
    assert len(false_fits(shapes, 0.15, before=fewer).edges) == len(edges)


def test_findings_of_drop_outs_come_and_go_with_them() -> None:
    limits = replace(SMALL.parameters, least_area=1500.0, scale_limits=False)
    design = replace(SMALL, parameters=limits)
    shapes = shaped(design)
    checked = JIGSAW.check(design, shapes, None, SILENT)
    small = [each for each in checked.findings if each.kind == "piece"]
    name = shapes.tiling.piece_name(small[0].pieces[0])
    dropped = design.with_drop_outs([name])
    after = JIGSAW.check(dropped, shape(dropped, shapes, SILENT), checked, SILENT)
    assert len([each for each in after.findings if each.kind == "piece"]) == len(small) - 1
    back = JIGSAW.check(design, shape(design, shape(dropped, shapes, SILENT), SILENT), after, SILENT)
    assert [each.message for each in back.findings] == [each.message for each in checked.findings]


def test_drop_outs_last_and_are_named_when_they_are_lost() -> None:
    dropped = SMALL.with_drop_outs(["C2", "E4"])
    kept = carry(replace(SMALL.parameters, columns=4), dropped, SILENT)
    assert kept.design.dropped == ("C2",) and kept.dropped == ("drop-out E4",)
    assert converted(dropped).dropped == ("C2", "E4")
    cut = with_straight_cut(converted(dropped), SILENT, [(0.0, 12.0), (10.0, 0.0)])
    assert cut.design.dropped == ("C2", "E4") and len(shaped(cut.design).whole.pieces) == 19
    merged = edits.with_pieces_merged(dropped, ["C2-D2"], SILENT)
    assert merged.design.dropped == ("C2", "E4") and len(shaped(merged.design).whole.pieces) == 17
    figured = with_figure(SMALL, SILENT, "heart", 80.0, 60.0, h=40.0).design
    left = shaped(edits.with_drop_outs(figured, SILENT, ["heart1"])).whole
    assert "heart1" not in left.pieces.names and plan(left, Machine(), Strategy.RELEASE_AWARE).loose_cuts == 0


def with_loose_line(border: str) -> JigsawDesign:
    """A drawn board with figures, of which one and a part are drop-outs, and a line that ends near a cut."""
    train = Whimsy("train1", "train", Pose(90.0, -1.0 if border != INSIDE else 40.0, 18.0), border=border)
    figures = (Whimsy("heart1", "heart", Pose(40.0, 92.0, 16.0)), train)
    bare = converted(SMALL)
    (x, y), *_ = np.array(bare.cuts[-1].curve)
    line = LooseLine("line1", ((x, y), (x + 2, y + 3), (x + 4, y + 6), (x + 6, y + 9)))
    made = with_whimsies(replace(bare, loose=(line,)), figures).design
    seam = next(name for name in shaped(made).tiling.tongue_indices if name.startswith("train1b-"))
    return made.with_drop_outs(["heart1", "train1b", "A4"]).with_tongues([TongueEdit(seam, plain=True)])


@pytest.mark.parametrize("border", [INSIDE, STICKS_OUT])
def test_drop_outs_and_seams_of_figures_outlast_every_edit_elsewhere(border: str) -> None:
    design = with_loose_line(border)
    assert design.dropped == ("A4", "heart1", "train1b")
    extended = with_lines_extended(design, SILENT, ["line1"])
    assert extended.design.cuts != design.cuts and not extended.dropped
    assert extended.design.dropped == design.dropped and extended.design.tongues == design.tongues
    assert {*design.dropped}.isdisjoint(shaped(extended.design).whole.pieces.names)
    (loose,) = [
        each for each in JIGSAW.check(design, shaped(design), None, SILENT).findings if each.kind == "loose-line"
    ]
    for repair in loose.repairs:
        assert repair.apply(design, SILENT).dropped == design.dropped
    assert repaired(design, SILENT).design.dropped == design.dropped


def test_a_copied_figure_is_open_where_the_first_one_is() -> None:
    design = with_loose_line(INSIDE)
    copied = with_figures_copied(design, ["heart1", "train1"], SILENT)
    assert copied.design.dropped == ("A4", "heart1", "heart2", "train1b", "train2b") and not copied.dropped
    assert [edit.name for edit in copied.design.tongues] == [
        design.tongues[0].name,
        design.tongues[0].name.replace("1", "2"),
    ]
    assert {*copied.design.dropped}.isdisjoint(shaped(copied.design).whole.pieces.names)


@pytest.mark.parametrize(("text", "sentence"), [
    ("drop Z9", "There is no Z9 on the board."), ("restore A1", "There is no A1 on the board."),
    ("drop A1 B1 A2", "At least 2 pieces must not be drop-outs."), ("drop", "must have the form `drop NAMES`"),
])  # fmt: skip
def test_what_cannot_be_left_open_is_refused(text: str, sentence: str) -> None:
    four = JigsawDesign(JigsawParameters(width=60.0, height=60.0, columns=2, rows=2))
    with pytest.raises(StudioError, match=re.escape(sentence)):
        JIGSAW.need(Editable).read(text)[0](four, SILENT)


def test_the_tongues_of_an_open_part_of_a_figure_join_nothing_and_only_drawn_boards_have_handles() -> None:
    trained = with_figure(SMALL, SILENT, "train", 80.0, 60.0, h=40.0).design
    whole, shapes = shaped(trained), shaped(trained.with_drop_outs(["train1a"]))
    seam = whole.tiling.edge_indices["train1a-train1b"]
    assert {*whole.joined_edges.tolist()} - {*shapes.joined_edges.tolist()} == {seam}
    edges = range(len(whole.tiling.graph.edges))
    assert not any(len(handles_of(whole, edge)) for edge in edges)
    drawn = shaped(converted(SMALL))
    assert all(len(handles_of(drawn, edge)) for edge in drawn.tiling.graph.inner_edges.tolist())
