"""The tray of a jigsaw: the board drops into its frame with the clearance stated, in files as on the drawing."""

from __future__ import annotations

from dataclasses import replace
from math import pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from ezdxf.filemanagement import readfile
from ezdxf.path import make_path
from hypothesis import example, given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.checks.finding import Severity
from studio.exporting.formats import LASER, Options
from studio.exporting.laser_files import write_all
from studio.fabricate.making import Making, made, stated
from studio.fabricate.workshop import Machine, Material
from studio.files.store import dumps
from studio.geometry.curves.strokes import Curves, Floats, closed_through
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import pieces_as_polygons
from studio.geometry.planar.trays import Tray, TrayForm
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, _tray, form, shape
from studio.puzzles.jigsaw.repair import repaired
from tests.classic import classic
from tests.depth import examples

LEAST_WOOD = 2.0

SMALL: dict[str, Any] = {"width": 120.0, "height": 90.0, "columns": 4, "rows": 3, "tray": True}
OUTLINES: dict[str, dict[str, Any]] = {
    "rectangle": {}, "rounded": {"corner_radius": 20.0}, "ellipse": {"outline": "ellipse"},
    "triangle": {"outline": "polygon", "sides": 3}, "hexagon": {"outline": "polygon", "sides": 6},
    "heart": {"outline": "heart"}, "arch": {"outline": "arch"}, "wavy": {"border": "wandering", "perturbation": 0.3},
}  # fmt: skip
every_outline = pytest.mark.parametrize("outline", OUTLINES.values(), ids=list(OUTLINES))
NEARLY = 0.015
"""The error in mm of the lines of both board and frame."""


def shapes_of(design: JigsawDesign) -> JigsawShapes:
    return shape(design, None, Progress())


def trayed(**parameters: Any) -> JigsawShapes:
    return shapes_of(JigsawDesign(classic(**SMALL | parameters)))


def tray_of(shapes: JigsawShapes) -> Tray:
    assert shapes.tray is not None
    return shapes.tray


def polygons(drawing: Drawing) -> dict[str, shapely.Polygon]:
    """The parts of a drawing by name, their curves followed finely."""
    found = pieces_as_polygons(drawing, drawing.strokes.flattened(0.0005))
    return dict(zip(drawing.pieces.names, found.tolist(), strict=True))


def board_of(drawing: Drawing) -> shapely.Geometry:
    """All pieces of a puzzle together."""
    return shapely.union_all(shapely.make_valid(pieces_as_polygons(drawing, drawing.strokes.flattened(0.0005))))


def gaps(board: shapely.Geometry, frame: shapely.Polygon) -> Floats:
    """The distances of a board's border from the frame around it, every 0.2 mm."""
    rim = shapely.segmentize(shapely.boundary(board), 0.2)
    away = shapely.distance(shapely.points(shapely.get_coordinates(rim)), frame)
    return np.asarray(away)


def placed_in(part: shapely.Polygon, tray: Tray) -> shapely.Polygon:
    """A part of a sheet, moved around the board: its box lies as that of the base does."""
    left, top, right, bottom = part.bounds
    low, low_y, high, high_y = tray.outside.bounds
    across, down = (low + high - left - right) / 2, (low_y + high_y - top - bottom) / 2
    moved: shapely.Polygon = shapely.transform(part, lambda points: points + np.array([across, down]))
    return moved


@pytest.mark.sampled(2)
@every_outline
def test_the_board_drops_into_the_frame_with_the_clearance_stated_all_round(outline: dict[str, Any]) -> None:
    shapes = trayed(tray_notches=0, tray_clearance=0.4, **outline)
    parts = polygons(tray_of(shapes).drawing)
    frame = placed_in(parts["Frame"], tray_of(shapes))
    found = gaps(board_of(shapes.drawing), frame)
    assert found.min() == pytest.approx(0.4, abs=NEARLY)
    # Between the cheeks of a heart no wood that lasts has room.
    assert np.quantile(found, 0.9 if outline.get("outline") == "heart" else 1.0) == pytest.approx(0.4, abs=NEARLY)
    assert parts["Base"].area == pytest.approx(shapely.Polygon(parts["Frame"].exterior).area, rel=1e-5)


@pytest.mark.sampled(2)
@every_outline
def test_areas_add_up(outline: dict[str, Any]) -> None:
    shapes = trayed(tray_notches=0, **outline)
    parts = polygons(tray_of(shapes).drawing)
    opening = shapely.buffer(board_of(shapes.drawing), 0.5, join_style="mitre", mitre_limit=3.0)
    spikes = 40.0 if outline.get("outline") == "heart" else 0.0
    assert parts["Frame"].area == pytest.approx(parts["Base"].area - opening.area, rel=2e-4, abs=spikes)
    # The rim is as wide as asked wherever it is not rounded.
    assert tray_of(shapes).bare_wood == pytest.approx(15.0, abs=0.1) or outline.get("sides") == 3


def test_a_rectangle_is_as_large_as_its_sides_say() -> None:
    frame = polygons(tray_of(trayed(tray_notches=0, tray_corner=10.0)).drawing)["Frame"]
    outer = 151.0 * 121.0 - (4 - pi) * 10.0**2
    assert frame.area == pytest.approx(outer - 121.0 * 91.0, rel=1e-4)
    assert frame.bounds[2] - frame.bounds[0] == pytest.approx(151.0, abs=NEARLY)


def test_the_outside_can_be_a_rectangle_around_any_board() -> None:
    shapes = trayed(outline="heart", tray_form="rectangle", tray_corner=0.0)
    opening = shapely.buffer(board_of(shapes.drawing), 0.5, join_style="mitre", mitre_limit=3.0)
    left, top, right, bottom = opening.bounds
    assert tray_of(shapes).outside.area == pytest.approx((right - left + 30) * (bottom - top + 30), rel=1e-4)


def test_no_spike_of_wood_reaches_between_the_cheeks_of_a_heart() -> None:
    frame = polygons(tray_of(trayed(outline="heart", tray_notches=0)).drawing)["Frame"]
    sturdy = shapely.buffer(shapely.buffer(frame, -0.9), 0.9)
    assert shapely.difference(frame, sturdy).area < 1.0


def test_a_hollow_corner_of_a_board_keeps_its_clearance() -> None:
    ring = [(0.0, 0.0), (120.0, 0.0), (120.0, 50.0), (60.0, 50.0), (60.0, 90.0), (0.0, 90.0)]
    path = (tuple((x, y) for x, y in closed_through(np.array(ring)).tolist()),)
    shapes = shapes_of(JigsawDesign(classic(**SMALL | {"outline": "file", "tray_notches": 0}), path=path))
    frame = placed_in(polygons(tray_of(shapes).drawing)["Frame"], tray_of(shapes))
    found = gaps(board_of(shapes.drawing), frame)
    assert found.min() == pytest.approx(0.5, abs=NEARLY) and found.max() <= 0.5 * 2**0.5 + NEARLY


@pytest.mark.parametrize("count", [1, 2, 3, 4, 6])
def test_notches_lie_on_the_rim_and_reach_as_far_as_their_radius(count: int) -> None:
    shapes = trayed(tray_notches=count, tray_notch=7.0)
    frame = placed_in(polygons(tray_of(shapes).drawing)["Frame"], tray_of(shapes))
    opening = shapely.box(-0.5, -0.5, 120.5, 90.5)
    beyond = shapely.get_parts(shapely.difference(shapely.Polygon(frame.interiors[0]), shapely.buffer(opening, 0.02)))
    notches = [part for part in beyond if part.area > 1.0]
    assert len(notches) == count
    for notch in notches:
        reach = shapely.hausdorff_distance(notch, shapely.intersection(opening, shapely.buffer(notch, 0.1)))
        assert reach == pytest.approx(7.0, abs=0.1)
    assert frame.area < 151.0 * 121.0 - opening.area


def test_notches_of_a_rectangle_are_in_the_middles_of_its_sides() -> None:
    places = tray_of(trayed(tray_notches=4)).notch_places
    assert sorted(np.round(places, 3).tolist()) == [[-0.5, 45.0], [60.0, -0.5], [60.0, 90.5], [120.5, 45.0]]


def with_a_hole() -> JigsawDesign:
    rings = (
        [(0.0, 0.0), (120.0, 0.0), (120.0, 90.0), (0.0, 90.0)],
        [(50.0, 30.0), (50.0, 60.0), (80.0, 60.0), (80.0, 30.0)],
    )
    path = tuple(tuple((x, y) for x, y in closed_through(np.array(ring)).tolist()) for ring in rings)
    return JigsawDesign(classic(**SMALL | {"outline": "file"}), path=path)


def test_a_hole_of_the_board_gets_a_filler_that_is_scored_on_the_base() -> None:
    shapes = shapes_of(with_a_hole())
    drawing = tray_of(shapes).drawing
    parts = polygons(drawing)
    assert set(parts) == {"Base", "Frame", "Filler"}
    assert parts["Filler"].area == pytest.approx(29.0**2, rel=1e-3)
    (scored,) = (chain for chain in drawing.chains if chain.operation is Operation.SCORE)
    line = shapely.Polygon(drawing.strokes.chosen(scored.strokes >> 1).flattened(0.001)[0])
    base = parts["Base"]
    assert line.area == pytest.approx(29.0**2, rel=1e-3) and base.contains(line)
    # The hole is 50 to 80 mm from the left of the board, which is 15.5 mm from the left of the base.
    assert line.bounds[0] - base.bounds[0] == pytest.approx(15.5 + 50.5, abs=NEARLY)
    assert JIGSAW.check(with_a_hole(), shapes, None, Progress()).findings == ()


def test_a_lid_goes_over_the_tray_and_its_recess_is_as_large_as_the_opening() -> None:
    parts = polygons(tray_of(trayed(tray_lid="recess", outline="heart")).drawing)
    assert list(parts) == ["Base", "Frame", "Lid", "Lid rim", "Picture frame"]
    inside = shapely.Polygon(parts["Lid rim"].interiors[0])
    around = shapely.buffer(parts["Base"], 0.5, join_style="mitre", mitre_limit=3.0)
    assert inside.area == pytest.approx(around.area, rel=1e-4)
    bare = polygons(tray_of(trayed(tray_notches=0, outline="heart")).drawing)["Frame"]
    assert shapely.Polygon(parts["Picture frame"].interiors[0]).area == pytest.approx(
        shapely.Polygon(bare.interiors[0]).area, rel=1e-4
    )
    outsides = {name: shapely.Polygon(parts[name].exterior).area for name in ("Lid", "Lid rim", "Picture frame")}
    assert max(outsides.values()) == pytest.approx(min(outsides.values()), rel=1e-6)


def centred(area: shapely.Geometry) -> shapely.Geometry:
    """An area whose box lies around the origin."""
    middle = shapely.envelope(area).centroid
    return shapely.transform(area, lambda points: points - (middle.x, middle.y))


def rings_in(path: Path) -> list[shapely.Polygon]:
    """The closed lines of a DXF file, the largest first, as another library reads them."""
    found = []
    for line in readfile(path).modelspace().query("LWPOLYLINE"):
        points = [(place.x, place.y) for place in make_path(line).flattening(0.001)]
        if line.closed or points[0] == points[-1]:  # type: ignore[attr-defined]
            found.append(shapely.Polygon(points))
    return sorted(found, key=lambda one: -one.area)


@pytest.mark.parametrize("making", [Making(kerf=0.2), Making(kerf=0.2, play=0.1, lines="separate")], ids=str)
def test_what_the_beam_leaves_fits_with_the_clearance_stated(making: Making, tmp_path: Path) -> None:
    shapes = trayed(tray_notches=0, tray_clearance=0.3, corner_radius=8.0)
    found = made(shapes.whole, making, Machine(), Material(), tray=shapes.tray)
    write_all(found.sheets, tmp_path / "a.dxf", beside=found.beside, tray=found.tray_sheets)
    lines = rings_in(tmp_path / "a-tray.dxf")
    opening = min(lines, key=lambda one: one.area)
    # Half the kerf is burnt on both sides of a line: the opening is larger, what lies within a line smaller.
    burnt = shapely.buffer(opening, 0.1, join_style="mitre")
    if making.lines == "shared":
        border = max(rings_in(tmp_path / "a.dxf"), key=lambda one: one.area)
        board = shapely.buffer(border, -0.1, join_style="mitre")
    else:
        # Each piece comes out half the clearance smaller than it is drawn.
        board = shapely.buffer(board_of(shapes.drawing), -0.05, join_style="mitre")
    inside, outside = map(centred, (board, burnt))
    rim = shapely.segmentize(shapely.boundary(inside), 0.2)
    away = shapely.distance(shapely.points(shapely.get_coordinates(rim)), shapely.boundary(outside))
    assert away.min() == pytest.approx(0.3, abs=0.03) and away.max() == pytest.approx(0.3, abs=0.03)
    assert [plan.loose_cuts for plan in found.tray] == [0] * len(found.tray)
    assert "0.3 mm clearance" in stated(tray_of(shapes))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("suffix", LASER.suffixes)
def test_the_files_of_a_tray_hold_all_of_its_parts(suffix: str, tmp_path: Path) -> None:
    shapes = shapes_of(replace(with_a_hole(), parameters=classic(**SMALL | {"outline": "file", "tray_lid": "recess"})))
    found = made(shapes.whole, Making(page="bed", tabs="piece"), Machine(), Material(), tray=shapes.tray)
    reports = write_all(found.sheets, tmp_path / f"a{suffix}", Options(dpi=72), tray=found.tray_sheets)
    trays = reports[len(found.sheets) :]
    assert sum(report.faces for report in trays) == 6 and len(trays) == len(found.tray)
    assert found.tray[0].tab_count > 0
    assert {report.path.name for report in trays} <= {path.name for path in tmp_path.iterdir()}
    assert found.cut == pytest.approx(sum(plan.cut for plan in (*found.plans, *found.tray)))


def test_a_tray_larger_than_the_bed_is_refused_in_a_sentence() -> None:
    shapes = trayed()
    machine = replace(Machine(), bed_width=150.0, bed_height=140.0)
    with pytest.raises(StudioError, match=r"Base of the tray \(151\.\d × 121\.\d mm\) is larger than the usable bed"):
        made(shapes.whole, Making(page="bed"), machine, Material(), tray=shapes.tray)


def test_cuts_keep_their_numbers_and_old_files_their_bytes() -> None:
    bare, with_tray = trayed(tray=False), trayed()
    assert bare.tray is None
    assert np.array_equal(bare.whole.strokes.points, with_tray.whole.strokes.points)
    assert b"tray" not in dumps(JIGSAW, bare.design) and b'"tray"' in dumps(JIGSAW, with_tray.design)


def test_the_frame_follows_a_border_that_is_dragged_and_is_kept_where_it_is_not() -> None:
    before = trayed(border="wandering", perturbation=0.3)
    inner = before.design.with_corners({"2,1": (0.1, 0.1)})
    assert shape(inner, before, Progress()).tray is tray_of(before)
    outer = shape(before.design.with_corners({"2,0": (0.4, 0.0)}), before, Progress())
    assert tray_of(outer) is not tray_of(before)
    frame = placed_in(polygons(tray_of(outer).drawing)["Frame"], tray_of(outer))
    assert gaps(board_of(outer.drawing), frame).min() == pytest.approx(0.5, abs=NEARLY)


@settings(max_examples=examples(15))
@given(
    st.fixed_dictionaries({
        "tray_clearance": st.floats(0.0, 5.0), "tray_rim": st.floats(2.0, 60.0), "tray_corner": st.floats(0.0, 200.0),
        "tray_notches": st.integers(0, 12), "tray_notch": st.floats(2.0, 100.0),
        "tray_form": st.sampled_from(["outline", "rectangle"]), "tray_lid": st.sampled_from(["none", "recess"]),
        "outline": st.sampled_from(["rectangle", "ellipse", "polygon", "heart", "arch"]), "sides": st.integers(3, 12),
    })
)  # fmt: skip
@example({"tray_rim": 2.0, "tray_corner": 2e-192, "tray_notches": 0, "tray_form": "rectangle", "outline": "ellipse"})
def test_every_tray_can_be_drawn_and_repaired(parameters: dict[str, Any]) -> None:
    design = JigsawDesign(JigsawParameters(width=150.0, height=120.0, columns=3, rows=2, tray=True, **{
        name: value for name, value in parameters.items() if name != "tray"
    }))  # fmt: skip
    mended = repaired(design, Progress()).design
    shapes = shapes_of(mended)
    left = [one for one in check(mended, shapes, None, Progress()).findings if one.kind in ("tray", "notch")]
    assert not left
    tray = tray_of(shapes)
    parts = polygons(tray.drawing)
    frame = placed_in(parts["Frame"], tray)
    assert frame.is_valid and not shapely.intersects(shapely.buffer(board_of(shapes.drawing), -0.01), frame)
    rim = shapely.LinearRing(frame.interiors[0])
    assert rim.distance(frame.exterior) >= LEAST_WOOD - NEARLY


@pytest.mark.parametrize("clearance", [5e-324, 1e-200, 1e-20])
def test_a_clearance_too_small_to_see_is_like_none(clearance: float) -> None:
    tray = Tray(shapely.box(0.0, 0.0, 20.0, 20.0), TrayForm(clearance, 15.0, 10.0))
    assert tray.bare_opening.area == pytest.approx(400.0)


def test_two_pieces_that_share_a_cut_from_tip_to_cleft_have_a_border_each_and_a_tray() -> None:
    # Two rings in a thin heart: each border of a piece runs between the same two corners of the outline.
    thin = JigsawParameters(
        outline="heart", width=20.0, height=80.0, tiling="rings", columns=2, rows=4, middle_piece=False, seed=149,
        tricky_border=True, tray=True, tray_notches=0,
    )  # fmt: skip
    shapes = shape(JigsawDesign(thin), None, Progress())
    findings = check(shapes.design, shapes, None, Progress()).findings
    assert not [found.message for found in findings if found.severity is Severity.ERROR]
    whole = shapely.union_all(pieces_as_polygons(shapes.drawing, shapes.drawing.polylines))
    assert shapes.tray is not None and shapes.tray.board.area == pytest.approx(whole.area, rel=1e-3)


def test_a_border_that_encloses_nothing_has_no_tray() -> None:
    there_and_back = Curves.from_strokes([closed_through(np.array([[0.0, 0.0], [10.0, 0.0]]))])
    found = _tray(there_and_back.points.tobytes(), there_and_back.starts.tobytes(), form(JigsawParameters(tray=True)))
    assert found is None
