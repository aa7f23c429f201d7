"""Many boards are asked for in the File menu, made in the background, and can be stopped and continued."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from studio.files.store import load
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.puzzles.registry import kind
from studio.ui.abilities.batching import BatchOptions, RepairOptions
from tests.ui.stage import Stage

DESIGN = JigsawDesign(JigsawParameters(columns=4, rows=3, width=100, height=75, perturbation=0.45, tongue_size=0.5))


@pytest.fixture
def stage(qtbot: QtBot, tmp_path: Path) -> Iterator[Stage]:
    made = Stage(tmp_path, DESIGN)
    made.answers.folder = tmp_path / "out"
    made.answers.folder.mkdir()
    yield made
    made.close()


def sentence(stage: Stage) -> str:
    notice = stage.window.notices.notice()
    return "" if notice is None else notice.sentence


def boards(stage: Stage) -> list[Path]:
    assert stage.answers.folder is not None
    return sorted(stage.answers.folder.glob("*-[0-9][0-9][0-9].puzzle"))


def test_boards_with_other_seeds_are_made_and_repaired(stage: Stage) -> None:
    stage.answers.on_options = lambda dialog: RepairOptions(count=3, format="svg")
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved and verified: 3 boards in out.")
    assert [load(path).design.parameters.seed for path in boards(stage)] == [7, 8, 9]
    jigsaw = kind("jigsaw")
    assert all(path.with_suffix(".svg").is_file() for path in boards(stage)) and stage.design == DESIGN
    assert jigsaw.repair is not None


def test_boards_with_errors_are_named(stage: Stage) -> None:
    stage.answers.on_options = lambda dialog: RepairOptions(count=1, first=20, repair=False)
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage) == "Saved 1 board in out; not exported because of errors: 020.")


def test_a_batch_can_be_stopped_and_continued(stage: Stage) -> None:
    stage.answers.on_options = lambda dialog: RepairOptions(count=60, format="svg")
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
    stage.answers.on_options = lambda dialog: RepairOptions(count=len(there) + 1, format="svg")
    stage.window.actions_["batch"].trigger()
    assert stage.wait_for(lambda: sentence(stage).startswith(f"Saved and verified: {len(there) + 1} boards"))


def test_only_kinds_that_can_be_repaired_offer_it(stage: Stage) -> None:
    asked: list[object] = []

    def note(dialog: object) -> None:
        asked.append(dialog.request())  # type: ignore[attr-defined]

    stage.answers.on_options = note
    stage.window.actions_["batch"].trigger()
    assert asked == [RepairOptions()] and RepairOptions() != BatchOptions() and not boards(stage)
