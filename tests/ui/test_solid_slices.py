"""The final picture comes in slices, is the same as one drawn at once, and is left off when a hand moves."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtWidgets import QApplication

from studio.base.progress import Progress
from studio.geometry.solids.projections import Camera
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.ui.kinds.cube.extension import assembled
from studio.ui.solid import progressive
from studio.ui.solid.gl import GlRenderer, rows_of
from studio.ui.solid.progressive import USUAL_RENDERERS
from studio.ui.solid.renderer import NoRenderer, PainterRenderer, Quality, Renderer, Shot
from studio.ui.solid.scene import Placed, Scene
from studio.ui.widgets.theme import light_theme
from tests.depth import THOROUGH
from tests.ui.stage import staged
from tests.ui.test_cube_view import CubeStage

UPLOADED_AT_ONCE = 15_000

SIZE = QSize(600, 450)


@pytest.fixture(params=["OpenGL", "painter"])
def renderer(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[Renderer]:
    try:
        made = USUAL_RENDERERS[0]() if request.param == "OpenGL" else PainterRenderer()
    except NoRenderer:
        pytest.skip("no OpenGL here")
    yield made
    made.release()


stage = staged(lambda folder: CubeStage(folder, by_opengl=True))


@pytest.mark.sampled(4)
@pytest.mark.parametrize("ratio", [1.0, 2.0])
def test_the_picture_in_slices_is_that_drawn_at_once(renderer: Renderer, ratio: float) -> None:
    theme = light_theme()
    bodies = assembled(shape(CubeDesign(), None, Progress()))
    scene = Scene(
        tuple(Placed(number, body, body.way) for number, body in enumerate(bodies)), theme.canvas, theme.accent
    )
    camera = Camera().fitted(scene.corners, (SIZE.width(), SIZE.height()), 40)
    whole = renderer.render(scene, camera, SIZE, ratio, Quality.FINAL)
    slices = []
    for image in renderer.in_slices(scene, camera, SIZE, ratio):
        slices.append(image)
        # What happens between two slices while a mouse goes over the picture.
        if THOROUGH or len(slices) in (2, 7):
            renderer.render(scene, camera, SIZE, ratio, Quality.DRAFT)
            assert renderer.pick(SIZE.width() / 2, SIZE.height() / 2) is not None
    assert slices[-1] == whole and slices[-1].devicePixelRatio() == ratio
    assert set(slices[:-1]) <= {None}
    if not isinstance(renderer, PainterRenderer):
        assert len(slices) > 2 * ratio


def test_a_hand_that_moves_leaves_the_picture_off_and_it_comes_at_rest(stage: CubeStage) -> None:
    view = stage.view
    if isinstance(view.renderer, PainterRenderer):
        pytest.skip("the painter draws in one")
    assert stage.wait_for(lambda: not view.is_moving)
    final = view.grab().toImage()
    stage.key(Qt.Key.Key_Right)
    stage.key(Qt.Key.Key_Left)
    view.grab()
    view.picture._rest.stop()
    view.picture._come_to_rest()
    view.picture._draw_slice()
    assert view.is_moving and view.picture._slices is not None, "the draft is there until the picture is whole"
    draft = view.grab().toImage()
    assert draft != final
    stage.drag_by(QPoint(20, 20), QPoint(30, 0))
    assert view.is_moving and view.picture._slices is None
    stage.drag_by(QPoint(50, 20), QPoint(-30, 0))
    assert stage.wait_for(lambda: not view.is_moving) and view.picture._slices is None
    assert view.grab().toImage() == final


def test_a_window_made_smaller_in_the_midst_of_slices_shows_the_whole_picture(stage: CubeStage) -> None:
    view = stage.view
    stage.key(Qt.Key.Key_Right)
    view.grab()
    view.picture._rest.stop()
    view.picture._come_to_rest()
    stage.window.resize(1000, 700)
    stage.settle()
    assert stage.wait_for(lambda: not view.is_moving) and view.picture._slices is None
    image = view.grab().toImage()
    view.picture.finish()
    assert view.grab().toImage() == image


def test_what_is_too_heavy_for_one_go_is_seen_as_a_draft_first(
    stage: CubeStage, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = stage.view
    if isinstance(view.renderer, PainterRenderer):
        pytest.skip("the painter draws in one")
    assert stage.wait_for(lambda: not view.is_moving)
    final = view.grab().toImage()
    monkeypatch.setattr(view.renderer, "is_slow", False)
    monkeypatch.setattr(progressive, "AT_ONCE", view.scene.triangles - 1)
    view.picture.settle()
    assert view.grab().toImage() != final and view.is_moving
    assert stage.wait_for(lambda: not view.is_moving)
    assert view.grab().toImage() == final
    monkeypatch.setattr(progressive, "AT_ONCE", view.scene.triangles)
    view.picture.settle()
    assert view.grab().toImage() == final and not view.is_moving
    monkeypatch.setattr(view.renderer, "is_slow", True)
    view.picture.settle()
    assert view.grab().toImage() != final and view.is_moving, "without a card even little takes longer than a frame"


def test_a_scene_is_prepared_bit_by_bit_and_looks_as_if_it_had_been_at_once(qapp: QApplication) -> None:
    try:
        slow, quick = GlRenderer(), GlRenderer()
    except NoRenderer:
        pytest.skip("no OpenGL here")
    theme = light_theme()
    pieces = assembled(shape(CubeDesign(CubeParameters(segments=64)), None, Progress()))
    bodies = [replace(piece, way=piece.way + turn) for turn in range(12) for piece in pieces]
    placed = tuple(Placed(number, body, 9.0 * body.way) for number, body in enumerate(bodies))
    scene = Scene(placed, theme.canvas, theme.accent)
    camera = Camera().fitted(scene.corners, (SIZE.width(), SIZE.height()), 40)
    most = max(len(piece.mesh.triangles) for piece in pieces)
    assert scene.triangles > 2 * UPLOADED_AT_ONCE, "else there would be nothing to be divided"
    counts = [0]
    for _ in slow.preparing(scene):
        counts.append(sum(len(each.body.mesh.triangles) for each in slow._loaded.values()))
    assert counts[-1] == scene.triangles
    assert max(after - before for before, after in pairwise(counts)) < UPLOADED_AT_ONCE + most
    assert list(slow.preparing(scene)) == [], "all is there"
    pictures = [one.render(scene, camera, SIZE, 1.0, Quality.FINAL) for one in (slow, quick)]
    assert pictures[0] == pictures[1]
    for one in (slow, quick):
        one.release()


def test_a_strip_of_the_picture_leaves_out_the_bodies_that_are_not_seen_in_it(qapp: QApplication) -> None:
    theme = light_theme()
    bodies = assembled(shape(CubeDesign(), None, Progress()))
    scene = Scene(
        tuple(Placed(number, body, 0.5 * body.way) for number, body in enumerate(bodies)), theme.canvas, theme.accent
    )
    shot = Shot(scene, Camera().fitted(scene.corners, (SIZE.width(), SIZE.height()), 40), SIZE)
    tops, bottoms = rows_of(shot, 2.0)
    for each, top, bottom in zip(scene.placed, tops.tolist(), bottoms.tolist(), strict=True):
        corners = each.body.mesh.vertices + each.shift
        rows = 2.0 * shot.camera.project(corners, shot.pixels)[:, 1]
        assert top <= rows.min() and rows.max() <= bottom
        assert bottom - top < 2.0 * SIZE.height()
    within = scene.middle - shot.camera.distance * shot.camera.axes[2]
    near = replace(shot, camera=replace(shot.camera, target=tuple(within.tolist())))
    assert np.isneginf(rows_of(near, 1.0)[0]).any()
    some = shot.only([number < 2 for number in range(6)])
    assert [each.number for each in some.scene.placed] == [0, 1]
    assert some.scene.floor == scene.floor and some.scene.radius == scene.radius
