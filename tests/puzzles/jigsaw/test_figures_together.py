"""Figures that share cuts, reach the border, or have several pieces and details; and their order and arrangement."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np
import pytest
import shapely

from studio.base.errors import StudioError
from studio.base.progress import SILENT, Progress
from studio.checks.finding import Finding, errors_of
from studio.exporting.laser_files import write_all
from studio.exporting.writing import write_solids
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.files.drawing_import import read_figure
from studio.files.store import dumps, loads
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Operation
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.abilities.playable import Playable
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.figures import figure_edits
from studio.puzzles.jigsaw.figures.placing import enclosed, misplaced, placeable
from studio.puzzles.jigsaw.figures.silhouettes import figure, keys
from studio.puzzles.jigsaw.figures.whimsies import CUT_OFF, INSIDE, STICKS_OUT, Pose, Whimsy, of_figure, snapped
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model import edits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.drawn_boards import converted
from studio.puzzles.jigsaw.model.drawn_cuts import is_whole, redrawn, with_straight_cut
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies
from studio.puzzles.jigsaw.model.tiling import outline_without_figures, with_whimsies
from studio.puzzles.jigsaw.tongues.tongues import PLAIN

BOARD = JigsawParameters(columns=12, rows=8, width=300.0, height=200.0)
LARGE = replace(BOARD, columns=24, rows=16, width=600.0, height=400.0)
HEART = Whimsy("heart1", "heart", Pose(150.0, 100.0, 60.0), touches=True)
STAR = Whimsy("star1", "star", Pose(193.0, 92.0, 50.0))
TRAIN = Whimsy("train1", "train", Pose(150.0, 100.0, 40.0, 20.0))
WITHOUT_HOLES = [key for key in keys() if len(figure(key).rings) == 1]


def board(*figures: Whimsy, parameters: JigsawParameters = BOARD) -> JigsawDesign:
    return JigsawDesign(parameters, whimsies=tuple(sorted(figures, key=lambda one: one.name)))


def shaped(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, SILENT)


def findings(design: JigsawDesign) -> tuple[Finding, ...]:
    return check(design, shaped(design), None, SILENT).findings


def regions(design: JigsawDesign) -> dict[str, shapely.Polygon]:
    drawing = shaped(design).drawing
    return dict(zip(drawing.pieces.names, pieces_as_polygons(drawing, drawing.strokes.flattened(0.01)), strict=True))


def details(design: JigsawDesign) -> shapely.Geometry:
    shapes = shaped(design)
    return shapely.union_all([shapely.LineString(shapes.drawing.polylines[at]) for at in shapes.tiling.details])


def lines_in(svg: str) -> Iterator[shapely.LineString]:
    """The paths of an SVG of ours, read without a line of the studio: M, C, L and Z in absolute numbers."""
    for path in re.findall(r' d="([^"]+)"', svg):
        points: list[complex] = []
        for letter, numbers in re.findall(r"([MCLZ])([^MCLZ]*)", path):
            values = [float(number) for number in re.findall(r"-?\d+\.?\d*", numbers)]
            places = [complex(*pair) for pair in zip(values[::2], values[1::2], strict=True)]
            if letter == "M":
                points = [places[0]]
                places = places[1:]
            if letter == "C":
                for at in range(0, len(places), 3):
                    a, (b, c, d) = points[-1], places[at : at + 3]
                    for share in np.linspace(0.0, 1.0, 9)[1:]:
                        rest = 1 - share
                        points.append(
                            rest**3 * a + 3 * rest**2 * share * b + 3 * rest * share**2 * c + share**3 * d
                            if share < 1
                            else d
                        )
            else:
                points += places
            if letter == "Z" and points[-1] != points[0]:
                points.append(points[0])
        yield shapely.LineString([(point.real, point.imag) for point in points])


def export(design: JigsawDesign, folder: Path, lines: str = "shared") -> str:
    bed = Machine(bed_width=1000.0, bed_height=1000.0)
    sheets = made(shaped(design).whole, Making(lines=lines), bed, Material()).sheets
    write_all(sheets, folder / "board.svg", force=True)
    return (folder / "board.svg").read_text(encoding="utf-8")


def faces_in(svg: str) -> list[shapely.Polygon]:
    return list(shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.unary_union([*lines_in(svg)])))))


def test_the_figure_in_front_is_whole_and_the_other_ends_at_its_outline() -> None:
    apart = enclosed(STAR).difference(enclosed(HEART)).area
    for level, star in ((1, enclosed(STAR).area), (0, apart)):
        found = regions(board(HEART, replace(STAR, level=level)))
        heart = enclosed(HEART).union(enclosed(STAR)).area - star
        parts = [region.area for name, region in found.items() if name.startswith("star1")]
        assert sum(parts) == pytest.approx(star, rel=0.002) and found["heart1"].area == pytest.approx(heart, rel=0.002)
        assert sum(region.area for region in found.values()) == pytest.approx(300.0 * 200.0, rel=1e-4)


def test_figures_that_may_not_touch_are_kept_apart_as_ever() -> None:
    (found,) = errors_of(findings(board(replace(HEART, touches=False), STAR)))
    assert found.problem == check_problems.FIGURES_OVERLAP
    text = str(dumps(JIGSAW, board(replace(HEART, touches=False))))
    assert "heart1" in text and not any(f'"{word}"' in text for word in ("touches", "border_", "level", "lines"))


def test_figures_that_touch_in_a_point_or_hide_each_other_are_found_with_a_place() -> None:
    small = Whimsy("star1", "star", Pose(150.0, 100.0, 20.0))
    heart = replace(HEART, level=1)
    (hidden,) = errors_of(misplaced([heart, small], outline_without_figures(board()), 1.0, 0.0))
    assert hidden.problem == check_problems.FIGURE_HIDDEN and hidden.cells == ("star1",)
    for x in np.arange(220.0, 190.0, -0.25).tolist():
        near = STAR.posed(x=x)
        gap = enclosed(near).distance(enclosed(HEART))
        if gap < 0.9:
            break
    assert 0.2 < gap < 0.9
    (close,) = errors_of(misplaced([HEART, near], outline_without_figures(board()), 1.0, 0.0))
    assert close.problem == check_problems.FIGURES_CLOSE and enclosed(HEART).distance(shapely.Point(close.place)) < 1.0
    inside = replace(small, level=1)
    found = regions(board(HEART, inside))
    assert len(found["heart1"].interiors) == 1
    assert found["heart1"].area == pytest.approx(enclosed(HEART).area - enclosed(small).area, rel=0.002)


def test_two_squares_side_by_side_share_one_straight_cut() -> None:
    square = [[(0, 0), (0, 0), (9, 0), (9, 0), (9, 0), (9, 9), (9, 9), (9, 9), (0, 9), (0, 9), (0, 9), (0, 0), (0, 0)]]
    rings = tuple(tuple((float(x), float(y)) for x, y in ring) for ring in square)
    one, other = (
        Whimsy(f"square{number}", "", Pose(x, 100.0, 40.0), "Square", rings, touches=True)
        for number, x in ((1, 110.0), (2, 150.0))
    )
    shapes = shaped(board(one, other))
    (seam,) = shapes.tiling.seams.edges.tolist()
    assert shapes.tiling.edge_name(seam) == "square1-square2"
    assert shapes.drawing.strokes.lengths[seam] == pytest.approx(40.0)
    assert sorted(shapes.piece_beside(seam, side) for side in (1.0, -1.0)) == ["square1", "square2"]
    assert {name: round(region.area) for name, region in regions(board(one, other)).items() if "square" in name} == {
        "square1": 1600,
        "square2": 1600,
    }
    styled = edits.with_tongues_styled(shapes, [seam], "classic")
    assert shape(styled, shapes, SILENT).drawing.strokes.lengths[seam] > 45.0
    assert loads(dumps(JIGSAW, styled)).design == styled


@pytest.mark.parametrize("border", [STICKS_OUT, CUT_OFF])
def test_a_figure_at_the_border_sticks_out_or_is_cut_off_there(border: str, tmp_path: Path) -> None:
    heart = replace(HEART.posed(x=10.0), border=border)
    design = board(heart)
    found, whole, rest = regions(design), enclosed(heart), shapely.box(0.0, 0.0, 300.0, 200.0)
    wanted = whole if border == STICKS_OUT else whole.intersection(rest)
    assert found["heart1"].symmetric_difference(wanted).area < 2.0
    together = shapely.union_all([*found.values()])
    assert together.symmetric_difference(rest.union(wanted)).area < 2.0
    assert sum(region.area for region in found.values()) == pytest.approx(together.area, rel=1e-5)
    assert not errors_of(findings(design))
    faces = faces_in(export(design, tmp_path))
    assert len(faces) == len(found)
    left = min(face.bounds[0] for face in faces)
    assert left == pytest.approx(0.0, abs=0.2)
    width = 300.0 - min(whole.bounds[0], 0.0) if border == STICKS_OUT else 300.0
    assert max(face.bounds[2] for face in faces) == pytest.approx(width, abs=0.2)
    (outline,) = (chain for chain in shaped(design).drawing.chains if chain.operation is Operation.BORDER)
    assert outline.closed


@pytest.mark.parametrize("is_drawn", [False, True])
@pytest.mark.parametrize(("key", "x", "y"), [("train", 150.0, -1.0), ("train", 150.0, 191.0), ("ship", 2.0, 100.0),
                                             ("pair", 150.0, 6.0)])  # fmt: skip
def test_a_figure_at_the_border_keeps_all_details_that_it_has_room_for(
    key: str, x: float, y: float, is_drawn: bool, tmp_path: Path
) -> None:
    bare = converted(board()) if is_drawn else board()
    one = replace(TRAIN, name=f"{key}1", figure=key, pose=Pose(150.0, 100.0, 40.0))

    inside = details(replace(bare, whimsies=(one,)))
    there = shapely.transform(inside, lambda at: np.add(at, (x - 150.0, y - 100.0)))
    for border in (STICKS_OUT, CUT_OFF):
        design = replace(bare, whimsies=(replace(one.posed(x=x, y=y), border=border),))
        wanted = there if border == STICKS_OUT else there.intersection(shapely.box(0.0, 0.0, 300.0, 200.0))
        found = details(design)
        assert found.length == pytest.approx(wanted.length, abs=0.5)
        assert found.difference(wanted.buffer(0.1)).length == wanted.difference(found.buffer(0.1)).length == 0.0
        shapes = shaped(design)
        if border == STICKS_OUT:
            assert len(shapes.tiling.details) == len(shaped(replace(bare, whimsies=(one,))).tiling.details)
        if key == "train":
            lines = shapely.union_all([*lines_in(export(design, tmp_path))])
            low = np.array(shapely.union_all([*regions(design).values()]).bounds[:2])
            assert shapely.transform(found, lambda at, low=low: at - low).difference(lines.buffer(0.1)).length == 0.0


@pytest.mark.parametrize("least", [0.0, 1.0, 2.0])
def test_a_detail_that_would_part_what_is_left_of_a_figure_stops_short(least: float, tmp_path: Path) -> None:
    # The border runs through two windows open at the bottom: without a bridge the wood within them would fall out.
    parameters, inside = replace(BOARD, least_bridge=least), board(TRAIN.posed(turn=0.0))
    design = board(replace(TRAIN.posed(y=199.0, turn=0.0), border=CUT_OFF), parameters=parameters)
    wanted = shapely.transform(details(inside), lambda at: np.add(at, (0.0, 99.0)))
    wanted = wanted.intersection(shapely.box(0.0, 0.0, 300.0, 200.0))
    found = details(design)
    assert wanted.length - found.length == pytest.approx(2 * max(1.5 * least, 0.5), abs=0.05)
    assert found.difference(wanted.buffer(0.1)).length == 0.0
    assert len(faces_in(export(design, tmp_path))) == len(shaped(design).drawing.pieces)
    assert not [one for one in findings(design) if one.problem == check_problems.FIGURE_DETAIL]


def test_a_figure_at_the_border_that_divides_the_board_or_misses_it_is_found() -> None:
    outline = outline_without_figures(board())
    for one, problem in (
        (replace(TRAIN, pose=Pose(60.0, 100.0, 210.0), border=CUT_OFF, figure="tree"), check_problems.FIGURE_SPLITS),
        (replace(HEART.posed(x=-60.0), border=STICKS_OUT), check_problems.FIGURE_BEYOND),
        (replace(HEART.posed(x=10.0), border=INSIDE), check_problems.FIGURE_BEYOND),
    ):
        (found, *_) = errors_of(misplaced([one], outline, 1.0, 0.0))
        assert found.problem == problem, one


@pytest.mark.parametrize(("key", "count", "details"), [("train", 3, 5), ("ship", 4, 5), ("pair", 2, 4)])
def test_a_figure_of_several_pieces_is_cut_into_them(key: str, count: int, details: int) -> None:
    design = board(replace(TRAIN, name=f"{key}1", figure=key, tongues=2))
    shapes, found = shaped(design), regions(design)
    names = [f"{key}1{letter}" for letter in "abcdef"[:count]]
    assert [name for name in found if name.startswith(key)] == names
    whole = shapely.union_all([found[name] for name in names])
    assert len(whole.interiors) == 0 and len(shapes.tiling.details) == details
    assert sum(region.area for region in found.values()) == pytest.approx(300.0 * 200.0, rel=1e-4)
    assert not errors_of(findings(design))
    seams = shapes.tiling.seams.edges
    joints = {"train": ["a-b", "b-c"], "ship": ["a-b", "b-c", "b-d"], "pair": ["a-b"]}[key]
    named = [name.replace(f"{key}1", "") for name in map(shapes.tiling.edge_name, seams.tolist())]
    assert sorted(named) == joints
    assert len(set(shapes.tiling.edge_indices)) == len(shapes.tiling.inner_edges)


def test_a_straight_line_within_a_figure_has_a_tongue_that_is_edited_as_any_other_and_lasts() -> None:
    design = board(TRAIN)
    shapes = shaped(design)
    seam = shapes.tiling.tongue_indices["train1b-train1c"]
    assert shapes.tongues[seam, PLAIN] == 0.0 and shapes.style_of(seam).key == BOARD.tongue_style
    flipped = edits.with_tongues_flipped(shapes, [seam])
    assert shape(flipped, shapes, SILENT).piece_beside(seam, 1.0) == shapes.piece_beside(seam, 1.0)
    moved = figure_edits.with_figures_posed(flipped, {"train1": Pose(140.0, 90.0, 44.0)}, Progress()).design
    assert [edit.name for edit in moved.tongues] == ["train1b-train1c"]
    again = shaped(moved)
    assert again.decided(again.tiling.tongue_indices["train1b-train1c"]).side is not None
    both = figure_edits.with_figures_copied(replace(moved, parameters=LARGE), ["train1"], Progress()).design
    assert [edit.name for edit in both.tongues] == ["train1b-train1c", "train2b-train2c"]
    plain = edits.with_tongues_plain(again, [again.tiling.tongue_indices["train1a-train1b"]], True)
    assert loads(dumps(JIGSAW, plain)).design == plain
    with pytest.raises(StudioError, match=r"^Cut train1a-train1b belongs to a figure and cannot be left out\.$"):
        edits.with_pieces_merged(design, ["train1a-train1b"], Progress())


def test_the_letters_of_pieces_do_not_depend_on_the_pose_of_their_figure() -> None:
    middles = []
    for pose in (Pose(150.0, 100.0, 40.0), Pose(150.0, 100.0, 40.0, 180.0), Pose(150.0, 100.0, 40.0, 0.0, True)):
        found = regions(board(replace(TRAIN, pose=pose)))
        middles.append([found[f"train1{letter}"].centroid.x for letter in "abc"])
    assert middles[0] == sorted(middles[0]) and middles[1] == sorted(middles[1], reverse=True)
    assert middles[2] == sorted(middles[2], reverse=True)


def test_details_are_cut_before_the_piece_they_end_in_is_free(tmp_path: Path) -> None:
    design = board(replace(TRAIN, figure="ship", name="ship1"))
    shapes = shaped(design)
    details = sorted(shapes.tiling.details)
    bed = Machine(bed_width=1000.0, bed_height=1000.0)
    (plan,) = made(shapes.whole, Making(strategy="release-aware"), bed, Material()).plans
    assert plan.loose_cuts == 0
    order = [code >> 1 for chain in plan.drawing.chains for code in chain.strokes.tolist()]
    pieces = shapes.drawing.pieces
    for filling in shapes.tiling.fillings:
        last = max(order.index(edge) for edge in (filling.outlines >> 1).tolist())
        assert all(order.index(detail) < last for detail in filling.details.tolist())
    assert not np.isin(details, pieces.codes >> 1).any()
    lengths = shapes.drawing.strokes.lengths[details]
    apart = [line.length for line in lines_in(export(design, tmp_path, "separate")) if not line.is_closed]
    assert sorted(apart) == pytest.approx(sorted(lengths.tolist()), rel=0.01)


def test_a_detail_too_near_the_outline_is_found_with_its_place() -> None:
    small = TRAIN.posed(height=8.0)
    found = [one for one in findings(board(small)) if one.problem == check_problems.FIGURE_DETAIL]
    assert found and all(enclosed(small).distance(shapely.Point(one.place)) < 0.1 for one in found)
    assert not [one for one in findings(board(TRAIN)) if one.problem == check_problems.FIGURE_DETAIL]


def test_an_own_figure_has_the_inner_lines_of_its_drawing(tmp_path: Path) -> None:
    path = tmp_path / "van.svg"
    body = '<path d="M0,5 h60 v25 h-60 z"/><path d="M20,4.9 v25.2"/><path d="M20,15 h40"/><path d="M5,10 h8 v8"/>'
    path.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="60mm" height="30mm" viewBox="0 0 60 30">{body}</svg>'
    )
    made_of, _notes = read_figure(path, SILENT)
    assert [round(part.area, 2) for part in made_of.parts] == [0.8, 0.64, 0.96] and len(made_of.lines) == 4
    whimsy = of_figure("van1", made_of, Pose(150.0, 100.0, 50.0))
    design = board(whimsy)
    assert loads(dumps(JIGSAW, design)).design == design
    found = {name: region.area for name, region in regions(design).items() if name.startswith("van")}
    assert [*found] == ["van1a", "van1b", "van1c"]
    assert sum(found.values()) == pytest.approx(enclosed(whimsy).area, rel=1e-3)
    assert shaped(design).tiling.seams.are_within.all()


def test_order_moves_figures_to_the_front_and_back_step_by_step() -> None:
    figures = [Whimsy(f"star{at}", "star", Pose(50.0 * at, 100.0, 20.0)) for at in (1, 2, 3)]
    design, seen = board(*figures), []
    for way, names in (("back", "star1"), ("forwards", "star1"), ("front", "star3"), ("backwards", "star3")):
        design = figure_edits.with_order(design, Progress(), [names], way).design
        seen.append([one.name[-1] for one in sorted(design.whimsies, key=lambda one: (-one.level, one.name))])
    assert seen == [["2", "3", "1"], ["2", "1", "3"], ["3", "2", "1"], ["2", "3", "1"]]


def test_figures_are_aligned_and_distributed_to_the_hundredth() -> None:
    sizes = (20.0, 30.0, 44.0)
    figures = [
        Whimsy(f"star{at + 1}", "star", Pose(40.0 + 95.0 * at, 60.0 + 7.0 * at, size)) for at, size in enumerate(sizes)
    ]
    design, names = board(*figures), ["star1", "star2", "star3"]

    def boxes(poses: dict[str, Pose]) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
        return np.array([enclosed(replace(one, pose=poses[one.name])).bounds for one in figures])

    assert np.ptp(boxes(figure_edits.aligned(design, names, "top"))[:, 1]) < 0.02
    assert np.ptp(boxes(figure_edits.aligned(design, names, "middle"))[:, 1::2].mean(axis=1)) < 0.02
    found = boxes(figure_edits.distributed(design, names, "gaps-across"))
    assert found[1, 0] - found[0, 2] == pytest.approx(found[2, 0] - found[1, 2], abs=0.03)
    middles = boxes(figure_edits.distributed(design, names, "across"))[:, ::2].mean(axis=1)
    assert middles[1] - middles[0] == pytest.approx(middles[2] - middles[1], abs=0.03)
    (alone,) = figure_edits.aligned(design, ["star1"], "centre").values()
    assert enclosed(figures[0].posed(x=alone.x)).centroid.x == pytest.approx(150.0, abs=1.0)
    with pytest.raises(StudioError, match=r"^Select three figures or more to distribute them\.$"):
        figure_edits.distributed(design, names[:2], "across")


def test_a_dragged_box_snaps_to_others_to_equal_gaps_and_to_the_centre() -> None:
    def box(left: float, top: float, size: float = 20.0) -> tuple[np.ndarray, np.ndarray]:
        return np.array([left, top]), np.array([left + size, top + size])

    others = [box(30.0, 40.0), box(80.0, 40.0)]
    assert snapped(np.array(box(128.0, 41.0)), others, (300.0, 200.0), 3.0) == ([2.0, -1.0], [(0, 130.0), (1, 40.0)])
    assert snapped(np.array(box(138.5, 91.0)), others, (300.0, 200.0), 3.0) == ([1.5, -1.0], [(0, 150.0), (1, 100.0)])
    assert snapped(np.array(box(200.0, 150.0)), others, (300.0, 200.0), 3.0) == ([0.0, 0.0], [])


def test_a_figure_that_may_touch_moves_onto_another_and_one_that_may_not_beside_it() -> None:
    wanted = {"star1": replace(STAR.pose, x=192.0, y=92.0)}
    free = figure_edits.with_figures_posed(
        board(HEART, replace(STAR, pose=Pose(40.0, 150.0, 50.0))), wanted, Progress()
    )
    assert {one.name: one.pose for one in free.design.whimsies}["star1"] == wanted["star1"]
    strict = board(replace(HEART, touches=False), replace(STAR, pose=Pose(40.0, 150.0, 50.0)))
    moved = figure_edits.with_figures_posed(strict, wanted, Progress()).design
    one, other = (enclosed(each) for each in moved.whimsies)
    assert one.distance(other) >= BOARD.least_bridge
    apart = figure_edits.with_figures_set(free.design, ["heart1"], Progress(), touches=False).design
    one, other = (enclosed(each) for each in apart.whimsies)
    assert one.distance(other) >= BOARD.least_bridge


def test_far_from_figures_that_meet_nothing_changes() -> None:
    alone, both = shaped(board(HEART, parameters=LARGE)), shaped(board(HEART, STAR, parameters=LARGE))
    there = both.tiling.tongue_indices
    far = [
        name
        for name, edge in alone.tiling.edge_indices.items()
        if np.hypot(*(alone.drawing.strokes[edge][0] - (150.0, 80.0))) > 160.0
    ]
    assert len(far) > 300
    for name in far:
        assert np.array_equal(alone.drawing.strokes[alone.tiling.edge_indices[name]], both.drawing.strokes[there[name]])


def random_board(seed: int) -> JigsawDesign:
    """Up to four figures near a place within the board or at its border, of which most may touch."""
    chance = Random(seed)
    parameters = replace(BOARD, tiling=("grid", "hexagons", "voronoi", "hand-cut")[seed % 4], seed=seed)
    x, y = chance.uniform(50.0, 250.0), chance.uniform(40.0, 160.0)
    if seed % 3 == 0:
        x, y = chance.choice([(x, chance.choice([0.0, 200.0])), (chance.choice([0.0, 300.0]), y)])
    figures = []
    for number in range(1, chance.randint(2, 4) + 1):
        key = chance.choice(WITHOUT_HOLES)
        pose = Pose(
            x + chance.uniform(-40.0, 40.0), y + chance.uniform(-30.0, 30.0), chance.uniform(30.0, 55.0),
            chance.choice([0.0, 90.0, chance.uniform(-180.0, 180.0)]), chance.random() < 0.3,
        )  # fmt: skip
        figures.append(
            Whimsy(f"{key}{number}", key, pose, tongues=chance.choice([0, 3]), touches=chance.random() < 0.8,
                   border=chance.choice([STICKS_OUT, CUT_OFF]), level=chance.randint(-1, 1))
        )  # fmt: skip
    return board(
        *placeable(figures, outline_without_figures(board(parameters=parameters)), BOARD.least_bridge),
        parameters=parameters,
    )


@pytest.mark.sampled(50)
@pytest.mark.parametrize("seed", range(100))
@pytest.mark.parametrize("is_drawn", [False, True], ids=["tiling", "drawn"])
def test_random_figures_together_are_cut_exported_printed_and_played(
    seed: int, *, is_drawn: bool, tmp_path: Path
) -> None:
    design = random_board(seed)
    if is_drawn:
        design = with_whimsies(converted(replace(design, whimsies=())), design.whimsies).design
    shapes = shaped(design)
    hidden = {one.name for one in design.whimsies} - {one.name for one in shapes.tiling.fillings}
    names = shapes.drawing.pieces.names
    assert len({*names}) == len(names) and (shapes.drawing.piece_areas > 0).all()
    assert loads(dumps(JIGSAW, design)).design == design
    errors = errors_of(findings(design))
    assert hidden == {cell for one in errors if one.problem == check_problems.FIGURE_UNCUT for cell in one.cells}
    if errors:
        return
    whole = shapely.get_parts(shapely.union_all([*regions(design).values()]))
    gaps = sum(shapely.Polygon(hole).area > 0.5 for part in whole for hole in part.interiors)
    try:
        assert len(faces_in(export(design, tmp_path))) == len(names) + gaps
    except StudioError as problem:
        (piece,) = re.findall(r"the neck of (\S+) is|piece (\S+);", str(problem))[0:1] or [("", "")]
        told = findings(design)
        named = [cell for one in told for cell in (*one.cells, one.message)]
        edges = {*(shapes.drawing.pieces.chosen(np.array([names.index(max(piece))])).codes >> 1).tolist()}
        assert any(max(piece).startswith(name) or f"iece {max(piece)} is only" in name for name in named) or any(
            one.problem == check_problems.BRIDGE and edges.issuperset(one.strokes) for one in told
        ), problem
        return
    played = JIGSAW.need(Playable)
    log = played.begun(design, ())
    for _ in range(3):
        log = played.with_move(design, log, played.hint(design, log.game, Progress()).move)
    assert log.at == 3 and not played.done(design, log.game)
    try:
        solids = bodies(shapes, Progress())
    except StudioError as problem:
        assert re.match(r"^Piece \S+ (falls apart|closes|vanishes)", str(problem)), problem
    else:
        write_solids(solids, tmp_path / "board.3mf")
        assert len(solids) == len(names)


@pytest.mark.parametrize("seed", range(8))
def test_figures_among_drawn_cuts_are_cut_as_elsewhere_and_leave_the_other_cuts_alone(seed: int) -> None:
    design = random_board(seed)
    bare = converted(replace(design, whimsies=()))
    drawn = with_whimsies(bare, design.whimsies).design
    assert drawn.cuts == bare.cuts
    before, after = shaped(bare), shaped(drawn)
    fillings = {one.piece for one in after.tiling.fillings}
    assert fillings == {one.piece for one in shaped(design).tiling.fillings}
    whole = shapely.union_all([*regions(drawn).values()])
    assert after.drawing.piece_areas.sum() == pytest.approx(whole.area, rel=1e-5)
    figures = shapely.union_all([enclosed(one) for one in drawn.whimsies])
    names = zip(after.drawing.pieces.names, after.drawing.piece_areas.tolist(), strict=True)
    areas = {name: area for name, area in names if name not in fillings}
    board = shapely.box(0, 0, BOARD.width, BOARD.height)
    assert sum(areas.values()) == pytest.approx(board.difference(figures).area, rel=1e-3)
    assert min(areas.values()) >= 0.05 * np.median(before.drawing.piece_areas)
    lines = before.drawing.polylines
    far = [edge for edge in before.tiling.inner_edges.tolist() if shapely.LineString(lines[edge]).distance(figures) > 1]
    assert len(far) > 100
    for edge in far:
        same = after.tiling.edge_indices[before.tiling.edge_name(edge)]
        assert after.drawing.strokes[same] == pytest.approx(before.drawing.strokes[edge], abs=1e-5)


def test_a_board_of_drawn_cuts_with_figures_is_edited_like_any_other() -> None:
    design = random_board(10)
    bare = converted(replace(design, whimsies=()))
    bare = JIGSAW.generate(replace(bare.parameters, width=450.0, height=300.0), bare, SILENT).design
    moved = [one.posed(x=1.5 * one.pose.x, y=1.5 * one.pose.y) for one in design.whimsies]
    drawn = with_whimsies(bare, moved).design
    shapes = shaped(drawn)
    assert {one.name for one in drawn.whimsies} == {one.name for one in design.whimsies}
    again = converted(drawn)
    assert not again.whimsies and again.size == drawn.size
    alike = shaped(again)
    assert sorted(alike.drawing.piece_areas) == pytest.approx(sorted(shapes.drawing.piece_areas), abs=0.01)
    assert {*alike.drawing.pieces.names} == {*shapes.drawing.pieces.names}
    cut = with_straight_cut(drawn, SILENT, [(0.0, 10.0), (10.0, 0.0)]).design
    assert not cut.whimsies and len(shaped(cut).drawing.pieces) == len(shapes.drawing.pieces) + 1
    whole, divided = (
        [edge for edge in shapes.tiling.inner_edges.tolist() if is_whole(shapes, edge) == wanted]
        for wanted in (True, False)
    )
    assert len(whole) > 80 and len(divided) > 10
    for edge, keeps in ((whole[0], True), (divided[0], False)):
        name = shapes.tiling.edge_name(edge)
        there = (
            shapely.get_coordinates(
                shapely.LineString(shapes.drawing.polylines[edge]).interpolate(0.5, normalized=True)
            )[0]
            + 0.1
        )
        led = redrawn(drawn, SILENT, name, [tuple(there.tolist())])
        assert (led.whimsies == drawn.whimsies) == keeps
        after = shaped(led)
        line = shapely.LineString(after.drawing.polylines[after.tiling.edge_indices[name]])
        assert line.distance(shapely.Point(there)) < 0.01


@pytest.mark.parametrize("border", [INSIDE, STICKS_OUT, CUT_OFF])
def test_moving_figures_that_meet_gives_what_is_computed_from_nothing(border: str) -> None:
    parameters = replace(LARGE, tiling="voronoi")
    y = 100.0 if border == INSIDE else 8.0
    heart, star = replace(HEART.posed(y=y), border=border), STAR.posed(y=y - 4.0)
    star = star if border == INSIDE else replace(star, border=border)
    train = replace(TRAIN, pose=Pose(430.0, 260.0, 40.0, 10.0), tongues=2)
    design = board(heart, star, train, parameters=parameters)
    shapes = shaped(design)
    checked = check(design, shapes, None, SILENT)
    for step in range(3):
        moved = [one.posed(x=one.pose.x + 3.0 * (step + 1)) for one in design.whimsies]
        design = replace(design, whimsies=(moved[0], *design.whimsies[1:]) if step else tuple(moved))
        shapes = shape(design, shapes, SILENT)
        anew = shaped(design)
        assert shapes.drawing.pieces.names == anew.drawing.pieces.names
        assert np.array_equal(shapes.drawing.strokes.points, anew.drawing.strokes.points)
        checked = check(design, shapes, checked, SILENT)
        assert checked.findings == check(design, anew, None, SILENT).findings
    seam = shapes.tiling.tongue_indices["train1a-train1b"]
    flipped = edits.with_tongues_flipped(shapes, [seam])
    again = shape(flipped, shapes, SILENT)
    assert np.array_equal(again.drawing.strokes.points, shaped(flipped).drawing.strokes.points)
    assert check(flipped, again, checked, SILENT).findings == check(flipped, shaped(flipped), None, SILENT).findings


@pytest.mark.parametrize("key", ["rockinghorse", "ring", "camera", "anchor"])
def test_a_hole_of_a_figure_that_the_border_cuts_open_is_outside_the_board(key: str) -> None:
    """The pieces cover the board but for the figure's holes, however much of these is beyond the border."""
    outline = shapely.box(0, 0, BOARD.width, BOARD.height)
    opened = 0
    for y in np.linspace(-12.0, 24.0, 10).tolist():
        one = Whimsy(f"{key}1", key, Pose(150.0, y, 48.0), border=CUT_OFF)
        _, *rings = (Curves.from_strokes([ring]).flattened(0.001).points for ring in one.on_board())
        holes = shapely.union_all(shapely.polygons(rings))
        found = regions(board(one))
        if not any(name.startswith(one.name) for name in found):
            continue
        left = shapely.difference(outline, shapely.union_all([*found.values()]))
        assert shapely.symmetric_difference(left, shapely.intersection(holes, outline)).area < 0.5
        opened += bool(shapely.intersects(holes, shapely.LineString([(0, 0), (BOARD.width, 0)])))
        assert len(shaped(board(one)).tiling.borders) == 1
    assert opened
