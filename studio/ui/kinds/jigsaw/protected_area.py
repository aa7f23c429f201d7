"""What is painted on one jigsaw in the window: its protected area, its uncut area, and lines that cuts follow."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QLineF, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPainterPathStroker, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import many
from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice, number
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.drawing_import import READERS, SUFFIXES, read_followed, read_mask
from studio.files.imported_paths import Reading
from studio.geometry.curves.strokes import Floats, through
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.faces import with_faces_whole
from studio.puzzles.jigsaw.picture.masks import (
    BRUSHES,
    FollowedLine,
    Mask,
    area_on_board,
    brushed,
    changed,
    ensure_steerable,
    rings_on_board,
    without_lines,
)
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.marks import HANDLE_Z, HIGHLIGHT_Z
from studio.ui.canvas.paths import cosmetic
from studio.ui.canvas.view import Pointer, Tool
from studio.ui.kinds.jigsaw.selection import faint
from studio.ui.panels.drawing_import import DrawingImport, DrawingResult
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.inspector_pages import EVEN, FactsPage
from studio.ui.session.document import Document
from studio.ui.session.notices import Action
from studio.ui.session.session import Session
from studio.ui.widgets.controls import push_button, wrapping
from studio.ui.widgets.layout import grid
from studio.ui.widgets.theme import current_theme

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.extension import JigsawExtension
    from studio.ui.kinds.jigsaw.inspector import Inspector


SPACING = 9.0
"""Distance of the lines of the hatch, in pixels."""
NARROW = 4.0
"""The same for the area without cuts."""
LINE_WIDTH = 1.2
"""Width in mm at which lines that cuts follow are shown."""
FILLED, HATCHED = 40, 190
"""Opacity of the area and of its lines, of 255."""


class AreaItem(QGraphicsItem):
    """An area with a hatch that looks alike at every zoom, or a stroke that adds to one or erases from it."""

    def __init__(self, spacing: float = SPACING) -> None:
        super().__init__()
        self._spacing = spacing
        self.setZValue(HIGHLIGHT_Z - 0.8)
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemUsesExtendedStyleOption)
        self.path = QPainterPath()
        self._erases = self._is_stroke = False

    def show_rings(self, rings: Iterable[Floats]) -> None:
        """Show the area in polygons (n, 2) in mm, by the even-odd rule."""
        path = QPainterPath()
        path.setFillRule(Qt.FillRule.OddEvenFill)
        for ring in rings:
            path.addPolygon(QPolygonF([QPointF(*point) for point in ring.tolist()]))
            path.closeSubpath()
        self.show_stroke(path)
        self._is_stroke = False

    def show_stroke(self, path: QPainterPath, *, erases: bool = False) -> None:
        """Show the area that a stroke of the brush adds or erases."""
        self.prepareGeometryChange()
        self.path, self._erases, self._is_stroke = path, erases, True
        self.update()

    def boundingRect(self) -> QRectF:
        bounds = self.path.controlPointRect()
        return bounds if bounds.isNull() else bounds.adjusted(-1, -1, 1, 1)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        if self.path.isEmpty():
            return
        theme, pixel = current_theme(), 1.0 / max(painter.worldTransform().m11(), 1e-9)
        rim = QColor(theme.board)
        rim.setAlpha(HATCHED)
        painter.fillPath(self.path, rim if self._erases else faint(theme, FILLED))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if not self._erases:
            painter.save()
            painter.setClipPath(self.path, Qt.ClipOperation.IntersectClip)
            # Rising lines, at the same places wherever the exposed part begins.
            shown, spacing = option.exposedRect.intersected(self.boundingRect()), self._spacing * pixel
            first = math.ceil((shown.left() + shown.top()) / spacing)
            last = math.floor((shown.right() + shown.bottom()) / spacing)
            lines = [
                QLineF(at * spacing - shown.top(), shown.top(), at * spacing - shown.bottom(), shown.bottom())
                for at in range(first, last + 1)
            ]
            # Dark next to light, to be seen over every picture.
            for colour, aside in ((rim, pixel), (faint(theme, HATCHED), 0.0)):
                painter.setPen(cosmetic(colour))
                painter.drawLines([line.translated(aside, 0.0) for line in lines])
            painter.restore()
        if not self._is_stroke:
            painter.setPen(cosmetic(rim, 3.0))
            painter.drawPath(self.path)
            painter.setPen(cosmetic(theme.accent))
            painter.drawPath(self.path)


class BrushItem(QGraphicsItem):
    """The ring around the area of the brush at the mouse."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(HANDLE_Z)
        self._size = 1.0

    def show_size(self, size: float) -> None:
        """Show a brush of another diameter in mm."""
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size

    def boundingRect(self) -> QRectF:
        half = self._size / 2 + 1
        return QRectF(-half, -half, 2 * half, 2 * half)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, half = current_theme(), self._size / 2
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Light next to dark, to be seen over every picture.
        for colour, beside in ((theme.board, 1.0 / max(painter.worldTransform().m11(), 1e-9)), (theme.accent, 0.0)):
            painter.setPen(cosmetic(colour))
            painter.drawEllipse(QPointF(), half + beside, half + beside)


PAINT, ERASE = "paint", "erase"
PROTECT, UNCUT, LINE = "mask", "uncut", "lines"
"""What a stroke paints, by the field of the design."""
NAMES = {PROTECT: tr("Protected area"), UNCUT: tr("Don't cut here"), LINE: tr("Follow this line")}
SHORT = {PROTECT: tr("Protect"), UNCUT: tr("Don't cut"), LINE: tr("Follow line")}
HINTS = {
    PROTECT: tr("Tongues and corners keep clear of this area. Drag to paint, Shift+drag to erase."),
    UNCUT: tr("Cuts keep out of this area where pieces can make room. Drag to paint, Shift+drag to erase."),
    LINE: tr("Cuts follow the picture's contour beside your stroke, or the stroke. Shift+drag removes lines."),
}
LOADING = {PROTECT: tr("Load protected area"), UNCUT: tr("Load uncut area"), LINE: tr("Load lines")}
CLEARING = {PROTECT: tr("Clear protected area"), UNCUT: tr("Clear uncut area"), LINE: tr("Clear lines")}
PAINTING = {PROTECT: tr("Paint protected area"), UNCUT: tr("Paint uncut area"), LINE: tr("Follow line")}
ERASING = {PROTECT: tr("Erase protected area"), UNCUT: tr("Erase uncut area"), LINE: tr("Remove lines")}
FILES = tr("Pictures and drawings ({suffixes})", suffixes=" ".join(f"*{suffix}" for suffix in SUFFIXES))
NOTCH = 1.15
"""Factor by which a notch of the wheel changes the brush."""
USUAL = 0.4
"""The first brush, in widths of a piece."""


@dataclass(frozen=True)
class Brush(Validated):
    """Mode and width of a stroke, and what it paints."""

    paints: str = choice(PROTECT, SHORT, title="Paints",
        help="Protected area: tongues and corners keep clear; don't cut here: all cuts do; or a line that cuts follow.",
    )  # fmt: skip
    mode: str = choice(PAINT, {PAINT: tr("Paint"), ERASE: tr("Erase")}, title="Brush",
        help="Paint adds to the protected area, Erase removes from it; Shift swaps the two.")  # fmt: skip
    size: float = number(15.0, title="Size", minimum=2 * BRUSHES[0], maximum=2 * BRUSHES[1], step=1.0, unit="mm",
        help="Diameter of the brush; Shift+wheel changes it.")  # fmt: skip
    strength: float = number(1.0, title="Strength", minimum=0.05, maximum=1.0, step=0.05,
        help="How far corners move onto a line that cuts follow.")  # fmt: skip


class Masking(QObject):
    """Shows the protected area of one design, and lets it be painted."""

    def __init__(self, session: Session, extension: JigsawExtension, inspector: Inspector) -> None:
        super().__init__(extension)
        self._session, self._extension, self._inspector = session, extension, inspector
        self._drawings = DrawingImport(session, "mask", tr("Load protected area"), self._look, self)
        self._area, self._uncut, self._lines = AreaItem(), AreaItem(NARROW), AreaItem()
        for item in (self._area, self._uncut, self._lines):
            session.canvas.scene.addItem(item)
        self._shown = JigsawDesign()
        size = round(min(max(USUAL * min(extension.shapes.design.parameters.cell), 2.0), 100.0))
        self.tool = MaskTool(session.document, session.canvas, Brush(size=float(size)))
        self.tool.left_off.connect(self.leave)
        self.tool.brushed.connect(self._follow_brush)
        self.tool.refused.connect(extension.refused)
        self.panel: MaskPanel | None = None
        session.document.replaced.connect(self.leave)
        extension.selection.changed.connect(self._follow_selection)
        session.canvas.draft_shown.connect(lambda _shown: self._show_area())

    @property
    def is_painting(self) -> bool:
        """True while the mouse paints the area instead of moving the cuts."""
        return self._session.canvas.view.tool is self.tool

    def paint(self, on: bool) -> None:
        """Let the mouse paint the area, or move the cuts again."""
        if on == self.is_painting:
            return
        if not on:
            self.leave()
            return
        self._extension.leave_asides()
        self._extension.selection.select()
        if self.panel is None:
            self.panel = MaskPanel(self, self.tool.brush)
        self._session.canvas.view.tool = self.tool
        self._inspector.show_aside(self.panel, self.tool)
        self._show_area()
        self.panel.show_area(self._session.document.design)
        self._extension.changed.emit()

    def leave(self) -> None:
        """Give the mouse back to the cuts."""
        if self.is_painting:
            self.tool.put_away()
            self._session.canvas.view.tool = self._extension.tool
            self._inspector.show_aside(None)
            self._show_area()
            self._extension.changed.emit()

    def _follow_brush(self, brush: Brush) -> None:
        if self.panel is not None:
            self.panel.form.set_parameters(brush)
            self.panel.show_area(self._session.document.design)

    @property
    def _paints(self) -> str:
        return self.tool.brush.paints

    def take_brush(self, brush: Brush) -> None:
        """Paint with another brush, or something else."""
        self.tool.set_brush(brush)
        if self.panel is not None:
            self.panel.show_area(self._session.document.design)

    def load(self) -> None:
        """Ask for a picture or a drawing of the area, or a drawing of the lines."""
        path = self._session.ask_file("mask", LOADING[self._paints], FILES)
        if path is not None:
            self.read(path)

    def read(self, path: Path) -> None:
        """Replace what the brush paints by the area, or the lines, in a file."""
        if path.suffix.lower() in READERS or self._paints == LINE:
            self._drawings.read(path, lambda seen: self._protect(seen.result))
            return
        self._session.changing.look(
            LOADING[self._paints],
            lambda design, progress: read_mask(path, design.picture, design.size, progress),
            self._use,
        )

    def _look(self, path: Path, reading: Reading, progress: Progress) -> DrawingResult:
        design: JigsawDesign = self._session.document.design
        if self._paints == LINE:
            strength = self.tool.brush.strength
            lines, notes = read_followed(path, design.picture, design.size, strength, progress, reading)
            ways = [line.on_board(design.picture, design.size) for line in lines]
            return DrawingResult(lines, [through(way) for way in ways], notes, design.size)
        mask, notes = read_mask(path, design.picture, design.size, progress, reading)
        rings = rings_on_board(mask, design.picture, design.size)
        return DrawingResult(mask, [through(np.vstack([ring, ring[:1]])) for ring in rings], notes, design.size)

    def _use(self, found: tuple[Mask, tuple[str, ...]]) -> None:
        mask, notes = found
        self._protect(mask)
        if notes:
            self._session.notices.post(" ".join(notes), passes=True)

    def _protect(self, found: Mask | tuple[FollowedLine, ...]) -> None:
        changes: dict[str, Any] = {self._paints: found}
        self._session.document.edit(LOADING[self._paints], replace(self._session.document.design, **changes))

    def find_faces(self) -> None:
        """Find the faces in the picture, and keep cuts out of their eyes and mouths."""
        self._session.changing.look(tr("Find faces"), with_faces_whole, self._use_faces)

    def _use_faces(self, found: tuple[JigsawDesign, int]) -> None:
        design, count = found
        self._session.document.edit(tr("Find faces"), design)
        if count:
            words = tr(
                "Found {faces}. Cuts keep out of eyes and mouths where pieces can make room.", faces=many(count, "face")
            )
        else:
            words = tr("No faces found. Paint eyes and mouths with the brush “Don't cut here”.")
        self._session.notices.post(words, action=Action(tr("Paint"), self._paint_uncut), passes=True)

    def _paint_uncut(self) -> None:
        self.tool.set_brush(replace(self.tool.brush, paints=UNCUT))
        self._follow_brush(self.tool.brush)
        self.paint(True)

    def clear(self) -> None:
        """Remove what the brush paints."""
        design: JigsawDesign = self._session.document.design
        changes: dict[str, Any] = {self._paints: () if self._paints == LINE else None}
        if getattr(design, self._paints):
            self._session.document.edit(CLEARING[self._paints], replace(design, **changes))

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow the area, which moves along with a picture."""
        design = shapes.design
        was, picture, size = self._shown, design.picture, design.size
        is_moved = picture is not was.picture or size != was.size
        for item, mask, old in ((self._area, design.mask, was.mask), (self._uncut, design.uncut, was.uncut)):
            if is_moved or mask is not old:
                item.show_rings(rings_on_board(mask, picture, size))
        if is_moved or design.lines is not was.lines:
            shown = QPainterPath()
            shown.setFillRule(Qt.FillRule.WindingFill)
            for line in design.lines:
                shown.addPath(_stroked([(x, y) for x, y in line.on_board(picture, size).tolist()], LINE_WIDTH))
            self._lines.show_stroke(shown)
        if self.panel is not None:
            self.panel.show_area(design)
        self._shown = design

    def _show_area(self) -> None:
        """Show the area with the draft, since it is a design aid as corners are, or under another tool."""
        canvas = self._session.canvas
        for item in (self._area, self._uncut, self._lines):
            item.setVisible(canvas.drawing.is_draft or canvas.view.tool is not self._extension.tool)

    def _follow_selection(self) -> None:
        if self._extension.selection:
            self.leave()


class MaskPanel(FactsPage):
    """The inspector's page for the protected area: its size, the brush, and buttons."""

    def __init__(self, masking: Masking, brush: Brush) -> None:
        self.about = wrapping()
        self.form = ParameterForm(brush, Manner.PLAIN)
        self._masking = masking
        self.form.previewed.connect(masking.take_brush)
        self.form.edited.connect(lambda _words, brush, _token: masking.take_brush(brush))
        self.buttons = [
            push_button(
                tr("Load…"), tr("Load an area from a picture or closed paths of a drawing, or lines from a drawing")
            ),
            push_button(tr("Clear"), tr("Remove the area, or the lines, that the brush paints")),
            push_button(tr("Done"), tr("Go back to the cuts")),
        ]
        actions: list[Callable[[], object]] = [masking.load, masking.clear, masking.leave]
        for button, action in zip(self.buttons, actions, strict=True):
            button.clicked.connect(lambda _checked=False, action=action: action())
        made = grid(self.buttons[:2], self.buttons[2:])
        made.setColumnStretch(0, 1)
        made.setColumnStretch(1, 1)
        super().__init__(self.about, self.form, made, spaces=EVEN)

    def show_area(self, design: JigsawDesign) -> None:
        """Say how much of the board the brush has painted."""
        paints = self._masking.tool.brush.paints
        self.show_facts(NAMES[paints], {})
        self.hint.setText(HINTS[paints])
        found = getattr(design, paints)
        if paints == LINE:
            self.about.setText(
                tr("{lines}", lines=many(len(found), "line")) if found else tr("Cuts follow no line yet.")
            )
        elif found is None:
            self.about.setText(
                tr("Nothing is protected yet.") if paints == PROTECT else tr("Nothing is kept whole yet.")
            )
        else:
            import shapely

            board = shapely.box(0.0, 0.0, *design.size)
            inside = shapely.intersection(area_on_board(found, design.picture, design.size), board)
            self.about.setText(tr("{share:.1%} of the board", share=shapely.area(inside) / shapely.area(board)))
        self.buttons[1].setEnabled(bool(found))


class MaskTool(Tool):
    """The mouse paints an area or a line, a stroke of the brush at a time."""

    takes_double_clicks = False
    left_off = Signal()
    """The cuts are wanted again."""
    brushed = Signal(object)
    """Brings the brush when the wheel has changed it."""
    refused = Signal(str)
    """Brings the reason why a stroke changes nothing."""

    def __init__(self, document: Document, canvas: Canvas, brush: Brush) -> None:
        super().__init__(canvas)
        self._document = document
        self.brush = brush
        self._round = BrushItem()
        self._stroke = AreaItem()
        for item in (self._round, self._stroke):
            canvas.scene.addItem(item)
            item.hide()
        self._way: list[tuple[float, float]] = []
        self._erases = False
        document.settled.connect(self._let_go)

    def set_brush(self, brush: Brush) -> None:
        """Paint with another brush."""
        self.brush = brush
        self._round.show_size(brush.size)

    def put_away(self) -> None:
        """Show neither brush nor stroke."""
        self._let_go()
        self._round.hide()

    def _let_go(self, _design: object = None) -> None:
        self._way = []
        self._stroke.hide()

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show how far the brush reaches."""
        self._round.show_size(self.brush.size)
        self._round.setPos(pointer.place)
        self._round.show()
        return Qt.CursorShape.CrossCursor

    def left(self) -> None:
        """The brush is nowhere."""
        self._round.hide()

    def pressed(self, pointer: Pointer) -> None:
        """Begin a stroke."""
        self._erases = (self.brush.mode == ERASE) != pointer.shift
        self._way = [(pointer.x, pointer.y)]
        self.dragged(pointer)

    def dragged(self, pointer: Pointer) -> None:
        """Go on with the stroke."""
        if not self._way:
            return
        self._round.setPos(pointer.place)
        if (pointer.x, pointer.y) != self._way[-1]:
            self._way.append((pointer.x, pointer.y))
        is_line = self.brush.paints == LINE and not self._erases
        self._stroke.show_stroke(_stroked(self._way, LINE_WIDTH if is_line else self.brush.size), erases=self._erases)
        self._stroke.show()

    def released(self, pointer: Pointer) -> None:
        """Make the stroke one step of the history."""
        way, design = self._way, self._document.design
        self._let_go()
        if not way:
            return
        paints, words = self.brush.paints, ERASING if self._erases else PAINTING
        area, picture, size = brushed(np.array(way), self.brush.size / 2, design.size), design.picture, design.size
        found: Any
        try:
            if paints != PROTECT and not self._erases:
                ensure_steerable(design)
            if paints != LINE:
                found = changed(getattr(design, paints), area, picture, size, erases=self._erases)
            elif self._erases:
                found = without_lines(design.lines, area, picture, size)
            else:
                line = FollowedLine.from_path(np.array(way), self.brush.strength, picture, size)
                found = design.lines if line is None else (*design.lines, line)
            painted = replace(design, **{paints: found})
        except StudioError as problem:
            self.refused.emit(str(problem))
            return
        if found != getattr(design, paints):
            self._document.edit(words[paints], painted)

    def wheeled(self, notches: float, pointer: Pointer) -> bool:
        """With Shift, take a larger or a smaller brush."""
        if not pointer.shift:
            return False
        size = min(max(self.brush.size * NOTCH**notches, 2 * BRUSHES[0]), 2 * BRUSHES[1])
        self.set_brush(replace(self.brush, size=round(size, 1)))
        self.brushed.emit(self.brush)
        return True

    def cancelled(self) -> bool:
        """Give up the stroke, or else leave the area alone."""
        if self._way:
            self._let_go()
        else:
            self.left_off.emit()
        return True

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Enter is done with it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left_off.emit()
            return True
        return False


def _stroked(way: list[tuple[float, float]], size: float) -> QPainterPath:
    """Area covered by a round brush of diameter `size` along a path."""
    path = QPainterPath()
    places = [QPointF(*place) for place in way]
    if len(places) == 1:
        path.addEllipse(places[0], size / 2, size / 2)
        return path
    path.addPolygon(QPolygonF(places))
    stroker = QPainterPathStroker()
    stroker.setWidth(size)
    stroker.setCapStyle(Qt.PenCapStyle.RoundCap)
    stroker.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    stroked = stroker.createStroke(path)
    stroked.setFillRule(Qt.FillRule.WindingFill)
    return stroked
