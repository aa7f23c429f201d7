"""Flow lines in the window: drawn, shown, undone, cleared, and left by Esc and Enter."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import shapely
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from studio.geometry.board.board_spec import FLOW_LINES, NO_FLOW
from studio.puzzles.jigsaw.model.design import JigsawDesign
from tests.ui.stage import Stage

ARC = [(30.0 + 8.0 * step, 110.0 - 75.0 * np.sin(np.pi * step / 30)) for step in range(31)]


class FlowStage(Stage):
    """A window on a jigsaw of 300 × 150 mm, in which the mouse draws flow lines."""

    def do(self, name: str) -> None:
        self.window.actions_[name].trigger()
        self.settle()

    @property
    def is_drawing(self) -> bool:
        return bool(self.extension.flowing.is_drawing)

    def draw(self, places: list[tuple[float, float]]) -> None:
        spots = [self.at(*place) for place in places]
        self.press(spots[0])
        for spot in spots[1:]:
            self.move(spot)
        self.release(spots[-1])
        self.settle()


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[FlowStage]:
    stage = FlowStage(tmp_path)
    stage.do("draw_flow")
    yield stage
    stage.close()


def test_rows_follow_a_line_that_is_drawn_and_undone_and_cleared(stage: FlowStage) -> None:
    straight = stage.extension.shapes.tiling.homes
    stage.draw(ARC)
    assert stage.wait_for(lambda: stage.design.parameters.flow == FLOW_LINES)
    (line,) = (np.array(way) * stage.design.size for way in stage.design.flow_lines)
    assert len(line) < len(ARC)
    assert shapely.hausdorff_distance(shapely.linestrings(line), shapely.linestrings(ARC)) < 2
    bent = stage.extension.shapes.tiling.homes
    middle = np.abs(straight - [150.0, 50.0]).sum(axis=1).argmin()
    assert bent[middle, 1] != straight[middle, 1]
    assert stage.window.document.history.undoText() == "Draw flow line"
    stage.draw([(20, 20), (280, 15)])
    assert stage.wait_for(lambda: len(stage.design.flow_lines) == 2) and stage.is_drawing
    stage.window.document.history.undo()
    stage.settle()
    assert len(stage.design.flow_lines) == 1
    stage.extension.flowing.clear.click()
    assert stage.wait_for(lambda: stage.design.parameters.flow == NO_FLOW)
    assert not stage.design.flow_lines and not stage.extension.flowing.clear.isEnabled()


def test_a_line_off_the_board_is_clipped_and_one_without_a_length_is_none(stage: FlowStage) -> None:
    stage.draw([(150, 75)])
    stage.draw([(-20, -20), (-30, -30)])
    assert stage.design == JigsawDesign()
    stage.draw([(-10, 70), (100, 60), (320, 70)])
    assert stage.wait_for(lambda: stage.design.parameters.flow == FLOW_LINES)
    assert stage.design.flow_lines[0][0][0] == 0.0 and stage.design.flow_lines[0][-1][0] == 1.0


def test_escape_drops_a_line_and_leaves_and_enter_leaves(stage: FlowStage) -> None:
    stage.press(stage.at(60, 70))
    stage.move(stage.at(90, 70))
    stage.key(Qt.Key.Key_Escape)
    stage.release(stage.at(90, 70))
    assert stage.design == JigsawDesign() and stage.is_drawing and stage.extension.topic == "flow"
    stage.key(Qt.Key.Key_Escape)
    assert not stage.is_drawing
    stage.do("draw_flow")
    assert stage.is_drawing
    stage.key(Qt.Key.Key_Return)
    assert not stage.is_drawing and stage.window.canvas.view.tool is stage.extension.tool
    stage.do("draw_flow")
    stage.do("protect")
    assert not stage.is_drawing
