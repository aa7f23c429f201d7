"""A cube of any lengths can be printed, and its files are sound."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from studio.base.amounts import thousands
from studio.base.parameters import declaration, parsed
from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.exporting.writing import write_solids
from studio.geometry.solids.solid import flaw
from studio.puzzles.abilities.printable import Printable
from studio.puzzles.cube.checks import check, held
from studio.puzzles.cube.geometry import CubeShapes, shape
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kinds
from studio.ui.kinds.cube.extension import CubeExtension
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.window import Window
from tests.ui.stage import Answers, destroy

MOST_FACETS = 1_000_000
SEEN_FACETS = 75_000

UNITS = ("1/3 in", "1/7 in", "5/16 in", "3.33333", "7.777777", "12.041979594298189", "28.700217088143823")
FORMS: tuple[dict[str, Any], ...] = (
    {"style": "plate", "edge": "chamfer"},
    {"style": "plate", "edge": "round", "snap": 0.1},
    {"style": "voxel"},
    {"style": "voxel", "snap": 0.1, "inside": "letters"},
)


def made(**parameters: Any) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(**parameters)), None, SILENT)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("unit", UNITS)
def test_a_cube_of_any_unit_has_sound_solids(unit: str) -> None:
    side = float(parsed(declaration(CubeParameters, "unit"), unit))
    radii = (0.13 * side / 3, 1 / 3, 0.0004)
    for number, (form, gap) in enumerate(product(FORMS, (0.0, 0.2 / 3))):
        found = made(unit=side, gap=gap * side / 3, radius=radii[number % 3], segments=8 * (1 + number % 2), **form)
        assert [flaw(solid.mesh) for solid in found.bed] == [""] * 6


@pytest.mark.parametrize("suffix", [".stl", ".3mf"])
def test_a_cube_of_a_third_of_an_inch_is_written(suffix: str, tmp_path: Path) -> None:
    side = float(parsed(declaration(CubeParameters, "unit"), "1/3 in"))
    (report,) = write_solids(made(unit=side, style="voxel", segments=16).bed, tmp_path / f"cube{suffix}")
    assert report.parts == 6


def test_no_cube_asks_for_more_triangles_than_can_be_held() -> None:
    """Twelve voxels a side, rounded as finely as the form allows: refused with figures, and shown all the same."""
    heavy = made(x=12, y=12, z=12, style="voxel", segments=128)
    (found,) = [each for each in check(heavy.design, heavy, None, SILENT).findings if each.kind == "facets"]
    assert found.severity is Severity.ERROR and found.repair is not None
    assert heavy.facets > 6 * MOST_FACETS
    assert thousands(heavy.facets) in found.message and thousands(MOST_FACETS) in found.message
    mended = shape(found.repair.apply(heavy.design), None, SILENT)
    assert found.repair.title == f"Set segments to {mended.design.parameters.segments}"
    assert mended.facets <= MOST_FACETS
    assert not [each for each in check(mended.design, mended, None, SILENT).findings if each.kind == "facets"]
    assert sum(len(mesh.triangles) for mesh in heavy.seen.meshes) <= SEEN_FACETS


@pytest.mark.parametrize("form", FORMS)
def test_the_triangles_of_a_cube_are_not_more_than_foretold(form: dict[str, Any]) -> None:
    found = made(x=3, y=4, z=5, segments=24, **(form | {"inside": "nothing"}))
    count = sum(len(mesh.triangles) for mesh in found.meshes)
    assert 0.8 * found.facets <= count <= found.facets


def test_a_window_shows_a_heavy_cube_before_its_solids_are_made(qapp: QApplication, tmp_path: Path) -> None:
    design = CubeDesign(CubeParameters(x=12, y=12, z=12, style="voxel", segments=64, seed=23))
    preferences = Preferences(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat))
    window = Window(Document(CUBE, design), preferences, Answers())
    try:
        extension = window.extension
        assert isinstance(extension, CubeExtension)
        view = extension.panel.view
        rough = [len(mesh.triangles) for mesh in extension.shapes.rough.meshes]
        assert [len(view.body(face).mesh.triangles) for face in range(6)] == rough
        assert extension.solids.is_under_way
        window.jobs.finish()
        seen = extension.shapes.seen.meshes
        assert all(view.body(face).mesh.volume == pytest.approx(seen[face].volume) for face in range(6))
    finally:
        destroy(window)


def test_deep_snaps_are_told_and_no_repair_offers_what_no_hand_can_push() -> None:
    deep = made(snap=1.0)
    (found,) = [each for each in check(deep.design, deep, None, SILENT).findings if each.kind == "snap"]
    assert found.severity is Severity.WARNING
    assert found.message == ("Snaps of 1 mm are too high to push in; for voxels of 10 mm the maximum is 0.4 mm.")
    for unit, snap, segments in product((3.0, 5.0, 10.0, 25.4, 60.0), (0.15, 0.4, 1.0, 2.0), (8, 128)):
        some = made(unit=unit, snap=snap, segments=segments)
        for each in check(some.design, some, None, SILENT).findings:
            if each.kind == "snap" and each.repair is not None:
                offered = each.repair.apply(some.design).parameters.snap
                assert offered <= min(0.4, 0.04 * unit) + 1e-9
                assert offered == 0 or not [
                    one for one in check(
                        replace(some.design, parameters=replace(some.design.parameters, snap=offered)),
                        made(unit=unit, snap=offered, segments=segments), None, SILENT,
                    ).findings if one.kind == "snap" and one.repair is not None
                ]  # fmt: skip


@pytest.mark.sampled(2)
@pytest.mark.parametrize("kind", [each for each in kinds() if each.able(Printable)], ids=lambda kind: kind.key)
def test_every_printed_kind_has_a_coupon_that_takes_little_plastic(kind: AnyKind) -> None:
    printed, design = kind.need(Printable), kind.example()
    assert printed.joints is not None
    blocks = printed.joints(design, (0.1, 0.15, 0.2, 0.25, 0.3), SILENT)
    assert [flaw(block.mesh) for block in blocks] == [""] * 10
    whole = printed.bodies(kind.shape(design, None, SILENT), SILENT)
    assert sum(block.mesh.volume for block in blocks) < 0.1 * sum(solid.mesh.volume for solid in whole)
    assert max(float(block.mesh.bounds[1][2]) for block in blocks) < 3.2


def test_every_piece_comes_straight_out_whatever_others_are_there_and_it_is_said_what_holds_it() -> None:
    for seed, size in product(range(10), ((3, 3, 3), (4, 4, 4), (3, 5, 7))):
        x, y, z = size
        found = made(x=x, y=y, z=z, seed=seed, unique=False, distinct=False, captured=False)
        assert found.partition.shell.pulls_out(found.partition.owners) == (True,) * 6
    assert held(made()).endswith("friction holds it.") and held(made(snap=0.3)).endswith("snaps hold it.")


def test_a_neck_is_judged_by_its_thickness() -> None:
    thick, thin = (made(seed=4, unit=unit) for unit in (10.0, 4.0))
    necks = [
        [each for each in check(some.design, some, None, SILENT).findings if each.kind == "neck"]
        for some in (thick, thin)
    ]
    assert not necks[0] and necks[1] and "a single neck of 3.8 mm" in necks[1][0].message
