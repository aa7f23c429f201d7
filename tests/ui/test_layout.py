"""Rows, columns and grids are laid out as their one expression says."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDialogButtonBox, QLabel, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from studio.ui.widgets import layout
from studio.ui.widgets.layout import (
    REST,
    Pages,
    column,
    fit_on_screen,
    grid,
    holding,
    labelled,
    named,
    row,
    scrolled,
    stack,
)


def sized(width: int, height: int = 10) -> QWidget:
    widget = QWidget()
    widget.setFixedHeight(height)
    widget.setMinimumWidth(width)
    return widget


def test_items_of_a_row_have_their_gaps_spaces_and_shares(qtbot: QtBot) -> None:
    first, middle, last = sized(30), sized(10), sized(20)
    whole = QWidget()
    qtbot.addWidget(whole)
    row(first, (middle, 1), 50, last, of=whole, gap=4, margins=(1, 2, 3, 5))
    whole.resize(300, 17)
    whole.show()
    assert first.geometry().left() == 1 and first.geometry().top() == 2
    assert middle.geometry().left() > first.geometry().right() and middle.width() > 100
    assert last.geometry().left() - middle.geometry().right() - 1 == 50 + 4
    assert last.geometry().right() == 300 - 3 - 1


def test_a_column_holds_layouts_and_leaves_the_rest_empty(qtbot: QtBot) -> None:
    upper, lower = sized(10), sized(10)
    whole = holding(column(row(upper), lower, REST, gap=6))
    qtbot.addWidget(whole)
    whole.resize(50, 200)
    whole.show()
    assert (upper.geometry().top(), lower.geometry().top()) == (0, 16)


def test_lines_of_a_grid_stand_in_columns(qtbot: QtBot) -> None:
    field = QLineEdit()
    label, named_field = labelled("Name", field)
    assert isinstance(label, QLabel) and label.buddy() is field is named_field
    whole = holding(grid([label, field], [QLabel("A longer name"), QLineEdit()], across=3, down=7))
    qtbot.addWidget(whole)
    whole.show()
    made = whole.layout()
    assert made is not None and made.count() == 4
    assert field.geometry().left() > label.geometry().left()


def test_widgets_stand_behind_their_names() -> None:
    value = QLabel("12")
    form = named({"Pieces": value}, across=5, down=2)
    label = form.labelForField(value)
    assert isinstance(label, QLabel) and label.text() == "Pieces"
    assert (form.horizontalSpacing(), form.verticalSpacing()) == (5, 2)


def test_a_stack_shows_its_first_widget(qtbot: QtBot) -> None:
    first, second = QLabel("none"), QLabel("some")
    whole = holding(stack(first, second))
    qtbot.addWidget(whole)
    whole.show()
    assert first.isVisible() and not second.isVisible()


def test_what_is_scrolled_is_as_wide_as_its_room(qtbot: QtBot) -> None:
    inner = sized(10, 900)
    area = scrolled(inner)
    qtbot.addWidget(area)
    area.resize(200, 100)
    area.show()
    assert inner.width() == area.viewport().width()
    assert area.verticalScrollBar().maximum() == 800


def test_a_page_has_a_scroll_bar_only_where_it_is_itself_too_tall(qtbot: QtBot) -> None:
    pages = Pages()
    area = scrolled(pages)
    qtbot.addWidget(area)
    for width, height in ((180, 60), (20, 300)):
        pages.addWidget(holding(column(sized(width, height), REST)))
    area.resize(220, 120)
    area.show()
    heights = []
    for page in (0, 1, 0):
        pages.setCurrentIndex(page)
        QApplication.processEvents()
        heights.append(area.verticalScrollBar().maximum())
    assert heights == [0, 180, 0]
    assert pages.minimumSizeHint().width() == 180


def test_a_dialog_too_tall_for_the_screen_keeps_its_focus_and_the_order_of_its_stops(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(layout, "room_on_screen", lambda _window: QRect(QPoint(), QSize(300, 200)))
    dialog, fields = QDialog(), [QLineEdit() for _ in range(3)]
    qtbot.addWidget(dialog)
    buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
    column(*fields, sized(100, 300), buttons, of=dialog)
    fields[1].setFocus()
    fit_on_screen(dialog)
    dialog.show()
    dialog.activateWindow()
    qtbot.waitUntil(fields[1].hasFocus)
    assert dialog.size().boundedTo(QSize(300, 200)) == dialog.size()
    stops = []
    for _ in range(5):
        stops.append(dialog.focusWidget())
        QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
    assert stops == [
        fields[1],
        fields[2],
        buttons.button(QDialogButtonBox.StandardButton.Ok),
        buttons.button(QDialogButtonBox.StandardButton.Cancel),
        fields[0],
    ]


def test_a_dialog_is_as_tall_as_its_wrapped_words_need(qtbot: QtBot) -> None:
    dialog, words = QDialog(), QLabel("All that a long note has to say about a drawing. " * 20)
    qtbot.addWidget(dialog)
    words.setWordWrap(True)
    column(words, QLineEdit(), of=dialog)
    dialog.resize(300, 50)
    fit_on_screen(dialog)
    dialog.show()
    assert words.height() >= words.heightForWidth(words.width())
