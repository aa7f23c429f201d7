"""The blocks of a cube's fit coupon go together with just the gap that is sunk into them."""

import numpy as np
import pytest

from studio.base.errors import StudioError
from studio.base.progress import Cancelled, Progress
from studio.geometry.solids.solid import Mesh, flaw
from studio.puzzles.cube.geometry import joints, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from tests.solids import least_gap, overlap

REACH = 6.0

FORMS = [{"style": "plate", "edge": "chamfer"}, {"style": "plate", "edge": "round"}, {"style": "voxel"}]
HALF_TURN = np.diag([-1.0, -1.0, 1.0])


def together(one: Mesh, other: Mesh, gap: float) -> Mesh:
    """The second block of a pair, turned by half a turn so that its tooth lies in the slot of the first."""
    width, depth = (float(each) + gap / 2 for each in one.bounds[1][:2])
    return other.moved(HALF_TURN, np.array([width, 2 * depth - REACH, 0.0]))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("snap", [0.0, 0.3])
@pytest.mark.parametrize("form", FORMS, ids=lambda form: "-".join(form.values()))
def test_a_pair_has_its_gap_and_is_sound(form: dict[str, str], snap: float) -> None:
    gaps = (0.1, 0.25, 0.4)
    blocks = joints(CubeDesign(CubeParameters(segments=16, snap=snap, **form)), gaps, Progress())  # type: ignore[arg-type]
    assert [block.name for block in blocks] == ["0.10 a", "0.10 b", "0.25 a", "0.25 b", "0.40 a", "0.40 b"]
    assert all(flaw(block.mesh) == "" for block in blocks)
    for at, gap in enumerate(gaps):
        one, other = blocks[2 * at].mesh, blocks[2 * at + 1].mesh
        fitted = together(one, other, gap)
        assert overlap(one, fitted) == 0
        assert least_gap(one, fitted, 1.0) == pytest.approx(gap, abs=1e-3)
        pulled = fitted.moved(np.eye(3), np.array([0.0, snap + 2 * gap, 0.0]))
        assert (overlap(one, pulled) > 0) == (snap > 0), "a snap holds the tooth in its slot"


def test_the_numbers_are_read_from_above_and_lie_within_the_block() -> None:
    one, _ = joints(CubeDesign(), (0.2,), Progress())
    depth = one.mesh.bounds[1][2] - 0.6
    floor = one.mesh.vertices[np.abs(one.mesh.vertices[:, 2] - depth) < 0.01]
    assert len(floor) > 50
    assert (floor[:, :2].min(axis=0) > 1.6).all() and floor[:, 0].max() < 16.4 and floor[:, 1].max() < 6
    # A 2 has its bar below; the number "0.20" has most of its straight floor there on the right of the dot.
    low = floor[floor[:, 1] < floor[:, 1].min() + 0.05]
    assert low[:, 0].max() - low[:, 0].min() > 2


@pytest.mark.parametrize("unit", [1.0, 5.0, 8.0, 20.0])
def test_a_slot_is_as_wide_as_a_voxel_and_there_is_room_for_the_number(unit: float) -> None:
    parameters = CubeParameters(unit=unit, gap=0.05, radius=0.08 * unit)
    blocks = joints(CubeDesign(parameters), (0.2,), Progress())
    assert all(flaw(block.mesh) == "" for block in blocks)
    one, other = blocks[0].mesh, blocks[1].mesh
    fitted = together(one, other, 0.2)
    assert overlap(one, fitted) == 0 and least_gap(one, fitted, 1.0) == pytest.approx(0.2, abs=1e-6)


def test_a_coupon_takes_little_of_what_its_cube_takes() -> None:
    design = CubeDesign(CubeParameters(snap=0.3))
    blocks = joints(design, (0.1, 0.15, 0.2, 0.25, 0.3), Progress())
    whole = sum(mesh.volume for mesh in shape(design, None, Progress()).meshes)
    assert sum(block.mesh.volume for block in blocks) < 0.12 * whole


def test_gaps_that_eat_the_voxels_are_refused() -> None:
    with pytest.raises(StudioError, match="less than the voxel size"):
        joints(CubeDesign(CubeParameters(unit=1.0, gap=0.05)), (1.0,), Progress())


def test_a_coupon_that_nobody_waits_for_is_not_made() -> None:
    told: list[float] = []
    progress = Progress(lambda done, _: told.append(done))
    joints(CubeDesign(), (0.1, 0.2), progress)
    assert told == [0.0, 0.5, 1.0]
    progress.cancel()
    with pytest.raises(Cancelled):
        joints(CubeDesign(), (0.1, 0.2), progress)
