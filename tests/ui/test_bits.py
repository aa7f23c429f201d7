"""A large board reaches the canvas bit by bit, and is opened and changed without making the window wait."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import current_thread, main_thread

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsScene, QGraphicsView

from studio.base.progress import Progress
from studio.checks.finding import Finding
from studio.files.store import save
from studio.geometry.curves.strokes import Curves
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.check_problems import CROSSING
from studio.puzzles.jigsaw.kind import JIGSAW
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.edits import with_corners_at
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.drawing_tiles import DrawingLayer
from studio.ui.session import opening, session
from tests.ui.painted import Painted
from tests.ui.stage import Stage, staged

AT_ONCE = 3000

LARGE = JigsawDesign(JigsawParameters(columns=70, rows=50, width=1400.0, height=1000.0))
TINTS = np.arange(70 * 50) % 4
OTHER = JigsawDesign(JigsawParameters(columns=9, rows=7, seed=5))
stage = staged(Stage)


def picture_of(scene: QGraphicsScene, drawing: Drawing) -> QImage:
    image = QImage(700, 500, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    scene.render(painter, QRectF(image.rect()), QRectF(0, 0, drawing.width, drawing.height))
    painter.end()
    return image


def painted(layer: DrawingLayer) -> int:
    return sum(len(tile.members) for tile in layer._tiles if tile.items)


@pytest.mark.parametrize("moved", [False, True])
def test_a_large_board_comes_bit_by_bit_and_is_the_same_in_the_end(qapp: QApplication, moved: bool) -> None:
    shapes = shape(LARGE, None, Progress())
    drawing, after = shapes.drawing, shapes.drawing
    if moved:
        corner = shapes.tiling.corner_indices["66,47"]
        x, y = shapes.corners[corner].tolist()
        after = shape(with_corners_at(shapes, {corner: (x + 3.0, y - 2.0)}), shapes, Progress()).drawing
    scene, whole = QGraphicsScene(), QGraphicsScene()
    layer, known = DrawingLayer(scene), DrawingLayer(whole)
    layer.show(drawing, True)
    counts = [0, painted(layer)]
    assert not layer.is_whole, "else there is nothing to be divided"
    if moved:
        layer.show(after, False)
        layer.show(after, True)
    while not layer.is_whole:
        QApplication.processEvents()
        counts.append(painted(layer))
    largest = max(len(tile.members) for tile in layer._tiles)
    assert max(now - earlier for earlier, now in pairwise(counts)) < AT_ONCE + 5 * largest, "and the few that moved"
    assert counts[-1] == len(drawing.strokes)
    known.show(after, True)
    known.finish()
    assert picture_of(scene, drawing) == picture_of(whole, drawing)


def test_tints_come_bit_by_bit_too(qapp: QApplication) -> None:
    shapes = shape(LARGE, None, Progress())
    scene = QGraphicsScene()
    layer = DrawingLayer(scene)
    layer.show(shapes.drawing, True)
    layer.show_fill(True, TINTS)
    assert layer._waiting_fill
    while not layer.is_whole:
        QApplication.processEvents()
    filled = picture_of(scene, shapes.drawing)
    layer.show_fill(False, TINTS)
    assert layer.is_whole and picture_of(scene, shapes.drawing) != filled


@pytest.mark.parametrize("draft", [False, True])
def test_strokes_that_a_gesture_takes_elsewhere_are_gone_where_they_were(qapp: QApplication, draft: bool) -> None:
    drawing = shape(OTHER, None, Progress()).drawing
    scene = QGraphicsScene()
    view, layer = QGraphicsView(scene), DrawingLayer(scene)
    layer.show(drawing, True)
    layer.finish()
    layer.show_draft(draft)
    view.resize(900, 700)
    view.fitInView(QRectF(0, 0, drawing.width, drawing.height), Qt.AspectRatioMode.KeepAspectRatio)
    painted = Painted(view.viewport())
    view.show()
    assert not painted.is_stale
    first = painted.shown()
    inner = np.flatnonzero(np.bincount(drawing.pieces.codes >> 1) == 2)
    moved = np.intersect1d(layer._tiles[0].members, inner)[::3]
    far = Curves.from_strokes([0.05 * points + 100.0 for points in (drawing.strokes[at] for at in moved)])
    layer.show(replace(drawing, strokes=drawing.strokes.replaced(moved, far)), False)
    assert not painted.is_stale and painted.shown() != first
    layer.show(drawing, False)
    assert not painted.is_stale and painted.shown() == first, "a hand that goes back brings all back"
    layer.show(drawing, True)
    assert not painted.is_stale and painted.shown() == first
    view.close()


def test_marks_have_one_size_however_few_of_them_are_painted(qapp: QApplication) -> None:
    drawing = shape(OTHER, None, Progress()).drawing
    canvas = Canvas()
    canvas.resize(900, 700)
    canvas.show_drawing(drawing, True)
    canvas.show()
    canvas.view.fit()
    x, y = np.meshgrid(np.linspace(0.05, 0.6, 15) * drawing.width, np.linspace(0.05, 0.6, 10) * drawing.height)
    many = [
        Finding(CROSSING, "", place, strokes=(0,)) for place in zip(x.ravel().tolist(), y.ravel().tolist(), strict=True)
    ]
    alone = Finding(CROSSING, "", (0.9 * drawing.width, 0.9 * drawing.height), strokes=(0,))
    painted = Painted(canvas.view.viewport())
    pictures = []
    for findings in (many, [*many, alone], many):
        canvas.show_findings(tuple(findings))
        assert not painted.is_stale
        pictures.append(painted.shown())
    assert pictures[0] == pictures[2] != pictures[1]
    canvas.show_findings((*many, alone))
    canvas.view.zoom_by(2.0)
    assert not painted.is_stale
    canvas.view.fit()
    for findings in ([alone], [], [alone, replace(alone, place=(alone.place[0] + 1.0, alone.place[1]))], [alone]):
        canvas.show_findings(tuple(findings))
        assert not painted.is_stale, "of a mark that is gone nothing stays"
    canvas.close()


def test_what_takes_long_to_open_is_worked_out_in_the_background(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, document, jobs = tmp_path / "other.puzzle", stage.window.document, stage.window.jobs
    save(path, JIGSAW, OTHER)
    before = document.design
    monkeypatch.setattr(opening, "SOON", 0.0)
    assert not stage.window.filing.open(path), "not yet"
    assert document.design is before and jobs.is_busy(opening.OPENING)
    assert "Opening other.puzzle" in stage.posted()
    assert stage.wait_for(lambda: stage.document.design == OTHER)
    assert stage.document.path == path and not stage.document.is_modified
    assert stage.window.pipeline.shapes.design is stage.document.design
    assert "Opening" not in stage.posted()


def test_a_design_that_is_being_opened_can_be_given_up_or_overtaken(
    stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, document, jobs = tmp_path / "other.puzzle", stage.window.document, stage.window.jobs
    save(path, JIGSAW, OTHER)
    before = document.design
    monkeypatch.setattr(opening, "SOON", 0.0)
    stage.window.filing.open(path)
    notice = stage.window.notices.notice()
    assert notice is not None and notice.action is not None and notice.action.title == "Cancel"
    notice.action.do()
    jobs.finish()
    QApplication.processEvents()
    assert stage.document is document and document.design is before
    stage.window.filing.open(path)
    stage.window.filing.new(JIGSAW)
    jobs.finish()
    QApplication.processEvents()
    assert stage.document is document and document.design == JIGSAW.example() and document.path is None


def test_a_change_brings_its_shapes_along(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    window, threads = stage.window, []

    def noted(design: JigsawDesign, before: JigsawShapes | None, progress: Progress) -> JigsawShapes:
        shapes = shape(design, before, progress)
        threads.append(current_thread())
        return shapes

    window.document.kind = replace(JIGSAW, shape=noted)
    monkeypatch.setattr(session, "SOON", 0.0)
    window.form.edit("Other seed", OTHER.parameters, None)
    assert stage.wait_for(lambda: window.document.design.parameters == OTHER.parameters)
    assert window.pipeline.shapes.design is window.document.design
    assert len(threads) == 1 and threads[0] is not main_thread(), "the window waited for none"
