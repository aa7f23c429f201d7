"""Pieces in space: what the camera sees, what the renderers draw, and that both put every piece in the same place."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import SIDES, Camera
from studio.geometry.solids.rounded_voxels import voxels
from studio.geometry.solids.solid import Mesh
from studio.puzzles.cube.geometry import CubeShapes, shape
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.puzzles.cube.shell import ASSEMBLY
from studio.ui.kinds.cube.extension import assembled, on_bed
from studio.ui.solid import shading
from studio.ui.solid.gl import GlRenderer
from studio.ui.solid.progressive import USUAL_RENDERERS, first_that_works
from studio.ui.solid.renderer import NoRenderer, PainterRenderer, Quality, Renderer, Shot, numbers_in
from studio.ui.solid.scene import BodyLook, Placed, Scene, SceneBody, pixels_in, smoothed, struck, travels
from studio.ui.widgets.theme import dark_theme, light_theme

DRAFT_PIXELS = 800_000

ROOT = Path(__file__).parents[2]
SIZE = QSize(360, 280)
PIXELS = (360.0, 280.0)


def shapes(**values: float) -> CubeShapes:
    return shape(CubeDesign(CubeParameters(**values)), None, Progress())  # type: ignore[arg-type]


def scene(bodies: tuple[SceneBody, ...], apart: float = 0.0, looks: dict[int, BodyLook] | None = None) -> Scene:
    theme = light_theme()
    placed = tuple(
        Placed(number, body, body.way * apart, (looks or {}).get(number, BodyLook.PLAIN))
        for number, body in enumerate(bodies)
    )
    return Scene(placed, theme.canvas, theme.accent)


@pytest.fixture(scope="module")
def bodies() -> tuple[SceneBody, ...]:
    return assembled(shapes())


@pytest.fixture(scope="module")
def gl(qapp: QApplication) -> Iterator[GlRenderer]:
    try:
        made = GlRenderer()
    except NoRenderer as problem:
        pytest.skip(f"no OpenGL here: {problem}")
    yield made
    made.release()


@pytest.fixture(params=["gl", "painter"])
def renderer(request: pytest.FixtureRequest, qapp: QApplication) -> Renderer:
    if request.param == "painter":
        return PainterRenderer()
    found = request.getfixturevalue("gl")
    assert isinstance(found, Renderer)
    return found


def seen(renderer: Renderer, what: Scene, camera: Camera) -> NDArray[np.int64]:
    """Which part is seen at each pixel, 1 and more, 0 for none."""
    found = numbers_in(renderer.render(what, camera, SIZE, 1.0, Quality.NUMBERS))
    assert found.shape == (SIZE.height(), SIZE.width())
    return found


# What a ray meets, and smooth surfaces


def test_a_ray_meets_the_nearer_side_of_a_piece_or_nothing(bodies: tuple[SceneBody, ...]) -> None:
    front = bodies[2]
    middle = (front.mesh.bounds[0] + front.mesh.bounds[1]) / 2
    hit = struck(front.mesh, np.array([middle[0], -100.0, middle[2]]), np.array([0.0, 1.0, 0.0]))
    assert hit == pytest.approx([middle[0], 0.1, middle[2]]), "half a gap of 0.2 mm behind the front of the box"
    assert struck(front.mesh, np.array([0.0, -100.0, 500.0]), np.array([0.0, 1.0, 0.0])) is None
    placed = Placed(2, front, np.array([0.0, -30.0, 0.0]))
    assert placed.struck(np.array([middle[0], -100.0, middle[2]]), np.array([0.0, 1.0, 0.0])) == pytest.approx(hit)


def test_facets_that_meet_at_a_sharp_edge_are_lit_by_themselves() -> None:
    corners = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    mesh = Mesh(corners, np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]))
    assert smoothed(mesh)[0].tolist() == [[0, 0, -1]] * 3


def test_a_mesh_without_normals_is_smooth_on_its_roundings_and_flat_on_its_flats() -> None:
    ball = voxels(np.ones((2, 1), bool), 10.0, 0.2, 2.0, 32)
    normals = smoothed(ball)
    assert np.linalg.norm(normals, axis=2) == pytest.approx(1.0)
    units = ball.facets / np.linalg.norm(ball.facets, axis=1)[:, None]
    bend = (normals * units[:, None]).sum(axis=2)
    assert bend.min() > np.cos(np.radians(35.5))
    corners = ball.vertices[ball.triangles]
    top = (corners[..., 2] > 9.9 - 1e-6).all(axis=1)
    big = top & (np.linalg.norm(ball.facets, axis=1) > 10)
    assert big.any() and (normals[big] @ np.array([0.0, 0.0, 1.0])).min() > 0.985
    same: dict[bytes, Floats] = {}
    for place, normal in zip(corners.reshape(-1, 3).round(5), normals.reshape(-1, 3), strict=True):
        if np.linalg.norm(place - [5, 5, 5]) > 6.5:
            same.setdefault(place.tobytes(), normal)
    assert len(same) > 100


def test_pieces_go_in_one_after_the_other_and_each_all_the_way() -> None:
    assert travels(0.0, ASSEMBLY) == pytest.approx(1.0) and travels(1.0, ASSEMBLY) == pytest.approx(0.0)
    assert sorted(ASSEMBLY) == list(range(6))
    before = travels(0.0, ASSEMBLY)
    for share in np.linspace(0, 1, 61):
        now = travels(float(share), ASSEMBLY)
        assert (now <= before + 1e-12).all() and ((now > 1e-9) & (now < 1 - 1e-9)).sum() <= 1
        before = now


@pytest.mark.parametrize("style", ["plate", "voxel"])
def test_no_piece_meets_another_on_its_way_in(style: str) -> None:
    """Moved outwards by any amount, what lies together overlaps by nothing: checked with manifold3d."""
    from studio.geometry.solids.solid import body as solid

    pieces = assembled(shape(CubeDesign(CubeParameters(style=style, segments=8)), None, Progress()))
    solids = [solid(body.mesh) for body in pieces]
    for turn, face in enumerate(ASSEMBLY):
        for away in (0.0, 3.0, 9.0, 14.4):
            moved = solids[face].translate((pieces[face].way * away).tolist())
            for other in ASSEMBLY[:turn]:
                assert (moved ^ solids[other]).volume() == pytest.approx(0.0, abs=1e-9), (face, other, away)


# The two renderers


@pytest.mark.sampled(3)
@pytest.mark.parametrize("side", list(SIDES))
def test_each_view_shows_its_own_piece_in_the_middle(
    renderer: Renderer, bodies: tuple[SceneBody, ...], side: str
) -> None:
    what = scene(bodies)
    camera = Camera().looking(*SIDES[side]).fitted(what.corners, PIXELS, 20)
    renderer.render(what, camera, SIZE, 1.0, Quality.DRAFT)
    names = ("left", "right", "front", "back", "bottom", "top")
    if side in names:
        assert renderer.pick(180, 140) == names.index(side)
    else:
        picked = {renderer.pick(x, y) for x in range(0, 360, 6) for y in range(0, 280, 6)}
        assert picked >= {1, 2, 5, None}, "right, front and top"


@pytest.mark.sampled(12)
@pytest.mark.parametrize("apart", [0.0, 16.0, 30.0])
@pytest.mark.parametrize("turn", [(-58.0, 27.0), (20.0, -35.0), (130.0, 60.0), (-90.0, 0.0)])
def test_both_renderers_and_a_ray_agree_which_piece_is_where(
    gl: GlRenderer, bodies: tuple[SceneBody, ...], apart: float, turn: tuple[float, float]
) -> None:
    what = scene(bodies, apart)
    camera = Camera(*turn).fitted(what.corners, PIXELS, 20)
    by_card, by_painter = seen(gl, what, camera), seen(PainterRenderer(), what, camera)
    # The painter leaves out gaps and roundings, so only rims may differ.
    same = by_card == by_painter
    inner = same.copy()
    for axis in (0, 1):
        for step in range(-5, 6):
            inner |= np.roll(same, step, axis)
    assert inner.all(), f"{(~inner).sum()} pixels away from any rim differ"
    assert same.mean() > 0.95
    wrong = 0
    for y in range(4, 280, 12):
        for x in range(4, 360, 12):
            start, way = camera.ray((x + 0.5, y + 0.5), PIXELS)
            hits = {each.number: hit for each in what.placed if (hit := each.struck(start, way)) is not None}
            shifts = {each.number: each.shift for each in what.placed}
            nearest = min(hits, key=lambda one: float(np.linalg.norm(hits[one] + shifts[one] - start)), default=None)
            wrong += by_card[y, x] != (0 if nearest is None else nearest + 1)
    assert wrong <= 3, "a ray through the middle of a pixel may miss by rounding alone"


@pytest.mark.sampled(2)
@pytest.mark.parametrize("quality", [Quality.DRAFT, Quality.FINAL])
def test_the_ground_is_the_canvas_of_the_theme_and_pieces_have_their_colours(
    renderer: Renderer, bodies: tuple[SceneBody, ...], quality: Quality
) -> None:
    for theme in (light_theme(), dark_theme()):
        what = Scene(scene(bodies).placed, theme.canvas, theme.accent)
        camera = Camera(-90, 0).fitted(what.corners, PIXELS, 40)
        image = renderer.render(what, camera, SIZE, 1.0, quality)
        assert image.pixelColor(3, 3) == theme.canvas
        middle, front = image.pixelColor(150, 140), bodies[2].colour
        assert abs(middle.hueF() - front.hueF()) < 0.04 and middle.saturationF() > 0.5


def test_a_piece_under_the_mouse_is_brighter_and_not_paler(renderer: Renderer, bodies: tuple[SceneBody, ...]) -> None:
    camera = Camera(-90, 0).fitted(scene(bodies).corners, PIXELS, 40)
    plain, over = (
        renderer.render(scene(bodies, looks={2: look}), camera, SIZE, 1.0, Quality.FINAL).pixelColor(150, 140)
        for look in (BodyLook.PLAIN, BodyLook.HOVERED)
    )
    assert over.valueF() > 1.08 * plain.valueF()
    assert over.hsvSaturationF() > plain.hsvSaturationF() - 0.05


@pytest.mark.thorough
def test_edges_are_smooth_also_while_it_moves_with_a_card_and_without(
    gl: GlRenderer, bodies: tuple[SceneBody, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On the rims of pieces a draft is far nearer to the mean of 16 pixels for each than one sample a pixel is."""
    what, size = scene(bodies, 8.0), QSize(900, 700)
    camera = Camera().fitted(what.corners, (900, 700), 40)
    numbers = numbers_in(gl.render(what, camera, size, 1.0, Quality.NUMBERS))
    rim = numbers[:, 1:] != numbers[:, :-1]
    step = shading.STEP
    monkeypatch.setattr(gl, "is_slow", True)
    monkeypatch.setattr(shading, "STEP", 256)
    fine = pixels_in(gl._drawn(Shot(what, camera, size), 4.0, Quality.DRAFT))
    wanted = fine.reshape(700, 4, 900, 4, 3).mean(axis=(1, 3))[:, 1:]
    errors = []
    for is_slow, least in ((True, 256), (True, step), (False, 256)):
        monkeypatch.setattr(gl, "is_slow", is_slow)
        monkeypatch.setattr(shading, "STEP", least)
        draft = pixels_in(gl.render(what, camera, size, 1.0, Quality.DRAFT)).astype(int)[:, 1:]
        errors.append(float(((draft - wanted)[rim] ** 2).mean() ** 0.5))
    raw, smoothed, sampled = errors
    assert smoothed < 0.6 * raw and sampled < 0.4 * raw


def test_a_dark_ground_fades_without_bands(gl: GlRenderer, bodies: tuple[SceneBody, ...]) -> None:
    theme = dark_theme()
    what = Scene(scene(bodies).placed, theme.canvas, theme.accent)
    camera = Camera().fitted(what.corners, PIXELS, 60)
    image = gl.render(what, camera, SIZE, 1.0, Quality.FINAL)
    rows = pixels_in(image)[-50:, :, 0].astype(int)
    levels, steps = sum(len(np.unique(row)) for row in rows), int((np.diff(rows, axis=1) != 0).sum())
    # With bands a row would change once up and once down for each level.
    assert levels > 100 and steps > 4 * levels


def test_a_shadow_falls_on_the_ground_away_from_the_light(gl: GlRenderer, bodies: tuple[SceneBody, ...]) -> None:
    what = scene(bodies)
    camera = Camera().fitted(what.corners, PIXELS, 90)
    image = gl.render(what, camera, SIZE, 1.0, Quality.FINAL)
    ground = what.placed[4].body.mesh.bounds
    spots = camera.project(np.array([[ground[1][0] + 8, 34.0, what.floor], [-14.0, 10.0, what.floor]]), PIXELS)
    dark, bright = (image.pixelColor(round(x), round(y)).lightness() for x, y, _ in spots.tolist())
    assert dark < 0.92 * light_theme().canvas.lightness() and bright > 0.97 * light_theme().canvas.lightness()


def test_looks_change_the_picture_and_hidden_parts_are_not_there(
    renderer: Renderer, bodies: tuple[SceneBody, ...]
) -> None:
    camera = Camera().fitted(scene(bodies).corners, PIXELS, 20)

    def picture(what: Scene) -> QImage:
        return renderer.render(what, camera, SIZE, 1.0, Quality.DRAFT)

    pictures = [picture(scene(bodies, looks={2: look})) for look in BodyLook]
    for place, one in enumerate(pictures):
        assert all(one != other for other in pictures[:place])
    shown = Scene(scene(bodies).placed[:2], light_theme().canvas, light_theme().accent)
    assert set(np.unique(seen(renderer, shown, camera)).tolist()) == {0, 1, 2}
    empty = Scene((), light_theme().canvas, light_theme().accent)
    assert not seen(renderer, empty, camera).any()


def test_the_same_scene_gives_the_same_pixels(renderer: Renderer, bodies: tuple[SceneBody, ...]) -> None:
    what = scene(bodies, 8.0)
    camera = Camera().fitted(what.corners, PIXELS, 20)
    first = renderer.render(what, camera, SIZE, 1.0, Quality.FINAL)
    renderer.render(scene(bodies), Camera(10, 10), SIZE, 1.0, Quality.DRAFT)
    assert renderer.render(what, camera, SIZE, 1.0, Quality.FINAL) == first


def test_a_sharp_screen_gets_a_sharp_picture_at_rest_and_a_draft_stays_small(
    renderer: Renderer, bodies: tuple[SceneBody, ...]
) -> None:
    what = scene(bodies)
    camera = Camera().fitted(what.corners, PIXELS, 20)
    final = renderer.render(what, camera, SIZE, 2.0, Quality.FINAL)
    assert (final.width(), final.height(), final.devicePixelRatio()) == (720, 560, 2.0)
    for width in range(200, 320, 20):
        assert renderer.render(what, camera, QSize(width, 99), 1.0, Quality.FINAL).width() == width
    draft = renderer.render(what, camera, QSize(1600, 1000), 2.0, Quality.DRAFT)
    assert draft.width() * draft.height() <= 1.01 * DRAFT_PIXELS
    assert renderer.pick(800, 500) is not None and renderer.pick(5000, 5) is None


def test_pieces_lie_on_the_plate_apart_from_each_other(renderer: Renderer) -> None:
    pieces = on_bed(shapes())
    what = Scene(scene(pieces).placed, light_theme().canvas, light_theme().accent, (-5, -5, 140, 90))
    camera = Camera(-90, 90).fitted(what.corners, PIXELS, 10)
    found = seen(renderer, what, camera)
    assert set(np.unique(found).tolist()) == set(range(7))
    assert what.floor == pytest.approx(0.0, abs=1e-6)


def test_every_piece_fills_its_cells_and_its_letter_lies_on_it() -> None:
    cube = shapes(x=4, y=5, z=3)
    for pieces in (assembled(cube), on_bed(cube)):
        for body in pieces:
            low, high = body.mesh.bounds
            assert body.cells.min(axis=(0, 1)) == pytest.approx(low - 0.1, abs=1e-5)
            assert body.cells.max(axis=(0, 1)) == pytest.approx(high + 0.1, abs=1e-5)
            for label in body.labels:
                hit = struck(body.mesh, label.middle + 20 * label.facing, -label.facing)
                assert hit is not None and 0 < (label.middle - hit) @ label.facing < 0.1


# What is there and what is not


def test_the_renderer_that_works_is_taken_and_why_others_do_not_is_told(qapp: QApplication) -> None:
    def broken() -> Renderer:
        raise NoRenderer("there is no card")

    made, reasons = first_that_works([broken, PainterRenderer])
    assert isinstance(made, PainterRenderer) and reasons == ["there is no card"]
    with pytest.raises(NoRenderer, match="there is no card; there is no card"):
        first_that_works([broken, broken])


@pytest.mark.thorough
def test_contexts_are_given_back(gl: GlRenderer, bodies: tuple[SceneBody, ...]) -> None:
    what = scene(bodies)
    pictures = []
    for _ in range(8):
        other = GlRenderer()
        pictures.append(other.render(what, Camera(), SIZE, 1.0, Quality.DRAFT))
        other.release()
        assert other.is_released
        with pytest.raises(NoRenderer):
            other.render(what, Camera(), SIZE, 1.0, Quality.DRAFT)
        other.release()
    assert all(one == pictures[0] for one in pictures)
    assert gl.render(what, Camera(), SIZE, 1.0, Quality.DRAFT) == pictures[0], "another's context does no harm"


def test_the_usual_renderers_end_with_one_that_works_everywhere(qapp: QApplication) -> None:
    makers: tuple[Callable[[], Renderer], ...] = USUAL_RENDERERS
    assert isinstance(makers[-1](), PainterRenderer)


def test_the_window_is_imported_without_opengl() -> None:
    program = (
        "import sys, studio.ui.shell.app, studio.ui.kinds.cube.extension, studio.ui.solid.view\n"
        "print(sorted({'moderngl', 'glcontext'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "[]", done.stderr


def test_a_mesh_with_normals_keeps_them() -> None:
    body = assembled(shapes(edge="round"))[0]  # type: ignore[arg-type]
    assert isinstance(body.mesh, Mesh) and body.normals is body.mesh.normals
