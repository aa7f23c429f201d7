"""The view cube: its sides, edges and corners choose where to look from, by mouse and keys; nothing else is lost."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
import shapely
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from studio.geometry.solids.projections import SIDES, Camera
from studio.geometry.solids.slab import slab
from studio.ui.solid.page import cells
from studio.ui.solid.renderer import PainterRenderer
from studio.ui.solid.scene import SceneBody
from studio.ui.solid.view import SolidView
from studio.ui.solid.view_cube import NAMES, SIDE, Direction, ViewCube, angles_of, name_of, nearest, stepped

LEFT, NO_BUTTON = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
DIRECTIONS: list[Direction] = [(x, y, z) for x, y, z in product((-1, 0, 1), repeat=3) if x or y or z]


@pytest.fixture
def view(qapp: QApplication) -> Iterator[SolidView]:
    made = SolidView((PainterRenderer,))
    brick = slab(shapely.box(0, 0, 40, 30), 0.0, 20.0, 0.0)
    made.show_bodies([SceneBody("brick", "", QColor("#D55E00"), brick, cells(brick, 2), np.zeros(3))])
    made.resize(640, 480)
    made.show()
    made.picture.finish()
    made.grab()
    yield made
    made.close()
    made.deleteLater()


def spot(view: SolidView, direction: Direction) -> QPoint:
    """Where on the cube a direction is seen from its own place, a little towards its middle."""
    away = view.camera.axes
    place = np.array(direction, float) * 0.9 * 27.0
    return QPoint(round(SIDE / 2 + float(place @ away[0])), round(SIDE / 2 - float(place @ away[1])))


def send(cube: ViewCube, kind: QEvent.Type, place: QPoint, held: Qt.MouseButton = NO_BUTTON) -> None:
    button = NO_BUTTON if kind is QEvent.Type.MouseMove else LEFT
    screen = QPointF(cube.mapToGlobal(place))
    event = QMouseEvent(kind, QPointF(place), screen, button, held, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(cube, event)


def click(cube: ViewCube, place: QPoint) -> None:
    send(cube, QEvent.Type.MouseButtonPress, place, LEFT)
    send(cube, QEvent.Type.MouseButtonRelease, place)


def test_the_six_sides_look_as_the_six_views_do() -> None:
    for direction, name in NAMES.items():
        yaw, pitch = angles_of(direction)
        wanted = SIDES[name.lower()]
        assert ((yaw - wanted[0]) % 360, pitch) == (0.0, wanted[1])
    assert angles_of((1, -1, 1)) == pytest.approx(SIDES["isometric"], abs=1e-3)


@pytest.mark.parametrize("direction", DIRECTIONS, ids=name_of)
def test_a_camera_from_a_direction_is_nearest_to_it(direction: Direction) -> None:
    camera = Camera().looking(*angles_of(direction))
    assert camera.axes[2] == pytest.approx(np.array(direction) / np.linalg.norm(direction))
    assert nearest(camera) == direction


def test_each_direction_that_is_seen_is_chosen_by_a_click_on_it(view: SolidView) -> None:
    for yaw, pitch in ((-58.0, 27.0), (122.0, -27.0)):
        seen = 0
        for direction in DIRECTIONS:
            view.look_along(Camera(yaw=yaw, pitch=pitch))
            sides = [np.array(each) for each in NAMES if np.dot(each, direction) > 0]
            if not any(float(side @ view.camera.axes[2]) > 0.1 for side in sides):
                continue
            seen += 1
            click(view.cube, spot(view, direction))
            assert nearest(view.camera) == direction and view.camera.is_parallel, name_of(direction)
        assert seen == 19, "three sides, nine edges, seven corners"


def test_what_is_beside_the_cube_belongs_to_the_pieces(view: SolidView) -> None:
    clicked: list[object] = []
    view.clicked.connect(lambda number, _place, _keys: clicked.append(number))
    before = view.camera
    click(view.cube, QPoint(2, 2))
    assert clicked == [None] and view.camera == before
    click(view.cube, spot(view, (0, 0, 1)))
    assert clicked == [None] and view.camera != before
    yaw = view.camera.yaw
    send(view.cube, QEvent.Type.MouseButtonPress, QPoint(2, 2), LEFT)
    send(view.cube, QEvent.Type.MouseMove, QPoint(32, 2), LEFT)
    send(view.cube, QEvent.Type.MouseButtonRelease, QPoint(32, 2))
    assert (view.camera.yaw - yaw) % 360 == pytest.approx(360 - 12.0)
    assert not view.is_dragging


def test_a_drag_on_the_cube_orbits_and_chooses_nothing(view: SolidView) -> None:
    place, yaw = spot(view, (0, -1, 0)), view.camera.yaw
    send(view.cube, QEvent.Type.MouseButtonPress, place, LEFT)
    for by in (10, 20, 30):
        send(view.cube, QEvent.Type.MouseMove, place + QPoint(by, 0), LEFT)
    send(view.cube, QEvent.Type.MouseButtonRelease, place + QPoint(30, 0))
    assert view.camera.yaw == pytest.approx(yaw - 12.0) and not view.camera.is_parallel


def test_what_a_click_would_choose_is_tinted_and_named(view: SolidView) -> None:
    plain = view.cube.grab().toImage()
    send(view.cube, QEvent.Type.MouseMove, spot(view, (1, -1, 1)))
    assert view.cube.pointed == (1, -1, 1) and view.cube.toolTip() == "Front, right, top view"
    assert view.cube.grab().toImage() != plain
    assert view.cube.cursor().shape() is Qt.CursorShape.PointingHandCursor
    send(view.cube, QEvent.Type.MouseMove, QPoint(2, 2))
    assert view.cube.pointed is None and view.cube.toolTip() == ""
    QApplication.sendEvent(view.cube, QEvent(QEvent.Type.Leave))
    assert view.cube.grab().toImage() == plain


def test_keys_reach_every_direction_and_say_its_name(view: SolidView) -> None:
    view.look_from("front")
    names = []
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Up, Qt.Key.Key_Down):
        QTest.keyClick(view.cube, key)
        names.append(view.cube.accessibleDescription())
    assert names == [
        "Front, right view", "Front, right, top view", "Top view", "Top view", "Front, top view",
    ]  # fmt: skip
    reached: set[Direction] = set()
    waiting: list[Direction] = [(0, -1, 0)]
    while waiting:
        now = waiting.pop()
        if now not in reached:
            reached.add(now)
            camera = Camera().looking(*angles_of(now))
            waiting += [stepped(now, camera, *by) for by in ((1, 0), (-1, 0), (0, 1), (0, -1))]
    assert reached == set(DIRECTIONS)


def test_the_cube_turns_with_the_camera_and_goes_where_there_is_no_room(view: SolidView) -> None:
    before = view.cube.grab().toImage()
    QTest.keyClick(view, Qt.Key.Key_Left)
    assert view.cube.grab().toImage() != before
    assert view.cube.geometry().topRight() == QPoint(631, 8)
    view.resize(200, 160)
    assert not view.cube.isVisible()
