"""Drawn cuts in the window: imported, converted, clicked, flipped and given a style, by real events."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QDeadlineTimer, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QMenu, QToolButton

from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.drawn_cuts import smooth
from studio.ui.kinds.jigsaw.pen import Pen
from studio.ui.panels.drawing_import import DrawingDialog, Looked
from tests.ui.stage import Stage, staged
from tests.ui.test_open_tabs import Studio

SMALL = JigsawDesign(JigsawParameters(width=120.0, height=90.0, columns=4, rows=3, seed=3))
PAGE = 'xmlns="http://www.w3.org/2000/svg" width="100mm" height="60mm" viewBox="0 0 100 60"'
stage = staged(lambda folder: Stage(folder, SMALL))
house = staged(Studio)


def press(stage: Stage, key: Qt.Key) -> None:
    QTest.keyClick(stage.window.canvas.view, key)
    stage.settle()


def test_a_pattern_is_imported_as_a_board_and_what_was_mended_is_said(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "pattern.svg"
    lines = "M0 0H100V60H0Z M50 0.02C60 20 40 40 50 60 M0 30H99.98 M20 5L30 12"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="{lines}"/></svg>')
    stage.answers.imports = [file]
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert stage.window.pipeline.shapes.drawing.pieces.names == ("A1", "B1", "A2", "B2")
    assert stage.document.path is None and stage.design.size == (100.0, 60.0)
    tiling = stage.window.form.field("tiling")
    assert isinstance(tiling, QComboBox) and tiling.currentText() == "Drawn cuts"
    assert not stage.window.form.field("columns").isVisible() and stage.window.form.field("width").isVisible()
    assert stage.window.form.link is not None and not stage.window.form.link.isVisible()


def test_what_was_mended_in_an_imported_pattern_is_said_in_its_tab(house: Studio, tmp_path: Path) -> None:
    file = tmp_path / "pattern.svg"
    lines = "M0 0H100V60H0Z M50 0.03L50 60 M20 5L30 12"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="{lines}"/></svg>')
    house.house._read([file])
    deadline = QDeadlineTimer(30_000)
    while len(house.titles) < 2 and not deadline.hasExpired():
        QTest.qWait(5)
    notice = house.desk.window.notices.notice()
    assert notice is not None and notice.sentence == (
        "Closed 1 gap, the largest 0.03 mm wide. Left uncut, parting no piece: 1 line, listed with the problems."
    )
    assert house.titles[-1].startswith("pattern") and house.desk.window.document.path is None


def test_a_board_is_converted_and_one_undo_brings_it_back(stage: Stage) -> None:
    before, lengths = stage.bytes, stage.shapes.drawing.strokes.lengths.sum()
    stage.window.actions_["convert"].trigger()
    stage.settle()
    assert stage.design.parameters.tiling == "drawn" and stage.document.history.undoText() == "Convert to drawn cuts"
    assert stage.shapes.drawing.strokes.lengths.sum() == pytest.approx(lengths, abs=1e-3)
    stage.window.actions_["undo"].trigger()
    assert stage.bytes == before


def test_a_drawn_cut_is_selected_mirrored_given_a_style_and_reset(stage: Stage) -> None:
    stage.window.actions_["convert"].trigger()
    stage.settle()
    converted = stage.design
    edge = int(np.flatnonzero(stage.shapes.tiling.bows)[4])
    curve = stage.shapes.drawing.strokes[edge]
    stage.click(stage.at(*curve[len(curve) // 2].tolist()))
    assert stage.extension.selection.tongues == {edge}
    assert not any(item.isVisible() for item in stage.extension.tool.marks.handles.values())
    inspector = stage.extension.inspector
    assert inspector is not None
    hint = "As drawn; a style replaces it. Drag its handles; a right-click adds a node, or removes one."
    assert hint in [each.text() for each in inspector.findChildren(QLabel)]
    press(stage, Qt.Key.Key_F)
    assert stage.shapes.drawing.strokes[edge] != pytest.approx(curve) and stage.shapes.drawn[edge]
    press(stage, Qt.Key.Key_P)
    assert stage.shapes.plain[edge]
    press(stage, Qt.Key.Key_Backspace)
    assert stage.design == converted and stage.shapes.drawing.strokes[edge] == pytest.approx(curve)


def pen(stage: Stage) -> None:
    press(stage, Qt.Key.Key_K)
    assert stage.extension.drawing.is_drawing and stage.extension.topic == "pen"


def test_a_cut_is_clicked_from_cut_to_cut_on_any_board(stage: Stage) -> None:
    before, names = stage.bytes, {*stage.shapes.drawing.pieces.names}
    pen(stage)
    for place in ((0.4, 10.0), (14.0, 12.0), (16.0, 0.4)):
        stage.click(stage.at(*place))
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert {*stage.shapes.drawing.pieces.names} == {*names, "A1.2"}
    assert stage.document.history.undoText() == "Convert to drawn cuts and draw a cut"
    assert stage.extension.drawing.is_drawing, "the next cut can be drawn"
    assert not stage.extension.drawing.tool.spots
    press(stage, Qt.Key.Key_Escape)
    assert not stage.extension.drawing.is_drawing
    stage.window.actions_["undo"].trigger()
    assert stage.bytes == before


def test_the_pen_snaps_and_takes_clicks_back(stage: Stage) -> None:
    pen(stage)
    tool = stage.extension.drawing.tool
    stage.click(stage.at(60.0, 45.0))
    assert tool.spots == [], "it does not begin within a piece"
    corner = stage.shapes.corners[stage.shapes.tiling.corner_indices["1,1"]].tolist()
    stage.click(stage.at(corner[0] + 0.5, corner[1] - 0.4))
    assert [(spot.x, spot.y, spot.held) for spot in tool.spots] == [(*corner, "corner")]
    stage.click(stage.at(corner[0] - 12.0, corner[1] - 12.0))
    assert len(tool.spots) == 2
    press(stage, Qt.Key.Key_Backspace)
    assert len(tool.spots) == 1
    stage.hover(stage.at(corner[0] - 3.0, 0.3))
    assert stage.extension.drawing.panel is not None
    assert stage.extension.drawing.panel.facts["Place"].endswith(", square to a cut")
    stage.click(stage.at(corner[0] - 3.0, 0.3))
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    ends = stage.shapes.corners
    assert np.hypot(*(ends - corner).T).min() < 1e-5
    assert np.hypot(*(ends - (corner[0], 0.0)).T).min() < 0.3


def test_a_stroke_by_hand_divides_pieces_and_a_tongue_is_put_into_a_straight_cut(stage: Stage) -> None:
    pen(stage)
    way = [(0.2, 14.0), (6.0, 15.0), (12.0, 13.0), (20.0, 15.5), (34.0, 14.0), (45.0, 15.0), (52.0, 6.0), (52.5, 0.2)]
    stage.press(stage.at(*way[0]))
    for place in way[1:]:
        stage.move(stage.at(*place), button=Qt.MouseButton.LeftButton)
    stage.release(stage.at(*way[-1]))
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert len(stage.shapes.drawing.pieces) == 14
    edge = stage.shapes.tiling.edge_indices["A3-B3"]
    drawing = stage.extension.drawing
    drawing.set_pen(Pen(edge="tongues"))
    for place in ((0.3, 82.0), stage.shapes.corners[stage.shapes.tiling.graph.edges[edge, 0]].tolist()):
        stage.click(stage.at(*place))
    assert stage.wait_for(lambda: len(stage.shapes.drawing.pieces) == 15)
    (edit,) = stage.design.tongues
    edge = stage.shapes.tiling.tongue_indices[edit.name]
    assert edit.plain is False and len(stage.shapes.drawing.strokes[edge]) > 4
    assert stage.document.history.undoText() == "Draw cut"


def test_an_edge_is_redrawn_and_shaped_by_its_handles(stage: Stage) -> None:
    edge = stage.shapes.tiling.edge_indices["B1-B2"]
    curve = stage.shapes.drawing.strokes[edge]
    stage.click(stage.at(*curve[len(curve) // 2].tolist()))
    press(stage, Qt.Key.Key_K)
    press(stage, Qt.Key.Key_Escape)
    stage.click(stage.at(*curve[len(curve) // 2].tolist()))
    QTest.keyClick(stage.window.canvas.view, Qt.Key.Key_K, Qt.KeyboardModifier.ShiftModifier)
    middle = curve[[0, -1]].mean(axis=0) + np.array([0.0, -4.0])
    stage.click(stage.at(*middle.tolist()))
    press(stage, Qt.Key.Key_Return)
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert not stage.extension.drawing.is_drawing
    edge = stage.shapes.tiling.edge_indices["B1-B2"]
    curve = stage.shapes.drawing.strokes[edge]
    assert curve[3] == pytest.approx(middle, abs=0.3) and len(curve) == 7
    stage.click(stage.at(*curve[3].tolist()))
    handles = stage.extension.tool.marks.curve_handles.places
    assert handles == pytest.approx(curve[1:-1])
    stage.drag(stage.at(*curve[3].tolist()), stage.at(*(curve[3] + [0.0, 2.0]).tolist()))
    assert stage.wait_for(lambda: stage.document.history.undoText() == "Shape edge")
    assert stage.shapes.drawing.strokes[edge][2:5] == pytest.approx(np.add(curve[2:5], (0.0, 2.0)), abs=0.3)
    assert stage.extension.selection.tongues == {edge}


def test_alt_click_adds_a_node_to_a_drawn_edge_and_removes_it(stage: Stage) -> None:
    stage.window.actions_["convert"].trigger()
    stage.settle()
    alt, converted = Qt.KeyboardModifier.AltModifier, stage.design
    edge = int(np.flatnonzero(stage.shapes.tiling.bows)[4])
    curve = stage.shapes.drawing.strokes[edge]
    first = np.array([1, 3, 3, 1]) / 8 @ curve[:4]
    stage.click(stage.at(*first.tolist()), alt)
    assert stage.design is converted and stage.extension.selection.tongues == {edge}, "it selects an edge at first"
    stage.click(stage.at(*first.tolist()), alt)
    assert stage.wait_for(lambda: stage.document.history.undoText() == "Add node")
    stage.settle()
    made = stage.shapes.drawing.strokes[edge]
    assert len(made) == len(curve) + 3 and made[3] == pytest.approx(first, abs=0.3)
    assert made[6:] == pytest.approx(curve[3:], abs=1e-5), "the rest of the curve stays"
    assert stage.extension.tool.marks.curve_handles.places == pytest.approx(made[1:-1])
    assert stage.extension.selection.tongues == {edge}
    count = stage.document.history.count()
    stage.click(stage.at(*made[3].tolist()), alt)
    assert stage.wait_for(lambda: stage.document.history.undoText() == "Remove node")
    stage.settle()
    assert stage.document.history.count() == count + 1
    assert stage.shapes.drawing.strokes[edge] == pytest.approx(curve, abs=1e-3)
    for _ in range(2):
        stage.window.actions_["undo"].trigger()
        stage.settle()
    assert stage.design == converted and stage.document.history.undoText() == "Convert to drawn cuts"
    stage.click(stage.at(*first.tolist()), alt | Qt.KeyboardModifier.ControlModifier)
    assert stage.wait_for(lambda: stage.document.history.undoText() == "Add node"), "as in Inkscape"


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_nodes_are_added_and_removed_from_the_menu_and_by_delete(stage: Stage) -> None:
    stage.window.actions_["convert"].trigger()
    stage.settle()
    edge = int(np.flatnonzero(stage.shapes.tiling.bows)[4])
    curve = stage.shapes.drawing.strokes[edge]
    first = np.array([1, 3, 3, 1]) / 8 @ curve[:4]
    x, y = first.tolist()
    assert menu_at(stage, x, y)[:2] == ["Add a node here", ""]
    assert stage.extension.selection.tongues == {edge}
    menu_at(stage, x, y, "Add a node here")
    assert stage.wait_for(lambda: stage.document.history.undoText() == "Add node")
    stage.settle()
    made = stage.shapes.drawing.strokes[edge]
    assert len(made) == len(curve) + 3 and made[3] == pytest.approx(first, abs=0.3)
    x, y = made[3].tolist()
    assert menu_at(stage, x, y, "Remove the node")[:2] == ["Remove the node", ""]
    assert stage.wait_for(lambda: stage.document.history.undoText() == "Remove node")
    stage.settle()
    assert stage.shapes.drawing.strokes[edge] == pytest.approx(curve, abs=1e-3)
    assert "Remove the node" not in menu_at(stage, *stage.shapes.corners[0].tolist())
    stage.click(stage.at(*first.tolist()))
    for key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
        stage.document.history.undo()
        stage.settle()
        stage.hover(stage.at(*made[3].tolist()))
        press(stage, key)
        assert stage.wait_for(lambda: stage.document.history.undoText() == "Remove node")
        assert stage.shapes.drawing.strokes[edge] == pytest.approx(curve, abs=1e-3)
    stage.click(stage.at(*first.tolist()))
    press(stage, Qt.Key.Key_P)
    stage.hover(stage.at(20.0, 20.0))
    press(stage, Qt.Key.Key_Delete)
    assert stage.document.history.undoText() == "Reset 1 tongue"


def test_loose_lines_are_seen_and_a_click_extends_one(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "pattern.svg"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="M0 0H100V60H0Z M50 0V60 M50 30H97"/></svg>')
    stage.answers.imports = [file]
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: len(stage.design.loose) == 1 and stage.window.pipeline.findings is not None)
    (finding,) = [one for one in stage.window.pipeline.findings or () if one.kind == "loose-line"]
    assert finding.place == pytest.approx((97.0, 30.0)) and finding.repair is not None
    assert stage.extension.tool.marks._loose.boundingRect().width() > 40
    stage.window.session.changing.make("Extend", finding.repair.apply)
    assert stage.wait_for(lambda: not stage.design.loose and len(stage.shapes.drawing.pieces) == 3)
    assert stage.extension.tool.marks._loose.boundingRect().isEmpty()


def test_a_dropped_pattern_is_cut_and_its_other_layers_are_engraved(stage: Stage, tmp_path: Path) -> None:
    file = tmp_path / "layers.svg"
    file.write_text(
        f'<svg {PAGE} fill="none"><path stroke="#f00" d="M0 0H100V60H0Z M50 0V60"/>'
        '<path stroke="#00f" d="M10 10H40 M10 16H30"/></svg>'
    )
    seen: list[tuple[str, ...]] = []

    def choose(dialog: DrawingDialog) -> Looked:
        items = [dialog.layers.item(at) for at in range(dialog.layers.count())]
        assert dialog.engraves.isVisibleTo(dialog) and not dialog.welds.isVisibleTo(dialog)
        blue = next(item for item in items if item.data(Qt.ItemDataRole.UserRole) == ["#0000ff"])
        blue.setCheckState(Qt.CheckState.Unchecked)
        dialog.engraves.setChecked(True)
        assert stage.wait_for(lambda: dialog.request().reading.engraved != ())
        seen.append(dialog.request().reading.engraved)
        return dialog.request()

    stage.answers.on_drawing = choose
    stage.extension.drawing.take(file)
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    (engraving,) = stage.design.engravings
    assert len(seen) == 1 and stage.document.history.undoText() == "Use cuts of layers.svg"
    low, high = engraving.on_board.points.min(axis=0), engraving.on_board.points.max(axis=0)
    assert {(*np.round(low, 3).tolist(), *np.round(high, 3).tolist())} <= {(10.0, 10.0, 40.0, 16.0)}
    assert len(stage.shapes.drawing.pieces) == 2


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_problem_with_several_fixes_offers_them_beside_its_button_and_in_the_menu_of_its_row(
    stage: Stage, tmp_path: Path
) -> None:
    file = tmp_path / "pattern.svg"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="M0 0H100V60H0Z M50 0V60 M50 30H97"/></svg>')
    stage.answers.imports = [file]
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: len(stage.design.loose) == 1 and stage.window.pipeline.findings is not None)
    panel, before = stage.window.findings, stage.design
    stage.window.step_finding(1)
    (more,) = (each for each in panel.findChildren(QToolButton) if each.isVisible())

    def menu() -> QMenu:
        (found,) = (each for each in panel.findChildren(QMenu) if each.isVisible())
        return found

    QTest.mouseClick(more, Qt.MouseButton.LeftButton)
    shown = ["Extend to the next cut", "Cut as a detail", "Remove the line"]
    assert [action.text() for action in menu().actions()] == shown
    menu().actions()[1].trigger()
    menu().close()
    assert stage.wait_for(lambda: stage.design.loose[0].is_detail)
    stage.settle()
    assert stage.document.history.undoText() == "Cut as a detail: line1" and not panel.model.elements
    assert stage.extension.tool.marks._loose.boundingRect().isEmpty() and not more.isVisible()
    assert stage.shapes.drawing.strokes.lengths.sum() == pytest.approx(320.0 + 60.0 + 47.0)
    stage.document.history.undo()
    stage.settle()
    assert stage.design == before and len(panel.model.elements) == 1
    stage.window.step_finding(1)
    row = panel.table.visualRect(panel.model.index(0, 1)).center()
    QApplication.sendEvent(
        panel.table.viewport(),
        QContextMenuEvent(QContextMenuEvent.Reason.Mouse, row, panel.table.viewport().mapToGlobal(row)),
    )
    assert [action.text() for action in menu().actions()] == shown
    menu().actions()[2].trigger()
    menu().close()
    assert stage.wait_for(lambda: not stage.design.loose)
    assert stage.document.history.undoText() == "Remove the line: line1"


def import_lines(stage: Stage, folder: Path, lines: str) -> None:
    file = folder / "pattern.svg"
    file.write_text(f'<svg {PAGE}><path fill="none" stroke="red" d="M0 0H100V60H0Z {lines}"/></svg>')
    stage.answers.imports = [file]
    stage.window.actions_["import"].trigger()
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert stage.wait_for(lambda: stage.window.pipeline.findings is not None)


def menu_at(stage: Stage, x: float, y: float, chosen: str = "") -> list[str]:
    """The entries of the context menu at a place in mm, which is closed, perhaps after one is chosen."""
    view, place = stage.window.canvas.view, stage.at(x, y)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, view.viewport().mapToGlobal(place))
    QApplication.sendEvent(view.viewport(), event)
    (menu,) = (each for each in stage.window.findChildren(QMenu) if each.isVisible())
    titles = [action.text() for action in menu.actions()]
    if chosen:
        menu.actions()[titles.index(chosen)].trigger()
    menu.close()
    stage.window.activateWindow()
    stage.settle()
    return titles


@pytest.mark.qt_log_ignore("This plugin does not support")
def test_a_problem_shows_its_lines_and_a_right_click_on_it_offers_its_fixes(stage: Stage, tmp_path: Path) -> None:
    import_lines(stage, tmp_path, "M50 0V60 M50 30H97 M0 15H40 M60 45H80")
    panel, found = stage.window.findings, stage.extension.tool.marks._found
    assert [one.cells for one in panel.model.elements] == [("line2",), ("line1",), ("line3",)]
    assert not found.isVisible()
    stage.window.step_finding(1)
    assert found.isVisible() and found.boundingRect().center().y() == pytest.approx(15.0, abs=0.1)
    assert found.boundingRect().width() == pytest.approx(40.0, abs=2.0)
    stage.window.step_finding(1)
    assert found.boundingRect().center().y() == pytest.approx(30.0, abs=0.1)
    stage.click(stage.at(20.0, 50.0))
    assert not found.isVisible(), "a click puts it away"
    stage.window.canvas.view.fit()
    fixes = ["Extend to the next cut", "Cut as a detail", "Remove the line"]
    for place in ((97.0, 30.0), (70.0, 30.0)):
        assert menu_at(stage, *place)[:4] == [*fixes, ""], place
    assert not {*menu_at(stage, 70.0, 20.0)} & {*fixes}
    menu_at(stage, 70.0, 30.0, "Remove the line")
    assert stage.wait_for(lambda: [one.name for one in stage.design.loose] == ["line2", "line3"])


def test_the_fix_button_fixes_one_problem_after_the_other(stage: Stage, tmp_path: Path) -> None:
    import_lines(stage, tmp_path, "M50 0V60 M50 30H97 M0 15H47 M50 45H97")
    panel = stage.window.findings
    panel.go_to(panel.model.elements[1])
    for left in (2, 1):
        assert panel._fix.text() == "Extend to the next cut"
        QTest.mouseClick(panel._fix, Qt.MouseButton.LeftButton)
        assert stage.wait_for(partial(lambda left: len(panel.model.elements) == len(stage.design.loose) == left, left))
    assert [one.name for one in stage.design.loose] == ["line2"], "the first of the list is left"


def test_cuts_that_cross_are_shown_with_their_problem(stage: Stage, tmp_path: Path) -> None:
    import_lines(stage, tmp_path, "M50 0V60 M0 30H100")
    edge = stage.shapes.tiling.edge_indices["A1-B1"]
    stage.extension.drawing.shape(
        "Shape edge", edge, smooth(np.array([(50.0, 0.0), (20.0, 40.0), (46.0, 15.0), (50.0, 30.0)]))
    )
    assert stage.wait_for(lambda: bool(stage.window.findings.model.elements))
    stage.window.step_finding(1)
    finding, found = stage.window.findings.current, stage.extension.tool.marks._found
    assert finding is not None and finding.strokes and found.isVisible()
    lines = [stage.shapes.drawing.strokes[one] for one in finding.strokes]
    low, high = np.concatenate(lines).min(axis=0), np.concatenate(lines).max(axis=0)
    assert found.boundingRect().height() == pytest.approx(high[1] - low[1], abs=8.0)
    press(stage, Qt.Key.Key_Escape)
    assert not found.isVisible()


def notice(stage: Stage) -> str:
    shown = stage.window.notices.notice()
    return "" if shown is None else shown.sentence


def test_enter_ends_a_line_on_a_cut_and_says_where_else_it_must_end(stage: Stage) -> None:
    pen(stage)
    tool = stage.extension.drawing.tool
    for place in ((0.2, 10.0), (10.0, 10.0), (14.0, 14.0)):
        stage.click(stage.at(*place))
    press(stage, Qt.Key.Key_Return)
    assert notice(stage) == "End the line on a cut or the border, or drop it with Esc."
    assert len(tool.spots) == 3 and stage.extension.drawing.is_drawing, "the line stays"
    press(stage, Qt.Key.Key_Escape)
    press(stage, Qt.Key.Key_Escape)
    assert not stage.extension.drawing.is_drawing and notice(stage) == "", "it goes with the pen"
    pen(stage)
    for place in ((0.2, 10.0), (10.0, 12.0)):
        stage.click(stage.at(*place))
    stage.click(stage.at(10.0, 0.5), Qt.KeyboardModifier.ControlModifier)
    assert [spot.is_on_cut for spot in tool.spots] == [True, False, False]
    press(stage, Qt.Key.Key_Return)
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert len(stage.shapes.drawing.pieces) == 13
    for place in ((0.3, 82.0), (8.0, 80.0)):
        stage.click(stage.at(*place))
    stage.hover(stage.at(8.0, 89.8))
    press(stage, Qt.Key.Key_Return)
    assert stage.wait_for(lambda: len(stage.shapes.drawing.pieces) == 14), "it ends where the mouse is on a cut"
    press(stage, Qt.Key.Key_Return)
    assert not stage.extension.drawing.is_drawing


def stroke(stage: Stage, *way: tuple[float, float]) -> None:
    stage.press(stage.at(*way[0]))
    for place in way[1:]:
        stage.move(stage.at(*place), button=Qt.MouseButton.LeftButton)
    stage.release(stage.at(*way[-1]))


@pytest.mark.parametrize("is_backwards", [False, True])
def test_a_stroke_that_ends_within_a_piece_is_gone_on_with(stage: Stage, is_backwards: bool) -> None:
    pen(stage)
    tool = stage.extension.drawing.tool
    way = [(0.2, 14.0), (4.0, 15.5), (8.0, 15.0), (12.0, 13.0), (16.0, 12.0)]
    stroke(stage, *(way[::-1] if is_backwards else way))
    assert tool.spots[0].x == pytest.approx(0.0, abs=0.01) and (tool.spots[-1].x, tool.spots[-1].y) == pytest.approx(
        way[-1], abs=0.3
    )
    stroke(stage, way[-1], (17.0, 8.0), (16.0, 4.0))
    assert tool.spots[-1].y == pytest.approx(4.0, abs=0.3)
    stage.click(stage.at(16.0, 0.3))
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    assert len(stage.shapes.drawing.pieces) == 13 and not tool.spots
    part = stage.shapes.drawing.pieces.names.index("A1.2" if "A1.2" in stage.shapes.drawing.pieces.names else "A1")
    assert 100.0 < stage.shapes.drawing.piece_areas[part] < 300.0


def test_a_stroke_far_from_all_cuts_is_refused(stage: Stage) -> None:
    pen(stage)
    middle = stage.shapes.corners[stage.shapes.tiling.corner_indices["1,1"]] - 13.0
    x, y = middle.tolist()
    stroke(stage, (x, y), (x + 2.0, y + 1.0), (x + 4.0, y - 1.0))
    assert notice(stage) == "Begin or end the stroke on a cut or the border." and not stage.extension.drawing.tool.spots


def test_a_line_that_crosses_itself_is_refused_and_stays(stage: Stage) -> None:
    pen(stage)
    tool, before = stage.extension.drawing.tool, stage.bytes
    for place in ((0.2, 5.0), (15.0, 15.0), (15.0, 5.0), (6.0, 15.0)):
        stage.click(stage.at(*place))
    stage.click(stage.at(0.2, 15.0))
    assert notice(stage).startswith("The cut crosses itself at ") and notice(stage).endswith(" mm.")
    assert stage.bytes == before and len(tool.spots) == 4
    for _ in range(2):
        press(stage, Qt.Key.Key_Backspace)
    stage.click(stage.at(15.0, 0.2))
    assert stage.wait_for(lambda: len(stage.shapes.drawing.pieces) == 13)


def test_a_refused_cut_can_be_led_elsewhere(stage: Stage) -> None:
    pen(stage)
    tool = stage.extension.drawing.tool
    for place in ((0.2, 5.0), (-3.0, 10.0), (0.2, 15.0)):
        stage.click(stage.at(*place))
    assert stage.wait_for(lambda: notice(stage).startswith("The cut leaves the board at "))
    assert len(tool.spots) == 2
    press(stage, Qt.Key.Key_Backspace)
    stage.click(stage.at(12.0, 0.2))
    assert stage.wait_for(lambda: len(stage.shapes.drawing.pieces) == 13)


def test_an_edge_that_is_redrawn_is_named_and_stays_selected(stage: Stage) -> None:
    pen(stage)
    stage.hover(stage.at(30.0, 40.0))
    press(stage, Qt.Key.Key_Escape)
    edge = stage.shapes.tiling.edge_indices["B1-B2"]
    curve = stage.shapes.drawing.strokes[edge]
    stage.click(stage.at(*curve[len(curve) // 2].tolist()))
    stage.window.actions_["redraw"].trigger()
    panel = stage.extension.drawing.panel
    assert panel is not None and panel.title.text() == "Redraw B1-B2" and panel.facts["Place"] == "–"
    assert panel.hint.text().startswith("Click along the new curve") and "Enter" in panel.hint.text()
    middle = curve[[0, -1]].mean(axis=0) + np.array([0.0, -4.0])
    stage.click(stage.at(*middle.tolist()))
    press(stage, Qt.Key.Key_Return)
    assert stage.wait_for(lambda: stage.design.parameters.tiling == "drawn")
    stage.settle()
    assert not stage.extension.drawing.is_drawing
    assert stage.extension.selection.tongues == {stage.shapes.tiling.edge_indices["B1-B2"]}
    pen(stage)
    assert panel.title.text() == "Pen" and "from cut to cut" in panel.hint.text()


def test_a_handle_that_would_make_its_edge_cross_itself_goes_back(stage: Stage, tmp_path: Path) -> None:
    import_lines(stage, tmp_path, "M50 0V60 M0 30H100")
    edge = stage.shapes.tiling.edge_indices["B1-B2"]
    way = [(50.0, 30.0), (90.0, 22.0), (60.0, 38.0), (100.0, 30.0)]
    stage.extension.drawing.shape("Shape edge", edge, smooth(np.array(way)))
    stage.settle()
    curve = stage.shapes.drawing.strokes[edge]
    stage.click(stage.at(*curve[3].tolist()))
    handles = stage.extension.tool.marks.curve_handles
    assert handles.places == pytest.approx(curve[1:-1])
    stage.drag(stage.at(*curve[3].tolist()), stage.at(90.0, 45.0))
    assert stage.wait_for(lambda: notice(stage).startswith("The cut crosses itself at "))
    assert stage.shapes.drawing.strokes[edge] == pytest.approx(curve)
    assert handles.places == pytest.approx(curve[1:-1])
