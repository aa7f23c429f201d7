"""A sentence with the icon of its severity, so that colour is never the only sign."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtWidgets import QLabel, QWidget

from studio.ui.icons import icon
from studio.ui.layout import row
from studio.ui.theme import worn_theme

ICON = 20


class Remark(QWidget):
    """One sentence; hidden while it is empty."""

    def __init__(self, icon_name: str, sentence: str = "") -> None:
        super().__init__()
        self._icon_name = icon_name
        self._icon = QLabel()
        self._icon.setFixedSize(ICON, ICON)
        self.sentence = QLabel()
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        row(self._icon, (self.sentence, 1), of=self).setAlignment(self._icon, Qt.AlignmentFlag.AlignTop)
        self._dress()
        if sentence:
            self.say(sentence)
        else:
            self.hide()

    def say(self, sentence: str) -> None:
        """Show another sentence, or none."""
        self.sentence.setText(sentence)
        self.setAccessibleName(sentence)
        # A widget that stands nowhere yet would come up as a window.
        if self.parent() is not None:
            self.setVisible(bool(sentence))

    def changeEvent(self, event: QEvent) -> None:
        """Follow the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "sentence"):
            self._dress()

    def _dress(self) -> None:
        drawn = icon(self._icon_name, worn_theme())
        self._icon.setPixmap(drawn.pixmap(QSize(ICON, ICON), self.devicePixelRatioF()))
