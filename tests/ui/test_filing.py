"""What is written in a field counts before a command runs; every export that was asked for is written."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QWidget
from pytestqt.qtbot import QtBot

from studio.base.errors import StudioError
from studio.base.progress import Progress
from studio.checks.finding import Severity
from studio.exporting.formats import Options
from studio.fabricate.coupon import coupon, kerfs_around
from studio.fabricate.making import Making
from studio.fabricate.workshop import Machine, Material, one_of
from studio.files import store
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.model.printed_solids import joint
from studio.puzzles.registry import kind
from studio.ui.panels.coupon import CouponDialog, CouponRequest
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.panels.workshop import WorkshopDialog
from studio.ui.session.dialogs import Dialogs, Unsaved
from tests.ui.stage import Stage, staged

stage = staged(Stage)


def write(stage: Stage, name: str, text: str) -> QWidget:
    """Write a text into a field of the form and stay there."""
    field = stage.window.form.field(name)
    stage.window.activateWindow()
    field.setFocus()
    assert field.hasFocus() and isinstance(field, QAbstractSpinBox)
    field.selectAll()
    QTest.keyClicks(field, text)
    return field


def test_a_number_that_is_being_written_is_saved(stage: Stage, tmp_path: Path) -> None:
    stage.answers.save = tmp_path / "kept.puzzle"
    field = write(stage, "width", "350")
    stage.window.actions_["save"].trigger()
    assert store.load(tmp_path / "kept.puzzle").design.parameters.width == 350.0
    assert field.hasFocus() and not stage.document.is_modified


def test_a_number_that_is_being_written_is_asked_for_before_closing(stage: Stage) -> None:
    write(stage, "width", "350")
    stage.answers.on_unsaved = Unsaved.CANCEL
    assert not stage.window.close()
    assert stage.answers.asked == 1 and stage.design.parameters.width == 350.0


def test_a_save_that_failed_offers_another_place_until_one_succeeds(stage: Stage, tmp_path: Path) -> None:
    folder = tmp_path / "stick"
    stage.answers.save = folder / "kept.puzzle"
    for _ in range(2):
        assert not stage.window.filing.save()
    assert stage.posted() == f"Could not write kept.puzzle: the folder {folder} does not exist."
    assert stage.window.notices.waiting() == ()
    stage.answers.save = tmp_path / "kept.puzzle"
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None and notice.action.title == "Save as…"
    notice.action.do()
    assert (tmp_path / "kept.puzzle").is_file() and not stage.document.is_modified
    assert stage.posted() == ""


def test_two_exports_in_quick_succession_are_both_written(stage: Stage, tmp_path: Path) -> None:
    paths = [tmp_path / "one.dxf", tmp_path / "two.svg"]
    for path in paths:
        stage.answers.on_export = ExportRequest(path, Options(), False)
        stage.window.actions_["export"].trigger()
    assert stage.wait_for(lambda: all(path.exists() for path in paths))


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder in which nothing can be written")
def test_an_export_that_is_refused_keeps_its_dialog_until_one_succeeds(
    qapp: QApplication, stage: Stage, tmp_path: Path
) -> None:
    seen: list[str] = []

    def drive() -> None:
        dialog = qapp.activeModalWidget()
        if not isinstance(dialog, ExportDialog):
            assert not seen
        elif dialog.trial.outcome is not None and not dialog.is_working:
            seen.append(f"{dialog.file.stem()}: {dialog.problem.sentence.text()}")
            dialog.file.name.setText("plain")
            dialog.file.folder.setText("/proc" if len(seen) == 1 else str(tmp_path))
            dialog.export.click()
            if len(seen) == 2:
                return
        QTimer.singleShot(20, drive)

    stage.answers.carry_out = Dialogs(stage.window).carry_out  # type: ignore[method-assign]
    QTimer.singleShot(0, drive)
    stage.window.actions_["export"].trigger()
    assert seen[1] == "plain: Could not write plain.svg: no files can be created in the folder /proc."
    assert (tmp_path / "plain.svg").exists() and stage.posted().startswith("Saved and verified: plain.svg")
    assert qapp.activeModalWidget() is None


TWO_SHEETS = Making(page="bed", copies=2)
NARROW = Machine(bed_width=320, bed_height=170)


def told(stage: Stage, words: str) -> bool:
    """Wait for a notice with some words."""

    def is_told() -> bool:
        notice = stage.window.notices.notice()
        return notice is not None and words in notice.sentence

    return stage.wait_for(is_told)


def export(stage: Stage, request: ExportRequest) -> None:
    stage.answers.on_export = request
    stage.window.actions_["export"].trigger()


def test_gcode_has_the_titles_and_speeds_of_the_chosen_machine_and_material(stage: Stage, tmp_path: Path) -> None:
    path, slow, titles = tmp_path / "board.gcode", Machine(cut_speed=7), ("My laser", "Birch")
    export(stage, ExportRequest(path, Options(), False, Making(), slow, Material(), titles=titles))
    assert told(stage, "Saved and verified: board.gcode")
    head = path.read_text(encoding="ascii")
    assert "; machine: My laser, " in head and "; material: Birch\n" in head and " F420 S1000\n" in head


def test_every_sheet_is_written_and_what_it_costs_is_told(stage: Stage, tmp_path: Path) -> None:
    export(stage, ExportRequest(tmp_path / "board.svg", Options(), False, TWO_SHEETS, NARROW, Material()))
    assert told(stage, "Saved and verified: board-1.svg … board-2.svg, 2 sheets, 144 pieces")
    notice = stage.window.notices.notice()
    cut = 2 * stage.shapes.drawing.cut_length / 1000
    assert notice is not None and f"{cut:.2f} m" in notice.sentence and " min" in notice.sentence
    assert sorted(path.name for path in tmp_path.glob("*.svg")) == ["board-1.svg", "board-2.svg"]


def test_the_same_is_made_again_of_the_present_design(stage: Stage, tmp_path: Path) -> None:
    export(stage, ExportRequest(tmp_path / "board.svg", Options(), False, TWO_SHEETS, NARROW, Material()))
    assert stage.wait_for((tmp_path / "board-2.svg").exists)
    assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    before = (tmp_path / "board-1.svg").read_bytes()
    stage.window.actions_["export_again"].trigger()
    assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    assert (tmp_path / "board-1.svg").read_bytes() == before
    write(stage, "columns", "11")
    stage.window.form.field("rows").setFocus()
    stage.window.pipeline.finish()
    stage.window.actions_["export_again"].trigger()
    assert stage.wait_for(lambda: (tmp_path / "board-1.svg").read_bytes() != before)
    assert told(stage, "2 sheets, 132 pieces")
    assert stage.answers.export_dialogs == 1


def test_of_several_sheets_all_or_none_are_written(stage: Stage, tmp_path: Path) -> None:
    (tmp_path / "board-2.svg").mkdir()
    export(stage, ExportRequest(tmp_path / "board.svg", Options(), False, TWO_SHEETS, NARROW, Material()))
    assert told(stage, "Could not write board-2.svg: it is a folder.")
    assert not (tmp_path / "board-1.svg").exists()


def test_what_cannot_be_made_is_told_and_not_written(stage: Stage, tmp_path: Path) -> None:
    small = Machine(bed_width=20, bed_height=20)
    export(stage, ExportRequest(tmp_path / "board.svg", Options(), False, Making(lines="separate"), small, Material()))
    assert told(stage, "Piece A1 (")
    assert not list(tmp_path.glob("*.svg"))


def test_the_dialog_of_the_window_makes_what_it_shows(stage: Stage, tmp_path: Path) -> None:
    def driven(dialog: ExportDialog) -> ExportRequest | None:
        dialog.show()
        dialog.file.folder.setText(str(tmp_path))
        dialog.file.name.setText("board")
        assert stage.wait_for(lambda: dialog.trial.outcome is not None and dialog.trial.other is not None)
        assert dialog.outcome.costs.accessibleName().startswith(
            f"Single line: {stage.shapes.drawing.cut_length / 1000:.2f} m"
        )
        QTest.mouseClick(dialog.export, Qt.MouseButton.LeftButton)
        assert dialog.result() == ExportDialog.DialogCode.Accepted
        return dialog.request()

    stage.answers.at_export = driven
    stage.window.actions_["export"].trigger()
    assert told(stage, "Saved and verified: board.svg, 300.0 × 150.0 mm, 72 pieces")


def test_a_fit_coupon_is_written_and_told(stage: Stage, tmp_path: Path) -> None:
    named = one_of(Material, "plywood-3")

    def driven(dialog: CouponDialog[Drawing]) -> CouponRequest[Drawing]:
        sheet = coupon(joint(stage.shapes), named, kerfs_around(named.value), one_of(Machine, "co2-600x400").value)
        return CouponRequest(sheet, tmp_path / "coupon.svg", Options())

    stage.answers.on_coupon = driven
    stage.window.actions_["coupon"].trigger()
    assert told(stage, "Saved and verified: coupon.svg")
    assert told(stage, "7 pairs")


def test_machines_and_materials_open_on_those_in_use(stage: Stage) -> None:
    seen: list[str] = []

    def look(dialog: WorkshopDialog) -> None:
        seen.extend((dialog.machines.current.key, dialog.materials.current.key))

    stage.preferences.set_workshop_key("machine", "diode-400x400")
    stage.preferences.set_workshop_key("material", "mdf-3")
    stage.answers.on_workshop = look
    stage.window.actions_["workshop"].trigger()
    assert seen == ["diode-400x400", "mdf-3"]


def test_the_cut_plan_is_that_of_the_machine_in_use(qtbot: QtBot, stage: Stage, tmp_path: Path) -> None:
    stage.window.drawer.setCurrentWidget(stage.planning)
    stage.planning.finish()
    usual = stage.planning.plan
    stage.preferences.set_workshop_key("machine", "diode-400x400")
    stage.window.actions_["workshop"].trigger()
    stage.planning.finish()
    slower = stage.planning.plan
    assert usual is not None and slower is not None and slower.seconds > 1.5 * usual.seconds
    stage.preferences.set_workshop_key("machine", "sold")
    stage.window.actions_["workshop"].trigger()
    assert stage.planning.plan is slower, "a machine that is gone changes nothing"


def test_a_new_puzzle_need_not_wait_until_a_file_is_written_but_closing_must(stage: Stage, tmp_path: Path) -> None:
    asked: list[object] = []
    stage.window.filing.begun.connect(asked.append)
    export(stage, ExportRequest(tmp_path / "board.svg", Options(), False, TWO_SHEETS, NARROW, Material()))
    assert stage.window.session.writing.is_writing
    stage.window.actions_["new_cube"].trigger()
    assert asked == [kind("cube")]
    assert not stage.window.close() and told(stage, "Export in progress; please wait.")
    assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    assert told(stage, "Saved and verified: board-1.svg … board-2.svg")


def test_a_failed_export_is_no_longer_said_after_one_that_succeeded(stage: Stage, tmp_path: Path) -> None:
    def fails(_progress: Progress) -> str:
        raise StudioError("Could not write board.svg: no space left on device.")

    writing, notices = stage.window.session.writing, stage.window.session.notices
    writing.write(tmp_path / "board.svg", fails)
    assert stage.wait_for(lambda: not writing.is_writing)
    shown = notices.notice()
    assert shown is not None and shown.severity is Severity.ERROR
    writing.write(tmp_path / "board.svg", lambda _progress: "Exported and verified board.svg.")
    assert stage.wait_for(lambda: not writing.is_writing)
    shown = notices.notice()
    assert shown is not None and shown.sentence.startswith("Exported")
    assert notices.waiting() == ()
