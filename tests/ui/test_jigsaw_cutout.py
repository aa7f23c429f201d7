"""A figure from the picture, by the mouse: clicked, boxed, corrected by strokes and handles, made, and left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QStyleOptionGraphicsItem

from docs.cutouts import HEIGHT, WIDTH, photograph
from studio.geometry.art.artwork import JPEG
from studio.geometry.curves.offsetting import region
from studio.puzzles.jigsaw.figures.placing import enclosed
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.picture.board_picture import BoardPicture
from studio.ui.kinds.jigsaw.cutout import CutoutItem, _handles
from studio.ui.widgets.theme import Theme, apply, contrast, dark_theme, light_theme
from tests.ui.stage import NO_KEY, Stage

SHIFT, RIGHT = Qt.KeyboardModifier.ShiftModifier, Qt.MouseButton.RightButton
BOARD = (300, 200)


class CutoutStage(Stage):
    """A window on a jigsaw of 300 × 200 mm with a dog on sand, whose mouse marks the picture."""

    def __init__(self, folder: Path) -> None:
        parameters = JigsawParameters(width=BOARD[0], height=BOARD[1], columns=9, rows=6)
        super().__init__(folder, JigsawDesign(parameters, picture=BoardPicture(photograph("dog").data, JPEG)))
        self.begin()

    def begin(self) -> None:
        self.window.actions_["cut_out"].trigger()
        self.wait()

    def wait(self) -> None:
        """Wait for the outline."""
        assert self.wait_for(lambda: not self.cutting_out.answer.is_busy)
        self.settle()

    @property
    def cutting_out(self):  # type: ignore[no-untyped-def]
        return self.extension.cutting_out

    @property
    def area(self) -> shapely.Polygon:
        """What is outlined, in mm."""
        ring = self.cutting_out.ring
        assert ring is not None
        return region((ring,), 0.01)

    def stroke(self, *places: tuple[float, float], keys: Qt.KeyboardModifier = NO_KEY,
               button: Qt.MouseButton = Qt.MouseButton.LeftButton) -> None:  # fmt: skip
        """Draw through places in mm, and wait for the outline."""
        spots = [self.at(*place) for place in places]
        self.press(spots[0], keys, button)
        for spot in spots[1:]:
            self.move(spot, keys, button)
        self.release(spots[-1], keys, button)
        self.wait()

    def press_key(self, key: Qt.Key) -> None:
        self.key(key)
        self.wait()


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[CutoutStage]:
    stage = CutoutStage(tmp_path)
    yield stage
    stage.close()


def likeness(area: shapely.Geometry) -> float:
    """Intersection over union of an area in mm with the dog of the photograph."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    covered = shapely.contains_xy(area, (x + 0.5) * BOARD[0] / WIDTH, (y + 0.5) * BOARD[1] / HEIGHT)
    mask = photograph("dog").mask
    return float((covered & mask).sum() / (covered | mask).sum())


def test_a_click_outlines_the_dog_and_enter_makes_it_a_figure_there_in_one_step(stage: CutoutStage) -> None:
    before = stage.design
    stage.stroke((150, 95))
    area = stage.area
    assert likeness(area) > 0.93 and stage.design == before
    stage.press_key(Qt.Key.Key_Return)
    assert stage.wait_for(lambda: bool(stage.design.whimsies)) and not stage.cutting_out.is_active
    (made,) = stage.design.whimsies
    assert (made.name, made.tongues) == ("cutout1", 4) and stage.extension.selection.figures == (made,)
    assert shapely.hausdorff_distance(enclosed(made), area) < 0.05
    assert sum(one.startswith("cutout1.") for one in stage.shapes.tiling.tongue_indices) == 4
    assert stage.window.document.history.undoText() == "Figure from picture"
    stage.window.document.history.undo()
    assert stage.design == before


def test_strokes_include_and_exclude_and_backspace_takes_them_back(stage: CutoutStage) -> None:
    stage.stroke((150, 95))
    whole = stage.area
    stage.stroke((75, 95), (120, 95), keys=SHIFT)
    assert shapely.area(stage.area) < shapely.area(whole) and not shapely.contains_xy(stage.area, 100, 95)
    stage.press_key(Qt.Key.Key_Backspace)
    assert stage.area.equals(whole)
    stage.stroke((126.6, 126), (126.6, 152), button=RIGHT)
    assert shapely.contains_xy(whole, 150, 95) and likeness(stage.area) > likeness(whole)
    for _ in range(5):
        stage.press_key(Qt.Key.Key_Backspace)
    assert stage.cutting_out.ring is None and stage.cutting_out.is_active
    stage.press_key(Qt.Key.Key_Return)
    assert not stage.design.whimsies


def test_a_box_outlines_what_is_in_it(stage: CutoutStage) -> None:
    stage.stroke((48, 27), (150, 100), (249, 165))
    assert likeness(stage.area) > 0.93


def handles(stage: CutoutStage) -> list[tuple[float, float]]:
    """Places of the handles in sight, in mm."""
    ring = stage.cutting_out.ring
    return [(x, y) for x, y in ring[_handles(ring, 1 / stage.window.canvas.view.zoom)].tolist()]


def test_a_handle_moves_the_outline_and_the_figure_has_its_new_form(stage: CutoutStage) -> None:
    stage.stroke((150, 95))
    ring = stage.area
    back = [place for place in handles(stage) if 150 < place[0] < 190 and place[1] < 90]
    top = back[len(back) // 2]
    stage.stroke(top, (top[0], top[1] - 6), (top[0], top[1] - 8))
    assert shapely.contains_xy(stage.area, top[0], top[1] - 4) and not shapely.contains_xy(ring, top[0], top[1] - 4)
    stage.press_key(Qt.Key.Key_Return)
    assert stage.wait_for(lambda: bool(stage.design.whimsies))
    assert shapely.contains_xy(enclosed(stage.design.whimsies[0]), top[0], top[1] - 4)


def test_inner_lines_are_offered_and_a_click_or_the_box_makes_them_details(stage: CutoutStage) -> None:
    cutting = stage.cutting_out
    stage.stroke((150, 95))
    offered = [line for line, _ in cutting.lines]
    assert 3 <= len(offered) <= 12 and not any(is_cut for _, is_cut in cutting.lines)
    middle = offered[0][len(offered[0]) // 6 * 3].tolist()
    stage.stroke((middle[0], middle[1]))
    assert [is_cut for _, is_cut in cutting.lines] == [True] + [False] * (len(offered) - 1)
    assert cutting.panel.about.text().endswith(f", 1 of {len(offered)} inner lines")
    box = cutting.panel.form.field("lines")
    assert box.checkState() == Qt.CheckState.PartiallyChecked
    tongues = cutting.panel.form.field("tongues")
    tongues.stepBy(-1)
    assert [is_cut for _, is_cut in cutting.lines].count(True) == 1 and cutting.panel.form.parameters().tongues == 3
    stage.stroke((middle[0], middle[1]))
    stage.press_key(Qt.Key.Key_Backspace)
    assert cutting.lines[0][1] and len(cutting.steps[-1].strokes) == 1
    stage.stroke((77, 95), (77, 97), button=RIGHT)
    assert [middle for line, is_cut in cutting.lines if is_cut and np.hypot(*(line - middle).T).min() < 2]
    cutting.panel.form.field("lines").click()
    assert all(is_cut for _, is_cut in cutting.lines)
    stage.stroke((middle[0], middle[1]))
    wanted = len(cutting.lines) - 1
    assert [is_cut for _, is_cut in cutting.lines].count(True) == wanted
    stage.press_key(Qt.Key.Key_Return)
    assert stage.wait_for(lambda: bool(stage.design.whimsies))
    assert len(stage.design.whimsies[0].lines) == len(stage.shapes.tiling.details) == wanted


def test_inner_lines_keep_away_from_a_moved_outline(stage: CutoutStage) -> None:
    cutting = stage.cutting_out
    stage.stroke((150, 95))
    cutting.panel.form.field("lines").click()
    back = min(handles(stage), key=lambda place: abs(place[0] - 110) + abs(place[1] - 36))
    stage.stroke(back, (back[0] - 6, back[1] + 10), (back[0] - 12, back[1] + 20))
    assert cutting.steps[-1].ring is not None and cutting.lines
    inside = stage.area.buffer(-2)
    assert all(inside.contains(shapely.LineString(line[::3])) for line, _ in cutting.lines)


def test_escape_gives_up_a_stroke_then_leaves_and_the_tool_needs_a_picture(stage: CutoutStage) -> None:
    before = stage.design
    stage.stroke((150, 95))
    stage.press(stage.at(60, 60))
    stage.move(stage.at(90, 60))
    stage.key(Qt.Key.Key_Escape)
    stage.release(stage.at(90, 60))
    assert stage.cutting_out.is_active and len(stage.cutting_out.steps) == 2
    stage.key(Qt.Key.Key_Escape)
    assert not stage.cutting_out.is_active and stage.design == before
    stage.begin()
    stage.window.actions_["remove_picture"].trigger()
    stage.settle()
    assert not stage.cutting_out.is_active and not stage.window.actions_["cut_out"].isEnabled()


def test_a_click_or_a_box_beside_the_board_is_ignored(stage: CutoutStage) -> None:
    for keys in (NO_KEY, SHIFT):
        stage.stroke((-40, 95), keys=keys)
        stage.stroke((150, 240), (320, 260), keys=keys)
    assert len(stage.cutting_out.steps) == 1 and stage.cutting_out.tool.item._strokes == []
    stage.stroke((-5, -5), (150, 100), (305, 205))
    assert len(stage.cutting_out.steps) == 2, "a box around the whole board"


def test_the_keys_of_the_tool_act_in_its_page_too(stage: CutoutStage) -> None:
    cutting = stage.cutting_out
    stage.stroke((150, 95))
    stage.stroke((75, 95), (120, 95), keys=SHIFT)
    lines = cutting.panel.form.field("lines")
    lines.setFocus()
    lines.click()
    QTest.keyClick(lines, Qt.Key.Key_Backspace)
    stage.wait()
    assert len(cutting.steps) == 2 and lines.isChecked() and all(is_cut for _, is_cut in cutting.lines)
    offered = len(cutting.lines)
    QTest.keyClick(lines, Qt.Key.Key_Return)
    assert stage.wait_for(lambda: bool(stage.design.whimsies)) and not cutting.is_active
    assert len(stage.design.whimsies[0].lines) == offered >= 3
    for part, key in ((lines, Qt.Key.Key_Escape), (cutting.panel.buttons[2], Qt.Key.Key_Return)):
        stage.begin()
        stage.stroke((150, 95))
        part.setFocus()
        QTest.keyClick(part, key)
        assert not cutting.is_active and len(stage.design.whimsies) == 1


def test_enter_during_the_outlining_adds_the_figure_once_it_is_outlined(stage: CutoutStage) -> None:
    cutting = stage.cutting_out
    stage.click(stage.at(150, 95))
    assert cutting.answer.is_under_way
    stage.key(Qt.Key.Key_Return)
    assert cutting.panel.about.text() == "Outlining… The figure is added when that is done."
    cutting.tool.marked.emit([(100.0, 95.0)], True)
    assert cutting.panel.about.text() == "Outlining…", "another stroke: not that outline any more"
    stage.wait()
    assert not stage.design.whimsies and cutting.is_active
    stage.stroke((75, 95), (120, 95), keys=SHIFT)
    stage.key(Qt.Key.Key_Backspace)
    stage.click(stage.at(160, 95))
    assert cutting.answer.is_under_way
    stage.key(Qt.Key.Key_Return)
    assert stage.wait_for(lambda: bool(stage.design.whimsies)) and not cutting.is_active


@pytest.mark.parametrize("theme", [light_theme(), dark_theme()], ids=["light", "dark"])
def test_inner_lines_stand_out_from_every_picture_and_those_to_be_cut_more(qapp: QApplication, theme: Theme) -> None:
    item, line = CutoutItem(), np.array([[5.0, 20.0], [25.0, 20.0], [45.0, 20.0], [65.0, 20.0]])
    apply(qapp, theme)
    try:
        for grey in range(0, 256, 15):
            ground, covered = QColor(grey, grey, grey), list[float]()
            for is_cut in (False, True):
                image = QImage(70, 40, QImage.Format.Format_RGB32)
                image.fill(ground)
                item.show_lines([(line, is_cut)])
                painter = QPainter(image)
                item.paint(painter, QStyleOptionGraphicsItem())
                painter.end()
                shown = [[contrast(image.pixelColor(x, y), ground) for y in range(40)] for x in range(8, 62)]
                along = np.max(shown, axis=1)
                if not is_cut:
                    along = along.reshape(-1, 9).max(axis=1)  # a dash and a gap
                assert along.min() >= 3.0, f"{is_cut} on {grey}"
                covered.append(float(np.mean(np.array(shown) > 1.2)))
            assert covered[1] > 1.3 * covered[0]
    finally:
        apply(qapp, light_theme())


def test_what_cannot_be_outlined_is_said(stage: CutoutStage) -> None:
    picture = BoardPicture(photograph("dog").data, JPEG, scale=0.5)
    stage.document.edit("Smaller", replace(stage.design, picture=picture))
    stage.wait()
    stage.stroke((20, 20))
    panel = stage.cutting_out.panel
    assert panel is not None and not panel.buttons[1].isEnabled()
    assert panel.about.text() == "No stroke inside is on the picture."


def test_strokes_without_end_are_refused_and_long_ones_are_thinned(stage: CutoutStage) -> None:
    mark = stage.cutting_out.tool.marked.emit
    mark([(150.0, 95.0 + 0.0001 * at) for at in range(9000)], True)
    (stroke,) = stage.cutting_out.steps[-1].strokes
    assert len(stroke.path) == 2
    mark([(100.0 + at % 2, 20.0 + at / 100) for at in range(9000)], False)
    assert stage.posted() == "Use at most 60 strokes with 5,000 places in all."
    stage.wait()
    assert len(stage.cutting_out.steps) == 2 and likeness(stage.area) > 0.93
