"""What is cut for a calendar puzzle: base, frame and pieces fit, labels stay in their cells, files hold just that."""

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
import shapely
from ezdxf.entities.lwpolyline import LWPolyline
from ezdxf.filemanagement import readfile
from ezdxf.path import make_path

from studio.base.progress import Progress
from studio.checks.finding import Severity
from studio.exporting.formats import Options
from studio.exporting.laser_files import write, write_all
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import cutouts
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.calendar.checks import findings
from studio.puzzles.calendar.geometry import CalendarShapes, shape
from studio.puzzles.calendar.model import Board, CalendarDesign, CalendarParameters, Label, Mask, Piece
from studio.puzzles.calendar.tray import text_of

LEAST_TEXT = 2.0

ODD = CalendarDesign(
    board=Board(
        # Nothing at two places inside, which touch each other at a corner, and at three in the rim.
        ("..##....", "........", ".#..#...", ".....#..", "........", "....#..."),
        (Label("A1", "who", 1, "Zoë"), Label("B2", "who", 2, "Jürgen"), Label("H6", "what", 1, "& so on")),
    ),
    pieces=(
        Piece("ring", ("###", "#.#", "###")),
        Piece("two", ("#.", "##")),
        Piece("pinched", ("###.", "#.##", "##.#", ".###")),
    ),
)
"""A board and pieces that no shop sells: fillers, a piece with a hole, one whose holes touch at a corner."""
DESIGNS = {"article": CalendarDesign(), "weekday": CalendarDesign(CalendarParameters(board="weekday")), "odd": ODD}
every_design = pytest.mark.parametrize("design", DESIGNS.values(), ids=list(DESIGNS))
NAMESPACE = "{http://www.w3.org/2000/svg}"


def shapes(design: CalendarDesign, **parameters: object) -> CalendarShapes:
    return shape(replace(design, parameters=replace(design.parameters, **parameters)), None, Progress())  # type: ignore[arg-type]


def perimeter(mask: Mask) -> int:
    """How many sides of squares bound the squares of a mask."""
    padded = np.pad(mask, 1).astype(int)
    return int(sum(np.abs(np.diff(padded, axis=axis)).sum() for axis in (0, 1)))


def corners(mask: Mask) -> int:
    """How many more corners of a mask bulge than are hollow: told by the squares around each crossing of the grid."""
    padded = np.pad(mask, 1).astype(int)
    a, b, c, d = padded[:-1, :-1], padded[:-1, 1:], padded[1:, :-1], padded[1:, 1:]
    around = a + b + c + d
    return int((around == 1).sum() - (around == 3).sum() + 2 * ((around == 2) & (a == d)).sum())


def area_of(mask: Mask, parameters: CalendarParameters) -> float:
    """The area of a piece with half the play taken off all around, and round corners."""
    half, cell = parameters.play / 2, parameters.cell
    sharp = mask.sum() * cell**2 - perimeter(mask) * cell * half + corners(mask) * half**2
    return float(sharp - corners(mask) * (1 - np.pi / 4) * parameters.radius**2)


def regions(drawing: Drawing) -> list[shapely.Polygon]:
    return list(pieces_as_polygons(drawing, drawing.strokes.flattened(0.002)))


def cells_of(board: Board, cell: float) -> shapely.Geometry:
    return shapely.union_all([
        shapely.box(column * cell, row * cell, (column + 1) * cell, (row + 1) * cell)
        for row, column in np.argwhere(board.mask).tolist()
    ])  # fmt: skip


def assert_nothing_overlaps(parts: list[shapely.Polygon]) -> None:
    assert all(part.is_valid for part in parts)
    for number, one in enumerate(parts):
        for other in parts[:number]:
            assert one.intersection(other).area == 0


@every_design
def test_pieces_have_the_area_of_their_squares_less_play_and_corners(design: CalendarDesign) -> None:
    made_shapes = shapes(design, play=0.3, radius=2.0)
    areas = [area.area for area in regions(made_shapes.drawing)]
    for part, area in zip(made_shapes.tray.parts, areas, strict=True):
        if part.piece >= 0:
            expected = area_of(made_shapes.design.set[part.piece].mask, made_shapes.design.parameters)
            assert area == pytest.approx(expected, abs=0.05)
    assert [part.piece for part in made_shapes.tray.pieces] == list(range(len(design.set)))


@every_design
def test_the_frame_is_open_where_the_board_is_and_the_play_around_it(design: CalendarDesign) -> None:
    made_shapes = shapes(design, play=0.4, radius=0.0, corner=0.0, notch=False, frame=9.0)
    cells = cells_of(design.layout, 20.0)
    left, top, right, bottom = cells.bounds
    block = shapely.box(left - 9, top - 9, right + 9, bottom + 9)
    drawn = [
        shapely.transform(region, lambda points, origin=origin: points - origin)
        for region, origin in zip(regions(made_shapes.drawing), made_shapes.origins, strict=True)
    ]
    kept = 2 + len(made_shapes.tray.fillers)
    assert drawn[0].symmetric_difference(block).area == pytest.approx(0, abs=1e-6)
    wood = shapely.union_all(drawn[1:kept])
    assert wood.symmetric_difference(block - cells.buffer(0.4, join_style="mitre")).area == pytest.approx(0, abs=1e-6)
    assert sum(one.area for one in drawn[1:kept]) == pytest.approx(wood.area), "fillers and frame lie apart"


def test_places_without_a_cell_inside_the_board_are_loose_fillers() -> None:
    tray = shapes(ODD).tray
    assert [filler.name for filler in tray.fillers] == ["Filler 1", "Filler 2", "Filler 3"]
    assert [len(part.rings) for part in tray.pieces] == [2, 1, 2], "holes that touch at a corner become one"
    assert shapes(DESIGNS["article"]).tray.fillers == ()


def test_the_notch_makes_the_opening_larger_and_goes_without_asking() -> None:
    plain, notched = (regions(shapes(CalendarDesign(), notch=notch).drawing)[1] for notch in (False, True))
    assert plain.covers(notched) and 60 < plain.area - notched.area < 18 * 8
    assert shapely.distance(shapely.LineString(notched.exterior), shapely.LinearRing(notched.interiors[0])) > 4


@every_design
def test_every_label_lies_within_its_cell_and_no_other_line_is_engraved(design: CalendarDesign) -> None:
    made_shapes = shapes(design)
    board, cell = design.layout, 20.0
    origin = made_shapes.origins[0]
    texts = text_of(design).strokes
    assert set(texts) == {label.name for label in board.labels}
    lines = [path.points[::3] - origin for path in made_shapes.drawing.paths() if path.operation is Operation.ENGRAVE]
    seen = []
    for line in lines:
        ((column, row),) = np.unique(np.floor(line / cell).astype(int), axis=0)
        seen.append(board.names[np.flatnonzero((np.argwhere(board.mask) == (row, column)).all(axis=1))[0]])
    assert {name: seen.count(name) for name in texts} == {name: len(strokes) for name, strokes in texts.items()}
    assert len(lines) == sum(map(len, texts.values()))


@every_design
def test_the_lines_between_cells_are_scored_once_each(design: CalendarDesign) -> None:
    made_shapes = shapes(design)
    scored = [path.points[[0, -1]] for path in made_shapes.drawing.paths() if path.operation is Operation.SCORE]
    length = sum(float(np.hypot(*(line[1] - line[0]))) for line in scored)
    mask = design.layout.mask
    inner = (4 * mask.sum() - perimeter(mask)) / 2
    assert length == pytest.approx(20 * (inner + perimeter(mask)))
    assert shapely.union_all([shapely.LineString(line) for line in scored]).length == pytest.approx(length)
    without = shapes(design, grid=False).drawing
    assert not any(path.operation is Operation.SCORE for path in without.paths())


@every_design
def test_nothing_overlaps_and_all_lies_on_the_sheet(design: CalendarDesign) -> None:
    drawing = shapes(design).drawing
    parts = regions(drawing)
    assert_nothing_overlaps(parts)
    assert shapely.box(0, 0, drawing.width, drawing.height).covers(shapely.union_all(parts))


@every_design
def test_a_dxf_that_another_reader_opens_has_the_pieces_areas(design: CalendarDesign, tmp_path: Path) -> None:
    made_shapes = shapes(design)
    report = write(made_shapes.drawing, tmp_path / "tray.dxf", Options(tolerance=0.005))
    assert report.faces == len(made_shapes.tray.parts)
    document = readfile(tmp_path / "tray.dxf")
    assert not document.audit().errors
    outlines: dict[str, list[shapely.Polygon]] = {"CUT_BORDER": [], "CUT_INNER": []}
    for line in document.modelspace():
        if isinstance(line, LWPolyline) and line.dxf.layer in outlines:
            points = [(place.x, place.y) for place in make_path(line).flattening(0.001)]
            outlines[line.dxf.layer].append(shapely.Polygon(points))
    holes = shapely.union_all(outlines["CUT_INNER"])
    parts = [outline.difference(holes) for outline in outlines["CUT_BORDER"]]
    assert_nothing_overlaps(parts)
    found = np.array([part.area for part in parts])
    for piece in design.set:
        around = 20 * perimeter(piece.mask)
        assert min(abs(found - area_of(piece.mask, design.parameters))) < 0.005 * around
    assert len(parts) == 2 + len(made_shapes.tray.fillers) + len(design.set)
    texts = [line for line in document.modelspace() if line.dxf.layer == "ENGRAVE"]
    assert len(texts) == sum(map(len, text_of(design).strokes.values()))


def path_points(text: str) -> Floats:
    """The points of a path of M, C, L and Z in absolute numbers."""
    return np.array([float(word) for word in "".join(" " if one in "MCLZ," else one for one in text).split()]).reshape(
        -1, 2
    )


@every_design
def test_an_svg_that_another_reader_opens_has_frame_pieces_and_labels(design: CalendarDesign, tmp_path: Path) -> None:
    made_shapes = shapes(design, radius=0.0, corner=0.0, notch=False)
    write(made_shapes.drawing, tmp_path / "tray.svg")
    layers = {
        layer.attrib["id"]: [path_points(path.attrib["d"]) for path in layer.iter(f"{NAMESPACE}path")]
        for layer in ElementTree.parse(tmp_path / "tray.svg").getroot().iter(f"{NAMESPACE}g")
        if "id" in layer.attrib
    }
    # Without roundings all is straight, and control points lie on the lines.
    outlines = [shapely.Polygon(points) for points in layers["CUT_BORDER"]]
    base = max(outlines, key=lambda outline: outline.area)
    holes = shapely.union_all([shapely.Polygon(points) for points in layers["CUT_INNER"]])
    parts = sorted(outline.difference(holes).area for outline in outlines)
    sharp = replace(design.parameters, radius=0.0)
    for piece in design.set:
        assert min(abs(np.array(parts) - area_of(piece.mask, sharp))) < 0.05
    left, top, *_rest = base.bounds
    x, y = np.array([left, top]) + 12
    first = np.argwhere(design.layout.mask).min(axis=0)[::-1] * 20
    cells = {
        name: shapely.box(*(corner := np.array([column, row]) * 20 - first + (x, y)), *(corner + 20))
        for name, (row, column) in zip(design.layout.names, np.argwhere(design.layout.mask), strict=True)
    }
    texts = [shapely.LineString(points) for points in layers["ENGRAVE"]]
    holders = [[name for name, cell in cells.items() if cell.contains(text)] for text in texts]
    assert {name for (name,) in holders} == {label.name for label in design.layout.labels}


@pytest.mark.parametrize("kerf", [0.2, 0.35])
def test_a_finished_frame_is_as_designed_whatever_the_beam_burns(kerf: float) -> None:
    drawing = shapes(ODD).drawing
    cut = cutouts(Contours(drawing), kerf / 2)
    lines = cut.rings.flattened(0.002)
    for piece, designed in enumerate(regions(drawing)):
        outline, *holes = (lines[ring] for ring in np.flatnonzero(cut.owners == piece).tolist())
        head = shapely.Polygon(outline, holes)
        assert all(designed.buffer(-0.01).disjoint(shapely.LineString(hole)) for hole in holes)
        assert all(shapely.Polygon(hole).area < ring.area for hole, ring in zip(
            sorted(holes, key=lambda one: shapely.Polygon(one).area),
            sorted(map(shapely.Polygon, designed.interiors), key=lambda one: one.area), strict=True,
        ))  # fmt: skip
        finished = shapely.buffer(head, -kerf / 2, join_style="mitre", mitre_limit=3.0)
        assert shapely.hausdorff_distance(finished.boundary, designed.boundary) < 0.02


@every_design
def test_nested_sheets_hold_everything_once_with_the_labels_on_the_base(design: CalendarDesign) -> None:
    drawing = shapes(design).drawing
    making = Making(lines="separate", kerf=0.2, copies=2)
    found = made(drawing, making, Machine(bed_width=420, bed_height=300), Material())
    names = sorted(name for one in found.plans for name in one.drawing.pieces.names)
    assert names == sorted([*drawing.pieces.names, *(f"{name} (2)" for name in drawing.pieces.names)])
    count = {operation: sum(path.operation is operation for path in drawing.paths()) for operation in Operation}
    got = dict.fromkeys(Operation, 0)
    for one in found.plans:
        parts = regions(one.drawing)
        assert_nothing_overlaps(parts)
        assert shapely.box(0, 0, 420, 300).covers(shapely.union_all(parts))
        bases = [part for part, name in zip(parts, one.drawing.pieces.names, strict=True) if name.startswith("Base")]
        for path in one.drawing.paths():
            got[path.operation] += 1
            if path.operation in (Operation.ENGRAVE, Operation.SCORE):
                line = shapely.LineString(path.points[::3])
                assert sum(base.contains(line) for base in bases) == 1
    assert got == {operation: 2 * many for operation, many in count.items()}


def test_sheets_of_an_odd_board_are_written_and_read_back(tmp_path: Path) -> None:
    drawing = shapes(ODD).drawing
    found = made(drawing, Making(lines="separate"), Machine(bed_width=300, bed_height=200), Material())
    reports = write_all([one.drawing for one in found.plans], tmp_path / "sheet.svg")
    assert sum(report.faces for report in reports) == len(drawing.pieces)


def test_the_drawing_is_kept_while_only_the_printing_changes() -> None:
    before = shapes(CalendarDesign())
    printed = replace(before.design, parameters=replace(before.design.parameters, thickness=6.0))
    after = shape(printed, before, Progress())
    assert after.drawing is before.drawing and after.design == printed
    wider = replace(printed, parameters=replace(printed.parameters, frame=20.0))
    assert shape(wider, after, Progress()).drawing.width == before.drawing.width + 4 * 8


def told(design: CalendarDesign, **parameters: object) -> dict[str, Severity]:
    changed = replace(design, parameters=replace(design.parameters, **parameters))  # type: ignore[arg-type]
    made_shapes = shape(changed, None, Progress())
    found = list(findings(changed, made_shapes))
    for finding in found:
        assert finding.message.endswith(".")
        assert 0 < finding.place[0] < made_shapes.drawing.width and 0 < finding.place[1] < made_shapes.drawing.height
    return {finding.kind: finding.severity for finding in found}


@every_design
def test_a_tray_with_the_usual_parameters_has_nothing_to_tell(design: CalendarDesign) -> None:
    assert list(findings(design, shapes(design))) == []


@pytest.mark.parametrize(
    ("parameters", "kind", "severity"),
    [
        ({"cell": 6.0, "radius": 0.0}, "height", Severity.WARNING),
        ({"text": 1.5}, "height", Severity.WARNING),
        ({"text": 30.0}, "height", Severity.HINT),
        ({"radius": 10.0}, "radius", Severity.ERROR),
        ({"cell": 12.0, "play": 1.5}, "play", Severity.WARNING),
        ({"chamfer": 3.0}, "chamfer", Severity.ERROR),
        ({"frame": 3.0, "notch": True}, "frame", Severity.WARNING),
        ({"frame": 5.0, "corner": 60.0}, "frame", Severity.ERROR),
    ],
)
def test_what_cannot_be_made_well_is_told(parameters: dict[str, object], kind: str, severity: Severity) -> None:
    assert told(CalendarDesign(), **parameters)[kind] is severity


def test_cells_that_touch_at_their_corners_need_some_play() -> None:
    design = CalendarDesign(board=Board((".#", "#.")), pieces=(Piece("I", ("#",)),))
    assert told(design, play=0.0, radius=0.0) == {"frame": Severity.ERROR}
    assert told(design, play=0.0, radius=1.0) == {"frame": Severity.WARNING}
    assert told(design, play=0.2, radius=0.0) == {}


def test_a_text_that_the_font_lacks_is_left_out_and_the_others_are_engraved() -> None:
    labels = (Label("A1", "month", 1, "一月"), Label("B1", "month", 2, "Feb"))
    text = text_of(CalendarDesign(board=Board(("..", ".."), labels)))
    assert text.refused == {"A1": "The single-line font has no 一."}
    assert set(text.strokes) == {"B1"}


def test_texts_are_as_tall_as_asked_where_they_fit_and_equally_tall() -> None:
    for asked, expected in ((3.0, 3.0), (0.0, None), (30.0, None)):
        design = CalendarDesign(CalendarParameters(text=asked))
        text = text_of(design)
        assert text.height == pytest.approx(expected or text.fitting) and text.height > LEAST_TEXT
        ones = text.strokes["A3"].points
        assert np.ptp(ones[:, 1]) == pytest.approx(text.height)
