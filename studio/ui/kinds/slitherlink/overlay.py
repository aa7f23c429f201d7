"""The board of a slitherlink on the canvas: the loop, hidden clues, locks, a second solution, the selection, and its
tool.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPen, QPixmap
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.geometry.art.lettering import Room, laid
from studio.geometry.curves.strokes import Floats, Ints
from studio.puzzles.slitherlink.edits import flipped, with_clues
from studio.puzzles.slitherlink.generate import deciding
from studio.puzzles.slitherlink.geometry import SlitherlinkShapes, clue_heights
from studio.puzzles.slitherlink.gestures import cell_spots
from studio.puzzles.slitherlink.model import SlitherlinkDesign, cells_of
from studio.solving.loops import LoopEdges
from studio.ui.canvas import paths
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.drawing_tiles import FILL_Z
from studio.ui.canvas.marks import HIGHLIGHT_Z, RING_Z, DotsItem, draw_padlocks
from studio.ui.canvas.paths import PathItem, cosmetic
from studio.ui.canvas.view import ARROWS, Pointer, Tool
from studio.ui.session.document import Document
from studio.ui.widgets.theme import Theme, current_theme

MARGIN = 6
"""Pixels that a line reaches beyond its edge."""
SHAPE, INSIDE, APART = 1, 2, 3
"""Tints of cells: of the shape, inside the loop, on other sides of the loop in a second solution."""
GIVEN, HIDDEN = 1, 2
"""Styles of digits."""
LOOP, OTHER = 1, 2
"""Styles of lines: of the loop, and of a second solution."""


@dataclass(frozen=True, eq=False)
class Places:
    """Places in mm: the outline of every cell, its middle (f, 2), the ends (m, 2, 2) of every edge.

    `radius` belongs to the circle in a usual cell, `heights` (f,) to the digits.
    """

    outlines: tuple[Floats, ...]
    middles: Floats
    ends: Floats
    radius: float
    heights: Floats


@dataclass(frozen=True, eq=False)
class Shown:
    """Tint, number, style of the digit, and ring of every cell; style of the line of every edge; 0 for none."""

    tints: Ints
    numbers: Ints
    digits: Ints
    rings: Ints
    lines: Ints


class SheetItem(QGraphicsItem):
    """Paints the exposed part of a grid: the tints of its cells below the cuts, or lines and digits above them."""

    def __init__(self, z: float, *, is_ground: bool) -> None:
        super().__init__()
        self.setZValue(z)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self._is_ground = is_ground
        self._places: Places | None = None
        self.shown: Shown | None = None
        self._bounds = QRectF()
        self._reach = 0.0
        """Largest reach of a cell from its middle."""

    def show_sheet(self, places: Places, shown: Shown) -> None:
        """Show another state of the grid, or another grid."""
        self.shown = shown
        if places is not self._places:
            self._places = places
            points = np.concatenate([places.middles, places.ends.reshape(-1, 2)])
            cells = zip(places.outlines, places.middles, strict=True)
            self._reach = max(float(np.hypot(*(ring - middle).T).max()) for ring, middle in cells)
            low, high = points.min(axis=0) - 2 * places.radius, points.max(axis=0) + 2 * places.radius
            self.prepareGeometryChange()
            self._bounds = QRectF(QPointF(*low), QPointF(*high))
        self.update()

    def boundingRect(self) -> QRectF:
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        places, shown = self._places, self.shown
        if places is None or shown is None:
            return
        theme, part, radius = current_theme(), option.exposedRect, self._reach
        cells = _within(places.middles, part.adjusted(-radius, -radius, radius, radius))
        if self._is_ground:
            for tint, colour, alpha in (
                (SHAPE, theme.hint, SHAPE_ALPHA), (INSIDE, theme.accent, INSIDE_ALPHA),
                (APART, theme.warning, APART_ALPHA),
            ):  # fmt: skip
                path = QPainterPath()
                path.setFillRule(Qt.FillRule.WindingFill)
                for cell in cells[shown.tints[cells] == tint].tolist():
                    path.addPolygon(paths.polygon(places.outlines[cell]))
                painter.fillPath(path, _tinted(colour, alpha))
            return
        reach = 2 * radius + MARGIN / max(painter.worldTransform().m11(), 1e-9)
        edges = _within(places.ends.mean(axis=1), part.adjusted(-reach, -reach, reach, reach))
        loop, other = cosmetic(theme.accent, 3.0), cosmetic(theme.warning, 3.0)
        loop.setCapStyle(Qt.PenCapStyle.RoundCap)
        other.setDashPattern([2.0, 1.5])
        for style, pen in ((LOOP, loop), (OTHER, other)):
            painter.setPen(pen)
            ends = places.ends[edges[shown.lines[edges] == style]].reshape(-1, 4)
            painter.drawLines([QLineF(*line) for line in ends.tolist()])
        painter.setPen(cosmetic(theme.warning, 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        size = CLUE_REACH * places.radius
        for x, y in places.middles[cells[shown.rings[cells] > 0]].tolist():
            painter.drawEllipse(QPointF(x, y), size, size)
        self._paint_digits(painter, places, shown, cells, theme)

    def _paint_digits(self, painter: QPainter, places: Places, shown: Shown, cells: Ints, theme: Theme) -> None:
        world, ratio = painter.worldTransform(), painter.device().devicePixelRatioF()
        heights = np.maximum(np.round(places.heights * world.m11()), 1).astype(np.int64)
        painter.save()
        painter.resetTransform()
        for style, colour, width in ((GIVEN, theme.text, 1.8), (HIDDEN, _tinted(theme.quiet, HIDDEN_ALPHA), 1.0)):
            chosen = cells[shown.digits[cells] == style]
            spots = places.middles[chosen] * [world.m11(), world.m22()] + [world.dx(), world.dy()]
            digits = zip(spots.tolist(), shown.numbers[chosen].tolist(), heights[chosen].tolist(), strict=True)
            for (x, y), digit, height in digits:
                mark = _digit(digit, height, colour.rgba(), width, ratio)
                half = mark.deviceIndependentSize() / 2
                painter.drawPixmap(QPointF(x - half.width(), y - half.height()), mark)
        painter.restore()


def _within(places: Floats, part: QRectF) -> Ints:
    x, y = places.T
    return np.flatnonzero((x >= part.left()) & (x <= part.right()) & (y >= part.top()) & (y <= part.bottom()))


@lru_cache(maxsize=256)
def _digit(number: int, height: int, ink: int, width: float, ratio: float) -> QPixmap:
    """A digit as engraved, drawn once in device pixels; there may be thousands on the board."""
    side = round((height * 1.4 + 4) * ratio)
    mark = QPixmap(side, side)
    mark.setDevicePixelRatio(ratio)
    mark.fill(Qt.GlobalColor.transparent)
    painter = QPainter(mark)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(side / ratio / 2, side / ratio / 2)
    painter.setPen(QPen(QColor.fromRgba(ink), width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    strokes = laid(str(number), float(height), Room(4.0 * height, 4.0 * height), 0.0)
    assert strokes is not None, "a digit is narrower than its room"
    painter.drawPath(paths.curved(strokes))
    painter.end()
    return mark


def numbered(count: int, *styled: tuple[int, Sequence[int]]) -> Ints:
    """Style of each of `count` items: `styled` has styles and the items they apply to; later ones win."""
    found = np.zeros(count, np.int64)
    for style, members in styled:
        found[list(members)] = style
    return found


LOCK_PIXELS = 12
CLUE_REACH = 0.6
"""Radius within which a click is on a clue and not on its cell, as a share of the circle in the cell."""
LOCK_AWAY = np.array([0.62, 0.62])
"""Offset of a padlock left of and above the middle of its cell, in radii."""
SHAPE_ALPHA, INSIDE_ALPHA, APART_ALPHA, HIDDEN_ALPHA = 30, 40, 60, 110


class Overlay:
    """The marks of one board on its canvas."""

    def __init__(self, canvas: Canvas) -> None:
        self._shapes: SlitherlinkShapes | None = None
        self._places: Places | None = None
        self._second: LoopEdges | None = None
        self._stroke: frozenset[int] | None = None
        self.is_solved = True
        self.ground, self.sheet = SheetItem(FILL_Z + 0.5, is_ground=True), SheetItem(RING_Z, is_ground=False)
        self._locks = DotsItem(RING_Z + 0.5, draw_padlocks, LOCK_PIXELS)
        self.hovered, self.chosen = PathItem(HIGHLIGHT_Z - 0.5), PathItem(HIGHLIGHT_Z)
        for item in (self.ground, self.sheet, self._locks, self.hovered, self.chosen):
            canvas.scene.addItem(item)

    def show_solved(self, is_on: bool) -> None:
        """Show the loop and the hidden clues, or the puzzle alone."""
        self.is_solved = is_on
        self._draw()

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Follow the shapes, and drop the second solution of the former ones."""
        self._shapes, self._second = shapes, None
        self._draw()

    def show_second(self, second: LoopEdges | None) -> None:
        """Show a second solution over the first, or none."""
        if second != self._second:
            self._second = second
            self._draw()

    def show_stroke(self, cells: Collection[int] | None) -> None:
        """Show a shape that is being painted instead of the design's."""
        self._stroke = None if cells is None else frozenset(cells)
        self._draw()

    def cells_path(self, cells: Iterable[int]) -> QPainterPath:
        """The outlines of some cells."""
        path = QPainterPath()
        if self._shapes is not None:
            for cell in cells:
                path.addPolygon(paths.polygon(self._shapes.outline(cell)))
                path.closeSubpath()
        return path

    def clue_path(self, cell: int) -> QPainterPath:
        """A ring round a clue."""
        path = QPainterPath()
        if self._shapes is not None:
            x, y = self._shapes.middle_of(cell)
            radius = self._shapes.radius_of(cell) * CLUE_REACH
            path.addEllipse(x - radius, y - radius, 2 * radius, 2 * radius)
        return path

    def _draw(self) -> None:
        shapes = self._shapes
        if shapes is None:
            return
        design, p = shapes.design, shapes.design.parameters
        if self._places is None or self._places.middles is not shapes.middles:
            outlines = tuple(shapes.outline(cell) for cell in range(p.net.outside))
            ends = shapes.dots[np.array(p.net.ends)]
            self._places = Places(outlines, shapes.middles, ends, shapes.radius, clue_heights(p))
        cells, edges = len(design.counts), len(p.net.ends)
        inside, second = cells_of(design.inside), self._second if self.is_solved else None
        shape = sorted(self._stroke) if self._stroke is not None else design.allowed if design.shape else ()
        within = [cell for cell, is_in in enumerate(inside) if is_in and self.is_solved]
        apart, decide, other = list[int](), list[int](), list[int]()
        if second is not None:
            other = sorted({*second} - {*design.line})
            apart = design.apart(second)
            decide = [cell for cell in deciding(design, second) if cell not in design.clues]
        digits = ((HIDDEN, range(cells)), (GIVEN, list(design.clues))) if self.is_solved else ()
        shown = Shown(
            numbered(cells, (SHAPE, shape), (INSIDE, within), (APART, apart)), np.array(design.counts),
            numbered(cells, *digits), numbered(cells, (1, decide)),
            numbered(edges, (LOOP, design.line if self.is_solved else ()), (OTHER, other)),
        )  # fmt: skip
        for item in (self.ground, self.sheet):
            item.show_sheet(self._places, shown)
        own = sorted(p.form.numbers[name] for name in {*design.own_cells, *design.own_clues})
        # If all cells are edited, as in an imported puzzle, a mark in each would say nothing.
        locked = shapes.middles[own] if len(own) < len(p.form.numbers) else np.empty((0, 2))
        self._locks.spacing = shapes.radius
        self._locks.show_places(locked - shapes.radius * LOCK_AWAY)


def _tinted(colour: QColor, alpha: int) -> QColor:
    tint = QColor(colour)
    tint.setAlpha(alpha)
    return tint


class CellSelection(QObject):
    """Cells of the shapes in sight, by number; canvas and inspector share it."""

    changed = Signal()

    def __init__(self, shapes: SlitherlinkShapes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.shapes = shapes
        self.cells: frozenset[int] = frozenset()

    def show_shapes(self, shapes: SlitherlinkShapes) -> None:
        """Bring other shapes in sight; on the same grid cells stay selected."""
        before, self.shapes = self.shapes.design.parameters.form, shapes
        self.select(self.cells if before is shapes.design.parameters.form else ())

    def select(self, cells: Iterable[int] = ()) -> None:
        """Select just these."""
        chosen = frozenset(cells)
        if chosen != self.cells:
            self.cells = chosen
            self.changed.emit()

    def select_all(self) -> None:
        """Select every cell."""
        self.select(range(self.shapes.design.parameters.net.outside))

    def toggle(self, cell: int) -> None:
        """Toggle the selection of a cell."""
        self.select(self.cells ^ {cell})

    @property
    def title(self) -> str:
        """The selection, as a title."""
        if len(self.cells) == 1:
            return self.shapes.design.names_of(self.cells)[0]
        return many(len(self.cells), "cell")

    @property
    def status_text(self) -> str:
        """The selection, for the status bar."""
        return tr("{selection} selected", selection=self.title) if self.cells else tr("Nothing selected")


class SlitherlinkTool(Tool):
    """A click changes the cell or the clue under it; a drag does the same to every cell or clue that it crosses."""

    refused = Signal(str)
    painted = Signal(object)
    """Brings the cells of a shape, a frozenset."""

    def __init__(self, document: Document, canvas: Canvas, selection: CellSelection, overlay: Overlay) -> None:
        super().__init__(canvas)
        self._document, self._selection, self._overlay = document, selection, overlay
        self.is_painting = False
        self._gesture: object | None = None
        self._on_clue = self._wanted = False
        self._stroke: set[int] | None = None
        selection.changed.connect(self.show_selection)
        document.replaced.connect(lambda: selection.select())

    @property
    def _design(self) -> SlitherlinkDesign:
        design: SlitherlinkDesign = self._document.design
        return design

    @property
    def is_tried(self) -> bool:
        """True if the form only tries the board in sight, whose cells differ from the design's."""
        return self._selection.shapes.design.parameters.layout != self._design.parameters.layout

    def show_selection(self) -> None:
        """Draw the selection."""
        path = self._overlay.cells_path(sorted(self._selection.cells))
        self._overlay.chosen.show_path(path, lambda theme: cosmetic(theme.text, 2.0))

    def _under(self, pointer: Pointer) -> tuple[int | None, bool]:
        """Cell at the mouse, and True if the mouse is on its clue; None while another board is only tried."""
        shapes = self._selection.shapes
        cell = None if self.is_tried else shapes.cell_at(pointer.x, pointer.y)
        if cell is None or self.is_painting:
            return cell, False
        x, y = shapes.middle_of(cell)
        return cell, math.hypot(pointer.x - x, pointer.y - y) < CLUE_REACH * shapes.radius_of(cell)

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show the cell or the clue that a click would change."""
        cell, on_clue = self._under(pointer)
        path = QPainterPath()
        if cell is not None:
            path = self._overlay.clue_path(cell) if on_clue else self._overlay.cells_path([cell])
        self._overlay.hovered.show_path(path, _thin)
        return Qt.CursorShape.ArrowCursor if cell is None else Qt.CursorShape.PointingHandCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._overlay.hovered.show_path(QPainterPath(), _thin)

    def pressed(self, pointer: Pointer) -> None:
        """Change the cell or the clue under the mouse; with Shift or Ctrl only toggle the cell in the selection."""
        cell, self._on_clue = self._under(pointer)
        self._gesture = None
        if cell is None:
            self._selection.select()
        elif pointer.shift or pointer.control:
            self._selection.toggle(cell)
        elif self.is_painting:
            shape = {*self._design.allowed} if self._design.shape else set[int]()
            self._wanted, self._stroke = cell not in shape, shape
            self._paint(cell)
        else:
            self._gesture = object()
            self._selection.select([cell])
            self._wanted = not cells_of(self._design.given if self._on_clue else self._design.inside)[cell]
            if not self._change(cell):
                self._gesture = None

    def dragged(self, pointer: Pointer) -> None:
        """Apply the stroke's change to the cell under the mouse."""
        cell, _ = self._under(pointer)
        if cell is None:
            return
        if self._stroke is not None:
            self._paint(cell)
        elif self._gesture is not None:
            now = cells_of(self._design.given if self._on_clue else self._design.inside)[cell]
            if now != self._wanted:
                self._change(cell, quietly=True)

    def released(self, pointer: Pointer) -> None:
        """The gesture is over."""
        self._gesture = None
        if self._stroke is not None:
            stroke, self._stroke = self._stroke, None
            self._overlay.show_stroke(None)
            self.painted.emit(frozenset(stroke))

    def double_clicked(self, pointer: Pointer) -> None:
        """A second quick click is a click like the first."""
        self.pressed(pointer)

    def _paint(self, cell: int) -> None:
        assert self._stroke is not None
        (self._stroke.add if self._wanted else self._stroke.discard)(cell)
        self._overlay.show_stroke(self._stroke)

    def _change(self, cell: int, *, quietly: bool = False) -> bool:
        """Add or remove a clue, or move a cell to the other side; returns whether that was possible."""
        name = self._design.names_of([cell])[0]
        try:
            if self._on_clue:
                words = tr("Add clue {cell}", cell=name) if self._wanted else tr("Remove clue {cell}", cell=name)
                design = with_clues(self._design, {cell: self._wanted})
            else:
                words = tr("Move {cell} inside", cell=name) if self._wanted else tr("Move {cell} outside", cell=name)
                design = flipped(self._design, cell)
        except StudioError as problem:
            if not quietly:
                self.refused.emit(str(problem))
            return False
        self._document.edit(words, design, gesture=self._gesture)
        return True

    def flip(self) -> None:
        """Move the selected cells to the other side, one after another where possible."""
        cells = sorted(self._selection.cells)
        self._gesture, self._on_clue = object(), False
        changed = 0
        for cell in cells:
            self._wanted = not cells_of(self._design.inside)[cell]
            changed += self._change(cell, quietly=changed > 0 or len(cells) > 1)
        if cells and not changed and len(cells) > 1:
            self.refused.emit(tr("None of the selected cells can switch sides without breaking the loop."))
        self._gesture = None

    def toggle_clues(self) -> None:
        """Add the selected clues, or remove them if all are given."""
        cells = sorted(self._selection.cells)
        wanted = not all(cell in self._design.clues for cell in cells)
        if cells:
            clues = many(len(cells), "clue") if len(cells) > 1 else tr("clue {cell}", cell=self._selection.title)
            words = tr("Add {clues}", clues=clues) if wanted else tr("Remove {clues}", clues=clues)
            self._document.edit(words, with_clues(self._design, dict.fromkeys(cells, wanted)))

    def menu_asked(self, pointer: Pointer) -> None:
        """Select the cell that the menu is about."""
        cell, _ = self._under(pointer)
        if cell is not None and cell not in self._selection.cells:
            self._selection.select([cell])
        super().menu_asked(pointer)

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows go to the next cell, with Shift adding it to the selection."""
        step = ARROWS.get(Qt.Key(event.key()))
        if step is None:
            return False
        chosen, layout = self._selection.cells, self._selection.shapes.design.parameters.layout
        cell = cell_spots(layout).beside(max(chosen), *step) if chosen else 0
        more = chosen if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else frozenset[int]()
        self._selection.select({cell, *more})
        return True

    def cancelled(self) -> bool:
        """Escape: cancel a stroke, or clear the selection."""
        had = bool(self._selection.cells) or self._stroke is not None
        if self._stroke is not None:
            self.give_up_stroke()
        else:
            self._selection.select()
        return had

    def give_up_stroke(self) -> None:
        """Drop the stroke under way and restore the shape."""
        self._stroke = None
        self._overlay.show_stroke(None)


def _thin(theme: Theme) -> QPen:
    return cosmetic(theme.accent, 1.5)
