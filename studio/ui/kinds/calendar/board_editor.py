"""The board editor: paint and clear cells, type and erase labels, add rows and columns at the sides.

place: a square of the grid by row and column from 0, or a square next to it, which may become a cell.
stroke: the places painted between the press of a button and its release; one step of undo.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QLineEdit

from studio.base.texts import tr
from studio.puzzles.calendar.checks import troubled_cells
from studio.puzzles.calendar.edits import (
    Side,
    Square,
    straight,
    value_of,
    with_label,
    with_side,
    without_labels,
    without_side,
)
from studio.puzzles.calendar.model import LONGEST_TEXT, MONTH, CalendarDesign, Label
from studio.ui.canvas.view import ARROWS, LEFT, RIGHT, CanvasView, Pointer, Tool
from studio.ui.kinds.calendar.board_editor_parts import ADDING, REMOVING, EditMode, Marks, ResizeItem, Stroke, name_at
from studio.ui.kinds.calendar.scene import LABEL_SHARE, SIDE, BoardScene, square
from studio.ui.kinds.calendar.views import BaseCalendarExtension
from studio.ui.widgets.theme import current_theme

ENTERS = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
LEAST_LETTERS, LARGEST_LETTERS = 10, 30
"""Size in pixels of letters while typing."""


class EditView(CanvasView):
    """A view in which Space acts on the place of the keys, unless the mouse drags with it."""

    def __init__(self, scene: BoardScene, editor: BoardEditor) -> None:
        super().__init__(scene)
        self._editor = editor
        self._has_panned = False

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._has_panned = self._has_panned or self._space
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._has_panned = self.is_dragging
        super().keyPressEvent(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        was_held = self._space
        super().keyReleaseEvent(event)
        if was_held and not self._space and not self._has_panned:
            self._editor.act()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason):
            self._editor.take_keys()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._editor.follow()


class LabelField(QLineEdit):
    """Input line for the label of a cell, which it lies over while it is open."""

    changed = Signal()
    """Another text, group or number."""
    opened = Signal()
    """The label of another cell is typed, or labels of another group."""
    moved = Signal(str)
    """The label of another cell is wanted: brings its name."""

    def __init__(self, view: CanvasView, desk: BaseCalendarExtension) -> None:
        super().__init__(view.viewport())
        self._view, self._desk = view, desk
        self.setMaxLength(LONGEST_TEXT)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFrame(False)
        self.setAutoFillBackground(True)
        self.setTextMargins(0, 0, 0, 0)
        self.cell = ""
        """Name of the cell; empty while the field is closed."""
        self.wanted: int | None = None
        """The number chosen for the label; None for the usual one."""
        self.group = MONTH
        """Group of the labels typed on unlabelled cells."""
        self.textEdited.connect(self._place)
        self.textEdited.connect(lambda _text: self.changed.emit())
        view.looked_at.connect(self._place)
        self.hide()

    @property
    def label(self) -> Label | None:
        """The label on the cell that is selected."""
        return self._desk.design.layout.on.get(self._desk.selection.cell or "")

    @property
    def shown_group(self) -> str:
        """The group of the selected label, or of the next that is typed."""
        return self.label.group if self.label is not None else self.group

    @property
    def value(self) -> int:
        """The number of the selected label, or of the next one."""
        if self.wanted is not None:
            return self.wanted
        typed = value_of(self.shown_group, self.text()) if self.cell and self.isModified() else None
        if typed is not None:
            return typed
        if self.label is not None:
            return self.label.value
        taken = {label.value for label in self._desk.design.layout.groups.get(self.group, ())}
        return next(value for value in range(1, len(taken) + 2) if value not in taken)

    def open(self, cell: str) -> None:
        """Edit the label of a cell."""
        label = self._desk.design.layout.on.get(cell)
        self.cell, self.wanted = cell, None
        self.setText(label.text if label is not None else "")
        self.setModified(False)
        self.setAccessibleName(tr("Label of cell {cell}", cell=cell))
        self._place()
        self.show()
        self.setFocus()
        self.selectAll()
        self.opened.emit()
        self.changed.emit()

    def choose_group(self, group: str) -> None:
        """Use another group for the next label, and for the selected one."""
        label = self.label
        if group == self.shown_group:
            return
        self.group = group
        if label is not None:
            self._put(label.name, group, label.text, value_of(group, label.text))
        elif self._desk.selection.cell in self._desk.design.layout.indices:
            self.open(self._desk.selection.cell or "")
        self.opened.emit()
        self.changed.emit()

    def choose_value(self, value: int) -> None:
        """Take another number for the selected label, or for the label being typed."""
        label = self.label
        if value == self.value:
            return
        if label is not None:
            self._put(label.name, label.group, label.text, value)
            return
        if self._desk.selection.cell in self._desk.design.layout.indices:
            self.open(self._desk.selection.cell or "")
        self.wanted = value
        self.changed.emit()

    def leave(self) -> None:
        """Keep the text and close the field."""
        if self.cell:
            self._keep()
            self.shut()

    def shut(self) -> None:
        """Close the field, whatever is in it."""
        self.cell, self.wanted = "", None
        self.hide()

    def _place(self) -> None:
        """Cover the cell; a text that needs more room goes beyond it."""
        if not self.cell:
            return
        place = self._desk.design.layout.places[self.cell]
        area = self._view.mapFromScene(square(*place)).boundingRect().adjusted(1, 1, -1, -1)
        letters, font = round(LABEL_SHARE * SIDE * self._view.zoom), self.font()
        font.setPixelSize(min(max(letters, LEAST_LETTERS), LARGEST_LETTERS))
        self.setFont(font)
        metrics = self.fontMetrics()
        wider = max(0, metrics.horizontalAdvance(f"{self.text()}MM") - area.width())
        higher = max(0, metrics.height() + 4 - area.height())
        self.setGeometry(area.adjusted(-wider // 2, -higher // 2, (wider + 1) // 2, (higher + 1) // 2))

    def _go_on(self, down: int, on: int) -> None:
        """Keep the text and go to another cell, some rows down or some cells on in reading order."""
        here = self.cell
        if not self._keep():
            return
        board = self._desk.design.layout
        if on:
            number = board.indices[here] + on
            name = board.names[number] if 0 <= number < len(board.names) else ""
        else:
            row, column = board.places[here]
            name = name_at((row + down, column))
        if name in board.places:
            self.moved.emit(name)
        else:
            self.shut()
            self._view.setFocus()

    def _keep(self) -> bool:
        """Put the text on its cell as one undo step; returns whether that was possible."""
        name, text, wanted = self.cell, self.text().strip(), self.wanted
        label = self._desk.design.layout.on.get(name)
        if not self.isModified() and wanted is None:
            return True
        self.setModified(False)
        if text:
            return self._put(name, label.group if label is not None else self.group, text, wanted)
        if label is not None:
            self._desk.edit(tr("Erase 1 label"), without_labels, [name])
        return True

    def _put(self, name: str, group: str, text: str, value: int | None) -> bool:
        return self._desk.edit(tr("Label {cell}: {text}", cell=name, text=text), with_label, name, group, text, value)

    def event(self, event: QEvent) -> bool:
        """Take Tab before it moves the focus."""
        tabs = (Qt.Key.Key_Tab, Qt.Key.Key_Backtab)
        if event.type() is QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and event.key() in tabs:
            self._go_on(0, 1 if event.key() == Qt.Key.Key_Tab else -1)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in ENTERS:
            back = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._go_on(0, -1 if back else 1)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            self._go_on(1 if key == Qt.Key.Key_Down else -1, 0)
        elif key == Qt.Key.Key_Escape:
            self.shut()
            self._view.setFocus()
            self.changed.emit()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setPen(QPen(current_theme().accent, 2))
        painter.drawRect(self.rect().adjusted(1, 1, -1, -1))

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.leave()


class BoardEditor(Tool):
    """The tool that edits the board."""

    changed = Signal()
    """Another mode, place or group."""

    def __init__(self, desk: BaseCalendarExtension, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self.scene = BoardScene()
        self.view = EditView(self.scene, self)
        self.view.setAccessibleName(tr("Board editor"))
        self.view.setAccessibleDescription(
            tr("Arrow keys move; Space or Enter adds or removes the cell, edits its label or erases it.")
        )
        self.view.tool = self
        self.marks = Marks()
        self.scene.addItem(self.marks)
        self.handles = [ResizeItem(side, adds=adds) for side in Side for adds in (True, False)]
        for handle in self.handles:
            self.scene.addItem(handle)
        self.field = LabelField(self.view, desk)
        self.mode = EditMode.CELLS
        self.buttons = LEFT | RIGHT
        self.cursor: Square = (0, 0)
        self._stroke: Stroke | None = None
        self._pressed: ResizeItem | None = None
        self._by_keys = False
        self._is_opening = False
        self._shown = desk.design
        self.field.moved.connect(self._go_to)
        self.field.opened.connect(self.follow)
        self.field.changed.connect(self.changed)

    # Display

    def show_design(self, design: CalendarDesign, *, settled: bool) -> None:
        """Follow the design, unless a drag shows its own."""
        if self._stroke is not None and not settled:
            return
        self._stroke = None
        self._show(design, (0, 0))
        board = design.layout
        rows, columns = board.mask.shape
        self.cursor = min(self.cursor[0], rows), min(self.cursor[1], columns)
        if self.field.cell and self.field.cell not in board.indices:
            self.field.shut()
        for handle in self.handles:
            handle.stand(rows, columns)
        self.view.show_board((columns + 2) * SIDE, (rows + 2) * SIDE, -SIDE, -SIDE)

    def take(self, mode: EditMode) -> None:
        """Switch to another mode."""
        self.field.leave()
        self.mode = mode
        self.buttons = LEFT | RIGHT if mode is EditMode.CELLS else LEFT
        self.follow()
        self.changed.emit()

    def follow(self) -> None:
        """Show the place of the keys, and the labels of the group that is typed."""
        has_keys = self._by_keys and self.view.hasFocus()
        is_selected = self._desk.selection.cell == self.name != ""
        self.marks.keys_at = self.cursor if (has_keys or is_selected) and not self.field.cell else None
        is_stressed = self.mode is not EditMode.LABELS
        labels = self._shown.layout.labels
        self.scene.tray.show_stressed(
            each.name for each in labels if is_stressed or each.group == self.field.shown_group
        )

    def _show(self, design: CalendarDesign, shift: Square) -> None:
        """Show a board shifted up and left by some places."""
        self._shown = design
        for handle in self.handles:
            handle.setVisible(self._stroke is None)
        board = design.layout
        self.scene.show_design(board, ())
        self.scene.tray.setPos(-shift[1] * SIDE, -shift[0] * SIDE)
        rows, columns = board.mask.shape
        self.marks.show_room(QRectF(-SIDE, -SIDE, (columns + 2) * SIDE, (rows + 2) * SIDE).adjusted(-2, -2, 2, 2))
        faults = (board.places[name] for name in troubled_cells(board))
        self.marks.faults = frozenset((row - shift[0], column - shift[1]) for row, column in faults)
        self.follow()

    # Places

    @property
    def name(self) -> str:
        """Name of the place that the keys act on; empty next to the grid."""
        return name_at(self.cursor)

    def _is_cell(self, place: Square) -> bool:
        return name_at(place) in self._desk.design.layout.indices

    def _is_near(self, place: Square) -> bool:
        """True if a place is on the grid or next to it."""
        rows, columns = self._desk.design.layout.mask.shape
        return bool(-1 <= place[0] <= rows and -1 <= place[1] <= columns)

    # Mouse

    def hovered(self, pointer: Pointer) -> Qt.CursorShape:
        """Preview a click."""
        handle, place = self._handle_at(pointer), _place(pointer)
        near = handle is None and self._is_near(place)
        there = near and self._is_cell(place)
        takes = there and (self.mode is not EditMode.ERASER or name_at(place) in self._desk.design.layout.on)
        ghost = place if near and not there and self.mode is EditMode.CELLS else None
        self._light(handle, ghost, name_at(place) if takes else "")
        if handle is not None:
            return Qt.CursorShape.PointingHandCursor
        if self.mode is EditMode.CELLS and near:
            return Qt.CursorShape.CrossCursor
        if self.mode is EditMode.LABELS and there:
            return Qt.CursorShape.IBeamCursor
        return Qt.CursorShape.PointingHandCursor if takes else Qt.CursorShape.ArrowCursor

    def left(self) -> None:
        """Nothing is under the mouse any more."""
        self._light(None, None, "")

    def _light(self, handle: ResizeItem | None, ghost: Square | None, cell: str) -> None:
        for each in self.handles:
            each.is_hovered = each is handle
        self.marks.ghost = ghost
        self.scene.tray.show_hovered(cell)
        self.view.viewport().setToolTip(handle.action_text if handle is not None else "")

    def pressed(self, pointer: Pointer) -> None:
        """Begin a stroke, open a label, or take hold of a handle."""
        self.field.leave()
        self._by_keys = False
        self._pressed = self._handle_at(pointer)
        if self._pressed is not None:
            return
        place = _place(pointer)
        there = self._is_cell(place)
        self.marks.ghost = None
        if not self._is_near(place) or (self.mode is not EditMode.CELLS and not there):
            self._desk.selection.select()
            return
        self._move_to(place)
        if self.mode is EditMode.LABELS:
            # The field opens when the button goes up: until then the view keeps the focus.
            self._is_opening = True
            return
        self._begin(place, is_cell=not (there or pointer.shift or pointer.button))

    def menu_asked(self, pointer: Pointer) -> None:
        """Ask for the context menu, unless the right button clears."""
        if self.mode is not EditMode.CELLS:
            super().menu_asked(pointer)

    def double_clicked(self, pointer: Pointer) -> None:
        """Two clicks are two clicks."""
        self.pressed(pointer)
        self.released(pointer)

    def _begin(self, place: Square, *, is_cell: bool) -> Stroke:
        self._stroke = stroke = Stroke(self._desk.design, self.mode, is_cell, place)
        self._paint(stroke, [place])
        return stroke

    def dragged(self, pointer: Pointer) -> None:
        """Continue the stroke in a straight line."""
        stroke = self._stroke
        if stroke is not None and (places := straight(stroke.last, _place(pointer))):
            stroke.last = places[-1]
            self._paint(stroke, places)

    def released(self, pointer: Pointer) -> None:
        """End the stroke, open the label, or trigger the handle."""
        handle, self._pressed = self._pressed, None
        if handle is not None:
            self.change_side(handle.side, adds=handle.adds)
        elif self._is_opening:
            self._is_opening = False
            self.field.open(self.name)
        elif self._stroke is not None:
            self._end(self._stroke)

    def _end(self, stroke: Stroke) -> None:
        """Make the stroke one step of undo."""
        self._stroke = None
        down, right = stroke.shift
        self.cursor = self.cursor[0] + down, self.cursor[1] + right
        if stroke.shown is stroke.start:
            self._desk.session.document.abandon()
        else:
            self._desk.session.document.edit(stroke.title, stroke.shown)
        if stroke.problem:
            self._desk.refuse(stroke.problem)

    def cancelled(self) -> bool:
        """Cancel the drag, or clear the selection; returns whether there was anything."""
        self._is_opening, self._pressed = False, None
        if self._stroke is not None:
            self._stroke = None
            self._desk.session.document.abandon()
            return True
        had = self._desk.selection.cell is not None
        self._desk.selection.select()
        return had

    def _paint(self, stroke: Stroke, places: list[Square]) -> None:
        if stroke.add(places):
            self._show(stroke.shown, stroke.shift)
            self._desk.session.document.preview(stroke.shown)

    def _handle_at(self, pointer: Pointer) -> ResizeItem | None:
        return next((handle for handle in self.handles if handle.is_at(pointer)), None)

    def change_side(self, side: Side, *, adds: bool) -> None:
        """Add a row or column at a side, or remove it."""
        self._desk.edit((ADDING if adds else REMOVING)[side], with_side if adds else without_side, side)

    # Keys

    def key_pressed(self, event: QKeyEvent) -> bool:
        """Arrows go from place to place, Enter acts."""
        key = Qt.Key(event.key())
        if key in ARROWS and not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._by_keys = True
            rim = 1 if self.mode is EditMode.CELLS else 0
            ends, steps = self._desk.design.layout.mask.shape, zip(self.cursor, ARROWS[key], strict=True)
            row, column = (min(max(at + by, -rim), end - 1 + rim) for (at, by), end in zip(steps, ends, strict=True))
            self._move_to((row, column))
        elif key in ENTERS:
            self.act()
        else:
            return False
        return True

    def take_keys(self) -> None:
        """Show the place of the keys even if nothing is selected."""
        self._by_keys = True
        self.follow()

    def act(self) -> None:
        """Act at the cursor as a click would."""
        self._by_keys = True
        place = self.cursor
        there = self._is_cell(place)
        if self.mode is EditMode.LABELS:
            if there:
                self.field.open(self.name)
            return
        self._end(self._begin(place, is_cell=self.mode is EditMode.CELLS and not there))

    def erase(self) -> None:
        """Erase the label of the selected cell."""
        cell = self._desk.selection.cell
        if cell is not None and cell in self._desk.design.layout.on:
            self._desk.edit(tr("Erase 1 label"), without_labels, [cell])

    def _go_to(self, name: str) -> None:
        self._move_to(self._desk.design.layout.places[name])
        self.field.open(name)

    def _move_to(self, place: Square) -> None:
        self.cursor = place
        self.field.wanted = None
        self._desk.selection.select_cell(self.name or None)
        label = self._desk.design.layout.on.get(self.name)
        what = tr("cell") if self._is_cell(place) else tr("no cell")
        if label is not None:
            what = f"{label.text}, {label.group} {label.value}"
        where = self.name or tr("Outside the board")
        self.view.setAccessibleDescription(tr("{place}: {label}", place=where, label=what))
        self.follow()
        self.changed.emit()


def _place(pointer: Pointer) -> Square:
    return int(pointer.y // SIDE), int(pointer.x // SIDE)
