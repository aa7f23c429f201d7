"""Boards as DXF with arcs: within the tolerance, without kinks, with few vertices and the same pieces."""

import io
import re

import numpy as np
import pytest
import shapely
from ezdxf.entities.lwpolyline import LWPolyline
from ezdxf.filemanagement import read

from studio.base.parameters import declaration
from studio.base.progress import Progress
from studio.exporting.formats import DXF, Options
from studio.exporting.options import Unreadable
from studio.exporting.writers.dxf import dxf
from studio.exporting.writers.path_segments import ready
from studio.geometry.curves.biarcs import Flags
from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.drawing import Drawing
from studio.geometry.planar.regions import pieces_as_polygons
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from tests.depth import examples
from tests.export.proofs import proven
from tests.geometry.test_biarcs import kinks, places_on, worst

TOLERANCE = 0.01
CHORDS = 0.0006
"""How far the places by which the test follows curves and arcs may hide them, in mm."""
STYLES = [
    each.value for each in declaration(JigsawParameters, "tongue_style").choices if each.value not in ("mixed", "own")
]


def board(number: int) -> Drawing:
    """A board of 3 × 3 pieces, another one for each number."""
    parameters = JigsawParameters(
        columns=3, rows=3, width=75 + number % 7, height=75, seed=number, tongue_style=STYLES[number % len(STYLES)],
        perturbation=0.02 * (number % 9),
    )  # fmt: skip
    return ready(shape(JigsawDesign(parameters), None, Progress()).drawing)


def arcs_in(data: bytes) -> list[tuple[Floats, Floats]]:
    """Vertices and bulges of every line of a file, as ezdxf reads them."""
    found = []
    for entity in read(io.StringIO(data.decode("ascii"))).modelspace():
        assert isinstance(entity, LWPolyline)
        rows = np.array(list(entity.get_points("xyb")))
        rows = np.concatenate([rows, rows[:1]]) if entity.closed else rows
        found.append((rows[:, :2], rows[:, 2]))
    return found


def are_smooth(places: Floats, stroke: Floats) -> Flags:
    """Which places of a run of cubics are no joint at which it turns."""
    ways = np.diff(stroke, axis=0) @ np.array([1, 1j])
    turns = np.degrees(np.abs(np.angle(ways[3::3] / ways[2:-1:3])))
    corners = stroke[3:-1:3][~(turns < 0.1)]
    return np.asarray(shapely.distance(shapely.points(places), shapely.multipoints(corners)) > 0.001) | (
        not len(corners)
    )


def test_boards_are_arcs_within_the_tolerance_with_the_same_pieces() -> None:
    vertices = lines = 0
    for number in range(examples(20, 200)):
        drawing = board(number)
        data = dxf(drawing, Options())
        found = arcs_in(data)
        proven(DXF, data, drawing, Options())
        outlines = []
        for (corners, bulges), path in zip(found, drawing.paths(), strict=True):
            wanted = path.points * (1, -1) + (0, drawing.height)
            assert worst(wanted, corners, bulges, 200) <= TOLERANCE + CHORDS, number
            assert np.abs(corners[[0, -1]] - wanted[[0, -1]]).max() <= 0.0001
            turned = kinks(corners, bulges)[are_smooth(corners[1:-1], wanted)]
            assert turned.max(initial=0) < 0.5, (number, turned.max())
            assert np.hypot(*np.diff(corners, axis=0).T).min() > 0.02
            outlines.append(shapely.linestrings(places_on(corners, bulges, 25)))
        parts = shapely.get_parts(shapely.polygonize(shapely.get_parts(shapely.unary_union(outlines))))
        areas = [piece.area for piece in pieces_as_polygons(drawing, drawing.strokes.flattened(0.0005))]
        assert len(parts) == len(areas)
        # An outline that sways about the true one by the tolerance at most is hardly larger or smaller.
        assert np.sort(shapely.area(parts)) == pytest.approx(np.sort(areas), abs=0.3)
        vertices += sum(len(corners) for corners, _ in found)
        lines += sum(len(corners) for corners, _ in arcs_in(dxf(drawing, Options(curves="polyline"))))
    # Straight parts and ends of strokes need as many vertices either way.
    assert vertices < 0.36 * lines, vertices / lines


@pytest.mark.parametrize("version", ["R2000", "R12"])
@pytest.mark.parametrize("factor", [-1.0, 0.0, 1.5])
def test_a_wrong_bulge_is_caught(version: str, factor: float) -> None:
    drawing, options = board(4), Options(version=version)
    head, entities, tail = re.split(
        r"(?<=\nENTITIES\n)(.*?)(?=ENDSEC)", dxf(drawing, options).decode("ascii"), flags=re.S
    )
    texts = entities.split("\n 42\n")
    at = max(range(1, len(texts)), key=lambda number: abs(float(texts[number].partition("\n")[0])))
    bulge, _, rest = texts[at].partition("\n")
    texts[at] = f"{factor * float(bulge):.7f}\n{rest}"
    data = "".join([head, "\n 42\n".join(texts), tail]).encode("ascii")
    with pytest.raises(Unreadable, match="is moved by"):
        proven(DXF, data, drawing, options)


def test_what_was_chosen_before_there_were_arcs_is_still_understood() -> None:
    assert Options(curves="polyline", tolerance=0.02).curves == "polyline"
    assert Options(curves="spline").idle()["tolerance"]
