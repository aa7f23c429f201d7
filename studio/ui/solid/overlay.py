"""Overlays on the 3-D picture, painted by Qt so that they look the same with every renderer.

Pointed, selected and badged cells; an arrow next to a moving piece; dimensions; the name of a printer's bed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from studio.base.amounts import extent
from studio.geometry.art.artwork import is_bright
from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera, Pixels
from studio.ui.solid.scene import Bed, BodyLook, Scene, box_corners, pixels_in
from studio.ui.widgets.theme import current_theme, icon

# Letters on the pieces

LETTER_PIXELS = 128
RIM = 0.06
"""Margin on each side of a letter, as a share of its box."""


def ink_on(colour: QColor) -> tuple[QColor, float]:
    """The colour and the strength of a letter on a body."""
    return (QColor("#1D1F24"), 0.78) if is_bright(colour.name()) else (QColor("#FFFFFF"), 0.92)


def line_path(words: str) -> QPainterPath:
    """The outlines of a line of words, letters 100 high."""
    font = QFont("DejaVu Sans")
    font.setPixelSize(100)
    font.setWeight(QFont.Weight.DemiBold)
    path = QPainterPath()
    path.addText(0.0, 0.0, font, words)
    return path


def letter_path(letter: str, box: QRectF) -> QPainterPath:
    """A letter's outline as large as fits into a box, in its middle."""
    path = line_path(letter)
    around = path.boundingRect()
    scale = min(box.width() / max(around.width(), 1e-6), box.height() / max(around.height(), 1e-6))
    centred = path.translated(-around.center())
    return QTransform().translate(box.center().x(), box.center().y()).scale(scale, scale).map(centred)


def sheet_of(letters: tuple[str, ...]) -> NDArray[np.uint8]:
    """Letters side by side, white on black: (pixels, n × pixels)."""
    image = QImage(LETTER_PIXELS * len(letters), LETTER_PIXELS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place, letter in enumerate(letters):
        rim = RIM * LETTER_PIXELS
        box = QRectF(place * LETTER_PIXELS, 0, LETTER_PIXELS, LETTER_PIXELS).adjusted(rim, rim, -rim, -rim)
        painter.fillPath(letter_path(letter, box), Qt.GlobalColor.white)
    painter.end()
    return np.ascontiguousarray(pixels_in(image)[..., 0])


# Dimension lines next to pieces in 3-D: one for each axis, on the outside of the picture, its length in words.


SHORTEST = 10.0
"""Length in pixels below which an edge points too much at the eye to be measured."""
BEYOND = 5.0
"""Overshoot of the lines from the corners beyond the dimension line, in pixels."""
HEAD, HALF_HEAD = 9.0, 3.0
"""An arrow's head and half its width, in pixels."""
PADDING = 4.0, 1.0
"""Padding around a length, at the sides and above and below, in pixels."""
_SIDES = tuple((axis, end) for axis in range(3) for end in (0, 1))


def paint_dimensions(
    painter: QPainter, ends: Floats, camera: Camera, pixels: Pixels, away: float, colour: QColor
) -> None:
    """Paint the lengths of a box given by its least and greatest coordinates (2, 3), `away` pixels from its edges."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    middle = camera.project(ends.mean(axis=0)[None], pixels)[0, :2]
    for axis, edge in _edges(ends, camera, pixels):
        spots = camera.project(edge, pixels)[:, :2]
        way = spots[1] - spots[0]
        length = float(np.linalg.norm(way))
        if length >= SHORTEST:
            across = np.array([-way[1], way[0]]) / length
            outwards = across if across @ (spots.mean(axis=0) - middle) >= 0 else -across
            _paint_line(painter, spots, outwards, away, colour)
            words = extent(float(ends[1, axis] - ends[0, axis]))
            _paint_length(painter, QPointF(*(spots.mean(axis=0) + away * outwards).tolist()), words, pixels, colour)
    painter.restore()


def _edges(ends: Floats, camera: Camera, pixels: Pixels) -> Iterator[tuple[int, Floats]]:
    """For each axis the edge (2, 3) of a box that is measured: an edge on its visible contour.

    Level edges are measured below, upright ones at the side.
    """
    middle = ends.mean(axis=0)
    faces = {side: _faces(camera, ends, side) for side in _SIDES}
    centre = camera.project(middle[None], pixels)[0, :2]
    for axis in range(3):
        one, other = (each for each in range(3) if each != axis)
        found: list[tuple[float, Floats]] = []
        for at in (0, 1):
            for beside in (0, 1):
                if faces[one, at] == faces[other, beside]:
                    continue
                edge = ends.copy()
                edge[:, one], edge[:, other] = ends[at, one], ends[beside, other]
                right, down = (camera.project(edge, pixels)[:, :2].mean(axis=0) - centre).tolist()
                found.append((abs(right) if axis == 2 else down, edge))
        if found:
            yield axis, max(found, key=lambda each: each[0])[1]


def _faces(camera: Camera, ends: Floats, side: tuple[int, int]) -> bool:
    """True if a side of a box faces the eye."""
    axis, end = side
    return bool((camera.onlooker[axis] - ends[end, axis]) * (1 if end else -1) > 0)


def _paint_line(painter: QPainter, spots: Floats, outwards: Floats, away: float, colour: QColor) -> None:
    thin = QPen(colour, 1.0)
    thin.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(thin)
    tail, tip = spots + away * outwards
    for corner, end in zip(spots, (tail, tip), strict=True):
        painter.drawLine(QPointF(*(corner + 2.0 * outwards).tolist()), QPointF(*(end + BEYOND * outwards).tolist()))
    painter.drawLine(QPointF(*tail.tolist()), QPointF(*tip.tolist()))
    way = (tip - tail) / max(float(np.linalg.norm(tip - tail)), 1e-9)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    for point, along in ((tail, way), (tip, -way)):
        across = np.array([-along[1], along[0]])
        head = [point, point + HEAD * along + HALF_HEAD * across, point + HEAD * along - HALF_HEAD * across]
        painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in np.array(head).tolist()]))


def _paint_length(painter: QPainter, middle: QPointF, words: str, pixels: Pixels, colour: QColor) -> None:
    """Write a length upright on a plain ground, moved so that it stays within the picture."""
    theme, metrics = current_theme(), QFontMetricsF(painter.font())
    box = QRectF(0, 0, metrics.horizontalAdvance(words) + 2 * PADDING[0], metrics.height() + 2 * PADDING[1])
    box.moveCenter(middle)
    box.moveLeft(min(max(box.left(), 1.0), max(pixels[0] - box.width() - 1.0, 1.0)))
    box.moveTop(min(max(box.top(), 1.0), max(pixels[1] - box.height() - 1.0, 1.0)))
    painter.setPen(QPen(colour, 1.0))
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(box, 3, 3)
    painter.setPen(theme.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)


NEAR, FAR = 13.0, 30.0
"""Distance of dimensions from a single piece and from all pieces, in pixels."""
BADGE = 14
"""Size of an icon on a cell, in pixels."""
MARKED = 0.85
"""Opacity of the fill of a pointed cell."""
NAME_HIGH, NAME_BELOW = 0.022, 0.02
"""Height of the name of a bed, and its distance from the bed, as shares of the bed's width."""
_FLATS = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
"""The sides of a box by the numbers of its corners, counter-clockwise from outside."""


@dataclass(frozen=True, eq=False)
class Mark:
    """A cell (2, 3) of a body, in the body's own mm, marked in a colour."""

    number: int
    cell: Floats
    colour: QColor


@dataclass(frozen=True, eq=False)
class Chosen:
    """A selected cell of a body, by the numbers of both."""

    number: int
    cell: int


@dataclass(frozen=True, eq=False)
class Badge:
    """A cell of a body, by the numbers of both, and the name of an icon on it."""

    number: int
    cell: int
    icon: str


class Overlay:
    """Paints over a picture of a scene; `pick` finds the body at a place, None while it is not known."""

    def __init__(
        self, painter: QPainter, scene: Scene, camera: Camera, pixels: Pixels,
        pick: Callable[[float, float], int | None] | None,
    ) -> None:  # fmt: skip
        self._painter, self._scene, self._camera, self._pixels = painter, scene, camera, pixels
        self._pick = pick

    def paint_bed(self, bed: Bed) -> None:
        """Write the name of a printer's bed on the ground in front of it; not if seen from below."""
        plate = self._scene.plate
        if plate is None or self._camera.onlooker[2] <= 0:
            return
        left, front, right, _ = plate
        path = line_path(bed.name)
        box = path.boundingRect()
        high = NAME_HIGH * (right - left)
        wide = high * box.width() / max(box.height(), 1e-6)
        below = front - NAME_BELOW * (right - left)
        ground = np.array([[left, below, 0], [left + wide, below, 0], [left + wide, below - high, 0],
                           [left, below - high, 0]])  # fmt: skip
        spots = self._camera.project(ground, self._pixels)[:, :2].tolist()
        corners = QPolygonF([box.topLeft(), box.topRight(), box.bottomRight(), box.bottomLeft()])
        onto = QTransform.quadToQuad(corners, QPolygonF([QPointF(x, y) for x, y in spots]))
        if isinstance(onto, QTransform):
            self._painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._painter.fillPath(onto.map(path), self._scene.plate_rim or current_theme().quiet)

    def paint_dimensions(self) -> None:
        """Paint the size of all bodies, unless they are apart, and that of a selected one."""
        theme, placed = current_theme(), self._scene.placed
        if placed and not any(each.shift.any() for each in placed):
            self._paint_size(self._scene.body_corners, FAR, theme.text)
        for each in placed:
            if each.look is BodyLook.SELECTED:
                self._paint_size(each.body.box + each.shift, NEAR, theme.accent)

    def _paint_size(self, corners: Floats, away: float, colour: QColor) -> None:
        ends = np.array([corners.min(axis=0), corners.max(axis=0)])
        paint_dimensions(self._painter, ends, self._camera, self._pixels, away, colour)

    def paint_chosen(self, cells: Sequence[Chosen]) -> None:
        """Tint and outline cells."""
        painter, shown = self._painter, self._scene.by_number
        chosen = [(shown[each.number], each.cell) for each in cells if each.number in shown]
        if not chosen:
            return
        boxes = self._boxes
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        accent = current_theme().accent
        tint, quiet = QColor(accent), QColor(accent)
        tint.setAlphaF(0.30)
        quiet.setAlphaF(0.55)
        firm = QPen(accent, 2, j=Qt.PenJoinStyle.RoundJoin)
        broken = QPen(quiet, 1, Qt.PenStyle.DashLine, j=Qt.PenJoinStyle.RoundJoin)
        seen: list[list[QPointF]] = []
        unseen: list[list[QPointF]] = []
        for placed, cell in chosen:
            corners = box_corners(placed.body.cells[cell] + placed.shift)
            sides = list(self._sides(corners))
            free = [outline for flat, outline in sides if self._is_seen(placed.number, corners, flat, boxes)]
            (seen if free else unseen).extend(free or [outline for _flat, outline in sides])
        for polygons, pen, brush in ((unseen, broken, None), (seen, firm, tint)):
            painter.setPen(pen)
            painter.setBrush(brush if brush is not None else Qt.BrushStyle.NoBrush)
            for polygon in polygons:
                painter.drawPolygon(polygon)

    def paint_badges(self, badges: Sequence[Badge]) -> None:
        """Paint icons on cells."""
        shown = self._scene.by_number
        boxes = self._boxes if badges and shown else np.empty((0, 2, 3))
        for badge in badges:
            placed = shown.get(badge.number)
            if placed is None or placed.look is BodyLook.DIMMED:
                continue
            corners = box_corners(placed.body.cells[badge.cell] + placed.shift)
            for flat, outline in self._sides(corners):
                if self._is_seen(badge.number, corners, flat, boxes):
                    _paint_badge(self._painter, (outline[0] + outline[2]) / 2, badge.icon)
                    break

    @property
    def _boxes(self) -> Floats:
        return np.concatenate([each.body.cells + each.shift for each in self._scene.placed])

    def _sides(self, corners: Floats) -> Iterator[tuple[tuple[int, ...], list[QPointF]]]:
        """Sides of a box that face us: the numbers of their corners, and the corners' places in the picture."""
        spots = [QPointF(x, y) for x, y, _ in self._camera.project(corners, self._pixels).tolist()]
        for flat in _FLATS:
            outline = [spots[each] for each in flat]
            if _turns_to_us(outline):
                yield flat, outline

    def _is_seen(self, number: int, corners: Floats, flat: tuple[int, ...], boxes: Floats) -> bool:
        """True if a side facing us touches no other cell and, when nothing moves, its middle is visible."""
        middle = corners[list(flat)].mean(axis=0)
        outside = middle + 1e-3 * (middle - corners.mean(axis=0))
        if ((boxes[:, 0] < outside) & (outside < boxes[:, 1])).all(axis=1).any():
            return False
        if self._pick is None:
            return True
        x, y, _ = self._camera.project(middle[None], self._pixels)[0].tolist()
        return self._pick(x, y) == number

    def paint_mark(self, mark: Mark | None) -> None:
        """Mark the visible sides of a cell; hidden sides would make it look like two cells."""
        painter = self._painter
        placed = self._scene.by_number.get(mark.number) if mark is not None else None
        if mark is None or placed is None:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = QColor(mark.colour)
        fill.setAlphaF(MARKED)
        painter.setBrush(fill)
        painter.setPen(QPen(current_theme().accent, 2, j=Qt.PenJoinStyle.RoundJoin))
        corners, boxes = box_corners(mark.cell + placed.shift), self._boxes
        sides = list(self._sides(corners))
        seen = [outline for flat, outline in sides if self._is_seen(mark.number, corners, flat, boxes)]
        for outline in seen or [outline for _flat, outline in sides]:
            painter.drawPolygon(outline)

    def paint_arrow(self, number: int | None) -> None:
        """Paint an arrow next to a moving body."""
        placed = self._scene.by_number.get(number) if number is not None else None
        if placed is None or not placed.shift.any():
            return
        corners = placed.body.box
        ends = (corners + placed.shift, corners)
        before, after = (self._camera.project(each, self._pixels)[:, :2] for each in ends)
        middle = self._camera.project(self._scene.middle[None], self._pixels)[0, :2]
        far, near = (float(np.linalg.norm(self._camera.onlooker - each.mean(axis=0))) for each in ends)
        paint_arrow(self._painter, before, after, middle, is_coming=near < far)


def _paint_badge(painter: QPainter, middle: QPointF, name: str) -> None:
    theme = current_theme()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.line, 1))
    painter.setBrush(theme.panel)
    painter.drawEllipse(middle, BADGE * 0.75, BADGE * 0.75)
    box = QRectF(0, 0, BADGE, BADGE)
    box.moveCenter(middle)
    icon(name).paint(painter, box.toRect())


def _turns_to_us(spots: Sequence[QPointF]) -> bool:
    """True if a polygon's corners run counter-clockwise on the screen."""
    area = sum(a.x() * b.y() - b.x() * a.y() for a, b in zip(spots, [*spots[1:], spots[0]], strict=True))
    return area < 0


# The arrow that shows where a piece goes, and the caption

SHORTEST_ARROW = 14.0
"""An arrow of fewer pixels is a ring with a cross: the piece goes away from the eye, or towards it."""
ASIDE = 12.0
"""Distance of an arrow from the way of its piece, in pixels."""
ARROW_HEAD, HALF_ARROW_HEAD, SHAFT, HALO = 15.0, 7.5, 3.5, 2.5
"""An arrow's head, half its width, the width of its shaft and the margin around it, in pixels."""
LOW = 120.0
"""Pixels by which an arrow must be farther from the middle to be placed below."""
RING, RING_LINE = 12.0, 2.5
CAPTION_PADDING, BELOW = 10.0, 8.0
"""Padding around the words of a caption, and its distance from the end of the picture, in pixels."""


def paint_arrow(painter: QPainter, before: Floats, after: Floats, middle: Floats, *, is_coming: bool) -> None:
    """Paint an arrow along the way of a body whose box goes from corners (8, 2) at `before` to `after`, in pixels.

    It lies on the side farther from `middle`, the middle of the scene, so that it covers little, and rather above than
    below, where a caption is. `is_coming` is True if the body comes nearer to the eye.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    ways = after - before
    way = ways.mean(axis=0)
    length = float(np.linalg.norm(way))
    if length < SHORTEST_ARROW:
        _paint_ring(painter, QPointF(*before.mean(axis=0).tolist()), is_coming=is_coming)
    else:
        way = way / length
        right = np.array([-way[1], way[0]])
        both = [right, -right]
        corners = [int(np.maximum(before @ aside, after @ aside).argmax()) for aside in both]
        reaches = [
            float((before[corner] - middle) @ aside - LOW * aside[1])
            for corner, aside in zip(corners, both, strict=True)
        ]
        chosen = int(np.argmax(reaches))
        aside, corner = both[chosen], corners[chosen]
        _paint_shaft(painter, before[corner] + ASIDE * aside, after[corner] + ASIDE * aside)
    painter.restore()


def _paint_shaft(painter: QPainter, tail: Floats, tip: Floats) -> None:
    length = float(np.linalg.norm(tip - tail))
    if length < 1e-6:
        return
    way = (tip - tail) / length
    across = np.array([-way[1], way[0]])
    head = min(ARROW_HEAD, 0.8 * length)
    neck = tip - head * way
    half, wide = SHAFT / 2, HALF_ARROW_HEAD * head / ARROW_HEAD
    outline = [
        tail + half * across, neck + half * across, neck + wide * across, tip,
        neck - wide * across, neck - half * across, tail - half * across,
    ]  # fmt: skip
    polygon = QPolygonF([QPointF(x, y) for x, y in np.array(outline).tolist()])
    path = QPainterPath()
    path.addPolygon(polygon)
    path.closeSubpath()
    theme = current_theme()
    painter.setPen(QPen(theme.canvas, 2 * HALO, j=Qt.PenJoinStyle.RoundJoin))
    painter.setBrush(theme.accent)
    painter.drawPath(path)
    painter.fillPath(path, theme.accent)


def _paint_ring(painter: QPainter, middle: QPointF, *, is_coming: bool) -> None:
    """A dot in a ring, the tip of an arrow towards the eye, or a cross, the feathers of an arrow away from it."""
    theme = current_theme()
    painter.setPen(QPen(theme.canvas, 2 * HALO))
    painter.setBrush(theme.canvas)
    painter.drawEllipse(middle, RING, RING)
    pen = QPen(theme.accent, RING_LINE, c=Qt.PenCapStyle.RoundCap)
    painter.setPen(pen)
    painter.drawEllipse(middle, RING, RING)
    if is_coming:
        painter.setBrush(theme.accent)
        painter.drawEllipse(middle, 2.0, 2.0)
        return
    reach = RING * 0.5
    for sign in (1, -1):
        painter.drawLine(middle + QPointF(-reach, -sign * reach), middle + QPointF(reach, sign * reach))


def paint_caption(painter: QPainter, room: QRect, words: str) -> None:
    """Paint a sentence on a plain ground in the middle of the lower end of a picture, unless it is empty."""
    if not words:
        return
    theme = current_theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    metrics = QFontMetricsF(painter.font())
    text = metrics.elidedText(words, Qt.TextElideMode.ElideRight, max(0.0, room.width() - 4 * CAPTION_PADDING))
    box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * CAPTION_PADDING, metrics.height() + CAPTION_PADDING)
    box.moveCenter(QPointF(room.width() / 2, room.height() - BELOW - box.height() / 2))
    painter.setPen(QPen(theme.line, 1))
    painter.setBrush(theme.panel)
    painter.drawRoundedRect(box, 6, 6)
    painter.setPen(theme.text)
    painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
    painter.restore()
