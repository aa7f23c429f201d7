"""The gestures of the jigsaw's canvas by real mouse and key events: handles, slants, shapes copied and scaled."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox

from studio.geometry.board.tiling import FREE
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.tongues.styles import Handle
from studio.puzzles.jigsaw.tongues.tongues import HEAD, SIDE, SIZE
from studio.ui.kinds.jigsaw.tongue_dialog import FORMAT
from studio.ui.widgets.length_spin import NumberSpinBox
from tests.ui.painted import Painted
from tests.ui.stage import Stage, staged


class TongueStage(Stage):
    """A window on a jigsaw whose tongues are edited."""

    def box(self, title: str) -> NumberSpinBox:
        """A box of the inspector's."""
        dock = self.window.findChild(type(self.window.docks[0]), "Inspector")
        assert dock is not None
        return next(box for box in dock.findChildren(NumberSpinBox) if box.accessibleName() == title)

    def enter(self, box: NumberSpinBox, text: str) -> None:
        """Write a number as a maker would."""
        box.setFocus()
        box.selectAll()
        QTest.keyClicks(box, text)
        QTest.keyClick(box, Qt.Key.Key_Return)
        self.settle()


stage = staged(TongueStage)


def test_a_tongue_that_is_large_on_the_screen_has_handles_for_its_head_and_neck(stage: TongueStage) -> None:
    marks, view = stage.extension.tool.marks, stage.window.canvas.view
    tongue = stage.shapes.tiling.edge_indices["C3-C4"]
    stage.click(stage.tongue("C3-C4"))
    small = (Handle.HEAD, Handle.NECK)
    assert not any(marks.handles[handle].isVisible() for handle in small)
    view.zoom_to(6 * view.zoom)
    view.centerOn(marks.handles[Handle.SIZE].pos())
    stage.settle()
    edited = []
    for handle in small:
        item = marks.handles[handle]
        assert item.isVisible()
        place = view.mapFromScene(item.pos())
        away = item.pos() - marks.handles[Handle.PLACE].pos()
        stage.drag(place, place + QPoint(12 if away.x() > 0 else -12, 12 if away.y() > 0 else -12))
        edited.append(stage.document.history.undoText())
    assert edited == ["Change head of 1 tongue", "Change neck of 1 tongue"]
    edit = stage.design.tongue("C3-C4")
    assert edit.head is not None and edit.neck is not None
    assert (edit.size, edit.place, edit.slant) == (None, None, None)
    assert marks.ties.boundingRect().contains(marks.handles[Handle.HEAD].pos())
    assert stage.extension.selection.tongues == {tongue}


def test_what_only_some_selected_tongues_are_is_partly_ticked(stage: TongueStage) -> None:
    inspector, shift = stage.extension._inspector, Qt.KeyboardModifier.ShiftModifier
    stage.click(stage.tongue("C3-C4"))
    for box in (inspector._plain, inspector._locked):
        box.click()
        stage.settle()
        assert box.checkState() == Qt.CheckState.Checked
    stage.click(stage.tongue("C4-C5"), shift)
    for box in (inspector._plain, inspector._locked):
        assert box.checkState() == Qt.CheckState.PartiallyChecked
        box.click()
        stage.settle()
        assert box.checkState() == Qt.CheckState.Checked
    assert len(stage.shapes.locked) == 2 and stage.shapes.plain[sorted(stage.extension.selection.tongues)].all()


def test_lines_tie_the_handles_to_their_tongue(stage: TongueStage) -> None:
    marks, view = stage.extension.tool.marks, stage.window.canvas.view
    assert marks.ties.boundingRect().isEmpty()
    stage.click(stage.tongue("C3-C4"))
    foot, tip, beside = (marks.handles[handle].pos() for handle in (Handle.PLACE, Handle.SIZE, Handle.SLANT))
    assert marks.ties.boundingRect().contains((foot + tip) / 2)
    assert marks.ties.boundingRect().contains((tip + beside) / 2)
    # A line takes no click: what is under it is what was there before.
    stage.hover(view.mapFromScene((foot + tip) / 2))
    assert not marks.hovered.isVisible()
    stage.drag(view.mapFromScene(tip), view.mapFromScene(tip) + QPoint(0, 12))
    moved = [marks.handles[handle].pos() for handle in (Handle.PLACE, Handle.SIZE)]
    assert marks.ties.boundingRect().contains((moved[0] + moved[1]) / 2)
    stage.click(stage.tongue("C4-C5"), Qt.KeyboardModifier.ShiftModifier)
    assert marks.ties.boundingRect().isEmpty()


@pytest.mark.sampled(3)
@pytest.mark.parametrize("style", ["ribbon", "classic", "article"])
def test_the_sign_of_the_slant_follows_the_head_on_the_screen(qapp: QApplication, tmp_path: Path, style: str) -> None:
    stage = TongueStage(tmp_path, JigsawDesign(JigsawParameters(tongue_style=style)))
    stage.click(stage.tongue("C3-C4"))
    handles = stage.extension.tool.marks.handles
    foot, beside = handles[Handle.PLACE].pos(), handles[Handle.SLANT].pos()
    for percent in ("20", "-20"):
        stage.enter(stage.box("Slant"), percent)
        assert stage.box("Slant").value() == pytest.approx(float(percent))
        moved = handles[Handle.SLANT].pos() - beside
        ahead = handles[Handle.SIZE].pos() - foot
        if style != "article":
            assert (ahead.x() * moved.y() - ahead.y() * moved.x()) * float(percent) > 0
    tongues = stage.extension.sheets.tongues.elements
    row = tongues.row(stage.shapes.tiling.edge_indices["C3-C4"])
    assert row is not None and tongues.index(row, 5).data() == "-20.0"
    number = stage.design.tongue("C3-C4").slant
    stage.window.actions_["flip"].trigger()
    assert stage.design.tongue("C3-C4").slant == number
    assert stage.box("Slant").value() == pytest.approx(20.0)
    stage.close()


def test_entering_a_slant_leans_all_selected_tongues_the_same_way(stage: TongueStage) -> None:
    stage.click(stage.tongue("C3-C4"))
    for name in ("C4-C5", "D3-E3", "E3-E4"):
        stage.click(stage.tongue(name), Qt.KeyboardModifier.ShiftModifier)
    stage.enter(stage.box("Slant"), "15")
    assert stage.box("Slant").value() == pytest.approx(15.0)
    assert {abs(edit.slant or 0.0) for edit in stage.design.tongues} == {0.15}
    stage.document.history.undo()
    assert stage.design.tongues == ()


def canvas_key(stage: TongueStage, key: Qt.Key) -> None:
    """Press a key with Ctrl on the canvas, as a shortcut."""
    stage.window.activateWindow()
    stage.window.canvas.view.setFocus()
    QTest.keyClick(stage.window.canvas.view, key, Qt.KeyboardModifier.ControlModifier)
    stage.settle()


def test_the_shape_of_a_tongue_is_pasted_to_others_in_another_window(
    stage: TongueStage, qapp: QApplication, tmp_path: Path
) -> None:
    stage.click(stage.tongue("C3-C4"))
    for title, text in (("Size", "33"), ("Slant", "-12"), ("Head", "120"), ("Neck", "80")):
        stage.enter(stage.box(title), text)
    canvas_key(stage, Qt.Key.Key_C)
    actions = stage.window.actions_
    assert actions["paste_shape"].isEnabled() and not actions["paste"].isEnabled()
    other = TongueStage(tmp_path)
    other.click(other.tongue("D3-D4"))
    for name in ("D3-E3", "E3-E4"):
        other.click(other.tongue(name), Qt.KeyboardModifier.ShiftModifier)
    sides = [other.shapes.tongues[tongue, SIDE] for tongue in sorted(other.extension.selection.tongues)]
    canvas_key(other, Qt.Key.Key_V)
    assert other.document.history.undoText() == "Paste shape of 3 tongues"
    for title, value in (("Size", 33), ("Slant", -12), ("Head", 120), ("Neck", 80), ("Shoulder", 100)):
        assert other.box(title).value() == pytest.approx(value)
    assert sides == [other.shapes.tongues[tongue, SIDE] for tongue in sorted(other.extension.selection.tongues)]
    assert all(edit.side is None and edit.locked_seed is None and not edit.rolls for edit in other.design.tongues)
    other.document.history.undo()
    assert other.design.tongues == ()
    other.close()


def test_pasting_onto_straight_edges_and_onto_itself(stage: TongueStage) -> None:
    stage.click(stage.tongue("C3-C4"))
    canvas_key(stage, Qt.Key.Key_C)
    before = stage.bytes
    canvas_key(stage, Qt.Key.Key_V)
    assert (stage.bytes, stage.document.history.count()) == (before, 0)
    stage.click(stage.tongue("D3-D4"))
    stage.window.actions_["plain"].trigger()
    canvas_key(stage, Qt.Key.Key_C)
    assert stage.posted() == "A straight edge has no tongue to copy."
    canvas_key(stage, Qt.Key.Key_V)
    assert stage.design.tongue("D3-D4").plain is False and stage.design.tongue("D3-D4").size is not None


@pytest.mark.sampled(6)
@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'{"name": "A1-B1", "size": 9}', b'{"name": "A1-B1", "size": NaN}', b"\xff" * 5000]
)
def test_a_broken_clipboard_gives_one_sentence(stage: TongueStage, data: bytes) -> None:
    mime = QMimeData()
    mime.setData(FORMAT, data)
    QGuiApplication.clipboard().setMimeData(mime)
    before = stage.bytes
    stage.click(stage.tongue("C3-C4"))
    canvas_key(stage, Qt.Key.Key_V)
    assert stage.posted().startswith("The copied tongue shape cannot be read (")
    assert stage.posted().endswith("). Copy it again.")
    stage.key(Qt.Key.Key_Escape)
    canvas_key(stage, Qt.Key.Key_V)
    assert stage.posted() == "Select the tongues to paste the shape onto."
    assert stage.bytes == before


def test_other_texts_on_the_clipboard_are_still_copied_and_pasted(stage: TongueStage) -> None:
    QGuiApplication.clipboard().setText("some frogs")
    stage.click(stage.tongue("C3-C4"))
    assert not stage.window.actions_["paste_shape"].isEnabled()
    canvas_key(stage, Qt.Key.Key_V)
    assert stage.posted().startswith("There is no puzzle on the clipboard.")
    canvas_key(stage, Qt.Key.Key_C)
    box = stage.box("Size")
    box.setFocus()
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == box.text()
    box.selectAll()
    QTest.keyClicks(box, "31")
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(box, Qt.Key.Key_Escape)
    box.selectAll()
    QTest.keyClick(box, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert stage.design.tongue("C3-C4").size == pytest.approx(0.31)


def scaling(stage: TongueStage) -> QComboBox:
    inspector = stage.extension.inspector
    assert inspector is not None
    return next(box for box in inspector.findChildren(QComboBox) if box.accessibleName() == "Scale")


def test_several_tongues_are_scaled_each_from_its_own_size(stage: TongueStage) -> None:
    stage.click(stage.tongue("C3-C4"))
    assert not scaling(stage).isVisible()
    names = ("C3-C4", "C4-C5", "D3-E3", "E3-E4")
    for name in names[1:]:
        stage.click(stage.tongue(name), Qt.KeyboardModifier.ShiftModifier)
    assert scaling(stage).isVisible()
    tongues = [stage.shapes.tiling.edge_indices[name] for name in names]
    sizes = stage.shapes.tongues[tongues, SIZE]
    stage.enter(stage.box("Scale by"), "80")
    assert stage.shapes.tongues[tongues, SIZE] == pytest.approx(0.8 * sizes)
    assert stage.box("Scale by").value() == 100
    assert stage.document.history.undoText() == "Scale size of 4 tongues"
    stage.document.history.undo()
    assert stage.design.tongues == ()


def test_a_scale_that_is_held_is_seen_and_one_step(stage: TongueStage) -> None:
    stage.click(stage.tongue("C3-C4"))
    stage.click(stage.tongue("C4-C5"), Qt.KeyboardModifier.ShiftModifier)
    tongue = stage.shapes.tiling.edge_indices["C3-C4"]
    scaling(stage).setCurrentText("Head")
    box = stage.box("Scale by")
    box.setFocus()
    for times in range(1, 4):
        QTest.keyPress(box, Qt.Key.Key_Up)
        stage.settle()
        assert stage.shapes.tongues[tongue, HEAD] == pytest.approx(1 + 0.05 * times)
        assert stage.document.history.count() == 0
    QTest.keyRelease(box, Qt.Key.Key_Up)
    assert stage.design.tongue("C3-C4").head == pytest.approx(1.15)
    assert (stage.document.history.count(), box.value()) == (1, 100)


def test_scaling_stops_at_the_limits_and_says_for_how_many(stage: TongueStage) -> None:
    stage.click(stage.tongue("C3-C4"))
    stage.enter(stage.box("Head"), "140")
    stage.click(stage.tongue("C4-C5"), Qt.KeyboardModifier.ShiftModifier)
    stage.click(stage.tongue("D3-D4"), Qt.KeyboardModifier.ShiftModifier)
    stage.window.actions_["plain"].trigger()
    stage.window.actions_["plain"].trigger()
    scaling(stage).setCurrentText("Head")
    stage.enter(stage.box("Scale by"), "120 %")
    assert [stage.design.tongue(name).head for name in ("C3-C4", "C4-C5")] == pytest.approx([1.5, 1.2])
    assert stage.posted() == "1 of 3 tongues reached the limit of head."
    stage.enter(stage.box("Scale by"), "1")
    assert stage.posted() == "Scale by must be 10 to 400 %, not 1."


def test_only_parts_that_the_style_has_are_scaled(qapp: QApplication, tmp_path: Path) -> None:
    stage = TongueStage(tmp_path, JigsawDesign(JigsawParameters(tongue_style="classic")))
    stage.click(stage.tongue("C3-C4"))
    stage.click(stage.tongue("C4-C5"), Qt.KeyboardModifier.ShiftModifier)
    assert [scaling(stage).itemText(at) for at in range(scaling(stage).count())] == ["Size", "Neck"]
    stage.close()


def test_a_drag_paints_only_its_surroundings_where_problems_are_marked(qapp: QApplication, tmp_path: Path) -> None:
    parameters = JigsawParameters(tiling="voronoi", pieces=300, width=600.0, height=400.0, least_neck=3.2)
    stage = TongueStage(tmp_path, JigsawDesign(parameters))
    painted = Painted(stage.target)
    tiling = stage.shapes.tiling
    findings = stage.window.pipeline.findings
    assert findings is not None and len(findings) > 150, "enough for small marks"
    rim = next(int(corner) for corner in tiling.movable if tiling.tracks[corner] >= 0)
    middle = next(int(corner) for corner in tiling.movable if tiling.tracks[corner] == FREE)
    for corner in (rim, middle):
        begin = stage.at(*stage.shapes.corners[corner].tolist())
        stage.press(begin)
        stage.move(begin + QPoint(14, 14))
        assert not painted.is_stale, "the cuts are gone where they were"
        stage.move(begin + QPoint(5, 6))
        painted.largest()
        for step in range(12):
            stage.move(begin + QPoint(step % 5, step % 7))
        largest = painted.largest()
        assert 0.0 < largest < 0.1, "the surroundings of the corner, and marks that come and go there"
        stage.release(begin)
        stage.window.pipeline.finish()
        assert not painted.is_stale
    stage.close()


def test_marks_come_go_and_change_where_problems_do(stage: TongueStage) -> None:
    stage.click(stage.tongue("C3-C4"))
    stage.hover(QPoint(2, 2))
    plain = stage.window.canvas.view.grab().toImage()
    stage.enter(stage.box("Size"), "60")
    stage.window.pipeline.finish()
    stage.settle()
    found = stage.window.pipeline.findings
    assert found
    crossed = stage.window.canvas.view.grab().toImage()
    x, y = found[0].place
    assert crossed.pixel(stage.at(x, y)) != plain.pixel(stage.at(x, y))
    stage.document.history.undo()
    stage.window.pipeline.finish()
    stage.settle()
    assert stage.window.canvas.view.grab().toImage() == plain
