"""Artwork on the canvas: regions and pictures below the lines, where they are in mm, decoded once."""

import io
from dataclasses import replace

import numpy as np
from PIL import Image
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication, QGraphicsScene

from studio.geometry.artwork import Picture, Region
from studio.geometry.drawing import Drawing
from studio.geometry.tiling import tiled
from studio.progress import Progress
from studio.puzzles.jigsaw.geometry import shape, shaped
from studio.puzzles.jigsaw.model import JigsawDesign, JigsawParameters
from studio.ui.canvas.layers import DrawingLayer, outline
from studio.ui.theme import current_theme
from tests.geometry.nets import grid, scaled


def board() -> Drawing:
    """A board of 60 × 40 mm."""
    parameters = JigsawParameters(columns=3, rows=2, width=60, height=40, perturbation=0.0)
    return shape(JigsawDesign(parameters), None, Progress()).drawing


def picture() -> bytes:
    """Two pixels beside each other, red and green."""
    file = io.BytesIO()
    Image.fromarray(np.array([[[255, 0, 0], [0, 255, 0]]], np.uint8)).save(file, "PNG")
    return file.getvalue()


FRAME = Region(
    (np.array([(2.0, 2), (18, 2), (18, 18), (2, 18)]), np.array([(6.0, 6), (14, 6), (14, 14), (6, 14)])), "#3355AA"
)
PICTURE = Picture.of(picture(), (24.0, 24.0, 12.0, 8.0))


def seen(layer: DrawingLayer, scene: QGraphicsScene, drawing: Drawing) -> QImage:
    """What is seen of a drawing at 10 pixels a mm."""
    layer.show(drawing, settled=True)
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    scene.render(painter, QRectF(0, 0, 600, 400), QRectF(0, 0, 60, 40))
    painter.end()
    return image


def test_regions_and_pictures_are_seen_on_the_board_under_its_lines(qapp: QApplication) -> None:
    scene = QGraphicsScene()
    layer = DrawingLayer(scene)
    plain = board()
    image = seen(layer, scene, replace(plain, artwork=(FRAME, PICTURE)))
    assert image.pixelColor(40, 40).name() == "#3355aa"
    assert image.pixelColor(100, 100) == current_theme().board  # the hole of the region
    left, right = image.pixelColor(250, 300), image.pixelColor(350, 300)
    assert left.red() > 200 > 60 > left.green() and right.green() > 200 > 60 > right.red()
    # The cut between the first two pieces is drawn over the frame, at their common corner on the border.
    bare = seen(layer, scene, plain)
    assert bare.pixelColor(40, 40) == current_theme().board
    cover = Region((np.array([(0.0, 0), (60, 0), (60, 40), (0, 40)]),), "#FFFFFF")
    covered = seen(layer, scene, replace(plain, artwork=(cover,)))
    inked = sum(covered.pixelColor(x, y) != QColor("white") for x in range(5, 595, 7) for y in range(5, 395))
    assert inked > 80


def test_a_picture_that_stays_is_decoded_once(qapp: QApplication) -> None:
    scene = QGraphicsScene()
    layer = DrawingLayer(scene)
    plain = board()
    seen(layer, scene, replace(plain, artwork=(FRAME, PICTURE)))
    marks = layer.artwork._marks
    seen(layer, scene, replace(plain, artwork=(FRAME, PICTURE)))
    assert layer.artwork._marks is marks
    seen(layer, scene, replace(plain, artwork=(PICTURE,)))
    assert layer.artwork._marks == [marks[1]] and layer.artwork.shown == (PICTURE,)


def test_the_hole_of_a_board_is_no_wood(qapp: QApplication) -> None:
    tiling = tiled(*scaled(grid(4, 3), 12, 0, 0), voids=[(18.0, 18.0)])
    drawing = shaped(JigsawDesign(JigsawParameters(perturbation=0.0)), tiling).drawing
    wood = outline(drawing)
    assert wood.contains(QPointF(30, 18)) and wood.contains(QPointF(6, 6)) and not wood.contains(QPointF(18, 18))
    assert outline(board()).contains(QPointF(30, 20))
