"""The tray in the window: shown around the board, its fields only where there is one, and written beside the puzzle."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtWidgets import QApplication, QCheckBox

from studio.export.formats import Options
from studio.puzzles.jigsaw.model import JigsawDesign
from studio.ui.panels.export import ExportDialog, ExportRequest
from tests.classic import classic
from tests.ui.stage import Stage


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, JigsawDesign(classic(columns=4, rows=3, width=120, height=90)))
    yield made
    made.close()


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
    assert found.tray and f"Changed for the tray: {found.tray[0]}" in " ".join(found.words)
    assert (found.before.errors, found.after.errors, found.tongues) == (1, 0, ())
