"""The sheet while it is cut, as a scene of its own: lines in the colours of the laser, pictures of the first N cuts.

The canvas shows this scene instead of the board's own, so nothing of it is left behind when it goes.
bundle: a few cuts, or a few pieces, that follow each other in the plan, painted as one path.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import groupby

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPixmap, QTransform
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QStyleOptionGraphicsItem, QWidget

from studio.fabricate.plan import UNTOUCHED, Playback, Snapshot
from studio.geometry.curves.strokes import Curves, Floats, Ints, Polylines, Runs, offsets
from studio.geometry.planar.drawing import Drawing, Operation
from studio.ui.canvas import paths
from studio.ui.canvas.drawing_tiles import WoodItem, outline
from studio.ui.canvas.paths import cosmetic, zoom_of
from studio.ui.widgets.theme import Painted, Theme, contrast, current_theme

# A picture of the first N of many things, as N grows: painted things stay, and a few copies lead back.
#
# Painting thousands of lines takes longer than a frame. On a film, going on costs only what is new; going back, or far
# ahead, begins at the nearest of the copies that were kept on the way.

Paint = Callable[[QPixmap, int, int], None]
"""Paints on a picture the things from the first number up to the second, without it."""


@dataclass(frozen=True)
class FilmView:
    """View of a scene; films stay valid while it is unchanged."""

    transform: QTransform
    size: QSize
    ratio: float
    is_roomy: bool
    theme: Theme

    @property
    def visible(self) -> QRectF:
        """The part of the scene in view, in mm, with room for the width of a line."""
        inverse, _ = self.transform.inverted()
        return inverse.mapRect(QRectF(QPointF(), QSizeF(self.size)).adjusted(-2, -2, 2, 2))

    @property
    def bytes(self) -> int:
        """Memory of one picture, in bytes."""
        return max(1, 4 * round(self.size.width() * self.size.height() * self.ratio**2))

    def blank(self) -> QPixmap:
        """A picture of nothing."""
        picture = QPixmap(self.size * self.ratio)
        picture.setDevicePixelRatio(self.ratio)
        picture.fill(Qt.GlobalColor.transparent)
        return picture

    def painter(self, picture: QPixmap) -> QPainter:
        """A painter that paints in mm."""
        painter = QPainter(picture)
        painter.setTransform(self.transform)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        return painter


class Film:
    """Grows from a picture of nothing to one of `total` things; keeps up to `copies` on the way."""

    def __init__(self, blank: QPixmap, total: int, copies: int, paint: Paint) -> None:
        self._paint = paint
        self._stride = max(1, -(-total // (copies + 1)))
        self._kept = {0: blank}
        self._picture, self._count = blank.copy(), 0
        self.painted = 0
        """Number of things painted since the film began, for tests."""

    def after(self, count: int) -> QPixmap:
        """The picture of the first `count` things; it may be painted on later, so show it at once."""
        nearest = max(kept for kept in self._kept if kept <= count)
        if count < self._count or nearest > self._count:
            # Take a copy's pixels into the picture itself: fresh memory of that size costs more than the copying.
            painter = QPainter(self._picture)
            painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Source)
            painter.drawPixmap(0, 0, self._kept[nearest])
            painter.end()
            self._count = nearest
        while self._count < count:
            end = min(count, (self._count // self._stride + 1) * self._stride)
            self._paint(self._picture, self._count, end)
            self.painted += end - self._count
            self._count = end
            if end % self._stride == 0 and end not in self._kept:
                self._kept[end] = self._picture.copy()
        return self._picture


A_BUNDLE = 8
MANY = 6 * A_BUNDLE
"""If more cuts or pieces than this change at once, all are painted: Qt is slower at a sheet in many patches."""
ROOMY_PIECES = 110
"""Most pieces on the screen whose cuts are drawn two pixels wide; for more, that takes too long."""
FILM_BYTES, MOST_COPIES = 64_000_000, 6
"""Bytes for optional copies of the films, and the most copies of use."""
SINK_SECONDS = 0.8
SUNK = 0.10
"""Share by which a piece shrinks while it sinks."""
MOST_SINKING = 120
"""Most pieces shown sinking at once; if more fall together, the rest vanish at once."""
RECENT_TRAVELS = 16
"""Number of travel moves shown, the older the fainter; all of them would hide the sheet."""
LEAST_CONTRAST = 3.0
"""Contrast that WCAG 2.2 requires of meaningful lines."""
HOLE_TOLERANCE = 0.05
"""Most distance of a hole's edge from the cut, in mm; the line drawn over it is broader at any usual zoom."""
NO_LINES = Curves.from_strokes([])
LITTLE = 0.1
"""Distance in mm too small to be seen on a sheet."""
SHEET_Z, TAB_Z, TRAVEL_Z, HEAD_Z = range(1, 5)
TAB_PIXELS = 5.0
"""Breadth of a holding tab on the screen, and its least length."""


def legible(colour: QColor, ground: QColor) -> QColor:
    """A colour lightened or darkened, in its own hue, until it contrasts with the background."""
    towards = QColor("white") if ground.lightnessF() < 0.5 else QColor("black")
    for share in range(20):
        mixed = blended(colour, towards, share / 20)
        if contrast(mixed, ground) >= LEAST_CONTRAST:
            return mixed
    return towards


def blended(one: QColor, other: QColor, share: float) -> QColor:
    """A colour on the way from one to another."""
    return QColor.fromRgbF(
        one.redF() + share * (other.redF() - one.redF()),
        one.greenF() + share * (other.greenF() - one.greenF()),
        one.blueF() + share * (other.blueF() - one.blueF()),
    )


class Bundles:
    """Lines in the order of the plan, a few to a path, so that any span of them is painted in a few strokes."""

    def __init__(self, lines: Curves | Polylines, kinds: Sequence[object] = ()) -> None:
        """Lines of different kinds, where any are given, never share a path."""
        self._lines = lines
        self._boxes = _boxes(lines)
        self._spans = list(_alike(kinds, A_BUNDLE) if kinds else spans(0, len(lines), A_BUNDLE))
        self._paths: dict[int, QPainterPath] = {}
        self._bounds = [self.bounds(first, end) for first, end in self._spans]

    def __len__(self) -> int:
        return len(self._lines)

    def path(self, first: int, end: int) -> QPainterPath:
        """The lines from first up to end as one path."""
        starts = self._lines.starts[first : end + 1]
        part = type(self._lines)(self._lines.points[starts[0] : starts[-1]], starts - starts[0])
        return paths.curved(part) if isinstance(part, Curves) else paths.lined(part)

    def bounds(self, first: int, end: int) -> QRectF:
        """Bounding rectangle of the lines first to end, in mm; the span must not be empty."""
        return _around(self._boxes[first:end].reshape(-1, 2))

    def between(self, first: int, end: int, visible: QRectF) -> Iterator[tuple[int, QPainterPath]]:
        """Paths of the visible lines from first to end, each with the number of its first line."""
        at = max(bisect_right(self._spans, (first, len(self))) - 1, 0)
        while at < len(self._spans) and self._spans[at][0] < end:
            begin, stop = self._spans[at]
            bounds = self._bounds[at]
            if (first <= begin and stop <= end) and visible.contains(bounds):
                if at not in self._paths:
                    self._paths[at] = self.path(begin, stop)
                yield begin, self._paths[at]
            elif bounds.intersects(visible):
                seen = self._in_view(max(first, begin), min(end, stop), visible)
                if len(seen):
                    yield begin, self.path(int(seen[0]), int(seen[-1]) + 1)
            at += 1

    def _in_view(self, first: int, end: int, visible: QRectF) -> Ints:
        """Lines of a span whose boxes meet the visible part; painting all of them would cost as much."""
        left, top, right, bottom = self._boxes[first:end].T
        across = (left <= visible.right()) & (right >= visible.left())
        return first + np.flatnonzero(across & (top <= visible.bottom()) & (bottom >= visible.top()))


Inks = Callable[[Theme], Mapping[Operation, QColor]]


def inks_of(profile: Mapping[Operation, QColor]) -> Inks:
    """The colours of a profile, made legible on a theme's board."""

    @cache
    def inks(theme: Theme) -> Mapping[Operation, QColor]:
        return {operation: legible(colour, theme.board) for operation, colour in profile.items()}

    return inks


class SheetItem(QGraphicsItem):
    """The pieces that have fallen and the lines, cut and uncut."""

    def __init__(self, inks: Inks) -> None:
        super().__init__()
        self._inks = inks
        self.setZValue(SHEET_Z)
        self._snapshot = UNTOUCHED
        self.operations: Sequence[Operation] = ()
        """Operation of each cut, in the order of the plan."""
        self._bounds = QRectF()
        self._crowd, self._cell = 1, 1.0
        self._cuts, self._pieces = Bundles(NO_LINES), Bundles(NO_LINES)
        self._sinking: dict[int, tuple[float, QPainterPath]] = {}
        self._now = 0.0
        self._pens: dict[Operation, QPen] = {}
        self._sight: FilmView | None = None
        self._films: tuple[Film, Film] | None = None
        self._painted = 0

    @property
    def painted(self) -> int:
        """Number of cuts and pieces painted since the item was made, for tests."""
        return self._painted + sum(film.painted for film in self._films or ())

    def forget(self) -> None:
        """Free the memory of the films; they are made again when they are shown."""
        self._painted = self.painted
        self._sight = self._films = None

    def show_plan(self, playback: Playback) -> None:
        """Load another plan, with nothing cut yet."""
        self.prepareGeometryChange()
        self.forget()
        drawing = playback.plan.drawing
        self._snapshot, self.operations = playback.at(0.0), playback.operations
        self._sinking.clear()
        self._cuts = Bundles(drawing.strokes.chosen(playback.codes >> 1), playback.operations)
        self._pieces = Bundles(_outlines(drawing, playback.falls) if len(playback.falls) else NO_LINES)
        # A piece of a large board comes with two cuts; in a drawing without pieces, the cuts tell how full it is.
        self._crowd = max(len(self._pieces), len(self._cuts) // 2, 1)
        self._cell = float(np.sqrt(drawing.width * drawing.height / self._crowd))
        self._bounds = QRectF(0, 0, drawing.width, drawing.height)
        if len(self._cuts):
            self._bounds = self._bounds.united(self._cuts.bounds(0, len(self._cuts)))
        self._bounds.adjust(-self._cell, -self._cell, self._cell, self._cell)
        self.update()

    def show_snapshot(self, snapshot: Snapshot, now: float) -> None:
        """Show another state of the plan; `now` is the clock by which pieces sink, in s."""
        before, self._snapshot = self._snapshot, snapshot
        self._sink(before.fallen, snapshot.fallen, now)
        for part in (before.under_way, snapshot.under_way):
            if len(part):
                self._update(_around(part))
        self._changed(self._cuts, before.cut, snapshot.cut)
        self._changed(self._pieces, before.fallen, snapshot.fallen)

    def _changed(self, what: Bundles, before: int, after: int) -> None:
        """Repaint the lines or pieces between both numbers."""
        first, end = sorted((before, after))
        if end - first > MANY:
            self.update()
        else:
            for begin, stop in spans(first, end, 2 * A_BUNDLE):
                self._update(what.bounds(begin, stop))

    def advance_sinking(self, now: float) -> bool:
        """Let falling pieces sink to their present depth; returns whether any still sinks."""
        for piece in self._sinking:
            self._update(self._pieces.bounds(piece, piece + 1))
        self._sinking = {piece: sinks for piece, sinks in self._sinking.items() if now - sinks[0] < SINK_SECONDS}
        self._now = now
        return bool(self._sinking)

    def _sink(self, before: int, after: int, now: float) -> None:
        self._now = now
        if after < before:
            self._sinking = {piece: sinks for piece, sinks in self._sinking.items() if piece < after}
        elif after - before <= MOST_SINKING - len(self._sinking):
            self._sinking.update((piece, (now, self._pieces.path(piece, piece + 1))) for piece in range(before, after))

    def _update(self, part: QRectF) -> None:
        pixels = 3.0 / zoom_of(self)
        self.update(part.adjusted(-pixels, -pixels, pixels, pixels))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if widget is None:
            return
        holes, lines = self._seen(painter.worldTransform(), widget)
        self._paint_film(painter, holes.after(self._snapshot.fallen))
        # Pieces on their way down: smaller and fainter, over their holes.
        theme = current_theme()
        for begin, path in self._sinking.values():
            centre = path.controlPointRect().center()
            share = min(max((self._now - begin) / SINK_SECONDS, 0.0), 1.0)
            share *= 2 - share
            painter.save()
            painter.translate(centre)
            painter.scale(1 - SUNK * share, 1 - SUNK * share)
            painter.translate(-centre)
            painter.fillPath(path, blended(theme.board, theme.canvas, share))
            painter.restore()
        self._paint_film(painter, lines.after(self._snapshot.cut))
        if self._snapshot.is_cutting:
            under_way = QPainterPath()
            under_way.addPolygon(paths.polygon(self._snapshot.under_way))
            painter.strokePath(under_way, self._pens[self.operations[self._snapshot.cut]])

    def _seen(self, transform: QTransform, widget: QWidget) -> tuple[Film, Film]:
        """The films of holes and lines; new ones after a change of the view."""
        fitting = widget.width() * widget.height() / max(self._cell * transform.m11(), 1e-9) ** 2
        is_roomy = min(fitting, self._crowd) <= ROOMY_PIECES
        sight = FilmView(QTransform(transform), widget.size(), widget.devicePixelRatioF(), is_roomy, current_theme())
        if self._films is None or sight != self._sight:
            self.forget()
            self._sight = sight
            breadth = 2.0 * sight.ratio if is_roomy else 1.0
            self._pens = {operation: cosmetic(colour, breadth) for operation, colour in self._inks(sight.theme).items()}
            uncut = sight.blank()
            pen = cosmetic(blended(sight.theme.quiet, sight.theme.board, 0.45))
            self._stroke(uncut, sight, 0, len(self._cuts), lambda _first: pen)
            copies = min(max(FILM_BYTES // sight.bytes // 2 - 2, 0), MOST_COPIES)
            self._films = (
                Film(sight.blank(), len(self._pieces), copies, partial(self._add_holes, sight)),
                Film(uncut, len(self._cuts), copies, partial(self._add_cuts, sight)),
            )
        return self._films

    def _add_cuts(self, sight: FilmView, picture: QPixmap, first: int, end: int) -> None:
        self._stroke(picture, sight, first, end, lambda begin: self._pens[self.operations[begin]])

    def _stroke(self, picture: QPixmap, sight: FilmView, first: int, end: int, pen_of: Callable[[int], QPen]) -> None:
        painter = sight.painter(picture)
        for begin, path in self._cuts.between(first, end, sight.visible):
            painter.strokePath(path, pen_of(begin))
        painter.end()

    def _add_holes(self, sight: FilmView, picture: QPixmap, first: int, end: int) -> None:
        painter = sight.painter(picture)
        # Smooth edges take three times as long, and the lines of the cuts lie over them.
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for _first, path in self._pieces.between(first, end, sight.visible):
            painter.fillPath(path, sight.theme.canvas)
        painter.end()

    def _paint_film(self, painter: QPainter, picture: QPixmap) -> None:
        painter.save()
        painter.resetTransform()
        painter.drawPixmap(0, 0, picture)
        painter.restore()


class TabsItem(QGraphicsItem):
    """The holding tabs, as bars across the gaps in the cuts."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(TAB_Z)
        self._path = QPainterPath()
        self._bounds = QRectF()

    def show_plan(self, playback: Playback) -> None:
        """Show the tabs of another plan."""
        self.prepareGeometryChange()
        drawing = playback.plan.drawing
        tabs = drawing.strokes.chosen(drawing.tabs)
        self._path = paths.curved(tabs)
        self._bounds = _around(tabs.points).adjusted(-5, -5, 5, 5) if len(tabs) else QRectF()
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        for colour, breadth in ((current_theme().board, TAB_PIXELS + 2), (current_theme().accent, TAB_PIXELS)):
            pen = cosmetic(colour, breadth)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.strokePath(self._path, pen)


class TravelItem(QGraphicsItem):
    """The last travels of the head, dotted, the older the fainter."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(TRAVEL_Z)
        self._bounds = QRectF()
        self._travels: Floats = np.empty((0, 2, 2))
        self._lines: list[tuple[QPointF, QPointF]] = []
        self._shown = (0, False)

    def show_plan(self, playback: Playback) -> None:
        """Load the travels of another plan, with none begun."""
        self.prepareGeometryChange()
        self._travels, self._lines, self._shown = playback.travels, [], (0, False)
        self._bounds = _around(self._travels.reshape(-1, 2)) if len(self._travels) else QRectF()

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the travels up to a moment; the one under way ends at the head."""
        shown = (snapshot.travels, snapshot.is_travelling)
        if shown == self._shown and not snapshot.is_travelling:
            return
        self._update()
        self._shown = shown
        begin = max(0, snapshot.travels - RECENT_TRAVELS)
        recent = self._travels[begin : snapshot.travels].tolist()
        self._lines = [(QPointF(*start), QPointF(*end)) for start, end in recent]
        if snapshot.is_travelling:
            self._lines[-1] = (self._lines[-1][0], QPointF(*snapshot.head))
        self._update()

    def _update(self) -> None:
        pixels = 3.0 / zoom_of(self)
        for start, end in self._lines:
            self.update(QRectF(start, end).normalized().adjusted(-pixels, -pixels, pixels, pixels))

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        colour = QColor(current_theme().text)
        for age, (start, end) in enumerate(reversed(self._lines)):
            colour.setAlphaF(1.0 - age / RECENT_TRAVELS)
            painter.setPen(cosmetic(colour, style=Qt.PenStyle.DotLine))
            painter.drawLine(start, end)


class HeadItem(QGraphicsItem):
    """The head: a cross in a ring, filled while the beam is on."""

    SIZE = 18
    _beam = Painted[Operation | None](None)

    def __init__(self, inks: Inks) -> None:
        super().__init__()
        self.setZValue(HEAD_Z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self._inks = inks

    def show_head(self, place: tuple[float, float], beam: Operation | None) -> None:
        """Put the head at a place on the sheet; `beam` is the operation there, None while the beam is off."""
        self.setPos(QPointF(*place))
        self._beam = beam

    def boundingRect(self) -> QRectF:
        half = self.SIZE / 2 + 2
        return QRectF(-half, -half, 2 * half, 2 * half)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        radius, reach, theme = self.SIZE / 2 - 4, self.SIZE / 2, current_theme()
        for colour, width in ((theme.board, 4.0), (theme.text, 1.5)):
            painter.setPen(QPen(colour, width))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(0, 0), radius, radius)
            for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
                painter.drawLine(QPointF(radius * x, radius * y), QPointF(reach * x, reach * y))
        if self._beam is not None:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._inks(theme)[self._beam])
            painter.drawEllipse(QPointF(0, 0), 2.75, 2.75)


class CuttingScene(QGraphicsScene):
    """The sheet, the travels and the head at one moment of a plan."""

    def __init__(self, profile: Mapping[Operation, QColor], parent: QObject | None = None) -> None:
        """Colours of a laser's profile; they are made legible on the theme's board."""
        super().__init__(parent)
        inks = inks_of(profile)
        self._board, self.sheet, self.travels, self.head = WoodItem(), SheetItem(inks), TravelItem(), HeadItem(inks)
        self.tabs = TabsItem()
        for item in (self._board, self.sheet, self.tabs, self.travels, self.head):
            self.addItem(item)

    def show_plan(self, playback: Playback) -> None:
        """Take another plan, at its beginning."""
        self._board.show_board(outline(playback.plan.drawing))
        self.sheet.show_plan(playback)
        self.tabs.show_plan(playback)
        self.travels.show_plan(playback)
        self.show_snapshot(playback.at(0.0), 0.0)

    def show_snapshot(self, snapshot: Snapshot, now: float) -> None:
        """Show another state of the plan; `now` is the clock by which pieces sink, in s."""
        self.sheet.show_snapshot(snapshot, now)
        self.travels.show_snapshot(snapshot)
        self.head.show_head(snapshot.head, self.sheet.operations[snapshot.cut] if snapshot.is_cutting else None)


def spans(first: int, end: int, size: int) -> Iterator[tuple[int, int]]:
    """The way from first to end in steps of a size."""
    return ((begin, min(begin + size, end)) for begin in range(first, end, size))


def _alike(kinds: Sequence[object], size: int) -> Iterator[tuple[int, int]]:
    """Spans in which all are of the same kind."""
    first = 0
    for _kind, group in groupby(kinds):
        end = first + len(list(group))
        yield from spans(first, end, size)
        first = end


def _outlines(drawing: Drawing, pieces: Ints) -> Polylines:
    """The outlines of pieces, in the order named; Qt fills polylines five times faster than curves.

    A line leads from an outline's end to each hole of its piece and back, and so encloses nothing.
    """
    chosen, lines = drawing.pieces.chosen(pieces), drawing.strokes.flattened(HOLE_TOLERANCE)
    if not len(chosen.holes):
        return lines.joined(chosen.codes, chosen.starts)
    rings = lines.joined(chosen.codes, chosen.rings)
    runs: list[Floats] = []
    for ring, owner in enumerate(chosen.ring_owners.tolist()):
        if owner == len(runs):
            runs.append(rings[ring])
        else:
            runs[owner] = np.concatenate([runs[owner], rings[ring], runs[owner][:1]])
    return Polylines(np.concatenate(runs), offsets(np.array([len(run) for run in runs], np.int64)))


def _boxes(lines: Runs) -> Floats:
    """Left, top, right and bottom in mm of every line's points, which hold a curve between them."""
    if not len(lines):
        return np.empty((0, 4))
    starts = lines.starts[:-1]
    return np.hstack([np.minimum.reduceat(lines.points, starts), np.maximum.reduceat(lines.points, starts)])


def _around(points: Floats) -> QRectF:
    """Rectangle a little larger than the bounds of points: for Qt, a rectangle without breadth meets nothing."""
    low, high = points.min(axis=0) - LITTLE, points.max(axis=0) + LITTLE
    return QRectF(QPointF(*low.tolist()), QPointF(*high.tolist()))
