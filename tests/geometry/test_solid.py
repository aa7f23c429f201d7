"""Solids have the volumes that hand and paper give them, and surfaces that face outwards."""

import math

import numpy as np
import pytest

from studio.geometry.curves.strokes import Floats
from studio.geometry.planar.polyomino import Mask
from studio.geometry.solids.rounded_voxels import voxels
from studio.geometry.solids.solid import Mesh, Solid, body, flaw, laid_out, plate

ONE = np.ones((1, 1), bool)
ELL = np.array([[1, 1], [1, 0]], bool)
TWO_BY_TWO = np.ones((2, 2), bool)
CROSS = np.array([[0, 1, 0], [1, 1, 1], [0, 1, 0]], bool)
COMB = np.array([[1, 1, 1, 1], [1, 1, 1, 0], [0, 1, 1, 1], [0, 1, 0, 1]], bool)


def polygon_area(mask: Mask, unit: float, margin: float, radius: float, steps: int) -> float:
    """The area of a piece within a margin, its convex corners rounded by polygons of so many steps a quarter."""
    count, sides = int(mask.sum()), perimeter(mask)
    convex = corners(mask)
    # Each side moves in by the margin: area - perimeter * margin + (convex - concave corners = 4) * margin².
    square = count * unit**2 - sides * unit * margin + 4 * margin**2
    lost = 1 - steps / 2 * math.sin(math.pi / 2 / steps)
    return square - convex * lost * radius**2


def perimeter(mask: Mask) -> int:
    padded = np.pad(mask, 1).astype(int)
    return int(sum(np.abs(np.diff(padded, axis=axis)).sum() for axis in (0, 1)))


def corners(mask: Mask) -> int:
    """How many of the corners are convex: those at which just one square is the piece's."""
    padded = np.pad(mask, 1).astype(int)
    around = padded[1:, 1:] + padded[:-1, 1:] + padded[1:, :-1] + padded[:-1, :-1]
    return int((around == 1).sum())


@pytest.mark.parametrize("mask", [ONE, ELL, TWO_BY_TWO, CROSS, COMB], ids=str)
@pytest.mark.parametrize("gap", [0.0, 0.2])
def test_a_plate_without_radius_is_its_area_times_its_thickness(mask: Mask, gap: float) -> None:
    mesh = plate(mask, 10.0, gap, 0.0, 32, rounded=False)
    assert mesh.volume == pytest.approx(polygon_area(mask, 10.0, gap / 2, 0.0, 1) * (10 - gap), rel=1e-9)
    assert flaw(mesh) == ""


def test_a_sharp_cube_is_a_cube() -> None:
    assert plate(ONE, 10.0, 0.2, 0.0, 8, rounded=True).volume == pytest.approx(9.8**3)
    assert len(plate(ONE, 10.0, 0.2, 0.0, 8, rounded=True).triangles) == 12


@pytest.mark.parametrize("mask", [ONE, ELL, CROSS, COMB], ids=str)
def test_a_chamfered_plate_has_the_volume_of_its_layers(mask: Mask) -> None:
    unit, gap, radius, segments = 10.0, 0.2, 0.8, 32
    upright, steps = 1.5 * radius, segments // 4
    area = [polygon_area(mask, unit, gap / 2 + inset, upright - inset, steps) for inset in (0, radius / 2, radius)]
    # The area is quadratic in the height, for which Simpson's rule is exact.
    chamfer = radius / 6 * (area[0] + 4 * area[1] + area[2])
    volume = area[0] * (unit - gap - 2 * radius) + 2 * chamfer
    mesh = plate(mask, unit, gap, radius, segments, rounded=False)
    assert mesh.volume == pytest.approx(volume, rel=1e-6)
    assert flaw(mesh) == ""


def test_a_rounded_plate_comes_as_near_to_its_true_volume_as_its_segments_allow() -> None:
    unit, gap, radius = 10.0, 0.2, 0.8
    upright = 1.5 * radius
    heights = (np.arange(100_000) + 0.5) / 100_000 * radius
    insets = radius - np.sqrt(radius**2 - (radius - heights) ** 2)
    side = unit - gap
    layers = (side - 2 * insets) ** 2 - (4 - math.pi) * (upright - insets) ** 2
    true = 2 * float(layers.mean()) * radius + (side**2 - (4 - math.pi) * upright**2) * (side - 2 * radius)
    errors = [true - plate(ONE, unit, gap, radius, segments, rounded=True).volume for segments in (8, 32, 128)]
    assert 0 < errors[2] < errors[1] / 10 < errors[0] / 100
    assert errors[2] / true < 1e-4


@pytest.mark.parametrize("make", ["chamfer", "round", "voxel"])
@pytest.mark.parametrize("mask", [ELL, TWO_BY_TWO, CROSS, COMB], ids=str)
def test_every_solid_fills_its_voxels_to_half_a_gap_and_is_sound(make: str, mask: Mask) -> None:
    mesh = (
        voxels(mask, 8.0, 0.3, 1.0, 16) if make == "voxel" else plate(mask, 8.0, 0.3, 1.0, 16, rounded=make == "round")
    )
    low, high = mesh.bounds
    assert low == pytest.approx([0.15] * 3, abs=1e-6)
    assert high == pytest.approx([8 * mask.shape[0] - 0.15, 8 * mask.shape[1] - 0.15, 7.85], abs=1e-6)
    assert flaw(mesh) == ""
    assert 0 < mesh.volume < mask.sum() * 8**3


@pytest.mark.parametrize("mask", [TWO_BY_TWO, CROSS, COMB, np.ones((4, 4), bool)], ids=str)
def test_no_solid_has_a_hole_through_it(mask: Mask) -> None:
    """Four rounded boxes round a corner leave a hole between them unless it is filled."""
    assert body(voxels(mask, 10.0, 0.2, 1.0, 16)).genus() == 0
    assert body(plate(mask, 10.0, 0.2, 1.0, 16, rounded=True)).genus() == 0


def test_a_single_rounded_voxel_has_the_volume_of_a_rounded_box() -> None:
    """Steiner's formula: the box within, its faces, its edges and its corners, each with a share of the radius."""
    radius, inner = 1.0, 10.0 - 0.2 - 2.0
    true = inner**3 + 6 * inner**2 * radius + 3 * math.pi * inner * radius**2 + 4 / 3 * math.pi * radius**3
    assert voxels(ONE, 10.0, 0.2, radius, 128).volume == pytest.approx(true, rel=1e-4)
    assert voxels(ONE, 10.0, 0.2, radius, 128).volume < true


def normals_of(mesh: Mesh) -> Floats:
    assert mesh.normals is not None
    return mesh.normals


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("radius", [0.0, 0.8])
def test_true_normals_are_unit_vectors_on_the_side_of_their_triangles(rounded: bool, radius: float) -> None:
    mesh = plate(COMB, 10.0, 0.2, radius, 32, rounded=rounded)
    normals = normals_of(mesh)
    assert normals.shape == (len(mesh.triangles), 3, 3)
    assert np.linalg.norm(normals, axis=2) == pytest.approx(1.0)
    facing = mesh.facets / np.linalg.norm(mesh.facets, axis=1)[:, None]
    assert (facing[:, None] * normals).sum(axis=2).min() > math.cos(math.radians(90 / 8 + 1))


def test_on_a_rounding_neighbours_share_their_normals_and_on_a_chamfer_they_do_not() -> None:
    def spread(rounded: bool) -> float:
        """The largest angle, in degrees, between normals along the foot of a straight wall."""
        mesh = plate(np.ones((1, 6), bool), 10.0, 0.2, 0.8, 32, rounded=rounded)
        normals = normals_of(mesh)
        place = mesh.vertices[mesh.triangles]
        edge = np.isclose(place[:, :, 0], 0.1) & np.isclose(place[:, :, 2], 0.9)
        some = normals[edge]
        return math.degrees(math.acos(float(np.clip((some[:, None] * some[None]).sum(axis=2), -1, 1).min())))

    assert spread(rounded=False) == pytest.approx(45)
    assert spread(rounded=True) == pytest.approx(0, abs=0.01)


def test_a_turned_mesh_keeps_volume_and_normals() -> None:
    mesh = plate(COMB, 10.0, 0.2, 0.8, 8, rounded=True)
    turn = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    moved = mesh.moved(turn, np.array([5.0, 0.0, -3.0]))
    assert moved.volume == pytest.approx(mesh.volume)
    facing = moved.facets / np.linalg.norm(moved.facets, axis=1)[:, None]
    assert (facing[:, None] * normals_of(moved)).sum(axis=2).min() > 0.85


def test_solids_laid_out_stand_on_the_bed_apart_from_each_other() -> None:
    meshes = [plate(mask, 10.0, 0.2, 0.8, 8, rounded=False) for mask in (COMB, ELL, CROSS, ONE)]
    placed = laid_out([Solid(str(at), "#E69F00", mesh) for at, mesh in enumerate(meshes)], 3, 5.0)
    assert [solid.name for solid in placed] == ["0", "1", "2", "3"]
    assert all(solid.mesh.bounds[0][2] == 0 for solid in placed)
    for at, one in enumerate(placed):
        for two in placed[:at]:
            apart = np.maximum(one.mesh.bounds[0] - two.mesh.bounds[1], two.mesh.bounds[0] - one.mesh.bounds[1])
            assert apart[:2].max() >= 5.0 - 1e-6


def test_a_corner_of_a_cube_has_a_sixth_of_its_volume() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mesh = Mesh(corners, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    assert mesh.volume == pytest.approx(1 / 6)
