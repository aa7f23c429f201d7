"""Printed jigsaws in space: made when they are first looked at, off the GUI thread, and in step with the design."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
import shapely
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.base.progress import Progress
from studio.geometry.solids.projections import Camera
from studio.geometry.solids.slab import slab
from studio.geometry.solids.solid import body
from studio.puzzles.jigsaw.model.design import ASSEMBLED, JigsawDesign
from studio.puzzles.jigsaw.model.geometry import shape
from studio.puzzles.jigsaw.model.printed_solids import bodies as bodies_of
from studio.ui.abilities.printable import PrintedExtension, SpacePage
from studio.ui.solid.page import CANCELLED, SolidsPage, cells
from studio.ui.solid.renderer import PainterRenderer, Quality, number_colour, numbers_in
from studio.ui.solid.scene import Placed, Scene, SceneBody
from tests.classic import classic
from tests.ui.stage import Stage, staged

EXPLODED = 0.36

SMALL = classic(columns=4, rows=3, width=100, height=75)
stage = staged(lambda folder: Stage(folder, JigsawDesign(SMALL)))


def space(stage: Stage) -> SpacePage:
    (printed,) = (each for each in stage.window.added if isinstance(each, PrintedExtension))
    return printed.space


def page(stage: Stage) -> SolidsPage:
    """The page in sight, its pieces there."""
    stage.window.show_view("space")
    found = space(stage).page
    assert found is not None and stage.wait_for(lambda: found.bodies.answer is not None)
    return found


def shown(found: SolidsPage) -> dict[str, Placed]:
    return {placed.body.name: placed for placed in found.panel.view.scene.placed}


def test_nothing_is_made_before_it_is_looked_at(stage: Stage) -> None:
    assert space(stage).page is None and not stage.window.session.jobs.is_busy("bodies in space")
    found = page(stage)
    assert found.message == "" and {*shown(found)} == {*stage.shapes.drawing.pieces.names}
    assert "studio.ui.solid.page" in sys.modules


def test_pieces_are_in_their_places_and_the_slider_spreads_them_apart(stage: Stage) -> None:
    found = page(stage)
    bodies = {name: placed.body for name, placed in shown(found).items()}
    boxes = np.array([one.mesh.bounds for one in bodies.values()])
    assert np.ptp(boxes[:, :, 0]) == pytest.approx(99.8, abs=0.01) and np.ptp(boxes[:, :, 1]) == pytest.approx(
        74.8, abs=0.01
    )
    solid = {name: body(one.mesh) for name, one in bodies.items()}
    assert solid["A1"].min_gap(solid["B1"], 5.0) == pytest.approx(0.2, abs=0.01)
    together = shape(JigsawDesign(replace(SMALL, bed=ASSEMBLED)), None, Progress())
    printed = {one.name: body(one.mesh) for one in bodies_of(together, Progress())}
    assert printed["A1"].min_gap(printed["B1"], 5.0) == pytest.approx(0.2, abs=0.01)
    found.panel.slider.setValue(found.panel.slider.maximum())
    apart = {name: body(one.body.mesh.moved(np.eye(3), one.shift)) for name, one in shown(found).items()}
    assert apart["A1"].min_gap(apart["B1"], 10.0) == pytest.approx(3.5, abs=0.6)
    reach = EXPLODED * 99.8
    assert np.array([one.way for one in bodies.values()]) * reach == pytest.approx(
        np.array([placed.shift for placed in shown(found).values()]), rel=1e-2, abs=1e-2
    )


def test_plates_hold_every_piece_once(stage: Stage) -> None:
    stage.preferences.set_workshop_key("printer", "usual-220")
    stage.document.edit("Large", JigsawDesign(replace(SMALL, width=400.0, height=300.0)))
    stage.settle()
    found = page(stage)
    count = found.shown.count() - 1
    assert count > 1 and found.shown.itemText(1) == f"Plate 1 of {count}"
    names: list[str] = []
    for at in range(1, count + 1):
        found.shown.setCurrentIndex(at)
        names += shown(found)
        low, high = (np.array([one.body.mesh.bounds[end] for one in shown(found).values()]) for end in (0, 1))
        assert ((high.max(axis=0) - low.min(axis=0))[:2] <= 220 + 1e-6).all()
        assert found.panel.view.scene.plate is not None
    assert sorted(names) == sorted(stage.shapes.drawing.pieces.names)


def test_pieces_follow_the_design_and_say_what_keeps_them_from_being_printed(stage: Stage) -> None:
    found = page(stage)
    before = found.bodies.answer
    stage.document.edit("Thicker", JigsawDesign(replace(SMALL, thickness=6.0, bed=ASSEMBLED)))
    assert stage.wait_for(lambda: found.bodies.answer not in (None, before))
    assert [one.body.mesh.bounds[1][2] for one in shown(found).values()] == pytest.approx([6.0] * 12)
    stage.document.edit("Relief", JigsawDesign(replace(SMALL, relief=1.0)))
    assert stage.wait_for(lambda: found.message.startswith("The relief needs a picture"))
    stage.document.history.undo()
    assert stage.wait_for(lambda: found.message == "" and found.bodies.answer is not None)


def test_what_is_under_way_can_be_cancelled_and_begun_again(stage: Stage) -> None:
    found = page(stage)
    stage.document.edit("Thicker", JigsawDesign(replace(SMALL, thickness=6.0)))
    found.cancel.click()
    assert found.bodies.problem == CANCELLED and found.message == "", "the pieces from before stay"
    assert found.cancel.isVisible() and found.cancel.text() == "Build"
    QTest.mouseClick(found.cancel, Qt.MouseButton.LeftButton)
    assert stage.wait_for(lambda: found.bodies.answer is not None) and not found.cancel.isVisible()


def test_the_canvas_keeps_its_keys_beside_the_other_view(stage: Stage) -> None:
    page(stage)
    stage.window.show_view("board")
    on_canvas = {action.text() for action in stage.window.canvas.view.actions()}
    assert {"Flip tongue", "Randomise"} <= on_canvas
    assert "Flip tongue" not in {action.text() for action in space(stage).actions()}


def test_bodies_are_known_apart_however_many_there_are(qapp: QApplication) -> None:
    image = QImage(QSize(3, 1), QImage.Format.Format_RGB32)
    for at, place in enumerate((254, 255, 70_000)):
        image.setPixelColor(at, 0, QColor(*number_colour(place)))
    assert numbers_in(image).tolist() == [[255, 256, 70_001]]
    brick = slab(shapely.box(0, 0, 4, 4), 0.0, 2.0, 0.0)
    one = SceneBody("one", "", QColor("#FF0000"), brick, cells(brick, 1), np.zeros(3))
    placed = tuple(Placed(at, one, np.array([5.0 * (at % 20), 5.0 * (at // 20), 0.0])) for at in range(300))
    scene, camera = Scene(placed, QColor("#FFFFFF"), QColor("#0000FF")), Camera(yaw=-90.0, pitch=89.0)
    renderer, size = PainterRenderer(), QSize(600, 450)
    fitted = camera.fitted(scene.corners, (600.0, 450.0), 10)
    renderer.render(scene, fitted, size, 1.0, Quality.DRAFT)
    for at in (0, 255, 256, 299):
        x, y, _ = fitted.project(placed[at].shift[None] + (2.0, 2.0, 2.0), (600.0, 450.0))[0].tolist()
        assert renderer.pick(x, y) == at


def test_cells_fill_a_body_roughly_and_nothing_else() -> None:
    ring = shapely.difference(shapely.box(0, 0, 20, 12), shapely.box(6, 4, 14, 8))
    found = cells(slab(ring, 0.0, 3.0, 0.0), 10)
    sides = found[:, 1] - found[:, 0]
    assert sides.prod(axis=1).sum() == pytest.approx(ring.area * 3.0, rel=0.01)
    assert len(cells(slab(shapely.box(0, 0, 0.1, 9), 0.0, 3.0, 0.0), 1)) == 1
