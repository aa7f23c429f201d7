"""Small widgets keep calm where the maker is elsewhere, and have names for those who do not see them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from studio.ui.widgets.controls import (
    CalmComboBox,
    CalmSlider,
    TextLine,
    heading,
    hint_label,
    large_button,
    quiet_button,
    relabel,
    without_icons,
)


def wheel(widget: QWidget) -> None:
    centre = QPointF(widget.rect().center())
    event = QWheelEvent(
        centre, widget.mapToGlobal(centre), QPoint(), QPoint(0, -120), Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)


@pytest.fixture
def page(qtbot: QtBot) -> QWidget:
    page = QWidget()
    QVBoxLayout(page)
    qtbot.addWidget(page)
    return page


def shown(page: QWidget, widget: QWidget) -> None:
    layout = page.layout()
    assert layout is not None
    layout.addWidget(widget)
    page.show()
    assert QTest.qWaitForWindowActive(page)


def test_the_wheel_turns_nothing_on_its_way_over_the_page(page: QWidget) -> None:
    other, box, slider = TextLine(), CalmComboBox(), CalmSlider(Qt.Orientation.Horizontal)
    box.addItems(["one", "two"])
    for widget in (other, box, slider):
        shown(page, widget)
    other.setFocus()
    slider.setValue(5)
    wheel(box)
    wheel(slider)
    assert (box.currentIndex(), slider.value()) == (0, 5)


def test_a_line_tells_what_is_written_and_escape_takes_it_back(page: QWidget) -> None:
    line = TextLine()
    shown(page, line)
    line.show_text("Ada")
    written: list[str] = []
    taken: list[str] = []
    line.written.connect(written.append)
    line.taken.connect(taken.append)
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "Bo")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert (written, taken, line.text()) == (["B", "Bo"], ["Ada"], "Ada")


def test_buttons_say_what_they_do(qtbot: QtBot) -> None:
    small, large = quiet_button("Reset", "reset"), large_button("Play")
    for button in (small, large):
        qtbot.addWidget(button)
    assert (small.toolTip(), small.accessibleName(), small.icon().isNull()) == ("Reset", "Reset", False)
    assert large.width() > small.width() and large.focusPolicy() is Qt.FocusPolicy.StrongFocus


def test_a_hint_is_hidden_while_it_is_empty_and_a_heading_is_strong(qtbot: QtBot) -> None:
    empty, strong = hint_label(), heading("Fit")
    for label in (empty, strong):
        qtbot.addWidget(label)
    assert empty.isHidden() and strong.font().weight() > empty.font().weight()


def test_the_buttons_of_a_dialog_have_words_alone(qtbot: QtBot) -> None:
    buttons = without_icons(QDialogButtonBox(QDialogButtonBox.StandardButton.Ok))
    qtbot.addWidget(buttons)
    assert all(button.icon().isNull() for button in buttons.buttons())


def test_a_button_with_another_deed_is_called_by_it_without_its_key(qtbot: QtBot) -> None:
    button = large_button("Play (Space)", "play")
    qtbot.addWidget(button)
    relabel(button, "Pause (Space)", "pause")
    assert (button.toolTip(), button.accessibleName()) == ("Pause (Space)", "Pause")


def test_a_choice_takes_the_wheel_only_with_focus_and_says_its_name(qtbot: QtBot) -> None:
    box = CalmComboBox("Best first", "What the list begins with")
    qtbot.addWidget(box)
    assert box.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert (box.accessibleName(), box.toolTip()) == ("Best first", "What the list begins with")
