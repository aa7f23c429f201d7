"""Tray and pieces in space: each where the solution has it, with the gaps of the design, and the printed meshes."""

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.geometry.solids.solid import body
from studio.puzzles.calendar.geometry import Sight, seen, shape
from studio.puzzles.calendar.model import CalendarDesign, CalendarParameters
from studio.puzzles.calendar.questions import date_cells
from studio.puzzles.calendar.solve import completed


@pytest.mark.parametrize(("board", "relief"), [("article", "sunk"), ("article", "raised"), ("heart", "plain")])
def test_pieces_lie_in_the_tray_as_the_solution_has_them(board: str, relief: str) -> None:
    design = CalendarDesign(CalendarParameters(board=board, relief=relief))
    shapes, open_cells = shape(design, None, Progress()), date_cells(design, "10-06")
    solution = completed(design, open_cells, {}, Progress())
    assert solution is not None
    found = seen(Sight(shapes, tuple(solution[piece] for piece in range(len(solution)))), Progress())
    tray, *pieces = [body(solid.mesh) for solid in found.solids]
    colours = [piece.colour for piece in design.set]
    assert len({solid.colour for solid in found.solids[1:]}) == len(set(colours)), "told apart as on the board"
    assert found.pieces == len(pieces) == len(design.set)
    for number, piece in enumerate(pieces):
        assert (tray ^ piece).volume() == pytest.approx(0.0, abs=1e-6), "a piece is in the wood of the tray"
        assert min(piece.min_gap(other, 1.0) for other in pieces[:number] + pieces[number + 1 :]) == pytest.approx(0.2)
    printed = {solid.name: solid.mesh for solid in found.printed}
    for solid in found.solids:
        assert np.array_equal(solid.mesh.triangles, printed[solid.name].triangles)
        assert solid.mesh.volume == pytest.approx(printed[solid.name].volume)
    # Over every cell but the open ones there is plastic up to the top of the tray.
    cell, top = design.parameters.cell, found.solids[0].mesh.bounds[1][2]
    for name, (row, column) in design.layout.places.items():
        middle = np.array([column + 0.5, -row - 0.5]) * cell
        lies_over = [
            solid.name
            for solid in found.solids[1:]
            if _covers(solid.mesh.vertices[solid.mesh.triangles[solid.mesh.facets[:, 2] > 0.9]], middle)
        ]
        assert len(lies_over) == (name not in open_cells), name
    assert all(solid.mesh.bounds[1][2] == pytest.approx(top) for solid in found.solids)
    assert (found.ways[1:, 2] > 0).all() and not found.ways[0].any()


def _covers(triangles: np.ndarray, place: np.ndarray) -> bool:
    corners = triangles[:, :, :2]
    sides, away = np.roll(corners, -1, axis=1) - corners, place - corners
    turns = sides[:, :, 0] * away[:, :, 1] - sides[:, :, 1] * away[:, :, 0]
    return bool((turns >= 0).all(axis=1).any())


def test_without_a_solution_everything_is_side_by_side_as_it_is_printed() -> None:
    shapes = shape(CalendarDesign(), None, Progress())
    found = seen(Sight(shapes), Progress())
    assert [solid.mesh for solid in found.solids] == [solid.mesh for solid in shapes.bed]
    assert not found.ways.any()
