"""What is cut of a zigzaw: few chains, nothing loose, a frame that comes apart into parts that hook into each other."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import shapely

from studio.base.progress import Progress
from studio.fabricate.plan import Strategy, plan
from studio.fabricate.workshop import Machine
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Drawing, Operation
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import ZigzawShapes, outline_of, shape
from studio.puzzles.zigzaw.model import ZigzawParameters, recoloured
from studio.puzzles.zigzaw.piece_forms import BODIES, Cube

SMALL = {"columns": 5, "rows": 4}


def shapes(**parameters: Any) -> ZigzawShapes:
    known = ZigzawParameters(**(SMALL | parameters))
    plain = generate(ZigzawParameters(columns=known.columns, rows=known.rows, body=known.body), Progress())
    return shape(replace(plain, parameters=known), None, Progress())


def drawing(**parameters: Any) -> Drawing:
    return shapes(**parameters).drawing


every_body = pytest.mark.parametrize("body", BODIES)


@pytest.mark.sampled(4)
@every_body
@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(3, 3), (5, 4), (4, 7)])
@pytest.mark.parametrize("frame", ["one", "four"])
def test_as_drawn_pieces_fall_one_at_a_time_and_no_cut_is_loose(body: str, size: tuple[int, int], frame: str) -> None:
    drawn = drawing(columns=size[0], rows=size[1], body=body, frame=frame)
    made = plan(drawn, Machine(), Strategy.AS_DRAWN)
    assert (made.loose_cuts, made.largest_freed) == (0, 1)
    assert len(made.drawing.chains) <= 1.1 * made.least_chains


def test_the_frog_is_cut_in_the_fewest_chains_there_can_be() -> None:
    for frame in ("one", "four"):
        made = plan(drawing(frame=frame), Machine(), Strategy.AS_DRAWN)
        assert len(made.drawing.chains) == made.least_chains


@every_body
@pytest.mark.sampled(4)
@pytest.mark.parametrize("changes", [{}, {"radius": 1.2}, {"frame": "four"}, {"frame": "four", "radius": 20.0},
                                     {"side": "back", "frame": "four"}, {"side": "back"}])  # fmt: skip
def test_pieces_and_frame_cover_the_board_and_overlap_nowhere(body: str, changes: dict[str, Any]) -> None:
    drawn = drawing(body=body, **changes)
    pieces = pieces_as_polygons(drawn, drawn.polylines)
    assert shapely.is_valid(pieces).all() and (drawn.piece_areas > 0).all()
    assert drawn.piece_areas.sum() == pytest.approx(drawn.width * drawn.height)
    assert shapely.area(shapely.union_all(pieces)) == pytest.approx(drawn.width * drawn.height)


@every_body
def test_rounded_pieces_are_all_alike_at_the_rim_too(body: str) -> None:
    drawn = drawing(body=body, radius=1.0)
    assert np.ptp(drawn.piece_areas[:20]) < 1e-9
    assert drawn.cut_length < drawing(body=body).cut_length


def test_the_outline_of_a_piece_is_that_of_every_piece_moved() -> None:
    known = shapes(radius=1.0)
    inner = known.drawing.outlines(known.drawing.polylines)[known.drawing.pieces.names.index("C2")]
    cube = known.design.names["C2"].origin
    own = Curves.from_strokes([outline_of(known.design.parameters) + known.at(np.array(cube, float))])
    difference = shapely.Polygon(own.flattened(0.01).points) ^ shapely.Polygon(inner)
    assert difference.area < 0.5


def test_a_frame_in_four_parts_has_names_and_no_hole() -> None:
    drawn = drawing(frame="four")
    assert drawn.pieces.names[-4:] == ("Frame 1", "Frame 2", "Frame 3", "Frame 4")
    assert len(drawn.pieces.holes) == 0
    whole = drawing()
    assert drawn.piece_areas[-4:].sum() == pytest.approx(whole.piece_areas[-1])
    assert drawn.piece_areas[-4:].min() > 0.1 * whole.piece_areas[-1]
    assert drawn.cut_length > whole.cut_length


@pytest.mark.parametrize("size", [(5, 4), (8, 5), (9, 9)])
def test_parts_of_the_frame_cannot_be_drawn_apart(size: tuple[int, int]) -> None:
    drawn = drawing(columns=size[0], rows=size[1], frame="four")
    parts = pieces_as_polygons(drawn, drawn.polylines)[-4:]
    for at, way in enumerate(((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))):
        before, after = parts[at - 1], parts[at]
        moved = shapely.transform(after, lambda points, way=way: points + 1.5 * np.array(way))
        assert shapely.area(shapely.intersection(before, moved)) > 1.0


def test_the_back_is_the_mirrored_front_without_colours() -> None:
    front, back = drawing(), drawing(side="back", back="none")
    assert back.artwork == () and front.artwork
    there = {name: area for name, area in zip(back.pieces.names, back.piece_areas, strict=True)}
    assert there == pytest.approx(dict(zip(front.pieces.names, front.piece_areas, strict=True)))
    rims = front.strokes.points * (-1, 1) + (front.width, 0)
    assert np.allclose(back.strokes.points, rims)


def test_places_are_told_as_they_are_seen() -> None:
    front, back = shapes(), shapes(side="back")
    cube = front.design.names["A1"]
    assert back.middle_of(cube)[0] == pytest.approx(front.drawing.width - front.middle_of(cube)[0])


def test_only_colours_to_print_are_artwork() -> None:
    assert [bool(drawing(finish=finish).artwork) for finish in ("colour", "hatch", "plain")] == [True, False, False]
    assert [drawing(finish=finish).chains[0].operation for finish in ("hatch", "plain")] == [
        Operation.ENGRAVE, Operation.INNER,
    ]  # fmt: skip


def test_recolouring_keeps_the_lines_and_the_other_rows() -> None:
    before = shapes()
    after = shape(recoloured(before.design, [(Cube(2, 2), "T")], 5), before, Progress())
    assert after.drawing.strokes is before.drawing.strokes
    kept = {id(region) for region in before.drawing.artwork} & {id(region) for region in after.drawing.artwork}
    assert len(kept) >= 0.6 * len(before.drawing.artwork)
