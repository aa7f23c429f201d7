"""Reliefs on printed jigsaws: sound pieces with their clearance, as high as the picture is dark or light."""

import io
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from studio.base.errors import StudioError
from studio.base.progress import SILENT
from studio.exporting.writing import write_solids
from studio.files.store import dumps
from studio.geometry.art.artwork import PNG
from studio.geometry.solids.solid import body, flaw
from studio.puzzles.jigsaw import check_problems
from studio.puzzles.jigsaw.checks import check
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import ASSEMBLED, LIGHT, JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.model.printed_solids import bodies, fit, grid
from studio.puzzles.jigsaw.picture.board_picture import FIT, BoardPicture

MOST_TRIANGLES = 1_500_000

USUAL = JigsawParameters(width=60.0, height=40.0, columns=3, rows=2, bed=ASSEMBLED, relief=1.0, relief_grid=0.8)
GRAIN = 0.003


def ramp(columns: int = 120, rows: int = 80, left: int = 0, right: int = 255, opacity: int = 255) -> bytes:
    """Grey levels that grow evenly from the left to the right, and opacity."""
    grey = np.broadcast_to(np.linspace(left, right, columns), (rows, columns)).round().astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(np.dstack([grey, grey, grey, np.full_like(grey, opacity)])).save(file, "PNG")
    return file.getvalue()


PICTURE = BoardPicture(ramp(), PNG)


@cache
def shapes(picture: BoardPicture | None = PICTURE, **changes: Any) -> JigsawShapes:
    return shape(JigsawDesign(replace(USUAL, **changes), picture=picture), None, SILENT)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changes", [{}, {"relief_raised": LIGHT}, {"tiling": "voronoi"}, {"outline": "heart"}, {"chamfer": 0.0},
                {"play": 0.0}, {"bed": "spread"}],
)  # fmt: skip
def test_pieces_are_sound_and_have_the_relief_on_top_alone(changes: dict[str, Any]) -> None:
    known = shapes(**changes)
    flat = bodies(replace(known, design=replace(known.design, parameters=replace(known.design.parameters, relief=0.0))),
                  SILENT)  # fmt: skip
    for raised, plain in zip(bodies(known, SILENT), flat, strict=True):
        assert flaw(raised.mesh) == "" and raised.name == plain.name
        assert raised.mesh.bounds[0] == pytest.approx(plain.mesh.bounds[0], abs=1e-3)
        assert raised.mesh.bounds[1][:2] == pytest.approx(plain.mesh.bounds[1][:2], abs=1e-3)
        assert plain.mesh.volume < raised.mesh.volume < plain.mesh.volume * 4.0 / 3.0
        assert 3.0 < raised.mesh.bounds[1][2] <= 4.0 + 1e-6


def test_assembled_pieces_with_a_relief_overlap_nowhere_and_keep_the_clearance() -> None:
    found = [body(solid.mesh) for solid in bodies(shapes(chamfer=0.0), SILENT)]
    for one, other in combinations(found, 2):
        assert (one ^ other).volume() == pytest.approx(0.0, abs=1e-3)
        assert one.min_gap(other, 5.0) >= 0.2 - GRAIN
    assert min(one.min_gap(other, 5.0) for one, other in combinations(found, 2)) == pytest.approx(0.2, abs=GRAIN)


@pytest.mark.parametrize(("raised", "share"), [("dark", lambda x: 1 - x / 60), ("light", lambda x: x / 60)])
def test_heights_follow_the_picture(raised: str, share: Any) -> None:
    for solid in bodies(shapes(relief_raised=raised), SILENT):
        top = solid.mesh.vertices[solid.mesh.vertices[:, 2] > 3.0 + 1e-6]
        assert top[:, 2] - 3.0 == pytest.approx(np.clip(share(top[:, 0] + 0.1), 0, 1), abs=0.02)


def test_heights_follow_a_picture_that_is_turned_and_cropped() -> None:
    turned = BoardPicture(ramp(), PNG, place=FIT, turn=90.0, crop=(0.5, 0.0, 0.0, 0.0))
    width = 40.0 * 60 / 60
    assert turned.kept(60.0, 40.0).box[2] == pytest.approx(width)
    for solid in bodies(shapes(turned, relief_raised=LIGHT), SILENT):
        down = 40.0 - 0.1 - solid.mesh.vertices[:, 1]
        top = solid.mesh.vertices[:, 2] > 3.0 + 1e-6
        # Turned clockwise, its right end is at the bottom; its left half is gone.
        assert solid.mesh.vertices[top, 2] - 3.0 == pytest.approx(0.5 + down[top] / 80.0, abs=0.02)


def test_one_grey_adds_its_share_of_the_height_and_glass_none() -> None:
    even = {"play": 0.0, "chamfer": 0.0}
    grey, glass = (BoardPicture(ramp(left=level, right=level, opacity=alpha), PNG)
                   for level, alpha in ((51, 255), (0, 0)))  # fmt: skip
    assert sum(solid.mesh.volume for solid in bodies(shapes(grey, **even), SILENT)) == pytest.approx(
        60 * 40 * (3.0 + 0.8), rel=1e-4
    )
    assert sum(solid.mesh.volume for solid in bodies(shapes(glass, **even), SILENT)) == pytest.approx(
        60 * 40 * 3.0, rel=1e-4
    )


def test_a_picture_beside_the_board_leaves_it_flat_there() -> None:
    aside = BoardPicture(ramp(left=0, right=0), PNG, right=0.5)
    for solid in bodies(shapes(aside), SILENT):
        is_right = solid.mesh.vertices[:, 0] > 30.5
        assert (solid.mesh.vertices[solid.mesh.vertices[:, 0] < 29.0, 2] <= 3.0 + 1e-6).all()
        assert not is_right.any() or solid.mesh.vertices[is_right, 2].max() == pytest.approx(4.0)


def test_a_board_without_a_picture_says_so() -> None:
    with pytest.raises(StudioError, match=r"^The relief needs a picture: load one, or set its height to 0\.$"):
        bodies(shapes(None), SILENT)
    assert len(bodies(shapes(None, relief=0.0), SILENT)) == 6
    (found,) = check(shapes(None).design, shapes(None), None, SILENT).findings
    assert found.problem is check_problems.RELIEF_BLANK and found.repair is not None
    flat = found.repair.apply(shapes(None).design)
    assert flat.parameters.relief == 0 and not check(flat, shape(flat, None, SILENT), None, SILENT).findings
    assert not check(shapes().design, shapes(), None, SILENT).findings


def test_the_grid_of_a_large_board_is_as_coarse_as_the_bound_asks_and_says_so() -> None:
    known = shapes(width=120.0, height=80.0, relief_grid=0.2)
    assert sum(len(solid.mesh.triangles) for solid in bodies(known, SILENT)) > 2 * 120 * 80 / 0.2**2
    assert grid(known, 120.0 * 80.0) == 0.2 and "0.2 mm" in dict(fit(known))["Relief"]
    wide = shapes(width=1200.0, height=800.0, relief_grid=0.2)
    coarse = grid(wide, 1200.0 * 800.0)
    assert 2 * 1200 * 800 / coarse**2 < MOST_TRIANGLES and "coarser than 0.2 mm" in dict(fit(wide))["Relief"]


@pytest.mark.parametrize("suffix", ["stl", "3mf"])
def test_files_hold_the_relief(tmp_path: Path, suffix: str) -> None:
    solids = bodies(shapes(), SILENT)
    (report,) = write_solids(solids, tmp_path / f"relief.{suffix}")
    assert report.triangles == sum(len(solid.mesh.triangles) for solid in solids)
    assert report.volume == pytest.approx(sum(solid.mesh.volume for solid in solids), rel=1e-5)
    assert report.height == pytest.approx(max(solid.mesh.bounds[1][2] for solid in solids), abs=1e-4)


def test_older_files_keep_their_bytes() -> None:
    assert b"relief" not in dumps(JIGSAW, JigsawDesign())
