"""The main job in the window: shape, watch the findings, undo, save, open, export; with real events."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QItemSelectionModel, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from studio.checks.finding import Finding, Severity
from studio.exporting.formats import Options
from studio.files import store
from studio.puzzles.jigsaw.check_problems import CROSSING
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.tongues.styles import Handle
from studio.puzzles.jigsaw.tongues.tongues import SIDE
from studio.ui.kinds.jigsaw.inspector import Inspector
from studio.ui.panels.export_dialog import ExportRequest
from studio.ui.session.dialogs import Unsaved
from studio.ui.session.preferences import ThemeChoice
from studio.ui.widgets.length_spin import NumberSpinBox
from tests.ui.stage import Stage, staged

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NO_KEY = Qt.KeyboardModifier.NoModifier
stage = staged(Stage)


def test_a_maker_shapes_watches_undoes_saves_and_opens(stage: Stage, tmp_path: Path) -> None:
    beginning = stage.bytes
    start = stage.corner("5,3")
    far = start + QPoint(40, 25)
    stage.press(start)
    stage.move(far)
    assert stage.wait_for(lambda: "crossing" in stage.kinds_found()), "the finding comes while the corner is dragged"
    assert stage.bytes == beginning, "nothing is decided before the button is let go"
    near = start + QPoint(5, -4)
    stage.move(near)
    assert stage.wait_for(lambda: not stage.kinds_found()), "the finding goes while the corner is dragged"
    stage.release(near)
    assert [edit.name for edit in stage.design.corners] == ["5,3"]
    assert stage.document.history.undoText() == "Move 1 corner"

    side = stage.shapes.tongues[stage.shapes.tiling.edge_indices["C3-C4"], SIDE]
    stage.double_click(stage.tongue("C3-C4"))
    assert stage.shapes.tongues[stage.shapes.tiling.edge_indices["C3-C4"], SIDE] == -side
    assert stage.document.history.count() == 2

    shaped = stage.bytes
    stage.document.history.undo()
    stage.document.history.undo()
    assert stage.bytes == beginning
    stage.document.history.redo()
    stage.document.history.redo()
    assert stage.bytes == shaped

    stage.answers.save = tmp_path / "mine.puzzle"
    stage.window.actions_["save"].trigger()
    assert (tmp_path / "mine.puzzle").read_bytes() == shaped
    assert not stage.window.isWindowModified()
    stage.answers.open = tmp_path / "mine.puzzle"
    stage.window.actions_["open"].trigger()
    assert stage.bytes == shaped
    stage.window.actions_["save"].trigger()
    assert (tmp_path / "mine.puzzle").read_bytes() == shaped


def test_a_dragged_corner_lies_under_the_mouse(stage: Stage) -> None:
    start = stage.corner("5,3")
    stage.drag(start, start + QPoint(17, 9))
    place = stage.window.canvas.view.mapToScene(start + QPoint(17, 9))
    corner = stage.shapes.corners[stage.shapes.tiling.corner_indices["5,3"]]
    assert np.hypot(corner[0] - place.x(), corner[1] - place.y()) < 1.0 / stage.window.canvas.view.zoom


def test_a_drag_repaints_no_more_tiles_than_it_touches(qapp: QApplication, tmp_path: Path) -> None:
    board = JigsawParameters(columns=20, rows=20, width=1000, height=1000)
    stage = Stage(tmp_path, JigsawDesign(board))
    stage.window.actions_["draft"].setChecked(True)
    layer = stage.window.canvas.drawing
    start = stage.corner("10,10")
    stage.press(start)
    stage.move(start + QPoint(4, 0))
    before = layer.rebuilt
    for step in range(10):
        stage.move(start + QPoint(4 + step, step))
    assert layer.rebuilt - before == 2 * 10, "only the live cuts and the live draft lines are made anew"
    stage.release(start + QPoint(13, 9))
    assert layer.rebuilt - before <= 2 * 10 + 2 + 2 * 4
    stage.close()


def test_escape_gives_a_drag_up(stage: Stage) -> None:
    beginning = stage.bytes
    start = stage.corner("5,3")
    stage.press(start)
    stage.move(start + QPoint(20, 20))
    stage.key(Qt.Key.Key_Escape)
    stage.release(start + QPoint(20, 20))
    assert stage.bytes == beginning
    assert stage.document.history.count() == 0
    assert stage.corner("5,3") == start


def test_a_drag_there_and_back_leaves_no_step(stage: Stage) -> None:
    beginning = stage.bytes
    start = stage.corner("5,3")
    there_and_back(stage, start)
    assert (stage.bytes, stage.document.history.count()) == (beginning, 0)
    assert not stage.document.is_modified and not stage.window.isWindowModified()
    stage.drag(start, start + QPoint(6, 0))
    stage.document.history.setClean()
    moved = stage.bytes
    there_and_back(stage, stage.corner("5,3"))
    assert (stage.bytes, stage.document.history.count()) == (moved, 1)
    assert not stage.document.is_modified and not stage.window.isWindowModified()


def test_a_handle_pulled_there_and_back_leaves_no_step(stage: Stage) -> None:
    beginning = stage.bytes
    stage.click(stage.tongue("C3-C4"))
    for item in [one for one in stage.extension.tool.marks.handles.values() if one.isVisible()]:
        there_and_back(stage, stage.window.canvas.view.mapFromScene(item.pos()))
        assert (stage.bytes, stage.document.history.count()) == (beginning, 0)
    assert not stage.document.is_modified


def test_a_corner_of_the_border_pulled_away_from_it_leaves_no_step(stage: Stage) -> None:
    beginning = stage.bytes
    start = stage.corner("4,0")
    stage.drag(start, start + QPoint(0, 30))
    assert (stage.bytes, stage.document.history.count()) == (beginning, 0)


def there_and_back(stage: Stage, start: QPoint) -> None:
    """Drag from a place to another and to the very same pixel again."""
    stage.press(start)
    stage.move(start + QPoint(30, 12))
    stage.move(start)
    stage.release(start)


def test_shift_keeps_a_drag_on_one_axis(stage: Stage) -> None:
    index = stage.shapes.tiling.corner_indices["5,3"]
    before = stage.shapes.corners[index].copy()
    start = stage.corner("5,3")
    stage.press(start)
    stage.move(start + QPoint(20, 6), SHIFT)
    stage.release(start + QPoint(20, 6), SHIFT)
    assert stage.shapes.corners[index][1] == pytest.approx(before[1])
    assert stage.shapes.corners[index][0] > before[0] + 1


def test_a_corner_of_the_border_slides_and_the_boards_own_stay(stage: Stage) -> None:
    start = stage.corner("4,0")
    stage.drag(start, start + QPoint(8, 40))
    x, y = stage.shapes.corners[stage.shapes.tiling.corner_indices["4,0"]]
    assert y == 0.0 and x > 100
    beginning = stage.bytes
    stage.drag(stage.at(0, 0), stage.at(20, 20))
    assert stage.bytes == beginning


def test_a_corner_beats_an_edge_within_ten_pixels(stage: Stage) -> None:
    stage.click(stage.corner("5,3") + QPoint(7, 1))
    assert stage.extension.selection.corners == {stage.shapes.tiling.corner_indices["5,3"]}
    assert not stage.extension.selection.tongues


def test_clicks_select_add_and_take_away(stage: Stage) -> None:
    first, second = (stage.shapes.tiling.edge_indices[name] for name in ("C3-C4", "D3-D4"))
    stage.click(stage.tongue("C3-C4"))
    assert stage.extension.selection.tongues == {first}
    stage.click(stage.tongue("D3-D4"), SHIFT)
    assert stage.extension.selection.tongues == {first, second}
    stage.click(stage.tongue("C3-C4"), CONTROL)
    assert stage.extension.selection.tongues == {second}
    stage.key(Qt.Key.Key_Escape)
    assert not stage.extension.selection


def test_a_rubber_band_selects_what_lies_within(stage: Stage) -> None:
    stage.drag(stage.at(38, 38), stage.at(112, 87))
    names = {stage.shapes.tiling.corner_name(corner) for corner in stage.extension.selection.corners}
    assert names == {"2,2", "3,2", "4,2", "2,3", "3,3", "4,3"}
    assert stage.extension.selection.tongues


def test_selected_corners_move_together(stage: Stage) -> None:
    stage.drag(stage.at(38, 38), stage.at(112, 87))
    chosen = sorted(stage.extension.selection.corners)
    before = stage.shapes.corners[chosen].copy()
    start = stage.corner("3,2")
    stage.drag(start, start + QPoint(6, 3))
    moved = stage.shapes.corners[chosen] - before
    assert np.allclose(moved, moved[0]) and np.hypot(*moved[0]) > 1
    assert stage.document.history.undoText() == "Move 6 corners"


def test_arrows_nudge_in_three_steps_and_merge(stage: Stage) -> None:
    stage.click(stage.corner("5,3"))
    index = stage.shapes.tiling.corner_indices["5,3"]
    before = stage.shapes.corners[index].copy()
    stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Down, CONTROL)
    assert np.allclose(stage.shapes.corners[index] - before, [1.0, 0.1])
    assert stage.document.history.count() == 1, "nudges in quick succession are one step"
    stage.key(Qt.Key.Key_Left, SHIFT)
    assert np.allclose(stage.shapes.corners[index] - before, [-9.0, 0.1])
    stage.document.history.undo()
    assert np.array_equal(stage.shapes.corners[index], before)


ARROWS_BACK = (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Left, Qt.Key.Key_Up)


@pytest.mark.sampled(3)
@pytest.mark.parametrize("keys", [NO_KEY, SHIFT, CONTROL])
def test_nudges_that_end_where_they_began_leave_no_step(stage: Stage, keys: Qt.KeyboardModifier) -> None:
    beginning = stage.bytes
    # Ten millimetres take a tongue to the end of its edge, whence the way back is another.
    for place in [stage.corner("5,3"), stage.tongue("C3-C4")][: 1 if keys == SHIFT else 2]:
        stage.click(place)
        for key in (*ARROWS_BACK, *ARROWS_BACK[::-1]):
            stage.key(key, keys)
        assert (stage.bytes, stage.document.history.count()) == (beginning, 0)
        assert not stage.document.is_modified and not stage.window.isWindowModified()


def test_nudges_of_different_corners_are_different_steps(stage: Stage) -> None:
    for name in ("5,3", "6,3", "5,3"):
        stage.click(stage.corner(name))
        stage.key(Qt.Key.Key_Right)
        stage.key(Qt.Key.Key_Right)
    assert stage.document.history.count() == 3
    stage.document.history.undo()
    assert [edit.name for edit in stage.design.corners] == ["5,3", "6,3"]
    stage.document.history.undo()
    assert [edit.name for edit in stage.design.corners] == ["5,3"]


def test_an_edit_between_two_nudges_parts_them(stage: Stage) -> None:
    stage.click(stage.tongue("C3-C4"))
    stage.key(Qt.Key.Key_Right)
    stage.window.actions_["flip"].trigger()
    stage.key(Qt.Key.Key_Right)
    assert stage.document.history.count() == 3
    assert stage.design.tongue("C3-C4").side is not None


def test_keys_flip_and_handles_shape_a_tongue(stage: Stage) -> None:
    stage.click(stage.tongue("C3-C4"))
    handles = stage.extension.tool.marks.handles
    names = []
    for handle in (Handle.PLACE, Handle.SIZE, Handle.SLANT):
        item = handles[handle]
        assert item.isVisible()
        place = stage.window.canvas.view.mapFromScene(item.pos())
        stage.drag(place, place + QPoint(9, 6))
        names.append(stage.document.history.undoText())
    assert names == ["Move 1 tongue", "Resize 1 tongue", "Slant 1 tongue"]
    edit = stage.design.tongue("C3-C4")
    assert None not in (edit.size, edit.place, edit.slant)
    stage.window.actions_["flip"].trigger()
    assert stage.document.history.undoText() == "Flip 1 tongue"
    stage.window.actions_["reset"].trigger()
    assert stage.design.tongues == ()


def test_a_locked_tongue_says_why_it_is_not_randomised(stage: Stage) -> None:
    stage.click(stage.tongue("C3-C4"))
    stage.window.actions_["lock"].trigger()
    locked = stage.design
    stage.window.actions_["roll"].trigger()
    assert stage.design == locked
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == "Locked tongues are not randomised. Press L to unlock."
    stage.window.actions_["lock"].trigger()
    stage.window.actions_["roll"].trigger()
    assert stage.design.tongue("C3-C4").rolls == 1


def test_every_edit_can_be_made_in_the_tables(stage: Stage) -> None:
    tables = stage.extension.sheets
    tiling = stage.shapes.tiling

    def write(model: object, element: int, column: int, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        from studio.ui.widgets.tables import ElementModel

        assert isinstance(model, ElementModel)
        row = model.row(element)
        assert row is not None
        return model.setData(model.index(row, column), value, role)

    corner = tiling.corner_indices["5,3"]
    assert write(tables.corners.elements, corner, 1, "5 in")
    assert stage.shapes.corners[corner][0] == pytest.approx(127.0)
    tongue = tiling.edge_indices["C3-C4"]
    tick, tongues = Qt.ItemDataRole.CheckStateRole, tables.tongues.elements

    def knob() -> str:
        return str(tongues.index(tongues.row(tongue) or 0, 1).data())

    other = ({"C3", "C4"} - {knob()}).pop()
    assert write(tongues, tongue, 1, other)
    assert knob() == other
    for column, (name, value) in enumerate([("size", 0.25), ("place", 0.05), ("slant", -0.1)], start=3):
        assert write(tongues, tongue, column, f"{100 * value} %")
        assert tongues.index(tongues.row(tongue) or 0, column).data() == f"{100 * value:.1f}"
        # In a file the sign of a slant follows the edge and the side, on the screen the head.
        kept = getattr(stage.design.tongue("C3-C4"), name)
        assert (abs(kept) if name == "slant" else kept) == pytest.approx(abs(value) if name == "slant" else value)
    assert write(tongues, tongue, 6, "Heirloom")
    assert stage.design.tongue("C3-C4").style == "heirloom"
    assert write(tongues, tongue, 2, Qt.CheckState.Checked.value, tick)
    assert stage.design.tongue("C3-C4").plain is True
    assert write(tongues, tongue, 7, Qt.CheckState.Checked.value, tick)
    assert stage.design.tongue("C3-C4").locked_seed == stage.design.parameters.seed
    before = stage.bytes
    assert not write(tongues, tongue, 3, "wide")
    assert stage.bytes == before
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == "Enter a number for Size."
    assert not write(tongues, tongue, 1, "A2")
    notice = stage.window.notices.notice()
    assert notice is not None and notice.sentence == "Enter C3 or C4."


def test_parts_of_a_tongue_are_scaled_in_the_inspector_where_its_style_has_them(stage: Stage) -> None:
    dock = stage.window.findChild(type(stage.window.docks[0]), "Inspector")
    assert dock is not None
    stage.click(stage.tongue("C3-C4"))
    head, neck = (
        next(box for box in dock.findChildren(NumberSpinBox) if box.accessibleName() == title)
        for title in ("Head", "Neck")
    )
    assert head.isEnabled() and head.value() == 100
    head.setFocus()
    head.selectAll()
    QTest.keyClicks(head, "130")
    QTest.keyClick(head, Qt.Key.Key_Return)
    stage.settle()
    assert stage.design.tongue("C3-C4").head == 1.3 and stage.design.tongue("C3-C4").neck is None
    parameters = replace(stage.design.parameters, tongue_style="classic")
    stage.document.edit("Style", replace(stage.design, parameters=parameters))
    stage.settle()
    stage.click(stage.tongue("C3-C4"))
    assert not head.isEnabled() and neck.isEnabled()
    idle = stage.window.extension.idle(parameters)
    assert {"head_width", "shoulder", "fullness"} <= set(idle) and "neck_width" not in idle
    assert not {"head_width", "shoulder", "fullness"} & set(stage.window.extension.idle(JigsawParameters()))


def test_selected_tongues_are_given_a_style_of_their_own_in_the_inspector(stage: Stage) -> None:
    inspector = stage.extension.inspector
    assert isinstance(inspector, Inspector)
    box = inspector.style_box
    stage.click(stage.tongue("C3-C4"))
    stage.click(stage.tongue("E3-E4"), Qt.KeyboardModifier.ShiftModifier)
    assert box.isEnabled() and box.currentText() == "Same as board"
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_B)
    stage.settle()
    assert [stage.design.tongue(name).style for name in ("C3-C4", "E3-E4")] == ["ball", "ball"]
    assert stage.document.history.undoText() == "Change style of 2 tongues"
    stage.click(stage.tongue("C5-C6"), Qt.KeyboardModifier.ShiftModifier)
    assert box.currentIndex() == -1
    stage.click(stage.tongue("C5-C6"), Qt.KeyboardModifier.ControlModifier)
    assert box.currentText() == "Ball"
    stage.document.history.undo()
    stage.settle()
    assert box.currentText() == "Same as board" and stage.design.tongues == ()


def test_styles_of_tongues_are_read_and_entered_in_the_table(stage: Stage) -> None:
    tongues = stage.extension.sheets.tongues.elements
    row = tongues.row(stage.shapes.tiling.edge_indices["C3-C4"])
    assert row is not None
    cell = tongues.index(row, 6)
    assert cell.data() == "Ribbon cut"
    for written, style, shown in (
        ("ball", "ball", "Ball"),
        ("Flat-top ", "article", "Flat-top"),
        ("", None, "Ribbon cut"),
    ):
        assert tongues.setData(cell, written)
        stage.settle()
        assert (stage.design.tongue("C3-C4").style, cell.data()) == (style, shown)
    assert not tongues.setData(cell, "oak")
    assert stage.posted().startswith("Enter Ribbon cut, Heirloom, ")
    assert not tongues.setData(cell, "custom")
    assert stage.posted() == "Draw or import a custom tongue first."


def test_right_and_left_of_a_tongue_are_set_apart_in_the_inspector(stage: Stage) -> None:
    inspector = stage.extension.inspector
    assert isinstance(inspector, Inspector)
    stage.click(stage.tongue("C3-C4"))
    box = next(each for each in inspector.findChildren(NumberSpinBox) if each.accessibleName() == "Head balance")
    assert not box.isVisible(), "rarely touched, it is folded away"
    QTest.mouseClick(inspector.balances, Qt.MouseButton.LeftButton)
    assert box.isVisible() and box.isEnabled() and box.value() == 0
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "25")
    QTest.keyClick(box, Qt.Key.Key_Return)
    stage.settle()
    side = stage.shapes.tongues[stage.shapes.tiling.edge_indices["C3-C4"], SIDE]
    assert stage.design.tongue("C3-C4").head_balance == -0.25 * side
    assert stage.document.history.undoText() == "Change head balance of 1 tongue"
    assert box.value() == 25


def test_weights_are_shown_only_where_styles_are_mixed(stage: Stage) -> None:
    parameters = stage.design.parameters
    weights = {f"mix_{key}" for key in parameters.weights}
    assert weights <= set(stage.extension.hidden(parameters))
    mixed = replace(parameters, tongue_style="mixed")
    assert not weights & set(stage.extension.hidden(mixed))
    assert "fullness" not in stage.extension.idle(mixed)
    flat: dict[str, Any] = dict.fromkeys(weights, 0) | {"mix_article": 1}
    assert "fullness" in stage.extension.idle(replace(mixed, **flat))


def test_the_selection_of_tables_and_canvas_is_one(stage: Stage) -> None:
    stage.click(stage.tongue("C3-C4"))
    table = stage.extension.sheets.tongues
    rows = [index.row() for index in table.selectionModel().selectedRows()]
    assert [stage.extension.sheets.tongues.elements.element(row) for row in rows] == list(
        stage.extension.selection.tongues
    )
    flag = QItemSelectionModel.SelectionFlag
    third = stage.extension.sheets.corners.elements.index(3, 0)
    stage.extension.sheets.corners.selectionModel().select(third, flag.ClearAndSelect | flag.Rows)
    assert stage.extension.selection.corners == {stage.extension.sheets.corners.elements.element(3)}
    assert not stage.extension.selection.tongues


@pytest.mark.parametrize(("corner", "tongue"), [("11,5", ""), ("", "K6-L6")])
def test_what_is_selected_keeps_its_name_when_the_board_grows(stage: Stage, corner: str, tongue: str) -> None:
    extension, was = stage.extension, stage.shapes.tiling
    extension.selection.select(
        [was.corner_indices[corner]] if corner else [], [was.edge_indices[tongue]] if tongue else []
    )
    stage.document.edit("More of all", JigsawDesign(JigsawParameters(columns=40, rows=30)))
    now = stage.shapes.tiling
    assert [now.corner_name(one) for one in extension.selection.corners] == [corner] * bool(corner)
    assert [now.edge_name(one) for one in extension.selection.tongues] == [tongue] * bool(tongue)
    stage.document.edit("Fewer of all", JigsawDesign(JigsawParameters(columns=2, rows=2)))
    assert not extension.selection


def test_nothing_is_selected_of_a_design_that_was_just_opened(stage: Stage) -> None:
    stage.click(stage.corner("5,3"))
    assert stage.extension.selection
    stage.document.open(JIGSAW, JigsawDesign(JigsawParameters(columns=40, rows=30)), None)
    assert not stage.extension.selection


def test_what_was_under_the_mouse_is_not_shown_where_it_was(stage: Stage) -> None:
    hover = stage.extension.tool.marks.hovered
    stage.click(stage.tongue("C3-C4"))
    stage.key(Qt.Key.Key_F)
    assert not hover.isVisible()


def test_a_change_of_parameters_keeps_hand_edits_and_is_undone(stage: Stage) -> None:
    beginning = stage.bytes
    start = stage.corner("5,3")
    stage.drag(start, start + QPoint(10, 6))
    shaped = stage.bytes
    parameters = replace(stage.design.parameters, perturbation=0.2)
    stage.window.form.edited.emit("Irregularity 0.12 → 0.2", parameters, object())
    assert [edit.name for edit in stage.design.corners] == ["5,3"]
    assert stage.window.form.parameters() == parameters
    stage.document.history.undo()
    assert stage.bytes == shaped and stage.window.form.parameters() == stage.design.parameters
    stage.document.history.undo()
    assert stage.bytes == beginning


def test_the_wheel_zooms_at_the_mouse(stage: Stage) -> None:
    view = stage.window.canvas.view
    place = stage.at(60, 40)
    before = view.zoom
    stage.wheel(place, 3)
    assert view.zoom > 1.4 * before
    moved = view.mapFromScene(QPointF(60, 40)) - place
    assert moved.manhattanLength() <= 2
    stage.wheel(place, -6)
    moved = view.mapFromScene(QPointF(60, 40)) - place
    assert view.zoom < before and moved.manhattanLength() <= 2


def test_the_middle_button_pans(stage: Stage) -> None:
    place = stage.at(60, 40)
    stage.press(place, button=Qt.MouseButton.MiddleButton)
    stage.move(place + QPoint(50, 30), button=Qt.MouseButton.MiddleButton)
    stage.release(place + QPoint(50, 30), button=Qt.MouseButton.MiddleButton)
    assert (stage.at(60, 40) - place - QPoint(50, 30)).manhattanLength() <= 2
    assert stage.document.history.count() == 0


def test_a_finding_is_brought_into_view_and_mended(stage: Stage) -> None:
    start = stage.corner("5,3")
    stage.drag(start, start + QPoint(40, 25))
    stage.window.pipeline.finish()
    count = len(stage.window.findings.model.elements)
    assert count
    zoom = stage.window.canvas.view.zoom
    stage.window.actions_["next_finding"].trigger()
    finding = stage.window.findings.current
    assert finding is not None and stage.window.canvas.view.zoom > zoom
    visible = stage.window.canvas.view.viewport().rect()
    assert visible.contains(stage.at(*finding.place))
    before = stage.bytes
    assert finding.repair is not None
    stage.window.findings.repaired.emit(finding)
    for _ in range(500):
        # What it does to other problems is checked, off the GUI thread where that takes longer.
        if stage.bytes != before:
            break
        QTest.qWait(10)
    assert stage.bytes != before and stage.document.history.undoText().startswith(f"{finding.repair.title}: ")


def test_the_list_begins_with_the_worst_until_the_maker_chooses(stage: Stage) -> None:
    panel = stage.window.findings
    shown: list[str] = []
    panel.chosen.connect(lambda finding: shown.append(finding.message.split()[1]))

    def findings(*names: str) -> tuple[Finding, ...]:
        return tuple(CROSSING.finding((0.0, 0.0), tongues=name) for name in names)

    panel.show_findings(findings("b", "c"))
    panel.show_findings(findings("a", "b", "c"))
    assert panel.table.currentIndex().row() == 0
    panel.step(1)
    panel.step(1)
    assert shown == ["a", "b"], "the first step goes to the first finding"
    panel.show_findings(findings("new", "a", "b", "c"))
    assert panel.table.currentIndex().row() == 2, "what the maker chose stays chosen"


def test_the_whole_board_is_checked_soon_after_a_change(stage: Stage) -> None:
    parameters = replace(stage.design.parameters, perturbation=0.4, tongue_size=0.35, layout_version=1)
    stage.window.form.edited.emit("Wild", parameters, object())
    assert stage.wait_for(lambda: "count" in stage.kinds_found() or "crossing" in stage.kinds_found())
    errors = [one for one in stage.window.findings.model.elements if one.severity is Severity.ERROR]
    assert errors


def test_a_file_that_is_no_puzzle_changes_nothing(stage: Stage, tmp_path: Path) -> None:
    stage.drag(stage.corner("5,3"), stage.corner("5,3") + QPoint(9, 3))
    before = stage.bytes
    broken = tmp_path / "broken.puzzle"
    broken.write_text('{"format": "puzzle-studio", "version": 1')
    assert not stage.window.filing.open(broken)
    assert stage.bytes == before and stage.document.history.count() == 1
    notice = stage.window.notices.notice()
    assert notice is not None and "broken.puzzle" in notice.sentence


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "names", [("dropped.puzzle",), ("picture.png", "dropped.puzzle", "notes.txt"), ("a.png", "dropped.PUZZLE")]
)
# Later Qt has another way to make such an event, which the earliest supported one lacks.
@pytest.mark.filterwarnings("ignore:.*QDragEnterEvent:DeprecationWarning")
def test_the_puzzle_among_dropped_files_is_opened(stage: Stage, tmp_path: Path, names: tuple[str, ...]) -> None:
    design = JigsawDesign(JigsawParameters(columns=4, rows=3))
    (path,) = (tmp_path / name for name in names if name.lower().endswith(".puzzle"))
    store.save(path, JIGSAW, design)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / name)) for name in names])
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(QPoint(400, 300), copy, data, left, none)
    entered.ignore()
    stage.window.dragEnterEvent(entered)
    assert entered.isAccepted()
    stage.window.dropEvent(QDropEvent(QPointF(400, 300), copy, data, left, none))
    assert stage.design == design
    assert stage.document.path == path
    assert path in stage.preferences.recent_files()


def test_closing_with_unsaved_changes_asks(stage: Stage, tmp_path: Path) -> None:
    stage.drag(stage.corner("5,3"), stage.corner("5,3") + QPoint(9, 3))
    assert stage.window.isWindowModified()
    stage.answers.on_unsaved = Unsaved.CANCEL
    assert not stage.window.close()
    stage.answers.on_unsaved, stage.answers.save = Unsaved.SAVE, tmp_path / "kept.puzzle"
    assert stage.window.close()
    assert stage.answers.asked == 2
    assert (tmp_path / "kept.puzzle").read_bytes() == stage.bytes


@pytest.mark.parametrize("suffix", [".svg", ".dxf"])
def test_a_file_for_the_laser_is_written_and_told(stage: Stage, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"board{suffix}"
    stage.answers.on_export = ExportRequest(path, Options(), False)
    stage.window.actions_["export"].trigger()

    def told() -> bool:
        notice = stage.window.notices.notice()
        return notice is not None and "72 pieces" in notice.sentence

    assert stage.wait_for(told)
    first = path.read_bytes()
    path.unlink()
    stage.window.actions_["export_again"].trigger()
    assert stage.wait_for(path.exists)
    assert path.read_bytes() == first
    assert stage.answers.export_dialogs == 1


def test_draft_and_fill_are_switched_and_remembered(stage: Stage) -> None:
    drawing = stage.window.canvas.drawing
    assert not stage.window.actions_["draft"].isChecked() and not drawing.is_draft, "a new maker sees the board alone"
    stage.window.actions_["draft"].setChecked(True)
    stage.window.actions_["fill"].setChecked(True)
    assert drawing.is_draft and drawing.is_filled
    assert stage.preferences.switch("canvas/draft", False) is True
    assert stage.preferences.switch("canvas/fill", False) is True


def test_the_canvas_begins_as_it_was_left(qapp: QApplication, tmp_path: Path) -> None:
    for draft, fill in ((False, True), (True, False)):
        before = Stage(tmp_path)
        before.window.actions_["draft"].setChecked(draft)
        before.window.actions_["fill"].setChecked(fill)
        before.close()
        after = Stage(tmp_path)
        drawing = after.window.canvas.drawing
        assert (drawing.is_draft, drawing.is_filled) == (draft, fill)
        assert after.extension.tool.marks.is_draft is draft
        after.close()


def test_another_theme_is_seen_everywhere(stage: Stage) -> None:
    light = stage.window.grab().toImage().pixelColor(400, 100)
    stage.window.choose_theme(ThemeChoice.DARK)
    stage.settle()
    dark = stage.window.canvas.grab().toImage().pixelColor(200, 60)
    assert dark.lightness() < 60 < light.lightness()


def test_the_menu_ticks_the_theme_that_was_chosen(stage: Stage) -> None:
    themes = next(menu for menu in stage.window.findChildren(QMenu) if menu.title() == "Theme")
    assert [action.text() for action in themes.actions() if action.isChecked()] == ["System"]
    themes.actions()[1].trigger()
    assert [action.text() for action in themes.actions() if action.isChecked()] == ["Light"]


def test_the_layout_comes_back(stage: Stage) -> None:
    dock = stage.window.findChild(type(stage.window.docks[0]), "Inspector")
    assert dock is not None and dock.isVisible()
    dock.hide()
    stage.window.dock_layout.reset()
    stage.settle()
    assert dock.isVisible()


@pytest.mark.thorough
def test_random_gestures_can_all_be_undone(stage: Stage) -> None:
    """A seeded walk of gestures: undone to the start the bytes are those of the start, redone those of the end."""
    beginning = stage.bytes
    dice = np.random.default_rng(5)
    names = list(stage.shapes.tiling.corner_indices)
    tongues = list(stage.shapes.tiling.edge_indices)
    for _ in range(30):
        match dice.integers(4):
            case 0:
                start = stage.corner(names[dice.integers(len(names))])
                stage.drag(start, start + QPoint(*dice.integers(-12, 12, 2).tolist()), steps=2)
            case 1:
                stage.double_click(stage.tongue(tongues[dice.integers(len(tongues))]))
            case 2:
                stage.key(Qt.Key.Key_Right, SHIFT)
            case _:
                stage.window.actions_[["plain", "roll", "lock", "reset"][dice.integers(4)]].trigger()
    end = stage.bytes
    assert end != beginning
    steps = stage.document.history.count()
    for _ in range(steps):
        stage.document.history.undo()
    assert stage.bytes == beginning
    for _ in range(steps):
        stage.document.history.redo()
    assert stage.bytes == end
    assert store.dumps(JIGSAW, store.loads(end).design) == end


def test_undo_during_a_drag_is_not_undone_by_its_end(stage: Stage) -> None:
    beginning = stage.bytes
    start = stage.corner("5,3")
    stage.drag(start, start + QPoint(9, 3))
    stage.press(stage.corner("6,3"))
    stage.move(stage.corner("6,3") + QPoint(8, 8))
    stage.document.history.undo()
    stage.move(start + QPoint(30, 8))
    stage.release(start + QPoint(30, 8))
    assert stage.bytes == beginning


def test_a_design_opened_during_a_drag_stays_as_it_was_opened(stage: Stage, tmp_path: Path) -> None:
    design = JigsawDesign(JigsawParameters(columns=3, rows=3))
    store.save(tmp_path / "other.puzzle", JIGSAW, design)
    start = stage.corner("5,3")
    stage.press(start)
    stage.move(start + QPoint(8, 8))
    assert stage.window.filing.open(tmp_path / "other.puzzle")
    stage.move(start + QPoint(20, 8))
    stage.release(start + QPoint(20, 8))
    assert stage.design == design and stage.document.history.count() == 0


def test_an_export_waits_for_the_check_and_not_the_maker(stage: Stage, tmp_path: Path) -> None:
    stage.answers.on_export = ExportRequest(tmp_path / "board.svg", Options(), False)
    parameters = replace(stage.design.parameters, perturbation=0.2)
    stage.window.form.edited.emit("Irregularity", parameters, object())
    assert stage.window.pipeline.findings is None
    stage.window.actions_["export"].trigger()
    assert stage.answers.export_dialogs == 0, "it is not known yet whether the board will cut"
    assert stage.wait_for(lambda: stage.answers.export_dialogs == 1)
    assert stage.wait_for((tmp_path / "board.svg").exists)
    assert stage.wait_for(lambda: not stage.window.session.writing.is_writing)
