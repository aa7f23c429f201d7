"""Backs: every piece has its number or a figure on it, to be read from behind."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import figure, room, shape
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters, numbers
from studio.puzzles.zigzaw.piece_forms import BODIES, body, in_mm

DESIGN = generate(ZigzawParameters(columns=4, rows=3), Progress())


def behind(design: ZigzawDesign = DESIGN, **changes: Any) -> Drawing:
    changed = replace(design, parameters=replace(design.parameters, side="back", **changes))
    return shape(changed, None, Progress()).drawing


def engraved_on(drawn: Drawing) -> list[list[shapely.LineString]]:
    """The engraved lines on each piece."""
    engraved = [chain.strokes[0] >> 1 for chain in drawn.chains if chain.operation is Operation.ENGRAVE]
    lines = [shapely.LineString(drawn.polylines[stroke]) for stroke in engraved]
    pieces = pieces_as_polygons(drawn, drawn.polylines)
    return [[line for line in lines if shapely.contains_properly(piece, line)] for piece in pieces]


@pytest.mark.parametrize("back", ["number", "figure"])
def test_every_piece_has_its_engraving_within_it_and_the_frame_none(back: str) -> None:
    drawn = behind(back=back)
    found = engraved_on(drawn)
    assert all(found[:12]) and not found[12]
    assert sum(map(len, found)) == sum(chain.operation is Operation.ENGRAVE for chain in drawn.chains)


def test_numbers_are_those_of_the_pieces() -> None:
    """A one is a single stroke and an eight too, of other widths: so numbers are told apart by their extents."""
    drawn = behind()
    widths = {}
    for number, lines in zip(numbers(DESIGN).tolist(), engraved_on(drawn), strict=False):
        left, _, right, _ = shapely.total_bounds(lines)
        widths[number] = right - left
    assert widths[1] < widths[8] < widths[10] and widths[11] < widths[12]


def test_nothing_is_engraved_where_nothing_is_wanted() -> None:
    assert all(chain.operation is not Operation.ENGRAVE for chain in behind(back="none").chains)


@pytest.mark.parametrize("name", BODIES)
def test_figure_and_room_lie_within_the_piece(name: str) -> None:
    whole = shapely.Polygon(in_mm(np.array(body(name).outline, float), 1.0))
    assert shapely.contains(whole, shapely.box(*room(name)))
    for line in figure(name):
        assert shapely.contains(whole, shapely.LineString(line * (-1, 1)))
    assert len(figure(name)) > len(body(name).eyes) > 0 or not body(name).eyes
