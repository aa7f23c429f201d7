"""Start points, lead-ins and overcuts: where they lie, what they touch, and that every file has them."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT
from studio.exporting.formats import GCODE, LASER, Options
from studio.exporting.laser_files import write_all
from studio.exporting.options import Unreadable
from studio.exporting.writers.path_segments import ready
from studio.fabricate.making import Made, Making, made
from studio.fabricate.plan import Playback, plan
from studio.fabricate.workshop import Machine, Material, run_of
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import CUTS, Chain, Drawing, Operation, closed_parts
from studio.geometry.planar.regions import FreeArea, pieces_as_polygons
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.registry import kind
from tests.export.formats.test_machine_code import burn, compare
from tests.fabricate.boards import squares

LEAD, OVER = 1.5, 0.5
SEPARATE = Making(lines="separate")
LED = Making(lines="separate", lead_in=LEAD, overcut=OVER)
TILINGS = ("grid", "hexagons", "voronoi", "triangles", "bricks", "hand-cut", "rings")


@cache
def board(seed: int) -> Drawing:
    """A seeded board of a tiling and outline that follow from the seed."""
    outline = ("rectangle", "ellipse", "heart")[seed % 3]
    parameters = JigsawParameters(columns=5, rows=4, width=125, height=100, seed=seed, outline=outline,
                                  tiling=TILINGS[seed % len(TILINGS)])  # fmt: skip
    return shape(JigsawDesign(parameters), None, SILENT).drawing


def loops(drawing: Drawing) -> list[Chain]:
    """The cuts round pieces and holes."""
    return [chain for chain in drawing.chains if chain.operation in CUTS]


def line(drawing: Drawing, *codes: int) -> Floats:
    """Points along strokes, very near the curves."""
    return drawing.strokes.joined(np.array(codes), np.array([0, len(codes)])).flattened(0.0005).points


def parted(drawing: Drawing, chain: Chain) -> tuple[list[int], list[int], list[int]]:
    """Codes of the lead-in, the loop and the overcut of a cut."""
    codes = chain.strokes.tolist()
    bounds = {code >> 1 for code in drawing.pieces.codes.tolist()}
    lead = [code for code in codes[:1] if code >> 1 not in bounds]
    end = len(codes) - chain.overcut
    return lead, codes[len(lead) : end], codes[end:]


def assert_led(sheet: Drawing, room: shapely.Geometry, lead_in: float, overcut: float, least: float = 1.0) -> int:
    """Hold every lead-in and overcut of a sheet against its pieces; returns the number of lead-ins.

    `least` is the share of loops that must have one.
    """
    pieces = shapely.union_all(pieces_as_polygons(sheet, sheet.strokes.flattened(0.0005)))
    leads, rims = [], []
    for chain in loops(sheet):
        lead, loop, over = parted(sheet, chain)
        closed = line(sheet, *loop)
        assert np.allclose(closed[0], closed[-1], atol=1e-9)
        rims.append(shapely.LineString(closed))
        if overcut:
            assert over == loop[: len(over)] and not chain.closed
            again = float(sheet.strokes.lengths[np.array(over) >> 1].sum())
            assert again == pytest.approx(min(overcut, rims[-1].length / 2), abs=0.004)
        leads.append(shapely.LineString(line(sheet, *lead)) if lead else None)
        if lead:
            way = line(sheet, *lead)
            assert np.allclose(way[-1], closed[0], atol=1e-9)
            if len(way) > 2:
                ends = (sheet.strokes.joined(np.array([code]), np.array([0, 1])).points for code in (*lead, loop[0]))
                arm, first = ends
                before, after = arm[-1] - arm[-2], first[1] - first[0]
                turn = np.arctan2(before[0] * after[1] - before[1] * after[0], before @ after)
                assert abs(turn) < 1e-6, "an arc touches its loop"
    there = [at for at, lead in enumerate(leads) if lead is not None]
    for at in there:
        string = leads[at]
        assert string is not None and string.length <= lead_in + 1e-3
        assert room.contains(string)
        assert string.intersection(pieces).length < 0.005, "it lies in the waste"
        for other in range(len(rims)):
            if other != at:
                assert string.distance(rims[other]) > 0.25
                third = leads[other]
                assert third is None or string.distance(third) > 0.25
    assert len(there) >= least * len(rims)
    return len(there)


@pytest.mark.parametrize(
    "more",
    [
        {"mirror": True},
        {"layout": "in-waste", "copies": 2},
        {"layout": "in-place", "spacing": 4.0},
        {"layout": "in-place", "page": "bed", "mirror": True},
        {"kerf": 0.0},
        {"spacing": 0.5},
        {"strategy": "as-drawn"},
    ],
    ids=str,
)
def test_lead_ins_suit_every_way_to_make_separate_pieces(more: dict[str, Any]) -> None:
    making = Making(**{"lines": "separate", "lead_in": LEAD, "overcut": OVER, **more})
    found = made(board(2), making, Machine(bed_width=300, bed_height=250), Material())
    for each in found.plans:
        sheet = each.drawing
        count = assert_led(sheet, shapely.box(0, 0, sheet.width, sheet.height), LEAD, OVER, 0.3)
        assert count + each.without_lead_in == len(sheet.pieces)
    assert any("lead-in" in note for note in found.notes) == any(
        each.without_lead_in or each.shorter_lead_ins for each in found.plans
    )


def test_loops_of_several_strokes_have_lead_ins_too() -> None:
    drawing = squares([(20, 20), (50, 25), (20, 70), (90, 40)])
    found = plan(drawing, Machine(), leads=LED.lead_rule(drawing)).drawing
    assert assert_led(found, shapely.box(0, 0, 400, 400), LEAD, OVER) == 4
    assert np.allclose(found.piece_areas, 100.0)


def turn_at_start(sheet: Drawing, chain: Chain) -> float:
    """The largest turn in degrees within 0.3 mm of the start of a loop, over a millimetre."""
    _, loop, _ = parted(sheet, chain)
    string = shapely.LineString(line(sheet, *loop))
    length, best = string.length, 0.0
    for shift in np.linspace(-0.3, 0.3, 13):
        one, two, three = (
            np.array(string.interpolate(at % length).coords[0]) for at in (shift - 0.5, shift, shift + 0.5)
        )
        before, after = two - one, three - two
        best = max(best, abs(np.degrees(np.arctan2(before[0] * after[1] - before[1] * after[0], before @ after))))
    return best


@pytest.mark.parametrize("seed", range(20))
def test_lead_ins_of_nested_pieces_lie_in_the_waste_and_touch_nothing(seed: int) -> None:
    machine = Machine(bed_width=300, bed_height=250)
    plain, led = (made(board(seed), making, machine, Material()) for making in (SEPARATE, LED))
    shorter = sum(found.shorter_lead_ins for found in led.plans)
    assert len(led.notes) == len(plain.notes) + (shorter > 0) and shorter <= 1
    count = 0
    for bare, found in zip(plain.plans, led.plans, strict=True):
        sheet = found.drawing
        count += assert_led(sheet, shapely.box(0, 0, sheet.width, sheet.height), LEAD, OVER)
        assert sheet.pieces.names == bare.drawing.pieces.names
        areas = [one.areas(one.strokes.flattened(0.0005).sweeps) for one in (sheet, bare.drawing)]
        assert np.allclose(areas[0], areas[1], rtol=1e-5)
        assert (found.freed_by >= 0).all()
    assert led.cut - plain.cut == pytest.approx(count * (LEAD + OVER), abs=0.01 * count + LEAD * shorter)


def test_long_lead_ins_do_not_run_within_their_own_piece() -> None:
    """On this board the direction of a curve at a corner, followed back, leads into the piece."""
    (found,) = made(board(6), Making(lines="separate", lead_in=4.0), Machine(), Material()).plans
    assert assert_led(found.drawing, shapely.box(0, 0, 600, 400), 4.0, 0.0) == len(found.drawing.pieces)


def test_no_board_starts_on_a_smooth_stretch_where_a_piece_has_a_corner() -> None:
    smooth = total = 0
    for seed in range(20):
        for making in (SEPARATE, LED):
            for each in made(board(seed), making, Machine(bed_width=300, bed_height=250), Material()).plans:
                turns = [turn_at_start(each.drawing, chain) for chain in loops(each.drawing)]
                smooth += sum(turn < 30 for turn in turns)
                total += len(turns)
    assert total > 600 and smooth == 0


def ringed(*contours: Floats) -> Drawing:
    """Parts on a sheet of 200 × 100 mm."""
    return closed_parts((200.0, 100.0), [f"P{at}" for at in range(len(contours))], [[one] for one in contours])


def test_a_smooth_figure_starts_in_its_neck_with_an_arc(round_contour: Callable[..., Floats]) -> None:
    """Two discs joined by a neck, all smooth: the most concave places are beside the neck."""
    discs = shapely.union(shapely.Point(40, 50).buffer(15, 64), shapely.Point(80, 50).buffer(15, 64))
    blob = shapely.union(discs, shapely.box(40, 45, 80, 55)).buffer(4, 64).buffer(-8, 64).buffer(4, 64)
    points = shapely.get_coordinates(shapely.orient_polygons(blob.segmentize(1.0), exterior_cw=False).exterior)
    sheet = ringed(curved(points), round_contour(140, 50, 20))
    found = plan(sheet, Machine(), leads=LED.lead_rule(sheet)).drawing
    assert assert_led(found, shapely.box(0, 0, 200, 100), LEAD, OVER) == 2
    starts = [line(found, *parted(found, chain)[1])[0] for chain in loops(found)]
    x, y = next(start for start in starts if start[0] < 110)
    assert 50 < x < 70 and abs(y - 50) < 10, "beside the neck and not on the round outline"
    lead, _, _ = parted(found, loops(found)[0])
    assert len(line(found, *lead)) > 2, "an arc"


def curved(points: Floats) -> Floats:
    """A closed smooth curve through points (n, 2), the last like the first (Catmull and Rom)."""
    ring = points[:-1]
    slopes = (np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)) / 6
    after, goal = np.roll(ring, -1, axis=0), np.roll(slopes, -1, axis=0)
    inner = np.stack([ring + slopes, after - goal, after], 1).reshape(-1, 2)
    return np.concatenate([ring[:1], inner])


def test_lead_ins_of_holes_lie_inside_them(
    contour: Callable[..., Floats], round_contour: Callable[..., Floats]
) -> None:
    plate = contour([(20, 20), (120, 20), (120, 80), (20, 80)])
    window = contour([(30, 30), (30, 60), (60, 60), (60, 30)])
    drawing = closed_parts((200.0, 100.0), ["plate"], [[plate, window, round_contour(90, 50, 10)[::-1]]])
    found = plan(drawing, Machine(), leads=LED.lead_rule(drawing)).drawing
    assert assert_led(found, shapely.box(0, 0, 200, 100), LEAD, OVER) == 3
    assert np.allclose(found.piece_areas, drawing.piece_areas, rtol=1e-4)


def test_a_lead_in_without_room_is_shorter_or_left_out_and_told(contour: Callable[..., Floats]) -> None:
    def square(x: float, y: float) -> Floats:
        return contour([(x, y), (x + 10, y), (x + 10, y + 10), (x, y + 10)])

    # Gaps of 0.2 mm all round, and the edge of the sheet: no corner and no side has room.
    crowd = closed_parts((30.4, 30.4), [str(at) for at in range(9)],
                         [[square(10.2 * (at % 3), 10.2 * (at // 3))] for at in range(9)])  # fmt: skip
    found = plan(crowd, Machine(), leads=LED.lead_rule(crowd))
    assert found.without_lead_in == 9
    assert assert_led(found.drawing, shapely.box(0, 0, 30.4, 30.4), LEAD, OVER, 0.0) == 0
    result = made(crowd, Making(kerf=0.0, lead_in=LEAD), Machine(), Material())
    told = [note for note in result.notes if "lead-in" in note]
    assert told == ["Too little room for some lead-ins: 9 outlines without one. Wider spacing makes room."]
    narrow = closed_parts((12.0, 12.0), ["A"], [[square(1, 1)]])
    short = plan(narrow, Machine(), leads=LED.lead_rule(narrow))
    assert (short.without_lead_in, short.shorter_lead_ins) == (0, 1)
    assert assert_led(short.drawing, shapely.box(0, 0, 12, 12), LEAD / 2, OVER) == 1


def test_lead_ins_stay_within_an_offcut() -> None:
    area = FreeArea.from_shape(shapely.box(20, 20, 200, 180), (300, 200))
    making = Making(lines="separate", lead_in=2.0, margin=0.0, area=area)
    (found,) = made(board(0), making, Machine(bed_width=300, bed_height=200), Material()).plans
    assert assert_led(found.drawing, area.shape, 2.0, 0.0) == len(found.drawing.pieces)


@pytest.mark.parametrize("suffix", LASER.suffixes)
def test_every_format_has_lead_ins_and_overcuts(suffix: str, tmp_path: Path) -> None:
    result = made(board(1), LED, Machine(), Material())
    sheet = result.plans[0].drawing
    (report,) = write_all([sheet], tmp_path / f"sheet{suffix}", Options())
    assert report.faces == report.pieces == len(board(1).pieces)
    assert report.cut_length == pytest.approx(result.cut, rel=1e-3)
    assert report.chains == len(loops(sheet))


def test_a_file_without_the_overcut_is_refused() -> None:
    sheet = made(board(1), LED, Machine(), Material()).plans[0].drawing
    known = LASER.of(Path("a.svg"))
    short = Drawing(sheet.width, sheet.height, sheet.strokes,
                    tuple(Chain(one.operation, one.strokes[: len(one.strokes) - one.overcut]) for one in sheet.chains),
                    sheet.pieces)  # fmt: skip
    with pytest.raises(Unreadable):
        known.prove(known.read(known.write(short, Options()), Options()), sheet, Options(), known.rounding)


def test_gcode_burns_lead_ins_and_overcuts_in_the_time_of_the_plan() -> None:
    machine = Machine()
    plain, led = (made(board(0), making, machine, Material()).plans[0] for making in (SEPARATE, LED))
    job = burn(GCODE.write(led.drawing, Options(run=run_of(machine, Material()))), machine.rapid_speed)
    compare(job, ready(led.drawing), 0.0105, 0.0002)
    assert sum(each.length for each in job.lines) == pytest.approx(led.cut, rel=1e-3)
    assert job.travel == pytest.approx(led.travel, abs=0.05)
    assert led.cut - plain.cut == pytest.approx(len(led.drawing.pieces) * (LEAD + OVER), abs=0.1)
    # The lines that are cut besides, at the speed of cutting, less the travel that is saved or added.
    besides = (led.cut - plain.cut) / machine.cut_speed
    assert led.seconds > plain.seconds + 0.5 * besides
    assert led.seconds < plain.seconds + 2 * besides + abs(led.travel - plain.travel) / machine.rapid_speed


def test_pieces_fall_when_their_loop_closes_and_not_after_the_overcut() -> None:
    found = made(board(0), LED, Machine(), Material()).plans[0]
    playback = Playback(found)
    cuts = [code >> 1 for code in playback.codes.tolist()]
    for piece, cut in enumerate(found.freed_by.tolist()):
        own = {int(code) >> 1 for code in found.drawing.pieces.chosen(np.array([piece])).codes}
        assert cuts[cut] in own and cuts.index(cuts[cut]) == cut
        assert own <= set(cuts[: cut + 1])


def test_shared_lines_and_tabs_have_neither() -> None:
    drawing = board(0)
    shared = made(drawing, Making(lead_in=LEAD, overcut=OVER), Machine(), Material())
    assert shared.plans[0].drawing.strokes is drawing.strokes
    tabbed = made(drawing, Making(lines="separate", lead_in=LEAD, overcut=OVER, tabs="piece"), Machine(), Material())
    assert "Lead-ins and overcuts are left out: with tabs, cuts begin and end at a tab." in tabbed.notes
    assert not any(chain.overcut for chain in tabbed.plans[0].drawing.chains)


def test_the_rim_of_a_whole_board_starts_at_a_corner_or_where_a_cut_ends_on_it() -> None:
    for seed in range(20):
        drawing = board(seed)
        sheet = plan(drawing, Machine()).drawing
        ends = sheet.strokes.ends[[code >> 1 for chain in sheet.chains if not chain.closed for code in chain.strokes]]
        for chain in (one for one in sheet.chains if one.closed and one.operation is Operation.BORDER):
            start = line(sheet, *chain.strokes.tolist())[0]
            meets = np.hypot(*(ends.reshape(-1, 2) - start).T).min() < 1e-3
            assert meets or turn_at_start(sheet, chain) > 30


def test_what_is_left_of_a_sheet_leaves_out_lead_ins() -> None:
    machine = Machine(bed_width=300, bed_height=250)
    bare, led = (made(board(0), making, machine, Material()) for making in (SEPARATE, LED))
    sheet = led.sheets[0]
    lines = [shapely.LineString(line(sheet, int(chain.strokes[0]))) for chain in loops(sheet)]
    assert shapely.intersection(led.rests()[0].shape, shapely.union_all(lines)).length < 1e-6
    assert led.rests()[0].shape.area <= bare.rests()[0].shape.area + 1e-6


def test_the_parts_of_a_calendar_and_its_tray_have_lead_ins() -> None:
    cut = kind("calendar").need(Cuttable)
    drawing = cut.drawing(kind("calendar").shape(kind("calendar").example(), None, SILENT))
    found: Made = made(drawing, Making(page="bed", lead_in=LEAD, overcut=OVER), Machine(), Material())
    count: Any = sum(
        assert_led(one.drawing, shapely.box(0, 0, one.drawing.width, one.drawing.height), LEAD, OVER, 0.0)
        for one in found.plans
    )
    assert count + sum(one.without_lead_in for one in found.plans) == sum(len(loops(s)) for s in found.sheets)
