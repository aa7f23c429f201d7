"""A method that Qt calls may fail with whatever it likes: the process goes on, and what failed is told."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QGraphicsItem, QGraphicsScene, QGraphicsView, QStyleOptionGraphicsItem, QWidget
from pytestqt.qtbot import QtBot


class Torn(QGraphicsItem):
    """An item that cannot be painted."""

    def boundingRect(self) -> QRectF:
        return QRectF(0, 0, 50, 50)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        np.arange(3) + np.arange(2)


class Frame(QGraphicsView):
    """A view that sees its events itself, so that one method called by Qt fails within another."""

    def viewportEvent(self, event: QEvent) -> bool:
        return super().viewportEvent(event)


def test_an_item_that_cannot_be_painted_is_told_and_ends_nothing(qtbot: QtBot) -> None:
    scene = QGraphicsScene()
    scene.addItem(Torn())
    view = Frame(scene)
    qtbot.addWidget(view)
    with qtbot.captureExceptions() as told, pytest.raises(ValueError, match="could not be broadcast"):
        view.grab()
    assert all("could not be broadcast" in str(problem) for _kind, problem, _trace in told)
    scene.clear()
