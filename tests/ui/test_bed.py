"""The printer's bed under what is printed: as large as the printer's, named, and red where the pieces do not fit."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import shapely
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication

from studio.fabricate.workshop import USUAL, Printer, one_of
from studio.geometry.solids.projections import Camera
from studio.geometry.solids.slab import slab
from studio.geometry.solids.solid import Solid
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.ui.abilities.printable import PrintedExtension
from studio.ui.solid.page import SolidsPage, bed_for, cells, chosen_printer
from studio.ui.solid.renderer import PainterRenderer, Quality, Renderer
from studio.ui.solid.scene import Placed, Scene, SceneBody
from studio.ui.solid.view import SolidView
from studio.ui.widgets.theme import light_theme
from tests.classic import classic
from tests.ui.stage import Stage
from tests.ui.test_cube_view import CubeStage

RIM = QColor("#FF0000")
SIZE = QSize(500, 400)
PIXELS = (500.0, 400.0)


def brick(side: float) -> Solid:
    mesh = slab(shapely.box(0, 0, side, side), 0.0, 5.0, 0.0)
    return Solid(name=f"brick of {side:g}", mesh=mesh, colour="#0072B2")


def test_a_bed_says_what_becomes_of_pieces_that_do_not_fit_at_once() -> None:
    printer = one_of(Printer, "usual-220")
    fits = bed_for([brick(200.0)], printer)
    assert (fits.width, fits.depth, fits.name, fits.problem) == (220.0, 220.0, printer.title, "")
    moved = brick(150.0).mesh.moved(np.eye(3), np.array([160.0, 0.0, 0.0]))
    split = bed_for([brick(150.0), replace(brick(150.0), name="other", mesh=moved)], printer)
    assert split.problem == f"Too large for one plate of {printer.title}: the export splits it into 2 plates."
    assert "brick of 300" in bed_for([brick(300.0)], printer).problem
    assert chosen_printer("gone-long-ago") == chosen_printer("") == one_of(Printer, USUAL[Printer])


def test_both_renderers_draw_the_outline_of_the_bed_and_lines_a_centimetre_apart(renderer: Renderer) -> None:
    body = SceneBody("b", "", QColor("#0072B2"), brick(10.0).mesh, cells(brick(10.0).mesh, 1), np.zeros(3))
    white, grey = QColor("#FFFFFF"), QColor("#808080")
    placed = (Placed(0, body, np.array([45.0, 45.0, 0.0])),)
    plate = (0.0, 0.0, 100.0, 100.0)
    scene = Scene(placed, QColor("#FFFFFF"), QColor("#0000FF"), plate, white, grey, RIM)
    camera = Camera().looking(-90.0, 90.0).fitted(scene.corners, PIXELS, 20)
    image = renderer.render(scene, camera, SIZE, 1.0, Quality.FINAL)

    def colours(places: list[tuple[float, float]]) -> list[QColor]:
        """The darkest pixel at each place or right beside it."""
        spots = camera.project(np.array([(*place, 0.0) for place in places]), PIXELS)[:, :2].round().astype(int)
        around = [[image.pixelColor(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)] for x, y in spots.tolist()]
        return [min(near, key=QColor.lightness) for near in around]

    for colour in colours([(0.0, 33.0), (100.0, 33.0), (33.0, 0.0), (33.0, 100.0)]):
        assert colour.red() > 150 and colour.green() < 120, "the outline"
    on, off = colours([(20.0, 33.0), (33.0, 70.0)]), colours([(25.0, 33.0), (33.0, 75.0)])
    assert min(off, key=QColor.lightness).lightness() > max(on, key=QColor.lightness).lightness() + 20


def test_a_cube_lies_on_the_bed_of_the_printer_used_last(qapp: QApplication, tmp_path: Path) -> None:
    stage = CubeStage(tmp_path, CubeDesign(CubeParameters(unit=20.0)))
    try:
        for key, side in (("usual-220", 220.0), ("large-300", 300.0)):
            stage.preferences.set_workshop_key("printer", key)
            stage.window.show_view("plate")
            scene = stage.view.scene
            assert scene.plate is not None
            left, front, right, back = scene.plate
            assert (right - left, back - front) == pytest.approx((side, side))
            boxes = np.concatenate([each.body.box for each in scene.placed])
            middle = (boxes.min(axis=0) + boxes.max(axis=0))[:2] / 2
            assert middle == pytest.approx([(left + right) / 2, (front + back) / 2])
            fits = side == 300.0
            assert scene.plate_rim == (light_theme().quiet if fits else light_theme().error)
            assert stage.view.caption == ("" if fits else "Too large for one plate of Generic 220 × 220 mm: the export "
                                          "splits it into 2 plates.")  # fmt: skip
            pixels = float(stage.view.width()), float(stage.view.height())
            x, y, _ = stage.view.camera.project(np.array([[right, back, 0.0]]), pixels)[0].tolist()
            assert not stage.view.cube.geometry().contains(round(x), round(y)), "its corner is in sight"
            stage.view.picture.finish()
            assert not stage.view.grab().isNull()
            stage.window.show_view("model")
            assert stage.view.scene.plate is None and stage.view.caption == ""
    finally:
        stage.close()


@pytest.mark.parametrize(
    "size", [QSize(380, 380), QSize(420, 400), QSize(900, 420)], ids=lambda size: f"{size.width()}"
)
def test_no_corner_of_a_board_is_behind_the_view_cube(qapp: QApplication, size: QSize) -> None:
    view = SolidView([PainterRenderer])
    view.resize(size)
    view.show()
    view.camera = view.camera.looking(-90.0, 60.0)
    view.show_bodies(
        [SceneBody("b", "", QColor("#0072B2"), brick(100.0).mesh, cells(brick(100.0).mesh, 1), np.zeros(3))]
    )
    view.fit()
    pixels = float(view.width()), float(view.height())
    x, y, _ = view.camera.project(np.array([[100.0, 100.0, 0.0]]), pixels)[0].tolist()
    assert not view.cube.isHidden() and not view.cube.geometry().contains(round(x), round(y))
    assert 0 < x < view.width() and 0 < y < view.height()
    view.close()
    view.deleteLater()


def test_pieces_that_no_bed_takes_are_shown_on_it_with_the_reason(qapp: QApplication, tmp_path: Path) -> None:
    stage = Stage(tmp_path, JigsawDesign(classic(columns=2, rows=1, width=800, height=300)))
    try:
        stage.window.show_view("space")
        (printed,) = (each for each in stage.window.added if isinstance(each, PrintedExtension))
        found: SolidsPage | None = printed.space.page
        assert found is not None and stage.wait_for(lambda: found.bodies.answer is not None)
        assert found.shown.count() == 2 and found.panel.view.caption == ""
        found.shown.setCurrentIndex(1)
        scene = found.panel.view.scene
        assert len(scene.placed) == 2 and scene.plate_rim == light_theme().error
        assert found.panel.view.caption.endswith(".") and "A1" in found.panel.view.caption
    finally:
        stage.close()
