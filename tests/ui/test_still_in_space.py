"""What people saw go wrong with pieces in space, tried together in a window by mouse and keys, in both themes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QEvent, QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from studio.geometry.curves.strokes import Floats
from studio.ui.session.preferences import ThemeChoice
from studio.ui.solid.renderer import PainterRenderer, Quality, Shot, numbers_in
from studio.ui.solid.scene import BodyLook, box_corners, pixels_in
from studio.ui.widgets.theme import Theme, current_theme, dark_theme, light_theme
from tests.ui.test_cube_view import FRONT, SHIFT, CubeStage, can_have

THEMES = {ThemeChoice.LIGHT: light_theme, ThemeChoice.DARK: dark_theme}


@pytest.fixture(params=list(THEMES), ids=lambda choice: choice.name.lower())
def stage(qapp: QApplication, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[CubeStage]:
    made = CubeStage(tmp_path, by_opengl=True)
    made.window.choose_theme(request.param)
    made.settle()
    assert current_theme() == THEMES[request.param]()
    if isinstance(made.view.renderer, PainterRenderer):
        pytest.skip("no OpenGL here")
    yield made
    made.window.choose_theme(ThemeChoice.LIGHT)
    made.close()


def final(stage: CubeStage) -> NDArray[np.int64]:
    """The final picture of the view, in its own pixels."""
    stage.view.picture.finish()
    return pixels_in(stage.view.grab().toImage()).astype(np.int64)


@pytest.mark.thorough
def test_pieces_in_space_look_and_answer_as_one_expects(stage: CubeStage) -> None:
    _it_is_not_jagged_while_it_moves(stage)
    _a_dark_ground_has_no_bands(stage)
    _nothing_is_written_where_nothing_is_printed(stage)
    _a_click_on_a_neighbour_edits_nothing(stage)
    _the_ghost_is_one_voxel(stage)
    _the_piece_under_the_mouse_is_brighter_and_not_paler(stage)
    _the_plate_shows_the_bed_of_the_printer(stage)


def _it_is_not_jagged_while_it_moves(stage: CubeStage) -> None:
    """In the midst of a drag the rims of pieces are nearer to the mean of 16 pixels each than to one sample."""
    view = stage.view
    stage.mouse(QEvent.Type.MouseButtonPress, QPoint(20, 20), Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton)
    for step in range(1, 6):
        stage.move(QPoint(20 + 9 * step, 20 + 2 * step))
        view.repaint()
    assert view.is_dragging and view.is_moving
    assert view.picture.image is not None
    stage.release(QPoint(65, 30))
    # As large as on a computer that is not busy: how coarse drafts are depends on what else it does.
    size = QSize(560, 400)
    shot = Shot(view.scene, view.camera, size)
    renderer = view.renderer
    seen = renderer._drawn(shot, 1.0, Quality.DRAFT)
    numbers = numbers_in(renderer._drawn(shot, 1.0, Quality.NUMBERS))
    fine = pixels_in(renderer._drawn(shot, 4.0, Quality.FINAL)).astype(float)
    whole = fine.reshape(size.height(), 4, size.width(), 4, 3)
    rim = (numbers[:, 1:] == 0) != (numbers[:, :-1] == 0)
    smooth, single = whole.mean(axis=(1, 3))[:, 1:][rim], whole[:, 1, :, 1][:, 1:][rim]
    drawn = pixels_in(seen)[:, 1:][rim]
    errors = [float(((each - smooth) ** 2).mean() ** 0.5) for each in (drawn, single)]
    assert len(drawn) > 300 and errors[0] < 0.7 * errors[1]


def _a_dark_ground_has_no_bands(stage: CubeStage) -> None:
    """Beside the pieces no level of grey has a rim that goes on for long: a fade is broken up by grain."""
    assert stage.wait_for(lambda: not stage.view.is_moving)
    rows = final(stage)[-40:, 10:-10, 2]
    steps = int((np.diff(rows, axis=1) != 0).sum())
    levels = sum(len(np.unique(row)) for row in rows)
    assert levels == len(rows) or steps > 4 * levels, "plain, or a fade with grain"


def _nothing_is_written_where_nothing_is_printed(stage: CubeStage) -> None:
    """Together the pieces have no letters; taken apart each is named, and nothing is on the plate."""
    assert not stage.view.scene.has_letters
    stage.extension.panel.slider.setValue(1000)
    assert stage.view.scene.has_letters
    stage.extension.panel.slider.setValue(0)
    assert not stage.view.scene.has_letters


def _offered(stage: CubeStage) -> tuple[str, QPoint, Floats]:
    """A voxel in front that the front piece can have, where it is seen, and its cell."""
    box = stage.shapes.partition.shell
    name = next(name for name in box.names[:24] if can_have(stage, FRONT, name))
    low = np.array(box.places[box.indices[name]], float) * 10
    spot = stage.at(low[0] + 5, 0.0, low[2] + 5)
    assert stage.view.at(QPointF(spot))[0] == stage.owner(name)
    return name, spot, np.array([low, low + 10])


def _a_click_on_a_neighbour_edits_nothing(stage: CubeStage) -> None:
    stage.click(stage.at(20, 0, 20))
    assert stage.extension.selection.piece == FRONT
    name, spot, _ = _offered(stage)
    before = stage.document.design
    stage.click(spot)
    assert stage.extension.selection.piece == stage.owner(name) != FRONT
    assert stage.document.design is before and stage.document.history.count() == 0


def _the_ghost_is_one_voxel(stage: CubeStage) -> None:
    """What changes under Shift is within the sides of one voxel that are seen, and fills them."""
    stage.click(stage.at(20, 0, 20))
    _, spot, cell = _offered(stage)
    stage.hover(spot)
    plain = final(stage)
    stage.mouse(QEvent.Type.MouseMove, spot, keys=SHIFT)
    assert stage.view.mark is not None
    changed = np.abs(final(stage) - plain).max(axis=2) > 8
    pixels = float(stage.view.width()), float(stage.view.height())
    corners = box_corners(cell)
    outlines = [corners[list(flat)] for flat in _open_sides(cell) if _faces(stage, corners[list(flat)])]
    inside = np.zeros(changed.shape, bool)
    for outline in outlines:
        inside |= _within(stage.view.camera.project(outline, pixels)[:, :2], changed.shape)
    near = _wider(inside, 4)
    assert outlines and changed[inside].mean() > 0.9, "each side that is seen is covered"
    assert not changed[~near].any(), "and nothing beside it"
    stage.mouse(QEvent.Type.MouseMove, stage.at(20, 0, 20))


def _open_sides(cell: Floats) -> list[tuple[int, ...]]:
    """The sides of a cell that are on the outside of the box of 40 mm, by the numbers of their corners."""
    corners = box_corners(cell)
    sides = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
    return [
        side for side in sides
        if any(np.all(corners[list(side), axis] == end) for axis in range(3) for end in (0.0, 40.0))
    ]  # fmt: skip


def _faces(stage: CubeStage, outline: Floats) -> bool:
    outwards = outline.mean(axis=0) - 20.0
    axis = int(np.ptp(outline, axis=0).argmin())
    way = np.zeros(3)
    way[axis] = np.sign(outwards[axis])
    return bool((stage.view.camera.onlooker - outline.mean(axis=0)) @ way > 0)


def _within(polygon: Floats, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """The pixels whose middles are in a convex polygon."""
    y, x = np.mgrid[: shape[0], : shape[1]] + 0.5
    sides = [
        (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0])
        for a, b in zip(polygon, np.roll(polygon, -1, axis=0), strict=True)
    ]  # fmt: skip
    return np.asarray(np.all(np.array(sides) > 0, axis=0) | np.all(np.array(sides) < 0, axis=0))


def _wider(mask: NDArray[np.bool_], by: int) -> NDArray[np.bool_]:
    wide = mask.copy()
    for y in range(-by, by + 1):
        for x in range(-by, by + 1):
            wide |= np.roll(mask, (y, x), (0, 1))
    return wide


def _the_piece_under_the_mouse_is_brighter_and_not_paler(stage: CubeStage) -> None:
    stage.key(Qt.Key.Key_Escape)
    QApplication.sendEvent(stage.view, QEvent(QEvent.Type.Leave))
    spot = stage.at(20, 0, 20)
    before = QImage(stage.view.grab().toImage()) if final(stage).any() else QImage()
    stage.hover(spot)
    assert [each.number for each in stage.view.scene.placed if each.look is BodyLook.HOVERED] == [FRONT]
    final(stage)
    plain, over = (image.pixelColor(spot) for image in (before, stage.view.grab().toImage()))
    assert over.valueF() > 1.08 * plain.valueF()
    assert over.hsvSaturationF() > plain.hsvSaturationF() - 0.05


def _the_plate_shows_the_bed_of_the_printer(stage: CubeStage) -> None:
    stage.window.show_view("plate")
    scene, theme = stage.view.scene, current_theme()
    assert scene.plate is not None and scene.plate_rim == theme.quiet and not scene.has_letters
    left, front, right, back = scene.plate
    assert (right - left, back - front) == pytest.approx((220.0, 220.0)), "that of the usual printer"
    picture = final(stage)
    pixels = float(stage.view.width()), float(stage.view.height())
    ends = np.array([[left, front, 0.0], [right, front, 0.0]])
    along = ends[0] + np.linspace(0.05, 0.95, 40)[:, None] * (ends[1] - ends[0])
    spots = stage.view.camera.project(along, pixels)[:, :2].astype(int)
    away = [
        min(_apart(picture[y + by, x], theme) for by in (-1, 0, 1)) for x, y in spots.tolist()
    ]  # fmt: skip
    assert np.median(away) < 40, "its outline is in sight"


def _apart(pixel: NDArray[np.int64], theme: Theme) -> int:
    """By how much a pixel differs from the colour of a bed's outline."""
    quiet = theme.quiet
    return int(np.abs(pixel - [quiet.red(), quiet.green(), quiet.blue()]).max())
