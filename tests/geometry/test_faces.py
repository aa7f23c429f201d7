"""Faces that lines enclose, counted as shapely's polygonizer finds them."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import example, given, settings
from hypothesis import strategies as st

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Polylines, offsets
from studio.geometry.planar.graph import face_count
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from tests.depth import examples

PLACES = st.tuples(st.integers(0, 12), st.integers(0, 12))


def polylines(lines: list[list[tuple[float, float]]]) -> Polylines:
    """Lines through some places each."""
    return Polylines(
        np.array([place for line in lines for place in line], float).reshape(-1, 2),
        offsets(np.array([len(line) for line in lines], np.int64)),
    )


def polygonized(lines: Polylines) -> int:
    """How many faces shapely finds."""
    strings = shapely.linestrings(lines.points, indices=lines.owners)
    return int(shapely.get_num_geometries(shapely.polygonize(strings)))


def parted(lines: list[shapely.LineString]) -> Polylines:
    """Lines cut wherever they meet."""
    pieces = shapely.get_parts(shapely.union_all(lines))
    points, owners = shapely.get_coordinates(pieces, return_index=True)
    return Polylines(points, offsets(np.bincount(owners, minlength=len(pieces))))


@settings(max_examples=examples(40, 500))
@given(st.lists(st.lists(PLACES, min_size=2, max_size=5, unique=True), min_size=1, max_size=12))
@example([[(0, 0), (0, 2)], [(0, 0), (2, 3), (1, 2), (1, 0)], [(0, 0), (3, 4), (0, 2)]])
def test_random_lines_enclose_as_many_faces_as_shapely_finds(ways: list[list[tuple[int, int]]]) -> None:
    lines = parted([shapely.LineString(way) for way in ways])
    assert face_count(lines) == polygonized(lines)


@settings(max_examples=examples(25, 500))
@given(
    st.sampled_from(["grid", "bricks", "hexagons", "triangles", "voronoi", "rings", "hand-cut"]),
    st.integers(0, 99),
    st.floats(0.0, 0.45),
    st.floats(0.1, 0.4),
)
@example("rings", 72, 0.375, 0.25)
def test_boards_have_as_many_faces_as_shapely_finds(tiling: str, seed: int, perturbation: float, size: float) -> None:
    parameters = JigsawParameters(
        tiling=tiling, columns=5, rows=4, seed=seed, perturbation=perturbation, tongue_size=size
    )
    # At the wildest, cuts cross: what both leave out then are rims that cross themselves.
    lines = shape(JigsawDesign(parameters), None, Progress()).drawing.strokes.flattened(0.05)
    assert face_count(lines) == polygonized(lines)


SQUARE: list[list[tuple[float, float]]] = [[(0, 0), (4, 0)], [(4, 0), (4, 4)], [(4, 4), (0, 4)], [(0, 4), (0, 0)]]


@pytest.mark.parametrize(
    ("more", "count"),
    [
        ([], 1),
        ([[(0, 0), (2, 1), (4, 4)]], 2),
        # A free end, a loop on a line of its own, a loop within, a loop at a corner.
        ([[(0, 0), (2, 2)]], 1),
        ([[(0, 0), (1, 1)], [(1, 1), (3, 1), (2, 2), (1, 1)]], 2),
        ([[(1, 1), (3, 1), (2, 2), (1, 1)]], 2),
        ([[(4, 4), (6, 4), (6, 6), (4, 4)]], 2),
        # Loops within that touch the rim, at a corner of it and at a free end's.
        ([[(0, 0), (2, 1), (1, 2), (0, 0)]], 2),
        ([[(0, 0), (1, 1)], [(0, 0), (2, 1), (2, 0.5), (0, 0)], [(4, 4), (2, 3), (3, 2), (4, 4)]], 3),
        # Places named twice, and a line that goes nowhere.
        ([[(0, 0), (0, 0), (2, 1), (4, 4), (4, 4)], [(0, 4), (0, 4)]], 2),
        # A rim that crosses itself encloses no face that could be named.
        ([[(10, 0), (14, 4), (14, 0), (10, 4), (10, 0)]], 1),
    ],
)
def test_loops_and_free_ends(more: list[list[tuple[float, float]]], count: int) -> None:
    lines = polylines([*SQUARE, *more])
    assert (face_count(lines), polygonized(lines)) == (count, count)
