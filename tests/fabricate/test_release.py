"""What comes loose when is what one finds by looking at the whole board after every cut."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.boards import hexagons, voronoi
from studio.fabricate.cut_network import Network
from studio.fabricate.order_by_overhang import release
from studio.geometry.planar.drawing import Drawing, Operation
from tests.depth import examples
from tests.fabricate.boards import flooded, jigsaw, ring, walked, with_strokes

RING_BOARD = with_strokes(jigsaw(3, 3), ring(33, 33, 5), Operation.INNER, "whimsy", True)
HOLE_BOARD = with_strokes(jigsaw(3, 3), ring(33, 33, 5)[::-1, ::-1], Operation.INNER, None, True)
BOARDS = [jigsaw(4, 3), hexagons(3, 3, 10.0), voronoi(12, 100, 80, seed=3), RING_BOARD, HOLE_BOARD]


@settings(max_examples=examples(60))
@given(st.sampled_from(BOARDS), st.integers(0, 2**32 - 1))
def test_release_agrees_with_a_look_at_the_board_after_every_cut(drawing: Drawing, seed: int) -> None:
    network = Network.from_drawing(drawing)
    chance = np.random.default_rng(seed)
    inner = chance.permutation(network.inner)
    cuts = np.concatenate([inner, chance.permutation(network.strokes_of(Operation.BORDER))])
    found = release(network, cuts, len(inner))

    links = network.sides[cuts].tolist()
    pieces, frame, count = len(drawing.pieces), network.frame, network.region_count
    freed_by, loose, largest, reach = np.full(pieces, -1), [], 0, 0
    before = flooded(count, frame, links)
    for at, link in enumerate(links):
        if at <= len(inner):
            away = walked(count, frame, links[at:])
            reach = max(reach, *(away.get(piece, 0) for piece in range(pieces)))
        if not set(link) & before:
            loose.append(at)
        after = flooded(count, frame, links[at + 1 :])
        fallen = [piece for piece in before - after if piece < pieces]
        freed_by[fallen] = at
        largest = max(largest, len(fallen))
        before = after
    assert found.loose.tolist() == loose
    assert found.freed_by.tolist() == freed_by.tolist()
    assert (found.largest, found.reach) == (largest, reach)


def test_a_whimsy_hangs_on_the_piece_around_it() -> None:
    network = Network.from_drawing(RING_BOARD)
    assert network.region_count == 11
    middle = RING_BOARD.pieces.names.index("B2")
    assert network.sides[-4:].tolist() == [[9, middle]] * 4


def test_a_hole_in_a_piece_has_an_island_of_waste_in_it() -> None:
    """A board of one piece with a hole: what falls out of the hole is not the frame."""
    plate = with_strokes(jigsaw(1, 1), ring(5, 5, 5), Operation.INNER, None, True)
    codes = np.concatenate([plate.pieces.codes, 2 * np.arange(7, 3, -1) + 1])
    pieces = type(plate.pieces)(codes, np.array([0, 8]), plate.pieces.names)
    network = Network.from_drawing(Drawing(plate.width, plate.height, plate.strokes, plate.chains, pieces))
    assert network.region_count == 3
    assert sorted(network.sides[4:].ravel().tolist()) == [0] * 4 + [2] * 4
    assert sorted(network.sides[:4].ravel().tolist()) == [0] * 4 + [1] * 4


def test_ends_that_meet_to_a_tenth_of_a_micron_are_one_node() -> None:
    drawing = jigsaw(3, 2)
    moved = drawing.strokes.points + np.random.default_rng(0).uniform(-4e-5, 4e-5, drawing.strokes.points.shape)
    strokes = type(drawing.strokes)(moved, drawing.strokes.starts)
    shaken = Drawing(drawing.width, drawing.height, strokes, drawing.chains, drawing.pieces)
    assert len(Network.from_drawing(shaken).nodes) == len(Network.from_drawing(drawing).nodes) == 12


@pytest.mark.parametrize("drawing", [jigsaw(5, 4), hexagons(4, 4, 10.0)])
def test_no_cut_is_loose_exactly_if_none_is_the_last_one_on_both_sides(drawing: Drawing) -> None:
    """The rule by which the search judges its moves."""
    network = Network.from_drawing(drawing)
    chance = np.random.default_rng(5)
    border = network.strokes_of(Operation.BORDER)
    rim = set(network.sides[border].ravel().tolist())
    counts = {True: 0, False: 0}
    for _ in range(400):
        # Half sorted orders, so that both answers occur.
        keys = network.nodes[network.ends[network.inner]].mean(axis=1) @ chance.normal(size=2)
        inner = network.inner[np.argsort(keys + chance.normal(size=len(keys)) * chance.choice([0, 5, 30]))]
        last = {region: at for at, cut in enumerate(inner.tolist()) for region in network.sides[cut].tolist()}
        both = [
            at
            for at, cut in enumerate(inner.tolist())
            if all(side not in rim and last[side] == at for side in network.sides[cut].tolist())
        ]
        found = release(network, np.concatenate([inner, border]), len(inner))
        assert (len(found.loose) == 0) == (not both)
        counts[not both] += 1
    assert min(counts.values()) > 20
