"""Fix all in the window: what would change is shown first, applied as one step, or left."""

from dataclasses import replace

import numpy as np
import pytest
import shapely
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from studio.base.progress import SILENT
from studio.checks.finding import Severity
from studio.geometry.curves.strokes import Curves
from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.tiling import with_whimsies
from studio.ui.kinds.jigsaw.fits_panel import proposed
from tests.ui.stage import Stage, staged

WILD = JigsawDesign(
    JigsawParameters(columns=3, rows=2, width=75.0, height=50.0, perturbation=0.45, tongue_size=0.5, layout_version=1)
)
stage = staged(lambda folder: Stage(folder, WILD))


def button(stage: Stage, title: str) -> QPushButton:
    (found,) = (each for each in stage.window.findChildren(QPushButton) if each.text() == title and each.isVisible())
    return found


def said(stage: Stage) -> str:
    notice = stage.window.notices.notice()
    return "" if notice is None else notice.sentence


def propose(stage: Stage) -> None:
    QTest.mouseClick(button(stage, "Fix all…"), Qt.MouseButton.LeftButton)
    repairing = stage.extension.repairing
    assert stage.wait_for(lambda: repairing.proposal is not None) and repairing.ghost.isVisible()
    assert stage.design == WILD


def test_all_problems_are_fixed_as_one_step_once_the_maker_agrees(stage: Stage) -> None:
    propose(stage)
    assert "0 errors and 0 warnings left" in said(stage)
    QTest.mouseClick(button(stage, "Apply"), Qt.MouseButton.LeftButton)
    stage.settle()
    assert stage.document.history.undoText() == "Fix all problems"
    assert not stage.extension.repairing.ghost.isVisible()
    assert not stage.window.findings.model.elements
    stage.document.history.undo()
    assert stage.design == WILD


def test_the_history_names_what_each_fix_is_about(stage: Stage) -> None:
    stage.window.pipeline.finish()
    for _ in range(3):
        found = next(each for each in stage.window.findings.model.elements if each.repair and each.strokes)
        assert found.repair is not None
        stage.window.findings.go_to(found)
        QTest.mouseClick(button(stage, found.repair.title), Qt.MouseButton.LeftButton)
        assert stage.wait_for(lambda: not stage.window.session.changing.is_under_way)
        title, _, names = stage.document.history.undoText().partition(": ")
        assert title == found.repair.title and names and names in found.message
        stage.window.pipeline.finish()
    assert stage.document.history.count() == 3


def test_a_proposal_is_discarded_by_its_button_its_cross_and_any_other_change(stage: Stage) -> None:
    propose(stage)
    QTest.mouseClick(button(stage, "Discard"), Qt.MouseButton.LeftButton)
    assert stage.design == WILD and not stage.extension.repairing.ghost.isVisible()
    propose(stage)
    stage.window.notices.close_notice()
    assert stage.extension.repairing.proposal is None and not stage.extension.repairing.ghost.isVisible()
    propose(stage)
    stage.document.edit("Other", JigsawDesign())
    assert stage.extension.repairing.proposal is None and not stage.extension.repairing.ghost.isVisible()
    assert "after" not in said(stage)


def test_a_board_without_problems_says_so(stage: Stage) -> None:
    stage.document.edit("Calm", JigsawDesign())
    stage.settle()
    stage.window.actions_["fix_all"].trigger()
    for _ in range(1000):
        if "nothing to fix" in said(stage):
            break
        QTest.qWait(10)
    assert "nothing to fix" in said(stage)
    assert stage.extension.repairing.proposal is None


def test_the_notice_is_one_short_line_with_details_behind_it(stage: Stage) -> None:
    propose(stage)
    notice = stage.window.notices.notice()
    assert notice is not None and len(notice.sentence) < 80
    assert "Cuts move by" in notice.details and "tongue" in notice.details


def test_seeds_are_tried_until_the_board_is_clean(stage: Stage) -> None:
    parameters = replace(WILD.parameters, perturbation=0.25, tongue_size=0.3)
    stage.document.edit("Less wild", JigsawDesign(parameters))
    stage.settle()
    stage.window.actions_["reroll"].trigger()
    for _ in range(3000):
        if stage.design.parameters.seed != parameters.seed:
            break
        QTest.qWait(10)
    stage.settle()
    assert stage.document.history.undoText() == "Randomise until clean"
    assert not [each for each in stage.window.findings.model.elements if each.severity is not Severity.HINT]


def test_of_a_board_whose_figure_moves_the_cuts_around_it_are_shown_and_its_outline() -> None:
    parameters = JigsawParameters(columns=12, rows=8, width=300, height=200)
    cat = Whimsy("cat1", "cat", Pose(x=220.0, y=100.0, height=40.0))
    beyond = Whimsy("star1", "star", Pose(x=2.0, y=100.0, height=40.0))
    proposal = proposed(with_whimsies(JigsawDesign(parameters), [cat, beyond]).design, SILENT)
    star = proposal.found.design.whimsies[1]
    assert proposal.found.figures == ("star1",) and star.pose.x > 20
    lines = proposal.cuts.flattened(0.01)
    away = np.hypot(*(lines.points - (star.pose.x, star.pose.y)).T)
    assert away.max() < 100 and 5 < len(lines) < 40
    outline = shapely.LinearRing(Curves.from_strokes([star.on_board()[0]]).flattened(0.01).points)
    own = [lines[at] for at in range(len(lines)) if outline.buffer(0.05).contains(shapely.LineString(lines[at]))]
    assert sum(shapely.LineString(line).length for line in own) == pytest.approx(outline.length, rel=0.01)
