"""Marks and modes of the board editor: the place under the mouse or the keys, faults, handles, strokes of a brush."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QGraphicsItem, QStyleOptionGraphicsItem, QWidget

from studio.base.amounts import cell_name, many
from studio.base.errors import StudioError
from studio.base.texts import tr
from studio.puzzles.calendar.edits import Side, Square, with_places, without_labels
from studio.puzzles.calendar.model import CalendarDesign
from studio.ui.canvas.view import Pointer
from studio.ui.kinds.calendar.scene import MARK_Z, SIDE, fine, square
from studio.ui.widgets.theme import Painted, current_theme, icon

HANDLE = 20.0
"""Pixels of a handle's side."""
APART = 4.0
"""Pixels between the two handles of a side."""
FAULT = 0.3
"""A fault's sign, as a share of a cell."""
ADDING = {
    Side.TOP: tr("Add a row at the top"), Side.BOTTOM: tr("Add a row at the bottom"),
    Side.LEFT: tr("Add a column at the left"), Side.RIGHT: tr("Add a column at the right"),
}  # fmt: skip
REMOVING = {
    Side.TOP: tr("Remove the row at the top"), Side.BOTTOM: tr("Remove the row at the bottom"),
    Side.LEFT: tr("Remove the column at the left"), Side.RIGHT: tr("Remove the column at the right"),
}  # fmt: skip
"""Effect of the handle at each side."""
AXES = {Side.TOP: (0.0, -1.0), Side.BOTTOM: (0.0, 1.0), Side.LEFT: (-1.0, 0.0), Side.RIGHT: (1.0, 0.0)}
"""Outwards from every side."""


class Marks(QGraphicsItem):
    """Frames and signs on single places; they are few, so that all are painted together."""

    ghost = Painted[Square | None](None)
    """The place that would become a cell by a click."""
    keys_at = Painted[Square | None](None)
    """The place that the keys act on."""
    faults = Painted[frozenset[Square]](frozenset())
    """Places of faulty labels."""

    def __init__(self) -> None:
        super().__init__()
        self.setZValue(MARK_Z)
        self._room = QRectF(0, 0, SIDE, SIDE)

    def show_room(self, room: QRectF) -> None:
        """Take the area for marks."""
        if room != self._room:
            self.prepareGeometryChange()
            self._room = room

    def boundingRect(self) -> QRectF:
        return self._room

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme = current_theme()
        if self.ghost is not None:
            pen = fine(painter, theme.accent, 1.4)
            pen.setStyle(Qt.PenStyle.DashLine)
            ground = QColor(theme.selection)
            ground.setAlpha(150)
            painter.setPen(pen)
            painter.setBrush(ground)
            painter.drawRoundedRect(square(*self.ghost).adjusted(1.1, 1.1, -1.1, -1.1), 3.0, 3.0)
        if self.keys_at is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(fine(painter, theme.accent, 2.0))
            painter.drawRoundedRect(square(*self.keys_at).adjusted(0.6, 0.6, -0.6, -0.6), 3.0, 3.0)
        for place in self.faults:
            box = square(*place)
            side = FAULT * SIDE
            # An amber triangle with its mark, sharp at every zoom.
            area = QRectF(box.right() - side - 1.4, box.top() + 1.4, side, side)
            world = painter.worldTransform()
            room = world.mapRect(area).toAlignedRect()
            painter.save()
            painter.resetTransform()
            icon("warning").paint(painter, room)
            painter.restore()


class ResizeItem(QGraphicsItem):
    """A small button next to the board that adds or removes a row or column; its size does not depend on the zoom."""

    is_hovered = Painted(False)
    """True while a click would hit the button."""

    def __init__(self, side: Side, *, adds: bool) -> None:
        super().__init__()
        self.side, self.adds = side, adds
        self.setFlag(QGraphicsItem.GraphicsItemFlag.ItemIgnoresTransformations)
        self.setZValue(MARK_Z)

    @property
    def action_text(self) -> str:
        """Effect of a click, in words."""
        return (ADDING if self.adds else REMOVING)[self.side]

    @property
    def middle(self) -> QPointF:
        """Offset of the button's middle from its place, in pixels."""
        across, down = AXES[self.side]
        aside = (HANDLE + APART) / 2 * (-1 if self.adds else 1)
        out = HANDLE / 2 + 2
        return QPointF(across * out + (aside if down else 0.0), down * out + (aside if across else 0.0))

    def stand(self, rows: int, columns: int) -> None:
        """Move next to a grid of this many rows and columns, a cell away from it."""
        across, down = AXES[self.side]
        middle = QPointF(columns / 2, rows / 2)
        reach = QPointF(across * (columns / 2 + 1), down * (rows / 2 + 1))
        self.setPos((middle + reach) * SIDE)

    def is_at(self, pointer: Pointer) -> bool:
        """True if a click there hits the button."""
        away = (pointer.place - self.pos()) / pointer.pixel - self.middle
        return max(abs(away.x()), abs(away.y())) <= HANDLE / 2 + 1

    def boundingRect(self) -> QRectF:
        half = HANDLE / 2 + 1
        return QRectF(self.middle.x() - half, self.middle.y() - half, 2 * half, 2 * half)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        theme, middle = current_theme(), self.middle
        area = QRectF(middle.x() - HANDLE / 2, middle.y() - HANDLE / 2, HANDLE, HANDLE).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(QPen(theme.accent if self.is_hovered else theme.board_edge, 1))
        painter.setBrush(theme.selection if self.is_hovered else theme.panel)
        painter.drawRoundedRect(area, 4, 4)
        painter.setPen(QPen(theme.text if self.is_hovered else theme.quiet, 1.5))
        painter.drawLine(middle - QPointF(4.5, 0), middle + QPointF(4.5, 0))
        if self.adds:
            painter.drawLine(middle - QPointF(0, 4.5), middle + QPointF(0, 4.5))


class EditMode(Enum):
    """The modes of the mouse."""

    CELLS = tr("Cells")
    LABELS = tr("Labels")
    ERASER = tr("Erase labels")


@dataclass
class Stroke:
    """The places of a drag: painted, removed, or freed of their labels."""

    start: CalendarDesign
    mode: EditMode
    is_cell: bool
    last: Square
    places: dict[Square, None] = field(default_factory=dict)
    problem: str = ""

    def __post_init__(self) -> None:
        self.shown = self.start

    def add(self, places: list[Square]) -> bool:
        """Paint more places; return whether that changes the board. The reason why it cannot be is kept."""
        wanted = self.places | dict.fromkeys(places)
        try:
            if self.mode is EditMode.ERASER:
                shown = without_labels(self.start, [name_at(place) for place in wanted])
            else:
                shown = with_places(self.start, list(wanted), self.is_cell)
        except StudioError as problem:
            # The places painted before stay; the reason is shown when the button goes up.
            self.problem = str(problem)
            return len(places) > 1 and any([self.add([place]) for place in places])
        self.places = wanted
        is_new, self.shown = shown != self.shown, shown
        return is_new

    @property
    def shift(self) -> Square:
        """Rows and columns by which the grid has grown upwards and to the left."""
        if not self.is_cell:
            return 0, 0
        return max([0, *(-row for row, _ in self.places)]), max([0, *(-column for _, column in self.places)])

    @property
    def title(self) -> str:
        """The title of the undo step."""
        before, after = self.start.layout, self.shown.layout
        if self.mode is EditMode.ERASER:
            return tr("Erase {labels}", labels=many(len(before.labels) - len(after.labels), "label"))
        more = len(after.names) - len(before.names)
        return (
            tr("Add {cells}", cells=many(more, "cell")) if more > 0 else tr("Remove {cells}", cells=many(-more, "cell"))
        )


def name_at(place: Square) -> str:
    """Return the name of a place; empty above and left of the grid."""
    return cell_name(place[1], place[0]) if min(place) >= 0 else ""
