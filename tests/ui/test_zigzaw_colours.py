"""Faces selected and recoloured by mouse and keys, the palette, and a picture on the tops."""

import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest

from studio.base.progress import SILENT
from studio.puzzles.zigzaw.generate import generate
from studio.puzzles.zigzaw.geometry import ZigzawShapes
from studio.puzzles.zigzaw.model import ZigzawDesign, ZigzawParameters
from studio.puzzles.zigzaw.piece_forms import Cube
from studio.ui.session import session
from tests.ui.stage import NO_KEY, staged
from tests.ui.test_zigzaw_view import ZigzawStage


class ColourStage(ZigzawStage):
    """A window on a small zigzaw, and the hand that colours it."""

    @property
    def design(self) -> ZigzawDesign:
        design = self.window.document.design
        assert isinstance(design, ZigzawDesign)
        return design

    @property
    def shapes(self) -> ZigzawShapes:
        shapes = self.window.pipeline.shapes
        assert isinstance(shapes, ZigzawShapes)
        return shapes

    def place_of(self, cube: Cube, face: str) -> QPoint:
        middle = self.shapes.face_outline(cube, face).mean(axis=0)
        return self.window.canvas.view.mapFromScene(QPointF(*middle.tolist()))

    def click_face(self, cube: Cube, face: str, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        self.click(self.place_of(cube, face), keys)

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NO_KEY) -> None:
        QTest.keyClick(self.window.canvas.view, key, keys)


stage = staged(ColourStage)


def test_a_click_selects_the_face_under_it_and_shift_adds(stage: ColourStage) -> None:
    for cube in stage.design.triples:
        for face in "TLR":
            place = stage.shapes.face_outline(cube, face).mean(axis=0)
            assert stage.shapes.face_at(*place.tolist()) == (cube, face)
    stage.click_face(Cube(2, 3), "L")
    assert stage.extension.colouring.selection.faces == {(Cube(2, 3), "L")}
    assert stage.extension.status_text == "C2, left selected"
    stage.click_face(Cube(0, 1), "T", Qt.KeyboardModifier.ShiftModifier)
    assert stage.extension.status_text == "2 faces selected"


def test_a_double_click_gives_the_next_colour_and_undo_takes_it_back(stage: ColourStage) -> None:
    before = stage.design
    stage.double_click(stage.place_of(Cube(1, 1), "T"))
    cube = Cube(1, 1)
    assert stage.design.triples[cube] != before.triples[cube] and stage.design.own == ("A1",)
    assert {c for c in before.triples if before.triples[c] != stage.design.triples[c]} == {cube}
    stage.window.actions_["undo"].trigger()
    assert stage.design == before


def test_keys_alone_select_recolour_and_reset(stage: ColourStage) -> None:
    stage.click_face(Cube(2, 2), "T")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_Right):
        stage.key(key)
    assert stage.extension.colouring.selection.faces == {(Cube(3, 3), "T")}
    stage.key(Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    before = stage.design
    paint = (ord(before.triples[Cube(3, 3)][1]) - ord("A") + 1) % 6
    stage.key(Qt.Key(Qt.Key.Key_1 + paint), Qt.KeyboardModifier.AltModifier)
    assert stage.design.triples[Cube(3, 3)][1] == "ABCDEF"[paint]
    assert list(stage.design.own) == ["C3"]
    stage.window.actions_["reset_cubes"].trigger()
    assert stage.design.cubes == before.cubes and not stage.design.own


def test_the_keys_of_the_colours_work_on_the_board_alone(stage: ColourStage) -> None:
    before = stage.design
    stage.window.canvas.view.setFocus()
    stage.click_face(Cube(2, 2), "T")
    stage.key(Qt.Key.Key_N)
    assert stage.design.own == ("B2",) and stage.design.triples != before.triples
    stage.key(Qt.Key.Key_Backspace)
    assert stage.design.cubes == before.cubes and not stage.design.own
    stage.window.show_view("play")
    QTest.keyClick(stage.extension.play.view, Qt.Key.Key_N)
    assert stage.design.cubes == before.cubes


def test_arrows_lead_where_they_point_on_the_back_too(stage: ColourStage) -> None:
    p = replace(stage.design.parameters, side="back")
    stage.document.edit("Turn over", replace(stage.design, parameters=p))
    stage.window.pipeline.finish()
    stage.click_face(Cube(2, 2), "T")
    stage.key(Qt.Key.Key_Right)
    assert stage.extension.colouring.selection.faces == {(Cube(2, 1), "T")}
    assert stage.place_of(Cube(2, 1), "T").x() > stage.place_of(Cube(2, 2), "T").x()


def test_swatches_name_the_keys_that_there_are(stage: ColourStage) -> None:
    stage.document.edit("Twelve", generate(ZigzawParameters(columns=4, rows=4, scheme="any", colours=12), SILENT))
    stage.click_face(Cube(1, 2), "R")
    tips = [button.toolTip() for button in stage.extension.colouring.inspector.faces.buttons]
    assert tips[8] == "Set colour to turquoise (Alt+9)" and tips[9] == "Set colour to brown"
    assert stage.extension.colouring.inspector.palette_.buttons[0].toolTip() == "Change white"


def test_a_swatch_in_the_inspector_recolours_what_is_selected(stage: ColourStage) -> None:
    stage.click_face(Cube(1, 2), "R")
    inspector = stage.extension.colouring.inspector
    other = next(paint for paint in range(6) if "ABCDEF"[paint] != stage.design.triples[Cube(1, 2)][2])
    inspector.faces.buttons[other].click()
    assert stage.design.triples[Cube(1, 2)][2] == "ABCDEF"[other]
    assert not inspector.faces.buttons[6].isVisibleTo(inspector), "a real cube has six colours"


def test_another_colour_for_a_paint_makes_an_own_palette_and_keeps_the_cubes(stage: ColourStage) -> None:
    cubes = stage.design.cubes
    stage.answers.on_colour = QColor("#123456")
    stage.extension.colouring.inspector.palette_.buttons[2].click()
    assert stage.design.paints is not None and stage.design.palette[2].colour == "#123456"
    assert stage.design.cubes == cubes
    stage.window.actions_["built_in_palette"].trigger()
    assert stage.design.paints is None


def test_colours_that_look_alike_are_told_and_can_be_undone(stage: ColourStage) -> None:
    stage.answers.on_colour = QColor(stage.design.palette[3].colour)
    stage.extension.colouring.inspector.palette_.buttons[2].click()
    stage.window.pipeline.finish()
    assert stage.kinds_found() == {"colours"}
    stage.window.findings.repaired.emit(stage.window.findings.model.elements[0])
    stage.window.pipeline.finish()
    assert stage.design.paints is None and not stage.kinds_found()


def test_a_picture_goes_on_the_tops_and_what_is_no_picture_is_refused(stage: ColourStage, tmp_path: Path) -> None:
    left_white = np.zeros((40, 60, 3), np.uint8)
    left_white[:, :30] = 255
    left_white[:, 30:] = (196, 30, 58)
    file = io.BytesIO()
    Image.fromarray(left_white).save(file, "PNG")
    good, bad = tmp_path / "half.png", tmp_path / "bad.png"
    good.write_bytes(file.getvalue())
    bad.write_bytes(b"no picture")
    before = stage.design
    stage.extension.colouring.use_picture(bad)
    assert stage.design == before and stage.posted().endswith(".")
    form = stage.window.form
    assert not form.field("dither").isEnabled() and not form.field("colours").isEnabled()
    stage.extension.colouring.use_picture(good)
    assert form.field("dither").isEnabled()
    tops = [[stage.design.triples[Cube(row, column)][0] for column in range(1, 5)] for row in range(1, 5)]
    assert all(row[0] == "A" and row[3] == "C" for row in tops), "white and red are the letters A and C"
    stage.extension.colouring.remove_picture()
    assert stage.design.cubes == before.cubes


def test_a_value_that_takes_long_to_generate_is_shown_once_it_is_settled(
    stage: ColourStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, parameters = stage.design, replace(stage.design.parameters, seed=5)
    monkeypatch.setattr(session, "SOON", -1.0)
    stage.window.form.previewed.emit(parameters)
    assert stage.shapes.design == before
    stage.window.form.edited.emit("Seed 5", parameters, None)
    assert stage.wait_for(lambda: not stage.window.session.changing.is_under_way)
    assert stage.design.parameters == parameters and stage.design.cubes != before.cubes
    monkeypatch.undo()
    stage.window.form.previewed.emit(before.parameters)
    assert stage.shapes.design == before
