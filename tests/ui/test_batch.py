"""Many boards are asked for in the File menu, made in the background, and can be stopped and continued."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from studio.base.progress import SILENT
from studio.files.store import load
from studio.puzzles.jigsaw.figures.whimsies import Pose
from studio.puzzles.jigsaw.fits.false_fits import false_fits
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.ui.abilities.batching import BatchDialog, BatchOptions, BatchRequest, RepairOptions, UniqueOptions
from tests.ui.stage import Stage

DESIGN = JigsawDesign(
    JigsawParameters(columns=4, rows=3, width=100, height=75, perturbation=0.45, tongue_size=0.5, layout_version=1)
)


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, DESIGN)
    made.answers.folder = tmp_path / "out"
    made.answers.folder.mkdir()
    yield made
    made.close()


def asked(**options: Any) -> Callable[[BatchDialog], BatchRequest]:
    """What a maker asks for that changes options alone."""
    return lambda dialog: BatchRequest(replace(dialog.request().options, **options), {})


def sentence(stage: Stage) -> str:
    notice = stage.window.notices.notice()
    return "" if notice is None else notice.sentence


def boards(stage: Stage) -> list[Path]:
    assert stage.answers.folder is not None
    return sorted(stage.answers.folder.glob("*-[0-9][0-9][0-9].puzzle"))


@pytest.mark.thorough
def test_boards_with_other_seeds_are_made_and_repaired(stage: Stage) -> None:
    stage.answers.on_batch = asked(count=3, format="svg")
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved and verified: 3 boards in out.")
    assert [load(path).design.parameters.seed for path in boards(stage)] == [7, 8, 9]
    assert all(path.with_suffix(".svg").is_file() for path in boards(stage)) and stage.design == DESIGN


def test_boards_with_errors_are_named(stage: Stage) -> None:
    stage.answers.on_batch = asked(count=1, first=20, repair=False)
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved 1 board in out; not exported because of errors: 020.")


def test_a_batch_can_be_stopped_and_continued(stage: Stage) -> None:
    stage.answers.on_batch = asked(count=60, format="svg")
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: len(boards(stage)) >= 2)
    assert stage.wait_for(lambda: sentence(stage).endswith(" %"))
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None and notice.action.title == "Cancel"
    notice.action.do()
    assert sentence(stage) == "Batch stopped. The same batch in the same folder continues it."
    assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
    there = {path: path.stat().st_mtime_ns for path in boards(stage)}
    assert 2 <= len(there) < 60
    stage.answers.on_batch = asked(count=len(there) + 1, format="svg")
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage).startswith(f"Saved and verified: {len(there) + 1} boards"))


def test_only_kinds_that_can_be_repaired_offer_it(stage: Stage) -> None:
    offered: list[object] = []

    def note(dialog: BatchDialog) -> None:
        offered.append(dialog.request().options)

    stage.answers.on_batch = note
    stage.window.actions_["batch"].trigger()
    assert offered == [UniqueOptions()] and RepairOptions() != BatchOptions() and not boards(stage)


def shown(dialog: BatchDialog) -> None:
    dialog.show()
    dialog.activateWindow()
    assert QTest.qWaitForWindowActive(dialog)


def varied(dialog: BatchDialog, name: str, values: str) -> None:
    """Vary a parameter as a maker does."""
    dialog.vary.click()
    line = dialog.varied[-1]
    line.parameter.setCurrentIndex(line.parameter.findData(name))
    line.values.setFocus()
    line.values.selectAll()
    QTest.keyClicks(line.values, values)
    QTest.keyClick(line.values, Qt.Key.Key_Tab)


@pytest.mark.thorough
def test_parameters_vary_and_a_table_names_the_boards(stage: Stage, tmp_path: Path) -> None:
    table = tmp_path / "boards.csv"
    table.write_text("seed\n100\n200\n300\n", encoding="utf-8")
    stage.answers.open = table
    previews: list[str] = []

    def fill(dialog: BatchDialog) -> BatchRequest:
        shown(dialog)
        varied(dialog, "perturbation", "0..0.1")
        varied(dialog, "columns", "4;5")
        previews.append(dialog.preview.text())
        dialog.load.click()
        previews.append(dialog.preview.text())
        assert dialog.go.isEnabled() and dialog.problem.sentence.text() == "", dialog.problem.sentence.text()
        dialog.close()
        return dialog.request()

    stage.answers.on_batch = fill
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved and verified: 3 boards in out.")
    made = [load(path).design.parameters for path in boards(stage)]
    assert [(one.seed, one.perturbation, one.columns) for one in made] == [(100, 0, 4), (200, 0.05, 5), (300, 0.1, 4)]
    assert previews[0].splitlines() == ["Board 001: Columns 4, Seed 7, Irregularity 0",
                                        "Board 010: Columns 5, Seed 16, Irregularity 0.1"]  # fmt: skip
    assert "Seed 300" in previews[1]


def test_a_table_names_the_owner_that_each_board_is_engraved_for(stage: Stage, tmp_path: Path) -> None:
    table = tmp_path / "owners.csv"
    table.write_text("name\nAda\nMary\n", encoding="utf-8")
    stage.answers.open = table
    stage.document.edit("Engrave", DESIGN.with_engraving(Engraving("text1", Pose(50, 40, 6), "{name}")))
    previews: list[str] = []

    def fill(dialog: BatchDialog) -> BatchRequest:
        shown(dialog)
        previews.append(dialog.problem.sentence.text())
        dialog.load.click()
        previews.append(dialog.preview.text())
        dialog.close()
        return dialog.request()

    stage.answers.on_batch = fill
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved and verified: 2 boards in out.")
    assert previews[0] == (
        "Board 001: “{name}” has a placeholder {name}; load a table with that column, or use {serial}."
    )
    assert previews[1].splitlines() == ["Board 001: name Ada, Seed 7", "Board 002: name Mary, Seed 8"]
    assert [load(path).design.engravings[0].text for path in boards(stage)] == ["Ada", "Mary"]


def test_what_cannot_be_is_said_in_the_dialog_and_keeps_it_open(stage: Stage, tmp_path: Path) -> None:
    table = tmp_path / "boards.csv"
    said: list[str] = []

    def fill(dialog: BatchDialog) -> None:
        shown(dialog)

        def note() -> None:
            said.append(dialog.problem.sentence.text())
            assert not dialog.go.isEnabled()
            dialog.accept()
            assert dialog.isVisible()

        varied(dialog, "columns", "many")
        note()
        varied(dialog, "columns", "4")
        note()
        for line in [*dialog.varied]:
            line.remove.click()
        for text in ("columns\n4\nfive\n", "colums\n4\n", ""):
            table.write_text(text, encoding="utf-8")
            dialog.use_table(table)
            note()
        dialog.forget.click()
        assert dialog.go.isEnabled() and not dialog.problem.isVisible()
        dialog.use_table(tmp_path / "none.csv")
        note()
        table.write_text("columns\n4\n5\n", encoding="utf-8")
        dialog.use_table(table)
        assert dialog.request().options.count == 2 and dialog.go.isEnabled()
        dialog.form.set_parameters(replace(dialog.form.parameters(), count=3))
        assert not dialog._try()
        note()
        dialog.close()

    stage.answers.on_batch = fill
    stage.window.actions_["batch"].trigger()
    assert said[0].startswith("Columns must be") and said[1] == "Columns appears twice."
    assert "boards.csv: line 3: columns must be" in said[2] and "line 1: column 'colums'" in said[3]
    assert "boards.csv" in said[4] and "none.csv" in said[5]
    assert said[6] == "The table has 2 lines for 3 boards." and not boards(stage)


def test_pieces_of_a_batch_are_made_unique(qtbot: QtBot, tmp_path: Path) -> None:
    regular = JigsawDesign(JigsawParameters(columns=3, rows=3, width=75, height=75, perturbation=0, vary_size=0,
                                            vary_place=0, vary_depth=0, vary_slant=0, vary_neck=0))  # fmt: skip
    stage = Stage(tmp_path, regular)
    stage.answers.folder = tmp_path / "out"
    stage.answers.folder.mkdir()
    stage.answers.on_batch = asked(count=1, format="svg", unique=True)
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved and verified: 1 board in out.")
    made = load(boards(stage)[0]).design
    assert false_fits(shape(regular, None, SILENT), 0.15, SILENT).pairs > 0
    assert false_fits(shape(made, None, SILENT), 0.15, SILENT).pairs == 0
    stage.close()
