"""What is cut fits: the sheet has the thickness that the design needs, and each process its own clearance."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import shapely
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from studio.base.progress import SILENT
from studio.exporting.formats import Options
from studio.exporting.options import SvgOptions
from studio.exporting.readers.svg import read_svg
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material, Named, every, for_thickness, keep
from studio.files.store import load, save
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Seam
from studio.puzzles.abilities.cuttable import Cuttable
from studio.puzzles.calendar.kind import CALENDAR
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.kind import AnyKind
from studio.puzzles.registry import kinds
from studio.puzzles.slitherlink.kind import SLITHERLINK
from studio.puzzles.slitherlink.model import PEGS, STICKS, SlitherlinkParameters
from studio.ui.abilities.cuttable import CutExtension
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from tests.test_cli import Studio
from tests.ui.stage import KindStage


@pytest.fixture
def studio(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Studio:
    monkeypatch.chdir(tmp_path)
    return Studio(capsys)


def pieces_of(path: Path) -> list[shapely.Polygon]:
    """What the closed cuts of an SVG file enclose."""
    sheet = read_svg(path.read_bytes(), SvgOptions())
    return [
        shapely.Polygon(Curves.from_strokes([line.points]).flattened(0.001)[0]) for line in sheet.lines if line.closed
    ]


def needs(kind: AnyKind, design: Any) -> float | None:
    """The thickness that a design needs."""
    found = kind.need(Cuttable).thickness(kind.shape(design, None, SILENT))
    return None if found is None else found.needed


def test_a_cube_is_not_cut_from_a_sheet_of_another_thickness(studio: Studio) -> None:
    assert studio("new", "cube", "-o", "c.puzzle").code == 0
    said = studio("export", "c.puzzle", "-o", "c.dxf", "--material", "plywood-3")
    assert (said.code, said.out) == (1, "") and not Path("c.dxf").exists()
    assert "needs a 10 mm sheet (voxel size); Birch plywood 3 mm is 3 mm thick." in said.err
    assert "Set voxel size to 3 mm: `edit c.puzzle --set unit=3`" in said.err
    forced = studio("export", "c.puzzle", "-o", "c.dxf", "--material", "plywood-3", "--force")
    assert forced.code == 0 and "needs a 10 mm sheet" in forced.out and Path("c.dxf").exists()


def test_the_command_that_the_sentence_names_makes_the_cube_fit(studio: Studio) -> None:
    save(Path("c.puzzle"), CUBE, CubeDesign(CubeParameters(snap=0.4, radius=0.2)))
    assert studio("edit", "c.puzzle", "--set", "unit=3").code == 0
    said = studio("export", "c.puzzle", "-o", "c.svg", "--material", "plywood-3", "--json")
    assert (said.code, said.err) == (0, "")
    (sheet,) = json.loads(said.out)
    assert sheet["notes"] == ["Laser-cut pieces have square edges: snaps and chamfered edges are for printing only."]


def test_the_fix_makes_a_design_that_fits_and_has_no_new_error() -> None:
    for size in (1.5, 2.0, 2.87, 4.0, 12.0):
        for design in (CubeDesign(), CubeDesign(CubeParameters(snap=2.0, radius=3.0, style="voxel", edge="round"))):
            shapes = CUBE.shape(design, None, SILENT)
            need = CUBE.need(Cuttable).thickness(shapes)
            assert need is not None
            found = need.problem(design, "cube", "A sheet", size)
            assert (
                found is not None
                and found.repair is not None
                and found.repair.title == f"Set voxel size to {size:g} mm"
            )
            fixed = found.repair.apply(design)
            assert needs(CUBE, fixed) == size
            before = {one.kind for one in CUBE.check(design, shapes, None, SILENT).errors}
            after = {one.kind for one in CUBE.check(fixed, CUBE.shape(fixed, None, SILENT), None, SILENT).errors}
            assert after <= before


def test_a_thickness_that_no_voxel_can_have_has_no_fix() -> None:
    need = CUBE.need(Cuttable).thickness(CUBE.shape(CubeDesign(), None, SILENT))
    assert need is not None
    found = need.problem(CubeDesign(), "cube", "Card", 0.5)
    assert found is not None and found.repair is None


def test_a_sheet_as_thick_as_it_was_measured_fits() -> None:
    design = CubeDesign(CubeParameters(unit=3.0))
    need = CUBE.need(Cuttable).thickness(CUBE.shape(design, None, SILENT))
    assert need is not None
    fits = {size: need.fits(size) for size in (2.85, 2.9, 3.0, 3.1, 3.15)}
    assert fits == {2.85: False, 2.9: True, 3.0: True, 3.1: True, 3.15: False}


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.key)
def test_only_kinds_whose_geometry_depends_on_it_need_a_thickness(kind: AnyKind) -> None:
    assert kind.able(Cuttable) is None or (needs(kind, kind.example()) is not None) == (kind is CUBE)


def test_only_a_board_with_slots_needs_the_thickness_of_its_sticks(studio: Studio) -> None:
    boards = [SlitherlinkParameters(board=board, columns=5, rows=5, edge=22.0) for board in (PEGS, STICKS)]
    generated = {board.board: SLITHERLINK.generate(board, None, SILENT).design for board in boards}
    assert needs(SLITHERLINK, generated[PEGS]) is None and needs(SLITHERLINK, generated[STICKS]) == 3.0
    save(Path("s.puzzle"), SLITHERLINK, generated[STICKS])
    refused = studio("export", "s.puzzle", "-o", "s.svg", "--material", "poplar-4")
    assert refused.code == 1 and "`edit s.puzzle --set thickness=4`" in refused.err
    assert studio("export", "s.puzzle", "-o", "s.svg", "--material", "plywood-3").code == 0


def test_every_kind_is_cut_without_a_material_and_says_which_sheet_it_needs(studio: Studio) -> None:
    assert studio("new", "cube", "-o", "c.puzzle").code == 0
    said = studio("export", "c.puzzle", "-o", "c.dxf")
    assert said.code == 0 and "Cut it from a sheet 10 mm thick (the voxel size)." in said.out


def test_the_printers_clearance_is_not_added_to_that_of_the_laser(studio: Studio) -> None:
    """With the kerf made up for, a finger is as wide as the slot that it goes into, less the sheet's own clearance."""
    areas = {}
    for gap in (0.0, 0.2, 0.4):
        save(Path("c.puzzle"), CUBE, CubeDesign(CubeParameters(unit=3.0, gap=gap)))
        for clearance in (0.0, 0.05):
            words = ("--material", "plywood-3", "--kerf", "0", "--set", f"play={clearance}")
            assert studio("export", "c.puzzle", "-o", "c.svg", *words).code == 0
            areas[gap, clearance] = [round(piece.area, 4) for piece in pieces_of(Path("c.svg"))]
    assert areas[0.0, 0.0] == areas[0.2, 0.0] == areas[0.4, 0.0]
    assert areas[0.0, 0.05] == areas[0.4, 0.05] != areas[0.0, 0.0]
    assert sum(areas[0.2, 0.0]) == pytest.approx(9.0 * 56, abs=0.01), "as many voxels as the shell of the box has"
    looser = areas[0.0, 0.05]
    assert all(small < whole for small, whole in zip(looser, areas[0.0, 0.0], strict=True))


def test_a_coupon_tries_the_joint_as_it_is_cut() -> None:
    tight, loose = (CUBE.shape(CubeDesign(CubeParameters(gap=gap)), None, SILENT) for gap in (0.0, 0.4))
    one, other = (CUBE.need(Cuttable).joint(shapes) for shapes in (tight, loose))
    assert isinstance(one, Seam) and isinstance(other, Seam) and np.array_equal(one.line, other.line)


def test_a_thicker_sheet_takes_proportionally_longer_to_cut() -> None:
    drawing = CALENDAR.need(Cuttable).drawing(CALENDAR.shape(CALENDAR.example(), None, SILENT))
    times = {
        thickness: made(drawing, Making(), Machine(acceleration=100000), Material(thickness=thickness))
        for thickness in (3.0, 6.0, 12.0)
    }
    cutting = {thickness: found.cut / found.seconds for thickness, found in times.items()}
    assert times[3.0].seconds < times[6.0].seconds < times[12.0].seconds
    assert 3.3 < cutting[3.0] / cutting[12.0] < 4.0
    usual = Machine()
    assert for_thickness(usual, 3.0) == usual
    assert for_thickness(usual, 6.0).cut_speed == usual.cut_speed / 2
    assert for_thickness(usual, 0.05).cut_speed == usual.score_speed, "no faster than it scores"


def test_every_material_has_a_thickness_and_the_list_shows_it(studio: Studio) -> None:
    keep(Named("oak", "Oak", Material(thickness=5.2)))
    said = studio("workshop")
    assert said.code == 0 and "Oak (custom): thickness 5.2 mm" in said.out
    assert all(0.05 <= one.value.thickness <= 50 for one in every(Material))


def test_a_cube_kept_with_its_old_clearance_loads_and_keeps_its_bytes(studio: Studio) -> None:
    save(Path("c.puzzle"), CUBE, CubeDesign(CubeParameters(gap=0.3)))
    before = Path("c.puzzle").read_bytes()
    saved = load(Path("c.puzzle"))
    save(Path("d.puzzle"), saved.kind, saved.design)
    assert Path("d.puzzle").read_bytes() == before and saved.design.parameters.gap == 0.3


@pytest.fixture
def cube(qtbot: QtBot, tmp_path: Path) -> Iterator[KindStage]:
    """A window on the usual cube, whose voxels are 10 mm."""
    stage = KindStage(tmp_path, CUBE)
    yield stage
    stage.close()


def click(button: QPushButton) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_the_fix_in_the_export_dialog_changes_the_cube_and_asks_again(cube: KindStage) -> None:
    seen: list[tuple[str, str, str, float]] = []

    def driven(dialog: ExportDialog) -> ExportRequest | None:
        dialog.show()
        unit = cube.document.design.parameters.unit
        fix = dialog.fix_button.text() if dialog.fix_button.isVisible() else ""
        seen.append((dialog.misfit.accessibleName(), fix, dialog.export.text(), unit))
        if fix:
            click(dialog.fix_button)
        else:
            dialog.reject()
        return None

    cube.answers.at_export = driven
    cube.window.actions_["export"].trigger()
    assert cube.wait_for(lambda: len(seen) == 2)
    problem = "This cube needs a 10 mm sheet (voxel size); Birch plywood 3 mm is 3 mm thick."
    assert seen == [(problem, "Set voxel size to 3 mm", "Export anyway", 10.0), ("", "", "Export", 3.0)]
    cube.window.actions_["undo"].trigger()
    assert cube.document.design == CubeDesign()


def test_a_material_that_fits_is_chosen_without_becoming_the_usual_one(cube: KindStage, tmp_path: Path) -> None:
    keep(Named("beech", "Beech 10 mm", Material(thickness=10.0)))

    def driven(dialog: ExportDialog) -> ExportRequest | None:
        dialog.show()
        assert dialog.making.material.chosen().key == "beech" and not dialog.misfit.isVisible()
        assert "chamfered edges are for printing only" in dialog.left_out.accessibleName()
        dialog.file.folder.setText(str(tmp_path))
        assert cube.wait_for(lambda: dialog.trial.outcome is not None)
        click(dialog.export)
        return dialog.request()

    cube.answers.at_export = driven
    cube.window.actions_["export"].trigger()
    assert cube.wait_for(lambda: "Saved and verified" in cube.posted())
    assert cube.preferences.workshop_key("material") == ""


def test_export_again_asks_where_the_sheet_no_longer_fits(cube: KindStage, tmp_path: Path) -> None:
    sheet = Material(thickness=10.0)
    cube.answers.on_export = ExportRequest(tmp_path / "c.svg", Options(), False, material=sheet)
    cube.window.actions_["export"].trigger()
    assert cube.wait_for((tmp_path / "c.svg").exists) and cube.answers.export_dialogs == 1
    cube.window.actions_["export_again"].trigger()
    assert cube.wait_for(lambda: not cube.window.session.writing.is_writing) and cube.answers.export_dialogs == 1
    cube.answers.on_export = None
    cube.document.edit("Other voxels", CubeDesign(CubeParameters(unit=8.0)))
    cube.window.pipeline.finish()
    cube.window.actions_["export_again"].trigger()
    assert cube.answers.export_dialogs == 2


def test_the_window_tells_how_long_a_sheet_as_thick_as_the_cube_needs_takes(cube: KindStage) -> None:
    cutting = cube.window.find_extension(CutExtension)
    cutting.use_machine()
    cube.window.show_view("drawing")
    assert "at 4.5 mm/s" in cutting.numbers, "15 mm/s is for 3 mm"
    cube.document.edit("Other voxels", CubeDesign(CubeParameters(unit=3.0)))
    cube.window.pipeline.finish()
    assert "at 15 mm/s" in cutting.numbers


def test_a_press_fit_is_a_clearance_below_zero(studio: Studio) -> None:
    save(Path("c.puzzle"), CUBE, CubeDesign(CubeParameters(unit=3.0)))
    areas = []
    for clearance in ("0", "-0.05"):
        words = ("--material", "plywood-3", "--kerf", "0", "--set", f"play={clearance}")
        assert studio("export", "c.puzzle", "-o", "c.svg", *words).code == 0
        areas.append(sum(piece.area for piece in pieces_of(Path("c.svg"))))
    assert areas[1] > areas[0]
    assert Material(play=-0.05).play == -0.05
