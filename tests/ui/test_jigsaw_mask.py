"""The protected area in the window: painted, erased, loaded, cleared, shown, and what is in it warned of and fixed."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import shapely
from PIL import Image, ImageDraw
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from studio.geometry.art.artwork import PNG
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.puzzles.jigsaw.picture.masks import area_on_board
from studio.puzzles.jigsaw.tongues.tongues import FOLLOWING, PLAIN
from tests.puzzles.jigsaw.test_found_faces import LARGE, SMALL, packed, with_faces
from tests.ui.stage import NO_BUTTON, NO_KEY, Stage

SHIFT = Qt.KeyboardModifier.ShiftModifier


class MaskStage(Stage):
    """A window on a jigsaw of 300 × 150 mm, in which the mouse paints."""

    def do(self, name: str) -> None:
        self.window.actions_[name].trigger()
        self.settle()

    @property
    def area(self) -> shapely.Geometry:
        return area_on_board(self.design.mask, self.design.picture, self.design.size)

    @property
    def is_painting(self) -> bool:
        return bool(self.extension.masking.is_painting)

    def stroke(self, *places: tuple[float, float], keys: Qt.KeyboardModifier = NO_KEY) -> None:
        """Paint along some places in mm."""
        spots = [self.at(*place) for place in places]
        self.press(spots[0], keys)
        for spot in spots[1:]:
            self.move(spot, keys)
        self.release(spots[-1], keys)

    def turn_wheel(self, place: QPoint, notches: int, keys: Qt.KeyboardModifier) -> None:
        event = QWheelEvent(
            QPointF(place), QPointF(self.target.mapToGlobal(place)), QPoint(), QPoint(0, 120 * notches), NO_BUTTON,
            keys, Qt.ScrollPhase.NoScrollPhase, False,
        )  # fmt: skip
        QApplication.sendEvent(self.target, event)
        self.settle()

    def pressed(self, words: str) -> None:
        panel = self.extension.masking.panel
        assert panel is not None
        next(button for button in panel.buttons if button.text() == words).click()
        self.settle()


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[MaskStage]:
    stage = MaskStage(tmp_path)
    stage.do("protect")
    yield stage
    stage.close()


def test_a_stroke_of_the_brush_is_one_step_that_can_be_undone(stage: MaskStage) -> None:
    size = stage.extension.masking.tool.brush.size
    stage.stroke((60, 70), (80, 70), (120, 70))
    expected = size * 60 + shapely.area(shapely.Point(0, 0).buffer(size / 2))
    assert abs(shapely.area(stage.area) - expected) < 0.03 * expected
    assert stage.window.document.history.undoText() == "Paint protected area"
    stage.stroke((200, 70))
    assert len(shapely.get_parts(stage.area)) == 2
    stage.stroke((90, 60), (90, 80), keys=SHIFT)
    assert len(shapely.get_parts(stage.area)) == 3
    assert stage.window.document.history.undoText() == "Erase protected area"
    for parts in (2, 1):
        stage.window.document.history.undo()
        stage.settle()
        assert len(shapely.get_parts(stage.area)) == parts
    stage.window.document.history.undo()
    assert stage.design == JigsawDesign()


def test_the_brush_grows_with_the_wheel_and_by_numbers_and_the_wheel_alone_zooms(stage: MaskStage) -> None:
    tool, panel = stage.extension.masking.tool, stage.extension.masking.panel
    before, zoom = tool.brush.size, stage.window.canvas.view.zoom
    stage.turn_wheel(stage.at(100, 70), 3, SHIFT)
    assert tool.brush.size == round(round(before * 1.15**3, 1), 1) and stage.window.canvas.view.zoom == zoom
    assert panel is not None and panel.form.parameters() == tool.brush
    stage.turn_wheel(stage.at(100, 70), -60, SHIFT)
    assert tool.brush.size == 1.0
    stage.turn_wheel(stage.at(100, 70), 1, NO_KEY)
    assert stage.window.canvas.view.zoom > zoom and tool.brush.size == 1.0


def test_a_cancelled_stroke_leaves_nothing_and_escape_goes_back_to_the_cuts(stage: MaskStage) -> None:
    stage.press(stage.at(60, 70))
    stage.move(stage.at(90, 70))
    stage.key(Qt.Key.Key_Escape)
    stage.release(stage.at(90, 70))
    assert stage.design == JigsawDesign() and stage.is_painting
    stage.key(Qt.Key.Key_Escape)
    assert not stage.is_painting
    stage.do("protect")
    assert stage.is_painting
    stage.do("protect")
    assert not stage.is_painting and stage.window.canvas.view.tool is stage.extension.tool


def test_what_is_in_the_area_is_warned_of_after_the_stroke_and_fixed(stage: MaskStage) -> None:
    stage.stroke((90, 70), (110, 80))
    assert stage.wait_for(lambda: "protected-tongue" in stage.kinds_found())
    stage.do("fix_all")
    assert stage.wait_for(lambda: stage.extension.repairing.proposal is not None)
    (apply,) = (one for one in stage.window.findChildren(QPushButton) if one.text() == "Apply" and one.isVisible())
    QTest.mouseClick(apply, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: not {"protected-tongue", "protected-corner"} & stage.kinds_found())
    assert shapely.area(stage.area) > 0


def test_an_area_is_loaded_and_cleared_and_what_is_none_is_refused(stage: MaskStage, tmp_path: Path) -> None:
    image = Image.new("RGB", (300, 150), "white")
    ImageDraw.Draw(image).rectangle((60, 50, 119, 99), fill="black")
    image.save(tmp_path / "mask.png")
    stage.answers.open = tmp_path / "mask.png"
    stage.pressed("Load…")
    assert stage.wait_for(lambda: stage.design.mask is not None)
    assert shapely.hausdorff_distance(stage.area, shapely.box(60, 50, 120, 100)) < 1
    stage.pressed("Clear")
    assert stage.design.mask is None
    (tmp_path / "mask.png").write_bytes(b"no picture")
    stage.pressed("Load…")
    assert stage.wait_for(lambda: "Cannot use mask.png" in stage.posted())


def test_the_area_is_shown_goes_with_the_picture_and_only_one_tool_has_the_mouse(stage: MaskStage) -> None:
    file = io.BytesIO()
    Image.new("RGB", (40, 20), "orange").save(file, "PNG")
    stage.document.edit("Add", stage.design.with_picture(BoardPicture(file.getvalue(), PNG)))
    stage.stroke((60, 70), (120, 70))
    item = stage.extension.masking._area
    assert item.isVisible() and abs(item.path.boundingRect().center().x() - 90) < 0.1
    stage.do("adjust_picture")
    assert not stage.is_painting and stage.extension.picturing.is_adjusting and item.isVisible()
    stage.drag(stage.at(150, 75), stage.at(180, 75))
    assert abs(item.path.boundingRect().center().x() - 120) < 1
    stage.do("protect")
    assert stage.is_painting and not stage.extension.picturing.is_adjusting
    stage.key(Qt.Key.Key_Return)
    stage.window.canvas.show_draft(False)
    assert not item.isVisible()
    stage.window.canvas.show_draft(True)
    assert item.isVisible()


def paint_with(stage: MaskStage, **values: Any) -> None:
    panel = stage.extension.masking.panel
    assert panel is not None
    brush = replace(stage.extension.masking.tool.brush, **values)
    panel.form.set_parameters(brush)
    panel.form.edited.emit("Brush", brush, None)
    stage.settle()


def test_the_brush_paints_areas_without_cuts_and_lines_that_cuts_follow(stage: MaskStage) -> None:
    panel = stage.extension.masking.panel
    assert panel is not None and panel.title.text() == "Protected area"
    paint_with(stage, paints="uncut", size=10.0)
    assert panel.title.text() == "Don't cut here" and panel.about.text() == "Nothing is kept whole yet."
    stage.stroke((70, 72), (80, 72))
    assert stage.design.mask is None and stage.design.uncut is not None
    assert stage.window.document.history.undoText() == "Paint uncut area"
    cuts = stage.shapes.drawing.strokes.flattened(0.02)
    eye = area_on_board(stage.design.uncut, None, stage.design.size)
    assert not any(shapely.LineString(cuts[at]).intersects(eye) for at in range(len(cuts)))
    paint_with(stage, paints="lines", strength=0.9)
    assert panel.about.text() == "Cuts follow no line yet." and not panel.buttons[1].isEnabled()
    stage.stroke((150, 70), (200, 80), (260, 78))
    (line,) = stage.design.lines
    assert line.strength == 0.9 and panel.about.text() == "1 line"
    assert stage.window.document.history.undoText() == "Follow line"
    assert (stage.shapes.tongues[:, PLAIN] == FOLLOWING).sum() >= 3
    stage.stroke((200, 60), (200, 100), keys=SHIFT)
    assert not stage.design.lines and stage.window.document.history.undoText() == "Remove lines"
    stage.window.document.history.undo()
    stage.settle()
    assert stage.design.lines == (line,)
    stage.pressed("Clear")
    assert not stage.design.lines and stage.design.uncut is not None
    assert stage.window.document.history.undoText() == "Clear lines"


def test_one_click_keeps_the_faces_of_the_picture_whole_and_says_how_many(stage: MaskStage) -> None:
    stage.do("protect")
    assert not stage.window.actions_["find_faces"].isEnabled()
    stage.window.document.edit("Add picture", stage.design.with_picture(packed(with_faces(LARGE, SMALL))))
    stage.settle()
    before = stage.design
    stage.do("find_faces")
    assert stage.wait_for(lambda: stage.design.uncut is not None)
    assert len(shapely.get_parts(area_on_board(stage.design.uncut, stage.design.picture, stage.design.size))) == 6
    assert "Found 2 faces. Cuts keep out of eyes and mouths where pieces can make room." in stage.posted()
    assert stage.window.document.history.undoText() == "Find faces"
    stage.window.document.history.undo()
    stage.settle()
    assert stage.design == before
    stage.window.document.edit("Replace picture", stage.design.with_picture(packed(with_faces())))
    stage.settle()
    stage.do("find_faces")
    assert stage.wait_for(lambda: "No faces found" in stage.posted())
    assert stage.design.uncut is None and stage.window.document.history.undoText() == "Replace picture"
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None
    notice.action.do()
    stage.settle()
    assert stage.is_painting and stage.extension.masking.tool.brush.paints == "uncut"
    assert stage.extension.masking.panel is not None
    assert stage.extension.masking.panel.form.parameters().paints == "uncut"
