"""A film gives the picture of any count, and paints no more for it than what its copies leave to paint."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from studio.ui.canvas.cutting import Film

TOTAL, COPIES = 40, 3


def dots(picture: QPixmap, first: int, end: int) -> None:
    """One pixel for each thing."""
    painter = QPainter(picture)
    for number in range(first, end):
        painter.fillRect(number, 0, 1, 1, QColor("red"))
    painter.end()


def film() -> Film:
    blank = QPixmap(TOTAL, 1)
    blank.fill(Qt.GlobalColor.white)
    return Film(blank, TOTAL, COPIES, dots)


def red(picture: QPixmap) -> list[int]:
    image = picture.toImage()
    return [x for x in range(TOTAL) if image.pixelColor(x, 0) == QColor("red")]


@given(counts=st.lists(st.integers(0, TOTAL), max_size=12))
def test_the_picture_of_a_count_has_that_many(qapp: QApplication, counts: list[int]) -> None:
    shown = film()
    for count in counts:
        assert red(shown.after(count)) == list(range(count))


def test_going_on_paints_only_what_is_new(qapp: QApplication) -> None:
    shown = film()
    shown.after(7)
    shown.after(9)
    assert shown.painted == 9


def test_going_back_begins_at_a_copy(qapp: QApplication) -> None:
    shown = film()
    shown.after(TOTAL)
    assert shown.painted == TOTAL
    for count, more in ((35, 5), (12, 2), (20, 0), (1, 1), (39, 9)):
        before = shown.painted
        assert red(shown.after(count)) == list(range(count))
        assert shown.painted - before == more


def test_a_film_of_nothing_is_blank(qapp: QApplication) -> None:
    blank = QPixmap(1, 1)
    blank.fill(Qt.GlobalColor.white)
    shown = Film(blank, 0, COPIES, dots)
    assert shown.after(0).toImage() == blank.toImage()
    assert shown.painted == 0
