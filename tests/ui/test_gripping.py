"""How tongues and figures hold, as the window shows it: of the selection, in the table, and of the whole board."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.puzzles.jigsaw.figures.whimsies import Pose, Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters, TongueEdit
from studio.ui.kinds.jigsaw.inspector import Inspector
from tests.ui.stage import Stage

WEAK = TongueEdit("B1-B2", size=0.05, head=0.6, neck=1.6)
CAT = Whimsy("cat1", "cat", Pose(x=60.0, y=50.0, height=40.0))


class GripStage(Stage):
    """A window on a small jigsaw with one weak tongue and a cat."""

    @property
    def inspector(self) -> Inspector:
        """The panel of the selection."""
        inspector = self.extension.inspector
        assert isinstance(inspector, Inspector)
        return inspector

    @property
    def words(self) -> str:
        """What the page in sight says of the hold; empty until it is known."""
        shown = [label.text() for label in self.inspector.grip_labels if label.isVisible()]
        return shown[0] if shown else ""

    def click_tongue(self, name: str) -> None:
        """Click on the tip of a tongue."""
        tongue = self.shapes.tiling.edge_indices[name]
        line = self.shapes.drawing.strokes.flattened(0.1)[tongue]
        self.click(self.at(*line[len(line) // 2].tolist()))


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[GripStage]:
    parameters = JigsawParameters(columns=5, rows=4, width=125.0, height=100.0)
    made = GripStage(tmp_path, JigsawDesign(parameters, tongues=(WEAK,), whimsies=(CAT,)))
    yield made
    made.close()


def test_the_inspector_says_how_the_selected_tongue_holds(stage: GripStage) -> None:
    stage.click_tongue("A1-A2")
    assert stage.extension.selection.status_text == "1 tongue selected"
    assert stage.wait_for(lambda: stage.words == "Interlocks, even with 0.5 mm clearance")
    stage.click_tongue("B1-B2")
    assert stage.wait_for(lambda: "ulls out at" in stage.words or "Does not" in stage.words)
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_P)
    assert stage.wait_for(lambda: stage.words == "")
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert stage.wait_for(lambda: stage.words != "")


def test_the_inspector_says_how_the_selected_figure_holds(stage: GripStage) -> None:
    stage.click(stage.at(60.0, 50.0))
    assert stage.extension.selection.figure == CAT
    assert stage.wait_for(lambda: stage.words.startswith("Lifts out; interlocks with"))
    stage.click_tongue("D1-D2")
    assert not stage.words.startswith("Lifts out"), "what is said of the cat is not said of the tongue"


def test_what_is_left_open_is_called_a_hole(stage: GripStage) -> None:
    stage.click(stage.at(60.0, 50.0))
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_O)
    assert stage.wait_for(lambda: stage.words == "Left open: a hole, not a piece") and stage.design.dropped == ("cat1",)
    stage.document.edit("Drop out", stage.design.with_drop_outs(dropped=["A1"]))
    stage.settle()
    stage.click_tongue("A1-A2")
    assert stage.wait_for(lambda: stage.words == "Beside a hole")
    stage.click_tongue("D1-D2")
    assert stage.wait_for(lambda: "hole" not in stage.words and stage.words != "")


def test_the_board_is_measured_when_it_is_asked_for(stage: GripStage) -> None:
    inspector = stage.inspector
    assert not stage.extension.gripping.board.is_under_way and inspector.weakest.isHidden()
    QTest.mouseClick(inspector.measure, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: inspector.weakest.text().startswith("Weakest tongue B1-B2: "))
    stage.document.edit("Reset", stage.design.with_tongues([TongueEdit("B1-B2")]))
    assert stage.wait_for(lambda: inspector.weakest.text() == "All tongues interlock, even with 0.5 mm clearance")


def test_the_table_lists_what_pulls_out_while_it_is_in_sight(stage: GripStage) -> None:
    table = stage.extension.sheets.tongues
    heads = [table.elements.headerData(at, Qt.Orientation.Horizontal) for at in range(table.elements.columnCount())]
    column = heads.index("Clearance mm")
    tongues = stage.shapes.tiling.edge_indices

    def shown(name: str) -> str:
        row = table.elements.row(tongues[name])
        assert row is not None
        return str(table.elements.index(row, column).data())

    assert shown("A1-A2") == "" and not stage.extension.gripping.board.is_under_way
    stage.window.drawer.setCurrentWidget(table)
    assert stage.wait_for(lambda: shown("A1-A2") == "> 0.50")
    assert 0.0 <= float(shown("B1-B2")) < 0.5
    assert np.isin(stage.shapes.tiling.graph.inner_edges, table.elements.elements).all()


def test_a_figure_is_given_tongues_in_the_inspector(stage: GripStage) -> None:
    stage.click(stage.at(60.0, 50.0))
    assert stage.wait_for(lambda: stage.words.startswith("Lifts out"))
    before = stage.words
    box = stage.inspector.figure.form.field("tongues")
    box.setFocus()
    for _ in range(3):
        QTest.keyClick(box, Qt.Key.Key_Up)
    assert stage.wait_for(
        lambda: stage.design.whimsies[0].tongues == 3 and not stage.window.session.changing.is_under_way
    )
    assert len(stage.shapes.tiling.fillings[0].knobs) == 3
    assert stage.wait_for(lambda: stage.words != before)
    stage.window.actions_["undo"].trigger()
    assert stage.wait_for(lambda: stage.design.whimsies == (CAT,))
