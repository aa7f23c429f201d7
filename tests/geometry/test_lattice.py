"""A rectangular board: names that last, freedom at the rim, and an order of cuts in which the head hardly travels."""

import ast
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import studio.puzzles.jigsaw as jigsaw
from studio.geometry.board.tiling import Tiling
from studio.geometry.board.tiling_construction import rectangular

SIZES = [(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 2), (3, 2), (12, 6), (5, 8), (6, 9), (7, 4), (30, 20), (200, 3)]
sizes = pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}×{size[1]}")


def board(size: tuple[int, int]) -> Tiling:
    """Return a board of cells of 10 × 10 mm."""
    return rectangular(*size, 10.0 * size[0], 10.0 * size[1])


def begin(tiling: Tiling, code: int) -> int:
    return int(tiling.graph.edges[code >> 1, code & 1])


def end(tiling: Tiling, code: int) -> int:
    return int(tiling.graph.edges[code >> 1, 1 - (code & 1)])


@sizes
def test_a_board_has_its_pieces_corners_and_edges(size: tuple[int, int]) -> None:
    columns, rows = size
    tiling = board(size)
    assert tiling.graph.face_count == columns * rows
    assert len(tiling.homes) == (columns + 1) * (rows + 1)
    assert len(tiling.graph.edges) == columns * (rows + 1) + rows * (columns + 1)
    assert len(tiling.graph.rim) == 2 * (columns + rows)


@sizes
def test_chains_hold_every_inner_edge_once_and_run_on_from_edge_to_edge(size: tuple[int, int]) -> None:
    tiling = board(size)
    covered = sorted(int(code) >> 1 for chain in tiling.chains for code in chain)
    assert covered == tiling.graph.inner_edges.tolist()
    for chain in tiling.chains:
        for before, after in pairwise(chain.tolist()):
            assert end(tiling, before) == begin(tiling, after)


@sizes
def test_the_border_is_closed_and_begins_where_the_last_cut_ends(size: tuple[int, int]) -> None:
    tiling = board(size)
    rim = tiling.rims[0].tolist()
    assert sorted(rim) == sorted(tiling.graph.rim.tolist())
    for before, after in pairwise([*rim, rim[0]]):
        assert end(tiling, before) == begin(tiling, after)
    if tiling.chains:
        assert begin(tiling, rim[0]) == end(tiling, int(tiling.chains[-1][-1]))


@sizes
def test_between_cuts_the_head_goes_one_cell_and_round_one_corner_of_the_board(size: tuple[int, int]) -> None:
    columns, rows = size
    tiling = board(size)
    travel = 0.0
    for before, after in pairwise(tiling.chains):
        gap = tiling.homes[begin(tiling, int(after[0]))] - tiling.homes[end(tiling, int(before[-1]))]
        travel += float(np.hypot(*gap)) / 10
    gaps = columns - 1 + rows - 1 - 1
    assert travel <= max(0, gaps - 1) + np.sqrt(2) + 1e-9
    assert travel <= 1.05 * gaps or gaps < 9


@sizes
def test_names_are_unique_and_found_again(size: tuple[int, int]) -> None:
    columns, rows = size
    tiling = board(size)
    assert len(set(tiling.piece_names)) == columns * rows
    assert list(tiling.edge_indices.values()) == tiling.graph.inner_edges.tolist()
    assert all(tiling.edge_name(edge) == name for name, edge in tiling.edge_indices.items())
    assert len(tiling.corner_indices) == (columns + 1) * (rows + 1) - 4
    assert all(tiling.corner_name(corner) == name for name, corner in tiling.corner_indices.items())


def test_pieces_and_edges_are_named_by_column_and_row() -> None:
    tiling = board((3, 2))
    assert tiling.piece_names == ("A1", "B1", "C1", "A2", "B2", "C2")
    first, second = tiling.graph.edges[tiling.edge_indices["B1-B2"]]
    assert tiling.homes[first].tolist() == [10, 10] and tiling.homes[second].tolist() == [20, 10]
    first, second = tiling.graph.edges[tiling.edge_indices["B1-C1"]]
    assert tiling.homes[first].tolist() == [20, 0] and tiling.homes[second].tolist() == [20, 10]


@sizes
def test_inner_corners_are_free_border_corners_slide_and_the_boards_own_stay(size: tuple[int, int]) -> None:
    columns, rows = size
    tiling = board(size)
    for corner, (x, y) in enumerate((tiling.homes / 10).tolist()):
        free = [0 < x < columns, 0 < y < rows]
        assert tiling.freedom[corner].tolist() == free
        if sum(free) == 1:
            into = tiling.homes[corner] + tiling.inward[corner]
            assert (into >= 0).all() and (into <= tiling.size).all()
            assert tiling.inward[corner].tolist() != [0, 0] and (tiling.inward[corner] * free == 0).all()
        else:
            assert tiling.inward[corner].tolist() == [0, 0]


@sizes
def test_keys_of_corners_and_of_edges_are_their_own(size: tuple[int, int]) -> None:
    tiling = board(size)
    assert len(set(tiling.corner_keys.tolist())) == len(tiling.homes)
    assert len(set(tiling.edge_keys.tolist())) == len(tiling.graph.edges)


@sizes
def test_keys_and_names_stay_when_the_board_grows(size: tuple[int, int]) -> None:
    columns, rows = size
    small, large = board(size), board((columns + 1, rows + 2))
    for name, edge in small.edge_indices.items():
        assert small.edge_keys[edge] == large.edge_keys[large.edge_indices[name]]
    for name, corner in small.corner_indices.items():
        assert small.corner_keys[corner] == large.corner_keys[large.corner_indices[name]]
        assert np.array_equal(small.homes[corner], large.homes[large.corner_indices[name]])


def test_the_last_corners_lie_exactly_on_the_boards_edge() -> None:
    tiling = rectangular(7, 11, 0.1 * 7 * 3, 333.3)
    assert tiling.homes.max(axis=0).tolist() == [0.1 * 7 * 3, 333.3]


@pytest.mark.parametrize("module", ["model/geometry", "checks", "model/edits", "tongues/values"])
def test_nothing_but_the_tiling_knows_of_columns_and_rows(module: str) -> None:
    assert jigsaw.__file__ is not None
    tree = ast.parse((Path(jigsaw.__file__).parent / f"{module}.py").read_text(encoding="utf-8"))
    used = {
        (node.lineno, node.attr)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and node.attr in ("columns", "rows")
    }
    assert used == set()
