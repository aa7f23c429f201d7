"""Marks on the canvas of a jigsaw: rings, selection, handles, frames, and the cuts that Fix all would change."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import pairwise

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.strokes import Curves, Floats, Ints, among
from studio.puzzles.jigsaw.figures.frames import Posed, frame
from studio.puzzles.jigsaw.figures.whimsies import Whimsy
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes, shape
from studio.puzzles.jigsaw.repair.repair import Repaired, repaired
from studio.puzzles.jigsaw.tongues.styles import SMALL_HANDLES, Handle
from studio.ui.canvas import paths
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.layers import FILL_Z, PathItem, cosmetic
from studio.ui.canvas.marks import (
    HANDLE_Z,
    HIGHLIGHT_Z,
    RING_Z,
    BandItem,
    DotsItem,
    HandleItem,
    MirrorItem,
    RingItem,
    draw_padlocks,
    draw_rings,
)
from studio.ui.canvas.tool import Pointer
from studio.ui.kinds.jigsaw.selection import Selection
from studio.ui.session.notices import Action
from studio.ui.session.session import Session
from studio.ui.widgets.theme import Theme, current_theme

# Frames on the canvas

CORNERS, KNOB, MIRROR = range(4), 4, 5
"""The handles by their numbers: corners from the figure's own upper left one clockwise, the knob, and what mirrors."""
STEM = 26
"""How far the knob is from the frame, in pixels."""
LEAST_LONG, LEAST_SHORT = 32, 14
"""A frame whose longer or shorter side has fewer pixels has no handles: they would hide what is in it."""
LEAST_MIRRORED = 40
"""The height in pixels from which there is room between two corners for the handle that mirrors."""


class Frame:
    """Shows a frame around something, and knows which of its handles is under the mouse."""

    def __init__(self, canvas: Canvas) -> None:
        self._view = canvas.view
        self.lines = PathItem(HANDLE_Z - 0.5)
        self.handles = [HandleItem(is_round=number == KNOB) for number in (*CORNERS, KNOB)]
        for item in (self.lines, *self.handles):
            canvas.scene.addItem(item)
        self._corners: Floats | None = None
        self._view.zoomed.connect(lambda _zoom: self.show_corners(self._corners))

    def show_corners(self, corners: Floats | None) -> None:
        """Show a frame by its corners (4, 2) in mm, clockwise from its own upper left one, or put it away."""
        self._corners = corners
        places = [] if corners is None else self._places(corners)
        for number, item in enumerate(self.handles):
            item.setVisible(number < len(places))
            if item.isVisible():
                item.setPos(places[number])
        path = QPainterPath()
        if corners is not None:
            path.addPolygon(QPolygonF([QPointF(*corner) for corner in [*corners.tolist(), corners[0].tolist()]]))
        if places:
            path.moveTo((places[0] + places[1]) / 2)
            path.lineTo(places[KNOB])
        self.lines.show_path(path, frame_pen)

    def _places(self, corners: Floats) -> list[QPointF]:
        """Where the handles of a frame are; none for one that is too small on the screen."""
        zoom = self._view.zoom
        sides = zoom * np.hypot(*(corners[1:3] - corners[:2]).T)
        if sides.max() < LEAST_LONG or sides.min() < LEAST_SHORT:
            return []
        up = corners[0] - corners[3]
        knob = (corners[0] + corners[1]) / 2 + STEM / zoom * up / np.hypot(*up)
        places = [*corners.tolist(), knob.tolist()]
        if sides[1] >= LEAST_MIRRORED:
            places.append(((corners[1] + corners[2]) / 2).tolist())
        return [QPointF(*place) for place in places]

    def handle_at(self, pointer: Pointer, catch: float) -> int | None:
        """The nearest of the handles within `catch` mm of the mouse."""
        offsets = [item.pos() - pointer.place for item in self.handles]
        distances = [math.hypot(offset.x(), offset.y()) for offset in offsets]
        nearest = min(range(len(distances)), key=distances.__getitem__)
        return nearest if self.handles[nearest].isVisible() and distances[nearest] <= catch else None

    def cursor(self, handle: int) -> Qt.CursorShape:
        """The cursor that says what dragging a handle does."""
        if handle == KNOB:
            return Qt.CursorShape.CrossCursor
        if handle == MIRROR:
            return Qt.CursorShape.PointingHandCursor
        way = self.handles[handle].pos() - self.handles[(handle + 2) % 4].pos()
        is_falling = way.x() * way.y() > 0
        return Qt.CursorShape.SizeFDiagCursor if is_falling else Qt.CursorShape.SizeBDiagCursor


class FigureFrame(Frame):
    """The frame of one figure or engraving, or of several."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        mirror = MirrorItem()
        mirror.setToolTip(tr("Mirror: click, or drag across"))
        canvas.scene.addItem(mirror)
        self.handles.append(mirror)

    def show(self, figure: Posed | None) -> None:
        """Show the frame of a figure or an engraving, or put it away."""
        self.show_corners(None if figure is None else frame(figure))


def frame_pen(theme: Theme) -> QPen:
    """Of the frame and the line to its knob."""
    return cosmetic(theme.accent)


THICK_UP_TO = 400
"""Up to how many selected tongues are drawn two pixels wide; wide pens cost six times as much."""
LOCK_PIXELS = 12
LARGE_TONGUE = 30
"""How many pixels high a tongue is at least that has handles for its head and neck."""
TIES = ((Handle.PLACE, Handle.SIZE, Handle.SLANT), (Handle.SIZE, Handle.HEAD), (Handle.PLACE, Handle.NECK))
"""Which handles lines tie together."""


def _tips(shapes: JigsawShapes, tongues: Ints) -> Floats:
    """The places (k, 2) in mm of the heads of some tongues."""
    if not len(tongues):
        return np.empty((0, 2))
    from studio.puzzles.jigsaw.tongues.handles import tips

    return tips(shapes, tongues)


class JigsawMarks:
    """Draws what the tool and the selection say."""

    def __init__(self, canvas: Canvas, selection: Selection) -> None:
        self._selection = selection
        self._shown: JigsawShapes | None = None
        self._rings = DotsItem(RING_Z, self._paint_rings, 6)
        self._locks = DotsItem(RING_Z + 0.5, draw_padlocks, LOCK_PIXELS)
        self._shows_chosen = False
        self._chosen = PathItem(HIGHLIGHT_Z)
        self._chosen_pieces = PathItem(FILL_Z + 0.5)
        self.hovered = PathItem(HIGHLIGHT_Z - 0.5)
        self.ghost = PathItem(HIGHLIGHT_Z + 0.5)
        self.ghost.hide()
        self._ghost_of: tuple[Whimsy, ...] = ()
        self._hover_ring = RingItem()
        self.band = BandItem()
        self.ties = PathItem(HANDLE_Z - 0.5)
        self.handles = {handle: HandleItem(handle is not Handle.PLACE) for handle in Handle}
        for item in (
            self._rings, self._locks, self._chosen, self._chosen_pieces, self.hovered, self.ghost, self._hover_ring,
            self.band, self.ties,
            *self.handles.values(),
        ):  # fmt: skip
            canvas.scene.addItem(item)
        self._canvas = canvas
        canvas.view.zoomed.connect(lambda _zoom: self._show_chosen())
        canvas.shown_alone.connect(self._locks.hide)
        self.is_draft = True
        selection.changed.connect(self._reselect)

    @cached_property
    def frame(self) -> FigureFrame:
        """The frame of what is selected; made with the first figure or engraving that is."""
        return FigureFrame(self._canvas)

    def _show_frame(self, figure: Posed | None) -> None:
        if figure is not None or "frame" in self.__dict__:
            self.frame.show(figure)

    def show_draft(self, draft: bool) -> None:
        """Show or hide the corners' rings; selected corners stay visible, and so do padlocks."""
        self.is_draft = draft
        self._rings.update()

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow the shapes."""
        before, self._shown = self._shown, shapes
        self._rings.spacing = float(shapes.tiling.scale.min())
        self._rings.show_places(shapes.corners.take(shapes.tiling.movable, axis=0))
        self._show_chosen()
        if before is None or before.tiling is not shapes.tiling or before.design.tongues is not shapes.design.tongues:
            self._locked = shapes.locked
        self._locks.show_places(_tips(shapes, self._locked))

    def hover(self, corner: int | None, tongue: int | None) -> None:
        """Show what a click would take."""
        if corner is not None:
            self._hover_ring.setPos(QPointF(*self._selection.shapes.corners[corner].tolist()))
        self._hover_ring.setVisible(corner is not None)
        if tongue is None:
            self.hovered.hide()
        else:
            self.hovered.show_path(self._path([tongue]), hovered_pen)
            self.hovered.show()

    def show_band(self, rectangle: QRectF | None) -> None:
        """Show the rubber band, or put it away."""
        if rectangle is None:
            self.band.hide()
        else:
            self.band.show_band(rectangle)

    def show_ghost(self, figures: Sequence[Whimsy] = (), right: float = 0.0, down: float = 0.0) -> None:
        """Show where figures would be, some mm from their places; none puts the outlines away."""
        shown = tuple(figures)
        if shown != self._ghost_of:
            self._ghost_of = shown
            self.ghost.show_path(paths.curved(Curves.of([ring for one in shown for ring in one.on_board()])), thick_pen)
        self.ghost.setPos(right, down)
        self.ghost.setVisible(bool(shown))
        if len(shown) == 1:
            (one,) = shown
            self._show_frame(one.posed(x=one.pose.x + right, y=one.pose.y + down))
        elif shown:
            self._show_frame(None)
        else:
            self._show_frame(self._selection.posed)

    def _path(self, tongues: list[int]) -> QPainterPath:
        return paths.curved(self._selection.shapes.curves(np.array(tongues, np.int64)))

    def _reselect(self) -> None:
        self._rings.update()
        self._show_chosen()

    def _show_chosen(self) -> None:
        had, self._shows_chosen = (
            self._shows_chosen,
            bool(self._selection.tongues or self._selection.pieces or self._selection.engravings),
        )
        if not (had or self._shows_chosen):
            return
        shapes = self._selection.shapes
        tongues = sorted(self._selection.tongues)
        path = self._path(tongues)
        if len(self._selection.engravings) > 1:
            path.addPath(_framed(self._selection.engravings))
        self._chosen.show_path(path, thick_pen if len(tongues) <= THICK_UP_TO else thin_pen)
        faces = sorted(self._selection.pieces)
        if faces:
            pieces = shapes.drawing.pieces.chosen(np.array(faces))
            outlines = paths.curved(shapes.drawing.strokes.joined(pieces.codes, pieces.rings))
            self._chosen_pieces.fill_paths([(outlines, lambda theme: faint(theme, 60))])
        else:
            self._chosen_pieces.fill_paths([])
        self._show_handles(tongues)
        if not self._ghost_of:
            self._show_frame(self._selection.posed)

    def _show_handles(self, tongues: list[int]) -> None:
        """The handles of a tongue that is selected alone, and the lines that tie them to its foot and tip."""
        shapes = self._selection.shapes
        alone = len(tongues) == 1 and not self._selection.corners
        from studio.puzzles.jigsaw.tongues.handles import grip

        held = grip(shapes, tongues[0]) if alone and not shapes.plain[tongues[0]] else None
        places = {} if held is None else {handle: QPointF(*held.handle(handle)) for handle in held.style.handles}
        if held is not None and self._canvas.view.zoom * abs(float(held.frames.tip[0])) < LARGE_TONGUE:
            places = {handle: place for handle, place in places.items() if handle not in SMALL_HANDLES}
        for handle, item in self.handles.items():
            item.setVisible(handle in places)
            if handle in places:
                item.setPos(places[handle])
        self.ties.show_path(_tied(places), tie_pen)

    def _paint_rings(self, painter: QPainter, spots: Floats, shown: Ints) -> None:
        theme, corners = current_theme(), self._selection.shapes.tiling.movable[shown]
        chosen = among(corners, np.array([*self._selection.corners], np.int64))
        if self.is_draft and not chosen.all():
            draw_rings(painter, spots[~chosen], theme.ring, theme.board)
        if chosen.any():
            draw_rings(painter, spots[chosen], theme.accent, theme.accent)


def _framed(some: Sequence[Posed]) -> QPainterPath:
    """The frames of what is selected together."""
    from studio.puzzles.jigsaw.figures.frames import frame

    path = QPainterPath()
    for one in some:
        corners = [QPointF(*corner) for corner in frame(one).tolist()]
        path.addPolygon(QPolygonF([*corners, corners[0]]))
    return path


def _tied(places: Mapping[Handle, QPointF]) -> QPainterPath:
    """Straight lines from the foot of a tongue to its tip and on to the handle beside it, and to those of its parts."""
    path = QPainterPath()
    for line in TIES:
        path.addPolygon(QPolygonF([places[handle] for handle in line if handle in places]))
    return path


def tie_pen(theme: Theme) -> QPen:
    """Of the lines between a tongue's handles."""
    return cosmetic(theme.accent)


def faint(theme: Theme, alpha: int) -> QColor:
    """The accent, through which the board is seen."""
    colour = QColor(theme.accent)
    colour.setAlpha(alpha)
    return colour


def hovered_pen(theme: Theme) -> QPen:
    """Of the tongue that a click takes."""
    return cosmetic(faint(theme, 150), 2.5)


def thick_pen(theme: Theme) -> QPen:
    """Of selected tongues."""
    return cosmetic(theme.accent, 2.0)


def thin_pen(theme: Theme) -> QPen:
    """Of many selected tongues."""
    return cosmetic(theme.accent)


# Fixing all problems of a jigsaw


@dataclass(frozen=True, eq=False)
class Proposal:
    """A repaired design, and the cuts that are other than now."""

    found: Repaired
    cuts: Curves


def proposed(design: JigsawDesign, progress: Progress) -> Proposal:
    """The design repaired, and its changed cuts."""
    found = repaired(design, progress.part(0.0, 0.95))
    before = shape(design, None, progress.part(0.95, 1.0))
    after = shape(found.design, before, progress).drawing.strokes
    # A figure elsewhere makes another board, with the same cuts away from it.
    known = set(_rounded(before.drawing.strokes))
    changed = [at for at, stroke in enumerate(_rounded(after)) if stroke not in known]
    return Proposal(found, after.chosen(np.array(changed, np.int64)))


def _rounded(strokes: Curves) -> list[bytes]:
    """Strokes to a thousandth of a mm and in either direction, to be compared."""
    points = np.round(strokes.points, 3) + 0.0
    runs = (points[begin:end] for begin, end in pairwise(strokes.starts.tolist()))
    return [min(run.tobytes(), run[::-1].tobytes()) for run in runs]


class Repairing(QObject):
    """Proposes a repair over the board, and makes it or not."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self.proposal: Proposal | None = None
        self._apply: Action | None = None
        self._discard = Action(tr("Discard"), self.discard)
        self.ghost = PathItem(HIGHLIGHT_Z + 0.6)
        self.ghost.hide()
        session.canvas.scene.addItem(self.ghost)
        session.document.settled.connect(self.discard)
        session.document.replaced.connect(self.discard)
        session.notices.changed.connect(self._follow)

    def start(self) -> None:
        """Look for a repair of all problems."""
        self.discard()
        self._session.changing.look(tr("Fix all"), proposed, self._propose)

    def discard(self, _design: object = None) -> None:
        """Leave the board as it is."""
        self.proposal = None
        self.ghost.hide()
        if self._apply is not None:
            self._session.notices.withdraw(self._apply)
            self._apply = None

    def _propose(self, proposal: Proposal) -> None:
        words = " ".join(proposal.found.words)
        if not proposal.found.is_change:
            self._session.notices.post(words)
            return
        self.proposal = proposal
        self._apply = Action(tr("Apply"), partial(self._make, proposal.found.design))
        self.ghost.show_path(paths.curved(proposal.cuts), thick_pen)
        self.ghost.show()
        self._session.notices.post(
            proposal.found.summary, action=self._apply, other=self._discard, asks=True, details=words
        )

    def _make(self, design: JigsawDesign) -> None:
        """Make the proposed changes as one step that can be undone."""
        self._session.document.edit(tr("Fix all problems"), design)

    def _follow(self, _notice: object) -> None:
        notices = self._session.notices
        if self.proposal is not None and not any(
            one is not None and one.action is self._apply for one in (notices.notice(), *notices.waiting())
        ):
            # The notice was closed without an answer.
            self.discard()
