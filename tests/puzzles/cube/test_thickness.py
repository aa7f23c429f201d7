"""Plates of another thickness than the pitch of their teeth: they fit, and make a box of the right size."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from typing import Any

import numpy as np
import pytest

from studio.base.progress import SILENT, Progress
from studio.checks.finding import errors_of
from studio.files.store import dumps, loads
from studio.geometry.solids.solid import body
from studio.puzzles.cube.assembly_steps import own_places, ways_of
from studio.puzzles.cube.burrtools import write
from studio.puzzles.cube.checks import check
from studio.puzzles.cube.geometry import CubeShapes, joint, joints, shape, thickness
from studio.puzzles.cube.kind import CUBE, BurrToolsOptions
from studio.puzzles.cube.model import CubeDesign, CubeParameters, Grid
from studio.puzzles.cube.partition import count
from studio.puzzles.cube.solve import solved
from tests.depth import examples
from tests.puzzles.cube.slow_cover import Piece, assemblies

THIN: list[dict[str, Any]] = [
    {"thickness": 3.0, "radius": 0.4},
    {"thickness": 12.5, "unit": 6.0, "edge": "round", "segments": 8},
    {"x": 3, "y": 5, "z": 4, "thickness": 4.0, "unit": 15.0, "snap": 0.2, "radius": 0.3, "segments": 16},
    {"x": 6, "y": 4, "z": 3, "thickness": 25.4 / 8, "inside": "letters", "radius": 0.2, "text_depth": 0.4},
]
IDS = ["thin", "thick", "snaps", "inch"]


def shapes(**values: Any) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(**values)), None, Progress())


@pytest.mark.parametrize("values", THIN, ids=IDS)
def test_pieces_fit_with_the_clearance_and_make_a_box_of_the_right_size(values: dict[str, Any]) -> None:
    made = shapes(**values)
    p = made.design.parameters
    solids = [body(solid.mesh) for solid in made.assembled]
    for one, other in combinations(solids, 2):
        assert (one ^ other).volume() == pytest.approx(0.0, abs=1e-9)
    near = [one.min_gap(other, 2.0) for one, other in combinations(solids, 2)]
    assert min(near) == pytest.approx(p.gap, abs=2e-3)
    boxes = np.array([solid.mesh.bounds for solid in made.assembled])
    wanted = [2 * p.thickness + (count - 2) * p.unit - p.gap for count in p.size]
    assert boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0) == pytest.approx(wanted, abs=2e-3)
    for face, mesh in enumerate(made.meshes):
        low, high = mesh.bounds
        assert high[2] - low[2] == pytest.approx(p.thickness - p.gap, abs=2e-3), face
    for each in solids:
        assert len(each.decompose()) == 1


@pytest.mark.parametrize("values", THIN[:3], ids=IDS[:3])
def test_pieces_without_clearance_fill_the_shell_and_so_do_their_outlines(values: dict[str, Any]) -> None:
    made = shapes(**values, gap=0.0) if "snap" not in values else shapes(**{**values, "snap": 0.0}, gap=0.0)
    plain = made.rough
    p = plain.design.parameters
    sides = np.array([2 * p.thickness + (count - 2) * p.unit for count in p.size])
    inside = np.array([(count - 2) * p.unit for count in p.size])
    shell = float(sides.prod() - inside.prod())
    assert sum(mesh.volume for mesh in plain.meshes) == pytest.approx(shell, rel=1e-9)
    assert float(np.sum(made.drawing.piece_areas)) * p.thickness == pytest.approx(shell)


def test_a_file_without_a_thickness_keeps_its_bytes_and_shapes() -> None:
    plain = CubeDesign(CubeParameters(x=5, seed=3))
    assert b"thickness" not in dumps(CUBE, plain)
    thin = replace(plain, parameters=replace(plain.parameters, thickness=3.0))
    assert b'"thickness": 3' in dumps(CUBE, thin) and loads(dumps(CUBE, thin)).design == thin
    same = shape(replace(plain, parameters=replace(plain.parameters, thickness=10.0)), None, Progress())
    whole = shape(plain, None, Progress())
    assert all((a.vertices == b.vertices).all() for a, b in zip(same.meshes, whole.meshes, strict=True))
    assert (same.partition.owners == whole.partition.owners).all()
    assert (shape(thin, None, Progress()).partition.owners == whole.partition.owners).all()


def test_a_sheet_must_be_as_thick_as_the_plates_and_the_repair_sets_them() -> None:
    made = shapes(thickness=3.0, radius=1.2)
    needed = thickness(made)
    assert needed.fits(3.0) and not needed.fits(10.0) and needed.parameter == "thickness"
    finding = needed.problem(made.design, "cube", "Plywood 2 mm", 2.0)
    assert finding is not None and finding.repair is not None
    thin = finding.repair.apply(made.design, Progress())
    assert thin.parameters.thickness == 2.0 and thin.parameters.unit == 10.0
    assert thin.parameters.radius <= thin.parameters.largest_radius
    assert thickness(shapes()).parameter == "unit"


def test_rounded_voxels_of_another_thickness_are_an_error_with_a_repair() -> None:
    made = shapes(thickness=3.0, style="voxel", radius=0.4)
    (error,) = errors_of(check(made.design, made, None, Progress()).findings)
    assert error.message == "Rounded voxels of 10 mm cannot be 3 mm thick." and error.repair is not None
    mended = error.repair.apply(made.design, Progress())
    again = shape(mended, None, Progress())
    assert not errors_of(check(mended, again, None, Progress()).findings)
    assert made.meshes[0].volume == pytest.approx(again.meshes[0].volume)


def test_both_coupons_have_joints_of_the_plates() -> None:
    made = shapes(thickness=3.0, radius=0.4, gap=0.1)
    line = joint(made).line
    assert np.ptp(line, axis=0) == pytest.approx([30.0, 3.0])
    blocks = joints(made.design, [0.1, 0.2], Progress())
    heights = [float(np.ptp(np.array(one.mesh.bounds)[:, 2])) for one in blocks]
    assert len(blocks) == 4 and max(heights) <= 3.0
    for one in blocks:
        assert body(one.mesh).volume() > 0


def test_burrtools_gets_the_voxels_alone() -> None:
    thin, plain = (write(CubeDesign(CubeParameters(thickness=each)), BurrToolsOptions(), SILENT) for each in (3.0, 0.0))
    assert thin == plain


def stretched(made: CubeShapes, thick: int, unit: int) -> list[Piece]:
    """The pieces as sets of cells of 1 mm."""
    size, found = made.design.parameters.size, []
    lines = [np.rint(Grid(float(unit), float(thick)).lines(count)).astype(int).tolist() for count in size]
    for voxels in own_places(made.partition.shell, made.masks):
        cells = [
            product(*(range(lines[axis][at], lines[axis][at + 1]) for axis, at in enumerate(voxel)))
            for voxel in voxels.tolist()
        ]
        found.append(frozenset((x, y, z) for some in cells for x, y, z in some))
    return found


def loose(seed: int, thick: int, unit: int, size: tuple[int, int, int] = (3, 3, 3)) -> CubeShapes:
    """A box that nobody asked to have one solution."""
    plain = {"unique": False, "distinct": False, "captured": False, "gap": 0.1, "radius": 0.1}
    return shapes(**dict(zip("xyz", size, strict=True)), **plain, seed=seed, thickness=thick, unit=unit)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("seed", "size"), [(5, (3, 3, 3)), (1, (3, 4, 3))], ids=["cube", "box"])
def test_solutions_are_those_of_a_slow_search_over_cells_of_a_millimetre(seed: int, size: tuple[int, int, int]) -> None:
    thick, unit = 2, 3
    made = loose(seed, thick, unit, size)
    sides = [2 * thick + (each - 2) * unit for each in size]
    slow = assemblies(stretched(made, thick, unit), (sides[0], sides[1], sides[2]), thick)
    found = solved(made.partition.shell, made.masks, SILENT, thick=thick / unit)
    assert found.complete and found.solutions == slow
    assert 1 <= len(ways_of(made.partition.shell, made.partition.owners, SILENT, even=False)) <= slow


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("seed", "solutions"), [(1, 8), (3, 16), (5, 4)])
def test_pieces_that_fit_off_the_grid_are_counted_as_the_slow_search_did(seed: int, solutions: int) -> None:
    """The slow search took half a minute for each."""
    for thick, unit in ((2, 3), (3, 2)):
        made = loose(seed, thick, unit)
        assert solved(made.partition.shell, made.masks, SILENT, thick=thick / unit).solutions == solutions


def test_a_cube_with_one_solution_in_voxels_has_one_in_thin_plates() -> None:
    for seed in range(examples(2, 4)):
        made = shapes(seed=seed, thickness=3.0, radius=0.1)
        checked = check(made.design, made, None, Progress())
        assert checked.solved.solutions == 1 == count(made.design, (), Progress()).solutions


@pytest.mark.parametrize(("thick", "unit"), [(100.0, 1.0), (0.5, 100.0)])
def test_a_thickness_without_measure_is_not_searched_for_ever(thick: float, unit: float) -> None:
    made = shapes(x=3, thickness=thick, unit=unit, radius=0.1)
    found = solved(made.partition.shell, made.masks, SILENT, thick=thick / unit)
    assert found.solutions == 1 and not found.complete
