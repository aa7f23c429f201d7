"""Figures from the picture: a click, a box and strokes outline the subject, and its outline becomes a figure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPolygonF
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import extent
from studio.base.errors import StudioError
from studio.base.parameters import Validated, flag, integer
from studio.base.progress import Progress
from studio.base.texts import tr
from studio.geometry.curves.rings import Outlined, box
from studio.geometry.curves.strokes import Curves, Floats
from studio.puzzles.jigsaw.figures.figure_edits import cutout_ring, with_ring_pulled
from studio.puzzles.jigsaw.figures.placing import inner_lines
from studio.puzzles.jigsaw.model.design import JigsawDesign
from studio.puzzles.jigsaw.model.geometry import JigsawShapes
from studio.puzzles.jigsaw.picture.board_picture import Size
from studio.puzzles.jigsaw.picture.cutout import Marks, Stroke, superpixels_of
from studio.puzzles.jigsaw.picture.masks import Placement
from studio.ui.canvas.canvas import Canvas
from studio.ui.canvas.marks import HIGHLIGHT_Z
from studio.ui.canvas.paths import cosmetic, curved
from studio.ui.canvas.view import LEFT, RIGHT, Pointer, Tool, stirred
from studio.ui.panels.form import Manner, ParameterForm
from studio.ui.panels.inspector_pages import EVEN, FactsPage
from studio.ui.session.derived import Derived
from studio.ui.session.session import Session
from studio.ui.widgets.controls import push_button, wrapping
from studio.ui.widgets.layout import grid
from studio.ui.widgets.theme import current_theme, dark_theme, light_theme

if TYPE_CHECKING:
    import shapely

    from studio.ui.kinds.jigsaw.extension import JigsawExtension
    from studio.ui.kinds.jigsaw.inspector import Inspector

SHADE = 150
"""Opacity of the shade over all that is outside, of 255."""
STROKE = 6.0
"""Width of a stroke in pixels."""
HANDLE, GRAB, SPACING, PULL = 3.0, 7.0, 20.0, 45.0
"""Half a handle's side, the distance within which the mouse grabs it, the distance of handles, and the length of
outline on both sides that follows one, in pixels."""
COLOURS = {True: QColor(40, 170, 80), False: QColor(220, 60, 50)}
"""Colours of strokes inside and outside."""
STRAY = 0.3
"""Largest deviation in mm of a stroke from the way of the mouse."""
SAME = 1.0
"""Distance in mm within which an inner line of another outline is the same one."""
FLATNESS = 0.05
"""Largest deviation in mm of the lines that the mouse finds."""
USUAL_TONGUES = 4
Place = tuple[float, float]


@dataclass(frozen=True)
class CutoutSetting(Validated):
    """Options of a figure from the picture."""

    tongues: int = integer(USUAL_TONGUES, title="Tongues", minimum=0, maximum=8,
        help="Tongues between the figure and the pieces around it; with 0 its shape alone holds it.")  # fmt: skip
    lines: bool = flag(False, title="Inner lines",
        help="Cuts the lines inside the outline, such as eyes, as details. Click a line to switch it.")  # fmt: skip


@dataclass(frozen=True, eq=False)
class Question:
    """Marks on the picture of a design, or its outline if a handle was moved; without marks, the picture is prepared
    for the first."""

    design: JigsawDesign
    marks: Marks | None
    ring: Floats | None = None


@dataclass(frozen=True, eq=False)
class Step:
    """Marks that a maker has set, and the outline if a handle of it was moved.

    `switched` are places in mm on inner lines that are cut though others are not, or the other way round.
    """

    strokes: tuple[Stroke, ...] = ()
    box: tuple[float, float, float, float] | None = None
    ring: Floats | None = None
    switched: tuple[Place, ...] = ()

    @property
    def marks(self) -> Marks | None:
        """The marks, once they say where the subject is."""
        if self.box is None and not any(stroke.is_inside for stroke in self.strokes):
            return None
        return Marks(self.strokes, self.box)


def _answered(question: Question, progress: Progress) -> Outlined | None:
    ring = question.ring
    if ring is None and question.marks is not None:
        ring = cutout_ring(question.design, question.marks, progress)
    if ring is not None:
        return Outlined((ring,), lines=inner_lines(question.design, ring, progress))
    if question.design.picture is not None:
        superpixels_of(question.design.picture.data, progress)
    return None


def _handles(ring: Floats, pixel: float) -> NDArray[np.int64]:
    """Points of an outline that have a handle, at even distances on the screen, where a pixel is so many mm."""
    ends = ring[:-1:3]
    walked = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(ends, axis=0).T))])
    return 3 * np.unique((walked / (SPACING * pixel)).astype(np.int64), return_index=True)[1]


def _as_line(curve: Floats) -> shapely.LineString:
    import shapely

    return shapely.LineString(Curves.from_strokes([curve]).flattened(FLATNESS).points)


class CutoutItem(QGraphicsItem):
    """The outline with its handles, inner lines, the strokes, and the shade over all that is outside."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(HIGHLIGHT_Z)
        self._size: Size = (1.0, 1.0)
        self.ring: Floats | None = None
        self.lines: list[shapely.LineString] = []
        self._inner: list[tuple[QPainterPath, bool]] = []
        self._strokes: list[tuple[list[Place], bool]] = []
        self._box: tuple[Place, Place] | None = None
        self._path = QPainterPath()

    def show_size(self, size: Size) -> None:
        """Follow the board's size."""
        if size != self._size:
            self.prepareGeometryChange()
            self._size = size

    def show_ring(self, ring: Floats | None) -> None:
        """Show another outline, or none."""
        self.ring = ring
        self._path = QPainterPath() if ring is None else curved(Curves.from_strokes([ring]))
        self.update()

    def show_lines(self, lines: Sequence[tuple[Floats, bool]]) -> None:
        """Show inner lines: those to be cut solid and coloured, the others dashed."""
        self.lines = [_as_line(line) for line, _ in lines]
        self._inner = [(curved(Curves.from_strokes([line])), is_cut) for line, is_cut in lines]
        self.update()

    def show_strokes(self, strokes: list[tuple[list[Place], bool]], box: tuple[Place, Place] | None) -> None:
        """Show strokes, inside or outside, and a box between two corners."""
        self._strokes, self._box = strokes, box
        self.update()

    def boundingRect(self) -> QRectF:
        return QRectF(0.0, 0.0, *self._size).adjusted(-20, -20, 20, 20)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, pixel = current_theme(), 1.0 / max(painter.worldTransform().m11(), 1e-9)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.ring is not None:
            shaded = QPainterPath()
            shaded.addRect(QRectF(0.0, 0.0, *self._size))
            shaded.addPath(self._path)  # even-odd: all but the inside
            shade = QColor(theme.canvas)
            shade.setAlpha(SHADE)
            painter.fillPath(shaded, shade)
            for colour, width in ((theme.board, 3.5), (theme.accent, 1.5)):
                painter.setPen(cosmetic(colour, width))
                painter.drawPath(self._path)
        paper = light_theme()
        solid = cosmetic(paper.board, 6.0), cosmetic(paper.cut, 4.5), cosmetic(dark_theme().accent, 2.5)
        dashed = cosmetic(paper.board, 3.0), cosmetic(paper.cut, 1.5, Qt.PenStyle.DashLine)
        for path, is_cut in self._inner:
            # Black on white has a contrast of at least 3 with every picture.
            for pen in solid if is_cut else dashed:
                painter.setPen(pen)
                painter.drawPath(path)
        for places, is_inside in self._strokes:
            for colour, width in ((theme.board, STROKE + 2), (COLOURS[is_inside], STROKE)):
                painter.setPen(cosmetic(colour, width))
                if len(places) > 1:
                    painter.drawPolyline(QPolygonF([QPointF(*place) for place in places]))
                else:
                    painter.drawPoint(QPointF(*places[0]))
        if self._box is not None:
            (left, top), (right, bottom) = self._box
            for colour, width in ((theme.board, 3.0), (theme.accent, 1.0)):
                painter.setPen(cosmetic(colour, width))
                painter.drawRect(QRectF(QPointF(left, top), QPointF(right, bottom)).normalized())
        if self.ring is not None:
            half = HANDLE * pixel
            painter.setPen(cosmetic(theme.accent))
            painter.setBrush(theme.board)
            for x, y in self.ring[_handles(self.ring, pixel)].tolist():
                painter.drawRect(QRectF(x - half, y - half, 2 * half, 2 * half))


class CuttingOut(QObject):
    """Makes figures of what one design's picture shows."""

    def __init__(self, session: Session, extension: JigsawExtension, inspector: Inspector) -> None:
        super().__init__(extension)
        self._session, self._extension, self._inspector = session, extension, inspector
        self.tool = CutoutTool(session.canvas)
        self.tool.left_off.connect(self.leave)
        self.tool.marked.connect(self._mark)
        self.tool.boxed.connect(self._box)
        self.tool.moved.connect(self._move)
        self.tool.switched.connect(self._switch)
        self.tool.taken_back.connect(self.take_back)
        self.tool.accepted.connect(self.accept)
        self.answer = Derived[Question, Outlined | None](session.jobs, "cutout", _answered, parent=self)
        self.answer.changed.connect(self._show)
        self.steps = [Step()]
        self._cuts_lines = False
        self._was_draft = True
        self._accepts = False
        """True if the outline is to be made a figure once it is known."""
        self.panel: CutoutPanel | None = None
        session.document.replaced.connect(self.leave)
        extension.selection.changed.connect(self._follow_selection)

    @property
    def is_active(self) -> bool:
        """True while the mouse marks the picture instead of moving the cuts."""
        return self._session.canvas.view.tool is self.tool

    @property
    def _design(self) -> JigsawDesign:
        design: JigsawDesign = self._session.document.design
        return design

    @property
    def ring(self) -> Floats | None:
        """Outline in mm on the board: with moved handles, or as the picture shows it."""
        if self.steps[-1].ring is not None:
            return self.steps[-1].ring
        return None if self.answer.answer is None else self.answer.answer.rings[0]

    @property
    def lines(self) -> list[tuple[Floats, bool]]:
        """Inner lines in mm on the board, and whether each will be cut."""
        if self.answer.answer is None or self.panel is None:
            return []
        return [
            (line, self._cuts_lines != any(self._is_on(place, line) for place in self.steps[-1].switched))
            for line in self.answer.answer.lines
        ]

    @staticmethod
    def _is_on(place: Place, line: Floats) -> bool:
        import shapely

        return bool(shapely.dwithin(_as_line(line), shapely.Point(place), SAME))

    @property
    def _is_ready(self) -> bool:
        """True if the outline and its inner lines are known."""
        return self.ring is not None and not self.answer.is_under_way

    def begin(self) -> None:
        """Let the mouse mark the picture, or move the cuts again."""
        if self.is_active:
            self.leave()
            return
        if self._design.picture is None:
            return
        self._extension.leave_asides()
        self._extension.selection.select()
        if self.panel is None:
            self.panel = CutoutPanel(self)
        self.steps = [Step()]
        self._session.canvas.view.tool = self.tool
        self._was_draft = self._session.canvas.drawing.is_draft
        self._session.canvas.show_draft(False)
        self.tool.item.show()
        self._inspector.show_aside(self.panel, self.tool)
        self._ask()
        self._extension.changed.emit()

    def leave(self) -> None:
        """Give the mouse back to the cuts."""
        if self.is_active:
            self._accepts = False
            self.answer.ask(None)
            self.tool.put_away()
            self._session.canvas.view.tool = self._extension.tool
            self._session.canvas.show_draft(self._was_draft)
            self._inspector.show_aside(None)
            self._extension.changed.emit()

    def take_back(self) -> None:
        """Remove the last stroke, or put the last handle back."""
        if len(self.steps) > 1:
            self.steps.pop()
            self._ask()

    def accept(self) -> None:
        """Make the outline a figure, as soon as it is known."""
        if self._is_ready and self.ring is not None and self.panel is not None:
            lines = [line for line, is_cut in self.lines if is_cut]
            self._extension.figuring.cut_out(self.ring, self.panel.form.parameters().tongues, lines)
        elif self.steps[-1].marks is not None and self.answer.is_under_way:
            self._accepts = True
            self._show()

    def set_lines(self, setting: CutoutSetting) -> None:
        """Cut all inner lines, or none, unless another option was changed."""
        cut = [is_cut for _, is_cut in self.lines]
        is_shown = bool(cut) and all(is_cut == setting.lines for is_cut in cut)
        if self.panel is None or "lines" in self.panel.form.mixed or is_shown:
            return
        self._cuts_lines = setting.lines
        self.steps[-1] = replace(self.steps[-1], switched=())
        self._show()

    def show_shapes(self, shapes: JigsawShapes) -> None:
        """Follow a picture that moves or goes."""
        if self.is_active and not shapes.design.picture:
            self.leave()
        elif self.is_active and self.answer.question is not None:
            before = self.answer.question.design
            if (before.picture, before.size) != (shapes.design.picture, shapes.design.size):
                self.steps = [replace(step, ring=None) for step in self.steps]
                self._ask()

    def _placed(self) -> Placement:
        return Placement.from_picture(self._design.picture, self._design.size)

    def _own(self, places: Sequence[Place]) -> tuple[Place, ...]:
        return tuple((x, y) for x, y in self._placed().from_board(np.array(places)).tolist())

    def _add(self, step: Step) -> None:
        try:
            _ = step.marks
        except StudioError as problem:
            self._extension.refused.emit(str(problem))
            return
        self.steps.append(step)
        self._ask()

    def _is_beside(self, places: Sequence[Place]) -> bool:
        """True if the box of some places is beside the board, where a click is for nothing."""
        return bool((np.max(places, axis=0) < 0).any() or (np.min(places, axis=0) > self._design.size).any())

    def _mark(self, places: list[Place], is_inside: bool) -> None:
        import shapely

        if self._is_beside(places):
            return
        if len(places) > 1:
            places = list(shapely.LineString(places).simplify(STRAY).coords)
        step = self.steps[-1]
        self._add(replace(step, strokes=(*step.strokes, Stroke(self._own(places), is_inside)), ring=None))

    def _box(self, one: Place, other: Place) -> None:
        if self._is_beside((one, other)):
            return
        (left, top), (right, bottom) = np.sort([one, other], axis=0).tolist()
        corners = np.array(self._own([(left, top), (right, top), (right, bottom), (left, bottom)]))
        step = self.steps[-1]
        self._add(replace(step, box=(*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist()), ring=None))

    def _move(self, ring: Floats) -> None:
        self._add(replace(self.steps[-1], ring=ring))

    def _switch(self, at: int) -> None:
        step, (line, _) = self.steps[-1], self.lines[at]
        others = tuple(place for place in step.switched if not self._is_on(place, line))
        x, y = line[len(line) // 6 * 3].tolist()
        self._add(replace(step, switched=others if others != step.switched else (*others, (x, y))))

    def _ask(self) -> None:
        self._accepts = False
        step, known = self.steps[-1], self.answer.question
        is_known = known is not None and known.design is self._design and known.ring is step.ring
        if known is None or not is_known or known.marks != step.marks:
            self.answer.ask(Question(self._design, step.marks, step.ring))
        self._show()

    def _show(self) -> None:
        if not self.is_active or self.panel is None:
            return
        step, placed = self.steps[-1], self._placed()
        self.tool.may_box = step.marks is None
        self.tool.item.show_size(self._design.size)
        strokes = [
            ([(x, y) for x, y in placed.on_board(np.array(one.path)).tolist()], one.is_inside) for one in step.strokes
        ]
        self.tool.show_strokes(strokes)
        is_outlining = step.marks is not None and step.ring is None and self.answer.answer is None
        if not (is_outlining and not self.answer.problem):
            self.tool.item.show_ring(self.ring)
            self.tool.item.show_lines(self.lines)
        if step.marks is None:
            self.panel.about.setText(tr("Click the subject, or drag a box around it."))
        elif self.ring is not None:
            low, high = box(self.ring)
            words, cut = extent(*(high - low).tolist()), [is_cut for _, is_cut in self.lines]
            if cut:
                words = tr("{size}, {count} of {total} inner lines", size=words, count=sum(cut), total=len(cut))
            self.panel.about.setText(words)
            setting = replace(self.panel.form.parameters(), lines=any(cut))
            self.panel.form.set_parameters(setting, mixed=["lines"] if 0 < sum(cut) < len(cut) else [])
        else:
            self.panel.about.setText(self.answer.problem or tr("Outlining…"))
        if self._accepts and self.answer.is_under_way:
            self.panel.about.setText(tr("Outlining… The figure is added when that is done."))
        self.panel.buttons[0].setEnabled(len(self.steps) > 1)
        self.panel.buttons[1].setEnabled(self._is_ready)
        if self._accepts and not self.answer.is_under_way:
            self._accepts = False
            self.accept()

    def _follow_selection(self) -> None:
        if self._extension.selection:
            self.leave()


class CutoutPanel(FactsPage):
    """The inspector's page for a figure from the picture: its size, its tongues, and buttons."""

    def __init__(self, cutting: CuttingOut) -> None:
        self.about = wrapping()
        self.form = ParameterForm(CutoutSetting(), Manner.PLAIN)
        self.form.previewed.connect(cutting.set_lines)
        self.form.edited.connect(lambda _words, setting, _token: cutting.set_lines(setting))
        self.buttons = [
            push_button(tr("Undo stroke"), tr("Remove the last stroke (Backspace)")),
            push_button(tr("Add figure"), tr("Make the outline a figure (Enter)")),
            push_button(tr("Cancel"), tr("Go back to the cuts (Esc)")),
        ]
        actions: list[Callable[[], object]] = [cutting.take_back, cutting.accept, cutting.leave]
        for button, action in zip(self.buttons, actions, strict=True):
            button.clicked.connect(lambda _checked=False, action=action: action())
        made = grid(self.buttons[:2], self.buttons[2:])
        made.setColumnStretch(0, 1)
        made.setColumnStretch(1, 1)
        hint = tr(
            "Drag to include more, Shift+drag or right-drag to exclude. Drag a handle to adjust the outline. "
            "Click a dashed line to cut it as a detail. "
            "Backspace undoes, Enter adds the figure, Esc cancels."
        )
        super().__init__(self.about, self.form, made, hint=hint, spaces=EVEN)
        self.show_facts(tr("Figure from picture"), {})


class CutoutTool(Tool):
    """The mouse marks what is inside and what is outside, and moves handles of the outline."""

    takes_double_clicks = False
    buttons = LEFT | RIGHT
    left_off = Signal()
    """The cuts are wanted again."""
    marked = Signal(object, bool)
    """Brings the places of a stroke in mm, and whether it is inside."""
    boxed = Signal(object, object)
    """Brings two corners of a box in mm."""
    moved = Signal(object)
    """Brings the outline with a handle moved."""
    switched = Signal(int)
    """Brings the number of the inner line to cut or to leave out."""
    taken_back = Signal()
    """The last stroke was wrong."""
    accepted = Signal()
    """The outline is right."""

    def __init__(self, canvas: Canvas) -> None:
        super().__init__(canvas)
        self.item = CutoutItem()
        canvas.scene.addItem(self.item)
        self.item.hide()
        self.may_box = True
        self._strokes: list[tuple[list[Place], bool]] = []
        self._start: Pointer | None = None
        self._way: list[Place] = []
        self._is_inside = True
        self._held: tuple[int, Floats] | None = None
        """The handle under a drag, and the outline before it."""

    def show_strokes(self, strokes: list[tuple[list[Place], bool]]) -> None:
        """Show the strokes so far."""
        self._strokes = strokes
        self.item.show_strokes(strokes, None)

    def put_away(self) -> None:
        """Show nothing."""
        self._let_go()
        self.item.show_ring(None)
        self.item.show_lines([])
        self.item.hide()

    def _let_go(self) -> None:
        self._start, self._held, self._way = None, None, []
        self.item.show_strokes(self._strokes, None)

    def _handle_at(self, pointer: Pointer) -> int | None:
        if self.item.ring is None:
            return None
        handles = _handles(self.item.ring, pointer.pixel)
        gaps = np.hypot(*(self.item.ring[handles] - (pointer.x, pointer.y)).T)
        return int(handles[gaps.argmin()]) if gaps.min() <= GRAB * pointer.pixel else None

    def _line_at(self, pointer: Pointer) -> int | None:
        import shapely

        if not self.item.lines:
            return None
        gaps = shapely.distance(self.item.lines, shapely.Point(pointer.x, pointer.y))
        return int(gaps.argmin()) if gaps.min() <= GRAB * pointer.pixel else None

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Show whether a drag moves a handle, or a click switches an inner line."""
        if self._handle_at(pointer) is not None:
            return Qt.CursorShape.SizeAllCursor
        return Qt.CursorShape.CrossCursor if self._line_at(pointer) is None else Qt.CursorShape.PointingHandCursor

    def pressed(self, pointer: Pointer) -> None:
        """Grab a handle, or begin a stroke or a box."""
        self._start, self._way = pointer, [(pointer.x, pointer.y)]
        self._is_inside = not (pointer.shift or pointer.button == "right")
        handle = self._handle_at(pointer) if self._is_inside else None
        if handle is not None and self.item.ring is not None:
            self._held = handle, self.item.ring

    def dragged(self, pointer: Pointer) -> None:
        """Show the stroke, the box or the outline at the mouse."""
        if self._start is None or not stirred(self._start.screen, pointer.screen):
            return
        place = pointer.x, pointer.y
        if self._held is not None:
            self.item.show_ring(self._pulled(*self._held, pointer))
        elif self._boxes:
            self.item.show_strokes(self._strokes, (self._way[0], place))
        else:
            self._way.append(place)
            self.item.show_strokes([*self._strokes, (self._way, self._is_inside)], None)

    def _pulled(self, handle: int, ring: Floats, pointer: Pointer) -> Floats:
        return with_ring_pulled(ring, handle, (pointer.x, pointer.y), PULL * pointer.pixel)

    @property
    def _boxes(self) -> bool:
        return self.may_box and self._is_inside

    def released(self, pointer: Pointer) -> None:
        """Add the stroke or the box, or leave the handle there."""
        start, held, way = self._start, self._held, self._way
        is_drag = start is not None and stirred(start.screen, pointer.screen)
        boxes = self._boxes and is_drag
        self._let_go()
        if start is None:
            return
        if held is not None:
            if is_drag:
                self.moved.emit(self._pulled(*held, pointer))
        elif self._is_inside and not is_drag and (line := self._line_at(start)) is not None:
            self.switched.emit(line)
        elif boxes:
            self.boxed.emit(way[0], (pointer.x, pointer.y))
        else:
            self.marked.emit(way, self._is_inside)

    def cancelled(self) -> bool:
        """Give up the stroke, or else leave the picture alone."""
        if self._start is not None:
            held = self._held
            self._let_go()
            if held is not None:
                self.item.show_ring(held[1])
        else:
            self.left_off.emit()
        return True

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Enter makes the figure, Backspace takes the last stroke back."""
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.accepted.emit()
            case Qt.Key.Key_Backspace:
                self.taken_back.emit()
            case _:
                return False
        return True
