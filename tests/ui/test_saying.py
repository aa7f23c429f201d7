"""Words in a line take the room there is, and say the rest in a tool tip."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QApplication

from studio.ui.widgets.controls import ElidedLabel

WORDS = "Corner pairs: the 3 in H10 and the lines at its corners leave only one option, so these are lines and crosses."


def inked_rows(says: ElidedLabel) -> int:
    """How many rows of pixels have ink."""
    shown = says.grab().toImage()
    ground = shown.pixelColor(shown.width() - 1, 0)
    return sum(any(shown.pixelColor(x, y) != ground for x in range(shown.width())) for y in range(shown.height()))


def made(width: int, *, wraps: bool) -> ElidedLabel:
    says = ElidedLabel(WORDS, wraps=wraps)
    says.resize(width, 40)
    says.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
    says.show()
    says.grab()
    return says


def test_one_line_is_cut_short_and_the_tool_tip_has_all_of_it(qapp: QApplication) -> None:
    width = QFontMetrics(QApplication.font()).horizontalAdvance(WORDS)
    assert made(width + 20, wraps=False).toolTip() == "" and made(width // 2, wraps=False).toolTip() == WORDS


def test_words_that_may_wrap_go_on_in_a_second_line(qapp: QApplication) -> None:
    width = QFontMetrics(QApplication.font()).horizontalAdvance(WORDS)
    wide, narrow, short = (made(share, wraps=True) for share in (width + 20, round(0.65 * width), width // 4))
    assert (wide.toolTip(), narrow.toolTip(), short.toolTip()) == ("", "", WORDS)
    assert inked_rows(narrow) > 1.5 * inked_rows(wide)
