"""Artwork on the canvas: regions and pictures below the lines, where they are in mm, decoded once."""

import io
import subprocess
import sys
from dataclasses import replace

import numpy as np
from PIL import Image
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QGraphicsItem, QGraphicsScene, QGraphicsView

from studio.base.progress import Progress
from studio.geometry.art.artwork import Picture, Region
from studio.geometry.board.tiling_construction import tiled
from studio.geometry.planar.drawing import Drawing
from studio.puzzles.jigsaw.model.design import JigsawDesign, JigsawParameters
from studio.puzzles.jigsaw.model.geometry import shape, shaped
from studio.ui.canvas.drawing_tiles import DrawingLayer, outline
from studio.ui.canvas.ink import Sizes, changes, decoded_sizes, sizes_of
from studio.ui.canvas.paths import PathItem
from studio.ui.widgets.theme import current_theme
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
PICTURE = Picture.from_bytes(picture(), (24.0, 24.0, 12.0, 8.0))


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


def shaded(columns: int, rows: int) -> bytes:
    """A picture of as many pixels as it is wanted, each in a colour of its own."""
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    file = io.BytesIO()
    Image.fromarray(np.stack([x, y, x * y], 2).astype(np.uint8)).save(file, "PNG")
    return file.getvalue()


def pixels(image: QImage) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Red, green, blue and opacity of an image."""
    form = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return np.frombuffer(form.constBits(), np.uint8).reshape(form.height(), form.bytesPerLine() // 4, 4).copy()


def test_a_picture_is_halved_in_bands_as_if_at_once(qapp: QApplication) -> None:
    for columns, rows in ((1024, 700), (514, 3), (300, 1)):
        sizes = Sizes(shaded(columns, rows))
        whole, half = sizes.at_least(columns), sizes.at_least(columns // 2)
        assert (half.width(), half.height()) == (columns // 2, max(1, rows // 2))
        even = whole.copy(0, 0, 2 * half.width(), min(rows, 2 * half.height()))
        smooth = Qt.TransformationMode.SmoothTransformation
        assert np.array_equal(pixels(half), pixels(even.scaled(half.size(), mode=smooth)))


def test_a_picture_is_decoded_once_for_as_long_as_somebody_shows_it(qapp: QApplication) -> None:
    data = [shaded(100, each) for each in range(40, 45)]
    shown = sizes_of(data[0])
    for other in data[1:]:
        sizes_of(other)
    assert decoded_sizes(data[0]) is shown and decoded_sizes(data[1]) is None
    assert decoded_sizes(data[-1]) is not None


def test_tiles_over_a_picture_keep_their_pixels_unless_they_are_large(qapp: QApplication) -> None:
    drawing = shape(
        JigsawDesign(JigsawParameters(columns=12, rows=12, width=120, height=120)), None, Progress()
    ).drawing
    photo = Picture.from_bytes(shaded(60, 60), (0.0, 0.0, 120.0, 120.0))
    scene = QGraphicsScene()
    layer, view = DrawingLayer(scene), QGraphicsView(scene)
    view.setRenderHint(QPainter.RenderHint.Antialiasing)
    # Qt begins dashes at the rim of what it paints.
    layer.show_draft(False)
    view.resize(500, 400)

    def kept() -> set[bool]:
        none = QGraphicsItem.CacheMode.NoCache
        tiles = [item for item in scene.items() if isinstance(item, PathItem) and not item.boundingRect().isNull()]
        return {item.cacheMode() != none for item in tiles}

    layer.show(drawing, settled=True)
    assert kept() == {False}
    layer.show(replace(drawing, artwork=(photo,)), settled=True)
    images = []
    for zoom, keeps in ((6.0, True), (30.0, False), (6.0, True)):
        view.resetTransform()
        view.scale(zoom, zoom)
        layer.show_zoom(zoom)
        assert kept() == {keeps}
        for at in (QPointF(55, 60), QPointF(60, 55)):
            view.centerOn(at)
            images.append(pixels(view.grab().toImage()).astype(int))
    layer.show_zoom(1000.0)  # as if they were large
    assert kept() == {False}
    painted = pixels(view.grab().toImage()).astype(int)
    # Blended twice, colours are rounded twice; and Qt cuts lines off where the view ends.
    assert np.count_nonzero(abs(painted - images[-1]).max(axis=2) > 4) < 40
    layer.show(drawing, settled=True)
    assert kept() == {False}


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


def squares(*places: tuple[float, float], fill: str = "#3355AA") -> Region:
    """Squares of 4 mm with these upper left corners."""
    square = np.array([(0.0, 0), (4, 0), (4, 4), (0, 4)])
    return Region(tuple(square + place for place in places), fill)


def test_where_a_region_changes_only_the_rings_that_differ_are_told() -> None:
    before = (squares((0, 0)), squares((10, 10), (20, 10)), squares((40, 30)))
    after = (before[0], squares((10, 10), (30, 10)), before[2])
    assert {box.getRect() for box in changes(before, after)} == {(20, 10, 4, 4), (30, 10, 4, 4)}
    assert changes(before, before) == []
    other = (before[0], squares((10, 10), (20, 10), fill="#AA5533"), before[2])
    assert [box.getRect() for box in changes(before, other)] == [(10, 10, 14, 4)] * 2
    more = (before[0], squares((1, 1)), *before[1:])
    assert [box.getRect() for box in changes(before, more)] == [(1, 1, 4, 4)]
    assert [box.getRect() for box in changes(more, before)] == [(1, 1, 4, 4)]
    swapped = (before[1], before[0], before[2])
    assert {box.getRect() for box in changes(before, swapped)} == {(0, 0, 4, 4), (10, 10, 4, 4), (20, 10, 4, 4)}


def test_artwork_that_changes_in_one_place_is_painted_there_and_looks_as_if_made_anew(qapp: QApplication) -> None:
    plain, scene = board(), QGraphicsScene()
    layer = DrawingLayer(scene)
    view = QGraphicsView(scene)
    view.resize(640, 440)
    view.show()
    assert QTest.qWaitForWindowExposed(view)
    before = tuple(squares((3 * at, 30)) for at in range(8))
    layer.show(replace(plain, artwork=before), settled=True)
    QTest.qWait(50)
    start = layer.artwork.painted
    assert start >= 8
    after = (*before[:2], squares((5.5, 30)), *before[3:])
    layer.show(replace(plain, artwork=after), settled=True)
    qapp.processEvents()
    assert 1 <= layer.artwork.painted - start < 8, "what lies elsewhere is left as it is"
    shown = view.grab().toImage()
    view.viewport().update()
    assert shown == view.grab().toImage()
    view.close()
    fresh_scene = QGraphicsScene()
    assert seen(layer, scene, replace(plain, artwork=after)) == seen(
        DrawingLayer(fresh_scene), fresh_scene, replace(plain, artwork=after)
    )


def test_what_is_not_there_is_not_painted_again(qapp: QApplication) -> None:
    scene = QGraphicsScene(0, 0, 60, 40)
    item = PathItem(1.0)
    scene.addItem(item)
    view = QGraphicsView(scene)
    view.show()
    assert QTest.qWaitForWindowExposed(view)
    QTest.qWait(50)
    changed: list[object] = []
    scene.changed.connect(changed.append)
    item.fill_paths([])
    QTest.qWait(20)
    assert changed == []
    path = QPainterPath()
    path.addRect(5, 5, 10, 10)
    for filled in ([(path, lambda theme: theme.cut)], []):
        changed.clear()
        item.fill_paths(filled)
        QTest.qWait(20)
        assert changed, "what comes and what goes is painted"
    view.close()


READ_BESIDE = """
import sys
from threading import Thread
from PySide6.QtGui import QImage
from studio.ui.canvas.ink import sizes_of
data = sys.stdin.buffer.read()
def read():
    for number in range(2000):
        sizes_of(data + bytes([number // 256, number % 256]))
beside = Thread(target=read, daemon=True)
beside.start()
while beside.is_alive():
    assert not QImage.fromData(data).isNull()
"""


def test_pictures_can_be_read_on_several_threads_at_once() -> None:
    """Qt looks for their format under a lock, where a thread may wait for Python and another for the lock."""
    read = subprocess.run([sys.executable, "-c", READ_BESIDE], input=picture(), timeout=60, check=False)
    assert read.returncode == 0
