"""Pieces that the chosen machine cannot hold are problems while one designs."""

from __future__ import annotations

from studio.checks.finding import Severity
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.abilities.cuttable import CutExtension
from tests.classic import classic
from tests.ui.stage import Stage, staged

stage = staged(lambda folder: Stage(folder, JigsawDesign(classic(columns=2, rows=1, width=800, height=300))))


def use(stage: Stage, machine: str) -> None:
    """Choose a machine, as a dialog does when it closes."""
    stage.preferences.set_workshop_key("machine", machine)
    (cut,) = (one for one in stage.window.added if isinstance(one, CutExtension))
    cut.use_machine()
    stage.window.finish()


def listed(stage: Stage) -> list[tuple[str, Severity]]:
    assert stage.window.pipeline.findings is not None
    return [(one.kind, one.severity) for one in stage.window.pipeline.findings if one.kind == "bed"]


def test_problems_with_the_bed_follow_the_machine_and_the_board(stage: Stage) -> None:
    use(stage, "diode-400x400")
    assert listed(stage) == [("bed", Severity.WARNING)] * 2
    use(stage, "co2-900x600")
    assert listed(stage) == []
    use(stage, "diode-400x400")
    stage.window.document.edit("Smaller", JigsawDesign(classic(columns=2, rows=1, width=600, height=300)))
    stage.window.finish()
    assert listed(stage) == []
    stage.window.document.history.undo()
    stage.window.finish()
    assert listed(stage) == [("bed", Severity.WARNING)] * 2


def test_a_machine_that_nobody_chose_is_a_hint(stage: Stage) -> None:
    stage.window.document.edit("Larger", JigsawDesign(classic(columns=2, rows=1, width=1300, height=300)))
    stage.window.finish()
    assert listed(stage) == [("bed", Severity.HINT)] * 2
