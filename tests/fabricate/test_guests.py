"""Pieces in the waste of a frame: apart from it and from each other, and cut before what is left falls out."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.cli import main
from studio.fabricate import workshop
from studio.fabricate.making import IN_WASTE, NESTED, Made, Making, made
from studio.fabricate.nesting import guests
from studio.fabricate.plan import Strategy
from studio.files.store import save
from studio.geometry.planar.drawing import Drawing, Operation
from studio.puzzles.calendar.geometry import shape
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from tests.depth import THOROUGH

PLYWOOD = workshop.one_of(workshop.Material, "plywood-3").value
SMALL_BED = workshop.one_of(workshop.Machine, "co2-300x200").value
SPACING = 2.0


def nested(board: str, layout: str, strategy: str = "usual", copies: int = 1) -> Made:
    shapes = shape(CalendarDesign(CalendarParameters(board=board)), None, Progress())
    making = Making(lines="separate", layout=layout, spacing=SPACING, strategy=strategy, copies=copies)
    return made(shapes.drawing, making, SMALL_BED, PLYWOOD)


def rings_of(sheet: Drawing) -> tuple[list[shapely.Polygon], list[shapely.Polygon]]:
    """The outlines of the pieces on a sheet, and their holes."""
    pieces, lines = sheet.pieces, sheet.strokes.flattened(0.002)
    starts = {*pieces.starts.tolist()}
    rings = [shapely.Polygon(lines[code >> 1]) for code in pieces.codes.tolist()]
    holes = [ring for at, ring in enumerate(rings) if at not in starts]
    return [ring for at, ring in enumerate(rings) if at in starts], holes


def stock(sheets: Sequence[Drawing]) -> float:
    """The area in mm² of the boxes around what is cut from each sheet."""
    return float(sum(np.ptp(sheet.strokes.flattened(0.05).points, axis=0).prod() for sheet in sheets))


@pytest.mark.sampled(3)
@pytest.mark.parametrize("board", ["article", "weekday", "dice"])
def test_pieces_in_the_waste_keep_their_distance_and_save_wood(board: str) -> None:
    plain, saving = nested(board, NESTED), nested(board, IN_WASTE)
    names = sorted(name for sheet in plain.sheets for name in sheet.pieces.names)
    assert sorted(name for sheet in saving.sheets for name in sheet.pieces.names) == names
    inside = 0
    for sheet in saving.sheets:
        outlines, holes = rings_of(sheet)
        for number, outline in enumerate(outlines):
            around = [hole for hole in holes if hole.contains(outline)]
            inside += len(around)
            assert all(hole.exterior.distance(outline) >= SPACING - 0.01 for hole in around)
            for other in outlines[:number]:
                assert outline.exterior.distance(other.exterior) >= SPACING - 0.01
                assert outline.disjoint(other) or any(hole.contains(outline) or hole.contains(other) for hole in holes)
    assert inside >= 4, "of eight pieces at least half"
    assert stock(saving.sheets) < 0.9 * stock(plain.sheets)
    assert saving.cut == pytest.approx(plain.cut), "the same outlines are cut"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("strategy", ["usual", Strategy.SINGLY.value, Strategy.AS_DRAWN.value])
def test_what_is_in_the_waste_is_cut_before_the_waste_falls_out(strategy: str) -> None:
    for plan in nested("article", IN_WASTE, strategy).plans:
        outlines, holes = rings_of(plan.drawing)
        lines = plan.drawing.strokes.flattened(0.002)
        cuts = [chain for chain in plan.drawing.chains if chain.operation in (Operation.INNER, Operation.BORDER)]
        order = [shapely.Polygon(lines[chain.strokes[0] >> 1]) for chain in cuts]
        for number, ring in enumerate(order):
            assert not any(ring.contains(later) for later in order[number + 1 :]), "it would have come loose before"
        assert len(order) == len(outlines) + len(holes) and plan.loose_cuts == 0 and (plan.freed_by >= 0).all()


def test_every_copy_of_a_frame_has_its_own_pieces_in_it() -> None:
    once, twice = nested("dice", IN_WASTE), nested("dice", IN_WASTE, copies=2)

    def within(found: Made) -> int:
        rings = [rings_of(sheet) for sheet in found.sheets]
        return sum(hole.contains(one) for outlines, holes in rings for hole in holes for one in outlines)

    assert within(twice) == 2 * within(once) > 0


def test_a_hole_has_no_room_for_a_piece_as_large_as_itself() -> None:
    square = shapely.box(0, 0, 50, 50)
    assert not guests([shapely.box(-10, -10, 60, 60), square], [(0, square)], 1.0)
    assert not guests([shapely.box(-10, -10, 60, 60), shapely.box(0, 0, 48.5, 20)], [(0, square)], 1.0)
    found = guests([shapely.box(-10, -10, 60, 60), shapely.box(100, 0, 145, 20)], [(0, square)], 1.0)
    assert list(found) == [1] and found[1].host == 0
    narrow = shapely.box(0, 0, 0.5, 50)
    assert not guests([shapely.box(-10, -10, 60, 60), square], [(0, narrow)], 1.0)


def test_files_of_pieces_in_the_waste_are_read_back(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    save(tmp_path / "c.puzzle", CALENDAR, CalendarDesign())
    words = ["export", str(tmp_path / "c.puzzle"), "--set", "lines=separate", "--set", "layout=in-waste"]
    for suffix in ("dxf", "svg", "pdf") if THOROUGH else ("dxf",):
        assert main([*words, "--machine", "co2-300x200", "-o", str(tmp_path / f"c.{suffix}")]) == 0
        assert "2 sheets" in capsys.readouterr().out
