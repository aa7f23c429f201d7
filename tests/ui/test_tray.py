"""The tray in the window: shown around the board, its fields only where there is one, and written beside the puzzle."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox

from studio.base.amounts import duration, metres
from studio.exporting.formats import Options
from studio.fabricate.making import Making, made
from studio.fabricate.workshop import Machine, Material
from studio.geometry.board.tiling import FREE
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.panels.plan_panel import PlanPanel
from tests.classic import classic
from tests.ui.stage import Stage, staged

stage = staged(lambda folder: Stage(folder, JigsawDesign(classic(columns=4, rows=3, width=120, height=90))))


def switch(stage: Stage) -> QCheckBox:
    field = stage.window.form.field("tray")
    assert isinstance(field, QCheckBox)
    return field


def seen(stage: Stage) -> QRectF:
    """The part of the scene that is painted, without the shadows of the wood."""
    view = stage.window.canvas.view
    return view.mapToScene(view.viewport().rect()).boundingRect()


def test_a_tray_is_shown_around_the_board_as_one_step_that_can_be_undone(stage: Stage) -> None:
    form, canvas = stage.window.form, stage.window.canvas
    assert not form.field("tray_rim").isVisibleTo(form)
    before = stage.bytes
    form.fold("Tray", False)
    switch(stage).click()
    stage.settle()
    assert stage.document.design.parameters.tray and form.field("tray_rim").isVisibleTo(form)
    # The frame is 15.5 mm wider than the board, and in sight as a whole.
    assert seen(stage).contains(QRectF(-15.5, -15.5, 151.0, 121.0))
    assert canvas.tray.shown is not None and canvas.tray.shown.size == pytest.approx((151.0, 121.0))
    stage.window.actions_["undo"].trigger()
    stage.settle()
    assert stage.bytes == before and canvas.tray.shown is None


def test_a_notch_that_cuts_through_the_frame_is_found_and_fixed(stage: Stage) -> None:
    stage.window.form.fold("Tray", False)
    switch(stage).click()
    design = stage.document.design
    stage.document.edit("Large notches", JigsawDesign(classic(**{
        "columns": 4, "rows": 3, "width": 120, "height": 90, "tray": True, "tray_notch": 30.0})))  # fmt: skip
    stage.window.pipeline.finish()
    stage.settle()
    assert stage.kinds_found() == {"notch"} and design.parameters.tray
    (finding,) = stage.window.findings.model.elements
    assert finding.repair is not None
    stage.document.edit("Fix", finding.repair.apply(stage.document.design))
    stage.window.pipeline.finish()
    stage.settle()
    assert stage.kinds_found() == set() and stage.document.design.parameters.tray_notch == 13.0


def test_the_dialog_says_where_the_tray_goes_and_writes_it(stage: Stage, tmp_path: Path) -> None:
    stage.window.form.fold("Tray", False)
    switch(stage).click()
    said = []

    def look(dialog: ExportDialog) -> ExportRequest:
        assert stage.wait_for(lambda: dialog.trial.outcome is not None)
        said.extend([dialog.counts.text(), dialog.left_out.sentence.text(), dialog.outcome.summary.text()])
        return ExportRequest(tmp_path / "board.svg", Options(), False)

    stage.answers.at_export = look
    stage.window.actions_["export"].trigger()
    assert stage.wait_for((tmp_path / "board-tray.svg").exists)
    assert stage.wait_for(lambda: "with board-tray.svg" in stage.posted())
    assert "12 pieces and 2 other parts" in said[0] and "0.5 mm clearance" in said[1] and "tray" in said[2]


def test_fix_all_sets_the_tray_and_says_so(stage: Stage) -> None:
    parameters = classic(columns=4, rows=3, width=120, height=90, tray=True, tray_notch=30.0, tray_corner=150.0)
    stage.document.edit("Wild tray", JigsawDesign(parameters))
    stage.window.pipeline.finish()
    stage.window.actions_["fix_all"].trigger()
    repairing = stage.extension.repairing
    assert stage.wait_for(lambda: repairing.proposal is not None) and repairing.proposal is not None
    found = repairing.proposal.found
    assert found.tray and f"Tray settings changed: {found.tray[0]}" in " ".join(found.sentences)
    assert (found.before.errors, found.after.errors, found.tongues) == (1, 0, ())


WAVY = {"columns": 12, "rows": 8, "width": 300, "height": 200, "border": "wandering", "perturbation": 0.3}


def with_tray(stage: Stage, **parameters: object) -> None:
    """Put the board into a tray, and wait until all is timed."""
    stage.document.edit("Tray", JigsawDesign(classic(**{
        "columns": 4, "rows": 3, "width": 120, "height": 90, "tray": True, **parameters})))  # fmt: skip
    stage.window.pipeline.finish()
    stage.cutting.finish()
    stage.settle()


def panel(stage: Stage) -> PlanPanel:
    bar = stage.window.drawer.tabBar()
    stage.window.drawer.setCurrentIndex(next(at for at in range(bar.count()) if bar.tabText(at).startswith("Cut plan")))
    assert stage.wait_for(lambda: stage.planning.plan is not None)
    assert stage.planning.panel is not None
    return stage.planning.panel


def turn_to(stage: Stage, sheet: str) -> None:
    """Choose a sheet with the keyboard, as the list of a closed box is."""
    box = panel(stage).sheet
    box.setFocus()
    QTest.keyClick(box, {"Board": Qt.Key.Key_Home, "Tray": Qt.Key.Key_End}[sheet])
    stage.settle()


def test_the_status_bar_counts_all_sheets_that_an_export_writes(stage: Stage) -> None:
    with_tray(stage)
    tray = stage.shapes.tray
    assert tray is not None
    machine = Machine(cut_speed=20.0)
    stage.planning.set_machine("mine", machine)
    cut = stage.shapes.drawing.cut_length + tray.drawing.cut_length
    assert f"12 pieces and 2 other parts · {metres(cut)} of cuts" in stage.cutting.numbers
    without = made(stage.shapes.drawing, Making(kerf=0.0, strategy="snake"), machine, Material())
    both = made(stage.shapes.drawing, Making(kerf=0.0, strategy="snake"), machine, Material(), tray=tray)
    assert both.cut == pytest.approx(cut, rel=1e-4) and both.seconds > without.seconds
    with_tray(stage, tray=False)
    assert "12 pieces · " in stage.cutting.numbers


def test_the_sheet_of_the_tray_is_chosen_and_played_in_the_cut_plan(stage: Stage) -> None:
    with_tray(stage)
    shown, view = panel(stage), stage.window.canvas.view
    zoom, board = view.zoom, stage.planning.plan
    assert board is not None and shown.sheet.isVisibleTo(shown) and shown.sheet.currentText() == "Board"
    turn_to(stage, "Tray")
    assert stage.wait_for(lambda: shown.player.playback is not None)
    playback, tray = shown.player.playback, stage.shapes.tray
    assert playback is not None and tray is not None
    assert playback.plan.drawing.pieces.names == tray.drawing.pieces.names and shown.model.rowCount() == 1
    sheet = QRectF(0, 0, tray.drawing.width, tray.drawing.height)
    assert view.scene() is shown.player.scene and seen(stage).contains(sheet)
    # The time of both sheets is said, and the board's is that of its own plan.
    assert stage.planning.plan is board
    assert duration(board.seconds + playback.plan.seconds) in stage.cutting.numbers
    shown.player.seek(playback.seconds)
    assert shown.player.snapshot.seconds == playback.plan.seconds
    # A click on a sheet that is elsewhere only brings the board back, as it was seen before.
    before = stage.bytes
    stage.click(QPoint(view.viewport().width() // 2, view.viewport().height() // 2))
    assert view.scene() is stage.window.canvas.scene and view.zoom == pytest.approx(zoom)
    assert stage.bytes == before and not stage.extension.selection
    turn_to(stage, "Board")
    assert stage.wait_for(lambda: shown.model.rowCount() > 1) and shown.plan is not None
    assert shown.plan.drawing.pieces.names == stage.shapes.drawing.pieces.names
    with_tray(stage, tray=False)
    assert not shown.sheet.isVisibleTo(shown)


def test_problems_of_the_tray_are_marked_where_they_are(stage: Stage) -> None:
    with_tray(stage, tray_notch=30.0, tray_corner=0.0)
    (finding,) = stage.window.findings.model.elements
    assert finding.is_marked and finding.place == pytest.approx((120.0, 45.0), abs=0.5)
    view = stage.window.canvas.view
    ink = view.grab().toImage().pixelColor(stage.at(*finding.place) + QPoint(5, 0))
    assert ink.red() > ink.blue() + 60, "the mark is painted on the board's edge"
    with_tray(stage, tray_corner=150.0)
    (finding,) = stage.window.findings.model.elements
    x, y = finding.place
    assert min(abs(x), abs(x - 120)) < 12 and min(abs(y), abs(y - 90)) < 12, "the corners are rounded away"


def test_a_tray_around_a_wavy_border_is_made_again_when_a_drag_ends(stage: Stage) -> None:
    with_tray(stage, **WAVY)
    canvas, tiling = stage.window.canvas, stage.shapes.tiling
    before = canvas.tray.shown
    assert before is not None and not before.is_quick
    corner = next(at for at in tiling.movable.tolist() if tiling.tracks[at] != FREE)
    x, y = stage.shapes.corners[corner].tolist()
    start = stage.at(x, y)
    stage.press(start)
    for step in range(1, 4):
        stage.move(start + QPoint(4 * step, 4 * step))
        assert stage.shapes.corners[corner].tolist() != [x, y]
        assert canvas.tray.shown is before and "tray" not in stage.shapes.__dict__, "no move makes a tray"
    stage.release(start + QPoint(12, 12))
    stage.window.pipeline.finish()
    now = canvas.tray.shown
    assert now is not None and now is not before and now is stage.shapes.tray
    assert now.board.symmetric_difference(before.board).area > 0.1


def test_a_tray_follows_a_parameter_while_it_is_changed(stage: Stage) -> None:
    with_tray(stage, **WAVY)
    design = JigsawDesign(classic(**WAVY | {"tray": True, "tray_rim": 25.0}))
    stage.document.preview(design)
    shown = stage.window.canvas.tray.shown
    assert shown is not None and shown.form.rim == 25.0
    stage.document.abandon()
    shown = stage.window.canvas.tray.shown
    assert shown is not None and shown.form.rim == 15.0
