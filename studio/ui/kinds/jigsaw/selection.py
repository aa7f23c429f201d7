"""The selection of a jigsaw, shared by canvas, tables and inspector, and its marks on the canvas.

Marks are rings on corners, selected and hovered elements, handles, padlocks, and frames. A frame is of a figure, an
engraving or the picture: a handle at each corner scales, the knob rotates, and figures and engravings also have a
mirror handle.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property

import numpy as np
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF

from studio.base.amounts import listed, many
from studio.base.texts import tr
from studio.checks.finding import Finding
from studio.geometry.curves.strokes import Curves, Floats, Ints, among
from studio.puzzles.jigsaw.figures.whimsies import Posed, Whimsy, frame, together
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.engravings import Engraving
from studio.puzzles.jigsaw.tongues.styles import SMALL_HANDLES, Handle
from studio.ui.canvas import paths
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.drawing_tiles import CUT_Z, ENGRAVED_Z, FILL_Z
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
from studio.ui.canvas.paths import PathItem, cosmetic
from studio.ui.canvas.view import Pointer
from studio.ui.widgets.theme import Theme, current_theme

THICK_UP_TO = 400
"""Most selected tongues that are drawn two pixels wide; wide pens cost six times as much."""
LOCK_PIXELS = 12
LARGE_TONGUE = 30
"""Height in pixels from which a tongue has handles for its head and neck."""
TIES = ((Handle.PLACE, Handle.SIZE, Handle.SLANT), (Handle.SIZE, Handle.HEAD), (Handle.PLACE, Handle.NECK))
"""Chains of handles that are joined by lines."""
CORNERS, KNOB, MIRROR = range(4), 4, 5
"""Numbers of the handles: corners clockwise from the figure's own upper left, the knob, the mirror handle."""
CATCH = 10
"""Catch radius of handles and corners, in pixels."""
STEM = 26
"""Distance of the knob from the frame, in pixels."""
LEAST_LONG, LEAST_SHORT = 32, 14
"""Least longer and shorter side in pixels of a frame with handles; they would hide the content of a smaller one."""
LEAST_MIRRORED = 40
"""Least height in pixels at which the mirror handle fits between two corners."""


class Selection(QObject):
    """Corners, tongues and pieces by their numbers in the shapes in sight, or engravings by their names."""

    changed = Signal()

    def __init__(self, shapes: JigsawShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.corners: frozenset[int] = frozenset()
        self.tongues: frozenset[int] = frozenset()
        self.pieces: frozenset[int] = frozenset()
        self._engraved: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.corners or self.tongues or self.pieces or self._engraved)

    def show_shapes(self, shapes: JigsawShapes, *, settled: bool = True) -> None:
        """Bring other shapes in sight, and find the selected elements again by their names.

        Until the shapes have settled, a mere change of their numbers is not announced.
        """
        before, self.shapes = self.shapes, shapes
        old, new = before.tiling, shapes.tiling
        if self._engraved:
            kept = [one.name for one in self.engravings]
            if len(kept) < len(self._engraved):
                self.select_engravings(kept)
            return
        if old is new:
            return
        corners = {new.corner_indices.get(old.corner_name(corner)) for corner in self.corners}
        tongues = {new.tongue_indices.get(old.tongue_name(tongue)) for tongue in self.tongues}
        pieces = {name: piece for piece, name in enumerate(shapes.drawing.pieces.names)} if self.pieces else {}
        others = {pieces.get(before.drawing.pieces.names[piece]) for piece in self.pieces}
        found = [frozenset(one for one in some if one is not None) for some in (corners, tongues, others)]
        had = self.corners, self.tongues, self.pieces
        if not settled and [*map(len, found)] == [*map(len, had)]:
            self.corners, self.tongues, self.pieces = found
            return
        self.select(*found)

    def select(self, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()) -> None:
        """Select just these."""
        self._choose(frozenset(corners), frozenset(tongues), frozenset(pieces), frozenset())

    def select_engravings(self, names: Iterable[str]) -> None:
        """Select just some engravings."""
        self._choose(frozenset(), frozenset(), frozenset(), frozenset(names))

    def _choose(
        self, corners: frozenset[int], tongues: frozenset[int], pieces: frozenset[int], engraved: frozenset[str]
    ) -> None:
        chosen = corners, tongues, pieces, engraved
        if chosen != (self.corners, self.tongues, self.pieces, self._engraved):
            self.corners, self.tongues, self.pieces, self._engraved = chosen
            self.changed.emit()

    def choose(
        self, pointer: Pointer, corners: Iterable[int] = (), tongues: Iterable[int] = (), pieces: Iterable[int] = ()
    ) -> None:
        """Select only these elements; with Shift add them to the selection, with Ctrl remove them."""
        some, had = (corners, tongues, pieces), (self.corners, self.tongues, self.pieces)
        if pointer.control:
            self.select(*(before.difference(those) for before, those in zip(had, some, strict=True)))
        elif pointer.shift:
            self.select(*(before.union(those) for before, those in zip(had, some, strict=True)))
        else:
            self.select(*some)

    def choose_piece(self, pointer: Pointer) -> None:
        """Select the piece under the mouse, or nothing, as `choose` does."""
        piece = self.shapes.picker.piece_at(pointer.x, pointer.y)
        self.choose(pointer, pieces=[] if piece is None else self.whole([piece]))

    def figure_at(self, x: float, y: float) -> str:
        """Name of the figure around a place, or empty."""
        return self._figure(self.shapes.picker.piece_at(x, y)) if self.shapes.tiling.fillings else ""

    @property
    def figures(self) -> tuple[Whimsy, ...]:
        """The selected figures."""
        names = {self._figure(piece) for piece in self.pieces - self.faces}
        return tuple(one for one in self.shapes.design.whimsies if one.name in names)

    @property
    def only_figures(self) -> tuple[Whimsy, ...]:
        """The selected figures if nothing else is selected."""
        return () if self.corners or self.tongues or self.faces else self.figures

    @property
    def figure(self) -> Whimsy | None:
        """The figure that is selected alone."""
        figures = self.only_figures
        return figures[0] if len(figures) == 1 else None

    @property
    def engravings(self) -> tuple[Engraving, ...]:
        """The selected engravings."""
        if not self._engraved:
            return ()
        return tuple(one for one in self.shapes.design.engravings if one.name in self._engraved)

    @property
    def posed(self) -> Posed | None:
        """Content of the frame: the selected engravings, or the selected figures if nothing else is selected."""
        if not self._engraved and len(self.only_figures) < 2:
            return self.figure
        return together(self.engravings or self.only_figures)

    def _figure(self, piece: int | None) -> str:
        """Name of a piece that is a figure, or empty: figures come after the faces of the tiling."""
        if piece is None or piece < self.shapes.tiling.graph.face_count:
            return ""
        return self.shapes.tiling.fillings[piece - self.shapes.tiling.graph.face_count].name

    def whole(self, pieces: Iterable[int]) -> list[int]:
        """Some pieces, with all others of the figures among them."""
        chosen = [*pieces]
        names = {self._figure(piece) for piece in chosen} - {""}
        return sorted({*chosen, *self._pieces_of(names)}) if names else chosen

    def _pieces_of(self, figures: Collection[str]) -> list[int]:
        """All pieces of the named figures."""
        first = self.shapes.tiling.graph.face_count
        return [first + at for at, one in enumerate(self.shapes.tiling.fillings) if one.name in figures]

    def select_figures(self, names: Iterable[str]) -> None:
        """Select only the named figures that are pieces."""
        self.select(pieces=self._pieces_of({*names}))

    @property
    def faces(self) -> frozenset[int]:
        """The selected pieces that are no figures."""
        count = self.shapes.tiling.graph.face_count
        return frozenset(piece for piece in self.pieces if piece < count)

    @property
    def status_text(self) -> str:
        """The selection in words: `3 tongues selected`."""
        named = (
            (self.corners, "corner"), (self.tongues, "tongue"), (self.faces, "piece"),
            (self.figures, "figure"),
        )  # fmt: skip
        parts = [many(len(some), word) for some, word in named if some]
        if self._engraved:
            parts.append(many(len(self._engraved), "engraving"))
        return tr("{selection} selected", selection=listed(parts)) if parts else tr("Nothing selected")


def counted(figures: Sequence[Whimsy]) -> str:
    """Figures in the name of a step: figure, 3 figures."""
    return tr("figure") if len(figures) == 1 else many(len(figures), "figure")


def counted_engravings(engravings: Sequence[Engraving]) -> str:
    """Engravings in the name of a step: engraving, 3 engravings."""
    return tr("engraving") if len(engravings) == 1 else many(len(engravings), "engraving")


class JigsawMarks:
    """Draws the marks of the tool and the selection."""

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
        self._guides = PathItem(HIGHLIGHT_Z + 0.4)
        self._hover_ring = RingItem()
        self.band = BandItem()
        self.ties = PathItem(HANDLE_Z - 0.5)
        self.handles = {handle: HandleItem(handle is not Handle.PLACE) for handle in Handle}
        self.curve_handles = DotsItem(HANDLE_Z, self._paint_curve_handles, 6)
        self._loose, self._found = PathItem(HIGHLIGHT_Z - 0.6), PathItem(HIGHLIGHT_Z)
        self._open, self._uncut = PathItem(ENGRAVED_Z + 0.5), PathItem(CUT_Z + 0.5)
        for item in (
            self._rings, self._locks, self._chosen, self._chosen_pieces, self.hovered, self.ghost, self._hover_ring,
            self.band, self.ties, self._guides, self.curve_handles, self._loose, self._found, self._open,
            self._uncut,
            *self.handles.values(),
        ):  # fmt: skip
            canvas.scene.addItem(item)
        self._canvas = canvas
        canvas.view.zoomed.connect(lambda _zoom: self._show_chosen())
        canvas.shown_alone.connect(self._locks.hide)
        self.is_draft = True
        selection.changed.connect(lambda: self._rings.update())
        selection.changed.connect(self._show_chosen)
        selection.changed.connect(self._found.hide)

    @cached_property
    def frame(self) -> FigureFrame:
        """The frame of the selection; made with the first selected figure or engraving."""
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
        self._found.hide()
        if shapes.design.dropped or (before is not None and before.design.dropped):
            self._show_open(shapes)
        if shapes.design.loose or (before is not None and before.design.loose):
            self._show_loose(shapes)
        self._rings.spacing = float(shapes.tiling.scale.min())
        self._rings.show_places(shapes.corners.take(shapes.tiling.movable, axis=0))
        self._show_chosen()
        if before is None or before.tiling is not shapes.tiling or before.design.tongues is not shapes.design.tongues:
            self._locked = shapes.locked
        if not len(self._locked):
            self._locks.show_places(np.empty((0, 2)))
            return
        from studio.puzzles.jigsaw.tongues.values import tips

        self._locks.show_places(tips(shapes, self._locked))

    def _show_open(self, shapes: JigsawShapes) -> None:
        """Show the pieces that are left open as holes."""
        pieces = shapes.drawing.pieces.chosen(np.flatnonzero(shapes.is_open))
        outlines = paths.curved(shapes.drawing.strokes.joined(pieces.codes, pieces.rings))
        self._open.fill_paths([(outlines, lambda theme: theme.canvas)])
        uncut = np.setdiff1d(shapes.drawing.pieces.codes >> 1, shapes.made.drawing.pieces.codes >> 1)
        lines = paths.curved(shapes.drawing.strokes.chosen(uncut))
        self._uncut.show_path(lines, lambda theme: cosmetic(theme.canvas, 2.5))

    def _show_loose(self, shapes: JigsawShapes) -> None:
        """Show the lines of a drawing that are not cut."""
        from studio.puzzles.jigsaw.model.drawn_cuts import loose_on_board

        lines = Curves.from_strokes([*loose_on_board(shapes).values()])
        self._loose.show_path(paths.curved(lines), lambda theme: cosmetic(theme.warning, 1.5, Qt.PenStyle.DashLine))

    def show_found(self, finding: Finding | None) -> None:
        """Highlight the cuts and loose lines of a finding, or put the highlight away."""
        lines: list[Floats] = []
        if finding is not None:
            from studio.puzzles.jigsaw.model.drawn_cuts import loose_on_board

            shapes = self._selection.shapes
            loose = loose_on_board(shapes)
            lines = [shapes.drawing.strokes[one] for one in finding.strokes if one < len(shapes.drawing.strokes)]
            lines += [loose[name] for name in finding.cells if name in loose]
        self._found.setVisible(bool(lines))
        if lines:
            self._found.show_path(paths.curved(Curves.from_strokes(lines)), thick_pen)

    def hover(self, corner: int | None, tongue: int | None) -> None:
        """Highlight the target of a click."""
        if corner is not None:
            self._hover_ring.setPos(QPointF(*self._selection.shapes.corners[corner].tolist()))
        self._hover_ring.setVisible(corner is not None)
        if tongue is None:
            self.hovered.hide()
        else:
            self.hovered.show_path(self._path([tongue]), lambda theme: cosmetic(faint(theme, 150), 2.5))
            self.hovered.show()

    def show_band(self, rectangle: QRectF | None) -> None:
        """Show the rubber band, or put it away."""
        if rectangle is None:
            self.band.hide()
        else:
            self.band.show_band(rectangle)

    def show_guides(self, lines: Sequence[tuple[int, float]] = ()) -> None:
        """Show the lines that a drag snaps to, each an axis and a place on it."""
        drawing, path = self._selection.shapes.drawing, QPainterPath()
        for axis, at in lines:
            path.moveTo(*((at, 0.0) if axis == 0 else (0.0, at)))
            path.lineTo(*((at, drawing.height) if axis == 0 else (drawing.width, at)))
        self._guides.show_path(path, thin_pen)
        self._guides.setVisible(bool(lines))

    def show_ghost(self, figures: Sequence[Whimsy] = (), right: float = 0.0, down: float = 0.0) -> None:
        """Show outlines of figures at other places; an empty sequence removes them."""
        shown = tuple(figures)
        if shown != self._ghost_of:
            self._ghost_of = shown
            self.ghost.show_path(
                paths.curved(
                    Curves.from_strokes([ring for one in shown for ring in (*one.on_board(), *one.lines_on_board())])
                ),
                thick_pen,
            )
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
            for one in self._selection.engravings:
                corners = [QPointF(*corner) for corner in frame(one).tolist()]
                path.addPolygon(QPolygonF([*corners, corners[0]]))
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
        """Handles of the only selected tongue, and the lines that tie them to its foot and tip."""
        shapes = self._selection.shapes
        alone = len(tongues) == 1 and not self._selection.corners
        from studio.puzzles.jigsaw.tongues.values import grip

        is_shaped = alone and not shapes.plain[tongues[0]] and not shapes.drawn[tongues[0]]
        held = grip(shapes, tongues[0]) if is_shaped else None
        places = {} if held is None else {handle: QPointF(*held.handle(handle)) for handle in held.style.handles}
        if held is not None and self._canvas.view.zoom * abs(float(held.frames.tip[0])) < LARGE_TONGUE:
            places = {handle: place for handle, place in places.items() if handle not in SMALL_HANDLES}
        bent = np.empty((0, 2))
        if alone and shapes.drawn[tongues[0]]:
            from studio.puzzles.jigsaw.pen import handles_of

            bent = handles_of(shapes, tongues[0])
        self.curve_handles.show_places(bent)
        for handle, item in self.handles.items():
            item.setVisible(handle in places)
            if handle in places:
                item.setPos(places[handle])
        path = QPainterPath()
        for line in TIES:
            path.addPolygon(QPolygonF([places[handle] for handle in line if handle in places]))
        if len(bent):
            points = [QPointF(*point) for point in shapes.drawing.strokes[tongues[0]].tolist()]
            for at in range(0, len(points) - 1, 3):
                path.addPolygon(QPolygonF(points[at : at + 2]))
                path.addPolygon(QPolygonF(points[at + 2 : at + 4]))
        self.ties.show_path(path, thin_pen)

    def _paint_curve_handles(self, painter: QPainter, spots: Floats, shown: Ints) -> None:
        """Draw rings, and discs at nodes."""
        theme, is_node = current_theme(), shown % 3 == 2
        draw_rings(painter, spots[~is_node], theme.accent, theme.board)
        draw_rings(painter, spots[is_node], theme.accent, theme.accent)

    def show_curve(self, curve: Floats | None) -> None:
        """Show another curve for the selected edge, or put it away."""
        if curve is None:
            self._show_chosen()
            return
        self._chosen.show_path(paths.curved(Curves.from_strokes([curve])), thick_pen)
        self.curve_handles.show_places(curve[1:-1])

    def _paint_rings(self, painter: QPainter, spots: Floats, shown: Ints) -> None:
        theme, corners = current_theme(), self._selection.shapes.tiling.movable[shown]
        chosen = among(corners, np.array([*self._selection.corners], np.int64))
        if self.is_draft and not chosen.all():
            draw_rings(painter, spots[~chosen], theme.ring, theme.board)
        if chosen.any():
            draw_rings(painter, spots[chosen], theme.accent, theme.accent)


def faint(theme: Theme, alpha: int) -> QColor:
    """The accent, translucent over the board."""
    colour = QColor(theme.accent)
    colour.setAlpha(alpha)
    return colour


def thick_pen(theme: Theme) -> QPen:
    """Pen of selected tongues."""
    return cosmetic(theme.accent, 2.0)


def thin_pen(theme: Theme) -> QPen:
    """Pen of many selected tongues, of frames and of the lines between handles."""
    return cosmetic(theme.accent)


class FrameHandles:
    """Shows a frame, and finds the handle under the mouse."""

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
        places = []
        if corners is not None:
            zoom = self._view.zoom
            sides = zoom * np.hypot(*(corners[1:3] - corners[:2]).T)
            # A frame that is too small on the screen has no handles.
            if sides.max() >= LEAST_LONG and sides.min() >= LEAST_SHORT:
                up = corners[0] - corners[3]
                knob = (corners[0] + corners[1]) / 2 + STEM / zoom * up / np.hypot(*up)
                middle = [(corners[1] + corners[2]) / 2] if sides[1] >= LEAST_MIRRORED else []
                places = [QPointF(*place.tolist()) for place in (*corners, knob, *middle)]
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
        self.lines.show_path(path, thin_pen)

    def handle_at(self, pointer: Pointer) -> int | None:
        """The nearest of the handles that the mouse can catch."""
        offsets = [item.pos() - pointer.place for item in self.handles]
        distances = [math.hypot(offset.x(), offset.y()) for offset in offsets]
        nearest = min(range(len(distances)), key=distances.__getitem__)
        return nearest if self.handles[nearest].isVisible() and distances[nearest] <= CATCH * pointer.pixel else None

    def cursor(self, handle: int) -> Qt.CursorShape:
        """Cursor for dragging a handle."""
        if handle == KNOB:
            return Qt.CursorShape.CrossCursor
        if handle == MIRROR:
            return Qt.CursorShape.PointingHandCursor
        way = self.handles[handle].pos() - self.handles[(handle + 2) % 4].pos()
        is_falling = way.x() * way.y() > 0
        return Qt.CursorShape.SizeFDiagCursor if is_falling else Qt.CursorShape.SizeBDiagCursor


class FigureFrame(FrameHandles):
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
