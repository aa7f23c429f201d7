"""What a hand can do to a cube, and what it is refused with the reason."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from studio.base.errors import StudioError
from studio.base.parameters import ParameterError
from studio.base.progress import Progress
from studio.files.store import dumps, loads
from studio.puzzles.cube import edits
from studio.puzzles.cube.edits import verify
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.partition import granted, partitioned
from studio.puzzles.cube.shell import FACES, shell
from tests.depth import examples

DESIGN = CubeDesign()


def owner(design: CubeDesign, name: str) -> str:
    found = partitioned(design)
    return FACES[int(found.owners[found.shell.indices[name]])]


def other(design: CubeDesign, name: str) -> str:
    """The other face of a voxel of an edge."""
    (face,) = set(name.partition("/")[0].split("-")) - {owner(design, name)}
    return face


def test_a_voxel_given_to_the_other_face_belongs_to_it_and_nothing_else_changes() -> None:
    free = [name for name in shell(5, 5, 5).names if name.endswith("/2")]
    design = CubeDesign(CubeParameters(x=5, y=5, z=5))
    assert len(free) == 12
    for name in free:
        after = edits.with_voxel(design, name, other(design, name))
        before, now = partitioned(design), partitioned(after)
        assert [before.shell.names[at] for at in np.flatnonzero(before.owners != now.owners)] == [name]
        assert after.voxels == (VoxelEdit(name, other(design, name)),)
        assert edits.with_voxel(after, name, owner(design, name)) == design


def test_every_edit_that_would_cut_a_piece_in_two_is_refused_and_every_other_is_done() -> None:
    box = shell(4, 4, 4)
    refused = 0
    for seed in range(6):
        design = CubeDesign(CubeParameters(seed=seed))
        before = partitioned(design)
        for voxel, name in enumerate(box.names):
            for face in box.choices(voxel):
                owners = before.owners.copy()
                owners[voxel] = face
                if box.loose(owners).any():
                    refused += 1
                    with pytest.raises(StudioError, match=r"would cut off|no neighbouring voxel"):
                        edits.with_voxel(design, name, FACES[face])
                else:
                    assert (partitioned(edits.with_voxel(design, name, FACES[face])).owners == owners).all()
    assert refused > 20


def test_a_refusal_names_the_voxel_the_piece_and_the_corner_that_hangs_on_it() -> None:
    found = partitioned(DESIGN)
    box = found.shell
    corner = next(
        at for at in range(8)
        if (found.owners[box.neighbours[at]] == found.owners[box.corners.start + at]).sum() == 1
    )  # fmt: skip
    name = box.names[box.corners.start + corner]
    held_by = next(
        int(at) for at in box.neighbours[corner] if found.owners[at] == found.owners[box.corners.start + corner]
    )
    sentence = f"{box.names[held_by]} must stay with {owner(DESIGN, name)}: moving it would cut off {name}"
    with pytest.raises(StudioError, match=sentence):
        edits.with_voxel(DESIGN, box.names[held_by], other(DESIGN, box.names[held_by]))


@pytest.mark.parametrize(
    ("name", "face", "sentence"),
    [
        ("front-bottom/3", "front", "There is no voxel 'front-bottom/3'"),
        ("nowhere", "front", "There is no voxel 'nowhere'"),
        ("front-bottom/1", "top", "can belong to front or bottom, not to 'top'"),
        ("front-bottom/1", "lid", "can belong to front or bottom, not to 'lid'"),
    ],
)
def test_a_voxel_or_a_face_that_is_none_is_refused(name: str, face: str, sentence: str) -> None:
    with pytest.raises(StudioError, match=sentence):
        edits.with_voxel(DESIGN, name, face)


def test_turning_a_voxel_goes_round_the_faces_that_can_have_it() -> None:
    found = partitioned(DESIGN)
    for name in found.shell.names:
        try:
            after = edits.with_voxel_turned(DESIGN, name)
        except StudioError:
            continue
        assert owner(after, name) != owner(DESIGN, name)
        assert not partitioned(after).shell.loose(partitioned(after).owners).any()


def test_rolling_an_edge_randomises_it_and_resets_its_voxels() -> None:
    design = CubeDesign(CubeParameters(x=8))
    name = "front-top/3"
    edited = edits.with_voxel(design, name, other(design, name))
    rolled = edits.with_edges_rolled(edited, ["front-top"])
    (edit,) = rolled.edges
    assert edit.name == "front-top" and edit.rolls >= 1 and not rolled.voxels
    locked = edits.with_edges_locked(edited, ["front-top"], True)
    assert edits.with_edges_rolled(locked, ["front-top"]) == locked
    assert edits.with_edges_locked(locked, ["front-top"], False) == edited
    assert edits.with_edges_reset(rolled, ["front-top"]) == design
    with pytest.raises(StudioError, match="There is no edge 'front-back'"):
        edits.with_edges_rolled(design, ["front-back"])


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(3, 3, 3), (4, 4, 4), (3, 4, 5), (6, 6, 6)])
def test_a_rolled_edge_looks_otherwise_hangs_together_and_keeps_the_wishes(size: tuple[int, int, int]) -> None:
    x, y, z = size
    design = CubeDesign(CubeParameters(x=x, y=y, z=z, seed=3))
    box = shell(*size)
    as_before = granted(design, partitioned(design), Progress())
    kept = 0
    for number, name in enumerate(box.edge_names):
        before, after = partitioned(design), edits.with_edges_rolled(design, [name])
        now = partitioned(after)
        on_edge = box.edge_of == number
        assert (before.owners[on_edge] != now.owners[on_edge]).any(), name
        elsewhere = ~on_edge & (box.edge_of >= 0)
        assert (before.owners[elsewhere] == now.owners[elsewhere]).all()
        assert not box.loose(now.owners).any() and not now.ignored
        kept += granted(after, now, Progress()) >= as_before
    assert kept == 12 or min(size) == max(size) == 3, "an edge of one voxel has only one other way to be"


def test_a_lock_keeps_the_edge_that_is_shown() -> None:
    locked = edits.with_edges_locked(DESIGN, ["front-top"], True)
    (edit,) = locked.edges
    assert (edit.locked_seed, edit.locked_attempt) == (7, partitioned(DESIGN).attempt)
    assert (partitioned(locked).owners == partitioned(DESIGN).owners).all()


def test_edits_of_voxels_that_a_smaller_box_lacks_go_and_the_others_stay() -> None:
    design = CubeDesign(
        CubeParameters(x=6), (EdgeEdit("front-top", rolls=3),),
        (VoxelEdit("front-top/1", "top"), VoxelEdit("front-top/4", "top")),
    )  # fmt: skip
    made = CUBE.generate(CubeParameters(x=4), design, Progress())
    after = made.design
    assert after == replace(design, parameters=CubeParameters(x=4), voxels=design.voxels[:1])
    verify(after)
    with pytest.raises(StudioError, match="front-top/4"):
        verify(replace(after, voxels=design.voxels))
    with pytest.raises(StudioError, match="front-back"):
        verify(replace(after, edges=(EdgeEdit("front-back", rolls=1),)))


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: VoxelEdit("front-top/1", "left"), "face must be front or top, not 'left'"),
        (lambda: EdgeEdit("front-top", rolls=-1), "rolls must be 0 to 1000000, not -1"),
        (lambda: EdgeEdit("front-top", locked_attempt=2), "locked_attempt must be 0 unless a seed is locked"),
        (lambda: CubeDesign(voxels=(VoxelEdit("front-top/1", "top"),) * 2), "front-top/1 is edited twice"),
        (lambda: CubeParameters(gap=2.0, unit=2.0), "gap must be less than the voxel size of 2 mm, not 2 mm"),
        (lambda: CubeParameters(x=13), "x must be a whole number from 3 to 12, not 13"),
    ],
)
def test_what_no_cube_can_have_is_refused(make: object, sentence: str) -> None:
    with pytest.raises(ParameterError, match=sentence):
        make()  # type: ignore[operator]


@settings(max_examples=examples(20, 600))
@given(seed=st.integers(0, 500), moves=st.lists(st.integers(0, 10**6), max_size=12), size=st.sampled_from((3, 4, 5)))
def test_whatever_a_hand_does_the_pieces_hang_together_and_the_file_comes_back(
    seed: int, moves: list[int], size: int
) -> None:
    design = CubeDesign(CubeParameters(x=size, seed=seed))
    names = shell(size, 4, 4).names
    for move in moves:
        try:
            design = edits.with_voxel_turned(design, names[move % len(names)])
        except StudioError:
            continue
        found = partitioned(design)
        assert not found.ignored and not found.shell.loose(found.owners).any()
    assert loads(dumps(CUBE, design)).design == design
    elsewhere = partitioned(CUBE.generate(replace(design.parameters, seed=seed + 1), design, Progress()).design)
    assert not elsewhere.shell.loose(elsewhere.owners).any()


@pytest.mark.parametrize("seed", [2, 8, 11])
def test_the_box_is_as_wished_after_the_lock_that_it_was_built_round_is_gone(seed: int) -> None:
    first = edits.with_edges_locked(CubeDesign(CubeParameters(seed=seed)), ["front-top", "left-front"], True)
    moved = replace(first, parameters=replace(first.parameters, seed=seed + 1000))
    both = edits.with_edges_locked(moved, ["back-bottom", "left-bottom"], True)
    assert (partitioned(both).owners == partitioned(moved).owners).all(), "a lock changes nothing"
    left = edits.with_edges_locked(both, ["front-top", "left-front"], False)
    partition = partitioned(left)
    assert partition.attempt != partitioned(both).attempt, "these seeds tell"
    assert partition.met and granted(left, partition, Progress()) == edits.ALL_GRANTED
    kept = np.isin(
        partition.shell.edge_of, [partition.shell.edge_names.index(name) for name in ("back-bottom", "left-bottom")]
    )
    assert (partition.owners[kept] == partitioned(both).owners[kept]).all(), "what is still locked stays"
    more = edits.with_edges_locked(left, ["right-top"], True)
    assert (partitioned(more).owners == partition.owners).all(), "one lock more changes nothing either"
