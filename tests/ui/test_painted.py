"""Attributes that are painted: another value is seen, the same one costs nothing."""

from __future__ import annotations

from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from studio.ui.widgets.theme import Painted


class Lamp(QWidget):
    """Counts how often it is painted."""

    is_on = Painted(False)
    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.painted += 1


def test_another_value_is_painted_and_the_same_is_not(qtbot: QtBot) -> None:
    lamp = Lamp()
    qtbot.addWidget(lamp)
    with qtbot.waitExposed(lamp):
        lamp.show()
    QApplication.processEvents()
    before = lamp.painted
    lamp.is_on = False
    QApplication.processEvents()
    assert lamp.painted == before and not lamp.is_on
    lamp.is_on = True
    QApplication.processEvents()
    assert lamp.painted == before + 1 and lamp.is_on


def test_each_widget_has_a_value_of_its_own(qtbot: QtBot) -> None:
    one, other = Lamp(), Lamp()
    for lamp in (one, other):
        qtbot.addWidget(lamp)
    one.is_on = True
    assert one.is_on and not other.is_on
