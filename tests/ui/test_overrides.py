"""A method that Qt calls may fail with whatever it likes: the process goes on, and what failed is told."""

import numpy as np
from PySide6.QtCore import QEvent, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtTest import QTest
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


class Deaf(QWidget):
    """A widget that fails at a key, in a parent that does not."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        raise IndexError(event.text())


class Parent(QWidget):
    """What a key that a child leaves goes to."""

    def event(self, event: QEvent) -> bool:
        return super().event(event)


def test_an_item_that_cannot_be_painted_is_told_and_ends_nothing(qtbot: QtBot) -> None:
    scene = QGraphicsScene()
    scene.addItem(Torn())
    view = Frame(scene)
    qtbot.addWidget(view)
    with qtbot.captureExceptions() as told:
        view.grab()
    assert told and all("could not be broadcast" in str(problem) for _kind, problem, _trace in told)
    scene.clear()


def test_a_key_that_fails_is_told_each_time(qtbot: QtBot) -> None:
    parent = Parent()
    child = Deaf(parent)
    qtbot.addWidget(parent)
    with qtbot.captureExceptions() as told:
        for _ in range(3):
            QTest.keyClick(child, Qt.Key.Key_A)
    assert [str(problem) for _kind, problem, _trace in told] == ["a", "a", "a"]
