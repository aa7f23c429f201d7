"""Who owns which voxel: connected whatever happens, as demanded, the same for the same seed, stable under changes."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.puzzles.cube import partition
from studio.puzzles.cube.model import CubeDesign, CubeParameters, EdgeEdit, VoxelEdit
from studio.puzzles.cube.partition import partitioned
from studio.puzzles.cube.shell import FACES, Mask, captured, shell, signature
from studio.puzzles.cube.solve import solved
from tests.depth import examples

PLAIN: dict[str, Any] = {"unique": False, "distinct": False, "captured": False}
SIZES = [(3, 3, 3), (4, 4, 4), (5, 5, 5), (6, 6, 6), (3, 4, 5), (3, 3, 8), (7, 4, 12)]


def flooded(masks: Mask) -> Mask:
    """What can be reached within each piece (k, a, b) from its middle, step by step."""
    reached = np.zeros_like(masks)
    reached[:, 1, 1] = True
    for _ in range(masks.shape[1] * masks.shape[2]):
        before = reached.copy()
        reached[:, 1:] |= before[:, :-1]
        reached[:, :-1] |= before[:, 1:]
        reached[:, :, 1:] |= before[:, :, :-1]
        reached[:, :, :-1] |= before[:, :, 1:]
        reached &= masks
        if (reached == before).all():
            break
    return reached


@pytest.mark.parametrize("size", SIZES)
def test_of_ten_thousand_boxes_none_has_a_piece_in_two_parts_and_every_voxel_has_one_owner(
    size: tuple[int, int, int],
) -> None:
    box = shell(*size)
    owners = partition._chance(box, 5, np.arange(10_000 // len(SIZES) + 1), ())
    masks = box.masks(owners)
    for mask in masks:
        assert (flooded(mask) == mask).all()
    x, y, z = size
    voxels = np.sum([mask.sum(axis=(1, 2)) for mask in masks], axis=0)
    assert (voxels == x * y * z - (x - 2) * (y - 2) * (z - 2)).all()
    assert (owners[..., None] == box.faces).any(axis=-1).all()


def test_chance_gives_each_edge_voxel_to_both_its_faces_alike_and_corners_to_all_three() -> None:
    box = shell(4, 4, 4)
    owners = partition._chance(box, 11, np.arange(4000), ())
    inner = box.edge_of >= 0
    share = (owners[:, inner] == box.faces[inner, 0]).mean(axis=0)
    assert np.abs(share - 0.5).max() < 0.04
    for face in range(3):
        share = (owners[:, box.corners] == box.faces[box.corners, face]).mean(axis=0)
        assert np.abs(share - 1 / 3).max() < 0.04


def test_of_the_articles_cubes_the_known_share_has_one_solution() -> None:
    """78 % at 4 × 4 × 4 and 98 % at 5 × 5 × 5, measured elsewhere on a thousand cubes each."""
    for size, low, high in ((4, 0.70, 0.85), (5, 0.93, 1.0)):
        box = shell(size, size, size)
        owners = partition._chance(box, 2, np.arange(150), ())
        alone = [solved(box, box.masks(each), Progress()).solutions == 1 for each in owners]
        assert low <= float(np.mean(alone)) <= high


@pytest.mark.sampled(2)
@pytest.mark.parametrize("first", range(0, 1000, 250))
def test_over_a_thousand_seeds_the_default_has_one_solution_six_different_pieces_and_none_that_slides(
    first: int,
) -> None:
    for seed in range(first, first + examples(50, 250)):
        found = partitioned(CubeDesign(CubeParameters(seed=seed)))
        masks = found.shell.masks(found.owners)
        assert found.met
        assert solved(found.shell, masks, Progress()).solutions == 1
        assert len({signature(mask) for mask in masks}) == 6
        assert all(captured(mask) for mask in masks)


@pytest.mark.parametrize("size", [(3, 3, 3), (3, 3, 4), (3, 5, 12), (12, 12, 12)])
def test_every_size_can_be_had_as_demanded(size: tuple[int, int, int]) -> None:
    found = partitioned(CubeDesign(CubeParameters(x=size[0], y=size[1], z=size[2])))
    masks = found.shell.masks(found.owners)
    assert found.met and solved(found.shell, masks, Progress()).solutions == 1
    assert all(captured(mask) for mask in masks)


def test_without_options_the_first_attempt_is_taken() -> None:
    assert all(partitioned(CubeDesign(CubeParameters(seed=seed, **PLAIN))).attempt == 0 for seed in range(5))
    assert any(partitioned(CubeDesign(CubeParameters(seed=seed))).attempt > 0 for seed in range(5))


def test_a_longer_box_keeps_the_beginning_of_its_edges() -> None:
    small, large = (partitioned(CubeDesign(CubeParameters(x=x, **PLAIN))) for x in (5, 9))
    shared = [name for name in small.shell.names if "/" in name]
    assert len(shared) == 4 * 3 + 8 * 2
    for name in shared:
        assert small.owners[small.shell.indices[name]] == large.owners[large.shell.indices[name]]


def test_a_re_rolled_edge_leaves_all_other_edges_as_they_were() -> None:
    design = CubeDesign(CubeParameters(x=8, y=8, z=8))
    before, after = partitioned(design), partitioned(replace(design, edges=(EdgeEdit("front-top", rolls=1),)))
    apart = [before.shell.names[at] for at in np.flatnonzero(before.owners != after.owners)]
    assert any(name.startswith("front-top/") for name in apart)
    assert all("front" in name and "top" in name for name in apart)


def test_a_lock_changes_nothing_now_and_keeps_its_edge_under_other_seeds() -> None:
    design = CubeDesign(CubeParameters(x=6))
    before = partitioned(design)
    locked = replace(design, edges=(EdgeEdit("back-bottom", locked_seed=7, locked_attempt=before.attempt),))
    assert (partitioned(locked).owners == before.owners).all()
    on_edge = [at for name, at in before.shell.indices.items() if name.startswith("back-bottom/")]
    for seed in range(20):
        other = partitioned(replace(locked, parameters=replace(design.parameters, seed=seed)))
        assert (other.owners[on_edge] == before.owners[on_edge]).all()
        assert other.met and solved(other.shell, other.shell.masks(other.owners), Progress()).solutions == 1


def test_hand_edits_stay_under_every_seed_unless_they_would_cut_a_piece_in_two() -> None:
    edits = (VoxelEdit("front-bottom/1", "front"), VoxelEdit("left-front-bottom", "left"))
    stayed = set()
    for seed in range(examples(60, 200)):
        found = partitioned(CubeDesign(CubeParameters(seed=seed), voxels=edits))
        assert not found.shell.loose(found.owners).any()
        assert found.owners[found.shell.indices["front-bottom/1"]] == FACES.index("front")
        corner = found.shell.indices["left-front-bottom"]
        assert (found.owners[corner] == FACES.index("left")) == (not found.ignored)
        stayed.add(not found.ignored)
    assert stayed == {False, True}
