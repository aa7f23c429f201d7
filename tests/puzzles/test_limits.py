"""What a machine's bed and a material's kerf allow of a puzzle, and the fix that a frame has."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.checks.finding import Finding, Severity
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.abilities.cuttable import Cuttable, Limits, beyond, sizes_of
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.zigzaw.kind import ZIGZAW
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters
from tests.classic import classic


def found(kind: AnyKind, design: Any, limits: Limits) -> tuple[Finding, ...]:
    shapes = kind.shape(design, None, Progress())
    return beyond(kind.need(Cuttable), design, shapes, limits, lambda one: kind.shape(one, None, Progress()))


def frogs(**parameters: Any) -> ZigzawDesign:
    """A zigzaw of 9 × 9, whose colours do not matter."""
    return ZIGZAW.generate(ZigzawParameters(columns=9, rows=9, **parameters), None, Progress()).design


@pytest.fixture(scope="module")
def whole() -> ZigzawDesign:
    return frogs()


def test_a_frame_larger_than_the_bed_is_named_with_both_sizes_and_its_fix(whole: ZigzawDesign) -> None:
    (one,) = found(ZIGZAW, whole, Limits("Small laser", 590.0, 390.0))
    assert one.severity is Severity.WARNING and one.message == (
        "Piece Frame is 548 × 470 mm, larger than the usable bed of Small laser (590 × 390 mm)."
    )
    assert one.repair is not None and one.repair.title == "Make the frame in four parts"
    assert found(ZIGZAW, one.repair.apply(whole), Limits("Small laser", 590.0, 390.0)) == ()


def test_a_bed_turned_holds_what_it_holds_otherwise(whole: ZigzawDesign) -> None:
    assert found(ZIGZAW, whole, Limits("Deep laser", 470.0, 548.0)) == ()


def test_a_fix_that_does_not_help_is_not_offered(whole: ZigzawDesign) -> None:
    (one, *_) = found(ZIGZAW, whole, Limits("Tiny laser", 60.0, 60.0))
    assert one.repair is None


def test_a_machine_that_nobody_chose_is_a_hint(whole: ZigzawDesign) -> None:
    (one,) = found(ZIGZAW, whole, Limits("Small laser", 590.0, 390.0, is_chosen=False))
    assert one.severity is Severity.HINT


def test_a_board_that_is_split_between_pieces_is_no_finding() -> None:
    board = JigsawDesign(classic(columns=10, rows=8, width=250, height=200))
    assert found(JIGSAW, board, Limits("Small laser", 100.0, 100.0)) == ()
    assert len(found(JIGSAW, board, Limits("Tiny laser", 20.0, 20.0))) == 80


def test_sizes_and_middles_are_those_of_the_boxes_around_the_pieces() -> None:
    drawing = JIGSAW.shape(JigsawDesign(classic(columns=4, rows=2, width=100, height=50)), None, Progress()).drawing
    boxes = shapely.bounds(pieces_as_polygons(drawing, drawing.polylines))
    sizes, middles = sizes_of(drawing)
    assert sizes == pytest.approx(boxes[:, 2:] - boxes[:, :2]) and middles == pytest.approx(
        (boxes[:, 2:] + boxes[:, :2]) / 2
    )


def test_a_kerf_wider_than_a_neck_is_found_before_an_export_refuses_it() -> None:
    board = JigsawDesign(
        JigsawParameters(columns=5, rows=4, width=30.0, height=24.0, strong_necks=False, least_neck=0.1)
    )
    wide = found(JIGSAW, board, Limits("Laser", 590.0, 390.0, "Thick board", 0.9))
    assert wide and all(one.message.endswith("burns through it.") or one.message.endswith("closes it.") for one in wide)
    assert all("the kerf of Thick board (0.9 mm)" in one.message and np.isfinite(one.place).all() for one in wide)
    assert found(JIGSAW, board, Limits("Laser", 590.0, 390.0, "Card", 0.3)) == ()
