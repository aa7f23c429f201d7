"""The studio's own icons: drawn in one line weight on a 20 px grid, coloured from the theme when they are painted.

In the files, `currentColor` is the ink and `ground` the background shining through a filled shape.
"""

from __future__ import annotations

import math
from functools import cache

from PySide6.QtCore import QByteArray, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QGuiApplication, QIcon, QIconEngine, QImage, QPainter, QPaintEvent, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QLabel

from studio.base.folders import shipped
from studio.ui.widgets.theme import Painted, Theme, current_theme

ICONS = shipped("icons")
GRID = 20
SIZES = (16, GRID)
"""In tool strips 20 px; in menus Fusion asks for 16."""
LARGEST_RATIO = 3
"""Device pixel ratio up to which icons are drawn afresh instead of being scaled."""
FADED = 0.38
"""Opacity of a disabled icon."""


def names() -> tuple[str, ...]:
    """Return the names of all icons, sorted."""
    return tuple(sorted(path.stem for path in ICONS.glob("*.svg")))


@cache
def icon(name: str) -> QIcon:
    """Return an icon that follows the theme; raises FileNotFoundError for a name missing in `names()`."""
    drawn(name, current_theme())
    return QIcon(_Themed(name))


def kind_icon(key: str) -> QIcon:
    """Return the icon of a kind of puzzle; an empty one if the kind has none."""
    name = f"kind-{key}"
    return icon(name) if name in names() else QIcon()


class _Themed(QIconEngine):
    """Draws an icon in the colours of the current theme."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def clone(self) -> QIconEngine:
        return _Themed(self._name)

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        drawn(self._name, current_theme()).paint(painter, rect, Qt.AlignmentFlag.AlignCenter, mode, state)

    def actualSize(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QSize:
        return drawn(self._name, current_theme()).actualSize(size, mode, state)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return drawn(self._name, current_theme()).pixmap(size, scale, mode, state)


class Sign(QLabel):
    """An icon that follows the theme, as large as the label."""

    name = Painted("")

    def __init__(self, name: str = "") -> None:
        super().__init__()
        self.name = name

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.name:
            icon(self.name).paint(QPainter(self), self.rect())


@cache
def drawn(name: str, theme: Theme, sharpest: int = 0) -> QIcon:
    """Draw an icon in the colours of a theme: ink, faded if disabled, the accent if switched on.

    It is drawn for every device pixel ratio up to `sharpest`, by default that of the sharpest screen.

    Error, warning, hint and done keep their own colour. Raises FileNotFoundError for a name missing in `names()`.
    """
    own = {"error": theme.error, "warning": theme.warning, "hint": theme.hint, "done": theme.done}.get(name)
    renderer = QSvgRenderer(_coloured(name, own or theme.text, theme.panel))
    made = QIcon()
    for size in SIZES:
        for ratio in range(1, (sharpest or _sharpest_screen()) + 1):
            image = _blank(size * ratio)
            painter = QPainter(image)
            renderer.render(painter, QRectF(image.rect()))
            painter.end()
            image.setDevicePixelRatio(ratio)
            made.addPixmap(QPixmap.fromImage(image), QIcon.Mode.Normal, QIcon.State.Off)
            made.addPixmap(QPixmap.fromImage(image), QIcon.Mode.Selected, QIcon.State.Off)
            made.addPixmap(QPixmap.fromImage(_faded(image)), QIcon.Mode.Disabled, QIcon.State.Off)
            if own is None:
                made.addPixmap(QPixmap.fromImage(_inked(image, theme.accent)), QIcon.Mode.Normal, QIcon.State.On)
    return made


def _sharpest_screen() -> int:
    app = QGuiApplication.instance()
    assert isinstance(app, QGuiApplication)
    return min(LARGEST_RATIO, math.ceil(app.devicePixelRatio()))


def _coloured(name: str, ink: QColor, ground: QColor) -> QByteArray:
    source = (ICONS / f"{name}.svg").read_text(encoding="utf-8")
    return QByteArray(source.replace("currentColor", ink.name()).replace("ground", ground.name()).encode())


def _blank(pixels: int) -> QImage:
    image = QImage(pixels, pixels, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    return image


def _inked(drawn: QImage, ink: QColor) -> QImage:
    """Return the same shape in another colour."""
    image = drawn.copy()
    painter = QPainter(image)
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(QRectF(0, 0, image.width(), image.height()), ink)
    painter.end()
    return image


def _faded(drawn: QImage) -> QImage:
    image = _blank(drawn.width())
    image.setDevicePixelRatio(drawn.devicePixelRatio())
    painter = QPainter(image)
    painter.setOpacity(FADED)
    painter.drawImage(0, 0, drawn)
    painter.end()
    return image
