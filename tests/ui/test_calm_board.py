"""A board is calm to work on: no marks over small pieces, fields for all that is selected, names for all steps."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel

from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.ui.kinds.jigsaw.inspector import CORNERS, TONGUES, Inspector
from tests.ui.stage import Stage, staged

LARGE = JigsawParameters(columns=60, rows=40, width=1500.0, height=1000.0)
large = staged(lambda folder: Stage(folder, JigsawDesign(LARGE)))
stage = staged(lambda folder: Stage(folder, JigsawDesign(replace(LARGE, columns=20, rows=14))))


def test_a_large_board_shows_its_cuts_and_only_close_by_the_rings_of_its_corners(large: Stage) -> None:
    stage = large
    view, marks = stage.window.canvas.view, stage.extension.tool.marks
    assert not stage.window.canvas.drawing.is_draft, "lines for editing are off until they are wanted"
    stage.window.actions_["draft"].setChecked(True)
    view.fit()
    stage.settle()
    with_rings = view.viewport().grab().toImage()
    marks._rings.hide()
    stage.settle()
    assert view.viewport().grab().toImage() == with_rings
    marks._rings.show()
    for _ in range(8):
        stage.window.actions_["zoom_in"].trigger()
    stage.settle()
    close_by = view.viewport().grab().toImage()
    marks._rings.hide()
    stage.settle()
    assert view.viewport().grab().toImage() != close_by


def test_corners_and_tongues_that_are_selected_together_have_the_fields_of_both(stage: Stage) -> None:
    inspector, selection = stage.extension.inspector, stage.extension.selection
    assert isinstance(inspector, Inspector)
    free = [int(corner) for corner in stage.shapes.tiling.movable[200:203]]
    tongues = [int(edge) for edge in stage.shapes.tiling.graph.inner_edges[:5]]
    selection.select(free, tongues)
    stage.settle()
    assert inspector.parts.isVisible()
    assert [inspector.parts.tabText(part) for part in (CORNERS, TONGUES)] == ["3 corners", "5 tongues"]
    across, size = inspector._corner_boxes["X"], inspector._shape_boxes["size"]
    assert (across.isVisible(), size.isVisible()) == (True, False)
    QTest.mouseClick(inspector.parts, Qt.MouseButton.LeftButton, pos=inspector.parts.tabRect(TONGUES).center())
    assert (across.isVisible(), size.isVisible()) == (False, True)
    size.setFocus()
    size.selectAll()
    QTest.keyClicks(size, "20")
    QTest.keyClick(size, Qt.Key.Key_Return)
    assert [len(stage.design.tongues), len(stage.design.corners)] == [5, 0]
    assert stage.document.history.text(0) == "Change size of 5 tongues"
    selection.select(free)
    stage.settle()
    assert not inspector.parts.isVisible() and across.isVisible()


def test_the_inspector_is_as_tall_as_the_fields_in_sight_and_scrolls_for_no_others(stage: Stage) -> None:
    stage.window.resize(1280, 800)
    stage.settle()
    (inspector,) = stage.window.findChildren(Inspector)
    bar = inspector.verticalScrollBar()
    assert bar.maximum() == 0, "the board's facts need half the height that there is"
    stage.extension.selection.select([int(stage.shapes.tiling.movable[200])])
    stage.settle()
    assert bar.maximum() == 0


@pytest.mark.thorough
def test_every_fix_says_in_the_history_what_it_changed_and_percents_have_one_decimal_at_most(
    qapp: QApplication, tmp_path: Path
) -> None:
    wild = JigsawParameters(
        columns=12, rows=8, width=180.0, height=120.0, perturbation=0.45, tongue_size=0.34, layout_version=1
    )
    made = Stage(tmp_path, JigsawDesign(wild))
    for _ in range(4):
        made.window.pipeline.finish()
        made.settle()
        (finding, *_others) = [each for each in made.window.pipeline.findings or () if each.repair is not None]
        made.window._repair(finding)
        assert made.wait_for(lambda: not made.window.session.changing.is_under_way)
    texts = [made.document.history.text(at) for at in range(made.document.history.count())]
    assert len(set(texts)) == len(texts) >= 3
    assert all(re.search(r": .*[A-Z]+\d", text) for text in texts), texts
    made.extension.selection.select(tongues=[int(edge) for edge in made.shapes.tiling.graph.inner_edges])
    made.settle()
    inspector = made.extension.inspector
    assert isinstance(inspector, Inspector)
    shown = [box.text() for box in inspector._shape_boxes.values()]
    shown += [label.text() for label in made.window.findChildren(QLabel)]
    percents = re.findall(r"([\d.,]+) ?%", " ".join(shown))
    assert percents and not [each for each in percents if len(each.partition(".")[2]) > 1]
    made.close()
