"""The dialog "How long did it take?", and what estimates and costs the window shows after it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox

from studio.base.folders import own_path
from studio.base.parameters import declaration
from studio.fabricate import costs, job_log
from studio.fabricate.costs import Pricing
from studio.fabricate.making import Making
from studio.fabricate.workshop import Machine, Material, keep, one_of
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.panels.export_dialog import ExportDialog, ExportRequest
from studio.ui.panels.times_dialog import TimesDialog
from studio.ui.panels.workshop import WorkshopDialog
from tests.ui.measuring import cut_off
from tests.ui.stage import Stage

CO2 = "co2-600x400"
FINE = JigsawDesign(JigsawParameters(columns=4, rows=3, width=100.0, height=75.0, perturbation=0.05))


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, FINE)
    made.cutting.finish()
    yield made
    made.close()


def in_dialog(stage: Stage, act: Callable[[TimesDialog], object]) -> None:
    """Choose the menu entry, and act in the dialog once the job of the puzzle is there."""
    acted = []

    def on_times(dialog: TimesDialog) -> None:
        dialog.show()
        settle(stage, dialog)
        acted.append(act(dialog))
        dialog.reject()

    stage.answers.on_times = on_times
    stage.window.actions_["times"].trigger()
    assert acted
    stage.cutting.finish()


def settle(stage: Stage, dialog: TimesDialog) -> None:
    assert stage.wait_for(lambda: dialog._current.answer is not None and not dialog.fits.is_under_way)


def log(stage: Stage, dialog: TimesDialog, time: str) -> None:
    """Write a time, and press the button."""
    dialog.time.setFocus()
    QTest.keyClicks(dialog.time, time)
    QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
    settle(stage, dialog)


def cell(dialog: TimesDialog, row: int, column: int) -> str:
    return str(dialog.model.index(row, column).data())


def test_a_logged_time_is_fitted_and_the_figures_are_taken_over(stage: Stage) -> None:
    assert "±" not in stage.cutting.numbers

    def act(dialog: TimesDialog) -> None:
        assert dialog.verdict.text() == "No job is logged yet." and not dialog.adopt.isEnabled()
        assert not dialog.add.isEnabled()
        log(stage, dialog, "2:30")
        assert dialog.time.text() == "" and dialog.problem.isHidden()
        assert (dialog.model.rowCount(), cell(dialog, 0, 3)) == (1, "2:30")
        assert dialog.verdict.text().startswith("From 1 job: estimates are off by about ")
        QTest.mouseClick(dialog.adopt, Qt.MouseButton.LeftButton)
        settle(stage, dialog)
        assert not dialog.adopt.isEnabled() and dialog.named.own
        assert cell(dialog, 0, 4) in ("2:29", "2:30", "2:31")

    in_dialog(stage, act)
    # The speeds are those of the recipe, which does not change: the machine does not keep to it.
    assert one_of(Machine, CO2).value.override < 60
    assert "about 2 min 30 s ± " in stage.cutting.numbers


def test_a_wrong_time_is_marked_left_out_and_removed(stage: Stage) -> None:
    def act(dialog: TimesDialog) -> None:
        for time in ("1:10", "1:12", "1:11:00"):
            log(stage, dialog, time)
        assert "minutes typed as hours?" in cell(dialog, 0, 5) and cell(dialog, 1, 5) == ""
        fitted = dialog.found.machine if dialog.found is not None else None
        ticked = dialog.table.visualRect(dialog.model.index(0, 0)).topLeft() + QPoint(10, 12)
        QTest.mouseClick(dialog.table.viewport(), Qt.MouseButton.LeftButton, pos=ticked)
        settle(stage, dialog)
        assert job_log.log_of(CO2).jobs[0].is_left_out and cell(dialog, 0, 5) == ""
        assert dialog.found is not None and dialog.found.machine == fitted
        dialog.table.selectRow(0)
        QTest.mouseClick(dialog.remove, Qt.MouseButton.LeftButton)
        assert [one.seconds for one in job_log.log_of(CO2).jobs] == [72.0, 70.0]

    in_dialog(stage, act)


def test_return_logs_and_what_is_no_time_cannot_be_logged(stage: Stage) -> None:
    def act(dialog: TimesDialog) -> None:
        QTest.keyClicks(dialog.time, "soon")
        assert not dialog.add.isEnabled()
        dialog.time.clear()
        QTest.keyClicks(dialog.time, "3 min")
        QTest.keyClick(dialog.time, Qt.Key.Key_Return)
        assert dialog.isVisible() and dialog.model.rowCount() == 1
        dialog.time.setText("0.001")
        assert dialog.add.isEnabled()
        QTest.mouseClick(dialog.add, Qt.MouseButton.LeftButton)
        assert dialog.problem.sentence.text() == "A job takes 1 s to 100 h." and dialog.model.rowCount() == 1
        assert not cut_off(dialog)

    in_dialog(stage, act)


def test_a_log_that_cannot_be_used_is_said_and_stays(stage: Stage) -> None:
    path = own_path(job_log.FOLDER, CO2)
    path.parent.mkdir(parents=True)
    path.write_text("{")

    def act(dialog: TimesDialog) -> None:
        assert dialog.problem.sentence.text().startswith(f"times/{CO2}.json cannot be used: ")
        log(stage, dialog, "3:00")
        assert dialog.problem.isVisible() and dialog.model.rowCount() == 0

    in_dialog(stage, act)
    assert path.read_text() == "{"


def test_an_exported_job_waits_until_its_time_is_known(stage: Stage, tmp_path: Path) -> None:
    def request(dialog: ExportDialog) -> ExportRequest:
        assert stage.wait_for(lambda: dialog.trial.outcome is not None)
        return replace_path(dialog.request(), tmp_path / "fox.svg")

    stage.answers.at_export = request
    stage.window.actions_["export"].trigger()
    assert stage.wait_for(lambda: (tmp_path / "fox.svg").exists() and bool(job_log.log_of(CO2).waiting))

    def act(dialog: TimesDialog) -> None:
        assert dialog.job.currentText().startswith("fox (") and dialog.job.count() == 2
        assert dialog.expected.text().startswith("estimated 1 min ")
        log(stage, dialog, "1:30")
        assert dialog.job.count() == 1

    in_dialog(stage, act)
    kept = job_log.log_of(CO2)
    assert [one.title for one in kept.jobs] == ["fox"] and kept.waiting == ()


def replace_path(request: ExportRequest, path: Path) -> ExportRequest:
    return request._replace(path=path, making=Making())


def test_the_button_of_the_cut_plan_asks_too(stage: Stage) -> None:
    asked: list[TimesDialog] = []
    stage.answers.on_times = lambda dialog: asked.append(dialog)
    planning = stage.planning
    planning.show()
    planning.finish()
    assert planning.panel is not None
    planning.panel.took.click()
    assert len(asked) == 1


def test_a_puzzle_costs_nothing_until_there_is_a_price_and_then_everywhere_the_same(stage: Stage) -> None:
    assert "€" not in stage.cutting.numbers
    machine = one_of(Machine, CO2)

    def act(dialog: WorkshopDialog) -> None:
        dialog.show()
        form = dialog.pricing
        form.set_parameters(Pricing("€", 1.5))
        assert not cut_off(dialog)
        QTest.mouseClick(dialog.buttons.button(QDialogButtonBox.StandardButton.Ok), Qt.MouseButton.LeftButton)

    stage.answers.on_workshop = act
    stage.window.actions_["workshop"].trigger()
    stage.cutting.finish()
    assert costs.pricing() == Pricing("€", 1.5)
    assert stage.cutting.numbers.endswith(" · 1.50 €")
    keep(replace(machine, value=replace(machine.value, hour_price=60.0)))
    material = one_of(Material, "plywood-3")
    keep(replace(material, value=replace(material.value, price=100.0), own=True))
    stage.cutting.use_machine()
    stage.cutting.finish()
    shown = stage.cutting.numbers.rpartition(" · ")[2]
    assert shown.endswith(" €")
    seen: list[str] = []

    def look(dialog: ExportDialog) -> None:
        assert stage.wait_for(lambda: dialog.trial.outcome is not None)
        seen.append(dialog.outcome.cost.text())

    stage.answers.at_export = look
    stage.window.actions_["export"].trigger()
    assert stage.wait_for(lambda: bool(seen))
    amount = float(shown.removesuffix(" €"))
    assert amount == pytest.approx(1.5 + 0.75 + 1.05, abs=0.15)
    assert float(seen[0].removeprefix("Cost per puzzle: ").removesuffix(" €")) == pytest.approx(amount, abs=0.02)


def test_the_declared_figures_have_a_row_each(stage: Stage) -> None:
    def act(dialog: TimesDialog) -> None:
        titles = [str(dialog.figures.index(row, 0).data()) for row in range(dialog.figures.rowCount())]
        assert titles == [declaration(Machine, name).title for name in job_log.FITTED]

    in_dialog(stage, act)
