"""Pieces that are called sound at a glance are those in which a search by moving outlines finds no neck either."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import SILENT, Progress
from studio.checks.pieces import lie_side_by_side, may_be_narrow
from studio.fabricate import kerf
from studio.fabricate.contours import Contours
from studio.fabricate.kerf import too_narrow
from studio.geometry.curves.strokes import straight
from studio.geometry.planar.drawing import NO_DRAWING, Drawing, Pieces
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from tests.depth import THOROUGH

BOARDS: list[dict[str, Any]] = [
    {},
    {"tongue_style": "article", "tongue_size": 0.15, "perturbation": 0.3},
    {"vary_neck": 0.5, "tongue_size": 0.1},
    {"plain_share": 0.5, "border": "wandering", "corner_radius": 9.0},
]


def board(side: float, **parameters: Any) -> Drawing:
    # The newest layout has no weak tongues.
    values = {"columns": 6, "rows": 6, "width": 6 * side, "height": 6 * side, "layout_version": 1} | parameters
    return shape(JigsawDesign(JigsawParameters(**values)), None, Progress()).drawing


@pytest.mark.sampled(2)
@pytest.mark.parametrize("number", range(len(BOARDS)))
def test_no_piece_with_a_neck_is_called_sound(number: int) -> None:
    size = {} if THOROUGH else {"columns": 4, "rows": 4, "width": 36, "height": 36}
    drawing = board(9.0, **BOARDS[number], **size)
    narrow = 0
    for width in (0.15, 0.5, 1.15, 3.0):
        unsure = {drawing.pieces.names[at] for at in np.flatnonzero(may_be_narrow(drawing, width)).tolist()}
        moved = {neck.piece for neck in kerf._burnt(Contours(drawing), width, SILENT)}
        assert moved <= unsure
        assert {neck.piece for neck in too_narrow(Contours(drawing), width)} == moved
        narrow += len(moved)
    assert narrow > 3


def test_usual_pieces_are_sound_at_a_glance_and_no_outline_is_moved(monkeypatch: pytest.MonkeyPatch) -> None:
    drawing, moved = board(25.0), [0]
    buffer = shapely.buffer

    def counting(polygons: Any, *more: Any, **named: Any) -> Any:
        moved[0] += np.size(polygons)
        return buffer(polygons, *more, **named)

    monkeypatch.setattr(shapely, "buffer", counting)
    assert too_narrow(Contours(drawing), 1.15) == ()
    assert moved[0] == 0
    assert too_narrow(Contours(board(9.0)), 1.15) != () and moved[0] > 0


def test_a_neck_is_as_wide_as_the_least_offset_that_parts_it_whatever_the_kerf() -> None:
    drawing = board(9.0, vary_neck=0.5, tongue_size=0.1)
    first = {neck.piece: neck.width for neck in too_narrow(Contours(drawing), 0.6)}
    later = {neck.piece: neck.width for neck in too_narrow(Contours(drawing), 1.2)}
    assert len(first) > 5 and first.keys() <= later.keys()
    assert all(later[piece] == pytest.approx(width, abs=0.02) for piece, width in first.items())


def square(ends: list[tuple[tuple[float, float], tuple[float, float]]], codes: list[int], holes: list[int]) -> Drawing:
    pieces = Pieces(np.array(codes), np.array([0, len(codes)]), ("A1",), np.array(holes, np.int64))
    return Drawing(40.0, 40.0, straight(np.array(ends, float)), (), pieces)


def test_pieces_with_holes_and_those_by_themselves_do_not_lie_side_by_side() -> None:
    drawing = board(25.0)
    assert lie_side_by_side(drawing)
    outline = [((0, 0), (40, 0)), ((40, 0), (40, 40)), ((40, 40), (0, 40)), ((0, 40), (0, 0))]
    assert not lie_side_by_side(square(outline, [0, 2, 4, 6], []))  # type: ignore[arg-type]
    assert not lie_side_by_side(NO_DRAWING)
    pieces = drawing.pieces
    holed = replace(drawing, pieces=Pieces(pieces.codes, pieces.starts, pieces.names, np.array([1])))
    assert not lie_side_by_side(holed)


def test_what_a_wider_width_cleared_is_not_looked_at_again() -> None:
    drawing = board(9.0)
    contours = Contours(drawing)
    wide = contours.may_be_narrow(1.2)
    narrow = contours.may_be_narrow(0.3)
    assert wide.any() and not (narrow & ~wide).any()
    assert (narrow == may_be_narrow(drawing, 0.3)).all()
    assert (contours.may_be_narrow(1.2) == wide).all()
