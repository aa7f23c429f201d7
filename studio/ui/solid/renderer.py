"""Renderers: they draw a scene in a given quality, and find the body at a pixel; the one that works without OpenGL.

draft: quick, while something moves. final: best quality, at rest.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen, QPolygonF, QTransform

from studio.geometry.curves.strokes import Floats
from studio.geometry.solids.projections import Camera
from studio.ui.solid.overlay import ink_on, letter_path
from studio.ui.solid.scene import TO_LIGHT, BodyLook, Placed, Scene, SceneBody, Section, pixels_in, rgb

DRAFT_PIXELS = 800_000
"""Most pixels of a draft; on a sharper or larger screen it is drawn coarser and stretched."""
GHOST = 0.18
LINE = 1.2
"""The width of a line where a body ends, in pixels."""
GRID_MM = 10.0
_SIDES = np.array([
    [[0, 0, 0], [0, 0, 1], [0, 1, 1], [0, 1, 0]], [[1, 0, 0], [1, 1, 0], [1, 1, 1], [1, 0, 1]],
    [[0, 0, 0], [1, 0, 0], [1, 0, 1], [0, 0, 1]], [[0, 1, 0], [0, 1, 1], [1, 1, 1], [1, 1, 0]],
    [[0, 0, 0], [0, 1, 0], [1, 1, 0], [1, 0, 0]], [[0, 0, 1], [1, 0, 1], [1, 1, 1], [0, 1, 1]],
])  # fmt: skip
"""The corners of a box's six sides, counter-clockwise from outside: 0 for its low, 1 for its high end of each axis."""
_OUTWARDS = np.array([[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], float)


class Quality(Enum):
    """Quality of a picture; NUMBERS paints each body in a flat colour that encodes its number, for picking."""

    DRAFT = auto()
    FINAL = auto()
    NUMBERS = auto()


class NoRenderer(Exception):
    """A renderer cannot work on this computer."""


@dataclass(frozen=True, eq=False)
class Shot:
    """A scene as a camera sees it in a picture of `size` logical pixels."""

    scene: Scene
    camera: Camera
    size: QSize

    @property
    def pixels(self) -> tuple[float, float]:
        """The size as two numbers."""
        return float(self.size.width()), float(self.size.height())

    def only(self, chosen: Sequence[bool]) -> Shot:
        """The same with some of the bodies alone; ground, plate and light are as with all of them."""
        placed = tuple(each for each, is_chosen in zip(self.scene.placed, chosen, strict=True) if is_chosen)
        return Shot(self.scene.showing(placed), self.camera, self.size)


class Renderer(ABC):
    """Draws scenes; its constructor raises NoRenderer if it cannot work here."""

    is_slow = False
    """True if even a simple final picture takes longer than a frame, so a draft comes first."""

    def __init__(self) -> None:
        self._shot: Shot | None = None
        self._numbers: NDArray[np.int64] | None = None

    def render(self, scene: Scene, camera: Camera, size: QSize, ratio: float, quality: Quality) -> QImage:
        """A picture of `size` logical pixels with `ratio` real ones for each."""
        self._shot, self._numbers = Shot(scene, camera, size), None
        if quality is Quality.DRAFT:
            ratio = min(ratio, (DRAFT_PIXELS / max(1, size.width() * size.height())) ** 0.5)
        image = self._drawn(self._shot, ratio, quality)
        image.setDevicePixelRatio(ratio)
        return image

    def preparing(self, scene: Scene) -> Iterator[None]:
        """Prepare the first picture of a scene step by step; if left off, the picture does the rest."""
        return iter(())

    def in_slices(self, scene: Scene, camera: Camera, size: QSize, ratio: float) -> Iterator[QImage | None]:
        """Draw the final picture in steps: None after each step, the picture at last; it may be left off at any step.

        Meanwhile the same scene may be drawn otherwise, and picked. A fast renderer does it in one step.
        """
        for image in self._sliced(Shot(scene, camera, size), ratio):
            if image is not None:
                image.setDevicePixelRatio(ratio)
            yield image

    def _sliced(self, shot: Shot, ratio: float) -> Iterator[QImage | None]:
        yield self._drawn(shot, ratio, Quality.FINAL)

    def pick(self, x: float, y: float) -> int | None:
        """Number of the body at a place of the last picture, in logical pixels, or None."""
        shot = self._shot
        if shot is None or not (0 <= x < shot.size.width() and 0 <= y < shot.size.height()):
            return None
        if self._numbers is None:
            self._numbers = numbers_in(self._drawn(shot, 1.0, Quality.NUMBERS))
        place = int(self._numbers[int(y), int(x)]) - 1
        return shot.scene.placed[place].number if place >= 0 else None

    def release(self) -> None:  # noqa: B027 - a renderer that holds nothing has nothing to give back
        """Release the memory on the graphics card; nothing can be drawn afterwards."""

    @abstractmethod
    def _drawn(self, shot: Shot, ratio: float, quality: Quality) -> QImage:
        """The picture; in NUMBERS pixels have the `number_colour` of a body's place in the scene, or are black."""


def number_colour(place: int) -> tuple[int, int, int]:
    """Red, green and blue that encode a body: 1 + its place in the scene, the low byte first."""
    return (place + 1) & 255, (place + 1) >> 8 & 255, (place + 1) >> 16


def numbers_in(image: QImage) -> NDArray[np.int64]:
    """Numbers (height, width) encoded by the colours of a picture."""
    return np.asarray(pixels_in(image) @ np.array([1, 256, 65536]), np.int64)


# Drawing without OpenGL, by Qt's painter alone: the cells' sides as flat polygons, far ones first
#
# Roundings, gaps, shadows and soft shade are left out. Sides are ordered by their middles, so a side may cover a little
# too much while bodies are only just taken apart; together and far apart, the order is right.


@dataclass(frozen=True, eq=False)
class _Hull:
    """The exposed sides of a body's cells: corners (n, 4, 3), directions (n, 3), and a mask (n, 4) of the edges that
    are ends of the body rather than lines within a flat."""

    corners: Floats
    outwards: Floats
    ends: np.ndarray[tuple[int, int], np.dtype[np.bool_]]


class PainterRenderer(Renderer):
    """Flat sides and lines, as in a technical drawing; holds nothing and works everywhere."""

    def __init__(self) -> None:
        super().__init__()
        self._hulls: WeakKeyDictionary[SceneBody, tuple[object, _Hull]] = WeakKeyDictionary()

    def _drawn(self, shot: Shot, ratio: float, quality: Quality) -> QImage:
        image = QImage(QSize(*(max(1, round(side * ratio)) for side in shot.pixels)), QImage.Format.Format_RGB32)
        plain = quality is Quality.NUMBERS
        image.fill(Qt.GlobalColor.black if plain else shot.scene.ground)
        painter = QPainter(image)
        painter.scale(ratio, ratio)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, not plain)
        if not plain:
            _paint_plate(painter, shot)
        for paint in self._sides(shot, plain):
            paint.onto(painter)
        painter.end()
        return image

    def _hull(self, each: Placed, section: Section | None) -> _Hull:
        """Sides of a body or of the rest that a section leaves; kept until it is cut elsewhere."""
        key = None if section is None else (section, each.shift.tobytes())
        known = self._hulls.get(each.body)
        if known is None or known[0] != key:
            cells = each.body.cells
            left = cells if section is None else section.left_of(cells + each.shift) - each.shift
            known = self._hulls[each.body] = key, _hull(left)
        return known[1]

    def _sides(self, shot: Shot, plain: bool) -> list[_Side]:
        """All that is painted, the farthest first."""
        found: list[_Side] = []
        eye = shot.camera.onlooker
        for place, each in enumerate(shot.scene.placed):
            hull = self._hull(each, shot.scene.section)
            corners = hull.corners + each.shift
            middles = corners.mean(axis=1)
            seen = ((eye - middles) * hull.outwards).sum(axis=1) > 0
            spots = shot.camera.project(corners[seen].reshape(-1, 3), shot.pixels)[:, :2].reshape(-1, 4, 2)
            away = np.linalg.norm(eye - middles[seen], axis=1)
            colours = [QColor(*number_colour(place))] * len(spots) if plain else _shades(each, hull.outwards[seen])
            alpha = GHOST if each.look is BodyLook.DIMMED and not plain else 1.0
            rim = None if plain else _rim(each, shot)
            found += [
                _Side(*values, alpha, rim)
                for values in zip(away.tolist(), spots.tolist(), colours, hull.ends[seen].tolist(), strict=True)
            ]
            if shot.scene.has_letters and not plain and each.look is not BodyLook.DIMMED:
                found += _letters(each, shot)
        found.sort(key=lambda side: -side.away)
        return found


@dataclass(frozen=True)
class _Side:
    """One polygon: its distance, its places, its colour, and the mask of edges with a line."""

    away: float
    spots: list[list[float]]
    colour: QColor
    ends: list[bool]
    alpha: float
    rim: QPen | None
    letter: str = ""

    def onto(self, painter: QPainter) -> None:
        """Paint it."""
        places = [QPointF(x, y) for x, y in self.spots]
        if self.letter:
            box = QPolygonF([QPointF(0, 1), QPointF(1, 1), QPointF(1, 0), QPointF(0, 0)])
            turn = QTransform()
            if QTransform.quadToQuad(box, QPolygonF(places), turn):
                painter.fillPath(turn.map(letter_path(self.letter, QRectF(0.06, 0.06, 0.88, 0.88))), self.colour)
            return
        painter.setOpacity(self.alpha)
        painter.setBrush(self.colour)
        # A line of its own colour closes the hair between two sides.
        painter.setPen(QPen(self.colour, 0.8) if self.rim is not None and self.alpha == 1.0 else Qt.PenStyle.NoPen)
        painter.drawPolygon(QPolygonF(places))
        if self.rim is not None:
            painter.setPen(self.rim)
            for at, is_end in enumerate(self.ends):
                if is_end:
                    painter.drawLine(places[at], places[(at + 1) % 4])
        painter.setOpacity(1.0)


def _rim(each: Placed, shot: Shot) -> QPen:
    chosen = each.look is BodyLook.SELECTED
    colour, width = (shot.scene.accent, 2 * LINE) if chosen else (each.body.colour.darker(190), LINE)
    return QPen(colour, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap)


def _shades(each: Placed, outwards: Floats) -> list[QColor]:
    light = 0.62 + 0.34 * np.maximum(outwards @ TO_LIGHT, 0.0) + 0.10 * outwards[:, 2]
    glow = 1.16 if each.look is BodyLook.HOVERED else 1.0
    red, green, blue = rgb(each.body.colour)
    made = []
    for share in light.tolist():
        made.append(QColor.fromRgbF(*(min(1.0, one * share * glow) for one in (red, green, blue))))
    return made


def _letters(each: Placed, shot: Shot) -> list[_Side]:
    found = []
    ink, alpha = ink_on(each.body.colour)
    ink.setAlphaF(alpha)
    for label in each.body.labels:
        middle = label.middle + each.shift
        to_eye = shot.camera.onlooker - middle
        section = shot.scene.section
        if to_eye @ label.facing > 0 and (section is None or section.keeps(middle)):
            spots = shot.camera.project(label.corners + each.shift, shot.pixels)[:, :2]
            # It lies on up to four sides; the nearest is nearer than its middle by up to half a diagonal.
            away = float(np.linalg.norm(to_eye)) - 2.2 * float(np.linalg.norm(label.right + label.up))
            found.append(_Side(away, spots.tolist(), ink, [], 1.0, None, each.body.letter))
    return found


def _paint_plate(painter: QPainter, shot: Shot) -> None:
    scene = shot.scene
    if scene.plate is None or shot.camera.onlooker[2] <= 0:
        return
    left, front, right, back = scene.plate
    rim = np.array([[left, front, 0], [right, front, 0], [right, back, 0], [left, back, 0]], float)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(scene.plate_colour or scene.ground)
    ground = QPolygonF([QPointF(x, y) for x, y, _ in shot.camera.project(rim, shot.pixels).tolist()])
    painter.drawPolygon(ground)
    painter.setPen(QPen(scene.plate_line or scene.ground, 1))
    ends = [[[x, front, 0.0], [x, back, 0.0]] for x in np.arange(left, right, GRID_MM)]
    ends += [[[left, y, 0.0], [right, y, 0.0]] for y in np.arange(front, back, GRID_MM)]
    spots = shot.camera.project(np.array(ends).reshape(-1, 3), shot.pixels)[:, :2].reshape(-1, 2, 2)
    for (x, y), (to_x, to_y) in spots.tolist():
        painter.drawLine(QPointF(x, y), QPointF(to_x, to_y))
    painter.setPen(QPen(scene.plate_rim or scene.ground, 1.6, j=Qt.PenJoinStyle.MiterJoin))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolygon(ground)


def _hull(cells: Floats) -> _Hull:
    """The sides of a body's cells that no other of its cells covers."""
    if not len(cells):
        return _Hull(np.zeros((0, 4, 3)), np.zeros((0, 3)), np.zeros((0, 4), bool))
    low, high = cells[:, 0], cells[:, 1]
    corners = (low[:, None, None] + _SIDES[None] * (high - low)[:, None, None]).reshape(-1, 4, 3)
    outwards = np.tile(_OUTWARDS, (len(cells), 1))
    size = float((high - low).max())
    outside = corners.mean(axis=1) + 1e-3 * size * outwards
    covered = ((outside[:, None] > low[None]) & (outside[:, None] < high[None])).all(axis=2).any(axis=1)
    corners, outwards = corners[~covered], outwards[~covered]
    edges = (corners + np.roll(corners, -1, axis=1)) / 2
    # Two flats share an edge where middle and direction are the same.
    keys = np.concatenate([edges, np.broadcast_to(outwards[:, None], edges.shape)], 2).reshape(-1, 6)
    _, which, counts = np.unique(np.round(keys / (1e-4 * size)).astype(np.int64), axis=0, return_inverse=True,
                                 return_counts=True)  # fmt: skip
    return _Hull(corners, outwards, (counts[which.ravel()] == 1).reshape(-1, 4))
