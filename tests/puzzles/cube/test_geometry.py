"""What becomes of a cube: six outlines to cut, six solids to print, and a box into which they fit."""

from dataclasses import replace

import numpy as np
import pytest

from studio.base.progress import Progress
from studio.exporting.laser_files import write
from studio.geometry.art.artwork import COLOURS
from studio.geometry.planar.drawing import Operation
from studio.geometry.solids.solid import flaw
from studio.puzzles.cube import edits
from studio.puzzles.cube.geometry import ORDER, TITLES, CubeShapes, pose, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters, Grid
from studio.puzzles.cube.shell import FACES
from tests.depth import examples
from tests.solids import least_gap, overlap

STYLES = [{"style": "plate", "edge": "chamfer"}, {"style": "plate", "edge": "round"}, {"style": "voxel"}]


def shapes(**parameters: object) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(**parameters)), None, Progress())  # type: ignore[arg-type]


def test_each_piece_is_one_closed_outline_named_after_its_face() -> None:
    drawing = shapes().drawing
    assert drawing.pieces.names == TITLES == ("Left", "Right", "Front", "Back", "Bottom", "Top")
    assert len(drawing.chains) == 6
    assert all(chain.closed and chain.operation is Operation.BORDER for chain in drawing.chains)
    for stroke in range(6):
        points = drawing.strokes[stroke]
        assert (points[0] == points[-1]).all() and len(points) % 3 == 1


@pytest.mark.parametrize("gap", [0.0, 0.4])
def test_the_outlines_have_the_area_of_their_voxels_whatever_the_printers_gap(gap: float) -> None:
    made = shapes(x=4, y=5, z=6, unit=8.0, gap=gap)
    assert made.drawing.piece_areas == pytest.approx([64.0 * mask.sum() for mask in made.masks])


def test_pieces_lie_in_their_places_apart_from_each_other_and_on_the_sheet() -> None:
    made = shapes(x=3, y=5, z=7)
    boxes = []
    for face, mask in enumerate(made.masks):
        points = made.drawing.strokes[face]
        low, high = made.origins[face], made.origins[face] + np.array(mask.shape) * 10
        assert (points >= low).all() and (points <= high).all()
        boxes.append((low, high))
    for at, (low, high) in enumerate(boxes):
        assert (low >= 5).all() and (high <= (made.drawing.width - 5, made.drawing.height - 5)).all()
        assert all(np.maximum(low - other[1], other[0] - high).max() >= 5 for other in boxes[:at])


def test_the_place_of_a_voxel_is_within_the_piece_that_has_it() -> None:
    import shapely

    made = shapes()
    polygons = [shapely.Polygon(made.drawing.strokes[face]) for face in range(6)]
    for voxel, face in enumerate(made.partition.owners.tolist()):
        assert polygons[face].contains(shapely.Point(made.place_of(voxel)))
    assert all(polygons[face].contains(shapely.Point(made.middle_of(face))) for face in range(6))


@pytest.mark.parametrize("suffix", [".svg", ".dxf"])
def test_the_flat_pieces_are_cut_from_a_file_that_reads_back(suffix: str, tmp_path: object) -> None:
    from pathlib import Path

    report = write(shapes(x=5).drawing, Path(str(tmp_path)) / f"cube{suffix}")
    assert (report.faces, report.pieces, report.chains) == (6, 6, 6)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("size", [(4, 4, 4), (3, 4, 5)])
@pytest.mark.parametrize("form", STYLES, ids=lambda form: "-".join(form.values()))
def test_pieces_put_together_share_nothing_and_keep_the_gap(form: dict[str, str], size: tuple[int, int, int]) -> None:
    x, y, z = size
    made = shapes(x=x, y=y, z=z, gap=0.3, segments=16, **form).assembled
    nearest = []
    for at, one in enumerate(made):
        for two in made[:at]:
            assert overlap(one.mesh, two.mesh) == 0
            nearest.append(least_gap(one.mesh, two.mesh, 1.0))
    assert min(nearest) == pytest.approx(0.3, abs=1e-6)
    assert sum(gap < 0.31 for gap in nearest) >= 8
    low = np.min([solid.mesh.bounds[0] for solid in made], axis=0)
    high = np.max([solid.mesh.bounds[1] for solid in made], axis=0)
    assert low == pytest.approx([0.15] * 3) and high == pytest.approx(np.array(size) * 10 - 0.15)


@pytest.mark.parametrize("form", STYLES, ids=lambda form: "-".join(form.values()))
def test_every_solid_is_sound_and_fills_its_own_voxels(form: dict[str, str]) -> None:
    for seed in range(examples(3, 8)):
        made = shapes(seed=seed, segments=8, x=3 + seed % 4, **form)
        for solid, face in zip(made.bed, ORDER, strict=True):
            assert solid.name == TITLES[face] and flaw(solid.mesh) == ""
        for face, solid in enumerate(made.assembled):
            assert solid.colour == COLOURS[face] and flaw(solid.mesh) == ""
            one = set(range(3)) - {face // 2}
            depth = solid.mesh.bounds[face % 2][face // 2]
            size = made.design.parameters.size[face // 2] * 10
            assert depth == pytest.approx(size - 0.1 if face % 2 else 0.1)
            assert all(solid.mesh.bounds[1][axis] <= made.design.parameters.size[axis] * 10 for axis in one)
            assert solid.mesh.volume == pytest.approx(made.meshes[face].volume)
            assert solid.mesh.volume / made.masks[face].sum() == pytest.approx(1000, rel=0.2)


@pytest.mark.parametrize("face", range(6), ids=FACES)
def test_a_pose_turns_and_never_mirrors(face: int) -> None:
    turn, _ = pose(face, (4, 5, 6), Grid(10.0, 10.0))
    assert np.linalg.det(turn) == pytest.approx(1.0)


def test_shapes_kept_from_before_are_those_made_from_nothing() -> None:
    design = CubeDesign()
    before = shape(design, None, Progress())
    assert shape(design, before, Progress()) is before
    finer = replace(design, parameters=replace(design.parameters, radius=1.0))
    assert shape(finer, before, Progress()).drawing is before.drawing
    edited = edits.with_voxel_turned(design, "front-top/1")
    kept, fresh = shape(edited, before, Progress()), shape(edited, None, Progress())
    assert (kept.drawing.strokes.points == fresh.drawing.strokes.points).all()
    assert kept.drawing is not before.drawing
    # An edit changes the two pieces that meet there and no other.
    assert sum(one is two for one, two in zip(before.meshes, kept.meshes, strict=True)) == 4


def test_a_radius_that_does_not_fit_is_drawn_as_large_as_it_can_be() -> None:
    assert all(flaw(mesh) == "" for form in STYLES for mesh in shapes(radius=9.0, segments=8, **form).meshes)


@pytest.mark.parametrize(
    ("size", "form"),
    [
        ((5, 3, 9), {"gap": 0.0, "segments": 8, "seed": 4}),
        ((3, 3, 12), {"radius": 0.0, "segments": 8, "seed": 5}),
        ((3, 3, 12), {"radius": 0.01, "segments": 8, "seed": 5}),
    ],
)
def test_voxels_that_touch_or_have_no_rounding_leave_no_sliver(
    size: tuple[int, int, int], form: dict[str, object]
) -> None:
    x, y, z = size
    for solid in shapes(x=x, y=y, z=z, style="voxel", **form).bed:
        assert flaw(solid.mesh) == ""


@pytest.mark.parametrize("form", STYLES, ids=lambda form: "-".join(form.values()))
def test_snaps_hold_every_piece_that_has_one_and_still_keep_the_gap(form: dict[str, str]) -> None:
    made = shapes(x=5, seed=3, snap=0.5, gap=0.2, segments=16, **form)
    assembled = made.assembled
    without = shapes(x=5, seed=3, gap=0.2, segments=16, **form).assembled
    assert all(flaw(solid.mesh) == "" for solid in (*assembled, *made.bed))
    nearest = []
    for at, one in enumerate(assembled):
        for two in assembled[:at]:
            assert overlap(one.mesh, two.mesh) == 0
            nearest.append(least_gap(one.mesh, two.mesh, 1.0))
    assert min(nearest) == pytest.approx(0.2, abs=1e-3)
    for face, one in enumerate(assembled):
        out = np.eye(3)[face // 2] * (1 if face % 2 else -1)
        lifted = one.mesh.moved(np.eye(3), 0.5 * out)
        caught = sum(overlap(lifted, two.mesh) for two in assembled if two is not one)
        assert (caught > 0) == bool(made.snaps[face])
        free = without[face].mesh.moved(np.eye(3), 0.5 * out)
        assert sum(overlap(free, two.mesh) for at, two in enumerate(without) if at != face) == 0


def test_each_bump_has_its_socket_at_the_same_place_in_space() -> None:
    made = shapes(x=6, y=5, z=4, seed=9, snap=0.4)
    places: dict[tuple[float, ...], list[bool]] = {}
    for face, snaps in enumerate(made.snaps):
        turn, shift = pose(face, (6, 5, 4), Grid(10.0, 10.0))
        for snap in snaps:
            at = tuple(np.round(turn @ np.array(snap.place) + shift, 6).tolist())
            places.setdefault(at, []).append(snap.is_bump)
    assert 6 <= len(places) <= 12
    assert all(sorted(each) == [False, True] for each in places.values())


def test_bumps_and_sockets_have_the_volume_of_half_a_ball_and_of_a_cap() -> None:
    from math import pi

    plain, snapped = shapes(seed=3, segments=128), shapes(seed=3, segments=128, snap=0.6)
    radius, hollow = 0.8, 1.0
    bump = 2 / 3 * pi * radius**3
    socket = pi * radius**2 * (3 * hollow - radius) / 3
    for face, snaps in enumerate(snapped.snaps):
        change = snapped.meshes[face].volume - plain.meshes[face].volume
        bumps = sum(snap.is_bump for snap in snaps)
        assert change == pytest.approx(bumps * bump - (len(snaps) - bumps) * socket, abs=0.01)
