"""Dimensions in space: the sizes of all pieces and of the selected one, on the rim of the picture, in either unit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication

from studio.base.units import Unit
from studio.geometry.solids.projections import SIDES, Camera
from studio.ui.solid import overlay
from studio.ui.solid.overlay import paint_dimensions
from tests.ui.test_cube_view import FRONT, CubeStage

PIXELS = (400.0, 300.0)
ENDS = np.array([[0.0, 0.0, 0.0], [60.0, 40.0, 20.0]])
CORNERS = np.array([[x, y, z] for x in (0, 60) for y in (0, 40) for z in (0, 20)], float)


def edges_of(camera: Camera) -> dict[int, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    return dict(overlay._edges(ENDS, camera.fitted(CORNERS, PIXELS, 60), PIXELS))


@pytest.mark.parametrize("yaw", [-170.0, -58.0, 20.0, 100.0])
@pytest.mark.parametrize("pitch", [-60.0, 27.0])
def test_each_axis_is_measured_once_on_the_rim_of_the_box(yaw: float, pitch: float) -> None:
    camera = Camera(yaw=yaw, pitch=pitch).fitted(CORNERS, PIXELS, 60)
    found = edges_of(camera)
    assert sorted(found) == [0, 1, 2]
    hull = camera.project(CORNERS, PIXELS)[:, :2]
    for axis, edge in found.items():
        assert edge[1] - edge[0] == pytest.approx(np.diag(ENDS[1])[axis])
        a, b = camera.project(edge, PIXELS)[:, :2]
        sides = ((b - a)[0] * (hull - a)[:, 1] - (b - a)[1] * (hull - a)[:, 0]).tolist()
        assert min(sides) > -1e-6 or max(sides) < 1e-6, "the whole box is on one side of it"


def test_an_axis_that_is_seen_from_its_end_is_not_measured(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    monkeypatch.setattr(overlay, "_paint_length", lambda _painter, _place, words, *_rest: written.append(words))
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    for side, wanted in (("front", ["60.0 mm", "20.0 mm"]), ("top", ["60.0 mm", "40.0 mm"])):
        written.clear()
        image.fill(Qt.GlobalColor.white)
        painter = QPainter(image)
        camera = Camera().looking(*SIDES[side]).fitted(CORNERS, PIXELS, 60)
        paint_dimensions(painter, ENDS, camera, PIXELS, 20.0, QColor("#000000"))
        painter.end()
        assert written == wanted


@pytest.fixture
def stage(qapp: QApplication, tmp_path: Path) -> Iterator[CubeStage]:
    made = CubeStage(tmp_path)
    yield made
    made.window.choose_unit(Unit.MILLIMETRES)
    made.close()


def test_sizes_are_those_of_the_inspector_in_either_unit(stage: CubeStage, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[list[float]] = []
    monkeypatch.setattr(
        overlay, "paint_dimensions", lambda _painter, ends, *_rest: sizes.append([*(ends[1] - ends[0])])
    )

    def measured() -> list[list[float]]:
        sizes.clear()
        stage.view.picture.finish()
        stage.view.grab()
        return [*sizes]

    assert measured() == []
    stage.key(Qt.Key.Key_1)
    stage.window.actions_["dimensions"].trigger()
    assert stage.extension.panel.measure.isChecked() and measured() == [pytest.approx([39.8, 39.8, 39.8])]
    stage.extension.selection.select([FRONT])
    both = measured()
    low, high = stage.shapes.assembled[FRONT].mesh.bounds
    assert len(both) == 2 and both[1] == pytest.approx((high - low).tolist())
    stage.extension.panel.slider.setValue(500)
    assert measured() == [both[1]], "apart, the size of all says nothing"
    assert not stage.document.is_modified


def test_lengths_follow_the_unit_and_are_painted(stage: CubeStage, monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[str] = []
    painted = overlay._paint_length

    def noted(painter: QPainter, place: object, words: str, *rest: object) -> None:
        written.append(words)
        painted(painter, place, words, *rest)  # type: ignore[arg-type]

    stage.view.picture.finish()
    before = stage.view.grab().toImage()
    monkeypatch.setattr(overlay, "_paint_length", noted)
    stage.extension.panel.measure.click()
    assert stage.view.grab().toImage() != before and set(written) == {"39.8 mm"}
    written.clear()
    stage.window.choose_unit(Unit.INCHES)
    stage.settle()
    stage.view.grab()
    assert set(written) == {"1.567 in"}
