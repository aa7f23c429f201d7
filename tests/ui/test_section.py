"""A section plane: what is cut away is gone from pictures and picking; what is left is solid, for both renderers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.geometry.solids.projections import Camera
from studio.geometry.solids.slab import slab
from studio.geometry.solids.solid import body as manifold
from studio.ui.solid.page import cells
from studio.ui.solid.renderer import Quality, Renderer, numbers_in
from studio.ui.solid.scene import Placed, Scene, SceneBody, Section
from studio.ui.solid.view import SolidView
from tests.ui.test_cube_view import CubeStage

SIZE, PIXELS = QSize(400, 300), (400.0, 300.0)
WHITE = QColor("#FFFFFF")


def tube(shift: float) -> SceneBody:
    """A square tube that lies along y: 40 wide, 30 long, 40 high, its walls 5 thick."""
    ring = shapely.difference(shapely.box(0, 0, 40, 40), shapely.box(5, 5, 35, 35))
    flat = slab(ring, 0.0, 30.0, 0.0)
    turned = flat.moved(np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]]), np.array([shift, 30.0, 0.0]))
    boxes = cells(flat, 8)[:, :, [0, 2, 1]].copy()
    boxes[:, :, 1] = 30.0 - boxes[:, ::-1, 1]
    return SceneBody("tube", "", QColor("#D55E00"), turned, boxes + np.array([shift, 0.0, 0.0]), np.zeros(3))


def scene(section: Section | None) -> Scene:
    placed = (Placed(0, tube(0.0), np.zeros(3)), Placed(1, tube(50.0), np.array([0.0, 0.0, 10.0])))
    return Scene(placed, WHITE, QColor("#0000FF"), section=section)


def number_at(renderer: Renderer, what: Scene, camera: Camera, place: tuple[float, float, float]) -> int:
    """What is seen where a place is, 0 for nothing."""
    found = numbers_in(renderer.render(what, camera, SIZE, 1.0, Quality.NUMBERS))
    x, y = camera.project(np.array([place]), PIXELS)[0, :2].round().astype(int).tolist()
    return int(found[y, x])


def test_what_is_left_of_boxes_is_what_lies_on_one_side() -> None:
    boxes = np.array([[[0.0, 0, 0], [10, 10, 10]], [[20.0, 0, 0], [30, 10, 10]], [[12.0, 0, 0], [14, 10, 10]]])
    low, high = Section(0, 13.0), Section(0, 13.0, keeps_low=False)
    assert low.left_of(boxes)[:, :, 0].tolist() == [[0, 10], [12, 13]]
    assert high.left_of(boxes)[:, :, 0].tolist() == [[20, 30], [13, 14]]
    whole = (boxes[:, 1] - boxes[:, 0]).prod(axis=1).sum()
    parts = sum(
        float((each[:, 1] - each[:, 0]).prod(axis=1).sum()) for each in map(Section.left_of, (low, high), [boxes] * 2)
    )
    assert parts == pytest.approx(whole)
    assert low.keeps(np.array([13.0, 5, 5])) and not high.keeps(np.array([12.9, 5, 5]))


def test_only_what_is_left_is_seen_and_the_cut_is_closed(renderer: Renderer) -> None:
    """From the side a wall is cut through its thickness: one looks onto the cut, and through the tube's own hole."""
    camera = Camera().looking(0.0, 0.0).fitted(scene(None).corners, PIXELS, 20)
    section = Section(0, 2.5)
    assert number_at(renderer, scene(None), camera, (90.0, 15.0, 30.0)) == 2
    for z in (2.0, 20.0, 38.0):
        assert number_at(renderer, scene(section), camera, (2.5, 15.0, z)) == 1
    assert number_at(renderer, scene(section), camera, (2.5, 15.0, 45.0)) == 0, "the second tube is gone"
    front = Camera().looking(-90.0, 0.0).fitted(scene(None).corners, PIXELS, 20)
    across = scene(Section(1, 10.0, keeps_low=False))
    for x, seen in ((2.0, 1), (38.0, 1), (52.0, 2), (20.0, 0), (45.0, 0)):
        assert number_at(renderer, across, front, (x, 10.0, 20.0)) == seen
    away = scene(Section(0, -1.0))
    assert not numbers_in(renderer.render(away, camera, SIZE, 1.0, Quality.NUMBERS)).any()


def test_a_cut_has_the_colour_of_its_body(renderer: Renderer) -> None:
    slanted = Camera(yaw=-70.0, pitch=20.0).fitted(scene(None).corners, PIXELS, 20)
    for quality in (Quality.DRAFT, Quality.FINAL):
        image = renderer.render(scene(Section(1, 10.0, keeps_low=False)), slanted, SIZE, 1.0, quality)
        spot = slanted.project(np.array([[2.5, 10.0, 20.0]]), PIXELS)[0, :2].round().astype(int).tolist()
        colour = image.pixelColor(*spot)
        assert colour.red() > 1.3 * colour.blue() and abs(colour.hslHue() - 26) < 20


def test_a_click_on_a_cut_meets_the_plane_and_one_behind_it_the_body() -> None:
    section = Section(1, 10.0, keeps_low=False)
    placed = Placed(0, tube(0.0), np.array([0.0, 0.0, 5.0]))
    towards = np.array([0.0, 1.0, 0.0])
    assert placed.struck(np.array([2.0, -50.0, 20.0]), towards, section) == pytest.approx([2.0, 10.0, 15.0])
    slanted = np.array([0.0, 1.0, 0.5])
    hit = placed.struck(np.array([20.0, -20.0, 20.0]), slanted, section)
    assert hit == pytest.approx([20.0, 20.0, 35.0]), "through the hole onto the ceiling"
    assert placed.struck(np.array([20.0, -50.0, 20.0]), towards, section) is None
    whole = placed.struck(np.array([2.0, -50.0, 20.0]), towards)
    assert whole == pytest.approx([2.0, 0.0, 15.0])


def test_pictures_count_as_many_pixels_as_the_solids_themselves(renderer: Renderer) -> None:
    """Seen square on, the cut of a tube is as large as its cross-section."""
    front = Camera().looking(-90.0, 0.0).fitted(scene(None).corners, PIXELS, 20)
    across = scene(Section(1, 15.0, keeps_low=False))
    found = numbers_in(renderer.render(across, front, SIZE, 1.0, Quality.NUMBERS))
    mm = front.span / SIZE.height()
    area = float(manifold(tube(0.0).mesh).split_by_plane((0.0, 1.0, 0.0), 15.0)[0].volume()) / 15.0
    assert area == pytest.approx(700.0)
    for number in (1, 2):
        assert (found == number).sum() * mm**2 == pytest.approx(area, rel=0.04)


def where(view: SolidView) -> list[object]:
    """Axis and place of the section of what is seen, and whether the low side is left; nothing for none."""
    section = view.scene.section
    return [] if section is None else [section.axis, section.place, section.keeps_low]


def test_the_strip_moves_the_plane_and_the_key_shows_the_pieces_whole_again(qapp: QApplication, tmp_path: Path) -> None:
    stage = CubeStage(tmp_path)
    try:
        panel, view = stage.extension.panel, stage.view
        assert not panel.section.isVisible() and view.scene.section is None
        stage.key(Qt.Key.Key_1)
        stage.key(Qt.Key.Key_X)
        assert panel.section.isVisible() and panel.cut.isChecked()
        assert where(view) == [1, pytest.approx(20.0), False]
        assert panel.section.value.text() == "19.9 mm"
        assert view.at(QPointF(stage.at(20, 0, 20)))[0] == 3, "the back is seen from inside"
        panel.section.slider.setValue(250)
        assert where(view) == [1, pytest.approx(10.05), False]
        QTest.mouseClick(panel.section.flip, Qt.MouseButton.LeftButton)
        assert view.scene.section is not None and view.scene.section.keeps_low
        QTest.mouseClick(panel.section.axes.button(2), Qt.MouseButton.LeftButton)
        assert view.scene.section is not None and view.scene.section.axis == 2
        assert stage.document.history.count() == 0 and not stage.document.is_modified
        stage.window.show_view("plate")
        assert view.scene.section is not None and view.scene.section.place == pytest.approx(4.9)
        stage.window.show_view("model")
        stage.key(Qt.Key.Key_X)
        assert not panel.section.isVisible() and view.scene.section is None
    finally:
        stage.close()
