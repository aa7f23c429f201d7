"""Widgets in a row go on in the next line where their room is too narrow."""

from __future__ import annotations

from PySide6.QtCore import QMargins
from PySide6.QtWidgets import QApplication, QCheckBox, QVBoxLayout, QWidget

from studio.ui.widgets.layout import Flow


def lines(room: QWidget, boxes: list[QCheckBox], width: int) -> list[int]:
    """How many boxes each line has in a room of a width."""
    room.resize(width, 300)
    QApplication.processEvents()
    assert all(box.geometry().right() < max(width, boxes[0].width() + 8) for box in boxes)
    tops = [box.mapTo(room, box.rect().topLeft()).y() for box in boxes]
    assert tops == sorted(tops)
    return [tops.count(top) for top in sorted({*tops})]


def test_widgets_go_on_in_the_next_line_and_leave_the_rest_of_the_room_to_others(qapp: QApplication) -> None:
    boxes = [QCheckBox("A box with words") for _ in range(4)]
    strip, below, room = QWidget(), QWidget(), QWidget()
    strip.setLayout(Flow(boxes, 16, 4, QMargins(4, 2, 4, 2)))
    column = QVBoxLayout(room)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(strip)
    column.addWidget(below, 1)
    room.show()
    one = boxes[0].sizeHint().width()
    assert lines(room, boxes, 4 * one + 3 * 16 + 8) == [4]
    single = below.height()
    assert lines(room, boxes, 4 * one + 3 * 16 + 7) == [3, 1]
    assert below.height() < single
    assert lines(room, boxes, 2 * one + 40) == [2, 2]
    assert lines(room, boxes, one + 10) == [1, 1, 1, 1]
    assert room.minimumSizeHint().width() < 2 * one
    room.close()


def test_a_row_gives_its_widgets_back(qapp: QApplication) -> None:
    flow = Flow([QWidget(), QWidget()], 1, 1, QMargins())
    assert flow.count() == 2 and flow.itemAt(2) is None and flow.takeAt(5) is None
    assert flow.takeAt(0) is not None and flow.count() == 1
