"""What must be fast in space: a frame while pieces are turned, and a new cube from the form to its final picture."""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QSettings, QSize
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from benchmarks import yardstick
from benchmarks.report import Row, median, milliseconds, show
from studio.base.progress import Progress
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera
from studio.puzzles.cube.geometry import shape
from studio.puzzles.cube.kind import CUBE
from studio.puzzles.cube.model import CubeDesign, CubeParameters
from studio.ui.kinds.cube.extension import CubeExtension, assembled
from studio.ui.session.document import Document
from studio.ui.session.preferences import Preferences
from studio.ui.shell.app import make_application
from studio.ui.shell.window import Window
from studio.ui.solid.progressive import USUAL_RENDERERS
from studio.ui.solid.renderer import NoRenderer, Quality, Renderer
from studio.ui.solid.scene import Placed, Scene, SceneBody
from studio.ui.widgets.theme import apply, light_theme, picture_font

SIZE = QSize(900, 700)
FRAMES = 40
SEEDS = 15
TURN = 7.0
"""Degrees between two frames."""


def many_triangles() -> tuple[SceneBody, ...]:
    """A cube of a little more than 20,000 triangles: rounded edges of many segments."""
    design = CubeDesign(CubeParameters(edge="round", segments=36))
    return assembled(shape(design, None, Progress()))


def scene(bodies: tuple[SceneBody, ...], apart: float = 0.0) -> Scene:
    """The parts so far apart, in mm."""
    theme = light_theme()
    placed = tuple(Placed(number, body, body.way * apart) for number, body in enumerate(bodies))
    return Scene(placed, theme.canvas, theme.accent)


def turning(renderer: Renderer, what: Scene, quality: Quality) -> list[float]:
    """How long each frame took while the eye went round, in ms."""
    camera = Camera().fitted(what.corners, (SIZE.width(), SIZE.height()), 40)
    step = iter(range(10**6))

    def frame() -> None:
        renderer.render(what, camera.turned((TURN * next(step), 0.0)), SIZE, 1.0, quality)

    return milliseconds(frame, FRAMES)


def exploding(renderer: Renderer, bodies: tuple[SceneBody, ...]) -> list[float]:
    """How long each frame took while the parts went asunder, shadows and all, in ms."""
    camera = Camera().fitted(scene(bodies, 16.0).corners, (SIZE.width(), SIZE.height()), 40)
    step = iter(range(10**6))
    return milliseconds(
        lambda: renderer.render(scene(bodies, 0.3 * next(step)), camera, SIZE, 1.0, Quality.DRAFT), FRAMES
    )


def rasterised(points: Floats) -> Callable[[], object]:
    """The floor beside the frames: the same corners turned and projected by numpy, with nothing drawn."""
    camera = Camera()
    return lambda: camera.project(points, (SIZE.width(), SIZE.height()))


def on_cube(folder: Path, design: CubeDesign) -> tuple[Window, CubeExtension]:
    """A window on a cube, at rest."""
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = Window(Document(CUBE, design), Preferences(settings))
    window.resize(1280, 800)
    window.show()
    QTest.qWait(300)
    assert isinstance(window.extension, CubeExtension)
    window.extension.finish()
    return window, window.extension


def solutions(folder: Path) -> list[float]:
    """How long it took from the key to the first picture of the next of 22 solutions, in ms."""
    plain = CubeParameters(3, 3, 3, seed=4, unique=False, distinct=False, captured=False)
    window, extension = on_cube(folder, CubeDesign(plain))
    view = extension.panel.view
    times = []
    for _ in range(SEEDS + 1):
        gc.collect()
        begin = time.perf_counter()
        extension.turn_way(1)
        view.repaint()
        while view.picture.image is None:
            QApplication.processEvents()
            view.repaint()
        times.append(1000 * (time.perf_counter() - begin))
        QTest.qWait(20)
    window.close()
    window.deleteLater()
    return times[1:]


def new_cubes(folder: Path) -> list[float]:
    """How long it took from another seed in the form to the final picture in the window, in ms."""
    window, extension = on_cube(folder, CUBE.example())
    view = extension.panel.view
    times = []
    for seed in range(100, 100 + SEEDS + 1):
        gc.collect()
        begin = time.perf_counter()
        window.form.edit("Change seed", CubeParameters(seed=seed), None)
        view.picture.finish()
        QApplication.processEvents()
        view.repaint()
        times.append(1000 * (time.perf_counter() - begin))
        QTest.qWait(20)
    window.document.history.setClean()
    window.close()
    window.deleteLater()
    return times[1:]


def main() -> None:
    """Measure and print."""
    apply(make_application(), light_theme(), picture_font())
    bodies = many_triangles()
    count = sum(len(body.mesh.triangles) for body in bodies)
    corners = np.concatenate([body.mesh.vertices[body.mesh.triangles].reshape(-1, 3) for body in bodies])
    floor = median(milliseconds(rasterised(corners), FRAMES))
    rows = [yardstick.row()]
    for name, make in zip(("OpenGL", "painter, by cells"), USUAL_RENDERERS, strict=True):
        try:
            renderer = make()
        except NoRenderer:
            continue
        what = scene(bodies)
        peer = f"{count} triangles projected by numpy"
        rows += [
            Row(
                f"{name}: a frame while turning, edges smooth",
                median(turning(renderer, what, Quality.DRAFT)),
                "ms",
                33,
                peer,
                floor,
            ),
            Row(f"{name}: a frame while taken apart", median(exploding(renderer, bodies)), "ms", 100, peer, floor),
            Row(f"{name}: the final picture", median(turning(renderer, what, Quality.FINAL)), "ms", 150, peer, floor),
        ]
        renderer.render(what, Camera(), SIZE, 1.0, Quality.DRAFT)

        def picked(renderer: Renderer = renderer, what: Scene = what) -> object:
            renderer.render(what, Camera(), QSize(90, 70), 1.0, Quality.NUMBERS)
            return renderer.pick(45, 35)

        rows.append(Row(f"{name}: which piece is where", median(milliseconds(picked, 20)), "ms", 20, peer, floor))
        renderer.release()
    with tempfile.TemporaryDirectory() as folder:
        rows.append(Row("key to the next solution of a 3 × 3 × 3", median(solutions(Path(folder))), "ms", 100, "", 0.0))
        rows.append(
            Row("slider to final picture, a new 4 × 4 × 4", median(new_cubes(Path(folder))), "ms", 150, "", 0.0)
        )
    show(rows)


if __name__ == "__main__":
    main()
