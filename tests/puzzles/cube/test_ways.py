"""The ways of a cube: as many as are counted, each a box of its six pieces, with steps in which nothing collides."""

from itertools import permutations

import numpy as np
import pytest

from studio.base.progress import Cancelled, Progress
from studio.geometry.curves.strokes import Ints
from studio.puzzles.cube.assembly_steps import Way, Ways, own_places, steps_of, ways_of
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import ASSEMBLY
from studio.puzzles.cube.solve import solved

CASES = [((3, 3, 3), seed) for seed in range(5)] + [((3, 3, 4), 1), ((3, 4, 5), 2), ((4, 4, 4), 1), ((4, 4, 4), 5)]


def known(size: tuple[int, int, int], seed: int) -> Ways:
    parameters = CubeParameters(*size, seed=seed, unique=False, distinct=False, captured=False)
    partition = partitioned(CubeDesign(parameters))
    return ways_of(partition.shell, partition.owners, Progress())


def voxels(places: Ints) -> frozenset[tuple[int, ...]]:
    return frozenset(tuple(spot) for spot in places.tolist())


def shell_of(size: tuple[int, int, int]) -> set[tuple[int, ...]]:
    return {spot for spot in np.ndindex(*size) if any(at in (0, side - 1) for at, side in zip(spot, size, strict=True))}


def clears(way: Way) -> bool:
    """Whether each step's piece, moved out a voxel at a time, never meets one that is there before it."""
    there: set[tuple[int, ...]] = set()
    for step in way.steps:
        piece = way.places[step.piece]
        for far in range(1, 14):
            if voxels(piece + far * step.way) & there:
                return False
        there |= voxels(piece)
    return True


@pytest.mark.parametrize(("size", "seed"), CASES, ids=str)
def test_every_way_is_the_box_of_the_same_pieces_and_no_two_are_the_same(size: tuple[int, int, int], seed: int) -> None:
    found = known(size, seed)
    assert len(found) == solved(found.shell, found.masks, Progress()).solutions == found.count.solutions
    own = own_places(found.shell, found.masks)
    seen = set()
    for number in range(min(len(found), 6)):
        way = found.way(number)
        assert set().union(*(voxels(one) for one in way.places)) == shell_of(size)
        assert sum(map(len, way.places)) == len(shell_of(size))
        for places, pose, there in zip(own, way.poses, way.places, strict=True):
            assert round(float(np.linalg.det(pose.turn))) == 1
            assert (places @ pose.turn.T + pose.shift == there).all()
        seen.add(frozenset(voxels(one) for one in way.places))
        assert number == 0 or not all(pose.is_still for pose in way.poses)
    assert len(seen) == min(len(found), 6)


def test_the_first_way_is_the_box_itself() -> None:
    found = known((4, 4, 4), 5)
    assert len(found) > 1
    first = found.way(0)
    assert all(pose.is_still for pose in first.poses)
    assert tuple(step.piece for step in first.steps) == ASSEMBLY


@pytest.mark.parametrize(("size", "seed"), CASES, ids=str)
def test_no_piece_meets_another_in_the_steps_of_a_way(size: tuple[int, int, int], seed: int) -> None:
    found = known(size, seed)
    for number in range(min(len(found), 6)):
        way = found.way(number)
        assert sorted(step.piece for step in way.steps) == list(range(6))
        assert clears(way)


def brute(places: list[Ints]) -> bool:
    """Whether some order of pieces, each from some side, puts them together."""
    axes = [sign * np.eye(3, dtype=np.int64)[axis] for axis in range(3) for sign in (1, -1)]

    def goes_in(piece: int, there: set[tuple[int, ...]]) -> bool:
        return any(
            not any(voxels(places[piece] + far * way) & there for far in range(1, 6)) for way in axes
        )  # fmt: skip

    for order in permutations(range(len(places))):
        there: set[tuple[int, ...]] = set()
        for piece in order:
            if not goes_in(piece, there):
                break
            there |= voxels(places[piece])
        else:
            return True
    return False


def test_the_steps_end_where_pieces_block_each_other_and_only_there() -> None:
    """Random heaps of bars, some of them locked: steps are found for all of them just where some order exists."""
    random = np.random.default_rng(5)
    outcomes = set()
    for _ in range(60):
        owner = random.integers(0, 4, (3, 3, 3))
        places = [np.argwhere(owner == piece) for piece in range(4)]
        if not all(map(len, places)):
            continue
        steps = steps_of((3, 3, 3), places)
        way = Way(tuple(places), (), steps)
        assert (len(steps) == 4) == brute(places)
        if len(steps) == 4:
            assert clears(way)
        outcomes.add(len(steps) == 4)
    hook = np.zeros((3, 3, 3), np.int64)
    hook[0] = 1
    apart = [np.argwhere(hook == piece) for piece in (0, 1)]
    assert [step.piece for step in steps_of((3, 3, 3), apart)] in ([0, 1], [1, 0])
    assert False in outcomes


def test_listing_stops_at_a_limit_and_can_be_cancelled() -> None:
    box = known((3, 3, 3), 4)
    owners = partitioned(
        CubeDesign(CubeParameters(3, 3, 3, seed=4, unique=False, distinct=False, captured=False))
    ).owners  # fmt: skip
    few = ways_of(box.shell, owners, Progress(), most=3)
    assert len(few) == 3 and not few.count.complete
    stopped = Progress()
    stopped.cancel()
    with pytest.raises(Cancelled):
        ways_of(box.shell, owners, stopped)
