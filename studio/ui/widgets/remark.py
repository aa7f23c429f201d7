"""A sentence with the icon of its severity, so that colour is never the only sign."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from studio.ui.widgets.controls import wrapping
from studio.ui.widgets.icons import Sign
from studio.ui.widgets.layout import row

ICON = 20


class Remark(QWidget):
    """One sentence; hidden while it is empty."""

    def __init__(self, icon_name: str, sentence: str = "") -> None:
        super().__init__()
        sign = Sign(icon_name)
        sign.setFixedSize(ICON, ICON)
        self.sentence = wrapping()
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        row(sign, (self.sentence, 1), of=self).setAlignment(sign, Qt.AlignmentFlag.AlignTop)
        if sentence:
            self.say(sentence)
        else:
            self.hide()

    def say(self, sentence: str) -> None:
        """Show another sentence, or none."""
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        # A widget without a parent would come up as a window.
        if self.parent() is not None:
            self.setVisible(bool(sentence))
