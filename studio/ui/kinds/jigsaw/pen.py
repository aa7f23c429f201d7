"""Lines drawn on one jigsaw in the window: cuts and edges with the pen, patterns from files, and flow lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPolygonF

from studio.base.errors import StudioError
from studio.base.parameters import Validated, choice
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.files.drawing_import import read_cuts
from studio.files.imported_paths import Reading
from studio.geometry.curves.strokes import Curves, Floats, Ints
from studio.puzzles.jigsaw.model import drawn_cuts, edits
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.drawn_boards import is_all_drawn
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.pen import (
    CORNER,
    CUT,
    FREE,
    NEAR,
    SQUARE,
    TANGENT,
    Spot,
    drawn_by_hand,
    snapped,
    stroke_through,
    with_tongued_cut,
)
from studio.ui.canvas import paths
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.marks import HANDLE_Z, HIGHLIGHT_Z, DotsItem, draw_rings
from studio.ui.canvas.paths import PathItem
from studio.ui.canvas.view import Pointer, Tool, stirred
from studio.ui.kinds.jigsaw.selection import CATCH, Selection, thick_pen
from studio.ui.panels.drawing_import import DrawingImport, DrawingResult
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.inspector_pages import EVEN, FactsPage
from studio.ui.session.session import Session
from studio.ui.widgets.controls import push_button
from studio.ui.widgets.layout import grid
from studio.ui.widgets.theme import current_theme

if TYPE_CHECKING:
    from studio.ui.kinds.jigsaw.extension import JigsawExtension
    from studio.ui.kinds.jigsaw.inspector import Inspector

STRAIGHT, SMOOTH = "straight", "smooth"
PLAIN, TONGUES = "plain", "tongues"
HELD = {
    CORNER: tr("on a corner"), CUT: tr("on a cut"), SQUARE: tr("square to a cut"), TANGENT: tr("in line with a cut"),
}  # fmt: skip


@dataclass(frozen=True)
class Pen(Validated):
    """How the pen draws from click to click."""

    line: str = choice(STRAIGHT, {STRAIGHT: tr("Straight"), SMOOTH: tr("Smooth")}, title="Lines",
        help="Straight lines or a smooth curve through the places clicked; strokes by hand are smooth.")  # fmt: skip
    edge: str = choice(PLAIN, {PLAIN: tr("As drawn"), TONGUES: tr("With tongues")}, title="Edges",
        help="With tongues, straight edges of a new cut get tongues of the board's style where these fit.")  # fmt: skip


class Drawing(QObject):
    """Draws cuts on one design."""

    def __init__(self, session: Session, extension: JigsawExtension, inspector: Inspector) -> None:
        super().__init__(extension)
        self._session, self._extension, self._inspector = session, extension, inspector
        self.tool = PenTool(session.canvas, extension.selection)
        self.tool.left_off.connect(self.leave)
        self.tool.drawn.connect(self._draw)
        self.tool.refused.connect(extension.refused)
        self.tool.told.connect(self._tell)
        self._drawings = DrawingImport(session, "cuts", tr("Use as cuts"), self._look, self, engraves=True)
        self._edge = ""
        self.pen = Pen()
        self.panel: PenPanel | None = None
        session.document.replaced.connect(self.leave)
        session.document.settled.connect(self._end)
        session.changing.given_up.connect(self.tool.take_back)
        extension.selection.changed.connect(self._follow_selection)

    def take(self, path: Path) -> None:
        """Take the outline and the cuts from a drawing; the picture and the parameters of tongues stay."""
        words = tr("Use cuts of {name}", name=path.name)
        self._drawings.read(path, lambda seen: self._session.document.edit(words, seen.result))

    def _look(self, path: Path, reading: Reading, progress: Progress) -> DrawingResult:
        design, notes = read_cuts(path, self._session.document.design, progress, reading)
        lines = [np.array(line) for line in (*design.path, *(cut.curve for cut in design.cuts))]
        return DrawingResult(design, lines, notes, design.size)

    @property
    def is_drawing(self) -> bool:
        """True while the mouse draws instead of moving the cuts."""
        return self._session.canvas.view.tool is self.tool

    def draw(self, on: bool, edge: str = "") -> None:
        """Let the mouse draw cuts, or another curve for the named edge; or move the cuts again."""
        if not on:
            self.leave()
            return
        shapes = self._extension.shapes
        self._extension.leave_asides()
        self._extension.selection.select()
        if self.panel is None:
            self.panel = PenPanel(self)
        self._edge = edge
        at = shapes.tiling.edge_indices.get(edge)
        ends = None if at is None else shapes.corners[shapes.tiling.graph.edges[at]]
        self.panel.show_edge(edge)
        self._session.canvas.view.tool = self.tool
        self.tool.begin(self.pen, ends)
        self._inspector.show_aside(self.panel, self.tool)
        self._extension.changed.emit()

    def redraw(self) -> None:
        """Let the mouse draw another curve for the selected edge."""
        shapes, (edge,) = self._extension.shapes, self._extension.selection.tongues
        if shapes.is_of_figure(edge) or edge in shapes.tiling.seams.edges:
            self._extension.refused.emit(
                tr("Cuts of a figure cannot be redrawn. Convert the board to drawn cuts first.")
            )
        else:
            self.draw(True, shapes.tiling.edge_name(edge))

    def shape(self, words: str, edge: int, curve: Floats) -> None:
        """Give a drawn edge another curve (3k + 1, 2) in mm, as a step of the history with some words."""
        name = self._extension.shapes.tiling.edge_name(edge)
        change = partial(drawn_cuts.with_edge_redrawn, name=name, curve=curve)
        self._session.changing.make(words, change)

    def leave(self) -> None:
        """Give the mouse back to the cuts."""
        if self.is_drawing:
            self.tool.put_away()
            self._edge = ""
            self._session.canvas.view.tool = self._extension.tool
            self._session.notices.go_on()
            self._inspector.show_aside(None)
            self._extension.changed.emit()

    def show_shapes(self, _shapes: JigsawShapes) -> None:
        """Follow the shapes."""
        self.tool.show_spot(None)

    def set_pen(self, pen: Pen) -> None:
        """Draw with another pen."""
        self.pen = self.tool.pen = pen

    def _draw(self, curve: Floats) -> None:
        """Make the stroke a step of the history."""
        converts = not is_all_drawn(self._session.document.design)
        if self._edge:
            words = tr("Convert to drawn cuts and redraw an edge") if converts else tr("Redraw edge")
            change = partial(drawn_cuts.with_edge_redrawn, name=self._edge, curve=curve)
            self._session.changing.make(words, change)
            return
        words = tr("Convert to drawn cuts and draw a cut") if converts else tr("Draw cut")
        cut = with_tongued_cut if self.pen.edge == TONGUES else drawn_cuts.with_cut
        self._session.changing.make(words, partial(cut, line=curve))

    def _end(self, _design: object = None) -> None:
        """Drop the line, as the design has changed; once an edge is redrawn, select it and leave."""
        edge = self._edge
        self.tool.let_go()
        if edge and self.is_drawing:
            self.leave()
            at = self._extension.shapes.tiling.edge_indices.get(edge)
            self._extension.selection.select(tongues=[] if at is None else [at])

    def _tell(self, text: str) -> None:
        if self.panel is not None:
            self.panel.show_place(text)

    def _follow_selection(self) -> None:
        if self._extension.selection:
            self.leave()


class PenPanel(FactsPage):
    """The inspector's page for the pen."""

    def __init__(self, drawing: Drawing) -> None:
        self.form = ParameterForm(drawing.pen, Manner.PLAIN)
        self.form.previewed.connect(drawing.set_pen)
        self.form.edited.connect(lambda _words, pen, _token: drawing.set_pen(pen))
        self.done = push_button(tr("Done"), tr("Go back to the cuts"))
        self.done.clicked.connect(lambda _checked=False: drawing.leave())
        super().__init__(self.form, grid([self.done]), spaces=EVEN)
        self.show_edge("")

    def show_edge(self, edge: str) -> None:
        """Say how cuts are drawn, or how the named edge is redrawn."""
        self._doing = tr("Redraw {edge}", edge=edge) if edge else tr("Pen")
        self.hint.setText(
            tr(
                "Click along the new curve between the two ringed corners, or drag it. Enter, or a click on the second "
                "corner, ends it. Backspace takes back a click, Esc the line."
            )
            if edge
            else tr(
                "Click from cut to cut, or drag. It snaps to corners, cuts, right angles and directions of cuts; with "
                "Ctrl it does not. Enter ends the line on the cut it has reached. Backspace takes back a click, Esc "
                "the line."
            )
        )
        self.show_place("")

    def show_place(self, text: str) -> None:
        """Say where the pen is."""
        self.show_facts(self._doing, {tr("Place"): text or "–"})


class PenTool(Tool):
    """The mouse draws a line of clicks, or a stroke by hand."""

    takes_double_clicks = False
    left_off = Signal()
    """The cuts are wanted again."""
    drawn = Signal(object)
    """Brings the curve of a stroke, (3k + 1, 2) in mm."""
    refused = Signal(str)
    """Brings the reason why a stroke is none."""
    told = Signal(str)
    """Brings the place of the pen in words."""

    def __init__(self, canvas: Canvas, selection: Selection) -> None:
        super().__init__(canvas)
        self._selection = selection
        self.pen = Pen()
        self.spots: list[Spot] = []
        """The places clicked."""
        self._trail: list[tuple[float, float]] = []
        self._start: Pointer | None = None
        self._last: Spot | None = None
        """Where the stroke ends if it redraws an edge."""
        self._under: Spot | None = None
        self._is_by_hand = False
        self._pending: tuple[list[Spot], bool] | None = None
        """The places of a line that is being cut, without its end, and whether it is drawn by hand."""
        self._line = PathItem(HIGHLIGHT_Z + 0.5)
        self._dots = DotsItem(HANDLE_Z, self._paint_dots, 6)
        for item in (self._line, self._dots):
            canvas.scene.addItem(item)

    @property
    def _shapes(self) -> JigsawShapes:
        return self._selection.shapes

    def begin(self, pen: Pen, ends: Floats | None) -> None:
        """Draw cuts, or a stroke between two given ends (2, 2) in mm."""
        self.let_go()
        self.pen = pen
        self._last = None
        if ends is not None:
            first, last = (Spot.at(end, CORNER) for end in ends)
            self.spots, self._last = [first], last
            self.show_spot(None)

    def put_away(self) -> None:
        """Show nothing."""
        self._last = None
        self.let_go()

    def let_go(self) -> None:
        """Drop the line."""
        self.spots = self.spots[:1] if self._last is not None else []
        self._trail, self._start = [], None
        self._is_by_hand, self._pending = False, None
        self.show_spot(None)

    def take_back(self) -> None:
        """Take the line up again whose cut was refused, to lead it elsewhere."""
        if self._pending is not None and len(self.spots) <= (self._last is not None):
            (self.spots, self._is_by_hand), self._pending = self._pending, None
            self.show_spot(None)

    @property
    def _is_smooth(self) -> bool:
        return self._is_by_hand or self.pen.line == SMOOTH

    def show_spot(self, spot: Spot | None) -> None:
        """Show the line up to a spot."""
        self._under = spot
        path = QPainterPath()
        if self._trail:
            path.addPolygon(QPolygonF([QPointF(*place) for place in self._trail]))
        elif self.spots:
            shown = [*self.spots, *([spot] if spot is not None else [])]
            shown = [one for one, before in zip(shown, [None, *shown[:-1]], strict=True) if one != before]
            if len(shown) > 1:
                line = stroke_through(shown, is_smooth=self._is_smooth)
                path = paths.curved(Curves.from_strokes([line]))
        self._line.show_path(path, thick_pen)
        dots = [*self.spots, *(one for one in (spot, self._last) if one is not None and one.held != FREE)]
        self._dots.show_places(np.array([(dot.x, dot.y) for dot in dots]).reshape(-1, 2))

    def _paint_dots(self, painter: QPainter, spots: Floats, _shown: Ints) -> None:
        theme = current_theme()
        draw_rings(painter, spots, theme.accent, theme.board)

    def _spot(self, pointer: Pointer) -> Spot:
        here, reach = Spot(pointer.x, pointer.y), CATCH * pointer.pixel
        if self._last is not None:
            return self._last if np.hypot(*(self._last.place - here.place)) <= reach else here
        before = self.spots[-1] if self.spots else None
        return here if pointer.control else snapped(self._shapes, pointer.x, pointer.y, reach, before)

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show where a click would be."""
        spot = self._spot(pointer)
        self.show_spot(spot)
        place, held = tr("{x:.1f}, {y:.1f} mm", x=spot.x, y=spot.y), HELD.get(spot.held)
        self.told.emit(tr("{place}, {held}", place=place, held=held) if held else place)
        return Qt.CursorShape.CrossCursor

    def left(self) -> None:
        """The pen is nowhere."""
        self.show_spot(None)

    def pressed(self, pointer: Pointer) -> None:
        """A click or a stroke begins."""
        self._start = pointer

    def dragged(self, pointer: Pointer) -> None:
        """Go on with a stroke by hand."""
        start = self._start
        if start is None:
            return
        if not self._trail and stirred(start.screen, pointer.screen):
            self._trail = [(start.x, start.y)]
        if self._trail:
            self._trail.append((pointer.x, pointer.y))
            self.show_spot(None)

    def released(self, pointer: Pointer) -> None:
        """End a stroke by hand, or add a click to the line."""
        start, trail, self._start, self._trail = self._start, self._trail, None, []
        if start is None:
            return
        if not trail:
            self._clicked(self._spot(pointer))
            return
        first = self.spots[-1] if self.spots else self._spot(start)
        last = self._last if self._last is not None else self._spot(pointer)
        if not self.spots and not first.is_on_cut:
            trail, first, last = trail[::-1], last, first
        if not self.spots and not first.is_on_cut:
            self.let_go()
            self.refused.emit(tr("Begin or end the stroke on a cut or the border."))
            return
        curve = drawn_by_hand(np.array(trail), first, last, 1.5 * pointer.pixel)
        self.spots = [*(self.spots or [first]), *map(Spot.at, curve[3:-1:3]), last]
        self._is_by_hand = True
        self._follow()

    def _clicked(self, spot: Spot) -> None:
        if not self.spots and not spot.is_on_cut:
            self.refused.emit(tr("Begin on a cut or the border."))
            return
        if self.spots and spot == self.spots[-1]:
            return
        self.spots.append(spot)
        self._follow()

    def _follow(self) -> None:
        """Cut along the line if its last place is an end, unless it crosses itself; else show it."""
        spot = self.spots[-1]
        if not (spot == self._last if self._last is not None else spot.is_on_cut and len(self.spots) > 1):
            self.show_spot(None)
            return
        curve = stroke_through(self.spots, is_smooth=self._is_smooth)
        try:
            drawn_cuts.refuse_loop(curve)
        except StudioError as problem:
            self.spots.pop()
            self.show_spot(None)
            self.refused.emit(str(problem))
            return
        pending = self.spots[:-1], self._is_by_hand
        self.let_go()
        self._pending = pending
        self.drawn.emit(curve)

    def _finish(self) -> None:
        """Cut along the line if it ends at most NEAR mm from a cut, or the mouse is on one."""
        last, under = self.spots[-1], self._under
        near = snapped(self._shapes, last.x, last.y, NEAR)
        if len(self.spots) > 1 and near.is_on_cut:
            self.spots[-1] = near
            self._follow()
        elif under is not None and under.is_on_cut and under != last:
            self._clicked(under)
        else:
            self.refused.emit(tr("End the line on a cut or the border, or drop it with Esc."))

    def cancelled(self) -> bool:
        """Drop the line, or else leave the pen."""
        if len(self.spots) > (self._last is not None) or self._trail:
            self.let_go()
        else:
            self.left_off.emit()
        return True

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Backspace takes the last click back; Enter ends the line, or without one is done with the pen."""
        if event.key() == Qt.Key.Key_Backspace and len(self.spots) > (self._last is not None):
            self.spots.pop()
            self.show_spot(None)
            return True
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if self._last is not None and len(self.spots) > 1:
                self._clicked(self._last)
            elif self._last is None and self.spots:
                self._finish()
            else:
                self.left_off.emit()
            return True
        return False


SMOOTHED = 1.5
"""Largest deviation of a flow line from the mouse's path, in pixels."""


class Flowing(QObject):
    """Draws the lines along which the rows of one design run."""

    def __init__(self, session: Session, extension: JigsawExtension, inspector: Inspector) -> None:
        super().__init__(extension)
        self._session, self._extension, self._inspector = session, extension, inspector
        self.tool = FlowTool(session.canvas)
        self.tool.left_off.connect(self.leave)
        self.tool.drawn.connect(self._add)
        self.clear = push_button(tr("Clear"), tr("Remove the flow lines; rows run straight again"))
        self.clear.clicked.connect(lambda _checked=False: self._change(tr("Clear flow lines"), []))
        self.done = push_button(tr("Done"), tr("Go back to the cuts"))
        self.done.clicked.connect(lambda _checked=False: self.leave())
        hint = tr("Drag a line across the board. Rows run along it; a steep line leads the columns.")
        self.panel = FactsPage(grid([self.clear, self.done]), hint=hint, spaces=EVEN)
        session.document.replaced.connect(self.leave)
        extension.selection.changed.connect(lambda: self.leave() if extension.selection else None)

    @property
    def is_drawing(self) -> bool:
        """True while the mouse draws flow lines instead of moving the cuts."""
        return self._session.canvas.view.tool is self.tool

    def draw(self, on: bool) -> None:
        """Let the mouse draw flow lines, or move the cuts again."""
        if not on:
            self.leave()
            return
        self._extension.leave_asides()
        self._extension.selection.select()
        self._session.canvas.view.tool = self.tool
        self._inspector.show_aside(self.panel, self.tool)
        self.show_shapes(self._extension.shapes)
        self._extension.changed.emit()

    def leave(self) -> None:
        """Give the mouse back to the cuts."""
        if self.is_drawing:
            self.tool.show_lines([])
            self._session.canvas.view.tool = self._extension.tool
            self._inspector.show_aside(None)
            self._extension.changed.emit()

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow the flow lines."""
        if self.is_drawing:
            self.tool.show_lines(_flow_lines_of(shapes.design))
            self.panel.show_facts(tr("Flow"), {tr("Lines"): str(len(shapes.design.flow_lines))})
            self.clear.setEnabled(bool(shapes.design.flow_lines))

    def _add(self, line: Floats) -> None:
        """Add a line (n, 2) in mm, clipped to the board."""
        design: JigsawDesign = self._session.document.design
        line = np.clip(line, 0.0, design.size)
        if len(np.unique(line, axis=0)) > 1:
            self._change(tr("Draw flow line"), [*_flow_lines_of(design), line])

    def _change(self, words: str, lines: list[Floats]) -> None:
        strokes = [[(x, y) for x, y in line.tolist()] for line in lines]
        self._session.changing.make(words, partial(edits.with_flow_lines, strokes=strokes))


def _flow_lines_of(design: JigsawDesign) -> list[Floats]:
    """Flow lines (n, 2) of a design in mm."""
    return [np.array(way) * design.size for way in design.flow_lines]


class FlowTool(Tool):
    """The mouse draws flow lines."""

    takes_double_clicks = False
    left_off = Signal()
    """The cuts are wanted again."""
    drawn = Signal(object)
    """Brings a line, (n, 2) in mm."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self._lines: list[Floats] = []
        self._trail: list[tuple[float, float]] = []
        self._line = PathItem(HIGHLIGHT_Z + 0.5)
        canvas.scene.addItem(self._line)

    def show_lines(self, lines: list[Floats]) -> None:
        """Show lines (n, 2) in mm, and the one that is being drawn."""
        self._lines = lines
        path = QPainterPath()
        for line in [*lines, *([np.array(self._trail)] if self._trail else [])]:
            path.addPolygon(paths.polygon(line))
        self._line.show_path(path, thick_pen)

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """A line can begin anywhere."""
        return Qt.CursorShape.CrossCursor

    def pressed(self, pointer: Pointer) -> None:
        """Begin a line."""
        self._trail = [(pointer.x, pointer.y)]

    def dragged(self, pointer: Pointer) -> None:
        """Go on with the line."""
        if self._trail and (pointer.x, pointer.y) != self._trail[-1]:
            self._trail.append((pointer.x, pointer.y))
            self.show_lines(self._lines)

    def released(self, pointer: Pointer) -> None:
        """Make the line a step of the history, without the mouse's tremor."""
        import shapely

        trail, self._trail = self._trail, []
        self.show_lines(self._lines)
        if len(trail) > 1:
            line = shapely.simplify(shapely.linestrings(trail), SMOOTHED * pointer.pixel)
            self.drawn.emit(shapely.get_coordinates(line))

    def cancelled(self) -> bool:
        """Drop the line, or else leave."""
        if self._trail:
            self._trail = []
            self.show_lines(self._lines)
        else:
            self.left_off.emit()
        return True

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Enter is done with it."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.left_off.emit()
            return True
        return False
