"""Letters on the pieces: their outlines, and a legible ink for each colour."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPainterPath, QTransform

from studio.base.colours import is_bright
from studio.ui.solid.renderer import pixels_in

LETTER_PIXELS = 128
RIM = 0.06
"""Margin on each side of a letter, as a share of its box."""


def ink_on(colour: QColor) -> tuple[QColor, float]:
    """The colour and the strength of a letter on a body."""
    return (QColor("#1D1F24"), 0.78) if is_bright(colour.name()) else (QColor("#FFFFFF"), 0.92)


def line_path(words: str) -> QPainterPath:
    """The outlines of a line of words, letters 100 high."""
    font = QFont("DejaVu Sans")
    font.setPixelSize(100)
    font.setWeight(QFont.Weight.DemiBold)
    path = QPainterPath()
    path.addText(0.0, 0.0, font, words)
    return path


def letter_path(letter: str, box: QRectF) -> QPainterPath:
    """A letter's outline as large as fits into a box, in its middle."""
    path = line_path(letter)
    around = path.boundingRect()
    scale = min(box.width() / max(around.width(), 1e-6), box.height() / max(around.height(), 1e-6))
    centred = path.translated(-around.center())
    return QTransform().translate(box.center().x(), box.center().y()).scale(scale, scale).map(centred)


def sheet_of(letters: tuple[str, ...]) -> NDArray[np.uint8]:
    """Letters side by side, white on black: (pixels, n × pixels)."""
    image = QImage(LETTER_PIXELS * len(letters), LETTER_PIXELS, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.black)
    painter = QPainter(image)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for place, letter in enumerate(letters):
        rim = RIM * LETTER_PIXELS
        box = QRectF(place * LETTER_PIXELS, 0, LETTER_PIXELS, LETTER_PIXELS).adjusted(rim, rim, -rim, -rim)
        painter.fillPath(letter_path(letter, box), Qt.GlobalColor.white)
    painter.end()
    return np.ascontiguousarray(pixels_in(image)[..., 0])
